/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the convolutions: conv.c holds the operator's table, the forms live in one file each.
 */
#ifndef JUMAR_OPS_CONV_H
#define JUMAR_OPS_CONV_H

#include <string.h>

#include "kernels/kernels.h"
#include "ops/conv_geometry.h"

/* jm_form.id of Conv and ConvTranspose; stored in .om files. */
enum {
    JM_CONV_PLAIN = 0,       /* any strides, groups, 1-D to 3-D; packs inside run */
    JM_CONV_DIRECT = 1,      /* C16 in and out, one group */
    JM_CONV_STEM = 2,        /* few plain input channels, C16 out */
    JM_CONV_DEPTHWISE = 3,   /* C16, one channel per group */
    JM_CONV_WINOGRAD = 4,    /* C16 in and out, one group, 3x3 of stride 1 or 2 */
    JM_CONV_PLANAR = 5,      /* C16 in, plain out, one group, no residual */
    JM_CONV_STEM_PLANAR = 6, /* few plain input channels, plain out, one group, no residual */
    JM_CONV_POINTS = 7,      /* plain in and out, few channels in a group, 1-D and 2-D */
    JM_CONV_PRODUCT = 8,     /* plain in and out, kernels of one point */
    JM_CONV_FORMS
};

extern const jm_op jm_op_conv, jm_op_conv_transpose;

static inline bool jm_conv_is_transposed(const jm_call *call)
{
    return call->op == &jm_op_conv_transpose;
}

/* Inputs of both operators. */
enum { JM_CONV_X, JM_CONV_W, JM_CONV_B, JM_CONV_RESIDUAL };

/* Every plan's state begins with the run function of its form. */
typedef struct jm_conv_state {
    void (*run)(const jm_plan *plan, const jm_run *run);
} jm_conv_state;

/* What the forms plan from. */
typedef struct jm_conv_job {
    const jm_call *call;
    jm_conv_geometry geometry;
    bool transposed;
    jm_epilogue epilogue;
    const jm_machine *machine;
} jm_conv_job;

/* The resolved attributes of a call of either operator. */
JM_MUST_USE jm_status jm_conv_geometry_of(const jm_call *call, jm_conv_geometry *geometry);
/* These forms compute a transposed convolution as an ordinary one. */
static inline bool jm_conv_form_turns(uint8_t form)
{
    return form >= JM_CONV_DEPTHWISE && form < JM_CONV_POINTS;
}

/* Whether a transposed convolution is an ordinary one with its kernel turned round: *ordinary. */
bool jm_conv_turned(const jm_conv_geometry *transposed, jm_conv_geometry *ordinary);
/* conv_weights.c: weights and bias in the order of a form; jm_op.pack_bytes, pack, pack_plan, pack_run. */
JM_MUST_USE jm_status jm_conv_pack_bytes(const jm_call *call, const jm_form *form, int input, size_t *bytes);
JM_MUST_USE jm_status jm_conv_pack(const jm_call *call, const jm_form *form, int input, void *packed);
JM_MUST_USE jm_status jm_conv_pack_plan(const jm_call *call, const jm_form *form, int input, const jm_machine *machine,
                                        jm_arena *arena, jm_plan *plan);
void jm_conv_pack_run(const jm_plan *plan, const jm_run *run);

/* conv_plain.c, conv_direct.c (forms DIRECT, STEM, PLANAR and STEM_PLANAR), conv_depthwise.c, conv_winograd.c,
 * conv_points.c, conv_product.c: fill chunks, scratch and state. The output has elements; the residual, if any, shares
 * the output's map. */
JM_MUST_USE jm_status jm_conv_plain_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan);
JM_MUST_USE jm_status jm_conv_direct_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan);
JM_MUST_USE jm_status jm_conv_depthwise_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan);
JM_MUST_USE jm_status jm_conv_winograd_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan);
JM_MUST_USE jm_status jm_conv_points_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan);
JM_MUST_USE jm_status jm_conv_product_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan);
/* conv_exact.c: the plain form of float64 and of int32, which wraps; without an epilogue. */
JM_MUST_USE jm_status jm_conv_exact_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan);

/* conv_winograd.c. Whether the algorithm computes this convolution, and which transforms it uses. */
bool jm_conv_winograd_kind(const jm_conv_geometry *geometry, jm_winograd *kind);
/* Multiply-adds it executes as a share of the convolution's; whole tiles are computed. Sizes are known. */
double jm_conv_winograd_flop_share(const jm_conv_geometry *geometry, jm_winograd kind);
/* Nanoseconds of a nominal core for all but the epilogue. */
double jm_conv_winograd_cost(const jm_conv_geometry *geometry, jm_winograd kind);

/* conv_points.c. Whether the form computes this convolution: a row of it must not need too much scratch. */
bool jm_conv_points_fit(const jm_conv_geometry *geometry, bool transposed);
/* The share of the peak that its kernel reaches with the points that are wanted; nanoseconds of its copies. */
double jm_conv_points_share(const jm_conv_geometry *geometry, bool transposed);
double jm_conv_points_copies(const jm_conv_geometry *geometry, bool transposed);

/* conv_product.c. Whether the form computes this convolution. */
bool jm_conv_product_fit(const jm_conv_geometry *geometry, bool transposed);

/* Where a plain tensor lies, in elements; points as (z, y, x). */
typedef struct jm_plain_view {
    ptrdiff_t image, channel, point[3];
} jm_plain_view;

static inline jm_plain_view jm_plain_view_of(const jm_tensor *tensor)
{
    jm_plain_view view = {.image = (ptrdiff_t)tensor->stride[0], .channel = (ptrdiff_t)tensor->stride[1]};
    jm_conv_spatial_strides(tensor, view.point);
    return view;
}

static inline ptrdiff_t jm_plain_offset(const jm_plain_view *view, int64_t image, int64_t channel, const int64_t at[3])
{
    return image * view->image + channel * view->channel + at[0] * view->point[0] + at[1] * view->point[1] +
           at[2] * view->point[2];
}

/* Steps of weights as they lie: [filters][channels of a group][kernel], or of a transposed convolution
 * [channels][filters of a group][kernel]. */
typedef struct jm_plain_weights {
    ptrdiff_t group, filter, channel; /* from a group, a filter of it, a channel of it to the next */
} jm_plain_weights;

static inline jm_plain_weights jm_plain_weights_of(const jm_tensor *weights, const jm_conv_geometry *g, bool transposed)
{
    const ptrdiff_t first = (ptrdiff_t)weights->stride[0], second = (ptrdiff_t)weights->stride[1];
    return (jm_plain_weights){
        .group = first * (ptrdiff_t)((transposed ? g->channels : g->filters) / g->group),
        .filter = transposed ? second : first,
        .channel = transposed ? first : second,
    };
}

/* Copies points of a row that are `step` apart. Rows of maps are too short for calls of memcpy. */
static inline void jm_copy_points(const float *from, ptrdiff_t step, int64_t count, float *to)
{
    enum { PART = 4, LONG = 96 };
    if (step == 1 && (count < PART || count > LONG)) {
        memcpy(to, from, (size_t)count * sizeof(float));
    } else if (step == 1) {
        for (int64_t i = 0; i + PART <= count; i += PART) memcpy(to + i, from + i, PART * sizeof(float));
        memcpy(to + count - PART, from + count - PART, PART * sizeof(float));
    } else if (step == 2) {
        for (int64_t i = 0; i < count; i++) to[i] = from[2 * i];
    } else {
        for (int64_t i = 0; i < count; i++) to[i] = from[i * step];
    }
}

/* Where a C16 tensor lies, in elements; rank 3 has one row. */
typedef struct jm_c16_view {
    ptrdiff_t image, block, row;
} jm_c16_view;

static inline jm_c16_view jm_c16_view_of(const jm_tensor *tensor)
{
    return (jm_c16_view){
        .image = (ptrdiff_t)tensor->stride[0],
        .block = (ptrdiff_t)tensor->stride[1],
        .row = tensor->shape.rank == 4 ? (ptrdiff_t)tensor->stride[2] : 0,
    };
}

#endif
