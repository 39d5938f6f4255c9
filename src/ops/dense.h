/* SPDX-License-Identifier: Apache-2.0
 *
 * Dense linear algebra on column-major matrices of float64: element (r, c) of a matrix with `rows` rows lies at
 * a[c * rows + r]. For operators that decompose or solve; one matrix is the work of one core. Sums are taken in a fixed
 * order, so that results have the same bits everywhere. All functions are thread-safe and never fail.
 */
#ifndef JUMAR_OPS_DENSE_H
#define JUMAR_OPS_DENSE_H

#include "ops/op.h"

/* Bytes from the address of a tensor to matrix number `batch`: row-major over all dimensions but the last `tail`. */
int64_t jm_dense_offset(const jm_tensor *tensor, int64_t batch, int tail);
/* The matrix of the last two dimensions of `tensor`, which lies at `base`, and the other way round. */
void jm_dense_read(const jm_tensor *tensor, const void *base, double *a);
void jm_dense_write(const jm_tensor *tensor, void *base, const double *a);
/* No element is infinite or NaN. */
bool jm_dense_finite(const double *a, int64_t count);
/* sum of x[i] * y[i]. */
double jm_dense_dot(const double *x, const double *y, int64_t count);
/* Square root of the sum of squares, without overflow on the way. */
double jm_dense_norm(const double *x, int64_t count);

/* A = Q R by Householder's reflections, min(rows, columns) of them: R becomes the upper triangle of a, the reflections
 * lie below it and in tau[min(rows, columns)]. The signs are LAPACK's. */
void jm_dense_qr(double *a, int64_t rows, int64_t columns, double *tau);
/* C = Q C for a matrix of `rows` rows and the first `reflections` of those of jm_dense_qr. */
void jm_dense_apply_q(const double *a, const double *tau, int64_t rows, int64_t reflections, double *c,
                      int64_t columns);

/* A = U diag(sigma) V^T of a square matrix of finite elements by one-sided Jacobi rotations: a becomes U, sigma
 * descends, v receives V. */
void jm_dense_svd(double *a, int64_t n, double *sigma, double *v);

/* P A = L U of a square matrix in place, with the largest pivot of each column; place[k] is the row that came to k.
 * odd: by an odd number of swaps. False: the pivot is 0 that a then has on its diagonal; what follows is not
 * eliminated.
 */
bool jm_dense_lu(double *a, int64_t n, int64_t *place, bool *odd);

#endif
