/* SPDX-License-Identifier: Apache-2.0
 *
 * Gather, GatherND and GatherElements: elements or slabs picked by indices that are known only at run time. An index
 * may be negative, counting from the end. One that is out of range writes nothing and sets run->fault.
 */
#include "ops/indexing.h"
#include "ops/move.h"

enum { DATA, INDICES };                /* inputs */
enum { TO_INDEX, TO_OUTPUT, TO_DATA }; /* streams of the walk */

/* One slab of data is copied for each index. */
typedef struct gather {
    jm_moves *slab;
    jm_walk walk; /* over the indices */
    int depth;    /* coordinates of an index: 1 but for GatherND */
    jm_index_axis axis[JM_MAX_RANK];
    int64_t coordinate; /* bytes between the coordinates of an index */
    jm_dtype index_dtype;
    size_t chunks;
} gather;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

static void run_gather(const jm_plan *plan, const jm_run *run)
{
    const gather *g = plan->state;
    int64_t begin, end;
    jm_chunk_range(g->walk.count, g->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&g->walk, i, offset);
        const char *index = (const char *)run->in[INDICES] + offset[TO_INDEX];
        bool good = true;
        for (int k = 0; good && k < g->depth; k++)
            good = jm_index_add(&g->axis[k], g->index_dtype, index + k * g->coordinate, &offset[TO_DATA]);
        if (good)
            jm_moves_apply(g->slab, (char *)run->out[0] + offset[TO_OUTPUT],
                           (const char *)run->in[DATA] + offset[TO_DATA]);
        else
            jm_index_fault(run);
    }
}

static gather *create(const jm_call *call, jm_arena *arena)
{
    gather *g = jm_arena_alloc(arena, 1, sizeof(*g));
    if (!g) return NULL;
    g->walk.count = 1;
    g->slab = jm_moves_create(arena, call->in[DATA].dtype);
    g->index_dtype = call->in[INDICES].dtype;
    return g->slab ? g : NULL;
}

static void add_axis(gather *g, const jm_tensor *data, int axis)
{
    g->axis[g->depth++] = (jm_index_axis){data->shape.dim[axis], jm_byte_stride(data, axis)};
}

/* Dimension k of data and j of the output are copied whole. */
static void add_slab(jm_move *slab, const jm_tensor *data, int k, const jm_tensor *out, int j)
{
    slab->dim[slab->rank] = data->shape.dim[k];
    slab->in_stride[slab->rank] = jm_byte_stride(data, k);
    slab->out_stride[slab->rank++] = jm_byte_stride(out, j);
}

static jm_status finish(gather *g, const jm_move *slab, const jm_machine *machine, jm_plan *plan)
{
    JM_TRY(jm_moves_add(g->slab, slab));
    g->chunks = plan->chunks = jm_chunk_count(machine, g->slab->bytes * (double)g->walk.count, g->walk.count);
    plan->state = g;
    return JM_OK;
}

/* ---- Gather ---- */

static jm_status infer_gather(jm_call *call)
{
    const jm_shape *data = &call->in[DATA].shape, *indices = &call->in[INDICES].shape;
    int axis;
    JM_TRY(jm_axis_normalise(call->attr[0].i, data->rank, &axis));
    JM_TRY(jm_index_check(call, INDICES));
    int rank = data->rank - 1 + indices->rank;
    if (rank > JM_MAX_RANK)
        return jm_call_error(call, JM_UNSUPPORTED, "the output has rank %d; the limit is %d", rank, JM_MAX_RANK);
    jm_shape *out = &call->out[0].shape;
    out->rank = rank;
    for (int k = 0; k < rank; k++) {
        if (k < axis)
            out->dim[k] = data->dim[k];
        else if (k < axis + indices->rank)
            out->dim[k] = indices->dim[k - axis];
        else
            out->dim[k] = data->dim[k + 1 - indices->rank];
    }
    call->out[0].dtype = call->in[DATA].dtype;
    return JM_OK;
}

static jm_status plan_gather(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    const jm_tensor *data = &call->in[DATA], *indices = &call->in[INDICES], *out = &call->out[0];
    int axis;
    JM_TRY(jm_axis_normalise(call->attr[0].i, data->shape.rank, &axis));
    gather *g = create(call, arena);
    if (!g) return JM_OUT_OF_MEMORY;
    add_axis(g, data, axis);
    for (int k = 0; k < indices->shape.rank; k++)
        jm_walk_add(&g->walk, indices->shape.dim[k], jm_byte_stride(indices, k), jm_byte_stride(out, axis + k), 0);
    jm_move slab = {0};
    for (int k = 0; k < data->shape.rank; k++)
        if (k != axis) add_slab(&slab, data, k, out, k < axis ? k : k - 1 + indices->shape.rank);
    return finish(g, &slab, machine, plan);
}

static const jm_param gather_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"indices", JM_PARAM_INPUT, 0, .doc = "int32 or int64, in [-d, d) for dimension d of the axis"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "data with the dimensions of indices in place of the axis"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .doc = "in [-rank, rank)"},
};

const jm_op jm_op_gather = {
    .name = "Gather",
    .param = gather_param,
    .params = JM_COUNT(gather_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "output[a, i, b] = data[a, indices[i], b]",
    .source = "ONNX Gather-13",
    .infer = infer_gather,
    .forms = forms,
    .plan = plan_gather,
    .run = run_gather,
};

/* ---- GatherND ---- */

/* Coordinates of each index, and leading dimensions that data and indices share. */
static jm_status nd_depth(const jm_call *call, int *depth, int *batch)
{
    const jm_shape *data = &call->in[DATA].shape, *indices = &call->in[INDICES].shape;
    int64_t shared = call->attr[0].i;
    if (shared < 0 || shared >= JM_MIN(data->rank, indices->rank))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "data has rank %d, indices %d, with %lld batch dimensions",
                             data->rank, indices->rank, (long long)shared);
    int64_t last = indices->dim[indices->rank - 1];
    if (last < 1 || last > data->rank - shared)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "an index has %lld coordinates for %lld dimensions of data",
                             (long long)last, (long long)(data->rank - shared));
    for (int k = 0; k < shared; k++)
        if (data->dim[k] >= 0 && indices->dim[k] >= 0 && data->dim[k] != indices->dim[k])
            return jm_call_error(call, JM_INVALID_ARGUMENT, "batch dimension %d is %lld in data and %lld in indices", k,
                                 (long long)data->dim[k], (long long)indices->dim[k]);
    *depth = (int)last;
    *batch = (int)shared;
    return JM_OK;
}

static jm_status infer_nd(jm_call *call)
{
    const jm_shape *data = &call->in[DATA].shape, *indices = &call->in[INDICES].shape;
    int depth, batch;
    JM_TRY(jm_index_check(call, INDICES));
    JM_TRY(nd_depth(call, &depth, &batch));
    int lead = indices->rank - 1, rank = lead + data->rank - depth - batch;
    if (rank > JM_MAX_RANK)
        return jm_call_error(call, JM_UNSUPPORTED, "the output has rank %d; the limit is %d", rank, JM_MAX_RANK);
    call->out[0].dtype = call->in[DATA].dtype;
    call->out[0].shape.rank = rank;
    for (int k = 0; k < rank; k++)
        call->out[0].shape.dim[k] = k < lead ? indices->dim[k] : data->dim[k - lead + depth + batch];
    return JM_OK;
}

static jm_status plan_nd(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                         jm_plan *plan)
{
    (void)form;
    const jm_tensor *data = &call->in[DATA], *indices = &call->in[INDICES], *out = &call->out[0];
    int depth, batch, lead = indices->shape.rank - 1;
    JM_TRY(nd_depth(call, &depth, &batch));
    gather *g = create(call, arena);
    if (!g) return JM_OUT_OF_MEMORY;
    g->coordinate = jm_byte_stride(indices, lead);
    for (int k = 0; k < depth; k++) add_axis(g, data, batch + k);
    for (int k = 0; k < lead; k++)
        jm_walk_add(&g->walk, indices->shape.dim[k], jm_byte_stride(indices, k), jm_byte_stride(out, k),
                    k < batch ? jm_byte_stride(data, k) : 0);
    jm_move slab = {0};
    for (int k = batch + depth; k < data->shape.rank; k++) add_slab(&slab, data, k, out, lead + k - batch - depth);
    return finish(g, &slab, machine, plan);
}

static const jm_param nd_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"indices", JM_PARAM_INPUT, 0, .doc = "int32 or int64; the last dimension holds the coordinates of one index"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "one slab of data for each index"},
    {"batch_dims", JM_PARAM_INT, JM_OPTIONAL, .doc = "leading dimensions that data and indices share"},
};

const jm_op jm_op_gather_nd = {
    .name = "GatherND",
    .param = nd_param,
    .params = JM_COUNT(nd_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "output[b, i] = data[b, indices[b, i, 0], indices[b, i, 1], ...]",
    .source = "ONNX GatherND-13",
    .infer = infer_nd,
    .forms = forms,
    .plan = plan_nd,
    .run = run_gather,
};

/* ---- GatherElements ---- */

static jm_status infer_elements(jm_call *call)
{
    const jm_shape *data = &call->in[DATA].shape, *indices = &call->in[INDICES].shape;
    int axis;
    JM_TRY(jm_axis_normalise(call->attr[0].i, data->rank, &axis));
    JM_TRY(jm_index_check(call, INDICES));
    bool fits = data->rank == indices->rank;
    for (int k = 0; fits && k < data->rank; k++)
        fits = k == axis || data->dim[k] < 0 || indices->dim[k] <= data->dim[k];
    if (!fits) {
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "indices of shape %s do not lie inside data of shape %s",
                             jm_shape_text(indices, a), jm_shape_text(data, b));
    }
    call->out[0].dtype = call->in[DATA].dtype;
    call->out[0].shape = *indices;
    return JM_OK;
}

static jm_status plan_elements(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                               jm_plan *plan)
{
    (void)form;
    const jm_tensor *data = &call->in[DATA], *indices = &call->in[INDICES], *out = &call->out[0];
    int axis;
    JM_TRY(jm_axis_normalise(call->attr[0].i, data->shape.rank, &axis));
    gather *g = create(call, arena);
    if (!g) return JM_OUT_OF_MEMORY;
    add_axis(g, data, axis);
    for (int k = 0; k < indices->shape.rank; k++)
        jm_walk_add(&g->walk, indices->shape.dim[k], jm_byte_stride(indices, k), jm_byte_stride(out, k),
                    k == axis ? 0 : jm_byte_stride(data, k));
    return finish(g, &(jm_move){0}, machine, plan);
}

static const jm_param elements_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor of rank 1 or more"},
    {"indices", JM_PARAM_INPUT, 0, .doc = "int32 or int64, rank of data, in [-d, d) for dimension d of the axis"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "shape of indices"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .doc = "in [-rank, rank)"},
};

const jm_op jm_op_gather_elements = {
    .name = "GatherElements",
    .param = elements_param,
    .params = JM_COUNT(elements_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "output[i, j] = data[indices[i, j], j] for axis 0",
    .source = "ONNX GatherElements-13",
    .infer = infer_elements,
    .forms = forms,
    .plan = plan_elements,
    .run = run_gather,
};
