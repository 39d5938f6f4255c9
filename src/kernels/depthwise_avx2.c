/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/depthwise.h"
#include "kernels/vector.h"

VEC_INLINE void depthwise_of(const jm_depthwise_row *row, size_t first, const int pixels)
{
    const ptrdiff_t input_pixel = row->input_pixel;
    const float *input = row->input + (ptrdiff_t)first * input_pixel;
    float *output = row->output + first * 16;
    __m256 sum[6][2];
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        sum[p][0] = _mm256_load_ps(row->start);
        sum[p][1] = _mm256_load_ps(row->start + 8);
    }
    for (size_t t = 0; t < row->taps; t++) {
        const float *tap = input + row->offset[t], *weight = row->weight + (size_t)row->index[t] * 16;
        __m256 w0 = _mm256_load_ps(weight), w1 = _mm256_load_ps(weight + 8);
        VEC_UNROLL for (int p = 0; p < pixels; p++)
        {
            sum[p][0] = _mm256_fmadd_ps(_mm256_loadu_ps(tap + p * input_pixel), w0, sum[p][0]);
            sum[p][1] = _mm256_fmadd_ps(_mm256_loadu_ps(tap + p * input_pixel + 8), w1, sum[p][1]);
        }
    }
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        _mm256_storeu_ps(output + p * 16, sum[p][0]);
        _mm256_storeu_ps(output + p * 16 + 8, sum[p][1]);
    }
}

static void jm_f32_depthwise_6x16__avx2(const jm_depthwise_row *row)
{
    size_t p = 0;
    for (; row->pixels - p >= 6; p += 6) depthwise_of(row, p, 6);
    if (row->pixels - p >= 4) {
        depthwise_of(row, p, 4);
        p += 4;
    }
    for (; p < row->pixels; p++) depthwise_of(row, p, 1);
}

void jm_depthwise_kernels_init__avx2(jm_depthwise_kernels *kernels)
{
    *kernels = (jm_depthwise_kernels){.row = jm_f32_depthwise_6x16__avx2};
}
