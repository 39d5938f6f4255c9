/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions of models: names, shapes, types and sizes of inputs and outputs.
 */
#include <stdio.h>
#include <string.h>

#include "acl/mdl.h"
#include "model/aipp.h"
#include "ops/picture.h"

typedef struct tensor_desc {
    const char *name;       /* in full */
    const char *short_name; /* as aclmdlIODims holds it */
    aclDataType type;
    aclFormat format;
    size_t bytes;
    jm_shape shape;
    bool picture; /* [N,H,W,C] for preprocessing inside of the model */
    bool yuv;     /* a YUV420SP picture [N,H*3/2,W,1], which the first version of the dims shows as [N,H,W,3] */
} tensor_desc;

typedef struct tensor_list {
    tensor_desc *tensor;
    size_t count;
} tensor_list;

struct aclmdlDesc {
    jm_arena *arena; /* of everything below; NULL while the description is empty */
    uint32_t id;     /* of the loaded model; 0: it was read from a file */
    jm_gears gears;
    tensor_list input, output; /* the inputs of the graph, then the one that carries the choice of a gear */
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
    if (origin && jm_graph_meta(graph, "output.names")) return jm_arena_strdup(arena, origin);
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

/* A picture for preprocessing inside of the model. When its size is not known, its bytes are. */
static void describe_picture(const jm_graph *graph, size_t input, tensor_desc *to)
{
    int argument;
    const jm_node *node = jm_aipp_reader(graph, input, &argument);
    if (!node || argument != JM_AIPP_PICTURE) return;
    if (to->shape.rank == 1) to->shape = (jm_shape){.rank = 4, .dim = {node->out[0]->tensor.shape.dim[0], -1, -1, -1}};
    to->format = ACL_FORMAT_NHWC;
    to->picture = to->shape.rank == 4;
    to->yuv = to->picture && jm_node_attr(node, "format")->i == ACL_YUV420SP_U8;
}

/* Dims that vary are -1; without an upper limit the size is 0. Those of a picture are in another order. */
static void describe_limits(const jm_gears *gears, tensor_desc *to)
{
    static const int place[] = {0, 3, 1, 2};
    const jm_gear_input *input = jm_gears_find(gears, to->name);
    for (int k = 0; input && k < to->shape.rank; k++) {
        if (input->low.dim[k] == input->high.dim[k] && input->low.dim[k] != -1) continue;
        to->shape.dim[to->picture ? place[k] : k] = -1;
        if (gears->kind == JM_GEAR_RANGE && input->high.dim[k] == -1) to->bytes = 0;
    }
}

static jm_status fill_list(jm_arena *arena, const jm_graph *graph, bool inputs, uint32_t id, tensor_list *list)
{
    jm_value *const *value = inputs ? graph->input : graph->output;
    size_t count = inputs ? graph->inputs : graph->outputs;
    list->tensor = jm_arena_alloc(arena, count + 1, sizeof(*list->tensor)); /* one more for the choice */
    if (!list->tensor) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) JM_TRY(describe(arena, graph, value[i], id, i, &list->tensor[i]));
    list->count = count;
    return JM_OK;
}

/* The input that carries the numbers of a gear. */
static tensor_desc choice_input(const jm_gears *gears)
{
    return (tensor_desc){.name = ACL_DYNAMIC_TENSOR_NAME,
                         .short_name = ACL_DYNAMIC_TENSOR_NAME,
                         .type = ACL_INT64,
                         .format = ACL_FORMAT_ND,
                         .bytes = gears->numbers * sizeof(int64_t),
                         .shape = {.rank = 1, .dim = {(int64_t)gears->numbers}}};
}

static jm_status fill(aclmdlDesc *desc, const jm_graph *graph, uint32_t id)
{
    clear(desc);
    JM_TRY(jm_arena_create(&desc->arena));
    desc->id = id;
    JM_TRY(jm_gears_load(graph, desc->arena, &desc->gears));
    JM_TRY(fill_list(desc->arena, graph, true, id, &desc->input));
    JM_TRY(fill_list(desc->arena, graph, false, id, &desc->output));
    for (size_t i = 0; i < desc->input.count; i++) describe_picture(graph, i, &desc->input.tensor[i]);
    for (size_t i = 0; i < desc->input.count; i++) describe_limits(&desc->gears, &desc->input.tensor[i]);
    for (size_t i = 0; i < desc->output.count && jm_gears_open(&desc->gears); i++) {
        tensor_desc *output = &desc->output.tensor[i];
        output->bytes = 0;
        for (int k = 0; k < output->shape.rank; k++) output->shape.dim[k] = -1;
    }
    if (jm_mdl_extra_inputs(&desc->gears)) desc->input.tensor[desc->input.count++] = choice_input(&desc->gears);
    return JM_OK;
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
    jm_variants *model = jm_mdl_acquire(modelId);
    if (!model) return (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    jm_status status = fill(modelDesc, jm_loaded_graph(jm_variants_default(model)), modelId);
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
    const tensor_desc *tensor = input_at(modelDesc, index);
    aclError code = get_dims(__func__, tensor, dims);
    if (code || !tensor->yuv) return code;
    if (dims->dims[1] != -1) dims->dims[1] = dims->dims[1] / 3 * 2;
    dims->dims[3] = 3;
    return ACL_SUCCESS;
}

aclError aclmdlGetInputDimsV2(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
    return get_dims(__func__, input_at(modelDesc, index), dims);
}

aclError aclmdlGetOutputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
    return get_dims(__func__, output_at(modelDesc, index), dims);
}

/* The dims of an output in the gear that was chosen last. */
static aclError get_chosen_dims(jm_variants *variants, size_t index, aclmdlIODims *dims)
{
    jm_loaded *model;
    jm_status status = jm_variants_acquire_selected(variants, &model);
    if (status != JM_OK) return jm_mdl_load_code(status);
    const jm_shape *shape = &jm_loaded_graph(model)->output[index]->tensor.shape;
    for (int i = 0; i < shape->rank; i++) dims->dims[i] = shape->dim[i];
    jm_variants_release(variants, model);
    return ACL_SUCCESS;
}

aclError aclmdlGetCurOutputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
    aclError code = get_dims(__func__, output_at(modelDesc, index), dims);
    if (code || modelDesc->gears.kind == JM_GEAR_NONE) return code;
    if (modelDesc->gears.kind == JM_GEAR_RANGE)
        return jm_acl_error(ACL_ERROR_API_NOT_SUPPORT,
                            "%s: the model has ranges; after a run aclmdlGetDatasetTensorDesc tells the shape",
                            __func__);
    if (!modelDesc->id) return ACL_SUCCESS;
    jm_variants *variants = jm_mdl_acquire(modelDesc->id);
    if (!variants) return (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    code = get_chosen_dims(variants, index, dims);
    jm_mdl_release(modelDesc->id);
    return code;
}

/* Of fixed dims both ends are the dimension; -1 is no upper limit. */
aclError aclmdlGetInputDimsRange(const aclmdlDesc *modelDesc, size_t index, aclmdlIODimsRange *dimsRange)
{
    const tensor_desc *tensor = input_at(modelDesc, index);
    if (!dimsRange) return jm_acl_null(__func__, "dimsRange");
    if (!tensor) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: no such model or input index", __func__);
    *dimsRange = (aclmdlIODimsRange){.rangeCount = (size_t)tensor->shape.rank};
    for (int i = 0; i < tensor->shape.rank; i++) {
        dimsRange->range[i][0] = dimsRange->range[i][1] = tensor->shape.dim[i];
    }
    const jm_gears *gears = &modelDesc->gears;
    const jm_gear_input *input = gears->kind == JM_GEAR_RANGE ? jm_gears_find(gears, tensor->name) : NULL;
    for (int k = 0; input && k < input->low.rank; k++) {
        dimsRange->range[k][0] = JM_MAX(input->low.dim[k], 1);
        dimsRange->range[k][1] = input->high.dim[k];
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

/* ---- Models of several sizes ---- */

aclError aclmdlGetDynamicBatch(const aclmdlDesc *modelDesc, aclmdlBatch *batch)
{
    if (!modelDesc || !batch) return jm_acl_null(__func__, modelDesc ? "batch" : "modelDesc");
    const jm_gears *gears = &modelDesc->gears;
    *batch = (aclmdlBatch){0};
    if (gears->kind != JM_GEAR_BATCH) return ACL_SUCCESS;
    batch->batchCount = gears->count;
    for (size_t i = 0; i < gears->count; i++) batch->batch[i] = (uint64_t)gears->number[i];
    return ACL_SUCCESS;
}

aclError aclmdlGetDynamicHW(const aclmdlDesc *modelDesc, size_t index, aclmdlHW *hw)
{
    (void)index;
    if (!modelDesc || !hw) return jm_acl_null(__func__, modelDesc ? "hw" : "modelDesc");
    const jm_gears *gears = &modelDesc->gears;
    *hw = (aclmdlHW){0};
    if (gears->kind != JM_GEAR_IMAGE) return ACL_SUCCESS;
    hw->hwCount = gears->count;
    for (size_t i = 0; i < 2 * gears->count; i++) hw->hw[i / 2][i % 2] = (uint64_t)gears->number[i];
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
    *gearCount = modelDesc->gears.kind == JM_GEAR_DIMS ? modelDesc->gears.count : 0;
    return ACL_SUCCESS;
}

/* The dims of all inputs in one gear, one behind the other. */
static aclError join_dims(const char *function, const jm_gears *gears, size_t gear, aclmdlIODims *dims)
{
    *dims = (aclmdlIODims){0};
    for (size_t i = 0; i < gears->inputs; i++) {
        jm_shape shape;
        jm_gears_shape(gears, gear, i, &shape);
        if (dims->dimCount + (size_t)shape.rank > ACL_MAX_DIM_CNT)
            return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the inputs have more than %d dims together", function,
                                ACL_MAX_DIM_CNT);
        for (int k = 0; k < shape.rank; k++) dims->dims[dims->dimCount++] = shape.dim[k];
    }
    return ACL_SUCCESS;
}

aclError aclmdlGetInputDynamicDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims, size_t gearCount)
{
    if (!modelDesc || !dims) return jm_acl_null(__func__, modelDesc ? "dims" : "modelDesc");
    aclError code = check_gear_index(__func__, index);
    const jm_gears *gears = &modelDesc->gears;
    const size_t count = gears->kind == JM_GEAR_DIMS ? gears->count : 0;
    if (!code && gearCount < count)
        code = jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: gearCount is %zu; the model has %zu sizes", __func__,
                            gearCount, count);
    for (size_t gear = 0; gear < count && !code; gear++) code = join_dims(__func__, gears, gear, &dims[gear]);
    return code;
}
