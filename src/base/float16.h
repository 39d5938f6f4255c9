/* SPDX-License-Identifier: Apache-2.0
 *
 * IEEE binary16 and bfloat16, one number at a time. To f32 is exact; from f32 rounds to nearest, ties to even, overflow
 * to infinity, NaN stays NaN (quiet), subnormals are kept.
 */
#ifndef JUMAR_BASE_FLOAT16_H
#define JUMAR_BASE_FLOAT16_H

#include <stdint.h>
#include <string.h>

static inline float jm_f32_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t jm_bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float jm_f16_to_f32(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 31) return jm_f32_of_bits(sign | 0x7F800000u | fraction << 13 | (fraction ? 0x400000u : 0));
    if (exponent) return jm_f32_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    float magnitude = (float)fraction * 0x1p-24f;
    return sign ? -magnitude : magnitude;
}

/* Rounding chooses without branches and compares as signed, so that compilers make vectors of loops over it. */
static inline uint16_t jm_f32_to_f16(float value)
{
    const uint32_t bits = jm_bits_of_f32(value);
    const int32_t magnitude = (int32_t)(bits & 0x7FFFFFFF), sign = (int32_t)(bits >> 16 & 0x8000);
    const int32_t normal = (magnitude - (112 << 23) + 0xFFF + (magnitude >> 13 & 1)) >> 13;
    /* Below 2^-14: adding 0.5 makes the unit in the last place 2^-24, and the addition rounds to even. */
    const int32_t small = (int32_t)jm_bits_of_f32(jm_f32_of_bits((uint32_t)magnitude) + 0.5f) - 0x3F000000;
    int32_t half = magnitude < 0x38800000 ? small : normal;
    half = magnitude >= 0x477FF000 ? 0x7C00 : half; /* 65520 and more round to infinity */
    half = magnitude > 0x7F800000 ? 0x7E00 | (magnitude >> 13 & 0x3FF) : half;
    return (uint16_t)(half | sign);
}

static inline float jm_bf16_to_f32(uint16_t bits)
{
    return jm_f32_of_bits((uint32_t)bits << 16);
}

static inline uint16_t jm_f32_to_bf16(float value)
{
    const uint32_t bits = jm_bits_of_f32(value), rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((int32_t)(bits & 0x7FFFFFFF) > 0x7F800000 ? bits >> 16 | 0x40 : rounded);
}

#endif
