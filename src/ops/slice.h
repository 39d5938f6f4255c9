/* SPDX-License-Identifier: Apache-2.0
 *
 * The window of a Slice, for passes that turn it into a view.
 */
#ifndef JUMAR_OPS_SLICE_H
#define JUMAR_OPS_SLICE_H

#include "ops/op.h"

/* Output index i of dimension k is input index start[k] + i * step[k]; `out` is the shape of the output. Dimensions
 * that depend on an unknown one are -1, with start 0 and step 1. JM_INVALID_ARGUMENT: illegal arguments. */
JM_MUST_USE jm_status jm_slice_window(const jm_call *call, int64_t start[JM_MAX_RANK], int64_t step[JM_MAX_RANK],
                                      jm_shape *out);

#endif
