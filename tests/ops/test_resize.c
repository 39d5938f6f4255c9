/* SPDX-License-Identifier: Apache-2.0
 *
 * Resize in every mode, coordinate transformation and rounding, against the formulas of the ONNX specification in
 * float64 (on numbers for which float32 and float64 coordinates agree).
 */
#include "numeric.h"

static const char *const coordinates[] = {"half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel",
                                          "align_corners", "asymmetric",           "tf_crop_and_resize"};
static const char *const nearests[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
static const char *const modes[] = {"nearest", "linear", "cubic"};

enum { HALF, SYMMETRIC, PYTORCH, ALIGN, ASYMMETRIC, CROP };
enum { NEAREST, LINEAR, CUBIC };

struct model {
    int mode, coordinate, nearest;
    bool exclude_outside;
    double cubic_a, extrapolation;
    double scale[JM_MAX_RANK], start[JM_MAX_RANK], end[JM_MAX_RANK];
};

static double place(const struct model *m, int k, int64_t in, int64_t out, int64_t o)
{
    double x = (double)o, n = (double)in, scale = m->scale[k];
    switch (m->coordinate) {
    case SYMMETRIC:
        return n / 2 * (1 - (double)out / (scale * n)) + (x + 0.5) / scale - 0.5;
    case PYTORCH:
        return out > 1 ? (x + 0.5) / scale - 0.5 : 0;
    case ALIGN:
        return out > 1 ? x * (n - 1) / (double)(out - 1) : 0;
    case ASYMMETRIC:
        return x / scale;
    case CROP:
        return out > 1 ? m->start[k] * (n - 1) + x * (m->end[k] - m->start[k]) * (n - 1) / (double)(out - 1)
                       : 0.5 * (m->start[k] + m->end[k]) * (n - 1);
    default:
        return (x + 0.5) / scale - 0.5;
    }
}

static double rounded(int nearest, double x)
{
    switch (nearest) {
    case 0:
        return x == floor(x) + 0.5 ? floor(x) : round(x);
    case 1:
        return x == floor(x) + 0.5 ? ceil(x) : round(x);
    case 2:
        return floor(x);
    default:
        return ceil(x);
    }
}

/* Taps of one axis: weights of places first .. first + count - 1, clamped to the input. */
static int taps_of(const struct model *m, double x, int64_t in, int64_t index[4], double weight[4])
{
    int count = m->mode == NEAREST ? 1 : (m->mode == LINEAR ? 2 : 4);
    double first = m->mode == NEAREST ? rounded(m->nearest, x) : floor(x), s = x - first, a = m->cubic_a, sum = 0;
    if (m->mode == CUBIC) first -= 1;
    for (int t = 0; t < count; t++) {
        double distance = m->mode == CUBIC ? fabs(s + 1 - t) : fabs(s - t);
        if (m->mode == NEAREST)
            weight[t] = 1;
        else if (m->mode == LINEAR)
            weight[t] = 1 - distance;
        else if (distance <= 1)
            weight[t] = (a + 2) * pow(distance, 3) - (a + 3) * pow(distance, 2) + 1;
        else
            weight[t] = a * pow(distance, 3) - 5 * a * pow(distance, 2) + 8 * a * distance - 4 * a;
        double at = first + t;
        if (m->exclude_outside && m->mode == CUBIC && (at < 0 || at >= (double)in)) weight[t] = 0;
        sum += weight[t];
        index[t] = at < 0 ? 0 : (at >= (double)in ? in - 1 : (int64_t)at);
    }
    for (int t = 0; t < count && m->exclude_outside; t++) weight[t] /= sum;
    return count;
}

/* Recursion over the axes. */
static double value_at(const struct model *m, const jm_tensor *in, const jm_tensor *out, const int64_t index[], int k,
                       int64_t at[JM_MAX_RANK])
{
    if (k == in->shape.rank) return number_at(in, at);
    int64_t n = in->shape.dim[k], taps[4];
    double weight[4], sum = 0;
    bool still = m->coordinate == CROP ? m->start[k] == 0 && m->end[k] == 1 : m->scale[k] == 1;
    if (still && n == out->shape.dim[k]) {
        at[k] = index[k];
        return value_at(m, in, out, index, k + 1, at);
    }
    int count = taps_of(m, place(m, k, n, out->shape.dim[k], index[k]), n, taps, weight);
    for (int t = 0; t < count; t++) {
        at[k] = taps[t];
        double value = value_at(m, in, out, index, k + 1, at);
        sum = count == 1 ? value : sum + weight[t] * value;
    }
    return sum;
}

static bool outside(const struct model *m, const jm_tensor *in, const jm_tensor *out, const int64_t index[])
{
    for (int k = 0; k < in->shape.rank && m->coordinate == CROP; k++) {
        if (m->start[k] == 0 && m->end[k] == 1 && in->shape.dim[k] == out->shape.dim[k]) continue;
        double x = place(m, k, in->shape.dim[k], out->shape.dim[k], index[k]);
        if (x < 0 || x > (double)(in->shape.dim[k] - 1)) return true;
    }
    return false;
}

static void check_resize(const struct model *m, const jm_tensor *in, const jm_tensor *out)
{
    int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK], count;
    assert_ok(jm_shape_count(&out->shape, &count));
    if (count == 0) return;
    do {
        double want = outside(m, in, out, index) ? m->extrapolation : value_at(m, in, out, index, 0, at);
        double error = m->mode == NEAREST ? 0 : 2e-4 + 0.51 * ulp_of(in->dtype, want);
        if (!is_float(in->dtype)) {
            unsigned char element[8] = {0};
            jm_element_from_f64(in->dtype, want, element);
            want = jm_element_to_f64(in->dtype, element);
        }
        char what[120];
        snprintf(what, sizeof(what), "%s, %s, %s", modes[m->mode], coordinates[m->coordinate], nearests[m->nearest]);
        assert_close(what, in->dtype, number_at(out, index), want, error);
    } while (op_test_next(&out->shape, index));
}

static void set_model(op_test *t, const struct model *m)
{
    op_test_string(t, "mode", modes[m->mode]);
    op_test_string(t, "coordinate_transformation_mode", coordinates[m->coordinate]);
    op_test_string(t, "nearest_mode", nearests[m->nearest]);
    op_test_float(t, "cubic_coeff_a", m->cubic_a);
    op_test_float(t, "extrapolation_value", m->extrapolation);
    op_test_int(t, "exclude_outside", m->exclude_outside);
}

static void floats_input(op_test *t, const double *value, int count)
{
    float list[2 * JM_MAX_RANK];
    jm_shape shape = {.rank = 1, .dim = {count}};
    for (int i = 0; i < count; i++) list[i] = (float)value[i];
    op_test_input(t, op_test_constant(t, JM_F32, &shape, list));
}

/* Runs X with roi (cropping only) and either scales or sizes. */
static void run_resize(struct model *m, jm_dtype dtype, const jm_shape *shape, const int64_t *sizes, uint64_t *random)
{
    op_test t;
    int rank = shape->rank;
    op_test_begin(&t, "Resize");
    set_model(&t, m);
    jm_tensor in = random_numbers(&t, dtype, shape, random, dtype == JM_U8 ? 0 : -4, 4, false);
    op_test_input(&t, in);
    if (m->coordinate == CROP) {
        double roi[2 * JM_MAX_RANK];
        memcpy(roi, m->start, (size_t)rank * sizeof(double));
        memcpy(roi + rank, m->end, (size_t)rank * sizeof(double));
        floats_input(&t, roi, 2 * rank);
    } else {
        op_test_absent(&t);
    }
    if (sizes) {
        op_test_absent(&t);
        op_test_ints_input(&t, sizes, rank);
        for (int k = 0; k < rank; k++) m->scale[k] = (double)sizes[k] / (double)shape->dim[k];
    } else {
        floats_input(&t, m->scale, rank);
    }
    jm_form forms[JM_MAX_FORMS];
    bool still = m->scale[0] == 1 && (rank < 2 || m->scale[1] == 1);
    for (int k = 0; k < 2 && m->coordinate == CROP; k++) still = still && m->start[k] == 0 && m->end[k] == 1;
    int offered = op_test_forms(&t, forms);
    assert_int_equal(offered, dtype == JM_F32 && rank >= 3 && still ? 2 : 1);
    jm_tensor out = run_every_way(&t, random);
    for (int k = 0; k < rank; k++) {
        int64_t want = sizes ? sizes[k] : (int64_t)floor((double)shape->dim[k] * m->scale[k]);
        assert_int_equal(out.shape.dim[k], want);
    }
    check_resize(m, &in, &out);
    op_test_end(&t);
}

static struct model plain_model(int mode, int coordinate, int nearest)
{
    struct model m = {.mode = mode, .coordinate = coordinate, .nearest = nearest, .cubic_a = -0.75};
    for (int k = 0; k < JM_MAX_RANK; k++) m.scale[k] = m.end[k] = 1;
    return m;
}

/* Scales whose quotients are exact in float32: powers of two, up and down, and 3 with asymmetric coordinates. */
static void random_resizes(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype nearest_types[] = {JM_F32, JM_F32, JM_U8, JM_F16, JM_I64, JM_BOOL};
    static const jm_dtype blend_types[] = {JM_F32, JM_F32, JM_F16, JM_BF16};
    for (int mode = 0; mode < 3; mode++)
        for (int coordinate = 0; coordinate < 6; coordinate++)
            for (int round = 0; round < 12; round++) {
                struct model m = plain_model(mode, coordinate, round % 4);
                int rank = round < 4 ? 4 : (int)op_random_int(&random, 1, mode == CUBIC ? 4 : 5);
                jm_shape shape = op_test_shape(&random, rank, 2, 12, 600);
                for (int k = round < 6 ? 2 : 0; k < rank; k++) {
                    static const double scales[] = {0.5, 2, 4, 1, 0.25, 1};
                    m.scale[k] = scales[op_random_int(&random, 0, 5)];
                    if (coordinate == CROP) {
                        m.start[k] = (double)op_random_int(&random, -1, 1) / 4;
                        m.end[k] = (double)op_random_int(&random, 3, 5) / 4;
                    }
                    if (shape.dim[k] * m.scale[k] < 1) shape.dim[k] = 4;
                    /* The shift of this mode is a quotient, which must be exact too. */
                    if (coordinate == SYMMETRIC && mode == NEAREST) shape.dim[k] = 4 << (round & 1);
                }
                m.exclude_outside = mode == CUBIC && round & 1;
                m.extrapolation = 2.5;
                jm_dtype dtype = mode == NEAREST ? nearest_types[round % 6] : blend_types[round % 4];
                if (coordinate == CROP && mode == NEAREST) {
                    /* Places must not fall on rounding boundaries of float32: sizes with power-of-two divisors. */
                    for (int k = 0; k < rank; k++) {
                        shape.dim[k] = 5;
                        if (m.scale[k] == 1 && m.start[k] == 0 && m.end[k] == 1) continue;
                        m.start[k] = 0.25, m.end[k] = 1.25, m.scale[k] = 1;
                    }
                }
                run_resize(&m, dtype, &shape, NULL, &random);
            }
}

/* What detectors use, and sizes instead of scales. */
static void usual_resizes(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    jm_shape shape = {.rank = 4, .dim = {1, 40, 13, 20}};
    struct model up = plain_model(NEAREST, ASYMMETRIC, 2);
    up.scale[2] = up.scale[3] = 2;
    run_resize(&up, JM_F32, &shape, NULL, &random);
    up.scale[2] = up.scale[3] = 3;
    run_resize(&up, JM_F32, &shape, NULL, &random);
    struct model half = plain_model(LINEAR, HALF, 0);
    run_resize(&half, JM_F32, &shape, (int64_t[]){1, 40, 26, 40}, &random);
    run_resize(&half, JM_F32, &shape, (int64_t[]){1, 40, 17, 31}, &random);
    struct model corners = plain_model(LINEAR, ALIGN, 0);
    run_resize(&corners, JM_F32, &shape, (int64_t[]){1, 40, 52, 80}, &random);
    run_resize(&corners, JM_F32, &shape, (int64_t[]){1, 40, 1, 7}, &random);
    struct model cubic = plain_model(CUBIC, HALF, 0);
    run_resize(&cubic, JM_F32, &shape, (int64_t[]){1, 40, 29, 33}, &random);
    /* Identity, and one axis only. */
    run_resize(&half, JM_F32, &shape, shape.dim, &random);
    run_resize(&half, JM_F32, &shape, (int64_t[]){1, 40, 29, 20}, &random);
    struct model third = plain_model(NEAREST, HALF, 0);
    run_resize(&third, JM_F32, &shape, (int64_t[]){1, 40, 39, 60}, &random);
}

/* onnxruntime computes in float32: 11 / 1.1 is 10 there, though not in float64. */
static void float_coordinates(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    op_test t;
    jm_shape shape = {.rank = 1, .dim = {20}};
    op_test_begin(&t, "Resize");
    op_test_string(&t, "coordinate_transformation_mode", "asymmetric");
    op_test_string(&t, "nearest_mode", "floor");
    jm_tensor in = op_test_tensor(&t, JM_F32, &shape, &random);
    op_test_input(&t, in);
    op_test_absent(&t);
    floats_input(&t, (double[]){1.1}, 1);
    jm_tensor out = run_every_way(&t, &random);
    assert_int_equal(out.shape.dim[0], 22);
    for (int i = 0; i < 22; i++) {
        volatile float at = (float)i / 1.1f;
        assert_true(((float *)out.data)[i] == ((float *)in.data)[(int)floorf(at)]);
    }
    assert_true(((float *)out.data)[11] == ((float *)in.data)[10]);
    op_test_end(&t);
}

/* `axes` names the axes of sizes; keep_aspect_ratio_policy makes one scale of them. */
static void axes_and_policy(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const struct {
        const char *policy;
        int64_t height, width;
    } cases[] = {{"stretch", 20, 12}, {"not_larger", 6, 12}, {"not_smaller", 20, 40}};
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        op_test t;
        jm_shape shape = {.rank = 3, .dim = {5, 3, 10}};
        op_test_begin(&t, "Resize");
        op_test_ints(&t, "axes", (int64_t[]){-1, 0}, 2);
        op_test_string(&t, "keep_aspect_ratio_policy", cases[i].policy);
        op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, &random));
        op_test_absent(&t);
        op_test_absent(&t);
        op_test_ints_input(&t, (int64_t[]){12, 20}, 2);
        jm_tensor out = run_every_way(&t, &random);
        assert_int_equal(out.shape.dim[0], cases[i].height);
        assert_int_equal(out.shape.dim[1], 3);
        assert_int_equal(out.shape.dim[2], cases[i].width);
        op_test_end(&t);
    }
}

/* An empty tensor stays empty. */
static void no_elements(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int mode = 0; mode < 3; mode++) {
        struct model m = plain_model(mode, HALF, 0);
        jm_shape shape = {.rank = 4, .dim = {0, 3, 4, 5}};
        m.scale[2] = 2;
        run_resize(&m, JM_F32, &shape, NULL, &random);
        shape = (jm_shape){.rank = 4, .dim = {1, 3, 0, 5}};
        run_resize(&m, JM_F32, &shape, NULL, &random);
    }
}

/* Large enough for several chunks. */
static void chunks(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    struct model m = plain_model(LINEAR, HALF, 0);
    jm_shape shape = {.rank = 4, .dim = {1, 20, 40, 50}};
    m.scale[2] = m.scale[3] = 2;
    run_resize(&m, JM_F32, &shape, NULL, &random);
    m.mode = NEAREST;
    run_resize(&m, JM_F32, &shape, NULL, &random);
}

static void refuse(const char *attr, const char *text, const double *scales, int count, const char *words)
{
    op_test t;
    jm_form forms[JM_MAX_FORMS];
    uint64_t random = 1;
    jm_shape shape = {.rank = 2, .dim = {4, 5}};
    op_test_begin(&t, "Resize");
    if (attr) op_test_string(&t, attr, text);
    op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, &random));
    op_test_absent(&t);
    if (scales) floats_input(&t, scales, count);
    assert_int_equal(op_test_forms(&t, forms), 0);
    if (!strstr(jm_last_error(), words)) fail_msg("'%s' lacks '%s'", jm_last_error(), words);
    op_test_end(&t);
}

static void errors(void **state)
{
    (void)state;
    double two[] = {2, 2}, zero[] = {2, 0}, nan[] = {NAN, 1}, huge[] = {1e30, 1}, three[] = {1, 2, 3};
    refuse("mode", "sometimes", two, 2, "mode 'sometimes' is not supported");
    refuse("coordinate_transformation_mode", "x", two, 2, "'x' is not supported");
    refuse(NULL, NULL, NULL, 0, "exactly one of scales and sizes");
    refuse(NULL, NULL, zero, 2, "scale 0 of axis 1");
    refuse(NULL, NULL, nan, 2, "scale nan of axis 0");
    refuse(NULL, NULL, huge, 2, "scale 1e+30 of axis 0");
    refuse(NULL, NULL, three, 3, "at most 2 numbers");
    refuse(NULL, NULL, two, 1, "1 scales or sizes for 2 axes");
    refuse("coordinate_transformation_mode", "tf_crop_and_resize", two, 2, "roi has 0 values and must have 4");
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_resizes),  cmocka_unit_test(usual_resizes), cmocka_unit_test(float_coordinates),
        cmocka_unit_test(axes_and_policy), cmocka_unit_test(no_elements),   cmocka_unit_test(chunks),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
