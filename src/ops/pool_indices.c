/* SPDX-License-Identifier: Apache-2.0
 *
 * Where maxima are: MaxPoolIndices, the second output of ONNX's MaxPool, and MaxUnpool, which puts values back there.
 */
#include <string.h>

#include "ops/compose.h"
#include "ops/indexing.h"
#include "ops/pool.h"

/* ---- MaxPoolIndices ---- */

typedef struct max_indices {
    jm_pool_geometry g;
    jm_dtype dtype;
    bool columns;                        /* positions in a map are counted along columns */
    int64_t channels, points, units;     /* outputs of a map, of all */
    int64_t in_stride[5], out_stride[5]; /* n, c, z, y, x in elements */
    size_t chunks;
} max_indices;

static jm_status infer_indices(jm_call *call)
{
    JM_TRY(jm_pool_infer(call));
    call->out[0].dtype = JM_I64;
    return JM_OK;
}

/* The first of the largest elements under a window, as its index in the map; NaN is larger than anything. */
static int64_t find_maximum(const max_indices *m, const char *map, const int64_t at[3])
{
    const jm_pool_geometry *g = &m->g;
    const int64_t size = (int64_t)jm_dtype_size(m->dtype), taps = g->kernel[0] * g->kernel[1] * g->kernel[2];
    int64_t best = 0;
    double maximum = 0;
    bool found = false;
    for (int64_t tap = 0; tap < taps; tap++) {
        const int64_t own[3] = {tap / g->kernel[2] / g->kernel[1], tap / g->kernel[2] % g->kernel[1],
                                tap % g->kernel[2]};
        int64_t index[3], offset = 0;
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            index[k] = at[k] * g->stride[k] - g->before[k] + own[k] * g->dilation[k];
            inside = inside && index[k] >= 0 && index[k] < g->in[k];
            offset += index[k] * m->in_stride[2 + k];
        }
        if (!inside) continue;
        const double value = jm_element_to_f64(m->dtype, map + offset * size);
        if (found && !(value > maximum || (value != value && maximum == maximum))) continue;
        found = true;
        maximum = value;
        best = m->columns ? (index[2] * g->in[1] + index[1]) * g->in[0] + index[0]
                          : (index[0] * g->in[1] + index[1]) * g->in[2] + index[2];
    }
    return best;
}

static void run_indices(const jm_plan *plan, const jm_run *run)
{
    const max_indices *m = plan->state;
    const jm_pool_geometry *g = &m->g;
    const int64_t size = (int64_t)jm_dtype_size(m->dtype), area = g->in[0] * g->in[1] * g->in[2];
    int64_t begin, end;
    jm_chunk_range(m->units, m->chunks, run->chunk, &begin, &end);
    for (int64_t unit = begin; unit < end; unit++) {
        const int64_t map = unit / m->points, n = map / m->channels, c = map % m->channels;
        int64_t rest = unit % m->points, at[3];
        for (int k = 2; k >= 0; k--) {
            at[k] = rest % g->out[k];
            rest /= g->out[k];
        }
        const char *from = (const char *)run->in[0] + (n * m->in_stride[0] + c * m->in_stride[1]) * size;
        int64_t *to = (int64_t *)run->out[0] + n * m->out_stride[0] + c * m->out_stride[1];
        for (int k = 0; k < 3; k++) to += at[k] * m->out_stride[2 + k];
        *to = map * area + find_maximum(m, from, at);
    }
}

static jm_status plan_indices(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    max_indices *m = jm_arena_alloc(arena, 1, sizeof(*m));
    if (!m) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_pool_resolve(call, &m->g));
    m->dtype = in->dtype;
    m->columns = call->attr[JM_POOL_ATTRS].i != 0;
    m->channels = in->shape.dim[1];
    m->points = m->g.out[0] * m->g.out[1] * m->g.out[2];
    m->units = jm_tensor_elements(out);
    for (int k = 0; k < in->shape.rank; k++) {
        const int to = k < 2 ? k : k + 3 - m->g.spatial;
        m->in_stride[to] = in->stride[k];
        m->out_stride[to] = out->stride[k];
    }
    const double taps = (double)m->g.kernel[0] * (double)m->g.kernel[1] * (double)m->g.kernel[2];
    m->chunks = plan->chunks = jm_chunk_count(machine, (double)m->units * taps * sizeof(float), m->units);
    plan->state = m;
    return JM_OK;
}

static const jm_param indices_param[] = {
    JM_POOL_PARAMS,
    {.name = "storage_order", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: count along columns"},
};

const jm_op jm_op_max_pool_indices = {
    .name = "MaxPoolIndices",
    .param = indices_param,
    .params = JM_COUNT(indices_param),
    .dtypes = JM_DTYPES_FLOAT | 1u << JM_U8 | 1u << JM_I8,
    .formula = "where each maximum of MaxPool is in X, counted over all of X; the first of equal ones",
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
