/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/op.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Parameter table ---- */

static bool is_attr(const jm_param *param)
{
    return param->kind != JM_PARAM_INPUT && param->kind != JM_PARAM_OUTPUT;
}

static int count_params(const jm_op *op, jm_param_kind kind)
{
    int count = 0;
    for (int i = 0; i < op->params; i++) count += op->param[i].kind == kind;
    return count;
}

int jm_op_inputs(const jm_op *op)
{
    return count_params(op, JM_PARAM_INPUT);
}

int jm_op_outputs(const jm_op *op)
{
    return count_params(op, JM_PARAM_OUTPUT);
}

int jm_op_attrs(const jm_op *op)
{
    return op->params - jm_op_inputs(op) - jm_op_outputs(op);
}

const jm_param *jm_op_input(const jm_op *op, int i)
{
    return &op->param[i];
}

const jm_param *jm_op_output(const jm_op *op, int i)
{
    return &op->param[jm_op_inputs(op) + i];
}

const jm_param *jm_op_attr(const jm_op *op, int i)
{
    return &op->param[jm_op_inputs(op) + jm_op_outputs(op) + i];
}

int jm_op_attr_index(const jm_op *op, const char *name)
{
    for (int i = 0, attr = 0; i < op->params; i++) {
        if (!is_attr(&op->param[i])) continue;
        if (strcmp(op->param[i].name, name) == 0) return attr;
        attr++;
    }
    return -1;
}

void jm_op_attr_defaults(const jm_op *op, jm_attr *attr)
{
    int attrs = jm_op_attrs(op);
    for (int i = 0; i < attrs; i++) {
        const jm_param *param = jm_op_attr(op, i);
        if (attr[i].present || !(param->flags & JM_OPTIONAL)) continue;
        attr[i] = (jm_attr){0};
        switch (param->kind) {
        case JM_PARAM_INT:
            attr[i] = (jm_attr){.present = true, .count = 1, .i = param->i};
            break;
        case JM_PARAM_FLOAT:
            attr[i] = (jm_attr){.present = true, .count = 1, .f = param->f};
            break;
        case JM_PARAM_STRING:
            if (param->s) attr[i] = (jm_attr){.present = true, .count = 1, .s = param->s};
            break;
        case JM_PARAM_DTYPE:
            if (param->i >= 0) attr[i] = (jm_attr){.present = true, .count = 1, .dtype = (jm_dtype)param->i};
            break;
        case JM_PARAM_EPILOGUE:
            attr[i] = (jm_attr){.present = true, .count = 1};
            break;
        default:
            break;
        }
    }
}

/* ---- Calls ---- */

const jm_tensor *jm_call_in(const jm_call *call, int i)
{
    return i >= 0 && i < call->inputs && call->in[i].dtype != JM_DTYPE_NONE ? &call->in[i] : NULL;
}

jm_status jm_call_error(const jm_call *call, jm_status code, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return jm_error(code, "%s '%s': %s", call->op->name, call->name ? call->name : "", text);
}

jm_status jm_call_axis(const jm_call *call, int64_t value, int *axis)
{
    const int rank = call->in[0].shape.rank;
    if (jm_axis_normalise(value, rank, axis) == JM_OK) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %lld is not one of rank %d", (long long)value, rank);
}

/* The parameter of argument `i`; variadic parameters repeat. NULL when there are too many arguments. */
static const jm_param *argument_param(const jm_op *op, jm_param_kind kind, int i)
{
    int count = count_params(op, kind);
    if (!count) return NULL;
    const jm_param *first = kind == JM_PARAM_INPUT ? jm_op_input(op, 0) : jm_op_output(op, 0);
    if (i < count) return &first[i];
    return first[count - 1].flags & JM_VARIADIC ? &first[count - 1] : NULL;
}

static bool is_integer(jm_dtype dtype)
{
    switch (dtype) {
    case JM_I8:
    case JM_U8:
    case JM_I16:
    case JM_U16:
    case JM_I32:
    case JM_U32:
    case JM_I64:
    case JM_U64:
        return true;
    default:
        return false;
    }
}

jm_status jm_call_host_ints(const jm_call *call, int input, int64_t *values, int limit, int *count)
{
    *count = 0;
    const jm_param *param = argument_param(call->op, JM_PARAM_INPUT, input);
    const char *name = param ? param->name : "?";
    const jm_tensor *tensor = jm_call_in(call, input);
    if (!tensor) return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' is missing", name);
    if (!is_integer(tensor->dtype))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' is %s and must be integers", name,
                             jm_dtype_text(tensor->dtype));
    if (tensor->shape.rank > 1)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' has rank %d and must have rank 0 or 1", name,
                             tensor->shape.rank);
    int64_t length = tensor->shape.rank ? tensor->shape.dim[0] : 1;
    if (length < 0 || !tensor->constant || tensor->layout != JM_PLAIN || (length > 0 && !tensor->data))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "the value of input '%s' must be known at compile time: give the model fixed input shapes",
                             name);
    if (length > limit)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' has %lld values; the limit is %d", name,
                             (long long)length, limit);
    size_t step = jm_dtype_size(tensor->dtype) * (size_t)(tensor->shape.rank ? tensor->stride[0] : 1);
    for (int64_t i = 0; i < length; i++)
        values[i] = jm_element_to_i64(tensor->dtype, (const char *)tensor->data + (size_t)i * step);
    *count = (int)length;
    return JM_OK;
}

/* The helpers that callbacks use do not know the operator: its name goes in front of their messages here. */
static jm_status named(const jm_call *call, jm_status status)
{
    size_t length = strlen(call->op->name);
    const char *text = jm_last_error();
    if (status == JM_OK || (strncmp(text, call->op->name, length) == 0 && text[length] == ' ')) return status;
    return jm_error_context(status, "%s '%s'", call->op->name, call->name ? call->name : "");
}

/* ---- Check and infer ---- */

static jm_status check_arguments(const jm_call *call, jm_param_kind kind, int given)
{
    const char *word = kind == JM_PARAM_INPUT ? "input" : "output";
    if (given < 0 || given > JM_MAX_ARGUMENTS || (given > 0 && !argument_param(call->op, kind, given - 1)))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%d %ss; the operator takes %d", given, word,
                             count_params(call->op, kind));
    int params = count_params(call->op, kind);
    for (int i = 0; i < params; i++) {
        const jm_param *param = argument_param(call->op, kind, i);
        if (param->flags & (JM_OPTIONAL | JM_VARIADIC)) continue;
        if (kind == JM_PARAM_INPUT ? !jm_call_in(call, i) : i >= given)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s '%s' is missing", word, param->name);
    }
    return JM_OK;
}

static bool known_dtype(jm_dtype dtype)
{
    return jm_dtype_size(dtype) > 0;
}

static jm_status check_shape(const jm_call *call, const jm_tensor *tensor, const char *word, int i)
{
    const jm_shape *shape = &tensor->shape;
    if (shape->rank < 0 || shape->rank > JM_MAX_RANK)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s %d has rank %d; ranks are 0 to %d", word, i, shape->rank,
                             JM_MAX_RANK);
    /* Unknown and zero dims count as one, so that the known ones are bounded by themselves. */
    jm_shape bounded = *shape;
    for (int k = 0; k < shape->rank; k++) {
        if (shape->dim[k] < -1)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s %d has dimension %lld", word, i,
                                 (long long)shape->dim[k]);
        bounded.dim[k] = JM_MAX(shape->dim[k], 1);
    }
    int64_t count;
    if (jm_shape_count(&bounded, &count) != JM_OK) {
        char text[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_OUT_OF_RANGE, "%s %d of shape %s has more than 2^40 elements", word, i,
                             jm_shape_text(shape, text));
    }
    return JM_OK;
}

static jm_status check_attrs(const jm_call *call)
{
    int attrs = jm_op_attrs(call->op);
    for (int i = 0; i < attrs; i++) {
        const jm_param *param = jm_op_attr(call->op, i);
        const jm_attr *attr = &call->attr[i];
        if (!attr->present) {
            if (param->flags & JM_OPTIONAL) continue;
            return jm_call_error(call, JM_INVALID_ARGUMENT, "attribute '%s' is missing", param->name);
        }
        bool good = attr->count >= 0;
        switch (param->kind) {
        case JM_PARAM_STRING:
            good = attr->s != NULL;
            break;
        case JM_PARAM_INTS:
            good = good && (attr->count == 0 || attr->ints);
            break;
        case JM_PARAM_FLOATS:
            good = good && (attr->count == 0 || attr->floats);
            break;
        case JM_PARAM_DTYPE:
            good = known_dtype(attr->dtype) &&
                   (!(JM_DTYPES_COMPLEX >> attr->dtype & 1) || call->op->dtypes & JM_DTYPES_COMPLEX);
            break;
        case JM_PARAM_EPILOGUE:
            good = (unsigned)attr->epilogue.activation < JM_ACT_COUNT &&
                   (unsigned)attr->epilogue.residual <= JM_ACTIVATION_THEN_RESIDUAL;
            break;
        default:
            break;
        }
        if (!good) return jm_call_error(call, JM_INVALID_ARGUMENT, "attribute '%s' has no legal value", param->name);
    }
    return JM_OK;
}

static jm_status check_dtypes(const jm_call *call)
{
    const jm_op *op = call->op;
    for (int i = 0; i < call->inputs && !(op->dtypes & JM_DTYPES_COMPLEX); i++) {
        const jm_tensor *tensor = jm_call_in(call, i);
        if (tensor && JM_DTYPES_COMPLEX >> tensor->dtype & 1)
            return jm_call_error(call, JM_UNSUPPORTED, "input '%s' cannot be %s",
                                 argument_param(op, JM_PARAM_INPUT, i)->name, jm_dtype_text(tensor->dtype));
    }
    const jm_tensor *first = jm_call_in(call, 0);
    if (!first) return JM_OK;
    if (op->dtypes && !(op->dtypes >> first->dtype & 1))
        return jm_call_error(call, JM_UNSUPPORTED, "input '%s' cannot be %s", op->param[0].name,
                             jm_dtype_text(first->dtype));
    if (op->dtype_rule != JM_DTYPE_SAME) return JM_OK;
    for (int i = 1; i < call->inputs; i++) {
        const jm_tensor *tensor = jm_call_in(call, i);
        const jm_param *param = argument_param(op, JM_PARAM_INPUT, i);
        if (!tensor || param->flags & JM_HOST || tensor->dtype == first->dtype) continue;
        return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' is %s and must be %s like input '%s'", param->name,
                             jm_dtype_text(tensor->dtype), jm_dtype_text(first->dtype), op->param[0].name);
    }
    return JM_OK;
}

jm_status jm_op_check(const jm_call *call)
{
    JM_TRY(check_arguments(call, JM_PARAM_INPUT, call->inputs));
    JM_TRY(check_arguments(call, JM_PARAM_OUTPUT, call->outputs));
    for (int i = 0; i < call->inputs; i++) {
        const jm_tensor *tensor = jm_call_in(call, i);
        if (!tensor) continue;
        if (!known_dtype(tensor->dtype))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "input %d has the unknown type %d", i, (int)tensor->dtype);
        JM_TRY(check_shape(call, tensor, "input", i));
    }
    JM_TRY(check_dtypes(call));
    JM_TRY(check_attrs(call));
    return call->op->check ? named(call, call->op->check(call)) : JM_OK;
}

jm_status jm_op_infer(jm_call *call)
{
    JM_TRY(jm_op_check(call));
    for (int i = 0; i < call->outputs; i++) call->out[i] = (jm_tensor){.dtype = JM_DTYPE_NONE};
    JM_TRY(named(call, call->op->infer(call)));
    for (int i = 0; i < call->outputs; i++) {
        jm_tensor *out = &call->out[i];
        if (call->op->dtype_rule == JM_DTYPE_SAME && call->inputs > 0) out->dtype = call->in[0].dtype;
        if (!known_dtype(out->dtype))
            return jm_call_error(call, JM_INTERNAL, "the type of output %d was not inferred", i);
        JM_TRY(check_shape(call, out, "output", i));
        jm_shape shape = out->shape;
        if (jm_shape_known(&shape)) JM_TRY(jm_tensor_init(out, out->dtype, &shape, JM_PLAIN, NULL));
    }
    return JM_OK;
}

/* ---- Forms ---- */

int jm_op_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    memset(forms, 0, sizeof(jm_form) * JM_MAX_FORMS);
    if (call->op->forms) return call->op->forms(call, forms);
    int64_t count = 0;
    if (call->outputs == 0 || jm_shape_count(&call->out[0].shape, &count) != JM_OK) count = 0;
    forms[0] = (jm_form){.name = "plain", .out_strided = true, .in_place = -1, .cost = 1000.0 + (double)count};
    return 1;
}

jm_status jm_op_form(const jm_call *call, uint8_t id, jm_form *form)
{
    jm_form forms[JM_MAX_FORMS];
    int count = jm_op_forms(call, forms);
    for (int i = 0; i < count; i++) {
        if (forms[i].id != id) continue;
        *form = forms[i];
        return JM_OK;
    }
    return jm_call_error(call, JM_NOT_FOUND, "there is no form %u for these arguments", id);
}

/* ---- Plan ---- */

#define MAX_BLOCKED_CHANNELS (1 << 20) /* plans may allocate per channel */

/* Every lane lies in a block: what kernels index by. */
static bool map_fits(const jm_channel_map *map, int64_t channels)
{
    if (map->channels != channels || map->blocks < 0 || map->blocks > channels) return false;
    for (int32_t c = 0; c < map->channels; c++)
        if (map->lane[c] < 0 || map->lane[c] >= map->blocks * JM_LANES) return false;
    for (int32_t b = 0; b < map->blocks; b++)
        if (map->count[b] < 1 || map->count[b] > JM_LANES) return false;
    return true;
}

static jm_status check_layout(const jm_call *call, const jm_tensor *tensor, jm_layout want, const char *word, int i)
{
    static const char *const text[] = {"plain", "C16", "packed"};
    if (!jm_shape_known(&tensor->shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the shape of %s %d is not known", word, i);
    if (tensor->layout != want)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the layout of %s %d must be %s", word, i, text[want]);
    if (want != JM_C16) return JM_OK;
    const jm_shape *shape = &tensor->shape;
    if (shape->dim[1] > MAX_BLOCKED_CHANNELS)
        return jm_call_error(call, JM_UNSUPPORTED, "%s %d has %lld channels; the limit of blocked layouts is %d", word,
                             i, (long long)shape->dim[1], MAX_BLOCKED_CHANNELS);
    if (tensor->map && !map_fits(tensor->map, shape->dim[1]))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the channel map of %s %d does not fit its %lld channels", word,
                             i, (long long)shape->dim[1]);
    if (tensor->stride[shape->rank - 1] != JM_LANES)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the innermost stride of %s %d must be %d", word, i, JM_LANES);
    return JM_OK;
}

static jm_status check_inputs(const jm_call *call, const jm_form *form)
{
    for (int i = 0; i < call->inputs; i++) {
        const jm_tensor *tensor = jm_call_in(call, i);
        if (!tensor) continue;
        jm_layout want = form->in;
        if (form->in_plain >> i & 1 || tensor->constant || tensor->shape.rank < 3) want = JM_PLAIN;
        if (form->in_packed >> i & 1) want = JM_PACKED;
        JM_TRY(check_layout(call, tensor, want, "input", i));
        if (want != JM_PACKED) continue;
        if (!tensor->constant)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "input %d is packed and must be constant", i);
        size_t bytes = 0;
        if (!call->op->pack_bytes)
            return jm_call_error(call, JM_INTERNAL, "form '%s' packs an input that has no size", form->name);
        JM_TRY(call->op->pack_bytes(call, form, i, &bytes));
    }
    return JM_OK;
}

/* Strides as jm_tensor_init makes them, wherever they matter. */
static jm_status check_dense(const jm_call *call, const jm_tensor *tensor, int i)
{
    jm_tensor dense;
    JM_TRY(jm_tensor_init(&dense, tensor->dtype, &tensor->shape, tensor->layout, tensor->map));
    for (int k = 0; k < tensor->shape.rank; k++) {
        if (tensor->shape.dim[k] <= 1 || tensor->stride[k] == dense.stride[k]) continue;
        return jm_call_error(call, JM_INVALID_ARGUMENT, "output %d may not have gaps in this form", i);
    }
    return JM_OK;
}

/* The outputs are what infer() says: plan() of every operator relies on it. */
static jm_status check_outputs(const jm_call *call, const jm_form *form)
{
    jm_tensor out[JM_MAX_ARGUMENTS];
    jm_call again = *call;
    again.out = out;
    JM_TRY(jm_op_infer(&again));
    for (int i = 0; i < call->outputs; i++) {
        const jm_tensor *tensor = &call->out[i];
        if (tensor->dtype != out[i].dtype || !jm_shape_equal(&tensor->shape, &out[i].shape)) {
            char have[JM_SHAPE_TEXT], want[JM_SHAPE_TEXT];
            return jm_call_error(call, JM_INVALID_ARGUMENT, "output %d is %s %s and must be %s %s", i,
                                 jm_dtype_text(tensor->dtype), jm_shape_text(&tensor->shape, have),
                                 jm_dtype_text(out[i].dtype), jm_shape_text(&out[i].shape, want));
        }
        JM_TRY(check_layout(call, tensor, tensor->shape.rank < 3 ? JM_PLAIN : form->out, "output", i));
        if (!form->out_strided) JM_TRY(check_dense(call, tensor, i));
    }
    return JM_OK;
}

static jm_status check_maps(const jm_call *call)
{
    const jm_tensor *first = NULL;
    for (int i = 0; i < call->inputs + call->outputs; i++) {
        const jm_tensor *tensor = i < call->inputs ? jm_call_in(call, i) : &call->out[i - call->inputs];
        if (!tensor || tensor->layout != JM_C16) continue;
        if (!first) first = tensor;
        if (tensor->shape.dim[1] == first->shape.dim[1] &&
            jm_channel_map_equal(tensor->map, first->map, first->shape.dim[1]))
            continue;
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the blocked arguments must share one channel map");
    }
    return JM_OK;
}

jm_status jm_op_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                     jm_plan *plan)
{
    memset(plan, 0, sizeof(*plan));
    if (!call->op->plan)
        return jm_call_error(call, JM_UNSUPPORTED, "the operator is composite and must be lowered first");
    JM_TRY(jm_op_check(call));
    JM_TRY(check_inputs(call, form));
    JM_TRY(check_outputs(call, form));
    if (form->map == JM_MAP_SAME) JM_TRY(check_maps(call));
    plan->chunks = 1;
    return named(call, call->op->plan(call, form, machine, arena, plan));
}

double jm_op_flops(const jm_call *call)
{
    if (call->op->flops) return call->op->flops(call);
    int64_t count = 0;
    if (call->outputs == 0 || jm_shape_count(&call->out[0].shape, &count) != JM_OK) return 0;
    return (double)count;
}

jm_status jm_infer_same(jm_call *call)
{
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    return JM_OK;
}

int64_t jm_tensor_elements(const jm_tensor *tensor)
{
    int64_t count;
    return jm_shape_count(&tensor->shape, &count) == JM_OK ? count : 0;
}
