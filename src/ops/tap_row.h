/* SPDX-License-Identifier: Apache-2.0
 *
 * One row of output points from taps: the loop between the tile kernel, which knows no images, and the convolutions.
 *
 * A tap reads the input point `step * output point + tap`, its channels as runs. Taps that fall outside the input are
 * skipped; as each output accumulates tap by tap, in the same segments, whatever tile it is computed in, its bits do
 * not depend on how rows are cut.
 */
#ifndef JUMAR_OPS_TAP_ROW_H
#define JUMAR_OPS_TAP_ROW_H

#include "base/alloc.h"
#include "kernels/kernels.h"
#include "tensor/tensor.h"

/* Points and taps are (z, y, x). */
typedef struct jm_tap_set {
    int64_t in[3];       /* size of the input */
    ptrdiff_t stride[3]; /* elements between input points */
    int64_t step[3];     /* input points between output points */
    ptrdiff_t lane;      /* elements between the channels of a run; 0: runs have one channel */
    size_t taps;
    size_t runs;             /* per tap */
    size_t depth;            /* channels per tap */
    size_t segment;          /* runs between cuts of the sums, see kernels/conv.h */
    int64_t (*tap)[3];       /* [taps] */
    jm_conv_run *run;        /* [taps][runs] */
    size_t *run_depth;       /* [taps][runs]: inputs before each run */
    int64_t low[3], high[3]; /* least and greatest tap: where all are inside, there is nothing to check */
} jm_tap_set;

/* `depth` inputs, `lane` elements apart, as *count runs of at most JM_CONV_SEGMENT (of 1 where lane is 0), so that sums
 * can be cut between them. NULL with a last error when memory runs out. */
jm_conv_run *jm_conv_runs_of(int64_t depth, ptrdiff_t lane, jm_arena *arena, size_t *count);

/* Runs between cuts of the sums when `runs` of them hold `depth` inputs: those of about JM_CONV_SEGMENT terms. */
static inline size_t jm_conv_segment(size_t runs, size_t depth)
{
    return JM_MAX(JM_CONV_SEGMENT * runs / JM_MAX(depth, 1), 1);
}

/* Fills `tap`, `run` (with the offsets of the taps added), `segment`, `low` and `high` for a box of taps: tap (i, j, k)
 * is first + (i, j, k) * gap. `channel_run` has set->runs entries, relative to an input point. The other fields must be
 * set. JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_tap_set_box(jm_tap_set *set, const int64_t first[3], const int64_t count[3],
                                     const int64_t gap[3], const jm_conv_run *channel_run, jm_arena *arena);

/* Computes output points (z, y, x) .. (z, y, x + points - 1) = at .. of tile->blocks blocks. `image` is input point 0.
 * The caller fills weight ([blocks][taps * depth][16]), weight_block, start, output (of the first point), the
 * distances of outputs, and blocks; the rest of *tile is used up. */
void jm_tap_row(const jm_tap_set *set, const jm_conv_kernels *kernels, const float *image, const int64_t at[3],
                int64_t points, jm_conv_tile *tile);

/* The number of blocks to compute together for rows of `points`: the widest that leaves its tiles full. */
int jm_tap_row_blocks(const jm_conv_kernels *kernels, int64_t points, int64_t blocks);

#endif
