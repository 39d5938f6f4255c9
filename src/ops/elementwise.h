/* SPDX-License-Identifier: Apache-2.0
 *
 * The walk shared by all element-wise operators: one output and up to three inputs of any strides, dtypes and
 * broadcasting, plain or C16, presented to a kernel as rows.
 *
 * A C16 tensor is walked as the plain tensor [N][blocks][spatial ...][16] that it is in memory, so lanes without a
 * channel are computed too; their values do not matter.
 */
#ifndef JUMAR_OPS_ELEMENTWISE_H
#define JUMAR_OPS_ELEMENTWISE_H

#include "kernels/pointwise.h"
#include "ops/op.h"

#define JM_ELEMENTWISE_INPUTS 3
/* C16 has one dimension more than its shape. */
#define JM_ELEMENTWISE_RANK (JM_MAX_RANK + 1)

/* Computes n elements. Each operand is of its compute dtype. `step` says how each input advances: JM_STEP_GROUP or
 * JM_STEP_LANES of kernels/pointwise.h. `y` may be exactly in[0]. */
typedef void (*jm_elementwise_kernel)(const void *context, void *y, const void *const in[JM_ELEMENTWISE_INPUTS],
                                      const size_t step[JM_ELEMENTWISE_INPUTS], size_t n);

/* Operand 0 is the output, operand 1 + i is input i. */
typedef struct jm_elementwise_operand {
    jm_dtype dtype;   /* in memory */
    jm_dtype compute; /* as the kernel wants it */
    bool flat;        /* no gaps in the order of the walk */
    bool scalar;      /* one element for all */
    size_t row_step;  /* direct walk: JM_STEP_GROUP, JM_STEP_LANES */
    int64_t stride[JM_ELEMENTWISE_RANK];
} jm_elementwise_operand;

typedef struct jm_elementwise {
    int rank; /* after merging dimensions; at least 1 */
    int operands;
    int64_t dim[JM_ELEMENTWISE_RANK];
    jm_elementwise_operand operand[1 + JM_ELEMENTWISE_INPUTS];
    int64_t count;
    int64_t per_chunk; /* elements, a multiple of 16 */
    bool direct;       /* rows are passed to the kernel where they lie; else in pieces through buffers */
    int row_dims;      /* direct: innermost dimensions that make a row */
    int64_t row;       /* elements of a row */
} jm_elementwise;

/* Describes `call` (first output, inputs 0 .. inputs-1, of which none is absent; at most JM_ELEMENTWISE_INPUTS).
 * compute[0] is the kernel's dtype of the output, compute[1 + i] of input i. Inputs broadcast to the output.
 * A packed input is what jm_elementwise_pack wrote. Fills plan->chunks and plan->scratch.
 * JM_INVALID_ARGUMENT: an input's shape or layout does not fit the output's. */
JM_MUST_USE jm_status jm_elementwise_plan(const jm_call *call, int inputs, const jm_dtype compute[],
                                          jm_elementwise *walk, jm_plan *plan);

/* Runs the kernel over one chunk. */
void jm_elementwise_run(const jm_elementwise *walk, const jm_run *run, jm_elementwise_kernel kernel,
                        const void *context);

/* Forms of an element-wise call of `inputs` tensor inputs: plain, and C16 (id 1) when all dtypes are float32 and every
 * input is a tensor of the output's rank with equal or broadcast dimensions and all channels, a constant, or a single
 * plain element of rank below 3. `ns` is the arithmetic of one element. Constants with more than one element are
 * packed. Output 0 may lie over input 0 when their shapes and element sizes are equal. */
int jm_elementwise_forms(const jm_call *call, int inputs, double ns, jm_form forms[JM_MAX_FORMS]);

/* pack_bytes and pack of constant operands: [N][blocks][spatial ...][16] of the constant's own dims, channels placed
 * by the output's map; a single channel is repeated in all 16 lanes. */
JM_MUST_USE jm_status jm_elementwise_pack_bytes(const jm_call *call, const jm_form *form, int input, size_t *bytes);
JM_MUST_USE jm_status jm_elementwise_pack(const jm_call *call, const jm_form *form, int input, void *packed);

/* The dtype in which kernels compute on elements of `dtype`: float32 for float16 and bfloat16, float64, int32 for
 * bool and integers that it holds, int64 for the others. */
jm_dtype jm_compute_dtype(jm_dtype dtype);

#endif
