/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor descriptions: type, shape and format of an operator's argument. No data, no thread-safety on one object.
 */
#ifndef ACL_ACL_BASE_MDL_H
#define ACL_ACL_BASE_MDL_H

#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_TENSOR_VALUE_RANGE_NUM 2
/* Number of dimensions of a tensor whose first dimension is -2: even the rank is unknown. */
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE

typedef struct aclTensorDesc aclTensorDesc;

/* Copies `dims`; 0 dimensions is a scalar, -1 an unknown one. NULL when numDims is negative, dims is missing, or memory
 * runs out. */
ACL_FUNC_VISIBILITY aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims,
                                                       aclFormat format);
/* Accepts NULL. */
ACL_FUNC_VISIBILITY void aclDestroyTensorDesc(const aclTensorDesc *desc);

/* ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED and 0 for NULL. */
ACL_FUNC_VISIBILITY aclDataType aclGetTensorDescType(const aclTensorDesc *desc);
ACL_FUNC_VISIBILITY aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc);
ACL_FUNC_VISIBILITY size_t aclGetTensorDescNumDims(const aclTensorDesc *desc);
/* Product of the dimensions (1 for a scalar) and its bytes; 0 with an unknown dimension, on overflow and for NULL. */
ACL_FUNC_VISIBILITY size_t aclGetTensorDescElementCount(const aclTensorDesc *desc);
ACL_FUNC_VISIBILITY size_t aclGetTensorDescSize(const aclTensorDesc *desc);
/* -1 for a bad index and for NULL. */
ACL_FUNC_VISIBILITY int64_t aclGetTensorDescDim(const aclTensorDesc *desc, size_t index);
/* ACL_ERROR_INVALID_PARAM: bad index or NULL. */
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize);
/* Range of a dimension as set by aclSetTensorShapeRange: dimRange[0] to dimRange[1], dimRangeNum is at least 2.
 * ACL_ERROR_INVALID_PARAM: bad index, NULL, or too small an array. */
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimRange(const aclTensorDesc *desc, size_t index, size_t dimRangeNum,
                                                      int64_t *dimRange);

/* The name is copied; NULL means "". */
ACL_FUNC_VISIBILITY void aclSetTensorDescName(aclTensorDesc *desc, const char *name);
/* Valid until the name changes; "" for NULL. */
ACL_FUNC_VISIBILITY const char *aclGetTensorDescName(aclTensorDesc *desc);

/* All below: ACL_ERROR_INVALID_PARAM for NULL or a bad count, ACL_ERROR_BAD_ALLOC when memory runs out. */

/* Smallest and largest value of each dimension that is not known; copied. */
ACL_FUNC_VISIBILITY aclError aclSetTensorShapeRange(aclTensorDesc *desc, size_t dimsCount,
                                                    int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);
/* How the tensor lies in memory, where that differs from the description. */
ACL_FUNC_VISIBILITY aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format);
ACL_FUNC_VISIBILITY aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims);
/* The tensor is a constant with these bytes, which stay the caller's; NULL and 0 undo it. */
ACL_FUNC_VISIBILITY aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length);
/* The memory given by aclSetTensorConst; NULL when there is none. */
ACL_FUNC_VISIBILITY void *aclGetTensorDescAddress(const aclTensorDesc *desc);
/* Element `index` of descriptions that lie behind each other. Nothing here makes such arrays, so this is `desc` itself
 * for index 0 and NULL otherwise. */
ACL_FUNC_VISIBILITY aclTensorDesc *aclGetTensorDescByIndex(aclTensorDesc *desc, size_t index);
ACL_FUNC_VISIBILITY aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType);

#ifdef __cplusplus
}
#endif

#endif
