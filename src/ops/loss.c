/* SPDX-License-Identifier: Apache-2.0
 *
 * NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: composites of gathers and reductions.
 */
#include <string.h>

#include "ops/compose.h"

enum { SCORES, TARGET, WEIGHT };  /* inputs */
enum { IGNORE_INDEX, REDUCTION }; /* attributes */
#define NOTHING_IGNORED INT64_MIN /* default of ignore_index: no target is so small */
static const char *const reductions[] = {"none", "sum", "mean"};

static jm_status check_loss(const jm_call *call)
{
    const jm_tensor *scores = &call->in[SCORES], *target = &call->in[TARGET], *weight = jm_call_in(call, WEIGHT);
    const int rank = scores->shape.rank;
    if (rank < 2) return jm_call_error(call, JM_INVALID_ARGUMENT, "scores have rank %d and must have 2 or more", rank);
    bool fits = target->shape.rank == rank - 1;
    for (int k = 0; fits && k < rank - 1; k++) {
        const int64_t a = target->shape.dim[k], b = scores->shape.dim[k ? k + 1 : 0];
        fits = a == b || a < 0 || b < 0;
    }
    if (!fits)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the target must have the shape of the scores without axis 1");
    if (target->dtype != JM_I32 && target->dtype != JM_I64)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the target is %s and must be int32 or int64",
                             jm_dtype_text(target->dtype));
    if (weight && (weight->shape.rank != 1 || weight->dtype != scores->dtype))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "weights must be a list with one value for each class");
    for (size_t i = 0; i < JM_COUNT(reductions); i++)
        if (strcmp(call->attr[REDUCTION].s, reductions[i]) == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "reduction '%s' is not none, sum or mean", call->attr[REDUCTION].s);
}

static jm_status loss_infer(jm_call *call)
{
    call->out[0].dtype = call->in[SCORES].dtype;
    call->out[0].shape = (jm_shape){.rank = 0};
    if (strcmp(call->attr[REDUCTION].s, "none") == 0) call->out[0].shape = call->in[TARGET].shape;
    if (call->outputs > 1) {
        call->out[1].dtype = call->in[SCORES].dtype;
        call->out[1].shape = call->in[SCORES].shape;
    }
    return JM_OK;
}

static jm_operand *reduce_all(jm_compose *c, const char *op, jm_operand *x)
{
    const jm_named_attr keep = {"keepdims", {.count = 1, .i = 0}};
    return jm_compose_node(c, op, &x, 1, &keep, 1);
}

/* Weight of each target: that of its class, 0 where it is ignored; NULL when every weight is 1. */
static jm_operand *target_weights(jm_compose *c, const jm_call *call, jm_operand *class, jm_operand *ignored)
{
    const jm_dtype dtype = call->in[SCORES].dtype;
    jm_operand *weight = jm_compose_input(c, WEIGHT);
    if (!weight && !ignored) return NULL;
    weight = weight ? jm_compose_2(c, "Gather", weight, class) : jm_compose_scalar(c, dtype, 1);
    return ignored ? jm_compose_3(c, "Where", ignored, jm_compose_scalar(c, dtype, 0), weight) : weight;
}

/* Result 0 from log probabilities. */
static void compose_loss(jm_compose *c, const jm_call *call, jm_operand *log_probability)
{
    const jm_dtype index = call->in[TARGET].dtype;
    const char *reduction = call->attr[REDUCTION].s;
    jm_operand *class = jm_compose_input(c, TARGET), *ignored = NULL;
    if (call->attr[IGNORE_INDEX].i != NOTHING_IGNORED) {
        /* Any class will do where the target is ignored: its weight is 0. */
        jm_operand *value = jm_compose_scalar(c, index, (double)call->attr[IGNORE_INDEX].i);
        ignored = jm_compose_2(c, "Equal", class, value);
        class = jm_compose_3(c, "Where", ignored, jm_compose_scalar(c, index, 0), class);
    }
    jm_shape column = call->in[SCORES].shape;
    column.dim[1] = 1;
    const jm_named_attr axis = {"axis", {.count = 1, .i = 1}};
    jm_operand *in[] = {log_probability, jm_compose_reshape(c, class, &column)};
    jm_operand *loss = jm_compose_1(c, "Neg", jm_compose_node(c, "GatherElements", in, 2, &axis, 1));
    loss = jm_compose_reshape(c, loss, &call->in[TARGET].shape);
    jm_operand *weight = target_weights(c, call, class, ignored);
    if (weight) loss = jm_compose_2(c, "Mul", loss, weight);
    if (strcmp(reduction, "sum") == 0) loss = reduce_all(c, "ReduceSum", loss);
    if (strcmp(reduction, "mean") == 0) {
        loss = weight ? jm_compose_2(c, "Div", reduce_all(c, "ReduceSum", loss), reduce_all(c, "ReduceSum", weight))
                      : reduce_all(c, "ReduceMean", loss);
    }
    jm_compose_result(c, 0, loss);
}

static jm_status nll_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    compose_loss(&c, call, jm_compose_input(&c, SCORES));
    return jm_compose_end(&c);
}

static jm_status softmax_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *scores = jm_compose_input(&c, SCORES);
    const jm_named_attr axis = {"axis", {.count = 1, .i = 1}};
    jm_operand *log_probability = jm_compose_node(&c, "LogSoftmax", &scores, 1, &axis, 1);
    compose_loss(&c, call, log_probability);
    jm_compose_result(&c, 1, log_probability);
    return jm_compose_end(&c);
}

static const jm_param nll_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "log probabilities, [N, C, ...]"},
    {"target", JM_PARAM_INPUT, 0, .doc = "classes, [N, ...]"},
    {"weight", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "of each class, [C]"},
    {"loss", JM_PARAM_OUTPUT, 0, .doc = "shape of target, or a scalar"},
    {"ignore_index", JM_PARAM_INT, JM_OPTIONAL, .i = NOTHING_IGNORED, .doc = "targets of this class do not count"},
    {"reduction", JM_PARAM_STRING, JM_OPTIONAL, .s = "mean", .doc = "none, sum or mean"},
};

const jm_op jm_op_nll_loss = {
    .name = "NegativeLogLikelihoodLoss",
    .param = nll_param,
    .params = JM_COUNT(nll_param),
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "-input[n, target[n]] * weight[target[n]]; its sum, or its sum / sum of the weights",
    .source = "ONNX NegativeLogLikelihoodLoss-22",
    .check = check_loss,
    .infer = loss_infer,
    .lower = nll_lower,
};

static const jm_param softmax_param[] = {
    {"scores", JM_PARAM_INPUT, 0, .doc = "[N, C, ...]"},
    {"labels", JM_PARAM_INPUT, 0, .doc = "classes, [N, ...]"},
    {"weights", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "of each class, [C]"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "shape of labels, or a scalar"},
    {"log_prob", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "log softmax of the scores along axis 1"},
    {"ignore_index", JM_PARAM_INT, JM_OPTIONAL, .i = NOTHING_IGNORED, .doc = "labels of this class do not count"},
    {"reduction", JM_PARAM_STRING, JM_OPTIONAL, .s = "mean", .doc = "none, sum or mean"},
};

const jm_op jm_op_softmax_cross_entropy_loss = {
    .name = "SoftmaxCrossEntropyLoss",
    .param = softmax_param,
    .params = JM_COUNT(softmax_param),
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "NegativeLogLikelihoodLoss of log softmax(scores)",
    .source = "ONNX SoftmaxCrossEntropyLoss-13",
    .check = check_loss,
    .infer = loss_infer,
    .lower = softmax_lower,
};
