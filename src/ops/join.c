/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/join.h"

/* In float64, whose rounding to a narrower type is that of the type's own arithmetic. NaN if either is NaN. */
static double join_floats(jm_joining how, double a, double b)
{
    switch (how) {
    case JM_JOIN_ADD:
        return a + b;
    case JM_JOIN_MUL:
        return a * b;
    case JM_JOIN_MIN:
        return a < b || a != a ? a : b;
    default:
        return a > b || a != a ? a : b;
    }
}

/* Wraps. */
static int64_t join_ints(jm_joining how, int64_t a, int64_t b)
{
    switch (how) {
    case JM_JOIN_ADD:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case JM_JOIN_MUL:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case JM_JOIN_MIN:
        return JM_MIN(a, b);
    default:
        return JM_MAX(a, b);
    }
}

void jm_join(jm_joining how, jm_dtype dtype, const jm_walk *elements, char *out, const char *from)
{
    for (int64_t i = 0; i < elements->count; i++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(elements, i, offset);
        char *to = out + offset[1];
        const char *other = from + offset[0];
        if (JM_DTYPES_FLOAT >> dtype & 1)
            jm_element_from_f64(dtype, join_floats(how, jm_element_to_f64(dtype, to), jm_element_to_f64(dtype, other)),
                                to);
        else
            jm_element_from_i64(dtype, join_ints(how, jm_element_to_i64(dtype, to), jm_element_to_i64(dtype, other)),
                                to);
    }
}
