/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolution tiles. The reference computes one pixel and block at a time, so that the check also
 * shows that results do not depend on the shape of tiles.
 */
#include <string.h>

#include "checker.h"

enum { MAX_RUNS = 5 };

/* Two copies of one buffer with poisoned gaps, one for each of the compared functions. */
typedef struct twins {
    float *got, *want;
    size_t count;
} twins;

static twins twins_create(checker *c, size_t count)
{
    twins t = {.got = checker_floats(c, count), .want = checker_floats(c, count), .count = count};
    checker_fill_any(c, t.got, count);
    memcpy(t.want, t.got, count * sizeof(float));
    return t;
}

static void check_tile_of(checker *c, const jm_kernels *reference, const jm_kernels *tested, int pixels, int blocks)
{
    jm_conv_run *run = checker_memory(c, MAX_RUNS * sizeof(*run));
    jm_conv_tile tile = {
        .input_pixel = checker_random_int(c, 0, 40),
        .input_lane = checker_random_int(c, 0, 3),
        .run = run,
        .runs = (size_t)checker_random_int(c, 0, MAX_RUNS),
        .segment = (size_t)checker_random_int(c, 1, MAX_RUNS + 1),
        .pixels = pixels,
        .blocks = blocks,
    };
    size_t depth = 0, reach = 0;
    for (size_t r = 0; r < tile.runs; r++) {
        run[r].offset = checker_random_int(c, 0, 50);
        run[r].count = tile.input_lane ? (size_t)checker_random_int(c, 0, 17) : 1;
        depth += run[r].count;
        if (run[r].count == 0) continue;
        const size_t last =
            (size_t)(run[r].offset + (ptrdiff_t)(run[r].count - 1) * tile.input_lane + (pixels - 1) * tile.input_pixel);
        if (last + 1 > reach) reach = last + 1;
    }
    float *input = checker_floats(c, reach);
    checker_fill_any(c, input, reach);
    tile.input = input;
    tile.weight_block = depth * 16 + (size_t)checker_random_int(c, 0, 2) * 16;
    const size_t weights = (size_t)(blocks - 1) * tile.weight_block + depth * 16;
    float *weight = checker_floats(c, weights);
    checker_fill_any(c, weight, weights);
    tile.weight = weight;
    float *start = checker_floats(c, (size_t)blocks * 16);
    checker_fill_any(c, start, (size_t)blocks * 16);
    tile.start = checker_random(c) & 1 ? start : NULL;
    tile.half = blocks == 1 && checker_random_int(c, 0, 2) == 0;
    tile.clamp = checker_random(c) & 1;
    tile.leak = checker_random(c) & 1;
    tile.slope = 0.1f;
    tile.low = -0.5f;
    tile.high = 1.5f;
    tile.output_pixel = 16 + checker_random_int(c, 0, 1) * checker_random_int(c, 0, 9);
    tile.output_block = tile.output_pixel * pixels + checker_random_int(c, 0, 1) * 7;
    const twins output =
        twins_create(c, (size_t)((pixels - 1) * tile.output_pixel + (blocks - 1) * tile.output_block + 16));

    tile.output = output.got;
    tested->conv.tile(&tile);
    for (int p = 0; p < pixels; p++) {
        for (int b = 0; b < blocks; b++) {
            jm_conv_tile one = tile;
            one.input += p * tile.input_pixel;
            one.weight += (size_t)b * tile.weight_block;
            if (tile.start) one.start += b * 16;
            one.output = output.want + p * tile.output_pixel + b * tile.output_block;
            one.pixels = one.blocks = 1;
            reference->conv.tile(&one);
        }
    }
    tile.pixels = 0; /* writes nothing */
    tested->conv.tile(&tile);
    checker_same(c, output.got, output.want, output.count, "%d pixels, %d blocks, depth %zu in %zu runs", pixels,
                 blocks, depth, tile.runs);
}

static void check_tile(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    (void)kernel;
    if (tested->conv.tile_pixels[1] < 1) checker_fail(c, "there must be tiles of one block");
    int sizes = 0;
    for (int b = 1; b <= JM_CONV_MAX_BLOCKS; b++) sizes += tested->conv.tile_pixels[b];
    static int next;
    for (int i = 0; i < 12; i++) {
        int pixels = next++ % sizes, blocks;
        for (blocks = 1; pixels >= tested->conv.tile_pixels[blocks]; blocks++)
            pixels -= tested->conv.tile_pixels[blocks];
        check_tile_of(c, reference, tested, pixels + 1, blocks);
        /* A row of tiles, cut by the kernel. */
        check_tile_of(c, reference, tested, (int)checker_random_int(c, 1, 3 * tested->conv.tile_pixels[blocks] + 1),
                      blocks);
    }
}

/* A 3x3 convolution's depth of 64 channels for the widest tile of each number of blocks. */
static double bench_tile(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    enum { RUNS = 36, DEPTH = RUNS * 16, REPEAT = 200 };
    const int blocks = tested->conv.tile_pixels[2] ? 2 : 1, pixels = tested->conv.tile_pixels[blocks];
    jm_conv_run *run = checker_memory(c, RUNS * sizeof(*run));
    for (int r = 0; r < RUNS; r++) run[r] = (jm_conv_run){.offset = r * 16, .count = 16};
    const size_t inputs = (size_t)(pixels - 1) * 16 + DEPTH, weights = (size_t)blocks * DEPTH * 16;
    float *input = checker_floats(c, inputs), *weight = checker_floats(c, weights);
    float *start = checker_floats(c, (size_t)blocks * 16), *output = checker_floats(c, (size_t)(blocks * pixels) * 16);
    memset(output, 0, (size_t)(blocks * pixels) * 16 * sizeof(float));
    checker_fill(c, input, inputs);
    checker_fill(c, weight, weights);
    checker_fill(c, start, (size_t)blocks * 16);
    const jm_conv_tile tile = {.input = input,
                               .input_pixel = 16,
                               .input_lane = 1,
                               .run = run,
                               .runs = RUNS,
                               .segment = JM_CONV_SEGMENT * RUNS / DEPTH,
                               .weight = weight,
                               .weight_block = DEPTH * 16,
                               .start = start,
                               .output = output,
                               .output_pixel = 16,
                               .output_block = (ptrdiff_t)pixels * 16,
                               .pixels = pixels,
                               .blocks = blocks};
    for (int i = 0; i < REPEAT; i++) tested->conv.tile(&tile);
    return 2.0 * REPEAT * pixels * blocks * 16 * DEPTH;
}

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"conv.tile", offsetof(jm_kernels, conv.tile), 0, check_tile, bench_tile, true},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_conv = {
    .name = "conv",
    .offset = offsetof(jm_kernels, conv),
    .size = sizeof(jm_conv_kernels),
    .data = offsetof(jm_kernels, conv.tile) - offsetof(jm_kernels, conv),
    .list = list,
};
