/* SPDX-License-Identifier: Apache-2.0
 *
 * The key-value cache kernels, written once over vector.h: each level compiles this file.
 */
#ifndef JUMAR_KERNELS_KVCACHE_BODY_H
#define JUMAR_KERNELS_KVCACHE_BODY_H

#include "kernels/kvcache.h"
#include "kernels/vector_convert.h"

/* Channels that are dequantised at a time, into the first cache. */
enum { PIECE = 128 };

/* What a loop reads: 16-bit floats as they lie in x, or dequantised ones. Constant wherever it is passed. */
typedef enum source { FROM_F16, FROM_BF16, FROM_F32 } source;

VEC_INLINE vec load(const source from, const void *x, size_t i, size_t n)
{
    const bool full = n == VEC_LANES;
    switch (from) {
    case FROM_F16:
        return full ? vec_load_f16((const uint16_t *)x + i) : vec_load_part_f16((const uint16_t *)x + i, n);
    case FROM_BF16:
        return full ? vec_load_bf16((const uint16_t *)x + i) : vec_load_part_bf16((const uint16_t *)x + i, n);
    default:
        return full ? vec_load((const float *)x + i) : vec_load_part((const float *)x + i, n);
    }
}

VEC_INLINE void store_16(const bool f16, const bool stream, uint16_t *y, vec a, size_t n)
{
    if (f16 && n < VEC_LANES)
        vec_store_part_f16(y, a, n);
    else if (n < VEC_LANES)
        vec_store_part_bf16(y, a, n);
    else if (f16)
        stream ? vec_stream_f16(y, a) : vec_store_f16(y, a);
    else
        stream ? vec_stream_bf16(y, a) : vec_store_bf16(y, a);
}

VEC_INLINE void copy_16(const bool stream, uint16_t *y, const uint16_t *x)
{
    if (stream)
        vec_stream_copy_16(y, x);
    else
        memcpy(y, x, VEC_LANES * sizeof(*y));
}

VEC_INLINE void store_i8(const bool stream, int8_t *y, vec a, size_t n)
{
    if (n < VEC_LANES)
        vec_store_part_i8(y, a, n);
    else
        stream ? vec_stream_i8(y, a) : vec_store_i8(y, a);
}

/* ---- int32 to float ---- */

/* Infinities too; NaN stays. */
VEC_INLINE vec saturate_f16(vec a)
{
    return vec_max(vec_set1(-65504.0f), vec_min(vec_set1(65504.0f), a));
}

VEC_INLINE vec scaled(const int32_t *x, const float *weight_scale, const jm_kvcache_bias kind, const void *bias,
                      vec activation_scale, size_t i, size_t n)
{
    const bool full = n == VEC_LANES;
    vec y;
    if (kind == JM_KVCACHE_BIAS_I32) {
        const int32_t *b = (const int32_t *)bias + i;
        y = full ? vec_load_i32_sum(x + i, b) : vec_load_part_i32_sum(x + i, b, n);
    } else {
        y = full ? vec_load_i32(x + i) : vec_load_part_i32(x + i, n);
    }
    y = vec_mul(vec_mul(y, load(FROM_F32, weight_scale, i, n)), activation_scale);
    switch (kind) {
    case JM_KVCACHE_BIAS_F32:
        return vec_add(y, load(FROM_F32, bias, i, n));
    case JM_KVCACHE_BIAS_F16:
        return vec_add(y, load(FROM_F16, bias, i, n));
    case JM_KVCACHE_BIAS_BF16:
        return vec_add(y, load(FROM_BF16, bias, i, n));
    default:
        return y;
    }
}

VEC_INLINE void dequantise_with(const jm_kvcache_bias kind, const bool to_f16, float *y, const int32_t *x,
                                const float *weight_scale, const void *bias, float activation_scale, size_t n)
{
    const vec a = vec_set1(activation_scale);
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES) {
        const vec s = scaled(x, weight_scale, kind, bias, a, i, VEC_LANES);
        vec_store(y + i, to_f16 ? vec_round_f16(saturate_f16(s)) : s);
    }
    if (i < n) {
        const vec s = scaled(x, weight_scale, kind, bias, a, i, n - i);
        vec_store_part(y + i, to_f16 ? vec_round_f16(saturate_f16(s)) : s, n - i);
    }
}

/* Channels [channel, channel + n) of a row; with to_f16 rounded to binary16. */
VEC_INLINE void dequantise(const bool to_f16, float *y, const jm_kvcache *shared, const jm_kvcache_token *token,
                           size_t channel, size_t n)
{
    const int32_t *x = (const int32_t *)token->x + channel;
    const float *w = shared->weight_scale + channel, a = token->activation_scale;
    switch (shared->bias_kind) {
    case JM_KVCACHE_NO_BIAS:
        dequantise_with(JM_KVCACHE_NO_BIAS, to_f16, y, x, w, NULL, a, n);
        break;
    case JM_KVCACHE_BIAS_I32:
        dequantise_with(JM_KVCACHE_BIAS_I32, to_f16, y, x, w, (const int32_t *)shared->bias + channel, a, n);
        break;
    case JM_KVCACHE_BIAS_F32:
        dequantise_with(JM_KVCACHE_BIAS_F32, to_f16, y, x, w, (const float *)shared->bias + channel, a, n);
        break;
    case JM_KVCACHE_BIAS_F16:
        dequantise_with(JM_KVCACHE_BIAS_F16, to_f16, y, x, w, (const uint16_t *)shared->bias + channel, a, n);
        break;
    case JM_KVCACHE_BIAS_BF16:
        dequantise_with(JM_KVCACHE_BIAS_BF16, to_f16, y, x, w, (const uint16_t *)shared->bias + channel, a, n);
        break;
    }
}

/* ---- One head ---- */

/* Where the results of a channel go: NULL is nowhere. */
typedef struct sink {
    uint16_t *y;
    int8_t *cache;
    const float *scale, *offset; /* offset: NULL for none */
} sink;

VEC_INLINE sink sink_at(const sink *s, size_t channel)
{
    return (sink){s->y ? s->y + channel : NULL, s->cache ? s->cache + channel : NULL, s->scale + channel,
                  s->offset ? s->offset + channel : NULL};
}

VEC_INLINE void quantise(const bool stream, const sink *to, vec a, size_t i, size_t n)
{
    vec t = vec_div(a, load(FROM_F32, to->scale, i, n));
    if (to->offset) t = vec_add(t, load(FROM_F32, to->offset, i, n));
    store_i8(stream, to->cache + i, t, n);
}

VEC_INLINE vec round_to(const bool f16, vec a)
{
    return f16 ? vec_round_f16(a) : a;
}

/* cos and sin of a piece of both halves. All heads of a token share them. */
typedef struct angles {
    float low_cos[PIECE], high_cos[PIECE], low_sin[PIECE], high_sin[PIECE];
} angles;

VEC_INLINE void widen(const bool f16, float *y, const uint16_t *x, size_t n)
{
    const source from = f16 ? FROM_F16 : FROM_BF16;
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES) vec_store(y + i, load(from, x, i, VEC_LANES));
    if (i < n) vec_store_part(y + i, load(from, x, i, n - i), n - i);
}

/* n channels of both halves of a head, from number `at` of the piece on, which is number i of the half. */
VEC_INLINE void rotate(const source from, const bool f16, const bool stream, const bool key, const void *low,
                       const void *high, const angles *angle, size_t half, const sink *to, size_t at, size_t i,
                       size_t n)
{
    const vec a = load(from, low, at, n), b = load(from, high, at, n);
    const vec a_cos = vec_mul(a, load(FROM_F32, angle->low_cos, at, n));
    const vec b_sin = vec_mul(b, load(FROM_F32, angle->low_sin, at, n));
    const vec b_cos = vec_mul(b, load(FROM_F32, angle->high_cos, at, n));
    const vec a_sin = vec_mul(a, load(FROM_F32, angle->high_sin, at, n));
    vec first = vec_sub(round_to(f16, a_cos), round_to(f16, b_sin));
    vec second = vec_add(round_to(f16, b_cos), round_to(f16, a_sin));
    if (!key || to->y) {
        store_16(f16, stream, to->y + i, first, n);
        store_16(f16, stream, to->y + i + half, second, n);
    }
    if (!key || !to->cache) return;
    quantise(stream, to, round_to(f16, first), i, n);
    quantise(stream, to, round_to(f16, second), i + half, n);
}

/* Channels [begin, begin + length) of both halves of the head at `channel` of x. Of a head of q only the sink's y is
 * used. */
VEC_INLINE void rope_piece(const jm_kvcache_kind kind, const bool stream, const bool key, const jm_kvcache *shared,
                           const jm_kvcache_token *token, const angles *angle, size_t channel, size_t begin,
                           size_t length, const sink to)
{
    const bool integer = kind >= JM_KVCACHE_I32_F16, f16 = kind == JM_KVCACHE_F16 || kind == JM_KVCACHE_I32_F16;
    const source from = integer ? FROM_F32 : f16 ? FROM_F16 : FROM_BF16;
    const size_t half = shared->half;
    float low_piece[PIECE], high_piece[PIECE];
    const void *low = (const uint16_t *)token->x + channel + begin, *high = (const uint16_t *)low + half;
    if (integer) {
        dequantise(f16, low_piece, shared, token, channel + begin, length);
        dequantise(f16, high_piece, shared, token, channel + half + begin, length);
        low = low_piece;
        high = high_piece;
    }
    size_t i = 0;
    for (; length - i >= VEC_LANES; i += VEC_LANES)
        rotate(from, f16, stream, key, low, high, angle, half, &to, i, begin + i, VEC_LANES);
    if (i < length) rotate(from, f16, false, key, low, high, angle, half, &to, i, begin + i, length - i);
}

/* Channels [begin, begin + length) of v, which begins at `channel` of x. The length is a multiple of 16: no parts. */
VEC_INLINE void value_piece(const jm_kvcache_kind kind, const bool stream, const jm_kvcache *shared,
                            const jm_kvcache_token *token, size_t channel, size_t begin, size_t length)
{
    const bool integer = kind >= JM_KVCACHE_I32_F16, f16 = kind == JM_KVCACHE_F16 || kind == JM_KVCACHE_I32_F16;
    const source from = integer ? FROM_F32 : f16 ? FROM_F16 : FROM_BF16;
    const sink row = {token->v, token->v_cache, shared->scale_v, shared->offset_v}, to = sink_at(&row, begin);
    const uint16_t *bits = (const uint16_t *)token->x + channel + begin;
    float piece[PIECE];
    if (integer) dequantise(false, piece, shared, token, channel + begin, length);
    for (size_t i = 0; i < length; i += VEC_LANES) {
        const vec a = load(from, integer ? (const void *)piece : bits, i, VEC_LANES);
        if (to.y && integer) store_16(f16, stream, to.y + i, f16 ? saturate_f16(a) : a, VEC_LANES);
        if (to.y && !integer) copy_16(stream, to.y + i, bits + i);
        if (to.cache) quantise(stream, &to, a, i, VEC_LANES);
    }
}

/* ---- Tokens ---- */

/* Tokens that go through the heads together, so that scales and biases of a head are read from the first cache. */
enum { GROUP_TOKENS = 4 };

static bool has_keys(const jm_kvcache_token *token)
{
    return token->k || token->k_cache;
}

VEC_INLINE void group_of(const jm_kvcache_kind kind, const bool stream, const jm_kvcache *shared,
                         const jm_kvcache_token *token, size_t count)
{
    const bool f16 = kind == JM_KVCACHE_F16 || kind == JM_KVCACHE_I32_F16;
    const size_t half = shared->half, q = shared->q_heads * 2 * half, kv = shared->kv_heads * 2 * half;
    angles angle[GROUP_TOKENS];
    for (size_t begin = 0; begin < half; begin += PIECE) {
        const size_t length = half - begin < PIECE ? half - begin : PIECE;
        for (size_t t = 0; t < count; t++) {
            widen(f16, angle[t].low_cos, token[t].cos + begin, length);
            widen(f16, angle[t].high_cos, token[t].cos + half + begin, length);
            widen(f16, angle[t].low_sin, token[t].sin + begin, length);
            widen(f16, angle[t].high_sin, token[t].sin + half + begin, length);
        }
        for (size_t c = 0; c < q; c += 2 * half)
            for (size_t t = 0; t < count; t++)
                rope_piece(kind, stream, false, shared, &token[t], &angle[t], c, begin, length,
                           (sink){.y = token[t].q + c});
        for (size_t c = 0; c < kv; c += 2 * half)
            for (size_t t = 0; t < count; t++) {
                const sink k = {token[t].k, token[t].k_cache, shared->scale_k, shared->offset_k};
                if (has_keys(&token[t]))
                    rope_piece(kind, stream, true, shared, &token[t], &angle[t], q + c, begin, length, sink_at(&k, c));
            }
    }
    for (size_t begin = 0; begin < kv; begin += PIECE)
        for (size_t t = 0; t < count; t++)
            if (has_keys(&token[t]))
                value_piece(kind, stream, shared, &token[t], q + kv, begin, kv - begin < PIECE ? kv - begin : PIECE);
}

/* Streamed stores need their alignment at every vector of every head. */
static bool streams(const jm_kvcache *shared, const jm_kvcache_token *token, size_t count)
{
    uintptr_t shorts = 0, bytes = 0;
    for (size_t t = 0; t < count; t++) {
        shorts |= (uintptr_t)token[t].q | (uintptr_t)token[t].k | (uintptr_t)token[t].v;
        bytes |= (uintptr_t)token[t].k_cache | (uintptr_t)token[t].v_cache;
    }
    return shared->stream && shared->half % VEC_LANES == 0 && shorts % (2 * VEC_LANES) == 0 && bytes % VEC_LANES == 0;
}

VEC_INLINE void tokens_of(const jm_kvcache_kind kind, const jm_kvcache *shared, const jm_kvcache_token *token,
                          size_t count)
{
    for (size_t t = 0; t < count; t += GROUP_TOKENS) {
        const size_t group = count - t < GROUP_TOKENS ? count - t : GROUP_TOKENS;
        if (streams(shared, &token[t], group))
            group_of(kind, true, shared, &token[t], group);
        else
            group_of(kind, false, shared, &token[t], group);
    }
    if (shared->stream) vec_fence();
}

static void f16_tokens(const jm_kvcache *shared, const jm_kvcache_token *token, size_t count)
{
    tokens_of(JM_KVCACHE_F16, shared, token, count);
}

static void bf16_tokens(const jm_kvcache *shared, const jm_kvcache_token *token, size_t count)
{
    tokens_of(JM_KVCACHE_BF16, shared, token, count);
}

static void i32_f16_tokens(const jm_kvcache *shared, const jm_kvcache_token *token, size_t count)
{
    tokens_of(JM_KVCACHE_I32_F16, shared, token, count);
}

static void i32_bf16_tokens(const jm_kvcache *shared, const jm_kvcache_token *token, size_t count)
{
    tokens_of(JM_KVCACHE_I32_BF16, shared, token, count);
}

static void fill(jm_kvcache_kernels *kernels)
{
    *kernels = (jm_kvcache_kernels){.tokens = {
                                        [JM_KVCACHE_F16] = f16_tokens,
                                        [JM_KVCACHE_BF16] = bf16_tokens,
                                        [JM_KVCACHE_I32_F16] = i32_f16_tokens,
                                        [JM_KVCACHE_I32_BF16] = i32_bf16_tokens,
                                    }};
}

#endif
