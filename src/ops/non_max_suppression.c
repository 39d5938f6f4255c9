/* SPDX-License-Identifier: Apache-2.0
 *
 * NonMaxSuppression. The number of selected boxes is data, and a graph has fixed shapes: the output has as many rows as
 * could ever be selected, and the rows behind the last selected box are -1. Where every input is constant the number is
 * known and the output has exactly that many rows.
 */
#include <math.h>
#include <string.h>

#include "ops/indexing.h"

enum { BOXES, SCORES, MOST, OVERLAP, LEAST_SCORE }; /* inputs */
#define COUNTED 1e8                                 /* comparisons that are done to know the size of the output */
#define ANY_SCORE -INFINITY                         /* there is no least score */

/* Reads elements of any strides as float32. */
typedef struct view {
    const char *data;
    jm_dtype dtype;
    int64_t step[3]; /* bytes */
} view;

typedef struct nms_state {
    view boxes, scores; /* without data */
    jm_dtype overlap_dtype, least_dtype, most_dtype;
    bool has_overlap, has_least, has_most, corners; /* corners: y1, x1, y2, x2; else center and size */
    int64_t batches, classes, count;                /* boxes of a batch */
    int64_t rows, row_step, column_step;            /* of the output; bytes */
} nms_state;

static float at(const view *v, int64_t i, int64_t j, int64_t k)
{
    const char *element = v->data + i * v->step[0] + j * v->step[1] + k * v->step[2];
    if (v->dtype == JM_F32) return *(const float *)(const void *)element;
    return (float)jm_element_to_f64(v->dtype, element);
}

/* ---- One class of one picture ---- */

typedef struct box {
    float low[2], high[2], area;
} box;

static box read_box(const nms_state *s, int64_t batch, int64_t i)
{
    box b;
    for (int k = 0; k < 2; k++) {
        const float first = at(&s->boxes, batch, i, k), second = at(&s->boxes, batch, i, k + 2);
        b.low[k] = s->corners ? JM_MIN(first, second) : first - second / 2;
        b.high[k] = s->corners ? JM_MAX(first, second) : first + second / 2;
    }
    b.area = (b.high[0] - b.low[0]) * (b.high[1] - b.low[1]);
    return b;
}

static bool overlaps(const box *a, const box *b, float threshold)
{
    const float height = JM_MIN(a->high[0], b->high[0]) - JM_MAX(a->low[0], b->low[0]);
    const float width = JM_MIN(a->high[1], b->high[1]) - JM_MAX(a->low[1], b->low[1]);
    if (!(height > 0 && width > 0)) return false;
    const float common = height * width;
    return common / (a->area + b->area - common) > threshold;
}

typedef struct candidate {
    float score;
    int32_t index;
} candidate;

/* a comes after b: a lower score, or the same one and later. */
static bool behind(candidate a, candidate b)
{
    return a.score < b.score || (a.score == b.score && a.index > b.index);
}

static void sift_down(candidate *heap, int64_t count, int64_t i)
{
    for (;;) {
        int64_t best = 2 * i + 1;
        if (best >= count) return;
        if (best + 1 < count && behind(heap[best], heap[best + 1])) best++;
        if (!behind(heap[i], heap[best])) return;
        const candidate swap = heap[i];
        heap[i] = heap[best];
        heap[best] = swap;
        i = best;
    }
}

/* Limits of one run. */
typedef struct limits {
    int64_t most;
    float overlap, least;
} limits;

/* Indices of selected boxes, best first, into `selected`; returns how many. `heap` has room for every box. */
static int64_t select_boxes(const nms_state *s, const limits *l, int64_t batch, int64_t class, candidate *heap,
                            int64_t *selected)
{
    int64_t count = 0, kept = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const float score = at(&s->scores, batch, class, i);
        if (score > l->least) heap[count++] = (candidate){score, (int32_t)i};
    }
    for (int64_t i = count / 2; i-- > 0;) sift_down(heap, count, i);
    while (count > 0 && kept < l->most) {
        const candidate best = heap[0];
        heap[0] = heap[--count];
        sift_down(heap, count, 0);
        const box own = read_box(s, batch, best.index);
        bool free = true;
        for (int64_t i = 0; i < kept && free; i++) {
            const box other = read_box(s, batch, selected[i]);
            free = !overlaps(&own, &other, l->overlap);
        }
        if (free) selected[kept++] = best.index;
    }
    return kept;
}

/* ---- The call ---- */

static limits read_limits(const nms_state *s, const void *most, const void *overlap, const void *least)
{
    limits l = {.most = 0, .overlap = 0, .least = ANY_SCORE};
    if (s->has_most) l.most = JM_MIN(JM_MAX(jm_element_to_i64(s->most_dtype, most), 0), s->count);
    if (s->has_overlap) l.overlap = (float)jm_element_to_f64(s->overlap_dtype, overlap);
    if (s->has_least) l.least = (float)jm_element_to_f64(s->least_dtype, least);
    return l;
}

static view view_of(const jm_tensor *tensor)
{
    view v = {.data = tensor->data, .dtype = tensor->dtype};
    for (int k = 0; k < 3; k++) v.step[k] = jm_byte_stride(tensor, k);
    return v;
}

static nms_state describe(const jm_call *call)
{
    const jm_tensor *most = jm_call_in(call, MOST), *overlap = jm_call_in(call, OVERLAP);
    const jm_tensor *least = jm_call_in(call, LEAST_SCORE);
    nms_state s = {.has_most = most, .has_overlap = overlap, .has_least = least, .corners = call->attr[0].i == 0};
    s.boxes = view_of(&call->in[BOXES]);
    s.scores = view_of(&call->in[SCORES]);
    if (most) s.most_dtype = most->dtype;
    if (overlap) s.overlap_dtype = overlap->dtype;
    if (least) s.least_dtype = least->dtype;
    s.batches = call->in[SCORES].shape.dim[0];
    s.classes = call->in[SCORES].shape.dim[1];
    s.count = call->in[SCORES].shape.dim[2];
    return s;
}

static jm_status check_scalar(const jm_call *call, int input, uint32_t dtypes)
{
    const jm_tensor *tensor = jm_call_in(call, input);
    if (!tensor) return JM_OK;
    const bool one = tensor->shape.rank == 0 || (tensor->shape.rank == 1 && tensor->shape.dim[0] == 1);
    if (one && (dtypes >> tensor->dtype & 1)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' must be one number",
                         jm_op_input(call->op, input)->name);
}

static jm_status check_shapes(const jm_call *call)
{
    const jm_shape *boxes = &call->in[BOXES].shape, *scores = &call->in[SCORES].shape;
    if (boxes->rank != 3 || scores->rank != 3 || boxes->dim[2] != 4 || boxes->dim[0] != scores->dim[0] ||
        boxes->dim[1] != scores->dim[2])
        return jm_call_error(call, JM_INVALID_ARGUMENT, "boxes must be [N, B, 4] and scores [N, C, B]");
    if (!jm_shape_known(scores)) return jm_call_error(call, JM_UNSUPPORTED, "the shape of scores is unknown");
    if (scores->dim[2] > INT32_MAX) return jm_call_error(call, JM_OUT_OF_RANGE, "there are too many boxes");
    if (!(JM_DTYPES_F32 >> call->in[SCORES].dtype & 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "scores are %s", jm_dtype_text(call->in[SCORES].dtype));
    JM_TRY(check_scalar(call, MOST, 1u << JM_I64 | 1u << JM_I32));
    JM_TRY(check_scalar(call, OVERLAP, JM_DTYPES_F32));
    return check_scalar(call, LEAST_SCORE, JM_DTYPES_F32);
}

/* The number of selected boxes when all inputs are constant. */
static jm_status count_selected(const jm_call *call, int64_t *rows)
{
    nms_state s = describe(call);
    const limits l =
        read_limits(&s, s.has_most ? call->in[MOST].data : NULL, s.has_overlap ? call->in[OVERLAP].data : NULL,
                    s.has_least ? call->in[LEAST_SCORE].data : NULL);
    candidate *heap = jm_alloc((size_t)s.count, sizeof(*heap));
    int64_t *selected = jm_alloc((size_t)s.count, sizeof(*selected));
    *rows = 0;
    for (int64_t i = 0; heap && selected && i < s.batches * s.classes; i++)
        *rows += select_boxes(&s, &l, i / s.classes, i % s.classes, heap, selected);
    const bool done = heap && selected;
    jm_free(heap);
    jm_free(selected);
    return done ? JM_OK : JM_OUT_OF_MEMORY;
}

static bool all_known(const jm_call *call)
{
    for (int i = 0; i < call->inputs; i++) {
        const jm_tensor *in = jm_call_in(call, i);
        if (in && (!in->constant || !in->data || in->layout != JM_PLAIN)) return false;
    }
    return true;
}

static jm_status nms_infer(jm_call *call)
{
    JM_TRY(check_shapes(call));
    const jm_shape *scores = &call->in[SCORES].shape;
    const jm_tensor *most = jm_call_in(call, MOST);
    int64_t rows = 0, each = scores->dim[2];
    if (!most) each = 0; /* no limit means that nothing is selected */
    if (most && most->constant && most->data)
        each = JM_MIN(JM_MAX(jm_element_to_i64(most->dtype, most->data), 0), each);
    const double work = (double)scores->dim[0] * (double)scores->dim[1] * (double)scores->dim[2] * (double)each;
    if (all_known(call) && work <= COUNTED) {
        JM_TRY(count_selected(call, &rows));
    } else {
        const jm_shape bound = {.rank = 3, .dim = {scores->dim[0], scores->dim[1], each}};
        JM_TRY(jm_shape_count(&bound, &rows));
    }
    call->out[0].dtype = JM_I64;
    call->out[0].shape = (jm_shape){.rank = 2, .dim = {rows, 3}};
    return JM_OK;
}

static jm_status nms_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan)
{
    (void)form;
    (void)machine;
    nms_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    size_t heap, selected;
    if (!s) return JM_OUT_OF_MEMORY;
    *s = describe(call);
    s->rows = call->out[0].shape.dim[0];
    s->row_step = jm_byte_stride(&call->out[0], 0);
    s->column_step = jm_byte_stride(&call->out[0], 1);
    plan->state = s;
    if (!jm_size_mul((size_t)s->count, sizeof(candidate), &heap) ||
        !jm_size_mul((size_t)s->count, sizeof(int64_t), &selected) || !jm_size_round_up(heap, 64, &heap) ||
        !jm_size_add(heap, selected, &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "there are too many boxes");
    return JM_OK;
}

static void put_row(const nms_state *s, void *out, int64_t row, int64_t a, int64_t b, int64_t c)
{
    char *to = (char *)out + row * s->row_step;
    memcpy(to, &a, sizeof(a));
    memcpy(to + s->column_step, &b, sizeof(b));
    memcpy(to + 2 * s->column_step, &c, sizeof(c));
}

/* One chunk: where a class's rows begin depends on the classes before it. */
static void nms_run(const jm_plan *plan, const jm_run *run)
{
    nms_state s = *(const nms_state *)plan->state;
    candidate *heap = run->scratch;
    const size_t bytes = ((size_t)s.count * sizeof(*heap) + 63) / 64 * 64;
    int64_t *selected = (int64_t *)(void *)((char *)run->scratch + bytes), row = 0;
    s.boxes.data = run->in[BOXES];
    s.scores.data = run->in[SCORES];
    const limits l = read_limits(&s, s.has_most ? run->in[MOST] : NULL, s.has_overlap ? run->in[OVERLAP] : NULL,
                                 s.has_least ? run->in[LEAST_SCORE] : NULL);
    for (int64_t i = 0; i < s.batches * s.classes; i++) {
        const int64_t batch = i / s.classes, class = i % s.classes;
        const int64_t count = select_boxes(&s, &l, batch, class, heap, selected);
        for (int64_t k = 0; k < count && row < s.rows; k++) put_row(&s, run->out[0], row++, batch, class, selected[k]);
    }
    while (row < s.rows) put_row(&s, run->out[0], row++, -1, -1, -1);
}

static double nms_flops(const jm_call *call)
{
    return 16 * (double)jm_tensor_elements(&call->in[SCORES]);
}

static const jm_param param[] = {
    {"boxes", JM_PARAM_INPUT, 0, .doc = "[N, B, 4], y1, x1, y2, x2 or center and size"},
    {"scores", JM_PARAM_INPUT, 0, .doc = "[N, C, B]"},
    {"max_output_boxes_per_class", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "absent: none is selected"},
    {"iou_threshold", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "boxes that overlap more are one; absent: 0"},
    {"score_threshold", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "boxes must be above it; absent: all are"},
    {"selected_indices", JM_PARAM_OUTPUT, 0, .doc = "[rows, 3], batch, class and box; unused rows are -1"},
    {"center_point_box", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: x and y of the center, width, height"},
};

const jm_op jm_op_non_max_suppression = {
    .name = "NonMaxSuppression",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = JM_DTYPES_F32,
    .formula = "boxes by falling score that overlap no better one; as many rows as are possible",
    .source = "ONNX NonMaxSuppression-11",
    .infer = nms_infer,
    .plan = nms_plan,
    .run = nms_run,
    .flops = nms_flops,
};
