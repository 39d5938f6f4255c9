/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolution, transposed or not, of few channels, or several groups of them, between plain maps of one or two
 * dimensions. The lanes of the kernel are neighbouring points, so that any number of filters fills them and weights are
 * read as they lie.
 *
 * The channels of a group are copied piece by piece into scratch, with zeros where the kernel leaves the map: rows
 * follow each other at one pitch, and with stride a plane for each remainder of rows and columns holds what every tap
 * reads of neighbouring outputs side by side. A piece of outputs is then one long row of points, of which the few at
 * the ends of rows are not wanted. A transposed convolution has such a row for each of its phases (conv_phase.h).
 */
#include <string.h>

#include "ops/conv.h"
#include "ops/conv_phase.h"
#include "ops/epilogue.h"
#include "ops/strips.h"

enum { FILTERS = 16 };             /* whose sums of a piece lie in scratch together */
enum { LEAST_ROWS = 4 };           /* of a piece: the rows around it are copied again for the next */
enum { MOST_ROW_BYTES = 1 << 18 }; /* of the scratch that a piece of one row needs */
enum { MOST_PHASES = 16 };         /* along an axis */

/* Along one axis: outputs step apart read windows of input points. */
typedef struct window {
    int64_t step, out_step; /* input points between outputs of a phase; outputs between those of a phase */
    int64_t phases, count;  /* count: outputs of a phase, at most */
    int64_t low, reach;     /* first point that output 0 of a phase reads; points from there to the last one */
    int64_t planes;         /* remainders by the step that have inputs */
} window;

typedef struct state {
    jm_conv_state base;
    const jm_kernels *kernels;
    jm_epilogue epilogue;
    jm_conv_geometry geometry;
    window y, x;
    jm_strips strips;
    jm_plain_view in, out, residual;
    ptrdiff_t bias_stride;
    jm_plain_weights weights;
    int64_t group_channels, group_filters;
    int64_t piece, pitch;             /* rows of a phase; elements between rows of a plane */
    size_t plane, channel;            /* elements of a plane; of a channel's planes */
    size_t points;                    /* of a piece of a phase, a multiple of 16 */
    size_t sums, line, residual_line; /* where they begin in scratch, in elements */
    struct columns {
        int64_t begin, end, first; /* those inside the map; where the first of them lies there */
    } * columns;                   /* [x.planes] */
    struct phase {
        const jm_plane_tap *tap;
        size_t taps;
    } * phase; /* [y][x] */
} state;

/* ---- Into planes ---- */

/* Rows of a plane, the first of them from `from`, its pitch apart from rows of the map. Columns outside the map stay
 * as they are. */
static void copy_rows(const state *s, const float *from, const struct columns *c, int64_t rows, float *to)
{
    const ptrdiff_t apart = (ptrdiff_t)s->x.step * s->in.point[2], row = s->in.point[1] * (ptrdiff_t)s->y.step;
    const int64_t count = c->end - c->begin, pitch = s->pitch;
    from += c->first * s->in.point[2];
    to += c->begin;
    for (int64_t i = 0; i < rows; i++, from += row, to += pitch) jm_copy_points(from, apart, count, to);
}

/* What `rows` rows of outputs from `begin` on read of a channel. Its columns outside the map are zero already. */
static void copy_channel(const state *s, const float *map, int64_t begin, int64_t rows, float *to)
{
    const window *y = &s->y, *x = &s->x;
    const int64_t all = rows + y->reach / y->step, height = s->geometry.in[1];
    for (int64_t py = 0; py < y->planes; py++) {
        const int64_t top = begin * y->step + y->low + py;
        int64_t first, end;
        jm_depthwise_inside(top, height, all, y->step, &first, &end);
        for (int64_t px = 0; px < x->planes; px++, to += s->plane) {
            memset(to, 0, (size_t)(first * s->pitch) * sizeof(float));
            copy_rows(s, map + (top + first * y->step) * s->in.point[1], &s->columns[px], end - first,
                      to + first * s->pitch);
            memset(to + end * s->pitch, 0, (size_t)((all - end) * s->pitch) * sizeof(float));
        }
    }
}

/* ---- Out of phases ---- */

/* One row of outputs from that of each phase, `points` elements apart. */
static inline void join_phases(const state *s, const float *sum, float *line)
{
    const int64_t count = s->geometry.out[2], phases = s->x.phases;
    if (phases == 1) {
        jm_copy_points(sum, 1, count, line);
    } else if (phases == 2) {
        const float *odd = sum + s->points;
        for (int64_t i = 0; i < count / 2; i++) {
            line[2 * i] = sum[i];
            line[2 * i + 1] = odd[i];
        }
        if (count % 2) line[count - 1] = sum[count / 2];
    } else {
        for (int64_t p = 0; p < phases; p++, sum += s->points)
            for (int64_t i = p, from = 0; i < count; i += s->x.out_step) line[i] = sum[from++];
    }
}

/* Residual and activation of a row of the output. */
static void apply_epilogue(const state *s, const jm_run *run, int64_t image, int64_t filter, int64_t row, float *line)
{
    const int64_t count = s->geometry.out[2];
    const float *residual = NULL;
    if (s->epilogue.residual != JM_RESIDUAL_NONE) {
        residual = (const float *)run->in[JM_CONV_RESIDUAL] +
                   jm_plain_offset(&s->residual, image, filter, (const int64_t[]){0, row, 0});
        if (s->residual.point[2] != 1) {
            float *buffer = (float *)run->scratch + s->residual_line;
            for (int64_t i = 0; i < count; i++) buffer[i] = residual[i * s->residual.point[2]];
            residual = buffer;
        }
    }
    jm_epilogue_apply(s->kernels, &s->epilogue, line, residual, (size_t)count);
}

/* The outputs of a filter whose rows in the phases are begin .. end - 1 and py in y. */
static void finish_filter(const state *s, const jm_run *run, const float *sum, int64_t image, int64_t filter,
                          int64_t py, int64_t begin, int64_t end)
{
    const int64_t step = s->y.out_step, count = s->geometry.out[2];
    const bool active = jm_epilogue_active(&s->epilogue);
    float *output =
        (float *)run->out[0] + jm_plain_offset(&s->out, image, filter, (const int64_t[]){0, begin * step + py, 0});
    for (int64_t row = begin * step + py, stop = JM_MIN(end * step, s->geometry.out[1]); row < stop; row += step) {
        float *line = s->out.point[2] == 1 ? output : (float *)run->scratch + s->line;
        join_phases(s, sum, line);
        if (active) apply_epilogue(s, run, image, filter, row, line);
        if (line != output)
            for (int64_t i = 0; i < count; i++) output[i * s->out.point[2]] = line[i];
        sum += s->pitch;
        output += step * s->out.point[1];
    }
}

/* Sums of all column phases of a row phase for filters first .. first + filters - 1 of a group. */
static void compute_phases(const state *s, const jm_run *run, int64_t group, int64_t first, int64_t filters, int64_t py,
                           int64_t rows)
{
    float *scratch = run->scratch, start[FILTERS];
    const float *bias = run->in[JM_CONV_B];
    for (int64_t f = 0; f < filters; f++)
        start[f] = bias ? bias[(group * s->group_filters + first + f) * s->bias_stride] : 0.0f;
    jm_planes planes = {
        .input = scratch,
        .segment = JM_CONV_SEGMENT,
        .weight = (const float *)run->in[JM_CONV_W] + group * s->weights.group + first * s->weights.filter,
        .weight_filter = s->weights.filter,
        .start = start,
        .filters = filters,
        .output_filter = (ptrdiff_t)(s->points * (size_t)s->x.phases),
        .points = ((rows - 1) * s->pitch + s->x.count + JM_LANES - 1) / JM_LANES * JM_LANES,
    };
    for (int64_t px = 0; px < s->x.phases; px++) {
        const struct phase *phase = &s->phase[py * s->x.phases + px];
        planes.tap = phase->tap;
        planes.taps = phase->taps;
        planes.output = scratch + s->sums + (size_t)px * s->points;
        s->kernels->depthwise.planes(&planes);
    }
}

/* Rows begin .. end - 1 of every phase, for filters from `from` to before `to` of the group. */
static void compute_piece(const state *s, const jm_run *run, int64_t image, int64_t group, int64_t from, int64_t to,
                          int64_t begin, int64_t end)
{
    const float *map =
        (const float *)run->in[JM_CONV_X] + image * s->in.image + group * s->group_channels * s->in.channel;
    for (int64_t c = 0; c < s->group_channels; c++)
        copy_channel(s, map + c * s->in.channel, begin, end - begin, (float *)run->scratch + (size_t)c * s->channel);
    for (int64_t first = from; first < to; first += FILTERS) {
        const int64_t filters = JM_MIN(to - first, FILTERS);
        for (int64_t py = 0; py < s->y.phases; py++) {
            compute_phases(s, run, group, first, filters, py, end - begin);
            const float *sum = (const float *)run->scratch + s->sums;
            for (int64_t f = 0; f < filters; f++, sum += s->points * (size_t)s->x.phases)
                finish_filter(s, run, sum, image, group * s->group_filters + first + f, py, begin, end);
        }
    }
}

static void run_points(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    /* Columns outside the map, which stay so. */
    memset(run->scratch, 0, s->sums * sizeof(float));
    for (int64_t y = strip.unit_begin; y < strip.unit_end; y += s->piece) {
        const int64_t end = JM_MIN(y + s->piece, strip.unit_end);
        if (s->geometry.group == 1) {
            compute_piece(s, run, strip.image, 0, strip.block_begin * FILTERS,
                          JM_MIN(strip.block_end * FILTERS, s->group_filters), y, end);
            continue;
        }
        for (int64_t group = strip.block_begin; group < strip.block_end; group++)
            compute_piece(s, run, strip.image, group, 0, s->group_filters, y, end);
    }
}

/* ---- Plan ---- */

static window window_of(const jm_conv_geometry *g, bool transposed, int axis)
{
    int64_t phases[3];
    jm_conv_phase_counts(g, transposed, phases);
    window w = {
        .step = transposed ? 1 : g->stride[axis], .out_step = transposed ? g->stride[axis] : 1, .phases = phases[axis]};
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int64_t p = 0; p < w.phases; p++) {
        const jm_conv_axis taps = jm_conv_phase_axis(g, transposed, axis, p);
        if (taps.count == 0) continue;
        const int64_t last = taps.input + (taps.count - 1) * taps.input_gap;
        low = JM_MIN(low, JM_MIN(taps.input, last));
        high = JM_MAX(high, JM_MAX(taps.input, last));
    }
    if (low <= high) {
        w.low = low;
        w.reach = high - low;
    }
    w.count = (g->out[axis] + w.out_step - 1) / w.out_step;
    w.planes = JM_MIN(w.step, w.reach + 1);
    return w;
}

/* Elements of a row of a plane. */
static int64_t pitch_of(const window *x)
{
    return x->count + x->reach / x->step;
}

/* Bytes in scratch of so many rows of a piece. */
static double piece_bytes(const jm_conv_geometry *g, const window *y, const window *x, double rows)
{
    const double pitch = 4.0 * (double)pitch_of(x), inputs = (double)(g->channels / g->group);
    const double outputs = (double)JM_MIN(g->filters / g->group, FILTERS);
    return pitch * (inputs * (double)y->planes * (double)x->planes * (rows + (double)(y->reach / y->step)) +
                    outputs * (double)x->phases * rows);
}

bool jm_conv_points_fit(const jm_conv_geometry *g, bool transposed)
{
    if (g->spatial > 2) return false;
    if (transposed && JM_MAX(g->stride[1], g->stride[2]) > MOST_PHASES) return false;
    const window y = window_of(g, transposed, 1), x = window_of(g, transposed, 2);
    return piece_bytes(g, &y, &x, 1) <= MOST_ROW_BYTES;
}

static void set_columns(state *s)
{
    const int64_t step = s->x.step, width = s->geometry.in[2];
    for (int64_t px = 0; px < s->x.planes; px++) {
        const int64_t first = s->x.low + px;
        struct columns *c = &s->columns[px];
        jm_depthwise_inside(first, width, s->pitch, step, &c->begin, &c->end);
        c->first = first + c->begin * step;
    }
}

double jm_conv_points_share(const jm_conv_geometry *g, bool transposed)
{
    const window x = window_of(g, transposed, 2);
    const double taps = (double)(g->channels / g->group) * (double)g->kernel[1] * (double)g->kernel[2];
    /* One filter uses an input once; the inputs of a tile should leave room in the first cache. */
    const double kernel = g->filters == g->group ? 0.45 : taps <= JM_CONV_SEGMENT ? 0.9 : 0.8;
    return kernel * (double)x.count / (double)pitch_of(&x);
}

double jm_conv_points_copies(const jm_conv_geometry *g, bool transposed)
{
    const double element = 0.05, apart = 0.15; /* side by side; with distances */
    const bool steps = JM_MAX(g->stride[1], g->stride[2]) > 1;
    const double in = (double)g->channels * (double)g->in[1] * (double)g->in[2];
    const double out = (double)g->filters * (double)g->out[1] * (double)g->out[2];
    return (double)g->batch *
           (in * (steps && !transposed ? apart : element) + out * (steps && transposed ? apart : element));
}

static struct phase phase_of(const state *s, bool transposed, const jm_tensor *w, const int64_t at[2], jm_arena *arena)
{
    const jm_conv_geometry *g = &s->geometry;
    const jm_conv_axis y = jm_conv_phase_axis(g, transposed, 1, at[0]), x = jm_conv_phase_axis(g, transposed, 2, at[1]);
    const size_t taps = (size_t)(s->group_channels * y.count * x.count);
    jm_plane_tap *tap = jm_arena_alloc(arena, JM_MAX(taps, 1), sizeof(*tap)), *next = tap;
    if (!tap) return (struct phase){0};
    ptrdiff_t point[3];
    jm_conv_spatial_strides(w, point);
    for (int64_t c = 0; c < s->group_channels; c++) {
        for (int64_t i = 0; i < y.count; i++) {
            for (int64_t j = 0; j < x.count; j++) {
                const int64_t row = y.input + i * y.input_gap - s->y.low, column = x.input + j * x.input_gap - s->x.low;
                const int64_t plane = row % s->y.step * s->x.planes + column % s->x.step;
                *next++ = (jm_plane_tap){
                    .input = (ptrdiff_t)((size_t)c * s->channel + (size_t)plane * s->plane) +
                             row / s->y.step * s->pitch + column / s->x.step,
                    .weight = c * s->weights.channel + (y.kernel + i * y.kernel_gap) * point[1] +
                              (x.kernel + j * x.kernel_gap) * point[2],
                };
            }
        }
    }
    return (struct phase){tap, taps};
}

/* The rows of a piece, and where things lie in scratch. What is used once should stay in the first cache until then;
 * many filters pass segment by segment over what is in the second. */
static bool plan_scratch(state *s, const jm_machine *machine, size_t *bytes)
{
    const jm_conv_geometry *g = &s->geometry;
    const double one = piece_bytes(g, &s->y, &s->x, 1), next = piece_bytes(g, &s->y, &s->x, 2) - one;
    const double cache = s->group_filters > 1 ? (double)machine->l2 / 4 : (double)machine->l1 * 0.75;
    const double room = JM_MAX(cache - one, 0);
    const int64_t most = JM_MIN(JM_MAX(1 + (int64_t)(room / next), LEAST_ROWS), s->y.count);
    const int64_t pieces = (s->y.count + most - 1) / most;
    s->piece = (s->y.count + pieces - 1) / pieces;
    s->pitch = pitch_of(&s->x);
    s->plane = (size_t)(s->pitch * (s->piece + s->y.reach / s->y.step));
    s->channel = s->plane * (size_t)(s->y.planes * s->x.planes);
    s->points = (size_t)(s->pitch * s->piece + JM_LANES - 1) / JM_LANES * JM_LANES;
    /* Points that nobody wants read up to 16 elements behind the last plane. */
    const size_t inputs = (size_t)s->group_channels * s->channel + 2 * JM_LANES;
    s->sums = inputs / JM_LANES * JM_LANES;
    s->line = s->sums + s->points * (size_t)(s->x.phases * JM_MIN(s->group_filters, FILTERS));
    s->residual_line = s->line + (size_t)g->out[2];
    return jm_size_mul(s->residual_line + (size_t)g->out[2], sizeof(float), bytes);
}

jm_status jm_conv_points_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan)
{
    const jm_call *call = job->call;
    const jm_conv_geometry *g = &job->geometry;
    const jm_tensor *w = &call->in[JM_CONV_W], *bias = jm_call_in(call, JM_CONV_B);
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_points;
    s->kernels = job->machine->kernels;
    s->epilogue = job->epilogue;
    s->geometry = *g;
    s->in = jm_plain_view_of(&call->in[JM_CONV_X]);
    s->out = jm_plain_view_of(&call->out[0]);
    if (s->epilogue.residual != JM_RESIDUAL_NONE) s->residual = jm_plain_view_of(&call->in[JM_CONV_RESIDUAL]);
    if (bias) s->bias_stride = (ptrdiff_t)bias->stride[0];
    s->group_channels = g->channels / g->group;
    s->group_filters = g->filters / g->group;
    s->weights = jm_plain_weights_of(w, g, job->transposed);
    s->y = window_of(g, job->transposed, 1);
    s->x = window_of(g, job->transposed, 2);
    if (!plan_scratch(s, job->machine, &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the map is too large");
    s->phase = jm_arena_alloc(arena, (size_t)(s->y.phases * s->x.phases), sizeof(*s->phase));
    s->columns = jm_arena_alloc(arena, (size_t)s->x.planes, sizeof(*s->columns));
    if (!s->phase || !s->columns) return JM_OUT_OF_MEMORY;
    set_columns(s);
    for (int64_t i = 0; i < s->y.phases * s->x.phases; i++) {
        s->phase[i] = phase_of(s, job->transposed, w, (const int64_t[]){i / s->x.phases, i % s->x.phases}, arena);
        if (!s->phase[i].tap) return JM_OUT_OF_MEMORY;
    }
    /* What is cut beside the rows: groups, which share no inputs, or filters. */
    const double row_bytes = 4.0 * (double)s->group_channels * (double)g->in[2] * (double)s->y.step;
    const double weight_bytes = 4.0 * FILTERS * (double)s->group_channels * (double)g->kernel[1] * (double)g->kernel[2];
    const int64_t blocks = g->group > 1 ? g->group : (g->filters + FILTERS - 1) / FILTERS;
    s->strips = jm_strips_choose(job->machine, g->batch, blocks,
                                 g->group > 1 ? row_bytes * (double)s->y.count : weight_bytes, s->y.count, row_bytes);
    plan->chunks = jm_strips_chunks(&s->strips);
    plan->state = s;
    return JM_OK;
}
