/* SPDX-License-Identifier: Apache-2.0
 *
 * Models as json: an .om with the field names of the vendor's graph, an ONNX model with those of ONNX.
 */
#include <string.h>

#include <cjson/cJSON.h>

#include "atc/modes.h"
#include "base/alloc.h"
#include "base/file.h"
#include "compiler/onnx/proto.h"
#include "model/aipp.h"
#include "model/model.h"

/* A document under way: an item that could not be made leaves `complete` false, and the rest does nothing. */
typedef struct document {
    bool complete;
} document;

static cJSON *keep(document *d, cJSON *item)
{
    d->complete = d->complete && item;
    return item;
}

static cJSON *object(document *d, cJSON *parent)
{
    cJSON *item = keep(d, cJSON_CreateObject());
    if (item && parent) cJSON_AddItemToArray(parent, item);
    return item;
}

static cJSON *array(document *d, cJSON *parent, const char *name)
{
    return keep(d, cJSON_AddArrayToObject(parent, name));
}

static void text(document *d, cJSON *parent, const char *name, const char *value)
{
    (void)keep(d, cJSON_AddStringToObject(parent, name, value ? value : ""));
}

static void number(document *d, cJSON *parent, const char *name, double value)
{
    (void)keep(d, cJSON_AddNumberToObject(parent, name, value));
}

static void element(document *d, cJSON *list, cJSON *item)
{
    if (keep(d, item)) cJSON_AddItemToArray(list, item);
}

/* ---- .om ---- */

static void add_attr(document *d, cJSON *list, const char *key, const char *kind, cJSON *value)
{
    cJSON *entry = object(d, list), *holder = keep(d, cJSON_CreateObject());
    text(d, entry, "key", key);
    if (!entry || !holder || !keep(d, value)) {
        cJSON_Delete(holder);
        cJSON_Delete(value);
        return;
    }
    cJSON_AddItemToObject(holder, kind, value);
    cJSON_AddItemToObject(entry, "value", holder);
}

static cJSON *numbers(document *d, const jm_attr *attr, bool whole)
{
    cJSON *list = keep(d, cJSON_CreateArray());
    for (int i = 0; list && i < attr->count; i++)
        element(d, list, cJSON_CreateNumber(whole ? (double)attr->ints[i] : attr->floats[i]));
    return list;
}

static void add_node_attr(document *d, cJSON *list, const jm_param *param, const jm_attr *attr)
{
    switch (param->kind) {
    case JM_PARAM_INT:
        add_attr(d, list, param->name, "i", cJSON_CreateNumber((double)attr->i));
        break;
    case JM_PARAM_FLOAT:
        add_attr(d, list, param->name, "f", cJSON_CreateNumber(attr->f));
        break;
    case JM_PARAM_STRING:
        add_attr(d, list, param->name, "s", cJSON_CreateString(attr->s));
        break;
    case JM_PARAM_INTS:
        add_attr(d, list, param->name, "list", numbers(d, attr, true));
        break;
    case JM_PARAM_FLOATS:
        add_attr(d, list, param->name, "list", numbers(d, attr, false));
        break;
    case JM_PARAM_DTYPE:
        add_attr(d, list, param->name, "dt", cJSON_CreateString(jm_dtype_text(attr->dtype)));
        break;
    default:
        add_attr(d, list, param->name, "i", cJSON_CreateNumber(attr->epilogue.activation));
        break;
    }
}

/* [N,H,W,C], for preprocessing inside of the model. */
static bool is_picture(const jm_value *value)
{
    const jm_use *use = value->is_input ? value->use : NULL;
    return use && use->input == JM_AIPP_PICTURE && strcmp(use->node->op->name, "Aipp") == 0;
}

static void add_desc(document *d, cJSON *list, const jm_value *value)
{
    static const char *const layouts[] = {"ND", "NC1HWC0", "PACKED"};
    const char *plain = is_picture(value) ? "NHWC" : "NCHW";
    cJSON *desc = object(d, list);
    const jm_tensor *tensor = &value->tensor;
    text(d, desc, "name", value->name);
    text(d, desc, "dtype", jm_dtype_text(tensor->dtype));
    text(d, desc, "layout", tensor->layout == JM_PLAIN && tensor->shape.rank == 4 ? plain : layouts[tensor->layout]);
    cJSON *shape = keep(d, cJSON_AddObjectToObject(desc, "shape")), *dims = array(d, shape, "dim");
    for (int k = 0; k < tensor->shape.rank; k++) element(d, dims, cJSON_CreateNumber((double)tensor->shape.dim[k]));
}

/* "<producer>:<index of its output>"; an input or constant stands for itself. */
static void source_of(const jm_value *value, const char **name, int *index)
{
    *name = value->producer ? value->producer->name : value->name;
    *index = 0;
    while (value->producer && value->producer->out[*index] != value) ++*index;
}

static void add_links(document *d, cJSON *op, const jm_node *node)
{
    cJSON *input = array(d, op, "input"), *names = array(d, op, "src_name"), *indices = array(d, op, "src_index");
    cJSON *is_const = array(d, op, "is_input_const"), *descs = array(d, op, "input_desc");
    char link[600];
    for (int i = 0; i < node->inputs; i++) {
        if (!node->in[i]) continue;
        const char *name;
        int index;
        source_of(node->in[i], &name, &index);
        snprintf(link, sizeof link, "%.500s:%d", name, index);
        element(d, input, cJSON_CreateString(link));
        element(d, names, cJSON_CreateString(name));
        element(d, indices, cJSON_CreateNumber(index));
        element(d, is_const, cJSON_CreateBool(node->in[i]->tensor.constant));
        add_desc(d, descs, node->in[i]);
    }
    cJSON *to = array(d, op, "dst_name"), *to_index = array(d, op, "dst_index"), *out = array(d, op, "output_desc");
    for (int i = 0; i < node->outputs; i++) {
        if (!node->out[i]) continue;
        add_desc(d, out, node->out[i]);
        for (const jm_use *use = node->out[i]->use; use; use = use->next) {
            element(d, to, cJSON_CreateString(use->node->name));
            element(d, to_index, cJSON_CreateNumber(use->input));
        }
    }
}

static void add_op(document *d, cJSON *ops, const jm_node *node, int id)
{
    cJSON *op = object(d, ops);
    text(d, op, "name", node->name);
    text(d, op, "type", node->op->name);
    number(d, op, "id", id);
    add_links(d, op, node);
    cJSON *attrs = array(d, op, "attr");
    for (int i = 0; i < jm_op_attrs(node->op); i++)
        if (node->attr[i].present) add_node_attr(d, attrs, jm_op_attr(node->op, i), &node->attr[i]);
}

/* The configuration of an input's preprocessing, by the names of its fields. */
static void add_aipp(document *d, cJSON *op, const jm_aipp *aipp)
{
    static const struct {
        const char *name, *kind;
    } field[] = {
#define JM_AIPP_FIELD(name, kind, fallback, low, high, use) {#name, #kind},
#include "model/aipp_fields.def"
#undef JM_AIPP_FIELD
    };
    cJSON *function = keep(d, cJSON_CreateObject());
    text(d, function, "name", "");
    cJSON *list = array(d, function, "attr");
    for (int i = 0; i < JM_AIPP_FIELDS; i++) {
        const double value = aipp->value[i];
        if (strcmp(field[i].kind, "TEXT") == 0) {
            if (aipp->related_name) add_attr(d, list, field[i].name, "s", cJSON_CreateString(aipp->related_name));
        } else if (strcmp(field[i].kind, "BOOL") == 0) {
            add_attr(d, list, field[i].name, "b", cJSON_CreateBool(value != 0));
        } else {
            const bool real = strcmp(field[i].kind, "FLOAT") == 0;
            add_attr(d, list, field[i].name, real ? "f" : "i", cJSON_CreateNumber(value));
        }
    }
    add_attr(d, array(d, op, "attr"), "aipp", "func", function);
}

static jm_status add_input(document *d, cJSON *ops, const jm_graph *graph, size_t input, jm_arena *arena)
{
    jm_aipp aipp;
    bool found;
    JM_TRY(jm_aipp_of_input(graph, input, arena, &aipp, &found));
    cJSON *op = object(d, ops);
    text(d, op, "name", graph->input[input]->name);
    text(d, op, "type", "Data");
    number(d, op, "id", (double)input);
    add_desc(d, array(d, op, "output_desc"), graph->input[input]);
    if (found) add_aipp(d, op, &aipp);
    return JM_OK;
}

/* Keys that have another name there. */
static const char *public_key(const char *key)
{
    return strcmp(key, "producer") == 0 ? "atc_version" : strcmp(key, "atc.cmdline") == 0 ? "atc_cmdline" : key;
}

static jm_status graph_json(document *d, const jm_graph *graph, jm_arena *arena, cJSON *root)
{
    text(d, root, "name", graph->name);
    number(d, root, "version", 1);
    cJSON *attrs = array(d, root, "attr");
    for (size_t i = 0; i < graph->metas; i++)
        add_attr(d, attrs, public_key(graph->meta[i].key), "s", cJSON_CreateString(graph->meta[i].text));
    cJSON *main_graph = object(d, array(d, root, "graph"));
    text(d, main_graph, "name", graph->name);
    cJSON *input = array(d, main_graph, "input"), *output = array(d, main_graph, "output");
    for (size_t i = 0; i < graph->inputs; i++) element(d, input, cJSON_CreateString(graph->input[i]->name));
    for (size_t i = 0; i < graph->outputs; i++) element(d, output, cJSON_CreateString(graph->output[i]->name));
    cJSON *ops = array(d, main_graph, "op");
    for (size_t i = 0; i < graph->inputs; i++) JM_TRY(add_input(d, ops, graph, i, arena));
    for (size_t i = 0; i < graph->nodes; i++) add_op(d, ops, graph->node[i], (int)(graph->inputs + i));
    return JM_OK;
}

/* ---- ONNX ---- */

static void add_values(document *d, cJSON *list, const onnx_value *value, size_t count, bool shapes)
{
    for (size_t i = 0; i < count; i++) {
        cJSON *entry = object(d, list);
        text(d, entry, "name", value[i].name);
        number(d, entry, "elemType", (double)value[i].type);
        if (!shapes || !value[i].has_shape) continue;
        cJSON *dims = array(d, entry, "shape");
        for (size_t k = 0; k < value[i].rank; k++) element(d, dims, cJSON_CreateNumber((double)value[i].dim[k]));
    }
}

static void add_onnx_attr(document *d, cJSON *list, const onnx_attr *attr)
{
    cJSON *entry = object(d, list), *values;
    text(d, entry, "name", attr->name);
    switch (attr->type) {
    case ONNX_ATTR_INT:
        number(d, entry, "i", (double)attr->i);
        break;
    case ONNX_ATTR_FLOAT:
        number(d, entry, "f", attr->f);
        break;
    case ONNX_ATTR_STRING:
        text(d, entry, "s", attr->s);
        break;
    case ONNX_ATTR_INTS:
        values = array(d, entry, "ints");
        for (size_t i = 0; i < attr->count; i++) element(d, values, cJSON_CreateNumber((double)attr->ints[i]));
        break;
    case ONNX_ATTR_FLOATS:
        values = array(d, entry, "floats");
        for (size_t i = 0; i < attr->count; i++) element(d, values, cJSON_CreateNumber(attr->floats[i]));
        break;
    default:
        break;
    }
}

static void add_texts(document *d, cJSON *parent, const char *name, const char *const *value, size_t count)
{
    cJSON *list = array(d, parent, name);
    for (size_t i = 0; i < count; i++) element(d, list, cJSON_CreateString(value[i]));
}

/* Everything but the elements of tensors. */
static cJSON *onnx_json(document *d, const onnx_model *model, bool shapes)
{
    cJSON *root = object(d, NULL);
    number(d, root, "irVersion", (double)model->ir_version);
    text(d, root, "producerName", model->producer);
    text(d, root, "producerVersion", model->producer_version);
    cJSON *opsets = array(d, root, "opsetImport");
    for (size_t i = 0; i < model->opsets; i++) {
        cJSON *opset = object(d, opsets);
        text(d, opset, "domain", model->opset[i].domain);
        number(d, opset, "version", (double)model->opset[i].version);
    }
    const onnx_graph *from = &model->graph;
    cJSON *graph = keep(d, cJSON_AddObjectToObject(root, "graph"));
    text(d, graph, "name", from->name);
    cJSON *nodes = array(d, graph, "node");
    for (size_t i = 0; i < from->nodes; i++) {
        cJSON *node = object(d, nodes);
        text(d, node, "name", from->node[i].name);
        text(d, node, "opType", from->node[i].op);
        add_texts(d, node, "input", from->node[i].input, from->node[i].inputs);
        add_texts(d, node, "output", from->node[i].output, from->node[i].outputs);
        cJSON *attrs = array(d, node, "attribute");
        for (size_t k = 0; k < from->node[i].attrs; k++) add_onnx_attr(d, attrs, &from->node[i].attr[k]);
    }
    cJSON *initializers = array(d, graph, "initializer");
    for (size_t i = 0; i < from->initializers; i++) {
        cJSON *entry = object(d, initializers);
        text(d, entry, "name", from->initializer[i].name);
        number(d, entry, "dataType", (double)from->initializer[i].type);
        cJSON *dims = array(d, entry, "dims");
        for (size_t k = 0; k < from->initializer[i].rank; k++)
            element(d, dims, cJSON_CreateNumber((double)from->initializer[i].dim[k]));
    }
    add_values(d, array(d, graph, "input"), from->input, from->inputs, shapes);
    add_values(d, array(d, graph, "output"), from->output, from->outputs, shapes);
    return root;
}

/* ---- Files ---- */

static jm_status write_json(document *d, cJSON *root, const char *path)
{
    char *printed = d->complete ? cJSON_Print(root) : NULL;
    jm_status status = printed ? jm_file_write(path, printed, strlen(printed))
                               : jm_error(JM_OUT_OF_MEMORY, "out of memory for the json");
    cJSON_free(printed);
    cJSON_Delete(root);
    return status;
}

static jm_status onnx_to_json(const char *path, bool shapes, const char *json)
{
    document d = {.complete = true};
    jm_file_map map;
    jm_arena *arena;
    onnx_model model = {0};
    JM_TRY(jm_file_map_open(path, &map));
    jm_status status = jm_arena_create(&arena);
    if (status == JM_OK) status = onnx_model_read(arena, map.data, map.size, &model);
    if (status == JM_OK && !model.has_graph)
        status = jm_error_numbered(JM_CORRUPT, "E16004", "%s: not an ONNX model: it holds no graph", path);
    if (status == JM_OK) status = write_json(&d, onnx_json(&d, &model, shapes), json);
    jm_arena_destroy(arena);
    jm_file_map_close(&map);
    return status;
}

static jm_status om_to_json(const char *path, const char *json)
{
    document d = {.complete = true};
    jm_graph *graph = NULL;
    jm_arena *arena = NULL;
    jm_status status = jm_om_read(path, &graph);
    if (status != JM_OK) return jm_error_numbered(status, "E10041", "%.900s", jm_last_error());
    cJSON *root = object(&d, NULL);
    status = jm_arena_create(&arena);
    if (status == JM_OK) status = graph_json(&d, graph, arena, root);
    if (status == JM_OK) {
        status = write_json(&d, root, json);
    } else {
        cJSON_Delete(root);
    }
    jm_arena_destroy(arena);
    jm_graph_destroy(graph);
    return status;
}

jm_status atc_to_json(const atc_values *values)
{
    const char *source = values->given[FLAG_om] ? values->value[FLAG_om] : values->value[FLAG_model];
    const char *json = values->value[FLAG_json];
    if (values->given[FLAG_framework])
        return onnx_to_json(source, strcmp(values->value[FLAG_dump_mode], "1") == 0, json);
    return om_to_json(source, json);
}
