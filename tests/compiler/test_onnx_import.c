/* SPDX-License-Identifier: Apache-2.0
 *
 * What the importer accepts and refuses: models in memory, right and wrong.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "onnx_builder.h"
#include "test.h"

/* x [1,3] -> Relu -> y */
static onnx_builder relu_model(int64_t opset)
{
    onnx_builder b = onnx_begin(opset);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 3));
    onnx_op(&b, "Relu", "x", "y");
    onnx_output(&b, "y");
    return b;
}

static void a_small_model(void **state)
{
    (void)state;
    onnx_builder b = relu_model(13);
    onnx_metadata(&b, "names", "{0: 'cat'}");
    jm_graph *graph = onnx_import_ok(&b);
    assert_string_equal(graph->name, "test");
    assert_int_equal(graph->inputs, 1);
    assert_int_equal(graph->nodes, 1);
    assert_string_equal(graph->node[0]->op->name, "Relu");
    assert_string_equal(graph->node[0]->name, "y");
    assert_string_equal(graph->output[0]->name, "y");
    assert_int_equal(graph->output[0]->tensor.shape.dim[1], 3);
    assert_string_equal(jm_graph_meta(graph, "onnx.names"), "{0: 'cat'}");
    jm_graph_destroy(graph);
    onnx_clear(&b);
}

/* ---- The model ---- */

static void opsets(void **state)
{
    (void)state;
    onnx_builder b = relu_model(6);
    onnx_import_fails(&b, JM_UNSUPPORTED, "opset 6; opset 7 is the oldest");
    b = onnx_begin_bare();
    onnx_import_fails(&b, JM_UNSUPPORTED, "opset 1;");
    b = relu_model(29);
    onnx_import_fails(&b, JM_UNSUPPORTED, "opset 29; opset 28 is the newest");
    const int64_t good[] = {7, 13, 25, 28};
    for (size_t i = 0; i < JM_COUNT(good); i++) {
        b = relu_model(good[i]);
        jm_graph_destroy(onnx_import_ok(&b));
        onnx_clear(&b);
    }
    /* "ai.onnx" is the same domain; other domains' versions do not matter. */
    b = relu_model(3);
    onnx_end(&b);
    onnx_opset_of(&b, "ai.onnx", 13);
    onnx_opset_of(&b, "com.microsoft", 1);
    jm_graph_destroy(onnx_import_ok(&b));
    onnx_clear(&b);
}

static void not_a_model(void **state)
{
    (void)state;
    jm_graph *graph;
    const unsigned char nonsense[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    assert_error(jm_onnx_import_memory("", 0, NULL, NULL, &graph), JM_CORRUPT, "no graph");
    assert_error(jm_onnx_import_memory(nonsense, sizeof nonsense, NULL, NULL, &graph), JM_CORRUPT, "not an ONNX model");
    assert_error(jm_onnx_import("/nonexistent/model.onnx", NULL, &graph), JM_NOT_FOUND, "/nonexistent/model.onnx");
    assert_error(jm_onnx_import("/tmp", NULL, &graph), JM_INVALID_ARGUMENT, "/tmp");
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1));
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "no outputs");
}

/* ---- Names and order ---- */

static void names_are_checked(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_op(&b, "Relu", "nowhere", "y");
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "Relu 'y' reads 'nowhere', which nothing produces");

    b = relu_model(13);
    onnx_output(&b, "z");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "graph output 'z' is produced by nothing");

    b = relu_model(13);
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "two graph outputs have the name 'y'");

    b = relu_model(13);
    onnx_op(&b, "Sigmoid", "x", "y");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "produces 'y', a name that is already taken");

    b = relu_model(13);
    onnx_op(&b, "Sigmoid", "y", "x");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "produces 'x', a name that is already taken");

    b = relu_model(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 3));
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "two graph inputs have the name 'x'");

    b = relu_model(13);
    onnx_f32_scalar(&b, "w", 1);
    onnx_f32_scalar(&b, "w", 1);
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "two initializers have the name 'w'");
}

static void cycles_are_named(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    onnx_op(&b, "Add", "x,c", "a");
    onnx_op(&b, "Relu", "a", "b");
    onnx_op(&b, "Relu", "b", "c");
    onnx_output(&b, "b");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "cycle");

    b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    onnx_op(&b, "Add", "x,y", "y");
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "Add 'y' needs 'y'");
}

static void order_does_not_matter(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_op(&b, "Sigmoid", "b", "c");
    onnx_op(&b, "Tanh", "a", "b");
    onnx_op(&b, "Relu", "x", "a");
    onnx_op(&b, "Loop", "x", "unused"); /* what no output needs is not looked at */
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    onnx_output(&b, "c");
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal(graph->nodes, 3);
    assert_string_equal(graph->node[0]->op->name, "Relu");
    assert_string_equal(graph->node[2]->op->name, "Sigmoid");
    jm_graph_destroy(graph);
    onnx_clear(&b);
}

/* ---- Inputs and outputs ---- */

static void input_shapes(void **state)
{
    (void)state;
    jm_graph *graph;
    char text[JM_SHAPE_TEXT];
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "input", ONNX_FLOAT, DIMS(1, 3, -1, INT64_MIN));
    onnx_op(&b, "Relu", "input", "y");
    onnx_output(&b, "y");
    assert_error(onnx_import_status(&b, &graph), JM_INVALID_ARGUMENT,
                 "input 'input' has unknown size [1,3,?,?]; give it with --input-shape input:1,3,640,640");

    jm_input_shape shape = {"input", {4, {2, 3, 5, 7}}};
    b.options = (jm_compile_options){.input_shape = &shape, .input_shapes = 1};
    graph = onnx_import_ok(&b);
    assert_string_equal(jm_shape_text(&graph->output[0]->tensor.shape, text), "[2,3,5,7]");
    jm_graph_destroy(graph);

    shape.shape.dim[2] = -5;
    assert_error(onnx_import_status(&b, &graph), JM_INVALID_ARGUMENT, "dimension 2 is -5");
    shape.shape.rank = 3;
    shape.shape.dim[2] = 1;
    assert_error(onnx_import_status(&b, &graph), JM_INVALID_ARGUMENT, "has 4 dimensions");
    shape.name = "images";
    assert_error(onnx_import_status(&b, &graph), JM_INVALID_ARGUMENT, "'images', which is no input");
    onnx_clear(&b);

    const int64_t odd[] = {0, -5, (int64_t)1 << 41, INT64_MAX};
    const char *const words[] = {"[?,3]", "[?,3]", "2^40", "2^40"};
    for (size_t i = 0; i < JM_COUNT(odd); i++) {
        b = onnx_begin(13);
        onnx_input(&b, "x", ONNX_FLOAT, DIMS(odd[i], 3));
        onnx_op(&b, "Relu", "x", "y");
        onnx_output(&b, "y");
        onnx_import_fails(&b, i < 2 ? JM_INVALID_ARGUMENT : JM_OUT_OF_RANGE, words[i]);
    }
    b = onnx_begin(13); /* 2^40 elements are legal */
    onnx_input(&b, "x", ONNX_FLOAT, DIMS((int64_t)1 << 40));
    onnx_op(&b, "Relu", "x", "y");
    onnx_output(&b, "y");
    jm_graph_destroy(onnx_import_ok(&b));
    onnx_clear(&b);

    b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, -1, NULL);
    onnx_op(&b, "Relu", "x", "y");
    onnx_output(&b, "y");
    assert_error(onnx_import_status(&b, &graph), JM_INVALID_ARGUMENT, "no shape; give it with --input-shape x:");
    shape = (jm_input_shape){"x", {2, {4, 5}}};
    b.options = (jm_compile_options){.input_shape = &shape, .input_shapes = 1};
    jm_graph_destroy(onnx_import_ok(&b));
    onnx_clear(&b);
}

static void input_types(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", 0, 0, NULL);
    onnx_op(&b, "Relu", "x", "y");
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_UNSUPPORTED, "input 'x' is not a tensor");
    const int64_t bad[] = {ONNX_STRING, 14, 17, 22, 99};
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        b = onnx_begin(13);
        onnx_input(&b, "x", bad[i], DIMS(3));
        onnx_op(&b, "Identity", "x", "y");
        onnx_output(&b, "y");
        onnx_import_fails(&b, JM_UNSUPPORTED, "element type");
    }
    b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 1, 1, 1, 1, 1, 1, 1, 1));
    onnx_op(&b, "Relu", "x", "y");
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_UNSUPPORTED, "9 dimensions");
}

/* Outputs that are inputs, constants or the same value twice get storage of their own, and keep their names. */
static void outputs_have_storage(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    onnx_f32(&b, "w", DIMS(2), (float[]){1, 2});
    onnx_op(&b, "Relu", "x", "y");
    onnx_op(&b, "Identity", "y", "z");
    onnx_op(&b, "Dropout", "z", "v");
    const char *const names[] = {"w", "x", "v", "z", "y"};
    for (size_t i = 0; i < JM_COUNT(names); i++) onnx_output(&b, names[i]);
    jm_graph *graph = onnx_import_ok(&b);
    for (size_t i = 0; i < JM_COUNT(names); i++) assert_string_equal(graph->output[i]->name, names[i]);
    assert_int_equal(graph->outputs, 5);
    assert_float_equal(((const float *)onnx_folded(graph, "w")->data)[1], 2, 0);
    jm_graph_destroy(graph);
    onnx_clear(&b);
}

static void initializers_may_be_inputs(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(7);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    onnx_input(&b, "w", ONNX_FLOAT, DIMS(3));
    onnx_f32(&b, "w", DIMS(3), (float[]){1, 2, 3});
    onnx_op(&b, "Add", "x,w", "y");
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal(graph->inputs, 1);
    assert_true(graph->node[0]->in[1]->tensor.constant);
    jm_graph_destroy(graph);
    onnx_clear(&b);
}

/* ---- Unsupported nodes ---- */

static void all_unsupported_nodes_are_listed(void **state)
{
    (void)state;
    jm_graph *graph;
    onnx_builder b = onnx_begin(16);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    onnx_op(&b, "StringConcat", "x", "l0");
    onnx_op(&b, "Relu", "l0", "r");
    onnx_op(&b, "Frobnicate", "r", "f");
    onnx_op_end(&b, onnx_op_begin(&b, "com.microsoft", "FusedConv", "f", "m"));
    onnx_op(&b, "StringConcat", "m", "l1");
    size_t relu = onnx_op_begin(&b, "", "Relu", "x", "a");
    onnx_set_int(&b, "sharpness", 3);
    onnx_op_end(&b, relu);
    onnx_op(&b, "Add", "l1,a", "y");
    onnx_output(&b, "y");
    assert_error(onnx_import_status(&b, &graph), JM_UNSUPPORTED, "5 unsupported nodes of 4 kinds");
    const char *const words[] = {"StringConcat (opset 16) x2: 'l0', 'l1'", "Frobnicate (opset 16) x1: 'f'",
                                 "com.microsoft.FusedConv (a custom operator) x1: 'm'",
                                 "Relu: attribute 'sharpness' is not supported x1: 'a'"};
    for (size_t i = 0; i < JM_COUNT(words); i++) {
        if (!strstr(jm_last_error(), words[i])) fail_msg("'%s' lacks '%s'", jm_last_error(), words[i]);
    }
    onnx_clear(&b);

    /* Our own operators are not ONNX's. */
    b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    onnx_op(&b, "Silu", "x", "y");
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_UNSUPPORTED, "Silu (opset 13)");
}

static void long_lists_name_every_kind(void **state)
{
    (void)state;
    jm_graph *graph;
    onnx_builder b = onnx_begin(13);
    char in[32] = "x", out[32], op[32];
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    for (int i = 0; i < 300; i++) {
        snprintf(out, sizeof out, "value_%d", i);
        snprintf(op, sizeof op, "Kind%d", i % 12);
        onnx_op(&b, op, in, out);
        strcpy(in, out);
    }
    onnx_output(&b, in);
    assert_error(onnx_import_status(&b, &graph), JM_UNSUPPORTED, "300 unsupported nodes of 12 kinds");
    for (int i = 0; i < 12; i++) {
        snprintf(op, sizeof op, "Kind%d (opset 13) x25", i);
        assert_non_null(strstr(jm_last_error(), op));
    }
    onnx_clear(&b);
}

static void wrong_nodes_are_named(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2, 3));
    onnx_f32(&b, "w", DIMS(4), (float[]){1, 2, 3, 4});
    onnx_op(&b, "Add", "x,w", "sum");
    onnx_output(&b, "sum");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "Add 'sum' (inputs: float32 [2,3], float32 [4])");
}

/* ---- Tensors ---- */

/* A model whose output is the initializer "w", which the caller writes. */
static onnx_builder weight_model(void)
{
    onnx_builder b = onnx_begin(13);
    onnx_output(&b, "w");
    return b;
}

static void check_weight(onnx_builder *b, jm_dtype dtype, const void *data, size_t size)
{
    jm_graph *graph = onnx_import_ok(b);
    const jm_tensor *tensor = onnx_folded(graph, "w");
    size_t bytes;
    assert_non_null(tensor);
    assert_int_equal(tensor->dtype, dtype);
    assert_ok(jm_tensor_bytes(tensor, &bytes));
    assert_int_equal(bytes, size);
    assert_memory_equal(tensor->data, data, size);
    assert_int_equal((uintptr_t)tensor->data % jm_dtype_size(dtype), 0);
    jm_graph_destroy(graph);
    onnx_clear(b);
}

static void tensors_are_aligned_and_borrowed(void **state)
{
    (void)state;
    const float data[3] = {1, 2, 3};
    bool borrowed = false, copied = false;
    for (int shift = 0; shift < 8; shift++) {
        onnx_builder b = weight_model();
        jm_wire_put_bytes(&b.model, 10, "12345678", (size_t)shift); /* doc_string: moves what follows */
        onnx_f32(&b, "w", DIMS(3), data);
        jm_graph *graph = onnx_import_ok(&b);
        const unsigned char *at = onnx_folded(graph, "w")->data;
        assert_int_equal((uintptr_t)at % 4, 0);
        assert_memory_equal(at, data, sizeof data);
        const bool inside = at >= b.model.data && at < b.model.data + b.model.size;
        borrowed |= inside;
        copied |= !inside;
        jm_graph_destroy(graph);
        onnx_clear(&b);
    }
    assert_true(borrowed && copied);
}

static void typed_fields(void **state)
{
    (void)state;
    static const struct {
        int64_t type;
        uint32_t field;
        jm_dtype dtype;
        int64_t in[3];
        int64_t out[3]; /* bits of the elements */
    } cases[] = {
        {ONNX_INT8, 5, JM_I8, {-128, 127, -1}, {0x80, 0x7f, 0xff}},
        {ONNX_UINT8, 5, JM_U8, {0, 255, 7}, {0, 255, 7}},
        {ONNX_INT16, 5, JM_I16, {-2, 300, 0}, {0xfffe, 300, 0}},
        {ONNX_UINT16, 5, JM_U16, {65535, 1, 2}, {65535, 1, 2}},
        {ONNX_INT32, 5, JM_I32, {-5, INT32_MAX, INT32_MIN}, {0xfffffffb, INT32_MAX, 0x80000000}},
        {ONNX_BOOL, 5, JM_BOOL, {0, 1, 7}, {0, 1, 1}},
        {ONNX_FLOAT16, 5, JM_F16, {0x3c00, 0xbc00, 0x7bff}, {0x3c00, 0xbc00, 0x7bff}},
        {ONNX_BFLOAT16, 5, JM_BF16, {0x3f80, 0xbf80, 0}, {0x3f80, 0xbf80, 0}},
        {ONNX_INT64, 7, JM_I64, {INT64_MIN, -1, INT64_MAX}, {INT64_MIN, -1, INT64_MAX}},
        {ONNX_UINT32, 11, JM_U32, {4000000000, 1, 0}, {4000000000, 1, 0}},
        {ONNX_UINT64, 11, JM_U64, {-1, 1, 0}, {-1, 1, 0}},
    };
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        for (int packed = 0; packed < 2; packed++) {
            onnx_builder b = weight_model();
            unsigned char want[24];
            const size_t size = jm_dtype_size(cases[i].dtype);
            size_t begin = jm_wire_begin(&b.model, 5);
            onnx_tensor_head(&b.model, "w", cases[i].type, DIMS(3));
            size_t list = packed ? jm_wire_begin(&b.model, cases[i].field) : 0;
            for (int k = 0; k < 3; k++) {
                if (packed) {
                    jm_wire_put_packed_varint(&b.model, (uint64_t)cases[i].in[k]);
                } else {
                    jm_wire_put_varint(&b.model, cases[i].field, (uint64_t)cases[i].in[k]);
                }
                memcpy(want + (size_t)k * size, &cases[i].out[k], size);
            }
            if (packed) jm_wire_end(&b.model, list);
            jm_wire_end(&b.model, begin);
            check_weight(&b, cases[i].dtype, want, 3 * size);
        }
    }
    const float floats[2] = {1.5f, -0.0f};
    const double doubles[2] = {1e300, -0.0};
    onnx_builder b = weight_model();
    size_t begin = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "w", ONNX_FLOAT, DIMS(2));
    for (int k = 0; k < 2; k++) jm_wire_put_float(&b.model, 4, floats[k]);
    jm_wire_end(&b.model, begin);
    check_weight(&b, JM_F32, floats, sizeof floats);
    b = weight_model();
    begin = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "w", ONNX_DOUBLE, DIMS(1, 2));
    size_t list = jm_wire_begin(&b.model, 10);
    for (int k = 0; k < 2; k++) jm_wire_put_packed_double(&b.model, doubles[k]);
    jm_wire_end(&b.model, list);
    jm_wire_end(&b.model, begin);
    check_weight(&b, JM_F64, doubles, sizeof doubles);

    b = weight_model();
    onnx_raw(&b, "w", ONNX_BOOL, DIMS(4), "\0\1\2\xff", 4);
    check_weight(&b, JM_BOOL, "\0\1\1\1", 4);
    b = weight_model();
    onnx_raw(&b, "w", ONNX_FLOAT, DIMS(0, 5), "", 0);
    check_weight(&b, JM_F32, "", 0);
    b = weight_model();
    onnx_f32_scalar(&b, "w", 4);
    check_weight(&b, JM_F32, &(float){4}, 4);
}

static void wrong_tensors(void **state)
{
    (void)state;
    static const struct {
        int64_t type;
        int rank;
        int64_t dims[9];
        size_t size;
        jm_status code;
        const char *words;
    } cases[] = {
        {ONNX_FLOAT, 1, {4}, 12, JM_CORRUPT, "is float32 [4] but holds 12 bytes"},
        {ONNX_FLOAT, 1, {4}, 17, JM_CORRUPT, "holds 17 bytes"},
        {ONNX_FLOAT, 2, {-1, 4}, 16, JM_CORRUPT, "negative dimension -1"},
        {ONNX_FLOAT, 2, {INT64_MIN, 4}, 16, JM_CORRUPT, "negative dimension"},
        {ONNX_FLOAT, 2, {(int64_t)1 << 40, 1 << 24}, 16, JM_CORRUPT, "too large"},
        {ONNX_FLOAT, 1, {(int64_t)1 << 40}, 16, JM_CORRUPT, "holds 16 bytes"},
        {ONNX_FLOAT, 2, {INT64_MAX, INT64_MAX}, 16, JM_CORRUPT, "too large"},
        {ONNX_FLOAT, 9, {1, 1, 1, 1, 1, 1, 1, 1, 1}, 4, JM_UNSUPPORTED, "9 dimensions"},
        {ONNX_STRING, 1, {1}, 4, JM_UNSUPPORTED, "element type 8"},
        {ONNX_UNDEFINED, 1, {1}, 4, JM_UNSUPPORTED, "element type 0"},
        {-3, 1, {1}, 4, JM_UNSUPPORTED, "element type -3"},
    };
    const unsigned char data[32] = {0};
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        onnx_builder b = weight_model();
        onnx_raw(&b, "w", cases[i].type, cases[i].rank, cases[i].dims, data, cases[i].size);
        onnx_import_fails(&b, cases[i].code, cases[i].words);
    }
    /* No data at all, too few typed elements, a segment. */
    onnx_builder b = weight_model();
    size_t begin = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "w", ONNX_FLOAT, DIMS(1, 1000000, 1000));
    jm_wire_end(&b.model, begin);
    onnx_import_fails(&b, JM_CORRUPT, "holds 0 elements");
    b = weight_model();
    begin = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "w", ONNX_INT64, DIMS(2));
    jm_wire_put_varint(&b.model, 7, 1);
    jm_wire_end(&b.model, begin);
    onnx_import_fails(&b, JM_CORRUPT, "holds 1 elements");
    b = weight_model();
    begin = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "w", ONNX_FLOAT, DIMS(1));
    jm_wire_put_bytes(&b.model, 3, "", 0);
    jm_wire_put_bytes(&b.model, 9, data, 4);
    jm_wire_end(&b.model, begin);
    onnx_import_fails(&b, JM_UNSUPPORTED, "segments");
    b = weight_model();
    onnx_f32_scalar(&b, "w", 1);
    jm_wire_put_bytes(&b.model, 15, "", 0);
    onnx_import_fails(&b, JM_UNSUPPORTED, "1 sparse initializers");
}

/* ---- External data ---- */

static char folder[] = "/tmp/jumar-onnx-XXXXXX";

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

/* <folder>/{inside/w.bin, secret}, <folder>/inside/{link -> w.bin, leak -> ../secret, up -> ..}. */
static int make_folder(void **state)
{
    (void)state;
    const float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    char path[128];
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/secret", folder);
    write_file(path, data, sizeof data);
    snprintf(path, sizeof path, "%s/inside", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/inside/w.bin", folder);
    write_file(path, data, sizeof data);
    snprintf(path, sizeof path, "%s/inside/link", folder);
    if (symlink("w.bin", path)) return -1;
    snprintf(path, sizeof path, "%s/inside/leak", folder);
    if (symlink("../secret", path)) return -1;
    snprintf(path, sizeof path, "%s/inside/up", folder);
    if (symlink("..", path)) return -1;
    snprintf(path, sizeof path, "%s/inside-too", folder);
    mkdir(path, 0700);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"inside/model.onnx", "inside/w.bin", "inside/link", "inside/leak",
                                        "inside/up",         "inside",       "inside-too",  "secret"};
    char path[128];
    for (size_t i = 0; i < JM_COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return rmdir(folder);
}

static onnx_builder external_model(const char *location, const char *offset, const char *length)
{
    static char path[128];
    onnx_builder b = weight_model();
    snprintf(path, sizeof path, "%s/inside", folder);
    b.folder = path;
    onnx_external(&b, "w", ONNX_FLOAT, DIMS(2), location, offset, length);
    return b;
}

static void external_data(void **state)
{
    (void)state;
    const float at0[2] = {0, 1}, at3[2] = {3, 4}, at6[2] = {6, 7};
    const struct {
        const char *location, *offset, *length;
        const float *want;
    } good[] = {{"w.bin", NULL, NULL, at0}, {"./w.bin", "12", NULL, at3}, {"link", "24", "8", at6}};
    for (size_t i = 0; i < JM_COUNT(good); i++) {
        onnx_builder b = external_model(good[i].location, good[i].offset, good[i].length);
        check_weight(&b, JM_F32, good[i].want, 8);
    }
    onnx_builder b = external_model("w.bin", "1", NULL); /* not aligned */
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal((uintptr_t)onnx_folded(graph, "w")->data % 4, 0);
    jm_graph_destroy(graph);

    /* A file on disk finds data beside it. */
    char path[128];
    snprintf(path, sizeof path, "%s/inside/model.onnx", folder);
    write_file(path, b.model.data, b.model.size);
    assert_ok(jm_onnx_import(path, NULL, &graph));
    jm_graph_destroy(graph);
    onnx_clear(&b);
}

static void external_data_stay_in_the_folder(void **state)
{
    (void)state;
    char absolute[128];
    snprintf(absolute, sizeof absolute, "%s/inside/w.bin", folder);
    const struct {
        const char *location, *offset, *length;
        jm_status code;
        const char *words;
    } bad[] = {
        {"../secret", NULL, NULL, JM_INVALID_ARGUMENT, "must be inside the folder"},
        {"..", NULL, NULL, JM_INVALID_ARGUMENT, "must be inside the folder"},
        {"a/../../secret", NULL, NULL, JM_INVALID_ARGUMENT, "must be inside the folder"},
        {absolute, NULL, NULL, JM_INVALID_ARGUMENT, "must be inside the folder"},
        {"", NULL, NULL, JM_INVALID_ARGUMENT, "must be inside the folder"},
        {"leak", NULL, NULL, JM_INVALID_ARGUMENT, "a link out of the folder"},
        {"up/secret", NULL, NULL, JM_INVALID_ARGUMENT, "a link out of the folder"},
        {"up/inside-too", NULL, NULL, JM_INVALID_ARGUMENT, "a link out of the folder"},
        {"absent", NULL, NULL, JM_NOT_FOUND, "absent"},
        {".", NULL, NULL, JM_INVALID_ARGUMENT, ""},
        {NULL, NULL, NULL, JM_CORRUPT, "no location"},
        {"w.bin", "28", NULL, JM_CORRUPT, "beyond the end"},
        {"w.bin", "33", NULL, JM_CORRUPT, "beyond the end"},
        {"w.bin", "18446744073709551615", NULL, JM_CORRUPT, "beyond the end"},
        {"w.bin", "99999999999999999999", NULL, JM_CORRUPT, "no size"},
        {"w.bin", "-4", NULL, JM_CORRUPT, "no size"},
        {"w.bin", "0x4", NULL, JM_CORRUPT, "no size"},
        {"w.bin", "0", "4", JM_CORRUPT, "holds 4 bytes"},
        {"w.bin", "0", "18446744073709551615", JM_CORRUPT, "beyond the end"},
    };
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        onnx_builder b = external_model(bad[i].location, bad[i].offset, bad[i].length);
        onnx_import_fails(&b, bad[i].code, bad[i].words);
    }
    onnx_builder b = external_model("w.bin", NULL, NULL);
    b.folder = NULL;
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "a model in memory has no folder");
}

/* ---- Size ---- */

static void long_chains_are_linear(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    onnx_builder b = onnx_begin(13);
    char in[32] = "x", out[32];
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2));
    for (int i = 0; i < LENGTH; i++) {
        snprintf(out, sizeof out, "v%d", i);
        onnx_op(&b, i % 2 ? "Relu" : "Identity", in, out);
        strcpy(in, out);
    }
    onnx_output(&b, in);
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal(graph->nodes, LENGTH / 2);
    assert_ok(jm_compile(graph, NULL));
    jm_graph_destroy(graph);
    onnx_clear(&b);

    /* The same backwards: the first node needs all others. */
    b = onnx_begin(13);
    strcpy(out, "y");
    onnx_output(&b, "y");
    for (int i = 0; i < LENGTH; i++) {
        snprintf(in, sizeof in, "v%d", i);
        onnx_op(&b, "Relu", i + 1 < LENGTH ? in : "x", out);
        strcpy(out, in);
    }
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2));
    graph = onnx_import_ok(&b);
    assert_int_equal(graph->nodes, LENGTH);
    jm_graph_destroy(graph);
    onnx_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_model),
        cmocka_unit_test(opsets),
        cmocka_unit_test(not_a_model),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(cycles_are_named),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(input_shapes),
        cmocka_unit_test(input_types),
        cmocka_unit_test(outputs_have_storage),
        cmocka_unit_test(initializers_may_be_inputs),
        cmocka_unit_test(all_unsupported_nodes_are_listed),
        cmocka_unit_test(long_lists_name_every_kind),
        cmocka_unit_test(wrong_nodes_are_named),
        cmocka_unit_test(tensors_are_aligned_and_borrowed),
        cmocka_unit_test(typed_fields),
        cmocka_unit_test(wrong_tensors),
        cmocka_unit_test(external_data),
        cmocka_unit_test(external_data_stay_in_the_folder),
        cmocka_unit_test(long_chains_are_linear),
    };
    return cmocka_run_group_tests_name("onnx_import", tests, make_folder, remove_folder);
}
