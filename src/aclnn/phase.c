/* SPDX-License-Identifier: Apache-2.0
 *
 * Phase one: arguments are checked and become operands, the statements of the row become nodes, the nodes are planned.
 */
#include <string.h>

#include "aclnn/build.h"
#include "aclnn/error.h"
#include "runtime/runtime.h"

typedef struct tensors {
    jm_aclnn_slot *slot;
    unsigned slots, capacity;
    int position, inputs, outputs; /* next of each kind */
    jm_aclnn_result_shape *shape;
    unsigned shapes;
} tensors;

static jm_status view_of(const jm_aclnn_build *build, const char *label, const aclTensor *tensor, jm_tensor *view)
{
    const char *function = build->row->name;
    if (jm_dtype_size((jm_dtype)tensor->dtype) == 0)
        return jm_error(JM_UNSUPPORTED, "%s: %s has type %d (aclDataType), which operators do not take", function,
                        label, (int)tensor->dtype);
    if (tensor->rank > JM_MAX_RANK)
        return jm_error(JM_INVALID_ARGUMENT, "%s: %s has %llu dimensions; the limit is %d", function, label,
                        (unsigned long long)tensor->rank, JM_MAX_RANK);
    *view = (jm_tensor){.dtype = (jm_dtype)tensor->dtype, .shape.rank = (int)tensor->rank};
    for (int k = 0; k < view->shape.rank; k++) {
        view->shape.dim[k] = jm_aclnn_dims(tensor)[k];
        view->stride[k] = jm_aclnn_strides(tensor)[k];
        if (view->shape.dim[k] < 0)
            return jm_error(JM_INVALID_ARGUMENT, "%s: dimension %d of %s is %lld and must not be negative", function, k,
                            label, (long long)view->shape.dim[k]);
    }
    int64_t count;
    if (jm_shape_count(&view->shape, &count) != JM_OK)
        return jm_error(JM_OUT_OF_RANGE, "%s: %s has more than 2^40 elements", function, label);
    if (tensor->offset < 0 || tensor->offset > INT64_MAX / 16)
        return jm_error(JM_OUT_OF_RANGE, "%s: the offset of %s is %lld and must not be negative", function, label,
                        (long long)tensor->offset);
    view->data = (void *)((uintptr_t)tensor->data + (size_t)tensor->offset * jm_dtype_size(view->dtype));
    return JM_OK;
}

static jm_status add_tensor(jm_aclnn_build *build, tensors *all, int index, uint64_t item, const aclTensor *tensor)
{
    const jm_aclnn_param *param = &build->row->param[index];
    jm_aclnn_argument *argument = &build->argument[index];
    const char *label = param->name;
    jm_tensor view;
    if (param->kind == JM_ACLNN_TENSORS) {
        label = jm_arena_printf(build->arena, "%s[%llu]", param->name, (unsigned long long)item);
        if (!label) return JM_OUT_OF_MEMORY;
    }
    JM_TRY(view_of(build, label, tensor, &view));
    unsigned slot = all->slots++;
    size_t offset = (size_t)tensor->offset * jm_dtype_size(view.dtype);
    all->slot[slot] = (jm_aclnn_slot){.name = param->name,
                                      .address = tensor->data,
                                      .used = jm_tensor_elements(&view) > 0,
                                      .input = param->input ? all->inputs : -1,
                                      .output = param->output ? all->outputs : -1,
                                      .position = all->position,
                                      .item = item};
    jm_status status = JM_OK;
    if (jm_aclnn_is_fractal(tensor)) {
        if (!param->output) return jm_aclnn_fractal(build, label, tensor, &view, slot, &argument->in[item]);
        return jm_error(JM_UNSUPPORTED, "%s: %s has format FRACTAL_NZ, in which nothing is written", build->row->name,
                        label);
    }
    if (param->input) status = jm_eager_tensor(build->eager, label, &view, slot, offset, false, &argument->in[item]);
    if (param->output && status == JM_OK)
        status = jm_eager_tensor(build->eager, label, &view, slot, offset, true, &argument->out[item]);
    return status == JM_OK ? JM_OK : jm_error_context(status, "%s", build->row->name);
}

static jm_status add_tensors(jm_aclnn_build *build, tensors *all, int index)
{
    const jm_aclnn_param *param = &build->row->param[index];
    const jm_aclnn_value *value = &build->value[index];
    jm_aclnn_argument *argument = &build->argument[index];
    bool list = param->kind == JM_ACLNN_TENSORS;
    argument->count = list ? (value->tensors ? value->tensors->size : 0) : 1;
    argument->in = jm_arena_alloc(build->arena, argument->count + 1, sizeof(*argument->in));
    argument->out = jm_arena_alloc(build->arena, argument->count + 1, sizeof(*argument->out));
    if (!argument->in || !argument->out) return JM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < argument->count; i++) {
        const aclTensor *tensor = list ? value->tensors->item[i] : value->tensor;
        if (tensor) JM_TRY(add_tensor(build, all, index, i, tensor));
    }
    all->position++;
    all->inputs += param->input;
    all->outputs += param->output;
    return JM_OK;
}

/* A place where the run leaves the shape of output `index`. It lies in the submission; the arena only stands for an
 * address that is nobody's. */
static jm_status add_shape(jm_aclnn_build *build, tensors *all, int index)
{
    jm_aclnn_argument *argument = &build->argument[index];
    const jm_operand *out = argument->count ? argument->out[0] : NULL;
    if (!out || argument->shape) return JM_OK;
    const jm_tensor *tensor = jm_builder_tensor(jm_eager_builder(build->eager), out);
    jm_tensor list = {.dtype = JM_I64, .shape = {.rank = 1, .dim = {tensor->shape.rank}}, .stride = {1}};
    list.data = jm_arena_alloc(build->arena, JM_MAX_RANK, sizeof(int64_t));
    if (!list.data) return JM_OUT_OF_MEMORY;
    const char *name = build->row->param[index].name;
    const unsigned slot = all->slots++;
    all->slot[slot] = (jm_aclnn_slot){.name = name, .input = -1, .output = -1, .position = -1};
    all->shape[all->shapes++] = (jm_aclnn_result_shape){
        .tensor = (aclTensor *)(uintptr_t)build->value[index].tensor,
        .slot = slot,
        .rank = tensor->shape.rank,
        .dense = jm_tensor_contiguous(tensor),
    };
    return jm_eager_tensor(build->eager, name, &list, slot, 0, true, &argument->shape);
}

static jm_status add_shapes(jm_aclnn_build *build, tensors *all)
{
    const jm_aclnn_row *row = build->row;
    for (int i = 0; i < row->statements; i++)
        for (int k = 0; k < row->statement[i].outputs; k++) {
            const uint8_t output = row->statement[i].output[k];
            if (output == JM_ACLNN_NO_OUTPUT || output < JM_ACLNN_SHAPE_OF(0)) continue;
            JM_TRY(add_shape(build, all, output - JM_ACLNN_SHAPE_OF(0)));
        }
    return JM_OK;
}

static bool is_tensors(const jm_aclnn_param *param)
{
    return param->kind == JM_ACLNN_TENSOR || param->kind == JM_ACLNN_TENSORS;
}

static jm_status add_arguments(jm_aclnn_build *build, tensors *all)
{
    const jm_aclnn_row *row = build->row;
    size_t count = 0;
    for (int i = 0; i < row->params; i++) {
        if (row->param[i].kind == JM_ACLNN_TENSOR) count++;
        if (row->param[i].kind == JM_ACLNN_TENSORS && build->value[i].tensors) count += build->value[i].tensors->size;
    }
    /* Each parameter may have a shape besides. */
    all->slot = jm_arena_alloc(build->arena, count + row->params + 1, sizeof(*all->slot));
    all->shape = jm_arena_alloc(build->arena, (size_t)row->params + 1, sizeof(*all->shape));
    if (!all->slot || !all->shape) return JM_OUT_OF_MEMORY;
    for (int i = 0; i < row->params; i++)
        if (is_tensors(&row->param[i])) JM_TRY(add_tensors(build, all, i));
    return add_shapes(build, all);
}

/* The number of items that lists have in common. */
static jm_status items_of(const jm_aclnn_build *build, uint64_t *items)
{
    const jm_aclnn_row *row = build->row;
    int first = -1;
    *items = 1;
    for (int i = 0; row->each && i < row->params; i++) {
        uint64_t size;
        if (row->param[i].kind == JM_ACLNN_TENSORS && row->param[i].optional && build->argument[i].count == 0)
            continue; /* absent for every item */
        if (row->param[i].kind == JM_ACLNN_TENSORS)
            size = build->argument[i].count;
        else if (row->param[i].kind == JM_ACLNN_SCALARS)
            size = build->value[i].scalars->size;
        else
            continue;
        if (first >= 0 && size != *items)
            return jm_error(JM_INVALID_ARGUMENT, "%s: %s has %llu items and must have %llu like %s", row->name,
                            row->param[i].name, (unsigned long long)size, (unsigned long long)*items,
                            row->param[first].name);
        first = i;
        *items = size;
    }
    return JM_OK;
}

static jm_status build_nodes(jm_aclnn_build *build, tensors *all)
{
    uint64_t items;
    JM_TRY(add_arguments(build, all));
    JM_TRY(items_of(build, &items));
    build->items = items;
    for (build->item = 0; build->item < items; build->item++)
        for (int i = 0; i < build->row->statements; i++)
            JM_TRY(jm_aclnn_add_statement(build, &build->row->statement[i]));
    return JM_OK;
}

static jm_status prepare(jm_aclnn_build *build, const jm_machine *machine, aclOpExecutor **executor)
{
    tensors all = {0};
    size_t workspace;
    JM_TRY(jm_eager_create(machine, build->row->name, &build->eager));
    jm_status status = jm_arena_create(&build->arena);
    if (status == JM_OK) status = build_nodes(build, &all);
    if (status == JM_OK) status = jm_eager_finish(build->eager, &workspace);
    if (status == JM_OK)
        status = jm_aclnn_executor_create(build->row->name, build->eager, workspace, machine->threads, all.slot,
                                          all.slots, all.shape, all.shapes, executor);
    else
        jm_eager_destroy(build->eager);
    jm_arena_destroy(build->arena);
    return status;
}

static aclnnStatus check_nulls(const jm_aclnn_row *row, const jm_aclnn_value *value)
{
    for (int i = 0; i < row->params; i++) {
        const jm_aclnn_param *param = &row->param[i];
        if (param->kind < JM_ACLNN_INT && !param->optional && !value[i].pointer)
            return jm_aclnn_null(JM_ACLNN_NULL, row->name, param->name);
        if (param->kind != JM_ACLNN_TENSORS && param->kind != JM_ACLNN_SCALARS) continue;
        /* Both lists begin with their size and go on with pointers. */
        const aclTensorList *list = value[i].tensors;
        for (uint64_t k = 0; !param->optional && k < list->size; k++)
            if (!list->item[k])
                return jm_aclnn_error(JM_ACLNN_NULL, "%s: %s[%llu] must not be NULL", row->name, param->name,
                                      (unsigned long long)k);
    }
    return 0;
}

aclnnStatus jm_aclnn_prepare(const jm_aclnn_row *row, const jm_aclnn_value *value, uint64_t *workspaceSize,
                             aclOpExecutor **executor)
{
    if (!workspaceSize) return jm_aclnn_null(JM_ACLNN_NULL, row->name, "workspaceSize");
    if (!executor) return jm_aclnn_null(JM_ACLNN_NULL, row->name, "executor");
    *workspaceSize = 0;
    *executor = NULL;
    aclnnStatus code = check_nulls(row, value);
    if (code) return code;
    jm_device *device;
    jm_machine machine;
    jm_aclnn_build build = {.row = row, .value = value};
    jm_status status = jm_context_device(&device);
    if (status == JM_OK) status = jm_machine_get(device->cores, &machine);
    if (status == JM_OK) status = prepare(&build, &machine, executor);
    if (status == JM_OK) *workspaceSize = jm_aclnn_executor_workspace(*executor);
    if (build.absent) return jm_aclnn_null(JM_ACLNN_NULL, row->name, build.absent);
    return jm_aclnn_code(status);
}
