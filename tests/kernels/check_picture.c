/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of pixels of every width around the vectors: all are bytes or floats made of bytes.
 */
#include <string.h>

#include "checker.h"

enum { WIDEST = 140, SPLIT3 = 3, SPLIT4 = 4, MIX = 5 };

static uint8_t *bytes(checker *c, size_t count)
{
    uint8_t *out = checker_memory(c, count);
    for (size_t i = 0; i < count; i++) out[i] = (uint8_t)checker_random(c);
    return out;
}

static void check_bytes(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    for (size_t n = 0; n <= WIDEST; n += (size_t)checker_random_int(c, 1, 14)) {
        const size_t planes = kernel->argument == SPLIT4 ? 4 : 3;
        uint8_t *pixel = bytes(c, planes * n), *got[4], *want[4];
        for (size_t k = 0; k < planes; k++) {
            got[k] = bytes(c, n);
            want[k] = checker_memory(c, n);
            memcpy(want[k], got[k], n);
        }
        int32_t m[9], in[3], out[3];
        for (int i = 0; i < 9; i++) m[i] = (int32_t)checker_random_int(c, -32768, 32767) >> checker_random_int(c, 0, 9);
        for (int i = 0; i < 3; i++) {
            in[i] = (int32_t)checker_random_int(c, 0, 255);
            out[i] = (int32_t)checker_random_int(c, 0, 255);
        }
        if (kernel->argument == MIX) {
            tested->picture.mix(got, n, m, in, out);
            reference->picture.mix(want, n, m, in, out);
        } else {
            (planes == 3 ? tested->picture.split3 : tested->picture.split4)(pixel, n, got);
            (planes == 3 ? reference->picture.split3 : reference->picture.split4)(pixel, n, want);
        }
        for (size_t k = 0; k < planes; k++)
            if (memcmp(got[k], want[k], n) != 0) checker_fail(c, "%zu pixels, plane %zu", n, k);
    }
}

static void check_normalise(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                            const jm_kernels *tested)
{
    (void)kernel;
    for (size_t n = 0; n <= WIDEST; n += (size_t)checker_random_int(c, 1, 14)) {
        const uint8_t *pixel = bytes(c, n);
        const float *parameter = checker_ordinary(c, 2);
        float *got = checker_floats(c, n), *want = checker_floats(c, n);
        const int32_t mean = (int32_t)checker_random_int(c, 0, 255);
        tested->picture.normalise(pixel, n, mean, 60 * parameter[0], parameter[1], got);
        reference->picture.normalise(pixel, n, mean, 60 * parameter[0], parameter[1], want);
        checker_same(c, got, want, n, "%zu pixels", n);
    }
}

static void check_blend(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    (void)kernel;
    for (size_t n = 0; n <= WIDEST; n += (size_t)checker_random_int(c, 1, 14)) {
        const uint8_t *upper = bytes(c, n), *lower = bytes(c, n);
        int32_t *got = checker_memory(c, n * sizeof *got), *want = checker_memory(c, n * sizeof *want);
        const int32_t weight = (int32_t)checker_random_int(c, 0, 2048);
        tested->picture.blend(upper, lower, n, weight, got);
        reference->picture.blend(upper, lower, n, weight, want);
        if (n && memcmp(got, want, n * sizeof *got) != 0) checker_fail(c, "%zu samples", n);
    }
}

static void check_spread(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    enum { SOURCE = 50 };
    (void)kernel;
    for (size_t n = 0; n <= WIDEST; n += (size_t)checker_random_int(c, 1, 14)) {
        int32_t *row = checker_memory(c, 3 * SOURCE * sizeof *row), *at = checker_memory(c, n * sizeof *at);
        int32_t *weight = checker_memory(c, n * sizeof *weight);
        for (int i = 0; i < 3 * SOURCE; i++) row[i] = (int32_t)checker_random_int(c, 0, 255 * 2048);
        for (size_t i = 0; i < n; i++) {
            at[i] = 3 * (int32_t)checker_random_int(c, 0, SOURCE - 2);
            weight[i] = (int32_t)checker_random_int(c, 0, 2048);
        }
        float *got = checker_floats(c, n), *want = checker_floats(c, n);
        const float deviation = checker_random_int(c, 0, 1) ? 255 : 57.375f;
        /* The last channel: the last element that is read is the row's last. */
        tested->picture.spread(row + 2, at, weight, n, 103.53f, deviation, got);
        reference->picture.spread(row + 2, at, weight, n, 103.53f, deviation, want);
        checker_same(c, got, want, n, "%zu pixels", n);
    }
}

enum { REPEAT = 2000, ROW = 640 };

static double bench_bytes(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    static const int32_t m[9] = {298, 0, 409, 298, -100, -208, 298, 516, 0}, in[3] = {16, 128, 128}, out[3] = {0};
    uint8_t *pixel = bytes(c, 4 * ROW), *plane[4];
    for (int k = 0; k < 4; k++) plane[k] = bytes(c, ROW);
    float *restart = checker_floats(c, ROW);
    checker_fill(c, restart, ROW);
    for (int i = 0; i < REPEAT; i++) {
        if (kernel->argument == MIX)
            tested->picture.mix(plane, ROW, m, in, out);
        else
            (kernel->argument == SPLIT3 ? tested->picture.split3 : tested->picture.split4)(pixel, ROW, plane);
    }
    return (double)REPEAT * ROW;
}

static double bench_normalise(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    const uint8_t *pixel = bytes(c, ROW);
    float *y = checker_floats(c, ROW);
    checker_fill(c, y, ROW);
    for (int i = 0; i < REPEAT; i++) tested->picture.normalise(pixel, ROW, 0, 123.675f, 0.017f, y);
    return (double)REPEAT * ROW;
}

static double bench_blend(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    const uint8_t *upper = bytes(c, ROW), *lower = bytes(c, ROW);
    int32_t *y = checker_memory(c, ROW * sizeof *y);
    for (int i = 0; i < REPEAT; i++) tested->picture.blend(upper, lower, ROW, 500, y);
    return (double)REPEAT * ROW;
}

static double bench_spread(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    int32_t *row = checker_memory(c, 6 * ROW * sizeof *row), *at = checker_memory(c, ROW * sizeof *at);
    int32_t *weight = checker_memory(c, ROW * sizeof *weight);
    for (int i = 0; i < 6 * ROW; i++) row[i] = i;
    for (int i = 0; i < ROW; i++) {
        at[i] = 6 * i;
        weight[i] = 1024;
    }
    float *y = checker_floats(c, ROW);
    for (int i = 0; i < REPEAT; i++) tested->picture.spread(row, at, weight, ROW, 0, 255, y);
    return (double)REPEAT * ROW;
}

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"picture.split3", offsetof(jm_kernels, picture.split3), SPLIT3, check_bytes, bench_bytes, false},
        {"picture.split4", offsetof(jm_kernels, picture.split4), SPLIT4, check_bytes, bench_bytes, false},
        {"picture.mix", offsetof(jm_kernels, picture.mix), MIX, check_bytes, bench_bytes, false},
        {"picture.normalise", offsetof(jm_kernels, picture.normalise), 0, check_normalise, bench_normalise, false},
        {"picture.blend", offsetof(jm_kernels, picture.blend), 0, check_blend, bench_blend, false},
        {"picture.spread", offsetof(jm_kernels, picture.spread), 0, check_spread, bench_spread, false},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_picture = {
    .name = "picture",
    .offset = offsetof(jm_kernels, picture),
    .size = sizeof(jm_picture_kernels),
    .list = list,
};
