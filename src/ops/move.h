/* SPDX-License-Identifier: Apache-2.0
 *
 * Strided copies: the one engine behind every operator that only moves elements. An operator describes its work at
 * plan time as a list of moves; jm_moves_run copies them chunk by chunk.
 *
 * A move is a loop nest: for all i, out[out_offset + sum(i_k * out_stride[k])] = in[in_offset + sum(i_k *
 * in_stride[k])]. Two moves of one list never write the same element, so chunks are independent and their order is
 * free.
 */
#ifndef JUMAR_OPS_MOVE_H
#define JUMAR_OPS_MOVE_H

#include "ops/op.h"

#define JM_MOVE_RANK (2 * JM_MAX_RANK)
#define JM_MOVE_ZEROS (-1) /* `in` of a move that writes zeros */
#define JM_MOVE_CLEAR INT64_MIN

typedef struct jm_move {
    int in, out;                   /* arguments of the call; the input may be JM_MOVE_ZEROS, with strides of 0 */
    int64_t in_offset, out_offset; /* bytes */
    int rank;
    int64_t dim[JM_MOVE_RANK];
    int64_t in_stride[JM_MOVE_RANK];  /* bytes; 0 repeats, negative walks back */
    int64_t out_stride[JM_MOVE_RANK]; /* bytes, positive */
    /* NULL: the nest visits elements. Else it visits points of a block of 16 lanes, and [JM_LANES] says how many bytes
     * from the point in the input each lane comes from; JM_MOVE_CLEAR: the lane becomes zero. */
    const int64_t *lane;

    /* Filled by jm_moves_add. The last two dims are the tile loops, cut into tasks of row_step x col_step. */
    int64_t row_step, col_step;
    int64_t first_task, tasks;
} jm_move;

typedef struct jm_moves {
    jm_arena *arena;
    size_t element;                   /* bytes: 1, 2, 4 or 8 */
    const struct jm_kernels *kernels; /* of jm_moves_finish; NULL: none are used */
    jm_move *move;
    size_t count, capacity;
    int64_t tasks;
    double bytes;
    size_t chunks;
    /* Points of the latest output copied in whole blocks, whose unused lanes are zero therefore. */
    int filled;
    int64_t filled_points;
} jm_moves;

/* An empty list in the arena. NULL with a last error when memory runs out. */
jm_moves *jm_moves_create(jm_arena *arena, jm_dtype dtype);
/* Adds a copy of `move`, normalised: dims of 1 dropped, loops in the order of the output, joined where both sides
 * allow. Moves of no elements are dropped. JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_moves_add(jm_moves *moves, const jm_move *move);

/* One side of a copy between tensors of any layout: a window of a tensor. Logical index (i0, i1, ...) of the copy lies
 * at offset + sum(i_k * stride[k]), and channel index i1 of a C16 tensor is the tensor's channel
 * `channel + i1 * channel_step`. */
typedef struct jm_side {
    int argument;
    jm_layout layout;
    const jm_channel_map *map;
    int64_t offset;              /* elements */
    int64_t stride[JM_MAX_RANK]; /* elements; C16: stride[1] is the distance between blocks */
    int64_t channel, channel_step;
    int64_t channels; /* of the whole tensor */
} jm_side;

/* The whole tensor as a side. */
jm_side jm_side_of(const jm_tensor *tensor, int argument);
/* Moves the window: index i along `axis` becomes start + i * step, in any layout. */
void jm_side_slice(jm_side *side, int axis, int64_t start, int64_t step);
/* Adds the moves of a copy of `shape` elements between two windows. JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_moves_copy(jm_moves *moves, const jm_shape *shape, const jm_side *from, const jm_side *to);
/* Adds moves that clear the lanes of a C16 output that no channel maps to, so that equal tensors have equal bytes.
 * Does nothing for other layouts. JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_moves_clear_lanes(jm_moves *moves, const jm_tensor *out, int argument);

/* Ends the list: it becomes the state of `plan`, cut into chunks for the machine's threads. */
void jm_moves_finish(jm_moves *moves, const jm_machine *machine, jm_plan *plan);
/* jm_op.run of every operator whose state is a jm_moves. */
void jm_moves_run(const jm_plan *plan, const jm_run *run);

/* Runs every move at once between two addresses, whatever their arguments: for operators whose offsets are data. */
void jm_moves_apply(const jm_moves *moves, void *out, const void *in);

/* Lanes of C16 points to rows: out[l * out_row + p * out_point] = in[p * 16 + l] for l < lanes, p < points; strides in
 * elements. */
void jm_lanes_to_rows(const struct jm_kernels *kernels, float *out, ptrdiff_t out_row, ptrdiff_t out_point,
                      const float *in, int lanes, int64_t points);

/* Cost of a form (jm_form.cost) that moves `count` elements of this type once. */
double jm_move_cost(jm_dtype dtype, int64_t count);
/* A form of an operator that moves the elements of its outputs once, any maps, any output strides, not in place. */
jm_form jm_move_form(const jm_call *call, uint8_t id, const char *name, jm_layout in, jm_layout out);

#endif
