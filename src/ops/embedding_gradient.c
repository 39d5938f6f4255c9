/* SPDX-License-Identifier: Apache-2.0
 *
 * EmbeddingGradient: what each row of an embedding gets from the gradients of the rows that were looked up, added in
 * their order. A number that is out of range adds nothing and sets run->fault.
 */
#include "ops/indexing.h"
#include "ops/move.h"

#include <string.h>

enum { GRADIENT, INDICES };
enum { ROWS, PADDING, SCALE };

typedef struct embedding_gradient {
    jm_walk lookups; /* stream 0: gradient, 1: index */
    jm_dtype dtype, index_dtype;
    int64_t rows, columns, padding;
    int64_t gradient_step, row_step, column_step; /* bytes; the last two of the output */
    bool scale;
    size_t chunks;
} embedding_gradient;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

static jm_status infer(jm_call *call)
{
    const jm_shape *gradient = &call->in[GRADIENT].shape, *indices = &call->in[INDICES].shape;
    const int64_t rows = call->attr[ROWS].i;
    JM_TRY(jm_index_check(call, INDICES));
    if (rows < 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "rows is %lld", (long long)rows);
    int64_t looked_up = 1, given = 1;
    for (int k = 0; k + 1 < gradient->rank; k++) looked_up *= gradient->dim[k];
    for (int k = 0; k < indices->rank; k++) given *= indices->dim[k];
    const bool same = gradient->rank == indices->rank + 1 &&
                      memcmp(gradient->dim, indices->dim, (size_t)indices->rank * sizeof(*indices->dim)) == 0;
    if (gradient->rank < 1 || !(same || (looked_up == given && gradient->rank == 2))) {
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "gradient %s has no row for each index of %s",
                             jm_shape_text(gradient, a), jm_shape_text(indices, b));
    }
    call->out[0].dtype = call->in[GRADIENT].dtype;
    call->out[0].shape = (jm_shape){.rank = 2, .dim = {rows, gradient->dim[gradient->rank - 1]}};
    return JM_OK;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *plan)
{
    (void)form;
    const jm_tensor *gradient = &call->in[GRADIENT], *indices = &call->in[INDICES], *out = &call->out[0];
    embedding_gradient *e = jm_arena_alloc(arena, 1, sizeof(*e));
    if (!e) return JM_OUT_OF_MEMORY;
    e->lookups.count = 1;
    if (gradient->shape.rank != indices->shape.rank + 1) {
        /* One row of the gradient after the other; only a list of indices has even steps. */
        if (!jm_tensor_contiguous(indices))
            return jm_call_error(call, JM_UNSUPPORTED, "indices of another shape than the gradient must have no gaps");
        jm_walk_add(&e->lookups, gradient->shape.dim[0], jm_byte_stride(gradient, 0),
                    (int64_t)jm_dtype_size(indices->dtype), 0);
    } else {
        for (int k = 0; k < indices->shape.rank; k++)
            jm_walk_add(&e->lookups, indices->shape.dim[k], jm_byte_stride(gradient, k), jm_byte_stride(indices, k), 0);
    }
    e->dtype = out->dtype;
    e->index_dtype = indices->dtype;
    e->rows = out->shape.dim[0];
    e->columns = out->shape.dim[1];
    e->padding = call->attr[PADDING].i;
    e->scale = call->attr[SCALE].i != 0;
    e->gradient_step = jm_byte_stride(gradient, gradient->shape.rank - 1);
    e->row_step = jm_byte_stride(out, 0);
    e->column_step = jm_byte_stride(out, 1);
    if (e->scale && !jm_size_mul((size_t)e->rows, sizeof(int64_t), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "%lld rows are too many", (long long)e->rows);
    const double elements = (double)(e->lookups.count + e->rows) * (double)e->columns;
    e->chunks = plan->chunks = jm_chunk_count(machine, 8 * elements, e->columns);
    plan->state = e;
    return JM_OK;
}

/* Adds columns [begin, end) of a row of the gradient. */
static void add_row(const embedding_gradient *e, char *out, const char *gradient, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        void *to = out + i * e->column_step;
        const void *from = gradient + i * e->gradient_step;
        if (e->dtype == JM_F32)
            *(float *)to += *(const float *)from;
        else
            *(double *)to += *(const double *)from;
    }
}

static void finish_row(const embedding_gradient *e, char *out, int64_t times, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end && times > 1; i++) {
        char *to = out + i * e->column_step;
        jm_element_from_f64(e->dtype, jm_element_to_f64(e->dtype, to) / (double)times, to);
    }
}

/* Each chunk has some of the columns. */
static void run(const jm_plan *plan, const jm_run *run)
{
    const embedding_gradient *e = plan->state;
    const jm_index_axis rows = {e->rows, 1};
    int64_t begin, end, *times = run->scratch;
    jm_chunk_range(e->columns, e->chunks, run->chunk, &begin, &end);
    char *out = run->out[0];
    for (int64_t row = 0; row < e->rows; row++)
        for (int64_t i = begin; i < end; i++)
            memset(out + row * e->row_step + i * e->column_step, 0, jm_dtype_size(e->dtype));
    if (e->scale && e->rows) memset(times, 0, (size_t)e->rows * sizeof(*times));
    for (int64_t i = 0; i < e->lookups.count; i++) {
        int64_t offset[JM_WALK_STREAMS], row = 0;
        jm_walk_at(&e->lookups, i, offset);
        const char *index = (const char *)run->in[INDICES] + offset[1];
        const int64_t number = jm_element_to_i64(e->index_dtype, index);
        if (number >= 0 && number == e->padding) continue;
        if (number < 0 || !jm_index_add(&rows, e->index_dtype, index, &row)) {
            jm_index_fault(run);
            continue;
        }
        if (e->scale) times[row]++;
        add_row(e, out + row * e->row_step, (const char *)run->in[GRADIENT] + offset[0], begin, end);
    }
    for (int64_t row = 0; e->scale && row < e->rows; row++)
        finish_row(e, out + row * e->row_step, times[row], begin, end);
}

static const jm_param param[] = {
    {"gradient", JM_PARAM_INPUT, 0, .doc = "[..., columns], a row for each index"},
    {"indices", JM_PARAM_INPUT, 0, .doc = "int32 or int64 in [0, rows)"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "[rows, columns]"},
    {"rows", JM_PARAM_INT, 0, .doc = "rows of the embedding"},
    {"padding", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "a row that gets nothing; negative: none"},
    {"scale", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: each row is divided by how often it was looked up"},
};

const jm_op jm_op_embedding_gradient = {
    .name = "EmbeddingGradient",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = 1u << JM_F32 | 1u << JM_F64,
    .formula = "output[r] = sum of gradient[i] over all i with indices[i] = r, in their order",
    .source = "PyTorch embedding_dense_backward",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run,
};
