/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions of models: names, shapes, types and sizes of inputs and outputs.
 */
#include <stdio.h>
#include <string.h>

#include "acl/mdl.h"

typedef struct tensor_desc {
    const char *name;       /* in full */
    const char *short_name; /* as aclmdlIODims holds it */
    aclDataType type;
    aclFormat format;
    size_t bytes;
    jm_shape shape;
} tensor_desc;

typedef struct tensor_list {
    tensor_desc *tensor;
    size_t count;
} tensor_list;

struct aclmdlDesc {
    jm_arena *arena; /* of everything below; NULL while the description is empty */
    tensor_list input, output;
};

/* ---- Filling ---- */

static void clear(aclmdlDesc *desc)
{
    jm_arena_destroy(desc->arena);
    *desc = (aclmdlDesc){0};
}

/* Outputs carry the node that makes them in their names; programs look for the part after the last ':'. The compiler
 * noted the node of the ONNX graph; a graph from elsewhere has its own. */
static const char *full_name(jm_arena *arena, const jm_graph *graph, const jm_value *value, size_t index)
{
    if (value->is_input) return jm_arena_strdup(arena, value->name);
    char key[32];
    snprintf(key, sizeof(key), "output.%zu", index);
    const char *origin = jm_graph_meta(graph, key);
    if (origin) return jm_arena_printf(arena, "%s:%s", origin, value->name);
    int output = 0;
    while (value->producer->out[output] != value) output++;
    return jm_arena_printf(arena, "%s:%d:%s", value->producer->name, output, value->name);
}

static jm_status describe(jm_arena *arena, const jm_graph *graph, const jm_value *value, uint32_t id, size_t index,
                          tensor_desc *to)
{
    to->name = full_name(arena, graph, value, index);
    if (!to->name) return JM_OUT_OF_MEMORY;
    to->short_name = to->name;
    if (strlen(to->name) >= ACL_MAX_TENSOR_NAME_LEN) {
        to->short_name =
            jm_arena_printf(arena, "acl_modelId_%u_%s_%zu", id, value->is_input ? "input" : "output", index);
        if (!to->short_name) return JM_OUT_OF_MEMORY;
    }
    to->type = (aclDataType)value->tensor.dtype;
    to->shape = value->tensor.shape;
    to->format = to->shape.rank == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_ND;
    return jm_tensor_bytes(&value->tensor, &to->bytes);
}

static jm_status fill_list(jm_arena *arena, const jm_graph *graph, bool inputs, uint32_t id, tensor_list *list)
{
    jm_value *const *value = inputs ? graph->input : graph->output;
    size_t count = inputs ? graph->inputs : graph->outputs;
    list->tensor = jm_arena_alloc(arena, count, sizeof(*list->tensor));
    if (!list->tensor) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) JM_TRY(describe(arena, graph, value[i], id, i, &list->tensor[i]));
    list->count = count;
    return JM_OK;
}

static jm_status fill(aclmdlDesc *desc, const jm_graph *graph, uint32_t id)
{
    clear(desc);
    JM_TRY(jm_arena_create(&desc->arena));
    JM_TRY(fill_list(desc->arena, graph, true, id, &desc->input));
    return fill_list(desc->arena, graph, false, id, &desc->output);
}

aclmdlDesc *aclmdlCreateDesc(void)
{
    return jm_alloc(1, sizeof(aclmdlDesc));
}

aclError aclmdlDestroyDesc(aclmdlDesc *modelDesc)
{
    if (!modelDesc) return jm_acl_null(__func__, "modelDesc");
    clear(modelDesc);
    jm_free(modelDesc);
    return ACL_SUCCESS;
}

aclError aclmdlGetDesc(aclmdlDesc *modelDesc, uint32_t modelId)
{
    if (!modelDesc) return jm_acl_null(__func__, "modelDesc");
    jm_loaded *model = jm_mdl_acquire(modelId);
    if (!model) return (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    jm_status status = fill(modelDesc, jm_loaded_graph(model), modelId);
    jm_mdl_release(modelId);
    if (status == JM_OK) return ACL_SUCCESS;
    clear(modelDesc);
    return jm_mdl_load_code(status);
}

static aclError fill_from(aclmdlDesc *desc, const char *path, const void *model, size_t size)
{
    jm_graph *graph;
    jm_status status = jm_mdl_read(path, model, size, &graph);
    if (status != JM_OK) return jm_mdl_load_code(status);
    status = fill(desc, graph, 0);
    jm_graph_destroy(graph);
    if (status == JM_OK) return ACL_SUCCESS;
    clear(desc);
    return jm_mdl_load_code(status);
}

aclError aclmdlGetDescFromFile(aclmdlDesc *modelDesc, const char *modelPath)
{
    if (!modelDesc || !modelPath) return jm_acl_null(__func__, modelDesc ? "modelPath" : "modelDesc");
    return fill_from(modelDesc, modelPath, NULL, 0);
}

aclError aclmdlGetDescFromMem(aclmdlDesc *modelDesc, const void *model, size_t modelSize)
{
    if (!modelDesc || !model) return jm_acl_null(__func__, modelDesc ? "model" : "modelDesc");
    if (modelSize == 0) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: modelSize is 0", __func__);
    return fill_from(modelDesc, NULL, model, modelSize);
}

/* ---- Reading ---- */

/* The tensor, or NULL for a missing description or a wrong index. */
static const tensor_desc *input_at(const aclmdlDesc *desc, size_t index)
{
    return desc && index < desc->input.count ? &desc->input.tensor[index] : NULL;
}

static const tensor_desc *output_at(const aclmdlDesc *desc, size_t index)
{
    return desc && index < desc->output.count ? &desc->output.tensor[index] : NULL;
}

size_t aclmdlGetNumInputs(aclmdlDesc *modelDesc)
{
    return modelDesc ? modelDesc->input.count : 0;
}

size_t aclmdlGetNumOutputs(aclmdlDesc *modelDesc)
{
    return modelDesc ? modelDesc->output.count : 0;
}

size_t aclmdlGetInputSizeByIndex(aclmdlDesc *modelDesc, size_t index)
{
    const tensor_desc *tensor = input_at(modelDesc, index);
    return tensor ? tensor->bytes : 0;
}

size_t aclmdlGetOutputSizeByIndex(aclmdlDesc *modelDesc, size_t index)
{
    const tensor_desc *tensor = output_at(modelDesc, index);
    return tensor ? tensor->bytes : 0;
}

const char *aclmdlGetInputNameByIndex(const aclmdlDesc *modelDesc, size_t index)
{
    const tensor_desc *tensor = input_at(modelDesc, index);
    return tensor ? tensor->name : "";
}

const char *aclmdlGetOutputNameByIndex(const aclmdlDesc *modelDesc, size_t index)
{
    const tensor_desc *tensor = output_at(modelDesc, index);
    return tensor ? tensor->name : "";
}

aclFormat aclmdlGetInputFormat(const aclmdlDesc *modelDesc, size_t index)
{
    const tensor_desc *tensor = input_at(modelDesc, index);
    return tensor ? tensor->format : ACL_FORMAT_UNDEFINED;
}

aclFormat aclmdlGetOutputFormat(const aclmdlDesc *modelDesc, size_t index)
{
    const tensor_desc *tensor = output_at(modelDesc, index);
    return tensor ? tensor->format : ACL_FORMAT_UNDEFINED;
}

aclDataType aclmdlGetInputDataType(const aclmdlDesc *modelDesc, size_t index)
{
    const tensor_desc *tensor = input_at(modelDesc, index);
    return tensor ? tensor->type : ACL_DT_UNDEFINED;
}

aclDataType aclmdlGetOutputDataType(const aclmdlDesc *modelDesc, size_t index)
{
    const tensor_desc *tensor = output_at(modelDesc, index);
    return tensor ? tensor->type : ACL_DT_UNDEFINED;
}

/* ---- Shapes ---- */

static aclError get_dims(const char *function, const tensor_desc *tensor, aclmdlIODims *dims)
{
    if (!dims) return jm_acl_null(function, "dims");
    if (!tensor) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: no such model or tensor index", function);
    *dims = (aclmdlIODims){.dimCount = (size_t)tensor->shape.rank};
    memcpy(dims->name, tensor->short_name, strlen(tensor->short_name) + 1);
    for (int i = 0; i < tensor->shape.rank; i++) dims->dims[i] = tensor->shape.dim[i];
    return ACL_SUCCESS;
}

aclError aclmdlGetInputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
    return get_dims(__func__, input_at(modelDesc, index), dims);
}

aclError aclmdlGetInputDimsV2(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
    return get_dims(__func__, input_at(modelDesc, index), dims);
}

aclError aclmdlGetOutputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
    return get_dims(__func__, output_at(modelDesc, index), dims);
}

aclError aclmdlGetCurOutputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
    return get_dims(__func__, output_at(modelDesc, index), dims);
}

/* Fixed shapes: both ends are the dimension. */
aclError aclmdlGetInputDimsRange(const aclmdlDesc *modelDesc, size_t index, aclmdlIODimsRange *dimsRange)
{
    const tensor_desc *tensor = input_at(modelDesc, index);
    if (!dimsRange) return jm_acl_null(__func__, "dimsRange");
    if (!tensor) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: no such model or input index", __func__);
    *dimsRange = (aclmdlIODimsRange){.rangeCount = (size_t)tensor->shape.rank};
    for (int i = 0; i < tensor->shape.rank; i++) {
        dimsRange->range[i][0] = dimsRange->range[i][1] = tensor->shape.dim[i];
    }
    return ACL_SUCCESS;
}

/* ---- Names ---- */

static const tensor_desc *named(const tensor_list *list, const char *name, bool short_name, size_t *index)
{
    for (size_t i = 0; i < list->count; i++) {
        const tensor_desc *tensor = &list->tensor[i];
        if (strcmp(tensor->name, name) != 0 && !(short_name && strcmp(tensor->short_name, name) == 0)) continue;
        if (index) *index = i;
        return tensor;
    }
    return NULL;
}

static aclError find_index(const char *function, const tensor_list *list, const char *name, size_t *index)
{
    if (!name) return jm_acl_null(function, "name");
    if (!index) return jm_acl_null(function, "index");
    if (named(list, name, false, index)) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the model has no tensor '%s'", function, name);
}

aclError aclmdlGetInputIndexByName(const aclmdlDesc *modelDesc, const char *name, size_t *index)
{
    if (!modelDesc) return jm_acl_null(__func__, "modelDesc");
    return find_index(__func__, &modelDesc->input, name, index);
}

aclError aclmdlGetOutputIndexByName(const aclmdlDesc *modelDesc, const char *name, size_t *index)
{
    if (!modelDesc) return jm_acl_null(__func__, "modelDesc");
    return find_index(__func__, &modelDesc->output, name, index);
}

const char *aclmdlGetTensorRealName(const aclmdlDesc *modelDesc, const char *name)
{
    if (!modelDesc || !name) return NULL;
    const tensor_desc *tensor = named(&modelDesc->input, name, true, NULL);
    if (!tensor) tensor = named(&modelDesc->output, name, true, NULL);
    return tensor ? tensor->name : NULL;
}

/* ---- Models with several sizes: none yet ---- */

aclError aclmdlGetDynamicBatch(const aclmdlDesc *modelDesc, aclmdlBatch *batch)
{
    if (!modelDesc || !batch) return jm_acl_null(__func__, modelDesc ? "batch" : "modelDesc");
    *batch = (aclmdlBatch){0};
    return ACL_SUCCESS;
}

aclError aclmdlGetDynamicHW(const aclmdlDesc *modelDesc, size_t index, aclmdlHW *hw)
{
    (void)index;
    if (!modelDesc || !hw) return jm_acl_null(__func__, modelDesc ? "hw" : "modelDesc");
    *hw = (aclmdlHW){0};
    return ACL_SUCCESS;
}

static aclError check_gear_index(const char *function, size_t index)
{
    if (index == (size_t)-1) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: index is %zu and must be (size_t)-1", function, index);
}

aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc *modelDesc, size_t index, size_t *gearCount)
{
    if (!modelDesc || !gearCount) return jm_acl_null(__func__, modelDesc ? "gearCount" : "modelDesc");
    aclError code = check_gear_index(__func__, index);
    if (code) return code;
    *gearCount = 0;
    return ACL_SUCCESS;
}

aclError aclmdlGetInputDynamicDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims, size_t gearCount)
{
    (void)gearCount;
    if (!modelDesc || !dims) return jm_acl_null(__func__, modelDesc ? "dims" : "modelDesc");
    return check_gear_index(__func__, index);
}
