/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include "test.h"

#include "compiler/verify.h"

/* ---- Pieces ---- */

/* 20 channels in blocks of 13 and 7, each block in falling order; the second map is that twice. */
enum { CHANNELS = 20, FIRST = 13 };

static const jm_channel_map *half_map(jm_graph *graph, int times)
{
    jm_channel_map *map = jm_arena_alloc(graph->arena, 1, sizeof(*map));
    int32_t *lane = jm_arena_alloc(graph->arena, (size_t)(times * CHANNELS), sizeof(*lane));
    uint8_t *count = jm_arena_alloc(graph->arena, (size_t)(times * 2), 1);
    assert_true(map && lane && count);
    for (int t = 0; t < times; t++) {
        for (int c = 0; c < CHANNELS; c++) {
            int within = c < FIRST ? FIRST - 1 - c : JM_LANES + CHANNELS - 1 - c;
            lane[t * CHANNELS + c] = t * 2 * JM_LANES + within;
        }
        count[2 * t] = FIRST;
        count[2 * t + 1] = CHANNELS - FIRST;
    }
    *map = (jm_channel_map){.channels = times * CHANNELS, .blocks = times * 2, .lane = lane, .count = count};
    return map;
}

static jm_value *value(jm_graph *graph, const char *name, jm_dtype dtype, jm_shape shape, jm_layout layout,
                       const jm_channel_map *map)
{
    jm_value *v = jm_graph_value(graph, name);
    assert_non_null(v);
    assert_ok(jm_tensor_init(&v->tensor, dtype, &shape, layout, map));
    return v;
}

static jm_value *slice(jm_value *v, jm_value *parent, int64_t start)
{
    v->view = JM_VIEW_SLICE;
    v->parent = parent;
    v->axis = 1;
    v->start = start;
    return v;
}

static jm_value *weights(jm_graph *graph, const char *name, jm_shape shape)
{
    jm_value *v = jm_graph_constant(graph, name, JM_F32, &shape, NULL, true);
    int64_t count;
    assert_non_null(v);
    assert_ok(jm_shape_count(&shape, &count));
    for (int64_t i = 0; i < count; i++) ((float *)v->tensor.data)[i] = test_random_float();
    return v;
}

static jm_node *node(jm_graph *graph, const char *op, const char *name, jm_value *const *in, int inputs, jm_value *out)
{
    const jm_op *found = jm_op_find(op);
    assert_non_null(found);
    jm_node *n = jm_graph_node(graph, found, name, in, inputs, &out, 1);
    assert_non_null(n);
    return n;
}

static void choose_form(jm_node *n, const char *name)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form forms[JM_MAX_FORMS];
    jm_node_call(n, &call, in, out);
    int count = jm_op_forms(&call, forms);
    for (int i = 0; i < count; i++) {
        if (strcmp(forms[i].name, name) != 0) continue;
        n->form = forms[i].id;
        return;
    }
    fail_msg("%s has no form '%s'", n->op->name, name);
}

/* Replaces a constant input by its packed twin. */
static void pack(jm_graph *graph, jm_node *n, int input)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_node_call(n, &call, in, out);
    assert_ok(jm_op_form(&call, n->form, &form));
    jm_value *packed = jm_graph_value(graph, n->in[input]->name);
    assert_non_null(packed);
    packed->tensor = n->in[input]->tensor;
    packed->tensor.layout = JM_PACKED;
    assert_ok(n->op->pack_bytes(&call, &form, input, &packed->packed_bytes));
    packed->tensor.data = jm_arena_alloc(graph->arena, packed->packed_bytes, 1);
    assert_non_null(packed->tensor.data);
    assert_ok(n->op->pack(&call, &form, input, packed->tensor.data));
    jm_node_set_input(n, input, packed);
}

static void set_activation(jm_node *n, jm_activation activation, float alpha, float beta)
{
    jm_attr *attr = &n->attr[jm_op_attr_index(n->op, "epilogue")];
    *attr = (jm_attr){.present = true, .count = 1, .epilogue = {activation, alpha, beta, JM_RESIDUAL_NONE}};
}

/* ---- The graph ---- */

/* x -> conv -> a; silu(a) -> s; a and s are the halves of cat. */
static jm_value *blocked_part(jm_graph *graph, jm_value *x)
{
    const jm_channel_map *half = half_map(graph, 1);
    jm_shape shape = {4, {1, CHANNELS, 5, 7}};
    jm_value *cat = value(graph, "cat", JM_F32, (jm_shape){4, {1, 2 * CHANNELS, 5, 7}}, JM_C16, half_map(graph, 2));
    jm_value *a = slice(value(graph, "a", JM_F32, shape, JM_C16, half), cat, 0);
    jm_value *s = slice(value(graph, "s", JM_F32, shape, JM_C16, half), cat, 2);
    jm_value *w = weights(graph, "a.weight", (jm_shape){4, {CHANNELS, 3, 3, 3}});
    jm_value *b = weights(graph, "a.bias", (jm_shape){1, {CHANNELS}});
    jm_node *conv = node(graph, "Conv", "a.conv", (jm_value *[]){x, w, b}, 3, a);
    assert_ok(jm_node_set_ints(graph, conv, "pads", (int64_t[]){1, 1, 1, 1}, 4));
    assert_ok(jm_node_set_ints(graph, conv, "strides", (int64_t[]){2, 1}, 2));
    set_activation(conv, JM_ACT_LEAKY_RELU, 0.1f, 0);
    choose_form(conv, "stem");
    pack(graph, conv, 1);
    pack(graph, conv, 2);
    choose_form(node(graph, "Silu", "s.silu", &a, 1, s), "c16");
    jm_node *concat = node(graph, "Concat", "cat.concat", (jm_value *[]){a, s}, 2, cat);
    assert_ok(jm_node_set_int(graph, concat, "axis", 1));
    concat->elided = true;
    return cat;
}

jm_graph *sample_graph(void)
{
    jm_graph *graph;
    assert_ok(jm_graph_create(&graph));
    graph->name = "sample";
    jm_value *x = value(graph, "x", JM_F32, (jm_shape){4, {1, 3, 9, 7}}, JM_PLAIN, NULL);
    jm_value *unused = value(graph, "unused", JM_F32, (jm_shape){0}, JM_PLAIN, NULL);
    jm_value *cat = blocked_part(graph, x);
    jm_value *d = value(graph, "d", JM_F32, (jm_shape){4, {1, 16, 5, 7}}, JM_C16, NULL);
    jm_value *plain = value(graph, "plain", JM_F32, (jm_shape){4, {1, 16, 5, 7}}, JM_PLAIN, NULL);
    jm_value *flat = value(graph, "flat", JM_F32, (jm_shape){2, {16, 35}}, JM_PLAIN, NULL);
    jm_value *gelu = value(graph, "gelu", JM_F32, (jm_shape){2, {16, 35}}, JM_PLAIN, NULL);
    jm_value *half = value(graph, "half", JM_F16, (jm_shape){2, {16, 35}}, JM_PLAIN, NULL);
    (void)unused;

    jm_node *conv =
        node(graph, "Conv", "d.conv",
             (jm_value *[]){cat, weights(graph, "d.weight", (jm_shape){4, {16, 2 * CHANNELS, 1, 1}})}, 2, d);
    set_activation(conv, JM_ACT_CLIP, -0.75f, 1.25f);
    choose_form(conv, "gemm1x1");
    pack(graph, conv, 1);
    choose_form(node(graph, "Reorder", "plain.reorder", &d, 1, plain), "c16 to plain");

    static const int64_t to_flat[] = {16, -1};
    jm_value *flat_shape = jm_graph_constant(graph, "flat.shape", JM_I64, &(jm_shape){1, {2}}, to_flat, true);
    assert_non_null(flat_shape);
    jm_node *reshape = node(graph, "Reshape", "flat.reshape", (jm_value *[]){plain, flat_shape}, 2, flat);
    reshape->elided = true;
    flat->view = JM_VIEW_RESHAPE;
    flat->parent = plain;

    jm_node *last = node(graph, "Gelu", "gelu.gelu", &flat, 1, gelu);
    assert_ok(jm_node_set_string(graph, last, "approximate", "tanh"));
    assert_ok(jm_node_set_int(graph, node(graph, "Cast", "half.cast", &flat, 1, half), "to", JM_F16));
    assert_ok(jm_graph_add_input(graph, x));
    assert_ok(jm_graph_add_output(graph, gelu));
    assert_ok(jm_graph_add_output(graph, half));
    assert_ok(jm_graph_set_meta(graph, "family", "yolox"));
    assert_ok(jm_graph_set_meta(graph, "labels", "cat\ndog"));
    assert_ok(jm_graph_sweep(graph));
    assert_ok(jm_graph_verify(graph));
    return graph;
}
