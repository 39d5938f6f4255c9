/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/indexing.h"
#include "ops/move.h"

#include <string.h>

enum { DATA, K };
enum { TO_DATA, TO_VALUES, TO_INDICES };

/* An element as an unsigned number of the same order, so that one heap serves every dtype. */
typedef struct entry {
    uint64_t key;
    int64_t index;
} entry;

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
    double bytes = (double)t->rows.count * (double)t->dim * (double)sizeof(entry);
    t->chunks = result->chunks = jm_chunk_count(machine, bytes, t->rows.count);
    result->state = t;
    if (!jm_size_mul((size_t)t->k, sizeof(entry), &result->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "K is %lld, which is too large", (long long)t->k);
    return JM_OK;
}

/* Order of the key is the order of the elements; -0 equals 0 and NaN is above everything. */
static uint64_t sort_key(jm_dtype dtype, const void *element)
{
    const uint64_t sign = (uint64_t)1 << 63;
    switch (dtype) {
    case JM_F32:
    case JM_F16:
    case JM_BF16:
    case JM_F64: {
        double value = jm_element_to_f64(dtype, element) + 0.0;
        if (value != value) return UINT64_MAX;
        uint64_t bits;
        memcpy(&bits, &value, sizeof(bits));
        return bits & sign ? ~bits : bits | sign;
    }
    case JM_U64:
        return (uint64_t)jm_element_to_i64(dtype, element);
    default:
        return (uint64_t)jm_element_to_i64(dtype, element) ^ sign;
    }
}

/* a is left out before b: smaller, or equal and later. */
static bool worse(entry a, entry b)
{
    return a.key < b.key || (a.key == b.key && a.index > b.index);
}

/* Restores the heap, whose root is the worst entry, below `i`. */
static void sift_down(entry *heap, int64_t count, int64_t i)
{
    for (;;) {
        int64_t least = 2 * i + 1;
        if (least >= count) return;
        if (least + 1 < count && worse(heap[least + 1], heap[least])) least++;
        if (!worse(heap[least], heap[i])) return;
        entry swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

static void select_row(const topk *t, const char *data, entry *heap)
{
    for (int64_t i = 0; i < t->dim; i++) {
        uint64_t key = sort_key(t->dtype, data + i * t->data_step);
        entry next = {t->largest ? key : ~key, i};
        if (i < t->k) {
            heap[i] = next;
            if (i + 1 < t->k) continue;
            for (int64_t j = t->k / 2; j-- > 0;) sift_down(heap, t->k, j);
        } else if (worse(heap[0], next)) {
            heap[0] = next;
            sift_down(heap, t->k, 0);
        }
    }
    for (int64_t last = t->k - 1; last > 0; last--) {
        entry swap = heap[0];
        heap[0] = heap[last];
        heap[last] = swap;
        sift_down(heap, last, 0);
    }
}

static void run(const jm_plan *plan_, const jm_run *run_)
{
    const topk *t = plan_->state;
    entry *heap = run_->scratch;
    size_t size = jm_dtype_size(t->dtype);
    int64_t begin, end;
    jm_chunk_range(t->rows.count, t->chunks, run_->chunk, &begin, &end);
    for (int64_t row = begin; row < end && t->k > 0; row++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&t->rows, row, offset);
        const char *data = (const char *)run_->in[DATA] + offset[TO_DATA];
        select_row(t, data, heap);
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
