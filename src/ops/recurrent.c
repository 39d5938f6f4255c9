/* SPDX-License-Identifier: Apache-2.0
 *
 * LSTM, GRU and RNN: one matrix product for the inputs of all steps, then Recurrence. float16 and bfloat16 are computed
 * in float32.
 */
#include <string.h>

#include "ops/compose.h"
#include "ops/recurrence.h"

enum { X, W, R, B, LENGTHS, INITIAL_H, INITIAL_C, PEEPHOLES }; /* inputs; GRU and RNN end with INITIAL_H */
enum { HIDDEN_SIZE = JM_RECURRENCE_ATTRS, LAYOUT };            /* attributes behind those of Recurrence */
enum { Y, Y_H, Y_C };                                          /* outputs */

extern const jm_op jm_op_lstm, jm_op_gru;

typedef struct sizes {
    jm_cell cell;
    int64_t gates, directions, steps, batches, inputs, hidden;
    bool batch_first;
} sizes;

static jm_status check_dims(const jm_call *call, int input, int rank, const int64_t *dims)
{
    const jm_tensor *tensor = jm_call_in(call, input);
    if (!tensor) return JM_OK;
    bool fits = tensor->shape.rank == rank;
    for (int k = 0; fits && k < rank; k++) fits = tensor->shape.dim[k] == dims[k];
    if (fits && (input == LENGTHS || tensor->dtype == call->in[X].dtype)) return JM_OK;
    char have[JM_SHAPE_TEXT], want[JM_SHAPE_TEXT];
    jm_shape shape = {.rank = rank};
    memcpy(shape.dim, dims, (size_t)rank * sizeof *dims);
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' is %s %s and must be %s",
                         jm_op_input(call->op, input)->name, jm_dtype_text(tensor->dtype),
                         jm_shape_text(&tensor->shape, have), jm_shape_text(&shape, want));
}

static jm_status find_sizes(const jm_call *call, sizes *s)
{
    const jm_shape *x = &call->in[X].shape, *r = &call->in[R].shape;
    int directions;
    JM_TRY(jm_recurrence_directions(call, &directions));
    if (x->rank != 3 || r->rank != 3 || !jm_shape_known(x) || !jm_shape_known(r))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X and R must have 3 known dimensions");
    *s = (sizes){.directions = directions, .inputs = x->dim[2], .hidden = r->dim[2]};
    s->cell = call->op == &jm_op_lstm ? JM_CELL_LSTM : (call->op == &jm_op_gru ? JM_CELL_GRU : JM_CELL_RNN);
    s->gates = jm_cell_gates(s->cell);
    s->batch_first = call->attr[LAYOUT].i != 0;
    s->steps = x->dim[s->batch_first];
    s->batches = x->dim[!s->batch_first];
    const int64_t hidden = call->attr[HIDDEN_SIZE].i, all = s->gates * s->hidden;
    if (hidden && hidden != s->hidden)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "hidden_size is %lld and R is for %lld", (long long)hidden,
                             (long long)s->hidden);
    const int64_t d = s->directions, n = s->batches, h = s->hidden;
    const int64_t state[] = {s->batch_first ? n : d, s->batch_first ? d : n, h};
    JM_TRY(check_dims(call, W, 3, (int64_t[]){d, all, s->inputs}));
    JM_TRY(check_dims(call, R, 3, (int64_t[]){d, all, h}));
    JM_TRY(check_dims(call, B, 2, (int64_t[]){d, 2 * all}));
    JM_TRY(check_dims(call, LENGTHS, 1, &n));
    JM_TRY(check_dims(call, INITIAL_H, 3, state));
    if (s->cell != JM_CELL_LSTM) return JM_OK;
    JM_TRY(check_dims(call, INITIAL_C, 3, state));
    return check_dims(call, PEEPHOLES, 2, (int64_t[]){d, 3 * h});
}

static jm_status recurrent_infer(jm_call *call)
{
    sizes s;
    JM_TRY(find_sizes(call, &s));
    const int64_t d = s.directions, n = s.batches, h = s.hidden;
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = call->in[X].dtype;
        call->out[i].shape = (jm_shape){.rank = 3, .dim = {s.batch_first ? n : d, s.batch_first ? d : n, h}};
    }
    call->out[Y].shape = (jm_shape){.rank = 4, .dim = {s.steps, d, n, h}};
    if (s.batch_first) call->out[Y].shape = (jm_shape){.rank = 4, .dim = {n, s.steps, d, h}};
    return JM_OK;
}

static jm_operand *f32(jm_compose *c, int i)
{
    jm_operand *x = jm_compose_input(c, i);
    return x ? jm_compose_cast(c, x, JM_F32) : NULL;
}

/* An initial state as [directions, batches, hidden]. */
static jm_operand *state(jm_compose *c, const sizes *s, int input)
{
    jm_operand *x = f32(c, input);
    return x && s->batch_first ? jm_compose_transpose(c, x, (int64_t[]){1, 0, 2}) : x;
}

/* Both halves of B added, but for the part of a late reset, which goes to *inside. */
static jm_operand *biases(jm_compose *c, const jm_call *call, const sizes *s, jm_operand **inside)
{
    const int64_t all = s->gates * s->hidden, early = 2 * s->hidden;
    jm_operand *both = f32(c, B);
    *inside = NULL;
    if (!both) return NULL;
    jm_operand *input = jm_compose_slice(c, both, 1, 0, all, 1), *own = jm_compose_slice(c, both, 1, all, 2 * all, 1);
    if (s->cell != JM_CELL_GRU || !call->attr[JM_RECURRENCE_LINEAR].i) return jm_compose_2(c, "Add", input, own);
    *inside = jm_compose_slice(c, own, 1, early, all, 1);
    jm_operand *part[] = {
        jm_compose_2(c, "Add", jm_compose_slice(c, input, 1, 0, early, 1), jm_compose_slice(c, own, 1, 0, early, 1)),
        jm_compose_slice(c, input, 1, early, all, 1)};
    return jm_compose_concat(c, part, 2, 1);
}

/* What the inputs of all steps add to the gates: [directions, steps, batches, gates * hidden]. */
static jm_operand *input_gates(jm_compose *c, const sizes *s, jm_operand *bias)
{
    const int64_t all = s->gates * s->hidden, swap[] = {0, 2, 1}, first[] = {1, 0, 2};
    jm_operand *x = f32(c, X), *w = jm_compose_transpose(c, f32(c, W), swap);
    if (s->batch_first) x = jm_compose_transpose(c, x, first);
    x = jm_compose_reshape(c, x, &(jm_shape){.rank = 3, .dim = {1, s->steps * s->batches, s->inputs}});
    jm_operand *gates = jm_compose_2(c, "MatMul", x, w);
    if (bias) {
        const jm_shape row = {.rank = 3, .dim = {s->directions, 1, all}};
        gates = jm_compose_2(c, "Add", gates, jm_compose_reshape(c, bias, &row));
    }
    const jm_shape shape = {.rank = 4, .dim = {s->directions, s->steps, s->batches, all}};
    return jm_compose_reshape(c, gates, &shape);
}

static void result(jm_compose *c, const jm_call *call, const sizes *s, int i, jm_operand *x)
{
    const int64_t sequence[] = {2, 0, 1, 3}, last[] = {1, 0, 2};
    if (s->batch_first) x = jm_compose_transpose(c, x, i == Y ? sequence : last);
    jm_compose_result(c, i, jm_compose_cast(c, x, call->in[X].dtype));
}

static jm_status recurrent_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    sizes s;
    jm_operand *inside, *out[3] = {NULL};
    JM_TRY(find_sizes(call, &s));
    jm_operand *gates = input_gates(&c, &s, biases(&c, call, &s, &inside));
    jm_operand *lengths = jm_compose_input(&c, LENGTHS);
    jm_operand *in[] = {
        gates,
        jm_compose_transpose(&c, f32(&c, R), (int64_t[]){0, 2, 1}),
        lengths ? jm_compose_cast(&c, lengths, JM_I32) : NULL,
        state(&c, &s, INITIAL_H),
        s.cell == JM_CELL_LSTM ? state(&c, &s, INITIAL_C) : NULL,
        s.cell == JM_CELL_LSTM ? f32(&c, PEEPHOLES) : NULL,
        inside,
    };
    jm_named_attr attr[JM_RECURRENCE_ATTRS + 1] = {{"cell", {.count = 1, .i = s.cell}}};
    int attrs = 1;
    for (int i = 0; i < JM_RECURRENCE_ATTRS; i++)
        if (call->attr[i].present) attr[attrs++] = (jm_named_attr){jm_op_attr(call->op, i)->name, call->attr[i]};
    const int outputs = s.cell == JM_CELL_LSTM ? 3 : 2;
    JM_TRY(jm_compose_end(&c));
    JM_TRY(jm_builder_node(builder, "Recurrence", in, JM_COUNT(in), attr, attrs, out, outputs));
    for (int i = 0; i < outputs; i++) result(&c, call, &s, i, out[i]);
    return jm_compose_end(&c);
}

#define SHARED_INPUTS                                                                                                  \
    {"X", JM_PARAM_INPUT, 0, .doc = "[steps, batches, inputs]; with layout 1 batches first"},                          \
        {"W", JM_PARAM_INPUT, 0, .doc = "[directions, gates * hidden, inputs]"},                                       \
        {"R", JM_PARAM_INPUT, 0, .doc = "[directions, gates * hidden, hidden]"},                                       \
        {"B", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[directions, 2 * gates * hidden], for W and for R"},                \
        {"sequence_lens", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "int32, [batches]; absent: all steps"},                  \
    {                                                                                                                  \
        "initial_h", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[directions, batches, hidden]; absent: 0"                    \
    }
#define SHARED_OUTPUTS                                                                                                 \
    {"Y", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "[steps, directions, batches, hidden]"},                                \
    {                                                                                                                  \
        "Y_h", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "[directions, batches, hidden]"                                    \
    }
#define SHARED_ATTRIBUTES                                                                                              \
    JM_RECURRENCE_ATTRIBUTES, {"hidden_size", JM_PARAM_INT, JM_OPTIONAL, .doc = "0: as R says"},                       \
    {                                                                                                                  \
        "layout", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: batches first"                                                 \
    }

static const jm_param lstm_param[] = {
    SHARED_INPUTS,
    {"initial_c", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "like initial_h"},
    {"P", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[directions, 3 * hidden], peepholes of i, o and f"},
    SHARED_OUTPUTS,
    {"Y_c", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "like Y_h, the cell state"},
    SHARED_ATTRIBUTES,
};

const jm_op jm_op_lstm = {
    .name = "LSTM",
    .param = lstm_param,
    .params = JM_COUNT(lstm_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "c = f c + i g(...), h = o h(c), with gates i, o, f, c in this order",
    .source = "ONNX LSTM-22",
    .infer = recurrent_infer,
    .lower = recurrent_lower,
};

static const jm_param gru_param[] = {SHARED_INPUTS, SHARED_OUTPUTS, SHARED_ATTRIBUTES};

const jm_op jm_op_gru = {
    .name = "GRU",
    .param = gru_param,
    .params = JM_COUNT(gru_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "h = (1 - z) g(...) + z h, with gates z, r, h in this order",
    .source = "ONNX GRU-22",
    .infer = recurrent_infer,
    .lower = recurrent_lower,
};

static const jm_param rnn_param[] = {SHARED_INPUTS, SHARED_OUTPUTS, SHARED_ATTRIBUTES};

const jm_op jm_op_rnn = {
    .name = "RNN",
    .param = rnn_param,
    .params = JM_COUNT(rnn_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "h = f(x W^T + h R^T + B)",
    .source = "ONNX RNN-22",
    .infer = recurrent_infer,
    .lower = recurrent_lower,
};
