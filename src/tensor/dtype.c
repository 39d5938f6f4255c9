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
    default:
        break;
    }
}

static bool is_integer(jm_dtype dtype)
{
    return dtype != JM_F32 && dtype != JM_F64 && dtype != JM_F16 && dtype != JM_BF16;
}

jm_status jm_convert(jm_dtype from, const void *source, jm_dtype to, void *target, size_t count)
{
    size_t from_size = jm_dtype_size(from), to_size = jm_dtype_size(to);
    if (!from_size || !to_size)
        return jm_error(JM_INVALID_ARGUMENT, "cannot convert dtype %d to dtype %d: not a known element type", (int)from,
                        (int)to);
    const unsigned char *in = source;
    unsigned char *out = target;
    if (from == to && from != JM_BOOL) {
        if (count) memmove(out, in, count * from_size);
        return JM_OK;
    }
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
