/* SPDX-License-Identifier: Apache-2.0
 *
 * What a step costs when its kernel does nothing: microseconds per step of a command, by threads, chunks and steps, and
 * per node of a planned graph (a chain), whose nodes have a chunk for each thread. Empty chunks are often all run by
 * one core before another arrives; with "meet" every chunk waits for the others of its step, so that all cores take
 * part in every barrier. Needs an idle machine.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"
#include "compiler/graph.h"
#include "device/device.h"
#include "model/model.h"
#include "values.h"

static void nothing(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)context;
    (void)chunk;
    (void)core;
    (void)fault;
}

/* Waits until all chunks of the step have begun. `context` counts those that have, over all runs; a step is run by as
 * many chunks each time. */
typedef struct meeting {
    _Alignas(64) atomic_uint arrived;
    unsigned chunks;
} meeting;

static void meet(meeting *m)
{
    unsigned arrival = atomic_fetch_add(&m->arrived, 1);
    unsigned complete = (arrival / m->chunks + 1) * m->chunks;
    while ((int)(atomic_load(&m->arrived) - complete) < 0) {
    }
}

static void meet_step(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)chunk;
    (void)core;
    (void)fault;
    meet(context);
}

enum { REPEAT = 51 };

/* Runs the steps REPEAT times and prints a line. */
static jm_status time_steps(jm_device *device, const jm_step *step, size_t steps, size_t chunks, const char *what)
{
    double us[REPEAT];
    for (int i = 0; i < REPEAT; i++) {
        jm_work command = {.step = step, .steps = steps};
        uint64_t start = jm_clock_ns();
        JM_TRY(jm_device_run(device, &command));
        us[i] = (double)(jm_clock_ns() - start) / 1e3 / (double)steps;
    }
    qsort(us, REPEAT, sizeof(us[0]), by_value);
    printf("%7u %7zu %6zu %10s %9.3f %9.3f %9.3f\n", device->cores, chunks, steps, what, us[0], us[REPEAT / 2],
           us[REPEAT * 95 / 100]);
    return JM_OK;
}

static jm_status measure_steps(jm_device *device, size_t chunks, size_t steps, bool meets)
{
    jm_step *step = jm_alloc(steps, sizeof(*step));
    meeting *meetings = jm_alloc(steps, sizeof(*meetings));
    jm_status status = step && meetings ? JM_OK : JM_OUT_OF_MEMORY;
    for (size_t i = 0; status == JM_OK && i < steps; i++) {
        meetings[i].chunks = (unsigned)chunks;
        step[i] = (jm_step){.run = meets ? meet_step : nothing, .context = &meetings[i], .chunks = chunks};
    }
    if (status == JM_OK) status = time_steps(device, step, steps, chunks, meets ? "meet" : "none");
    jm_free(step);
    jm_free(meetings);
    return status;
}

/* ---- Nodes of a graph ---- */

static void run_empty(const jm_plan *plan, const jm_run *run)
{
    (void)run;
    if (plan->state) meet(plan->state);
}

static const jm_op meet_op;

static jm_status plan_empty(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    plan->chunks = machine->threads;
    if (call->op != &meet_op) return JM_OK;
    meeting *m = jm_arena_alloc(arena, 1, sizeof(*m));
    if (!m) return JM_OUT_OF_MEMORY;
    m->chunks = machine->threads;
    plan->state = m;
    return JM_OK;
}

static const jm_param node_param[] = {{.name = "x", .kind = JM_PARAM_INPUT}, {.name = "y", .kind = JM_PARAM_OUTPUT}};
static const jm_op empty_op = {.name = "Empty",
                               .param = node_param,
                               .params = JM_COUNT(node_param),
                               .infer = jm_infer_same,
                               .plan = plan_empty,
                               .run = run_empty};
static const jm_op meet_op = {.name = "Meet",
                              .param = node_param,
                              .params = JM_COUNT(node_param),
                              .infer = jm_infer_same,
                              .plan = plan_empty,
                              .run = run_empty};

static jm_status make_chain(jm_graph *graph, const jm_op *op, size_t nodes)
{
    const jm_shape shape = {.rank = 1, .dim = {16}};
    jm_value *value = jm_graph_value(graph, "x");
    if (!value) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_tensor_init(&value->tensor, JM_F32, &shape, JM_PLAIN, NULL));
    JM_TRY(jm_graph_add_input(graph, value));
    for (size_t i = 0; i < nodes; i++) {
        jm_value *out = jm_graph_value(graph, i + 1 < nodes ? "" : "y");
        if (!out) return JM_OUT_OF_MEMORY;
        jm_node *node = jm_graph_node(graph, op, "", &value, 1, &out, 1);
        if (!node) return JM_OUT_OF_MEMORY;
        JM_TRY(jm_node_infer(node));
        value = out;
    }
    return jm_graph_add_output(graph, value);
}

static jm_status measure_nodes(jm_device *device, size_t nodes, bool meets)
{
    static float input[16], output[16];
    jm_graph *graph = NULL;
    jm_program *program = NULL;
    jm_machine machine;
    const jm_step *step;
    size_t steps;
    JM_TRY(jm_machine_get(device->cores, &machine));
    jm_status status = jm_graph_create(&graph);
    if (status == JM_OK) status = make_chain(graph, meets ? &meet_op : &empty_op, nodes);
    if (status == JM_OK) status = jm_program_create(graph, &machine, &program);
    if (status == JM_OK) {
        jm_program_bind(program, (void *[]){input}, (void *[]){output});
        jm_program_steps(program, &step, &steps);
        status = time_steps(device, step, steps, device->cores, meets ? "nodes meet" : "nodes");
    }
    jm_program_destroy(program);
    jm_graph_destroy(graph);
    return status;
}

static jm_status measure(unsigned threads)
{
    jm_device *device;
    JM_TRY(jm_device_create("cpu", 0, threads, &device));
    jm_status status = JM_OK;
    for (size_t chunks = 1; chunks <= 4 * threads && status == JM_OK; chunks *= 2) {
        status = measure_steps(device, chunks, 1, false);
        if (status == JM_OK) status = measure_steps(device, chunks, 1000, false);
        if (status == JM_OK && chunks == threads && threads > 1) status = measure_steps(device, chunks, 100, true);
    }
    if (status == JM_OK) status = measure_nodes(device, 1000, false);
    if (status == JM_OK && threads > 1) status = measure_nodes(device, 100, true);
    jm_device_destroy(device);
    return status;
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("microseconds per empty step\nthreads  chunks  steps       work       min    median       p95\n");
    for (unsigned threads = 1; threads <= JM_MIN(jm_core_count(), 16u); threads *= 2) {
        if (measure(threads) == JM_OK) continue;
        fprintf(stderr, "%s\n", jm_last_error());
        return 1;
    }
    return 0;
}
