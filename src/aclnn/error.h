/* SPDX-License-Identifier: Apache-2.0
 *
 * From our status to the numbers of two-phase operators, in one place.
 */
#ifndef JUMAR_ACLNN_ERROR_H
#define JUMAR_ACLNN_ERROR_H

#include "aclnn/acl_meta.h"
#include "base/status.h"

#define JM_ACLNN_NULL 161001          /* a required pointer is NULL */
#define JM_ACLNN_INVALID 161002       /* an argument is wrong */
#define JM_ACLNN_RUNTIME 361001       /* the device or the stream refused */
#define JM_ACLNN_INTERNAL 561000      /* a bug of ours, or a call that the object does not allow */
#define JM_ACLNN_KERNEL 561003        /* no kernel */
#define JM_ACLNN_EXECUTOR 561101      /* memory for the executor ran out */
#define JM_ACLNN_NULL_EXECUTOR 561103 /* an executor is NULL where that has a number of its own */

/* The number of a status, remembered as the thread's last error. The message stays as it is. */
aclnnStatus jm_aclnn_code(jm_status status);
/* Sets the message, remembers and returns the code. */
JM_PRINTF(2, 3) aclnnStatus jm_aclnn_error(aclnnStatus code, const char *format, ...);
/* `code` with "<function>: <argument> must not be NULL". */
aclnnStatus jm_aclnn_null(aclnnStatus code, const char *function, const char *argument);

/* Leaves the calling function with the code when the argument is NULL. */
#define JM_ACLNN_NOT_NULL(code, argument)                                                                              \
    do {                                                                                                               \
        if (!(argument)) return jm_aclnn_null(code, __func__, #argument);                                              \
    } while (0)

#endif
