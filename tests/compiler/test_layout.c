/* SPDX-License-Identifier: Apache-2.0
 *
 * What the placement passes make of the blocks that detection networks are built of: how many copies are left. The
 * numbers are compared with the unoptimised graph as well.
 */
#include "graph_test.h"

#include <math.h>

#include "compiler/compiler.h"

typedef struct counts {
    size_t reorders, slices, shuffles, concats, reshapes; /* that run */
} counts;

typedef void (*make_function)(jm_graph *graph);

static jm_graph *make(make_function function, uint64_t seed)
{
    jm_graph *graph;
    *test_random_state() = seed;
    assert_ok(jm_graph_create(&graph));
    function(graph);
    return graph;
}

static void check(make_function function, counts want)
{
    const uint64_t seed = test_random();
    jm_graph *plain = make(function, seed), *placed = make(function, seed);
    size_t plain_count, placed_count;
    assert_ok(jm_compile(placed, NULL));
    const counts got = {graph_count(placed, "Reorder", false), graph_count(placed, "Slice", false),
                        graph_count(placed, "ChannelShuffle", false), graph_count(placed, "Concat", false),
                        graph_count(placed, "Reshape", false)};
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%zu reorders, %zu slices, %zu shuffles, %zu concats, %zu reshapes run; want %zu, %zu, %zu, %zu, %zu",
                 got.reorders, got.slices, got.shuffles, got.concats, got.reshapes, want.reorders, want.slices,
                 want.shuffles, want.concats, want.reshapes);
    float *a = graph_run(plain, &plain_count), *b = graph_run(placed, &placed_count), largest = 0;
    assert_int_equal(plain_count, placed_count);
    for (size_t i = 0; i < plain_count; i++) largest = fmaxf(largest, fabsf(a[i]));
    for (size_t i = 0; i < plain_count; i++)
        if (!(fabsf(a[i] - b[i]) <= 1e-5f * largest)) fail_msg("element %zu is %.9g, want %.9g", i, b[i], a[i]);
    free(a);
    free(b);
    jm_graph_destroy(plain);
    jm_graph_destroy(placed);
}

/* ---- Parts ---- */

static jm_value *silu_conv(jm_graph *graph, jm_value *x, int64_t channels, int64_t kernel)
{
    jm_value *y = graph_conv(graph, x, channels, kernel, true);
    /* Scaled, so that deep graphs stay near 1. */
    const int64_t terms = x->tensor.shape.dim[1] * kernel * kernel;
    y = graph_apply(graph, "Mul", y, graph_scalar(graph, 1.5f / sqrtf((float)terms)));
    return graph_apply(graph, "Mul", y, graph_apply(graph, "Sigmoid", y, NULL));
}

static jm_value *concat(jm_graph *graph, jm_value *const *in, int inputs, int64_t axis)
{
    jm_node *node = graph_node(graph, jm_op_find("Concat"), in, inputs);
    assert_ok(jm_node_set_int(graph, node, "axis", axis));
    return graph_infer(node);
}

static void split(jm_graph *graph, jm_value *x, int64_t axis, int64_t first, jm_value *out[2])
{
    const int64_t sizes[2] = {first, x->tensor.shape.dim[axis] - first};
    jm_value *const in[] = {x, graph_ints(graph, sizes, 2)};
    for (int i = 0; i < 2; i++) assert_non_null(out[i] = jm_graph_value(graph, "half"));
    jm_node *node = jm_graph_node(graph, jm_op_find("Split"), "split", in, 2, out, 2);
    assert_non_null(node);
    assert_ok(jm_node_set_int(graph, node, "axis", axis));
    assert_ok(jm_node_infer(node));
}

static jm_value *reshape(jm_graph *graph, jm_value *x, jm_shape shape)
{
    jm_value *const in[] = {x, graph_ints(graph, shape.dim, shape.rank)};
    return graph_infer(graph_node(graph, jm_op_find("Reshape"), in, 2));
}

static jm_value *transpose(jm_graph *graph, jm_value *x, const int64_t *perm)
{
    jm_node *node = graph_node(graph, jm_op_find("Transpose"), &x, 1);
    assert_ok(jm_node_set_ints(graph, node, "perm", perm, x->tensor.shape.rank));
    return graph_infer(node);
}

static void output(jm_graph *graph, jm_value *x)
{
    assert_ok(jm_graph_add_output(graph, x));
}

static jm_value *image(jm_graph *graph)
{
    return graph_input(graph, "image", SHAPE(1, 3, 16, 16));
}

/* C2f of YOLOv8 with `n` bottlenecks; halves of `half` channels. */
static jm_value *c2f(jm_graph *graph, jm_value *x, int64_t half, int n, bool shortcut)
{
    jm_value *y = silu_conv(graph, x, 2 * half, 1), *piece[8];
    split(graph, y, 1, half, piece);
    for (int i = 0; i < n; i++) {
        jm_value *t = silu_conv(graph, silu_conv(graph, piece[i + 1], half, 3), half, 3);
        piece[i + 2] = shortcut ? graph_apply(graph, "Add", piece[i + 1], t) : t;
    }
    return silu_conv(graph, concat(graph, piece, n + 2, 1), 2 * half, 1);
}

/* ---- Graphs ---- */

static void make_c2f(jm_graph *graph)
{
    jm_value *x = silu_conv(graph, image(graph), 32, 3);
    x = c2f(graph, x, 32, 3, true);
    x = c2f(graph, x, 24, 2, false); /* halves end inside a block */
    output(graph, c2f(graph, x, 5, 1, true));
}

static void make_pyramid(jm_graph *graph)
{
    /* SPPF, then up and down again with skips. */
    jm_value *x = silu_conv(graph, image(graph), 40, 3), *y[4] = {silu_conv(graph, x, 20, 1)};
    for (int i = 0; i < 3; i++) {
        jm_node *pool = graph_node(graph, jm_op_find("MaxPool"), &y[i], 1);
        assert_ok(jm_node_set_ints(graph, pool, "kernel_shape", (int64_t[]){5, 5}, 2));
        assert_ok(jm_node_set_ints(graph, pool, "pads", (int64_t[]){2, 2, 2, 2}, 4));
        y[i + 1] = graph_infer(pool);
    }
    jm_value *low = silu_conv(graph, concat(graph, y, 4, 1), 40, 1);
    jm_node *down = graph_node(graph, jm_op_find("MaxPool"), &low, 1);
    assert_ok(jm_node_set_ints(graph, down, "kernel_shape", (int64_t[]){2, 2}, 2));
    assert_ok(jm_node_set_ints(graph, down, "strides", (int64_t[]){2, 2}, 2));
    jm_value *small = silu_conv(graph, graph_infer(down), 24, 3);
    static const float scale[4] = {1, 1, 2, 2};
    const jm_shape four = SHAPE(4);
    jm_value *const in[] = {small, NULL, jm_graph_constant(graph, "scales", JM_F32, &four, scale, true)};
    jm_node *resize = graph_node(graph, jm_op_find("Resize"), in, 3);
    assert_ok(jm_node_set_string(graph, resize, "coordinate_transformation_mode", "asymmetric"));
    assert_ok(jm_node_set_string(graph, resize, "nearest_mode", "floor"));
    jm_value *const up[] = {graph_infer(resize), low};
    x = c2f(graph, concat(graph, up, 2, 1), 20, 1, false);
    jm_value *const heads[] = {graph_conv(graph, x, 64, 1, true), graph_conv(graph, x, 80, 1, true)};
    output(graph, concat(graph, heads, 2, 1));
    output(graph, graph_conv(graph, small, 10, 1, true));
}

/* Two blocks of ShuffleNetV2, halves of 29 channels, as torch exports them. */
static void make_shuffle_net(jm_graph *graph)
{
    static const int64_t swap[5] = {0, 2, 1, 3, 4};
    jm_value *x = graph_apply(graph, "Relu", graph_conv(graph, image(graph), 58, 3, true), NULL), *half[2];
    for (int i = 0; i < 2; i++) {
        split(graph, x, 1, 29, half);
        half[1] = graph_apply(graph, "Relu", graph_conv(graph, half[1], 29, 1, true), NULL);
        x = concat(graph, half, 2, 1);
        x = reshape(graph, x, SHAPE(1, 2, 29, 16, 16));
        x = reshape(graph, transpose(graph, x, swap), SHAPE(1, 58, 16, 16));
    }
    output(graph, graph_conv(graph, x, 8, 1, true));
}

/* Global average, squeeze and excite, then a classifier on the flattened vector. */
static void make_classifier(jm_graph *graph)
{
    jm_value *x = silu_conv(graph, image(graph), 24, 3);
    jm_value *gate = graph_apply(graph, "GlobalAveragePool", x, NULL);
    gate = graph_apply(graph, "Relu", graph_conv(graph, gate, 8, 1, true), NULL);
    gate = graph_apply(graph, "Sigmoid", graph_conv(graph, gate, 24, 1, true), NULL);
    x = graph_apply(graph, "GlobalAveragePool", graph_apply(graph, "Mul", x, gate), NULL);
    x = graph_infer(graph_node(graph, jm_op_find("Flatten"), &x, 1));
    jm_value *const in[] = {x, graph_random(graph, SHAPE(24, 10), -1, 1), graph_random(graph, SHAPE(10), -1, 1)};
    output(graph, graph_infer(graph_node(graph, jm_op_find("Gemm"), in, 3)));
}

/* Two levels of a YOLOv8 head, flattened and joined, then boxes and classes apart. */
static void make_decode(jm_graph *graph)
{
    jm_value *x = silu_conv(graph, image(graph), 64, 3), *flat[2], *part[2];
    jm_node *pool = graph_node(graph, jm_op_find("MaxPool"), &x, 1);
    assert_ok(jm_node_set_ints(graph, pool, "kernel_shape", (int64_t[]){2, 2}, 2));
    assert_ok(jm_node_set_ints(graph, pool, "strides", (int64_t[]){2, 2}, 2));
    jm_value *level[2] = {x, graph_infer(pool)};
    for (int i = 0; i < 2; i++) {
        level[i] = silu_conv(graph, level[i], 64, 3);
        jm_value *const head[] = {graph_conv(graph, level[i], 4, 1, true), graph_conv(graph, level[i], 20, 1, true)};
        flat[i] = reshape(graph, concat(graph, head, 2, 1), i ? SHAPE(1, 24, 64) : SHAPE(1, 24, 256));
    }
    split(graph, concat(graph, flat, 2, 2), 1, 4, part);
    part[0] = graph_apply(graph, "Mul", part[0], graph_scalar(graph, 8));
    part[1] = graph_apply(graph, "Sigmoid", part[1], NULL);
    output(graph, concat(graph, part, 2, 1));
}

/* The decoding of YOLOv5: of 9 columns 2 are moved, 2 are squared and 5 stay. `variant` breaks one condition each. */
static void make_boxes(jm_graph *graph, int variant)
{
    static const int64_t perm[5] = {0, 1, 3, 4, 2};
    const int64_t cuts[3] = {2, 2, 5};
    jm_value *x = graph_conv(graph, silu_conv(graph, image(graph), 32, 3), 27, 1, true), *piece[3];
    x = transpose(graph, reshape(graph, x, SHAPE(1, 3, 9, 16, 16)), perm);
    x = graph_apply(graph, "Sigmoid", x, NULL);
    jm_value *const in[] = {x, graph_ints(graph, cuts, 3)};
    for (int i = 0; i < 3; i++) assert_non_null(piece[i] = jm_graph_value(graph, "piece"));
    jm_node *node = jm_graph_node(graph, jm_op_find("Split"), "split", in, 2, piece, 3);
    assert_non_null(node);
    assert_ok(jm_node_set_int(graph, node, "axis", 4));
    assert_ok(jm_node_infer(node));
    jm_value *grid = graph_random(graph, variant == 1 ? SHAPE(1, 3, 16, 16, 2) : SHAPE(1, 1, 16, 16, 2), 0, 15);
    jm_value *moved = graph_apply(graph, "Add", graph_apply(graph, "Mul", piece[0], graph_scalar(graph, 2)), grid);
    jm_value *squared = graph_apply(graph, "Mul", piece[1], graph_scalar(graph, 2));
    squared = graph_apply(graph, "Mul", graph_apply(graph, "Mul", squared, squared), graph_scalar(graph, 3));
    if (variant == 2) output(graph, graph_apply(graph, "Neg", x, NULL));        /* another reader of the whole */
    if (variant == 3) output(graph, graph_apply(graph, "Neg", piece[2], NULL)); /* another reader of a piece */
    if (variant == 4) moved = graph_apply(graph, "Add", moved, piece[1]);       /* a piece read twice */
    jm_value *all[3] = {moved, squared, piece[2]};
    if (variant == 5) all[0] = squared, all[1] = moved; /* pieces change places */
    x = reshape(graph, concat(graph, all, 3, 4), SHAPE(1, 768, 9));
    output(graph, graph_apply(graph, "Abs", x, NULL));
}

static void make_boxes0(jm_graph *graph)
{
    make_boxes(graph, 0);
}
static void make_boxes1(jm_graph *graph)
{
    make_boxes(graph, 1);
}
static void make_boxes2(jm_graph *graph)
{
    make_boxes(graph, 2);
}
static void make_boxes3(jm_graph *graph)
{
    make_boxes(graph, 3);
}
static void make_boxes4(jm_graph *graph)
{
    make_boxes(graph, 4);
}
static void make_boxes5(jm_graph *graph)
{
    make_boxes(graph, 5);
}

/* Copies that nothing can save: an input joined, a value joined twice, an output inside a Concat. */
static void make_stubborn(jm_graph *graph)
{
    jm_value *x = image(graph), *y = graph_apply(graph, "Relu", x, NULL), *z = graph_apply(graph, "Neg", x, NULL);
    jm_value *const in[] = {x, y, y, z};
    output(graph, y);
    jm_value *joined = concat(graph, in, 4, 1);
    output(graph, joined);
    output(graph, graph_apply(graph, "Abs", joined, NULL));
}

static void copies(void **unused)
{
    (void)unused;
    check(make_c2f, (counts){0});
    check(make_pyramid, (counts){0});
    check(make_shuffle_net, (counts){.slices = 2}); /* the halves that pass through */
    check(make_classifier, (counts){0});
    check(make_decode, (counts){0});
    check(make_stubborn, (counts){.reorders = 3});
    check(make_boxes0, (counts){0});
    check(make_boxes1, (counts){0});
    check(make_boxes2, (counts){.slices = 1});
    check(make_boxes3, (counts){.reorders = 1});
    check(make_boxes4, (counts){.slices = 1});
    check(make_boxes5, (counts){.slices = 1});
}

/* x -> Relu -> Neg -> Abs ...: one buffer is enough. */
static void outputs_lie_over_inputs(void **unused)
{
    (void)unused;
    jm_graph *graph;
    jm_machine machine;
    jm_program *program;
    jm_program_info info;
    assert_ok(jm_graph_create(&graph));
    jm_value *x = image(graph);
    for (int i = 0; i < 6; i++) x = graph_apply(graph, i % 2 ? "Neg" : "Exp", x, NULL);
    const int64_t perm[4] = {0, 2, 3, 1};
    output(graph, transpose(graph, x, perm));
    assert_ok(jm_compile(graph, NULL));
    assert_ok(jm_machine_get(1, &machine));
    assert_ok(jm_program_create(graph, &machine, &program));
    jm_program_get_info(program, &info);
    assert_int_equal(info.arena_bytes, 3 * 16 * 16 * 4);
    jm_program_destroy(program);
    jm_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(outputs_lie_over_inputs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
