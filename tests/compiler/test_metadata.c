/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "base/alloc.h"
#include "compiler/metadata.h"

/* Labels that come out of "onnx.names"; NULL when none do. */
static void check_names(const char *names, const char *want)
{
    jm_graph *graph;
    assert_ok(jm_graph_create(&graph));
    assert_ok(jm_graph_set_meta(graph, "onnx.names", names));
    assert_ok(jm_compile_metadata(graph, NULL));
    const char *got = jm_graph_meta(graph, "labels");
    if (!want != !got || (want && strcmp(want, got) != 0)) fail_msg("%s gives %s", names, got ? got : "nothing");
    jm_graph_destroy(graph);
}

static void dictionaries_become_lines(void **state)
{
    (void)state;
    check_names("{0: 'person', 1: 'car'}", "person\ncar");
    check_names(" { 0 : \"it's\" , 1:'a\\'b', }", "it's\na'b");
    check_names("{0: 'two\nlines'}", "two lines");
    check_names("{0: ''}", "");
    check_names("{1: 'person'}", NULL);
    check_names("{0: 'person'", NULL);
    check_names("{0: 'person", NULL);
    check_names("['person']", NULL);
    check_names("{}", NULL);
    check_names("", NULL);
    check_names("{0: 7}", NULL);
}

static void options_win_over_the_model(void **state)
{
    (void)state;
    jm_graph *graph;
    assert_ok(jm_graph_create(&graph));
    assert_ok(jm_graph_set_meta(graph, "onnx.names", "{0: 'person'}"));
    assert_ok(jm_graph_set_meta(graph, "onnx.stride", "32"));
    assert_ok(jm_compile_metadata(graph, NULL));
    assert_string_equal(jm_graph_meta(graph, "labels"), "person");
    assert_string_equal(jm_graph_meta(graph, "family"), "yolo");
    const char *const labels[] = {"a", "b"};
    jm_compile_options options = {.family = "yolox", .labels = labels, .label_count = 2};
    assert_ok(jm_compile_metadata(graph, &options));
    assert_string_equal(jm_graph_meta(graph, "labels"), "a\nb");
    assert_string_equal(jm_graph_meta(graph, "family"), "yolox");
    jm_graph_destroy(graph);
}

/* NULL: the key is absent. */
typedef struct exported {
    const char *task, *points, *head, *description;
    const char *want_family, *want_keypoints;
} exported;

static void exports_say_their_task(void **state)
{
    (void)state;
    const exported list[] = {
        {"detect", NULL, "Detect", "Ultralytics YOLOv8n model", "yolo", NULL},
        {"pose", "[17, 3]", NULL, NULL, "yolo", "17,3"},
        {"pose", " [ 5,2 ]", NULL, NULL, "yolo", "5,2"},
        {"pose", "[17]", NULL, NULL, "yolo", NULL},
        {"pose", "17, 3", NULL, NULL, "yolo", NULL},
        {"pose", "[99999999999999999999, 3]", NULL, NULL, "yolo", NULL},
        {"classify", NULL, NULL, NULL, "classify", NULL},
        {"detect", NULL, "RTDETRDecoder", NULL, "rtdetr", NULL},
        {"detect", NULL, NULL, "Ultralytics RTDETR-l model", "rtdetr", NULL},
        {NULL, NULL, NULL, NULL, "yolo", NULL},
    };
    for (size_t i = 0; i < JM_COUNT(list); i++) {
        const exported *e = &list[i];
        jm_graph *graph;
        assert_ok(jm_graph_create(&graph));
        assert_ok(jm_graph_set_meta(graph, "onnx.names", "{0: 'person'}"));
        assert_ok(jm_graph_set_meta(graph, "onnx.stride", "32"));
        if (e->task) assert_ok(jm_graph_set_meta(graph, "onnx.task", e->task));
        if (e->points) assert_ok(jm_graph_set_meta(graph, "onnx.kpt_shape", e->points));
        if (e->head) assert_ok(jm_graph_set_meta(graph, "onnx.head", e->head));
        if (e->description) assert_ok(jm_graph_set_meta(graph, "onnx.description", e->description));
        assert_ok(jm_compile_metadata(graph, NULL));
        const char *task = jm_graph_meta(graph, "task"), *keypoints = jm_graph_meta(graph, "keypoints");
        assert_string_equal(jm_graph_meta(graph, "family"), e->want_family);
        if (!e->task != !task || (task && strcmp(task, e->task) != 0)) fail_msg("%zu: task %s", i, task);
        if (!e->want_keypoints != !keypoints || (keypoints && strcmp(keypoints, e->want_keypoints) != 0))
            fail_msg("%zu: keypoints %s", i, keypoints);
        jm_graph_destroy(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dictionaries_become_lines),
        cmocka_unit_test(options_win_over_the_model),
        cmocka_unit_test(exports_say_their_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
