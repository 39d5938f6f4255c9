/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of an element when another one arrives at its place: for operators that scatter.
 */
#ifndef JUMAR_OPS_JOIN_H
#define JUMAR_OPS_JOIN_H

#include "ops/indexing.h"

typedef enum jm_joining { JM_JOIN_REPLACE, JM_JOIN_ADD, JM_JOIN_MUL, JM_JOIN_MIN, JM_JOIN_MAX } jm_joining;

/* Joins the elements of a slab to those at `out`, in the arithmetic of their type: floats round once, NaN wins,
 * integers wrap, true + true is true. Stream 0 of the walk is `from`, stream 1 `out`. Not for JM_JOIN_REPLACE. */
void jm_join(jm_joining how, jm_dtype dtype, const jm_walk *elements, char *out, const char *from);

#endif
