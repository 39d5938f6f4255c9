/* SPDX-License-Identifier: Apache-2.0
 *
 * What every C test includes: cmocka with its prerequisites, a seeded random generator, and checks that print the
 * library's error.
 */
#ifndef JUMAR_TESTS_TEST_H
#define JUMAR_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/status.h"

/* The seed of this run: JUMAR_TEST_SEED or the clock; printed on first use. */
static inline uint64_t *test_random_state(void)
{
    static uint64_t state;
    if (!state) {
        const char *text = getenv("JUMAR_TEST_SEED");
        struct timespec now;
        timespec_get(&now, TIME_UTC);
        state = text ? strtoull(text, NULL, 0) : (uint64_t)now.tv_nsec | 1;
        printf("seed: JUMAR_TEST_SEED=%llu\n", (unsigned long long)state);
        fflush(stdout);
    }
    return &state;
}

/* xorshift64*: 64 random bits. */
static inline uint64_t test_random(void)
{
    uint64_t *s = test_random_state();
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * 2685821657736338717ull;
}

/* In [low, high]. */
static inline int64_t test_random_int(int64_t low, int64_t high)
{
    return low + (int64_t)(test_random() % (uint64_t)(high - low + 1));
}

/* In [-1, 1). */
static inline float test_random_float(void)
{
    return (float)((double)(int64_t)test_random() * 0x1p-63);
}

#define assert_ok(call)                                                                                                \
    do {                                                                                                               \
        jm_status assert_ok_status_ = (call);                                                                          \
        if (assert_ok_status_ != JM_OK)                                                                                \
            fail_msg("%s: %s (%s)", #call, jm_status_text(assert_ok_status_), jm_last_error());                        \
    } while (0)

/* The call fails with this code and its message contains `words`. */
#define assert_error(call, code, words)                                                                                \
    do {                                                                                                               \
        jm_status assert_error_status_ = (call);                                                                       \
        if (assert_error_status_ != (code))                                                                            \
            fail_msg("%s: got %s, want %s", #call, jm_status_text(assert_error_status_), jm_status_text(code));        \
        if (!strstr(jm_last_error(), words))                                                                           \
            fail_msg("%s: the message '%s' lacks '%s'", #call, jm_last_error(), words);                                \
    } while (0)

/* Folder of test data: JUMAR_TEST_DATA, else the compiled-in default beside the source tree. NULL when it is absent. */
static inline const char *test_data(void)
{
    const char *path = getenv("JUMAR_TEST_DATA");
    if (!path) path = JUMAR_TEST_DATA_DEFAULT;
    FILE *probe = NULL;
    static char name[4096];
    snprintf(name, sizeof name, "%s/models/README.md", path);
    probe = fopen(name, "r");
    if (!probe) {
        printf("skipped: no test data at %s (set JUMAR_TEST_DATA)\n", path);
        return NULL;
    }
    fclose(probe);
    return path;
}

#endif
