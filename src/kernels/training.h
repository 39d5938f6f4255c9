/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the kernels of training: gradients of activations, losses and their gradients, dropout, and the steps of
 * optimisers. All work on float32 without alignment demands and read and write exactly the elements named here; `n` may
 * be 0. An output may lie exactly over an input (same first element), never partly.
 *
 * Same bits: every level computes each element with the same operations (vector.h). The sign and payload of a NaN are
 * unspecified between levels, except that it stays a NaN.
 */
#ifndef JUMAR_KERNELS_TRAINING_H
#define JUMAR_KERNELS_TRAINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions of up to three operands a, b, c and two parameters. */
typedef enum jm_fused {
    /* Gradients of activations: a is the gradient of the output, b what the comment says. */
    JM_FUSED_THRESHOLD_GRADIENT,    /* input: b <= alpha ? 0 : a */
    JM_FUSED_LEAKY_RELU_GRADIENT,   /* input or output: b > 0 ? a : alpha * a */
    JM_FUSED_SIGMOID_GRADIENT,      /* output: a * (1 - b) * b */
    JM_FUSED_TANH_GRADIENT,         /* output: a * (1 - b * b) */
    JM_FUSED_SILU_GRADIENT,         /* input: a * s * (1 + b * (1 - s)), s = 1 / (1 + exp(-b)) */
    JM_FUSED_HARD_SIGMOID_GRADIENT, /* input: -3 < b < 3 ? a / 6 : 0 */
    JM_FUSED_HARD_SWISH_GRADIENT,   /* input: b <= -3 ? 0 : b < 3 ? a * (b / 3 + 0.5) : a */
    JM_FUSED_GELU_GRADIENT,         /* input: a * (P(b) + b * p(b)), p the normal density, P its integral */
    JM_FUSED_GELU_TANH_GRADIENT,    /* input: of 0.5 b (1 + tanh(sqrt(2 / pi) (b + 0.044715 b^3))) */
    /* Losses: a is the input, b the target. */
    JM_FUSED_SQUARED_ERROR,        /* (a - b)^2 */
    JM_FUSED_SMOOTH_L1,            /* with d = |a - b|: d < alpha ? 0.5 d^2 / alpha : d - 0.5 alpha */
    JM_FUSED_CROSS_ENTROPY,        /* -(b max(log a, -100) + (1 - b) max(log(1 - a), -100)) */
    JM_FUSED_CROSS_ENTROPY_LOGITS, /* (1 - b) a + (1 + (c - 1) b) log(1 + exp(-a)) */
    /* Gradients of losses: a is the gradient of the output, b the input, c the target. */
    JM_FUSED_SQUARED_ERROR_GRADIENT, /* beta * (b - c) * a */
    JM_FUSED_SMOOTH_L1_GRADIENT,     /* with d = b - c: beta * a * (d <= -alpha ? -1 : d >= alpha ? 1 : d / alpha) */
    JM_FUSED_CROSS_ENTROPY_GRADIENT, /* beta * a * (b - c) / max((1 - b) * b, 1e-12) */
    /* Its derivative by the input: a is the input, b the target, c as there: beta * ((1 + (c - 1) b) s - b c), with s =
     * 1 / (1 + exp(-a)) */
    JM_FUSED_CROSS_ENTROPY_LOGITS_SLOPE,
    JM_FUSED_COUNT
} jm_fused;

/* One step of Adam, with g = sign * gradient:
 *     m = m + g_share * (g - m)
 *     v = keep * v + square_share * g * g
 *     s = v; with a maximum: maximum = s = max(maximum, v)
 *     w = w * decay - rate * (look_m * m + look_g * g) / (sqrt(s) / correction + epsilon) */
typedef struct jm_adam {
    float sign; /* 1 or -1 */
    float g_share, keep, square_share, decay, rate, look_m, look_g, correction, epsilon;
} jm_adam;

/* One step of gradient descent:
 *     g = gradient * scale, stored where `store`; g = sign * g + decay * w
 *     with a momentum: momentum = first ? g : keep * momentum + share * g, and g = nesterov ? g + keep * momentum :
 *     momentum
 *     w = w - rate * g */
typedef struct jm_descent {
    float scale, sign, decay, keep, share, rate;
    bool store, first, nesterov;
} jm_descent;

/* Elements that were normalised together. With g = dy * scale, or dy where scale is NULL, and t = x - mean: */
typedef struct jm_norm_row {
    const float *dy, *x, *scale;
    float mean;
} jm_norm_row;

typedef struct jm_norm_factors {
    float weight, slope, shift, factor;
} jm_norm_factors;

typedef struct jm_training_kernels {
    /* y[i] = f(a[i], b[i], c[i]). `step` says how each operand advances: JM_STEP_GROUP or JM_STEP_LANES of
     * kernels/pointwise.h. Functions of two operands touch neither in[2] nor step[2]. */
    void (*fused[JM_FUSED_COUNT])(float *y, const float *const in[3], const size_t step[3], size_t n, float alpha,
                                  float beta);
    /* y[i] = bit i of `bits` ? x[i] * scale : 0; bits begin with the lowest of each byte. */
    void (*dropout)(float *y, const float *x, const uint8_t *bits, size_t n, float scale);
    /* y[i] = x[i] * scale. Whether all x are finite. */
    bool (*unscale)(float *y, const float *x, size_t n, float scale);
    /* Changes w, m, v and, unless it is NULL, maximum. */
    void (*adam)(const jm_adam *step, float *w, float *m, float *v, float *maximum, const float *gradient, size_t n);
    /* Changes w, the gradient where `store`, and, unless it is NULL, momentum. */
    void (*descent)(const jm_descent *step, float *w, float *gradient, float *momentum, size_t n);
    /* lane[0][i % 16] += g[i]; lane[1][i % 16] = fma(g[i], t[i], lane[1][i % 16]); i ascending. Called with multiples
     * of 16 except for the last piece; the caller ends with the tree of jm_reduce_tree. */
    void (*norm_sums)(const jm_norm_row *row, float lane[2][16], size_t n);
    /* dx[i] = (g[i] * weight + fma(t[i], slope, shift)) * factor, without weight where there is a scale: where g is
     * nearly its own mean, what is left is exact */
    void (*norm_input)(const jm_norm_row *row, float *dx, size_t n, const jm_norm_factors *factors);
    /* d_scale[i] = fma(dy[i], t[i] * invstd, d_scale[i]); d_bias[i] += dy[i] */
    void (*norm_scale)(const jm_norm_row *row, float *d_scale, float *d_bias, size_t n, float invstd);
} jm_training_kernels;

/* Fill the table, or the entries that a level improves. Defined in training_<level>.c. */
void jm_training_kernels_init__reference(jm_training_kernels *kernels);
void jm_training_kernels_init__neon(jm_training_kernels *kernels);
void jm_training_kernels_init__avx2(jm_training_kernels *kernels);
void jm_training_kernels_init__avx512(jm_training_kernels *kernels);

#endif
