/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph section of an .om file becomes a jm_graph. Nothing in the section is trusted: after JM_OK every reference
 * is in range, constants lie inside the weights, views inside their parents, shapes are what infer() says, and
 * jm_graph_verify agrees. What remains to be checked depends on the machine: jm_program_create does it.
 */
#include "model/om_format.h"

#include <string.h>

#include "base/wire.h"
#include "compiler/verify.h"

typedef struct reader {
    jm_graph *graph;
    const unsigned char *data, *weights;
    size_t size, weight_size;
    const jm_channel_map **map;
    size_t maps, map_capacity;
    size_t *parent; /* per value: reference to its parent, which may come later in the file */
    size_t parent_capacity;
} reader;

#define CORRUPT(...) jm_error(JM_CORRUPT, __VA_ARGS__)

static jm_status cut_short(const char *what)
{
    return CORRUPT("%s is malformed", what);
}

/* A copy of a string field with its end. */
static jm_status take_text(reader *r, const jm_wire_field *field, const char **text)
{
    if (field->type != JM_WIRE_BYTES) return cut_short("a text");
    *text = jm_arena_strndup(r->graph->arena, (const char *)field->data, field->size);
    return *text ? JM_OK : JM_OUT_OF_MEMORY;
}

/* A packed list in arena memory. The count is bounded by the bytes of the list, each element takes at least one. */
static jm_status take_list(reader *r, const jm_wire_field *field, int64_t **list, size_t *count)
{
    jm_wire wire = jm_wire_inside(field);
    uint64_t element;
    *count = 0;
    *list = jm_arena_alloc(r->graph->arena, field->size, sizeof(int64_t));
    if (!*list) return JM_OUT_OF_MEMORY;
    while (jm_wire_varint(&wire, &element)) (*list)[(*count)++] = (int64_t)element;
    return wire.bad ? cut_short("a list of numbers") : JM_OK;
}

/* ---- Channel maps ---- */

/* Derives blocks and counts from the lanes and checks that used lanes are the first ones of their block. */
static jm_status finish_map(reader *r, jm_channel_map *map, const int64_t *lane)
{
    /* Each block holds a channel, so there are no more blocks than channels. */
    int64_t lanes = (int64_t)map->channels * JM_LANES;
    int32_t *copy = jm_arena_alloc(r->graph->arena, (size_t)map->channels, sizeof(*copy));
    bool *used = jm_alloc((size_t)lanes, 1);
    if (!copy || !used) {
        jm_free(used);
        return JM_OUT_OF_MEMORY;
    }
    bool good = true;
    for (int32_t c = 0; c < map->channels && good; c++) {
        good = lane[c] >= 0 && lane[c] < lanes && !used[lane[c]];
        if (!good) break;
        used[lane[c]] = true;
        copy[c] = (int32_t)lane[c];
        map->blocks = JM_MAX(map->blocks, copy[c] / JM_LANES + 1);
    }
    uint8_t *count = jm_arena_alloc(r->graph->arena, (size_t)map->blocks, 1);
    for (int32_t b = 0; b < map->blocks && good && count; b++) {
        const bool *block = used + (ptrdiff_t)b * JM_LANES;
        while (count[b] < JM_LANES && block[count[b]]) count[b]++;
        good = count[b] > 0;
        for (int k = count[b]; k < JM_LANES && good; k++) good = !block[k];
    }
    jm_free(used);
    if (!count) return JM_OUT_OF_MEMORY;
    map->lane = copy;
    map->count = count;
    return good ? JM_OK : CORRUPT("channel map %zu does not place each channel on a lane of its own", r->maps);
}

static jm_status read_map(reader *r, const jm_wire_field *field)
{
    int64_t *lane;
    size_t count;
    jm_channel_map *map = jm_arena_alloc(r->graph->arena, 1, sizeof(*map));
    if (!map) return JM_OUT_OF_MEMORY;
    JM_TRY(take_list(r, field, &lane, &count));
    if (count == 0 || count > INT32_MAX / JM_LANES) return CORRUPT("channel map %zu has %zu channels", r->maps, count);
    map->channels = (int32_t)count;
    JM_TRY(finish_map(r, map, lane));
    JM_TRY(jm_array_reserve(&r->map, &r->map_capacity, r->maps + 1, sizeof(*r->map)));
    r->map[r->maps++] = map;
    return JM_OK;
}

/* ---- Values ---- */

typedef struct value_fields {
    const char *name;
    uint64_t dtype, layout, map, view, parent, axis, start, offset, size;
    bool constant;
    jm_shape shape;
} value_fields;

static jm_status take_dims(const jm_wire_field *field, jm_shape *shape)
{
    jm_wire wire = jm_wire_inside(field);
    uint64_t dim;
    shape->rank = 0;
    while (jm_wire_varint(&wire, &dim)) {
        if (shape->rank == JM_MAX_RANK) return CORRUPT("a value has more than %d dimensions", JM_MAX_RANK);
        shape->dim[shape->rank++] = (int64_t)dim;
    }
    return wire.bad ? cut_short("a shape") : JM_OK;
}

static jm_status take_value(reader *r, jm_wire wire, value_fields *v)
{
    jm_wire_field field;
    *v = (value_fields){.name = "", .dtype = UINT64_MAX};
    while (jm_wire_next(&wire, &field)) {
        switch (field.number) {
        case JM_OM_VALUE_NAME:
            JM_TRY(take_text(r, &field, &v->name));
            break;
        case JM_OM_VALUE_DTYPE:
            v->dtype = field.bits;
            break;
        case JM_OM_VALUE_LAYOUT:
            v->layout = field.bits;
            break;
        case JM_OM_VALUE_DIM:
            JM_TRY(take_dims(&field, &v->shape));
            break;
        case JM_OM_VALUE_CHANNELS:
            v->map = field.bits;
            break;
        case JM_OM_VALUE_VIEW:
            v->view = field.bits;
            break;
        case JM_OM_VALUE_PARENT:
            v->parent = field.bits;
            break;
        case JM_OM_VALUE_AXIS:
            v->axis = field.bits;
            break;
        case JM_OM_VALUE_START:
            v->start = field.bits;
            break;
        case JM_OM_VALUE_OFFSET:
            v->offset = field.bits;
            break;
        case JM_OM_VALUE_SIZE:
            v->size = field.bits;
            v->constant = true;
            break;
        default:
            break;
        }
    }
    return wire.bad ? cut_short("a value") : JM_OK;
}

static jm_status check_value(const reader *r, const value_fields *v)
{
    if (v->dtype > INT32_MAX || jm_dtype_size((jm_dtype)v->dtype) == 0) {
        return CORRUPT("value '%s' has the unknown dtype %llu", v->name, (unsigned long long)v->dtype);
    }
    if (v->layout > JM_PACKED || v->view > JM_VIEW_RESHAPE || v->map > r->maps || (v->map && v->layout != JM_C16) ||
        v->axis >= JM_MAX_RANK || v->start > INT64_MAX) {
        return CORRUPT("value '%s' has an impossible layout, channel map or view", v->name);
    }
    if (v->map && (v->shape.rank < 3 || r->map[v->map - 1]->channels != v->shape.dim[1])) {
        return CORRUPT("value '%s' does not have the channels of its channel map", v->name);
    }
    if (v->layout == JM_PACKED && !v->constant) return CORRUPT("value '%s' is packed but no constant", v->name);
    if (!v->constant) return JM_OK;
    if (v->view != JM_VIEW_NONE) return CORRUPT("constant '%s' is a view", v->name);
    if (v->offset % JM_OM_ALIGN || v->offset > r->weight_size || v->size > r->weight_size - v->offset) {
        return CORRUPT("constant '%s' does not lie inside the weights", v->name);
    }
    return JM_OK;
}

static jm_status read_value(reader *r, const jm_wire_field *field)
{
    value_fields v;
    JM_TRY(take_value(r, jm_wire_inside(field), &v));
    JM_TRY(check_value(r, &v));
    jm_value *value = jm_graph_value(r->graph, NULL);
    if (!value) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_array_reserve(&r->parent, &r->parent_capacity, r->graph->values, sizeof(*r->parent)));
    r->parent[value->id] = (size_t)v.parent;
    value->name = v.name;
    /* Packed bytes have no strides; the logical shape is kept as if they were plain. */
    jm_layout layout = v.layout == JM_PACKED ? JM_PLAIN : (jm_layout)v.layout;
    const jm_channel_map *map = v.map ? r->map[v.map - 1] : NULL;
    JM_TRY(jm_tensor_init(&value->tensor, (jm_dtype)v.dtype, &v.shape, layout, map));
    size_t bytes;
    JM_TRY(jm_tensor_bytes(&value->tensor, &bytes));
    value->tensor.layout = (jm_layout)v.layout;
    value->view = (jm_view_kind)v.view;
    value->axis = (int32_t)v.axis;
    value->start = (int64_t)v.start;
    if (!v.constant) return JM_OK;
    value->tensor.constant = true;
    value->tensor.data = (void *)(uintptr_t)(r->weights + v.offset); /* constants are never written */
    if (v.layout == JM_PACKED) {
        value->packed_bytes = (size_t)v.size;
    } else if (v.size != bytes) {
        return CORRUPT("constant '%s' takes %llu bytes and its shape needs %zu", v.name, (unsigned long long)v.size,
                       bytes);
    }
    return JM_OK;
}

static jm_status link_parents(reader *r)
{
    for (size_t i = 0; i < r->graph->values; i++) {
        jm_value *value = r->graph->value[i];
        size_t parent = r->parent[i];
        if (value->view == JM_VIEW_NONE) continue;
        if (parent == 0 || parent > r->graph->values) return CORRUPT("value '%s' is a view of nothing", value->name);
        value->parent = r->graph->value[parent - 1];
    }
    return JM_OK;
}

/* ---- Attributes ---- */

static jm_status take_epilogue(jm_wire wire, jm_epilogue *epilogue)
{
    jm_wire_field field;
    *epilogue = (jm_epilogue){0};
    while (jm_wire_next(&wire, &field)) {
        switch (field.number) {
        case JM_OM_EPILOGUE_ACTIVATION:
            if (field.bits >= JM_ACT_COUNT) return CORRUPT("an epilogue has an unknown activation");
            epilogue->activation = (jm_activation)field.bits;
            break;
        case JM_OM_EPILOGUE_ALPHA:
            epilogue->alpha = jm_wire_float(field.bits);
            break;
        case JM_OM_EPILOGUE_BETA:
            epilogue->beta = jm_wire_float(field.bits);
            break;
        case JM_OM_EPILOGUE_RESIDUAL:
            if (field.bits > JM_ACTIVATION_THEN_RESIDUAL) return CORRUPT("an epilogue has an unknown residual rule");
            epilogue->residual = (jm_residual)field.bits;
            break;
        default:
            break;
        }
    }
    return wire.bad ? cut_short("an epilogue") : JM_OK;
}

static jm_status take_floats(reader *r, const jm_wire_field *field, jm_attr *attr)
{
    jm_wire wire = jm_wire_inside(field);
    uint64_t bits;
    double *list = jm_arena_alloc(r->graph->arena, field->size / sizeof(double), sizeof(double));
    if (!list) return JM_OUT_OF_MEMORY;
    attr->count = 0;
    while (jm_wire_fixed64(&wire, &bits)) list[attr->count++] = jm_wire_double(bits);
    attr->floats = list;
    return wire.bad ? cut_short("a list of floats") : JM_OK;
}

/* Reads the value of one attribute of this kind. */
static jm_status take_attr(reader *r, const jm_wire_field *field, jm_attr *attr)
{
    int64_t *list;
    size_t count;
    *attr = (jm_attr){.present = true, .count = 1};
    switch (field->number) {
    case JM_OM_ATTR_INT:
        attr->i = (int64_t)field->bits;
        return JM_OK;
    case JM_OM_ATTR_FLOAT:
        attr->f = jm_wire_double(field->bits);
        return JM_OK;
    case JM_OM_ATTR_STRING:
        return take_text(r, field, &attr->s);
    case JM_OM_ATTR_INTS:
        JM_TRY(take_list(r, field, &list, &count));
        attr->ints = list;
        attr->count = (int32_t)count;
        return JM_OK;
    case JM_OM_ATTR_FLOATS:
        return take_floats(r, field, attr);
    case JM_OM_ATTR_DTYPE:
        attr->dtype = field->bits <= INT32_MAX ? (jm_dtype)field->bits : JM_DTYPE_NONE;
        return JM_OK;
    default:
        return take_epilogue(jm_wire_inside(field), &attr->epilogue);
    }
}

/* The attribute field that a parameter of this kind is stored in; 0 for tensors. */
static uint32_t attr_field(jm_param_kind kind)
{
    switch (kind) {
    case JM_PARAM_INT:
        return JM_OM_ATTR_INT;
    case JM_PARAM_FLOAT:
        return JM_OM_ATTR_FLOAT;
    case JM_PARAM_STRING:
        return JM_OM_ATTR_STRING;
    case JM_PARAM_INTS:
        return JM_OM_ATTR_INTS;
    case JM_PARAM_FLOATS:
        return JM_OM_ATTR_FLOATS;
    case JM_PARAM_DTYPE:
        return JM_OM_ATTR_DTYPE;
    case JM_PARAM_EPILOGUE:
        return JM_OM_ATTR_EPILOGUE;
    case JM_PARAM_INPUT:
    case JM_PARAM_OUTPUT:
        break;
    }
    return 0;
}

static jm_status read_attr(reader *r, jm_node *node, jm_wire wire)
{
    jm_wire_field field, value = {0};
    const char *name = "";
    while (jm_wire_next(&wire, &field)) {
        if (field.number == JM_OM_ATTR_NAME) {
            JM_TRY(take_text(r, &field, &name));
        } else if (field.number <= JM_OM_ATTR_EPILOGUE) {
            value = field;
        }
    }
    if (wire.bad) return cut_short("an attribute");
    int i = jm_op_attr_index(node->op, name);
    if (i < 0) {
        return jm_error(JM_UNSUPPORTED, "%s '%s' has the attribute '%s', which this version of Jumar does not know",
                        node->op->name, node->name, name);
    }
    if (value.number != attr_field(jm_op_attr(node->op, i)->kind)) {
        return CORRUPT("%s '%s': attribute '%s' has a value of the wrong kind", node->op->name, node->name, name);
    }
    return take_attr(r, &value, &node->attr[i]);
}

/* ---- Nodes ---- */

typedef struct node_fields {
    const char *op, *name;
    jm_value *in[JM_MAX_ARGUMENTS], *out[JM_MAX_ARGUMENTS];
    int inputs, outputs;
    uint64_t form, elided;
} node_fields;

static jm_status take_references(const reader *r, const jm_wire_field *field, jm_value *list[JM_MAX_ARGUMENTS],
                                 int *count)
{
    jm_wire wire = jm_wire_inside(field);
    uint64_t reference;
    *count = 0;
    while (jm_wire_varint(&wire, &reference)) {
        if (*count == JM_MAX_ARGUMENTS || reference > r->graph->values) {
            return CORRUPT("a node has more than %d arguments or refers to value %llu of %zu", JM_MAX_ARGUMENTS,
                           (unsigned long long)reference, r->graph->values);
        }
        list[(*count)++] = reference ? r->graph->value[reference - 1] : NULL;
    }
    return wire.bad ? cut_short("a list of references") : JM_OK;
}

static jm_status take_node(reader *r, jm_wire wire, node_fields *n)
{
    jm_wire_field field;
    n->op = n->name = "";
    n->inputs = n->outputs = 0;
    n->form = n->elided = 0;
    while (jm_wire_next(&wire, &field)) {
        switch (field.number) {
        case JM_OM_NODE_OP:
            JM_TRY(take_text(r, &field, &n->op));
            break;
        case JM_OM_NODE_NAME:
            JM_TRY(take_text(r, &field, &n->name));
            break;
        case JM_OM_NODE_INPUT:
            JM_TRY(take_references(r, &field, n->in, &n->inputs));
            break;
        case JM_OM_NODE_OUTPUT:
            JM_TRY(take_references(r, &field, n->out, &n->outputs));
            break;
        case JM_OM_NODE_FORM:
            n->form = field.bits;
            break;
        case JM_OM_NODE_ELIDED:
            n->elided = field.bits;
            break;
        default:
            break;
        }
    }
    return wire.bad ? cut_short("a node") : JM_OK;
}

static jm_status read_node(reader *r, const jm_wire_field *message)
{
    node_fields n;
    JM_TRY(take_node(r, jm_wire_inside(message), &n));
    const jm_op *op = jm_op_find(n.op);
    if (!op) {
        return jm_error(JM_UNSUPPORTED, "the model uses the operator '%s', which this version of Jumar does not know",
                        n.op);
    }
    if (n.form > UINT8_MAX || n.elided > 1) return CORRUPT("%s '%s' has an impossible form", n.op, n.name);
    jm_node *node = jm_graph_node(r->graph, op, NULL, n.in, n.inputs, n.out, n.outputs);
    if (!node) return JM_OUT_OF_MEMORY;
    node->name = n.name;
    node->form = (uint8_t)n.form;
    node->elided = n.elided != 0;
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field;
    while (jm_wire_next(&wire, &field)) {
        if (field.number == JM_OM_NODE_ATTR) JM_TRY(read_attr(r, node, jm_wire_inside(&field)));
    }
    return JM_OK;
}

/* ---- Checks of the whole ---- */

/* Operators look at constants as plain elements, except at those that a form may have packed. */
static jm_status check_packed(const jm_node *node)
{
    int last = jm_op_inputs(node->op) - 1;
    for (int i = 0; i < node->inputs; i++) {
        if (!node->in[i] || node->in[i]->tensor.layout != JM_PACKED) continue;
        if (last < 0 || !(jm_op_input(node->op, JM_MIN(i, last))->flags & JM_PACKABLE)) {
            return CORRUPT("%s '%s' cannot read the packed '%s'", node->op->name, node->name, node->in[i]->name);
        }
    }
    return JM_OK;
}

static jm_status check_node(const jm_node *node)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    JM_TRY(check_packed(node));
    jm_node_call(node, &call, in, out);
    JM_TRY(jm_op_infer(&call));
    for (int i = 0; i < node->outputs; i++) {
        if (!node->out[i]) continue;
        const jm_tensor *file = &node->out[i]->tensor;
        if (out[i].dtype != file->dtype || !jm_shape_equal(&out[i].shape, &file->shape)) {
            char have[JM_SHAPE_TEXT], want[JM_SHAPE_TEXT];
            return CORRUPT("%s '%s': output '%s' is %s %s in the file and should be %s %s", node->op->name, node->name,
                           node->out[i]->name, jm_dtype_text(file->dtype), jm_shape_text(&file->shape, have),
                           jm_dtype_text(out[i].dtype), jm_shape_text(&out[i].shape, want));
        }
    }
    return JM_OK;
}

/* The order matters: views give strides to infer(), and only calls that infer() accepted are asked for their forms. */
static jm_status check_graph(jm_graph *graph)
{
    if (graph->outputs == 0) return CORRUPT("the graph has no output");
    int64_t *offset = jm_alloc(graph->values, sizeof(*offset));
    if (!offset) return JM_OUT_OF_MEMORY;
    jm_status status = jm_graph_resolve_views(graph, offset);
    jm_free(offset);
    for (size_t i = 0; i < graph->nodes && status == JM_OK; i++) status = check_node(graph->node[i]);
    return status == JM_OK ? jm_graph_verify(graph) : status;
}

/* ---- The section ---- */

static jm_status read_ends(reader *r, const jm_wire_field *field, bool inputs)
{
    jm_wire wire = jm_wire_inside(field);
    uint64_t reference;
    while (jm_wire_varint(&wire, &reference)) {
        if (reference == 0 || reference > r->graph->values) {
            return CORRUPT("the graph has the %s %llu of %zu values", inputs ? "input" : "output",
                           (unsigned long long)reference, r->graph->values);
        }
        jm_value *value = r->graph->value[reference - 1];
        JM_TRY(inputs ? jm_graph_add_input(r->graph, value) : jm_graph_add_output(r->graph, value));
    }
    return wire.bad ? cut_short("the list of inputs or outputs") : JM_OK;
}

static jm_status read_field(reader *r, const jm_wire_field *field)
{
    switch (field->number) {
    case JM_OM_GRAPH_NAME:
        return take_text(r, field, &r->graph->name);
    case JM_OM_GRAPH_VALUE:
        return read_value(r, field);
    case JM_OM_GRAPH_NODE:
        return read_node(r, field);
    case JM_OM_GRAPH_INPUT:
        return read_ends(r, field, true);
    case JM_OM_GRAPH_OUTPUT:
        return read_ends(r, field, false);
    case JM_OM_GRAPH_CHANNELS:
        return read_map(r, field);
    default:
        return JM_OK;
    }
}

/* Fields refer to others whatever their order in the file, so each kind is read in a pass of its own. */
static jm_status read_all(reader *r)
{
    static const uint32_t pass[] = {JM_OM_GRAPH_NAME,  JM_OM_GRAPH_CHANNELS, JM_OM_GRAPH_VALUE,
                                    JM_OM_GRAPH_INPUT, JM_OM_GRAPH_NODE,     JM_OM_GRAPH_OUTPUT};
    for (size_t i = 0; i < JM_COUNT(pass); i++) {
        jm_wire wire = jm_wire_over(r->data, r->size);
        jm_wire_field field;
        while (jm_wire_next(&wire, &field)) {
            if (field.number == pass[i]) JM_TRY(read_field(r, &field));
        }
        if (wire.bad) return cut_short("the graph section");
    }
    JM_TRY(link_parents(r));
    return check_graph(r->graph);
}

jm_status jm_om_parse_graph(jm_graph *graph, const unsigned char *data, size_t size, const unsigned char *weights,
                            size_t weight_size)
{
    reader r = {.graph = graph, .data = data, .size = size, .weights = weights, .weight_size = weight_size};
    jm_status status = read_all(&r);
    jm_free(r.map);
    jm_free(r.parent);
    return status;
}
