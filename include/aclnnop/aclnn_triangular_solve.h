/* SPDX-License-Identifier: Apache-2.0
 *
 * The solutions of A X = self, or A^T X = self, for triangular A; mOut is A. In float64, rounded once.
 * - Batches broadcast. A 0 on the diagonal divides by 0. For float64 the result solves (A + E) X = self with |E| <= n
 *   2^-52 |A|.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_TRIANGULAR_SOLVE_H
#define ACLNNOP_ACLNN_TRIANGULAR_SOLVE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* xOut = TriangularSolve(self, A, upper=upper, transpose=transpose, unit=unitriangular) ; mOut = broadcast(A, mOut).
 * Inputs of any mix of types are computed in their common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnTriangularSolveGetWorkspaceSize(const aclTensor *self, const aclTensor *A, bool upper,
    bool transpose, bool unitriangular, aclTensor *xOut, aclTensor *mOut, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnTriangularSolve(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
