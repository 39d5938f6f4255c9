/* SPDX-License-Identifier: Apache-2.0
 *
 * A model with preprocessing inside as a program sees it. What it computes is in tests/tools/test_aipp.py, and in
 * tests/python/test_acl_aipp.py where the parameters come with the run.
 */
#include <unistd.h>

#include "acl_test.h"

#include "acl/error_codes/ge_error_codes.h"
#include "base/alloc.h"
#include "compiler/onnx_builder.h"
#include "jumar/compile.h"

#define ONNX "test_acl_aipp.onnx"
#define OM "test_acl_aipp.om"

/* x and z [2,3,8,12]; y = x + z. */
static void write_model(void)
{
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2, 3, 8, 12));
    onnx_input(&b, "z", ONNX_FLOAT, DIMS(2, 3, 8, 12));
    onnx_op(&b, "Add", "x,z", "y");
    onnx_output(&b, "y");
    onnx_write(&b, ONNX);
    onnx_clear(&b);
}

static void assert_dims(const aclmdlIODims *dims, int64_t n, int64_t h, int64_t w, int64_t c)
{
    assert_int_equal(dims->dimCount, 4);
    assert_int_equal(dims->dims[0], n);
    assert_int_equal(dims->dims[1], h);
    assert_int_equal(dims->dims[2], w);
    assert_int_equal(dims->dims[3], c);
}

static void pictures_are_described(void **state)
{
    (void)state;
    static const char config[] =
        "aipp_op { aipp_mode: static input_format: YUV420SP_U8 csc_switch: true src_image_size_w: 16 "
        "src_image_size_h: 10 crop: true load_start_pos_w: 2 crop_size_w: 12 crop_size_h: 8 "
        "mean_chn_1: 7 min_chn_2: 1.5 var_reci_chn_0: 0.5 }";
    uint32_t id;
    size_t attached = 0;
    aclmdlIODims dims;
    aclmdlInputAippType type;
    aclAippInfo *info = malloc(sizeof(*info));
    write_model();
    assert_int_equal(jumar_compile(ONNX, OM, &(jumar_compile_options){.aipp = config}), JUMAR_OK);
    assert_acl(aclInit(NULL));
    assert_acl(aclrtSetDevice(0));
    assert_acl(aclmdlLoadFromFile(OM, &id));
    aclmdlDesc *desc = aclmdlCreateDesc();
    assert_acl(aclmdlGetDesc(desc, id));
    assert_int_equal(aclmdlGetInputDataType(desc, 0), ACL_UINT8);
    assert_int_equal(aclmdlGetInputFormat(desc, 0), ACL_FORMAT_NHWC);
    assert_int_equal(aclmdlGetInputSizeByIndex(desc, 0), 2 * 16 * 10 * 3 / 2);
    assert_acl(aclmdlGetInputDims(desc, 0, &dims));
    assert_dims(&dims, 2, 10, 16, 3);
    assert_acl(aclmdlGetInputDimsV2(desc, 0, &dims));
    assert_dims(&dims, 2, 15, 16, 1);
    assert_int_equal(aclmdlGetInputFormat(desc, 1), ACL_FORMAT_NCHW);
    assert_acl(aclmdlGetAippType(id, 0, &type, &attached));
    assert_int_equal(type, ACL_DATA_WITH_STATIC_AIPP);
    assert_int_equal(attached, ACL_INVALID_NODE_INDEX);
    assert_acl(aclmdlGetAippType(id, 1, &type, &attached));
    assert_int_equal(type, ACL_DATA_WITHOUT_AIPP);
    assert_acl(aclmdlGetFirstAippInfo(id, 0, info));
    assert_int_equal(info->inputFormat, ACL_YUV420SP_U8);
    assert_true(info->srcImageSizeW == 16 && info->srcImageSizeH == 10 && info->cropSwitch && info->loadStartPosW == 2);
    assert_true(info->cscSwitch && info->matrixR0C1 == 516 && info->inputBias0 == 16 && !info->paddingSwitch);
    assert_true(info->meanChn1 == 7 && info->minChn2 == 1.5f && info->varReciChn0 == 0.5f && info->varReciChn1 == 1);
    assert_true(info->srcFormat == ACL_FORMAT_NCHW && info->srcDatatype == ACL_FLOAT && info->srcDimNum == 4);
    assert_int_equal(info->shapeCount, 1);
    assert_dims(&info->outDims[0].srcDims, 2, 3, 8, 12);
    assert_dims(&info->outDims[0].aippOutdims, 2, 3, 8, 12);
    assert_string_equal(info->outDims[0].srcDims.name, "x");
    assert_true(info->outDims[0].srcSize == 2304 && info->outDims[0].aippOutSize == 2304);
    assert_int_equal(aclmdlGetFirstAippInfo(id, 1, info), ACL_ERROR_GE_AIPP_NOT_EXIST);
    assert_int_equal(aclmdlGetFirstAippInfo(id, 2, info), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
    assert_acl(aclrtResetDevice(0));
    assert_acl(aclFinalize());
    free(info);
    unlink(ONNX);
    unlink(OM);
}

/* ---- Parameters that come with the run ---- */

enum { X, Z, PARAMETERS, INPUTS, SOURCE_W = 20, SOURCE_H = 10, SOURCE = 2 * SOURCE_W * SOURCE_H * 3 };

static void *add(aclmdlDataset *dataset, size_t bytes)
{
    void *memory;
    assert_acl(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    memset(memory, 0, bytes);
    assert_acl(aclmdlAddDatasetBuffer(dataset, aclCreateDataBuffer(memory, bytes)));
    return memory;
}

static void drop(aclmdlDataset *dataset)
{
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset); i++) {
        aclDataBuffer *buffer = aclmdlGetDatasetBuffer(dataset, i);
        assert_acl(aclrtFree(aclGetDataBufferAddr(buffer)));
        assert_acl(aclDestroyDataBuffer(buffer));
    }
    assert_acl(aclmdlDestroyDataset(dataset));
}

/* RGB pictures of 20 x 10, of which each gives another cut of 12 x 8. */
static aclmdlAIPP *make_set(void)
{
    aclmdlAIPP *set = aclmdlCreateAIPP(2);
    assert_non_null(set);
    assert_acl(aclmdlSetAIPPInputFormat(set, ACL_RGB888_U8));
    assert_acl(aclmdlSetAIPPSrcImageSize(set, SOURCE_W, SOURCE_H));
    for (int n = 0; n < 2; n++) {
        assert_acl(aclmdlSetAIPPCropParams(set, 1, 3 + n, 1 - n, 12, 8, (uint64_t)n));
        assert_acl(aclmdlSetAIPPDtcPixelMin(set, 0.5f, 1, 2, 0, (uint64_t)n));
        assert_acl(aclmdlSetAIPPPixelVarReci(set, 0.25f, 2, (float)(n + 1), 1, (uint64_t)n));
    }
    return set;
}

static float expected(const uint8_t *picture, int n, int c, int y, int x)
{
    static const float low[3] = {0.5f, 1, 2};
    const float scale[3] = {0.25f, 2, (float)(n + 1)};
    return ((float)picture[((n * SOURCE_H + y + 1 - n) * SOURCE_W + x + 3 + n) * 3 + c] - low[c]) * scale[c];
}

static void parameters_come_with_the_run(void **state)
{
    (void)state;
    uint32_t id;
    size_t index, attached;
    aclmdlInputAippType type;
    write_model();
    const jumar_compile_options options = {.aipp = "aipp_op { aipp_mode: dynamic max_src_image_size: 1200 }"};
    assert_int_equal(jumar_compile(ONNX, OM, &options), JUMAR_OK);
    assert_acl(aclInit(NULL));
    assert_acl(aclrtSetDevice(0));
    assert_acl(aclmdlLoadFromFile(OM, &id));
    aclmdlDesc *desc = aclmdlCreateDesc();
    assert_acl(aclmdlGetDesc(desc, id));
    assert_int_equal(aclmdlGetNumInputs(desc), INPUTS);
    assert_acl(aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_AIPP_NAME, &index));
    assert_int_equal(index, PARAMETERS);
    assert_acl(aclmdlGetAippType(id, X, &type, &attached));
    assert_true(type == ACL_DATA_WITH_DYNAMIC_AIPP && attached == PARAMETERS);
    aclmdlDataset *input = aclmdlCreateDataset(), *output = aclmdlCreateDataset();
    uint8_t *picture = add(input, aclmdlGetInputSizeByIndex(desc, X));
    (void)add(input, aclmdlGetInputSizeByIndex(desc, Z));
    char *parameters = add(input, aclmdlGetInputSizeByIndex(desc, PARAMETERS));
    const float *y = add(output, aclmdlGetOutputSizeByIndex(desc, 0));
    for (int i = 0; i < SOURCE; i++) picture[i] = (uint8_t)(i * 37 % 251);
    aclmdlAIPP *set = make_set();
    assert_acl(aclmdlSetInputAIPP(id, input, PARAMETERS, set));
    assert_acl(aclmdlDestroyAIPP(set));
    for (int async = 0; async < 2; async++) {
        memset((void *)(uintptr_t)y, 0xFF, aclmdlGetOutputSizeByIndex(desc, 0));
        assert_acl(async ? aclmdlExecuteAsync(id, input, output, NULL) : aclmdlExecute(id, input, output));
        assert_acl(aclrtSynchronizeStream(NULL));
        for (int i = 0; i < 2 * 3 * 8 * 12; i++)
            assert_true(y[i] == expected(picture, i / 288, i / 96 % 3, i / 12 % 8, i % 12));
    }
    /* Numbers that were changed behind the library's back. */
    parameters[64] = 1;
    parameters[64 + 8] = 120;
    assert_int_equal(aclmdlExecute(id, input, output), ACL_ERROR_GE_PARAM_INVALID);
    drop(input);
    drop(output);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
    assert_acl(aclrtResetDevice(0));
    assert_acl(aclFinalize());
    unlink(ONNX);
    unlink(OM);
}

static void sets_survive_want_of_memory(void **state)
{
    (void)state;
    aclmdlAIPP *set = NULL;
    for (uint64_t n = 1; !set; n++) {
        (void)jm_alloc_fail_at(n);
        set = aclmdlCreateAIPP(3);
        (void)jm_alloc_fail_at(0);
    }
    assert_acl(aclmdlDestroyAIPP(set));
    assert_null(aclmdlCreateAIPP(0));
    assert_int_equal(aclmdlDestroyAIPP(NULL), ACL_ERROR_INVALID_PARAM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_described),
        cmocka_unit_test(parameters_come_with_the_run),
        cmocka_unit_test(sets_survive_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
