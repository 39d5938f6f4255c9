/* SPDX-License-Identifier: Apache-2.0
 *
 * Packed constants that several graphs of one model share: compiled for other input shapes, a model mostly packs the
 * same weights into the same form. Not thread-safe.
 */
#ifndef JUMAR_COMPILER_CONSTANT_POOL_H
#define JUMAR_COMPILER_CONSTANT_POOL_H

#include <stddef.h>

#include "base/status.h"

typedef struct jm_constant_pool jm_constant_pool;

/* *out is NULL on failure (JM_OUT_OF_MEMORY). */
JM_MUST_USE jm_status jm_constant_pool_create(jm_constant_pool **out);
/* Frees every constant; no graph that uses one may be left. NULL is accepted. */
void jm_constant_pool_destroy(jm_constant_pool *pool);

/* Takes over `data`, `bytes` of jm_alloc memory, also on failure. *shared becomes memory with the same bytes: `data`
 * itself, or what an earlier call gave, in which case `data` is freed. It lives as long as the pool. */
JM_MUST_USE jm_status jm_constant_pool_intern(jm_constant_pool *pool, void *data, size_t bytes, void **shared);

#endif
