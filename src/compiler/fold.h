/* SPDX-License-Identifier: Apache-2.0
 *
 * One node at a time: shapes, then its value when all inputs are constant, or the simpler nodes that it stands for.
 */
#ifndef JUMAR_COMPILER_FOLD_H
#define JUMAR_COMPILER_FOLD_H

#include "compiler/graph.h"

/* Infers the outputs of `node`. A composite operator becomes the nodes it emits, each settled, and is killed. When
 * every input is constant and the result is small enough to keep, computes it with the operator's own plain form: the
 * outputs become constants and the node is killed. Graph outputs are left to run time. All shapes must be known by now:
 * JM_INVALID_ARGUMENT names an output whose size is not. */
JM_MUST_USE jm_status jm_node_settle(jm_graph *graph, jm_node *node);

/* lower.c. True for a node whose operator is made of others. */
bool jm_node_composite(const jm_node *node);
/* lower.c. The nodes of a composite, whose outputs are inferred, in place of it. */
JM_MUST_USE jm_status jm_node_lower(jm_graph *graph, jm_node *node);

#endif
