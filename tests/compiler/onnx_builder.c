/* SPDX-License-Identifier: Apache-2.0 */
#include "onnx_builder.h"

#include "compiler/verify.h"
#include "test.h"

/* Field numbers of onnx.proto. */
enum { MODEL_IR = 1, MODEL_GRAPH = 7, MODEL_OPSET = 8, MODEL_METADATA = 14, MODEL_FUNCTIONS = 25 };
enum { FUNCTION_NAME = 1, FUNCTION_INPUT = 4, FUNCTION_OUTPUT = 5, FUNCTION_NODE = 7, FUNCTION_DOMAIN = 10 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OP = 4, NODE_ATTR = 5, NODE_DOMAIN = 7 };
enum { ATTR_NAME = 1, ATTR_F = 2, ATTR_I = 3, ATTR_S = 4, ATTR_GRAPH = 6, ATTR_FLOATS = 7, ATTR_INTS = 8 };
enum { ATTR_TYPE = 20, ATTR_REFERENCE = 21 };
enum { TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9, TENSOR_EXTERNAL = 13, TENSOR_LOCATION = 14 };

static void put_pair(jm_wire_writer *w, uint32_t field, const char *key, const char *text)
{
    size_t begin = jm_wire_begin(w, field);
    jm_wire_put_string(w, 1, key);
    jm_wire_put_string(w, 2, text);
    jm_wire_end(w, begin);
}

onnx_builder onnx_begin_bare(void)
{
    onnx_builder b = {0};
    jm_wire_put_varint(&b.model, MODEL_IR, 8);
    b.graph = jm_wire_begin(&b.model, MODEL_GRAPH);
    jm_wire_put_string(&b.model, GRAPH_NAME, "test");
    return b;
}

onnx_builder onnx_begin(int64_t opset)
{
    onnx_builder b = {0};
    jm_wire_put_varint(&b.model, MODEL_IR, 8);
    onnx_opset_of(&b, "", opset);
    b.graph = jm_wire_begin(&b.model, MODEL_GRAPH);
    jm_wire_put_string(&b.model, GRAPH_NAME, "test");
    return b;
}

void onnx_opset_of(onnx_builder *b, const char *domain, int64_t version)
{
    size_t begin = jm_wire_begin(&b->model, MODEL_OPSET);
    jm_wire_put_string(&b->model, 1, domain);
    jm_wire_put_varint(&b->model, 2, (uint64_t)version);
    jm_wire_end(&b->model, begin);
}

void onnx_metadata(onnx_builder *b, const char *key, const char *text)
{
    onnx_end(b);
    put_pair(&b->model, MODEL_METADATA, key, text);
}

static void put_value(onnx_builder *b, uint32_t field, const char *name, int64_t type, int rank, const int64_t *dims)
{
    jm_wire_writer *w = &b->model;
    size_t info = jm_wire_begin(w, field);
    jm_wire_put_string(w, 1, name);
    if (type) {
        size_t outer = jm_wire_begin(w, 2), tensor = jm_wire_begin(w, 1);
        jm_wire_put_varint(w, 1, (uint64_t)type);
        if (rank >= 0) {
            size_t shape = jm_wire_begin(w, 2);
            for (int k = 0; k < rank; k++) {
                size_t dim = jm_wire_begin(w, 1);
                if (dims[k] == -1) {
                    jm_wire_put_string(w, 2, "n");
                } else if (dims[k] != INT64_MIN) {
                    jm_wire_put_varint(w, 1, (uint64_t)dims[k]);
                }
                jm_wire_end(w, dim);
            }
            jm_wire_end(w, shape);
        }
        jm_wire_end(w, tensor);
        jm_wire_end(w, outer);
    }
    jm_wire_end(w, info);
}

void onnx_input(onnx_builder *b, const char *name, int64_t type, int rank, const int64_t *dims)
{
    put_value(b, GRAPH_INPUT, name, type, rank, dims);
}

void onnx_output(onnx_builder *b, const char *name)
{
    put_value(b, GRAPH_OUTPUT, name, 0, 0, NULL);
}

void onnx_output_of(onnx_builder *b, const char *name, int64_t type, int rank, const int64_t *dims)
{
    put_value(b, GRAPH_OUTPUT, name, type, rank, dims);
}

/* ---- Tensors ---- */

void onnx_tensor_head(jm_wire_writer *w, const char *name, int64_t type, int rank, const int64_t *dims)
{
    for (int k = 0; k < rank; k++) jm_wire_put_varint(w, TENSOR_DIMS, (uint64_t)dims[k]);
    jm_wire_put_varint(w, TENSOR_TYPE, (uint64_t)type);
    jm_wire_put_string(w, TENSOR_NAME, name);
}

void onnx_raw(onnx_builder *b, const char *name, int64_t type, int rank, const int64_t *dims, const void *data,
              size_t size)
{
    size_t begin = jm_wire_begin(&b->model, GRAPH_INITIALIZER);
    onnx_tensor_head(&b->model, name, type, rank, dims);
    jm_wire_put_bytes(&b->model, TENSOR_RAW, data, size);
    jm_wire_end(&b->model, begin);
}

void onnx_f32(onnx_builder *b, const char *name, int rank, const int64_t *dims, const float *data)
{
    size_t count = 1;
    for (int k = 0; k < rank; k++) count *= (size_t)dims[k];
    onnx_raw(b, name, ONNX_FLOAT, rank, dims, data, count * sizeof *data);
}

void onnx_i64(onnx_builder *b, const char *name, int count, const int64_t *data)
{
    onnx_raw(b, name, ONNX_INT64, 1, (int64_t[]){count}, data, (size_t)count * sizeof *data);
}

void onnx_i64_scalar(onnx_builder *b, const char *name, int64_t value)
{
    onnx_raw(b, name, ONNX_INT64, 0, NULL, &value, sizeof value);
}

void onnx_f32_scalar(onnx_builder *b, const char *name, float value)
{
    onnx_raw(b, name, ONNX_FLOAT, 0, NULL, &value, sizeof value);
}

void onnx_external(onnx_builder *b, const char *name, int64_t type, int rank, const int64_t *dims, const char *location,
                   const char *offset, const char *length)
{
    jm_wire_writer *w = &b->model;
    size_t begin = jm_wire_begin(w, GRAPH_INITIALIZER);
    onnx_tensor_head(w, name, type, rank, dims);
    if (location) put_pair(w, TENSOR_EXTERNAL, "location", location);
    if (offset) put_pair(w, TENSOR_EXTERNAL, "offset", offset);
    if (length) put_pair(w, TENSOR_EXTERNAL, "length", length);
    jm_wire_put_varint(w, TENSOR_LOCATION, 1);
    jm_wire_end(w, begin);
}

/* ---- Nodes ---- */

static void put_names(jm_wire_writer *w, uint32_t field, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        jm_wire_put_bytes(w, field, list, length);
        list += length;
        if (*list == ',') list++;
    }
}

size_t onnx_op_begin(onnx_builder *b, const char *domain, const char *op, const char *inputs, const char *outputs)
{
    jm_wire_writer *w = &b->model;
    size_t begin = jm_wire_begin(w, b->node_field ? b->node_field : GRAPH_NODE);
    put_names(w, NODE_INPUT, inputs);
    put_names(w, NODE_OUTPUT, outputs);
    jm_wire_put_bytes(w, NODE_NAME, outputs, strcspn(outputs, ","));
    jm_wire_put_string(w, NODE_OP, op);
    if (*domain) jm_wire_put_string(w, NODE_DOMAIN, domain);
    return begin;
}

void onnx_op_end(onnx_builder *b, size_t begin)
{
    jm_wire_end(&b->model, begin);
}

void onnx_op(onnx_builder *b, const char *op, const char *inputs, const char *outputs)
{
    onnx_op_end(b, onnx_op_begin(b, "", op, inputs, outputs));
}

static size_t attr_begin(onnx_builder *b, const char *name, onnx_attr_type type)
{
    size_t begin = jm_wire_begin(&b->model, NODE_ATTR);
    jm_wire_put_string(&b->model, ATTR_NAME, name);
    jm_wire_put_varint(&b->model, ATTR_TYPE, type);
    return begin;
}

void onnx_set_int(onnx_builder *b, const char *name, int64_t value)
{
    size_t begin = attr_begin(b, name, ONNX_ATTR_INT);
    jm_wire_put_varint(&b->model, ATTR_I, (uint64_t)value);
    jm_wire_end(&b->model, begin);
}

void onnx_set_float(onnx_builder *b, const char *name, float value)
{
    size_t begin = attr_begin(b, name, ONNX_ATTR_FLOAT);
    jm_wire_put_float(&b->model, ATTR_F, value);
    jm_wire_end(&b->model, begin);
}

void onnx_set_text(onnx_builder *b, const char *name, const char *text)
{
    size_t begin = attr_begin(b, name, ONNX_ATTR_STRING);
    jm_wire_put_string(&b->model, ATTR_S, text);
    jm_wire_end(&b->model, begin);
}

void onnx_set_ints(onnx_builder *b, const char *name, int count, const int64_t *values)
{
    size_t begin = attr_begin(b, name, ONNX_ATTR_INTS);
    for (int i = 0; i < count; i++) jm_wire_put_varint(&b->model, ATTR_INTS, (uint64_t)values[i]);
    jm_wire_end(&b->model, begin);
}

void onnx_set_floats(onnx_builder *b, const char *name, int count, const float *values)
{
    size_t begin = attr_begin(b, name, ONNX_ATTR_FLOATS);
    for (int i = 0; i < count; i++) jm_wire_put_float(&b->model, ATTR_FLOATS, values[i]);
    jm_wire_end(&b->model, begin);
}

onnx_nest onnx_graph_begin(onnx_builder *b, const char *name)
{
    onnx_nest nest;
    nest.attr = attr_begin(b, name, ONNX_ATTR_GRAPH);
    nest.graph = jm_wire_begin(&b->model, ATTR_GRAPH);
    jm_wire_put_string(&b->model, GRAPH_NAME, name);
    return nest;
}

void onnx_graph_end(onnx_builder *b, onnx_nest nest)
{
    jm_wire_end(&b->model, nest.graph);
    jm_wire_end(&b->model, nest.attr);
}

size_t onnx_function_begin(onnx_builder *b, const char *domain, const char *name, const char *inputs,
                           const char *outputs)
{
    onnx_end(b);
    size_t begin = jm_wire_begin(&b->model, MODEL_FUNCTIONS);
    jm_wire_put_string(&b->model, FUNCTION_NAME, name);
    jm_wire_put_string(&b->model, FUNCTION_DOMAIN, domain);
    put_names(&b->model, FUNCTION_INPUT, inputs);
    put_names(&b->model, FUNCTION_OUTPUT, outputs);
    b->node_field = FUNCTION_NODE;
    return begin;
}

void onnx_function_end(onnx_builder *b, size_t begin)
{
    jm_wire_end(&b->model, begin);
    b->node_field = 0;
}

void onnx_set_reference(onnx_builder *b, const char *name, onnx_attr_type type, const char *from)
{
    size_t begin = attr_begin(b, name, type);
    jm_wire_put_string(&b->model, ATTR_REFERENCE, from);
    jm_wire_end(&b->model, begin);
}

/* ---- Importing ---- */

void onnx_end(onnx_builder *b)
{
    if (!b->ended) jm_wire_end(&b->model, b->graph);
    b->ended = true;
    assert_int_equal(b->model.status, JM_OK);
}

void onnx_clear(onnx_builder *b)
{
    jm_wire_clear(&b->model);
}

jm_status onnx_import_status(onnx_builder *b, jm_graph **graph)
{
    onnx_end(b);
    return jm_onnx_import_memory(b->model.data, b->model.size, b->folder, &b->options, graph);
}

jm_graph *onnx_import_ok(onnx_builder *b)
{
    jm_graph *graph = NULL;
    assert_ok(onnx_import_status(b, &graph));
    assert_ok(jm_graph_verify(graph));
    return graph;
}

void onnx_import_fails(onnx_builder *b, jm_status code, const char *words)
{
    jm_graph *graph = NULL;
    assert_error(onnx_import_status(b, &graph), code, words);
    assert_null(graph);
    onnx_clear(b);
}

const jm_tensor *onnx_folded(const jm_graph *graph, const char *output)
{
    for (size_t i = 0; i < graph->outputs; i++) {
        const jm_value *value = graph->output[i];
        if (strcmp(value->name, output) != 0) continue;
        const jm_node *node = value->producer;
        if (!node || strcmp(node->op->name, "Identity") != 0 || !node->in[0]->tensor.constant) return NULL;
        return &node->in[0]->tensor;
    }
    return NULL;
}

void onnx_check_f32(const jm_graph *graph, const char *output, int rank, const int64_t *dims, const float *want)
{
    const jm_tensor *tensor = onnx_folded(graph, output);
    char have[JM_SHAPE_TEXT], text[JM_SHAPE_TEXT];
    jm_shape shape = {.rank = rank};
    int64_t count;
    if (!tensor) fail_msg("'%s' did not fold", output);
    if (rank > 0) memcpy(shape.dim, dims, (size_t)rank * sizeof *dims);
    assert_int_equal(tensor->dtype, JM_F32);
    assert_string_equal(jm_shape_text(&tensor->shape, have), jm_shape_text(&shape, text));
    assert_ok(jm_shape_count(&shape, &count));
    for (int64_t i = 0; i < count; i++) assert_float_equal(((const float *)tensor->data)[i], want[i], 1e-6);
}

void onnx_finish(onnx_builder *b, jm_graph *graph)
{
    jm_graph_destroy(graph);
    onnx_clear(b);
}

void onnx_write(onnx_builder *b, const char *path)
{
    if (!b->ended) onnx_end(b);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b->model.data, 1, b->model.size, file), b->model.size);
    assert_int_equal(fclose(file), 0);
}
