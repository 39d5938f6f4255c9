/* SPDX-License-Identifier: Apache-2.0 */
#ifndef JUMAR_OPS_EVALUATE_H
#define JUMAR_OPS_EVALUATE_H

#include "ops/op.h"

/* Plans the plain form of an inferred call and runs it on this thread; `in` and `out` are addresses, NULL where an
 * argument is absent. JM_OUT_OF_RANGE and its kind: an index in the data is bad. */
JM_MUST_USE jm_status jm_op_evaluate(const jm_call *call, void *const *in, void *const *out);

#endif
