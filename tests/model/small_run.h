/* SPDX-License-Identifier: Apache-2.0 */
#ifndef JUMAR_TESTS_MODEL_SMALL_RUN_H
#define JUMAR_TESTS_MODEL_SMALL_RUN_H

#include "compiler/graph.h"

/* Plans a graph and, where it asks for little memory and work, runs it on zeroed memory of exactly the sizes that it
 * asks for. What comes of it does not matter; for sanitizers. */
void small_run(jm_graph *graph);

#endif
