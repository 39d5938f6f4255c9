/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/pool.h"

#include <string.h>

#include "ops/window.h"

enum { ATTR_AUTO_PAD, ATTR_CEIL, ATTR_DILATIONS, ATTR_KERNEL, ATTR_PADS, ATTR_STRIDES };

static int64_t extent(const jm_pool_geometry *g, int k)
{
    return (g->kernel[k] - 1) * g->dilation[k] + 1;
}

static jm_status resolve_dim(const jm_call *call, jm_pool_geometry *g, int k, jm_auto_pad mode, bool ceil_mode)
{
    g->out[k] = -1;
    if (mode != JM_PAD_EXPLICIT) g->before[k] = g->after[k] = 0;
    if (g->in[k] < 0) return JM_OK;
    if (mode == JM_PAD_SAME_UPPER || mode == JM_PAD_SAME_LOWER) {
        g->out[k] = (g->in[k] + g->stride[k] - 1) / g->stride[k];
        int64_t total = JM_MAX((g->out[k] - 1) * g->stride[k] + extent(g, k) - g->in[k], 0);
        jm_window_split(total, mode == JM_PAD_SAME_LOWER, &g->before[k], &g->after[k]);
        return JM_OK;
    }
    int64_t room = g->before[k] + g->in[k] + g->after[k] - extent(g, k);
    if (room < 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the window spans %lld points of dimension %d; it has %lld",
                             (long long)extent(g, k), 2 + k - (3 - g->spatial), (long long)(room + extent(g, k)));
    g->out[k] = (room + (ceil_mode ? g->stride[k] - 1 : 0)) / g->stride[k] + 1;
    /* A window that begins in the padding after the input does not count. */
    if (ceil_mode && (g->out[k] - 1) * g->stride[k] >= g->in[k] + g->before[k]) g->out[k]--;
    return JM_OK;
}

jm_status jm_pool_resolve(const jm_call *call, jm_pool_geometry *g)
{
    const jm_shape *shape = &call->in[0].shape;
    memset(g, 0, sizeof(*g));
    g->spatial = shape->rank - 2;
    if (g->spatial < 1 || g->spatial > 3)
        return jm_call_error(call, JM_UNSUPPORTED, "X has rank %d; 3 to 5 are supported", shape->rank);
    if (call->attr[ATTR_KERNEL].count == 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "kernel_shape is empty");
    JM_TRY(jm_window_ints(call, "kernel_shape", &call->attr[ATTR_KERNEL], g->spatial, 1, 1, g->kernel));
    JM_TRY(jm_window_ints(call, "strides", &call->attr[ATTR_STRIDES], g->spatial, 1, 1, g->stride));
    JM_TRY(jm_window_ints(call, "dilations", &call->attr[ATTR_DILATIONS], g->spatial, 1, 1, g->dilation));
    JM_TRY(jm_window_pads(call, &call->attr[ATTR_PADS], g->spatial, g->before, g->after));
    jm_auto_pad mode;
    JM_TRY(jm_window_auto_pad(call, &call->attr[ATTR_AUTO_PAD], &mode));
    for (int k = 0; k < 3; k++) {
        int own = k - (3 - g->spatial);
        g->in[k] = own < 0 ? 1 : shape->dim[2 + own];
        g->out[k] = 1;
        if (own >= 0) JM_TRY(resolve_dim(call, g, k, mode, call->attr[ATTR_CEIL].i != 0));
    }
    return JM_OK;
}

jm_status jm_pool_infer(jm_call *call)
{
    jm_pool_geometry g;
    JM_TRY(jm_pool_resolve(call, &g));
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    for (int k = 0; k < g.spatial; k++) call->out[0].shape.dim[2 + k] = g.out[3 - g.spatial + k];
    return JM_OK;
}
