/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects that hold options of loading and running.
 */
#include <string.h>

#include "acl/mdl.h"
#include "acl/mdl_config.h"

/* Options have the type that their name ends in. */
enum option_size { INT32 = sizeof(int32_t), SIZET = sizeof(size_t), PTR = sizeof(void *) };

static aclError check_option(const char *function, int attr, const void *value, size_t size, size_t want)
{
    if (!value) return jm_acl_null(function, "attrValue");
    if (size == want) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the value of attribute %d has %zu bytes and must have %zu",
                        function, attr, size, want);
}

static aclError no_option(const char *function, int attr)
{
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: there is no attribute %d", function, attr);
}

/* ---- Loading ---- */

aclmdlConfigHandle *aclmdlCreateConfigHandle(void)
{
    return jm_alloc(1, sizeof(aclmdlConfigHandle));
}

aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle *handle)
{
    if (!handle) return jm_acl_null(__func__, "handle");
    jm_free((void *)(uintptr_t)handle->path);
    jm_free(handle);
    return ACL_SUCCESS;
}

static size_t config_size(aclmdlConfigAttr attr)
{
    switch (attr) {
    case ACL_MDL_PRIORITY_INT32:
    case ACL_MDL_WITHOUT_GRAPH_INT32:
    case ACL_NPU_PERF_MODE:
        return INT32;
    case ACL_MDL_PATH_PTR:
    case ACL_MDL_MEM_ADDR_PTR:
    case ACL_MDL_WEIGHT_ADDR_PTR:
    case ACL_MDL_WORKSPACE_ADDR_PTR:
    case ACL_MDL_INPUTQ_ADDR_PTR:
    case ACL_MDL_OUTPUTQ_ADDR_PTR:
    case ACL_MDL_WEIGHT_PATH_PTR:
    case ACL_MDL_MODEL_DESC_PTR:
    case ACL_MDL_KERNEL_PTR:
    case ACL_MDL_KERNEL_ARGS_PTR:
    case ACL_MDL_STATIC_TASK_PTR:
    case ACL_MDL_DYNAMIC_TASK_PTR:
    case ACL_MDL_FIFO_PTR:
        return PTR;
    case ACL_MDL_LOAD_TYPE_SIZET:
    case ACL_MDL_MEM_SIZET:
    case ACL_MDL_WEIGHT_SIZET:
    case ACL_MDL_WORKSPACE_SIZET:
    case ACL_MDL_INPUTQ_NUM_SIZET:
    case ACL_MDL_OUTPUTQ_NUM_SIZET:
    case ACL_MDL_WORKSPACE_MEM_OPTIMIZE:
    case ACL_MDL_MODEL_DESC_SIZET:
    case ACL_MDL_KERNEL_SIZET:
    case ACL_MDL_KERNEL_ARGS_SIZET:
    case ACL_MDL_STATIC_TASK_SIZET:
    case ACL_MDL_DYNAMIC_TASK_SIZET:
    case ACL_MDL_MEM_MALLOC_POLICY_SIZET:
    case ACL_MDL_FIFO_SIZET:
        return SIZET;
    case ACL_MDL_RESERVED:
        break;
    }
    return 0;
}

static aclError set_path(aclmdlConfigHandle *handle, const char *path)
{
    char *copy = jm_strdup(path);
    if (!copy) return ACL_ERROR_BAD_ALLOC;
    jm_free((void *)(uintptr_t)handle->path);
    handle->path = copy;
    return ACL_SUCCESS;
}

aclError aclmdlSetConfigOpt(aclmdlConfigHandle *handle, aclmdlConfigAttr attr, const void *attrValue, size_t valueSize)
{
    if (!handle) return jm_acl_null(__func__, "handle");
    size_t want = config_size(attr);
    if (!want) return no_option(__func__, attr);
    aclError code = check_option(__func__, attr, attrValue, valueSize, want);
    if (code) return code;
    size_t size = 0;
    void *pointer = NULL;
    bool is_pointer = attr == ACL_MDL_PATH_PTR || attr == ACL_MDL_MEM_ADDR_PTR || attr == ACL_MDL_WEIGHT_ADDR_PTR ||
                      attr == ACL_MDL_WORKSPACE_ADDR_PTR;
    if (is_pointer) {
        memcpy(&pointer, attrValue, sizeof(pointer));
    } else if (want == SIZET) {
        memcpy(&size, attrValue, sizeof(size));
    }
    if (!pointer && (attr == ACL_MDL_PATH_PTR || attr == ACL_MDL_MEM_ADDR_PTR)) {
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the pointer of attribute %d is NULL", __func__, attr);
    }
    switch (attr) {
    case ACL_MDL_LOAD_TYPE_SIZET:
        if (size < ACL_MDL_LOAD_FROM_FILE || size > ACL_MDL_LOAD_FROM_MEM_WITH_Q) {
            return jm_acl_error(ACL_ERROR_INVALID_PARAM, "the load type is %zu and must be %d to %d", size,
                                ACL_MDL_LOAD_FROM_FILE, ACL_MDL_LOAD_FROM_MEM_WITH_Q);
        }
        handle->load_type = size;
        break;
    case ACL_MDL_PATH_PTR:
        return set_path(handle, pointer);
    case ACL_MDL_MEM_ADDR_PTR:
        handle->memory = pointer;
        break;
    case ACL_MDL_MEM_SIZET:
        handle->memory_size = size;
        break;
    case ACL_MDL_WEIGHT_ADDR_PTR:
        handle->weight = pointer;
        break;
    case ACL_MDL_WEIGHT_SIZET:
        handle->weight_size = size;
        break;
    case ACL_MDL_WORKSPACE_ADDR_PTR:
        handle->work = pointer;
        break;
    case ACL_MDL_WORKSPACE_SIZET:
        handle->work_size = size;
        break;
    default: /* priorities, queues, placement: accepted, no effect on this device */
        break;
    }
    return ACL_SUCCESS;
}

/* ---- Running ---- */

aclmdlExecConfigHandle *aclmdlCreateExecConfigHandle(void)
{
    aclmdlExecConfigHandle *handle = jm_alloc(1, sizeof(*handle));
    if (handle) handle->stream_timeout = -1;
    return handle;
}

aclError aclmdlDestroyExecConfigHandle(const aclmdlExecConfigHandle *handle)
{
    if (!handle) return jm_acl_null(__func__, "handle");
    jm_free((void *)(uintptr_t)handle);
    return ACL_SUCCESS;
}

static size_t exec_size(aclmdlExecConfigAttr attr)
{
    switch (attr) {
    case ACL_MDL_STREAM_SYNC_TIMEOUT:
    case ACL_MDL_EVENT_SYNC_TIMEOUT:
    case ACL_MDL_EXEC_PRIORITY_INT32:
    case ACL_MDL_NPU_PERF_MODE:
        return INT32;
    case ACL_MDL_WORK_ADDR_PTR:
        return PTR;
    case ACL_MDL_WORK_SIZET:
    case ACL_MDL_MPAIMID_SIZET:
    case ACL_MDL_AICQOS_SIZET:
    case ACL_MDL_AICOST_SIZET:
    case ACL_MDL_MEC_TIMETHR_SIZET:
        return SIZET;
    }
    return 0;
}

aclError aclmdlSetExecConfigOpt(aclmdlExecConfigHandle *handle, aclmdlExecConfigAttr attr, const void *attrValue,
                                size_t valueSize)
{
    if (!handle) return jm_acl_null(__func__, "handle");
    size_t want = exec_size(attr);
    if (!want) return no_option(__func__, attr);
    aclError code = check_option(__func__, attr, attrValue, valueSize, want);
    if (code) return code;
    if (attr != ACL_MDL_STREAM_SYNC_TIMEOUT && attr != ACL_MDL_EVENT_SYNC_TIMEOUT) return ACL_SUCCESS;
    int32_t timeout;
    memcpy(&timeout, attrValue, sizeof(timeout));
    if (timeout < -1) {
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "the timeout is %d ms; it must be -1 (none) or more", timeout);
    }
    if (attr == ACL_MDL_STREAM_SYNC_TIMEOUT) handle->stream_timeout = timeout;
    return ACL_SUCCESS;
}
