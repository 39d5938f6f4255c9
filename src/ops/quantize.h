/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of operators on quantised tensors, for lower(): real = (quantised - zero point) * scale.
 */
#ifndef JUMAR_OPS_QUANTIZE_H
#define JUMAR_OPS_QUANTIZE_H

#include "ops/compose.h"

/* Types of quantised tensors. */
#define JM_DTYPES_QUANTISED (1u << JM_U8 | 1u << JM_I8 | 1u << JM_U16 | 1u << JM_I16)

/* x rounded to the nearest integer, ties to even, plus the zero point (NULL: 0), the sum saturated to `dtype`. x is
 * float32 or float64, and the zero point broadcasts to it. */
jm_operand *jm_compose_saturate(jm_compose *c, jm_operand *x, jm_operand *zero_point, jm_dtype dtype);
/* x - zero point (NULL: 0), in `dtype`, which holds both. */
jm_operand *jm_compose_offset(jm_compose *c, jm_operand *x, jm_operand *zero_point, jm_dtype dtype);

#endif
