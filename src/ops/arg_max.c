/* SPDX-License-Identifier: Apache-2.0
 *
 * ArgMax and ArgMin: the place of the largest or smallest element along an axis. A NaN counts as larger (smaller) than
 * everything, as in numpy.
 */
#include "ops/op.h"

#include "ops/strided.h"

#define CHUNK_ELEMENTS 16384

enum { ATTR_AXIS, ATTR_KEEPDIMS, ATTR_LAST };

struct arg_state {
    jm_dtype dtype;
    bool minimum, last;
    int64_t count, step; /* along the axis */
    int rank;            /* the other dims */
    int64_t dim[JM_MAX_RANK], in[JM_MAX_RANK], out[JM_MAX_RANK];
    int64_t rows, per_chunk;
};

static jm_status resolve_axis(const jm_call *call, int *axis)
{
    JM_TRY(jm_call_axis(call, call->attr[ATTR_AXIS].i, axis));
    if (call->in[0].shape.dim[*axis] == 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %d has no elements", *axis);
    return JM_OK;
}

static jm_status arg_infer(jm_call *call)
{
    int axis;
    JM_TRY(resolve_axis(call, &axis));
    call->out[0].dtype = JM_I64;
    for (int k = 0; k < call->in[0].shape.rank; k++) {
        if (k == axis && !call->attr[ATTR_KEEPDIMS].i) continue;
        call->out[0].shape.dim[call->out[0].shape.rank++] = k == axis ? 1 : call->in[0].shape.dim[k];
    }
    return JM_OK;
}

static double arg_flops(const jm_call *call)
{
    return (double)jm_tensor_elements(&call->in[0]);
}

/* Index of the first (or last) best element; `type` compares as in C. */
#define ARG_ROW(name, type)                                                                                            \
    static int64_t name(const struct arg_state *state, const void *x_)                                                 \
    {                                                                                                                  \
        const type *x = x_;                                                                                            \
        type best = x[0];                                                                                              \
        int64_t index = 0;                                                                                             \
        for (int64_t i = 1; i < state->count; i++) {                                                                   \
            type value = x[i * state->step];                                                                           \
            bool better = state->minimum ? value < best : value > best;                                                \
            better = better || (value != value && best == best);                                                       \
            bool equal = value == best || (value != value && best != best);                                            \
            if (!better && !(state->last && equal)) continue;                                                          \
            best = value;                                                                                              \
            index = i;                                                                                                 \
        }                                                                                                              \
        return index;                                                                                                  \
    }

ARG_ROW(arg_f32, float)
ARG_ROW(arg_f64, double)
ARG_ROW(arg_i8, int8_t)
ARG_ROW(arg_u8, uint8_t)
ARG_ROW(arg_i16, int16_t)
ARG_ROW(arg_u16, uint16_t)
ARG_ROW(arg_i32, int32_t)
ARG_ROW(arg_u32, uint32_t)
ARG_ROW(arg_i64, int64_t)

/* float16 and bfloat16 order like their values. */
static int64_t arg_half(const struct arg_state *state, const void *x)
{
    const uint16_t *half = x;
    float (*value_of)(uint16_t) = state->dtype == JM_F16 ? jm_f16_to_f32 : jm_bf16_to_f32;
    float pair[2] = {value_of(half[0]), 0};
    int64_t index = 0;
    struct arg_state two = *state;
    two.count = 2;
    two.step = 1;
    for (int64_t i = 1; i < state->count; i++) {
        pair[1] = value_of(half[i * state->step]);
        if (arg_f32(&two, pair) == 0) continue;
        pair[0] = pair[1];
        index = i;
    }
    return index;
}

static int64_t arg_row(const struct arg_state *state, const void *x)
{
    switch (state->dtype) {
    case JM_F32:
        return arg_f32(state, x);
    case JM_F64:
        return arg_f64(state, x);
    case JM_I8:
        return arg_i8(state, x);
    case JM_U8:
        return arg_u8(state, x);
    case JM_I16:
        return arg_i16(state, x);
    case JM_U16:
        return arg_u16(state, x);
    case JM_I32:
        return arg_i32(state, x);
    case JM_U32:
        return arg_u32(state, x);
    case JM_I64:
        return arg_i64(state, x);
    default:
        return arg_half(state, x);
    }
}

static void arg_run(const jm_plan *plan, const jm_run *run)
{
    const struct arg_state *state = plan->state;
    int64_t size = (int64_t)jm_dtype_size(state->dtype);
    int64_t begin = (int64_t)run->chunk * state->per_chunk, end = JM_MIN(state->rows, begin + state->per_chunk);
    for (int64_t row = begin; row < end; row++) {
        const char *x = run->in[0];
        int64_t *y = run->out[0];
        x += jm_strided_offset(state->rank, state->dim, state->in, row) * size;
        y[jm_strided_offset(state->rank, state->dim, state->out, row)] = arg_row(state, x);
    }
}

static jm_status arg_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan);

static const jm_param arg_param[] = {
    {.name = "data", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "reduced", .kind = JM_PARAM_OUTPUT, .doc = "int64 indices along the axis"},
    {.name = "axis", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 0, .doc = "axis to search"},
    {.name = "keepdims", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "1: the axis stays, as 1"},
    {.name = "select_last_index", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: the last of equal elements"},
};

const jm_op jm_op_arg_max = {
    .name = "ArgMax",
    .param = arg_param,
    .params = JM_COUNT(arg_param),
    .dtype_rule = JM_DTYPE_ANY,
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT,
    .formula = "index of the largest element along the axis",
    .source = "ONNX ArgMax-13",
    .infer = arg_infer,
    .plan = arg_plan,
    .run = arg_run,
    .flops = arg_flops,
};

const jm_op jm_op_arg_min = {
    .name = "ArgMin",
    .param = arg_param,
    .params = JM_COUNT(arg_param),
    .dtype_rule = JM_DTYPE_ANY,
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT,
    .formula = "index of the smallest element along the axis",
    .source = "ONNX ArgMin-13",
    .infer = arg_infer,
    .plan = arg_plan,
    .run = arg_run,
    .flops = arg_flops,
};

static jm_status arg_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan)
{
    (void)form, (void)machine;
    struct arg_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    int axis;
    JM_TRY(resolve_axis(call, &axis));
    state->dtype = in->dtype;
    state->minimum = call->op == &jm_op_arg_min;
    state->last = call->attr[ATTR_LAST].i != 0;
    state->count = in->shape.dim[axis];
    state->step = in->stride[axis];
    state->rows = 1;
    for (int k = 0, to = 0; k < in->shape.rank; k++) {
        if (k == axis) {
            to += call->attr[ATTR_KEEPDIMS].i != 0;
            continue;
        }
        state->dim[state->rank] = in->shape.dim[k];
        state->in[state->rank] = in->stride[k];
        state->out[state->rank++] = out->stride[to++];
        state->rows *= in->shape.dim[k];
    }
    state->rank = jm_strided_merge(state->rank, state->dim, state->in, state->out);
    state->per_chunk = JM_MAX(CHUNK_ELEMENTS / state->count, 1);
    plan->chunks = (size_t)JM_MAX((state->rows + state->per_chunk - 1) / state->per_chunk, 1);
    return JM_OK;
}
