/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensors, scalars, arrays and lists: creation, getters, destruction.
 */
#include "aclnn/meta.h"

#include <stdlib.h>
#include <string.h>

#include "aclnn/aclnn_base.h"
#include "aclnn/error.h"
#include "base/alloc.h"

/* More dimensions than any operator takes are refused by the operator, in its own words; this bounds memory. */
#define MOST_DIMS 1024

/* C++'s operator new[](size_t, const std::nothrow_t &) and std::nothrow, where the program has them: callers release
 * with delete[]. */
extern void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow) __attribute__((weak));
extern const char _ZSt7nothrow __attribute__((weak));

aclnnStatus aclnnInit(const char *configPath)
{
    (void)configPath;
    return 0;
}

aclnnStatus aclnnFinalize(void)
{
    return 0;
}

/* ---- Tensors ---- */

/* Row-major strides; those of an absurd shape wrap, and no operator takes it. */
static void dense_strides(uint64_t rank, const int64_t *dim, int64_t *stride)
{
    uint64_t step = 1;
    for (uint64_t k = rank; k-- > 0; step *= (uint64_t)dim[k]) stride[k] = (int64_t)step;
}

static aclnnStatus describe(const char *function, aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum,
                            aclDataType dataType, const int64_t *stride, int64_t offset, aclFormat format,
                            const int64_t *storageDims, uint64_t storageDimsNum, void *data)
{
    if (viewDimsNum && !viewDims) return jm_aclnn_null(JM_ACLNN_NULL, function, "viewDims");
    if (storageDimsNum && !storageDims) return jm_aclnn_null(JM_ACLNN_NULL, function, "storageDims");
    if (viewDimsNum > MOST_DIMS || storageDimsNum > MOST_DIMS)
        return jm_aclnn_error(JM_ACLNN_INVALID, "%s: %llu and %llu dimensions; the limit is %d", function,
                              (unsigned long long)viewDimsNum, (unsigned long long)storageDimsNum, MOST_DIMS);
    int64_t *number = jm_alloc((size_t)(2 * viewDimsNum + storageDimsNum), sizeof(*number));
    if (!number) return jm_aclnn_code(JM_OUT_OF_MEMORY);
    size_t bytes = (size_t)viewDimsNum * sizeof(*number);
    if (bytes) memcpy(number, viewDims, bytes);
    if (bytes && stride) memcpy(number + viewDimsNum, stride, bytes);
    if (!stride) dense_strides(viewDimsNum, number, number + viewDimsNum);
    if (storageDimsNum) memcpy(number + 2 * viewDimsNum, storageDims, (size_t)storageDimsNum * sizeof(*number));
    jm_free(tensor->number);
    tensor->number = number;
    tensor->rank = viewDimsNum;
    tensor->storage_rank = storageDimsNum;
    tensor->dtype = dataType;
    tensor->format = format;
    tensor->offset = offset;
    tensor->data = data;
    return 0;
}

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride,
                           int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
                           void *tensorData)
{
    aclTensor *tensor = jm_alloc(1, sizeof(*tensor));
    if (!tensor) return NULL;
    atomic_init(&tensor->references, 1);
    if (describe(__func__, tensor, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims, storageDimsNum,
                 tensorData) == 0)
        return tensor;
    aclDestroyTensor(tensor);
    return NULL;
}

aclnnStatus aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                          const int64_t *stride, int64_t offset, aclFormat format, const int64_t *storageDims,
                          uint64_t storageDimsNum, void *tensorDataAddr)
{
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, tensor);
    return describe(__func__, tensor, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims,
                    storageDimsNum, tensorDataAddr);
}

void jm_aclnn_reshape(aclTensor *tensor, const int64_t *dim, bool dense)
{
    if (tensor->rank) memcpy(tensor->number, dim, (size_t)tensor->rank * sizeof(*dim));
    if (dense) dense_strides(tensor->rank, tensor->number, tensor->number + tensor->rank);
}

aclnnStatus aclDestroyTensor(const aclTensor *tensor)
{
    aclTensor *own = (aclTensor *)(uintptr_t)tensor;
    if (!own || atomic_fetch_sub(&own->references, 1) > 1) return 0;
    jm_free(own->number);
    jm_free(own);
    return 0;
}

aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr)
{
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, tensor);
    tensor->data = addr;
    return 0;
}

aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr)
{
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, tensor);
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, addr);
    *addr = tensor->data;
    return 0;
}

static aclnnStatus give_array(const char *function, const int64_t *number, uint64_t count, int64_t **out,
                              uint64_t *out_count)
{
    size_t bytes = (size_t)JM_MAX(count, 1) * sizeof(*number);
    int64_t *array = _ZnamRKSt9nothrow_t ? _ZnamRKSt9nothrow_t(bytes, &_ZSt7nothrow) : malloc(bytes);
    if (!array)
        return jm_aclnn_error(JM_ACLNN_NULL_EXECUTOR, "%s: no memory for %llu numbers", function,
                              (unsigned long long)count);
    memcpy(array, number, (size_t)count * sizeof(*number));
    *out = array;
    *out_count = count;
    return 0;
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum)
{
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, tensor);
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, viewDims);
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, viewDimsNum);
    return give_array(__func__, tensor->number, tensor->rank, viewDims, viewDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum)
{
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, tensor);
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, stridesValue);
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, stridesNum);
    return give_array(__func__, tensor->number + tensor->rank, tensor->rank, stridesValue, stridesNum);
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims, uint64_t *storageDimsNum)
{
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, tensor);
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, storageDims);
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, storageDimsNum);
    return give_array(__func__, tensor->number + 2 * tensor->rank, tensor->storage_rank, storageDims, storageDimsNum);
}

#define GETTER(object, result, member)                                                                                 \
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, object);                                                                          \
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL, result);                                                                          \
    *result = object->member;                                                                                          \
    return 0

aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset)
{
    GETTER(tensor, offset, offset);
}

aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format)
{
    GETTER(tensor, format, format);
}

aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType)
{
    GETTER(tensor, dataType, dtype);
}

aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size)
{
    GETTER(array, size, size);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size)
{
    GETTER(array, size, size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size)
{
    GETTER(array, size, size);
}

aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size)
{
    GETTER(tensorList, size, size);
}

aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size)
{
    GETTER(scalarList, size, size);
}

/* ---- Scalars, arrays, lists ---- */

aclScalar *aclCreateScalar(void *value, aclDataType dataType)
{
    size_t size = aclDataTypeSize(dataType);
    if (!value || !size || size > sizeof(((aclScalar *)0)->value)) {
        (void)jm_aclnn_error(JM_ACLNN_INVALID,
                             "%s: the value at %p has type %d; give an address and a type with a size", __func__, value,
                             (int)dataType);
        return NULL;
    }
    aclScalar *scalar = jm_alloc(1, sizeof(*scalar));
    if (!scalar) return NULL;
    scalar->dtype = dataType;
    memcpy(scalar->value, value, size);
    return scalar;
}

/* An object of `header` bytes that begins with its size, and behind it a copy of the items. */
static void *array_create(const char *function, size_t header, const void *value, uint64_t count, size_t size)
{
    size_t bytes = 0;
    if (count && !value) {
        (void)jm_aclnn_error(JM_ACLNN_NULL, "%s: value is NULL and size is %llu", function, (unsigned long long)count);
        return NULL;
    }
    if (!jm_size_mul((size_t)count, size, &bytes) || !jm_size_add(bytes, header, &bytes)) bytes = SIZE_MAX;
    unsigned char *array = jm_alloc(bytes, 1);
    if (!array) return NULL;
    memcpy(array, &count, sizeof(count));
    if (count) memcpy(array + header, value, (size_t)count * size);
    return array;
}

aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size)
{
    return array_create(__func__, offsetof(aclIntArray, value), value, size, sizeof(*value));
}

aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size)
{
    return array_create(__func__, offsetof(aclFloatArray, value), value, size, sizeof(*value));
}

aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size)
{
    return array_create(__func__, offsetof(aclBoolArray, value), value, size, sizeof(*value));
}

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size)
{
    return array_create(__func__, offsetof(aclTensorList, item), value, size, sizeof(*value));
}

aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size)
{
    return array_create(__func__, offsetof(aclScalarList, item), value, size, sizeof(*value));
}

static aclnnStatus destroy(const void *object)
{
    jm_free((void *)(uintptr_t)object);
    return 0;
}

aclnnStatus aclDestroyScalar(const aclScalar *scalar)
{
    return destroy(scalar);
}

aclnnStatus aclDestroyIntArray(const aclIntArray *array)
{
    return destroy(array);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray *array)
{
    return destroy(array);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray *array)
{
    return destroy(array);
}

aclnnStatus aclDestroyTensorList(const aclTensorList *array)
{
    for (uint64_t i = 0; array && i < array->size; i++) aclDestroyTensor(array->item[i]);
    return destroy(array);
}

aclnnStatus aclDestroyScalarList(const aclScalarList *array)
{
    for (uint64_t i = 0; array && i < array->size; i++) aclDestroyScalar(array->item[i]);
    return destroy(array);
}
