/* SPDX-License-Identifier: Apache-2.0 */
#include "aclnn/row_types.h"

int jm_type_category(jm_dtype dtype)
{
    switch (dtype) {
    case JM_BOOL:
        return 1;
    case JM_F32:
    case JM_F64:
    case JM_F16:
    case JM_BF16:
        return 3;
    case JM_C64:
    case JM_C128:
        return 4;
    default:
        return 2;
    }
}

static bool is_unsigned(jm_dtype dtype)
{
    return dtype == JM_U8 || dtype == JM_U16 || dtype == JM_U32 || dtype == JM_U64;
}

static jm_dtype promote_integers(jm_dtype a, jm_dtype b)
{
    size_t size_a = jm_dtype_size(a), size_b = jm_dtype_size(b);
    if (is_unsigned(a) == is_unsigned(b)) return size_a > size_b ? a : b;
    jm_dtype with_sign = is_unsigned(a) ? b : a;
    size_t unsigned_size = is_unsigned(a) ? size_a : size_b;
    if (jm_dtype_size(with_sign) > unsigned_size) return with_sign;
    return unsigned_size == 1 ? JM_I16 : (unsigned_size == 2 ? JM_I32 : JM_I64);
}

jm_dtype jm_type_promote(jm_dtype a, jm_dtype b)
{
    if (a == b || b == JM_DTYPE_NONE) return a;
    if (a == JM_DTYPE_NONE) return b;
    int category_a = jm_type_category(a), category_b = jm_type_category(b);
    if (category_a == 4 || category_b == 4)
        return a == JM_F64 || b == JM_F64 || a == JM_C128 || b == JM_C128 ? JM_C128 : JM_C64;
    if (category_a != category_b) return category_a > category_b ? a : b;
    if (category_a == 2) return promote_integers(a, b);
    if (a == JM_F64 || b == JM_F64) return JM_F64;
    return JM_F32;
}

bool jm_type_fits(jm_dtype from, jm_dtype to)
{
    return jm_type_category(from) <= jm_type_category(to);
}

void jm_type_mix_tensor(jm_type_mix *mix, jm_dtype dtype, int rank)
{
    jm_dtype *part = rank > 0 ? &mix->tensor : &mix->rank0;
    *part = jm_type_promote(*part, dtype);
}

void jm_type_mix_number(jm_type_mix *mix, jm_dtype dtype)
{
    int category = jm_type_category(dtype);
    mix->number = jm_type_promote(
        mix->number, category == 1 ? JM_BOOL : (category == 2 ? JM_I64 : (category == 3 ? JM_F32 : JM_C64)));
}

/* `lower` only matters where it has a higher category. */
static jm_dtype raise(jm_dtype higher, jm_dtype lower)
{
    if (higher == JM_DTYPE_NONE || lower == JM_DTYPE_NONE) return higher == JM_DTYPE_NONE ? lower : higher;
    if (jm_type_category(lower) <= jm_type_category(higher)) return higher;
    /* A floating-point type keeps its precision when it becomes complex. */
    if (jm_type_category(higher) == 3) return higher == JM_F64 ? JM_C128 : JM_C64;
    return jm_type_promote(higher, lower);
}

jm_dtype jm_type_mix_result(const jm_type_mix *mix)
{
    return raise(raise(mix->tensor, mix->rank0), mix->number);
}
