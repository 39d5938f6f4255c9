/* SPDX-License-Identifier: Apache-2.0
 *
 * A scalar model of DequantRopeQuantKvcache, written from its definition: every rounding is a division by the distance
 * of two neighbouring numbers, in double. It shares no code with the library. Tests make a case, let the model fill the
 * expected results, and run the operator on the same data.
 */
#ifndef JUMAR_TESTS_KVCACHE_MODEL_H
#define JUMAR_TESTS_KVCACHE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "op_test.h"

typedef struct kvcache_case {
    /* Shapes and options; x has rank 2 (positions is 1) or 3. */
    int rank;
    int64_t batch, positions, q_heads, kv_heads, width, blocks, block;
    bool paged, kv_output;
    jm_dtype x_type, type; /* of x; of cos, sin, q, k and v */
    jm_dtype bias_type;    /* JM_DTYPE_NONE: no bias */
    bool has_weight_scale, has_activation_scale, has_offset_k, has_offset_v;

    /* Dense arrays of the element types. All are there, used or not. */
    void *x, *bias;
    uint16_t *cos, *sin;
    int8_t *k_cache, *v_cache;
    int32_t *indices;
    float *scale_k, *scale_v, *offset_k, *offset_v, *weight_scale, *activation_scale;

    /* What the model says. */
    uint16_t *q, *k, *v;
    int8_t *k_cache_after, *v_cache_after;
    bool fault; /* an index is out of range */
} kvcache_case;

/* Characters of the numbers in a case. */
typedef enum kvcache_data {
    KVCACHE_ORDINARY, /* as in a network */
    KVCACHE_GRID,     /* small multiples of a half: ties, saturation, zeros of both signs */
    KVCACHE_WILD,     /* any bits: NaN, infinities, subnormals, overflow at every step */
    KVCACHE_DATA
} kvcache_data;

/* Elements of the tensors. */
int64_t kvcache_tokens(const kvcache_case *c);
int64_t kvcache_channels(const kvcache_case *c); /* of a row of x */
int64_t kvcache_kv(const kvcache_case *c);       /* of a row of k */
int64_t kvcache_cache(const kvcache_case *c);    /* of a cache */
int64_t kvcache_indices(const kvcache_case *c);

/* Makes the arrays for the shapes and types that are set, zeroed. */
void kvcache_create(kvcache_case *c);
void kvcache_destroy(kvcache_case *c);
/* Fills them. Indices are legal, places differ; some places of a page are negative, tokens that go nowhere. */
void kvcache_fill(kvcache_case *c, kvcache_data data, uint64_t *random);
/* Random shapes, options and types, created and filled. */
void kvcache_random(kvcache_case *c, uint64_t *random);
/* Computes the results. */
void kvcache_expect(kvcache_case *c);

/* ---- A case as a call of the operator ---- */

enum { X, COS, SIN, K_CACHE, V_CACHE, INDICES, SCALE_K, SCALE_V, OFFSET_K, OFFSET_V, WEIGHT_SCALE, ACTIVATION_SCALE };
enum { BIAS = ACTIVATION_SCALE + 1, KVCACHE_INPUTS };
enum { Q_OUT, K_OUT, V_OUT, K_CACHE_OUT, V_CACHE_OUT, KVCACHE_OUTPUTS };

/* Begins a test with copies of the case's arrays as inputs, contiguous, and its attributes. */
void kvcache_begin(op_test *t, const kvcache_case *c);
/* The results of the model as tensors. */
void kvcache_want(op_test *t, const kvcache_case *c, jm_tensor want[KVCACHE_OUTPUTS]);

#endif
