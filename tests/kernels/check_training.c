/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of training. Accuracy is tested in tests/ops; here only bits count.
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
    if (count) memcpy(copy, values, count * sizeof(float));
    return copy;
}

static int operands_of(int function)
{
    return function >= JM_FUSED_CROSS_ENTROPY_LOGITS ? 3 : 2;
}

static void check_fused(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    const size_t n = random_length(c), lanes = n < 16 ? n : 16;
    const int operands = operands_of(kernel->argument);
    const float *in[3] = {NULL};
    size_t step[3] = {0};
    float parameter[2];
    checker_fill(c, parameter, 2);
    for (int i = 0; i < operands; i++) {
        step[i] = checker_random_int(c, 0, 3) ? JM_STEP_GROUP : JM_STEP_LANES;
        float *values = checker_any(c, step[i] ? n : lanes);
        for (size_t k = 0; k < (step[i] ? n : lanes); k++)
            if (checker_random_int(c, 0, 3) == 0) values[k] *= (float)checker_random_int(c, 1, 60);
        in[i] = values;
    }
    float *want = checker_floats(c, n), *got = checker_floats(c, n);
    reference->training.fused[kernel->argument](want, in, step, n, parameter[0], parameter[1]);
    tested->training.fused[kernel->argument](got, in, step, n, parameter[0], parameter[1]);
    checker_same(c, got, want, n, "%zu elements, steps %zu, %zu and %zu", n, step[0], step[1], step[2]);
    for (int i = 0; i < operands; i++) {
        if (!step[i]) continue;
        float *over = copy_floats(c, in[i], n);
        const float *places[3] = {in[0], in[1], in[2]};
        places[i] = over;
        tested->training.fused[kernel->argument](over, places, step, n, parameter[0], parameter[1]);
        checker_same(c, over, want, n, "%zu elements over operand %d", n, i);
    }
}

static void check_dropout(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                          const jm_kernels *tested)
{
    (void)kernel;
    const size_t n = random_length(c), bytes = (n + 7) / 8;
    float *x = checker_any(c, n), *want = checker_floats(c, n), *got = checker_floats(c, n), scale;
    uint8_t *bits = checker_memory(c, bytes);
    for (size_t i = 0; i < bytes; i++) bits[i] = (uint8_t)checker_random(c);
    checker_fill(c, &scale, 1);
    reference->training.dropout(want, x, bits, n, scale);
    tested->training.dropout(got, x, bits, n, scale);
    checker_same(c, got, want, n, "%zu elements", n);
    for (size_t i = 0; i < n; i++)
        if (!(bits[i / 8] >> i % 8 & 1) && got[i] != 0) checker_fail(c, "element %zu of %zu is kept", i, n);
    tested->training.dropout(x, x, bits, n, scale);
    checker_same(c, x, want, n, "%zu elements in place", n);
}

static void check_unscale(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                          const jm_kernels *tested)
{
    (void)kernel;
    const size_t n = random_length(c);
    float *x = checker_any(c, n), *want = checker_floats(c, n), *got = checker_floats(c, n), scale;
    checker_fill(c, &scale, 1);
    bool finite = true;
    for (size_t i = 0; i < n; i++) finite = finite && x[i] - x[i] == 0;
    const bool a = reference->training.unscale(want, x, n, scale), b = tested->training.unscale(got, x, n, scale);
    if (a != finite || b != finite) checker_fail(c, "%zu elements are %sfinite", n, finite ? "" : "not ");
    checker_same(c, got, want, n, "%zu elements", n);
    tested->training.unscale(x, x, n, scale);
    checker_same(c, x, want, n, "%zu elements in place", n);
}

static void check_adam(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    (void)kernel;
    const size_t n = random_length(c);
    const bool has_maximum = checker_random(c) & 1;
    float parameter[9];
    checker_fill(c, parameter, 9);
    const jm_adam step = {checker_random(c) & 1 ? 1 : -1,
                          parameter[0],
                          parameter[1],
                          parameter[2],
                          parameter[3],
                          parameter[4],
                          parameter[5],
                          parameter[6],
                          parameter[7],
                          parameter[8]};
    float *gradient = checker_any(c, n), *state[4], *copy[4];
    for (int i = 0; i < 4; i++) {
        state[i] = checker_any(c, n);
        copy[i] = copy_floats(c, state[i], n);
    }
    reference->training.adam(&step, state[0], state[1], state[2], has_maximum ? state[3] : NULL, gradient, n);
    tested->training.adam(&step, copy[0], copy[1], copy[2], has_maximum ? copy[3] : NULL, gradient, n);
    for (int i = 0; i < 4; i++) checker_same(c, copy[i], state[i], n, "%zu elements, state %d", n, i);
}

static void check_descent(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                          const jm_kernels *tested)
{
    (void)kernel;
    const size_t n = random_length(c);
    const bool has_momentum = checker_random(c) & 1;
    float parameter[5];
    checker_fill(c, parameter, 5);
    const jm_descent step = {.scale = parameter[0],
                             .sign = checker_random(c) & 1 ? 1 : -1,
                             .decay = checker_random(c) & 1 ? parameter[1] : 0,
                             .keep = parameter[2],
                             .share = parameter[3],
                             .rate = parameter[4],
                             .store = checker_random(c) & 1,
                             .first = checker_random(c) & 1,
                             .nesterov = checker_random(c) & 1};
    float *state[3], *copy[3];
    for (int i = 0; i < 3; i++) {
        state[i] = checker_any(c, n);
        copy[i] = copy_floats(c, state[i], n);
    }
    reference->training.descent(&step, state[0], state[1], has_momentum ? state[2] : NULL, n);
    tested->training.descent(&step, copy[0], copy[1], has_momentum ? copy[2] : NULL, n);
    for (int i = 0; i < 3; i++) checker_same(c, copy[i], state[i], n, "%zu elements, state %d", n, i);
}

static void check_norm(checker *c, const checker_kernel *kernel, const jm_kernels *reference, const jm_kernels *tested)
{
    const size_t n = random_length(c), outputs = kernel->argument ? n : 16;
    float number[6];
    checker_fill(c, number, 6);
    const jm_norm_factors factors = {number[2], number[3], number[4], number[5]};
    const jm_norm_row row = {checker_any(c, n), checker_any(c, n), checker_random(c) & 1 ? checker_any(c, n) : NULL,
                             number[0]};
    float *want = checker_any(c, 2 * outputs), *got = copy_floats(c, want, 2 * outputs);
    for (int i = 0; i < 2; i++) {
        const jm_training_kernels *k = i ? &tested->training : &reference->training;
        float *out = i ? got : want;
        if (kernel->argument == 0)
            k->norm_sums(&row, (float(*)[16])(void *)out, n);
        else if (kernel->argument == 1)
            k->norm_input(&row, out, n, &factors);
        else
            k->norm_scale(&row, out, out + n, n, number[1]);
    }
    checker_same(c, got, want, 2 * outputs, "%zu elements, scale %d", n, row.scale != NULL);
}

/* ---- Timing: data in the first cache ---- */

enum { BENCH = 1024, APART = 208, REPEAT = 400 };

static double bench_fused(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *a = checker_floats(c, BENCH), *b = checker_floats(c, BENCH + APART),
          *t = checker_floats(c, BENCH + 2 * APART);
    float *y = checker_floats(c, BENCH + 3 * APART);
    const float *const in[] = {a, b, t};
    const size_t step[] = {JM_STEP_GROUP, JM_STEP_GROUP, JM_STEP_GROUP};
    checker_fill(c, a, BENCH);
    checker_fill(c, b, BENCH);
    checker_fill(c, t, BENCH);
    for (int i = 0; i < REPEAT; i++) tested->training.fused[kernel->argument](y, in, step, BENCH, 0.5f, 1);
    return (double)BENCH * REPEAT;
}

static double bench_adam(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    float *w = checker_ordinary(c, BENCH), *m = checker_ordinary(c, BENCH + APART);
    float *v = checker_floats(c, BENCH + 2 * APART), *g = checker_ordinary(c, BENCH + 3 * APART);
    const jm_adam step = {1, 0.1f, 0.999f, 0.001f, 1, 0.001f, 1, 0, 1, 1e-8f};
    for (int i = 0; i < BENCH; i++) v[i] = 1;
    checker_fill(c, g, BENCH);
    for (int i = 0; i < REPEAT; i++) tested->training.adam(&step, w, m, v, NULL, g, BENCH);
    return (double)BENCH * REPEAT;
}

static double bench_norm(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    float *out = checker_ordinary(c, 2 * BENCH);
    const jm_norm_row row = {checker_ordinary(c, BENCH + APART), checker_ordinary(c, BENCH + 2 * APART),
                             checker_ordinary(c, BENCH + 3 * APART), 1};
    for (int i = 0; i < REPEAT; i++) {
        if (kernel->argument == 0)
            tested->training.norm_sums(&row, (float(*)[16])(void *)out, BENCH);
        else if (kernel->argument == 1)
            tested->training.norm_input(&row, out, BENCH, &(jm_norm_factors){1, 1, 1, 1});
        else
            tested->training.norm_scale(&row, out, out + BENCH, BENCH, 1);
    }
    return (double)BENCH * REPEAT;
}

static double bench_descent(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    (void)kernel;
    float *w = checker_ordinary(c, BENCH), *m = checker_ordinary(c, BENCH + APART);
    float *g = checker_ordinary(c, BENCH + 3 * APART);
    const jm_descent step = {.scale = 1, .sign = 1, .decay = 0.001f, .keep = 0.9f, .share = 1, .rate = 0.001f};
    checker_fill(c, g, BENCH);
    for (int i = 0; i < REPEAT; i++) tested->training.descent(&step, w, g, m, BENCH);
    return (double)BENCH * REPEAT;
}

/* ---- The table ---- */

#define AT(field) offsetof(jm_kernels, training.field)

static const char *const fused_names[JM_FUSED_COUNT] = {
    [JM_FUSED_THRESHOLD_GRADIENT] = "training.threshold_gradient",
    [JM_FUSED_LEAKY_RELU_GRADIENT] = "training.leaky_relu_gradient",
    [JM_FUSED_SIGMOID_GRADIENT] = "training.sigmoid_gradient",
    [JM_FUSED_TANH_GRADIENT] = "training.tanh_gradient",
    [JM_FUSED_SILU_GRADIENT] = "training.silu_gradient",
    [JM_FUSED_HARD_SIGMOID_GRADIENT] = "training.hard_sigmoid_gradient",
    [JM_FUSED_HARD_SWISH_GRADIENT] = "training.hard_swish_gradient",
    [JM_FUSED_GELU_GRADIENT] = "training.gelu_gradient",
    [JM_FUSED_GELU_TANH_GRADIENT] = "training.gelu_tanh_gradient",
    [JM_FUSED_SQUARED_ERROR] = "training.squared_error",
    [JM_FUSED_SMOOTH_L1] = "training.smooth_l1",
    [JM_FUSED_CROSS_ENTROPY] = "training.cross_entropy",
    [JM_FUSED_CROSS_ENTROPY_LOGITS] = "training.cross_entropy_logits",
    [JM_FUSED_SQUARED_ERROR_GRADIENT] = "training.squared_error_gradient",
    [JM_FUSED_SMOOTH_L1_GRADIENT] = "training.smooth_l1_gradient",
    [JM_FUSED_CROSS_ENTROPY_GRADIENT] = "training.cross_entropy_gradient",
    [JM_FUSED_CROSS_ENTROPY_LOGITS_SLOPE] = "training.cross_entropy_logits_slope",
};

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel singles[] = {
        {"training.dropout", AT(dropout), 0, check_dropout, NULL, false},
        {"training.unscale", AT(unscale), 0, check_unscale, NULL, false},
        {"training.adam", AT(adam), 0, check_adam, bench_adam, false},
        {"training.descent", AT(descent), 0, check_descent, bench_descent, false},
        {"training.norm_sums", AT(norm_sums), 0, check_norm, bench_norm, false},
        {"training.norm_input", AT(norm_input), 1, check_norm, bench_norm, false},
        {"training.norm_scale", AT(norm_scale), 2, check_norm, bench_norm, false},
    };
    const int single_count = (int)(sizeof(singles) / sizeof(singles[0]));
    if (JM_FUSED_COUNT + single_count > limit) return JM_FUSED_COUNT + single_count;
    for (int i = 0; i < JM_FUSED_COUNT; i++)
        *kernels++ = (checker_kernel){
            fused_names[i], AT(fused) + (size_t)i * sizeof(void *), i, check_fused, bench_fused, false};
    memcpy(kernels, singles, sizeof(singles));
    return JM_FUSED_COUNT + single_count;
}

const checker_family check_training = {
    .name = "training",
    .offset = offsetof(jm_kernels, training),
    .size = sizeof(jm_training_kernels),
    .list = list,
};
