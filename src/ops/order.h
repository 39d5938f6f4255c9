/* SPDX-License-Identifier: Apache-2.0
 *
 * Order of elements of any type: sorting keys, and the selection of the best of a line.
 */
#ifndef JUMAR_OPS_ORDER_H
#define JUMAR_OPS_ORDER_H

#include "tensor/tensor.h"

typedef struct jm_order_entry {
    uint64_t key;
    int64_t index;
} jm_order_entry;

/* An element as an unsigned number of the same order. -0 equals 0 and NaN is UINT64_MAX, above everything. */
uint64_t jm_order_key(jm_dtype dtype, const void *element);
/* The k best of `count` elements that lie `step` bytes apart, best first, equal ones by lower index, into entry[k]. The
 * key of an entry is that of its element, or its complement where the smallest are the best. */
void jm_order_select(jm_dtype dtype, const char *data, int64_t step, int64_t count, bool largest, int64_t k,
                     jm_order_entry *entry);

#endif
