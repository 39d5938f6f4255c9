/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of numeric operators share: random numbers with edge cases, errors in units in the last place, and one
 * function that runs a call in every form, level, layout and order and demands the same bits.
 */
#ifndef JUMAR_TESTS_NUMERIC_H
#define JUMAR_TESTS_NUMERIC_H

#include <math.h>

#include "kernels/kernels.h"
#include "op_test.h"
#include "test.h"

static inline bool is_float(jm_dtype dtype)
{
    return dtype == JM_F32 || dtype == JM_F16 || dtype == JM_BF16 || dtype == JM_F64;
}

/* The number of a type that operators without a list of types take. */
static inline bool is_real_type(int dtype)
{
    return jm_dtype_size((jm_dtype)dtype) > 0 && !(JM_DTYPES_COMPLEX >> dtype & 1);
}

/* The distance of neighbouring numbers of a type around `value`. */
static inline double ulp_of(jm_dtype dtype, double value)
{
    int bits = dtype == JM_F64 ? 53 : (dtype == JM_F32 ? 24 : (dtype == JM_F16 ? 11 : 8));
    int lowest = dtype == JM_F64 ? -1021 : (dtype == JM_F16 ? -13 : -125), exponent;
    frexp(value, &exponent);
    return ldexp(1, (exponent < lowest ? lowest : exponent) - bits);
}

static inline double largest_of(jm_dtype dtype)
{
    return dtype == JM_F64 ? 0x1.fffffffffffffp1023
                           : (dtype == JM_F32 ? 0x1.fffffep127 : (dtype == JM_F16 ? 65504 : 0x1.fep127));
}

/* Random elements, wherever they lie. Now and then a float is a zero, infinity or NaN when `specials`. */
static inline void fill_numbers(const jm_tensor *tensor, uint64_t *random, double low, double high, bool specials)
{
    static const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5, -0.5, 1e-40, -3, 3};
    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_ok(jm_shape_count(&tensor->shape, &count));
    if (count == 0) return;
    do {
        double value = op_random_real(random, low, high);
        if (specials && op_random_int(random, 0, 15) == 0)
            value = special[op_random_int(random, 0, JM_COUNT(special) - 1)];
        if (!is_float(tensor->dtype)) value = floor(op_random_real(random, low, high));
        jm_element_from_f64(tensor->dtype, value, jm_tensor_at(tensor, index));
    } while (op_test_next(&tensor->shape, index));
}

/* A tensor of random numbers, with gaps and mixed stride order half of the time. */
static inline jm_tensor random_numbers(op_test *t, jm_dtype dtype, const jm_shape *shape, uint64_t *random, double low,
                                       double high, bool specials)
{
    jm_tensor tensor =
        op_random(random) & 1 ? op_test_strided(t, dtype, shape, random) : op_test_tensor(t, dtype, shape, random);
    fill_numbers(&tensor, random, low, high, specials);
    return tensor;
}

static inline double number_at(const jm_tensor *tensor, const int64_t index[JM_MAX_RANK])
{
    return jm_element_to_f64(tensor->dtype, jm_tensor_at(tensor, index));
}

/* `got` rounds `want` to its type with an error of at most `error`; NaN and infinities must agree. */
static inline void assert_close(const char *what, jm_dtype dtype, double got, double want, double error)
{
    if (want != want || got != got) {
        if ((want != want) != (got != got)) fail_msg("%s: %.9g, expected %.9g", what, got, want);
        return;
    }
    double limit = largest_of(dtype);
    if (is_float(dtype) && fabs(want) + error > limit && isinf(got) && (got > 0) == (want > 0)) return;
    if (isinf(want) || isinf(got)) {
        if (got != want) fail_msg("%s: %.9g, expected %.9g", what, got, want);
        return;
    }
    if (fabs(got - want) > error)
        fail_msg("%s: %.9g, expected %.9g; off by %.3g, allowed %.3g", what, got, want, fabs(got - want), error);
}

/* Same shape and bits; any NaN equals any other. */
static inline void assert_same_numbers(const char *what, const jm_tensor *got, const jm_tensor *want)
{
    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_true(got->dtype == want->dtype && jm_shape_equal(&got->shape, &want->shape));
    assert_ok(jm_shape_count(&want->shape, &count));
    if (count == 0) return;
    do {
        const void *a = jm_tensor_at(got, index), *b = jm_tensor_at(want, index);
        if (memcmp(a, b, jm_dtype_size(want->dtype)) == 0) continue;
        double x = jm_element_to_f64(got->dtype, a), y = jm_element_to_f64(want->dtype, b);
        if (x != x && y != y) continue;
        fail_msg("%s: %.9g here, %.9g in form 0 of the reference", what, x, y);
    } while (op_test_next(&want->shape, index));
}

/* Runs the call at every level this CPU has, in every form, dense and with gaps, chunks in any order, in place and with
 * random channel maps, and asserts that output 0 always has the same bits. Returns it, plain. */
static inline jm_tensor run_every_way(op_test *t, uint64_t *random)
{
    static bool told;
    jm_form forms[JM_MAX_FORMS];
    jm_tensor first = {0};
    int count = op_test_forms(t, forms);
    if (count == 0) fail_msg("%s: %s", t->op->name, jm_last_error());
    for (int level = 0; level < JM_CPU_LEVELS; level++) {
        t->kernels = jm_kernels_at((jm_cpu_level)level);
        if (!t->kernels && !told)
            print_message("%s: NOT RUN, this CPU lacks it\n", jm_cpu_level_text((jm_cpu_level)level));
        told = told || !t->kernels;
        for (int f = 0; f < count && t->kernels; f++) {
            for (int way = 0; way < 3; way++) {
                char what[160];
                t->form = forms[f].id;
                t->threads = 1 + (unsigned)way;
                t->order = way ? random : NULL;
                t->gaps = way == 1 ? random : NULL;
                t->in_place = way == 2;
                t->out_map[0] = NULL;
                if (way && forms[f].out == JM_C16 && t->out[0].shape.rank > 1)
                    t->out_map[0] = op_test_map(t, t->out[0].shape.dim[1], random);
                for (int i = 0; i < t->inputs; i++) t->in_map[i] = t->out_map[0];
                snprintf(what, sizeof(what), "%s, %s, form %s, way %d", t->op->name, jm_cpu_level_text(level),
                         forms[f].name, way);
                if (op_test_run(t) != JM_OK) fail_msg("%s: %s", what, jm_last_error());
                assert_int_equal(t->fault, JM_OK);
                jm_tensor out = op_test_output(t, 0);
                if (level == 0 && f == 0 && way == 0)
                    first = out;
                else
                    assert_same_numbers(what, &out, &first);
            }
        }
    }
    return first;
}

#endif
