/* SPDX-License-Identifier: Apache-2.0
 *
 * Gradients of pooling in two dimensions, and pooling to a given size: AvgPool2dGrad, AdaptiveAvgPool2d and its
 * gradient, MaxPool2dIndicesGrad. What maxima get is added in ascending order of the windows.
 */
#include <string.h>

#include "kernels/kernels.h"
#include "ops/indexing.h"
#include "ops/pool_2d.h"
#include "ops/separable.h"
#include "ops/strided.h"

/* ---- Windows as matrices ---- */

/* Where a window lies inside the input, and what its elements weigh. */
typedef struct window {
    int64_t begin, end;
    float weight;
} window;

typedef window (*window_function)(const void *context, int k, int64_t o);

static jm_status window_axis(jm_arena *arena, int64_t in, int64_t out, window_function function, const void *context,
                             int k, jm_sparse_axis *axis)
{
    int64_t entries = 0;
    for (int64_t o = 0; o < out; o++) {
        const window w = function(context, k, o);
        entries += JM_MAX(w.end - w.begin, 0);
    }
    JM_TRY(jm_sparse_create(arena, in, out, entries, axis));
    entries = 0;
    for (int64_t o = 0; o < out; o++) {
        const window w = function(context, k, o);
        for (int64_t i = w.begin; i < w.end; i++, entries++) {
            axis->index[entries] = (int32_t)i;
            axis->weight[entries] = w.weight;
        }
        axis->first[o + 1] = entries;
    }
    return JM_OK;
}

/* The matrices of both axes, transposed for a gradient. */
static jm_status window_axes(jm_arena *arena, const int64_t in[2], const int64_t out[2], window_function function,
                             const void *context, bool gradient, jm_sparse_axis axis[2])
{
    for (int k = 0; k < 2; k++) {
        jm_sparse_axis forward;
        JM_TRY(window_axis(arena, in[k], out[k], function, context, k, &forward));
        if (gradient)
            JM_TRY(jm_sparse_transpose(arena, &forward, &axis[k]));
        else
            axis[k] = forward;
    }
    return JM_OK;
}

/* Inputs 0 and 1 are dY and X: dY is of the type of X and has the shape `want`. */
static jm_status check_gradient(const jm_call *call, const jm_shape *want)
{
    char have[JM_SHAPE_TEXT], expected[JM_SHAPE_TEXT];
    if (call->in[0].dtype != call->in[1].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "dY is %s and X %s; they must be the same",
                             jm_dtype_text(call->in[0].dtype), jm_dtype_text(call->in[1].dtype));
    if (jm_shape_equal(&call->in[0].shape, want)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "dY has shape %s and must have %s",
                         jm_shape_text(&call->in[0].shape, have), jm_shape_text(want, expected));
}

static jm_status infer_gradient(jm_call *call, const jm_shape *want)
{
    JM_TRY(check_gradient(call, want));
    call->out[0].dtype = call->in[1].dtype;
    call->out[0].shape = call->in[1].shape;
    return JM_OK;
}

/* ---- AvgPool2dGrad ---- */

enum { AVERAGE_INCLUDE = JM_POOL_2D_ATTRS, AVERAGE_DIVISOR };

typedef struct average {
    jm_pool_2d p;
    bool include;
    int64_t divisor; /* 0: the number of elements */
} average;

static window average_window(const void *context, int k, int64_t o)
{
    const average *a = context;
    const int64_t start = o * a->p.stride[k] - a->p.padding[k];
    const int64_t end = JM_MIN(start + a->p.kernel[k], a->p.in[k] + a->p.padding[k]);
    window w = {.begin = JM_MAX(start, 0), .end = JM_MIN(end, a->p.in[k])};
    const int64_t count = a->include ? end - start : w.end - w.begin;
    w.weight = 1.0f / (float)JM_MAX(count, 1);
    if (a->divisor) w.weight = k == 0 ? 1.0f / (float)a->divisor : 1;
    return w;
}

static jm_status average_infer(jm_call *call)
{
    jm_pool_2d p;
    JM_TRY(jm_pool_2d_resolve(call, &call->in[1].shape, &p));
    for (int k = 0; k < 2; k++)
        if (p.dilation[k] != 1)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "dilation is %lld and must be 1", (long long)p.dilation[k]);
    const jm_shape want = jm_pool_2d_shape(&p, &call->in[1].shape);
    return infer_gradient(call, &want);
}

static jm_status average_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    average a = {.include = call->attr[AVERAGE_INCLUDE].i != 0, .divisor = call->attr[AVERAGE_DIVISOR].i};
    jm_sparse_axis axis[2];
    JM_TRY(jm_pool_2d_resolve(call, &call->in[1].shape, &a.p));
    JM_TRY(window_axes(arena, a.p.in, a.p.out, average_window, &a, true, axis));
    return jm_separable_plan(call, 0, axis, machine, arena, plan);
}

static const jm_param average_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W] or [C, H, W]; only its shape counts"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
    JM_POOL_2D_WINDOW,
    {.name = "count_include_pad", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "as in AvgPool2d"},
    {.name = "divisor", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "as in AvgPool2d"},
};

const jm_op jm_op_avg_pool_2d_grad = {
    .name = "AvgPool2dGrad",
    .param = average_param,
    .params = JM_COUNT(average_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "the sum of dY / divisor of all windows over an element",
    .source = "PyTorch avg_pool2d_backward",
    .infer = average_infer,
    .plan = average_plan,
    .run = jm_separable_run,
};

/* ---- AdaptiveAvgPool2d ---- */

typedef struct adaptive {
    int64_t in[2], out[2];
} adaptive;

static window adaptive_window(const void *context, int k, int64_t o)
{
    const adaptive *a = context;
    window w = {.begin = o * a->in[k] / a->out[k], .end = ((o + 1) * a->in[k] + a->out[k] - 1) / a->out[k]};
    w.weight = 1.0f / (float)JM_MAX(w.end - w.begin, 1);
    return w;
}

static jm_status check_rank(const jm_call *call, const jm_shape *shape)
{
    if (shape->rank == 3 || shape->rank == 4) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "the input has rank %d and must have 3 or 4", shape->rank);
}

static jm_status adaptive_infer(jm_call *call)
{
    const jm_attr *size = &call->attr[0];
    jm_shape *out = &call->out[0].shape;
    JM_TRY(check_rank(call, &call->in[0].shape));
    if (size->count != 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "size has %d numbers and must have 2", (int)size->count);
    *out = call->in[0].shape;
    for (int k = 0; k < 2; k++) {
        int64_t *dim = &out->dim[out->rank - 2 + k];
        if (size->ints[k] < 0 || size->ints[k] > INT32_MAX || *dim > INT32_MAX || (*dim == 0 && size->ints[k] > 0))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "size[%d] is %lld for %lld elements", k,
                                 (long long)size->ints[k], (long long)*dim);
        *dim = size->ints[k];
    }
    call->out[0].dtype = call->in[0].dtype;
    return JM_OK;
}

static void adaptive_sizes(const jm_shape *x, const jm_shape *y, adaptive *a)
{
    for (int k = 0; k < 2; k++) {
        a->in[k] = x->dim[x->rank - 2 + k];
        a->out[k] = y->dim[y->rank - 2 + k];
    }
}

static jm_status adaptive_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                               jm_plan *plan)
{
    (void)form;
    adaptive a;
    jm_sparse_axis axis[2];
    adaptive_sizes(&call->in[0].shape, &call->out[0].shape, &a);
    JM_TRY(window_axes(arena, a.in, a.out, adaptive_window, &a, false, axis));
    return jm_separable_plan(call, 0, axis, machine, arena, plan);
}

static const jm_param adaptive_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W] or [C, H, W]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "X with the last two dims of size"},
    {.name = "size", .kind = JM_PARAM_INTS, .doc = "2 numbers: rows and columns"},
};

const jm_op jm_op_adaptive_avg_pool_2d = {
    .name = "AdaptiveAvgPool2d",
    .param = adaptive_param,
    .params = JM_COUNT(adaptive_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "means over rows floor(y H / h) to ceil((y + 1) H / h), columns likewise",
    .source = "PyTorch adaptive_avg_pool2d",
    .infer = adaptive_infer,
    .plan = adaptive_plan,
    .run = jm_separable_run,
};

static jm_status adaptive_grad_infer(jm_call *call)
{
    const jm_shape *dy = &call->in[0].shape;
    jm_shape want = call->in[1].shape;
    JM_TRY(check_rank(call, &want));
    for (int k = want.rank - 2; k < want.rank && dy->rank == want.rank; k++) {
        if (dy->dim[k] > INT32_MAX || want.dim[k] > INT32_MAX || (want.dim[k] == 0 && dy->dim[k] > 0))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%lld elements cannot be the mean of %lld",
                                 (long long)dy->dim[k], (long long)want.dim[k]);
        want.dim[k] = dy->dim[k];
    }
    return infer_gradient(call, &want);
}

static jm_status adaptive_grad_plan(const jm_call *call, const jm_form *form, const jm_machine *machine,
                                    jm_arena *arena, jm_plan *plan)
{
    (void)form;
    adaptive a;
    jm_sparse_axis axis[2];
    adaptive_sizes(&call->in[1].shape, &call->in[0].shape, &a);
    JM_TRY(window_axes(arena, a.in, a.out, adaptive_window, &a, true, axis));
    return jm_separable_plan(call, 0, axis, machine, arena, plan);
}

static const jm_param adaptive_grad_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W] or [C, H, W]; only its shape counts"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
};

const jm_op jm_op_adaptive_avg_pool_2d_grad = {
    .name = "AdaptiveAvgPool2dGrad",
    .param = adaptive_grad_param,
    .params = JM_COUNT(adaptive_grad_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "the sum of dY / count of all windows over an element",
    .source = "PyTorch adaptive_avg_pool2d_backward",
    .infer = adaptive_grad_infer,
    .plan = adaptive_grad_plan,
    .run = jm_separable_run,
};

/* ---- MaxPool2dIndicesGrad ---- */

enum { DY, X, INDICES };

typedef struct scatter_state {
    jm_dtype dtype, index_dtype;
    bool flat;                        /* maps of dX are contiguous float32: sums are made there */
    int rank;                         /* of the dims that number the maps */
    int64_t dim[2], map_stride[3][2]; /* of dY, dX, indices */
    int64_t in[2], out[2], stride[3][2];
    int64_t maps;
    size_t chunks;
} scatter_state;

static jm_status scatter_infer(jm_call *call)
{
    jm_pool_2d p;
    JM_TRY(jm_index_check(call, INDICES));
    JM_TRY(jm_pool_2d_resolve(call, &call->in[X].shape, &p));
    const jm_shape want = jm_pool_2d_shape(&p, &call->in[X].shape);
    if (!jm_shape_equal(&call->in[INDICES].shape, &call->in[DY].shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "dY and indices must have the same shape");
    return infer_gradient(call, &want);
}

static int64_t offset_of(const scatter_state *s, int tensor, int64_t map)
{
    return jm_strided_offset(s->rank, s->dim, s->map_stride[tensor], map);
}

/* A row of dY as float32 is read through a piece of this many elements. */
#define PIECE 256

static void add_piece(const scatter_state *s, const jm_run *run, float *sum, const char *dy, const char *index,
                      int64_t n)
{
    const int64_t size = (int64_t)jm_dtype_size(s->dtype), area = s->in[0] * s->in[1], step = s->stride[2][1];
    float buffer[PIECE];
    uint16_t half[PIECE];
    const bool same = s->dtype == JM_F32, wide = s->index_dtype != JM_I32;
    const float *value = buffer;
    if (same && s->stride[0][1] == 1)
        value = (const float *)(const void *)dy;
    else
        jm_strided_gather(same ? (void *)buffer : half, dy, (size_t)size, 1, &n, &s->stride[0][1], 0, n);
    if (!same && jm_convert(s->dtype, half, JM_F32, buffer, (size_t)n) != JM_OK) atomic_store(run->fault, JM_INTERNAL);
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = i * step;
        const int64_t place =
            wide ? ((const int64_t *)(const void *)index)[at] : ((const int32_t *)(const void *)index)[at];
        if (place < 0 || place >= area)
            jm_index_fault(run);
        else
            sum[place] += value[i];
    }
}

static void scatter_map(const scatter_state *s, const jm_run *run, int64_t map)
{
    const int64_t size = (int64_t)jm_dtype_size(s->dtype), index_size = (int64_t)jm_dtype_size(s->index_dtype);
    const int64_t area = s->in[0] * s->in[1];
    const char *dy = (const char *)run->in[DY] + offset_of(s, 0, map) * size;
    const char *index = (const char *)run->in[INDICES] + offset_of(s, 2, map) * index_size;
    char *dx = (char *)run->out[0] + offset_of(s, 1, map) * size;
    float *sum = s->flat ? (float *)(void *)dx : run->scratch;
    memset(sum, 0, (size_t)area * sizeof(float));
    for (int64_t y = 0; y < s->out[0]; y++)
        for (int64_t x = 0; x < s->out[1]; x += PIECE)
            add_piece(s, run, sum, dy + (y * s->stride[0][0] + x * s->stride[0][1]) * size,
                      index + (y * s->stride[2][0] + x * s->stride[2][1]) * index_size, JM_MIN(PIECE, s->out[1] - x));
    if (s->flat) return;
    for (int64_t i = 0; i < area; i += PIECE) {
        const int64_t n = JM_MIN(PIECE, area - i);
        uint16_t half[PIECE];
        const bool same = s->dtype == JM_F32;
        if (!same && jm_convert(JM_F32, sum + i, s->dtype, half, (size_t)n) != JM_OK)
            atomic_store(run->fault, JM_INTERNAL);
        jm_strided_scatter(dx, same ? (const void *)(sum + i) : half, (size_t)size, 2, s->in, s->stride[1], i, n);
    }
}

static void scatter_run(const jm_plan *plan, const jm_run *run)
{
    const scatter_state *s = plan->state;
    int64_t begin, end;
    jm_chunk_range(s->maps, s->chunks, run->chunk, &begin, &end);
    for (int64_t map = begin; map < end; map++) scatter_map(s, run, map);
}

static jm_status scatter_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    scatter_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    plan->state = s;
    const jm_tensor *tensor[3] = {&call->in[DY], &call->out[0], &call->in[INDICES]};
    s->dtype = call->in[DY].dtype;
    s->index_dtype = call->in[INDICES].dtype;
    s->rank = call->out[0].shape.rank - 2;
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < s->rank + 2; k++)
            *(k < s->rank ? &s->map_stride[t][k] : &s->stride[t][k - s->rank]) = tensor[t]->stride[k];
    for (int k = 0; k < s->rank; k++) s->dim[k] = call->out[0].shape.dim[k];
    for (int k = 0; k < 2; k++) {
        s->in[k] = call->out[0].shape.dim[s->rank + k];
        s->out[k] = call->in[DY].shape.dim[s->rank + k];
    }
    /* Rows that follow each other in dY and indices are one. */
    if (s->stride[0][0] == s->out[1] * s->stride[0][1] && s->stride[2][0] == s->out[1] * s->stride[2][1]) {
        s->out[1] *= s->out[0];
        s->out[0] = 1;
    }
    s->maps = jm_pool_2d_maps(&call->out[0].shape);
    const int64_t area = s->in[0] * s->in[1];
    if (area == 0) s->maps = 0;
    s->flat = s->dtype == JM_F32 && s->stride[1][1] == 1 && (s->stride[1][0] == s->in[1] || s->in[0] == 1);
    if (!s->flat && !jm_size_mul((size_t)area, sizeof(float), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "a map is too large");
    s->chunks = plan->chunks = jm_chunk_count(machine, (double)s->maps * (double)area * 8, s->maps);
    return JM_OK;
}

static const jm_param scatter_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W] or [C, H, W]; only its shape counts"},
    {.name = "indices", .kind = JM_PARAM_INPUT, .doc = "int32 or int64, of MaxPool2dIndices"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
    JM_POOL_2D_WINDOW,
};

const jm_op jm_op_max_pool_2d_indices_grad = {
    .name = "MaxPool2dIndicesGrad",
    .param = scatter_param,
    .params = JM_COUNT(scatter_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "the sum of dY of all windows whose maximum is at an element",
    .source = "PyTorch max_pool2d_with_indices_backward",
    .infer = scatter_infer,
    .plan = scatter_plan,
    .run = scatter_run,
};
