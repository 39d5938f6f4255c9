/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules that every operator keeps, whoever wrote it: a well-formed description, and an error instead of a crash for
 * any arguments at all.
 */
#include "op_test.h"
#include "test.h"

#include "kernels/kernels.h"

#include <ctype.h>

static uint64_t seed;
static const jm_kernels *kernels;

static const jm_dtype dtypes[] = {
#define DTYPE(name, number, bytes, text) name,
    JM_DTYPE_LIST(DTYPE)
#undef DTYPE
};

#define EACH_OP(op)                                                                                                    \
    int ops_;                                                                                                          \
    const jm_op *const *all_ = jm_op_all(&ops_);                                                                       \
    for (const jm_op *op; ops_ > 0 && (op = all_[--ops_]);)

static void names_are_unique(void **state)
{
    (void)state;
    int count;
    const jm_op *const *all = jm_op_all(&count);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) assert_ptr_equal(jm_op_find(all[i]->name), all[i]);
    assert_null(jm_op_find("NoSuchOperator"));
    assert_null(jm_op_find(""));
}

static void check_param(const jm_op *op, int i)
{
    const jm_param *param = &op->param[i];
    bool tensor = param->kind == JM_PARAM_INPUT || param->kind == JM_PARAM_OUTPUT;
    if (!param->name || !*param->name) fail_msg("%s: parameter %d has no name", op->name, i);
    if (!param->doc || !*param->doc) fail_msg("%s.%s has no doc", op->name, param->name);
    for (int j = 0; j < i; j++)
        if (op->param[j].kind == param->kind && strcmp(op->param[j].name, param->name) == 0)
            fail_msg("%s.%s is there twice", op->name, param->name);
    int rank = tensor ? (int)param->kind : 2;
    int before = i == 0 ? 0 : (int)JM_MIN(op->param[i - 1].kind, 2);
    if (rank < before) fail_msg("%s.%s: the order is inputs, outputs, attributes", op->name, param->name);
    if (!tensor && param->flags & (JM_VARIADIC | JM_HOST | JM_PACKABLE))
        fail_msg("%s.%s: a flag of tensors on an attribute", op->name, param->name);
    bool last = i + 1 == op->params || op->param[i + 1].kind != param->kind;
    if (param->flags & JM_VARIADIC && !last) fail_msg("%s.%s: only the last may be variadic", op->name, param->name);
    if (param->kind == JM_PARAM_OUTPUT && param->flags & (JM_HOST | JM_PACKABLE))
        fail_msg("%s.%s: a flag of inputs on an output", op->name, param->name);
}

static void descriptions_are_complete(void **state)
{
    (void)state;
    EACH_OP(op)
    {
        if (!op->name || !isupper((unsigned char)op->name[0])) fail_msg("'%s' is no operator name", op->name);
        if (!op->formula || !op->source) fail_msg("%s: formula or source is missing", op->name);
        if (!op->infer) fail_msg("%s: infer is missing", op->name);
        if (!op->lower && !(op->plan && op->run)) fail_msg("%s: neither lower nor plan and run", op->name);
        if ((op->pack == NULL) != (op->pack_bytes == NULL)) fail_msg("%s: pack and pack_bytes go together", op->name);
        if (jm_op_outputs(op) < 1) fail_msg("%s has no output", op->name);
        assert_int_equal(jm_op_inputs(op) + jm_op_outputs(op) + jm_op_attrs(op), op->params);
        for (int i = 0; i < op->params; i++) check_param(op, i);
        for (int i = 0; i < jm_op_attrs(op); i++) assert_int_equal(jm_op_attr_index(op, jm_op_attr(op, i)->name), i);
        assert_int_equal(jm_op_attr_index(op, "no such attribute"), -1);
    }
}

/* ---- Garbage in ---- */

static jm_shape random_shape(uint64_t *random)
{
    static const int64_t odd[] = {-1, 0, 1, (int64_t)1 << 40, INT64_MAX, INT64_MIN, -2};
    jm_shape shape = op_test_shape(random, (int)op_random_int(random, 0, 6), 1, 7, 2000);
    if (op_random_int(random, 0, 9) == 0) shape.rank = (int)op_random_int(random, -1, JM_MAX_RANK + 1);
    for (int k = 0; k < JM_MIN(shape.rank, JM_MAX_RANK); k++) {
        if (shape.dim[k] == 0 || shape.dim[k] > 7) shape.dim[k] = 1;
        if (op_random_int(random, 0, 29) == 0) shape.dim[k] = odd[op_random_int(random, 0, JM_COUNT(odd) - 1)];
    }
    return shape;
}

static jm_dtype random_dtype(uint64_t *random, const jm_op *op)
{
    if (op_random_int(random, 0, 29) == 0) return (jm_dtype)op_random_int(random, -2, 40);
    jm_dtype dtype = dtypes[op_random_int(random, 0, JM_COUNT(dtypes) - 1)];
    while (op->dtypes && !(op->dtypes >> dtype & 1)) dtype = dtypes[op_random_int(random, 0, JM_COUNT(dtypes) - 1)];
    return dtype;
}

static int64_t random_int(uint64_t *random)
{
    static const int64_t odd[] = {INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, (int64_t)1 << 40, 1000};
    if (op_random_int(random, 0, 19) == 0) return odd[op_random_int(random, 0, JM_COUNT(odd) - 1)];
    return op_random_int(random, -3, 5);
}

/* A small host input: integers that are often sensible. */
static jm_tensor random_host(op_test *t, const jm_param *param, uint64_t *random)
{
    (void)param;
    int64_t values[JM_MAX_RANK * 2 + 1];
    int count = (int)op_random_int(random, 0, JM_COUNT(values));
    if (op_random(random) & 1) count = (int)op_random_int(random, 0, 5);
    for (int i = 0; i < count; i++) values[i] = random_int(random);
    jm_shape shape = {.rank = 1, .dim = {count}};
    if (count == 1) shape.rank = (int)op_random_int(random, 0, 1);
    jm_tensor tensor = op_test_constant(t, JM_I64, &shape, values);
    tensor.constant = op_random_int(random, 0, 19) != 0;
    return tensor;
}

static jm_tensor random_tensor(op_test *t, jm_dtype dtype, const jm_shape *like, uint64_t *random)
{
    jm_shape shape = op_random(random) & 1 ? *like : random_shape(random);
    jm_tensor tensor;
    bool usable = shape.rank >= 0 && shape.rank <= JM_MAX_RANK && jm_dtype_size(dtype) > 0;
    int64_t count;
    usable = usable && jm_shape_known(&shape) && jm_tensor_init(&tensor, dtype, &shape, JM_PLAIN, NULL) == JM_OK;
    if (usable && jm_shape_count(&shape, &count) == JM_OK && count <= 100000) {
        tensor = op_test_tensor(t, dtype, &shape, random);
        /* Small integers, so that indices are right now and then. */
        if (dtype == JM_I64 || dtype == JM_I32)
            for (int64_t i = 0; i < count; i++)
                jm_element_from_i64(dtype, random_int(random), (char *)tensor.data + (size_t)i * jm_dtype_size(dtype));
        tensor.constant = op_random(random) & 1;
        return tensor;
    }
    tensor = (jm_tensor){.dtype = dtype, .shape = shape};
    return tensor;
}

static void random_attr(op_test *t, int i, uint64_t *random)
{
    static const char *const text[] = {"", "constant", "reflect", "edge", "linear", "nearest", "floor", "add", "zzz"};
    const jm_param *param = jm_op_attr(t->op, i);
    if (op_random_int(random, 0, 2) == 0) return;
    switch (param->kind) {
    case JM_PARAM_INT:
        op_test_int(t, param->name, random_int(random));
        break;
    case JM_PARAM_FLOAT:
        op_test_float(t, param->name, (double)random_int(random));
        break;
    case JM_PARAM_STRING:
        op_test_string(t, param->name, text[op_random_int(random, 0, JM_COUNT(text) - 1)]);
        break;
    case JM_PARAM_INTS: {
        int64_t values[10];
        int count = (int)op_random_int(random, 0, JM_COUNT(values));
        for (int k = 0; k < count; k++) values[k] = random_int(random);
        op_test_ints(t, param->name, values, count);
        break;
    }
    case JM_PARAM_FLOATS: {
        static const double values[] = {0, 1, -1, 1e300};
        op_test_ints(t, param->name, NULL, 0);
        t->attr[i].floats = values;
        t->attr[i].count = (int32_t)op_random_int(random, 0, JM_COUNT(values));
        break;
    }
    case JM_PARAM_DTYPE:
        op_test_dtype(t, param->name, random_dtype(random, t->op));
        break;
    case JM_PARAM_EPILOGUE: {
        jm_epilogue epilogue = {.activation = (jm_activation)op_random_int(random, 0, JM_ACT_COUNT),
                                .residual = (jm_residual)op_random_int(random, 0, 3)};
        op_test_epilogue(t, param->name, epilogue);
        break;
    }
    default:
        break;
    }
}

static void random_call(op_test *t, uint64_t *random)
{
    const jm_op *op = t->op;
    int params = jm_op_inputs(op);
    jm_shape like = random_shape(random);
    jm_dtype dtype = random_dtype(random, op);
    int inputs = params;
    if (params && jm_op_input(op, params - 1)->flags & JM_VARIADIC) inputs += (int)op_random_int(random, -1, 3);
    if (op_random_int(random, 0, 19) == 0) inputs = (int)op_random_int(random, 0, params + 1);
    for (int i = 0; i < inputs; i++) {
        const jm_param *param = i < params ? jm_op_input(op, i) : jm_op_input(op, params - 1);
        if (param->flags & JM_OPTIONAL && op_random(random) & 1)
            op_test_absent(t);
        else if (param->flags & JM_HOST)
            op_test_input(t, random_host(t, param, random));
        else
            op_test_input(
                t, random_tensor(t, op_random_int(random, 0, 3) ? dtype : random_dtype(random, op), &like, random));
    }
    int outputs = jm_op_outputs(op);
    t->outputs = 1;
    if (outputs > 1 || jm_op_output(op, outputs - 1)->flags & JM_VARIADIC)
        t->outputs = (int)op_random_int(random, 1, outputs + 2);
    for (int i = 0; i < jm_op_attrs(op); i++) random_attr(t, i, random);
}

/* Outputs small enough to be computed in a fuzz loop. */
static bool is_small(const op_test *t)
{
    int64_t total = 0;
    for (int i = 0; i < t->outputs; i++) {
        int64_t count;
        if (jm_shape_count(&t->out[i].shape, &count) != JM_OK) return false;
        total += count;
    }
    return total <= 100000;
}

static bool inputs_have_data(const op_test *t)
{
    for (int i = 0; i < t->inputs; i++)
        if (t->in[i].dtype != JM_DTYPE_NONE && !t->in[i].data) return false;
    return true;
}

/* Legal calls run in every plain form; illegal ones say why, in a sentence that names the operator. */
static void any_arguments_are_safe(void **state)
{
    (void)state;
    int legal = 0, rounds = 300;
    EACH_OP(op)
    {
        int good = 0;
        for (int round = 0; round < rounds; round++) {
            uint64_t random = seed + (uint64_t)round;
            op_test t;
            op_test_begin(&t, op->name);
            random_call(&t, &random);
            jm_form forms[JM_MAX_FORMS];
            jm_clear_error();
            int count = op_test_forms(&t, forms);
            if (count == 0) {
                if (!strstr(jm_last_error(), op->name))
                    fail_msg("%s round %d: message '%s'", op->name, round, jm_last_error());
            } else {
                assert_int_equal(forms[0].id, 0);
                assert_int_equal(forms[0].in, JM_PLAIN);
                assert_int_equal(forms[0].out, JM_PLAIN);
                assert_true(forms[0].in_packed == 0);
                for (int i = 0; i < count; i++)
                    for (int j = 0; j < i; j++) assert_true(forms[i].id != forms[j].id);
                if (op->plan && is_small(&t) && inputs_have_data(&t)) {
                    t.threads = 1 + (unsigned)(round % 3);
                    t.order = &random;
                    t.kernels = kernels;
                    good += op_test_run(&t) == JM_OK;
                }
            }
            op_test_end(&t);
        }
        if (good == 0) print_message("%s: no round was legal\n", op->name);
        legal += good;
    }
    print_message("%d legal calls ran\n", legal);
}

/* A call whose unknown dims are -1 infers or errs; it never runs. */
static void unknown_dims_do_not_plan(void **state)
{
    (void)state;
    EACH_OP(op)
    {
        op_test t;
        op_test_begin(&t, op->name);
        uint64_t random = seed;
        random_call(&t, &random);
        for (int i = 0; i < t.inputs; i++)
            if (t.in[i].shape.rank > 0 && t.in[i].shape.rank <= JM_MAX_RANK) t.in[i].shape.dim[0] = -1;
        jm_form forms[JM_MAX_FORMS];
        jm_call call = {
            .op = op, .name = "", .in = t.in, .inputs = t.inputs, .out = t.out, .outputs = t.outputs, .attr = t.attr};
        bool open = false;
        for (int i = 0; i < t.inputs; i++)
            open = open || (t.in[i].dtype != JM_DTYPE_NONE && (unsigned)t.in[i].shape.rank <= JM_MAX_RANK &&
                            !jm_shape_known(&t.in[i].shape));
        jm_op_attr_defaults(op, t.attr);
        if (open && jm_op_infer(&call) == JM_OK) {
            jm_op_forms(&call, forms);
            jm_plan plan;
            jm_machine machine = {.kernels = kernels, .threads = 1, .l1 = 1 << 15, .l2 = 1 << 19};
            jm_form plain = {.name = "plain", .out_strided = true, .in_place = -1};
            assert_int_not_equal(jm_op_plan(&call, &plain, &machine, t.arena, &plan), JM_OK);
        }
        op_test_end(&t);
    }
}

int main(void)
{
    seed = *test_random_state();
    if (jm_kernels_get(&kernels) != JM_OK) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(descriptions_are_complete),
        cmocka_unit_test(any_arguments_are_safe),
        cmocka_unit_test(unknown_dims_do_not_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
