/* SPDX-License-Identifier: Apache-2.0 */
#include "model/om_format.h"

#include <string.h>

#include "base/file.h"
#include "base/system.h"
#include "base/wire.h"
#include "model/model.h"

/* A file image and the sections found in it. */
typedef struct image {
    const unsigned char *data;
    size_t size;
    bool verify; /* check the checksums */
    jm_om_header header;
    jm_om_section section[JM_OM_MAX_SECTIONS];
    const jm_om_section *graph, *weights, *metadata, *source;
} image;

static jm_status read_header(image *file)
{
    if (file->size >= strlen(JM_OM_VENDOR_MAGIC) &&
        memcmp(file->data, JM_OM_VENDOR_MAGIC, strlen(JM_OM_VENDOR_MAGIC)) == 0) {
        return jm_error(JM_UNSUPPORTED, "this .om has the vendor's own format, which only the vendor's devices run; "
                                        "compile the ONNX again with `jumar compile`");
    }
    if (file->size < JM_OM_MAGIC_SIZE || memcmp(file->data, JM_OM_MAGIC, JM_OM_MAGIC_SIZE) != 0) {
        return jm_error(JM_CORRUPT, "this is not an .om file of Jumar; `jumar compile` makes one from an ONNX file");
    }
    if (file->size < sizeof(file->header)) {
        return jm_error(JM_CORRUPT, "the file is cut short: it has %zu bytes, the header alone takes %zu", file->size,
                        sizeof(file->header));
    }
    memcpy(&file->header, file->data, sizeof(file->header));
    const jm_om_header *header = &file->header;
    if (header->endian != JM_OM_ENDIAN) {
        return jm_error(JM_UNSUPPORTED, "the file is little-endian and this machine is not");
    }
    if (file->verify && header->header_crc != jm_crc32c(0, header, offsetof(jm_om_header, header_crc))) {
        return jm_error(JM_CORRUPT, "the header is damaged (checksum)");
    }
    if (header->major > JM_OM_MAJOR) {
        return jm_error(JM_UNSUPPORTED,
                        "the file has format version %u.%u and this version of Jumar reads up to %u.x; update Jumar or "
                        "compile the ONNX again",
                        header->major, header->minor, JM_OM_MAJOR);
    }
    if (header->major == 0) return jm_error(JM_CORRUPT, "the file has format version 0, which does not exist");
    if (header->file_size != file->size) {
        return jm_error(JM_CORRUPT, "the file has %zu bytes and should have %llu: it is %s; copy or compile it again",
                        file->size, (unsigned long long)header->file_size,
                        header->file_size > file->size ? "cut short" : "too long");
    }
    return JM_OK;
}

static jm_status take_section(image *file, const jm_om_section *section)
{
    const jm_om_section **slot = NULL;
    if (section->id == JM_OM_GRAPH) slot = &file->graph;
    if (section->id == JM_OM_WEIGHTS) slot = &file->weights;
    if (section->id == JM_OM_METADATA) slot = &file->metadata;
    if (section->id == JM_OM_SOURCE) slot = &file->source;
    if (!slot) {
        if (!(section->flags & JM_OM_SECTION_REQUIRED)) return JM_OK;
        return jm_error(JM_UNSUPPORTED,
                        "the model needs a feature (section %u) that this version of Jumar does not have; update Jumar",
                        section->id);
    }
    if (*slot) return jm_error(JM_CORRUPT, "section %u appears twice", section->id);
    *slot = section;
    return JM_OK;
}

/* Sections lie one behind the other with zero bytes between them, so that no byte of the file is unchecked. */
static jm_status read_sections(image *file)
{
    size_t count = file->header.sections;
    size_t end = sizeof(file->header) + count * sizeof(jm_om_section);
    if (count == 0 || count > JM_OM_MAX_SECTIONS || end > file->size) {
        return jm_error(JM_CORRUPT, "the file has %zu sections; 1 to %d fit", count, JM_OM_MAX_SECTIONS);
    }
    memcpy(file->section, file->data + sizeof(file->header), count * sizeof(jm_om_section));
    if (file->verify && file->header.table_crc != jm_crc32c(0, file->section, count * sizeof(jm_om_section))) {
        return jm_error(JM_CORRUPT, "the section table is damaged (checksum)");
    }
    for (size_t i = 0; i < count; i++) {
        const jm_om_section *section = &file->section[i];
        size_t align = section->id == JM_OM_WEIGHTS ? JM_OM_PAGE : JM_OM_ALIGN;
        if (section->offset < end || section->offset > file->size || section->size > file->size - section->offset ||
            section->offset % align != 0) {
            return jm_error(JM_CORRUPT, "section %u does not lie inside the file", section->id);
        }
        for (; end < section->offset; end++) {
            if (file->verify && file->data[end]) return jm_error(JM_CORRUPT, "byte %zu of the file is damaged", end);
        }
        const unsigned char *data = file->data + section->offset;
        if (file->verify && section->crc != jm_crc32c(0, data, (size_t)section->size)) {
            return jm_error(JM_CORRUPT, "section %u is damaged (checksum)", section->id);
        }
        end = (size_t)(section->offset + section->size);
        JM_TRY(take_section(file, section));
    }
    if (end != file->size) return jm_error(JM_CORRUPT, "bytes behind the last section");
    if (!file->graph || !file->weights) return jm_error(JM_CORRUPT, "the file has no graph or no weights");
    if (file->graph->size > JM_OM_MAX_GRAPH) return jm_error(JM_CORRUPT, "the graph section is too large");
    return JM_OK;
}

static jm_status take_entry(jm_graph *graph, jm_wire wire)
{
    jm_wire_field field;
    const char *key = NULL, *text = NULL;
    while (jm_wire_next(&wire, &field)) {
        const char **slot = field.number == JM_OM_ENTRY_KEY ? &key : field.number == JM_OM_ENTRY_TEXT ? &text : NULL;
        if (!slot) continue;
        if (field.type != JM_WIRE_BYTES) return jm_error(JM_CORRUPT, "the metadata is malformed");
        *slot = jm_arena_strndup(graph->arena, (const char *)field.data, field.size);
        if (!*slot) return JM_OUT_OF_MEMORY;
    }
    if (wire.bad || !key || !text) return jm_error(JM_CORRUPT, "the metadata is malformed");
    return jm_graph_set_meta(graph, key, text);
}

static jm_status read_metadata(jm_graph *graph, const unsigned char *data, size_t size)
{
    jm_wire wire = jm_wire_over(data, size);
    jm_wire_field field;
    while (jm_wire_next(&wire, &field)) {
        if (field.number == JM_OM_METADATA_ENTRY) JM_TRY(take_entry(graph, jm_wire_inside(&field)));
    }
    return wire.bad ? jm_error(JM_CORRUPT, "the metadata is malformed") : JM_OK;
}

/* *bytes become a copy that the graph owns. */
static jm_status copy_bytes(jm_graph *graph, const unsigned char **bytes, size_t size)
{
    unsigned char *copy = jm_arena_alloc(graph->arena, JM_MAX(size, (size_t)JM_OM_ALIGN), 1);
    if (!copy) return JM_OUT_OF_MEMORY;
    memcpy(copy, *bytes, size);
    *bytes = copy;
    return JM_OK;
}

static jm_status fill_graph(image *file, unsigned flags, jm_graph *graph)
{
    JM_TRY(read_header(file));
    JM_TRY(read_sections(file));
    const unsigned char *weights = file->data + file->weights->offset;
    size_t weight_size = (size_t)file->weights->size;
    if (flags & JM_OM_COPY) JM_TRY(copy_bytes(graph, &weights, weight_size));
    if (file->source) {
        const unsigned char *source = file->data + file->source->offset;
        graph->source_size = (size_t)file->source->size;
        if (flags & JM_OM_COPY) JM_TRY(copy_bytes(graph, &source, graph->source_size));
        graph->source = source;
    }
    if (file->metadata) {
        JM_TRY(read_metadata(graph, file->data + file->metadata->offset, (size_t)file->metadata->size));
    }
    return jm_om_parse_graph(graph, file->data + file->graph->offset, (size_t)file->graph->size, weights, weight_size);
}

jm_status jm_om_parse(const unsigned char *data, size_t size, unsigned flags, jm_graph **out)
{
    image file = {.data = data, .size = size, .verify = !(flags & JM_OM_SKIP_CHECKSUMS)};
    *out = NULL;
    jm_graph *graph;
    JM_TRY(jm_graph_create(&graph));
    jm_status status = fill_graph(&file, flags, graph);
    if (status != JM_OK) {
        jm_graph_destroy(graph);
        /* Whatever a check of the graph complains about, the file is to blame. */
        return status == JM_OUT_OF_MEMORY || status == JM_UNSUPPORTED ? status : JM_CORRUPT;
    }
    *out = graph;
    return JM_OK;
}

static void close_map(void *context)
{
    jm_file_map_close(context);
    jm_free(context);
}

jm_status jm_om_read(const char *path, jm_graph **out)
{
    *out = NULL;
    jm_file_map *map = jm_alloc(1, sizeof(*map));
    if (!map) return JM_OUT_OF_MEMORY;
    jm_graph *graph = NULL;
    jm_status status = jm_file_map_open(path, map);
    if (status == JM_OK) {
        status = jm_om_parse(map->data, map->size, 0, &graph);
        if (status != JM_OK) status = jm_error_context(status, "cannot load '%s'", path);
    }
    if (status == JM_OK) status = jm_graph_on_destroy(graph, close_map, map);
    if (status != JM_OK) {
        jm_graph_destroy(graph);
        close_map(map);
        return status;
    }
    *out = graph;
    return JM_OK;
}

jm_status jm_om_read_memory(const void *data, size_t size, jm_graph **out)
{
    *out = NULL;
    if (!data || size == 0) return jm_error(JM_INVALID_ARGUMENT, "there are no bytes to load a model from");
    return jm_om_parse(data, size, JM_OM_COPY, out);
}
