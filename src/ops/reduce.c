/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions over any axes. float32, float16 and bfloat16 accumulate in 16 lanes, element i of the reduced ones (in
 * row-major order) in lane i mod 16, which a fixed tree combines: bits depend on shapes alone, not on strides, layout
 * or chunks. float64 and integers (as int64) accumulate in order.
 */
#include "ops/op.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/compose.h"
#include "ops/elementwise.h"
#include "ops/reduce.h"
#include "ops/strided.h"

#define PIECE 256
#define CHUNK_ELEMENTS 16384
#define RANK (JM_MAX_RANK + 1)

typedef enum finish { FINISH_NONE, FINISH_MEAN, FINISH_SQRT } finish;

/* ---- Shapes ---- */

/* GlobalAveragePool and GlobalMaxPool have no attributes. */
static bool is_global(const jm_call *call)
{
    return jm_op_attrs(call->op) == 0;
}

/* reduced[k] for each axis of input 0. */
static jm_status reduced_axes(const jm_call *call, bool reduced[JM_MAX_RANK], bool *keep)
{
    int rank = call->in[0].shape.rank;
    *keep = is_global(call) || call->attr[1].i != 0;
    for (int k = 0; k < rank; k++) reduced[k] = is_global(call) ? k >= 2 : !call->attr[0].present;
    if (is_global(call)) {
        if (rank < 3) return jm_call_error(call, JM_INVALID_ARGUMENT, "X has rank %d and must have 3 or more", rank);
        return JM_OK;
    }
    for (int i = 0; i < call->attr[0].count; i++) {
        int axis;
        JM_TRY(jm_call_axis(call, call->attr[0].ints[i], &axis));
        if (reduced[axis]) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %d is there twice", axis);
        reduced[axis] = true;
    }
    return JM_OK;
}

jm_status jm_reduce_infer(jm_call *call)
{
    bool reduced[JM_MAX_RANK], keep;
    JM_TRY(reduced_axes(call, reduced, &keep));
    jm_tensor *out = &call->out[0];
    out->dtype = call->in[0].dtype;
    for (int k = 0; k < call->in[0].shape.rank; k++) {
        if (reduced[k] && !keep) continue;
        out->shape.dim[out->shape.rank++] = reduced[k] ? 1 : call->in[0].shape.dim[k];
    }
    return JM_OK;
}

/* C16 where only spatial axes are reduced and kept as 1. */
static int reduce_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    const jm_tensor *in = &call->in[0];
    bool reduced[JM_MAX_RANK], keep;
    double cost = (double)jm_tensor_elements(&call->in[0]) * 0.25;
    forms[0] = (jm_form){.name = "plain", .out_strided = true, .in_place = -1, .cost = cost};
    if (reduced_axes(call, reduced, &keep) != JM_OK) return 1;
    if (!keep || in->dtype != JM_F32 || in->shape.rank < 3 || reduced[0] || reduced[1] || in->shape.dim[1] == 0)
        return 1;
    double lanes = (double)jm_channel_blocks(in->shape.dim[1], NULL) * JM_LANES;
    forms[1] = (jm_form){.id = 1,
                         .name = "c16",
                         .in = JM_C16,
                         .out = JM_C16,
                         .map = JM_MAP_SAME,
                         .out_strided = true,
                         .in_place = -1,
                         .cost = cost / (double)in->shape.dim[1] * lanes};
    return 2;
}

static double reduce_flops(const jm_call *call)
{
    return (double)jm_tensor_elements(&call->in[0]);
}

/* ---- Plan ---- */

struct reduce_state {
    jm_dtype dtype, compute;
    jm_reduce op;
    finish finish;
    /* Kept dims with the strides of both sides, and reduced dims of the input. */
    int kept, reduced;
    int64_t kept_dim[RANK], kept_in[RANK], kept_out[RANK];
    int64_t reduced_dim[RANK], reduced_in[RANK];
    int64_t count; /* reduced elements */
    bool columns;  /* the last kept dim is contiguous: units are runs of up to 16 outputs; else single outputs */
    int64_t width; /* of the last kept dim (columns) */
    int64_t units, per_chunk;
    void (*rows)(float lane[16], const float *x, size_t n);
    void (*column_rows)(float lane[16][16], const float *x, size_t stride, size_t n, size_t width);
};

static void plan_strides(const jm_call *call, const bool reduced[], bool keep, struct reduce_state *state)
{
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    for (int k = 0, to = 0; k < in->shape.rank; k++) {
        if (reduced[k]) {
            state->reduced_dim[state->reduced] = in->shape.dim[k];
            state->reduced_in[state->reduced++] = in->stride[k];
            to += keep;
        } else {
            bool blocks = in->layout == JM_C16 && k == 1;
            state->kept_dim[state->kept] = blocks ? jm_channel_blocks(in->shape.dim[1], in->map) : in->shape.dim[k];
            state->kept_in[state->kept] = in->stride[k];
            state->kept_out[state->kept++] = out->stride[to++];
        }
    }
    if (in->layout == JM_C16) {
        state->kept_dim[state->kept] = JM_LANES;
        state->kept_in[state->kept] = state->kept_out[state->kept] = 1;
        state->kept++;
    }
}

static int64_t product(int rank, const int64_t dim[])
{
    int64_t count = 1;
    for (int k = 0; k < rank; k++) count *= dim[k];
    return count;
}

/* ---- Run ---- */

static float finish_f32(const struct reduce_state *state, float value)
{
    if (state->finish == FINISH_MEAN) return value / (float)state->count;
    return state->finish == FINISH_SQRT ? sqrtf(value) : value;
}

/* All reduced elements of the output at `x`, through a buffer where they have gaps or another type. */
static float reduce_row(const struct reduce_state *state, const char *x, const jm_run *run)
{
    float lane[16], buffer[PIECE];
    for (int i = 0; i < 16; i++) lane[i] = jm_reduce_identity(state->op);
    bool direct = state->dtype == JM_F32 && (state->reduced == 0 || (state->reduced == 1 && state->reduced_in[0] == 1));
    if (direct) {
        state->rows(lane, (const float *)(const void *)x, (size_t)state->count);
        return finish_f32(state, jm_reduce_tree(state->op, lane));
    }
    for (int64_t i = 0; i < state->count; i += PIECE) {
        uint16_t half[PIECE];
        int64_t n = JM_MIN(PIECE, state->count - i);
        bool same = state->dtype == JM_F32;
        jm_strided_gather(same ? (void *)buffer : half, x, jm_dtype_size(state->dtype), state->reduced,
                          state->reduced_dim, state->reduced_in, i, n);
        if (!same && jm_convert(state->dtype, half, JM_F32, buffer, (size_t)n) != JM_OK)
            atomic_store(run->fault, JM_INTERNAL);
        state->rows(lane, buffer, (size_t)n);
    }
    return finish_f32(state, jm_reduce_tree(state->op, lane));
}

/* `width` outputs side by side. */
static void reduce_columns(const struct reduce_state *state, const float *x, size_t width, float out[16])
{
    float lane[16][16];
    const float identity = jm_reduce_identity(state->op);
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 16; c++) lane[r][c] = identity;
    int last = state->reduced - 1;
    int64_t length = last < 0 ? 1 : state->reduced_dim[last], stride = last < 0 ? 0 : state->reduced_in[last];
    for (int64_t done = 0; done < state->count; done += length) {
        const float *run = x;
        if (last >= 0) run += jm_strided_offset(last, state->reduced_dim, state->reduced_in, done / length);
        /* Kernels begin with lane 0. */
        int64_t phase = done % 16, head = phase ? JM_MIN(16 - phase, length) : 0;
        state->column_rows(lane + phase, run, (size_t)stride, (size_t)head, width);
        state->column_rows(lane, run + head * stride, (size_t)stride, (size_t)(length - head), width);
    }
    jm_reduce_tree_columns(state->op, lane);
    for (size_t c = 0; c < width; c++) out[c] = finish_f32(state, lane[0][c]);
}

static double combine_f64(jm_reduce op, double sum, double x)
{
    switch (op) {
    case JM_REDUCE_SUM_ABS:
        return sum + fabs(x);
    case JM_REDUCE_SUM_SQUARE:
        return sum + x * x;
    case JM_REDUCE_MAX:
        return sum > x || sum != sum ? sum : x;
    case JM_REDUCE_MIN:
        return sum < x || sum != sum ? sum : x;
    case JM_REDUCE_PROD:
        return sum * x;
    default:
        return sum + x;
    }
}

/* Wraps. */
static int64_t combine_i64(jm_reduce op, int64_t sum, int64_t x)
{
    uint64_t a = (uint64_t)sum, b = (uint64_t)x;
    switch (op) {
    case JM_REDUCE_SUM_ABS:
        return (int64_t)(a + (x < 0 ? 0 - b : b));
    case JM_REDUCE_SUM_SQUARE:
        return (int64_t)(a + b * b);
    case JM_REDUCE_MAX:
        return JM_MAX(sum, x);
    case JM_REDUCE_MIN:
        return JM_MIN(sum, x);
    case JM_REDUCE_PROD:
        return (int64_t)(a * b);
    default:
        return (int64_t)(a + b);
    }
}

static void reduce_f64(const struct reduce_state *state, const char *x, void *out)
{
    double sum = (double)jm_reduce_identity(state->op);
    for (int64_t i = 0; i < state->count; i++) {
        int64_t offset = jm_strided_offset(state->reduced, state->reduced_dim, state->reduced_in, i);
        sum = combine_f64(state->op, sum, ((const double *)(const void *)x)[offset]);
    }
    if (state->finish == FINISH_MEAN) sum /= (double)state->count;
    if (state->finish == FINISH_SQRT) sum = sqrt(sum);
    *(double *)out = sum;
}

static void reduce_i64(const struct reduce_state *state, const char *x, void *out)
{
    int64_t sum, size = (int64_t)jm_dtype_size(state->dtype);
    /* The identity of MAX and MIN is the end of the type's own range. */
    jm_element_from_f64(state->dtype, (double)jm_reduce_identity(state->op), out);
    sum = state->dtype == JM_BOOL ? state->op == JM_REDUCE_MIN : jm_element_to_i64(state->dtype, out);
    for (int64_t i = 0; i < state->count; i++) {
        int64_t offset = jm_strided_offset(state->reduced, state->reduced_dim, state->reduced_in, i);
        sum = combine_i64(state->op, sum, jm_element_to_i64(state->dtype, x + offset * size));
    }
    if (state->finish == FINISH_MEAN) sum = state->count ? sum / state->count : 0;
    if (state->finish == FINISH_SQRT)
        jm_element_from_f64(state->dtype, sqrt((double)sum), out);
    else
        jm_element_from_i64(state->dtype, sum, out);
}

static void run_columns(const struct reduce_state *state, const jm_run *run, int64_t unit)
{
    int64_t tiles = (state->width + 15) / 16, outer = unit / tiles, first = unit % tiles * 16;
    int last = state->kept - 1;
    size_t width = (size_t)JM_MIN(16, state->width - first);
    const float *x = run->in[0];
    float *y = run->out[0], value[16];
    x += jm_strided_offset(last, state->kept_dim, state->kept_in, outer) + first;
    y += jm_strided_offset(last, state->kept_dim, state->kept_out, outer) + first * state->kept_out[last];
    reduce_columns(state, x, width, value);
    for (size_t c = 0; c < width; c++) y[(int64_t)c * state->kept_out[last]] = value[c];
}

static void run_row(const struct reduce_state *state, const jm_run *run, int64_t unit)
{
    int64_t size = (int64_t)jm_dtype_size(state->dtype);
    const char *x = run->in[0];
    char *y = run->out[0];
    x += jm_strided_offset(state->kept, state->kept_dim, state->kept_in, unit) * size;
    y += jm_strided_offset(state->kept, state->kept_dim, state->kept_out, unit) * size;
    if (state->compute == JM_F32)
        jm_element_from_f64(state->dtype, (double)reduce_row(state, x, run), y);
    else if (state->compute == JM_F64)
        reduce_f64(state, x, y);
    else
        reduce_i64(state, x, y);
}

static void reduce_run(const jm_plan *plan, const jm_run *run)
{
    const struct reduce_state *state = plan->state;
    int64_t begin = (int64_t)run->chunk * state->per_chunk, end = JM_MIN(state->units, begin + state->per_chunk);
    for (int64_t unit = begin; unit < end; unit++) {
        if (state->columns)
            run_columns(state, run, unit);
        else
            run_row(state, run, unit);
    }
}

/* ---- Operators ---- */

static jm_status reduce_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan);

static const jm_param reduce_param[] = {
    {.name = "data", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "reduced", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of the axes that stay"},
    {.name = "axes", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "axes to reduce; absent: all, empty: none"},
    {.name = "keepdims", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "1: reduced axes stay, as 1"},
};
static const jm_param global_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, spatial ...]"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "[N, C, 1 ...]"},
};

#define REDUCE(symbol, text, table_of_params, types, formula_text, source_text)                                        \
    const jm_op symbol = {.name = text,                                                                                \
                          .param = table_of_params,                                                                    \
                          .params = JM_COUNT(table_of_params),                                                         \
                          .dtype_rule = JM_DTYPE_SAME,                                                                 \
                          .dtypes = types,                                                                             \
                          .formula = formula_text,                                                                     \
                          .source = source_text,                                                                       \
                          .infer = jm_reduce_infer,                                                                    \
                          .forms = reduce_forms,                                                                       \
                          .plan = reduce_plan,                                                                         \
                          .run = reduce_run,                                                                           \
                          .flops = reduce_flops}

REDUCE(jm_op_reduce_sum, "ReduceSum", reduce_param, JM_DTYPES_FLOAT | JM_DTYPES_INT, "sum x; integers wrap",
       "ONNX ReduceSum-13");
REDUCE(jm_op_reduce_mean, "ReduceMean", reduce_param, JM_DTYPES_FLOAT | JM_DTYPES_INT,
       "sum x / count; integers truncate", "ONNX ReduceMean-18");
REDUCE(jm_op_reduce_max, "ReduceMax", reduce_param, JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_BOOL,
       "max x; NaN if any is NaN", "ONNX ReduceMax-18");
REDUCE(jm_op_reduce_min, "ReduceMin", reduce_param, JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_BOOL,
       "min x; NaN if any is NaN", "ONNX ReduceMin-18");
REDUCE(jm_op_reduce_prod, "ReduceProd", reduce_param, JM_DTYPES_FLOAT | JM_DTYPES_INT, "product of x; integers wrap",
       "ONNX ReduceProd-18");
REDUCE(jm_op_reduce_l1, "ReduceL1", reduce_param, JM_DTYPES_FLOAT | JM_DTYPES_INT, "sum |x|", "ONNX ReduceL1-18");
REDUCE(jm_op_reduce_l2, "ReduceL2", reduce_param, JM_DTYPES_FLOAT | JM_DTYPES_INT, "sqrt(sum x^2)", "ONNX ReduceL2-18");
REDUCE(jm_op_reduce_sum_square, "ReduceSumSquare", reduce_param, JM_DTYPES_FLOAT | JM_DTYPES_INT, "sum x^2",
       "ONNX ReduceSumSquare-18");
REDUCE(jm_op_global_average_pool, "GlobalAveragePool", global_param, JM_DTYPES_FLOAT, "mean over the spatial axes",
       "ONNX GlobalAveragePool-1");
REDUCE(jm_op_global_max_pool, "GlobalMaxPool", global_param, JM_DTYPES_FLOAT,
       "max over the spatial axes; NaN if any is NaN", "ONNX GlobalMaxPool-1");

static const struct reduce {
    const jm_op *op;
    jm_reduce reduce;
    finish finish;
} table[] = {
    {&jm_op_reduce_sum, JM_REDUCE_SUM, FINISH_NONE},
    {&jm_op_reduce_mean, JM_REDUCE_SUM, FINISH_MEAN},
    {&jm_op_reduce_max, JM_REDUCE_MAX, FINISH_NONE},
    {&jm_op_reduce_min, JM_REDUCE_MIN, FINISH_NONE},
    {&jm_op_reduce_prod, JM_REDUCE_PROD, FINISH_NONE},
    {&jm_op_reduce_l1, JM_REDUCE_SUM_ABS, FINISH_NONE},
    {&jm_op_reduce_l2, JM_REDUCE_SUM_SQUARE, FINISH_SQRT},
    {&jm_op_reduce_sum_square, JM_REDUCE_SUM_SQUARE, FINISH_NONE},
    {&jm_op_global_average_pool, JM_REDUCE_SUM, FINISH_MEAN},
    {&jm_op_global_max_pool, JM_REDUCE_MAX, FINISH_NONE},
};

static const struct reduce *find(const jm_op *op)
{
    const struct reduce *row = table;
    while (row->op != op) row++;
    return row;
}

static jm_status reduce_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    struct reduce_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    const struct reduce *row = find(call->op);
    bool reduced[JM_MAX_RANK], keep;
    JM_TRY(reduced_axes(call, reduced, &keep));
    state->dtype = call->in[0].dtype;
    state->compute = jm_compute_dtype(state->dtype);
    state->op = row->reduce;
    state->finish = row->finish;
    state->rows = machine->kernels->pointwise.reduce[row->reduce];
    state->column_rows = machine->kernels->pointwise.reduce_columns[row->reduce];

    plan_strides(call, reduced, keep, state);
    int64_t outputs = product(state->kept, state->kept_dim);
    state->count = product(state->reduced, state->reduced_dim);
    state->kept = jm_strided_merge(state->kept, state->kept_dim, state->kept_in, state->kept_out);
    state->reduced = jm_strided_merge(state->reduced, state->reduced_dim, state->reduced_in, NULL);
    int last = state->kept - 1;
    state->columns = state->dtype == JM_F32 && last >= 0 && state->kept_in[last] == 1 && outputs > 0;
    if (state->columns) {
        state->width = state->kept_dim[last];
        state->units = outputs / state->width * ((state->width + 15) / 16);
    } else {
        state->units = outputs;
    }
    int64_t unit_work = JM_MAX(state->count, 1) * (state->columns ? 16 : 1);
    state->per_chunk = JM_MAX(CHUNK_ELEMENTS / unit_work, 1);
    plan->chunks = (size_t)JM_MAX((state->units + state->per_chunk - 1) / state->per_chunk, 1);
    return JM_OK;
}

/* ---- Logarithms of sums, made of others ---- */

/* A reduction with the attributes of the call, or the same with keepdims 1. */
static jm_operand *reduce_as(jm_compose *c, const jm_call *call, const char *op, jm_operand *x, bool keep)
{
    const jm_named_attr attr[] = {{"keepdims", {.i = keep}}, {"axes", call->attr[0]}};
    return jm_compose_node(c, op, &x, 1, attr, call->attr[0].present ? 2 : 1);
}

static jm_status lower_log_sum(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *sum = reduce_as(&c, call, "ReduceSum", jm_compose_input(&c, 0), call->attr[1].i != 0);
    jm_compose_result(&c, 0, jm_compose_1(&c, "Log", sum));
    return jm_compose_end(&c);
}

/* The largest finite number of a float type. */
static double largest_finite(jm_dtype dtype)
{
    switch (dtype) {
    case JM_F64:
        return DBL_MAX;
    case JM_F16:
        return 65504;
    case JM_BF16:
        return 0x1.FEp127;
    default:
        return (double)FLT_MAX;
    }
}

/* log(sum exp(x - m)) + m with the maximum m; a finite m, so that infinities do not become NaN. */
static jm_status lower_log_sum_exp(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const double limit = largest_finite(call->in[0].dtype);
    const jm_named_attr bounds[] = {{"min", {.f = -limit}}, {"max", {.f = limit}}};
    jm_operand *x = jm_compose_input(&c, 0), *m = reduce_as(&c, call, "ReduceMax", x, true);
    m = jm_compose_node(&c, "Clip", &m, 1, bounds, 2);
    jm_operand *power = jm_compose_1(&c, "Exp", jm_compose_2(&c, "Sub", x, m));
    jm_operand *log = jm_compose_1(&c, "Log", reduce_as(&c, call, "ReduceSum", power, true));
    jm_compose_result(&c, 0, jm_compose_reshape(&c, jm_compose_2(&c, "Add", log, m), &call->out[0].shape));
    return jm_compose_end(&c);
}

const jm_op jm_op_reduce_log_sum = {
    .name = "ReduceLogSum",
    .param = reduce_param,
    .params = JM_COUNT(reduce_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "log(sum x)",
    .source = "ONNX ReduceLogSum-18",
    .infer = jm_reduce_infer,
    .lower = lower_log_sum,
};

const jm_op jm_op_reduce_log_sum_exp = {
    .name = "ReduceLogSumExp",
    .param = reduce_param,
    .params = JM_COUNT(reduce_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "log(sum exp(x)), without overflow",
    .source = "ONNX ReduceLogSumExp-18",
    .infer = jm_reduce_infer,
    .lower = lower_log_sum_exp,
};
