/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel of dot products, written once on the vector of vector.h and compiled once per level: each dots_<level>.c
 * defines DOTS_SUMS, the sums that a tile keeps in registers, and includes this file.
 *
 * A tile is some rows of A times some of B: a + b loads for a * b multiply-adds. The rows are walked once for each
 * vector of the 16 lanes.
 */
#include "kernels/dots.h"
#include "kernels/vector.h"

#define GROUP 16
#define MOST_A 9 /* rows of A in a tile, whose addresses fit the registers too */
#define MOST_B 4

/* Most rows of A in a tile with so many of B. */
#define ROWS_BESIDE(b) (DOTS_SUMS / (b) < MOST_A ? DOTS_SUMS / (b) : MOST_A)

/* Adds a vector of every row, from element k on. `rows` and `b_rows` are constants. */
VEC_INLINE void add_products(vec sum[MOST_A][MOST_B], const float *const a[MOST_A], const float *const b[MOST_B],
                             size_t k, const int rows, const int b_rows)
{
    if (rows < b_rows) {
        vec x[MOST_B];
        VEC_UNROLL for (int i = 0; i < rows; i++) x[i] = vec_load(a[i] + k);
        VEC_UNROLL for (int j = 0; j < b_rows; j++)
        {
            const vec y = vec_load(b[j] + k);
            VEC_UNROLL for (int i = 0; i < rows; i++) sum[i][j] = vec_fma(x[i], y, sum[i][j]);
        }
    } else {
        vec y[MOST_B];
        VEC_UNROLL for (int j = 0; j < b_rows; j++) y[j] = vec_load(b[j] + k);
        VEC_UNROLL for (int i = 0; i < rows; i++)
        {
            const vec x = vec_load(a[i] + k);
            VEC_UNROLL for (int j = 0; j < b_rows; j++) sum[i][j] = vec_fma(x, y[j], sum[i][j]);
        }
    }
}

/* The same with `count` elements and zeros behind them. */
VEC_INLINE void add_last(vec sum[MOST_A][MOST_B], const float *const a[MOST_A], const float *const b[MOST_B], size_t k,
                         size_t count, const int rows, const int b_rows)
{
    VEC_UNROLL for (int i = 0; i < rows; i++)
    {
        __asm__("" : : : "memory"); /* B is loaded again for each row of A: the mask takes a register */
        const vec x = vec_load_part(a[i] + k, count);
        VEC_UNROLL for (int j = 0; j < b_rows; j++) sum[i][j] = vec_fma(x, vec_load_part(b[j] + k, count), sum[i][j]);
    }
}

/* `count` tiles of `rows` rows from `row` on, and rows of B from `from` on whose sums begin at `to`. */
VEC_INLINE void tiles_of(const jm_dot_rows *d, const jm_dot_row *row, size_t count, const float *from, float *to,
                         const int rows, const int b_rows)
{
    const size_t n = d->n, padded = (n + GROUP - 1) / GROUP * GROUP;
    const float *b[MOST_B];
    VEC_UNROLL for (int j = 0; j < b_rows; j++) b[j] = from + j * d->b_row;
    for (; count; count--, row += rows) {
        const float *a[MOST_A];
        VEC_UNROLL for (int i = 0; i < rows; i++) a[i] = d->a + row[i].a;
        for (size_t lane = 0; lane < GROUP; lane += VEC_LANES) {
            vec sum[MOST_A][MOST_B];
            VEC_UNROLL for (int i = 0; i < rows; i++)
            {
                VEC_UNROLL for (int j = 0; j < b_rows; j++) sum[i][j] = vec_set1(0);
            }
            size_t k = lane;
            for (; k + VEC_LANES <= n; k += GROUP) add_products(sum, a, b, k, rows, b_rows);
            if (k < padded) add_last(sum, a, b, k, k < n ? n - k : 0, rows, b_rows);
            const jm_dot_row *own = VEC_OPAQUE(row);
            VEC_UNROLL for (int i = 0; i < rows; i++)
            {
                float *at = to + own[i].sum + lane;
                VEC_UNROLL for (int j = 0; j < b_rows; j++, at += d->sum_row)
                    vec_store(at, vec_add(vec_load(at), sum[i][j]));
            }
        }
    }
}

typedef void (*tiles_function)(const jm_dot_rows *d, const jm_dot_row *row, size_t count, const float *from, float *to);

/* Tiles of `a` rows; those larger than a level's registers are never called. */
#define TILES(a, b)                                                                                                    \
    static void tiles_of_##a##x##b(const jm_dot_rows *d, const jm_dot_row *row, size_t count, const float *from,       \
                                   float *to)                                                                          \
    {                                                                                                                  \
        if (a <= ROWS_BESIDE(b)) tiles_of(d, row, count, from, to, a, b);                                              \
    }
#define NAME(a, b) tiles_of_##a##x##b,
#define UP_TO_9(X, b) X(1, b) X(2, b) X(3, b) X(4, b) X(5, b) X(6, b) X(7, b) X(8, b) X(9, b)

UP_TO_9(TILES, 1)
UP_TO_9(TILES, 2)
UP_TO_9(TILES, 3)
UP_TO_9(TILES, 4)

static void f32_dot_rows(const jm_dot_rows *d)
{
    static const size_t most[MOST_B + 1] = {0, ROWS_BESIDE(1), ROWS_BESIDE(2), ROWS_BESIDE(3), ROWS_BESIDE(4)};
    static const tiles_function functions[MOST_B + 1][MOST_A + 1] = {
        {NULL}, {NULL, UP_TO_9(NAME, 1)}, {NULL, UP_TO_9(NAME, 2)}, {NULL, UP_TO_9(NAME, 3)}, {NULL, UP_TO_9(NAME, 4)},
    };
    const float *from = d->b;
    float *to = d->sum;
    for (size_t left = d->rows ? d->b_rows : 0; left;) {
        const size_t b_rows = left < MOST_B ? left : MOST_B, tiles = (d->rows + most[b_rows] - 1) / most[b_rows];
        const size_t rows = d->rows / tiles, larger = d->rows % tiles;
        if (larger) functions[b_rows][rows + 1](d, d->row, larger, from, to);
        functions[b_rows][rows](d, d->row + larger * (rows + 1), tiles - larger, from, to);
        from += (ptrdiff_t)b_rows * d->b_row;
        to += (ptrdiff_t)b_rows * d->sum_row;
        left -= b_rows;
    }
}
