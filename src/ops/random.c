/* SPDX-License-Identifier: Apache-2.0
 *
 * Random, RandomPermutation and RandomChoice: the same numbers for the same seed and offset, whatever the strides, the
 * threads and the machine. Element i in row-major order takes number i of the stream (philox.h). How numbers become a
 * distribution is what PyTorch does on the CPU (ATen/core/DistributionsHelper.h, TransformationHelper.h).
 */
#include "ops/indexing.h"
#include "ops/move.h"
#include "ops/order.h"
#include "ops/philox.h"

#include <math.h>
#include <string.h>

enum { LIKE, SEED, OFFSET };

typedef enum distribution { UNIFORM, NORMAL, EXPONENTIAL, INTEGER, FULL, UNIT } distribution;

static const char *const distribution_text[] = {"uniform", "normal", "exponential", "integer", "full", "unit"};

typedef struct random_plan {
    distribution distribution;
    jm_dtype dtype;
    jm_walk walk; /* stream 0: output */
    double a, b;
    int64_t from;
    uint64_t range, more;
    size_t chunks;
} random_plan;

/* Where a stream begins: read when it runs, because the seed may be a tensor. */
typedef struct stream {
    uint64_t seed, offset;
} stream;

static stream stream_of(const jm_run *run, uint64_t more)
{
    return (stream){*(const uint64_t *)run->in[SEED], *(const uint64_t *)run->in[OFFSET] + more};
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    form[0].cost += 20.0 * (double)jm_tensor_elements(&call->out[0]);
    return 1;
}

static jm_status check_stream(const jm_call *call)
{
    for (int i = SEED; i <= OFFSET; i++) {
        const jm_tensor *in = &call->in[i];
        if (in->dtype != JM_I64 || (jm_shape_known(&in->shape) && jm_tensor_elements(in) != 1))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s must be one int64", jm_op_input(call->op, i)->name);
    }
    return JM_OK;
}

/* ---- Random ---- */

static int distribution_of(const jm_call *call)
{
    int i = (int)JM_COUNT(distribution_text) - 1;
    while (i >= 0 && strcmp(call->attr[0].s, distribution_text[i]) != 0) i--;
    return i;
}

static jm_status check_random(const jm_call *call)
{
    const int kind = distribution_of(call);
    const jm_dtype dtype = call->in[LIKE].dtype;
    const double a = call->attr[1].f, b = call->attr[2].f;
    JM_TRY(check_stream(call));
    if (kind < 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "there is no distribution '%s'", call->attr[0].s);
    if (kind <= EXPONENTIAL && !(JM_DTYPES_FLOAT >> dtype & 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s has no %s numbers", jm_dtype_text(dtype),
                             distribution_text[kind]);
    if (kind == UNIFORM && !(a <= b))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the range from %g to %g is empty", a, b);
    if (kind == NORMAL && !(b >= 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the standard deviation is %g and must not be negative", b);
    if (kind == EXPONENTIAL && !(a > 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "lambda is %g and must be positive", a);
    if (kind == INTEGER && call->attr[3].i >= call->attr[4].i)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "from is %lld and must be less than to, %lld",
                             (long long)call->attr[3].i, (long long)call->attr[4].i);
    return JM_OK;
}

static jm_status infer_random(jm_call *call)
{
    call->out[0].shape = call->in[LIKE].shape;
    call->out[0].dtype = distribution_of(call) == UNIT ? JM_F32 : call->in[LIKE].dtype;
    return JM_OK;
}

/* Bits of the significand. */
static int digits_of(jm_dtype dtype)
{
    return dtype == JM_F16 ? 11 : dtype == JM_BF16 ? 8 : dtype == JM_F32 ? 24 : 53;
}

/* In [0, 1), a multiple of 2^-digits. */
static double unit(jm_dtype dtype, stream s, uint64_t i)
{
    if (dtype == JM_F64) return jm_philox_real(s.seed, s.offset, i);
    const int digits = digits_of(dtype);
    return (double)(jm_philox_32(s.seed, s.offset, i) & ((1u << digits) - 1)) * ldexp(1, -digits);
}

/* Box and Muller: two numbers make two. 16-bit types start from float32 numbers. */
static double normal(jm_dtype dtype, stream s, uint64_t i)
{
    const jm_dtype wide = dtype == JM_F64 ? JM_F64 : JM_F32;
    const double u = unit(wide, s, i & ~UINT64_C(1)), v = unit(wide, s, i | 1);
    const double radius = sqrt(-2 * log1p(-v)), angle = 6.28318530717958647693 * u;
    return radius * (i & 1 ? sin(angle) : cos(angle));
}

/* All values that the type holds exactly, from 0. */
static int64_t full(jm_dtype dtype, stream s, uint64_t i)
{
    if (dtype == JM_I64 || dtype == JM_U64)
        return (int64_t)(jm_philox_64(s.seed, s.offset, i) & (dtype == JM_I64 ? INT64_MAX : UINT64_MAX));
    if (dtype == JM_F64) return (int64_t)(jm_philox_64(s.seed, s.offset, i) % ((UINT64_C(1) << 53) + 1));
    const uint32_t x = jm_philox_32(s.seed, s.offset, i);
    if (JM_DTYPES_FLOAT >> dtype & 1) return x % ((1u << digits_of(dtype)) + 1);
    if (dtype == JM_BOOL) return x & 1;
    const int bits = (int)jm_dtype_size(dtype) * 8 - (JM_DTYPES_SIGNED >> dtype & 1);
    return bits == 32 ? x : x & ((1u << bits) - 1);
}

static void put_integer(jm_dtype dtype, int64_t value, void *out)
{
    if (JM_DTYPES_FLOAT >> dtype & 1)
        jm_element_from_f64(dtype, (double)value, out);
    else
        jm_element_from_i64(dtype, value, out);
}

static int64_t in_range(const random_plan *r, stream s, uint64_t i)
{
    const uint64_t x = r->range >> 32 ? jm_philox_64(s.seed, s.offset, i) : jm_philox_32(s.seed, s.offset, i);
    return (int64_t)(x % r->range + (uint64_t)r->from);
}

static void draw(const random_plan *r, stream s, uint64_t i, void *out)
{
    switch (r->distribution) {
    case UNIFORM:
        jm_element_from_f64(r->dtype, unit(r->dtype, s, i) * (r->b - r->a) + r->a, out);
        return;
    case NORMAL:
        jm_element_from_f64(r->dtype, normal(r->dtype, s, i) * r->b + r->a, out);
        return;
    case EXPONENTIAL:
        jm_element_from_f64(r->dtype, -log1p(-unit(r->dtype == JM_F64 ? JM_F64 : JM_F32, s, i)) / r->a, out);
        return;
    case UNIT:
        jm_element_from_f64(JM_F32, unit(JM_F32, s, i), out);
        return;
    case INTEGER:
        put_integer(r->dtype, in_range(r, s, i), out);
        return;
    default:
        put_integer(r->dtype, full(r->dtype, s, i), out);
        return;
    }
}

static void run_random(const jm_plan *plan, const jm_run *run)
{
    const random_plan *r = plan->state;
    const stream s = stream_of(run, r->more);
    int64_t begin, end;
    jm_chunk_range(r->walk.count, r->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&r->walk, i, offset);
        draw(r, s, (uint64_t)i, (char *)run->out[0] + offset[0]);
    }
}

static jm_status plan_random(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    const jm_tensor *out = &call->out[0];
    random_plan *r = jm_arena_alloc(arena, 1, sizeof(*r));
    if (!r) return JM_OUT_OF_MEMORY;
    r->distribution = (distribution)distribution_of(call);
    r->dtype = out->dtype;
    r->a = call->attr[1].f;
    r->b = call->attr[2].f;
    r->from = call->attr[3].i;
    r->range = (uint64_t)call->attr[4].i - (uint64_t)call->attr[3].i;
    r->more = (uint64_t)call->attr[5].i;
    r->walk.count = 1;
    for (int k = 0; k < out->shape.rank; k++) jm_walk_add(&r->walk, out->shape.dim[k], jm_byte_stride(out, k), 0, 0);
    r->chunks = plan->chunks = jm_chunk_count(machine, 32.0 * (double)r->walk.count, r->walk.count);
    plan->state = r;
    return JM_OK;
}

static const jm_param random_param[] = {
    {"like", JM_PARAM_INPUT, 0, .doc = "its shape and type count"},
    {"seed", JM_PARAM_INPUT, 0, .doc = "one int64: the key"},
    {"offset", JM_PARAM_INPUT, 0, .doc = "one int64: the stream"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "random numbers of the type of like; unit: float32"},
    {"distribution", JM_PARAM_STRING, 0,
     .doc = "uniform in [a, b), normal with mean a and deviation b, exponential with lambda a, integer in [from, to), "
            "full: all values that the type holds exactly from 0, unit: [0, 1)"},
    {"a", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "as the distribution says"},
    {"b", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 1, .doc = "as the distribution says"},
    {"from", JM_PARAM_INT, JM_OPTIONAL, .doc = "smallest integer"},
    {"to", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "integer after the largest"},
    {"more", JM_PARAM_INT, JM_OPTIONAL, .doc = "added to the offset"},
};

const jm_op jm_op_random = {
    .name = "Random",
    .param = random_param,
    .params = JM_COUNT(random_param),
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_U64 | 1u << JM_BOOL,
    .formula = "element i takes number i of the Philox4x32-10 stream of seed and offset",
    .source = "PyTorch at::Philox4_32 and the distributions of its CPU generator",
    .check = check_random,
    .infer = infer_random,
    .forms = forms,
    .plan = plan_random,
    .run = run_random,
};

/* ---- RandomPermutation ---- */

typedef struct permutation {
    jm_dtype dtype;
    int64_t count, step; /* bytes */
} permutation;

static jm_status infer_permutation(jm_call *call)
{
    if (call->in[LIKE].shape.rank != 1)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "like has rank %d and must have 1", call->in[LIKE].shape.rank);
    return jm_infer_same(call);
}

static jm_status plan_permutation(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                  jm_plan *plan)
{
    (void)form, (void)machine;
    permutation *p = jm_arena_alloc(arena, 1, sizeof(*p));
    if (!p) return JM_OUT_OF_MEMORY;
    *p = (permutation){call->out[0].dtype, call->out[0].shape.dim[0], jm_byte_stride(&call->out[0], 0)};
    plan->state = p;
    plan->chunks = 1;
    return JM_OK;
}

/* Fisher and Yates: each place takes one of those that are left. */
static void run_permutation(const jm_plan *plan, const jm_run *run)
{
    const permutation *p = plan->state;
    const stream s = stream_of(run, 0);
    const size_t size = jm_dtype_size(p->dtype);
    char *out = run->out[0];
    for (int64_t i = 0; i < p->count; i++) put_integer(p->dtype, i, out + i * p->step);
    for (int64_t i = 0; i < p->count - 1; i++) {
        const int64_t other = i + (int64_t)(jm_philox_32(s.seed, s.offset, (uint64_t)i) % (uint64_t)(p->count - i));
        char swap[8];
        memcpy(swap, out + i * p->step, size);
        memmove(out + i * p->step, out + other * p->step, size);
        memcpy(out + other * p->step, swap, size);
    }
}

static const jm_param permutation_param[] = {
    {"like", JM_PARAM_INPUT, 0, .doc = "rank 1; its length and type count"},
    {"seed", JM_PARAM_INPUT, 0, .doc = "one int64: the key"},
    {"offset", JM_PARAM_INPUT, 0, .doc = "one int64: the stream"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "0 ... n - 1 in random order"},
};

const jm_op jm_op_random_permutation = {
    .name = "RandomPermutation",
    .param = permutation_param,
    .params = JM_COUNT(permutation_param),
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_U64,
    .formula = "for i: swap y[i] and y[i + number i mod (n - i)], y = 0 ... n - 1",
    .source = "PyTorch randperm on the CPU",
    .check = check_stream,
    .infer = infer_permutation,
    .forms = forms,
    .plan = plan_permutation,
    .run = run_permutation,
};

/* ---- RandomChoice ---- */

typedef struct multinomial {
    jm_walk rows; /* stream 0: weights, 1: output */
    jm_dtype dtype;
    int64_t count, samples, step, out_step;
    bool replacement;
    uint64_t more;
} multinomial;

static jm_status infer_multinomial(jm_call *call)
{
    const jm_shape *weights = &call->in[0].shape;
    const int64_t samples = call->attr[0].i;
    if (weights->rank < 1 || weights->rank > 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the weights have rank %d and must have 1 or 2", weights->rank);
    const int64_t count = weights->dim[weights->rank - 1];
    if (samples < 1 || count == 0 || (!call->attr[1].i && count > 0 && samples > count))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%lld of %lld cannot be drawn", (long long)samples,
                             (long long)count);
    call->out[0].dtype = JM_I64;
    call->out[0].shape = *weights;
    call->out[0].shape.dim[weights->rank - 1] = samples;
    return JM_OK;
}

static jm_status plan_multinomial(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                  jm_plan *plan)
{
    (void)form, (void)machine;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    const int last = in->shape.rank - 1;
    multinomial *m = jm_arena_alloc(arena, 1, sizeof(*m));
    if (!m) return JM_OUT_OF_MEMORY;
    m->rows.count = 1;
    if (last) jm_walk_add(&m->rows, in->shape.dim[0], jm_byte_stride(in, 0), jm_byte_stride(out, 0), 0);
    m->dtype = in->dtype;
    m->count = in->shape.dim[last];
    m->samples = out->shape.dim[last];
    m->step = jm_byte_stride(in, last);
    m->out_step = jm_byte_stride(out, last);
    m->replacement = call->attr[1].i != 0;
    m->more = (uint64_t)call->attr[2].i;
    plan->state = m;
    plan->chunks = 1;
    size_t entries, values;
    if (!jm_size_mul((size_t)m->count, sizeof(double), &values) ||
        !jm_size_mul((size_t)m->samples, sizeof(jm_order_entry), &entries) || entries > SIZE_MAX - values)
        return jm_call_error(call, JM_OUT_OF_RANGE, "%lld weights are too many", (long long)m->count);
    plan->scratch = entries + values;
    return JM_OK;
}

/* The weights of a row as float64; false where they are no weights. */
static bool read_weights(const multinomial *m, const char *row, double *value)
{
    double sum = 0;
    for (int64_t i = 0; i < m->count; i++) {
        value[i] = jm_element_to_f64(m->dtype, row + i * m->step);
        if (!(value[i] >= 0)) return false;
        sum += value[i];
    }
    return sum > 0 && sum < INFINITY;
}

static int64_t pick_one(const multinomial *m, const double *value, double number)
{
    double sum = 0, below = 0;
    int64_t last = 0;
    for (int64_t i = 0; i < m->count; i++) sum += value[i];
    for (int64_t i = 0; i < m->count; i++) {
        if (value[i] == 0) continue;
        last = i;
        below += value[i];
        if (number * sum < below) break;
    }
    return last;
}

/* Without replacement: those whose exponential clocks of rate w ring first, that is the largest w / e. */
static void run_row(const multinomial *m, stream s, int64_t row, double *value, jm_order_entry *entry, char *out)
{
    for (int64_t i = 0; !m->replacement && i < m->count; i++)
        value[i] /= -log1p(-jm_philox_real(s.seed, s.offset, (uint64_t)(row * m->count + i))) + 0x1p-1000;
    if (!m->replacement)
        jm_order_select(JM_F64, (const char *)value, sizeof(*value), m->count, true, m->samples, entry);
    for (int64_t i = 0; i < m->samples; i++) {
        const int64_t chosen =
            m->replacement ? pick_one(m, value, jm_philox_real(s.seed, s.offset, (uint64_t)(row * m->samples + i)))
                           : entry[i].index;
        memcpy(out + i * m->out_step, &chosen, sizeof(chosen));
    }
}

static void run_multinomial(const jm_plan *plan, const jm_run *run)
{
    const multinomial *m = plan->state;
    const stream s = stream_of(run, m->more);
    jm_order_entry *entry = run->scratch;
    double *value = (double *)(void *)(entry + m->samples);
    for (int64_t i = 0; i < m->rows.count; i++) {
        int64_t offset[JM_WALK_STREAMS];
        jm_walk_at(&m->rows, i, offset);
        if (read_weights(m, (const char *)run->in[0] + offset[0], value))
            run_row(m, s, i, value, entry, (char *)run->out[0] + offset[1]);
        else
            atomic_store_explicit(run->fault, JM_INVALID_ARGUMENT, memory_order_relaxed);
    }
}

static const jm_param multinomial_param[] = {
    {"weights", JM_PARAM_INPUT, 0, .doc = "[n] or [rows, n], not negative, not all 0"},
    {"seed", JM_PARAM_INPUT, 0, .doc = "one int64: the key"},
    {"offset", JM_PARAM_INPUT, 0, .doc = "one int64: the stream"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "int64: [samples] or [rows, samples] indices"},
    {"samples", JM_PARAM_INT, 0, .doc = "how many of each row"},
    {"replacement", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: an index may come again"},
    {"more", JM_PARAM_INT, JM_OPTIONAL, .doc = "added to the offset"},
};

const jm_op jm_op_random_choice = {
    .name = "RandomChoice",
    .param = multinomial_param,
    .params = JM_COUNT(multinomial_param),
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "indices with probabilities in proportion to the weights",
    .source = "PyTorch multinomial",
    .check = check_stream,
    .infer = infer_multinomial,
    .forms = forms,
    .plan = plan_multinomial,
    .run = run_multinomial,
};
