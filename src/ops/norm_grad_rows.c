/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradients of LayerNormalization and GroupNormalization in one pass over dY and X, float32. X is [images, groups,
 * channels of a group, points]; a row, [channels of a group, points], shares its mean and deviation. LayerNormalization
 * has one group, whose channels are the elements of a row, of one point.
 *
 * With t = X - mean and g = dY scale, dX = invstd (g - mean g - t invstd^2 mean(g t)); the sums of a row are made in
 * the 16-lane tree of the reductions from pieces, which are added in double. The gradients of scale and bias are sums
 * over all images, of which each part of the images makes its own. Parts depend on the shape alone.
 */
#include <string.h>

#include "kernels/kernels.h"
#include "ops/op.h"
#include "ops/strided.h"

enum { DY, X, MEAN, INVSTD, SCALE };
enum { ATTR_GROUPS, ATTR_POINTS, ATTR_PARTS };

#define PIECE 4096

/* A tensor as rows of contiguous elements, or as a nest from which they are gathered. */
typedef struct nest {
    bool flat;
    int rank;
    int64_t dim[JM_MAX_RANK], stride[JM_MAX_RANK];
} nest;

typedef struct norm_state {
    const jm_kernels *kernels;
    int64_t images, groups, own, points, parts; /* own: channels of a group */
    nest of[5], dx;
    bool scaled;
    int64_t d_stride[2][2]; /* of d_scale and d_bias: part, channel */
} norm_state;

static nest describe(const jm_tensor *tensor)
{
    nest n = {.rank = tensor->shape.rank};
    memcpy(n.dim, tensor->shape.dim, sizeof(n.dim));
    memcpy(n.stride, tensor->stride, sizeof(n.stride));
    n.rank = jm_strided_merge(n.rank, n.dim, n.stride, NULL);
    n.flat = n.rank == 0 || (n.rank == 1 && n.stride[0] == 1);
    return n;
}

static const float *load(const nest *n, const void *data, int64_t first, int64_t count, float *buffer)
{
    if (n->flat) return (const float *)data + first;
    jm_strided_gather(buffer, data, sizeof(float), n->rank, n->dim, n->stride, first, count);
    return buffer;
}

static float element(const nest *n, const void *data, int64_t i)
{
    return ((const float *)data)[jm_strided_offset(n->rank, n->dim, n->stride, i)];
}

/* The sums of g and of g t over n elements. */
static void add_sums(const norm_state *s, jm_norm_row row, int64_t n, double sum[2])
{
    for (int64_t i = 0; i < n; i += PIECE) {
        float lane[2][16] = {{0}};
        s->kernels->training.norm_sums(&row, lane, (size_t)JM_MIN(PIECE, n - i));
        for (int k = 0; k < 2; k++) sum[k] += (double)jm_reduce_tree(JM_REDUCE_SUM, lane[k]);
        row.dy += PIECE;
        row.x += PIECE;
        if (row.scale) row.scale += PIECE;
    }
}

/* One row: dX, and its share of the gradients of scale and bias. */
static void grad_row(const norm_state *s, const jm_norm_row *all, float invstd, float *dx, float *d_scale,
                     float *d_bias)
{
    const bool elements = s->points == 1; /* a channel is an element */
    const int64_t count = s->own * s->points;
    double sum[2] = {0};
    jm_norm_row row = *all;
    if (elements) {
        add_sums(s, row, count, sum);
        s->kernels->training.norm_scale(&row, d_scale, d_bias, (size_t)count, invstd);
    } else {
        row.scale = NULL;
        for (int64_t c = 0; c < s->own; c++, row.dy += s->points, row.x += s->points) {
            double channel[2] = {0};
            add_sums(s, row, s->points, channel);
            d_bias[c] += (float)channel[0];
            d_scale[c] += (float)(channel[1] * (double)invstd);
            for (int k = 0; k < 2; k++) sum[k] += all->scale ? channel[k] * (double)all->scale[c] : channel[k];
        }
    }
    jm_norm_factors factors = {
        .weight = 1,
        .slope = (float)(-sum[1] / (double)count * (double)invstd * (double)invstd),
        .shift = (float)(-sum[0] / (double)count),
        .factor = invstd,
    };
    if (elements) {
        s->kernels->training.norm_input(&row, dx, (size_t)count, &factors);
        return;
    }
    row = *all;
    row.scale = NULL;
    for (int64_t c = 0; c < s->own; c++, row.dy += s->points, row.x += s->points, dx += s->points) {
        if (all->scale) factors.weight = all->scale[c];
        s->kernels->training.norm_input(&row, dx, (size_t)s->points, &factors);
    }
}

/* A chunk is a group of a part of the images. */
static void run(const jm_plan *plan, const jm_run *run)
{
    const norm_state *s = plan->state;
    const int64_t part = (int64_t)run->chunk / s->groups, group = (int64_t)run->chunk % s->groups;
    const int64_t begin = s->images * part / s->parts, end = s->images * (part + 1) / s->parts;
    const int64_t count = s->own * s->points;
    float *scale = run->scratch, *d_scale = scale + s->own, *d_bias = d_scale + s->own, *buffer = d_bias + s->own;
    jm_norm_row row = {.scale = NULL};
    if (s->scaled) row.scale = load(&s->of[SCALE], run->in[SCALE], group * s->own, s->own, scale);
    memset(d_scale, 0, 2 * (size_t)s->own * sizeof(float));
    for (int64_t image = begin; image < end; image++) {
        const int64_t at = image * s->groups + group;
        float *dx = s->dx.flat ? (float *)run->out[0] + at * count : buffer + 2 * count;
        row.dy = load(&s->of[DY], run->in[DY], at * count, count, buffer);
        row.x = load(&s->of[X], run->in[X], at * count, count, buffer + count);
        row.mean = element(&s->of[MEAN], run->in[MEAN], at);
        grad_row(s, &row, element(&s->of[INVSTD], run->in[INVSTD], at), dx, d_scale, d_bias);
        if (!s->dx.flat)
            jm_strided_scatter(run->out[0], dx, sizeof(float), s->dx.rank, s->dx.dim, s->dx.stride, at * count, count);
    }
    for (int i = 0; i < 2; i++) {
        float *to = (float *)run->out[1 + i] + part * s->d_stride[i][0] + group * s->own * s->d_stride[i][1];
        for (int64_t c = 0; c < s->own; c++) to[c * s->d_stride[i][1]] = (i ? d_bias : d_scale)[c];
    }
}

/* X as [images, groups, own, points]. */
static jm_status resolve(const jm_call *call, norm_state *s)
{
    int64_t elements;
    JM_TRY(jm_shape_count(&call->in[X].shape, &elements));
    s->groups = call->attr[ATTR_GROUPS].i;
    s->points = call->attr[ATTR_POINTS].i;
    s->parts = call->attr[ATTR_PARTS].i;
    const int64_t rows = jm_tensor_elements(&call->in[MEAN]);
    const int64_t count = rows > 0 ? elements / rows : 0; /* of a row */
    if (s->groups < 1 || s->points < 1 || s->parts < 1 || rows < 1 || rows % s->groups || elements % rows ||
        count % s->points)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "%lld elements in %lld rows of %lld groups with %lld points: they must divide each other",
                             (long long)elements, (long long)rows, (long long)s->groups, (long long)s->points);
    s->images = rows / s->groups;
    s->own = count / s->points;
    const jm_tensor *scale = jm_call_in(call, SCALE);
    s->scaled = scale != NULL;
    if (!jm_shape_equal(&call->in[DY].shape, &call->in[X].shape) || jm_tensor_elements(&call->in[INVSTD]) != rows ||
        (scale && jm_tensor_elements(scale) != s->groups * s->own))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "dY must have the shape of X, invstd the elements of mean and "
                             "scale one element for each channel");
    return JM_OK;
}

static jm_status infer(jm_call *call)
{
    norm_state s;
    JM_TRY(resolve(call, &s));
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = JM_F32;
        call->out[i].shape = (jm_shape){.rank = 2, .dim = {s.parts, s.groups * s.own}};
        if (s.parts == 1) call->out[i].shape = (jm_shape){.rank = 1, .dim = {s.groups * s.own}};
    }
    call->out[0].shape = call->in[X].shape;
    return JM_OK;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    (void)form;
    norm_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    JM_TRY(resolve(call, s));
    s->kernels = machine->kernels;
    for (int i = 0; i < call->inputs; i++)
        if (jm_call_in(call, i)) s->of[i] = describe(&call->in[i]);
    s->dx = describe(&call->out[0]);
    for (int i = 0; i < 2; i++) {
        s->d_stride[i][0] = s->parts > 1 ? call->out[1 + i].stride[0] : 0;
        s->d_stride[i][1] = call->out[1 + i].stride[s->parts > 1];
    }
    const bool flat = s->of[DY].flat && s->of[X].flat && s->dx.flat;
    size_t floats, rows;
    if (!jm_size_mul((size_t)s->own, 3, &floats) || !jm_size_mul((size_t)(s->own * s->points), flat ? 0 : 3, &rows) ||
        !jm_size_add(floats, rows, &floats) || !jm_size_mul(floats, sizeof(float), &out->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the rows are too large");
    out->state = s;
    out->chunks = (size_t)(s->parts * s->groups);
    return JM_OK;
}

static const jm_param param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y, shape of X"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "images x groups x channels of a group x points elements"},
    {.name = "mean", .kind = JM_PARAM_INPUT, .doc = "one element for each group of each image"},
    {.name = "invstd", .kind = JM_PARAM_INPUT, .doc = "like mean: 1 / sqrt(var + epsilon)"},
    {.name = "scale", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "one element for each channel; absent: 1"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
    {.name = "d_scale",
     .kind = JM_PARAM_OUTPUT,
     .doc = "[parts, channels], a sum over each part of the images; of one part [channels]"},
    {.name = "d_bias", .kind = JM_PARAM_OUTPUT, .doc = "like d_scale"},
    {.name = "groups", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "groups of channels of an image"},
    {.name = "points", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "elements of a channel"},
    {.name = "parts", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "parts of the images"},
};

const jm_op jm_op_norm_grad_rows = {
    .name = "NormGradRows",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32,
    .formula = "dX = invstd (g - mean g - t invstd^2 mean(g t)), d_scale = sum dY t invstd, d_bias = sum dY, with "
               "g = dY scale and t = X - mean",
    .source = "the derivatives of ONNX LayerNormalization-17 and GroupNormalization-21",
    .infer = infer,
    .plan = plan,
    .run = run,
};

/* ---- NormGradParts ---- */

static jm_status parts_infer(jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    if (shape->rank != 2 || shape->dim[0] < 1 || !jm_shape_equal(shape, &call->in[1].shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "both inputs must have the same shape of rank 2 and some rows");
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = JM_F32;
        call->out[i].shape = (jm_shape){.rank = 1, .dim = {shape->dim[1]}};
    }
    return JM_OK;
}

typedef struct parts_state {
    int64_t parts, channels, in[2][2], out[2];
} parts_state;

static void parts_run(const jm_plan *plan, const jm_run *run)
{
    const parts_state *s = plan->state;
    for (int i = 0; i < 2; i++) {
        const float *from = run->in[i];
        float *to = run->out[i];
        for (int64_t c = 0; c < s->channels; c++) to[c * s->out[i]] = from[c * s->in[i][1]];
        for (int64_t p = 1; p < s->parts; p++) {
            from += s->in[i][0];
            for (int64_t c = 0; c < s->channels; c++) to[c * s->out[i]] += from[c * s->in[i][1]];
        }
    }
}

static jm_status parts_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *out)
{
    (void)form;
    (void)machine;
    parts_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->parts = call->in[0].shape.dim[0];
    s->channels = call->in[0].shape.dim[1];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) s->in[i][k] = call->in[i].stride[k];
        s->out[i] = call->out[i].stride[0];
    }
    out->state = s;
    out->chunks = 1;
    return JM_OK;
}

static const jm_param parts_param[] = {
    {.name = "scales", .kind = JM_PARAM_INPUT, .doc = "[parts, channels]"},
    {.name = "biases", .kind = JM_PARAM_INPUT, .doc = "like scales"},
    {.name = "d_scale", .kind = JM_PARAM_OUTPUT, .doc = "[channels]"},
    {.name = "d_bias", .kind = JM_PARAM_OUTPUT, .doc = "[channels]"},
};

const jm_op jm_op_norm_grad_parts = {
    .name = "NormGradParts",
    .param = parts_param,
    .params = JM_COUNT(parts_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32,
    .formula = "the sums of the parts of NormGradRows",
    .source = "Jumar",
    .infer = parts_infer,
    .plan = parts_plan,
    .run = parts_run,
};
