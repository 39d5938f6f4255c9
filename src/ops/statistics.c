/* SPDX-License-Identifier: Apache-2.0
 *
 * Variances and norms, made of reductions. float16 and bfloat16 are computed in float32 and rounded once.
 */
#include <math.h>

#include "ops/compose.h"
#include "ops/reduce.h"

enum { AXES, KEEPDIMS, OWN };

static jm_operand *compute_input(jm_compose *c)
{
    jm_operand *x = jm_compose_input(c, 0);
    const jm_dtype dtype = jm_compose_tensor(c, x)->dtype;
    return dtype == JM_F16 || dtype == JM_BF16 ? jm_compose_cast(c, x, JM_F32) : x;
}

static jm_status finish(jm_compose *c, const jm_call *call, jm_operand *y)
{
    jm_compose_result(c, 0, jm_compose_cast(c, y, call->in[0].dtype));
    return jm_compose_end(c);
}

/* A reduction over the axes of the call. */
static jm_operand *reduce(jm_compose *c, const jm_call *call, const char *op, jm_operand *x, bool keepdims)
{
    jm_named_attr attr[] = {{"keepdims", {.count = 1, .i = keepdims}}, {"axes", call->attr[AXES]}};
    return jm_compose_node(c, op, &x, 1, attr, call->attr[AXES].present ? 2 : 1);
}

/* ---- ReduceVariance ---- */

static jm_status lower_variance(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *x = compute_input(&c), *mean = reduce(&c, call, "ReduceMean", x, true);
    const double count =
        (double)jm_tensor_elements(&call->in[0]) / (double)JM_MAX(jm_tensor_elements(jm_compose_tensor(&c, mean)), 1);
    const double freedom = JM_MAX(count - (double)call->attr[OWN].i, 0);
    jm_operand *squares =
        reduce(&c, call, "ReduceSumSquare", jm_compose_2(&c, "Sub", x, mean), call->attr[KEEPDIMS].i != 0);
    return finish(&c, call, jm_compose_with(&c, "Div", squares, freedom));
}

static const jm_param variance_param[] = {
    {.name = "data", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "reduced", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of the axes that stay"},
    {.name = "axes", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "axes to reduce; absent: all, empty: none"},
    {.name = "keepdims", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "1: reduced axes stay, as 1"},
    {.name = "correction", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "taken off the divisor"},
};

const jm_op jm_op_reduce_variance = {
    .name = "ReduceVariance",
    .param = variance_param,
    .params = JM_COUNT(variance_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "sum (x - mean x)^2 / max(count - correction, 0)",
    .source = "PyTorch var",
    .infer = jm_reduce_infer,
    .lower = lower_variance,
};

/* ---- VectorNorm ---- */

/* |x|^p, summed; p is neither 0 nor infinite. */
static jm_operand *power_norm(jm_compose *c, const jm_call *call, jm_operand *x, double p, bool keep)
{
    if (p == 1) return reduce(c, call, "ReduceL1", x, keep);
    if (p == 2) return reduce(c, call, "ReduceL2", x, keep);
    jm_operand *powers = jm_compose_with(c, "Pow", jm_compose_1(c, "Abs", x), p);
    return jm_compose_with(c, "Pow", reduce(c, call, "ReduceSum", powers, keep), 1 / p);
}

static jm_status lower_norm(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const double p = call->attr[OWN].f;
    const bool keep = call->attr[KEEPDIMS].i != 0;
    jm_operand *x = compute_input(&c);
    if (p == 0) {
        jm_operand *zero = jm_compose_2(&c, "Equal", x, jm_compose_scalar(&c, jm_compose_tensor(&c, x)->dtype, 0));
        jm_operand *other = jm_compose_cast(&c, jm_compose_1(&c, "Not", zero), jm_compose_tensor(&c, x)->dtype);
        return finish(&c, call, reduce(&c, call, "ReduceSum", other, keep));
    }
    if (isinf(p))
        return finish(&c, call, reduce(&c, call, p > 0 ? "ReduceMax" : "ReduceMin", jm_compose_1(&c, "Abs", x), keep));
    return finish(&c, call, power_norm(&c, call, x, p, keep));
}

static const jm_param norm_param[] = {
    {.name = "data", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "norm", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of the axes that stay"},
    {.name = "axes", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "axes to reduce; absent: all, empty: none"},
    {.name = "keepdims", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "1: reduced axes stay, as 1"},
    {.name = "ord",
     .kind = JM_PARAM_FLOAT,
     .flags = JM_OPTIONAL,
     .f = 2,
     .doc = "the power; 0 counts what is not 0, inf takes the largest, -inf the smallest"},
};

const jm_op jm_op_vector_norm = {
    .name = "VectorNorm",
    .param = norm_param,
    .params = JM_COUNT(norm_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "(sum |x|^ord)^(1 / ord)",
    .source = "PyTorch linalg.vector_norm",
    .infer = jm_reduce_infer,
    .lower = lower_norm,
};

/* ---- Renorm ---- */

static jm_status infer_renorm(jm_call *call)
{
    const int rank = call->in[0].shape.rank;
    int axis;
    if (rank < 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the input has rank %d and must have 2 or more", rank);
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    if (!(call->attr[1].f > 0) || call->attr[2].f < 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "ord is %g and must be positive, maxnorm %g, not negative",
                             call->attr[1].f, call->attr[2].f);
    return jm_infer_same(call);
}

static jm_status lower_renorm(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const double maxnorm = call->attr[2].f;
    int axis, count = 0;
    int64_t axes[JM_MAX_RANK];
    JM_TRY(jm_axis_normalise(call->attr[0].i, call->in[0].shape.rank, &axis));
    for (int k = 0; k < call->in[0].shape.rank; k++)
        if (k != axis) axes[count++] = k;
    jm_operand *x = compute_input(&c);
    const jm_named_attr attr[] = {{"axes", {.present = true, .count = count, .ints = axes}},
                                  {"ord", {.count = 1, .f = call->attr[1].f}}};
    jm_operand *norm = jm_compose_node(&c, "VectorNorm", &x, 1, attr, 2);
    const jm_dtype dtype = jm_compose_tensor(&c, x)->dtype;
    jm_operand *factor =
        jm_compose_2(&c, "Div", jm_compose_scalar(&c, dtype, maxnorm), jm_compose_with(&c, "Add", norm, 1e-7));
    jm_operand *large = jm_compose_with(&c, "Greater", norm, maxnorm);
    factor = jm_compose_3(&c, "Where", large, factor, jm_compose_scalar(&c, dtype, 1));
    return finish(&c, call, jm_compose_2(&c, "Mul", x, factor));
}

static const jm_param renorm_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "tensor of rank 2 or more"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "X with slices scaled"},
    {.name = "axis", .kind = JM_PARAM_INT, .doc = "a slice is what has one index of it; in [-rank, rank)"},
    {.name = "ord", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 2, .doc = "of the norm"},
    {.name = "maxnorm", .kind = JM_PARAM_FLOAT, .doc = "slices of a larger norm are scaled down to it"},
};

const jm_op jm_op_renorm = {
    .name = "Renorm",
    .param = renorm_param,
    .params = JM_COUNT(renorm_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "norm > maxnorm ? x * maxnorm / (norm + 1e-7) : x",
    .source = "PyTorch renorm",
    .infer = infer_renorm,
    .lower = lower_renorm,
};
