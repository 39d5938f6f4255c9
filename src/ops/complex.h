/* SPDX-License-Identifier: Apache-2.0
 *
 * Complex elements: operators on them are operators of their own, found by the name of the one on real elements.
 */
#ifndef JUMAR_OPS_COMPLEX_H
#define JUMAR_OPS_COMPLEX_H

#include "ops/op.h"

/* What `op` is on complex elements, with the same parameters; NULL: nothing. */
const jm_op *jm_op_complex(const jm_op *op);

#endif
