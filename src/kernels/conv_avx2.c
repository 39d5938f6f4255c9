/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/conv.h"
#include "kernels/vector.h"

/* 6 x 16: 12 accumulators, 2 weights, 1 input of 16 registers. Six pixels keep both FMA units busy for more than their
 * latency and read 6 + 2 vectors for 12 multiply-adds. `pixels` is a constant in every caller of these two. */
VEC_INLINE void add_input(__m256 sum[6][2], const float *input, ptrdiff_t input_pixel, const float *weight,
                          const int pixels)
{
    const __m256 w0 = _mm256_load_ps(weight), w1 = _mm256_load_ps(weight + 8);
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        const __m256 x = _mm256_broadcast_ss(input + p * input_pixel);
        sum[p][0] = _mm256_fmadd_ps(x, w0, sum[p][0]);
        sum[p][1] = _mm256_fmadd_ps(x, w1, sum[p][1]);
    }
}

/* Runs of different blocks lie far apart, where no hardware prefetcher follows: asks for the inputs of the run AHEAD of
 * this one, past the last run for those of the next tiles. */
VEC_INLINE void prefetch(const jm_conv_tile *tile, const float *input, const jm_conv_run *run, const int pixels)
{
    enum { AHEAD = 3 };
    const jm_conv_run *ahead = run + AHEAD;
    for (; ahead >= tile->run + tile->runs; ahead -= tile->runs) input += pixels * tile->input_pixel;
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        _mm_prefetch((const char *)(input + ahead->offset + p * tile->input_pixel), _MM_HINT_T0);
    }
}

/* Adds a segment's sum to what came before, if anything, and begins the next one. */
VEC_INLINE void end_segment(__m256 *sum, const float *before, float *output)
{
    if (before) *sum = _mm256_add_ps(_mm256_loadu_ps(before), *sum);
    _mm256_storeu_ps(output, *sum);
    *sum = _mm256_setzero_ps();
}

VEC_INLINE void tile_at(const jm_conv_tile *tile, const float *input, float *output, const int pixels)
{
    const float *weight = tile->weight;
    const ptrdiff_t input_pixel = tile->input_pixel, input_lane = tile->input_lane;
    const ptrdiff_t output_pixel = tile->output_pixel;
    const jm_conv_run *run = tile->run, *const end = run + tile->runs;
    const float *before = tile->start; /* what the next sum is added to; NULL: it continues from the output */
    ptrdiff_t before_pixel = 0;
    __m256 sum[6][2];
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        sum[p][0] = before ? _mm256_setzero_ps() : _mm256_loadu_ps(output + p * output_pixel);
        sum[p][1] = before ? _mm256_setzero_ps() : _mm256_loadu_ps(output + p * output_pixel + 8);
    }
    do {
        const jm_conv_run *stop = (size_t)(end - run) > tile->segment ? run + tile->segment : end;
        if (input_lane == 0) {
            VEC_UNROLL_4 for (; run != stop; run++, weight += 16)
                add_input(sum, input + run->offset, input_pixel, weight, pixels);
        } else {
            for (; run != stop; run++) {
                const float *from = input + run->offset;
                prefetch(tile, input, run, pixels);
                VEC_UNROLL_4 for (size_t i = run->count; i; i--, weight += 16, from += input_lane)
                    add_input(sum, from, input_pixel, weight, pixels);
            }
        }
        VEC_UNROLL for (int p = 0; p < pixels; p++)
        {
            end_segment(&sum[p][0], before ? before + p * before_pixel : NULL, output + p * output_pixel);
            end_segment(&sum[p][1], before ? before + p * before_pixel + 8 : NULL, output + p * output_pixel + 8);
        }
        before = output;
        before_pixel = output_pixel;
    } while (run != end);
}

/* `count` tiles of `pixels` from pixel `first` on. */
#define TILES(pixels)                                                                                                  \
    static void tiles_of_##pixels(const jm_conv_tile *tile, ptrdiff_t first, ptrdiff_t count)                          \
    {                                                                                                                  \
        const float *input = tile->input + first * tile->input_pixel;                                                  \
        float *output = tile->output + first * tile->output_pixel;                                                     \
        for (; count; count--) {                                                                                       \
            tile_at(tile, input, output, pixels);                                                                      \
            input += (pixels)*tile->input_pixel;                                                                       \
            output += (pixels)*tile->output_pixel;                                                                     \
        }                                                                                                              \
    }

TILES(1)
TILES(2)
TILES(3)
TILES(4)
TILES(5)
TILES(6)

static void jm_f32_conv_tile_6x16__avx2(const jm_conv_tile *tile)
{
    static void (*const tiles_of[])(const jm_conv_tile *, ptrdiff_t, ptrdiff_t) = {
        NULL, tiles_of_1, tiles_of_2, tiles_of_3, tiles_of_4, tiles_of_5, tiles_of_6};
    if (tile->pixels == 0) return;
    const ptrdiff_t count = (tile->pixels + 5) / 6, small = tile->pixels / count, larger = tile->pixels % count;
    if (larger) tiles_of[small + 1](tile, 0, larger);
    tiles_of[small](tile, larger * (small + 1), count - larger);
}

void jm_conv_kernels_init__avx2(jm_conv_kernels *kernels)
{
    *kernels = (jm_conv_kernels){
        .tile_pixels = {0, 6, 0, 0, 0},
        .tile = jm_f32_conv_tile_6x16__avx2,
    };
}
