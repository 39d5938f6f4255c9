/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/depthwise.h"
#include "kernels/vector.h"

VEC_INLINE void depthwise_of(const jm_depthwise_row *row, size_t first, const int pixels)
{
    const ptrdiff_t input_pixel = row->input_pixel;
    const float *input = row->input + (ptrdiff_t)first * input_pixel;
    float *output = row->output + first * 16;
    __m512 sum[12];
    VEC_UNROLL for (int p = 0; p < pixels; p++) sum[p] = _mm512_load_ps(row->start);
    for (size_t t = 0; t < row->taps; t++) {
        const float *tap = input + row->offset[t];
        __m512 w = _mm512_load_ps(row->weight + (size_t)row->index[t] * 16);
        VEC_UNROLL for (int p = 0; p < pixels; p++)
        {
            sum[p] = _mm512_fmadd_ps(_mm512_loadu_ps(tap + p * input_pixel), w, sum[p]);
        }
    }
    VEC_UNROLL for (int p = 0; p < pixels; p++) _mm512_storeu_ps(output + p * 16, sum[p]);
}

static void depthwise_pixel(const jm_depthwise_row *row, size_t p)
{
    const float *input = row->input + (ptrdiff_t)p * row->input_pixel;
    __m512 sum = _mm512_load_ps(row->start);
    for (size_t t = 0; t < row->taps; t++) {
        const __m512 w = _mm512_load_ps(row->weight + (size_t)row->index[t] * 16);
        sum = _mm512_fmadd_ps(_mm512_loadu_ps(input + row->offset[t]), w, sum);
    }
    _mm512_storeu_ps(row->output + p * 16, sum);
}

static void jm_f32_depthwise_12x16__avx512(const jm_depthwise_row *row)
{
    size_t p = 0;
    for (; row->pixels - p >= 12; p += 12) depthwise_of(row, p, 12);
    for (; row->pixels - p >= 4; p += 4) depthwise_of(row, p, 4);
    for (; p < row->pixels; p++) depthwise_pixel(row, p);
}

void jm_depthwise_kernels_init__avx512(jm_depthwise_kernels *kernels)
{
    *kernels = (jm_depthwise_kernels){.row = jm_f32_depthwise_12x16__avx512};
}
