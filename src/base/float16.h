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

static inline uint16_t jm_f32_to_f16(float value)
{
    uint32_t bits = jm_bits_of_f32(value);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return (uint16_t)(sign | 0x7E00 | (magnitude >> 13 & 0x3FF));
    if (magnitude >= 0x477FF000u) return (uint16_t)(sign | 0x7C00); /* 65520 and more round to infinity */
    if (magnitude < 0x38800000u) {
        /* Below 2^-14: adding 0.5 makes the unit in the last place 2^-24, and the addition rounds to even. */
        float shifted = jm_f32_of_bits(magnitude) + 0.5f;
        return (uint16_t)(sign | (jm_bits_of_f32(shifted) - jm_bits_of_f32(0.5f)));
    }
    uint32_t rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1);
    return (uint16_t)(sign | (rounded - (112u << 23)) >> 13);
}

static inline float jm_bf16_to_f32(uint16_t bits)
{
    return jm_f32_of_bits((uint32_t)bits << 16);
}

static inline uint16_t jm_f32_to_bf16(float value)
{
    uint32_t bits = jm_bits_of_f32(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFFu + (bits >> 16 & 1)) >> 16);
}

#endif
