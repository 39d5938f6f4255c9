/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/onnx/unsupported.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

#define NAMES 20  /* kept per kind */
#define TEXT 1000 /* an error message holds little more */

jm_status onnx_unsupported_add(onnx_unsupported *list, const char *text, const char *name)
{
    list->latest = text;
    uintptr_t at = (uintptr_t)jm_map_get(&list->index, text);
    if (at == 0) {
        JM_TRY(jm_array_reserve(&list->kind, &list->capacity, list->kinds + 1, sizeof *list->kind));
        JM_TRY(jm_map_put(&list->index, text, (void *)(uintptr_t)(list->kinds + 1)));
        list->kind[list->kinds] = (onnx_kind){.text = text};
        at = ++list->kinds;
    }
    onnx_kind *kind = &list->kind[at - 1];
    kind->count++;
    list->count++;
    if (kind->names == NAMES) return JM_OK;
    JM_TRY(jm_array_reserve(&kind->name, &kind->capacity, kind->names + 1, sizeof *kind->name));
    kind->name[kind->names++] = name;
    return JM_OK;
}

/* Appends to text[TEXT]; false, with the text cut, when it does not fit. */
static JM_PRINTF(3, 4) bool append(char text[TEXT], size_t *length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text + *length, TEXT - *length, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= TEXT - *length) return false;
    *length += (size_t)n;
    return true;
}

/* "Loop (opset 16) x3: 'a', 'b' and 1 more" */
static bool append_kind(char text[TEXT], size_t *length, const onnx_kind *kind, size_t names)
{
    names = JM_MIN(names, kind->names);
    if (!append(text, length, "%s x%zu", kind->text, kind->count)) return false;
    for (size_t i = 0; i < names; i++) {
        if (!append(text, length, "%s'%s'", i ? ", " : ": ", kind->name[i])) return false;
    }
    return names == 0 || names == kind->count || append(text, length, " and %zu more", kind->count - names);
}

static bool compose(char text[TEXT], const onnx_unsupported *list, size_t names)
{
    size_t length = 0;
    if (!append(text, &length, "the model has %zu unsupported node%s of %zu kind%s: ", list->count,
                list->count == 1 ? "" : "s", list->kinds, list->kinds == 1 ? "" : "s")) {
        return false;
    }
    for (size_t i = 0; i < list->kinds; i++) {
        if (i && !append(text, &length, "; ")) return false;
        if (!append_kind(text, &length, &list->kind[i], names)) return false;
    }
    return append(text, &length, "; export the model without them");
}

jm_status onnx_unsupported_report(const onnx_unsupported *list)
{
    char text[TEXT];
    if (list->count == 0) return JM_OK;
    for (size_t i = 0; i < list->kinds; i++) {
        size_t length = 0;
        (void)append_kind(text, &length, &list->kind[i], NAMES);
        jm_log(JM_LOG_ERROR, "not supported: %s", text);
    }
    /* As many names as leave room for every kind. */
    for (size_t names = NAMES; !compose(text, list, names) && names > 0;) names--;
    return jm_error_numbered(JM_UNSUPPORTED, "E16002", "%s", text);
}

void onnx_unsupported_clear(onnx_unsupported *list)
{
    for (size_t i = 0; i < list->kinds; i++) jm_free(list->kind[i].name);
    jm_free(list->kind);
    jm_map_clear(&list->index);
}
