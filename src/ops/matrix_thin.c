/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of few rows on the kernels of kernels/thin.h: a vector times a matrix, and the rows that a decoder has in
 * one step. B is most of what is read and is used once, so it is not packed.
 */
#include "ops/matrix.h"

#include <string.h>

#include "kernels/kernels.h"
#include "ops/epilogue.h"
#include "ops/indexing.h"

enum {
    COLUMNS = 4096, /* most columns whose sums are kept at a time */
    DEPTH = 4096,   /* most elements of A at a time */
};

typedef struct thin {
    jm_matrix_state base;
    jm_matrix_job job;
    const jm_kernels *kernels;
    float scale; /* of A */
    bool by_terms;
    int64_t blocks; /* of JM_LANES columns */
    int64_t most;   /* blocks at a time */
    int64_t depth;  /* terms at a time */
} thin;

/* Columns `column` .. `column` + `columns` - 1 of a batch. */
typedef struct stretch {
    int64_t batch, column, columns;
} stretch;

/* What a chunk keeps in scratch. */
typedef struct buffers {
    float *y, *sum; /* [rows][COLUMNS at most] */
    float *a;       /* [depth][rows] */
    float *residual;
} buffers;

static int64_t pitch_of(const thin *s)
{
    return s->most * JM_LANES;
}

/* What the sums begin with: beta * C. */
static void start(const thin *s, const jm_run *run, const stretch *at, float *y)
{
    const jm_matrix_job *job = &s->job;
    for (int64_t r = 0; r < job->rows; r++, y += pitch_of(s)) {
        if (job->c.input < 0) {
            memset(y, 0, (size_t)at->columns * sizeof(float));
            continue;
        }
        const float *c = jm_matrix_input(job, &job->c, run, at->batch) + r * job->c.row + at->column * job->c.column;
        for (int64_t j = 0; j < at->columns; j++) y[j] = job->beta * c[j * job->c.column];
    }
}

static void finish(const thin *s, const jm_run *run, const stretch *at, const buffers *b)
{
    const jm_matrix_job *job = &s->job;
    float *y = b->y, *to = (float *)run->out[0] + jm_matrix_batch_offset(job, &job->y, at->batch);
    to += at->column * job->y.column;
    for (int64_t r = 0; r < job->rows; r++, y += pitch_of(s), to += job->y.row) {
        if (job->residual.input >= 0) {
            const jm_matrix_view *view = &job->residual;
            const float *from = jm_matrix_input(job, view, run, at->batch) + r * view->row + at->column * view->column;
            for (int64_t j = 0; j < at->columns; j++) b->residual[j] = from[j * view->column];
        }
        jm_epilogue_apply(s->kernels, &job->epilogue, y, b->residual, (size_t)at->columns);
        if (job->y.column == 1)
            memcpy(to, y, (size_t)at->columns * sizeof(float));
        else
            for (int64_t j = 0; j < at->columns; j++) to[j * job->y.column] = y[j];
    }
}

static void compute(const thin *s, const jm_run *run, const stretch *at, const buffers *b)
{
    const jm_matrix_job *job = &s->job;
    const float *from = jm_matrix_input(job, &job->a, run, at->batch);
    jm_thin_product product = {
        .a = b->a,
        .b = jm_matrix_input(job, &job->b, run, at->batch) + at->column * job->b.column,
        .b_step = s->by_terms ? job->b.column : job->b.row,
        .y = b->y,
        .sum = b->sum,
        .y_row = (size_t)pitch_of(s),
        .rows = (size_t)job->rows,
        .columns = (size_t)at->columns,
    };
    start(s, run, at, b->y);
    for (int64_t k = 0; k < job->depth; k += s->depth) {
        const int64_t terms = JM_MIN(s->depth, job->depth - k);
        s->kernels->gemm.pack(from + k * job->a.column, job->a.column, job->a.row, (size_t)terms, (int)job->rows,
                              (int)job->rows, s->scale, b->a);
        product.depth = (size_t)terms;
        (s->by_terms ? s->kernels->thin.by_terms : s->kernels->thin.by_columns)(&product);
        product.b += terms * job->b.row;
    }
    finish(s, run, at, b);
}

static void run_thin(const jm_plan *plan, const jm_run *run)
{
    const thin *s = plan->state;
    const size_t sums = (size_t)(s->job.rows * pitch_of(s));
    buffers b = {.y = run->scratch};
    b.sum = b.y + sums;
    b.residual = b.sum + sums;
    b.a = b.residual + pitch_of(s);
    int64_t begin, end;
    jm_chunk_range(jm_matrix_batches(&s->job) * s->blocks, plan->chunks, run->chunk, &begin, &end);
    while (begin < end) {
        const int64_t first = begin % s->blocks, blocks = JM_MIN(JM_MIN(s->most, s->blocks - first), end - begin);
        const int64_t column = first * JM_LANES;
        const stretch at = {begin / s->blocks, column, JM_MIN(blocks * JM_LANES, s->job.columns - column)};
        compute(s, run, &at, &b);
        begin += blocks;
    }
}

bool jm_matrix_thin_fits(const jm_matrix_job *job)
{
    return !job->packed && job->rows <= JM_THIN_ROWS && job->depth > 0 && (job->b.column == 1 || job->b.row == 1);
}

jm_status jm_matrix_thin_plan(const jm_matrix_job *job, float scale, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    thin *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_thin;
    s->job = *job;
    s->kernels = machine->kernels;
    s->scale = scale;
    s->by_terms = job->b.column != 1 || (job->b.row == 1 && job->columns == 1);
    s->blocks = (job->columns + JM_LANES - 1) / JM_LANES;
    s->most = JM_MIN(s->blocks, COLUMNS / JM_LANES);
    s->depth = JM_MIN(job->depth, DEPTH / job->rows / JM_GEMM_SEGMENT * JM_GEMM_SEGMENT);
    const int64_t units = jm_matrix_batches(job) * s->blocks;
    plan->chunks = jm_chunk_count(machine, 4.0 * (double)job->depth * JM_LANES * (double)units, units);
    if (!s->by_terms) plan->chunks = JM_MIN(plan->chunks, (size_t)JM_MAX(machine->threads, 1));
    plan->scratch = (size_t)(2 * job->rows * pitch_of(s) + pitch_of(s) + job->rows * s->depth) * sizeof(float);
    plan->state = s;
    return JM_OK;
}
