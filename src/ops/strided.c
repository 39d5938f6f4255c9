/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/strided.h"

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

/* Steps are in elements. */
static void copy_run(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t n, size_t size)
{
#define COPY_LOOP(bytes)                                                                                               \
    for (int64_t i = 0; i < n; i++) memcpy(to + i * to_step * bytes, from + i * from_step * bytes, bytes)
    switch (size) {
    case 1:
        COPY_LOOP(1);
        break;
    case 2:
        COPY_LOOP(2);
        break;
    case 4:
        COPY_LOOP(4);
        break;
    default:
        COPY_LOOP(8);
        break;
    }
#undef COPY_LOOP
}

static void transfer(char *nest, char *buffer, int gather, int64_t size, int rank, const int64_t dim[],
                     const int64_t stride[], int64_t flat, int64_t n)
{
    if (n <= 0) return;
    int last = rank - 1;
    int64_t length = rank ? dim[last] : 1, step = rank ? stride[last] : 0;
    int64_t column = flat % length, index[16], offset = 0;
    flat /= length;
    for (int k = last - 1; k >= 0; k--) {
        index[k] = flat % dim[k];
        offset += index[k] * stride[k];
        flat /= dim[k];
    }
    for (;;) {
        int64_t run = JM_MIN(n, length - column);
        char *element = nest + (offset + column * step) * size;
        if (gather)
            copy_run(buffer, 1, element, step, run, (size_t)size);
        else
            copy_run(element, step, buffer, 1, run, (size_t)size);
        n -= run;
        if (n == 0) return;
        buffer += run * size;
        column = 0;
        for (int k = last - 1; k >= 0; k--) {
            offset += stride[k];
            if (++index[k] < dim[k]) break;
            offset -= stride[k] * dim[k];
            index[k] = 0;
        }
    }
}

void jm_strided_gather(void *to, const void *from, size_t size, int rank, const int64_t dim[], const int64_t stride[],
                       int64_t flat, int64_t n)
{
    transfer((char *)(uintptr_t)from, to, 1, (int64_t)size, rank, dim, stride, flat, n);
}

void jm_strided_scatter(void *to, const void *from, size_t size, int rank, const int64_t dim[], const int64_t stride[],
                        int64_t flat, int64_t n)
{
    transfer(to, (char *)(uintptr_t)from, 0, (int64_t)size, rank, dim, stride, flat, n);
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
