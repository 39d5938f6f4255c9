/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about this machine and process: clock, cores, memory, environment; and the CRC of file sections.
 */
#ifndef JUMAR_BASE_SYSTEM_H
#define JUMAR_BASE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Monotonic nanoseconds. */
uint64_t jm_clock_ns(void);
/* Nanoseconds that the calling thread has spent on a core: free of the machine's other work. A system call. */
uint64_t jm_thread_clock_ns(void);
/* Cores this process may use: the affinity mask, cut by the cgroup CPU quota (rounded up); at least 1. */
unsigned jm_core_count(void);
/* Bytes of a page of memory, the least that mmap and munmap work on: 4 KiB on x86-64, 4, 16 or 64 KiB on aarch64. */
size_t jm_page_size(void);
/* Peak resident set of this process in bytes; 0 when unknown. */
uint64_t jm_peak_memory(void);
/* An integer environment variable. *value = `fallback` when unset or empty; JM_INVALID_ARGUMENT (naming the
 * variable, its text and the range) when it is not a decimal number in [low, high]. */
JM_MUST_USE jm_status jm_env_int(const char *name, int64_t low, int64_t high, int64_t fallback, int64_t *value);
/* CRC-32C (Castagnoli, reflected 0x82F63B78, initial and final inversion) of `size` bytes, continuing from
 * `crc` (0 to begin). */
uint32_t jm_crc32c(uint32_t crc, const void *data, size_t size);
/* The same without the CPU's instruction, for machines that lack it. */
uint32_t jm_crc32c_by_table(uint32_t crc, const void *data, size_t size);

#endif
