/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_clamp.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Clamp[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"clipValueMin", JM_ACLNN_SCALAR, true, true, false},
    {"clipValueMax", JM_ACLNN_SCALAR, true, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Clamp[] = {
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Clamp[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Clamp;
const jm_aclnn_row jm_aclnn_row_Clamp = {
    "aclnnClamp", param_Clamp, term_Clamp, statement_Clamp, 4, 1, false};

aclnnStatus aclnnClampGetWorkspaceSize(const aclTensor *self, const aclScalar *clipValueMin,
    const aclScalar *clipValueMax, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = clipValueMin},
        {.scalar = clipValueMax},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Clamp, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnClamp(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Clamp, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ClampMin[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"clipValueMin", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ClampMin[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ClampMin[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ClampMin;
const jm_aclnn_row jm_aclnn_row_ClampMin = {
    "aclnnClampMin", param_ClampMin, term_ClampMin, statement_ClampMin, 3, 1, false};

aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor *self, const aclScalar *clipValueMin, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = clipValueMin},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ClampMin, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnClampMin(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ClampMin, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ClampMax[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"clipValueMax", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ClampMax[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ClampMax[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ClampMax;
const jm_aclnn_row jm_aclnn_row_ClampMax = {
    "aclnnClampMax", param_ClampMax, term_ClampMax, statement_ClampMax, 3, 1, false};

aclnnStatus aclnnClampMaxGetWorkspaceSize(const aclTensor *self, const aclScalar *clipValueMax, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = clipValueMax},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ClampMax, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnClampMax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ClampMax, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceClampMax[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"clipValueMax", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceClampMax[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceClampMax[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceClampMax;
const jm_aclnn_row jm_aclnn_row_InplaceClampMax = {
    "aclnnInplaceClampMax", param_InplaceClampMax, term_InplaceClampMax, statement_InplaceClampMax, 2, 1, false};

aclnnStatus aclnnInplaceClampMaxGetWorkspaceSize(aclTensor *selfRef, const aclScalar *clipValueMax,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = clipValueMax},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceClampMax, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceClampMax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceClampMax, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ClampTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"clipValueMin", JM_ACLNN_TENSOR, false, true, false},
    {"clipValueMax", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ClampTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ClampTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_ClampTensor;
const jm_aclnn_row jm_aclnn_row_ClampTensor = {
    "aclnnClampTensor", param_ClampTensor, term_ClampTensor, statement_ClampTensor, 4, 1, false};

aclnnStatus aclnnClampTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *clipValueMin,
    const aclTensor *clipValueMax, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = clipValueMin},
        {.tensor = clipValueMax},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ClampTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnClampTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ClampTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ClampMinTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"clipValueMin", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ClampMinTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ClampMinTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ClampMinTensor;
const jm_aclnn_row jm_aclnn_row_ClampMinTensor = {
    "aclnnClampMinTensor", param_ClampMinTensor, term_ClampMinTensor, statement_ClampMinTensor, 3, 1, false};

aclnnStatus aclnnClampMinTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *clipValueMin, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = clipValueMin},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ClampMinTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnClampMinTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ClampMinTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ClampMaxTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"max", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ClampMaxTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ClampMaxTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ClampMaxTensor;
const jm_aclnn_row jm_aclnn_row_ClampMaxTensor = {
    "aclnnClampMaxTensor", param_ClampMaxTensor, term_ClampMaxTensor, statement_ClampMaxTensor, 3, 1, false};

aclnnStatus aclnnClampMaxTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *max, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = max},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ClampMaxTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnClampMaxTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ClampMaxTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceClampMinTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"clipValueMin", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceClampMinTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceClampMinTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceClampMinTensor;
const jm_aclnn_row jm_aclnn_row_InplaceClampMinTensor = {
    "aclnnInplaceClampMinTensor", param_InplaceClampMinTensor, term_InplaceClampMinTensor, statement_InplaceClampMinTensor, 2, 1, false};

aclnnStatus aclnnInplaceClampMinTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *clipValueMin,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = clipValueMin},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceClampMinTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceClampMinTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceClampMinTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceClampMaxTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"max", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceClampMaxTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceClampMaxTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceClampMaxTensor;
const jm_aclnn_row jm_aclnn_row_InplaceClampMaxTensor = {
    "aclnnInplaceClampMaxTensor", param_InplaceClampMaxTensor, term_InplaceClampMaxTensor, statement_InplaceClampMaxTensor, 2, 1, false};

aclnnStatus aclnnInplaceClampMaxTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *max,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = max},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceClampMaxTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceClampMaxTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceClampMaxTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_Hardtanh[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"clipValueMin", JM_ACLNN_SCALAR, false, true, false},
    {"clipValueMax", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Hardtanh[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Hardtanh[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Hardtanh;
const jm_aclnn_row jm_aclnn_row_Hardtanh = {
    "aclnnHardtanh", param_Hardtanh, term_Hardtanh, statement_Hardtanh, 4, 1, false};

aclnnStatus aclnnHardtanhGetWorkspaceSize(const aclTensor *self, const aclScalar *clipValueMin,
    const aclScalar *clipValueMax, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = clipValueMin},
        {.scalar = clipValueMax},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Hardtanh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnHardtanh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Hardtanh, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceHardtanh[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"clipValueMin", JM_ACLNN_SCALAR, false, true, false},
    {"clipValueMax", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceHardtanh[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceHardtanh[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceHardtanh;
const jm_aclnn_row jm_aclnn_row_InplaceHardtanh = {
    "aclnnInplaceHardtanh", param_InplaceHardtanh, term_InplaceHardtanh, statement_InplaceHardtanh, 3, 1, false};

aclnnStatus aclnnInplaceHardtanhGetWorkspaceSize(aclTensor *selfRef, const aclScalar *clipValueMin,
    const aclScalar *clipValueMax, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = clipValueMin},
        {.scalar = clipValueMax},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceHardtanh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceHardtanh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceHardtanh, workspace, workspaceSize, executor, stream);
}
