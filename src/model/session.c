/* SPDX-License-Identifier: Apache-2.0 */
#include "jumar/session.h"

#include <pthread.h>

#include "kernels/kernels.h"
#include "model/aipp.h"
#include "model/api.h"
#include "model/model.h"
#include "ops/epilogue.h"

_Static_assert(JUMAR_MAX_RANK == JM_MAX_RANK, "shapes are copied");
_Static_assert((int)JUMAR_TIMING_WALL == JM_TIMING_WALL && (int)JUMAR_TIMING_PROCESSOR == JM_TIMING_PROCESSOR,
               "the value is passed on");

struct jumar_session {
    jm_graph *graph;
    jm_machine machine;
    jm_program *program;
    jm_device *device;
    jm_work work;
    pthread_mutex_t lock; /* one run at a time */
};

/* ---- Opening ---- */

static jm_status start(jumar_session *session, unsigned threads)
{
    JM_TRY(jm_device_create("cpu", 0, threads, &session->device));
    JM_TRY(jm_machine_get(session->device->cores, &session->machine));
    JM_TRY(jm_program_create(session->graph, &session->machine, &session->program));
    jm_program_steps(session->program, &session->work.step, &session->work.steps);
    return JM_OK;
}

/* Takes over the graph. */
static jumar_status open_graph(jm_status status, jm_graph *graph, unsigned threads, jumar_session **out)
{
    jumar_session *session = NULL;
    if (status == JM_OK) {
        session = jm_alloc(1, sizeof(*session));
        if (session) {
            session->graph = graph;
            session->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
            status = start(session, threads);
        } else {
            jm_graph_destroy(graph);
            status = JM_OUT_OF_MEMORY;
        }
    }
    if (status != JM_OK) {
        jumar_session_close(session);
        return jm_public_status(status);
    }
    *out = session;
    return JUMAR_OK;
}

static jumar_status null_argument(const char *function)
{
    return jm_public_status(jm_error(JM_INVALID_ARGUMENT, "%s was called with a NULL argument", function));
}

jumar_status jumar_session_open(const char *path, unsigned threads, jumar_session **out)
{
    if (out) *out = NULL;
    if (!path || !out) return null_argument(__func__);
    jm_graph *graph;
    jm_status status = jm_om_read(path, &graph);
    return open_graph(status, graph, threads, out);
}

jumar_status jumar_session_open_memory(const void *data, size_t size, unsigned threads, jumar_session **out)
{
    if (out) *out = NULL;
    if (!data || !out) return null_argument(__func__);
    jm_graph *graph;
    jm_status status = jm_om_read_memory(data, size, &graph);
    return open_graph(status, graph, threads, out);
}

void jumar_session_close(jumar_session *session)
{
    if (!session) return;
    jm_program_destroy(session->program);
    jm_device_destroy(session->device);
    jm_graph_destroy(session->graph);
    pthread_mutex_destroy(&session->lock);
    jm_free(session);
}

/* ---- Inputs and outputs ---- */

size_t jumar_session_input_count(const jumar_session *session)
{
    return session ? session->graph->inputs : 0;
}

size_t jumar_session_output_count(const jumar_session *session)
{
    return session ? session->graph->outputs : 0;
}

static jumar_status describe(const jm_value *value, jumar_tensor_info *info)
{
    const jm_tensor *tensor = &value->tensor;
    size_t bytes;
    jm_status status = jm_tensor_bytes(tensor, &bytes);
    if (status != JM_OK) return jm_public_status(status);
    *info = (jumar_tensor_info){.name = value->name,
                                .dtype_name = jm_dtype_text(tensor->dtype),
                                .dtype = tensor->dtype,
                                .rank = tensor->shape.rank,
                                .bytes = bytes};
    for (int i = 0; i < tensor->shape.rank; i++) info->dim[i] = tensor->shape.dim[i];
    return JUMAR_OK;
}

static jumar_status no_index(const char *what, size_t index, size_t count)
{
    return jm_public_status(jm_error(JM_INVALID_ARGUMENT, "there is no %s %zu; the model has %zu", what, index, count));
}

jumar_status jumar_session_input(const jumar_session *session, size_t index, jumar_tensor_info *info)
{
    if (!session || !info) return null_argument(__func__);
    if (index >= session->graph->inputs) return no_index("input", index, session->graph->inputs);
    return describe(session->graph->input[index], info);
}

jumar_status jumar_session_output(const jumar_session *session, size_t index, jumar_tensor_info *info)
{
    if (!session || !info) return null_argument(__func__);
    if (index >= session->graph->outputs) return no_index("output", index, session->graph->outputs);
    return describe(session->graph->output[index], info);
}

/* ---- Running ---- */

static jm_status check_address(const jm_value *value, const void *address, const char *what)
{
    if (!address) return jm_error(JM_INVALID_ARGUMENT, "the address of %s '%s' is NULL", what, value->name);
    size_t size = jm_dtype_size(value->tensor.dtype);
    if ((uintptr_t)address % size == 0) return JM_OK;
    return jm_error(JM_INVALID_ARGUMENT, "the address of %s '%s' is not a multiple of %zu, the size of its elements",
                    what, value->name, size);
}

/* A sentence in place of a fault: parameters of pictures that come with the run. */
static jm_status check_parameters(const jm_graph *graph, const void *const *inputs)
{
    for (size_t i = 0; i < graph->inputs; i++) {
        int argument;
        size_t bytes;
        const jm_node *node = jm_aipp_reader(graph, i, &argument);
        if (node && argument == JM_AIPP_PARAMETERS) JM_TRY(jm_aipp_picture_bytes(node, inputs[i], &bytes));
    }
    return JM_OK;
}

jumar_status jumar_session_run(jumar_session *session, const void *const *inputs, void *const *outputs)
{
    if (!session || !inputs || !outputs) return null_argument(__func__);
    const jm_graph *graph = session->graph;
    jm_status status = JM_OK;
    for (size_t i = 0; i < graph->inputs && status == JM_OK; i++) {
        status = check_address(graph->input[i], inputs[i], "input");
    }
    for (size_t i = 0; i < graph->outputs && status == JM_OK; i++) {
        status = check_address(graph->output[i], outputs[i], "output");
    }
    if (status == JM_OK && jm_aipp_has_parameters(graph)) status = check_parameters(graph, inputs);
    if (status != JM_OK) return jm_public_status(status);
    pthread_mutex_lock(&session->lock);
    jm_program_bind(session->program, (void *const *)inputs, outputs);
    status = jm_device_run(session->device, &session->work);
    pthread_mutex_unlock(&session->lock);
    return jm_public_status(status);
}

/* ---- Reports ---- */

const char *jumar_session_metadata(const jumar_session *session, const char *key)
{
    return session && key ? jm_graph_meta(session->graph, key) : NULL;
}

const jm_graph *jm_session_graph(const jumar_session *session)
{
    return session->graph;
}

jumar_status jumar_session_get_info(const jumar_session *session, jumar_session_info *info)
{
    if (!session || !info) return null_argument(__func__);
    jm_program_info program;
    jm_program_get_info(session->program, &program);
    *info = (jumar_session_info){.name = session->graph->name,
                                 .cpu = jm_cpu_level_text(session->machine.kernels->level),
                                 .threads = session->machine.threads,
                                 .steps = program.steps,
                                 .chunks = program.chunks,
                                 .weight_bytes = program.weight_bytes,
                                 .arena_bytes = program.arena_bytes,
                                 .arena_lower_bound = program.arena_lower_bound,
                                 .scratch_bytes = program.scratch_bytes,
                                 .flops = program.flops};
    return JUMAR_OK;
}

static uint64_t element_bytes(const jm_tensor *tensor)
{
    return (uint64_t)jm_tensor_elements(tensor) * jm_dtype_size(tensor->dtype);
}

/* Sizes fit: the graph was verified and the program has placed every tensor. */
static void describe_traffic(const jm_node *node, jumar_step_info *info)
{
    for (int i = 0; i < node->outputs; i++)
        if (node->out[i]) info->output_bytes += element_bytes(&node->out[i]->tensor);
    for (int i = 0; i < node->inputs; i++) {
        const jm_value *value = node->in[i];
        bool seen = !value;
        for (int k = 0; k < i && !seen; k++) seen = node->in[k] == value;
        if (seen) continue;
        if (!value->tensor.constant)
            info->input_bytes += element_bytes(&value->tensor);
        else
            info->weight_bytes += value->packed_bytes ? value->packed_bytes : element_bytes(&value->tensor);
    }
    if (node->op->view) info->input_bytes = JM_MIN(info->input_bytes, info->output_bytes);
}

static const char *activation_name(const jm_node *node)
{
    for (int i = 0, attr = 0; i < node->op->params; i++) {
        const jm_param_kind kind = node->op->param[i].kind;
        if (kind == JM_PARAM_EPILOGUE) return jm_activation_text(node->attr[attr].epilogue.activation);
        attr += kind != JM_PARAM_INPUT && kind != JM_PARAM_OUTPUT;
    }
    return "";
}

jumar_status jumar_session_step(const jumar_session *session, size_t index, jumar_step_info *info)
{
    if (!session || !info) return null_argument(__func__);
    if (index >= session->work.steps) return no_index("step", index, session->work.steps);
    *info = (jumar_step_info){.name = "bind",
                              .op = "",
                              .form = "",
                              .activation = "",
                              .ns = jm_program_step_ns(session->program, index),
                              .wall_ns = jm_program_step_wall_ns(session->program, index)};
    const jm_node *node = jm_program_step_node(session->program, index);
    if (!node) return JUMAR_OK;
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_node_call(node, &call, in, out);
    jm_status status = jm_op_form(&call, node->form, &form);
    if (status != JM_OK) return jm_public_status(status);
    info->name = node->name;
    info->op = node->op->name;
    info->form = form.name;
    info->flops = jm_op_flops(&call);
    info->executed_flops = form.flop_share > 0 ? info->flops * form.flop_share : info->flops;
    info->activation = activation_name(node);
    info->rank = node->out[0]->tensor.shape.rank;
    for (int i = 0; i < info->rank; i++) info->dim[i] = node->out[0]->tensor.shape.dim[i];
    describe_traffic(node, info);
    return JUMAR_OK;
}

void jumar_session_set_timing(jumar_session *session, jumar_timing timing)
{
    if (!session) return;
    pthread_mutex_lock(&session->lock);
    jm_program_set_timing(session->program, (jm_timing)timing);
    pthread_mutex_unlock(&session->lock);
}
