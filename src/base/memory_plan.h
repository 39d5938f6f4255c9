/* SPDX-License-Identifier: Apache-2.0
 *
 * Places buffers with known lifetimes in one arena: greedy best fit, three orders (by size, by area = size x lifetime,
 * by time) are tried, in small plans also after giving the buffer that reached the top a place first, a few dozen
 * times; the smallest result wins. Very many buffers are placed as an allocator would, in nearly linear time.
 */
#ifndef JUMAR_BASE_MEMORY_PLAN_H
#define JUMAR_BASE_MEMORY_PLAN_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct jm_plan_buffer {
    size_t size;          /* bytes; rounded up to 64 by the planner */
    uint32_t first, last; /* steps at which it is written first and read last, inclusive */
    size_t offset;        /* result, a multiple of 64 */
} jm_plan_buffer;

/* *total is the arena size; *lower_bound the largest sum of sizes alive at one step (no plan can be smaller).
 * JM_OUT_OF_RANGE when sizes overflow. */
JM_MUST_USE jm_status jm_memory_plan(jm_plan_buffer *buffer, size_t count, size_t *total, size_t *lower_bound);

#endif
