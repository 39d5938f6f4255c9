/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/compose.h"

jm_operand *jm_compose_input(const jm_compose *c, int i)
{
    return jm_builder_input(c->builder, i);
}

const jm_tensor *jm_compose_tensor(const jm_compose *c, const jm_operand *x)
{
    static const jm_tensor nothing = {.dtype = JM_F32};
    return x ? jm_builder_tensor(c->builder, x) : &nothing;
}

const jm_shape *jm_compose_shape(const jm_compose *c, const jm_operand *x)
{
    return &jm_compose_tensor(c, x)->shape;
}

static jm_operand *node_to(jm_compose *c, jm_operand *out, const char *op, jm_operand *const *in, int inputs,
                           const jm_named_attr *attr, int attrs)
{
    if (c->status == JM_OK) c->status = jm_builder_node(c->builder, op, in, inputs, attr, attrs, &out, 1);
    return c->status == JM_OK ? out : NULL;
}

jm_operand *jm_compose_node(jm_compose *c, const char *op, jm_operand *const *in, int inputs, const jm_named_attr *attr,
                            int attrs)
{
    return node_to(c, NULL, op, in, inputs, attr, attrs);
}

jm_operand *jm_compose_output_node(jm_compose *c, int i, const char *op, jm_operand *const *in, int inputs,
                                   const jm_named_attr *attr, int attrs)
{
    return node_to(c, jm_builder_output(c->builder, i), op, in, inputs, attr, attrs);
}

void jm_compose_into(jm_compose *c, const char *op, jm_operand *const *in, int inputs, const jm_named_attr *attr,
                     int attrs, jm_operand **out, int outputs)
{
    if (c->status == JM_OK) c->status = jm_builder_node(c->builder, op, in, inputs, attr, attrs, out, outputs);
}

jm_operand *jm_compose_1(jm_compose *c, const char *op, jm_operand *a)
{
    return jm_compose_node(c, op, &a, 1, NULL, 0);
}

jm_operand *jm_compose_2(jm_compose *c, const char *op, jm_operand *a, jm_operand *b)
{
    return jm_compose_node(c, op, (jm_operand *[]){a, b}, 2, NULL, 0);
}

jm_operand *jm_compose_3(jm_compose *c, const char *op, jm_operand *a, jm_operand *b, jm_operand *d)
{
    return jm_compose_node(c, op, (jm_operand *[]){a, b, d}, 3, NULL, 0);
}

jm_operand *jm_compose_constant(jm_compose *c, jm_dtype dtype, const jm_shape *shape, const void *data)
{
    jm_operand *out = NULL;
    if (c->status == JM_OK) c->status = jm_builder_constant(c->builder, dtype, shape, data, &out);
    return c->status == JM_OK ? out : NULL;
}

jm_operand *jm_compose_scalar(jm_compose *c, jm_dtype dtype, double value)
{
    const jm_shape scalar = {.rank = 0};
    unsigned char element[8] = {0};
    jm_element_from_f64(dtype, value, element);
    return jm_compose_constant(c, dtype, &scalar, element);
}

jm_operand *jm_compose_ints(jm_compose *c, const int64_t *values, int count)
{
    const jm_shape shape = {.rank = 1, .dim = {count}};
    return jm_compose_constant(c, JM_I64, &shape, values);
}

jm_operand *jm_compose_with(jm_compose *c, const char *op, jm_operand *a, double value)
{
    return jm_compose_2(c, op, a, jm_compose_scalar(c, jm_compose_tensor(c, a)->dtype, value));
}

jm_operand *jm_compose_cast(jm_compose *c, jm_operand *x, jm_dtype dtype)
{
    if (jm_compose_tensor(c, x)->dtype == dtype) return x;
    const jm_named_attr to = {"to", {.count = 1, .dtype = dtype}};
    return jm_compose_node(c, "Cast", &x, 1, &to, 1);
}

jm_operand *jm_compose_reshape(jm_compose *c, jm_operand *x, const jm_shape *shape)
{
    if (jm_shape_equal(jm_compose_shape(c, x), shape)) return x;
    const jm_named_attr attr = {"allowzero", {.count = 1, .i = 1}}; /* the dims are meant as they stand */
    return jm_compose_node(c, "Reshape", (jm_operand *[]){x, jm_compose_ints(c, shape->dim, shape->rank)}, 2, &attr, 1);
}

jm_operand *jm_compose_expand(jm_compose *c, jm_operand *x, const jm_shape *shape)
{
    if (jm_shape_equal(jm_compose_shape(c, x), shape)) return x;
    return jm_compose_2(c, "Expand", x, jm_compose_ints(c, shape->dim, shape->rank));
}

jm_operand *jm_compose_transpose(jm_compose *c, jm_operand *x, const int64_t *perm)
{
    const jm_named_attr attr = {"perm", {.count = jm_compose_shape(c, x)->rank, .ints = perm}};
    return jm_compose_node(c, "Transpose", &x, 1, &attr, 1);
}

jm_operand *jm_compose_slice(jm_compose *c, jm_operand *x, int axis, int64_t start, int64_t end, int64_t step)
{
    jm_operand *in[] = {x, jm_compose_ints(c, &start, 1), jm_compose_ints(c, &end, 1),
                        jm_compose_ints(c, &(int64_t){axis}, 1), jm_compose_ints(c, &step, 1)};
    return jm_compose_node(c, "Slice", in, JM_COUNT(in), NULL, 0);
}

jm_operand *jm_compose_concat(jm_compose *c, jm_operand *const *x, int count, int axis)
{
    const jm_named_attr attr = {"axis", {.count = 1, .i = axis}};
    return count == 1 ? x[0] : jm_compose_node(c, "Concat", x, count, &attr, 1);
}

jm_operand *jm_compose_reduce(jm_compose *c, const char *op, jm_operand *x, const int64_t *axes, int count,
                              bool keepdims)
{
    if (count == 0) return x; /* absent axes would mean all of them */
    const jm_named_attr attr[] = {{"axes", {.count = count, .ints = axes}}, {"keepdims", {.count = 1, .i = keepdims}}};
    return jm_compose_node(c, op, &x, 1, attr, 2);
}

void jm_compose_result(jm_compose *c, int i, jm_operand *x)
{
    jm_operand *out = jm_builder_output(c->builder, i);
    if (c->status == JM_OK && out) c->status = jm_builder_node(c->builder, "Identity", &x, 1, NULL, 0, &out, 1);
}

jm_status jm_compose_end(const jm_compose *c)
{
    return c->status;
}
