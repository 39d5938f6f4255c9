/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a model file: open it, look at its inputs and outputs, run it on plain memory, close it.
 *
 *     jumar_session *session;
 *     if (jumar_session_open("yolov8n.om", 0, &session) != JUMAR_OK) puts(jumar_last_error());
 *     const void *inputs[] = {image};
 *     void *outputs[] = {boxes};
 *     jumar_session_run(session, inputs, outputs);
 *     jumar_session_close(session);
 *
 * Threads: all functions may be called from any thread; runs of one session are done one after the other. Sessions are
 * independent of each other. A session must be closed only when no call on it is under way. Text and descriptions that
 * a session hands out are its own and live until it is closed.
 */
#ifndef JUMAR_SESSION_H
#define JUMAR_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "jumar/jumar.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JUMAR_MAX_RANK 8

typedef struct jumar_session jumar_session;

/* Opens an .om of Jumar and plans it for this machine. `threads` is the number of cores that one run uses; 0 means
 * JUMAR_NUM_THREADS, else every core this process may use. JUMAR_CPU limits the instruction set. *out is NULL on
 * failure. The file must not be changed while the session is open: its weights are used in place.
 * JUMAR_NOT_FOUND: no such file. JUMAR_CORRUPT: damaged, or not an .om. JUMAR_UNSUPPORTED: an .om of another vendor or
 * of a newer version. */
JUMAR_API jumar_status jumar_session_open(const char *path, unsigned threads, jumar_session **out);

/* The same from `size` bytes in memory, which are copied. */
JUMAR_API jumar_status jumar_session_open_memory(const void *data, size_t size, unsigned threads, jumar_session **out);

/* Accepts NULL. */
JUMAR_API void jumar_session_close(jumar_session *session);

/* ---- Inputs and outputs ---- */

typedef struct jumar_tensor_info {
    const char *name;
    const char *dtype_name; /* "float32" */
    int32_t dtype;          /* number of aclDataType: 0 is float32 */
    int32_t rank;
    int64_t dim[JUMAR_MAX_RANK];
    uint64_t bytes; /* of the contiguous row-major tensor */
} jumar_tensor_info;

JUMAR_API size_t jumar_session_input_count(const jumar_session *session);
JUMAR_API size_t jumar_session_output_count(const jumar_session *session);
/* JUMAR_INVALID_ARGUMENT: no such index. */
JUMAR_API jumar_status jumar_session_input(const jumar_session *session, size_t index, jumar_tensor_info *info);
JUMAR_API jumar_status jumar_session_output(const jumar_session *session, size_t index, jumar_tensor_info *info);

/* Runs the model once: one address per input and per output, each of `bytes` bytes, aligned to its element type.
 * Outputs must not overlap anything. Returns when the outputs are written.
 * JUMAR_INVALID_ARGUMENT: an address is NULL or misaligned, or a value inside an input is out of range (an index).
 * JUMAR_FAILED: the process was forked after the session was opened. */
JUMAR_API jumar_status jumar_session_run(jumar_session *session, const void *const *inputs, void *const *outputs);

/* ---- Reports ---- */

/* The text stored under a key ("family", "labels", "producer", ...), or NULL. */
JUMAR_API const char *jumar_session_metadata(const jumar_session *session, const char *key);

typedef struct jumar_session_info {
    const char *name; /* of the graph */
    const char *cpu;  /* instruction set in use: "avx2" */
    uint32_t threads;
    uint32_t unused;
    uint64_t steps;             /* one per operator call that runs, and one that binds addresses */
    uint64_t chunks;            /* pieces of work in all */
    uint64_t weight_bytes;      /* constants, in the file */
    uint64_t arena_bytes;       /* intermediate tensors */
    uint64_t arena_lower_bound; /* no plan of this order of operators can need less */
    uint64_t scratch_bytes;
    double flops; /* floating-point operations of a run; 2 per multiply-add */
} jumar_session_info;

JUMAR_API jumar_status jumar_session_get_info(const jumar_session *session, jumar_session_info *info);

typedef struct jumar_step_info {
    const char *name; /* node */
    const char *op;   /* operator; "" for the step that binds addresses */
    const char *form; /* the way it is computed: "direct", "gemm1x1", "plain" */
    /* Time in the last run when timing was on: in all its pieces, summed over cores; and from the begin of the first
     * piece to the end of the last one. */
    uint64_t ns, wall_ns;
    double flops;
    double executed_flops; /* fewer than flops where the form needs fewer multiply-adds (Winograd) */
    /* What it reads and writes, each once, without the padding of blocked layouts: tensors made in this run (an
     * operator that only moves elements reads no more than it writes), and constants as they are stored. */
    uint64_t input_bytes, output_bytes, weight_bytes;
    const char
        *activation; /* operator that is applied to the results in the same step: "Silu"; "" when there is none */
    int32_t rank;    /* of the first output */
    int64_t dim[JUMAR_MAX_RANK];
} jumar_step_info;

/* `index` is below jumar_session_info.steps, else JUMAR_INVALID_ARGUMENT. */
JUMAR_API jumar_status jumar_session_step(const jumar_session *session, size_t index, jumar_step_info *info);

typedef enum jumar_timing {
    JUMAR_TIMING_OFF = 0,
    JUMAR_TIMING_WALL = 1,
    JUMAR_TIMING_PROCESSOR = 2, /* jumar_step_info.ns is processor time: what other programs take does not count. Two
                                   system calls a piece. */
} jumar_timing;

/* Takes the time of every step from the next run on (off at first). */
JUMAR_API void jumar_session_set_timing(jumar_session *session, jumar_timing timing);

#ifdef __cplusplus
}
#endif

#endif
