/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LABELS = 100000 };

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t' || *text == '\n') text++;
    return text;
}

/* Appends one name and a line end; `*used` counts bytes. */
static void append_line(char *out, size_t *used, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) out[(*used)++] = name[i] == '\n' || name[i] == '\r' ? ' ' : name[i];
    out[(*used)++] = '\n';
}

/* Turns "{0: 'person', 1: "it's"}" into lines. False when the text is something else or its keys are not 0, 1, 2, ...
 * The result is never longer than the text. */
static bool dictionary_to_lines(const char *text, char *out)
{
    size_t used = 0;
    text = skip_blanks(text);
    if (*text++ != '{') return false;
    for (long expected = 0; expected < MAX_LABELS; expected++) {
        char *end;
        text = skip_blanks(text);
        long key = strtol(text, &end, 10);
        if (end == text || key != expected) return false;
        text = skip_blanks(end);
        if (*text++ != ':') return false;
        text = skip_blanks(text);
        char quote = *text++;
        if (quote != '\'' && quote != '"') return false;
        char name[256];
        size_t length = 0;
        for (; *text && *text != quote; text++) {
            if (*text == '\\' && text[1]) text++;
            if (length < sizeof name) name[length++] = *text;
        }
        if (*text++ != quote) return false;
        append_line(out, &used, name, length);
        text = skip_blanks(text);
        if (*text == ',') text = skip_blanks(text + 1);
        if (*text == '}') {
            out[used - 1] = 0; /* no line end after the last one */
            return true;
        }
    }
    return false;
}

static jm_status store_labels(jm_graph *graph, const char *const *labels, size_t count)
{
    size_t bytes = 1, used = 0;
    for (size_t i = 0; i < count; i++)
        if (!jm_size_add(bytes, strlen(labels[i]) + 1, &bytes)) return JM_OUT_OF_MEMORY;
    char *text = jm_alloc(bytes, 1);
    if (!text) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) append_line(text, &used, labels[i], strlen(labels[i]));
    text[used - 1] = 0;
    jm_status status = jm_graph_set_meta(graph, "labels", text);
    jm_free(text);
    return status;
}

static jm_status store_dictionary(jm_graph *graph, const char *dictionary)
{
    char *text = jm_alloc(strlen(dictionary) + 1, 1);
    if (!text) return JM_OUT_OF_MEMORY;
    jm_status status = JM_OK;
    if (dictionary_to_lines(dictionary, text)) status = jm_graph_set_meta(graph, "labels", text);
    jm_free(text);
    return status;
}

/* The task, and "[17, 3]" as "17,3". */
static jm_status store_task(jm_graph *graph)
{
    const char *task = jm_graph_meta(graph, "onnx.task"), *shape = jm_graph_meta(graph, "onnx.kpt_shape");
    int points, values;
    char text[32];
    if (task && *task) JM_TRY(jm_graph_set_meta(graph, "task", task));
    if (!shape || sscanf(shape, " [ %6d , %6d ]", &points, &values) != 2) return JM_OK;
    snprintf(text, sizeof text, "%d,%d", points, values);
    return jm_graph_set_meta(graph, "keypoints", text);
}

/* Of an export of Ultralytics. */
static const char *exported_family(const jm_graph *graph)
{
    const char *task = jm_graph_meta(graph, "onnx.task"), *head = jm_graph_meta(graph, "onnx.head");
    const char *description = jm_graph_meta(graph, "onnx.description");
    if (task && strcmp(task, "classify") == 0) return "classify";
    /* Older exports name the network in their description alone. */
    if ((head && strstr(head, "RTDETR")) ||
        (description && (strstr(description, "RTDETR") || strstr(description, "rtdetr"))))
        return "rtdetr";
    return "yolo";
}

jm_status jm_compile_metadata(jm_graph *graph, const jm_compile_options *options)
{
    const char *names = jm_graph_meta(graph, "onnx.names");
    if (options && options->label_count)
        JM_TRY(store_labels(graph, options->labels, options->label_count));
    else if (names)
        JM_TRY(store_dictionary(graph, names));
    JM_TRY(store_task(graph));
    if (options && options->family) return jm_graph_set_meta(graph, "family", options->family);
    if (names && jm_graph_meta(graph, "onnx.stride")) return jm_graph_set_meta(graph, "family", exported_family(graph));
    return JM_OK;
}
