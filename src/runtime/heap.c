/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/heap.h"

#include "base/alloc.h"
#include "runtime/pointer_map.h"

#define UNIT ((size_t)512)
#define MIB ((size_t)1 << 20)
#define SMALL_BLOCK MIB /* larger blocks belong to the large pool */
#define SMALL_SEGMENT (2 * MIB)
#define LARGE_SEGMENT (20 * MIB) /* for blocks below LARGE_BLOCK; others get a segment of their own */
#define LARGE_BLOCK (10 * MIB)
#define SEGMENT_UNIT (2 * MIB)

typedef struct segment segment;

typedef enum block_state { FREE, LIVE, DEFERRED } block_state;

typedef struct block {
    segment *segment;
    struct block *before, *after;  /* neighbours in the segment */
    struct block *previous, *next; /* in its bin while FREE; next alone in the deferred queue */
    char *address;
    size_t size;
    uint64_t stamp;
    block_state state;
} block;

struct segment {
    segment *previous, *next;
    block *first;
    size_t size;
    bool small;
};

/* Free blocks by size: eight bins for each power of two units. */
enum { BINS = 320, BIN_WORDS = BINS / 64 };

typedef struct pool {
    block *bin[BINS];
    uint64_t used[BIN_WORDS]; /* bins that hold a block */
} pool;

struct jm_heap {
    jm_device *device;
    jm_memory_statistics statistics;
    pool small, large;
    segment *segments;
    jm_pointer_map live; /* address to block */
    block *deferred, **deferred_tail;
};

static unsigned bin_of(size_t size)
{
    size_t units = size / UNIT;
    if (units < 8) return (unsigned)units;
    unsigned top = 63 - (unsigned)__builtin_clzll(units);
    return JM_MIN((top - 2) * 8 + (unsigned)(units >> (top - 3) & 7), BINS - 1u);
}

static pool *pool_of(jm_heap *heap, const segment *s)
{
    return s->small ? &heap->small : &heap->large;
}

static void bin_insert(jm_heap *heap, block *b)
{
    pool *p = pool_of(heap, b->segment);
    unsigned bin = bin_of(b->size);
    b->state = FREE;
    b->previous = NULL;
    b->next = p->bin[bin];
    if (b->next) b->next->previous = b;
    p->bin[bin] = b;
    p->used[bin / 64] |= (uint64_t)1 << bin % 64;
}

static void bin_remove(jm_heap *heap, block *b)
{
    pool *p = pool_of(heap, b->segment);
    unsigned bin = bin_of(b->size);
    if (b->previous) {
        b->previous->next = b->next;
    } else {
        p->bin[bin] = b->next;
        if (!b->next) p->used[bin / 64] &= ~((uint64_t)1 << bin % 64);
    }
    if (b->next) b->next->previous = b->previous;
    b->previous = b->next = NULL;
}

/* The smallest block of the first bin that has one of `size` bytes or more; NULL when there is none. */
static block *best_fit(const pool *p, size_t size)
{
    for (unsigned bin = bin_of(size); bin < BINS; bin++) {
        uint64_t rest = p->used[bin / 64] >> bin % 64;
        if (!rest) {
            bin |= 63;
            continue;
        }
        bin += (unsigned)__builtin_ctzll(rest);
        block *best = NULL;
        for (block *b = p->bin[bin]; b; b = b->next)
            if (b->size >= size && (!best || b->size < best->size)) best = b;
        if (best) return best;
    }
    return NULL;
}

/* ---- Segments ---- */

static void segment_release(jm_heap *heap, segment *s)
{
    if (s->previous)
        s->previous->next = s->next;
    else
        heap->segments = s->next;
    if (s->next) s->next->previous = s->previous;
    heap->device->operations->release(heap->device, s->first->address, s->size);
    heap->statistics.reserved -= s->size;
    for (block *b = s->first, *after; b; b = after) {
        after = b->after;
        jm_free(b);
    }
    jm_free(s);
}

/* A segment of `size` bytes as one free block. */
static jm_status segment_create(jm_heap *heap, size_t size, bool small)
{
    if (size > heap->statistics.limit || heap->statistics.reserved > heap->statistics.limit - size)
        return JM_OUT_OF_MEMORY;
    segment *s = jm_alloc(1, sizeof(*s));
    block *b = jm_alloc(1, sizeof(*b));
    void *memory = NULL;
    if (!s || !b || heap->device->operations->allocate(heap->device, size, &memory) != JM_OK) {
        jm_free(s);
        jm_free(b);
        return JM_OUT_OF_MEMORY;
    }
    *s = (segment){.next = heap->segments, .first = b, .size = size, .small = small};
    if (s->next) s->next->previous = s;
    heap->segments = s;
    *b = (block){.segment = s, .address = memory, .size = size};
    bin_insert(heap, b);
    heap->statistics.reserved += size;
    heap->statistics.peak_reserved = JM_MAX(heap->statistics.peak_reserved, heap->statistics.reserved);
    return JM_OK;
}

void jm_heap_trim(jm_heap *heap)
{
    for (segment *s = heap->segments, *next; s; s = next) {
        next = s->next;
        if (s->first->state == FREE && !s->first->after) {
            bin_remove(heap, s->first);
            segment_release(heap, s);
        }
    }
}

/* Makes room for a block: a segment of the usual size, else one that just fits, else again after a trim. */
static jm_status grow(jm_heap *heap, size_t size)
{
    bool small = size <= SMALL_BLOCK;
    size_t usual, fitting;
    if (!jm_size_round_up(size, SEGMENT_UNIT, &usual)) return JM_OUT_OF_MEMORY;
    fitting = small ? size : usual;
    if (small)
        usual = SMALL_SEGMENT;
    else if (size < LARGE_BLOCK)
        usual = LARGE_SEGMENT;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (segment_create(heap, usual, small) == JM_OK || segment_create(heap, fitting, small) == JM_OK ||
            segment_create(heap, size, small) == JM_OK)
            return JM_OK;
        jm_heap_trim(heap);
    }
    return JM_OUT_OF_MEMORY;
}

/* ---- Blocks ---- */

jm_status jm_heap_allocate(jm_heap *heap, size_t size, void **out)
{
    *out = NULL;
    size_t rounded;
    bool fits = jm_size_round_up(JM_MAX(size, (size_t)1), UNIT, &rounded);
    pool *p = fits && rounded <= SMALL_BLOCK ? &heap->small : &heap->large;
    block *b = fits ? best_fit(p, rounded) : NULL;
    if (!b && fits && grow(heap, rounded) == JM_OK) b = best_fit(p, rounded);
    /* "Failed to allocate" is what clients look for. */
    if (!b)
        return jm_error(JM_OUT_OF_MEMORY,
                        "Failed to allocate %zu bytes on device %u: %zu of %zu bytes are in use, %zu are freed but "
                        "may still be read by streams",
                        size, heap->device->id, heap->statistics.allocated, heap->statistics.limit,
                        heap->statistics.deferred);
    /* Made before anything changes, so that failing leaves the heap as it was. */
    size_t rest = b->size - rounded;
    block *tail = NULL;
    if (rest >= (b->segment->small ? UNIT : SMALL_BLOCK + UNIT)) {
        tail = jm_alloc(1, sizeof(*tail));
        if (!tail) return JM_OUT_OF_MEMORY;
    }
    if (jm_pointer_map_add(&heap->live, b->address, b) != JM_OK) {
        jm_free(tail);
        return JM_OUT_OF_MEMORY;
    }
    bin_remove(heap, b);
    if (tail) {
        *tail = (block){
            .segment = b->segment, .before = b, .after = b->after, .address = b->address + rounded, .size = rest};
        if (tail->after) tail->after->before = tail;
        b->after = tail;
        b->size = rounded;
        bin_insert(heap, tail);
    }
    b->state = LIVE;
    heap->statistics.allocated += b->size;
    heap->statistics.peak_allocated = JM_MAX(heap->statistics.peak_allocated, heap->statistics.allocated);
    heap->statistics.allocations++;
    *out = b->address;
    return JM_OK;
}

bool jm_heap_owns(const jm_heap *heap, const void *memory)
{
    return jm_pointer_map_get(&heap->live, memory) != NULL;
}

jm_status jm_heap_free(jm_heap *heap, void *memory, uint64_t stamp)
{
    block *b = jm_pointer_map_remove(&heap->live, memory);
    if (!b)
        return jm_error(JM_NOT_FOUND, "%p is not the start of a live block of device %u; was it freed before?", memory,
                        heap->device->id);
    b->state = DEFERRED;
    b->stamp = stamp;
    b->next = NULL;
    *heap->deferred_tail = b;
    heap->deferred_tail = &b->next;
    heap->statistics.allocated -= b->size;
    heap->statistics.deferred += b->size;
    heap->statistics.frees++;
    return JM_OK;
}

/* Joins two neighbours that are in no list. */
static block *merge(block *b)
{
    block *gone = b->after;
    b->size += gone->size;
    b->after = gone->after;
    if (b->after) b->after->before = b;
    jm_free(gone);
    return b;
}

void jm_heap_pass(jm_heap *heap, uint64_t oldest)
{
    while (heap->deferred && heap->deferred->stamp < oldest) {
        block *b = heap->deferred;
        heap->deferred = b->next;
        if (!heap->deferred) heap->deferred_tail = &heap->deferred;
        heap->statistics.deferred -= b->size;
        if (b->after && b->after->state == FREE) {
            bin_remove(heap, b->after);
            b = merge(b);
        }
        if (b->before && b->before->state == FREE) {
            bin_remove(heap, b->before);
            b = merge(b->before);
        }
        bin_insert(heap, b);
    }
}

void jm_heap_get_statistics(const jm_heap *heap, jm_memory_statistics *statistics)
{
    *statistics = heap->statistics;
}

bool jm_heap_verify(const jm_heap *heap)
{
    size_t live = 0, live_bytes = 0, deferred_bytes = 0, reserved = 0, free_blocks = 0, binned = 0;
    for (const segment *s = heap->segments; s; s = s->next) {
        size_t size = 0;
        const block *before = NULL;
        for (const block *b = s->first; b; before = b, b = b->after) {
            if (b->segment != s || b->before != before || !b->size || b->size % UNIT) return false;
            if (before && (before->address + before->size != b->address || (before->state == FREE && b->state == FREE)))
                return false;
            size += b->size;
            live += b->state == LIVE;
            live_bytes += b->state == LIVE ? b->size : 0;
            deferred_bytes += b->state == DEFERRED ? b->size : 0;
            free_blocks += b->state == FREE;
            if (b->state == LIVE && jm_pointer_map_get(&heap->live, b->address) != b) return false;
        }
        if (size != s->size) return false;
        reserved += size;
    }
    const pool *pools[] = {&heap->small, &heap->large};
    for (int i = 0; i < 2; i++) {
        for (unsigned bin = 0; bin < BINS; bin++) {
            if ((pools[i]->bin[bin] != NULL) != (pools[i]->used[bin / 64] >> bin % 64 & 1)) return false;
            for (const block *b = pools[i]->bin[bin]; b; b = b->next, binned++)
                if (b->state != FREE || bin_of(b->size) != bin || b->segment->small != (i == 0)) return false;
        }
    }
    const jm_memory_statistics *s = &heap->statistics;
    return live == heap->live.count && live_bytes == s->allocated && deferred_bytes == s->deferred &&
           reserved == s->reserved && binned == free_blocks && reserved <= s->limit;
}

jm_status jm_heap_create(jm_device *device, size_t limit, jm_heap **out)
{
    *out = NULL;
    jm_heap *heap = jm_alloc(1, sizeof(*heap));
    if (!heap) return JM_OUT_OF_MEMORY;
    heap->device = device;
    heap->statistics.limit = limit;
    heap->deferred_tail = &heap->deferred;
    *out = heap;
    return JM_OK;
}

void jm_heap_destroy(jm_heap *heap)
{
    if (!heap) return;
    while (heap->segments) segment_release(heap, heap->segments);
    jm_pointer_map_clear(&heap->live);
    jm_free(heap);
}
