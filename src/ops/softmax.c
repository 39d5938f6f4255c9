/* SPDX-License-Identifier: Apache-2.0
 *
 * Softmax and LogSoftmax along one axis (opset 13 meaning). float32, float16 and bfloat16 use kernels whose bits
 * depend on the values of a row alone; float64 computes in order.
 */
#include "ops/op.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/elementwise.h"
#include "ops/strided.h"

#define CHUNK_ELEMENTS 4096
#define NANOSECONDS 0.6 /* an element */

struct softmax_state {
    jm_dtype dtype;
    bool log;
    int64_t count, in_step, out_step; /* along the axis */
    /* The other dims. */
    int rank;
    int64_t dim[JM_MAX_RANK], in[JM_MAX_RANK], out[JM_MAX_RANK];
    bool direct;   /* rows lie contiguously on both sides, float32 */
    bool columns;  /* the last other dim does: units are up to 16 rows side by side */
    int64_t width; /* of that dim */
    int64_t units, per_chunk;
    void (*row)(float *y, const float *x, size_t n);
    void (*column_rows)(float *y, size_t y_stride, const float *x, size_t x_stride, size_t n, size_t width);
};

static const jm_param softmax_param[] = {
    {.name = "input", .kind = JM_PARAM_INPUT, .doc = "any shape of rank 1 or more"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "same shape"},
    {.name = "axis", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = -1, .doc = "elements along it sum to 1"},
};

static jm_status softmax_infer(jm_call *call)
{
    int axis;
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    return jm_call_axis(call, call->attr[0].i, &axis);
}

static int softmax_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    double count = (double)jm_tensor_elements(&call->out[0]);
    forms[0] = (jm_form){.name = "plain", .out_strided = true, .in_place = 0, .cost = count * NANOSECONDS};
    return 1;
}

static double softmax_flops(const jm_call *call)
{
    return 4 * (double)jm_tensor_elements(&call->out[0]);
}

static jm_status softmax_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan);

static void softmax_f64(double *x, int64_t n, bool log_form)
{
    double max = -INFINITY, sum = 0;
    for (int64_t i = 0; i < n; i++) max = max > x[i] || max != max ? max : x[i];
    for (int64_t i = 0; i < n; i++) sum += exp(x[i] - max);
    for (int64_t i = 0; i < n; i++) x[i] = log_form ? x[i] - max - log(sum) : exp(x[i] - max) / sum;
}

/* Through scratch: one row of the compute type, then one of the storage type. */
static void run_gathered(const struct softmax_state *state, const jm_run *run, int64_t unit)
{
    jm_dtype compute = jm_compute_dtype(state->dtype);
    int64_t n = state->count, size = (int64_t)jm_dtype_size(state->dtype);
    char *row = run->scratch, *raw = row + n * (int64_t)jm_dtype_size(compute);
    const char *x = (const char *)run->in[0] + jm_strided_offset(state->rank, state->dim, state->in, unit) * size;
    char *y = (char *)run->out[0] + jm_strided_offset(state->rank, state->dim, state->out, unit) * size;
    bool same = compute == state->dtype;
    jm_strided_gather(same ? row : raw, x, (size_t)size, 1, &state->count, &state->in_step, 0, n);
    if (!same && jm_convert(state->dtype, raw, compute, row, (size_t)n) != JM_OK) atomic_store(run->fault, JM_INTERNAL);
    if (compute == JM_F64)
        softmax_f64((double *)(void *)row, n, state->log);
    else
        state->row((float *)(void *)row, (const float *)(void *)row, (size_t)n);
    if (!same && jm_convert(compute, row, state->dtype, raw, (size_t)n) != JM_OK) atomic_store(run->fault, JM_INTERNAL);
    jm_strided_scatter(y, same ? row : raw, (size_t)size, 1, &state->count, &state->out_step, 0, n);
}

static void softmax_run(const jm_plan *plan, const jm_run *run)
{
    const struct softmax_state *state = plan->state;
    int64_t begin = (int64_t)run->chunk * state->per_chunk, end = JM_MIN(state->units, begin + state->per_chunk);
    for (int64_t unit = begin; unit < end; unit++) {
        const float *x = run->in[0];
        float *y = run->out[0];
        if (state->direct) {
            x += jm_strided_offset(state->rank, state->dim, state->in, unit);
            y += jm_strided_offset(state->rank, state->dim, state->out, unit);
            state->row(y, x, (size_t)state->count);
        } else if (state->columns) {
            int64_t tiles = (state->width + 15) / 16, first = unit % tiles * 16;
            x += jm_strided_offset(state->rank - 1, state->dim, state->in, unit / tiles) + first;
            y += jm_strided_offset(state->rank - 1, state->dim, state->out, unit / tiles) + first;
            state->column_rows(y, (size_t)state->out_step, x, (size_t)state->in_step, (size_t)state->count,
                               (size_t)JM_MIN(16, state->width - first));
        } else {
            run_gathered(state, run, unit);
        }
    }
}

const jm_op jm_op_softmax = {
    .name = "Softmax",
    .param = softmax_param,
    .params = JM_COUNT(softmax_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "exp(x - max x) / sum exp(x - max x) along the axis",
    .source = "ONNX Softmax-13",
    .infer = softmax_infer,
    .forms = softmax_forms,
    .plan = softmax_plan,
    .run = softmax_run,
    .flops = softmax_flops,
};

const jm_op jm_op_log_softmax = {
    .name = "LogSoftmax",
    .param = softmax_param,
    .params = JM_COUNT(softmax_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "x - max x - log(sum exp(x - max x)) along the axis",
    .source = "ONNX LogSoftmax-13",
    .infer = softmax_infer,
    .forms = softmax_forms,
    .plan = softmax_plan,
    .run = softmax_run,
    .flops = softmax_flops,
};

static jm_status softmax_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    struct softmax_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    const jm_pointwise_kernels *kernels = &machine->kernels->pointwise;
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    state->dtype = in->dtype;
    state->log = call->op == &jm_op_log_softmax;
    state->row = state->log ? kernels->log_softmax : kernels->softmax;
    state->column_rows = state->log ? kernels->log_softmax_columns : kernels->softmax_columns;
    state->count = in->shape.dim[axis];
    state->in_step = in->stride[axis];
    state->out_step = out->stride[axis];
    int64_t rows = 1;
    for (int k = 0; k < in->shape.rank; k++) {
        if (k == axis) continue;
        state->dim[state->rank] = in->shape.dim[k];
        state->in[state->rank] = in->stride[k];
        state->out[state->rank++] = out->stride[k];
        rows *= in->shape.dim[k];
    }
    state->rank = jm_strided_merge(state->rank, state->dim, state->in, state->out);
    int last = state->rank - 1;
    bool f32 = state->dtype == JM_F32, work = rows > 0 && state->count > 0;
    state->direct = f32 && (state->count == 1 || (state->in_step == 1 && state->out_step == 1));
    state->columns = f32 && !state->direct && work && last >= 0 && state->in[last] == 1 && state->out[last] == 1 &&
                     state->in_step > 0 && state->out_step > 0;
    state->units = work ? rows : 0;
    if (state->columns) {
        state->width = state->dim[last];
        state->units = rows / state->width * ((state->width + 15) / 16);
    }
    int64_t unit_work = JM_MAX(state->count, 1) * (state->columns ? 16 : 1);
    state->per_chunk = JM_MAX(CHUNK_ELEMENTS / unit_work, 1);
    plan->chunks = (size_t)JM_MAX((state->units + state->per_chunk - 1) / state->per_chunk, 1);
    bool gathered = !state->direct && !state->columns && work;
    if (gathered && !jm_size_mul((size_t)state->count, 2 * sizeof(double), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the axis is too long");
    return JM_OK;
}
