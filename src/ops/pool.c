/* SPDX-License-Identifier: Apache-2.0
 *
 * MaxPool, AveragePool and SumPool of 1 to 3 spatial dimensions. Windows are separable: the input rows of an output row
 * are combined first, then points along x; so both layouts add in the same order and give the same bits. Padding is
 * never a maximum.
 */
#include "ops/pool.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/indexing.h"
#include "ops/strided.h"

static double pool_flops(const jm_call *call)
{
    jm_pool_geometry g;
    if (jm_pool_resolve(call, &g) != JM_OK) return 0;
    return (double)jm_tensor_elements(&call->out[0]) * (double)g.kernel[0] * (double)g.kernel[1] * (double)g.kernel[2];
}

static int pool_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    jm_pool_geometry g;
    double count = jm_pool_resolve(call, &g) == JM_OK ? (double)jm_tensor_elements(&call->out[0]) : 0;
    double taps = (double)g.kernel[0] * (double)g.kernel[1] + (double)g.kernel[2];
    forms[0] = (jm_form){.name = "plain", .out_strided = true, .in_place = -1, .cost = count * taps * 0.3};
    int64_t channels = call->in[0].shape.dim[1];
    if (call->in[0].dtype != JM_F32 || channels == 0) return 1;
    double lanes = (double)jm_channel_blocks(channels, NULL) * JM_LANES;
    forms[1] = (jm_form){.id = 1,
                         .name = "c16",
                         .in = JM_C16,
                         .out = JM_C16,
                         .map = JM_MAP_SAME,
                         .out_strided = true,
                         .in_place = -1,
                         .cost = count / (double)channels * lanes * (0.4 + taps * 0.04)};
    return 2;
}

/* ---- Plan ---- */

/* The part of a window that lies inside the input. */
struct taps {
    int64_t first; /* input index of the first tap */
    int64_t count; /* taps inside */
    int64_t area;  /* taps that the average divides by */
};

struct pool_state {
    const jm_kernels *kernels;
    jm_dtype dtype;
    bool maximum, average; /* neither: sums */
    int lanes;             /* 16 for C16, else 1 */
    jm_pool_geometry g;
    struct taps *taps[3];         /* [g.out[k]] */
    int64_t full_begin, full_end; /* windows along x with all taps inside */
    int64_t batch, blocks;
    int64_t in_stride[5], out_stride[5]; /* n, c, z, y, x in elements */
    size_t max_rows;                     /* input rows of an output row, at most */
    int64_t rows;
    size_t chunks;
};

static jm_status plan_taps(const jm_pool_geometry *g, int k, bool include_pad, jm_arena *arena, struct taps **out)
{
    struct taps *taps = jm_arena_alloc(arena, (size_t)g->out[k], sizeof(*taps));
    if (!taps) return JM_OUT_OF_MEMORY;
    for (int64_t o = 0; o < g->out[k]; o++) {
        int64_t start = o * g->stride[k] - g->before[k], dilation = g->dilation[k];
        int64_t skip = start < 0 ? (-start + dilation - 1) / dilation : 0;
        /* Taps before a limit. */
        int64_t inside = start < g->in[k] ? (g->in[k] - start + dilation - 1) / dilation : 0;
        int64_t padded = (g->in[k] + g->after[k] - start + dilation - 1) / dilation;
        taps[o].first = start + skip * dilation;
        taps[o].count = JM_MAX(JM_MIN(inside, g->kernel[k]) - skip, 0);
        taps[o].area = include_pad ? JM_MAX(JM_MIN(padded, g->kernel[k]), 0) : taps[o].count;
    }
    *out = taps;
    return JM_OK;
}

static jm_status pool_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan);

/* ---- Run ---- */

/* Addresses of the rows under the window of one output row. */
static size_t window_rows(const struct pool_state *state, const char *image, const struct taps *z, const struct taps *y,
                          const void **row)
{
    const int64_t size = (int64_t)jm_dtype_size(state->dtype), *dilation = state->g.dilation;
    size_t count = 0;
    for (int64_t i = 0; i < z->count; i++)
        for (int64_t j = 0; j < y->count; j++)
            row[count++] = image + ((z->first + i * dilation[0]) * state->in_stride[2] +
                                    (y->first + j * dilation[1]) * state->in_stride[3]) *
                                       size;
    return count;
}

static void fill(float *y, float value, int64_t n)
{
    for (int64_t i = 0; i < n; i++) y[i] = value;
}

/* Points o .. of a C16 row, all with the taps of the first one (shifted). */
static void pixels(const struct pool_state *state, float *y, const float *x, int64_t o, int64_t n)
{
    const struct taps *taps = &state->taps[2][o];
    const jm_pool_kernels *pool = &state->kernels->pool;
    y += o * JM_LANES;
    if (taps->count == 0) {
        fill(y, state->maximum ? -INFINITY : 0, n * JM_LANES);
        return;
    }
    (state->maximum ? pool->max_pixels : pool->sum_pixels)(y, x + taps->first * JM_LANES, (size_t)n,
                                                           (size_t)state->g.stride[2], (size_t)taps->count,
                                                           (size_t)state->g.dilation[2]);
}

/* The same points of a plain row. */
static void points(const struct pool_state *state, float *y, const float *x, int64_t o, int64_t n)
{
    int64_t dilation = state->g.dilation[2];
    for (int64_t i = o; i < o + n; i++) {
        const struct taps *taps = &state->taps[2][i];
        float value = taps->count ? x[taps->first] : (state->maximum ? -INFINITY : 0);
        for (int64_t t = 1; t < taps->count; t++) {
            float next = x[taps->first + t * dilation];
            if (state->maximum)
                value = value > next || value != value ? value : next;
            else
                value += next;
        }
        y[i] = value;
    }
}

/* Sums to averages; windows without a tap stay 0. */
static void average(const struct pool_state *state, float *y, double area)
{
    int64_t width = state->g.out[2];
    for (int64_t o = 0; o < width;) {
        int64_t end = o + 1;
        double all = area * (double)state->taps[2][o].area;
        while (end < width && state->taps[2][end].area == state->taps[2][o].area) end++;
        float divisor[16];
        fill(divisor, all > 0 ? (float)all : 1, 16);
        float *from = y + o * state->lanes;
        state->kernels->pointwise.binary[JM_BINARY_DIV](from, from, JM_STEP_GROUP, divisor, JM_STEP_LANES,
                                                        (size_t)((end - o) * state->lanes));
        o = end;
    }
}

/* Of these windows the kernel finds the maxima without a combined row between. */
static bool has_window_kernel(const struct pool_state *state, size_t rows)
{
    return state->maximum && state->lanes == JM_LANES && rows == 3 && state->g.kernel[2] == 3 &&
           state->g.dilation[2] == 1 && state->g.stride[2] <= 2;
}

/* The points of a C16 row of maxima that do not see all columns: each from its own columns of the rows. */
static void edge_maxima(const struct pool_state *state, float *y, const float *const *row, size_t rows, float *combined,
                        int64_t begin, int64_t end)
{
    for (int64_t o = begin; o < end; o++) {
        const struct taps *taps = &state->taps[2][o];
        const float *part[3];
        for (size_t r = 0; r < rows; r++) part[r] = row[r] + taps->first * JM_LANES;
        state->kernels->pool.max_rows(combined + taps->first * JM_LANES, part, rows, (size_t)taps->count * JM_LANES);
        pixels(state, y, combined, o, 1);
    }
}

static void maxima_row(const struct pool_state *state, float *y, const float *const *row, size_t rows, float *combined)
{
    const int64_t begin = state->full_begin, end = JM_MAX(state->full_end, begin);
    edge_maxima(state, y, row, rows, combined, 0, begin);
    if (begin < end) {
        const float *part[3];
        for (size_t r = 0; r < rows; r++) part[r] = row[r] + state->taps[2][begin].first * JM_LANES;
        state->kernels->pool.max_window(y + begin * JM_LANES, part, rows, (size_t)(end - begin),
                                        (size_t)state->g.stride[2], (size_t)state->g.kernel[2]);
    }
    edge_maxima(state, y, row, rows, combined, end, state->g.out[2]);
}

/* One output row from the combined input row `x`. */
static void finish_row(const struct pool_state *state, float *y, const float *x, double area)
{
    void (*span)(const struct pool_state *, float *, const float *, int64_t, int64_t) =
        state->lanes == 1 ? points : pixels;
    for (int64_t o = 0; o < state->full_begin; o++) span(state, y, x, o, 1);
    if (state->full_begin < state->full_end) span(state, y, x, state->full_begin, state->full_end - state->full_begin);
    for (int64_t o = JM_MAX(state->full_end, state->full_begin); o < state->g.out[2]; o++) span(state, y, x, o, 1);
    if (state->average) average(state, y, area);
}

/* Copies rows that have gaps or another type, so that kernels see contiguous float32. */
static void load_rows(const struct pool_state *state, const jm_run *run, const void **row, size_t rows, float *loaded)
{
    int64_t width = state->g.in[2];
    size_t size = jm_dtype_size(state->dtype);
    char *raw = (char *)(loaded + (int64_t)state->max_rows * width);
    for (size_t r = 0; r < rows; r++, loaded += width) {
        bool same = state->dtype == JM_F32;
        jm_strided_gather(same ? (void *)loaded : raw, row[r], size, 1, &width, &state->in_stride[4], 0, width);
        if (!same && jm_convert(state->dtype, raw, JM_F32, loaded, (size_t)width) != JM_OK)
            atomic_store(run->fault, JM_INTERNAL);
        row[r] = loaded;
    }
}

static void store_row(const struct pool_state *state, const jm_run *run, char *y, const float *value, char *raw)
{
    int64_t width = state->g.out[2];
    bool same = state->dtype == JM_F32;
    if (!same && jm_convert(JM_F32, value, state->dtype, raw, (size_t)width) != JM_OK)
        atomic_store(run->fault, JM_INTERNAL);
    jm_strided_scatter(y, same ? (const void *)value : raw, jm_dtype_size(state->dtype), 1, &width,
                       &state->out_stride[4], 0, width);
}

/* Scratch: row addresses; the combined row; then, for plain rows with gaps or of another type, the loaded rows, one
 * row of the storage type and one output row (as wide as either side). */
static void pool_row(const struct pool_state *state, const jm_run *run, int64_t index)
{
    const jm_pool_geometry *g = &state->g;
    int64_t size = (int64_t)jm_dtype_size(state->dtype), rest = index;
    int64_t oy = rest % g->out[1], oz = (rest /= g->out[1]) % g->out[0], c = (rest /= g->out[0]) % state->blocks;
    int64_t n = rest / state->blocks;
    const struct taps *z = &state->taps[0][oz], *y = &state->taps[1][oy];
    const char *image = (const char *)run->in[0] + (n * state->in_stride[0] + c * state->in_stride[1]) * size;
    char *target = (char *)run->out[0] + (n * state->out_stride[0] + c * state->out_stride[1] +
                                          oz * state->out_stride[2] + oy * state->out_stride[3]) *
                                             size;
    const void **row = run->scratch;
    float *combined = (float *)(void *)(row + (state->max_rows + 15) / 16 * 16);
    int64_t wide = g->in[2] * state->lanes;
    float *loaded = combined + wide;
    size_t rows = window_rows(state, image, z, y, row);
    double area = (double)z->area * (double)y->area;
    bool direct = state->dtype == JM_F32 && state->in_stride[4] == state->lanes && state->out_stride[4] == state->lanes;
    if (!direct) load_rows(state, run, row, rows, loaded);
    if (direct && has_window_kernel(state, rows)) {
        maxima_row(state, (float *)(void *)target, (const float *const *)row, rows, combined);
        return;
    }
    const float *x = rows == 1 ? row[0] : combined;
    if (rows == 0) {
        fill(combined, state->maximum ? -INFINITY : 0, wide);
    } else if (rows > 1) {
        const jm_pool_kernels *pool = &state->kernels->pool;
        (state->maximum ? pool->max_rows : pool->sum_rows)(combined, (const float *const *)row, rows, (size_t)wide);
    }
    if (direct) {
        finish_row(state, (float *)(void *)target, x, area);
        return;
    }
    float *result = loaded + (int64_t)(state->max_rows + 1) * g->in[2];
    finish_row(state, result, x, area);
    store_row(state, run, target, result, (char *)(result + g->out[2]));
}

static void pool_run(const jm_plan *plan, const jm_run *run)
{
    const struct pool_state *state = plan->state;
    int64_t begin, end;
    jm_chunk_range(state->rows, state->chunks, run->chunk, &begin, &end);
    for (int64_t row = begin; row < end; row++) pool_row(state, run, row);
}

/* ---- Operators ---- */

static const jm_param max_pool_param[] = {JM_POOL_PARAMS};
static const jm_param average_pool_param[] = {
    JM_POOL_PARAMS,
    {.name = "count_include_pad", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: the average counts padding"},
};

const jm_op jm_op_max_pool = {
    .name = "MaxPool",
    .param = max_pool_param,
    .params = JM_COUNT(max_pool_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_F32 | 1u << JM_U8 | 1u << JM_I8,
    .formula = "maximum of the taps inside the input; NaN if any is NaN",
    .source = "ONNX MaxPool-12",
    .infer = jm_pool_infer,
    .forms = pool_forms,
    .plan = pool_plan,
    .run = pool_run,
    .flops = pool_flops,
};

const jm_op jm_op_average_pool = {
    .name = "AveragePool",
    .param = average_pool_param,
    .params = JM_COUNT(average_pool_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_F32,
    .formula = "sum of the taps inside the input / their number, or with padding counted",
    .source = "ONNX AveragePool-19",
    .infer = jm_pool_infer,
    .forms = pool_forms,
    .plan = pool_plan,
    .run = pool_run,
    .flops = pool_flops,
};

const jm_op jm_op_sum_pool = {
    .name = "SumPool",
    .param = max_pool_param,
    .params = JM_COUNT(max_pool_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_F32,
    .formula = "sum of the taps inside the input",
    .source = "AveragePool without the division; LpPool is made of it",
    .infer = jm_pool_infer,
    .forms = pool_forms,
    .plan = pool_plan,
    .run = pool_run,
    .flops = pool_flops,
};

/* Bytes of scratch, as pool_row divides it. */
static bool scratch_bytes(const struct pool_state *state, bool direct, size_t *bytes)
{
    size_t addresses, wide = (size_t)state->g.in[2] * (size_t)state->lanes, loaded = 0, total;
    if (!jm_size_mul((state->max_rows + 15) / 16 * 16, sizeof(void *), &addresses)) return false;
    if (!direct && !jm_size_mul(state->max_rows + 1, (size_t)state->g.in[2], &loaded)) return false;
    if (!direct && !jm_size_add(loaded, 2 * (size_t)state->g.out[2], &loaded)) return false;
    if (!jm_size_add(wide, loaded, &total) || !jm_size_mul(total, sizeof(float), &total)) return false;
    return jm_size_add(addresses, total, bytes);
}

static jm_status pool_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    struct pool_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    jm_pool_geometry *g = &state->g;
    JM_TRY(jm_pool_resolve(call, g));
    state->kernels = machine->kernels;
    state->dtype = in->dtype;
    state->maximum = call->op == &jm_op_max_pool;
    state->average = call->op == &jm_op_average_pool;
    state->lanes = in->layout == JM_C16 ? JM_LANES : 1;
    state->batch = in->shape.dim[0];
    state->blocks = in->layout == JM_C16 ? jm_channel_blocks(in->shape.dim[1], in->map) : in->shape.dim[1];
    for (int k = 0; k < in->shape.rank; k++) {
        int to = k < 2 ? k : k + 3 - g->spatial;
        state->in_stride[to] = in->stride[k];
        state->out_stride[to] = out->stride[k];
    }
    state->rows = state->batch * state->blocks * g->out[0] * g->out[1];
    state->chunks = 1;
    if (state->rows == 0 || g->out[2] == 0) {
        state->rows = 0;
        return JM_OK;
    }
    bool include_pad = call->op == &jm_op_average_pool && call->attr[JM_POOL_ATTRS].i != 0;
    for (int k = 0; k < 3; k++) JM_TRY(plan_taps(g, k, include_pad, arena, &state->taps[k]));
    while (state->full_begin < g->out[2] && state->taps[2][state->full_begin].count < g->kernel[2]) state->full_begin++;
    state->full_end = state->full_begin;
    while (state->full_end < g->out[2] && state->taps[2][state->full_end].count == g->kernel[2]) state->full_end++;

    bool direct = state->dtype == JM_F32 && state->in_stride[4] == state->lanes && state->out_stride[4] == state->lanes;
    state->max_rows = (size_t)JM_MIN(g->kernel[0], g->in[0]);
    if (!jm_size_mul(state->max_rows, (size_t)JM_MIN(g->kernel[1], g->in[1]), &state->max_rows) ||
        !scratch_bytes(state, direct, &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the window is too large");
    const double row_bytes = (double)JM_MAX(g->in[2], g->out[2]) * state->lanes * sizeof(float);
    state->chunks = plan->chunks =
        jm_chunk_count(machine, row_bytes * (double)state->rows * (double)state->max_rows, state->rows);
    return JM_OK;
}
