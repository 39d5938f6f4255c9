/* SPDX-License-Identifier: Apache-2.0
 *
 * What every correct graph satisfies, between any two passes and after reading an .om.
 */
#ifndef JUMAR_COMPILER_VERIFY_H
#define JUMAR_COMPILER_VERIFY_H

#include "compiler/graph.h"

/* Checks in linear time that
 *   - ids, producers, uses and the input and output lists agree; no node is dead;
 *   - nodes are in execution order: every value is produced once, before it is read;
 *   - graph inputs and outputs are plain, own their storage and are different values; outputs are produced by nodes;
 *   - layouts suit values (constants plain or packed, C16 from rank 3 on) and channel maps are well formed;
 *   - a node that is not elided writes no storage of a constant or a graph input, and its arguments have the layouts
 *     that its form asks for;
 *   - an elided node is one of the operators that can be a view, and its arguments share one storage.
 * JM_CORRUPT names the first violation. Pure; view bounds are the business of jm_graph_resolve_views. */
JM_MUST_USE jm_status jm_graph_verify(const jm_graph *graph);

#endif
