/* SPDX-License-Identifier: Apache-2.0
 *
 * A model on a device, for every input shape that it takes (gears.h). The shape in the .om is planned when the model
 * is loaded; each other one is compiled from the ONNX model in the .om when it is first wanted, shares its packed
 * weights with the others, and is dropped when too many others were wanted since.
 */
#ifndef JUMAR_MODEL_VARIANTS_H
#define JUMAR_MODEL_VARIANTS_H

#include "model/gears.h"
#include "model/loaded.h"

typedef struct jm_variants jm_variants;

/* Compiled shapes that are kept beside that of the .om, when none of them is in use. */
enum { JM_VARIANTS_KEPT = 16 };

/* Loads the graph of an .om on the device of the current context. Takes the graph over, also on failure.
 * JM_BAD_STATE: no context. JM_CORRUPT: its shapes are not described well. *out is NULL on failure. */
JM_MUST_USE jm_status jm_variants_create(jm_graph *graph, jm_variants **out);
/* Waits until no run is under way. Accepts NULL. No other call may be under way. */
void jm_variants_destroy(jm_variants *variants);

/* The model in the shape of the .om: the largest. */
jm_loaded *jm_variants_default(const jm_variants *variants);
/* Which shapes there are; of the kind NONE when there is one. Its inputs are those of the graph, in an order of their
 * own. */
const jm_gears *jm_variants_gears(const jm_variants *variants);

/* The model for these shapes of all inputs, in the order of jm_gears, compiled now if it has to be. It stays until it
 * is released. Thread-safe. JM_INVALID_ARGUMENT: the model does not take the shapes. Other errors are those of
 * compiling. *out is NULL on failure. */
JM_MUST_USE jm_status jm_variants_acquire(jm_variants *variants, const jm_shape *shape, jm_loaded **out);
void jm_variants_release(jm_variants *variants, jm_loaded *model);

/* The shapes that a caller chose last, for later questions about them; those of the .om before that. */
JM_MUST_USE jm_status jm_variants_select(jm_variants *variants, const jm_shape *shape);
JM_MUST_USE jm_status jm_variants_acquire_selected(jm_variants *variants, jm_loaded **out);

#endif
