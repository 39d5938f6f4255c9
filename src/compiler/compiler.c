/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/compiler.h"

#include "compiler/passes.h"

jm_status jm_compile(jm_graph *graph, const jm_compile_options *options)
{
    static const struct {
        const char *name;
        jm_status (*run)(jm_graph *graph);
    } pass[] = {
        {"shapes and constants", jm_pass_infer},
    };
    for (size_t i = 0; i < JM_COUNT(pass); i++) {
        if (options && options->progress) {
            options->progress(options->progress_context, (double)i / (double)JM_COUNT(pass), pass[i].name);
        }
        JM_TRY(pass[i].run(graph));
    }
    if (options && options->progress) options->progress(options->progress_context, 1, "done");
    return JM_OK;
}
