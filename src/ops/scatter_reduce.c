/* SPDX-License-Identifier: Apache-2.0
 *
 * ScatterReduce: updates joined at indices along an axis, with or without what was there before. Lines along the axis
 * are independent; within one, updates are taken in their order. An index that is out of range writes nothing and sets
 * run->fault.
 */
#include "ops/join.h"
#include "ops/move.h"

#include <string.h>

enum { DATA, INDICES, UPDATES };
enum { AXIS, REDUCTION, INCLUDE_SELF };
enum { NONE, ADD, MUL, MAX, MIN, MEAN };

static const char *const reduction_text[] = {"none", "add", "mul", "max", "min", "mean"};

typedef struct scatter_reduce {
    jm_dtype dtype, index_dtype;
    int reduction;
    bool include_self;
    int rank;                                      /* of the lines */
    int64_t dim[JM_MAX_RANK], inside[JM_MAX_RANK]; /* of the lines; those below `inside` have updates */
    int64_t stride[4][JM_MAX_RANK];                /* bytes: data, indices, updates, output */
    int64_t step[4];                               /* the same along the axis */
    int64_t lines, updates;                        /* updates of one line */
    jm_index_axis axis;                            /* of the output */
    size_t chunks;
} scatter_reduce;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

static jm_status read_reduction(const jm_call *call, int *reduction)
{
    const char *given = call->attr[REDUCTION].s;
    for (int i = 0; i < (int)JM_COUNT(reduction_text); i++) {
        if (strcmp(given, reduction_text[i]) != 0) continue;
        *reduction = i;
        return JM_OK;
    }
    return jm_call_error(call, JM_INVALID_ARGUMENT, "reduction '%s' is none of none, add, mul, max, min, mean", given);
}

static jm_status infer(jm_call *call)
{
    const jm_shape *data = &call->in[DATA].shape, *indices = &call->in[INDICES].shape;
    int axis, reduction;
    JM_TRY(jm_axis_normalise(call->attr[AXIS].i, data->rank, &axis));
    JM_TRY(read_reduction(call, &reduction));
    JM_TRY(jm_index_check(call, INDICES));
    if (call->in[UPDATES].dtype != call->in[DATA].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "updates are %s and data is %s",
                             jm_dtype_text(call->in[UPDATES].dtype), jm_dtype_text(call->in[DATA].dtype));
    bool fits = data->rank == indices->rank && jm_shape_equal(indices, &call->in[UPDATES].shape);
    for (int k = 0; fits && k < data->rank; k++)
        fits = k == axis || data->dim[k] < 0 || indices->dim[k] <= data->dim[k];
    if (!fits) {
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT], c[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "data %s, indices %s and updates %s do not fit",
                             jm_shape_text(data, a), jm_shape_text(indices, b),
                             jm_shape_text(&call->in[UPDATES].shape, c));
    }
    call->out[0].dtype = call->in[DATA].dtype;
    call->out[0].shape = *data;
    return JM_OK;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *plan)
{
    (void)form;
    const jm_tensor *out = &call->out[0], *indices = &call->in[INDICES];
    const jm_tensor *const tensor[4] = {&call->in[DATA], indices, &call->in[UPDATES], out};
    scatter_reduce *s = jm_arena_alloc(arena, 1, sizeof(*s));
    int axis;
    if (!s) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_axis_normalise(call->attr[AXIS].i, out->shape.rank, &axis));
    JM_TRY(read_reduction(call, &s->reduction));
    s->dtype = out->dtype;
    s->index_dtype = indices->dtype;
    s->include_self = call->attr[INCLUDE_SELF].i != 0;
    s->lines = 1;
    for (int k = 0; k < out->shape.rank; k++) {
        for (int i = 0; i < 4; i++) {
            int64_t *stride = k == axis ? &s->step[i] : &s->stride[i][s->rank];
            *stride = jm_byte_stride(tensor[i], k);
        }
        if (k == axis) continue;
        s->inside[s->rank] = indices->shape.dim[k];
        s->dim[s->rank++] = out->shape.dim[k];
        s->lines *= out->shape.dim[k];
    }
    s->axis = (jm_index_axis){out->shape.dim[axis], s->step[3]};
    s->updates = indices->shape.dim[axis];
    if (!jm_size_mul((size_t)s->axis.dim, sizeof(int64_t), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "a line of %lld elements is too long", (long long)s->axis.dim);
    const double bytes = (double)jm_tensor_elements(out) * (double)jm_dtype_size(s->dtype);
    s->chunks = plan->chunks = jm_chunk_count(machine, 8 * bytes, s->lines);
    plan->state = s;
    return JM_OK;
}

/* How often each place of the line was written is in `times`. */
static void put(const scatter_reduce *s, char *to, const char *from, int64_t *times)
{
    static const jm_joining joining[] = {JM_JOIN_REPLACE, JM_JOIN_ADD, JM_JOIN_MUL,
                                         JM_JOIN_MAX,     JM_JOIN_MIN, JM_JOIN_ADD};
    const jm_walk one = {.count = 1};
    const bool first = (*times)++ == 0 && !s->include_self;
    if (s->reduction == NONE || first)
        memcpy(to, from, jm_dtype_size(s->dtype));
    else
        jm_join(joining[s->reduction], s->dtype, &one, to, from);
}

/* Means of integers round down. */
static void divide(const scatter_reduce *s, char *element, int64_t count)
{
    if (JM_DTYPES_FLOAT >> s->dtype & 1) {
        jm_element_from_f64(s->dtype, jm_element_to_f64(s->dtype, element) / (double)count, element);
        return;
    }
    const int64_t sum = jm_element_to_i64(s->dtype, element);
    jm_element_from_i64(s->dtype, sum / count - (sum % count < 0), element);
}

static void run_line(const scatter_reduce *s, const jm_run *run, int64_t line)
{
    int64_t offset[4] = {0}, *times = run->scratch;
    bool inside = true;
    for (int k = s->rank - 1; k >= 0; k--) {
        const int64_t at = line % s->dim[k];
        line /= s->dim[k];
        inside = inside && at < s->inside[k];
        for (int i = 0; i < 4; i++) offset[i] += at * s->stride[i][k];
    }
    char *out = (char *)run->out[0] + offset[3];
    const char *data = (const char *)run->in[DATA] + offset[DATA];
    for (int64_t i = 0; i < s->axis.dim; i++)
        memcpy(out + i * s->step[3], data + i * s->step[DATA], jm_dtype_size(s->dtype));
    if (!inside) return;
    if (s->axis.dim) memset(times, 0, (size_t)s->axis.dim * sizeof(*times));
    for (int64_t i = 0; i < s->updates; i++) {
        const char *index = (const char *)run->in[INDICES] + offset[INDICES] + i * s->step[INDICES];
        int64_t at = 0;
        const jm_index_axis places = {s->axis.dim, 1};
        if (jm_index_add(&places, s->index_dtype, index, &at))
            put(s, out + at * s->step[3], (const char *)run->in[UPDATES] + offset[UPDATES] + i * s->step[UPDATES],
                &times[at]);
        else
            jm_index_fault(run);
    }
    for (int64_t i = 0; s->reduction == MEAN && i < s->axis.dim; i++)
        if (times[i]) divide(s, out + i * s->step[3], times[i] + s->include_self);
}

static void run(const jm_plan *plan, const jm_run *run)
{
    const scatter_reduce *s = plan->state;
    int64_t begin, end;
    jm_chunk_range(s->lines, s->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) run_line(s, run, i);
}

static const jm_param param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"indices", JM_PARAM_INPUT, 0, .doc = "int32 or int64, rank of data, in [-d, d) for dimension d of the axis"},
    {"updates", JM_PARAM_INPUT, 0, .doc = "shape of indices, dtype of data"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "data with the updates"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .doc = "in [-rank, rank)"},
    {"reduction", JM_PARAM_STRING, JM_OPTIONAL, .s = "none", .doc = "none, add, mul, max, min or mean"},
    {"include_self", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "0: what was there before does not count"},
};

const jm_op jm_op_scatter_reduce = {
    .name = "ScatterReduce",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = 1u << JM_F32 | 1u << JM_F64 | JM_DTYPES_INT,
    .formula = "output = data; output[indices[i, j], j] joined with updates[i, j] for axis 0",
    .source = "PyTorch scatter_reduce",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run,
};
