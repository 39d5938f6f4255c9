/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"

static jm_kernels table[JM_CPU_LEVELS];
static jm_cpu_level strongest;

/* Weakest to strongest: a level overwrites only what it improves. */
static void fill(jm_kernels *kernels, jm_cpu_level level)
{
    kernels->level = level;
    jm_conv_kernels_init__reference(&kernels->conv);
    jm_gemm_kernels_init__reference(&kernels->gemm);
    jm_depthwise_kernels_init__reference(&kernels->depthwise);
    jm_dots_kernels_init__reference(&kernels->dots);
    jm_kvcache_kernels_init__reference(&kernels->kvcache);
    jm_pointwise_kernels_init__reference(&kernels->pointwise);
    jm_picture_kernels_init__reference(&kernels->picture);
    jm_pool_kernels_init__reference(&kernels->pool);
    jm_thin_kernels_init__reference(&kernels->thin);
    jm_training_kernels_init__reference(&kernels->training);
    jm_winograd_kernels_init__reference(&kernels->winograd);
#if defined(__x86_64__)
    if (level < JM_CPU_AVX2) return;
    jm_conv_kernels_init__avx2(&kernels->conv);
    jm_gemm_kernels_init__avx2(&kernels->gemm);
    jm_depthwise_kernels_init__avx2(&kernels->depthwise);
    jm_dots_kernels_init__avx2(&kernels->dots);
    jm_kvcache_kernels_init__avx2(&kernels->kvcache);
    jm_pointwise_kernels_init__avx2(&kernels->pointwise);
    jm_picture_kernels_init__avx2(&kernels->picture);
    jm_pool_kernels_init__avx2(&kernels->pool);
    jm_thin_kernels_init__avx2(&kernels->thin);
    jm_training_kernels_init__avx2(&kernels->training);
    jm_winograd_kernels_init__avx2(&kernels->winograd);
    if (level < JM_CPU_AVX512) return;
    jm_conv_kernels_init__avx512(&kernels->conv);
    jm_gemm_kernels_init__avx512(&kernels->gemm);
    jm_depthwise_kernels_init__avx512(&kernels->depthwise);
    jm_dots_kernels_init__avx512(&kernels->dots);
    jm_kvcache_kernels_init__avx512(&kernels->kvcache);
    jm_pointwise_kernels_init__avx512(&kernels->pointwise);
    jm_picture_kernels_init__avx512(&kernels->picture);
    jm_pool_kernels_init__avx512(&kernels->pool);
    jm_thin_kernels_init__avx512(&kernels->thin);
    jm_training_kernels_init__avx512(&kernels->training);
    jm_winograd_kernels_init__avx512(&kernels->winograd);
#elif defined(__aarch64__)
    if (level < JM_CPU_NEON) return;
    jm_conv_kernels_init__neon(&kernels->conv);
    jm_gemm_kernels_init__neon(&kernels->gemm);
    jm_depthwise_kernels_init__neon(&kernels->depthwise);
    jm_dots_kernels_init__neon(&kernels->dots);
    jm_kvcache_kernels_init__neon(&kernels->kvcache);
    jm_pointwise_kernels_init__neon(&kernels->pointwise);
    jm_picture_kernels_init__neon(&kernels->picture);
    jm_pool_kernels_init__neon(&kernels->pool);
    jm_thin_kernels_init__neon(&kernels->thin);
    jm_training_kernels_init__neon(&kernels->training);
    jm_winograd_kernels_init__neon(&kernels->winograd);
#endif
}

static void fill_all(void)
{
    strongest = jm_cpu_detect();
    for (int level = 0; level <= (int)strongest; level++) fill(&table[level], (jm_cpu_level)level);
}

const jm_kernels *jm_kernels_at(jm_cpu_level level)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_all);
    return (unsigned)level <= (unsigned)strongest ? &table[level] : NULL;
}

jm_status jm_kernels_get(const jm_kernels **out)
{
    *out = NULL;
    const char *name = getenv("JUMAR_CPU");
    if (!name || !*name) {
        *out = jm_kernels_at(jm_cpu_detect());
        return JM_OK;
    }
    for (int level = 0; level < JM_CPU_LEVELS; level++) {
        if (strcmp(name, jm_cpu_level_text((jm_cpu_level)level)) != 0) continue;
        *out = jm_kernels_at((jm_cpu_level)level);
        if (*out) return JM_OK;
        return jm_error(JM_UNSUPPORTED, "JUMAR_CPU=%s: this CPU has no %s; the strongest level here is %s", name, name,
                        jm_cpu_level_text(jm_cpu_detect()));
    }
#define LEVEL_NAME(level, text) " " text
    return jm_error(JM_INVALID_ARGUMENT, "JUMAR_CPU=%s is not a level; use one of" JM_CPU_LEVEL_LIST(LEVEL_NAME), name);
#undef LEVEL_NAME
}
