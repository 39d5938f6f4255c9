/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of jm_pass_layout, in their order.
 */
#ifndef JUMAR_COMPILER_LAYOUT_H
#define JUMAR_COMPILER_LAYOUT_H

#include "compiler/graph.h"
#include "compiler/role.h"

/* layout.c. Chooses a form for every node and a layout for every value; where a reader wants another layout, a Reorder
 * stands between. Nodes that will be views are marked `elided`. */
JM_MUST_USE jm_status jm_choose_forms(jm_graph *graph);

/* channel_map.c. Gives every C16 value its channel map, so that pieces of elided nodes lie in whole blocks; a Reorder
 * stands where that is not possible. */
JM_MUST_USE jm_status jm_assign_channel_maps(jm_graph *graph);

/* views.c. Places values of elided nodes inside each other, then outputs over inputs. A Reorder copies a piece that
 * cannot lie where it is wanted. */
JM_MUST_USE jm_status jm_arrange_views(jm_graph *graph);

/* views.c. The value that may lie over the output of a Concat along the last of three or more dimensions: its slices
 * are the pieces, each where it was, after element-wise steps only. Then slices that are joined unchanged are not
 * copied. Nobody else reads the value. NULL when there is none. */
jm_value *jm_overlaid_value(const jm_node *concat);
/* layout.c. A copy of `value` in another (or the same) layout: a new value written by a new Reorder at the end of the
 * node list. NULL with a last error on failure. */
jm_value *jm_insert_reorder(jm_graph *graph, jm_value *value, jm_layout layout);
/* layout.c. The id of the node's form with these layouts; false when it has none. */
bool jm_find_form(const jm_node *node, jm_layout in, jm_layout out, uint8_t *id);

#endif
