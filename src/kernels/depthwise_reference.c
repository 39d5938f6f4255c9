/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "kernels/depthwise.h"

static float clamp(float value, float low, float high)
{
    value = low > value ? low : value;
    return high < value ? high : value;
}

static void point(const jm_depthwise_rows *r, int64_t y, int64_t x, float *output)
{
    const int64_t top = y * r->stride[0] - r->before[0], left = x * r->stride[1] - r->before[1];
    for (int j = r->half ? 8 : 0; j < 16; j++) output[j] = 0;
    for (int j = 0; j < (r->half ? 8 : 16); j++) {
        float sum = r->start[j];
        for (int64_t i = 0; i < r->kernel[0]; i++) {
            for (int64_t k = 0; k < r->kernel[1]; k++) {
                const int64_t row = top + i * r->dilation[0], column = left + k * r->dilation[1];
                if (row < 0 || row >= r->in[0] || column < 0 || column >= r->in[1]) continue;
                sum = fmaf(r->input[row * r->input_row + column * 16 + j], r->weight[(i * r->kernel[1] + k) * 16 + j],
                           sum);
            }
        }
        output[j] = r->clamp ? clamp(sum, r->low, r->high) : sum;
    }
}

static void jm_f32_depthwise_rows__reference(const jm_depthwise_rows *rows)
{
    for (int64_t y = rows->begin; y < rows->end; y++) {
        float *output = rows->output + (y - rows->begin) * rows->output_row;
        for (int64_t x = 0; x < rows->columns; x++) point(rows, y, x, output + x * 16);
    }
}

static void jm_f32_planes__reference(const jm_planes *s)
{
    for (int64_t f = 0; f < s->filters; f++) {
        const float *weight = s->weight + f * s->weight_filter;
        for (int64_t p = 0; p < s->points; p++) {
            float total = s->start[f], sum = 0;
            for (size_t t = 0; t < s->taps; t++) {
                if (t && t % s->segment == 0) {
                    total += sum;
                    sum = 0;
                }
                sum = fmaf(s->input[p + s->tap[t].input], weight[s->tap[t].weight], sum);
            }
            s->output[f * s->output_filter + p] = total + sum;
        }
    }
}

void jm_depthwise_kernels_init__reference(jm_depthwise_kernels *kernels)
{
    *kernels = (jm_depthwise_kernels){.rows = jm_f32_depthwise_rows__reference, .planes = jm_f32_planes__reference};
}
