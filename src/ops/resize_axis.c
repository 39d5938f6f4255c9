/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/resize.h"

#include <math.h>
#include <string.h>

enum {
    HALF_PIXEL,
    HALF_PIXEL_SYMMETRIC,
    PYTORCH_HALF_PIXEL,
    ALIGN_CORNERS,
    ASYMMETRIC,
    TF_CROP_AND_RESIZE,
    PYTORCH,
    COORDINATES,
};
static const char *const coordinates_text[COORDINATES] = {
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize",
    "pytorch",
};

enum { ROUND_PREFER_FLOOR, ROUND_PREFER_CEIL, FLOOR, CEIL, NEARESTS };
static const char *const nearest_text[NEARESTS] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

enum { STRETCH, NOT_LARGER, NOT_SMALLER, POLICIES };
static const char *const policy_text[POLICIES] = {"stretch", "not_larger", "not_smaller"};

enum { NEAREST, LINEAR, CUBIC, MODES };
static const char *const mode_text[MODES] = {"nearest", "linear", "cubic"};

/* ---- Attributes and host inputs ---- */

static jm_status choose(const jm_call *call, int attr, const char *const text[], int count, int *out)
{
    const char *value = call->attr[attr].s;
    for (*out = 0; *out < count; ++*out)
        if (strcmp(value, text[*out]) == 0) return JM_OK;
    return jm_call_error(call, JM_UNSUPPORTED, "%s '%s' is not supported", jm_op_attr(call->op, attr)->name, value);
}

/* Values of a constant floating-point list; *count is 0 when it is absent or empty. */
static jm_status host_floats(const jm_call *call, int input, float *values, int limit, int *count)
{
    const jm_tensor *tensor = jm_call_in(call, input);
    const char *name = jm_op_input(call->op, input)->name;
    *count = 0;
    if (!tensor || (tensor->shape.rank == 1 && tensor->shape.dim[0] == 0)) return JM_OK;
    if (tensor->shape.rank != 1 || tensor->shape.dim[0] < 0 || tensor->shape.dim[0] > limit)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s must be a list of at most %d numbers", name, limit);
    if (tensor->dtype != JM_F32 && tensor->dtype != JM_F16 && tensor->dtype != JM_F64 && tensor->dtype != JM_BF16)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is %s and must be floating-point", name,
                             jm_dtype_text(tensor->dtype));
    if (!tensor->constant || !tensor->data || tensor->layout != JM_PLAIN)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the value of %s must be known at compile time", name);
    *count = (int)tensor->shape.dim[0];
    for (int i = 0; i < *count; i++)
        values[i] = (float)jm_element_to_f64(tensor->dtype, jm_tensor_at(tensor, (int64_t[JM_MAX_RANK]){i}));
    return JM_OK;
}

static jm_status resolve_axes(const jm_call *call, int rank, int axes[JM_MAX_RANK], int *count)
{
    const jm_attr *attr = &call->attr[JM_RESIZE_AXES];
    *count = attr->present && attr->count ? attr->count : rank;
    if (*count > rank) return jm_call_error(call, JM_INVALID_ARGUMENT, "%d axes of a rank %d input", *count, rank);
    for (int i = 0; i < *count; i++) {
        axes[i] = i;
        if (!attr->present || attr->count == 0) continue;
        JM_TRY(jm_call_axis(call, attr->ints[i], &axes[i]));
        for (int j = 0; j < i; j++)
            if (axes[j] == axes[i]) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %d is there twice", axes[i]);
    }
    return JM_OK;
}

static jm_status apply_scales(const jm_call *call, jm_resize *resize, const int *axes, int count, const float *scale)
{
    for (int i = 0; i < count; i++) {
        int k = axes[i];
        if (!(scale[i] > 0) || scale[i] > 1e9f)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "scale %g of axis %d must be above 0 and at most 1e9",
                                 (double)scale[i], k);
        resize->scale[k] = scale[i];
        if (resize->in[k] < 0) continue;
        double out = floor((double)((float)resize->in[k] * scale[i])); /* whatever the roi, as onnxruntime does */
        if (!(out >= 0 && out <= 0x1p40))
            return jm_call_error(call, JM_OUT_OF_RANGE, "axis %d would have %g elements", k, out);
        resize->out[k] = (int64_t)out;
    }
    return JM_OK;
}

static jm_status apply_sizes(const jm_call *call, jm_resize *resize, const int *axes, int count, const int64_t *size,
                             int policy)
{
    float common = 0;
    for (int i = 0; i < count; i++) {
        int k = axes[i];
        if (size[i] < 0 || size[i] > (int64_t)1 << 40 || (size[i] == 0) != (resize->in[k] == 0))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "size %lld of axis %d, which has %lld elements",
                                 (long long)size[i], k, (long long)resize->in[k]);
        resize->out[k] = size[i];
        if (resize->in[k] > 0) resize->scale[k] = (float)size[i] / (float)resize->in[k];
        if (policy != STRETCH && resize->in[k] < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "keep_aspect_ratio_policy needs known input sizes");
        bool better = policy == NOT_LARGER ? resize->scale[k] < common : resize->scale[k] > common;
        if (i == 0 || better) common = resize->scale[k];
    }
    for (int i = 0; i < count && policy != STRETCH; i++) {
        resize->scale[axes[i]] = common;
        resize->out[axes[i]] = (int64_t)floor((double)common * (double)resize->in[axes[i]] + 0.5);
    }
    return JM_OK;
}

jm_status jm_resize_resolve(const jm_call *call, jm_resize *resize)
{
    const jm_shape *shape = &call->in[0].shape;
    int mode, policy, axes[JM_MAX_RANK], count, rois, scales, sizes = 0;
    float roi[2 * JM_MAX_RANK], scale[JM_MAX_RANK];
    int64_t size[JM_MAX_RANK];
    memset(resize, 0, sizeof(*resize));
    JM_TRY(choose(call, JM_RESIZE_MODE, mode_text, MODES, &mode));
    JM_TRY(choose(call, JM_RESIZE_COORDINATES, coordinates_text, COORDINATES, &resize->coordinates));
    JM_TRY(choose(call, JM_RESIZE_NEAREST, nearest_text, NEARESTS, &resize->nearest));
    JM_TRY(choose(call, JM_RESIZE_POLICY, policy_text, POLICIES, &policy));
    resize->taps = mode == CUBIC ? 4 : (mode == LINEAR ? 2 : 1);
    resize->antialias = call->attr[JM_RESIZE_ANTIALIAS].i != 0 && mode != NEAREST;
    resize->cubic_a = call->attr[JM_RESIZE_CUBIC_A].f;
    resize->exclude_outside = call->attr[JM_RESIZE_EXCLUDE_OUTSIDE].i != 0;
    resize->crop = resize->coordinates == TF_CROP_AND_RESIZE;
    resize->extrapolation = (float)call->attr[JM_RESIZE_EXTRAPOLATION].f;
    resize->rank = shape->rank;
    for (int k = 0; k < shape->rank; k++) {
        resize->in[k] = resize->out[k] = shape->dim[k];
        resize->scale[k] = resize->end[k] = 1;
    }
    if (resize->taps > 1 && !(JM_DTYPES_F32 >> call->in[0].dtype & 1))
        return jm_call_error(call, JM_UNSUPPORTED, "%s cannot be interpolated", jm_dtype_text(call->in[0].dtype));

    JM_TRY(resolve_axes(call, shape->rank, axes, &count));
    JM_TRY(host_floats(call, 1, roi, 2 * count, &rois));
    JM_TRY(host_floats(call, 2, scale, count, &scales));
    const jm_tensor *sizes_input = jm_call_in(call, 3);
    if (sizes_input) JM_TRY(jm_call_host_ints(call, 3, size, count, &sizes));
    if ((scales != 0) == (sizes != 0) && count > 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "exactly one of scales and sizes must be given");
    if (JM_MAX(scales, sizes) != count)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%d scales or sizes for %d axes", JM_MAX(scales, sizes), count);
    if (resize->crop && rois != 2 * count)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "roi has %d values and must have %d", rois, 2 * count);
    for (int i = 0; i < count && resize->crop; i++) {
        resize->start[axes[i]] = roi[i];
        resize->end[axes[i]] = roi[count + i];
    }
    const jm_attr *own = &call->attr[JM_RESIZE_OWN_SCALES];
    if (own->present && own->count != count)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "own_scales has %d numbers for %d axes", (int)own->count,
                             count);
    for (int i = 0; i < count && own->present; i++) resize->own_scale[axes[i]] = own->floats[i];
    if (scales) return apply_scales(call, resize, axes, count, scale);
    return apply_sizes(call, resize, axes, count, size, policy);
}

/* ---- Tables ---- */

/* What PyTorch multiplies the place of an output element with. */
static float pytorch_ratio(const jm_resize *resize, int k)
{
    if (resize->own_scale[k] > 0) return (float)(1 / resize->own_scale[k]);
    return (float)resize->in[k] / (float)resize->out[k];
}

/* Every output element is the input element at its place. */
static bool is_still(const jm_resize *resize, int k)
{
    if (resize->in[k] != resize->out[k]) return false;
    if (resize->crop) return resize->start[k] == 0 && resize->end[k] == 1;
    return resize->coordinates == PYTORCH || resize->scale[k] == 1;
}

/* Place of output element o among the input elements of axis k, in float32 as onnxruntime computes it: rounding decides
 * which neighbour is the nearest. */
static float coordinate(const jm_resize *resize, int k, int64_t o)
{
    float x = (float)o, scale = resize->scale[k], in = (float)resize->in[k];
    int64_t out = resize->out[k];
    switch (resize->coordinates) {
    case HALF_PIXEL_SYMMETRIC: {
        float adjustment = (float)out / (scale * in), center = in / 2;
        return center * (1 - adjustment) + (x + 0.5f) / scale - 0.5f;
    }
    case PYTORCH_HALF_PIXEL:
        return out > 1 ? (x + 0.5f) / scale - 0.5f : 0;
    case ALIGN_CORNERS:
        return out > 1 ? x * (in - 1) / (float)(out - 1) : 0;
    case ASYMMETRIC:
        return x / scale;
    case PYTORCH:
        if (resize->taps > 1) return pytorch_ratio(resize, k) * (x + 0.5f) - 0.5f;
        return out == 2 * resize->in[k] ? (float)(o / 2) : x * pytorch_ratio(resize, k);
    case TF_CROP_AND_RESIZE: {
        float start = resize->start[k], end = resize->end[k];
        if (out > 1) return start * (in - 1) + x * (end - start) * (in - 1) / (float)(out - 1);
        return 0.5f * (start + end) * (in - 1);
    }
    default:
        return (x + 0.5f) / scale - 0.5f;
    }
}

static float nearest(int mode, float x)
{
    switch (mode) {
    case ROUND_PREFER_CEIL:
        return floorf(x + 0.5f);
    case FLOOR:
        return floorf(x);
    case CEIL:
        return ceilf(x);
    default:
        return ceilf(x - 0.5f);
    }
}

static int32_t clamp(float x, int64_t count)
{
    if (!(x > 0)) return 0;
    return x >= (float)count ? (int32_t)(count - 1) : (int32_t)JM_MIN((int64_t)x, count - 1);
}

static void cubic_weights(double a, double s, double weight[4])
{
    double far0 = s + 1, near1 = 1 - s, far1 = 2 - s;
    weight[0] = ((a * far0 - 5 * a) * far0 + 8 * a) * far0 - 4 * a;
    weight[1] = ((a + 2) * s - (a + 3)) * s * s + 1;
    weight[2] = ((a + 2) * near1 - (a + 3)) * near1 * near1 + 1;
    weight[3] = ((a * far1 - 5 * a) * far1 + 8 * a) * far1 - 4 * a;
}

void jm_cubic_weights(double a, double s, float weight[4])
{
    double exact[4];
    cubic_weights(a, s, exact);
    for (int t = 0; t < 4; t++) weight[t] = (float)exact[t];
}

static void cubic(const jm_resize *resize, int64_t count, float x, int32_t index[4], float weight[4])
{
    double exact[4], sum = 0;
    float first = floorf(x);
    cubic_weights(resize->cubic_a, (double)(x - first), exact);
    for (int t = 0; t < 4; t++) {
        float place = first + (float)(t - 1);
        if (resize->exclude_outside && (place < 0 || place >= (float)count)) exact[t] = 0;
        index[t] = clamp(place, count);
        sum += exact[t];
    }
    for (int t = 0; t < 4; t++) weight[t] = (float)(resize->exclude_outside ? exact[t] / sum : exact[t]);
}

static void linear(int64_t count, float x, int32_t index[2], float weight[2])
{
    x = x > 0 ? JM_MIN(x, (float)(count - 1)) : 0;
    index[0] = clamp(floorf(x), count);
    index[1] = (int32_t)JM_MIN((int64_t)index[0] + 1, count - 1);
    weight[1] = x - (float)index[0];
    weight[0] = 1 - weight[1];
}

/* Keys' kernel at distance d, and the triangle. */
static double filter(const jm_resize *resize, double d)
{
    const double a = resize->cubic_a;
    d = fabs(d);
    if (resize->taps == 2) return d < 1 ? 1 - d : 0;
    if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/* Taps before the place, it included, of a filter that is stretched by 1 / scale; as many are behind it. */
static int64_t half_width(const jm_resize *resize, float scale)
{
    return (int64_t)-floor(-(double)resize->taps / 2 / (double)scale);
}

static void stretched(const jm_resize *resize, int64_t count, float x, double scale, int taps, int32_t *index,
                      float *weight)
{
    const double first = floor((double)x) + 1 - taps / 2;
    double sum = 0;
    for (int t = 0; t < taps; t++) {
        const double place = first + t;
        const bool outside = place < 0 || place >= (double)count;
        if (!outside || !resize->exclude_outside) sum += filter(resize, (place - (double)x) * scale);
    }
    for (int t = 0; t < taps; t++) {
        const double place = first + t;
        const bool outside = place < 0 || place >= (double)count;
        index[t] = clamp((float)place, count);
        weight[t] = outside && resize->exclude_outside ? 0 : (float)(filter(resize, (place - (double)x) * scale) / sum);
    }
}

jm_status jm_resize_plan_axis(const jm_resize *resize, int k, jm_arena *arena, jm_resize_axis *axis)
{
    int64_t in = resize->in[k], out = resize->out[k];
    *axis = (jm_resize_axis){.taps = 1};
    if (is_still(resize, k)) {
        axis->identity = true;
        return JM_OK;
    }
    if (in > INT32_MAX || out > INT32_MAX) return jm_error(JM_OUT_OF_RANGE, "Resize: axis %d is too long", k);
    axis->taps = resize->taps;
    const bool wide = resize->antialias && resize->scale[k] < 1 && out > 0;
    if (wide) {
        const int64_t half = half_width(resize, resize->scale[k]);
        if (half > INT32_MAX / 2) return jm_error(JM_OUT_OF_RANGE, "Resize: axis %d shrinks too much", k);
        axis->taps = (int)(2 * half);
    }
    size_t entries = (size_t)out * (size_t)axis->taps;
    axis->index = jm_arena_alloc(arena, entries, sizeof(*axis->index));
    axis->weight = jm_arena_alloc(arena, entries, sizeof(*axis->weight));
    axis->outside = jm_arena_alloc(arena, (size_t)out, sizeof(*axis->outside));
    if (!axis->index || !axis->weight || !axis->outside) return JM_OUT_OF_MEMORY;
    for (int64_t o = 0; o < out; o++) {
        float x = coordinate(resize, k, o);
        int32_t *index = axis->index + o * axis->taps;
        float *weight = axis->weight + o * axis->taps;
        axis->outside[o] = resize->crop && !(x >= 0 && x <= (float)(in - 1));
        if (wide) {
            stretched(resize, in, x, (double)resize->scale[k], axis->taps, index, weight);
        } else if (axis->taps == 4) {
            cubic(resize, in, x, index, weight);
        } else if (axis->taps == 2) {
            linear(in, x, index, weight);
        } else {
            index[0] = clamp(nearest(resize->nearest, x), in);
            weight[0] = 1;
        }
    }
    return JM_OK;
}

jm_status jm_resize_pytorch_axis(int taps, bool align_corners, int64_t in, int64_t out, double scale, jm_arena *arena,
                                 jm_resize_axis *axis)
{
    jm_resize resize = {
        .taps = taps, .coordinates = align_corners ? ALIGN_CORNERS : PYTORCH, .nearest = FLOOR, .rank = 1};
    resize.in[0] = in;
    resize.out[0] = out;
    resize.scale[0] = in == out ? 1 : (float)out / (float)in;
    resize.own_scale[0] = scale;
    return jm_resize_plan_axis(&resize, 0, arena, axis);
}
