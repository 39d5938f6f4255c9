/* SPDX-License-Identifier: Apache-2.0
 *
 * Depthwise rows. The reference computes one point at a time, so that the check also shows that results do not depend
 * on how a row is cut.
 */
#include <string.h>

#include "checker.h"

static void check_row(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    (void)kernel;
    enum { MAX_TAPS = 25 };
    const size_t taps = (size_t)checker_random_int(c, 0, MAX_TAPS);
    ptrdiff_t *offset = checker_memory(c, MAX_TAPS * sizeof(*offset));
    uint32_t *index = checker_memory(c, MAX_TAPS * sizeof(*index));
    jm_depthwise_row row = {
        .input_pixel = checker_random_int(c, 1, 3) * 16,
        .offset = offset,
        .index = index,
        .taps = taps,
        .pixels = (size_t)checker_random_int(c, 0, 40),
    };
    size_t reach = 0;
    for (size_t t = 0; t < taps; t++) {
        offset[t] = checker_random_int(c, 0, 200);
        index[t] = (uint32_t)checker_random_int(c, 0, MAX_TAPS - 1);
        const size_t last = (size_t)offset[t] + (row.pixels - 1) * (size_t)row.input_pixel + 15;
        if (row.pixels > 0 && last + 1 > reach) reach = last + 1;
    }
    float *input = checker_floats(c, reach), *weight = checker_floats(c, MAX_TAPS * 16), *start = checker_floats(c, 16);
    checker_fill_any(c, input, reach);
    checker_fill_any(c, weight, MAX_TAPS * 16);
    checker_fill_any(c, start, 16);
    row.input = input;
    row.weight = weight;
    row.start = start;
    const size_t outputs = row.pixels * 16;
    float *got = checker_floats(c, outputs), *want = checker_floats(c, outputs);
    row.output = got;
    tested->depthwise.row(&row);
    for (size_t p = 0; p < row.pixels; p++) {
        jm_depthwise_row one = row;
        one.input += (ptrdiff_t)p * row.input_pixel;
        one.output = want + p * 16;
        one.pixels = 1;
        reference->depthwise.row(&one);
    }
    checker_same(c, got, want, outputs, "%zu pixels, %zu taps", row.pixels, taps);
}

static double bench_row(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    enum { TAPS = 9, PIXELS = 40, REPEAT = 300 };
    static const ptrdiff_t offset[TAPS] = {0, 16, 32, 672, 688, 704, 1344, 1360, 1376};
    static const uint32_t index[TAPS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    float *input = checker_floats(c, 42 * 3 * 16), *weight = checker_floats(c, TAPS * 16);
    float *start = checker_floats(c, 16), *output = checker_floats(c, PIXELS * 16);
    checker_fill(c, input, 42 * 3 * 16);
    checker_fill(c, weight, TAPS * 16);
    checker_fill(c, start, 16);
    const jm_depthwise_row row = {.input = input,
                                  .input_pixel = 16,
                                  .offset = offset,
                                  .index = index,
                                  .taps = TAPS,
                                  .weight = weight,
                                  .start = start,
                                  .output = output,
                                  .pixels = PIXELS};
    for (int i = 0; i < REPEAT; i++) tested->depthwise.row(&row);
    return 2.0 * REPEAT * PIXELS * 16 * TAPS;
}

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"depthwise.row", offsetof(jm_kernels, depthwise.row), 0, check_row, bench_row, true},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_depthwise = {
    .name = "depthwise",
    .offset = offsetof(jm_kernels, depthwise),
    .size = sizeof(jm_depthwise_kernels),
    .list = list,
};
