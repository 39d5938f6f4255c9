/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the kernels of blocked matrix products, f32: both operands are packed. And of what brings elements into
 * and out of blocks of 16 lanes.
 *
 * A panel computes `rows` rows of `blocks` blocks of columns, `lanes` columns each:
 *     y(r, b, j) = before + sum over k < depth of a(r, k) * b(b, k, j)
 * `before` is start(b, j), or with `start` NULL what y holds. The terms are taken JM_GEMM_SEGMENT at a time: a
 * segment's terms are one chain of fused multiply-adds from 0 in the order of k, and its sum is added to what came
 * before; with depth 0 that is 0. These are the sums of kernels/conv.h, so a product has the same bits with either
 * kernel; it may be cut at multiples of JM_GEMM_SEGMENT.
 *
 * The rows of `a` lie in tiles, as jm_gemm_cut cuts them, so that a tile is read as one stream: [tiles][depth][rows of
 * the tile]. Tiles differ by one row at most: 13 rows are 5 + 4 + 4, not 6 + 6 + 1.
 *
 * Alignment: `b` and `start` lie at multiples of 64 bytes, the others at multiples of 4. Kernels read and write only
 * the elements named above. Counts may be 0. Outputs do not overlap inputs. NaN and infinities follow IEEE 754; the
 * sign and payload of a NaN are unspecified.
 */
#ifndef JUMAR_KERNELS_GEMM_H
#define JUMAR_KERNELS_GEMM_H

#include <stddef.h>

enum { JM_GEMM_SEGMENT = 128, JM_GEMM_MAX_BLOCKS = 2 };

/* Distances are in elements. */
typedef struct jm_gemm_panel {
    const float *a;
    const float *b; /* [blocks][depth][16] */
    size_t b_block;
    const float *start; /* [blocks][16], or NULL */
    float *y;
    ptrdiff_t y_row, y_block;
    size_t rows, depth;
    int blocks; /* 1 to the table's `blocks` */
    int lanes;  /* 16; or 8 where there is one block */
} jm_gemm_panel;

typedef struct jm_gemm_kernels {
    int tile_rows; /* most rows of a tile */
    int blocks;    /* most blocks of a panel */
    void (*panel)(const jm_gemm_panel *panel);
    /* to[k * width + j] = scale * from[k * step + j * lane] for k < depth and j < lanes, 0 for lanes <= j < width.
     * width <= 16; where it is 16, `to` lies at a multiple of 64 bytes. */
    void (*pack)(const float *from, ptrdiff_t step, ptrdiff_t lane, size_t depth, int lanes, int width, float scale,
                 float *to);
    /* Many blocks whose lanes lie next to each other: to[(b * depth + k) * 16 + j] = scale * from[k * step + b * 16 +
     * j] for b < blocks, k < depth, j < 16. `to` lies at a multiple of 64 bytes. */
    void (*pack_blocks)(const float *from, ptrdiff_t step, size_t depth, size_t blocks, float scale, float *to);
    /* A transposition, of any elements of 4 bytes: to[l * row + p] = from[p * point + l] for l < lanes <= 16 and
     * p < points. */
    void (*transpose)(const float *from, ptrdiff_t point, float *to, ptrdiff_t row, int lanes, size_t points);
} jm_gemm_kernels;

/* The tiles of `rows` rows: `count` of them, the first `longer` with `height` + 1 rows, the others with `height`. */
typedef struct jm_gemm_tiles {
    size_t count, longer;
    int height;
} jm_gemm_tiles;

static inline jm_gemm_tiles jm_gemm_cut(size_t rows, int tile_rows)
{
    const size_t count = (rows + (size_t)tile_rows - 1) / (size_t)tile_rows;
    if (count == 0) return (jm_gemm_tiles){0};
    return (jm_gemm_tiles){.count = count, .longer = rows % count, .height = (int)(rows / count)};
}

/* Computes `count` tiles of one height; rows of A and Y from these on. */
typedef void (*jm_gemm_tiles_of)(const jm_gemm_panel *panel, const float *a, float *y, size_t count);

/* Walks a panel; tiles_of[n] computes tiles of n rows. */
static inline void jm_gemm_walk(const jm_gemm_panel *panel, int tile_rows, const jm_gemm_tiles_of *tiles_of)
{
    const jm_gemm_tiles tiles = jm_gemm_cut(panel->rows, tile_rows);
    const size_t rows = tiles.longer * (size_t)(tiles.height + 1);
    if (tiles.longer) tiles_of[tiles.height + 1](panel, panel->a, panel->y, tiles.longer);
    if (tiles.count > tiles.longer)
        tiles_of[tiles.height](panel, panel->a + panel->depth * rows, panel->y + panel->y_row * (ptrdiff_t)rows,
                               tiles.count - tiles.longer);
}

/* Fill the table, or the entries that a level improves. Defined in gemm_<level>.c. */
void jm_gemm_kernels_init__reference(jm_gemm_kernels *kernels);
void jm_gemm_kernels_init__neon(jm_gemm_kernels *kernels);
void jm_gemm_kernels_init__avx2(jm_gemm_kernels *kernels);
void jm_gemm_kernels_init__avx512(jm_gemm_kernels *kernels);

#endif
