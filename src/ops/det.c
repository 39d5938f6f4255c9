/* SPDX-License-Identifier: Apache-2.0
 *
 * Determinants of small matrices, by elimination in float64 with the largest pivot.
 */
#include "ops/dense.h"
#include "ops/indexing.h"

enum { LARGEST = 4096 };

typedef struct det {
    jm_walk batches; /* stream 0: input, 1: output */
    jm_tensor in;
    int64_t n;
    size_t chunks;
} det;

static jm_status infer(jm_call *call)
{
    const jm_shape *x = &call->in[0].shape;
    char text[JM_SHAPE_TEXT];
    if (x->rank < 2 || x->dim[x->rank - 1] != x->dim[x->rank - 2] || x->dim[x->rank - 1] > LARGEST)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s are not square matrices of at most %d rows",
                             jm_shape_text(x, text), LARGEST);
    call->out[0].shape = *x;
    call->out[0].shape.rank -= 2;
    return JM_OK;
}

/* The determinant of a column-major n x n matrix, which is overwritten. */
static double determinant(double *a, int64_t n, int64_t *place)
{
    bool odd;
    jm_dense_lu(a, n, place, &odd);
    double product = odd ? -1 : 1;
    for (int64_t k = 0; k < n; k++) {
        product *= a[k * n + k];
        if (a[k * n + k] == 0) break;
    }
    return product;
}

static void run(const jm_plan *plan, const jm_run *run_)
{
    const det *d = plan->state;
    double *a = run_->scratch;
    int64_t *place = (int64_t *)(void *)(a + d->n * d->n), begin, end;
    jm_chunk_range(d->batches.count, d->chunks, run_->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&d->batches, i, offset);
        jm_dense_read(&d->in, (const char *)run_->in[0] + offset[0], a);
        jm_element_from_f64(d->in.dtype, determinant(a, d->n, place), (char *)run_->out[0] + offset[1]);
    }
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    (void)form;
    const jm_tensor *x = &call->in[0], *y = &call->out[0];
    const int batch = x->shape.rank - 2;
    det *d = jm_arena_alloc(arena, 1, sizeof(*d));
    if (!d) return JM_OUT_OF_MEMORY;
    d->batches.count = 1;
    for (int k = 0; k < batch; k++)
        jm_walk_add(&d->batches, x->shape.dim[k], jm_byte_stride(x, k), jm_byte_stride(y, k), 0);
    d->n = x->shape.dim[batch];
    d->in = *x;
    out->scratch = (size_t)(d->n * (d->n + 1)) * sizeof(double);
    const double n = (double)d->n;
    d->chunks = out->chunks = jm_chunk_count(machine, (double)d->batches.count * n * n * n, d->batches.count);
    out->state = d;
    return JM_OK;
}

static double flops(const jm_call *call)
{
    const double n = (double)call->in[0].shape.dim[call->in[0].shape.rank - 1];
    return (double)jm_tensor_elements(&call->out[0]) * n * n * n * 2 / 3;
}

static const jm_param param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[batch..., n, n]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "[batch...]"},
};

const jm_op jm_op_det = {
    .name = "Det",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "determinants",
    .source = "ONNX Det-11",
    .infer = infer,
    .plan = plan,
    .run = run,
    .flops = flops,
};
