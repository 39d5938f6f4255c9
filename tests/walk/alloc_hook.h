/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations that fail on request, in the whole process: those of the C library and of libjpeg, libspng, cJSON and the
 * system's own functions too. Linked into a test it takes the place of malloc; preloaded into a program it is steered
 * by the environment (JUMAR_FAIL_ALLOCATION=n, JUMAR_FAIL_FROM=n). Under a sanitizer, which has an allocator of its
 * own, only jm_alloc of the calling thread fails, and the sanitizer looks for leaks.
 */
#ifndef JUMAR_TESTS_ALLOC_HOOK_H
#define JUMAR_TESTS_ALLOC_HOOK_H

#include <stdbool.h>
#include <stdint.h>

/* True when every allocation of the process is seen. */
extern const bool alloc_hook_sees_all;

/* From now on the n-th allocation fails, counted from 1; with `rest` all after it too. 0: none. Maps of memory and new
 * threads count as allocations. */
void alloc_hook_fail_at(uint64_t n, bool rest);
/* Ends it. True when an allocation failed. */
bool alloc_hook_end(void);
/* Blocks that are allocated now. 0 under a sanitizer. */
int64_t alloc_hook_live(void);

#endif
