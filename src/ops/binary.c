/* SPDX-License-Identifier: Apache-2.0
 *
 * Element-wise operators with two or three broadcast inputs. Arithmetic on float32, float16 and bfloat16 uses the
 * vector kernels where the table names one; everything else is one plain loop per function and compute type.
 */
#include "ops/elementwise.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"

#define FLOATS JM_DTYPES_FLOAT
#define INTS JM_DTYPES_INT
#define BOOL (1u << JM_BOOL)
/* Wrap-around arithmetic and equality do not mind the sign. */
#define U64 (1u << JM_U64)

typedef void (*plain_function)(void *y, const void *a, size_t a_step, const void *b, size_t b_step, size_t n);

/* ---- Plain functions ---- */

#define PLAIN(name, in_type, out_type, expression)                                                                     \
    static void name(void *y_, const void *a_, size_t a_step, const void *b_, size_t b_step, size_t n)                 \
    {                                                                                                                  \
        size_t a_mask = a_step ? SIZE_MAX : JM_LANES - 1, b_mask = b_step ? SIZE_MAX : JM_LANES - 1;                   \
        for (size_t i = 0; i < n; i++) {                                                                               \
            in_type a = ((const in_type *)a_)[i & a_mask], b = ((const in_type *)b_)[i & b_mask];                      \
            ((out_type *)y_)[i] = (out_type)(expression);                                                              \
        }                                                                                                              \
    }

/* NaN if either is NaN. */
static double max_f64_of(double a, double b)
{
    return a > b || a != a ? a : b;
}
static double min_f64_of(double a, double b)
{
    return a < b || a != a ? a : b;
}

/* Total versions of C's division: x / 0 and x % 0 are 0, the smallest number by -1 wraps. */
static int64_t div_int(int64_t a, int64_t b)
{
    if (b == 0) return 0;
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b;
}
static int64_t mod_int(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}
/* With the sign of the divisor. */
static int64_t mod_floor_int(int64_t a, int64_t b)
{
    int64_t r = mod_int(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/* Wraps; a negative exponent truncates towards zero (0 to a negative power gives 0). */
static int64_t pow_int(int64_t a, int64_t b)
{
    if (b < 0) return a == 1 ? 1 : (a == -1 ? (b & 1 ? -1 : 1) : 0);
    uint64_t result = 1, base = (uint64_t)a;
    for (; b; b >>= 1, base *= base)
        if (b & 1) result *= base;
    return (int64_t)result;
}

/* A square is what most models ask for; it rounds as pow does. */
static float pow_f32_of(float a, float b)
{
    return b == 2 ? a * a : (float)pow((double)a, (double)b);
}

/* With the sign of the divisor, zeros too. */
static double mod_floor_f64_of(double a, double b)
{
    double r = fmod(a, b);
    if (r == 0) return copysign(0, b);
    return (r < 0) != (b < 0) ? r + b : r;
}

/* The floor of the exact quotient. Division of what fmod leaves is exact up to one rounding, which rint takes back. */
static double div_floor_f64_of(double a, double b)
{
    if (b == 0) return a / b;
    const double mod = fmod(a, b);
    double quotient = (a - mod) / b;
    if (mod != 0 && (b < 0) != (mod < 0)) quotient -= 1;
    return quotient == 0 ? copysign(0, a / b) : rint(quotient);
}
static int64_t div_floor_int(int64_t a, int64_t b)
{
    return div_int(a, b) - (mod_int(a, b) != 0 && (a < 0) != (b < 0));
}

/* log(exp(a) + exp(b)) without overflow. */
static double log_add_exp(double a, double b)
{
    if (isinf(a) && a == b) return a;
    return max_f64_of(a, b) + log1p(exp(-fabs(a - b)));
}

static double x_log_y(double a, double b)
{
    return a == 0 && !isnan(b) ? 0 : a * log(b);
}

/* Shifts past the width leave what the sign extends to; so do negative ones. */
static int64_t shift_right(int64_t a, int64_t b, int64_t bits)
{
    return b < 0 || b >= bits ? (a < 0 ? -1 : 0) : a >> b;
}
static uint64_t shift_left(uint64_t a, int64_t b, int64_t bits)
{
    return b < 0 || b >= bits ? 0 : a << b;
}

PLAIN(add_f64, double, double, a + b)
PLAIN(sub_f64, double, double, a - b)
PLAIN(mul_f64, double, double, a *b)
PLAIN(div_f64, double, double, a / b)
PLAIN(min_f64, double, double, min_f64_of(a, b))
PLAIN(max_f64, double, double, max_f64_of(a, b))
PLAIN(prelu_f64, double, double, a < 0 ? a * b : a)
PLAIN(fmod_f64, double, double, fmod(a, b))
PLAIN(pow_f64, double, double, pow(a, b))
PLAIN(mod_floor_f64, double, double, mod_floor_f64_of(a, b))
PLAIN(mod_floor_f32, float, float, mod_floor_f64_of((double)a, (double)b))
PLAIN(fmod_f32, float, float, fmodf(a, b))
PLAIN(pow_f32, float, float, pow_f32_of(a, b))

PLAIN(div_f32, float, float, a / b)
PLAIN(div_trunc_f32, float, float, truncf(a / b))
PLAIN(div_trunc_f64, double, double, trunc(a / b))
PLAIN(div_floor_f32, float, float, div_floor_f64_of((double)a, (double)b))
PLAIN(div_floor_f64, double, double, div_floor_f64_of(a, b))
PLAIN(atan2_f32, float, float, atan2((double)a, (double)b))
PLAIN(atan2_f64, double, double, atan2(a, b))
PLAIN(log_add_exp_f32, float, float, log_add_exp((double)a, (double)b))
PLAIN(log_add_exp_f64, double, double, log_add_exp(a, b))
PLAIN(x_log_y_f32, float, float, x_log_y((double)a, (double)b))
PLAIN(x_log_y_f64, double, double, x_log_y(a, b))

PLAIN(add_i32, int32_t, int32_t, (uint32_t)a + (uint32_t)b)
PLAIN(sub_i32, int32_t, int32_t, (uint32_t)a - (uint32_t)b)
PLAIN(mul_i32, int32_t, int32_t, (uint32_t)a *(uint32_t)b)
PLAIN(div_i32, int32_t, int32_t, div_int(a, b))
PLAIN(div_floor_i32, int32_t, int32_t, div_floor_int(a, b))
PLAIN(min_i32, int32_t, int32_t, JM_MIN(a, b))
PLAIN(max_i32, int32_t, int32_t, JM_MAX(a, b))
PLAIN(mod_i32, int32_t, int32_t, mod_int(a, b))
PLAIN(mod_floor_i32, int32_t, int32_t, mod_floor_int(a, b))
PLAIN(pow_i32, int32_t, int32_t, pow_int(a, b))

PLAIN(add_i64, int64_t, int64_t, (uint64_t)a + (uint64_t)b)
PLAIN(sub_i64, int64_t, int64_t, (uint64_t)a - (uint64_t)b)
PLAIN(mul_i64, int64_t, int64_t, (uint64_t)a *(uint64_t)b)
PLAIN(div_i64, int64_t, int64_t, div_int(a, b))
PLAIN(div_floor_i64, int64_t, int64_t, div_floor_int(a, b))
PLAIN(min_i64, int64_t, int64_t, JM_MIN(a, b))
PLAIN(max_i64, int64_t, int64_t, JM_MAX(a, b))
PLAIN(mod_i64, int64_t, int64_t, mod_int(a, b))
PLAIN(mod_floor_i64, int64_t, int64_t, mod_floor_int(a, b))
PLAIN(pow_i64, int64_t, int64_t, pow_int(a, b))

/* The others of uint64 compute on its bits as int64. */
PLAIN(div_u64, uint64_t, uint64_t, b ? a / b : 0)
PLAIN(min_u64, uint64_t, uint64_t, JM_MIN(a, b))
PLAIN(max_u64, uint64_t, uint64_t, JM_MAX(a, b))
PLAIN(mod_u64, uint64_t, uint64_t, b ? a % b : 0)
PLAIN(greater_u64, uint64_t, uint8_t, a > b)
PLAIN(greater_or_equal_u64, uint64_t, uint8_t, a >= b)
PLAIN(less_u64, uint64_t, uint8_t, a < b)
PLAIN(less_or_equal_u64, uint64_t, uint8_t, a <= b)
PLAIN(shift_right_u64, uint64_t, uint64_t, b < 64 ? a >> b : 0)

PLAIN(bitwise_and_i32, int32_t, int32_t, a &b)
PLAIN(bitwise_and_i64, int64_t, int64_t, a &b)
PLAIN(bitwise_or_i32, int32_t, int32_t, a | b)
PLAIN(bitwise_or_i64, int64_t, int64_t, a | b)
PLAIN(bitwise_xor_i32, int32_t, int32_t, a ^ b)
PLAIN(bitwise_xor_i64, int64_t, int64_t, a ^ b)
PLAIN(shift_right_i32, int32_t, int32_t, shift_right(a, b, 32))
PLAIN(shift_right_i64, int64_t, int64_t, shift_right(a, b, 64))
PLAIN(shift_left_i32, int32_t, int32_t, (uint32_t)shift_left((uint64_t)a, b, 32))
PLAIN(shift_left_i64, int64_t, int64_t, shift_left((uint64_t)a, b, 64))

PLAIN(equal_f32, float, uint8_t, a == b)
PLAIN(equal_f64, double, uint8_t, a == b)
PLAIN(equal_i32, int32_t, uint8_t, a == b)
PLAIN(equal_i64, int64_t, uint8_t, a == b)
PLAIN(greater_f32, float, uint8_t, a > b)
PLAIN(greater_f64, double, uint8_t, a > b)
PLAIN(greater_i32, int32_t, uint8_t, a > b)
PLAIN(greater_i64, int64_t, uint8_t, a > b)
PLAIN(greater_or_equal_f32, float, uint8_t, a >= b)
PLAIN(greater_or_equal_f64, double, uint8_t, a >= b)
PLAIN(greater_or_equal_i32, int32_t, uint8_t, a >= b)
PLAIN(greater_or_equal_i64, int64_t, uint8_t, a >= b)
PLAIN(less_f32, float, uint8_t, a < b)
PLAIN(less_f64, double, uint8_t, a < b)
PLAIN(less_i32, int32_t, uint8_t, a < b)
PLAIN(less_i64, int64_t, uint8_t, a < b)
PLAIN(less_or_equal_f32, float, uint8_t, a <= b)
PLAIN(less_or_equal_f64, double, uint8_t, a <= b)
PLAIN(less_or_equal_i32, int32_t, uint8_t, a <= b)
PLAIN(less_or_equal_i64, int64_t, uint8_t, a <= b)
PLAIN(and_i32, int32_t, uint8_t, a &&b)
PLAIN(or_i32, int32_t, uint8_t, a || b)
PLAIN(xor_i32, int32_t, uint8_t, !a != !b)

/* ---- Shapes ---- */

static jm_status broadcast(const jm_call *call, const jm_shape *a, const jm_shape *b, jm_shape *out)
{
    char a_text[JM_SHAPE_TEXT], b_text[JM_SHAPE_TEXT];
    if (jm_shape_broadcast(a, b, out) == JM_OK) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "shapes %s and %s do not broadcast", jm_shape_text(a, a_text),
                         jm_shape_text(b, b_text));
}

static jm_status infer_arithmetic(jm_call *call)
{
    call->out[0].dtype = call->in[0].dtype;
    return broadcast(call, &call->in[0].shape, &call->in[1].shape, &call->out[0].shape);
}

static jm_status infer_logic(jm_call *call)
{
    JM_TRY(infer_arithmetic(call));
    call->out[0].dtype = JM_BOOL;
    return JM_OK;
}

static jm_status check_same_dtypes(const jm_call *call)
{
    if (call->in[0].dtype == call->in[1].dtype) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "the inputs are %s and %s and must have the same type",
                         jm_dtype_text(call->in[0].dtype), jm_dtype_text(call->in[1].dtype));
}

/* The slope broadcasts to the input, not the other way round. */
static jm_status check_prelu(const jm_call *call)
{
    jm_shape shape;
    JM_TRY(broadcast(call, &call->in[0].shape, &call->in[1].shape, &shape));
    for (int k = 0; k < shape.rank; k++)
        if (shape.rank != call->in[0].shape.rank ||
            (call->in[0].shape.dim[k] >= 0 && shape.dim[k] != call->in[0].shape.dim[k]))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "the slope must broadcast to the shape of X");
    return JM_OK;
}

static bool shifts_left(const jm_call *call)
{
    return strcmp(call->attr[0].s, "LEFT") == 0;
}

static jm_status check_shift(const jm_call *call)
{
    if (shifts_left(call) || strcmp(call->attr[0].s, "RIGHT") == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "direction is '%s' and must be LEFT or RIGHT", call->attr[0].s);
}

static const char *const roundings[] = {"none", "trunc", "floor"};

static int rounding_of(const jm_call *call)
{
    int i = (int)JM_COUNT(roundings) - 1;
    while (i >= 0 && strcmp(call->attr[0].s, roundings[i]) != 0) i--;
    return i;
}

static jm_status check_div_round(const jm_call *call)
{
    JM_TRY(check_same_dtypes(call));
    if (rounding_of(call) >= 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "rounding is '%s' and must be none, trunc or floor",
                         call->attr[0].s);
}

static bool divides_ints_exactly(const jm_call *call)
{
    return rounding_of(call) == 0 && !(FLOATS >> call->in[0].dtype & 1);
}

static jm_status infer_div_round(jm_call *call)
{
    JM_TRY(infer_arithmetic(call));
    if (divides_ints_exactly(call)) call->out[0].dtype = JM_F32;
    return JM_OK;
}

static jm_status check_pow(const jm_call *call)
{
    if ((FLOATS | INTS | U64) >> call->in[1].dtype & 1) return JM_OK;
    return jm_call_error(call, JM_UNSUPPORTED, "the exponent cannot be %s", jm_dtype_text(call->in[1].dtype));
}

/* ---- Operators ---- */

static int binary_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS]);
static jm_status binary_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan);
static void binary_run(const jm_plan *plan, const jm_run *run);

static const jm_param two_param[] = {
    {.name = "A", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "first operand"},
    {.name = "B", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "second operand"},
    {.name = "C", .kind = JM_PARAM_OUTPUT, .doc = "A and B broadcast"},
};
static const jm_param mod_param[] = {
    {.name = "A", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "first operand"},
    {.name = "B", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "second operand"},
    {.name = "C", .kind = JM_PARAM_OUTPUT, .doc = "A and B broadcast"},
    {.name = "fmod", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 0, .doc = "1: sign of A, 0: sign of B"},
};
static const jm_param div_round_param[] = {
    {.name = "A", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "dividend"},
    {.name = "B", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "divisor, of the type of A"},
    {.name = "C", .kind = JM_PARAM_OUTPUT, .doc = "A and B broadcast; float32 for integers without rounding"},
    {.name = "rounding", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "none", .doc = "none, trunc or floor"},
};
static const jm_param shift_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "bits"},
    {.name = "Y", .kind = JM_PARAM_INPUT, .doc = "how far"},
    {.name = "Z", .kind = JM_PARAM_OUTPUT, .doc = "X and Y broadcast"},
    {.name = "direction", .kind = JM_PARAM_STRING, .doc = "LEFT or RIGHT"},
};
static const jm_param pow_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "exponent, of any type"},
    {.name = "Z", .kind = JM_PARAM_OUTPUT, .doc = "X and Y broadcast"},
};
static const jm_param prelu_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "slope", .kind = JM_PARAM_INPUT, .flags = JM_PACKABLE, .doc = "slope below zero; broadcasts to X"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
};

#define BINARY(symbol, text, table_of_params, rule, types, infer_call, formula_text, source_text, ...)                 \
    const jm_op symbol = {.name = text,                                                                                \
                          .param = table_of_params,                                                                    \
                          .params = JM_COUNT(table_of_params),                                                         \
                          .dtype_rule = rule,                                                                          \
                          .dtypes = types,                                                                             \
                          .formula = formula_text,                                                                     \
                          .source = source_text,                                                                       \
                          .pointwise = true,                                                                           \
                          .infer = infer_call,                                                                         \
                          .forms = binary_forms,                                                                       \
                          .pack_bytes = jm_elementwise_pack_bytes,                                                     \
                          .pack = jm_elementwise_pack,                                                                 \
                          .plan = binary_plan,                                                                         \
                          .run = binary_run,                                                                           \
                          __VA_ARGS__}
#define ARITHMETIC(symbol, text, table_of_params, types, formula_text, source_text, ...)                               \
    BINARY(symbol, text, table_of_params, JM_DTYPE_SAME, types, infer_arithmetic, formula_text, source_text,           \
           __VA_ARGS__)
#define LOGIC(symbol, text, types, formula_text, source_text)                                                          \
    BINARY(symbol, text, two_param, JM_DTYPE_ANY, types, infer_logic, formula_text, source_text,                       \
           .check = check_same_dtypes)

ARITHMETIC(jm_op_add, "Add", two_param, FLOATS | INTS | U64, "a + b; integers wrap", "ONNX Add-14", );
ARITHMETIC(jm_op_sub, "Sub", two_param, FLOATS | INTS | U64, "a - b; integers wrap", "ONNX Sub-14", );
ARITHMETIC(jm_op_mul, "Mul", two_param, FLOATS | INTS | U64, "a b; integers wrap", "ONNX Mul-14", );
ARITHMETIC(jm_op_div, "Div", two_param, FLOATS | INTS | U64, "a / b; integers truncate, x / 0 = 0", "ONNX Div-14", );
ARITHMETIC(jm_op_min, "Min", two_param, FLOATS | INTS | U64, "min(a, b); NaN if either is NaN", "ONNX Min-13", );
ARITHMETIC(jm_op_max, "Max", two_param, FLOATS | INTS | U64, "max(a, b); NaN if either is NaN", "ONNX Max-13", );
ARITHMETIC(jm_op_prelu, "PRelu", prelu_param, FLOATS, "x < 0 ? slope x : x", "ONNX PRelu-16", .check = check_prelu);
ARITHMETIC(jm_op_mod, "Mod", mod_param, FLOATS | INTS | U64, "a mod b; x mod 0 = 0 for integers", "ONNX Mod-13", );
BINARY(jm_op_div_round, "DivRound", div_round_param, JM_DTYPE_ANY, FLOATS | INTS | U64, infer_div_round,
       "a / b, its integer part or its floor; x / 0 = 0 for rounded integers", "PyTorch div", .check = check_div_round);
ARITHMETIC(jm_op_atan2, "Atan2", two_param, FLOATS, "the angle of the point (b, a)", "PyTorch atan2", );
ARITHMETIC(jm_op_log_add_exp, "LogAddExp", two_param, FLOATS, "log(exp(a) + exp(b))", "PyTorch logaddexp", );
ARITHMETIC(jm_op_x_log_y, "XLogY", two_param, FLOATS, "a log(b), 0 where a is 0; NaN where b is", "PyTorch xlogy", );
ARITHMETIC(jm_op_bitwise_and, "BitwiseAnd", two_param, INTS | U64, "a and b, bit by bit", "ONNX BitwiseAnd-18", );
ARITHMETIC(jm_op_bitwise_or, "BitwiseOr", two_param, INTS | U64, "a or b, bit by bit", "ONNX BitwiseOr-18", );
ARITHMETIC(jm_op_bitwise_xor, "BitwiseXor", two_param, INTS | U64, "a xor b, bit by bit", "ONNX BitwiseXor-18", );
ARITHMETIC(jm_op_bit_shift, "BitShift", shift_param, INTS | U64,
           "x << y or x >> y; the sign is extended, y outside the width shifts all bits out", "ONNX BitShift-11",
           .check = check_shift);
BINARY(jm_op_pow, "Pow", pow_param, JM_DTYPE_ANY, FLOATS | INTS, infer_arithmetic,
       "x ^ y, in the type of x; integers wrap", "ONNX Pow-15", .check = check_pow);
LOGIC(jm_op_equal, "Equal", FLOATS | INTS | U64 | BOOL, "a == b", "ONNX Equal-13");
LOGIC(jm_op_greater, "Greater", FLOATS | INTS | U64, "a > b", "ONNX Greater-13");
LOGIC(jm_op_greater_or_equal, "GreaterOrEqual", FLOATS | INTS | U64, "a >= b", "ONNX GreaterOrEqual-16");
LOGIC(jm_op_less, "Less", FLOATS | INTS | U64, "a < b", "ONNX Less-13");
LOGIC(jm_op_less_or_equal, "LessOrEqual", FLOATS | INTS | U64, "a <= b", "ONNX LessOrEqual-16");
LOGIC(jm_op_and, "And", BOOL, "a and b", "ONNX And-7");
LOGIC(jm_op_or, "Or", BOOL, "a or b", "ONNX Or-7");
LOGIC(jm_op_xor, "Xor", BOOL, "a xor b", "ONNX Xor-7");

/* How each operator computes; `ns` is the time of a float32 element. */
static const struct binary {
    const jm_op *op;
    double ns;
    int kernel; /* jm_binary, or -1: f32 */
    plain_function f32, f64, i32, i64;
} table[] = {
    {&jm_op_add, 0.02, JM_BINARY_ADD, NULL, add_f64, add_i32, add_i64},
    {&jm_op_sub, 0.02, JM_BINARY_SUB, NULL, sub_f64, sub_i32, sub_i64},
    {&jm_op_mul, 0.02, JM_BINARY_MUL, NULL, mul_f64, mul_i32, mul_i64},
    {&jm_op_div, 0.1, JM_BINARY_DIV, NULL, div_f64, div_i32, div_i64},
    {&jm_op_min, 0.02, JM_BINARY_MIN, NULL, min_f64, min_i32, min_i64},
    {&jm_op_max, 0.02, JM_BINARY_MAX, NULL, max_f64, max_i32, max_i64},
    {&jm_op_prelu, 0.02, JM_BINARY_PRELU, NULL, prelu_f64, NULL, NULL},
    {&jm_op_mod, 10, -1, fmod_f32, fmod_f64, mod_i32, mod_i64},
    {&jm_op_div_round, 10, -1, div_f32, div_f64, div_i32, div_i64},
    {&jm_op_atan2, 20, -1, atan2_f32, atan2_f64, NULL, NULL},
    {&jm_op_log_add_exp, 40, -1, log_add_exp_f32, log_add_exp_f64, NULL, NULL},
    {&jm_op_x_log_y, 20, -1, x_log_y_f32, x_log_y_f64, NULL, NULL},
    {&jm_op_pow, 20, -1, pow_f32, pow_f64, pow_i32, pow_i64},
    {&jm_op_equal, 0.5, -1, equal_f32, equal_f64, equal_i32, equal_i64},
    {&jm_op_greater, 0.5, -1, greater_f32, greater_f64, greater_i32, greater_i64},
    {&jm_op_greater_or_equal, 0.5, -1, greater_or_equal_f32, greater_or_equal_f64, greater_or_equal_i32,
     greater_or_equal_i64},
    {&jm_op_less, 0.5, -1, less_f32, less_f64, less_i32, less_i64},
    {&jm_op_less_or_equal, 0.5, -1, less_or_equal_f32, less_or_equal_f64, less_or_equal_i32, less_or_equal_i64},
    {&jm_op_and, 1, -1, NULL, NULL, and_i32, NULL},
    {&jm_op_or, 1, -1, NULL, NULL, or_i32, NULL},
    {&jm_op_xor, 1, -1, NULL, NULL, xor_i32, NULL},
    {&jm_op_bitwise_and, 1, -1, NULL, NULL, bitwise_and_i32, bitwise_and_i64},
    {&jm_op_bitwise_or, 1, -1, NULL, NULL, bitwise_or_i32, bitwise_or_i64},
    {&jm_op_bitwise_xor, 1, -1, NULL, NULL, bitwise_xor_i32, bitwise_xor_i64},
    {&jm_op_bit_shift, 1, -1, NULL, NULL, shift_right_i32, shift_right_i64},
};

/* Where the order of uint64 counts. */
static const struct unsigned_binary {
    const jm_op *op;
    plain_function u64;
} unsigned_table[] = {
    {&jm_op_div, div_u64},
    {&jm_op_div_round, div_u64},
    {&jm_op_min, min_u64},
    {&jm_op_max, max_u64},
    {&jm_op_mod, mod_u64},
    {&jm_op_greater, greater_u64},
    {&jm_op_greater_or_equal, greater_or_equal_u64},
    {&jm_op_less, less_u64},
    {&jm_op_less_or_equal, less_or_equal_u64},
    {&jm_op_bit_shift, shift_right_u64},
};

static const struct binary *find(const jm_op *op)
{
    const struct binary *row = table;
    while (row->op != op) row++;
    return row;
}

static int binary_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    return jm_elementwise_forms(call, 2, find(call->op)->ns, forms);
}

/* Exactly one of f32 and plain is set. */
struct binary_state {
    jm_elementwise walk;
    void (*f32)(float *y, const float *a, size_t a_step, const float *b, size_t b_step, size_t n);
    plain_function plain;
};

/* float64 exponents, and integers to a floating-point power, are computed in double precision. */
static jm_dtype compute_dtype(const jm_call *call)
{
    jm_dtype a = jm_compute_dtype(call->in[0].dtype), b = jm_compute_dtype(call->in[1].dtype);
    if (call->op == &jm_op_div_round && divides_ints_exactly(call)) return JM_F32;
    if (b == JM_F64) return b;
    if (a == b || a == JM_F32 || a == JM_F64) return a;
    return b == JM_F32 ? JM_F64 : JM_I64;
}

/* The plain loop of a call; attributes may choose another than the table. */
static plain_function plain_loop(const jm_call *call, const struct binary *row, jm_dtype compute)
{
    const bool floor_mod = call->op == &jm_op_mod && !call->attr[0].i;
    const int rounding = call->op == &jm_op_div_round ? rounding_of(call) : 0;
    const bool left = call->op == &jm_op_bit_shift && shifts_left(call);
    switch (compute) {
    case JM_F32:
        if (rounding) return rounding == 1 ? div_trunc_f32 : div_floor_f32;
        return floor_mod ? mod_floor_f32 : row->f32;
    case JM_F64:
        if (rounding) return rounding == 1 ? div_trunc_f64 : div_floor_f64;
        return floor_mod ? mod_floor_f64 : row->f64;
    case JM_I64:
        if (left) return shift_left_i64;
        for (size_t i = 0; call->in[0].dtype == JM_U64 && i < JM_COUNT(unsigned_table); i++)
            if (unsigned_table[i].op == call->op) return unsigned_table[i].u64;
        if (rounding == 2) return div_floor_i64;
        return floor_mod ? mod_floor_i64 : row->i64;
    default:
        if (left) return shift_left_i32;
        if (rounding == 2) return div_floor_i32;
        return floor_mod ? mod_floor_i32 : row->i32;
    }
}

static jm_status binary_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    const struct binary *row = find(call->op);
    struct binary_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    jm_dtype compute = compute_dtype(call);
    if (compute == JM_F32 && row->kernel >= 0)
        state->f32 = machine->kernels->pointwise.binary[row->kernel];
    else
        state->plain = plain_loop(call, row, compute);
    if (!state->plain && !state->f32)
        return jm_call_error(call, JM_UNSUPPORTED, "%s is not supported", jm_dtype_text(call->in[0].dtype));
    jm_dtype result = call->out[0].dtype == JM_BOOL ? JM_BOOL : compute;
    return jm_elementwise_plan(call, 2, (jm_dtype[]){result, compute, compute}, &state->walk, plan);
}

static void binary_rows(const void *context, void *y, const void *const in[JM_ELEMENTWISE_INPUTS],
                        const size_t step[JM_ELEMENTWISE_INPUTS], size_t n)
{
    const struct binary_state *state = context;
    if (state->f32)
        state->f32(y, in[0], step[0], in[1], step[1], n);
    else
        state->plain(y, in[0], step[0], in[1], step[1], n);
}

static void binary_run(const jm_plan *plan, const jm_run *run)
{
    const struct binary_state *state = plan->state;
    jm_elementwise_run(&state->walk, run, binary_rows, state);
}

/* ---- Where ---- */

struct where_state {
    jm_elementwise walk;
    size_t size; /* bytes of an element */
};

static const jm_param where_param[] = {
    {.name = "condition", .kind = JM_PARAM_INPUT, .doc = "bool"},
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_INPUT, .doc = "taken where false"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "the three inputs broadcast"},
};

static jm_status check_where(const jm_call *call)
{
    if (call->in[0].dtype != JM_BOOL)
        return jm_call_error(call, JM_UNSUPPORTED, "input 'condition' cannot be %s", jm_dtype_text(call->in[0].dtype));
    if (call->in[1].dtype == call->in[2].dtype) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "X is %s and Y is %s; they must have the same type",
                         jm_dtype_text(call->in[1].dtype), jm_dtype_text(call->in[2].dtype));
}

static jm_status infer_where(jm_call *call)
{
    jm_shape shape;
    JM_TRY(broadcast(call, &call->in[0].shape, &call->in[1].shape, &shape));
    call->out[0].dtype = call->in[1].dtype;
    return broadcast(call, &shape, &call->in[2].shape, &call->out[0].shape);
}

static int where_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    return jm_elementwise_forms(call, 3, 1, forms);
}

static jm_status where_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form, (void)machine;
    struct where_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    jm_dtype dtype = call->in[1].dtype;
    state->size = jm_dtype_size(dtype);
    return jm_elementwise_plan(call, 3, (jm_dtype[]){dtype, JM_BOOL, dtype, dtype}, &state->walk, plan);
}

static void where_rows(const void *context, void *y_, const void *const in[JM_ELEMENTWISE_INPUTS],
                       const size_t step[JM_ELEMENTWISE_INPUTS], size_t n)
{
    const struct where_state *state = context;
    const uint8_t *condition = in[0];
    char *y = y_;
    size_t mask[JM_ELEMENTWISE_INPUTS];
    for (int i = 0; i < JM_ELEMENTWISE_INPUTS; i++) mask[i] = step[i] ? SIZE_MAX : JM_LANES - 1;
#define WHERE_LOOP(bytes)                                                                                              \
    for (size_t i = 0; i < n; i++) {                                                                                   \
        int pick = condition[i & mask[0]] ? 1 : 2;                                                                     \
        memmove(y + i * bytes, (const char *)in[pick] + (i & mask[pick]) * bytes, bytes);                              \
    }
    switch (state->size) {
    case 1:
        WHERE_LOOP(1)
        break;
    case 2:
        WHERE_LOOP(2)
        break;
    case 4:
        WHERE_LOOP(4)
        break;
    case 8:
        WHERE_LOOP(8)
        break;
    default:
        WHERE_LOOP(16)
        break;
    }
#undef WHERE_LOOP
}

static void where_run(const jm_plan *plan, const jm_run *run)
{
    const struct where_state *state = plan->state;
    jm_elementwise_run(&state->walk, run, where_rows, state);
}

const jm_op jm_op_where = {
    .name = "Where",
    .param = where_param,
    .params = JM_COUNT(where_param),
    .dtype_rule = JM_DTYPE_ANY,
    .dtypes = JM_DTYPES_ANY,
    .formula = "condition ? x : y",
    .source = "ONNX Where-16",
    .pointwise = true,
    .check = check_where,
    .infer = infer_where,
    .forms = where_forms,
    .plan = where_plan,
    .run = where_run,
};
