/* SPDX-License-Identifier: Apache-2.0
 *
 * Models with preprocessing inside (AIPP). Parameters that are set at run time are not supported yet: those functions
 * check their arguments as ever and then say so.
 */
#include "acl/mdl.h"
#include "model/aipp.h"

static aclError check_model(uint32_t id)
{
    if (!jm_mdl_acquire(id)) return (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    jm_mdl_release(id);
    return ACL_SUCCESS;
}

aclmdlAIPP *aclmdlCreateAIPP(uint64_t batchSize)
{
    (void)batchSize;
    (void)jm_acl_error(ACL_ERROR_API_NOT_SUPPORT, "%s: preprocessing inside the model is not supported yet", __func__);
    return NULL;
}

/* No parameter set can exist, so whatever is given is none. */
static aclError no_set(const char *function)
{
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: aippParmsSet is not a set of aclmdlCreateAIPP", function);
}

aclError aclmdlDestroyAIPP(const aclmdlAIPP *aippParmsSet)
{
    (void)aippParmsSet;
    return no_set(__func__);
}

aclError aclmdlSetAIPPInputFormat(aclmdlAIPP *aippParmsSet, aclAippInputFormat inputFormat)
{
    (void)aippParmsSet, (void)inputFormat;
    return no_set(__func__);
}

aclError aclmdlSetAIPPCscParams(aclmdlAIPP *aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0,
                                int16_t cscMatrixR0C1, int16_t cscMatrixR0C2, int16_t cscMatrixR1C0,
                                int16_t cscMatrixR1C1, int16_t cscMatrixR1C2, int16_t cscMatrixR2C0,
                                int16_t cscMatrixR2C1, int16_t cscMatrixR2C2, uint8_t cscOutputBiasR0,
                                uint8_t cscOutputBiasR1, uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0,
                                uint8_t cscInputBiasR1, uint8_t cscInputBiasR2)
{
    (void)aippParmsSet, (void)cscSwitch;
    (void)cscMatrixR0C0, (void)cscMatrixR0C1, (void)cscMatrixR0C2;
    (void)cscMatrixR1C0, (void)cscMatrixR1C1, (void)cscMatrixR1C2;
    (void)cscMatrixR2C0, (void)cscMatrixR2C1, (void)cscMatrixR2C2;
    (void)cscOutputBiasR0, (void)cscOutputBiasR1, (void)cscOutputBiasR2;
    (void)cscInputBiasR0, (void)cscInputBiasR1, (void)cscInputBiasR2;
    return no_set(__func__);
}

aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP *aippParmsSet, int8_t rbuvSwapSwitch)
{
    (void)aippParmsSet, (void)rbuvSwapSwitch;
    return no_set(__func__);
}

aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP *aippParmsSet, int8_t axSwapSwitch)
{
    (void)aippParmsSet, (void)axSwapSwitch;
    return no_set(__func__);
}

aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP *aippParmsSet, int32_t srcImageSizeW, int32_t srcImageSizeH)
{
    (void)aippParmsSet, (void)srcImageSizeW, (void)srcImageSizeH;
    return no_set(__func__);
}

aclError aclmdlSetAIPPScfParams(aclmdlAIPP *aippParmsSet, int8_t scfSwitch, int32_t scfInputSizeW,
                                int32_t scfInputSizeH, int32_t scfOutputSizeW, int32_t scfOutputSizeH,
                                uint64_t batchIndex)
{
    (void)aippParmsSet, (void)scfSwitch, (void)scfInputSizeW, (void)scfInputSizeH;
    (void)scfOutputSizeW, (void)scfOutputSizeH, (void)batchIndex;
    return no_set(__func__);
}

aclError aclmdlSetAIPPCropParams(aclmdlAIPP *aippParmsSet, int8_t cropSwitch, int32_t cropStartPosW,
                                 int32_t cropStartPosH, int32_t cropSizeW, int32_t cropSizeH, uint64_t batchIndex)
{
    (void)aippParmsSet, (void)cropSwitch, (void)cropStartPosW, (void)cropStartPosH;
    (void)cropSizeW, (void)cropSizeH, (void)batchIndex;
    return no_set(__func__);
}

aclError aclmdlSetAIPPPaddingParams(aclmdlAIPP *aippParmsSet, int8_t paddingSwitch, int32_t paddingSizeTop,
                                    int32_t paddingSizeBottom, int32_t paddingSizeLeft, int32_t paddingSizeRight,
                                    uint64_t batchIndex)
{
    (void)aippParmsSet, (void)paddingSwitch, (void)paddingSizeTop, (void)paddingSizeBottom;
    (void)paddingSizeLeft, (void)paddingSizeRight, (void)batchIndex;
    return no_set(__func__);
}

aclError aclmdlSetAIPPDtcPixelMean(aclmdlAIPP *aippParmsSet, int16_t dtcPixelMeanChn0, int16_t dtcPixelMeanChn1,
                                   int16_t dtcPixelMeanChn2, int16_t dtcPixelMeanChn3, uint64_t batchIndex)
{
    (void)aippParmsSet, (void)dtcPixelMeanChn0, (void)dtcPixelMeanChn1;
    (void)dtcPixelMeanChn2, (void)dtcPixelMeanChn3, (void)batchIndex;
    return no_set(__func__);
}

aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP *aippParmsSet, float dtcPixelMinChn0, float dtcPixelMinChn1,
                                  float dtcPixelMinChn2, float dtcPixelMinChn3, uint64_t batchIndex)
{
    (void)aippParmsSet, (void)dtcPixelMinChn0, (void)dtcPixelMinChn1;
    (void)dtcPixelMinChn2, (void)dtcPixelMinChn3, (void)batchIndex;
    return no_set(__func__);
}

aclError aclmdlSetAIPPPixelVarReci(aclmdlAIPP *aippParmsSet, float dtcPixelVarReciChn0, float dtcPixelVarReciChn1,
                                   float dtcPixelVarReciChn2, float dtcPixelVarReciChn3, uint64_t batchIndex)
{
    (void)aippParmsSet, (void)dtcPixelVarReciChn0, (void)dtcPixelVarReciChn1;
    (void)dtcPixelVarReciChn2, (void)dtcPixelVarReciChn3, (void)batchIndex;
    return no_set(__func__);
}

static aclError no_aipp(const char *function, uint32_t id, const aclmdlDataset *dataset, const aclmdlAIPP *set)
{
    if (!dataset || !set) return jm_acl_null(function, dataset ? "aippParmsSet" : "dataset");
    aclError code = check_model(id);
    if (code) return code;
    return jm_acl_error(ACL_ERROR_GE_AIPP_NOT_EXIST, "%s: model %u has no preprocessing inside", function, id);
}

aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset *dataset, size_t index, const aclmdlAIPP *aippParmsSet)
{
    (void)index;
    return no_aipp(__func__, modelId, dataset, aippParmsSet);
}

aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset *dataset, size_t index,
                                   const aclmdlAIPP *aippParmsSet)
{
    (void)index;
    return no_aipp(__func__, modelId, dataset, aippParmsSet);
}

/* The parameters of an input; *found is false when it has none. */
static aclError find_aipp(const char *function, uint32_t id, size_t index, jm_aipp *aipp, bool *found, jm_shape *source)
{
    const jm_variants *model = jm_mdl_acquire(id);
    if (!model) return (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    const jm_graph *graph = jm_loaded_graph(jm_variants_default(model));
    const size_t inputs = graph->inputs;
    jm_arena *arena = NULL;
    jm_status status = index < inputs ? jm_arena_create(&arena) : JM_OK;
    if (arena) {
        *source = graph->input[index]->tensor.shape;
        status = jm_aipp_of_input(graph, index, arena, aipp, found);
        aipp->related_name = NULL; /* it was the arena's */
    }
    jm_arena_destroy(arena);
    jm_mdl_release(id);
    if (status != JM_OK) return jm_acl_code(status);
    if (index < inputs) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: input %zu of a model with %zu", function, index, inputs);
}

aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType *type, size_t *dynamicAttachedDataIndex)
{
    jm_aipp aipp = {.related_name = NULL};
    jm_shape source;
    bool found = false;
    if (!type || !dynamicAttachedDataIndex) return jm_acl_null(__func__, type ? "dynamicAttachedDataIndex" : "type");
    aclError code = find_aipp(__func__, modelId, index, &aipp, &found, &source);
    if (code) return code;
    *type = found ? ACL_DATA_WITH_STATIC_AIPP : ACL_DATA_WITHOUT_AIPP;
    *dynamicAttachedDataIndex = ACL_INVALID_NODE_INDEX;
    return ACL_SUCCESS;
}

#define INT(field) ((int32_t)aipp->value[JM_AIPP_##field])
#define SWITCH(field) ((int8_t)aipp->value[JM_AIPP_##field])
#define FLOAT(field) ((float)aipp->value[JM_AIPP_##field])

static void fill_info(const jm_aipp *aipp, const jm_shape *source, aclAippInfo *info)
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
        .srcFormat = ACL_FORMAT_NHWC,
        .srcDatatype = ACL_UINT8,
        .srcDimNum = (size_t)source->rank,
    };
}

/* The shapes behind the preprocessing are not reported: shapeCount is 0. */
aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo *aippInfo)
{
    jm_aipp aipp = {.related_name = NULL};
    jm_shape source = {0};
    bool found = false;
    if (!aippInfo) return jm_acl_null(__func__, "aippInfo");
    aclError code = find_aipp(__func__, modelId, index, &aipp, &found, &source);
    if (code) return code;
    if (!found) {
        return jm_acl_error(ACL_ERROR_NOT_STATIC_AIPP, "%s: input %zu of model %u has no preprocessing inside",
                            __func__, index, modelId);
    }
    fill_info(&aipp, &source, aippInfo);
    return ACL_SUCCESS;
}
