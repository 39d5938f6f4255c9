/* SPDX-License-Identifier: Apache-2.0
 *
 * FindUnique: unique elements, or slices along an axis, of data that are known only at run time. The outputs have room
 * for the case that all differ; more outputs say how much is filled.
 */
#include "ops/indexing.h"
#include "ops/move.h"
#include "ops/order.h"
#include "ops/unique.h"

#include <string.h>

enum { VALUES, INVERSE, COUNTS, VALUES_SHAPE, COUNTS_SHAPE, OUTPUTS };
enum { AXIS, RETURN_INVERSE, RETURN_COUNTS, CONSECUTIVE };

typedef struct find_unique {
    int axis; /* -1: elements */
    jm_dtype dtype;
    int64_t count, length;
    jm_walk items, slice; /* over items, and over the elements of one; stream 0: input */
    jm_shape shape;       /* of the inverse: the input's for elements */
    jm_tensor values;
    int64_t inverse_step[JM_MAX_RANK], counts_step; /* elements */
    int64_t shape_step[2];
    bool has[OUTPUTS];
    bool consecutive;
} find_unique;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    form[0].cost += 100.0 * (double)jm_tensor_elements(&call->in[0]);
    return 1;
}

static jm_status find_axis(const jm_call *call, int *axis)
{
    const jm_attr *attr = &call->attr[AXIS];
    *axis = -1;
    if (attr->count == 0) return JM_OK;
    if (attr->count > 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis has %d numbers", (int)attr->count);
    return jm_axis_normalise(attr->ints[0], call->in[0].shape.rank, axis);
}

static jm_status infer(jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape, none = {.rank = 1};
    int axis;
    int64_t items = -1;
    JM_TRY(find_axis(call, &axis));
    if (axis >= 0)
        items = shape->dim[axis];
    else if (jm_shape_known(shape))
        JM_TRY(jm_shape_count(shape, &items));
    const jm_shape line = {.rank = 1, .dim = {items}};
    const bool counts = call->attr[RETURN_COUNTS].i, inverse = call->attr[RETURN_INVERSE].i;
    const jm_shape want[OUTPUTS] = {
        [VALUES] = axis < 0 ? line : *shape,
        [INVERSE] = !inverse ? none : (axis < 0 ? *shape : line),
        [COUNTS] = counts ? line : none,
        [VALUES_SHAPE] = {.rank = 1, .dim = {axis < 0 ? 1 : shape->rank}},
        [COUNTS_SHAPE] = {.rank = 1, .dim = {counts}},
    };
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = i == VALUES ? call->in[0].dtype : JM_I64;
        call->out[i].shape = want[i];
    }
    return JM_OK;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *plan)
{
    (void)form;
    (void)machine;
    const jm_tensor *x = &call->in[0];
    size_t keys, lists;
    find_unique *f = jm_arena_alloc(arena, 1, sizeof(*f));
    if (!f) return JM_OUT_OF_MEMORY;
    JM_TRY(find_axis(call, &f->axis));
    f->dtype = x->dtype;
    f->items.count = f->slice.count = 1;
    for (int k = 0; k < x->shape.rank; k++)
        jm_walk_add(f->axis < 0 || k == f->axis ? &f->items : &f->slice, x->shape.dim[k], jm_byte_stride(x, k), 0, 0);
    f->count = f->items.count;
    f->length = f->slice.count;
    for (int i = 0; i < OUTPUTS; i++) f->has[i] = i < call->outputs;
    f->has[INVERSE] = f->has[INVERSE] && call->attr[RETURN_INVERSE].i;
    f->has[COUNTS] = f->has[COUNTS] && call->attr[RETURN_COUNTS].i;
    f->has[COUNTS_SHAPE] = f->has[COUNTS_SHAPE] && call->attr[RETURN_COUNTS].i;
    f->values = call->out[VALUES];
    if (f->has[INVERSE]) {
        f->shape = call->out[INVERSE].shape;
        memcpy(f->inverse_step, call->out[INVERSE].stride, sizeof(f->inverse_step));
    }
    if (f->has[COUNTS]) f->counts_step = call->out[COUNTS].stride[0];
    for (int i = 0; i < 2; i++)
        if (f->has[VALUES_SHAPE + i]) f->shape_step[i] = call->out[VALUES_SHAPE + i].stride[0];
    f->consecutive = call->attr[CONSECUTIVE].i != 0;
    if (!jm_size_mul((size_t)f->count, (size_t)f->length, &keys) || !jm_size_mul((size_t)f->count, 5, &lists) ||
        !jm_size_add(keys, lists, &keys) || !jm_size_mul(keys, sizeof(uint64_t), &plan->workspace))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the input is too large");
    plan->state = f;
    return JM_OK;
}

static void put_inverse(const find_unique *f, const jm_unique *u, int64_t *out)
{
    int64_t index[JM_MAX_RANK] = {0}, offset = 0;
    for (int64_t i = 0; i < f->count; i++) {
        out[offset] = u->inverse[i];
        for (int k = f->shape.rank - 1; k >= 0; k--) {
            offset += f->inverse_step[k];
            if (++index[k] < f->shape.dim[k]) break;
            offset -= index[k] * f->inverse_step[k];
            index[k] = 0;
        }
    }
}

/* The first of each unique item. */
static void put_values(const find_unique *f, const jm_unique *u, const char *in, char *out)
{
    const size_t size = jm_dtype_size(f->dtype);
    int64_t stride[JM_MAX_RANK];
    jm_counted_strides(&f->values, JM_MAX(f->axis, 0), u->found, stride);
    jm_walk slice = f->slice; /* stream 0: input, 1: output */
    for (int k = 0, own = 0; f->axis >= 0 && k < f->values.shape.rank; k++)
        if (k != f->axis) slice.stride[1][own++] = stride[k] * (int64_t)size;
    const int64_t step = stride[JM_MAX(f->axis, 0)] * (int64_t)size;
    for (int64_t i = 0; i < u->found; i++) {
        int64_t from[JM_WALK_STREAMS], inside[JM_WALK_STREAMS];
        jm_walk_at(&f->items, u->first[i], from);
        for (int64_t j = 0; j < f->length; j++) {
            jm_walk_at(&slice, j, inside);
            memcpy(out + i * step + inside[1], in + from[0] + inside[0], size);
        }
    }
}

static void run(const jm_plan *plan, const jm_run *run)
{
    const find_unique *f = plan->state;
    uint64_t *key = run->workspace;
    int64_t *list = run->workspace ? (int64_t *)run->workspace + f->count * f->length : NULL;
    jm_unique u = {.key = key,
                   .count = f->count,
                   .length = f->length,
                   .order = f->consecutive ? JM_UNIQUE_CONSECUTIVE : JM_UNIQUE_ASCENDING,
                   .nan_differs = JM_DTYPES_FLOAT >> f->dtype & 1};
    int64_t **lists[] = {&u.sorted, &u.scratch, &u.first, &u.times, &u.inverse};
    for (size_t i = 0; list && i < JM_COUNT(lists); i++) *lists[i] = list + (int64_t)i * f->count;
    for (int64_t i = 0; i < f->count; i++) {
        int64_t at[JM_WALK_STREAMS], inside[JM_WALK_STREAMS];
        jm_walk_at(&f->items, i, at);
        for (int64_t j = 0; j < f->length; j++) {
            jm_walk_at(&f->slice, j, inside);
            *key++ = jm_order_key(f->dtype, (const char *)run->in[0] + at[0] + inside[0]);
        }
    }
    jm_unique_find(&u);
    put_values(f, &u, run->in[0], run->out[VALUES]);
    if (f->has[INVERSE]) put_inverse(f, &u, run->out[INVERSE]);
    for (int64_t i = 0; f->has[COUNTS] && i < u.found; i++)
        ((int64_t *)run->out[COUNTS])[i * f->counts_step] = u.times[i];
    for (int k = 0; f->has[VALUES_SHAPE] && k < f->values.shape.rank; k++)
        ((int64_t *)run->out[VALUES_SHAPE])[k * f->shape_step[0]] =
            k == JM_MAX(f->axis, 0) ? u.found : f->values.shape.dim[k];
    if (f->has[COUNTS_SHAPE]) *(int64_t *)run->out[COUNTS_SHAPE] = u.found;
}

static const jm_param param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"Y", JM_PARAM_OUTPUT, JM_COUNTED, .doc = "each element, or slice along the axis, once"},
    {"inverse", JM_PARAM_OUTPUT, JM_OPTIONAL | JM_SWITCHED, .doc = "int64, the place in Y of each of X"},
    {"counts", JM_PARAM_OUTPUT, JM_OPTIONAL | JM_SWITCHED | JM_COUNTED, .doc = "int64, how often each of Y is in X"},
    {"shape", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "int64, the shape of Y that is filled"},
    {"counts_shape", JM_PARAM_OUTPUT, JM_OPTIONAL | JM_SWITCHED, .doc = "int64, the shape of counts that is filled"},
    {"axis", JM_PARAM_INTS, JM_OPTIONAL, .doc = "one in [-rank, rank); absent: elements"},
    {"return_inverse", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "0: inverse has no elements"},
    {"return_counts", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "0: counts has no elements"},
    {"consecutive", JM_PARAM_INT, JM_OPTIONAL,
     .doc = "1: only equal neighbours become one, in place; 0: all equal ones, ascending"},
};

const jm_op jm_op_find_unique = {
    .name = "FindUnique",
    .param = param,
    .params = JM_COUNT(param),
    .formula = "the elements or slices of X without repetition; NaN is above all and equals nothing",
    .source = "PyTorch unique, unique_consecutive",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run,
};
