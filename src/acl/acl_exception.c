/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be known of failures: the callback that is told which enqueued work failed, and faults of devices.
 */
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "acl/rt.h"
#include "base/alloc.h"
#include "runtime/runtime.h"

struct aclrtExceptionInfo {
    uint32_t task, stream, thread, device, code;
};

static _Atomic(aclrtExceptionInfoCallback) exception_callback;

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback)
{
    atomic_store(&exception_callback, callback);
    return ACL_SUCCESS;
}

void jm_acl_report_exception(aclError code)
{
    const aclrtExceptionInfoCallback callback = atomic_load(&exception_callback);
    if (!callback) return;
    jm_failure failure;
    int device = 0;
    jm_stream_failure(&failure);
    /* The callback may fail in its own way; the caller still reads the message of the failure. */
    char *message = jm_strdup(jm_last_error());
    (void)!jm_runtime_get_device(&device);
    aclrtExceptionInfo info = {(uint32_t)failure.command, (uint32_t)failure.stream, (uint32_t)syscall(SYS_gettid),
                               (uint32_t)device, (uint32_t)code};
    callback(&info);
    if (message) (void)!jm_error(JM_INTERNAL, "%s", message);
    jm_free(message);
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info ? info->task : UINT32_MAX;
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info ? info->stream : UINT32_MAX;
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info ? info->thread : UINT32_MAX;
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info ? info->device : UINT32_MAX;
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info ? info->code : UINT32_MAX;
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo)
{
    unsigned count;
    JM_ACL_NOT_NULL(errorInfo);
    jm_status status = jm_runtime_device_count(&count);
    if (status != JM_OK) return jm_acl_code(status);
    if (deviceId < 0 || (uint32_t)deviceId >= count)
        return jm_acl_error(ACL_ERROR_RT_INVALID_DEVICEID, "%s: there is no device %d of %u", __func__, (int)deviceId,
                            count);
    *errorInfo = (aclrtErrorInfo){.errorType = ACL_RT_NO_ERROR};
    return ACL_SUCCESS;
}
