/* SPDX-License-Identifier: Apache-2.0
 *
 * Unique items: what both doors of Unique find. An item is a line of keys (jm_order_key), one for each of its elements.
 */
#ifndef JUMAR_OPS_UNIQUE_H
#define JUMAR_OPS_UNIQUE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum jm_unique_order {
    JM_UNIQUE_ASCENDING,   /* equal items become one; they are numbered in ascending order */
    JM_UNIQUE_BY_PLACE,    /* equal items become one; they are numbered by the place of the first */
    JM_UNIQUE_CONSECUTIVE, /* only equal neighbours become one */
} jm_unique_order;

typedef struct jm_unique {
    const uint64_t *key; /* [count][length] */
    int64_t count, length;
    jm_unique_order order;
    bool nan_differs; /* a key of UINT64_MAX equals none, not even itself */
    /* The caller's memory, `count` numbers each. */
    int64_t *sorted, *scratch;
    /* What jm_unique_find says. `first` and `times` of each of the `found` unique items: its first place and how often
     * it is there; `inverse` of each item: which unique item it is. */
    int64_t *first, *times, *inverse;
    int64_t found;
} jm_unique;

void jm_unique_find(jm_unique *u);

#endif
