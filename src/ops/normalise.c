/* SPDX-License-Identifier: Apache-2.0
 *
 * BatchNormalization with given statistics (a scale and a shift for each channel), InstanceNormalization and
 * LayerNormalization (mean and variance of each row, in the 16-lane tree of the reductions). float32, float16 and
 * bfloat16, computed in float32 in pieces.
 */
#include "ops/op.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/strided.h"

#define PIECE 256
#define CHUNK_ELEMENTS 16384

/* A row: the dims that share their statistics. */
struct normalise_state {
    const jm_pointwise_kernels *kernels;
    jm_dtype dtype;
    double epsilon;
    int outer, inner; /* dims that number the rows, dims of a row */
    int64_t outer_dim[JM_MAX_RANK + 1], outer_in[JM_MAX_RANK + 1], outer_out[JM_MAX_RANK + 1];
    int64_t dim[JM_MAX_RANK + 1], in[JM_MAX_RANK + 1], out[JM_MAX_RANK + 1];
    int64_t rows, count, per_chunk;
    /* Parameters: one for each channel (row modulo channels) with a stride, or for LayerNormalization for each element
     * of a row. */
    int64_t channels, parameter_stride[4];
    jm_dtype parameter_dtype[4]; /* JM_DTYPE_NONE: absent */
    int64_t scale_stride[JM_MAX_RANK], bias_stride[JM_MAX_RANK], parameter_dim[JM_MAX_RANK];
    int parameter_rank;
    bool packed;  /* BatchNormalization in C16: folded scale and shift of each block */
    bool inverse; /* BatchNormalization gets 1 / sqrt(variance + epsilon) */
    /* LayerNormalization: where the mean and the factor of a row go; dtype JM_DTYPE_NONE: nowhere. */
    jm_dtype statistic_dtype[2];
    int64_t statistic_stride[2][JM_MAX_RANK + 1];
};

/* ---- Pieces of rows ---- */

static void convert(const jm_run *run, jm_dtype from, const void *source, jm_dtype to, void *target, int64_t n)
{
    if (jm_convert(from, source, to, target, (size_t)n) != JM_OK) atomic_store(run->fault, JM_INTERNAL);
}

/* n elements of a nest as float32; in `buffer`, or where they lie. */
static const float *load(const jm_run *run, jm_dtype dtype, const void *from, int rank, const int64_t dim[],
                         const int64_t stride[], int64_t first, int64_t n, float buffer[PIECE])
{
    bool flat = rank == 0 || (rank == 1 && stride[0] == 1);
    if (flat && dtype == JM_F32) return (const float *)from + first;
    uint16_t half[PIECE];
    bool same = dtype == JM_F32;
    jm_strided_gather(same ? (void *)buffer : half, from, jm_dtype_size(dtype), rank, dim, stride, first, n);
    if (!same) convert(run, dtype, half, JM_F32, buffer, n);
    return buffer;
}

static const float *load_row(const struct normalise_state *state, const jm_run *run, const void *x, int64_t first,
                             int64_t n, float buffer[PIECE])
{
    return load(run, state->dtype, x, state->inner, state->dim, state->in, first, n, buffer);
}

static void store_row(const struct normalise_state *state, const jm_run *run, void *y, int64_t first, int64_t n,
                      const float *value)
{
    uint16_t half[PIECE];
    bool same = state->dtype == JM_F32;
    if (!same) convert(run, JM_F32, value, state->dtype, half, n);
    jm_strided_scatter(y, same ? (const void *)value : half, jm_dtype_size(state->dtype), state->inner, state->dim,
                       state->out, first, n);
}

static void splat(float lane[16], float value)
{
    for (int i = 0; i < 16; i++) lane[i] = value;
}

/* Mean and 1 / sqrt(variance + epsilon) of a row. */
static void statistics(const struct normalise_state *state, const jm_run *run, const void *x, float *mean, float *scale)
{
    float lane[16], center[16], buffer[PIECE];
    splat(lane, 0);
    for (int64_t i = 0; i < state->count; i += PIECE) {
        int64_t n = JM_MIN(PIECE, state->count - i);
        state->kernels->reduce[JM_REDUCE_SUM](lane, load_row(state, run, x, i, n, buffer), (size_t)n);
    }
    *mean = jm_reduce_tree(JM_REDUCE_SUM, lane) / (float)state->count;
    splat(center, *mean);
    splat(lane, 0);
    for (int64_t i = 0; i < state->count; i += PIECE) {
        int64_t n = JM_MIN(PIECE, state->count - i);
        const float *piece = load_row(state, run, x, i, n, buffer);
        state->kernels->binary[JM_BINARY_SUB](buffer, piece, JM_STEP_GROUP, center, JM_STEP_LANES, (size_t)n);
        state->kernels->reduce[JM_REDUCE_SUM_SQUARE](lane, buffer, (size_t)n);
    }
    float variance = jm_reduce_tree(JM_REDUCE_SUM, lane) / (float)state->count;
    *scale = 1.0f / sqrtf(variance + (float)state->epsilon);
}

/* The value of a channel, or what an absent input stands for. */
static float parameter(const struct normalise_state *state, const jm_run *run, int input, int64_t channel,
                       float otherwise)
{
    const jm_dtype dtype = state->parameter_dtype[input - 1];
    if (dtype == JM_DTYPE_NONE) return otherwise;
    const int64_t offset = channel * state->parameter_stride[input - 1];
    return (float)jm_element_to_f64(dtype, (const char *)run->in[input] + offset * (int64_t)jm_dtype_size(dtype));
}

/* Scale and shift that BatchNormalization comes down to, from `inverse` = 1 / deviation. */
static void fold(double inverse, double scale, double bias, double mean, float *out_scale, float *out_shift)
{
    double factor = scale * inverse;
    *out_scale = (float)factor;
    *out_shift = (float)(bias - mean * factor);
}

/* y = x * scale + shift over a row. */
static void affine_row(const struct normalise_state *state, const jm_run *run, const void *x, void *y,
                       const float scale[16], const float shift[16])
{
    float buffer[PIECE];
    bool direct = state->dtype == JM_F32 && state->inner == 1 && state->in[0] == 1 && state->out[0] == 1;
    if (direct) {
        state->kernels->affine(y, x, scale, shift, JM_STEP_LANES, (size_t)state->count);
        return;
    }
    for (int64_t i = 0; i < state->count; i += PIECE) {
        int64_t n = JM_MIN(PIECE, state->count - i);
        const float *piece = load_row(state, run, x, i, n, buffer);
        state->kernels->affine(buffer, piece, scale, shift, JM_STEP_LANES, (size_t)n);
        store_row(state, run, y, i, n, buffer);
    }
}

static void batch_row(const struct normalise_state *state, const jm_run *run, const void *x, void *y, int64_t row)
{
    float scale[16], shift[16];
    int64_t channel = row % state->channels;
    if (state->packed) {
        const float *packed = (const float *)run->in[1] + channel * 2 * JM_LANES;
        affine_row(state, run, x, y, packed, packed + JM_LANES);
        return;
    }
    const double spread = (double)parameter(state, run, 4, channel, 1);
    fold(state->inverse ? spread : 1 / sqrt(spread + state->epsilon), (double)parameter(state, run, 1, channel, 1),
         (double)parameter(state, run, 2, channel, 0), (double)parameter(state, run, 3, channel, 0), scale, shift);
    splat(scale, scale[0]);
    splat(shift, shift[0]);
    affine_row(state, run, x, y, scale, shift);
}

/* y = (x - mean) * scale + shift, so that a large mean costs no accuracy. */
static void instance_row(const struct normalise_state *state, const jm_run *run, const void *x, void *y, int64_t row)
{
    float mean, factor, center[16], scale[16], shift[16], buffer[PIECE];
    int64_t channel = row % state->channels;
    statistics(state, run, x, &mean, &factor);
    splat(center, mean);
    splat(scale, factor * parameter(state, run, 1, channel, 1));
    splat(shift, parameter(state, run, 2, channel, 0));
    for (int64_t i = 0; i < state->count; i += PIECE) {
        int64_t n = JM_MIN(PIECE, state->count - i);
        const float *piece = load_row(state, run, x, i, n, buffer);
        state->kernels->binary[JM_BINARY_SUB](buffer, piece, JM_STEP_GROUP, center, JM_STEP_LANES, (size_t)n);
        state->kernels->affine(buffer, buffer, scale, shift, JM_STEP_LANES, (size_t)n);
        store_row(state, run, y, i, n, buffer);
    }
}

/* The statistics of a row, where the caller wants them. */
static void keep_statistics(const struct normalise_state *state, const jm_run *run, int64_t row, const float value[2])
{
    for (int i = 0; i < 2; i++) {
        const jm_dtype dtype = state->statistic_dtype[i];
        if (dtype == JM_DTYPE_NONE) continue;
        const int64_t offset = jm_strided_offset(state->outer, state->outer_dim, state->statistic_stride[i], row);
        jm_element_from_f64(dtype, (double)value[i], (char *)run->out[1 + i] + offset * (int64_t)jm_dtype_size(dtype));
    }
}

static void layer_row(const struct normalise_state *state, const jm_run *run, const void *x, void *y, int64_t row)
{
    float own[2], center[16], factor[16], buffer[PIECE], weight[PIECE], shift[PIECE];
    statistics(state, run, x, &own[0], &own[1]);
    keep_statistics(state, run, row, own);
    splat(center, own[0]);
    splat(factor, own[1]);
    const bool bias = state->parameter_dtype[1] != JM_DTYPE_NONE, scale = state->parameter_dtype[0] != JM_DTYPE_NONE;
    for (int64_t i = 0; i < state->count; i += PIECE) {
        int64_t n = JM_MIN(PIECE, state->count - i);
        const float *piece = load_row(state, run, x, i, n, buffer), *w = weight, *b = shift;
        state->kernels->binary[JM_BINARY_SUB](buffer, piece, JM_STEP_GROUP, center, JM_STEP_LANES, (size_t)n);
        state->kernels->binary[JM_BINARY_MUL](buffer, buffer, JM_STEP_GROUP, factor, JM_STEP_LANES, (size_t)n);
        if (scale)
            w = load(run, state->parameter_dtype[0], run->in[1], state->parameter_rank, state->parameter_dim,
                     state->scale_stride, i, n, weight);
        if (bias)
            b = load(run, state->parameter_dtype[1], run->in[2], state->parameter_rank, state->parameter_dim,
                     state->bias_stride, i, n, shift);
        if (scale && bias)
            state->kernels->affine(buffer, buffer, w, b, JM_STEP_GROUP, (size_t)n);
        else if (scale)
            state->kernels->binary[JM_BINARY_MUL](buffer, buffer, JM_STEP_GROUP, w, JM_STEP_GROUP, (size_t)n);
        else if (bias)
            state->kernels->binary[JM_BINARY_ADD](buffer, buffer, JM_STEP_GROUP, b, JM_STEP_GROUP, (size_t)n);
        store_row(state, run, y, i, n, buffer);
    }
}

typedef void (*row_function)(const struct normalise_state *state, const jm_run *run, const void *x, void *y,
                             int64_t row);

static void run_rows(const jm_plan *plan, const jm_run *run, row_function function)
{
    const struct normalise_state *state = plan->state;
    int64_t size = (int64_t)jm_dtype_size(state->dtype);
    int64_t begin = (int64_t)run->chunk * state->per_chunk, end = JM_MIN(state->rows, begin + state->per_chunk);
    for (int64_t row = begin; row < end; row++) {
        const char *x = run->in[0];
        char *y = run->out[0];
        x += jm_strided_offset(state->outer, state->outer_dim, state->outer_in, row) * size;
        y += jm_strided_offset(state->outer, state->outer_dim, state->outer_out, row) * size;
        function(state, run, x, y, row);
    }
}

static void batch_run(const jm_plan *plan, const jm_run *run)
{
    run_rows(plan, run, batch_row);
}

static void instance_run(const jm_plan *plan, const jm_run *run)
{
    run_rows(plan, run, instance_row);
}

static void layer_run(const jm_plan *plan, const jm_run *run)
{
    run_rows(plan, run, layer_row);
}

/* ---- Check, forms and plan ---- */

static bool is_computed(jm_dtype dtype)
{
    return JM_DTYPES_F32 >> dtype & 1;
}

static jm_status check_dtype(const jm_call *call, int input)
{
    if (is_computed(call->in[input].dtype)) return JM_OK;
    return jm_call_error(call, JM_UNSUPPORTED, "input '%s' cannot be %s", jm_op_input(call->op, input)->name,
                         jm_dtype_text(call->in[input].dtype));
}

/* Rank of X, and parameters of one value a channel. */
static jm_status check_channels(const jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    if (shape->rank < 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X has rank %d and must have 2 or more", shape->rank);
    for (int i = 1; i < call->inputs; i++) {
        if (!jm_call_in(call, i)) continue;
        JM_TRY(check_dtype(call, i));
        const jm_shape *own = &call->in[i].shape;
        if (own->rank == 1 && (own->dim[0] == shape->dim[1] || own->dim[0] < 0 || shape->dim[1] < 0)) continue;
        return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' must have one value for each channel of X",
                             jm_op_input(call->op, i)->name);
    }
    return JM_OK;
}

enum { LAYER_AXIS, LAYER_EPSILON, LAYER_SHAPE };

/* The first axis of a row. */
static jm_status layer_axis(const jm_call *call, int *axis)
{
    const jm_shape *shape = &call->in[0].shape;
    const jm_attr *row = &call->attr[LAYER_SHAPE];
    if (!row->present) return jm_call_axis(call, call->attr[LAYER_AXIS].i, axis);
    *axis = shape->rank - row->count;
    bool fits = row->count > 0 && *axis >= 0;
    for (int k = 0; fits && k < row->count; k++)
        fits = shape->dim[*axis + k] == row->ints[k] || shape->dim[*axis + k] < 0;
    if (fits) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "normalized_shape must be the last dimensions of X");
}

static jm_status check_layer(const jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    int axis;
    JM_TRY(layer_axis(call, &axis));
    for (int i = 1; i < call->inputs; i++) {
        const jm_tensor *own = jm_call_in(call, i);
        if (!own) continue;
        JM_TRY(check_dtype(call, i));
        bool fits = own->shape.rank == shape->rank - axis;
        for (int k = axis; fits && k < shape->rank; k++)
            fits = own->shape.dim[k - axis] == shape->dim[k] || own->shape.dim[k - axis] < 0 || shape->dim[k] < 0;
        if (!fits)
            return jm_call_error(call, JM_UNSUPPORTED, "input '%s' must have the shape of X from the axis on",
                                 jm_op_input(call->op, i)->name);
    }
    return JM_OK;
}

/* Statistics keep the axes, as 1. Of no rows there are none, and no shape that callers agree on. */
static jm_status layer_infer(jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    bool none = false;
    int axis;
    JM_TRY(layer_axis(call, &axis));
    JM_TRY(jm_infer_same(call));
    for (int k = 0; k < axis; k++) none = none || shape->dim[k] == 0;
    for (int i = 1; i < call->outputs; i++) {
        call->out[i].dtype = JM_F32;
        call->out[i].shape = none ? (jm_shape){.rank = 1, .dim = {0}} : *shape;
        for (int k = axis; k < shape->rank && !none; k++) call->out[i].shape.dim[k] = 1;
    }
    return JM_OK;
}

static int plain_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    forms[0] = (jm_form){
        .name = "plain", .out_strided = true, .in_place = 0, .cost = (double)jm_tensor_elements(&call->in[0]) * 0.8};
    return 1;
}

enum { BATCH_EPSILON, BATCH_INVERSE };

/* C16 with constant parameters: input 1 is packed to [blocks][scale, shift][16]. */
static int batch_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    plain_forms(call, forms);
    const jm_tensor *in = &call->in[0];
    if (in->dtype != JM_F32 || in->shape.rank < 3 || in->shape.dim[1] == 0) return 1;
    if (call->attr[BATCH_INVERSE].i) return 1;
    for (int i = 1; i < 5; i++)
        if (!jm_call_in(call, i) || call->in[i].dtype != JM_F32 || !call->in[i].constant) return 1;
    double lanes = (double)jm_channel_blocks(in->shape.dim[1], NULL) * JM_LANES;
    forms[1] = (jm_form){.id = 1,
                         .name = "c16",
                         .in = JM_C16,
                         .in_packed = 1u << 1,
                         .out = JM_C16,
                         .map = JM_MAP_SAME,
                         .out_strided = true,
                         .in_place = 0,
                         .cost = (double)jm_tensor_elements(&call->in[0]) / (double)in->shape.dim[1] * lanes * 0.5};
    return 2;
}

static jm_status batch_pack_bytes(const jm_call *call, const jm_form *form, int input, size_t *bytes)
{
    *bytes = 0;
    if (!(form->in_packed >> input & 1)) return JM_OK;
    size_t blocks = (size_t)jm_channel_blocks(call->in[0].shape.dim[1], call->in[0].map);
    if (!jm_size_mul(blocks, 2 * JM_LANES * sizeof(float), bytes))
        return jm_call_error(call, JM_OUT_OF_RANGE, "too many channels to pack");
    return JM_OK;
}

static jm_status batch_pack(const jm_call *call, const jm_form *form, int input, void *packed)
{
    size_t bytes;
    JM_TRY(batch_pack_bytes(call, form, input, &bytes));
    memset(packed, 0, bytes);
    const jm_channel_map *map = call->in[0].map;
    for (int64_t c = 0; c < call->in[0].shape.dim[1]; c++) {
        double value[5];
        for (int i = 1; i < 5; i++)
            value[i] = (double)*(const float *)jm_tensor_at(&call->in[i], (int64_t[JM_MAX_RANK]){c});
        int64_t lane = jm_channel_lane(map, c);
        float *group = (float *)packed + lane / JM_LANES * 2 * JM_LANES + lane % JM_LANES;
        fold(1 / sqrt(value[4] + call->attr[BATCH_EPSILON].f), value[1], value[2], value[3], group, group + JM_LANES);
    }
    return JM_OK;
}

/* Dims before `axis` number the rows; the others make a row. */
static jm_status plan_rows(const jm_call *call, int axis, double epsilon, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan, struct normalise_state **out)
{
    struct normalise_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    const jm_tensor *in = &call->in[0], *y = &call->out[0];
    *out = plan->state = state;
    state->kernels = &machine->kernels->pointwise;
    state->dtype = in->dtype;
    state->epsilon = epsilon;
    state->rows = state->count = 1;
    for (int k = 0; k < in->shape.rank; k++) {
        bool blocks = in->layout == JM_C16 && k == 1;
        int64_t dim = blocks ? jm_channel_blocks(in->shape.dim[1], in->map) : in->shape.dim[k];
        if (k < axis) {
            state->outer_dim[state->outer] = dim;
            state->outer_in[state->outer] = in->stride[k];
            state->outer_out[state->outer++] = y->stride[k];
            state->rows *= dim;
        } else {
            state->dim[state->inner] = dim;
            state->in[state->inner] = in->stride[k];
            state->out[state->inner++] = y->stride[k];
            state->count *= dim;
        }
    }
    if (in->layout == JM_C16) {
        state->dim[state->inner] = JM_LANES;
        state->in[state->inner] = state->out[state->inner] = 1;
        state->inner++;
        state->count *= JM_LANES;
    }
    state->inner = jm_strided_merge(state->inner, state->dim, state->in, state->out);
    if (state->count == 0) state->rows = 0;
    state->per_chunk = JM_MAX(CHUNK_ELEMENTS / JM_MAX(state->count, 1), 1);
    plan->chunks = (size_t)JM_MAX((state->rows + state->per_chunk - 1) / state->per_chunk, 1);
    return JM_OK;
}

static void plan_parameters(const jm_call *call, struct normalise_state *state)
{
    for (int i = 1; i < 5; i++) {
        const jm_tensor *own = jm_call_in(call, i);
        state->parameter_dtype[i - 1] = own ? own->dtype : JM_DTYPE_NONE;
        state->parameter_stride[i - 1] = own && own->shape.rank > 0 ? own->stride[0] : 0;
    }
}

static jm_status channel_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    struct normalise_state *state;
    JM_TRY(plan_rows(call, 2, call->attr[0].f, machine, arena, plan, &state));
    state->packed = form->in_packed != 0;
    state->inverse = jm_op_attrs(call->op) > BATCH_INVERSE && call->attr[BATCH_INVERSE].i; /* not of InstanceNorm */
    state->channels = state->outer_dim[1];
    plan_parameters(call, state);
    return JM_OK;
}

static jm_status layer_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    struct normalise_state *state;
    int axis;
    JM_TRY(layer_axis(call, &axis));
    JM_TRY(plan_rows(call, axis, call->attr[LAYER_EPSILON].f, machine, arena, plan, &state));
    const jm_tensor *scale = jm_call_in(call, 1), *bias = jm_call_in(call, 2);
    plan_parameters(call, state);
    if (state->count == 0 && call->outputs > 1) { /* rows without elements have statistics: NaN */
        for (int k = 0; k < state->outer; k++) state->outer_in[k] = state->outer_out[k] = 0;
        state->rows = 1;
        for (int k = 0; k < state->outer; k++) state->rows *= state->outer_dim[k];
        state->per_chunk = JM_MAX(state->rows, 1);
        plan->chunks = 1;
    }
    for (int i = 0; i < 2; i++) {
        const bool wanted = i + 1 < call->outputs;
        state->statistic_dtype[i] = wanted ? call->out[i + 1].dtype : JM_DTYPE_NONE;
        for (int k = 0; k < axis && wanted; k++) state->statistic_stride[i][k] = call->out[i + 1].stride[k];
    }
    state->parameter_rank = call->in[0].shape.rank - axis;
    for (int k = 0; k < state->parameter_rank; k++) {
        state->parameter_dim[k] = call->in[0].shape.dim[axis + k];
        state->scale_stride[k] = scale ? scale->stride[k] : 0;
        state->bias_stride[k] = bias ? bias->stride[k] : 0;
    }
    state->parameter_rank =
        jm_strided_merge(state->parameter_rank, state->parameter_dim, state->scale_stride, state->bias_stride);
    return JM_OK;
}

/* ---- Operators ---- */

static const jm_param batch_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, ...]"},
    {.name = "scale", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE | JM_OPTIONAL, .doc = "[C]; absent: 1"},
    {.name = "B", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]; absent: 0"},
    {.name = "input_mean", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "input_var", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
    {.name = "epsilon", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1e-5, .doc = "added to the variance"},
    {.name = "inverse",
     .kind = JM_PARAM_INT,
     .flags = JM_OPTIONAL | JM_GRAPH_ONLY,
     .doc = "1: input_var is 1 / sqrt(var + epsilon)"},
};

const jm_op jm_op_batch_normalization = {
    .name = "BatchNormalization",
    .param = batch_param,
    .params = JM_COUNT(batch_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "(x - mean) / sqrt(var + epsilon) * scale + B, as x s + t with s and t rounded once",
    .source = "ONNX BatchNormalization-15",
    .check = check_channels,
    .infer = jm_infer_same,
    .forms = batch_forms,
    .pack_bytes = batch_pack_bytes,
    .pack = batch_pack,
    .plan = channel_plan,
    .run = batch_run,
};

static const jm_param instance_param[] = {
    {.name = "input", .kind = JM_PARAM_INPUT, .doc = "[N, C, spatial ...]"},
    {.name = "scale", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "B", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "shape of the input"},
    {.name = "epsilon", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1e-5, .doc = "added to the variance"},
};

const jm_op jm_op_instance_normalization = {
    .name = "InstanceNormalization",
    .param = instance_param,
    .params = JM_COUNT(instance_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_F32,
    .formula = "(x - mean) / sqrt(var + epsilon) * scale + B, mean and var over the spatial axes",
    .source = "ONNX InstanceNormalization-6",
    .check = check_channels,
    .infer = jm_infer_same,
    .forms = plain_forms,
    .plan = channel_plan,
    .run = instance_run,
};

static const jm_param layer_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "any shape of rank 1 or more"},
    {.name = "Scale", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "dims of X from the axis on; absent: 1"},
    {.name = "B", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "like Scale; absent: 0"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
    {.name = "Mean",
     .kind = JM_PARAM_OUTPUT,
     .flags = JM_OPTIONAL | JM_SWITCHED,
     .doc = "float32, of each row; dims from the axis on are 1. [0] without rows"},
    {.name = "InvStdDev",
     .kind = JM_PARAM_OUTPUT,
     .flags = JM_OPTIONAL | JM_SWITCHED,
     .doc = "1 / sqrt(var + epsilon), like Mean"},
    {.name = "axis", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = -1, .doc = "first axis of a row"},
    {.name = "epsilon", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1e-5, .doc = "added to the variance"},
    {.name = "normalized_shape",
     .kind = JM_PARAM_INTS,
     .flags = JM_OPTIONAL | JM_GRAPH_ONLY,
     .doc = "the dims of a row, in place of the axis"},
};

const jm_op jm_op_layer_normalization = {
    .name = "LayerNormalization",
    .param = layer_param,
    .params = JM_COUNT(layer_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "(x - mean) / sqrt(var + epsilon) * Scale + B, mean and var over the axes from `axis` on",
    .source = "ONNX LayerNormalization-17",
    .check = check_layer,
    .infer = layer_infer,
    .forms = plain_forms,
    .plan = layer_plan,
    .run = layer_run,
};
