/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/role.h"

#include <string.h>

#include "ops/slice.h"

static jm_role slice_role(const jm_node *node)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_shape shape;
    int64_t start[JM_MAX_RANK], step[JM_MAX_RANK];
    jm_node_call(node, &call, in, out);
    jm_role role = {.kind = JM_ROLE_RESHAPE, .step = 1};
    if (jm_slice_window(&call, start, step, &shape) != JM_OK) return (jm_role){0};
    for (int k = 0; k < shape.rank; k++) {
        if (start[k] == 0 && step[k] == 1 && shape.dim[k] == in[0].shape.dim[k]) continue;
        if (role.kind == JM_ROLE_SLICE || step[k] < 1) return (jm_role){0};
        role = (jm_role){.kind = JM_ROLE_SLICE, .axis = k, .start = start[k], .step = step[k]};
    }
    return role;
}

jm_role jm_node_role(const jm_node *node)
{
    static const struct {
        const char *op;
        jm_role_kind kind;
    } table[] = {{"Concat", JM_ROLE_CONCAT},          {"Split", JM_ROLE_SPLIT},       {"Slice", JM_ROLE_SLICE},
                 {"ChannelShuffle", JM_ROLE_SHUFFLE}, {"Reshape", JM_ROLE_RESHAPE},   {"Flatten", JM_ROLE_RESHAPE},
                 {"Squeeze", JM_ROLE_RESHAPE},        {"Unsqueeze", JM_ROLE_RESHAPE}, {"Identity", JM_ROLE_RESHAPE}};
    if (!node->op->view) return (jm_role){0};
    jm_role role = {.step = 1};
    for (size_t i = 0; i < JM_COUNT(table); i++)
        if (strcmp(node->op->name, table[i].op) == 0) role.kind = table[i].kind;
    switch (role.kind) {
    case JM_ROLE_CONCAT:
    case JM_ROLE_SPLIT:
        if (jm_axis_normalise(jm_node_attr(node, "axis")->i, node->in[0]->tensor.shape.rank, &role.axis) != JM_OK)
            role.kind = JM_ROLE_NONE;
        return role;
    case JM_ROLE_SLICE:
        return slice_role(node);
    case JM_ROLE_SHUFFLE:
        role.groups = jm_node_attr(node, "groups")->i;
        return role;
    default:
        return role;
    }
}
