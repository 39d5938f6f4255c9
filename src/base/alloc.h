/* SPDX-License-Identifier: Apache-2.0
 *
 * Host memory: checked sizes, an allocator that tests can make fail, an arena, growing arrays.
 * All functions are thread-safe unless they work on a caller's object.
 */
#ifndef JUMAR_BASE_ALLOC_H
#define JUMAR_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define JM_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define JM_MIN(a, b) ((a) < (b) ? (a) : (b))
#define JM_MAX(a, b) ((a) > (b) ? (a) : (b))

/* a + b, a * b, `n` rounded up to a multiple of the power of two `to`. False, and *out untouched, on overflow. */
static inline bool jm_size_add(size_t a, size_t b, size_t *out)
{
    size_t r;
    if (__builtin_add_overflow(a, b, &r)) return false;
    *out = r;
    return true;
}
static inline bool jm_size_mul(size_t a, size_t b, size_t *out)
{
    size_t r;
    if (__builtin_mul_overflow(a, b, &r)) return false;
    *out = r;
    return true;
}
static inline bool jm_size_round_up(size_t n, size_t to, size_t *out)
{
    if (!jm_size_add(n, to - 1, &n)) return false;
    *out = n & ~(to - 1);
    return true;
}

/* Zeroed memory for `count` objects of `size` bytes, aligned to 64 bytes; never NULL for 0 bytes.
 * NULL, with a last error, when memory or the size_t range runs out. Free with jm_free. */
void *jm_alloc(size_t count, size_t size);

/* Resizes memory of jm_alloc from `old_count` to `new_count` objects; new bytes are zero. On failure NULL and
 * the old block stays valid. */
void *jm_realloc(void *memory, size_t old_count, size_t new_count, size_t size);

/* NULL is accepted. */
void jm_free(void *memory);

/* A copy of the string in jm_alloc memory; NULL with a last error when memory runs out. */
char *jm_strdup(const char *text);

/* Tests: the n-th jm_alloc/jm_realloc from now on the calling thread fails once (0 = off); returns how many
 * allocations the thread made since the last call. */
uint64_t jm_alloc_fail_at(uint64_t n);

/* ---- Arena: many small objects with one owner ---- */

typedef struct jm_arena jm_arena;

/* *out is NULL on failure (JM_OUT_OF_MEMORY). */
JM_MUST_USE jm_status jm_arena_create(jm_arena **out);
/* Frees everything that came from the arena; accepts NULL. */
void jm_arena_destroy(jm_arena *arena);
/* Zeroed, aligned to 16 bytes (64 when the object is 64 bytes or more), valid until the arena is destroyed.
 * NULL with a last error when memory or the size_t range runs out. Not thread-safe on one arena. */
void *jm_arena_alloc(jm_arena *arena, size_t count, size_t size);
/* A copy of `length` bytes and a closing 0. */
char *jm_arena_strndup(jm_arena *arena, const char *text, size_t length);
char *jm_arena_strdup(jm_arena *arena, const char *text);
JM_PRINTF(2, 3) char *jm_arena_printf(jm_arena *arena, const char *format, ...);

/* ---- Growing array ---- */

/* Makes room for `need` objects in *data (jm_alloc memory or NULL), growing by halves. On failure
 * JM_OUT_OF_MEMORY and nothing changes. `data` is the address of any object pointer. */
JM_MUST_USE jm_status jm_array_reserve(void *data, size_t *capacity, size_t need, size_t size);

/* ---- Map from string to pointer ---- */

/* Open addressing with a seeded hash; keys are borrowed and must outlive the map. Zero-initialise. */
typedef struct jm_map {
    struct jm_map_slot {
        const char *key;
        void *value;
    } * slot;
    size_t capacity;
    size_t count;
} jm_map;

/* The value, or NULL when the key is absent. */
void *jm_map_get(const jm_map *map, const char *key);
/* Inserts or replaces. */
JM_MUST_USE jm_status jm_map_put(jm_map *map, const char *key, void *value);
/* Frees the table, not keys or values. */
void jm_map_clear(jm_map *map);

#endif
