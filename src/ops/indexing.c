/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/indexing.h"

#define CHUNK_BYTES (32 << 10) /* below this a second core costs more than it saves */
#define CHUNKS_PER_THREAD 4

jm_status jm_index_check(const jm_call *call, int input)
{
    jm_dtype dtype = call->in[input].dtype;
    if (dtype == JM_I32 || dtype == JM_I64) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' is %s and must be int32 or int64",
                         jm_op_input(call->op, input)->name, jm_dtype_text(dtype));
}

size_t jm_chunk_count(const jm_machine *machine, double bytes, int64_t pieces)
{
    const size_t threads = JM_MAX(machine->threads, 1);
    size_t limit = (size_t)JM_MIN((int64_t)(threads * CHUNKS_PER_THREAD), pieces);
    if (bytes < (double)limit * CHUNK_BYTES) limit = (size_t)(bytes / CHUNK_BYTES);
    if (limit > threads) limit -= limit % threads; /* equal shares */
    return JM_MAX(limit, 1);
}
