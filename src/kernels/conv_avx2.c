/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/conv_parts.h"

/* 6 x 16, or 12 x 8 where half a block is wanted: 12 sums, 2 weights, 1 input of 16 registers. Twelve sums keep both
 * FMA units busy for more than their latency, with 8 vectors read for 12 multiply-adds. `pixels` and `vecs` (of 8
 * lanes) are constants in every caller of these. */
VEC_INLINE void add_input(__m256 sum[12][2], const float *input, ptrdiff_t input_pixel, const float *weight,
                          const int pixels, const int vecs)
{
    __m256 w[2];
    VEC_UNROLL for (int v = 0; v < vecs; v++) w[v] = _mm256_load_ps(weight + v * 8);
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        const __m256 x = _mm256_broadcast_ss(input + p * input_pixel);
        VEC_UNROLL for (int v = 0; v < vecs; v++) sum[p][v] = _mm256_fmadd_ps(x, w[v], sum[p][v]);
    }
}

/* Tile number `index` of those that start at `input` and `output`. */
VEC_INLINE void tile_at(const jm_conv_tile *tile, const tile_part *part, const float *input, float *output,
                        ptrdiff_t index, const int pixels, const int vecs)
{
    tile = VEC_OPAQUE(tile); /* nothing of a tile is worth registers of the next one */
    const float *weight = part->weight;
    const ptrdiff_t input_pixel = tile->input_pixel, input_lane = tile->input_lane;
    const ptrdiff_t output_pixel = tile->output_pixel;
    const jm_conv_run *run = part->run, *const end = part->end;
    const bool first_part = run == tile->run, last_part = end == tile->run + tile->runs;
    /* What the next sum is added to; NULL: it continues from the output. */
    const float *before = first_part ? tile->start : output;
    ptrdiff_t before_pixel = first_part ? 0 : output_pixel;
    const char *next = part->next + index * 64 * part->lines * (end - run);
    __m256 sum[12][2];
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        VEC_UNROLL for (int v = 0; v < vecs; v++) sum[p][v] =
            before ? _mm256_setzero_ps() : _mm256_loadu_ps(output + p * output_pixel + v * 8);
    }
    do {
        if (run != part->run) { /* the sum so far is what the next segment's is added to */
            float *to = VEC_OPAQUE(output);
            VEC_UNROLL for (int p = 0; p < pixels; p++, to += output_pixel)
            {
                VEC_UNROLL for (int v = 0; v < vecs; v++)
                {
                    _mm256_storeu_ps(to + v * 8, sum[p][v]);
                    sum[p][v] = _mm256_setzero_ps();
                }
            }
            before = output;
            before_pixel = output_pixel;
        }
        const jm_conv_run *stop = (size_t)(end - run) > tile->segment ? run + tile->segment : end;
        if (input_lane == 0) {
            VEC_UNROLL_4 for (; run != stop; run++, weight += 16)
                add_input(sum, input + run->offset, input_pixel, weight, pixels, vecs);
        } else {
            for (; run != stop; run++) {
                const float *from = input + run->offset;
                prefetch_inputs(tile, part, input, run, 3, pixels);
                prefetch_weights(next, part->lines, 0, 1);
                next += 64 * part->lines;
                VEC_UNROLL_4 for (size_t i = run->count; i; i--, weight += 16, from += input_lane)
                    add_input(sum, from, input_pixel, weight, pixels, vecs);
            }
        }
        if (before) {
            const float *base = VEC_OPAQUE(before);
            VEC_UNROLL for (int p = 0; p < pixels; p++, base += before_pixel)
            {
                VEC_UNROLL for (int v = 0; v < vecs; v++) sum[p][v] =
                    _mm256_add_ps(_mm256_loadu_ps(base + v * 8), sum[p][v]);
            }
        }
    } while (run != end);
    if (last_part && tile->leak) {
        const __m256 slope = _mm256_set1_ps(tile->slope), zero = _mm256_setzero_ps();
        VEC_UNROLL for (int p = 0; p < pixels; p++)
        {
            VEC_UNROLL for (int v = 0; v < vecs; v++) sum[p][v] =
                vec_select(vec_lt(sum[p][v], zero), vec_mul(slope, sum[p][v]), sum[p][v]);
        }
    }
    if (last_part && tile->clamp) {
        const __m256 low = _mm256_set1_ps(tile->low), high = _mm256_set1_ps(tile->high);
        VEC_UNROLL for (int p = 0; p < pixels; p++)
        {
            VEC_UNROLL for (int v = 0; v < vecs; v++) sum[p][v] = _mm256_min_ps(high, _mm256_max_ps(low, sum[p][v]));
        }
    }
    float *to = VEC_OPAQUE(output);
    VEC_UNROLL for (int p = 0; p < pixels; p++, to += output_pixel)
    {
        VEC_UNROLL for (int v = 0; v < vecs; v++) _mm256_storeu_ps(to + v * 8, sum[p][v]);
        if (vecs == 1 && last_part && tile->start) _mm256_storeu_ps(to + 8, _mm256_setzero_ps());
    }
}

#define TILES(pixels, vecs)                                                                                            \
    static void tiles_of_##pixels##x##vecs(const jm_conv_tile *tile, const tile_part *part, ptrdiff_t first,           \
                                           ptrdiff_t count, ptrdiff_t index)                                           \
    {                                                                                                                  \
        const float *input = tile->input + first * tile->input_pixel;                                                  \
        float *output = tile->output + first * tile->output_pixel;                                                     \
        for (ptrdiff_t i = 0; i < count; i++) {                                                                        \
            tile_at(tile, part, input, output, index + i, pixels, vecs);                                               \
            input += (pixels)*tile->input_pixel;                                                                       \
            output += (pixels)*tile->output_pixel;                                                                     \
        }                                                                                                              \
    }
#define NAME(pixels, vecs) tiles_of_##pixels##x##vecs,

/* X for every number of pixels. */
#define UP_TO_6(X, vecs) X(1, vecs) X(2, vecs) X(3, vecs) X(4, vecs) X(5, vecs) X(6, vecs)
#define UP_TO_12(X, vecs) UP_TO_6(X, vecs) X(7, vecs) X(8, vecs) X(9, vecs) X(10, vecs) X(11, vecs) X(12, vecs)

UP_TO_12(TILES, 1)
UP_TO_6(TILES, 2)

static void jm_f32_conv_tile_6x16__avx2(const jm_conv_tile *tile)
{
    enum { PART_RUNS = 16 };
    static const tiles_function tiles_of[2][13] = {
        {NULL, UP_TO_6(NAME, 2)},
        {NULL, UP_TO_12(NAME, 1)},
    };
    walk_parts(tile, tile->half ? 12 : 6, PART_RUNS, tiles_of[tile->half]);
}

void jm_conv_kernels_init__avx2(jm_conv_kernels *kernels)
{
    *kernels = (jm_conv_kernels){
        .tile_pixels = {0, 6, 0, 0, 0},
        .tile = jm_f32_conv_tile_6x16__avx2,
    };
}
