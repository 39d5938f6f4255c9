/* SPDX-License-Identifier: Apache-2.0
 *
 * ScatterElements and ScatterND: a copy of data with elements or slabs replaced at indices that are known only at run
 * time. Indices may be negative; one that is out of range writes nothing and sets run->fault. Where indices repeat,
 * updates are taken in their order: the last one wins, or each is added to, multiplied with or compared with what the
 * earlier ones left.
 */
#include "ops/join.h"
#include "ops/move.h"

#include <string.h>

enum { DATA, INDICES, UPDATES };
enum { TO_INDEX, TO_UPDATE, TO_OUTPUT };

typedef struct scatter {
    jm_moves *copy; /* data to output; no moves when in place */
    jm_moves *slab; /* one update */
    jm_joining joining;
    jm_dtype dtype;
    jm_walk elements; /* of a slab, for a reduction; stream 0: update, 1: output */
    jm_walk walk;
    int depth;
    jm_index_axis axis[JM_MAX_RANK];
    int64_t coordinate;
    jm_dtype index_dtype;
} scatter;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

static jm_status read_joining(const jm_call *call, jm_joining *out)
{
    static const char *const text[] = {"none", "add", "mul", "min", "max"};
    const char *given = call->attr[jm_op_attr_index(call->op, "reduction")].s;
    for (size_t i = 0; i < JM_COUNT(text); i++) {
        if (strcmp(given, text[i]) != 0) continue;
        *out = (jm_joining)i;
        return JM_OK;
    }
    return jm_call_error(call, JM_UNSUPPORTED, "reduction '%s' is none of none, add, mul, min, max", given);
}

static jm_status check(const jm_call *call)
{
    jm_joining how = JM_JOIN_REPLACE;
    JM_TRY(read_joining(call, &how));
    if (how != JM_JOIN_REPLACE && !((JM_DTYPES_FLOAT | JM_DTYPES_INT) >> call->in[DATA].dtype & 1))
        return jm_call_error(call, JM_UNSUPPORTED, "%s has no reduction", jm_dtype_text(call->in[DATA].dtype));
    if (call->in[UPDATES].dtype != call->in[DATA].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "updates are %s and data is %s",
                             jm_dtype_text(call->in[UPDATES].dtype), jm_dtype_text(call->in[DATA].dtype));
    return jm_index_check(call, INDICES);
}

/* One chunk: repeated indices need an order. */
static void run_scatter(const jm_plan *plan, const jm_run *run)
{
    const scatter *s = plan->state;
    jm_moves_apply(s->copy, run->out[0], run->in[DATA]);
    for (int64_t i = 0; i < s->walk.count; i++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&s->walk, i, offset);
        const char *index = (const char *)run->in[INDICES] + offset[TO_INDEX];
        bool good = true;
        for (int k = 0; good && k < s->depth; k++)
            good = jm_index_add(&s->axis[k], s->index_dtype, index + k * s->coordinate, &offset[TO_OUTPUT]);
        char *to = (char *)run->out[0] + offset[TO_OUTPUT];
        const char *update = (const char *)run->in[UPDATES] + offset[TO_UPDATE];
        if (!good)
            jm_index_fault(run);
        else if (s->joining == JM_JOIN_REPLACE)
            jm_moves_apply(s->slab, to, update);
        else
            jm_join(s->joining, s->dtype, &s->elements, to, update);
    }
}

static jm_status create(const jm_call *call, jm_arena *arena, scatter **out)
{
    const jm_tensor *data = &call->in[DATA];
    scatter *s = *out = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    JM_TRY(read_joining(call, &s->joining));
    s->walk.count = s->elements.count = 1;
    s->dtype = data->dtype;
    s->index_dtype = call->in[INDICES].dtype;
    s->copy = jm_moves_create(arena, data->dtype);
    s->slab = jm_moves_create(arena, data->dtype);
    if (!s->copy || !s->slab) return JM_OUT_OF_MEMORY;
    jm_side from = jm_side_of(data, DATA), to = jm_side_of(&call->out[0], 0);
    return jm_moves_copy(s->copy, &data->shape, &from, &to);
}

static void add_axis(scatter *s, const jm_tensor *out, int axis)
{
    s->axis[s->depth++] = (jm_index_axis){out->shape.dim[axis], jm_byte_stride(out, axis)};
}

static void infer_as_data(jm_call *call)
{
    call->out[0].dtype = call->in[DATA].dtype;
    call->out[0].shape = call->in[DATA].shape;
}

static jm_status shape_error(const jm_call *call)
{
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT], c[JM_SHAPE_TEXT];
    return jm_call_error(call, JM_INVALID_ARGUMENT, "data %s, indices %s and updates %s do not fit",
                         jm_shape_text(&call->in[DATA].shape, a), jm_shape_text(&call->in[INDICES].shape, b),
                         jm_shape_text(&call->in[UPDATES].shape, c));
}

/* ---- ScatterElements ---- */

static jm_status infer_elements(jm_call *call)
{
    const jm_shape *data = &call->in[DATA].shape, *indices = &call->in[INDICES].shape;
    int axis;
    JM_TRY(jm_axis_normalise(call->attr[0].i, data->rank, &axis));
    bool fits = data->rank == indices->rank && jm_shape_equal(indices, &call->in[UPDATES].shape);
    for (int k = 0; fits && k < data->rank; k++)
        fits = k == axis || data->dim[k] < 0 || indices->dim[k] <= data->dim[k];
    if (!fits) return shape_error(call);
    infer_as_data(call);
    return JM_OK;
}

static jm_status plan_elements(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                               jm_plan *plan)
{
    (void)form;
    (void)machine;
    const jm_tensor *indices = &call->in[INDICES], *updates = &call->in[UPDATES], *out = &call->out[0];
    int axis;
    scatter *s;
    JM_TRY(jm_axis_normalise(call->attr[0].i, out->shape.rank, &axis));
    JM_TRY(create(call, arena, &s));
    add_axis(s, out, axis);
    for (int k = 0; k < indices->shape.rank; k++)
        jm_walk_add(&s->walk, indices->shape.dim[k], jm_byte_stride(indices, k), jm_byte_stride(updates, k),
                    k == axis ? 0 : jm_byte_stride(out, k));
    JM_TRY(jm_moves_add(s->slab, &(jm_move){0}));
    plan->state = s;
    return JM_OK;
}

static const jm_param elements_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"indices", JM_PARAM_INPUT, 0, .doc = "int32 or int64, rank of data, in [-d, d) for dimension d of the axis"},
    {"updates", JM_PARAM_INPUT, 0, .doc = "shape of indices, dtype of data"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "data with the updates"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .doc = "in [-rank, rank)"},
    {"reduction", JM_PARAM_STRING, JM_OPTIONAL, .s = "none", .doc = "none, add, mul, min or max"},
};

const jm_op jm_op_scatter_elements = {
    .name = "ScatterElements",
    .param = elements_param,
    .params = JM_COUNT(elements_param),
    .formula = "output = data; output[indices[i, j], j] = updates[i, j] for axis 0",
    .source = "ONNX ScatterElements-18",
    .check = check,
    .infer = infer_elements,
    .forms = forms,
    .plan = plan_elements,
    .run = run_scatter,
};

/* ---- ScatterND ---- */

static jm_status infer_nd(jm_call *call)
{
    const jm_shape *data = &call->in[DATA].shape, *indices = &call->in[INDICES].shape;
    const jm_shape *updates = &call->in[UPDATES].shape;
    int lead = indices->rank - 1;
    int64_t depth = lead < 0 ? -1 : indices->dim[lead];
    bool fits = depth >= 1 && depth <= data->rank && updates->rank == lead + data->rank - depth;
    for (int k = 0; fits && k < updates->rank; k++)
        fits = updates->dim[k] == (k < lead ? indices->dim[k] : data->dim[k - lead + depth]);
    if (!fits) return shape_error(call);
    infer_as_data(call);
    return JM_OK;
}

static jm_status plan_nd(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                         jm_plan *plan)
{
    (void)form;
    (void)machine;
    const jm_tensor *indices = &call->in[INDICES], *updates = &call->in[UPDATES], *out = &call->out[0];
    int lead = indices->shape.rank - 1, depth = (int)indices->shape.dim[lead];
    scatter *s;
    JM_TRY(create(call, arena, &s));
    s->coordinate = jm_byte_stride(indices, lead);
    for (int k = 0; k < depth; k++) add_axis(s, out, k);
    for (int k = 0; k < lead; k++)
        jm_walk_add(&s->walk, indices->shape.dim[k], jm_byte_stride(indices, k), jm_byte_stride(updates, k), 0);
    jm_move slab = {0};
    for (int k = depth; k < out->shape.rank; k++) {
        slab.dim[slab.rank] = out->shape.dim[k];
        slab.in_stride[slab.rank] = jm_byte_stride(updates, lead + k - depth);
        slab.out_stride[slab.rank++] = jm_byte_stride(out, k);
    }
    for (int k = 0; k < slab.rank; k++)
        jm_walk_add(&s->elements, slab.dim[k], slab.in_stride[k], slab.out_stride[k], 0);
    JM_TRY(jm_moves_add(s->slab, &slab));
    plan->state = s;
    return JM_OK;
}

static const jm_param nd_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"indices", JM_PARAM_INPUT, 0, .doc = "int32 or int64; the last dimension holds the coordinates of one index"},
    {"updates", JM_PARAM_INPUT, 0, .doc = "one slab of data's dtype for each index"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "data with the updates"},
    {"reduction", JM_PARAM_STRING, JM_OPTIONAL, .s = "none", .doc = "none, add, mul, min or max"},
};

const jm_op jm_op_scatter_nd = {
    .name = "ScatterND",
    .param = nd_param,
    .params = JM_COUNT(nd_param),
    .formula = "output = data; output[indices[i, 0], indices[i, 1], ...] = updates[i]",
    .source = "ONNX ScatterND-18",
    .check = check,
    .infer = infer_nd,
    .forms = forms,
    .plan = plan_nd,
    .run = run_scatter,
};
