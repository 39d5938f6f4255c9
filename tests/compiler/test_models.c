/* SPDX-License-Identifier: Apache-2.0
 *
 * Real models of the test data: they import to the output shapes that onnxruntime reports, and every pass leaves a
 * valid graph.
 */
#include "compiler/compiler.h"
#include "compiler/verify.h"
#include "test.h"

typedef struct model {
    const char *file;
    const char *input;   /* with a free size, or NULL */
    int64_t dims[4];     /* given for it */
    const char *outputs; /* "name [dims] ..." */
    int reorders;        /* at most this many layout changes in the compiled graph */
} model;

static const model models[] = {
    {"yolox_nano.onnx", NULL, {0}, "output [1,3549,85]", 0},
    {"fastestdet.onnx", NULL, {0}, "758 [1,85,22,22]", 0},
    {"nanodet_m.onnx",
     NULL,
     {0},
     "792 [1,2704,80] 814 [1,676,80] 836 [1,169,80] 795 [1,2704,32] 817 [1,676,32] 839 [1,169,32]",
     0},
    {"face_detection_yunet_2026may.onnx",
     "input",
     {1, 3, 320, 320},
     "cls_8 [1,1600,1] cls_16 [1,400,1] cls_32 [1,100,1] obj_8 [1,1600,1] obj_16 [1,400,1] obj_32 [1,100,1] "
     "bbox_8 [1,1600,4] bbox_16 [1,400,4] bbox_32 [1,100,4] kps_8 [1,1600,10] kps_16 [1,400,10] kps_32 [1,100,10]",
     0},
    {"ppocr_cls.onnx", "x", {2, 3, 48, 192}, "softmax_0.tmp_0 [2,2]", 0},
};

static void check_outputs(const jm_graph *graph, const char *want)
{
    char have[1024] = "", shape[JM_SHAPE_TEXT];
    size_t length = 0;
    for (size_t i = 0; i < graph->outputs; i++) {
        const jm_value *value = graph->output[i];
        length += (size_t)snprintf(have + length, sizeof have - length, "%s%s %s", i ? " " : "", value->name,
                                   jm_shape_text(&value->tensor.shape, shape));
    }
    assert_string_equal(have, want);
}

static void models_import_and_compile(void **state)
{
    (void)state;
    const char *folder = test_data();
    if (!folder) skip();
    for (size_t i = 0; i < JM_COUNT(models); i++) {
        const model *m = &models[i];
        jm_graph *graph = NULL;
        char path[4096];
        jm_input_shape shape = {m->input, {.rank = 4}};
        jm_compile_options options = {.input_shape = &shape, .input_shapes = m->input ? 1 : 0};
        memcpy(shape.shape.dim, m->dims, sizeof m->dims);
        snprintf(path, sizeof path, "%s/models/%s", folder, m->file);
        if (m->input) {
            assert_error(jm_onnx_import(path, NULL, &graph), JM_INVALID_ARGUMENT, "give it with --input-shape");
        }
        assert_ok(jm_onnx_import(path, &options, &graph));
        assert_ok(jm_graph_verify(graph));
        check_outputs(graph, m->outputs);
        assert_ok(jm_compile(graph, &options));
        check_outputs(graph, m->outputs);
        int reorders = 0;
        for (size_t n = 0; n < graph->nodes; n++) reorders += strcmp(graph->node[n]->op->name, "Reorder") == 0;
        if (reorders > m->reorders) fail_msg("%s has %d Reorders, at most %d", m->file, reorders, m->reorders);
        jm_graph_destroy(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_import_and_compile)};
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
