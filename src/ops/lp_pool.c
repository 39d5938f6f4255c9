/* SPDX-License-Identifier: Apache-2.0
 *
 * LpPool and GlobalLpPool, made of others: (sum |x|^p)^(1/p).
 */
#include "ops/compose.h"
#include "ops/pool.h"

static jm_status check_norm(const jm_call *call, int64_t p)
{
    if (p >= 1) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "p is %lld and must be 1 or more", (long long)p);
}

/* |x|^p */
static jm_operand *raise(jm_compose *c, jm_operand *x, int64_t p)
{
    if (p == 2) return jm_compose_2(c, "Mul", x, x);
    x = jm_compose_1(c, "Abs", x);
    return p == 1 ? x : jm_compose_with(c, "Pow", x, (double)p);
}

/* x^(1/p) of what is not negative */
static jm_operand *root(jm_compose *c, jm_operand *x, int64_t p)
{
    if (p == 1) return x;
    return p == 2 ? jm_compose_1(c, "Sqrt", x) : jm_compose_with(c, "Pow", x, 1 / (double)p);
}

static jm_status check_lp_pool(const jm_call *call)
{
    return check_norm(call, call->attr[JM_POOL_ATTRS].i);
}

static jm_status lower_lp_pool(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const int64_t p = call->attr[JM_POOL_ATTRS].i;
    jm_named_attr attr[JM_POOL_ATTRS];
    int attrs = 0;
    for (int i = 0; i < JM_POOL_ATTRS; i++)
        if (call->attr[i].present) attr[attrs++] = (jm_named_attr){jm_op_attr(call->op, i)->name, call->attr[i]};
    jm_operand *power = raise(&c, jm_compose_input(&c, 0), p);
    jm_compose_result(&c, 0, root(&c, jm_compose_node(&c, "SumPool", &power, 1, attr, attrs), p));
    return jm_compose_end(&c);
}

static const jm_param lp_pool_param[] = {
    JM_POOL_PARAMS,
    {.name = "p", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 2, .doc = "exponent of the norm"},
};

const jm_op jm_op_lp_pool = {
    .name = "LpPool",
    .param = lp_pool_param,
    .params = JM_COUNT(lp_pool_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_F32,
    .formula = "(sum of |x|^p over the window)^(1/p); padding is 0",
    .source = "ONNX LpPool-18",
    .check = check_lp_pool,
    .infer = jm_pool_infer,
    .lower = lower_lp_pool,
};

static jm_status infer_global(jm_call *call)
{
    JM_TRY(check_norm(call, call->attr[0].i));
    if (call->in[0].shape.rank < 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X has rank %d and must have 3 or more",
                             call->in[0].shape.rank);
    JM_TRY(jm_infer_same(call));
    for (int k = 2; k < call->out[0].shape.rank; k++) call->out[0].shape.dim[k] = 1;
    return JM_OK;
}

static jm_status lower_global(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const int64_t p = call->attr[0].i;
    int64_t axes[JM_MAX_RANK];
    const int count = call->in[0].shape.rank - 2;
    for (int k = 0; k < count; k++) axes[k] = 2 + k;
    jm_operand *power = raise(&c, jm_compose_input(&c, 0), p);
    jm_compose_result(&c, 0, root(&c, jm_compose_reduce(&c, "ReduceSum", power, axes, count, true), p));
    return jm_compose_end(&c);
}

static const jm_param global_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, spatial ...]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "[N, C, 1 ...]"},
    {.name = "p", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 2, .doc = "exponent of the norm"},
};

const jm_op jm_op_global_lp_pool = {
    .name = "GlobalLpPool",
    .param = global_param,
    .params = JM_COUNT(global_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "(sum of |x|^p over the spatial axes)^(1/p)",
    .source = "ONNX GlobalLpPool-2",
    .infer = infer_global,
    .lower = lower_global,
};
