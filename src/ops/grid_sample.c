/* SPDX-License-Identifier: Apache-2.0
 *
 * GridSample: values of a map at places that are data, interpolated; and AffineGrid, which makes such places.
 */
#include <math.h>
#include <string.h>

#include "ops/compose.h"
#include "ops/indexing.h"
#include "ops/resize.h"

#define MOST_AXES 3 /* spatial axes */
#define MOST_TAPS 4 /* along an axis: cubic */
#define MOST_POINTS (MOST_TAPS * MOST_TAPS * MOST_TAPS)
#define FAR 1e9f /* beyond it a place is as good as at it */

enum { MAP, GRID };                         /* inputs */
enum { ALIGN_CORNERS, MODE, PADDING_MODE }; /* attributes */
enum { ZEROS, BORDER, REFLECTION, PADDINGS };
static const char *const padding_text[PADDINGS] = {"zeros", "border", "reflection"};

enum { LINEAR, NEAREST, CUBIC, BILINEAR, BICUBIC, MODES }; /* the last two are names of opset 16 */
static const char *const mode_text[MODES] = {"linear", "nearest", "cubic", "bilinear", "bicubic"};

typedef struct sample_state {
    jm_dtype dtype, grid_dtype;
    int axes, taps, padding;
    bool align;
    int64_t batches, channels, places;                                             /* places of one batch */
    int64_t dim[MOST_AXES], map_step[MOST_AXES];                                   /* map_step: bytes */
    int64_t map_batch, map_channel, out_batch, out_channel, grid_batch, grid_step; /* bytes */
    jm_walk place;                                                                 /* streams: grid, output */
    size_t chunks;
} sample_state;

static jm_status choose(const jm_call *call, int attr, const char *const text[], int count, int *out)
{
    for (*out = 0; *out < count; ++*out)
        if (strcmp(call->attr[attr].s, text[*out]) == 0) return JM_OK;
    return jm_call_error(call, JM_UNSUPPORTED, "%s '%s' is not supported", jm_op_attr(call->op, attr)->name,
                         call->attr[attr].s);
}

static jm_status sample_infer(jm_call *call)
{
    const jm_shape *map = &call->in[MAP].shape, *grid = &call->in[GRID].shape;
    const int axes = map->rank - 2;
    int choice;
    JM_TRY(choose(call, MODE, mode_text, MODES, &choice));
    JM_TRY(choose(call, PADDING_MODE, padding_text, PADDINGS, &choice));
    if (axes < 1 || axes > MOST_AXES)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X has rank %d and must have 3 to %d", map->rank,
                             MOST_AXES + 2);
    if (grid->rank != map->rank || grid->dim[axes + 1] != axes || grid->dim[0] != map->dim[0])
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "the grid must have the rank and batches of X and %d coordinates", axes);
    if (!(JM_DTYPES_FLOAT >> call->in[GRID].dtype & 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the grid is %s and must be floating-point",
                             jm_dtype_text(call->in[GRID].dtype));
    for (int k = 0; k < axes; k++)
        if (map->dim[k + 2] == 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "X has no elements to sample");
    call->out[0].dtype = call->in[MAP].dtype;
    call->out[0].shape = *grid;
    call->out[0].shape.dim[1] = map->dim[1];
    for (int k = 0; k < axes; k++) call->out[0].shape.dim[k + 2] = grid->dim[k + 1];
    return JM_OK;
}

static jm_status sample_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    sample_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    const jm_tensor *map = &call->in[MAP], *grid = &call->in[GRID], *out = &call->out[0];
    int mode;
    if (!s) return JM_OUT_OF_MEMORY;
    plan->state = s;
    JM_TRY(choose(call, MODE, mode_text, MODES, &mode));
    JM_TRY(choose(call, PADDING_MODE, padding_text, PADDINGS, &s->padding));
    s->taps = mode == NEAREST ? 1 : (mode == LINEAR || mode == BILINEAR ? 2 : 4);
    s->align = call->attr[ALIGN_CORNERS].i != 0;
    s->dtype = map->dtype;
    s->grid_dtype = grid->dtype;
    s->axes = map->shape.rank - 2;
    s->batches = map->shape.dim[0];
    s->channels = map->shape.dim[1];
    s->map_batch = jm_byte_stride(map, 0);
    s->map_channel = jm_byte_stride(map, 1);
    s->out_batch = jm_byte_stride(out, 0);
    s->out_channel = jm_byte_stride(out, 1);
    s->grid_batch = jm_byte_stride(grid, 0);
    s->grid_step = jm_byte_stride(grid, s->axes + 1);
    s->place.count = 1;
    for (int k = 0; k < s->axes; k++) {
        s->dim[k] = map->shape.dim[k + 2];
        s->map_step[k] = jm_byte_stride(map, k + 2);
        if (s->dim[k] > INT32_MAX) return jm_call_error(call, JM_OUT_OF_RANGE, "axis %d is too long", k + 2);
        jm_walk_add(&s->place, grid->shape.dim[k + 1], jm_byte_stride(grid, k + 1), jm_byte_stride(out, k + 2), 0);
    }
    s->places = s->place.count;
    const double bytes = (double)s->places * (double)s->batches * (double)s->channels * s->taps * s->taps * 4;
    s->chunks = plan->chunks = jm_chunk_count(machine, bytes, s->places * s->batches);
    return JM_OK;
}

/* The points of the map that make one place, and their weights. */
typedef struct points {
    int count;
    int64_t offset[MOST_POINTS]; /* bytes; -1: a padding of zero */
    float weight[MOST_POINTS];
} points;

/* Index of a pixel that may lie outside; -1 where the padding is zero. */
static int64_t inside(const sample_state *s, int axis, int64_t pixel)
{
    const int64_t dim = s->dim[axis], period = s->align ? 2 * (dim - 1) : 2 * dim;
    if (pixel >= 0 && pixel < dim) return pixel;
    if (s->padding == ZEROS) return -1;
    if (s->padding == BORDER) return pixel < 0 ? 0 : dim - 1;
    if (period == 0) return 0;
    pixel %= period;
    if (pixel < 0) pixel += period;
    return pixel < dim ? pixel : period - pixel - (s->align ? 0 : 1);
}

/* First pixel and weights along an axis. */
static int64_t taps(const sample_state *s, float x, float weight[MOST_TAPS])
{
    x = x > -FAR ? (x < FAR ? x : FAR) : -FAR; /* NaN is far away, too */
    if (s->taps == 1) {
        weight[0] = 1;
        return (int64_t)nearbyintf(x);
    }
    const float first = floorf(x), part = x - first;
    if (s->taps == 2) {
        weight[0] = 1 - part;
        weight[1] = part;
        return (int64_t)first;
    }
    jm_cubic_weights(-0.75, (double)part, weight);
    return (int64_t)first - 1;
}

static void find_points(const sample_state *s, const char *grid, points *p)
{
    p->count = 1;
    p->offset[0] = 0;
    p->weight[0] = 1;
    for (int k = 0; k < s->axes; k++) {
        /* The last coordinate is that of the last axis in memory: they come in the order x, y, z. */
        const char *at = grid + (int64_t)(s->axes - 1 - k) * s->grid_step;
        const float g = (float)jm_element_to_f64(s->grid_dtype, at), dim = (float)s->dim[k];
        float weight[MOST_TAPS];
        const float x = s->align ? (g + 1) / 2 * (dim - 1) : ((g + 1) * dim - 1) / 2;
        const int64_t first = taps(s, x, weight);
        /* Each point so far becomes `taps` points; from the back, so that it can be done in place. */
        for (int i = p->count - 1; i >= 0; i--) {
            const int64_t base = p->offset[i];
            const float scale = p->weight[i];
            for (int t = 0; t < s->taps; t++) {
                const int64_t pixel = inside(s, k, first + t);
                p->offset[i * s->taps + t] = base < 0 || pixel < 0 ? -1 : base + pixel * s->map_step[k];
                p->weight[i * s->taps + t] = scale * weight[t];
            }
        }
        p->count *= s->taps;
    }
}

static void sample(const sample_state *s, const points *p, const char *map, char *out)
{
    if (s->dtype == JM_F64) {
        double sum = 0;
        for (int i = 0; i < p->count; i++)
            if (p->offset[i] >= 0)
                sum = fma((double)p->weight[i], *(const double *)(const void *)(map + p->offset[i]), sum);
        memcpy(out, &sum, sizeof(sum));
        return;
    }
    if (s->taps == 1) { /* nearest moves elements of any type */
        if (p->offset[0] >= 0)
            memcpy(out, map + p->offset[0], jm_dtype_size(s->dtype));
        else
            memset(out, 0, jm_dtype_size(s->dtype));
        return;
    }
    float sum = 0;
    for (int i = 0; i < p->count; i++) {
        if (p->offset[i] < 0) continue;
        const char *at = map + p->offset[i];
        const float x = s->dtype == JM_F32 ? *(const float *)(const void *)at : (float)jm_element_to_f64(s->dtype, at);
        sum = fmaf(p->weight[i], x, sum);
    }
    jm_element_from_f64(s->dtype, (double)sum, out);
}

static void sample_run(const jm_plan *plan, const jm_run *run)
{
    const sample_state *s = plan->state;
    int64_t begin, end, offset[JM_WALK_STREAMS];
    jm_chunk_range(s->places * s->batches, s->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const int64_t batch = i / s->places;
        points p;
        jm_walk_at(&s->place, i % s->places, offset);
        find_points(s, (const char *)run->in[GRID] + batch * s->grid_batch + offset[0], &p);
        const char *map = (const char *)run->in[MAP] + batch * s->map_batch;
        char *out = (char *)run->out[0] + batch * s->out_batch + offset[1];
        for (int64_t c = 0; c < s->channels; c++) sample(s, &p, map + c * s->map_channel, out + c * s->out_channel);
    }
}

static const jm_param sample_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[N, C, D1 ...] with 1 to 3 spatial axes"},
    {"grid", JM_PARAM_INPUT, 0, .doc = "[N, O1 ..., axes], coordinates from -1 to 1, last axis first"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "[N, C, O1 ...]"},
    {"align_corners", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: -1 and 1 are centers of corner pixels; 0: their edges"},
    {"mode", JM_PARAM_STRING, JM_OPTIONAL, .s = "linear", .doc = "linear (bilinear), nearest or cubic (bicubic)"},
    {"padding_mode", JM_PARAM_STRING, JM_OPTIONAL, .s = "zeros", .doc = "zeros, border or reflection"},
};

const jm_op jm_op_grid_sample = {
    .name = "GridSample",
    .param = sample_param,
    .params = JM_COUNT(sample_param),
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "sum of weight * x over 1, 2 or 4 neighbours of the place along each axis",
    .source = "ONNX GridSample-22",
    .infer = sample_infer,
    .plan = sample_plan,
    .run = sample_run,
};

/* ---- AffineGrid ---- */

/* Spatial sizes of the output, from the input [N, C, D1 ...]. */
static jm_status affine_sizes(const jm_call *call, int64_t size[5], int *axes)
{
    const jm_shape *theta = &call->in[0].shape;
    int count;
    JM_TRY(jm_call_host_ints(call, 1, size, 5, &count));
    *axes = count - 2;
    if (count < 4 || theta->rank != 3 || theta->dim[0] != size[0] || theta->dim[1] != *axes ||
        theta->dim[2] != *axes + 1)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "size must be [N, C, H, W] or [N, C, D, H, W] and theta [N, axes, axes + 1]");
    for (int k = 0; k < count; k++)
        if (size[k] < 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "size[%d] is %lld", k, (long long)size[k]);
    return JM_OK;
}

static jm_status affine_infer(jm_call *call)
{
    int64_t size[5];
    int axes;
    JM_TRY(affine_sizes(call, size, &axes));
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = (jm_shape){.rank = axes + 2, .dim = {size[0]}};
    for (int k = 0; k < axes; k++) call->out[0].shape.dim[k + 1] = size[k + 2];
    call->out[0].shape.dim[axes + 1] = axes;
    return JM_OK;
}

/* Coordinates -1 .. 1 along spatial axis k, in the shape of the grid with one coordinate. */
static jm_operand *axis_coordinates(jm_compose *c, const jm_call *call, const int64_t *dim, int axes, int k)
{
    const double count = (double)dim[k];
    const bool align = call->attr[0].i != 0;
    const double step = align ? (count > 1 ? 2 / (count - 1) : 0) : 2 / JM_MAX(count, 1);
    jm_operand *in[] = {jm_compose_scalar(c, JM_F32, 0), jm_compose_scalar(c, JM_F32, count),
                        jm_compose_scalar(c, JM_F32, 1)};
    jm_shape own = {.rank = axes + 1}, full = {.rank = axes + 1};
    for (int i = 0; i <= axes; i++) {
        own.dim[i] = i == k ? dim[k] : 1;
        full.dim[i] = i < axes ? dim[i] : 1;
    }
    jm_operand *x = jm_compose_reshape(c, jm_compose_node(c, "Range", in, 3, NULL, 0), &own);
    x = jm_compose_2(c, "Mul", x, jm_compose_scalar(c, JM_F32, step));
    x = jm_compose_2(c, "Add", x, jm_compose_scalar(c, JM_F32, align ? -1 : step / 2 - 1));
    return jm_compose_expand(c, x, &full);
}

static jm_status affine_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    int64_t size[5], places = 1;
    int axes;
    JM_TRY(affine_sizes(call, size, &axes));
    const int64_t *dim = size + 2;
    jm_operand *part[MOST_AXES + 1];
    jm_shape full = {.rank = axes + 1};
    for (int k = 0; k < axes; k++) full.dim[k] = dim[k];
    for (int k = 0; k < axes; k++) places *= dim[k];
    full.dim[axes] = 1;
    for (int k = 0; k < axes; k++) part[k] = axis_coordinates(&c, call, dim, axes, axes - 1 - k);
    part[axes] = jm_compose_expand(&c, jm_compose_scalar(&c, JM_F32, 1), &full);
    const jm_shape rows = {.rank = 2, .dim = {places, axes + 1}};
    jm_operand *grid = jm_compose_reshape(&c, jm_compose_concat(&c, part, axes + 1, axes), &rows);
    jm_operand *theta = jm_compose_cast(&c, jm_compose_input(&c, 0), JM_F32);
    jm_operand *y = jm_compose_2(&c, "MatMul", grid, jm_compose_transpose(&c, theta, (int64_t[]){0, 2, 1}));
    y = jm_compose_reshape(&c, y, &call->out[0].shape);
    jm_compose_result(&c, 0, jm_compose_cast(&c, y, call->in[0].dtype));
    return jm_compose_end(&c);
}

static const jm_param affine_param[] = {
    {"theta", JM_PARAM_INPUT, 0, .doc = "[N, 2, 3] or [N, 3, 4]"},
    {"size", JM_PARAM_INPUT, JM_HOST, .doc = "[N, C, H, W] or [N, C, D, H, W]"},
    {"grid", JM_PARAM_OUTPUT, 0, .doc = "[N, H, W, 2] or [N, D, H, W, 3]"},
    {"align_corners", JM_PARAM_INT, JM_OPTIONAL, .doc = "as in GridSample"},
};

const jm_op jm_op_affine_grid = {
    .name = "AffineGrid",
    .param = affine_param,
    .params = JM_COUNT(affine_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "grid[n, p] = theta[n] (coordinates of p, 1)",
    .source = "ONNX AffineGrid-20",
    .infer = affine_infer,
    .lower = affine_lower,
};
