/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "compiler/graph.h"
#include "compiler/verify.h"

static jm_graph *graph;

static int setup(void **state)
{
    (void)state;
    return jm_graph_create(&graph) == JM_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    jm_graph_destroy(graph);
    graph = NULL;
    return 0;
}

/* A float32 value of a shape. */
static jm_value *tensor(const char *name, int rank, const int64_t *dims, jm_layout layout)
{
    jm_shape shape = {.rank = rank};
    memcpy(shape.dim, dims, (size_t)rank * sizeof *dims);
    jm_value *value = jm_graph_value(graph, name);
    assert_non_null(value);
    assert_ok(jm_tensor_init(&value->tensor, JM_F32, &shape, layout, NULL));
    return value;
}

static jm_value *vector(const char *name)
{
    return tensor(name, 1, (int64_t[]){4}, JM_PLAIN);
}

static jm_node *unary(const char *op, jm_value *in, jm_value *out)
{
    jm_node *node = jm_graph_node(graph, jm_op_find(op), out->name, &in, 1, &out, 1);
    assert_non_null(node);
    return node;
}

static jm_node *binary(const char *op, jm_value *a, jm_value *b, jm_value *out)
{
    jm_node *node = jm_graph_node(graph, jm_op_find(op), out->name, (jm_value *[]){a, b}, 2, &out, 1);
    assert_non_null(node);
    return node;
}

static jm_value *input(const char *name)
{
    jm_value *value = vector(name);
    assert_ok(jm_graph_add_input(graph, value));
    return value;
}

/* The reader list and the count agree with the nodes. */
static void check_uses(void)
{
    for (size_t v = 0; v < graph->values; v++) {
        const jm_value *value = graph->value[v];
        int listed = 0, read = 0;
        for (const jm_use *use = value->use; use; use = use->next) {
            assert_ptr_equal(use->node->in[use->input], value);
            listed++;
        }
        for (size_t n = 0; n < graph->nodes; n++) {
            for (int i = 0; i < graph->node[n]->inputs; i++) read += graph->node[n]->in[i] == value;
        }
        assert_int_equal(listed, read);
        assert_int_equal(value->uses, read + value->is_output);
    }
}

static void readers_are_kept(void **state)
{
    (void)state;
    jm_value *x = input("x"), *y = vector("y"), *z = vector("z");
    jm_node *add = binary("Add", x, x, y);
    unary("Relu", y, z);
    assert_ok(jm_graph_add_output(graph, z));
    check_uses();
    assert_int_equal(x->uses, 2);
    jm_node_set_input(add, 1, NULL);
    check_uses();
    assert_ok(jm_node_grow_input(graph, add, 3, z));
    assert_int_equal(add->inputs, 4);
    assert_null(add->in[2]);
    check_uses();

    size_t *start;
    jm_node **reader;
    assert_ok(jm_graph_readers(graph, &start, &reader));
    assert_int_equal(start[x->id + 1] - start[x->id], 1);
    assert_ptr_equal(reader[start[x->id]], add);
    assert_int_equal(start[z->id + 1] - start[z->id], 1);
    assert_int_equal(start[graph->values], 3);
    jm_free(start);
    jm_free(reader);
    assert_error(jm_node_grow_input(graph, add, JM_MAX_ARGUMENTS, x), JM_OUT_OF_RANGE, "64");
    assert_error(jm_graph_add_output(graph, z), JM_INVALID_ARGUMENT, "twice");
    assert_error(jm_graph_add_input(graph, x), JM_INVALID_ARGUMENT, "twice");
}

static void too_many_arguments_are_refused(void **state)
{
    (void)state;
    jm_value *in[JM_MAX_ARGUMENTS + 1] = {0}, *out = vector("y");
    assert_null(jm_graph_node(graph, jm_op_find("Add"), "n", in, JM_MAX_ARGUMENTS + 1, &out, 1));
    assert_non_null(strstr(jm_last_error(), "64"));
    assert_int_equal(graph->nodes, 0);
}

static void replacing_moves_readers_and_outputs(void **state)
{
    (void)state;
    jm_value *x = input("x"), *a = vector("a"), *b = vector("b"), *c = vector("c");
    unary("Relu", x, a);
    jm_node *second = unary("Relu", a, b);
    jm_node *third = unary("Relu", b, c);
    assert_ok(jm_graph_add_output(graph, b));
    assert_ok(jm_graph_add_output(graph, c));

    /* b is read by `third` and is an output: a takes both over, and the name. */
    assert_true(jm_graph_replace(graph, b, a));
    check_uses();
    assert_ptr_equal(third->in[0], a);
    assert_ptr_equal(graph->output[0], a);
    assert_string_equal(a->name, "b");
    assert_string_equal(b->name, "a");
    jm_node_kill(second);
    assert_ok(jm_graph_sweep(graph));
    assert_ok(jm_graph_verify(graph));
    assert_int_equal(graph->nodes, 2);

    /* An input cannot become an output, nor can an output become another one. */
    assert_false(jm_graph_replace(graph, a, x));
    assert_ptr_equal(graph->output[0], a);
    assert_ptr_equal(third->in[0], x);
    assert_false(jm_graph_replace(graph, c, a));
    assert_ptr_equal(graph->output[1], c);
    check_uses();
}

static void sweeping_removes_what_nobody_needs(void **state)
{
    (void)state;
    const float four[4] = {0};
    const jm_shape shape = {.rank = 1, .dim = {4}};
    jm_value *x = input("x"), *unused = input("unused"), *y = vector("y");
    jm_value *constant = jm_graph_constant(graph, "c", JM_F32, &shape, four, true);
    jm_value *before = x;
    for (int i = 0; i < 10; i++) { /* a dead chain behind a constant */
        jm_value *next = vector("dead");
        binary("Add", before, constant, next);
        before = next;
    }
    unary("Relu", x, y);
    assert_ok(jm_graph_add_output(graph, y));
    assert_ok(jm_graph_sweep(graph));
    assert_ok(jm_graph_verify(graph));
    assert_int_equal(graph->nodes, 1);
    assert_int_equal(graph->values, 3); /* both inputs and y */
    assert_int_equal(unused->id, 1);
    assert_int_equal(y->id, 2);
    assert_int_equal(x->uses, 1);
}

static void sorting_is_stable_and_finds_cycles(void **state)
{
    (void)state;
    jm_value *x = input("x"), *v[6];
    for (int i = 0; i < 6; i++) v[i] = vector((char[]){(char)('a' + i), 0});
    binary("Add", v[1], v[4], v[5]); /* needs all others */
    unary("Relu", x, v[0]);
    unary("Relu", v[0], v[1]);
    unary("Relu", v[3], v[4]);
    unary("Relu", x, v[2]);
    jm_node *last = unary("Relu", v[2], v[3]);
    assert_ok(jm_graph_add_output(graph, v[5]));
    assert_ok(jm_graph_sort(graph));
    assert_ok(jm_graph_verify(graph));
    const char *first = "";
    for (int i = 0; i < 6; i++) {
        assert_int_equal(graph->node[i]->order, i);
        first = i == 0 ? graph->node[i]->name : first;
    }
    assert_string_equal(first, "a");
    jm_node *order[6];
    memcpy(order, graph->node, sizeof order);
    assert_ok(jm_graph_sort(graph)); /* a sorted list stays */
    assert_memory_equal(order, graph->node, sizeof order);

    jm_node_set_input(last, 0, v[4]);
    assert_error(jm_graph_sort(graph), JM_INVALID_ARGUMENT, "cycle");
}

static void attributes_have_kinds(void **state)
{
    (void)state;
    jm_value *x = input("x"), *y = vector("y");
    jm_node *leaky = unary("LeakyRelu", x, y);
    assert_float_equal(jm_node_attr(leaky, "alpha")->f, 0.01, 1e-9);
    assert_ok(jm_node_set_float(graph, leaky, "alpha", 0.25));
    assert_float_equal(jm_node_attr(leaky, "alpha")->f, 0.25, 0);
    assert_error(jm_node_set_int(graph, leaky, "alpha", 1), JM_INVALID_ARGUMENT, "must be a float");
    assert_error(jm_node_set_float(graph, leaky, "beta", 1), JM_NOT_FOUND, "no attribute 'beta'");
    jm_node *cast = unary("Cast", x, vector("z"));
    assert_ok(jm_node_set_int(graph, cast, "to", JM_I64));
    assert_int_equal(jm_node_attr(cast, "to")->dtype, JM_I64);
    assert_error(jm_node_set_int(graph, cast, "to", 999), JM_INVALID_ARGUMENT, "no dtype");
    jm_node *transpose = unary("Transpose", x, vector("t"));
    assert_ok(jm_node_set_ints(graph, transpose, "perm", (int64_t[]){0}, 1));
    assert_int_equal(jm_node_attr(transpose, "perm")->count, 1);
    jm_node *pad = unary("Pad", x, vector("p"));
    assert_ok(jm_node_set_string(graph, pad, "mode", "edge"));
    assert_string_equal(jm_node_attr(pad, "mode")->s, "edge");
}

static void metadata_are_replaced(void **state)
{
    (void)state;
    assert_null(jm_graph_meta(graph, "family"));
    assert_ok(jm_graph_set_meta(graph, "family", "yolox"));
    assert_ok(jm_graph_set_meta(graph, "labels", "cat\ndog"));
    assert_ok(jm_graph_set_meta(graph, "family", "yolov8"));
    assert_string_equal(jm_graph_meta(graph, "family"), "yolov8");
    assert_int_equal(graph->metas, 2);
}

static void constants_are_borrowed_or_copied(void **state)
{
    (void)state;
    float data[4] = {1, 2, 3, 4};
    const jm_shape shape = {.rank = 1, .dim = {4}}, bad = {.rank = 1, .dim = {-1}};
    jm_value *copied = jm_graph_constant(graph, "copied", JM_F32, &shape, data, true);
    jm_value *borrowed = jm_graph_constant(graph, NULL, JM_F32, &shape, data, false);
    jm_value *zero = jm_graph_constant(graph, "zero", JM_F32, &shape, NULL, true);
    assert_ptr_equal(borrowed->tensor.data, data);
    assert_string_equal(borrowed->name, "");
    data[0] = 9;
    assert_float_equal(((float *)copied->tensor.data)[0], 1, 0);
    assert_float_equal(((float *)zero->tensor.data)[3], 0, 0);
    assert_null(jm_graph_constant(graph, "bad", JM_F32, &bad, NULL, true));
}

static int released;

static void release(void *context)
{
    released = released * 10 + *(int *)context;
}

static void hooks_run_latest_first(void **state)
{
    (void)state;
    int one = 1, two = 2;
    released = 0;
    assert_ok(jm_graph_on_destroy(graph, release, &one));
    assert_ok(jm_graph_on_destroy(graph, release, &two));
    jm_graph_destroy(graph);
    graph = NULL;
    assert_int_equal(released, 21);
    jm_graph_destroy(NULL);
}

/* ---- Views ---- */

static void view(jm_value *value, jm_view_kind kind, jm_value *parent, int axis, int64_t start)
{
    value->view = kind;
    value->parent = parent;
    value->axis = axis;
    value->start = start;
}

static void views_resolve_to_offsets(void **state)
{
    (void)state;
    int64_t offset[8];
    /* Children before parents, so that order cannot matter. */
    jm_value *inner = tensor("inner", 3, (int64_t[]){2, 2, 5}, JM_PLAIN);
    jm_value *slice = tensor("slice", 3, (int64_t[]){2, 3, 5}, JM_PLAIN);
    jm_value *owner = tensor("owner", 3, (int64_t[]){2, 7, 5}, JM_PLAIN);
    jm_value *flat = tensor("flat", 2, (int64_t[]){14, 5}, JM_PLAIN);
    view(inner, JM_VIEW_SLICE, slice, 1, 1);
    view(slice, JM_VIEW_SLICE, owner, 1, 4);
    view(flat, JM_VIEW_RESHAPE, owner, 0, 0);
    assert_ok(jm_graph_resolve_views(graph, offset));
    assert_int_equal(offset[owner->id], 0);
    assert_int_equal(offset[slice->id], 20);
    assert_int_equal(offset[inner->id], 25);
    assert_int_equal(inner->tensor.stride[0], 35);
    assert_int_equal(inner->tensor.stride[1], 5);
    assert_int_equal(flat->tensor.stride[0], 5);
    int32_t owners[8];
    jm_graph_owners(graph, owners);
    assert_int_equal(owners[inner->id], owner->id);
    assert_int_equal(owners[slice->id], owner->id);
    assert_int_equal(owners[flat->id], owner->id);
    assert_int_equal(owners[owner->id], owner->id);

    view(flat, JM_VIEW_RESHAPE, slice, 0, 0); /* has gaps, and another size */
    assert_error(jm_graph_resolve_views(graph, offset), JM_CORRUPT, "flat");
}

/* Chains as long as a file can hold, parents before and behind their children: linear, else this takes hours. */
static void long_chains_of_views(void **state)
{
    (void)state;
    enum { LENGTH = 300000 };
    int64_t *offset = jm_alloc(LENGTH, sizeof *offset);
    int32_t *owner = jm_alloc(LENGTH, sizeof *owner);
    jm_value **link = jm_alloc(LENGTH, sizeof(jm_value *));
    assert_true(offset && owner && link);
    for (int i = 0; i < LENGTH; i++) link[i] = tensor("", 1, (int64_t[]){4}, JM_PLAIN);
    for (int back = 0; back < 2; back++) {
        for (int i = 0; i < LENGTH; i++) {
            link[i]->view = JM_VIEW_NONE;
            link[i]->parent = NULL;
        }
        for (int i = 1; i < LENGTH; i++) {
            if (back)
                view(link[LENGTH - 1 - i], JM_VIEW_RESHAPE, link[LENGTH - i], 0, 0);
            else
                view(link[i], JM_VIEW_RESHAPE, link[i - 1], 0, 0);
        }
        assert_ok(jm_graph_resolve_views(graph, offset));
        jm_graph_owners(graph, owner);
        const int32_t end = link[back ? LENGTH - 1 : 0]->id;
        for (int i = 0; i < LENGTH; i++) assert_int_equal(owner[link[i]->id], end);
    }
    jm_free(offset);
    jm_free(owner);
    jm_free(link);
}

static void blocked_views_count_blocks(void **state)
{
    (void)state;
    int64_t offset[8];
    jm_value *owner = tensor("owner", 4, (int64_t[]){1, 80, 6, 4}, JM_C16);
    jm_value *part = tensor("part", 4, (int64_t[]){1, 40, 6, 4}, JM_C16);
    jm_value *pooled = tensor("pooled", 4, (int64_t[]){3, 24, 1, 1}, JM_C16);
    jm_value *flat = tensor("flat", 2, (int64_t[]){3, 24}, JM_PLAIN);
    view(part, JM_VIEW_SLICE, owner, 1, 2);
    view(flat, JM_VIEW_RESHAPE, pooled, 0, 0);
    assert_ok(jm_graph_resolve_views(graph, offset));
    assert_int_equal(offset[part->id], 2 * 6 * 4 * 16);
    assert_int_equal(flat->tensor.stride[0], 32); /* two blocks a row, the second half used */
    assert_int_equal(flat->tensor.stride[1], 1);
    part->start = 3; /* blocks 3..5 of 5 */
    assert_error(jm_graph_resolve_views(graph, offset), JM_CORRUPT, "part");
}

static void wrong_views_are_refused(void **state)
{
    (void)state;
    int64_t offset[8];
    jm_value *owner = tensor("owner", 2, (int64_t[]){4, 6}, JM_PLAIN);
    jm_value *part = tensor("part", 2, (int64_t[]){4, 2}, JM_PLAIN);
    const struct {
        int axis;
        int64_t start;
    } wrong[] = {{1, 5}, {1, -1}, {1, INT64_MAX}, {1, INT64_MIN}, {0, 0}, {2, 0}, {-1, 0}};
    for (size_t i = 0; i < JM_COUNT(wrong); i++) {
        view(part, JM_VIEW_SLICE, owner, wrong[i].axis, wrong[i].start);
        assert_error(jm_graph_resolve_views(graph, offset), JM_CORRUPT, "part");
    }
    view(part, JM_VIEW_SLICE, owner, 1, 4);
    assert_ok(jm_graph_resolve_views(graph, offset));
    part->tensor.dtype = JM_I8;
    assert_error(jm_graph_resolve_views(graph, offset), JM_CORRUPT, "part");
    part->tensor.dtype = JM_F32;
    view(owner, JM_VIEW_SLICE, part, 1, 0);
    assert_error(jm_graph_resolve_views(graph, offset), JM_CORRUPT, "view of itself");
    view(owner, JM_VIEW_SLICE, NULL, 1, 0);
    assert_error(jm_graph_resolve_views(graph, offset), JM_CORRUPT, "view of nothing");
}

/* Builds a little graph; returns the first failure. */
static jm_status build(jm_graph **out)
{
    const jm_shape shape = {.rank = 1, .dim = {4}};
    JM_TRY(jm_graph_create(out));
    jm_value *x = jm_graph_value(*out, "x"), *y = jm_graph_value(*out, "y");
    jm_value *c = jm_graph_constant(*out, "c", JM_F32, &shape, NULL, true);
    if (!x || !y || !c) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_tensor_init(&x->tensor, JM_F32, &shape, JM_PLAIN, NULL));
    jm_node *node = jm_graph_node(*out, jm_op_find("Add"), "n", (jm_value *[]){x, c}, 2, &y, 1);
    if (!node) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_graph_add_input(*out, x));
    JM_TRY(jm_graph_add_output(*out, y));
    JM_TRY(jm_node_infer(node));
    JM_TRY(jm_graph_set_meta(*out, "key", "text"));
    JM_TRY(jm_graph_sort(*out));
    return jm_graph_sweep(*out);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    jm_graph *built = NULL;
    (void)jm_alloc_fail_at(0);
    assert_ok(build(&built));
    jm_graph_destroy(built);
    uint64_t total = jm_alloc_fail_at(0);
    assert_true(total > 3);
    for (uint64_t n = 1; n <= total; n++) {
        built = NULL;
        (void)jm_alloc_fail_at(n);
        assert_int_equal(build(&built), JM_OUT_OF_MEMORY);
        (void)jm_alloc_fail_at(0);
        jm_graph_destroy(built);
    }
}

int main(void)
{
#define GRAPH_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(readers_are_kept),
        GRAPH_TEST(too_many_arguments_are_refused),
        GRAPH_TEST(replacing_moves_readers_and_outputs),
        GRAPH_TEST(sweeping_removes_what_nobody_needs),
        GRAPH_TEST(sorting_is_stable_and_finds_cycles),
        GRAPH_TEST(attributes_have_kinds),
        GRAPH_TEST(metadata_are_replaced),
        GRAPH_TEST(constants_are_borrowed_or_copied),
        GRAPH_TEST(hooks_run_latest_first),
        GRAPH_TEST(views_resolve_to_offsets),
        GRAPH_TEST(long_chains_of_views),
        GRAPH_TEST(blocked_views_count_blocks),
        GRAPH_TEST(wrong_views_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
