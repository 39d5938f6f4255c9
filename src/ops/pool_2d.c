/* SPDX-License-Identifier: Apache-2.0
 *
 * Pooling in two dimensions with the arguments of PyTorch, made of the operators that slide windows, and the two ways
 * to note where maxima were: indices in a map, and a mask.
 *
 * The mask of a map is a row of bytes for each tap of the window, in row-major order. Bit p % 8 of byte p / 8 of row t
 * is 1 where the maximum of output p is at tap t. Rows have room for more bytes than that; the others mean nothing.
 */
#include "ops/pool_2d.h"

#include <string.h>

#include "ops/compose.h"
#include "ops/indexing.h"
#include "ops/pool.h"
#include "ops/strided.h"
#include "ops/window.h"

/* ---- Windows ---- */

enum { ATTR_KERNEL, ATTR_STRIDE, ATTR_PADDING, ATTR_DILATION, ATTR_CEIL };

/* One number stands for both; `fill` are the values of an absent or empty list. */
static jm_status read_pair(const jm_call *call, int attr, int64_t low, const int64_t fill[2], int64_t out[2])
{
    const jm_attr *list = &call->attr[attr];
    const char *name = jm_op_attr(call->op, attr)->name;
    out[0] = fill[0];
    out[1] = fill[1];
    if (!list->present || (list->count == 0 && attr == ATTR_STRIDE)) return JM_OK;
    if (list->count < 1 || list->count > 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s has %d numbers and must have 1 or 2", name,
                             (int)list->count);
    for (int k = 0; k < 2; k++) {
        out[k] = list->ints[list->count == 1 ? 0 : k];
        if (out[k] < low || out[k] > JM_WINDOW_LIMIT)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s[%d] is %lld and must be in %lld .. 2^31", name, k,
                                 (long long)out[k], (long long)low);
    }
    return JM_OK;
}

static jm_status resolve_out(const jm_call *call, jm_pool_2d *p, int k)
{
    const int64_t span = (p->kernel[k] - 1) * p->dilation[k] + 1, stride = p->stride[k];
    p->out[k] = -1;
    if (p->in[k] < 0) return JM_OK;
    const int64_t room = p->in[k] + 2 * p->padding[k] - span;
    if (room < 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the window spans %lld points; there are %lld with padding",
                             (long long)span, (long long)(room + span));
    p->out[k] = (room + (call->attr[ATTR_CEIL].i ? stride - 1 : 0)) / stride + 1;
    /* A window that begins in the padding behind the input does not count. */
    if (call->attr[ATTR_CEIL].i && (p->out[k] - 1) * stride >= p->in[k] + p->padding[k]) p->out[k]--;
    return JM_OK;
}

jm_status jm_pool_2d_resolve(const jm_call *call, const jm_shape *shape, jm_pool_2d *p)
{
    static const int64_t zero[2], one[2] = {1, 1};
    memset(p, 0, sizeof(*p));
    if (shape->rank != 3 && shape->rank != 4)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the input has rank %d and must have 3 or 4", shape->rank);
    JM_TRY(read_pair(call, ATTR_KERNEL, 1, one, p->kernel));
    JM_TRY(read_pair(call, ATTR_STRIDE, 1, p->kernel, p->stride));
    JM_TRY(read_pair(call, ATTR_PADDING, 0, zero, p->padding));
    JM_TRY(read_pair(call, ATTR_DILATION, 1, one, p->dilation));
    for (int k = 0; k < 2; k++) {
        if (p->padding[k] > p->kernel[k] / 2)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "padding[%d] is %lld and must be at most half of %lld", k,
                                 (long long)p->padding[k], (long long)p->kernel[k]);
        p->in[k] = shape->dim[shape->rank - 2 + k];
        JM_TRY(resolve_out(call, p, k));
    }
    return JM_OK;
}

jm_shape jm_pool_2d_shape(const jm_pool_2d *pool, const jm_shape *shape)
{
    jm_shape out = *shape;
    for (int k = 0; k < 2; k++) out.dim[shape->rank - 2 + k] = pool->out[k];
    return out;
}

int64_t jm_pool_2d_maps(const jm_shape *shape)
{
    int64_t maps = 1;
    for (int k = 0; k < shape->rank - 2; k++) maps *= shape->dim[k];
    return maps;
}

/* ---- What composites share ---- */

/* The window as attributes of the operators that slide windows. */
typedef struct window_attrs {
    int64_t pads[4];
    jm_named_attr attr[8];
    int count;
} window_attrs;

static void describe_window(const jm_call *call, const jm_pool_2d *p, window_attrs *w)
{
    for (int k = 0; k < 4; k++) w->pads[k] = p->padding[k % 2];
    const jm_named_attr attr[] = {{"kernel_shape", {.count = 2, .ints = p->kernel}},
                                  {"strides", {.count = 2, .ints = p->stride}},
                                  {"dilations", {.count = 2, .ints = p->dilation}},
                                  {"pads", {.count = 4, .ints = w->pads}},
                                  {"ceil_mode", {.count = 1, .i = call->attr[ATTR_CEIL].i != 0}}};
    memcpy(w->attr, attr, sizeof(attr));
    w->count = (int)JM_COUNT(attr);
}

static void add_attr(window_attrs *w, const char *name, jm_attr value)
{
    w->attr[w->count++] = (jm_named_attr){name, value};
}

/* [C, H, W] as [1, C, H, W]. */
static jm_shape batch_of(const jm_shape *shape)
{
    if (shape->rank == 4) return *shape;
    return (jm_shape){.rank = 4, .dim = {1, shape->dim[0], shape->dim[1], shape->dim[2]}};
}

/* MaxPoolIndices of X: places[0] in each map as int32, places[1] the maxima. Both go straight to outputs where those
 * are given and X has rank 4; else places[] are new operands of rank 4. */
static void find_maxima(jm_compose *c, const jm_call *call, const jm_pool_2d *p, jm_operand *places[2])
{
    const jm_shape batch = batch_of(&call->in[0].shape);
    jm_operand *x = jm_compose_reshape(c, jm_compose_input(c, 0), &batch);
    window_attrs w;
    describe_window(call, p, &w);
    add_attr(&w, "each_map", (jm_attr){.count = 1, .i = 1});
    add_attr(&w, "index_type", (jm_attr){.count = 1, .dtype = JM_I32});
    jm_compose_into(c, "MaxPoolIndices", &x, 1, w.attr, w.count, places, 2);
}

/* ---- MaxPool2dIndices ---- */

static jm_status max_infer(jm_call *call)
{
    jm_pool_2d p;
    JM_TRY(jm_pool_2d_resolve(call, &call->in[0].shape, &p));
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = i == 0 ? call->in[0].dtype : JM_I32;
        call->out[i].shape = jm_pool_2d_shape(&p, &call->in[0].shape);
    }
    return JM_OK;
}

static jm_status max_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_pool_2d p;
    JM_TRY(jm_pool_2d_resolve(call, &call->in[0].shape, &p));
    const bool direct = call->in[0].shape.rank == 4;
    jm_operand *places[2] = {direct ? jm_builder_output(builder, 1) : NULL,
                             direct ? jm_builder_output(builder, 0) : NULL};
    find_maxima(&c, call, &p, places);
    for (int i = 0; i < 2 && !direct; i++)
        jm_compose_result(&c, i, jm_compose_reshape(&c, places[1 - i], &call->out[i].shape));
    return jm_compose_end(&c);
}

static const jm_param max_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W] or [C, H, W]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "maxima of windows"},
    {.name = "indices", .kind = JM_PARAM_OUTPUT, .doc = "int32: y W + x of each maximum; the first, or the last NaN"},
    JM_POOL_2D_WINDOW,
};

const jm_op jm_op_max_pool_2d_indices = {
    .name = "MaxPool2dIndices",
    .param = max_param,
    .params = JM_COUNT(max_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "the largest element under each window and its index in its map",
    .source = "PyTorch max_pool2d_with_indices",
    .infer = max_infer,
    .lower = max_lower,
};

/* ---- The mask of a map, and back ---- */

static int64_t mask_width(const jm_pool_2d *p)
{
    return ((p->out[0] * p->out[1] + 15) / 16 + 1) * 32;
}

/* The shape of the mask of an input of that shape. */
static jm_status mask_shape(const jm_call *call, const jm_pool_2d *p, const jm_shape *shape, jm_shape *mask)
{
    int64_t count;
    *mask = *shape;
    if (p->out[0] < 0 || p->out[1] < 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the sizes of the input must be known");
    mask->dim[shape->rank - 2] = p->kernel[0] * p->kernel[1];
    mask->dim[shape->rank - 1] = mask_width(p);
    if (jm_shape_count(mask, &count) == JM_OK) return JM_OK;
    return jm_call_error(call, JM_OUT_OF_RANGE, "the mask has more than 2^40 elements");
}

typedef struct mask_state {
    jm_pool_2d p;
    int rank; /* of the dims that number the maps */
    int64_t dim[2], index_map[2], mask_map[2];
    int64_t index_row, index_column, mask_row, mask_byte; /* strides, in elements */
    int64_t taps, (*tap)[2];                              /* rows and columns from the first point of a window */
    int64_t maps;
    size_t chunks;
} mask_state;

static jm_status plan_mask(const jm_call *call, const jm_shape *shape, const jm_tensor *index, const jm_tensor *mask,
                           const jm_machine *machine, jm_arena *arena, jm_plan *plan)
{
    mask_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    JM_TRY(jm_pool_2d_resolve(call, shape, &state->p));
    const jm_pool_2d *p = &state->p;
    state->taps = p->kernel[0] * p->kernel[1];
    state->tap = jm_arena_alloc(arena, (size_t)state->taps, sizeof(*state->tap));
    if (!state->tap) return JM_OUT_OF_MEMORY;
    for (int64_t t = 0; t < state->taps; t++) {
        state->tap[t][0] = t / p->kernel[1] * p->dilation[0] - p->padding[0];
        state->tap[t][1] = t % p->kernel[1] * p->dilation[1] - p->padding[1];
    }
    state->rank = shape->rank - 2;
    for (int k = 0; k < state->rank; k++) {
        state->dim[k] = shape->dim[k];
        state->index_map[k] = index->stride[k];
        state->mask_map[k] = mask->stride[k];
    }
    state->index_row = index->stride[state->rank];
    state->index_column = index->stride[state->rank + 1];
    state->mask_row = mask->stride[state->rank];
    state->mask_byte = mask->stride[state->rank + 1];
    state->maps = jm_pool_2d_maps(shape);
    if (state->p.out[0] * state->p.out[1] == 0) state->maps = 0;
    const double bytes = (double)state->maps * (double)(state->p.out[0] * state->p.out[1]) * 16;
    state->chunks = plan->chunks = jm_chunk_count(machine, bytes, state->maps);
    return JM_OK;
}

/* Addresses of a map's indices and mask. */
static void map_of(const mask_state *state, int64_t map, int32_t **index, uint8_t **mask)
{
    *index += jm_strided_offset(state->rank, state->dim, state->index_map, map);
    *mask += jm_strided_offset(state->rank, state->dim, state->mask_map, map);
}

/* The tap at which index `at` of the map lies under window (y, x); -1 where it does not. */
static int64_t tap_of(const jm_pool_2d *p, int64_t y, int64_t x, int64_t at)
{
    if (at < 0 || at >= p->in[0] * p->in[1]) return -1;
    const int64_t row = at / p->in[1] - (y * p->stride[0] - p->padding[0]);
    const int64_t column = at % p->in[1] - (x * p->stride[1] - p->padding[1]);
    if (row < 0 || column < 0 || row / p->dilation[0] >= p->kernel[0] || column / p->dilation[1] >= p->kernel[1])
        return -1;
    return row / p->dilation[0] * p->kernel[1] + column / p->dilation[1];
}

static void write_mask(const mask_state *state, const jm_run *run, const int32_t *index, uint8_t *mask)
{
    const jm_pool_2d *p = &state->p;
    const int64_t bytes = (p->out[0] * p->out[1] + 7) / 8;
    for (int64_t tap = 0; tap < p->kernel[0] * p->kernel[1]; tap++)
        for (int64_t b = 0; b < bytes; b++) mask[tap * state->mask_row + b * state->mask_byte] = 0;
    for (int64_t y = 0; y < p->out[0]; y++)
        for (int64_t x = 0; x < p->out[1]; x++) {
            const int64_t point = y * p->out[1] + x;
            const int64_t tap = tap_of(p, y, x, index[y * state->index_row + x * state->index_column]);
            if (tap < 0)
                jm_index_fault(run);
            else
                mask[tap * state->mask_row + point / 8 * state->mask_byte] |= (uint8_t)(1u << point % 8);
        }
}

static void run_write(const jm_plan *plan, const jm_run *run)
{
    const mask_state *state = plan->state;
    int64_t begin, end;
    jm_chunk_range(state->maps, state->chunks, run->chunk, &begin, &end);
    for (int64_t map = begin; map < end; map++) {
        int32_t *index = run->in[0];
        uint8_t *mask = run->out[0];
        map_of(state, map, &index, &mask);
        write_mask(state, run, index, mask);
    }
}

/* Eight bits as bytes: all ones where bit i is set, from the lowest byte on. */
static uint64_t bytes_of(uint8_t bits)
{
    const uint64_t ones = 0x0101010101010101u, apart = bits * ones & 0x8040201008040201u;
    return ((apart + 0x7f * ones) >> 7 & ones) * 0xff;
}

/* The index of the point that tap `tap` of window (y, x) meets; -1 outside. */
static int32_t index_of(const mask_state *state, int64_t tap, int64_t y, int64_t x)
{
    const jm_pool_2d *p = &state->p;
    const int64_t row = y * p->stride[0] + state->tap[tap][0], column = x * p->stride[1] + state->tap[tap][1];
    const bool inside = row >= 0 && row < p->in[0] && column >= 0 && column < p->in[1];
    return inside ? (int32_t)(row * p->in[1] + column) : -1;
}

/* Points of which no tap has a bit get -1; of several the last one counts. */
static void read_mask(const mask_state *state, const uint8_t *mask, int32_t *index)
{
    enum { NUMBERS = 255 }; /* taps at a time: each of eight points has a byte for one of them, from 1 on */
    const jm_pool_2d *p = &state->p;
    const int64_t points = p->out[0] * p->out[1];
    for (int64_t first = 0; first < state->taps; first += NUMBERS) {
        const int64_t taps = JM_MIN(NUMBERS, state->taps - first);
        int64_t y = 0, x = 0;
        for (int64_t point = 0; point < points; point += 8) {
            const uint8_t *from = mask + first * state->mask_row + point / 8 * state->mask_byte;
            uint64_t found = 0;
            for (int64_t t = 1; t <= taps; t++, from += state->mask_row) {
                const uint64_t here = bytes_of(*from);
                found = (found & ~here) | (here & (uint64_t)t * 0x0101010101010101u);
            }
            for (int64_t i = JM_MIN(8, points - point); i; i--, found >>= 8) {
                const int64_t tap = (int64_t)(found & 0xff);
                int32_t *to = index + y * state->index_row + x * state->index_column;
                if (tap)
                    *to = index_of(state, first + tap - 1, y, x);
                else if (first == 0)
                    *to = -1;
                if (++x == p->out[1]) {
                    x = 0;
                    y++;
                }
            }
        }
    }
}

static void run_read(const jm_plan *plan, const jm_run *run)
{
    const mask_state *state = plan->state;
    int64_t begin, end;
    jm_chunk_range(state->maps, state->chunks, run->chunk, &begin, &end);
    for (int64_t map = begin; map < end; map++) {
        uint8_t *mask = run->in[0];
        int32_t *index = run->out[0];
        map_of(state, map, &index, &mask);
        read_mask(state, mask, index);
    }
}

enum { MASK_SHAPE = JM_POOL_2D_ATTRS };

/* The input that was pooled, from an attribute. */
static jm_status pooled_shape(const jm_call *call, jm_shape *shape)
{
    const jm_attr *attr = &call->attr[MASK_SHAPE];
    int64_t count;
    if (attr->count != 3 && attr->count != 4)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "shape has %d numbers and must have 3 or 4", (int)attr->count);
    *shape = (jm_shape){.rank = attr->count};
    for (int k = 0; k < attr->count; k++) {
        shape->dim[k] = attr->ints[k];
        if (shape->dim[k] < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "shape[%d] is %lld", k, (long long)shape->dim[k]);
    }
    if (jm_shape_count(shape, &count) == JM_OK && shape->dim[shape->rank - 2] <= INT32_MAX &&
        shape->dim[shape->rank - 1] <= INT32_MAX / JM_MAX(shape->dim[shape->rank - 2], 1))
        return JM_OK;
    return jm_call_error(call, JM_OUT_OF_RANGE, "the map is too large");
}

static jm_status describe_mask(const jm_call *call, jm_shape *index, jm_shape *mask)
{
    jm_shape shape;
    jm_pool_2d p;
    JM_TRY(pooled_shape(call, &shape));
    JM_TRY(jm_pool_2d_resolve(call, &shape, &p));
    *index = jm_pool_2d_shape(&p, &shape);
    return mask_shape(call, &p, &shape, mask);
}

static jm_status expect(const jm_call *call, jm_dtype dtype, const jm_shape *shape)
{
    char have[JM_SHAPE_TEXT], want[JM_SHAPE_TEXT];
    const jm_tensor *in = &call->in[0];
    if ((in->dtype == dtype || (dtype == JM_U8 && in->dtype == JM_I8)) && jm_shape_equal(&in->shape, shape))
        return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' is %s %s and must be %s %s",
                         jm_op_input(call->op, 0)->name, jm_dtype_text(in->dtype), jm_shape_text(&in->shape, have),
                         jm_dtype_text(dtype), jm_shape_text(shape, want));
}

static jm_status write_infer(jm_call *call)
{
    jm_shape index, mask;
    JM_TRY(describe_mask(call, &index, &mask));
    JM_TRY(expect(call, JM_I32, &index));
    call->out[0].dtype = JM_I8;
    call->out[0].shape = mask;
    return JM_OK;
}

static jm_status read_infer(jm_call *call)
{
    jm_shape index, mask;
    JM_TRY(describe_mask(call, &index, &mask));
    JM_TRY(expect(call, JM_U8, &mask));
    call->out[0].dtype = JM_I32;
    call->out[0].shape = index;
    return JM_OK;
}

static jm_status write_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    jm_shape shape;
    JM_TRY(pooled_shape(call, &shape));
    return plan_mask(call, &shape, &call->in[0], &call->out[0], machine, arena, plan);
}

static jm_status read_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    jm_shape shape;
    JM_TRY(pooled_shape(call, &shape));
    return plan_mask(call, &shape, &call->out[0], &call->in[0], machine, arena, plan);
}

static const jm_param write_param[] = {
    {.name = "indices", .kind = JM_PARAM_INPUT, .doc = "int32, of MaxPool2dIndices"},
    {.name = "mask", .kind = JM_PARAM_OUTPUT, .doc = "int8 [..., taps, (points / 16 rounded up + 1) 32]"},
    JM_POOL_2D_WINDOW,
    {.name = "shape", .kind = JM_PARAM_INTS, .doc = "of what was pooled, of rank 3 or 4"},
};

const jm_op jm_op_max_pool_mask = {
    .name = "MaxPoolMask",
    .param = write_param,
    .params = JM_COUNT(write_param),
    .formula = "bit p % 8 of byte p / 8 of row t is 1 where the maximum of point p is at tap t",
    .source = "aclnnMaxPool2dWithMask",
    .infer = write_infer,
    .plan = write_plan,
    .run = run_write,
};

static const jm_param read_param[] = {
    {.name = "mask", .kind = JM_PARAM_INPUT, .doc = "int8 or uint8, of MaxPoolMask"},
    {.name = "indices", .kind = JM_PARAM_OUTPUT, .doc = "int32; -1 where no bit is set"},
    JM_POOL_2D_WINDOW,
    {.name = "shape", .kind = JM_PARAM_INTS, .doc = "of what was pooled, of rank 3 or 4"},
};

const jm_op jm_op_max_pool_mask_indices = {
    .name = "MaxPoolMaskIndices",
    .param = read_param,
    .params = JM_COUNT(read_param),
    .formula = "the indices of which MaxPoolMask made the mask",
    .source = "aclnnMaxPool2dWithMaskBackward",
    .infer = read_infer,
    .plan = read_plan,
    .run = run_read,
};

/* ---- MaxPool2dMask ---- */

static jm_status masked_infer(jm_call *call)
{
    jm_pool_2d p;
    JM_TRY(jm_pool_2d_resolve(call, &call->in[0].shape, &p));
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = jm_pool_2d_shape(&p, &call->in[0].shape);
    if (call->outputs < 2) return JM_OK;
    call->out[1].dtype = JM_I8;
    return mask_shape(call, &p, &call->in[0].shape, &call->out[1].shape);
}

/* The window attributes of `call` for an operator with the same ones, and the shape of what was pooled. */
static int copy_window(const jm_call *call, const jm_shape *shape, jm_named_attr attr[JM_POOL_2D_ATTRS + 1])
{
    int count = 0;
    for (int i = 0; i < JM_POOL_2D_ATTRS; i++)
        if (call->attr[i].present) attr[count++] = (jm_named_attr){jm_op_attr(call->op, i)->name, call->attr[i]};
    if (shape) attr[count++] = (jm_named_attr){"shape", {.count = shape->rank, .ints = shape->dim}};
    return count;
}

static jm_status masked_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_shape *shape = &call->in[0].shape;
    jm_pool_2d p;
    jm_named_attr attr[JM_POOL_2D_ATTRS + 1];
    JM_TRY(jm_pool_2d_resolve(call, shape, &p));
    const bool direct = shape->rank == 4;
    jm_operand *places[2] = {NULL, direct ? jm_builder_output(builder, 0) : NULL};
    find_maxima(&c, call, &p, places);
    if (!direct) jm_compose_result(&c, 0, jm_compose_reshape(&c, places[1], &call->out[0].shape));
    jm_operand *index = jm_compose_reshape(&c, places[0], &call->out[0].shape), *mask = jm_builder_output(builder, 1);
    jm_compose_into(&c, "MaxPoolMask", &index, 1, attr, copy_window(call, shape, attr), &mask, 1);
    return jm_compose_end(&c);
}

static const jm_param masked_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W] or [C, H, W]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "maxima of windows"},
    {.name = "mask", .kind = JM_PARAM_OUTPUT, .doc = "int8, see MaxPoolMask"},
    JM_POOL_2D_WINDOW,
};

const jm_op jm_op_max_pool_2d_mask = {
    .name = "MaxPool2dMask",
    .param = masked_param,
    .params = JM_COUNT(masked_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "the largest element under each window and a mask of where it is",
    .source = "aclnnMaxPool2dWithMask",
    .infer = masked_infer,
    .lower = masked_lower,
};

/* ---- MaxPool2dMaskGrad ---- */

static jm_status mask_grad_infer(jm_call *call)
{
    jm_pool_2d p;
    JM_TRY(jm_pool_2d_resolve(call, &call->in[1].shape, &p));
    call->out[0].dtype = call->in[1].dtype;
    call->out[0].shape = call->in[1].shape;
    return JM_OK;
}

static jm_status mask_grad_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_named_attr attr[JM_POOL_2D_ATTRS + 1];
    jm_operand *mask = jm_compose_input(&c, 2), *dx = jm_builder_output(builder, 0);
    jm_operand *index =
        jm_compose_node(&c, "MaxPoolMaskIndices", &mask, 1, attr, copy_window(call, &call->in[1].shape, attr));
    jm_operand *in[] = {jm_compose_input(&c, 0), jm_compose_input(&c, 1), index};
    jm_compose_into(&c, "MaxPool2dIndicesGrad", in, 3, attr, copy_window(call, NULL, attr), &dx, 1);
    return jm_compose_end(&c);
}

static const jm_param mask_grad_param[] = {
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "only its shape counts"},
    {.name = "mask", .kind = JM_PARAM_INPUT, .doc = "of MaxPool2dMask"},
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "shape of X"},
    JM_POOL_2D_WINDOW,
};

const jm_op jm_op_max_pool_2d_mask_grad = {
    .name = "MaxPool2dMaskGrad",
    .param = mask_grad_param,
    .params = JM_COUNT(mask_grad_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "the sum of dY of all windows whose maximum is at an element",
    .source = "aclnnMaxPool2dWithMaskBackward",
    .infer = mask_grad_infer,
    .lower = mask_grad_lower,
};

/* ---- AvgPool2d ---- */

enum { AVERAGE_INCLUDE = JM_POOL_2D_ATTRS, AVERAGE_DIVISOR };

static jm_status average_infer(jm_call *call)
{
    jm_pool_2d p;
    JM_TRY(jm_pool_2d_resolve(call, &call->in[0].shape, &p));
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = jm_pool_2d_shape(&p, &call->in[0].shape);
    return JM_OK;
}

static jm_status average_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_shape batch = batch_of(&call->in[0].shape);
    const int64_t divisor = call->attr[AVERAGE_DIVISOR].i;
    jm_operand *x = jm_compose_reshape(&c, jm_compose_input(&c, 0), &batch), *y = NULL;
    jm_pool_2d p;
    window_attrs w;
    JM_TRY(jm_pool_2d_resolve(call, &call->in[0].shape, &p));
    describe_window(call, &p, &w);
    if (divisor == 0) {
        add_attr(&w, "count_include_pad", call->attr[AVERAGE_INCLUDE]);
        if (call->in[0].shape.rank == 4) {
            y = jm_builder_output(builder, 0);
            jm_compose_into(&c, "AveragePool", &x, 1, w.attr, w.count, &y, 1);
            return jm_compose_end(&c);
        }
        y = jm_compose_node(&c, "AveragePool", &x, 1, w.attr, w.count);
    } else {
        x = jm_compose_cast(&c, x, JM_F32);
        y = jm_compose_with(&c, "Div", jm_compose_node(&c, "SumPool", &x, 1, w.attr, w.count), (double)divisor);
        y = jm_compose_cast(&c, y, call->in[0].dtype);
    }
    jm_compose_result(&c, 0, jm_compose_reshape(&c, y, &call->out[0].shape));
    return jm_compose_end(&c);
}

static const jm_param average_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W] or [C, H, W]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "means of windows"},
    JM_POOL_2D_WINDOW,
    {.name = "count_include_pad",
     .kind = JM_PARAM_INT,
     .flags = JM_OPTIONAL,
     .doc = "1: padding counts in the divisor"},
    {.name = "divisor", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "of the sums; 0: the number of elements"},
};

const jm_op jm_op_avg_pool_2d = {
    .name = "AvgPool2d",
    .param = average_param,
    .params = JM_COUNT(average_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "sum of the elements under a window / their number, or a given divisor",
    .source = "PyTorch avg_pool2d",
    .infer = average_infer,
    .lower = average_lower,
};
