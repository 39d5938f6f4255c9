/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/compiler.h"

#include <string.h>

#include "compiler/passes.h"

/* The compiler, in order. */
static const struct pass {
    const char *name;
    jm_status (*run)(jm_graph *graph);
} passes[] = {
    {"composite operators", jm_pass_lower},
    {"shapes and constants", jm_pass_infer},
    {"simplification", jm_pass_simplify},
};

/* Class names are stored one per line. */
static jm_status set_labels(jm_graph *graph, const char *const *labels, size_t count)
{
    size_t size = 1;
    for (size_t i = 0; i < count; i++) {
        if (strchr(labels[i], '\n')) return jm_error(JM_INVALID_ARGUMENT, "label %zu holds a line break", i);
        if (!jm_size_add(size, strlen(labels[i]) + 1, &size)) return jm_error(JM_OUT_OF_RANGE, "labels are too long");
    }
    char *text = jm_alloc(size, 1), *at = text;
    if (!text) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) at = stpcpy(stpcpy(at, i ? "\n" : ""), labels[i]);
    jm_status status = jm_graph_set_meta(graph, "labels", text);
    jm_free(text);
    return status;
}

static jm_status set_metadata(jm_graph *graph, const jm_compile_options *options)
{
    if (options->family) JM_TRY(jm_graph_set_meta(graph, "family", options->family));
    return options->label_count ? set_labels(graph, options->labels, options->label_count) : JM_OK;
}

jm_status jm_compile(jm_graph *graph, const jm_compile_options *options)
{
    if (options) JM_TRY(set_metadata(graph, options));
    for (size_t i = 0; i < JM_COUNT(passes); i++) {
        if (options && options->progress) {
            options->progress(options->progress_context, (double)i / (double)JM_COUNT(passes), passes[i].name);
        }
        JM_TRY(passes[i].run(graph));
    }
    if (options && options->progress) options->progress(options->progress_context, 1, "done");
    return JM_OK;
}
