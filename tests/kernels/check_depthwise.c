/* SPDX-License-Identifier: Apache-2.0
 *
 * Depthwise rows: kernels of the widths and strides that have tiles of their own and others, rows around the tiles'
 * widths, padding that leaves some points without any input. The reference computes one point at a time, so that the
 * check also shows that results do not depend on how a row is cut. Planes: points and filters around the tiles' sizes,
 * taps anywhere around the first point, segments of any length.
 */
#include <string.h>

#include "checker.h"

enum { LANES = 16 };

static void check_rows_of(checker *c, const jm_kernels *reference, const jm_kernels *tested, int64_t columns)
{
    jm_depthwise_rows rows = {
        .columns = columns,
        .half = checker_random_int(c, 0, 3) == 0,
        .clamp = checker_random(c) & 1,
        .low = -1,
        .high = 1.5f,
    };
    const bool usual = checker_random_int(c, 0, 3) != 0;
    for (int k = 0; k < 2; k++) {
        rows.kernel[k] = usual ? 3 + 2 * checker_random_int(c, 0, 1) : checker_random_int(c, 1, 6);
        rows.stride[k] = checker_random_int(c, 1, usual ? 2 : 3);
        rows.dilation[k] = usual ? 1 : checker_random_int(c, 1, 3);
        rows.before[k] = checker_random_int(c, 0, checker_random(c) & 3 ? rows.kernel[k] / 2 : 8);
    }
    /* The input ends anywhere from before the last output's first kernel point to beyond its last one. */
    rows.in[1] = (columns - 1) * rows.stride[1] - rows.before[1] +
                 checker_random_int(c, 0, (rows.kernel[1] - 1) * rows.dilation[1] + 4);
    if (rows.in[1] < 1) rows.in[1] = 1;
    rows.in[0] = checker_random_int(c, 1, 8);
    rows.begin = checker_random_int(c, 0, 6);
    rows.end = rows.begin + checker_random_int(c, 0, 4);
    rows.input_row = rows.in[1] * LANES + checker_random_int(c, 0, 1) * 5;
    rows.output_row = columns * LANES + checker_random_int(c, 0, 1) * 3;

    const size_t inputs = (size_t)((rows.in[0] - 1) * rows.input_row + rows.in[1] * LANES);
    const size_t weights = (size_t)(rows.kernel[0] * rows.kernel[1] * LANES);
    const int64_t height = rows.end - rows.begin;
    const size_t outputs = height ? (size_t)((height - 1) * rows.output_row + columns * LANES) : 0;
    float *input = checker_floats(c, inputs), *weight = checker_floats(c, weights), *start = checker_floats(c, LANES);
    float *got = checker_floats(c, outputs), *want = checker_floats(c, outputs);
    checker_fill_any(c, input, inputs);
    checker_fill_any(c, weight, weights);
    checker_fill_any(c, start, LANES);
    checker_fill(c, got, outputs);
    memcpy(want, got, outputs * sizeof(float));
    rows.input = input;
    rows.weight = weight;
    rows.start = start;
    rows.output = got;
    tested->depthwise.rows(&rows);
    rows.output = want;
    reference->depthwise.rows(&rows);
    checker_same(c, got, want, outputs, "%lld columns, kernel %lldx%lld, stride %lld, before %lld, in %lld",
                 (long long)columns, (long long)rows.kernel[0], (long long)rows.kernel[1], (long long)rows.stride[1],
                 (long long)rows.before[1], (long long)rows.in[1]);
}

static void check_rows(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    (void)kernel;
    for (int64_t columns = 1; columns <= 44; columns++) check_rows_of(c, reference, tested, columns);
}

/* A map of width `argument` with a 3x3 kernel. */
static double bench_rows(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    enum { REPEAT = 300, ROWS = 7, TAPS = 9 };
    const int64_t width = kernel->argument;
    const size_t inputs = (size_t)(width * ROWS * LANES);
    float *input = checker_floats(c, inputs), *weight = checker_floats(c, TAPS * LANES);
    float *start = checker_floats(c, LANES), *output = checker_floats(c, inputs);
    checker_fill(c, output, inputs);
    checker_fill(c, input, inputs);
    checker_fill(c, weight, TAPS * LANES);
    checker_fill(c, start, LANES);
    const jm_depthwise_rows rows = {
        .in = {ROWS, width},
        .columns = width,
        .end = ROWS,
        .kernel = {3, 3},
        .stride = {1, 1},
        .before = {1, 1},
        .dilation = {1, 1},
        .input = input,
        .input_row = (ptrdiff_t)width * LANES,
        .weight = weight,
        .start = start,
        .output = output,
        .output_row = (ptrdiff_t)width * LANES,
    };
    for (int i = 0; i < REPEAT; i++) tested->depthwise.rows(&rows);
    return 2.0 * REPEAT * (double)inputs * TAPS;
}

static void check_planes_of(checker *c, const jm_kernels *reference, const jm_kernels *tested, int64_t filters)
{
    enum { MOST_TAPS = 40, MOST_FILTERS = 9, REACH = 50, WEIGHTS = 60 };
    jm_plane_tap tap[MOST_TAPS];
    float start[MOST_FILTERS];
    jm_planes s = {
        .tap = tap,
        .taps = (size_t)checker_random_int(c, 0, MOST_TAPS),
        .segment = (size_t)checker_random_int(c, 1, MOST_TAPS),
        .weight_filter = checker_random_int(c, 0, 20),
        .start = start,
        .filters = filters,
        .points = LANES * checker_random_int(c, 0, 27),
    };
    s.output_filter = s.points + 3 * checker_random_int(c, 0, 1);
    for (size_t t = 0; t < s.taps; t++)
        tap[t] = (jm_plane_tap){checker_random_int(c, -REACH, REACH), checker_random_int(c, 0, WEIGHTS - 1)};
    const size_t inputs = (size_t)s.points + 2 * REACH, weights = (size_t)((filters - 1) * s.weight_filter) + WEIGHTS;
    const size_t outputs = (size_t)((filters - 1) * s.output_filter + s.points);
    float *input = checker_any(c, inputs), *got = checker_ordinary(c, outputs), *want = checker_floats(c, outputs);
    s.input = input + REACH;
    s.weight = checker_any(c, weights);
    checker_fill_any(c, start, (size_t)filters);
    memcpy(want, got, outputs * sizeof(float));
    s.output = got;
    tested->depthwise.planes(&s);
    s.output = want;
    reference->depthwise.planes(&s);
    checker_same(c, got, want, outputs, "%d filters, %d points, %d taps in segments of %d", (int)filters, (int)s.points,
                 (int)s.taps, (int)s.segment);
}

static void check_planes(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    (void)kernel;
    for (int64_t filters = 1; filters <= 9; filters++)
        for (int i = 0; i < 6; i++) check_planes_of(c, reference, tested, filters);
}

/* A group of `argument` channels and filters on a map of 16 rows of 28 points, with a 3x3 kernel. */
static double bench_planes(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    enum { REPEAT = 300, ROWS = 18, PITCH = 30, POINTS = 480, PLANE = ROWS * PITCH + LANES, TAPS = 9, MOST = 8 };
    const int channels = kernel->argument;
    jm_plane_tap tap[MOST * TAPS];
    float start[MOST] = {0};
    for (int t = 0; t < channels * TAPS; t++)
        tap[t] = (jm_plane_tap){t / TAPS * PLANE + t % TAPS / 3 * PITCH + t % 3, t};
    const jm_planes s = {
        .tap = tap,
        .taps = (size_t)(channels * TAPS),
        .segment = 128,
        .input = checker_ordinary(c, (size_t)channels * PLANE),
        .weight = checker_ordinary(c, (size_t)(channels * channels * TAPS)),
        .weight_filter = channels * TAPS,
        .start = start,
        .filters = channels,
        .output = checker_ordinary(c, (size_t)channels * POINTS),
        .output_filter = POINTS,
        .points = POINTS,
    };
    for (int i = 0; i < REPEAT; i++) tested->depthwise.planes(&s);
    return 2.0 * REPEAT * POINTS * TAPS * channels * channels;
}

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"depthwise.rows", offsetof(jm_kernels, depthwise.rows), 14, check_rows, bench_rows, true},
        {"depthwise.planes of 1", offsetof(jm_kernels, depthwise.planes), 1, check_planes, bench_planes, true},
        {"depthwise.planes of 8", offsetof(jm_kernels, depthwise.planes), 8, check_planes, bench_planes, true},
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
