/* SPDX-License-Identifier: Apache-2.0
 *
 * Damaged models: every length, every bit, random bytes. The importer may refuse or accept them; it must not crash,
 * hang or leak, which the sanitizers watch, and what it accepts must be a graph that compiles or is refused.
 */
#include "base/file.h"
#include "compiler/verify.h"
#include "onnx_builder.h"
#include "test.h"

/* ---- Models: a bit of everything ---- */

/* Moving and splitting, with shapes that are computed. */
static onnx_builder movement(void)
{
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 4, 6));
    onnx_f32(&b, "w", DIMS(4, 1), (float[]){1, 2, 3, 4});
    onnx_i64(&b, "shape", 2, (int64_t[]){4, -1});
    onnx_i64(&b, "one", 1, (int64_t[]){1});
    onnx_i64_scalar(&b, "zero", 0);
    onnx_op(&b, "Mul", "x,w", "a");
    onnx_op(&b, "Shape", "a", "s");
    onnx_op(&b, "Gather", "s,zero", "batch");
    onnx_op(&b, "Expand", "batch,one", "count");
    size_t node = onnx_op_begin(&b, "", "Concat", "a,x", "c");
    onnx_set_int(&b, "axis", 1);
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Transpose", "c", "t");
    onnx_set_ints(&b, "perm", 3, (int64_t[]){2, 0, 1});
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Split", "t", "p,q");
    onnx_set_int(&b, "axis", 2);
    onnx_op_end(&b, node);
    onnx_op(&b, "Reshape", "p,shape", "r");
    node = onnx_op_begin(&b, "", "LeakyRelu", "r", "y");
    onnx_set_float(&b, "alpha", 0.25f);
    onnx_op_end(&b, node);
    onnx_op(&b, "Sum", "q,q,q", "z");
    onnx_output(&b, "y");
    onnx_output(&b, "z");
    onnx_output(&b, "count");
    onnx_metadata(&b, "task", "detect");
    return b;
}

/* A classifier of three layers. */
static onnx_builder network(void)
{
    onnx_builder b = onnx_begin(9);
    float weights[20 * 3 * 9];
    for (size_t i = 0; i < JM_COUNT(weights); i++) weights[i] = (float)i / 100;
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 3, 8, 8));
    onnx_f32(&b, "w", DIMS(20, 3, 3, 3), weights);
    onnx_f32(&b, "d", DIMS(20, 1, 3, 3), weights);
    onnx_f32(&b, "g", DIMS(20), weights);
    onnx_f32(&b, "m", DIMS(20, 5), weights);
    onnx_f32(&b, "n", DIMS(5), weights);
    size_t node = onnx_op_begin(&b, "", "Conv", "x,w,g", "c");
    onnx_set_ints(&b, "pads", 4, (int64_t[]){1, 1, 1, 1});
    onnx_op_end(&b, node);
    onnx_op(&b, "BatchNormalization", "c,g,g,g,g", "b");
    node = onnx_op_begin(&b, "", "Clip", "b", "r");
    onnx_set_float(&b, "min", 0);
    onnx_set_float(&b, "max", 6);
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "MaxPool", "r", "p");
    onnx_set_ints(&b, "kernel_shape", 2, (int64_t[]){2, 2});
    onnx_set_ints(&b, "strides", 2, (int64_t[]){2, 2});
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Conv", "p,d", "e");
    onnx_set_int(&b, "group", 20);
    onnx_set_text(&b, "auto_pad", "SAME_UPPER");
    onnx_op_end(&b, node);
    onnx_op(&b, "Sigmoid", "e", "s");
    onnx_op(&b, "Mul", "e,s", "h");
    onnx_op(&b, "Add", "h,p", "i");
    onnx_op(&b, "GlobalAveragePool", "i", "a");
    onnx_op(&b, "Flatten", "a", "f");
    node = onnx_op_begin(&b, "", "Gemm", "f,m,n", "y");
    onnx_set_float(&b, "alpha", 0.5f);
    onnx_op_end(&b, node);
    onnx_op(&b, "Softmax", "y", "z");
    onnx_output(&b, "z");
    return b;
}

/* Typed data, constants and older forms. */
static onnx_builder forms(void)
{
    onnx_builder b = onnx_begin(10);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 2, 3, 3));
    size_t tensor = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "scales", ONNX_FLOAT, DIMS(4));
    for (int k = 0; k < 4; k++) jm_wire_put_float(&b.model, 4, k < 2 ? 1 : 2);
    jm_wire_end(&b.model, tensor);
    tensor = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "half", ONNX_FLOAT16, DIMS(1));
    size_t list = jm_wire_begin(&b.model, 5);
    jm_wire_put_packed_varint(&b.model, 0x3800);
    jm_wire_end(&b.model, list);
    jm_wire_end(&b.model, tensor);
    size_t node = onnx_op_begin(&b, "", "Cast", "half", "float");
    onnx_set_int(&b, "to", ONNX_FLOAT);
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Resize", "x,scales", "r");
    onnx_set_text(&b, "mode", "nearest");
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Pad", "r", "p");
    onnx_set_ints(&b, "pads", 8, (int64_t[]){0, 0, 1, 1, 0, 0, 1, 1});
    onnx_set_float(&b, "value", 0.5f);
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "ReduceMean", "p", "m");
    onnx_set_ints(&b, "axes", 2, (int64_t[]){2, 3});
    onnx_op_end(&b, node);
    onnx_op(&b, "Pow", "m,float", "q");
    node = onnx_op_begin(&b, "", "Constant", "", "k");
    onnx_set_floats(&b, "value_floats", 2, (float[]){1, 2});
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Squeeze", "q", "s");
    onnx_set_ints(&b, "axes", 3, (int64_t[]){0, 2, 3});
    onnx_op_end(&b, node);
    onnx_op(&b, "Div", "s,k", "y");
    onnx_output(&b, "y");
    return b;
}

/* If, Loop, Scan and a function, inside of each other. */
static onnx_builder control(void)
{
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3, 2));
    onnx_i64_scalar(&b, "trips", 3);
    onnx_raw(&b, "yes", ONNX_BOOL, 0, NULL, "\1", 1);
    onnx_f32(&b, "zero", DIMS(2), (float[]){0, 0});
    size_t loop = onnx_op_begin(&b, "", "Loop", "trips,yes,x", "last,all");
    onnx_nest body = onnx_graph_begin(&b, "body");
    onnx_input(&b, "i", ONNX_INT64, 0, NULL);
    onnx_input(&b, "more", ONNX_BOOL, 0, NULL);
    onnx_input(&b, "state", ONNX_FLOAT, DIMS(3, 2));
    size_t branch = onnx_op_begin(&b, "", "If", "more", "next");
    onnx_nest yes = onnx_graph_begin(&b, "then_branch");
    onnx_op(&b, "Add", "state,x", "sum");
    onnx_output(&b, "sum");
    onnx_graph_end(&b, yes);
    onnx_nest no = onnx_graph_begin(&b, "else_branch");
    onnx_op(&b, "Neg", "state", "minus");
    onnx_output(&b, "minus");
    onnx_graph_end(&b, no);
    onnx_op_end(&b, branch);
    onnx_op(&b, "Identity", "more", "go_on");
    onnx_op(&b, "Identity", "next", "piece");
    onnx_output(&b, "go_on");
    onnx_output(&b, "next");
    onnx_output(&b, "piece");
    onnx_graph_end(&b, body);
    onnx_op_end(&b, loop);
    size_t scan = onnx_op_begin(&b, "", "Scan", "zero,last", "total,sums");
    onnx_set_int(&b, "num_scan_inputs", 1);
    body = onnx_graph_begin(&b, "body");
    onnx_input(&b, "before", ONNX_FLOAT, DIMS(2));
    onnx_input(&b, "row", ONNX_FLOAT, DIMS(2));
    size_t call = onnx_op_begin(&b, "own", "Leak", "before,row", "after");
    onnx_set_float(&b, "slope", 0.5f);
    onnx_op_end(&b, call);
    onnx_op(&b, "Identity", "after", "copy");
    onnx_output(&b, "after");
    onnx_output(&b, "copy");
    onnx_graph_end(&b, body);
    onnx_op_end(&b, scan);
    onnx_output(&b, "total");
    onnx_output(&b, "sums");
    onnx_output(&b, "all");
    size_t function = onnx_function_begin(&b, "own", "Leak", "p,q", "r");
    onnx_op(&b, "Add", "p,q", "s");
    size_t leak = onnx_op_begin(&b, "", "LeakyRelu", "s", "r");
    onnx_set_reference(&b, "alpha", ONNX_ATTR_FLOAT, "slope");
    onnx_op_end(&b, leak);
    onnx_function_end(&b, function);
    return b;
}

static const struct model {
    const char *name;
    onnx_builder (*build)(void);
} models[] = {{"movement", movement}, {"network", network}, {"forms", forms}, {"control", control}};

/* Imports bytes in memory of exactly their size, so that every over-read is seen. */
static jm_status import(const unsigned char *data, size_t size)
{
    jm_graph *graph = NULL;
    unsigned char *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, data, size);
    jm_status status = jm_onnx_import_memory(exact, size, NULL, NULL, &graph);
    if (status == JM_OK) {
        assert_ok(jm_graph_verify(graph));
        if (jm_compile(graph, NULL) == JM_OK) assert_ok(jm_graph_verify(graph));
    } else {
        assert_null(graph);
        assert_true(strlen(jm_last_error()) > 0);
    }
    jm_graph_destroy(graph);
    free(exact);
    return status;
}

static void the_models_are_right(void **state)
{
    (void)state;
    for (size_t m = 0; m < JM_COUNT(models); m++) {
        onnx_builder b = models[m].build();
        onnx_end(&b);
        assert_ok(import(b.model.data, b.model.size));
        onnx_clear(&b);
    }
}

static void truncated_anywhere(void **state)
{
    (void)state;
    for (size_t m = 0; m < JM_COUNT(models); m++) {
        onnx_builder b = models[m].build();
        onnx_end(&b);
        size_t accepted = 0;
        for (size_t size = 0; size < b.model.size; size++) accepted += import(b.model.data, size) == JM_OK;
        assert_true(accepted <= 1); /* without the metadata, which come last */
        onnx_clear(&b);
    }
}

static void every_bit_flipped(void **state)
{
    (void)state;
    for (size_t m = 0; m < JM_COUNT(models); m++) {
        onnx_builder b = models[m].build();
        onnx_end(&b);
        for (size_t i = 0; i < b.model.size * 8; i++) {
            if (i / 8 > 700 && i % 61) continue; /* mostly weights */
            b.model.data[i / 8] ^= (unsigned char)(1u << i % 8);
            (void)import(b.model.data, b.model.size);
            b.model.data[i / 8] ^= (unsigned char)(1u << i % 8);
        }
        onnx_clear(&b);
    }
}

/* One to eight changes; returns the new size. */
static size_t damage(unsigned char *data, size_t size)
{
    for (int64_t n = test_random_int(1, 8); n > 0; n--) {
        const size_t at = (size_t)test_random_int(0, (int64_t)size - 1);
        const size_t from = (size_t)test_random_int(0, (int64_t)size - 1);
        const size_t length = (size_t)test_random_int(1, 16);
        switch (test_random_int(0, 3)) {
        case 0:
            data[at] = (unsigned char)test_random();
            break;
        case 1:
            data[at] = 0xff;
            break;
        case 2: /* repeat a piece elsewhere */
            memmove(data + at, data + from, JM_MIN(length, size - JM_MAX(at, from)));
            break;
        case 3: /* cut a piece out */
            if (size - at <= length + 1) break;
            memmove(data + at, data + at + length, size - at - length);
            size -= length;
            break;
        }
    }
    return size;
}

static void random_damage(void **state)
{
    (void)state;
    for (size_t m = 0; m < JM_COUNT(models); m++) {
        onnx_builder b = models[m].build();
        onnx_end(&b);
        unsigned char *copy = malloc(b.model.size);
        assert_non_null(copy);
        for (int round = 0; round < 1000; round++) {
            memcpy(copy, b.model.data, b.model.size);
            (void)import(copy, damage(copy, b.model.size));
        }
        free(copy);
        onnx_clear(&b);
    }
}

static jm_status import_and_compile(const onnx_builder *b)
{
    jm_graph *graph;
    JM_TRY(jm_onnx_import_memory(b->model.data, b->model.size, NULL, NULL, &graph));
    jm_status status = jm_compile(graph, NULL);
    jm_graph_destroy(graph);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t m = 0; m < JM_COUNT(models); m++) {
        onnx_builder b = models[m].build();
        onnx_end(&b);
        (void)jm_alloc_fail_at(0);
        assert_ok(import_and_compile(&b));
        const uint64_t total = jm_alloc_fail_at(0);
        for (uint64_t n = 1; n <= total; n++) {
            (void)jm_alloc_fail_at(n);
            assert_int_equal(import_and_compile(&b), JM_OUT_OF_MEMORY);
            (void)jm_alloc_fail_at(0);
        }
        onnx_clear(&b);
    }
}

/* Seeds of the fuzzer: test_onnx_corrupt tests/corpus/onnx */
static int write_corpus(const char *folder)
{
    for (size_t m = 0; m < JM_COUNT(models); m++) {
        onnx_builder b = models[m].build();
        char path[4096];
        onnx_end(&b);
        snprintf(path, sizeof path, "%s/%s.onnx", folder, models[m].name);
        jm_status status = jm_file_write(path, b.model.data, b.model.size);
        onnx_clear(&b);
        if (status != JM_OK) return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_models_are_right),      cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(every_bit_flipped),         cmocka_unit_test(random_damage),
        cmocka_unit_test(every_allocation_may_fail),
    };
    if (argc == 2) return write_corpus(argv[1]);
    return cmocka_run_group_tests_name("onnx_corrupt", tests, NULL, NULL);
}
