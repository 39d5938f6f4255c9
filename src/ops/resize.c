/* SPDX-License-Identifier: Apache-2.0
 *
 * Resize: separable interpolation. An output row along the last axis is made of the input rows that the other axes
 * name, blended first, and then of points along the last axis. Nearest moves elements of any type; linear and cubic
 * compute in float32.
 */
#include "ops/resize.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/indexing.h"
#include "ops/strided.h"

#define MAX_ROWS 64 /* input rows that one output row blends: cubic in three other axes, or shrinking to 1/32 */

struct resize_state {
    const jm_pool_kernels *kernels;
    jm_dtype dtype;
    int lanes; /* 16 for C16, else 1 */
    bool blend, crop;
    float extrapolation;
    int outer; /* axes that number the rows */
    int64_t out_dim[JM_MAX_RANK], in_stride[JM_MAX_RANK], out_stride[JM_MAX_RANK];
    jm_resize_axis axis[JM_MAX_RANK]; /* of the outer axes, then of the last one */
    int64_t in_width, out_width, in_step, out_step;
    int rows_per_row; /* product of the outer axes' taps */
    bool direct;      /* rows lie contiguously on both sides and need no conversion */
    int64_t rows;
    size_t chunks;
};

static jm_status resize_infer(jm_call *call)
{
    jm_resize resize;
    JM_TRY(jm_resize_resolve(call, &resize));
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape.rank = resize.rank;
    memcpy(call->out[0].shape.dim, resize.out, sizeof(resize.out));
    return JM_OK;
}

static bool axis_still(const jm_resize *resize, int k)
{
    return resize->in[k] == resize->out[k] &&
           (resize->crop ? resize->start[k] == 0 && resize->end[k] == 1 : resize->scale[k] == 1);
}

static int resize_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    jm_resize resize;
    double count = jm_resize_resolve(call, &resize) == JM_OK ? (double)jm_tensor_elements(&call->out[0]) : 0;
    forms[0] = (jm_form){.name = "plain", .out_strided = true, .in_place = -1, .cost = count * 1.5};
    int rank = call->in[0].shape.rank;
    int64_t channels = rank < 3 ? 0 : call->in[0].shape.dim[1];
    if (call->in[0].dtype != JM_F32 || channels == 0 || !axis_still(&resize, 0) || !axis_still(&resize, 1)) return 1;
    double lanes = (double)jm_channel_blocks(channels, NULL) * JM_LANES;
    forms[1] = (jm_form){.id = 1,
                         .name = "c16",
                         .in = JM_C16,
                         .out = JM_C16,
                         .map = JM_MAP_SAME,
                         .out_strided = true,
                         .in_place = -1,
                         .cost = count / (double)channels * lanes * (resize.taps == 1 ? 0.35 : 0.7)};
    return 2;
}

static double resize_flops(const jm_call *call)
{
    jm_resize resize;
    if (jm_resize_resolve(call, &resize) != JM_OK) return 0;
    double taps = 0;
    for (int k = 0; k < resize.rank; k++) taps += axis_still(&resize, k) ? 0 : resize.taps;
    return resize.taps == 1 ? 0 : 2 * taps * (double)jm_tensor_elements(&call->out[0]);
}

/* ---- Run ---- */

struct row_set {
    const void *row[MAX_ROWS];
    float weight[MAX_ROWS];
    int count;
    bool outside;
};

/* Input rows of output row `flat`, and the offset of that row. */
static int64_t find_rows(const struct resize_state *state, const char *x, int64_t flat, struct row_set *set)
{
    int64_t size = (int64_t)jm_dtype_size(state->dtype), index[JM_MAX_RANK], offset = 0;
    for (int k = state->outer - 1; k >= 0; k--) {
        index[k] = flat % state->out_dim[k];
        flat /= state->out_dim[k];
        offset += index[k] * state->out_stride[k];
    }
    set->row[0] = x;
    set->weight[0] = 1;
    set->count = 1;
    set->outside = false;
    for (int k = 0; k < state->outer; k++) {
        const jm_resize_axis *axis = &state->axis[k];
        int64_t step = state->in_stride[k] * size;
        if (!axis->identity && axis->outside[index[k]]) set->outside = true;
        /* Each row so far becomes `taps` rows; from the back, so that it can be done in place. */
        for (int i = set->count - 1; i >= 0; i--) {
            const char *base = set->row[i];
            float weight = set->weight[i];
            for (int t = 0; t < axis->taps; t++) {
                int64_t at = index[k] * axis->taps + t;
                set->row[i * axis->taps + t] = base + (axis->identity ? index[k] : axis->index[at]) * step;
                set->weight[i * axis->taps + t] = axis->identity ? weight : weight * axis->weight[at];
            }
        }
        set->count *= axis->taps;
    }
    return offset;
}

static void fill(float *y, float value, int64_t n)
{
    for (int64_t i = 0; i < n; i++) y[i] = value;
}

/* Points along the last axis of float32 rows. */
static void resize_points(const struct resize_state *state, float *y, const float *x)
{
    const jm_resize_axis *axis = &state->axis[state->outer];
    int64_t width = state->out_width;
    if (state->lanes == 1) {
        for (int64_t o = 0; o < width; o++) {
            const int32_t *index = axis->index + o * axis->taps;
            const float *weight = axis->weight + o * axis->taps;
            float sum = axis->taps == 1 ? x[index[0]] : weight[0] * x[index[0]];
            for (int t = 1; t < axis->taps; t++) sum = fmaf(weight[t], x[index[t]], sum);
            y[o] = sum;
        }
    } else if (axis->taps == 1) {
        state->kernels->gather_pixels(y, x, axis->index, (size_t)width);
    } else {
        state->kernels->blend_pixels(y, x, axis->index, axis->weight, (size_t)axis->taps, (size_t)width);
    }
    for (int64_t o = 0; o < width && state->crop; o++)
        if (axis->outside[o]) fill(y + o * state->lanes, state->extrapolation, state->lanes);
}

/* One row that lies contiguously as float32: y from the rows of the set; `blended` has room for an input row. */
static void resize_row(const struct resize_state *state, float *y, const struct row_set *set, float *blended)
{
    const jm_resize_axis *axis = &state->axis[state->outer];
    if (set->outside) {
        fill(y, state->extrapolation, state->out_width * state->lanes);
        return;
    }
    const float *x = set->row[0];
    if (set->count > 1) {
        float *to = axis->identity ? y : blended;
        state->kernels->blend_rows(to, (const float *const *)set->row, set->weight, (size_t)set->count,
                                   (size_t)(state->in_width * state->lanes));
        x = to;
    }
    if (!axis->identity)
        resize_points(state, y, x);
    else if (x != y)
        memcpy(y, x, (size_t)(state->out_width * state->lanes) * sizeof(float));
}

/* Nearest of any type and strides. */
static void move_row(const struct resize_state *state, char *y, const char *x)
{
    const jm_resize_axis *axis = &state->axis[state->outer];
    int64_t size = (int64_t)jm_dtype_size(state->dtype);
#define MOVE_LOOP(bytes)                                                                                               \
    for (int64_t o = 0; o < state->out_width; o++)                                                                     \
    memcpy(y + o * state->out_step * bytes, x + (axis->identity ? o : axis->index[o]) * state->in_step * bytes, bytes)
    switch (size) {
    case 1:
        MOVE_LOOP(1);
        break;
    case 2:
        MOVE_LOOP(2);
        break;
    case 4:
        MOVE_LOOP(4);
        break;
    default:
        MOVE_LOOP(8);
        break;
    }
#undef MOVE_LOOP
    for (int64_t o = 0; o < state->out_width && state->crop; o++)
        if (!axis->identity && axis->outside[o])
            jm_element_from_f64(state->dtype, (double)state->extrapolation, y + o * state->out_step * size);
}

/* A row with gaps or of another type: loads the input rows into scratch, behind the blended row. */
static void gathered_row(const struct resize_state *state, const jm_run *run, char *y, struct row_set *set)
{
    float *blended = run->scratch, *result = blended + state->in_width, *loaded = result + state->out_width;
    char *raw = (char *)(loaded + (int64_t)state->rows_per_row * state->in_width);
    size_t size = jm_dtype_size(state->dtype);
    bool same = state->dtype == JM_F32;
    for (int i = 0; i < set->count && !set->outside; i++, loaded += state->in_width) {
        jm_strided_gather(same ? (void *)loaded : raw, set->row[i], size, 1, &state->in_width, &state->in_step, 0,
                          state->in_width);
        if (!same && jm_convert(state->dtype, raw, JM_F32, loaded, (size_t)state->in_width) != JM_OK)
            atomic_store(run->fault, JM_INTERNAL);
        set->row[i] = loaded;
    }
    resize_row(state, result, set, blended);
    if (!same && jm_convert(JM_F32, result, state->dtype, raw, (size_t)state->out_width) != JM_OK)
        atomic_store(run->fault, JM_INTERNAL);
    jm_strided_scatter(y, same ? (void *)result : raw, size, 1, &state->out_width, &state->out_step, 0,
                       state->out_width);
}

static void resize_run(const jm_plan *plan, const jm_run *run)
{
    const struct resize_state *state = plan->state;
    int64_t size = (int64_t)jm_dtype_size(state->dtype);
    int64_t begin, end;
    jm_chunk_range(state->rows, state->chunks, run->chunk, &begin, &end);
    for (int64_t row = begin; row < end; row++) {
        struct row_set set;
        char *y = (char *)run->out[0] + find_rows(state, run->in[0], row, &set) * size;
        if (state->direct) {
            resize_row(state, (float *)(void *)y, &set, run->scratch);
        } else if (state->blend) {
            gathered_row(state, run, y, &set);
        } else if (set.outside) {
            for (int64_t o = 0; o < state->out_width; o++)
                jm_element_from_f64(state->dtype, (double)state->extrapolation, y + o * state->out_step * size);
        } else {
            move_row(state, y, set.row[0]);
        }
    }
}

/* ---- Plan ---- */

static bool scratch_bytes(const struct resize_state *state, size_t *bytes)
{
    size_t in = (size_t)state->in_width * (size_t)state->lanes, total = in, rows;
    if (!state->direct) {
        /* Blended row, result, loaded rows, and a row of the storage type as wide as either side. */
        if (!jm_size_mul((size_t)state->rows_per_row, in, &rows) || !jm_size_add(total, rows, &total)) return false;
        if (!jm_size_add(total, in + 2 * (size_t)state->out_width, &total)) return false;
    }
    return jm_size_mul(total, sizeof(float), bytes);
}

static jm_status resize_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    struct resize_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    jm_resize resize;
    JM_TRY(jm_resize_resolve(call, &resize));
    state->kernels = &machine->kernels->pool;
    state->dtype = in->dtype;
    state->lanes = in->layout == JM_C16 ? JM_LANES : 1;
    state->blend = resize.taps > 1;
    state->crop = resize.crop;
    state->extrapolation = resize.extrapolation;
    state->outer = JM_MAX(resize.rank - 1, 0);
    state->rows = state->rows_per_row = 1;
    state->in_width = state->out_width = 1;
    state->axis[state->outer].identity = true;
    for (int k = 0; k < resize.rank; k++) {
        JM_TRY(jm_resize_plan_axis(&resize, k, arena, &state->axis[k]));
        bool blocks = in->layout == JM_C16 && k == 1;
        if (in->layout == JM_C16 && k < 2 && !state->axis[k].identity)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "batch and channels cannot be resized in this form");
        state->out_dim[k] = blocks ? jm_channel_blocks(out->shape.dim[1], out->map) : resize.out[k];
        state->in_stride[k] = in->stride[k];
        state->out_stride[k] = out->stride[k];
        if (k == state->outer) continue;
        state->rows *= state->out_dim[k];
        state->rows_per_row *= state->axis[k].taps;
        if (state->rows_per_row > MAX_ROWS)
            return jm_call_error(call, JM_UNSUPPORTED, "too many axes are interpolated");
    }
    if (resize.rank > 0) {
        state->in_width = resize.in[state->outer];
        state->out_width = resize.out[state->outer];
        state->in_step = in->stride[state->outer];
        state->out_step = out->stride[state->outer];
    }
    if (state->out_width == 0) state->rows = 0;
    state->direct = state->dtype == JM_F32 && state->in_step == state->lanes && state->out_step == state->lanes;
    if (state->blend || state->direct)
        if (!scratch_bytes(state, &plan->scratch)) return jm_call_error(call, JM_OUT_OF_RANGE, "the rows are too long");
    const double row_bytes = (double)JM_MAX(state->in_width * state->rows_per_row, state->out_width) * state->lanes * 4;
    state->chunks = plan->chunks = jm_chunk_count(machine, row_bytes * (double)state->rows, state->rows);
    return JM_OK;
}

/* ---- Operator ---- */

static const jm_param resize_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "any rank"},
    {.name = "roi", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL | JM_HOST, .doc = "starts, ends: tf_crop_and_resize"},
    {.name = "scales", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL | JM_HOST, .doc = "one for each axis, or sizes"},
    {.name = "sizes", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL | JM_HOST, .doc = "one for each axis, or scales"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "floor(size * scale) elements along each axis"},
    {.name = "antialias", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: a wider filter where an axis shrinks"},
    {.name = "axes", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "axes of scales, sizes and roi; absent: all"},
    {.name = "coordinate_transformation_mode",
     .kind = JM_PARAM_STRING,
     .flags = JM_OPTIONAL,
     .s = "half_pixel",
     .doc = "see ONNX; pytorch: place times 1 / scale, as PyTorch's upsample rounds it"},
    {.name = "cubic_coeff_a", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = -0.75, .doc = "slope at distance 1"},
    {.name = "exclude_outside",
     .kind = JM_PARAM_INT,
     .flags = JM_OPTIONAL,
     .doc = "1: cubic taps outside are left out"},
    {.name = "extrapolation_value", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .doc = "outside: tf_crop_and_resize"},
    {.name = "keep_aspect_ratio_policy",
     .kind = JM_PARAM_STRING,
     .flags = JM_OPTIONAL,
     .s = "stretch",
     .doc = "stretch, not_larger or not_smaller, for sizes"},
    {.name = "mode", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "nearest", .doc = "nearest, linear, cubic"},
    {.name = "nearest_mode",
     .kind = JM_PARAM_STRING,
     .flags = JM_OPTIONAL,
     .s = "round_prefer_floor",
     .doc = "or round_prefer_ceil, floor, ceil"},
    {.name = "own_scales",
     .kind = JM_PARAM_FLOATS,
     .flags = JM_OPTIONAL | JM_GRAPH_ONLY,
     .doc = "pytorch: factors of the axes besides sizes; 0: size / input size"},
};

const jm_op jm_op_resize = {
    .name = "Resize",
    .param = resize_param,
    .params = JM_COUNT(resize_param),
    .dtype_rule = JM_DTYPE_SAME,
    .formula = "sum of weight * x over 1, 2 or 4 neighbours along each axis, more with antialias",
    .source = "ONNX Resize-19",
    .infer = resize_infer,
    .forms = resize_forms,
    .plan = resize_plan,
    .run = resize_run,
    .flops = resize_flops,
};
