/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an AIPP configuration: an error with a number, or parameters that a model can be given or refuses.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/aipp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* y = Relu(x), x [1,3,20,30]. */
static jm_graph *small_graph(void)
{
    const jm_shape shape = {.rank = 4, .dim = {1, 3, 20, 30}};
    jm_graph *graph;
    if (jm_graph_create(&graph) != JM_OK) abort();
    jm_value *x = jm_graph_value(graph, "x"), *y = jm_graph_value(graph, "y");
    if (!x || !y || jm_tensor_init(&x->tensor, JM_F32, &shape, JM_PLAIN, NULL) != JM_OK ||
        jm_graph_add_input(graph, x) != JM_OK)
        abort();
    jm_node *node = jm_graph_node(graph, jm_op_find("Relu"), "r", &x, 1, &y, 1);
    if (!node || jm_node_infer(node) != JM_OK || jm_graph_add_output(graph, y) != JM_OK) abort();
    return graph;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jm_arena *arena;
    jm_aipp_config config;
    if (jm_arena_create(&arena) != JM_OK) return 0;
    jm_graph *graph = small_graph();
    jm_status status = jm_aipp_parse((const char *)data, size, arena, &config);
    if (status == JM_OK) status = jm_aipp_apply(&config, NULL, graph);
    if (status != JM_OK && jm_last_error_number()[0] != 'E') abort();
    jm_graph_destroy(graph);
    jm_arena_destroy(arena);
    return 0;
}
