/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/peak.h"

#include <math.h>

#include "base/system.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Chains that run beside each other: more than latency times throughput of any core so far. */
enum { CHAINS = 12, STEPS = 20000, ROUNDS = 60 };

static double run_reference(void)
{
    float sum[CHAINS];
    for (int c = 0; c < CHAINS; c++) sum[c] = (float)c;
    for (int i = 0; i < STEPS; i++)
        for (int c = 0; c < CHAINS; c++) sum[c] = fmaf(sum[c], 0.5f, 1.0f);
    volatile float sink = 0;
    for (int c = 0; c < CHAINS; c++) sink = sink + sum[c];
    return 2.0 * CHAINS * STEPS;
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static double run_avx2(void)
{
    __m256 sum[CHAINS];
    const __m256 half = _mm256_set1_ps(0.5f), one = _mm256_set1_ps(1);
    for (int c = 0; c < CHAINS; c++) sum[c] = _mm256_set1_ps((float)c);
    for (int i = 0; i < STEPS; i++)
        for (int c = 0; c < CHAINS; c++) sum[c] = _mm256_fmadd_ps(sum[c], half, one);
    volatile float sink = 0;
    for (int c = 0; c < CHAINS; c++) sink = sink + _mm256_cvtss_f32(sum[c]);
    return 2.0 * 8 * CHAINS * STEPS;
}

__attribute__((target("avx512f"))) static double run_avx512(void)
{
    __m512 sum[CHAINS];
    const __m512 half = _mm512_set1_ps(0.5f), one = _mm512_set1_ps(1);
    for (int c = 0; c < CHAINS; c++) sum[c] = _mm512_set1_ps((float)c);
    for (int i = 0; i < STEPS; i++)
        for (int c = 0; c < CHAINS; c++) sum[c] = _mm512_fmadd_ps(sum[c], half, one);
    volatile float sink = 0;
    for (int c = 0; c < CHAINS; c++) sink = sink + _mm512_cvtss_f32(sum[c]);
    return 2.0 * 16 * CHAINS * STEPS;
}
#elif defined(__aarch64__)
static double run_neon(void)
{
    enum { NEON_CHAINS = 16 }; /* four pipelines of some cores times four cycles */
    float32x4_t sum[NEON_CHAINS];
    const float32x4_t half = vdupq_n_f32(0.5f), quarter = vdupq_n_f32(0.25f);
    for (int c = 0; c < NEON_CHAINS; c++) sum[c] = vdupq_n_f32((float)c);
    for (int i = 0; i < STEPS; i++)
        for (int c = 0; c < NEON_CHAINS; c++) sum[c] = vfmaq_f32(sum[c], half, quarter);
    volatile float sink = 0;
    for (int c = 0; c < NEON_CHAINS; c++) sink = sink + vgetq_lane_f32(sum[c], 0);
    return 2.0 * 4 * NEON_CHAINS * STEPS;
}
#endif

double jm_fma_peak(jm_cpu_level level)
{
    double (*run)(void) = run_reference;
#if defined(__x86_64__)
    if (level == JM_CPU_AVX2) run = run_avx2;
    if (level == JM_CPU_AVX512) run = run_avx512;
#elif defined(__aarch64__)
    if (level == JM_CPU_NEON) run = run_neon;
#else
    (void)level;
#endif
    double best = 0;
    uint64_t begin = jm_clock_ns();
    for (int round = 0; round < ROUNDS && jm_clock_ns() - begin < 30000000; round++) {
        uint64_t from = jm_clock_ns();
        double operations = run();
        uint64_t to = jm_clock_ns();
        if (to > from) best = fmax(best, operations / ((double)(to - from) * 1e-9));
    }
    return best;
}

/* ---- Streams: as many loads and stores at a time as hide their latency ---- */

#define STREAM_RUN (16 * (int)(sizeof(vector) / sizeof(float))) /* floats of one round: divides 256 at every level */

/* The bodies of one level; `vector` is its widest type. The sums are stored, so that the loads happen. */
#define STREAMS(name, attribute, vector_type)                                                                          \
    attribute static void name(jm_stream stream, float *memory, size_t floats)                                         \
    {                                                                                                                  \
        typedef vector_type vector;                                                                                    \
        const vector one = {1};                                                                                        \
        vector sum[4] = {one, one, one, one};                                                                          \
        const size_t half = floats / 2;                                                                                \
        if (stream == JM_STREAM_READ) {                                                                                \
            for (size_t i = 0; i < floats; i += STREAM_RUN)                                                            \
                for (int k = 0; k < 16; k++) sum[k % 4] += ((const vector *)(memory + i))[k];                          \
        } else if (stream == JM_STREAM_WRITE) {                                                                        \
            for (size_t i = 0; i < floats; i += STREAM_RUN)                                                            \
                for (int k = 0; k < 16; k++) ((vector *)(memory + i))[k] = one;                                        \
        } else {                                                                                                       \
            for (size_t i = 0; i < half; i += STREAM_RUN / 2)                                                          \
                for (int k = 0; k < 8; k++)                                                                            \
                    ((vector *)(memory + half + i))[k] = ((const vector *)(memory + i))[k] + one;                      \
        }                                                                                                              \
        volatile vector sink = sum[0] + sum[1] + sum[2] + sum[3];                                                      \
        (void)sink;                                                                                                    \
    }

typedef float floats4 __attribute__((vector_size(16), may_alias));
STREAMS(stream_baseline, , floats4)
#if defined(__x86_64__)
typedef float floats8 __attribute__((vector_size(32), may_alias));
typedef float floats16 __attribute__((vector_size(64), may_alias));
STREAMS(stream_avx2, __attribute__((target("avx2"))), floats8)
STREAMS(stream_avx512, __attribute__((target("avx512f"))), floats16)
#endif

void jm_stream_pass(jm_cpu_level level, jm_stream stream, void *memory, size_t bytes)
{
    void (*pass)(jm_stream, float *, size_t) = stream_baseline;
#if defined(__x86_64__)
    if (level == JM_CPU_AVX2) pass = stream_avx2;
    if (level == JM_CPU_AVX512) pass = stream_avx512;
#else
    (void)level;
#endif
    pass(stream, memory, bytes / sizeof(float));
}
