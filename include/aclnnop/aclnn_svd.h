/* SPDX-License-Identifier: Apache-2.0
 *
 * input = u diag(sigma) v^T with orthonormal columns of u and v, by one-sided Jacobi rotations in float64, rounded
 * once.
 * - k = min(m, n); sigma [k] descends; u [m, k] and v [n, k], or with fullMatrices [m, m] and [n, n]. Without
 *   computeUV u and v are left alone. A matrix with an element that is not finite writes nothing, and is the stream's
 *   error at its next synchronisation.
 * - For float64, |u diag(sigma) v^T - input| <= 16 max(m, n) 2^-52 |input| in the norm of Frobenius, and u and v as
 *   in aclnnLinalgQr.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_SVD_H
#define ACLNNOP_ACLNN_SVD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* sigma, u, v = Svd(input, full_matrices=fullMatrices, compute_uv=computeUV). Inputs of any mix of types are computed
 * in their common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnSvdGetWorkspaceSize(const aclTensor *input, bool fullMatrices, bool computeUV, aclTensor *sigma,
    aclTensor *u, aclTensor *v, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnSvd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
