/* SPDX-License-Identifier: Apache-2.0
 *
 * Single passes on small graphs: what they leave, node by node.
 */
#include "compiler/passes.h"
#include "compiler/verify.h"
#include "onnx_builder.h"
#include "test.h"

/* x [2,3,4] and constants that rules look at. */
static onnx_builder begin(void)
{
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2, 3, 4));
    onnx_f32_scalar(&b, "zero", 0);
    onnx_f32_scalar(&b, "minus_zero", -0.0f);
    onnx_f32_scalar(&b, "half", 0.5f);
    onnx_f32_scalar(&b, "one", 1);
    onnx_f32_scalar(&b, "two", 2);
    onnx_f32_scalar(&b, "three", 3);
    onnx_f32_scalar(&b, "six", 6);
    onnx_f32_scalar(&b, "sixth", 1.0f / 6);
    onnx_f32_scalar(&b, "root_two", 1.4142135f);
    onnx_f32(&b, "powers", DIMS(4), (float[]){1, -2, 0.25f, 8});
    onnx_f32(&b, "mixed", DIMS(4), (float[]){1, 2, 3, 4});
    onnx_f32(&b, "ones", DIMS(3, 1), (float[]){1, 1, 1});
    onnx_f32(&b, "tall", DIMS(1, 1, 1, 1), (float[]){1});
    onnx_i64(&b, "same", 3, (int64_t[]){2, 3, 4});
    onnx_i64(&b, "flat", 2, (int64_t[]){6, 4});
    onnx_i64(&b, "line", 1, (int64_t[]){24});
    onnx_i64(&b, "no_pads", 6, (int64_t[]){0, 0, 0, 0, 0, 0});
    onnx_i64(&b, "shift", 6, (int64_t[]){0, 0, 1, 0, 0, -1});
    onnx_i64(&b, "start", 1, (int64_t[]){0});
    onnx_i64(&b, "last", 1, (int64_t[]){-1});
    onnx_i64(&b, "low", 1, (int64_t[]){INT64_MIN});
    onnx_i64(&b, "high", 1, (int64_t[]){INT64_MAX});
    onnx_i64(&b, "step1", 1, (int64_t[]){1});
    onnx_i64(&b, "once", 3, (int64_t[]){1, 1, 1});
    return b;
}

/* Runs the pass on what the test built; y is the output. The result is compared as "Op(in,in) Op(in)", where constants
 * of the graph print as *. */
static void check_pass(onnx_builder *b, jm_status (*pass)(jm_graph *), const char *want)
{
    char have[512] = "";
    size_t length = 0;
    onnx_output(b, "y");
    jm_graph *graph = onnx_import_ok(b);
    assert_ok(pass(graph));
    assert_ok(jm_graph_verify(graph));
    for (size_t i = 0; i < graph->nodes; i++) {
        const jm_node *node = graph->node[i];
        length += (size_t)snprintf(have + length, sizeof have - length, "%s%s(", i ? " " : "", node->op->name);
        for (int k = 0; k < node->inputs; k++) {
            length += (size_t)snprintf(have + length, sizeof have - length, "%s%s", k ? "," : "",
                                       node->in[k]->tensor.constant ? "*" : node->in[k]->name);
        }
        length += (size_t)snprintf(have + length, sizeof have - length, ")");
    }
    assert_string_equal(have, want);
    assert_string_equal(graph->output[0]->name, "y");
    jm_graph_destroy(graph);
    onnx_clear(b);
}

/* Tanh(x) -> t; op(t, inputs) -> s; Exp(s) -> y. */
static void check_op(const char *op, const char *inputs, const char *want)
{
    onnx_builder b = begin();
    char text[128];
    onnx_op(&b, "Tanh", "x", "t");
    snprintf(text, sizeof text, "t%s", inputs);
    size_t node = onnx_op_begin(&b, "", op, text, "s");
    if (strcmp(op, "Cast") == 0) onnx_set_int(&b, "to", ONNX_FLOAT);
    if (strcmp(op, "Concat") == 0) onnx_set_int(&b, "axis", 1);
    onnx_op_end(&b, node);
    onnx_op(&b, "Exp", "s", "y");
    check_pass(&b, jm_pass_simplify, want);
}

static void nodes_without_effect_go(void **state)
{
    (void)state;
    static const struct {
        const char *op, *inputs;
        bool gone;
    } cases[] = {
        {"Cast", "", true},
        {"Reshape", ",same", true},
        {"Expand", ",same", true},
        {"Tile", ",once", true},
        {"Concat", "", true},
        {"Pad", ",no_pads", true},
        {"Pad", ",shift", false},
        {"Slice", ",start,high,start,step1", true},
        {"Slice", ",start,high", true},
        {"Slice", ",last,low,start,last", false}, /* backwards */
        {"Mul", ",one", true},
        {"Mul", ",ones", true},
        {"Mul", ",tall", false}, /* another rank */
        {"Div", ",one", true},
        {"Pow", ",one", true},
        {"Sub", ",zero", true},
        {"Sub", ",minus_zero", false}, /* -0 - -0 = 0 */
        {"Add", ",zero", false},       /* -0 + 0 = 0 */
    };
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        char want[128];
        size_t inputs = 1;
        for (const char *c = cases[i].inputs; *c; c++) inputs += *c == ',';
        snprintf(want, sizeof want, "Tanh(x) %s(t%.*s) Exp(s)", cases[i].op, (int)(2 * (inputs - 1)), ",*,*,*,*");
        check_op(cases[i].op, cases[i].inputs, cases[i].gone ? "Tanh(x) Exp(t)" : want);
    }
}

static void products_and_quotients(void **state)
{
    (void)state;
    check_op("Pow", ",two", "Tanh(x) Mul(t,t) Exp(s)");
    check_op("Pow", ",three", "Tanh(x) Pow(t,*) Exp(s)");
    check_op("Div", ",two", "Tanh(x) Mul(t,*) Exp(s)");
    check_op("Div", ",powers", "Tanh(x) Mul(t,*) Exp(s)");
    check_op("Div", ",mixed", "Tanh(x) Div(t,*) Exp(s)");
    check_op("Div", ",zero", "Tanh(x) Div(t,*) Exp(s)");

    onnx_builder b = begin();
    onnx_op(&b, "Div", "x,powers", "y");
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    assert_ok(jm_pass_simplify(graph));
    const float want[] = {1, -0.5f, 4, 0.125f};
    assert_memory_equal(graph->node[0]->in[1]->tensor.data, want, sizeof want);
    jm_graph_destroy(graph);
    onnx_clear(&b);
}

static void reshapes_merge(void **state)
{
    (void)state;
    onnx_builder b = begin();
    onnx_op(&b, "Reshape", "x,flat", "a");
    onnx_op(&b, "Reshape", "a,line", "y");
    check_pass(&b, jm_pass_simplify, "Reshape(x,*)");
    b = begin();
    onnx_op(&b, "Tanh", "x", "t");
    onnx_op(&b, "Reshape", "t,flat", "a");
    onnx_op(&b, "Reshape", "a,same", "y"); /* and back */
    check_pass(&b, jm_pass_simplify, "Tanh(x)");
    b = begin();
    onnx_op(&b, "Reshape", "x,flat", "a"); /* the input must not become the output */
    onnx_op(&b, "Reshape", "a,same", "y");
    check_pass(&b, jm_pass_simplify, "Reshape(x,*)");
}

static void transpose(onnx_builder *b, const char *in, const char *out, int64_t i, int64_t j, int64_t k)
{
    size_t node = onnx_op_begin(b, "", "Transpose", in, out);
    onnx_set_ints(b, "perm", 3, (int64_t[]){i, j, k});
    onnx_op_end(b, node);
}

static void transposes_merge(void **state)
{
    (void)state;
    onnx_builder b = begin();
    transpose(&b, "x", "a", 2, 0, 1);
    transpose(&b, "a", "y", 2, 1, 0); /* y[i,j,k] = a[k,j,i] = x[j,i,k] */
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    assert_ok(jm_pass_simplify(graph));
    assert_int_equal(graph->nodes, 1);
    const jm_attr *perm = jm_node_attr(graph->node[0], "perm");
    assert_memory_equal(perm->ints, ((int64_t[]){1, 0, 2}), 3 * sizeof(int64_t));
    jm_graph_destroy(graph);
    onnx_clear(&b);

    b = begin();
    onnx_op(&b, "Tanh", "x", "t");
    transpose(&b, "t", "a", 2, 0, 1);
    transpose(&b, "a", "s", 1, 2, 0); /* and back */
    onnx_op(&b, "Exp", "s", "y");
    check_pass(&b, jm_pass_simplify, "Tanh(x) Exp(t)");

    b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 3, 1));
    transpose(&b, "x", "y", 1, 2, 0);
    check_pass(&b, jm_pass_simplify, "Reshape(x,*)");
}

/* ---- Activations that exporters spell out ---- */

static void activations_are_recognised(void **state)
{
    (void)state;
    onnx_builder b = begin();
    onnx_op(&b, "Sigmoid", "x", "s");
    onnx_op(&b, "Mul", "x,s", "y");
    check_pass(&b, jm_pass_activations, "Silu(x)");

    for (int variant = 0; variant < 4; variant++) { /* HardSwish of PaddlePaddle and others */
        b = begin();
        onnx_op(&b, "Add", variant & 1 ? "three,x" : "x,three", "a");
        onnx_op(&b, "Clip", "a,zero,six", "c");
        onnx_op(&b, "Mul", variant & 1 ? "c,x" : "x,c", "m");
        onnx_op(&b, variant & 2 ? "Mul" : "Div", variant & 2 ? "m,sixth" : "m,six", "y");
        check_pass(&b, jm_pass_activations, "HardSwish(x)");
    }
    b = begin();
    onnx_op(&b, "Add", "x,three", "a");
    onnx_op(&b, "Clip", "a,zero,six", "c");
    onnx_op(&b, "Div", "c,six", "h");
    onnx_op(&b, "Mul", "h,x", "y");
    check_pass(&b, jm_pass_activations, "HardSwish(x)");

    b = begin();
    onnx_op(&b, "Add", "x,three", "a"); /* another upper bound */
    onnx_op(&b, "Clip", "a,zero,three", "c");
    onnx_op(&b, "Mul", "x,c", "m");
    onnx_op(&b, "Div", "m,six", "y");
    check_pass(&b, jm_pass_activations, "Add(x,*) Clip(a) Mul(x,c) Div(m,*)");

    b = begin();
    onnx_op(&b, "Softplus", "x", "s");
    onnx_op(&b, "Tanh", "s", "t");
    onnx_op(&b, "Mul", "x,t", "y");
    check_pass(&b, jm_pass_activations, "Mish(x)");

    b = begin();
    onnx_op(&b, "Div", "x,root_two", "d");
    onnx_op(&b, "Erf", "d", "e");
    onnx_op(&b, "Add", "e,one", "a");
    onnx_op(&b, "Mul", "x,a", "m");
    onnx_op(&b, "Mul", "m,half", "y");
    check_pass(&b, jm_pass_activations, "Gelu(x)");

    b = begin();
    onnx_op(&b, "Sigmoid", "x", "s"); /* the gate has another reader */
    onnx_op(&b, "Mul", "x,s", "m");
    onnx_op(&b, "Add", "m,s", "y");
    check_pass(&b, jm_pass_activations, "Sigmoid(x) Mul(x,s) Add(m,s)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_without_effect_go),
        cmocka_unit_test(products_and_quotients),
        cmocka_unit_test(reshapes_merge),
        cmocka_unit_test(transposes_merge),
        cmocka_unit_test(activations_are_recognised),
    };
    return cmocka_run_group_tests_name("simplify", tests, NULL, NULL);
}
