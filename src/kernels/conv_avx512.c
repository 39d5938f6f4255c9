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
 * the end for those of the next tile. */
VEC_INLINE void prefetch(const jm_conv_tile *tile, const float *input, const jm_conv_run *run, const int pixels)
{
    const jm_conv_run *ahead = run + 1;
    if (ahead == tile->run + tile->runs) {
        ahead = tile->run;
        input += pixels * tile->input_pixel;
    }
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        _mm_prefetch((const char *)(input + ahead->offset + p * tile->input_pixel), _MM_HINT_T0);
    }
}

VEC_INLINE void tile_at(const jm_conv_tile *tile, const float *input, float *output, const int pixels, const int blocks)
{
    tile = VEC_OPAQUE(tile); /* nothing of a tile is worth registers of the next one */
    const float *weight = tile->weight;
    const size_t weight_block = tile->weight_block;
    const ptrdiff_t input_pixel = tile->input_pixel, input_lane = tile->input_lane;
    const ptrdiff_t output_pixel = tile->output_pixel, output_block = tile->output_block;
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
            const float *from = input + run->offset;
            if (input_lane) prefetch(tile, input, run, pixels);
            VEC_NO_UNROLL for (size_t i = run->count; i; i--, weight += 16, from += input_lane)
                add_input(sum, from, input_pixel, weight, weight_block, pixels, blocks);
        }
        const bool last = run == end;
        const __m512 slope = _mm512_set1_ps(tile->slope), zero = _mm512_setzero_ps();
        const __m512 low = _mm512_set1_ps(tile->low), high = _mm512_set1_ps(tile->high);
        VEC_UNROLL for (int p = 0; p < pixels; p++)
        {
            VEC_UNROLL for (int b = 0; b < blocks; b++)
            {
                if (before)
                    sum[p][b] = _mm512_add_ps(_mm512_loadu_ps(before + p * before_pixel + b * before_block), sum[p][b]);
                if (last && tile->leak)
                    sum[p][b] = vec_select(vec_lt(sum[p][b], zero), vec_mul(slope, sum[p][b]), sum[p][b]);
                if (last && tile->clamp) sum[p][b] = _mm512_min_ps(high, _mm512_max_ps(low, sum[p][b]));
                float *to = output + p * output_pixel + b * output_block;
                if (tile->half) {
                    _mm256_storeu_ps(to, _mm512_castps512_ps256(sum[p][b]));
                    if (last && tile->start) _mm256_storeu_ps(to + 8, _mm256_setzero_ps());
                } else {
                    _mm512_storeu_ps(to, sum[p][b]);
                }
                sum[p][b] = _mm512_setzero_ps();
            }
        }
        before = output;
        before_pixel = output_pixel;
        before_block = output_block;
    } while (run != end);
}

/* `count` tiles of `pixels` from pixel `first` on. */
#define TILES(pixels, blocks)                                                                                          \
    static void tiles_of_##pixels##x##blocks(const jm_conv_tile *tile, ptrdiff_t first, ptrdiff_t count)               \
    {                                                                                                                  \
        const float *input = tile->input + first * tile->input_pixel;                                                  \
        float *output = tile->output + first * tile->output_pixel;                                                     \
        for (; count; count--) {                                                                                       \
            tile_at(tile, input, output, pixels, blocks);                                                              \
            input += (pixels)*tile->input_pixel;                                                                       \
            output += (pixels)*tile->output_pixel;                                                                     \
        }                                                                                                              \
    }
#define NAME(pixels, blocks) tiles_of_##pixels##x##blocks,

/* X for every number of pixels. */
#define UP_TO_6(X, blocks) X(1, blocks) X(2, blocks) X(3, blocks) X(4, blocks) X(5, blocks) X(6, blocks)
#define UP_TO_9(X, blocks) UP_TO_6(X, blocks) X(7, blocks) X(8, blocks) X(9, blocks)
#define UP_TO_14(X, blocks) UP_TO_9(X, blocks) X(10, blocks) X(11, blocks) X(12, blocks) X(13, blocks) X(14, blocks)

UP_TO_14(TILES, 1)
UP_TO_14(TILES, 2)
UP_TO_9(TILES, 3)
UP_TO_6(TILES, 4)

static const int tile_pixels[JM_CONV_MAX_BLOCKS + 1] = {0, 14, 14, 9, 6};

static void jm_f32_conv_tile_14x32__avx512(const jm_conv_tile *tile)
{
    static void (*const tiles_of[JM_CONV_MAX_BLOCKS + 1][15])(const jm_conv_tile *, ptrdiff_t, ptrdiff_t) = {
        {NULL},
        {NULL, UP_TO_14(NAME, 1)},
        {NULL, UP_TO_14(NAME, 2)},
        {NULL, UP_TO_9(NAME, 3)},
        {NULL, UP_TO_6(NAME, 4)},
    };
    if (tile->pixels == 0) return;
    const ptrdiff_t limit = tile_pixels[tile->blocks], count = (tile->pixels + limit - 1) / limit;
    const ptrdiff_t small = tile->pixels / count, larger = tile->pixels % count;
    if (larger) tiles_of[tile->blocks][small + 1](tile, 0, larger);
    tiles_of[tile->blocks][small](tile, larger * (small + 1), count - larger);
}

void jm_conv_kernels_init__avx512(jm_conv_kernels *kernels)
{
    *kernels = (jm_conv_kernels){.tile = jm_f32_conv_tile_14x32__avx512};
    memcpy(kernels->tile_pixels, tile_pixels, sizeof(tile_pixels));
}
