/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <math.h>

#include "base/alloc.h"
#include "tensor/dtype.h"

/* Value of a small float format by its definition. */
static double small_float(uint16_t bits, int exponent_bits, int fraction_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
    int exponent = bits >> fraction_bits & top, fraction = bits & ((1 << fraction_bits) - 1);
    double magnitude;
    if (exponent == top)
        magnitude = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexp(fraction, 1 - bias - fraction_bits);
    else
        magnitude = ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static void check_format(float (*widen)(uint16_t), uint16_t (*narrow)(float), int exponent_bits, int fraction_bits)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        double want = small_float((uint16_t)bits, exponent_bits, fraction_bits);
        float got = widen((uint16_t)bits);
        if (isnan(want)) {
            assert_true(isnan(got));
            assert_true(isnan(widen(narrow(got))));
            continue;
        }
        assert_true((double)got == want && !signbit(got) == !signbit(want));
        assert_int_equal(narrow(got), bits);
        if (isinf(want)) continue;
        /* Halfway to the next value away from zero: to the even of the two; a little beside it: to the nearer. */
        double next = small_float((uint16_t)(bits + 1), exponent_bits, fraction_bits);
        if (isinf(next)) next = copysign(ldexp(1, 1 << (exponent_bits - 1)), want);
        float half = (float)((want + next) / 2);
        if ((double)half != (want + next) / 2) continue; /* finer than f32 */
        assert_int_equal(narrow(half), bits & 1 ? bits + 1 : bits);
        assert_int_equal(narrow(nextafterf(half, 0)), bits);
        assert_int_equal(narrow(nextafterf(half, half > 0 ? INFINITY : -INFINITY)), bits + 1);
    }
}

static void f16_is_exact(void **state)
{
    (void)state;
    check_format(jm_f16_to_f32, jm_f32_to_f16, 5, 10);
    assert_int_equal(jm_f32_to_f16(1e30f), 0x7C00);
    assert_int_equal(jm_f32_to_f16(1e-30f), 0);
    assert_int_equal(jm_f32_to_f16(-1e-30f), 0x8000);
}

static void bf16_is_exact(void **state)
{
    (void)state;
    check_format(jm_bf16_to_f32, jm_f32_to_bf16, 8, 7);
}

static void conversion_saturates_and_wraps(void **state)
{
    (void)state;
    const double in[] = {NAN, INFINITY, -INFINITY, 1e19, -1e19, 300.7, -300.7, -0.9, 0};
    int8_t i8[9];
    uint8_t u8[9], truth[9];
    int64_t i64[9];
    uint64_t u64[9];
    assert_ok(jm_convert(JM_F64, in, JM_I8, i8, 9));
    assert_ok(jm_convert(JM_F64, in, JM_U8, u8, 9));
    assert_ok(jm_convert(JM_F64, in, JM_I64, i64, 9));
    assert_ok(jm_convert(JM_F64, in, JM_U64, u64, 9));
    assert_ok(jm_convert(JM_F64, in, JM_BOOL, truth, 9));
    const int8_t want_i8[] = {0, 127, -128, 127, -128, 127, -128, 0, 0};
    const uint8_t want_u8[] = {0, 255, 0, 255, 0, 255, 0, 0, 0};
    const int64_t want_i64[] = {0, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN, 300, -300, 0, 0};
    const uint64_t want_u64[] = {0, UINT64_MAX, 0, 10000000000000000000u, 0, 300, 0, 0, 0};
    const uint8_t want_bool[] = {1, 1, 1, 1, 1, 1, 1, 1, 0};
    assert_memory_equal(i8, want_i8, sizeof i8);
    assert_memory_equal(u8, want_u8, sizeof u8);
    assert_memory_equal(i64, want_i64, sizeof i64);
    assert_memory_equal(u64, want_u64, sizeof u64);
    assert_memory_equal(truth, want_bool, sizeof truth);
    const int64_t wide[] = {256 + 5, -1, INT64_MIN};
    assert_ok(jm_convert(JM_I64, wide, JM_U8, u8, 3));
    assert_int_equal(u8[0], 5);
    assert_int_equal(u8[1], 255);
    assert_int_equal(u8[2], 0);
    const uint64_t large[] = {UINT64_MAX};
    float f32[1];
    assert_ok(jm_convert(JM_U64, large, JM_F32, f32, 1));
    assert_true(f32[0] == 0x1p64f);
    assert_ok(jm_convert(JM_U64, large, JM_I64, i64, 1));
    assert_int_equal(i64[0], -1);
    assert_error(jm_convert(JM_DTYPE_NONE, in, JM_F32, f32, 1), JM_INVALID_ARGUMENT, "dtype -1");
}

static void complex_elements_have_two_parts(void **state)
{
    (void)state;
    const float small[4] = {1.5f, -2, NAN, 0};
    double large[4], real[2];
    float back[4];
    int32_t whole[2];
    uint8_t truth[2];
    assert_ok(jm_convert(JM_C64, small, JM_C128, large, 2));
    assert_true(large[0] == 1.5 && large[1] == -2 && isnan(large[2]) && large[3] == 0);
    assert_ok(jm_convert(JM_C128, large, JM_C64, back, 2));
    assert_memory_equal(back, small, sizeof(small));
    assert_ok(jm_convert(JM_C64, small, JM_F64, real, 2));
    assert_true(real[0] == 1.5 && isnan(real[1]));
    assert_ok(jm_convert(JM_C64, small, JM_I32, whole, 2));
    assert_true(whole[0] == 1 && whole[1] == 0);
    assert_ok(jm_convert(JM_I32, whole, JM_C64, back, 2));
    assert_true(back[0] == 1 && back[1] == 0 && back[2] == 0 && back[3] == 0);
    assert_ok(jm_convert(JM_C128, (double[]){0, 0, 0, -1}, JM_BOOL, truth, 2));
    assert_true(truth[0] == 0 && truth[1] == 1);
}

static void names_round_trip(void **state)
{
    (void)state;
#define CHECK(name, number, bytes, text)                                                                               \
    assert_int_equal(jm_dtype_from_text(text), name);                                                                  \
    assert_string_equal(jm_dtype_text(name), text);                                                                    \
    assert_int_equal(jm_dtype_size(name), bytes);
    JM_DTYPE_LIST(CHECK)
    assert_int_equal(jm_dtype_from_text("float33"), JM_DTYPE_NONE);
    assert_int_equal(jm_dtype_size((jm_dtype)5), 0);
}

/* Rows give the bits of the functions for one number: all of 16 bits, and float32 around every boundary. */
static void rows_convert_like_numbers(void **state)
{
    (void)state;
    enum { ROW = 4096 };
    static uint16_t half[ROW];
    static float wide[ROW];
    for (uint32_t first = 0; first < 0x10000; first += ROW) {
        for (uint32_t i = 0; i < ROW; i++) half[i] = (uint16_t)(first + i);
        assert_ok(jm_convert(JM_F16, half, JM_F32, wide, ROW));
        for (int i = 0; i < ROW; i++) assert_true(jm_bits_of_f32(wide[i]) == jm_bits_of_f32(jm_f16_to_f32(half[i])));
        assert_ok(jm_convert(JM_BF16, half, JM_F32, wide, ROW));
        for (int i = 0; i < ROW; i++) assert_true(jm_bits_of_f32(wide[i]) == jm_bits_of_f32(jm_bf16_to_f32(half[i])));
    }
    /* The upper bits in all values, the lower ones around halves and ends. */
    static const uint32_t low[] = {0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF, 0x2000, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
    for (uint32_t high = 0; high < 0x10000; high += 256) {
        int count = 0;
        for (uint32_t h = high; h < high + 256; h++)
            for (size_t k = 0; k < JM_COUNT(low); k++) wide[count++] = jm_f32_of_bits(h << 16 | low[k]);
        assert_ok(jm_convert(JM_F32, wide, JM_F16, half, (size_t)count));
        for (int i = 0; i < count; i++) assert_int_equal(half[i], jm_f32_to_f16(wide[i]));
        assert_ok(jm_convert(JM_F32, wide, JM_BF16, half, (size_t)count));
        for (int i = 0; i < count; i++) assert_int_equal(half[i], jm_f32_to_bf16(wide[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f16_is_exact),
        cmocka_unit_test(bf16_is_exact),
        cmocka_unit_test(rows_convert_like_numbers),
        cmocka_unit_test(conversion_saturates_and_wraps),
        cmocka_unit_test(complex_elements_have_two_parts),
        cmocka_unit_test(names_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
