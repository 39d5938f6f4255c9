/* SPDX-License-Identifier: Apache-2.0
 *
 * What a convolution or matrix product does to its sums while they are in the first cache: residual and activation.
 */
#ifndef JUMAR_OPS_EPILOGUE_H
#define JUMAR_OPS_EPILOGUE_H

#include "kernels/kernels.h"
#include "ops/op.h"

/* Applies the epilogue to n contiguous sums, in place. `residual` has n elements too; it is not read, and may be NULL,
 * when the epilogue has none. */
void jm_epilogue_apply(const jm_kernels *kernels, const jm_epilogue *epilogue, float *sum, const float *residual,
                       size_t n);

/* True when jm_epilogue_apply changes anything. */
static inline bool jm_epilogue_active(const jm_epilogue *epilogue)
{
    return epilogue->activation != JM_ACT_NONE || epilogue->residual != JM_RESIDUAL_NONE;
}

/* Takes Relu or Clip out of the epilogue when it comes first: true when the sums x are to become
 * min(*high, max(*low, x)) before what is left. Kernels do so with their sums in registers. */
bool jm_epilogue_take_clamp(jm_epilogue *epilogue, float *low, float *high);

/* The same for LeakyRelu: negative sums are to be multiplied by *slope. */
bool jm_epilogue_take_leak(jm_epilogue *epilogue, float *slope);

/* The operator that the activation is: "Silu"; "" for JM_ACT_NONE. */
const char *jm_activation_text(jm_activation activation);

/* Nanoseconds an element on the nominal core, for the costs of forms. */
double jm_epilogue_cost(const jm_epilogue *epilogue);

#endif
