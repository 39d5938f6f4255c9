/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/conv_pack.h"

jm_status jm_lane_channels(int64_t channels, const jm_channel_map *map, jm_arena *arena, int32_t **channel)
{
    const size_t lanes = (size_t)jm_channel_blocks(channels, map) * JM_LANES;
    *channel = jm_arena_alloc(arena, lanes, sizeof(**channel));
    if (!*channel) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < lanes; i++) (*channel)[i] = -1;
    for (int64_t c = 0; c < channels; c++) (*channel)[jm_channel_lane(map, c)] = (int32_t)c;
    return JM_OK;
}

jm_status jm_channel_order(int64_t channels, const jm_channel_map *map, jm_arena *arena, int32_t **order)
{
    JM_TRY(jm_lane_channels(channels, map, arena, order));
    const size_t lanes = (size_t)jm_channel_blocks(channels, map) * JM_LANES;
    size_t count = 0;
    for (size_t i = 0; i < lanes; i++)
        if ((*order)[i] >= 0) (*order)[count++] = (*order)[i];
    return JM_OK;
}

jm_status jm_half_blocks(int64_t channels, const jm_channel_map *map, jm_arena *arena, const bool **half)
{
    const int64_t blocks = jm_channel_blocks(channels, map);
    int32_t *channel;
    JM_TRY(jm_lane_channels(channels, map, arena, &channel));
    bool *result = jm_arena_alloc(arena, (size_t)blocks, sizeof(*result));
    if (!result) return JM_OUT_OF_MEMORY;
    for (int64_t b = 0; b < blocks; b++) {
        result[b] = true;
        for (int j = JM_LANES / 2; j < JM_LANES; j++) result[b] = result[b] && channel[b * JM_LANES + j] < 0;
    }
    *half = result;
    return JM_OK;
}

void jm_pack_block(const jm_weight_view *weights, const int32_t *order, size_t channels, const int32_t filter[16],
                   float *packed)
{
    for (size_t t = 0; t < weights->taps; t++) {
        const float *tap = weights->data + weights->tap_offset[t];
        for (size_t i = 0; i < channels; i++, packed += JM_LANES) {
            const float *value = tap + (order ? order[i] : (ptrdiff_t)i) * weights->channel_stride;
            for (int j = 0; j < JM_LANES; j++)
                packed[j] = filter[j] < 0 ? 0.0f : value[filter[j] * weights->filter_stride];
        }
    }
}

void jm_pack_block_winograd(const jm_weight_view *weights, jm_winograd kind, const int32_t *order, size_t channels,
                            const int32_t filter[16], float *packed)
{
    const size_t positions = jm_winograd_positions(kind);
    for (size_t i = 0; i < channels; i++) {
        for (int j = 0; j < JM_LANES; j++) {
            float tap[9], transformed[JM_WINOGRAD_MAX_SIZE * JM_WINOGRAD_MAX_SIZE] = {0};
            if (filter[j] >= 0) {
                const float *value =
                    weights->data + order[i] * weights->channel_stride + filter[j] * weights->filter_stride;
                for (int t = 0; t < 9; t++) tap[t] = value[weights->tap_offset[t]];
                jm_winograd_filter(kind, tap, transformed);
            }
            for (size_t p = 0; p < positions; p++) packed[(p * channels + i) * JM_LANES + j] = transformed[p];
        }
    }
}

void jm_pack_lanes(const float *values, ptrdiff_t stride, const int32_t *channel, size_t lanes, float *packed)
{
    for (size_t i = 0; i < lanes; i++) packed[i] = channel[i] < 0 ? 0.0f : values[channel[i] * stride];
}
