/* SPDX-License-Identifier: Apache-2.0
 *
 * If, Loop, Scan and functions of a model become plain nodes. Models whose inputs are all constant fold, so their
 * results can be compared with numbers worked out by hand.
 */
#include <math.h>

#include "onnx_builder.h"
#include "test.h"

static void put_flag(onnx_builder *b, const char *name, bool value)
{
    onnx_raw(b, name, ONNX_BOOL, 0, NULL, value ? "\1" : "\0", 1);
}

static int count_nodes(const jm_graph *graph, const char *op)
{
    int count = 0;
    for (size_t i = 0; i < graph->nodes; i++) count += strcmp(graph->node[i]->op->name, op) == 0;
    return count;
}

/* ---- If ---- */

/* A branch with one output of one node. */
static void branch(onnx_builder *b, const char *attr, const char *op, const char *inputs, const char *output)
{
    onnx_nest nest = onnx_graph_begin(b, attr);
    onnx_op(b, op, inputs, output);
    onnx_output(b, output);
    onnx_graph_end(b, nest);
}

/* The branches read values from outside, one of which nothing else reads; their inner names are that of the result. */
static void if_takes_one_branch(void **state)
{
    (void)state;
    for (int taken = 0; taken < 2; taken++) {
        onnx_builder b = onnx_begin(13);
        onnx_f32(&b, "a", DIMS(2), FLOATS(1, 2));
        put_flag(&b, "c", taken);
        size_t node = onnx_op_begin(&b, "", "If", "c", "y");
        branch(&b, "then_branch", "Add", "a,late", "y");
        branch(&b, "else_branch", "Neg", "a", "y");
        onnx_op_end(&b, node);
        onnx_op(&b, "Mul", "a,a", "late"); /* behind its reader in the file */
        onnx_output(&b, "y");
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "y", DIMS(2), taken ? FLOATS(2, 6) : FLOATS(-1, -2));
        onnx_finish(&b, graph);
    }
}

static void if_on_data_computes_both(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "c", ONNX_BOOL, DIMS(1));
    onnx_input(&b, "x", ONNX_FLOAT, 0, NULL);
    size_t node = onnx_op_begin(&b, "", "If", "c", "y");
    branch(&b, "then_branch", "Relu", "x", "p");
    branch(&b, "else_branch", "Neg", "x", "q");
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal(count_nodes(graph, "Where"), 1);
    assert_int_equal(graph->output[0]->tensor.shape.rank, 0);
    onnx_finish(&b, graph);

    b = onnx_begin(13);
    onnx_input(&b, "c", ONNX_BOOL, 0, NULL);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2, 3));
    node = onnx_op_begin(&b, "", "If", "c", "y");
    branch(&b, "then_branch", "Relu", "x", "p");
    branch(&b, "else_branch", "Flatten", "x", "q");
    onnx_op_end(&b, node);
    onnx_op(&b, "Relu", "y", "z");
    onnx_output(&b, "z");
    graph = onnx_import_ok(&b); /* Flatten keeps [2,3] */
    onnx_finish(&b, graph);

    b = onnx_begin(13);
    onnx_input(&b, "c", ONNX_BOOL, 0, NULL);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2, 3));
    node = onnx_op_begin(&b, "", "If", "c", "y");
    branch(&b, "then_branch", "Relu", "x", "p");
    branch(&b, "else_branch", "Transpose", "x", "q");
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_UNSUPPORTED, "its condition depends on data, and its branches give float32 [2,3] and");
}

/* ---- Loop ---- */

/* x doubles in each iteration while `x < limit`; the old values pile up. */
static onnx_builder doubling(const char *inputs, int64_t trips, float limit)
{
    onnx_builder b = onnx_begin(13);
    onnx_f32(&b, "x", DIMS(1), FLOATS(1));
    onnx_f32_scalar(&b, "limit", limit);
    onnx_i64_scalar(&b, "trips", trips);
    put_flag(&b, "go", true);
    put_flag(&b, "stop", false);
    size_t node = onnx_op_begin(&b, "", "Loop", inputs, "last,pile");
    onnx_nest body = onnx_graph_begin(&b, "body");
    onnx_input(&b, "i", ONNX_INT64, 0, NULL);
    onnx_input(&b, "c", ONNX_BOOL, 0, NULL);
    onnx_input(&b, "s", ONNX_FLOAT, DIMS(1));
    onnx_op(&b, "Add", "s,s", "d");
    onnx_op(&b, "Less", "d,limit", "less");
    onnx_op(&b, "Squeeze", "less", "more");
    onnx_op(&b, "Identity", "s", "old");
    onnx_output(&b, "more");
    onnx_output(&b, "d");
    onnx_output_of(&b, "old", ONNX_FLOAT, DIMS(1));
    onnx_graph_end(&b, body);
    onnx_op_end(&b, node);
    onnx_output(&b, "last");
    onnx_output(&b, "pile");
    return b;
}

static void loops_are_unrolled(void **state)
{
    (void)state;
    onnx_builder b = doubling("trips,go,x", 3, 1000); /* ends by its count */
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "last", DIMS(1), FLOATS(8));
    onnx_check_f32(graph, "pile", DIMS(3, 1), FLOATS(1, 2, 4));
    onnx_finish(&b, graph);
    b = doubling(",,x", 3, 10); /* ends by its condition */
    graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "last", DIMS(1), FLOATS(16));
    onnx_check_f32(graph, "pile", DIMS(4, 1), FLOATS(1, 2, 4, 8));
    onnx_finish(&b, graph);
    b = doubling("trips,stop,x", 3, 10); /* never runs */
    graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "last", DIMS(1), FLOATS(1));
    onnx_check_f32(graph, "pile", DIMS(0, 1), NULL);
    onnx_finish(&b, graph);
    b = doubling("trips,,x", INT64_MAX, INFINITY); /* ends when x overflows */
    graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "last", DIMS(1), FLOATS(INFINITY));
    onnx_finish(&b, graph);
}

static onnx_builder endless(int64_t trips)
{
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1));
    onnx_i64_scalar(&b, "trips", trips);
    size_t node = onnx_op_begin(&b, "", "Loop", "trips,,x", "y");
    onnx_nest body = onnx_graph_begin(&b, "body");
    onnx_input(&b, "i", ONNX_INT64, 0, NULL);
    onnx_input(&b, "c", ONNX_BOOL, 0, NULL);
    onnx_input(&b, "s", ONNX_FLOAT, DIMS(1));
    onnx_op(&b, "Identity", "c", "more");
    onnx_op(&b, "Relu", "s", "next");
    onnx_output(&b, "more");
    onnx_output(&b, "next");
    onnx_graph_end(&b, body);
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    return b;
}

static void loops_have_limits(void **state)
{
    (void)state;
    onnx_builder b = endless(10);
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal(count_nodes(graph, "Relu"), 10);
    onnx_finish(&b, graph);
    b = endless(10001);
    onnx_import_fails(&b, JM_UNSUPPORTED, "more than 10000 iterations");

    b = onnx_begin(13);
    onnx_input(&b, "n", ONNX_INT64, 0, NULL);
    onnx_f32(&b, "x", DIMS(1), FLOATS(1));
    size_t node = onnx_op_begin(&b, "", "Loop", "n,,x", "y");
    onnx_nest body = onnx_graph_begin(&b, "body");
    onnx_input(&b, "i", ONNX_INT64, 0, NULL);
    onnx_input(&b, "c", ONNX_BOOL, 0, NULL);
    onnx_input(&b, "s", ONNX_FLOAT, DIMS(1));
    onnx_output(&b, "c");
    onnx_output(&b, "s");
    onnx_graph_end(&b, body);
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_UNSUPPORTED, "its trip count depends on data");
}

/* An unsupported node is named once, not once for each iteration. */
static void unsupported_nodes_inside_are_named(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1));
    onnx_i64_scalar(&b, "trips", 5);
    size_t node = onnx_op_begin(&b, "", "Loop", "trips,,x", "y");
    onnx_nest body = onnx_graph_begin(&b, "body");
    onnx_input(&b, "i", ONNX_INT64, 0, NULL);
    onnx_input(&b, "c", ONNX_BOOL, 0, NULL);
    onnx_input(&b, "s", ONNX_FLOAT, DIMS(1));
    onnx_op(&b, "Frobnicate", "s", "next");
    onnx_output(&b, "c");
    onnx_output(&b, "next");
    onnx_graph_end(&b, body);
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_UNSUPPORTED, "1 unsupported node of 1 kind: Frobnicate (opset 13) x1: 'next'");
}

/* ---- Scan ---- */

/* Running sums over the columns, from the last to the first, piled up along axis 1 backwards. */
static void scans_have_axes_and_directions(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_f32(&b, "zero", DIMS(2), FLOATS(0, 0));
    onnx_f32(&b, "x", DIMS(2, 3), FLOATS(1, 2, 3, 10, 20, 30));
    size_t node = onnx_op_begin(&b, "", "Scan", "zero,x", "total,sums");
    onnx_set_int(&b, "num_scan_inputs", 1);
    onnx_set_ints(&b, "scan_input_axes", 1, (int64_t[]){-1});
    onnx_set_ints(&b, "scan_input_directions", 1, (int64_t[]){1});
    onnx_set_ints(&b, "scan_output_axes", 1, (int64_t[]){1});
    onnx_set_ints(&b, "scan_output_directions", 1, (int64_t[]){1});
    onnx_nest body = onnx_graph_begin(&b, "body");
    onnx_input(&b, "s", ONNX_FLOAT, DIMS(2));
    onnx_input(&b, "column", ONNX_FLOAT, DIMS(2));
    onnx_op(&b, "Add", "s,column", "t");
    onnx_output(&b, "t");
    onnx_output(&b, "t");
    onnx_graph_end(&b, body);
    onnx_op_end(&b, node);
    onnx_output(&b, "total");
    onnx_output(&b, "sums");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "total", DIMS(2), FLOATS(6, 60));
    onnx_check_f32(graph, "sums", DIMS(2, 3), FLOATS(6, 5, 3, 60, 50, 30));
    onnx_finish(&b, graph);
}

/* ---- Functions ---- */

static void functions_are_inlined(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_f32(&b, "x", DIMS(2), FLOATS(-4, 4));
    size_t node = onnx_op_begin(&b, "own", "Leak", "x", "y");
    onnx_set_float(&b, "slope", 0.5f);
    onnx_op_end(&b, node);
    onnx_op_end(&b, onnx_op_begin(&b, "own", "Leak", "x", "z")); /* LeakyRelu's own default */
    onnx_output(&b, "y");
    onnx_output(&b, "z");
    size_t function = onnx_function_begin(&b, "own", "Leak", "x,unused", "out");
    onnx_op(&b, "Add", "x,x", "y"); /* a name of the caller, which means something else here */
    node = onnx_op_begin(&b, "", "LeakyRelu", "y", "out");
    onnx_set_reference(&b, "alpha", ONNX_ATTR_FLOAT, "slope");
    onnx_op_end(&b, node);
    onnx_function_end(&b, function);
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "y", DIMS(2), FLOATS(-4, 8));
    onnx_check_f32(graph, "z", DIMS(2), FLOATS(-0.08f, 8));
    onnx_finish(&b, graph);

    /* An input that is left out is absent inside, too. */
    b = onnx_begin(13);
    onnx_f32(&b, "x", DIMS(2), FLOATS(-4, 4));
    onnx_f32_scalar(&b, "high", 3);
    onnx_op_end(&b, onnx_op_begin(&b, "own", "Limit", "x,,high", "y"));
    onnx_output(&b, "y");
    function = onnx_function_begin(&b, "own", "Limit", "p,low,high,more", "q");
    onnx_op(&b, "Clip", "p,low,high", "q");
    onnx_function_end(&b, function);
    graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "y", DIMS(2), FLOATS(-4, 3));
    onnx_finish(&b, graph);

    /* A function that calls itself. */
    b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2));
    onnx_op_end(&b, onnx_op_begin(&b, "own", "Again", "x", "y"));
    onnx_output(&b, "y");
    function = onnx_function_begin(&b, "own", "Again", "p", "q");
    onnx_op_end(&b, onnx_op_begin(&b, "own", "Again", "p", "q"));
    onnx_function_end(&b, function);
    onnx_import_fails(&b, JM_UNSUPPORTED, "more than 16 deep");
}

static void graphs_have_a_depth(void **state)
{
    (void)state;
    for (int depth = 15; depth < 18; depth++) {
        onnx_builder b = onnx_begin(13);
        size_t node[20];
        onnx_nest nest[20];
        put_flag(&b, "c", true);
        onnx_f32(&b, "x", DIMS(1), FLOATS(1));
        for (int i = 0; i < depth; i++) {
            node[i] = onnx_op_begin(&b, "", "If", "c", "y");
            branch(&b, "else_branch", "Neg", "x", "y");
            nest[i] = onnx_graph_begin(&b, "then_branch");
        }
        onnx_op(&b, "Add", "x,x", "y");
        for (int i = depth; i-- > 0;) {
            onnx_output(&b, "y");
            onnx_graph_end(&b, nest[i]);
            onnx_op_end(&b, node[i]);
        }
        onnx_output(&b, "y");
        if (depth > ONNX_MOST_DEPTH) {
            onnx_import_fails(&b, JM_UNSUPPORTED, "more than 16 deep");
            continue;
        }
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "y", DIMS(1), FLOATS(2));
        onnx_finish(&b, graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(if_takes_one_branch),
        cmocka_unit_test(if_on_data_computes_both),
        cmocka_unit_test(loops_are_unrolled),
        cmocka_unit_test(loops_have_limits),
        cmocka_unit_test(unsupported_nodes_inside_are_named),
        cmocka_unit_test(scans_have_axes_and_directions),
        cmocka_unit_test(functions_are_inlined),
        cmocka_unit_test(graphs_have_a_depth),
    };
    return cmocka_run_group_tests_name("onnx_control", tests, NULL, NULL);
}
