/* SPDX-License-Identifier: Apache-2.0
 *
 * Dumping tensors of a model into files: not supported yet, and said so.
 */
#include "acl/mdl.h"

static aclError no_dump(const char *function)
{
    return jm_acl_error(ACL_ERROR_FEATURE_UNSUPPORTED, "%s: dumping tensors into files is not supported yet", function);
}

aclError aclmdlInitDump(void)
{
    return no_dump(__func__);
}

aclError aclmdlSetDump(const char *dumpCfgPath)
{
    JM_ACL_NOT_NULL(dumpCfgPath);
    return no_dump(__func__);
}

aclError aclmdlFinalizeDump(void)
{
    return no_dump(__func__);
}
