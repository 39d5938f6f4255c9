/* SPDX-License-Identifier: Apache-2.0
 *
 * SearchSorted: where values belong in sorted lines.
 */
#include "ops/indexing.h"
#include "ops/move.h"

enum { SEQUENCE, VALUES, SORTER };

typedef struct search {
    jm_walk lines;                             /* stream 0: sequence, 1: values, 2: output */
    jm_walk order;                             /* of the same lines; stream 0: sorter */
    jm_dtype dtype, sorter_dtype;              /* JM_DTYPE_NONE: no sorter */
    int64_t length, values, step, values_step; /* along the last dimension; bytes */
    int64_t output_step, sorter_step;
    bool right;
    size_t chunks;
} search;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    form[0].cost += 20.0 * (double)jm_tensor_elements(&call->in[VALUES]);
    return 1;
}

static jm_status infer(jm_call *call)
{
    const jm_tensor *sequence = &call->in[SEQUENCE], *values = &call->in[VALUES], *sorter = jm_call_in(call, SORTER);
    const int rank = sequence->shape.rank;
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    bool fits = rank == 1 || (rank > 1 && values->shape.rank == rank);
    for (int k = 0; fits && rank > 1 && k < rank - 1; k++) fits = sequence->shape.dim[k] == values->shape.dim[k];
    if (!fits)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "sequence %s and values %s do not fit",
                             jm_shape_text(&sequence->shape, a), jm_shape_text(&values->shape, b));
    if (values->dtype != sequence->dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "values are %s and the sequence is %s",
                             jm_dtype_text(values->dtype), jm_dtype_text(sequence->dtype));
    if (sorter) JM_TRY(jm_index_check(call, SORTER));
    if (sorter && !jm_shape_equal(&sorter->shape, &sequence->shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "sorter %s must have the shape of the sequence %s",
                             jm_shape_text(&sorter->shape, a), jm_shape_text(&sequence->shape, b));
    call->out[0].dtype = JM_I64;
    call->out[0].shape = values->shape;
    return JM_OK;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *result)
{
    (void)form;
    const jm_tensor *sequence = &call->in[SEQUENCE], *values = &call->in[VALUES], *out = &call->out[0];
    const jm_tensor *sorter = jm_call_in(call, SORTER);
    const int last = values->shape.rank - 1, end = sequence->shape.rank - 1;
    search *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->lines.count = s->order.count = 1;
    for (int k = 0; k < last; k++) {
        jm_walk_add(&s->lines, values->shape.dim[k], end ? jm_byte_stride(sequence, k) : 0, jm_byte_stride(values, k),
                    jm_byte_stride(out, k));
        jm_walk_add(&s->order, values->shape.dim[k], end && sorter ? jm_byte_stride(sorter, k) : 0, 0, 0);
    }
    s->dtype = sequence->dtype;
    s->sorter_dtype = sorter ? sorter->dtype : JM_DTYPE_NONE;
    s->length = sequence->shape.dim[end];
    s->step = jm_byte_stride(sequence, end);
    s->sorter_step = sorter ? jm_byte_stride(sorter, end) : 0;
    s->values = last < 0 ? 1 : values->shape.dim[last];
    s->values_step = last < 0 ? 0 : jm_byte_stride(values, last);
    s->output_step = last < 0 ? 0 : jm_byte_stride(out, last);
    s->right = call->attr[0].i != 0;
    s->chunks = result->chunks = jm_chunk_count(machine, 64.0 * (double)jm_tensor_elements(values), s->lines.count);
    result->state = s;
    return JM_OK;
}

/* Whether the value belongs behind the element. */
static bool behind(const search *s, const char *element, const char *value)
{
    if (JM_DTYPES_FLOAT >> s->dtype & 1) {
        const double a = jm_element_to_f64(s->dtype, element), b = jm_element_to_f64(s->dtype, value);
        return s->right ? !(a > b) : !(a >= b);
    }
    const int64_t a = jm_element_to_i64(s->dtype, element), b = jm_element_to_i64(s->dtype, value);
    return s->right ? a <= b : a < b;
}

/* The first place whose element is not before the value. */
static int64_t place(const search *s, const jm_run *run, const char *line, const char *order, const char *value)
{
    int64_t begin = 0, end = s->length;
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        int64_t offset = 0;
        const jm_index_axis axis = {s->length, s->step};
        if (!order)
            offset = middle * s->step;
        else if (!jm_index_add(&axis, s->sorter_dtype, order + middle * s->sorter_step, &offset)) {
            jm_index_fault(run);
            return 0;
        }
        if (behind(s, line + offset, value))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void run_search(const jm_plan *plan_, const jm_run *run)
{
    const search *s = plan_->state;
    int64_t begin, end;
    jm_chunk_range(s->lines.count, s->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t offset[JM_WALK_STREAMS], order[JM_WALK_STREAMS];
        jm_walk_at(&s->lines, i, offset);
        jm_walk_at(&s->order, i, order);
        const char *sorter = s->sorter_dtype < 0 ? NULL : (const char *)run->in[SORTER] + order[0];
        for (int64_t j = 0; j < s->values; j++) {
            const int64_t found = place(s, run, (const char *)run->in[SEQUENCE] + offset[0], sorter,
                                        (const char *)run->in[VALUES] + offset[1] + j * s->values_step);
            *(int64_t *)((char *)run->out[0] + offset[2] + j * s->output_step) = found;
        }
    }
}

static const jm_param param[] = {
    {"sequence", JM_PARAM_INPUT, 0,
     .doc = "sorted along its last dimension; rank 1, or the leading dimensions of values"},
    {"values", JM_PARAM_INPUT, 0, .doc = "of the type of the sequence"},
    {"sorter", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "int32 or int64: indices that bring each line in order"},
    {"places", JM_PARAM_OUTPUT, 0, .doc = "int64, shape of values"},
    {"right", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: behind equal elements, 0: in front of them"},
};

const jm_op jm_op_search_sorted = {
    .name = "SearchSorted",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT,
    .formula = "the number of elements before the value; NaN is behind all",
    .source = "PyTorch searchsorted",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run_search,
};
