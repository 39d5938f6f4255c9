/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_multinomial.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Multinomial[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"numsamples", JM_ACLNN_INT, false, true, false},
    {"replacement", JM_ACLNN_BOOL, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Multinomial[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "RandomChoice", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "samples", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "replacement", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Multinomial[] = {
    {JM_RULE_KEEP, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Multinomial;
const jm_aclnn_row jm_aclnn_row_Multinomial = {
    "aclnnMultinomial", param_Multinomial, term_Multinomial, statement_Multinomial, 6, 1, false};

aclnnStatus aclnnMultinomialGetWorkspaceSize(const aclTensor *self, int64_t numsamples, bool replacement,
    int64_t seed, int64_t offset, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = numsamples},
        {.i = replacement},
        {.i = seed},
        {.i = offset},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Multinomial, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMultinomial(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Multinomial, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_MultinomialTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"numsamples", JM_ACLNN_INT, false, true, false},
    {"replacement", JM_ACLNN_BOOL, false, true, false},
    {"seedTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offsetTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MultinomialTensor[] = {
    {JM_TERM_NODE, 3, 3, 0, 0, "RandomChoice", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_I64, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_I64, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "samples", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "replacement", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "more", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_MultinomialTensor[] = {
    {JM_RULE_KEEP, 0, 1, {6}},
};
extern const jm_aclnn_row jm_aclnn_row_MultinomialTensor;
const jm_aclnn_row jm_aclnn_row_MultinomialTensor = {
    "aclnnMultinomialTensor", param_MultinomialTensor, term_MultinomialTensor, statement_MultinomialTensor, 7, 1, false};

aclnnStatus aclnnMultinomialTensorGetWorkspaceSize(const aclTensor *self, int64_t numsamples, bool replacement,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, int64_t offset, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = numsamples},
        {.i = replacement},
        {.tensor = seedTensor},
        {.tensor = offsetTensor},
        {.i = offset},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MultinomialTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMultinomialTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MultinomialTensor, workspace, workspaceSize, executor, stream);
}
