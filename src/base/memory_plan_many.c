/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of very many buffers, in nearly linear time: the steps are played as an allocator would see them. A buffer
 * gets the smallest free piece that holds it (of a few candidates), free neighbours become one piece, and the arena
 * grows where nothing fits.
 */
#include "base/memory_plan_many.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

/* A part of the arena. Pieces lie one behind the other, from offset 0 to the end. */
typedef struct piece {
    size_t offset, size;
    struct piece *before, *after;  /* in the arena */
    struct piece *previous, *next; /* in its bin while free */
    bool free;
} piece;

/* Bins: eight for each power of two of 64 bytes. */
enum { BINS = 64 * 8, CANDIDATES = 32 };

typedef struct arena {
    piece *piece, *spare; /* all pieces there can be; those not in use, linked by next */
    size_t made;
    piece *top; /* the one that ends where the arena ends */
    size_t end;
    piece *bin[BINS];
    uint64_t used[BINS / 64]; /* bins that are not empty */
} arena;

static unsigned bin_of(size_t size)
{
    const size_t units = size / 64;
    if (units < 8) return (unsigned)units;
    const unsigned top = 63 - (unsigned)__builtin_clzll(units);
    return (top - 2) * 8 + (unsigned)(units >> (top - 3) & 7);
}

static void bin_insert(arena *a, piece *p)
{
    const unsigned bin = bin_of(p->size);
    p->free = true;
    p->previous = NULL;
    p->next = a->bin[bin];
    if (p->next) p->next->previous = p;
    a->bin[bin] = p;
    a->used[bin / 64] |= (uint64_t)1 << bin % 64;
}

static void bin_remove(arena *a, piece *p)
{
    const unsigned bin = bin_of(p->size);
    p->free = false;
    if (p->next) p->next->previous = p->previous;
    if (p->previous)
        p->previous->next = p->next;
    else if (!(a->bin[bin] = p->next))
        a->used[bin / 64] &= ~((uint64_t)1 << bin % 64);
}

/* The smallest of the first pieces of each bin, from the bin of `size` on; NULL when none holds it. */
static piece *find(const arena *a, size_t size)
{
    for (unsigned bin = bin_of(size); bin < BINS; bin++) {
        const uint64_t rest = a->used[bin / 64] >> bin % 64;
        if (!rest) {
            bin |= 63;
            continue;
        }
        bin += (unsigned)__builtin_ctzll(rest);
        piece *best = NULL, *p = a->bin[bin];
        for (int i = 0; p && i < CANDIDATES; i++, p = p->next)
            if (p->size >= size && (!best || p->size < best->size)) best = p;
        if (best) return best;
    }
    return NULL;
}

static piece *new_piece(arena *a, size_t offset, size_t size, piece *before, piece *after)
{
    piece *p = a->spare;
    if (p)
        a->spare = p->next;
    else
        p = &a->piece[a->made++];
    *p = (piece){.offset = offset, .size = size, .before = before, .after = after};
    if (before) before->after = p;
    if (after) after->before = p;
    if (!after) a->top = p;
    return p;
}

static void drop_piece(arena *a, piece *p)
{
    if (p->before) p->before->after = p->after;
    if (p->after) p->after->before = p->before;
    if (a->top == p) a->top = p->before;
    p->next = a->spare;
    a->spare = p;
}

static piece *take(arena *a, size_t size)
{
    piece *p = find(a, size);
    if (p) {
        bin_remove(a, p);
        if (p->size > size) bin_insert(a, new_piece(a, p->offset + size, p->size - size, p, p->after));
        p->size = size;
        return p;
    }
    if (a->top && a->top->free) { /* too small: it grows */
        p = a->top;
        bin_remove(a, p);
        p->size = size;
    } else {
        p = new_piece(a, a->end, size, a->top, NULL);
    }
    a->end = p->offset + size;
    return p;
}

static void give_back(arena *a, piece *p)
{
    piece *before = p->before, *after = p->after;
    if (after && after->free) {
        bin_remove(a, after);
        p->size += after->size;
        drop_piece(a, after);
    }
    if (before && before->free) {
        bin_remove(a, before);
        before->size += p->size;
        drop_piece(a, p);
        p = before;
    }
    bin_insert(a, p);
}

static int by_first(const void *x, const void *y)
{
    const jm_plan_buffer *a = *(jm_plan_buffer *const *)x, *b = *(jm_plan_buffer *const *)y;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int by_last(const void *x, const void *y)
{
    const jm_plan_buffer *a = *(jm_plan_buffer *const *)x, *b = *(jm_plan_buffer *const *)y;
    if (a->last != b->last) return a->last < b->last ? -1 : 1;
    return a < b ? -1 : a > b;
}

jm_status jm_memory_plan_many(jm_plan_buffer *buffer, size_t count, size_t *total)
{
    arena a = {0};
    jm_plan_buffer **begin = jm_alloc(count, sizeof *begin), **end = jm_alloc(count, sizeof *end);
    piece **place = jm_alloc(count, sizeof *place);
    a.piece = jm_alloc(count, 2 * sizeof *a.piece); /* one for each buffer and a free one behind it */
    const jm_status status = begin && end && place && a.piece ? JM_OK : JM_OUT_OF_MEMORY;
    if (status == JM_OK) {
        for (size_t i = 0; i < count; i++) begin[i] = end[i] = &buffer[i];
        qsort(begin, count, sizeof *begin, by_first);
        qsort(end, count, sizeof *end, by_last);
        size_t ended = 0;
        for (size_t i = 0; i < count; i++) {
            for (; end[ended]->last < begin[i]->first; ended++)
                if (end[ended]->size) give_back(&a, place[end[ended] - buffer]);
            const size_t size = (begin[i]->size + 63) & ~(size_t)63;
            piece *p = size ? take(&a, size) : NULL;
            place[begin[i] - buffer] = p;
            begin[i]->offset = p ? p->offset : 0;
        }
        *total = a.end;
    }
    jm_free(begin);
    jm_free(end);
    jm_free(place);
    jm_free(a.piece);
    return status;
}
