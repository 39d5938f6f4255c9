/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/window.h"

#include <string.h>

jm_status jm_window_auto_pad(const jm_call *call, const jm_attr *attr, jm_auto_pad *out)
{
    static const char *const text[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
    *out = JM_PAD_EXPLICIT;
    if (!attr->present) return JM_OK;
    for (size_t i = 0; i < JM_COUNT(text); i++) {
        if (strcmp(attr->s, text[i]) != 0) continue;
        *out = (jm_auto_pad)i;
        return JM_OK;
    }
    return jm_call_error(call, JM_INVALID_ARGUMENT,
                         "auto_pad is '%s' and must be NOTSET, SAME_UPPER, SAME_LOWER or VALID", attr->s);
}

jm_status jm_window_ints(const jm_call *call, const char *name, const jm_attr *attr, int spatial, int64_t low,
                         int64_t fill, int64_t out[3])
{
    out[0] = out[1] = out[2] = fill;
    if (!attr || !attr->present || attr->count == 0) return JM_OK;
    if (attr->count != spatial)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s has %d numbers; the input has %d spatial dimensions", name,
                             (int)attr->count, spatial);
    for (int k = 0; k < spatial; k++) {
        int64_t value = attr->ints[k];
        if (value < low || value > JM_WINDOW_LIMIT)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s[%d] is %lld and must be in %lld .. 2^31", name, k,
                                 (long long)value, (long long)low);
        out[3 - spatial + k] = value;
    }
    return JM_OK;
}

jm_status jm_window_pads(const jm_call *call, const jm_attr *attr, int spatial, int64_t before[3], int64_t after[3])
{
    for (int k = 0; k < 3; k++) before[k] = after[k] = 0;
    if (!attr->present || attr->count == 0) return JM_OK;
    if (attr->count != 2 * spatial)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "pads has %d numbers and must have %d", (int)attr->count,
                             2 * spatial);
    for (int k = 0; k < 2 * spatial; k++) {
        int64_t value = attr->ints[k];
        if (value < 0 || value > JM_WINDOW_LIMIT)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "pads[%d] is %lld and must be in 0 .. 2^31", k,
                                 (long long)value);
        (k < spatial ? before : after)[3 - spatial + k % spatial] = value;
    }
    return JM_OK;
}

void jm_window_split(int64_t total, bool more_before, int64_t *before, int64_t *after)
{
    *before = more_before ? total - total / 2 : total / 2;
    *after = total - *before;
}
