/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradient of a convolution's weights: each weight is a sum over all output points of dY times the input that the
 * weight met there. With 16 filters in the lanes of a tile, channels as its pixels and points as its inputs it is the
 * same tile kernel as the convolution itself. Where points are few, weights of a filter are the lanes and filters the
 * pixels. Groups with few channels and filters multiply rows of both instead.
 *
 * A chunk walks its points piece by piece: dY of a piece becomes [blocks][points][16], the input becomes planes in
 * which the next point of the piece lies one element further, whatever stride and padding are; then every tap
 * multiplies. Pieces, and the parts whose sums are kept apart, depend on shapes alone, and so do the bits.
 */
#include <string.h>

#include "kernels/kernels.h"
#include "ops/conv.h"
#include "ops/tap_row.h"

enum { IN_X, IN_DY };
enum { ATTR_KERNEL_SHAPE, ATTR_DILATIONS, ATTR_GROUP, ATTR_PADS, ATTR_STRIDES };

enum {
    PIECE = 512,       /* most points of a piece */
    CUT = 256,         /* points whose dY, 16 KiB for each block, passes all inputs of a piece at a time */
    DOT_PIECE = 1024,  /* points of a piece where rows are multiplied; a tile's rows stay in the first cache */
    PLANES = 96 << 10, /* floats of the planes that the blocks of a chunk pass over */
    SUMS = 192 << 10,  /* floats of sums of a chunk */
    MOST_BLOCKS = 8,
    STORED = 256, /* lines of sums that are stored together */
};

typedef struct grad_state {
    void (*run)(const jm_plan *plan, const jm_run *run);
    const jm_kernels *kernels;
    jm_conv_geometry g;
    int64_t parts, rows; /* output rows of all images */
    int64_t group_channels, group_filters;
    jm_plain_view x, dy;
    struct weight_view {
        ptrdiff_t filter, channel, point[3];
    } * dw; /* [parts] */
    /* A piece: piece_rows rows of piece_columns points, of piece_images images where it holds whole ones. */
    int64_t piece_rows, piece_columns, piece_images;
    /* Blocks of a group's filters, so many of them in a chunk. */
    int64_t blocks, chunk_blocks, chunks_of_group;
    /* Channels in the planes at a time, and their layout: [kernel z][phases][kernel
     * x][channels][images][plane_rows][columns]. Kernel row ky meets rows of phase ky * dilation mod stride, `shift`
     * rows further. */
    int64_t channels;
    int64_t phases, plane_rows;
    const int64_t *phase_of, *phase, *shift; /* [kernel y], [phases], [kernel y] */
    size_t channel_pitch;
    int64_t column_channels; /* of a chunk, where weights are lanes */
    bool direct;             /* one plane, and the input itself is it: nothing is copied */
    size_t taps;
    size_t dy_pitch, sums; /* floats: of dY for each block, and where the sums begin in scratch */
    const float *zero;
} grad_state;

static jm_status resolve(const jm_call *call, jm_conv_geometry *g)
{
    const jm_shape *x = &call->in[IN_X].shape, *dy = &call->in[IN_DY].shape;
    const jm_attr *attr = call->attr, *kernel = &attr[ATTR_KERNEL_SHAPE];
    if (x->rank < 3 || x->rank > 5 || dy->rank != x->rank)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "X has rank %d and dY rank %d; both must have the same of 3 to 5", x->rank, dy->rank);
    if (kernel->count != x->rank - 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "kernel_shape has %d numbers and must have %d", kernel->count,
                             x->rank - 2);
    /* The convolution whose weights these are. */
    const int64_t group = attr[ATTR_GROUP].i;
    jm_tensor in[2] = {call->in[IN_X], {.dtype = call->in[IN_X].dtype}};
    in[1].shape = (jm_shape){.rank = x->rank, .dim = {dy->dim[1], group > 0 ? x->dim[1] / group : 0}};
    for (int k = 0; k < kernel->count; k++) {
        if (kernel->ints[k] < 1)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "kernel_shape[%d] is %lld and must be 1 or more", k,
                                 (long long)kernel->ints[k]);
        in[1].shape.dim[2 + k] = kernel->ints[k];
    }
    const jm_attr absent = {.s = "NOTSET"};
    const jm_conv_attrs attrs = {.auto_pad = &absent,
                                 .dilations = &attr[ATTR_DILATIONS],
                                 .group = &attr[ATTR_GROUP],
                                 .kernel_shape = kernel,
                                 .pads = &attr[ATTR_PADS],
                                 .strides = &attr[ATTR_STRIDES]};
    jm_call convolution = *call;
    convolution.in = in;
    convolution.inputs = 2;
    JM_TRY(jm_conv_resolve(&convolution, &attrs, g));
    bool fits = dy->dim[0] == g->batch;
    for (int k = 0; k < g->spatial; k++) fits = fits && dy->dim[2 + k] == g->out[3 - g->spatial + k];
    char have[JM_SHAPE_TEXT], want[JM_SHAPE_TEXT];
    jm_shape output = {.rank = dy->rank, .dim = {g->batch, g->filters}};
    memcpy(output.dim + 2, g->out + 3 - g->spatial, (size_t)g->spatial * sizeof(int64_t));
    if (!fits && jm_shape_known(dy) && jm_shape_known(&output))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "dY has shape %s; the output of the convolution has %s",
                             jm_shape_text(dy, have), jm_shape_text(&output, want));
    return JM_OK;
}

static jm_status infer(jm_call *call)
{
    jm_conv_geometry g;
    JM_TRY(resolve(call, &g));
    jm_shape out = {.rank = 2 + g.spatial, .dim = {g.filters, g.channels / g.group}};
    memcpy(out.dim + 2, g.kernel + 3 - g.spatial, (size_t)g.spatial * sizeof(int64_t));
    if (call->outputs < 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "there is no output");
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = call->in[IN_X].dtype;
        call->out[i].shape = out;
    }
    return JM_OK;
}

static double flops(const jm_call *call)
{
    jm_conv_geometry g;
    return resolve(call, &g) == JM_OK ? jm_conv_flops(&g, false) : 0;
}

/* ---- float32 ---- */

/* Rows y .. y + rows - 1 of plane z of some images, points x .. x + columns - 1 of each. */
typedef struct piece {
    int64_t image, images, z, y, rows, x, columns;
} piece;

/* The next piece; *row is the first output row of what is left, `end` that behind it. The first piece comes after one
 * without images. */
static bool next_piece(const grad_state *s, int64_t end, int64_t *row, piece *p)
{
    const jm_conv_geometry *g = &s->g;
    if (p->images && p->x + p->columns < g->out[2]) {
        p->x += p->columns;
    } else {
        *row += p->images * p->rows;
        if (*row >= end || g->out[2] == 0) return false;
        p->x = 0;
        p->y = *row % g->out[1];
        p->z = *row / g->out[1] % g->out[0];
        p->image = *row / g->out[1] / g->out[0];
        p->rows = JM_MIN(JM_MIN(s->piece_rows, g->out[1] - p->y), end - *row);
        p->images = p->rows == g->out[1] ? JM_MAX(JM_MIN(s->piece_images, (end - *row) / p->rows), 1) : 1;
    }
    p->columns = JM_MIN(s->piece_columns, g->out[2] - p->x);
    return true;
}

/* Where dY of a piece begins, for filter 0. */
static ptrdiff_t dy_offset(const grad_state *s, const piece *p)
{
    return jm_plain_offset(&s->dy, p->image, 0, (const int64_t[]){p->z, p->y, p->x});
}

/* What a chunk keeps in scratch. */
typedef struct buffers {
    float *planes, *dy; /* [chunk_blocks][points][16] */
    float *sum;         /* [kernel z][kernel y][chunk_blocks][kernel x][group_channels][16] */
} buffers;

/* Columns begin .. end - 1 of a piece lie inside the input for kernel column kx; the first of them is input column
 * *first. */
static void columns_inside(const grad_state *s, const piece *p, int64_t kx, int64_t *begin, int64_t *end,
                           int64_t *first)
{
    const int64_t x = p->x * s->g.stride[2] + kx * s->g.dilation[2] - s->g.before[2];
    jm_depthwise_inside(x, s->g.in[2], p->columns, s->g.stride[2], begin, end);
    *first = x + *begin * s->g.stride[2];
}

/* Rows *top .. *bottom - 1 of a piece's plane of a phase lie inside the input; all rows of the plane. */
static int64_t rows_inside(const grad_state *s, const piece *p, int64_t phase, int64_t *top, int64_t *bottom)
{
    const int64_t rows = p->rows + s->plane_rows - s->piece_rows;
    const int64_t y = p->y * s->g.stride[1] + phase - s->g.before[1];
    jm_depthwise_inside(y, s->g.in[1], rows, s->g.stride[1], top, bottom);
    return rows;
}

/* One plane of the input of a piece: the rows of a phase, as kernel column kx meets them. */
static void fill_plane(const grad_state *s, const float *image, const piece *p, int64_t phase, int64_t kx,
                       int64_t channels, float *to)
{
    const jm_conv_geometry *g = &s->g;
    const int64_t y = p->y * g->stride[1] + phase - g->before[1];
    const ptrdiff_t row = g->stride[1] * s->x.point[1], step = g->stride[2] * s->x.point[2];
    int64_t begin, end, first, top, bottom;
    const int64_t rows = rows_inside(s, p, phase, &top, &bottom);
    columns_inside(s, p, kx, &begin, &end, &first);
    /* Rows that touch on both sides are one: what belongs beside the input is overwritten. */
    const bool joined = step == 1 && row == p->columns;
    for (int64_t c = 0; c < channels; c++, image += s->x.channel, to += s->channel_pitch) {
        const float *from = image + (y + top * g->stride[1]) * s->x.point[1] + first * s->x.point[2];
        float *line = to + top * p->columns;
        memset(to, 0, (size_t)(top * p->columns) * sizeof(float));
        memset(to + bottom * p->columns, 0, (size_t)((rows - bottom) * p->columns) * sizeof(float));
        if (joined && bottom > top && end > begin) {
            const int64_t all = (bottom - top) * p->columns - begin - (p->columns - end);
            memcpy(line + begin, from, (size_t)all * sizeof(float));
        }
        for (int64_t r = top; r < bottom; r++, line += p->columns, from += row) {
            for (int64_t i = 0; i < begin; i++) line[i] = 0;
            if (!joined) jm_copy_points(from, step, end - begin, line + begin);
            for (int64_t i = end; i < p->columns; i++) line[i] = 0;
        }
    }
}

/* The same from the plane of the kernel column that is one stride before kx: its points are the neighbours of those. */
static void shift_plane(const grad_state *s, const float *image, const piece *p, int64_t phase, int64_t kx,
                        int64_t channels, const float *from, float *to)
{
    const jm_conv_geometry *g = &s->g;
    const int64_t y = p->y * g->stride[1] + phase - g->before[1];
    const int64_t x = (p->x + p->columns - 1) * g->stride[2] + kx * g->dilation[2] - g->before[2];
    int64_t top, bottom;
    const int64_t rows = rows_inside(s, p, phase, &top, &bottom);
    if (x < 0 || x >= g->in[2]) bottom = top;
    image += (y + top * g->stride[1]) * s->x.point[1] + x * s->x.point[2];
    for (int64_t c = 0; c < channels; c++, image += s->x.channel, from += s->channel_pitch, to += s->channel_pitch) {
        float *last = to + p->columns - 1;
        const float *inside = image;
        memcpy(to, from + 1, (size_t)(rows * p->columns - 1) * sizeof(float));
        for (int64_t r = 0; r < top; r++, last += p->columns) *last = 0;
        for (int64_t r = top; r < bottom; r++, last += p->columns, inside += g->stride[1] * s->x.point[1])
            *last = *inside;
        for (int64_t r = bottom; r < rows; r++, last += p->columns) *last = 0;
    }
}

/* Points of an image in a plane. */
static int64_t image_points(const grad_state *s, const piece *p)
{
    return (p->rows + s->plane_rows - s->piece_rows) * p->columns;
}

static size_t plane_index(const grad_state *s, int64_t kz, int64_t phase, int64_t kx)
{
    return (size_t)((kz * s->phases + phase) * s->g.kernel[2] + kx);
}

static void fill_planes(const grad_state *s, const float *x, const piece *p, int64_t channels, float *planes)
{
    const jm_conv_geometry *g = &s->g;
    const size_t plane = (size_t)s->channels * s->channel_pitch;
    const int64_t apart = g->stride[2] % g->dilation[2] == 0 ? g->stride[2] / g->dilation[2] : g->kernel[2];
    for (int64_t kz = 0; kz < g->kernel[0]; kz++) {
        const int64_t z = p->z * g->stride[0] + kz * g->dilation[0] - g->before[0];
        if (z < 0 || z >= g->in[0]) continue; /* its taps add nothing */
        for (int64_t i = 0; i < s->phases; i++) {
            for (int64_t kx = 0; kx < g->kernel[2]; kx++) {
                for (int64_t n = 0; n < p->images; n++) {
                    const float *image = x + n * s->x.image + z * s->x.point[0];
                    float *to = planes + plane_index(s, kz, i, kx) * plane + n * image_points(s, p);
                    if (kx < apart)
                        fill_plane(s, image, p, s->phase[i], kx, channels, to);
                    else
                        shift_plane(s, image, p, s->phase[i], kx, channels, to - (size_t)apart * plane, to);
                }
            }
        }
    }
}

/* dY of a piece, 16 filters side by side. */
static void pack_dy(const grad_state *s, const float *dy, const piece *p, int64_t filters, float *to)
{
    const jm_gemm_kernels *kernels = &s->kernels->gemm;
    const bool joined = s->dy.point[1] == p->columns * s->dy.point[2];
    const size_t count = (size_t)(joined ? p->rows * p->columns : p->columns);
    for (int64_t f = 0; f < filters; f += JM_LANES, to += s->dy_pitch) {
        const int lanes = (int)JM_MIN(filters - f, JM_LANES);
        float *next = to;
        for (int64_t n = 0; n < p->images; n++)
            for (int64_t r = 0; r < (joined ? 1 : p->rows); r++, next += count * JM_LANES)
                kernels->pack(dy + n * s->dy.image + f * s->dy.channel + r * s->dy.point[1], s->dy.point[2],
                              s->dy.channel, count, lanes, JM_LANES, 1.0f, next);
    }
}

/* The points of a piece in a plane, as runs, about CUT of them behind an empty one: after it products are added to the
 * sums. */
static size_t runs_of(const grad_state *s, const piece *p, jm_conv_run run[2 * PIECE])
{
    size_t runs = 0;
    const int64_t points = p->rows * p->columns;
    int64_t room = 0;
    for (int64_t n = 0; n < p->images; n++)
        for (int64_t i = 0; i < points; i += JM_CONV_SEGMENT) {
            const int64_t count = JM_MIN(points - i, JM_CONV_SEGMENT);
            if (room < count) {
                run[runs++] = (jm_conv_run){.offset = 0, .count = 0};
                room = CUT;
            }
            room -= count;
            run[runs++] =
                (jm_conv_run){.offset = n * (s->direct ? s->x.image : image_points(s, p)) + i, .count = (size_t)count};
        }
    return runs;
}

/* Adds the products of a cut, whose dY begins at `dy`, at kernel points of one row of the kernel, whose sums begin at
 * `sum` and whose inputs are `pixels` neighbours in the planes; `first`: the sums begin here. */
static void add_taps(const grad_state *s, const float *dy, const float *input, const jm_conv_run *run, size_t runs,
                     float *sum, int64_t pixels, int64_t filters, bool first)
{
    const int64_t all = (filters + JM_LANES - 1) / JM_LANES;
    const ptrdiff_t sum_block = (ptrdiff_t)(s->g.kernel[2] * s->group_channels * JM_LANES);
    const int step = jm_tap_row_blocks(&s->kernels->conv, pixels, all);
    for (int64_t block = 0; block < all; block += step) {
        const int blocks = (int)JM_MIN(step, all - block);
        s->kernels->conv.tile(&(jm_conv_tile){
            .input = input,
            .input_pixel = s->direct ? s->x.channel : (ptrdiff_t)s->channel_pitch,
            .input_lane = 1,
            .run = first ? run + 1 : run,
            .runs = first ? runs - 1 : runs,
            .segment = 1,
            .weight = dy + (size_t)block * s->dy_pitch,
            .weight_block = s->dy_pitch,
            .start = first ? s->zero : NULL,
            .output = sum + block * sum_block,
            .output_pixel = JM_LANES,
            .output_block = sum_block,
            .pixels = (ptrdiff_t)pixels,
            .blocks = blocks,
            .half = blocks == 1 && filters - block * JM_LANES <= JM_LANES / 2,
        });
    }
}

/* Where a sum of 16 filters lies: `row` is a row of the kernel. */
static int64_t sum_index(const grad_state *s, int64_t row, int64_t block, int64_t kx, int64_t channel)
{
    return (((row * s->chunk_blocks + block) * s->g.kernel[2] + kx) * s->group_channels + channel) * JM_LANES;
}

/* The same for `channels` channels from `channel` on, which lie in the planes. */
static void add_cut(const grad_state *s, const float *planes, const float *dy, const piece *p, const jm_conv_run *run,
                    size_t runs, int64_t channel, int64_t channels, int64_t filters, const buffers *b, bool first)
{
    const jm_conv_geometry *g = &s->g;
    const size_t plane = (size_t)s->channels * s->channel_pitch;
    /* Planes with all channels follow each other like channels. */
    const int64_t together = s->channels == s->group_channels ? g->kernel[2] : 1;
    for (int64_t kz = 0; kz < g->kernel[0]; kz++) {
        const int64_t z = p->z * g->stride[0] + kz * g->dilation[0] - g->before[0];
        const bool inside = z >= 0 && z < g->in[0];
        if (!inside && !first) continue;
        for (int64_t kx = 0; kx < g->kernel[2]; kx += together) {
            for (int64_t ky = 0; ky < g->kernel[1]; ky++) {
                const float *input = planes + plane_index(s, kz, s->phase_of[ky], kx) * plane;
                float *sum = b->sum + sum_index(s, kz * g->kernel[1] + ky, 0, kx, channel);
                add_taps(s, dy, input + s->shift[ky] * p->columns, run, inside ? runs : 1, sum, together * channels,
                         filters, first);
            }
        }
    }
}

static void add_piece(const grad_state *s, const float *x, const piece *p, int64_t filters, const buffers *b,
                      bool first)
{
    jm_conv_run run[2 * PIECE];
    const size_t runs = runs_of(s, p, run);
    for (int64_t channel = 0; channel < s->group_channels; channel += s->channels) {
        const int64_t channels = JM_MIN(s->channels, s->group_channels - channel);
        const float *planes = b->planes, *dy = b->dy;
        if (s->direct)
            planes = x + channel * s->x.channel + p->z * s->x.point[0] + p->y * s->x.point[1] + p->x;
        else
            fill_planes(s, x + channel * s->x.channel, p, channels, b->planes);
        for (size_t i = 0, end; i < runs; i = end) {
            size_t points = 0;
            for (end = i + 1; end < runs && run[end].count; end++) points += run[end].count;
            add_cut(s, planes, dy, p, run + i, end - i, channel, channels, filters, b, first && i == 0);
            dy += points * JM_LANES;
        }
    }
}

/* The sums of a block of filters, one by one. */
static void store_scattered(const grad_state *s, const struct weight_view *view, const float *sum, int64_t block,
                            int64_t lanes, float *dw)
{
    const jm_conv_geometry *g = &s->g;
    const int64_t rows = g->kernel[0] * g->kernel[1];
    for (int64_t c = 0; c < s->group_channels; c++)
        for (int64_t f = 0; f < lanes; f++)
            for (int64_t r = 0; r < rows; r++)
                for (int64_t x = 0; x < g->kernel[2]; x++)
                    dw[f * view->filter + c * view->channel + r / g->kernel[1] * view->point[0] +
                       r % g->kernel[1] * view->point[1] + x * view->point[2]] = sum[sum_index(s, r, block, x, c) + f];
}

/* The same where the weights of a filter lie next to each other: lines of some channels are put into that order, then
 * transposed. */
static void store_dense(const grad_state *s, const struct weight_view *view, const float *sum, int64_t block,
                        int64_t lanes, float *dw)
{
    float lines[STORED][JM_LANES];
    const jm_conv_geometry *g = &s->g;
    const int64_t taps = (int64_t)s->taps, most = STORED / taps;
    for (int64_t c = 0; c < s->group_channels; c += most) {
        const int64_t channels = JM_MIN(most, s->group_channels - c);
        for (int64_t t = 0; t < taps; t++) {
            const float *from = sum + sum_index(s, t / g->kernel[2], block, t % g->kernel[2], c);
            for (int64_t i = 0; i < channels; i++) memcpy(lines[i * taps + t], from + i * JM_LANES, sizeof(lines[0]));
        }
        s->kernels->gemm.transpose(lines[0], JM_LANES, dw + c * taps, view->filter, (int)lanes,
                                   (size_t)(channels * taps));
    }
}

/* Whether the weights of a filter lie next to each other. */
static bool lies_dense(const grad_state *s, const struct weight_view *view)
{
    const int64_t *kernel = s->g.kernel;
    return view->channel == (ptrdiff_t)s->taps && (kernel[2] == 1 || view->point[2] == 1) &&
           (kernel[1] == 1 || view->point[1] == kernel[2]) &&
           (kernel[0] == 1 || view->point[0] == kernel[1] * kernel[2]);
}

/* The sums of `filters` filters to dW. */
static void store_sums(const grad_state *s, const struct weight_view *view, const float *sum, int64_t filters,
                       float *dw)
{
    const bool dense = s->taps <= STORED && lies_dense(s, view);
    for (int64_t block = 0; block * JM_LANES < filters; block++, dw += JM_LANES * view->filter)
        (dense ? store_dense : store_scattered)(s, view, sum, block, JM_MIN(filters - block * JM_LANES, JM_LANES), dw);
}

static void run_tiles(const jm_plan *plan, const jm_run *run)
{
    const grad_state *s = plan->state;
    const jm_conv_geometry *g = &s->g;
    const int64_t chunk = (int64_t)run->chunk, per_part = s->chunks_of_group * g->group;
    const int64_t part = chunk / per_part, group = chunk % per_part / s->chunks_of_group;
    const int64_t filter = chunk % s->chunks_of_group * s->chunk_blocks * JM_LANES;
    const int64_t filters = JM_MIN(s->group_filters - filter, s->chunk_blocks * JM_LANES);
    const size_t plane_count = (size_t)(g->kernel[0] * s->phases * g->kernel[2]);
    buffers b = {.planes = run->scratch};
    b.dy = b.planes + plane_count * (size_t)s->channels * s->channel_pitch;
    b.sum = (float *)run->scratch + s->sums;
    const float *x = (const float *)run->in[IN_X] + group * s->group_channels * s->x.channel;
    const float *dy = (const float *)run->in[IN_DY] + (group * s->group_filters + filter) * s->dy.channel;
    bool first = true;
    piece p = {.images = 0};
    int64_t row = s->rows * part / s->parts;
    for (; next_piece(s, s->rows * (part + 1) / s->parts, &row, &p); first = false) {
        pack_dy(s, dy + dy_offset(s, &p), &p, filters, b.dy);
        add_piece(s, x + p.image * s->x.image, &p, filters, &b, first);
    }
    if (first) memset(b.sum, 0, plan->scratch - s->sums * sizeof(float)); /* no points at all */
    const struct weight_view *view = &s->dw[part];
    store_sums(s, view, b.sum, filters, (float *)run->out[part] + (group * s->group_filters + filter) * view->filter);
}

/* ---- float32, few points ---- */

/* Where the input that weight number `index` of a filter meets lies in the planes of a chunk's channels. */
static const float *plane_of(const grad_state *s, const float *planes, int64_t columns, int64_t index)
{
    const int64_t taps = (int64_t)s->taps, tap = index % taps;
    const int64_t ky = tap / s->g.kernel[2], kx = tap % s->g.kernel[2];
    const size_t plane = (size_t)s->channels * s->channel_pitch;
    return planes + plane_index(s, 0, s->phase_of[ky], kx) * plane + (size_t)(index / taps) * s->channel_pitch +
           s->shift[ky] * columns;
}

/* A chunk is some channels of a group: 16 weights of a filter are lanes, filters pixels, and dY is the input where it
 * lies. Sums go straight to dW, which has more elements than all else. */
static void run_columns(const jm_plan *plan, const jm_run *run)
{
    const grad_state *s = plan->state;
    const jm_conv_geometry *g = &s->g;
    const int64_t chunks = (s->group_channels + s->column_channels - 1) / s->column_channels;
    const int64_t group = (int64_t)run->chunk / chunks, first = (int64_t)run->chunk % chunks * s->column_channels;
    const int64_t channels = JM_MIN(s->column_channels, s->group_channels - first), taps = (int64_t)s->taps;
    const int64_t area = g->out[1] * g->out[2], points = g->batch * area, blocks = channels * taps / JM_LANES;
    const struct weight_view *view = &s->dw[0];
    const piece p = {.images = g->batch, .rows = g->out[1], .columns = g->out[2]};
    float *planes = run->scratch, *line = planes + s->sums, *packed = line + points * JM_LANES;
    jm_conv_run runs[PIECE];
    size_t count = 0;
    for (int64_t n = 0; n < g->batch; n++)
        for (int64_t i = 0; i < area; i += JM_CONV_SEGMENT)
            runs[count++] =
                (jm_conv_run){.offset = n * s->dy.image + i, .count = (size_t)JM_MIN(area - i, JM_CONV_SEGMENT)};
    fill_planes(s, (const float *)run->in[IN_X] + (group * s->group_channels + first) * s->x.channel, &p, channels,
                planes);
    const int step = jm_tap_row_blocks(&s->kernels->conv, s->group_filters, blocks);
    for (int64_t block = 0; block < blocks; block += step) {
        const int own = (int)JM_MIN(step, blocks - block);
        for (int b = 0; b < own; b++) {
            for (int64_t j = 0; j < JM_LANES; j++) {
                const float *from = plane_of(s, planes, p.columns, (block + b) * JM_LANES + j);
                for (int64_t n = 0; n < g->batch; n++)
                    memcpy(line + j * points + n * area, from + n * image_points(s, &p), (size_t)area * sizeof(float));
            }
            s->kernels->gemm.pack(line, 1, points, (size_t)points, JM_LANES, JM_LANES, 1.0f,
                                  packed + b * points * JM_LANES);
        }
        s->kernels->conv.tile(&(jm_conv_tile){
            .input = (const float *)run->in[IN_DY] + group * s->group_filters * s->dy.channel,
            .input_pixel = s->dy.channel,
            .input_lane = 1,
            .run = runs,
            .runs = count,
            .segment = 1,
            .weight = packed,
            .weight_block = (size_t)points * JM_LANES,
            .start = s->zero,
            .output = (float *)run->out[0] + group * s->group_filters * view->filter + first * taps + block * JM_LANES,
            .output_pixel = view->filter,
            .output_block = JM_LANES,
            .pixels = (ptrdiff_t)s->group_filters,
            .blocks = own,
        });
    }
}

/* ---- float32, few channels and filters in a group ---- */

/* Whether dY of a filter and a piece lies point by point. */
static bool dy_lies_in_a_row(const grad_state *s, const piece *p)
{
    return s->dy.point[2] == 1 && (p->rows == 1 || s->dy.point[1] == p->columns);
}

/* dY of a piece, [filters][s->dy_pitch]. */
static void copy_dy(const grad_state *s, const float *dy, const piece *p, float *to)
{
    for (int64_t f = 0; f < s->group_filters; f++, dy += s->dy.channel, to += s->dy_pitch)
        for (int64_t r = 0; r < p->rows; r++)
            jm_copy_points(dy + r * s->dy.point[1], s->dy.point[2], p->columns, to + r * p->columns);
}

/* What the weights of a filter meet in the planes, and where their lanes lie among those of the filter. */
static size_t rows_of_planes(const grad_state *s, const piece *p, jm_dot_row *row)
{
    const jm_conv_geometry *g = &s->g;
    const size_t plane = (size_t)s->channels * s->channel_pitch;
    size_t rows = 0;
    ptrdiff_t sum = 0;
    for (int64_t c = 0; c < s->group_channels; c++) {
        for (int64_t kz = 0; kz < g->kernel[0]; kz++) {
            const int64_t z = p->z * g->stride[0] + kz * g->dilation[0] - g->before[0];
            const bool inside = z >= 0 && z < g->in[0];
            for (int64_t ky = 0; ky < g->kernel[1]; ky++)
                for (int64_t kx = 0; kx < g->kernel[2]; kx++, sum += JM_LANES)
                    if (inside)
                        row[rows++] = (jm_dot_row){
                            .a = (ptrdiff_t)(plane_index(s, kz, s->phase_of[ky], kx) * plane +
                                             (size_t)c * s->channel_pitch) +
                                 s->shift[ky] * p->columns,
                            .sum = sum,
                        };
        }
    }
    return rows;
}

/* The sums of the lanes of `count` weights, a multiple of 16, in their place. */
static void sum_lanes(const grad_state *s, float *lane, size_t count)
{
    float lines[JM_LANES][JM_LANES];
    for (size_t i = 0; i < count; i += JM_LANES) {
        s->kernels->gemm.transpose(lane + i * JM_LANES, JM_LANES, lines[0], JM_LANES, JM_LANES, JM_LANES);
        jm_reduce_tree_columns(JM_REDUCE_SUM, lines);
        memcpy(lane + i, lines[0], sizeof(lines[0]));
    }
}

/* A chunk is a group of a part. */
static void run_dots(const jm_plan *plan, const jm_run *run)
{
    const grad_state *s = plan->state;
    const jm_conv_geometry *g = &s->g;
    const int64_t part = (int64_t)run->chunk / g->group, group = (int64_t)run->chunk % g->group;
    const size_t weights = s->taps * (size_t)s->group_channels; /* of a filter */
    const size_t all = (weights * (size_t)s->group_filters + JM_LANES - 1) / JM_LANES * JM_LANES;
    float *planes = run->scratch, *lane = planes + s->sums, *copy = lane + all * JM_LANES;
    jm_dot_row *row = (jm_dot_row *)(void *)(copy + (size_t)s->group_filters * s->dy_pitch);
    const float *x = (const float *)run->in[IN_X] + group * s->group_channels * s->x.channel;
    const float *dy = (const float *)run->in[IN_DY] + group * s->group_filters * s->dy.channel;
    piece p = {.images = 0};
    int64_t first = s->rows * part / s->parts;
    memset(lane, 0, all * JM_LANES * sizeof(float));
    while (next_piece(s, s->rows * (part + 1) / s->parts, &first, &p)) {
        const float *from = dy + dy_offset(s, &p);
        const bool direct = dy_lies_in_a_row(s, &p);
        fill_planes(s, x + p.image * s->x.image, &p, s->group_channels, planes);
        if (!direct) copy_dy(s, from, &p, copy);
        s->kernels->dots.rows(&(jm_dot_rows){
            .a = planes,
            .b = direct ? from : copy,
            .row = row,
            .rows = rows_of_planes(s, &p, row),
            .b_rows = (size_t)s->group_filters,
            .b_row = direct ? s->dy.channel : (ptrdiff_t)s->dy_pitch,
            .sum_row = (ptrdiff_t)(weights * JM_LANES),
            .n = (size_t)(p.rows * p.columns),
            .sum = lane,
        });
    }
    sum_lanes(s, lane, all);
    const struct weight_view *view = &s->dw[part];
    float *dw = (float *)run->out[part] + group * s->group_filters * view->filter;
    for (int64_t f = 0; f < s->group_filters; f++)
        for (int64_t c = 0; c < s->group_channels; c++)
            for (int64_t z = 0; z < g->kernel[0]; z++)
                for (int64_t y = 0; y < g->kernel[1]; y++)
                    for (int64_t i = 0; i < g->kernel[2]; i++)
                        dw[f * view->filter + c * view->channel + z * view->point[0] + y * view->point[1] +
                           i * view->point[2]] = *lane++;
}

/* ---- Plans ---- */

/* The rows of the input that kernel rows meet, as phases of the stride and shifts. */
static jm_status plan_phases(grad_state *s, jm_arena *arena)
{
    const jm_conv_geometry *g = &s->g;
    const size_t kernel = (size_t)g->kernel[1];
    int64_t *phase = jm_arena_alloc(arena, kernel, sizeof(*phase));
    int64_t *phase_of = jm_arena_alloc(arena, kernel, sizeof(*phase_of));
    int64_t *shift = jm_arena_alloc(arena, kernel, sizeof(*shift));
    if (!phase || !phase_of || !shift) return JM_OUT_OF_MEMORY;
    for (size_t k = 0; k < kernel; k++) {
        const int64_t row = (int64_t)k * g->dilation[1], own = row % g->stride[1];
        int64_t i = 0;
        while (i < s->phases && phase[i] != own) i++;
        if (i == s->phases) phase[s->phases++] = own;
        phase_of[k] = i;
        shift[k] = row / g->stride[1];
    }
    s->plane_rows = s->piece_rows + shift[kernel - 1];
    s->phase = phase;
    s->phase_of = phase_of;
    s->shift = shift;
    return JM_OK;
}

/* Whether points of a piece follow each other in the input. */
static bool reads_input(const grad_state *s)
{
    enum { PAGE = 4096 / sizeof(float) }; /* channels so far apart share few sets of the caches */
    const jm_conv_geometry *g = &s->g;
    bool same = s->taps == 1 && s->x.point[2] == 1 && s->x.channel % PAGE != 0;
    for (int k = 0; k < 3; k++) same = same && g->stride[k] == 1 && g->before[k] == 0 && g->in[k] == g->out[k];
    return same && (s->piece_rows == 1 || (s->x.point[1] == g->in[2] && s->piece_columns == g->out[2]));
}

/* How filters are divided among chunks: few sums stay in the second cache, many blocks share the planes. */
static void choose_blocks(grad_state *s, const jm_machine *machine, size_t taps)
{
    const double sums = (double)taps * (double)s->group_channels * JM_LANES;
    const double room = JM_MAX(JM_MIN(SUMS / sums, MOST_BLOCKS), 1);
    s->blocks = (s->group_filters + JM_LANES - 1) / JM_LANES;
    s->chunks_of_group = (s->blocks + (int64_t)room - 1) / (int64_t)room;
    while (s->chunks_of_group * 2 < s->blocks && s->parts * s->g.group * s->chunks_of_group < (int64_t)machine->threads)
        s->chunks_of_group++;
    s->chunk_blocks = (s->blocks + s->chunks_of_group - 1) / s->chunks_of_group;
    s->chunks_of_group = (s->blocks + s->chunk_blocks - 1) / s->chunk_blocks;
}

/* Sizes of planes, dY and sums in scratch. */
static jm_status plan_scratch(const jm_call *call, grad_state *s, size_t taps, size_t *bytes)
{
    const jm_conv_geometry *g = &s->g;
    size_t planes = 0, points = 0, sums;
    bool fits = jm_size_mul((size_t)s->plane_rows, (size_t)s->piece_columns, &points) &&
                jm_size_mul(points, (size_t)s->piece_images, &points) && jm_size_round_up(points, JM_LANES, &points) &&
                jm_size_mul((size_t)(g->kernel[0] * s->phases), (size_t)g->kernel[2], &planes);
    /* An odd number of cache lines, so that channels spread over the cache's sets. */
    s->channel_pitch = points / JM_LANES % 2 ? points : points + JM_LANES;
    fits = fits && jm_size_mul(planes, s->channel_pitch, &planes);
    if (fits) {
        /* Points are multiplied with all channels at hand. */
        const int64_t room = s->chunk_blocks ? (int64_t)(PLANES / planes) : s->group_channels;
        const int64_t most = JM_MIN(JM_MAX(room, 2 * s->kernels->conv.tile_pixels[1]), s->group_channels);
        const int64_t turns = (s->group_channels + most - 1) / most;
        s->channels = s->column_channels ? s->column_channels : (s->group_channels + turns - 1) / turns;
    }
    s->dy_pitch = (size_t)(s->piece_images * s->piece_rows * s->piece_columns) * JM_LANES;
    fits = fits && jm_size_mul(planes, (size_t)s->channels, &planes) &&
           jm_size_add(planes, (size_t)s->chunk_blocks * s->dy_pitch, &s->sums) &&
           jm_size_mul(taps, (size_t)(s->chunk_blocks * JM_LANES), &sums) &&
           jm_size_mul(sums, (size_t)s->group_channels, &sums) && jm_size_add(sums, s->sums, bytes) &&
           jm_size_mul(*bytes, sizeof(float), bytes);
    return fits ? JM_OK : jm_call_error(call, JM_OUT_OF_RANGE, "the weights are too large");
}

/* Whether weights are lanes: a piece holds all points, points are at most twice the filters, and dY lies in rows. The
 * sums are those of tiles with filters as lanes, term by term. */
static bool has_few_points(const grad_state *s)
{
    const jm_conv_geometry *g = &s->g;
    const bool plane = g->kernel[0] == 1 && g->in[0] == 1 && g->out[0] == 1 && g->before[0] == 0;
    return plane && s->parts == 1 && s->piece_rows == g->out[1] && s->piece_columns == g->out[2] &&
           s->piece_images == g->batch && 2 * s->group_filters >= g->batch * g->out[1] * g->out[2] && s->rows > 0 &&
           g->out[2] > 0 && s->group_channels % JM_LANES == 0 && lies_dense(s, &s->dw[0]) && s->dy.point[2] == 1 &&
           (g->out[1] == 1 || s->dy.point[1] == g->out[2]);
}

static jm_status plan_columns(const jm_call *call, grad_state *s, jm_plan *plan)
{
    const int64_t points = s->g.batch * s->g.out[1] * s->g.out[2];
    size_t floats;
    s->run = run_columns;
    s->column_channels =
        JM_MIN(s->taps < JM_CONV_MAX_BLOCKS ? JM_CONV_MAX_BLOCKS * JM_LANES : JM_LANES, s->group_channels);
    s->blocks = s->chunk_blocks = 0;
    JM_TRY(plan_scratch(call, s, s->taps, &plan->scratch));
    if (!jm_size_add(s->sums, (size_t)(points * JM_LANES * (1 + JM_CONV_MAX_BLOCKS)), &floats) ||
        !jm_size_mul(floats, sizeof(float), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the weights are too large");
    plan->chunks = (size_t)(s->g.group * ((s->group_channels + s->column_channels - 1) / s->column_channels));
    return JM_OK;
}

static jm_status plan_dots(const jm_call *call, grad_state *s, jm_plan *plan)
{
    size_t weights, lanes, rows;
    s->run = run_dots;
    s->blocks = s->chunk_blocks = 0;
    JM_TRY(plan_scratch(call, s, s->taps, &plan->scratch));
    s->dy_pitch = DOT_PIECE;
    if (!jm_size_mul(s->taps, (size_t)s->group_channels, &weights) ||
        !jm_size_mul(weights, sizeof(jm_dot_row), &rows) || !jm_size_mul(weights, (size_t)s->group_filters, &lanes) ||
        !jm_size_round_up(lanes, JM_LANES, &lanes) || !jm_size_mul(lanes, JM_LANES, &lanes) ||
        !jm_size_add(lanes, s->sums + (size_t)s->group_filters * s->dy_pitch, &lanes) ||
        !jm_size_mul(lanes, sizeof(float), &lanes) || !jm_size_add(lanes, rows, &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the weights are too large");
    plan->chunks = (size_t)(s->parts * s->g.group);
    return JM_OK;
}

static jm_status plan_f32(const jm_call *call, const jm_machine *machine, jm_arena *arena, grad_state *s, jm_plan *plan)
{
    enum { TILE_PAIRS = 64 }; /* channels times filters of a group, from which on lanes of filters are worth it */
    const jm_conv_geometry *g = &s->g;
    const bool dots = s->group_channels * s->group_filters < TILE_PAIRS;
    const int64_t points = dots ? DOT_PIECE : PIECE, cuts = (g->out[2] + points - 1) / points;
    s->piece_columns = JM_MAX((g->out[2] + cuts - 1) / JM_MAX(cuts, 1), 1);
    const int64_t most = JM_MAX(points / s->piece_columns, 1), turns = JM_MAX((g->out[1] + most - 1) / most, 1);
    s->piece_rows = JM_MAX((g->out[1] + turns - 1) / turns, 1);
    s->piece_images = 1;
    if (g->out[0] == 1 && s->piece_rows == g->out[1] && !dots)
        s->piece_images = JM_MAX(JM_MIN(points / (s->piece_rows * s->piece_columns), g->batch), 1);
    JM_TRY(plan_phases(s, arena));
    if (!jm_size_mul((size_t)g->kernel[0], (size_t)g->kernel[1], &s->taps) ||
        !jm_size_mul(s->taps, (size_t)g->kernel[2], &s->taps))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the weights are too large");
    if (dots) return plan_dots(call, s, plan);
    s->zero = jm_arena_alloc(arena, JM_CONV_MAX_BLOCKS * JM_LANES, sizeof(float));
    if (!s->zero) return JM_OUT_OF_MEMORY;
    if (has_few_points(s)) return plan_columns(call, s, plan);
    s->run = run_tiles;
    s->direct = reads_input(s);
    choose_blocks(s, machine, s->taps);
    JM_TRY(plan_scratch(call, s, s->taps, &plan->scratch));
    plan->chunks = (size_t)(s->parts * g->group * s->chunks_of_group);
    return JM_OK;
}

/* ---- float64 ---- */

/* One weight: a sum over the points of a part, image by image and row by row. */
static double exact_weight(const grad_state *s, const double *x, const double *dy, int64_t begin, int64_t end,
                           const int64_t tap[3])
{
    const jm_conv_geometry *g = &s->g;
    double sum = 0;
    for (int64_t row = begin; row < end; row++) {
        const int64_t image = row / g->out[1] / g->out[0];
        const int64_t out[2] = {row / g->out[1] % g->out[0], row % g->out[1]};
        int64_t in[2];
        for (int k = 0; k < 2; k++) in[k] = out[k] * g->stride[k] + tap[k] * g->dilation[k] - g->before[k];
        if (in[0] < 0 || in[0] >= g->in[0] || in[1] < 0 || in[1] >= g->in[1]) continue;
        const double *from = x + image * s->x.image + in[0] * s->x.point[0] + in[1] * s->x.point[1];
        const double *by = dy + image * s->dy.image + out[0] * s->dy.point[0] + out[1] * s->dy.point[1];
        for (int64_t i = 0; i < g->out[2]; i++) {
            const int64_t at = i * g->stride[2] + tap[2] * g->dilation[2] - g->before[2];
            if (at >= 0 && at < g->in[2]) sum += from[at * s->x.point[2]] * by[i * s->dy.point[2]];
        }
    }
    return sum;
}

/* A chunk is a filter of a part. */
static void run_exact(const jm_plan *plan, const jm_run *run)
{
    const grad_state *s = plan->state;
    const jm_conv_geometry *g = &s->g;
    const int64_t part = (int64_t)run->chunk / g->filters, filter = (int64_t)run->chunk % g->filters;
    const int64_t begin = s->rows * part / s->parts, end = s->rows * (part + 1) / s->parts;
    const double *x = (const double *)run->in[IN_X] + filter / s->group_filters * s->group_channels * s->x.channel;
    const double *dy = (const double *)run->in[IN_DY] + filter * s->dy.channel;
    const struct weight_view *view = &s->dw[part];
    double *dw = (double *)run->out[part] + filter * view->filter;
    int64_t tap[3];
    for (int64_t c = 0; c < s->group_channels; c++, x += s->x.channel, dw += view->channel)
        for (tap[0] = 0; tap[0] < g->kernel[0]; tap[0]++)
            for (tap[1] = 0; tap[1] < g->kernel[1]; tap[1]++)
                for (tap[2] = 0; tap[2] < g->kernel[2]; tap[2]++)
                    dw[tap[0] * view->point[0] + tap[1] * view->point[1] + tap[2] * view->point[2]] =
                        exact_weight(s, x, dy, begin, end, tap);
}

/* ---- Plan and run ---- */

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    (void)form;
    grad_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    JM_TRY(resolve(call, &s->g));
    const jm_conv_geometry *g = &s->g;
    s->kernels = machine->kernels;
    s->parts = call->outputs;
    s->rows = g->batch * g->out[0] * g->out[1];
    s->group_channels = g->channels / g->group;
    s->group_filters = g->filters / g->group;
    s->x = jm_plain_view_of(&call->in[IN_X]);
    s->dy = jm_plain_view_of(&call->in[IN_DY]);
    s->dw = jm_arena_alloc(arena, (size_t)s->parts, sizeof(*s->dw));
    if (!s->dw) return JM_OUT_OF_MEMORY;
    for (int64_t i = 0; i < s->parts; i++) {
        s->dw[i].filter = (ptrdiff_t)call->out[i].stride[0];
        s->dw[i].channel = (ptrdiff_t)call->out[i].stride[1];
        jm_conv_spatial_strides(&call->out[i], s->dw[i].point);
    }
    out->state = s;
    if (call->in[IN_X].dtype == JM_F32) return plan_f32(call, machine, arena, s, out);
    s->run = run_exact;
    out->chunks = (size_t)(s->parts * g->filters);
    return JM_OK;
}

static void run(const jm_plan *plan, const jm_run *run)
{
    ((const grad_state *)plan->state)->run(plan, run);
}

static const jm_param param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[N, C, spatial...], 1 to 3 spatial dimensions"},
    {"dY", JM_PARAM_INPUT, 0, .doc = "[N, M, spatial...]: gradient of the convolution's output"},
    {"dW", JM_PARAM_OUTPUT, JM_VARIADIC,
     .doc = "[M, C / group, kernel...]; with more than one each is a sum over its part of the output's rows"},
    {"kernel_shape", JM_PARAM_INTS, 0, .doc = "spatial size of the weights"},
    {"dilations", JM_PARAM_INTS, JM_OPTIONAL, .doc = "distance of kernel points; 1"},
    {"group", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "groups of channels that do not mix"},
    {"pads", JM_PARAM_INTS, JM_OPTIONAL, .doc = "at the begin of each dimension, then at the end; 0"},
    {"strides", JM_PARAM_INTS, JM_OPTIONAL, .doc = "distance of output points; 1"},
};

const jm_op jm_op_conv_weight_grad = {
    .name = "ConvWeightGrad",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32 | 1u << JM_F64,
    .formula = "sum of all dW[m, c, k] = sum over n, o of dY[n, m, o] * X[n, c, o * stride + k * dilation - pad]",
    .source = "the derivative of ONNX Conv-11",
    .infer = infer,
    .plan = plan,
    .run = run,
    .flops = flops,
};
