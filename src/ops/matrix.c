/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/matrix.h"

#include <string.h>

#include "kernels/kernels.h"
#include "ops/epilogue.h"
#include "ops/strips.h"
#include "ops/tap_row.h"

enum { PIECE = 96 }; /* rows between epilogues */

typedef struct state {
    jm_matrix_job job;
    const jm_kernels *kernels;
    const jm_conv_run *run;
    size_t runs;
    jm_strips strips; /* a unit is `unit` rows */
    int64_t unit;
    int64_t all_blocks;
    int blocks; /* computed together */
    bool empty;
} state;

/* What a chunk keeps in scratch; each part begins at a multiple of 64 bytes. */
typedef struct buffers {
    float *start;    /* [blocks][16] */
    float *sum;      /* [blocks][PIECE][16] */
    float *residual; /* [PIECE][16] */
    float *weight;   /* [blocks][depth][16]; when B is not packed yet */
} buffers;

static jm_status plan_scratch(const state *s, size_t *bytes)
{
    const size_t fixed = (size_t)s->blocks * (PIECE + 1) * JM_LANES + PIECE * JM_LANES;
    size_t floats = 0;
    if ((!s->job.packed && !jm_size_mul((size_t)s->job.depth, (size_t)s->blocks * JM_LANES, &floats)) ||
        !jm_size_add(floats, fixed, &floats) || !jm_size_mul(floats, sizeof(float), bytes))
        return jm_error(JM_OUT_OF_RANGE, "the matrix is too large");
    return JM_OK;
}

static buffers split_scratch(const state *s, void *scratch)
{
    buffers b = {.start = scratch};
    b.sum = b.start + s->blocks * JM_LANES;
    b.residual = b.sum + (size_t)s->blocks * PIECE * JM_LANES;
    b.weight = b.residual + PIECE * JM_LANES;
    return b;
}

jm_status jm_matrix_pack_bytes(int64_t depth, int64_t columns, size_t *bytes)
{
    const size_t lanes = (size_t)(columns + JM_LANES - 1) / JM_LANES * JM_LANES;
    if (!jm_size_mul((size_t)depth, lanes, bytes) || !jm_size_mul(*bytes, sizeof(float), bytes))
        return jm_error(JM_OUT_OF_RANGE, "the matrix is too large");
    return JM_OK;
}

/* One block: packed[depth][16], lanes beyond `columns` 0. */
static void pack_block(const float *b, ptrdiff_t row, ptrdiff_t column, int64_t depth, int64_t columns, float alpha,
                       float *packed)
{
    for (int64_t k = 0; k < depth; k++, packed += JM_LANES) {
        if (columns >= JM_LANES && column == 1) {
            for (int j = 0; j < JM_LANES; j++) packed[j] = alpha * b[k * row + j];
        } else {
            for (int j = 0; j < JM_LANES; j++) packed[j] = j < columns ? alpha * b[k * row + j * column] : 0.0f;
        }
    }
}

void jm_matrix_pack(const float *b, ptrdiff_t row, ptrdiff_t column, int64_t depth, int64_t columns, float alpha,
                    float *packed)
{
    for (int64_t n = 0; n < columns; n += JM_LANES, packed += depth * JM_LANES)
        pack_block(b + n * column, row, column, depth, columns - n, alpha, packed);
}

/* The address of batch `index` of an operand. */
static float *batch_of(const state *s, const jm_matrix_view *view, void *base, int64_t index)
{
    float *data = base;
    for (int k = JM_MATRIX_BATCHES - 1; k >= 0; k--) {
        data += index % s->job.batch[k] * view->batch[k];
        index /= s->job.batch[k];
    }
    return data;
}

/* One chunk's operands: batch chosen. */
typedef struct operands {
    const float *a, *b, *c, *residual;
    float *y;
} operands;

static operands operands_of(const state *s, const jm_run *run, int64_t batch)
{
    const jm_matrix_job *job = &s->job;
    operands o = {
        .a = batch_of(s, &job->a, run->in[job->a.input], batch),
        .b = batch_of(s, &job->b, run->in[job->b.input], batch),
        .y = batch_of(s, &job->y, run->out[0], batch),
    };
    if (job->c.input >= 0) o.c = batch_of(s, &job->c, run->in[job->c.input], batch);
    if (job->residual.input >= 0) o.residual = batch_of(s, &job->residual, run->in[job->residual.input], batch);
    return o;
}

/* 16 columns of `rows` rows between a matrix and [rows][16]. */
static void gather(const jm_matrix_view *view, const float *from, int64_t rows, int64_t columns, float scale,
                   float *block)
{
    for (int64_t p = 0; p < rows; p++)
        for (int j = 0; j < JM_LANES; j++)
            block[p * JM_LANES + j] = j < columns ? scale * from[p * view->row + j * view->column] : 0.0f;
}

static void scatter(const jm_matrix_view *view, const float *block, int64_t rows, int64_t columns, float *to)
{
    for (int64_t p = 0; p < rows; p++)
        for (int64_t j = 0; j < columns; j++) to[p * view->row + j * view->column] = block[p * JM_LANES + j];
}

/* The weights and the start of blocks block .. block + blocks - 1. Returns the weights. */
static const float *prepare_blocks(const state *s, const operands *o, const buffers *b, int64_t block, int blocks)
{
    const jm_matrix_job *job = &s->job;
    for (int i = 0; i < blocks * JM_LANES; i++) {
        const int64_t n = block * JM_LANES + i;
        const bool starts = o->c && job->c.row == 0 && n < job->columns;
        b->start[i] = starts ? job->beta * o->c[n * job->c.column] : 0.0f;
    }
    if (job->packed) return o->b + block * job->depth * JM_LANES;
    for (int i = 0; i < blocks; i++) {
        const int64_t n = (block + i) * JM_LANES;
        pack_block(o->b + n * job->b.column, job->b.row, job->b.column, job->depth, job->columns - n, job->alpha,
                   b->weight + i * job->depth * JM_LANES);
    }
    return b->weight;
}

/* Rows row .. row + rows - 1 of the prepared blocks. */
static void compute_piece(const state *s, const operands *o, const buffers *b, const float *weight, int64_t block,
                          int blocks, int64_t row, int64_t rows)
{
    const jm_matrix_job *job = &s->job;
    const int64_t column = block * JM_LANES;
    const bool full = column + blocks * JM_LANES <= job->columns;
    const bool starts_from_c = o->c && job->c.row != 0;
    float *y = o->y + row * job->y.row + column * job->y.column;
    const bool direct = full && job->y.column == 1 && !starts_from_c && !jm_epilogue_active(&job->epilogue);
    jm_conv_tile tile = {
        .input_pixel = job->a.row,
        .input_lane = job->a.column,
        .run = s->run,
        .runs = s->runs,
        .segment = job->a.column ? 1 : JM_CONV_SEGMENT,
        .weight = weight,
        .weight_block = (size_t)job->depth * JM_LANES,
        .start = starts_from_c ? NULL : b->start,
        .output_pixel = direct ? job->y.row : JM_LANES,
        .output_block = direct ? JM_LANES : PIECE * JM_LANES,
        .blocks = blocks,
    };
    for (int i = 0; starts_from_c && i < blocks; i++) {
        const int64_t n = column + i * JM_LANES;
        gather(&job->c, o->c + row * job->c.row + n * job->c.column, rows, job->columns - n, job->beta,
               b->sum + i * PIECE * JM_LANES);
    }
    const int64_t tiles = (rows + s->unit - 1) / s->unit;
    for (int64_t i = 0, done = 0; i < tiles; i++, done += tile.pixels) {
        tile.pixels = (int)(rows * (i + 1) / tiles - done);
        tile.input = o->a + (row + done) * job->a.row;
        tile.output = (direct ? y : b->sum) + done * tile.output_pixel;
        s->kernels->conv.tile(&tile);
    }
    for (int i = 0; !direct && i < blocks; i++) {
        const int64_t n = column + i * JM_LANES;
        float *sum = b->sum + i * PIECE * JM_LANES;
        if (o->residual) {
            gather(&job->residual, o->residual + row * job->residual.row + n * job->residual.column, rows,
                   job->columns - n, 1.0f, b->residual);
        }
        jm_epilogue_apply(s->kernels, &job->epilogue, sum, b->residual, (size_t)rows * JM_LANES);
        scatter(&job->y, sum, rows, JM_MIN(job->columns - n, JM_LANES), y + i * JM_LANES * job->y.column);
    }
}

void jm_matrix_run(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    if (s->empty) return;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    const buffers b = split_scratch(s, run->scratch);
    const operands o = operands_of(s, run, strip.image);
    const int64_t begin = strip.unit_begin * s->unit, end = JM_MIN(strip.unit_end * s->unit, s->job.rows);
    const int64_t piece = PIECE / s->unit * s->unit;
    for (int64_t group = strip.block_begin; group < strip.block_end; group++) {
        const int64_t block = group * s->blocks;
        const int blocks = (int)JM_MIN(s->blocks, s->all_blocks - block);
        const float *weight = prepare_blocks(s, &o, &b, block, blocks);
        for (int64_t row = begin; row < end; row += piece)
            compute_piece(s, &o, &b, weight, block, blocks, row, JM_MIN(piece, end - row));
    }
}

static int64_t batches_of(const jm_matrix_job *job)
{
    int64_t batches = 1;
    for (int k = 0; k < JM_MATRIX_BATCHES; k++) batches *= job->batch[k];
    return batches;
}

/* Batches whose rows follow each other are more rows of one product. */
static void fold_batches(jm_matrix_job *job)
{
    for (int k = JM_MATRIX_BATCHES - 1; k >= 0; k--) {
        if (job->batch[k] == 1) continue;
        const jm_matrix_view *others[] = {&job->c, &job->residual, &job->y};
        bool fits = job->b.batch[k] == 0 && job->a.batch[k] == job->rows * job->a.row;
        for (int i = 0; i < 3; i++)
            fits = fits && (others[i]->input < 0 || others[i]->batch[k] == job->rows * others[i]->row);
        if (!fits) return;
        job->rows *= job->batch[k];
        job->batch[k] = 1;
    }
}

jm_status jm_matrix_plan(const jm_matrix_job *job, const jm_machine *machine, jm_arena *arena, jm_plan *plan)
{
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->job = *job;
    s->kernels = machine->kernels;
    plan->state = s;
    s->empty = batches_of(job) == 0 || job->rows == 0 || job->columns == 0;
    if (s->empty) return JM_OK;
    fold_batches(&s->job);
    s->run = jm_conv_runs_of(job->depth, job->a.column, arena, &s->runs);
    if (!s->run) return JM_OUT_OF_MEMORY;
    s->all_blocks = (s->job.columns + JM_LANES - 1) / JM_LANES;
    s->blocks = jm_tap_row_blocks(&s->kernels->conv, s->job.rows, s->all_blocks);
    s->unit = s->kernels->conv.tile_pixels[s->blocks];
    JM_TRY(plan_scratch(s, &plan->scratch));
    s->strips = jm_strips_choose(machine, batches_of(&s->job), (s->all_blocks + s->blocks - 1) / s->blocks,
                                 4.0 * (double)job->depth * s->blocks * JM_LANES, (s->job.rows + s->unit - 1) / s->unit,
                                 4.0 * (double)job->depth * (double)s->unit);
    plan->chunks = jm_strips_chunks(&s->strips);
    return JM_OK;
}

int jm_matrix_forms(int64_t batches, int64_t rows, int64_t columns, int64_t depth, const jm_epilogue *epilogue,
                    bool constant, jm_form forms[JM_MAX_FORMS])
{
    const double outputs = (double)batches * (double)rows * (double)columns;
    const double bytes = 4 * ((double)depth * (double)columns + (double)rows * (double)depth);
    const double cost = 300 + outputs * (double)depth / 48 / 0.9 + bytes / 20 + outputs * jm_epilogue_cost(epilogue);
    forms[0] = (jm_form){.id = JM_MATRIX_PLAIN,
                         .name = "plain",
                         .out_strided = true,
                         .in_place = -1,
                         .cost = cost + (double)batches * bytes / 10};
    forms[1] = (jm_form){.id = JM_MATRIX_PACKED,
                         .name = "packed",
                         .in_packed = 1u << 1,
                         .out_strided = true,
                         .in_place = -1,
                         .cost = cost};
    return constant ? 2 : 1;
}
