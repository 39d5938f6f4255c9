/* SPDX-License-Identifier: Apache-2.0 */
#include "model/om_format.h"

#include <string.h>

#include "base/file.h"
#include "base/system.h"
#include "base/wire.h"
#include "jumar/jumar.h"
#include "model/model.h"

/* What is known while a file is being written. */
typedef struct output {
    const jm_graph *graph;
    size_t *reference;          /* per value id: position in the file plus one; 0: not written */
    size_t *offset;             /* per value id: place of a constant in the weights section */
    size_t *bytes;              /* per value id: its size */
    const jm_channel_map **map; /* distinct maps in order of first use */
    size_t maps, map_capacity;
    size_t weight_size;
    jm_wire_writer structure, metadata;
} output;

/* ---- What is written, and where constants go ---- */

static void mark(output *file, const jm_value *value)
{
    for (; value && !file->reference[value->id]; value = value->parent) file->reference[value->id] = 1;
}

/* Values that nothing refers to are left out; the others keep their order. */
static void number_values(output *file)
{
    const jm_graph *graph = file->graph;
    for (size_t i = 0; i < graph->inputs; i++) mark(file, graph->input[i]);
    for (size_t i = 0; i < graph->outputs; i++) mark(file, graph->output[i]);
    for (size_t n = 0; n < graph->nodes; n++) {
        const jm_node *node = graph->node[n];
        for (int i = 0; i < node->inputs; i++) mark(file, node->in[i]);
        for (int i = 0; i < node->outputs; i++) mark(file, node->out[i]);
    }
    size_t next = 0;
    for (size_t v = 0; v < graph->values; v++) {
        if (file->reference[v]) file->reference[v] = ++next;
    }
}

static jm_status place_constants(output *file)
{
    for (size_t v = 0; v < file->graph->values; v++) {
        const jm_value *value = file->graph->value[v];
        if (!file->reference[v] || !value->tensor.constant) continue;
        file->bytes[v] = value->packed_bytes;
        if (value->tensor.layout != JM_PACKED) JM_TRY(jm_tensor_bytes(&value->tensor, &file->bytes[v]));
        file->offset[v] = file->weight_size;
        if (!jm_size_add(file->weight_size, file->bytes[v], &file->weight_size) ||
            !jm_size_round_up(file->weight_size, JM_OM_ALIGN, &file->weight_size)) {
            return jm_error(JM_OUT_OF_RANGE, "the constants of '%s' do not fit in the address space",
                            file->graph->name);
        }
    }
    return JM_OK;
}

/* Position of the map in the file plus one. */
static jm_status map_reference(output *file, const jm_channel_map *map, size_t *reference)
{
    size_t i = 0;
    while (i < file->maps && file->map[i] != map &&
           !(file->map[i]->channels == map->channels && jm_channel_map_equal(file->map[i], map, map->channels))) {
        i++;
    }
    if (i == file->maps) {
        JM_TRY(jm_array_reserve(&file->map, &file->map_capacity, file->maps + 1, sizeof(*file->map)));
        file->map[file->maps++] = map;
    }
    *reference = i + 1;
    return JM_OK;
}

/* ---- Sections ---- */

static jm_status put_value(output *file, const jm_value *value)
{
    jm_wire_writer *to = &file->structure;
    const jm_tensor *tensor = &value->tensor;
    size_t map = 0;
    if (tensor->map) JM_TRY(map_reference(file, tensor->map, &map));
    size_t message = jm_wire_begin(to, JM_OM_GRAPH_VALUE);
    if (value->name[0]) jm_wire_put_string(to, JM_OM_VALUE_NAME, value->name);
    jm_wire_put_varint(to, JM_OM_VALUE_DTYPE, (uint64_t)tensor->dtype);
    if (tensor->layout) jm_wire_put_varint(to, JM_OM_VALUE_LAYOUT, tensor->layout);
    if (tensor->shape.rank) {
        size_t list = jm_wire_begin(to, JM_OM_VALUE_DIM);
        for (int i = 0; i < tensor->shape.rank; i++) jm_wire_put_packed_varint(to, (uint64_t)tensor->shape.dim[i]);
        jm_wire_end(to, list);
    }
    if (map) jm_wire_put_varint(to, JM_OM_VALUE_CHANNELS, map);
    if (value->view != JM_VIEW_NONE) {
        jm_wire_put_varint(to, JM_OM_VALUE_VIEW, value->view);
        jm_wire_put_varint(to, JM_OM_VALUE_PARENT, file->reference[value->parent->id]);
        jm_wire_put_varint(to, JM_OM_VALUE_AXIS, (uint64_t)value->axis);
        jm_wire_put_varint(to, JM_OM_VALUE_START, (uint64_t)value->start);
    }
    if (tensor->constant) {
        jm_wire_put_varint(to, JM_OM_VALUE_OFFSET, file->offset[value->id]);
        jm_wire_put_varint(to, JM_OM_VALUE_SIZE, file->bytes[value->id]);
    }
    jm_wire_end(to, message);
    return JM_OK;
}

static void put_epilogue(jm_wire_writer *to, const jm_epilogue *epilogue)
{
    size_t message = jm_wire_begin(to, JM_OM_ATTR_EPILOGUE);
    jm_wire_put_varint(to, JM_OM_EPILOGUE_ACTIVATION, epilogue->activation);
    jm_wire_put_float(to, JM_OM_EPILOGUE_ALPHA, epilogue->alpha);
    jm_wire_put_float(to, JM_OM_EPILOGUE_BETA, epilogue->beta);
    jm_wire_put_varint(to, JM_OM_EPILOGUE_RESIDUAL, epilogue->residual);
    jm_wire_end(to, message);
}

static void put_attr(jm_wire_writer *to, const jm_param *param, const jm_attr *attr)
{
    size_t message = jm_wire_begin(to, JM_OM_NODE_ATTR);
    size_t list;
    jm_wire_put_string(to, JM_OM_ATTR_NAME, param->name);
    switch (param->kind) {
    case JM_PARAM_INT:
        jm_wire_put_varint(to, JM_OM_ATTR_INT, (uint64_t)attr->i);
        break;
    case JM_PARAM_FLOAT:
        jm_wire_put_double(to, JM_OM_ATTR_FLOAT, attr->f);
        break;
    case JM_PARAM_STRING:
        jm_wire_put_string(to, JM_OM_ATTR_STRING, attr->s);
        break;
    case JM_PARAM_INTS:
        list = jm_wire_begin(to, JM_OM_ATTR_INTS);
        for (int32_t i = 0; i < attr->count; i++) jm_wire_put_packed_varint(to, (uint64_t)attr->ints[i]);
        jm_wire_end(to, list);
        break;
    case JM_PARAM_FLOATS:
        list = jm_wire_begin(to, JM_OM_ATTR_FLOATS);
        for (int32_t i = 0; i < attr->count; i++) jm_wire_put_packed_double(to, attr->floats[i]);
        jm_wire_end(to, list);
        break;
    case JM_PARAM_DTYPE:
        jm_wire_put_varint(to, JM_OM_ATTR_DTYPE, (uint64_t)attr->dtype);
        break;
    case JM_PARAM_EPILOGUE:
        put_epilogue(to, &attr->epilogue);
        break;
    case JM_PARAM_INPUT:
    case JM_PARAM_OUTPUT:
        break;
    }
    jm_wire_end(to, message);
}

static void put_references(output *file, uint32_t field, jm_value *const *value, size_t count)
{
    size_t list = jm_wire_begin(&file->structure, field);
    for (size_t i = 0; i < count; i++) {
        jm_wire_put_packed_varint(&file->structure, value[i] ? file->reference[value[i]->id] : 0);
    }
    jm_wire_end(&file->structure, list);
}

static void put_node(output *file, const jm_node *node)
{
    jm_wire_writer *to = &file->structure;
    size_t message = jm_wire_begin(to, JM_OM_GRAPH_NODE);
    jm_wire_put_string(to, JM_OM_NODE_OP, node->op->name);
    if (node->name[0]) jm_wire_put_string(to, JM_OM_NODE_NAME, node->name);
    put_references(file, JM_OM_NODE_INPUT, node->in, (size_t)node->inputs);
    put_references(file, JM_OM_NODE_OUTPUT, node->out, (size_t)node->outputs);
    for (int i = 0; i < jm_op_attrs(node->op); i++) {
        if (node->attr[i].present) put_attr(to, jm_op_attr(node->op, i), &node->attr[i]);
    }
    if (node->form) jm_wire_put_varint(to, JM_OM_NODE_FORM, node->form);
    if (node->elided) jm_wire_put_varint(to, JM_OM_NODE_ELIDED, 1);
    jm_wire_end(to, message);
}

static jm_status put_graph(output *file)
{
    const jm_graph *graph = file->graph;
    jm_wire_writer *to = &file->structure;
    if (graph->name && graph->name[0]) jm_wire_put_string(to, JM_OM_GRAPH_NAME, graph->name);
    for (size_t v = 0; v < graph->values; v++) {
        if (file->reference[v]) JM_TRY(put_value(file, graph->value[v]));
    }
    for (size_t n = 0; n < graph->nodes; n++) put_node(file, graph->node[n]);
    put_references(file, JM_OM_GRAPH_INPUT, graph->input, graph->inputs);
    put_references(file, JM_OM_GRAPH_OUTPUT, graph->output, graph->outputs);
    for (size_t m = 0; m < file->maps; m++) {
        size_t list = jm_wire_begin(to, JM_OM_GRAPH_CHANNELS);
        for (int32_t c = 0; c < file->map[m]->channels; c++) {
            jm_wire_put_packed_varint(to, (uint64_t)file->map[m]->lane[c]);
        }
        jm_wire_end(to, list);
    }
    if (to->status == JM_OK && to->size > JM_OM_MAX_GRAPH) {
        return jm_error(JM_OUT_OF_RANGE, "the graph section takes %zu bytes; the limit is %zu", to->size,
                        JM_OM_MAX_GRAPH);
    }
    return to->status;
}

static void put_entry(jm_wire_writer *to, const char *key, const char *text)
{
    size_t message = jm_wire_begin(to, JM_OM_METADATA_ENTRY);
    jm_wire_put_string(to, JM_OM_ENTRY_KEY, key);
    jm_wire_put_string(to, JM_OM_ENTRY_TEXT, text);
    jm_wire_end(to, message);
}

/* The producer is always the writer itself. */
static jm_status put_metadata(output *file)
{
    put_entry(&file->metadata, "producer", "jumar " JUMAR_VERSION);
    for (size_t i = 0; i < file->graph->metas; i++) {
        const jm_meta *meta = &file->graph->meta[i];
        if (strcmp(meta->key, "producer") != 0) put_entry(&file->metadata, meta->key, meta->text);
    }
    return file->metadata.status;
}

/* ---- The file ---- */

/* Where bytes go: into a checksum, and into a file when there is one. */
typedef struct sink {
    jm_file_writer *writer;
    uint32_t crc;
} sink;

static const unsigned char zeros[JM_OM_PAGE];

static jm_status sink_put(sink *to, const void *data, size_t size)
{
    to->crc = jm_crc32c(to->crc, data, size);
    return to->writer && size ? jm_file_writer_write(to->writer, data, size) : JM_OK;
}

static jm_status sink_weights(const output *file, sink *to)
{
    for (size_t v = 0; v < file->graph->values; v++) {
        const jm_value *value = file->graph->value[v];
        if (!file->reference[v] || !value->tensor.constant) continue;
        JM_TRY(sink_put(to, value->tensor.data, file->bytes[v]));
        jm_file_map_done(value->tensor.data, file->bytes[v]);
        JM_TRY(sink_put(to, zeros, -file->bytes[v] & (JM_OM_ALIGN - 1)));
    }
    return JM_OK;
}

/* What a section holds; the weights are written value by value. */
typedef struct section_body {
    jm_om_section_id id;
    uint32_t flags;
    const void *data;
    size_t size, align;
} section_body;

enum { MAX_SECTIONS = 4 };

/* The sections in the order of the file, the weights last; returns their number. */
static int list_sections(const output *file, section_body body[MAX_SECTIONS])
{
    const jm_graph *graph = file->graph;
    int n = 0;
    body[n++] =
        (section_body){JM_OM_GRAPH, JM_OM_SECTION_REQUIRED, file->structure.data, file->structure.size, JM_OM_ALIGN};
    body[n++] = (section_body){JM_OM_METADATA, 0, file->metadata.data, file->metadata.size, JM_OM_ALIGN};
    if (graph->source) body[n++] = (section_body){JM_OM_SOURCE, 0, graph->source, graph->source_size, JM_OM_ALIGN};
    body[n++] = (section_body){JM_OM_WEIGHTS, JM_OM_SECTION_REQUIRED, NULL, file->weight_size, JM_OM_PAGE};
    return n;
}

static jm_status put_body(const output *file, const section_body *body, sink *to)
{
    return body->id == JM_OM_WEIGHTS ? sink_weights(file, to) : sink_put(to, body->data, body->size);
}

static jm_status plan_file(const output *file, const section_body *body, int sections, jm_om_header *header,
                           jm_om_section *section)
{
    size_t end = sizeof(*header) + (size_t)sections * sizeof(*section);
    for (int i = 0; i < sections; i++) {
        sink sum = {0};
        JM_TRY(put_body(file, &body[i], &sum));
        section[i] = (jm_om_section){.id = body[i].id, .flags = body[i].flags, .size = body[i].size, .crc = sum.crc};
        if (!jm_size_round_up(end, body[i].align, &end)) return jm_error(JM_OUT_OF_RANGE, "the file is too large");
        section[i].offset = end;
        if (!jm_size_add(end, body[i].size, &end)) return jm_error(JM_OUT_OF_RANGE, "the file is too large");
    }
    *header = (jm_om_header){.endian = JM_OM_ENDIAN, .major = JM_OM_MAJOR, .minor = JM_OM_MINOR};
    memcpy(header->magic, JM_OM_MAGIC, JM_OM_MAGIC_SIZE);
    header->file_size = end;
    header->sections = (uint32_t)sections;
    header->table_crc = jm_crc32c(0, section, (size_t)sections * sizeof(*section));
    header->header_crc = jm_crc32c(0, header, offsetof(jm_om_header, header_crc));
    return JM_OK;
}

static jm_status write_file(const output *file, jm_file_writer *writer)
{
    jm_om_header header;
    section_body body[MAX_SECTIONS];
    jm_om_section section[MAX_SECTIONS];
    const int sections = list_sections(file, body);
    sink to = {.writer = writer};
    JM_TRY(plan_file(file, body, sections, &header, section));
    JM_TRY(sink_put(&to, &header, sizeof(header)));
    JM_TRY(sink_put(&to, section, (size_t)sections * sizeof(*section)));
    size_t end = sizeof(header) + (size_t)sections * sizeof(*section);
    for (int i = 0; i < sections; i++) {
        JM_TRY(sink_put(&to, zeros, section[i].offset - end));
        JM_TRY(put_body(file, &body[i], &to));
        end = section[i].offset + section[i].size;
    }
    return JM_OK;
}

static jm_status build(output *file)
{
    size_t values = file->graph->values;
    file->reference = jm_alloc(values, sizeof(size_t));
    file->offset = jm_alloc(values, sizeof(size_t));
    file->bytes = jm_alloc(values, sizeof(size_t));
    if (!file->reference || !file->offset || !file->bytes) return JM_OUT_OF_MEMORY;
    number_values(file);
    JM_TRY(place_constants(file));
    JM_TRY(put_graph(file));
    return put_metadata(file);
}

jm_status jm_om_write(const jm_graph *graph, const char *path)
{
    output file = {.graph = graph};
    jm_file_writer *writer = NULL;
    jm_status status = build(&file);
    if (status == JM_OK) status = jm_file_writer_create(path, &writer);
    if (status == JM_OK) status = write_file(&file, writer);
    if (status == JM_OK) {
        status = jm_file_writer_commit(writer);
    } else {
        jm_file_writer_destroy(writer);
    }
    jm_free(file.reference);
    jm_free(file.offset);
    jm_free(file.bytes);
    jm_free(file.map);
    jm_wire_clear(&file.structure);
    jm_wire_clear(&file.metadata);
    return status;
}
