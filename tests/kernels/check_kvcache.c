/* SPDX-License-Identifier: Apache-2.0
 *
 * Key-value cache kernels: whole tokens, every bit of every output, NaN too.
 */
#include <math.h>
#include <string.h>

#include "base/float16.h"
#include "checker.h"

enum { MOST_TOKENS = 6 };

static bool is_f16(int kind)
{
    return kind == JM_KVCACHE_F16 || kind == JM_KVCACHE_I32_F16;
}

static bool is_integer(int kind)
{
    return kind == JM_KVCACHE_I32_F16 || kind == JM_KVCACHE_I32_BF16;
}

/* `bytes` bytes that end at an unreadable page, or begin `shift` bytes after a multiple of 64: then nothing streams. */
static void *shifted(checker *c, size_t bytes, size_t shift)
{
    return shift ? (char *)checker_memory(c, (bytes + shift + 63) / 64 * 64) + shift : checker_memory(c, bytes);
}

static uint16_t *narrowed(checker *c, const float *value, size_t count, bool f16)
{
    uint16_t *bits = checker_memory(c, count * sizeof(*bits));
    for (size_t i = 0; i < count; i++) bits[i] = f16 ? jm_f32_to_f16(value[i]) : jm_f32_to_bf16(value[i]);
    return bits;
}

static uint16_t *shorts(checker *c, size_t count, bool f16)
{
    uint16_t *bits = narrowed(c, checker_any(c, count), count, f16);
    /* Any number at all now and then: products and sums overflow. */
    for (size_t i = 0; i < count; i++)
        if (checker_random_int(c, 0, 15) == 0) bits[i] = (uint16_t)checker_random(c);
    return bits;
}

static int32_t *integers(checker *c, size_t count)
{
    static const int32_t special[] = {0, -1, INT32_MAX, INT32_MIN, 16777217, -33554435};
    int32_t *value = checker_memory(c, count * sizeof(*value));
    const int64_t range = checker_random(c) & 1 ? 100 : INT32_MAX;
    for (size_t i = 0; i < count; i++)
        value[i] = checker_random_int(c, 0, 7) ? (int32_t)checker_random_int(c, -range, range)
                                               : special[checker_random(c) % (sizeof(special) / sizeof(special[0]))];
    return value;
}

static const void *bias(checker *c, jm_kvcache_bias kind, size_t count)
{
    switch (kind) {
    case JM_KVCACHE_NO_BIAS:
        return NULL;
    case JM_KVCACHE_BIAS_I32:
        return integers(c, count);
    case JM_KVCACHE_BIAS_F32:
        return checker_any(c, count);
    default:
        return shorts(c, count, kind == JM_KVCACHE_BIAS_F16);
    }
}

/* Scales small enough that caches saturate now and then, ordinary ones, and every special number. */
static const float *scales(checker *c, size_t count)
{
    float *scale = checker_any(c, count);
    const float unit = checker_random(c) & 1 ? 0.01f : 1.0f;
    for (size_t i = 0; i < count; i++) scale[i] *= unit;
    return scale;
}

static jm_kvcache random_shape(checker *c, int kind)
{
    jm_kvcache s = {.q_heads = (size_t)checker_random_int(c, 0, 4), .kv_heads = (size_t)checker_random_int(c, 0, 3)};
    s.half = 8 * (size_t)(checker_random_int(c, 0, 5) ? checker_random_int(c, 1, 9) : checker_random_int(c, 15, 19));
    const size_t kv = s.kv_heads * 2 * s.half, all = s.q_heads * 2 * s.half + 2 * kv;
    s.scale_k = scales(c, kv);
    s.scale_v = scales(c, kv);
    if (checker_random(c) & 1) {
        s.offset_k = checker_any(c, kv);
        s.offset_v = checker_any(c, kv);
    }
    s.stream = checker_random(c) & 1;
    if (!is_integer(kind)) return s;
    s.weight_scale = scales(c, all);
    s.bias_kind = (jm_kvcache_bias)checker_random_int(c, JM_KVCACHE_NO_BIAS, JM_KVCACHE_BIAS_BF16);
    s.bias = bias(c, s.bias_kind, all);
    return s;
}

typedef struct outputs {
    uint16_t *q, *k, *v;
    int8_t *k_cache, *v_cache;
} outputs;

static outputs outputs_new(checker *c, size_t q, size_t kv, size_t shift, bool rows, bool cached)
{
    return (outputs){shifted(c, q * 2, shift), rows ? shifted(c, kv * 2, shift) : NULL,
                     rows ? shifted(c, kv * 2, shift) : NULL, cached ? shifted(c, kv, shift / 2) : NULL,
                     cached ? shifted(c, kv, shift / 2) : NULL};
}

static void compare(checker *c, const char *what, const void *got, const void *want, size_t size, size_t count,
                    const jm_kvcache *s)
{
    if (got)
        checker_same_bytes(c, got, want, size, count, "%s of %zu and %zu heads of %zu, bias %d%s", what, s->q_heads,
                           s->kv_heads, 2 * s->half, (int)s->bias_kind, s->offset_k ? ", offsets" : "");
}

static void check_tokens(checker *c, const checker_kernel *kernel, const jm_kernels *reference,
                         const jm_kernels *tested)
{
    const int kind = kernel->argument;
    const jm_kvcache s = random_shape(c, kind);
    const size_t q = s.q_heads * 2 * s.half, kv = s.kv_heads * 2 * s.half, all = q + 2 * kv;
    const size_t count = (size_t)checker_random_int(c, 0, MOST_TOKENS);
    jm_kvcache_token token[MOST_TOKENS];
    outputs want[MOST_TOKENS], got[MOST_TOKENS];
    for (size_t t = 0; t < count; t++) {
        const bool rows = checker_random(c) & 1, cached = checker_random_int(c, 0, 3);
        const size_t shift = checker_random(c) & 1 ? 0 : 2 * (size_t)checker_random_int(c, 0, 31);
        want[t] = outputs_new(c, q, kv, 0, rows, cached);
        got[t] = outputs_new(c, q, kv, shift, rows, cached);
        token[t] = (jm_kvcache_token){
            .x = is_integer(kind) ? (const void *)integers(c, all) : shorts(c, all, is_f16(kind)),
            .cos = shorts(c, 2 * s.half, is_f16(kind)),
            .sin = shorts(c, 2 * s.half, is_f16(kind)),
            .activation_scale = *scales(c, 1),
        };
    }
    for (int run = 0; run < 2; run++) {
        for (size_t t = 0; t < count; t++) {
            const outputs *o = run ? &got[t] : &want[t];
            token[t].q = o->q;
            token[t].k = o->k;
            token[t].v = o->v;
            token[t].k_cache = o->k_cache;
            token[t].v_cache = o->v_cache;
        }
        (run ? tested : reference)->kvcache.tokens[kind](&s, token, count);
    }
    for (size_t t = 0; t < count; t++) {
        compare(c, "q", got[t].q, want[t].q, 2, q, &s);
        compare(c, "k", got[t].k, want[t].k, 2, kv, &s);
        compare(c, "v", got[t].v, want[t].v, 2, kv, &s);
        compare(c, "the cache of k", got[t].k_cache, want[t].k_cache, 1, kv, &s);
        compare(c, "the cache of v", got[t].v_cache, want[t].v_cache, 1, kv, &s);
    }
}

/* ---- Timing: a token of 32 and 8 heads of 128, in the first caches ---- */

enum { Q_HEADS = 32, KV_HEADS = 8, HALF = 64, WIDTH = 2 * HALF, REPEAT = 100 };

static double bench_tokens(checker *c, const checker_kernel *kernel, const jm_kernels *tested)
{
    const size_t q = Q_HEADS * WIDTH, kv = KV_HEADS * WIDTH, all = q + 2 * kv;
    const bool f16 = is_f16(kernel->argument), integer = is_integer(kernel->argument);
    const jm_kvcache s = {.q_heads = Q_HEADS,
                          .kv_heads = KV_HEADS,
                          .half = HALF,
                          .weight_scale = checker_ordinary(c, all),
                          .bias_kind = integer ? JM_KVCACHE_BIAS_F32 : JM_KVCACHE_NO_BIAS,
                          .bias = checker_ordinary(c, all),
                          .scale_k = checker_ordinary(c, kv),
                          .scale_v = checker_ordinary(c, kv),
                          .offset_k = checker_ordinary(c, kv),
                          .offset_v = checker_ordinary(c, kv)};
    const outputs o = outputs_new(c, q, kv, 0, false, true);
    const jm_kvcache_token token = {.x = integer ? (const void *)integers(c, all)
                                                 : narrowed(c, checker_ordinary(c, all), all, f16),
                                    .cos = narrowed(c, checker_ordinary(c, WIDTH), WIDTH, f16),
                                    .sin = narrowed(c, checker_ordinary(c, WIDTH), WIDTH, f16),
                                    .activation_scale = 1,
                                    .q = o.q,
                                    .k_cache = o.k_cache,
                                    .v_cache = o.v_cache};
    checker_ordinary(c, 16);
    for (int i = 0; i < REPEAT; i++) tested->kvcache.tokens[kernel->argument](&s, &token, 1);
    return (double)all * REPEAT;
}

#define AT(kind) offsetof(jm_kernels, kvcache.tokens[kind]), kind, check_tokens, bench_tokens, false

static int list(checker_kernel *kernels, int limit)
{
    const checker_kernel all[] = {
        {"kvcache.tokens.f16", AT(JM_KVCACHE_F16)},
        {"kvcache.tokens.bf16", AT(JM_KVCACHE_BF16)},
        {"kvcache.tokens.i32_f16", AT(JM_KVCACHE_I32_F16)},
        {"kvcache.tokens.i32_bf16", AT(JM_KVCACHE_I32_BF16)},
    };
    const int count = (int)(sizeof(all) / sizeof(all[0]));
    memcpy(kernels, all, sizeof(all[0]) * (size_t)(count < limit ? count : limit));
    return count;
}

const checker_family check_kvcache = {
    .name = "kvcache",
    .offset = offsetof(jm_kernels, kvcache),
    .size = sizeof(jm_kvcache_kernels),
    .list = list,
};
