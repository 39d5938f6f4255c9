/* SPDX-License-Identifier: Apache-2.0
 *
 * ConvWeightGrad against a float64 model in the plainest form of its definition, for random shapes and attributes; the
 * same bits at every level, thread count and order of chunks.
 */
#include "numeric.h"

#define MOST_PARTS 8
#define MOST_PRODUCTS 5000000

typedef struct grad_case {
    int spatial;
    int64_t batch, channels, filters, group, parts;
    int64_t in[3], out[3], kernel[3], stride[3], dilation[3], before[3], after[3];
} grad_case;

static int64_t pick(uint64_t *random, int64_t low, int64_t high)
{
    return op_random_int(random, low, high);
}

static grad_case draw_case(uint64_t *random)
{
    grad_case c = {.spatial = (int)pick(random, 1, 3), .batch = pick(random, 1, 3)};
    c.group = pick(random, 0, 2) ? 1 : pick(random, 2, 4);
    c.channels = c.group * pick(random, 1, 33);
    c.filters = c.group * (pick(random, 0, 3) ? pick(random, 1, 40) : 1);
    int64_t rows = c.batch;
    const bool point = pick(random, 0, 5) == 0; /* every output point sees the input point at its place */
    const int64_t most = pick(random, 0, 2) ? 12 : 40;
    for (int k = 0; k < 3; k++) {
        c.in[k] = c.out[k] = c.kernel[k] = c.stride[k] = c.dilation[k] = 1;
        if (k < 3 - c.spatial) continue;
        c.kernel[k] = point ? 1 : pick(random, 1, 4);
        c.stride[k] = point || pick(random, 0, 1) ? 1 : pick(random, 2, 4);
        c.dilation[k] = pick(random, 0, 2) ? 1 : pick(random, 2, 3);
        c.before[k] = point ? 0 : pick(random, 0, 3);
        c.after[k] = point ? 0 : pick(random, 0, 3);
        const int64_t extent = (c.kernel[k] - 1) * c.dilation[k] + 1;
        /* Rows longer than a piece now and then. */
        c.in[k] = k == 2 && pick(random, 0, 5) == 0 ? pick(random, 250, 2400) : pick(random, 1, most);
        c.in[k] = JM_MAX(c.in[k], extent);
        c.out[k] = (c.before[k] + c.in[k] + c.after[k] - extent) / c.stride[k] + 1;
        if (k < 2) rows *= c.out[k];
    }
    c.parts = pick(random, 0, 1) ? 1 : pick(random, 1, JM_MIN(rows + 1, MOST_PARTS));
    return c;
}

/* The model is slow, under a sanitizer above all. */
static grad_case random_case(uint64_t *random)
{
    for (;;) {
        const grad_case c = draw_case(random);
        int64_t products = c.batch * c.filters * (c.channels / c.group);
        for (int k = 0; k < 3; k++) products *= c.kernel[k] * c.out[k];
        if (products <= MOST_PRODUCTS) return c;
    }
}

/* Makes it a case of more filters than points and 16 channels or a multiple. */
static void few_points(grad_case *c, uint64_t *random)
{
    c->spatial = JM_MIN(c->spatial, 2);
    c->group = pick(random, 1, 2);
    c->channels = 16 * c->group * pick(random, 1, 5);
    c->filters = c->group * pick(random, 20, 70);
    c->parts = 1;
    c->in[0] = c->out[0] = c->kernel[0] = c->stride[0] = c->dilation[0] = 1;
    c->before[0] = c->after[0] = 0;
    for (int k = 1; k < 3; k++) {
        const int64_t extent = (c->kernel[k] - 1) * c->dilation[k] + 1;
        if (k < 3 - c->spatial) continue;
        c->in[k] = pick(random, 1, 6);
        c->in[k] = JM_MAX(c->in[k], extent);
        c->out[k] = (c->before[k] + c->in[k] + c->after[k] - extent) / c->stride[k] + 1;
    }
}

static jm_shape shape_of(const grad_case *c, int64_t a, int64_t b, const int64_t spatial[3])
{
    jm_shape shape = {.rank = 2 + c->spatial, .dim = {a, b}};
    for (int k = 0; k < c->spatial; k++) shape.dim[2 + k] = spatial[3 - c->spatial + k];
    return shape;
}

static void set_call(op_test *t, const grad_case *c, jm_dtype dtype, uint64_t *random)
{
    const int first = 3 - c->spatial;
    const jm_shape x = shape_of(c, c->batch, c->channels, c->in), dy = shape_of(c, c->batch, c->filters, c->out);
    int64_t pads[6];
    op_test_begin(t, "ConvWeightGrad");
    op_test_input(t, random_numbers(t, dtype, &x, random, -1, 1, false));
    op_test_input(t, random_numbers(t, dtype, &dy, random, -1, 1, false));
    for (int k = 0; k < c->spatial; k++) {
        pads[k] = c->before[first + k];
        pads[c->spatial + k] = c->after[first + k];
    }
    op_test_ints(t, "kernel_shape", c->kernel + first, c->spatial);
    op_test_ints(t, "strides", c->stride + first, c->spatial);
    op_test_ints(t, "dilations", c->dilation + first, c->spatial);
    op_test_ints(t, "pads", pads, 2 * c->spatial);
    op_test_int(t, "group", c->group);
    t->outputs = (int)c->parts;
}

/* Element (a, b, point) of a map, 0 outside. */
static double element(const jm_tensor *map, int spatial, int64_t a, int64_t b, const int64_t point[3])
{
    int64_t index[JM_MAX_RANK] = {a, b};
    for (int k = 0; k < spatial; k++) {
        index[2 + k] = point[3 - spatial + k];
        if (index[2 + k] < 0 || index[2 + k] >= map->shape.dim[2 + k]) return 0;
    }
    return number_at(map, index);
}

/* The sum over all parts of weight `index`, and the sum of the sizes of its terms. */
static double model(const grad_case *c, const op_test *t, const int64_t *index, double *size)
{
    double sum = 0;
    const int64_t filter = index[0], channel = filter / (c->filters / c->group) * (c->channels / c->group) + index[1];
    int64_t tap[3] = {0}, o[3], at[3];
    for (int k = 0; k < c->spatial; k++) tap[3 - c->spatial + k] = index[2 + k];
    *size = 0;
    for (int64_t n = 0; n < c->batch; n++) {
        for (o[0] = 0; o[0] < c->out[0]; o[0]++) {
            for (o[1] = 0; o[1] < c->out[1]; o[1]++) {
                for (o[2] = 0; o[2] < c->out[2]; o[2]++) {
                    for (int k = 0; k < 3; k++) at[k] = o[k] * c->stride[k] + tap[k] * c->dilation[k] - c->before[k];
                    const double term =
                        element(&t->in[0], c->spatial, n, channel, at) * element(&t->in[1], c->spatial, n, filter, o);
                    sum += term;
                    *size += fabs(term);
                }
            }
        }
    }
    return sum;
}

static void check(const grad_case *c, jm_dtype dtype, uint64_t *random)
{
    op_test t;
    set_call(&t, c, dtype, random);
    const jm_tensor first = run_every_way(&t, random);
    jm_tensor part[MOST_PARTS];
    for (int i = 0; i < c->parts; i++) part[i] = op_test_output(&t, i);
    assert_same_numbers("the last run", &part[0], &first);
    const jm_shape want = shape_of(c, c->filters, c->channels / c->group, c->kernel);
    int64_t index[JM_MAX_RANK] = {0};
    do {
        double size, have = 0;
        const double sum = model(c, &t, index, &size);
        for (int i = 0; i < c->parts; i++) have += number_at(&part[i], index);
        assert_close("dW", dtype, have, sum, (dtype == JM_F32 ? 1e-6 : 1e-14) * (size + 1));
    } while (op_test_next(&want, index));
    op_test_end(&t);
}

static void test_random_calls(void **unused)
{
    (void)unused;
    uint64_t random = *test_random_state();
    for (int i = 0; i < 70; i++) {
        grad_case c = random_case(&random);
        if (i % 6 == 1) few_points(&c, &random);
        check(&c, i % 6 == 5 ? JM_F64 : JM_F32, &random);
    }
}

/* No points at all: the gradient is 0. */
static void test_empty_batch(void **unused)
{
    (void)unused;
    uint64_t random = *test_random_state();
    for (int parts = 1; parts <= 2; parts++) {
        grad_case c = random_case(&random);
        c.batch = 0;
        c.parts = parts;
        check(&c, JM_F32, &random);
    }
}

static void expect_error(const grad_case *c, const char *name, int64_t value, const char *words)
{
    op_test t;
    uint64_t random = *test_random_state();
    set_call(&t, c, JM_F32, &random);
    if (jm_op_attr(t.op, jm_op_attr_index(t.op, name))->kind == JM_PARAM_INTS)
        op_test_ints(&t, name, (const int64_t[]){value, value}, 2);
    else
        op_test_int(&t, name, value);
    t.kernels = jm_kernels_at(JM_CPU_REFERENCE);
    assert_int_equal(op_test_run(&t), JM_INVALID_ARGUMENT);
    if (!strstr(jm_last_error(), words)) fail_msg("'%s' does not say '%s'", jm_last_error(), words);
    op_test_end(&t);
}

static void test_errors(void **unused)
{
    (void)unused;
    const grad_case c = {.spatial = 2,
                         .batch = 1,
                         .channels = 4,
                         .filters = 4,
                         .group = 2,
                         .parts = 1,
                         .in = {1, 6, 6},
                         .out = {1, 4, 4},
                         .kernel = {1, 3, 3},
                         .stride = {1, 1, 1},
                         .dilation = {1, 1, 1}};
    uint64_t random = *test_random_state();
    check(&c, JM_F32, &random);
    expect_error(&c, "group", 3, "groups");
    expect_error(&c, "group", 0, "group is 0");
    expect_error(&c, "kernel_shape", 0, "kernel_shape[0] is 0");
    expect_error(&c, "kernel_shape", 2, "dY has shape [1,4,4,4]");
    expect_error(&c, "strides", 2, "dY has shape");
    expect_error(&c, "dilations", 4, "the kernel spans");
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_calls),
        cmocka_unit_test(test_empty_batch),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
