/* SPDX-License-Identifier: Apache-2.0
 *
 * Panels of matrix products and their packing. The reference computes one row and block at a time from a copy of the
 * rows, packed for itself, so that the check also shows that results do not depend on the shape of tiles.
 */
#include <string.h>

#include "base/alloc.h"
#include "checker.h"

static void check_panel_of(checker *c, const jm_kernels *reference, const jm_kernels *tested, size_t rows, int blocks,
                           int lanes)
{
    static const size_t depths[] = {0, 1, 7, 8, 9, 127, 128, 129, 256, 300};
    const size_t depth = depths[checker_random_int(c, 0, JM_COUNT(depths) - 1)];
    const size_t b_block = depth * 16 + (size_t)checker_random_int(c, 0, 2) * 16;
    float *dense = checker_floats(c, rows * depth); /* [rows][depth] */
    checker_fill_any(c, dense, rows * depth);
    float *a = checker_floats(c, rows * depth);
    const jm_gemm_tiles tiles = jm_gemm_cut(rows, tested->gemm.tile_rows);
    for (size_t t = 0, row = 0, at = 0; t < tiles.count; t++) {
        const size_t height = (size_t)tiles.height + (t < tiles.longer);
        for (size_t k = 0; k < depth; k++)
            for (size_t r = 0; r < height; r++) a[at++] = dense[(row + r) * depth + k];
        row += height;
    }
    const size_t bs = (size_t)(blocks - 1) * b_block + depth * 16;
    float *b = checker_floats(c, bs), *start = checker_floats(c, (size_t)blocks * 16);
    checker_fill_any(c, b, bs);
    checker_fill_any(c, start, (size_t)blocks * 16);
    jm_gemm_panel panel = {
        .a = a, .b = b, .b_block = b_block, .rows = rows, .depth = depth, .blocks = blocks, .lanes = lanes};
    if (checker_random(c) & 1) panel.start = start;
    panel.y_row = 16 + checker_random_int(c, 0, 1) * checker_random_int(c, 0, 9);
    panel.y_block = panel.y_row * (ptrdiff_t)rows + checker_random_int(c, 0, 1) * 7;
    if (checker_random(c) & 1) { /* rows of all blocks */
        panel.y_block = 16;
        panel.y_row = 16 * blocks + checker_random_int(c, 0, 9);
    }
    const size_t ys = rows ? (size_t)((ptrdiff_t)(rows - 1) * panel.y_row + (blocks - 1) * panel.y_block + lanes) : 0;
    float *got = checker_floats(c, ys), *want = checker_floats(c, ys);
    checker_fill_any(c, got, ys);
    memcpy(want, got, ys * sizeof(float));
    panel.y = got;
    tested->gemm.panel(&panel);
    for (size_t r = 0; r < rows; r++) {
        for (int n = 0; n < blocks; n++) {
            jm_gemm_panel one = panel;
            one.a = dense + r * depth;
            one.b += (size_t)n * b_block;
            if (one.start) one.start += n * 16;
            one.y = want + (ptrdiff_t)r * panel.y_row + n * panel.y_block;
            one.rows = 1;
            one.blocks = 1;
            reference->gemm.panel(&one);
        }
    }
    checker_same(c, got, want, ys, "%zu rows, %d blocks of %d, depth %zu", rows, blocks, lanes, depth);
}

static void check_panel(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    (void)kernel;
    if (tested->gemm.tile_rows < 1 || tested->gemm.tile_rows > 16) checker_fail(c, "tiles have 1 to 16 rows");
    if (tested->gemm.blocks < 1 || tested->gemm.blocks > JM_GEMM_MAX_BLOCKS) checker_fail(c, "wrong number of blocks");
    static size_t rows;
    for (int i = 0; i < 8; i++, rows = (rows + 1) % 44)
        for (int blocks = 0; blocks <= tested->gemm.blocks; blocks++)
            check_panel_of(c, reference, tested, rows, blocks ? blocks : 1, blocks ? 16 : 8);
}

static void check_pack(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    (void)kernel;
    for (int i = 0; i < 12; i++) {
        const int width = checker_random(c) & 1 ? 16 : (int)checker_random_int(c, 1, 16);
        const int lanes = checker_random(c) & 1 ? width : (int)checker_random_int(c, 1, width);
        const size_t depth = (size_t)checker_random_int(c, 0, 40);
        const int64_t kind = checker_random_int(c, 0, 2);
        ptrdiff_t step = checker_random_int(c, 0, 40), lane = checker_random_int(c, 0, 60);
        if (kind == 0) lane = 1;
        if (kind == 1) step = 1;
        const size_t reach = depth ? (depth - 1) * (size_t)step + (size_t)((lanes - 1) * lane) + 1 : 0;
        const float scale = checker_random(c) & 1 ? 1.0f : -1.7f;
        float *from = checker_floats(c, reach);
        checker_fill_any(c, from, reach);
        const size_t count = depth * (size_t)width;
        float *got = checker_floats(c, count), *want = checker_floats(c, count);
        tested->gemm.pack(from, step, lane, depth, lanes, width, scale, got);
        reference->gemm.pack(from, step, lane, depth, lanes, width, scale, want);
        checker_same(c, got, want, count, "%zu x %d of %d, step %td, lane %td", depth, lanes, width, step, lane);
    }
}

static void check_pack_blocks(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                              const jm_kernels *tested)
{
    (void)kernel;
    const size_t depth = (size_t)checker_random_int(c, 0, 40), blocks = (size_t)checker_random_int(c, 0, 11);
    const ptrdiff_t step = (ptrdiff_t)blocks * 16 + checker_random_int(c, 0, 20);
    const size_t count = depth * blocks * 16, reach = count ? (depth - 1) * (size_t)step + blocks * 16 : 0;
    const float scale = checker_random(c) & 1 ? 1.0f : -1.7f;
    float *from = checker_floats(c, reach);
    checker_fill_any(c, from, reach);
    float *got = checker_floats(c, count), *want = checker_floats(c, count);
    tested->gemm.pack_blocks(from, step, depth, blocks, scale, got);
    reference->gemm.pack_blocks(from, step, depth, blocks, scale, want);
    checker_same(c, got, want, count, "%zu x %zu blocks, step %td", depth, blocks, step);
}

static void check_transpose(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                            const jm_kernels *tested)
{
    (void)kernel;
    for (int i = 0; i < 12; i++) {
        const int lanes = checker_random(c) & 1 ? 16 : (int)checker_random_int(c, 1, 16);
        const size_t points = (size_t)checker_random_int(c, 0, 50);
        const ptrdiff_t point = lanes + checker_random_int(c, 0, 20),
                        row = (ptrdiff_t)points + checker_random_int(c, 0, 9);
        const size_t reach = points ? (points - 1) * (size_t)point + (size_t)lanes : 0;
        const size_t count = points ? (size_t)((lanes - 1) * row) + points : 0;
        float *from = checker_floats(c, reach);
        checker_fill_any(c, from, reach);
        float *got = checker_floats(c, count), *want = checker_floats(c, count);
        memset(got, 0xA5, count * sizeof(float));
        memset(want, 0xA5, count * sizeof(float));
        tested->gemm.transpose(from, point, got, row, lanes, points);
        reference->gemm.transpose(from, point, want, row, lanes, points);
        checker_same(c, got, want, count, "%d lanes, %zu points %td apart, rows %td", lanes, points, point, row);
    }
}

/* A block of rows as large as half of a second cache, on one panel of b that stays in the first. */
static double bench_panel(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    enum { ROWS = 168, DEPTH = 256, REPEAT = 20 };
    const int blocks = tested->gemm.blocks;
    float *a = checker_floats(c, ROWS * DEPTH), *b = checker_floats(c, (size_t)blocks * DEPTH * 16);
    float *y = checker_floats(c, ROWS * (size_t)blocks * 16);
    memset(y, 0, ROWS * (size_t)blocks * 16 * sizeof(float));
    checker_fill(c, a, ROWS * DEPTH);
    checker_fill(c, b, (size_t)blocks * DEPTH * 16);
    const jm_gemm_panel panel = {.a = a,
                                 .b = b,
                                 .b_block = DEPTH * 16,
                                 .y = y,
                                 .y_row = 16 * blocks,
                                 .y_block = 16,
                                 .rows = ROWS,
                                 .depth = DEPTH,
                                 .blocks = blocks,
                                 .lanes = kernel->argument};
    for (int i = 0; i < REPEAT; i++) tested->gemm.panel(&panel);
    return 2.0 * REPEAT * ROWS * DEPTH * blocks * 16;
}

/* Terms next to each other, into 16 lanes. */
static double bench_pack(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    enum { DEPTH = 128, REPEAT = 500 };
    float *from = checker_floats(c, DEPTH * 16), *to = checker_floats(c, DEPTH * 16);
    checker_fill(c, from, DEPTH * 16);
    for (int i = 0; i < REPEAT; i++) tested->gemm.pack(from, 1, DEPTH, DEPTH, 16, 16, 1, to);
    return 1.0 * REPEAT * DEPTH * 16;
}

static double bench_pack_blocks(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    enum { DEPTH = 64, BLOCKS = 4, REPEAT = 200 };
    float *from = checker_floats(c, DEPTH * BLOCKS * 16), *to = checker_floats(c, DEPTH * BLOCKS * 16);
    checker_fill(c, from, DEPTH * BLOCKS * 16);
    for (int i = 0; i < REPEAT; i++) tested->gemm.pack_blocks(from, BLOCKS * 16, DEPTH, BLOCKS, 1, to);
    return 1.0 * REPEAT * DEPTH * BLOCKS * 16;
}

static double bench_transpose(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    enum { POINTS = 160, REPEAT = 500 };
    float *from = checker_floats(c, POINTS * 16), *to = checker_floats(c, POINTS * 16);
    checker_fill(c, from, POINTS * 16);
    for (int i = 0; i < REPEAT; i++) tested->gemm.transpose(from, 16, to, POINTS, 16, POINTS);
    return 1.0 * REPEAT * POINTS * 16;
}

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"gemm.panel", offsetof(jm_kernels, gemm.panel), 16, check_panel, bench_panel, true},
        {"gemm.pack", offsetof(jm_kernels, gemm.pack), 0, check_pack, bench_pack, false},
        {"gemm.pack_blocks", offsetof(jm_kernels, gemm.pack_blocks), 0, check_pack_blocks, bench_pack_blocks, false},
        {"gemm.transpose", offsetof(jm_kernels, gemm.transpose), 0, check_transpose, bench_transpose, false},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_gemm = {
    .name = "gemm",
    .offset = offsetof(jm_kernels, gemm),
    .size = sizeof(jm_gemm_kernels),
    .data = offsetof(jm_kernels, gemm.panel) - offsetof(jm_kernels, gemm),
    .list = list,
};
