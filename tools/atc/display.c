/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/stat.h>

#include "atc/modes.h"
#include "base/alloc.h"
#include "base/system.h"
#include "jumar/jumar.h"
#include "model/model.h"

static const char *text_of(const jm_graph *graph, const char *key)
{
    const char *text = jm_graph_meta(graph, key);
    return text ? text : "";
}

static jm_status show(jm_graph *graph, size_t file_bytes, FILE *stream)
{
    jm_machine machine;
    jm_program *program;
    jm_program_info info;
    JM_TRY(jm_machine_get(jm_core_count(), &machine));
    JM_TRY(jm_program_create(graph, &machine, &program));
    jm_program_get_info(program, &info);
    jm_program_destroy(program);
    fprintf(stream, "============ Display Model Info start ============\n");
    fprintf(stream, "Original Atc command line: %s\n", text_of(graph, "atc.cmdline"));
    fprintf(stream, "system   info: atc_version[%s], soc_version[%s], framework_type[%s].\n",
            text_of(graph, "producer"), text_of(graph, "soc_version"), text_of(graph, "atc.framework"));
    fprintf(stream, "resource info: memory_size[%zu B], weight_size[%zu B], stream_num[1], event_num[0].\n",
            info.arena_bytes + info.scratch_bytes, info.weight_bytes);
    fprintf(stream,
            "om       info: modeldef_size[%zu B], weight_data_size[%zu B], tbe_kernels_size[0 B], "
            "cust_aicpu_kernel_store_size[0 B], task_info_size[0 B], so_store_size[0 B].\n",
            file_bytes - JM_MIN(info.weight_bytes, file_bytes), info.weight_bytes);
    fprintf(stream, "============ Display Model Info end   ============\n");
    return JM_OK;
}

jm_status atc_display(const char *om, FILE *stream)
{
    jm_graph *graph;
    struct stat facts = {0};
    jm_status status = jm_om_read(om, &graph);
    if (status != JM_OK) return jm_error_numbered(status, "E10041", "%.900s", jm_last_error());
    (void)stat(om, &facts); /* it was read just now */
    status = show(graph, (size_t)facts.st_size, stream);
    jm_graph_destroy(graph);
    return status;
}
