/* SPDX-License-Identifier: Apache-2.0
 *
 * Recurrence: the part of LSTM, GRU and RNN that must go step by step. The products with the inputs are one matrix
 * product in front of it; here each step adds the product with the state, which is a sum of rows, and applies the cell.
 * Directions and batches are independent.
 */
#include "ops/recurrence.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "kernels/kernels.h"
#include "ops/strided.h"

enum { Y, Y_H, Y_C };
enum { CELL = JM_RECURRENCE_ATTRS };

typedef struct activation {
    const char *name;
    int kind; /* jm_unary, or one of the next */
    int parameters;
    float alpha, beta;
} activation;
enum { AFFINE = JM_UNARY_COUNT, SCALED_TANH, THRESHOLDED_RELU };

static const activation activations[] = {
    {"Sigmoid", JM_UNARY_SIGMOID, 0, 0, 0},
    {"Tanh", JM_UNARY_TANH, 0, 0, 0},
    {"Relu", JM_UNARY_RELU, 0, 0, 0},
    {"LeakyRelu", JM_UNARY_LEAKY_RELU, 1, 0.01f, 0},
    {"HardSigmoid", JM_UNARY_HARD_SIGMOID, 2, 0.2f, 0.5f},
    {"Elu", JM_UNARY_ELU, 1, 1, 0},
    {"Softsign", JM_UNARY_SOFTSIGN, 0, 0, 0},
    {"Softplus", JM_UNARY_SOFTPLUS, 0, 0, 0},
    {"Affine", AFFINE, 2, 1, 0},
    {"ScaledTanh", SCALED_TANH, 2, 1, 1},
    {"ThresholdedRelu", THRESHOLDED_RELU, 1, 1, 0},
};

#define MOST_ACTIVATIONS 3 /* of one direction */

typedef struct recurrence {
    const jm_pointwise_kernels *pointwise;
    const jm_pool_kernels *pool;
    jm_cell cell;
    int gates, directions;
    bool reverse, input_forget, linear;
    float clip;
    activation act[2][MOST_ACTIVATIONS];
    int64_t steps, batches, hidden;
    jm_dtype length_dtype;
    bool has_lengths, has_h, has_c, has_peepholes, has_bias, has_y, has_y_h, has_y_c;
    bool pack; /* rows of R have gaps */
    int64_t in_stride[7][4], out_stride[3][4];
} recurrence;

/* ---- Description ---- */

jm_status jm_recurrence_directions(const jm_call *call, int *directions)
{
    const char *text = call->attr[JM_RECURRENCE_DIRECTION].s;
    *directions = strcmp(text, "bidirectional") == 0 ? 2 : 1;
    if (*directions == 2 || strcmp(text, "forward") == 0 || strcmp(text, "reverse") == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "direction '%s' is not forward, reverse or bidirectional", text);
}

static jm_status find_activation(const jm_call *call, const char *name, size_t length, activation *out)
{
    for (size_t i = 0; i < JM_COUNT(activations); i++) {
        *out = activations[i];
        if (strlen(out->name) == length && strncasecmp(out->name, name, length) == 0) return JM_OK;
    }
    return jm_call_error(call, JM_UNSUPPORTED, "activation '%.*s' is not supported", (int)JM_MIN(length, 64), name);
}

/* Names, then parameters, which are consumed in the order of the activations. */
static jm_status read_activations(const jm_call *call, jm_cell cell, int directions,
                                  activation act[2][MOST_ACTIVATIONS])
{
    const int each = cell + 1; /* RNN: f; GRU: f, g; LSTM: f, g, h */
    const char *text = call->attr[JM_RECURRENCE_ACTIVATIONS].s;
    const jm_attr *alpha = &call->attr[JM_RECURRENCE_ALPHA], *beta = &call->attr[JM_RECURRENCE_BETA];
    int alphas = 0, betas = 0;
    const bool usual = !*text;
    for (int i = 0; i < each * directions; i++) {
        activation *a = &act[i / each][i % each];
        size_t length = strcspn(text, ",");
        if (usual) {
            *a = activations[cell == JM_CELL_RNN || i % each > 0]; /* Sigmoid for gates, Tanh for states */
        } else {
            JM_TRY(find_activation(call, text, length, a));
            text += length + (text[length] == ',');
        }
        if (a->parameters > 0 && alphas < alpha->count) a->alpha = (float)alpha->floats[alphas++];
        if (a->parameters > 1 && betas < beta->count) a->beta = (float)beta->floats[betas++];
    }
    if (*text) return jm_call_error(call, JM_INVALID_ARGUMENT, "there are more than %d activations", each * directions);
    return JM_OK;
}

static jm_status check_shape(const jm_call *call, int input, int rank, const int64_t *dims)
{
    const jm_tensor *tensor = jm_call_in(call, input);
    if (!tensor) return JM_OK;
    bool fits = tensor->shape.rank == rank;
    for (int k = 0; fits && k < rank; k++) fits = tensor->shape.dim[k] == dims[k];
    if (fits && (input == JM_RECURRENCE_LENGTHS ? tensor->dtype == JM_I32 : tensor->dtype == JM_F32)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' has a wrong shape or type",
                         jm_op_input(call->op, input)->name);
}

static jm_status recurrence_infer(jm_call *call)
{
    const jm_shape *gates = &call->in[JM_RECURRENCE_GATES].shape;
    const jm_cell cell = (jm_cell)call->attr[CELL].i;
    activation act[2][MOST_ACTIVATIONS];
    int directions;
    if (call->attr[CELL].i < JM_CELL_RNN || call->attr[CELL].i > JM_CELL_LSTM)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "cell %lld does not exist", (long long)call->attr[CELL].i);
    JM_TRY(jm_recurrence_directions(call, &directions));
    JM_TRY(read_activations(call, cell, directions, act));
    if (gates->rank != 4 || gates->dim[0] != directions || gates->dim[3] % jm_cell_gates(cell) != 0 ||
        !jm_shape_known(gates))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "gates must be [directions, steps, batches, gates * hidden]");
    const int64_t steps = gates->dim[1], batches = gates->dim[2], hidden = gates->dim[3] / jm_cell_gates(cell);
    if (hidden < 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "there is no hidden state");
    JM_TRY(check_shape(call, JM_RECURRENCE_R, 3, (int64_t[]){directions, hidden, gates->dim[3]}));
    JM_TRY(check_shape(call, JM_RECURRENCE_LENGTHS, 1, &batches));
    JM_TRY(check_shape(call, JM_RECURRENCE_H, 3, (int64_t[]){directions, batches, hidden}));
    JM_TRY(check_shape(call, JM_RECURRENCE_C, 3, (int64_t[]){directions, batches, hidden}));
    JM_TRY(check_shape(call, JM_RECURRENCE_PEEPHOLES, 2, (int64_t[]){directions, 3 * hidden}));
    JM_TRY(check_shape(call, JM_RECURRENCE_BIAS, 2, (int64_t[]){directions, hidden}));
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = JM_F32;
        call->out[i].shape = (jm_shape){.rank = 3, .dim = {directions, batches, hidden}};
    }
    call->out[Y].shape = (jm_shape){.rank = 4, .dim = {steps, directions, batches, hidden}};
    return JM_OK;
}

static bool has_output(const jm_call *call, int i)
{
    return i < call->outputs && call->out[i].dtype != JM_DTYPE_NONE;
}

static jm_status recurrence_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                 jm_plan *plan)
{
    (void)form;
    recurrence *r = jm_arena_alloc(arena, 1, sizeof(*r));
    const jm_shape *gates = &call->in[JM_RECURRENCE_GATES].shape;
    if (!r) return JM_OUT_OF_MEMORY;
    plan->state = r;
    r->pointwise = &machine->kernels->pointwise;
    r->pool = &machine->kernels->pool;
    r->cell = (jm_cell)call->attr[CELL].i;
    r->gates = jm_cell_gates(r->cell);
    JM_TRY(jm_recurrence_directions(call, &r->directions));
    JM_TRY(read_activations(call, r->cell, r->directions, r->act));
    r->reverse = strcmp(call->attr[JM_RECURRENCE_DIRECTION].s, "reverse") == 0;
    r->input_forget = call->attr[JM_RECURRENCE_INPUT_FORGET].i != 0;
    r->linear = call->attr[JM_RECURRENCE_LINEAR].i != 0;
    r->clip = (float)call->attr[JM_RECURRENCE_CLIP].f;
    r->steps = gates->dim[1];
    r->batches = gates->dim[2];
    r->hidden = gates->dim[3] / r->gates;
    r->has_lengths = jm_call_in(call, JM_RECURRENCE_LENGTHS);
    r->has_h = jm_call_in(call, JM_RECURRENCE_H);
    r->has_c = jm_call_in(call, JM_RECURRENCE_C);
    r->has_peepholes = jm_call_in(call, JM_RECURRENCE_PEEPHOLES);
    r->has_bias = jm_call_in(call, JM_RECURRENCE_BIAS);
    r->has_y = has_output(call, Y);
    r->has_y_h = has_output(call, Y_H);
    r->has_y_c = has_output(call, Y_C);
    for (int i = 0; i < call->inputs; i++)
        for (int k = 0; k < 4; k++) r->in_stride[i][k] = call->in[i].stride[k];
    for (int i = 0; i < call->outputs; i++)
        for (int k = 0; k < 4; k++) r->out_stride[i][k] = call->out[i].stride[k];
    r->pack = r->in_stride[JM_RECURRENCE_R][2] != 1;
    /* Pointers to rows, weights of rows, the vectors of a lane, and R when its rows have gaps. */
    size_t rows, floats = 17, packed = 0, hidden = (size_t)r->hidden;
    if (!jm_size_add(hidden, 1, &rows) || !jm_size_mul(rows, sizeof(float *), &plan->scratch) ||
        !jm_size_round_up(plan->scratch, 64, &plan->scratch) || !jm_size_mul(floats, rows, &floats) ||
        (r->pack && (!jm_size_mul(hidden, hidden * (size_t)r->gates, &packed))) ||
        !jm_size_add(floats, packed, &floats) || !jm_size_mul(floats, sizeof(float), &floats) ||
        !jm_size_add(plan->scratch, floats, &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the hidden state is too large");
    plan->chunks = (size_t)JM_MAX(r->directions * r->batches, 1);
    if (r->batches == 0) r->directions = 0; /* nothing to do */
    return JM_OK;
}

/* ---- Run ---- */

/* Scratch of one chunk: [hidden] each where nothing else is said. */
typedef struct lane {
    const float **row; /* [hidden + 1] */
    float *weight;     /* [hidden + 1], 1 and the state */
    float *h;          /* = weight + 1 */
    float *gate;       /* [gates][hidden] */
    float *c, *a, *b, *d;
    float *loaded; /* [3][hidden]: peepholes or bias */
    float *x;      /* [gates][hidden]: the input's part when it has gaps */
    const float *matrix;
    int64_t matrix_row; /* floats */
} lane;

static lane lane_of(const recurrence *r, void *scratch)
{
    const size_t n = (size_t)r->hidden;
    size_t bytes = (n + 1) * sizeof(float *);
    lane l = {.row = scratch};
    float *floats = (float *)(void *)((char *)scratch + (bytes + 63) / 64 * 64);
    l.weight = floats;
    l.h = floats + 1;
    l.gate = floats += n + 1;
    l.c = floats += 4 * n;
    l.a = floats += n;
    l.b = floats += n;
    l.d = floats += n;
    l.loaded = floats += n;
    l.x = floats += 3 * n;
    l.matrix = floats + 4 * n;
    return l;
}

static const float *load(const float *from, int64_t stride, int64_t n, float *buffer)
{
    if (stride == 1) return from;
    jm_strided_gather(buffer, from, sizeof(float), 1, &n, &stride, 0, n);
    return buffer;
}

static void store(float *to, int64_t stride, const float *from, int64_t n)
{
    jm_strided_scatter(to, from, sizeof(float), 1, &n, &stride, 0, n);
}

static void activate(const recurrence *r, const activation *a, float *y, const float *x)
{
    const size_t n = (size_t)r->hidden;
    float alpha[16], beta[16];
    for (int i = 0; i < 16; i++) {
        alpha[i] = a->alpha;
        beta[i] = a->kind == AFFINE ? a->beta : 0;
    }
    switch (a->kind) {
    case AFFINE:
        r->pointwise->affine(y, x, alpha, beta, JM_STEP_LANES, n);
        break;
    case SCALED_TANH:
        for (size_t i = 0; i < n; i++) y[i] = a->beta * x[i];
        r->pointwise->unary[JM_UNARY_TANH](y, y, n, 0, 0);
        for (size_t i = 0; i < n; i++) y[i] = a->alpha * y[i];
        break;
    case THRESHOLDED_RELU:
        for (size_t i = 0; i < n; i++) y[i] = x[i] > a->alpha ? x[i] : 0;
        break;
    default:
        r->pointwise->unary[a->kind](y, x, n, a->alpha, a->beta);
        break;
    }
}

static void clip(const recurrence *r, float *x)
{
    if (r->clip > 0) r->pointwise->unary[JM_UNARY_CLIP](x, x, (size_t)r->hidden, -r->clip, r->clip);
}

static void multiply(const recurrence *r, float *y, const float *a, const float *b)
{
    r->pointwise->binary[JM_BINARY_MUL](y, a, JM_STEP_GROUP, b, JM_STEP_GROUP, (size_t)r->hidden);
}

/* y = a * b + d */
static void multiply_add(const recurrence *r, float *y, const float *a, const float *b, const float *d)
{
    r->pointwise->affine(y, a, b, d, JM_STEP_GROUP, (size_t)r->hidden);
}

/* y = first + weight[1 ..] * columns [from, from + count) of the matrix. */
static void product(const recurrence *r, const lane *l, float *y, const float *first, int64_t from, int64_t count)
{
    l->row[0] = first;
    for (int64_t j = 0; j < r->hidden; j++) l->row[j + 1] = l->matrix + j * l->matrix_row + from;
    r->pool->blend_rows(y, l->row, l->weight, (size_t)r->hidden + 1, (size_t)count);
}

static void lstm_step(const recurrence *r, const activation *act, const lane *l, const float *x, const float *peephole)
{
    const int64_t n = r->hidden;
    float *i = l->gate, *o = i + n, *f = o + n, *g = f + n;
    product(r, l, i, x, 0, 4 * n);
    if (peephole) {
        multiply_add(r, i, peephole, l->c, i);
        multiply_add(r, f, peephole + 2 * n, l->c, f);
    }
    clip(r, i);
    clip(r, f);
    clip(r, g);
    activate(r, &act[0], i, i);
    if (r->input_forget)
        for (int64_t k = 0; k < n; k++) f[k] = 1 - i[k];
    else
        activate(r, &act[0], f, f);
    activate(r, &act[1], g, g);
    multiply(r, l->a, i, g);
    multiply_add(r, l->c, f, l->c, l->a);
    if (peephole) multiply_add(r, o, peephole + n, l->c, o);
    clip(r, o);
    activate(r, &act[0], o, o);
    activate(r, &act[2], l->a, l->c);
    multiply(r, l->h, o, l->a);
}

static void gru_step(const recurrence *r, const activation *act, const lane *l, const float *x, const float *bias)
{
    const int64_t n = r->hidden;
    float *z = l->gate, *reset = z + n, *g = reset + n;
    product(r, l, z, x, 0, 2 * n);
    clip(r, z);
    clip(r, reset);
    activate(r, &act[0], z, z);
    activate(r, &act[0], reset, reset);
    if (r->linear) {
        if (!bias) memset(l->b, 0, (size_t)n * sizeof(float));
        product(r, l, l->a, bias ? bias : l->b, 2 * n, n);
        multiply_add(r, g, reset, l->a, x + 2 * n);
    } else {
        memcpy(l->d, l->h, (size_t)n * sizeof(float));
        multiply(r, l->h, reset, l->d);
        product(r, l, g, x + 2 * n, 2 * n, n);
        memcpy(l->h, l->d, (size_t)n * sizeof(float));
    }
    clip(r, g);
    activate(r, &act[1], g, g);
    /* (1 - z) g + z h */
    r->pointwise->binary[JM_BINARY_SUB](l->a, l->h, JM_STEP_GROUP, g, JM_STEP_GROUP, (size_t)n);
    multiply_add(r, l->h, z, l->a, g);
}

static void rnn_step(const recurrence *r, const activation *act, const lane *l, const float *x)
{
    product(r, l, l->gate, x, 0, r->hidden);
    clip(r, l->gate);
    activate(r, &act[0], l->h, l->gate);
}

static const float *input(const recurrence *r, const jm_run *run, int i, int64_t a, int64_t b)
{
    return (const float *)run->in[i] + a * r->in_stride[i][0] + b * r->in_stride[i][1];
}

/* State, matrix and constants before the first step. */
static void start(const recurrence *r, const jm_run *run, lane *l, int64_t direction, int64_t batch)
{
    const int64_t n = r->hidden, columns = n * r->gates, *stride = r->in_stride[JM_RECURRENCE_R];
    l->weight[0] = 1;
    memset(l->h, 0, (size_t)n * sizeof(float));
    memset(l->c, 0, (size_t)n * sizeof(float));
    if (r->has_h)
        memcpy(l->h, load(input(r, run, JM_RECURRENCE_H, direction, batch), r->in_stride[JM_RECURRENCE_H][2], n, l->a),
               (size_t)n * sizeof(float));
    if (r->has_c)
        memcpy(l->c, load(input(r, run, JM_RECURRENCE_C, direction, batch), r->in_stride[JM_RECURRENCE_C][2], n, l->a),
               (size_t)n * sizeof(float));
    const float *matrix = input(r, run, JM_RECURRENCE_R, direction, 0);
    l->matrix_row = r->pack ? columns : stride[1];
    if (r->pack)
        jm_strided_gather((void *)(uintptr_t)l->matrix, matrix, sizeof(float), 2, (int64_t[]){n, columns}, stride + 1,
                          0, n * columns);
    else
        l->matrix = matrix;
}

static void recurrence_run(const jm_plan *plan, const jm_run *run)
{
    const recurrence *r = plan->state;
    if (r->directions == 0) return;
    const int64_t n = r->hidden, direction = (int64_t)run->chunk / r->batches, batch = (int64_t)run->chunk % r->batches;
    const bool backwards = r->reverse || direction == 1;
    const activation *act = r->act[direction];
    lane l = lane_of(r, run->scratch);
    int64_t length = r->steps;
    if (r->has_lengths) {
        const int32_t *lengths = run->in[JM_RECURRENCE_LENGTHS];
        length = JM_MIN(JM_MAX(lengths[batch * r->in_stride[JM_RECURRENCE_LENGTHS][0]], 0), r->steps);
    }
    start(r, run, &l, direction, batch);
    const float *peephole = NULL, *bias = NULL;
    if (r->has_peepholes)
        peephole = load(input(r, run, JM_RECURRENCE_PEEPHOLES, direction, 0), r->in_stride[JM_RECURRENCE_PEEPHOLES][1],
                        3 * n, l.loaded);
    if (r->has_bias)
        bias = load(input(r, run, JM_RECURRENCE_BIAS, direction, 0), r->in_stride[JM_RECURRENCE_BIAS][1], n, l.loaded);
    for (int64_t s = 0; s < r->steps; s++) {
        const int64_t t = s < length && backwards ? length - 1 - s : s;
        float *y = r->has_y ? (float *)run->out[Y] + t * r->out_stride[Y][0] + direction * r->out_stride[Y][1] +
                                  batch * r->out_stride[Y][2]
                            : NULL;
        if (s >= length) { /* padding */
            memset(l.a, 0, (size_t)n * sizeof(float));
            if (y) store(y, r->out_stride[Y][3], l.a, n);
            continue;
        }
        const int64_t *step = r->in_stride[JM_RECURRENCE_GATES];
        const float *x = input(r, run, JM_RECURRENCE_GATES, direction, t) + batch * step[2];
        x = load(x, step[3], n * r->gates, l.x);
        if (r->cell == JM_CELL_LSTM)
            lstm_step(r, act, &l, x, peephole);
        else if (r->cell == JM_CELL_GRU)
            gru_step(r, act, &l, x, bias);
        else
            rnn_step(r, act, &l, x);
        if (y) store(y, r->out_stride[Y][3], l.h, n);
    }
    const int64_t *h = r->out_stride[Y_H], *c = r->out_stride[Y_C];
    if (r->has_y_h) store((float *)run->out[Y_H] + direction * h[0] + batch * h[1], h[2], l.h, n);
    if (r->has_y_c) store((float *)run->out[Y_C] + direction * c[0] + batch * c[1], c[2], l.c, n);
}

static double recurrence_flops(const jm_call *call)
{
    const jm_shape *r = &call->in[JM_RECURRENCE_R].shape, *gates = &call->in[JM_RECURRENCE_GATES].shape;
    if (r->rank != 3 || gates->rank != 4) return 0;
    return 2 * (double)jm_tensor_elements(&call->in[JM_RECURRENCE_GATES]) * (double)r->dim[1];
}

static const jm_param param[] = {
    {"gates", JM_PARAM_INPUT, 0,
     .doc = "[directions, steps, batches, gates * hidden], what the inputs add to the gates"},
    {"R", JM_PARAM_INPUT, 0, .doc = "[directions, hidden, gates * hidden], from the state to the gates"},
    {"lengths", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "int32, [batches]; steps behind them are padding"},
    {"initial_h", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[directions, batches, hidden]; absent: 0"},
    {"initial_c", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "like initial_h, LSTM only"},
    {"P", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[directions, 3 * hidden], peepholes i, o, f of an LSTM"},
    {"bias", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[directions, hidden], inside the reset of a GRU that resets late"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "[steps, directions, batches, hidden]"},
    {"Y_h", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "[directions, batches, hidden], the last state"},
    {"Y_c", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "the last cell state of an LSTM"},
    JM_RECURRENCE_ATTRIBUTES,
    {"cell", JM_PARAM_INT, 0, .doc = "0 RNN, 1 GRU, 2 LSTM"},
};

const jm_op jm_op_recurrence = {
    .name = "Recurrence",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = 1u << JM_F32,
    .formula = "state t = cell(gates t + state t-1 R)",
    .source = "steps of ONNX LSTM-22, GRU-22 and RNN-22",
    .infer = recurrence_infer,
    .plan = recurrence_plan,
    .run = recurrence_run,
    .flops = recurrence_flops,
};
