/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture family, written once as plain loops that compilers turn into vectors, and compiled once per level: each
 * picture_<level>.c includes this file and calls fill().
 */
#include "kernels/picture.h"

static void split3(const uint8_t *restrict pixel, size_t n, uint8_t *const plane[3])
{
    uint8_t *restrict a = plane[0], *restrict b = plane[1], *restrict c = plane[2];
    for (size_t i = 0; i < n; i++) {
        a[i] = pixel[3 * i];
        b[i] = pixel[3 * i + 1];
        c[i] = pixel[3 * i + 2];
    }
}

static void split4(const uint8_t *restrict pixel, size_t n, uint8_t *const plane[4])
{
    uint8_t *restrict a = plane[0], *restrict b = plane[1], *restrict c = plane[2], *restrict d = plane[3];
    for (size_t i = 0; i < n; i++) {
        a[i] = pixel[4 * i];
        b[i] = pixel[4 * i + 1];
        c[i] = pixel[4 * i + 2];
        d[i] = pixel[4 * i + 3];
    }
}

static inline uint8_t clamp_byte(int32_t value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void mix(uint8_t *const plane[3], size_t n, const int32_t m[9], const int32_t in[3], const int32_t out[3])
{
    uint8_t *restrict a = plane[0], *restrict b = plane[1], *restrict c = plane[2];
    const int32_t m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6], m7 = m[7], m8 = m[8];
    const int32_t i0 = in[0], i1 = in[1], i2 = in[2], o0 = out[0], o1 = out[1], o2 = out[2];
    for (size_t i = 0; i < n; i++) {
        const int32_t x = a[i] - i0, y = b[i] - i1, z = c[i] - i2;
        /* >> of a negative number is arithmetic in every compiler that builds this. */
        a[i] = clamp_byte(((m0 * x + m1 * y + m2 * z) >> 8) + o0);
        b[i] = clamp_byte(((m3 * x + m4 * y + m5 * z) >> 8) + o1);
        c[i] = clamp_byte(((m6 * x + m7 * y + m8 * z) >> 8) + o2);
    }
}

static void normalise(const uint8_t *restrict p, size_t n, int32_t mean, float low, float scale, float *restrict y)
{
    for (size_t i = 0; i < n; i++) y[i] = ((float)(p[i] - mean) - low) * scale;
}

static void blend(const uint8_t *restrict upper, const uint8_t *restrict lower, size_t n, int32_t weight,
                  int32_t *restrict y)
{
    for (size_t i = 0; i < n; i++) y[i] = upper[i] * (2048 - weight) + lower[i] * weight;
}

static void spread(const int32_t *restrict row, const int32_t *restrict at, const int32_t *restrict weight, size_t n,
                   float mean, float deviation, float *restrict y)
{
    for (size_t i = 0; i < n; i++) {
        const int32_t pixel = (row[at[i]] * (2048 - weight[i]) + row[at[i] + 3] * weight[i] + (1 << 21)) >> 22;
        y[i] = ((float)pixel - mean) / deviation;
    }
}

static void fill(jm_picture_kernels *kernels)
{
    kernels->split3 = split3;
    kernels->split4 = split4;
    kernels->mix = mix;
    kernels->normalise = normalise;
    kernels->blend = blend;
    kernels->spread = spread;
}
