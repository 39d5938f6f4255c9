/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of optimisers, loss scaling and dropout: tensors of any strides and types, several chunks, the same bits at
 * every level and order, against models in float64.
 */
#include "numeric.h"

static const jm_dtype types[] = {JM_F32, JM_F16, JM_BF16};

static jm_dtype any_type(uint64_t *random)
{
    return types[op_random_int(random, 0, 2) ? 0 : op_random_int(random, 0, 2)];
}

static void one_number(op_test *t, double value)
{
    const jm_shape scalar = {.rank = 0};
    const float element = (float)value;
    op_test_input(t, op_test_constant(t, JM_F32, &scalar, &element));
}

/* All outputs as the reference has them, with the same bits at every level, number of threads and order of chunks. */
static void run_all_ways(op_test *t, jm_tensor want[], uint64_t *random)
{
    for (int level = 0; level < JM_CPU_LEVELS; level++) {
        t->kernels = jm_kernels_at((jm_cpu_level)level);
        if (!t->kernels) continue;
        t->threads = 1;
        t->order = t->gaps = NULL;
        if (op_test_run(t) != JM_OK) fail_msg("%s: %s", t->op->name, jm_last_error());
        assert_int_equal(t->fault, JM_OK);
        for (int i = 0; i < t->outputs; i++) {
            const jm_tensor out = op_test_output(t, i);
            if (level == 0)
                want[i] = out;
            else
                assert_same_numbers(t->op->name, &out, &want[i]);
        }
        op_test_check(t, want, random);
    }
}

/* A changed tensor of the call, element by element. */
static double before(const jm_tensor *tensor, const int64_t index[JM_MAX_RANK])
{
    return number_at(tensor, index);
}

static jm_shape shape_of(uint64_t *random, int round)
{
    if (round == 0) return (jm_shape){.rank = 2, .dim = {130, 257}}; /* several chunks */
    return op_test_shape(random, (int)op_random_int(random, 0, 5), round == 1 ? 0 : 1, 12, 3000);
}

/* ---- Adam ---- */

enum { W, M, V, MAXIMUM, GRADIENT, MOMENTS };

static void adam_case(const char *op, bool amsgrad, bool maximize, bool nesterov, int round, uint64_t *random)
{
    static const float low[] = {-2, -2, 0.01f, 0.01f, -2}, high[] = {2, 2, 3, 3, 2};
    const bool by_attributes = strcmp(op, "AdamWStep") == 0;
    const double lr = 0.0625, beta1 = 0.875, beta2 = 0.9375, decay = 0.25, eps = 0.03125;
    const int step = 4;
    op_test t;
    jm_tensor in[MOMENTS] = {{0}}, out[4];
    const jm_shape shape = shape_of(random, round);
    op_test_begin(&t, op);
    for (int i = W; i < MOMENTS; i++) {
        if (i == MAXIMUM && !amsgrad) {
            op_test_absent(&t);
            continue;
        }
        in[i] = random_numbers(&t, any_type(random), &shape, random, low[i], high[i], false);
        op_test_input(&t, in[i]);
    }
    if (by_attributes) {
        one_number(&t, step);
        op_test_float(&t, "lr", lr);
        op_test_float(&t, "beta1", beta1);
        op_test_float(&t, "beta2", beta2);
        op_test_float(&t, "weight_decay", decay);
        op_test_float(&t, "eps", eps);
    } else {
        const double numbers[] = {pow(beta1, step + !nesterov), pow(beta2, step + !nesterov), lr, beta1, beta2, eps};
        for (int i = 0; i < 6; i++) one_number(&t, nesterov ? numbers[i] : (float)numbers[i]);
        if (!nesterov) one_number(&t, 0);
        op_test_int(&t, "nesterov", nesterov);
        op_test_int(&t, "decoupled", 0);
    }
    op_test_int(&t, "amsgrad", amsgrad);
    op_test_int(&t, "maximize", maximize);
    t.outputs = by_attributes ? 4 : 3;
    run_all_ways(&t, out, random);

    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_ok(jm_shape_count(&shape, &count));
    const double power = by_attributes ? step + 1 : step + !nesterov;
    const double root = sqrt(1 - pow(beta2, power)), rate = lr / (1 - pow(beta1, power));
    if (count) do {
            const double g = (maximize ? -1 : 1) * before(&in[GRADIENT], index);
            const double m = beta1 * before(&in[M], index) + (1 - beta1) * g;
            const double v = beta2 * before(&in[V], index) + (1 - beta2) * g * g;
            const double s = amsgrad ? fmax(v, before(&in[MAXIMUM], index)) : v;
            const double ahead = nesterov ? beta1 * m + (1 - beta1) * g : m;
            double w = before(&in[W], index);
            if (by_attributes)
                w = w * (1 - lr * decay) - rate * m / (sqrt(s) / root + eps);
            else
                w -= rate * root * ahead / (sqrt(s) + eps);
            const double want[] = {w, m, v, s};
            for (int i = 0; i < t.outputs; i++)
                if (i < 3 || amsgrad)
                    assert_close(op, out[i].dtype, number_at(&out[i], index), want[i],
                                 4e-7 * (1 + fabs(want[i])) + 0.51 * ulp_of(out[i].dtype, want[i]));
        } while (op_test_next(&shape, index));
    op_test_end(&t);
}

static void adam(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 12; round++) {
        adam_case("AdamWStep", round & 1, round & 2, false, round / 2, &random);
        adam_case("AdamStep", false, false, round & 1, round / 2, &random);
    }
}

/* ---- Gradient descent ---- */

static void descent_case(bool momentum, bool nesterov, bool first, double scale, int round, uint64_t *random)
{
    const double lr = 0.0625, keep = momentum ? 0.875 : 0, dampening = momentum && !nesterov ? 0.25 : 0, decay = 0.125;
    op_test t;
    jm_tensor in[3] = {{0}}, out[3];
    const jm_shape shape = shape_of(random, round);
    op_test_begin(&t, "GradientDescentStep");
    for (int i = 0; i < 3; i++) {
        in[i] = random_numbers(&t, any_type(random), &shape, random, -2, 2, false);
        if (i < 2 || momentum)
            op_test_input(&t, in[i]);
        else
            op_test_absent(&t);
    }
    if (scale != 1) one_number(&t, scale);
    op_test_float(&t, "lr", lr);
    op_test_float(&t, "momentum", keep);
    op_test_float(&t, "dampening", dampening);
    op_test_float(&t, "weight_decay", decay);
    op_test_int(&t, "nesterov", nesterov);
    op_test_int(&t, "first", first);
    t.outputs = 3;
    run_all_ways(&t, out, random);

    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_ok(jm_shape_count(&shape, &count));
    if (count) do {
            const double given = before(&in[1], index) / scale, w = before(&in[0], index), g = given + decay * w;
            const double b = first ? g : keep * before(&in[2], index) + (1 - dampening) * g;
            const double want[] = {w - lr * (momentum ? (nesterov ? g + keep * b : b) : g), given, b};
            for (int i = 0; i < 3; i++)
                if (i == 0 || (i == 1 && scale != 1) || (i == 2 && momentum))
                    assert_close("GradientDescentStep", out[i].dtype, number_at(&out[i], index), want[i],
                                 4e-7 * (1 + fabs(want[i])) + 0.51 * ulp_of(out[i].dtype, want[i]));
        } while (op_test_next(&shape, index));
    op_test_end(&t);
}

static void descent(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 16; round++)
        descent_case(round & 1, (round & 3) == 3, round & 4, round & 8 ? 3 : 1, round / 3, &random);
}

/* ---- Loss scaling ---- */

static void unscale(void **state)
{
    (void)state;
    static const double bad[] = {1, INFINITY, -INFINITY, NAN};
    uint64_t random = *test_random_state();
    for (int round = 0; round < 16; round++) {
        op_test t;
        jm_tensor out[2];
        const jm_shape shape = shape_of(&random, round / 4);
        op_test_begin(&t, "Unscale");
        jm_tensor x = random_numbers(&t, any_type(&random), &shape, &random, -2, 2, false);
        int64_t count, index[JM_MAX_RANK] = {0};
        assert_ok(jm_shape_count(&shape, &count));
        const double odd = count ? bad[round % 4] : 1;
        for (int64_t k = count ? op_random_int(&random, 0, count - 1) : 0; k > 0; k--) op_test_next(&shape, index);
        if (count) jm_element_from_f64(x.dtype, odd, jm_tensor_at(&x, index));
        op_test_input(&t, x);
        one_number(&t, 0.25);
        one_number(&t, 0.5);
        t.outputs = 2;
        run_all_ways(&t, out, &random);
        assert_true(*(float *)out[1].data == (odd == 1 ? 0.25f : 1.0f));
        memset(index, 0, sizeof(index));
        if (count) do {
                const double want = number_at(&x, index) / 2;
                assert_close("Unscale", x.dtype, number_at(&out[0], index), want, 0.51 * ulp_of(x.dtype, want));
            } while (op_test_next(&shape, index));
        op_test_end(&t);
    }
}

/* ---- Dropout ---- */

static void dropout(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 12; round++) {
        op_test t;
        jm_tensor out[2], again[1];
        const jm_shape shape = shape_of(&random, round / 3), scalar = {.rank = 0};
        const int64_t seed = (int64_t)op_random(&random), offset = 4 * op_random_int(&random, 0, 1000);
        op_test_begin(&t, "Dropout");
        const jm_tensor x = random_numbers(&t, any_type(&random), &shape, &random, 1, 2, false);
        op_test_input(&t, x);
        op_test_input(&t, op_test_constant(&t, JM_I64, &scalar, &seed));
        op_test_input(&t, op_test_constant(&t, JM_I64, &scalar, &offset));
        op_test_float(&t, "prob", 0.25);
        t.outputs = 2;
        run_all_ways(&t, out, &random);

        int64_t index[JM_MAX_RANK] = {0}, count, i = 0, kept = 0;
        assert_ok(jm_shape_count(&shape, &count));
        const uint8_t *bits = out[1].data;
        assert_int_equal(out[1].shape.dim[0], (count + 127) / 128 * 16);
        if (count) do {
                const bool stays = bits[i / 8] >> i % 8 & 1;
                const double want = stays ? number_at(&x, index) / 0.75 : 0;
                assert_close("Dropout", x.dtype, number_at(&out[0], index), want, 0.6 * ulp_of(x.dtype, want) + 1e-7);
                kept += stays;
                i++;
            } while (op_test_next(&shape, index));
        for (; i < out[1].shape.dim[0] * 8; i++) assert_true((bits[i / 8] >> i % 8 & 1) == 0);
        if (count > 10000) assert_true(fabs((double)kept / (double)count - 0.75) < 0.03);

        op_test a;
        op_test_begin(&a, "DropoutApply");
        op_test_input(&a, op_test_copy(&a, &x, JM_PLAIN, NULL));
        op_test_input(&a, op_test_copy(&a, &out[1], JM_PLAIN, NULL));
        op_test_float(&a, "prob", 0.25);
        run_all_ways(&a, again, &random);
        assert_same_numbers("DropoutApply", &again[0], &out[0]);
        op_test_end(&a);
        op_test_end(&t);
    }
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adam),
        cmocka_unit_test(descent),
        cmocka_unit_test(unscale),
        cmocka_unit_test(dropout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
