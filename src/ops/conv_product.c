/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolution of kernels of one point between plain maps, transposed or not: for each image and group the matrix of
 * weights times the matrix of points, [filters][channels] * [channels][points]. Neither maps nor weights are brought
 * into blocks.
 */
#include "ops/conv.h"
#include "ops/matrix.h"

typedef struct state {
    jm_conv_state base;
    jm_plan product;
} state;

static void run_product(const jm_plan *plan, const jm_run *run)
{
    jm_matrix_run(&((const state *)plan->state)->product, run);
}

bool jm_conv_product_fit(const jm_conv_geometry *g, bool transposed)
{
    for (int k = 0; k < 3; k++)
        if (g->kernel[k] != 1 || g->before[k] != 0 || g->after[k] != 0 || g->extra[k] != 0 ||
            (transposed && g->stride[k] != 1))
            return false;
    return true;
}

/* Dimension `batch` of the job steps over groups of channels, images or rows. */
static void set_batch(jm_matrix_job *job, int batch, int64_t size, ptrdiff_t w, ptrdiff_t x, ptrdiff_t bias,
                      ptrdiff_t residual, ptrdiff_t y)
{
    job->batch[batch] = size;
    job->a.batch[batch] = w;
    job->b.batch[batch] = x;
    job->c.batch[batch] = bias;
    job->residual.batch[batch] = residual;
    job->y.batch[batch] = y;
}

jm_status jm_conv_product_plan(const jm_conv_job *conv, jm_arena *arena, jm_plan *plan)
{
    enum { Z, Y, IMAGES, GROUPS };
    const jm_call *call = conv->call;
    const jm_conv_geometry *g = &conv->geometry;
    const jm_tensor *w = &call->in[JM_CONV_W], *bias = jm_call_in(call, JM_CONV_B);
    const bool adds = conv->epilogue.residual != JM_RESIDUAL_NONE;
    const jm_plain_view out = jm_plain_view_of(&call->out[0]);
    const jm_plain_view more = adds ? jm_plain_view_of(&call->in[JM_CONV_RESIDUAL]) : (jm_plain_view){0};
    jm_plain_view in = jm_plain_view_of(&call->in[JM_CONV_X]);
    for (int k = 0; k < 3; k++) in.point[k] *= g->stride[k];
    const jm_plain_weights weights = jm_plain_weights_of(w, g, conv->transposed);
    const int64_t filters = g->filters / g->group, channels = g->channels / g->group;
    const ptrdiff_t bias_step = bias ? (ptrdiff_t)bias->stride[0] : 0;
    jm_matrix_job job = {
        .rows = filters,
        .columns = g->out[2],
        .depth = channels,
        .batch = {1, 1, 1, 1, 1, 1},
        .dtype = JM_F32,
        .a = {.input = JM_CONV_W, .row = weights.filter, .column = weights.channel},
        .b = {.input = JM_CONV_X, .row = in.channel, .column = in.point[2]},
        .c = {.input = bias ? JM_CONV_B : -1, .row = bias_step},
        .residual = {.input = adds ? JM_CONV_RESIDUAL : -1, .row = more.channel, .column = more.point[2]},
        .y = {.row = out.channel, .column = out.point[2]},
        .alpha = 1,
        .beta = 1,
        .epilogue = conv->epilogue,
    };
    /* Rows that follow each other in all maps are one row of points. */
    bool joined = true;
    for (int k = 1; k >= 0; k--) {
        const int64_t count = job.columns;
        joined = joined && in.point[k] == count * in.point[2] && out.point[k] == count * out.point[2] &&
                 (!adds || more.point[k] == count * more.point[2]);
        if (joined || g->out[k] == 1)
            job.columns *= g->out[k];
        else
            set_batch(&job, k, g->out[k], 0, in.point[k], 0, more.point[k], out.point[k]);
    }
    set_batch(&job, IMAGES, g->batch, 0, in.image, 0, more.image, out.image);
    set_batch(&job, GROUPS, g->group, weights.group, in.channel * channels, bias_step * filters, more.channel * filters,
              out.channel * filters);
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_product;
    s->product = *plan;
    JM_TRY(jm_matrix_plan(&job, conv->machine, arena, &s->product));
    plan->chunks = s->product.chunks;
    plan->scratch = s->product.scratch;
    plan->workspace = s->product.workspace;
    plan->state = s;
    return JM_OK;
}
