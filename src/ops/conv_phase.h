/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolution and transposed convolution as the same thing. Output points of a transposed convolution with the same
 * remainder by the stride read the same kernel taps, at steps of one input point: each remainder is a phase, which is a
 * small convolution. A convolution is one phase.
 */
#ifndef JUMAR_OPS_CONV_PHASE_H
#define JUMAR_OPS_CONV_PHASE_H

#include "ops/conv_geometry.h"
#include "ops/tap_row.h"

/* The taps of one phase along one axis: kernel points kernel + i * kernel_gap read input points step * output point +
 * input + i * input_gap, for i < count. */
typedef struct jm_conv_axis {
    int64_t count;
    int64_t kernel, kernel_gap;
    int64_t input, input_gap;
} jm_conv_axis;

/* Phases along each axis: 1, or the stride where the output has as many points. */
void jm_conv_phase_counts(const jm_conv_geometry *geometry, bool transposed, int64_t count[3]);
jm_conv_axis jm_conv_phase_axis(const jm_conv_geometry *geometry, bool transposed, int axis, int64_t phase);

typedef struct jm_conv_phases {
    int64_t count[3];
    int64_t out_step[3]; /* output point = out_step * point of the phase + phase */
    struct jm_conv_phase {
        jm_tap_set taps;
        size_t weight;  /* first weight within a block, in elements */
    } * phase;          /* [count z][count y][count x] */
    size_t block_depth; /* weights of a block of 16 filters, in elements */
} jm_conv_phases;

/* `base` holds what the phases share: in, stride, lane, runs, depth. JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_conv_phases_create(jm_conv_phases *phases, const jm_conv_geometry *geometry, bool transposed,
                                            const jm_tap_set *base, const jm_conv_run *channel_run, jm_arena *arena);

/* How many taps of the kernel the phases read: all, but in a transposed convolution whose output is smaller than its
 * stride. False when the number overflows. */
bool jm_conv_tap_count(const jm_conv_geometry *geometry, bool transposed, size_t *taps);
/* Those taps in the order of the phases, as offsets for jm_weight_view: [taps] from the arena. */
JM_MUST_USE jm_status jm_conv_tap_offsets(const jm_conv_geometry *geometry, bool transposed, const jm_tensor *weights,
                                          jm_arena *arena, ptrdiff_t **offset, size_t *taps);

/* Output points x .. x + points - 1 of row (z, y) of the output. `tile` as in jm_tap_row, but weight is that of the
 * block, and output and output_pixel those of the output points. */
void jm_conv_phase_row(const jm_conv_phases *phases, const jm_conv_kernels *kernels, const float *image,
                       const int64_t at[3], int64_t points, const jm_conv_tile *tile);

#endif
