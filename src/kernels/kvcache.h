/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the key-value cache kernels: for each token a row of q, k and v heads is dequantised, q and k are rotated
 * by the token's position (RoPE, the two halves of a head), and k and v are quantised to int8. No alignment demands;
 * they read and write exactly the elements named here; outputs overlap neither inputs nor each other.
 *
 * For channel c of a row of H = (q_heads + 2 * kv_heads) * 2 * half channels, in float32, each named operation rounded
 * once:
 *   F16, BF16   x[c] widened, exact
 *   I32         y = x[c]; y = y * weight_scale[c]; y = y * activation_scale; y = y + bias[c], unless there is none. A
 *               bias of int32 is added to x[c] instead, before it is converted; the sum wraps.
 *               q and k of I32_F16 are then rounded to binary16; beyond 65504 they become 65504, of their sign.
 *   q, k        with i < half, s and c the token's sin and cos:
 *                   r[i]        = x[i] * c[i] - x[i + half] * s[i]
 *                   r[i + half] = x[i + half] * c[i + half] + x[i] * s[i + half]
 *               F16 and I32_F16 round both products and the result to binary16 (overflow to infinity).
 *   outputs     q and k: r rounded to 16 bits. v: the bits of x for F16 and BF16; else y rounded, I32_F16 as above.
 *   caches      t = r / scale, for v t = y / scale; t = t + offset where there are offsets; to the nearest integer,
 * ties to even, saturated to [-128, 127]. NaN becomes 0x7E00 (F16) or 0x7FC0 (BF16) in 16 bits, but in v where its bits
 * are copied, and 0 in a cache.
 *
 * Intermediates: a product of two binary16 numbers has 22 bits and is exact in float32, the sum of two rounds to 24,
 * two more than twice 11: rounding both to binary16 afterwards gives what one rounding gives.
 */
#ifndef JUMAR_KERNELS_KVCACHE_H
#define JUMAR_KERNELS_KVCACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of x, and of cos, sin and the outputs. */
typedef enum jm_kvcache_kind {
    JM_KVCACHE_F16,
    JM_KVCACHE_BF16,
    JM_KVCACHE_I32_F16,
    JM_KVCACHE_I32_BF16,
    JM_KVCACHE_KINDS
} jm_kvcache_kind;

typedef enum jm_kvcache_bias {
    JM_KVCACHE_NO_BIAS,
    JM_KVCACHE_BIAS_I32,
    JM_KVCACHE_BIAS_F32,
    JM_KVCACHE_BIAS_F16,
    JM_KVCACHE_BIAS_BF16
} jm_kvcache_bias;

/* What all tokens share. */
typedef struct jm_kvcache {
    size_t q_heads, kv_heads;
    size_t half; /* a multiple of 8: half a head */
    /* I32 kinds, [H] */
    const float *weight_scale;
    jm_kvcache_bias bias_kind;
    const void *bias;
    /* [kv_heads * 2 * half]; both offsets or neither */
    const float *scale_k, *scale_v, *offset_k, *offset_v;
    bool stream; /* outputs will not be read soon: where they are aligned, write past the caches */
} jm_kvcache;

typedef struct jm_kvcache_token {
    const void *x;             /* [H] */
    const uint16_t *cos, *sin; /* [2 * half] */
    float activation_scale;    /* I32 kinds; 1 where there is none, which changes no bit */
    uint16_t *q;               /* [q_heads * 2 * half] */
    uint16_t *k, *v;           /* [kv_heads * 2 * half], or both NULL */
    int8_t *k_cache, *v_cache; /* likewise */
} jm_kvcache_token;

typedef struct jm_kvcache_kernels {
    /* Tokens one after the other; other cores see their outputs as if written by ordinary stores. */
    void (*tokens[JM_KVCACHE_KINDS])(const jm_kvcache *shared, const jm_kvcache_token *token, size_t count);
} jm_kvcache_kernels;

/* Fill the table, or the entries that a level improves. Defined in kvcache_<level>.c. */
void jm_kvcache_kernels_init__reference(jm_kvcache_kernels *kernels);
void jm_kvcache_kernels_init__avx2(jm_kvcache_kernels *kernels);
void jm_kvcache_kernels_init__avx512(jm_kvcache_kernels *kernels);
void jm_kvcache_kernels_init__neon(jm_kvcache_kernels *kernels);

#endif
