/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "base/alloc.h"
#include "base/system.h"

/* CRC-32C one bit at a time, from its definition. */
static uint32_t slow_crc(uint32_t crc, const unsigned char *data, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    }
    return ~crc;
}

static void crc_follows_its_definition(void **state)
{
    (void)state;
    assert_int_equal(jm_crc32c(0, "123456789", 9), 0xE3069283u); /* the check value of the CRC catalogue */
    unsigned char data[300];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)test_random();
    for (size_t from = 0; from < 9; from++)
        for (size_t size = 0; size < sizeof data - from; size += 13) {
            assert_int_equal(jm_crc32c(0, data + from, size), slow_crc(0, data + from, size));
            assert_int_equal(jm_crc32c_by_table(7, data + from, size), slow_crc(7, data + from, size));
            uint32_t first = jm_crc32c(0, data + from, size / 3);
            assert_int_equal(jm_crc32c(first, data + from + size / 3, size - size / 3), slow_crc(0, data + from, size));
        }
}

static void numbers_in_the_environment_are_checked(void **state)
{
    (void)state;
    int64_t value;
    unsetenv("JUMAR_X");
    assert_ok(jm_env_int("JUMAR_X", 1, 9, 4, &value));
    assert_int_equal(value, 4);
    setenv("JUMAR_X", "9", 1);
    assert_ok(jm_env_int("JUMAR_X", 1, 9, 4, &value));
    assert_int_equal(value, 9);
    const char *const bad[] = {"10", "0", "-3", "2x", "99999999999999999999", "x"};
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        setenv("JUMAR_X", bad[i], 1);
        assert_error(jm_env_int("JUMAR_X", 1, 9, 4, &value), JM_INVALID_ARGUMENT, "from 1 to 9");
    }
}

static void machine_facts_are_sane(void **state)
{
    (void)state;
    assert_true(jm_core_count() >= 1);
    assert_true(jm_peak_memory() > 100000);
    const size_t page = jm_page_size();
    assert_true(page >= 4096 && (page & (page - 1)) == 0);
    uint64_t before = jm_clock_ns();
    assert_true(jm_clock_ns() >= before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc_follows_its_definition),
        cmocka_unit_test(numbers_in_the_environment_are_checked),
        cmocka_unit_test(machine_facts_are_sane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
