/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/dtype.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

size_t jm_dtype_size(jm_dtype dtype)
{
    switch (dtype) {
#define JM_DTYPE_SIZE(name, number, bytes, text)                                                                       \
    case name:                                                                                                         \
        return bytes;
        JM_DTYPE_LIST(JM_DTYPE_SIZE)
#undef JM_DTYPE_SIZE
    default:
        return 0;
    }
}

const char *jm_dtype_text(jm_dtype dtype)
{
    switch (dtype) {
#define JM_DTYPE_TEXT(name, number, bytes, text)                                                                       \
    case name:                                                                                                         \
        return text;
        JM_DTYPE_LIST(JM_DTYPE_TEXT)
#undef JM_DTYPE_TEXT
    default:
        return "none";
    }
}

jm_dtype jm_dtype_from_text(const char *words)
{
#define JM_DTYPE_MATCH(name, number, bytes, text)                                                                      \
    if (strcmp(words, text) == 0) return name;
    JM_DTYPE_LIST(JM_DTYPE_MATCH)
#undef JM_DTYPE_MATCH
    return JM_DTYPE_NONE;
}

/* ---- Elements ---- */

static int64_t saturate_i64(double value, double low, double high)
{
    if (isnan(value)) return 0;
    if (value <= low) return (int64_t)low;
    /* 2^63 - 1 has no double: anything from 2^63 up saturates. */
    if (value >= high) return high >= 0x1p63 ? INT64_MAX : (int64_t)high;
    return (int64_t)value;
}

static uint64_t saturate_u64(double value)
{
    if (isnan(value) || value <= 0) return 0;
    return value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
}

#define READ(type) ((const type *)element)[0]

double jm_element_to_f64(jm_dtype dtype, const void *element)
{
    switch (dtype) {
    case JM_F32:
        return (double)READ(float);
    case JM_F64:
        return READ(double);
    case JM_F16:
        return (double)jm_f16_to_f32(READ(uint16_t));
    case JM_BF16:
        return (double)jm_bf16_to_f32(READ(uint16_t));
    case JM_U64:
        return (double)READ(uint64_t);
    case JM_C64:
        return (double)READ(float);
    case JM_C128:
        return READ(double);
    default:
        return (double)jm_element_to_i64(dtype, element);
    }
}

int64_t jm_element_to_i64(jm_dtype dtype, const void *element)
{
    switch (dtype) {
    case JM_I8:
        return READ(int8_t);
    case JM_U8:
        return READ(uint8_t);
    case JM_I16:
        return READ(int16_t);
    case JM_U16:
        return READ(uint16_t);
    case JM_I32:
        return READ(int32_t);
    case JM_U32:
        return READ(uint32_t);
    case JM_I64:
        return READ(int64_t);
    case JM_U64:
        return (int64_t)READ(uint64_t);
    case JM_BOOL:
        return READ(uint8_t) != 0;
    case JM_F32:
    case JM_F64:
    case JM_F16:
    case JM_BF16:
    case JM_C64:
    case JM_C128:
        return saturate_i64(jm_element_to_f64(dtype, element), -0x1p63, 0x1p63);
    default:
        return 0;
    }
}

#define WRITE(type, value) ((type *)element)[0] = (type)(value)

void jm_element_from_f64(jm_dtype dtype, double value, void *element)
{
    switch (dtype) {
    case JM_F32:
        WRITE(float, value);
        break;
    case JM_F64:
        WRITE(double, value);
        break;
    case JM_F16:
        WRITE(uint16_t, jm_f32_to_f16((float)value));
        break;
    case JM_BF16:
        WRITE(uint16_t, jm_f32_to_bf16((float)value));
        break;
    case JM_I8:
        WRITE(int8_t, saturate_i64(value, INT8_MIN, INT8_MAX));
        break;
    case JM_U8:
        WRITE(uint8_t, saturate_i64(value, 0, UINT8_MAX));
        break;
    case JM_I16:
        WRITE(int16_t, saturate_i64(value, INT16_MIN, INT16_MAX));
        break;
    case JM_U16:
        WRITE(uint16_t, saturate_i64(value, 0, UINT16_MAX));
        break;
    case JM_I32:
        WRITE(int32_t, saturate_i64(value, INT32_MIN, INT32_MAX));
        break;
    case JM_U32:
        WRITE(uint32_t, saturate_i64(value, 0, UINT32_MAX));
        break;
    case JM_I64:
        WRITE(int64_t, saturate_i64(value, -0x1p63, 0x1p63));
        break;
    case JM_U64:
        WRITE(uint64_t, saturate_u64(value));
        break;
    case JM_BOOL:
        WRITE(uint8_t, value != 0);
        break;
    case JM_C64:
        ((float *)element)[0] = (float)value;
        ((float *)element)[1] = 0;
        break;
    case JM_C128:
        ((double *)element)[0] = value;
        ((double *)element)[1] = 0;
        break;
    default:
        break;
    }
}

void jm_element_from_i64(jm_dtype dtype, int64_t value, void *element)
{
    switch (dtype) {
    case JM_F32:
        WRITE(float, value);
        break;
    case JM_F64:
        WRITE(double, value);
        break;
    case JM_F16:
        WRITE(uint16_t, jm_f32_to_f16((float)value));
        break;
    case JM_BF16:
        WRITE(uint16_t, jm_f32_to_bf16((float)value));
        break;
    case JM_I8:
        WRITE(int8_t, value);
        break;
    case JM_U8:
        WRITE(uint8_t, value);
        break;
    case JM_I16:
        WRITE(int16_t, value);
        break;
    case JM_U16:
        WRITE(uint16_t, value);
        break;
    case JM_I32:
        WRITE(int32_t, value);
        break;
    case JM_U32:
        WRITE(uint32_t, value);
        break;
    case JM_I64:
        WRITE(int64_t, value);
        break;
    case JM_U64:
        WRITE(uint64_t, value);
        break;
    case JM_BOOL:
        WRITE(uint8_t, value != 0);
        break;
    case JM_C64:
    case JM_C128:
        jm_element_from_f64(dtype, (double)value, element);
        break;
    default:
        break;
    }
}

static bool is_complex(jm_dtype dtype)
{
    return dtype == JM_C64 || dtype == JM_C128;
}

static bool is_integer(jm_dtype dtype)
{
    return dtype != JM_F32 && dtype != JM_F64 && dtype != JM_F16 && dtype != JM_BF16 && !is_complex(dtype);
}

/* ---- 16-bit floats in rows ---- */

/* jm_f16_to_f32 without branches, so that compilers make vectors. */
static void rows_f16_to_f32(const uint16_t *x, float *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t magnitude = (x[i] & 0x7FFF) << 13, sign = x[i] & 0x8000;
        /* As a float32 the magnitude is 2^112 times too small, subnormals too. */
        const int32_t finite = (int32_t)jm_bits_of_f32(jm_f32_of_bits((uint32_t)magnitude) * 0x1p112f);
        const int32_t infinite = magnitude | 0x7F800000 | (magnitude > 0x0F800000 ? 0x400000 : 0);
        y[i] = jm_f32_of_bits((uint32_t)(magnitude >= 0x0F800000 ? infinite : finite) | (uint32_t)sign << 16);
    }
}

static void rows_f32_to_f16(const float *x, uint16_t *y, size_t count)
{
    for (size_t i = 0; i < count; i++) y[i] = jm_f32_to_f16(x[i]);
}

static void rows_bf16_to_f32(const uint16_t *x, float *y, size_t count)
{
    for (size_t i = 0; i < count; i++) y[i] = jm_bf16_to_f32(x[i]);
}

static void rows_f32_to_bf16(const float *x, uint16_t *y, size_t count)
{
    for (size_t i = 0; i < count; i++) y[i] = jm_f32_to_bf16(x[i]);
}

static bool is_half(jm_dtype dtype)
{
    return dtype == JM_F16 || dtype == JM_BF16;
}

/* False where the pair of types is another one. */
static bool convert_halves(jm_dtype from, const void *source, jm_dtype to, void *target, size_t count)
{
    if (is_half(from) && to == JM_F32)
        (from == JM_F16 ? rows_f16_to_f32 : rows_bf16_to_f32)(source, target, count);
    else if (from == JM_F32 && is_half(to))
        (to == JM_F16 ? rows_f32_to_f16 : rows_f32_to_bf16)(source, target, count);
    else
        return false;
    return true;
}

jm_status jm_convert(jm_dtype from, const void *source, jm_dtype to, void *target, size_t count)
{
    size_t from_size = jm_dtype_size(from), to_size = jm_dtype_size(to);
    if (!from_size || !to_size)
        return jm_error(JM_INVALID_ARGUMENT, "cannot convert dtype %d to dtype %d: not a known element type", (int)from,
                        (int)to);
    const unsigned char *in = source;
    unsigned char *out = target;
    if (is_complex(from) && is_complex(to) && from != to) {
        const jm_dtype part = from == JM_C64 ? JM_F32 : JM_F64, other = to == JM_C64 ? JM_F32 : JM_F64;
        return jm_convert(part, source, other, target, 2 * count);
    }
    if (is_complex(from) && to == JM_BOOL) {
        for (size_t i = 0; i < count; i++)
            out[i] = from == JM_C64 ? ((const float *)source)[2 * i] != 0 || ((const float *)source)[2 * i + 1] != 0
                                    : ((const double *)source)[2 * i] != 0 || ((const double *)source)[2 * i + 1] != 0;
        return JM_OK;
    }
    if (from == to && from != JM_BOOL) {
        if (count) memmove(out, in, count * from_size);
        return JM_OK;
    }
    if (convert_halves(from, source, to, target, count)) return JM_OK;
    /* 64-bit unsigned values do not fit the signed path when the target is floating. */
    bool through_integer = is_integer(from) && (is_integer(to) || from != JM_U64);
    for (size_t i = 0; i < count; i++, in += from_size, out += to_size) {
        if (through_integer)
            jm_element_from_i64(to, jm_element_to_i64(from, in), out);
        else
            jm_element_from_f64(to, jm_element_to_f64(from, in), out);
    }
    return JM_OK;
}
