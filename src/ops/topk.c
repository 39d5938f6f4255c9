/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/indexing.h"
#include "ops/move.h"
#include "ops/order.h"

#include <string.h>

enum { DATA, K };
enum { TO_DATA, TO_VALUES, TO_INDICES };

typedef struct topk {
    jm_walk rows;
    jm_dtype dtype;
    int64_t dim, k;
    int64_t data_step, values_step, indices_step; /* bytes along the axis */
    bool largest;
    size_t chunks;
} topk;

static jm_status read_k(const jm_call *call, int *axis, int64_t *k)
{
    int count;
    JM_TRY(jm_axis_normalise(call->attr[0].i, call->in[DATA].shape.rank, axis));
    JM_TRY(jm_call_host_ints(call, K, k, 1, &count));
    int64_t dim = call->in[DATA].shape.dim[*axis];
    if (count != 1 || *k < 0 || (dim >= 0 && *k > dim))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "K must be one number from 0 to the %lld elements of axis %d",
                             (long long)dim, *axis);
    return JM_OK;
}

static jm_status infer(jm_call *call)
{
    int axis;
    int64_t k;
    JM_TRY(read_k(call, &axis, &k));
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = i == 0 ? call->in[DATA].dtype : JM_I64;
        call->out[i].shape = call->in[DATA].shape;
        call->out[i].shape.dim[axis] = k;
    }
    return JM_OK;
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    int64_t count = 0;
    if (jm_shape_count(&call->in[DATA].shape, &count) != JM_OK) count = 0;
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    form[0].cost += 2.0 * (double)count;
    return 1;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *result)
{
    (void)form;
    topk *t = jm_arena_alloc(arena, 1, sizeof(*t));
    if (!t) return JM_OUT_OF_MEMORY;
    const jm_tensor *data = &call->in[DATA], *values = &call->out[0];
    const jm_tensor *indices = call->outputs > 1 ? &call->out[1] : NULL;
    int axis;
    JM_TRY(read_k(call, &axis, &t->k));
    t->rows.count = 1;
    for (int d = 0; d < data->shape.rank; d++)
        if (d != axis)
            jm_walk_add(&t->rows, data->shape.dim[d], jm_byte_stride(data, d), jm_byte_stride(values, d),
                        indices ? jm_byte_stride(indices, d) : 0);
    t->dtype = data->dtype;
    t->dim = data->shape.dim[axis];
    t->data_step = jm_byte_stride(data, axis);
    t->values_step = jm_byte_stride(values, axis);
    t->indices_step = indices ? jm_byte_stride(indices, axis) : 0;
    t->largest = call->attr[1].i != 0;
    double bytes = (double)t->rows.count * (double)t->dim * (double)sizeof(jm_order_entry);
    t->chunks = result->chunks = jm_chunk_count(machine, bytes, t->rows.count);
    result->state = t;
    if (!jm_size_mul((size_t)t->k, sizeof(jm_order_entry), &result->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "K is %lld, which is too large", (long long)t->k);
    return JM_OK;
}

static void run(const jm_plan *plan_, const jm_run *run_)
{
    const topk *t = plan_->state;
    jm_order_entry *heap = run_->scratch;
    size_t size = jm_dtype_size(t->dtype);
    int64_t begin, end;
    jm_chunk_range(t->rows.count, t->chunks, run_->chunk, &begin, &end);
    for (int64_t row = begin; row < end && t->k > 0; row++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&t->rows, row, offset);
        const char *data = (const char *)run_->in[DATA] + offset[TO_DATA];
        jm_order_select(t->dtype, data, t->data_step, t->dim, t->largest, t->k, heap);
        char *values = (char *)run_->out[0] + offset[TO_VALUES];
        char *indices = t->indices_step ? (char *)run_->out[1] + offset[TO_INDICES] : NULL;
        for (int64_t i = 0; i < t->k; i++) {
            memcpy(values + i * t->values_step, data + heap[i].index * t->data_step, size);
            if (indices) memcpy(indices + i * t->indices_step, &heap[i].index, sizeof(heap[i].index));
        }
    }
}

static const jm_param param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"K", JM_PARAM_INPUT, JM_HOST, .doc = "how many, at most the dimension of the axis"},
    {"Values", JM_PARAM_OUTPUT, 0, .doc = "the K elements, best first"},
    {"Indices", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "int64, where they were along the axis"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "in [-rank, rank)"},
    {"largest", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "1: largest first; 0: smallest first"},
    {"sorted", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "the result is sorted whatever it says"},
};

const jm_op jm_op_topk = {
    .name = "TopK",
    .param = param,
    .params = JM_COUNT(param),
    .formula = "the K largest or smallest along axis; equal ones by lower index; NaN counts as larger than all",
    .source = "ONNX TopK-11",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run,
};
