/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators whose meaning or form changed between versions. Models whose inputs are all constant fold while they are
 * imported, so their results can be compared with numbers worked out by hand.
 */
#include "onnx_builder.h"
#include "test.h"

static void check_i64(const jm_graph *graph, const char *output, int count, const int64_t *want)
{
    const jm_tensor *tensor = onnx_folded(graph, output);
    if (!tensor) fail_msg("'%s' did not fold", output);
    assert_int_equal(tensor->dtype, JM_I64);
    if (count >= 0) assert_int_equal(tensor->shape.dim[0], count);
    assert_int_equal(tensor->shape.rank, count >= 0 ? 1 : 0);
    assert_memory_equal(tensor->data, want, (size_t)JM_MAX(count, 1) * sizeof *want);
}

/* ---- Constants ---- */

static void constants(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    size_t node = onnx_op_begin(&b, "", "Constant", "", "a");
    size_t attr = jm_wire_begin(&b.model, 5);
    jm_wire_put_string(&b.model, 1, "value");
    jm_wire_put_varint(&b.model, 20, ONNX_ATTR_TENSOR);
    size_t tensor = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "", ONNX_FLOAT, DIMS(2));
    jm_wire_put_float(&b.model, 4, 1);
    jm_wire_put_float(&b.model, 4, 2);
    jm_wire_end(&b.model, tensor);
    jm_wire_end(&b.model, attr);
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Constant", "", "b");
    onnx_set_int(&b, "value_int", -7);
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Constant", "", "c");
    onnx_set_ints(&b, "value_ints", 2, (int64_t[]){3, 4});
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Constant", "", "d");
    onnx_set_float(&b, "value_float", 0.5f);
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Constant", "", "e");
    onnx_set_floats(&b, "value_floats", 2, FLOATS(1.5f, 2.5f));
    onnx_op_end(&b, node);
    for (const char *name = "a\0b\0c\0d\0e\0"; *name; name += 2) onnx_output(&b, name);
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "a", DIMS(2), FLOATS(1, 2));
    check_i64(graph, "b", -1, (int64_t[]){-7});
    check_i64(graph, "c", 2, (int64_t[]){3, 4});
    onnx_check_f32(graph, "d", 0, NULL, FLOATS(0.5f));
    onnx_check_f32(graph, "e", DIMS(2), FLOATS(1.5f, 2.5f));
    onnx_finish(&b, graph);

    b = onnx_begin(13);
    node = onnx_op_begin(&b, "", "Constant", "", "a");
    onnx_set_text(&b, "value_string", "text");
    onnx_op_end(&b, node);
    onnx_output(&b, "a");
    onnx_import_fails(&b, JM_UNSUPPORTED, "value_string");
}

static void constant_of_shape(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(9);
    onnx_i64(&b, "shape", 2, (int64_t[]){2, 3});
    onnx_op(&b, "ConstantOfShape", "shape", "zero");
    size_t node = onnx_op_begin(&b, "", "ConstantOfShape", "shape", "seven");
    size_t attr = jm_wire_begin(&b.model, 5);
    jm_wire_put_string(&b.model, 1, "value");
    jm_wire_put_varint(&b.model, 20, ONNX_ATTR_TENSOR);
    size_t tensor = jm_wire_begin(&b.model, 5);
    onnx_tensor_head(&b.model, "", ONNX_FLOAT, DIMS(1));
    jm_wire_put_float(&b.model, 4, 7);
    jm_wire_end(&b.model, tensor);
    jm_wire_end(&b.model, attr);
    onnx_op_end(&b, node);
    onnx_output(&b, "zero");
    onnx_output(&b, "seven");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "zero", DIMS(2, 3), FLOATS(0, 0, 0, 0, 0, 0));
    onnx_check_f32(graph, "seven", DIMS(2, 3), FLOATS(7, 7, 7, 7, 7, 7));
    onnx_finish(&b, graph);

    /* A result that is too large to keep stays a node. */
    b = onnx_begin(9);
    onnx_i64(&b, "shape", 2, (int64_t[]){1 << 15, 1 << 15});
    onnx_op(&b, "ConstantOfShape", "shape", "zero");
    onnx_output(&b, "zero");
    graph = onnx_import_ok(&b);
    assert_null(onnx_folded(graph, "zero"));
    assert_int_equal(graph->output[0]->tensor.shape.dim[1], 1 << 15);
    onnx_finish(&b, graph);
}

/* The chain that exporters write for x.view(x.size(0), -1). */
static void shapes_fold(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(11);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2, 3, 4));
    onnx_i64_scalar(&b, "zero", 0);
    onnx_i64(&b, "rest", 1, (int64_t[]){-1});
    onnx_op(&b, "Shape", "x", "shape");
    onnx_op(&b, "Gather", "shape,zero", "batch");
    size_t node = onnx_op_begin(&b, "", "Unsqueeze", "batch", "batch1");
    onnx_set_ints(&b, "axes", 1, (int64_t[]){0});
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Concat", "batch1,rest", "want");
    onnx_set_int(&b, "axis", 0);
    onnx_op_end(&b, node);
    onnx_op(&b, "Reshape", "x,want", "y");
    onnx_op(&b, "Size", "x", "size");
    onnx_output(&b, "y");
    onnx_output(&b, "size");
    onnx_output(&b, "shape");
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal(graph->output[0]->tensor.shape.rank, 2);
    assert_int_equal(graph->output[0]->tensor.shape.dim[1], 12);
    check_i64(graph, "size", -1, (int64_t[]){24});
    check_i64(graph, "shape", 3, (int64_t[]){2, 3, 4});
    onnx_finish(&b, graph);

    const struct {
        int64_t start, end;
        int count;
        int64_t want[4];
    } cases[] = {{1, 3, 2, {3, 4}}, {-1, 9, 1, {4}}, {-9, -1, 2, {2, 3}}, {2, 1, 0, {0}}};
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        b = onnx_begin(15);
        onnx_input(&b, "x", ONNX_FLOAT, DIMS(2, 3, 4));
        node = onnx_op_begin(&b, "", "Shape", "x", "s");
        onnx_set_int(&b, "start", cases[i].start);
        onnx_set_int(&b, "end", cases[i].end);
        onnx_op_end(&b, node);
        onnx_output(&b, "s");
        graph = onnx_import_ok(&b);
        check_i64(graph, "s", cases[i].count, cases[i].want);
        onnx_finish(&b, graph);
    }
}

/* ---- Other shapes of the same elements ---- */

/* Imports one node with input x of `dims` and checks the shape of its output. */
static void check_shape(int64_t opset, const char *op, const char *attr, int count, const int64_t *values,
                        bool as_input, int rank, const int64_t *dims, const char *want)
{
    onnx_builder b = onnx_begin(opset);
    jm_graph *graph = NULL;
    char text[JM_SHAPE_TEXT];
    onnx_input(&b, "x", ONNX_FLOAT, rank, dims);
    if (as_input) onnx_i64(&b, "list", count, values);
    size_t node = onnx_op_begin(&b, "", op, as_input ? "x,list" : "x", "y");
    if (attr && !as_input && count >= 0) onnx_set_ints(&b, attr, count, values);
    if (attr && !as_input && count < 0) onnx_set_int(&b, attr, values[0]);
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    if (strchr(want, '[') == want) {
        graph = onnx_import_ok(&b);
        assert_string_equal(jm_shape_text(&graph->output[0]->tensor.shape, text), want);
        assert_string_equal(graph->node[0]->op->name, "Reshape");
    } else {
        assert_error(onnx_import_status(&b, &graph), JM_INVALID_ARGUMENT, want);
    }
    onnx_finish(&b, graph);
}

static void reshapes(void **state)
{
    (void)state;
    check_shape(13, "Flatten", NULL, 0, NULL, false, DIMS(2, 3, 4), "[2,12]");
    check_shape(13, "Flatten", "axis", -1, (int64_t[]){0}, false, DIMS(2, 3, 4), "[1,24]");
    check_shape(13, "Flatten", "axis", -1, (int64_t[]){-1}, false, DIMS(2, 3, 4), "[6,4]");
    check_shape(13, "Flatten", "axis", -1, (int64_t[]){3}, false, DIMS(2, 3, 4), "[24,1]");
    check_shape(13, "Flatten", "axis", -1, (int64_t[]){4}, false, DIMS(2, 3, 4), "'axis' is outside");
    check_shape(11, "Squeeze", NULL, 0, NULL, false, DIMS(1, 3, 1, 2), "[3,2]");
    check_shape(11, "Squeeze", "axes", DIMS(0), false, DIMS(1, 3, 1, 2), "[3,1,2]");
    check_shape(11, "Squeeze", "axes", DIMS(-2, 0), false, DIMS(1, 3, 1, 2), "[3,2]");
    check_shape(13, "Squeeze", "axes", DIMS(-2), true, DIMS(1, 3, 1, 2), "[1,3,2]");
    check_shape(13, "Squeeze", "axes", DIMS(1), true, DIMS(1, 3, 1, 2), "is not 1");
    check_shape(13, "Squeeze", "axes", DIMS(4), true, DIMS(1, 3, 1, 2), "outside rank 4");
    check_shape(13, "Squeeze", "axes", DIMS(0, -4), true, DIMS(1, 3, 1, 2), "given twice");
    check_shape(11, "Unsqueeze", "axes", DIMS(0, 3), false, DIMS(3, 2), "[1,3,2,1]");
    check_shape(13, "Unsqueeze", "axes", DIMS(-1, 0), true, DIMS(3, 2), "[1,3,2,1]");
    check_shape(13, "Unsqueeze", "axes", DIMS(4), true, DIMS(3, 2), "outside rank 3");
    check_shape(13, "Unsqueeze", NULL, 0, NULL, false, DIMS(3, 2), "no axes");
}

/* ---- Lists that moved between attributes and inputs ---- */

static void slices_and_pads(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4, 5, 6};
    onnx_builder b = onnx_begin(9);
    onnx_f32(&b, "x", DIMS(2, 3), x);
    size_t node = onnx_op_begin(&b, "", "Slice", "x", "s");
    onnx_set_ints(&b, "axes", 1, (int64_t[]){1});
    onnx_set_ints(&b, "starts", 1, (int64_t[]){1});
    onnx_set_ints(&b, "ends", 1, (int64_t[]){INT64_MAX});
    onnx_op_end(&b, node);
    node = onnx_op_begin(&b, "", "Pad", "x", "p");
    onnx_set_ints(&b, "pads", 4, (int64_t[]){0, 1, 1, 0});
    onnx_set_float(&b, "value", 9);
    onnx_op_end(&b, node);
    onnx_output(&b, "s");
    onnx_output(&b, "p");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "s", DIMS(2, 2), FLOATS(2, 3, 5, 6));
    onnx_check_f32(graph, "p", DIMS(3, 4), FLOATS(9, 1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9));
    onnx_finish(&b, graph);

    b = onnx_begin(13);
    onnx_f32(&b, "x", DIMS(2, 3), x);
    onnx_i64(&b, "start", 1, (int64_t[]){-1});
    onnx_i64(&b, "end", 1, (int64_t[]){INT64_MIN});
    onnx_i64(&b, "axis", 1, (int64_t[]){-1});
    onnx_i64(&b, "step", 1, (int64_t[]){-2});
    onnx_i64(&b, "pads", 4, (int64_t[]){0, 1, 1, 0});
    onnx_f32_scalar(&b, "nine", 9);
    onnx_op(&b, "Slice", "x,start,end,axis,step", "s");
    onnx_op(&b, "Pad", "x,pads,nine", "p");
    onnx_output(&b, "s");
    onnx_output(&b, "p");
    graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "s", DIMS(2, 2), FLOATS(3, 1, 6, 4));
    onnx_check_f32(graph, "p", DIMS(3, 4), FLOATS(9, 1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9));
    onnx_finish(&b, graph);
}

static void splits(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4, 5};
    const struct {
        int64_t opset;
        int given; /* 0: nothing, 1: attribute, 2: input, 3: num_outputs */
        int64_t sizes[2];
    } cases[] = {{11, 1, {2, 3}}, {13, 2, {2, 3}}, {18, 3, {3, 2}}, {18, 2, {4, 1}}};
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        onnx_builder b = onnx_begin(cases[i].opset);
        onnx_f32(&b, "x", DIMS(5), x);
        if (cases[i].given == 2) onnx_i64(&b, "split", 2, cases[i].sizes);
        size_t node = onnx_op_begin(&b, "", "Split", cases[i].given == 2 ? "x,split" : "x", "a,b");
        if (cases[i].given == 1) onnx_set_ints(&b, "split", 2, cases[i].sizes);
        if (cases[i].given == 3) onnx_set_int(&b, "num_outputs", 2);
        onnx_op_end(&b, node);
        onnx_output(&b, "a");
        onnx_output(&b, "b");
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "a", 1, &cases[i].sizes[0], x);
        onnx_check_f32(graph, "b", 1, &cases[i].sizes[1], x + cases[i].sizes[0]);
        onnx_finish(&b, graph);
    }
    onnx_builder b = onnx_begin(11);
    onnx_f32(&b, "x", DIMS(2, 2), x);
    size_t node = onnx_op_begin(&b, "", "Split", "x", "a,b");
    onnx_set_int(&b, "axis", -1);
    onnx_op_end(&b, node);
    onnx_output(&b, "b");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "b", DIMS(2, 1), FLOATS(2, 4));
    onnx_finish(&b, graph);
}

static void clips(void **state)
{
    (void)state;
    const float x[] = {-3, 0.5f, 9};
    for (int variant = 0; variant < 5; variant++) {
        static const char *const inputs[] = {"x", "x,low,high", "x,,high", "x,low", "x,low,top"};
        static const float want[][3] = {{-1, 0.5f, 2}, {-1, 0.5f, 2}, {-3, 0.5f, 2}, {-1, 0.5f, 9}, {-1, 0.5f, 2}};
        onnx_builder b = onnx_begin(variant == 0 ? 10 : 13);
        onnx_f32(&b, "x", DIMS(3), x);
        onnx_f32_scalar(&b, "low", -1);
        onnx_f32_scalar(&b, "high", 2);
        onnx_op(&b, "Identity", "high", "top");
        size_t node = onnx_op_begin(&b, "", "Clip", inputs[variant], "y");
        if (variant == 0) onnx_set_float(&b, "min", -1);
        if (variant == 0) onnx_set_float(&b, "max", 2);
        onnx_op_end(&b, node);
        onnx_output(&b, "y");
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "y", DIMS(3), want[variant]);
        onnx_finish(&b, graph);
    }
    /* Bounds that are not constant. */
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(3));
    onnx_input(&b, "low", ONNX_FLOAT, 0, NULL);
    onnx_f32_scalar(&b, "high", 2);
    onnx_op(&b, "Clip", "x,low,high", "y");
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal(graph->nodes, 2);
    assert_string_equal(graph->node[0]->op->name, "Max");
    assert_string_equal(graph->node[1]->op->name, "Min");
    onnx_finish(&b, graph);
}

/* ---- Variadic operators ---- */

static void chains(void **state)
{
    (void)state;
    const struct {
        const char *op, *inputs;
        float want[2];
    } cases[] = {{"Sum", "a,b,c", {9, 3}}, {"Mean", "a,b,c", {3, 1}}, {"Min", "a,b,c", {1, -6}},
                 {"Max", "a,b,c", {5, 7}}, {"Sum", "a", {1, 2}},      {"Mean", "c", {5, -6}},
                 {"Max", "a,one", {1, 2}}};
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        onnx_builder b = onnx_begin(13);
        onnx_f32(&b, "a", DIMS(2), FLOATS(1, 2));
        onnx_f32(&b, "b", DIMS(2), FLOATS(3, 7));
        onnx_f32(&b, "c", DIMS(2), FLOATS(5, -6));
        onnx_f32_scalar(&b, "one", 1);
        onnx_op(&b, cases[i].op, cases[i].inputs, "y");
        onnx_output(&b, "y");
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "y", DIMS(2), cases[i].want);
        onnx_finish(&b, graph);
    }
    onnx_builder b = onnx_begin(13);
    onnx_op(&b, "Sum", "", "y");
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_INVALID_ARGUMENT, "has no input");
}

static void large_concats_become_trees(void **state)
{
    (void)state;
    enum { INPUTS = 64 * 64 + 5 };
    onnx_builder b = onnx_begin(13);
    static char names[INPUTS * 3];
    static float want[INPUTS];
    float data[8];
    char name[2] = "a";
    for (int i = 0; i < 8; i++) {
        data[i] = test_random_float();
        name[0] = (char)('a' + i);
        onnx_f32(&b, name, DIMS(1), &data[i]);
    }
    for (int i = 0; i < INPUTS; i++) {
        int pick = (int)test_random_int(0, 7);
        names[2 * i] = (char)('a' + pick);
        names[2 * i + 1] = i + 1 < INPUTS ? ',' : 0;
        want[i] = data[pick];
    }
    size_t node = onnx_op_begin(&b, "", "Concat", names, "y");
    onnx_set_int(&b, "axis", -1);
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "y", DIMS(INPUTS), want);
    onnx_finish(&b, graph);
}

/* ---- Casts and names ---- */

static void casts(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(19);
    onnx_f32(&b, "x", DIMS(2), FLOATS(1.75f, -2.5f));
    onnx_i64_scalar(&b, "like", 0);
    size_t node = onnx_op_begin(&b, "", "Cast", "x", "a");
    onnx_set_int(&b, "to", ONNX_INT64);
    onnx_set_int(&b, "saturate", 1);
    onnx_op_end(&b, node);
    onnx_op(&b, "CastLike", "x,like", "b");
    onnx_output(&b, "a");
    onnx_output(&b, "b");
    jm_graph *graph = onnx_import_ok(&b);
    check_i64(graph, "a", 2, (int64_t[]){1, -2});
    check_i64(graph, "b", 2, (int64_t[]){1, -2});
    onnx_finish(&b, graph);

    b = onnx_begin(13);
    onnx_f32_scalar(&b, "x", 1);
    node = onnx_op_begin(&b, "", "Cast", "x", "a");
    onnx_set_int(&b, "to", ONNX_STRING);
    onnx_op_end(&b, node);
    onnx_output(&b, "a");
    onnx_import_fails(&b, JM_UNSUPPORTED, "element type 8");
}

static void dropouts_pass_through(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(12);
    bool off = false;
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2));
    onnx_f32_scalar(&b, "ratio", 0.5f);
    onnx_raw(&b, "training", ONNX_BOOL, 0, NULL, &off, 1);
    onnx_op(&b, "Dropout", "x,ratio,training", "d");
    onnx_op(&b, "Relu", "d", "y");
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    assert_int_equal(graph->nodes, 1);
    onnx_finish(&b, graph);

    b = onnx_begin(12);
    bool on = true;
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2));
    onnx_raw(&b, "training", ONNX_BOOL, 0, NULL, &on, 1);
    onnx_op(&b, "Dropout", "x,,training", "y");
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_UNSUPPORTED, "training mode");

    b = onnx_begin(12);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(2));
    onnx_op(&b, "Dropout", "x", "y,mask");
    onnx_output(&b, "mask");
    graph = onnx_import_ok(&b);
    const jm_tensor *mask = &graph->output[0]->producer->in[0]->tensor; /* behind the copy that owns storage */
    assert_int_equal(mask->dtype, JM_BOOL);
    assert_true(mask->constant && jm_tensor_elements(mask) == 2);
    assert_memory_equal(mask->data, "\1\1", 2);
    onnx_finish(&b, graph);
}

static void activations(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(24);
    onnx_f32(&b, "x", DIMS(1), FLOATS(2));
    onnx_op(&b, "Swish", "x", "a");
    size_t node = onnx_op_begin(&b, "", "Swish", "x", "b");
    onnx_set_float(&b, "alpha", 0.5f);
    onnx_op_end(&b, node);
    onnx_op(&b, "HardSwish", "x", "c");
    onnx_output(&b, "a");
    onnx_output(&b, "b");
    onnx_output(&b, "c");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "a", DIMS(1), FLOATS(1.761594156f));
    onnx_check_f32(graph, "b", DIMS(1), FLOATS(1.462117157f));
    onnx_check_f32(graph, "c", DIMS(1), FLOATS(1.666666667f));
    onnx_finish(&b, graph);
}

/* ---- Softmax, reductions, Resize ---- */

static void softmax_worked_on_matrices(void **state)
{
    (void)state;
    const float x[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    const struct {
        int64_t opset;
        int axis; /* 99: none */
        float want;
    } cases[] = {{12, 99, 0.25f}, {12, 0, 0.125f}, {12, 1, 0.25f}, {12, 2, 0.5f}, {12, -1, 0.5f},
                 {13, 99, 0.5f},  {13, 0, 0.5f},   {13, 1, 0.5f},  {13, -3, 0.5f}};
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        onnx_builder b = onnx_begin(cases[i].opset);
        float want[8];
        for (int k = 0; k < 8; k++) want[k] = cases[i].want;
        onnx_f32(&b, "x", DIMS(2, 2, 2), x);
        size_t node = onnx_op_begin(&b, "", "Softmax", "x", "y");
        if (cases[i].axis != 99) onnx_set_int(&b, "axis", cases[i].axis);
        onnx_op_end(&b, node);
        onnx_output(&b, "y");
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "y", DIMS(2, 2, 2), want);
        onnx_finish(&b, graph);
    }
}

static void reductions(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4, 5, 6};
    const struct {
        int64_t opset;
        int axes; /* 0: none, 1: attribute, 2: input, 3: empty input, 4: empty input and noop */
        int keepdims;
        int rank;
        int64_t dims[2];
        float want[6];
    } cases[] = {
        {11, 0, 1, 2, {1, 1}, {21}},
        {11, 1, 1, 2, {2, 1}, {6, 15}},
        {11, 1, 0, 1, {2}, {6, 15}},
        {13, 2, 0, 1, {2}, {6, 15}},
        {13, 0, 0, 0, {0}, {21}},
        {13, 3, 0, 0, {0}, {21}},
        {13, 4, 0, 2, {2, 3}, {1, 2, 3, 4, 5, 6}},
    };
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        onnx_builder b = onnx_begin(cases[i].opset);
        onnx_f32(&b, "x", DIMS(2, 3), x);
        onnx_i64(&b, "axes", cases[i].axes == 2, (int64_t[]){-1});
        size_t node = onnx_op_begin(&b, "", "ReduceSum", cases[i].axes >= 2 ? "x,axes" : "x", "y");
        if (cases[i].axes == 1) onnx_set_ints(&b, "axes", 1, (int64_t[]){1});
        if (cases[i].axes == 4) onnx_set_int(&b, "noop_with_empty_axes", 1);
        onnx_set_int(&b, "keepdims", cases[i].keepdims);
        onnx_op_end(&b, node);
        onnx_output(&b, "y");
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "y", cases[i].rank, cases[i].dims, cases[i].want);
        onnx_finish(&b, graph);
    }
}

static void old_resizes(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4};
    for (int variant = 0; variant < 3; variant++) { /* Upsample-7, Upsample-9, Resize-10 */
        static const int64_t opset[] = {7, 9, 10};
        onnx_builder b = onnx_begin(opset[variant]);
        onnx_f32(&b, "x", DIMS(1, 1, 2, 2), x);
        onnx_f32(&b, "scales", DIMS(4), FLOATS(1, 1, 1, 2));
        size_t node = onnx_op_begin(&b, "", variant < 2 ? "Upsample" : "Resize", variant ? "x,scales" : "x", "y");
        if (variant == 0) onnx_set_floats(&b, "scales", 4, FLOATS(1, 1, 1, 2));
        onnx_set_text(&b, "mode", "nearest");
        onnx_op_end(&b, node);
        onnx_output(&b, "y");
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "y", DIMS(1, 1, 2, 4), FLOATS(1, 1, 2, 2, 3, 3, 4, 4));
        onnx_finish(&b, graph);
    }
    onnx_builder b = onnx_begin(9); /* asymmetric: 1 1.5 2 2 */
    onnx_f32(&b, "x", DIMS(1, 1, 1, 2), x);
    onnx_f32(&b, "scales", DIMS(4), FLOATS(1, 1, 1, 2));
    size_t node = onnx_op_begin(&b, "", "Upsample", "x,scales", "y");
    onnx_set_text(&b, "mode", "linear");
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "y", DIMS(1, 1, 1, 4), FLOATS(1, 1.5f, 2, 2));
    onnx_finish(&b, graph);
}

static void newer_resizes(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4};
    static const char *const inputs[] = {"x,none,scales", "x,,scales", "x,none,none,sizes", "x,,,sizes"};
    for (size_t i = 0; i < JM_COUNT(inputs); i++) {
        onnx_builder b = onnx_begin(13);
        onnx_f32(&b, "x", DIMS(1, 1, 2, 2), x);
        onnx_raw(&b, "none", ONNX_FLOAT, DIMS(0), "", 0);
        onnx_f32(&b, "scales", DIMS(4), FLOATS(1, 1, 2, 1));
        onnx_i64(&b, "sizes", 4, (int64_t[]){1, 1, 4, 2});
        size_t node = onnx_op_begin(&b, "", "Resize", inputs[i], "y");
        onnx_set_text(&b, "mode", "nearest");
        onnx_set_text(&b, "coordinate_transformation_mode", "asymmetric");
        onnx_set_text(&b, "nearest_mode", "floor");
        onnx_set_float(&b, "cubic_coeff_a", -0.75f);
        onnx_op_end(&b, node);
        onnx_output(&b, "y");
        jm_graph *graph = onnx_import_ok(&b);
        onnx_check_f32(graph, "y", DIMS(1, 1, 4, 2), FLOATS(1, 2, 1, 2, 3, 4, 3, 4));
        onnx_finish(&b, graph);
    }
    /* The right half, and a column outside. */
    onnx_builder b = onnx_begin(13);
    onnx_f32(&b, "x", DIMS(1, 1, 2, 2), x);
    onnx_f32(&b, "roi", DIMS(8), FLOATS(0, 0, 0, 1, 1, 1, 1, 2));
    onnx_i64(&b, "sizes", 4, (int64_t[]){1, 1, 2, 2});
    size_t node = onnx_op_begin(&b, "", "Resize", "x,roi,,sizes", "y");
    onnx_set_text(&b, "mode", "linear");
    onnx_set_text(&b, "coordinate_transformation_mode", "tf_crop_and_resize");
    onnx_set_float(&b, "extrapolation_value", 9);
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "y", DIMS(1, 1, 2, 2), FLOATS(2, 9, 4, 9));
    onnx_finish(&b, graph);
    b = onnx_begin(19);
    onnx_f32(&b, "x", DIMS(1, 4), FLOATS(1, 2, 3, 4));
    onnx_f32(&b, "scales", DIMS(2), FLOATS(1, 0.5f));
    node = onnx_op_begin(&b, "", "Resize", "x,,scales", "y");
    onnx_set_text(&b, "mode", "linear");
    onnx_set_int(&b, "antialias", 1);
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    graph = onnx_import_ok(&b); /* four taps of 1/8, 3/8, 3/8, 1/8 */
    onnx_check_f32(graph, "y", DIMS(1, 2), FLOATS(1.625f, 3.375f));
    onnx_finish(&b, graph);
}

static void batch_normalisation_of_old_exporters(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(7);
    onnx_f32(&b, "x", DIMS(1, 1, 2), FLOATS(3, 5));
    onnx_f32(&b, "four", DIMS(1), FLOATS(4));
    onnx_f32(&b, "two", DIMS(1), FLOATS(2));
    size_t node = onnx_op_begin(&b, "", "BatchNormalization", "x,two,four,two,four", "y");
    onnx_set_int(&b, "spatial", 1);
    onnx_set_float(&b, "momentum", 0.9f);
    onnx_set_float(&b, "epsilon", 0);
    onnx_op_end(&b, node);
    onnx_output(&b, "y");
    jm_graph *graph = onnx_import_ok(&b);
    onnx_check_f32(graph, "y", DIMS(1, 1, 2), FLOATS(5, 7)); /* (x - 2) / sqrt 4 * 2 + 4 */
    onnx_finish(&b, graph);
}

/* ---- Faults in constants ---- */

static void bad_constant_indices_are_errors(void **state)
{
    (void)state;
    onnx_builder b = onnx_begin(13);
    onnx_f32(&b, "x", DIMS(2), FLOATS(1, 2));
    onnx_i64(&b, "index", 1, (int64_t[]){2});
    onnx_op(&b, "Gather", "x,index", "y");
    onnx_output(&b, "y");
    onnx_import_fails(&b, JM_OUT_OF_RANGE, "out of range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants),
        cmocka_unit_test(constant_of_shape),
        cmocka_unit_test(shapes_fold),
        cmocka_unit_test(reshapes),
        cmocka_unit_test(slices_and_pads),
        cmocka_unit_test(splits),
        cmocka_unit_test(clips),
        cmocka_unit_test(chains),
        cmocka_unit_test(large_concats_become_trees),
        cmocka_unit_test(casts),
        cmocka_unit_test(dropouts_pass_through),
        cmocka_unit_test(activations),
        cmocka_unit_test(softmax_worked_on_matrices),
        cmocka_unit_test(reductions),
        cmocka_unit_test(old_resizes),
        cmocka_unit_test(newer_resizes),
        cmocka_unit_test(batch_normalisation_of_old_exporters),
        cmocka_unit_test(bad_constant_indices_are_errors),
    };
    return cmocka_run_group_tests_name("onnx_rules", tests, NULL, NULL);
}
