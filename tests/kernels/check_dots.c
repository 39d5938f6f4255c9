/* SPDX-License-Identifier: Apache-2.0
 *
 * Dot products of rows: numbers of rows around the tiles', overlapping rows of A, lengths around the 16 lanes, sums in
 * any order.
 */
#include <string.h>

#include "checker.h"

enum { LANES = 16, MOST_ROWS = 30, MOST_B_ROWS = 10 };

static void check_rows(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    (void)kernel;
    for (size_t b_rows = 0; b_rows <= MOST_B_ROWS; b_rows++) {
        for (size_t rows = 0; rows <= MOST_ROWS; rows++) {
            jm_dot_row row[MOST_ROWS];
            const size_t n = (size_t)checker_random_int(c, 0, checker_random(c) & 3 ? 70 : 300);
            const size_t all = n + MOST_ROWS, sums = rows * b_rows * LANES;
            const ptrdiff_t gap = (ptrdiff_t)checker_random_int(c, 0, 3);
            const bool by_b = checker_random(c) & 1; /* the sums of a row of B lie together */
            for (size_t i = 0; i < rows; i++) {
                row[i].a = (ptrdiff_t)checker_random_int(c, 0, MOST_ROWS);
                row[i].sum = (ptrdiff_t)((rows - 1 - i) * (by_b ? 1 : b_rows) * LANES);
            }
            jm_dot_rows d = {
                .a = checker_any(c, all),
                .b = checker_any(c, b_rows ? (b_rows - 1) * (n + (size_t)gap) + n : 0),
                .row = row,
                .rows = rows,
                .b_rows = b_rows,
                .b_row = (ptrdiff_t)n + gap,
                .sum_row = (ptrdiff_t)((by_b ? rows : 1) * LANES),
                .n = n,
            };
            float *want = checker_any(c, sums), *got = checker_floats(c, sums);
            if (sums) memcpy(got, want, sums * sizeof(float));
            d.sum = want;
            reference->dots.rows(&d);
            d.sum = got;
            tested->dots.rows(&d);
            checker_same(c, got, want, sums, "%zu x %zu rows of %zu", rows, b_rows, n);
        }
    }
}

/* The nine taps of a 3x3 kernel with `argument` filters. */
static double bench_rows(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    enum { REPEAT = 100, N = 640, TAPS = 9 };
    const size_t filters = (size_t)kernel->argument;
    jm_dot_row row[TAPS];
    for (int i = 0; i < TAPS; i++) row[i] = (jm_dot_row){.a = i / 3 * N + i % 3, .sum = i * LANES};
    float *sum = checker_floats(c, filters * TAPS * LANES);
    const jm_dot_rows d = {
        .a = checker_ordinary(c, 3 * N + 2),
        .b = checker_ordinary(c, filters * N),
        .row = row,
        .rows = TAPS,
        .b_rows = filters,
        .b_row = N,
        .sum_row = TAPS * LANES,
        .n = N,
        .sum = sum,
    };
    checker_fill(c, sum, filters * TAPS * LANES);
    for (int i = 0; i < REPEAT; i++) tested->dots.rows(&d);
    return 2.0 * REPEAT * (double)filters * TAPS * N;
}

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"dots.rows of a filter", offsetof(jm_kernels, dots.rows), 1, check_rows, bench_rows, true},
        {"dots.rows of 16 filters", offsetof(jm_kernels, dots.rows), 16, check_rows, bench_rows, true},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_dots = {
    .name = "dots",
    .offset = offsetof(jm_kernels, dots),
    .size = sizeof(jm_dots_kernels),
    .list = list,
};
