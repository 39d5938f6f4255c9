/* SPDX-License-Identifier: Apache-2.0
 *
 * Elementary functions on the vector of vector.h: the only copies in the project, so that every kernel and level gives
 * the same bits. The polynomials are weighted minimax fits made for this file; the reductions are the textbook ones
 * (Muller, "Elementary Functions"). Errors against exact results are tested in tests/ops/test_unary.c.
 *
 * NaN stays NaN in all of them.
 */
#ifndef JUMAR_KERNELS_VECTOR_MATH_H
#define JUMAR_KERNELS_VECTOR_MATH_H

#include "kernels/vector.h"

/* Adding it leaves the nearest integer in the low bits of the significand: for |x| < 2^22. */
#define VEC_ROUNDER 0x1.8p23f

/* The steps shared by the exponentials: x = n ln 2 + r, |r| <= ln 2 / 2 (n in its rounded form), and
 * q = (exp(r) - 1 - r) / r^2. */
typedef struct vec_exp_parts {
    vec rounded; /* n + VEC_ROUNDER */
    vec r, q;
} vec_exp_parts;

VEC_INLINE vec_exp_parts vec_exp_reduce(vec x)
{
    vec_exp_parts parts;
    parts.rounded = vec_fma(x, vec_set1(0x1.715476p+0f), vec_set1(VEC_ROUNDER));
    vec n = vec_sub(parts.rounded, vec_set1(VEC_ROUNDER));
    vec r = vec_fnma(n, vec_set1(0x1.62e4p-1f), x); /* exact: 15 significant bits of ln 2 */
    parts.r = r = vec_fnma(n, vec_set1(0x1.7f7d1cp-20f), r);
    vec q = vec_fma(vec_set1(0x1.6a4d6p-10f), r, vec_set1(0x1.12398ep-7f));
    q = vec_fma(q, r, vec_set1(0x1.5558bp-5f));
    q = vec_fma(q, r, vec_set1(0x1.555492p-3f));
    parts.q = vec_fma(q, r, vec_set1(0x1.fffffcp-2f));
    return parts;
}

/* exp(r) of the parts. */
VEC_INLINE vec vec_exp_of_parts(vec_exp_parts parts)
{
    vec p = vec_fma(parts.q, parts.r, vec_set1(1.0f));
    return vec_fma(p, parts.r, vec_set1(1.0f));
}

/* exp(x), within 1 ulp, subnormal results included; 0 and inf beyond the range. */
VEC_INLINE vec vec_exp(vec x)
{
    x = vec_min(vec_set1(89.0f), vec_max(vec_set1(-104.0f), x));
    vec_exp_parts parts = vec_exp_reduce(x);
    vec n = vec_sub(parts.rounded, vec_set1(VEC_ROUNDER));
    vec half = vec_floor(vec_mul(n, vec_set1(0.5f)));
    vec y = vec_mul(vec_exp_of_parts(parts), vec_pow2(half));
    return vec_mul(y, vec_pow2(vec_sub(n, half)));
}

/* exp(x) where only its sum with 1 matters: results stay at or above 2^-127, and are inf from 2^127.5 on. */
VEC_INLINE vec vec_exp_beside_one(vec x)
{
    x = vec_min(vec_set1(88.7f), vec_max(vec_set1(-87.0f), x));
    vec_exp_parts parts = vec_exp_reduce(x);
    return vec_mul(vec_exp_of_parts(parts), vec_pow2_rounded(parts.rounded));
}

/* exp(x) - 1, within 2 ulp, for x <= 88. */
VEC_INLINE vec vec_expm1(vec x)
{
    vec_exp_parts parts = vec_exp_reduce(vec_max(vec_set1(-87.0f), x));
    vec scale = vec_pow2_rounded(parts.rounded);
    vec minus_one = vec_fma(vec_mul(parts.q, parts.r), parts.r, parts.r); /* exp(r) - 1 */
    return vec_fma(scale, minus_one, vec_sub(scale, vec_set1(1.0f)));
}

/* log(x), within 1 ulp; -inf for 0, NaN below. */
VEC_INLINE vec vec_log(vec x)
{
    vec_mask subnormal = vec_lt(x, vec_set1(0x1p-126f));
    vec scaled = vec_select(subnormal, vec_mul(x, vec_set1(0x1p23f)), x);
    vec n = vec_sub(vec_exponent(scaled), vec_select(subnormal, vec_set1(23.0f), vec_set1(0.0f)));
    vec m = vec_mantissa(scaled);
    vec_mask low = vec_lt(m, vec_set1(0x1.6a09e6p-1f)); /* sqrt(1/2) */
    n = vec_select(low, vec_sub(n, vec_set1(1.0f)), n);
    vec f = vec_sub(vec_select(low, vec_add(m, m), m), vec_set1(1.0f));

    vec p = vec_fma(vec_set1(-0x1.38dc38p-4f), f, vec_set1(0x1.056c2p-3f));
    p = vec_fma(p, f, vec_set1(-0x1.0d854cp-3f));
    p = vec_fma(p, f, vec_set1(0x1.22d792p-3f));
    p = vec_fma(p, f, vec_set1(-0x1.54720cp-3f));
    p = vec_fma(p, f, vec_set1(0x1.99a028p-3f));
    p = vec_fma(p, f, vec_set1(-0x1.000228p-2f));
    p = vec_fma(p, f, vec_set1(0x1.555554p-2f));
    vec f2 = vec_mul(f, f);
    vec y = vec_mul(vec_mul(p, f), f2);
    y = vec_fma(n, vec_set1(0x1.7f7d1cp-20f), y);
    y = vec_fnma(vec_set1(0.5f), f2, y);
    y = vec_fma(n, vec_set1(0x1.62e4p-1f), vec_add(f, y));

    y = vec_select(vec_lt(vec_set1(0x1.fffffep127f), x), x, y);
    y = vec_select(vec_eq(x, vec_set1(0.0f)), vec_set1(-INFINITY), y);
    y = vec_select(vec_lt(x, vec_set1(0.0f)), vec_set1(NAN), y);
    return vec_select(vec_is_nan(x), x, y);
}

/* log(1 + exp(x)), within 3 ulp. */
VEC_INLINE vec vec_softplus(vec x)
{
    vec e = vec_exp(vec_neg(vec_abs(x)));
    vec sum = vec_add(vec_set1(1.0f), e);
    vec lost = vec_div(vec_sub(e, vec_sub(sum, vec_set1(1.0f))), sum); /* what rounding took from 1 + e */
    return vec_add(vec_max(vec_set1(0.0f), x), vec_add(vec_log(sum), lost));
}

/* 1 + exp(-x), within 2 ulp for x >= -88; inf below -88.65. -x = n ln 2 / 4 - r with |r| <= ln 2 / 8: quarters need two
 * terms less than vec_exp_reduce, and multiplications are what this waits for. */
VEC_INLINE vec vec_one_plus_exp_minus(vec x)
{
    x = vec_min(vec_set1(87.0f), vec_max(vec_set1(-88.7f), x));
    const vec rounded = vec_fma(x, vec_set1(-0x1.715476p+2f), vec_set1(VEC_ROUNDER));
    const vec n = vec_sub(rounded, vec_set1(VEC_ROUNDER));
    vec r = vec_fma(n, vec_set1(0x1.62e4p-3f), x); /* exact, as there */
    r = vec_fma(n, vec_set1(0x1.7f7d1cp-22f), r);
    vec p = vec_fma(vec_set1(0x1.552116p-5f), r, vec_set1(-0x1.5571d8p-3f));
    p = vec_fma(p, r, vec_set1(0x1.000006p-1f));
    p = vec_fma(p, r, vec_set1(-1.0f));
    p = vec_fma(p, r, vec_set1(1.0f)); /* exp(-r) */
    return vec_fma(p, vec_pow2_quarters(rounded), vec_set1(1.0f));
}

/* 1 / (1 + exp(-x)), within 3 ulp down to x = -88. */
VEC_INLINE vec vec_sigmoid(vec x)
{
    return vec_div(vec_set1(1.0f), vec_one_plus_exp_minus(x));
}

/* x / (1 + exp(-x)), within 3 ulp down to x = -88. */
VEC_INLINE vec vec_silu(vec x)
{
    return vec_div(x, vec_one_plus_exp_minus(x));
}

/* Within 2 ulp. */
VEC_INLINE vec vec_tanh(vec x)
{
    vec z = vec_mul(x, x);
    vec p = vec_fma(vec_set1(-0x1.750ce4p-8f), z, vec_set1(0x1.51f8cep-6f));
    p = vec_fma(p, z, vec_set1(-0x1.b835a4p-5f));
    p = vec_fma(p, z, vec_set1(0x1.1106f6p-3f));
    p = vec_fma(p, z, vec_set1(-0x1.555532p-2f));
    vec small = vec_fma(vec_mul(p, z), x, x);

    vec size = vec_abs(x);
    vec e = vec_exp_beside_one(vec_add(size, size));
    vec large = vec_sub(vec_set1(1.0f), vec_div(vec_set1(2.0f), vec_add(e, vec_set1(1.0f))));
    return vec_select(vec_lt(size, vec_set1(0.625f)), small, vec_copy_sign(large, x));
}

/* Within 2 ulp. */
VEC_INLINE vec vec_erf(vec x)
{
    vec size = vec_abs(x);
    vec z = vec_mul(x, x);
    vec p = vec_fma(vec_set1(0x1.4771fep-14f), z, vec_set1(-0x1.a3515ep-11f));
    p = vec_fma(p, z, vec_set1(0x1.53f224p-8f));
    p = vec_fma(p, z, vec_set1(-0x1.b7f71ap-6f));
    p = vec_fma(p, z, vec_set1(0x1.ce2ce6p-4f));
    p = vec_fma(p, z, vec_set1(-0x1.81273ep-2f));
    p = vec_fma(p, z, vec_set1(0x1.06eba8p-3f));
    vec small = vec_fma(p, x, x);

    /* log(1 - erf(|x|)); from 3.95 on erf rounds to 1. */
    vec a = vec_min(vec_set1(3.95f), size);
    vec t = vec_fma(vec_set1(-0x1.6c0994p-16f), a, vec_set1(0x1.ceeaep-12f));
    t = vec_fma(t, a, vec_set1(-0x1.1398p-8f));
    t = vec_fma(t, a, vec_set1(0x1.9d0b58p-6f));
    t = vec_fma(t, a, vec_set1(-0x1.bc189ap-4f));
    t = vec_fma(t, a, vec_set1(-0x1.4434f6p-1f));
    t = vec_fma(t, a, vec_set1(-0x1.212c2cp+0f));
    t = vec_fma(t, a, vec_set1(0x1.8b3e74p-13f));
    vec large = vec_sub(vec_set1(1.0f), vec_exp_beside_one(t));
    return vec_select(vec_lt(size, vec_set1(1.0f)), small, vec_copy_sign(large, x));
}

/* 0.5 x (1 + erf(x / sqrt 2)); the error is within 2 ulp of x. */
VEC_INLINE vec vec_gelu(vec x)
{
    vec y = vec_erf(vec_mul(x, vec_set1(0x1.6a09e6p-1f)));
    vec half = vec_mul(vec_set1(0.5f), x);
    return vec_fma(half, y, half);
}

/* x tanh(log(1 + exp(x))) = x n / (n + 2) with n = e (e + 2), e = exp(x); within 4 ulp. */
VEC_INLINE vec vec_mish(vec x)
{
    vec e = vec_exp(vec_min(vec_set1(20.0f), x)); /* from 20 on the quotient rounds to 1 */
    vec n = vec_mul(e, vec_add(e, vec_set1(2.0f)));
    return vec_mul(x, vec_div(n, vec_add(n, vec_set1(2.0f))));
}

#endif
