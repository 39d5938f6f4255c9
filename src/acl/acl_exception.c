/* SPDX-License-Identifier: Apache-2.0
 *
 * The callback that is told which enqueued work failed.
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
