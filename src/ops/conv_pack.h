/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights and biases in the order of the tile kernel: [blocks of 16 output lanes][taps][input channels][16].
 */
#ifndef JUMAR_OPS_CONV_PACK_H
#define JUMAR_OPS_CONV_PACK_H

#include "base/alloc.h"
#include "base/status.h"
#include "kernels/winograd.h"
#include "tensor/tensor.h"

/* The channel of each of 16 * blocks lanes of a C16 tensor, -1 where there is none; from the arena. */
JM_MUST_USE jm_status jm_lane_channels(int64_t channels, const jm_channel_map *map, jm_arena *arena, int32_t **channel);
/* The channels in the order of their lanes, without gaps: [channels] from the arena. */
JM_MUST_USE jm_status jm_channel_order(int64_t channels, const jm_channel_map *map, jm_arena *arena, int32_t **order);

/* Whether no more than lanes 0 .. 7 of each block have channels: [blocks] from the arena. */
JM_MUST_USE jm_status jm_half_blocks(int64_t channels, const jm_channel_map *map, jm_arena *arena, const bool **half);

/* Where the weights lie: weight (filter, channel, tap) at data + filter * filter_stride + channel * channel_stride +
 * tap_offset[tap]. Strides in elements. */
typedef struct jm_weight_view {
    const float *data;
    ptrdiff_t filter_stride, channel_stride;
    const ptrdiff_t *tap_offset;
    size_t taps;
} jm_weight_view;

/* Packs one block: packed[taps][channels][16]. order[channels] lists the input channels (NULL: 0, 1, ...);
 * filter[16] the filter of each lane, -1 where there is none: its weights are 0. */
void jm_pack_block(const jm_weight_view *weights, const int32_t *order, size_t channels, const int32_t filter[16],
                   float *packed);
/* The same transformed for Winograd's algorithm: packed[positions][channels][16], from the 9 taps of a 3 x 3 kernel. */
void jm_pack_block_winograd(const jm_weight_view *weights, jm_winograd kind, const int32_t *order, size_t channels,
                            const int32_t filter[16], float *packed);
/* Packs a value per channel into lanes; 0 where there is no channel. `stride` is that of `values`. */
void jm_pack_lanes(const float *values, ptrdiff_t stride, const int32_t *channel, size_t lanes, float *packed);

#endif
