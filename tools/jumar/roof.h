/* SPDX-License-Identifier: Apache-2.0
 *
 * The least time that a step of a model could take on this machine: its multiply-adds at the measured FMA peak, or its
 * bytes at the bandwidth of the cache that holds them, whichever is longer. Activations are not part of it.
 */
#ifndef JUMAR_TOOLS_ROOF_H
#define JUMAR_TOOLS_ROOF_H

#include "jumar/session.h"
#include "kernels/peak.h"
#include "ops/op.h"

typedef enum roof_level { ROOF_L1, ROOF_L2, ROOF_L3, ROOF_MEMORY, ROOF_LEVELS } roof_level;

/* Measured rates of `threads` cores together. */
typedef struct roof {
    const jm_kernels *kernels;
    unsigned threads;
    double peak;                                    /* floating-point operations a second */
    size_t capacity[ROOF_LEVELS];                   /* bytes that fit, L1 and L2 of all cores; memory: SIZE_MAX */
    size_t measured[ROOF_LEVELS];                   /* bytes that the streams went through */
    double bandwidth[ROOF_LEVELS][JM_STREAM_COUNT]; /* bytes a second; a copy counts what it reads and writes */
    double activation_ns[JM_ACT_COUNT];             /* an element, on one core, in the first cache; 0: not measured */
} roof;

/* What bounds a step. */
typedef struct roof_bound {
    double ns, compute_ns, memory_ns; /* ns is the larger of the two */
    const char *word; /* which one: "fma", "winograd" (fewer multiply-adds than the operator has), "memory" */
    roof_level level; /* of what the step touches */
} roof_bound;

/* Sizes of this machine; nothing is measured yet. At most as many threads count as there are cores. */
void roof_init(roof *r, const jm_kernels *kernels, unsigned threads);
/* Measures peak and bandwidths for about half a second and keeps the best of all calls. */
JM_MUST_USE jm_status roof_measure(roof *r);
const char *roof_level_text(roof_level level);

/* `footprint`: bytes that one run of the whole model touches. Weights come from where those fit, because all else was
 * touched since their last use; the rest comes from where the step's own bytes fit. */
roof_bound roof_of(const roof *r, const jumar_step_info *step, uint64_t footprint);
/* Nanoseconds of the step's activation when it is done by itself on all cores; 0 when it has none. */
double roof_activation(roof *r, const jumar_step_info *step);

#endif
