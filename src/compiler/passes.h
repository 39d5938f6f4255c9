/* SPDX-License-Identifier: Apache-2.0
 *
 * The passes of jm_compile. Each takes a graph that jm_graph_verify accepts and leaves one; each is a single idea,
 * told in a sentence here. Their order is in compiler.c.
 */
#ifndef JUMAR_COMPILER_PASSES_H
#define JUMAR_COMPILER_PASSES_H

#include "compiler/graph.h"

/* ---- Shapes and constants ---- */

/* lower.c. Composite operators become simpler ones. */
JM_MUST_USE jm_status jm_pass_lower(jm_graph *graph);
/* fold.c. Sorts the nodes, infers every shape and computes what depends on constants only. */
JM_MUST_USE jm_status jm_pass_infer(jm_graph *graph);
/* simplify.c. Removes what changes nothing and writes the rest in its simplest form, with the same bits. */
JM_MUST_USE jm_status jm_pass_simplify(jm_graph *graph);

#endif
