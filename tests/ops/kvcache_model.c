/* SPDX-License-Identifier: Apache-2.0 */
#include "kvcache_model.h"

#include <math.h>

#include "test.h"

/* ---- Numbers ---- */

/* |a| rounded to a multiple of the distance between its neighbours among numbers of `digits` binary digits whose least
 * normal number is 2^least, as that multiple; *unit is the distance's exponent. */
static double in_units(double a, int digits, int least, int *unit)
{
    int exponent;
    frexp(a, &exponent); /* a = m * 2^exponent, m in [0.5, 1) */
    *unit = (a == 0 || exponent - 1 < least ? least : exponent - 1) - (digits - 1);
    return nearbyint(fabs(a) / ldexp(1, *unit));
}

static double f16_rounded(double a)
{
    if (isnan(a) || isinf(a)) return a;
    int unit;
    double n = in_units(a, 11, -14, &unit), magnitude = ldexp(n, unit);
    return copysign(magnitude >= 65536 ? INFINITY : magnitude, a);
}

static uint16_t f16_bits(double a)
{
    if (isnan(a)) return 0x7E00;
    int unit;
    const uint16_t sign = signbit(a) ? 0x8000 : 0;
    const double r = fabs(f16_rounded(a));
    if (isinf(r)) return sign | 0x7C00;
    const int n = (int)in_units(r, 11, -14, &unit);
    return (uint16_t)(sign | ((unit + 24) * 1024 + n));
}

static uint16_t bf16_bits(double a)
{
    if (isnan(a)) return 0x7FC0;
    int unit;
    const uint16_t sign = signbit(a) ? 0x8000 : 0;
    if (isinf(a)) return sign | 0x7F80;
    const int n = (int)in_units(a, 8, -126, &unit);
    const int bits = (unit + 133) * 128 + n;
    return (uint16_t)(sign | (bits > 0x7F80 ? 0x7F80 : bits));
}

static double value_of(bool f16, uint16_t bits)
{
    const int digits = f16 ? 10 : 7, bias = f16 ? 15 : 127, exponents = f16 ? 31 : 255;
    const int exponent = (bits & 0x7FFF) >> digits, fraction = bits & ((1 << digits) - 1);
    double a;
    if (exponent == exponents)
        a = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        a = ldexp(fraction, 1 - bias - digits);
    else
        a = ldexp(fraction + (1 << digits), exponent - bias - digits);
    return bits & 0x8000 ? -a : a;
}

static double saturated_f16(double a)
{
    return isnan(a) ? a : f16_rounded(fmax(-65504, fmin(65504, a)));
}

static int8_t quantised(float a, float scale, bool offsets, float offset)
{
    float t = a / scale;
    if (offsets) t = t + offset;
    if (isnan(t)) return 0;
    return (int8_t)fmax(-128, fmin(127, nearbyint((double)t)));
}

/* ---- Sizes ---- */

int64_t kvcache_tokens(const kvcache_case *c)
{
    return c->batch * c->positions;
}

int64_t kvcache_channels(const kvcache_case *c)
{
    return (c->q_heads + 2 * c->kv_heads) * c->width;
}

int64_t kvcache_kv(const kvcache_case *c)
{
    return c->kv_heads * c->width;
}

int64_t kvcache_cache(const kvcache_case *c)
{
    return c->blocks * c->block * kvcache_kv(c);
}

int64_t kvcache_indices(const kvcache_case *c)
{
    return c->paged ? kvcache_tokens(c) : c->batch;
}

/* ---- The model ---- */

/* Element `channel` of a token's x as float32, before the rounding between dequantisation and RoPE. */
static float dequantised(const kvcache_case *c, int64_t token, int64_t channel)
{
    const int64_t at = token * kvcache_channels(c) + channel;
    if (c->x_type != JM_I32) return (float)value_of(c->x_type == JM_F16, ((const uint16_t *)c->x)[at]);
    int64_t x = ((const int32_t *)c->x)[at];
    if (c->bias_type == JM_I32) {
        x += ((const int32_t *)c->bias)[channel];
        if (x > INT32_MAX) x -= (int64_t)1 << 32;
        if (x < INT32_MIN) x += (int64_t)1 << 32;
    }
    float y = (float)x;
    y = y * c->weight_scale[channel];
    if (c->has_activation_scale) y = y * c->activation_scale[token];
    if (c->bias_type == JM_F32) y = y + ((const float *)c->bias)[channel];
    if (c->bias_type == JM_F16 || c->bias_type == JM_BF16)
        y = y + (float)value_of(c->bias_type == JM_F16, ((const uint16_t *)c->bias)[channel]);
    return y;
}

/* One element of a rotated head; `partner` is the same element of the other half, with the sign that it enters with. */
static double rotated(bool f16, double x, double partner, double cos, double sin)
{
    if (f16) return f16_rounded(f16_rounded(x * cos) + f16_rounded(partner * sin));
    const float a = (float)x * (float)cos, b = (float)partner * (float)sin;
    return (double)(a + b);
}

static double rope(const kvcache_case *c, int64_t token, int64_t head_channel, int64_t i)
{
    const bool f16 = c->type == JM_F16;
    const int64_t half = c->width / 2, other = i < half ? i + half : i - half;
    double x = (double)dequantised(c, token, head_channel + i);
    double partner = (double)dequantised(c, token, head_channel + other);
    if (f16 && c->x_type == JM_I32) {
        x = saturated_f16(x);
        partner = saturated_f16(partner);
    }
    const int64_t angle = token * c->width + i;
    return rotated(f16, x, i < half ? -partner : partner, value_of(f16, c->cos[angle]), value_of(f16, c->sin[angle]));
}

static uint16_t to_bits(const kvcache_case *c, double a)
{
    return c->type == JM_F16 ? f16_bits(a) : bf16_bits(a);
}

/* The first element of the cache row of a token; -1 where it goes nowhere. */
static int64_t place_of(kvcache_case *c, int64_t batch, int64_t position)
{
    if (c->paged) {
        const int32_t index = c->indices[batch * c->positions + position];
        if (index < 0) return -1;
        if (index < c->blocks * c->block) return index * kvcache_kv(c);
    } else {
        const int64_t index = c->indices[batch];
        if (index >= 0 && index + c->positions <= c->block)
            return (batch * c->block + index + position) * kvcache_kv(c);
    }
    c->fault = true;
    return -1;
}

static void expect_token(kvcache_case *c, int64_t batch, int64_t position)
{
    const int64_t token = batch * c->positions + position, q = c->q_heads * c->width, kv = kvcache_kv(c);
    const int64_t place = place_of(c, batch, position);
    const bool offsets = c->has_offset_k && c->has_offset_v;
    for (int64_t i = 0; i < q; i++)
        c->q[token * q + i] = to_bits(c, rope(c, token, i / c->width * c->width, i % c->width));
    for (int64_t i = 0; i < kv; i++) {
        const double k = rope(c, token, q + i / c->width * c->width, i % c->width);
        const float v = dequantised(c, token, q + kv + i);
        const int64_t at = token * kv + i;
        c->k[at] = to_bits(c, k);
        if (c->x_type != JM_I32)
            c->v[at] = ((const uint16_t *)c->x)[token * kvcache_channels(c) + q + kv + i];
        else
            c->v[at] = to_bits(c, c->type == JM_F16 ? saturated_f16((double)v) : (double)v);
        if (place < 0) continue;
        c->k_cache_after[place + i] = quantised((float)k, c->scale_k[i], offsets, c->offset_k[i]);
        c->v_cache_after[place + i] = quantised(v, c->scale_v[i], offsets, c->offset_v[i]);
    }
}

void kvcache_expect(kvcache_case *c)
{
    c->fault = false;
    memcpy(c->k_cache_after, c->k_cache, (size_t)kvcache_cache(c));
    memcpy(c->v_cache_after, c->v_cache, (size_t)kvcache_cache(c));
    for (int64_t b = 0; c->q_heads > 0 && b < c->batch; b++)
        for (int64_t s = 0; s < c->positions; s++) expect_token(c, b, s);
}

/* ---- Cases ---- */

static void *array(int64_t count, size_t size)
{
    void *memory = jm_alloc((size_t)count, size);
    assert_non_null(memory);
    return memory;
}

void kvcache_create(kvcache_case *c)
{
    const int64_t tokens = kvcache_tokens(c), channels = kvcache_channels(c), kv = kvcache_kv(c);
    c->x = array(tokens * channels, 4);
    c->bias = array(channels, 4);
    c->cos = array(tokens * c->width, 2);
    c->sin = array(tokens * c->width, 2);
    c->k_cache = array(kvcache_cache(c), 1);
    c->v_cache = array(kvcache_cache(c), 1);
    c->indices = array(kvcache_indices(c), 4);
    c->scale_k = array(kv, 4);
    c->scale_v = array(kv, 4);
    c->offset_k = array(kv, 4);
    c->offset_v = array(kv, 4);
    c->weight_scale = array(channels, 4);
    c->activation_scale = array(tokens, 4);
    c->q = array(tokens * c->q_heads * c->width, 2);
    c->k = array(tokens * kv, 2);
    c->v = array(tokens * kv, 2);
    c->k_cache_after = array(kvcache_cache(c), 1);
    c->v_cache_after = array(kvcache_cache(c), 1);
}

void kvcache_destroy(kvcache_case *c)
{
    void *const arrays[] = {c->x,
                            c->bias,
                            c->cos,
                            c->sin,
                            c->k_cache,
                            c->v_cache,
                            c->indices,
                            c->scale_k,
                            c->scale_v,
                            c->offset_k,
                            c->offset_v,
                            c->q,
                            c->k,
                            c->v,
                            c->weight_scale,
                            c->activation_scale,
                            c->k_cache_after,
                            c->v_cache_after};
    for (size_t i = 0; i < JM_COUNT(arrays); i++) jm_free(arrays[i]);
    *c = (kvcache_case){0};
}

static float random_float(kvcache_data data, uint64_t *random, double spread)
{
    static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-42f, 3e38f, -3e38f, 65504.0f, 65520.0f};
    if (data == KVCACHE_GRID) return (float)op_random_int(random, -6, 6) / 2;
    if (data == KVCACHE_WILD && op_random_int(random, 0, 3) == 0)
        return special[op_random_int(random, 0, JM_COUNT(special) - 1)];
    if (data == KVCACHE_WILD) return (float)ldexp(op_random_real(random, -1, 1), (int)op_random_int(random, -140, 127));
    return (float)op_random_real(random, -spread, spread);
}

static void fill_floats(float *to, int64_t count, kvcache_data data, uint64_t *random, double spread)
{
    for (int64_t i = 0; i < count; i++) to[i] = random_float(data, random, spread);
}

static void fill_16(uint16_t *to, int64_t count, bool f16, kvcache_data data, uint64_t *random)
{
    for (int64_t i = 0; i < count; i++) {
        const double value = (double)random_float(data, random, 3);
        to[i] = f16 ? f16_bits(value) : bf16_bits(value);
        if (data == KVCACHE_WILD && op_random(random) & 1) to[i] = (uint16_t)op_random(random);
    }
}

static void fill_i32(int32_t *to, int64_t count, kvcache_data data, uint64_t *random)
{
    static const int32_t special[] = {INT32_MIN, INT32_MAX, 0, 16777217, 50331651, -1};
    for (int64_t i = 0; i < count; i++) {
        to[i] = (int32_t)op_random_int(random, -200, 200);
        if (data == KVCACHE_GRID) to[i] = (int32_t)op_random_int(random, -4, 4);
        if (data == KVCACHE_WILD) to[i] = (int32_t)op_random(random);
        if (data == KVCACHE_WILD && op_random_int(random, 0, 3) == 0)
            to[i] = special[op_random_int(random, 0, JM_COUNT(special) - 1)];
    }
}

static void fill_indices(kvcache_case *c, uint64_t *random)
{
    if (!c->paged) {
        for (int64_t b = 0; b < c->batch; b++)
            c->indices[b] = (int32_t)op_random_int(random, 0, c->block - c->positions);
        return;
    }
    /* Steps through the places by a number without common factors. */
    const int64_t places = c->blocks * c->block;
    int64_t step = op_random_int(random, 1, places), a = step, b = places;
    while (b) {
        const int64_t r = a % b;
        a = b;
        b = r;
    }
    step = a == 1 ? step : 1;
    const int64_t first = op_random_int(random, 0, places - 1);
    for (int64_t t = 0; t < kvcache_tokens(c); t++) {
        c->indices[t] = (int32_t)((first + t * step) % places);
        if (t >= places || op_random_int(random, 0, 5) == 0)
            c->indices[t] = op_random(random) & 1 ? -1 : (int32_t)op_random_int(random, INT32_MIN, -1);
    }
}

void kvcache_fill(kvcache_case *c, kvcache_data data, uint64_t *random)
{
    const int64_t tokens = kvcache_tokens(c), channels = kvcache_channels(c), kv = kvcache_kv(c);
    if (c->x_type == JM_I32)
        fill_i32(c->x, tokens * channels, data, random);
    else
        fill_16(c->x, tokens * channels, c->x_type == JM_F16, data, random);
    fill_16(c->cos, tokens * c->width, c->type == JM_F16, data, random);
    fill_16(c->sin, tokens * c->width, c->type == JM_F16, data, random);
    for (int64_t i = 0; i < kvcache_cache(c); i++) {
        c->k_cache[i] = (int8_t)op_random(random);
        c->v_cache[i] = (int8_t)op_random(random);
    }
    fill_floats(c->scale_k, kv, data, random, 0.1);
    fill_floats(c->scale_v, kv, data, random, 0.1);
    fill_floats(c->offset_k, kv, data, random, 20);
    fill_floats(c->offset_v, kv, data, random, 20);
    fill_floats(c->weight_scale, channels, data, random, 0.2);
    fill_floats(c->activation_scale, tokens, data, random, 0.5);
    if (c->bias_type == JM_I32)
        fill_i32(c->bias, channels, data, random);
    else if (c->bias_type == JM_F32)
        fill_floats(c->bias, channels, data, random, 2);
    else
        fill_16(c->bias, channels, c->bias_type == JM_F16, data, random);
    fill_indices(c, random);
}

void kvcache_random(kvcache_case *c, uint64_t *random)
{
    static const jm_dtype bias[] = {JM_DTYPE_NONE, JM_F16, JM_BF16, JM_I32, JM_F32};
    *c = (kvcache_case){.rank = (int)op_random_int(random, 2, 3), .positions = 1};
    c->batch = op_random_int(random, 1, 5);
    if (c->rank == 3) c->positions = op_random_int(random, 1, 5);
    c->q_heads = op_random_int(random, 1, 5);
    c->kv_heads = op_random_int(random, 0, 3);
    c->width = 16 * (op_random_int(random, 0, 9) ? op_random_int(random, 1, 5) : op_random_int(random, 6, 24));
    c->paged = op_random(random) & 1;
    c->blocks = op_random_int(random, c->paged ? 1 : c->batch, c->batch + 2);
    c->block = op_random_int(random, c->positions, c->positions + 6);
    c->kv_output = op_random(random) & 1;
    c->type = op_random(random) & 1 ? JM_F16 : JM_BF16;
    c->x_type = op_random(random) & 1 ? JM_I32 : c->type;
    c->bias_type = bias[op_random_int(random, 0, JM_COUNT(bias) - 1)];
    c->has_weight_scale = c->x_type == JM_I32 || op_random(random) & 1;
    c->has_activation_scale = op_random(random) & 1;
    c->has_offset_k = op_random_int(random, 0, 3) != 0;
    c->has_offset_v = op_random_int(random, 0, 3) != 0;
    kvcache_create(c);
    kvcache_fill(c, (kvcache_data)op_random_int(random, 0, KVCACHE_DATA - 1), random);
}

/* ---- A case as a call ---- */

static jm_tensor dense(op_test *t, jm_dtype dtype, jm_shape shape, const void *data)
{
    jm_tensor tensor = op_test_constant(t, dtype, &shape, data);
    tensor.constant = false;
    return tensor;
}

/* [B, S, heads, D] or [B, heads, D]. */
static jm_shape heads_of(const kvcache_case *c, int64_t heads)
{
    if (c->rank == 3) return (jm_shape){4, {c->batch, c->positions, heads, c->width}};
    return (jm_shape){3, {c->batch, heads, c->width}};
}

static jm_shape shape_of_x(const kvcache_case *c)
{
    if (c->rank == 3) return (jm_shape){3, {c->batch, c->positions, kvcache_channels(c)}};
    return (jm_shape){2, {c->batch, kvcache_channels(c)}};
}

static jm_shape shape_of_angles(const kvcache_case *c)
{
    if (c->rank == 3) return (jm_shape){4, {c->batch, c->positions, 1, c->width}};
    return (jm_shape){2, {c->batch, c->width}};
}

void kvcache_begin(op_test *t, const kvcache_case *c)
{
    const jm_shape cache = {4, {c->blocks, c->block, c->kv_heads, c->width}}, kv = {1, {kvcache_kv(c)}};
    const jm_shape all = {1, {kvcache_channels(c)}};
    op_test_begin(t, "DequantRopeQuantKvcache");
    t->outputs = KVCACHE_OUTPUTS;
    t->inputs = KVCACHE_INPUTS;
    for (int i = 0; i < KVCACHE_INPUTS; i++) t->in[i].dtype = JM_DTYPE_NONE;
    t->in[X] = dense(t, c->x_type, shape_of_x(c), c->x);
    t->in[COS] = dense(t, c->type, shape_of_angles(c), c->cos);
    t->in[SIN] = dense(t, c->type, shape_of_angles(c), c->sin);
    t->in[K_CACHE] = dense(t, JM_I8, cache, c->k_cache);
    t->in[V_CACHE] = dense(t, JM_I8, cache, c->v_cache);
    t->in[INDICES] = dense(t, JM_I32, (jm_shape){1, {kvcache_indices(c)}}, c->indices);
    t->in[SCALE_K] = dense(t, JM_F32, kv, c->scale_k);
    t->in[SCALE_V] = dense(t, JM_F32, (jm_shape){2, {c->kv_heads, c->width}}, c->scale_v);
    if (c->has_offset_k) t->in[OFFSET_K] = dense(t, JM_F32, kv, c->offset_k);
    if (c->has_offset_v) t->in[OFFSET_V] = dense(t, JM_F32, kv, c->offset_v);
    if (c->has_weight_scale) t->in[WEIGHT_SCALE] = dense(t, JM_F32, all, c->weight_scale);
    if (c->has_activation_scale)
        t->in[ACTIVATION_SCALE] = dense(t, JM_F32, (jm_shape){1, {kvcache_tokens(c)}}, c->activation_scale);
    if (c->bias_type != JM_DTYPE_NONE) t->in[BIAS] = dense(t, c->bias_type, all, c->bias);
    const int64_t splits[] = {c->q_heads * c->width, kvcache_kv(c), kvcache_kv(c)};
    op_test_ints(t, "size_splits", splits, 3);
    op_test_int(t, "kv_output", c->kv_output);
    if (c->paged) op_test_string(t, "cache_mode", "Page");
}

void kvcache_want(op_test *t, const kvcache_case *c, jm_tensor want[KVCACHE_OUTPUTS])
{
    const jm_shape cache = {4, {c->blocks, c->block, c->kv_heads, c->width}}, none = {1, {0}};
    const jm_shape kv = c->kv_output ? heads_of(c, c->kv_heads) : none;
    want[Q_OUT] = dense(t, c->type, heads_of(c, c->q_heads), c->q);
    want[K_OUT] = dense(t, c->type, kv, c->k);
    want[V_OUT] = dense(t, c->type, kv, c->v);
    want[K_CACHE_OUT] = dense(t, JM_I8, cache, c->k_cache_after);
    want[V_CACHE_OUT] = dense(t, JM_I8, cache, c->v_cache_after);
}
