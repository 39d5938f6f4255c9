/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/strided.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

int64_t jm_strided_offset(int rank, const int64_t dim[], const int64_t stride[], int64_t flat)
{
    int64_t offset = 0;
    for (int k = rank - 1; k >= 0; k--) {
        offset += flat % dim[k] * stride[k];
        flat /= dim[k];
    }
    return offset;
}

#define MAX_RANK 16

/* `size` and `gather` are constants in every caller, so that short runs cost little. */
static inline __attribute__((always_inline)) void transfer(char *nest, char *buffer, const bool gather,
                                                           const int64_t size, int rank, const int64_t dim[],
                                                           const int64_t stride[], int64_t flat, int64_t n)
{
    if (n <= 0) return;
    int last = rank - 1;
    int64_t length = rank ? dim[last] : 1, step = rank ? stride[last] * size : 0;
    int64_t column = flat % length, index[MAX_RANK], offset = 0;
    flat /= length;
    for (int k = last - 1; k >= 0; k--) {
        index[k] = flat % dim[k];
        offset += index[k] * stride[k];
        flat /= dim[k];
    }
    for (;;) {
        int64_t run = JM_MIN(n, length - column);
        char *element = nest + offset * size + column * step;
        n -= run;
        for (; run > 0; run--, element += step, buffer += size) {
            if (gather)
                memcpy(buffer, element, (size_t)size);
            else
                memcpy(element, buffer, (size_t)size);
        }
        if (n == 0) return;
        column = 0;
        for (int k = last - 1; k >= 0; k--) {
            offset += stride[k];
            if (++index[k] < dim[k]) break;
            offset -= stride[k] * dim[k];
            index[k] = 0;
        }
    }
}

#define TRANSFER(gather)                                                                                               \
    switch (size) {                                                                                                    \
    case 1:                                                                                                            \
        transfer(nest, buffer, gather, 1, rank, dim, stride, flat, n);                                                 \
        break;                                                                                                         \
    case 2:                                                                                                            \
        transfer(nest, buffer, gather, 2, rank, dim, stride, flat, n);                                                 \
        break;                                                                                                         \
    case 4:                                                                                                            \
        transfer(nest, buffer, gather, 4, rank, dim, stride, flat, n);                                                 \
        break;                                                                                                         \
    case 8:                                                                                                            \
        transfer(nest, buffer, gather, 8, rank, dim, stride, flat, n);                                                 \
        break;                                                                                                         \
    default:                                                                                                           \
        transfer(nest, buffer, gather, 16, rank, dim, stride, flat, n);                                                \
        break;                                                                                                         \
    }

void jm_strided_gather(void *to, const void *from, size_t size, int rank, const int64_t dim[], const int64_t stride[],
                       int64_t flat, int64_t n)
{
    char *nest = (char *)(uintptr_t)from, *buffer = to;
    TRANSFER(true)
}

void jm_strided_scatter(void *to, const void *from, size_t size, int rank, const int64_t dim[], const int64_t stride[],
                        int64_t flat, int64_t n)
{
    char *nest = to, *buffer = (char *)(uintptr_t)from;
    TRANSFER(false)
}

int jm_strided_merge(int rank, int64_t dim[], int64_t first[], int64_t second[])
{
    int merged = 0;
    for (int k = 0; k < rank; k++) {
        if (dim[k] == 1) continue;
        int join =
            merged && first[merged - 1] == first[k] * dim[k] && (!second || second[merged - 1] == second[k] * dim[k]);
        int to = join ? merged - 1 : merged++;
        dim[to] = join ? dim[to] * dim[k] : dim[k];
        first[to] = first[k];
        if (second) second[to] = second[k];
    }
    return merged;
}
