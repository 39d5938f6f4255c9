/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/gemm.h"
#include "kernels/vector.h"

/* 6 x 16, or 6 x 8 where half a block is wanted: 24 sums, 4 vectors of b, 1 element of a of 32 registers. `rows` and
 * `vecs` (of 4 columns) are constants in every caller of these. */
VEC_INLINE void add_term(vec sum[6][4], const float *a, const float *b, const int rows, const int vecs)
{
    vec w[4];
    VEC_UNROLL for (int v = 0; v < vecs; v++) w[v] = vec_load(b + v * 4);
    VEC_UNROLL for (int r = 0; r < rows; r++)
    {
        const float x = vec_scalar(a + r);
        VEC_UNROLL for (int v = 0; v < vecs; v++) sum[r][v] = vec_fma_scalar(w[v], x, sum[r][v]);
    }
}

VEC_INLINE void tile_of(const jm_gemm_panel *panel, const float *a, float *y, const int rows, const int vecs)
{
    const float *b = panel->b;
    const ptrdiff_t y_row = panel->y_row;
    const float *before = panel->start ? panel->start : y;
    ptrdiff_t before_row = panel->start ? 0 : y_row;
    size_t left = panel->depth;
    do {
        size_t count = left < JM_GEMM_SEGMENT ? left : JM_GEMM_SEGMENT;
        left -= count;
        vec sum[6][4];
        VEC_UNROLL for (int r = 0; r < rows; r++)
        {
            VEC_UNROLL for (int v = 0; v < vecs; v++) sum[r][v] = vec_set1(0);
        }
        VEC_NO_UNROLL for (; count; count--, a += rows, b += 16) add_term(sum, a, b, rows, vecs);
        VEC_UNROLL for (int r = 0; r < rows; r++)
        {
            VEC_UNROLL for (int v = 0; v < vecs; v++)
            {
                const vec x = vec_load(before + r * before_row + v * 4);
                vec_store(y + r * y_row + v * 4, vec_add(x, sum[r][v]));
            }
        }
        before = y;
        before_row = y_row;
    } while (left);
}

/* tiles_NxV: `count` tiles of N rows and V vectors. */
#define TILES(rows, vecs)                                                                                              \
    static void tiles_##rows##x##vecs(const jm_gemm_panel *panel, const float *a, float *y, size_t count)              \
    {                                                                                                                  \
        for (; count; count--, a += panel->depth * rows, y += panel->y_row * rows) tile_of(panel, a, y, rows, vecs);   \
    }
#define NAME(rows, vecs) tiles_##rows##x##vecs,
#define UP_TO_6(X, vecs) X(1, vecs) X(2, vecs) X(3, vecs) X(4, vecs) X(5, vecs) X(6, vecs)
UP_TO_6(TILES, 2)
UP_TO_6(TILES, 4)

static void jm_f32_gemm_panel_6x16__neon(const jm_gemm_panel *panel)
{
    static const jm_gemm_tiles_of whole[] = {NULL, UP_TO_6(NAME, 4)}, half[] = {NULL, UP_TO_6(NAME, 2)};
    jm_gemm_walk(panel, 6, panel->lanes == 8 ? half : whole);
}

/* Lanes `first` and higher of `depth` rows, one by one. */
static void pack_lanes(const float *from, ptrdiff_t step, ptrdiff_t lane, size_t depth, int first, int lanes, int width,
                       float scale, float *to)
{
    for (size_t k = 0; k < depth; k++, from += step, to += width) {
        for (int j = first; j < lanes; j++) to[j] = scale * from[j * lane];
        for (int j = lanes > first ? lanes : first; j < width; j++) to[j] = 0;
    }
}

static void jm_f32_gemm_pack_blocks__neon(const float *from, ptrdiff_t step, size_t depth, size_t blocks, float scale,
                                          float *to)
{
    const vec s = vec_set1(scale);
    for (size_t k = 0; k < depth; k++, from += step, to += 16) {
        float *out = to;
        for (size_t b = 0; b < blocks; b++, out += depth * 16) {
            VEC_UNROLL for (int v = 0; v < 4; v++) vec_store(out + v * 4, vec_mul(s, vec_load(from + b * 16 + v * 4)));
        }
    }
}

/* Terms next to each other in memory: squares of 4 x 4 are transposed. */
static void pack_columns(const float *from, ptrdiff_t lane, size_t depth, int lanes, int width, float scale, float *to)
{
    const vec s = vec_set1(scale);
    const int whole = lanes & ~3;
    for (; depth >= 4; depth -= 4, from += 4, to += 4 * width) {
        for (int j = 0; j < whole; j += 4) {
            vec row[4];
            VEC_UNROLL for (int i = 0; i < 4; i++) row[i] = vec_mul(s, vec_load(from + (j + i) * lane));
            vec_transpose(row);
            VEC_UNROLL for (int i = 0; i < 4; i++) vec_store(to + i * width + j, row[i]);
        }
        pack_lanes(from, 1, lane, 4, whole, lanes, width, scale, to);
    }
    pack_lanes(from, 1, lane, depth, 0, lanes, width, scale, to);
}

static void jm_f32_gemm_pack_4x4__neon(const float *from, ptrdiff_t step, ptrdiff_t lane, size_t depth, int lanes,
                                       int width, float scale, float *to)
{
    if (lane == 1 && width == 16 && lanes == 16)
        jm_f32_gemm_pack_blocks__neon(from, step, depth, 1, scale, to);
    else if (step == 1)
        pack_columns(from, lane, depth, lanes, width, scale, to);
    else
        pack_lanes(from, step, lane, depth, 0, lanes, width, scale, to);
}

/* Squares of 4 x 4, then what is left. */
static void jm_f32_gemm_transpose_4x4__neon(const float *from, ptrdiff_t point, float *to, ptrdiff_t row, int lanes,
                                            size_t points)
{
    size_t p = 0;
    const int quads = lanes & ~3;
    for (; p + 4 <= points; p += 4, from += 4 * point, to += 4) {
        for (int l = 0; l < quads; l += 4) {
            const float32x4x2_t a = vtrnq_f32(vld1q_f32(from + l), vld1q_f32(from + point + l));
            const float32x4x2_t b = vtrnq_f32(vld1q_f32(from + 2 * point + l), vld1q_f32(from + 3 * point + l));
            vst1q_f32(to + l * row, vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0])));
            vst1q_f32(to + (l + 1) * row, vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1])));
            vst1q_f32(to + (l + 2) * row, vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0])));
            vst1q_f32(to + (l + 3) * row, vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1])));
        }
        for (int l = quads; l < lanes; l++)
            for (int i = 0; i < 4; i++) memcpy(to + l * row + i, from + i * point + l, sizeof(float));
    }
    for (; p < points; p++, from += point, to++)
        for (int l = 0; l < lanes; l++) memcpy(to + l * row, from + l, sizeof(float));
}

void jm_gemm_kernels_init__neon(jm_gemm_kernels *kernels)
{
    *kernels = (jm_gemm_kernels){
        .tile_rows = 6,
        .blocks = 1,
        .panel = jm_f32_gemm_panel_6x16__neon,
        .pack = jm_f32_gemm_pack_4x4__neon,
        .pack_blocks = jm_f32_gemm_pack_blocks__neon,
        .transpose = jm_f32_gemm_transpose_4x4__neon,
    };
}
