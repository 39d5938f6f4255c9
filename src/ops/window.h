/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of sliding windows (pooling, convolution), checked. Spatial dims are always three, (z, y, x): missing ones
 * in front have size 1, so that one loop nest serves 1-D, 2-D and 3-D.
 */
#ifndef JUMAR_OPS_WINDOW_H
#define JUMAR_OPS_WINDOW_H

#include "ops/op.h"

#define JM_WINDOW_LIMIT ((int64_t)1 << 31)

typedef enum jm_auto_pad { JM_PAD_EXPLICIT, JM_PAD_SAME_UPPER, JM_PAD_SAME_LOWER, JM_PAD_VALID } jm_auto_pad;

/* NOTSET (or absent), SAME_UPPER, SAME_LOWER, VALID; JM_INVALID_ARGUMENT for other texts. */
JM_MUST_USE jm_status jm_window_auto_pad(const jm_call *call, const jm_attr *attr, jm_auto_pad *out);
/* One number per spatial dim into the last entries of out[3], in [low, 2^31]; the others, or all when the attribute is
 * absent or NULL, become `fill`. JM_INVALID_ARGUMENT names the attribute. */
JM_MUST_USE jm_status jm_window_ints(const jm_call *call, const char *name, const jm_attr *attr, int spatial,
                                     int64_t low, int64_t fill, int64_t out[3]);
/* ONNX pads, [begin ..., end ...], in [0, 2^31]; 0 where absent. */
JM_MUST_USE jm_status jm_window_pads(const jm_call *call, const jm_attr *attr, int spatial, int64_t before[3],
                                     int64_t after[3]);
/* Divides the padding of SAME_UPPER and SAME_LOWER; the odd point goes where `more_before` says. */
void jm_window_split(int64_t total, bool more_before, int64_t *before, int64_t *after);

#endif
