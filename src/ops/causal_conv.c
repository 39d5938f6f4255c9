/* SPDX-License-Identifier: Apache-2.0
 *
 * CausalConvWithState, made of Concat, Conv and Slice: a depthwise 1-D convolution that sees the past only.
 */
#include <string.h>

#include "ops/compose.h"

enum { INPUT, WEIGHT, BIAS, PAST };

static bool has_silu(const jm_call *call)
{
    return strcmp(call->attr[0].s, "silu") == 0 || strcmp(call->attr[0].s, "swish") == 0;
}

static jm_status infer(jm_call *call)
{
    const jm_shape *x = &call->in[INPUT].shape, *w = &call->in[WEIGHT].shape;
    const jm_tensor *past = jm_call_in(call, PAST);
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    if (!has_silu(call) && strcmp(call->attr[0].s, "none") != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "activation is '%s' and must be none, silu or swish",
                             call->attr[0].s);
    if (x->rank != 3 || w->rank != 3 || w->dim[0] != x->dim[1] || w->dim[1] != 1 || w->dim[2] < 1)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "an input %s and a weight %s are not [B,C,L] and [C,1,K]",
                             jm_shape_text(x, a), jm_shape_text(w, b));
    jm_shape state = *x;
    state.dim[2] = w->dim[2] - 1;
    if (past && !jm_shape_equal(&past->shape, &state))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "past_state is %s and must be %s",
                             jm_shape_text(&past->shape, a), jm_shape_text(&state, b));
    call->out[0].shape = *x;
    if (call->outputs > 1) call->out[1].shape = state;
    return JM_OK;
}

static jm_status lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const int64_t state = call->in[WEIGHT].shape.dim[2] - 1, pads[6] = {0, 0, state, 0, 0, 0};
    const jm_named_attr group = {"group", {.i = call->in[INPUT].shape.dim[1]}};
    jm_operand *x = jm_compose_input(&c, INPUT), *past = jm_compose_input(&c, PAST);
    if (state > 0 && past)
        x = jm_compose_concat(&c, (jm_operand *[]){past, x}, 2, 2);
    else if (state > 0)
        x = jm_compose_2(&c, "Pad", x, jm_compose_ints(&c, pads, 6));
    jm_operand *in[] = {x, jm_compose_input(&c, WEIGHT), jm_compose_input(&c, BIAS)};
    jm_operand *y = jm_compose_node(&c, "Conv", in, in[2] ? 3 : 2, &group, 1);
    const int64_t length = jm_compose_shape(&c, x)->dim[2];
    jm_compose_result(&c, 0, has_silu(call) ? jm_compose_1(&c, "Silu", y) : y);
    jm_compose_result(&c, 1, jm_compose_slice(&c, x, 2, length - state, length, 1));
    return jm_compose_end(&c);
}

static const jm_param param[] = {
    {.name = "input", .kind = JM_PARAM_INPUT, .doc = "[B, C, L]"},
    {.name = "weight", .kind = JM_PARAM_INPUT, .doc = "[C, 1, K]"},
    {.name = "bias", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[C]"},
    {.name = "past_state", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "[B, C, K - 1], what came before; 0"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "[B, C, L]"},
    {.name = "present_state", .kind = JM_PARAM_OUTPUT, .flags = JM_OPTIONAL, .doc = "[B, C, K - 1], the last inputs"},
    {.name = "activation", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "none", .doc = "none, silu or swish"},
};

const jm_op jm_op_causal_conv_with_state = {
    .name = "CausalConvWithState",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32 | 1u << JM_F64,
    .formula = "output[t] = act(bias + sum over k of weight[k] * (past_state, input)[t + k])",
    .source = "ONNX CausalConvWithState-27",
    .infer = infer,
    .lower = lower,
};
