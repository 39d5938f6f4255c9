/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/matrix.h"

enum { IN_A, IN_B, IN_C, IN_RESIDUAL };
enum { ATTR_ALPHA, ATTR_BETA, ATTR_TRANS_A, ATTR_TRANS_B, ATTR_EPILOGUE };

typedef struct product {
    int64_t rows, columns, depth;
    bool trans_a, trans_b;
} product;

static jm_status resolve(const jm_call *call, product *p)
{
    const jm_shape *a = &call->in[IN_A].shape, *b = &call->in[IN_B].shape;
    *p = (product){0};
    if (a->rank != 2 || b->rank != 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "A and B must have rank 2; they have %d and %d", a->rank,
                             b->rank);
    p->trans_a = call->attr[ATTR_TRANS_A].i != 0;
    p->trans_b = call->attr[ATTR_TRANS_B].i != 0;
    p->rows = a->dim[p->trans_a ? 1 : 0];
    p->depth = a->dim[p->trans_a ? 0 : 1];
    p->columns = b->dim[p->trans_b ? 0 : 1];
    const int64_t depth = b->dim[p->trans_b ? 1 : 0];
    if (p->depth == -1) p->depth = depth;
    if (depth != -1 && p->depth != depth)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "A has depth %lld and B has depth %lld", (long long)p->depth,
                             (long long)depth);
    return JM_OK;
}

static const jm_epilogue *epilogue_of(const jm_call *call)
{
    return &call->attr[ATTR_EPILOGUE].epilogue;
}

static jm_status infer(jm_call *call)
{
    product p;
    JM_TRY(resolve(call, &p));
    const jm_shape shape = {.rank = 2, .dim = {p.rows, p.columns}};
    call->out[0].shape = shape;
    const jm_tensor *c = jm_call_in(call, IN_C), *residual = jm_call_in(call, IN_RESIDUAL);
    if (c && jm_shape_known(&shape) && jm_shape_known(&c->shape)) {
        jm_shape joined;
        char x[JM_SHAPE_TEXT], y[JM_SHAPE_TEXT];
        if (c->shape.rank > 2 || jm_shape_broadcast(&c->shape, &shape, &joined) != JM_OK ||
            !jm_shape_equal(&joined, &shape))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "C of shape %s cannot be broadcast to %s",
                                 jm_shape_text(&c->shape, x), jm_shape_text(&shape, y));
    }
    if ((epilogue_of(call)->residual != JM_RESIDUAL_NONE) != (residual != NULL))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "input 'residual' and the epilogue do not agree");
    const jm_epilogue *epilogue = epilogue_of(call);
    if (call->in[IN_A].dtype != JM_F32 && (residual || epilogue->activation != JM_ACT_NONE))
        return jm_call_error(call, JM_UNSUPPORTED, "%s has no epilogue", jm_dtype_text(call->in[IN_A].dtype));
    if (residual && jm_shape_known(&shape) && !jm_shape_equal(&residual->shape, &shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the residual must have the shape of the output");
    return JM_OK;
}

static double flops(const jm_call *call)
{
    product p;
    return resolve(call, &p) == JM_OK ? 2 * (double)p.rows * (double)p.columns * (double)p.depth : 0;
}

static int forms(const jm_call *call, jm_form out[JM_MAX_FORMS])
{
    product p;
    const bool known = resolve(call, &p) == JM_OK;
    const bool constant = known && call->in[IN_B].constant && call->in[IN_B].dtype == JM_F32;
    return jm_matrix_forms(1, p.rows, p.columns, p.depth, epilogue_of(call), constant, out);
}

static jm_status pack_bytes(const jm_call *call, const jm_form *form, int input, size_t *bytes)
{
    *bytes = 0;
    if (!(form->in_packed >> input & 1)) return JM_OK;
    product p;
    JM_TRY(resolve(call, &p));
    return jm_matrix_pack_bytes(p.depth, p.columns, bytes);
}

static jm_matrix_view view_of(const jm_tensor *tensor, int input, bool transposed)
{
    return (jm_matrix_view){
        .input = input,
        .row = (ptrdiff_t)tensor->stride[transposed ? 1 : 0],
        .column = (ptrdiff_t)tensor->stride[transposed ? 0 : 1],
    };
}

static jm_status pack(const jm_call *call, const jm_form *form, int input, void *packed)
{
    (void)form;
    product p;
    JM_TRY(resolve(call, &p));
    const jm_matrix_view view = view_of(&call->in[input], input, p.trans_b);
    jm_matrix_pack(call->in[input].data, view.row, view.column, p.depth, p.columns, (float)call->attr[ATTR_ALPHA].f,
                   packed);
    return JM_OK;
}

/* C with the strides of its broadcast. */
static jm_matrix_view broadcast_view(const jm_tensor *c)
{
    jm_matrix_view view = {.input = IN_C};
    const int rank = c->shape.rank;
    if (rank >= 1 && c->shape.dim[rank - 1] != 1) view.column = (ptrdiff_t)c->stride[rank - 1];
    if (rank == 2 && c->shape.dim[0] != 1) view.row = (ptrdiff_t)c->stride[0];
    return view;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    product p;
    JM_TRY(resolve(call, &p));
    const jm_tensor *c = jm_call_in(call, IN_C), *residual = jm_call_in(call, IN_RESIDUAL);
    jm_matrix_job job = {
        .dtype = call->in[IN_A].dtype,
        .rows = p.rows,
        .columns = p.columns,
        .depth = p.depth,
        .a = view_of(&call->in[IN_A], IN_A, p.trans_a),
        .b = view_of(&call->in[IN_B], IN_B, p.trans_b),
        .c = c ? broadcast_view(c) : (jm_matrix_view){.input = -1},
        .residual = residual ? view_of(residual, IN_RESIDUAL, false) : (jm_matrix_view){.input = -1},
        .y = view_of(&call->out[0], 0, false),
        .packed = form->id == JM_MATRIX_PACKED,
        .alpha = (float)call->attr[ATTR_ALPHA].f,
        .beta = (float)call->attr[ATTR_BETA].f,
        .epilogue = *epilogue_of(call),
    };
    for (int k = 0; k < JM_MATRIX_BATCHES; k++) job.batch[k] = 1;
    return jm_matrix_plan(&job, machine, arena, out);
}

static const jm_param param[] = {
    {"A", JM_PARAM_INPUT, 0, .doc = "[M, K], or [K, M] with transA"},
    {"B", JM_PARAM_INPUT, JM_PACKABLE, .doc = "[K, N], or [N, K] with transB"},
    {"C", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "broadcast to [M, N]"},
    {"residual", JM_PARAM_INPUT, JM_OPTIONAL | JM_GRAPH_ONLY, .doc = "added by the epilogue; [M, N]"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "[M, N]"},
    {"alpha", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 1.0, .doc = "scale of the product"},
    {"beta", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 1.0, .doc = "scale of C"},
    {"transA", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: A is transposed"},
    {"transB", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: B is transposed"},
    {"epilogue", JM_PARAM_EPILOGUE, JM_OPTIONAL | JM_GRAPH_ONLY, .doc = "residual and activation"},
};

const jm_op jm_op_gemm = {
    .name = "Gemm",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_MATRIX_DTYPES,
    .formula = "Y = epilogue(alpha * A B + beta * C)",
    .source = "ONNX Gemm-13",
    .infer = infer,
    .forms = forms,
    .pack_bytes = pack_bytes,
    .pack = pack,
    .plan = plan,
    .run = jm_matrix_run,
    .flops = flops,
};
