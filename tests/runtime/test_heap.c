/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "base/alloc.h"
#include "runtime/heap.h"

#define MIB ((size_t)1 << 20)

static jm_device *device;

static jm_heap *create(size_t limit)
{
    jm_heap *heap;
    assert_ok(jm_heap_create(device, limit, &heap));
    return heap;
}

static jm_memory_statistics statistics_of(const jm_heap *heap)
{
    jm_memory_statistics s;
    assert_true(jm_heap_verify(heap));
    jm_heap_get_statistics(heap, &s);
    return s;
}

static void blocks_are_rounded_and_counted(void **state)
{
    (void)state;
    jm_heap *heap = create(64 * MIB);
    void *a, *b, *c;
    assert_ok(jm_heap_allocate(heap, 0, &a));
    assert_ok(jm_heap_allocate(heap, 513, &b));
    jm_memory_statistics s = statistics_of(heap);
    assert_int_equal(s.allocated, 512 + 1024);
    assert_int_equal(s.reserved, 2 * MIB);
    assert_int_equal(s.allocations, 2);
    /* Cut from one segment, one behind the other. */
    assert_ptr_equal((char *)a + 512, b);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_ok(jm_heap_allocate(heap, 2 * MIB, &c));
    s = statistics_of(heap);
    assert_int_equal(s.reserved, 22 * MIB);
    assert_ok(jm_heap_free(heap, a, 1));
    assert_ok(jm_heap_free(heap, b, 1));
    assert_ok(jm_heap_free(heap, c, 1));
    s = statistics_of(heap);
    assert_int_equal(s.allocated, 0);
    assert_int_equal(s.deferred, 1536 + 2 * MIB);
    assert_int_equal(s.peak_allocated, 1536 + 2 * MIB);
    assert_int_equal(s.frees, 3);
    jm_heap_pass(heap, 2);
    assert_int_equal(statistics_of(heap).deferred, 0);
    jm_heap_trim(heap);
    assert_int_equal(statistics_of(heap).reserved, 0);
    assert_int_equal(statistics_of(heap).peak_reserved, 22 * MIB);
    jm_heap_destroy(heap);
}

static void a_freed_block_is_used_again_when_it_was_passed(void **state)
{
    (void)state;
    jm_heap *heap = create(64 * MIB);
    void *a, *b, *c;
    assert_ok(jm_heap_allocate(heap, 4096, &a));
    assert_ok(jm_heap_free(heap, a, 7));
    jm_heap_pass(heap, 7); /* entry 7 itself may still run */
    assert_ok(jm_heap_allocate(heap, 4096, &b));
    assert_ptr_not_equal(a, b);
    jm_heap_pass(heap, 8);
    assert_ok(jm_heap_allocate(heap, 4096, &c));
    assert_ptr_equal(a, c);
    assert_true(jm_heap_verify(heap));
    jm_heap_destroy(heap);
}

static void neighbours_merge(void **state)
{
    (void)state;
    /* In every order of freeing, three blocks become one again. */
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6; i++) {
        jm_heap *heap = create(2 * MIB);
        void *block[3], *whole;
        for (int k = 0; k < 3; k++) assert_ok(jm_heap_allocate(heap, 512 * 1024, &block[k]));
        for (int k = 0; k < 3; k++) {
            assert_ok(jm_heap_free(heap, block[order[i][k]], 0));
            jm_heap_pass(heap, 1);
            assert_true(jm_heap_verify(heap));
        }
        assert_ok(jm_heap_allocate(heap, MIB, &whole));
        assert_ptr_equal(whole, block[0]);
        jm_heap_destroy(heap);
    }
}

static void wrong_addresses_are_refused(void **state)
{
    (void)state;
    jm_heap *heap = create(64 * MIB);
    void *a;
    assert_ok(jm_heap_allocate(heap, 4096, &a));
    assert_int_equal(jm_heap_free(heap, (char *)a + 512, 0), JM_NOT_FOUND);
    assert_int_equal(jm_heap_free(heap, NULL, 0), JM_NOT_FOUND);
    assert_int_equal(jm_heap_free(heap, &a, 0), JM_NOT_FOUND);
    assert_ok(jm_heap_free(heap, a, 0));
    assert_int_equal(jm_heap_free(heap, a, 0), JM_NOT_FOUND);
    assert_non_null(strstr(jm_last_error(), "freed before"));
    assert_int_equal(statistics_of(heap).frees, 1);
    jm_heap_destroy(heap);
}

static void the_limit_holds(void **state)
{
    (void)state;
    jm_heap *heap = create(8 * MIB);
    void *a, *b, *c;
    /* The usual 20 MiB segment does not fit, so it is one that just fits. */
    assert_ok(jm_heap_allocate(heap, 5 * MIB, &a));
    assert_int_equal(statistics_of(heap).reserved, 6 * MIB);
    assert_ok(jm_heap_allocate(heap, MIB, &b));
    assert_int_equal(jm_heap_allocate(heap, 3 * MIB, &c), JM_OUT_OF_MEMORY);
    assert_null(c);
    assert_non_null(strstr(jm_last_error(), "Failed to allocate 3145728 bytes"));
    assert_int_equal(jm_heap_allocate(heap, SIZE_MAX, &c), JM_OUT_OF_MEMORY);
    assert_int_equal(jm_heap_allocate(heap, SIZE_MAX - 600, &c), JM_OUT_OF_MEMORY);
    /* Unused segments are given back when that makes room. */
    assert_ok(jm_heap_free(heap, a, 0));
    assert_ok(jm_heap_free(heap, b, 0));
    jm_heap_pass(heap, 1);
    assert_ok(jm_heap_allocate(heap, 8 * MIB, &c));
    assert_int_equal(statistics_of(heap).reserved, 8 * MIB);
    jm_heap_destroy(heap);
}

/* Random life of many blocks; each is filled with its number, so that overlap shows. */
static void random_use_never_overlaps(void **state)
{
    (void)state;
    enum { BLOCKS = 200 };
    struct {
        unsigned char *data;
        size_t size;
        unsigned char fill;
    } block[BLOCKS] = {0};
    jm_heap *heap = create(200 * MIB);
    uint64_t now = 1;
    for (int round = 0; round < 6000; round++) {
        int64_t i = test_random_int(0, BLOCKS - 1);
        if (block[i].data) {
            for (size_t k = 0; k < block[i].size; k += 509) assert_int_equal(block[i].data[k], block[i].fill);
            assert_int_equal(block[i].data[block[i].size - 1], block[i].fill);
            assert_ok(jm_heap_free(heap, block[i].data, now));
            block[i].data = NULL;
        } else {
            static const int64_t largest[] = {100, 5000, 300000, 3000000};
            block[i].size = (size_t)test_random_int(1, largest[test_random_int(0, 3)]);
            void *data;
            if (jm_heap_allocate(heap, block[i].size, &data) != JM_OK) continue;
            block[i].data = data;
            block[i].fill = (unsigned char)test_random();
            memset(data, block[i].fill, block[i].size);
        }
        now += (uint64_t)test_random_int(0, 1);
        if (test_random_int(0, 3) == 0) jm_heap_pass(heap, now - (uint64_t)test_random_int(0, 1));
        if (round % 50 == 0) assert_true(jm_heap_verify(heap));
    }
    for (int i = 0; i < BLOCKS; i++)
        if (block[i].data) assert_ok(jm_heap_free(heap, block[i].data, now));
    jm_heap_pass(heap, now + 1);
    jm_heap_trim(heap);
    assert_int_equal(statistics_of(heap).reserved, 0);
    jm_heap_destroy(heap);
}

static void every_allocation_of_the_host_may_fail(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        jm_heap *heap = create(64 * MIB);
        void *a = NULL, *b = NULL;
        jm_alloc_fail_at(n);
        jm_status first = jm_heap_allocate(heap, 1000, &a), second = jm_heap_allocate(heap, 3 * MIB, &b);
        uint64_t made = jm_alloc_fail_at(0);
        assert_true(jm_heap_verify(heap));
        assert_int_equal(first == JM_OK, a != NULL);
        assert_int_equal(second == JM_OK, b != NULL);
        jm_heap_destroy(heap);
        if (made < n) break;
    }
    jm_heap_destroy(NULL);
}

int main(void)
{
    if (jm_device_create("null", 0, 1, &device) != JM_OK) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_rounded_and_counted),
        cmocka_unit_test(a_freed_block_is_used_again_when_it_was_passed),
        cmocka_unit_test(neighbours_merge),
        cmocka_unit_test(wrong_addresses_are_refused),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(random_use_never_overlaps),
        cmocka_unit_test(every_allocation_of_the_host_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    jm_device_destroy(device);
    return failed;
}
