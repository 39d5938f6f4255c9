/* SPDX-License-Identifier: Apache-2.0
 *
 * The boxes of YOLOv8 as SoftmaxDot: the same numbers as the graph as it was, and the cases that must stay.
 */
#include "graph_test.h"

#include <math.h>

#include "compiler/passes.h"
#include "compiler/verify.h"

typedef struct variant {
    const char *name;
    int64_t perm[4], axis, filters;
    bool bias, rewritten;
} variant;

static const variant variants[] = {
    {"YOLOv8", {0, 2, 1, 3}, 1, 1, false, true},        {"axis from the end", {0, 2, 1, 3}, -3, 1, false, true},
    {"another axis", {0, 2, 1, 3}, 3, 1, false, false}, {"another order", {0, 2, 3, 1}, 1, 1, false, false},
    {"two filters", {0, 2, 1, 3}, 1, 2, false, false},  {"with a bias", {0, 2, 1, 3}, 1, 1, true, false},
};

static jm_graph *make(const variant *v, uint64_t seed)
{
    jm_graph *graph;
    *test_random_state() = seed;
    assert_ok(jm_graph_create(&graph));
    jm_value *x = graph_input(graph, "x", SHAPE(2, 4, 16, 37));
    jm_node *node = graph_node(graph, jm_op_find("Transpose"), &x, 1);
    assert_ok(jm_node_set_ints(graph, node, "perm", v->perm, 4));
    x = graph_infer(node);
    node = graph_node(graph, jm_op_find("Softmax"), &x, 1);
    assert_ok(jm_node_set_int(graph, node, "axis", v->axis));
    x = graph_infer(node);
    jm_value *const in[] = {x, graph_random(graph, SHAPE(v->filters, 16, 1, 1), 0, 16),
                            v->bias ? graph_random(graph, SHAPE(v->filters), -1, 1) : NULL};
    assert_ok(jm_graph_add_output(graph, graph_infer(graph_node(graph, jm_op_find("Conv"), in, v->bias ? 3 : 2))));
    return graph;
}

static void boxes_become_one_node(void **unused)
{
    (void)unused;
    for (size_t v = 0; v < JM_COUNT(variants); v++) {
        const uint64_t seed = test_random();
        jm_graph *plain = make(&variants[v], seed), *fused = make(&variants[v], seed);
        size_t want_count, got_count;
        assert_ok(jm_pass_infer(fused));
        assert_ok(jm_pass_softmax_dot(fused));
        assert_ok(jm_graph_verify(fused));
        if ((graph_count(fused, "SoftmaxDot", false) == 1) != variants[v].rewritten ||
            fused->nodes != (variants[v].rewritten ? 2 : 3))
            fail_msg("%s: %zu nodes are left", variants[v].name, fused->nodes);
        float *want = graph_run(plain, &want_count), *got = graph_run(fused, &got_count);
        assert_int_equal(want_count, got_count);
        for (size_t i = 0; i < want_count; i++)
            if (!(fabsf(got[i] - want[i]) <= 1e-6f * 16))
                fail_msg("%s: element %zu is %.9g, want %.9g", variants[v].name, i, got[i], want[i]);
        free(want);
        free(got);
        jm_graph_destroy(plain);
        jm_graph_destroy(fused);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_become_one_node)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
