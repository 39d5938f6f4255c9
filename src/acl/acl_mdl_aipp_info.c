/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program can ask about preprocessing inside the model (AIPP).
 */
#include <string.h>

#include "acl/mdl.h"
#include "model/aipp.h"
#include "ops/picture.h"

/* ---- Types ---- */

/* Index of a value among the inputs of the graph. */
static size_t index_of(const jm_graph *graph, const jm_value *value)
{
    size_t i = 0;
    while (i < graph->inputs && graph->input[i] != value) i++;
    return i;
}

aclmdlInputAippType jm_mdl_aipp_type(const jm_graph *graph, size_t input, size_t *attached)
{
    int argument;
    const jm_node *node = input < graph->inputs ? jm_aipp_reader(graph, input, &argument) : NULL;
    *attached = ACL_INVALID_NODE_INDEX;
    if (!node) return ACL_DATA_WITHOUT_AIPP;
    if (argument == JM_AIPP_PARAMETERS) return ACL_DYNAMIC_AIPP_NODE;
    if (node->inputs <= JM_AIPP_PARAMETERS) return ACL_DATA_WITH_STATIC_AIPP;
    *attached = index_of(graph, node->in[JM_AIPP_PARAMETERS]);
    return ACL_DATA_WITH_DYNAMIC_AIPP;
}

jm_variants *jm_mdl_acquire_input(const char *function, uint32_t id, size_t index, aclError *code)
{
    jm_variants *model = jm_mdl_acquire(id);
    *code = model ? ACL_SUCCESS : (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    if (!model) return NULL;
    const size_t inputs =
        jm_loaded_graph(jm_variants_default(model))->inputs + jm_mdl_extra_inputs(jm_variants_gears(model));
    if (index < inputs) return model;
    *code = jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: input %zu of a model with %zu", function, index, inputs);
    jm_mdl_release(id);
    return NULL;
}

aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType *type, size_t *dynamicAttachedDataIndex)
{
    aclError code;
    if (!type || !dynamicAttachedDataIndex) return jm_acl_null(__func__, type ? "dynamicAttachedDataIndex" : "type");
    jm_variants *model = jm_mdl_acquire_input(__func__, modelId, index, &code);
    if (!model) return code;
    *type = jm_mdl_aipp_type(jm_loaded_graph(jm_variants_default(model)), index, dynamicAttachedDataIndex);
    jm_mdl_release(modelId);
    return ACL_SUCCESS;
}

/* ---- Parameters ---- */

#define INT(field) ((int32_t)aipp->value[JM_AIPP_##field])
#define SWITCH(field) ((int8_t)aipp->value[JM_AIPP_##field])
#define FLOAT(field) ((float)aipp->value[JM_AIPP_##field])

static void fill_parameters(const jm_aipp *aipp, aclAippInfo *info)
{
    *info = (aclAippInfo){
        .inputFormat = (aclAippInputFormat)INT(input_format),
        .srcImageSizeW = INT(src_image_size_w),
        .srcImageSizeH = INT(src_image_size_h),
        .cropSwitch = SWITCH(crop),
        .loadStartPosW = INT(load_start_pos_w),
        .loadStartPosH = INT(load_start_pos_h),
        .cropSizeW = INT(crop_size_w),
        .cropSizeH = INT(crop_size_h),
        .resizeSwitch = SWITCH(resize),
        .resizeOutputW = INT(resize_output_w),
        .resizeOutputH = INT(resize_output_h),
        .paddingSwitch = SWITCH(padding),
        .leftPaddingSize = INT(left_padding_size),
        .rightPaddingSize = INT(right_padding_size),
        .topPaddingSize = INT(top_padding_size),
        .bottomPaddingSize = INT(bottom_padding_size),
        .cscSwitch = SWITCH(csc_switch),
        .rbuvSwapSwitch = SWITCH(rbuv_swap_switch),
        .axSwapSwitch = SWITCH(ax_swap_switch),
        .singleLineMode = SWITCH(single_line_mode),
        .matrixR0C0 = INT(matrix_r0c0),
        .matrixR0C1 = INT(matrix_r0c1),
        .matrixR0C2 = INT(matrix_r0c2),
        .matrixR1C0 = INT(matrix_r1c0),
        .matrixR1C1 = INT(matrix_r1c1),
        .matrixR1C2 = INT(matrix_r1c2),
        .matrixR2C0 = INT(matrix_r2c0),
        .matrixR2C1 = INT(matrix_r2c1),
        .matrixR2C2 = INT(matrix_r2c2),
        .outputBias0 = INT(output_bias_0),
        .outputBias1 = INT(output_bias_1),
        .outputBias2 = INT(output_bias_2),
        .inputBias0 = INT(input_bias_0),
        .inputBias1 = INT(input_bias_1),
        .inputBias2 = INT(input_bias_2),
        .meanChn0 = INT(mean_chn_0),
        .meanChn1 = INT(mean_chn_1),
        .meanChn2 = INT(mean_chn_2),
        .meanChn3 = INT(mean_chn_3),
        .minChn0 = FLOAT(min_chn_0),
        .minChn1 = FLOAT(min_chn_1),
        .minChn2 = FLOAT(min_chn_2),
        .minChn3 = FLOAT(min_chn_3),
        .varReciChn0 = FLOAT(var_reci_chn_0),
        .varReciChn1 = FLOAT(var_reci_chn_1),
        .varReciChn2 = FLOAT(var_reci_chn_2),
        .varReciChn3 = FLOAT(var_reci_chn_3),
    };
}

static void fill_dims(const char *name, const jm_shape *shape, aclmdlIODims *dims)
{
    *dims = (aclmdlIODims){.dimCount = (size_t)shape->rank};
    for (int k = 0; k < shape->rank; k++) dims->dims[k] = shape->dim[k];
    if (strlen(name) < sizeof(dims->name)) memcpy(dims->name, name, strlen(name) + 1);
}

/* The model's own input in each of its sizes. It is also what the preprocessing makes, which stays in that layout. */
static void fill_shapes(const jm_gears *gears, const char *name, const jm_tensor *planes, aclAippInfo *info)
{
    const jm_gear_input *sized = jm_gears_find(gears, name);
    info->srcFormat = ACL_FORMAT_NCHW;
    info->srcDatatype = (aclDataType)planes->dtype;
    info->srcDimNum = (size_t)planes->shape.rank;
    info->shapeCount = sized ? gears->count : 1;
    for (size_t i = 0; i < info->shapeCount; i++) {
        jm_tensor model = *planes;
        if (sized) jm_gears_shape(gears, i, (size_t)(sized - gears->input), &model.shape);
        aclAippDims *to = &info->outDims[i];
        fill_dims(name, &model.shape, &to->srcDims);
        fill_dims(name, &model.shape, &to->aippOutdims);
        to->srcSize = (size_t)jm_tensor_elements(&model) * jm_dtype_size(model.dtype);
        to->aippOutSize = to->srcSize;
    }
}

static aclError fill_info(const char *function, const jm_variants *model, uint32_t id, size_t index, aclAippInfo *info)
{
    const jm_graph *graph = jm_loaded_graph(jm_variants_default(model));
    jm_aipp aipp;
    size_t attached;
    bool found = false;
    jm_arena *arena;
    const aclmdlInputAippType type = jm_mdl_aipp_type(graph, index, &attached);
    if (type != ACL_DATA_WITH_STATIC_AIPP && type != ACL_DATA_WITH_DYNAMIC_AIPP)
        return jm_acl_error(ACL_ERROR_GE_AIPP_NOT_EXIST, "%s: input %zu of model %u has no preprocessing inside",
                            function, index, id);
    jm_status status = jm_arena_create(&arena);
    if (status != JM_OK) return jm_acl_code(status);
    status = jm_aipp_of_input(graph, index, arena, &aipp, &found);
    jm_arena_destroy(arena);
    if (status != JM_OK) return jm_acl_code(status);
    *info = (aclAippInfo){0};
    if (found && type == ACL_DATA_WITH_STATIC_AIPP) fill_parameters(&aipp, info);
    int argument;
    const jm_node *node = jm_aipp_reader(graph, index, &argument);
    fill_shapes(jm_variants_gears(model), graph->input[index]->name, &node->out[0]->tensor, info);
    return ACL_SUCCESS;
}

aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo *aippInfo)
{
    aclError code;
    if (!aippInfo) return jm_acl_null(__func__, "aippInfo");
    jm_variants *model = jm_mdl_acquire_input(__func__, modelId, index, &code);
    if (!model) return code;
    code = fill_info(__func__, model, modelId, index, aippInfo);
    jm_mdl_release(modelId);
    return code;
}
