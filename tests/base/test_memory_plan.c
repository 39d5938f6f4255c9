/* SPDX-License-Identifier: Apache-2.0
 *
 * Random memory plans against a brute-force verifier that knows nothing of the planner.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory_plan.h"

static uint64_t state;

static uint32_t random_below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

static size_t round64(size_t n)
{
    return (n + 63) / 64 * 64;
}

/* No two buffers that live at a common step share a byte; all are aligned and inside the arena. */
static void verify(const jm_plan_buffer *b, size_t count, size_t total)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(b[i].offset % 64, 0);
        assert_true(b[i].offset + b[i].size <= total);
        for (size_t j = 0; j < i; j++) {
            const bool together = b[i].first <= b[j].last && b[j].first <= b[i].last;
            const bool overlap = b[i].offset < b[j].offset + b[j].size && b[j].offset < b[i].offset + b[i].size;
            assert_false(together && overlap);
        }
    }
}

static size_t peak_by_steps(const jm_plan_buffer *b, size_t count, uint32_t steps)
{
    size_t peak = 0;
    for (uint32_t s = 0; s < steps; s++) {
        size_t live = 0;
        for (size_t i = 0; i < count; i++)
            if (b[i].first <= s && s <= b[i].last) live += round64(b[i].size);
        if (live > peak) peak = live;
    }
    return peak;
}

static void plans_never_overlap(void **unused)
{
    (void)unused;
    for (int round = 0; round < 300; round++) {
        const size_t count = 1 + random_below(60);
        const uint32_t steps = 1 + random_below(80), longest = 1 + random_below(20);
        jm_plan_buffer *b = calloc(count, sizeof *b);
        assert_non_null(b);
        for (size_t i = 0; i < count; i++) {
            b[i].first = random_below(steps);
            b[i].last = b[i].first + random_below(longest);
            if (b[i].last >= steps) b[i].last = steps - 1;
            b[i].size = random_below(8) ? random_below(100000) : random_below(3);
        }
        size_t total, bound;
        assert_int_equal(jm_memory_plan(b, count, &total, &bound), JM_OK);
        verify(b, count, total);
        assert_int_equal(bound, peak_by_steps(b, count, steps));
        assert_true(total >= bound);
        free(b);
    }
}

/* The shape of a network without branches: each value is read by the next step only. The bound is reached. */
static void a_chain_reaches_the_bound(void **unused)
{
    (void)unused;
    jm_plan_buffer b[100];
    for (uint32_t i = 0; i < 100; i++) b[i] = (jm_plan_buffer){.size = 64 * (100 - i), .first = i, .last = i + 1};
    size_t total, bound;
    assert_int_equal(jm_memory_plan(b, 100, &total, &bound), JM_OK);
    verify(b, 100, total);
    assert_int_equal(total, bound);
}

static void ten_thousand_buffers(void **unused)
{
    (void)unused;
    const size_t count = 10000;
    jm_plan_buffer *b = calloc(count, sizeof *b);
    assert_non_null(b);
    for (size_t i = 0; i < count; i++)
        b[i] = (jm_plan_buffer){
            .size = 1 + random_below(1 << 20), .first = (uint32_t)i, .last = (uint32_t)i + random_below(9)};
    size_t total, bound;
    assert_int_equal(jm_memory_plan(b, count, &total, &bound), JM_OK);
    verify(b, count, total);
    assert_true(total < 2 * bound);
    free(b);
}

/* No two buffers alive at a step overlap; of very many buffers that begin in order of time, with few alive at a time.
 */
static void verify_in_time(const jm_plan_buffer *b, size_t count, size_t total)
{
    size_t *alive = calloc(count, sizeof *alive), living = 0;
    assert_non_null(alive);
    for (size_t i = 0; i < count; i++) {
        size_t kept = 0;
        for (size_t k = 0; k < living; k++)
            if (b[alive[k]].last >= b[i].first) alive[kept++] = alive[k];
        living = kept;
        for (size_t k = 0; k < living; k++) {
            const jm_plan_buffer *other = &b[alive[k]];
            assert_true(b[i].offset + b[i].size <= other->offset || other->offset + other->size <= b[i].offset);
        }
        assert_int_equal(b[i].offset % 64, 0);
        assert_true(b[i].offset + b[i].size <= total);
        alive[living++] = i;
    }
    free(alive);
}

/* So many that the square of their number would take hours. */
static void a_million_buffers(void **unused)
{
    (void)unused;
    const size_t count = 1000000;
    jm_plan_buffer *b = calloc(count, sizeof *b);
    size_t total, bound;
    assert_non_null(b);
    for (int longest = 2; longest <= 32; longest *= 4) {
        for (size_t i = 0; i < count; i++) {
            const uint32_t first = (uint32_t)i / 2;
            b[i] = (jm_plan_buffer){.size = random_below(8) ? 1 + random_below(1 << 20) : random_below(2),
                                    .first = first,
                                    .last = first + random_below((uint32_t)longest)};
        }
        assert_int_equal(jm_memory_plan(b, count, &total, &bound), JM_OK);
        verify_in_time(b, count, total);
        print_message("lifetimes below %d: %.1f %% over the bound\n", longest,
                      100 * ((double)total / (double)bound - 1));
        assert_true(total < 2 * bound);
    }
    /* All at once: one behind the other. */
    for (size_t i = 0; i < count; i++) b[i] = (jm_plan_buffer){.size = 64, .first = (uint32_t)i, .last = UINT32_MAX};
    assert_int_equal(jm_memory_plan(b, count, &total, &bound), JM_OK);
    assert_int_equal(total, 64 * count);
    assert_int_equal(bound, 64 * count);
    free(b);
}

static void the_same_plan_every_time(void **unused)
{
    (void)unused;
    jm_plan_buffer a[200], b[200];
    for (size_t i = 0; i < 200; i++) {
        const uint32_t first = random_below(100);
        a[i] = b[i] =
            (jm_plan_buffer){.size = 64 * (1 + random_below(4)), .first = first, .last = first + random_below(8)};
    }
    size_t ta, tb, bound;
    assert_int_equal(jm_memory_plan(a, 200, &ta, &bound), JM_OK);
    assert_int_equal(jm_memory_plan(b, 200, &tb, &bound), JM_OK);
    assert_int_equal(ta, tb);
    for (size_t i = 0; i < 200; i++) assert_int_equal(a[i].offset, b[i].offset);
}

static void edges(void **unused)
{
    (void)unused;
    size_t total = 1, bound = 1;
    assert_int_equal(jm_memory_plan(NULL, 0, &total, &bound), JM_OK);
    assert_int_equal(total, 0);
    assert_int_equal(bound, 0);

    jm_plan_buffer one = {.size = 1, .first = 0, .last = UINT32_MAX};
    assert_int_equal(jm_memory_plan(&one, 1, &total, &bound), JM_OK);
    assert_int_equal(total, 64);

    jm_plan_buffer backwards = {.size = 1, .first = 2, .last = 1};
    assert_int_equal(jm_memory_plan(&backwards, 1, &total, &bound), JM_INVALID_ARGUMENT);
    jm_plan_buffer huge[2] = {{.size = SIZE_MAX / 2 + 1}, {.size = SIZE_MAX / 2 + 1}};
    assert_int_equal(jm_memory_plan(huge, 2, &total, &bound), JM_OUT_OF_RANGE);
    huge[0].size = SIZE_MAX;
    assert_int_equal(jm_memory_plan(huge, 1, &total, &bound), JM_OUT_OF_RANGE);
}

int main(void)
{
    const char *seed = getenv("JUMAR_TEST_SEED");
    state = seed ? strtoull(seed, NULL, 10) : 20240607;
    printf("seed %llu\n", (unsigned long long)state);
    if (!state) state = 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_never_overlap),      cmocka_unit_test(a_chain_reaches_the_bound),
        cmocka_unit_test(ten_thousand_buffers),     cmocka_unit_test(a_million_buffers),
        cmocka_unit_test(the_same_plan_every_time), cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
