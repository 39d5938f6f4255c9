/* SPDX-License-Identifier: Apache-2.0
 *
 * PyTorch's upsample in two dimensions: Resize with its coordinates, and the gradient, which is the transposed matrices
 * of both axes. An output element adds what it is made of in ascending order.
 */
#include <string.h>

#include "ops/compose.h"
#include "ops/resize.h"
#include "ops/separable.h"

typedef struct upsample {
    int taps; /* 1: nearest, 2: linear */
    bool align_corners;
    double scale[2];
} upsample;

/* Attributes `first` .. of both operators. */
#define UPSAMPLE_ATTRS                                                                                                 \
    {.name = "mode", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "nearest", .doc = "nearest or linear"},       \
        {.name = "align_corners", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: corners stay (linear)"},      \
        {.name = "scale_h", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .doc = "factor of rows; 0: from the sizes"}, \
    {                                                                                                                  \
        .name = "scale_w", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .doc = "factor of columns"                    \
    }

static jm_status read_attrs(const jm_call *call, int first, upsample *u)
{
    const char *mode = call->attr[first].s;
    u->taps = strcmp(mode, "linear") == 0 ? 2 : 1;
    if (u->taps == 1 && strcmp(mode, "nearest") != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "mode '%s' is neither nearest nor linear", mode);
    u->align_corners = u->taps == 2 && call->attr[first + 1].i != 0;
    for (int k = 0; k < 2; k++) u->scale[k] = call->attr[first + 2 + k].f;
    return JM_OK;
}

/* A list of `count` sizes of dimensions, all positive but those of images and channels. */
static jm_status check_sizes(const jm_call *call, int attr, int count)
{
    const jm_attr *size = &call->attr[attr];
    const char *name = jm_op_attr(call->op, attr)->name;
    if (size->count != count)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s has %d numbers and must have %d", name, (int)size->count,
                             count);
    for (int k = 0; k < count; k++)
        if (size->ints[k] < (k < count - 2 ? 0 : 1) || size->ints[k] > INT32_MAX)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s[%d] is %lld and must be positive", name, k,
                                 (long long)size->ints[k]);
    return JM_OK;
}

/* ---- Upsample2d ---- */

enum { SIZE, UP_ATTRS };

static jm_status up_infer(jm_call *call)
{
    upsample u;
    const jm_shape *shape = &call->in[0].shape;
    JM_TRY(read_attrs(call, UP_ATTRS, &u));
    JM_TRY(check_sizes(call, SIZE, 2));
    if (shape->rank != 4) return jm_call_error(call, JM_INVALID_ARGUMENT, "X has rank %d and must have 4", shape->rank);
    if (shape->dim[2] == 0 || shape->dim[3] == 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X has no rows or no columns");
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = *shape;
    for (int k = 0; k < 2; k++) call->out[0].shape.dim[2 + k] = call->attr[SIZE].ints[k];
    return JM_OK;
}

static jm_status up_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    upsample u;
    JM_TRY(read_attrs(call, UP_ATTRS, &u));
    const jm_named_attr attr[] = {
        {"axes", {.count = 2, .ints = (int64_t[]){2, 3}}},
        {"mode", {.count = 1, .s = u.taps == 2 ? "linear" : "nearest"}},
        {"nearest_mode", {.count = 1, .s = "floor"}},
        {"coordinate_transformation_mode", {.count = 1, .s = u.align_corners ? "align_corners" : "pytorch"}},
        {"own_scales", {.count = 2, .floats = u.scale}}};
    jm_operand *in[] = {jm_compose_input(&c, 0), NULL, NULL, jm_compose_ints(&c, call->attr[SIZE].ints, 2)};
    jm_operand *y = jm_builder_output(builder, 0);
    jm_compose_into(&c, "Resize", in, 4, attr, JM_COUNT(attr), &y, 1);
    return jm_compose_end(&c);
}

static const jm_param up_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "[N, C, size]"},
    {.name = "size", .kind = JM_PARAM_INTS, .doc = "2 numbers: rows and columns of Y"},
    UPSAMPLE_ATTRS,
};

const jm_op jm_op_upsample_2d = {
    .name = "Upsample2d",
    .param = up_param,
    .params = JM_COUNT(up_param),
    .formula = "Resize of rows and columns, with the places of PyTorch",
    .source = "PyTorch upsample_nearest2d, upsample_bilinear2d",
    .infer = up_infer,
    .lower = up_lower,
};

/* ---- Upsample2dGrad ---- */

enum { OUT_SIZE, IN_SIZE, GRAD_ATTRS };

static jm_status grad_infer(jm_call *call)
{
    upsample u;
    const jm_shape *shape = &call->in[0].shape;
    const jm_attr *size = &call->attr[IN_SIZE];
    JM_TRY(read_attrs(call, GRAD_ATTRS, &u));
    JM_TRY(check_sizes(call, OUT_SIZE, 2));
    JM_TRY(check_sizes(call, IN_SIZE, 4));
    for (int k = 0; k < 4; k++) {
        const int64_t want = k < 2 ? size->ints[k] : call->attr[OUT_SIZE].ints[k - 2];
        if (shape->rank != 4 || (shape->dim[k] >= 0 && shape->dim[k] != want))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "dY must have the shape [%lld, %lld, %lld, %lld]",
                                 (long long)size->ints[0], (long long)size->ints[1],
                                 (long long)call->attr[OUT_SIZE].ints[0], (long long)call->attr[OUT_SIZE].ints[1]);
    }
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = (jm_shape){.rank = 4};
    memcpy(call->out[0].shape.dim, size->ints, 4 * sizeof(int64_t));
    return JM_OK;
}

/* The table of an axis as a matrix. Taps of the same element stay apart. */
static jm_status matrix_of(const jm_resize_axis *table, int64_t in, int64_t out, jm_arena *arena, jm_sparse_axis *axis)
{
    const int taps = table->identity ? 1 : table->taps;
    JM_TRY(jm_sparse_create(arena, in, out, out * taps, axis));
    for (int64_t e = 0; e < out * taps; e++) {
        axis->index[e] = table->identity ? (int32_t)e : table->index[e];
        axis->weight[e] = table->identity ? 1 : table->weight[e];
    }
    for (int64_t o = 0; o < out; o++) axis->first[o + 1] = (o + 1) * taps;
    return JM_OK;
}

static jm_status grad_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    upsample u = {.align_corners = false};
    jm_sparse_axis axis[2];
    JM_TRY(read_attrs(call, GRAD_ATTRS, &u));
    for (int k = 0; k < 2; k++) {
        const int64_t in = call->attr[IN_SIZE].ints[2 + k], out = call->attr[OUT_SIZE].ints[k];
        jm_resize_axis table;
        jm_sparse_axis forward;
        JM_TRY(jm_resize_pytorch_axis(u.taps, u.align_corners, in, out, u.scale[k], arena, &table));
        JM_TRY(matrix_of(&table, in, out, arena, &forward));
        JM_TRY(jm_sparse_transpose(arena, &forward, &axis[k]));
    }
    return jm_separable_plan(call, 0, axis, machine, arena, plan);
}

static const jm_param grad_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y, [N, C, output_size]"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "[input_size]"},
    {.name = "output_size", .kind = JM_PARAM_INTS, .doc = "2 numbers: rows and columns of Y"},
    {.name = "input_size", .kind = JM_PARAM_INTS, .doc = "4 numbers: the shape of X"},
    UPSAMPLE_ATTRS,
};

const jm_op jm_op_upsample_2d_grad = {
    .name = "Upsample2dGrad",
    .param = grad_param,
    .params = JM_COUNT(grad_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "the sum of weight * dY over all that an element of X went into",
    .source = "PyTorch upsample_nearest2d_backward, upsample_bilinear2d_backward",
    .infer = grad_infer,
    .plan = grad_plan,
    .run = jm_separable_run,
};
