/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/elementwise.h"

#include <string.h>

#include "ops/strided.h"

/* Elements that pass through the buffers at a time. */
#define PIECE 256
#define WIDEST 16 /* bytes of the largest element */
#define CHUNK_BYTES 65536
/* Rows shorter than this are gathered into pieces. */
#define SHORTEST_ROW 8
#define NANOSECONDS_PER_BYTE (1.0 / 20)

jm_dtype jm_compute_dtype(jm_dtype dtype)
{
    switch (dtype) {
    case JM_F32:
    case JM_F16:
    case JM_BF16:
        return JM_F32;
    case JM_F64:
        return JM_F64;
    case JM_U32:
    case JM_I64:
    case JM_U64:
        return JM_I64;
    default:
        return JM_I32;
    }
}

/* ---- Forms ---- */

/* Dimension `k` of the output's numbering; missing leading dimensions are 1. */
static int64_t aligned_dim(const jm_tensor *tensor, int rank, int k)
{
    int own = k - (rank - tensor->shape.rank);
    return own < 0 ? 1 : tensor->shape.dim[own];
}

static bool fits_c16(const jm_tensor *in, const jm_tensor *out, bool *packed)
{
    int rank = out->shape.rank;
    *packed = false;
    if (in->dtype != JM_F32 || in->shape.rank > rank) return false;
    bool single = jm_tensor_elements(in) == 1;
    if (single && (in->constant || in->shape.rank < 3)) return true;
    if (in->constant) {
        *packed = true;
        return true;
    }
    return in->shape.rank == rank && in->shape.dim[1] == out->shape.dim[1];
}

int jm_elementwise_forms(const jm_call *call, int inputs, double ns, jm_form forms[JM_MAX_FORMS])
{
    const jm_tensor *out = &call->out[0];
    const jm_shape *shape = &out->shape;
    double bytes = (double)jm_dtype_size(out->dtype);
    int in_place = -1;
    for (int i = inputs - 1; i >= 0; i--) {
        const jm_tensor *in = &call->in[i];
        bool whole = jm_shape_equal(&in->shape, shape);
        if (whole) bytes += (double)jm_dtype_size(in->dtype);
        if (whole && !in->constant && jm_dtype_size(in->dtype) == jm_dtype_size(out->dtype)) in_place = i;
    }
    double element = ns + bytes * NANOSECONDS_PER_BYTE;
    double count = (double)jm_tensor_elements(out);
    forms[0] = (jm_form){.name = "plain", .out_strided = true, .in_place = in_place, .cost = count * element};

    if (out->dtype != JM_F32 || shape->rank < 3 || shape->dim[1] == 0) return 1;
    uint64_t in_packed = 0;
    for (int i = 0; i < inputs; i++) {
        bool packed;
        if (!fits_c16(&call->in[i], out, &packed)) return 1;
        if (packed) in_packed |= UINT64_C(1) << i;
    }
    double lanes = (double)jm_channel_blocks(shape->dim[1], out->map) * JM_LANES;
    forms[1] = (jm_form){.id = 1,
                         .name = "c16",
                         .in = JM_C16,
                         .in_packed = in_packed,
                         .out = JM_C16,
                         .map = JM_MAP_SAME,
                         .out_strided = true,
                         .in_place = in_place,
                         .cost = count / (double)shape->dim[1] * lanes * element};
    return 2;
}

/* ---- Packed constants ---- */

/* Dims of a packed constant: [N][1 or blocks][spatial ...][16]. */
static void packed_dims(const jm_tensor *constant, const jm_tensor *out, int64_t dim[JM_ELEMENTWISE_RANK])
{
    int rank = out->shape.rank;
    for (int k = 0; k < rank; k++) dim[k] = aligned_dim(constant, rank, k);
    if (dim[1] != 1) dim[1] = jm_channel_blocks(out->shape.dim[1], out->map);
    dim[rank] = JM_LANES;
}

jm_status jm_elementwise_pack_bytes(const jm_call *call, const jm_form *form, int input, size_t *bytes)
{
    *bytes = 0;
    if (!(form->in_packed >> input & 1)) return JM_OK;
    int64_t dim[JM_ELEMENTWISE_RANK] = {0};
    packed_dims(&call->in[input], &call->out[0], dim);
    size_t size = sizeof(float);
    for (int k = 0; k <= call->out[0].shape.rank; k++)
        if (!jm_size_mul(size, (size_t)dim[k], &size))
            return jm_call_error(call, JM_OUT_OF_RANGE, "constant input %d is too large to pack", input);
    *bytes = size;
    return JM_OK;
}

jm_status jm_elementwise_pack(const jm_call *call, const jm_form *form, int input, void *packed)
{
    const jm_tensor *in = &call->in[input], *out = &call->out[0];
    size_t bytes;
    JM_TRY(jm_elementwise_pack_bytes(call, form, input, &bytes));
    memset(packed, 0, bytes);
    int64_t dim[JM_ELEMENTWISE_RANK] = {0}, count;
    packed_dims(in, out, dim);
    JM_TRY(jm_shape_count(&in->shape, &count));
    int rank = out->shape.rank, missing = rank - in->shape.rank;
    for (int64_t i = 0; i < count; i++) {
        int64_t own[JM_MAX_RANK] = {0}, rest = i;
        for (int k = in->shape.rank - 1; k >= 0; k--) {
            own[k] = rest % in->shape.dim[k];
            rest /= in->shape.dim[k];
        }
        int64_t offset = 0, lane = 0;
        bool channels = aligned_dim(in, rank, 1) != 1;
        for (int k = 0; k < rank; k++) {
            int64_t index = k < missing ? 0 : own[k - missing];
            if (k == 1 && channels) {
                lane = jm_channel_lane(out->map, index) % JM_LANES;
                index = jm_channel_lane(out->map, index) / JM_LANES;
            }
            offset = offset * dim[k] + index;
        }
        float value = *(const float *)jm_tensor_at(in, own), *group = (float *)packed + offset * JM_LANES;
        if (channels)
            group[lane] = value;
        else
            for (int k = 0; k < JM_LANES; k++) group[k] = value;
    }
    return JM_OK;
}

/* ---- Plan ---- */

/* Strides of an argument over the walk's dimensions; 0 where it broadcasts. */
static jm_status walk_strides(const jm_call *call, const jm_tensor *tensor, const int64_t dim[], int64_t stride[])
{
    const jm_tensor *out = &call->out[0];
    int rank = out->shape.rank, walk_rank = rank + (out->layout == JM_C16);
    int missing = rank - tensor->shape.rank;
    if (missing < 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "an input has more dimensions than the output");
    bool single = jm_tensor_elements(tensor) == 1;
    int64_t own[JM_ELEMENTWISE_RANK], own_stride[JM_ELEMENTWISE_RANK];
    if (out->layout == JM_PLAIN || (tensor->layout == JM_PLAIN && single)) {
        for (int k = 0; k < walk_rank; k++) {
            own[k] = k < rank ? aligned_dim(tensor, rank, k) : 1;
            own_stride[k] = k < missing || k >= rank ? 0 : tensor->stride[k - missing];
        }
    } else if (tensor->layout == JM_PACKED) {
        packed_dims(tensor, out, own);
        int64_t step = 1;
        for (int k = walk_rank - 1; k >= 0; k--) {
            own_stride[k] = step;
            step *= own[k];
        }
    } else if (tensor->layout == JM_C16 && missing == 0 && tensor->shape.dim[1] == out->shape.dim[1]) {
        for (int k = 0; k < rank; k++) {
            own[k] = tensor->shape.dim[k];
            own_stride[k] = tensor->stride[k];
        }
        own[1] = dim[1];
        own[rank] = JM_LANES;
        own_stride[rank] = 1;
    } else {
        return jm_call_error(call, JM_INVALID_ARGUMENT, "an input's layout does not fit the form");
    }
    for (int k = 0; k < walk_rank; k++) {
        if (own[k] != dim[k] && own[k] != 1)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "an input does not broadcast to the output");
        stride[k] = own[k] == 1 ? 0 : own_stride[k];
    }
    return JM_OK;
}

/* Drops dimensions of one element and joins neighbours that every operand steps through evenly. */
static void merge_dims(jm_elementwise *walk)
{
    int rank = 0;
    for (int k = 0; k < walk->rank; k++) {
        if (walk->dim[k] == 1) continue;
        bool join = rank > 0;
        for (int i = 0; i < walk->operands && join; i++) {
            const int64_t *stride = walk->operand[i].stride;
            join = stride[rank - 1] == stride[k] * walk->dim[k];
        }
        int to = join ? rank - 1 : rank++;
        walk->dim[to] = join ? walk->dim[to] * walk->dim[k] : walk->dim[k];
        for (int i = 0; i < walk->operands; i++) walk->operand[i].stride[to] = walk->operand[i].stride[k];
    }
    if (rank == 0) {
        walk->dim[0] = 1;
        for (int i = 0; i < walk->operands; i++) walk->operand[i].stride[0] = 1;
        rank = 1;
    }
    walk->rank = rank;
}

/* Rows of a few elements, such as two coordinates of each box, are walked across: the longest dimension is cut into
 * stretches that become the rows, and what was the row is walked around them while its lines are in the first cache. */
static void walk_across(jm_elementwise *walk)
{
    enum { LONGEST_STRETCH = 256 };
    const int last = walk->rank - 1;
    if (walk->rank < 2 || walk->rank == JM_ELEMENTWISE_RANK || walk->dim[last] >= SHORTEST_ROW) return;
    int longest = 0;
    for (int k = 1; k < last; k++)
        if (walk->dim[k] > walk->dim[longest]) longest = k;
    int64_t stretch = JM_MIN(walk->dim[longest], LONGEST_STRETCH);
    while (stretch >= 2 * SHORTEST_ROW && walk->dim[longest] % stretch) stretch--;
    if (stretch < 2 * SHORTEST_ROW) return;
    walk->dim[longest] /= stretch;
    walk->dim[walk->rank] = stretch;
    for (int i = 0; i < walk->operands; i++) {
        int64_t *stride = walk->operand[i].stride;
        stride[walk->rank] = stride[longest];
        stride[longest] *= stretch;
    }
    walk->rank++;
}

/* Whether rows of the innermost `row_dims` dimensions can go to the kernel as they lie. */
static bool direct_rows(jm_elementwise *walk, int row_dims)
{
    int last = walk->rank - 1;
    if (row_dims == 1 && walk->rank > 1 && walk->dim[last] < SHORTEST_ROW) return false;
    if (row_dims == 2 && (walk->rank < 2 || walk->dim[last] != JM_LANES)) return false;
    for (int i = 0; i < walk->operands; i++) {
        jm_elementwise_operand *operand = &walk->operand[i];
        if (operand->dtype != operand->compute) return false;
        int64_t inner = operand->stride[last], outer = row_dims == 2 ? operand->stride[last - 1] : 0;
        if (inner == 1 && (row_dims == 1 || outer == JM_LANES))
            operand->row_step = JM_STEP_GROUP;
        else if (i > 0 && outer == 0 && (inner == 0 || (inner == 1 && row_dims == 2)))
            operand->row_step = JM_STEP_LANES;
        else
            return false;
    }
    walk->row_dims = row_dims;
    walk->row = walk->dim[last] * (row_dims == 2 ? walk->dim[last - 1] : 1);
    return true;
}

static void describe_operand(const jm_elementwise *walk, jm_elementwise_operand *operand)
{
    operand->flat = operand->scalar = true;
    int64_t step = 1;
    for (int k = walk->rank - 1; k >= 0; k--) {
        operand->flat = operand->flat && operand->stride[k] == step;
        operand->scalar = operand->scalar && operand->stride[k] == 0;
        step *= walk->dim[k];
    }
}

jm_status jm_elementwise_plan(const jm_call *call, int inputs, const jm_dtype compute[], jm_elementwise *walk,
                              jm_plan *plan)
{
    memset(walk, 0, sizeof(*walk));
    const jm_tensor *out = &call->out[0];
    int rank = out->shape.rank;
    walk->rank = rank;
    walk->operands = 1 + inputs;
    for (int k = 0; k < rank; k++) walk->dim[k] = out->shape.dim[k];
    if (out->layout == JM_C16) {
        walk->dim[1] = jm_channel_blocks(out->shape.dim[1], out->map);
        walk->dim[walk->rank++] = JM_LANES;
    }
    walk->count = 1;
    for (int k = 0; k < walk->rank; k++) walk->count *= walk->dim[k];

    size_t bytes = 0;
    for (int i = 0; i < walk->operands; i++) {
        const jm_tensor *tensor = i ? &call->in[i - 1] : out;
        jm_elementwise_operand *operand = &walk->operand[i];
        operand->dtype = tensor->dtype;
        operand->compute = compute[i];
        JM_TRY(walk_strides(call, tensor, walk->dim, operand->stride));
        bytes += jm_dtype_size(tensor->dtype);
    }
    merge_dims(walk);
    walk_across(walk);
    for (int i = 0; i < walk->operands; i++) describe_operand(walk, &walk->operand[i]);
    walk->direct = direct_rows(walk, 2) || direct_rows(walk, 1);
    walk->per_chunk = JM_MAX(CHUNK_BYTES / (int64_t)bytes / PIECE, 1) * PIECE;
    plan->chunks = (size_t)JM_MAX((walk->count + walk->per_chunk - 1) / walk->per_chunk, 1);
    plan->scratch = (size_t)(walk->operands + 1) * PIECE * WIDEST;
    return JM_OK;
}

/* ---- Run ---- */

/* A place in the walk: the index of an element and each operand's offset of it. */
typedef struct position {
    int64_t index[JM_ELEMENTWISE_RANK];
    int64_t offset[1 + JM_ELEMENTWISE_INPUTS];
} position;

/* The position of element `flat` counted over the outer `rank` dimensions. */
static void seek(const jm_elementwise *walk, int rank, int64_t flat, position *at)
{
    memset(at, 0, sizeof(*at));
    for (int k = rank - 1; k >= 0; k--) {
        at->index[k] = flat % walk->dim[k];
        flat /= walk->dim[k];
        for (int i = 0; i < walk->operands; i++) at->offset[i] += at->index[k] * walk->operand[i].stride[k];
    }
}

static void advance(const jm_elementwise *walk, int rank, position *at)
{
    for (int k = rank - 1; k >= 0; k--) {
        if (++at->index[k] < walk->dim[k]) {
            for (int i = 0; i < walk->operands; i++) at->offset[i] += walk->operand[i].stride[k];
            return;
        }
        at->index[k] = 0;
        for (int i = 0; i < walk->operands; i++) at->offset[i] -= (walk->dim[k] - 1) * walk->operand[i].stride[k];
    }
}

static void convert(const jm_run *run, jm_dtype from, const void *source, jm_dtype to, void *target, size_t n)
{
    if (jm_convert(from, source, to, target, n) != JM_OK) atomic_store(run->fault, JM_INTERNAL);
}

/* Sixteen copies of one element, converted. */
static void splat(const jm_run *run, const jm_elementwise_operand *operand, const void *element, void *target)
{
    size_t size = jm_dtype_size(operand->compute);
    convert(run, operand->dtype, element, operand->compute, target, 1);
    for (size_t i = 1; i < JM_LANES; i++) memcpy((char *)target + i * size, target, size);
}

static void run_direct(const jm_elementwise *walk, const jm_run *run, int64_t begin, int64_t end,
                       jm_elementwise_kernel kernel, const void *context)
{
    int outer = walk->rank - walk->row_dims;
    int64_t column = begin % walk->row, splatted[1 + JM_ELEMENTWISE_INPUTS] = {-1, -1, -1, -1};
    position at;
    seek(walk, outer, begin / walk->row, &at);
    while (begin < end) {
        int64_t n = JM_MIN(end - begin, walk->row - column);
        const void *in[JM_ELEMENTWISE_INPUTS] = {NULL};
        size_t step[JM_ELEMENTWISE_INPUTS] = {0};
        for (int i = 1; i < walk->operands; i++) {
            const jm_elementwise_operand *operand = &walk->operand[i];
            int64_t size = (int64_t)jm_dtype_size(operand->dtype);
            const char *row = (const char *)run->in[i - 1] + at.offset[i] * size;
            step[i - 1] = operand->row_step;
            if (operand->row_step == JM_STEP_GROUP) {
                in[i - 1] = row + column * size;
            } else if (operand->stride[walk->rank - 1] == 1) {
                in[i - 1] = row;
            } else {
                char *copies = (char *)run->scratch + (size_t)i * PIECE * WIDEST;
                if (splatted[i] != at.offset[i]) splat(run, operand, row, copies);
                splatted[i] = at.offset[i];
                in[i - 1] = copies;
            }
        }
        int64_t size = (int64_t)jm_dtype_size(walk->operand[0].dtype);
        kernel(context, (char *)run->out[0] + (at.offset[0] + column) * size, in, step, (size_t)n);
        begin += n;
        column = 0;
        advance(walk, outer, &at);
    }
}

static void run_pieces(const jm_elementwise *walk, const jm_run *run, int64_t begin, int64_t end,
                       jm_elementwise_kernel kernel, const void *context)
{
    char *raw = run->scratch, *buffer[1 + JM_ELEMENTWISE_INPUTS];
    for (int i = 0; i < walk->operands; i++) buffer[i] = raw + (size_t)(i + 1) * PIECE * WIDEST;
    for (int i = 1; i < walk->operands; i++)
        if (walk->operand[i].scalar) splat(run, &walk->operand[i], run->in[i - 1], buffer[i]);

    for (; begin < end; begin += PIECE) {
        int64_t n = JM_MIN(PIECE, end - begin);
        const void *in[JM_ELEMENTWISE_INPUTS] = {NULL};
        size_t step[JM_ELEMENTWISE_INPUTS] = {0};
        for (int i = 1; i < walk->operands; i++) {
            const jm_elementwise_operand *operand = &walk->operand[i];
            bool same = operand->dtype == operand->compute;
            char *memory = run->in[i - 1];
            step[i - 1] = operand->scalar ? JM_STEP_LANES : JM_STEP_GROUP;
            in[i - 1] = buffer[i];
            if (operand->scalar) continue;
            const char *source = same ? buffer[i] : raw;
            if (operand->flat)
                source = memory + begin * (int64_t)jm_dtype_size(operand->dtype);
            else
                jm_strided_gather(same ? buffer[i] : raw, memory, jm_dtype_size(operand->dtype), walk->rank, walk->dim,
                                  operand->stride, begin, n);
            if (same)
                in[i - 1] = source;
            else
                convert(run, operand->dtype, source, operand->compute, buffer[i], (size_t)n);
        }
        const jm_elementwise_operand *out = &walk->operand[0];
        bool same = out->dtype == out->compute;
        char *target = (char *)run->out[0] + begin * (int64_t)jm_dtype_size(out->dtype);
        char *result = same && out->flat ? target : buffer[0];
        kernel(context, result, in, step, (size_t)n);
        if (!same) {
            convert(run, out->compute, buffer[0], out->dtype, out->flat ? target : raw, (size_t)n);
            result = raw;
        }
        if (!out->flat)
            jm_strided_scatter(run->out[0], result, jm_dtype_size(out->dtype), walk->rank, walk->dim, out->stride,
                               begin, n);
    }
}

void jm_elementwise_run(const jm_elementwise *walk, const jm_run *run, jm_elementwise_kernel kernel,
                        const void *context)
{
    int64_t begin = (int64_t)run->chunk * walk->per_chunk, end = JM_MIN(walk->count, begin + walk->per_chunk);
    if (begin >= end) return;
    if (walk->direct)
        run_direct(walk, run, begin, end, kernel, context);
    else
        run_pieces(walk, run, begin, end, kernel, context);
}
