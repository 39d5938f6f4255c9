/* SPDX-License-Identifier: Apache-2.0
 *
 * Protobuf wire format, field by field, without generated code. Strings and messages are handed over as views of the
 * input: nothing is copied, and recursion is the caller's. Used by the ONNX importer and the .om container.
 *
 *     jm_wire wire = jm_wire_over(data, size);
 *     jm_wire_field field;
 *     while (jm_wire_next(&wire, &field)) {
 *         switch (field.number) { ... unknown numbers are skipped by doing nothing ... }
 *     }
 *     if (wire.bad) return jm_error(JM_CORRUPT, ...);
 */
#ifndef JUMAR_BASE_WIRE_H
#define JUMAR_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* ---- Reading ---- */

/* The unread rest of a message or of a packed list. `bad` stays set after malformed input; reading then ends. */
typedef struct jm_wire {
    const unsigned char *at;
    size_t left;
    bool bad;
} jm_wire;

/* The numbers of the wire format. Groups (3 and 4) are refused. */
typedef enum jm_wire_type {
    JM_WIRE_VARINT = 0,
    JM_WIRE_FIXED64 = 1,
    JM_WIRE_BYTES = 2, /* string, bytes, message, packed list */
    JM_WIRE_FIXED32 = 5,
} jm_wire_type;

typedef struct jm_wire_field {
    uint32_t number; /* 1 or more */
    jm_wire_type type;
    uint64_t bits;             /* value of VARINT, FIXED64 and FIXED32 */
    const unsigned char *data; /* BYTES: a view of the input */
    size_t size;
} jm_wire_field;

jm_wire jm_wire_over(const void *data, size_t size);
/* The next field; false at the end or when the input is malformed (wire->bad). */
bool jm_wire_next(jm_wire *wire, jm_wire_field *field);
/* The next element of a packed list; false at the end or when it is cut short (wire->bad). */
bool jm_wire_varint(jm_wire *wire, uint64_t *value);
bool jm_wire_fixed32(jm_wire *wire, uint32_t *bits);
bool jm_wire_fixed64(jm_wire *wire, uint64_t *bits);
/* The message, or packed list, inside a BYTES field. Another type gives a bad wire. */
jm_wire jm_wire_inside(const jm_wire_field *field);
/* Bits as a number. */
float jm_wire_float(uint64_t bits);
double jm_wire_double(uint64_t bits);

/* ---- Writing ---- */

/* Appends to a growing buffer (jm_alloc memory). Zero-initialise; failures are sticky in `status`, so that only the
 * end needs a check. Equal calls give equal bytes. */
typedef struct jm_wire_writer {
    unsigned char *data;
    size_t size, capacity;
    jm_status status;
} jm_wire_writer;

void jm_wire_put_varint(jm_wire_writer *writer, uint32_t field, uint64_t value);
void jm_wire_put_float(jm_wire_writer *writer, uint32_t field, float value);
void jm_wire_put_double(jm_wire_writer *writer, uint32_t field, double value);
void jm_wire_put_bytes(jm_wire_writer *writer, uint32_t field, const void *data, size_t size);
/* NULL writes nothing. */
void jm_wire_put_string(jm_wire_writer *writer, uint32_t field, const char *text);
/* A nested message or packed list: everything put until jm_wire_end lies inside. Nests. */
size_t jm_wire_begin(jm_wire_writer *writer, uint32_t field);
void jm_wire_end(jm_wire_writer *writer, size_t begin);
/* One element of a packed list, between begin and end. */
void jm_wire_put_packed_varint(jm_wire_writer *writer, uint64_t value);
void jm_wire_put_packed_double(jm_wire_writer *writer, double value);
/* Frees the buffer and zeroes the writer. */
void jm_wire_clear(jm_wire_writer *writer);

#endif
