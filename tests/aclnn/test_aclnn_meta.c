/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "base/alloc.h"

static void tensor_remembers_its_view(void **state)
{
    (void)state;
    float data[8];
    const int64_t dim[] = {2, 3}, stride[] = {4, 1}, storage[] = {8};
    aclTensor *tensor = aclCreateTensor(dim, 2, ACL_FLOAT, stride, 1, ACL_FORMAT_ND, storage, 1, data);
    assert_non_null(tensor);
    int64_t *numbers, offset;
    uint64_t count;
    aclFormat format;
    aclDataType type;
    void *address;
    assert_int_equal(aclGetViewShape(tensor, &numbers, &count), 0);
    assert_int_equal(count, 2);
    assert_memory_equal(numbers, dim, sizeof(dim));
    free(numbers);
    assert_int_equal(aclGetViewStrides(tensor, &numbers, &count), 0);
    assert_int_equal(count, 2);
    assert_memory_equal(numbers, stride, sizeof(stride));
    free(numbers);
    assert_int_equal(aclGetStorageShape(tensor, &numbers, &count), 0);
    assert_int_equal(count, 1);
    assert_int_equal(numbers[0], 8);
    free(numbers);
    assert_int_equal(aclGetViewOffset(tensor, &offset), 0);
    assert_int_equal(offset, 1);
    assert_int_equal(aclGetFormat(tensor, &format), 0);
    assert_int_equal(format, ACL_FORMAT_ND);
    assert_int_equal(aclGetDataType(tensor, &type), 0);
    assert_int_equal(type, ACL_FLOAT);
    assert_int_equal(aclGetRawTensorAddr(tensor, &address), 0);
    assert_ptr_equal(address, data);
    assert_int_equal(aclSetRawTensorAddr(tensor, data + 1), 0);
    assert_int_equal(aclGetRawTensorAddr(tensor, &address), 0);
    assert_ptr_equal(address, data + 1);

    /* No strides: row-major. A scalar: no dimensions. */
    assert_int_equal(aclInitTensor(tensor, dim, 2, ACL_INT8, NULL, 0, ACL_FORMAT_NCHW, NULL, 0, data), 0);
    assert_int_equal(aclGetViewStrides(tensor, &numbers, &count), 0);
    assert_int_equal(numbers[0], 3);
    assert_int_equal(numbers[1], 1);
    free(numbers);
    assert_int_equal(aclInitTensor(tensor, NULL, 0, ACL_INT8, NULL, 0, ACL_FORMAT_ND, NULL, 0, data), 0);
    assert_int_equal(aclGetViewShape(tensor, &numbers, &count), 0);
    assert_int_equal(count, 0);
    assert_non_null(numbers);
    free(numbers);
    assert_int_equal(aclDestroyTensor(tensor), 0);
}

static void wrong_arguments(void **state)
{
    (void)state;
    const int64_t dim[] = {2};
    int64_t *numbers;
    uint64_t count;
    float value = 1;
    assert_null(aclCreateTensor(NULL, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, NULL));
    assert_non_null(strstr(aclGetRecentErrMsg(), "viewDims"));
    assert_null(aclCreateTensor(dim, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 1, NULL));
    assert_non_null(strstr(aclGetRecentErrMsg(), "storageDims"));
    assert_null(aclCreateTensor(dim, UINT64_MAX / 2, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, NULL));
    assert_non_null(aclGetRecentErrMsg());
    assert_null(aclCreateScalar(NULL, ACL_FLOAT));
    assert_non_null(aclGetRecentErrMsg());
    assert_null(aclCreateScalar(&value, ACL_STRING));
    assert_non_null(aclGetRecentErrMsg());
    assert_null(aclCreateIntArray(NULL, 1));
    assert_non_null(aclGetRecentErrMsg());
    assert_int_equal(aclGetViewShape(NULL, &numbers, &count), 161001);
    assert_non_null(strstr(aclGetRecentErrMsg(), "aclGetViewShape: tensor must not be NULL"));
    assert_int_equal(aclInitTensor(NULL, dim, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, NULL), 161001);
    assert_int_equal(aclSetRawTensorAddr(NULL, NULL), 161001);
    assert_int_equal(aclSetAclOpExecutorRepeatable(NULL), 561103);
    assert_int_equal(aclSetInputTensorAddr(NULL, 0, NULL, NULL), 561103);
    assert_int_equal(AclSetDynamicTensorAddr(NULL, 0, 0, NULL, NULL), 561103);
}

static void null_may_be_destroyed(void **state)
{
    (void)state;
    assert_int_equal(aclDestroyTensor(NULL), 0);
    assert_int_equal(aclDestroyScalar(NULL), 0);
    assert_int_equal(aclDestroyIntArray(NULL), 0);
    assert_int_equal(aclDestroyFloatArray(NULL), 0);
    assert_int_equal(aclDestroyBoolArray(NULL), 0);
    assert_int_equal(aclDestroyTensorList(NULL), 0);
    assert_int_equal(aclDestroyScalarList(NULL), 0);
    assert_int_equal(aclDestroyAclOpExecutor(NULL), 0);
    assert_int_equal(aclnnInit(NULL), 0);
    assert_int_equal(aclnnFinalize(), 0);
}

static void arrays_and_lists(void **state)
{
    (void)state;
    const int64_t ints[] = {1, 2};
    const float floats[] = {1};
    const bool bools[] = {true, false, true};
    uint64_t size;
    aclIntArray *int_array = aclCreateIntArray(ints, 2), *empty = aclCreateIntArray(NULL, 0);
    aclFloatArray *float_array = aclCreateFloatArray(floats, 1);
    aclBoolArray *bool_array = aclCreateBoolArray(bools, 3);
    assert_int_equal(aclGetIntArraySize(int_array, &size), 0);
    assert_int_equal(size, 2);
    assert_int_equal(aclGetIntArraySize(empty, &size), 0);
    assert_int_equal(size, 0);
    assert_int_equal(aclGetFloatArraySize(float_array, &size), 0);
    assert_int_equal(size, 1);
    assert_int_equal(aclGetBoolArraySize(bool_array, &size), 0);
    assert_int_equal(size, 3);
    aclDestroyIntArray(int_array);
    aclDestroyIntArray(empty);
    aclDestroyFloatArray(float_array);
    aclDestroyBoolArray(bool_array);

    /* Lists destroy their items: the sanitizers would see a leak or a double free. */
    const aclTensor *tensor[] = {aclCreateTensor(ints, 2, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, ints, 2, NULL),
                                 aclCreateTensor(ints, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, ints, 1, NULL)};
    aclTensorList *tensors = aclCreateTensorList(tensor, 2);
    assert_int_equal(aclGetTensorListSize(tensors, &size), 0);
    assert_int_equal(size, 2);
    assert_int_equal(aclDestroyTensorList(tensors), 0);
    double value = 2;
    const aclScalar *scalar[] = {aclCreateScalar(&value, ACL_DOUBLE)};
    aclScalarList *scalars = aclCreateScalarList(scalar, 1);
    assert_int_equal(aclGetScalarListSize(scalars, &size), 0);
    assert_int_equal(size, 1);
    assert_int_equal(aclDestroyScalarList(scalars), 0);
}

/* Creators survive each failed allocation. */
static void creators_without_memory(void **state)
{
    (void)state;
    const int64_t dim[] = {2};
    double value = 2;
    for (uint64_t n = 1; n <= 2; n++) {
        jm_alloc_fail_at(n);
        assert_null(aclCreateTensor(dim, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, dim, 1, NULL));
        jm_alloc_fail_at(0);
    }
    jm_alloc_fail_at(1);
    assert_null(aclCreateScalar(&value, ACL_DOUBLE));
    jm_alloc_fail_at(1);
    assert_null(aclCreateIntArray(dim, 1));
    jm_alloc_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensor_remembers_its_view), cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(null_may_be_destroyed),     cmocka_unit_test(arrays_and_lists),
        cmocka_unit_test(creators_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
