/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_dequant_rope_quant_kvcache.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_DequantRopeQuantKvcache[] = {
    {"x", JM_ACLNN_TENSOR, false, true, false},
    {"cos", JM_ACLNN_TENSOR, false, true, false},
    {"sin", JM_ACLNN_TENSOR, false, true, false},
    {"kCacheRef", JM_ACLNN_TENSOR, false, true, true},
    {"vCacheRef", JM_ACLNN_TENSOR, false, true, true},
    {"indices", JM_ACLNN_TENSOR, false, true, false},
    {"scaleK", JM_ACLNN_TENSOR, false, true, false},
    {"scaleV", JM_ACLNN_TENSOR, false, true, false},
    {"offsetKOptional", JM_ACLNN_TENSOR, true, true, false},
    {"offsetVOptional", JM_ACLNN_TENSOR, true, true, false},
    {"weightScaleOptional", JM_ACLNN_TENSOR, true, true, false},
    {"activationScaleOptional", JM_ACLNN_TENSOR, true, true, false},
    {"biasOptional", JM_ACLNN_TENSOR, true, true, false},
    {"sizeSplits", JM_ACLNN_INTS, false, true, false},
    {"quantModeOptional", JM_ACLNN_STRING, true, true, false},
    {"layoutOptional", JM_ACLNN_STRING, true, true, false},
    {"kvOutput", JM_ACLNN_BOOL, false, true, false},
    {"cacheModeOptional", JM_ACLNN_STRING, true, true, false},
    {"qOut", JM_ACLNN_TENSOR, false, false, true},
    {"kOut", JM_ACLNN_TENSOR, false, false, true},
    {"vOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_DequantRopeQuantKvcache[] = {
    {JM_TERM_NODE, 13, 5, 0, 0, "DequantRopeQuantKvcache", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 9, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 10, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 11, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 12, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "size_splits", 0},
    {JM_TERM_PARAM, 0, 0, 13, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "quant_mode", 0},
    {JM_TERM_PARAM, 0, 0, 14, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "layout", 0},
    {JM_TERM_PARAM, 0, 0, 15, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "kv_output", 0},
    {JM_TERM_PARAM, 0, 0, 16, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "cache_mode", 0},
    {JM_TERM_PARAM, 0, 0, 17, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_DequantRopeQuantKvcache[] = {
    {JM_RULE_EXACT, 0, 5, {18, 19, 20, 3, 4}},
};
extern const jm_aclnn_row jm_aclnn_row_DequantRopeQuantKvcache;
const jm_aclnn_row jm_aclnn_row_DequantRopeQuantKvcache = {
    "aclnnDequantRopeQuantKvcache", param_DequantRopeQuantKvcache, term_DequantRopeQuantKvcache, statement_DequantRopeQuantKvcache, 21, 1, false};

aclnnStatus aclnnDequantRopeQuantKvcacheGetWorkspaceSize(const aclTensor *x, const aclTensor *cos,
    const aclTensor *sin, aclTensor *kCacheRef, aclTensor *vCacheRef, const aclTensor *indices,
    const aclTensor *scaleK, const aclTensor *scaleV, const aclTensor *offsetKOptional,
    const aclTensor *offsetVOptional, const aclTensor *weightScaleOptional, const aclTensor *activationScaleOptional,
    const aclTensor *biasOptional, const aclIntArray *sizeSplits, const char *quantModeOptional,
    const char *layoutOptional, bool kvOutput, const char *cacheModeOptional, aclTensor *qOut, aclTensor *kOut,
    aclTensor *vOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = x},
        {.tensor = cos},
        {.tensor = sin},
        {.tensor = kCacheRef},
        {.tensor = vCacheRef},
        {.tensor = indices},
        {.tensor = scaleK},
        {.tensor = scaleV},
        {.tensor = offsetKOptional},
        {.tensor = offsetVOptional},
        {.tensor = weightScaleOptional},
        {.tensor = activationScaleOptional},
        {.tensor = biasOptional},
        {.ints = sizeSplits},
        {.string = quantModeOptional},
        {.string = layoutOptional},
        {.i = kvOutput},
        {.string = cacheModeOptional},
        {.tensor = qOut},
        {.tensor = kOut},
        {.tensor = vOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_DequantRopeQuantKvcache, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDequantRopeQuantKvcache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_DequantRopeQuantKvcache, workspace, workspaceSize, executor, stream);
}
