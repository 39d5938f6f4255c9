/* SPDX-License-Identifier: Apache-2.0
 *
 * A map from addresses to objects: which handles and memory blocks are live. Not thread-safe.
 */
#ifndef JUMAR_RUNTIME_POINTER_MAP_H
#define JUMAR_RUNTIME_POINTER_MAP_H

#include <stddef.h>

#include "base/status.h"

/* Open addressing, linear probing, at most half full. Zero-initialise. */
typedef struct jm_pointer_map {
    struct jm_pointer_map_slot {
        const void *key;
        void *value;
    } * slot;
    size_t capacity;
    size_t count;
} jm_pointer_map;

/* NULL when the key is absent. */
void *jm_pointer_map_get(const jm_pointer_map *map, const void *key);
/* The key must be absent, key and value not NULL. */
JM_MUST_USE jm_status jm_pointer_map_add(jm_pointer_map *map, const void *key, void *value);
/* The value that was removed, NULL when the key is absent. */
void *jm_pointer_map_remove(jm_pointer_map *map, const void *key);
void jm_pointer_map_clear(jm_pointer_map *map);

#endif
