/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "test.h"

#include "acl/acl.h"
#include "base/alloc.h"

static void sizes_of_types(void **state)
{
    (void)state;
    static const struct {
        aclDataType type;
        size_t size;
    } row[] = {
        {ACL_DT_UNDEFINED, 0}, {ACL_FLOAT, 4},       {ACL_FLOAT16, 2}, {ACL_INT8, 1},   {ACL_INT32, 4},
        {ACL_UINT8, 1},        {ACL_INT16, 2},       {ACL_UINT16, 2},  {ACL_UINT32, 4}, {ACL_INT64, 8},
        {ACL_UINT64, 8},       {ACL_DOUBLE, 8},      {ACL_BOOL, 1},    {ACL_STRING, 0}, {ACL_COMPLEX64, 8},
        {ACL_COMPLEX128, 16},  {ACL_BF16, 2},        {ACL_INT4, 1},    {ACL_UINT1, 1},  {ACL_COMPLEX32, 4},
        {ACL_HIFLOAT8, 1},     {ACL_FLOAT8_E5M2, 1},
    };
    for (size_t i = 0; i < JM_COUNT(row); i++) assert_int_equal(aclDataTypeSize(row[i].type), row[i].size);
}

/* Every binary16 value against its definition; every float near one of them, and random ones, back again. */
static void half_precision(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        int exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
        double magnitude = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
        float value = aclFloat16ToFloat((aclFloat16)bits);
        assert_true(fabsf(value) == (float)magnitude);
        assert_int_equal(signbit(value) != 0, bits >> 15);
        if (exponent < 31) assert_int_equal(aclFloatToFloat16(value), bits);
    }
    assert_int_equal(aclFloatToFloat16(65519.0f), 0x7bff);
    assert_int_equal(aclFloatToFloat16(65520.0f), 0x7bff);
    assert_int_equal(aclFloatToFloat16(-1e30f), 0xfbff);
    assert_int_equal(aclFloatToFloat16(INFINITY), 0x7bff);
    assert_int_equal(aclFloatToFloat16(-INFINITY), 0xfbff);
    assert_int_equal(aclFloatToFloat16(fabsf(NAN)), 0x7bff);
    assert_int_equal(aclFloatToFloat16(0x1p-25f), 0);
    assert_int_equal(aclFloatToFloat16(0x1.2p-25f), 1);
    assert_int_equal(aclFloatToFloat16(1.0f + 0x1p-11f), 0x3c00); /* ties to even */
    assert_int_equal(aclFloatToFloat16(1.0f + 0x3p-11f), 0x3c02);
}

static void data_buffers(void **state)
{
    (void)state;
    char data[10];
    aclDataBuffer *buffer = aclCreateDataBuffer(data, sizeof(data));
    assert_non_null(buffer);
    assert_ptr_equal(aclGetDataBufferAddr(buffer), data);
    assert_int_equal(aclGetDataBufferSizeV2(buffer), 10);
    assert_int_equal(aclGetDataBufferSize(buffer), 10);
    assert_int_equal(aclUpdateDataBuffer(buffer, data + 1, 5), ACL_SUCCESS);
    assert_ptr_equal(aclGetDataBufferAddr(buffer), data + 1);
    assert_int_equal(aclGetDataBufferSizeV2(buffer), 5);
    assert_int_equal(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
    assert_int_equal(aclDestroyDataBuffer(NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclUpdateDataBuffer(NULL, data, 5), ACL_ERROR_INVALID_PARAM);
    assert_null(aclGetDataBufferAddr(NULL));
    assert_int_equal(aclGetDataBufferSizeV2(NULL), 0);
    /* Empty buffers are legal. */
    buffer = aclCreateDataBuffer(NULL, 0);
    assert_non_null(buffer);
    assert_null(aclGetDataBufferAddr(buffer));
    assert_int_equal(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
    jm_alloc_fail_at(1);
    assert_null(aclCreateDataBuffer(data, 1));
    jm_alloc_fail_at(0);
}

static void tensor_descriptions(void **state)
{
    (void)state;
    int64_t dims[] = {2, 3, 5}, dim, range[3][2] = {{1, 4}, {3, 3}, {-1, 9}}, got[2];
    aclTensorDesc *desc = aclCreateTensorDesc(ACL_FLOAT16, 3, dims, ACL_FORMAT_NCHW);
    dims[0] = 99; /* a copy was taken */
    assert_int_equal(aclGetTensorDescType(desc), ACL_FLOAT16);
    assert_int_equal(aclGetTensorDescFormat(desc), ACL_FORMAT_NCHW);
    assert_int_equal(aclGetTensorDescNumDims(desc), 3);
    assert_int_equal(aclGetTensorDescElementCount(desc), 30);
    assert_int_equal(aclGetTensorDescSize(desc), 60);
    assert_int_equal(aclGetTensorDescDimV2(desc, 0, &dim), ACL_SUCCESS);
    assert_int_equal(dim, 2);
    assert_int_equal(aclGetTensorDescDim(desc, 2), 5);
    assert_int_equal(aclGetTensorDescDim(desc, 3), -1);
    assert_int_equal(aclGetTensorDescDimV2(desc, 3, &dim), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclSetTensorShapeRange(desc, 3, range), ACL_SUCCESS);
    assert_int_equal(aclGetTensorDescDimRange(desc, 2, 2, got), ACL_SUCCESS);
    assert_int_equal(got[1], 9);
    assert_int_equal(aclGetTensorDescDimRange(desc, 3, 2, got), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclGetTensorDescDimRange(desc, 0, 1, got), ACL_ERROR_INVALID_PARAM);
    assert_string_equal(aclGetTensorDescName(desc), "");
    aclSetTensorDescName(desc, "images");
    assert_string_equal(aclGetTensorDescName(desc), "images");
    aclSetTensorDescName(desc, NULL);
    assert_string_equal(aclGetTensorDescName(desc), "");
    assert_int_equal(aclSetTensorFormat(desc, ACL_FORMAT_ND), ACL_SUCCESS);
    assert_int_equal(aclSetTensorShape(desc, 2, dims), ACL_SUCCESS);
    assert_int_equal(aclSetTensorShape(desc, -1, dims), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclSetTensorConst(desc, dims, 8), ACL_SUCCESS);
    assert_int_equal(aclSetTensorConst(desc, NULL, 8), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclSetTensorConst(desc, NULL, 0), ACL_SUCCESS);
    assert_int_equal(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST), ACL_SUCCESS);
    aclDestroyTensorDesc(desc);

    desc = aclCreateTensorDesc(ACL_FLOAT, 0, NULL, ACL_FORMAT_ND);
    assert_int_equal(aclGetTensorDescElementCount(desc), 1);
    aclDestroyTensorDesc(desc);
    int64_t odd[] = {-1, 3}, rank[] = {-2}, huge[] = {INT64_MAX, 3};
    desc = aclCreateTensorDesc(ACL_FLOAT, 2, odd, ACL_FORMAT_ND);
    assert_int_equal(aclGetTensorDescSize(desc), 0);
    aclDestroyTensorDesc(desc);
    desc = aclCreateTensorDesc(ACL_FLOAT, 1, rank, ACL_FORMAT_ND);
    assert_true(aclGetTensorDescNumDims(desc) == ACL_UNKNOWN_RANK);
    aclDestroyTensorDesc(desc);
    desc = aclCreateTensorDesc(ACL_FLOAT, 2, huge, ACL_FORMAT_ND);
    assert_int_equal(aclGetTensorDescElementCount(desc), 0);
    aclDestroyTensorDesc(desc);

    assert_null(aclCreateTensorDesc(ACL_FLOAT, -1, NULL, ACL_FORMAT_ND));
    assert_null(aclCreateTensorDesc(ACL_FLOAT, 1, NULL, ACL_FORMAT_ND));
    aclDestroyTensorDesc(NULL);
    assert_int_equal(aclGetTensorDescType(NULL), ACL_DT_UNDEFINED);
    assert_int_equal(aclGetTensorDescFormat(NULL), ACL_FORMAT_UNDEFINED);
    assert_int_equal(aclGetTensorDescSize(NULL), 0);
    assert_int_equal(aclSetTensorShape(NULL, 0, NULL), ACL_ERROR_INVALID_PARAM);
    for (uint64_t n = 1; n <= 2; n++) {
        jm_alloc_fail_at(n);
        assert_null(aclCreateTensorDesc(ACL_FLOAT, 2, odd, ACL_FORMAT_ND));
        jm_alloc_fail_at(0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_types),
        cmocka_unit_test(half_precision),
        cmocka_unit_test(data_buffers),
        cmocka_unit_test(tensor_descriptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
