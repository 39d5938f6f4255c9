/* SPDX-License-Identifier: Apache-2.0
 *
 * How a call of the convolution kernel is walked: parts of the runs outside, tiles of pixels inside. Shared by the
 * levels that have vector tiles.
 */
#ifndef JUMAR_KERNELS_CONV_PARTS_H
#define JUMAR_KERNELS_CONV_PARTS_H

#include "kernels/conv.h"
#include "kernels/vector.h"

/* Runs that are taken together: every tile takes those of a part before any goes on to the next part, so that its
 * weights come from a near cache for all tiles but the first. */
typedef struct tile_part {
    const jm_conv_run *run, *end;
    const float *weight;
    const char *next; /* weights of the next part or call; each run of a tile asks for `lines` of every block */
    ptrdiff_t lines;
} tile_part;

/* Computes `count` tiles of a constant number of pixels from pixel `first` on, tiles number `index` and following of
 * the call. */
typedef void (*tiles_function)(const jm_conv_tile *tile, const tile_part *part, ptrdiff_t first, ptrdiff_t count,
                               ptrdiff_t index);

/* Whole segments of at most `limit` runs; all runs where nothing is gained. */
VEC_INLINE size_t runs_of_part(const jm_conv_tile *tile, ptrdiff_t tiles, size_t limit)
{
    if (tiles == 1 || tile->input_lane == 0 || tile->segment > limit) return tile->runs;
    return limit / tile->segment * tile->segment;
}

/* Walks a call. `limit`: most pixels of a tile; tiles_of[n] computes tiles of n pixels; `part_limit`: runs whose
 * weights, with a tile's inputs, about fill the first cache. */
VEC_INLINE void walk_parts(const jm_conv_tile *tile, ptrdiff_t limit, size_t part_limit, const tiles_function *tiles_of)
{
    if (tile->pixels == 0) return;
    const ptrdiff_t count = (tile->pixels + limit - 1) / limit;
    const ptrdiff_t small = tile->pixels / count, larger = tile->pixels % count;
    const jm_conv_run *const end = tile->run + tile->runs;
    const size_t part_runs = runs_of_part(tile, count, part_limit);
    tile_part part = {.end = tile->run, .weight = tile->weight, .lines = (16 + count - 1) / count};
    do {
        part.run = part.end;
        part.end = (size_t)(end - part.run) > part_runs ? part.run + part_runs : end;
        size_t inputs = 0;
        for (const jm_conv_run *run = part.run; run != part.end; run++) inputs += run->count;
        part.next = (const char *)(part.end == end ? tile->weight + tile->ahead : part.weight + inputs * 16);
        if (larger) tiles_of[small + 1](tile, &part, 0, larger, 0);
        tiles_of[small](tile, &part, larger * (small + 1), count - larger, larger);
        part.weight += inputs * 16;
    } while (part.end != end);
}

/* Runs of different blocks lie far apart, where no hardware prefetcher follows: asks for the inputs of the run `ahead`
 * of this one, past the part's last run for those of the next tiles. */
VEC_INLINE void prefetch_inputs(const jm_conv_tile *tile, const tile_part *part, const float *input,
                                const jm_conv_run *run, const int ahead, const int pixels)
{
    const jm_conv_run *wanted = run + ahead;
    for (; wanted >= part->end; wanted -= part->end - part->run) input += pixels * tile->input_pixel;
    VEC_UNROLL for (int p = 0; p < pixels; p++)
    {
        _mm_prefetch((const char *)(input + wanted->offset + p * tile->input_pixel), _MM_HINT_T0);
    }
}

VEC_INLINE void prefetch_weights(const char *next, ptrdiff_t lines, size_t weight_block, const int blocks)
{
    for (const char *const end = next + 64 * lines; next < end; next += 64) {
        VEC_UNROLL for (int b = 0; b < blocks; b++)
            _mm_prefetch(next + sizeof(float) * (size_t)b * weight_block, _MM_HINT_T1);
    }
}

#endif
