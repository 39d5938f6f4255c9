/* SPDX-License-Identifier: Apache-2.0
 *
 * Removes nodes that change nothing and writes others in their simplest form. Every rule keeps the bits:
 *     Identity, Cast to the same type, Reshape, Expand or Tile to the same shape, Transpose in the same order,
 *     Slice of everything, Pad by nothing, Concat of one, Split into one, x * 1, x / 1, x - 0, Pow(x, 1) -> x
 *     Reshape of Reshape -> Reshape              Transpose of Transpose -> Transpose
 *     Transpose that moves only dims of 1 -> Reshape
 *     Pow(x, 2) -> x * x                         x / c with powers of two c -> x * (1 / c)
 */
#include <math.h>
#include <string.h>

#include "compiler/passes.h"

static bool is(const jm_node *node, const char *op)
{
    return node && strcmp(node->op->name, op) == 0;
}

static jm_value *input(const jm_node *node, int i)
{
    return i < node->inputs ? node->in[i] : NULL;
}

static bool is_float(jm_dtype dtype)
{
    return dtype == JM_F32 || dtype == JM_F16 || dtype == JM_BF16 || dtype == JM_F64;
}

/* True when every element of a plain constant passes the test; false for other values and empty ones. */
static bool all_elements(const jm_value *value, bool (*test)(double))
{
    int64_t count;
    if (!value || !value->tensor.constant || value->tensor.layout != JM_PLAIN) return false;
    if (jm_shape_count(&value->tensor.shape, &count) != JM_OK || count == 0) return false;
    const char *data = value->tensor.data;
    const size_t size = jm_dtype_size(value->tensor.dtype);
    for (int64_t i = 0; i < count; i++) {
        if (!test(jm_element_to_f64(value->tensor.dtype, data + (size_t)i * size))) return false;
    }
    return true;
}

static bool is_zero(double x)
{
    return x == 0 && !signbit(x);
}
static bool is_one(double x)
{
    return x == 1;
}
static bool is_two(double x)
{
    return x == 2;
}
static bool is_positive(double x)
{
    return x > 0;
}
/* A power of two whose reciprocal is exact in every float type. */
static bool is_exact_divisor(double x)
{
    int exponent;
    return fabs(frexp(x, &exponent)) == 0.5 && exponent > -10 && exponent < 10;
}

/* The order of a Transpose, the reverse when it says nothing. */
static void transpose_order(const jm_node *node, int64_t order[JM_MAX_RANK])
{
    const jm_attr *perm = jm_node_attr(node, "perm");
    const int rank = node->in[0]->tensor.shape.rank;
    for (int k = 0; k < rank; k++) order[k] = perm->present && perm->count == rank ? perm->ints[k] : rank - 1 - k;
}

/* True when the dims larger than 1 stay in order. */
static bool keeps_order(const jm_node *transpose)
{
    int64_t order[JM_MAX_RANK], last = -1;
    const jm_shape *shape = &transpose->in[0]->tensor.shape;
    transpose_order(transpose, order);
    for (int k = 0; k < shape->rank; k++) {
        if (shape->dim[order[k]] == 1) continue;
        if (order[k] < last) return false;
        last = order[k];
    }
    return true;
}

/* The operand that a binary node returns unchanged. */
static jm_value *neutral(const jm_node *node)
{
    jm_value *a = input(node, 0), *b = input(node, 1);
    if (is(node, "Mul")) return all_elements(b, is_one) ? a : all_elements(a, is_one) ? b : NULL;
    if (is(node, "Div") || is(node, "Pow")) return all_elements(b, is_one) ? a : NULL;
    if (is(node, "Sub")) return all_elements(b, is_zero) ? a : NULL;
    return NULL;
}

/* The input that output 0 equals whenever their types and shapes do; NULL when that does not follow. */
static jm_value *unchanged(const jm_node *node)
{
    static const char *const same_shape[] = {"Identity", "Cast", "Reshape", "Expand", "Tile"};
    for (size_t i = 0; i < JM_COUNT(same_shape); i++) {
        if (is(node, same_shape[i])) return node->in[0];
    }
    if (is(node, "Transpose")) return keeps_order(node) ? node->in[0] : NULL;
    if (is(node, "Slice")) return !input(node, 4) || all_elements(input(node, 4), is_positive) ? node->in[0] : NULL;
    if (is(node, "Pad")) return all_elements(input(node, 1), is_zero) ? node->in[0] : NULL;
    if (is(node, "Concat")) return node->inputs == 1 ? node->in[0] : NULL;
    if (is(node, "Split")) return node->outputs == 1 ? node->in[0] : NULL;
    return neutral(node);
}

static bool same_tensor(const jm_value *a, const jm_value *b)
{
    return a->tensor.dtype == b->tensor.dtype && jm_shape_equal(&a->tensor.shape, &b->tensor.shape);
}

/* A new node takes over output 0 of `node`, which dies. */
static jm_status substitute(jm_graph *graph, jm_node *node, const char *op, jm_value *const *in, int inputs,
                            jm_node **out)
{
    jm_value *output = node->out[0];
    jm_node_kill(node);
    *out = jm_graph_node(graph, jm_op_find(op), node->name, in, inputs, &output, 1);
    return *out ? JM_OK : JM_OUT_OF_MEMORY;
}

static jm_status make_reshape(jm_graph *graph, jm_node *node, jm_value *from)
{
    const jm_shape to = node->out[0]->tensor.shape, list = {.rank = 1, .dim = {to.rank}};
    jm_value *in[2] = {from, jm_graph_constant(graph, node->name, JM_I64, &list, to.dim, true)};
    jm_node *reshape = NULL;
    if (!in[1]) return JM_OUT_OF_MEMORY;
    JM_TRY(substitute(graph, node, "Reshape", in, 2, &reshape));
    return jm_node_set_int(graph, reshape, "allowzero", 1);
}

static jm_status merge_transpose(jm_graph *graph, jm_node *node, const jm_node *first)
{
    int64_t inner[JM_MAX_RANK], outer[JM_MAX_RANK], both[JM_MAX_RANK];
    const int rank = node->in[0]->tensor.shape.rank;
    transpose_order(first, inner);
    transpose_order(node, outer);
    for (int k = 0; k < rank; k++) both[k] = inner[outer[k]];
    jm_node_set_input(node, 0, first->in[0]);
    return jm_node_set_ints(graph, node, "perm", both, rank);
}

static jm_status divide_by_multiplying(jm_graph *graph, jm_node *node)
{
    const jm_tensor *divisor = &node->in[1]->tensor;
    jm_value *factor = jm_graph_constant(graph, node->in[1]->name, divisor->dtype, &divisor->shape, NULL, true);
    jm_node *product = NULL;
    int64_t count;
    if (!factor) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_shape_count(&divisor->shape, &count));
    const size_t size = jm_dtype_size(divisor->dtype);
    for (size_t i = 0; i < (size_t)count; i++) {
        const double element = jm_element_to_f64(divisor->dtype, (const char *)divisor->data + i * size);
        jm_element_from_f64(divisor->dtype, 1 / element, (char *)factor->tensor.data + i * size);
    }
    return substitute(graph, node, "Mul", (jm_value *[]){node->in[0], factor}, 2, &product);
}

static jm_status simplify(jm_graph *graph, jm_node *node)
{
    jm_value *in = unchanged(node), *out = node->out[0];
    if (!out) return JM_OK;
    if (in && same_tensor(in, out)) {
        if (jm_graph_replace(graph, out, in)) jm_node_kill(node);
        return JM_OK;
    }
    const jm_node *before = input(node, 0) ? node->in[0]->producer : NULL;
    if (is(node, "Reshape") && is(before, "Reshape")) return make_reshape(graph, node, before->in[0]);
    if (is(node, "Transpose") && is(before, "Transpose")) JM_TRY(merge_transpose(graph, node, before));
    if (is(node, "Transpose") && keeps_order(node)) return make_reshape(graph, node, node->in[0]);
    if (!is_float(out->tensor.dtype)) return JM_OK;
    if (is(node, "Pow") && all_elements(node->in[1], is_two) && same_tensor(node->in[0], out)) {
        jm_node *square = NULL;
        return substitute(graph, node, "Mul", (jm_value *[]){node->in[0], node->in[0]}, 2, &square);
    }
    if (is(node, "Div") && all_elements(node->in[1], is_exact_divisor)) return divide_by_multiplying(graph, node);
    return JM_OK;
}

jm_status jm_pass_simplify(jm_graph *graph)
{
    for (size_t i = 0; i < graph->nodes; i++) {
        if (!graph->node[i]->dead && graph->node[i]->outputs > 0) JM_TRY(simplify(graph, graph->node[i]));
    }
    JM_TRY(jm_graph_sweep(graph));
    return jm_graph_sort(graph);
}
