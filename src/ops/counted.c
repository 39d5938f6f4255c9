/* SPDX-License-Identifier: Apache-2.0
 *
 * NonZero, Compress and Unique: the size of the output is a count of what the data hold. A graph has fixed shapes, so
 * the counted input must be constant when it is compiled; then the outputs are constants too, or a Gather with constant
 * indices.
 */

#include "ops/compose.h"
#include "ops/order.h"
#include "ops/unique.h"

/* Element `flat` in row-major order. */
static const void *element(const jm_tensor *tensor, int64_t flat)
{
    int64_t index[JM_MAX_RANK] = {0};
    for (int k = tensor->shape.rank - 1; k >= 0; k--) {
        index[k] = flat % tensor->shape.dim[k];
        flat /= tensor->shape.dim[k];
    }
    return jm_tensor_at(tensor, index);
}

static bool nonzero(const jm_tensor *tensor, int64_t flat)
{
    return jm_element_to_f64(tensor->dtype, element(tensor, flat)) != 0;
}

static bool known(const jm_tensor *tensor)
{
    return tensor->constant && tensor->layout == JM_PLAIN && (tensor->data || jm_tensor_elements(tensor) == 0);
}

/* An axis that may be absent is a list of at most one number; *axis is -1 then. */
static jm_status optional_axis(const jm_call *call, const jm_attr *attr, int *axis)
{
    *axis = -1;
    if (attr->count == 0) return JM_OK;
    if (attr->count > 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis has %d numbers", (int)attr->count);
    return jm_axis_normalise(attr->ints[0], call->in[0].shape.rank, axis);
}

/* ---- NonZero ---- */

static int64_t count_nonzero(const jm_tensor *x)
{
    int64_t found = 0;
    const int64_t count = jm_tensor_elements(x);
    for (int64_t i = 0; i < count; i++) found += nonzero(x, i);
    return found;
}

static jm_status infer_nonzero(jm_call *call)
{
    const jm_tensor *x = &call->in[0];
    call->out[0].dtype = JM_I64;
    call->out[0].shape = (jm_shape){.rank = 2, .dim = {JM_MAX(x->shape.rank, 1), known(x) ? count_nonzero(x) : -1}};
    return JM_OK;
}

static jm_status lower_nonzero(const jm_call *call, jm_builder *builder)
{
    const jm_tensor *x = &call->in[0];
    const jm_shape *shape = &call->out[0].shape;
    const int64_t count = jm_tensor_elements(x), found = shape->dim[1];
    int64_t *place = jm_alloc((size_t)JM_MAX(shape->dim[0] * found, 1), sizeof(*place)), next = 0;
    if (!place) return JM_OUT_OF_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        if (!nonzero(x, i)) continue;
        int64_t rest = i;
        place[next] = 0;
        for (int k = x->shape.rank - 1; k >= 0; k--) {
            place[k * found + next] = rest % x->shape.dim[k];
            rest /= x->shape.dim[k];
        }
        next++;
    }
    jm_compose c = {.builder = builder};
    jm_compose_result(&c, 0, jm_compose_constant(&c, JM_I64, shape, place));
    jm_free(place);
    return jm_compose_end(&c);
}

static const jm_param nonzero_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "constant tensor"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "int64, [rank, count]: an index in each column, in row-major order"},
};

const jm_op jm_op_nonzero = {
    .name = "NonZero",
    .param = nonzero_param,
    .params = JM_COUNT(nonzero_param),
    .formula = "the indices of the elements that are not 0",
    .source = "ONNX NonZero-13",
    .infer = infer_nonzero,
    .lower = lower_nonzero,
};

/* ---- Compress ---- */

enum { DATA, CONDITION };

static jm_status compress_axis(const jm_call *call, bool *flat, int *axis)
{
    JM_TRY(optional_axis(call, &call->attr[0], axis));
    *flat = *axis < 0;
    *axis = JM_MAX(*axis, 0);
    if (call->in[CONDITION].dtype != JM_BOOL || call->in[CONDITION].shape.rank != 1)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "condition must be a list of bool");
    return JM_OK;
}

static jm_status infer_compress(jm_call *call)
{
    const jm_tensor *data = &call->in[DATA], *condition = &call->in[CONDITION];
    bool flat;
    int axis;
    JM_TRY(compress_axis(call, &flat, &axis));
    call->out[0].dtype = data->dtype;
    call->out[0].shape = flat ? (jm_shape){.rank = 1} : data->shape;
    call->out[0].shape.dim[axis] = known(condition) ? count_nonzero(condition) : -1;
    const int64_t most = flat ? jm_tensor_elements(data) : data->shape.dim[axis];
    if (known(condition) && jm_shape_known(&data->shape) && condition->shape.dim[0] > most)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "condition has %lld elements for %lld of the input",
                             (long long)condition->shape.dim[0], (long long)most);
    return JM_OK;
}

static jm_status lower_compress(const jm_call *call, jm_builder *builder)
{
    const jm_tensor *condition = &call->in[CONDITION];
    bool flat;
    int axis;
    JM_TRY(compress_axis(call, &flat, &axis));
    const int64_t length = condition->shape.dim[0];
    int64_t *chosen = jm_alloc((size_t)JM_MAX(length, 1), sizeof(*chosen)), count = 0;
    if (!chosen) return JM_OUT_OF_MEMORY;
    for (int64_t i = 0; i < length; i++)
        if (nonzero(condition, i)) chosen[count++] = i;
    jm_compose c = {.builder = builder};
    const jm_shape list = {.rank = 1, .dim = {count}}, line = {.rank = 1, .dim = {jm_tensor_elements(&call->in[DATA])}};
    const jm_named_attr attr = {"axis", {.i = axis}};
    jm_operand *in[2] = {jm_compose_input(&c, DATA), jm_compose_constant(&c, JM_I64, &list, chosen)};
    jm_free(chosen);
    if (flat) in[0] = jm_compose_reshape(&c, in[0], &line);
    jm_compose_result(&c, 0, jm_compose_node(&c, "Gather", in, 2, &attr, 1));
    return jm_compose_end(&c);
}

static const jm_param compress_param[] = {
    {.name = "input", .kind = JM_PARAM_INPUT, .doc = "tensor"},
    {.name = "condition", .kind = JM_PARAM_INPUT, .doc = "constant list of bool, at most as long as the axis"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "what the condition keeps"},
    {.name = "axis", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "one in [-rank, rank); absent: all in a row"},
};

const jm_op jm_op_compress = {
    .name = "Compress",
    .param = compress_param,
    .params = JM_COUNT(compress_param),
    .formula = "the slices of input along axis whose condition is true",
    .source = "ONNX Compress-11",
    .infer = infer_compress,
    .lower = lower_compress,
};

/* ---- Unique ---- */

/* What Unique finds: for each unique item its first place and how often it is there, for each item which it is. Items
 * are elements, or slices along the axis. */
static jm_status find_uniques(const jm_call *call, jm_arena *arena, jm_unique *u)
{
    const jm_tensor *x = &call->in[0];
    int axis;
    int64_t inner = 1;
    JM_TRY(optional_axis(call, &call->attr[0], &axis));
    *u = (jm_unique){.length = 1, .order = call->attr[1].i ? JM_UNIQUE_ASCENDING : JM_UNIQUE_BY_PLACE};
    u->count = axis < 0 ? jm_tensor_elements(x) : x->shape.dim[axis];
    for (int k = 0; axis >= 0 && k < x->shape.rank; k++) {
        if (k > axis) inner *= x->shape.dim[k];
        if (k != axis) u->length *= x->shape.dim[k];
    }
    const size_t room = (size_t)JM_MAX(u->count, 1), length = (size_t)JM_MAX(u->length, 1);
    uint64_t *key = jm_arena_alloc(arena, room, length * sizeof(*key));
    int64_t **list[] = {&u->sorted, &u->scratch, &u->first, &u->times, &u->inverse};
    if (!key) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < JM_COUNT(list); i++)
        if (!(*list[i] = jm_arena_alloc(arena, room, sizeof(int64_t)))) return JM_OUT_OF_MEMORY;
    u->key = key;
    for (int64_t item = 0; item < u->count; item++)
        for (int64_t i = 0; i < u->length; i++)
            *key++ =
                jm_order_key(x->dtype, element(x, axis < 0 ? item : (i / inner * u->count + item) * inner + i % inner));
    jm_unique_find(u);
    return JM_OK;
}

static jm_status infer_unique(jm_call *call)
{
    const jm_tensor *x = &call->in[0];
    int axis;
    JM_TRY(optional_axis(call, &call->attr[0], &axis));
    int64_t count = -1;
    if (known(x)) {
        jm_arena *arena;
        jm_unique u = {0};
        JM_TRY(jm_arena_create(&arena));
        const jm_status status = find_uniques(call, arena, &u);
        jm_arena_destroy(arena);
        JM_TRY(status);
        count = u.found;
    }
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = i == 0 ? x->dtype : JM_I64;
        call->out[i].shape = (jm_shape){.rank = 1, .dim = {count}};
    }
    const int64_t item_count = axis >= 0 ? x->shape.dim[axis] : jm_shape_known(&x->shape) ? jm_tensor_elements(x) : -1;
    if (call->outputs > 2) call->out[2].shape.dim[0] = item_count;
    if (axis < 0) return JM_OK;
    call->out[0].shape = x->shape;
    call->out[0].shape.dim[axis] = count;
    return JM_OK;
}

static jm_status emit_unique(const jm_call *call, jm_builder *builder, const jm_unique *u)
{
    const jm_tensor *x = &call->in[0];
    int axis;
    JM_TRY(optional_axis(call, &call->attr[0], &axis));
    jm_compose c = {.builder = builder};
    const jm_shape count = {.rank = 1, .dim = {u->found}}, line = {.rank = 1, .dim = {jm_tensor_elements(x)}};
    const jm_shape items = {.rank = 1, .dim = {axis < 0 ? jm_tensor_elements(x) : x->shape.dim[axis]}};
    const jm_named_attr attr = {"axis", {.i = JM_MAX(axis, 0)}};
    jm_operand *first = jm_compose_constant(&c, JM_I64, &count, u->first);
    jm_operand *in[2] = {jm_compose_input(&c, 0), first};
    if (axis < 0) in[0] = jm_compose_reshape(&c, in[0], &line);
    jm_compose_result(&c, 0, jm_compose_node(&c, "Gather", in, 2, &attr, 1));
    jm_compose_result(&c, 1, first);
    jm_compose_result(&c, 2, jm_compose_constant(&c, JM_I64, &items, u->inverse));
    jm_compose_result(&c, 3, jm_compose_constant(&c, JM_I64, &count, u->times));
    return jm_compose_end(&c);
}

static jm_status lower_unique(const jm_call *call, jm_builder *builder)
{
    jm_arena *arena;
    jm_unique u = {0};
    JM_TRY(jm_arena_create(&arena));
    jm_status status = find_uniques(call, arena, &u);
    if (status == JM_OK) status = emit_unique(call, builder, &u);
    jm_arena_destroy(arena);
    return status;
}

static const jm_param unique_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "constant tensor"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "each element, or slice along the axis, once"},
    {.name = "indices", .kind = JM_PARAM_OUTPUT, .flags = JM_OPTIONAL, .doc = "int64, its first place in X"},
    {.name = "inverse_indices", .kind = JM_PARAM_OUTPUT, .flags = JM_OPTIONAL, .doc = "int64, place in Y of each of X"},
    {.name = "counts", .kind = JM_PARAM_OUTPUT, .flags = JM_OPTIONAL, .doc = "int64, how often it is in X"},
    {.name = "axis", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "one in [-rank, rank); absent: elements"},
    {.name = "sorted", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "1: ascending; 0: by first place"},
};

const jm_op jm_op_unique = {
    .name = "Unique",
    .param = unique_param,
    .params = JM_COUNT(unique_param),
    .formula = "the elements or slices of X without repetition",
    .source = "ONNX Unique-11",
    .infer = infer_unique,
    .lower = lower_unique,
};
