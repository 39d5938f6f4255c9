/* SPDX-License-Identifier: Apache-2.0
 *
 * Dropout. A mask has one bit for each element in row-major order, the lowest of a byte first, 1 where the element
 * stays; its bytes are those of the elements rounded up to 128, and bits without an element are 0. An element stays
 * where u < 1 - prob in float32, u = x 2^-32 + 2^-33 for a random x of 32 bits.
 *
 * Which x is fixed by CANN's open operators, whose counters of Philox4x32-10 are followed here: StatelessDropOutGenMask
 * (DropoutMask) counts blocks of four elements in words 0 and 1 and has the offset in words 2 and 3; DropOutV3
 * (Dropout) takes its numbers like a GPU of 78 * 2048 threads, as PyTorch does there.
 */
#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/move.h"
#include "ops/philox.h"
#include "ops/streams.h"
#include "ops/strided.h"

#define MASK_UNIT 128 /* elements */
#define MASK_BYTES (JM_STREAM_STRETCH / 8)

static int64_t mask_bytes(int64_t elements)
{
    return (elements + MASK_UNIT - 1) / MASK_UNIT * (MASK_UNIT / 8);
}

static jm_status check_prob(const jm_call *call, int attr)
{
    const double prob = call->attr[attr].f;
    if (prob >= 0 && prob <= 1) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "the probability is %g and must be in [0, 1]", prob);
}

static jm_status check_stream(const jm_call *call, int first)
{
    for (int i = first; i < first + 2; i++) {
        const jm_tensor *in = &call->in[i];
        if (in->dtype != JM_I64 || (jm_shape_known(&in->shape) && jm_tensor_elements(in) != 1))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s must be one int64", jm_op_input(call->op, i)->name);
    }
    return JM_OK;
}

static bool stays(uint32_t random, float keep)
{
    return (float)random * 0x1p-32f + 0x1p-33f < keep;
}

/* ---- DropoutMask ---- */

typedef struct mask_plan {
    int64_t elements, bytes, stride, per_chunk;
    uint64_t more;
    double prob;
} mask_plan;

static int64_t elements_of(const jm_call *call)
{
    int64_t count = 1;
    const jm_attr *shape = &call->attr[0];
    for (int32_t k = 0; k < shape->count; k++)
        if (shape->ints[k] < 0 || (shape->ints[k] && count > (INT64_C(1) << 40) / shape->ints[k]))
            return -1;
        else
            count *= shape->ints[k];
    return count;
}

static jm_status mask_check(const jm_call *call)
{
    JM_TRY(check_stream(call, 0));
    JM_TRY(check_prob(call, 1));
    if (elements_of(call) >= 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "shape has a negative dimension or more than 2^40 elements");
}

static jm_status mask_infer(jm_call *call)
{
    call->out[0].dtype = JM_U8;
    call->out[0].shape = (jm_shape){.rank = 1, .dim = {mask_bytes(elements_of(call))}};
    return JM_OK;
}

static jm_status mask_plan_call(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                jm_plan *plan)
{
    (void)form, (void)machine;
    mask_plan *p = jm_arena_alloc(arena, 1, sizeof(*p));
    if (!p) return JM_OUT_OF_MEMORY;
    *p = (mask_plan){.elements = elements_of(call),
                     .bytes = call->out[0].shape.dim[0],
                     .stride = call->out[0].stride[0],
                     .per_chunk = MASK_BYTES,
                     .more = (uint64_t)call->attr[2].i,
                     .prob = call->attr[1].f};
    plan->state = p;
    plan->chunks = (size_t)JM_MAX((p->bytes + p->per_chunk - 1) / p->per_chunk, 1);
    return JM_OK;
}

/* Byte i of a mask: two blocks of four numbers. */
static uint8_t mask_byte(const mask_plan *p, uint64_t seed, uint64_t offset, int64_t i)
{
    const float keep = (float)(1 - p->prob);
    unsigned bits = 0;
    for (uint64_t half = 0; half < 2; half++) {
        const jm_philox x = jm_philox_at(seed, 2 * (uint64_t)i + half, offset);
        for (unsigned k = 0; k < 4; k++) bits |= (unsigned)stays(x.word[k], keep) << (4 * half + k);
    }
    const int64_t left = p->elements - 8 * i;
    return (uint8_t)(left >= 8 ? bits : left <= 0 ? 0 : bits & ((1u << left) - 1));
}

static void mask_run(const jm_plan *plan, const jm_run *run)
{
    const mask_plan *p = plan->state;
    const uint64_t seed = *(const uint64_t *)run->in[0], offset = *(const uint64_t *)run->in[1] + p->more;
    uint8_t *out = run->out[0];
    const int64_t begin = (int64_t)run->chunk * p->per_chunk, end = JM_MIN(p->bytes, begin + p->per_chunk);
    for (int64_t i = begin; i < end; i++)
        out[i * p->stride] = p->prob == 0 ? 0xFF : p->prob == 1 ? 0 : mask_byte(p, seed, offset, i);
}

static const jm_param mask_param[] = {
    {"seed", JM_PARAM_INPUT, 0, .doc = "one int64: the key"},
    {"offset", JM_PARAM_INPUT, 0, .doc = "one int64: words 2 and 3 of the counter"},
    {"mask", JM_PARAM_OUTPUT, 0, .doc = "uint8, [bytes of the mask]"},
    {"shape", JM_PARAM_INTS, JM_OPTIONAL, .doc = "of what is masked; absent: one element"},
    {"prob", JM_PARAM_FLOAT, 0, .doc = "of a 0; for 0 and 1 all bits are 1 and 0"},
    {"more", JM_PARAM_INT, JM_OPTIONAL, .doc = "added to the offset"},
};

const jm_op jm_op_dropout_mask = {
    .name = "DropoutMask",
    .param = mask_param,
    .params = JM_COUNT(mask_param),
    .formula = "bit i is 1 with probability 1 - prob",
    .source = "aclnnDropoutGenMaskV2 (StatelessDropOutGenMask)",
    .check = mask_check,
    .infer = mask_infer,
    .plan = mask_plan_call,
    .run = mask_run,
};

/* ---- DropoutApply and Dropout ---- */

enum { X, Y }; /* streams */
enum { MASK = 1, SEED = 1, OFFSET = 2 };

typedef struct dropout_plan {
    jm_streams all;
    void (*kernel)(float *y, const float *x, const uint8_t *bits, size_t n, float scale);
    double prob;
    int mask_rank;
    int64_t mask_dim[JM_MAX_RANK], mask_stride[JM_MAX_RANK], mask_count;
    size_t bits; /* offset in the scratch */
    /* Dropout: the vectors and threads of the GPU that it follows. */
    uint64_t vector, threads;
} dropout_plan;

typedef struct dropout_context {
    const dropout_plan *plan;
    const jm_run *run;
} dropout_context;

static jm_status plan_common(const jm_call *call, const jm_machine *machine, const jm_tensor *mask, jm_arena *arena,
                             jm_plan *plan)
{
    dropout_plan *p = jm_arena_alloc(arena, 1, sizeof(*p));
    if (!p) return JM_OUT_OF_MEMORY;
    plan->state = p;
    p->kernel = machine->kernels->training.dropout;
    p->prob = call->attr[0].f;
    jm_streams_read(&p->all, X, call, X);
    jm_streams_write(&p->all, Y, call, 0);
    jm_streams_plan(&p->all, &call->in[X].shape, -1, plan);
    p->bits = plan->scratch;
    plan->scratch += MASK_BYTES;
    p->mask_rank = mask->shape.rank;
    p->mask_count = jm_tensor_elements(mask);
    memcpy(p->mask_dim, mask->shape.dim, sizeof(p->mask_dim));
    memcpy(p->mask_stride, mask->stride, sizeof(p->mask_stride));
    p->mask_rank = jm_strided_merge(p->mask_rank, p->mask_dim, p->mask_stride, NULL);
    return JM_OK;
}

/* y of a stretch whose bits are known. Nothing and everything stays without a multiplication. */
static void apply(const dropout_plan *p, float *const at[JM_MOST_STREAMS], const uint8_t *bits, size_t n)
{
    if (p->prob == 0)
        memmove(at[Y], at[X], n * sizeof(float));
    else if (p->prob == 1)
        memset(at[Y], 0, n * sizeof(float));
    else
        p->kernel(at[Y], at[X], bits, n, (float)(1 / (1 - p->prob)));
}

static void apply_step(const void *context, int64_t begin, float *const at[JM_MOST_STREAMS], size_t n)
{
    const dropout_context *c = context;
    const dropout_plan *p = c->plan;
    uint8_t *bits = (uint8_t *)c->run->scratch + p->bits;
    if (p->prob > 0 && p->prob < 1)
        jm_strided_gather(bits, c->run->in[MASK], 1, p->mask_rank, p->mask_dim, p->mask_stride, begin / 8,
                          ((int64_t)n + 7) / 8);
    apply(p, at, bits, n);
}

static void apply_run(const jm_plan *plan, const jm_run *run)
{
    const dropout_plan *p = plan->state;
    const dropout_context context = {p, run};
    jm_streams_run(&p->all, run, apply_step, &context);
}

static jm_status apply_check(const jm_call *call)
{
    const jm_tensor *x = &call->in[X], *mask = &call->in[MASK];
    JM_TRY(check_prob(call, 0));
    if (mask->dtype != JM_U8)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the mask is %s and must be uint8", jm_dtype_text(mask->dtype));
    if (!jm_shape_known(&x->shape) || !jm_shape_known(&mask->shape)) return JM_OK;
    const int64_t need = mask_bytes(jm_tensor_elements(x)), have = jm_tensor_elements(mask);
    if (have >= need) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "the mask has %lld bytes and must have %lld", (long long)have,
                         (long long)need);
}

static jm_status apply_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    return plan_common(call, machine, &call->in[MASK], arena, plan);
}

static const jm_param apply_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "input"},
    {"mask", JM_PARAM_INPUT, 0, .doc = "uint8, bits in row-major order; at least the bytes of the mask of X"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "one element for each of X"},
    {"prob", JM_PARAM_FLOAT, 0, .doc = "what stays is divided by 1 - prob; X itself for 0, and 0 for 1"},
};

const jm_op jm_op_dropout_apply = {
    .name = "DropoutApply",
    .param = apply_param,
    .params = JM_COUNT(apply_param),
    .dtypes = JM_STREAM_TYPES,
    .formula = "bit ? x / (1 - prob) : 0",
    .source = "aclnnDropoutDoMask",
    .check = apply_check,
    .infer = jm_infer_same,
    .plan = apply_plan,
    .run = apply_run,
};

/* As many elements as a thread takes at a time: what 16 bytes hold, at most 8, and no more than divides the whole. */
static uint64_t vector_of(int64_t count, jm_dtype dtype)
{
    uint64_t vector = dtype == JM_F32 ? 4 : 8;
    while (vector > 1 && (uint64_t)count % vector) vector /= 2;
    return vector;
}

static jm_status dropout_check(const jm_call *call)
{
    JM_TRY(check_stream(call, SEED));
    JM_TRY(check_prob(call, 0));
    const int64_t *offset = call->in[OFFSET].constant ? call->in[OFFSET].data : NULL;
    if (!offset || *offset % 4 == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "the offset is %lld and must be a multiple of 4",
                         (long long)*offset);
}

static jm_status dropout_infer(jm_call *call)
{
    JM_TRY(jm_infer_same(call));
    call->out[1].dtype = JM_U8;
    call->out[1].shape = (jm_shape){.rank = 1, .dim = {-1}};
    if (jm_shape_known(&call->in[X].shape)) call->out[1].shape.dim[0] = mask_bytes(jm_tensor_elements(&call->in[X]));
    return JM_OK;
}

static jm_status dropout_plan_call(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                   jm_plan *plan)
{
    enum { THREADS_OF_BLOCK = 256, MOST_BLOCKS = 2048 / THREADS_OF_BLOCK * 78 };
    (void)form;
    JM_TRY(plan_common(call, machine, &call->out[1], arena, plan));
    dropout_plan *p = plan->state;
    const int64_t blocks = (p->all.count + THREADS_OF_BLOCK - 1) / THREADS_OF_BLOCK;
    p->vector = vector_of(p->all.count, call->in[X].dtype);
    p->threads = (uint64_t)JM_MAX(JM_MIN(blocks, MOST_BLOCKS), 1) * THREADS_OF_BLOCK;
    return JM_OK;
}

static void set_bit(uint8_t *bits, size_t k, bool value)
{
    bits[k / 8] = (uint8_t)(bits[k / 8] | (unsigned)value << k % 8);
}

/* A thread takes a vector at each turn. Its words are the next ones of its counters; a vector of 2 leaves two of them,
 * and single elements take one word at each of four turns. `begin` and n are multiples of the vector. */
static void draw_bits(const dropout_plan *p, const jm_run *run, int64_t begin, size_t n, uint8_t *bits)
{
    const uint64_t seed = *(const uint64_t *)run->in[SEED], first = *(const uint64_t *)run->in[OFFSET] / 4;
    const uint64_t part = (uint64_t)begin / p->vector, words = JM_MIN(p->vector, 4);
    const float keep = (float)(1 - p->prob);
    uint64_t turn = part / p->threads, thread = part % p->threads;
    memset(bits, 0, (n + 7) / 8);
    for (size_t k = 0; k < n;) {
        if (p->vector == 1) {
            set_bit(bits, k++, stays(jm_philox_at(seed, first + turn / 4, thread).word[turn % 4], keep));
        } else {
            for (uint64_t lane = 0; lane < p->vector; lane += words) {
                const uint64_t step = p->vector == 8 ? 2 * turn + lane / 4 : turn;
                const jm_philox x = jm_philox_at(seed, first + step, thread);
                for (uint64_t w = 0; w < words; w++) set_bit(bits, k++, stays(x.word[w], keep));
            }
        }
        if (++thread == p->threads) {
            thread = 0;
            turn++;
        }
    }
}

static void dropout_step(const void *context, int64_t begin, float *const at[JM_MOST_STREAMS], size_t n)
{
    const dropout_context *c = context;
    const dropout_plan *p = c->plan;
    uint8_t *bits = (uint8_t *)c->run->scratch + p->bits;
    int64_t bytes = ((int64_t)n + 7) / 8;
    if (p->prob > 0 && p->prob < 1)
        draw_bits(p, c->run, begin, n, bits);
    else
        memset(bits, p->prob == 0 ? 0xFF : 0, (size_t)bytes);
    apply(p, at, bits, n);
    /* The last stretch has the bytes behind the last element too. */
    if (begin + (int64_t)n == p->all.count) {
        const int64_t all = p->mask_count - begin / 8;
        memset(bits + bytes, p->prob == 0 ? 0xFF : 0, (size_t)(all - bytes));
        bytes = all;
    }
    jm_strided_scatter(c->run->out[1], bits, 1, p->mask_rank, p->mask_dim, p->mask_stride, begin / 8, bytes);
}

static void dropout_run(const jm_plan *plan, const jm_run *run)
{
    const dropout_plan *p = plan->state;
    const dropout_context context = {p, run};
    jm_streams_run(&p->all, run, dropout_step, &context);
}

static const jm_param dropout_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "input"},
    {"seed", JM_PARAM_INPUT, 0, .doc = "one int64: the key"},
    {"offset", JM_PARAM_INPUT, 0,
     .doc = "one int64, a multiple of 4, which is the number of the first counter times 4"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "one element for each of X"},
    {"mask", JM_PARAM_OUTPUT, 0, .doc = "uint8, [bytes of the mask]"},
    {"prob", JM_PARAM_FLOAT, 0, .doc = "of a 0; for 0 and 1 all bits of the mask are 1 and 0"},
};

const jm_op jm_op_dropout = {
    .name = "Dropout",
    .param = dropout_param,
    .params = JM_COUNT(dropout_param),
    .dtypes = JM_STREAM_TYPES,
    .formula = "bit ? x / (1 - prob) : 0; the bit is 1 with probability 1 - prob",
    .source = "aclnnDropoutV3 (DropOutV3)",
    .check = dropout_check,
    .infer = dropout_infer,
    .plan = dropout_plan_call,
    .run = dropout_run,
};
