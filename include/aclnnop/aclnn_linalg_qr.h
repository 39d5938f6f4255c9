/* SPDX-License-Identifier: Apache-2.0
 *
 * Q with orthonormal columns and upper triangles R whose product is self, by Householder's reflections in float64,
 * rounded once.
 * - k = min(m, n). mode 0: Q [m, k], R [k, n]; 1: Q [m, m], R [m, n]; 2: R [k, n] alone, and Q has shape [0]. Signs
 *   are LAPACK's.
 * - For float64, |Q R - self| <= 8 m k^(1/2) 2^-52 |self| and |Q^T Q - 1| <= 8 m k^(1/2) 2^-52 in the norm of
 *   Frobenius.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_LINALG_QR_H
#define ACLNNOP_ACLNN_LINALG_QR_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Q, R = Qr(self, mode=choice(mode, "reduced", "complete", "r")). Inputs of any mix of types are computed in their
 * common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnLinalgQrGetWorkspaceSize(const aclTensor *self, int64_t mode, aclTensor *Q, aclTensor *R,
    uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnLinalgQr(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
