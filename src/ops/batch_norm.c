/* SPDX-License-Identifier: Apache-2.0
 *
 * Batch normalisation in training: statistics of channels and gradients. float32, float16 and bfloat16, computed in
 * float32 in pieces; parameters and statistics may be of another of these types than X. What the forward direction adds
 * to the statistics is BatchNormalization in normalise.c.
 *
 * A sum over a channel: pieces in the 16-lane tree of the reductions, their sums added in double, so that the error
 * does not grow with the batch. Pieces depend on the shape alone.
 */
#include "ops/compose.h"

#include <math.h>

#include "kernels/kernels.h"
#include "ops/indexing.h"
#include "ops/strided.h"

#define PIECE 1024
#define SHORT_LINE 64 /* elements; shorter lines of a channel are read as one */

/* ---- Channels ---- */

/* How one tensor of the shape [N, C, ...] lies: line l of channel c begins at c * channel + l * line. */
typedef struct lines {
    jm_dtype dtype;
    int64_t channel, line;
    bool flat; /* the elements of a line have no gaps */
    int rank;
    int64_t dim[JM_MAX_RANK], stride[JM_MAX_RANK];
} lines;

/* What all operators here know of a call. */
typedef struct channels {
    const jm_pointwise_kernels *kernels;
    const jm_training_kernels *training;
    int64_t channels, lines, length; /* lines of a channel, elements of a line */
    size_t chunks;
} channels;

/* A vector of one value for each channel. */
typedef struct vector {
    jm_dtype dtype; /* JM_DTYPE_NONE: absent */
    int64_t stride;
} vector;

static void describe_channels(const jm_shape *shape, int tensors, const jm_machine *machine, channels *of,
                              jm_plan *plan)
{
    int64_t points = 1;
    for (int k = 2; k < shape->rank; k++) points *= shape->dim[k];
    of->kernels = &machine->kernels->pointwise;
    of->training = &machine->kernels->training;
    of->channels = shape->dim[1];
    of->lines = points < SHORT_LINE ? 1 : shape->dim[0];
    of->length = points < SHORT_LINE ? points * shape->dim[0] : points;
    const double bytes = (double)of->lines * (double)of->length * (double)of->channels * 4 * tensors;
    of->chunks = plan->chunks = jm_chunk_count(machine, bytes, of->channels);
}

static lines describe_lines(const channels *of, const jm_tensor *tensor)
{
    lines l = {.dtype = tensor->dtype, .channel = tensor->stride[1]};
    const bool one = of->lines == 1;
    if (one) {
        l.dim[l.rank] = tensor->shape.dim[0];
        l.stride[l.rank++] = tensor->stride[0];
    } else {
        l.line = tensor->stride[0];
    }
    for (int k = 2; k < tensor->shape.rank; k++) {
        l.dim[l.rank] = tensor->shape.dim[k];
        l.stride[l.rank++] = tensor->stride[k];
    }
    l.rank = jm_strided_merge(l.rank, l.dim, l.stride, NULL);
    l.flat = l.rank == 0 || (l.rank == 1 && l.stride[0] == 1);
    return l;
}

static vector describe_vector(const jm_tensor *tensor)
{
    if (!tensor || tensor->dtype == JM_DTYPE_NONE) return (vector){.dtype = JM_DTYPE_NONE};
    return (vector){.dtype = tensor->dtype, .stride = tensor->shape.rank ? tensor->stride[0] : 0};
}

static double get(const vector *v, const void *data, int64_t channel, double otherwise)
{
    if (v->dtype == JM_DTYPE_NONE) return otherwise;
    return jm_element_to_f64(v->dtype, (const char *)data + channel * v->stride * (int64_t)jm_dtype_size(v->dtype));
}

static void put(const vector *v, void *data, int64_t channel, double value)
{
    if (v->dtype == JM_DTYPE_NONE) return;
    jm_element_from_f64(v->dtype, value, (char *)data + channel * v->stride * (int64_t)jm_dtype_size(v->dtype));
}

static void convert(const jm_run *run, jm_dtype from, const void *source, jm_dtype to, void *target, int64_t n)
{
    if (jm_convert(from, source, to, target, (size_t)n) != JM_OK) atomic_store(run->fault, JM_INTERNAL);
}

/* Elements first .. first + n of a line as float32: in `buffer`, or where they lie. */
static const float *load(const lines *l, const jm_run *run, const void *data, int64_t channel, int64_t line,
                         int64_t first, int64_t n, float buffer[PIECE])
{
    const size_t size = jm_dtype_size(l->dtype);
    const char *begin = (const char *)data + (channel * l->channel + line * l->line) * (int64_t)size;
    if (l->flat) begin += first * (int64_t)size;
    if (l->flat && l->dtype == JM_F32) return (const float *)(const void *)begin;
    uint16_t half[PIECE];
    const bool same = l->dtype == JM_F32;
    const void *source = begin;
    if (!l->flat) {
        jm_strided_gather(same ? (void *)buffer : half, begin, size, l->rank, l->dim, l->stride, first, n);
        source = half;
    }
    if (!same) convert(run, l->dtype, source, JM_F32, buffer, n);
    return buffer;
}

/* The other way round. */
static void store(const lines *l, const jm_run *run, void *data, int64_t channel, int64_t line, int64_t first,
                  int64_t n, const float *value)
{
    const size_t size = jm_dtype_size(l->dtype);
    char *begin = (char *)data + (channel * l->channel + line * l->line) * (int64_t)size;
    uint16_t half[PIECE];
    const bool same = l->dtype == JM_F32;
    if (!same) convert(run, JM_F32, value, l->dtype, half, n);
    jm_strided_scatter(begin, same ? (const void *)value : half, size, l->rank, l->dim, l->stride, first, n);
}

/* Where elements first .. of a line are made: where they lie, or in `buffer`, from which they are stored. */
static float *place(const lines *l, void *data, int64_t channel, int64_t line, int64_t first, float buffer[PIECE])
{
    if (!l->flat || l->dtype != JM_F32) return buffer;
    return (float *)data + channel * l->channel + line * l->line + first;
}

static void splat(float lane[16], double value)
{
    for (int i = 0; i < 16; i++) lane[i] = (float)value;
}

static double sum_of(const channels *of, jm_reduce op, const float *x, int64_t n)
{
    float lane[16] = {0};
    of->kernels->reduce[op](lane, x, (size_t)n);
    return (double)jm_reduce_tree(JM_REDUCE_SUM, lane);
}

/* ---- Checks ---- */

static jm_status check_vector(const jm_call *call, int input, int64_t count)
{
    const jm_tensor *own = jm_call_in(call, input);
    if (!own) return JM_OK;
    const char *name = jm_op_input(call->op, input)->name;
    if (!(JM_DTYPES_F32 >> own->dtype & 1))
        return jm_call_error(call, JM_UNSUPPORTED, "input '%s' cannot be %s", name, jm_dtype_text(own->dtype));
    if (own->shape.rank == 1 && (own->shape.dim[0] == count || own->shape.dim[0] < 0 || count < 0)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' must have one value for each of %lld channels", name,
                         (long long)count);
}

static jm_status check_rank(const jm_call *call, int input)
{
    const int rank = call->in[input].shape.rank;
    if (rank >= 2) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' has rank %d and must have 2 or more",
                         jm_op_input(call->op, input)->name, rank);
}

/* Input 0 is the gradient of input 1: same type and shape. */
static jm_status check_gradient(const jm_call *call)
{
    JM_TRY(check_rank(call, 0));
    if (call->in[0].dtype == call->in[1].dtype && jm_shape_equal(&call->in[0].shape, &call->in[1].shape)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "inputs dY and X must have the same type and shape");
}

static void infer_vector(jm_call *call, int output, jm_dtype dtype, int64_t count, bool wanted)
{
    if (output >= call->outputs) return;
    call->out[output].dtype = dtype;
    call->out[output].shape = (jm_shape){.rank = 1, .dim = {wanted ? count : 0}};
}

/* A running statistic is written where it is given. */
static void infer_running(jm_call *call, int input, int output, bool wanted)
{
    const jm_tensor *own = jm_call_in(call, input);
    infer_vector(call, output, own ? own->dtype : JM_F32, own ? own->shape.dim[0] : 0, own && wanted);
}

static vector output_vector(const jm_call *call, int output)
{
    if (output >= call->outputs || jm_tensor_elements(&call->out[output]) == 0) return (vector){.dtype = JM_DTYPE_NONE};
    return describe_vector(&call->out[output]);
}

/* running = running * (1 - momentum) + value * momentum */
static void update(const vector *v, void *data, int64_t channel, double momentum, double value)
{
    if (v->dtype == JM_DTYPE_NONE) return;
    put(v, data, channel, get(v, data, channel, 0) * (1 - momentum) + value * momentum);
}

/* ---- BatchNormStatistics ---- */

typedef struct statistics_state {
    channels of;
    lines x;
    vector out[4];
    double epsilon, momentum;
} statistics_state;

enum { STATISTICS_MEAN, STATISTICS_INVSTD, STATISTICS_RUNNING_MEAN, STATISTICS_RUNNING_VAR };

static jm_status statistics_infer(jm_call *call)
{
    JM_TRY(check_rank(call, 0));
    const int64_t count = call->in[0].shape.dim[1];
    JM_TRY(check_vector(call, 1, count));
    JM_TRY(check_vector(call, 2, count));
    infer_vector(call, STATISTICS_MEAN, JM_F32, count, true);
    infer_vector(call, STATISTICS_INVSTD, JM_F32, count, true);
    infer_running(call, 1, STATISTICS_RUNNING_MEAN, true);
    infer_running(call, 2, STATISTICS_RUNNING_VAR, true);
    return JM_OK;
}

/* Mean of a channel and the sum of its squared deviations. */
static void moments(const statistics_state *state, const jm_run *run, int64_t channel, double *mean, double *squares)
{
    const channels *of = &state->of;
    const double count = (double)of->lines * (double)of->length;
    float buffer[PIECE], center[16];
    double sum = 0;
    for (int64_t line = 0; line < of->lines; line++)
        for (int64_t i = 0; i < of->length; i += PIECE) {
            const int64_t n = JM_MIN(PIECE, of->length - i);
            sum += sum_of(of, JM_REDUCE_SUM, load(&state->x, run, run->in[0], channel, line, i, n, buffer), n);
        }
    *mean = sum / count;
    splat(center, *mean);
    *squares = 0;
    for (int64_t line = 0; line < of->lines; line++)
        for (int64_t i = 0; i < of->length; i += PIECE) {
            const int64_t n = JM_MIN(PIECE, of->length - i);
            const float *x = load(&state->x, run, run->in[0], channel, line, i, n, buffer);
            of->kernels->binary[JM_BINARY_SUB](buffer, x, JM_STEP_GROUP, center, JM_STEP_LANES, (size_t)n);
            *squares += sum_of(of, JM_REDUCE_SUM_SQUARE, buffer, n);
        }
    const double rounded = *mean - (double)center[0];
    *squares = JM_MAX(*squares - count * rounded * rounded, 0);
}

static void statistics_run(const jm_plan *plan, const jm_run *run)
{
    const statistics_state *state = plan->state;
    const double count = (double)state->of.lines * (double)state->of.length;
    int64_t begin, end;
    jm_chunk_range(state->of.channels, state->of.chunks, run->chunk, &begin, &end);
    for (int64_t c = begin; c < end; c++) {
        double mean = 0, squares = 0;
        if (count == 0) {
            put(&state->out[STATISTICS_MEAN], run->out[0], c, 0);
            put(&state->out[STATISTICS_INVSTD], run->out[1], c, 0);
            continue;
        }
        moments(state, run, c, &mean, &squares);
        put(&state->out[STATISTICS_MEAN], run->out[0], c, mean);
        put(&state->out[STATISTICS_INVSTD], run->out[1], c, 1 / sqrt(squares / count + state->epsilon));
        update(&state->out[STATISTICS_RUNNING_MEAN], run->out[2], c, state->momentum, mean);
        update(&state->out[STATISTICS_RUNNING_VAR], run->out[3], c, state->momentum, squares / (count - 1));
    }
}

static jm_status statistics_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                 jm_plan *plan)
{
    (void)form;
    statistics_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    describe_channels(&call->in[0].shape, 1, machine, &state->of, plan);
    state->x = describe_lines(&state->of, &call->in[0]);
    for (int i = 0; i < 4; i++) state->out[i] = output_vector(call, i);
    state->epsilon = call->attr[0].f;
    state->momentum = call->attr[1].f;
    return JM_OK;
}

#define RUNNING_INPUTS                                                                                                 \
    {.name = "running_mean", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]"},                              \
    {                                                                                                                  \
        .name = "running_var", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]"                              \
    }
#define RUNNING_OUTPUTS                                                                                                \
    {.name = "running_mean",                                                                                           \
     .kind = JM_PARAM_OUTPUT,                                                                                          \
     .flags = JM_OPTIONAL | JM_REFERENCE | JM_SWITCHED,                                                                \
     .doc = "running_mean (1 - momentum) + mean momentum"},                                                            \
    {                                                                                                                  \
        .name = "running_var", .kind = JM_PARAM_OUTPUT, .flags = JM_OPTIONAL | JM_REFERENCE | JM_SWITCHED,             \
        .doc = "the same of the variance, its divisor one less than the count"                                         \
    }
#define EPSILON                                                                                                        \
    {                                                                                                                  \
        .name = "epsilon", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1e-5, .doc = "added to variances"        \
    }
#define MOMENTUM                                                                                                       \
    {                                                                                                                  \
        .name = "momentum", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 0.1,                                    \
        .doc = "share of the new statistics"                                                                           \
    }

static const jm_param statistics_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, ...]"},
    RUNNING_INPUTS,
    {.name = "mean", .kind = JM_PARAM_OUTPUT, .doc = "float32 [C]; 0 of no elements"},
    {.name = "invstd", .kind = JM_PARAM_OUTPUT, .doc = "float32 [C]: 1 / sqrt(var + epsilon); 0 of no elements"},
    RUNNING_OUTPUTS,
    EPSILON,
    MOMENTUM,
};

const jm_op jm_op_batch_norm_statistics = {
    .name = "BatchNormStatistics",
    .param = statistics_param,
    .params = JM_COUNT(statistics_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "mean and 1 / sqrt(var + epsilon) of each channel; running statistics move towards them",
    .source = "PyTorch batch_norm_stats",
    .infer = statistics_infer,
    .plan = statistics_plan,
    .run = statistics_run,
};

/* ---- BatchNormGatherStatistics ---- */

typedef struct gather_state {
    int64_t parts, channels;
    jm_dtype dtype[3];
    int64_t part_stride[3], channel_stride[3]; /* of mean, invstd, counts */
    vector out[4];
    double epsilon, momentum;
} gather_state;

enum { GATHER_X, GATHER_MEAN, GATHER_INVSTD, GATHER_COUNTS, GATHER_RUNNING_MEAN, GATHER_RUNNING_VAR };

static jm_status gather_infer(jm_call *call)
{
    JM_TRY(check_rank(call, GATHER_X));
    const int64_t count = call->in[GATHER_X].shape.dim[1];
    const jm_shape *mean = &call->in[GATHER_MEAN].shape, *counts = &call->in[GATHER_COUNTS].shape;
    for (int i = GATHER_MEAN; i <= GATHER_COUNTS; i++)
        if (!(JM_DTYPES_F32 >> call->in[i].dtype & 1) &&
            (i != GATHER_COUNTS || !(JM_DTYPES_SIGNED >> call->in[i].dtype & 1)))
            return jm_call_error(call, JM_UNSUPPORTED, "input '%s' cannot be %s", jm_op_input(call->op, i)->name,
                                 jm_dtype_text(call->in[i].dtype));
    if (mean->rank != 2 || mean->dim[1] != count || !jm_shape_equal(mean, &call->in[GATHER_INVSTD].shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "mean and invstd must have one row of %lld channels for each part", (long long)count);
    if (counts->rank != 1 || counts->dim[0] != mean->dim[0])
        return jm_call_error(call, JM_INVALID_ARGUMENT, "counts must have one number for each row of the mean");
    JM_TRY(check_vector(call, GATHER_RUNNING_MEAN, count));
    JM_TRY(check_vector(call, GATHER_RUNNING_VAR, count));
    infer_vector(call, STATISTICS_MEAN, JM_F32, count, true);
    infer_vector(call, STATISTICS_INVSTD, JM_F32, count, true);
    infer_running(call, GATHER_RUNNING_MEAN, STATISTICS_RUNNING_MEAN, true);
    infer_running(call, GATHER_RUNNING_VAR, STATISTICS_RUNNING_VAR, true);
    return JM_OK;
}

static double part_value(const gather_state *state, const jm_run *run, int which, int64_t part, int64_t channel)
{
    const int64_t offset = part * state->part_stride[which] + channel * state->channel_stride[which];
    const jm_dtype dtype = state->dtype[which];
    const char *data = run->in[GATHER_MEAN + which];
    return jm_element_to_f64(dtype, data + offset * (int64_t)jm_dtype_size(dtype));
}

static void gather_run(const jm_plan *plan, const jm_run *run)
{
    const gather_state *state = plan->state;
    for (int64_t c = 0; c < state->channels; c++) {
        double count = 0, sum = 0, squares = 0;
        for (int64_t p = 0; p < state->parts; p++) {
            count += part_value(state, run, 2, p, 0);
            sum += part_value(state, run, 2, p, 0) * part_value(state, run, 0, p, c);
        }
        const double mean = sum / count;
        for (int64_t p = 0; p < state->parts; p++) {
            const double inverse = part_value(state, run, 1, p, c), away = part_value(state, run, 0, p, c) - mean;
            const double own = part_value(state, run, 2, p, 0);
            if (own > 0) squares += own * (1 / (inverse * inverse) - state->epsilon + away * away);
        }
        put(&state->out[STATISTICS_MEAN], run->out[0], c, mean);
        put(&state->out[STATISTICS_INVSTD], run->out[1], c, 1 / sqrt(squares / count + state->epsilon));
        update(&state->out[STATISTICS_RUNNING_MEAN], run->out[2], c, state->momentum, mean);
        update(&state->out[STATISTICS_RUNNING_VAR], run->out[3], c, state->momentum, squares / (count - 1));
    }
}

static jm_status gather_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    (void)machine;
    gather_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    plan->chunks = 1;
    state->parts = call->in[GATHER_MEAN].shape.dim[0];
    state->channels = call->in[GATHER_MEAN].shape.dim[1];
    for (int i = 0; i < 3; i++) {
        const jm_tensor *own = &call->in[GATHER_MEAN + i];
        state->dtype[i] = own->dtype;
        state->part_stride[i] = own->stride[0];
        state->channel_stride[i] = i < 2 ? own->stride[1] : 0;
    }
    for (int i = 0; i < 4; i++) state->out[i] = output_vector(call, i);
    state->epsilon = call->attr[0].f;
    state->momentum = call->attr[1].f;
    return JM_OK;
}

static const jm_param gather_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, ...]; only its shape counts"},
    {.name = "means", .kind = JM_PARAM_INPUT, .doc = "[parts, C]"},
    {.name = "invstds", .kind = JM_PARAM_INPUT, .doc = "[parts, C]"},
    {.name = "counts", .kind = JM_PARAM_INPUT, .doc = "[parts]: elements of a channel"},
    RUNNING_INPUTS,
    {.name = "mean", .kind = JM_PARAM_OUTPUT, .doc = "float32 [C]"},
    {.name = "invstd", .kind = JM_PARAM_OUTPUT, .doc = "float32 [C]"},
    RUNNING_OUTPUTS,
    EPSILON,
    MOMENTUM,
};

const jm_op jm_op_batch_norm_gather_statistics = {
    .name = "BatchNormGatherStatistics",
    .param = gather_param,
    .params = JM_COUNT(gather_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "the statistics of all parts of a batch from those of each",
    .source = "PyTorch batch_norm_gather_stats_with_counts",
    .infer = gather_infer,
    .plan = gather_plan,
    .run = gather_run,
};

/* ---- BatchNormGradSums ---- */

/* Inputs 0 and 1 are dY and X, output 0 may be dX. */
typedef struct grad_maps {
    channels of;
    lines dy, x, dx;
} grad_maps;

/* The sums of dY and dY (X - mean) over a channel. */
static void channel_sums(const grad_maps *m, const jm_run *run, int64_t channel, double mean, double sum[2])
{
    float dy_buffer[PIECE], x_buffer[PIECE];
    jm_norm_row row = {.mean = (float)mean};
    sum[0] = sum[1] = 0;
    for (int64_t line = 0; line < m->of.lines; line++)
        for (int64_t i = 0; i < m->of.length; i += PIECE) {
            const int64_t n = JM_MIN(PIECE, m->of.length - i);
            float lane[2][16] = {{0}};
            row.dy = load(&m->dy, run, run->in[0], channel, line, i, n, dy_buffer);
            row.x = load(&m->x, run, run->in[1], channel, line, i, n, x_buffer);
            m->of.training->norm_sums(&row, lane, (size_t)n);
            for (int k = 0; k < 2; k++) sum[k] += (double)jm_reduce_tree(JM_REDUCE_SUM, lane[k]);
        }
}

typedef struct sums_state {
    grad_maps maps;
    vector mean, invstd, out[4];
} sums_state;

enum { SUMS_DY, SUMS_X, SUMS_MEAN, SUMS_INVSTD };

static jm_status sums_infer(jm_call *call)
{
    JM_TRY(check_gradient(call));
    const int64_t count = call->in[SUMS_X].shape.dim[1];
    JM_TRY(check_vector(call, SUMS_MEAN, count));
    JM_TRY(check_vector(call, SUMS_INVSTD, count));
    for (int i = 0; i < 4; i++) infer_vector(call, i, JM_F32, count, call->attr[i < 2 ? 0 : i - 1].i != 0);
    return JM_OK;
}

static void sums_run(const jm_plan *plan, const jm_run *run)
{
    const sums_state *state = plan->state;
    int64_t begin, end;
    jm_chunk_range(state->maps.of.channels, state->maps.of.chunks, run->chunk, &begin, &end);
    for (int64_t c = begin; c < end; c++) {
        double sum[2];
        channel_sums(&state->maps, run, c, get(&state->mean, run->in[SUMS_MEAN], c, 0), sum);
        put(&state->out[0], run->out[0], c, sum[0]);
        put(&state->out[1], run->out[1], c, sum[1]);
        put(&state->out[2], run->out[2], c, sum[1] * get(&state->invstd, run->in[SUMS_INVSTD], c, 1));
        put(&state->out[3], run->out[3], c, sum[0]);
    }
}

static void describe_maps(const jm_call *call, int tensors, const jm_tensor *dx, const jm_machine *machine,
                          grad_maps *maps, jm_plan *plan)
{
    describe_channels(&call->in[1].shape, tensors, machine, &maps->of, plan);
    maps->dy = describe_lines(&maps->of, &call->in[0]);
    maps->x = describe_lines(&maps->of, &call->in[1]);
    if (dx) maps->dx = describe_lines(&maps->of, dx);
}

static jm_status sums_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    sums_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    describe_maps(call, 2, NULL, machine, &state->maps, plan);
    state->mean = describe_vector(&call->in[SUMS_MEAN]);
    state->invstd = describe_vector(&call->in[SUMS_INVSTD]);
    for (int i = 0; i < 4; i++) state->out[i] = output_vector(call, i);
    return JM_OK;
}

static const jm_param sums_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y, [N, C, ...]"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, ...]"},
    {.name = "mean", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "invstd", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "sum_dy", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32 [C]: sum dY"},
    {.name = "sum_dy_xmu", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32 [C]: sum dY (X - mean)"},
    {.name = "d_weight", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32 [C]: sum_dy_xmu invstd"},
    {.name = "d_bias", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32 [C]: sum dY"},
    {.name = "input_g", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "0: neither sum_dy nor sum_dy_xmu"},
    {.name = "weight_g", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "0: no d_weight"},
    {.name = "bias_g", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "0: no d_bias"},
};

const jm_op jm_op_batch_norm_grad_sums = {
    .name = "BatchNormGradSums",
    .param = sums_param,
    .params = JM_COUNT(sums_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "sums of dY and dY (X - mean) over each channel",
    .source = "PyTorch batch_norm_backward_reduce",
    .infer = sums_infer,
    .plan = sums_plan,
    .run = sums_run,
};

/* ---- BatchNormGradInput ---- */

typedef struct grad_state {
    grad_maps maps;
    vector own[5]; /* mean to sum_dy_xmu */
    jm_dtype count_dtype;
    int64_t counts, count_stride;
} grad_state;

enum { GRAD_DY, GRAD_X, GRAD_MEAN, GRAD_INVSTD, GRAD_WEIGHT, GRAD_SUM_DY, GRAD_SUM_DY_XMU, GRAD_COUNT };

static jm_status grad_infer(jm_call *call)
{
    JM_TRY(check_gradient(call));
    for (int i = GRAD_MEAN; i <= GRAD_SUM_DY_XMU; i++) JM_TRY(check_vector(call, i, call->in[GRAD_X].shape.dim[1]));
    const jm_tensor *count = jm_call_in(call, GRAD_COUNT);
    if (count && (!((JM_DTYPES_FLOAT | JM_DTYPES_SIGNED) >> count->dtype & 1) || count->shape.rank > 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "count is %s of rank %d and must be numbers of rank 0 or 1",
                             jm_dtype_text(count->dtype), count->shape.rank);
    if (!jm_call_in(call, GRAD_SUM_DY) != !jm_call_in(call, GRAD_SUM_DY_XMU))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "sum_dy and sum_dy_xmu go together");
    call->out[0].dtype = call->in[GRAD_X].dtype;
    call->out[0].shape = call->in[GRAD_X].shape;
    return JM_OK;
}

static double elements_of(const channels *of)
{
    return (double)of->lines * (double)of->length;
}

/* The elements of a channel in the whole batch. */
static double count_of(const grad_state *state, const jm_run *run)
{
    if (state->count_dtype == JM_DTYPE_NONE) return elements_of(&state->maps.of);
    const int64_t step = state->count_stride * (int64_t)jm_dtype_size(state->count_dtype);
    double sum = 0;
    for (int64_t i = 0; i < state->counts; i++)
        sum += jm_element_to_f64(state->count_dtype, (const char *)run->in[GRAD_COUNT] + i * step);
    return sum;
}

/* dX of a channel from its sums of dY and dY (X - mean). */
static void channel_input(const grad_maps *m, const jm_run *run, int64_t channel, double mean, double invstd,
                          double weight, const double sum[2], double count)
{
    float dy_buffer[PIECE], x_buffer[PIECE], dx[PIECE];
    const jm_norm_factors factors = {.weight = 1,
                                     .slope = (float)(-invstd * invstd * sum[1] / count),
                                     .shift = (float)(-sum[0] / count),
                                     .factor = (float)(invstd * weight)};
    jm_norm_row row = {.mean = (float)mean};
    for (int64_t line = 0; line < m->of.lines; line++)
        for (int64_t i = 0; i < m->of.length; i += PIECE) {
            const int64_t n = JM_MIN(PIECE, m->of.length - i);
            float *to = place(&m->dx, run->out[0], channel, line, i, dx);
            row.dy = load(&m->dy, run, run->in[0], channel, line, i, n, dy_buffer);
            row.x = load(&m->x, run, run->in[1], channel, line, i, n, x_buffer);
            m->of.training->norm_input(&row, to, (size_t)n, &factors);
            if (to == dx) store(&m->dx, run, run->out[0], channel, line, i, n, dx);
        }
}

/* The same where the statistics do not depend on X. */
static void scaled_channel(const grad_maps *m, const jm_run *run, int64_t channel, double scale)
{
    float factor[16], buffer[PIECE], dx[PIECE];
    splat(factor, scale);
    for (int64_t line = 0; line < m->of.lines; line++)
        for (int64_t i = 0; i < m->of.length; i += PIECE) {
            const int64_t n = JM_MIN(PIECE, m->of.length - i);
            float *to = place(&m->dx, run->out[0], channel, line, i, dx);
            const float *dy = load(&m->dy, run, run->in[0], channel, line, i, n, buffer);
            m->of.kernels->binary[JM_BINARY_MUL](to, dy, JM_STEP_GROUP, factor, JM_STEP_LANES, (size_t)n);
            if (to == dx) store(&m->dx, run, run->out[0], channel, line, i, n, dx);
        }
}

static void grad_run(const jm_plan *plan, const jm_run *run)
{
    const grad_state *state = plan->state;
    const double count = count_of(state, run);
    int64_t begin, end;
    jm_chunk_range(state->maps.of.channels, state->maps.of.chunks, run->chunk, &begin, &end);
    for (int64_t c = begin; c < end; c++) {
        double value[5];
        for (int i = 0; i < 5; i++) value[i] = get(&state->own[i], run->in[GRAD_MEAN + i], c, i == 2 ? 1 : 0);
        if (state->own[3].dtype == JM_DTYPE_NONE)
            scaled_channel(&state->maps, run, c, value[1] * value[2]);
        else
            channel_input(&state->maps, run, c, value[0], value[1], value[2], value + 3, count);
    }
}

static jm_status grad_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    grad_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    describe_maps(call, 3, &call->out[0], machine, &state->maps, plan);
    for (int i = 0; i < 5; i++) state->own[i] = describe_vector(jm_call_in(call, GRAD_MEAN + i));
    const jm_tensor *count = jm_call_in(call, GRAD_COUNT);
    state->count_dtype = count ? count->dtype : JM_DTYPE_NONE;
    state->counts = count ? jm_tensor_elements(count) : 0;
    state->count_stride = count && count->shape.rank ? count->stride[0] : 0;
    return JM_OK;
}

static const jm_param grad_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y, [N, C, ...]"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, ...]"},
    {.name = "mean", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "invstd", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "weight", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]; absent: 1"},
    {.name = "sum_dy", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]; absent: the statistics are constant"},
    {.name = "sum_dy_xmu", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]"},
    {.name = "count",
     .kind = JM_PARAM_INPUT,
     .flags = JM_OPTIONAL,
     .doc = "numbers whose sum is the elements of a channel; absent: those of X"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
};

const jm_op jm_op_batch_norm_grad_input = {
    .name = "BatchNormGradInput",
    .param = grad_param,
    .params = JM_COUNT(grad_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "(dY - sum_dy / count - (X - mean) invstd^2 sum_dy_xmu / count) invstd weight",
    .source = "PyTorch batch_norm_backward_elemt",
    .infer = grad_infer,
    .plan = grad_plan,
    .run = grad_run,
};

/* ---- BatchNormGradChannels: both, while a channel is in the second cache ---- */

typedef struct both_state {
    grad_maps maps;
    vector own[3], out[2]; /* mean, invstd, weight; d_weight, d_bias */
} both_state;

static jm_status both_infer(jm_call *call)
{
    JM_TRY(check_gradient(call));
    const int64_t count = call->in[GRAD_X].shape.dim[1];
    for (int i = GRAD_MEAN; i <= GRAD_WEIGHT; i++) JM_TRY(check_vector(call, i, count));
    call->out[0].dtype = call->in[GRAD_X].dtype;
    call->out[0].shape = call->in[GRAD_X].shape;
    for (int i = 0; i < 2; i++) infer_vector(call, 1 + i, JM_F32, count, call->attr[i].i != 0);
    return JM_OK;
}

static void both_run(const jm_plan *plan, const jm_run *run)
{
    const both_state *state = plan->state;
    const double count = elements_of(&state->maps.of);
    int64_t begin, end;
    jm_chunk_range(state->maps.of.channels, state->maps.of.chunks, run->chunk, &begin, &end);
    for (int64_t c = begin; c < end; c++) {
        double value[3], sum[2];
        for (int i = 0; i < 3; i++) value[i] = get(&state->own[i], run->in[GRAD_MEAN + i], c, i == 2 ? 1 : 0);
        channel_sums(&state->maps, run, c, value[0], sum);
        put(&state->out[0], run->out[1], c, sum[1] * value[1]);
        put(&state->out[1], run->out[2], c, sum[0]);
        channel_input(&state->maps, run, c, value[0], value[1], value[2], sum, count);
    }
}

static jm_status both_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    both_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    describe_maps(call, 3, &call->out[0], machine, &state->maps, plan);
    for (int i = 0; i < 3; i++) state->own[i] = describe_vector(jm_call_in(call, GRAD_MEAN + i));
    for (int i = 0; i < 2; i++) state->out[i] = output_vector(call, 1 + i);
    return JM_OK;
}

static const jm_param both_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y, [N, C, ...]"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, ...]"},
    {.name = "mean", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "invstd", .kind = JM_PARAM_INPUT, .doc = "[C]"},
    {.name = "weight", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]; absent: 1"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
    {.name = "d_weight", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "as of BatchNormGradSums"},
    {.name = "d_bias", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "as of BatchNormGradSums"},
    {.name = "weight_g", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "0: no d_weight"},
    {.name = "bias_g", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "0: no d_bias"},
};

const jm_op jm_op_batch_norm_grad_channels = {
    .name = "BatchNormGradChannels",
    .param = both_param,
    .params = JM_COUNT(both_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "BatchNormGradInput with the sums of BatchNormGradSums",
    .source = "PyTorch native_batch_norm_backward",
    .infer = both_infer,
    .plan = both_plan,
    .run = both_run,
};

/* ---- BatchNorm and BatchNormGrad: the whole of it ---- */

enum { BATCH_X, BATCH_SCALE, BATCH_B, BATCH_RUNNING_MEAN, BATCH_RUNNING_VAR };
enum { BATCH_TRAINING, BATCH_MOMENTUM, BATCH_EPSILON };

static jm_status check_running(const jm_call *call, int mean, int var, bool training)
{
    if (training || (jm_call_in(call, mean) && jm_call_in(call, var))) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "running_mean and running_var are needed where training is 0");
}

static jm_status batch_infer(jm_call *call)
{
    const bool training = call->attr[BATCH_TRAINING].i != 0;
    JM_TRY(check_rank(call, BATCH_X));
    const int64_t count = call->in[BATCH_X].shape.dim[1];
    for (int i = BATCH_SCALE; i <= BATCH_RUNNING_VAR; i++) JM_TRY(check_vector(call, i, count));
    JM_TRY(check_running(call, BATCH_RUNNING_MEAN, BATCH_RUNNING_VAR, training));
    JM_TRY(jm_infer_same(call));
    infer_vector(call, 1, JM_F32, count, training);
    infer_vector(call, 2, JM_F32, count, training);
    infer_running(call, BATCH_RUNNING_MEAN, 3, training);
    infer_running(call, BATCH_RUNNING_VAR, 4, training);
    return JM_OK;
}

static jm_status batch_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const bool training = call->attr[BATCH_TRAINING].i != 0;
    jm_operand *in[5], *y = jm_builder_output(builder, 0);
    for (int i = 0; i < 5; i++) in[i] = jm_builder_input(builder, i);
    const jm_named_attr epsilon = {"epsilon", {.count = 1, .f = call->attr[BATCH_EPSILON].f}};
    if (training) {
        const jm_named_attr attr[] = {epsilon, {"momentum", {.count = 1, .f = call->attr[BATCH_MOMENTUM].f}}};
        jm_operand *statistics[4];
        for (int i = 0; i < 4; i++) statistics[i] = jm_builder_output(builder, 1 + i);
        for (int i = 2; i < 4; i++)
            if (!in[i + 1]) statistics[i] = NULL;
        jm_compose_into(&c, "BatchNormStatistics", (jm_operand *[]){in[0], in[3], in[4]}, 3, attr, 2, statistics, 4);
        in[3] = statistics[0];
        in[4] = statistics[1];
    }
    const jm_named_attr attr[] = {epsilon, {"inverse", {.count = 1, .i = training}}};
    jm_compose_into(&c, "BatchNormalization", in, 5, attr, 2, &y, 1);
    return jm_compose_end(&c);
}

static const jm_param batch_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, ...]"},
    {.name = "scale", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]; absent: 1"},
    {.name = "B", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]; absent: 0"},
    RUNNING_INPUTS,
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
    {.name = "mean", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32 [C], with training 1"},
    {.name = "invstd", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32 [C], with training 1"},
    RUNNING_OUTPUTS,
    {.name = "training", .kind = JM_PARAM_INT, .doc = "0: normalise with the running statistics; 1: with those of X"},
    MOMENTUM,
    EPSILON,
};

const jm_op jm_op_batch_norm = {
    .name = "BatchNorm",
    .param = batch_param,
    .params = JM_COUNT(batch_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "(x - mean) / sqrt(var + epsilon) * scale + B",
    .source = "PyTorch native_batch_norm",
    .infer = batch_infer,
    .lower = batch_lower,
};

enum { BACK_DY, BACK_X, BACK_WEIGHT, BACK_RUNNING_MEAN, BACK_RUNNING_VAR, BACK_MEAN, BACK_INVSTD };
enum { BACK_TRAINING, BACK_EPSILON, BACK_MASK };

static jm_status back_infer(jm_call *call)
{
    const bool training = call->attr[BACK_TRAINING].i != 0;
    const jm_attr *mask = &call->attr[BACK_MASK];
    JM_TRY(check_gradient(call));
    const int64_t count = call->in[BACK_X].shape.dim[1];
    if (mask->count != 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the mask has %d values and must have 3", (int)mask->count);
    for (int i = BACK_WEIGHT; i <= BACK_RUNNING_VAR; i++) JM_TRY(check_vector(call, i, count));
    for (int i = BACK_MEAN; i <= BACK_INVSTD && training; i++) {
        JM_TRY(check_vector(call, i, count));
        if (!jm_call_in(call, i))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "the saved statistics are needed where training is 1");
    }
    JM_TRY(check_running(call, BACK_RUNNING_MEAN, BACK_RUNNING_VAR, training));
    call->out[0].dtype = call->in[BACK_X].dtype;
    call->out[0].shape = mask->ints[0] ? call->in[BACK_X].shape : (jm_shape){.rank = 1, .dim = {0}};
    infer_vector(call, 1, JM_F32, count, mask->ints[1] != 0);
    infer_vector(call, 2, JM_F32, count, mask->ints[2] != 0);
    return JM_OK;
}

static jm_status back_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const bool training = call->attr[BACK_TRAINING].i != 0;
    const int64_t *mask = call->attr[BACK_MASK].ints;
    jm_operand *in[7], *out[3], *sum[4] = {NULL};
    for (int i = 0; i < 7; i++) in[i] = jm_builder_input(builder, i);
    for (int i = 0; i < 3; i++) out[i] = mask[i] ? jm_builder_output(builder, i) : NULL;
    jm_operand *mean = in[BACK_MEAN], *invstd = in[BACK_INVSTD];
    if (!training) {
        mean = in[BACK_RUNNING_MEAN];
        jm_operand *variance = jm_compose_cast(&c, in[BACK_RUNNING_VAR], JM_F32);
        variance = jm_compose_with(&c, "Add", variance, call->attr[BACK_EPSILON].f);
        invstd = jm_compose_1(&c, "Reciprocal", jm_compose_1(&c, "Sqrt", variance));
    }
    const jm_named_attr attr[] = {{"input_g", {.count = 1, .i = 0}},
                                  {"weight_g", {.count = 1, .i = mask[1]}},
                                  {"bias_g", {.count = 1, .i = mask[2]}}};
    jm_operand *all[] = {in[BACK_DY], in[BACK_X], mean, invstd, in[BACK_WEIGHT]};
    if (training && mask[0]) {
        jm_compose_into(&c, "BatchNormGradChannels", all, 5, attr + 1, 2, out, 3);
        return jm_compose_end(&c);
    }
    sum[2] = out[1];
    sum[3] = out[2];
    if (mask[1] || mask[2]) jm_compose_into(&c, "BatchNormGradSums", all, 4, attr, 3, sum, 4);
    if (mask[0]) jm_compose_into(&c, "BatchNormGradInput", all, 5, NULL, 0, out, 1);
    return jm_compose_end(&c);
}

static const jm_param back_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y, [N, C, ...]"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, ...]"},
    {.name = "scale", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]; absent: 1"},
    RUNNING_INPUTS,
    {.name = "mean", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C], read with training 1"},
    {.name = "invstd", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C], read with training 1"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "shape of X"},
    {.name = "d_scale", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32 [C]"},
    {.name = "d_bias", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32 [C]"},
    {.name = "training", .kind = JM_PARAM_INT, .doc = "as in BatchNorm"},
    EPSILON,
    {.name = "mask", .kind = JM_PARAM_INTS, .doc = "3 numbers: which outputs are wanted"},
};

const jm_op jm_op_batch_norm_grad = {
    .name = "BatchNormGrad",
    .param = back_param,
    .params = JM_COUNT(back_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "gradients of BatchNorm by X, scale and B",
    .source = "PyTorch native_batch_norm_backward",
    .infer = back_infer,
    .lower = back_lower,
};
