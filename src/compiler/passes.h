/* SPDX-License-Identifier: Apache-2.0
 *
 * The passes of jm_compile. Each takes a graph that jm_graph_verify accepts and leaves one; each is a single idea,
 * told in a sentence here. Their order is in compiler.c.
 */
#ifndef JUMAR_COMPILER_PASSES_H
#define JUMAR_COMPILER_PASSES_H

#include "compiler/graph.h"

/* ---- Shapes and constants ---- */

/* lower.c. Composite operators become simpler ones. What the importer made is so already. */
JM_MUST_USE jm_status jm_pass_lower(jm_graph *graph);
/* fold.c. Sorts the nodes, infers every shape and computes what depends on constants only. */
JM_MUST_USE jm_status jm_pass_infer(jm_graph *graph);
/* simplify.c. Removes what changes nothing and writes the rest in its simplest form, with the same bits. */
JM_MUST_USE jm_status jm_pass_simplify(jm_graph *graph);

/* ---- Simplification ---- */

/* activations.c. Spelled-out activations become one node: x * Sigmoid(x) -> Silu. */
JM_MUST_USE jm_status jm_pass_activations(jm_graph *graph);
/* fuse.c. Scales, shifts, activations, additions and padding go into the convolution or Gemm beside them. */
JM_MUST_USE jm_status jm_pass_fuse(jm_graph *graph);
/* focus.c. Space to depth before a convolution becomes a larger kernel with a stride. */
JM_MUST_USE jm_status jm_pass_focus(jm_graph *graph);
/* softmax_dot.c. The boxes of YOLOv8: Softmax and a dot product with constants become one node. */
JM_MUST_USE jm_status jm_pass_softmax_dot(jm_graph *graph);
/* pieces.c. Channel shuffles are recognised, Splits become Slices, slices that meet again are joined. */
JM_MUST_USE jm_status jm_pass_pieces(jm_graph *graph);

/* ---- Placement; all shapes are known ---- */

/* layout.c. Forms, layouts, Reorders, channel maps and views: what runs, and where each value lies. */
JM_MUST_USE jm_status jm_pass_layout(jm_graph *graph);
/* pack.c. Constants in the order their forms read. */
JM_MUST_USE jm_status jm_pass_pack(jm_graph *graph);
/* schedule.c. An order of execution that keeps little memory alive. */
JM_MUST_USE jm_status jm_pass_schedule(jm_graph *graph);

#endif
