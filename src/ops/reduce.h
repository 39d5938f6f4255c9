/* SPDX-License-Identifier: Apache-2.0
 *
 * The shapes of reductions, for operators that are made of them.
 */
#ifndef JUMAR_OPS_REDUCE_H
#define JUMAR_OPS_REDUCE_H

#include "ops/op.h"

/* jm_op.infer of an operator whose first attributes are `axes` and `keepdims`: output 0 has the dtype of input 0. */
JM_MUST_USE jm_status jm_reduce_infer(jm_call *call);

#endif
