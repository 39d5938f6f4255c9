/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_dropout_gen_mask.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_DropoutGenMask[] = {
    {"shape", JM_ACLNN_INTS, false, true, false},
    {"prob", JM_ACLNN_FLOAT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_DropoutGenMask[] = {
    {JM_TERM_NODE, 2, 2, 0, 0, "DropoutMask", 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "shape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "prob", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_DropoutGenMask[] = {
    {JM_RULE_EXACT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_DropoutGenMask;
const jm_aclnn_row jm_aclnn_row_DropoutGenMask = {
    "aclnnDropoutGenMask", param_DropoutGenMask, term_DropoutGenMask, statement_DropoutGenMask, 5, 1, false};

aclnnStatus aclnnDropoutGenMaskGetWorkspaceSize(const aclIntArray *shape, double prob, int64_t seed, int64_t offset,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.ints = shape},
        {.f = prob},
        {.i = seed},
        {.i = offset},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_DropoutGenMask, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDropoutGenMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_DropoutGenMask, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_DropoutGenMaskV2[] = {
    {"shape", JM_ACLNN_INTS, false, true, false},
    {"prob", JM_ACLNN_FLOAT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"probDataType", JM_ACLNN_DTYPE, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_DropoutGenMaskV2[] = {
    {JM_TERM_NODE, 2, 2, 0, 0, "DropoutMask", 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "shape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "prob", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_DropoutGenMaskV2[] = {
    {JM_RULE_EXACT, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_DropoutGenMaskV2;
const jm_aclnn_row jm_aclnn_row_DropoutGenMaskV2 = {
    "aclnnDropoutGenMaskV2", param_DropoutGenMaskV2, term_DropoutGenMaskV2, statement_DropoutGenMaskV2, 6, 1, false};

aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray *shape, double prob, int64_t seed, int64_t offset,
    aclDataType probDataType, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.ints = shape},
        {.f = prob},
        {.i = seed},
        {.i = offset},
        {.i = (int64_t)probDataType},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_DropoutGenMaskV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDropoutGenMaskV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_DropoutGenMaskV2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_DropoutGenMaskV2Tensor[] = {
    {"shape", JM_ACLNN_INTS, false, true, false},
    {"prob", JM_ACLNN_FLOAT, false, true, false},
    {"seedTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offsetTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"probDataType", JM_ACLNN_DTYPE, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_DropoutGenMaskV2Tensor[] = {
    {JM_TERM_NODE, 2, 3, 0, 0, "DropoutMask", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_I64, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_I64, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "shape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "prob", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "more", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_DropoutGenMaskV2Tensor[] = {
    {JM_RULE_EXACT, 0, 1, {6}},
};
extern const jm_aclnn_row jm_aclnn_row_DropoutGenMaskV2Tensor;
const jm_aclnn_row jm_aclnn_row_DropoutGenMaskV2Tensor = {
    "aclnnDropoutGenMaskV2Tensor", param_DropoutGenMaskV2Tensor, term_DropoutGenMaskV2Tensor, statement_DropoutGenMaskV2Tensor, 7, 1, false};

aclnnStatus aclnnDropoutGenMaskV2TensorGetWorkspaceSize(const aclIntArray *shape, double prob,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, int64_t offset, aclDataType probDataType,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.ints = shape},
        {.f = prob},
        {.tensor = seedTensor},
        {.tensor = offsetTensor},
        {.i = offset},
        {.i = (int64_t)probDataType},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_DropoutGenMaskV2Tensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDropoutGenMaskV2Tensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_DropoutGenMaskV2Tensor, workspace, workspaceSize, executor, stream);
}
