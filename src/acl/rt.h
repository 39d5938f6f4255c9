/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the runtime door share.
 */
#ifndef JUMAR_ACL_RT_H
#define JUMAR_ACL_RT_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/code.h"

/* Tells the exception callback, if there is one, of the failure that this thread's last synchronise returned. */
void jm_acl_report_exception(aclError code);
/* As jm_acl_code; errors of the work that was waited for get the code of a failed kernel. */
aclError jm_acl_synchronize_code(jm_status status);

/* Leaves the calling function with 107000 when the timeout is below -1. */
#define JM_ACL_TIMEOUT(timeout)                                                                                        \
    do {                                                                                                               \
        if ((timeout) < -1)                                                                                            \
            return jm_acl_error(ACL_ERROR_RT_PARAM_INVALID, "%s: timeout %d; use milliseconds or -1", __func__,        \
                                (int)(timeout));                                                                       \
    } while (0)

#endif
