/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/gemm.h"
#include "kernels/vector.h"

enum { TILE_ROWS = 14 };

/* 14 x 32: 28 accumulators, 2 vectors of b, 1 element of a of 32 registers. `rows` and `blocks` are constants in every
 * caller of these two. */
VEC_INLINE void add_term(__m512 sum[TILE_ROWS][2], const float *a, const float *b, size_t b_block, const int rows,
                         const int blocks)
{
    __m512 w[2];
    VEC_UNROLL for (int n = 0; n < blocks; n++) w[n] = _mm512_load_ps(b + (size_t)n * b_block);
    VEC_UNROLL for (int r = 0; r < rows; r++)
    {
        const __m512 x = _mm512_set1_ps(a[r]);
        VEC_UNROLL for (int n = 0; n < blocks; n++) sum[r][n] = _mm512_fmadd_ps(x, w[n], sum[r][n]);
    }
}

VEC_INLINE void tile_of(const jm_gemm_panel *panel, const float *a, float *y, const int rows, const int blocks)
{
    const float *b = panel->b;
    const size_t b_block = panel->b_block;
    const __mmask16 lanes = (__mmask16)((1u << panel->lanes) - 1);
    const ptrdiff_t y_row = panel->y_row, y_block = panel->y_block;
    const float *before = panel->start ? panel->start : y;
    ptrdiff_t before_row = panel->start ? 0 : y_row, before_block = panel->start ? 16 : y_block;
    size_t left = panel->depth;
    /* The sums are needed a segment later. */
    VEC_UNROLL for (int r = 0; r < rows; r++) _mm_prefetch((const char *)(y + r * y_row), _MM_HINT_T0);
    do {
        size_t count = left < JM_GEMM_SEGMENT ? left : JM_GEMM_SEGMENT;
        left -= count;
        __m512 sum[TILE_ROWS][2];
        VEC_UNROLL for (int r = 0; r < rows; r++)
        {
            VEC_UNROLL for (int n = 0; n < blocks; n++) sum[r][n] = _mm512_setzero_ps();
        }
        VEC_NO_UNROLL for (; count; count--, a += rows, b += 16) add_term(sum, a, b, b_block, rows, blocks);
        VEC_UNROLL for (int r = 0; r < rows; r++)
        {
            VEC_UNROLL for (int n = 0; n < blocks; n++)
            {
                const __m512 x = _mm512_maskz_loadu_ps(lanes, before + r * before_row + n * before_block);
                _mm512_mask_storeu_ps(y + r * y_row + n * y_block, lanes, _mm512_add_ps(x, sum[r][n]));
            }
        }
        before = y;
        before_row = y_row;
        before_block = y_block;
    } while (left);
}

/* tiles_NxB: `count` tiles of N rows and B blocks. */
#define TILES(rows, blocks)                                                                                            \
    static void tiles_##rows##x##blocks(const jm_gemm_panel *panel, const float *a, float *y, size_t count)            \
    {                                                                                                                  \
        for (; count; count--, a += panel->depth * rows, y += panel->y_row * rows) tile_of(panel, a, y, rows, blocks); \
    }
#define ALL(X, blocks)                                                                                                 \
    X(1, blocks)                                                                                                       \
    X(2, blocks)                                                                                                       \
    X(3, blocks)                                                                                                       \
    X(4, blocks)                                                                                                       \
    X(5, blocks)                                                                                                       \
    X(6, blocks)                                                                                                       \
    X(7, blocks)                                                                                                       \
    X(8, blocks)                                                                                                       \
    X(9, blocks)                                                                                                       \
    X(10, blocks)                                                                                                      \
    X(11, blocks)                                                                                                      \
    X(12, blocks)                                                                                                      \
    X(13, blocks)                                                                                                      \
    X(14, blocks)
ALL(TILES, 1)
ALL(TILES, 2)

static void jm_f32_gemm_panel_14x32__avx512(const jm_gemm_panel *panel)
{
#define ENTRY(rows, blocks) [blocks - 1][rows] = tiles_##rows##x##blocks,
    static const jm_gemm_tiles_of all[2][TILE_ROWS + 1] = {ALL(ENTRY, 1) ALL(ENTRY, 2)};
    jm_gemm_walk(panel, TILE_ROWS, all[panel->blocks - 1]);
}

static void jm_f32_gemm_transpose_16x16__avx512(const float *from, ptrdiff_t point, float *to, ptrdiff_t row, int lanes,
                                                size_t points)
{
    const __mmask16 read = (__mmask16)((1u << lanes) - 1);
    for (size_t p = 0; p < points; p += 16, from += 16 * point, to += 16) {
        const int count = points - p < 16 ? (int)(points - p) : 16;
        const __mmask16 write = (__mmask16)((1u << count) - 1);
        __m512 x[16];
        VEC_UNROLL for (int i = 0; i < 16; i++) x[i] =
            i < count ? _mm512_maskz_loadu_ps(read, from + i * point) : _mm512_setzero_ps();
        vec_transpose(x);
        VEC_UNROLL for (int l = 0; l < 16; l++) if (l < lanes) _mm512_mask_storeu_ps(to + l * row, write, x[l]);
    }
}

void jm_gemm_kernels_init__avx512(jm_gemm_kernels *kernels)
{
    kernels->transpose = jm_f32_gemm_transpose_16x16__avx512;
    kernels->tile_rows = TILE_ROWS;
    kernels->blocks = 2;
    kernels->panel = jm_f32_gemm_panel_14x32__avx512;
}
