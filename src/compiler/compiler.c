/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/compiler.h"

#include "compiler/metadata.h"
#include "compiler/passes.h"
#include "compiler/verify.h"

/* The compiler, in order. */
static const struct pass {
    const char *name;
    jm_status (*run)(jm_graph *graph);
} passes[] = {
    {"composite operators", jm_pass_lower},
    {"shapes and constants", jm_pass_infer},
    {"simplification", jm_pass_simplify},
    {"activations", jm_pass_activations},
    {"fusion", jm_pass_fuse},
    {"space to depth", jm_pass_focus},
    {"expectations", jm_pass_softmax_dot},
    {"pieces", jm_pass_pieces},
    {"layout", jm_pass_layout},
    {"weights", jm_pass_pack},
    {"schedule", jm_pass_schedule},
};

jm_status jm_compile(jm_graph *graph, const jm_compile_options *options)
{
    JM_TRY(jm_compile_metadata(graph, options));
    graph->no_winograd = options && options->no_winograd;
    for (size_t i = 0; i < JM_COUNT(passes); i++) {
        if (options && options->progress) {
            options->progress(options->progress_context, (double)i / (double)JM_COUNT(passes), passes[i].name);
        }
        JM_TRY(passes[i].run(graph));
        JM_TRY(jm_graph_verify(graph));
    }
    if (options && options->progress) options->progress(options->progress_context, 1, "done");
    return JM_OK;
}
