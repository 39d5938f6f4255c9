/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the element-wise and reduction kernels. All work on float32 in memory without alignment demands and
 * read and write exactly the elements named here. `n` may be 0. An output may lie exactly over an input (same first
 * element), never partly.
 *
 * Same bits: every level computes each element with the same operations (vector.h), and every reduction uses the
 * tree written below, which depends on the number of elements alone.
 *
 * NaN: arithmetic propagates it; MAX, MIN, RELU and CLIP give NaN when any operand is NaN (numpy's maximum).
 * The sign and payload of a NaN result are unspecified between levels, except that it stays a NaN.
 */
#ifndef JUMAR_KERNELS_POINTWISE_H
#define JUMAR_KERNELS_POINTWISE_H

#include <stddef.h>

/* Functions of one element and two parameters. Error bounds against exact results are tested in
 * tests/ops/test_unary.c. */
typedef enum jm_unary {
    JM_UNARY_RELU,         /* max(x, 0) */
    JM_UNARY_LEAKY_RELU,   /* x < 0 ? alpha * x : x */
    JM_UNARY_CLIP,         /* min(max(x, alpha), beta) */
    JM_UNARY_SIGMOID,      /* 1 / (1 + exp(-x)) */
    JM_UNARY_SILU,         /* x / (1 + exp(-x)) */
    JM_UNARY_HARD_SIGMOID, /* max(0, min(1, alpha * x + beta)) */
    JM_UNARY_HARD_SWISH,   /* x * max(0, min(1, x / 6 + 0.5)) */
    JM_UNARY_TANH,
    JM_UNARY_GELU,      /* 0.5 x (1 + erf(x / sqrt 2)) */
    JM_UNARY_GELU_TANH, /* 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
    JM_UNARY_MISH,      /* x tanh(log(1 + exp(x))) */
    JM_UNARY_SOFTPLUS,  /* log(1 + exp(x)) */
    JM_UNARY_SOFTSIGN,  /* x / (1 + |x|) */
    JM_UNARY_ELU,       /* x < 0 ? alpha * (exp(x) - 1) : x */
    JM_UNARY_SELU,      /* x < 0 ? beta * alpha * (exp(x) - 1) : beta * x */
    JM_UNARY_EXP,
    JM_UNARY_LOG,
    JM_UNARY_ERF,
    JM_UNARY_SQRT,
    JM_UNARY_RECIPROCAL, /* 1 / x */
    JM_UNARY_NEG,
    JM_UNARY_ABS,
    JM_UNARY_SIGN, /* -1, 0 or 1; NaN stays */
    JM_UNARY_FLOOR,
    JM_UNARY_CEIL,
    JM_UNARY_ROUND, /* to nearest, ties to even */
    JM_UNARY_COUNT
} jm_unary;

typedef enum jm_binary {
    JM_BINARY_ADD,
    JM_BINARY_SUB,
    JM_BINARY_MUL,
    JM_BINARY_DIV,
    JM_BINARY_MIN,
    JM_BINARY_MAX,
    JM_BINARY_PRELU, /* a < 0 ? a * b : a */
    JM_BINARY_COUNT
} jm_binary;

typedef enum jm_reduce {
    JM_REDUCE_SUM,
    JM_REDUCE_SUM_ABS,
    JM_REDUCE_SUM_SQUARE,
    JM_REDUCE_MAX,
    JM_REDUCE_MIN,
    JM_REDUCE_PROD,
    JM_REDUCE_COUNT
} jm_reduce;

/* How an operand advances. JM_STEP_GROUP: it has n contiguous elements. JM_STEP_LANES: element i is operand[i % 16]
 * (min(n, 16) elements are read): a scalar is written 16 times, a per-channel value of a C16 tensor lies so anyway. */
enum { JM_STEP_LANES = 0, JM_STEP_GROUP = 16 };

typedef struct jm_pointwise_kernels {
    /* y[i] = f(x[i], alpha, beta) */
    void (*unary[JM_UNARY_COUNT])(float *y, const float *x, size_t n, float alpha, float beta);
    /* y[i] = f(a[i], b[i]) */
    void (*binary[JM_BINARY_COUNT])(float *y, const float *a, size_t a_step, const float *b, size_t b_step, size_t n);
    /* y[i] = fma(x[i], scale[i], shift[i]); `step` is that of scale and shift. */
    void (*affine)(float *y, const float *x, const float *scale, const float *shift, size_t step, size_t n);
    /* lane[i % 16] = lane[i % 16] OP x[i], i ascending; the caller sets the lanes to the identity of OP first, calls
     * with multiples of 16 except for the last piece, and ends with the tree of jm_reduce_tree. */
    void (*reduce[JM_REDUCE_COUNT])(float lane[16], const float *x, size_t n);
    /* The same for 16 columns at once: lane[r % 16][c] = lane[r % 16][c] OP x[r * stride + c] for r < n,
     * c < width <= 16. Bits are those of `reduce` on each column. */
    void (*reduce_columns[JM_REDUCE_COUNT])(float lane[16][16], const float *x, size_t stride, size_t n, size_t width);
    /* y[i] = exp(x[i] - m) / sum, or x[i] - m - log(sum), with m the maximum and sum the SUM reduction of
     * exp(x[i] - m). */
    void (*softmax)(float *y, const float *x, size_t n);
    void (*log_softmax)(float *y, const float *x, size_t n);
    /* The same for each of `width` <= 16 columns of n rows; strides in elements. */
    void (*softmax_columns)(float *y, size_t y_stride, const float *x, size_t x_stride, size_t n, size_t width);
    void (*log_softmax_columns)(float *y, size_t y_stride, const float *x, size_t x_stride, size_t n, size_t width);
} jm_pointwise_kernels;

/* The value of a reduction of nothing: 0, -inf (MAX), inf (MIN) or 1 (PROD). */
float jm_reduce_identity(jm_reduce op);
/* Combines 16 lanes: lane i with i + 8, then + 4, + 2, + 1. Overwrites them. */
float jm_reduce_tree(jm_reduce op, float lane[16]);
/* The same for each column; results in lane[0]. */
void jm_reduce_tree_columns(jm_reduce op, float lane[16][16]);

/* Fill the table, or the entries that a level improves. Defined in pointwise_<level>.c. */
void jm_pointwise_kernels_init__reference(jm_pointwise_kernels *kernels);
void jm_pointwise_kernels_init__neon(jm_pointwise_kernels *kernels);
void jm_pointwise_kernels_init__avx2(jm_pointwise_kernels *kernels);
void jm_pointwise_kernels_init__avx512(jm_pointwise_kernels *kernels);

#endif
