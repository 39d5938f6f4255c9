/* SPDX-License-Identifier: Apache-2.0
 *
 * How work is cut: every block of every unit exactly once, and two cores get nearly equal shares of layers that are
 * awkward to cut.
 */
#include "ops/strips.h"

#include <stdlib.h>

#include "test.h"

static void everything_is_computed_once(void **state)
{
    (void)state;
    for (int round = 0; round < 400; round++) {
        const int64_t images = test_random_int(1, 3), blocks = test_random_int(1, 40), units = test_random_int(1, 70);
        const double block_bytes = (double)test_random_int(0, 100000), unit_bytes = (double)test_random_int(0, 100000);
        const jm_machine machine = {.threads = (unsigned)test_random_int(0, 12), .l1 = 32 << 10, .l2 = 512 << 10};
        const jm_strips strips = jm_strips_choose(&machine, images, blocks, block_bytes, units, unit_bytes);
        unsigned char *seen = calloc((size_t)(images * blocks), (size_t)units);
        assert_non_null(seen);
        for (size_t chunk = 0; chunk < jm_strips_chunks(&strips); chunk++) {
            const jm_strip s = jm_strips_at(&strips, chunk);
            assert_true(s.block_begin < s.block_end && s.unit_begin < s.unit_end);
            assert_true(s.image < images && s.block_end <= blocks && s.unit_end <= units);
            for (int64_t b = s.block_begin; b < s.block_end; b++)
                for (int64_t u = s.unit_begin; u < s.unit_end; u++) seen[(s.image * blocks + b) * units + u]++;
        }
        for (int64_t i = 0; i < images * blocks * units; i++)
            if (seen[i] != 1) fail_msg("element %lld is computed %d times", (long long)i, seen[i]);
        free(seen);
    }
}

/* The share of the busier of two cores, each taking the next chunk when it is free; 0.5 is even. */
static double larger_share(const jm_strips *strips)
{
    int64_t busy[2] = {0};
    for (size_t chunk = 0; chunk < jm_strips_chunks(strips); chunk++) {
        const jm_strip s = jm_strips_at(strips, chunk);
        busy[busy[1] < busy[0]] += (s.block_end - s.block_begin) * (s.unit_end - s.unit_begin);
    }
    return (double)JM_MAX(busy[0], busy[1]) / (double)(busy[0] + busy[1]);
}

static void two_cores_get_equal_shares(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t blocks;
        double block_bytes;
        int64_t units;
        double unit_bytes;
    } layers[] = {
        {"1x1 232 to 232 on 13x13", 15, 64.0 * 232, 29, 4.0 * 6 * 232},
        {"1x1 96 to 576 on 14x14", 36, 64.0 * 96, 33, 4.0 * 6 * 96},
        {"1x1 960 to 160 on 7x7", 10, 64.0 * 960, 9, 4.0 * 6 * 960},
        {"depthwise 64 on 13x13", 4, 64.0 * 9, 13, 64.0 * 13},
        {"depthwise 144 on 28x28", 9, 64.0 * 9, 28, 64.0 * 28},
        {"3x3 128 to 128 on 20x20", 8, 64.0 * 9 * 128, 20, 4.0 * 20 * 128},
        {"3x3 512 to 512 on 7x7", 32, 64.0 * 9 * 512, 7, 4.0 * 7 * 512},
    };
    const jm_machine machine = {.threads = 2, .l1 = 32 << 10, .l2 = 512 << 10};
    for (size_t i = 0; i < JM_COUNT(layers); i++) {
        const jm_strips strips = jm_strips_choose(&machine, 1, layers[i].blocks, layers[i].block_bytes, layers[i].units,
                                                  layers[i].unit_bytes);
        const double share = larger_share(&strips);
        print_message("%s: %zu chunks, %.1f %%\n", layers[i].name, jm_strips_chunks(&strips), 100 * share);
        if (share > 0.515) fail_msg("%s: one core has %.1f %% of the work", layers[i].name, 100 * share);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_computed_once),
                                       cmocka_unit_test(two_cores_get_equal_shares)};
    return cmocka_run_group_tests_name("strips", tests, NULL, NULL);
}
