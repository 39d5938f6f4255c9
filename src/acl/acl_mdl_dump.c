/* SPDX-License-Identifier: Apache-2.0
 *
 * Dumping tensors of a model into files: not supported yet, and said so.
 */
#include "acl/mdl.h"

static aclError no_dump(const char *function)
{
    return jm_acl_error(ACL_ERROR_FEATURE_UNSUPPORTED, "%s: dumping tensors into files is not supported yet", function);
}

aclError aclmdlCreateAndGetOpDesc(uint32_t deviceId, uint32_t streamId, uint32_t taskId, char *opName, size_t opNameLen,
                                  aclTensorDesc **inputDesc, size_t *numInputs, aclTensorDesc **outputDesc,
                                  size_t *numOutputs)
{
    (void)deviceId, (void)streamId, (void)taskId;
    if (opName && opNameLen) opName[0] = 0;
    if (inputDesc) *inputDesc = NULL;
    if (outputDesc) *outputDesc = NULL;
    if (numInputs) *numInputs = 0;
    if (numOutputs) *numOutputs = 0;
    return jm_acl_error(ACL_ERROR_API_NOT_SUPPORT, "%s: operators of a model have no tasks of their own here",
                        __func__);
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
