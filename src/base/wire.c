/* SPDX-License-Identifier: Apache-2.0 */
#include "base/wire.h"

#include <string.h>

#include <pb_decode.h>
#include <pb_encode.h>

#include "base/alloc.h"

/* ---- Reading ---- */

jm_wire jm_wire_over(const void *data, size_t size)
{
    return (jm_wire){.at = data, .left = size};
}

jm_wire jm_wire_inside(const jm_wire_field *field)
{
    return (jm_wire){.at = field->data, .left = field->size, .bad = field->type != JM_WIRE_BYTES};
}

/* Moves `wire` to where the stream stands. */
static bool advance(jm_wire *wire, const pb_istream_t *stream, bool ok)
{
    if (!ok) {
        wire->bad = true;
        return false;
    }
    wire->at += wire->left - stream->bytes_left;
    wire->left = stream->bytes_left;
    return true;
}

static bool payload(pb_istream_t *stream, const unsigned char *end, jm_wire_field *field)
{
    uint32_t bits = 0;
    uint64_t size = 0;
    switch (field->type) {
    case JM_WIRE_VARINT:
        return pb_decode_varint(stream, &field->bits);
    case JM_WIRE_FIXED64:
        return pb_decode_fixed64(stream, &field->bits);
    case JM_WIRE_FIXED32:
        if (!pb_decode_fixed32(stream, &bits)) return false;
        field->bits = bits;
        return true;
    case JM_WIRE_BYTES:
        if (!pb_decode_varint(stream, &size) || size > stream->bytes_left) return false;
        field->data = end - stream->bytes_left;
        field->size = (size_t)size;
        return pb_read(stream, NULL, field->size);
    }
    return false;
}

bool jm_wire_next(jm_wire *wire, jm_wire_field *field)
{
    if (wire->bad || wire->left == 0) return false;
    pb_istream_t stream = pb_istream_from_buffer(wire->at, wire->left);
    pb_wire_type_t type = PB_WT_VARINT;
    bool eof = false;
    *field = (jm_wire_field){0};
    bool ok = pb_decode_tag(&stream, &type, &field->number, &eof) && field->number != 0;
    field->type = (jm_wire_type)type;
    return advance(wire, &stream, ok && payload(&stream, wire->at + wire->left, field));
}

bool jm_wire_varint(jm_wire *wire, uint64_t *value)
{
    if (wire->bad || wire->left == 0) return false;
    pb_istream_t stream = pb_istream_from_buffer(wire->at, wire->left);
    return advance(wire, &stream, pb_decode_varint(&stream, value));
}

bool jm_wire_fixed32(jm_wire *wire, uint32_t *bits)
{
    if (wire->bad || wire->left == 0) return false;
    pb_istream_t stream = pb_istream_from_buffer(wire->at, wire->left);
    return advance(wire, &stream, pb_decode_fixed32(&stream, bits));
}

bool jm_wire_fixed64(jm_wire *wire, uint64_t *bits)
{
    if (wire->bad || wire->left == 0) return false;
    pb_istream_t stream = pb_istream_from_buffer(wire->at, wire->left);
    return advance(wire, &stream, pb_decode_fixed64(&stream, bits));
}

float jm_wire_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof(value));
    return value;
}

double jm_wire_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* ---- Writing ---- */

static bool append(pb_ostream_t *stream, const pb_byte_t *data, size_t size)
{
    jm_wire_writer *writer = stream->state;
    size_t need;
    if (writer->status != JM_OK) return false;
    if (!jm_size_add(writer->size, size, &need)) {
        writer->status = jm_error(JM_OUT_OF_RANGE, "a message of more than %zu bytes cannot be written", SIZE_MAX);
        return false;
    }
    writer->status = jm_array_reserve(&writer->data, &writer->capacity, need, 1);
    if (writer->status != JM_OK) return false;
    if (size) memcpy(writer->data + writer->size, data, size);
    writer->size = need;
    return true;
}

/* A put can fail only in append, which keeps the status: nanopb's own result needs no look. */
static pb_ostream_t stream_to(jm_wire_writer *writer)
{
    return (pb_ostream_t){.callback = append, .state = writer, .max_size = SIZE_MAX};
}

void jm_wire_put_varint(jm_wire_writer *writer, uint32_t field, uint64_t value)
{
    pb_ostream_t stream = stream_to(writer);
    (void)(pb_encode_tag(&stream, PB_WT_VARINT, field) && pb_encode_varint(&stream, value));
}

void jm_wire_put_float(jm_wire_writer *writer, uint32_t field, float value)
{
    pb_ostream_t stream = stream_to(writer);
    (void)(pb_encode_tag(&stream, PB_WT_32BIT, field) && pb_encode_fixed32(&stream, &value));
}

void jm_wire_put_double(jm_wire_writer *writer, uint32_t field, double value)
{
    pb_ostream_t stream = stream_to(writer);
    (void)(pb_encode_tag(&stream, PB_WT_64BIT, field) && pb_encode_fixed64(&stream, &value));
}

void jm_wire_put_bytes(jm_wire_writer *writer, uint32_t field, const void *data, size_t size)
{
    pb_ostream_t stream = stream_to(writer);
    (void)(pb_encode_tag(&stream, PB_WT_STRING, field) && pb_encode_string(&stream, data, size));
}

void jm_wire_put_string(jm_wire_writer *writer, uint32_t field, const char *text)
{
    if (text) jm_wire_put_bytes(writer, field, text, strlen(text));
}

size_t jm_wire_begin(jm_wire_writer *writer, uint32_t field)
{
    pb_ostream_t stream = stream_to(writer);
    (void)(pb_encode_tag(&stream, PB_WT_STRING, field));
    return writer->size;
}

void jm_wire_end(jm_wire_writer *writer, size_t begin)
{
    if (writer->status != JM_OK) return;
    /* The length goes in front of what was written meanwhile: append it, then rotate. */
    size_t size = writer->size - begin;
    pb_byte_t length[10];
    pb_ostream_t encoded = pb_ostream_from_buffer(length, sizeof(length));
    pb_ostream_t stream = stream_to(writer);
    if (!pb_encode_varint(&encoded, size) || !append(&stream, length, encoded.bytes_written)) return;
    memmove(writer->data + begin + encoded.bytes_written, writer->data + begin, size);
    memcpy(writer->data + begin, length, encoded.bytes_written);
}

void jm_wire_put_packed_varint(jm_wire_writer *writer, uint64_t value)
{
    pb_ostream_t stream = stream_to(writer);
    (void)(pb_encode_varint(&stream, value));
}

void jm_wire_put_packed_double(jm_wire_writer *writer, double value)
{
    pb_ostream_t stream = stream_to(writer);
    (void)(pb_encode_fixed64(&stream, &value));
}

void jm_wire_clear(jm_wire_writer *writer)
{
    jm_free(writer->data);
    *writer = (jm_wire_writer){0};
}
