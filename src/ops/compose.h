/* SPDX-License-Identifier: Apache-2.0
 *
 * Composite operators as expressions. The first failure sticks: every later call returns NULL and does nothing, and
 * jm_compose_end returns its status, so a lowering reads like its formula:
 *
 *     jm_compose c = {.builder = builder};
 *     jm_operand *x = jm_compose_input(&c, 0);
 *     jm_compose_result(&c, 0, jm_compose_2(&c, "Mul", x, jm_compose_1(&c, "Sigmoid", x)));
 *     return jm_compose_end(&c);
 */
#ifndef JUMAR_OPS_COMPOSE_H
#define JUMAR_OPS_COMPOSE_H

#include "ops/builder.h"

typedef struct jm_compose {
    jm_builder *builder;
    jm_status status;
} jm_compose;

/* Input `i` of the call, NULL when it is absent. */
jm_operand *jm_compose_input(const jm_compose *c, int i);
/* Shape and dtype of an operand; those of a float32 scalar after a failure. */
const jm_tensor *jm_compose_tensor(const jm_compose *c, const jm_operand *x);
const jm_shape *jm_compose_shape(const jm_compose *c, const jm_operand *x);

/* A node with one output. Operands may be NULL where the operator's input is optional; failures still stick. */
jm_operand *jm_compose_node(jm_compose *c, const char *op, jm_operand *const *in, int inputs, const jm_named_attr *attr,
                            int attrs);
/* A node with several outputs, or with outputs of the call: entries of `out` are operands to write, or NULL for new
 * ones, which they become. */
void jm_compose_into(jm_compose *c, const char *op, jm_operand *const *in, int inputs, const jm_named_attr *attr,
                     int attrs, jm_operand **out, int outputs);
/* A node with one output, of one, two or three operands that must be there, without attributes. */
jm_operand *jm_compose_1(jm_compose *c, const char *op, jm_operand *a);
jm_operand *jm_compose_2(jm_compose *c, const char *op, jm_operand *a, jm_operand *b);
jm_operand *jm_compose_3(jm_compose *c, const char *op, jm_operand *a, jm_operand *b, jm_operand *d);
/* op(a, value) with a scalar of the type of a. */
jm_operand *jm_compose_with(jm_compose *c, const char *op, jm_operand *a, double value);

/* Constants: a scalar, a list of int64, any tensor. */
jm_operand *jm_compose_scalar(jm_compose *c, jm_dtype dtype, double value);
jm_operand *jm_compose_ints(jm_compose *c, const int64_t *values, int count);
jm_operand *jm_compose_constant(jm_compose *c, jm_dtype dtype, const jm_shape *shape, const void *data);

jm_operand *jm_compose_cast(jm_compose *c, jm_operand *x, jm_dtype dtype);
jm_operand *jm_compose_reshape(jm_compose *c, jm_operand *x, const jm_shape *shape);
jm_operand *jm_compose_expand(jm_compose *c, jm_operand *x, const jm_shape *shape);
jm_operand *jm_compose_transpose(jm_compose *c, jm_operand *x, const int64_t *perm);
/* Elements start, start + step, ... below `end` (above it when step < 0) along one axis. */
jm_operand *jm_compose_slice(jm_compose *c, jm_operand *x, int axis, int64_t start, int64_t end, int64_t step);
jm_operand *jm_compose_concat(jm_compose *c, jm_operand *const *x, int count, int axis);
/* A reduction by name over `axes`; no axes leave x as it is. */
jm_operand *jm_compose_reduce(jm_compose *c, const char *op, jm_operand *x, const int64_t *axes, int count,
                              bool keepdims);

/* A node with one output, which is output `i` of the call where the call has that. */
jm_operand *jm_compose_output_node(jm_compose *c, int i, const char *op, jm_operand *const *in, int inputs,
                                   const jm_named_attr *attr, int attrs);
/* x becomes output `i` of the call; nothing happens when that output is absent. */
void jm_compose_result(jm_compose *c, int i, jm_operand *x);
/* The first failure, or JM_OK. */
JM_MUST_USE jm_status jm_compose_end(const jm_compose *c);

#endif
