/* SPDX-License-Identifier: Apache-2.0
 *
 * The passes of jm_compile. Each takes a graph that jm_graph_verify accepts and leaves one; each is a single idea,
 * told in a sentence here. Their order is in compiler.c.
 */
#ifndef JUMAR_COMPILER_PASSES_H
#define JUMAR_COMPILER_PASSES_H

#include "compiler/graph.h"

/* ---- Shapes and constants ---- */

/* fold.c. Sorts the nodes, infers every shape and computes what depends on constants only. */
JM_MUST_USE jm_status jm_pass_infer(jm_graph *graph);

#endif
