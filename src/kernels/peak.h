/* SPDX-License-Identifier: Apache-2.0
 *
 * The FMA peak of one core and streams through memory, measured: what reports compare kernels with.
 */
#ifndef JUMAR_KERNELS_PEAK_H
#define JUMAR_KERNELS_PEAK_H

#include "kernels/kernels.h"

/* Floating-point operations per second of independent fused multiply-adds in registers, f32, at this level, on the
 * calling thread: the best of several rounds, about 30 ms in all. The CPU must have the level. */
double jm_fma_peak(jm_cpu_level level);

typedef enum jm_stream {
    JM_STREAM_READ,  /* every byte is read */
    JM_STREAM_WRITE, /* every byte is written */
    JM_STREAM_COPY,  /* the first half is read and the second half written */
    JM_STREAM_COUNT
} jm_stream;

/* Goes once through `bytes` bytes (a multiple of 1024) at `memory`, which is aligned to 64 bytes and holds floats, with
 * the widest loads and stores of this level. The CPU must have the level. */
void jm_stream_pass(jm_cpu_level level, jm_stream stream, void *memory, size_t bytes);

#endif
