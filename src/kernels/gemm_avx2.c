/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/gemm.h"
#include "kernels/vector.h"

/* 6 x 16: 12 accumulators, 2 vectors of b, 1 element of a of 16 registers. `rows` is a constant in every caller. */
VEC_INLINE void add_term(__m256 sum[6][2], const float *a, const float *b, const int rows)
{
    const __m256 b0 = _mm256_load_ps(b), b1 = _mm256_load_ps(b + 8);
    VEC_UNROLL for (int r = 0; r < rows; r++)
    {
        const __m256 x = _mm256_broadcast_ss(a + r);
        sum[r][0] = _mm256_fmadd_ps(x, b0, sum[r][0]);
        sum[r][1] = _mm256_fmadd_ps(x, b1, sum[r][1]);
    }
}

VEC_INLINE void tile_of(const jm_gemm_panel *panel, const float *a, float *y, const int rows)
{
    const float *b = panel->b;
    const ptrdiff_t y_row = panel->y_row;
    const float *before = panel->start ? panel->start : y;
    ptrdiff_t before_row = panel->start ? 0 : y_row;
    size_t left = panel->depth;
    /* The sums are needed a segment later. */
    VEC_UNROLL for (int r = 0; r < rows; r++) _mm_prefetch((const char *)(y + r * y_row), _MM_HINT_T0);
    do {
        size_t count = left < JM_GEMM_SEGMENT ? left : JM_GEMM_SEGMENT;
        left -= count;
        __m256 sum[6][2];
        VEC_UNROLL for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = _mm256_setzero_ps();
        VEC_UNROLL_8 for (; count; count--, a += rows, b += 16) add_term(sum, a, b, rows);
        VEC_UNROLL for (int r = 0; r < rows; r++)
        {
            const __m256 b0 = _mm256_loadu_ps(before + r * before_row);
            const __m256 b1 = _mm256_loadu_ps(before + r * before_row + 8);
            _mm256_storeu_ps(y + r * y_row, _mm256_add_ps(b0, sum[r][0]));
            _mm256_storeu_ps(y + r * y_row + 8, _mm256_add_ps(b1, sum[r][1]));
        }
        before = y;
        before_row = y_row;
    } while (left);
}

/* tiles_N: `count` tiles of N rows. */
#define TILES(rows)                                                                                                    \
    static void tiles_##rows(const jm_gemm_panel *panel, const float *a, float *y, size_t count)                       \
    {                                                                                                                  \
        for (; count; count--, a += panel->depth * rows, y += panel->y_row * rows) tile_of(panel, a, y, rows);         \
    }
TILES(1)
TILES(2)
TILES(3)
TILES(4)
TILES(5)
TILES(6)

/* 12 x 8: two tiles of the same height side by side, or one where `tiles` is 1; as above in half of the lanes. */
VEC_INLINE void halves_of(const jm_gemm_panel *panel, const float *a, float *y, const int rows, const int tiles)
{
    const float *b = panel->b, *a1 = a + panel->depth * (size_t)rows;
    const ptrdiff_t y_row = panel->y_row;
    const float *before = panel->start ? panel->start : y;
    ptrdiff_t before_row = panel->start ? 0 : y_row;
    size_t left = panel->depth;
    VEC_UNROLL for (int r = 0; r < tiles * rows; r++) _mm_prefetch((const char *)(y + r * y_row), _MM_HINT_T0);
    do {
        size_t count = left < JM_GEMM_SEGMENT ? left : JM_GEMM_SEGMENT;
        left -= count;
        __m256 sum[12];
        VEC_UNROLL for (int r = 0; r < tiles * rows; r++) sum[r] = _mm256_setzero_ps();
        VEC_UNROLL_4 for (; count; count--, a += rows, a1 += rows, b += 16)
        {
            const __m256 b0 = _mm256_load_ps(b);
            VEC_UNROLL for (int r = 0; r < rows; r++)
            {
                sum[r] = _mm256_fmadd_ps(_mm256_broadcast_ss(a + r), b0, sum[r]);
                if (tiles == 2) sum[rows + r] = _mm256_fmadd_ps(_mm256_broadcast_ss(a1 + r), b0, sum[rows + r]);
            }
        }
        VEC_UNROLL for (int r = 0; r < tiles * rows; r++)
        {
            const __m256 b0 = _mm256_loadu_ps(before + r * before_row);
            _mm256_storeu_ps(y + r * y_row, _mm256_add_ps(b0, sum[r]));
        }
        before = y;
        before_row = y_row;
    } while (left);
}

/* halves_N: `count` tiles of N rows and 8 columns. */
#define HALVES(rows)                                                                                                   \
    static void halves_##rows(const jm_gemm_panel *panel, const float *a, float *y, size_t count)                      \
    {                                                                                                                  \
        for (; count >= 2; count -= 2, a += panel->depth * 2 * rows, y += panel->y_row * 2 * rows)                     \
            halves_of(panel, a, y, rows, 2);                                                                           \
        if (count) halves_of(panel, a, y, rows, 1);                                                                    \
    }
HALVES(1)
HALVES(2)
HALVES(3)
HALVES(4)
HALVES(5)
HALVES(6)

static void jm_f32_gemm_panel_6x16__avx2(const jm_gemm_panel *panel)
{
    static const jm_gemm_tiles_of whole[] = {NULL, tiles_1, tiles_2, tiles_3, tiles_4, tiles_5, tiles_6};
    static const jm_gemm_tiles_of half[] = {NULL, halves_1, halves_2, halves_3, halves_4, halves_5, halves_6};
    jm_gemm_walk(panel, 6, panel->lanes == 8 ? half : whole);
}

/* Eight lanes of which the first n are elements; n may be less than 1 or more than 8. */
VEC_INLINE __m256i lanes_below(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* Lanes next to each other in memory: rows of `lanes` elements are copied, in pieces of 4, 2 and 1. */
VEC_INLINE void copy_rows_of(const float *from, ptrdiff_t step, size_t depth, const int lanes, float scale, float *to)
{
    const __m128 s = _mm_set1_ps(scale);
    VEC_NO_UNROLL for (size_t k = 0; k < depth; k++, from += step, to += lanes)
    {
        VEC_UNROLL for (int j = 0; j < lanes / 4; j++)
            _mm_storeu_ps(to + 4 * j, _mm_mul_ps(s, _mm_loadu_ps(from + 4 * j)));
        if (lanes & 2) {
            const int j = lanes / 4 * 4;
            _mm_storel_pi((__m64 *)(to + j),
                          _mm_mul_ps(s, _mm_castpd_ps(_mm_load_sd((const double *)(const void *)(from + j)))));
        }
        if (lanes & 1) to[lanes - 1] = scale * from[lanes - 1];
    }
}

static void copy_rows(const float *from, ptrdiff_t step, size_t depth, int lanes, float scale, float *to)
{
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        copy_rows_of(from, step, depth, n, scale, to);                                                                 \
        break;
    switch (lanes) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
        CASE(6)
        CASE(7)
        CASE(8)
        CASE(9)
        CASE(10)
        CASE(11)
        CASE(12)
        CASE(13)
        CASE(14)
        CASE(15)
    }
#undef CASE
}

/* The same into rows of `width` elements, which zeros fill up. */
static void pack_rows(const float *from, ptrdiff_t step, size_t depth, int lanes, int width, float scale, float *to)
{
    if (lanes == width) {
        copy_rows(from, step, depth, lanes, scale, to);
        return;
    }
    for (size_t k = 0; k < depth; k++, from += step, to += width) {
        for (int j = 0; j < lanes; j++) to[j] = scale * from[j];
        for (int j = lanes; j < width; j++) to[j] = 0;
    }
}

static void jm_f32_gemm_pack_blocks__avx2(const float *from, ptrdiff_t step, size_t depth, size_t blocks, float scale,
                                          float *to)
{
    /* Rows lie far apart, where no hardware prefetcher follows. Few blocks at a time: each is a stream of stores. */
    enum { TOGETHER = 4, AHEAD = 8 };
    const __m256 s = _mm256_set1_ps(scale);
    for (size_t first = 0; first < blocks; first += TOGETHER, from += TOGETHER * 16, to += TOGETHER * depth * 16) {
        const size_t count = blocks - first < TOGETHER ? blocks - first : TOGETHER;
        const float *row = from;
        for (size_t k = 0; k < depth; k++, row += step) {
            float *out = to + k * 16;
            for (size_t b = 0; b < count; b++, out += depth * 16) {
                _mm_prefetch((const char *)(row + AHEAD * step + b * 16), _MM_HINT_T0);
                _mm256_store_ps(out, _mm256_mul_ps(s, _mm256_loadu_ps(row + b * 16)));
                _mm256_store_ps(out + 8, _mm256_mul_ps(s, _mm256_loadu_ps(row + b * 16 + 8)));
            }
        }
    }
}

/* Stores the first n of 8 or more, whole while `room` elements remain: what is written too much is written again. */
VEC_INLINE void store(float *to, __m256 value, int n, size_t room)
{
    if (room >= 8) {
        _mm256_storeu_ps(to, value);
        return;
    }
    float part[8];
    _mm256_storeu_ps(part, value);
    for (int j = 0; j < n; j++) to[j] = part[j];
}

/* Terms next to each other in memory: squares of 8 x 8 are transposed. Lanes first .. first + 7. */
VEC_INLINE void pack_columns(const float *from, ptrdiff_t lane, size_t depth, int lanes, int first, int width,
                             float scale, float *to)
{
    const __m256 s = _mm256_set1_ps(scale), used = _mm256_castsi256_ps(lanes_below(lanes - first));
    const float *source[8]; /* lanes behind the last one repeat it, and become 0 */
    for (int j = 0; j < 8; j++) source[j] = from + (first + j < lanes ? first + j : lanes - 1) * lane;
    from += first * lane;
    to += first;
    size_t room = depth * (size_t)width - (size_t)first;
    for (size_t k = 0; k < depth; k += 8, from += 8) {
        const int terms = depth - k < 8 ? (int)(depth - k) : 8;
        __m256 row[8];
        if (terms == 8) {
            vec_load_columns(source, k, row);
        } else {
            VEC_UNROLL for (int j = 0; j < 8; j++) row[j] = _mm256_maskload_ps(source[j] + k, lanes_below(terms));
            vec_transpose(row);
        }
        VEC_UNROLL for (int i = 0; i < 8; i++) row[i] = _mm256_and_ps(_mm256_mul_ps(s, row[i]), used);
        /* The next rows: each is a stream too short for hardware prefetchers. */
        VEC_UNROLL for (int j = 0; j < 4; j++)
        {
            const ptrdiff_t ahead = (lanes - first < 8 ? lanes - first : 8) + (ptrdiff_t)(k & 8) / 2 + j;
            _mm_prefetch((const char *)(from + ahead * lane), _MM_HINT_T0);
        }
        if (terms == 8 && width >= 4) {
            VEC_UNROLL for (int i = 0; i < 7; i++) _mm256_storeu_ps(to + i * width, row[i]);
            store(to + 7 * width, row[7], width - first, room - (size_t)(7 * width));
        } else {
            for (int i = 0; i < terms; i++) store(to + i * width, row[i], width - first, room - (size_t)(i * width));
        }
        to += 8 * width;
        room -= (size_t)(8 * width);
    }
}

static void jm_f32_gemm_pack_8x8__avx2(const float *from, ptrdiff_t step, ptrdiff_t lane, size_t depth, int lanes,
                                       int width, float scale, float *to)
{
    if (lane == 1 && width == 16 && lanes == 16) {
        jm_f32_gemm_pack_blocks__avx2(from, step, depth, 1, scale, to);
    } else if (lane == 1) {
        pack_rows(from, step, depth, lanes, width, scale, to);
    } else if (step == 1) {
        /* Rows of up to 16 lanes: what is stored too much of the high ones lies over the low ones of the next row. */
        if (width > 8) pack_columns(from, lane, depth, lanes, 8, width, scale, to);
        pack_columns(from, lane, depth, lanes, 0, width, scale, to);
    } else {
        for (size_t k = 0; k < depth; k++, from += step, to += width)
            for (int j = 0; j < width; j++) to[j] = j < lanes ? scale * from[j * lane] : 0;
    }
}

/* Eight points, 16 of them in turn so that whole cache lines are written. */
static void jm_f32_gemm_transpose_8x8__avx2(const float *from, ptrdiff_t point, float *to, ptrdiff_t row, int lanes,
                                            size_t points)
{
    const __m256i mask[2] = {lanes_below(lanes), lanes_below(lanes - 8)};
    for (size_t first = 0; first < points; first += 16) {
        for (int half = 0; half * 8 < lanes; half++) {
            for (size_t p = first; p < points && p < first + 16; p += 8) {
                const int count = points - p < 8 ? (int)(points - p) : 8;
                const float *at = from + (ptrdiff_t)p * point + half * 8;
                __m256 x[8];
                VEC_UNROLL for (int i = 0; i < 8; i++) x[i] =
                    i < count ? _mm256_maskload_ps(at + i * point, mask[half]) : _mm256_setzero_ps();
                vec_transpose(x);
                const __m256i used = lanes_below(count);
                VEC_UNROLL for (int l = 0; l < 8; l++)
                {
                    float *out = to + (half * 8 + l) * row + p;
                    if (half * 8 + l >= lanes) continue;
                    if (count == 8)
                        _mm256_storeu_ps(out, x[l]);
                    else
                        _mm256_maskstore_ps(out, used, x[l]);
                }
            }
        }
    }
}

void jm_gemm_kernels_init__avx2(jm_gemm_kernels *kernels)
{
    *kernels = (jm_gemm_kernels){
        .tile_rows = 6,
        .blocks = 1,
        .panel = jm_f32_gemm_panel_6x16__avx2,
        .pack = jm_f32_gemm_pack_8x8__avx2,
        .pack_blocks = jm_f32_gemm_pack_blocks__avx2,
        .transpose = jm_f32_gemm_transpose_8x8__avx2,
    };
}
