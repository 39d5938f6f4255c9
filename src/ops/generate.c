/* SPDX-License-Identifier: Apache-2.0
 *
 * Shape, Size, ConstantOfShape, Range and LinSpace: outputs that depend on shapes and a few numbers only.
 */
#include "ops/indexing.h"
#include "ops/move.h"

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    form[0].in_plain = 1;
    return 1;
}

/* ---- Shape and Size: the values are known when planned ---- */

typedef struct values {
    int count;
    int64_t stride; /* elements */
    int64_t value[JM_MAX_RANK];
} values;

static void run_values(const jm_plan *plan, const jm_run *run)
{
    const values *v = plan->state;
    int64_t *out = run->out[0];
    for (int i = 0; i < v->count; i++) out[i * v->stride] = v->value[i];
}

/* The dims [start, end) that are asked for, clamped as ONNX says. */
static void shape_range(const jm_call *call, int *start, int *end)
{
    int64_t rank = call->in[0].shape.rank, first = call->attr[0].i;
    int64_t last = call->attr[1].present ? call->attr[1].i : rank;
    if (first < 0) first += rank;
    if (last < 0) last += rank;
    first = JM_MIN(JM_MAX(first, 0), rank);
    last = JM_MIN(JM_MAX(last, first), rank);
    *start = (int)first;
    *end = (int)last;
}

static jm_status infer_shape(jm_call *call)
{
    int start, end;
    shape_range(call, &start, &end);
    call->out[0].dtype = JM_I64;
    call->out[0].shape = (jm_shape){.rank = 1, .dim = {end - start}};
    return JM_OK;
}

static jm_status plan_shape(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    (void)machine;
    values *v = jm_arena_alloc(arena, 1, sizeof(*v));
    if (!v) return JM_OUT_OF_MEMORY;
    int start, end;
    shape_range(call, &start, &end);
    v->count = end - start;
    v->stride = call->out[0].stride[0];
    for (int i = 0; i < v->count; i++) v->value[i] = call->in[0].shape.dim[start + i];
    plan->state = v;
    return JM_OK;
}

static const jm_param shape_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "any tensor"},
    {"shape", JM_PARAM_OUTPUT, 0, .doc = "int64, its dimensions"},
    {"start", JM_PARAM_INT, JM_OPTIONAL, .doc = "first dimension; negative counts from the end"},
    {"end", JM_PARAM_INT, JM_OPTIONAL, .i = INT64_MAX, .doc = "dimension after the last; clamped to the rank"},
};

const jm_op jm_op_shape = {
    .name = "Shape",
    .param = shape_param,
    .params = JM_COUNT(shape_param),
    .formula = "shape = [d(start), ..., d(end - 1)]",
    .source = "ONNX Shape-15",
    .infer = infer_shape,
    .forms = forms,
    .plan = plan_shape,
    .run = run_values,
};

static jm_status infer_size(jm_call *call)
{
    call->out[0].dtype = JM_I64;
    return JM_OK;
}

static jm_status plan_size(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    (void)machine;
    values *v = jm_arena_alloc(arena, 1, sizeof(*v));
    if (!v) return JM_OUT_OF_MEMORY;
    v->count = 1;
    plan->state = v;
    return jm_shape_count(&call->in[0].shape, &v->value[0]);
}

static const jm_param size_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "any tensor"},
    {"size", JM_PARAM_OUTPUT, 0, .doc = "int64 scalar, its number of elements"},
};

const jm_op jm_op_size = {
    .name = "Size",
    .param = size_param,
    .params = JM_COUNT(size_param),
    .formula = "size = d0 * d1 * ...",
    .source = "ONNX Size-13",
    .infer = infer_size,
    .forms = forms,
    .plan = plan_size,
    .run = run_values,
};

/* ---- ConstantOfShape ---- */

static jm_status infer_fill(jm_call *call)
{
    const jm_tensor *value = jm_call_in(call, 1);
    jm_shape *shape = &call->out[0].shape;
    JM_TRY(jm_call_host_ints(call, 0, shape->dim, JM_MAX_RANK, &shape->rank));
    for (int k = 0; k < shape->rank; k++)
        if (shape->dim[k] < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "input[%d] is %lld", k, (long long)shape->dim[k]);
    int64_t count = 1;
    if (value && (!jm_shape_known(&value->shape) || jm_shape_count(&value->shape, &count) != JM_OK || count != 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "value must be one element");
    call->out[0].dtype = value ? value->dtype : JM_F32;
    return JM_OK;
}

static jm_status plan_fill(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    jm_moves *moves = jm_moves_create(arena, call->out[0].dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    jm_side value = {.argument = jm_call_in(call, 1) ? 1 : JM_MOVE_ZEROS}, to = jm_side_of(&call->out[0], 0);
    JM_TRY(jm_moves_copy(moves, &call->out[0].shape, &value, &to));
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

static const jm_param fill_param[] = {
    {"input", JM_PARAM_INPUT, JM_HOST, .doc = "shape of the output"},
    {"value", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "one element (ONNX's attribute); float32 0 when absent"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "value everywhere, in its dtype"},
};

const jm_op jm_op_constant_of_shape = {
    .name = "ConstantOfShape",
    .param = fill_param,
    .params = JM_COUNT(fill_param),
    .formula = "output[i] = value",
    .source = "ONNX ConstantOfShape-9",
    .infer = infer_fill,
    .forms = forms,
    .plan = plan_fill,
    .run = jm_moves_run,
};

/* ---- Range ---- */

enum { START, LIMIT, DELTA };

#define RANGE_DTYPES (JM_DTYPES_FLOAT | 1u << JM_I16 | 1u << JM_I32 | 1u << JM_I64)

static jm_status check_range(const jm_call *call)
{
    for (int i = START; i <= DELTA; i++) {
        const jm_tensor *in = &call->in[i];
        const char *name = jm_op_input(call->op, i)->name;
        int64_t count;
        if (in->dtype != call->in[START].dtype)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is %s and start is %s", name, jm_dtype_text(in->dtype),
                                 jm_dtype_text(call->in[START].dtype));
        if (!jm_shape_known(&in->shape) || jm_shape_count(&in->shape, &count) != JM_OK || count != 1)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s must be one element", name);
        if (!in->constant || !in->data || in->layout != JM_PLAIN)
            return jm_call_error(call, JM_INVALID_ARGUMENT,
                                 "the value of %s must be known at compile time: give the model fixed input shapes",
                                 name);
    }
    return JM_OK;
}

static jm_status infer_range(jm_call *call)
{
    jm_dtype dtype = call->in[START].dtype;
    double start = jm_element_to_f64(dtype, call->in[START].data),
           limit = jm_element_to_f64(dtype, call->in[LIMIT].data);
    double delta = jm_element_to_f64(dtype, call->in[DELTA].data);
    if (delta == 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "delta is 0");
    double exact = (limit - start) / delta;
    int64_t count = 0;
    if (!(exact <= 0x1p40))
        return jm_call_error(call, JM_OUT_OF_RANGE, "%g to %g by %g has too many elements", start, limit, delta);
    if (exact > 0) {
        count = (int64_t)exact;
        count += (double)count < exact;
    }
    if (call->attr[0].i && exact >= 0) count = (int64_t)exact + 1;
    call->out[0].dtype = dtype;
    call->out[0].shape = (jm_shape){.rank = 1, .dim = {count}};
    return JM_OK;
}

typedef struct range {
    jm_dtype dtype;
    int64_t count, stride; /* bytes */
    double start, delta;
    int64_t int_start, int_delta;
} range;

static void run_range(const jm_plan *plan, const jm_run *run)
{
    const range *r = plan->state;
    bool real = JM_DTYPES_FLOAT >> r->dtype & 1;
    for (int64_t i = 0; i < r->count; i++) {
        char *out = (char *)run->out[0] + i * r->stride;
        if (real)
            jm_element_from_f64(r->dtype, r->start + (double)i * r->delta, out);
        else
            jm_element_from_i64(r->dtype, r->int_start + i * r->int_delta, out);
    }
}

static jm_status plan_range(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    (void)machine;
    range *r = jm_arena_alloc(arena, 1, sizeof(*r));
    if (!r) return JM_OUT_OF_MEMORY;
    const jm_tensor *out = &call->out[0];
    r->dtype = out->dtype;
    r->count = out->shape.dim[0];
    r->stride = out->stride[0] * (int64_t)jm_dtype_size(out->dtype);
    r->start = jm_element_to_f64(r->dtype, call->in[START].data);
    r->delta = jm_element_to_f64(r->dtype, call->in[DELTA].data);
    r->int_start = jm_element_to_i64(r->dtype, call->in[START].data);
    r->int_delta = jm_element_to_i64(r->dtype, call->in[DELTA].data);
    plan->state = r;
    return JM_OK;
}

static const jm_param range_param[] = {
    {"start", JM_PARAM_INPUT, JM_HOST, .doc = "one element"},
    {"limit", JM_PARAM_INPUT, JM_HOST, .doc = "one element"},
    {"delta", JM_PARAM_INPUT, JM_HOST, .doc = "one element, not 0"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "max(ceil((limit - start) / delta), 0) elements"},
    {"inclusive", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: the limit belongs to it: floor(...) + 1 elements"},
};

const jm_op jm_op_range = {
    .name = "Range",
    .param = range_param,
    .params = JM_COUNT(range_param),
    .dtypes = RANGE_DTYPES,
    .formula = "output[i] = start + i * delta, in float64 for floats",
    .source = "ONNX Range-11",
    .check = check_range,
    .infer = infer_range,
    .forms = forms,
    .plan = plan_range,
    .run = run_range,
};

/* ---- LinSpace ---- */

static jm_status infer_linspace(jm_call *call)
{
    const int64_t steps = call->attr[0].i;
    for (int i = 0; i < 2; i++) {
        const jm_tensor *in = &call->in[i];
        int64_t count;
        if (in->dtype != call->in[0].dtype || !jm_shape_known(&in->shape) ||
            jm_shape_count(&in->shape, &count) != JM_OK || count != 1 || !in->constant || !in->data)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "start and end must be constants of one type");
    }
    if (steps < 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "steps is %lld", (long long)steps);
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = (jm_shape){.rank = 1, .dim = {steps}};
    return JM_OK;
}

typedef struct linspace {
    jm_dtype dtype;
    int64_t steps, stride; /* bytes */
    double start, end;
    size_t chunks;
} linspace;

static jm_status plan_linspace(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                               jm_plan *plan)
{
    (void)form;
    linspace *l = jm_arena_alloc(arena, 1, sizeof(*l));
    if (!l) return JM_OUT_OF_MEMORY;
    const jm_tensor *out = &call->out[0];
    l->dtype = out->dtype;
    l->steps = out->shape.dim[0];
    l->stride = out->stride[0] * (int64_t)jm_dtype_size(out->dtype);
    l->start = jm_element_to_f64(l->dtype, call->in[0].data);
    l->end = jm_element_to_f64(l->dtype, call->in[1].data);
    l->chunks = plan->chunks = jm_chunk_count(machine, 8.0 * (double)l->steps, l->steps);
    plan->state = l;
    return JM_OK;
}

/* Each half counts from its own end, so that both ends are exact. */
static void run_linspace(const jm_plan *plan, const jm_run *run)
{
    const linspace *l = plan->state;
    const double step = l->steps > 1 ? (l->end - l->start) / (double)(l->steps - 1) : 0;
    int64_t begin, end;
    jm_chunk_range(l->steps, l->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const bool first = i < l->steps / 2 || l->steps == 1;
        const double value = first ? l->start + step * (double)i : l->end - step * (double)(l->steps - 1 - i);
        jm_element_from_f64(l->dtype, value, (char *)run->out[0] + i * l->stride);
    }
}

static const jm_param linspace_param[] = {
    {"start", JM_PARAM_INPUT, JM_HOST, .doc = "one element"},
    {"end", JM_PARAM_INPUT, JM_HOST, .doc = "one element of the same type"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "a list of that type"},
    {"steps", JM_PARAM_INT, 0, .doc = "how many elements; of one, it is start"},
};

const jm_op jm_op_linspace = {
    .name = "LinSpace",
    .param = linspace_param,
    .params = JM_COUNT(linspace_param),
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_U64,
    .formula = "output[i] = start + i * (end - start) / (steps - 1), in float64; integers lose their fraction",
    .source = "PyTorch linspace",
    .infer = infer_linspace,
    .forms = forms,
    .plan = plan_linspace,
    .run = run_linspace,
};
