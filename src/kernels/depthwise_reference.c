/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "kernels/depthwise.h"

static void jm_f32_depthwise_1x16__reference(const jm_depthwise_row *row)
{
    for (size_t p = 0; p < row->pixels; p++) {
        const float *input = row->input + (ptrdiff_t)p * row->input_pixel;
        for (int j = 0; j < 16; j++) {
            float sum = row->start[j];
            for (size_t t = 0; t < row->taps; t++) {
                sum = fmaf(input[row->offset[t] + j], row->weight[(size_t)row->index[t] * 16 + j], sum);
            }
            row->output[p * 16 + j] = sum;
        }
    }
}

void jm_depthwise_kernels_init__reference(jm_depthwise_kernels *kernels)
{
    *kernels = (jm_depthwise_kernels){.row = jm_f32_depthwise_1x16__reference};
}
