/* SPDX-License-Identifier: Apache-2.0
 *
 * The FMA peak of one core, measured: what reports call 100 %.
 */
#ifndef JUMAR_KERNELS_PEAK_H
#define JUMAR_KERNELS_PEAK_H

#include "kernels/kernels.h"

/* Floating-point operations per second of independent fused multiply-adds in registers, f32, at this level, on the
 * calling thread: the best of several rounds, about 30 ms in all. The CPU must have the level. */
double jm_fma_peak(jm_cpu_level level);

#endif
