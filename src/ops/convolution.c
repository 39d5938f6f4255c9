/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolutions as frameworks call them, transposed or not by an attribute, and their gradients: made of Conv,
 * ConvTranspose, ConvWeightGrad and sums. The gradient of the input of either kind is the other kind.
 */
#include "ops/compose.h"
#include "ops/conv_geometry.h"
#include "ops/window.h"

#define MOST_SPATIAL 3

/* The attributes that both operators begin with. */
enum {
    ATTR_STRIDE,
    ATTR_PADDING,
    ATTR_DILATION,
    ATTR_TRANSPOSED,
    ATTR_OUTPUT_PADDING,
    ATTR_GROUPS,
    ATTR_OUTPUT_MASK,
    ATTR_BIAS_SIZES
};

/* Checked; for `spatial` dimensions. */
typedef struct settings {
    int spatial;
    int64_t stride[MOST_SPATIAL], dilation[MOST_SPATIAL], output_padding[MOST_SPATIAL];
    int64_t pads[2 * MOST_SPATIAL]; /* begin of each dimension, then end */
    int64_t groups;
    bool transposed;
} settings;

static jm_status read_ints(const jm_call *call, const char *name, const jm_attr *attr, int spatial, int64_t low,
                           int64_t *out)
{
    if (attr->count != spatial)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s has %d numbers and must have %d, one for each dimension",
                             name, attr->count, spatial);
    for (int k = 0; k < spatial; k++) {
        out[k] = attr->ints[k];
        if (out[k] < low || out[k] > JM_WINDOW_LIMIT)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s[%d] is %lld and must be %lld or more, at most 2^31",
                                 name, k, (long long)out[k], (long long)low);
    }
    return JM_OK;
}

/* One number for both sides of each dimension, or (1-D and 2-D, not transposed) one for each side. */
static jm_status read_padding(const jm_call *call, settings *s)
{
    const jm_attr *attr = &call->attr[ATTR_PADDING];
    const int spatial = s->spatial;
    int64_t value[2 * MOST_SPATIAL];
    const bool sides = attr->count == 2 * spatial && spatial < 3 && !s->transposed;
    JM_TRY(read_ints(call, "padding", attr, sides ? 2 * spatial : spatial, 0, value));
    for (int k = 0; k < spatial; k++) {
        s->pads[k] = value[sides ? 2 * k : k];
        s->pads[spatial + k] = value[sides ? 2 * k + 1 : k];
    }
    return JM_OK;
}

/* `rank` is that of the input. */
static jm_status read_settings(const jm_call *call, int rank, settings *s)
{
    const jm_attr *attr = call->attr;
    if (rank < 3 || rank > 2 + MOST_SPATIAL)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the input has rank %d and must have 3 to 5", rank);
    *s = (settings){.spatial = rank - 2, .groups = attr[ATTR_GROUPS].i, .transposed = attr[ATTR_TRANSPOSED].i != 0};
    JM_TRY(read_ints(call, "stride", &attr[ATTR_STRIDE], s->spatial, 1, s->stride));
    JM_TRY(read_ints(call, "dilation", &attr[ATTR_DILATION], s->spatial, 1, s->dilation));
    if (s->transposed)
        JM_TRY(read_ints(call, "output_padding", &attr[ATTR_OUTPUT_PADDING], s->spatial, 0, s->output_padding));
    return read_padding(call, s);
}

/* The spatial size of the output for that of the input and the kernel; errors are those of Conv and ConvTranspose. */
static jm_status resolve(const jm_call *call, const jm_tensor in[2], const settings *s, jm_conv_geometry *g)
{
    const jm_attr none = {.s = "NOTSET"}, group = {.count = 1, .i = s->groups};
    const jm_attr stride = {true, s->spatial, {.ints = s->stride}}, pads = {true, 2 * s->spatial, {.ints = s->pads}};
    const jm_attr dilation = {true, s->spatial, {.ints = s->dilation}};
    const jm_attr output_padding = {true, s->spatial, {.ints = s->output_padding}};
    const jm_conv_attrs attrs = {.auto_pad = &none,
                                 .dilations = &dilation,
                                 .group = &group,
                                 .kernel_shape = &none,
                                 .pads = &pads,
                                 .strides = &stride,
                                 .output_padding = &output_padding,
                                 .output_shape = &none};
    jm_call convolution = *call;
    convolution.in = in;
    convolution.inputs = 2;
    return s->transposed ? jm_conv_transpose_resolve(&convolution, &attrs, g)
                         : jm_conv_resolve(&convolution, &attrs, g);
}

static jm_attr ints(const int64_t *values, int count)
{
    return (jm_attr){.count = count, .ints = values};
}

/* ---- Forward ---- */

enum { IN_INPUT, IN_WEIGHT, IN_BIAS };

static const jm_epilogue no_epilogue;

static jm_status infer_convolution(jm_call *call)
{
    settings s;
    jm_conv_geometry g;
    JM_TRY(read_settings(call, call->in[IN_INPUT].shape.rank, &s));
    JM_TRY(resolve(call, call->in, &s, &g));
    return jm_conv_infer_output(call, &g, &no_epilogue);
}

/* Output `output` of the call: the convolution of x. */
static void convolve(jm_compose *c, int output, const settings *s, jm_operand *x, jm_operand *w, jm_operand *bias)
{
    const jm_named_attr attr[] = {
        {"strides", ints(s->stride, s->spatial)},
        {"dilations", ints(s->dilation, s->spatial)},
        {"pads", ints(s->pads, 2 * s->spatial)},
        {"group", {.count = 1, .i = s->groups}},
        {"output_padding", ints(s->output_padding, s->spatial)},
    };
    jm_compose_output_node(c, output, s->transposed ? "ConvTranspose" : "Conv", (jm_operand *[]){x, w, bias}, 3, attr,
                           s->transposed ? 5 : 4);
}

static jm_status lower_convolution(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    settings s;
    JM_TRY(read_settings(call, call->in[IN_INPUT].shape.rank, &s));
    convolve(&c, 0, &s, jm_compose_input(&c, IN_INPUT), jm_compose_input(&c, IN_WEIGHT), jm_compose_input(&c, IN_BIAS));
    return jm_compose_end(&c);
}

#define ATTRIBUTES                                                                                                     \
    {"stride", JM_PARAM_INTS, 0, .doc = "distance of output points in each dimension"},                                \
        {"padding", JM_PARAM_INTS, 0, .doc = "in each dimension, or (1-D, 2-D) at the begin and end of each"},         \
        {"dilation", JM_PARAM_INTS, 0, .doc = "distance of kernel points in each dimension"},                          \
        {"transposed", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: transposed"},                                             \
        {"output_padding", JM_PARAM_INTS, JM_OPTIONAL,                                                                 \
         .doc = "transposed: points added at the end of each dimension"},                                              \
    {                                                                                                                  \
        "groups", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "groups of channels that do not mix"                       \
    }

static const jm_param convolution_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "[N, C, spatial...], 1 to 3 spatial dimensions"},
    {"weight", JM_PARAM_INPUT, 0, .doc = "[M, C / groups, kernel...], transposed [C, M / groups, kernel...]"},
    {"bias", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[M]"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "[N, M, spatial...]"},
    ATTRIBUTES,
};

const jm_op jm_op_convolution = {
    .name = "Convolution",
    .param = convolution_param,
    .params = JM_COUNT(convolution_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32 | 1u << JM_F64 | 1u << JM_I32,
    .formula = "Conv, or with transposed ConvTranspose",
    .source = "PyTorch aten::convolution",
    .infer = infer_convolution,
    .lower = lower_convolution,
};

/* ---- Backward ---- */

enum { IN_GRAD_OUTPUT, IN_OF_FORWARD, IN_WEIGHT_OF_FORWARD };
enum { OUT_GRAD_INPUT, OUT_GRAD_WEIGHT, OUT_GRAD_BIAS };

static bool wanted(const jm_call *call, int output)
{
    const jm_attr *mask = &call->attr[ATTR_OUTPUT_MASK];
    return output < mask->count && mask->ints[output] != 0;
}

static jm_status check_backward(const jm_call *call)
{
    const jm_attr *mask = &call->attr[ATTR_OUTPUT_MASK], *sizes = &call->attr[ATTR_BIAS_SIZES];
    if (mask->count != 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "output_mask has %d entries and must have 3", mask->count);
    const int64_t filters = call->in[IN_GRAD_OUTPUT].shape.rank > 1 ? call->in[IN_GRAD_OUTPUT].shape.dim[1] : -1;
    if (wanted(call, OUT_GRAD_BIAS) && sizes->present && (sizes->count != 1 || sizes->ints[0] != filters))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "bias_sizes must be one number, the %lld filters",
                             (long long)filters);
    return JM_OK;
}

/* The forward call: its settings and geometry, which grad_output must fit. */
static jm_status resolve_forward(const jm_call *call, settings *s, jm_conv_geometry *g)
{
    const jm_tensor in[2] = {call->in[IN_OF_FORWARD], call->in[IN_WEIGHT_OF_FORWARD]};
    const jm_shape *dy = &call->in[IN_GRAD_OUTPUT].shape;
    JM_TRY(read_settings(call, in[0].shape.rank, s));
    JM_TRY(resolve(call, in, s, g));
    jm_shape want = {.rank = in[0].shape.rank, .dim = {g->batch, g->filters}};
    char have_text[JM_SHAPE_TEXT], want_text[JM_SHAPE_TEXT];
    for (int k = 0; k < s->spatial; k++) want.dim[2 + k] = g->out[3 - s->spatial + k];
    if (!jm_shape_equal(dy, &want) && jm_shape_known(dy) && jm_shape_known(&want))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "grad_output has shape %s; the output of the convolution has %s",
                             jm_shape_text(dy, have_text), jm_shape_text(&want, want_text));
    return JM_OK;
}

static jm_status infer_backward(jm_call *call)
{
    settings s;
    jm_conv_geometry g;
    JM_TRY(resolve_forward(call, &s, &g));
    const jm_shape shape[] = {call->in[IN_OF_FORWARD].shape,
                              call->in[IN_WEIGHT_OF_FORWARD].shape,
                              {.rank = 1, .dim = {g.filters}}},
                   off = {.rank = 1};
    for (int i = 0; i < call->outputs; i++) call->out[i].shape = wanted(call, i) ? shape[i] : off;
    return JM_OK;
}

/* The gradient with respect to the input of an ordinary convolution. */
static void input_grad(jm_compose *c, const settings *s, const jm_conv_geometry *g, jm_operand *dy, jm_operand *w)
{
    settings other = *s;
    other.transposed = true;
    for (int k = 0; k < s->spatial; k++) {
        /* Points of the input behind the last kernel. */
        const int axis = 3 - s->spatial + k;
        const int64_t extent = (g->kernel[axis] - 1) * s->dilation[k] + 1;
        other.output_padding[k] =
            g->in[axis] + s->pads[k] + s->pads[s->spatial + k] - extent - (g->out[axis] - 1) * s->stride[k];
    }
    convolve(c, OUT_GRAD_INPUT, &other, dy, w, NULL);
}

#define MOST_PARTS 8

/* Parts that the sums of the weights' gradient are cut into, so that cores share them where there are few filters. It
 * decides bits, so it is chosen by shapes alone. */
static int64_t weight_grad_parts(const settings *s, const jm_tensor *x, const jm_tensor *dy)
{
    enum { WANTED = MOST_PARTS };
    if (x->dtype != JM_F32) return 1;
    const int64_t blocks = s->groups * ((dy->shape.dim[1] / s->groups + JM_LANES - 1) / JM_LANES);
    int64_t rows = dy->shape.dim[0];
    for (int k = 0; k < s->spatial - 1; k++) rows *= dy->shape.dim[2 + k];
    return JM_MAX(JM_MIN(WANTED / blocks, rows), 1);
}

/* The gradient with respect to the weights of a convolution of x whose output has the gradient dy. */
static void weight_grad(jm_compose *c, const settings *s, const jm_conv_geometry *g, jm_operand *x, jm_operand *dy)
{
    const int64_t parts = weight_grad_parts(s, jm_compose_tensor(c, x), jm_compose_tensor(c, dy));
    const jm_named_attr attr[] = {
        {"kernel_shape", ints(g->kernel + 3 - s->spatial, s->spatial)},
        {"strides", ints(s->stride, s->spatial)},
        {"dilations", ints(s->dilation, s->spatial)},
        {"pads", ints(s->pads, 2 * s->spatial)},
        {"group", {.count = 1, .i = s->groups}},
    };
    jm_operand *in[] = {x, dy}, *sum[MOST_PARTS] = {NULL};
    if (parts == 1) sum[0] = jm_builder_output(c->builder, OUT_GRAD_WEIGHT);
    if (c->status == JM_OK)
        c->status = jm_builder_node(c->builder, "ConvWeightGrad", in, 2, attr, JM_COUNT(attr), sum, (int)parts);
    for (int64_t i = 1; i < parts - 1; i++) sum[i] = jm_compose_2(c, "Add", sum[i - 1], sum[i]);
    if (parts > 1) jm_compose_output_node(c, OUT_GRAD_WEIGHT, "Add", sum + parts - 2, 2, NULL, 0);
}

/* As the input of the ordinary convolution that undoes a transposed one, dy must end where the kernel can reach. */
static jm_operand *reachable(jm_compose *c, settings *s, jm_operand *dy)
{
    for (int k = 0; k < s->spatial; k++) {
        int64_t *end = &s->pads[s->spatial + k];
        *end -= s->output_padding[k] / s->stride[k] * s->stride[k];
        if (*end >= 0) continue;
        dy = jm_compose_slice(c, dy, 2 + k, 0, jm_compose_shape(c, dy)->dim[2 + k] + *end, 1);
        *end = 0;
    }
    return dy;
}

static jm_status lower_backward(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    settings s;
    jm_conv_geometry g;
    JM_TRY(resolve_forward(call, &s, &g));
    jm_operand *dy = jm_compose_input(&c, IN_GRAD_OUTPUT), *x = jm_compose_input(&c, IN_OF_FORWARD),
               *w = jm_compose_input(&c, IN_WEIGHT_OF_FORWARD);
    if (wanted(call, OUT_GRAD_BIAS)) {
        const int64_t axes[] = {0, 2, 3, 4};
        jm_compose_result(&c, OUT_GRAD_BIAS, jm_compose_reduce(&c, "ReduceSum", dy, axes, 1 + s.spatial, false));
    }
    if (!s.transposed) {
        if (wanted(call, OUT_GRAD_INPUT)) input_grad(&c, &s, &g, dy, w);
        if (wanted(call, OUT_GRAD_WEIGHT)) weight_grad(&c, &s, &g, x, dy);
        return jm_compose_end(&c);
    }
    s.transposed = false;
    dy = reachable(&c, &s, dy);
    if (wanted(call, OUT_GRAD_INPUT)) convolve(&c, OUT_GRAD_INPUT, &s, dy, w, NULL);
    if (wanted(call, OUT_GRAD_WEIGHT)) weight_grad(&c, &s, &g, dy, x);
    return jm_compose_end(&c);
}

static const jm_param backward_param[] = {
    {"grad_output", JM_PARAM_INPUT, 0, .doc = "[N, M, spatial...]: gradient of the output"},
    {"input", JM_PARAM_INPUT, 0, .doc = "as in the forward call"},
    {"weight", JM_PARAM_INPUT, 0, .doc = "as in the forward call"},
    {"grad_input", JM_PARAM_OUTPUT, JM_SWITCHED, .doc = "like input"},
    {"grad_weight", JM_PARAM_OUTPUT, JM_SWITCHED, .doc = "like weight"},
    {"grad_bias", JM_PARAM_OUTPUT, JM_SWITCHED, .doc = "[M]"},
    ATTRIBUTES,
    {"output_mask", JM_PARAM_INTS, 0, .doc = "three numbers: which outputs are wanted; the others are [0]"},
    {"bias_sizes", JM_PARAM_INTS, JM_OPTIONAL, .doc = "[M]"},
};

const jm_op jm_op_convolution_backward = {
    .name = "ConvolutionBackward",
    .param = backward_param,
    .params = JM_COUNT(backward_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32 | 1u << JM_F64,
    .formula = "gradients of sum(grad_output * Convolution(input, weight, bias))",
    .source = "PyTorch aten::convolution_backward",
    .check = check_backward,
    .infer = infer_backward,
    .lower = lower_backward,
};
