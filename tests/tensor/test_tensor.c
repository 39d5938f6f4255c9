/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "base/alloc.h"
#include "tensor/tensor.h"

static jm_shape shape(int rank, int64_t a, int64_t b, int64_t c, int64_t d)
{
    return (jm_shape){rank, {a, b, c, d}};
}

static void counts_are_checked(void **state)
{
    (void)state;
    int64_t count;
    jm_shape s = shape(0, 0, 0, 0, 0);
    assert_ok(jm_shape_count(&s, &count));
    assert_int_equal(count, 1);
    s = shape(2, (int64_t)1 << 40, 0, 0, 0);
    assert_ok(jm_shape_count(&s, &count));
    assert_int_equal(count, 0);
    s = shape(4, INT64_MAX, INT64_MAX, 3, 0);
    assert_ok(jm_shape_count(&s, &count));
    assert_int_equal(count, 0);
    s = shape(2, (int64_t)1 << 21, ((int64_t)1 << 19) + 1, 0, 0);
    assert_error(jm_shape_count(&s, &count), JM_OUT_OF_RANGE, "2^40");
    s = shape(2, 3, -1, 0, 0);
    assert_error(jm_shape_count(&s, &count), JM_INVALID_ARGUMENT, "[3,?]");
}

static void broadcasting_follows_numpy(void **state)
{
    (void)state;
    jm_shape a = shape(3, 4, 1, 7, 0), b = shape(2, 5, 1, 0, 0), out;
    assert_ok(jm_shape_broadcast(&a, &b, &out));
    jm_shape want = shape(3, 4, 5, 7, 0);
    assert_true(jm_shape_equal(&out, &want));
    b = shape(1, 0, 0, 0, 0);
    a = shape(1, 1, 0, 0, 0);
    assert_ok(jm_shape_broadcast(&a, &b, &out));
    assert_int_equal(out.dim[0], 0);
    a = shape(1, -1, 0, 0, 0);
    b = shape(1, 5, 0, 0, 0);
    assert_ok(jm_shape_broadcast(&a, &b, &out));
    assert_int_equal(out.dim[0], 5);
    a = shape(1, 4, 0, 0, 0);
    assert_error(jm_shape_broadcast(&a, &b, &out), JM_INVALID_ARGUMENT, "4 against 5");
    int axis;
    assert_ok(jm_axis_normalise(-1, 3, &axis));
    assert_int_equal(axis, 2);
    assert_error(jm_axis_normalise(3, 3, &axis), JM_OUT_OF_RANGE, "axis 3");
    assert_error(jm_axis_normalise(0, 0, &axis), JM_OUT_OF_RANGE, "rank 0");
}

/* 20 channels as segments of 6 and 14, the second one shuffled. */
static const int32_t lane[20] = {0, 1, 2, 3, 4, 5, 16, 18, 20, 22, 24, 26, 28, 17, 19, 21, 23, 25, 27, 29};
static const uint8_t block_count[2] = {6, 14};
static const jm_channel_map map = {20, 2, lane, block_count};

static void copies_keep_every_element(void **state)
{
    (void)state;
    jm_shape s = shape(4, 2, 20, 3, 5);
    jm_tensor plain, blocked, mapped, back;
    assert_ok(jm_tensor_init(&plain, JM_F32, &s, JM_PLAIN, NULL));
    assert_ok(jm_tensor_init(&blocked, JM_F32, &s, JM_C16, NULL));
    assert_ok(jm_tensor_init(&mapped, JM_F32, &s, JM_C16, &map));
    assert_ok(jm_tensor_init(&back, JM_F32, &s, JM_PLAIN, NULL));
    jm_tensor *all[] = {&plain, &blocked, &mapped, &back};
    const size_t want_bytes[] = {2 * 20 * 15 * 4, 2 * 32 * 15 * 4, 2 * 32 * 15 * 4, 2 * 20 * 15 * 4};
    for (int i = 0; i < 4; i++) {
        size_t bytes;
        assert_ok(jm_tensor_bytes(all[i], &bytes));
        assert_int_equal(bytes, want_bytes[i]);
        all[i]->data = jm_alloc(bytes, 1);
    }
    for (int i = 0; i < 600; i++) ((float *)plain.data)[i] = (float)i;
    assert_ok(jm_tensor_copy(&plain, &blocked));
    assert_ok(jm_tensor_copy(&blocked, &mapped));
    assert_ok(jm_tensor_copy(&mapped, &back));
    assert_memory_equal(plain.data, back.data, want_bytes[0]);
    /* Channel 7 of image 1 at (2, 4) by hand: lane 18 is lane 2 of block 1. */
    int64_t index[JM_MAX_RANK] = {1, 7, 2, 4};
    assert_true(((float *)mapped.data)[((1 * 2 + 1) * 15 + 14) * 16 + 2] == *(float *)jm_tensor_at(&plain, index));
    assert_true(jm_tensor_contiguous(&plain));
    assert_false(jm_tensor_contiguous(&blocked));
    assert_false(jm_channel_map_equal(&map, NULL, 20));
    assert_int_equal(jm_block_count(20, &map, 0), 6);
    assert_int_equal(jm_block_count(20, NULL, 1), 4);
    for (int i = 0; i < 4; i++) jm_free(all[i]->data);
}

static void bad_tensors_are_refused(void **state)
{
    (void)state;
    jm_tensor t;
    jm_shape s = shape(2, 2, 20, 0, 0);
    assert_error(jm_tensor_init(&t, JM_F32, &s, JM_C16, NULL), JM_INVALID_ARGUMENT, "rank 3");
    s = shape(3, 2, 21, 4, 0);
    assert_error(jm_tensor_init(&t, JM_F32, &s, JM_C16, &map), JM_INVALID_ARGUMENT, "20 channels");
    s = shape(3, 2, -1, 4, 0);
    assert_error(jm_tensor_init(&t, JM_F32, &s, JM_PLAIN, NULL), JM_INVALID_ARGUMENT, "[2,?,4]");
    s = shape(3, INT64_MAX, 0, 7, 0);
    assert_error(jm_tensor_init(&t, JM_F32, &s, JM_PLAIN, NULL), JM_OUT_OF_RANGE, "2^40");
    s = shape(1, (int64_t)1 << 41, 0, 0, 0);
    assert_error(jm_tensor_init(&t, JM_F32, &s, JM_PLAIN, NULL), JM_OUT_OF_RANGE, "2^40");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_checked),
        cmocka_unit_test(broadcasting_follows_numpy),
        cmocka_unit_test(copies_keep_every_element),
        cmocka_unit_test(bad_tensors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
