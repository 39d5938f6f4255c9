/* SPDX-License-Identifier: Apache-2.0
 *
 * Between images and the columns of their blocks: Im2Col only moves elements, Col2Im adds the blocks where they belong.
 */
#include <string.h>

#include "ops/compose.h"
#include "ops/indexing.h"
#include "ops/move.h"
#include "ops/window.h"

/* ---- Im2Col ---- */

enum { ATTR_KERNEL, ATTR_DILATION, ATTR_PADDING, ATTR_STRIDE, ATTR_SIZE };

/* The windows of Im2Col and Im2ColBackward, two dimensions. */
typedef struct windows {
    int64_t kernel[2], dilation[2], padding[2], stride[2], count[2];
} windows;

static jm_status read_pair(const jm_call *call, int index, int64_t low, int64_t out[2])
{
    const jm_attr *attr = &call->attr[index];
    const char *name = jm_op_attr(call->op, index)->name;
    if (attr->count != 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s has %d numbers and must have 2", name, attr->count);
    for (int k = 0; k < 2; k++) {
        out[k] = attr->ints[k];
        if (out[k] < low || out[k] > JM_WINDOW_LIMIT)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s[%d] is %lld and must be %lld or more, at most 2^31",
                                 name, k, (long long)out[k], (long long)low);
    }
    return JM_OK;
}

/* `size` is that of the image. */
static jm_status read_windows(const jm_call *call, const int64_t size[2], windows *w)
{
    JM_TRY(read_pair(call, ATTR_KERNEL, 1, w->kernel));
    JM_TRY(read_pair(call, ATTR_DILATION, 1, w->dilation));
    JM_TRY(read_pair(call, ATTR_PADDING, 0, w->padding));
    JM_TRY(read_pair(call, ATTR_STRIDE, 1, w->stride));
    for (int k = 0; k < 2; k++) {
        const int64_t room = size[k] + 2 * w->padding[k] - ((w->kernel[k] - 1) * w->dilation[k] + 1);
        w->count[k] = size[k] < 0 ? -1 : room / w->stride[k] + 1;
        if (size[k] >= 0 && room < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "the kernel spans more points than dimension %d has, %lld",
                                 k, (long long)(size[k] + 2 * w->padding[k]));
    }
    return JM_OK;
}

static jm_status check_image(const jm_call *call, const jm_shape *image)
{
    if (image->rank == 3 || image->rank == 4) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "the image has rank %d and must have 3 or 4", image->rank);
}

static int64_t product(int64_t a, int64_t b)
{
    int64_t result;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result) ? -1 : result;
}

static jm_status infer_im2col(jm_call *call)
{
    const jm_shape *x = &call->in[0].shape;
    windows w;
    JM_TRY(check_image(call, x));
    const int spatial = x->rank - 2;
    JM_TRY(read_windows(call, x->dim + spatial, &w));
    jm_shape *out = &call->out[0].shape;
    *out = (jm_shape){.rank = x->rank - 1};
    if (x->rank == 4) out->dim[0] = x->dim[0];
    out->dim[out->rank - 2] = product(x->dim[spatial - 1], product(w.kernel[0], w.kernel[1]));
    out->dim[out->rank - 1] = product(w.count[0], w.count[1]);
    return JM_OK;
}

/* Places begin .. end - 1 of those along dimension k for which kernel point `tap` lies inside. */
static void places_inside(const windows *w, int k, int64_t size, int64_t tap, int64_t *begin, int64_t *end)
{
    const int64_t first = tap * w->dilation[k] - w->padding[k];
    *begin = first >= 0 ? 0 : JM_MIN((-first + w->stride[k] - 1) / w->stride[k], w->count[k]);
    *end = first < size ? JM_MIN((size - 1 - first) / w->stride[k] + 1, w->count[k]) : *begin;
    *end = JM_MAX(*end, *begin);
}

/* Adds the places y0 .. y1 - 1, x0 .. x1 - 1 of a move that stands for all of them. */
static jm_status add_places(jm_moves *moves, const jm_move *all, int64_t y0, int64_t y1, int64_t x0, int64_t x1)
{
    jm_move move = *all;
    if (y0 >= y1 || x0 >= x1) return JM_OK;
    move.dim[2] = y1 - y0;
    move.dim[3] = x1 - x0;
    move.in_offset += y0 * move.in_stride[2] + x0 * move.in_stride[3];
    move.out_offset += y0 * move.out_stride[2] + x0 * move.out_stride[3];
    return jm_moves_add(moves, &move);
}

/* The row of each channel that belongs to one kernel point: what lies inside, and zeros around it. */
static jm_status add_tap(jm_moves *moves, const windows *w, const jm_tensor *x, const jm_tensor *out, int64_t ky,
                         int64_t kx)
{
    const int64_t element = (int64_t)moves->element, *size = x->shape.dim + x->shape.rank - 2;
    const int64_t *in_stride = x->stride + x->shape.rank - 3, *out_stride = out->stride + out->shape.rank - 2;
    const int64_t area = w->kernel[0] * w->kernel[1];
    const bool batch = x->shape.rank == 4;
    int64_t y0, y1, x0, x1;
    places_inside(w, 0, size[0], ky, &y0, &y1);
    places_inside(w, 1, size[1], kx, &x0, &x1);
    jm_move move = {
        .rank = 4,
        .dim = {batch ? x->shape.dim[0] : 1, size[-1]},
        .in_offset = ((ky * w->dilation[0] - w->padding[0]) * in_stride[1] +
                      (kx * w->dilation[1] - w->padding[1]) * in_stride[2]) *
                     element,
        .in_stride = {batch ? x->stride[0] * element : 0, in_stride[0] * element, w->stride[0] * in_stride[1] * element,
                      w->stride[1] * in_stride[2] * element},
        .out_offset = (ky * w->kernel[1] + kx) * out_stride[0] * element,
        .out_stride = {batch ? out->stride[0] * element : element, area * out_stride[0] * element,
                       w->count[1] * out_stride[1] * element, out_stride[1] * element},
    };
    JM_TRY(add_places(moves, &move, y0, y1, x0, x1));
    move.in = JM_MOVE_ZEROS;
    move.in_offset = 0;
    memset(move.in_stride, 0, sizeof(move.in_stride));
    JM_TRY(add_places(moves, &move, 0, y0, 0, w->count[1]));
    JM_TRY(add_places(moves, &move, y1, w->count[0], 0, w->count[1]));
    JM_TRY(add_places(moves, &move, y0, y1, 0, x0));
    return add_places(moves, &move, y0, y1, x1, w->count[1]);
}

static jm_status plan_im2col(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    enum { MOST_POINTS = 1 << 16 };
    const jm_tensor *x = &call->in[0];
    windows w;
    jm_moves *moves = jm_moves_create(arena, x->dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    JM_TRY(read_windows(call, x->shape.dim + x->shape.rank - 2, &w));
    if (w.kernel[0] * w.kernel[1] > MOST_POINTS)
        return jm_call_error(call, JM_OUT_OF_RANGE, "the kernel has %lld points; the limit is %d",
                             (long long)(w.kernel[0] * w.kernel[1]), MOST_POINTS);
    for (int64_t ky = 0; ky < w.kernel[0]; ky++)
        for (int64_t kx = 0; kx < w.kernel[1]; kx++) JM_TRY(add_tap(moves, &w, x, &call->out[0], ky, kx));
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

#define WINDOW_ATTRIBUTES                                                                                              \
    {"kernel_size", JM_PARAM_INTS, 0, .doc = "points of a block, height and width"},                                   \
        {"dilation", JM_PARAM_INTS, 0, .doc = "distance of points of a block"},                                        \
        {"padding", JM_PARAM_INTS, 0, .doc = "on both sides"},                                                         \
    {                                                                                                                  \
        "stride", JM_PARAM_INTS, 0, .doc = "distance of blocks"                                                        \
    }

static const jm_param im2col_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "[N, C, H, W] or [C, H, W]"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "[N, C points of a block, blocks], without N for an image"},
    WINDOW_ATTRIBUTES,
};

const jm_op jm_op_im2col = {
    .name = "Im2Col",
    .param = im2col_param,
    .params = JM_COUNT(im2col_param),
    .dtype_rule = JM_DTYPE_SAME,
    .formula = "each column is a block of the padded image",
    .source = "PyTorch aten::im2col",
    .infer = infer_im2col,
    .plan = plan_im2col,
    .run = jm_moves_run,
};

/* ---- Im2ColBackward ---- */

static jm_status infer_im2col_backward(jm_call *call)
{
    const jm_shape *columns = &call->in[0].shape;
    windows w;
    int64_t size[2];
    JM_TRY(read_pair(call, ATTR_SIZE, 1, size));
    JM_TRY(read_windows(call, size, &w));
    if (columns->rank != 2 && columns->rank != 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the columns have rank %d and must have 2 or 3", columns->rank);
    const int64_t area = product(w.kernel[0], w.kernel[1]), *dim = columns->dim + columns->rank - 2;
    if (dim[0] >= 0 && dim[1] >= 0 && (area < 1 || dim[0] % area || dim[1] != product(w.count[0], w.count[1])))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "[%lld,%lld] are no columns of %lld points at %lld x %lld places", (long long)dim[0],
                             (long long)dim[1], (long long)area, (long long)w.count[0], (long long)w.count[1]);
    jm_shape *out = &call->out[0].shape;
    *out = (jm_shape){.rank = columns->rank + 1};
    if (columns->rank == 3) out->dim[0] = columns->dim[0];
    out->dim[out->rank - 3] = dim[0] < 0 ? -1 : dim[0] / area;
    memcpy(out->dim + out->rank - 2, size, sizeof(size));
    return JM_OK;
}

static jm_status lower_im2col_backward(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    windows w;
    int64_t size[2];
    JM_TRY(read_pair(call, ATTR_SIZE, 1, size));
    JM_TRY(read_windows(call, size, &w));
    jm_shape columns = call->in[0].shape, out = call->out[0].shape;
    if (columns.rank == 2) columns = (jm_shape){.rank = 3, .dim = {1, columns.dim[0], columns.dim[1]}};
    const int64_t pads[] = {w.padding[0], w.padding[1], w.padding[0], w.padding[1]};
    const jm_named_attr attr[] = {{"dilations", {.ints = w.dilation, .count = 2}},
                                  {"pads", {.ints = pads, .count = 4}},
                                  {"strides", {.ints = w.stride, .count = 2}}};
    jm_operand *in[] = {jm_compose_reshape(&c, jm_compose_input(&c, 0), &columns), jm_compose_ints(&c, size, 2),
                        jm_compose_ints(&c, w.kernel, 2)};
    if (out.rank == 4)
        jm_compose_output_node(&c, 0, "Col2Im", in, 3, attr, JM_COUNT(attr));
    else
        jm_compose_result(&c, 0,
                          jm_compose_reshape(&c, jm_compose_node(&c, "Col2Im", in, 3, attr, JM_COUNT(attr)), &out));
    return jm_compose_end(&c);
}

static const jm_param im2col_backward_param[] = {
    {"grad_output", JM_PARAM_INPUT, 0, .doc = "[N, C points of a block, blocks], or without N"},
    {"grad_input", JM_PARAM_OUTPUT, 0, .doc = "[N, C, H, W], or without N"},
    WINDOW_ATTRIBUTES,
    {"input_size", JM_PARAM_INTS, 0, .doc = "H and W"},
};

const jm_op jm_op_im2col_backward = {
    .name = "Im2ColBackward",
    .param = im2col_backward_param,
    .params = JM_COUNT(im2col_backward_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32 | 1u << JM_F64 | 1u << JM_I32,
    .formula = "the blocks added where they belong",
    .source = "PyTorch aten::col2im",
    .infer = infer_im2col_backward,
    .lower = lower_im2col_backward,
};

/* ---- Col2Im ---- */

enum { COLUMNS, IMAGE_SHAPE, BLOCK_SHAPE };
enum { COL_DILATIONS, COL_PADS, COL_STRIDES };

typedef struct columns {
    int spatial;
    int64_t image[3], block[3], stride[3], dilation[3], before[3], after[3], positions[3];
    int64_t area; /* points of a block */
} columns;

/* What an optional list says for dimension k. */
static int64_t attr_or(const jm_attr *attr, int k, int64_t fallback)
{
    return attr->count ? attr->ints[k] : fallback;
}

static jm_status resolve_columns(const jm_call *call, columns *g)
{
    const jm_shape *x = &call->in[COLUMNS].shape;
    const jm_attr *dilations = &call->attr[COL_DILATIONS], *pads = &call->attr[COL_PADS];
    const jm_attr *strides = &call->attr[COL_STRIDES];
    int64_t count = 1, limit = (int64_t)1 << 31;
    int blocks;
    JM_TRY(jm_call_host_ints(call, IMAGE_SHAPE, g->image, 3, &g->spatial));
    JM_TRY(jm_call_host_ints(call, BLOCK_SHAPE, g->block, 3, &blocks));
    const int n = g->spatial;
    if (n < 1 || blocks != n || x->rank != 3 || (dilations->count && dilations->count != n) ||
        (strides->count && strides->count != n) || (pads->count && pads->count != 2 * n))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "image_shape has %d numbers, block_shape %d, and the input rank %d, which must be 3", n,
                             blocks, x->rank);
    g->area = 1;
    for (int k = 0; k < n; k++) {
        g->stride[k] = attr_or(strides, k, 1);
        g->dilation[k] = attr_or(dilations, k, 1);
        g->before[k] = attr_or(pads, k, 0);
        g->after[k] = attr_or(pads, n + k, 0);
        const int64_t number[] = {g->image[k],    g->block[k],      g->stride[k],
                                  g->dilation[k], g->before[k] + 1, g->after[k] + 1};
        for (size_t i = 0; i < JM_COUNT(number); i++)
            if (number[i] < 1 || number[i] > limit)
                return jm_call_error(call, JM_INVALID_ARGUMENT, "dimension %d of the image has sizes outside 1 .. 2^31",
                                     k);
        const int64_t room = g->image[k] + g->before[k] + g->after[k] - ((g->block[k] - 1) * g->dilation[k] + 1);
        g->positions[k] = room < 0 ? 0 : room / g->stride[k] + 1;
        if (__builtin_mul_overflow(g->area, g->block[k], &g->area) ||
            __builtin_mul_overflow(count, g->positions[k], &count))
            return jm_call_error(call, JM_OUT_OF_RANGE, "the blocks have too many points");
    }
    if (jm_shape_known(x) && (count == 0 || x->dim[2] != count || x->dim[1] % g->area))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "[N,%lld,%lld] are no columns of %lld points at %lld places",
                             (long long)x->dim[1], (long long)x->dim[2], (long long)g->area, (long long)count);
    return JM_OK;
}

static jm_status infer_columns(jm_call *call)
{
    columns g = {0};
    JM_TRY(resolve_columns(call, &g));
    const jm_shape *x = &call->in[COLUMNS].shape;
    jm_shape *out = &call->out[0].shape;
    *out = (jm_shape){.rank = 2 + g.spatial, .dim = {x->dim[0], x->dim[1] < 0 ? -1 : x->dim[1] / g.area}};
    for (int k = 0; k < g.spatial; k++) out->dim[2 + k] = g.image[k];
    return JM_OK;
}

/* Dimensions as (z, y, x): missing ones in front have one point and one place. */
typedef struct columns_state {
    int64_t image[3], block[3], stride[3], dilation[3], before[3], positions[3];
    int64_t batch, channels, area;
    ptrdiff_t in_image, in_row, in_place, out_image, out_channel, out_point[3];
    size_t chunks;
    jm_dtype dtype;
} columns_state;

/* Adds a row of places of one kernel point to a row of the image. */
#define ADD_ROW(name, type)                                                                                            \
    static void name(void *image, ptrdiff_t point, const void *column, ptrdiff_t place, int64_t count)                 \
    {                                                                                                                  \
        type *to = image;                                                                                              \
        const type *from = column;                                                                                     \
        for (int64_t i = 0; i < count; i++) to[i * point] += from[i * place];                                          \
    }
ADD_ROW(add_f32, float)
ADD_ROW(add_f64, double)
ADD_ROW(add_i32, uint32_t)

static void add_row(jm_dtype dtype, void *image, ptrdiff_t point, const void *column, ptrdiff_t place, int64_t count)
{
    (dtype == JM_F32 ? add_f32 : dtype == JM_F64 ? add_f64 : add_i32)(image, point, column, place, count);
}

/* Place `place` of dimension k puts kernel point `tap` on point *at; false when that lies beside the image. */
static bool point_of(const columns_state *s, int k, int64_t place, int64_t tap, int64_t *at)
{
    *at = place * s->stride[k] + tap * s->dilation[k] - s->before[k];
    return *at >= 0 && *at < s->image[k];
}

static void clear_channel(const columns_state *s, char *out, ptrdiff_t size)
{
    for (int64_t z = 0; z < s->image[0]; z++)
        for (int64_t y = 0; y < s->image[1]; y++)
            for (int64_t x = 0; x < s->image[2]; x++)
                memset(out + (z * s->out_point[0] + y * s->out_point[1] + x * s->out_point[2]) * size, 0, (size_t)size);
}

/* All places of one kernel point; the points of a channel are added tap by tap. */
static void add_point(const columns_state *s, const char *in, char *out, const int64_t tap[3], ptrdiff_t size)
{
    int64_t at[3], first = 0, end;
    while (first < s->positions[2] && !point_of(s, 2, first, tap[2], &at[2])) first++;
    for (end = first; end < s->positions[2] && point_of(s, 2, end, tap[2], &at[2]);) end++;
    point_of(s, 2, first, tap[2], &at[2]);
    for (int64_t z = 0; z < s->positions[0]; z++) {
        if (!point_of(s, 0, z, tap[0], &at[0])) continue;
        for (int64_t y = 0; y < s->positions[1]; y++) {
            if (!point_of(s, 1, y, tap[1], &at[1]) || first == end) continue;
            const int64_t place = (z * s->positions[1] + y) * s->positions[2] + first;
            const ptrdiff_t to = at[0] * s->out_point[0] + at[1] * s->out_point[1] + at[2] * s->out_point[2];
            add_row(s->dtype, out + to * size, s->out_point[2] * s->stride[2], in + place * s->in_place * size,
                    s->in_place, end - first);
        }
    }
}

static void run_columns(const jm_plan *plan, const jm_run *run)
{
    const columns_state *s = plan->state;
    const ptrdiff_t size = (ptrdiff_t)jm_dtype_size(s->dtype);
    int64_t begin, end, tap[3];
    jm_chunk_range(s->batch * s->channels, s->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const int64_t image = i / s->channels, channel = i % s->channels;
        const char *in = (const char *)run->in[COLUMNS] + (image * s->in_image + channel * s->area * s->in_row) * size;
        char *out = (char *)run->out[0] + (image * s->out_image + channel * s->out_channel) * size;
        clear_channel(s, out, size);
        for (tap[0] = 0; tap[0] < s->block[0]; tap[0]++)
            for (tap[1] = 0; tap[1] < s->block[1]; tap[1]++)
                for (tap[2] = 0; tap[2] < s->block[2]; tap[2]++, in += s->in_row * size)
                    add_point(s, in, out, tap, size);
    }
}

static jm_status plan_columns(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[COLUMNS], *out = &call->out[0];
    columns g = {0};
    columns_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    JM_TRY(resolve_columns(call, &g));
    for (int k = 0; k < 3; k++) {
        s->image[k] = s->block[k] = s->stride[k] = s->dilation[k] = s->positions[k] = 1;
        const int from = k - (3 - g.spatial);
        if (from < 0) continue;
        s->image[k] = g.image[from];
        s->block[k] = g.block[from];
        s->stride[k] = g.stride[from];
        s->dilation[k] = g.dilation[from];
        s->before[k] = g.before[from];
        s->positions[k] = g.positions[from];
        s->out_point[k] = (ptrdiff_t)out->stride[2 + from];
    }
    s->batch = out->shape.dim[0];
    s->channels = out->shape.dim[1];
    s->area = g.area;
    s->in_image = (ptrdiff_t)in->stride[0];
    s->in_row = (ptrdiff_t)in->stride[1];
    s->in_place = (ptrdiff_t)in->stride[2];
    s->out_image = (ptrdiff_t)out->stride[0];
    s->out_channel = (ptrdiff_t)out->stride[1];
    s->dtype = in->dtype;
    s->chunks = plan->chunks = jm_chunk_count(machine, 4.0 * (double)jm_tensor_elements(in), s->batch * s->channels);
    plan->state = s;
    return JM_OK;
}

static const jm_param columns_param[] = {
    {.name = "input", .kind = JM_PARAM_INPUT, .doc = "[N, C points of a block, blocks]"},
    {.name = "image_shape", .kind = JM_PARAM_INPUT, .flags = JM_HOST, .doc = "1 to 3 spatial dimensions"},
    {.name = "block_shape", .kind = JM_PARAM_INPUT, .flags = JM_HOST, .doc = "as many"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "[N, C, image_shape...]"},
    {.name = "dilations", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "distance of points of a block; 1"},
    {.name = "pads", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "begins, then ends; 0"},
    {.name = "strides", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "distance of blocks; 1"},
};

const jm_op jm_op_col2im = {
    .name = "Col2Im",
    .param = columns_param,
    .params = JM_COUNT(columns_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32 | 1u << JM_F64 | 1u << JM_I32,
    .formula = "the blocks added where they belong",
    .source = "ONNX Col2Im-18",
    .infer = infer_columns,
    .plan = plan_columns,
    .run = run_columns,
};
