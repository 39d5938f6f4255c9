/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs: binding, repetition, thread counts, timing, limits and what an untrusted graph may ask for.
 */
#include "compiler/graph_test.h"

#include "compiler/compiler.h"
#include "compiler/verify.h"

/* conv -> [slice, slice] -> concat -> softmax and a second output in the middle. */
static jm_graph *make_graph(bool compiled)
{
    jm_graph *graph;
    *test_random_state() = 42;
    assert_ok(jm_graph_create(&graph));
    jm_value *x = graph_input(graph, "x", SHAPE(1, 3, 20, 20));
    jm_value *y = graph_apply(graph, "Relu", graph_conv(graph, x, 40, 3, true), NULL);
    jm_value *z = graph_conv(graph, y, 40, 3, true);
    z = graph_apply(graph, "Add", graph_apply(graph, "Sigmoid", z, NULL), y);
    jm_value *const in[] = {y, z};
    jm_node *concat = graph_node(graph, jm_op_find("Concat"), in, 2);
    assert_ok(jm_node_set_int(graph, concat, "axis", 1));
    jm_value *joined = graph_infer(concat);
    jm_value *w = graph_conv(graph, joined, 24, 1, true);
    assert_ok(jm_graph_add_output(graph, w));
    jm_node *softmax = graph_node(graph, jm_op_find("Softmax"), &w, 1);
    assert_ok(jm_node_set_int(graph, softmax, "axis", 1));
    assert_ok(jm_graph_add_output(graph, graph_infer(softmax)));
    if (compiled) assert_ok(jm_compile(graph, NULL));
    return graph;
}

#define INPUT (3 * 20 * 20)
#define OUTPUT (24 * 20 * 20)

static void fill(float *x, int which)
{
    for (int i = 0; i < INPUT; i++) x[i] = (float)((i * (31 + which)) % 127) / 63.0f - 1.0f;
}

/* Runs the program on a device of `threads` executors. */
static void run_on_device(unsigned threads, const float *x, float *y, float *z)
{
    jm_graph *graph = make_graph(true);
    jm_machine machine;
    jm_program *program;
    jm_device *device;
    assert_ok(jm_device_create("cpu", 0, threads, &device));
    assert_ok(jm_machine_get(device->cores, &machine));
    assert_ok(jm_program_create(graph, &machine, &program));
    jm_program_set_poison(program, true);
    for (int run = 0; run < 20; run++) {
        memset(y, 0, OUTPUT * sizeof *y);
        jm_program_bind(program, (void *[]){(void *)x}, (void *[]){y, z});
        jm_work work = {0};
        jm_program_steps(program, &work.step, &work.steps);
        assert_ok(jm_device_run(device, &work));
    }
    jm_program_destroy(program);
    jm_device_destroy(device);
    jm_graph_destroy(graph);
}

static void same_bytes_at_every_thread_count(void **unused)
{
    (void)unused;
    static float x[INPUT], want[2][OUTPUT], got[2][OUTPUT];
    fill(x, 0);
    run_on_device(1, x, want[0], want[1]);
    for (unsigned threads = 2; threads <= 4; threads++) {
        run_on_device(threads, x, got[0], got[1]);
        assert_memory_equal(want, got, sizeof want);
    }
}

/* Each run uses the addresses bound before it; compiled and not compiled agree. */
static void binding(void **unused)
{
    (void)unused;
    static float x[2][INPUT], y[2][2][OUTPUT];
    jm_graph *graph[2] = {make_graph(false), make_graph(true)};
    jm_program *program[2];
    jm_machine machine;
    assert_ok(jm_machine_get(1, &machine));
    for (int k = 0; k < 2; k++) {
        assert_ok(jm_program_create(graph[k], &machine, &program[k]));
        fill(x[k], k);
    }
    for (int which = 0; which < 2; which++) {
        for (int k = 0; k < 2; k++) {
            jm_program_bind(program[k], (void *[]){x[which]}, (void *[]){y[k][0], y[k][1]});
            assert_ok(jm_program_run(program[k]));
        }
        for (int i = 0; i < OUTPUT; i++) {
            assert_float_equal(y[0][0][i], y[1][0][i], 1e-4);
            assert_float_equal(y[0][1][i], y[1][1][i], 1e-5);
        }
    }
    for (int k = 0; k < 2; k++) {
        jm_program_destroy(program[k]);
        jm_graph_destroy(graph[k]);
    }
}

static void facts(void **unused)
{
    (void)unused;
    static float x[INPUT], y[2][OUTPUT];
    jm_graph *graph = make_graph(true);
    jm_program *program;
    jm_machine machine;
    jm_program_info info;
    assert_ok(jm_machine_get(1, &machine));
    assert_ok(jm_program_create(graph, &machine, &program));
    jm_program_get_info(program, &info);
    assert_true(info.arena_bytes >= info.arena_lower_bound);
    assert_true(info.arena_lower_bound >= 80 * 20 * 20 * sizeof(float));
    assert_true(info.weight_bytes >= (3 * 9 * 40 + 40 * 9 * 40 + 80 * 24) * sizeof(float));
    assert_true(info.flops >= 2.0 * 400 * (3 * 9 * 40 + 40 * 9 * 40 + 80 * 24));
    assert_true(info.chunks >= info.steps - 1);

    jm_program_bind(program, (void *[]){x}, (void *[]){y[0], y[1]});
    jm_program_set_timing(program, JM_TIMING_WALL);
    assert_ok(jm_program_run(program));
    uint64_t sum = 0;
    for (size_t i = 0; i < info.steps; i++) {
        assert_true((i == 0) == (jm_program_step_node(program, i) == NULL));
        sum += jm_program_step_ns(program, i);
    }
    assert_true(sum > 0);
    jm_program_set_timing(program, JM_TIMING_OFF);
    assert_ok(jm_program_run(program));
    for (size_t i = 0; i < info.steps; i++) assert_int_equal(jm_program_step_ns(program, i), 0);
    jm_program_destroy(program);
    jm_program_destroy(NULL);
    jm_graph_destroy(graph);
}

/* What a damaged .om could say. */
static void refused(void **unused)
{
    (void)unused;
    jm_machine machine;
    assert_ok(jm_machine_get(1, &machine));
    for (int which = 0; which < 9; which++) {
        jm_graph *graph = make_graph(true);
        jm_program *program;
        jm_node *conv = NULL;
        for (size_t i = 0; i < graph->nodes && !conv; i++)
            if (strcmp(graph->node[i]->op->name, "Conv") == 0) conv = graph->node[i];
        jm_value *weight = conv->in[1], *y = conv->out[0], *output = graph->output[0];
        switch (which) {
        case 0:
            weight->packed_bytes -= 4;
            break;
        case 1:
            weight->tensor.layout = JM_PLAIN;
            break;
        case 2:
            conv->form = 99;
            break;
        case 3:
            y->tensor.layout = JM_PLAIN;
            break;
        case 4:
            output->view = JM_VIEW_SLICE, output->parent = y;
            break;
        case 5:
            y->view = JM_VIEW_RESHAPE, y->parent = graph->input[0];
            break; /* writes an input */
        case 6:
            y->view = JM_VIEW_SLICE, y->parent = y;
            break;
        case 7:
            conv->elided = true;
            break;
        default: { /* runs before its input is there */
            jm_node *first = graph->node[0];
            graph->node[0] = graph->node[graph->nodes - 1];
            graph->node[graph->nodes - 1] = first;
        }
        }
        const jm_status status = jm_program_create(graph, &machine, &program);
        if (status == JM_OK) fail_msg("damage %d is accepted", which);
        assert_null(program);
        assert_true(jm_last_error()[0] != 0);
        jm_graph_destroy(graph);
    }
}

/* A fault of a kernel ends the run with its status. */
static void an_index_out_of_range(void **unused)
{
    (void)unused;
    jm_graph *graph;
    jm_program *program;
    jm_machine machine;
    static float table[4], y[2];
    int64_t index[2] = {1, 7};
    assert_ok(jm_graph_create(&graph));
    jm_value *in[2] = {graph_input(graph, "table", SHAPE(4)), graph_input(graph, "index", SHAPE(2))};
    in[1]->tensor.dtype = JM_I64;
    assert_ok(jm_graph_add_output(graph, graph_apply(graph, "Gather", in[0], in[1])));
    assert_ok(jm_compile(graph, NULL));
    assert_ok(jm_machine_get(1, &machine));
    assert_ok(jm_program_create(graph, &machine, &program));
    jm_program_bind(program, (void *[]){table, index}, (void *[]){y});
    assert_error(jm_program_run(program), JM_OUT_OF_RANGE, "index");
    index[1] = 3;
    assert_ok(jm_program_run(program));
    jm_program_destroy(program);
    jm_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_at_every_thread_count),
        cmocka_unit_test(binding),
        cmocka_unit_test(facts),
        cmocka_unit_test(refused),
        cmocka_unit_test(an_index_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
