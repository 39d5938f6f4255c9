/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/matrix.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/epilogue.h"
#include "ops/strips.h"

/* How a product is cut, for one chunk:
 *     for each part of the columns              one part, unless B is packed early
 *         for each part of the depth            a panel of B as deep fits into the first cache
 *             [B early: pack these columns]
 *             for each part of the rows         as deep, fits into the second cache
 *                 pack these rows of A
 *                 for each panel of columns
 *                     [B late: pack this panel]
 *                     multiply
 * B is packed late when all rows are one part, so that it passes through the caches once; else early, for all parts.
 * Parts of the depth are multiples of JM_GEMM_SEGMENT: the sums do not depend on them. Between them the sums lie in Y.
 */
typedef struct state {
    jm_matrix_state base;
    jm_matrix_job job;
    const jm_kernels *kernels;
    jm_strips strips; /* units are `unit` rows, blocks are `wide` blocks of 16 columns */
    int64_t unit;
    int wide;
    int64_t depth_part, row_part; /* at most; depth_part at least 1 */
    int64_t column_part;          /* blocks of B packed together */
    bool early;
    bool unpacked;          /* A is read where it lies: few columns use each element */
    const jm_conv_run *run; /* of a row of A, an empty one first; when unpacked */
    size_t runs;
    float scale_a, scale_b;
    bool empty;
} state;

/* What a chunk keeps in scratch; each part begins at a multiple of 64 bytes. */
typedef struct buffers {
    float *start;    /* [wide][16] */
    float *sum;      /* [wide][row_part][16] */
    float *residual; /* [row_part][16] */
    float *a;        /* [row_part][depth_part] in tiles */
    float *b;        /* [column_part][depth_part][16]; when B is not packed yet */
} buffers;

/* Counts in floats, each a multiple of 16. */
typedef struct sizes {
    size_t start, sum, residual, a, b;
} sizes;

static sizes sizes_of(const state *s)
{
    const size_t wide = (size_t)s->wide, rows = (size_t)s->row_part, depth = (size_t)s->depth_part;
    return (sizes){
        .start = wide * JM_LANES,
        .sum = wide * rows * JM_LANES,
        .residual = rows * JM_LANES,
        .a = s->unpacked ? 0 : (rows * depth + JM_LANES - 1) / JM_LANES * JM_LANES,
        .b = s->job.packed ? 0 : (size_t)s->column_part * depth * JM_LANES,
    };
}

static buffers split_scratch(const state *s, void *scratch)
{
    const sizes size = sizes_of(s);
    buffers b = {.start = scratch};
    b.sum = b.start + size.start;
    b.residual = b.sum + size.sum;
    b.a = b.residual + size.residual;
    b.b = b.a + size.a;
    return b;
}

jm_status jm_matrix_pack_bytes(int64_t depth, int64_t columns, size_t *bytes)
{
    const size_t lanes = (size_t)(columns + JM_LANES - 1) / JM_LANES * JM_LANES;
    if (!jm_size_mul((size_t)depth, lanes, bytes) || !jm_size_mul(*bytes, sizeof(float), bytes))
        return jm_error(JM_OUT_OF_RANGE, "the matrix is too large");
    return JM_OK;
}

void jm_matrix_pack(const float *b, ptrdiff_t row, ptrdiff_t column, int64_t depth, int64_t columns, float alpha,
                    float *packed)
{
    const jm_gemm_kernels *kernels = &jm_kernels_at(jm_cpu_detect())->gemm;
    for (int64_t n = 0; n < columns; n += JM_LANES, packed += depth * JM_LANES)
        kernels->pack(b + n * column, row, column, (size_t)depth, (int)JM_MIN(columns - n, JM_LANES), JM_LANES, alpha,
                      packed);
}

ptrdiff_t jm_matrix_batch_offset(const jm_matrix_job *job, const jm_matrix_view *view, int64_t index)
{
    ptrdiff_t offset = 0;
    for (int k = JM_MATRIX_BATCHES - 1; index > 0 && k >= 0; k--) {
        if (job->batch[k] == 1) continue;
        offset += index % job->batch[k] * view->batch[k];
        index /= job->batch[k];
    }
    return offset;
}

/* One chunk's operands: batch chosen. */
typedef struct operands {
    const float *a, *b, *c, *residual;
    float *y;
} operands;

static operands operands_of(const state *s, const jm_run *run, int64_t batch)
{
    const jm_matrix_job *job = &s->job;
    return (operands){
        .a = jm_matrix_input(job, &job->a, run, batch),
        .b = jm_matrix_input(job, &job->b, run, batch),
        .c = jm_matrix_input(job, &job->c, run, batch),
        .residual = jm_matrix_input(job, &job->residual, run, batch),
        .y = (float *)run->out[0] + jm_matrix_batch_offset(job, &job->y, batch),
    };
}

/* `columns` <= 16 elements of each row, a constant number at a time. */
static void copy_rows(const float *from, ptrdiff_t from_row, float *to, ptrdiff_t to_row, int64_t rows, int columns)
{
    for (int64_t p = 0; columns == JM_LANES && p < rows; p++)
        memcpy(to + p * to_row, from + p * from_row, JM_LANES * sizeof(float));
    if (columns == JM_LANES) return;
#define COPY(size)                                                                                                     \
    if (columns & (size)) {                                                                                            \
        for (int64_t p = 0; p < rows; p++) memcpy(to + p * to_row, from + p * from_row, (size) * sizeof(float));       \
        from += (size);                                                                                                \
        to += (size);                                                                                                  \
    }
    COPY(8)
    COPY(4)
    COPY(2)
    COPY(1)
#undef COPY
}

/* Up to 16 columns of `rows` rows, times scale, from a matrix to rows of a block that are `to_row` apart. */
static void gather(const jm_matrix_view *view, const float *from, int64_t rows, int columns, float scale, float *to,
                   ptrdiff_t to_row)
{
    if (view->column == 1 && scale == 1) {
        copy_rows(from, view->row, to, to_row, rows, columns);
        return;
    }
    for (int64_t p = 0; p < rows; p++, from += view->row, to += to_row)
        for (int j = 0; j < columns; j++) to[j] = scale * from[j * view->column];
}

/* Up to 16 columns of [rows][16] to a matrix. */
static void scatter(const jm_matrix_view *view, const float *block, int64_t rows, int columns, float *to)
{
    if (view->column == 1) {
        copy_rows(block, JM_LANES, to, view->row, rows, columns);
    } else if (view->row == 1) {
        for (int j = 0; j < columns; j++, to += view->column)
            for (int64_t p = 0; p < rows; p++) to[p] = block[p * JM_LANES + j];
    } else {
        for (int64_t p = 0; p < rows; p++, to += view->row, block += JM_LANES)
            for (int j = 0; j < columns; j++) to[j * view->column] = block[j];
    }
}

/* Columns of the block that begins at column n. */
static int lanes_at(const jm_matrix_job *job, int64_t n)
{
    return (int)JM_MIN(job->columns - n, JM_LANES);
}

/* A part of a product: rows row .. row + rows - 1, terms depth .. depth + terms - 1. */
typedef struct matrix_part {
    int64_t row, rows, depth, terms;
} matrix_part;

static void pack_rows(const state *s, const operands *o, const buffers *b, const matrix_part *part)
{
    const jm_matrix_view *view = &s->job.a;
    const jm_gemm_tiles tiles = jm_gemm_cut((size_t)part->rows, s->kernels->gemm.tile_rows);
    const float *from = o->a + part->row * view->row + part->depth * view->column;
    float *to = b->a;
    for (size_t t = 0; t < tiles.count; t++) {
        const int height = tiles.height + (t < tiles.longer);
        s->kernels->gemm.pack(from, view->column, view->row, (size_t)part->terms, height, height, s->scale_a, to);
        from += view->row * height;
        to += part->terms * height;
    }
}

/* Blocks first .. end - 1 of B, as deep as the part. */
static void pack_blocks(const state *s, const operands *o, const buffers *b, const matrix_part *part, int64_t first,
                        int64_t end)
{
    const jm_matrix_view *view = &s->job.b;
    const float *from = o->b + part->depth * view->row;
    int64_t block = first;
    if (view->column == 1) {
        block = JM_MAX(JM_MIN(end, s->job.columns / JM_LANES), first);
        s->kernels->gemm.pack_blocks(from + first * JM_LANES, view->row, (size_t)part->terms, (size_t)(block - first),
                                     s->scale_b, b->b);
    }
    for (; block < end; block++) {
        const int64_t n = block * JM_LANES;
        s->kernels->gemm.pack(from + n * view->column, view->row, view->column, (size_t)part->terms,
                              lanes_at(&s->job, n), JM_LANES, s->scale_b,
                              b->b + (block - first) * part->terms * JM_LANES);
    }
}

/* A panel on the tiles of convolutions, which read the rows of A where they lie. */
static void multiply_unpacked(const state *s, const jm_gemm_panel *panel, bool half)
{
    const jm_conv_tile tile = {
        .input = panel->a,
        .input_pixel = s->job.a.row,
        .input_lane = s->job.a.column,
        /* After an empty run the sums are added to the output. */
        .run = panel->start ? s->run + 1 : s->run,
        .runs = panel->start ? s->runs - 1 : s->runs,
        .segment = 1,
        .weight = panel->b,
        .weight_block = panel->b_block,
        .start = panel->start,
        .output = panel->y,
        .output_pixel = panel->y_row,
        .output_block = panel->y_block,
        .pixels = (ptrdiff_t)panel->rows,
        .blocks = panel->blocks,
        .half = half,
    };
    s->kernels->conv.tile(&tile);
}

/* The packed rows times `blocks` blocks at `packed`, which are `distance` apart. */
static void multiply(const state *s, const operands *o, const buffers *b, const matrix_part *part, int64_t block,
                     int blocks, const float *packed, size_t distance)
{
    const jm_matrix_job *job = &s->job;
    const bool first = part->depth == 0, last = part->depth + part->terms == job->depth;
    const int64_t column = block * JM_LANES, sums = s->row_part * JM_LANES;
    const bool half = blocks == 1 && lanes_at(job, column) <= JM_LANES / 2;
    const int lanes = half && !s->unpacked ? JM_LANES / 2 : JM_LANES; /* written */
    const bool full = column + (blocks - 1) * JM_LANES + lanes <= job->columns;
    const bool starts_from_c = first && o->c && job->c.row != 0;
    float *y = o->y + part->row * job->y.row + column * job->y.column;
    const bool direct = full && job->y.column == 1 && !(last && jm_epilogue_active(&job->epilogue));
    for (int i = 0; first && !starts_from_c && i < blocks * JM_LANES; i++)
        b->start[i] = o->c && column + i < job->columns ? job->beta * o->c[(column + i) * job->c.column] : 0.0f;
    /* What the sums are added to, where they will be. */
    for (int i = 0; (starts_from_c || (!first && !direct)) && i < blocks; i++) {
        const int64_t n = column + i * JM_LANES;
        const jm_matrix_view *view = first ? &job->c : &job->y;
        const float *from = (first ? o->c : o->y) + part->row * view->row + n * view->column;
        gather(view, from, part->rows, lanes_at(job, n), first ? job->beta : 1.0f,
               direct ? y + i * JM_LANES : b->sum + i * sums, direct ? job->y.row : JM_LANES);
    }
    const jm_gemm_panel panel = {
        .a = s->unpacked ? o->a + part->row * job->a.row : b->a,
        .b = packed,
        .b_block = distance,
        .start = first && !starts_from_c ? b->start : NULL,
        .y = direct ? y : b->sum,
        .y_row = direct ? job->y.row : JM_LANES,
        .y_block = direct ? JM_LANES : sums,
        .rows = (size_t)part->rows,
        .depth = (size_t)part->terms,
        .blocks = blocks,
        .lanes = lanes,
    };
    if (s->unpacked)
        multiply_unpacked(s, &panel, half);
    else
        s->kernels->gemm.panel(&panel);
    for (int i = 0; !direct && i < blocks; i++) {
        const int64_t n = column + i * JM_LANES;
        float *sum = b->sum + i * sums;
        if (last && jm_epilogue_active(&job->epilogue)) {
            if (o->residual) {
                gather(&job->residual, o->residual + part->row * job->residual.row + n * job->residual.column,
                       part->rows, lanes_at(job, n), 1.0f, b->residual, JM_LANES);
            }
            jm_epilogue_apply(s->kernels, &job->epilogue, sum, b->residual, (size_t)part->rows * JM_LANES);
        }
        scatter(&job->y, sum, part->rows, lanes_at(job, n), y + i * JM_LANES * job->y.column);
    }
}

/* The packed rows times blocks first .. end - 1. */
static void multiply_blocks(const state *s, const operands *o, const buffers *b, const matrix_part *part, int64_t first,
                            int64_t end)
{
    const int64_t late = s->job.packed || s->early ? end - first : s->column_part;
    const int64_t deep = s->job.packed ? s->job.depth : part->terms; /* of one packed block */
    const float *packed = s->job.packed ? o->b + (first * deep + part->depth) * JM_LANES : b->b;
    for (int64_t panel = first; panel < end; panel += late) {
        const int64_t stop = JM_MIN(panel + late, end);
        if (!s->job.packed && !s->early) pack_blocks(s, o, b, part, panel, stop);
        for (int64_t block = panel; block < stop; block += s->wide)
            multiply(s, o, b, part, block, (int)JM_MIN(s->wide, stop - block),
                     packed + (block - panel) * deep * JM_LANES, (size_t)deep * JM_LANES);
    }
}

static void run_panels(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    if (s->empty) return;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    const buffers b = split_scratch(s, run->scratch);
    const operands o = operands_of(s, run, strip.image);
    const int64_t row_begin = strip.unit_begin * s->unit, row_end = JM_MIN(strip.unit_end * s->unit, s->job.rows);
    const int64_t all_blocks = (s->job.columns + JM_LANES - 1) / JM_LANES;
    const int64_t begin = strip.block_begin * s->wide, end = JM_MIN(strip.block_end * s->wide, all_blocks);
    const int64_t columns = s->early ? s->column_part : end - begin;
    for (int64_t block = begin; block < end; block += columns) {
        const int64_t stop = JM_MIN(block + columns, end);
        matrix_part part = {0};
        do {
            part.terms = JM_MIN(s->depth_part, s->job.depth - part.depth);
            if (s->early) pack_blocks(s, &o, &b, &part, block, stop);
            for (part.row = row_begin; part.row < row_end; part.row += part.rows) {
                part.rows = JM_MIN(s->row_part, row_end - part.row);
                if (!s->unpacked) pack_rows(s, &o, &b, &part);
                multiply_blocks(s, &o, &b, &part, block, stop);
            }
            part.depth += part.terms;
        } while (part.depth < s->job.depth);
    }
}

int64_t jm_matrix_batches(const jm_matrix_job *job)
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

/* Vectors lie along the columns: a product of few columns and many rows is computed as Y' = B' A', with the same sums.
 * True where that is faster, by cycles: a tile takes as long as one of 4 rows at least; elements are stored one by one
 * where they do not lie next to each other or fill less than half a vector. */
static bool better_swapped(int64_t rows, int64_t columns, int64_t terms, bool y_rows, bool y_columns)
{
    enum { TILE_ROWS = 6 };
    const double r = (double)rows, c = (double)columns, depth = (double)terms;
    const double here = JM_MAX(r, 4 * ceil(r / TILE_ROWS)) * ceil(2 * c / JM_LANES) / 2 * depth;
    const double there = JM_MAX(c, 4 * ceil(c / TILE_ROWS)) * ceil(2 * r / JM_LANES) / 2 * depth;
    const double here_stores = !y_rows ? 2 * r * c : c < JM_LANES / 2 ? 6 * r : 0;
    const double there_stores = !y_columns ? 2 * r * c : r < JM_LANES / 2 ? 6 * c : 0;
    return 1.3 * there + there_stores < here + here_stores;
}

static void swap_operands(state *s)
{
    jm_matrix_job *job = &s->job;
    jm_matrix_view *all[] = {&job->a, &job->b, &job->c, &job->residual, &job->y};
    for (int i = 0; i < 5; i++) {
        const ptrdiff_t row = all[i]->row;
        all[i]->row = all[i]->column;
        all[i]->column = row;
    }
    const jm_matrix_view a = job->a;
    job->a = job->b;
    job->b = a;
    const int64_t rows = job->rows;
    job->rows = job->columns;
    job->columns = rows;
    s->scale_a = job->alpha;
    s->scale_b = 1;
}

/* Packing A costs as much as multiplying it by about 8 columns. */
static bool reads_in_place(const state *s)
{
    enum { MOST_COLUMNS = 64, MOST_BYTES = 1 << 20, LEAST_ROWS = 12, LEAST_DEPTH = 5 };
    const jm_matrix_job *job = &s->job;
    return job->columns <= MOST_COLUMNS && job->rows >= LEAST_ROWS && job->a.column == 1 && s->scale_a == 1 &&
           job->depth * JM_MAX(job->columns, JM_LANES) * 4 <= MOST_BYTES;
}

static jm_status plan_runs(state *s, jm_arena *arena)
{
    const int64_t depth = s->job.depth;
    s->runs = 1 + (size_t)((depth + JM_CONV_SEGMENT - 1) / JM_CONV_SEGMENT);
    jm_conv_run *run = jm_arena_alloc(arena, s->runs, sizeof(*run));
    if (!run) return JM_OUT_OF_MEMORY;
    run[0] = (jm_conv_run){0};
    for (size_t r = 1; r < s->runs; r++) {
        const int64_t first = (int64_t)(r - 1) * JM_CONV_SEGMENT;
        run[r] = (jm_conv_run){.offset = first, .count = (size_t)JM_MIN(JM_CONV_SEGMENT, depth - first)};
    }
    s->run = run;
    return JM_OK;
}

/* Cuts the product into chunks: rows repeat the packing of B, columns that of A. */
static jm_strips cut_chunks(const state *s, const jm_machine *machine, int64_t batches, int64_t units, int64_t blocks)
{
    enum { CHUNKS_PER_THREAD = 2, LEAST_WORK = 1 << 18 };
    const jm_matrix_job *job = &s->job;
    jm_strips best = {.images = batches, .groups = 1, .strips = 1, .blocks = blocks, .units = units};
    const double work = (double)job->rows * (double)job->columns * (double)job->depth;
    const double worth = JM_MIN(work / LEAST_WORK, (double)machine->threads * CHUNKS_PER_THREAD);
    if (machine->threads == 1 || worth <= 1) return best;
    const int64_t want = ((int64_t)worth + batches - 1) / batches;
    double least = 0;
    for (int64_t strips = 1; strips <= JM_MIN(want, units); strips++) {
        const int64_t groups = JM_MIN((want + strips - 1) / strips, blocks);
        const double repeated = (double)(groups * job->rows) + (job->packed ? 0 : (double)(strips * job->columns));
        const double missing = (double)want / (double)(groups * strips);
        const double cost = repeated * JM_MAX(missing, 1);
        if (least > 0 && cost >= least) continue;
        least = cost;
        best.groups = groups;
        best.strips = strips;
    }
    return best;
}

/* Sizes of parts from the sizes of caches. `rows` and `blocks`: of a chunk. */
static void cut_parts(state *s, const jm_machine *machine, int64_t rows, int64_t blocks)
{
    enum { EARLY_BYTES = 4 << 20, SHALLOW = 16, SHALLOW_TILES = 2 };
    const int64_t l1 = (int64_t)machine->l1, l2 = (int64_t)machine->l2;
    const int64_t segments = JM_MAX((s->job.depth + JM_GEMM_SEGMENT - 1) / JM_GEMM_SEGMENT, 1);
    const int64_t block_bytes = 4 * JM_LANES * JM_GEMM_SEGMENT; /* of a segment */
    if (s->unpacked) {
        /* The rows of a part stay in the first cache while all columns pass. */
        s->depth_part = JM_MAX(s->job.depth, 1);
        s->row_part = JM_MIN(JM_MAX(l1 / 2 / (4 * s->depth_part) / s->unit, 1) * s->unit, rows);
        s->early = !s->job.packed;
        s->column_part = blocks;
        return;
    }
    const int64_t most_segments = JM_MIN(JM_MAX(l1 * 3 / 4 / (block_bytes * s->wide), 1), 8);
    const int64_t depth_parts = (segments + most_segments - 1) / most_segments;
    s->depth_part = JM_MIN((segments + depth_parts - 1) / depth_parts * JM_GEMM_SEGMENT, JM_MAX(s->job.depth, 1));
    /* With few terms Y is most of what moves: a part is few rows, whose pages stay in the TLB. */
    const int64_t most_rows =
        s->job.depth <= SHALLOW ? SHALLOW_TILES * s->unit : JM_MAX(l2 / 2 / (4 * s->depth_part), s->unit);
    const int64_t row_parts = (rows + most_rows * 5 / 4 - 1) / (most_rows * 5 / 4);
    s->row_part = (rows + row_parts - 1) / row_parts;
    s->early = !s->job.packed && row_parts > 1;
    const int64_t bytes = s->early ? EARLY_BYTES : l2 / 4;
    s->column_part = JM_MIN(JM_MAX(bytes / (4 * JM_LANES * s->depth_part) / s->wide, 1) * s->wide, blocks);
}

jm_status jm_matrix_plan(const jm_matrix_job *job, const jm_machine *machine, jm_arena *arena, jm_plan *plan)
{
    if (job->dtype != JM_F32) return jm_matrix_exact_plan(job, machine, arena, plan);
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_panels;
    s->job = *job;
    s->kernels = machine->kernels;
    plan->state = s;
    s->empty = jm_matrix_batches(job) == 0 || job->rows == 0 || job->columns == 0;
    if (s->empty) return JM_OK;
    fold_batches(&s->job);
    s->scale_a = 1;
    s->scale_b = job->alpha;
    if (!job->packed && better_swapped(s->job.rows, s->job.columns, job->depth, job->y.column == 1, job->y.row == 1))
        swap_operands(s);
    if (s->scale_b == 1 && jm_matrix_thin_fits(&s->job))
        return jm_matrix_thin_plan(&s->job, s->scale_a, machine, arena, plan);
    s->wide = s->kernels->gemm.blocks;
    s->unit = s->kernels->gemm.tile_rows;
    const int64_t all_blocks = (s->job.columns + JM_LANES - 1) / JM_LANES;
    const int64_t units = (s->job.rows + s->unit - 1) / s->unit, blocks = (all_blocks + s->wide - 1) / s->wide;
    s->unpacked = reads_in_place(s);
    if (s->unpacked) JM_TRY(plan_runs(s, arena));
    s->strips = cut_chunks(s, machine, jm_matrix_batches(&s->job), units, blocks);
    plan->chunks = jm_strips_chunks(&s->strips);
    cut_parts(s, machine, JM_MIN((units + s->strips.strips - 1) / s->strips.strips * s->unit, s->job.rows),
              JM_MIN((blocks + s->strips.groups - 1) / s->strips.groups * s->wide, all_blocks));
    const sizes size = sizes_of(s);
    plan->scratch = (size.start + size.sum + size.residual + size.a + size.b) * sizeof(float);
    return JM_OK;
}

void jm_matrix_run(const jm_plan *plan, const jm_run *run)
{
    ((const jm_matrix_state *)plan->state)->run(plan, run);
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
    const bool few_columns =
        columns < JM_LANES / 2 && better_swapped(batches * rows, columns, depth, true, columns == 1);
    return constant && !few_columns ? 2 : 1;
}
