/* SPDX-License-Identifier: Apache-2.0
 *
 * 3x3 convolution of C16 maps by Winograd's algorithm (kernels/winograd.h). A batch of tiles is transformed into
 * scratch that stays in one core's second cache; each block of filters then multiplies it, position by position, with
 * the tile kernel of all convolutions, and transforms its sums back.
 */
#include <math.h>
#include <string.h>

#include "ops/conv.h"
#include "ops/conv_pack.h"
#include "ops/epilogue.h"
#include "ops/strips.h"
#include "ops/tap_row.h"

typedef struct state {
    jm_conv_state base;
    const jm_kernels *kernels;
    jm_epilogue epilogue;
    jm_conv_geometry geometry;
    jm_winograd kind;
    int size, outputs, step; /* of a tile; step: input points between tiles */
    int64_t tiles_x;         /* tiles of a row of tiles */
    int64_t tiles_y;         /* rows of tiles of an image */
    int64_t tiles;           /* of all images, row by row */
    jm_strips strips;        /* units are batches of tiles */
    int64_t batch_tiles;     /* of the largest batch */
    jm_c16_view in, out, residual;
    int64_t in_blocks, all_blocks;
    int blocks;       /* output blocks computed together */
    const bool *half; /* [all_blocks]: no more than lanes 0 .. 7 have filters */
    jm_conv_run *run;
    size_t segment;
    size_t depth;                     /* channels */
    size_t in_position, out_position; /* elements between positions in scratch */
    size_t products, edge;            /* where the parts of scratch begin, in elements */
    const float *zero;                /* starts of the products; bias where there is none */
} state;

/* Tiles of one row of tiles: columns x .. x + count - 1 of row y of an image; the first is number `index` of its batch.
 */
typedef struct piece {
    int64_t image, y, x, count, index;
} piece;

/* The next piece of tiles [*tile, end); advances *tile. */
static piece next_piece(const state *s, int64_t begin, int64_t *tile, int64_t end)
{
    const int64_t y = *tile / s->tiles_x, x = *tile % s->tiles_x;
    const piece p = {.image = y / s->tiles_y,
                     .y = y % s->tiles_y,
                     .x = x,
                     .count = JM_MIN(s->tiles_x - x, end - *tile),
                     .index = *tile - begin};
    *tile += p.count;
    return p;
}

/* The tile at input point (y, x), zero where it lies outside, beside the map. */
static void copy_edge_tile(const state *s, const float *map, int64_t y, int64_t x, float *tile)
{
    const jm_conv_geometry *g = &s->geometry;
    const int64_t first = JM_MAX(-x, 0), end = JM_MIN(g->in[2] - x, s->size);
    memset(tile, 0, sizeof(float) * jm_winograd_positions(s->kind) * JM_LANES);
    for (int64_t i = JM_MAX(-y, 0); i < JM_MIN(g->in[1] - y, s->size) && first < end; i++) {
        memcpy(tile + (i * s->size + first) * JM_LANES, map + (y + i) * s->in.row + (x + first) * JM_LANES,
               sizeof(float) * (size_t)(end - first) * JM_LANES);
    }
}

/* One block of input channels of a piece to its positions. */
static void transform_inputs(const state *s, const piece *p, const float *map, float *to, float *scratch)
{
    const jm_conv_geometry *g = &s->geometry;
    const int64_t y = p->y * s->step - g->before[1];
    const bool rows_inside = y >= 0 && y + s->size <= g->in[1];
    jm_winograd_input row = {.to_position = s->in_position};
    for (int64_t t = 0; t < p->count; t += (int64_t)row.tiles) {
        const int64_t x = (p->x + t) * s->step - g->before[2];
        row.to = to + (p->index + t) * JM_LANES;
        if (rows_inside && x >= 0 && x + s->size <= g->in[2]) {
            row.from = map + y * s->in.row + x * JM_LANES;
            row.from_row = s->in.row;
            row.tiles = (size_t)JM_MIN((g->in[2] - x - s->size) / s->step + 1, p->count - t);
        } else {
            copy_edge_tile(s, map, y, x, scratch + s->edge);
            row.from = scratch + s->edge;
            row.from_row = (ptrdiff_t)s->size * JM_LANES;
            row.tiles = 1;
        }
        s->kernels->winograd.input[s->kind](&row);
    }
}

/* The products of a batch of tiles with `blocks` blocks of filters, at all positions. */
static void multiply(const state *s, const float *weight, const float *positions, int64_t tiles, int blocks, bool half,
                     float *products)
{
    const size_t all = jm_winograd_positions(s->kind);
    for (size_t p = 0; p < all; p++) {
        s->kernels->conv.tile(&(jm_conv_tile){
            .input = positions + p * s->in_position,
            .input_pixel = JM_LANES,
            .input_lane = 1,
            .run = s->run,
            .runs = (size_t)s->in_blocks,
            .segment = s->segment,
            .weight = weight + p * s->depth * JM_LANES,
            .weight_block = all * s->depth * JM_LANES,
            .ahead = (ptrdiff_t)(s->depth * JM_LANES),
            .start = s->zero,
            .output = products + p * s->out_position,
            .output_pixel = JM_LANES,
            .output_block = (ptrdiff_t)(all * s->out_position),
            .pixels = (ptrdiff_t)tiles,
            .blocks = blocks,
            .half = half,
        });
    }
}

/* Back from the positions of a piece to a block of the output. */
static void transform_outputs(const state *s, const piece *p, const float *products, const float *bias, float *map,
                              const float *residual, float *scratch)
{
    const int64_t y = p->y * s->outputs, x = p->x * s->outputs;
    const int64_t rows = JM_MIN(s->geometry.out[1] - y, s->outputs);
    const int64_t points = JM_MIN(s->geometry.out[2] - x, p->count * s->outputs);
    const int64_t whole = rows == s->outputs ? points / s->outputs : 0;
    float *to = map + y * s->out.row + x * JM_LANES;
    jm_winograd_output row = {.from = products + p->index * JM_LANES,
                              .from_position = s->out_position,
                              .start = bias,
                              .to = to,
                              .to_row = s->out.row,
                              .tiles = (size_t)whole};
    if (whole) s->kernels->winograd.output[s->kind](&row);
    for (int64_t t = whole; t < p->count; t++) {
        row.from = products + (p->index + t) * JM_LANES;
        row.to = scratch + s->edge;
        row.to_row = (ptrdiff_t)s->outputs * JM_LANES;
        row.tiles = 1;
        s->kernels->winograd.output[s->kind](&row);
        const int64_t columns = JM_MIN(points - t * s->outputs, s->outputs);
        for (int64_t i = 0; i < rows; i++) {
            memcpy(to + i * s->out.row + t * s->outputs * JM_LANES, row.to + i * row.to_row,
                   sizeof(float) * (size_t)columns * JM_LANES);
        }
    }
    if (!jm_epilogue_active(&s->epilogue)) return;
    for (int64_t i = 0; i < rows; i++) {
        jm_epilogue_apply(s->kernels, &s->epilogue, to + i * s->out.row,
                          residual ? residual + (y + i) * s->residual.row + x * JM_LANES : NULL,
                          (size_t)points * JM_LANES);
    }
}

static void compute_batch(const state *s, const jm_run *run, const jm_strip *strip, int64_t begin, int64_t end)
{
    float *scratch = run->scratch;
    for (int64_t tile = begin; tile < end;) {
        const piece p = next_piece(s, begin, &tile, end);
        const float *image = (const float *)run->in[JM_CONV_X] + p.image * s->in.image;
        for (int64_t b = 0; b < s->in_blocks; b++)
            transform_inputs(s, &p, image + b * s->in.block, scratch + s->run[b].offset, scratch);
    }
    const size_t all = jm_winograd_positions(s->kind);
    for (int64_t group = strip->block_begin; group < strip->block_end; group++) {
        const int64_t first = group * s->blocks;
        const int blocks = (int)JM_MIN(s->blocks, s->all_blocks - first);
        multiply(s, (const float *)run->in[JM_CONV_W] + (size_t)first * all * s->depth * JM_LANES, scratch, end - begin,
                 blocks, blocks == 1 && s->half[first], scratch + s->products);
        for (int b = 0; b < blocks; b++) {
            const int64_t block = first + b;
            const float *bias = run->in[JM_CONV_B] ? (const float *)run->in[JM_CONV_B] + block * JM_LANES : s->zero;
            for (int64_t tile = begin; tile < end;) {
                const piece p = next_piece(s, begin, &tile, end);
                float *map = (float *)run->out[0] + p.image * s->out.image + block * s->out.block;
                const float *residual = NULL;
                if (s->epilogue.residual != JM_RESIDUAL_NONE) {
                    residual = (const float *)run->in[JM_CONV_RESIDUAL] + p.image * s->residual.image +
                               block * s->residual.block;
                }
                transform_outputs(s, &p, scratch + s->products + (size_t)b * all * s->out_position, bias, map, residual,
                                  scratch);
            }
        }
    }
}

static void run_winograd(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    for (int64_t batch = strip.unit_begin; batch < strip.unit_end; batch++) {
        compute_batch(s, run, &strip, s->tiles * batch / s->strips.units, s->tiles * (batch + 1) / s->strips.units);
    }
}

bool jm_conv_winograd_kind(const jm_conv_geometry *g, jm_winograd *kind)
{
    *kind = g->stride[2] == 1 ? JM_WINOGRAD_F4X3 : JM_WINOGRAD_F3X3S2;
    return g->group == 1 && g->spatial == 2 && g->kernel[1] == 3 && g->kernel[2] == 3 && g->dilation[1] == 1 &&
           g->dilation[2] == 1 && g->stride[1] == g->stride[2] && g->stride[1] <= 2;
}

/* Whole tiles along an axis of the output. */
static int64_t tiles_along(const jm_conv_geometry *g, jm_winograd kind, int axis)
{
    const int outputs = jm_winograd_shapes[kind].outputs;
    return (g->out[axis] + outputs - 1) / outputs;
}

double jm_conv_winograd_flop_share(const jm_conv_geometry *g, jm_winograd kind)
{
    const double tiles = (double)tiles_along(g, kind, 1) * (double)tiles_along(g, kind, 2);
    return tiles * (double)jm_winograd_positions(kind) / (9 * (double)g->out[1] * (double)g->out[2]);
}

double jm_conv_winograd_cost(const jm_conv_geometry *g, jm_winograd kind)
{
    /* Multiply-adds, positions of 16 lanes transformed, bytes of weights read again, each in a nanosecond. */
    const double multiply = 44, transform = 0.7, bandwidth = 40, batch_bytes = 400e3;
    const double tiles = (double)g->batch * (double)tiles_along(g, kind, 1) * (double)tiles_along(g, kind, 2);
    const double blocks_in = ceil((double)g->channels / JM_LANES), blocks_out = ceil((double)g->filters / JM_LANES);
    const double positions = tiles * (double)jm_winograd_positions(kind);
    const double weight_bytes = 4.0 * JM_LANES * (double)jm_winograd_positions(kind) * (double)g->channels * blocks_out;
    const double batches = ceil(4.0 * JM_LANES * positions * blocks_in / batch_bytes);
    return positions * (double)g->channels * blocks_out * JM_LANES / multiply +
           positions * (blocks_in + blocks_out) / transform + weight_bytes * batches / bandwidth;
}

/* Batches: their positions fill half of the second cache, the weights stream past. */
static void choose_batches(state *s, const jm_machine *machine)
{
    const double tile_bytes =
        4.0 * JM_LANES * (double)jm_winograd_positions(s->kind) * (double)(s->in_blocks + s->blocks);
    int64_t most = (int64_t)JM_MIN((double)machine->l2 * 0.5 / tile_bytes, 1e6);
    most = JM_MAX(most, s->kernels->conv.tile_pixels[s->blocks]);
    const int64_t groups = (s->all_blocks + s->blocks - 1) / s->blocks;
    s->strips = (jm_strips){.images = 1, .groups = 1, .blocks = groups};
    s->strips.units = (s->tiles + most - 1) / most;
    /* Each batch reads all weights once: only as many as give every thread its share. */
    const int64_t threads = (int64_t)machine->threads;
    while (s->strips.units % threads && s->strips.units < 8 * threads &&
           s->strips.units < s->tiles / s->kernels->conv.tile_pixels[s->blocks])
        s->strips.units++;
    s->strips.strips = s->strips.units;
    while (s->strips.units * s->strips.groups < threads && s->strips.groups < groups) s->strips.groups++;
    s->batch_tiles = (s->tiles + s->strips.units - 1) / s->strips.units;
}

jm_status jm_conv_winograd_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan)
{
    const jm_conv_geometry *g = &job->geometry;
    const jm_tensor *x = &job->call->in[JM_CONV_X], *y = &job->call->out[0];
    jm_winograd kind;
    if (!jm_conv_winograd_kind(g, &kind))
        return jm_call_error(job->call, JM_INVALID_ARGUMENT, "Winograd's algorithm needs 3x3 kernels of stride 1 or 2");
    const jm_winograd_shape *shape = &jm_winograd_shapes[kind];
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_winograd;
    s->kernels = job->machine->kernels;
    s->epilogue = job->epilogue;
    s->geometry = *g;
    s->kind = kind;
    s->size = shape->size;
    s->outputs = shape->outputs;
    s->step = shape->outputs * shape->stride;
    s->tiles_x = tiles_along(g, kind, 2);
    s->tiles_y = tiles_along(g, kind, 1);
    s->tiles = g->batch * s->tiles_y * s->tiles_x;
    s->in = jm_c16_view_of(x);
    s->out = jm_c16_view_of(y);
    if (s->epilogue.residual != JM_RESIDUAL_NONE) s->residual = jm_c16_view_of(&job->call->in[JM_CONV_RESIDUAL]);
    s->in_blocks = jm_channel_blocks(g->channels, x->map);
    s->all_blocks = jm_channel_blocks(g->filters, y->map);
    s->depth = (size_t)g->channels;
    s->segment = jm_conv_segment((size_t)s->in_blocks, s->depth);
    s->zero = jm_arena_alloc(arena, (size_t)JM_CONV_MAX_BLOCKS * JM_LANES, sizeof(float));
    s->run = jm_arena_alloc(arena, (size_t)s->in_blocks, sizeof(*s->run));
    if (!s->zero || !s->run) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_half_blocks(g->filters, y->map, arena, &s->half));
    s->blocks = jm_tap_row_blocks(&s->kernels->conv, s->tiles, s->all_blocks);
    choose_batches(s, job->machine);

    /* An odd number of cache lines between positions, so that they spread over the cache's sets. */
    const size_t lines = (size_t)s->batch_tiles * (size_t)s->in_blocks;
    s->in_position = (lines | 1) * JM_LANES;
    s->out_position = ((size_t)s->batch_tiles | 1) * JM_LANES;
    const size_t positions = jm_winograd_positions(s->kind);
    for (int64_t b = 0; b < s->in_blocks; b++) {
        s->run[b] = (jm_conv_run){.offset = (ptrdiff_t)(b * s->batch_tiles * JM_LANES),
                                  .count = (size_t)jm_block_count(g->channels, x->map, b)};
    }
    size_t elements;
    const bool fits = jm_size_mul(positions, s->in_position, &s->products) &&
                      jm_size_mul(positions * (size_t)s->blocks, s->out_position, &s->edge) &&
                      jm_size_add(s->edge, s->products, &s->edge) &&
                      jm_size_add(s->edge, positions * JM_LANES, &elements) &&
                      jm_size_mul(elements, sizeof(float), &plan->scratch);
    if (!fits) return jm_call_error(job->call, JM_OUT_OF_RANGE, "the map is too large");
    plan->chunks = jm_strips_chunks(&s->strips);
    plan->state = s;
    return JM_OK;
}
