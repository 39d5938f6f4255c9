/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Allocator ---- */

enum { ALIGNMENT = 64 };

static _Thread_local uint64_t allocations;
static _Thread_local uint64_t fail_at;

uint64_t jm_alloc_fail_at(uint64_t n)
{
    uint64_t made = allocations;
    allocations = 0;
    fail_at = n;
    return made;
}

static bool fails_now(void)
{
    allocations++;
    if (fail_at == 0 || allocations != fail_at) return false;
    fail_at = 0;
    return true;
}

/* Bytes to ask for: at least one, a multiple of the alignment as aligned_alloc wants. */
static bool padded_bytes(size_t count, size_t size, size_t *bytes)
{
    return jm_size_mul(count, size, bytes) && jm_size_round_up(JM_MAX(*bytes, 1), ALIGNMENT, bytes);
}

static void report_out_of_memory(size_t count, size_t size)
{
    jm_status status =
        jm_error(JM_OUT_OF_MEMORY, "out of memory: %zu objects of %zu bytes are not available", count, size);
    (void)status; /* the caller sees NULL */
}

void *jm_alloc(size_t count, size_t size)
{
    size_t bytes = 0;
    void *memory = NULL;
    if (!fails_now() && padded_bytes(count, size, &bytes)) memory = aligned_alloc(ALIGNMENT, bytes);
    if (!memory) {
        report_out_of_memory(count, size);
        return NULL;
    }
    memset(memory, 0, bytes);
    return memory;
}

void *jm_realloc(void *memory, size_t old_count, size_t new_count, size_t size)
{
    void *grown = jm_alloc(new_count, size);
    if (!grown) return NULL;
    if (memory) memcpy(grown, memory, JM_MIN(old_count, new_count) * size);
    jm_free(memory);
    return grown;
}

void jm_free(void *memory)
{
    free(memory);
}

char *jm_strdup(const char *text)
{
    size_t length = strlen(text);
    char *copy = jm_alloc(length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

/* ---- Arena ---- */

enum { ARENA_BLOCK = 64 << 10 };

typedef struct arena_block {
    struct arena_block *next;
    size_t used, size;
    char pad[40]; /* so that data starts on a cache line */
    unsigned char data[];
} arena_block;

struct jm_arena {
    arena_block *block; /* the newest, from which objects are taken */
};

jm_status jm_arena_create(jm_arena **out)
{
    *out = jm_alloc(1, sizeof **out);
    return *out ? JM_OK : JM_OUT_OF_MEMORY;
}

void jm_arena_destroy(jm_arena *arena)
{
    if (!arena) return;
    for (arena_block *block = arena->block; block;) {
        arena_block *next = block->next;
        jm_free(block);
        block = next;
    }
    jm_free(arena);
}

void *jm_arena_alloc(jm_arena *arena, size_t count, size_t size)
{
    size_t bytes, block_bytes;
    if (!jm_size_mul(count, size, &bytes) || !jm_size_round_up(JM_MAX(bytes, 1), 16, &bytes) ||
        !jm_size_add(bytes, sizeof(arena_block), &block_bytes)) {
        report_out_of_memory(count, size);
        return NULL;
    }
    size_t align = bytes >= ALIGNMENT ? ALIGNMENT : 16;
    arena_block *block = arena->block;
    if (block) {
        size_t start = (block->used + align - 1) & ~(align - 1);
        if (start <= block->size && bytes <= block->size - start) {
            block->used = start + bytes;
            return block->data + start;
        }
    }
    block_bytes = JM_MAX(block_bytes, ARENA_BLOCK);
    arena_block *fresh = jm_alloc(1, block_bytes);
    if (!fresh) return NULL;
    fresh->size = block_bytes - sizeof(arena_block);
    fresh->used = bytes;
    /* A block for one large object goes behind the current one, which still has room. */
    if (block && bytes > ARENA_BLOCK / 4) {
        fresh->next = block->next;
        block->next = fresh;
    } else {
        fresh->next = block;
        arena->block = fresh;
    }
    return fresh->data;
}

char *jm_arena_strndup(jm_arena *arena, const char *text, size_t length)
{
    size_t bytes;
    if (!jm_size_add(length, 1, &bytes)) return NULL;
    char *copy = jm_arena_alloc(arena, bytes, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

char *jm_arena_strdup(jm_arena *arena, const char *text)
{
    return jm_arena_strndup(arena, text, strlen(text));
}

char *jm_arena_printf(jm_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? jm_arena_alloc(arena, (size_t)length + 1, 1) : NULL;
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

/* ---- Growing array ---- */

jm_status jm_array_reserve(void *data, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) return JM_OK;
    size_t wanted = *capacity + *capacity / 2;
    wanted = JM_MAX(JM_MAX(wanted, need), 8);
    void *old;
    memcpy(&old, data, sizeof old); /* `data` may point to any object pointer type */
    void *grown = jm_realloc(old, *capacity, wanted, size);
    if (!grown) return JM_OUT_OF_MEMORY;
    memcpy(data, &grown, sizeof grown);
    *capacity = wanted;
    return JM_OK;
}

/* ---- Map ---- */

/* FNV-1a, mixed with a random address of this process so that a file cannot aim at one slot. */
static uint64_t hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037ull ^ (uint64_t)(uintptr_t)&hash_text;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211ull;
    return hash ^ hash >> 32;
}

/* The slot of the key, or the free slot where it belongs. The table is never full. */
static struct jm_map_slot *find_slot(const jm_map *map, const char *key)
{
    size_t mask = map->capacity - 1;
    for (size_t i = hash_text(key) & mask;; i = (i + 1) & mask)
        if (!map->slot[i].key || strcmp(map->slot[i].key, key) == 0) return &map->slot[i];
}

void *jm_map_get(const jm_map *map, const char *key)
{
    return map->capacity ? find_slot(map, key)->value : NULL;
}

jm_status jm_map_put(jm_map *map, const char *key, void *value)
{
    if ((map->count + 1) * 2 > map->capacity) {
        jm_map larger = {.capacity = JM_MAX(map->capacity * 2, 16), .count = map->count};
        larger.slot = jm_alloc(larger.capacity, sizeof *larger.slot);
        if (!larger.slot) return JM_OUT_OF_MEMORY;
        for (size_t i = 0; i < map->capacity; i++)
            if (map->slot[i].key) *find_slot(&larger, map->slot[i].key) = map->slot[i];
        jm_free(map->slot);
        *map = larger;
    }
    struct jm_map_slot *slot = find_slot(map, key);
    if (!slot->key) map->count++;
    slot->key = key;
    slot->value = value;
    return JM_OK;
}

void jm_map_clear(jm_map *map)
{
    jm_free(map->slot);
    *map = (jm_map){0};
}
