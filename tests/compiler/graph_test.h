/* SPDX-License-Identifier: Apache-2.0
 *
 * Building and running small graphs in tests of the compiler. Failures end the test.
 */
#ifndef JUMAR_TESTS_COMPILER_GRAPH_TEST_H
#define JUMAR_TESTS_COMPILER_GRAPH_TEST_H

#include "test.h"

#include "compiler/graph.h"
#include "model/model.h"

#define SHAPE(...) ((jm_shape){.rank = (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), .dim = {__VA_ARGS__}})

static inline jm_value *graph_input(jm_graph *graph, const char *name, jm_shape shape)
{
    jm_value *value = jm_graph_value(graph, name);
    assert_non_null(value);
    assert_ok(jm_tensor_init(&value->tensor, JM_F32, &shape, JM_PLAIN, NULL));
    assert_ok(jm_graph_add_input(graph, value));
    return value;
}

/* A float constant with random elements in [low, high). */
static inline jm_value *graph_random(jm_graph *graph, jm_shape shape, float low, float high)
{
    int64_t count;
    assert_ok(jm_shape_count(&shape, &count));
    jm_value *value = jm_graph_constant(graph, "constant", JM_F32, &shape, NULL, true);
    assert_non_null(value);
    for (int64_t i = 0; i < count; i++)
        ((float *)value->tensor.data)[i] = low + (high - low) * 0.5f * (test_random_float() + 1.0f);
    return value;
}

static inline jm_value *graph_scalar(jm_graph *graph, float number)
{
    const jm_shape shape = {0};
    jm_value *value = jm_graph_constant(graph, "scalar", JM_F32, &shape, &number, true);
    assert_non_null(value);
    return value;
}

static inline jm_value *graph_ints(jm_graph *graph, const int64_t *data, int count)
{
    const jm_shape shape = {.rank = 1, .dim = {count}};
    jm_value *value = jm_graph_constant(graph, "ints", JM_I64, &shape, data, true);
    assert_non_null(value);
    return value;
}

/* A node with one output; `in` may hold NULL. Infer it with graph_infer when its attributes are set. */
static inline jm_node *graph_node(jm_graph *graph, const jm_op *op, jm_value *const *in, int inputs)
{
    char name[32];
    assert_non_null(op);
    snprintf(name, sizeof name, "%s_%zu", op->name, graph->nodes);
    jm_value *out = jm_graph_value(graph, name);
    assert_non_null(out);
    jm_node *node = jm_graph_node(graph, op, name, in, inputs, &out, 1);
    assert_non_null(node);
    return node;
}

static inline jm_value *graph_infer(jm_node *node)
{
    assert_ok(jm_node_infer(node));
    return node->out[0];
}

/* A node without attributes: graph_apply(graph, "Add", x, y). */
static inline jm_value *graph_apply(jm_graph *graph, const char *op, jm_value *x, jm_value *y)
{
    jm_value *const in[] = {x, y};
    return graph_infer(graph_node(graph, jm_op_find(op), in, y ? 2 : 1));
}

static inline jm_value *graph_conv(jm_graph *graph, jm_value *x, int64_t channels, int64_t kernel, bool bias)
{
    jm_value *const in[] = {x, graph_random(graph, SHAPE(channels, x->tensor.shape.dim[1], kernel, kernel), -1, 1),
                            bias ? graph_random(graph, SHAPE(channels), -1, 1) : NULL};
    jm_node *node = graph_node(graph, jm_op_find("Conv"), in, 3);
    assert_ok(jm_node_set_ints(graph, node, "pads", (int64_t[]){kernel / 2, kernel / 2, kernel / 2, kernel / 2}, 4));
    return graph_infer(node);
}

static inline size_t graph_count(const jm_graph *graph, const char *op, bool elided)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->nodes; i++)
        count += strcmp(graph->node[i]->op->name, op) == 0 && graph->node[i]->elided == elided;
    return count;
}

/* Runs the graph twice with poisoned memory, its inputs filled by a fixed rule; returns all outputs one after the
 * other, in malloc memory. */
static inline float *graph_run(jm_graph *graph, size_t *count)
{
    jm_machine machine;
    jm_program *program;
    size_t bytes;
    assert_ok(jm_machine_get(1, &machine));
    assert_ok(jm_program_create(graph, &machine, &program));
    void **in = calloc(graph->inputs + 1, sizeof *in), **out = calloc(graph->outputs + 1, sizeof *out);
    assert_non_null(in);
    assert_non_null(out);
    for (size_t i = 0; i < graph->inputs; i++) {
        assert_ok(jm_tensor_bytes(&graph->input[i]->tensor, &bytes));
        float *data = in[i] = malloc(bytes);
        for (size_t k = 0; k < bytes / sizeof *data; k++) data[k] = (float)(k * 37 % 251) / 64.0f - 2.0f;
    }
    *count = 0;
    for (size_t i = 0; i < graph->outputs; i++) {
        assert_ok(jm_tensor_bytes(&graph->output[i]->tensor, &bytes));
        *count += bytes / sizeof(float);
    }
    float *all = malloc(*count * sizeof *all), *next = all;
    for (size_t i = 0; i < graph->outputs; i++) {
        assert_ok(jm_tensor_bytes(&graph->output[i]->tensor, &bytes));
        out[i] = next;
        next += bytes / sizeof(float);
    }
    jm_program_set_poison(program, true);
    jm_program_bind(program, in, out);
    for (int i = 0; i < 2; i++) assert_ok(jm_program_run(program));
    for (size_t i = 0; i < graph->inputs; i++) free(in[i]);
    free(in);
    free(out);
    jm_program_destroy(program);
    return all;
}

#endif
