/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pointer_map.h"

#include <stdint.h>

#include "base/alloc.h"

static size_t home_of(const jm_pointer_map *map, const void *key)
{
    return (size_t)((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u >> 20) & (map->capacity - 1);
}

/* The slot of the key, or the empty one where it would go. */
static size_t find(const jm_pointer_map *map, const void *key)
{
    size_t i = home_of(map, key);
    while (map->slot[i].key && map->slot[i].key != key) i = (i + 1) & (map->capacity - 1);
    return i;
}

void *jm_pointer_map_get(const jm_pointer_map *map, const void *key)
{
    return map->count && key ? map->slot[find(map, key)].value : NULL;
}

static jm_status grow(jm_pointer_map *map)
{
    jm_pointer_map larger = {.capacity = map->capacity ? 2 * map->capacity : 64, .count = map->count};
    larger.slot = jm_alloc(larger.capacity, sizeof(*larger.slot));
    if (!larger.slot) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slot[i].key) larger.slot[find(&larger, map->slot[i].key)] = map->slot[i];
    jm_free(map->slot);
    *map = larger;
    return JM_OK;
}

jm_status jm_pointer_map_add(jm_pointer_map *map, const void *key, void *value)
{
    if (2 * (map->count + 1) > map->capacity) JM_TRY(grow(map));
    map->slot[find(map, key)] = (struct jm_pointer_map_slot){key, value};
    map->count++;
    return JM_OK;
}

void *jm_pointer_map_remove(jm_pointer_map *map, const void *key)
{
    if (!jm_pointer_map_get(map, key)) return NULL;
    size_t hole = find(map, key), mask = map->capacity - 1;
    void *value = map->slot[hole].value;
    /* Moves later entries of the run back, so that no search is cut short by the hole. */
    for (size_t i = (hole + 1) & mask; map->slot[i].key; i = (i + 1) & mask) {
        size_t home = home_of(map, map->slot[i].key);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->slot[hole] = map->slot[i];
            hole = i;
        }
    }
    map->slot[hole] = (struct jm_pointer_map_slot){0};
    map->count--;
    return value;
}

void jm_pointer_map_clear(jm_pointer_map *map)
{
    jm_free(map->slot);
    *map = (jm_pointer_map){0};
}
