/* SPDX-License-Identifier: Apache-2.0
 *
 * Data buffers, tensor descriptions, element types.
 */
#include <string.h>

#include "acl/acl_base.h"
#include "acl/code.h"
#include "base/alloc.h"
#include "tensor/dtype.h"

/* ---- Element types ---- */

size_t aclDataTypeSize(aclDataType dataType)
{
    switch (dataType) {
    case ACL_DT_UNDEFINED:
    case ACL_STRING:
        return 0;
    case ACL_COMPLEX32:
        return 4;
    case ACL_COMPLEX64:
        return 8;
    case ACL_COMPLEX128:
        return 16;
    case ACL_INT4:
    case ACL_UINT1:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2:
        return 1;
    default:
        return jm_dtype_size((jm_dtype)dataType);
    }
}

float aclFloat16ToFloat(aclFloat16 value)
{
    if ((value & 0x7c00) != 0x7c00) return jm_f16_to_f32(value);
    float magnitude = 65536.0f + 64.0f * (float)(value & 0x3ff);
    return value & 0x8000 ? -magnitude : magnitude;
}

aclFloat16 aclFloatToFloat16(float value)
{
    uint16_t bits = jm_f32_to_f16(value);
    return (bits & 0x7c00) == 0x7c00 ? (aclFloat16)((bits & 0x8000) | 0x7bff) : bits;
}

/* ---- Data buffers ---- */

struct aclDataBuffer {
    void *data;
    size_t size;
};

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size)
{
    aclDataBuffer *buffer = jm_alloc(1, sizeof(*buffer));
    if (buffer) *buffer = (aclDataBuffer){data, size};
    return buffer;
}

aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer)
{
    JM_ACL_NOT_NULL(dataBuffer);
    jm_free((void *)(uintptr_t)dataBuffer);
    return ACL_SUCCESS;
}

aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size)
{
    JM_ACL_NOT_NULL(dataBuffer);
    *dataBuffer = (aclDataBuffer){data, size};
    return ACL_SUCCESS;
}

void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer)
{
    return dataBuffer ? dataBuffer->data : NULL;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer)
{
    return (uint32_t)aclGetDataBufferSizeV2(dataBuffer);
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer)
{
    return dataBuffer ? dataBuffer->size : 0;
}

/* ---- Tensor descriptions ---- */

typedef struct extent {
    size_t count;
    int64_t *dim;
} extent;

struct aclTensorDesc {
    aclDataType type;
    aclFormat format, storage_format;
    extent shape, storage_shape;
    size_t ranges;
    int64_t (*range)[ACL_TENSOR_SHAPE_RANGE_NUM];
    char *name;
    const void *constant;
    size_t constant_size;
    aclMemType placement;
};

static aclError extent_set(extent *target, const char *function, int count, const int64_t *dims)
{
    if (count < 0 || (count > 0 && !dims))
        return jm_acl_error(ACL_ERROR_INVALID_PARAM,
                            "%s: %d dimensions at %p; the number must not be negative, nor the "
                            "address NULL",
                            function, count, (const void *)dims);
    int64_t *copy = jm_alloc((size_t)count, sizeof(*copy));
    if (!copy) return ACL_ERROR_BAD_ALLOC;
    if (count) memcpy(copy, dims, (size_t)count * sizeof(*copy));
    jm_free(target->dim);
    *target = (extent){(size_t)count, copy};
    return ACL_SUCCESS;
}

aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims, aclFormat format)
{
    aclTensorDesc *desc = jm_alloc(1, sizeof(*desc));
    if (!desc) return NULL;
    desc->type = dataType;
    desc->format = format;
    desc->storage_format = ACL_FORMAT_UNDEFINED;
    if (extent_set(&desc->shape, __func__, numDims, dims) != ACL_SUCCESS) {
        aclDestroyTensorDesc(desc);
        return NULL;
    }
    return desc;
}

void aclDestroyTensorDesc(const aclTensorDesc *desc)
{
    if (!desc) return;
    jm_free(desc->shape.dim);
    jm_free(desc->storage_shape.dim);
    jm_free(desc->range);
    jm_free(desc->name);
    jm_free((void *)(uintptr_t)desc);
}

aclDataType aclGetTensorDescType(const aclTensorDesc *desc)
{
    return desc ? desc->type : ACL_DT_UNDEFINED;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc)
{
    return desc ? desc->format : ACL_FORMAT_UNDEFINED;
}

size_t aclGetTensorDescNumDims(const aclTensorDesc *desc)
{
    if (!desc) return 0;
    bool unknown = desc->shape.count && desc->shape.dim[0] == -2;
    return unknown ? (size_t)ACL_UNKNOWN_RANK : desc->shape.count;
}

size_t aclGetTensorDescElementCount(const aclTensorDesc *desc)
{
    if (!desc) return 0;
    size_t count = 1;
    for (size_t i = 0; i < desc->shape.count; i++)
        if (desc->shape.dim[i] < 0 || !jm_size_mul(count, (size_t)desc->shape.dim[i], &count)) return 0;
    return count;
}

size_t aclGetTensorDescSize(const aclTensorDesc *desc)
{
    size_t size = 0;
    if (desc && !jm_size_mul(aclGetTensorDescElementCount(desc), aclDataTypeSize(desc->type), &size)) return 0;
    return size;
}

int64_t aclGetTensorDescDim(const aclTensorDesc *desc, size_t index)
{
    int64_t dim = -1;
    return aclGetTensorDescDimV2(desc, index, &dim) == ACL_SUCCESS ? dim : -1;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize)
{
    JM_ACL_NOT_NULL(desc);
    JM_ACL_NOT_NULL(dimSize);
    if (index >= desc->shape.count)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: index %zu, the tensor has %zu dimensions", __func__, index,
                            desc->shape.count);
    *dimSize = desc->shape.dim[index];
    return ACL_SUCCESS;
}

aclError aclGetTensorDescDimRange(const aclTensorDesc *desc, size_t index, size_t dimRangeNum, int64_t *dimRange)
{
    JM_ACL_NOT_NULL(desc);
    JM_ACL_NOT_NULL(dimRange);
    if (index >= desc->ranges || dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: index %zu of %zu ranges, into %zu numbers; two are needed",
                            __func__, index, desc->ranges, dimRangeNum);
    memcpy(dimRange, desc->range[index], sizeof(desc->range[index]));
    return ACL_SUCCESS;
}

aclError aclSetTensorShapeRange(aclTensorDesc *desc, size_t dimsCount, int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM])
{
    JM_ACL_NOT_NULL(desc);
    if (dimsCount) JM_ACL_NOT_NULL(dimsRange);
    void *copy = jm_alloc(dimsCount, sizeof(*desc->range));
    if (!copy) return ACL_ERROR_BAD_ALLOC;
    if (dimsCount) memcpy(copy, dimsRange, dimsCount * sizeof(*desc->range));
    jm_free(desc->range);
    desc->range = copy;
    desc->ranges = dimsCount;
    return ACL_SUCCESS;
}

void aclSetTensorDescName(aclTensorDesc *desc, const char *name)
{
    if (!desc) return;
    jm_free(desc->name);
    desc->name = name ? jm_strdup(name) : NULL;
}

const char *aclGetTensorDescName(aclTensorDesc *desc)
{
    return desc && desc->name ? desc->name : "";
}

aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format)
{
    JM_ACL_NOT_NULL(desc);
    desc->storage_format = format;
    return ACL_SUCCESS;
}

aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims)
{
    JM_ACL_NOT_NULL(desc);
    return extent_set(&desc->storage_shape, __func__, numDims, dims);
}

aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length)
{
    JM_ACL_NOT_NULL(desc);
    if (!dataBuffer != !length)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: %zu bytes at %p; give both or neither", __func__, length,
                            dataBuffer);
    desc->constant = dataBuffer;
    desc->constant_size = length;
    return ACL_SUCCESS;
}

void *aclGetTensorDescAddress(const aclTensorDesc *desc)
{
    return desc ? (void *)(uintptr_t)desc->constant : NULL;
}

aclTensorDesc *aclGetTensorDescByIndex(aclTensorDesc *desc, size_t index)
{
    return index == 0 ? desc : NULL;
}

aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType)
{
    JM_ACL_NOT_NULL(desc);
    desc->placement = memType;
    return ACL_SUCCESS;
}
