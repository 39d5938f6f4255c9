/* SPDX-License-Identifier: Apache-2.0
 *
 * Rewrites constants into the order that the chosen forms read. Equal results of one constant are shared; constants
 * that nobody reads any more are dropped.
 */
#include "compiler/constant_pool.h"
#include "compiler/passes.h"

#include <string.h>

#include "base/file.h"

/* Packed versions of one constant, latest first. */
typedef struct version {
    jm_value *packed;
    struct version *next;
} version;

/* The packed bytes, in the graph's memory or in the pool that it shares with others. */
static jm_status pack_bytes(jm_graph *graph, const jm_node *node, const jm_call *call, const jm_form *form, int input,
                            size_t bytes, void **out)
{
    const size_t size = JM_MAX(bytes, (size_t)64);
    void *data = graph->pool ? jm_alloc(size, 1) : jm_arena_alloc(graph->arena, size, 1);
    if (!data) return JM_OUT_OF_MEMORY;
    *out = data;
    jm_status status = node->op->pack(call, form, input, data);
    if (!graph->pool) return status;
    if (status == JM_OK) return jm_constant_pool_intern(graph->pool, data, size, out);
    jm_free(data);
    return status;
}

static jm_status pack_input(jm_graph *graph, jm_node *node, const jm_call *call, const jm_form *form, int input,
                            version **versions)
{
    jm_value *source = node->in[input];
    size_t bytes;
    if (!node->op->pack_bytes || !node->op->pack)
        return jm_error(JM_INTERNAL, "%s '%s': form '%s' packs nothing", node->op->name, node->name, form->name);
    JM_TRY(node->op->pack_bytes(call, form, input, &bytes));
    void *data;
    JM_TRY(pack_bytes(graph, node, call, form, input, bytes, &data));
    size_t read = 0;
    if (jm_tensor_bytes(&source->tensor, &read) == JM_OK) jm_file_map_done(source->tensor.data, read);
    for (version *v = versions[source->id]; v; v = v->next) {
        if (v->packed->packed_bytes != bytes || memcmp(v->packed->tensor.data, data, bytes) != 0) continue;
        jm_node_set_input(node, input, v->packed);
        return JM_OK;
    }
    jm_value *packed = jm_graph_value(graph, source->name);
    version *v = jm_arena_alloc(graph->arena, 1, sizeof *v);
    if (!packed || !v) return JM_OUT_OF_MEMORY;
    packed->tensor = source->tensor;
    packed->tensor.layout = JM_PACKED;
    packed->tensor.data = data;
    packed->packed_bytes = bytes;
    *v = (version){packed, versions[source->id]};
    versions[source->id] = v;
    jm_node_set_input(node, input, packed);
    return JM_OK;
}

static jm_status pack_node(jm_graph *graph, jm_node *node, version **versions)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_node_call(node, &call, in, out);
    JM_TRY(jm_op_form(&call, node->form, &form));
    for (int i = 0; i < node->inputs && i < 64; i++) {
        const jm_value *value = node->in[i];
        if (!(form.in_packed >> i & 1) || !value || value->tensor.layout == JM_PACKED) continue;
        if (!value->tensor.constant)
            return jm_error(JM_INTERNAL, "%s '%s': form '%s' packs an input that is not constant", node->op->name,
                            node->name, form.name);
        JM_TRY(pack_input(graph, node, &call, &form, i, versions));
    }
    return JM_OK;
}

jm_status jm_pass_pack(jm_graph *graph)
{
    version **versions = jm_alloc(graph->values, sizeof *versions); /* per value that exists now */
    if (!versions) return JM_OUT_OF_MEMORY;
    jm_status status = JM_OK;
    for (size_t i = 0; i < graph->nodes && status == JM_OK; i++)
        if (!graph->node[i]->elided) status = pack_node(graph, graph->node[i], versions);
    jm_free(versions);
    JM_TRY(status);
    return jm_graph_sweep(graph);
}
