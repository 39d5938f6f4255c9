/* SPDX-License-Identifier: Apache-2.0
 *
 * Random graphs of shape operators, point-wise operators and one operator that wants its values in blocks: after all
 * passes they compute the same bits as before any, with memory poisoned, whatever views, maps and copies were chosen.
 */
#include "graph_test.h"

#include "compiler/passes.h"
#include "compiler/verify.h"

/* ---- An operator that is cheap in blocks only, with free maps, as a convolution is ---- */

static jm_status mix_infer(jm_call *call)
{
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    call->out[0].shape.dim[1] = call->attr[0].i;
    return JM_OK;
}

static int mix_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    (void)call;
    forms[0] = (jm_form){.name = "plain", .out_strided = true, .in_place = -1, .cost = 1e9};
    forms[1] = (jm_form){
        .id = 1, .name = "c16", .in = JM_C16, .out = JM_C16, .out_strided = true, .in_place = -1, .cost = 1.0};
    return 2;
}

typedef struct mix_state {
    jm_tensor in, residual, out;
    bool has_residual;
} mix_state;

static jm_status mix_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan)
{
    (void)form, (void)machine;
    mix_state *s = jm_arena_alloc(arena, 1, sizeof *s);
    if (!s) return JM_OUT_OF_MEMORY;
    *s = (mix_state){.in = call->in[0], .out = call->out[0]};
    const jm_tensor *residual = jm_call_in(call, 1);
    if (residual) {
        if (residual->layout == JM_C16 && !jm_channel_map_equal(residual->map, s->out.map, s->out.shape.dim[1]))
            return jm_call_error(call, JM_INTERNAL, "the residual has another map than the output");
        s->residual = *residual;
        s->has_residual = true;
    }
    plan->chunks = (size_t)call->out[0].shape.dim[0];
    plan->state = s;
    return JM_OK;
}

static void mix_run(const jm_plan *plan, const jm_run *run)
{
    const mix_state *s = plan->state;
    jm_tensor in = s->in, residual = s->residual, out = s->out;
    const jm_shape *shape = &out.shape;
    in.data = run->in[0];
    if (s->has_residual) residual.data = run->in[1];
    out.data = run->out[0];
    const int64_t n = (int64_t)run->chunk;
    /* Lanes without a channel may be written; the map must keep them from mattering. */
    if (out.layout == JM_C16) {
        const int64_t blocks = jm_channel_blocks(shape->dim[1], out.map);
        for (int64_t b = 0; b < blocks; b++)
            for (int64_t y = 0; y < shape->dim[2]; y++)
                for (int64_t x = 0; x < shape->dim[3]; x++)
                    for (int64_t k = 0; k < JM_LANES; k++)
                        ((float *)out
                             .data)[n * out.stride[0] + b * out.stride[1] + y * out.stride[2] + x * out.stride[3] + k] =
                            1e30f;
    }
    for (int64_t c = 0; c < shape->dim[1]; c++)
        for (int64_t y = 0; y < shape->dim[2]; y++)
            for (int64_t x = 0; x < shape->dim[3]; x++) {
                const int64_t to[JM_MAX_RANK] = {n, c, y, x}, from[JM_MAX_RANK] = {n, c % in.shape.dim[1], y, x};
                float mixed = 0.5f * *(const float *)jm_tensor_at(&in, from) + (float)c;
                if (s->has_residual) mixed += *(const float *)jm_tensor_at(&residual, to);
                *(float *)jm_tensor_at(&out, to) = mixed;
            }
}

static const jm_param mix_param[] = {{.name = "x", .kind = JM_PARAM_INPUT},
                                     {.name = "residual", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL},
                                     {.name = "y", .kind = JM_PARAM_OUTPUT},
                                     {.name = "channels", .kind = JM_PARAM_INT}};

static const jm_op mix = {.name = "Mix",
                          .param = mix_param,
                          .params = JM_COUNT(mix_param),
                          .infer = mix_infer,
                          .forms = mix_forms,
                          .plan = mix_plan,
                          .run = mix_run};

/* ---- Random graphs, the same for the same seed ---- */

#define MAX_VALUES 20000
#define MAX_ELEMENTS 8192 /* of a value: Concat and Mix make larger ones of large ones, without an end in sight */

typedef struct maker {
    jm_graph *graph;
    uint64_t state;
    jm_value *value[MAX_VALUES];
    int values;
} maker;

static int64_t pick(maker *m, int64_t low, int64_t high)
{
    m->state ^= m->state >> 12;
    m->state ^= m->state << 25;
    m->state ^= m->state >> 27;
    return low + (int64_t)(m->state * 2685821657736338717ull % (uint64_t)(high - low + 1));
}

static jm_value *any_value(maker *m)
{
    /* Mostly recent ones, so that graphs get deep. */
    const int64_t back = pick(m, 0, 3) ? JM_MIN(m->values - 1, 6) : m->values - 1;
    return m->value[m->values - 1 - pick(m, 0, back)];
}

static jm_value *ints(maker *m, int64_t a)
{
    const jm_shape shape = {.rank = 1, .dim = {1}};
    jm_value *value = jm_graph_constant(m->graph, "", JM_I64, &shape, &a, true);
    assert_non_null(value);
    return value;
}

static jm_node *add_node(maker *m, const jm_op *op, jm_value *const *in, int inputs, int outputs)
{
    char name[32];
    jm_value *out[8];
    assert_non_null(op);
    for (int i = 0; i < outputs; i++) {
        snprintf(name, sizeof name, "v%d", m->values + i);
        out[i] = jm_graph_value(m->graph, name);
        assert_non_null(out[i]);
    }
    snprintf(name, sizeof name, "n%zu", m->graph->nodes);
    jm_node *node = jm_graph_node(m->graph, op, name, in, inputs, out, outputs);
    assert_non_null(node);
    return node;
}

static void finish_node(maker *m, jm_node *node)
{
    assert_ok(jm_node_infer(node));
    for (int i = 0; i < node->outputs; i++)
        if (m->values < MAX_VALUES) m->value[m->values++] = node->out[i];
}

static void add_mix(maker *m, jm_value *x)
{
    jm_value *in[2] = {x, NULL};
    const int64_t pixels = jm_tensor_elements(&x->tensor) / x->tensor.shape.dim[1];
    int64_t channels = pick(m, 0, 2) ? x->tensor.shape.dim[1] : pick(m, 1, JM_MIN(70, MAX_ELEMENTS / pixels));
    for (int tries = pick(m, 0, 1) ? 10 : 0; tries > 0 && !in[1]; tries--) {
        jm_value *y = any_value(m);
        bool fits = y->tensor.shape.rank == 4;
        for (int k = 0; k < 4 && fits; k++) fits = k == 1 || y->tensor.shape.dim[k] == x->tensor.shape.dim[k];
        if (!fits) continue;
        in[1] = y;
        channels = y->tensor.shape.dim[1];
    }
    jm_node *node = add_node(m, &mix, in, in[1] ? 2 : 1, 1);
    assert_ok(jm_node_set_int(m->graph, node, "channels", channels));
    finish_node(m, node);
}

static void add_concat(maker *m, jm_value *x)
{
    const int64_t axis = pick(m, 0, 3) ? 1 : pick(m, 0, 3);
    jm_value *in[5] = {x};
    int inputs = 1;
    for (int tries = 0; tries < 30 && inputs < 4; tries++) {
        jm_value *y = pick(m, 0, 15) ? any_value(m) : x;
        bool fits = y->tensor.shape.rank == 4;
        for (int k = 0; fits && k < 4; k++) fits = k == axis || y->tensor.shape.dim[k] == x->tensor.shape.dim[k];
        if (fits) in[inputs++] = y;
    }
    if (pick(m, 0, 1) && inputs > 1) { /* the first piece last */
        in[inputs] = in[0];
        memmove(in, in + 1, (size_t)inputs * sizeof *in);
    }
    int64_t sum = 0;
    for (int i = 0; i < inputs; i++) sum += in[i]->tensor.shape.dim[axis];
    if (sum > 200 || jm_tensor_elements(&x->tensor) / x->tensor.shape.dim[axis] * sum > MAX_ELEMENTS) return;
    jm_node *node = add_node(m, jm_op_find("Concat"), in, inputs, 1);
    assert_ok(jm_node_set_int(m->graph, node, "axis", axis));
    finish_node(m, node);
}

static void add_split(maker *m, jm_value *x)
{
    const int64_t axis = pick(m, 0, 3) ? 1 : pick(m, 1, 3), dim = x->tensor.shape.dim[axis];
    if (dim < 2) return;
    const int64_t first = pick(m, 0, 1) ? dim / 2 : pick(m, 1, dim - 1), sizes[2] = {first, dim - first};
    const jm_shape shape = {.rank = 1, .dim = {2}};
    jm_value *in[2] = {x, jm_graph_constant(m->graph, "", JM_I64, &shape, sizes, true)};
    jm_node *node = add_node(m, jm_op_find("Split"), in, 2, 2);
    assert_ok(jm_node_set_int(m->graph, node, "axis", axis));
    finish_node(m, node);
    if (pick(m, 0, 2) || m->values + 3 > MAX_VALUES) return;
    /* What YOLOv8 does: the second half is worked on, all of it is joined again. */
    jm_value *half[3] = {node->out[0], node->out[1], node->out[1]};
    add_mix(m, node->out[1]);
    half[2] = m->value[m->values - 1];
    if (axis != 1 || jm_tensor_elements(&x->tensor) + jm_tensor_elements(&half[2]->tensor) > MAX_ELEMENTS) return;
    jm_node *concat = add_node(m, jm_op_find("Concat"), half, 3, 1);
    assert_ok(jm_node_set_int(m->graph, concat, "axis", 1));
    finish_node(m, concat);
}

static void add_slice(maker *m, jm_value *x)
{
    const int64_t axis = pick(m, 0, 2) ? 1 : pick(m, 0, 3), dim = x->tensor.shape.dim[axis];
    const int64_t step = pick(m, 0, 3) ? 1 : 2, start = pick(m, 0, dim - 1), end = pick(m, start + 1, dim);
    jm_value *in[5] = {x, ints(m, start), ints(m, end), ints(m, axis), ints(m, step)};
    finish_node(m, add_node(m, jm_op_find("Slice"), in, 5, 1));
}

static void add_shuffle(maker *m, jm_value *x)
{
    const int64_t channels = x->tensor.shape.dim[1], groups = channels % 2 ? channels : 2;
    jm_node *node = add_node(m, jm_op_find("ChannelShuffle"), &x, 1, 1);
    assert_ok(jm_node_set_int(m->graph, node, "groups", groups));
    finish_node(m, node);
    /* What ShuffleNet does: one half passes, the other is worked on, both are joined. */
    x = node->out[0];
    if (pick(m, 0, 1) || channels % 2 || m->values + 4 > MAX_VALUES) return;
    jm_value *half[2];
    for (int i = 0; i < 2; i++) {
        jm_value *in[5] = {x, ints(m, i * channels / 2), ints(m, (i + 1) * channels / 2), ints(m, 1), ints(m, 1)};
        jm_node *slice = add_node(m, jm_op_find("Slice"), in, 5, 1);
        finish_node(m, slice);
        half[i] = slice->out[0];
    }
    jm_node *work = add_node(m, &mix, &half[1], 1, 1);
    assert_ok(jm_node_set_int(m->graph, work, "channels", channels / 2));
    finish_node(m, work);
    half[1] = work->out[0];
    jm_node *concat = add_node(m, jm_op_find("Concat"), half, 2, 1);
    assert_ok(jm_node_set_int(m->graph, concat, "axis", 1));
    finish_node(m, concat);
}

static void reshape_to(maker *m, jm_value *x, const jm_shape *shape)
{
    const jm_shape length = {.rank = 1, .dim = {shape->rank}};
    jm_value *in[2] = {x, jm_graph_constant(m->graph, "", JM_I64, &length, shape->dim, true)};
    jm_node *node = add_node(m, jm_op_find("Reshape"), in, 2, 1);
    finish_node(m, node);
}

static void add_reshape(maker *m, jm_value *x)
{
    const int64_t *d = x->tensor.shape.dim;
    const jm_shape shapes[] = {{.rank = 4, .dim = {d[0], d[1], d[3], d[2]}},
                               {.rank = 4, .dim = {d[0], d[1], d[2] * d[3], 1}},
                               {.rank = 4, .dim = {1, d[0] * d[1], d[2], d[3]}},
                               {.rank = 4, .dim = {d[0], 1, d[1], d[2] * d[3]}}};
    const jm_shape *shape = &shapes[pick(m, 0, 3)];
    if (shape->dim[1] > 200) return;
    reshape_to(m, x, shape);
    if (pick(m, 0, 1)) return;
    const jm_shape back = x->tensor.shape;
    reshape_to(m, m->value[m->values - 1], &back);
}

static void add_flatten(maker *m, jm_value *x)
{
    /* [N,C,1,1] through [N,C]. */
    const int64_t *d = x->tensor.shape.dim;
    if (d[2] != 1 || d[3] != 1) return;
    const jm_shape flat = {.rank = 2, .dim = {d[0], d[1]}}, back = x->tensor.shape;
    reshape_to(m, x, &flat);
    jm_value *y = m->value[--m->values];
    jm_node *node = add_node(m, jm_op_find("Relu"), &y, 1, 1);
    assert_ok(jm_node_infer(node));
    reshape_to(m, node->out[0], &back);
}

static void add_pointwise(maker *m, jm_value *x)
{
    jm_value *in[2] = {x, NULL};
    switch (pick(m, 0, 2)) {
    case 0:
        finish_node(m, add_node(m, jm_op_find("Relu"), in, 1, 1));
        return;
    case 1: {
        const jm_shape shape = {.rank = 4, .dim = {1, x->tensor.shape.dim[1], 1, 1}};
        in[1] = jm_graph_constant(m->graph, "", JM_F32, &shape, NULL, true);
        assert_non_null(in[1]);
        for (int64_t c = 0; c < shape.dim[1]; c++) ((float *)in[1]->tensor.data)[c] = (float)pick(m, 1, 9) * 0.25f;
        finish_node(m, add_node(m, jm_op_find("Mul"), in, 2, 1));
        return;
    }
    default:
        for (int tries = 0; tries < 20; tries++) {
            in[1] = any_value(m);
            if (!jm_shape_equal(&in[1]->tensor.shape, &x->tensor.shape)) continue;
            finish_node(m, add_node(m, jm_op_find("Add"), in, 2, 1));
            return;
        }
    }
}

static void add_transpose(maker *m, jm_value *x)
{
    static const int64_t perm[4] = {0, 1, 3, 2};
    jm_node *node = add_node(m, jm_op_find("Transpose"), &x, 1, 1);
    assert_ok(jm_node_set_ints(m->graph, node, "perm", perm, 4));
    finish_node(m, node);
}

/* A graph of `nodes` or a few more nodes, and an Identity before each output that needs one. */
static jm_graph *make_graph(uint64_t seed, int nodes)
{
    static maker m;
    memset(&m, 0, sizeof m);
    m.state = seed | 1;
    assert_ok(jm_graph_create(&m.graph));
    for (int i = 0; i < 10; i++) pick(&m, 0, 1);
    const int inputs = (int)pick(&m, 1, 2);
    const int64_t side = pick(&m, 0, 3) ? pick(&m, 1, 5) : 1, batch = pick(&m, 0, 3) ? 1 : 2;
    for (int i = 0; i < inputs; i++) {
        jm_value *value = jm_graph_value(m.graph, i ? "b" : "a");
        assert_non_null(value);
        value->tensor.dtype = JM_F32;
        const jm_shape shape = {.rank = 4, .dim = {batch, pick(&m, 1, 60), side, side}};
        assert_ok(jm_tensor_init(&value->tensor, JM_F32, &shape, JM_PLAIN, NULL));
        assert_ok(jm_graph_add_input(m.graph, value));
        m.value[m.values++] = value;
    }
    static void (*const add[])(maker *, jm_value *) = {
        add_mix,     add_mix,     add_mix,     add_concat,    add_concat,    add_split,    add_slice,
        add_shuffle, add_reshape, add_flatten, add_pointwise, add_pointwise, add_transpose};
    while (m.graph->nodes < (size_t)nodes && m.values + 4 < MAX_VALUES) {
        jm_value *x = any_value(&m);
        add[pick(&m, 0, (int64_t)JM_COUNT(add) - 1)](&m, x);
    }
    int outputs = 0;
    for (int i = m.values - 1; i >= 0; i--) {
        jm_value *value = m.value[i];
        if (!value->producer || value->is_output) continue;
        if (value->uses > 0 && (pick(&m, 0, 9) || outputs > 4)) continue;
        assert_ok(jm_graph_add_output(m.graph, value));
        outputs++;
    }
    assert_true(outputs > 0);
    return m.graph;
}

/* ---- Checking ---- */

static jm_status compile(jm_graph *graph)
{
    JM_TRY(jm_graph_verify(graph));
    JM_TRY(jm_pass_infer(graph));
    JM_TRY(jm_pass_activations(graph));
    JM_TRY(jm_pass_fuse(graph));
    JM_TRY(jm_pass_pieces(graph));
    JM_TRY(jm_graph_verify(graph));
    JM_TRY(jm_pass_layout(graph));
    JM_TRY(jm_graph_verify(graph));
    JM_TRY(jm_pass_pack(graph));
    JM_TRY(jm_graph_verify(graph));
    JM_TRY(jm_pass_schedule(graph));
    return jm_graph_verify(graph);
}

static void check_seed(uint64_t seed, int nodes, size_t *elided)
{
    jm_graph *plain = make_graph(seed, nodes), *placed = make_graph(seed, nodes);
    size_t want_count, got_count;
    assert_ok(jm_pass_infer(plain));
    float *want = graph_run(plain, &want_count);
    if (compile(placed) != JM_OK)
        fail_msg("graph %llu, %d nodes: %s", (unsigned long long)seed, nodes, jm_last_error());
    float *got = graph_run(placed, &got_count);
    assert_int_equal(want_count, got_count);
    for (size_t i = 0; i < want_count; i++)
        if (memcmp(&want[i], &got[i], sizeof(float)) != 0)
            fail_msg("graph %llu, %d nodes: element %zu is %g, want %g", (unsigned long long)seed, nodes, i, got[i],
                     want[i]);
    for (size_t i = 0; i < placed->nodes; i++) *elided += placed->node[i]->elided;
    free(want);
    free(got);
    jm_graph_destroy(plain);
    jm_graph_destroy(placed);
}

static void random_graphs(void **unused)
{
    (void)unused;
    size_t elided = 0;
    for (int i = 0; i < 600; i++) check_seed(test_random(), 3 + i % 40, &elided);
    print_message("%zu views\n", elided);
    assert_true(elided > 1000);
}

/* Far more nodes than any network has: nothing in the compiler may be quadratic. */
static void large_graph(void **unused)
{
    (void)unused;
    size_t elided = 0;
    check_seed(test_random(), 10000, &elided);
}

/* Every allocation of the passes and the program fails in turn: an error each time, and nothing leaks (ASan). */
static void out_of_memory(void **unused)
{
    (void)unused;
    jm_machine machine;
    assert_ok(jm_machine_get(1, &machine));
    const uint64_t seed = test_random();
    for (uint64_t n = 1, failed = 1; failed; n += 1 + n / 50) {
        jm_graph *graph = make_graph(seed, 25);
        jm_program *program = NULL;
        jm_alloc_fail_at(n);
        jm_status status = compile(graph);
        if (status == JM_OK) status = jm_program_create(graph, &machine, &program);
        failed = jm_alloc_fail_at(0) >= n;
        assert_int_equal(status, failed ? JM_OUT_OF_MEMORY : JM_OK);
        assert_true(failed == (program == NULL));
        jm_program_destroy(program);
        jm_graph_destroy(graph);
    }
}

int main(void)
{
    const char *one = getenv("JUMAR_TEST_GRAPH"); /* seed:nodes of a failure */
    if (one) {
        size_t elided = 0;
        char *end;
        const uint64_t seed = strtoull(one, &end, 10);
        check_seed(seed, atoi(end + 1), &elided);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs), cmocka_unit_test(large_graph),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
