/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/streams.h"

#include <string.h>

#include "ops/strided.h"

#define PIECE 1024 /* elements that go through buffers at a time */

static jm_stream *stream_of(jm_streams *all, int place, const jm_tensor *tensor, int argument)
{
    jm_stream *s = &all->stream[place];
    *s = (jm_stream){.used = true, .argument = argument, .dtype = tensor->dtype};
    memcpy(s->stride, tensor->stride, sizeof(s->stride));
    return s;
}

void jm_streams_read(jm_streams *all, int place, const jm_call *call, int argument)
{
    const jm_tensor *tensor = jm_call_in(call, argument);
    if (tensor) stream_of(all, place, tensor, argument);
}

void jm_streams_write(jm_streams *all, int place, const jm_call *call, int argument)
{
    stream_of(all, place, &call->out[argument], argument)->written = true;
}

/* Joins dimensions that all tensors step through evenly. */
static void merge(jm_streams *all)
{
    int rank = 0;
    for (int k = 0; k < all->rank; k++) {
        if (all->dim[k] == 1) continue;
        bool join = rank > 0;
        for (int i = 0; i < JM_MOST_STREAMS && join; i++) {
            const int64_t *stride = all->stream[i].stride;
            join = !all->stream[i].used || stride[rank - 1] == stride[k] * all->dim[k];
        }
        const int to = join ? rank - 1 : rank++;
        all->dim[to] = join ? all->dim[to] * all->dim[k] : all->dim[k];
        for (int i = 0; i < JM_MOST_STREAMS; i++) all->stream[i].stride[to] = all->stream[i].stride[k];
    }
    all->rank = rank;
}

static bool is_flat(const jm_streams *all, const jm_stream *s)
{
    int64_t step = 1;
    for (int k = all->rank - 1; k >= 0; k--) {
        if (s->stride[k] != step) return false;
        step *= all->dim[k];
    }
    return true;
}

void jm_streams_plan(jm_streams *all, const jm_shape *shape, int copied, jm_plan *plan)
{
    all->rank = shape->rank;
    all->count = 1;
    for (int k = 0; k < shape->rank; k++) all->count *= all->dim[k] = shape->dim[k];
    merge(all);
    for (int i = 0; i < JM_MOST_STREAMS; i++) {
        jm_stream *s = &all->stream[i];
        if (!s->used) continue;
        s->flat = is_flat(all, s);
        s->direct = s->flat && s->dtype == JM_F32 && i != copied;
        all->buffers = all->buffers || !s->direct;
    }
    plan->chunks = (size_t)JM_MAX((all->count + JM_STREAM_STRETCH - 1) / JM_STREAM_STRETCH, 1);
    plan->scratch = all->buffers ? (JM_MOST_STREAMS + 1) * PIECE * sizeof(float) : 0;
}

static char *address(const jm_stream *s, const jm_run *run)
{
    return s->written ? run->out[s->argument] : run->in[s->argument];
}

static void convert(const jm_run *run, jm_dtype from, const void *source, jm_dtype to, void *target, int64_t n)
{
    if (jm_convert(from, source, to, target, (size_t)n) != JM_OK) atomic_store(run->fault, JM_INTERNAL);
}

/* Elements [begin, begin + n) in float32: where they lie, or in `buffer`. */
static float *load(const jm_streams *all, const jm_stream *s, const jm_run *run, int64_t begin, int64_t n,
                   float *buffer, void *raw)
{
    char *memory = address(s, run);
    const size_t size = jm_dtype_size(s->dtype);
    if (s->direct) return (float *)(void *)(memory + begin * (int64_t)size);
    const void *source = memory + begin * (int64_t)size;
    if (!s->flat) {
        jm_strided_gather(raw, memory, size, all->rank, all->dim, s->stride, begin, n);
        source = raw;
    }
    convert(run, s->dtype, source, JM_F32, buffer, n);
    return buffer;
}

static void store(const jm_streams *all, const jm_stream *s, const jm_run *run, int64_t begin, int64_t n,
                  const float *buffer, void *raw)
{
    char *memory = address(s, run);
    const size_t size = jm_dtype_size(s->dtype);
    convert(run, JM_F32, buffer, s->dtype, s->flat ? memory + begin * (int64_t)size : raw, n);
    if (!s->flat) jm_strided_scatter(memory, raw, size, all->rank, all->dim, s->stride, begin, n);
}

void jm_streams_run(const jm_streams *all, const jm_run *run, jm_stream_step step, const void *context)
{
    float *buffer = run->scratch;
    void *raw = all->buffers ? buffer + JM_MOST_STREAMS * PIECE : NULL;
    int64_t begin = (int64_t)run->chunk * JM_STREAM_STRETCH;
    const int64_t end = JM_MIN(all->count, begin + JM_STREAM_STRETCH), piece = all->buffers ? PIECE : JM_STREAM_STRETCH;
    for (; begin < end; begin += piece) {
        const int64_t n = JM_MIN(piece, end - begin);
        float *at[JM_MOST_STREAMS] = {NULL};
        for (int i = 0; i < JM_MOST_STREAMS; i++)
            if (all->stream[i].used)
                at[i] = load(all, &all->stream[i], run, begin, n, all->buffers ? buffer + i * PIECE : NULL, raw);
        step(context, begin, at, (size_t)n);
        for (int i = 0; i < JM_MOST_STREAMS; i++)
            if (all->stream[i].written && !all->stream[i].direct)
                store(all, &all->stream[i], run, begin, n, at[i], raw);
    }
}
