/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an .om: an error or a graph that runs, never a crash. Checksums are skipped, so that mutations reach
 * the parser; where the size is odd they are checked, so that this path is taken too.
 */
#include <stddef.h>
#include <stdint.h>

#include "model/om_format.h"
#include "small_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jm_graph *graph;
    unsigned flags = JM_OM_COPY | (size & 1 ? 0 : JM_OM_SKIP_CHECKSUMS);
    if (jm_om_parse(data, size, flags, &graph) != JM_OK) return 0;
    small_run(graph);
    jm_graph_destroy(graph);
    return 0;
}
