/* SPDX-License-Identifier: Apache-2.0
 *
 * One node at a time: shapes, then its value when all inputs are constant.
 */
#ifndef JUMAR_COMPILER_FOLD_H
#define JUMAR_COMPILER_FOLD_H

#include "compiler/graph.h"

/* Infers the outputs of `node`. When every input is constant and the result is small enough to keep, computes it with
 * the operator's own plain form: the outputs become constants and the node is killed. Graph outputs are left to run
 * time. All shapes must be known by now: JM_INVALID_ARGUMENT names an output whose size is not. */
JM_MUST_USE jm_status jm_node_settle(jm_graph *graph, jm_node *node);

#endif
