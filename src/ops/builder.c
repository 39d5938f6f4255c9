/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/builder.h"

jm_operand *jm_builder_input(jm_builder *builder, int i)
{
    return builder->methods->input(builder, i);
}

jm_operand *jm_builder_output(jm_builder *builder, int i)
{
    return builder->methods->output(builder, i);
}

const jm_tensor *jm_builder_tensor(jm_builder *builder, const jm_operand *operand)
{
    return builder->methods->tensor(builder, operand);
}

jm_status jm_builder_constant(jm_builder *builder, jm_dtype dtype, const jm_shape *shape, const void *data,
                              jm_operand **out)
{
    return builder->methods->constant(builder, dtype, shape, data, out);
}

jm_status jm_builder_ints(jm_builder *builder, const int64_t *values, int count, jm_operand **out)
{
    jm_shape shape = {.rank = 1, .dim = {count}};
    return jm_builder_constant(builder, JM_I64, &shape, values, out);
}

jm_status jm_builder_node(jm_builder *builder, const char *op, jm_operand *const *in, int inputs,
                          const jm_named_attr *attr, int attrs, jm_operand **out, int outputs)
{
    const jm_op *found = jm_op_find(op);
    if (!found) return jm_error(JM_INTERNAL, "a composite operator emits '%s', which does not exist", op);
    return builder->methods->node(builder, found, in, inputs, attr, attrs, out, outputs);
}

/* ---- Short forms ---- */

jm_status jm_builder_scalar(jm_builder *builder, jm_dtype dtype, double value, jm_operand **out)
{
    const jm_shape scalar = {.rank = 0};
    unsigned char element[8] = {0};
    jm_element_from_f64(dtype, value, element);
    return jm_builder_constant(builder, dtype, &scalar, element, out);
}

static jm_status apply(jm_builder *builder, const char *op, jm_operand *const *in, int inputs,
                       const jm_named_attr *attr, int attrs, jm_operand **out)
{
    jm_operand *fresh = NULL;
    JM_TRY(jm_builder_node(builder, op, in, inputs, attr, attrs, &fresh, 1));
    *out = fresh;
    return JM_OK;
}

jm_status jm_builder_unary(jm_builder *builder, const char *op, jm_operand *a, jm_operand **out)
{
    return apply(builder, op, &a, 1, NULL, 0, out);
}

jm_status jm_builder_binary(jm_builder *builder, const char *op, jm_operand *a, jm_operand *b, jm_operand **out)
{
    jm_operand *const in[] = {a, b};
    return apply(builder, op, in, 2, NULL, 0, out);
}

jm_status jm_builder_with_scalar(jm_builder *builder, const char *op, jm_operand *a, double value, jm_operand **out)
{
    jm_operand *scalar = NULL;
    JM_TRY(jm_builder_scalar(builder, jm_builder_tensor(builder, a)->dtype, value, &scalar));
    return jm_builder_binary(builder, op, a, scalar, out);
}

jm_status jm_builder_cast(jm_builder *builder, jm_operand *x, jm_dtype dtype, jm_operand **out)
{
    const jm_named_attr to = {"to", {.dtype = dtype}};
    if (jm_builder_tensor(builder, x)->dtype != dtype) return apply(builder, "Cast", &x, 1, &to, 1, out);
    *out = x;
    return JM_OK;
}

jm_status jm_builder_reshape(jm_builder *builder, jm_operand *x, const jm_shape *shape, jm_operand **out)
{
    const jm_named_attr literal = {"allowzero", {.i = 1}};
    jm_operand *in[] = {x, NULL};
    JM_TRY(jm_builder_ints(builder, shape->dim, shape->rank, &in[1]));
    return apply(builder, "Reshape", in, 2, &literal, 1, out);
}

jm_status jm_builder_expand(jm_builder *builder, jm_operand *x, const jm_shape *shape, jm_operand **out)
{
    jm_operand *in[] = {x, NULL};
    JM_TRY(jm_builder_ints(builder, shape->dim, shape->rank, &in[1]));
    return apply(builder, "Expand", in, 2, NULL, 0, out);
}

jm_status jm_builder_transpose(jm_builder *builder, jm_operand *x, const int64_t *order, jm_operand **out)
{
    const int rank = jm_builder_tensor(builder, x)->shape.rank;
    const jm_named_attr perm = {"perm", {.ints = order, .count = rank}};
    return apply(builder, "Transpose", &x, 1, &perm, 1, out);
}

jm_status jm_builder_slice(jm_builder *builder, jm_operand *x, int64_t axis, int64_t start, int64_t end, int64_t step,
                           jm_operand **out)
{
    const int64_t values[] = {start, end, axis, step};
    jm_operand *in[5] = {x};
    for (int i = 0; i < 4; i++) JM_TRY(jm_builder_ints(builder, &values[i], 1, &in[1 + i]));
    return apply(builder, "Slice", in, 5, NULL, 0, out);
}

jm_status jm_builder_finish(jm_builder *builder, jm_operand *x, int i)
{
    jm_operand *out = jm_builder_output(builder, i);
    return out ? jm_builder_node(builder, "Identity", &x, 1, NULL, 0, &out, 1) : JM_OK;
}
