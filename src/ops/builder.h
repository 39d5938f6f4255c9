/* SPDX-License-Identifier: Apache-2.0
 *
 * How a composite operator emits simpler nodes. op->lower() sees operands (opaque handles) and does not know whether
 * a graph or an eager executor stands behind the builder. Operands live as long as the builder.
 *
 *     jm_operand *in[2] = {jm_builder_input(builder, 0), NULL}, *out = jm_builder_output(builder, 0);
 *     JM_TRY(jm_builder_ints(builder, dims, rank, &in[1]));
 *     return jm_builder_node(builder, "Reshape", in, 2, NULL, 0, &out, 1);
 */
#ifndef JUMAR_OPS_BUILDER_H
#define JUMAR_OPS_BUILDER_H

#include "base/status.h"
#include "ops/op.h"

/* A tensor that is an argument of emitted nodes. */
typedef struct jm_operand jm_operand;

/* An attribute by name, for readable calls of jm_builder_node. Texts and arrays are copied. */
typedef struct jm_named_attr {
    const char *name;
    jm_attr value;
} jm_named_attr;

/* What a builder must offer; the functions below are its callers. */
typedef struct jm_builder_methods {
    jm_operand *(*input)(jm_builder *builder, int i);
    jm_operand *(*output)(jm_builder *builder, int i);
    const jm_tensor *(*tensor)(jm_builder *builder, const jm_operand *operand);
    jm_status (*constant)(jm_builder *builder, jm_dtype dtype, const jm_shape *shape, const void *data,
                          jm_operand **out);
    jm_status (*node)(jm_builder *builder, const jm_op *op, jm_operand *const *in, int inputs,
                      const jm_named_attr *attr, int attrs, jm_operand **out, int outputs);
} jm_builder_methods;

/* First member of every builder. */
struct jm_builder {
    const jm_builder_methods *methods;
};

/* The i-th input of the call being lowered; NULL when it is absent. */
jm_operand *jm_builder_input(jm_builder *builder, int i);
/* The i-th output of the call being lowered: some emitted node must write it, exactly once. */
jm_operand *jm_builder_output(jm_builder *builder, int i);
/* dtype and shape of an operand (and its data when it is constant). */
const jm_tensor *jm_builder_tensor(jm_builder *builder, const jm_operand *operand);
/* A constant of that shape, plain; `data` is copied. */
JM_MUST_USE jm_status jm_builder_constant(jm_builder *builder, jm_dtype dtype, const jm_shape *shape, const void *data,
                                          jm_operand **out);
/* An int64 constant of rank 1: axes, shapes, pads. */
JM_MUST_USE jm_status jm_builder_ints(jm_builder *builder, const int64_t *values, int count, jm_operand **out);
/* Emits one call. NULL inputs are absent; an output entry that is NULL receives a new operand, any other is written by
 * this node. Attributes that are not named take their defaults. JM_INTERNAL: no such operator or attribute; else the
 * status of jm_op_infer. */
JM_MUST_USE jm_status jm_builder_node(jm_builder *builder, const char *op, jm_operand *const *in, int inputs,
                                      const jm_named_attr *attr, int attrs, jm_operand **out, int outputs);

#endif
