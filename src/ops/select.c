/* SPDX-License-Identifier: Apache-2.0
 *
 * FindNonZero and MaskedSelect: elements that the data choose. The outputs have room for all of them; a second output
 * says how much is filled.
 */
#include "ops/indexing.h"
#include "ops/move.h"

#include <string.h>

enum { OUT, OUT_SHAPE };

/* Elements in row-major order: rows along the last dimension. */
typedef struct rows {
    jm_walk outer; /* the other dimensions; streams as in jm_walk_add */
    int64_t length;
    int64_t step[2]; /* bytes along a row, of stream 0 and 1 */
} rows;

/* Whether an element is not 0: some bit but the sign of a float is set. */
typedef struct nonzero_test {
    size_t size;
    uint64_t bits;
} nonzero_test;

static nonzero_test test_for(jm_dtype dtype)
{
    const size_t size = jm_dtype_size(dtype);
    uint64_t bits = UINT64_MAX >> (64 - 8 * size);
    if (JM_DTYPES_FLOAT >> dtype & 1) bits >>= 1;
    return (nonzero_test){size, bits};
}

static inline bool is_nonzero(nonzero_test test, const void *element)
{
    uint64_t value = 0;
    switch (test.size) {
    case 1:
        value = *(const uint8_t *)element;
        break;
    case 2:
        value = *(const uint16_t *)element;
        break;
    case 4:
        value = *(const uint32_t *)element;
        break;
    default:
        value = *(const uint64_t *)element;
        break;
    }
    return (value & test.bits) != 0;
}

static int form_of_rows(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

/* Bytes from one element to the next along dimension k of `shape`, to which the tensor broadcasts. */
static int64_t broadcast_stride(const jm_tensor *tensor, const jm_shape *shape, int k)
{
    const int own = k - (shape->rank - tensor->shape.rank);
    return own < 0 || tensor->shape.dim[own] == 1 ? 0 : jm_byte_stride(tensor, own);
}

static rows rows_of(const jm_shape *shape, const jm_tensor *a, const jm_tensor *b)
{
    rows r = {.outer = {.count = 1}, .length = 1};
    for (int k = 0; k < shape->rank; k++) {
        const int64_t first = broadcast_stride(a, shape, k), second = b ? broadcast_stride(b, shape, k) : 0;
        if (k + 1 < shape->rank) {
            jm_walk_add(&r.outer, shape->dim[k], first, second, 0);
            continue;
        }
        r.length = shape->dim[k];
        r.step[0] = first;
        r.step[1] = second;
    }
    return r;
}

/* Elements of stream `s` at `base` that are not 0. */
static int64_t count_nonzero(const rows *r, int s, nonzero_test test, const char *base)
{
    int64_t found = 0;
    for (int64_t row = 0; row < r->outer.count; row++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&r->outer, row, offset);
        const char *element = base + offset[s];
        for (int64_t i = 0; i < r->length; i++, element += r->step[s]) found += is_nonzero(test, element);
    }
    return found;
}

/* ---- FindNonZero ---- */

typedef struct find {
    rows rows;
    nonzero_test test;
    int rank;
    int64_t dim[JM_MAX_RANK];
    jm_tensor out;
    int64_t shape_step; /* elements of the second output */
    bool transposed;
} find;

static jm_status infer_find(jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    int64_t most = -1;
    if (jm_shape_known(shape)) JM_TRY(jm_shape_count(shape, &most));
    const bool transposed = call->attr[0].i != 0;
    call->out[OUT].dtype = JM_I64;
    call->out[OUT].shape =
        (jm_shape){.rank = 2, .dim = {transposed ? shape->rank : most, transposed ? most : shape->rank}};
    if (call->outputs == 1) return JM_OK;
    call->out[OUT_SHAPE].dtype = JM_I64;
    call->out[OUT_SHAPE].shape = (jm_shape){.rank = 1, .dim = {2}};
    return JM_OK;
}

static jm_status plan_find(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    (void)machine;
    const jm_tensor *x = &call->in[0];
    find *f = jm_arena_alloc(arena, 1, sizeof(*f));
    if (!f) return JM_OUT_OF_MEMORY;
    f->rows = rows_of(&x->shape, x, NULL);
    f->test = test_for(x->dtype);
    f->rank = x->shape.rank;
    memcpy(f->dim, x->shape.dim, sizeof(f->dim));
    f->out = call->out[OUT];
    f->shape_step = call->outputs > 1 ? call->out[OUT_SHAPE].stride[0] : 0;
    f->transposed = call->attr[0].i != 0;
    plan->state = f;
    return JM_OK;
}

static void put_index(const find *f, int64_t row, int64_t column, int64_t *to, int64_t step)
{
    for (int k = f->rank - 1; k >= 0; k--) {
        const bool last = k == f->rank - 1;
        to[k * step] = last ? column : row % f->dim[k];
        if (!last) row /= f->dim[k];
    }
}

static void run_find(const jm_plan *plan, const jm_run *run)
{
    const find *f = plan->state;
    const char *base = run->in[0];
    const int64_t count = count_nonzero(&f->rows, 0, f->test, base);
    int64_t stride[JM_MAX_RANK];
    jm_counted_strides(&f->out, f->transposed, count, stride);
    int64_t *to = run->out[OUT];
    for (int64_t row = 0; count && row < f->rows.outer.count; row++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&f->rows.outer, row, offset);
        const char *element = base + offset[0];
        for (int64_t i = 0; i < f->rows.length; i++, element += f->rows.step[0]) {
            if (!is_nonzero(f->test, element)) continue;
            put_index(f, row, i, to, stride[!f->transposed]);
            to += stride[f->transposed];
        }
    }
    if (!f->shape_step) return;
    int64_t *shape = run->out[OUT_SHAPE];
    shape[0] = f->transposed ? f->rank : count;
    shape[f->shape_step] = f->transposed ? count : f->rank;
}

static const jm_param find_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"Y", JM_PARAM_OUTPUT, JM_COUNTED,
     .doc = "int64, room for [elements, rank]: an index in each row, in row-major order"},
    {"shape", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "int64, the shape of Y that is filled"},
    {"transposed", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: Y is [rank, elements], an index in each column"},
};

const jm_op jm_op_find_nonzero = {
    .name = "FindNonZero",
    .param = find_param,
    .params = JM_COUNT(find_param),
    .formula = "the indices of the elements that are not 0",
    .source = "PyTorch nonzero",
    .infer = infer_find,
    .forms = form_of_rows,
    .plan = plan_find,
    .run = run_find,
};

/* ---- MaskedSelect ---- */

enum { DATA, MASK };

typedef struct chosen {
    rows rows; /* stream 0: data, 1: mask */
    size_t size;
    int64_t out_step; /* bytes */
    bool shape;
} chosen;

static jm_status infer_select(jm_call *call)
{
    const jm_tensor *data = &call->in[DATA], *mask = &call->in[MASK];
    jm_shape both;
    int64_t most = -1;
    if (mask->dtype != JM_BOOL)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "mask is %s and must be bool", jm_dtype_text(mask->dtype));
    JM_TRY(jm_shape_broadcast(&data->shape, &mask->shape, &both));
    if (jm_shape_known(&both)) JM_TRY(jm_shape_count(&both, &most));
    call->out[OUT].dtype = data->dtype;
    call->out[OUT].shape = (jm_shape){.rank = 1, .dim = {most}};
    if (call->outputs == 1) return JM_OK;
    call->out[OUT_SHAPE].dtype = JM_I64;
    call->out[OUT_SHAPE].shape = (jm_shape){.rank = 1, .dim = {1}};
    return JM_OK;
}

static jm_status plan_select(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    (void)machine;
    const jm_tensor *data = &call->in[DATA], *mask = &call->in[MASK];
    jm_shape both;
    chosen *c = jm_arena_alloc(arena, 1, sizeof(*c));
    if (!c) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_shape_broadcast(&data->shape, &mask->shape, &both));
    c->rows = rows_of(&both, data, mask);
    c->size = jm_dtype_size(data->dtype);
    c->out_step = jm_byte_stride(&call->out[OUT], 0);
    c->shape = call->outputs > 1;
    plan->state = c;
    return JM_OK;
}

static void run_select(const jm_plan *plan, const jm_run *run)
{
    const chosen *c = plan->state;
    char *to = run->out[OUT];
    int64_t count = 0;
    for (int64_t row = 0; row < c->rows.outer.count; row++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&c->rows.outer, row, offset);
        const char *data = (const char *)run->in[DATA] + offset[DATA];
        const uint8_t *mask = (const uint8_t *)run->in[MASK] + offset[MASK];
        for (int64_t i = 0; i < c->rows.length; i++, data += c->rows.step[DATA], mask += c->rows.step[MASK]) {
            if (!*mask) continue;
            memcpy(to, data, c->size);
            to += c->out_step;
            count++;
        }
    }
    if (c->shape) *(int64_t *)run->out[OUT_SHAPE] = count;
}

static const jm_param select_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"mask", JM_PARAM_INPUT, 0, .doc = "bool; data and mask broadcast to each other"},
    {"output", JM_PARAM_OUTPUT, JM_COUNTED, .doc = "a list with room for all elements"},
    {"shape", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "int64, [how many there are]"},
};

const jm_op jm_op_masked_select = {
    .name = "MaskedSelect",
    .param = select_param,
    .params = JM_COUNT(select_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "the elements of data where mask is true, in row-major order",
    .source = "PyTorch masked_select",
    .infer = infer_select,
    .forms = form_of_rows,
    .plan = plan_select,
    .run = run_select,
};
