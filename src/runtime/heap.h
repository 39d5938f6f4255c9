/* SPDX-License-Identifier: Apache-2.0
 *
 * The caching allocator of one device. Blocks are multiples of 512 bytes, cut from segments that stay with the heap
 * when they are empty. Small blocks (up to 1 MiB) and large ones have pools of their own, so that small ones do not
 * break up the segments of large ones. Not thread-safe.
 */
#ifndef JUMAR_RUNTIME_HEAP_H
#define JUMAR_RUNTIME_HEAP_H

#include "device/device.h"
#include "runtime/runtime.h"

typedef struct jm_heap jm_heap;

/* `limit` bytes at most are taken from the device. *out is NULL on failure. */
JM_MUST_USE jm_status jm_heap_create(jm_device *device, size_t limit, jm_heap **out);
/* Releases everything, live blocks too; accepts NULL. */
void jm_heap_destroy(jm_heap *heap);

/* *out is NULL on failure. JM_OUT_OF_MEMORY, after unused segments were given back to the device. */
JM_MUST_USE jm_status jm_heap_allocate(jm_heap *heap, size_t size, void **out);
/* False when `memory` is not the start of a live block. */
bool jm_heap_owns(const jm_heap *heap, const void *memory);
/* The block may be used again once jm_heap_pass() is called with a number above `stamp`; stamps never fall.
 * JM_NOT_FOUND: not the start of a live block. */
JM_MUST_USE jm_status jm_heap_free(jm_heap *heap, void *memory, uint64_t stamp);
/* Everything freed with a stamp below `oldest` becomes free. */
void jm_heap_pass(jm_heap *heap, uint64_t oldest);
/* Gives empty segments back to the device. */
void jm_heap_trim(jm_heap *heap);
void jm_heap_get_statistics(const jm_heap *heap, jm_memory_statistics *statistics);
/* Checks every list against every other; false on a bug of ours. For tests. */
bool jm_heap_verify(const jm_heap *heap);

#endif
