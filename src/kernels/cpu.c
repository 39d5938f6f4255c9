/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <unistd.h>

#include "kernels/kernels.h"

#ifdef __x86_64__
#include <cpuid.h>

/* Register state that the operating system saves (XCR0); 0 when it does not use XSAVE. */
static unsigned saved_state(unsigned leaf1_ecx)
{
    if (!(leaf1_ecx & bit_OSXSAVE)) return 0;
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has(unsigned value, unsigned bits)
{
    return (value & bits) == bits;
}

static jm_cpu_level ask(void)
{
    enum { STATE_AVX = 0x06, STATE_AVX512 = 0xe6 }; /* SSE and AVX; also opmask, upper halves, upper registers */
    const unsigned avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL | bit_AVX512CD;
    unsigned a, b, c, d, b7, c7, d7;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !__get_cpuid_count(7, 0, &a, &b7, &c7, &d7)) return JM_CPU_REFERENCE;
    unsigned state = saved_state(c);
    if (!has(state, STATE_AVX) || !has(c, bit_AVX | bit_FMA | bit_F16C) || !has(b7, bit_AVX2)) return JM_CPU_REFERENCE;
    if (!has(state, STATE_AVX512) || !has(b7, avx512)) return JM_CPU_AVX2;
    return JM_CPU_AVX512;
}

jm_cpu_level jm_cpu_detect(void)
{
    /* The instruction leaves a virtual machine, for 20 us, and every eager call wants to know: asked once. */
    static atomic_int known = -1;
    int level = atomic_load_explicit(&known, memory_order_relaxed);
    if (level < 0) {
        level = (int)ask();
        atomic_store_explicit(&known, level, memory_order_relaxed);
    }
    return (jm_cpu_level)level;
}

#else

jm_cpu_level jm_cpu_detect(void)
{
    return (jm_cpu_level)(JM_CPU_LEVELS - 1); /* nothing that a CPU of these architectures may lack */
}

#endif

const char *jm_cpu_level_text(jm_cpu_level level)
{
    static const char *const text[] = {
#define LEVEL_TEXT(name, word) word,
        JM_CPU_LEVEL_LIST(LEVEL_TEXT)
#undef LEVEL_TEXT
    };
    return (unsigned)level < JM_CPU_LEVELS ? text[level] : "unknown";
}

/* Asking the processor may leave a virtual machine, so it is asked once. */
static atomic_size_t caches[2];

static size_t cache_size(int level, int name, size_t typical)
{
    size_t size = atomic_load_explicit(&caches[level], memory_order_relaxed);
    if (size) return size;
    long found = name < 0 ? 0 : sysconf(name);
    size = found > 0 ? (size_t)found : typical;
    atomic_store_explicit(&caches[level], size, memory_order_relaxed);
    return size;
}

void jm_cpu_caches(size_t *l1, size_t *l2)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
    *l1 = cache_size(0, _SC_LEVEL1_DCACHE_SIZE, 32 * 1024);
    *l2 = cache_size(1, _SC_LEVEL2_CACHE_SIZE, 512 * 1024);
#else
    *l1 = cache_size(0, -1, 32 * 1024);
    *l2 = cache_size(1, -1, 512 * 1024);
#endif
}
