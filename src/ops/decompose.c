/* SPDX-License-Identifier: Apache-2.0
 *
 * Qr and Svd: decompositions of matrices in float64, rounded once. A matrix with an element that is not finite has no
 * singular values: nothing is written for it and run->fault is set.
 */
#include "ops/dense.h"
#include "ops/indexing.h"
#include "ops/move.h"

#include <string.h>

enum { MOST_OUTPUTS = 3 };

typedef struct decompose {
    jm_tensor in, out[MOST_OUTPUTS];
    bool wanted[MOST_OUTPUTS];
    int64_t batches, rows, columns;
    size_t chunks;
} decompose;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

static jm_status check_matrices(const jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    char text[JM_SHAPE_TEXT];
    if (shape->rank >= 2) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "%s are no matrices", jm_shape_text(shape, text));
}

/* Matrices of other dimensions in the same batches. */
static jm_shape matrices(const jm_shape *like, int64_t rows, int64_t columns)
{
    jm_shape shape = *like;
    shape.dim[shape.rank - 2] = rows;
    shape.dim[shape.rank - 1] = columns;
    return shape;
}

/* `doubles` of scratch for one matrix. */
static jm_status create(const jm_call *call, const jm_machine *machine, jm_arena *arena, size_t doubles, double sweeps,
                        jm_plan *plan, decompose **out)
{
    decompose *d = *out = jm_arena_alloc(arena, 1, sizeof(*d));
    if (!d) return JM_OUT_OF_MEMORY;
    d->in = call->in[0];
    const jm_shape *shape = &d->in.shape;
    d->rows = shape->dim[shape->rank - 2];
    d->columns = shape->dim[shape->rank - 1];
    d->batches = 1;
    for (int k = 0; k + 2 < shape->rank; k++) d->batches *= shape->dim[k];
    for (int i = 0; i < call->outputs; i++) {
        d->out[i] = call->out[i];
        d->wanted[i] = call->out[i].dtype != JM_DTYPE_NONE;
    }
    if (!jm_size_mul(doubles, sizeof(double), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the matrices are too large");
    const double bytes = sweeps * (double)d->rows * (double)d->columns * (double)JM_MIN(d->rows, d->columns);
    d->chunks = plan->chunks = jm_chunk_count(machine, bytes * (double)d->batches, d->batches);
    plan->state = d;
    return JM_OK;
}

static const char *matrix_in(const decompose *d, const jm_run *run, int64_t batch)
{
    return (const char *)run->in[0] + jm_dense_offset(&d->in, batch, 2);
}

static void write_out(const decompose *d, const jm_run *run, int output, int64_t batch, const double *a)
{
    jm_dense_write(&d->out[output], (char *)run->out[output] + jm_dense_offset(&d->out[output], batch, 2), a);
}

/* a * b for sizes, saturating: jm_size_mul refuses the result then. */
static size_t area(int64_t a, int64_t b)
{
    size_t product;
    return jm_size_mul((size_t)a, (size_t)b, &product) ? product : SIZE_MAX / 16;
}

/* ---- Qr ---- */

enum { Q, R };
enum { REDUCED, COMPLETE, ONLY_R };

static jm_status qr_mode(const jm_call *call, int *mode)
{
    static const char *const text[] = {"reduced", "complete", "r"};
    for (int i = 0; i < (int)JM_COUNT(text); i++) {
        if (strcmp(call->attr[0].s, text[i]) != 0) continue;
        *mode = i;
        return JM_OK;
    }
    return jm_call_error(call, JM_INVALID_ARGUMENT, "mode '%s' is none of reduced, complete, r", call->attr[0].s);
}

static jm_status infer_qr(jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    int mode = REDUCED;
    JM_TRY(check_matrices(call));
    JM_TRY(qr_mode(call, &mode));
    const int64_t m = shape->dim[shape->rank - 2], n = shape->dim[shape->rank - 1], k = JM_MIN(m, n);
    const jm_shape want[] = {
        [Q] = mode == ONLY_R ? (jm_shape){.rank = 1} : matrices(shape, m, mode == COMPLETE ? m : k),
        [R] = matrices(shape, mode == COMPLETE ? m : k, n),
    };
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = call->in[0].dtype;
        call->out[i].shape = want[i];
    }
    return JM_OK;
}

static jm_status plan_qr(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                         jm_plan *plan)
{
    (void)form;
    decompose *d;
    const jm_shape *shape = &call->in[0].shape;
    const int64_t m = shape->dim[shape->rank - 2], n = shape->dim[shape->rank - 1];
    int mode = REDUCED;
    JM_TRY(qr_mode(call, &mode));
    const size_t doubles = area(m, n) + area(m, JM_MAX(m, n)) + (size_t)JM_MIN(m, n);
    JM_TRY(create(call, machine, arena, doubles, 16, plan, &d));
    d->wanted[Q] = d->wanted[Q] && mode != ONLY_R;
    return JM_OK;
}

static void qr_of(const decompose *d, const jm_run *run, int64_t batch)
{
    const int64_t m = d->rows, n = d->columns, k = JM_MIN(m, n);
    double *a = run->scratch, *tau = a + m * n, *other = tau + k;
    jm_dense_read(&d->in, matrix_in(d, run, batch), a);
    jm_dense_qr(a, m, n, tau);
    if (d->wanted[R]) {
        const int64_t rows = d->out[R].shape.dim[d->out[R].shape.rank - 2];
        for (int64_t c = 0; c < n; c++)
            for (int64_t r = 0; r < rows; r++) other[c * rows + r] = r <= c && r < k ? a[c * m + r] : 0;
        write_out(d, run, R, batch, other);
    }
    if (!d->wanted[Q]) return;
    const int64_t columns = d->out[Q].shape.dim[d->out[Q].shape.rank - 1];
    for (int64_t c = 0; c < columns; c++)
        for (int64_t r = 0; r < m; r++) other[c * m + r] = r == c;
    jm_dense_apply_q(a, tau, m, k, other, columns);
    write_out(d, run, Q, batch, other);
}

static void run_qr(const jm_plan *plan, const jm_run *run)
{
    const decompose *d = plan->state;
    int64_t begin, end;
    jm_chunk_range(d->batches, d->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) qr_of(d, run, i);
}

static const jm_param qr_param[] = {
    {"A", JM_PARAM_INPUT, 0, .doc = "[batch..., m, n]"},
    {"Q", JM_PARAM_OUTPUT, JM_SWITCHED, .doc = "orthonormal columns"},
    {"R", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "upper triangles"},
    {"mode", JM_PARAM_STRING, JM_OPTIONAL, .s = "reduced",
     .doc = "reduced: Q [m, k], R [k, n] with k = min(m, n); complete: Q [m, m], R [m, n]; r: R alone, [k, n]"},
};

const jm_op jm_op_qr = {
    .name = "Qr",
    .param = qr_param,
    .params = JM_COUNT(qr_param),
    .dtypes = 1u << JM_F32 | 1u << JM_F64,
    .formula = "A = Q R, by Householder's reflections",
    .source = "PyTorch linalg.qr",
    .infer = infer_qr,
    .forms = forms,
    .plan = plan_qr,
    .run = run_qr,
};

/* ---- Svd ---- */

enum { SIGMA, U, V };
enum { FULL_MATRICES, COMPUTE_UV };

static jm_status infer_svd(jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape, off = {.rank = 1};
    JM_TRY(check_matrices(call));
    const bool full = call->attr[FULL_MATRICES].i, uv = call->attr[COMPUTE_UV].i;
    const int64_t m = shape->dim[shape->rank - 2], n = shape->dim[shape->rank - 1], k = JM_MIN(m, n);
    jm_shape sigma = *shape;
    sigma.rank--;
    sigma.dim[sigma.rank - 1] = k;
    const jm_shape want[] = {
        [SIGMA] = sigma,
        [U] = uv ? matrices(shape, m, full ? m : k) : off,
        [V] = uv ? matrices(shape, n, full ? n : k) : off,
    };
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = call->in[0].dtype;
        call->out[i].shape = want[i];
    }
    return JM_OK;
}

static jm_status plan_svd(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan)
{
    (void)form;
    decompose *d;
    const jm_shape *shape = &call->in[0].shape;
    const int64_t m = shape->dim[shape->rank - 2], n = shape->dim[shape->rank - 1], large = JM_MAX(m, n),
                  k = JM_MIN(m, n);
    const size_t doubles = area(large, k) + area(large, large) + 2 * area(k, k) + 2 * (size_t)k;
    JM_TRY(create(call, machine, arena, doubles, 200, plan, &d));
    for (int i = U; i <= V; i++) d->wanted[i] = d->wanted[i] && call->attr[COMPUTE_UV].i;
    return JM_OK;
}

/* The side of A that has more elements along it: Q times the square vectors, and the rest of Q's columns. */
static void write_long_side(const decompose *d, const jm_run *run, int output, int64_t batch, const double *a,
                            const double *tau, const double *square, double *room)
{
    const int64_t large = JM_MAX(d->rows, d->columns), k = JM_MIN(d->rows, d->columns);
    const int64_t columns = d->out[output].shape.dim[d->out[output].shape.rank - 1];
    for (int64_t c = 0; c < columns; c++)
        for (int64_t r = 0; r < large; r++)
            room[c * large + r] = c < k ? (r < k ? square[c * k + r] : 0) : (double)(r == c);
    jm_dense_apply_q(a, tau, large, k, room, columns);
    write_out(d, run, output, batch, room);
}

/* A or its transpose, whichever has no fewer rows than columns, is Q R; R, which is square, is U sigma V^T. */
static void svd_of(const decompose *d, const jm_run *run, int64_t batch)
{
    const bool wide = d->columns > d->rows;
    const int64_t large = JM_MAX(d->rows, d->columns), k = JM_MIN(d->rows, d->columns);
    double *a = run->scratch, *tau = a + large * k, *sigma = tau + k, *square = sigma + k, *v = square + k * k;
    double *room = v + k * k;
    jm_dense_read(&d->in, matrix_in(d, run, batch), wide ? room : a);
    for (int64_t c = 0; wide && c < k; c++)
        for (int64_t r = 0; r < large; r++) a[c * large + r] = room[r * k + c];
    if (!jm_dense_finite(a, large * k)) {
        atomic_store_explicit(run->fault, JM_INVALID_ARGUMENT, memory_order_relaxed);
        return;
    }
    jm_dense_qr(a, large, k, tau);
    for (int64_t c = 0; c < k; c++)
        for (int64_t r = 0; r < k; r++) square[c * k + r] = r <= c ? a[c * large + r] : 0;
    jm_dense_svd(square, k, sigma, v);
    char *out = (char *)run->out[SIGMA] + jm_dense_offset(&d->out[SIGMA], batch, 1);
    for (int64_t i = 0; i < k; i++)
        jm_element_from_f64(d->in.dtype, sigma[i],
                            out + i * jm_byte_stride(&d->out[SIGMA], d->out[SIGMA].shape.rank - 1));
    const int long_side = wide ? V : U, short_side = wide ? U : V;
    if (d->wanted[short_side]) write_out(d, run, short_side, batch, v);
    if (d->wanted[long_side]) write_long_side(d, run, long_side, batch, a, tau, square, room);
}

static void run_svd(const jm_plan *plan, const jm_run *run)
{
    const decompose *d = plan->state;
    int64_t begin, end;
    jm_chunk_range(d->batches, d->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) svd_of(d, run, i);
}

static const jm_param svd_param[] = {
    {"A", JM_PARAM_INPUT, 0, .doc = "[batch..., m, n]"},
    {"sigma", JM_PARAM_OUTPUT, 0, .doc = "[batch..., k] with k = min(m, n), descending"},
    {"U", JM_PARAM_OUTPUT, JM_OPTIONAL | JM_SWITCHED, .doc = "[batch..., m, k], or [batch..., m, m]"},
    {"V", JM_PARAM_OUTPUT, JM_OPTIONAL | JM_SWITCHED, .doc = "[batch..., n, k], or [batch..., n, n]; not transposed"},
    {"full_matrices", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: U and V are square"},
    {"compute_uv", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "0: U and V have no elements"},
};

const jm_op jm_op_svd = {
    .name = "Svd",
    .param = svd_param,
    .params = JM_COUNT(svd_param),
    .dtypes = 1u << JM_F32 | 1u << JM_F64,
    .formula = "A = U diag(sigma) V^T, by one-sided Jacobi rotations",
    .source = "PyTorch linalg.svd",
    .infer = infer_svd,
    .forms = forms,
    .plan = plan_svd,
    .run = run_svd,
};
