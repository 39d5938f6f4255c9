/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one operator call in a test, through every step of its life: check, infer, form, pack, plan, run.
 *
 *     op_test t;
 *     op_test_begin(&t, "Concat");
 *     op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, &random));
 *     op_test_int(&t, "axis", 1);
 *     t.form = 2; t.threads = 3; t.order = &random;
 *     assert_int_equal(op_test_run(&t), JM_OK);
 *     compare(op_test_output(&t, 0)); // plain and contiguous, whatever the form
 *     op_test_end(&t);
 *
 * All storages are allocated one by one with their exact sizes, so that ASan sees an over-read. Lanes of a C16 input
 * that no channel maps to, scratch, workspace and fresh outputs hold 0xFF bytes (NaN); outputs with JM_REFERENCE hold
 * what their input holds, and are not the input. After the run the harness asserts that nothing was written outside the
 * outputs, into inputs (but in place) or beyond scratch.
 */
#ifndef JUMAR_TESTS_OP_TEST_H
#define JUMAR_TESTS_OP_TEST_H

#include "ops/op.h"

#define OP_TEST_STORAGES 512

typedef struct op_test {
    const jm_op *op;
    jm_arena *arena;

    /* The call. `in` is filled by op_test_input or directly; outputs default to 1. */
    jm_tensor in[JM_MAX_ARGUMENTS];
    int inputs, outputs;
    jm_attr *attr;

    /* How to run it; zero is form 0, one thread, chunks in order, dense outputs, identity maps. */
    uint8_t form;
    unsigned threads;
    size_t l1, l2;                                   /* caches of the machine; 0: 32 and 512 KiB */
    uint64_t *order;                                 /* random state: chunks run in random order */
    const struct jm_kernels *kernels;                /* jm_kernels_at(level); NULL where no kernel is called */
    const jm_channel_map *in_map[JM_MAX_ARGUMENTS];  /* of inputs that the form wants in C16 */
    const jm_channel_map *out_map[JM_MAX_ARGUMENTS]; /* of C16 outputs */
    uint64_t *gaps; /* random state: outputs get gaps where the form allows, C16 inputs too */
    bool in_place;  /* output 0 lies over the input that the form names, if any */

    /* Results of op_test_run. */
    jm_form used;
    jm_tensor out[JM_MAX_ARGUMENTS]; /* in the layout of the form */
    jm_status fault;                 /* stored by a run */
    size_t chunks;

    void *storage[OP_TEST_STORAGES]; /* owned */
    size_t storage_bytes[OP_TEST_STORAGES];
    int storages;
} op_test;

/* The operator must exist. */
void op_test_begin(op_test *t, const char *op);
void op_test_end(op_test *t);

/* Tensors whose storage the test owns. The first is plain and contiguous, with random elements (floats in [-2, 2),
 * integers any bits, bool 0 or 1); the second has given elements (contiguous, copied) and is constant; the third has
 * random gaps, innermost stride and stride order, uninitialised. */
jm_tensor op_test_tensor(op_test *t, jm_dtype dtype, const jm_shape *shape, uint64_t *random);
jm_tensor op_test_constant(op_test *t, jm_dtype dtype, const jm_shape *shape, const void *data);
jm_tensor op_test_strided(op_test *t, jm_dtype dtype, const jm_shape *shape, uint64_t *random);
/* The tensor itself or a copy under random strides. */
jm_tensor op_test_restride(op_test *t, const jm_tensor *source, uint64_t *random);
/* A tensor of any layout and map with the same elements in new dense storage; unmapped lanes are 0xFF. */
jm_tensor op_test_copy(op_test *t, const jm_tensor *source, jm_layout layout, const jm_channel_map *map);
/* A random map: segments padded to blocks, channels shuffled; NULL (identity) sometimes. */
const jm_channel_map *op_test_map(op_test *t, int64_t channels, uint64_t *random);

/* Appends an input. */
void op_test_input(op_test *t, jm_tensor tensor);
/* Appends an absent input. */
void op_test_absent(op_test *t);
/* Appends a constant int64 input of rank 1. */
void op_test_ints_input(op_test *t, const int64_t *values, int count);

/* Attributes; the operator must have them. Arrays are copied. */
void op_test_int(op_test *t, const char *name, int64_t value);
void op_test_float(op_test *t, const char *name, double value);
void op_test_string(op_test *t, const char *name, const char *value);
void op_test_ints(op_test *t, const char *name, const int64_t *values, int count);
void op_test_dtype(op_test *t, const char *name, jm_dtype value);
void op_test_epilogue(op_test *t, const char *name, jm_epilogue value);

/* Fills `forms` for the inputs as they are; returns how many, 0 when the call is illegal. */
int op_test_forms(op_test *t, jm_form forms[JM_MAX_FORMS]);
/* Inputs of rank 3 or more that are not constant are first brought into the layout of the form. Returns the status of
 * the first step that fails. May be called again after changing the "how". */
JM_MUST_USE jm_status op_test_run(op_test *t);
/* Output `i` copied to a plain contiguous tensor. */
jm_tensor op_test_output(op_test *t, int i);

/* Asserts the same dtype, shape and bits of every logical element, whatever layouts and strides. */
void op_test_assert_same(const jm_tensor *got, const jm_tensor *want);

/* Runs the call in every form that it offers, three times each: one to three threads, then with chunks in random order,
 * random channel maps and outputs with gaps. Asserts that every output has the bits of want[i] and that no run faults.
 */
void op_test_check(op_test *t, const jm_tensor *want, uint64_t *random);

/* Random numbers of the caller's state (start from *test_random_state()): 64 bits, uniform in [low, high], in
 * [low, high). */
uint64_t op_random(uint64_t *state);
int64_t op_random_int(uint64_t *state, int64_t low, int64_t high);
double op_random_real(uint64_t *state, double low, double high);
/* A shape of `rank` with dims in [low, high], cut to at most `limit` elements. */
jm_shape op_test_shape(uint64_t *random, int rank, int64_t low, int64_t high, int64_t limit);
/* Steps `index` through `shape` in row-major order; false after the last. Start with zeros. */
bool op_test_next(const jm_shape *shape, int64_t index[JM_MAX_RANK]);

#endif
