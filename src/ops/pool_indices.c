/* SPDX-License-Identifier: Apache-2.0
 *
 * Where maxima are: MaxPoolIndices, the second output of ONNX's MaxPool, and MaxUnpool, which puts values back there.
 */
#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/compose.h"
#include "ops/indexing.h"
#include "ops/pool.h"
#include "ops/strided.h"

/* ---- MaxPoolIndices ---- */

enum { ATTR_COLUMNS = JM_POOL_ATTRS, ATTR_EACH_MAP, ATTR_TYPE };

typedef struct max_indices {
    jm_pool_geometry g;
    const jm_pool_kernels *kernels;
    jm_dtype dtype, index_dtype;
    bool columns;  /* positions in a map are counted along columns */
    bool each_map; /* and from 0 in each map */
    bool direct;   /* rows of X are contiguous float32 */
    bool maxima;   /* output 1 is wanted */
    int64_t channels, rows;
    int64_t in_stride[5], out_stride[2][5]; /* n, c, z, y, x in elements */
    size_t chunks;
} max_indices;

static jm_status infer_indices(jm_call *call)
{
    JM_TRY(jm_pool_infer(call));
    call->out[0].dtype = call->attr[ATTR_TYPE].dtype;
    if (call->out[0].dtype != JM_I64 && call->out[0].dtype != JM_I32)
        return jm_call_error(call, JM_UNSUPPORTED, "indices cannot be %s", jm_dtype_text(call->out[0].dtype));
    if (call->outputs < 2) return JM_OK;
    call->out[1].dtype = call->in[0].dtype;
    call->out[1].shape = call->out[0].shape;
    return JM_OK;
}

/* The first tap inside the input of window `at` along dimension k; the input's size where there is none. */
static int64_t first_tap(const jm_pool_geometry *g, int k, int64_t at)
{
    const int64_t start = at * g->stride[k] - g->before[k], dilation = g->dilation[k];
    const int64_t tap = start < 0 ? start + (-start + dilation - 1) / dilation * dilation : start;
    return JM_MIN(tap, g->in[k]);
}

/* Behind the last tap of a window inside the input. */
static int64_t tap_end(const jm_pool_geometry *g, int k, int64_t at)
{
    return JM_MIN(at * g->stride[k] - g->before[k] + (g->kernel[k] - 1) * g->dilation[k] + 1, g->in[k]);
}

typedef struct index_row {
    float *best; /* [out x] */
    int32_t *index;
    float *loaded; /* [in x] */
    void *raw;     /* of the storage type, as wide as either side */
} index_row;

/* A row of X as float32, which holds every type of X exactly. */
static const float *load_row(const max_indices *m, const jm_run *run, const char *row, const index_row *scratch)
{
    const int64_t width = m->g.in[2];
    if (m->direct) return (const float *)(const void *)row;
    const bool same = m->dtype == JM_F32;
    jm_strided_gather(same ? (void *)scratch->loaded : scratch->raw, row, jm_dtype_size(m->dtype), 1, &width,
                      &m->in_stride[4], 0, width);
    if (!same && jm_convert(m->dtype, scratch->raw, JM_F32, scratch->loaded, (size_t)width) != JM_OK)
        atomic_store(run->fault, JM_INTERNAL);
    return scratch->loaded;
}

/* The taps of one input row, which begins at index `base` of its map. */
static void add_row(const max_indices *m, const float *x, int32_t base, const index_row *scratch)
{
    const jm_pool_geometry *g = &m->g;
    const int64_t stride = g->stride[2];
    if (g->kernel[2] > g->in[2]) { /* taps outside may be far more than those inside */
        for (int64_t i = 0; i < g->out[2]; i++)
            for (int64_t tap = first_tap(g, 2, i); tap < tap_end(g, 2, i); tap += g->dilation[2])
                m->kernels->max_tap(scratch->best + i, scratch->index + i, x + tap, 1, 1, base + (int32_t)tap);
        return;
    }
    for (int64_t t = 0; t < g->kernel[2]; t++) {
        const int64_t shift = t * g->dilation[2] - g->before[2];
        if (shift >= g->in[2]) break;
        const int64_t begin = shift < 0 ? (-shift + stride - 1) / stride : 0;
        const int64_t end = JM_MIN((g->in[2] - 1 - shift) / stride + 1, g->out[2]), from = begin * stride + shift;
        if (begin < end)
            m->kernels->max_tap(scratch->best + begin, scratch->index + begin, x + from, (size_t)(end - begin),
                                (size_t)stride, base + (int32_t)from);
    }
}

static int64_t place_of(const max_indices *m, int64_t map, int64_t index)
{
    const jm_pool_geometry *g = &m->g;
    if (m->columns) {
        const int64_t x = index % g->in[2], y = index / g->in[2] % g->in[1], z = index / g->in[2] / g->in[1];
        index = (x * g->in[1] + y) * g->in[0] + z;
    }
    return m->each_map ? index : map * g->in[0] * g->in[1] * g->in[2] + index;
}

static void store_row(const max_indices *m, const jm_run *run, int64_t map, const int64_t at[4],
                      const index_row *scratch)
{
    const int64_t width = m->g.out[2];
    int64_t offset[2] = {0, 0};
    for (int o = 0; o < 2; o++)
        for (int k = 0; k < 4; k++) offset[o] += at[k] * m->out_stride[o][k];
    if (m->index_dtype == JM_I64) {
        int64_t *to = (int64_t *)run->out[0] + offset[0];
        for (int64_t i = 0; i < width; i++) to[i * m->out_stride[0][4]] = place_of(m, map, scratch->index[i]);
    } else {
        int32_t *to = (int32_t *)run->out[0] + offset[0];
        for (int64_t i = 0; i < width; i++) to[i * m->out_stride[0][4]] = (int32_t)place_of(m, map, scratch->index[i]);
    }
    if (!m->maxima) return;
    const bool same = m->dtype == JM_F32;
    const size_t size = jm_dtype_size(m->dtype);
    if (!same && jm_convert(JM_F32, scratch->best, m->dtype, scratch->raw, (size_t)width) != JM_OK)
        atomic_store(run->fault, JM_INTERNAL);
    jm_strided_scatter((char *)run->out[1] + offset[1] * (int64_t)size, same ? (void *)scratch->best : scratch->raw,
                       size, 1, &width, &m->out_stride[1][4], 0, width);
}

static void find_row(const max_indices *m, const jm_run *run, int64_t row, const index_row *scratch)
{
    const jm_pool_geometry *g = &m->g;
    const int64_t size = (int64_t)jm_dtype_size(m->dtype), map = row / g->out[1] / g->out[0];
    const int64_t at[4] = {map / m->channels, map % m->channels, row / g->out[1] % g->out[0], row % g->out[1]};
    const char *x = (const char *)run->in[0] + (at[0] * m->in_stride[0] + at[1] * m->in_stride[1]) * size;
    const int64_t z_begin = first_tap(g, 0, at[2]), y_begin = first_tap(g, 1, at[3]);
    for (int64_t i = 0; i < g->out[2]; i++) {
        const int64_t tap = first_tap(g, 2, i);
        const bool inside = z_begin < g->in[0] && y_begin < g->in[1] && tap < g->in[2];
        scratch->best[i] = -INFINITY;
        scratch->index[i] = inside ? (int32_t)((z_begin * g->in[1] + y_begin) * g->in[2] + tap) : 0;
    }
    for (int64_t z = z_begin; z < tap_end(g, 0, at[2]); z += g->dilation[0])
        for (int64_t y = y_begin; y < tap_end(g, 1, at[3]); y += g->dilation[1]) {
            const char *begin = x + (z * m->in_stride[2] + y * m->in_stride[3]) * size;
            add_row(m, load_row(m, run, begin, scratch), (int32_t)((z * g->in[1] + y) * g->in[2]), scratch);
        }
    store_row(m, run, map, at, scratch);
}

/* Best values, their places, a loaded row, a row of the storage type. */
static index_row divide_scratch(const max_indices *m, void *scratch)
{
    const int64_t out = m->g.out[2], in = m->g.in[2];
    float *at = scratch;
    return (index_row){
        .best = at, .index = (int32_t *)(void *)(at + out), .loaded = at + 2 * out, .raw = at + 2 * out + in};
}

static void run_indices(const jm_plan *plan, const jm_run *run)
{
    const max_indices *m = plan->state;
    const index_row scratch = divide_scratch(m, run->scratch);
    int64_t begin, end;
    jm_chunk_range(m->rows, m->chunks, run->chunk, &begin, &end);
    for (int64_t row = begin; row < end; row++) find_row(m, run, row, &scratch);
}

static jm_status plan_indices(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[0];
    max_indices *m = jm_arena_alloc(arena, 1, sizeof(*m));
    if (!m) return JM_OUT_OF_MEMORY;
    plan->state = m;
    JM_TRY(jm_pool_resolve(call, &m->g));
    const jm_pool_geometry *g = &m->g;
    const jm_shape map = {.rank = 3, .dim = {g->in[0], g->in[1], g->in[2]}};
    int64_t area;
    if (jm_shape_count(&map, &area) != JM_OK || area > INT32_MAX || g->out[2] > INT32_MAX)
        return jm_call_error(call, JM_UNSUPPORTED, "a map has more than 2^31 elements");
    m->kernels = &machine->kernels->pool;
    m->dtype = in->dtype;
    m->index_dtype = call->out[0].dtype;
    m->columns = call->attr[ATTR_COLUMNS].i != 0;
    m->each_map = call->attr[ATTR_EACH_MAP].i != 0;
    m->maxima = call->outputs > 1;
    m->channels = in->shape.dim[1];
    m->rows = in->shape.dim[0] * m->channels * g->out[0] * g->out[1];
    for (int k = 0; k < in->shape.rank; k++) {
        const int to = k < 2 ? k : k + 3 - g->spatial;
        m->in_stride[to] = in->stride[k];
        for (int o = 0; o < call->outputs; o++) m->out_stride[o][to] = call->out[o].stride[k];
    }
    m->direct = m->dtype == JM_F32 && m->in_stride[4] == 1;
    const size_t in_width = (size_t)g->in[2], out_width = (size_t)g->out[2];
    plan->scratch = (2 * out_width + in_width + JM_MAX(in_width, out_width)) * sizeof(float);
    const double taps = (double)g->kernel[0] * (double)g->kernel[1] * (double)g->kernel[2];
    m->chunks = plan->chunks =
        jm_chunk_count(machine, (double)m->rows * (double)out_width * taps * sizeof(float), m->rows);
    return JM_OK;
}

static const jm_param indices_param[] = {
    JM_POOL_TENSORS,
    {.name = "maxima", .kind = JM_PARAM_OUTPUT, .flags = JM_OPTIONAL, .doc = "what MaxPool gives"},
    JM_POOL_WINDOW,
    {.name = "storage_order", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: count along columns"},
    {.name = "each_map", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL | JM_GRAPH_ONLY, .doc = "1: count in each map"},
    {.name = "index_type",
     .kind = JM_PARAM_DTYPE,
     .flags = JM_OPTIONAL | JM_GRAPH_ONLY,
     .i = JM_I64,
     .doc = "int64 or int32"},
};

const jm_op jm_op_max_pool_indices = {
    .name = "MaxPoolIndices",
    .param = indices_param,
    .params = JM_COUNT(indices_param),
    .dtypes = JM_DTYPES_F32 | 1u << JM_U8 | 1u << JM_I8,
    .formula = "where each maximum of MaxPool is in X, counted over all of X; the first of equal ones, the last NaN",
    .source = "the output Indices of ONNX MaxPool-12",
    .infer = infer_indices,
    .plan = plan_indices,
    .run = run_indices,
};

/* ---- MaxUnpool ---- */

enum { X, INDICES, OUTPUT_SHAPE };
enum { ATTR_KERNEL, ATTR_PADS, ATTR_STRIDES };

/* The shape that a MaxPool with these attributes would have read. */
static jm_status pooled_shape(const jm_call *call, jm_shape *shape)
{
    const int spatial = call->in[X].shape.rank - 2;
    const jm_attr *kernel = &call->attr[ATTR_KERNEL], *pads = &call->attr[ATTR_PADS];
    const jm_attr *strides = &call->attr[ATTR_STRIDES];
    *shape = call->in[X].shape;
    if (spatial < 1 || kernel->count != spatial || (pads->count && pads->count != 2 * spatial) ||
        (strides->count && strides->count != spatial))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "kernel_shape has %d numbers, pads %d and strides %d for %d spatial dimensions",
                             (int)kernel->count, (int)pads->count, (int)strides->count, spatial);
    for (int k = 0; k < spatial; k++) {
        const int64_t stride = strides->count ? strides->ints[k] : 1, kernel_size = kernel->ints[k];
        const int64_t pad = pads->count ? pads->ints[k] + pads->ints[spatial + k] : 0, limit = (int64_t)1 << 31;
        int64_t *dim = &shape->dim[2 + k];
        if (*dim < 0) continue;
        if (stride < 1 || stride > limit || kernel_size < 1 || kernel_size > limit || pad < 0 || pad > limit ||
            *dim > limit)
            return jm_call_error(call, JM_INVALID_ARGUMENT,
                                 "dimension %d: a kernel of %lld, pads of %lld, a stride of %lld", 2 + k,
                                 (long long)kernel_size, (long long)pad, (long long)stride);
        *dim = (*dim - 1) * stride - pad + kernel_size;
        if (*dim < 1)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "dimension %d would have %lld points", 2 + k,
                                 (long long)*dim);
    }
    return JM_OK;
}

static jm_status infer_unpool(jm_call *call)
{
    jm_shape pooled, *out = &call->out[0].shape;
    JM_TRY(jm_index_check(call, INDICES));
    JM_TRY(pooled_shape(call, &pooled));
    *out = pooled;
    call->out[0].dtype = call->in[X].dtype;
    if (!jm_shape_equal(&call->in[X].shape, &call->in[INDICES].shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X and the indices have different shapes");
    if (!jm_call_in(call, OUTPUT_SHAPE)) return JM_OK;
    JM_TRY(jm_call_host_ints(call, OUTPUT_SHAPE, out->dim, JM_MAX_RANK, &out->rank));
    for (int k = 0; k < pooled.rank; k++)
        if (out->rank != pooled.rank || out->dim[k] < pooled.dim[k])
            return jm_call_error(call, JM_INVALID_ARGUMENT, "output_shape is smaller than what the windows covered");
    return JM_OK;
}

static jm_status lower_unpool(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_shape pooled, flat = {.rank = 1, .dim = {1}}, points = {.rank = 2, .dim = {1, 1}};
    JM_TRY(pooled_shape(call, &pooled));
    JM_TRY(jm_shape_count(&pooled, &flat.dim[0]));
    JM_TRY(jm_shape_count(&call->in[X].shape, &points.dim[0]));
    const jm_shape values = {.rank = 1, .dim = {points.dim[0]}};
    jm_operand *zeros = jm_compose_expand(&c, jm_compose_scalar(&c, call->in[X].dtype, 0), &flat);
    jm_operand *y = jm_compose_3(&c, "ScatterND", zeros, jm_compose_reshape(&c, jm_compose_input(&c, INDICES), &points),
                                 jm_compose_reshape(&c, jm_compose_input(&c, X), &values));
    y = jm_compose_reshape(&c, y, &pooled);
    if (!jm_shape_equal(&pooled, &call->out[0].shape)) {
        int64_t pads[2 * JM_MAX_RANK] = {0};
        for (int k = 0; k < pooled.rank; k++) pads[pooled.rank + k] = call->out[0].shape.dim[k] - pooled.dim[k];
        y = jm_compose_2(&c, "Pad", y, jm_compose_ints(&c, pads, 2 * pooled.rank));
    }
    jm_compose_result(&c, 0, y);
    return jm_compose_end(&c);
}

static const jm_param unpool_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, spatial ...]"},
    {.name = "I",
     .kind = JM_PARAM_INPUT,
     .doc = "int32 or int64, where each element of X goes, counted over all of the output"},
    {.name = "output_shape",
     .kind = JM_PARAM_INPUT,
     .flags = JM_HOST | JM_OPTIONAL,
     .doc = "at least what the windows cover"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "[N, C, spatial ...]"},
    {.name = "kernel_shape", .kind = JM_PARAM_INTS, .doc = "taps of each spatial dimension"},
    {.name = "pads", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "begins, then ends"},
    {.name = "strides", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "distance of windows"},
};

const jm_op jm_op_max_unpool = {
    .name = "MaxUnpool",
    .param = unpool_param,
    .params = JM_COUNT(unpool_param),
    .formula = "output[I[i]] = X[i], 0 elsewhere",
    .source = "ONNX MaxUnpool-11",
    .infer = infer_unpool,
    .lower = lower_unpool,
};
