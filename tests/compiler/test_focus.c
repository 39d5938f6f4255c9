/* SPDX-License-Identifier: Apache-2.0
 *
 * Space to depth before a convolution, as a larger kernel with a stride: the same numbers as the graph as it was, and
 * the cases that must stay as they are.
 */
#include "graph_test.h"

#include <math.h>

#include "compiler/passes.h"
#include "compiler/verify.h"

/* Rows begin, begin + step, ... of dimensions 2 and 3, by two Slices or one. */
static jm_value *piece(jm_graph *graph, jm_value *x, const int64_t begin[2], int64_t step, bool at_once)
{
    const int64_t end[2] = {x->tensor.shape.dim[2], x->tensor.shape.dim[3]}, axis[2] = {2, 3}, steps[2] = {step, step};
    for (int k = 0; k < (at_once ? 1 : 2); k++) {
        const int count = at_once ? 2 : 1;
        jm_value *const in[] = {x, graph_ints(graph, begin + k, count), graph_ints(graph, end + k, count),
                                graph_ints(graph, axis + k, count), graph_ints(graph, steps + k, count)};
        x = graph_infer(graph_node(graph, jm_op_find("Slice"), in, 5));
    }
    return x;
}

typedef struct variant {
    const char *name;
    int64_t channels, rows, columns, step, kernel, pads[4];
    bool at_once, space_to_depth;
    int64_t conv_stride;
    int missing; /* this piece is replaced by the first one; 0: none */
    bool rewritten;
} variant;

static const variant variants[] = {
    {"focus of YOLOX", 3, 12, 16, 2, 3, {1, 1, 1, 1}, false, false, 1, 0, true},
    {"both axes at once", 3, 12, 16, 2, 3, {1, 1, 1, 1}, true, false, 1, 0, true},
    {"1x1", 2, 6, 4, 2, 1, {0}, false, false, 1, 0, true},
    {"uneven padding", 1, 14, 10, 2, 4, {0, 1, 2, 3}, false, false, 1, 0, true},
    {"step 3", 2, 12, 9, 3, 3, {1, 1, 1, 1}, true, false, 1, 0, true},
    {"SpaceToDepth", 4, 12, 16, 2, 3, {1, 1, 1, 1}, false, true, 1, 0, true},
    {"strided already", 3, 12, 16, 2, 3, {1, 1, 1, 1}, false, false, 2, 0, false},
    {"a piece twice", 3, 12, 16, 2, 3, {1, 1, 1, 1}, false, false, 1, 2, false},
    {"many channels", 16, 12, 16, 2, 3, {1, 1, 1, 1}, false, false, 1, 0, false},
};

static jm_graph *make(const variant *v, uint64_t seed)
{
    jm_graph *graph;
    *test_random_state() = seed;
    assert_ok(jm_graph_create(&graph));
    jm_value *x = graph_input(graph, "x", SHAPE(2, v->channels, v->rows, v->columns)), *in[16];
    jm_node *stack;
    if (v->space_to_depth) {
        stack = graph_node(graph, jm_op_find("SpaceToDepth"), &x, 1);
        assert_ok(jm_node_set_int(graph, stack, "blocksize", v->step));
    } else {
        /* Columns first, as YOLOX does; any order is legal. */
        const int pieces = (int)(v->step * v->step);
        for (int i = 0; i < pieces; i++) {
            const int64_t begin[2] = {i % v->step, i / v->step};
            in[i] = v->missing && i == v->missing ? in[0] : piece(graph, x, begin, v->step, v->at_once);
        }
        stack = graph_node(graph, jm_op_find("Concat"), in, pieces);
        assert_ok(jm_node_set_int(graph, stack, "axis", 1));
    }
    x = graph_infer(stack);
    jm_value *const operand[] = {x, graph_random(graph, SHAPE(5, x->tensor.shape.dim[1], v->kernel, v->kernel), -1, 1),
                                 graph_random(graph, SHAPE(5), -1, 1)};
    jm_node *conv = graph_node(graph, jm_op_find("Conv"), operand, 3);
    assert_ok(jm_node_set_ints(graph, conv, "pads", v->pads, 4));
    assert_ok(jm_node_set_ints(graph, conv, "strides", (int64_t[]){v->conv_stride, v->conv_stride}, 2));
    assert_ok(jm_graph_add_output(graph, graph_infer(conv)));
    return graph;
}

static void check(const variant *v)
{
    const uint64_t seed = test_random();
    jm_graph *plain = make(v, seed), *rewritten = make(v, seed);
    size_t want_count, got_count;
    assert_ok(jm_pass_infer(rewritten));
    assert_ok(jm_pass_focus(rewritten));
    assert_ok(jm_graph_verify(rewritten));
    if ((rewritten->nodes == 1) != v->rewritten) fail_msg("%s: %zu nodes are left", v->name, rewritten->nodes);
    float *want = graph_run(plain, &want_count), *got = graph_run(rewritten, &got_count), largest = 0;
    assert_int_equal(want_count, got_count);
    for (size_t i = 0; i < want_count; i++) largest = fmaxf(largest, fabsf(want[i]));
    for (size_t i = 0; i < want_count; i++)
        if (!(fabsf(got[i] - want[i]) <= 2e-6f * largest))
            fail_msg("%s: element %zu is %.9g, want %.9g", v->name, i, got[i], want[i]);
    free(want);
    free(got);
    jm_graph_destroy(plain);
    jm_graph_destroy(rewritten);
}

static void focus_becomes_a_stride(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < JM_COUNT(variants); i++) check(&variants[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(focus_becomes_a_stride)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
