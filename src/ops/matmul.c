/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/matrix.h"

static const jm_epilogue no_epilogue = {.activation = JM_ACT_NONE};

/* Shapes of both operands with rank 1 made a row or a column, batches in front. */
typedef struct product {
    int64_t rows, columns, depth_a, depth_b;
    jm_shape batch; /* broadcast */
} product;

static jm_status resolve_shapes(const jm_call *call, const jm_shape *a, const jm_shape *b, product *p)
{
    *p = (product){0};
    if (a->rank < 1 || b->rank < 1)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the operands must have rank 1 or more");
    jm_shape batch_a = *a, batch_b = *b;
    batch_a.rank = JM_MAX(a->rank - 2, 0);
    batch_b.rank = JM_MAX(b->rank - 2, 0);
    p->rows = a->rank == 1 ? 1 : a->dim[a->rank - 2];
    p->depth_a = a->dim[a->rank - 1];
    p->depth_b = b->rank == 1 ? b->dim[0] : b->dim[b->rank - 2];
    p->columns = b->rank == 1 ? 1 : b->dim[b->rank - 1];
    if (p->depth_a != p->depth_b && p->depth_a != -1 && p->depth_b != -1) {
        char x[JM_SHAPE_TEXT], y[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s and %s cannot be multiplied: depths %lld and %lld",
                             jm_shape_text(a, x), jm_shape_text(b, y), (long long)p->depth_a, (long long)p->depth_b);
    }
    return jm_shape_broadcast(&batch_a, &batch_b, &p->batch);
}

static jm_status resolve(const jm_call *call, product *p)
{
    return resolve_shapes(call, &call->in[0].shape, &call->in[1].shape, p);
}

jm_status jm_matmul_shape(const jm_call *call, const jm_shape *a, const jm_shape *b, jm_shape *out)
{
    product p;
    JM_TRY(resolve_shapes(call, a, b, &p));
    *out = p.batch;
    if (a->rank > 1) out->dim[out->rank++] = p.rows;
    if (b->rank > 1) out->dim[out->rank++] = p.columns;
    return JM_OK;
}

static jm_status infer(jm_call *call)
{
    return jm_matmul_shape(call, &call->in[0].shape, &call->in[1].shape, &call->out[0].shape);
}

static double batches_of(const product *p)
{
    double batches = 1;
    for (int k = 0; k < p->batch.rank; k++) batches *= (double)p->batch.dim[k];
    return batches;
}

static double flops(const jm_call *call)
{
    product p;
    if (resolve(call, &p) != JM_OK) return 0;
    return 2 * batches_of(&p) * (double)p.rows * (double)p.columns * (double)p.depth_a;
}

static int forms(const jm_call *call, jm_form out[JM_MAX_FORMS])
{
    product p;
    const bool known = resolve(call, &p) == JM_OK;
    const bool constant = known && call->in[1].constant && call->in[1].shape.rank <= 2 && call->in[1].dtype == JM_F32;
    return jm_matrix_forms((int64_t)batches_of(&p), p.rows, p.columns, p.depth_a, &no_epilogue, constant, out);
}

static jm_status pack_bytes(const jm_call *call, const jm_form *form, int input, size_t *bytes)
{
    *bytes = 0;
    if (!(form->in_packed >> input & 1)) return JM_OK;
    product p;
    JM_TRY(resolve(call, &p));
    return jm_matrix_pack_bytes(p.depth_b, p.columns, bytes);
}

/* Row and column strides of an operand; a vector is a row on the left, a column on the right. */
static jm_matrix_view view_of(const jm_tensor *tensor, int input, bool right, const jm_shape *batch)
{
    const int rank = tensor->shape.rank;
    jm_matrix_view view = {.input = input};
    if (rank == 1) {
        view.row = right ? (ptrdiff_t)tensor->stride[0] : 0;
        view.column = right ? 0 : (ptrdiff_t)tensor->stride[0];
        return view;
    }
    view.row = (ptrdiff_t)tensor->stride[rank - 2];
    view.column = (ptrdiff_t)tensor->stride[rank - 1];
    const int shift = batch->rank - (rank - 2);
    for (int k = 0; k < rank - 2; k++)
        view.batch[shift + k] = tensor->shape.dim[k] == 1 ? 0 : (ptrdiff_t)tensor->stride[k];
    return view;
}

static jm_status pack(const jm_call *call, const jm_form *form, int input, void *packed)
{
    (void)form;
    product p;
    JM_TRY(resolve(call, &p));
    const jm_tensor *b = &call->in[input];
    const jm_matrix_view view = view_of(b, input, true, &p.batch);
    jm_matrix_pack(b->data, view.row, view.column, p.depth_b, p.columns, 1.0f, packed);
    return JM_OK;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    product p;
    JM_TRY(resolve(call, &p));
    const jm_tensor *a = &call->in[0], *b = &call->in[1], *y = &call->out[0];
    jm_matrix_job job = {
        .dtype = a->dtype,
        .rows = p.rows,
        .columns = p.columns,
        .depth = p.depth_a,
        .a = view_of(a, 0, false, &p.batch),
        .b = view_of(b, 1, true, &p.batch),
        .c.input = -1,
        .residual.input = -1,
        .packed = form->id == JM_MATRIX_PACKED,
        .alpha = 1.0f,
    };
    for (int k = 0; k < JM_MATRIX_BATCHES; k++) job.batch[k] = k < p.batch.rank ? p.batch.dim[k] : 1;
    for (int k = 0; k < p.batch.rank; k++) job.y.batch[k] = (ptrdiff_t)y->stride[k];
    int next = p.batch.rank;
    if (a->shape.rank > 1) job.y.row = (ptrdiff_t)y->stride[next++];
    if (b->shape.rank > 1) job.y.column = (ptrdiff_t)y->stride[next];
    return jm_matrix_plan(&job, machine, arena, out);
}

static const jm_param param[] = {
    {"A", JM_PARAM_INPUT, 0, .doc = "[batch..., M, K], or [K]"},
    {"B", JM_PARAM_INPUT, JM_PACKABLE, .doc = "[batch..., K, N], or [K]"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "[batch..., M, N]; batches broadcast"},
};

const jm_op jm_op_matmul = {
    .name = "MatMul",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_MATRIX_DTYPES,
    .formula = "Y[m, n] = sum over k of A[m, k] * B[k, n]",
    .source = "ONNX MatMul-13, numpy.matmul",
    .infer = infer,
    .forms = forms,
    .pack_bytes = pack_bytes,
    .pack = pack,
    .plan = plan,
    .run = jm_matrix_run,
    .flops = flops,
};
