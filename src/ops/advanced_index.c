/* SPDX-License-Identifier: Apache-2.0
 *
 * IndexGet and IndexPut: elements or slabs at tuples of indices, as in NumPy's x[i, :, j]. The list of indices goes
 * along the dimensions of the data: an index of integers picks from one dimension, a mask of bool from as many as it
 * has, and one that is absent, or has no elements, stands for the whole dimension. All indices broadcast to each other.
 * Where the indexed dimensions are neighbours, those of the indices take their place in the result, else they come
 * first.
 *
 * Indices may be negative, counting from the end. One that is out of range writes nothing and sets run->fault, and so
 * does a mask whose number of trues does not fit.
 */
#include "ops/join.h"
#include "ops/move.h"

#include <string.h>

enum { DATA, SHAPE, VALUES = 1, INDICES }; /* inputs */

/* A dimension of the data that is indexed. */
typedef struct indexed_dim {
    int input;                   /* the index */
    int place;                   /* of a mask: which of its dimensions */
    bool mask;                   /* its indices are found at run time, in the workspace */
    int dim;                     /* of the data */
    jm_dtype dtype;              /* of the index */
    int64_t stride[JM_MAX_RANK]; /* bytes, over the dimensions of the indices */
    jm_index_axis axis;
} indexed_dim;

/* How a list of indices meets its data. Dimensions that are not known are -1. */
typedef struct indexed {
    int columns;
    indexed_dim column[JM_MAX_RANK];
    bool masks;
    jm_shape picks; /* what the indices broadcast to; with masks the last dimension is -1 */
    int64_t length; /* of the last dimension, as the indices that are no masks say; -1: they do not */
    int lead;       /* dimensions of the result in front of those of the indices */
    jm_shape result;
    int free[JM_MAX_RANK], frees; /* dimensions of the data that are not indexed */
} indexed;

static bool is_index(jm_dtype dtype)
{
    return dtype == JM_I32 || dtype == JM_I64;
}

/* An empty index of integers picks nothing, unless it is of the data's own type, so callers write an absent one, and
 * there is another index. */
static bool stands_for_all(const jm_call *call, int input, bool alone)
{
    const jm_tensor *index = jm_call_in(call, input);
    if (!index) return true;
    const bool empty = index->shape.rank == 1 && index->shape.dim[0] == 0;
    return empty && (!is_index(index->dtype) || (index->dtype == call->in[DATA].dtype && !alone));
}

static jm_status add_mask(const jm_call *call, int input, int dim, indexed *x)
{
    const jm_tensor *data = &call->in[DATA], *mask = &call->in[input];
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    bool fits = mask->shape.rank > 0 && dim + mask->shape.rank <= data->shape.rank;
    for (int k = 0; fits && k < mask->shape.rank; k++) {
        fits = mask->shape.dim[k] == data->shape.dim[dim + k];
        x->column[x->columns++] =
            (indexed_dim){.input = input, .place = k, .mask = true, .dim = dim + k, .dtype = JM_I64};
    }
    if (!fits)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "mask %d of shape %s does not fit data of shape %s from %d on",
                             input - INDICES, jm_shape_text(&mask->shape, a), jm_shape_text(&data->shape, b), dim);
    x->masks = true;
    return JM_OK;
}

static jm_status add_integers(const jm_call *call, int input, int dim, indexed *x)
{
    const jm_tensor *index = &call->in[input];
    jm_shape both;
    if (!is_index(index->dtype))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "index %d is %s and must be int32, int64 or bool",
                             input - INDICES, jm_dtype_text(index->dtype));
    if (jm_shape_broadcast(&x->picks, &index->shape, &both) != JM_OK) {
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "index %d of shape %s does not broadcast with %s of those before", input - INDICES,
                             jm_shape_text(&index->shape, a), jm_shape_text(&x->picks, b));
    }
    x->picks = both;
    x->column[x->columns++] = (indexed_dim){.input = input, .dim = dim, .dtype = index->dtype};
    return JM_OK;
}

/* Which dimensions of the data each index takes. */
static jm_status read_indices(const jm_call *call, indexed *x)
{
    const int rank = call->in[DATA].shape.rank;
    int dim = 0;
    bool alone = true;
    for (int i = INDICES; i < call->inputs; i++) alone = alone && stands_for_all(call, i, false);
    bool taken[JM_MAX_RANK] = {false};
    *x = (indexed){.length = -1};
    for (int i = INDICES; i < call->inputs; i++) {
        const int columns = x->columns;
        if (dim == rank)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%d indices are too many for data of rank %d",
                                 call->inputs - INDICES, rank);
        if (stands_for_all(call, i, alone))
            dim++;
        else if (call->in[i].dtype == JM_BOOL)
            JM_TRY(add_mask(call, i, dim, x));
        else
            JM_TRY(add_integers(call, i, dim, x));
        for (int c = columns; c < x->columns; c++) taken[dim++] = true;
    }
    if (!x->columns) return jm_call_error(call, JM_INVALID_ARGUMENT, "there is no index");
    for (int k = 0; k < rank; k++)
        if (!taken[k]) x->free[x->frees++] = k;
    return JM_OK;
}

static jm_status read_call(const jm_call *call, indexed *x)
{
    const jm_shape *data = &call->in[DATA].shape;
    JM_TRY(read_indices(call, x));
    if (x->masks) {
        if (x->picks.rank == 0) x->picks = (jm_shape){.rank = 1, .dim = {1}};
        int64_t *last = &x->picks.dim[x->picks.rank - 1];
        if (*last != 1) x->length = *last;
        *last = -1;
    }
    const bool together = x->column[x->columns - 1].dim - x->column[0].dim == x->columns - 1;
    x->lead = together ? x->column[0].dim : 0;
    const int rank = x->frees + x->picks.rank;
    if (rank > JM_MAX_RANK)
        return jm_call_error(call, JM_UNSUPPORTED, "the result has rank %d; the limit is %d", rank, JM_MAX_RANK);
    x->result.rank = rank;
    for (int k = 0; k < rank; k++) {
        const int pick = k - x->lead;
        x->result.dim[k] = pick >= 0 && pick < x->picks.rank ? x->picks.dim[pick]
                                                             : data->dim[x->free[pick < 0 ? k : k - x->picks.rank]];
    }
    return JM_OK;
}

/* ---- Runs ---- */

typedef struct index_plan {
    indexed at;
    jm_moves *slab;   /* one pick: data to output, or values to data */
    jm_walk elements; /* of a slab, for sums; stream 0: values, 1: data */
    jm_dtype dtype;
    bool accumulate;
    int64_t out_stride[JM_MAX_RANK]; /* of the tensor that is not the data, over the dimensions of the indices; bytes */
    jm_tensor index[JM_MAX_ARGUMENTS];
    size_t found[JM_MAX_ARGUMENTS]; /* of masks: offset of their indices in the workspace, in numbers */
    size_t chunks;
} index_plan;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

/* Strides of the indices, and room for what masks say. */
static jm_status plan_columns(const jm_call *call, index_plan *p, jm_plan *plan)
{
    size_t room = 0;
    for (int c = 0; c < p->at.columns; c++) {
        indexed_dim *column = &p->at.column[c];
        const jm_tensor *data = &call->in[DATA], *index = &call->in[column->input];
        const int rank = p->at.picks.rank, first = rank - index->shape.rank;
        column->axis = (jm_index_axis){data->shape.dim[column->dim], jm_byte_stride(data, column->dim)};
        p->index[column->input] = *index;
        if (column->mask) {
            const size_t count = (size_t)jm_tensor_elements(index);
            column->stride[rank - 1] = sizeof(int64_t);
            if (column->place == 0) p->found[column->input] = room;
            if (!jm_size_add(room, count, &room)) return jm_call_error(call, JM_OUT_OF_RANGE, "a mask is too large");
            continue;
        }
        for (int k = first; k < rank; k++)
            column->stride[k] = index->shape.dim[k - first] == 1 ? 0 : jm_byte_stride(index, k - first);
    }
    return jm_size_mul(room, sizeof(int64_t), &plan->workspace)
               ? JM_OK
               : jm_call_error(call, JM_OUT_OF_RANGE, "the masks are too large");
}

/* Writes the indices of the trues of a mask, a list for each of its dimensions, and returns how many there are. */
static int64_t expand_mask(const jm_tensor *mask, const uint8_t *base, int64_t *list)
{
    const int64_t room = jm_tensor_elements(mask);
    int64_t index[JM_MAX_RANK] = {0}, offset = 0, found = 0;
    for (int64_t i = 0; i < room; i++) {
        if (base[offset]) {
            for (int k = 0; k < mask->shape.rank; k++) list[k * room + found] = index[k];
            found++;
        }
        for (int k = mask->shape.rank - 1; k >= 0; k--) {
            offset += mask->stride[k];
            if (++index[k] < mask->shape.dim[k]) break;
            offset -= index[k] * mask->stride[k];
            index[k] = 0;
        }
    }
    return found;
}

/* Addresses of the indices, and the shape that they broadcast to. False: masks do not fit each other. */
static bool resolve(const index_plan *p, const jm_run *run, const char *base[JM_MAX_RANK], jm_shape *picks)
{
    *picks = p->at.picks;
    int64_t length = -1;
    for (int c = 0; c < p->at.columns; c++) {
        const indexed_dim *column = &p->at.column[c];
        const jm_tensor *index = &p->index[column->input];
        base[c] = run->in[column->input];
        if (!column->mask) continue;
        int64_t *list = (int64_t *)run->workspace + p->found[column->input];
        if (column->place == 0) {
            const int64_t found = expand_mask(index, run->in[column->input], list);
            if (length >= 0 && found != length) return false;
            length = found;
        }
        base[c] = (const char *)(list + column->place * jm_tensor_elements(index));
    }
    if (!p->at.masks) return true;
    picks->dim[picks->rank - 1] = length;
    return p->at.length < 0 || p->at.length == length;
}

/* Where pick number i lies in the data and in the other tensor. False: an index is out of range. */
static bool locate(const index_plan *p, const char *const base[], const jm_shape *picks, int64_t i, int64_t *data,
                   int64_t *other)
{
    int64_t at[JM_MAX_RANK];
    *data = *other = 0;
    for (int k = picks->rank - 1; k >= 0; k--) {
        at[k] = i % picks->dim[k];
        i /= picks->dim[k];
        *other += at[k] * p->out_stride[k];
    }
    for (int c = 0; c < p->at.columns; c++) {
        const indexed_dim *column = &p->at.column[c];
        const char *index = base[c];
        for (int k = 0; k < picks->rank; k++) index += at[k] * column->stride[k];
        if (!jm_index_add(&column->axis, column->dtype, index, data)) return false;
    }
    return true;
}

static int64_t count_picks(const jm_shape *picks)
{
    int64_t count = 1;
    for (int k = 0; k < picks->rank; k++) count *= picks->dim[k];
    return count;
}

static jm_status create(const jm_call *call, jm_arena *arena, jm_plan *plan, index_plan **out)
{
    index_plan *p = *out = jm_arena_alloc(arena, 1, sizeof(*p));
    if (!p) return JM_OUT_OF_MEMORY;
    JM_TRY(read_call(call, &p->at));
    JM_TRY(plan_columns(call, p, plan));
    p->dtype = call->in[DATA].dtype;
    p->slab = jm_moves_create(arena, p->dtype);
    p->elements.count = 1;
    p->chunks = 1;
    plan->state = p;
    return p->slab ? JM_OK : JM_OUT_OF_MEMORY;
}

/* Elements of `tensor`, which broadcasts to the result, from one index of dimension k of that to the next; bytes. */
static int64_t result_stride(const indexed *x, const jm_tensor *tensor, int k)
{
    const int own = k - (x->result.rank - tensor->shape.rank);
    return own < 0 || tensor->shape.dim[own] == 1 ? 0 : jm_byte_stride(tensor, own);
}

/* The dimension of the result that free dimension i of the data becomes. */
static int result_dim(const indexed *x, int i)
{
    return i < x->lead ? i : i + x->picks.rank;
}

/* ---- IndexGet ---- */

static jm_status infer_get(jm_call *call)
{
    indexed x;
    jm_shape given = {0};
    JM_TRY(jm_call_host_ints(call, SHAPE, given.dim, JM_MAX_RANK, &given.rank));
    for (int k = 0; k < given.rank; k++)
        if (given.dim[k] < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "shape[%d] is %lld", k, (long long)given.dim[k]);
    call->out[0].dtype = call->in[DATA].dtype;
    call->out[0].shape = given;
    JM_TRY(read_call(call, &x));
    bool fits = x.result.rank == given.rank, empty = false;
    for (int k = 0; k < given.rank; k++) {
        const bool decided = fits && x.result.dim[k] >= 0;
        fits = fits && (!decided || x.result.dim[k] == given.dim[k]);
        empty = empty || given.dim[k] == 0;
    }
    if (fits || empty) return JM_OK;
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    return jm_call_error(call, JM_INVALID_ARGUMENT, "the result has shape %s and not %s", jm_shape_text(&x.result, a),
                         jm_shape_text(&given, b));
}

static jm_status plan_get(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan)
{
    (void)form;
    const jm_tensor *data = &call->in[DATA], *out = &call->out[0];
    index_plan *p;
    jm_move slab = {0};
    JM_TRY(create(call, arena, plan, &p));
    const indexed *x = &p->at;
    if (jm_tensor_elements(out) == 0) {
        p->at.columns = 0;
        p->at.masks = false;
        p->at.picks = (jm_shape){.rank = 1};
        return JM_OK;
    }
    for (int k = 0; k < x->picks.rank; k++) p->out_stride[k] = jm_byte_stride(out, x->lead + k);
    for (int i = 0; i < x->frees; i++) {
        slab.dim[slab.rank] = data->shape.dim[x->free[i]];
        slab.in_stride[slab.rank] = jm_byte_stride(data, x->free[i]);
        slab.out_stride[slab.rank++] = jm_byte_stride(out, result_dim(x, i));
    }
    JM_TRY(jm_moves_add(p->slab, &slab));
    if (x->masks) {
        p->at.length = out->shape.dim[x->lead + x->picks.rank - 1];
        return JM_OK;
    }
    const int64_t count = count_picks(&x->picks);
    p->chunks = plan->chunks = jm_chunk_count(machine, p->slab->bytes * (double)count, count);
    return JM_OK;
}

static void run_get(const jm_plan *plan, const jm_run *run)
{
    const index_plan *p = plan->state;
    const char *base[JM_MAX_RANK];
    jm_shape picks;
    if (!resolve(p, run, base, &picks)) {
        jm_index_fault(run);
        return;
    }
    int64_t begin, end, data, other;
    jm_chunk_range(count_picks(&picks), p->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        if (locate(p, base, &picks, i, &data, &other))
            jm_moves_apply(p->slab, (char *)run->out[0] + other, (const char *)run->in[DATA] + data);
        else
            jm_index_fault(run);
    }
}

#define INDICES_DOC                                                                                                    \
    "one for each dimension from the first on: int32 or int64 in [-d, d), bool of the shape of the dimensions that "   \
    "it "                                                                                                              \
    "masks; absent or empty: the whole dimension"

static const jm_param get_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"shape", JM_PARAM_INPUT, JM_HOST,
     .doc = "of the result, which says how many trues masks have; none is read where it "
            "has no elements"},
    {"indices", JM_PARAM_INPUT, JM_VARIADIC, .doc = INDICES_DOC},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "what the indices pick"},
};

const jm_op jm_op_index_get = {
    .name = "IndexGet",
    .param = get_param,
    .params = JM_COUNT(get_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "output = data[indices[0], indices[1], ...]",
    .source = "PyTorch index",
    .infer = infer_get,
    .forms = forms,
    .plan = plan_get,
    .run = run_get,
};

/* ---- IndexPut ---- */

static jm_status infer_put(jm_call *call)
{
    indexed x;
    const jm_tensor *data = &call->in[DATA], *values = &call->in[VALUES];
    if (values->dtype != data->dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "values are %s and data is %s", jm_dtype_text(values->dtype),
                             jm_dtype_text(data->dtype));
    JM_TRY(read_call(call, &x));
    int first = x.result.rank - values->shape.rank;
    bool fits = first >= 0;
    for (int k = 0; fits && k < values->shape.rank; k++)
        fits =
            values->shape.dim[k] == 1 || x.result.dim[first + k] < 0 || values->shape.dim[k] == x.result.dim[first + k];
    if (!fits) {
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "values of shape %s do not broadcast to %s, which is indexed",
                             jm_shape_text(&values->shape, a), jm_shape_text(&x.result, b));
    }
    call->out[0].dtype = data->dtype;
    call->out[0].shape = data->shape;
    return JM_OK;
}

static jm_status plan_put(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan)
{
    (void)form;
    (void)machine;
    const jm_tensor *values = &call->in[VALUES], *out = &call->out[0];
    jm_call written = *call;
    jm_tensor in[JM_MAX_ARGUMENTS];
    memcpy(in, call->in, (size_t)call->inputs * sizeof(*in));
    in[DATA] = *out; /* its strides count */
    written.in = in;
    index_plan *p;
    jm_move slab = {0};
    JM_TRY(create(&written, arena, plan, &p));
    const indexed *x = &p->at;
    p->accumulate = call->attr[0].i != 0;
    for (int k = 0; k < x->picks.rank; k++) p->out_stride[k] = result_stride(x, values, x->lead + k);
    for (int i = 0; i < x->frees; i++) {
        slab.dim[slab.rank] = out->shape.dim[x->free[i]];
        slab.in_stride[slab.rank] = result_stride(x, values, result_dim(x, i));
        slab.out_stride[slab.rank] = jm_byte_stride(out, x->free[i]);
        jm_walk_add(&p->elements, slab.dim[slab.rank], slab.in_stride[slab.rank], slab.out_stride[slab.rank], 0);
        slab.rank++;
    }
    if (x->masks) {
        const int own = x->lead + x->picks.rank - 1 - (x->result.rank - values->shape.rank);
        const int64_t length = own < 0 ? 1 : values->shape.dim[own];
        if (length != 1 && x->length >= 0 && x->length != length)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "values have %lld elements for %lld indices",
                                 (long long)length, (long long)x->length);
        if (length != 1) p->at.length = length;
    }
    return jm_moves_add(p->slab, &slab);
}

/* One chunk: repeated indices need an order. */
static void run_put(const jm_plan *plan, const jm_run *run)
{
    const index_plan *p = plan->state;
    const char *base[JM_MAX_RANK];
    jm_shape picks;
    if (!resolve(p, run, base, &picks)) {
        jm_index_fault(run);
        return;
    }
    const int64_t count = count_picks(&picks);
    for (int64_t i = 0; i < count; i++) {
        int64_t data, other;
        if (!locate(p, base, &picks, i, &data, &other)) {
            jm_index_fault(run);
            continue;
        }
        char *to = (char *)run->out[0] + data;
        const char *from = (const char *)run->in[VALUES] + other;
        if (p->accumulate)
            jm_join(JM_JOIN_ADD, p->dtype, &p->elements, to, from);
        else
            jm_moves_apply(p->slab, to, from);
    }
}

static const jm_param put_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"values", JM_PARAM_INPUT, 0, .doc = "of the type of data; broadcast to what the indices pick"},
    {"indices", JM_PARAM_INPUT, JM_VARIADIC, .doc = INDICES_DOC},
    {"data", JM_PARAM_OUTPUT, JM_REFERENCE, .doc = "data with the values"},
    {"accumulate", JM_PARAM_INT, JM_OPTIONAL,
     .doc = "1: values are added one after the other, in the order of the indices; "
            "0: the last one stays"},
};

const jm_op jm_op_index_put = {
    .name = "IndexPut",
    .param = put_param,
    .params = JM_COUNT(put_param),
    .formula = "data[indices[0], indices[1], ...] = values, or += values",
    .source = "PyTorch index_put",
    .infer = infer_put,
    .forms = forms,
    .plan = plan_put,
    .run = run_put,
};
