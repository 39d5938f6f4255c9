/* SPDX-License-Identifier: Apache-2.0
 *
 * CumSum, CumProd, ReverseSequence, Trilu and OneHot: each line of the output along one axis is made on its own.
 */
#include "ops/indexing.h"
#include "ops/move.h"

#include <string.h>

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

/* Which line, and where stream 2 is. */
typedef struct line_place {
    int64_t number, offset;
} line_place;

/* Lines of the output, and where each starts in input 0. */
typedef struct lines {
    jm_walk walk;                      /* stream 0: input, 1: output, 2: the operator's own */
    int64_t length, in_step, out_step; /* along the axis; bytes */
    jm_dtype dtype;
    size_t chunks;
    void (*line)(const struct lines *lines, const jm_run *run, const char *in, char *out, const line_place *place);
    int64_t parameter;    /* CumSum: bits EXCLUSIVE, REVERSE; Trilu: diagonal */
    bool upper;           /* Trilu */
    int64_t rows;         /* Trilu */
    jm_dtype index_dtype; /* OneHot, ReverseSequence */
    int64_t value_step;   /* OneHot; bytes */
} lines;

static void run(const jm_plan *plan, const jm_run *run_)
{
    const lines *l = plan->state;
    int64_t begin, end;
    jm_chunk_range(l->walk.count, l->chunks, run_->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&l->walk, i, offset);
        const line_place place = {i, offset[2]};
        l->line(l, run_, (const char *)run_->in[0] + offset[0], (char *)run_->out[0] + offset[1], &place);
    }
}

static lines *create(jm_arena *arena, const jm_tensor *out, int axis)
{
    lines *l = jm_arena_alloc(arena, 1, sizeof(*l));
    if (!l) return NULL;
    l->walk.count = 1;
    l->dtype = out->dtype;
    l->length = out->shape.dim[axis];
    l->out_step = jm_byte_stride(out, axis);
    return l;
}

static jm_status finish(lines *l, const jm_machine *machine, jm_plan *plan)
{
    double bytes = (double)l->walk.count * (double)l->length * (double)jm_dtype_size(l->dtype);
    l->chunks = plan->chunks = jm_chunk_count(machine, bytes, l->walk.count);
    plan->state = l;
    return JM_OK;
}

static jm_status infer_as_input(jm_call *call)
{
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    return JM_OK;
}

/* ---- CumSum and CumProd ---- */

enum { EXCLUSIVE = 1, REVERSE = 2 };

#define CUMULATIVE_DTYPES (1u << JM_F32 | 1u << JM_F64 | 1u << JM_I32 | 1u << JM_U32 | 1u << JM_I64 | 1u << JM_U64)

/* One line in one dtype; integers wrap. */
#define CUMULATIVE_LINE(name, type, first, join)                                                                       \
    static void name(const lines *l, const jm_run *run_, const char *in, char *out, const line_place *place)           \
    {                                                                                                                  \
        (void)run_, (void)place;                                                                                       \
        type sum = first;                                                                                              \
        for (int64_t i = 0; i < l->length; i++) {                                                                      \
            int64_t at = l->parameter & REVERSE ? l->length - 1 - i : i;                                               \
            type value = *(const type *)(in + at * l->in_step), next = sum join value;                                 \
            *(type *)(out + at * l->out_step) = l->parameter & EXCLUSIVE ? sum : next;                                 \
            sum = next;                                                                                                \
        }                                                                                                              \
    }

CUMULATIVE_LINE(cumsum_f32, float, 0, +)
CUMULATIVE_LINE(cumsum_f64, double, 0, +)
CUMULATIVE_LINE(cumsum_u32, uint32_t, 0, +)
CUMULATIVE_LINE(cumsum_u64, uint64_t, 0, +)
CUMULATIVE_LINE(cumprod_f32, float, 1, *)
CUMULATIVE_LINE(cumprod_f64, double, 1, *)
CUMULATIVE_LINE(cumprod_u32, uint32_t, 1, *)
CUMULATIVE_LINE(cumprod_u64, uint64_t, 1, *)

static jm_status cumulative_axis(const jm_call *call, int *axis)
{
    int64_t value;
    int count;
    JM_TRY(jm_call_host_ints(call, 1, &value, 1, &count));
    if (count != 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis must be one number");
    return jm_axis_normalise(value, call->in[0].shape.rank, axis);
}

static jm_status infer_cumulative(jm_call *call)
{
    int axis;
    JM_TRY(cumulative_axis(call, &axis));
    return infer_as_input(call);
}

extern const jm_op jm_op_cumprod;

static jm_status plan_cumulative(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                 jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    int axis;
    JM_TRY(cumulative_axis(call, &axis));
    lines *l = create(arena, out, axis);
    if (!l) return JM_OUT_OF_MEMORY;
    l->in_step = jm_byte_stride(in, axis);
    l->parameter = (call->attr[0].i ? EXCLUSIVE : 0) | (call->attr[1].i ? REVERSE : 0);
    const bool product = call->op == &jm_op_cumprod;
    if (in->dtype == JM_F32)
        l->line = product ? cumprod_f32 : cumsum_f32;
    else if (in->dtype == JM_F64)
        l->line = product ? cumprod_f64 : cumsum_f64;
    else if (jm_dtype_size(in->dtype) == sizeof(uint32_t))
        l->line = product ? cumprod_u32 : cumsum_u32;
    else
        l->line = product ? cumprod_u64 : cumsum_u64;
    for (int k = 0; k < in->shape.rank; k++)
        if (k != axis) jm_walk_add(&l->walk, in->shape.dim[k], jm_byte_stride(in, k), jm_byte_stride(out, k), 0);
    return finish(l, machine, plan);
}

static const jm_param cumulative_param[] = {
    {"x", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"axis", JM_PARAM_INPUT, JM_HOST, .doc = "one number in [-rank, rank)"},
    {"y", JM_PARAM_OUTPUT, 0, .doc = "running sums or products"},
    {"exclusive", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: without the element itself"},
    {"reverse", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: from the end"},
};

const jm_op jm_op_cumsum = {
    .name = "CumSum",
    .param = cumulative_param,
    .params = JM_COUNT(cumulative_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = CUMULATIVE_DTYPES,
    .formula = "y[i] = x[0] + ... + x[i], added in this order in the dtype of x",
    .source = "ONNX CumSum-14",
    .infer = infer_cumulative,
    .forms = forms,
    .plan = plan_cumulative,
    .run = run,
};

const jm_op jm_op_cumprod = {
    .name = "CumProd",
    .param = cumulative_param,
    .params = JM_COUNT(cumulative_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = CUMULATIVE_DTYPES,
    .formula = "y[i] = x[0] x[1] ... x[i], multiplied in this order in the dtype of x",
    .source = "ONNX CumProd-26",
    .infer = infer_cumulative,
    .forms = forms,
    .plan = plan_cumulative,
    .run = run,
};

/* ---- ReverseSequence ---- */

/* The first elements of a line in reverse order, as many as input 1 says for its batch; the others as they are. */
static void reverse_line(const lines *l, const jm_run *run_, const char *in, char *out, const line_place *place)
{
    const size_t size = jm_dtype_size(l->dtype);
    int64_t length = jm_element_to_i64(l->index_dtype, (const char *)run_->in[1] + place->offset);
    if (length < 0 || length > l->length) {
        jm_index_fault(run_);
        length = 0;
    }
    for (int64_t i = 0; i < l->length; i++) {
        const int64_t from = i < length ? length - 1 - i : i;
        memcpy(out + i * l->out_step, in + from * l->in_step, size);
    }
}

static jm_status sequence_axes(const jm_call *call, int *batch, int *time)
{
    const int rank = call->in[0].shape.rank;
    const jm_shape *lengths = &call->in[1].shape;
    char text[JM_SHAPE_TEXT];
    JM_TRY(jm_axis_normalise(call->attr[0].i, rank, batch));
    JM_TRY(jm_axis_normalise(call->attr[1].i, rank, time));
    if (*batch == *time)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "batch_axis and time_axis are both %d", *batch);
    if (lengths->rank != 1 || (jm_shape_known(lengths) && lengths->dim[0] != call->in[0].shape.dim[*batch]))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "sequence_lens is %s and must have one number for each batch",
                             jm_shape_text(lengths, text));
    return jm_index_check(call, 1);
}

static jm_status infer_reverse(jm_call *call)
{
    int batch, time;
    JM_TRY(sequence_axes(call, &batch, &time));
    return infer_as_input(call);
}

static jm_status plan_reverse(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[0], *lengths = &call->in[1], *out = &call->out[0];
    int batch, time;
    JM_TRY(sequence_axes(call, &batch, &time));
    lines *l = create(arena, out, time);
    if (!l) return JM_OUT_OF_MEMORY;
    l->in_step = jm_byte_stride(in, time);
    l->index_dtype = lengths->dtype;
    l->line = reverse_line;
    for (int k = 0; k < in->shape.rank; k++)
        if (k != time)
            jm_walk_add(&l->walk, in->shape.dim[k], jm_byte_stride(in, k), jm_byte_stride(out, k),
                        k == batch ? jm_byte_stride(lengths, 0) : 0);
    return finish(l, machine, plan);
}

static const jm_param reverse_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "tensor of rank 2 or more"},
    {"sequence_lens", JM_PARAM_INPUT, 0, .doc = "int32 or int64, for each batch, at most the dimension of time_axis"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "input with the begin of each sequence in reverse order"},
    {"batch_axis", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "in [-rank, rank)"},
    {"time_axis", JM_PARAM_INT, JM_OPTIONAL, .i = 0, .doc = "in [-rank, rank)"},
};

const jm_op jm_op_reverse_sequence = {
    .name = "ReverseSequence",
    .param = reverse_param,
    .params = JM_COUNT(reverse_param),
    .formula = "Y[t, b] = t < n(b) ? input[n(b) - 1 - t, b] : input[t, b]",
    .source = "ONNX ReverseSequence-10",
    .infer = infer_reverse,
    .forms = forms,
    .plan = plan_reverse,
    .run = run,
};

/* ---- Trilu ---- */

static void trilu_line(const lines *l, const jm_run *run_, const char *in, char *out, const line_place *place)
{
    (void)run_;
    size_t size = jm_dtype_size(l->dtype);
    int64_t row = place->number % l->rows;
    for (int64_t c = 0; c < l->length; c++) {
        bool keep = l->upper ? c >= row + l->parameter : c <= row + l->parameter;
        if (keep)
            memcpy(out + c * l->out_step, in + c * l->in_step, size);
        else
            memset(out + c * l->out_step, 0, size);
    }
}

static jm_status trilu_diagonal(const jm_call *call, int64_t *k)
{
    const int64_t limit = (int64_t)1 << 41;
    int count;
    *k = 0;
    if (!jm_call_in(call, 1)) return JM_OK;
    JM_TRY(jm_call_host_ints(call, 1, k, 1, &count));
    if (count != 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "k must be one number");
    *k = JM_MIN(JM_MAX(*k, -limit), limit);
    return JM_OK;
}

static jm_status infer_trilu(jm_call *call)
{
    int64_t k;
    JM_TRY(trilu_diagonal(call, &k));
    if (call->in[0].shape.rank < 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the input has rank %d and must be matrices",
                             call->in[0].shape.rank);
    return infer_as_input(call);
}

static jm_status plan_trilu(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    int axis = in->shape.rank - 1;
    lines *l = create(arena, out, axis);
    if (!l) return JM_OUT_OF_MEMORY;
    JM_TRY(trilu_diagonal(call, &l->parameter));
    l->in_step = jm_byte_stride(in, axis);
    l->upper = call->attr[0].i != 0;
    l->rows = in->shape.dim[axis - 1];
    l->line = trilu_line;
    for (int k = 0; k < axis; k++)
        jm_walk_add(&l->walk, in->shape.dim[k], jm_byte_stride(in, k), jm_byte_stride(out, k), 0);
    return finish(l, machine, plan);
}

static const jm_param trilu_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "matrices in the last two dimensions"},
    {"k", JM_PARAM_INPUT, JM_HOST | JM_OPTIONAL, .doc = "diagonal: 0 the main one, positive above it"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "input with zeros on the other side of the diagonal"},
    {"upper", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "1 keeps the upper part, 0 the lower"},
};

const jm_op jm_op_trilu = {
    .name = "Trilu",
    .param = trilu_param,
    .params = JM_COUNT(trilu_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "output[r, c] = c >= r + k ? input[r, c] : 0, or c <= r + k",
    .source = "ONNX Trilu-14",
    .infer = infer_trilu,
    .forms = forms,
    .plan = plan_trilu,
    .run = run,
};

/* ---- OneHot ---- */

enum { INDICES, DEPTH, VALUES };

static void onehot_line(const lines *l, const jm_run *run_, const char *in, char *out, const line_place *place)
{
    (void)place;
    size_t size = jm_dtype_size(l->dtype);
    const char *off = run_->in[VALUES], *on = off + l->value_step;
    int64_t hot = jm_element_to_i64(l->index_dtype, in);
    if (hot < 0) hot += l->length;
    for (int64_t i = 0; i < l->length; i++) memcpy(out + i * l->out_step, i == hot ? on : off, size);
}

/* ONNX allows depths of any numeric type. */
static jm_status onehot_axis(const jm_call *call, int *axis, int64_t *depth)
{
    const jm_tensor *in = &call->in[DEPTH];
    *depth = 0;
    JM_TRY(jm_axis_normalise(call->attr[0].i, call->in[INDICES].shape.rank + 1, axis));
    if (!in->constant || in->layout != JM_PLAIN || !in->data)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the value of depth must be known at compile time");
    if (jm_tensor_elements(in) == 1) *depth = jm_element_to_i64(in->dtype, in->data);
    if (*depth < 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "depth must be one positive number");
    return JM_OK;
}

static jm_status infer_onehot(jm_call *call)
{
    const jm_shape *indices = &call->in[INDICES].shape, *values = &call->in[VALUES].shape;
    int axis;
    int64_t depth;
    JM_TRY(onehot_axis(call, &axis, &depth));
    if (values->rank != 1 || values->dim[0] != 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "values must be [off, on]");
    if (indices->rank == JM_MAX_RANK)
        return jm_call_error(call, JM_UNSUPPORTED, "the output has rank %d; the limit is %d", JM_MAX_RANK + 1,
                             JM_MAX_RANK);
    call->out[0].dtype = call->in[VALUES].dtype;
    call->out[0].shape.rank = indices->rank + 1;
    for (int k = 0; k <= indices->rank; k++)
        call->out[0].shape.dim[k] = k == axis ? depth : indices->dim[k - (k > axis)];
    return JM_OK;
}

static jm_status plan_onehot(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    const jm_tensor *indices = &call->in[INDICES], *out = &call->out[0];
    int axis;
    int64_t depth;
    JM_TRY(onehot_axis(call, &axis, &depth));
    lines *l = create(arena, out, axis);
    if (!l) return JM_OUT_OF_MEMORY;
    l->index_dtype = indices->dtype;
    l->value_step = jm_byte_stride(&call->in[VALUES], 0);
    l->line = onehot_line;
    for (int k = 0; k < indices->shape.rank; k++)
        jm_walk_add(&l->walk, indices->shape.dim[k], jm_byte_stride(indices, k), jm_byte_stride(out, k + (k >= axis)),
                    0);
    return finish(l, machine, plan);
}

static const jm_param onehot_param[] = {
    {"indices", JM_PARAM_INPUT, 0, .doc = "numbers; outside [-depth, depth) no element is on"},
    {"depth", JM_PARAM_INPUT, JM_HOST, .doc = "one positive number"},
    {"values", JM_PARAM_INPUT, 0, .doc = "[off, on]"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "indices with a new dimension of depth elements"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "of the new dimension, in [-rank - 1, rank]"},
};

const jm_op jm_op_onehot = {
    .name = "OneHot",
    .param = onehot_param,
    .params = JM_COUNT(onehot_param),
    .formula = "output[i, j] = j == indices[i] ? on : off",
    .source = "ONNX OneHot-11",
    .infer = infer_onehot,
    .forms = forms,
    .plan = plan_onehot,
    .run = run,
};
