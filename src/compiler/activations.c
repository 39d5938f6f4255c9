/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises activations that exporters spell out with simpler operators:
 *     x * Sigmoid(x) -> Silu              x * HardSigmoid(x, 1/6, 1/2) -> HardSwish       x * Tanh(Softplus(x)) -> Mish
 *     Clip(x + 3, 0, 6) / 6 -> HardSigmoid(x, 1/6, 1/2)       x * Clip(x + 3, 0, 6) / 6 -> HardSwish
 *     x * (1 + Erf(x / sqrt 2)) * 1/2 -> Gelu
 * Inner values must have no other reader, otherwise nothing is saved.
 */
#include "compiler/passes.h"

#include <math.h>
#include <string.h>

static bool is(const jm_node *node, const char *op)
{
    return node && strcmp(node->op->name, op) == 0;
}

/* The producer of a value that only one node reads, when it is this operator. */
static jm_node *inner(const jm_value *value, const char *op)
{
    const bool only = value && value->uses == 1 && !value->is_output;
    return only && is(value->producer, op) ? value->producer : NULL;
}

/* A float constant of one element and, within rounding, this value. */
static bool equals(const jm_value *value, double number)
{
    int64_t count;
    if (!value || !value->tensor.constant || value->tensor.dtype != JM_F32) return false;
    if (jm_shape_count(&value->tensor.shape, &count) != JM_OK || count != 1) return false;
    return fabs(*(const float *)value->tensor.data - number) <= 1e-6 * fabs(number);
}

/* The operand of a commutative node that is not the constant `number`; NULL when neither is it. */
static jm_value *beside(const jm_node *node, double number)
{
    if (equals(node->in[1], number)) return node->in[0];
    if (equals(node->in[0], number)) return node->in[1];
    return NULL;
}

/* v where node = v / number, written as a division or as a product. */
static jm_value *over(const jm_node *node, double number)
{
    if (is(node, "Div") && equals(node->in[1], number)) return node->in[0];
    if (is(node, "Mul")) return beside(node, 1.0 / number);
    return NULL;
}

/* x where value = Clip(x + 3, 0, 6). */
static jm_value *shifted_relu6(const jm_value *value)
{
    const jm_node *clip = inner(value, "Clip");
    if (!clip || jm_node_attr(clip, "min")->f != 0 || jm_node_attr(clip, "max")->f != 6) return NULL;
    const jm_node *add = inner(clip->in[0], "Add");
    return add ? beside(add, 3.0) : NULL;
}

/* x where value = 1 + Erf(x / sqrt 2). */
static jm_value *one_plus_erf(const jm_value *value)
{
    const jm_node *add = inner(value, "Add");
    const jm_node *erf_node = add ? inner(beside(add, 1.0), "Erf") : NULL;
    if (!erf_node) return NULL;
    const jm_value *scaled = erf_node->in[0];
    const jm_node *div = inner(scaled, "Div");
    const jm_node *scale = div ? div : inner(scaled, "Mul");
    return scale ? over(scale, sqrt(2.0)) : NULL;
}

/* f's input where value = f(input) and node = input * f(input), for one factor `value` of the product `node`. */
typedef jm_value *(*factor_test)(const jm_value *value);

static jm_value *gate_sigmoid(const jm_value *value)
{
    const jm_node *node = inner(value, "Sigmoid");
    return node ? node->in[0] : NULL;
}

static jm_value *gate_hard_sigmoid(const jm_value *value)
{
    const jm_node *node = inner(value, "HardSigmoid");
    if (!node || fabs(jm_node_attr(node, "alpha")->f - 1.0 / 6) > 1e-6 ||
        fabs(jm_node_attr(node, "beta")->f - 0.5) > 1e-6)
        return NULL;
    return node->in[0];
}

static jm_value *gate_tanh_softplus(const jm_value *value)
{
    const jm_node *node = inner(value, "Tanh");
    const jm_node *softplus = node ? inner(node->in[0], "Softplus") : NULL;
    return softplus ? softplus->in[0] : NULL;
}

/* x where mul = x * gate(x), else NULL. */
static jm_value *gated(const jm_node *mul, factor_test gate)
{
    if (!is(mul, "Mul")) return NULL;
    for (int i = 0; i < 2; i++) {
        jm_value *x = gate(mul->in[i]);
        if (x && x == mul->in[1 - i]) return x;
    }
    return NULL;
}

/* x where node is the whole activation; *op is its operator. */
static jm_value *recognise(const jm_node *node, const char **op)
{
    static const struct {
        factor_test gate;
        const char *op;
    } table[] = {{gate_sigmoid, "Silu"}, {gate_hard_sigmoid, "HardSwish"}, {gate_tanh_softplus, "Mish"}};
    jm_value *x;
    for (size_t i = 0; i < JM_COUNT(table); i++) {
        *op = table[i].op;
        if ((x = gated(node, table[i].gate))) return x;
    }
    const jm_value *sixfold = over(node, 6.0);
    *op = "HardSigmoid";
    if (sixfold && (x = shifted_relu6(sixfold))) return x;
    *op = "HardSwish";
    if (sixfold && (x = gated(inner(sixfold, "Mul"), shifted_relu6))) return x;
    const jm_value *twofold = over(node, 2.0);
    *op = "Gelu";
    return twofold ? gated(inner(twofold, "Mul"), one_plus_erf) : NULL;
}

jm_status jm_pass_activations(jm_graph *graph)
{
    /* In order, so that an activation found here can be part of a larger one further on. */
    for (size_t i = 0, n = graph->nodes; i < n; i++) {
        jm_node *node = graph->node[i];
        const char *name;
        if (node->dead || node->outputs != 1 || node->out[0]->tensor.dtype != JM_F32) continue;
        jm_value *x = recognise(node, &name), *out = node->out[0];
        const jm_op *op = x ? jm_op_find(name) : NULL;
        if (!op || !jm_shape_equal(&x->tensor.shape, &out->tensor.shape)) continue;
        jm_node_kill(node);
        jm_node *activation = jm_graph_node(graph, op, node->name, &x, 1, &out, 1);
        if (!activation) return JM_OUT_OF_MEMORY;
        if (strcmp(name, "HardSigmoid") == 0) {
            JM_TRY(jm_node_set_float(graph, activation, "alpha", 1.0 / 6));
            JM_TRY(jm_node_set_float(graph, activation, "beta", 0.5));
        }
    }
    JM_TRY(jm_graph_sweep(graph));
    return jm_graph_sort(graph);
}
