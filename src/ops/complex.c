/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators on complex elements. jm_op_complex finds the one that stands for an operator of real elements: ComplexAdd
 * for Add. Elements are computed in float64 and rounded once; sums and products of matrices are those of the real and
 * the imaginary parts.
 */
#include "ops/complex.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ops/compose.h"
#include "ops/dense.h"
#include "ops/indexing.h"
#include "ops/matrix.h"
#include "ops/move.h"
#include "ops/reduce.h"

const jm_op *jm_op_complex(const jm_op *op)
{
    char name[64];
    snprintf(name, sizeof(name), "Complex%s", op->name);
    return jm_op_find(name);
}

/* ---- Element-wise ---- */

typedef struct number {
    double re, im;
} number;

typedef number (*arithmetic)(number a, number b);

static number add(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static number sub(number a, number b)
{
    return (number){a.re - b.re, a.im - b.im};
}

static number mul(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Scaled by the larger part of the divisor, which then cannot overflow on the way; 0 as divisor divides the parts. */
static number divide(number a, number b)
{
    if (fabs(b.re) >= fabs(b.im)) {
        if (b.re == 0 && b.im == 0) return (number){a.re / fabs(b.re), a.im / fabs(b.re)};
        const double ratio = b.im / b.re, scale = 1 / (b.re + b.im * ratio);
        return (number){(a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale};
    }
    const double ratio = b.re / b.im, scale = 1 / (b.re * ratio + b.im);
    return (number){(a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale};
}

static number equal(number a, number b)
{
    return (number){a.re == b.re && a.im == b.im, 0};
}

static number negate(number a, number b)
{
    (void)b;
    return (number){-a.re, -a.im};
}

static number reciprocal(number a, number b)
{
    (void)b;
    return divide((number){1, 0}, a);
}

static number magnitude(number a, number b)
{
    const double parts[2] = {a.re, a.im};
    (void)b;
    if (isinf(a.re) || isinf(a.im)) return (number){INFINITY, 0};
    return (number){a.re != a.re || a.im != a.im ? NAN : jm_dense_norm(parts, 2), 0};
}

static number same(number a, number b)
{
    (void)b;
    return a;
}

static number imaginary(number a, number b)
{
    (void)b;
    return (number){a.im, 0};
}

static number join(number a, number b)
{
    return (number){a.re, b.re};
}

typedef struct elements {
    arithmetic function;
    int inputs;
    jm_dtype dtype[2], out;
    jm_walk outer; /* all dimensions but the last; streams: input 0, input 1, output */
    int64_t length, step[JM_WALK_STREAMS], count;
    size_t chunks;
} elements;

static bool is_complex(jm_dtype dtype)
{
    return JM_DTYPES_COMPLEX >> dtype & 1;
}

static number read(jm_dtype dtype, const void *element)
{
    if (dtype == JM_C64) return (number){(double)((const float *)element)[0], (double)((const float *)element)[1]};
    if (dtype == JM_C128) return (number){((const double *)element)[0], ((const double *)element)[1]};
    return (number){jm_element_to_f64(dtype, element), 0};
}

static void write(jm_dtype dtype, number value, void *element)
{
    if (is_complex(dtype)) {
        const jm_dtype part = dtype == JM_C64 ? JM_F32 : JM_F64;
        jm_element_from_f64(part, value.re, element);
        jm_element_from_f64(part, value.im, (char *)element + jm_dtype_size(part));
    } else if (dtype == JM_BOOL) {
        *(uint8_t *)element = value.re != 0 || value.im != 0;
    } else {
        jm_element_from_f64(dtype, value.re, element);
    }
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    if (jm_dtype_size(call->out[0].dtype) == jm_dtype_size(call->in[0].dtype)) form[0].in_place = 0;
    return 1;
}

static jm_status plan_elements(const jm_call *call, const jm_machine *machine, jm_arena *arena, arithmetic function,
                               jm_plan *plan)
{
    const jm_shape *shape = &call->out[0].shape;
    elements *e = jm_arena_alloc(arena, 1, sizeof(*e));
    if (!e) return JM_OUT_OF_MEMORY;
    e->function = function;
    e->inputs = call->inputs;
    e->out = call->out[0].dtype;
    e->outer.count = e->length = 1;
    for (int k = 0; k < shape->rank; k++) {
        int64_t step[JM_WALK_STREAMS] = {0, 0, jm_byte_stride(&call->out[0], k)};
        for (int i = 0; i < call->inputs; i++) {
            const jm_tensor *in = &call->in[i];
            const int own = k - (shape->rank - in->shape.rank);
            if (own >= 0 && in->shape.dim[own] != 1) step[i] = jm_byte_stride(in, own);
        }
        if (k + 1 < shape->rank) {
            jm_walk_add(&e->outer, shape->dim[k], step[0], step[1], step[2]);
            continue;
        }
        e->length = shape->dim[k];
        memcpy(e->step, step, sizeof(step));
    }
    for (int i = 0; i < call->inputs; i++) e->dtype[i] = call->in[i].dtype;
    e->count = e->outer.count * e->length;
    e->chunks = plan->chunks = jm_chunk_count(machine, 48 * (double)e->count, e->count);
    plan->state = e;
    return JM_OK;
}

static void run_elements(const jm_plan *plan, const jm_run *run)
{
    const elements *e = plan->state;
    int64_t i, end;
    jm_chunk_range(e->count, e->chunks, run->chunk, &i, &end);
    while (i < end) {
        int64_t offset[JM_WALK_STREAMS];
        const int64_t first = i % e->length, last = JM_MIN(e->length, first + end - i);
        jm_walk_at(&e->outer, i / e->length, offset);
        for (int64_t c = first; c < last; c++) {
            number b = {0, 0};
            const number a = read(e->dtype[0], (const char *)run->in[0] + offset[0] + c * e->step[0]);
            if (e->inputs > 1) b = read(e->dtype[1], (const char *)run->in[1] + offset[1] + c * e->step[1]);
            write(e->out, e->function(a, b), (char *)run->out[0] + offset[2] + c * e->step[2]);
        }
        i += last - first;
    }
}

static jm_status infer_binary(jm_call *call)
{
    const jm_tensor *a = &call->in[0], *b = &call->in[1];
    if (a->dtype != b->dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "B is %s and A is %s", jm_dtype_text(b->dtype),
                             jm_dtype_text(a->dtype));
    call->out[0].dtype = a->dtype;
    return jm_shape_broadcast(&a->shape, &b->shape, &call->out[0].shape);
}

static jm_status infer_equal(jm_call *call)
{
    JM_TRY(infer_binary(call));
    call->out[0].dtype = JM_BOOL;
    return JM_OK;
}

static jm_status infer_parts(jm_call *call)
{
    JM_TRY(infer_binary(call));
    call->out[0].dtype = call->in[0].dtype == JM_F64 ? JM_C128 : JM_C64;
    return JM_OK;
}

/* A part of complex elements; of real ones, they themselves. */
static jm_status infer_part(jm_call *call)
{
    const jm_dtype dtype = call->in[0].dtype;
    JM_TRY(jm_infer_same(call));
    if (is_complex(dtype)) call->out[0].dtype = dtype == JM_C64 ? JM_F32 : JM_F64;
    return JM_OK;
}

static jm_status infer_cast(jm_call *call)
{
    JM_TRY(jm_infer_same(call));
    call->out[0].dtype = call->attr[0].dtype;
    return JM_OK;
}

#define PLAN(name)                                                                                                     \
    static jm_status plan_##name(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena, \
                                 jm_plan *plan)                                                                        \
    {                                                                                                                  \
        (void)form;                                                                                                    \
        return plan_elements(call, machine, arena, name, plan);                                                        \
    }

PLAN(add)
PLAN(sub)
PLAN(mul)
PLAN(divide)
PLAN(equal)
PLAN(negate)
PLAN(reciprocal)
PLAN(magnitude)
PLAN(same)
PLAN(imaginary)
PLAN(join)

static const jm_param binary_param[] = {
    {"A", JM_PARAM_INPUT, 0, .doc = "first operand"},
    {"B", JM_PARAM_INPUT, 0, .doc = "second operand, of the type of A"},
    {"C", JM_PARAM_OUTPUT, 0, .doc = "one element for each pair; shapes broadcast"},
};

static const jm_param unary_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "input"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "one element for each of X"},
};

static const jm_param cast_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "input"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "one element for each of X"},
    {"to", JM_PARAM_DTYPE, 0, .doc = "type of the output"},
};

#define REALS (JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_U64 | 1u << JM_BOOL)

#define ELEMENTS(symbol, text, params_, dtypes_, infer_, plan_, formula_, source_)                                     \
    const jm_op symbol = {.name = text,                                                                                \
                          .param = params_,                                                                            \
                          .params = JM_COUNT(params_),                                                                 \
                          .dtypes = dtypes_,                                                                           \
                          .formula = formula_,                                                                         \
                          .source = source_,                                                                           \
                          .pointwise = true,                                                                           \
                          .infer = infer_,                                                                             \
                          .forms = forms,                                                                              \
                          .plan = plan_,                                                                               \
                          .run = run_elements}

ELEMENTS(jm_op_complex_add, "ComplexAdd", binary_param, JM_DTYPES_COMPLEX, infer_binary, plan_add, "A + B",
         "PyTorch add");
ELEMENTS(jm_op_complex_sub, "ComplexSub", binary_param, JM_DTYPES_COMPLEX, infer_binary, plan_sub, "A - B",
         "PyTorch sub");
ELEMENTS(jm_op_complex_mul, "ComplexMul", binary_param, JM_DTYPES_COMPLEX, infer_binary, plan_mul, "A * B",
         "PyTorch mul");
ELEMENTS(jm_op_complex_div, "ComplexDiv", binary_param, JM_DTYPES_COMPLEX, infer_binary, plan_divide, "A / B",
         "PyTorch div");
ELEMENTS(jm_op_complex_equal, "ComplexEqual", binary_param, JM_DTYPES_COMPLEX, infer_equal, plan_equal, "A == B",
         "PyTorch eq");
ELEMENTS(jm_op_complex_neg, "ComplexNeg", unary_param, JM_DTYPES_COMPLEX, jm_infer_same, plan_negate, "-X",
         "PyTorch neg");
ELEMENTS(jm_op_complex_reciprocal, "ComplexReciprocal", unary_param, JM_DTYPES_COMPLEX, jm_infer_same, plan_reciprocal,
         "1 / X", "PyTorch reciprocal");
ELEMENTS(jm_op_complex_abs, "ComplexAbs", unary_param, JM_DTYPES_COMPLEX, infer_part, plan_magnitude,
         "sqrt(re(X)^2 + im(X)^2), without overflow on the way", "PyTorch abs");
ELEMENTS(jm_op_complex_identity, "ComplexIdentity", unary_param, JM_DTYPES_COMPLEX, jm_infer_same, plan_same, "X",
         "PyTorch clone");
ELEMENTS(jm_op_complex_cast, "ComplexCast", cast_param, REALS | JM_DTYPES_COMPLEX, infer_cast, plan_same,
         "X as another type: the real part of complex elements, real ones with an imaginary part of 0", "PyTorch to");
ELEMENTS(jm_op_complex_parts, "Complex", binary_param, 1u << JM_F32 | 1u << JM_F64, infer_parts, plan_join, "A + i B",
         "PyTorch complex");
ELEMENTS(jm_op_real, "Real", unary_param, JM_DTYPES_FLOAT | JM_DTYPES_COMPLEX, infer_part, plan_same,
         "the real part of X", "PyTorch real");
ELEMENTS(jm_op_imag, "Imag", unary_param, JM_DTYPES_COMPLEX, infer_part, plan_imaginary, "the imaginary part of X",
         "PyTorch imag");

/* ---- Sums, means and products of matrices ---- */

/* op(re(X)) + i op(im(X)). */
static jm_status lower_reduce(const jm_call *call, jm_builder *builder, const char *op)
{
    jm_compose c = {.builder = builder};
    jm_operand *x = jm_compose_input(&c, 0);
    jm_named_attr attr[2] = {{"axes", call->attr[0]}, {"keepdims", call->attr[1]}};
    const int skip = call->attr[0].present && call->attr[0].count > 0 ? 0 : 1;
    jm_operand *re = jm_compose_1(&c, "Real", x), *im = jm_compose_1(&c, "Imag", x);
    re = jm_compose_node(&c, op, &re, 1, attr + skip, 2 - skip);
    im = jm_compose_node(&c, op, &im, 1, attr + skip, 2 - skip);
    jm_compose_result(&c, 0, jm_compose_2(&c, "Complex", re, im));
    return jm_compose_end(&c);
}

static jm_status lower_sum(const jm_call *call, jm_builder *builder)
{
    return lower_reduce(call, builder, "ReduceSum");
}

static jm_status lower_mean(const jm_call *call, jm_builder *builder)
{
    return lower_reduce(call, builder, "ReduceMean");
}

static const jm_param reduce_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"reduced", JM_PARAM_OUTPUT, 0, .doc = "one element for each position of the other dimensions"},
    {"axes", JM_PARAM_INTS, JM_OPTIONAL, .doc = "in [-rank, rank); absent: all"},
    {"keepdims", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "1: reduced dimensions stay, as 1"},
};

const jm_op jm_op_complex_reduce_sum = {
    .name = "ComplexReduceSum",
    .param = reduce_param,
    .params = JM_COUNT(reduce_param),
    .dtypes = JM_DTYPES_COMPLEX,
    .formula = "sums over the axes",
    .source = "PyTorch sum",
    .infer = jm_reduce_infer,
    .lower = lower_sum,
};

const jm_op jm_op_complex_reduce_mean = {
    .name = "ComplexReduceMean",
    .param = reduce_param,
    .params = JM_COUNT(reduce_param),
    .dtypes = JM_DTYPES_COMPLEX,
    .formula = "means over the axes",
    .source = "PyTorch mean",
    .infer = jm_reduce_infer,
    .lower = lower_mean,
};

static jm_status infer_matmul(jm_call *call)
{
    call->out[0].dtype = call->in[0].dtype;
    return jm_matmul_shape(call, &call->in[0].shape, &call->in[1].shape, &call->out[0].shape);
}

static jm_status lower_matmul(const jm_call *call, jm_builder *builder)
{
    (void)call;
    jm_compose c = {.builder = builder};
    jm_operand *part[2][2], *product[2][2];
    for (int i = 0; i < 2; i++) {
        part[i][0] = jm_compose_1(&c, "Real", jm_compose_input(&c, i));
        part[i][1] = jm_compose_1(&c, "Imag", jm_compose_input(&c, i));
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) product[i][k] = jm_compose_2(&c, "MatMul", part[0][i], part[1][k]);
    jm_operand *re = jm_compose_2(&c, "Sub", product[0][0], product[1][1]);
    jm_operand *im = jm_compose_2(&c, "Add", product[0][1], product[1][0]);
    jm_compose_result(&c, 0, jm_compose_2(&c, "Complex", re, im));
    return jm_compose_end(&c);
}

const jm_op jm_op_complex_matmul = {
    .name = "ComplexMatMul",
    .param = binary_param,
    .params = JM_COUNT(binary_param),
    .dtypes = JM_DTYPES_COMPLEX,
    .formula = "products of matrices, with NumPy's rules for vectors and batches",
    .source = "PyTorch matmul",
    .infer = infer_matmul,
    .lower = lower_matmul,
};
