/* SPDX-License-Identifier: Apache-2.0
 *
 * An output row is a blend of input rows, which kernels do in vectors, and then sums along the columns.
 */
#include "ops/separable.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/indexing.h"
#include "ops/strided.h"

#define MOST_ENTRIES ((int64_t)1 << 28)

jm_status jm_sparse_create(jm_arena *arena, int64_t in, int64_t out, int64_t entries, jm_sparse_axis *axis)
{
    *axis = (jm_sparse_axis){.in = in, .out = out};
    if (in > INT32_MAX || out > INT32_MAX || entries > MOST_ENTRIES)
        return jm_error(JM_OUT_OF_RANGE, "an axis of %lld and %lld points with %lld products is too long",
                        (long long)in, (long long)out, (long long)entries);
    axis->first = jm_arena_alloc(arena, (size_t)out + 1, sizeof(*axis->first));
    axis->index = jm_arena_alloc(arena, (size_t)entries + 1, sizeof(*axis->index));
    axis->weight = jm_arena_alloc(arena, (size_t)entries + 1, sizeof(*axis->weight));
    return axis->first && axis->index && axis->weight ? JM_OK : JM_OUT_OF_MEMORY;
}

jm_status jm_sparse_transpose(jm_arena *arena, const jm_sparse_axis *axis, jm_sparse_axis *out)
{
    const int64_t entries = axis->first[axis->out];
    JM_TRY(jm_sparse_create(arena, axis->out, axis->in, entries, out));
    int64_t *next = jm_arena_alloc(arena, (size_t)axis->in + 1, sizeof(*next));
    if (!next) return JM_OUT_OF_MEMORY;
    for (int64_t e = 0; e < entries; e++) out->first[axis->index[e] + 1]++;
    for (int64_t i = 0; i < axis->in; i++) out->first[i + 1] += out->first[i];
    memcpy(next, out->first, (size_t)axis->in * sizeof(*next));
    for (int64_t o = 0; o < axis->out; o++)
        for (int64_t e = axis->first[o]; e < axis->first[o + 1]; e++) {
            const int64_t to = next[axis->index[e]]++;
            out->index[to] = (int32_t)o;
            out->weight[to] = axis->weight[e];
        }
    return JM_OK;
}

/* ---- Run ---- */

typedef struct separable {
    const jm_pool_kernels *kernels;
    jm_dtype dtype;
    jm_sparse_axis axis[2];
    bool pairs;   /* point o of a row is the sum of points 2 o and 2 o + 1: what doubling a picture leads to */
    bool in_flat; /* input rows are contiguous float32 */
    bool out_flat;
    bool constant; /* every map is one element, multiplied and repeated */
    bool *repeats; /* [rows of a map]: the row is the one before it, as those of means are */
    int rank;      /* of the dims that number the maps */
    int64_t dim[JM_MAX_RANK], in_map[JM_MAX_RANK], out_map[JM_MAX_RANK];
    int64_t in_stride[2], out_stride[2], most_rows, rows;
    size_t chunks;
} separable;

/* Addresses of rows, the blended row, the result, loaded rows, a row of the storage type. */
typedef struct buffers {
    const float **row;
    float *blended, *result, *loaded;
    void *raw;
} buffers;

static size_t padded_rows(const separable *s)
{
    return ((size_t)s->most_rows + 15) / 16 * 16;
}

static buffers divide_scratch(const separable *s, void *scratch)
{
    buffers b = {.row = scratch};
    b.blended = (float *)(void *)(b.row + padded_rows(s));
    b.result = b.blended + s->axis[1].in;
    b.loaded = b.result + s->axis[1].out;
    b.raw = b.loaded + (s->in_flat ? 0 : s->most_rows * s->axis[1].in);
    return b;
}

static const float *load_row(const separable *s, const jm_run *run, const char *row, const buffers *b, int64_t number)
{
    const int64_t width = s->axis[1].in;
    const bool same = s->dtype == JM_F32;
    float *to = b->loaded + number * width;
    if (s->in_flat) return (const float *)(const void *)row;
    jm_strided_gather(same ? (void *)to : b->raw, row, jm_dtype_size(s->dtype), 1, &width, &s->in_stride[1], 0, width);
    if (!same && jm_convert(s->dtype, b->raw, JM_F32, to, (size_t)width) != JM_OK)
        atomic_store(run->fault, JM_INTERNAL);
    return to;
}

static void sum_pairs(float *restrict y, const float *restrict x, int64_t n)
{
    for (int64_t o = 0; o < n; o++) y[o] = x[2 * o] + x[2 * o + 1];
}

static void sum_columns(const separable *s, float *y, const float *x)
{
    const jm_sparse_axis *axis = &s->axis[1];
    if (s->pairs) {
        sum_pairs(y, x, axis->out);
        return;
    }
    for (int64_t o = 0; o < axis->out; o++) {
        int64_t e = axis->first[o];
        const int64_t end = axis->first[o + 1];
        float sum = e < end ? axis->weight[e] * x[axis->index[e]] : 0;
        for (e++; e < end; e++) sum = fmaf(axis->weight[e], x[axis->index[e]], sum);
        y[o] = sum;
    }
}

static void store_row(const separable *s, const jm_run *run, char *row, const buffers *b)
{
    const int64_t width = s->axis[1].out;
    const bool same = s->dtype == JM_F32;
    if (s->out_flat) return;
    if (!same && jm_convert(JM_F32, b->result, s->dtype, b->raw, (size_t)width) != JM_OK)
        atomic_store(run->fault, JM_INTERNAL);
    jm_strided_scatter(row, same ? (void *)b->result : b->raw, jm_dtype_size(s->dtype), 1, &width, &s->out_stride[1], 0,
                       width);
}

/* Row o of a map; `in` is its row 0. `again`: the row is that of the last call. */
static void run_row(const separable *s, const jm_run *run, const char *in, char *out, int64_t o, bool again,
                    const buffers *b)
{
    const jm_sparse_axis *axis = &s->axis[0];
    const int64_t size = (int64_t)jm_dtype_size(s->dtype);
    if (again) {
        if (s->out_flat) memcpy(out, out - s->out_stride[0] * size, (size_t)(s->axis[1].out * size));
        store_row(s, run, out, b);
        return;
    }
    const int64_t first = axis->first[o], count = axis->first[o + 1] - first;
    float *y = s->out_flat ? (float *)(void *)out : b->result;
    if (count == 0) {
        for (int64_t i = 0; i < s->axis[1].out; i++) y[i] = 0;
        store_row(s, run, out, b);
        return;
    }
    for (int64_t r = 0; r < count; r++)
        b->row[r] = load_row(s, run, in + axis->index[first + r] * s->in_stride[0] * size, b, r);
    const float *x = b->row[0];
    if (count > 1 || axis->weight[first] != 1) {
        s->kernels->blend_rows(b->blended, b->row, axis->weight + first, (size_t)count, (size_t)s->axis[1].in);
        x = b->blended;
    }
    sum_columns(s, y, x);
    store_row(s, run, out, b);
}

void jm_separable_run(const jm_plan *plan, const jm_run *run)
{
    const separable *s = plan->state;
    const buffers b = divide_scratch(s, run->scratch);
    const int64_t size = (int64_t)jm_dtype_size(s->dtype), rows = s->axis[0].out;
    int64_t begin, end;
    jm_chunk_range(s->rows, s->chunks, run->chunk, &begin, &end);
    while (begin < end) {
        const int64_t map = begin / rows, first = begin % rows, stop = JM_MIN(rows, first + end - begin);
        const char *in = (const char *)run->in[0] + jm_strided_offset(s->rank, s->dim, s->in_map, map) * size;
        char *out = (char *)run->out[0] + jm_strided_offset(s->rank, s->dim, s->out_map, map) * size;
        if (s->constant) {
            const float value = s->axis[1].weight[0] * (s->axis[0].weight[0] * *(const float *)(const void *)in);
            float *to = (float *)(void *)out;
            for (int64_t i = first * s->axis[1].out; i < stop * s->axis[1].out; i++) to[i] = value;
        }
        for (int64_t o = first; o < stop && !s->constant; o++)
            run_row(s, run, in, out + o * s->out_stride[0] * size, o, o > first && s->repeats[o], &b);
        begin += stop - first;
    }
}

/* ---- Plan ---- */

static bool repeats(const jm_sparse_axis *axis, int64_t o)
{
    const int64_t first = axis->first[o], before = axis->first[o - 1], count = first - before;
    bool same = count > 0 && axis->first[o + 1] - first == count;
    for (int64_t e = 0; same && e < count; e++)
        same = axis->index[first + e] == axis->index[before + e] && axis->weight[first + e] == axis->weight[before + e];
    return same;
}

/* Whether all points of an axis are the same multiple of one. */
static bool is_constant(const jm_sparse_axis *axis)
{
    bool constant = axis->in == 1 && axis->out > 0 && axis->first[1] == 1;
    for (int64_t o = 1; constant && o < axis->out; o++) constant = repeats(axis, o);
    return constant;
}

static bool is_pairs(const jm_sparse_axis *axis)
{
    bool pairs = axis->in == 2 * axis->out;
    for (int64_t o = 0; pairs && o < axis->out; o++) {
        pairs = axis->first[o] == 2 * o && axis->first[o + 1] == 2 * o + 2;
        for (int64_t e = 2 * o; pairs && e < 2 * o + 2; e++) pairs = axis->index[e] == e && axis->weight[e] == 1;
    }
    return pairs;
}

static bool scratch_bytes(const separable *s, size_t *bytes)
{
    const size_t in = (size_t)s->axis[1].in, out = (size_t)s->axis[1].out;
    size_t addresses, loaded = 0, total;
    if (!jm_size_mul(padded_rows(s), sizeof(void *), &addresses)) return false;
    if (!s->in_flat && !jm_size_mul((size_t)s->most_rows, in, &loaded)) return false;
    if (!jm_size_add(loaded, in + out + JM_MAX(in, out), &total) || !jm_size_mul(total, sizeof(float), &total))
        return false;
    return jm_size_add(addresses, total, bytes);
}

jm_status jm_separable_plan(const jm_call *call, int input, const jm_sparse_axis axis[2], const jm_machine *machine,
                            jm_arena *arena, jm_plan *plan)
{
    const jm_tensor *in = &call->in[input], *out = &call->out[0];
    separable *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    plan->state = s;
    s->kernels = &machine->kernels->pool;
    s->dtype = in->dtype;
    s->rank = in->shape.rank - 2;
    s->rows = axis[0].out;
    for (int k = 0; k < s->rank; k++) {
        s->dim[k] = in->shape.dim[k];
        s->in_map[k] = in->stride[k];
        s->out_map[k] = out->stride[k];
        s->rows *= s->dim[k];
    }
    for (int k = 0; k < 2; k++) {
        s->axis[k] = axis[k];
        s->in_stride[k] = in->stride[s->rank + k];
        s->out_stride[k] = out->stride[s->rank + k];
    }
    for (int64_t o = 0; o < axis[0].out; o++)
        s->most_rows = JM_MAX(s->most_rows, axis[0].first[o + 1] - axis[0].first[o]);
    s->pairs = is_pairs(&axis[1]);
    s->repeats = jm_arena_alloc(arena, (size_t)axis[0].out + 1, sizeof(*s->repeats));
    if (!s->repeats) return JM_OUT_OF_MEMORY;
    for (int64_t o = 1; o < axis[0].out; o++) s->repeats[o] = repeats(&axis[0], o);
    s->in_flat = s->dtype == JM_F32 && (s->in_stride[1] == 1 || axis[1].in == 1);
    s->out_flat = s->dtype == JM_F32 && (s->out_stride[1] == 1 || axis[1].out == 1);
    s->constant = is_constant(&axis[0]) && is_constant(&axis[1]) && s->in_flat && s->out_flat &&
                  (axis[0].out == 1 || s->out_stride[0] == axis[1].out);
    if (axis[1].out == 0) s->rows = 0;
    if (!scratch_bytes(s, &plan->scratch)) return jm_call_error(call, JM_OUT_OF_RANGE, "the rows are too long");
    const double bytes = (double)s->rows * (double)(s->most_rows * axis[1].in + axis[1].out) * sizeof(float);
    s->chunks = plan->chunks = jm_chunk_count(machine, bytes, s->rows);
    return JM_OK;
}
