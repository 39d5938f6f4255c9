/* SPDX-License-Identifier: Apache-2.0
 *
 * Attention and RotaryEmbedding, composites of matrix products, softmax and movement. Computed in float32.
 */
#include "ops/compose.h"

#include <math.h>

enum { QUERY, KEY, VALUE, MASK, PAST_KEY, PAST_VALUE, LENGTHS };                         /* inputs of Attention */
enum { Y, PRESENT_KEY, PRESENT_VALUE, SCORES };                                          /* outputs */
enum { CAUSAL, KV_HEADS, LEFT, Q_HEADS, SCORES_MODE, RIGHT, SCALE, PRECISION, SOFTCAP }; /* attributes */

/* Stages of the output qk_matmul_output. */
enum { RAW_SCORES, CAPPED_SCORES, BIASED_SCORES, PROBABILITIES };

typedef struct sizes {
    int64_t batch, q_heads, kv_heads, queries, keys, past, head, value_head; /* keys: those of the past included */
} sizes;

/* Heads of an input of rank 3 come from attributes; of rank 4 from its shape. */
static jm_status heads_of(const jm_call *call, int input, int64_t heads, int64_t shape[4])
{
    const jm_shape *own = &call->in[input].shape;
    if (own->rank == 4) {
        for (int k = 0; k < 4; k++) shape[k] = own->dim[k];
        return JM_OK;
    }
    if (own->rank != 3 || heads < 1 || own->dim[2] % heads != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "input '%s' must have 4 dimensions, or 3 of which the number of heads divides the last",
                             jm_op_input(call->op, input)->name);
    shape[0] = own->dim[0];
    shape[1] = heads;
    shape[2] = own->dim[1];
    shape[3] = own->dim[2] / heads;
    return JM_OK;
}

static jm_status attention_sizes(const jm_call *call, sizes *s)
{
    int64_t q[4], k[4], v[4];
    for (int i = 0; i < call->inputs; i++)
        if (jm_call_in(call, i) && !jm_shape_known(&call->in[i].shape))
            return jm_call_error(call, JM_UNSUPPORTED, "input '%s' has an unknown size",
                                 jm_op_input(call->op, i)->name);
    JM_TRY(heads_of(call, QUERY, call->attr[Q_HEADS].i, q));
    JM_TRY(heads_of(call, KEY, call->attr[KV_HEADS].i, k));
    JM_TRY(heads_of(call, VALUE, call->attr[KV_HEADS].i, v));
    const jm_tensor *past_key = jm_call_in(call, PAST_KEY), *past_value = jm_call_in(call, PAST_VALUE);
    if ((past_key == NULL) != (past_value == NULL))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "past_key and past_value go together");
    *s = (sizes){q[0], q[1], k[1], q[2], k[2], 0, q[3], v[3]};
    const bool fits = q[0] == k[0] && k[0] == v[0] && q[3] == k[3] && k[1] == v[1] && k[2] == v[2];
    if (!fits || k[1] < 1 || q[1] % k[1] != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "shapes of Q, K and V do not fit each other");
    if (!past_key) return JM_OK;
    const int64_t past = past_key->shape.rank == 4 ? past_key->shape.dim[2] : 0;
    const jm_shape want_key = {.rank = 4, .dim = {k[0], k[1], past, k[3]}};
    const jm_shape want_value = {.rank = 4, .dim = {v[0], v[1], past, v[3]}};
    if (!jm_shape_equal(&past_key->shape, &want_key) || !jm_shape_equal(&past_value->shape, &want_value))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "past_key or past_value does not fit K and V");
    s->past = past;
    s->keys += past;
    return JM_OK;
}

static jm_status attention_infer(jm_call *call)
{
    sizes s;
    JM_TRY(attention_sizes(call, &s));
    for (int i = 0; i < call->outputs; i++) call->out[i].dtype = call->in[i == PRESENT_VALUE ? VALUE : QUERY].dtype;
    call->out[Y].shape = (jm_shape){.rank = 4, .dim = {s.batch, s.q_heads, s.queries, s.value_head}};
    if (call->in[QUERY].shape.rank == 3)
        call->out[Y].shape = (jm_shape){.rank = 3, .dim = {s.batch, s.queries, s.q_heads * s.value_head}};
    if (call->outputs > PRESENT_KEY)
        call->out[PRESENT_KEY].shape = (jm_shape){.rank = 4, .dim = {s.batch, s.kv_heads, s.keys, s.head}};
    if (call->outputs > PRESENT_VALUE)
        call->out[PRESENT_VALUE].shape = (jm_shape){.rank = 4, .dim = {s.batch, s.kv_heads, s.keys, s.value_head}};
    if (call->outputs > SCORES)
        call->out[SCORES].shape = (jm_shape){.rank = 4, .dim = {s.batch, s.q_heads, s.queries, s.keys}};
    return JM_OK;
}

/* Input of rank 3 or 4 as float32 [batch, heads, length, head]. */
static jm_operand *split_heads(jm_compose *c, int input, int64_t heads)
{
    jm_operand *x = jm_compose_cast(c, jm_compose_input(c, input), JM_F32);
    const jm_shape *shape = jm_compose_shape(c, x);
    if (shape->rank != 3) return x;
    const jm_shape split = {.rank = 4, .dim = {shape->dim[0], shape->dim[1], heads, shape->dim[2] / heads}};
    return jm_compose_transpose(c, jm_compose_reshape(c, x, &split), (int64_t[]){0, 2, 1, 3});
}

/* Keys or values of past and present. */
static jm_operand *with_past(jm_compose *c, jm_operand *x, int past)
{
    jm_operand *before = jm_compose_input(c, past);
    if (!before) return x;
    return jm_compose_concat(c, (jm_operand *[]){jm_compose_cast(c, before, JM_F32), x}, 2, 2);
}

/* Each head of keys or values serves q_heads / kv_heads heads of queries. */
static jm_operand *repeat_heads(jm_compose *c, jm_operand *x, const sizes *s)
{
    const jm_shape *shape = jm_compose_shape(c, x);
    if (s->q_heads == s->kv_heads) return x;
    const int64_t length = shape->dim[2], head = shape->dim[3];
    const jm_shape one = {.rank = 5, .dim = {s->batch, s->kv_heads, 1, length, head}};
    const jm_shape many = {.rank = 5, .dim = {s->batch, s->kv_heads, s->q_heads / s->kv_heads, length, head}};
    const jm_shape joined = {.rank = 4, .dim = {s->batch, s->q_heads, length, head}};
    return jm_compose_reshape(c, jm_compose_expand(c, jm_compose_reshape(c, x, &one), &many), &joined);
}

/* ---- What each query may see: 0 or -inf, added to the scores ---- */

static jm_operand *hide_unless(jm_compose *c, jm_operand *allowed)
{
    return jm_compose_3(c, "Where", allowed, jm_compose_scalar(c, JM_F32, 0), jm_compose_scalar(c, JM_F32, -INFINITY));
}

static jm_operand *both(jm_compose *c, const char *op, jm_operand *a, jm_operand *b)
{
    return a && b ? jm_compose_2(c, op, a, b) : a ? a : b;
}

/* first, first + 1, ... of `count` numbers as a tensor of that shape. */
static jm_operand *count_up(jm_compose *c, int64_t count, const jm_shape *shape)
{
    jm_operand *in[] = {jm_compose_scalar(c, JM_I64, 0), jm_compose_scalar(c, JM_I64, (double)count),
                        jm_compose_scalar(c, JM_I64, 1)};
    return jm_compose_reshape(c, jm_compose_node(c, "Range", in, 3, NULL, 0), shape);
}

/* Causal and sliding windows: key j of query i is allowed when j - i lies between offset - left and offset + right,
 * where offset is the number of keys before the queries. */
static jm_operand *window(jm_compose *c, const jm_call *call, const sizes *s)
{
    const int64_t left = call->attr[LEFT].i;
    const int64_t right = call->attr[CAUSAL].i ? 0 : call->attr[RIGHT].i;
    if (left < 0 && right < 0) return NULL;
    const jm_shape rows = {.rank = 2, .dim = {s->queries, 1}}, columns = {.rank = 2, .dim = {1, s->keys}};
    jm_operand *distance = jm_compose_2(c, "Sub", count_up(c, s->keys, &columns), count_up(c, s->queries, &rows));
    jm_operand *offset = jm_compose_scalar(c, JM_I64, (double)s->past), *low = NULL, *high = NULL;
    if (jm_compose_input(c, LENGTHS)) {
        const jm_shape each = {.rank = 4, .dim = {s->batch, 1, 1, 1}};
        jm_operand *lengths = jm_compose_cast(c, jm_compose_input(c, LENGTHS), JM_I64);
        offset = jm_compose_2(c, "Sub", jm_compose_reshape(c, lengths, &each),
                              jm_compose_scalar(c, JM_I64, (double)s->queries));
    }
    if (left >= 0) {
        low = jm_compose_2(c, "Sub", offset, jm_compose_scalar(c, JM_I64, (double)left));
        low = jm_compose_2(c, "GreaterOrEqual", distance, low);
    }
    if (right >= 0) {
        high = jm_compose_2(c, "Add", offset, jm_compose_scalar(c, JM_I64, (double)right));
        high = jm_compose_2(c, "LessOrEqual", distance, high);
    }
    return hide_unless(c, both(c, "And", low, high));
}

static jm_operand *mask(jm_compose *c, const sizes *s)
{
    jm_operand *x = jm_compose_input(c, MASK);
    if (!x) return NULL;
    x = jm_compose_tensor(c, x)->dtype == JM_BOOL ? hide_unless(c, x) : jm_compose_cast(c, x, JM_F32);
    const jm_shape *shape = jm_compose_shape(c, x);
    const int64_t missing = shape->rank ? s->keys - shape->dim[shape->rank - 1] : 0;
    if (missing <= 0) return x;
    int64_t pads[2 * JM_MAX_RANK] = {0};
    pads[2 * shape->rank - 1] = missing;
    return jm_compose_3(c, "Pad", x, jm_compose_ints(c, pads, 2 * shape->rank),
                        jm_compose_scalar(c, JM_F32, -INFINITY));
}

/* Keys behind the given lengths are padding. */
static jm_operand *padding(jm_compose *c, const sizes *s)
{
    jm_operand *lengths = jm_compose_input(c, LENGTHS);
    if (!lengths) return NULL;
    const jm_shape each = {.rank = 4, .dim = {s->batch, 1, 1, 1}}, keys = {.rank = 4, .dim = {1, 1, 1, s->keys}};
    lengths = jm_compose_reshape(c, jm_compose_cast(c, lengths, JM_I64), &each);
    return hide_unless(c, jm_compose_2(c, "Less", count_up(c, s->keys, &keys), lengths));
}

/* Rows in which every key is hidden are 0, not the NaN that softmax makes of them. */
static jm_operand *zero_hidden_rows(jm_compose *c, jm_operand *probability, jm_operand *bias)
{
    const int64_t last = jm_compose_shape(c, bias)->rank - 1;
    jm_operand *best = jm_compose_reduce(c, "ReduceMax", bias, &last, 1, true);
    jm_operand *hidden = jm_compose_2(c, "Equal", best, jm_compose_scalar(c, JM_F32, -INFINITY));
    return jm_compose_3(c, "Where", hidden, jm_compose_scalar(c, JM_F32, 0), probability);
}

/* ---- Attention ---- */

static jm_status attention_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_dtype dtype = call->in[QUERY].dtype;
    const double cap = call->attr[SOFTCAP].f;
    sizes s;
    JM_TRY(attention_sizes(call, &s));
    jm_operand *q = split_heads(&c, QUERY, s.q_heads);
    jm_operand *k = with_past(&c, split_heads(&c, KEY, s.kv_heads), PAST_KEY);
    jm_operand *v = with_past(&c, split_heads(&c, VALUE, s.kv_heads), PAST_VALUE);
    jm_compose_result(&c, PRESENT_KEY, jm_compose_cast(&c, k, dtype));
    jm_compose_result(&c, PRESENT_VALUE, jm_compose_cast(&c, v, call->in[VALUE].dtype));

    /* Both factors are scaled by the root, so that neither overflows. */
    const double scale = call->attr[SCALE].f != 0 ? call->attr[SCALE].f : 1 / sqrt((double)JM_MAX(s.head, 1));
    jm_operand *root = jm_compose_scalar(&c, JM_F32, sqrt(scale));
    jm_operand *columns = jm_compose_transpose(&c, repeat_heads(&c, k, &s), (int64_t[]){0, 1, 3, 2});
    jm_operand *stage[4];
    stage[RAW_SCORES] =
        jm_compose_2(&c, "MatMul", jm_compose_2(&c, "Mul", q, root), jm_compose_2(&c, "Mul", columns, root));
    stage[CAPPED_SCORES] = stage[RAW_SCORES];
    if (cap > 0) {
        jm_operand *limit = jm_compose_scalar(&c, JM_F32, cap);
        jm_operand *share = jm_compose_1(&c, "Tanh", jm_compose_2(&c, "Div", stage[RAW_SCORES], limit));
        stage[CAPPED_SCORES] = jm_compose_2(&c, "Mul", share, limit);
    }
    jm_operand *bias = both(&c, "Add", both(&c, "Add", mask(&c, &s), window(&c, call, &s)), padding(&c, &s));
    stage[BIASED_SCORES] = both(&c, "Add", stage[CAPPED_SCORES], bias);
    stage[PROBABILITIES] = jm_compose_1(&c, "Softmax", stage[BIASED_SCORES]);
    if (bias) stage[PROBABILITIES] = zero_hidden_rows(&c, stage[PROBABILITIES], bias);
    jm_compose_result(&c, SCORES, jm_compose_cast(&c, stage[call->attr[SCORES_MODE].i], dtype));

    jm_operand *y = jm_compose_2(&c, "MatMul", stage[PROBABILITIES], repeat_heads(&c, v, &s));
    if (call->in[QUERY].shape.rank == 3) {
        y = jm_compose_transpose(&c, y, (int64_t[]){0, 2, 1, 3});
        y = jm_compose_reshape(&c, y, &call->out[Y].shape);
    }
    jm_compose_result(&c, Y, jm_compose_cast(&c, y, dtype));
    return jm_compose_end(&c);
}

static jm_status check_attention(const jm_call *call)
{
    const jm_tensor *mask_input = jm_call_in(call, MASK), *lengths = jm_call_in(call, LENGTHS);
    if (call->attr[SCORES_MODE].i < 0 || call->attr[SCORES_MODE].i > PROBABILITIES)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "qk_matmul_output_mode %lld is not one of 0 to 3",
                             (long long)call->attr[SCORES_MODE].i);
    if (!(call->attr[SCALE].f >= 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "scale is %g and must be positive", call->attr[SCALE].f);
    if (mask_input && mask_input->dtype != JM_BOOL && !(JM_DTYPES_FLOAT >> mask_input->dtype & 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "attn_mask is %s and must be bool or floating-point",
                             jm_dtype_text(mask_input->dtype));
    if (lengths && (lengths->dtype != JM_I64 || lengths->shape.rank != 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "nonpad_kv_seqlen must be a list of int64");
    return JM_OK;
}

static const jm_param attention_param[] = {
    {"Q", JM_PARAM_INPUT, 0, .doc = "[batch, heads, queries, head], or [batch, queries, heads * head]"},
    {"K", JM_PARAM_INPUT, 0, .doc = "[batch, kv heads, keys, head], or with heads last"},
    {"V", JM_PARAM_INPUT, 0, .doc = "[batch, kv heads, keys, value head], or with heads last"},
    {"attn_mask", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "bool: may be seen; else added to the scores; broadcasts"},
    {"past_key", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "keys before K, [batch, kv heads, past, head]"},
    {"past_value", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "values before V"},
    {"nonpad_kv_seqlen", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "keys of each batch that are not padding"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "like Q with value heads"},
    {"present_key", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "past_key and K"},
    {"present_value", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "past_value and V"},
    {"qk_matmul_output", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "scores at the stage of the mode"},
    {"is_causal", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: a query sees no later keys"},
    {"kv_num_heads", JM_PARAM_INT, JM_OPTIONAL, .doc = "of K and V of rank 3"},
    {"left_window_size", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "how far back a query sees; -1: all"},
    {"q_num_heads", JM_PARAM_INT, JM_OPTIONAL, .doc = "of Q of rank 3"},
    {"qk_matmul_output_mode", JM_PARAM_INT, JM_OPTIONAL, .doc = "0 products, 1 capped, 2 with mask, 3 after softmax"},
    {"right_window_size", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "how far ahead a query sees; -1: all"},
    {"scale", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "of the products; 0: 1 / sqrt(head)"},
    {"softmax_precision", JM_PARAM_DTYPE, JM_OPTIONAL, .i = -1, .doc = "float32 whatever it says"},
    {"softcap", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "scores become softcap tanh(scores / softcap); 0: as they are"},
};

const jm_op jm_op_attention = {
    .name = "Attention",
    .param = attention_param,
    .params = JM_COUNT(attention_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "softmax(scale Q K^T + mask) V for each head",
    .source = "ONNX Attention-25",
    .check = check_attention,
    .infer = attention_infer,
    .lower = attention_lower,
};

/* ---- RotaryEmbedding ---- */

enum { INPUT, COS, SIN, POSITIONS };         /* inputs */
enum { INTERLEAVED, NUM_HEADS, ROTARY_DIM }; /* attributes */

/* [batch, length, heads, head] of the input, and how many elements of a head are rotated. */
static jm_status rotary_sizes(const jm_call *call, int64_t shape[4], int64_t *rotated)
{
    const jm_shape *own = &call->in[INPUT].shape;
    const int64_t heads = call->attr[NUM_HEADS].i;
    if (!jm_shape_known(own)) return jm_call_error(call, JM_UNSUPPORTED, "the input has an unknown size");
    if (own->rank == 4) {
        const int64_t seen[] = {own->dim[0], own->dim[2], own->dim[1], own->dim[3]};
        for (int k = 0; k < 4; k++) shape[k] = seen[k];
    } else if (own->rank == 3 && heads > 0 && own->dim[2] % heads == 0) {
        const int64_t seen[] = {own->dim[0], own->dim[1], heads, own->dim[2] / heads};
        for (int k = 0; k < 4; k++) shape[k] = seen[k];
    } else {
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "the input must have 4 dimensions, or 3 of which num_heads divides the last");
    }
    *rotated = call->attr[ROTARY_DIM].i ? call->attr[ROTARY_DIM].i : shape[3];
    if (*rotated < 2 || *rotated > shape[3] || *rotated % 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%lld of %lld elements of a head cannot be rotated",
                             (long long)*rotated, (long long)shape[3]);
    for (int i = COS; i <= SIN; i++) {
        const jm_shape *cache = &call->in[i].shape;
        if (cache->rank != (jm_call_in(call, POSITIONS) ? 2 : 3) || cache->dim[cache->rank - 1] != *rotated / 2)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' must hold %lld values for each position",
                                 jm_op_input(call->op, i)->name, (long long)*rotated / 2);
    }
    return JM_OK;
}

static jm_status rotary_infer(jm_call *call)
{
    int64_t shape[4], rotated = 0;
    JM_TRY(rotary_sizes(call, shape, &rotated));
    return jm_infer_same(call);
}

/* Sines or cosines as [batch, length, 1, half]. */
static jm_operand *angles(jm_compose *c, const jm_call *call, int input)
{
    jm_operand *x = jm_compose_input(c, input);
    if (jm_call_in(call, POSITIONS)) x = jm_compose_2(c, "Gather", x, jm_compose_input(c, POSITIONS));
    const jm_shape *own = jm_compose_shape(c, x);
    const jm_shape shape = {.rank = 4, .dim = {own->dim[0], own->dim[1], 1, own->dim[2]}};
    return jm_compose_reshape(c, jm_compose_cast(c, x, JM_F32), &shape);
}

static jm_status rotary_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    int64_t dims[4], rotated = 0;
    JM_TRY(rotary_sizes(call, dims, &rotated));
    const int64_t swap[] = {0, 2, 1, 3}, half = rotated / 2;
    const jm_shape shape = {.rank = 4, .dim = {dims[0], dims[1], dims[2], dims[3]}};
    jm_operand *x = jm_compose_cast(&c, jm_compose_input(&c, INPUT), JM_F32);
    x = call->in[INPUT].shape.rank == 4 ? jm_compose_transpose(&c, x, swap) : jm_compose_reshape(&c, x, &shape);
    jm_operand *cosine = angles(&c, call, COS), *sine = angles(&c, call, SIN);
    const bool pairs = call->attr[INTERLEAVED].i != 0;
    jm_operand *a = jm_compose_slice(&c, x, 3, 0, pairs ? rotated : half, pairs ? 2 : 1);
    jm_operand *b = jm_compose_slice(&c, x, 3, pairs ? 1 : half, rotated, pairs ? 2 : 1);
    jm_operand *part[3] = {
        jm_compose_2(&c, "Sub", jm_compose_2(&c, "Mul", cosine, a), jm_compose_2(&c, "Mul", sine, b)),
        jm_compose_2(&c, "Add", jm_compose_2(&c, "Mul", sine, a), jm_compose_2(&c, "Mul", cosine, b)),
    };
    if (pairs) {
        const jm_shape single = {.rank = 5, .dim = {dims[0], dims[1], dims[2], half, 1}};
        const jm_shape joined = {.rank = 4, .dim = {dims[0], dims[1], dims[2], rotated}};
        for (int i = 0; i < 2; i++) part[i] = jm_compose_reshape(&c, part[i], &single);
        part[0] = jm_compose_reshape(&c, jm_compose_concat(&c, part, 2, 4), &joined);
    } else {
        part[0] = jm_compose_concat(&c, part, 2, 3);
    }
    if (rotated < dims[3]) {
        part[1] = jm_compose_slice(&c, x, 3, rotated, dims[3], 1);
        part[0] = jm_compose_concat(&c, part, 2, 3);
    }
    jm_operand *y = part[0];
    y = call->in[INPUT].shape.rank == 4 ? jm_compose_transpose(&c, y, swap)
                                        : jm_compose_reshape(&c, y, &call->in[INPUT].shape);
    jm_compose_result(&c, 0, jm_compose_cast(&c, y, call->in[INPUT].dtype));
    return jm_compose_end(&c);
}

static const jm_param rotary_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[batch, heads, length, head], or [batch, length, heads * head]"},
    {"cos_cache", JM_PARAM_INPUT, 0, .doc = "[positions, rotated / 2], or for each batch and place"},
    {"sin_cache", JM_PARAM_INPUT, 0, .doc = "like cos_cache"},
    {"position_ids", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[batch, length], rows of the caches"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "shape of X"},
    {"interleaved", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: pairs are neighbours; 0: halves"},
    {"num_heads", JM_PARAM_INT, JM_OPTIONAL, .doc = "of X of rank 3"},
    {"rotary_embedding_dim", JM_PARAM_INT, JM_OPTIONAL, .doc = "elements of a head that are rotated; 0: all"},
};

const jm_op jm_op_rotary_embedding = {
    .name = "RotaryEmbedding",
    .param = rotary_param,
    .params = JM_COUNT(rotary_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "pairs (a, b) of a head become (a cos - b sin, a sin + b cos)",
    .source = "ONNX RotaryEmbedding-23",
    .infer = rotary_infer,
    .lower = rotary_lower,
};
