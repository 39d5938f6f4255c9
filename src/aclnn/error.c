/* SPDX-License-Identifier: Apache-2.0 */
#include "aclnn/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "acl/code.h"

aclnnStatus jm_aclnn_code(jm_status status)
{
    static const aclnnStatus code[] = {
        [JM_OK] = 0,
        [JM_INVALID_ARGUMENT] = JM_ACLNN_INVALID,
        [JM_OUT_OF_RANGE] = JM_ACLNN_INVALID,
        [JM_UNSUPPORTED] = JM_ACLNN_INVALID,
        [JM_NOT_FOUND] = JM_ACLNN_RUNTIME,
        [JM_OUT_OF_MEMORY] = JM_ACLNN_EXECUTOR,
        [JM_IO] = JM_ACLNN_RUNTIME,
        [JM_CORRUPT] = JM_ACLNN_INTERNAL,
        [JM_NOT_READY] = JM_ACLNN_RUNTIME,
        [JM_TIMEOUT] = JM_ACLNN_RUNTIME,
        [JM_BAD_STATE] = JM_ACLNN_RUNTIME,
        [JM_DEVICE_LOST] = JM_ACLNN_RUNTIME,
        [JM_INTERNAL] = JM_ACLNN_INTERNAL,
    };
    if (status == JM_OK) return 0;
    /* An operator that misses a tensor which only some attributes need says so by the number of a missing argument. */
    const bool missing = strcmp(jm_last_error_number(), "161001") == 0;
    return jm_acl_error(missing ? JM_ACLNN_NULL : code[status], "%s", jm_last_error());
}

aclnnStatus jm_aclnn_error(aclnnStatus code, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return jm_acl_error(code, "%s", text);
}

aclnnStatus jm_aclnn_null(aclnnStatus code, const char *function, const char *argument)
{
    return jm_aclnn_error(code, "%s: %s must not be NULL", function, argument);
}
