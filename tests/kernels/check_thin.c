/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of few rows, in both orders of B. The expected values are those of the reference's panels of kernels/gemm.h
 * on a packed copy of B, which shows that both families have the same sums.
 */
#include <string.h>

#include "base/alloc.h"
#include "checker.h"

enum { BY_COLUMNS, BY_TERMS };

static void run(const checker_kernel *kernel, const jm_kernels *kernels, const jm_thin_product *product)
{
    (kernel->argument == BY_TERMS ? kernels->thin.by_terms : kernels->thin.by_columns)(product);
}

static void expect(checker *c, const jm_kernels *reference, const jm_thin_product *p, bool by_terms, float *y)
{
    const ptrdiff_t term = by_terms ? 1 : p->b_step, column = by_terms ? p->b_step : 1;
    float *packed = checker_floats(c, p->depth * 16), *a = checker_floats(c, p->depth), *sum = checker_floats(c, 16);
    for (size_t j = 0; j < p->columns; j += 16) {
        const int lanes = p->columns - j < 16 ? (int)(p->columns - j) : 16;
        reference->gemm.pack(p->b + (ptrdiff_t)j * column, term, column, p->depth, lanes, 16, 1, packed);
        for (size_t r = 0; r < p->rows; r++, memset(sum, 0, 16 * sizeof(float))) {
            for (size_t k = 0; k < p->depth; k++) a[k] = p->a[k * p->rows + r];
            memcpy(sum, y + r * p->y_row + j, (size_t)lanes * sizeof(float));
            reference->gemm.panel(&(jm_gemm_panel){
                .a = a, .b = packed, .y = sum, .y_row = 16, .rows = 1, .depth = p->depth, .blocks = 1, .lanes = 16});
            memcpy(y + r * p->y_row + j, sum, (size_t)lanes * sizeof(float));
        }
    }
}

static void check_product(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                          const jm_kernels *tested)
{
    static const size_t depths[] = {1, 7, 8, 9, 16, 127, 128, 129, 255, 256, 300, 520};
    const bool by_terms = kernel->argument == BY_TERMS;
    for (size_t rows = 1; rows <= JM_THIN_ROWS; rows++) {
        const size_t depth = depths[checker_random_int(c, 0, JM_COUNT(depths) - 1)];
        const size_t columns = (size_t)checker_random_int(c, 0, 50);
        const size_t inner = by_terms ? depth : columns, outer = by_terms ? columns : depth;
        const size_t step = inner + (size_t)checker_random_int(c, 0, 5);
        const size_t y_row = columns + (size_t)checker_random_int(c, 0, 5);
        const size_t bs = outer && inner ? (outer - 1) * step + inner : 0,
                     ys = columns ? (rows - 1) * y_row + columns : 0;
        float *got = checker_any(c, ys), *want = checker_floats(c, ys);
        memcpy(want, got, ys * sizeof(float));
        const jm_thin_product product = {.a = checker_any(c, depth * rows),
                                         .b = checker_any(c, bs),
                                         .b_step = (ptrdiff_t)step,
                                         .y = got,
                                         .sum = checker_floats(c, ys),
                                         .y_row = y_row,
                                         .rows = rows,
                                         .depth = depth,
                                         .columns = columns};
        run(kernel, tested, &product);
        expect(c, reference, &product, by_terms, want);
        checker_same(c, got, want, ys, "%zu rows, depth %zu, %zu columns", rows, depth, columns);
    }
}

/* One row, B in the second cache. */
static double bench_product(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    enum { DEPTH = 256, COLUMNS = 256, REPEAT = 20 };
    const jm_thin_product product = {.a = checker_ordinary(c, DEPTH),
                                     .b = checker_ordinary(c, DEPTH * COLUMNS),
                                     .b_step = 256,
                                     .y = checker_ordinary(c, COLUMNS),
                                     .sum = checker_ordinary(c, COLUMNS),
                                     .y_row = COLUMNS,
                                     .rows = 1,
                                     .depth = DEPTH,
                                     .columns = COLUMNS};
    for (int i = 0; i < REPEAT; i++) run(kernel, tested, &product);
    return 2.0 * REPEAT * DEPTH * COLUMNS;
}

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"thin.by_columns", offsetof(jm_kernels, thin.by_columns), BY_COLUMNS, check_product, bench_product, true},
        {"thin.by_terms", offsetof(jm_kernels, thin.by_terms), BY_TERMS, check_product, bench_product, true},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_thin = {
    .name = "thin",
    .offset = offsetof(jm_kernels, thin),
    .size = sizeof(jm_thin_kernels),
    .list = list,
};
