/* SPDX-License-Identifier: Apache-2.0
 *
 * LinearAttention: attention whose keys and values are kept as one matrix per head, step by step. A composite; each
 * step is a few nodes on all heads and batches at once. Computed in float32.
 */
#include <math.h>
#include <string.h>

#include "ops/compose.h"

enum { QUERY, KEY, VALUE, PAST, DECAY, BETA };              /* inputs */
enum { CHUNK_SIZE, KV_HEADS, Q_HEADS, SCALE, UPDATE_RULE }; /* attributes */
enum { OUTPUT, PRESENT };                                   /* outputs */
#define MOST_STEPS 4096                                     /* each becomes nodes of its own */

typedef struct sizes {
    int64_t batch, steps, q_heads, kv_heads, key, value; /* key, value: elements of a head */
    bool gated, delta;
} sizes;

static bool fits(const jm_tensor *tensor, int64_t a, int64_t b, int64_t c)
{
    const jm_shape *shape = &tensor->shape;
    return shape->rank == 3 && shape->dim[0] == a && shape->dim[1] == b && shape->dim[2] == c;
}

/* What the rule needs is there and the rest is not. */
static jm_status read_rule(const jm_call *call, sizes *s)
{
    const char *rule = call->attr[UPDATE_RULE].s;
    s->gated = strcmp(rule, "gated") == 0 || strcmp(rule, "gated_delta") == 0;
    s->delta = strcmp(rule, "delta") == 0 || strcmp(rule, "gated_delta") == 0;
    if (!s->gated && !s->delta && strcmp(rule, "linear") != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "update_rule '%s' is not linear, gated, delta or gated_delta",
                             rule);
    if (s->gated != (jm_call_in(call, DECAY) != NULL) || s->delta != (jm_call_in(call, BETA) != NULL))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "update_rule '%s' needs %s decay and %s beta", rule,
                             s->gated ? "the input" : "no input", s->delta ? "the input" : "no input");
    return JM_OK;
}

static jm_status find_sizes(const jm_call *call, sizes *s)
{
    const jm_shape *q = &call->in[QUERY].shape, *v = &call->in[VALUE].shape;
    const int64_t q_heads = call->attr[Q_HEADS].i, kv_heads = call->attr[KV_HEADS].i;
    *s = (sizes){.q_heads = q_heads, .kv_heads = kv_heads};
    JM_TRY(read_rule(call, s));
    for (int i = 0; i < call->inputs; i++)
        if (jm_call_in(call, i) && !jm_shape_known(&call->in[i].shape))
            return jm_call_error(call, JM_UNSUPPORTED, "input '%s' has an unknown size",
                                 jm_op_input(call->op, i)->name);
    if (q_heads < 1 || kv_heads < 1 || q_heads % kv_heads != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%lld heads of queries are no multiple of %lld heads of keys",
                             (long long)q_heads, (long long)kv_heads);
    if (q->rank != 3 || v->rank != 3 || q->dim[2] % q_heads != 0 || v->dim[2] % kv_heads != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "query and value must be [batch, steps, heads * head]");
    s->batch = q->dim[0];
    s->steps = q->dim[1];
    s->key = q->dim[2] / q_heads;
    s->value = v->dim[2] / kv_heads;
    if (s->steps > MOST_STEPS)
        return jm_call_error(call, JM_UNSUPPORTED, "it has %lld steps; the limit is %d", (long long)s->steps,
                             MOST_STEPS);
    const jm_tensor *past = jm_call_in(call, PAST), *decay = jm_call_in(call, DECAY), *beta = jm_call_in(call, BETA);
    const jm_shape state = {.rank = 4, .dim = {s->batch, kv_heads, s->key, s->value}};
    if (s->key < 1 || s->value < 1 || !fits(&call->in[KEY], s->batch, s->steps, kv_heads * s->key) ||
        !fits(&call->in[VALUE], s->batch, s->steps, kv_heads * s->value) ||
        (past && !jm_shape_equal(&past->shape, &state)) ||
        (decay && !fits(decay, s->batch, s->steps, kv_heads) && !fits(decay, s->batch, s->steps, kv_heads * s->key)) ||
        (beta && !fits(beta, s->batch, s->steps, kv_heads) && !fits(beta, s->batch, s->steps, 1)))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "shapes of its inputs do not fit each other");
    return JM_OK;
}

static jm_status linear_infer(jm_call *call)
{
    sizes s;
    JM_TRY(find_sizes(call, &s));
    const jm_tensor *past = jm_call_in(call, PAST);
    call->out[OUTPUT].dtype = call->in[QUERY].dtype;
    call->out[OUTPUT].shape = (jm_shape){.rank = 3, .dim = {s.batch, s.steps, s.q_heads * s.value}};
    if (call->outputs > PRESENT) {
        call->out[PRESENT].dtype = past ? past->dtype : call->in[QUERY].dtype;
        call->out[PRESENT].shape = (jm_shape){.rank = 4, .dim = {s.batch, s.kv_heads, s.key, s.value}};
    }
    return JM_OK;
}

/* Step `t` of an input [batch, steps, heads * n] as [batch, heads, rows, columns], where n = rows * columns. */
static jm_operand *step_of(jm_compose *c, const sizes *s, jm_operand *x, int64_t t, int64_t heads, int64_t rows,
                           int64_t columns)
{
    const jm_shape shape = {.rank = 4, .dim = {s->batch, heads, rows, columns}};
    return jm_compose_reshape(c, jm_compose_slice(c, x, 1, t, t + 1, 1), &shape);
}

static jm_operand *f32(jm_compose *c, int i)
{
    jm_operand *x = jm_compose_input(c, i);
    return x ? jm_compose_cast(c, x, JM_F32) : NULL;
}

/* The state after step `t`. */
static jm_operand *update(jm_compose *c, const sizes *s, jm_operand *const in[], jm_operand *state, int64_t t)
{
    jm_operand *key = step_of(c, s, in[KEY], t, s->kv_heads, s->key, 1);
    jm_operand *value = step_of(c, s, in[VALUE], t, s->kv_heads, 1, s->value);
    if (s->gated) {
        const bool each = jm_compose_shape(c, in[DECAY])->dim[2] != s->kv_heads;
        jm_operand *decay = step_of(c, s, in[DECAY], t, s->kv_heads, each ? s->key : 1, 1);
        state = jm_compose_2(c, "Mul", state, jm_compose_1(c, "Exp", decay));
    }
    if (s->delta) {
        const int64_t heads = jm_compose_shape(c, in[BETA])->dim[2];
        jm_operand *row = step_of(c, s, in[KEY], t, s->kv_heads, 1, s->key);
        jm_operand *error = jm_compose_2(c, "Sub", value, jm_compose_2(c, "MatMul", row, state));
        value = jm_compose_2(c, "Mul", step_of(c, s, in[BETA], t, heads, 1, 1), error);
    }
    return jm_compose_2(c, "Add", state, jm_compose_2(c, "Mul", key, value));
}

/* What the queries of step `t` read: [batch, 1, q_heads * value]. Heads of queries that share a state are its rows. */
static jm_operand *read_state(jm_compose *c, const sizes *s, jm_operand *query, jm_operand *state, int64_t t)
{
    const jm_shape shape = {.rank = 3, .dim = {s->batch, 1, s->q_heads * s->value}};
    jm_operand *rows = step_of(c, s, query, t, s->kv_heads, s->q_heads / s->kv_heads, s->key);
    return jm_compose_reshape(c, jm_compose_2(c, "MatMul", rows, state), &shape);
}

/* Adds a piece to a pile, which is joined when it is full. */
static void pile_up(jm_compose *c, jm_operand **pile, int *count, jm_operand *piece)
{
    if (*count == JM_MAX_ARGUMENTS) {
        pile[0] = jm_compose_concat(c, pile, *count, 1);
        *count = 1;
    }
    pile[(*count)++] = piece;
}

static jm_status linear_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    sizes s;
    jm_operand *in[BETA + 1], *pile[JM_MAX_ARGUMENTS];
    int count = 0;
    JM_TRY(find_sizes(call, &s));
    for (int i = 0; i <= BETA; i++) in[i] = f32(&c, i);
    const double scale = call->attr[SCALE].f != 0 ? call->attr[SCALE].f : 1 / sqrt((double)s.key);
    const jm_shape shape = {.rank = 4, .dim = {s.batch, s.kv_heads, s.key, s.value}};
    jm_operand *state = in[PAST], *query = jm_compose_2(&c, "Mul", in[QUERY], jm_compose_scalar(&c, JM_F32, scale));
    if (!state) state = jm_compose_expand(&c, jm_compose_scalar(&c, JM_F32, 0), &shape);
    for (int64_t t = 0; t < s.steps && c.status == JM_OK; t++) {
        state = update(&c, &s, in, state, t);
        pile_up(&c, pile, &count, read_state(&c, &s, query, state, t));
    }
    if (count == 0) pile[count++] = jm_compose_expand(&c, jm_compose_scalar(&c, JM_F32, 0), &call->out[OUTPUT].shape);
    const jm_dtype kept = call->outputs > PRESENT ? call->out[PRESENT].dtype : JM_F32;
    jm_compose_result(&c, OUTPUT, jm_compose_cast(&c, jm_compose_concat(&c, pile, count, 1), call->out[OUTPUT].dtype));
    jm_compose_result(&c, PRESENT, jm_compose_cast(&c, state, kept == JM_DTYPE_NONE ? JM_F32 : kept));
    return jm_compose_end(&c);
}

static const jm_param param[] = {
    {"query", JM_PARAM_INPUT, 0, .doc = "[batch, steps, q heads * key]"},
    {"key", JM_PARAM_INPUT, 0, .doc = "[batch, steps, kv heads * key]"},
    {"value", JM_PARAM_INPUT, 0, .doc = "[batch, steps, kv heads * value]"},
    {"past_state", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[batch, kv heads, key, value]; absent: 0"},
    {"decay", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "logarithm of what stays, for each head or element of its keys"},
    {"beta", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "share of an error that is corrected, for each head or for all"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "[batch, steps, q heads * value]"},
    {"present_state", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "the state behind the last step"},
    {"chunk_size", JM_PARAM_INT, JM_OPTIONAL, .i = 64, .doc = "a hint without meaning here"},
    {"kv_num_heads", JM_PARAM_INT, 0, .doc = "heads of keys and values"},
    {"q_num_heads", JM_PARAM_INT, 0, .doc = "heads of queries, a multiple of kv_num_heads"},
    {"scale", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "of the output; 0: 1 / sqrt(key)"},
    {"update_rule", JM_PARAM_STRING, JM_OPTIONAL, .s = "gated_delta", .doc = "linear, gated, delta or gated_delta"},
};

const jm_op jm_op_linear_attention = {
    .name = "LinearAttention",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = JM_DTYPES_F32,
    .formula = "S = exp(decay) S + k (beta (v - k^T S))^T, output = scale q^T S, without what the rule leaves out",
    .source = "ONNX LinearAttention-27",
    .infer = linear_infer,
    .lower = linear_lower,
};
