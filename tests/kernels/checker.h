/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel checker: every kernel of every level against the reference, bit by bit. A family adds itself with one
 * file check_<family>.c that defines `const checker_family check_<family>` and one line in checker.c.
 *
 *     test_kernels [--bench] [text]      only kernels whose name contains text; --bench times them as well
 *
 * The program prints its seed (JUMAR_TEST_SEED sets it), names the kernel it crashed in, fails when a slot of a
 * family's table was never called, and says which levels this CPU lacks. It also prints a digest of everything that the
 * reference computed: with the same seed the same on every architecture.
 */
#ifndef JUMAR_TESTS_CHECKER_H
#define JUMAR_TESTS_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/kernels.h"

typedef struct checker checker;

/* A function pointer in jm_kernels, `offset` bytes from its start. */
typedef struct checker_kernel {
    const char *name; /* "conv.tile", "pointwise.unary.relu" */
    size_t offset;
    int argument; /* the family's own: an index, a variant */
    /* Calls the kernel of `tested` and of `reference` with the same inputs, sizes around its tile, strides tight and
     * loose, ordinary and special values; compares with checker_same. Called several times. */
    void (*check)(checker *c, const struct checker_kernel *kernel, const jm_kernels *reference,
                  const jm_kernels *tested);
    /* NULL, or calls of typical size, timed from the last checker_fill or checker_floats on. Returns the work done:
     * FLOP when `flops`, else elements. */
    double (*bench)(checker *c, const struct checker_kernel *kernel, const jm_kernels *tested);
    bool flops;
} checker_kernel;

/* A family's part of jm_kernels. Every pointer-sized slot in it must be listed, or lie within its `data` bytes, which
 * come first and hold no functions. */
typedef struct checker_family {
    const char *name;
    size_t offset, size, data;
    /* Fills at most `limit` kernels; returns how many there are. */
    int (*list)(checker_kernel *kernels, int limit);
} checker_family;

/* Random numbers of this run. */
uint64_t checker_random(checker *c);
int64_t checker_random_int(checker *c, int64_t low, int64_t high);

/* `count` floats that end at an unreadable page and begin after a poisoned margin; freed when the check returns.
 * The first lies at a multiple of 64 bytes when count is a multiple of 16. Contents: NaN. */
float *checker_floats(checker *c, size_t count);
/* Zeroed memory for anything else, likewise. */
void *checker_memory(checker *c, size_t bytes);

/* Ordinary numbers in [-2, 2). */
void checker_fill(checker *c, float *values, size_t count);
/* Ordinary numbers with zeros of both signs, subnormals, huge numbers, infinities and NaN among them. */
void checker_fill_special(checker *c, float *values, size_t count);
/* One of the two, by chance. */
void checker_fill_any(checker *c, float *values, size_t count);

/* checker_floats filled by checker_fill_any; by checker_fill. */
float *checker_any(checker *c, size_t count);
float *checker_ordinary(checker *c, size_t count);

/* The check fails unless both have the same bits; NaNs of any kind are equal. `what` names the case. */
void checker_same(checker *c, const float *got, const float *want, size_t count, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
/* The same for `count` elements of `size` bytes, every bit of which counts. */
void checker_same_bytes(checker *c, const void *got, const void *want, size_t size, size_t count, const char *what, ...)
    __attribute__((format(printf, 6, 7)));
/* The check fails. */
void checker_fail(checker *c, const char *what, ...) __attribute__((format(printf, 2, 3)));

#endif
