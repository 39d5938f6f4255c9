/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "base/alloc.h"

static void sizes_are_checked(void **state)
{
    (void)state;
    size_t out = 7;
    assert_false(jm_size_add(SIZE_MAX, 1, &out));
    assert_false(jm_size_mul(SIZE_MAX / 2 + 1, 2, &out));
    assert_false(jm_size_round_up(SIZE_MAX - 5, 64, &out));
    assert_int_equal(out, 7);
    assert_true(jm_size_round_up(65, 64, &out));
    assert_int_equal(out, 128);
    assert_null(jm_alloc(SIZE_MAX / 4, 8));
    assert_non_null(strstr(jm_last_error(), "out of memory"));
    void *empty = jm_alloc(0, 8);
    assert_non_null(empty);
    jm_free(empty);
}

static void memory_is_zero_and_aligned(void **state)
{
    (void)state;
    for (size_t n = 1; n < 300; n += 7) {
        unsigned char *memory = jm_alloc(n, 1);
        assert_int_equal((uintptr_t)memory % 64, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(memory[i], 0);
        memset(memory, 1, n);
        memory = jm_realloc(memory, n, 2 * n, 1);
        for (size_t i = 0; i < 2 * n; i++) assert_int_equal(memory[i], i < n);
        jm_free(memory);
    }
}

static void the_nth_allocation_fails_once(void **state)
{
    (void)state;
    jm_alloc_fail_at(2);
    void *first = jm_alloc(1, 1), *second = jm_alloc(1, 1), *third = jm_alloc(1, 1);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    assert_int_equal(jm_alloc_fail_at(0), 3);
    jm_free(first);
    jm_free(third);
}

static void arena_objects_do_not_overlap(void **state)
{
    (void)state;
    jm_arena *arena;
    assert_ok(jm_arena_create(&arena));
    enum { COUNT = 2000 };
    static struct object {
        unsigned char *data;
        size_t size;
    } object[COUNT];
    for (int i = 0; i < COUNT; i++) {
        object[i].size = (size_t)test_random_int(0, i % 100 == 0 ? 200000 : 300);
        object[i].data = jm_arena_alloc(arena, object[i].size, 1);
        assert_int_equal((uintptr_t)object[i].data % (object[i].size >= 64 ? 64 : 16), 0);
        for (size_t k = 0; k < object[i].size; k++) assert_int_equal(object[i].data[k], 0);
        memset(object[i].data, i & 255, object[i].size);
    }
    for (int i = 0; i < COUNT; i++)
        for (size_t k = 0; k < object[i].size; k++) assert_int_equal(object[i].data[k], i & 255);
    assert_string_equal(jm_arena_printf(arena, "%d-%s", 7, "x"), "7-x");
    assert_string_equal(jm_arena_strndup(arena, "abcdef", 3), "abc");
    assert_null(jm_arena_alloc(arena, SIZE_MAX, 2));
    jm_arena_destroy(arena);
    jm_arena_destroy(NULL);
}

static void map_keeps_what_was_put(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static char key[COUNT][16];
    jm_map map = {0};
    assert_null(jm_map_get(&map, "absent"));
    for (int i = 0; i < COUNT; i++) {
        snprintf(key[i], sizeof key[i], "k%d", i);
        assert_ok(jm_map_put(&map, key[i], key[i]));
    }
    assert_ok(jm_map_put(&map, "k7", &map));
    assert_int_equal(map.count, COUNT);
    for (int i = 0; i < COUNT; i++) assert_ptr_equal(jm_map_get(&map, key[i]), i == 7 ? (void *)&map : key[i]);
    assert_null(jm_map_get(&map, "k5000"));
    jm_map_clear(&map);
}

static void array_grows_and_survives_failure(void **state)
{
    (void)state;
    int *data = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        assert_ok(jm_array_reserve(&data, &capacity, (size_t)i + 1, sizeof *data));
        data[i] = i;
    }
    size_t before = capacity;
    jm_alloc_fail_at(1);
    assert_int_equal(jm_array_reserve(&data, &capacity, capacity + 1, sizeof *data), JM_OUT_OF_MEMORY);
    assert_int_equal(capacity, before);
    for (int i = 0; i < 1000; i++) assert_int_equal(data[i], i);
    jm_free(data);
}

static void errors_keep_their_context(void **state)
{
    (void)state;
    assert_int_equal(jm_error(JM_CORRUPT, "header has %d bytes", 3), JM_CORRUPT);
    assert_int_equal(jm_error_context(JM_IO, "loading '%s'", "a.om"), JM_IO);
    assert_string_equal(jm_last_error(), "loading 'a.om': header has 3 bytes");
    char longer[3000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(jm_error_context(JM_IO, "%s", longer), JM_IO);
    assert_int_equal(strlen(jm_last_error()), 1023);
    jm_clear_error();
    assert_string_equal(jm_last_error(), "");
    assert_string_equal(jm_status_text((jm_status)999), "unknown status");
    assert_string_equal(jm_status_text(JM_OUT_OF_MEMORY), "out of memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(memory_is_zero_and_aligned),
        cmocka_unit_test(the_nth_allocation_fails_once),
        cmocka_unit_test(arena_objects_do_not_overlap),
        cmocka_unit_test(map_keeps_what_was_put),
        cmocka_unit_test(array_grows_and_survives_failure),
        cmocka_unit_test(errors_keep_their_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
