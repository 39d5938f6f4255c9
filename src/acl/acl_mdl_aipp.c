/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of preprocessing inside the model (AIPP) that a program sets before a run: sets of them, and how a set
 * comes into the buffer of the input that carries it.
 */
#include <string.h>

#include "acl/mdl.h"
#include "model/aipp.h"
#include "ops/picture_block.h"

struct aclmdlAIPP {
    uint64_t batch;
    jm_picture_common common;
    jm_picture_own *own; /* for each picture of the batch */
};

/* ---- Sets ---- */

static aclError check_batch(const char *function, uint64_t batch)
{
    if (batch >= 1 && batch <= JM_PICTURE_MAX_BATCH) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: batchSize is %llu and must be 1 to %d", function,
                        (unsigned long long)batch, JM_PICTURE_MAX_BATCH);
}

aclmdlAIPP *aclmdlCreateAIPP(uint64_t batchSize)
{
    if (check_batch(__func__, batchSize)) return NULL;
    aclmdlAIPP *set = jm_alloc(1, sizeof(*set));
    if (!set) return NULL;
    set->batch = batchSize;
    set->common.batch = (int32_t)batchSize;
    set->own = jm_alloc((size_t)batchSize, sizeof(*set->own));
    if (!set->own) {
        jm_free(set);
        return NULL;
    }
    for (uint64_t n = 0; n < batchSize; n++)
        for (int c = 0; c < 4; c++) set->own[n].scale[c] = 1;
    return set;
}

aclError aclmdlDestroyAIPP(const aclmdlAIPP *aippParmsSet)
{
    if (!aippParmsSet) return jm_acl_null(__func__, "aippParmsSet");
    jm_free(aippParmsSet->own);
    jm_free((void *)(uintptr_t)aippParmsSet);
    return ACL_SUCCESS;
}

aclError aclmdlGetAippDataSize(uint64_t batchSize, size_t *size)
{
    JM_ACL_NOT_NULL(size);
    aclError code = check_batch(__func__, batchSize);
    return code ? code : jm_acl_code(jm_picture_block_bytes((int64_t)batchSize, size));
}

/* ---- Ranges ---- */

/* Leaves the calling function with 100000 when an argument is outside of its range. NaN is. */
#define RANGE(argument, low, high)                                                                                     \
    do {                                                                                                               \
        if (!((argument) >= (low) && (argument) <= (high)))                                                            \
            return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: %s is %g and must be %g to %g", __func__, #argument,     \
                                (double)(argument), (double)(low), (double)(high));                                    \
    } while (0)

#define SET_AND_INDEX()                                                                                                \
    do {                                                                                                               \
        JM_ACL_NOT_NULL(aippParmsSet);                                                                                 \
        if (batchIndex >= aippParmsSet->batch)                                                                         \
            return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: batchIndex is %llu and the set has %llu pictures",       \
                                __func__, (unsigned long long)batchIndex, (unsigned long long)aippParmsSet->batch);    \
    } while (0)

/* ---- Numbers of the whole batch ---- */

aclError aclmdlSetAIPPInputFormat(aclmdlAIPP *aippParmsSet, aclAippInputFormat inputFormat)
{
    JM_ACL_NOT_NULL(aippParmsSet);
    if (inputFormat < ACL_YUV420SP_U8 || inputFormat > ACL_YUV400_U8) {
        return jm_acl_error(ACL_ERROR_INVALID_PARAM,
                            "%s: inputFormat is %d; there are ACL_YUV420SP_U8 (1), ACL_XRGB8888_U8 (2), ACL_RGB888_U8 "
                            "(3) and ACL_YUV400_U8 (4)",
                            __func__, (int)inputFormat);
    }
    aippParmsSet->common.format = (int8_t)inputFormat;
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPCscParams(aclmdlAIPP *aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0,
                                int16_t cscMatrixR0C1, int16_t cscMatrixR0C2, int16_t cscMatrixR1C0,
                                int16_t cscMatrixR1C1, int16_t cscMatrixR1C2, int16_t cscMatrixR2C0,
                                int16_t cscMatrixR2C1, int16_t cscMatrixR2C2, uint8_t cscOutputBiasR0,
                                uint8_t cscOutputBiasR1, uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0,
                                uint8_t cscInputBiasR1, uint8_t cscInputBiasR2)
{
    JM_ACL_NOT_NULL(aippParmsSet);
    RANGE(cscSwitch, 0, 1);
    jm_picture_common *common = &aippParmsSet->common;
    common->convert = cscSwitch;
    if (!cscSwitch) return ACL_SUCCESS;
    const int16_t matrix[9] = {cscMatrixR0C0, cscMatrixR0C1, cscMatrixR0C2, cscMatrixR1C0, cscMatrixR1C1,
                               cscMatrixR1C2, cscMatrixR2C0, cscMatrixR2C1, cscMatrixR2C2};
    const uint8_t out[3] = {cscOutputBiasR0, cscOutputBiasR1, cscOutputBiasR2};
    const uint8_t in[3] = {cscInputBiasR0, cscInputBiasR1, cscInputBiasR2};
    memcpy(common->matrix, matrix, sizeof(matrix));
    memcpy(common->out_bias, out, sizeof(out));
    memcpy(common->in_bias, in, sizeof(in));
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP *aippParmsSet, int8_t rbuvSwapSwitch)
{
    JM_ACL_NOT_NULL(aippParmsSet);
    RANGE(rbuvSwapSwitch, 0, 1);
    aippParmsSet->common.swap = rbuvSwapSwitch;
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP *aippParmsSet, int8_t axSwapSwitch)
{
    JM_ACL_NOT_NULL(aippParmsSet);
    RANGE(axSwapSwitch, 0, 1);
    aippParmsSet->common.first_last = axSwapSwitch;
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP *aippParmsSet, int32_t srcImageSizeW, int32_t srcImageSizeH)
{
    JM_ACL_NOT_NULL(aippParmsSet);
    RANGE(srcImageSizeW, 2, 4096);
    RANGE(srcImageSizeH, 1, 4096);
    aippParmsSet->common.width = srcImageSizeW;
    aippParmsSet->common.height = srcImageSizeH;
    return ACL_SUCCESS;
}

/* ---- Numbers of one picture ---- */

aclError aclmdlSetAIPPScfParams(aclmdlAIPP *aippParmsSet, int8_t scfSwitch, int32_t scfInputSizeW,
                                int32_t scfInputSizeH, int32_t scfOutputSizeW, int32_t scfOutputSizeH,
                                uint64_t batchIndex)
{
    SET_AND_INDEX();
    RANGE(scfSwitch, 0, 1);
    jm_picture_own *own = &aippParmsSet->own[batchIndex];
    if (scfSwitch) {
        RANGE(scfInputSizeW, 16, 4096);
        RANGE(scfInputSizeH, 16, 4096);
        RANGE(scfOutputSizeW, 16, 1920);
        RANGE(scfOutputSizeH, 16, 4096);
        const int32_t size[4] = {scfInputSizeW, scfInputSizeH, scfOutputSizeW, scfOutputSizeH};
        memcpy(own->resize_size, size, sizeof(size));
    }
    own->resize = scfSwitch;
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPCropParams(aclmdlAIPP *aippParmsSet, int8_t cropSwitch, int32_t cropStartPosW,
                                 int32_t cropStartPosH, int32_t cropSizeW, int32_t cropSizeH, uint64_t batchIndex)
{
    SET_AND_INDEX();
    RANGE(cropSwitch, 0, 1);
    jm_picture_own *own = &aippParmsSet->own[batchIndex];
    if (cropSwitch) {
        RANGE(cropStartPosW, 0, 4095);
        RANGE(cropStartPosH, 0, 4095);
        RANGE(cropSizeW, 1, 4096);
        RANGE(cropSizeH, 1, 4096);
        own->x = cropStartPosW;
        own->y = cropStartPosH;
        own->width = cropSizeW;
        own->height = cropSizeH;
    }
    own->crop = cropSwitch;
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPPaddingParams(aclmdlAIPP *aippParmsSet, int8_t paddingSwitch, int32_t paddingSizeTop,
                                    int32_t paddingSizeBottom, int32_t paddingSizeLeft, int32_t paddingSizeRight,
                                    uint64_t batchIndex)
{
    SET_AND_INDEX();
    RANGE(paddingSwitch, 0, 1);
    jm_picture_own *own = &aippParmsSet->own[batchIndex];
    if (paddingSwitch) {
        RANGE(paddingSizeTop, 0, 32);
        RANGE(paddingSizeBottom, 0, 32);
        RANGE(paddingSizeLeft, 0, 32);
        RANGE(paddingSizeRight, 0, 32);
        own->top = paddingSizeTop;
        own->bottom = paddingSizeBottom;
        own->left = paddingSizeLeft;
        own->right = paddingSizeRight;
    }
    own->pad = paddingSwitch;
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPDtcPixelMean(aclmdlAIPP *aippParmsSet, int16_t dtcPixelMeanChn0, int16_t dtcPixelMeanChn1,
                                   int16_t dtcPixelMeanChn2, int16_t dtcPixelMeanChn3, uint64_t batchIndex)
{
    SET_AND_INDEX();
    RANGE(dtcPixelMeanChn0, 0, 255);
    RANGE(dtcPixelMeanChn1, 0, 255);
    RANGE(dtcPixelMeanChn2, 0, 255);
    RANGE(dtcPixelMeanChn3, 0, 255);
    const int16_t mean[4] = {dtcPixelMeanChn0, dtcPixelMeanChn1, dtcPixelMeanChn2, dtcPixelMeanChn3};
    memcpy(aippParmsSet->own[batchIndex].mean, mean, sizeof(mean));
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP *aippParmsSet, float dtcPixelMinChn0, float dtcPixelMinChn1,
                                  float dtcPixelMinChn2, float dtcPixelMinChn3, uint64_t batchIndex)
{
    SET_AND_INDEX();
    RANGE(dtcPixelMinChn0, 0, 255);
    RANGE(dtcPixelMinChn1, 0, 255);
    RANGE(dtcPixelMinChn2, 0, 255);
    RANGE(dtcPixelMinChn3, 0, 255);
    const float low[4] = {dtcPixelMinChn0, dtcPixelMinChn1, dtcPixelMinChn2, dtcPixelMinChn3};
    memcpy(aippParmsSet->own[batchIndex].low, low, sizeof(low));
    return ACL_SUCCESS;
}

aclError aclmdlSetAIPPPixelVarReci(aclmdlAIPP *aippParmsSet, float dtcPixelVarReciChn0, float dtcPixelVarReciChn1,
                                   float dtcPixelVarReciChn2, float dtcPixelVarReciChn3, uint64_t batchIndex)
{
    SET_AND_INDEX();
    RANGE(dtcPixelVarReciChn0, -65504, 65504);
    RANGE(dtcPixelVarReciChn1, -65504, 65504);
    RANGE(dtcPixelVarReciChn2, -65504, 65504);
    RANGE(dtcPixelVarReciChn3, -65504, 65504);
    const float scale[4] = {dtcPixelVarReciChn0, dtcPixelVarReciChn1, dtcPixelVarReciChn2, dtcPixelVarReciChn3};
    memcpy(aippParmsSet->own[batchIndex].scale, scale, sizeof(scale));
    return ACL_SUCCESS;
}

/* ---- A set and a model ---- */

/* Whether the model has an image size of its input as large as the source of the set; then that is in `fixed`. */
static bool choose_image(const jm_gears *gears, const char *input, const aclmdlAIPP *set, jm_picture *fixed)
{
    const jm_gear_input *sized = jm_gears_find(gears, input);
    for (size_t gear = 0; sized && gear < gears->count; gear++) {
        jm_shape shape;
        jm_gears_shape(gears, gear, (size_t)(sized - gears->input), &shape);
        if (shape.dim[2] != set->common.height || shape.dim[3] != set->common.width) continue;
        fixed->out_height = shape.dim[2];
        fixed->out_width = shape.dim[3];
        return true;
    }
    return false;
}

static aclError check_result(const char *function, const aclmdlAIPP *set, uint64_t n, const jm_picture *fixed,
                             bool sizes)
{
    const jm_picture_common *common = &set->common;
    const jm_picture_own *own = &set->own[n];
    const int64_t width = (own->crop ? own->width : common->width) + (own->pad ? own->left + own->right : 0);
    const int64_t height = (own->crop ? own->height : common->height) + (own->pad ? own->top + own->bottom : 0);
    if (sizes && (own->crop || own->pad))
        return jm_acl_error(ACL_ERROR_INVALID_PARAM,
                            "%s: picture %llu has crop or padding, which a model of several image sizes does not take",
                            function, (unsigned long long)n);
    if (width == fixed->out_width && height == fixed->out_height) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM,
                        "%s: picture %llu becomes %lld x %lld (width x height) and the model takes %lld x %lld",
                        function, (unsigned long long)n, (long long)width, (long long)height,
                        (long long)fixed->out_width, (long long)fixed->out_height);
}

static aclError check_set(const char *function, jm_variants *model, const jm_node *node, const aclmdlAIPP *set)
{
    const jm_gears *gears = jm_variants_gears(model);
    const bool sizes = gears->kind == JM_GEAR_IMAGE;
    jm_picture fixed, picture;
    jm_status status = jm_aipp_call(node, &fixed);
    if (status != JM_OK) return jm_acl_code(status);
    if (set->batch != (uint64_t)fixed.batch)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the set has %llu pictures and the model's batch is %lld",
                            function, (unsigned long long)set->batch, (long long)fixed.batch);
    if (sizes) (void)choose_image(gears, node->in[JM_AIPP_PICTURE]->name, set, &fixed);
    for (uint64_t n = 0; n < set->batch; n++) {
        aclError code = check_result(function, set, n, &fixed, sizes);
        if (code) return code;
        if (jm_picture_set(&fixed, &set->common, &set->own[n], fixed.memory, &picture) == JM_OK) continue;
        char why[300];
        snprintf(why, sizeof(why), "%s", jm_last_error());
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: picture %llu: %s", function, (unsigned long long)n, why);
    }
    return ACL_SUCCESS;
}

static aclError write_set(const char *function, const aclmdlDataset *dataset, size_t index, const aclmdlAIPP *set)
{
    const aclDataBuffer *buffer = aclmdlGetDatasetBuffer(dataset, index);
    char *to = buffer ? aclGetDataBufferAddr(buffer) : NULL;
    size_t bytes;
    if (!to)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the dataset has no buffer with memory at index %zu", function,
                            index);
    jm_status status = jm_picture_block_bytes((int64_t)set->batch, &bytes);
    if (status != JM_OK) return jm_acl_code(status);
    if (aclGetDataBufferSizeV2(buffer) < bytes)
        return jm_acl_error(ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
                            "%s: the buffer has %zu bytes and the parameters of %llu pictures take %zu", function,
                            aclGetDataBufferSizeV2(buffer), (unsigned long long)set->batch, bytes);
    to = jm_device_pointer(to);
    memcpy(to, &set->common, sizeof(set->common));
    memcpy(to + sizeof(set->common), set->own, (size_t)set->batch * sizeof(*set->own));
    return ACL_SUCCESS;
}

/* `index` is the input that carries parameters. */
static aclError set_input(const char *function, jm_variants *model, const aclmdlDataset *dataset, size_t index,
                          const aclmdlAIPP *set)
{
    const jm_graph *graph = jm_loaded_graph(jm_variants_default(model));
    size_t attached;
    int argument;
    if (jm_mdl_aipp_type(graph, index, &attached) != ACL_DYNAMIC_AIPP_NODE)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: input %zu does not carry parameters; that is '%s'", function,
                            index, ACL_DYNAMIC_AIPP_NAME);
    aclError code = check_set(function, model, jm_aipp_reader(graph, index, &argument), set);
    return code ? code : write_set(function, dataset, index, set);
}

aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset *dataset, size_t index, const aclmdlAIPP *aippParmsSet)
{
    aclError code;
    JM_ACL_NOT_NULL(dataset);
    JM_ACL_NOT_NULL(aippParmsSet);
    jm_variants *model = jm_mdl_acquire_input(__func__, modelId, index, &code);
    if (!model) return code;
    code = set_input(__func__, model, dataset, index, aippParmsSet);
    jm_mdl_release(modelId);
    return code;
}

aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset *dataset, size_t index,
                                   const aclmdlAIPP *aippParmsSet)
{
    aclError code;
    size_t attached;
    JM_ACL_NOT_NULL(dataset);
    JM_ACL_NOT_NULL(aippParmsSet);
    jm_variants *model = jm_mdl_acquire_input(__func__, modelId, index, &code);
    if (!model) return code;
    if (jm_mdl_aipp_type(jm_loaded_graph(jm_variants_default(model)), index, &attached) != ACL_DATA_WITH_DYNAMIC_AIPP) {
        code = jm_acl_error(ACL_ERROR_FAILURE, "%s: input %zu of model %u was not compiled with aipp_mode: dynamic",
                            __func__, index, modelId);
    } else {
        code = set_input(__func__, model, dataset, attached, aippParmsSet);
    }
    jm_mdl_release(modelId);
    return code;
}

/* ---- For a run ---- */

/* Bytes of the pictures that the parameters in a buffer describe. */
static aclError picture_bytes(const jm_node *node, const aclDataBuffer *buffer, size_t *bytes)
{
    const char *name = node->in[JM_AIPP_PARAMETERS]->name;
    jm_picture fixed;
    jm_picture_common common;
    size_t need;
    jm_status status = jm_aipp_call(node, &fixed);
    if (status == JM_OK) status = jm_picture_block_bytes(fixed.batch, &need);
    if (status != JM_OK) return jm_acl_code(status);
    const void *from = buffer ? aclGetDataBufferAddr(buffer) : NULL;
    if (!from || aclGetDataBufferSizeV2(buffer) < need)
        return jm_acl_error(ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID, "input '%s' needs a buffer of %zu bytes", name,
                            need);
    from = jm_device_pointer((void *)(uintptr_t)from);
    memcpy(&common, from, sizeof(common));
    if (common.format == 0)
        return jm_acl_error(ACL_ERROR_GE_AIPP_NOT_EXIST,
                            "input '%s' holds no parameters: aclmdlSetInputAIPP puts them there", name);
    status = jm_aipp_picture_bytes(node, from, bytes);
    return status == JM_OK ? ACL_SUCCESS : jm_acl_error(ACL_ERROR_GE_PARAM_INVALID, "%s", jm_last_error());
}

aclError jm_mdl_input_bytes(const jm_graph *graph, size_t index, const aclmdlDataset *input, size_t *bytes)
{
    if (jm_tensor_bytes(&graph->input[index]->tensor, bytes) != JM_OK) return (aclError)ACL_ERROR_GE_INTERNAL_ERROR;
    if (!jm_aipp_has_parameters(graph)) return ACL_SUCCESS;
    size_t attached;
    int argument;
    if (jm_mdl_aipp_type(graph, index, &attached) != ACL_DATA_WITH_DYNAMIC_AIPP) return ACL_SUCCESS;
    return picture_bytes(jm_aipp_reader(graph, index, &argument), aclmdlGetDatasetBuffer(input, attached), bytes);
}
