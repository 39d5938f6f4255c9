/* SPDX-License-Identifier: Apache-2.0
 *
 * KthValue, and CumMax and CumMin: what the order of the elements of a line decides, with indices.
 */
#include "ops/indexing.h"
#include "ops/move.h"
#include "ops/order.h"

#include <string.h>

enum { TO_DATA, TO_VALUES, TO_INDICES };

typedef enum nan_rule { NAN_LAST, NAN_WINS, NAN_IGNORED } nan_rule;

static const char *const nan_text[] = {"last", "propagate", "ignore"};

typedef struct order_lines {
    jm_walk lines;
    jm_dtype dtype;
    int64_t length, data_step, values_step, indices_step; /* along the axis; bytes */
    bool indices;
    size_t chunks;
    int64_t k;    /* KthValue: from 1; 0: the middle */
    nan_rule nan; /* KthValue */
    bool largest; /* CumMax */
} order_lines;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    form[0].cost += 20.0 * (double)jm_tensor_elements(&call->in[0]);
    return 1;
}

/* Lines along the axis; values and indices lie in outputs, which may lack the axis. */
static jm_status create(const jm_call *call, const jm_machine *machine, jm_arena *arena, bool keeps, jm_plan *plan,
                        order_lines **out)
{
    const jm_tensor *in = &call->in[0], *values = &call->out[0];
    const jm_tensor *indices = call->outputs > 1 && call->out[1].dtype != JM_DTYPE_NONE ? &call->out[1] : NULL;
    order_lines *o = *out = jm_arena_alloc(arena, 1, sizeof(*o));
    int axis;
    if (!o) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    o->lines.count = 1;
    for (int k = 0, to = 0; k < in->shape.rank; k++) {
        if (k != axis)
            jm_walk_add(&o->lines, in->shape.dim[k], jm_byte_stride(in, k), jm_byte_stride(values, to),
                        indices ? jm_byte_stride(indices, to) : 0);
        to += k != axis || keeps;
    }
    o->dtype = in->dtype;
    o->length = in->shape.dim[axis];
    o->data_step = jm_byte_stride(in, axis);
    o->values_step = keeps ? jm_byte_stride(values, axis) : 0;
    o->indices = indices;
    o->indices_step = keeps && indices ? jm_byte_stride(indices, axis) : 0;
    const double bytes = (double)jm_tensor_elements(in) * (double)sizeof(jm_order_entry);
    o->chunks = plan->chunks = jm_chunk_count(machine, bytes, o->lines.count);
    plan->state = o;
    return JM_OK;
}

static void put(const order_lines *o, const jm_run *run, const int64_t offset[], const char *data, int64_t from,
                int64_t to)
{
    memcpy((char *)run->out[0] + offset[TO_VALUES] + to * o->values_step, data + from * o->data_step,
           jm_dtype_size(o->dtype));
    if (o->indices) memcpy((char *)run->out[1] + offset[TO_INDICES] + to * o->indices_step, &from, sizeof(from));
}

/* ---- KthValue ---- */

static jm_status read_nan_rule(const jm_call *call, nan_rule *out)
{
    for (size_t i = 0; i < JM_COUNT(nan_text); i++) {
        if (strcmp(call->attr[3].s, nan_text[i]) != 0) continue;
        *out = (nan_rule)i;
        return JM_OK;
    }
    return jm_call_error(call, JM_INVALID_ARGUMENT, "nan is '%s' and must be last, propagate or ignore",
                         call->attr[3].s);
}

static jm_status infer_kth(jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    int axis;
    nan_rule nan;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    JM_TRY(read_nan_rule(call, &nan));
    const int64_t k = call->attr[1].i, length = shape->dim[axis];
    if (k < 0 || (length >= 0 && (k > length || length == 0)))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "k is %lld and axis %d has %lld elements", (long long)k, axis,
                             (long long)length);
    for (int i = 0; i < call->outputs; i++) {
        jm_tensor *out = &call->out[i];
        out->dtype = i == 0 ? call->in[0].dtype : JM_I64;
        for (int d = 0; d < shape->rank; d++)
            if (d != axis || call->attr[2].i) out->shape.dim[out->shape.rank++] = d == axis ? 1 : shape->dim[d];
    }
    return JM_OK;
}

static jm_status plan_kth(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan)
{
    (void)form;
    order_lines *o;
    JM_TRY(create(call, machine, arena, call->attr[2].i != 0, plan, &o));
    o->k = call->attr[1].i;
    if (!jm_size_mul((size_t)o->length, sizeof(jm_order_entry), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "a line of %lld elements is too long", (long long)o->length);
    return read_nan_rule(call, &o->nan);
}

static bool is_nan(const order_lines *o, const char *element)
{
    return JM_DTYPES_FLOAT >> o->dtype & 1 && jm_order_key(o->dtype, element) == UINT64_MAX;
}

static int64_t kth_of_line(const order_lines *o, const char *data, jm_order_entry *entry)
{
    int64_t nans = 0, first = 0;
    for (int64_t i = 0; o->nan != NAN_LAST && i < o->length; i++) {
        if (!is_nan(o, data + i * o->data_step)) continue;
        if (nans++ == 0) first = i;
    }
    if (nans == o->length || (nans && o->nan == NAN_WINS)) return first;
    const int64_t k = o->k ? o->k : (o->length - nans - 1) / 2 + 1;
    jm_order_select(o->dtype, data, o->data_step, o->length, false, k, entry);
    return entry[k - 1].index;
}

static void run_kth(const jm_plan *plan, const jm_run *run)
{
    const order_lines *o = plan->state;
    int64_t begin, end;
    jm_chunk_range(o->lines.count, o->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&o->lines, i, offset);
        const char *data = (const char *)run->in[0] + offset[TO_DATA];
        put(o, run, offset, data, kth_of_line(o, data, run->scratch), 0);
    }
}

static const jm_param kth_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"Values", JM_PARAM_OUTPUT, 0, .doc = "the k-th smallest of each line"},
    {"Indices", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "int64, where it was along the axis"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "in [-rank, rank)"},
    {"k", JM_PARAM_INT, JM_OPTIONAL, .doc = "from 1; 0: the middle one, the lower of two"},
    {"keepdims", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "1: the axis stays, as 1"},
    {"nan", JM_PARAM_STRING, JM_OPTIONAL, .s = "last",
     .doc = "NaN is above all (last), wins (propagate) or does not "
            "count (ignore)"},
};

const jm_op jm_op_kth_value = {
    .name = "KthValue",
    .param = kth_param,
    .params = JM_COUNT(kth_param),
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_U64,
    .formula = "the k-th smallest element along axis; equal ones by lower index",
    .source = "PyTorch kthvalue, median, nanmedian",
    .infer = infer_kth,
    .forms = forms,
    .plan = plan_kth,
    .run = run_kth,
};

/* ---- CumMax and CumMin ---- */

extern const jm_op jm_op_cum_max;

static jm_status infer_cumulative(jm_call *call)
{
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = i == 0 ? call->in[0].dtype : JM_I64;
        call->out[i].shape = call->in[0].shape;
    }
    return JM_OK;
}

static jm_status plan_cumulative(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                 jm_plan *plan)
{
    (void)form;
    order_lines *o;
    JM_TRY(create(call, machine, arena, true, plan, &o));
    o->largest = call->op == &jm_op_cum_max;
    return JM_OK;
}

static void run_cumulative(const jm_plan *plan, const jm_run *run)
{
    const order_lines *o = plan->state;
    int64_t begin, end;
    jm_chunk_range(o->lines.count, o->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t offset[JM_WALK_STREAMS], best = 0;
        uint64_t best_key = 0;
        jm_walk_at(&o->lines, i, offset);
        const char *data = (const char *)run->in[0] + offset[TO_DATA];
        for (int64_t j = 0; j < o->length; j++) {
            const char *element = data + j * o->data_step;
            uint64_t key = jm_order_key(o->dtype, element);
            if (!o->largest && !is_nan(o, element)) key = ~key;
            if (key >= best_key) best_key = key, best = j;
            put(o, run, offset, data, best, j);
        }
    }
}

static const jm_param cumulative_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"Values", JM_PARAM_OUTPUT, 0, .doc = "the extreme so far; NaN from the first NaN on"},
    {"Indices", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "int64, where the last of equal ones was along the axis"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "in [-rank, rank)"},
};

#define CUMULATIVE(symbol, text, formula_text, source_text)                                                            \
    const jm_op symbol = {.name = text,                                                                                \
                          .param = cumulative_param,                                                                   \
                          .params = JM_COUNT(cumulative_param),                                                        \
                          .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_U64 | 1u << JM_BOOL,                    \
                          .formula = formula_text,                                                                     \
                          .source = source_text,                                                                       \
                          .infer = infer_cumulative,                                                                   \
                          .forms = forms,                                                                              \
                          .plan = plan_cumulative,                                                                     \
                          .run = run_cumulative}

CUMULATIVE(jm_op_cum_max, "CumMax", "y[i] = max(x[0] ... x[i])", "PyTorch cummax");
CUMULATIVE(jm_op_cum_min, "CumMin", "y[i] = min(x[0] ... x[i])", "PyTorch cummin");
