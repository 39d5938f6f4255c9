/* SPDX-License-Identifier: Apache-2.0
 *
 * A model on a device of the runtime: a program whose runs are commands of streams. A program has one arena, so runs
 * are kept apart: a run waits for the one before it, whatever stream that is on. Addresses are bound when a run begins.
 */
#ifndef JUMAR_MODEL_LOADED_H
#define JUMAR_MODEL_LOADED_H

#include "model/model.h"
#include "runtime/runtime.h"

typedef struct jm_loaded jm_loaded;

/* Plans the graph for the device of the current context. Takes the graph over, also on failure.
 * JM_BAD_STATE: no context. *out is NULL on failure. */
JM_MUST_USE jm_status jm_loaded_create(jm_graph *graph, jm_loaded **out);
/* Waits until no run is under way. Accepts NULL. No other call on the model may be under way. */
void jm_loaded_destroy(jm_loaded *model);

const jm_graph *jm_loaded_graph(const jm_loaded *model);
void jm_loaded_info(const jm_loaded *model, jm_program_info *info);
/* The device it was loaded on. */
int jm_loaded_device(const jm_loaded *model);

/* Both take one address per input, then one per output, already resolved with jm_device_pointer; the array is copied.
 * Thread-safe.
 * JM_BAD_STATE: the context in which the model was loaded is gone.
 * run: returns when the outputs are written, with the fault of this run.
 * submit: puts the run on a stream (not NULL) and returns; its fault becomes the stream's error. */
JM_MUST_USE jm_status jm_loaded_run(jm_loaded *model, void *const *address);
JM_MUST_USE jm_status jm_loaded_submit(jm_loaded *model, void *const *address, jm_stream *stream);

#endif
