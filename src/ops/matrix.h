/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix products on the panels of kernels/gemm.h.
 *     Y = epilogue(alpha * A B + beta * C)
 * A constant B is packed once ([blocks of 16 columns][depth][16], times alpha); any other is packed in run, in parts
 * that fit into the caches. Each element is the same sum however the product is cut, so the bits are the same.
 */
#ifndef JUMAR_OPS_MATRIX_H
#define JUMAR_OPS_MATRIX_H

#include "ops/op.h"

#define JM_MATRIX_BATCHES (JM_MAX_RANK - 2)

/* Strides are in elements; 0 repeats. */
typedef struct jm_matrix_view {
    int input; /* index of the input; -1: absent. The output ignores it */
    ptrdiff_t row, column;
    ptrdiff_t batch[JM_MATRIX_BATCHES];
} jm_matrix_view;

typedef struct jm_matrix_job {
    int64_t rows, columns, depth;
    int64_t batch[JM_MATRIX_BATCHES]; /* sizes, 1 where unused */
    jm_dtype dtype;                   /* of all operands */
    jm_matrix_view a, b, c, residual, y;
    bool packed; /* B lies as jm_matrix_pack leaves it; its batch sizes are 1 */
    float alpha, beta;
    jm_epilogue epilogue;
} jm_matrix_job;

/* The product of the batch sizes, and where batch `index` of an operand begins, in elements. */
int64_t jm_matrix_batches(const jm_matrix_job *job);
ptrdiff_t jm_matrix_batch_offset(const jm_matrix_job *job, const jm_matrix_view *view, int64_t index);

/* Batch `batch` of an input; NULL where it is absent. */
static inline const float *jm_matrix_input(const jm_matrix_job *job, const jm_matrix_view *view, const jm_run *run,
                                           int64_t batch)
{
    if (view->input < 0) return NULL;
    return (const float *)run->in[view->input] + jm_matrix_batch_offset(job, view, batch);
}

/* Every plan's state begins with its run function. */
typedef struct jm_matrix_state {
    void (*run)(const jm_plan *plan, const jm_run *run);
} jm_matrix_state;

/* The types that both operators have; float32 has the panels, the others (matrix_exact.c) plain loops and only the
 * plain form. */
#define JM_MATRIX_DTYPES (1u << JM_F32 | 1u << JM_F64 | 1u << JM_I32 | 1u << JM_U32 | 1u << JM_I64 | 1u << JM_U64)

/* Forms of both operators; stored in .om files. */
enum { JM_MATRIX_PLAIN = 0, JM_MATRIX_PACKED = 1 };

/* Bytes of a packed B. JM_OUT_OF_RANGE on overflow. */
JM_MUST_USE jm_status jm_matrix_pack_bytes(int64_t depth, int64_t columns, size_t *bytes);
/* Packs B, whose element (k, n) lies at b[k * row + n * column], times alpha. */
void jm_matrix_pack(const float *b, ptrdiff_t row, ptrdiff_t column, int64_t depth, int64_t columns, float alpha,
                    float *packed);

JM_MUST_USE jm_status jm_matrix_plan(const jm_matrix_job *job, const jm_machine *machine, jm_arena *arena,
                                     jm_plan *plan);
/* matrix_exact.c. What jm_matrix_plan does for other types than float32. Integers wrap, and their alpha and beta must
 * be integers, else JM_UNSUPPORTED; the epilogue does nothing. */
JM_MUST_USE jm_status jm_matrix_exact_plan(const jm_matrix_job *job, const jm_machine *machine, jm_arena *arena,
                                           jm_plan *plan);
/* matrix_thin.c. Products of few rows, whose B is read where it lies: true where jm_matrix_thin_plan takes the job, as
 * alpha * A times B with alpha = `scale`. */
bool jm_matrix_thin_fits(const jm_matrix_job *job);
JM_MUST_USE jm_status jm_matrix_thin_plan(const jm_matrix_job *job, float scale, const jm_machine *machine,
                                          jm_arena *arena, jm_plan *plan);
void jm_matrix_run(const jm_plan *plan, const jm_run *run);

/* Fills the two forms; B is packed in the second one. Returns 2, or 1 where B is not constant or has too few columns.
 * `constant` is false for other types than float32. */
int jm_matrix_forms(int64_t batches, int64_t rows, int64_t columns, int64_t depth, const jm_epilogue *epilogue,
                    bool constant, jm_form forms[JM_MAX_FORMS]);

/* matmul.c. The shape of numpy.matmul(a, b). JM_INVALID_ARGUMENT with a sentence when they do not fit. */
JM_MUST_USE jm_status jm_matmul_shape(const jm_call *call, const jm_shape *a, const jm_shape *b, jm_shape *out);

#endif
