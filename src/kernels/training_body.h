/* SPDX-License-Identifier: Apache-2.0
 *
 * The training family, written once on the vector of vector.h and compiled once per level: each training_<level>.c
 * includes this file and calls fill(). Only lane counts differ between levels, never the operations of an element.
 */
#include "kernels/training.h"
#include "kernels/vector.h"
#include "kernels/vector_math.h"

#define GROUP 16
#define VECS (GROUP / VEC_LANES)

VEC_INLINE vec number(float x)
{
    return vec_set1(x);
}

/* ---- Functions of an element ---- */

VEC_INLINE vec threshold_gradient(vec a, vec b, vec alpha)
{
    return vec_select(vec_le(b, alpha), number(0.0f), a);
}

VEC_INLINE vec silu_gradient(vec a, vec b)
{
    const vec s = vec_sigmoid(b);
    return vec_mul(vec_mul(a, s), vec_fma(b, vec_sub(number(1.0f), s), number(1.0f)));
}

VEC_INLINE vec hard_sigmoid_gradient(vec a, vec b)
{
    const vec inside = vec_select(vec_lt(b, number(3.0f)), vec_mul(a, number(1.0f / 6)), number(0.0f));
    return vec_select(vec_lt(number(-3.0f), b), inside, number(0.0f));
}

VEC_INLINE vec hard_swish_gradient(vec a, vec b)
{
    const vec inside = vec_mul(a, vec_fma(b, number(1.0f / 3), number(0.5f)));
    return vec_select(vec_le(b, number(-3.0f)), number(0.0f), vec_select(vec_le(number(3.0f), b), a, inside));
}

/* NaN for an infinite b, as PyTorch: the search for infinite gradients must see it. */
VEC_INLINE vec gelu_gradient(vec a, vec b)
{
    const vec half = vec_fma(number(0.5f), vec_erf(vec_mul(b, number(0x1.6a09e6p-1f))), number(0.5f));
    const vec density = vec_mul(number(0x1.988454p-2f), vec_exp(vec_mul(number(-0.5f), vec_mul(b, b))));
    return vec_mul(a, vec_fma(b, density, half));
}

VEC_INLINE vec gelu_tanh_gradient(vec a, vec b)
{
    const float c = 0x1.988454p-1f; /* sqrt(2 / pi) */
    const vec z = vec_mul(b, b);
    const vec t = vec_tanh(vec_mul(b, vec_fma(z, number(c * 0.044715f), number(c))));
    const vec slope = vec_fma(z, number(3 * c * 0.044715f), number(c));
    const vec rest = vec_fnma(t, t, number(1.0f)); /* 1 - tanh^2 */
    const vec half = vec_fma(number(0.5f), t, number(0.5f));
    return vec_mul(a, vec_fma(vec_mul(vec_mul(number(0.5f), b), rest), slope, half));
}

VEC_INLINE vec squared_error(vec a, vec b)
{
    const vec d = vec_sub(a, b);
    return vec_mul(d, d);
}

VEC_INLINE vec smooth_l1(vec a, vec b, vec alpha)
{
    const vec d = vec_abs(vec_sub(a, b)), half = vec_mul(number(0.5f), d);
    return vec_select(vec_lt(d, alpha), vec_div(vec_mul(half, d), alpha), vec_fnma(number(0.5f), alpha, d));
}

/* max(log x, -100), and the same of 1 - x with what rounding took from the difference. NaN stays. */
VEC_INLINE vec bounded_log(vec x)
{
    return vec_max(number(-100.0f), vec_log(x));
}
VEC_INLINE vec bounded_log_rest(vec x)
{
    const vec rest = vec_sub(number(1.0f), x);
    const vec lost = vec_div(vec_add(vec_sub(rest, number(1.0f)), x), vec_max(number(0x1p-126f), rest));
    return vec_max(number(-100.0f), vec_sub(vec_log(rest), lost));
}

VEC_INLINE vec cross_entropy(vec a, vec b)
{
    const vec other = vec_mul(vec_sub(b, number(1.0f)), bounded_log_rest(a));
    return vec_fnma(b, bounded_log(a), other);
}

VEC_INLINE vec cross_entropy_logits(vec a, vec b, vec c)
{
    const vec weight = vec_fma(vec_sub(c, number(1.0f)), b, number(1.0f));
    return vec_fma(weight, vec_softplus(vec_neg(a)), vec_mul(vec_sub(number(1.0f), b), a));
}

VEC_INLINE vec squared_error_gradient(vec a, vec b, vec c, vec beta)
{
    return vec_mul(vec_mul(beta, vec_sub(b, c)), a);
}

VEC_INLINE vec smooth_l1_gradient(vec a, vec b, vec c, vec alpha, vec beta)
{
    const vec d = vec_sub(b, c), slope = vec_mul(beta, a);
    const vec inside = vec_select(vec_le(alpha, d), slope, vec_div(vec_mul(slope, d), alpha));
    return vec_select(vec_le(d, vec_neg(alpha)), vec_neg(slope), inside);
}

VEC_INLINE vec cross_entropy_gradient(vec a, vec b, vec c, vec beta)
{
    const vec square = vec_mul(vec_sub(number(1.0f), b), b);
    return vec_div(vec_mul(vec_mul(beta, a), vec_sub(b, c)), vec_max(number(1e-12f), square));
}

VEC_INLINE vec cross_entropy_logits_slope(vec a, vec b, vec c, vec beta)
{
    const vec weight = vec_fma(vec_sub(c, number(1.0f)), b, number(1.0f));
    return vec_mul(beta, vec_fma(weight, vec_sigmoid(a), vec_neg(vec_mul(b, c))));
}

/* ---- Rows ---- */

/* `three`: whether the function has a third operand. */
#define FUSED(name, three, expression)                                                                                 \
    static void name(float *y, const float *const in[3], const size_t step[3], size_t n, float alpha_, float beta_)    \
    {                                                                                                                  \
        const vec alpha = vec_set1(alpha_), beta = vec_set1(beta_);                                                    \
        const float *pa = in[0], *pb = in[1], *pc = three ? in[2] : in[1];                                             \
        const size_t c_step = three ? step[2] : step[1];                                                               \
        (void)alpha, (void)beta;                                                                                       \
        for (; n >= GROUP; n -= GROUP, y += GROUP, pa += step[0], pb += step[1], pc += c_step) {                       \
            VEC_UNROLL for (int k = 0; k < GROUP; k += VEC_LANES)                                                      \
            {                                                                                                          \
                const vec a = vec_load(pa + k), b = vec_load(pb + k), c = three ? vec_load(pc + k) : b;                \
                (void)c;                                                                                               \
                vec_store(y + k, expression);                                                                          \
            }                                                                                                          \
        }                                                                                                              \
        for (size_t k = 0; k < n; k += VEC_LANES) {                                                                    \
            const size_t part = n - k < VEC_LANES ? n - k : VEC_LANES;                                                 \
            const vec a = vec_load_part(pa + k, part), b = vec_load_part(pb + k, part);                                \
            const vec c = three ? vec_load_part(pc + k, part) : b;                                                     \
            (void)c;                                                                                                   \
            vec_store_part(y + k, expression, part);                                                                   \
        }                                                                                                              \
    }

FUSED(f32_threshold_gradient, false, threshold_gradient(a, b, alpha))
FUSED(f32_leaky_relu_gradient, false, vec_select(vec_lt(number(0.0f), b), a, vec_mul(alpha, a)))
FUSED(f32_sigmoid_gradient, false, vec_mul(vec_mul(a, vec_sub(number(1.0f), b)), b))
FUSED(f32_tanh_gradient, false, vec_mul(a, vec_fnma(b, b, number(1.0f))))
FUSED(f32_silu_gradient, false, silu_gradient(a, b))
FUSED(f32_hard_sigmoid_gradient, false, hard_sigmoid_gradient(a, b))
FUSED(f32_hard_swish_gradient, false, hard_swish_gradient(a, b))
FUSED(f32_gelu_gradient, false, gelu_gradient(a, b))
FUSED(f32_gelu_tanh_gradient, false, gelu_tanh_gradient(a, b))
FUSED(f32_squared_error, false, squared_error(a, b))
FUSED(f32_smooth_l1, false, smooth_l1(a, b, alpha))
FUSED(f32_cross_entropy, false, cross_entropy(a, b))
FUSED(f32_cross_entropy_logits, true, cross_entropy_logits(a, b, c))
FUSED(f32_squared_error_gradient, true, squared_error_gradient(a, b, c, beta))
FUSED(f32_smooth_l1_gradient, true, smooth_l1_gradient(a, b, c, alpha, beta))
FUSED(f32_cross_entropy_gradient, true, cross_entropy_gradient(a, b, c, beta))
FUSED(f32_cross_entropy_logits_slope, true, cross_entropy_logits_slope(a, b, c, beta))

/* ---- Dropout ---- */

static void f32_dropout(float *y, const float *x, const uint8_t *bits, size_t n, float scale)
{
    const vec factor = vec_set1(scale), zero = vec_set1(0.0f);
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES)
        vec_store(y + i, vec_select(vec_from_bit_row(bits, i, VEC_LANES), vec_mul(vec_load(x + i), factor), zero));
    if (i == n) return;
    const vec part = vec_mul(vec_load_part(x + i, n - i), factor);
    vec_store_part(y + i, vec_select(vec_from_bit_row(bits, i, n - i), part, zero), n - i);
}

/* ---- Unscale ---- */

static bool f32_unscale(float *y, const float *x, size_t n, float scale)
{
    const vec factor = vec_set1(scale), zero = vec_set1(0.0f);
    vec sum = zero; /* of zeros; NaN from the first number on that is not finite */
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES) {
        const vec v = vec_load(x + i);
        sum = vec_fma(v, zero, sum);
        vec_store(y + i, vec_mul(v, factor));
    }
    if (i < n) {
        const vec v = vec_load_part(x + i, n - i);
        sum = vec_fma(v, zero, sum);
        vec_store_part(y + i, vec_mul(v, factor), n - i);
    }
    float lane[VEC_LANES], all = 0.0f;
    vec_store(lane, sum);
    for (int k = 0; k < VEC_LANES; k++) all += lane[k];
    return all == 0.0f;
}

/* ---- Optimisers ---- */

/* Vectors of a place; `part` elements count. */
typedef struct adam_vecs {
    vec sign, g_share, keep, square_share, decay, rate, look_m, look_g, correction, epsilon;
} adam_vecs;

VEC_INLINE void adam_at(const adam_vecs *s, float *w, float *m, float *v, float *maximum, const float *gradient,
                        size_t part)
{
    const vec g = vec_mul(s->sign, vec_load_some(gradient, part));
    vec mean = vec_load_some(m, part);
    mean = vec_fma(s->g_share, vec_sub(g, mean), mean);
    vec square = vec_fma(vec_mul(s->square_share, g), g, vec_mul(s->keep, vec_load_some(v, part)));
    vec_store_some(m, mean, part);
    vec_store_some(v, square, part);
    if (maximum) {
        const vec old = vec_load_some(maximum, part);
        square = vec_select(vec_is_nan(old), old, vec_max(old, square));
        vec_store_some(maximum, square, part);
    }
    const vec below = vec_add(vec_div(vec_sqrt(square), s->correction), s->epsilon);
    const vec above = vec_fma(s->look_g, g, vec_mul(s->look_m, mean));
    const vec kept = vec_mul(vec_load_some(w, part), s->decay);
    vec_store_some(w, vec_fnma(s->rate, vec_div(above, below), kept), part);
}

static void f32_adam(const jm_adam *step, float *w, float *m, float *v, float *maximum, const float *gradient, size_t n)
{
    const adam_vecs s = {
        vec_set1(step->sign),       vec_set1(step->g_share), vec_set1(step->keep),   vec_set1(step->square_share),
        vec_set1(step->decay),      vec_set1(step->rate),    vec_set1(step->look_m), vec_set1(step->look_g),
        vec_set1(step->correction), vec_set1(step->epsilon),
    };
    size_t i = 0;
    if (maximum)
        for (; n - i >= VEC_LANES; i += VEC_LANES)
            adam_at(&s, w + i, m + i, v + i, maximum + i, gradient + i, VEC_LANES);
    else
        for (; n - i >= VEC_LANES; i += VEC_LANES) adam_at(&s, w + i, m + i, v + i, NULL, gradient + i, VEC_LANES);
    if (i < n) adam_at(&s, w + i, m + i, v + i, maximum ? maximum + i : NULL, gradient + i, n - i);
}

typedef struct descent_vecs {
    vec scale, sign, decay, keep, share, rate;
} descent_vecs;

VEC_INLINE void descent_at(const descent_vecs *s, const jm_descent *step, float *w, float *gradient, float *momentum,
                           size_t part)
{
    vec g = vec_load_some(gradient, part);
    if (step->store) {
        g = vec_mul(g, s->scale);
        vec_store_some(gradient, g, part);
    }
    const vec old = vec_load_some(w, part);
    g = vec_mul(s->sign, g);
    if (step->decay != 0) g = vec_fma(s->decay, old, g);
    if (momentum) {
        vec speed = g;
        if (!step->first) speed = vec_fma(s->share, g, vec_mul(s->keep, vec_load_some(momentum, part)));
        vec_store_some(momentum, speed, part);
        g = step->nesterov ? vec_fma(s->keep, speed, g) : speed;
    }
    vec_store_some(w, vec_fnma(s->rate, g, old), part);
}

static void f32_descent(const jm_descent *step, float *w, float *gradient, float *momentum, size_t n)
{
    const descent_vecs s = {vec_set1(step->scale), vec_set1(step->sign),  vec_set1(step->decay),
                            vec_set1(step->keep),  vec_set1(step->share), vec_set1(step->rate)};
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES)
        descent_at(&s, step, w + i, gradient + i, momentum ? momentum + i : NULL, VEC_LANES);
    if (i < n) descent_at(&s, step, w + i, gradient + i, momentum ? momentum + i : NULL, n - i);
}

/* ---- Gradients of normalisation ---- */

/* `scaled` is a constant. */
VEC_INLINE vec scaled_gradient(const jm_norm_row *row, size_t i, size_t part, const bool scaled)
{
    const vec dy = vec_load_some(row->dy + i, part);
    return scaled ? vec_mul(dy, vec_load_some(row->scale + i, part)) : dy;
}

VEC_INLINE void norm_sums(const jm_norm_row *row, float lane[2][GROUP], size_t n, const bool scaled)
{
    const vec mean = vec_set1(row->mean);
    vec sum[VECS], product[VECS];
    VEC_UNROLL for (int v = 0; v < VECS; v++)
    {
        sum[v] = vec_load(lane[0] + v * VEC_LANES);
        product[v] = vec_load(lane[1] + v * VEC_LANES);
    }
    size_t i = 0;
    for (; n - i >= GROUP; i += GROUP) {
        VEC_UNROLL for (int v = 0; v < VECS; v++)
        {
            const size_t k = i + (size_t)v * VEC_LANES;
            const vec g = scaled_gradient(row, k, VEC_LANES, scaled), t = vec_sub(vec_load(row->x + k), mean);
            sum[v] = vec_add(sum[v], g);
            product[v] = vec_fma(g, t, product[v]);
        }
    }
    VEC_UNROLL for (int v = 0; v < VECS; v++)
    {
        vec_store(lane[0] + v * VEC_LANES, sum[v]);
        vec_store(lane[1] + v * VEC_LANES, product[v]);
    }
    for (size_t k = 0; i < n; i += VEC_LANES, k += VEC_LANES) {
        const size_t part = n - i < VEC_LANES ? n - i : VEC_LANES;
        const vec g = scaled_gradient(row, i, part, scaled), t = vec_sub(vec_load_some(row->x + i, part), mean);
        vec_store_some(lane[0] + k, vec_add(vec_load_some(lane[0] + k, part), g), part);
        vec_store_some(lane[1] + k, vec_fma(g, t, vec_load_some(lane[1] + k, part)), part);
    }
}

static void f32_norm_sums(const jm_norm_row *row, float lane[2][GROUP], size_t n)
{
    if (row->scale)
        norm_sums(row, lane, n, true);
    else
        norm_sums(row, lane, n, false);
}

typedef struct norm_vecs {
    vec mean, weight, slope, shift, factor;
} norm_vecs;

VEC_INLINE void norm_input_at(const jm_norm_row *row, const norm_vecs *s, float *dx, size_t i, size_t part,
                              const bool scaled)
{
    const vec t = vec_sub(vec_load_some(row->x + i, part), s->mean), g = scaled_gradient(row, i, part, scaled);
    const vec sum = vec_add(scaled ? g : vec_mul(g, s->weight), vec_fma(t, s->slope, s->shift));
    vec_store_some(dx + i, vec_mul(sum, s->factor), part);
}

VEC_INLINE void norm_input(const jm_norm_row *given, float *dx, size_t n, const jm_norm_factors *f, const bool scaled)
{
    const jm_norm_row row = *given; /* a copy, which stores to dx cannot change */
    const norm_vecs s = {vec_set1(row.mean), vec_set1(f->weight), vec_set1(f->slope), vec_set1(f->shift),
                         vec_set1(f->factor)};
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES) norm_input_at(&row, &s, dx, i, VEC_LANES, scaled);
    if (i < n) norm_input_at(&row, &s, dx, i, n - i, scaled);
}

static void f32_norm_input(const jm_norm_row *row, float *dx, size_t n, const jm_norm_factors *factors)
{
    if (row->scale)
        norm_input(row, dx, n, factors, true);
    else
        norm_input(row, dx, n, factors, false);
}

VEC_INLINE void norm_scale_at(const jm_norm_row *row, vec mean, vec invstd, float *d_scale, float *d_bias, size_t i,
                              size_t part)
{
    const vec dy = vec_load_some(row->dy + i, part);
    const vec away = vec_mul(vec_sub(vec_load_some(row->x + i, part), mean), invstd);
    vec_store_some(d_scale + i, vec_fma(dy, away, vec_load_some(d_scale + i, part)), part);
    vec_store_some(d_bias + i, vec_add(vec_load_some(d_bias + i, part), dy), part);
}

static void f32_norm_scale(const jm_norm_row *given, float *d_scale, float *d_bias, size_t n, float invstd)
{
    const jm_norm_row row = *given;
    const vec mean = vec_set1(row.mean), by = vec_set1(invstd);
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES) norm_scale_at(&row, mean, by, d_scale, d_bias, i, VEC_LANES);
    if (i < n) norm_scale_at(&row, mean, by, d_scale, d_bias, i, n - i);
}

static void fill(jm_training_kernels *kernels)
{
    *kernels = (jm_training_kernels){
        .fused =
            {
                [JM_FUSED_THRESHOLD_GRADIENT] = f32_threshold_gradient,
                [JM_FUSED_LEAKY_RELU_GRADIENT] = f32_leaky_relu_gradient,
                [JM_FUSED_SIGMOID_GRADIENT] = f32_sigmoid_gradient,
                [JM_FUSED_TANH_GRADIENT] = f32_tanh_gradient,
                [JM_FUSED_SILU_GRADIENT] = f32_silu_gradient,
                [JM_FUSED_HARD_SIGMOID_GRADIENT] = f32_hard_sigmoid_gradient,
                [JM_FUSED_HARD_SWISH_GRADIENT] = f32_hard_swish_gradient,
                [JM_FUSED_GELU_GRADIENT] = f32_gelu_gradient,
                [JM_FUSED_GELU_TANH_GRADIENT] = f32_gelu_tanh_gradient,
                [JM_FUSED_SQUARED_ERROR] = f32_squared_error,
                [JM_FUSED_SMOOTH_L1] = f32_smooth_l1,
                [JM_FUSED_CROSS_ENTROPY] = f32_cross_entropy,
                [JM_FUSED_CROSS_ENTROPY_LOGITS] = f32_cross_entropy_logits,
                [JM_FUSED_SQUARED_ERROR_GRADIENT] = f32_squared_error_gradient,
                [JM_FUSED_SMOOTH_L1_GRADIENT] = f32_smooth_l1_gradient,
                [JM_FUSED_CROSS_ENTROPY_GRADIENT] = f32_cross_entropy_gradient,
                [JM_FUSED_CROSS_ENTROPY_LOGITS_SLOPE] = f32_cross_entropy_logits_slope,
            },
        .dropout = f32_dropout,
        .unscale = f32_unscale,
        .adam = f32_adam,
        .descent = f32_descent,
        .norm_sums = f32_norm_sums,
        .norm_input = f32_norm_input,
        .norm_scale = f32_norm_scale,
    };
}
