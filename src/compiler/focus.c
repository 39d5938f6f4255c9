/* SPDX-License-Identifier: Apache-2.0
 *
 * Space to depth before a convolution: the picture cut into its even and odd rows and columns, the pieces stacked as
 * channels (the focus of YOLOX and early YOLOv5, or SpaceToDepth). Channel (dy, dx, c) at (y, x) is channel c of the
 * picture at (s * y + dy, s * x + dx), so a k x k convolution over it is an (s k) x (s k) convolution of the picture
 * with stride s and s times the padding: the same products, the weights in another order, and nothing is copied.
 *
 * Only for pictures of few channels: their convolution reads single elements anyway (the stem).
 */
#include "compiler/passes.h"

#include <string.h>

#include "ops/slice.h"

enum { MAX_STEP = 4 };

/* How the channels of a value come from a picture. */
typedef struct focus {
    jm_value *picture;
    int64_t step;                          /* along rows and along columns */
    int64_t piece[MAX_STEP * MAX_STEP][2]; /* first row and column of each piece */
} focus;

static bool is(const jm_node *node, const char *op)
{
    return node && strcmp(node->op->name, op) == 0;
}

/* The first row and column of a piece, `f->step` apart; the picture when it is the first. */
static bool match_piece(const jm_value *value, focus *f, int64_t begin[2])
{
    int64_t first[2] = {0, 0}, every[2] = {1, 1};
    const jm_shape *piece = &value->tensor.shape;
    for (; is(value->producer, "Slice"); value = value->producer->in[0]) {
        jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
        jm_call call;
        jm_shape shape;
        int64_t start[JM_MAX_RANK], step[JM_MAX_RANK];
        jm_node_call(value->producer, &call, in, out);
        if (jm_slice_window(&call, start, step, &shape) != JM_OK || shape.rank != 4) return false;
        for (int k = 0; k < 2; k++) {
            if (start[k] != 0 || step[k] != 1 || shape.dim[k] != in[0].shape.dim[k]) return false;
            first[k] = start[k + 2] + first[k] * step[k + 2];
            every[k] *= step[k + 2];
            if (every[k] < 1 || every[k] > MAX_STEP) return false;
        }
    }
    if (!f->picture) {
        f->picture = (jm_value *)value;
        f->step = every[0];
    }
    const jm_shape *whole = &value->tensor.shape;
    for (int k = 0; k < 2; k++) {
        begin[k] = first[k];
        if (every[k] != f->step || first[k] >= f->step || whole->dim[k + 2] != piece->dim[k + 2] * f->step)
            return false;
    }
    return value == f->picture && f->step > 1 && piece->dim[1] == whole->dim[1];
}

static bool match_concat(const jm_node *node, focus *f)
{
    bool seen[MAX_STEP * MAX_STEP] = {false};
    int axis;
    if (jm_axis_normalise(jm_node_attr(node, "axis")->i, node->out[0]->tensor.shape.rank, &axis) != JM_OK || axis != 1)
        return false;
    for (int i = 0; i < node->inputs; i++) {
        if (i == MAX_STEP * MAX_STEP || !match_piece(node->in[i], f, f->piece[i])) return false;
        bool *this = &seen[f->piece[i][0] * f->step + f->piece[i][1]];
        if (*this) return false;
        *this = true;
    }
    return node->inputs == f->step * f->step;
}

static bool match_space_to_depth(const jm_node *node, focus *f)
{
    f->picture = node->in[0];
    f->step = jm_node_attr(node, "blocksize")->i;
    if (f->step < 2 || f->step > MAX_STEP || strcmp(jm_node_attr(node, "mode")->s, "DCR") != 0) return false;
    for (int64_t i = 0; i < f->step * f->step; i++) {
        f->piece[i][0] = i / f->step;
        f->piece[i][1] = i % f->step;
    }
    return true;
}

static bool match_focus(const jm_value *x, focus *f)
{
    if (x->tensor.shape.rank != 4 || !x->producer) return false;
    if (is(x->producer, "Concat") ? !match_concat(x->producer, f)
                                  : !is(x->producer, "SpaceToDepth") || !match_space_to_depth(x->producer, f))
        return false;
    return f->picture->tensor.shape.dim[1] < JM_LANES;
}

/* An attribute that is absent means `standard` everywhere. */
static bool all_equal(const jm_node *node, const char *name, int64_t standard)
{
    const jm_attr *attr = jm_node_attr(node, name);
    for (int i = 0; i < attr->count; i++)
        if (attr->ints[i] != standard) return false;
    return true;
}

static bool suits(const jm_node *node)
{
    if (!is(node, "Conv") || node->in[0]->tensor.shape.rank != 4) return false;
    const jm_tensor *w = &node->in[1]->tensor;
    return w->constant && w->layout == JM_PLAIN && w->dtype == JM_F32 && jm_tensor_contiguous(w) &&
           jm_node_attr(node, "group")->i == 1 && all_equal(node, "strides", 1) && all_equal(node, "dilations", 1) &&
           strcmp(jm_node_attr(node, "auto_pad")->s, "NOTSET") == 0;
}

/* [M, s s C, k, k] -> [M, C, s k, s k]. */
static jm_value *spread_weights(jm_graph *graph, const jm_value *old, const focus *f)
{
    const int64_t *from = old->tensor.shape.dim, channels = f->picture->tensor.shape.dim[1], step = f->step;
    const jm_shape shape = {.rank = 4, .dim = {from[0], channels, from[2] * step, from[3] * step}};
    jm_value *made = jm_graph_constant(graph, old->name, JM_F32, &shape, NULL, true);
    if (!made) return NULL;
    const float *w = old->tensor.data;
    float *out = made->tensor.data;
    for (int64_t m = 0; m < from[0]; m++) {
        for (int64_t c = 0; c < from[1]; c++) {
            const int64_t *first = f->piece[c / channels];
            float *filter = out + (m * channels + c % channels) * shape.dim[2] * shape.dim[3];
            for (int64_t y = 0; y < from[2]; y++)
                for (int64_t x = 0; x < from[3]; x++)
                    filter[(y * step + first[0]) * shape.dim[3] + x * step + first[1]] = *w++;
        }
    }
    return made;
}

static jm_status move_focus(jm_graph *graph, jm_node *node)
{
    focus f = {0};
    if (!suits(node) || !match_focus(node->in[0], &f)) return JM_OK;
    const jm_attr *attr = jm_node_attr(node, "pads");
    int64_t pads[4] = {0};
    for (int i = 0; i < 4 && attr->count == 4; i++) {
        if (attr->ints[i] > INT32_MAX) return JM_OK;
        pads[i] = attr->ints[i] * f.step;
    }
    jm_value *weights = spread_weights(graph, node->in[1], &f);
    if (!weights) return JM_OUT_OF_MEMORY;
    jm_node_set_input(node, 0, f.picture);
    jm_node_set_input(node, 1, weights);
    JM_TRY(jm_node_set_ints(graph, node, "pads", pads, 4));
    JM_TRY(jm_node_set_ints(graph, node, "strides", (int64_t[]){f.step, f.step}, 2));
    JM_TRY(jm_node_set_ints(graph, node, "kernel_shape", weights->tensor.shape.dim + 2, 2));
    return jm_node_infer(node);
}

jm_status jm_pass_focus(jm_graph *graph)
{
    for (size_t i = 0; i < graph->nodes; i++) JM_TRY(move_focus(graph, graph->node[i]));
    return jm_graph_sweep(graph);
}
