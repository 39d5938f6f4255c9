/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/order.h"

#include <string.h>

uint64_t jm_order_key(jm_dtype dtype, const void *element)
{
    const uint64_t sign = (uint64_t)1 << 63;
    switch (dtype) {
    case JM_F32:
    case JM_F16:
    case JM_BF16:
    case JM_F64: {
        double value = jm_element_to_f64(dtype, element) + 0.0;
        if (value != value) return UINT64_MAX;
        uint64_t bits;
        memcpy(&bits, &value, sizeof(bits));
        return bits & sign ? ~bits : bits | sign;
    }
    case JM_U64:
        return (uint64_t)jm_element_to_i64(dtype, element);
    default:
        return (uint64_t)jm_element_to_i64(dtype, element) ^ sign;
    }
}

/* a is left out before b: smaller, or equal and later. */
static bool worse(jm_order_entry a, jm_order_entry b)
{
    return a.key < b.key || (a.key == b.key && a.index > b.index);
}

/* Restores the heap, whose root is the worst entry, below `i`. */
static void sift_down(jm_order_entry *heap, int64_t count, int64_t i)
{
    for (;;) {
        int64_t least = 2 * i + 1;
        if (least >= count) return;
        if (least + 1 < count && worse(heap[least + 1], heap[least])) least++;
        if (!worse(heap[least], heap[i])) return;
        jm_order_entry swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

void jm_order_select(jm_dtype dtype, const char *data, int64_t step, int64_t count, bool largest, int64_t k,
                     jm_order_entry *heap)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t key = jm_order_key(dtype, data + i * step);
        jm_order_entry next = {largest ? key : ~key, i};
        if (i < k) {
            heap[i] = next;
            if (i + 1 < k) continue;
            for (int64_t j = k / 2; j-- > 0;) sift_down(heap, k, j);
        } else if (worse(heap[0], next)) {
            heap[0] = next;
            sift_down(heap, k, 0);
        }
    }
    for (int64_t last = k - 1; last > 0; last--) {
        jm_order_entry swap = heap[0];
        heap[0] = heap[last];
        heap[last] = swap;
        sift_down(heap, last, 0);
    }
}
