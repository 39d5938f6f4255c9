/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompositions and solvers: what the results must satisfy, and the same bits in any strides and with any threads.
 */
#include <math.h>

#include "op_test.h"
#include "test.h"

#define ROUNDS 40

static uint64_t *rng;

static int64_t pick(int64_t low, int64_t high)
{
    return op_random_int(rng, low, high);
}

/* Matrices in batches, of float64. */
static jm_tensor matrices(op_test *t, int batch, int64_t m, int64_t n)
{
    jm_shape shape = op_test_shape(rng, batch, 1, 3, 9);
    shape.dim[shape.rank++] = m;
    shape.dim[shape.rank++] = n;
    return op_test_tensor(t, JM_F64, &shape, rng);
}

/* Element (r, c) of matrix number `i` of a dense tensor. */
static double *at(const jm_tensor *tensor, int64_t i, int64_t r, int64_t c)
{
    const int rank = tensor->shape.rank;
    const int64_t rows = tensor->shape.dim[rank - 2], columns = tensor->shape.dim[rank - 1];
    return (double *)tensor->data + (i * rows + r) * columns + c;
}

static int64_t batches(const jm_tensor *tensor)
{
    int64_t count = 1;
    for (int k = 0; k + 2 < tensor->shape.rank; k++) count *= tensor->shape.dim[k];
    return count;
}

/* Runs the call once, plain; its outputs into `out`. Then the same bits are demanded of every way to run it. */
static void run_and_repeat(op_test *t, jm_tensor *out)
{
    assert_ok(op_test_run(t));
    assert_int_equal(t->fault, JM_OK);
    for (int i = 0; i < t->outputs; i++) out[i] = op_test_output(t, i);
    for (int i = 0; i < t->inputs; i++) t->in[i] = op_test_restride(t, &t->in[i], rng);
    op_test_check(t, out, rng);
}

static void assert_orthonormal(const jm_tensor *q, double limit)
{
    const int rank = q->shape.rank;
    for (int64_t i = 0; i < batches(q); i++)
        for (int64_t a = 0; a < q->shape.dim[rank - 1]; a++)
            for (int64_t b = 0; b <= a; b++) {
                double sum = 0;
                for (int64_t r = 0; r < q->shape.dim[rank - 2]; r++) sum += *at(q, i, r, a) * *at(q, i, r, b);
                assert_true(fabs(sum - (a == b)) < limit);
            }
}

static void qr_gives_back_the_matrix(void **state)
{
    (void)state;
    static const char *const text[] = {"reduced", "complete", "r"};
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "Qr");
        const int64_t m = pick(1, 20), n = pick(1, 20), k = JM_MIN(m, n);
        const int mode = (int)pick(0, 2);
        jm_tensor a = matrices(&t, (int)pick(0, 2), m, n), out[2];
        op_test_input(&t, a);
        op_test_string(&t, "mode", text[mode]);
        t.outputs = 2;
        run_and_repeat(&t, out);
        if (mode < 2) assert_orthonormal(&out[0], 1e-13);
        const int64_t inner = mode == 1 ? m : k;
        for (int64_t i = 0; i < batches(&a); i++)
            for (int64_t c = 0; c < n; c++) {
                for (int64_t r = c + 1; r < inner; r++) assert_true(*at(&out[1], i, r, c) == 0);
                for (int64_t r = 0; mode < 2 && r < m; r++) {
                    double sum = 0;
                    for (int64_t j = 0; j < inner; j++) sum += *at(&out[0], i, r, j) * *at(&out[1], i, j, c);
                    assert_true(fabs(sum - *at(&a, i, r, c)) < 1e-12);
                }
            }
        op_test_end(&t);
    }
}

static void svd_gives_back_the_matrix(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "Svd");
        const int64_t m = pick(1, 16), n = pick(1, 16), k = JM_MIN(m, n);
        const bool full = pick(0, 1);
        jm_tensor a = matrices(&t, (int)pick(0, 2), m, n), out[3];
        /* Sometimes of low rank: equal rows. */
        for (int64_t i = 0; pick(0, 2) == 0 && i < batches(&a); i++)
            for (int64_t r = 1; r < m; r++) memcpy(at(&a, i, r, 0), at(&a, i, 0, 0), (size_t)n * sizeof(double));
        op_test_input(&t, a);
        op_test_int(&t, "full_matrices", full);
        t.outputs = 3;
        run_and_repeat(&t, out);
        assert_orthonormal(&out[1], 1e-13);
        assert_orthonormal(&out[2], 1e-13);
        for (int64_t i = 0; i < batches(&a); i++) {
            const double *sigma = (const double *)out[0].data + i * k;
            for (int64_t j = 0; j < k; j++) assert_true(sigma[j] >= 0 && (j == 0 || sigma[j] <= sigma[j - 1]));
            for (int64_t r = 0; r < m; r++)
                for (int64_t c = 0; c < n; c++) {
                    double sum = 0;
                    for (int64_t j = 0; j < k; j++) sum += *at(&out[1], i, r, j) * sigma[j] * *at(&out[2], i, c, j);
                    assert_true(fabs(sum - *at(&a, i, r, c)) < 1e-12);
                }
        }
        op_test_end(&t);
    }
}

static void triangles_are_solved(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "TriangularSolve");
        const int64_t n = pick(1, 12), columns = pick(1, 9);
        const bool upper = pick(0, 1), transpose = pick(0, 1), unit = pick(0, 1);
        jm_tensor b = matrices(&t, (int)pick(0, 2), n, columns), x;
        const jm_shape square = {.rank = 2, .dim = {n, n}};
        jm_tensor a = op_test_tensor(&t, JM_F64, &square, rng);
        for (int64_t r = 0; r < n; r++)
            for (int64_t c = 0; c < n; c++) *at(&a, 0, r, c) = r == c ? 3 : *at(&a, 0, r, c) / (double)n;
        op_test_input(&t, b);
        op_test_input(&t, a);
        op_test_int(&t, "upper", upper);
        op_test_int(&t, "transpose", transpose);
        op_test_int(&t, "unit", unit);
        run_and_repeat(&t, &x);
        for (int64_t i = 0; i < batches(&b); i++)
            for (int64_t r = 0; r < n; r++)
                for (int64_t c = 0; c < columns; c++) {
                    double sum = 0;
                    for (int64_t j = 0; j < n; j++) {
                        const int64_t row = transpose ? j : r, column = transpose ? r : j;
                        const bool counts = upper ? column >= row : column <= row;
                        const double factor = row == column && unit ? 1 : *at(&a, 0, row, column);
                        if (counts) sum += factor * *at(&x, i, j, c);
                    }
                    assert_true(fabs(sum - *at(&b, i, r, c)) < 1e-11);
                }
        op_test_end(&t);
    }
}

static void inverses_give_the_identity(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "Inverse");
        const int64_t n = pick(1, 12);
        jm_tensor a = matrices(&t, (int)pick(0, 2), n, n), y;
        for (int64_t i = 0; i < batches(&a); i++)
            for (int64_t r = 0; r < n; r++) *at(&a, i, r, n - 1 - r) += 4 * (double)n; /* pivots are needed */
        op_test_input(&t, a);
        run_and_repeat(&t, &y);
        for (int64_t i = 0; i < batches(&a); i++)
            for (int64_t r = 0; r < n; r++)
                for (int64_t c = 0; c < n; c++) {
                    double sum = 0;
                    for (int64_t j = 0; j < n; j++) sum += *at(&a, i, r, j) * *at(&y, i, j, c);
                    assert_true(fabs(sum - (r == c)) < 1e-12);
                }
        op_test_end(&t);
    }
}

static void bad_matrices_fault(void **state)
{
    (void)state;
    const jm_shape shape = {.rank = 2, .dim = {2, 2}};
    const double singular[4] = {1, 2, 2, 4}, infinite[4] = {1, 2, 3, INFINITY};
    for (int svd = 0; svd < 2; svd++) {
        op_test t;
        op_test_begin(&t, svd ? "Svd" : "Inverse");
        op_test_input(&t, op_test_constant(&t, JM_F64, &shape, svd ? infinite : singular));
        assert_ok(op_test_run(&t));
        assert_int_equal(t.fault, JM_INVALID_ARGUMENT);
        op_test_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(qr_gives_back_the_matrix), cmocka_unit_test(svd_gives_back_the_matrix),
        cmocka_unit_test(triangles_are_solved),     cmocka_unit_test(inverses_give_the_identity),
        cmocka_unit_test(bad_matrices_fault),
    };
    rng = test_random_state();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
