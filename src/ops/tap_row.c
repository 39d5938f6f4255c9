/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/tap_row.h"

#include <stdalign.h>
#include <string.h>

jm_conv_run *jm_conv_runs_of(int64_t depth, ptrdiff_t lane, jm_arena *arena, size_t *count)
{
    const int64_t step = lane ? JM_CONV_SEGMENT : 1;
    *count = (size_t)((depth + step - 1) / step);
    jm_conv_run *runs = jm_arena_alloc(arena, *count, sizeof(*runs));
    for (size_t r = 0; runs && r < *count; r++) {
        const int64_t first = (int64_t)r * step;
        runs[r] = (jm_conv_run){.offset = (ptrdiff_t)first * lane, .count = (size_t)JM_MIN(step, depth - first)};
    }
    return runs;
}

jm_status jm_tap_set_box(jm_tap_set *set, const int64_t first[3], const int64_t count[3], const int64_t gap[3],
                         const jm_conv_run *channel_run, jm_arena *arena)
{
    size_t taps, runs;
    if (!jm_size_mul((size_t)count[0], (size_t)count[1], &taps) || !jm_size_mul(taps, (size_t)count[2], &taps) ||
        !jm_size_mul(taps, set->runs, &runs))
        return jm_error(JM_OUT_OF_RANGE, "the kernel is too large");
    set->taps = taps;
    set->tap = jm_arena_alloc(arena, JM_MAX(taps, 1), sizeof(*set->tap));
    set->run = jm_arena_alloc(arena, JM_MAX(runs, 1), sizeof(*set->run));
    set->run_depth = jm_arena_alloc(arena, JM_MAX(runs, 1), sizeof(*set->run_depth));
    if (!set->tap || !set->run || !set->run_depth) return JM_OUT_OF_MEMORY;
    set->segment = jm_conv_segment(set->runs, set->depth);
    for (int k = 0; k < 3; k++) {
        set->low[k] = first[k];
        set->high[k] = first[k] + (count[k] - 1) * gap[k];
        if (set->high[k] < set->low[k]) {
            set->low[k] = set->high[k];
            set->high[k] = first[k];
        }
    }
    size_t t = 0, depth = 0, *run_depth = set->run_depth;
    jm_conv_run *run = set->run;
    for (int64_t i = 0; i < count[0]; i++) {
        for (int64_t j = 0; j < count[1]; j++) {
            for (int64_t k = 0; k < count[2]; k++, t++) {
                const int64_t tap[3] = {first[0] + i * gap[0], first[1] + j * gap[1], first[2] + k * gap[2]};
                memcpy(set->tap[t], tap, sizeof(tap));
                ptrdiff_t offset = tap[0] * set->stride[0] + tap[1] * set->stride[1] + tap[2] * set->stride[2];
                for (size_t r = 0; r < set->runs; r++, run++) {
                    *run = (jm_conv_run){.offset = channel_run[r].offset + offset, .count = channel_run[r].count};
                    *run_depth++ = depth;
                    depth += run->count;
                }
            }
        }
    }
    return JM_OK;
}

/* Runs first .. end-1 of the points [p0, p1) of a tile, added to what the output holds. */
static void add_runs(const jm_tap_set *set, const jm_conv_kernels *kernels, const jm_conv_tile *tile, size_t first,
                     size_t end, const int inside[2])
{
    if (inside[0] >= inside[1] || first == end) return;
    jm_conv_tile part = *tile;
    part.input += inside[0] * tile->input_pixel;
    part.output += inside[0] * tile->output_pixel;
    part.pixels = inside[1] - inside[0];
    part.run = set->run + first;
    part.runs = part.segment = end - first;
    part.weight += set->run_depth[first] * JM_LANES;
    part.start = NULL;
    kernels->tile(&part);
}

/* The points [*p0, *p1) of n for which x + p * step lies in [0, size). */
static void points_inside(int64_t x, int64_t step, int64_t size, int n, int *p0, int *p1)
{
    int64_t low = x >= 0 ? 0 : (-x + step - 1) / step;
    int64_t high = x < size ? (size - 1 - x) / step + 1 : 0;
    *p0 = (int)JM_MIN(low, n);
    *p1 = (int)JM_MIN(high, n);
}

/* The points of a tile at `at` for which tap t lies in the input. */
static void points_of_tap(const jm_tap_set *set, size_t t, const int64_t at[3], int pixels, int inside[2])
{
    const int64_t *tap = set->tap[t];
    int64_t z = at[0] * set->step[0] + tap[0], y = at[1] * set->step[1] + tap[1];
    inside[0] = inside[1] = 0;
    if (z >= 0 && z < set->in[0] && y >= 0 && y < set->in[1])
        points_inside(at[2] * set->step[2] + tap[2], set->step[2], set->in[2], pixels, &inside[0], &inside[1]);
}

/* Runs first .. end-1 of a tile, added to what the output holds: neighbours that reach the same points go together. */
static void add_segment(const jm_tap_set *set, const jm_conv_kernels *kernels, const int64_t at[3],
                        const jm_conv_tile *tile, size_t first, size_t end)
{
    int inside[2], next[2];
    points_of_tap(set, first / set->runs, at, (int)tile->pixels, inside);
    for (size_t run = first; run < end; run = JM_MIN((run / set->runs + 1) * set->runs, end)) {
        points_of_tap(set, run / set->runs, at, (int)tile->pixels, next);
        if (next[0] == inside[0] && next[1] == inside[1]) continue;
        add_runs(set, kernels, tile, first, run, inside);
        first = run;
        memcpy(inside, next, sizeof(inside));
    }
    add_runs(set, kernels, tile, first, end, inside);
}

/* Most lanes of a tile at any level: 14 x 32. */
enum { TILE_LANES = 512 };

/* The lanes of block i / pixels, pixel i % pixels. */
static float *output_of(const jm_conv_tile *tile, ptrdiff_t i)
{
    return tile->output + i / tile->pixels * tile->output_block + i % tile->pixels * tile->output_pixel;
}

/* A tile with taps outside the input. Each segment is summed from 0 beside the output, then added, as the kernel does.
 */
static void edge_tile(const jm_tap_set *set, const jm_conv_kernels *kernels, const int64_t at[3], jm_conv_tile *tile)
{
    alignas(64) float sum[TILE_LANES];
    jm_conv_tile part = *tile;
    part.output = sum;
    part.output_pixel = JM_LANES;
    part.output_block = (ptrdiff_t)tile->pixels * JM_LANES;
    const size_t runs = set->taps * set->runs;
    for (ptrdiff_t i = 0; i < tile->blocks * tile->pixels; i++)
        memcpy(output_of(tile, i), tile->start + i / tile->pixels * JM_LANES, JM_LANES * sizeof(float));
    for (size_t first = 0; first < runs; first += set->segment) {
        memset(sum, 0, sizeof(float) * (size_t)(tile->blocks * tile->pixels * JM_LANES));
        add_segment(set, kernels, at, &part, first, JM_MIN(first + set->segment, runs));
        for (ptrdiff_t i = 0; i < tile->blocks * tile->pixels; i++) {
            float *output = output_of(tile, i);
            for (int j = 0; j < JM_LANES; j++) output[j] += sum[i * JM_LANES + j];
        }
    }
}

static bool inside(const jm_tap_set *set, int k, int64_t from, int64_t to)
{
    return from * set->step[k] + set->low[k] >= 0 && to * set->step[k] + set->high[k] < set->in[k];
}

void jm_tap_row(const jm_tap_set *set, const jm_conv_kernels *kernels, const float *image, const int64_t at[3],
                int64_t points, jm_conv_tile *tile)
{
    const bool row_inside = inside(set, 0, at[0], at[0]) && inside(set, 1, at[1], at[1]);
    const int limit = kernels->tile_pixels[tile->blocks];
    const ptrdiff_t row = at[0] * set->step[0] * set->stride[0] + at[1] * set->step[1] * set->stride[1];
    float *output = tile->output;
    tile->input_pixel = set->step[2] * set->stride[2];
    tile->input_lane = set->lane;
    /* Even cuts, as the kernel makes them: 13 points as 5 + 4 + 4, not 6 + 6 + 1. Neighbours with all taps inside are
     * one call. */
    const int64_t tiles = (points + limit - 1) / limit;
    for (int64_t i = 0; i < tiles;) {
        const int64_t first = points * i / tiles, x = at[2] + first;
        int64_t end = points * ++i / tiles;
        const bool whole = row_inside && inside(set, 2, x, at[2] + end - 1);
        while (whole && i < tiles && inside(set, 2, x, at[2] + points * (i + 1) / tiles - 1))
            end = points * ++i / tiles;
        tile->input = image + row + x * tile->input_pixel;
        tile->output = output + first * tile->output_pixel;
        tile->pixels = (ptrdiff_t)(end - first);
        if (whole) {
            tile->run = set->run;
            tile->runs = set->taps * set->runs;
            tile->segment = set->segment;
            kernels->tile(tile);
        } else {
            edge_tile(set, kernels, (const int64_t[3]){at[0], at[1], x}, tile);
        }
    }
}

int jm_tap_row_blocks(const jm_conv_kernels *kernels, int64_t points, int64_t blocks)
{
    int best = 1;
    for (int b = 2; b <= JM_CONV_MAX_BLOCKS; b++) {
        if (b > blocks || kernels->tile_pixels[b] == 0) continue;
        /* More blocks share each input, fewer pixels share each weight: wide only where rows are short. */
        if (b == 2 || points <= kernels->tile_pixels[b]) best = b;
    }
    return best;
}
