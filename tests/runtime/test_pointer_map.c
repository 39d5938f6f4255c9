/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "base/alloc.h"
#include "runtime/pointer_map.h"

/* Against a plain array: keys close together, so that runs of slots collide and removal has to move entries. */
static void behaves_like_an_array(void **state)
{
    (void)state;
    enum { KEYS = 500 };
    static char memory[KEYS * 16];
    void *expected[KEYS] = {0};
    jm_pointer_map map = {0};
    size_t count = 0;
    for (int round = 0; round < 20000; round++) {
        int64_t i = test_random_int(0, KEYS - 1);
        char *key = memory + 16 * i;
        if (expected[i]) {
            if (test_random_int(0, 1)) {
                assert_ptr_equal(jm_pointer_map_remove(&map, key), expected[i]);
                expected[i] = NULL;
                count--;
            }
        } else {
            expected[i] = memory + test_random_int(0, sizeof(memory) - 1);
            assert_ok(jm_pointer_map_add(&map, key, expected[i]));
            count++;
        }
        assert_int_equal(map.count, count);
        if (round % 1000 == 0)
            for (int k = 0; k < KEYS; k++) assert_ptr_equal(jm_pointer_map_get(&map, memory + 16 * k), expected[k]);
    }
    assert_null(jm_pointer_map_get(&map, NULL));
    jm_pointer_map_clear(&map);
    assert_null(jm_pointer_map_get(&map, memory));
    assert_null(jm_pointer_map_remove(&map, memory));
}

static void failed_growth_changes_nothing(void **state)
{
    (void)state;
    static char memory[1000];
    jm_pointer_map map = {0};
    int failures = 0;
    for (int i = 0; i < 1000; i++) {
        jm_alloc_fail_at(1);
        jm_status status = jm_pointer_map_add(&map, memory + i, memory);
        jm_alloc_fail_at(0);
        if (status == JM_OK) continue;
        failures++;
        assert_int_equal(status, JM_OUT_OF_MEMORY);
        for (int k = 0; k < 1000; k++) assert_int_equal(jm_pointer_map_get(&map, memory + k) != NULL, k < i);
        assert_ok(jm_pointer_map_add(&map, memory + i, memory));
    }
    assert_true(failures > 3);
    jm_pointer_map_clear(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behaves_like_an_array),
        cmocka_unit_test(failed_growth_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
