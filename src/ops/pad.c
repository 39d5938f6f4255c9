/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/compose.h"
#include "ops/move.h"

#include <string.h>

enum { DATA, PADS, VALUE, AXES };

typedef enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP } pad_mode;

static jm_status read_mode(const jm_call *call, pad_mode *mode)
{
    static const char *const text[] = {"constant", "reflect", "edge", "wrap"};
    for (size_t i = 0; i < JM_COUNT(text); i++) {
        if (strcmp(call->attr[0].s, text[i]) != 0) continue;
        *mode = (pad_mode)i;
        return JM_OK;
    }
    return jm_call_error(call, JM_UNSUPPORTED, "mode '%s' is none of constant, reflect, edge, wrap", call->attr[0].s);
}

static jm_status read_pads(const jm_call *call, int64_t begin[JM_MAX_RANK], int64_t end[JM_MAX_RANK])
{
    int rank = call->in[DATA].shape.rank, count, axis_count = rank;
    int64_t pads[2 * JM_MAX_RANK], axes[JM_MAX_RANK];
    JM_TRY(jm_call_host_ints(call, PADS, pads, 2 * JM_MAX_RANK, &count));
    for (int k = 0; k < rank; k++) axes[k] = k, begin[k] = end[k] = 0;
    if (jm_call_in(call, AXES)) JM_TRY(jm_call_host_ints(call, AXES, axes, JM_MAX_RANK, &axis_count));
    if (count != 2 * axis_count)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "pads has %d values and must have %d", count, 2 * axis_count);
    bool seen[JM_MAX_RANK] = {false};
    for (int i = 0; i < axis_count; i++) {
        int axis;
        JM_TRY(jm_axis_normalise(axes[i], rank, &axis));
        if (seen[axis]) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %d is named twice", axis);
        seen[axis] = true;
        begin[axis] = pads[i];
        end[axis] = pads[axis_count + i];
    }
    return JM_OK;
}

/* What the values outside may come from. */
static jm_status check_axis(const jm_call *call, pad_mode mode, int axis, int64_t begin, int64_t end)
{
    int64_t dim = call->in[DATA].shape.dim[axis], limit = (int64_t)1 << 40;
    if (mode == PAD_REFLECT) limit = JM_MAX(dim - 1, 0);
    if (mode == PAD_WRAP) limit = dim;
    if (mode == PAD_EDGE && dim == 0) limit = 0;
    if (mode != PAD_CONSTANT && (begin < 0 || end < 0))
        return jm_call_error(call, JM_UNSUPPORTED, "pads of %lld and %lld on axis %d: only mode constant may cut",
                             (long long)begin, (long long)end, axis);
    if (begin > limit || end > limit || begin < -dim || end < -dim || begin + end < -dim)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "pads of %lld and %lld do not fit axis %d of %lld elements",
                             (long long)begin, (long long)end, axis, (long long)dim);
    return JM_OK;
}

static jm_status infer(jm_call *call)
{
    int64_t begin[JM_MAX_RANK], end[JM_MAX_RANK], count;
    pad_mode mode = PAD_CONSTANT;
    JM_TRY(read_mode(call, &mode));
    JM_TRY(read_pads(call, begin, end));
    const jm_tensor *value = jm_call_in(call, VALUE);
    if (value && (!jm_shape_known(&value->shape) || jm_shape_count(&value->shape, &count) != JM_OK || count != 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "constant_value must be one element");
    call->out[0].dtype = call->in[DATA].dtype;
    call->out[0].shape = call->in[DATA].shape;
    for (int k = 0; k < call->out[0].shape.rank; k++) {
        int64_t *dim = &call->out[0].shape.dim[k];
        if (*dim < 0) continue;
        JM_TRY(check_axis(call, mode, k, begin[k], end[k]));
        *dim += begin[k] + end[k];
    }
    return JM_OK;
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    if (call->in[DATA].shape.rank < 3) return 1;
    form[1] = jm_move_form(call, 1, "c16", JM_C16, JM_C16);
    form[1].in_plain = 1u << VALUE;
    return 2;
}

/* ---- Plan: the output is cut into boxes, each a copy of a box of the input or of the value ---- */

typedef struct padding {
    const jm_call *call;
    jm_moves *moves;
    pad_mode mode;
    int64_t begin[JM_MAX_RANK], end[JM_MAX_RANK];
} padding;

/* A box: both windows so far and its shape. */
typedef struct box {
    jm_side from, to;
    jm_shape shape;
} box;

static jm_status add_boxes(padding *p, int axis, const box *parent);

/* `count` output indices from `at` on come from input indices start, start + step, ... */
static jm_status add_piece(padding *p, int axis, const box *parent, int64_t at, int64_t count, int64_t start,
                           int64_t step)
{
    if (count <= 0) return JM_OK;
    box piece = *parent;
    piece.shape.dim[axis] = count;
    jm_side_slice(&piece.to, axis, at, 1);
    jm_side_slice(&piece.from, axis, start, step);
    return add_boxes(p, axis + 1, &piece);
}

/* `count` output indices from `at` on hold the value, whatever the remaining axes. */
static jm_status add_value(padding *p, int axis, const box *parent, int64_t at, int64_t count)
{
    if (count <= 0) return JM_OK;
    box piece = *parent;
    jm_side value = {.argument = jm_call_in(p->call, VALUE) ? VALUE : JM_MOVE_ZEROS};
    for (int k = axis; k < piece.shape.rank; k++) piece.shape.dim[k] = p->call->out[0].shape.dim[k];
    piece.shape.dim[axis] = count;
    jm_side_slice(&piece.to, axis, at, 1);
    return jm_moves_copy(p->moves, &piece.shape, &value, &piece.to);
}

static jm_status add_boxes(padding *p, int axis, const box *parent)
{
    if (axis == parent->shape.rank) return jm_moves_copy(p->moves, &parent->shape, &parent->from, &parent->to);
    int64_t dim = p->call->in[DATA].shape.dim[axis], begin = p->begin[axis], end = p->end[axis];
    int64_t first = JM_MAX(-begin, 0), inner = dim - first - JM_MAX(-end, 0), after = JM_MAX(begin, 0) + inner;
    JM_TRY(add_piece(p, axis, parent, JM_MAX(begin, 0), inner, first, 1));
    switch (p->mode) {
    case PAD_CONSTANT:
        JM_TRY(add_value(p, axis, parent, 0, begin));
        return add_value(p, axis, parent, after, end);
    case PAD_REFLECT:
        JM_TRY(add_piece(p, axis, parent, 0, begin, begin, -1));
        return add_piece(p, axis, parent, after, end, dim - 2, -1);
    case PAD_EDGE:
        JM_TRY(add_piece(p, axis, parent, 0, begin, 0, 0));
        return add_piece(p, axis, parent, after, end, dim - 1, 0);
    default:
        JM_TRY(add_piece(p, axis, parent, 0, begin, dim - begin, 1));
        return add_piece(p, axis, parent, after, end, 0, 1);
    }
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *result)
{
    (void)form;
    padding p = {.call = call, .moves = jm_moves_create(arena, call->in[DATA].dtype)};
    if (!p.moves) return JM_OUT_OF_MEMORY;
    JM_TRY(read_mode(call, &p.mode));
    JM_TRY(read_pads(call, p.begin, p.end));
    box whole = {.from = jm_side_of(&call->in[DATA], DATA), .to = jm_side_of(&call->out[0], 0)};
    whole.shape = call->out[0].shape;
    JM_TRY(add_boxes(&p, 0, &whole));
    JM_TRY(jm_moves_clear_lanes(p.moves, &call->out[0], 0));
    jm_moves_finish(p.moves, machine, result);
    return JM_OK;
}

static const jm_param param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"pads", JM_PARAM_INPUT, JM_HOST, .doc = "elements added before each axis, then after each; negative ones cut"},
    {"constant_value", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "one element, 0 when absent; read in mode constant"},
    {"axes", JM_PARAM_INPUT, JM_HOST | JM_OPTIONAL, .doc = "axes that pads speaks of; all when absent"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "data with a border"},
    {"mode", JM_PARAM_STRING, JM_OPTIONAL, .s = "constant", .doc = "constant, reflect, edge or wrap"},
};

const jm_op jm_op_pad = {
    .name = "Pad",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "output[i] = data[i - begin], outside: the value, or the mirrored, nearest or opposite element",
    .source = "ONNX Pad-19",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = jm_moves_run,
};

/* ---- ConstantPad: pads in PyTorch's order ---- */

/* Pairs of begin and end, the last dimension first, as the pads of Pad. */
static jm_status own_pads(const jm_call *call, int64_t pads[2 * JM_MAX_RANK])
{
    const jm_attr *attr = &call->attr[0];
    const int rank = call->in[0].shape.rank;
    for (int i = 0; i < 2 * rank; i++) pads[i] = 0;
    if (attr->count % 2 || attr->count > 2 * rank)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "pad has %d numbers for %d dimensions: two each, at most",
                             (int)attr->count, rank);
    for (int i = 0; i < attr->count / 2; i++) {
        pads[rank - 1 - i] = attr->ints[2 * i];
        pads[2 * rank - 1 - i] = attr->ints[2 * i + 1];
    }
    return JM_OK;
}

static jm_status own_infer(jm_call *call)
{
    int64_t pads[2 * JM_MAX_RANK];
    JM_TRY(own_pads(call, pads));
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    for (int k = 0; k < call->out[0].shape.rank; k++) {
        int64_t *dim = &call->out[0].shape.dim[k];
        if (*dim < 0) continue;
        JM_TRY(check_axis(call, PAD_CONSTANT, k, pads[k], pads[call->out[0].shape.rank + k]));
        *dim += pads[k] + pads[call->out[0].shape.rank + k];
    }
    return JM_OK;
}

static jm_status own_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    int64_t pads[2 * JM_MAX_RANK];
    JM_TRY(own_pads(call, pads));
    jm_operand *y = jm_builder_output(builder, 0);
    jm_operand *in[] = {jm_compose_input(&c, 0), jm_compose_ints(&c, pads, 2 * call->in[0].shape.rank),
                        jm_compose_input(&c, 1)};
    jm_compose_into(&c, "Pad", in, 3, NULL, 0, &y, 1);
    return jm_compose_end(&c);
}

static const jm_param own_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "any shape"},
    {"value", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "one element; absent: 0"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "X with a border"},
    {"pad", JM_PARAM_INTS, 0, .doc = "elements before and after, for the last dimension first; negative ones cut"},
};

const jm_op jm_op_constant_pad = {
    .name = "ConstantPad",
    .param = own_param,
    .params = JM_COUNT(own_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "Y[i] = X[i - begin], the value outside",
    .source = "PyTorch constant_pad_nd",
    .infer = own_infer,
    .lower = own_lower,
};
