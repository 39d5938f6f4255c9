/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/constant_pool.h"

#include <string.h>

#include "base/alloc.h"
#include "base/system.h"

typedef struct constant {
    void *data;
    size_t bytes;
    uint32_t crc;
} constant;

struct jm_constant_pool {
    constant *constant;
    size_t count, capacity;
};

jm_status jm_constant_pool_create(jm_constant_pool **out)
{
    *out = jm_alloc(1, sizeof(**out));
    return *out ? JM_OK : JM_OUT_OF_MEMORY;
}

void jm_constant_pool_destroy(jm_constant_pool *pool)
{
    if (!pool) return;
    for (size_t i = 0; i < pool->count; i++) jm_free(pool->constant[i].data);
    jm_free(pool->constant);
    jm_free(pool);
}

jm_status jm_constant_pool_intern(jm_constant_pool *pool, void *data, size_t bytes, void **shared)
{
    const uint32_t crc = jm_crc32c(0, data, bytes);
    for (size_t i = 0; i < pool->count; i++) {
        const constant *c = &pool->constant[i];
        if (c->crc != crc || c->bytes != bytes || memcmp(c->data, data, bytes) != 0) continue;
        jm_free(data);
        *shared = c->data;
        return JM_OK;
    }
    jm_status status = jm_array_reserve(&pool->constant, &pool->capacity, pool->count + 1, sizeof(constant));
    if (status != JM_OK) {
        jm_free(data);
        return status;
    }
    pool->constant[pool->count++] = (constant){data, bytes, crc};
    *shared = data;
    return JM_OK;
}
