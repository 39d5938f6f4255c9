/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes and tensors. A jm_tensor is a view: it describes elements somewhere in a storage that it does not own.
 *
 * Layouts
 *   plain   element (i0, i1, ...) lies at data + sum(i_k * stride[k]).
 *   C16     rank 3 or more, dimension 1 is channels. Channels lie in blocks of 16 lanes:
 *           element (n, c, y, x) lies at data + n*stride[0] + (lane(c)/16)*stride[1] + y*stride[2] + x*stride[3]
 *           + lane(c)%16, where lane(c) comes from the channel map (identity when map is NULL).
 *           The innermost spatial stride is 16. Lanes that no channel maps to hold unspecified values: kernels may
 *           write them and must not let them influence a mapped lane.
 *   packed  constants in the private order of one form of one operator; only that form reads them.
 */
#ifndef JUMAR_TENSOR_TENSOR_H
#define JUMAR_TENSOR_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "tensor/dtype.h"

#define JM_MAX_RANK 8
#define JM_LANES 16

/* dim[k] is -1 where unknown. Rank 0 is a scalar. */
typedef struct jm_shape {
    int rank;
    int64_t dim[JM_MAX_RANK];
} jm_shape;

typedef enum jm_layout { JM_PLAIN = 0, JM_C16 = 1, JM_PACKED = 2 } jm_layout;

/* Where each logical channel lies among the lanes of a C16 tensor. Immutable, borrowed by tensors.
 * In every block the used lanes are 0 .. count[block]-1. */
typedef struct jm_channel_map {
    int32_t channels;
    int32_t blocks;
    const int32_t *lane;  /* [channels], each in [0, 16*blocks), no two equal */
    const uint8_t *count; /* [blocks], 1..16 */
} jm_channel_map;

typedef struct jm_tensor {
    jm_dtype dtype; /* JM_DTYPE_NONE: an absent optional argument */
    jm_layout layout;
    jm_shape shape;              /* logical, whatever the layout */
    int64_t stride[JM_MAX_RANK]; /* in elements; C16: stride[1] is the distance between blocks */
    const jm_channel_map *map;   /* C16 only; NULL is identity */
    void *data;                  /* NULL while unknown */
    bool constant;               /* data is known at compile time and never changes */
} jm_tensor;

/* "[1,3,640,640]" into a buffer of the caller; unknown dims print as "?". Returns `text`. */
#define JM_SHAPE_TEXT 192
const char *jm_shape_text(const jm_shape *shape, char text[JM_SHAPE_TEXT]);
bool jm_shape_equal(const jm_shape *a, const jm_shape *b);
/* True when no dim is -1. */
bool jm_shape_known(const jm_shape *shape);
/* Product of dims (1 for a scalar). JM_INVALID_ARGUMENT: a negative dim; JM_OUT_OF_RANGE: more than 2^40. */
JM_MUST_USE jm_status jm_shape_count(const jm_shape *shape, int64_t *count);
/* Numpy broadcasting of two known or partly known shapes. JM_INVALID_ARGUMENT when they do not fit. */
JM_MUST_USE jm_status jm_shape_broadcast(const jm_shape *a, const jm_shape *b, jm_shape *out);
/* Axis in [-rank, rank) to [0, rank). */
JM_MUST_USE jm_status jm_axis_normalise(int64_t axis, int rank, int *out);

/* Blocks of 16 that a C16 tensor of these channels takes under the map (identity when NULL). */
int64_t jm_channel_blocks(int64_t channels, const jm_channel_map *map);
/* Lane of a channel. */
static inline int64_t jm_channel_lane(const jm_channel_map *map, int64_t channel)
{
    return map ? map->lane[channel] : channel;
}
/* Used lanes of a block; 16 except in the last block of an identity map. */
int jm_block_count(int64_t channels, const jm_channel_map *map, int64_t block);
/* Same lanes for same channels (NULL equals any identity map). */
bool jm_channel_map_equal(const jm_channel_map *a, const jm_channel_map *b, int64_t channels);

/* A tensor over freshly laid out storage: row-major strides, or [N][blocks][spatial...][16] for C16. data is NULL.
 * JM_INVALID_ARGUMENT: unknown dims, C16 with rank < 3. JM_OUT_OF_RANGE: more than 2^40 elements. */
JM_MUST_USE jm_status jm_tensor_init(jm_tensor *tensor, jm_dtype dtype, const jm_shape *shape, jm_layout layout,
                                     const jm_channel_map *map);
/* Bytes that storage of jm_tensor_init takes (for PLAIN and C16), lanes without a channel included. */
JM_MUST_USE jm_status jm_tensor_bytes(const jm_tensor *tensor, size_t *bytes);
/* Plain and row-major without gaps. */
bool jm_tensor_contiguous(const jm_tensor *tensor);
/* Address of a logical element; the caller guarantees the index. Slow: for tests and references. */
void *jm_tensor_at(const jm_tensor *tensor, const int64_t index[JM_MAX_RANK]);
/* Copies every logical element between any two layouts and strides of one shape and dtype. Slow reference. */
JM_MUST_USE jm_status jm_tensor_copy(const jm_tensor *source, const jm_tensor *target);

#endif
