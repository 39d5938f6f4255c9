/* SPDX-License-Identifier: Apache-2.0
 *
 * NegativeLogLikelihoodLoss, its gradient and SoftmaxCrossEntropyLoss: composites of gathers, scatters and reductions.
 * Scores of 16 bits are computed in float32 and rounded once.
 */
#include <string.h>

#include "ops/compose.h"

enum { SCORES, TARGET, WEIGHT };  /* inputs */
enum { IGNORE_INDEX, REDUCTION }; /* attributes */
#define NOTHING_IGNORED INT64_MIN /* default of ignore_index: no target is so small */
static const char *const reductions[] = {"none", "sum", "mean"};

/* Classes lie along axis 1, and along axis 0 of scores of rank 1, which have one target. */
static int class_axis(const jm_shape *scores)
{
    return scores->rank > 1;
}

static jm_shape without_classes(const jm_shape *scores)
{
    jm_shape shape = {.rank = 0};
    for (int k = 0; k < scores->rank; k++)
        if (k != class_axis(scores)) shape.dim[shape.rank++] = scores->dim[k];
    return shape;
}

/* Tensors of a loss, given where each lies among the inputs. */
static jm_status check_tensors(const jm_call *call, int scores_at, int target_at, int weight_at)
{
    const jm_tensor *scores = &call->in[scores_at], *target = &call->in[target_at];
    const jm_tensor *weight = jm_call_in(call, weight_at);
    const jm_shape want = without_classes(&scores->shape);
    if (scores->shape.rank < 1)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "scores have rank 0 and must have 1 or more");
    const int64_t classes = scores->shape.dim[class_axis(&scores->shape)];
    bool fits = target->shape.rank == want.rank;
    for (int k = 0; fits && k < want.rank; k++) {
        const int64_t a = target->shape.dim[k], b = want.dim[k];
        fits = a == b || a < 0 || b < 0;
    }
    if (!fits)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "the target must have the shape of the scores without their classes");
    if (target->dtype != JM_I32 && target->dtype != JM_I64 && target->dtype != JM_U8)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the target is %s and must be int32, int64 or uint8",
                             jm_dtype_text(target->dtype));
    if (weight && (weight->shape.rank != 1 || weight->dtype != scores->dtype ||
                   (classes >= 0 && weight->shape.dim[0] >= 0 && weight->shape.dim[0] != classes)))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "weights must be a list with one value for each class, of the type of the scores");
    return JM_OK;
}

static jm_status check_reduction(const jm_call *call)
{
    for (size_t i = 0; i < JM_COUNT(reductions); i++)
        if (strcmp(call->attr[REDUCTION].s, reductions[i]) == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "reduction '%s' is not none, sum or mean", call->attr[REDUCTION].s);
}

static jm_status check_loss(const jm_call *call)
{
    JM_TRY(check_tensors(call, SCORES, TARGET, WEIGHT));
    return check_reduction(call);
}

static bool reduces(const jm_call *call, const char *how)
{
    return strcmp(call->attr[REDUCTION].s, how) == 0;
}

static jm_status loss_infer(jm_call *call)
{
    call->out[0].dtype = call->in[SCORES].dtype;
    call->out[0].shape = (jm_shape){.rank = 0};
    if (reduces(call, "none")) call->out[0].shape = call->in[TARGET].shape;
    return JM_OK;
}

static jm_status nll_infer(jm_call *call)
{
    if (call->outputs > 1) {
        call->out[1].dtype = call->in[SCORES].dtype;
        call->out[1].shape = (jm_shape){.rank = 0};
    }
    return loss_infer(call);
}

static jm_status softmax_infer(jm_call *call)
{
    if (call->outputs > 1) {
        call->out[1].dtype = call->in[SCORES].dtype;
        call->out[1].shape = call->in[SCORES].shape;
    }
    return loss_infer(call);
}

static jm_operand *reduce_all(jm_compose *c, const char *op, jm_operand *x)
{
    const jm_named_attr keep = {"keepdims", {.count = 1, .i = 0}};
    return jm_compose_node(c, op, &x, 1, &keep, 1);
}

/* Targets as indices, and where they are to be ignored; NULL: nowhere. */
typedef struct classes {
    jm_operand *index, *ignored;
    jm_operand *column; /* the index with a dimension of 1 for the classes */
    jm_named_attr axis;
} classes;

static classes compose_classes(jm_compose *c, const jm_call *call, int target, const jm_shape *scores)
{
    jm_operand *index = jm_compose_input(c, target);
    if (jm_compose_tensor(c, index)->dtype == JM_U8) index = jm_compose_cast(c, index, JM_I64);
    classes made = {.axis = {"axis", {.count = 1, .i = class_axis(scores)}}};
    if (call->attr[IGNORE_INDEX].i != NOTHING_IGNORED) {
        /* Any class will do where the target is ignored: its weight is 0. */
        const jm_shape scalar = {.rank = 0};
        int64_t ignore = call->attr[IGNORE_INDEX].i;
        jm_operand *wide = jm_compose_cast(c, index, JM_I64);
        made.ignored = jm_compose_2(c, "Equal", wide, jm_compose_constant(c, JM_I64, &scalar, &ignore));
        index =
            jm_compose_3(c, "Where", made.ignored, jm_compose_scalar(c, jm_compose_tensor(c, index)->dtype, 0), index);
    }
    jm_shape column = *scores;
    column.dim[class_axis(scores)] = 1;
    made.index = index;
    made.column = jm_compose_reshape(c, index, &column);
    return made;
}

/* Weight of each target: that of its class, 0 where it is ignored; NULL when every weight is 1. */
static jm_operand *target_weights(jm_compose *c, jm_operand *weight, const classes *target, jm_dtype dtype)
{
    if (!weight && !target->ignored) return NULL;
    weight = weight ? jm_compose_2(c, "Gather", weight, target->index) : jm_compose_scalar(c, dtype, 1);
    return target->ignored ? jm_compose_3(c, "Where", target->ignored, jm_compose_scalar(c, dtype, 0), weight) : weight;
}

/* In which type a loss is computed. */
static jm_dtype wide_type(jm_dtype dtype)
{
    return dtype == JM_F64 ? JM_F64 : JM_F32;
}

static jm_operand *wide(jm_compose *c, jm_operand *x)
{
    return x ? jm_compose_cast(c, x, wide_type(jm_compose_tensor(c, x)->dtype)) : NULL;
}

static void result_as(jm_compose *c, int i, jm_operand *x, jm_dtype dtype)
{
    jm_compose_result(c, i, jm_compose_cast(c, x, dtype));
}

/* Result 0 from log probabilities. Returns the sum of the weights of all targets. */
static jm_operand *compose_loss(jm_compose *c, const jm_call *call, jm_operand *log_probability)
{
    const jm_tensor *scores = &call->in[SCORES];
    const jm_dtype dtype = wide_type(scores->dtype);
    const classes target = compose_classes(c, call, TARGET, &scores->shape);
    jm_operand *in[] = {log_probability, target.column};
    jm_operand *loss = jm_compose_1(c, "Neg", jm_compose_node(c, "GatherElements", in, 2, &target.axis, 1));
    loss = jm_compose_reshape(c, loss, &call->in[TARGET].shape);
    jm_operand *weight = target_weights(c, wide(c, jm_compose_input(c, WEIGHT)), &target, dtype);
    if (weight) loss = jm_compose_2(c, "Mul", loss, weight);
    jm_operand *total = NULL;
    if (weight) total = reduce_all(c, "ReduceSum", weight);
    if (!weight) total = jm_compose_scalar(c, dtype, (double)jm_tensor_elements(&call->in[TARGET]));
    if (!reduces(call, "none")) loss = reduce_all(c, "ReduceSum", loss);
    if (reduces(call, "mean")) loss = jm_compose_2(c, "Div", loss, total);
    result_as(c, 0, loss, scores->dtype);
    return total;
}

static jm_status nll_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_dtype dtype = call->in[SCORES].dtype;
    jm_operand *total = compose_loss(&c, call, wide(&c, jm_compose_input(&c, SCORES)));
    if (reduces(call, "none") && call->in[SCORES].shape.rank > 1) total = jm_compose_scalar(&c, dtype, 0);
    result_as(&c, 1, total, dtype);
    return jm_compose_end(&c);
}

static jm_status softmax_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *scores = wide(&c, jm_compose_input(&c, SCORES));
    const jm_named_attr axis = {"axis", {.count = 1, .i = class_axis(&call->in[SCORES].shape)}};
    jm_operand *log_probability = jm_compose_node(&c, "LogSoftmax", &scores, 1, &axis, 1);
    compose_loss(&c, call, log_probability);
    result_as(&c, 1, log_probability, call->in[SCORES].dtype);
    return jm_compose_end(&c);
}

/* ---- The gradient ---- */

enum { GRADIENT, G_SCORES, G_TARGET, G_WEIGHT, G_TOTAL }; /* its inputs */

static jm_status gradient_check(const jm_call *call)
{
    const jm_tensor *gradient = &call->in[GRADIENT], *total = &call->in[G_TOTAL];
    JM_TRY(check_tensors(call, G_SCORES, G_TARGET, G_WEIGHT));
    JM_TRY(check_reduction(call));
    const bool none = reduces(call, "none");
    if (none && !jm_shape_equal(&gradient->shape, &call->in[G_TARGET].shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "without a reduction the gradient has the shape of the target");
    if (!none && jm_tensor_elements(gradient) != 1)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "with a reduction the gradient has one element");
    if (jm_tensor_elements(total) != 1 || gradient->dtype != call->in[G_SCORES].dtype ||
        total->dtype != call->in[G_SCORES].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "the total weight is one element; it and the gradient have the type of the scores");
    return JM_OK;
}

static jm_status gradient_infer(jm_call *call)
{
    call->out[0].dtype = call->in[G_SCORES].dtype;
    call->out[0].shape = call->in[G_SCORES].shape;
    return JM_OK;
}

static jm_status gradient_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_tensor *scores = &call->in[G_SCORES];
    const jm_dtype dtype = wide_type(scores->dtype);
    const jm_shape scalar = {.rank = 0};
    const classes target = compose_classes(&c, call, G_TARGET, &scores->shape);
    jm_operand *gradient = wide(&c, jm_compose_input(&c, GRADIENT));
    if (!reduces(call, "none")) gradient = jm_compose_reshape(&c, gradient, &scalar);
    if (reduces(call, "mean")) {
        jm_operand *total = jm_compose_reshape(&c, wide(&c, jm_compose_input(&c, G_TOTAL)), &scalar);
        gradient = jm_compose_2(&c, "Div", gradient, total);
    }
    gradient = jm_compose_1(&c, "Neg", gradient);
    jm_operand *weight = wide(&c, jm_compose_input(&c, G_WEIGHT));
    if (weight) gradient = jm_compose_2(&c, "Mul", gradient, jm_compose_2(&c, "Gather", weight, target.index));
    /* 0 where the target is ignored, whatever is divided by what. */
    if (target.ignored) gradient = jm_compose_3(&c, "Where", target.ignored, jm_compose_scalar(&c, dtype, 0), gradient);
    gradient = jm_compose_expand(&c, gradient, &call->in[G_TARGET].shape);
    jm_operand *in[] = {jm_compose_expand(&c, jm_compose_scalar(&c, dtype, 0), &scores->shape), target.column,
                        jm_compose_reshape(&c, gradient, jm_compose_shape(&c, target.column))};
    result_as(&c, 0, jm_compose_node(&c, "ScatterElements", in, 3, &target.axis, 1), scores->dtype);
    return jm_compose_end(&c);
}

static const jm_param nll_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "log probabilities, [N, C, ...] or [C]"},
    {"target", JM_PARAM_INPUT, 0, .doc = "classes, [N, ...] or a scalar"},
    {"weight", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "of each class, [C]"},
    {"loss", JM_PARAM_OUTPUT, 0, .doc = "shape of target, or a scalar"},
    {"total_weight", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "sum of the weights of all targets; 0 where none is reduced"},
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
    .infer = nll_infer,
    .lower = nll_lower,
};

static const jm_param gradient_param[] = {
    {"dY", JM_PARAM_INPUT, 0, .doc = "gradient of the loss"},
    {"input", JM_PARAM_INPUT, 0, .doc = "log probabilities, [N, C, ...] or [C]"},
    {"target", JM_PARAM_INPUT, 0, .doc = "classes, [N, ...] or a scalar"},
    {"weight", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "of each class, [C]"},
    {"total_weight", JM_PARAM_INPUT, 0, .doc = "of the loss, one element"},
    {"dX", JM_PARAM_OUTPUT, 0, .doc = "gradient of the input"},
    {"ignore_index", JM_PARAM_INT, JM_OPTIONAL, .i = NOTHING_IGNORED, .doc = "targets of this class do not count"},
    {"reduction", JM_PARAM_STRING, JM_OPTIONAL, .s = "mean", .doc = "none, sum or mean"},
};

const jm_op jm_op_nll_loss_gradient = {
    .name = "NegativeLogLikelihoodLossGradient",
    .param = gradient_param,
    .params = JM_COUNT(gradient_param),
    .formula = "-dy weight[target[n]] (of the mean, over the total weight) at [n, target[n]], 0 elsewhere",
    .source = "PyTorch nll_loss_backward",
    .check = gradient_check,
    .infer = gradient_infer,
    .lower = gradient_lower,
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
    .infer = softmax_infer,
    .lower = softmax_lower,
};
