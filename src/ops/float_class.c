/* SPDX-License-Identifier: Apache-2.0
 *
 * IsNaN, IsInf and SignBit: what kind of number each element is.
 */
#include "ops/elementwise.h"

#include <math.h>
#include <string.h>

struct class_state {
    jm_elementwise walk;
    jm_dtype compute; /* float32 or float64 */
    bool nan, sign, positive, negative;
};

static jm_status infer_class(jm_call *call)
{
    call->out[0].dtype = JM_BOOL;
    call->out[0].shape = call->in[0].shape;
    return JM_OK;
}

static int class_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    return jm_elementwise_forms(call, 1, 0.5, forms);
}

extern const jm_op jm_op_is_nan, jm_op_sign_bit;

static jm_status class_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form, (void)machine;
    struct class_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    const bool floats = JM_DTYPES_FLOAT >> call->in[0].dtype & 1;
    state->compute = floats ? jm_compute_dtype(call->in[0].dtype) : JM_F64;
    state->nan = call->op == &jm_op_is_nan;
    state->sign = call->op == &jm_op_sign_bit;
    const bool inf = !state->nan && !state->sign;
    state->negative = inf && call->attr[0].i != 0;
    state->positive = inf && call->attr[1].i != 0;
    return jm_elementwise_plan(call, 1, (jm_dtype[]){JM_BOOL, state->compute}, &state->walk, plan);
}

static bool is_of_class(const struct class_state *state, double x)
{
    if (state->nan) return isnan(x);
    if (state->sign) return signbit(x);
    return isinf(x) && (x > 0 ? state->positive : state->negative);
}

static void class_rows(const void *context, void *y, const void *const in[JM_ELEMENTWISE_INPUTS],
                       const size_t step[JM_ELEMENTWISE_INPUTS], size_t n)
{
    const struct class_state *state = context;
    const size_t mask = step[0] ? SIZE_MAX : JM_LANES - 1;
    uint8_t *result = y;
    for (size_t i = 0; i < n; i++) {
        const size_t at = i & mask;
        result[i] = is_of_class(state, state->compute == JM_F32 ? (double)((const float *)in[0])[at]
                                                                : ((const double *)in[0])[at]);
    }
}

static void class_run(const jm_plan *plan, const jm_run *run)
{
    const struct class_state *state = plan->state;
    jm_elementwise_run(&state->walk, run, class_rows, state);
}

static const jm_param nan_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "bool for each element of X"},
};
static const jm_param inf_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "bool for each element of X"},
    {.name = "detect_negative", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "1: -inf is true"},
    {.name = "detect_positive", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "1: inf is true"},
};

const jm_op jm_op_is_nan = {
    .name = "IsNaN",
    .param = nan_param,
    .params = JM_COUNT(nan_param),
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "x is not a number",
    .source = "ONNX IsNaN-20",
    .pointwise = true,
    .infer = infer_class,
    .forms = class_forms,
    .plan = class_plan,
    .run = class_run,
};

const jm_op jm_op_is_inf = {
    .name = "IsInf",
    .param = inf_param,
    .params = JM_COUNT(inf_param),
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "x is infinite, of a sign that counts",
    .source = "ONNX IsInf-20",
    .pointwise = true,
    .infer = infer_class,
    .forms = class_forms,
    .plan = class_plan,
    .run = class_run,
};

const jm_op jm_op_sign_bit = {
    .name = "SignBit",
    .param = nan_param,
    .params = JM_COUNT(nan_param),
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_BOOL,
    .formula = "the sign of x is minus, that of -0 too",
    .source = "PyTorch signbit",
    .pointwise = true,
    .infer = infer_class,
    .forms = class_forms,
    .plan = class_plan,
    .run = class_run,
};
