/* SPDX-License-Identifier: Apache-2.0
 *
 * Winograd transforms: every level against the reference, and both transforms with the filter's against the convolution
 * in double.
 */
#include <math.h>
#include <string.h>

#include "checker.h"

/* A row of random input tiles: `from` has exactly the points it reads. */
static jm_winograd_input random_input(checker *c, const jm_winograd_shape *shape)
{
    const size_t tiles = (size_t)checker_random_int(c, 0, 5), step = (size_t)(shape->outputs * shape->stride);
    const size_t points = tiles ? (tiles - 1) * step + (size_t)shape->size : 0;
    const size_t row = (points + (size_t)checker_random_int(c, 0, 2)) * 16;
    const size_t count = tiles ? (size_t)(shape->size - 1) * row + points * 16 : 0;
    return (jm_winograd_input){.from = checker_any(c, count),
                               .from_row = (ptrdiff_t)row,
                               .to_position = (tiles + (size_t)checker_random_int(c, 0, 2)) * 16,
                               .tiles = tiles};
}

static size_t positions_count(size_t positions, size_t position, size_t tiles)
{
    return tiles ? (positions - 1) * position + tiles * 16 : 0;
}

static void check_input(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    const jm_winograd_shape *shape = &jm_winograd_shapes[kernel->argument];
    jm_winograd_input row = random_input(c, shape);
    const size_t positions = (size_t)(shape->size * shape->size);
    const size_t count = positions_count(positions, row.to_position, row.tiles);
    float *want = row.to = checker_floats(c, count);
    reference->winograd.input[kernel->argument](&row);
    float *got = row.to = checker_floats(c, count);
    tested->winograd.input[kernel->argument](&row);
    checker_same(c, got, want, count, "%zu tiles", row.tiles);
}

static void check_output(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    const jm_winograd_shape *shape = &jm_winograd_shapes[kernel->argument];
    const size_t tiles = (size_t)checker_random_int(c, 0, 5), points = tiles * (size_t)shape->outputs;
    const size_t row = (points + (size_t)checker_random_int(c, 0, 2)) * 16;
    const size_t count = tiles ? (size_t)(shape->outputs - 1) * row + points * 16 : 0;
    jm_winograd_output out = {.from_position = (tiles + (size_t)checker_random_int(c, 0, 2)) * 16,
                              .start = checker_any(c, 16),
                              .to_row = (ptrdiff_t)row,
                              .tiles = tiles};
    out.from = checker_any(c, positions_count((size_t)(shape->size * shape->size), out.from_position, tiles));
    float *want = out.to = checker_floats(c, count);
    reference->winograd.output[kernel->argument](&out);
    float *got = out.to = checker_floats(c, count);
    tested->winograd.output[kernel->argument](&out);
    checker_same(c, got, want, count, "%zu tiles", tiles);
}

/* One tile, one filter in all lanes: input, multiplication and output must be the convolution. */
static void check_convolution(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                              const jm_kernels *tested)
{
    (void)reference;
    const jm_winograd_shape *shape = &jm_winograd_shapes[kernel->argument];
    const int size = shape->size, outputs = shape->outputs, positions = size * size;
    float *points = checker_floats(c, (size_t)positions * 16),
          *result = checker_floats(c, (size_t)(outputs * outputs) * 16);
    float *product = checker_floats(c, (size_t)positions * 16);
    float filter[9], transformed[JM_WINOGRAD_MAX_SIZE * JM_WINOGRAD_MAX_SIZE], zero[16] = {0};
    checker_fill(c, points, (size_t)positions * 16);
    checker_fill(c, filter, 9);
    jm_winograd_filter((jm_winograd)kernel->argument, filter, transformed);
    tested->winograd.input[kernel->argument](&(jm_winograd_input){
        .from = points, .from_row = (ptrdiff_t)size * 16, .to = product, .to_position = 16, .tiles = 1});
    for (int i = 0; i < positions * 16; i++) product[i] *= transformed[i / 16];
    tested->winograd.output[kernel->argument](&(jm_winograd_output){.from = product,
                                                                    .from_position = 16,
                                                                    .start = zero,
                                                                    .to = result,
                                                                    .to_row = (ptrdiff_t)outputs * 16,
                                                                    .tiles = 1});
    for (int i = 0; i < outputs * outputs * 16; i++) {
        const int lane = i % 16, x = i / 16 % outputs, y = i / 16 / outputs;
        double sum = 0;
        for (int k = 0; k < 9; k++) {
            const int point = (y * shape->stride + k / 3) * size + x * shape->stride + k % 3;
            sum += (double)filter[k] * (double)points[point * 16 + lane];
        }
        /* 9 products of numbers below 2. */
        if (fabs(sum - (double)result[i]) > 2e-5)
            checker_fail(c, "point (%d, %d), lane %d: %.9g, want %.9g", y, x, lane, (double)result[i], sum);
    }
}

static void check_input_and_convolution(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                                        const jm_kernels *tested)
{
    check_input(c, kernel, reference, tested);
    check_convolution(c, kernel, reference, tested);
}

/* Taps in either order, with gaps between them or not. */
static void check_filter(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    const jm_winograd kind = (jm_winograd)kernel->argument;
    const size_t positions = jm_winograd_positions(kind), channels = (size_t)checker_random_int(c, 0, 5);
    const ptrdiff_t tap = 16 * checker_random_int(c, 1, 2);
    const size_t count = channels ? (channels - 1) * 9 * (size_t)tap + 8 * (size_t)tap + 16 : 0;
    const bool backwards = checker_random_int(c, 0, 1) && channels;
    const float *from = checker_any(c, count);
    jm_winograd_weights w = {.from = from + (backwards ? 8 * tap : 0),
                             .from_channel = 9 * tap,
                             .from_tap = backwards ? -tap : tap,
                             .to_position = (channels + (size_t)checker_random_int(c, 0, 2)) * 16,
                             .channels = channels};
    const size_t outputs = positions_count(positions, w.to_position, channels);
    float *want = checker_floats(c, outputs), *have = checker_floats(c, outputs);
    w.to = want;
    reference->winograd.filter[kind](&w);
    w.to = have;
    tested->winograd.filter[kind](&w);
    checker_same(c, have, want, outputs, "positions");
    /* And against the transform in double. */
    for (size_t i = 0; i < channels * 16; i++) {
        float g[9], exact[JM_WINOGRAD_MAX_SIZE * JM_WINOGRAD_MAX_SIZE], size = 0;
        for (int t = 0; t < 9; t++) {
            g[t] = w.from[(ptrdiff_t)(i / 16) * w.from_channel + t * w.from_tap + (ptrdiff_t)(i % 16)];
            size += fabsf(g[t]);
        }
        jm_winograd_filter(kind, g, exact);
        for (size_t p = 0; p < positions && isfinite(size) && size < 1e30f; p++) {
            const float got = have[p * w.to_position + i];
            if (!(fabsf(got - exact[p]) <= 6 * 0x1p-24f * size + 0x1p-140f))
                checker_fail(c, "position %d: %.9g, want %.9g", (int)p, (double)got, (double)exact[p]);
        }
    }
}

/* ---- Timing: a row of 12 tiles ---- */

enum { TILES = 12, REPEAT = 300 };

/* Elements: lanes of tiles. */
static double bench_input(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    const jm_winograd_shape *shape = &jm_winograd_shapes[kernel->argument];
    const size_t row = (size_t)(TILES * shape->outputs * shape->stride + shape->size) * 16;
    const jm_winograd_input in = {.from = checker_ordinary(c, (size_t)shape->size * row),
                                  .from_row = (ptrdiff_t)row,
                                  .to = checker_floats(c, (size_t)(shape->size * shape->size) * (TILES + 1) * 16),
                                  .to_position = (size_t)(TILES + 1) * 16,
                                  .tiles = TILES};
    for (int i = 0; i < REPEAT; i++) tested->winograd.input[kernel->argument](&in);
    return (double)TILES * 16 * REPEAT;
}

static double bench_output(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    const jm_winograd_shape *shape = &jm_winograd_shapes[kernel->argument];
    const size_t row = (size_t)(TILES * shape->outputs) * 16;
    const jm_winograd_output out = {.from = checker_ordinary(c, (size_t)(shape->size * shape->size) * (TILES + 1) * 16),
                                    .from_position = (size_t)(TILES + 1) * 16,
                                    .start = checker_ordinary(c, 16),
                                    .to = checker_floats(c, (size_t)shape->outputs * row),
                                    .to_row = (ptrdiff_t)row,
                                    .tiles = TILES};
    for (int i = 0; i < REPEAT; i++) tested->winograd.output[kernel->argument](&out);
    return (double)TILES * 16 * REPEAT;
}

/* Elements: weights of 16 filters. */
static double bench_filter(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    const size_t positions = jm_winograd_positions((jm_winograd)kernel->argument);
    const jm_winograd_weights w = {.from = checker_ordinary(c, TILES * 9 * 16),
                                   .from_channel = 9 * 16,
                                   .from_tap = 16,
                                   .to = checker_floats(c, positions * (TILES + 1) * 16),
                                   .to_position = (TILES + 1) * 16,
                                   .channels = TILES};
    for (int i = 0; i < REPEAT; i++) tested->winograd.filter[kernel->argument](&w);
    return (double)TILES * 9 * 16 * REPEAT;
}

#define AT(field) offsetof(jm_kernels, winograd.field)

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"winograd.input.f4x3", AT(input[JM_WINOGRAD_F4X3]), JM_WINOGRAD_F4X3, check_input_and_convolution, bench_input,
         false},
        {"winograd.input.f3x3s2", AT(input[JM_WINOGRAD_F3X3S2]), JM_WINOGRAD_F3X3S2, check_input_and_convolution,
         bench_input, false},
        {"winograd.filter.f4x3", AT(filter[JM_WINOGRAD_F4X3]), JM_WINOGRAD_F4X3, check_filter, bench_filter, false},
        {"winograd.filter.f3x3s2", AT(filter[JM_WINOGRAD_F3X3S2]), JM_WINOGRAD_F3X3S2, check_filter, bench_filter,
         false},
        {"winograd.output.f4x3", AT(output[JM_WINOGRAD_F4X3]), JM_WINOGRAD_F4X3, check_output, bench_output, false},
        {"winograd.output.f3x3s2", AT(output[JM_WINOGRAD_F3X3S2]), JM_WINOGRAD_F3X3S2, check_output, bench_output,
         false},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_winograd = {
    .name = "winograd",
    .offset = offsetof(jm_kernels, winograd),
    .size = sizeof(jm_winograd_kernels),
    .list = list,
};
