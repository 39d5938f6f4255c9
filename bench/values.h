/* SPDX-License-Identifier: Apache-2.0
 *
 * Order and median of measured values.
 */
#ifndef JUMAR_BENCH_VALUES_H
#define JUMAR_BENCH_VALUES_H

#include <stdlib.h>

/* For qsort of doubles: ascending. */
static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), by_value);
    return values[count / 2];
}

#endif
