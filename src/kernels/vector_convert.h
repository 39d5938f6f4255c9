/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of other element types: loads that widen to the f32 of vector.h, stores that round. Like vector.h, for files
 * of one level only; the same bits at every level.
 *
 * vec_load_f16, _bf16      VEC_LANES elements, no alignment; exact
 * vec_load_i32             converted: nearest, ties to even
 * vec_load_i32_sum(p, q)   the sums of two int32, which wrap, converted
 * vec_round_f16            to the nearest binary16, ties to even, overflow to infinity
 * vec_store_f16, _bf16     rounds likewise; NaN becomes 0x7E00 and 0x7FC0
 * vec_store_i8             to the nearest integer, ties to even, saturated to [-128, 127]; NaN becomes 0
 * ..._part                 n <= VEC_LANES elements; touches nothing else; other lanes of a load are 0
 * vec_stream_...           the store past the caches, where the CPU has one; p lies at a multiple of the bytes stored
 * vec_stream_copy_16(p, q) VEC_LANES 16-bit elements as they are
 * vec_fence                streamed stores come before later stores, for other cores too
 */
#ifndef JUMAR_KERNELS_VECTOR_CONVERT_H
#define JUMAR_KERNELS_VECTOR_CONVERT_H

#include "base/float16.h"
#include "kernels/vector.h"

#define VEC_F16_NAN 0x7E00
#define VEC_BF16_NAN 0x7FC0

#if defined(JM_LEVEL_AVX512)

VEC_INLINE vec vec_load_f16(const uint16_t *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}
VEC_INLINE vec vec_load_part_f16(const uint16_t *p, size_t n)
{
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16((__mmask16)((1u << n) - 1), p));
}
VEC_INLINE vec vec_widen_bf16(__m256i bits)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}
VEC_INLINE vec vec_load_bf16(const uint16_t *p)
{
    return vec_widen_bf16(_mm256_loadu_si256((const __m256i *)p));
}
VEC_INLINE vec vec_load_part_bf16(const uint16_t *p, size_t n)
{
    return vec_widen_bf16(_mm256_maskz_loadu_epi16((__mmask16)((1u << n) - 1), p));
}
VEC_INLINE vec vec_load_i32(const int32_t *p)
{
    return _mm512_cvtepi32_ps(_mm512_loadu_si512(p));
}
VEC_INLINE vec vec_load_part_i32(const int32_t *p, size_t n)
{
    return _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32((__mmask16)((1u << n) - 1), p));
}
VEC_INLINE vec vec_load_i32_sum(const int32_t *p, const int32_t *q)
{
    return _mm512_cvtepi32_ps(_mm512_add_epi32(_mm512_loadu_si512(p), _mm512_loadu_si512(q)));
}
VEC_INLINE vec vec_load_part_i32_sum(const int32_t *p, const int32_t *q, size_t n)
{
    const __mmask16 m = (__mmask16)((1u << n) - 1);
    return _mm512_cvtepi32_ps(_mm512_add_epi32(_mm512_maskz_loadu_epi32(m, p), _mm512_maskz_loadu_epi32(m, q)));
}
VEC_INLINE __m256i vec_bits_f16(vec a)
{
    const __m256i bits = _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm256_mask_mov_epi16(bits, vec_is_nan(a), _mm256_set1_epi16(VEC_F16_NAN));
}
VEC_INLINE __m256i vec_bits_bf16(vec a)
{
    const __m512i bits = _mm512_castps_si512(a);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i rounded = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7FFF)), odd);
    return _mm256_mask_mov_epi16(_mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded, 16)), vec_is_nan(a),
                                 _mm256_set1_epi16(VEC_BF16_NAN));
}
/* MIN keeps NaN, which the mask turns into 0; what lies below the range becomes the least int32. */
VEC_INLINE __m128i vec_bits_i8(vec a)
{
    const __mmask16 number = _mm512_cmp_ps_mask(a, a, _CMP_ORD_Q);
    return _mm512_cvtsepi32_epi8(_mm512_maskz_cvtps_epi32(number, _mm512_min_ps(_mm512_set1_ps(127.0f), a)));
}
VEC_INLINE vec vec_round_f16(vec a)
{
    return _mm512_cvtph_ps(_mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
VEC_INLINE void vec_store_f16(uint16_t *p, vec a)
{
    _mm256_storeu_si256((__m256i *)p, vec_bits_f16(a));
}
VEC_INLINE void vec_store_part_f16(uint16_t *p, vec a, size_t n)
{
    _mm256_mask_storeu_epi16(p, (__mmask16)((1u << n) - 1), vec_bits_f16(a));
}
VEC_INLINE void vec_stream_f16(uint16_t *p, vec a)
{
    _mm256_stream_si256((__m256i *)p, vec_bits_f16(a));
}
VEC_INLINE void vec_store_bf16(uint16_t *p, vec a)
{
    _mm256_storeu_si256((__m256i *)p, vec_bits_bf16(a));
}
VEC_INLINE void vec_store_part_bf16(uint16_t *p, vec a, size_t n)
{
    _mm256_mask_storeu_epi16(p, (__mmask16)((1u << n) - 1), vec_bits_bf16(a));
}
VEC_INLINE void vec_stream_bf16(uint16_t *p, vec a)
{
    _mm256_stream_si256((__m256i *)p, vec_bits_bf16(a));
}
VEC_INLINE void vec_store_i8(int8_t *p, vec a)
{
    _mm_storeu_si128((__m128i *)p, vec_bits_i8(a));
}
VEC_INLINE void vec_store_part_i8(int8_t *p, vec a, size_t n)
{
    _mm_mask_storeu_epi8(p, (__mmask16)((1u << n) - 1), vec_bits_i8(a));
}
VEC_INLINE void vec_stream_i8(int8_t *p, vec a)
{
    _mm_stream_si128((__m128i *)p, vec_bits_i8(a));
}
VEC_INLINE void vec_stream_copy_16(uint16_t *p, const uint16_t *q)
{
    _mm256_stream_si256((__m256i *)p, _mm256_loadu_si256((const __m256i *)q));
}
VEC_INLINE void vec_fence(void)
{
    _mm_sfence();
}

#elif defined(JM_LEVEL_AVX2)

VEC_INLINE __m128i vec_part_16(const uint16_t *p, size_t n)
{
    uint16_t lane[8] = {0};
    for (size_t i = 0; i < n; i++) lane[i] = p[i];
    return _mm_loadu_si128((const __m128i *)lane);
}
VEC_INLINE vec vec_load_f16(const uint16_t *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}
VEC_INLINE vec vec_load_part_f16(const uint16_t *p, size_t n)
{
    return _mm256_cvtph_ps(vec_part_16(p, n));
}
VEC_INLINE vec vec_widen_bf16(__m128i bits)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}
VEC_INLINE vec vec_load_bf16(const uint16_t *p)
{
    return vec_widen_bf16(_mm_loadu_si128((const __m128i *)p));
}
VEC_INLINE vec vec_load_part_bf16(const uint16_t *p, size_t n)
{
    return vec_widen_bf16(vec_part_16(p, n));
}
VEC_INLINE vec vec_load_i32(const int32_t *p)
{
    return _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)p));
}
VEC_INLINE vec vec_load_part_i32(const int32_t *p, size_t n)
{
    return _mm256_cvtepi32_ps(_mm256_maskload_epi32((const int *)p, vec_part_mask(n)));
}
VEC_INLINE vec vec_load_i32_sum(const int32_t *p, const int32_t *q)
{
    return _mm256_cvtepi32_ps(
        _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)q)));
}
VEC_INLINE vec vec_load_part_i32_sum(const int32_t *p, const int32_t *q, size_t n)
{
    const __m256i m = vec_part_mask(n);
    return _mm256_cvtepi32_ps(
        _mm256_add_epi32(_mm256_maskload_epi32((const int *)p, m), _mm256_maskload_epi32((const int *)q, m)));
}
/* `nan` where a lane is NaN. The masks of a become 16 bits wide like the lanes of bits. */
VEC_INLINE __m128i vec_canonical_16(__m128i bits, vec a, short nan)
{
    const __m256i m = _mm256_castps_si256(vec_is_nan(a));
    const __m128i narrow = _mm_packs_epi32(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1));
    return _mm_blendv_epi8(bits, _mm_set1_epi16(nan), narrow);
}
VEC_INLINE __m128i vec_bits_f16(vec a)
{
    return vec_canonical_16(_mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT), a, VEC_F16_NAN);
}
VEC_INLINE __m128i vec_bits_bf16(vec a)
{
    const __m256i bits = _mm256_castps_si256(a);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i high =
        _mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd), 16);
    return vec_canonical_16(_mm_packus_epi32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1)), a,
                            VEC_BF16_NAN);
}
/* MIN keeps NaN, which AND turns into 0; what lies below the range becomes the least int32. In the low 8 bytes. */
VEC_INLINE __m128i vec_bits_i8(vec a)
{
    const vec number = _mm256_cmp_ps(a, a, _CMP_ORD_Q);
    const __m256i i = _mm256_cvtps_epi32(_mm256_and_ps(_mm256_min_ps(_mm256_set1_ps(127.0f), a), number));
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(i), _mm256_extracti128_si256(i, 1));
    return _mm_packs_epi16(words, words);
}
VEC_INLINE vec vec_round_f16(vec a)
{
    return _mm256_cvtph_ps(_mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT));
}
VEC_INLINE void vec_store_f16(uint16_t *p, vec a)
{
    _mm_storeu_si128((__m128i *)p, vec_bits_f16(a));
}
VEC_INLINE void vec_store_part_f16(uint16_t *p, vec a, size_t n)
{
    uint16_t lane[8];
    vec_store_f16(lane, a);
    for (size_t i = 0; i < n; i++) p[i] = lane[i];
}
VEC_INLINE void vec_stream_f16(uint16_t *p, vec a)
{
    _mm_stream_si128((__m128i *)p, vec_bits_f16(a));
}
VEC_INLINE void vec_store_bf16(uint16_t *p, vec a)
{
    _mm_storeu_si128((__m128i *)p, vec_bits_bf16(a));
}
VEC_INLINE void vec_store_part_bf16(uint16_t *p, vec a, size_t n)
{
    uint16_t lane[8];
    vec_store_bf16(lane, a);
    for (size_t i = 0; i < n; i++) p[i] = lane[i];
}
VEC_INLINE void vec_stream_bf16(uint16_t *p, vec a)
{
    _mm_stream_si128((__m128i *)p, vec_bits_bf16(a));
}
VEC_INLINE void vec_store_i8(int8_t *p, vec a)
{
    _mm_storel_epi64((__m128i *)p, vec_bits_i8(a));
}
VEC_INLINE void vec_store_part_i8(int8_t *p, vec a, size_t n)
{
    int8_t lane[8];
    vec_store_i8(lane, a);
    for (size_t i = 0; i < n; i++) p[i] = lane[i];
}
VEC_INLINE void vec_stream_i8(int8_t *p, vec a)
{
    _mm_stream_si64((long long *)p, _mm_cvtsi128_si64(vec_bits_i8(a)));
}
VEC_INLINE void vec_stream_copy_16(uint16_t *p, const uint16_t *q)
{
    _mm_stream_si128((__m128i *)p, _mm_loadu_si128((const __m128i *)q));
}
VEC_INLINE void vec_fence(void)
{
    _mm_sfence();
}

#elif defined(JM_LEVEL_NEON)

VEC_INLINE uint16x4_t vec_part_16(const uint16_t *p, size_t n)
{
    uint16_t lane[4] = {0};
    for (size_t i = 0; i < n; i++) lane[i] = p[i];
    return vld1_u16(lane);
}
VEC_INLINE int32x4_t vec_part_32(const int32_t *p, size_t n)
{
    int32_t lane[4] = {0};
    for (size_t i = 0; i < n; i++) lane[i] = p[i];
    return vld1q_s32(lane);
}
VEC_INLINE vec vec_load_f16(const uint16_t *p)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
}
VEC_INLINE vec vec_load_part_f16(const uint16_t *p, size_t n)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(vec_part_16(p, n)));
}
VEC_INLINE vec vec_load_bf16(const uint16_t *p)
{
    return vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(p), 16));
}
VEC_INLINE vec vec_load_part_bf16(const uint16_t *p, size_t n)
{
    return vreinterpretq_f32_u32(vshll_n_u16(vec_part_16(p, n), 16));
}
VEC_INLINE vec vec_load_i32(const int32_t *p)
{
    return vcvtq_f32_s32(vld1q_s32(p));
}
VEC_INLINE vec vec_load_part_i32(const int32_t *p, size_t n)
{
    return vcvtq_f32_s32(vec_part_32(p, n));
}
VEC_INLINE vec vec_load_i32_sum(const int32_t *p, const int32_t *q)
{
    return vcvtq_f32_s32(vaddq_s32(vld1q_s32(p), vld1q_s32(q)));
}
VEC_INLINE vec vec_load_part_i32_sum(const int32_t *p, const int32_t *q, size_t n)
{
    return vcvtq_f32_s32(vaddq_s32(vec_part_32(p, n), vec_part_32(q, n)));
}
VEC_INLINE uint16x4_t vec_bits_f16(vec a)
{
    return vbsl_u16(vmovn_u32(vec_is_nan(a)), vdup_n_u16(VEC_F16_NAN), vreinterpret_u16_f16(vcvt_f16_f32(a)));
}
VEC_INLINE uint16x4_t vec_bits_bf16(vec a)
{
    const uint32x4_t bits = vreinterpretq_u32_f32(a);
    const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
    const uint32x4_t rounded = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7FFF)), odd);
    return vbsl_u16(vmovn_u32(vec_is_nan(a)), vdup_n_u16(VEC_BF16_NAN), vshrn_n_u32(rounded, 16));
}
VEC_INLINE vec vec_round_f16(vec a)
{
    return vcvt_f32_f16(vcvt_f16_f32(a));
}
VEC_INLINE void vec_store_f16(uint16_t *p, vec a)
{
    vst1_u16(p, vec_bits_f16(a));
}
VEC_INLINE void vec_store_part_f16(uint16_t *p, vec a, size_t n)
{
    uint16_t lane[4];
    vec_store_f16(lane, a);
    for (size_t i = 0; i < n; i++) p[i] = lane[i];
}
VEC_INLINE void vec_stream_f16(uint16_t *p, vec a)
{
    vec_store_f16(p, a);
}
VEC_INLINE void vec_store_bf16(uint16_t *p, vec a)
{
    vst1_u16(p, vec_bits_bf16(a));
}
VEC_INLINE void vec_store_part_bf16(uint16_t *p, vec a, size_t n)
{
    uint16_t lane[4];
    vec_store_bf16(lane, a);
    for (size_t i = 0; i < n; i++) p[i] = lane[i];
}
VEC_INLINE void vec_stream_bf16(uint16_t *p, vec a)
{
    vec_store_bf16(p, a);
}
/* The conversion saturates and turns NaN into 0. */
VEC_INLINE void vec_store_i8(int8_t *p, vec a)
{
    const int16x4_t words = vqmovn_s32(vcvtnq_s32_f32(a));
    const int8x8_t bytes = vqmovn_s16(vcombine_s16(words, words));
    memcpy(p, &bytes, 4);
}
VEC_INLINE void vec_store_part_i8(int8_t *p, vec a, size_t n)
{
    int8_t lane[4];
    vec_store_i8(lane, a);
    for (size_t i = 0; i < n; i++) p[i] = lane[i];
}
VEC_INLINE void vec_stream_i8(int8_t *p, vec a)
{
    vec_store_i8(p, a);
}
VEC_INLINE void vec_stream_copy_16(uint16_t *p, const uint16_t *q)
{
    vst1_u16(p, vld1_u16(q));
}
VEC_INLINE void vec_fence(void) {}

#else

VEC_INLINE vec vec_load_f16(const uint16_t *p)
{
    return jm_f16_to_f32(*p);
}
VEC_INLINE vec vec_load_part_f16(const uint16_t *p, size_t n)
{
    return n ? jm_f16_to_f32(*p) : 0.0f;
}
VEC_INLINE vec vec_load_bf16(const uint16_t *p)
{
    return jm_bf16_to_f32(*p);
}
VEC_INLINE vec vec_load_part_bf16(const uint16_t *p, size_t n)
{
    return n ? jm_bf16_to_f32(*p) : 0.0f;
}
VEC_INLINE vec vec_load_i32(const int32_t *p)
{
    return (float)*p;
}
VEC_INLINE vec vec_load_part_i32(const int32_t *p, size_t n)
{
    return n ? (float)*p : 0.0f;
}
VEC_INLINE vec vec_load_i32_sum(const int32_t *p, const int32_t *q)
{
    return (float)(int32_t)((uint32_t)*p + (uint32_t)*q);
}
VEC_INLINE vec vec_load_part_i32_sum(const int32_t *p, const int32_t *q, size_t n)
{
    return n ? vec_load_i32_sum(p, q) : 0.0f;
}
VEC_INLINE vec vec_round_f16(vec a)
{
    return jm_f16_to_f32(jm_f32_to_f16(a));
}
VEC_INLINE void vec_store_f16(uint16_t *p, vec a)
{
    *p = a != a ? VEC_F16_NAN : jm_f32_to_f16(a);
}
VEC_INLINE void vec_store_part_f16(uint16_t *p, vec a, size_t n)
{
    if (n) vec_store_f16(p, a);
}
VEC_INLINE void vec_stream_f16(uint16_t *p, vec a)
{
    vec_store_f16(p, a);
}
VEC_INLINE void vec_store_bf16(uint16_t *p, vec a)
{
    *p = a != a ? VEC_BF16_NAN : jm_f32_to_bf16(a);
}
VEC_INLINE void vec_store_part_bf16(uint16_t *p, vec a, size_t n)
{
    if (n) vec_store_bf16(p, a);
}
VEC_INLINE void vec_stream_bf16(uint16_t *p, vec a)
{
    vec_store_bf16(p, a);
}
VEC_INLINE void vec_store_i8(int8_t *p, vec a)
{
    const float rounded = rintf(a);
    if (a != a)
        *p = 0;
    else
        *p = (int8_t)(rounded < -128.0f ? -128.0f : rounded > 127.0f ? 127.0f : rounded);
}
VEC_INLINE void vec_store_part_i8(int8_t *p, vec a, size_t n)
{
    if (n) vec_store_i8(p, a);
}
VEC_INLINE void vec_stream_i8(int8_t *p, vec a)
{
    vec_store_i8(p, a);
}
VEC_INLINE void vec_stream_copy_16(uint16_t *p, const uint16_t *q)
{
    *p = *q;
}
VEC_INLINE void vec_fence(void) {}

#endif

#endif
