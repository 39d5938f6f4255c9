/* SPDX-License-Identifier: Apache-2.0
 *
 * Linear maps of the last two dimensions that are one sparse matrix for the rows and one for the columns: means over
 * windows, interpolation, and the gradients of both, which are the transposed matrices.
 */
#ifndef JUMAR_OPS_SEPARABLE_H
#define JUMAR_OPS_SEPARABLE_H

#include "ops/op.h"

/* Output o is the sum of weight[e] * input[index[e]] for e from first[o] to first[o + 1], in this order. */
typedef struct jm_sparse_axis {
    int64_t in, out;
    int64_t *first; /* [out + 1] */
    int32_t *index;
    float *weight;
} jm_sparse_axis;

/* A matrix of `out` rows with `entries` entries to fill; first[0] is 0. JM_OUT_OF_MEMORY; JM_OUT_OF_RANGE: sizes above
 * 2^31. */
JM_MUST_USE jm_status jm_sparse_create(jm_arena *arena, int64_t in, int64_t out, int64_t entries, jm_sparse_axis *axis);
/* The matrix of the gradient. Entries of a row come in ascending order of their index. */
JM_MUST_USE jm_status jm_sparse_transpose(jm_arena *arena, const jm_sparse_axis *axis, jm_sparse_axis *out);

/* A plan of output 0 from input `input`: both have the same rank of 2 or more and the same dimensions but the last two,
 * which are those of axis[0] (rows) and axis[1] (columns). float32, float16 or bfloat16, computed in float32. The axes
 * must live as long as the plan. */
JM_MUST_USE jm_status jm_separable_plan(const jm_call *call, int input, const jm_sparse_axis axis[2],
                                        const jm_machine *machine, jm_arena *arena, jm_plan *plan);
/* `run` of an operator with such a plan. */
void jm_separable_run(const jm_plan *plan, const jm_run *run);

#endif
