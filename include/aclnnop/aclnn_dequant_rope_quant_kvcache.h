/* SPDX-License-Identifier: Apache-2.0
 *
 * What lies between the projection of a decoder layer and its attention, in one pass: x is dequantised, its q and k
 * heads are rotated, k and v are quantised into a cache of int8.
 * - Letters: B batches of S positions (x of rank 2: S is 1), tokens t = b * S + s; N heads of q, n of k and of v, D
 *   channels each, a multiple of 16; H = (N + 2n) * D; caches of C1 blocks of C2 rows.
 * - Shapes: x [B, S, H] or [B, H]; cos and sin [B, S, 1, D] or [B, D]; kCacheRef and vCacheRef [C1, C2, n, D];
 *   indices [B], or [B * S] in pages; scaleK, scaleV, offsetK and offsetV n * D elements, weightScale and bias H,
 *   activationScale B * S, in any shape; sizeSplits {N * D, n * D, n * D}; qOut [B, S, N, D] or [B, N, D]; kOut and
 *   vOut [B, S, n, D] or [B, n, D].
 * - Types: cos, sin, qOut, kOut and vOut float16 or bfloat16, all the same; x the same or int32; bias float16,
 *   bfloat16, float32 or int32; caches int8; indices int32; all others float32.
 * - Dequantisation (x of int32, which needs weightScale; else scales and bias are ignored): y = x * weightScale[c] *
 *   activationScale[t] + bias[c] in float32, rounded after each operation; a bias of int32 is added to x first and
 *   wraps.
 * - RoPE: with h = D / 2, r[i] = y[i] * cos[i] - y[i + h] * sin[i] and r[i + h] = y[i + h] * cos[i + h] + y[i] *
 *   sin[i + h], in float16, where y is rounded and saturated first, or with bfloat16 in float32.
 * - Cache: round(r / scale + offset) to the nearest, ties to even, saturated to [-128, 127], NaN to 0; v without
 *   rotation. One offset without the other is ignored.
 * - cacheMode "page", in any case: token t goes to row indices[t] of all C1 * C2, and nowhere where that is negative.
 *   Any other: position s of batch b goes to row indices[b] + s of block b. An index outside the cache writes nothing
 *   to it and is the stream's error at its next synchronisation. Two tokens with one place: either stays.
 * - kvOutput false: kOut and vOut are not written and may have any shape, [0] too. quantMode is "static", layout
 *   "BSND"; NULL and "" are the same. Nothing is written where B, S or N is 0. Without gaps in rows no workspace is
 *   needed.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H
#define ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* qOut, kOut, vOut, kCacheRef, vCacheRef = DequantRopeQuantKvcache(x, cos, sin, kCacheRef, vCacheRef, indices,
 * scaleK, scaleV, offsetKOptional, offsetVOptional, weightScaleOptional, activationScaleOptional, biasOptional,
 * size_splits=sizeSplits, quant_mode=quantModeOptional, layout=layoutOptional, kv_output=kvOutput,
 * cache_mode=cacheModeOptional). Types as the operator takes and gives them. May be NULL: offsetKOptional,
 * offsetVOptional, weightScaleOptional, activationScaleOptional, biasOptional, quantModeOptional, layoutOptional,
 * cacheModeOptional. Changed in place: kCacheRef, vCacheRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnDequantRopeQuantKvcacheGetWorkspaceSize(const aclTensor *x, const aclTensor *cos,
    const aclTensor *sin, aclTensor *kCacheRef, aclTensor *vCacheRef, const aclTensor *indices,
    const aclTensor *scaleK, const aclTensor *scaleV, const aclTensor *offsetKOptional,
    const aclTensor *offsetVOptional, const aclTensor *weightScaleOptional, const aclTensor *activationScaleOptional,
    const aclTensor *biasOptional, const aclIntArray *sizeSplits, const char *quantModeOptional,
    const char *layoutOptional, bool kvOutput, const char *cacheModeOptional, aclTensor *qOut, aclTensor *kOut,
    aclTensor *vOut, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnDequantRopeQuantKvcache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
