/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/conv.h"
#include "kernels/vector.h"

/* Up to 28 accumulators of 32 registers: 14 x 32, 9 x 48 or 6 x 64. `pixels` and `blocks` are constants in every
 * caller of these two. */
VEC_INLINE void add_input(__m512 sum[14][JM_CONV_MAX_BLOCKS], const float *input, ptrdiff_t input_pixel,
                          const float *weight, size_t weight_block, const int pixels, const int blocks)
{
    __m512 w[JM_CONV_MAX_BLOCKS];
    VEC_UNROLL for (int b = 0; b < blocks; b++) w[b] = _mm512_load_ps(weight + (size_t)b * weight_block);
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        const __m512 x = _mm512_set1_ps(input[p * input_pixel]);
        VEC_UNROLL for (int b = 0; b < blocks; b++) sum[p][b] = _mm512_fmadd_ps(x, w[b], sum[p][b]);
    }
}

/* Runs of different blocks lie far apart, where no hardware prefetcher follows: asks for the inputs of the next run, at
 * the end for those of the next pixels. */
VEC_INLINE void prefetch(const jm_conv_tile *tile, const jm_conv_run *run, const int pixels)
{
    const jm_conv_run *ahead = run + 1;
    const float *input = tile->input;
    if (ahead == tile->run + tile->runs) {
        ahead = tile->run;
        input += pixels * tile->input_pixel;
    }
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        _mm_prefetch((const char *)(input + ahead->offset + p * tile->input_pixel), _MM_HINT_T0);
    }
}

VEC_INLINE void tile_of(const jm_conv_tile *tile, const int pixels, const int blocks)
{
    const float *weight = tile->weight;
    const size_t weight_block = tile->weight_block;
    const ptrdiff_t input_pixel = tile->input_pixel, input_lane = tile->input_lane;
    const ptrdiff_t output_pixel = tile->output_pixel, output_block = tile->output_block;
    float *output = tile->output;
    const float *before = tile->start; /* what the next sum is added to; NULL: it continues from the output */
    ptrdiff_t before_pixel = 0, before_block = 16;
    __m512 sum[14][JM_CONV_MAX_BLOCKS];
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        VEC_UNROLL for (int b = 0; b < blocks; b++)
        {
            sum[p][b] = before ? _mm512_setzero_ps() : _mm512_loadu_ps(output + p * output_pixel + b * output_block);
        }
    }
    const jm_conv_run *run = tile->run, *const end = run + tile->runs;
    do {
        /* A tile takes long enough that runs of one input need no loop of their own. */
        for (const jm_conv_run *stop = (size_t)(end - run) > tile->segment ? run + tile->segment : end; run != stop;
             run++) {
            const float *input = tile->input + run->offset;
            if (input_lane) prefetch(tile, run, pixels);
            VEC_NO_UNROLL for (size_t i = run->count; i; i--, weight += 16, input += input_lane)
                add_input(sum, input, input_pixel, weight, weight_block, pixels, blocks);
        }
        VEC_UNROLL for (int p = 0; p < pixels; p++)
        {
            VEC_UNROLL for (int b = 0; b < blocks; b++)
            {
                if (before)
                    sum[p][b] = _mm512_add_ps(_mm512_loadu_ps(before + p * before_pixel + b * before_block), sum[p][b]);
                _mm512_storeu_ps(output + p * output_pixel + b * output_block, sum[p][b]);
                sum[p][b] = _mm512_setzero_ps();
            }
        }
        before = output;
        before_pixel = output_pixel;
        before_block = output_block;
    } while (run != end);
}

#define CASE(pixels, blocks)                                                                                           \
    case pixels:                                                                                                       \
        tile_of(tile, pixels, blocks);                                                                                 \
        break

static void tile_1(const jm_conv_tile *tile)
{
    switch (tile->pixels) {
        CASE(14, 1);
        CASE(13, 1);
        CASE(12, 1);
        CASE(11, 1);
        CASE(10, 1);
        CASE(9, 1);
        CASE(8, 1);
        CASE(7, 1);
        CASE(6, 1);
        CASE(5, 1);
        CASE(4, 1);
        CASE(3, 1);
        CASE(2, 1);
        CASE(1, 1);
    default:
        break;
    }
}

static void tile_2(const jm_conv_tile *tile)
{
    switch (tile->pixels) {
        CASE(14, 2);
        CASE(13, 2);
        CASE(12, 2);
        CASE(11, 2);
        CASE(10, 2);
        CASE(9, 2);
        CASE(8, 2);
        CASE(7, 2);
        CASE(6, 2);
        CASE(5, 2);
        CASE(4, 2);
        CASE(3, 2);
        CASE(2, 2);
        CASE(1, 2);
    default:
        break;
    }
}

static void tile_3(const jm_conv_tile *tile)
{
    switch (tile->pixels) {
        CASE(9, 3);
        CASE(8, 3);
        CASE(7, 3);
        CASE(6, 3);
        CASE(5, 3);
        CASE(4, 3);
        CASE(3, 3);
        CASE(2, 3);
        CASE(1, 3);
    default:
        break;
    }
}

static void tile_4(const jm_conv_tile *tile)
{
    switch (tile->pixels) {
        CASE(6, 4);
        CASE(5, 4);
        CASE(4, 4);
        CASE(3, 4);
        CASE(2, 4);
        CASE(1, 4);
    default:
        break;
    }
}

static void jm_f32_conv_tile_14x32__avx512(const jm_conv_tile *tile)
{
    switch (tile->blocks) {
    case 4:
        tile_4(tile);
        break;
    case 3:
        tile_3(tile);
        break;
    case 2:
        tile_2(tile);
        break;
    default:
        tile_1(tile);
        break;
    }
}

void jm_conv_kernels_init__avx512(jm_conv_kernels *kernels)
{
    *kernels = (jm_conv_kernels){
        .tile_pixels = {0, 14, 14, 9, 6},
        .tile = jm_f32_conv_tile_14x32__avx512,
    };
}
