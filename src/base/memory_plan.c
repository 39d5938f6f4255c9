/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory_plan.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/memory_plan_many.h"

#define ALIGNMENT 64
#define FEW 400 /* buffers: up to here each order is improved */
#define TRIES 40
#define MANY 8000 /* buffers: beyond, the square of their number takes too long */

/* A buffer on its way through one placement order. */
typedef struct item {
    size_t size; /* rounded up */
    uint32_t first, last;
    size_t index; /* in the caller's array; makes every order total, hence deterministic */
} item;

/* A placed buffer. The placed ones are kept sorted by offset. */
typedef struct block {
    size_t offset, end;
    uint32_t first, last;
} block;

static int by_index(const item *a, const item *b)
{
    return a->index < b->index ? -1 : a->index > b->index;
}

static int by_size(const void *x, const void *y)
{
    const item *a = x, *b = y;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return by_index(a, b);
}

static double area(const item *a)
{
    return (double)a->size * ((double)a->last - (double)a->first + 1.0);
}

static int by_area(const void *x, const void *y)
{
    const item *a = x, *b = y;
    if (area(a) != area(b)) return area(a) > area(b) ? -1 : 1;
    return by_index(a, b);
}

static int by_time(const void *x, const void *y)
{
    const item *a = x, *b = y;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return by_size(x, y);
}

/* Where `it` goes: the smallest gap that holds it between the placed blocks alive at the same time, else above
 * all of them. */
static size_t best_offset(const block *placed, size_t count, const item *it)
{
    size_t top = 0, best = SIZE_MAX, best_gap = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const block *b = &placed[i];
        if (b->last < it->first || b->first > it->last) continue;
        if (b->offset > top) {
            const size_t gap = b->offset - top;
            if (gap >= it->size && gap < best_gap) best = top, best_gap = gap;
        }
        if (b->end > top) top = b->end;
    }
    return best_gap == SIZE_MAX ? top : best;
}

/* Places the items in the order given; returns the arena's size. Sums of sizes do not overflow: checked before. */
static size_t place(const item *order, size_t count, block *placed, size_t *offset)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const item *it = &order[i];
        const size_t at = best_offset(placed, i, it);
        size_t low = 0, high = i;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (placed[middle].offset <= at)
                low = middle + 1;
            else
                high = middle;
        }
        memmove(&placed[low + 1], &placed[low], (i - low) * sizeof(block));
        placed[low] = (block){at, at + it->size, it->first, it->last};
        offset[it->index] = at;
        total = JM_MAX(total, at + it->size);
    }
    return total;
}

/* The buffer that reaches the top gets a place first the next time. */
static void promote_highest(item *order, size_t count, const size_t *offset)
{
    size_t highest = 0;
    for (size_t i = 1; i < count; i++)
        if (offset[order[i].index] + order[i].size > offset[order[highest].index] + order[highest].size) highest = i;
    const item promoted = order[highest];
    memmove(&order[1], &order[0], highest * sizeof *order);
    order[0] = promoted;
}

/* A change of the live bytes at a step. */
typedef struct event {
    uint32_t step;
    bool end; /* takes effect after the step */
    size_t size;
} event;

static int by_step(const void *x, const void *y)
{
    const event *a = x, *b = y;
    /* A buffer that ends at a step frees its bytes before those that begin at the next one. */
    const uint64_t ka = (uint64_t)a->step + a->end, kb = (uint64_t)b->step + b->end;
    if (ka != kb) return ka < kb ? -1 : 1;
    return (int)b->end - (int)a->end;
}

static size_t peak_bytes(const item *it, size_t count, event *events)
{
    for (size_t i = 0; i < count; i++) {
        events[2 * i] = (event){it[i].first, false, it[i].size};
        events[2 * i + 1] = (event){it[i].last, true, it[i].size};
    }
    qsort(events, 2 * count, sizeof(event), by_step);
    size_t live = 0, peak = 0;
    for (size_t i = 0; i < 2 * count; i++) {
        if (events[i].end)
            live -= events[i].size;
        else
            live += events[i].size;
        peak = JM_MAX(peak, live);
    }
    return peak;
}

jm_status jm_memory_plan(jm_plan_buffer *buffer, size_t count, size_t *total, size_t *lower_bound)
{
    *total = 0;
    *lower_bound = 0;
    if (count == 0) return JM_OK;
    jm_status status = JM_OUT_OF_MEMORY;
    item *order = jm_alloc(count, sizeof(item));
    block *placed = jm_alloc(count, sizeof(block));
    event *events = jm_alloc(count, 2 * sizeof(event));
    size_t *offset = jm_alloc(count, sizeof(size_t));
    if (!order || !placed || !events || !offset) goto done;

    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const jm_plan_buffer *b = &buffer[i];
        if (b->first > b->last) {
            status =
                jm_error(JM_INVALID_ARGUMENT, "memory plan: buffer %zu is read at step %u before step %u writes it", i,
                         b->last, b->first);
            goto done;
        }
        order[i] = (item){.first = b->first, .last = b->last, .index = i};
        if (!jm_size_round_up(b->size, ALIGNMENT, &order[i].size) || !jm_size_add(sum, order[i].size, &sum)) {
            status = jm_error(JM_OUT_OF_RANGE, "memory plan: the buffers do not fit the address space");
            goto done;
        }
    }
    *lower_bound = peak_bytes(order, count, events);
    if (count > MANY) {
        status = jm_memory_plan_many(buffer, count, total);
        goto done;
    }

    static int (*const orders[])(const void *, const void *) = {by_size, by_area, by_time};
    size_t smallest = SIZE_MAX;
    for (size_t k = 0; k < JM_COUNT(orders) && smallest > *lower_bound; k++) {
        qsort(order, count, sizeof(item), orders[k]);
        for (int tries = count <= FEW ? TRIES : 1; tries > 0 && smallest > *lower_bound; tries--) {
            const size_t size = place(order, count, placed, offset);
            if (size < smallest)
                for (size_t i = 0; i < count; i++) buffer[i].offset = offset[i];
            smallest = JM_MIN(smallest, size);
            promote_highest(order, count, offset);
        }
    }
    *total = smallest;
    status = JM_OK;
done:
    jm_free(order);
    jm_free(placed);
    jm_free(events);
    jm_free(offset);
    return status;
}
