/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/slice.h"

#include "ops/move.h"

enum { DATA, STARTS, ENDS, AXES, STEPS };

/* Python's rule for start:end:step over `dim` elements. `*start` and `*step` become indices that can be multiplied by
 * a stride without overflow. Returns the number of elements. */
static int64_t clamp_range(int64_t dim, int64_t *start, int64_t end, int64_t *step)
{
    bool back = *step < 0;
    int64_t low = back ? -1 : 0, high = back ? dim - 1 : dim;
    if (*start < 0) *start += dim;
    if (end < 0) end += dim;
    *start = JM_MIN(JM_MAX(*start, low), high);
    end = JM_MIN(JM_MAX(end, low), high);
    int64_t distance = back ? *start - end : end - *start;
    if (distance <= 0) {
        *start = 0;
        *step = 1;
        return 0;
    }
    uint64_t width = back ? -(uint64_t)*step : (uint64_t)*step;
    int64_t count = (int64_t)(((uint64_t)distance - 1) / width) + 1;
    if (count == 1) *step = 1;
    return count;
}

jm_status jm_slice_window(const jm_call *call, int64_t start[JM_MAX_RANK], int64_t step[JM_MAX_RANK], jm_shape *out)
{
    const jm_shape *from = &call->in[DATA].shape;
    int64_t starts[JM_MAX_RANK], ends[JM_MAX_RANK], axes[JM_MAX_RANK], steps[JM_MAX_RANK];
    int count, end_count, axis_count, step_count;
    JM_TRY(jm_call_host_ints(call, STARTS, starts, JM_MAX_RANK, &count));
    JM_TRY(jm_call_host_ints(call, ENDS, ends, JM_MAX_RANK, &end_count));
    axis_count = step_count = count;
    for (int i = 0; i < count; i++) axes[i] = i, steps[i] = 1;
    if (jm_call_in(call, AXES)) JM_TRY(jm_call_host_ints(call, AXES, axes, JM_MAX_RANK, &axis_count));
    if (jm_call_in(call, STEPS)) JM_TRY(jm_call_host_ints(call, STEPS, steps, JM_MAX_RANK, &step_count));
    if (end_count != count || axis_count != count || step_count != count)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "starts, ends, axes and steps have %d, %d, %d and %d values",
                             count, end_count, axis_count, step_count);
    *out = *from;
    for (int k = 0; k < from->rank; k++) start[k] = 0, step[k] = 1;
    bool seen[JM_MAX_RANK] = {false};
    for (int i = 0; i < count; i++) {
        int axis;
        JM_TRY(jm_axis_normalise(axes[i], from->rank, &axis));
        if (seen[axis]) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %d is named twice", axis);
        seen[axis] = true;
        if (steps[i] == 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "steps[%d] is 0", i);
        if (from->dim[axis] < 0) continue;
        start[axis] = starts[i];
        step[axis] = steps[i];
        out->dim[axis] = clamp_range(from->dim[axis], &start[axis], ends[i], &step[axis]);
    }
    return JM_OK;
}

static jm_status infer(jm_call *call)
{
    int64_t start[JM_MAX_RANK], step[JM_MAX_RANK];
    call->out[0].dtype = call->in[DATA].dtype;
    return jm_slice_window(call, start, step, &call->out[0].shape);
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    if (call->in[DATA].shape.rank < 3) return 1;
    form[1] = jm_move_form(call, 1, "c16", JM_C16, JM_C16);
    return 2;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *result)
{
    (void)form;
    int64_t start[JM_MAX_RANK], step[JM_MAX_RANK];
    jm_shape shape;
    JM_TRY(jm_slice_window(call, start, step, &shape));
    jm_moves *moves = jm_moves_create(arena, call->in[DATA].dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    jm_side from = jm_side_of(&call->in[DATA], DATA), to = jm_side_of(&call->out[0], 0);
    for (int k = 0; k < shape.rank; k++) jm_side_slice(&from, k, start[k], step[k]);
    JM_TRY(jm_moves_copy(moves, &shape, &from, &to));
    JM_TRY(jm_moves_clear_lanes(moves, &call->out[0], 0));
    jm_moves_finish(moves, machine, result);
    return JM_OK;
}

static const jm_param param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"starts", JM_PARAM_INPUT, JM_HOST, .doc = "first index of each axis; negative counts from the end"},
    {"ends", JM_PARAM_INPUT, JM_HOST, .doc = "index after the last; clamped to the dimension"},
    {"axes", JM_PARAM_INPUT, JM_HOST | JM_OPTIONAL, .doc = "axes that are cut; 0, 1, ... when absent"},
    {"steps", JM_PARAM_INPUT, JM_HOST | JM_OPTIONAL, .doc = "distance of indices, not 0; 1 when absent"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "the window"},
};

const jm_op jm_op_slice = {
    .name = "Slice",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "output[i] = data[start + i * step]",
    .source = "ONNX Slice-13",
    .view = true,
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = jm_moves_run,
};
