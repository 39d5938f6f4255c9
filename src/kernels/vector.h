/* SPDX-License-Identifier: Apache-2.0
 *
 * A thin vector of f32 for code that is written once and compiled once per instruction set level: VEC_LANES is 1 in
 * the reference, 4 with NEON, 8 with AVX2, 16 with AVX-512. Include it only in files of one level
 * (src/kernels/CMakeLists.txt gives them JM_LEVEL_NEON, JM_LEVEL_AVX2 or JM_LEVEL_AVX512).
 *
 * Every operation rounds as IEEE 754 says and so gives the same bits at every level; there are no approximate ones.
 * The sign and payload of NaN results are unspecified.
 */
#ifndef JUMAR_KERNELS_VECTOR_H
#define JUMAR_KERNELS_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(JM_LEVEL_AVX2) || defined(JM_LEVEL_AVX512)
#include <immintrin.h>
#elif defined(JM_LEVEL_NEON)
#include <arm_neon.h>
#endif

/* In front of a loop with a constant number of iterations: unrolls it completely, so that arrays of vec live in
 * registers. VEC_UNROLL_4, VEC_UNROLL_8: any loop, by four or eight; VEC_NO_UNROLL: not at all. */
#ifdef __clang__
#define VEC_UNROLL _Pragma("clang loop unroll(full)")
#define VEC_UNROLL_4 /* clang unrolls enough by itself, and spills when asked for more */
#define VEC_UNROLL_8
#define VEC_NO_UNROLL _Pragma("clang loop unroll(disable)")
#else
#define VEC_UNROLL _Pragma("GCC unroll 64")
#define VEC_UNROLL_4 _Pragma("GCC unroll 4")
#define VEC_UNROLL_8 _Pragma("GCC unroll 8")
#define VEC_NO_UNROLL _Pragma("GCC unroll 1")
#endif

#define VEC_INLINE static inline __attribute__((always_inline, unused))

/* The pointer, but compilers cannot see where it comes from: addresses made from it are computed where they are used
 * instead of before a hot loop, whose registers they would take. */
#define VEC_OPAQUE(pointer)                                                                                            \
    __extension__({                                                                                                    \
        __typeof__(pointer) opaque = (pointer);                                                                        \
        __asm__("" : "+r"(opaque));                                                                                    \
        opaque;                                                                                                        \
    })

/*
 * vec_load/vec_store       VEC_LANES elements, no alignment
 * vec_load_part            n <= VEC_LANES elements, the other lanes are 0; reads nothing else
 * vec_store_part           n <= VEC_LANES elements; writes nothing else
 * vec_load_some, _store_some  the same, whole where n is VEC_LANES: for code that is compiled once for each case
 * vec_fma(a, b, c)         a * b + c, one rounding
 * vec_fnma(a, b, c)        c - a * b, one rounding
 * vec_min(a, b)            a < b ? a : b, so b when either is NaN or both are zeros
 * vec_max(a, b)            a > b ? a : b, likewise
 * vec_round                to nearest, ties to even
 * vec_lt, vec_le, vec_eq   false where a lane is NaN; vec_is_nan
 * vec_select(m, a, b)      m ? a : b
 * vec_copy_sign(a, b)      |a| with the sign of b
 * vec_from_bit_row(p, i, n)  a mask: lane k is bit i + k from the lowest bit of p[0] on, for k < n; i is a multiple of
 *                          VEC_LANES
 * vec_pow2(n)              2^n for integral n in [-126, 127]; inf for 128; n = -127 gives 0
 * vec_pow2_rounded(t)      2^n for t = n + 1.5 * 2^23 (an integer added to that number), n in [-127, 128] as above
 * vec_pow2_quarters(t)     2^(n/4) rounded, for t = n + 1.5 * 2^23, n in [-504, 511]; inf for 512
 * vec_exponent(x)          for normal x > 0: the n with x = m * 2^n, m in [0.5, 1), as a float
 * vec_mantissa(x)          that m
 * vec_transpose(x)         x[i] becomes element i of the VEC_LANES vectors
 * vec_load_columns(row, k, x)  x[i] is element k + i of VEC_LANES rows
 */
/* The bits of 2^(j/4) less j << 21: adding n << 21 with j = n mod 4 gives those of 2^(n/4). */
#define VEC_QUARTERS 0x3f800000, 0x3f7837f0, 0x3f7504f3, 0x3f7744fd

#if defined(JM_LEVEL_AVX512)

#define VEC_LANES 16
typedef __m512 vec;
typedef __mmask16 vec_mask;

VEC_INLINE vec vec_load(const float *p)
{
    return _mm512_loadu_ps(p);
}
VEC_INLINE void vec_store(float *p, vec a)
{
    _mm512_storeu_ps(p, a);
}
VEC_INLINE vec vec_load_part(const float *p, size_t n)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
}
VEC_INLINE void vec_store_part(float *p, vec a, size_t n)
{
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), a);
}
VEC_INLINE vec vec_set1(float x)
{
    return _mm512_set1_ps(x);
}
VEC_INLINE vec vec_add(vec a, vec b)
{
    return _mm512_add_ps(a, b);
}
VEC_INLINE vec vec_sub(vec a, vec b)
{
    return _mm512_sub_ps(a, b);
}
VEC_INLINE vec vec_mul(vec a, vec b)
{
    return _mm512_mul_ps(a, b);
}
VEC_INLINE vec vec_div(vec a, vec b)
{
    return _mm512_div_ps(a, b);
}
VEC_INLINE vec vec_fma(vec a, vec b, vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}
VEC_INLINE vec vec_fnma(vec a, vec b, vec c)
{
    return _mm512_fnmadd_ps(a, b, c);
}
VEC_INLINE vec vec_min(vec a, vec b)
{
    return _mm512_min_ps(a, b);
}
VEC_INLINE vec vec_max(vec a, vec b)
{
    return _mm512_max_ps(a, b);
}
VEC_INLINE vec vec_sqrt(vec a)
{
    return _mm512_sqrt_ps(a);
}
VEC_INLINE vec vec_neg(vec a)
{
    return _mm512_xor_ps(a, _mm512_set1_ps(-0.0f));
}
VEC_INLINE vec vec_abs(vec a)
{
    return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a);
}
VEC_INLINE vec vec_copy_sign(vec a, vec b)
{
    return _mm512_or_ps(vec_abs(a), _mm512_and_ps(b, _mm512_set1_ps(-0.0f)));
}
VEC_INLINE vec vec_round(vec a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
VEC_INLINE vec vec_floor(vec a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
VEC_INLINE vec vec_ceil(vec a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
VEC_INLINE vec_mask vec_lt(vec a, vec b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
VEC_INLINE vec_mask vec_le(vec a, vec b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
VEC_INLINE vec_mask vec_eq(vec a, vec b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}
VEC_INLINE vec_mask vec_is_nan(vec a)
{
    return _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
}
VEC_INLINE vec vec_select(vec_mask m, vec a, vec b)
{
    return _mm512_mask_blend_ps(m, b, a);
}
VEC_INLINE vec_mask vec_from_bit_row(const uint8_t *p, size_t i, size_t n)
{
    return (__mmask16)(p[i / 8] | (n > 8 ? p[i / 8 + 1] << 8 : 0));
}
VEC_INLINE vec vec_pow2(vec n)
{
    __m512i i = _mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127));
    return _mm512_castsi512_ps(_mm512_slli_epi32(i, 23));
}
VEC_INLINE vec vec_pow2_rounded(vec t)
{
    __m512i i = _mm512_slli_epi32(_mm512_castps_si512(t), 23);
    return _mm512_castsi512_ps(_mm512_add_epi32(i, _mm512_set1_epi32(0x3f800000)));
}
VEC_INLINE vec vec_pow2_quarters(vec t)
{
    const __m512 table = _mm512_castsi512_ps(_mm512_broadcast_i32x4(_mm_setr_epi32(VEC_QUARTERS)));
    const __m512i n = _mm512_castps_si512(t);
    return _mm512_castsi512_ps(
        _mm512_add_epi32(_mm512_slli_epi32(n, 21), _mm512_castps_si512(_mm512_permutevar_ps(table, n))));
}
VEC_INLINE vec vec_exponent(vec x)
{
    __m512i e = _mm512_srli_epi32(_mm512_castps_si512(x), 23);
    return _mm512_cvtepi32_ps(_mm512_sub_epi32(e, _mm512_set1_epi32(126)));
}
VEC_INLINE vec vec_mantissa(vec x)
{
    __m512i m = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(0x007fffff));
    return _mm512_castsi512_ps(_mm512_or_si512(m, _mm512_set1_epi32(0x3f000000)));
}
VEC_INLINE void vec_transpose(vec x[16])
{
    vec pair[16], four[16];
    VEC_UNROLL for (int i = 0; i < 16; i += 2)
    {
        pair[i] = _mm512_unpacklo_ps(x[i], x[i + 1]);
        pair[i + 1] = _mm512_unpackhi_ps(x[i], x[i + 1]);
    }
    /* four[4 * g + j]: in each quarter q, element 4 * q + j of rows 4 * g to 4 * g + 3. */
    VEC_UNROLL for (int i = 0; i < 16; i += 4)
    {
        VEC_UNROLL for (int h = 0; h < 2; h++)
        {
            four[i + 2 * h] = _mm512_shuffle_ps(pair[i + h], pair[i + h + 2], 0x44);
            four[i + 2 * h + 1] = _mm512_shuffle_ps(pair[i + h], pair[i + h + 2], 0xEE);
        }
    }
    VEC_UNROLL for (int j = 0; j < 4; j++)
    {
        const vec a = _mm512_shuffle_f32x4(four[j], four[4 + j], 0x88);
        const vec b = _mm512_shuffle_f32x4(four[j], four[4 + j], 0xDD);
        const vec c = _mm512_shuffle_f32x4(four[8 + j], four[12 + j], 0x88);
        const vec d = _mm512_shuffle_f32x4(four[8 + j], four[12 + j], 0xDD);
        x[j] = _mm512_shuffle_f32x4(a, c, 0x88);
        x[4 + j] = _mm512_shuffle_f32x4(b, d, 0x88);
        x[8 + j] = _mm512_shuffle_f32x4(a, c, 0xDD);
        x[12 + j] = _mm512_shuffle_f32x4(b, d, 0xDD);
    }
}
VEC_INLINE void vec_load_columns(const float *const row[VEC_LANES], size_t k, vec x[VEC_LANES])
{
    VEC_UNROLL for (int i = 0; i < VEC_LANES; i++) x[i] = vec_load(row[i] + k);
    vec_transpose(x);
}

#elif defined(JM_LEVEL_AVX2)

#define VEC_LANES 8
typedef __m256 vec;
typedef __m256 vec_mask;

/* n set lanes. */
VEC_INLINE __m256i vec_part_mask(size_t n)
{
    static const int32_t ones[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(ones + 8 - n));
}
VEC_INLINE vec vec_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
VEC_INLINE void vec_store(float *p, vec a)
{
    _mm256_storeu_ps(p, a);
}
VEC_INLINE vec vec_load_part(const float *p, size_t n)
{
    return _mm256_maskload_ps(p, vec_part_mask(n));
}
VEC_INLINE void vec_store_part(float *p, vec a, size_t n)
{
    _mm256_maskstore_ps(p, vec_part_mask(n), a);
}
VEC_INLINE vec vec_set1(float x)
{
    return _mm256_set1_ps(x);
}
VEC_INLINE vec vec_add(vec a, vec b)
{
    return _mm256_add_ps(a, b);
}
VEC_INLINE vec vec_sub(vec a, vec b)
{
    return _mm256_sub_ps(a, b);
}
VEC_INLINE vec vec_mul(vec a, vec b)
{
    return _mm256_mul_ps(a, b);
}
VEC_INLINE vec vec_div(vec a, vec b)
{
    return _mm256_div_ps(a, b);
}
VEC_INLINE vec vec_fma(vec a, vec b, vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}
VEC_INLINE vec vec_fnma(vec a, vec b, vec c)
{
    return _mm256_fnmadd_ps(a, b, c);
}
VEC_INLINE vec vec_min(vec a, vec b)
{
    return _mm256_min_ps(a, b);
}
VEC_INLINE vec vec_max(vec a, vec b)
{
    return _mm256_max_ps(a, b);
}
VEC_INLINE vec vec_sqrt(vec a)
{
    return _mm256_sqrt_ps(a);
}
VEC_INLINE vec vec_neg(vec a)
{
    return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f));
}
VEC_INLINE vec vec_abs(vec a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
VEC_INLINE vec vec_copy_sign(vec a, vec b)
{
    return _mm256_or_ps(vec_abs(a), _mm256_and_ps(b, _mm256_set1_ps(-0.0f)));
}
VEC_INLINE vec vec_round(vec a)
{
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
VEC_INLINE vec vec_floor(vec a)
{
    return _mm256_floor_ps(a);
}
VEC_INLINE vec vec_ceil(vec a)
{
    return _mm256_ceil_ps(a);
}
VEC_INLINE vec_mask vec_lt(vec a, vec b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
VEC_INLINE vec_mask vec_le(vec a, vec b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}
VEC_INLINE vec_mask vec_eq(vec a, vec b)
{
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
VEC_INLINE vec_mask vec_is_nan(vec a)
{
    return _mm256_cmp_ps(a, a, _CMP_UNORD_Q);
}
VEC_INLINE vec vec_select(vec_mask m, vec a, vec b)
{
    return _mm256_blendv_ps(b, a, m);
}
VEC_INLINE vec_mask vec_from_bit_row(const uint8_t *p, size_t i, size_t n)
{
    (void)n;
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i set = _mm256_and_si256(_mm256_set1_epi32(p[i / 8]), bit);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, bit));
}
VEC_INLINE vec vec_pow2(vec n)
{
    __m256i i = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
    return _mm256_castsi256_ps(_mm256_slli_epi32(i, 23));
}
VEC_INLINE vec vec_pow2_rounded(vec t)
{
    __m256i i = _mm256_slli_epi32(_mm256_castps_si256(t), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(i, _mm256_set1_epi32(0x3f800000)));
}
VEC_INLINE vec vec_pow2_quarters(vec t)
{
    const __m256 table = _mm256_setr_m128(_mm_castsi128_ps(_mm_setr_epi32(VEC_QUARTERS)),
                                          _mm_castsi128_ps(_mm_setr_epi32(VEC_QUARTERS)));
    const __m256i n = _mm256_castps_si256(t);
    return _mm256_castsi256_ps(
        _mm256_add_epi32(_mm256_slli_epi32(n, 21), _mm256_castps_si256(_mm256_permutevar_ps(table, n))));
}
VEC_INLINE vec vec_exponent(vec x)
{
    __m256i e = _mm256_srli_epi32(_mm256_castps_si256(x), 23);
    return _mm256_cvtepi32_ps(_mm256_sub_epi32(e, _mm256_set1_epi32(126)));
}
VEC_INLINE vec vec_mantissa(vec x)
{
    __m256i m = _mm256_and_si256(_mm256_castps_si256(x), _mm256_set1_epi32(0x007fffff));
    return _mm256_castsi256_ps(_mm256_or_si256(m, _mm256_set1_epi32(0x3f000000)));
}
/* Transposes a square of 4 x 4 in each half of the lanes. */
VEC_INLINE void vec_transpose_quarters(vec x[4])
{
    const vec a = _mm256_unpacklo_ps(x[0], x[1]), b = _mm256_unpackhi_ps(x[0], x[1]);
    const vec c = _mm256_unpacklo_ps(x[2], x[3]), d = _mm256_unpackhi_ps(x[2], x[3]);
    x[0] = _mm256_shuffle_ps(a, c, 0x44);
    x[1] = _mm256_shuffle_ps(a, c, 0xEE);
    x[2] = _mm256_shuffle_ps(b, d, 0x44);
    x[3] = _mm256_shuffle_ps(b, d, 0xEE);
}
VEC_INLINE void vec_transpose(vec x[8])
{
    VEC_UNROLL for (int i = 0; i < 4; i++)
    {
        const vec low = _mm256_permute2f128_ps(x[i], x[i + 4], 0x20);
        x[i + 4] = _mm256_permute2f128_ps(x[i], x[i + 4], 0x31);
        x[i] = low;
    }
    vec_transpose_quarters(x);
    vec_transpose_quarters(x + 4);
}
/* Halves are joined as they are loaded, which is cheaper than to exchange them. */
VEC_INLINE void vec_load_columns(const float *const row[8], size_t k, vec x[8])
{
    VEC_UNROLL for (int i = 0; i < 4; i++)
    {
        VEC_UNROLL for (int h = 0; h < 2; h++)
        {
            const vec half = _mm256_castps128_ps256(_mm_loadu_ps(row[i] + k + 4 * h));
            x[i + 4 * h] = _mm256_insertf128_ps(half, _mm_loadu_ps(row[i + 4] + k + 4 * h), 1);
        }
    }
    vec_transpose_quarters(x);
    vec_transpose_quarters(x + 4);
}

#elif defined(JM_LEVEL_NEON)

#define VEC_LANES 4
typedef float32x4_t vec;
typedef uint32x4_t vec_mask;

VEC_INLINE vec vec_load(const float *p)
{
    return vld1q_f32(p);
}
VEC_INLINE void vec_store(float *p, vec a)
{
    vst1q_f32(p, a);
}
VEC_INLINE vec vec_load_part(const float *p, size_t n)
{
    if (n == 4) return vld1q_f32(p);
    vec a = vdupq_n_f32(0);
    if (n > 2) a = vld1q_lane_f32(p + 2, a, 2);
    if (n > 1) a = vld1q_lane_f32(p + 1, a, 1);
    return n ? vld1q_lane_f32(p, a, 0) : a;
}
VEC_INLINE void vec_store_part(float *p, vec a, size_t n)
{
    if (n == 4) {
        vst1q_f32(p, a);
        return;
    }
    if (n > 2) vst1q_lane_f32(p + 2, a, 2);
    if (n > 1) vst1q_lane_f32(p + 1, a, 1);
    if (n) vst1q_lane_f32(p, a, 0);
}
VEC_INLINE vec vec_set1(float x)
{
    return vdupq_n_f32(x);
}
VEC_INLINE vec vec_add(vec a, vec b)
{
    return vaddq_f32(a, b);
}
VEC_INLINE vec vec_sub(vec a, vec b)
{
    return vsubq_f32(a, b);
}
VEC_INLINE vec vec_mul(vec a, vec b)
{
    return vmulq_f32(a, b);
}
VEC_INLINE vec vec_div(vec a, vec b)
{
    return vdivq_f32(a, b);
}
VEC_INLINE vec vec_fma(vec a, vec b, vec c)
{
    return vfmaq_f32(c, a, b);
}
VEC_INLINE vec vec_fnma(vec a, vec b, vec c)
{
    return vfmsq_f32(c, a, b);
}
/* Not vminq_f32 and vmaxq_f32, which treat NaN and zeros in another way. */
VEC_INLINE vec vec_min(vec a, vec b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}
VEC_INLINE vec vec_max(vec a, vec b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}
VEC_INLINE vec vec_sqrt(vec a)
{
    return vsqrtq_f32(a);
}
VEC_INLINE vec vec_neg(vec a)
{
    return vnegq_f32(a);
}
VEC_INLINE vec vec_abs(vec a)
{
    return vabsq_f32(a);
}
VEC_INLINE vec vec_copy_sign(vec a, vec b)
{
    return vbslq_f32(vdupq_n_u32(0x80000000), b, a);
}
VEC_INLINE vec vec_round(vec a)
{
    return vrndnq_f32(a);
}
VEC_INLINE vec vec_floor(vec a)
{
    return vrndmq_f32(a);
}
VEC_INLINE vec vec_ceil(vec a)
{
    return vrndpq_f32(a);
}
VEC_INLINE vec_mask vec_lt(vec a, vec b)
{
    return vcltq_f32(a, b);
}
VEC_INLINE vec_mask vec_le(vec a, vec b)
{
    return vcleq_f32(a, b);
}
VEC_INLINE vec_mask vec_eq(vec a, vec b)
{
    return vceqq_f32(a, b);
}
VEC_INLINE vec_mask vec_is_nan(vec a)
{
    return vmvnq_u32(vceqq_f32(a, a));
}
VEC_INLINE vec vec_select(vec_mask m, vec a, vec b)
{
    return vbslq_f32(m, a, b);
}
VEC_INLINE vec_mask vec_from_bit_row(const uint8_t *p, size_t i, size_t n)
{
    (void)n;
    static const uint32_t bit[] = {1, 2, 4, 8};
    return vtstq_u32(vdupq_n_u32((uint32_t)p[i / 8] >> (i & 4)), vld1q_u32(bit));
}
VEC_INLINE vec vec_pow2(vec n)
{
    const int32x4_t i = vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127));
    return vreinterpretq_f32_s32(vshlq_n_s32(i, 23));
}
VEC_INLINE vec vec_pow2_rounded(vec t)
{
    const uint32x4_t i = vshlq_n_u32(vreinterpretq_u32_f32(t), 23);
    return vreinterpretq_f32_u32(vaddq_u32(i, vdupq_n_u32(0x3f800000)));
}
VEC_INLINE vec vec_pow2_quarters(vec t)
{
    static const uint32_t quarters[] = {VEC_QUARTERS};
    const uint8x16_t table = vreinterpretq_u8_u32(vld1q_u32(quarters));
    const uint32x4_t n = vreinterpretq_u32_f32(t);
    /* The four bytes of entry j are 4 j, 4 j + 1, 4 j + 2 and 4 j + 3. */
    const uint32x4_t bytes = vmlaq_u32(vdupq_n_u32(0x03020100), vandq_u32(n, vdupq_n_u32(3)), vdupq_n_u32(0x04040404));
    const uint32x4_t entry = vreinterpretq_u32_u8(vqtbl1q_u8(table, vreinterpretq_u8_u32(bytes)));
    return vreinterpretq_f32_u32(vaddq_u32(vshlq_n_u32(n, 21), entry));
}
VEC_INLINE vec vec_exponent(vec x)
{
    const int32x4_t e = vreinterpretq_s32_u32(vshrq_n_u32(vreinterpretq_u32_f32(x), 23));
    return vcvtq_f32_s32(vsubq_s32(e, vdupq_n_s32(126)));
}
VEC_INLINE vec vec_mantissa(vec x)
{
    const uint32x4_t m = vandq_u32(vreinterpretq_u32_f32(x), vdupq_n_u32(0x007fffff));
    return vreinterpretq_f32_u32(vorrq_u32(m, vdupq_n_u32(0x3f000000)));
}

/* NEON only, for tiles: a number in one lane of a register, which multiplications take from there. Opaque, or compilers
 * load it into all lanes, which takes the place of a multiplication in the pipelines of many cores. */
VEC_INLINE float vec_scalar(const float *p)
{
    float x = *p;
    __asm__("" : "+w"(x));
    return x;
}
/* a * x + c, one rounding. */
VEC_INLINE vec vec_fma_scalar(vec a, float x, vec c)
{
    return vfmaq_n_f32(c, a, x);
}
VEC_INLINE void vec_transpose(vec x[4])
{
    const float64x2_t a = vreinterpretq_f64_f32(vtrn1q_f32(x[0], x[1]));
    const float64x2_t b = vreinterpretq_f64_f32(vtrn2q_f32(x[0], x[1]));
    const float64x2_t c = vreinterpretq_f64_f32(vtrn1q_f32(x[2], x[3]));
    const float64x2_t d = vreinterpretq_f64_f32(vtrn2q_f32(x[2], x[3]));
    x[0] = vreinterpretq_f32_f64(vtrn1q_f64(a, c));
    x[1] = vreinterpretq_f32_f64(vtrn1q_f64(b, d));
    x[2] = vreinterpretq_f32_f64(vtrn2q_f64(a, c));
    x[3] = vreinterpretq_f32_f64(vtrn2q_f64(b, d));
}
VEC_INLINE void vec_load_columns(const float *const row[VEC_LANES], size_t k, vec x[VEC_LANES])
{
    VEC_UNROLL for (int i = 0; i < VEC_LANES; i++) x[i] = vec_load(row[i] + k);
    vec_transpose(x);
}

#else

#define VEC_LANES 1
typedef float vec;
typedef bool vec_mask;

VEC_INLINE uint32_t vec_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}
VEC_INLINE float vec_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}
VEC_INLINE vec vec_load(const float *p)
{
    return *p;
}
VEC_INLINE void vec_store(float *p, vec a)
{
    *p = a;
}
VEC_INLINE vec vec_load_part(const float *p, size_t n)
{
    return n ? *p : 0.0f;
}
VEC_INLINE void vec_store_part(float *p, vec a, size_t n)
{
    if (n) *p = a;
}
VEC_INLINE vec vec_set1(float x)
{
    return x;
}
VEC_INLINE vec vec_add(vec a, vec b)
{
    return a + b;
}
VEC_INLINE vec vec_sub(vec a, vec b)
{
    return a - b;
}
VEC_INLINE vec vec_mul(vec a, vec b)
{
    return a * b;
}
VEC_INLINE vec vec_div(vec a, vec b)
{
    return a / b;
}
VEC_INLINE vec vec_fma(vec a, vec b, vec c)
{
    return fmaf(a, b, c);
}
VEC_INLINE vec vec_fnma(vec a, vec b, vec c)
{
    return fmaf(-a, b, c);
}
VEC_INLINE vec vec_min(vec a, vec b)
{
    return a < b ? a : b;
}
VEC_INLINE vec vec_max(vec a, vec b)
{
    return a > b ? a : b;
}
VEC_INLINE vec vec_sqrt(vec a)
{
    return sqrtf(a);
}
VEC_INLINE vec vec_neg(vec a)
{
    return -a;
}
VEC_INLINE vec vec_abs(vec a)
{
    return fabsf(a);
}
VEC_INLINE vec vec_copy_sign(vec a, vec b)
{
    return copysignf(a, b);
}
VEC_INLINE vec vec_round(vec a)
{
    return rintf(a);
}
VEC_INLINE vec vec_floor(vec a)
{
    return floorf(a);
}
VEC_INLINE vec vec_ceil(vec a)
{
    return ceilf(a);
}
VEC_INLINE vec_mask vec_lt(vec a, vec b)
{
    return a < b;
}
VEC_INLINE vec_mask vec_le(vec a, vec b)
{
    return a <= b;
}
VEC_INLINE vec_mask vec_eq(vec a, vec b)
{
    return a == b;
}
VEC_INLINE vec_mask vec_is_nan(vec a)
{
    return a != a;
}
VEC_INLINE vec vec_select(vec_mask m, vec a, vec b)
{
    return m ? a : b;
}
VEC_INLINE vec_mask vec_from_bit_row(const uint8_t *p, size_t i, size_t n)
{
    (void)n;
    return p[i / 8] >> (i % 8) & 1;
}
VEC_INLINE vec vec_pow2(vec n)
{
    /* A NaN gives any number, as in the vector levels: its product with a NaN is a NaN. */
    return n != n ? 0.0f : vec_from_bits((uint32_t)((int32_t)n + 127) << 23);
}
VEC_INLINE vec vec_pow2_rounded(vec t)
{
    return vec_from_bits((vec_bits(t) << 23) + 0x3f800000);
}
VEC_INLINE vec vec_pow2_quarters(vec t)
{
    static const uint32_t table[] = {VEC_QUARTERS};
    const uint32_t n = vec_bits(t);
    return vec_from_bits((n << 21) + table[n & 3]);
}
VEC_INLINE vec vec_exponent(vec x)
{
    return (float)((int32_t)(vec_bits(x) >> 23) - 126);
}
VEC_INLINE vec vec_mantissa(vec x)
{
    return vec_from_bits((vec_bits(x) & 0x007fffff) | 0x3f000000);
}
VEC_INLINE void vec_transpose(vec x[1])
{
    (void)x;
}
VEC_INLINE void vec_load_columns(const float *const row[VEC_LANES], size_t k, vec x[VEC_LANES])
{
    VEC_UNROLL for (int i = 0; i < VEC_LANES; i++) x[i] = vec_load(row[i] + k);
    vec_transpose(x);
}

#endif

VEC_INLINE vec vec_load_some(const float *p, size_t n)
{
    return n == VEC_LANES ? vec_load(p) : vec_load_part(p, n);
}
VEC_INLINE void vec_store_some(float *p, vec a, size_t n)
{
    if (n == VEC_LANES)
        vec_store(p, a);
    else
        vec_store_part(p, a, n);
}

#endif
