/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of results: PyTorch's rules of promotion, for the types that tensors here have.
 */
#ifndef JUMAR_ACLNN_ROW_TYPES_H
#define JUMAR_ACLNN_ROW_TYPES_H

#include <stdbool.h>

#include "tensor/dtype.h"

/* 1 bool, 2 integer, 3 floating point, 4 complex. */
int jm_type_category(jm_dtype dtype);
/* The smallest type that holds the values of both; integers and float16 give float16. int64 for uint64 and a signed
 * integer. */
jm_dtype jm_type_promote(jm_dtype a, jm_dtype b);
/* A result of `from` may be stored as `to`: not into a lower category. */
bool jm_type_fits(jm_dtype from, jm_dtype to);

/* Operands of an operator by rank; JM_DTYPE_NONE where there is none. Tensors with dimensions count most: those of rank
 * 0, and numbers (scalars, of type bool, int64, float32 or complex64), only raise the category. */
typedef struct jm_type_mix {
    jm_dtype tensor, rank0, number;
} jm_type_mix;

void jm_type_mix_tensor(jm_type_mix *mix, jm_dtype dtype, int rank);
void jm_type_mix_number(jm_type_mix *mix, jm_dtype dtype);
/* The common type; JM_DTYPE_NONE when there are no operands. */
jm_dtype jm_type_mix_result(const jm_type_mix *mix);

#endif
