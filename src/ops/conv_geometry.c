/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/conv_geometry.h"

#include "ops/window.h"

#include <string.h>

/* What both kinds share: ranks, the sizes of X, kernel, stride and dilation. */
static jm_status resolve_common(const jm_call *call, const jm_conv_attrs *attrs, jm_conv_geometry *g)
{
    const jm_shape *x = &call->in[0].shape, *w = &call->in[1].shape;
    if (x->rank < 3 || x->rank > 5)
        return jm_call_error(call, JM_UNSUPPORTED, "the input has rank %d; ranks 3 to 5 are supported", x->rank);
    if (w->rank != x->rank)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the weights have rank %d and must have rank %d like the input",
                             w->rank, x->rank);
    *g = (jm_conv_geometry){.spatial = x->rank - 2, .batch = x->dim[0], .channels = x->dim[1]};
    int first = 3 - g->spatial;
    for (int k = 0; k < 3; k++) g->in[k] = g->out[k] = 1;
    memcpy(g->in + first, x->dim + 2, (size_t)g->spatial * sizeof(int64_t));
    JM_TRY(jm_window_ints(call, "kernel_shape", attrs->kernel_shape, g->spatial, 1, 1, g->kernel));
    JM_TRY(jm_window_ints(call, "strides", attrs->strides, g->spatial, 1, 1, g->stride));
    JM_TRY(jm_window_ints(call, "dilations", attrs->dilations, g->spatial, 1, 1, g->dilation));
    for (int k = 0; k < g->spatial; k++) {
        int64_t dim = w->dim[2 + k];
        if (attrs->kernel_shape->present && attrs->kernel_shape->count && dim != g->kernel[first + k] && dim != -1)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "kernel_shape[%d] is %lld and the weights have %lld", k,
                                 (long long)g->kernel[first + k], (long long)dim);
        if (dim == -1 || dim == 0 || dim > JM_WINDOW_LIMIT)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "dimension %d of the weights is %lld", 2 + k,
                                 (long long)dim);
        g->kernel[first + k] = dim;
    }
    g->group = attrs->group->i;
    if (g->group < 1 || g->group > JM_WINDOW_LIMIT)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "group is %lld and must be 1 or more", (long long)g->group);
    if (g->channels == -1 || w->dim[0] == -1 || w->dim[1] == -1)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the channels of input and weights must be known");
    if (g->channels == 0 || w->dim[0] == 0 || w->dim[1] == 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the input and the weights must have channels");
    return jm_window_pads(call, attrs->pads, g->spatial, g->before, g->after);
}

/* Input points that a kernel spans. */
static int64_t extent(const jm_conv_geometry *g, int k)
{
    return (g->kernel[k] - 1) * g->dilation[k] + 1;
}

jm_status jm_conv_resolve(const jm_call *call, const jm_conv_attrs *attrs, jm_conv_geometry *g)
{
    JM_TRY(resolve_common(call, attrs, g));
    const jm_shape *w = &call->in[1].shape;
    g->filters = w->dim[0];
    if (g->channels % g->group || g->channels / g->group != w->dim[1])
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "the input has %lld channels in %lld groups; the weights take %lld channels per group",
                             (long long)g->channels, (long long)g->group, (long long)w->dim[1]);
    if (g->filters % g->group)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%lld filters cannot be divided into %lld groups",
                             (long long)g->filters, (long long)g->group);
    jm_auto_pad mode;
    JM_TRY(jm_window_auto_pad(call, attrs->auto_pad, &mode));
    for (int k = 3 - g->spatial; k < 3; k++) {
        if (mode != JM_PAD_EXPLICIT) g->before[k] = g->after[k] = 0;
        g->out[k] = -1;
        if (g->in[k] == -1) continue;
        if (mode == JM_PAD_SAME_UPPER || mode == JM_PAD_SAME_LOWER) {
            g->out[k] = (g->in[k] + g->stride[k] - 1) / g->stride[k];
            int64_t total = (g->out[k] - 1) * g->stride[k] + extent(g, k) - g->in[k];
            jm_window_split(JM_MAX(total, 0), mode == JM_PAD_SAME_LOWER, &g->before[k], &g->after[k]);
            continue;
        }
        int64_t room = g->before[k] + g->in[k] + g->after[k] - extent(g, k);
        if (room < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT,
                                 "the kernel spans %lld points of dimension %d, which has %lld with padding",
                                 (long long)extent(g, k), k - 1 + g->spatial, (long long)(room + extent(g, k)));
        g->out[k] = room / g->stride[k] + 1;
    }
    return JM_OK;
}

jm_status jm_conv_transpose_resolve(const jm_call *call, const jm_conv_attrs *attrs, jm_conv_geometry *g)
{
    JM_TRY(resolve_common(call, attrs, g));
    const jm_shape *w = &call->in[1].shape;
    if (g->channels != w->dim[0] || g->channels % g->group)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "the input has %lld channels in %lld groups; the weights take %lld channels",
                             (long long)g->channels, (long long)g->group, (long long)w->dim[0]);
    if (w->dim[1] > JM_WINDOW_LIMIT)
        return jm_call_error(call, JM_OUT_OF_RANGE, "%lld filters per group", (long long)w->dim[1]);
    g->filters = w->dim[1] * g->group;
    jm_auto_pad mode;
    JM_TRY(jm_window_auto_pad(call, attrs->auto_pad, &mode));
    JM_TRY(jm_window_ints(call, "output_padding", attrs->output_padding, g->spatial, 0, 0, g->extra));
    int64_t given[3];
    JM_TRY(jm_window_ints(call, "output_shape", attrs->output_shape, g->spatial, 1, 0, given));
    for (int k = 3 - g->spatial; k < 3; k++) {
        if (g->extra[k] >= JM_MAX(g->stride[k], g->dilation[k]))
            return jm_call_error(call, JM_INVALID_ARGUMENT,
                                 "output_padding %lld must be smaller than the stride or the dilation",
                                 (long long)g->extra[k]);
        if (mode != JM_PAD_EXPLICIT) g->before[k] = g->after[k] = 0;
        g->out[k] = -1;
        if (g->in[k] == -1) continue;
        int64_t full;
        if (__builtin_mul_overflow(g->stride[k], g->in[k] - 1, &full) || full > (int64_t)1 << 40)
            return jm_call_error(call, JM_OUT_OF_RANGE, "the output is too large");
        full += g->extra[k] + extent(g, k);
        bool same = mode == JM_PAD_SAME_UPPER || mode == JM_PAD_SAME_LOWER;
        if (given[k] || same) {
            g->out[k] = given[k] ? given[k] : g->in[k] * g->stride[k];
            jm_window_split(JM_MAX(full - g->out[k], 0), mode != JM_PAD_SAME_UPPER, &g->before[k], &g->after[k]);
        } else {
            g->out[k] = full - g->before[k] - g->after[k];
        }
        if (g->out[k] < 1 && g->in[k] > 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "pads cut off the whole output: %lld points",
                                 (long long)full);
    }
    return JM_OK;
}

jm_status jm_conv_infer_output(jm_call *call, const jm_conv_geometry *g, const jm_epilogue *epilogue)
{
    jm_tensor *out = &call->out[0];
    out->shape = (jm_shape){.rank = 2 + g->spatial, .dim = {g->batch, g->filters}};
    memcpy(out->shape.dim + 2, g->out + 3 - g->spatial, (size_t)g->spatial * sizeof(int64_t));
    const jm_tensor *bias = jm_call_in(call, 2), *residual = jm_call_in(call, 3);
    if (bias && (bias->shape.rank != 1 || bias->shape.dim[0] != g->filters))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the bias must have one value for each of %lld filters",
                             (long long)g->filters);
    if ((epilogue->residual != JM_RESIDUAL_NONE) != (residual != NULL))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "input 'residual' and the epilogue do not agree");
    if (residual && jm_shape_known(&out->shape) && !jm_shape_equal(&residual->shape, &out->shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the residual must have the shape of the output");
    return JM_OK;
}

double jm_conv_flops(const jm_conv_geometry *g, bool transposed)
{
    double points = 1, taps = 1;
    for (int k = 0; k < 3; k++) {
        points *= (double)(transposed ? g->in[k] : g->out[k]);
        taps *= (double)g->kernel[k];
    }
    return 2.0 * (double)g->batch * points * taps * (double)g->filters * (double)(g->channels / g->group);
}

void jm_conv_spatial_strides(const jm_tensor *tensor, ptrdiff_t stride[3])
{
    int spatial = tensor->shape.rank - 2;
    for (int k = 0; k < 3; k++) stride[k] = k < 3 - spatial ? 0 : (ptrdiff_t)tensor->stride[2 + k - (3 - spatial)];
}
