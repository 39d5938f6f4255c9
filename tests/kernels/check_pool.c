/* SPDX-License-Identifier: Apache-2.0
 *
 * Pooling and resize kernels.
 */
#include <string.h>

#include "checker.h"

enum { MOST_ROWS = 6 };

/* argument: 1 for the maximum. */
static void check_rows(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    const size_t rows = (size_t)checker_random_int(c, 1, MOST_ROWS), n = (size_t)checker_random_int(c, 0, 90);
    const float *row[MOST_ROWS];
    for (size_t r = 0; r < rows; r++) row[r] = checker_any(c, n);
    float *want = checker_floats(c, n), *got = checker_floats(c, n);
    (kernel->argument ? reference->pool.max_rows : reference->pool.sum_rows)(want, row, rows, n);
    (kernel->argument ? tested->pool.max_rows : tested->pool.sum_rows)(got, row, rows, n);
    checker_same(c, got, want, n, "%zu rows of %zu", rows, n);
}

static void check_pixels(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    const size_t pixels = (size_t)checker_random_int(c, 0, 20), step = (size_t)checker_random_int(c, 1, 3);
    const size_t taps = (size_t)checker_random_int(c, 1, 6), dilation = (size_t)checker_random_int(c, 1, 3);
    const size_t reach = pixels ? ((pixels - 1) * step + (taps - 1) * dilation + 1) * 16 : 0;
    float *x = checker_any(c, reach), *want = checker_floats(c, pixels * 16), *got = checker_floats(c, pixels * 16);
    (kernel->argument ? reference->pool.max_pixels : reference->pool.sum_pixels)(want, x, pixels, step, taps, dilation);
    (kernel->argument ? tested->pool.max_pixels : tested->pool.sum_pixels)(got, x, pixels, step, taps, dilation);
    checker_same(c, got, want, pixels * 16, "%zu pixels, step %zu, %zu taps, dilation %zu", pixels, step, taps,
                 dilation);
}

/* Against max_rows and max_pixels. */
static void check_max_window(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                             const jm_kernels *tested)
{
    (void)kernel;
    const bool usual = checker_random_int(c, 0, 2) != 0;
    const size_t rows = usual ? 3 : (size_t)checker_random_int(c, 1, MOST_ROWS);
    const size_t taps = usual ? 3 : (size_t)checker_random_int(c, 1, 4), step = (size_t)checker_random_int(c, 1, 3);
    const size_t pixels = (size_t)checker_random_int(c, 0, 20);
    const size_t reach = pixels ? ((pixels - 1) * step + taps) * 16 : 0;
    const float *row[MOST_ROWS];
    for (size_t r = 0; r < rows; r++) row[r] = checker_any(c, reach);
    float *combined = checker_floats(c, reach), *want = checker_floats(c, pixels * 16);
    float *got = checker_floats(c, pixels * 16);
    reference->pool.max_rows(combined, row, rows, reach);
    reference->pool.max_pixels(want, combined, pixels, step, taps, 1);
    tested->pool.max_window(got, row, rows, pixels, step, taps);
    checker_same(c, got, want, pixels * 16, "%zu rows, %zu pixels, step %zu, %zu taps", rows, pixels, step, taps);
}

/* The places are compared as floats, which hold them exactly. */
static void check_max_tap(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                          const jm_kernels *tested)
{
    enum { MOST = 70 };
    (void)kernel;
    const size_t n = (size_t)checker_random_int(c, 0, MOST), step = (size_t)checker_random_int(c, 1, 3);
    const float *x = checker_any(c, n ? (n - 1) * step + 1 : 0);
    float *want = checker_any(c, n), *got = checker_floats(c, n), *want_at = checker_floats(c, n), *got_at;
    int32_t *want_index = (int32_t *)(void *)checker_floats(c, n), *got_index = (int32_t *)(void *)checker_floats(c, n);
    got_at = checker_floats(c, n);
    const int32_t first = (int32_t)checker_random_int(c, 0, 1000);
    memcpy(got, want, n * sizeof(float));
    for (size_t i = 0; i < n; i++) want_index[i] = got_index[i] = (int32_t)i + 5000;
    reference->pool.max_tap(want, want_index, x, n, step, first);
    tested->pool.max_tap(got, got_index, x, n, step, first);
    for (size_t i = 0; i < n; i++) want_at[i] = (float)want_index[i], got_at[i] = (float)got_index[i];
    checker_same(c, got, want, n, "values of %zu windows, step %zu", n, step);
    checker_same(c, got_at, want_at, n, "places of %zu windows, step %zu", n, step);
}

static void check_blend_rows(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                             const jm_kernels *tested)
{
    (void)kernel;
    const size_t rows = (size_t)checker_random_int(c, 1, MOST_ROWS), n = (size_t)checker_random_int(c, 0, 90);
    const float *row[MOST_ROWS];
    for (size_t r = 0; r < rows; r++) row[r] = checker_any(c, n);
    const float *weight = checker_any(c, rows);
    float *want = checker_floats(c, n), *got = checker_floats(c, n);
    reference->pool.blend_rows(want, row, weight, rows, n);
    tested->pool.blend_rows(got, row, weight, rows, n);
    checker_same(c, got, want, n, "%zu rows of %zu", rows, n);
}

static int32_t *random_indices(checker *c, size_t count, size_t limit)
{
    int32_t *index = checker_memory(c, count * sizeof(*index));
    for (size_t i = 0; i < count; i++) index[i] = (int32_t)checker_random_int(c, 0, (int64_t)limit - 1);
    return index;
}

static void check_gather_pixels(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                                const jm_kernels *tested)
{
    (void)kernel;
    const size_t pixels = (size_t)checker_random_int(c, 0, 30), width = (size_t)checker_random_int(c, 1, 12);
    const int32_t *index = random_indices(c, pixels, width);
    float *x = checker_any(c, width * 16), *want = checker_floats(c, pixels * 16);
    float *got = checker_floats(c, pixels * 16);
    reference->pool.gather_pixels(want, x, index, pixels);
    tested->pool.gather_pixels(got, x, index, pixels);
    checker_same(c, got, want, pixels * 16, "%zu pixels of %zu", pixels, width);
}

static void check_blend_pixels(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                               const jm_kernels *tested)
{
    (void)kernel;
    const size_t pixels = (size_t)checker_random_int(c, 0, 30), width = (size_t)checker_random_int(c, 1, 12);
    const size_t taps = (size_t)checker_random_int(c, 1, 4);
    const int32_t *index = random_indices(c, pixels * taps, width);
    const float *weight = checker_any(c, pixels * taps);
    float *x = checker_any(c, width * 16), *want = checker_floats(c, pixels * 16);
    float *got = checker_floats(c, pixels * 16);
    reference->pool.blend_pixels(want, x, index, weight, taps, pixels);
    tested->pool.blend_pixels(got, x, index, weight, taps, pixels);
    checker_same(c, got, want, pixels * 16, "%zu pixels of %zu, %zu taps", pixels, width, taps);
}

/* ---- Timing: a row of 40 pixels ---- */

enum { PIXELS = 40, REPEAT = 1500 };

static double bench_rows(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    const float *row[5];
    float *y = checker_floats(c, PIXELS * 16);
    for (int r = 0; r < 5; r++) row[r] = checker_ordinary(c, PIXELS * 16);
    for (int i = 0; i < REPEAT; i++)
        (kernel->argument ? tested->pool.max_rows : tested->pool.sum_rows)(y, row, 5, PIXELS * 16);
    return (double)PIXELS * 16 * REPEAT;
}

static double bench_max_window(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    const float *row[3];
    float *y = checker_floats(c, PIXELS * 16);
    for (int r = 0; r < 3; r++) row[r] = checker_ordinary(c, (2 * PIXELS + 1) * 16);
    for (int i = 0; i < REPEAT; i++) tested->pool.max_window(y, row, 3, PIXELS, 2, 3);
    return (double)PIXELS * 16 * REPEAT;
}

static double bench_max_tap(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    float *x = checker_ordinary(c, PIXELS * 2), *best = checker_ordinary(c, PIXELS);
    int32_t index[PIXELS] = {0};
    for (int i = 0; i < REPEAT; i++) tested->pool.max_tap(best, index, x, PIXELS, 2, 0);
    return (double)PIXELS * REPEAT;
}

static double bench_pixels(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *x = checker_ordinary(c, (PIXELS + 4) * 16), *y = checker_floats(c, PIXELS * 16);
    for (int i = 0; i < REPEAT; i++)
        (kernel->argument ? tested->pool.max_pixels : tested->pool.sum_pixels)(y, x, PIXELS, 1, 5, 1);
    return (double)PIXELS * 16 * REPEAT;
}

static double bench_blend_rows(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    const float *row[2] = {checker_ordinary(c, PIXELS * 16), checker_ordinary(c, PIXELS * 16)},
                weight[2] = {0.25f, 0.75f};
    float *y = checker_floats(c, PIXELS * 16);
    for (int i = 0; i < REPEAT; i++) tested->pool.blend_rows(y, row, weight, 2, PIXELS * 16);
    return (double)PIXELS * 16 * REPEAT;
}

static double bench_gather_pixels(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    float *x = checker_ordinary(c, PIXELS / 2 * 16), *y = checker_floats(c, PIXELS * 16);
    int32_t index[PIXELS];
    for (int p = 0; p < PIXELS; p++) index[p] = p / 2;
    for (int i = 0; i < REPEAT; i++) tested->pool.gather_pixels(y, x, index, PIXELS);
    return (double)PIXELS * 16 * REPEAT;
}

static double bench_blend_pixels(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    float *x = checker_ordinary(c, (PIXELS / 2 + 1) * 16), *y = checker_floats(c, PIXELS * 16), weight[PIXELS * 2];
    int32_t index[PIXELS * 2];
    for (int i = 0; i < PIXELS * 2; i++) {
        index[i] = i / 4 + i % 2;
        weight[i] = i % 2 ? 0.25f : 0.75f;
    }
    for (int i = 0; i < REPEAT; i++) tested->pool.blend_pixels(y, x, index, weight, 2, PIXELS);
    return (double)PIXELS * 16 * REPEAT;
}

#define AT(field) offsetof(jm_kernels, pool.field)

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"pool.max_rows", AT(max_rows), 1, check_rows, bench_rows, false},
        {"pool.sum_rows", AT(sum_rows), 0, check_rows, bench_rows, false},
        {"pool.max_pixels", AT(max_pixels), 1, check_pixels, bench_pixels, false},
        {"pool.sum_pixels", AT(sum_pixels), 0, check_pixels, bench_pixels, false},
        {"pool.max_window", AT(max_window), 0, check_max_window, bench_max_window, false},
        {"pool.max_tap", AT(max_tap), 0, check_max_tap, bench_max_tap, false},
        {"pool.blend_rows", AT(blend_rows), 0, check_blend_rows, bench_blend_rows, false},
        {"pool.gather_pixels", AT(gather_pixels), 0, check_gather_pixels, bench_gather_pixels, false},
        {"pool.blend_pixels", AT(blend_pixels), 0, check_blend_pixels, bench_blend_pixels, false},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_pool = {
    .name = "pool",
    .offset = offsetof(jm_kernels, pool),
    .size = sizeof(jm_pool_kernels),
    .list = list,
};
