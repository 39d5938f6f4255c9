/* SPDX-License-Identifier: Apache-2.0
 *
 * If, Loop and Scan: the graph stays flat. A branch is inlined, an iteration of a loop is inlined once for each time
 * that it runs. What decides must be known when a model is compiled; an If whose condition is data computes both
 * branches and selects.
 */
#include <string.h>

#include "compiler/onnx/nodes.h"

#define MOST_ITERATIONS 10000

static const onnx_graph *graph_attr(const onnx_call *call, const char *name)
{
    const onnx_attr *attr = onnx_attr_find(call, name, ONNX_ATTR_GRAPH);
    return attr ? attr->graph : NULL;
}

static jm_status missing_graph(const onnx_call *call, const char *name)
{
    return onnx_error(call, JM_INVALID_ARGUMENT, "attribute '%s' is missing", name);
}

/* A condition: one element. */
static bool is_flag(const jm_value *value)
{
    int64_t count;
    return value && value->tensor.dtype == JM_BOOL && jm_shape_count(&value->tensor.shape, &count) == JM_OK &&
           count == 1;
}

static bool flag(const jm_value *value)
{
    return jm_element_to_i64(JM_BOOL, value->tensor.data) != 0;
}

/* ---- If ---- */

static jm_status select_output(onnx_call *call, jm_value *condition, jm_value *yes, jm_value *no, jm_value **out)
{
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    const jm_tensor *left = &yes->tensor, *right = &no->tensor;
    if (left->dtype == right->dtype && jm_shape_equal(&left->shape, &right->shape))
        return onnx_apply(call, "Where", (jm_value *[]){condition, yes, no}, 3, false, out);
    return onnx_error(call, JM_UNSUPPORTED,
                      "its condition depends on data, and its branches give %s %s and %s %s, which differ",
                      jm_dtype_text(left->dtype), jm_shape_text(&left->shape, a), jm_dtype_text(right->dtype),
                      jm_shape_text(&right->shape, b));
}

/* Computes both branches. Nothing has effects, but an index out of range in either is an error. */
static jm_status convert_both(onnx_call *call, const onnx_graph *yes, const onnx_graph *no)
{
    const jm_shape scalar = {.rank = 0};
    jm_value *condition;
    jm_value **other = jm_arena_alloc(call->import->scratch, call->outputs, sizeof *other);
    if (!other) return JM_OUT_OF_MEMORY;
    JM_TRY(onnx_inline(call, yes, NULL, 0, call->out));
    JM_TRY(onnx_inline(call, no, NULL, 0, other));
    if (call->blocked) return JM_OK;
    JM_TRY(onnx_reshape(call, call->in[0], &scalar, false, &condition));
    for (size_t i = 0; i < call->outputs; i++)
        JM_TRY(select_output(call, condition, call->out[i], other[i], &call->out[i]));
    return JM_OK;
}

jm_status onnx_convert_if(onnx_call *call)
{
    const onnx_graph *yes = graph_attr(call, "then_branch"), *no = graph_attr(call, "else_branch");
    const jm_value *condition = onnx_in(call, 0);
    if (!yes || !no) return missing_graph(call, yes ? "else_branch" : "then_branch");
    if (!is_flag(condition)) return onnx_error(call, JM_INVALID_ARGUMENT, "its condition must be one bool");
    if (yes->outputs != call->outputs || no->outputs != call->outputs)
        return onnx_error(call, JM_INVALID_ARGUMENT, "its branches have other numbers of outputs than it has");
    if (!condition->tensor.constant) return convert_both(call, yes, no);
    return onnx_inline(call, flag(condition) ? yes : no, NULL, 0, call->out);
}

/* ---- What loops share: values that go around, and values that pile up ---- */

typedef struct loop {
    const onnx_graph *body;
    jm_value **in;     /* of the body */
    jm_value **out;    /* of the body */
    size_t states;     /* values that go around */
    size_t first;      /* index of the first state among the body's inputs */
    size_t skip;       /* outputs of the body before the states */
    size_t piles;      /* outputs that pile up, behind the states */
    jm_value ***piece; /* [piles][iterations] */
    size_t iterations; /* that ran */
    size_t capacity;   /* of each pile */
} loop;

static jm_status start_loop(onnx_call *call, loop *l)
{
    jm_arena *arena = call->import->scratch;
    if (l->piles > JM_MAX_ARGUMENTS)
        return onnx_error(call, JM_UNSUPPORTED, "%zu outputs pile up; the limit is %d", l->piles, JM_MAX_ARGUMENTS);
    l->in = jm_arena_alloc(arena, l->body->inputs, sizeof *l->in);
    l->out = jm_arena_alloc(arena, l->body->outputs, sizeof *l->out);
    l->piece = jm_arena_alloc(arena, l->piles, sizeof *l->piece);
    return l->in && l->out && l->piece ? JM_OK : JM_OUT_OF_MEMORY;
}

/* Room for one piece more on each pile. */
static jm_status grow(onnx_call *call, loop *l)
{
    if (l->iterations < l->capacity) return JM_OK;
    l->capacity = JM_MAX(2 * l->capacity, 8);
    for (size_t k = 0; k < l->piles; k++) {
        jm_value **larger = jm_arena_alloc(call->import->scratch, l->capacity, sizeof *larger);
        if (!larger) return JM_OUT_OF_MEMORY;
        if (l->iterations) memcpy(larger, l->piece[k], l->iterations * sizeof *larger);
        l->piece[k] = larger;
    }
    return JM_OK;
}

/* One iteration; the caller has set the inputs that are not states. */
static jm_status iterate(onnx_call *call, loop *l)
{
    JM_TRY(onnx_inline(call, l->body, l->in, l->body->inputs, l->out));
    if (call->blocked) return JM_OK;
    JM_TRY(grow(call, l));
    for (size_t k = 0; k < l->states; k++) l->in[l->first + k] = l->out[l->skip + k];
    for (size_t k = 0; k < l->piles; k++) l->piece[k][l->iterations] = l->out[l->skip + l->states + k];
    l->iterations++;
    return JM_OK;
}

/* A pile of nothing has the shape that the body declares. */
static jm_status empty_pile(onnx_call *call, const onnx_value *declared, int axis, jm_value **out)
{
    jm_dtype dtype = JM_DTYPE_NONE;
    JM_TRY(onnx_dtype(declared->type, "an output of its graph", &dtype));
    jm_shape shape = {.rank = 1};
    if (declared->rank >= JM_MAX_RANK) return onnx_error(call, JM_UNSUPPORTED, "an output has too many dimensions");
    for (size_t k = 0; k < declared->rank; k++) shape.dim[shape.rank++] = JM_MAX(declared->dim[k], 0);
    memmove(shape.dim, shape.dim + 1, (size_t)axis * sizeof *shape.dim);
    shape.dim[axis] = 0;
    *out = jm_graph_constant(call->graph, call->name, dtype, &shape, NULL, true);
    return *out ? JM_OK : JM_OUT_OF_MEMORY;
}

/* The pieces of pile `k` along a new axis. */
static jm_status stack(onnx_call *call, const loop *l, size_t k, int64_t axis, bool backwards, jm_value **out)
{
    const onnx_value *declared = &l->body->output[l->skip + l->states + k];
    jm_value **piece = l->piece[k];
    const size_t count = l->iterations;
    const int rank = count ? piece[0]->tensor.shape.rank : (int)JM_MIN(declared->rank, (size_t)JM_MAX_RANK);
    int at;
    if (rank >= JM_MAX_RANK) return onnx_error(call, JM_UNSUPPORTED, "an output has too many dimensions");
    if (jm_axis_normalise(axis, rank + 1, &at) != JM_OK)
        return onnx_error(call, JM_INVALID_ARGUMENT, "axis %lld of an output is out of range", (long long)axis);
    if (count == 0) return empty_pile(call, declared, at, out);
    for (size_t i = 0; i < count; i++) {
        jm_shape shape = piece[i]->tensor.shape;
        if (shape.rank != rank) return onnx_error(call, JM_UNSUPPORTED, "an output changes its number of dimensions");
        memmove(shape.dim + at + 1, shape.dim + at, (size_t)(rank - at) * sizeof *shape.dim);
        shape.dim[at] = 1;
        shape.rank++;
        JM_TRY(onnx_reshape(call, piece[i], &shape, false, &piece[i]));
    }
    for (size_t i = 0; backwards && i < count / 2; i++) {
        jm_value *swap = piece[i];
        piece[i] = piece[count - 1 - i];
        piece[count - 1 - i] = swap;
    }
    return onnx_concat(call, piece, count, at, false, out);
}

/* ---- Loop ---- */

/* Iterations that the input M allows; MOST_ITERATIONS + 1 when there is none. */
static jm_status trip_count(const onnx_call *call, size_t *count)
{
    const jm_value *trips = onnx_in(call, 0);
    int64_t elements;
    *count = MOST_ITERATIONS + 1;
    if (!trips) return JM_OK;
    if (trips->tensor.dtype != JM_I64 || jm_shape_count(&trips->tensor.shape, &elements) != JM_OK || elements != 1)
        return onnx_error(call, JM_INVALID_ARGUMENT, "its trip count must be one int64");
    if (!trips->tensor.constant)
        return onnx_error(call, JM_UNSUPPORTED, "its trip count depends on data; it must be a constant");
    const int64_t value = jm_element_to_i64(JM_I64, trips->tensor.data);
    *count = (size_t)JM_MIN(JM_MAX(value, 0), MOST_ITERATIONS + 1);
    return JM_OK;
}

static jm_status too_long(const onnx_call *call)
{
    return onnx_error(call, JM_UNSUPPORTED, "it has more than %d iterations, which is too many to be unrolled",
                      MOST_ITERATIONS);
}

/* Runs the body while the condition holds. */
static jm_status unroll(onnx_call *call, loop *l, size_t trips)
{
    jm_value *condition = onnx_in(call, 1);
    for (size_t i = 0; i < trips; i++) {
        if (condition && !is_flag(condition))
            return onnx_error(call, JM_INVALID_ARGUMENT, "its condition must be one bool");
        if (condition && !condition->tensor.constant)
            return onnx_error(call, JM_UNSUPPORTED, "its condition depends on data; it must be a constant");
        if (condition && !flag(condition)) return JM_OK;
        if (i == MOST_ITERATIONS) return too_long(call);
        l->in[0] = onnx_scalar(call, JM_I64, (double)i);
        l->in[1] = condition ? condition : onnx_scalar(call, JM_BOOL, 1);
        if (!l->in[0] || !l->in[1]) return JM_OUT_OF_MEMORY;
        JM_TRY(iterate(call, l));
        if (call->blocked) return JM_OK;
        condition = l->out[0];
    }
    return JM_OK;
}

jm_status onnx_convert_loop(onnx_call *call)
{
    loop l = {.body = graph_attr(call, "body"), .first = 2, .skip = 1};
    size_t trips;
    if (!l.body) return missing_graph(call, "body");
    l.states = l.body->inputs - JM_MIN(l.body->inputs, 2);
    if (l.body->inputs < 2 || l.body->outputs < 1 + l.states || call->outputs > l.body->outputs - 1 ||
        call->inputs > 2 + l.states)
        return onnx_error(call, JM_INVALID_ARGUMENT, "its body has other inputs or outputs than it needs");
    l.piles = l.body->outputs - 1 - l.states;
    JM_TRY(trip_count(call, &trips));
    JM_TRY(start_loop(call, &l));
    for (size_t k = 0; k < l.states; k++) {
        l.in[2 + k] = onnx_in(call, 2 + k);
        if (!l.in[2 + k]) return onnx_error(call, JM_INVALID_ARGUMENT, "input %zu is missing", 2 + k);
    }
    JM_TRY(unroll(call, &l, trips));
    for (size_t k = 0; k < call->outputs && !call->blocked; k++) {
        if (k < l.states)
            call->out[k] = l.in[2 + k];
        else
            JM_TRY(stack(call, &l, k - l.states, 0, false, &call->out[k]));
    }
    return JM_OK;
}

/* ---- Scan ---- */

/* Entry `i` of a list attribute, or 0. */
static int64_t list_entry(const onnx_call *call, const char *name, size_t i)
{
    const onnx_attr *list = onnx_attr_find(call, name, ONNX_ATTR_INTS);
    return list && i < list->count ? list->ints[i] : 0;
}

/* Slice `at` of a scanned input, without its axis. */
static jm_status slice(onnx_call *call, jm_value *value, int axis, int64_t at, jm_value **out)
{
    jm_shape shape = value->tensor.shape;
    jm_value *in[] = {value, onnx_ints(call, &at, 1), onnx_ints(call, &(int64_t){at + 1}, 1),
                      onnx_ints(call, &(int64_t){axis}, 1)};
    if (!in[1] || !in[2] || !in[3]) return JM_OUT_OF_MEMORY;
    JM_TRY(onnx_apply(call, "Slice", in, 4, false, &value));
    shape.rank--;
    memmove(shape.dim + axis, shape.dim + axis + 1, (size_t)(shape.rank - axis) * sizeof *shape.dim);
    return onnx_reshape(call, value, &shape, false, out);
}

/* Axis of scanned input `k`, and its length, which is the same for all. */
static jm_status scan_axis(const onnx_call *call, const jm_value *value, size_t k, int *axis, int64_t *length)
{
    if (!value) return onnx_error(call, JM_INVALID_ARGUMENT, "scanned input %zu is missing", k);
    const jm_shape *shape = &value->tensor.shape;
    if (jm_axis_normalise(list_entry(call, "scan_input_axes", k), shape->rank, axis) != JM_OK)
        return onnx_error(call, JM_INVALID_ARGUMENT, "axis of scanned input %zu is out of range", k);
    if (k > 0 && *length != shape->dim[*axis])
        return onnx_error(call, JM_INVALID_ARGUMENT, "scanned inputs have %lld and %lld elements", (long long)*length,
                          (long long)shape->dim[*axis]);
    *length = shape->dim[*axis];
    return JM_OK;
}

static jm_status scan(onnx_call *call, loop *l, size_t scanned)
{
    jm_value *const *in = call->in + l->states;
    int64_t length = 0;
    int axis;
    for (size_t k = 0; k < scanned; k++) JM_TRY(scan_axis(call, in[k], k, &axis, &length));
    if (length > MOST_ITERATIONS) return too_long(call);
    JM_TRY(start_loop(call, l));
    for (size_t k = 0; k < l->states; k++) {
        l->in[k] = call->in[k];
        if (!l->in[k]) return onnx_error(call, JM_INVALID_ARGUMENT, "input %zu is missing", k);
    }
    for (int64_t i = 0; i < length && !call->blocked; i++) {
        for (size_t k = 0; k < scanned; k++) {
            const int64_t at = list_entry(call, "scan_input_directions", k) ? length - 1 - i : i;
            JM_TRY(scan_axis(call, in[k], k, &axis, &length));
            JM_TRY(slice(call, in[k], axis, at, &l->in[l->states + k]));
        }
        JM_TRY(iterate(call, l));
    }
    return JM_OK;
}

jm_status onnx_convert_scan(onnx_call *call)
{
    loop l = {.body = graph_attr(call, "body")};
    const int64_t scanned = onnx_attr_int(call, "num_scan_inputs", 0);
    if (call->opset < 9) return onnx_error(call, JM_UNSUPPORTED, "opset 8 scans batches, which is not supported");
    if (!l.body) return missing_graph(call, "body");
    if (scanned < 1 || (size_t)scanned > call->inputs || l.body->inputs != call->inputs)
        return onnx_error(call, JM_INVALID_ARGUMENT, "its body has other inputs than it needs");
    l.states = call->inputs - (size_t)scanned;
    if (l.body->outputs < l.states || call->outputs > l.body->outputs)
        return onnx_error(call, JM_INVALID_ARGUMENT, "its body has other outputs than it needs");
    l.piles = l.body->outputs - l.states;
    JM_TRY(scan(call, &l, (size_t)scanned));
    for (size_t k = 0; k < call->outputs && !call->blocked; k++) {
        const size_t pile = k - JM_MIN(k, l.states);
        if (k < l.states)
            call->out[k] = l.in[k];
        else
            JM_TRY(stack(call, &l, pile, list_entry(call, "scan_output_axes", pile),
                         list_entry(call, "scan_output_directions", pile) != 0, &call->out[k]));
    }
    return JM_OK;
}
