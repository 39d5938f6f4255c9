/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "kernels/gemm.h"

#include <string.h>

enum { TILE_ROWS = 6 };

/* One row of a block. `a` steps by `height` from one k to the next. */
static void row_of(const jm_gemm_panel *panel, const float *a, int height, size_t row, int block)
{
    float *y = panel->y + (ptrdiff_t)row * panel->y_row + block * panel->y_block;
    const float *b = panel->b + (size_t)block * panel->b_block;
    if (panel->start)
        for (int j = 0; j < panel->lanes; j++) y[j] = panel->start[block * 16 + j];
    size_t k = 0;
    do {
        const size_t end = panel->depth - k > JM_GEMM_SEGMENT ? k + JM_GEMM_SEGMENT : panel->depth;
        float sum[16] = {0};
        for (; k < end; k++)
            for (int j = 0; j < 16; j++) sum[j] = fmaf(a[k * (size_t)height], b[k * 16 + (size_t)j], sum[j]);
        for (int j = 0; j < panel->lanes; j++) y[j] += sum[j];
    } while (k < panel->depth);
}

static void jm_f32_gemm_panel_1x16__reference(const jm_gemm_panel *panel)
{
    const jm_gemm_tiles tiles = jm_gemm_cut(panel->rows, TILE_ROWS);
    const float *a = panel->a;
    size_t row = 0;
    for (size_t t = 0; t < tiles.count; t++) {
        const int height = tiles.height + (t < tiles.longer);
        for (int r = 0; r < height; r++, row++)
            for (int block = 0; block < panel->blocks; block++) row_of(panel, a + r, height, row, block);
        a += panel->depth * (size_t)height;
    }
}

static void jm_f32_gemm_pack__reference(const float *from, ptrdiff_t step, ptrdiff_t lane, size_t depth, int lanes,
                                        int width, float scale, float *to)
{
    for (size_t k = 0; k < depth; k++, from += step, to += width) {
        for (int j = 0; j < lanes; j++) to[j] = scale * from[j * lane];
        for (int j = lanes; j < width; j++) to[j] = 0;
    }
}

static void jm_f32_gemm_pack_blocks__reference(const float *from, ptrdiff_t step, size_t depth, size_t blocks,
                                               float scale, float *to)
{
    for (size_t b = 0; b < blocks; b++)
        jm_f32_gemm_pack__reference(from + b * 16, step, 1, depth, 16, 16, scale, to + b * depth * 16);
}

static void jm_f32_gemm_transpose__reference(const float *from, ptrdiff_t point, float *to, ptrdiff_t row, int lanes,
                                             size_t points)
{
    for (int l = 0; l < lanes; l++)
        for (size_t p = 0; p < points; p++) memcpy(to + l * row + p, from + (ptrdiff_t)p * point + l, sizeof(float));
}

void jm_gemm_kernels_init__reference(jm_gemm_kernels *kernels)
{
    *kernels = (jm_gemm_kernels){
        .tile_rows = TILE_ROWS,
        .blocks = 1,
        .panel = jm_f32_gemm_panel_1x16__reference,
        .pack = jm_f32_gemm_pack__reference,
        .pack_blocks = jm_f32_gemm_pack_blocks__reference,
        .transpose = jm_f32_gemm_transpose__reference,
    };
}
