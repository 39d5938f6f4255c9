/* SPDX-License-Identifier: Apache-2.0
 *
 * Damaged models: every length, every bit, random bytes. The importer may refuse or accept them; it must not crash,
 * hang or leak, which the sanitizers watch, and what it accepts must be a graph that compiles or is refused.
 */
#include "onnx_builder.h"
#include "compiler/verify.h"
#include "test.h"

#define DIMS(...)                                                                                                      \
    (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[])                                             \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* A bit of everything. */
static onnx_builder model(void)
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
    onnx_op(&b, "Unsqueeze", "batch,one", "bad"); /* unused */
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
    onnx_metadata(&b, "task", "detect");
    return b;
}

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

static void the_model_itself_is_right(void **state)
{
    (void)state;
    onnx_builder b = model();
    assert_ok(import(b.model.data, b.model.size));
    onnx_clear(&b);
}

static void truncated_anywhere(void **state)
{
    (void)state;
    onnx_builder b = model();
    size_t accepted = 0;
    for (size_t size = 0; size < b.model.size; size++) accepted += import(b.model.data, size) == JM_OK;
    assert_true(accepted <= 1); /* without the metadata, which come last */
    onnx_clear(&b);
}

static void every_bit_flipped(void **state)
{
    (void)state;
    onnx_builder b = model();
    for (size_t i = 0; i < b.model.size * 8; i++) {
        b.model.data[i / 8] ^= (unsigned char)(1u << i % 8);
        (void)import(b.model.data, b.model.size);
        b.model.data[i / 8] ^= (unsigned char)(1u << i % 8);
    }
    onnx_clear(&b);
}

static void random_damage(void **state)
{
    (void)state;
    onnx_builder b = model();
    unsigned char *copy = malloc(b.model.size);
    assert_non_null(copy);
    for (int round = 0; round < 2000; round++) {
        memcpy(copy, b.model.data, b.model.size);
        size_t size = b.model.size;
        for (int64_t n = test_random_int(1, 8); n > 0; n--) {
            const size_t at = (size_t)test_random_int(0, (int64_t)size - 1);
            const size_t from = (size_t)test_random_int(0, (int64_t)size - 1);
            const size_t length = (size_t)test_random_int(1, 16);
            switch (test_random_int(0, 3)) {
            case 0:
                copy[at] = (unsigned char)test_random();
                break;
            case 1:
                copy[at] = 0xff;
                break;
            case 2: /* repeat a piece elsewhere */
                memmove(copy + at, copy + from, JM_MIN(length, size - JM_MAX(at, from)));
                break;
            case 3: /* cut a piece out */
                if (size - at <= length + 1) break;
                memmove(copy + at, copy + at + length, size - at - length);
                size -= length;
                break;
            }
        }
        (void)import(copy, size);
    }
    free(copy);
    onnx_clear(&b);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    onnx_builder b = model();
    jm_graph *graph = NULL;
    onnx_end(&b);
    (void)jm_alloc_fail_at(0);
    assert_ok(jm_onnx_import_memory(b.model.data, b.model.size, NULL, NULL, &graph));
    assert_ok(jm_compile(graph, NULL));
    jm_graph_destroy(graph);
    const uint64_t total = jm_alloc_fail_at(0);
    for (uint64_t n = 1; n <= total; n++) {
        (void)jm_alloc_fail_at(n);
        jm_status status = jm_onnx_import_memory(b.model.data, b.model.size, NULL, NULL, &graph);
        if (status == JM_OK) status = jm_compile(graph, NULL);
        assert_int_equal(status, JM_OUT_OF_MEMORY);
        (void)jm_alloc_fail_at(0);
        jm_graph_destroy(graph);
    }
    onnx_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_itself_is_right), cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(every_bit_flipped),         cmocka_unit_test(random_damage),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("onnx_corrupt", tests, NULL, NULL);
}
