/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/conv_parts.h"

/* Up to 28 accumulators of 32 registers: 14 x 32, 9 x 48 or 6 x 64. `pixels` and `blocks` are constants in every
 * caller of these. */

/* Addresses of a tile's inputs: those of every fifth pixel. The four after it are reached by scaled indices; more
 * addresses would not fit into registers, and their loads from the stack would take the ports of the inputs' loads. */
typedef struct addresses {
    const float *fifth[3];
} addresses;

VEC_INLINE addresses addresses_at(const float *input, ptrdiff_t input_pixel)
{
    return (addresses){{input, VEC_OPAQUE(input + 5 * input_pixel), VEC_OPAQUE(input + 10 * input_pixel)}};
}

VEC_INLINE void add_input(__m512 sum[14][JM_CONV_MAX_BLOCKS], const addresses *from, ptrdiff_t input_pixel,
                          const float *weight, size_t weight_block, const int pixels, const int blocks)
{
    __m512 w[JM_CONV_MAX_BLOCKS];
    VEC_UNROLL for (int b = 0; b < blocks; b++) w[b] = _mm512_load_ps(weight + (size_t)b * weight_block);
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        const __m512 x = _mm512_set1_ps(from->fifth[p / 5][p % 5 * input_pixel]);
        VEC_UNROLL for (int b = 0; b < blocks; b++) sum[p][b] = _mm512_fmadd_ps(x, w[b], sum[p][b]);
    }
}

/* Tile number `index` of those that start at `input` and `output`. */
VEC_INLINE void tile_at(const jm_conv_tile *tile, const tile_part *part, const float *input, float *output,
                        ptrdiff_t index, const int pixels, const int blocks)
{
    tile = VEC_OPAQUE(tile); /* nothing of a tile is worth registers of the next one */
    const float *weight = part->weight;
    const size_t weight_block = tile->weight_block;
    const ptrdiff_t input_pixel = tile->input_pixel, input_lane = tile->input_lane;
    const ptrdiff_t output_pixel = tile->output_pixel, output_block = tile->output_block;
    /* What the next sum is added to; NULL: it continues from the output. */
    const float *before = part->run == tile->run ? tile->start : output;
    ptrdiff_t before_pixel = part->run == tile->run ? 0 : output_pixel;
    ptrdiff_t before_block = part->run == tile->run ? 16 : output_block;
    __m512 sum[14][JM_CONV_MAX_BLOCKS];
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        VEC_UNROLL for (int b = 0; b < blocks; b++)
        {
            sum[p][b] = before ? _mm512_setzero_ps() : _mm512_loadu_ps(output + p * output_pixel + b * output_block);
        }
    }
    const jm_conv_run *run = part->run, *const end = part->end;
    const bool last_part = end == tile->run + tile->runs;
    const char *next = part->next + index * 64 * part->lines * (end - run);
    do {
        const jm_conv_run *const stop = (size_t)(end - run) > tile->segment ? run + tile->segment : end;
        if (input_lane == 0) {
            VEC_UNROLL_4 for (; run != stop; run++, weight += 16)
            {
                const addresses from = addresses_at(input + run->offset, input_pixel);
                add_input(sum, &from, input_pixel, weight, weight_block, pixels, blocks);
            }
        } else {
            for (; run != stop; run++) {
                addresses from = addresses_at(input + run->offset, input_pixel);
                prefetch_inputs(tile, part, input, run, 1, pixels);
                prefetch_weights(next, part->lines, weight_block, blocks);
                next += 64 * part->lines;
                VEC_UNROLL_4 for (size_t i = run->count; i; i--, weight += 16)
                {
                    add_input(sum, &from, input_pixel, weight, weight_block, pixels, blocks);
                    VEC_UNROLL for (int a = 0; a < 3; a++) from.fifth[a] += input_lane;
                }
            }
        }
        const bool last = last_part && run == end;
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

#define TILES(pixels, blocks)                                                                                          \
    static void tiles_of_##pixels##x##blocks(const jm_conv_tile *tile, const tile_part *part, ptrdiff_t first,         \
                                             ptrdiff_t count, ptrdiff_t index)                                         \
    {                                                                                                                  \
        const float *input = tile->input + first * tile->input_pixel;                                                  \
        float *output = tile->output + first * tile->output_pixel;                                                     \
        for (ptrdiff_t i = 0; i < count; i++) {                                                                        \
            tile_at(tile, part, input, output, index + i, pixels, blocks);                                             \
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
    enum { PART_RUNS = 32 };
    static const tiles_function tiles_of[JM_CONV_MAX_BLOCKS + 1][15] = {
        {NULL},
        {NULL, UP_TO_14(NAME, 1)},
        {NULL, UP_TO_14(NAME, 2)},
        {NULL, UP_TO_9(NAME, 3)},
        {NULL, UP_TO_6(NAME, 4)},
    };
    walk_parts(tile, tile_pixels[tile->blocks], PART_RUNS, tiles_of[tile->blocks]);
}

void jm_conv_kernels_init__avx512(jm_conv_kernels *kernels)
{
    *kernels = (jm_conv_kernels){.tile = jm_f32_conv_tile_14x32__avx512};
    memcpy(kernels->tile_pixels, tile_pixels, sizeof(tile_pixels));
}
