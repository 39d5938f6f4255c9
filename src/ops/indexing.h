/* SPDX-License-Identifier: Apache-2.0
 *
 * What operators share that visit elements one by one: a walk over up to three tensors, indices read at run time, and
 * the cut into chunks.
 */
#ifndef JUMAR_OPS_INDEXING_H
#define JUMAR_OPS_INDEXING_H

#include "ops/op.h"

#define JM_WALK_STREAMS 3

/* Positions in row-major order, and the byte offset of each in up to three tensors. */
typedef struct jm_walk {
    int rank;
    int64_t count;
    int64_t dim[JM_MAX_RANK];
    int64_t stride[JM_WALK_STREAMS][JM_MAX_RANK]; /* bytes */
} jm_walk;

/* Adds a dimension, inside of the earlier ones. Strides are in bytes, 0 for streams that stand still. Start from
 * {.count = 1}. */
static inline void jm_walk_add(jm_walk *walk, int64_t dim, int64_t a, int64_t b, int64_t c)
{
    walk->dim[walk->rank] = dim;
    walk->stride[0][walk->rank] = a;
    walk->stride[1][walk->rank] = b;
    walk->stride[2][walk->rank++] = c;
    walk->count *= dim;
}

/* Offsets of position i in [0, count). */
static inline void jm_walk_at(const jm_walk *walk, int64_t i, int64_t offset[JM_WALK_STREAMS])
{
    offset[0] = offset[1] = offset[2] = 0;
    for (int k = walk->rank - 1; k >= 0; k--) {
        int64_t at = i % walk->dim[k];
        i /= walk->dim[k];
        for (int s = 0; s < JM_WALK_STREAMS; s++) offset[s] += at * walk->stride[s][k];
    }
}

/* Bytes from one index of dimension k to the next. */
static inline int64_t jm_byte_stride(const jm_tensor *tensor, int k)
{
    return tensor->stride[k] * (int64_t)jm_dtype_size(tensor->dtype);
}

/* A dimension that indices point into. */
typedef struct jm_index_axis {
    int64_t dim;
    int64_t stride; /* bytes */
} jm_index_axis;

/* JM_INVALID_ARGUMENT unless input `input` is int32 or int64. */
JM_MUST_USE jm_status jm_index_check(const jm_call *call, int input);
/* Adds the offset that the index stored at `index` stands for. False, and *offset unchanged, when it is not in
 * [-dim, dim). */
static inline bool jm_index_add(const jm_index_axis *axis, jm_dtype dtype, const void *index, int64_t *offset)
{
    int64_t value = jm_element_to_i64(dtype, index);
    if (value < 0) value += axis->dim;
    if (value < 0 || value >= axis->dim) return false;
    *offset += value * axis->stride;
    return true;
}
/* Stores JM_OUT_OF_RANGE as the fault of a run. */
static inline void jm_index_fault(const jm_run *run)
{
    atomic_store_explicit(run->fault, JM_OUT_OF_RANGE, memory_order_relaxed);
}

/* Where the elements of a JM_COUNTED output lie once its dimension `axis` is known to be `count`: row-major without
 * gaps where the whole output has none, else by its own strides. In elements. */
static inline void jm_counted_strides(const jm_tensor *out, int axis, int64_t count, int64_t stride[JM_MAX_RANK])
{
    const bool dense = jm_tensor_contiguous(out);
    int64_t step = 1;
    for (int k = out->shape.rank - 1; k >= 0; k--) {
        stride[k] = dense ? step : out->stride[k];
        step *= k == axis ? count : out->shape.dim[k];
    }
}

/* Chunks for work that moves `bytes` in `pieces` that must stay whole. */
size_t jm_chunk_count(const jm_machine *machine, double bytes, int64_t pieces);
/* Pieces of one chunk: [*begin, *end). */
static inline void jm_chunk_range(int64_t pieces, size_t chunks, size_t chunk, int64_t *begin, int64_t *end)
{
    int64_t share = pieces / (int64_t)chunks, rest = pieces % (int64_t)chunks, i = (int64_t)chunk;
    *begin = i * share + JM_MIN(i, rest);
    *end = *begin + share + (i < rest);
}

#endif
