/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel table: one struct of function pointers per instruction set level, made of one struct per family.
 * Families: conv.h (tiles of convolutions), depthwise.h (depthwise convolution), gemm.h (matrix products), kvcache.h
 * (RoPE and the quantised key-value cache), picture.h (8-bit pixels), pointwise.h (element-wise, activations,
 * reductions), pool.h (pooling, resize), thin.h (products of few rows), training.h (gradients, losses, optimisers),
 * winograd.h (transforms of 3x3 convolutions). Each family header is the contract of its kernels.
 *
 * All levels give the same bits: fixed order of accumulation, fmaf where the vector code uses FMA, one set of
 * polynomials.
 */
#ifndef JUMAR_KERNELS_KERNELS_H
#define JUMAR_KERNELS_KERNELS_H

#include <stdbool.h>

#include "base/status.h"
#include "kernels/conv.h"
#include "kernels/gemm.h"
#include "kernels/depthwise.h"
#include "kernels/dots.h"
#include "kernels/kvcache.h"
#include "kernels/picture.h"
#include "kernels/pointwise.h"
#include "kernels/pool.h"
#include "kernels/thin.h"
#include "kernels/training.h"
#include "kernels/winograd.h"

/* The levels of this architecture, weakest to strongest. JUMAR_CPU takes these names. */
#if defined(__x86_64__)
#define JM_CPU_LEVEL_LIST(X)                                                                                           \
    X(JM_CPU_REFERENCE, "reference")                                                                                   \
    X(JM_CPU_AVX2, "avx2")     /* AVX2, FMA, F16C */                                                                   \
    X(JM_CPU_AVX512, "avx512") /* F, BW, DQ, VL, CD */
#elif defined(__aarch64__)
#define JM_CPU_LEVEL_LIST(X)                                                                                           \
    X(JM_CPU_REFERENCE, "reference")                                                                                   \
    X(JM_CPU_NEON, "neon") /* every CPU has it */
#else
#define JM_CPU_LEVEL_LIST(X) X(JM_CPU_REFERENCE, "reference")
#endif

typedef enum jm_cpu_level {
#define JM_CPU_LEVEL_ENUM(name, text) name,
    JM_CPU_LEVEL_LIST(JM_CPU_LEVEL_ENUM)
#undef JM_CPU_LEVEL_ENUM
        JM_CPU_LEVELS
} jm_cpu_level;

typedef struct jm_kernels {
    jm_cpu_level level;
    jm_conv_kernels conv;
    jm_gemm_kernels gemm;
    jm_depthwise_kernels depthwise;
    jm_dots_kernels dots;
    jm_kvcache_kernels kvcache;
    jm_picture_kernels picture;
    jm_pointwise_kernels pointwise;
    jm_pool_kernels pool;
    jm_thin_kernels thin;
    jm_training_kernels training;
    jm_winograd_kernels winograd;
} jm_kernels;

/* The strongest level this CPU has. */
jm_cpu_level jm_cpu_detect(void);
const char *jm_cpu_level_text(jm_cpu_level level);
/* The table of a level; NULL when the CPU (or the build) lacks it. Filled once, weakest to strongest. */
const jm_kernels *jm_kernels_at(jm_cpu_level level);
/* The table in use: the strongest level that the CPU has and JUMAR_CPU allows. JM_INVALID_ARGUMENT when JUMAR_CPU
 * is not a level's name, JM_UNSUPPORTED when the CPU lacks that level. */
JM_MUST_USE jm_status jm_kernels_get(const jm_kernels **out);
/* Data cache sizes in bytes, with defaults of 32 KiB and 512 KiB when the system does not say. */
void jm_cpu_caches(size_t *l1, size_t *l2);

#endif
