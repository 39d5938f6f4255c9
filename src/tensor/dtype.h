/* SPDX-License-Identifier: Apache-2.0
 *
 * Element types. The numbers are those of aclDataType, so that no door needs a mapping.
 */
#ifndef JUMAR_TENSOR_DTYPE_H
#define JUMAR_TENSOR_DTYPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/float16.h"
#include "base/status.h"

/* X(name, aclDataType number, bytes, text) */
#define JM_DTYPE_LIST(X)                                                                                               \
    X(JM_F32, 0, 4, "float32")                                                                                         \
    X(JM_F16, 1, 2, "float16")                                                                                         \
    X(JM_I8, 2, 1, "int8")                                                                                             \
    X(JM_I32, 3, 4, "int32")                                                                                           \
    X(JM_U8, 4, 1, "uint8")                                                                                            \
    X(JM_I16, 6, 2, "int16")                                                                                           \
    X(JM_U16, 7, 2, "uint16")                                                                                          \
    X(JM_U32, 8, 4, "uint32")                                                                                          \
    X(JM_I64, 9, 8, "int64")                                                                                           \
    X(JM_U64, 10, 8, "uint64")                                                                                         \
    X(JM_F64, 11, 8, "float64")                                                                                        \
    X(JM_BOOL, 12, 1, "bool")                                                                                          \
    X(JM_C64, 16, 8, "complex64")                                                                                      \
    X(JM_C128, 17, 16, "complex128")                                                                                   \
    X(JM_BF16, 27, 2, "bfloat16")

typedef enum jm_dtype {
    JM_DTYPE_NONE = -1, /* absent tensor */
#define JM_DTYPE_ENUM(name, number, bytes, text) name = number,
    JM_DTYPE_LIST(JM_DTYPE_ENUM)
#undef JM_DTYPE_ENUM
} jm_dtype;

/* Bytes of an element; 0 for JM_DTYPE_NONE and numbers outside the list. */
size_t jm_dtype_size(jm_dtype dtype);
/* "float32"; "none" for anything outside the list. */
const char *jm_dtype_text(jm_dtype dtype);
/* The dtype of that text; JM_DTYPE_NONE when there is none. */
jm_dtype jm_dtype_from_text(const char *text);

/* One element as another type, by C rules made total: float to integer truncates and saturates, NaN gives 0;
 * integer to narrower integer wraps; anything to bool is `!= 0` (NaN is true). A complex element, which is its real
 * part and then its imaginary one, is read as its real part and written with an imaginary part of 0. */
double jm_element_to_f64(jm_dtype dtype, const void *element);
int64_t jm_element_to_i64(jm_dtype dtype, const void *element);
void jm_element_from_f64(jm_dtype dtype, double value, void *element);
void jm_element_from_i64(jm_dtype dtype, int64_t value, void *element);

/* Converts `count` contiguous elements. Integers pass through int64, so 64-bit values are exact; between complex types
 * both parts are converted. */
JM_MUST_USE jm_status jm_convert(jm_dtype from, const void *source, jm_dtype to, void *target, size_t count);

#endif
