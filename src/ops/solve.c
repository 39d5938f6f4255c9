/* SPDX-License-Identifier: Apache-2.0
 *
 * TriangularSolve and Inverse, in float64, rounded once. A matrix that has no inverse writes nothing and sets
 * run->fault; a triangle with a 0 on its diagonal divides by it.
 */
#include "ops/dense.h"
#include "ops/indexing.h"
#include "ops/move.h"

#include <string.h>

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

static jm_status check_square(const jm_call *call, int input)
{
    const jm_shape *shape = &call->in[input].shape;
    char text[JM_SHAPE_TEXT];
    if (shape->rank >= 2 && shape->dim[shape->rank - 1] == shape->dim[shape->rank - 2]) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "%s are no square matrices", jm_shape_text(shape, text));
}

/* x[n] becomes the solution of T x = b: forward or backward substitution, column by column. T is n x n; its element (r,
 * c) is t[c * n + r], or t[r * n + c] where `transposed`. */
static void substitute(const double *t, int64_t n, bool upper, bool transposed, bool unit, double *x)
{
    for (int64_t step = 0; step < n; step++) {
        const int64_t k = upper ? n - 1 - step : step;
        const int64_t begin = upper ? k + 1 : 0, count = upper ? n - k - 1 : k;
        if (transposed) x[k] -= jm_dense_dot(t + k * n + begin, x + begin, count);
        if (!unit) x[k] /= t[k * n + k];
        const int64_t first = upper ? 0 : k + 1, last = upper ? k : n;
        for (int64_t r = first; !transposed && r < last; r++) x[r] -= t[k * n + r] * x[k];
    }
}

/* ---- TriangularSolve ---- */

enum { B, A };
enum { UPPER, TRANSPOSE, UNIT };

typedef struct triangular {
    jm_tensor b, a, x;
    jm_shape batch; /* of the result */
    int64_t batches, n, columns;
    bool upper, transpose, unit;
    size_t chunks;
} triangular;

/* The result's shape: batches broadcast. */
static jm_status solve_shape(const jm_call *call, jm_shape *out)
{
    const jm_shape *b = &call->in[B].shape, *a = &call->in[A].shape;
    char b_text[JM_SHAPE_TEXT], a_text[JM_SHAPE_TEXT];
    jm_shape b_batch = *b, a_batch = *a;
    if (b->rank < 2 || a->dim[a->rank - 1] != b->dim[b->rank - 2])
        return jm_call_error(call, JM_INVALID_ARGUMENT, "b of shape %s does not fit matrices of shape %s",
                             jm_shape_text(b, b_text), jm_shape_text(a, a_text));
    b_batch.rank -= 2;
    a_batch.rank -= 2;
    JM_TRY(jm_shape_broadcast(&b_batch, &a_batch, out));
    out->dim[out->rank++] = b->dim[b->rank - 2];
    out->dim[out->rank++] = b->dim[b->rank - 1];
    return JM_OK;
}

static jm_status infer_triangular(jm_call *call)
{
    JM_TRY(check_square(call, A));
    if (call->in[A].dtype != call->in[B].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "A is %s and b is %s", jm_dtype_text(call->in[A].dtype),
                             jm_dtype_text(call->in[B].dtype));
    call->out[0].dtype = call->in[B].dtype;
    return solve_shape(call, &call->out[0].shape);
}

static jm_status plan_triangular(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                 jm_plan *plan)
{
    (void)form;
    triangular *t = jm_arena_alloc(arena, 1, sizeof(*t));
    size_t doubles;
    if (!t) return JM_OUT_OF_MEMORY;
    t->b = call->in[B];
    t->a = call->in[A];
    t->x = call->out[0];
    const int rank = t->x.shape.rank;
    t->n = t->x.shape.dim[rank - 2];
    t->columns = t->x.shape.dim[rank - 1];
    t->batch = t->x.shape;
    t->batch.rank -= 2;
    JM_TRY(jm_shape_count(&t->batch, &t->batches));
    t->upper = call->attr[UPPER].i != 0;
    t->transpose = call->attr[TRANSPOSE].i != 0;
    t->unit = call->attr[UNIT].i != 0;
    if (!jm_size_mul((size_t)t->n, (size_t)t->n + 1, &doubles) || !jm_size_mul(doubles, sizeof(double), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "matrices of %lld rows are too large", (long long)t->n);
    const double work = (double)t->batches * (double)t->columns * (double)t->n * (double)t->n;
    t->chunks = plan->chunks = jm_chunk_count(machine, 8 * work, t->batches * t->columns);
    plan->state = t;
    return JM_OK;
}

/* Bytes to the matrix of `tensor` that batch number `batch` of the result takes. */
static int64_t broadcast_offset(const triangular *t, const jm_tensor *tensor, int64_t batch)
{
    int64_t offset = 0;
    const int lead = t->batch.rank - (tensor->shape.rank - 2);
    for (int k = t->batch.rank - 1; k >= 0; k--) {
        const int64_t at = batch % t->batch.dim[k];
        batch /= t->batch.dim[k];
        if (k >= lead && tensor->shape.dim[k - lead] != 1) offset += at * jm_byte_stride(tensor, k - lead);
    }
    return offset;
}

static void run_triangular(const jm_plan *plan, const jm_run *run)
{
    const triangular *t = plan->state;
    const int row = t->x.shape.rank - 2, b_row = t->b.shape.rank - 2;
    double *a = run->scratch, *x = a + t->n * t->n;
    int64_t begin, end, loaded = -1;
    jm_chunk_range(t->batches * t->columns, t->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const int64_t batch = i / t->columns, column = i % t->columns;
        if (batch != loaded) jm_dense_read(&t->a, (const char *)run->in[A] + broadcast_offset(t, &t->a, batch), a);
        loaded = batch;
        const char *b =
            (const char *)run->in[B] + broadcast_offset(t, &t->b, batch) + column * jm_byte_stride(&t->b, b_row + 1);
        for (int64_t r = 0; r < t->n; r++) x[r] = jm_element_to_f64(t->b.dtype, b + r * jm_byte_stride(&t->b, b_row));
        substitute(a, t->n, t->upper != t->transpose, t->transpose, t->unit, x);
        char *out = (char *)run->out[0] + jm_dense_offset(&t->x, batch, 2) + column * jm_byte_stride(&t->x, row + 1);
        for (int64_t r = 0; r < t->n; r++) jm_element_from_f64(t->x.dtype, x[r], out + r * jm_byte_stride(&t->x, row));
    }
}

static const jm_param triangular_param[] = {
    {"b", JM_PARAM_INPUT, 0, .doc = "[batch..., n, columns]"},
    {"A", JM_PARAM_INPUT, 0, .doc = "[batch..., n, n]; batches broadcast"},
    {"X", JM_PARAM_OUTPUT, 0, .doc = "[batch..., n, columns]"},
    {"upper", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "1: the upper triangle of A counts, 0: the lower"},
    {"transpose", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: A^T X = b"},
    {"unit", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: the diagonal is taken as 1"},
};

const jm_op jm_op_triangular_solve = {
    .name = "TriangularSolve",
    .param = triangular_param,
    .params = JM_COUNT(triangular_param),
    .dtypes = 1u << JM_F32 | 1u << JM_F64,
    .formula = "A X = b for triangular A",
    .source = "PyTorch triangular_solve",
    .infer = infer_triangular,
    .forms = forms,
    .plan = plan_triangular,
    .run = run_triangular,
};

/* ---- Inverse ---- */

typedef struct inverse {
    jm_tensor in, out;
    int64_t batches, n;
    size_t chunks;
} inverse;

static jm_status infer_inverse(jm_call *call)
{
    JM_TRY(check_square(call, 0));
    return jm_infer_same(call);
}

static jm_status plan_inverse(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    inverse *v = jm_arena_alloc(arena, 1, sizeof(*v));
    size_t doubles;
    if (!v) return JM_OUT_OF_MEMORY;
    v->in = call->in[0];
    v->out = call->out[0];
    const jm_shape *shape = &v->in.shape;
    v->n = shape->dim[shape->rank - 1];
    v->batches = 1;
    for (int k = 0; k + 2 < shape->rank; k++) v->batches *= shape->dim[k];
    if (!jm_size_mul((size_t)v->n, 2 * (size_t)v->n + 1, &doubles) ||
        !jm_size_mul(doubles, sizeof(double), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "matrices of %lld rows are too large", (long long)v->n);
    const double n = (double)v->n;
    v->chunks = plan->chunks = jm_chunk_count(machine, 8 * (double)v->batches * n * n * n, v->batches);
    plan->state = v;
    return JM_OK;
}

static void run_inverse(const jm_plan *plan, const jm_run *run)
{
    const inverse *v = plan->state;
    double *a = run->scratch, *x = a + v->n * v->n;
    int64_t *place = (int64_t *)(void *)(x + v->n * v->n), begin, end;
    bool odd;
    jm_chunk_range(v->batches, v->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        jm_dense_read(&v->in, (const char *)run->in[0] + jm_dense_offset(&v->in, i, 2), a);
        if (!jm_dense_lu(a, v->n, place, &odd)) {
            atomic_store_explicit(run->fault, JM_INVALID_ARGUMENT, memory_order_relaxed);
            continue;
        }
        for (int64_t c = 0; c < v->n; c++) {
            double *column = x + c * v->n;
            for (int64_t r = 0; r < v->n; r++) column[r] = place[r] == c;
            substitute(a, v->n, false, false, true, column);
            substitute(a, v->n, true, false, false, column);
        }
        jm_dense_write(&v->out, (char *)run->out[0] + jm_dense_offset(&v->out, i, 2), x);
    }
}

static const jm_param inverse_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[batch..., n, n]"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "[batch..., n, n]"},
};

const jm_op jm_op_inverse = {
    .name = "Inverse",
    .param = inverse_param,
    .params = JM_COUNT(inverse_param),
    .dtypes = 1u << JM_F32 | 1u << JM_F64,
    .formula = "Y = X^-1, by elimination with the largest pivot of each column",
    .source = "PyTorch inverse",
    .infer = infer_inverse,
    .forms = forms,
    .plan = plan_inverse,
    .run = run_inverse,
};
