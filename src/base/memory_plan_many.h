/* SPDX-License-Identifier: Apache-2.0
 *
 * jm_memory_plan for more buffers than its orders can be tried on: nearly linear time, a somewhat larger arena.
 */
#ifndef JUMAR_BASE_MEMORY_PLAN_MANY_H
#define JUMAR_BASE_MEMORY_PLAN_MANY_H

#include "base/memory_plan.h"

/* Sets every offset. Lifetimes are valid and the sum of the rounded sizes does not overflow. The same plan every time.
 * JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_memory_plan_many(jm_plan_buffer *buffer, size_t count, size_t *total);

#endif
