/* SPDX-License-Identifier: Apache-2.0
 *
 * The pointwise family, written once on the vector of vector.h and compiled once per level: each pointwise_<level>.c
 * includes this file and calls fill(). Only lane counts differ between levels, never the operations of an element.
 */
#include "kernels/pointwise.h"
#include "kernels/vector.h"
#include "kernels/vector_math.h"

#define GROUP 16
#define VECS (GROUP / VEC_LANES)

/* ---- One operand ---- */

/* `x` is the element, `a` and `b` the parameters. */
#define UNARY(name, expression)                                                                                        \
    static void name(float *y, const float *px, size_t n, float alpha, float beta)                                     \
    {                                                                                                                  \
        const vec a = vec_set1(alpha), b = vec_set1(beta);                                                             \
        (void)a, (void)b;                                                                                              \
        size_t i = 0;                                                                                                  \
        for (; n - i >= VEC_LANES; i += VEC_LANES) {                                                                   \
            vec x = vec_load(px + i);                                                                                  \
            vec_store(y + i, expression);                                                                              \
        }                                                                                                              \
        if (i < n) {                                                                                                   \
            vec x = vec_load_part(px + i, n - i);                                                                      \
            vec_store_part(y + i, expression, n - i);                                                                  \
        }                                                                                                              \
    }

VEC_INLINE vec zero(void)
{
    return vec_set1(0.0f);
}
VEC_INLINE vec one(void)
{
    return vec_set1(1.0f);
}
/* The bound comes first, so that a NaN in x stays. */
VEC_INLINE vec clip(vec x, vec low, vec high)
{
    return vec_min(high, vec_max(low, x));
}
VEC_INLINE vec negative_scaled(vec x, vec scale)
{
    return vec_select(vec_lt(x, zero()), vec_mul(scale, x), x);
}
VEC_INLINE vec elu(vec x, vec scale)
{
    return vec_select(vec_lt(x, zero()), vec_mul(scale, vec_expm1(vec_min(zero(), x))), x);
}
VEC_INLINE vec gelu_tanh(vec x)
{
    const float c = 0x1.988454p-1f; /* sqrt(2 / pi) */
    vec t = vec_mul(x, vec_fma(vec_mul(x, x), vec_set1(c * 0.044715f), vec_set1(c)));
    vec half = vec_mul(vec_set1(0.5f), x);
    return vec_fma(half, vec_tanh(t), half);
}
VEC_INLINE vec hard_swish(vec x)
{
    return vec_mul(x, clip(vec_fma(x, vec_set1(1.0f / 6), vec_set1(0.5f)), zero(), one()));
}
VEC_INLINE vec sign(vec x)
{
    return vec_select(vec_lt(zero(), x), one(), vec_select(vec_lt(x, zero()), vec_set1(-1.0f), x));
}

UNARY(f32_relu, vec_max(zero(), x))
UNARY(f32_leaky_relu, negative_scaled(x, a))
UNARY(f32_clip, clip(x, a, b))
UNARY(f32_sigmoid, vec_sigmoid(x))
UNARY(f32_silu, vec_silu(x))
UNARY(f32_hard_sigmoid, clip(vec_fma(a, x, b), zero(), one()))
UNARY(f32_hard_swish, hard_swish(x))
UNARY(f32_tanh, vec_tanh(x))
UNARY(f32_gelu, vec_gelu(x))
UNARY(f32_gelu_tanh, gelu_tanh(x))
UNARY(f32_mish, vec_mish(x))
UNARY(f32_softplus, vec_softplus(x))
UNARY(f32_softsign, vec_div(x, vec_add(one(), vec_abs(x))))
UNARY(f32_elu, elu(x, a))
UNARY(f32_selu, vec_mul(b, elu(x, a)))
UNARY(f32_exp, vec_exp(x))
UNARY(f32_log, vec_log(x))
UNARY(f32_erf, vec_erf(x))
UNARY(f32_sqrt, vec_sqrt(x))
UNARY(f32_reciprocal, vec_div(one(), x))
UNARY(f32_neg, vec_neg(x))
UNARY(f32_abs, vec_abs(x))
UNARY(f32_sign, sign(x))
UNARY(f32_floor, vec_floor(x))
UNARY(f32_ceil, vec_ceil(x))
UNARY(f32_round, vec_round(x))

/* ---- Two operands ---- */

#define BINARY(name, expression)                                                                                       \
    static void name(float *py, const float *pa, size_t a_step, const float *pb, size_t b_step, size_t n)              \
    {                                                                                                                  \
        for (; n >= GROUP; n -= GROUP, py += GROUP, pa += a_step, pb += b_step) {                                      \
            VEC_UNROLL for (int k = 0; k < GROUP; k += VEC_LANES)                                                      \
            {                                                                                                          \
                vec a = vec_load(pa + k), b = vec_load(pb + k);                                                        \
                vec_store(py + k, expression);                                                                         \
            }                                                                                                          \
        }                                                                                                              \
        for (size_t k = 0; k < n; k += VEC_LANES) {                                                                    \
            size_t part = n - k < VEC_LANES ? n - k : VEC_LANES;                                                       \
            vec a = vec_load_part(pa + k, part), b = vec_load_part(pb + k, part);                                      \
            vec_store_part(py + k, expression, part);                                                                  \
        }                                                                                                              \
    }

VEC_INLINE vec min_or_nan(vec a, vec b)
{
    return vec_select(vec_is_nan(a), a, vec_min(a, b));
}
VEC_INLINE vec max_or_nan(vec a, vec b)
{
    return vec_select(vec_is_nan(a), a, vec_max(a, b));
}

BINARY(f32_add, vec_add(a, b))
BINARY(f32_sub, vec_sub(a, b))
BINARY(f32_mul, vec_mul(a, b))
BINARY(f32_div, vec_div(a, b))
BINARY(f32_min, min_or_nan(a, b))
BINARY(f32_max, max_or_nan(a, b))
BINARY(f32_prelu, negative_scaled(a, b))

static void f32_affine(float *y, const float *x, const float *scale, const float *shift, size_t step, size_t n)
{
    for (; n >= GROUP; n -= GROUP, y += GROUP, x += GROUP, scale += step, shift += step) {
        VEC_UNROLL for (int k = 0; k < GROUP; k += VEC_LANES)
        {
            vec_store(y + k, vec_fma(vec_load(x + k), vec_load(scale + k), vec_load(shift + k)));
        }
    }
    for (size_t k = 0; k < n; k += VEC_LANES) {
        size_t part = n - k < VEC_LANES ? n - k : VEC_LANES;
        vec v = vec_fma(vec_load_part(x + k, part), vec_load_part(scale + k, part), vec_load_part(shift + k, part));
        vec_store_part(y + k, v, part);
    }
}

/* ---- Reductions ---- */

/* `l` is the lane so far, `x` the element. */
#define REDUCE(name, columns_name, expression)                                                                         \
    static void name(float lane[GROUP], const float *px, size_t n)                                                     \
    {                                                                                                                  \
        vec sum[VECS];                                                                                                 \
        VEC_UNROLL for (int v = 0; v < VECS; v++) sum[v] = vec_load(lane + v * VEC_LANES);                             \
        for (; n >= GROUP; n -= GROUP, px += GROUP) {                                                                  \
            VEC_UNROLL for (int v = 0; v < VECS; v++)                                                                  \
            {                                                                                                          \
                vec l = sum[v], x = vec_load(px + v * VEC_LANES);                                                      \
                sum[v] = expression;                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
        VEC_UNROLL for (int v = 0; v < VECS; v++) vec_store(lane + v * VEC_LANES, sum[v]);                             \
        for (size_t k = 0; k < n; k += VEC_LANES) {                                                                    \
            size_t part = n - k < VEC_LANES ? n - k : VEC_LANES;                                                       \
            vec l = vec_load_part(lane + k, part), x = vec_load_part(px + k, part);                                    \
            vec_store_part(lane + k, expression, part);                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    static void columns_name(float lane[GROUP][GROUP], const float *px, size_t stride, size_t n, size_t width)         \
    {                                                                                                                  \
        for (size_t r = 0; r < n; r++, px += stride) {                                                                 \
            float *row = lane[r % GROUP];                                                                              \
            size_t k = 0;                                                                                              \
            for (; width - k >= VEC_LANES; k += VEC_LANES) {                                                           \
                vec l = vec_load(row + k), x = vec_load(px + k);                                                       \
                vec_store(row + k, expression);                                                                        \
            }                                                                                                          \
            if (k < width) {                                                                                           \
                vec l = vec_load_part(row + k, width - k), x = vec_load_part(px + k, width - k);                       \
                vec_store_part(row + k, expression, width - k);                                                        \
            }                                                                                                          \
        }                                                                                                              \
    }

REDUCE(f32_reduce_sum, f32_reduce_columns_sum, vec_add(l, x))
REDUCE(f32_reduce_sum_abs, f32_reduce_columns_sum_abs, vec_add(l, vec_abs(x)))
REDUCE(f32_reduce_sum_square, f32_reduce_columns_sum_square, vec_fma(x, x, l))
REDUCE(f32_reduce_max, f32_reduce_columns_max, max_or_nan(l, x))
REDUCE(f32_reduce_min, f32_reduce_columns_min, min_or_nan(l, x))
REDUCE(f32_reduce_prod, f32_reduce_columns_prod, vec_mul(l, x))

/* ---- Softmax ---- */

static void fill_lanes(float lane[GROUP], float value)
{
    for (int i = 0; i < GROUP; i++) lane[i] = value;
}

static float row_max(const float *x, size_t n)
{
    float lane[GROUP];
    fill_lanes(lane, -INFINITY);
    f32_reduce_max(lane, x, n);
    return jm_reduce_tree(JM_REDUCE_MAX, lane);
}

/* y = exp(x - shift) */
static void exp_shifted(float *y, const float *x, size_t n, vec shift)
{
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES) vec_store(y + i, vec_exp(vec_sub(vec_load(x + i), shift)));
    if (i < n) vec_store_part(y + i, vec_exp(vec_sub(vec_load_part(x + i, n - i), shift)), n - i);
}

static void f32_softmax(float *y, const float *x, size_t n)
{
    float lane[GROUP], scale[GROUP];
    exp_shifted(y, x, n, vec_set1(row_max(x, n)));
    fill_lanes(lane, 0.0f);
    f32_reduce_sum(lane, y, n);
    fill_lanes(scale, 1.0f / jm_reduce_tree(JM_REDUCE_SUM, lane));
    f32_mul(y, y, GROUP, scale, 0, n);
}

static void f32_log_softmax(float *y, const float *x, size_t n)
{
    float lane[GROUP], max[GROUP], part[16 * GROUP];
    fill_lanes(max, row_max(x, n));
    fill_lanes(lane, 0.0f);
    for (size_t i = 0; i < n; i += 16 * GROUP) {
        size_t count = n - i < 16 * GROUP ? n - i : 16 * GROUP;
        exp_shifted(part, x + i, count, vec_set1(max[0]));
        f32_reduce_sum(lane, part, count);
    }
    fill_lanes(lane, jm_reduce_tree(JM_REDUCE_SUM, lane));
    f32_log(lane, lane, GROUP, 0, 0);
    f32_sub(y, x, GROUP, max, 0, n);
    f32_sub(y, y, GROUP, lane, 0, n);
}

static void column_max(const float *x, size_t stride, size_t n, size_t width, float out[GROUP])
{
    float lane[GROUP][GROUP];
    for (int r = 0; r < GROUP; r++) fill_lanes(lane[r], -INFINITY);
    f32_reduce_columns_max(lane, x, stride, n, width);
    jm_reduce_tree_columns(JM_REDUCE_MAX, lane);
    memcpy(out, lane[0], sizeof(lane[0]));
}

/* y = exp(x - shift) of one row of at most VEC_LANES columns, added to `lane`; y may be NULL. */
VEC_INLINE void exp_part(float *y, const float *x, vec shift, float *lane, size_t width)
{
    if (width == VEC_LANES) {
        vec e = vec_exp(vec_sub(vec_load(x), shift));
        if (y) vec_store(y, e);
        vec_store(lane, vec_add(vec_load(lane), e));
    } else {
        vec e = vec_exp(vec_sub(vec_load_part(x, width), shift));
        if (y) vec_store_part(y, e, width);
        vec_store_part(lane, vec_add(vec_load_part(lane, width), e), width);
    }
}

/* Sums of exp(x - max) of each column; the terms go to y unless it is NULL. */
static void exp_columns(float *y, size_t y_stride, const float *x, size_t x_stride, size_t n, size_t width,
                        const float max[GROUP], float sum[GROUP])
{
    float lane[GROUP][GROUP];
    for (int r = 0; r < GROUP; r++) fill_lanes(lane[r], 0.0f);
    for (size_t k = 0; k < width; k += VEC_LANES) {
        const size_t part = width - k < VEC_LANES ? width - k : VEC_LANES;
        const vec shift = vec_load(max + k);
        if (part == VEC_LANES)
            for (size_t r = 0; r < n; r++)
                exp_part(y ? y + r * y_stride + k : NULL, x + r * x_stride + k, shift, lane[r % GROUP] + k, VEC_LANES);
        else
            for (size_t r = 0; r < n; r++)
                exp_part(y ? y + r * y_stride + k : NULL, x + r * x_stride + k, shift, lane[r % GROUP] + k, part);
    }
    jm_reduce_tree_columns(JM_REDUCE_SUM, lane);
    memcpy(sum, lane[0], sizeof(lane[0]));
}

/* The tree over 16 rows, in place; the result is the first. */
VEC_INLINE vec tree_of_sums(vec row[GROUP])
{
    VEC_UNROLL for (int r = 0; r < 8; r++) row[r] = vec_add(row[r], row[r + 8]);
    VEC_UNROLL for (int r = 0; r < 4; r++) row[r] = vec_add(row[r], row[r + 4]);
    return vec_add(vec_add(row[0], row[2]), vec_add(row[1], row[3]));
}
VEC_INLINE vec tree_of_maxima(vec row[GROUP])
{
    VEC_UNROLL for (int r = 0; r < 8; r++) row[r] = max_or_nan(row[r], row[r + 8]);
    VEC_UNROLL for (int r = 0; r < 4; r++) row[r] = max_or_nan(row[r], row[r + 4]);
    return max_or_nan(max_or_nan(row[0], row[2]), max_or_nan(row[1], row[3]));
}

/* 16 rows of 16 columns: one row for each lane of the reductions, so the trees take the rows as they are. */
static void softmax_square(float *y, size_t y_stride, const float *x, size_t x_stride)
{
    VEC_UNROLL for (int k = 0; k < GROUP; k += VEC_LANES)
    {
        vec row[GROUP];
        for (size_t r = 0; r < GROUP; r++) row[r] = vec_load(x + r * x_stride + k);
        const vec max = tree_of_maxima(row);
        for (size_t r = 0; r < GROUP; r++) {
            row[r] = vec_exp(vec_sub(vec_load(x + r * x_stride + k), max));
            vec_store(y + r * y_stride + k, row[r]);
        }
        const vec scale = vec_div(vec_set1(1.0f), tree_of_sums(row));
        for (size_t r = 0; r < GROUP; r++)
            vec_store(y + r * y_stride + k, vec_mul(vec_load(y + r * y_stride + k), scale));
    }
}

static void f32_softmax_columns(float *y, size_t y_stride, const float *x, size_t x_stride, size_t n, size_t width)
{
    if (n == GROUP && width == GROUP) {
        softmax_square(y, y_stride, x, x_stride);
        return;
    }
    float max[GROUP], scale[GROUP];
    column_max(x, x_stride, n, width, max);
    exp_columns(y, y_stride, x, x_stride, n, width, max, scale);
    f32_reciprocal(scale, scale, GROUP, 0, 0);
    for (size_t r = 0; r < n; r++) f32_mul(y + r * y_stride, y + r * y_stride, GROUP, scale, GROUP, width);
}

static void f32_log_softmax_columns(float *y, size_t y_stride, const float *x, size_t x_stride, size_t n, size_t width)
{
    float max[GROUP], sum[GROUP];
    column_max(x, x_stride, n, width, max);
    exp_columns(NULL, 0, x, x_stride, n, width, max, sum);
    f32_log(sum, sum, GROUP, 0, 0);
    for (size_t r = 0; r < n; r++) {
        float *row = y + r * y_stride;
        f32_sub(row, x + r * x_stride, GROUP, max, GROUP, width);
        f32_sub(row, row, GROUP, sum, GROUP, width);
    }
}

static void fill(jm_pointwise_kernels *kernels)
{
    *kernels = (jm_pointwise_kernels){
        .unary =
            {
                [JM_UNARY_RELU] = f32_relu,
                [JM_UNARY_LEAKY_RELU] = f32_leaky_relu,
                [JM_UNARY_CLIP] = f32_clip,
                [JM_UNARY_SIGMOID] = f32_sigmoid,
                [JM_UNARY_SILU] = f32_silu,
                [JM_UNARY_HARD_SIGMOID] = f32_hard_sigmoid,
                [JM_UNARY_HARD_SWISH] = f32_hard_swish,
                [JM_UNARY_TANH] = f32_tanh,
                [JM_UNARY_GELU] = f32_gelu,
                [JM_UNARY_GELU_TANH] = f32_gelu_tanh,
                [JM_UNARY_MISH] = f32_mish,
                [JM_UNARY_SOFTPLUS] = f32_softplus,
                [JM_UNARY_SOFTSIGN] = f32_softsign,
                [JM_UNARY_ELU] = f32_elu,
                [JM_UNARY_SELU] = f32_selu,
                [JM_UNARY_EXP] = f32_exp,
                [JM_UNARY_LOG] = f32_log,
                [JM_UNARY_ERF] = f32_erf,
                [JM_UNARY_SQRT] = f32_sqrt,
                [JM_UNARY_RECIPROCAL] = f32_reciprocal,
                [JM_UNARY_NEG] = f32_neg,
                [JM_UNARY_ABS] = f32_abs,
                [JM_UNARY_SIGN] = f32_sign,
                [JM_UNARY_FLOOR] = f32_floor,
                [JM_UNARY_CEIL] = f32_ceil,
                [JM_UNARY_ROUND] = f32_round,
            },
        .binary =
            {
                [JM_BINARY_ADD] = f32_add,
                [JM_BINARY_SUB] = f32_sub,
                [JM_BINARY_MUL] = f32_mul,
                [JM_BINARY_DIV] = f32_div,
                [JM_BINARY_MIN] = f32_min,
                [JM_BINARY_MAX] = f32_max,
                [JM_BINARY_PRELU] = f32_prelu,
            },
        .affine = f32_affine,
        .reduce =
            {
                [JM_REDUCE_SUM] = f32_reduce_sum,
                [JM_REDUCE_SUM_ABS] = f32_reduce_sum_abs,
                [JM_REDUCE_SUM_SQUARE] = f32_reduce_sum_square,
                [JM_REDUCE_MAX] = f32_reduce_max,
                [JM_REDUCE_MIN] = f32_reduce_min,
                [JM_REDUCE_PROD] = f32_reduce_prod,
            },
        .reduce_columns =
            {
                [JM_REDUCE_SUM] = f32_reduce_columns_sum,
                [JM_REDUCE_SUM_ABS] = f32_reduce_columns_sum_abs,
                [JM_REDUCE_SUM_SQUARE] = f32_reduce_columns_sum_square,
                [JM_REDUCE_MAX] = f32_reduce_columns_max,
                [JM_REDUCE_MIN] = f32_reduce_columns_min,
                [JM_REDUCE_PROD] = f32_reduce_columns_prod,
            },
        .softmax = f32_softmax,
        .log_softmax = f32_log_softmax,
        .softmax_columns = f32_softmax_columns,
        .log_softmax_columns = f32_log_softmax_columns,
    };
}
