/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include "model/gears.h"

/* Parses, stores in a graph, loads from it and checks that this gives the same. */
static jm_status parse_twice(jm_gear_kind kind, const char *shapes, const char *list, jm_arena *arena, jm_gears *gears)
{
    JM_TRY(jm_gears_parse(kind, shapes, list, arena, gears));
    jm_graph *graph;
    jm_gears back;
    assert_ok(jm_graph_create(&graph));
    assert_ok(jm_gears_store(gears, graph));
    assert_ok(jm_gears_load(graph, arena, &back));
    assert_int_equal(back.kind, gears->kind);
    if (gears->kind != JM_GEAR_NONE) {
        assert_int_equal(back.inputs, gears->inputs);
        assert_int_equal(back.count, gears->count);
        assert_int_equal(back.numbers, gears->numbers);
        for (size_t i = 0; i < gears->inputs; i++) {
            assert_string_equal(back.input[i].name, gears->input[i].name);
            assert_true(jm_shape_equal(&back.input[i].low, &gears->input[i].low));
            assert_true(jm_shape_equal(&back.input[i].high, &gears->input[i].high));
        }
        if (gears->count)
            assert_memory_equal(back.number, gears->number, gears->count * gears->numbers * sizeof(int64_t));
    }
    jm_graph_destroy(graph);
    return JM_OK;
}

static void assert_shape(const jm_gears *gears, size_t gear, size_t input, const char *want)
{
    char text[JM_SHAPE_TEXT];
    jm_shape shape;
    jm_gears_shape(gears, gear, input, &shape);
    assert_string_equal(jm_shape_text(&shape, text), want);
}

static void gears_give_shapes(void **state)
{
    (void)state;
    jm_arena *arena;
    jm_gears g;
    assert_ok(jm_arena_create(&arena));

    assert_ok(parse_twice(JM_GEAR_NONE, "a:b:1,3,4,5;scalar:", NULL, arena, &g));
    assert_int_equal(g.kind, JM_GEAR_NONE);
    assert_string_equal(g.input[0].name, "a:b");
    assert_shape(&g, 0, 0, "[1,3,4,5]");
    assert_shape(&g, 0, 1, "[]");
    assert_ok(parse_twice(JM_GEAR_NONE, NULL, NULL, arena, &g));
    assert_int_equal(g.inputs, 0);

    assert_ok(parse_twice(JM_GEAR_BATCH, "data:-1,3,416,416;info:-1,4;fixed:7", "1,8,2,4", arena, &g));
    assert_int_equal(g.count, 4);
    assert_int_equal(jm_gears_largest(&g), 1);
    assert_shape(&g, 1, 0, "[8,3,416,416]");
    assert_shape(&g, 2, 1, "[2,4]");
    assert_shape(&g, 3, 2, "[7]");

    assert_ok(parse_twice(JM_GEAR_IMAGE, "data:1,3,-1,-1;other:2,1,-1,-1", "416,832;640,640", arena, &g));
    assert_int_equal(jm_gears_largest(&g), 1);
    assert_shape(&g, 0, 0, "[1,3,416,832]");
    assert_shape(&g, 1, 1, "[2,1,640,640]");

    assert_ok(parse_twice(JM_GEAR_DIMS, "ids:-1,-1;mask:2,-1", "1,128,5;8,64,6", arena, &g));
    assert_shape(&g, 1, 0, "[8,64]");
    assert_shape(&g, 0, 1, "[2,5]");

    assert_ok(parse_twice(JM_GEAR_NONE, "x:1~8,3,-1,5~-1", NULL, arena, &g));
    assert_int_equal(g.kind, JM_GEAR_RANGE);
    assert_int_equal(g.input[0].low.dim[0], 1);
    assert_shape(&g, 0, 0, "[8,3,?,?]");
    assert_ok(parse_twice(JM_GEAR_RANGE, "x:[1~20,3];y:[]", NULL, arena, &g));
    assert_shape(&g, 0, 0, "[20,3]");
    jm_arena_destroy(arena);
}

/* One of each rule of atc, with its number. */
static void rules_have_numbers(void **state)
{
    (void)state;
    static char many[1000] = "1";
    for (int i = 2; i <= JM_MAX_GEARS + 1; i++) sprintf(many + strlen(many), ",%d", i);
    static const struct {
        jm_gear_kind kind;
        const char *shapes, *list, *number;
    } bad[] = {
        {JM_GEAR_NONE, "x", NULL, "E10002"},
        {JM_GEAR_NONE, "x:1.1", NULL, "E10002"},
        {JM_GEAR_NONE, "x:1,", NULL, "E10002"},
        {JM_GEAR_NONE, "x:1;x:2", NULL, "E10002"},
        {JM_GEAR_NONE, "x:8~1", NULL, "E10002"},
        {JM_GEAR_NONE, "x:[1,2", NULL, "E10002"},
        {JM_GEAR_NONE, "x:[", NULL, "E10002"},
        {JM_GEAR_NONE, "x:1,2,3,4,5,6,7,8,9", NULL, "E10002"},
        {JM_GEAR_BATCH, NULL, "1,2", "E10012"},
        {JM_GEAR_BATCH, "x:1,3", "1,2", "E10031"},
        {JM_GEAR_BATCH, "x:1,-1", "1,2", "E10018"},
        {JM_GEAR_BATCH, "x:-1,1~3", "1,2", "E10040"},
        {JM_GEAR_BATCH, "x:-1,3", "1,a", "E10003"},
        {JM_GEAR_BATCH, "x:-1,3", "1;2", "E10003"},
        {JM_GEAR_BATCH, "x:-1,3", "", "E10035"},
        {JM_GEAR_BATCH, "x:-1,3", "4", "E10035"},
        {JM_GEAR_BATCH, "x:-1,3", many, "E10036"},
        {JM_GEAR_BATCH, "x:-1,3", "4,0", "E10038"},
        {JM_GEAR_BATCH, "x:-1,3", "4,-4", "E10038"},
        {JM_GEAR_BATCH, "x:-1,3", "4,4", "E10039"},
        {JM_GEAR_IMAGE, "x:1,3,5,5", "4,4;5,5", "E10040"},
        {JM_GEAR_IMAGE, "x:1,-1,5,5", "4,4;5,5", "E10019"},
        {JM_GEAR_IMAGE, "x:1,3,-1,5", "4,4;5,5", "E10019"},
        {JM_GEAR_IMAGE, "x:1,3,-1", "4,4;5,5", "E10019"},
        {JM_GEAR_IMAGE, "x:1,3,-1,-1", "4;5", "E10020"},
        {JM_GEAR_DIMS, "x:1,-1,-1", "4;5", "E10003"},
        {JM_GEAR_DIMS, "x:1,-1,-1", "4,1;5", "E10037"},
        {JM_GEAR_DIMS, "x:1,2", "4,1;5,2", "E10040"},
    };
    jm_arena *arena;
    jm_gears gears;
    assert_ok(jm_arena_create(&arena));
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        jm_status status = jm_gears_parse(bad[i].kind, bad[i].shapes, bad[i].list, arena, &gears);
        if (status != JM_INVALID_ARGUMENT || strcmp(jm_last_error_number(), bad[i].number) != 0)
            fail_msg("'%s' with '%s': got %s %s (%s), want %s", bad[i].shapes, bad[i].list, jm_status_text(status),
                     jm_last_error_number(), jm_last_error(), bad[i].number);
    }
    assert_error(jm_error(JM_CORRUPT, "another"), JM_CORRUPT, "another");
    assert_string_equal(jm_last_error_number(), "");
    jm_arena_destroy(arena);
}

static void metadata_is_not_trusted(void **state)
{
    (void)state;
    jm_graph *graph;
    jm_gears gears;
    assert_ok(jm_graph_create(&graph));
    assert_ok(jm_graph_set_meta(graph, "gears.kind", "circle"));
    assert_error(jm_gears_load(graph, graph->arena, &gears), JM_CORRUPT, "circle");
    assert_ok(jm_graph_set_meta(graph, "gears.kind", "batch"));
    assert_error(jm_gears_load(graph, graph->arena, &gears), JM_CORRUPT, "");
    assert_ok(jm_graph_set_meta(graph, "gears.shapes", "x:-1"));
    assert_error(jm_gears_load(graph, graph->arena, &gears), JM_CORRUPT, "");
    assert_ok(jm_graph_set_meta(graph, "gears.list", "1,2"));
    assert_ok(jm_gears_load(graph, graph->arena, &gears));
    jm_graph_destroy(graph);
}

/* Inputs that the text leaves out come behind, with the shape that the graph has. */
static void inputs_are_completed(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        jm_shape shape;
    } input[] = {{"scalar", {.rank = 0}}, {"x", {.rank = 2, .dim = {4, 3}}}, {"z", {.rank = 3, .dim = {1, 5, 6}}}};
    jm_arena *arena;
    jm_graph *graph;
    jm_gears g;
    assert_ok(jm_arena_create(&arena));
    assert_ok(jm_graph_create(&graph));
    for (size_t i = 0; i < JM_COUNT(input); i++) {
        jm_value *value = jm_graph_value(graph, input[i].name);
        assert_ok(jm_tensor_init(&value->tensor, JM_F32, &input[i].shape, JM_PLAIN, NULL));
        assert_ok(jm_graph_add_input(graph, value));
    }
    assert_ok(jm_gears_parse(JM_GEAR_BATCH, "x:-1,3", "1,4", arena, &g));
    assert_ok(jm_gears_add_rest(graph, arena, &g));
    assert_int_equal(g.inputs, 3);
    assert_string_equal(g.input[0].name, "x");
    assert_string_equal(g.input[1].name, "scalar");
    assert_shape(&g, 0, 0, "[1,3]");
    assert_shape(&g, 0, 1, "[]");
    assert_shape(&g, 0, 2, "[1,5,6]");
    assert_ok(jm_gears_add_rest(graph, arena, &g)); /* nothing is left out any more */
    assert_int_equal(g.inputs, 3);
    assert_ok(jm_gears_parse(JM_GEAR_NONE, "x:4,3", NULL, arena, &g));
    assert_ok(jm_gears_add_rest(graph, arena, &g));
    assert_int_equal(g.inputs, 1);
    jm_value *odd = jm_graph_value(graph, "a;b");
    assert_ok(jm_tensor_init(&odd->tensor, JM_F32, &input[1].shape, JM_PLAIN, NULL));
    assert_ok(jm_graph_add_input(graph, odd));
    assert_ok(jm_gears_parse(JM_GEAR_BATCH, "x:-1,3", "1,4", arena, &g));
    assert_error(jm_gears_add_rest(graph, arena, &g), JM_INVALID_ARGUMENT, "'a;b'");
    jm_graph_destroy(graph);
    jm_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gears_give_shapes),
        cmocka_unit_test(inputs_are_completed),
        cmocka_unit_test(rules_have_numbers),
        cmocka_unit_test(metadata_is_not_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
