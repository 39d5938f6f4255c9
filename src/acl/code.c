/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/code.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "acl/acl_rt.h"

static _Thread_local aclError last_error;

aclError jm_acl_code(jm_status status)
{
    static const aclError code[] = {
        [JM_OK] = 0,
        [JM_INVALID_ARGUMENT] = ACL_ERROR_RT_PARAM_INVALID,
        [JM_OUT_OF_RANGE] = ACL_ERROR_RT_PARAM_INVALID,
        [JM_UNSUPPORTED] = ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        [JM_NOT_FOUND] = ACL_ERROR_RT_INVALID_HANDLE,
        [JM_OUT_OF_MEMORY] = ACL_ERROR_RT_MEMORY_ALLOCATION,
        [JM_IO] = ACL_ERROR_RT_FILE_OPEN,
        [JM_CORRUPT] = ACL_ERROR_RT_INTERNAL_ERROR,
        [JM_NOT_READY] = ACL_ERROR_RT_EVENT_NOT_COMPLETE,
        [JM_TIMEOUT] = ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
        [JM_BAD_STATE] = ACL_ERROR_RT_CONTEXT_NULL,
        [JM_DEVICE_LOST] = ACL_ERROR_RT_LOST_HEARTBEAT,
        [JM_INTERNAL] = ACL_ERROR_RT_INTERNAL_ERROR,
    };
    if (status != JM_OK) last_error = code[status];
    return code[status];
}

aclError jm_acl_error(aclError code, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    (void)!jm_error(JM_INVALID_ARGUMENT, "%s", text);
    last_error = code;
    return code;
}

aclError jm_acl_null(const char *function, const char *argument)
{
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: %s must not be NULL", function, argument);
}

const char *aclGetRecentErrMsg(void)
{
    static _Thread_local char shown[1024];
    const char *message = jm_last_error();
    if (!*message) return NULL;
    snprintf(shown, sizeof(shown), "%s", message);
    jm_clear_error();
    return shown;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level)
{
    return level == ACL_RT_THREAD_LEVEL ? last_error : ACL_ERROR_RT_PARAM_INVALID;
}

aclError aclrtGetLastError(aclrtLastErrLevel level)
{
    aclError code = aclrtPeekAtLastError(level);
    if (level == ACL_RT_THREAD_LEVEL) last_error = 0;
    return code;
}
