/* SPDX-License-Identifier: Apache-2.0
 *
 * A model with preprocessing inside as a program sees it. What it computes is in tests/tools/test_aipp.py.
 */
#include <unistd.h>

#include "acl_test.h"

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
    assert_int_equal(aclmdlGetFirstAippInfo(id, 1, info), ACL_ERROR_NOT_STATIC_AIPP);
    assert_int_equal(aclmdlGetFirstAippInfo(id, 2, info), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
    assert_acl(aclrtResetDevice(0));
    assert_acl(aclFinalize());
    free(info);
    unlink(ONNX);
    unlink(OM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_are_described)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
