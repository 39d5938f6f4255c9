/* SPDX-License-Identifier: Apache-2.0
 *
 * DequantRopeQuantKvcache: what lies between the projection of a decoder layer and its attention, in one pass over
 * memory. A row of x holds the q, k and v heads of a token; x of int32 is dequantised, q and k are rotated by the
 * token's position, k and v are quantised into their caches. The arithmetic, rounding by rounding, is in
 * kernels/kvcache.h.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/indexing.h"
#include "ops/strided.h"

enum {
    X,
    COS,
    SIN,
    K_CACHE,
    V_CACHE,
    INDICES,
    SCALE_K,
    SCALE_V,
    OFFSET_K,
    OFFSET_V,
    WEIGHT_SCALE,
    ACTIVATION_SCALE,
    BIAS,
    INPUTS
};
enum { Q_OUT, K_OUT, V_OUT, K_CACHE_OUT, V_CACHE_OUT, OUTPUTS };
enum { SIZE_SPLITS, QUANT_MODE, LAYOUT, KV_OUTPUT, CACHE_MODE };

#define MOST_CHANNELS ((int64_t)1 << 40)

/* ---- Element types ---- */

static const char *name_of(const jm_call *call, int input)
{
    return jm_op_input(call->op, input)->name;
}

/* `types` is a set of bits 1 << dtype. An absent input is right. */
static jm_status check_type(const jm_call *call, int input, uint32_t types)
{
    const jm_tensor *tensor = jm_call_in(call, input);
    if (!tensor || types >> tensor->dtype & 1) return JM_OK;
    char text[128];
    size_t length = 0;
    for (int dtype = 0; dtype < 32; dtype++)
        if (types >> dtype & 1)
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", length ? " or " : "",
                                       jm_dtype_text((jm_dtype)dtype));
    return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is %s and must be %s", name_of(call, input),
                         jm_dtype_text(tensor->dtype), text);
}

static jm_status check_types(const jm_call *call)
{
    const uint32_t halves = 1u << JM_F16 | 1u << JM_BF16, f32 = 1u << JM_F32;
    JM_TRY(check_type(call, COS, halves));
    const uint32_t like_cos = 1u << call->in[COS].dtype;
    JM_TRY(check_type(call, SIN, like_cos));
    JM_TRY(check_type(call, X, like_cos | 1u << JM_I32));
    JM_TRY(check_type(call, K_CACHE, 1u << JM_I8));
    JM_TRY(check_type(call, V_CACHE, 1u << JM_I8));
    JM_TRY(check_type(call, INDICES, 1u << JM_I32));
    for (int i = SCALE_K; i <= ACTIVATION_SCALE; i++) JM_TRY(check_type(call, i, f32));
    JM_TRY(check_type(call, BIAS, halves | f32 | 1u << JM_I32));
    if (call->in[X].dtype == JM_I32 && !jm_call_in(call, WEIGHT_SCALE))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "x is int32, so weight_scale must be given");
    return JM_OK;
}

/* ---- Shapes ---- */

/* -1 where not known yet. */
typedef struct sizes {
    int64_t batch, positions; /* tokens; one position for x of rank 2 */
    int64_t q, kv;            /* channels of the q row, of the k row and of the v row */
    int64_t width;            /* channels of a head */
    int64_t blocks, block;    /* of a cache: dimensions 0 and 1 */
    bool paged;
} sizes;

static bool differ(int64_t a, int64_t b)
{
    return a >= 0 && b >= 0 && a != b;
}

static int64_t product(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? -1 : a * b;
}

static jm_status check_shape(const jm_call *call, int input, const jm_shape *want)
{
    const jm_shape *have = &call->in[input].shape;
    bool good = have->rank == want->rank;
    for (int k = 0; good && k < want->rank; k++) good = !differ(have->dim[k], want->dim[k]);
    if (good) return JM_OK;
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is %s and must be %s", name_of(call, input),
                         jm_shape_text(have, a), jm_shape_text(want, b));
}

/* Any shape of so many elements; an absent input is right. */
static jm_status check_count(const jm_call *call, int input, int64_t want, const char *one_for_each)
{
    const jm_tensor *tensor = jm_call_in(call, input);
    if (!tensor || !jm_shape_known(&tensor->shape) || !differ(jm_tensor_elements(tensor), want)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "%s has %lld elements and must have %lld, one for each %s",
                         name_of(call, input), (long long)jm_tensor_elements(tensor), (long long)want, one_for_each);
}

static jm_status split_row(const jm_call *call, sizes *s)
{
    const jm_attr *splits = &call->attr[SIZE_SPLITS];
    if (splits->count != 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "size_splits has %d numbers and must have 3: the channels of q, k and v",
                             (int)splits->count);
    for (int i = 0; i < 3; i++)
        if (splits->ints[i] < 0 || splits->ints[i] > MOST_CHANNELS)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "size_splits[%d] is %lld and must be in [0, 2^40]", i,
                                 (long long)splits->ints[i]);
    s->q = splits->ints[0];
    s->kv = splits->ints[1];
    if (splits->ints[2] != s->kv)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "size_splits[2] is %lld and must be %lld like size_splits[1]",
                             (long long)splits->ints[2], (long long)s->kv);
    const jm_shape *x = &call->in[X].shape;
    if (!differ(x->dim[x->rank - 1], s->q + 2 * s->kv)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT,
                         "the last dimension of x is %lld and must be %lld, the sum of "
                         "size_splits",
                         (long long)x->dim[x->rank - 1], (long long)(s->q + 2 * s->kv));
}

static jm_status check_heads(const jm_call *call, const sizes *s, int64_t kv_heads)
{
    if (s->width >= 0 && (s->width == 0 || s->width % 16 != 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "dimension 3 of k_cache, a head, is %lld and must be a multiple of 16, and not 0",
                             (long long)s->width);
    if (differ(product(kv_heads, s->width), s->kv))
        return jm_call_error(
            call, JM_INVALID_ARGUMENT, "size_splits[1] is %lld and must be %lld: the %lld heads of %lld in k_cache",
            (long long)s->kv, (long long)(kv_heads * s->width), (long long)kv_heads, (long long)s->width);
    if (s->width > 0 && s->q % s->width != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "size_splits[0] is %lld and must be a multiple of %lld, a head of k_cache",
                             (long long)s->q, (long long)s->width);
    return JM_OK;
}

static jm_status check_cache(const jm_call *call, sizes *s)
{
    const jm_shape *k = &call->in[K_CACHE].shape;
    if (k->rank != 4)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "k_cache has rank %d and must have rank 4", k->rank);
    JM_TRY(check_shape(call, V_CACHE, k));
    s->blocks = k->dim[0];
    s->block = k->dim[1];
    s->width = k->dim[3];
    JM_TRY(check_heads(call, s, k->dim[2]));
    if (s->paged || s->blocks < 0 || s->block < 0 || s->batch < 0 || s->positions < 0) return JM_OK;
    if (s->blocks < s->batch)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "dimension 0 of k_cache is %lld and must be at least %lld, the batch of x, unless "
                             "cache_mode is \"page\"",
                             (long long)s->blocks, (long long)s->batch);
    if (s->block < s->positions)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "dimension 1 of k_cache is %lld and must be at least %lld, the positions of x, unless "
                             "cache_mode is \"page\"",
                             (long long)s->block, (long long)s->positions);
    return JM_OK;
}

static jm_status check_sizes(const jm_call *call, sizes *s)
{
    const jm_shape *x = &call->in[X].shape;
    if (x->rank != 2 && x->rank != 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "x has rank %d and must have rank 2 or 3", x->rank);
    s->batch = x->dim[0];
    s->positions = x->rank == 3 ? x->dim[1] : 1;
    JM_TRY(split_row(call, s));
    JM_TRY(check_cache(call, s));
    const jm_shape angles =
        x->rank == 3 ? (jm_shape){4, {s->batch, s->positions, 1, s->width}} : (jm_shape){2, {s->batch, s->width}};
    JM_TRY(check_shape(call, COS, &angles));
    JM_TRY(check_shape(call, SIN, &angles));
    const int64_t tokens = product(s->batch, s->positions);
    JM_TRY(check_shape(call, INDICES, &(jm_shape){1, {s->paged ? tokens : s->batch}}));
    JM_TRY(check_count(call, SCALE_K, s->kv, "channel of a row of k"));
    JM_TRY(check_count(call, SCALE_V, s->kv, "channel of a row of v"));
    if (jm_call_in(call, OFFSET_K) && jm_call_in(call, OFFSET_V)) {
        JM_TRY(check_count(call, OFFSET_K, s->kv, "channel of a row of k"));
        JM_TRY(check_count(call, OFFSET_V, s->kv, "channel of a row of v"));
    }
    if (call->in[X].dtype != JM_I32) return JM_OK;
    JM_TRY(check_count(call, WEIGHT_SCALE, s->q + 2 * s->kv, "channel of x"));
    JM_TRY(check_count(call, ACTIVATION_SCALE, tokens, "token"));
    return check_count(call, BIAS, s->q + 2 * s->kv, "channel of x");
}

/* ---- Attributes ---- */

static bool is_page(const char *text)
{
    const char *page = "page";
    while (*page && tolower((unsigned char)*text) == *page) text++, page++;
    return !*page && !*text;
}

/* The empty string is the default. */
static jm_status check_word(const jm_call *call, int attr, const char *word)
{
    const char *text = call->attr[attr].s;
    if (!*text || strcmp(text, word) == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is \"%s\" and must be \"%s\"", jm_op_attr(call->op, attr)->name,
                         text, word);
}

static jm_status sizes_of(const jm_call *call, sizes *s)
{
    *s = (sizes){.paged = is_page(call->attr[CACHE_MODE].s)};
    return check_sizes(call, s);
}

static jm_status check(const jm_call *call)
{
    sizes s;
    JM_TRY(check_types(call));
    JM_TRY(check_word(call, QUANT_MODE, "static"));
    JM_TRY(check_word(call, LAYOUT, "BSND"));
    return sizes_of(call, &s);
}

/* Heads of `channels` channels for each token. */
static jm_shape heads_shape(const jm_call *call, const sizes *s, int64_t channels)
{
    const int64_t heads = s->width > 0 ? channels / s->width : -1;
    return call->in[X].shape.rank == 3 ? (jm_shape){4, {s->batch, s->positions, heads, s->width}}
                                       : (jm_shape){3, {s->batch, heads, s->width}};
}

static jm_status infer(jm_call *call)
{
    sizes s;
    JM_TRY(sizes_of(call, &s));
    if (call->outputs != OUTPUTS)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%d outputs; the operator has %d", call->outputs, OUTPUTS);
    const jm_shape none = {1, {0}};
    const bool kv = call->attr[KV_OUTPUT].i != 0;
    for (int i = Q_OUT; i <= V_OUT; i++) call->out[i].dtype = call->in[COS].dtype;
    call->out[Q_OUT].shape = heads_shape(call, &s, s.q);
    call->out[K_OUT].shape = call->out[V_OUT].shape = kv ? heads_shape(call, &s, s.kv) : none;
    for (int i = 0; i < 2; i++) {
        call->out[K_CACHE_OUT + i].dtype = JM_I8;
        call->out[K_CACHE_OUT + i].shape = call->in[K_CACHE + i].shape;
    }
    return JM_OK;
}

/* ---- Plan ---- */

/* Rows of a tensor, a row for each token or each place of a cache; a tensor that all tokens share is one row. Rows with
 * gaps are copied to scratch and back. */
typedef struct rows {
    int64_t outer, inner; /* bytes from one batch or block to the next, from one position to the next */
    int rank;             /* of a row */
    int64_t dim[JM_MAX_RANK], stride[JM_MAX_RANK];
    size_t size; /* of an element; 0: the tensor is absent or not used */
    int64_t count;
    bool dense;
    size_t scratch; /* where the copy lies */
} rows;

typedef struct state {
    sizes sizes;
    jm_kvcache shared; /* without addresses */
    jm_kvcache_kind kind;
    const jm_kvcache_kernels *kernels;
    rows in[INPUTS], out[OUTPUTS];
    bool dense; /* every row of a token is */
    int64_t tokens;
    size_t chunks;
} state;

/* The last dimensions of the tensor are a row, the first `lead` (0, 1 or 2) say which. */
static jm_status add_rows(rows *r, const jm_tensor *tensor, int lead, size_t *scratch)
{
    if (!tensor) return JM_OK;
    r->size = jm_dtype_size(tensor->dtype);
    r->outer = lead > 0 ? jm_byte_stride(tensor, 0) : 0;
    r->inner = lead > 1 ? jm_byte_stride(tensor, 1) : 0;
    r->count = 1;
    for (int k = lead; k < tensor->shape.rank; k++) {
        r->dim[r->rank] = tensor->shape.dim[k];
        r->stride[r->rank++] = tensor->stride[k];
        r->count *= tensor->shape.dim[k];
    }
    if (r->count == 0) r->size = 0;
    if (r->size == 0) return JM_OK;
    r->rank = jm_strided_merge(r->rank, r->dim, r->stride, NULL);
    r->dense = r->rank == 0 || (r->rank == 1 && r->stride[0] == 1);
    r->scratch = *scratch;
    size_t bytes;
    if (r->dense) return JM_OK;
    if (jm_size_mul((size_t)r->count, r->size, &bytes) && jm_size_round_up(bytes, 64, &bytes) &&
        jm_size_add(*scratch, bytes, scratch))
        return JM_OK;
    return jm_error(JM_OUT_OF_RANGE, "a row has %lld elements, more than memory can hold", (long long)r->count);
}

static jm_status add_all_rows(state *s, const jm_call *call, size_t *scratch)
{
    const int lead = call->in[X].shape.rank - 1;
    const bool integer = call->in[X].dtype == JM_I32,
               offsets = jm_call_in(call, OFFSET_K) && jm_call_in(call, OFFSET_V);
    for (int i = X; i <= SIN; i++) JM_TRY(add_rows(&s->in[i], &call->in[i], lead, scratch));
    for (int i = Q_OUT; i <= V_OUT; i++)
        if (i == Q_OUT || call->attr[KV_OUTPUT].i) JM_TRY(add_rows(&s->out[i], &call->out[i], lead, scratch));
    for (int i = K_CACHE_OUT; i <= V_CACHE_OUT; i++) JM_TRY(add_rows(&s->out[i], &call->out[i], 2, scratch));
    for (int i = SCALE_K; i <= BIAS; i++) {
        if ((i == OFFSET_K || i == OFFSET_V) && !offsets) continue;
        if (i >= WEIGHT_SCALE && !integer) continue;
        /* One number of the activation scale is read for each token. */
        size_t unused = 0;
        JM_TRY(add_rows(&s->in[i], jm_call_in(call, i), 0, i == ACTIVATION_SCALE ? &unused : scratch));
    }
    s->in[INDICES].outer = jm_byte_stride(&call->in[INDICES], 0);
    s->dense = true;
    for (int i = X; i <= SIN; i++) s->dense = s->dense && (s->in[i].dense || !s->in[i].size);
    for (int i = 0; i < OUTPUTS; i++) s->dense = s->dense && (s->out[i].dense || !s->out[i].size);
    return JM_OK;
}

static jm_kvcache_kind kind_of(const jm_call *call)
{
    const bool f16 = call->in[COS].dtype == JM_F16;
    if (call->in[X].dtype == JM_I32) return f16 ? JM_KVCACHE_I32_F16 : JM_KVCACHE_I32_BF16;
    return f16 ? JM_KVCACHE_F16 : JM_KVCACHE_BF16;
}

static jm_kvcache_bias bias_of(const jm_call *call)
{
    if (call->in[X].dtype != JM_I32 || !jm_call_in(call, BIAS)) return JM_KVCACHE_NO_BIAS;
    switch (call->in[BIAS].dtype) {
    case JM_I32:
        return JM_KVCACHE_BIAS_I32;
    case JM_F32:
        return JM_KVCACHE_BIAS_F32;
    case JM_F16:
        return JM_KVCACHE_BIAS_F16;
    default:
        return JM_KVCACHE_BIAS_BF16;
    }
}

/* Bytes that a token writes, and that it reads. */
static double bytes_written(const jm_call *call, const sizes *s)
{
    return 2.0 * (double)s->q + (call->attr[KV_OUTPUT].i ? 4.0 : 0) * (double)s->kv + 2.0 * (double)s->kv;
}

static double bytes_read(const jm_call *call, const sizes *s)
{
    return (double)jm_dtype_size(call->in[X].dtype) * (double)(s->q + 2 * s->kv) + 4.0 * (double)s->width;
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    sizes s;
    double bytes = 0;
    if (sizes_of(call, &s) == JM_OK)
        bytes = (bytes_written(call, &s) + bytes_read(call, &s)) * (double)(s.batch * s.positions);
    form[0] = (jm_form){.name = "plain", .out_strided = true, .in_place = -1, .cost = 1000.0 + bytes / 20};
    return 1;
}

/* What is written goes past the caches when it is much more than they hold: whoever reads it finds it in memory
 * anyway, and lines are not fetched only to be overwritten. */
enum { STREAM_CACHES = 8 };

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    (void)form;
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    JM_TRY(sizes_of(call, &s->sizes));
    JM_TRY(add_all_rows(s, call, &out->scratch));
    s->kind = kind_of(call);
    s->kernels = &machine->kernels->kvcache;
    s->tokens = s->sizes.q > 0 ? s->sizes.batch * s->sizes.positions : 0;
    const double bytes = bytes_written(call, &s->sizes) * (double)s->tokens;
    s->shared = (jm_kvcache){
        .q_heads = (size_t)(s->sizes.q / s->sizes.width),
        .kv_heads = (size_t)(s->sizes.kv / s->sizes.width),
        .half = (size_t)s->sizes.width / 2,
        .bias_kind = bias_of(call),
        .stream = s->dense && bytes > STREAM_CACHES * (double)machine->l2 * JM_MAX(machine->threads, 1),
    };
    s->chunks = out->chunks =
        jm_chunk_count(machine, bytes + bytes_read(call, &s->sizes) * (double)s->tokens, s->tokens);
    out->state = s;
    return JM_OK;
}

/* ---- Run ---- */

enum { BATCH = 32 }; /* tokens of one call of the kernel */

/* The row at `offset` bytes, or its copy. */
static const void *row_read(const rows *r, const jm_run *run, int input, int64_t offset)
{
    if (!r->size) return NULL;
    const char *row = (const char *)run->in[input] + offset;
    if (r->dense) return row;
    void *copy = (char *)run->scratch + r->scratch;
    jm_strided_gather(copy, row, r->size, r->rank, r->dim, r->stride, 0, r->count);
    return copy;
}

static int64_t token_offset(const rows *r, int64_t batch, int64_t position)
{
    return batch * r->outer + position * r->inner;
}

/* Where to write the row at `offset` bytes. */
static void *row_place(const rows *r, const jm_run *run, int output, int64_t offset)
{
    if (!r->size) return NULL;
    return r->dense ? (char *)run->out[output] + offset : (char *)run->scratch + r->scratch;
}

/* Brings a row that was written to scratch to `offset` bytes. */
static void row_put(const rows *r, const jm_run *run, int output, int64_t offset)
{
    if (r->size && !r->dense)
        jm_strided_scatter((char *)run->out[output] + offset, (const char *)run->scratch + r->scratch, r->size, r->rank,
                           r->dim, r->stride, 0, r->count);
}

/* The block and the row of a cache that a token goes to. False: to none. */
static bool place_of(const state *s, const jm_run *run, int64_t batch, int64_t position, int64_t *block, int64_t *row)
{
    const int64_t entry = s->sizes.paged ? batch * s->sizes.positions + position : batch;
    int32_t index;
    memcpy(&index, (const char *)run->in[INDICES] + entry * s->in[INDICES].outer, sizeof(index));
    if (s->sizes.paged) {
        if (index < 0) return false; /* padding */
        if (s->sizes.block > 0 && index / s->sizes.block < s->sizes.blocks) {
            *block = index / s->sizes.block;
            *row = index % s->sizes.block;
            return true;
        }
    } else if (index >= 0 && index + s->sizes.positions <= s->sizes.block) {
        *block = batch;
        *row = index + position;
        return true;
    }
    jm_index_fault(run);
    return false;
}

/* A token of a call and where its rows go. */
typedef struct target {
    int64_t batch, position, block, row;
    bool cached;
} target;

static void describe(const state *s, const jm_run *run, int64_t number, target *at, jm_kvcache_token *token)
{
    *at = (target){.batch = number / s->sizes.positions, .position = number % s->sizes.positions};
    at->cached = place_of(s, run, at->batch, at->position, &at->block, &at->row);
    *token = (jm_kvcache_token){
        .x = row_read(&s->in[X], run, X, token_offset(&s->in[X], at->batch, at->position)),
        .cos = row_read(&s->in[COS], run, COS, token_offset(&s->in[COS], at->batch, at->position)),
        .sin = row_read(&s->in[SIN], run, SIN, token_offset(&s->in[SIN], at->batch, at->position)),
        .activation_scale = 1,
        .q = row_place(&s->out[Q_OUT], run, Q_OUT, token_offset(&s->out[Q_OUT], at->batch, at->position)),
        .k = row_place(&s->out[K_OUT], run, K_OUT, token_offset(&s->out[K_OUT], at->batch, at->position)),
        .v = row_place(&s->out[V_OUT], run, V_OUT, token_offset(&s->out[V_OUT], at->batch, at->position)),
    };
    const rows *scale = &s->in[ACTIVATION_SCALE], *k = &s->out[K_CACHE_OUT], *v = &s->out[V_CACHE_OUT];
    if (scale->size)
        memcpy(&token->activation_scale,
               (const char *)run->in[ACTIVATION_SCALE] +
                   jm_strided_offset(scale->rank, scale->dim, scale->stride, number) * (int64_t)sizeof(float),
               sizeof(float));
    if (!at->cached) return;
    token->k_cache = row_place(k, run, K_CACHE_OUT, token_offset(k, at->block, at->row));
    token->v_cache = row_place(v, run, V_CACHE_OUT, token_offset(v, at->block, at->row));
}

static void put(const state *s, const jm_run *run, const target *at)
{
    for (int i = Q_OUT; i <= V_OUT; i++) row_put(&s->out[i], run, i, token_offset(&s->out[i], at->batch, at->position));
    for (int i = K_CACHE_OUT; at->cached && i <= V_CACHE_OUT; i++)
        row_put(&s->out[i], run, i, token_offset(&s->out[i], at->block, at->row));
}

static void run_chunk(const jm_plan *plan_, const jm_run *run)
{
    const state *s = plan_->state;
    jm_kvcache shared = s->shared;
    shared.weight_scale = row_read(&s->in[WEIGHT_SCALE], run, WEIGHT_SCALE, 0);
    shared.bias = row_read(&s->in[BIAS], run, BIAS, 0);
    shared.scale_k = row_read(&s->in[SCALE_K], run, SCALE_K, 0);
    shared.scale_v = row_read(&s->in[SCALE_V], run, SCALE_V, 0);
    shared.offset_k = row_read(&s->in[OFFSET_K], run, OFFSET_K, 0);
    shared.offset_v = row_read(&s->in[OFFSET_V], run, OFFSET_V, 0);
    int64_t begin, end;
    jm_chunk_range(s->tokens, s->chunks, run->chunk, &begin, &end);
    const int64_t step = s->dense ? BATCH : 1; /* there is one copy of a row */
    for (; begin < end; begin += step) {
        target at[BATCH];
        jm_kvcache_token token[BATCH];
        const int64_t count = JM_MIN(step, end - begin);
        for (int64_t i = 0; i < count; i++) describe(s, run, begin + i, &at[i], &token[i]);
        s->kernels->tokens[s->kind](&shared, token, (size_t)count);
        if (!s->dense) put(s, run, &at[0]);
    }
}

/* ---- Description ---- */

/* Names and their order are those of the operator of the field. B batches of S positions (S = 1 where x has rank 2), N
 * heads of q, n of k and of v, of D channels each; H = (N + 2n)D. */
static const jm_param params[] = {
    {"x", JM_PARAM_INPUT, 0, .doc = "[B, S, H] or [B, H], of cos's type or int32: rows of q, k and v heads"},
    {"cos", JM_PARAM_INPUT, 0, .doc = "[B, S, 1, D] or [B, D], float16 or bfloat16"},
    {"sin", JM_PARAM_INPUT, 0, .doc = "like cos"},
    {"k_cache", JM_PARAM_INPUT, 0, .doc = "int8 [blocks, rows, n, D]"},
    {"v_cache", JM_PARAM_INPUT, 0, .doc = "like k_cache"},
    {"indices", JM_PARAM_INPUT, 0,
     .doc =
         "int32 [B], the row of each batch's first position, which goes to the block of its batch; paged [B * S], the "
         "place of each token, block * rows + row, and a negative one for none"},
    {"scale_k", JM_PARAM_INPUT, 0, .doc = "float32, nD elements"},
    {"scale_v", JM_PARAM_INPUT, 0, .doc = "float32, nD elements"},
    {"offset_k", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "float32, nD elements; both offsets are used or none"},
    {"offset_v", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "float32, nD elements"},
    {"weight_scale", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "float32, H elements; needed and used where x is int32"},
    {"activation_scale", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "float32, B * S elements; used where x is int32"},
    {"bias", JM_PARAM_INPUT, JM_OPTIONAL,
     .doc = "H elements; used where x is int32. Of int32: added before the scales, and wraps; of float32, float16 or "
            "bfloat16: added after them"},
    {"q", JM_PARAM_OUTPUT, 0, .doc = "[B, S, N, D] or [B, N, D], cos's type: q rotated"},
    {"k", JM_PARAM_OUTPUT, JM_SWITCHED,
     .doc = "[B, S, n, D] or [B, n, D], cos's type: k rotated; [0] without kv_output"},
    {"v", JM_PARAM_OUTPUT, JM_SWITCHED, .doc = "like k: v"},
    {"k_cache", JM_PARAM_OUTPUT, JM_REFERENCE, .doc = "with rows of k, quantised"},
    {"v_cache", JM_PARAM_OUTPUT, JM_REFERENCE, .doc = "with rows of v, quantised"},
    {"size_splits", JM_PARAM_INTS, 0, .doc = "channels of q, k and v in a row of x: ND, nD, nD"},
    {"quant_mode", JM_PARAM_STRING, JM_OPTIONAL, .s = "static", .doc = "static"},
    {"layout", JM_PARAM_STRING, JM_OPTIONAL, .s = "BSND", .doc = "BSND"},
    {"kv_output", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: k and v are written too"},
    {"cache_mode", JM_PARAM_STRING, JM_OPTIONAL, .s = "contiguous", .doc = "page, in any case; else contiguous"},
};

const jm_op jm_op_dequant_rope_quant_kvcache = {
    .name = "DequantRopeQuantKvcache",
    .param = params,
    .params = JM_COUNT(params),
    .formula =
        "q, k = rope(dequant(x)); caches[indices] = round(k / scale_k + offset_k), round(v / scale_v + offset_v)",
    .source = "aclnnDequantRopeQuantKvcache",
    .check = check,
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run_chunk,
};
