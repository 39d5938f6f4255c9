/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"

static const struct {
    const char *code;
    jm_dtype dtype;
} type_code[] = {
    {"f4", JM_F32}, {"f2", JM_F16}, {"f8", JM_F64}, {"i1", JM_I8},  {"u1", JM_U8},   {"i2", JM_I16},  {"u2", JM_U16},
    {"i4", JM_I32}, {"u4", JM_U32}, {"i8", JM_I64}, {"u8", JM_U64}, {"b1", JM_BOOL}, {"u2", JM_BF16},
};

/* The text after 'key': in the header dictionary, or NULL. */
static const char *find_key(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(header, quoted);
    if (!at) return NULL;
    at += strlen(quoted);
    while (*at == ' ') at++;
    if (*at++ != ':') return NULL;
    while (*at == ' ') at++;
    return at;
}

static jm_status parse_dtype(const char *text, jm_dtype *dtype)
{
    if (!text || text[0] != '\'') return jm_error(JM_CORRUPT, "the .npy header has no 'descr'");
    char order = text[1];
    const char *code = order == '<' || order == '|' || order == '=' || order == '>' ? text + 2 : text + 1;
    for (size_t i = 0; i < JM_COUNT(type_code); i++) {
        size_t length = strlen(type_code[i].code);
        if (strncmp(code, type_code[i].code, length) != 0 || code[length] != '\'') continue;
        if (order == '>' && jm_dtype_size(type_code[i].dtype) > 1)
            return jm_error(JM_UNSUPPORTED, "the .npy file is big-endian; save it with .astype('<%s')",
                            type_code[i].code);
        *dtype = type_code[i].dtype;
        return JM_OK;
    }
    return jm_error(JM_UNSUPPORTED, "the .npy file has element type %.12s; use float, integer or bool", text);
}

static jm_status parse_shape(const char *text, jm_shape *shape)
{
    if (!text || *text++ != '(') return jm_error(JM_CORRUPT, "the .npy header has no 'shape'");
    for (;;) {
        while (*text == ' ' || *text == ',') text++;
        if (*text == ')') return JM_OK;
        char *end;
        long long dim = strtoll(text, &end, 10);
        if (end == text || dim < 0) return jm_error(JM_CORRUPT, "the .npy header has a damaged 'shape'");
        if (shape->rank == JM_MAX_RANK)
            return jm_error(JM_UNSUPPORTED, "the .npy array has more than %d dimensions", JM_MAX_RANK);
        shape->dim[shape->rank++] = dim;
        text = end;
    }
}

jm_status jm_npy_parse(const void *data, size_t size, jm_tensor *tensor)
{
    *tensor = (jm_tensor){.dtype = JM_DTYPE_NONE};
    const unsigned char *bytes = data;
    if (size < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0) return jm_error(JM_CORRUPT, "this is not a .npy file");
    if (bytes[6] < 1 || bytes[6] > 3) return jm_error(JM_UNSUPPORTED, ".npy version %d is not known", bytes[6]);
    size_t start = bytes[6] == 1 ? 10 : 12, length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (bytes[6] > 1) {
        if (size < 12) return jm_error(JM_CORRUPT, "the .npy header is cut short");
        length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    }
    char header[4096];
    if (length >= sizeof header)
        return jm_error(JM_UNSUPPORTED, "the .npy header has %zu bytes; the limit is 4095", length);
    if (length > size - start) return jm_error(JM_CORRUPT, "the .npy header is cut short");
    memcpy(header, bytes + start, length);
    header[length] = 0;

    jm_shape shape = {0};
    jm_dtype dtype = JM_DTYPE_NONE;
    JM_TRY(parse_dtype(find_key(header, "descr"), &dtype));
    JM_TRY(parse_shape(find_key(header, "shape"), &shape));
    const char *fortran = find_key(header, "fortran_order");
    if (!fortran) return jm_error(JM_CORRUPT, "the .npy header has no 'fortran_order'");
    if (strncmp(fortran, "True", 4) == 0 && shape.rank > 1)
        return jm_error(JM_UNSUPPORTED, "the .npy array is in Fortran order; save it with numpy.ascontiguousarray");
    JM_TRY(jm_tensor_init(tensor, dtype, &shape, JM_PLAIN, NULL));
    size_t need = 0;
    JM_TRY(jm_tensor_bytes(tensor, &need));
    if (need > size - start - length)
        return jm_error(JM_CORRUPT, "the .npy file holds %zu bytes of data; its shape needs %zu", size - start - length,
                        need);
    tensor->data = (void *)(bytes + start + length);
    return JM_OK;
}

jm_status jm_npy_write(const char *path, const jm_tensor *tensor)
{
    const char *code = NULL;
    for (size_t i = 0; i < JM_COUNT(type_code); i++)
        if (type_code[i].dtype == tensor->dtype) code = type_code[i].code;
    if (!code || !jm_tensor_contiguous(tensor))
        return jm_error(JM_INVALID_ARGUMENT, "only contiguous tensors of a known type can be written as .npy");
    size_t bytes = 0;
    JM_TRY(jm_tensor_bytes(tensor, &bytes));
    char dims[JM_MAX_RANK * 24] = "", header[512];
    size_t used = 0;
    for (int k = 0; k < tensor->shape.rank; k++)
        used += (size_t)snprintf(dims + used, sizeof dims - used, "%s%" PRId64 "%s", k ? " " : "", tensor->shape.dim[k],
                                 tensor->shape.rank == 1 || k + 1 < tensor->shape.rank ? "," : "");
    int text = snprintf(header + 10, sizeof header - 10, "{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }",
                        jm_dtype_size(tensor->dtype) > 1 ? "<" : "|", code, dims);
    /* Data begins at a multiple of 64; the header ends with a line feed. */
    size_t total = (10 + (size_t)text + 1 + 63) / 64 * 64;
    memset(header + 10 + text, ' ', total - 10 - (size_t)text);
    header[total - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((total - 10) & 255);
    header[9] = (char)((total - 10) >> 8);
    jm_file_writer *writer;
    JM_TRY(jm_file_writer_create(path, &writer));
    jm_status status = jm_file_writer_write(writer, header, total);
    if (status == JM_OK) status = jm_file_writer_write(writer, tensor->data, bytes);
    if (status == JM_OK) return jm_file_writer_commit(writer);
    jm_file_writer_destroy(writer);
    return status;
}
