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
