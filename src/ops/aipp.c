/* SPDX-License-Identifier: Apache-2.0
 *
 * Aipp: preprocessing inside of a model. One chunk is a few rows of all channels. The parameters are attributes, or an
 * input that is read for each chunk.
 */
#include <string.h>

#include "kernels/kernels.h"
#include "ops/picture_block.h"

enum { ROWS = 8 };

typedef struct state {
    jm_picture picture;
    const jm_picture_kernels *kernels;
    bool bytes;
    int64_t chunks_per_image;
    ptrdiff_t image, channel, row, point; /* of the output, in elements */
} state;

static jm_status infer(jm_call *call)
{
    jm_picture p;
    JM_TRY(jm_picture_resolve(call, &p));
    call->out[0].dtype = call->attr[JM_AIPP_ATTR_TO].dtype;
    call->out[0].shape = (jm_shape){.rank = 4, .dim = {p.batch, p.channels, p.out_height, p.out_width}};
    return JM_OK;
}

static int forms(const jm_call *call, jm_form out[JM_MAX_FORMS])
{
    out[0] = (jm_form){.id = 0,
                       .name = "plain",
                       .in_place = -1,
                       .out_strided = true,
                       .cost = 500 + 0.5 * (double)jm_tensor_elements(&call->out[0])};
    return 1;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    (void)form;
    const jm_tensor *y = &call->out[0];
    state *s = jm_arena_alloc(arena, 1, sizeof *s);
    if (!s) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_picture_resolve(call, &s->picture));
    JM_TRY(jm_picture_plan(&s->picture, arena));
    for (int i = 0; i < call->inputs; i++)
        if (jm_call_in(call, i) && !jm_tensor_contiguous(&call->in[i]))
            return jm_call_error(call, JM_UNSUPPORTED, "the picture and its parameters must lie in one piece");
    s->kernels = &machine->kernels->picture;
    s->bytes = y->dtype == JM_U8;
    s->image = (ptrdiff_t)y->stride[0];
    s->channel = (ptrdiff_t)y->stride[1];
    s->row = (ptrdiff_t)y->stride[2];
    s->point = (ptrdiff_t)y->stride[3];
    s->chunks_per_image = (s->picture.out_height + ROWS - 1) / ROWS;
    out->chunks = (size_t)JM_MAX(s->picture.batch * s->chunks_per_image, 1);
    /* Behind the picture's scratch: a row of the result, for outputs with gaps between their points. */
    const size_t line = (size_t)s->picture.out_width * (size_t)s->picture.channels * sizeof(float);
    out->scratch = jm_picture_scratch(&s->picture) + (s->point == 1 ? 0 : line);
    out->state = s;
    return JM_OK;
}

/* Picture n with its parameters, in `own` when they come with the run. NULL: they are wrong, which becomes a fault. */
static const jm_picture *find_picture(const state *s, void *const *in, int64_t n, jm_picture *own, atomic_int *fault)
{
    if (!s->picture.memory) return &s->picture;
    const jm_status status = jm_picture_read(&s->picture, in[JM_AIPP_PARAMETERS], n, own);
    if (status == JM_OK) return own;
    atomic_store_explicit(fault, status, memory_order_relaxed);
    return NULL;
}

/* Row y, to elements that need not touch. */
static void run_row(const state *s, const jm_picture *p, const jm_run *run, const uint8_t *image, int64_t n, int64_t y)
{
    const ptrdiff_t at = n * s->image + y * s->row;
    const ptrdiff_t channel = s->point == 1 ? s->channel : (ptrdiff_t)p->out_width;
    void *line = (char *)run->scratch + jm_picture_scratch(p);
    if (s->bytes) {
        uint8_t *out = (uint8_t *)run->out[0] + at;
        jm_picture_row_bytes(p, s->kernels, image, y, run->scratch, s->point == 1 ? out : line, channel);
        for (int64_t i = 0; s->point != 1 && i < p->channels * p->out_width; i++)
            out[i / p->out_width * s->channel + i % p->out_width * s->point] = ((const uint8_t *)line)[i];
    } else {
        float *out = (float *)run->out[0] + at;
        jm_picture_row(p, s->kernels, image, y, p->out_width, run->scratch, s->point == 1 ? out : line, channel);
        for (int64_t i = 0; s->point != 1 && i < p->channels * p->out_width; i++)
            out[i / p->out_width * s->channel + i % p->out_width * s->point] = ((const float *)line)[i];
    }
}

static void run(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const int64_t n = (int64_t)run->chunk / s->chunks_per_image;
    const int64_t begin = (int64_t)run->chunk % s->chunks_per_image * ROWS;
    if (n >= s->picture.batch) return; /* a batch of 0 */
    jm_picture own;
    const jm_picture *p = find_picture(s, run->in, n, &own, run->fault);
    if (!p) return;
    const uint8_t *image = (const uint8_t *)run->in[JM_AIPP_PICTURE] + (size_t)n * p->image;
    for (int64_t y = begin; y < JM_MIN(begin + ROWS, p->out_height); y++) run_row(s, p, run, image, n, y);
}

static void row(const jm_source *source, int64_t n, int64_t y, int64_t count, float *out, ptrdiff_t channel)
{
    const state *s = source->plan->state;
    jm_picture own;
    const jm_picture *p = find_picture(s, source->in, n, &own, source->fault);
    if (!p) {
        for (int c = 0; c < s->picture.channels; c++) memset(out + c * channel, 0, (size_t)count * sizeof *out);
        return;
    }
    const uint8_t *image = (const uint8_t *)source->in[JM_AIPP_PICTURE] + (size_t)n * p->image;
    jm_picture_row(p, s->kernels, image, y, count, source->scratch, out, channel);
}

static const jm_param aipp_param[] = {
    {"picture", JM_PARAM_INPUT, 0,
     .doc = "uint8: [N,H,W,3] RGB, [N,H,W,4], [N,H,W,1], or [N,H*3/2,W,1] of YUV420SP; "
            "with parameters its bytes, [at most]"},
    {"parameters", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "uint8 [64 + 96 N]: come with the run, in place of attributes"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "[N,C,h,w]"},
    {"format", JM_PARAM_INT, 0, .doc = "1 YUV420SP, 2 XRGB, 3 RGB, 4 YUV400; 0 with parameters"},
    {"channels", JM_PARAM_INT, 0, .doc = "C: those of the picture; of XRGB also 3 or 1"},
    {"swap", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: R and B, or U and V, change places"},
    {"first_last", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: the first byte of XRGB goes to the end"},
    {"crop", JM_PARAM_INTS, JM_OPTIONAL, .doc = "x, y, width, height"},
    {"resize", JM_PARAM_INTS, JM_OPTIONAL, .doc = "width, height: bilinear, half-pixel centres, 11-bit weights"},
    {"pads", JM_PARAM_INTS, JM_OPTIONAL, .doc = "left, top, right, bottom"},
    {"matrix", JM_PARAM_INTS, JM_OPTIONAL, .doc = "3x3 in 1/256: colours are converted"},
    {"bias", JM_PARAM_INTS, JM_OPTIONAL, .doc = "taken off YUV before, or added to the result from RGB"},
    {"mean", JM_PARAM_INTS, JM_OPTIONAL, .doc = "per channel, 4 values; 0"},
    {"min", JM_PARAM_FLOATS, JM_OPTIONAL, .doc = "per channel, 4 values; 0"},
    {"scale", JM_PARAM_FLOATS, JM_OPTIONAL, .doc = "per channel, 4 values; 1"},
    {"pad_value", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "not normalised; 0"},
    {"to", JM_PARAM_DTYPE, JM_OPTIONAL, .i = JM_F32, .doc = "float32, or uint8 without normalisation"},
    {"size", JM_PARAM_INTS, JM_OPTIONAL, .doc = "with parameters: N, h, w of the output"},
};

const jm_op jm_op_aipp = {
    .name = "Aipp",
    .param = aipp_param,
    .params = JM_COUNT(aipp_param),
    .dtypes = 1u << JM_U8,
    .formula = "output = pad((mix(resize(crop(swap(picture)))) - mean - min) * scale)",
    .source = "AIPP of the vendor's compiler",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run,
    .row = row,
};
