/* SPDX-License-Identifier: Apache-2.0 */
#include "base/system.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

#include "base/alloc.h"

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t jm_clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t jm_thread_clock_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* Cores that the cgroup (version 2, else 1) lets this process use at once; UINT_MAX without a quota. */
static unsigned cgroup_cores(void)
{
    long long quota = -1, period = 0;
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (file) {
        if (fscanf(file, "%lld %lld", &quota, &period) != 2) quota = -1;
        fclose(file);
    } else {
        file = fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "re");
        if (file) {
            if (fscanf(file, "%lld", &quota) != 1) quota = -1;
            fclose(file);
        }
        file = fopen("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "re");
        if (file) {
            if (fscanf(file, "%lld", &period) != 1) period = 0;
            fclose(file);
        }
    }
    if (quota <= 0 || period <= 0) return ~0u;
    return (unsigned)((quota + period - 1) / period);
}

unsigned jm_core_count(void)
{
    unsigned cores = 1;
    /* The mask grows until the kernel accepts it: machines may have more than CPU_SETSIZE processors. */
    for (int processors = CPU_SETSIZE; processors <= 1 << 16; processors *= 2) {
        cpu_set_t *mask = CPU_ALLOC((size_t)processors);
        if (!mask) break;
        size_t bytes = CPU_ALLOC_SIZE((size_t)processors);
        int failed = sched_getaffinity(0, bytes, mask);
        if (!failed) cores = (unsigned)CPU_COUNT_S(bytes, mask);
        CPU_FREE(mask);
        if (!failed || errno != EINVAL) break;
    }
    unsigned allowed = cgroup_cores();
    return JM_MAX(JM_MIN(cores, allowed), 1);
}

size_t jm_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

uint64_t jm_peak_memory(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage)) return 0;
    return (uint64_t)usage.ru_maxrss * 1024u;
}

jm_status jm_env_int(const char *name, int64_t low, int64_t high, int64_t fallback, int64_t *value)
{
    const char *text = getenv(name);
    *value = fallback;
    if (!text || !*text) return JM_OK;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno || *end || number < low || number > high)
        return jm_error(JM_INVALID_ARGUMENT, "environment variable %s is '%s'; it must be a number from %lld to %lld",
                        name, text, (long long)low, (long long)high);
    *value = number;
    return JM_OK;
}

/* ---- CRC-32C ---- */

/* table[k][b]: CRC of byte b followed by k zero bytes, so that eight bytes are taken at a time. */
static uint32_t crc_table[8][256];
static pthread_once_t crc_once = PTHREAD_ONCE_INIT;

static void fill_crc_table(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
        crc_table[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < 256; byte++)
        for (int k = 1; k < 8; k++)
            crc_table[k][byte] = crc_table[k - 1][byte] >> 8 ^ crc_table[0][crc_table[k - 1][byte] & 255];
}

uint32_t jm_crc32c_by_table(uint32_t crc, const void *bytes, size_t size)
{
    const unsigned char *data = bytes;
    crc = ~crc;
    pthread_once(&crc_once, fill_crc_table);
    for (; size >= 8; size -= 8, data += 8) {
        uint32_t low, high;
        memcpy(&low, data, 4);
        memcpy(&high, data + 4, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        low = __builtin_bswap32(low);
        high = __builtin_bswap32(high);
#endif
        low ^= crc;
        crc = crc_table[7][low & 255] ^ crc_table[6][low >> 8 & 255] ^ crc_table[5][low >> 16 & 255] ^
              crc_table[4][low >> 24] ^ crc_table[3][high & 255] ^ crc_table[2][high >> 8 & 255] ^
              crc_table[1][high >> 16 & 255] ^ crc_table[0][high >> 24];
    }
    for (; size; size--, data++) crc = crc >> 8 ^ crc_table[0][(crc ^ *data) & 255];
    return ~crc;
}

#if defined(__x86_64__)
/* The instruction computes the same polynomial, eight bytes in three cycles. */
__attribute__((target("sse4.2"))) static uint32_t crc_by_instruction(uint32_t crc, const unsigned char *data,
                                                                     size_t size)
{
    uint64_t wide = crc;
    for (; size >= 8; size -= 8, data += 8) {
        uint64_t word;
        memcpy(&word, data, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    for (; size; size--, data++) crc = _mm_crc32_u8(crc, *data);
    return crc;
}
#endif

uint32_t jm_crc32c(uint32_t crc, const void *data, size_t size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) return ~crc_by_instruction(~crc, data, size);
#endif
    return jm_crc32c_by_table(crc, data, size);
}
