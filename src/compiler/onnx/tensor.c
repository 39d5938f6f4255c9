/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/onnx/tensor.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* ---- Types ---- */

jm_status onnx_dtype(int64_t type, const char *what, jm_dtype *dtype)
{
    static const struct {
        onnx_type type;
        jm_dtype dtype;
    } table[] = {
        {ONNX_FLOAT, JM_F32},     {ONNX_UINT8, JM_U8},   {ONNX_INT8, JM_I8},    {ONNX_UINT16, JM_U16},
        {ONNX_INT16, JM_I16},     {ONNX_INT32, JM_I32},  {ONNX_INT64, JM_I64},  {ONNX_BOOL, JM_BOOL},
        {ONNX_FLOAT16, JM_F16},   {ONNX_DOUBLE, JM_F64}, {ONNX_UINT32, JM_U32}, {ONNX_UINT64, JM_U64},
        {ONNX_BFLOAT16, JM_BF16},
    };
    for (size_t i = 0; i < JM_COUNT(table); i++) {
        if ((int64_t)table[i].type != type) continue;
        *dtype = table[i].dtype;
        return JM_OK;
    }
    return jm_error(JM_UNSUPPORTED, "%s has the ONNX element type %lld, which is not supported", what, (long long)type);
}

/* ---- Typed data fields ---- */

typedef enum typed_field {
    FLOAT_DATA = 4,
    INT32_DATA = 5,
    INT64_DATA = 7,
    DOUBLE_DATA = 10,
    UINT64_DATA = 11
} typed_field;

static typed_field field_of(jm_dtype dtype)
{
    switch (dtype) {
    case JM_F32:
        return FLOAT_DATA;
    case JM_F64:
        return DOUBLE_DATA;
    case JM_I64:
        return INT64_DATA;
    case JM_U32:
    case JM_U64:
        return UINT64_DATA;
    default:
        return INT32_DATA;
    }
}

/* The next element of a packed list as bits. */
static bool next_bits(jm_wire *list, typed_field kind, uint64_t *bits)
{
    uint32_t narrow;
    switch (kind) {
    case FLOAT_DATA:
        if (!jm_wire_fixed32(list, &narrow)) return false;
        *bits = narrow;
        return true;
    case DOUBLE_DATA:
        return jm_wire_fixed64(list, bits);
    default:
        return jm_wire_varint(list, bits);
    }
}

/* Walks all elements; writes them when `target` is not NULL. Integers lose their upper bytes: little-endian. */
static bool typed_walk(const onnx_tensor *tensor, jm_dtype dtype, unsigned char *target, uint64_t *count)
{
    const typed_field kind = field_of(dtype);
    const jm_wire_type single = kind == FLOAT_DATA    ? JM_WIRE_FIXED32
                                : kind == DOUBLE_DATA ? JM_WIRE_FIXED64
                                                      : JM_WIRE_VARINT;
    const size_t size = jm_dtype_size(dtype);
    jm_wire wire = tensor->message;
    jm_wire_field field;
    uint64_t n = 0;
    while (jm_wire_next(&wire, &field)) {
        if (field.number != (uint32_t)kind) continue;
        if (field.type == single) {
            if (target) memcpy(target + n * size, &field.bits, size);
            n++;
            continue;
        }
        jm_wire list = jm_wire_inside(&field);
        uint64_t bits;
        while (next_bits(&list, kind, &bits)) {
            if (target) memcpy(target + n * size, &bits, size);
            n++;
        }
        if (list.bad) return false;
    }
    *count = n;
    return !wire.bad;
}

/* ---- External data ---- */

typedef struct onnx_file {
    const char *location;
    jm_file_map map;
    struct onnx_file *next;
} onnx_file;

static void file_close(void *context)
{
    onnx_file *file = context;
    jm_file_map_close(&file->map);
}

static bool leaves_folder(const char *location)
{
    if (location[0] == '/') return true;
    for (const char *part = location; *part;) {
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') return true;
        part += length;
        part += *part == '/';
    }
    return false;
}

/* Opens folder/location, which must be inside the folder after symbolic links are followed too. */
static jm_status file_open(jm_graph *graph, onnx_files *files, const char *location, const char *name,
                           const onnx_file **out)
{
    for (const onnx_file *file = files->file; file; file = file->next) {
        if (strcmp(file->location, location) != 0) continue;
        *out = file;
        return JM_OK;
    }
    if (!files->folder) {
        return jm_error(JM_INVALID_ARGUMENT, "tensor '%s' lies in the file '%s', and a model in memory has no folder",
                        name, location);
    }
    if (!*location || leaves_folder(location)) {
        return jm_error(JM_INVALID_ARGUMENT,
                        "tensor '%s' lies in the file '%s'; external data must be inside the folder of the model", name,
                        location);
    }
    char *path = jm_arena_printf(graph->arena, "%s/%s", files->folder, location);
    onnx_file *file = jm_arena_alloc(graph->arena, 1, sizeof *file);
    if (!path || !file || !(file->location = jm_arena_strdup(graph->arena, location))) return JM_OUT_OF_MEMORY;

    char folder[PATH_MAX], target[PATH_MAX];
    if (!realpath(files->folder, folder)) {
        return jm_error(JM_IO, "cannot resolve the folder '%s': %s", files->folder, strerror(errno));
    }
    if (!realpath(path, target)) {
        return jm_error(errno == ENOENT ? JM_NOT_FOUND : JM_IO,
                        "tensor '%s' lies in '%s', which cannot be opened: %s; weights in files of their own belong "
                        "beside the model",
                        name, path, strerror(errno));
    }
    size_t length = strlen(folder);
    if (length > 0 && folder[length - 1] == '/') length--; /* the root folder */
    if (strncmp(target, folder, length) != 0 || target[length] != '/') {
        return jm_error(JM_INVALID_ARGUMENT,
                        "tensor '%s' lies in '%s', a link out of the folder of the model, which is not allowed", name,
                        path);
    }
    JM_TRY(jm_file_map_open(target, &file->map));
    jm_status status = jm_graph_on_destroy(graph, file_close, file);
    if (status != JM_OK) {
        jm_file_map_close(&file->map);
        return status;
    }
    file->next = files->file;
    files->file = file;
    *out = file;
    return JM_OK;
}

static const char *external_entry(const onnx_tensor *tensor, const char *key)
{
    for (size_t i = 0; i < tensor->pairs; i++) {
        if (strcmp(tensor->pair[i].key, key) == 0) return tensor->pair[i].text;
    }
    return NULL;
}

static jm_status external_number(const onnx_tensor *tensor, const char *name, const char *key, size_t fallback,
                                 size_t *out)
{
    const char *text = external_entry(tensor, key);
    *out = fallback;
    if (!text) return JM_OK;
    size_t value = 0;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9' || !jm_size_mul(value, 10, &value) ||
            !jm_size_add(value, (size_t)(*c - '0'), &value)) {
            return jm_error(JM_CORRUPT, "tensor '%s' has the external %s '%s', which is no size", name, key, text);
        }
    }
    *out = value;
    return JM_OK;
}

static jm_status external_data(jm_graph *graph, onnx_files *files, const onnx_tensor *tensor, const char *name,
                               const unsigned char **data, size_t *size)
{
    const char *location = external_entry(tensor, "location");
    if (!location) return jm_error(JM_CORRUPT, "tensor '%s' is external and has no location", name);
    const onnx_file *file = NULL;
    size_t offset, length;
    JM_TRY(file_open(graph, files, location, name, &file));
    JM_TRY(external_number(tensor, name, "offset", 0, &offset));
    if (offset > file->map.size) offset = file->map.size + 1;
    JM_TRY(external_number(tensor, name, "length", *size, &length));
    if (offset > file->map.size || length > file->map.size - offset) {
        return jm_error(JM_CORRUPT, "tensor '%s' reaches beyond the end of '%s' (%zu bytes)", name, location,
                        file->map.size);
    }
    *data = file->map.data + offset;
    *size = length;
    return JM_OK;
}

/* ---- Constants ---- */

static jm_status tensor_shape(const onnx_tensor *tensor, const char *name, jm_shape *shape, int64_t *count)
{
    if (tensor->rank > JM_MAX_RANK) {
        return jm_error(JM_UNSUPPORTED, "tensor '%s' has %zu dimensions; the limit is %d", name, tensor->rank,
                        JM_MAX_RANK);
    }
    *shape = (jm_shape){.rank = (int)tensor->rank};
    for (int k = 0; k < shape->rank; k++) {
        shape->dim[k] = tensor->dim[k];
        if (tensor->dim[k] < 0) {
            return jm_error(JM_CORRUPT, "tensor '%s' has the negative dimension %lld", name, (long long)tensor->dim[k]);
        }
    }
    if (jm_shape_count(shape, count) != JM_OK) {
        char text[JM_SHAPE_TEXT];
        return jm_error(JM_CORRUPT, "tensor '%s' of shape %s is too large", name, jm_shape_text(shape, text));
    }
    return JM_OK;
}

static jm_status size_error(const char *name, const jm_shape *shape, jm_dtype dtype, unsigned long long have,
                            const char *unit)
{
    char text[JM_SHAPE_TEXT];
    return jm_error(JM_CORRUPT, "tensor '%s' is %s %s but holds %llu %s", name, jm_dtype_text(dtype),
                    jm_shape_text(shape, text), have, unit);
}

static bool all_zero_or_one(const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i] > 1) return false;
    }
    return true;
}

/* A constant over bytes that lie in a file; copied when they are not aligned or not proper booleans. */
static jm_value *raw_constant(jm_graph *graph, const char *name, jm_dtype dtype, const jm_shape *shape,
                              const unsigned char *data, size_t size)
{
    bool aligned = (uintptr_t)data % jm_dtype_size(dtype) == 0;
    if (dtype == JM_BOOL && !all_zero_or_one(data, size)) {
        jm_value *value = jm_graph_constant(graph, name, dtype, shape, NULL, true);
        if (!value) return NULL;
        bool *target = value->tensor.data;
        for (size_t i = 0; i < size; i++) target[i] = data[i] != 0;
        return value;
    }
    return jm_graph_constant(graph, name, dtype, shape, data, !aligned || size == 0);
}

jm_status onnx_tensor_constant(jm_graph *graph, onnx_files *files, const onnx_tensor *tensor, const char *name,
                               jm_value **out)
{
    char what[160];
    snprintf(what, sizeof what, "tensor '%s'", name);
    jm_dtype dtype = JM_DTYPE_NONE;
    jm_shape shape;
    int64_t count = 0;
    *out = NULL;
    JM_TRY(onnx_dtype(tensor->type, what, &dtype));
    JM_TRY(tensor_shape(tensor, name, &shape, &count));
    if (tensor->segmented) return jm_error(JM_UNSUPPORTED, "tensor '%s' is stored in segments", name);
    const size_t size = (size_t)count * jm_dtype_size(dtype);
    const unsigned char *data = tensor->raw;
    size_t data_size = tensor->raw_size;
    if (tensor->external) {
        data_size = size;
        JM_TRY(external_data(graph, files, tensor, name, &data, &data_size));
    }
    if (data) {
        if (data_size != size) return size_error(name, &shape, dtype, data_size, "bytes");
        *out = raw_constant(graph, name, dtype, &shape, data, size);
        return *out ? JM_OK : JM_OUT_OF_MEMORY;
    }
    uint64_t held = 0;
    if (!typed_walk(tensor, dtype, NULL, &held)) return size_error(name, &shape, dtype, held, "well-formed elements");
    if (held != (uint64_t)count) return size_error(name, &shape, dtype, held, "elements");
    *out = jm_graph_constant(graph, name, dtype, &shape, NULL, true);
    if (!*out) return JM_OUT_OF_MEMORY;
    unsigned char *target = (*out)->tensor.data;
    (void)typed_walk(tensor, dtype, target, &held);
    for (size_t i = 0; dtype == JM_BOOL && i < size; i++) target[i] = target[i] != 0;
    return JM_OK;
}
