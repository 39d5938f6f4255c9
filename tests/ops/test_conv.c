/* SPDX-License-Identifier: Apache-2.0
 *
 * Conv and ConvTranspose against a float64 model in the plainest form of their definitions, for random attributes,
 * shapes, channel maps and epilogues; and the same bits at every level, thread count and cut.
 */
#include "../test.h"
#include "op_test.h"

#include <math.h>

#include "kernels/kernels.h"
#include "ops/conv.h"

/* A random call, spatial dims as (z, y, x). */
typedef struct conv_case {
    bool transposed;
    int spatial;
    int64_t batch, channels, filters, group;
    int64_t in[3], kernel[3], stride[3], dilation[3], before[3], after[3], extra[3];
    jm_epilogue epilogue;
    bool bias, constant;
} conv_case;

static int64_t pick(uint64_t *random, int64_t low, int64_t high)
{
    return op_random_int(random, low, high);
}

static conv_case random_case(uint64_t *random, bool transposed)
{
    conv_case c = {.transposed = transposed, .spatial = (int)pick(random, 0, 5), .batch = pick(random, 1, 2)};
    c.spatial = c.spatial == 0 ? 1 : c.spatial == 1 ? 3 : 2;
    switch (pick(random, 0, 3)) {
    case 0: /* depthwise, at times with a multiplier */
        c.group = c.channels = pick(random, 1, 40);
        c.filters = c.channels * (pick(random, 0, 3) ? 1 : pick(random, 2, 3));
        break;
    case 1:
        c.group = pick(random, 2, 3);
        c.channels = c.group * pick(random, 1, 20);
        c.filters = c.group * pick(random, 1, 20);
        break;
    default:
        c.group = 1;
        c.channels = pick(random, 1, pick(random, 0, 1) ? 70 : 8);
        c.filters = pick(random, 1, 70);
    }
    for (int k = 0; k < 3; k++) {
        c.in[k] = c.kernel[k] = c.stride[k] = c.dilation[k] = 1;
        if (k < 3 - c.spatial) continue;
        c.kernel[k] = pick(random, 0, 2) ? pick(random, 1, 3) : pick(random, 1, 6);
        c.stride[k] = pick(random, 0, 1) ? 1 : pick(random, 1, 4);
        c.dilation[k] = pick(random, 0, 2) ? 1 : pick(random, 1, 3);
        c.before[k] = pick(random, 0, 1) ? 0 : pick(random, 0, 4);
        c.after[k] = pick(random, 0, 1) ? c.before[k] : pick(random, 0, 3);
        const int64_t extent = (c.kernel[k] - 1) * c.dilation[k] + 1;
        c.in[k] = pick(random, 1, c.spatial == 3 ? 6 : 19);
        if (transposed) {
            c.extra[k] = pick(random, 0, JM_MAX(c.stride[k], c.dilation[k]) - 1);
            const int64_t full = (c.in[k] - 1) * c.stride[k] + extent + c.extra[k];
            if (c.before[k] + c.after[k] >= full) c.before[k] = c.after[k] = 0;
        } else {
            c.in[k] = JM_MAX(c.in[k], extent - c.before[k] - c.after[k]);
        }
    }
    c.bias = pick(random, 0, 2) != 0;
    c.constant = pick(random, 0, 4) != 0;
    c.epilogue = (jm_epilogue){.activation = (jm_activation)pick(random, 0, JM_ACT_COUNT - 1), .alpha = 0.2f};
    if (c.epilogue.activation == JM_ACT_CLIP) c.epilogue.alpha = -0.5f;
    c.epilogue.beta = 0.7f;
    c.epilogue.residual = (jm_residual)pick(random, 0, 2);
    return c;
}

static int64_t out_size(const conv_case *c, int k)
{
    const int64_t extent = (c->kernel[k] - 1) * c->dilation[k] + 1;
    return c->transposed ? (c->in[k] - 1) * c->stride[k] + extent + c->extra[k] - c->before[k] - c->after[k]
                         : (c->before[k] + c->in[k] + c->after[k] - extent) / c->stride[k] + 1;
}

static jm_shape shape_of(const conv_case *c, int64_t a, int64_t b, const int64_t spatial[3])
{
    jm_shape shape = {.rank = 2 + c->spatial, .dim = {a, b}};
    for (int k = 0; k < c->spatial; k++) shape.dim[2 + k] = spatial[3 - c->spatial + k];
    return shape;
}

static void set_call(op_test *t, const conv_case *c, uint64_t *random)
{
    op_test_begin(t, c->transposed ? "ConvTranspose" : "Conv");
    const jm_shape x = shape_of(c, c->batch, c->channels, c->in);
    const jm_shape w = c->transposed ? shape_of(c, c->channels, c->filters / c->group, c->kernel)
                                     : shape_of(c, c->filters, c->channels / c->group, c->kernel);
    const int64_t out[3] = {out_size(c, 0), out_size(c, 1), out_size(c, 2)};
    const jm_shape y = shape_of(c, c->batch, c->filters, out), b = {.rank = 1, .dim = {c->filters}};
    op_test_input(t, op_test_tensor(t, JM_F32, &x, random));
    op_test_input(t, op_test_tensor(t, JM_F32, &w, random));
    if (c->bias)
        op_test_input(t, op_test_tensor(t, JM_F32, &b, random));
    else
        op_test_absent(t);
    if (c->epilogue.residual != JM_RESIDUAL_NONE) op_test_input(t, op_test_tensor(t, JM_F32, &y, random));
    t->in[JM_CONV_W].constant = c->constant;
    t->in[JM_CONV_B].constant = c->bias && c->constant;

    const int first = 3 - c->spatial;
    int64_t pads[6];
    for (int k = 0; k < c->spatial; k++) {
        pads[k] = c->before[first + k];
        pads[c->spatial + k] = c->after[first + k];
    }
    op_test_ints(t, "strides", c->stride + first, c->spatial);
    op_test_ints(t, "dilations", c->dilation + first, c->spatial);
    op_test_ints(t, "pads", pads, 2 * c->spatial);
    op_test_int(t, "group", c->group);
    op_test_epilogue(t, "epilogue", c->epilogue);
    if (c->transposed) op_test_ints(t, "output_padding", c->extra + first, c->spatial);
}

static double activate(const jm_epilogue *e, double x)
{
    switch (e->activation) {
    case JM_ACT_RELU:
        return fmax(x, 0);
    case JM_ACT_LEAKY_RELU:
        return x < 0 ? (double)e->alpha * x : x;
    case JM_ACT_CLIP:
        return fmin(fmax(x, (double)e->alpha), (double)e->beta);
    case JM_ACT_SIGMOID:
        return 1 / (1 + exp(-x));
    case JM_ACT_SILU:
        return x / (1 + exp(-x));
    case JM_ACT_HARD_SIGMOID:
        return fmax(0, fmin(1, (double)e->alpha * x + (double)e->beta));
    case JM_ACT_HARD_SWISH:
        return x * fmax(0, fmin(1, x / 6 + 0.5));
    case JM_ACT_TANH:
        return tanh(x);
    case JM_ACT_GELU:
        return 0.5 * x * (1 + erf(x / sqrt(2)));
    case JM_ACT_MISH:
        return x * tanh(log1p(exp(x)));
    default:
        return x;
    }
}

/* Sums and sums of sizes for every output, row-major; ConvTranspose scatters as its definition says. */
static void model(const conv_case *c, const op_test *t, double *sum, double *size)
{
    const float *x = t->in[0].data, *w = t->in[1].data, *b = t->in[2].data;
    const int64_t out[3] = {out_size(c, 0), out_size(c, 1), out_size(c, 2)};
    const int64_t points = out[0] * out[1] * out[2], in_points = c->in[0] * c->in[1] * c->in[2];
    const int64_t group_channels = c->channels / c->group, group_filters = c->filters / c->group;
    for (int64_t i = 0; i < c->batch * c->filters * points; i++) {
        sum[i] = c->bias ? (double)b[i / points % c->filters] : 0;
        size[i] = fabs(sum[i]);
    }
    const int64_t taps = c->kernel[0] * c->kernel[1] * c->kernel[2];
    for (int64_t n = 0; n < c->batch; n++) {
        for (int64_t f = 0; f < c->filters; f++) {
            for (int64_t i = 0; i < group_channels; i++) {
                const int64_t channel = f / group_filters * group_channels + i;
                for (int64_t tap = 0; tap < taps; tap++) {
                    const int64_t k[3] = {tap / c->kernel[2] / c->kernel[1], tap / c->kernel[2] % c->kernel[1],
                                          tap % c->kernel[2]};
                    const double weight =
                        (double)(c->transposed ? w[(channel * group_filters + f % group_filters) * taps + tap]
                                               : w[(f * group_channels + i) * taps + tap]);
                    const int64_t *walk = c->transposed ? c->in : out, *other = c->transposed ? out : c->in;
                    for (int64_t p = 0; p < walk[0] * walk[1] * walk[2]; p++) {
                        const int64_t at[3] = {p / walk[2] / walk[1], p / walk[2] % walk[1], p % walk[2]};
                        int64_t o[3];
                        bool inside = true;
                        for (int d = 0; d < 3; d++) {
                            o[d] = at[d] * c->stride[d] + k[d] * c->dilation[d] - c->before[d];
                            inside = inside && o[d] >= 0 && o[d] < other[d];
                        }
                        if (!inside) continue;
                        const int64_t q = (o[0] * other[1] + o[1]) * other[2] + o[2];
                        const int64_t from = (n * c->channels + channel) * in_points + (c->transposed ? p : q);
                        const int64_t to = (n * c->filters + f) * points + (c->transposed ? q : p);
                        sum[to] += weight * (double)x[from];
                        size[to] += fabs(weight * (double)x[from]);
                    }
                }
            }
        }
    }
}

static double largest_of(const float *values, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++) largest = JM_MAX(largest, fabs((double)values[i]));
    return largest;
}

/* The bound of kernels/winograd.h on a layer's outputs before the epilogue. */
static double winograd_bound(const conv_case *c, const op_test *t)
{
    const double growth = c->stride[2] == 1 ? 24.9 : 7;
    const double roundings = (double)JM_MIN(c->channels, JM_CONV_SEGMENT) + (double)c->channels / JM_CONV_SEGMENT + 16;
    const double x = largest_of(t->in[JM_CONV_X].data, c->batch * c->channels * c->in[1] * c->in[2]);
    double most = 0;
    for (int64_t f = 0; f < c->filters; f++) {
        double sum = 0;
        for (int64_t i = 0; i < c->channels; i++)
            sum += x * largest_of((const float *)t->in[JM_CONV_W].data +
                                      (c->transposed ? i * c->filters + f : f * c->channels + i) * 9,
                                  9);
        most = JM_MAX(most, sum);
    }
    return roundings * 0x1p-24 * growth * growth * most;
}

static void compare(const conv_case *c, const op_test *t, const jm_tensor *got, const double *sum, const double *size,
                    const jm_form *form)
{
    const float *value = got->data, *residual = t->in[JM_CONV_RESIDUAL].data;
    int64_t count;
    assert_ok(jm_shape_count(&got->shape, &count));
    /* Winograd's algorithm multiplies sums over a tile: an output has the error of its neighbours' size. */
    double largest = 0;
    for (int64_t i = 0; i < count; i++) largest = JM_MAX(largest, size[i]);
    const bool tiles = form->id == JM_CONV_WINOGRAD;
    const double bound = tiles ? 1.5 * winograd_bound(c, t) + 1e-6 : INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double want = sum[i];
        if (c->epilogue.residual == JM_RESIDUAL_THEN_ACTIVATION) want += (double)residual[i];
        want = activate(&c->epilogue, want);
        if (c->epilogue.residual == JM_ACTIVATION_THEN_RESIDUAL) want += (double)residual[i];
        /* Slopes of activations stay below 1.5. */
        const double limit = 1e-6 * ((tiles ? largest : size[i]) + 4) + 1e-6 * fabs(want);
        if (!(fabs((double)value[i] - want) <= JM_MIN(limit, bound)))
            fail_msg("%s: output %lld is %.9g, expected %.9g", form->name, (long long)i, (double)value[i], want);
    }
}

static void describe(const conv_case *c)
{
    printf("%s %dD batch %d channels %d filters %d group %d activation %d residual %d;",
           c->transposed ? "ConvTranspose" : "Conv", c->spatial, (int)c->batch, (int)c->channels, (int)c->filters,
           (int)c->group, c->epilogue.activation, c->epilogue.residual);
    for (int k = 3 - c->spatial; k < 3; k++)
        printf(" in %d kernel %d/%d*%d pads %d+%d extra %d;", (int)c->in[k], (int)c->kernel[k], (int)c->stride[k],
               (int)c->dilation[k], (int)c->before[k], (int)c->after[k], (int)c->extra[k]);
    printf("\n");
}

/* Every form of one call: right numbers, and the same bits at every level and thread count. */
static void check_forms(conv_case *c, uint64_t *random, int *used)
{
    op_test t;
    set_call(&t, c, random);
    jm_form forms[JM_MAX_FORMS];
    const int count = op_test_forms(&t, forms);
    if (count == 0) {
        describe(c);
        fail_msg("no forms: %s", jm_last_error());
    }
    const jm_shape y = t.out[0].shape;
    int64_t outputs;
    assert_ok(jm_shape_count(&y, &outputs));
    double *sum = jm_alloc((size_t)outputs, sizeof(double)), *size = jm_alloc((size_t)outputs, sizeof(double));
    assert_non_null(sum);
    assert_non_null(size);
    model(c, &t, sum, size);
    for (int f = 0; f < count; f++) {
        used[forms[f].id]++;
        t.form = forms[f].id;
        t.order = t.gaps = random;
        const bool same_map = forms[f].map == JM_MAP_SAME;
        t.in_map[JM_CONV_X] = op_test_map(&t, c->channels, random);
        t.out_map[0] = same_map ? t.in_map[JM_CONV_X] : op_test_map(&t, c->filters, random);
        t.in_map[JM_CONV_RESIDUAL] = t.out_map[0];
        jm_tensor first;
        for (int level = 0; level < JM_CPU_LEVELS; level++) {
            t.kernels = jm_kernels_at((jm_cpu_level)level);
            if (!t.kernels) continue;
            t.threads = (unsigned)pick(random, 1, 5);
            const jm_status status = op_test_run(&t);
            const jm_tensor got = op_test_output(&t, 0);
            if (status != JM_OK) {
                describe(c);
                fail_msg("%s: %s", forms[f].name, jm_last_error());
            }
            if (level == 0) {
                first = got;
                compare(c, &t, &got, sum, size, &forms[f]);
            } else {
                op_test_assert_same(&got, &first);
            }
        }
    }
    jm_free(sum);
    jm_free(size);
    op_test_end(&t);
}

static void test_random_calls(void **unused)
{
    (void)unused;
    uint64_t random = *test_random_state();
    int used[JM_CONV_FORMS] = {0};
    for (int i = 0; i < 300; i++) {
        conv_case c = random_case(&random, i % 3 == 0);
        check_forms(&c, &random, used);
    }
    for (int f = 0; f < JM_CONV_FORMS; f++)
        if (used[f] == 0 && f != JM_CONV_WINOGRAD) fail_msg("form %d never ran", f);
}

/* Rows longer than what is computed between two epilogues. */
static void test_long_rows(void **unused)
{
    (void)unused;
    uint64_t random = *test_random_state();
    int used[JM_CONV_FORMS] = {0};
    for (int i = 0; i < 8; i++) {
        conv_case c = {.transposed = i % 4 == 3, .spatial = 2, .batch = 1, .channels = 17, .filters = 17, .group = 1};
        if (i % 4 == 2) c.group = 17;
        for (int k = 0; k < 3; k++) c.in[k] = c.kernel[k] = c.stride[k] = c.dilation[k] = 1;
        c.in[1] = pick(&random, 1, 3);
        c.in[2] = pick(&random, 190, 420);
        c.kernel[2] = 3;
        c.stride[2] = pick(&random, 1, 2);
        c.before[2] = c.after[2] = 1;
        c.constant = true;
        c.epilogue = (jm_epilogue){.activation = JM_ACT_SILU, .residual = (jm_residual)pick(&random, 0, 2)};
        check_forms(&c, &random, used);
    }
}

/* Maps of one tile and many, edges on every side, several batches of tiles. */
static void test_winograd(void **unused)
{
    (void)unused;
    uint64_t random = *test_random_state();
    int used[JM_CONV_FORMS] = {0};
    for (int i = 0; i < 24; i++) {
        conv_case c = {.spatial = 2, .batch = pick(&random, 1, 2), .channels = pick(&random, 16, 50), .group = 1};
        c.filters = pick(&random, 1, 40);
        c.in[0] = c.kernel[0] = c.stride[0] = 1;
        c.stride[1] = c.stride[2] = 1 + i % 2;
        for (int k = 0; k < 3; k++) c.dilation[k] = 1;
        for (int k = 1; k < 3; k++) {
            c.kernel[k] = 3;
            c.in[k] = pick(&random, 3, i % 3 ? 14 : 40);
            c.before[k] = pick(&random, 0, 2);
            c.after[k] = pick(&random, 0, 2);
        }
        c.constant = true;
        c.bias = pick(&random, 0, 1) != 0;
        c.epilogue = (jm_epilogue){.activation = pick(&random, 0, 1) ? JM_ACT_SILU : JM_ACT_NONE,
                                   .residual = (jm_residual)pick(&random, 0, 2)};
        check_forms(&c, &random, used);
    }
    if (used[JM_CONV_WINOGRAD] != 24) fail_msg("the Winograd form ran %d times", used[JM_CONV_WINOGRAD]);
}

/* Groups on maps of many pieces, with sums of several segments. */
static void test_groups(void **unused)
{
    (void)unused;
    uint64_t random = *test_random_state();
    int used[JM_CONV_FORMS] = {0};
    for (int i = 0; i < 24; i++) {
        conv_case c = {.transposed = i % 2, .spatial = 2, .batch = pick(&random, 1, 2), .group = pick(&random, 2, 5)};
        const bool wide = i % 4 < 2;
        c.channels = c.group * (wide ? pick(&random, 1, 2) : pick(&random, 15, 40));
        c.filters = c.group * (wide ? pick(&random, 1, 3) : pick(&random, 1, 18));
        c.in[0] = c.kernel[0] = c.stride[0] = c.dilation[0] = 1;
        for (int k = 1; k < 3; k++) {
            c.kernel[k] = pick(&random, 1, 4);
            c.stride[k] = pick(&random, 1, 3);
            c.dilation[k] = pick(&random, 1, 2);
            c.before[k] = pick(&random, 0, 1);
            c.after[k] = pick(&random, 0, 1);
            c.in[k] = pick(&random, 7, wide ? 130 : 20);
        }
        c.constant = pick(&random, 0, 1) != 0;
        c.bias = pick(&random, 0, 1) != 0;
        c.epilogue = (jm_epilogue){.activation = pick(&random, 0, 1) ? JM_ACT_SILU : JM_ACT_NONE,
                                   .residual = (jm_residual)pick(&random, 0, 2)};
        check_forms(&c, &random, used);
    }
    if (used[JM_CONV_POINTS] != 24) fail_msg("the form of points ran %d times", used[JM_CONV_POINTS]);
}

/* Kernels of one point, in any number of dimensions. */
static void test_products(void **unused)
{
    (void)unused;
    uint64_t random = *test_random_state();
    int used[JM_CONV_FORMS] = {0};
    for (int i = 0; i < 36; i++) {
        conv_case c = {.transposed = i % 2, .spatial = 1 + i / 2 % 3, .batch = pick(&random, 1, 2)};
        c.group = pick(&random, 0, 2) ? 1 : pick(&random, 2, 3);
        c.channels = c.group * pick(&random, 1, i % 4 ? 40 : 300);
        c.filters = c.group * pick(&random, 1, 40);
        for (int k = 0; k < 3; k++) {
            c.in[k] = k >= 3 - c.spatial ? pick(&random, 1, 12) : 1;
            c.kernel[k] = c.dilation[k] = c.stride[k] = 1;
            if (k >= 3 - c.spatial && !c.transposed) c.stride[k] = pick(&random, 1, 2);
        }
        c.constant = pick(&random, 0, 1) != 0;
        c.bias = pick(&random, 0, 1) != 0;
        c.epilogue = (jm_epilogue){.activation = pick(&random, 0, 1) ? JM_ACT_SILU : JM_ACT_NONE,
                                   .residual = (jm_residual)pick(&random, 0, 2)};
        check_forms(&c, &random, used);
    }
    /* Points behind the last input have no product. */
    conv_case padded = {.transposed = true, .spatial = 1, .batch = 1, .channels = 3, .filters = 5, .group = 1};
    for (int k = 0; k < 3; k++) padded.in[k] = padded.kernel[k] = padded.stride[k] = padded.dilation[k] = 1;
    padded.in[2] = 7;
    padded.dilation[2] = 2;
    padded.extra[2] = 1;
    padded.bias = true;
    check_forms(&padded, &random, used);
    if (used[JM_CONV_PRODUCT] != 36) fail_msg("the form of products ran %d times", used[JM_CONV_PRODUCT]);
}

/* auto_pad and output_shape give what the explicit pads give. */
static void check_same_as(const conv_case *c, const char *auto_pad, const int64_t *output_shape,
                          const int64_t before[3], const int64_t after[3])
{
    uint64_t random = *test_random_state(), again = random;
    op_test t, explicit_pads;
    set_call(&t, c, &random);
    t.kernels = jm_kernels_at(JM_CPU_REFERENCE);
    op_test_string(&t, "auto_pad", auto_pad);
    if (output_shape) op_test_ints(&t, "output_shape", output_shape, 2);
    assert_ok(op_test_run(&t));
    conv_case same = *c;
    memcpy(same.before, before, sizeof(same.before));
    memcpy(same.after, after, sizeof(same.after));
    set_call(&explicit_pads, &same, &again);
    explicit_pads.kernels = t.kernels;
    assert_ok(op_test_run(&explicit_pads));
    const jm_tensor got = op_test_output(&t, 0), want = op_test_output(&explicit_pads, 0);
    op_test_assert_same(&got, &want);
    op_test_end(&t);
    op_test_end(&explicit_pads);
}

static void test_auto_pad(void **unused)
{
    (void)unused;
    const conv_case conv = {.spatial = 2,
                            .batch = 1,
                            .channels = 3,
                            .filters = 5,
                            .group = 1,
                            .in = {1, 8, 9},
                            .kernel = {1, 3, 4},
                            .stride = {1, 2, 1},
                            .dilation = {1, 1, 1}};
    /* Rows: ceil(8 / 2) = 4 outputs need 1 point more; columns: 9 outputs need 3 more. */
    check_same_as(&conv, "SAME_UPPER", NULL, (int64_t[3]){0, 0, 1}, (int64_t[3]){0, 1, 2});
    check_same_as(&conv, "SAME_LOWER", NULL, (int64_t[3]){0, 1, 2}, (int64_t[3]){0, 0, 1});
    conv_case padded = conv;
    padded.before[1] = padded.after[2] = 1;
    check_same_as(&padded, "VALID", NULL, (int64_t[3]){0}, (int64_t[3]){0});
    conv_case transposed = conv;
    transposed.transposed = true;
    /* Full size 17 x 12; 16 x 9 wanted. */
    check_same_as(&transposed, "SAME_UPPER", NULL, (int64_t[3]){0, 0, 1}, (int64_t[3]){0, 1, 2});
    check_same_as(&transposed, "SAME_LOWER", NULL, (int64_t[3]){0, 1, 2}, (int64_t[3]){0, 0, 1});
    check_same_as(&transposed, "NOTSET", (int64_t[2]){14, 11}, (int64_t[3]){0, 2, 1}, (int64_t[3]){0, 1, 0});
}

/* Each wrong attribute or shape ends in a sentence that names it. */
static void test_errors(void **unused)
{
    (void)unused;
    const conv_case good = {.spatial = 2,
                            .batch = 1,
                            .channels = 6,
                            .filters = 4,
                            .group = 2,
                            .in = {1, 5, 5},
                            .kernel = {1, 3, 3},
                            .stride = {1, 1, 1},
                            .dilation = {1, 1, 1},
                            .bias = true};
    const struct wrong {
        const char *attribute;
        int64_t values[4];
        int count;
        const char *words;
    } wrong[] = {
        {"strides", {0, 1}, 2, "strides[0] is 0"},
        {"strides", {1, -3}, 2, "strides[1] is -3"},
        {"strides", {1, 1, 1}, 3, "strides has 3 numbers"},
        {"dilations", {1, 3}, 2, "the kernel spans 7 points"},
        {"dilations", {1, INT64_MAX}, 2, "dilations[1]"},
        {"pads", {0, 0, 0}, 3, "pads has 3 numbers"},
        {"pads", {0, -1, 0, 0}, 4, "pads[1] is -1"},
        {"pads", {INT64_MAX, 0, 0, 0}, 4, "pads[0]"},
        {"kernel_shape", {3, 2}, 2, "kernel_shape[1] is 2"},
        {"group", {3}, 0, "groups"},
        {"group", {0}, 0, "group is 0"},
        {"group", {-1}, 0, "group is -1"},
    };
    uint64_t *random = test_random_state();
    for (size_t i = 0; i < JM_COUNT(wrong); i++) {
        op_test t;
        set_call(&t, &good, random);
        t.kernels = jm_kernels_at(JM_CPU_REFERENCE);
        assert_ok(op_test_run(&t));
        if (wrong[i].count)
            op_test_ints(&t, wrong[i].attribute, wrong[i].values, wrong[i].count);
        else
            op_test_int(&t, wrong[i].attribute, wrong[i].values[0]);
        assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, wrong[i].words);
        op_test_end(&t);
    }
    op_test t;
    set_call(&t, &good, random);
    t.kernels = jm_kernels_at(JM_CPU_REFERENCE);
    op_test_string(&t, "auto_pad", "SAME");
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "auto_pad is 'SAME'");
    op_test_string(&t, "auto_pad", "NOTSET");
    t.in[JM_CONV_B].shape.dim[0] = 3;
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "the bias");
    t.in[JM_CONV_B].shape.dim[0] = 4;
    op_test_epilogue(&t, "epilogue", (jm_epilogue){.residual = JM_ACTIVATION_THEN_RESIDUAL});
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "residual");
    op_test_end(&t);
}

/* Images without rows, and inputs that lie wholly in the padding. */
static void test_empty(void **unused)
{
    (void)unused;
    uint64_t *random = test_random_state();
    conv_case c = {.spatial = 2,
                   .batch = 0,
                   .channels = 3,
                   .filters = 4,
                   .group = 1,
                   .in = {1, 5, 5},
                   .kernel = {1, 3, 3},
                   .stride = {1, 1, 1},
                   .dilation = {1, 1, 1},
                   .bias = true,
                   .constant = true};
    for (int i = 0; i < 2; i++) {
        op_test t;
        set_call(&t, &c, random);
        t.kernels = jm_kernels_at(JM_CPU_REFERENCE);
        for (uint8_t form = JM_CONV_PLAIN; form <= JM_CONV_STEM; form++) {
            t.form = form;
            assert_ok(op_test_run(&t));
        }
        if (i == 1) {
            const jm_tensor got = op_test_output(&t, 0);
            assert_float_equal(((const float *)got.data)[0], ((const float *)t.in[JM_CONV_B].data)[0], 0);
        }
        op_test_end(&t);
        c.batch = 1;
        c.in[1] = 0;
        c.before[1] = c.after[1] = 2;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_calls), cmocka_unit_test(test_long_rows), cmocka_unit_test(test_winograd),
        cmocka_unit_test(test_groups),       cmocka_unit_test(test_products),  cmocka_unit_test(test_auto_pad),
        cmocka_unit_test(test_errors),       cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
