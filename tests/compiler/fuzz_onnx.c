/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an ONNX model: an error or a graph that compiles or is refused, never a crash.
 */
#include <stddef.h>
#include <stdint.h>

#include "compiler/compiler.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jm_graph *graph;
    if (jm_onnx_import_memory(data, size, NULL, NULL, &graph) != JM_OK) return 0;
    (void)!jm_compile(graph, NULL);
    jm_graph_destroy(graph);
    return 0;
}
