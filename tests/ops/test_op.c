/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps that all operators share: what op.c refuses before an operator sees the call.
 */
#include "op_test.h"
#include "test.h"

static const jm_shape image = {.rank = 4, .dim = {1, 20, 2, 3}};

/* A Reorder from plain to C16, complete but for what a test breaks. */
typedef struct fixture {
    op_test t;
    jm_call call;
    jm_form form;
} fixture;

static void begin(fixture *f, uint8_t form)
{
    memset(f, 0, sizeof(*f));
    op_test_begin(&f->t, "Reorder");
    op_test_input(&f->t, op_test_tensor(&f->t, JM_F32, &image, test_random_state()));
    f->call = (jm_call){.op = f->t.op, .name = "x", .inputs = 1, .outputs = 1, .in = f->t.in, .out = f->t.out};
    f->call.attr = f->t.attr;
    assert_ok(jm_op_infer(&f->call));
    assert_ok(jm_op_form(&f->call, form, &f->form));
    assert_ok(jm_tensor_init(&f->t.out[0], JM_F32, &image, f->form.out, NULL));
}

static jm_status plan(fixture *f)
{
    jm_machine machine = {.threads = 1, .l1 = 1 << 15, .l2 = 1 << 19};
    jm_plan result;
    return jm_op_plan(&f->call, &f->form, &machine, f->t.arena, &result);
}

static void counts_are_checked(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 0);
    f.call.inputs = 0;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "Reorder 'x': input 'input' is missing");
    f.call.inputs = 2;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "2 inputs; the operator takes 1");
    f.call.inputs = -1;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "-1 inputs");
    f.call.inputs = 1;
    f.call.outputs = 2;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "2 outputs");
    f.call.outputs = 0;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "output 'output' is missing");
    f.call.outputs = 1;
    f.t.in[0].dtype = JM_DTYPE_NONE;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "input 'input' is missing");
    op_test_end(&f.t);
}

static void shapes_and_dtypes_are_checked(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 0);
    jm_tensor good = f.t.in[0];
    f.t.in[0].dtype = (jm_dtype)5;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "unknown type 5");
    f.t.in[0] = good;
    f.t.in[0].shape.rank = 9;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "rank 9");
    f.t.in[0] = good;
    f.t.in[0].shape.dim[2] = -2;
    assert_error(jm_op_infer(&f.call), JM_INVALID_ARGUMENT, "dimension -2");
    f.t.in[0].shape.dim[2] = (int64_t)1 << 40;
    assert_error(jm_op_infer(&f.call), JM_OUT_OF_RANGE, "more than 2^40 elements");
    f.t.in[0].shape.dim[0] = 0; /* no elements, and still too large to describe */
    assert_error(jm_op_infer(&f.call), JM_OUT_OF_RANGE, "more than 2^40 elements");
    f.t.in[0].shape.dim[0] = f.t.in[0].shape.dim[2] = -1;
    assert_ok(jm_op_infer(&f.call));
    assert_int_equal(f.t.out[0].shape.dim[2], -1);
    op_test_end(&f.t);
}

static void attributes_have_defaults(void **state)
{
    (void)state;
    op_test t;
    op_test_begin(&t, "Pad");
    jm_op_attr_defaults(t.op, t.attr);
    assert_true(t.attr[0].present);
    assert_string_equal(t.attr[0].s, "constant");
    op_test_end(&t);

    op_test_begin(&t, "TopK");
    op_test_int(&t, "largest", 0);
    jm_op_attr_defaults(t.op, t.attr);
    assert_int_equal(t.attr[jm_op_attr_index(t.op, "axis")].i, -1);
    assert_int_equal(t.attr[jm_op_attr_index(t.op, "largest")].i, 0);
    assert_int_equal(t.attr[jm_op_attr_index(t.op, "sorted")].i, 1);
    op_test_end(&t);

    op_test_begin(&t, "Transpose");
    jm_op_attr_defaults(t.op, t.attr);
    assert_false(t.attr[0].present);
    op_test_end(&t);

    op_test_begin(&t, "Concat");
    op_test_input(&t, op_test_tensor(&t, JM_F32, &image, test_random_state()));
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "Concat 'test': attribute 'axis' is missing");
    op_test_end(&t);
}

static void host_values_must_be_known_integers(void **state)
{
    (void)state;
    op_test t;
    op_test_begin(&t, "Expand");
    jm_tensor data = op_test_tensor(&t, JM_F32, &image, test_random_state());
    jm_shape list = {.rank = 1, .dim = {3}}, matrix = {.rank = 2, .dim = {1, 3}};
    jm_shape scalar = {.rank = 0}, strided = {.rank = 1, .dim = {2}};
    int8_t bytes[3] = {-1, 2, 3};
    jm_tensor in[2] = {data, op_test_constant(&t, JM_I8, &list, bytes)};
    jm_call call = {.op = t.op, .name = "x", .inputs = 2, .in = in};
    int64_t values[4];
    int count;
    assert_ok(jm_call_host_ints(&call, 1, values, 4, &count));
    assert_true(count == 3 && values[0] == -1 && values[2] == 3);
    in[1].shape = strided;
    in[1].stride[0] = 2;
    assert_ok(jm_call_host_ints(&call, 1, values, 4, &count));
    assert_true(count == 2 && values[0] == -1 && values[1] == 3);
    in[1].shape = scalar;
    assert_ok(jm_call_host_ints(&call, 1, values, 4, &count));
    assert_true(count == 1 && values[0] == -1);
    in[1].shape = list;
    assert_error(jm_call_host_ints(&call, 1, values, 2, &count), JM_INVALID_ARGUMENT, "has 3 values; the limit is 2");
    in[1].shape = matrix;
    assert_error(jm_call_host_ints(&call, 1, values, 4, &count), JM_INVALID_ARGUMENT, "rank 2");
    in[1].shape = list;
    in[1].constant = false;
    assert_error(jm_call_host_ints(&call, 1, values, 4, &count), JM_INVALID_ARGUMENT, "must be known");
    in[1].constant = true;
    in[1].dtype = JM_F32;
    assert_error(jm_call_host_ints(&call, 1, values, 4, &count), JM_INVALID_ARGUMENT, "must be integers");
    assert_error(jm_call_host_ints(&call, 2, values, 4, &count), JM_INVALID_ARGUMENT, "missing");
    op_test_end(&t);
}

static void plans_trust_nothing(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 2);
    assert_ok(plan(&f));
    jm_tensor good = f.t.out[0];
    f.t.out[0].shape.dim[3] = 4;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "output 0 is float32 [1,20,2,4] and must be float32 [1,20,2,3]");
    f.t.out[0] = good;
    f.t.out[0].dtype = JM_I32;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "output 0 is int32");
    f.t.out[0] = good;
    f.t.out[0].layout = JM_PLAIN;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "the layout of output 0 must be C16");
    f.t.out[0] = good;
    f.t.out[0].stride[3] = 15;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "innermost stride");
    f.t.out[0] = good;
    f.t.in[0].layout = JM_C16;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "the layout of input 0 must be plain");
    f.t.in[0].layout = JM_PLAIN;
    f.t.in[0].shape.dim[0] = -1;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "the shape of input 0 is not known");
    assert_error(jm_op_form(&f.call, 77, &f.form), JM_NOT_FOUND, "no form 77");
    op_test_end(&f.t);
}

static void channel_maps_are_checked(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 2);
    int32_t lane[20];
    uint8_t count[2] = {16, 4};
    for (int c = 0; c < 20; c++) lane[c] = c;
    jm_channel_map map = {.channels = 20, .blocks = 2, .lane = lane, .count = count};
    f.t.out[0].map = &map;
    assert_ok(plan(&f));
    lane[7] = 32;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "channel map of output 0 does not fit");
    lane[7] = -1;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "channel map");
    lane[7] = 7;
    count[1] = 17;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "channel map");
    count[1] = 4;
    map.channels = 19;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "channel map");
    map.channels = 20;
    map.blocks = 21;
    assert_error(plan(&f), JM_INVALID_ARGUMENT, "channel map");
    op_test_end(&f.t);
}

static void gaps_need_permission(void **state)
{
    (void)state;
    op_test t;
    op_test_begin(&t, "Reshape");
    op_test_input(&t, op_test_tensor(&t, JM_F32, &image, test_random_state()));
    op_test_ints_input(&t, (int64_t[]){6, 20}, 2);
    assert_ok(op_test_run(&t));
    assert_false(t.used.out_strided);
    jm_call call = {.op = t.op, .name = "x", .inputs = 2, .outputs = 1, .in = t.in, .out = t.out, .attr = t.attr};
    jm_machine machine = {.threads = 1};
    jm_plan result;
    t.out[0].stride[0] = 21;
    assert_error(jm_op_plan(&call, &t.used, &machine, t.arena, &result), JM_INVALID_ARGUMENT, "may not have gaps");
    op_test_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_checked),       cmocka_unit_test(shapes_and_dtypes_are_checked),
        cmocka_unit_test(attributes_have_defaults), cmocka_unit_test(host_values_must_be_known_integers),
        cmocka_unit_test(plans_trust_nothing),      cmocka_unit_test(channel_maps_are_checked),
        cmocka_unit_test(gaps_need_permission),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
