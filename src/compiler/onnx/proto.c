/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/onnx/proto.h"

#include <string.h>

/* Every reader below walks its message twice: once to count repeated fields, once to fill arrays of that size. */

static jm_status corrupt(const char *message)
{
    return jm_error(JM_CORRUPT, "not an ONNX model: a %s is malformed or cut short; download or export it again",
                    message);
}

static jm_status read_text(jm_arena *arena, const jm_wire_field *field, const char **out)
{
    if (field->type != JM_WIRE_BYTES || memchr(field->data, 0, field->size)) return corrupt("string");
    *out = jm_arena_strndup(arena, (const char *)field->data, field->size);
    return *out ? JM_OK : JM_OUT_OF_MEMORY;
}

static jm_status read_int(const jm_wire_field *field, int64_t *out)
{
    if (field->type != JM_WIRE_VARINT) return corrupt("integer");
    *out = (int64_t)field->bits;
    return JM_OK;
}

/* How often each of the fields 0..31 occurs. */
static jm_status count_fields(jm_wire wire, const char *message, size_t count[32])
{
    jm_wire_field field;
    memset(count, 0, 32 * sizeof *count);
    while (jm_wire_next(&wire, &field)) {
        if (field.number < 32) count[field.number]++;
    }
    return wire.bad ? corrupt(message) : JM_OK;
}

/* Elements that one occurrence of a repeated scalar adds: 1, or those of a packed list. */
static jm_status count_packed(const jm_wire_field *field, size_t width, size_t *count)
{
    if (field->type != JM_WIRE_BYTES) {
        (*count)++;
        return JM_OK;
    }
    if (width) {
        *count += field->size / width;
        return field->size % width ? corrupt("packed list") : JM_OK;
    }
    jm_wire wire = jm_wire_inside(field);
    uint64_t value;
    while (jm_wire_varint(&wire, &value)) (*count)++;
    return wire.bad ? corrupt("packed list") : JM_OK;
}

/* All elements of the repeated int64 field `number`. */
static jm_status read_ints(jm_arena *arena, jm_wire message, uint32_t number, int64_t **out, size_t *count)
{
    jm_wire_field field;
    size_t total = 0;
    for (jm_wire wire = message; jm_wire_next(&wire, &field);) {
        if (field.number == number) JM_TRY(count_packed(&field, 0, &total));
    }
    *out = jm_arena_alloc(arena, total, sizeof **out);
    if (!*out) return JM_OUT_OF_MEMORY;
    size_t n = 0;
    while (jm_wire_next(&message, &field)) {
        if (field.number != number) continue;
        if (field.type == JM_WIRE_VARINT) {
            (*out)[n++] = (int64_t)field.bits;
        } else if (field.type == JM_WIRE_BYTES) {
            jm_wire list = jm_wire_inside(&field);
            uint64_t value;
            while (jm_wire_varint(&list, &value)) (*out)[n++] = (int64_t)value;
        } else {
            return corrupt("list of integers");
        }
    }
    *count = n;
    return JM_OK;
}

/* All elements of the repeated float field `number`. */
static jm_status read_floats(jm_arena *arena, jm_wire message, uint32_t number, double **out, size_t *count)
{
    jm_wire_field field;
    size_t total = 0;
    for (jm_wire wire = message; jm_wire_next(&wire, &field);) {
        if (field.number == number) JM_TRY(count_packed(&field, sizeof(float), &total));
    }
    *out = jm_arena_alloc(arena, total, sizeof **out);
    if (!*out) return JM_OUT_OF_MEMORY;
    size_t n = 0;
    while (jm_wire_next(&message, &field)) {
        if (field.number != number) continue;
        if (field.type == JM_WIRE_FIXED32) {
            (*out)[n++] = (double)jm_wire_float(field.bits);
        } else if (field.type == JM_WIRE_BYTES) {
            jm_wire list = jm_wire_inside(&field);
            uint32_t bits;
            while (jm_wire_fixed32(&list, &bits)) (*out)[n++] = (double)jm_wire_float(bits);
        } else {
            return corrupt("list of floats");
        }
    }
    *count = n;
    return JM_OK;
}

static jm_status read_pair(jm_arena *arena, const jm_wire_field *message, onnx_text_pair *pair)
{
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field;
    *pair = (onnx_text_pair){"", ""};
    while (jm_wire_next(&wire, &field)) {
        if (field.number == 1) JM_TRY(read_text(arena, &field, &pair->key));
        if (field.number == 2) JM_TRY(read_text(arena, &field, &pair->text));
    }
    return wire.bad ? corrupt("StringStringEntryProto") : JM_OK;
}

static jm_status read_tensor(jm_arena *arena, const jm_wire_field *message, onnx_tensor *tensor)
{
    enum { DIMS = 1, DATA_TYPE = 2, SEGMENT = 3, NAME = 8, RAW_DATA = 9, EXTERNAL_DATA = 13, DATA_LOCATION = 14 };
    size_t count[32], pairs = 0;
    int64_t location = 0;
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field;
    JM_TRY(count_fields(wire, "TensorProto", count));
    *tensor = (onnx_tensor){.name = "", .message = wire, .segmented = count[SEGMENT] > 0};
    JM_TRY(read_ints(arena, wire, DIMS, &tensor->dim, &tensor->rank));
    tensor->pair = jm_arena_alloc(arena, count[EXTERNAL_DATA], sizeof *tensor->pair);
    if (!tensor->pair) return JM_OUT_OF_MEMORY;
    tensor->pairs = count[EXTERNAL_DATA];
    while (jm_wire_next(&wire, &field)) {
        switch (field.number) {
        case DATA_TYPE:
            JM_TRY(read_int(&field, &tensor->type));
            break;
        case NAME:
            JM_TRY(read_text(arena, &field, &tensor->name));
            break;
        case RAW_DATA:
            if (field.type != JM_WIRE_BYTES) return corrupt("TensorProto");
            tensor->raw = field.data;
            tensor->raw_size = field.size;
            break;
        case EXTERNAL_DATA:
            JM_TRY(read_pair(arena, &field, &tensor->pair[pairs++]));
            break;
        case DATA_LOCATION:
            JM_TRY(read_int(&field, &location));
            break;
        }
    }
    tensor->external = location == 1;
    return JM_OK;
}

static jm_status read_graph(jm_arena *arena, const jm_wire_field *message, int depth, onnx_graph *graph);

/* A graph inside of a node. */
static jm_status read_inner_graph(jm_arena *arena, const jm_wire_field *message, int depth, const onnx_graph **out)
{
    onnx_graph *graph = jm_arena_alloc(arena, 1, sizeof *graph);
    if (!graph) return JM_OUT_OF_MEMORY;
    if (depth == ONNX_MOST_DEPTH)
        return jm_error(JM_UNSUPPORTED, "the model has graphs inside of each other more than %d deep", ONNX_MOST_DEPTH);
    *out = graph;
    return read_graph(arena, message, depth + 1, graph);
}

static jm_status read_attr(jm_arena *arena, const jm_wire_field *message, int depth, onnx_attr *attr)
{
    enum { NAME = 1, F = 2, I = 3, S = 4, T = 5, G = 6, FLOATS = 7, INTS = 8, STRINGS = 9, TYPE = 20, REFERENCE = 21 };
    size_t count[32], n = 0;
    int64_t type = 0;
    jm_wire all = jm_wire_inside(message), wire = all;
    jm_wire_field field;
    JM_TRY(count_fields(wire, "AttributeProto", count));
    *attr = (onnx_attr){.name = "", .count = 1};
    jm_wire_field value[7] = {0}; /* the last occurrence of each single-valued field, by number */
    while (jm_wire_next(&wire, &field)) {
        if (field.number == NAME) JM_TRY(read_text(arena, &field, &attr->name));
        if (field.number == TYPE) JM_TRY(read_int(&field, &type));
        if (field.number == REFERENCE) JM_TRY(read_text(arena, &field, &attr->reference));
        if (field.number < JM_COUNT(value)) value[field.number] = field;
    }
    /* Models of IR version 1 have no type field; the field that is there tells. */
    static const struct {
        uint32_t field;
        onnx_attr_type type;
    } guess[] = {{F, ONNX_ATTR_FLOAT},   {I, ONNX_ATTR_INT},          {S, ONNX_ATTR_STRING},
                 {T, ONNX_ATTR_TENSOR},  {G, ONNX_ATTR_GRAPH},        {FLOATS, ONNX_ATTR_FLOATS},
                 {INTS, ONNX_ATTR_INTS}, {STRINGS, ONNX_ATTR_STRINGS}};
    for (size_t k = 0; k < JM_COUNT(guess) && type == 0; k++) {
        if (count[guess[k].field]) type = guess[k].type;
    }
    attr->type = type > 0 && type < ONNX_ATTR_OTHER ? (onnx_attr_type)type : ONNX_ATTR_OTHER;
    if (attr->reference && *attr->reference) {
        attr->type = ONNX_ATTR_NONE; /* the value is elsewhere */
        return JM_OK;
    }
    attr->reference = NULL;
    switch (attr->type) {
    case ONNX_ATTR_FLOAT:
        if (count[F] && value[F].type != JM_WIRE_FIXED32) return corrupt("AttributeProto");
        attr->f = (double)jm_wire_float(value[F].bits);
        break;
    case ONNX_ATTR_INT:
        return count[I] ? read_int(&value[I], &attr->i) : JM_OK;
    case ONNX_ATTR_STRING:
        attr->s = "";
        return count[S] ? read_text(arena, &value[S], &attr->s) : JM_OK;
    case ONNX_ATTR_TENSOR: {
        onnx_tensor *tensor = jm_arena_alloc(arena, 1, sizeof *tensor);
        if (!tensor) return JM_OUT_OF_MEMORY;
        if (!count[T]) return corrupt("AttributeProto");
        attr->tensor = tensor;
        return read_tensor(arena, &value[T], tensor);
    }
    case ONNX_ATTR_FLOATS: {
        double *floats;
        JM_TRY(read_floats(arena, all, FLOATS, &floats, &attr->count));
        attr->floats = floats;
        break;
    }
    case ONNX_ATTR_INTS: {
        int64_t *ints;
        JM_TRY(read_ints(arena, all, INTS, &ints, &attr->count));
        attr->ints = ints;
        break;
    }
    case ONNX_ATTR_STRINGS: {
        const char **strings = jm_arena_alloc(arena, count[STRINGS], sizeof *strings);
        if (!strings) return JM_OUT_OF_MEMORY;
        for (wire = all; jm_wire_next(&wire, &field);) {
            if (field.number == STRINGS) JM_TRY(read_text(arena, &field, &strings[n++]));
        }
        attr->strings = strings;
        attr->count = n;
        break;
    }
    case ONNX_ATTR_GRAPH:
        if (!count[G] || value[G].type != JM_WIRE_BYTES) return corrupt("AttributeProto");
        return read_inner_graph(arena, &value[G], depth, &attr->graph);
    case ONNX_ATTR_NONE:
    case ONNX_ATTR_OTHER:
        break;
    }
    return JM_OK;
}

/* Inputs, then what inner graphs capture. */
static jm_status collect_reads(jm_arena *arena, onnx_node *node)
{
    size_t count = node->inputs;
    for (size_t i = 0; i < node->attrs; i++)
        if (node->attr[i].type == ONNX_ATTR_GRAPH && node->attr[i].graph) count += node->attr[i].graph->captures;
    node->read = node->input;
    node->reads = node->inputs;
    if (count == node->inputs) return JM_OK;
    node->read = jm_arena_alloc(arena, count, sizeof *node->read);
    if (!node->read) return JM_OUT_OF_MEMORY;
    memcpy(node->read, node->input, node->inputs * sizeof *node->read);
    for (size_t i = 0; i < node->attrs; i++) {
        const onnx_attr *attr = &node->attr[i];
        if (attr->type != ONNX_ATTR_GRAPH || !attr->graph) continue;
        for (size_t k = 0; k < attr->graph->captures; k++) node->read[node->reads++] = attr->graph->captured[k];
    }
    return JM_OK;
}

static jm_status read_node(jm_arena *arena, const jm_wire_field *message, int depth, onnx_node *node)
{
    enum { INPUT = 1, OUTPUT = 2, NAME = 3, OP_TYPE = 4, ATTRIBUTE = 5, DOMAIN = 7 };
    size_t count[32];
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field;
    JM_TRY(count_fields(wire, "NodeProto", count));
    *node = (onnx_node){.op = "", .domain = "", .name = ""};
    node->input = jm_arena_alloc(arena, count[INPUT], sizeof *node->input);
    node->output = jm_arena_alloc(arena, count[OUTPUT], sizeof *node->output);
    node->attr = jm_arena_alloc(arena, count[ATTRIBUTE], sizeof *node->attr);
    if (!node->input || !node->output || !node->attr) return JM_OUT_OF_MEMORY;
    while (jm_wire_next(&wire, &field)) {
        switch (field.number) {
        case INPUT:
            JM_TRY(read_text(arena, &field, &node->input[node->inputs++]));
            break;
        case OUTPUT:
            JM_TRY(read_text(arena, &field, &node->output[node->outputs++]));
            break;
        case NAME:
            JM_TRY(read_text(arena, &field, &node->name));
            break;
        case OP_TYPE:
            JM_TRY(read_text(arena, &field, &node->op));
            break;
        case ATTRIBUTE:
            JM_TRY(read_attr(arena, &field, depth, &node->attr[node->attrs++]));
            break;
        case DOMAIN:
            JM_TRY(read_text(arena, &field, &node->domain));
            break;
        }
    }
    if (strcmp(node->domain, "ai.onnx") == 0) node->domain = "";
    return collect_reads(arena, node);
}

static jm_status read_shape(jm_arena *arena, const jm_wire_field *message, onnx_value *value)
{
    size_t count[32];
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field, inner;
    JM_TRY(count_fields(wire, "TensorShapeProto", count));
    value->has_shape = true;
    value->rank = 0;
    value->dim = jm_arena_alloc(arena, count[1], sizeof *value->dim);
    value->param = jm_arena_alloc(arena, count[1], sizeof *value->param);
    if (!value->dim || !value->param) return JM_OUT_OF_MEMORY;
    while (jm_wire_next(&wire, &field)) {
        if (field.number != 1) continue;
        size_t k = value->rank++;
        value->dim[k] = -1;
        jm_wire dim = jm_wire_inside(&field);
        while (jm_wire_next(&dim, &inner)) {
            if (inner.number == 1) JM_TRY(read_int(&inner, &value->dim[k]));
            if (inner.number == 2) JM_TRY(read_text(arena, &inner, &value->param[k]));
        }
        if (dim.bad) return corrupt("TensorShapeProto");
    }
    return JM_OK;
}

static jm_status read_value(jm_arena *arena, const jm_wire_field *message, onnx_value *value)
{
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field, inner, part;
    *value = (onnx_value){.name = ""};
    while (jm_wire_next(&wire, &field)) {
        if (field.number == 1) JM_TRY(read_text(arena, &field, &value->name));
        if (field.number != 2) continue;
        jm_wire type = jm_wire_inside(&field);
        while (jm_wire_next(&type, &inner)) {
            if (inner.number != 1) continue; /* sequences, maps and optionals stay !is_tensor */
            value->is_tensor = true;
            jm_wire tensor = jm_wire_inside(&inner);
            while (jm_wire_next(&tensor, &part)) {
                if (part.number == 1) JM_TRY(read_int(&part, &value->type));
                if (part.number == 2) JM_TRY(read_shape(arena, &part, value));
            }
            if (tensor.bad) return corrupt("TypeProto");
        }
        if (type.bad) return corrupt("TypeProto");
    }
    return wire.bad ? corrupt("ValueInfoProto") : JM_OK;
}

static jm_status define(jm_map *map, const char *name)
{
    return *name ? jm_map_put(map, name, map) : JM_OK;
}

static jm_status define_all(const onnx_graph *graph, jm_map *map)
{
    for (size_t i = 0; i < graph->initializers; i++) JM_TRY(define(map, graph->initializer[i].name));
    for (size_t i = 0; i < graph->inputs; i++) JM_TRY(define(map, graph->input[i].name));
    for (size_t n = 0; n < graph->nodes; n++)
        for (size_t i = 0; i < graph->node[n].outputs; i++) JM_TRY(define(map, graph->node[n].output[i]));
    return JM_OK;
}

/* A name that is not in the map is taken from outside; it is in the map from then on. */
static jm_status capture(onnx_graph *graph, jm_map *map, const char *name)
{
    if (!*name || jm_map_get(map, name)) return JM_OK;
    graph->captured[graph->captures++] = name;
    return jm_map_put(map, name, map);
}

static jm_status capture_all(jm_arena *arena, onnx_graph *graph, jm_map *map)
{
    size_t most = graph->outputs;
    for (size_t n = 0; n < graph->nodes; n++) most += graph->node[n].reads;
    graph->captured = jm_arena_alloc(arena, most, sizeof *graph->captured);
    if (!graph->captured) return JM_OUT_OF_MEMORY;
    JM_TRY(define_all(graph, map));
    for (size_t n = 0; n < graph->nodes; n++)
        for (size_t i = 0; i < graph->node[n].reads; i++) JM_TRY(capture(graph, map, graph->node[n].read[i]));
    for (size_t i = 0; i < graph->outputs; i++) JM_TRY(capture(graph, map, graph->output[i].name));
    return JM_OK;
}

static jm_status collect_captured(jm_arena *arena, onnx_graph *graph)
{
    jm_map map = {0};
    jm_status status = capture_all(arena, graph, &map);
    jm_map_clear(&map);
    return status;
}

static jm_status read_graph(jm_arena *arena, const jm_wire_field *message, int depth, onnx_graph *graph)
{
    enum { NODE = 1, NAME = 2, INITIALIZER = 5, INPUT = 11, OUTPUT = 12, SPARSE_INITIALIZER = 15 };
    size_t count[32];
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field;
    JM_TRY(count_fields(wire, "GraphProto", count));
    *graph = (onnx_graph){.name = ""};
    graph->sparse_initializers = count[SPARSE_INITIALIZER];
    graph->node = jm_arena_alloc(arena, count[NODE], sizeof *graph->node);
    graph->initializer = jm_arena_alloc(arena, count[INITIALIZER], sizeof *graph->initializer);
    graph->input = jm_arena_alloc(arena, count[INPUT], sizeof *graph->input);
    graph->output = jm_arena_alloc(arena, count[OUTPUT], sizeof *graph->output);
    if (!graph->node || !graph->initializer || !graph->input || !graph->output) return JM_OUT_OF_MEMORY;
    while (jm_wire_next(&wire, &field)) {
        switch (field.number) {
        case NODE:
            JM_TRY(read_node(arena, &field, depth, &graph->node[graph->nodes++]));
            break;
        case NAME:
            JM_TRY(read_text(arena, &field, &graph->name));
            break;
        case INITIALIZER:
            JM_TRY(read_tensor(arena, &field, &graph->initializer[graph->initializers++]));
            break;
        case INPUT:
            JM_TRY(read_value(arena, &field, &graph->input[graph->inputs++]));
            break;
        case OUTPUT:
            JM_TRY(read_value(arena, &field, &graph->output[graph->outputs++]));
            break;
        }
    }
    return depth > 0 ? collect_captured(arena, graph) : JM_OK;
}

static jm_status read_opset(jm_arena *arena, const jm_wire_field *message, onnx_opset *opset)
{
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field;
    *opset = (onnx_opset){.domain = ""};
    while (jm_wire_next(&wire, &field)) {
        if (field.number == 1) JM_TRY(read_text(arena, &field, &opset->domain));
        if (field.number == 2) JM_TRY(read_int(&field, &opset->version));
    }
    if (strcmp(opset->domain, "ai.onnx") == 0) opset->domain = "";
    return wire.bad ? corrupt("OperatorSetIdProto") : JM_OK;
}

/* Names as values without a type. */
static jm_status read_names(jm_arena *arena, jm_wire message, uint32_t number, size_t count, onnx_value **out)
{
    jm_wire_field field;
    size_t n = 0;
    *out = jm_arena_alloc(arena, count, sizeof **out);
    if (!*out) return JM_OUT_OF_MEMORY;
    while (jm_wire_next(&message, &field))
        if (field.number == number) JM_TRY(read_text(arena, &field, &(*out)[n++].name));
    return JM_OK;
}

static jm_status read_function(jm_arena *arena, const jm_wire_field *message, onnx_function *function)
{
    enum { NAME = 1, INPUT = 4, OUTPUT = 5, NODE = 7, OPSET = 9, DOMAIN = 10, FALLBACK = 11 };
    size_t count[32];
    jm_wire wire = jm_wire_inside(message);
    jm_wire_field field;
    JM_TRY(count_fields(wire, "FunctionProto", count));
    *function = (onnx_function){.name = "", .domain = "", .body = {.name = ""}};
    onnx_graph *body = &function->body;
    body->inputs = count[INPUT];
    body->outputs = count[OUTPUT];
    body->node = jm_arena_alloc(arena, count[NODE], sizeof *body->node);
    function->fallback = jm_arena_alloc(arena, count[FALLBACK], sizeof *function->fallback);
    function->opset = jm_arena_alloc(arena, count[OPSET], sizeof *function->opset);
    if (!body->node || !function->fallback || !function->opset) return JM_OUT_OF_MEMORY;
    JM_TRY(read_names(arena, wire, INPUT, count[INPUT], &body->input));
    JM_TRY(read_names(arena, wire, OUTPUT, count[OUTPUT], &body->output));
    while (jm_wire_next(&wire, &field)) {
        switch (field.number) {
        case NAME:
            JM_TRY(read_text(arena, &field, &function->name));
            break;
        case DOMAIN:
            JM_TRY(read_text(arena, &field, &function->domain));
            break;
        case NODE:
            JM_TRY(read_node(arena, &field, 0, &body->node[body->nodes++]));
            break;
        case OPSET:
            JM_TRY(read_opset(arena, &field, &function->opset[function->opsets++]));
            break;
        case FALLBACK:
            JM_TRY(read_attr(arena, &field, 0, &function->fallback[function->fallbacks++]));
            break;
        }
    }
    if (strcmp(function->domain, "ai.onnx") == 0) function->domain = "";
    return JM_OK;
}

jm_status onnx_model_read(jm_arena *arena, const void *data, size_t size, onnx_model *model)
{
    enum { IR_VERSION = 1, PRODUCER = 2, PRODUCER_VERSION = 3, GRAPH = 7, OPSET = 8, METADATA = 14, FUNCTIONS = 25 };
    size_t count[32];
    jm_wire wire = jm_wire_over(data, size);
    jm_wire_field field;
    *model = (onnx_model){.producer = "", .producer_version = "", .graph = {.name = ""}};
    JM_TRY(count_fields(wire, "ModelProto", count));
    model->function = jm_arena_alloc(arena, count[FUNCTIONS], sizeof *model->function);
    model->opset = jm_arena_alloc(arena, count[OPSET], sizeof *model->opset);
    model->meta = jm_arena_alloc(arena, count[METADATA], sizeof *model->meta);
    if (!model->opset || !model->meta || !model->function) return JM_OUT_OF_MEMORY;
    while (jm_wire_next(&wire, &field)) {
        switch (field.number) {
        case IR_VERSION:
            JM_TRY(read_int(&field, &model->ir_version));
            break;
        case PRODUCER:
            JM_TRY(read_text(arena, &field, &model->producer));
            break;
        case PRODUCER_VERSION:
            JM_TRY(read_text(arena, &field, &model->producer_version));
            break;
        case GRAPH:
            model->has_graph = true;
            JM_TRY(read_graph(arena, &field, 0, &model->graph));
            break;
        case OPSET:
            JM_TRY(read_opset(arena, &field, &model->opset[model->opsets++]));
            break;
        case FUNCTIONS:
            JM_TRY(read_function(arena, &field, &model->function[model->functions++]));
            break;
        case METADATA:
            JM_TRY(read_pair(arena, &field, &model->meta[model->metas++]));
            break;
        }
    }
    return JM_OK;
}
