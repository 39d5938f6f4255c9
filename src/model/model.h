/* SPDX-License-Identifier: Apache-2.0
 *
 * The .om container and the execution of a compiled graph. docs/om-format.md describes the file.
 */
#ifndef JUMAR_MODEL_MODEL_H
#define JUMAR_MODEL_MODEL_H

#include <stdio.h>

#include "compiler/graph.h"
#include "device/device.h"

/* Writes a compiled graph as .om: complete or not at all. JM_IO: cannot write (folder, disk full). */
JM_MUST_USE jm_status jm_om_write(const jm_graph *graph, const char *path);

/* Reads an .om. Weights of a file are used in place through mmap; jm_om_read_memory copies. Checks magic, version,
 * section table, checksums of everything, counts, references and shapes; runs check, infer and view resolution.
 * JM_CORRUPT names what is wrong; JM_UNSUPPORTED for another vendor's .om ("compile the ONNX again") or a newer
 * version. The graph keeps the map until destroyed. */
JM_MUST_USE jm_status jm_om_read(const char *path, jm_graph **out);
JM_MUST_USE jm_status jm_om_read_memory(const void *data, size_t size, jm_graph **out);

/* A graph planned for one machine and thread count, with its memory. One run at a time. */
typedef struct jm_program jm_program;

/* Plans every node, places buffers, allocates arena and scratch with jm_alloc. The graph is borrowed.
 * `machine` says which kernels and how many threads. *out is NULL on failure. */
JM_MUST_USE jm_status jm_program_create(jm_graph *graph, const jm_machine *machine, jm_program **out);
void jm_program_destroy(jm_program *program);

/* Addresses of the graph's inputs and outputs for the next run (contiguous plain tensors, aligned to the element).
 * Takes effect when that run begins; the arrays are copied. */
void jm_program_bind(jm_program *program, void *const *inputs, void *const *outputs);
/* The steps of one run, for a jm_work; valid while the program lives. Step 0 binds addresses. */
void jm_program_steps(jm_program *program, const jm_step **step, size_t *steps);
/* Runs on the calling thread alone, without a device. The status is the kernels' fault, if any. */
JM_MUST_USE jm_status jm_program_run(jm_program *program);
/* Debugging and tests: fills the arena with NaN before every run. */
void jm_program_set_poison(jm_program *program, bool on);

/* Facts for reports. */
typedef struct jm_program_info {
    size_t steps, chunks;
    size_t arena_bytes, arena_lower_bound, scratch_bytes, weight_bytes;
    double flops;
} jm_program_info;
void jm_program_get_info(const jm_program *program, jm_program_info *info);
typedef enum jm_timing {
    JM_TIMING_OFF,
    JM_TIMING_WALL,
    JM_TIMING_PROCESSOR, /* step_ns is processor time */
} jm_timing;
/* Node of a step (NULL for the binding step) and nanoseconds it took in the last run, when timing is on: step_ns is
 * summed over cores, step_wall_ns is from the begin of its first chunk to the end of its last one. */
void jm_program_set_timing(jm_program *program, jm_timing timing);
const jm_node *jm_program_step_node(const jm_program *program, size_t step);
uint64_t jm_program_step_ns(const jm_program *program, size_t step);
uint64_t jm_program_step_wall_ns(const jm_program *program, size_t step);

#endif
