/* SPDX-License-Identifier: Apache-2.0
 *
 * From our status to the numbers of the acl interface, in one place.
 */
#ifndef JUMAR_ACL_CODE_H
#define JUMAR_ACL_CODE_H

#include "acl/acl_base.h"
#include "base/status.h"

/* The number of a status; remembered as this thread's last error unless it is JM_OK. The message stays as it is. */
aclError jm_acl_code(jm_status status);
/* Sets the message, remembers and returns the code. */
JM_PRINTF(2, 3) aclError jm_acl_error(aclError code, const char *format, ...);
/* 100000: `argument` of `function` is NULL. */
aclError jm_acl_null(const char *function, const char *argument);

/* Leaves the calling function with 100000 when the argument is NULL. */
#define JM_ACL_NOT_NULL(argument)                                                                                      \
    do {                                                                                                               \
        if (!(argument)) return jm_acl_null(__func__, #argument);                                                      \
    } while (0)

#endif
