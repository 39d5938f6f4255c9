/* SPDX-License-Identifier: Apache-2.0
 *
 * Folds what follows a convolution or matrix product into it: constant scales and shifts (BatchNormalization, Mul, Add,
 * ...) go into weights and bias, an activation and a residual addition into the epilogue, zero padding into `pads`. An
 * activation may stand behind Reshapes and Transposes.
 *
 * Always legal, because the follower is the only reader of the value that disappears. A residual operand cannot depend
 * on the node that absorbs the addition: the only path from that node leads through the addition itself.
 */
#include "compiler/passes.h"

#include <math.h>
#include <string.h>

#include "compiler/role.h"

/* A node that sums products with constant weights, and where its weights and bias are. */
typedef struct linear {
    jm_node *node;
    int bias;         /* input index */
    int64_t channels; /* output channels: dimension `axis` of the output */
    int axis;
    int epilogue;  /* attribute index, -1: none */
    int residual;  /* input index, -1: none */
    bool scalable; /* weights and bias may be rewritten */
} linear;

static bool is(const jm_node *node, const char *op)
{
    return node && strcmp(node->op->name, op) == 0;
}

static bool float_constant(const jm_value *value)
{
    return value && value->tensor.constant && value->tensor.layout == JM_PLAIN && value->tensor.dtype == JM_F32 &&
           jm_tensor_contiguous(&value->tensor);
}

/* -1 when a dimension is unknown. */
static int64_t element_count(const jm_shape *shape)
{
    int64_t count;
    return jm_shape_known(shape) && jm_shape_count(shape, &count) == JM_OK ? count : -1;
}

static jm_value *input(const jm_node *node, int i)
{
    return i < node->inputs ? node->in[i] : NULL;
}

/* The one node that reads the value, when nothing else does. */
static jm_node *sole_reader(const jm_value *value)
{
    return value->uses == 1 && !value->is_output && value->use ? value->use->node : NULL;
}

static int input_index(const jm_op *op, const char *name)
{
    for (int i = 0; i < jm_op_inputs(op); i++)
        if (strcmp(jm_op_input(op, i)->name, name) == 0) return i;
    return -1;
}

static bool is_linear(const jm_node *node, linear *l)
{
    const bool conv = is(node, "Conv"), transposed = is(node, "ConvTranspose"), gemm = is(node, "Gemm");
    if (!conv && !transposed && !gemm) return false;
    const jm_tensor *out = &node->out[0]->tensor;
    if (out->dtype != JM_F32 || out->shape.rank < 2) return false;
    *l = (linear){.node = (jm_node *)node, .bias = 2, .epilogue = -1, .residual = input_index(node->op, "residual")};
    l->axis = gemm ? out->shape.rank - 1 : 1;
    l->channels = out->shape.dim[l->axis];
    for (int i = 0; i < jm_op_attrs(node->op); i++)
        if (jm_op_attr(node->op, i)->kind == JM_PARAM_EPILOGUE) l->epilogue = i;
    const jm_value *weight = node->in[1], *bias = input(node, l->bias);
    l->scalable = float_constant(weight) && (!bias || float_constant(bias)) && l->channels > 0;
    if (gemm && bias) {
        const jm_shape *shape = &bias->tensor.shape;
        const int64_t count = element_count(shape);
        const bool row = count == l->channels && shape->rank > 0 && shape->dim[shape->rank - 1] == l->channels;
        l->scalable = l->scalable && (count == 1 || row) && jm_node_attr(node, "beta")->f == 1.0;
    }
    return true;
}

/* ---- Scales and shifts ---- */

/* The constant as one number per channel of `out`; false when it varies along another dimension. */
static bool per_channel(const jm_value *value, const jm_tensor *out, const linear *l, double *number)
{
    if (!float_constant(value)) return false;
    const jm_shape *shape = &value->tensor.shape;
    const int missing = out->shape.rank - shape->rank;
    if (missing < 0) return false;
    bool one = true;
    for (int k = 0; k < shape->rank; k++) {
        if (shape->dim[k] == 1) continue;
        if (k + missing != l->axis || shape->dim[k] != l->channels) return false;
        one = false;
    }
    const float *data = value->tensor.data;
    for (int64_t c = 0; c < l->channels; c++) number[c] = data[one ? 0 : c];
    return true;
}

static bool batch_norm(const jm_node *node, const linear *l, double *scale, double *shift)
{
    if (node->outputs > 1 && node->out[1]) return false;
    for (int i = 1; i <= 4; i++) {
        const jm_value *value = input(node, i);
        if (!float_constant(value) || value->tensor.shape.rank != 1 || value->tensor.shape.dim[0] != l->channels)
            return false;
    }
    if (l->axis != 1) return false;
    const float *gamma = node->in[1]->tensor.data, *beta = node->in[2]->tensor.data;
    const float *mean = node->in[3]->tensor.data, *variance = node->in[4]->tensor.data;
    const double epsilon = jm_node_attr(node, "epsilon")->f;
    for (int64_t c = 0; c < l->channels; c++) {
        scale[c] = gamma[c] / sqrt((double)variance[c] + epsilon);
        shift[c] = beta[c] - mean[c] * scale[c];
    }
    return true;
}

/* Reads `node`, applied to value `y` of the linear node, as y * scale + shift per channel. */
static bool as_affine(const jm_node *node, const jm_value *y, const linear *l, double *scale, double *shift)
{
    if (is(node, "BatchNormalization")) return node->in[0] == y && batch_norm(node, l, scale, shift);
    if (node->inputs != 2 || !jm_shape_equal(&node->out[0]->tensor.shape, &y->tensor.shape)) return false;
    const bool first = node->in[0] == y;
    const jm_value *other = node->in[first ? 1 : 0];
    const bool add = is(node, "Add"), sub = is(node, "Sub"), mul = is(node, "Mul"), div = is(node, "Div");
    if (!add && !sub && !mul && !div) return false;
    if (div && !first) return false;
    double *number = add || sub ? shift : scale;
    if (!per_channel(other, &y->tensor, l, number)) return false;
    for (int64_t c = 0; c < l->channels; c++) {
        if (add || sub) scale[c] = sub && !first ? -1.0 : 1.0;
        if (sub && first) shift[c] = -shift[c];
        if (mul || div) shift[c] = 0.0;
        if (div) scale[c] = 1.0 / scale[c];
    }
    return true;
}

/* Which output channel element `i` of the weights belongs to. */
static int64_t weight_channel(const linear *l, int64_t i)
{
    const jm_shape *shape = &l->node->in[1]->tensor.shape;
    int64_t inner = 1; /* elements per step of dimension 1 */
    for (int k = 2; k < shape->rank; k++) inner *= shape->dim[k];
    if (is(l->node, "Conv")) return i / (inner * shape->dim[1]);
    if (is(l->node, "Gemm")) {
        const bool transposed = jm_node_attr(l->node, "transB")->i != 0;
        return transposed ? i / shape->dim[1] : i % shape->dim[1];
    }
    /* ConvTranspose: [input channels][output channels of a group]. */
    const int64_t groups = jm_node_attr(l->node, "group")->i;
    const int64_t group = i / (inner * shape->dim[1]) / (shape->dim[0] / groups);
    return group * shape->dim[1] + i / inner % shape->dim[1];
}

static bool weights_agree(const linear *l)
{
    const jm_shape *shape = &l->node->in[1]->tensor.shape;
    if (is(l->node, "Conv")) return shape->rank >= 3 && shape->dim[0] == l->channels;
    if (is(l->node, "Gemm"))
        return shape->rank == 2 && shape->dim[jm_node_attr(l->node, "transB")->i ? 0 : 1] == l->channels;
    const int64_t groups = jm_node_attr(l->node, "group")->i;
    return shape->rank >= 3 && groups > 0 && shape->dim[0] % groups == 0 && shape->dim[0] > 0 &&
           shape->dim[1] * groups == l->channels;
}

/* New weights W * scale and bias b * scale + shift, computed in double and rounded once. */
static jm_status rescale(jm_graph *graph, const linear *l, const double *scale, const double *shift)
{
    const jm_value *weight = l->node->in[1], *bias = input(l->node, l->bias);
    const int64_t count = element_count(&weight->tensor.shape);
    jm_value *new_weight = jm_graph_constant(graph, weight->name, JM_F32, &weight->tensor.shape, NULL, true);
    const jm_shape shape = {.rank = 1, .dim = {l->channels}};
    jm_value *new_bias = jm_graph_constant(graph, bias ? bias->name : l->node->name, JM_F32, &shape, NULL, true);
    if (!new_weight || !new_bias) return JM_OUT_OF_MEMORY;

    const float *w = weight->tensor.data, *b = bias ? bias->tensor.data : NULL;
    float *new_w = new_weight->tensor.data, *new_b = new_bias->tensor.data;
    for (int64_t i = 0; i < count; i++) new_w[i] = (float)(w[i] * scale[weight_channel(l, i)]);
    const bool one = bias && element_count(&bias->tensor.shape) == 1;
    for (int64_t c = 0; c < l->channels; c++) new_b[c] = (float)((b ? b[one ? 0 : c] : 0.0) * scale[c] + shift[c]);
    jm_node_set_input(l->node, 1, new_weight);
    return jm_node_grow_input(graph, l->node, l->bias, new_bias);
}

static jm_status absorb_affine(jm_graph *graph, const linear *l, const jm_node *reader, bool *done)
{
    *done = false;
    if (!l->scalable || !weights_agree(l)) return JM_OK;
    double *scale = jm_alloc((size_t)l->channels, 2 * sizeof *scale);
    if (!scale) return JM_OUT_OF_MEMORY;
    double *shift = scale + l->channels;
    jm_status status = JM_OK;
    if (as_affine(reader, l->node->out[0], l, scale, shift)) {
        status = rescale(graph, l, scale, shift);
        *done = status == JM_OK;
    }
    jm_free(scale);
    return status;
}

/* ---- Epilogue ---- */

static bool scalar_or(const jm_value *value, float fallback, float *out)
{
    *out = fallback;
    if (!value) return true;
    if (!float_constant(value) || element_count(&value->tensor.shape) != 1) return false;
    *out = *(const float *)value->tensor.data;
    return true;
}

/* The activation that a node of one input computes. */
static bool as_activation(const jm_node *node, jm_epilogue *e)
{
    static const struct {
        const char *op;
        jm_activation activation;
    } table[] = {{"Relu", JM_ACT_RELU},
                 {"LeakyRelu", JM_ACT_LEAKY_RELU},
                 {"Clip", JM_ACT_CLIP},
                 {"Sigmoid", JM_ACT_SIGMOID},
                 {"Silu", JM_ACT_SILU},
                 {"HardSigmoid", JM_ACT_HARD_SIGMOID},
                 {"HardSwish", JM_ACT_HARD_SWISH},
                 {"Tanh", JM_ACT_TANH},
                 {"Gelu", JM_ACT_GELU},
                 {"Mish", JM_ACT_MISH}};
    for (size_t i = 0; i < JM_COUNT(table); i++) {
        if (!is(node, table[i].op)) continue;
        e->activation = table[i].activation;
        switch (e->activation) {
        case JM_ACT_LEAKY_RELU:
            e->alpha = (float)jm_node_attr(node, "alpha")->f;
            return true;
        case JM_ACT_HARD_SIGMOID:
            e->alpha = (float)jm_node_attr(node, "alpha")->f;
            e->beta = (float)jm_node_attr(node, "beta")->f;
            return true;
        case JM_ACT_CLIP:
            e->alpha = (float)jm_node_attr(node, "min")->f;
            e->beta = (float)jm_node_attr(node, "max")->f;
            return true;
        case JM_ACT_GELU: {
            const int at = jm_op_attr_index(node->op, "approximate");
            return at < 0 || !node->attr[at].present || strcmp(node->attr[at].s, "none") == 0;
        }
        default:
            return true;
        }
    }
    return false;
}

/* The other operand of an addition that may become the residual of `l`. */
static jm_value *as_residual(const jm_node *node, const linear *l)
{
    const jm_value *y = l->node->out[0];
    if (!is(node, "Add") || node->in[0] == node->in[1]) return NULL;
    jm_value *other = node->in[node->in[0] == y ? 1 : 0];
    if (other->tensor.constant || other->tensor.dtype != JM_F32 ||
        !jm_shape_equal(&other->tensor.shape, &y->tensor.shape))
        return NULL;
    /* Of two candidates the later one takes the sum, so that its operand is computed already. */
    linear rival;
    if (other->producer && is_linear(other->producer, &rival) && rival.residual >= 0 && sole_reader(other) &&
        other->producer->order > l->node->order)
        return NULL;
    return other;
}

static jm_status absorb_epilogue(jm_graph *graph, const linear *l, const jm_node *reader, bool *done)
{
    *done = false;
    if (l->epilogue < 0) return JM_OK;
    jm_attr *attr = &l->node->attr[l->epilogue];
    jm_epilogue e = attr->epilogue;
    if (e.activation == JM_ACT_NONE && as_activation(reader, &e)) {
        *done = true;
    } else if (l->residual >= 0 && e.residual == JM_RESIDUAL_NONE) {
        jm_value *other = as_residual(reader, l);
        if (!other) return JM_OK;
        /* Without an activation both orders are the same; an activation that follows is applied to the sum. */
        e.residual = e.activation == JM_ACT_NONE ? JM_RESIDUAL_THEN_ACTIVATION : JM_ACTIVATION_THEN_RESIDUAL;
        JM_TRY(jm_node_grow_input(graph, l->node, l->residual, other));
        *done = true;
    }
    if (*done) *attr = (jm_attr){.present = true, .count = 1, .epilogue = e};
    return JM_OK;
}

static bool epilogue_empty(const linear *l)
{
    if (l->epilogue < 0) return true;
    const jm_epilogue *e = &l->node->attr[l->epilogue].epilogue;
    return e->activation == JM_ACT_NONE && e->residual == JM_RESIDUAL_NONE;
}

/* Whether the node only moves elements. */
static bool moves_only(const jm_node *node)
{
    return is(node, "Transpose") || jm_node_role(node).kind == JM_ROLE_RESHAPE;
}

/* An activation behind Reshapes and Transposes applies to the same elements before them. */
static jm_status absorb_beyond(jm_graph *graph, const linear *l, jm_node *reader)
{
    jm_epilogue e;
    bool done = false;
    jm_node *node = reader;
    while (node && moves_only(node)) node = sole_reader(node->out[0]);
    if (!node || node == reader || !as_activation(node, &e) || l->epilogue < 0) return JM_OK;
    if (l->node->attr[l->epilogue].epilogue.activation != JM_ACT_NONE) return JM_OK;
    JM_TRY(absorb_epilogue(graph, l, node, &done));
    if (!done) return JM_OK;
    jm_value *moved = node->in[0], *out = node->out[0];
    jm_node_kill(node);
    return jm_graph_replace(graph, out, moved) ? JM_OK : jm_error(JM_INTERNAL, "fuse: cannot replace '%s'", out->name);
}

/* Absorbs one reader after the other. */
static jm_status absorb_readers(jm_graph *graph, jm_node *node)
{
    linear l;
    while (is_linear(node, &l)) {
        jm_value *y = node->out[0];
        jm_node *reader = sole_reader(y);
        bool done = false;
        if (!reader || !reader->out[0]) return JM_OK;
        if (epilogue_empty(&l)) JM_TRY(absorb_affine(graph, &l, reader, &done));
        if (!done) JM_TRY(absorb_epilogue(graph, &l, reader, &done));
        if (!done) return absorb_beyond(graph, &l, reader);
        jm_value *sum = reader->out[0];
        jm_node_kill(reader);
        if (!jm_graph_replace(graph, sum, y)) return jm_error(JM_INTERNAL, "fuse: cannot replace '%s'", sum->name);
    }
    return JM_OK;
}

/* ---- MatMul with constant weights ---- */

/* A MatMul of a matrix by constant weights is a Gemm, which has a bias and an epilogue. */
static jm_status matmul_to_gemm(jm_graph *graph, jm_node *node)
{
    const jm_op *gemm = jm_op_find("Gemm");
    if (!gemm || !is(node, "MatMul") || !float_constant(node->in[1])) return JM_OK;
    if (node->in[0]->tensor.shape.rank != 2 || node->in[1]->tensor.shape.rank != 2) return JM_OK;
    jm_value *out = node->out[0];
    jm_value *const in[] = {node->in[0], node->in[1]};
    jm_node_kill(node);
    return jm_graph_node(graph, gemm, node->name, in, 2, &out, 1) ? JM_OK : JM_OUT_OF_MEMORY;
}

/* ---- Pad ---- */

/* The begins and ends of a Pad with zeros of the spatial dimensions only; false for any other. */
static bool zero_pad(const jm_node *node, int64_t *pads, int *spatial)
{
    const jm_attr *mode = jm_node_attr(node, "mode");
    const jm_tensor *x = &node->in[0]->tensor;
    float value;
    if ((mode->present && strcmp(mode->s, "constant") != 0) || x->dtype != JM_F32 || x->shape.rank < 3) return false;
    if (!scalar_or(input(node, 2), 0.0f, &value) || value != 0.0f || input(node, 3)) return false;
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    int64_t all[2 * JM_MAX_RANK];
    int count;
    jm_node_call(node, &call, in, out);
    const int rank = x->shape.rank;
    if (!in[1].constant || jm_call_host_ints(&call, 1, all, 2 * JM_MAX_RANK, &count) != JM_OK || count != 2 * rank)
        return false;
    *spatial = rank - 2;
    for (int k = 0; k < rank; k++) {
        const int64_t begin = all[k], end = all[rank + k];
        if (begin < 0 || end < 0 || (k < 2 && (begin || end))) return false;
        if (k < 2) continue;
        pads[k - 2] = begin;
        pads[k - 2 + *spatial] = end;
    }
    return true;
}

/* A convolution pads with zeros itself, and so does an average that counts its padding. */
static jm_status absorb_pad(jm_graph *graph, jm_node *node)
{
    int64_t pads[2 * JM_MAX_RANK];
    int spatial;
    const bool conv = is(node, "Conv"), average = is(node, "AveragePool");
    if (!conv && !average) return JM_OK;
    const jm_node *pad = node->in[0]->producer;
    if (!is(pad, "Pad") || !zero_pad(pad, pads, &spatial)) return JM_OK;
    const int automatic = jm_op_attr_index(node->op, "auto_pad");
    if (automatic >= 0 && node->attr[automatic].present && strcmp(node->attr[automatic].s, "NOTSET") != 0) return JM_OK;
    const jm_attr *own = jm_node_attr(node, "pads");
    bool padded = false;
    for (int i = 0; i < own->count; i++) {
        if (i >= 2 * spatial) return JM_OK;
        pads[i] += own->ints[i];
        padded = padded || own->ints[i] != 0;
    }
    if (average && (jm_node_attr(node, "ceil_mode")->i || (padded && !jm_node_attr(node, "count_include_pad")->i)))
        return JM_OK;
    jm_value *x = node->in[0];
    const jm_attr old = *own;
    jm_node_set_input(node, 0, pad->in[0]);
    JM_TRY(jm_node_set_ints(graph, node, "pads", pads, 2 * spatial));
    if (average) JM_TRY(jm_node_set_int(graph, node, "count_include_pad", 1));
    if (jm_node_infer(node) == JM_OK) return JM_OK;
    /* Wider than the operator's own padding may be. */
    node->attr[jm_op_attr_index(node->op, "pads")] = old;
    jm_node_set_input(node, 0, x);
    return jm_node_infer(node);
}

jm_status jm_pass_fuse(jm_graph *graph)
{
    for (size_t i = 0, n = graph->nodes; i < n; i++) JM_TRY(matmul_to_gemm(graph, graph->node[i]));
    JM_TRY(jm_graph_sweep(graph));
    JM_TRY(jm_graph_sort(graph));
    for (size_t i = 0; i < graph->nodes; i++) {
        if (graph->node[i]->dead) continue;
        JM_TRY(absorb_pad(graph, graph->node[i]));
        JM_TRY(absorb_readers(graph, graph->node[i]));
    }
    JM_TRY(jm_graph_sweep(graph));
    return jm_graph_sort(graph);
}
