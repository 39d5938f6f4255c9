/* SPDX-License-Identifier: Apache-2.0
 *
 * MatMul and Gemm against float64 products, for random shapes, batches, strides and epilogues; and the same bits in
 * both forms, at every level and thread count, however the sizes of caches cut them.
 */
#include "../test.h"
#include "op_test.h"

#include <math.h>

#include "kernels/kernels.h"
#include "ops/matrix.h"

static int64_t pick(uint64_t *random, int64_t low, int64_t high)
{
    return op_random_int(random, low, high);
}

/* A plain tensor of random strides, or contiguous. */
static jm_tensor operand(op_test *t, jm_shape shape, uint64_t *random)
{
    jm_tensor dense = op_test_tensor(t, JM_F32, &shape, random);
    if (pick(random, 0, 1)) return dense;
    jm_tensor strided = op_test_strided(t, JM_F32, &shape, random);
    assert_ok(jm_tensor_copy(&dense, &strided));
    return strided;
}

static double value_at(const jm_tensor *tensor, const int64_t index[JM_MAX_RANK])
{
    return (double)*(const float *)jm_tensor_at(tensor, index);
}

/* An element of a tensor broadcast to a larger rank: the last dims of `index` count, dims of size 1 repeat. */
static double broadcast_at(const jm_tensor *tensor, const int64_t *index, int rank)
{
    int64_t own[JM_MAX_RANK] = {0};
    for (int k = 0; k < tensor->shape.rank; k++) {
        const int64_t at = index[rank - tensor->shape.rank + k];
        own[k] = tensor->shape.dim[k] == 1 ? 0 : at;
    }
    return value_at(tensor, own);
}

/* Runs every form, level and thread count; all give the bits of the first run, which is returned. */
static jm_tensor run_all(op_test *t, uint64_t *random)
{
    jm_form forms[JM_MAX_FORMS];
    const int count = op_test_forms(t, forms);
    if (count == 0) fail_msg("no forms: %s", jm_last_error());
    /* A constant B is packed, unless a vector would be mostly empty. */
    const jm_shape *b = &t->in[1].shape;
    const bool packs = t->in[1].constant && b->rank <= 2;
    if (!packs || (b->rank == 2 && b->dim[0] >= 8 && b->dim[1] >= 8)) assert_int_equal(count, packs ? 2 : 1);
    t->order = t->gaps = random;
    jm_tensor first = {.dtype = JM_DTYPE_NONE};
    for (int f = 0; f < count; f++) {
        t->form = forms[f].id;
        for (int level = 0; level < JM_CPU_LEVELS; level++) {
            t->kernels = jm_kernels_at((jm_cpu_level)level);
            if (!t->kernels) continue;
            t->threads = (unsigned)pick(random, 1, 5);
            /* Small caches cut small products into many parts. */
            t->l1 = (size_t)1 << pick(random, 10, 16);
            t->l2 = (size_t)1 << pick(random, 10, 20);
            assert_ok(op_test_run(t));
            const jm_tensor got = op_test_output(t, 0);
            if (first.dtype == JM_DTYPE_NONE)
                first = got;
            else
                op_test_assert_same(&got, &first);
        }
    }
    return first;
}

/* The worst error of a sum, over the sum of the sizes of its products: segments of 128 terms are chains, whose sums are
 * added one by one; alpha, beta and the residual round once each. */
static double worst_error(int64_t depth)
{
    const double steps = (double)(depth < 128 ? depth : 128) + (double)(depth / 128) + 5;
    return steps * 0x1p-24 / (1 - steps * 0x1p-24);
}

/* Sizes of a product: small ones, some long sides, and now and then one of several segments. */
static void pick_sizes(uint64_t *random, int64_t *rows, int64_t *columns, int64_t *depth)
{
    *rows = pick(random, 1, 30);
    *depth = pick(random, 0, 40);
    *columns = pick(random, 1, 50);
    switch (pick(random, 0, 9)) {
    case 0:
        *rows = pick(random, 100, 300);
        break;
    case 1:
        *columns = pick(random, 100, 300);
        break;
    case 2:
        *depth = pick(random, 120, 700);
        break;
    case 3:
        *rows = 1 + pick(random, 0, 3);
        *columns = pick(random, 1, 200);
        *depth = pick(random, 120, 300);
        break;
    case 4:
        *rows = pick(random, 20, 90);
        *columns = pick(random, 20, 90);
        *depth = pick(random, 120, 300);
        break;
    case 5: /* few rows, in several parts of the columns or of the depth */
        *rows = pick(random, 1, 5);
        *columns = pick(random, 1, 20);
        *depth = pick(random, 1, 20);
        *(pick(random, 0, 1) ? columns : depth) += pick(random, 0, 1) ? 1020 : 4090;
        break;
    default:
        break;
    }
}

static void test_matmul(void **unused)
{
    (void)unused;
    uint64_t *random = test_random_state();
    for (int i = 0; i < 300; i++) {
        op_test t;
        op_test_begin(&t, "MatMul");
        int64_t rows, columns, depth;
        pick_sizes(random, &rows, &columns, &depth);
        jm_shape a = {0}, b = {0};
        const int batch_a = (int)pick(random, 0, 2), batch_b = pick(random, 0, 1) ? 0 : (int)pick(random, 0, 2);
        int64_t sizes[2] = {pick(random, 1, 3), pick(random, 1, 3)};
        for (int k = 0; k < batch_a; k++) a.dim[a.rank++] = pick(random, 0, 3) ? sizes[2 - batch_a + k] : 1;
        for (int k = 0; k < batch_b; k++) b.dim[b.rank++] = pick(random, 0, 3) ? sizes[2 - batch_b + k] : 1;
        if (batch_a || pick(random, 0, 3)) a.dim[a.rank++] = rows;
        a.dim[a.rank++] = depth;
        b.dim[b.rank++] = depth;
        if (batch_b || pick(random, 0, 3)) b.dim[b.rank++] = columns;
        op_test_input(&t, operand(&t, a, random));
        op_test_input(&t, operand(&t, b, random));
        t.in[1].constant = pick(random, 0, 1) != 0;
        const jm_tensor got = run_all(&t, random);

        int64_t index[JM_MAX_RANK] = {0};
        const int rank = got.shape.rank;
        do {
            double sum = 0, size = 0;
            for (int64_t k = 0; k < depth; k++) {
                /* Indices as if both had rows, columns and all batches. */
                int64_t full_a[JM_MAX_RANK] = {0}, full_b[JM_MAX_RANK] = {0};
                const bool row = a.rank > 1, column = b.rank > 1;
                const int batches = rank - row - column;
                memcpy(full_a, index, (size_t)batches * sizeof(int64_t));
                memcpy(full_b, index, (size_t)batches * sizeof(int64_t));
                int ra = batches, rb = batches;
                if (row) full_a[ra++] = index[batches];
                full_a[ra++] = k;
                full_b[rb++] = k;
                if (column) full_b[rb++] = index[rank - 1];
                const double x = broadcast_at(&t.in[0], full_a, ra), y = broadcast_at(&t.in[1], full_b, rb);
                sum += x * y;
                size += fabs(x * y);
            }
            const double value = value_at(&got, index);
            if (!(fabs(value - sum) <= worst_error(depth) * size)) fail_msg("%.9g, expected %.9g", value, sum);
        } while (op_test_next(&got.shape, index));
        op_test_end(&t);
    }
}

static void test_gemm(void **unused)
{
    (void)unused;
    uint64_t *random = test_random_state();
    for (int i = 0; i < 300; i++) {
        op_test t;
        op_test_begin(&t, "Gemm");
        int64_t rows, columns, depth;
        pick_sizes(random, &rows, &columns, &depth);
        const bool trans_a = pick(random, 0, 1), trans_b = pick(random, 0, 1);
        const float alpha = pick(random, 0, 1) ? 1.0f : 0.3f, beta = pick(random, 0, 1) ? 1.0f : -1.7f;
        const jm_shape y = {.rank = 2, .dim = {rows, columns}};
        op_test_input(
            &t, operand(&t, (jm_shape){.rank = 2, .dim = {trans_a ? depth : rows, trans_a ? rows : depth}}, random));
        op_test_input(
            &t,
            operand(&t, (jm_shape){.rank = 2, .dim = {trans_b ? columns : depth, trans_b ? depth : columns}}, random));
        t.in[1].constant = pick(random, 0, 1) != 0;
        jm_shape c = y;
        const int kind = (int)pick(random, 0, 6);
        if (kind == 1) c = (jm_shape){.rank = 0};
        if (kind == 2) c = (jm_shape){.rank = 1, .dim = {1}};
        if (kind == 3) c = (jm_shape){.rank = 1, .dim = {columns}};
        if (kind == 4) c.dim[0] = 1;
        if (kind == 5) c.dim[1] = 1;
        jm_epilogue epilogue = {.activation = pick(random, 0, 1) ? JM_ACT_RELU : JM_ACT_NONE,
                                .residual = (jm_residual)pick(random, 0, 2)};
        if (kind == 0)
            op_test_absent(&t);
        else
            op_test_input(&t, operand(&t, c, random));
        if (epilogue.residual != JM_RESIDUAL_NONE) op_test_input(&t, operand(&t, y, random));
        op_test_float(&t, "alpha", (double)alpha);
        op_test_float(&t, "beta", (double)beta);
        op_test_int(&t, "transA", trans_a);
        op_test_int(&t, "transB", trans_b);
        op_test_epilogue(&t, "epilogue", epilogue);
        const jm_tensor got = run_all(&t, random);

        int64_t index[JM_MAX_RANK] = {0};
        do {
            double sum = 0, size = 0;
            for (int64_t k = 0; k < depth; k++) {
                const int64_t at_a[JM_MAX_RANK] = {trans_a ? k : index[0], trans_a ? index[0] : k};
                const int64_t at_b[JM_MAX_RANK] = {trans_b ? index[1] : k, trans_b ? k : index[1]};
                const double product = (double)alpha * value_at(&t.in[0], at_a) * value_at(&t.in[1], at_b);
                sum += product;
                size += fabs(product);
            }
            if (kind) {
                const double start = (double)beta * broadcast_at(&t.in[2], index, 2);
                sum += start;
                size += fabs(start);
            }
            if (epilogue.residual != JM_RESIDUAL_NONE) size += fabs(value_at(&t.in[3], index));
            if (epilogue.residual == JM_RESIDUAL_THEN_ACTIVATION) sum += value_at(&t.in[3], index);
            if (epilogue.activation == JM_ACT_RELU) sum = fmax(sum, 0);
            if (epilogue.residual == JM_ACTIVATION_THEN_RESIDUAL) sum += value_at(&t.in[3], index);
            const double value = value_at(&got, index);
            if (!(fabs(value - sum) <= worst_error(depth) * size)) fail_msg("%.9g, expected %.9g", value, sum);
        } while (op_test_next(&got.shape, index));
        op_test_end(&t);
    }
}

/* Products without rows, columns, batches or terms. */
static void test_empty(void **unused)
{
    (void)unused;
    uint64_t *random = test_random_state();
    for (int i = 0; i < 16; i++) {
        const int64_t rows = i & 1 ? 0 : 5, columns = i & 2 ? 0 : 20, depth = i & 4 ? 0 : 3, batch = i & 8 ? 0 : 2;
        op_test t;
        op_test_begin(&t, "MatMul");
        op_test_input(&t, op_test_tensor(&t, JM_F32, &(jm_shape){.rank = 3, .dim = {batch, rows, depth}}, random));
        op_test_input(&t, op_test_tensor(&t, JM_F32, &(jm_shape){.rank = 2, .dim = {depth, columns}}, random));
        t.in[1].constant = true;
        const jm_tensor got = run_all(&t, random);
        const int64_t dims[] = {batch, rows, columns};
        for (int k = 0; k < 3; k++) assert_int_equal(got.shape.dim[k], dims[k]);
        int64_t index[JM_MAX_RANK] = {0};
        if (depth == 0 && batch && rows && columns) {
            do {
                assert_true(value_at(&got, index) == 0);
            } while (op_test_next(&got.shape, index));
        }
        op_test_end(&t);
    }
}

/* Every allocation of a plan may fail. */
static void test_allocations(void **unused)
{
    (void)unused;
    const jm_machine machine = {
        .kernels = jm_kernels_at(JM_CPU_REFERENCE), .threads = 2, .l1 = 32 << 10, .l2 = 512 << 10};
    const int64_t columns[] = {40, 400};
    for (int i = 0; i < 2; i++) {
        jm_matrix_job job = {
            .rows = 50,
            .columns = columns[i],
            .depth = 300,
            .a = {.row = 300, .column = 1},
            .b = {.input = 1, .row = columns[i], .column = 1},
            .c.input = -1,
            .residual.input = -1,
            .y = {.row = columns[i], .column = 1},
            .alpha = 1,
        };
        for (int k = 0; k < JM_MATRIX_BATCHES; k++) job.batch[k] = 1;
        for (uint64_t n = 1;; n++) {
            jm_alloc_fail_at(n);
            jm_arena *arena = NULL;
            jm_plan plan = {0};
            jm_status status = jm_arena_create(&arena);
            if (status == JM_OK) status = jm_matrix_plan(&job, &machine, arena, &plan);
            const uint64_t asked = jm_alloc_fail_at(0);
            jm_arena_destroy(arena);
            if (status == JM_OK) {
                assert_true(n > 1 && asked < n);
                break;
            }
            assert_int_equal(status, JM_OUT_OF_MEMORY);
        }
    }
}

/* Wrong calls end in a sentence. */
static void test_errors(void **unused)
{
    (void)unused;
    uint64_t *random = test_random_state();
    op_test t;
    op_test_begin(&t, "MatMul");
    op_test_input(&t, op_test_tensor(&t, JM_F32, &(jm_shape){.rank = 2, .dim = {3, 4}}, random));
    op_test_input(&t, op_test_tensor(&t, JM_F32, &(jm_shape){.rank = 2, .dim = {5, 6}}, random));
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "cannot be multiplied");
    t.in[1].shape.rank = 0;
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "rank 1 or more");
    op_test_end(&t);

    op_test_begin(&t, "Gemm");
    op_test_input(&t, op_test_tensor(&t, JM_F32, &(jm_shape){.rank = 2, .dim = {3, 4}}, random));
    op_test_input(&t, op_test_tensor(&t, JM_F32, &(jm_shape){.rank = 2, .dim = {4, 6}}, random));
    op_test_input(&t, op_test_tensor(&t, JM_F32, &(jm_shape){.rank = 1, .dim = {5}}, random));
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "cannot be broadcast");
    op_test_int(&t, "transB", 1);
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "depth");
    op_test_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul),      cmocka_unit_test(test_gemm),   cmocka_unit_test(test_empty),
        cmocka_unit_test(test_allocations), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
