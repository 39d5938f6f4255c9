/* SPDX-License-Identifier: Apache-2.0
 *
 * Each fusion against the unfused graph: the same numbers, fewer nodes; and the cases that must stay as they are.
 */
#include "graph_test.h"

#include <math.h>

#include "compiler/passes.h"
#include "compiler/verify.h"

typedef jm_value *(*make_function)(jm_graph *graph, jm_value *x, int64_t variant);

static jm_graph *make(make_function function, int64_t variant, uint64_t seed)
{
    jm_graph *graph;
    *test_random_state() = seed; /* the same constants in both graphs */
    assert_ok(jm_graph_create(&graph));
    jm_value *x = graph_input(graph, "x", SHAPE(2, 5, 6, 7));
    assert_ok(jm_graph_add_output(graph, function(graph, x, variant)));
    return graph;
}

static jm_status fuse(jm_graph *graph)
{
    JM_TRY(jm_pass_infer(graph));
    JM_TRY(jm_pass_activations(graph));
    JM_TRY(jm_pass_fuse(graph));
    return jm_graph_verify(graph);
}

/* Fuses a copy of the graph, which must have `nodes` nodes then, and compares. */
static void check_variant(make_function function, int64_t variant, size_t nodes)
{
    const uint64_t seed = test_random();
    jm_graph *plain = make(function, variant, seed), *fused = make(function, variant, seed);
    size_t want_count, got_count;
    assert_ok(fuse(fused));
    if (fused->nodes != nodes) {
        for (size_t i = 0; i < fused->nodes; i++) print_message("  %s\n", fused->node[i]->op->name);
        fail_msg("variant %lld: %zu nodes, want %zu", (long long)variant, fused->nodes, nodes);
    }
    float *want = graph_run(plain, &want_count), *got = graph_run(fused, &got_count), largest = 0;
    assert_int_equal(want_count, got_count);
    for (size_t i = 0; i < want_count; i++) largest = fmaxf(largest, fabsf(want[i]));
    for (size_t i = 0; i < want_count; i++)
        if (!(fabsf(got[i] - want[i]) <= 4e-6f * largest))
            fail_msg("variant %lld: element %zu is %.9g, want %.9g", (long long)variant, i, got[i], want[i]);
    free(want);
    free(got);
    jm_graph_destroy(plain);
    jm_graph_destroy(fused);
}

#define check(function, nodes) check_variant(function, 0, nodes)

static jm_value *batch_norm(jm_graph *graph, jm_value *x)
{
    const int64_t c = x->tensor.shape.dim[1];
    jm_value *const in[] = {x, graph_random(graph, SHAPE(c), 0.5f, 2), graph_random(graph, SHAPE(c), -1, 1),
                            graph_random(graph, SHAPE(c), -1, 1), graph_random(graph, SHAPE(c), 0.1f, 2)};
    return graph_infer(graph_node(graph, jm_op_find("BatchNormalization"), in, 5));
}

/* ---- Scales and shifts ---- */

static jm_value *conv_batch_norm(jm_graph *graph, jm_value *x, int64_t bias)
{
    return batch_norm(graph, graph_conv(graph, x, 9, 3, bias));
}

static jm_value *grouped_transpose_batch_norm(jm_graph *graph, jm_value *x, int64_t unused)
{
    (void)unused;
    x = graph_conv(graph, x, 6, 1, false);
    x = graph_apply(graph, "Neg", x, NULL); /* keeps the two convolutions apart */
    jm_value *const in[] = {x, graph_random(graph, SHAPE(6, 4, 2, 2), -1, 1)};
    jm_node *node = graph_node(graph, jm_op_find("ConvTranspose"), in, 2);
    assert_ok(jm_node_set_int(graph, node, "group", 2));
    assert_ok(jm_node_set_ints(graph, node, "strides", (int64_t[]){2, 2}, 2));
    return batch_norm(graph, graph_infer(node));
}

/* Variants: which of the four operations, constant first or second, per channel or scalar. */
static jm_value *conv_affine(jm_graph *graph, jm_value *x, int64_t variant)
{
    static const char *const op[] = {"Add", "Sub", "Mul", "Div"};
    jm_value *y = graph_conv(graph, x, 9, 3, true);
    jm_value *c = variant & 8 ? graph_random(graph, SHAPE(9, 1, 1), 0.5f, 2) : graph_scalar(graph, 1.5f);
    return variant & 4 ? graph_apply(graph, op[variant & 3], c, y) : graph_apply(graph, op[variant & 3], y, c);
}

static jm_value *gemm_affine(jm_graph *graph, jm_value *x, int64_t transposed)
{
    x = graph_apply(graph, "GlobalAveragePool", x, NULL);
    jm_node *flatten = graph_node(graph, jm_op_find("Flatten"), &x, 1);
    x = graph_infer(flatten);
    jm_value *const in[] = {x, graph_random(graph, transposed ? SHAPE(7, 5) : SHAPE(5, 7), -1, 1),
                            graph_random(graph, transposed ? SHAPE(1, 7) : SHAPE(7), -1, 1)};
    jm_node *gemm = graph_node(graph, jm_op_find("Gemm"), in, 3);
    assert_ok(jm_node_set_int(graph, gemm, "transB", transposed));
    jm_value *y = graph_apply(graph, "Mul", graph_infer(gemm), graph_random(graph, SHAPE(7), 0.5f, 2));
    return graph_apply(graph, "Relu", graph_apply(graph, "Add", y, graph_random(graph, SHAPE(1, 7), -1, 1)), NULL);
}

static jm_value *matmul_add(jm_graph *graph, jm_value *x, int64_t unused)
{
    (void)unused;
    x = graph_apply(graph, "GlobalAveragePool", x, NULL);
    x = graph_infer(graph_node(graph, jm_op_find("Flatten"), &x, 1));
    x = graph_apply(graph, "MatMul", x, graph_random(graph, SHAPE(5, 7), -1, 1));
    return graph_apply(graph, "Add", graph_random(graph, SHAPE(7), -1, 1), x);
}

static void scales_and_shifts(void **unused)
{
    (void)unused;
    check_variant(conv_batch_norm, 0, 1);
    check_variant(conv_batch_norm, 1, 1);
    check(grouped_transpose_batch_norm, 3);
    for (int64_t v = 0; v < 16; v++) check_variant(conv_affine, v, (v & 7) == 7 ? 2 : 1); /* c / y is not linear */
    check_variant(gemm_affine, 0, 3);
    check_variant(gemm_affine, 1, 3);
    check(matmul_add, 3);
}

/* ---- Activations and residuals ---- */

static const char *const activations[] = {"Relu",        "LeakyRelu", "Clip", "Sigmoid", "Silu",
                                          "HardSigmoid", "HardSwish", "Tanh", "Gelu",    "Mish"};

static jm_value *activation(jm_graph *graph, jm_value *x, int64_t variant)
{
    jm_node *node = graph_node(graph, jm_op_find(activations[variant]), &x, 1);
    if (strcmp(activations[variant], "Clip") == 0) {
        assert_ok(jm_node_set_float(graph, node, "min", -0.5));
        assert_ok(jm_node_set_float(graph, node, "max", 6));
    }
    return graph_infer(node);
}

static jm_value *conv_activation(jm_graph *graph, jm_value *x, int64_t variant)
{
    return activation(graph, graph_conv(graph, x, 9, 3, true), variant);
}

/* An activation behind moves; variant 1: somebody else reads what is moved, 2: a Slice in between. */
static jm_value *conv_moves_activation(jm_graph *graph, jm_value *x, int64_t variant)
{
    static const int64_t shape[] = {2, 3, 3, 6, 7}, perm[] = {0, 1, 3, 4, 2};
    jm_value *y = graph_conv(graph, x, 9, 3, true);
    jm_value *const in[] = {y, graph_ints(graph, shape, 5)};
    y = graph_infer(graph_node(graph, jm_op_find("Reshape"), in, 2));
    if (variant == 1) assert_ok(jm_graph_add_output(graph, graph_apply(graph, "Neg", y, NULL)));
    jm_node *node = graph_node(graph, jm_op_find("Transpose"), &y, 1);
    assert_ok(jm_node_set_ints(graph, node, "perm", perm, 5));
    y = graph_infer(node);
    if (variant == 2) {
        static const int64_t zero[] = {0}, one[] = {1};
        jm_value *const cut[] = {y, graph_ints(graph, zero, 1), graph_ints(graph, one, 1), graph_ints(graph, one, 1)};
        y = graph_infer(graph_node(graph, jm_op_find("Slice"), cut, 4));
    }
    return activation(graph, y, 3);
}

static jm_value *spelled_out(jm_graph *graph, jm_value *x, int64_t variant)
{
    jm_value *y = graph_conv(graph, x, 9, 3, true), *z;
    switch (variant) {
    case 0:
        return graph_apply(graph, "Mul", y, graph_apply(graph, "Sigmoid", y, NULL));
    case 1:
        return graph_apply(graph, "Mul", graph_apply(graph, "Tanh", graph_apply(graph, "Softplus", y, NULL), NULL), y);
    case 2: /* x * (1 + erf(x / sqrt 2)) * 0.5 */
        z = graph_apply(graph, "Erf", graph_apply(graph, "Div", y, graph_scalar(graph, 1.41421356f)), NULL);
        z = graph_apply(graph, "Mul", y, graph_apply(graph, "Add", z, graph_scalar(graph, 1)));
        return graph_apply(graph, "Mul", z, graph_scalar(graph, 0.5f));
    default: { /* x * clip(x + 3, 0, 6) / 6, divided at the end or before */
        z = graph_apply(graph, "Add", y, graph_scalar(graph, 3));
        jm_node *clip = graph_node(graph, jm_op_find("Clip"), &z, 1);
        assert_ok(jm_node_set_float(graph, clip, "min", 0));
        assert_ok(jm_node_set_float(graph, clip, "max", 6));
        z = graph_infer(clip);
        if (variant == 3) return graph_apply(graph, "Div", graph_apply(graph, "Mul", y, z), graph_scalar(graph, 6));
        return graph_apply(graph, "Mul", y, graph_apply(graph, "Div", z, graph_scalar(graph, 6)));
    }
    }
}

/* Bits of variant: the other operand first; an activation before; an activation after. */
static jm_value *residual(jm_graph *graph, jm_value *x, int64_t variant)
{
    jm_value *base = graph_apply(graph, "Neg", x, NULL), *y = graph_conv(graph, base, 5, 3, true);
    if (variant & 2) y = graph_apply(graph, "Silu", y, NULL);
    y = variant & 1 ? graph_apply(graph, "Add", base, y) : graph_apply(graph, "Add", y, base);
    return variant & 4 ? graph_apply(graph, "Relu", y, NULL) : y;
}

/* ResNet's first block of a stage: both operands of the sum are convolutions. */
static jm_value *two_convolutions(jm_graph *graph, jm_value *x, int64_t variant)
{
    jm_value *a = graph_conv(graph, x, 9, 3, true), *b = graph_conv(graph, x, 9, 1, true);
    return graph_apply(graph, "Relu", variant ? graph_apply(graph, "Add", b, a) : graph_apply(graph, "Add", a, b),
                       NULL);
}

/* conv(x) + relu(conv(x)): the sum must not be absorbed by a node that it depends on. */
static jm_value *sum_with_itself(jm_graph *graph, jm_value *x, int64_t unused)
{
    (void)unused;
    jm_value *y = graph_conv(graph, x, 5, 3, true);
    return graph_apply(graph, "Add", y, graph_apply(graph, "Relu", y, NULL));
}

static void epilogues(void **unused)
{
    (void)unused;
    for (int64_t v = 0; v < (int64_t)JM_COUNT(activations); v++) check_variant(conv_activation, v, 1);
    check_variant(conv_moves_activation, 0, 3);
    check_variant(conv_moves_activation, 1, 5);
    check_variant(conv_moves_activation, 2, 5);
    for (int64_t v = 0; v < 5; v++) check_variant(spelled_out, v, 1);
    /* An activation before and after the sum: the later one stays. */
    for (int64_t v = 0; v < 8; v++) check_variant(residual, v, (v & 6) == 6 ? 3 : 2);
    check_variant(two_convolutions, 0, 2);
    check_variant(two_convolutions, 1, 2);
    check(sum_with_itself, 3);
}

/* ---- Padding ---- */

static jm_value *pad(jm_graph *graph, jm_value *x, const int64_t pads[8], float number)
{
    jm_value *const in[] = {x, graph_ints(graph, pads, 8), graph_scalar(graph, number)};
    return graph_infer(graph_node(graph, jm_op_find("Pad"), in, 3));
}

static jm_value *pad_conv(jm_graph *graph, jm_value *x, int64_t variant)
{
    static const int64_t pads[3][8] = {{0, 0, 1, 2, 0, 0, 2, 1}, {0, 1, 1, 1, 0, 0, 1, 1}, {0, 0, 1, 1, 0, 0, 1, 1}};
    return graph_conv(graph, pad(graph, x, pads[variant], variant == 2 ? 0.5f : 0), 4, 3, true);
}

static jm_value *pad_average(jm_graph *graph, jm_value *x, int64_t variant)
{
    x = pad(graph, x, variant ? (int64_t[]){0, 0, 4, 4, 0, 0, 4, 4} : (int64_t[]){0, 0, 1, 0, 0, 0, 1, 2}, 0);
    jm_node *node = graph_node(graph, jm_op_find("AveragePool"), &x, 1);
    assert_ok(jm_node_set_ints(graph, node, "kernel_shape", (int64_t[]){3, 3}, 2));
    return graph_infer(node);
}

static void padding(void **unused)
{
    (void)unused;
    check_variant(pad_conv, 0, 1);
    check_variant(pad_conv, 1, 2); /* pads channels */
    check_variant(pad_conv, 2, 2); /* not zeros */
    check_variant(pad_average, 0, 1);
    size_t count;
    jm_graph *graph = make(pad_average, 1, 1); /* wider than the window */
    assert_ok(fuse(graph));
    free(graph_run(graph, &count));
    jm_graph_destroy(graph);
}

/* ---- What must stay ---- */

static jm_value *two_readers(jm_graph *graph, jm_value *x, int64_t unused)
{
    (void)unused;
    jm_value *y = graph_conv(graph, x, 5, 3, true);
    return graph_apply(graph, "Mul", batch_norm(graph, y), graph_apply(graph, "Neg", y, NULL));
}

static jm_value *output_inside(jm_graph *graph, jm_value *x, int64_t unused)
{
    (void)unused;
    jm_value *y = graph_conv(graph, x, 5, 3, true);
    assert_ok(jm_graph_add_output(graph, y));
    return graph_apply(graph, "Relu", y, NULL);
}

static jm_value *broadcast_sum(jm_graph *graph, jm_value *x, int64_t variant)
{
    jm_value *y = graph_conv(graph, x, 5, 3, true);
    if (variant == 0) return graph_apply(graph, "Add", y, graph_apply(graph, "GlobalAveragePool", x, NULL));
    if (variant == 1) return graph_apply(graph, "Mul", y, graph_random(graph, SHAPE(6, 7), 0, 1));
    return graph_apply(graph, "Add", y, graph_random(graph, SHAPE(2, 1, 1, 1), 0, 1));
}

static jm_value *computed_weights(jm_graph *graph, jm_value *x, int64_t unused)
{
    (void)unused;
    jm_value *w = graph_apply(graph, "GlobalAveragePool", x, NULL); /* [2,5,1,1] */
    jm_value *const in[] = {x, w};
    return batch_norm(graph, graph_infer(graph_node(graph, jm_op_find("Conv"), in, 2)));
}

static void stays(void **unused)
{
    (void)unused;
    check(two_readers, 4);
    check(output_inside, 2);
    check_variant(broadcast_sum, 0, 3);
    check_variant(broadcast_sum, 1, 2);
    check_variant(broadcast_sum, 2, 2);
    check(computed_weights, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scales_and_shifts), cmocka_unit_test(epilogues),
                                       cmocka_unit_test(padding), cmocka_unit_test(stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
