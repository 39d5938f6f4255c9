/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/onnx/convert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/fold.h"

/* ---- Reading a node ---- */

jm_status onnx_error(const onnx_call *call, jm_status code, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return jm_error(code, "%s '%s': %s", call->node->op, call->name, text);
}

jm_value *onnx_in(const onnx_call *call, size_t i)
{
    return i < call->inputs ? call->in[i] : NULL;
}

bool onnx_wants(const onnx_call *call, size_t i)
{
    return i < call->node->outputs && call->node->output[i][0];
}

const onnx_attr *onnx_attr_find(const onnx_call *call, const char *name, onnx_attr_type type)
{
    for (size_t i = 0; i < call->node->attrs; i++) {
        const onnx_attr *attr = &call->node->attr[i];
        if (attr->type == type && strcmp(attr->name, name) == 0) return attr;
    }
    return NULL;
}

int64_t onnx_attr_int(const onnx_call *call, const char *name, int64_t fallback)
{
    const onnx_attr *attr = onnx_attr_find(call, name, ONNX_ATTR_INT);
    return attr ? attr->i : fallback;
}

double onnx_attr_float(const onnx_call *call, const char *name, double fallback)
{
    const onnx_attr *attr = onnx_attr_find(call, name, ONNX_ATTR_FLOAT);
    return attr ? attr->f : fallback;
}

const char *onnx_attr_text(const onnx_call *call, const char *name, const char *fallback)
{
    const onnx_attr *attr = onnx_attr_find(call, name, ONNX_ATTR_STRING);
    return attr ? attr->s : fallback;
}

/* Number of elements of a constant of rank 0 or 1, or -1. */
static int64_t list_length(const jm_tensor *tensor)
{
    if (!tensor->constant || tensor->shape.rank > 1) return -1;
    return tensor->shape.rank == 0 ? 1 : tensor->shape.dim[0];
}

static const void *list_element(const jm_tensor *tensor, int64_t i)
{
    return (const char *)tensor->data + (size_t)i * jm_dtype_size(tensor->dtype);
}

jm_status onnx_ints_of(const onnx_call *call, size_t input, const char *name, int64_t *values, int limit, int *count)
{
    const jm_value *value = onnx_in(call, input);
    const onnx_attr *attr = onnx_attr_find(call, name, ONNX_ATTR_INTS);
    int64_t length = value ? list_length(&value->tensor) : attr ? (int64_t)attr->count : 0;
    *count = -1;
    if (length < 0) {
        return onnx_error(call, JM_UNSUPPORTED, "'%s' must be a constant list, not computed from data", name);
    }
    if (length > limit) {
        return onnx_error(call, JM_INVALID_ARGUMENT, "'%s' has %lld values; the limit is %d", name, (long long)length,
                          limit);
    }
    if (!value && !attr) return JM_OK;
    for (int64_t i = 0; i < length; i++) {
        values[i] = value ? jm_element_to_i64(value->tensor.dtype, list_element(&value->tensor, i)) : attr->ints[i];
    }
    *count = (int)length;
    return JM_OK;
}

/* ---- Emitting ---- */

jm_status onnx_emit(onnx_call *call, const char *op, jm_value *const *in, int inputs, int outputs, bool last,
                    jm_node **node)
{
    const jm_op *found = jm_op_find(op);
    jm_value *out[JM_MAX_ARGUMENTS] = {0};
    *node = NULL;
    if (!found) return onnx_error(call, JM_UNSUPPORTED, "needs the operator %s, which is not implemented", op);
    if (inputs > JM_MAX_ARGUMENTS || outputs > JM_MAX_ARGUMENTS) {
        return onnx_error(call, JM_UNSUPPORTED, "has %d inputs and %d outputs; the limit is %d", inputs, outputs,
                          JM_MAX_ARGUMENTS);
    }
    for (int i = 0; i < outputs; i++) {
        if (last && !onnx_wants(call, (size_t)i)) continue;
        out[i] = jm_graph_value(call->graph, last ? call->node->output[i] : call->name);
        if (!out[i]) return JM_OUT_OF_MEMORY;
        if (last) call->out[i] = out[i];
    }
    *node = jm_graph_node(call->graph, found, call->name, in, inputs, out, outputs);
    return *node ? JM_OK : JM_OUT_OF_MEMORY;
}

jm_status onnx_settle(onnx_call *call, jm_node *node)
{
    return jm_node_settle(call->graph, node);
}

jm_status onnx_apply(onnx_call *call, const char *op, jm_value *const *in, int inputs, bool last, jm_value **out)
{
    jm_node *node = NULL;
    JM_TRY(onnx_emit(call, op, in, inputs, 1, last, &node));
    if (out) *out = node->out[0];
    return onnx_settle(call, node);
}

jm_value *onnx_ints(onnx_call *call, const int64_t *values, int count)
{
    jm_shape shape = {.rank = 1, .dim = {count}};
    return jm_graph_constant(call->graph, call->name, JM_I64, &shape, values, true);
}

jm_value *onnx_scalar(onnx_call *call, jm_dtype dtype, double value)
{
    unsigned char element[8] = {0};
    jm_shape shape = {.rank = 0};
    jm_element_from_f64(dtype, value, element);
    return jm_graph_constant(call->graph, call->name, dtype, &shape, element, true);
}

jm_status onnx_reshape(onnx_call *call, jm_value *value, const jm_shape *shape, bool last, jm_value **out)
{
    jm_value *in[] = {value, onnx_ints(call, shape->dim, shape->rank)};
    jm_node *node = NULL;
    if (!in[1]) return JM_OUT_OF_MEMORY;
    JM_TRY(onnx_emit(call, "Reshape", in, 2, 1, last, &node));
    JM_TRY(jm_node_set_int(call->graph, node, "allowzero", 1)); /* the dims are meant as they stand */
    if (out) *out = node->out[0];
    return onnx_settle(call, node);
}

static jm_status concat(onnx_call *call, jm_value *const *in, int inputs, int64_t axis, bool last, jm_value **out)
{
    jm_node *node = NULL;
    JM_TRY(onnx_emit(call, "Concat", in, inputs, 1, last, &node));
    JM_TRY(jm_node_set_int(call->graph, node, "axis", axis));
    *out = node->out[0];
    return onnx_settle(call, node);
}

jm_status onnx_concat(onnx_call *call, jm_value **in, size_t inputs, int64_t axis, bool last, jm_value **out)
{
    while (inputs > JM_MAX_ARGUMENTS) {
        size_t groups = 0;
        for (size_t i = 0; i < inputs; i += JM_MAX_ARGUMENTS) {
            size_t n = JM_MIN(inputs - i, (size_t)JM_MAX_ARGUMENTS);
            JM_TRY(concat(call, in + i, (int)n, axis, false, &in[groups++]));
        }
        inputs = groups;
    }
    return concat(call, in, (int)inputs, axis, last, out);
}

/* ---- The plain case ---- */

/* Attributes that mean nothing to inference, or nothing at this value. */
static bool attr_ignorable(const onnx_node *node, const onnx_attr *attr)
{
    static const struct {
        const char *op, *name;
        bool always;
        int64_t i;
    } table[] = {
        {"BatchNormalization", "momentum", true, 0},
        {"BatchNormalization", "consumed_inputs", true, 0},
        {"BatchNormalization", "spatial", false, 1},
        {"BatchNormalization", "is_test", true, 0},
        {"BatchNormalization", "training_mode", false, 0},
        {"Cast", "saturate", true, 0},                 /* concerns 8-bit floats */
        {"LayerNormalization", "stash_type", true, 0}, /* computed in float32 whatever it says */
        {"MaxPool", "storage_order", true, 0},         /* concerns the indices */
    };
    for (size_t i = 0; i < JM_COUNT(table); i++) {
        if (strcmp(table[i].name, attr->name) != 0 || strcmp(table[i].op, node->op) != 0) continue;
        return table[i].always || (attr->type == ONNX_ATTR_INT && attr->i == table[i].i);
    }
    return false;
}

/* Index of `name` among the operator's inputs, or -1. */
static int input_index(const jm_op *op, const char *name)
{
    for (int i = 0; i < jm_op_inputs(op); i++) {
        if (strcmp(jm_op_input(op, i)->name, name) == 0) return i;
    }
    return -1;
}

/* The i-th of ",b,c" into `name`; false when there is none or it is empty. */
static bool list_name(const char *list, size_t i, char name[32])
{
    for (; list && i > 0; i--) {
        list = strchr(list, ',');
        if (list) list++;
    }
    if (!list || !*list || *list == ',') return false;
    snprintf(name, 32, "%.*s", (int)strcspn(list, ","), list);
    return true;
}

static jm_status set_attr(onnx_call *call, jm_node *node, const jm_param *param, const onnx_attr *attr)
{
    jm_dtype dtype = JM_DTYPE_NONE;
    if (param->kind == JM_PARAM_DTYPE && attr->type == ONNX_ATTR_INT) {
        JM_TRY(onnx_dtype(attr->i, "the result", &dtype));
        return jm_node_set_int(call->graph, node, param->name, dtype);
    }
    if (attr->count > INT32_MAX) return onnx_error(call, JM_OUT_OF_RANGE, "attribute '%s' is too long", attr->name);
    switch (attr->type) {
    case ONNX_ATTR_INT:
        /* A number that may be absent is a list of ours. */
        if (param->kind == JM_PARAM_INTS) return jm_node_set_ints(call->graph, node, param->name, &attr->i, 1);
        return jm_node_set_int(call->graph, node, param->name, attr->i);
    case ONNX_ATTR_FLOAT:
        return jm_node_set_float(call->graph, node, param->name, attr->f);
    case ONNX_ATTR_STRING:
        return jm_node_set_string(call->graph, node, param->name, attr->s);
    case ONNX_ATTR_INTS:
        return jm_node_set_ints(call->graph, node, param->name, attr->ints, (int)attr->count);
    case ONNX_ATTR_FLOATS:
        return jm_node_set_floats(call->graph, node, param->name, attr->floats, (int)attr->count);
    default:
        return onnx_error(call, JM_UNSUPPORTED, "attribute '%s' has a type that is not supported", attr->name);
    }
}

jm_status onnx_copy_attr(onnx_call *call, jm_node *node, const char *name)
{
    const int index = jm_op_attr_index(node->op, name);
    for (size_t i = 0; index >= 0 && i < call->node->attrs; i++) {
        if (strcmp(call->node->attr[i].name, name) != 0) continue;
        return set_attr(call, node, jm_op_attr(node->op, index), &call->node->attr[i]);
    }
    return JM_OK;
}

/* An attribute of older versions that is an input of ours. */
static jm_status attr_to_input(onnx_call *call, const onnx_attr *attr, jm_dtype dtype, jm_value **out)
{
    switch (attr->type) {
    case ONNX_ATTR_INT:
        *out = onnx_ints(call, &attr->i, 1);
        break;
    case ONNX_ATTR_INTS:
        if (attr->count > INT32_MAX) return onnx_error(call, JM_OUT_OF_RANGE, "attribute '%s' is too long", attr->name);
        *out = onnx_ints(call, attr->ints, (int)attr->count);
        break;
    case ONNX_ATTR_FLOAT:
        *out = onnx_scalar(call, dtype, attr->f);
        break;
    case ONNX_ATTR_FLOATS: {
        jm_shape shape = {.rank = 1, .dim = {(int64_t)attr->count}};
        *out = jm_graph_constant(call->graph, call->name, JM_F32, &shape, NULL, true);
        if (*out) (void)!jm_convert(JM_F64, attr->floats, JM_F32, (*out)->tensor.data, attr->count);
        break;
    }
    default:
        return onnx_error(call, JM_UNSUPPORTED, "attribute '%s' has a type that is not supported", attr->name);
    }
    return *out ? JM_OK : JM_OUT_OF_MEMORY;
}

/* A constant input of newer versions that is an attribute of ours. */
static jm_status input_to_attr(onnx_call *call, jm_node *node, const jm_param *param, const jm_value *value)
{
    const jm_tensor *tensor = &value->tensor;
    int64_t length = list_length(tensor);
    int64_t ints[JM_MAX_ARGUMENTS];
    double floats[JM_MAX_ARGUMENTS];
    if (length < 0 || length > JM_MAX_ARGUMENTS) {
        return onnx_error(call, JM_UNSUPPORTED, "input '%s' must be a constant list of at most %d values", param->name,
                          JM_MAX_ARGUMENTS);
    }
    for (int64_t i = 0; i < length; i++) {
        ints[i] = jm_element_to_i64(tensor->dtype, list_element(tensor, i));
        floats[i] = jm_element_to_f64(tensor->dtype, list_element(tensor, i));
    }
    switch (param->kind) {
    case JM_PARAM_INTS:
        return jm_node_set_ints(call->graph, node, param->name, ints, (int)length);
    case JM_PARAM_FLOATS:
        return jm_node_set_floats(call->graph, node, param->name, floats, (int)length);
    case JM_PARAM_INT:
    case JM_PARAM_FLOAT:
        if (length != 1) return onnx_error(call, JM_INVALID_ARGUMENT, "input '%s' must be one value", param->name);
        if (param->kind == JM_PARAM_INT) return jm_node_set_int(call->graph, node, param->name, ints[0]);
        return jm_node_set_float(call->graph, node, param->name, floats[0]);
    default:
        return onnx_error(call, JM_UNSUPPORTED, "input '%s' cannot be used", param->name);
    }
}

/* What the plain conversion works out before it creates the node. */
typedef struct plain {
    const jm_op *op;
    const char *names; /* of the ONNX inputs, or NULL */
    jm_value *in[JM_MAX_ARGUMENTS];
    int inputs;
} plain;

/* Where ONNX input `i` goes: an input index, or -1 and an attribute index. */
static void input_place(const plain *p, size_t i, int *input, int *attr)
{
    char name[32];
    *input = (int)i;
    *attr = -1;
    if (!list_name(p->names, i, name)) return;
    *input = input_index(p->op, name);
    if (*input < 0) *attr = jm_op_attr_index(p->op, name);
}

static jm_status plain_inputs(onnx_call *call, plain *p)
{
    if (call->inputs > JM_MAX_ARGUMENTS) {
        return onnx_error(call, JM_UNSUPPORTED, "has %zu inputs; the limit is %d", call->inputs, JM_MAX_ARGUMENTS);
    }
    for (size_t i = 0; i < call->inputs; i++) {
        int input, attr;
        char name[32] = "";
        if (!call->in[i]) continue;
        input_place(p, i, &input, &attr);
        (void)list_name(p->names, i, name);
        if (input < 0 && attr < 0) return onnx_error(call, JM_UNSUPPORTED, "input '%s' is not supported", name);
        if (input < 0) continue;
        p->in[input] = call->in[i];
        p->inputs = JM_MAX(p->inputs, input + 1);
    }
    for (size_t i = 0; i < call->node->attrs; i++) {
        const onnx_attr *attr = &call->node->attr[i];
        if (jm_op_attr_index(p->op, attr->name) >= 0 || attr_ignorable(call->node, attr)) continue;
        int input = input_index(p->op, attr->name);
        if (input < 0 || input >= JM_MAX_ARGUMENTS) {
            return onnx_error(call, JM_UNSUPPORTED, "attribute '%s' is not supported", attr->name);
        }
        bool host = jm_op_input(p->op, input)->flags & JM_HOST;
        jm_dtype dtype = !host && p->in[0] ? p->in[0]->tensor.dtype : JM_F32;
        JM_TRY(attr_to_input(call, attr, dtype, &p->in[input]));
        p->inputs = JM_MAX(p->inputs, input + 1);
    }
    return JM_OK;
}

static jm_status plain_attrs(onnx_call *call, const plain *p, jm_node *node)
{
    for (size_t i = 0; i < call->node->attrs; i++) {
        const onnx_attr *attr = &call->node->attr[i];
        int index = jm_op_attr_index(p->op, attr->name);
        if (index >= 0) JM_TRY(set_attr(call, node, jm_op_attr(p->op, index), attr));
    }
    for (size_t i = 0; i < call->inputs; i++) {
        int input, attr;
        if (!call->in[i]) continue;
        input_place(p, i, &input, &attr);
        if (input < 0) JM_TRY(input_to_attr(call, node, jm_op_attr(p->op, attr), call->in[i]));
    }
    return JM_OK;
}

/* ---- 16-bit floats where the operator has float32 only ---- */

static jm_status cast(onnx_call *call, jm_value *in, jm_dtype dtype, bool last, size_t output, jm_value **out)
{
    jm_node *node = NULL;
    JM_TRY(onnx_emit(call, "Cast", &in, 1, 1, false, &node));
    if (last && !(node->out[0]->name = jm_arena_strdup(call->graph->arena, call->node->output[output])))
        return JM_OUT_OF_MEMORY;
    JM_TRY(jm_node_set_int(call->graph, node, "to", dtype));
    *out = node->out[0];
    return onnx_settle(call, node);
}

/* The 16-bit type that all inputs of this type are computed in float32 for, or JM_DTYPE_NONE. */
static jm_dtype narrow_dtype(const plain *p)
{
    const jm_dtype dtype = p->in[0] ? p->in[0]->tensor.dtype : JM_DTYPE_NONE;
    if (dtype != JM_F16 && dtype != JM_BF16) return JM_DTYPE_NONE;
    return p->op->dtypes >> JM_F32 & 1 && !(p->op->dtypes >> dtype & 1) ? dtype : JM_DTYPE_NONE;
}

static jm_status widen_inputs(onnx_call *call, plain *p, jm_dtype narrow)
{
    for (int i = 0; i < p->inputs; i++) {
        if (p->in[i] && p->in[i]->tensor.dtype == narrow) JM_TRY(cast(call, p->in[i], JM_F32, false, 0, &p->in[i]));
    }
    return JM_OK;
}

static jm_status narrow_outputs(onnx_call *call, const jm_node *node, jm_dtype narrow)
{
    for (int i = 0; i < node->outputs; i++) {
        if (!onnx_wants(call, (size_t)i)) continue;
        call->out[i] = node->out[i];
        if (node->out[i]->tensor.dtype == JM_F32)
            JM_TRY(cast(call, node->out[i], narrow, true, (size_t)i, &call->out[i]));
    }
    return JM_OK;
}

jm_status onnx_convert_as(onnx_call *call, const char *op)
{
    const onnx_rule *rule = onnx_rule_find(call->node->op);
    plain p = {.op = jm_op_find(op), .names = rule ? rule->inputs : NULL};
    jm_node *node = NULL;
    if (!p.op) return onnx_error(call, JM_UNSUPPORTED, "needs the operator %s, which is not implemented", op);
    JM_TRY(plain_inputs(call, &p));
    size_t outputs = call->outputs;
    while (outputs > 1 && !onnx_wants(call, outputs - 1)) outputs--;
    const jm_dtype narrow = narrow_dtype(&p);
    if (narrow != JM_DTYPE_NONE) JM_TRY(widen_inputs(call, &p, narrow));
    JM_TRY(onnx_emit(call, op, p.in, p.inputs, (int)outputs, narrow == JM_DTYPE_NONE, &node));
    JM_TRY(plain_attrs(call, &p, node));
    JM_TRY(onnx_settle(call, node));
    return narrow == JM_DTYPE_NONE ? JM_OK : narrow_outputs(call, node, narrow);
}

jm_status onnx_convert_plain(onnx_call *call)
{
    return onnx_convert_as(call, call->node->op);
}

/* ---- Any node ---- */

/* Our operators that are also ONNX's say so in their source, "ONNX Conv-11"; the others are for compiler passes. */
static bool is_onnx(const jm_op *op)
{
    const size_t length = op ? strlen(op->name) : 0;
    return op && op->source && strncmp(op->source, "ONNX ", 5) == 0 && strncmp(op->source + 5, op->name, length) == 0 &&
           op->source[5 + length] == '-';
}

bool onnx_node_known(const onnx_node *node)
{
    if (*node->domain) return false;
    const onnx_rule *rule = onnx_rule_find(node->op);
    return (rule && rule->convert) || is_onnx(jm_op_find(node->op));
}

jm_status onnx_convert(onnx_call *call)
{
    const onnx_rule *rule = onnx_rule_find(call->node->op);
    JM_TRY(rule && rule->convert ? rule->convert(call) : onnx_convert_plain(call));
    for (size_t i = 0; i < call->outputs && !call->blocked; i++) {
        if (onnx_wants(call, i) && !call->out[i]) {
            return onnx_error(call, JM_UNSUPPORTED, "its output %zu is not supported", i);
        }
    }
    return JM_OK;
}
