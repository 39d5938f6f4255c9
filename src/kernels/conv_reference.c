/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>

#include "kernels/conv.h"

static float finished(const jm_conv_tile *tile, float x)
{
    if (tile->leak && x < 0) x = tile->slope * x;
    if (!tile->clamp) return x;
    x = tile->low > x ? tile->low : x;
    return tile->high < x ? tile->high : x;
}

static void jm_f32_conv_tile_6x16__reference(const jm_conv_tile *tile)
{
    const int lanes = tile->half ? 8 : 16;
    for (int b = 0; b < tile->blocks; b++) {
        for (ptrdiff_t p = 0; p < tile->pixels; p++) {
            float *output = tile->output + b * tile->output_block + p * tile->output_pixel;
            const float *start = tile->start ? tile->start + b * 16 : NULL;
            const float *weight = tile->weight + (size_t)b * tile->weight_block;
            float before[16], sum[16]; /* what the segment's sum is added to */
            for (int j = 0; j < lanes; j++) {
                before[j] = start ? start[j] : 0;
                sum[j] = start ? 0 : output[j];
            }
            for (size_t r = 0; r < tile->runs; r++) {
                if (r && r % tile->segment == 0) {
                    for (int j = 0; j < lanes; j++) {
                        before[j] = start || r > tile->segment ? before[j] + sum[j] : sum[j];
                        sum[j] = 0;
                    }
                }
                const float *input = tile->input + p * tile->input_pixel + tile->run[r].offset;
                for (size_t i = 0; i < tile->run[r].count; i++, weight += 16) {
                    float x = input[(ptrdiff_t)i * tile->input_lane];
                    for (int j = 0; j < lanes; j++) sum[j] = fmaf(x, weight[j], sum[j]);
                }
            }
            const bool only = !start && tile->runs <= tile->segment;
            for (int j = 0; j < lanes; j++) output[j] = finished(tile, only ? sum[j] : before[j] + sum[j]);
            for (int j = lanes; start && j < 16; j++) output[j] = 0;
        }
    }
}

void jm_conv_kernels_init__reference(jm_conv_kernels *kernels)
{
    *kernels = (jm_conv_kernels){
        .tile_pixels = {0, 6, 0, 0, 0},
        .tile = jm_f32_conv_tile_6x16__reference,
    };
}
