/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensors of one shape, read and changed together in float32, a stretch of elements at a time: what optimisers and
 * dropout do. Each tensor has its own strides and is float32, float16 or bfloat16; what lies contiguous in float32 is
 * used where it lies, the rest passes through buffers in pieces.
 */
#ifndef JUMAR_OPS_STREAMS_H
#define JUMAR_OPS_STREAMS_H

#include "ops/op.h"

#define JM_MOST_STREAMS 5
/* The most elements of one stretch; stretches begin at a multiple of 128. */
#define JM_STREAM_STRETCH 16384
#define JM_STREAM_TYPES JM_DTYPES_F32

typedef struct jm_stream {
    bool used, written, direct; /* direct: used where it lies */
    int argument;               /* an output where it is written, else an input */
    jm_dtype dtype;
    int64_t stride[JM_MAX_RANK];
    bool flat; /* no gaps in row-major order */
} jm_stream;

typedef struct jm_streams {
    int rank;
    int64_t dim[JM_MAX_RANK], count;
    jm_stream stream[JM_MOST_STREAMS];
    bool buffers; /* some pass through buffers */
} jm_streams;

/* Elements [begin, begin + n) in row-major order; at[i] is NULL where there is no stream i. A stream that is not
 * written is not changed, but where jm_streams_plan was told that it is a copy. */
typedef void (*jm_stream_step)(const void *context, int64_t begin, float *const at[JM_MOST_STREAMS], size_t n);

/* Stream `place` is input `argument` of the call, which is only read, or output `argument`. What is an output is read
 * too: it is an output with JM_REFERENCE, or its step ignores what it reads. Nothing where the input is absent. */
void jm_streams_read(jm_streams *all, int place, const jm_call *call, int argument);
void jm_streams_write(jm_streams *all, int place, const jm_call *call, int argument);
/* `copied`: a stream that the step changes although the call does not, or -1. Fills plan->chunks and plan->scratch;
 * more scratch of the operator's own may be added behind. */
void jm_streams_plan(jm_streams *all, const jm_shape *shape, int copied, jm_plan *plan);
/* One chunk. */
void jm_streams_run(const jm_streams *all, const jm_run *run, jm_stream_step step, const void *context);

#endif
