/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix products of float64 and of integers, which wrap: one plain loop for each type. Terms are added in order.
 */
#include "ops/matrix.h"

#include <math.h>

#include "ops/indexing.h"

enum { TILE = 64 }; /* columns of a row that are summed together */

/* Element offsets of one row of the product. */
typedef struct row_offsets {
    ptrdiff_t a, b, c, y;
} row_offsets;

typedef struct exact {
    jm_matrix_state base;
    jm_matrix_job job;
    size_t chunks;
    int64_t units; /* rows of all batches */
    void (*tile)(const struct exact *e, const jm_run *run, const row_offsets *at, int64_t column, int columns);
} exact;

/* Sums in `type`; alpha and beta pass through `scalar`, since a negative float is no unsigned number. */
#define EXACT_TILE(name, type, scalar)                                                                                 \
    static void name(const exact *e, const jm_run *run, const row_offsets *at, int64_t column, int columns)            \
    {                                                                                                                  \
        const jm_matrix_job *job = &e->job;                                                                            \
        const type *a = (const type *)run->in[job->a.input] + at->a;                                                   \
        const type *b = (const type *)run->in[job->b.input] + at->b + column * job->b.column;                          \
        type sum[TILE] = {0};                                                                                          \
        for (int64_t k = 0; k < job->depth; k++, a += job->a.column, b += job->b.row)                                  \
            for (int j = 0; j < columns; j++) sum[j] += *a * b[j * job->b.column];                                     \
        const type alpha = (type)(scalar)job->alpha, beta = (type)(scalar)job->beta;                                   \
        const type *c = job->c.input < 0 ? NULL : (const type *)run->in[job->c.input] + at->c;                         \
        type *y = (type *)run->out[0] + at->y + column * job->y.column;                                                \
        for (int j = 0; j < columns; j++) {                                                                            \
            const type own = c ? beta * c[(column + j) * job->c.column] : 0;                                           \
            y[j * job->y.column] = alpha * sum[j] + own;                                                               \
        }                                                                                                              \
    }

EXACT_TILE(tile_f64, double, double)
EXACT_TILE(tile_32, uint32_t, int64_t)
EXACT_TILE(tile_64, uint64_t, int64_t)

static row_offsets offsets_of(const jm_matrix_job *job, int64_t unit)
{
    const int64_t row = unit % job->rows;
    row_offsets at = {row * job->a.row, 0, row * job->c.row, row * job->y.row};
    const int64_t batch = unit / job->rows;
    at.a += jm_matrix_batch_offset(job, &job->a, batch);
    at.b += jm_matrix_batch_offset(job, &job->b, batch);
    at.c += jm_matrix_batch_offset(job, &job->c, batch);
    at.y += jm_matrix_batch_offset(job, &job->y, batch);
    return at;
}

static void run_exact(const jm_plan *plan, const jm_run *run)
{
    const exact *e = plan->state;
    int64_t begin, end;
    jm_chunk_range(e->units, e->chunks, run->chunk, &begin, &end);
    for (int64_t unit = begin; unit < end; unit++) {
        const row_offsets at = offsets_of(&e->job, unit);
        for (int64_t n = 0; n < e->job.columns; n += TILE)
            e->tile(e, run, &at, n, (int)JM_MIN(e->job.columns - n, TILE));
    }
}

static bool whole(float scale)
{
    return scale == truncf(scale) && fabsf(scale) < 0x1p31f;
}

jm_status jm_matrix_exact_plan(const jm_matrix_job *job, const jm_machine *machine, jm_arena *arena, jm_plan *plan)
{
    const bool real = job->dtype == JM_F64;
    if (!real && (!whole(job->alpha) || !whole(job->beta)))
        return jm_error(JM_UNSUPPORTED, "alpha %g and beta %g of a product of integers must be integers",
                        (double)job->alpha, (double)job->beta);
    exact *e = jm_arena_alloc(arena, 1, sizeof(*e));
    if (!e) return JM_OUT_OF_MEMORY;
    e->base.run = run_exact;
    e->job = *job;
    e->tile = real ? tile_f64 : jm_dtype_size(job->dtype) == 4 ? tile_32 : tile_64;
    e->units = job->rows * jm_matrix_batches(job);
    const double work = (double)e->units * (double)job->columns * (double)JM_MAX(job->depth, 1);
    e->chunks = plan->chunks = jm_chunk_count(machine, work, e->units);
    plan->state = e;
    return JM_OK;
}
