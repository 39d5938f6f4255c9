/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/epilogue.h"

#include <math.h>

/* The kernel of each activation; JM_UNARY_COUNT where there is nothing to do. */
static const jm_unary unary[JM_ACT_COUNT] = {
    [JM_ACT_NONE] = JM_UNARY_COUNT,
    [JM_ACT_RELU] = JM_UNARY_RELU,
    [JM_ACT_LEAKY_RELU] = JM_UNARY_LEAKY_RELU,
    [JM_ACT_CLIP] = JM_UNARY_CLIP,
    [JM_ACT_SIGMOID] = JM_UNARY_SIGMOID,
    [JM_ACT_SILU] = JM_UNARY_SILU,
    [JM_ACT_HARD_SIGMOID] = JM_UNARY_HARD_SIGMOID,
    [JM_ACT_HARD_SWISH] = JM_UNARY_HARD_SWISH,
    [JM_ACT_TANH] = JM_UNARY_TANH,
    [JM_ACT_GELU] = JM_UNARY_GELU,
    [JM_ACT_MISH] = JM_UNARY_MISH,
};

void jm_epilogue_apply(const jm_kernels *kernels, const jm_epilogue *epilogue, float *sum, const float *residual,
                       size_t n)
{
    const jm_pointwise_kernels *pointwise = &kernels->pointwise;
    if (epilogue->residual == JM_RESIDUAL_THEN_ACTIVATION)
        pointwise->binary[JM_BINARY_ADD](sum, sum, JM_STEP_GROUP, residual, JM_STEP_GROUP, n);
    if (epilogue->activation != JM_ACT_NONE)
        pointwise->unary[unary[epilogue->activation]](sum, sum, n, epilogue->alpha, epilogue->beta);
    if (epilogue->residual == JM_ACTIVATION_THEN_RESIDUAL)
        pointwise->binary[JM_BINARY_ADD](sum, sum, JM_STEP_GROUP, residual, JM_STEP_GROUP, n);
}

const char *jm_activation_text(jm_activation activation)
{
    static const char *const text[JM_ACT_COUNT] = {
        [JM_ACT_NONE] = "",
        [JM_ACT_RELU] = "Relu",
        [JM_ACT_LEAKY_RELU] = "LeakyRelu",
        [JM_ACT_CLIP] = "Clip",
        [JM_ACT_SIGMOID] = "Sigmoid",
        [JM_ACT_SILU] = "Silu",
        [JM_ACT_HARD_SIGMOID] = "HardSigmoid",
        [JM_ACT_HARD_SWISH] = "HardSwish",
        [JM_ACT_TANH] = "Tanh",
        [JM_ACT_GELU] = "Gelu",
        [JM_ACT_MISH] = "Mish",
    };
    return text[activation];
}

bool jm_epilogue_take_clamp(jm_epilogue *epilogue, float *low, float *high)
{
    const bool relu = epilogue->activation == JM_ACT_RELU;
    if (epilogue->residual == JM_RESIDUAL_THEN_ACTIVATION || (!relu && epilogue->activation != JM_ACT_CLIP))
        return false;
    *low = relu ? 0 : epilogue->alpha;
    *high = relu ? INFINITY : epilogue->beta;
    epilogue->activation = JM_ACT_NONE;
    return true;
}

bool jm_epilogue_take_leak(jm_epilogue *epilogue, float *slope)
{
    if (epilogue->residual == JM_RESIDUAL_THEN_ACTIVATION || epilogue->activation != JM_ACT_LEAKY_RELU) return false;
    *slope = epilogue->alpha;
    epilogue->activation = JM_ACT_NONE;
    return true;
}

double jm_epilogue_cost(const jm_epilogue *epilogue)
{
    double cost = epilogue->residual == JM_RESIDUAL_NONE ? 0 : 0.1;
    switch (epilogue->activation) {
    case JM_ACT_NONE:
        return cost;
    case JM_ACT_RELU:
    case JM_ACT_LEAKY_RELU:
    case JM_ACT_CLIP:
    case JM_ACT_HARD_SIGMOID:
    case JM_ACT_HARD_SWISH:
        return cost + 0.04;
    default:
        return cost + 0.2;
    }
}
