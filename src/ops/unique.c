/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/unique.h"

#include <string.h>

/* -1, 0 or 1. */
static int compare(const jm_unique *u, int64_t a, int64_t b)
{
    const uint64_t *x = u->key + a * u->length, *y = u->key + b * u->length;
    for (int64_t i = 0; i < u->length; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static bool equal(const jm_unique *u, int64_t a, int64_t b)
{
    const uint64_t *x = u->key + a * u->length;
    if (compare(u, a, b) != 0) return false;
    for (int64_t i = 0; u->nan_differs && i < u->length; i++)
        if (x[i] == UINT64_MAX) return false;
    return true;
}

/* Merge sort of sorted[begin, end), which keeps equal items in place. */
static void sort(jm_unique *u, int64_t begin, int64_t end)
{
    if (end - begin < 2) return;
    const int64_t middle = begin + (end - begin) / 2;
    sort(u, begin, middle);
    sort(u, middle, end);
    int64_t a = begin, b = middle;
    for (int64_t i = begin; i < end; i++) {
        const bool first = b == end || (a < middle && compare(u, u->sorted[a], u->sorted[b]) <= 0);
        u->scratch[i] = u->sorted[first ? a++ : b++];
    }
    memcpy(u->sorted + begin, u->scratch + begin, (size_t)(end - begin) * sizeof(*u->sorted));
}

void jm_unique_find(jm_unique *u)
{
    for (int64_t i = 0; i < u->count; i++) u->sorted[i] = i;
    if (u->order != JM_UNIQUE_CONSECUTIVE) sort(u, 0, u->count);
    /* The first place of each item's equals; unique items are numbered when their place comes. */
    int64_t *leader = u->scratch;
    for (int64_t i = 0, lead = 0; i < u->count; i++) {
        if (i == 0 || !equal(u, u->sorted[i - 1], u->sorted[i])) lead = u->sorted[i];
        leader[u->sorted[i]] = lead;
    }
    u->found = 0;
    for (int64_t i = 0; i < u->count; i++) {
        const int64_t item = u->order == JM_UNIQUE_BY_PLACE ? i : u->sorted[i];
        if (leader[item] != item) continue;
        u->first[u->found] = item;
        u->times[u->found] = 0;
        u->inverse[item] = u->found++;
    }
    for (int64_t i = 0; i < u->count; i++) {
        u->inverse[i] = u->inverse[leader[i]];
        u->times[u->inverse[i]]++;
    }
}
