/* SPDX-License-Identifier: Apache-2.0 */
#ifndef JUMAR_ACL_MDL_CONFIG_H
#define JUMAR_ACL_MDL_CONFIG_H

#include "acl/acl_mdl.h"

/* Load options; zero is "not set". */
struct aclmdlConfigHandle {
    size_t load_type;
    const char *path; /* of a handle: its own copy */
    const void *memory;
    size_t memory_size;
    const void *work, *weight;
    size_t work_size, weight_size;
};

/* Run options. */
struct aclmdlExecConfigHandle {
    int32_t stream_timeout; /* milliseconds; -1: none */
};

#endif
