/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/conv.h"
#include "kernels/vector.h"

/* 6 x 16, or 12 x 8 where half a block is wanted: 24 sums, 4 weights, 1 input of 32 registers. `pixels` and `vecs` (of
 * 4 lanes) are constants in every caller of these. */
VEC_INLINE void add_input(vec sum[12][4], const float *input, ptrdiff_t input_pixel, const float *weight,
                          const int pixels, const int vecs)
{
    vec w[4];
    VEC_UNROLL for (int v = 0; v < vecs; v++) w[v] = vec_load(weight + v * 4);
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        const float x = vec_scalar(input + p * input_pixel);
        VEC_UNROLL for (int v = 0; v < vecs; v++) sum[p][v] = vec_fma_scalar(w[v], x, sum[p][v]);
    }
}

VEC_INLINE void tile_at(const jm_conv_tile *tile, const float *input, float *output, const int pixels, const int vecs)
{
    tile = VEC_OPAQUE(tile); /* nothing of a tile is worth registers of the next one */
    const float *weight = tile->weight;
    const ptrdiff_t input_pixel = tile->input_pixel, input_lane = tile->input_lane;
    const ptrdiff_t output_pixel = tile->output_pixel;
    const float *before = tile->start; /* what the next sum is added to; NULL: it continues from the output */
    ptrdiff_t before_pixel = 0;
    vec sum[12][4];
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        VEC_UNROLL for (int v = 0; v < vecs; v++) sum[p][v] =
            before ? vec_set1(0) : vec_load(output + p * output_pixel + v * 4);
    }
    const jm_conv_run *run = tile->run, *const end = run + tile->runs;
    do {
        for (const jm_conv_run *stop = (size_t)(end - run) > tile->segment ? run + tile->segment : end; run != stop;
             run++) {
            const float *from = input + run->offset;
            VEC_NO_UNROLL for (size_t i = run->count; i; i--, weight += 16, from += input_lane)
                add_input(sum, from, input_pixel, weight, pixels, vecs);
        }
        const bool last = run == end;
        const float *base = VEC_OPAQUE(before);
        float *to = VEC_OPAQUE(output);
        VEC_UNROLL for (int p = 0; p < pixels; p++, base += before_pixel, to += output_pixel)
        {
            VEC_UNROLL for (int v = 0; v < vecs; v++)
            {
                if (before) sum[p][v] = vec_add(vec_load(base + v * 4), sum[p][v]);
                if (last && tile->leak)
                    sum[p][v] = vec_select(vec_lt(sum[p][v], vec_set1(0)), vec_mul(vec_set1(tile->slope), sum[p][v]),
                                           sum[p][v]);
                if (last && tile->clamp)
                    sum[p][v] = vec_min(vec_set1(tile->high), vec_max(vec_set1(tile->low), sum[p][v]));
                vec_store(to + v * 4, sum[p][v]);
                sum[p][v] = vec_set1(0);
                if (vecs == 2 && last && tile->start) vec_store(to + 8 + v * 4, vec_set1(0));
            }
        }
        before = output;
        before_pixel = output_pixel;
    } while (run != end);
}

/* `count` tiles of `pixels` from pixel `first` on. */
#define TILES(pixels, vecs)                                                                                            \
    static void tiles_of_##pixels##x##vecs(const jm_conv_tile *tile, ptrdiff_t first, ptrdiff_t count)                 \
    {                                                                                                                  \
        const float *input = tile->input + first * tile->input_pixel;                                                  \
        float *output = tile->output + first * tile->output_pixel;                                                     \
        for (; count; count--) {                                                                                       \
            tile_at(tile, input, output, pixels, vecs);                                                                \
            input += (pixels)*tile->input_pixel;                                                                       \
            output += (pixels)*tile->output_pixel;                                                                     \
        }                                                                                                              \
    }
#define NAME(pixels, vecs) tiles_of_##pixels##x##vecs,

/* X for every number of pixels. */
#define UP_TO_6(X, vecs) X(1, vecs) X(2, vecs) X(3, vecs) X(4, vecs) X(5, vecs) X(6, vecs)
#define UP_TO_12(X, vecs) UP_TO_6(X, vecs) X(7, vecs) X(8, vecs) X(9, vecs) X(10, vecs) X(11, vecs) X(12, vecs)

UP_TO_12(TILES, 2)
UP_TO_6(TILES, 4)

static void jm_f32_conv_tile_6x16__neon(const jm_conv_tile *tile)
{
    static void (*const tiles_of[2][13])(const jm_conv_tile *, ptrdiff_t, ptrdiff_t) = {
        {NULL, UP_TO_6(NAME, 4)},
        {NULL, UP_TO_12(NAME, 2)},
    };
    if (tile->pixels == 0) return;
    const ptrdiff_t limit = tile->half ? 12 : 6, count = (tile->pixels + limit - 1) / limit;
    const ptrdiff_t small = tile->pixels / count, larger = tile->pixels % count;
    if (larger) tiles_of[tile->half][small + 1](tile, 0, larger);
    tiles_of[tile->half][small](tile, larger * (small + 1), count - larger);
}

void jm_conv_kernels_init__neon(jm_conv_kernels *kernels)
{
    *kernels = (jm_conv_kernels){
        .tile_pixels = {0, 6, 0, 0, 0},
        .tile = jm_f32_conv_tile_6x16__neon,
    };
}
