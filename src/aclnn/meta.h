/* SPDX-License-Identifier: Apache-2.0
 *
 * What the handles of aclnn/acl_meta.h are.
 */
#ifndef JUMAR_ACLNN_META_H
#define JUMAR_ACLNN_META_H

#include <stdatomic.h>

#include "aclnn/acl_meta.h"

/* Reference counted: an executor whose outputs have a shape that only the run decides keeps them. */
struct aclTensor {
    atomic_int references;
    aclDataType dtype;
    aclFormat format;
    uint64_t rank, storage_rank;
    int64_t *number; /* view dims, strides, storage dims */
    int64_t offset;  /* elements */
    void *data;
};

struct aclScalar {
    aclDataType dtype;
    _Alignas(16) unsigned char value[16];
};

struct aclIntArray {
    uint64_t size;
    int64_t value[];
};

struct aclFloatArray {
    uint64_t size;
    float value[];
};

struct aclBoolArray {
    uint64_t size;
    bool value[];
};

struct aclTensorList {
    uint64_t size;
    aclTensor *item[];
};

struct aclScalarList {
    uint64_t size;
    aclScalar *item[];
};

/* The shape that a run gave an output, with as many dimensions as it has; `dense`: with strides without gaps, else with
 * those that it has. */
void jm_aclnn_reshape(aclTensor *tensor, const int64_t *dim, bool dense);

static inline const int64_t *jm_aclnn_dims(const aclTensor *tensor)
{
    return tensor->number;
}
static inline const int64_t *jm_aclnn_strides(const aclTensor *tensor)
{
    return tensor->number + tensor->rank;
}

#endif
