/* SPDX-License-Identifier: Apache-2.0
 *
 * What every two-phase operator needs.
 *
 * An operator is two functions. aclnnXxxGetWorkspaceSize checks the arguments, plans the work for them and says how
 * many bytes of device memory it needs; it makes an executor. aclnnXxx enqueues the executor on a stream with that
 * memory, and frees it, also on failure, unless aclSetAclOpExecutorRepeatable was called. The phases may run on
 * different threads. Both need a current context (aclrtSetDevice).
 *
 * The workspace may be reused as soon as the stream has passed the operator. A stream of NULL is the default stream.
 *
 * Codes: 0; 161001 a required pointer is NULL; 161002 an argument has a wrong type, shape, format or value; 361001 the
 * device or the stream refused (no context, memory, a lost device); 561000 and up: inside the library. After each code
 * but 0 aclGetRecentErrMsg names the argument, its value and the rule. Indices that are data and lie out of range write
 * nothing and become the error of the next synchronise of the stream.
 */
#ifndef ACLNN_ACLNN_BASE_H
#define ACLNN_ACLNN_BASE_H

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Neither is needed; both always succeed. `configPath` is ignored and may be NULL. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char *configPath);
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif
