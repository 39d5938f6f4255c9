/* SPDX-License-Identifier: Apache-2.0
 *
 * Protobuf wire format against bytes worked out by hand from its specification, and against itself.
 */
#include "test.h"

#include "base/alloc.h"
#include "base/wire.h"

/* {1: 150, 2: "testing", 3: {1: -1}, 4: [3, 270, 86942], 5: 1.5f, 6: -2.0} */
static const unsigned char message[] = {
    0x08, 0x96, 0x01,                                                             /* 1: 150 */
    0x12, 0x07, 't',  'e',  's',  't',  'i',  'n',  'g',                          /* 2 */
    0x1A, 0x0B, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, /* 3: {1: -1} */
    0x22, 0x06, 0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05,                               /* 4: packed */
    0x2D, 0x00, 0x00, 0xC0, 0x3F,                                                 /* 5: 1.5f */
    0x31, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xC0,                         /* 6: -2.0 */
};

static void put_message(jm_wire_writer *to)
{
    jm_wire_put_varint(to, 1, 150);
    jm_wire_put_string(to, 2, "testing");
    jm_wire_put_string(to, 9, NULL);
    size_t inside = jm_wire_begin(to, 3);
    jm_wire_put_varint(to, 1, (uint64_t)-1);
    jm_wire_end(to, inside);
    size_t list = jm_wire_begin(to, 4);
    jm_wire_put_packed_varint(to, 3);
    jm_wire_put_packed_varint(to, 270);
    jm_wire_put_packed_varint(to, 86942);
    jm_wire_end(to, list);
    jm_wire_put_float(to, 5, 1.5f);
    jm_wire_put_double(to, 6, -2.0);
}

static void writes_the_specified_bytes(void **state)
{
    (void)state;
    jm_wire_writer to = {0};
    put_message(&to);
    assert_ok(to.status);
    assert_int_equal(to.size, sizeof(message));
    assert_memory_equal(to.data, message, sizeof(message));
    jm_wire_clear(&to);
    assert_null(to.data);
}

static void reads_the_specified_bytes(void **state)
{
    (void)state;
    jm_wire wire = jm_wire_over(message, sizeof(message));
    jm_wire_field field;
    uint64_t list[3], number;
    assert_true(jm_wire_next(&wire, &field));
    assert_int_equal(field.number, 1);
    assert_int_equal(field.bits, 150);
    assert_true(jm_wire_inside(&field).bad);
    assert_true(jm_wire_next(&wire, &field));
    assert_int_equal(field.type, JM_WIRE_BYTES);
    assert_int_equal(field.size, 7);
    assert_ptr_equal(field.data, message + 5);
    assert_true(jm_wire_next(&wire, &field));
    jm_wire inside = jm_wire_inside(&field);
    assert_true(jm_wire_next(&inside, &field));
    assert_true((int64_t)field.bits == -1);
    assert_false(jm_wire_next(&inside, &field));
    assert_false(inside.bad);
    assert_true(jm_wire_next(&wire, &field));
    inside = jm_wire_inside(&field);
    for (int i = 0; i < 3; i++) assert_true(jm_wire_varint(&inside, &list[i]));
    assert_false(jm_wire_varint(&inside, &number));
    assert_false(inside.bad);
    assert_int_equal(list[0], 3);
    assert_int_equal(list[1], 270);
    assert_int_equal(list[2], 86942);
    assert_true(jm_wire_next(&wire, &field));
    assert_true(jm_wire_float(field.bits) == 1.5f);
    assert_true(jm_wire_next(&wire, &field));
    assert_true(jm_wire_double(field.bits) == -2.0);
    assert_false(jm_wire_next(&wire, &field));
    assert_false(wire.bad);
}

/* Reads everything, into nested messages too. */
static void walk(jm_wire wire, int depth)
{
    jm_wire_field field;
    unsigned sum = 0;
    while (jm_wire_next(&wire, &field)) {
        if (field.type != JM_WIRE_BYTES) continue;
        for (size_t i = 0; i < field.size; i++) sum += field.data[i];
        if (depth < 8) walk(jm_wire_inside(&field), depth + 1);
    }
    assert_true(sum < UINT32_MAX);
}

static void survives_damage(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t size = (size_t)test_random_int(1, sizeof(message));
        unsigned char *data = malloc(size); /* exactly, for the sanitizer */
        assert_non_null(data);
        memcpy(data, message, size);
        for (int i = 0; i < 3; i++) data[test_random_int(0, (int64_t)size - 1)] = (unsigned char)test_random();
        walk(jm_wire_over(data, size), 0);
        free(data);
    }
}

static void refuses_malformed_input(void **state)
{
    (void)state;
    static const struct {
        unsigned char bytes[12];
        size_t size;
    } bad[] = {
        {{0x08}, 1},                                                                 /* no value */
        {{0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1}, 12}, /* more than 64 bits */
        {{0x12, 0x05, 'a'}, 3},                                                      /* longer than the input */
        {{0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}, 11},    /* 2^64 - 1 bytes */
        {{0x0B, 0x0C}, 2},                                                           /* a group */
        {{0x00, 0x00}, 2},                                                           /* field 0 */
        {{0x2D, 0x00}, 2},                                                           /* half a float */
    };
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        jm_wire wire = jm_wire_over(bad[i].bytes, bad[i].size);
        jm_wire_field field;
        assert_false(jm_wire_next(&wire, &field));
        assert_true(wire.bad);
        assert_false(jm_wire_next(&wire, &field));
    }
}

static void a_failed_writer_stays_failed(void **state)
{
    (void)state;
    jm_wire_writer to = {0};
    (void)jm_alloc_fail_at(1);
    put_message(&to);
    (void)jm_alloc_fail_at(0);
    assert_int_equal(to.status, JM_OUT_OF_MEMORY);
    put_message(&to);
    assert_int_equal(to.status, JM_OUT_OF_MEMORY);
    assert_int_equal(to.size, 0);
    jm_wire_clear(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_specified_bytes),
        cmocka_unit_test(reads_the_specified_bytes),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(refuses_malformed_input),
        cmocka_unit_test(a_failed_writer_stays_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
