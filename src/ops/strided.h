/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of a loop nest in row-major order, a piece at a time. Dims and strides are the caller's; strides are in
 * elements. The caller guarantees that every element lies in memory. All functions are thread-safe.
 */
#ifndef JUMAR_OPS_STRIDED_H
#define JUMAR_OPS_STRIDED_H

#include <stddef.h>
#include <stdint.h>

/* Offset of element number `flat`. A nest of rank 0 has one element. */
int64_t jm_strided_offset(int rank, const int64_t dim[], const int64_t stride[], int64_t flat);

/* Copies n elements of `size` (1, 2, 4 or 8) bytes, from element number `flat` of the nest on, to contiguous `to`. */
void jm_strided_gather(void *to, const void *from, size_t size, int rank, const int64_t dim[], const int64_t stride[],
                       int64_t flat, int64_t n);
/* The other way round: the nest lies at `to`. */
void jm_strided_scatter(void *to, const void *from, size_t size, int rank, const int64_t dim[], const int64_t stride[],
                        int64_t flat, int64_t n);

/* Drops dims of 1 and joins neighbours that both strides step through evenly. Returns the new rank, 0 for one
 * element. `second` may be NULL. */
int jm_strided_merge(int rank, int64_t dim[], int64_t first[], int64_t second[]);

#endif
