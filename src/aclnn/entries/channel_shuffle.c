/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_channel_shuffle.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ChannelShuffle[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"groups", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ChannelShuffle[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "ChannelShuffle", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "groups", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ChannelShuffle[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ChannelShuffle;
const jm_aclnn_row jm_aclnn_row_ChannelShuffle = {
    "aclnnChannelShuffle", param_ChannelShuffle, term_ChannelShuffle, statement_ChannelShuffle, 3, 1, false};

aclnnStatus aclnnChannelShuffleGetWorkspaceSize(const aclTensor *self, int64_t groups, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = groups},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ChannelShuffle, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnChannelShuffle(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ChannelShuffle, workspace, workspaceSize, executor, stream);
}
