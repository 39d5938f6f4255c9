/* SPDX-License-Identifier: Apache-2.0
 *
 * Element-wise, reduction and softmax kernels. Accuracy is tested in tests/ops; here only bits count.
 */
#include <string.h>

#include "checker.h"

enum { MOST = 300 }; /* elements of a case: some vectors of every level, and all remainders */

static size_t random_length(checker *c)
{
    return (size_t)(checker_random(c) & 1 ? checker_random_int(c, 0, 40) : checker_random_int(c, 0, MOST));
}

static float *copy_floats(checker *c, const float *values, size_t count)
{
    float *copy = checker_floats(c, count);
    memcpy(copy, values, count * sizeof(float));
    return copy;
}

/* Numbers of every size, so that functions leave their usual range. */
static void spread(checker *c, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (checker_random_int(c, 0, 3) == 0) values[i] *= (float)checker_random_int(c, 1, 120);
}

static void check_unary(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    const size_t n = random_length(c);
    float *x = checker_any(c, n), *want = checker_floats(c, n), *got = checker_floats(c, n), parameter[2];
    checker_fill(c, parameter, 2);
    spread(c, x, n);
    reference->pointwise.unary[kernel->argument](want, x, n, parameter[0], parameter[1]);
    tested->pointwise.unary[kernel->argument](got, x, n, parameter[0], parameter[1]);
    checker_same(c, got, want, n, "%zu elements", n);
    tested->pointwise.unary[kernel->argument](x, x, n, parameter[0], parameter[1]);
    checker_same(c, x, want, n, "%zu elements in place", n);
}

static void check_binary(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    const size_t n = random_length(c), lanes = n < 16 ? n : 16;
    const size_t a_step = checker_random_int(c, 0, 3) ? JM_STEP_GROUP : JM_STEP_LANES;
    const size_t b_step = checker_random_int(c, 0, 1) ? JM_STEP_GROUP : JM_STEP_LANES;
    float *a = checker_any(c, a_step ? n : lanes), *b = checker_any(c, b_step ? n : lanes);
    float *want = checker_floats(c, n), *got = checker_floats(c, n);
    reference->pointwise.binary[kernel->argument](want, a, a_step, b, b_step, n);
    tested->pointwise.binary[kernel->argument](got, a, a_step, b, b_step, n);
    checker_same(c, got, want, n, "%zu elements, steps %zu and %zu", n, a_step, b_step);
    if (!a_step && !b_step) return;
    float *over = a_step ? a : b;
    tested->pointwise.binary[kernel->argument](over, a, a_step, b, b_step, n);
    checker_same(c, over, want, n, "%zu elements in place", n);
}

static void check_affine(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    (void)kernel;
    const size_t n = random_length(c), step = checker_random(c) & 1 ? JM_STEP_GROUP : JM_STEP_LANES;
    const size_t parameters = step || n < 16 ? n : 16;
    float *x = checker_any(c, n), *scale = checker_any(c, parameters), *shift = checker_any(c, parameters);
    float *want = checker_floats(c, n), *got = checker_floats(c, n);
    reference->pointwise.affine(want, x, scale, shift, step, n);
    tested->pointwise.affine(got, x, scale, shift, step, n);
    checker_same(c, got, want, n, "%zu elements, step %zu", n, step);
}

static void check_reduce(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    const size_t n = random_length(c);
    float *x = checker_any(c, n), *want = checker_any(c, 16), *got = copy_floats(c, want, 16);
    reference->pointwise.reduce[kernel->argument](want, x, n);
    tested->pointwise.reduce[kernel->argument](got, x, n);
    checker_same(c, got, want, 16, "%zu elements", n);
}

/* The columns kernel of both tables, and the rows kernel on each column: all the same bits. */
static void check_reduce_columns(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                                 const jm_kernels *tested)
{
    const size_t n = (size_t)checker_random_int(c, 0, 50), width = (size_t)checker_random_int(c, 1, 16);
    const size_t stride = width + (size_t)checker_random_int(c, 0, 5), count = n ? (n - 1) * stride + width : 0;
    float *x = checker_any(c, count), *want = checker_any(c, 256), *got = copy_floats(c, want, 256);
    float *rows = copy_floats(c, want, 256);
    reference->pointwise.reduce_columns[kernel->argument]((float(*)[16])want, x, stride, n, width);
    tested->pointwise.reduce_columns[kernel->argument]((float(*)[16])got, x, stride, n, width);
    checker_same(c, got, want, 256, "%zu rows of %zu", n, width);
    float *column = checker_floats(c, n), lane[16];
    for (size_t k = 0; k < width; k++) {
        for (size_t r = 0; r < n; r++) column[r] = x[r * stride + k];
        for (size_t r = 0; r < 16; r++) lane[r] = rows[r * 16 + k];
        tested->pointwise.reduce[kernel->argument](lane, column, n);
        for (size_t r = 0; r < 16; r++) rows[r * 16 + k] = lane[r];
    }
    checker_same(c, rows, want, 256, "%zu rows of %zu, column by column", n, width);
}

/* argument: 1 for the logarithm. */
static void check_softmax(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                          const jm_kernels *tested)
{
    const size_t n = 1 + random_length(c);
    float *x = checker_any(c, n), *want = checker_floats(c, n), *got = checker_floats(c, n);
    spread(c, x, n);
    const jm_pointwise_kernels *from = &reference->pointwise, *to = &tested->pointwise;
    (kernel->argument ? from->log_softmax : from->softmax)(want, x, n);
    (kernel->argument ? to->log_softmax : to->softmax)(got, x, n);
    checker_same(c, got, want, n, "%zu elements", n);
    (kernel->argument ? to->log_softmax : to->softmax)(x, x, n);
    checker_same(c, x, want, n, "%zu elements in place", n);
}

static void check_softmax_columns(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                                  const jm_kernels *tested)
{
    const bool square = checker_random_int(c, 0, 3) == 0; /* a tile of its own */
    const size_t n = square ? 16 : (size_t)checker_random_int(c, 1, 50);
    const size_t width = square ? 16 : (size_t)checker_random_int(c, 1, 16);
    const size_t x_stride = width + (size_t)checker_random_int(c, 0, 5);
    float *x = checker_any(c, (n - 1) * x_stride + width);
    float *want = checker_floats(c, n * width), *got = checker_floats(c, n * width), *column = checker_floats(c, n);
    spread(c, x, (n - 1) * x_stride + width);
    const jm_pointwise_kernels *from = &reference->pointwise, *to = &tested->pointwise;
    (kernel->argument ? to->log_softmax_columns : to->softmax_columns)(got, width, x, x_stride, n, width);
    for (size_t k = 0; k < width; k++) {
        for (size_t r = 0; r < n; r++) column[r] = x[r * x_stride + k];
        (kernel->argument ? from->log_softmax : from->softmax)(column, column, n);
        for (size_t r = 0; r < n; r++) want[r * width + k] = column[r];
    }
    checker_same(c, got, want, n * width, "%zu rows of %zu against the kernel of rows", n, width);
}

/* ---- Timing: data in the first cache ---- */

/* APART keeps operands from the same offset in their pages, where stores delay loads. */
enum { BENCH = 2048, APART = 208, REPEAT = 400 };

static double bench_unary(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *x = checker_floats(c, BENCH), *y = checker_floats(c, BENCH + APART);
    checker_fill(c, x, BENCH);
    for (int i = 0; i < REPEAT; i++) tested->pointwise.unary[kernel->argument](y, x, BENCH, 0.5f, 1);
    return (double)BENCH * REPEAT;
}

static double bench_binary(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *x = checker_floats(c, BENCH), *y = checker_floats(c, BENCH + APART), lanes[16];
    checker_fill(c, x, BENCH);
    checker_fill(c, lanes, 16);
    for (int i = 0; i < REPEAT; i++)
        tested->pointwise.binary[kernel->argument](y, x, JM_STEP_GROUP, lanes, JM_STEP_LANES, BENCH);
    return (double)BENCH * REPEAT;
}

static double bench_reduce(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *x = checker_floats(c, BENCH), lane[16] = {0};
    checker_fill(c, x, BENCH);
    for (int i = 0; i < REPEAT; i++) tested->pointwise.reduce[kernel->argument](lane, x, BENCH);
    return (double)BENCH * REPEAT;
}

static double bench_reduce_columns(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *x = checker_floats(c, BENCH), lane[16][16] = {{0}};
    checker_fill(c, x, BENCH);
    for (int i = 0; i < REPEAT; i++) tested->pointwise.reduce_columns[kernel->argument](lane, x, 16, BENCH / 16, 16);
    return (double)BENCH * REPEAT;
}

static double bench_softmax(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *x = checker_floats(c, BENCH), *y = checker_floats(c, BENCH + APART);
    checker_fill(c, x, BENCH);
    const jm_pointwise_kernels *table = &tested->pointwise;
    for (int i = 0; i < REPEAT; i++) (kernel->argument ? table->log_softmax : table->softmax)(y, x, BENCH);
    return (double)BENCH * REPEAT;
}

static double bench_softmax_columns(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *x = checker_floats(c, BENCH), *y = checker_floats(c, BENCH + APART);
    checker_fill(c, x, BENCH);
    const jm_pointwise_kernels *table = &tested->pointwise;
    for (int i = 0; i < REPEAT; i++)
        (kernel->argument ? table->log_softmax_columns : table->softmax_columns)(y, 16, x, 16, BENCH / 16, 16);
    return (double)BENCH * REPEAT;
}

/* ---- The table ---- */

#define AT(field) offsetof(jm_kernels, pointwise.field)

static const char *const unary_names[JM_UNARY_COUNT] = {
    [JM_UNARY_RELU] = "pointwise.relu",
    [JM_UNARY_LEAKY_RELU] = "pointwise.leaky_relu",
    [JM_UNARY_CLIP] = "pointwise.clip",
    [JM_UNARY_SIGMOID] = "pointwise.sigmoid",
    [JM_UNARY_SILU] = "pointwise.silu",
    [JM_UNARY_HARD_SIGMOID] = "pointwise.hard_sigmoid",
    [JM_UNARY_HARD_SWISH] = "pointwise.hard_swish",
    [JM_UNARY_TANH] = "pointwise.tanh",
    [JM_UNARY_GELU] = "pointwise.gelu",
    [JM_UNARY_GELU_TANH] = "pointwise.gelu_tanh",
    [JM_UNARY_MISH] = "pointwise.mish",
    [JM_UNARY_SOFTPLUS] = "pointwise.softplus",
    [JM_UNARY_SOFTSIGN] = "pointwise.softsign",
    [JM_UNARY_ELU] = "pointwise.elu",
    [JM_UNARY_SELU] = "pointwise.selu",
    [JM_UNARY_EXP] = "pointwise.exp",
    [JM_UNARY_LOG] = "pointwise.log",
    [JM_UNARY_ERF] = "pointwise.erf",
    [JM_UNARY_SQRT] = "pointwise.sqrt",
    [JM_UNARY_RECIPROCAL] = "pointwise.reciprocal",
    [JM_UNARY_NEG] = "pointwise.neg",
    [JM_UNARY_ABS] = "pointwise.abs",
    [JM_UNARY_SIGN] = "pointwise.sign",
    [JM_UNARY_FLOOR] = "pointwise.floor",
    [JM_UNARY_CEIL] = "pointwise.ceil",
    [JM_UNARY_ROUND] = "pointwise.round",
};
static const char *const binary_names[JM_BINARY_COUNT] = {
    [JM_BINARY_ADD] = "pointwise.add",     [JM_BINARY_SUB] = "pointwise.sub", [JM_BINARY_MUL] = "pointwise.mul",
    [JM_BINARY_DIV] = "pointwise.div",     [JM_BINARY_MIN] = "pointwise.min", [JM_BINARY_MAX] = "pointwise.max",
    [JM_BINARY_PRELU] = "pointwise.prelu",
};
static const char *const reduce_names[JM_REDUCE_COUNT][2] = {
    [JM_REDUCE_SUM] = {"pointwise.reduce_sum", "pointwise.reduce_columns_sum"},
    [JM_REDUCE_SUM_ABS] = {"pointwise.reduce_sum_abs", "pointwise.reduce_columns_sum_abs"},
    [JM_REDUCE_SUM_SQUARE] = {"pointwise.reduce_sum_square", "pointwise.reduce_columns_sum_square"},
    [JM_REDUCE_MAX] = {"pointwise.reduce_max", "pointwise.reduce_columns_max"},
    [JM_REDUCE_MIN] = {"pointwise.reduce_min", "pointwise.reduce_columns_min"},
    [JM_REDUCE_PROD] = {"pointwise.reduce_prod", "pointwise.reduce_columns_prod"},
};

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel singles[] = {
        {"pointwise.affine", AT(affine), 0, check_affine, NULL, false},
        {"pointwise.softmax", AT(softmax), 0, check_softmax, bench_softmax, false},
        {"pointwise.log_softmax", AT(log_softmax), 1, check_softmax, bench_softmax, false},
        {"pointwise.softmax_columns", AT(softmax_columns), 0, check_softmax_columns, bench_softmax_columns, false},
        {"pointwise.log_softmax_columns", AT(log_softmax_columns), 1, check_softmax_columns, bench_softmax_columns,
         false},
    };
    const int single_count = (int)(sizeof(singles) / sizeof(singles[0]));
    const int count = JM_UNARY_COUNT + JM_BINARY_COUNT + 2 * JM_REDUCE_COUNT + single_count;
    if (count > limit) return count;
    for (int i = 0; i < JM_UNARY_COUNT; i++)
        *kernels++ = (checker_kernel){
            unary_names[i], AT(unary) + (size_t)i * sizeof(void *), i, check_unary, bench_unary, false};
    for (int i = 0; i < JM_BINARY_COUNT; i++)
        *kernels++ = (checker_kernel){
            binary_names[i], AT(binary) + (size_t)i * sizeof(void *), i, check_binary, bench_binary, false};
    for (int i = 0; i < JM_REDUCE_COUNT; i++) {
        *kernels++ = (checker_kernel){
            reduce_names[i][0], AT(reduce) + (size_t)i * sizeof(void *), i, check_reduce, bench_reduce, false};
        *kernels++ = (checker_kernel){reduce_names[i][1],
                                      AT(reduce_columns) + (size_t)i * sizeof(void *),
                                      i,
                                      check_reduce_columns,
                                      bench_reduce_columns,
                                      false};
    }
    memcpy(kernels, singles, sizeof(singles));
    return count;
}

const checker_family check_pointwise = {
    .name = "pointwise",
    .offset = offsetof(jm_kernels, pointwise),
    .size = sizeof(jm_pointwise_kernels),
    .list = list,
};
