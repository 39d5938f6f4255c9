/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/graph.h"

#include <string.h>

struct jm_graph_hook {
    void (*release)(void *context);
    void *context;
    struct jm_graph_hook *next;
};

jm_status jm_graph_create(jm_graph **out)
{
    *out = NULL;
    jm_graph *graph = jm_alloc(1, sizeof *graph);
    if (!graph) return JM_OUT_OF_MEMORY;
    graph->name = "";
    jm_status status = jm_arena_create(&graph->arena);
    if (status != JM_OK) {
        jm_graph_destroy(graph);
        return status;
    }
    *out = graph;
    return JM_OK;
}

void jm_graph_destroy(jm_graph *graph)
{
    if (!graph) return;
    for (struct jm_graph_hook *hook = graph->hook; hook; hook = hook->next) hook->release(hook->context);
    jm_free(graph->node);
    jm_free(graph->value);
    jm_free(graph->input);
    jm_free(graph->output);
    jm_free(graph->meta);
    jm_map_clear(&graph->meta_index);
    jm_arena_destroy(graph->arena);
    jm_free(graph);
}

jm_status jm_graph_on_destroy(jm_graph *graph, void (*release)(void *context), void *context)
{
    struct jm_graph_hook *hook = jm_arena_alloc(graph->arena, 1, sizeof *hook);
    if (!hook) return JM_OUT_OF_MEMORY;
    *hook = (struct jm_graph_hook){release, context, graph->hook};
    graph->hook = hook;
    return JM_OK;
}

/* ---- Readers of a value ---- */

static void use_add(jm_value *value, jm_use *use)
{
    use->previous = NULL;
    use->next = value->use;
    if (value->use) value->use->previous = use;
    value->use = use;
    value->uses++;
}

static void use_remove(jm_value *value, jm_use *use)
{
    if (use->next) use->next->previous = use->previous;
    if (use->previous) {
        use->previous->next = use->next;
    } else {
        value->use = use->next;
    }
    use->next = use->previous = NULL;
    value->uses--;
}

void jm_node_set_input(jm_node *node, int i, jm_value *value)
{
    if (node->in[i]) use_remove(node->in[i], &node->use[i]);
    node->in[i] = value;
    if (value) use_add(value, &node->use[i]);
}

/* ---- Building ---- */

jm_value *jm_graph_value(jm_graph *graph, const char *name)
{
    if (graph->values >= INT32_MAX) {
        (void)!jm_error(JM_OUT_OF_RANGE, "a graph holds at most %d values", INT32_MAX);
        return NULL;
    }
    if (jm_array_reserve(&graph->value, &graph->value_capacity, graph->values + 1, sizeof(jm_value *)) != JM_OK) {
        return NULL;
    }
    jm_value *value = jm_arena_alloc(graph->arena, 1, sizeof *value);
    if (!value) return NULL;
    value->name = name && *name ? jm_arena_strdup(graph->arena, name) : "";
    if (!value->name) return NULL;
    value->id = (int32_t)graph->values;
    value->tensor.dtype = JM_DTYPE_NONE;
    graph->value[graph->values++] = value;
    return value;
}

jm_value *jm_graph_constant(jm_graph *graph, const char *name, jm_dtype dtype, const jm_shape *shape, const void *data,
                            bool copy)
{
    jm_tensor tensor;
    size_t bytes;
    if (jm_tensor_init(&tensor, dtype, shape, JM_PLAIN, NULL) != JM_OK) return NULL;
    if (jm_tensor_bytes(&tensor, &bytes) != JM_OK) return NULL;
    if (copy) {
        tensor.data = jm_arena_alloc(graph->arena, JM_MAX(bytes, (size_t)64), 1);
        if (!tensor.data) return NULL;
        if (data && bytes) memcpy(tensor.data, data, bytes);
    } else {
        tensor.data = (void *)data;
    }
    tensor.constant = true;
    jm_value *value = jm_graph_value(graph, name);
    if (value) value->tensor = tensor;
    return value;
}

jm_node *jm_graph_node(jm_graph *graph, const jm_op *op, const char *name, jm_value *const *in, int inputs,
                       jm_value *const *out, int outputs)
{
    if (inputs < 0 || outputs < 0 || inputs > JM_MAX_ARGUMENTS || outputs > JM_MAX_ARGUMENTS) {
        (void)!jm_error(JM_OUT_OF_RANGE, "%s '%s' has %d inputs and %d outputs; the limit is %d", op->name,
                        name ? name : "", inputs, outputs, JM_MAX_ARGUMENTS);
        return NULL;
    }
    if (graph->nodes >= INT32_MAX) {
        (void)!jm_error(JM_OUT_OF_RANGE, "a graph holds at most %d nodes", INT32_MAX);
        return NULL;
    }
    if (jm_array_reserve(&graph->node, &graph->node_capacity, graph->nodes + 1, sizeof(jm_node *)) != JM_OK) {
        return NULL;
    }
    jm_node *node = jm_arena_alloc(graph->arena, 1, sizeof *node);
    if (!node) return NULL;
    node->op = op;
    node->inputs = inputs;
    node->outputs = outputs;
    node->name = name && *name ? jm_arena_strdup(graph->arena, name) : "";
    node->in = jm_arena_alloc(graph->arena, (size_t)inputs, sizeof(jm_value *));
    node->out = jm_arena_alloc(graph->arena, (size_t)outputs, sizeof(jm_value *));
    node->use = jm_arena_alloc(graph->arena, (size_t)inputs, sizeof(jm_use));
    node->attr = jm_arena_alloc(graph->arena, (size_t)jm_op_attrs(op), sizeof(jm_attr));
    if (!node->name || !node->in || !node->out || !node->use || !node->attr) return NULL;
    jm_op_attr_defaults(op, node->attr);
    for (int i = 0; i < inputs; i++) {
        node->use[i].node = node;
        node->use[i].input = i;
        jm_node_set_input(node, i, in[i]);
    }
    for (int i = 0; i < outputs; i++) {
        node->out[i] = out[i];
        if (out[i]) out[i]->producer = node;
    }
    node->order = (int32_t)graph->nodes;
    graph->node[graph->nodes++] = node;
    return node;
}

jm_status jm_graph_add_input(jm_graph *graph, jm_value *value)
{
    if (value->is_input) return jm_error(JM_INVALID_ARGUMENT, "'%s' is a graph input twice", value->name);
    JM_TRY(jm_array_reserve(&graph->input, &graph->input_capacity, graph->inputs + 1, sizeof(jm_value *)));
    graph->input[graph->inputs++] = value;
    value->is_input = true;
    return JM_OK;
}

jm_status jm_graph_add_output(jm_graph *graph, jm_value *value)
{
    if (value->is_output) return jm_error(JM_INVALID_ARGUMENT, "'%s' is a graph output twice", value->name);
    JM_TRY(jm_array_reserve(&graph->output, &graph->output_capacity, graph->outputs + 1, sizeof(jm_value *)));
    graph->output[graph->outputs++] = value;
    value->is_output = true;
    value->uses++;
    return JM_OK;
}

/* ---- Attributes ---- */

static const char *const kind_text[] = {
    [JM_PARAM_INPUT] = "an input",          [JM_PARAM_OUTPUT] = "an output", [JM_PARAM_INT] = "an integer",
    [JM_PARAM_FLOAT] = "a float",           [JM_PARAM_STRING] = "a string",  [JM_PARAM_INTS] = "a list of integers",
    [JM_PARAM_FLOATS] = "a list of floats", [JM_PARAM_DTYPE] = "a dtype",    [JM_PARAM_EPILOGUE] = "an epilogue",
};

static jm_status attr_find(jm_node *node, const char *name, jm_param_kind kind, jm_attr **out)
{
    int i = jm_op_attr_index(node->op, name);
    if (i < 0) {
        return jm_error(JM_NOT_FOUND, "%s '%s': the operator has no attribute '%s'", node->op->name, node->name, name);
    }
    jm_param_kind want = jm_op_attr(node->op, i)->kind;
    if (want != kind) {
        return jm_error(JM_INVALID_ARGUMENT, "%s '%s': attribute '%s' must be %s, not %s", node->op->name, node->name,
                        name, kind_text[want], kind_text[kind]);
    }
    *out = &node->attr[i];
    return JM_OK;
}

jm_status jm_node_set_int(jm_graph *graph, jm_node *node, const char *name, int64_t value)
{
    (void)graph;
    jm_attr *attr = NULL;
    int i = jm_op_attr_index(node->op, name);
    if (i >= 0 && jm_op_attr(node->op, i)->kind == JM_PARAM_DTYPE) {
        if (value < INT32_MIN || value > INT32_MAX || jm_dtype_size((jm_dtype)value) == 0) {
            return jm_error(JM_INVALID_ARGUMENT, "%s '%s': attribute '%s' is %lld, which is no dtype", node->op->name,
                            node->name, name, (long long)value);
        }
        node->attr[i] = (jm_attr){.present = true, .count = 1, .dtype = (jm_dtype)value};
        return JM_OK;
    }
    JM_TRY(attr_find(node, name, JM_PARAM_INT, &attr));
    *attr = (jm_attr){.present = true, .count = 1, .i = value};
    return JM_OK;
}

jm_status jm_node_set_float(jm_graph *graph, jm_node *node, const char *name, double value)
{
    (void)graph;
    jm_attr *attr = NULL;
    JM_TRY(attr_find(node, name, JM_PARAM_FLOAT, &attr));
    *attr = (jm_attr){.present = true, .count = 1, .f = value};
    return JM_OK;
}

jm_status jm_node_set_string(jm_graph *graph, jm_node *node, const char *name, const char *text)
{
    jm_attr *attr = NULL;
    JM_TRY(attr_find(node, name, JM_PARAM_STRING, &attr));
    const char *copy = jm_arena_strdup(graph->arena, text);
    if (!copy) return JM_OUT_OF_MEMORY;
    *attr = (jm_attr){.present = true, .count = 1, .s = copy};
    return JM_OK;
}

jm_status jm_node_set_ints(jm_graph *graph, jm_node *node, const char *name, const int64_t *values, int count)
{
    jm_attr *attr = NULL;
    JM_TRY(attr_find(node, name, JM_PARAM_INTS, &attr));
    int64_t *copy = jm_arena_alloc(graph->arena, (size_t)count, sizeof *copy);
    if (!copy) return JM_OUT_OF_MEMORY;
    if (count > 0) memcpy(copy, values, (size_t)count * sizeof *copy);
    *attr = (jm_attr){.present = true, .count = count, .ints = copy};
    return JM_OK;
}

jm_status jm_node_set_floats(jm_graph *graph, jm_node *node, const char *name, const double *values, int count)
{
    jm_attr *attr = NULL;
    JM_TRY(attr_find(node, name, JM_PARAM_FLOATS, &attr));
    double *copy = jm_arena_alloc(graph->arena, (size_t)count, sizeof *copy);
    if (!copy) return JM_OUT_OF_MEMORY;
    if (count > 0) memcpy(copy, values, (size_t)count * sizeof *copy);
    *attr = (jm_attr){.present = true, .count = count, .floats = copy};
    return JM_OK;
}

const jm_attr *jm_node_attr(const jm_node *node, const char *name)
{
    return &node->attr[jm_op_attr_index(node->op, name)];
}

/* ---- Editing ---- */

jm_status jm_node_grow_input(jm_graph *graph, jm_node *node, int i, jm_value *value)
{
    if (i < 0 || i >= JM_MAX_ARGUMENTS) {
        return jm_error(JM_OUT_OF_RANGE, "%s '%s' cannot have %d inputs; the limit is %d", node->op->name, node->name,
                        i + 1, JM_MAX_ARGUMENTS);
    }
    if (i >= node->inputs) {
        jm_value **in = jm_arena_alloc(graph->arena, (size_t)i + 1, sizeof *in);
        jm_use *use = jm_arena_alloc(graph->arena, (size_t)i + 1, sizeof *use);
        if (!in || !use) return JM_OUT_OF_MEMORY;
        jm_value *old[JM_MAX_ARGUMENTS];
        int inputs = node->inputs;
        for (int k = 0; k < inputs; k++) {
            old[k] = node->in[k];
            jm_node_set_input(node, k, NULL);
        }
        node->in = in;
        node->use = use;
        node->inputs = i + 1;
        for (int k = 0; k <= i; k++) {
            use[k].node = node;
            use[k].input = k;
            jm_node_set_input(node, k, k < inputs ? old[k] : NULL);
        }
    }
    jm_node_set_input(node, i, value);
    return JM_OK;
}

bool jm_graph_replace(jm_graph *graph, jm_value *from, jm_value *to)
{
    if (from == to) return true;
    while (from->use) jm_node_set_input(from->use->node, from->use->input, to);
    if (!from->is_output) return true;
    if (to->is_input || to->is_output || to->tensor.constant) return false;
    for (size_t i = 0; i < graph->outputs; i++) {
        if (graph->output[i] == from) graph->output[i] = to;
    }
    from->is_output = false;
    from->uses--;
    to->is_output = true;
    to->uses++;
    const char *name = from->name;
    from->name = to->name;
    to->name = name;
    return true;
}

void jm_node_kill(jm_node *node)
{
    node->dead = true;
    for (int i = 0; i < node->inputs; i++) jm_node_set_input(node, i, NULL);
    for (int i = 0; i < node->outputs; i++) {
        if (node->out[i] && node->out[i]->producer == node) node->out[i]->producer = NULL;
    }
}

static bool node_used(const jm_node *node)
{
    for (int i = 0; i < node->outputs; i++) {
        if (node->out[i] && node->out[i]->producer == node && node->out[i]->uses > 0) return true;
    }
    return false;
}

/* Kills unused nodes: a node may become unused only when a reader of it is killed, which queues it. */
static jm_status kill_unused(jm_graph *graph)
{
    jm_node **queue = NULL;
    size_t capacity = 0, count = 0;
    jm_status status = jm_array_reserve(&queue, &capacity, graph->nodes, sizeof *queue);
    for (size_t i = 0; i < graph->nodes && status == JM_OK; i++) queue[count++] = graph->node[i];
    while (count > 0 && status == JM_OK) {
        jm_node *node = queue[--count];
        if (node->dead || node_used(node)) continue;
        status = jm_array_reserve(&queue, &capacity, count + (size_t)node->inputs, sizeof *queue);
        for (int i = 0; i < node->inputs && status == JM_OK; i++) {
            if (node->in[i] && node->in[i]->producer) queue[count++] = node->in[i]->producer;
        }
        if (status == JM_OK) jm_node_kill(node);
    }
    jm_free(queue);
    return status;
}

jm_status jm_graph_sweep(jm_graph *graph)
{
    JM_TRY(kill_unused(graph));
    bool *keep = jm_alloc(graph->values, sizeof *keep);
    if (!keep) return JM_OUT_OF_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < graph->nodes; i++) {
        jm_node *node = graph->node[i];
        if (node->dead) continue;
        node->order = (int32_t)count;
        graph->node[count++] = node;
    }
    graph->nodes = count;
    for (size_t i = 0; i < graph->values; i++) {
        jm_value *value = graph->value[i];
        if (!value->is_input && !value->is_output && !value->producer && value->uses == 0) continue;
        for (; value && !keep[value->id]; value = value->parent) keep[value->id] = true;
    }
    count = 0;
    for (size_t i = 0; i < graph->values; i++) {
        if (!keep[i]) continue;
        graph->value[count] = graph->value[i];
        graph->value[count]->id = (int32_t)count;
        count++;
    }
    graph->values = count;
    jm_free(keep);
    return JM_OK;
}

/* ---- Order ---- */

/* Also the states of values while views are resolved. */
typedef enum visit_state { NOT_SEEN, ON_STACK, PLACED } visit_state;

/* A node whose producers are being placed; input `next` is looked at next. */
typedef struct visit {
    jm_node *node;
    int next;
} visit;

/* Places `root` behind everything it needs. `stack` holds one entry per node of the graph. */
static jm_status place(jm_node *root, visit *stack, unsigned char *state, jm_node **sorted, size_t *count)
{
    size_t depth = 0;
    stack[depth++] = (visit){root, 0};
    state[root->order] = ON_STACK;
    while (depth > 0) {
        visit *top = &stack[depth - 1];
        if (top->next == top->node->inputs) {
            state[top->node->order] = PLACED;
            sorted[(*count)++] = top->node;
            depth--;
            continue;
        }
        jm_value *value = top->node->in[top->next++];
        jm_node *producer = value ? value->producer : NULL;
        if (!producer || state[producer->order] == PLACED) continue;
        if (state[producer->order] == ON_STACK) {
            return jm_error(JM_INVALID_ARGUMENT, "the graph has a cycle through %s '%s' (value '%s')",
                            producer->op->name, producer->name, value->name);
        }
        state[producer->order] = ON_STACK;
        stack[depth++] = (visit){producer, 0};
    }
    return JM_OK;
}

jm_status jm_graph_sort(jm_graph *graph)
{
    visit *stack = jm_alloc(graph->nodes, sizeof *stack);
    unsigned char *state = jm_alloc(graph->nodes, sizeof *state);
    jm_node **sorted = jm_alloc(graph->nodes, sizeof *sorted);
    size_t count = 0;
    jm_status status = stack && state && sorted ? JM_OK : JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < graph->nodes && status == JM_OK; i++) {
        if (state[i] == NOT_SEEN) status = place(graph->node[i], stack, state, sorted, &count);
    }
    if (status == JM_OK) {
        for (size_t i = 0; i < count; i++) {
            graph->node[i] = sorted[i];
            sorted[i]->order = (int32_t)i;
        }
    }
    jm_free(stack);
    jm_free(state);
    jm_free(sorted);
    return status;
}

jm_status jm_graph_readers(const jm_graph *graph, size_t **start, jm_node ***reader)
{
    *start = NULL;
    *reader = NULL;
    size_t total = 0;
    for (size_t n = 0; n < graph->nodes; n++) total += (size_t)graph->node[n]->inputs;
    size_t *first = jm_alloc(graph->values + 1, sizeof *first);
    jm_node **node = jm_alloc(total, sizeof *node);
    if (!first || !node) {
        jm_free(first);
        jm_free(node);
        return JM_OUT_OF_MEMORY;
    }
    /* Count into first[id], sum up to the end of each value's range, then fill ranges from their ends. */
    for (size_t n = 0; n < graph->nodes; n++) {
        for (int i = 0; i < graph->node[n]->inputs; i++) {
            if (graph->node[n]->in[i]) first[graph->node[n]->in[i]->id]++;
        }
    }
    for (size_t v = 1; v <= graph->values; v++) first[v] += first[v - 1];
    for (size_t n = graph->nodes; n-- > 0;) {
        for (int i = graph->node[n]->inputs; i-- > 0;) {
            if (graph->node[n]->in[i]) node[--first[graph->node[n]->in[i]->id]] = graph->node[n];
        }
    }
    *start = first;
    *reader = node;
    return JM_OK;
}

/* ---- Metadata ---- */

static jm_meta *meta_find(const jm_graph *graph, const char *key)
{
    const uintptr_t at = (uintptr_t)jm_map_get(&graph->meta_index, key);
    return at ? &graph->meta[at - 1] : NULL;
}

const char *jm_graph_meta(const jm_graph *graph, const char *key)
{
    const jm_meta *meta = meta_find(graph, key);
    return meta ? meta->text : NULL;
}

jm_status jm_graph_set_meta(jm_graph *graph, const char *key, const char *text)
{
    const char *copy = jm_arena_strdup(graph->arena, text);
    if (!copy) return JM_OUT_OF_MEMORY;
    jm_meta *meta = meta_find(graph, key);
    if (meta) {
        meta->text = copy;
        return JM_OK;
    }
    const char *key_copy = jm_arena_strdup(graph->arena, key);
    if (!key_copy) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_array_reserve(&graph->meta, &graph->meta_capacity, graph->metas + 1, sizeof *graph->meta));
    JM_TRY(jm_map_put(&graph->meta_index, key_copy, (void *)(uintptr_t)(graph->metas + 1)));
    graph->meta[graph->metas++] = (jm_meta){key_copy, copy};
    return JM_OK;
}

/* ---- Calls ---- */

static jm_tensor absent(void)
{
    return (jm_tensor){.dtype = JM_DTYPE_NONE};
}

void jm_node_call(const jm_node *node, jm_call *call, jm_tensor *in, jm_tensor *out)
{
    for (int i = 0; i < node->inputs; i++) in[i] = node->in[i] ? node->in[i]->tensor : absent();
    for (int i = 0; i < node->outputs; i++) out[i] = node->out[i] ? node->out[i]->tensor : absent();
    *call = (jm_call){.op = node->op,
                      .name = node->name,
                      .inputs = node->inputs,
                      .outputs = node->outputs,
                      .in = in,
                      .out = out,
                      .attr = node->attr};
}

jm_status jm_node_infer(jm_node *node)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_node_call(node, &call, in, out);
    JM_TRY(jm_op_infer(&call));
    for (int i = 0; i < node->outputs; i++) {
        if (!node->out[i]) continue;
        node->out[i]->tensor.dtype = out[i].dtype;
        node->out[i]->tensor.shape = out[i].shape;
    }
    return JM_OK;
}

/* ---- Views ---- */

void jm_graph_owners(const jm_graph *graph, int32_t *owner)
{
    enum { UNKNOWN = -1 };
    for (size_t i = 0; i < graph->values; i++) owner[i] = UNKNOWN;
    for (size_t i = 0; i < graph->values; i++) {
        const jm_value *end = graph->value[i];
        while (end->view != JM_VIEW_NONE && owner[end->id] == UNKNOWN) end = end->parent;
        const int32_t found = owner[end->id] == UNKNOWN ? end->id : owner[end->id];
        for (const jm_value *v = graph->value[i]; v != end; v = v->parent) owner[v->id] = found;
        owner[end->id] = found;
    }
}

static jm_status view_error(const jm_value *value)
{
    char text[JM_SHAPE_TEXT], parent_text[JM_SHAPE_TEXT];
    return jm_error(JM_CORRUPT, "value '%s' %s does not lie inside '%s' %s", value->name,
                    jm_shape_text(&value->tensor.shape, text), value->parent->name,
                    jm_shape_text(&value->parent->tensor.shape, parent_text));
}

bool jm_reshape_strides(const jm_tensor *parent, const jm_shape *shape, int64_t stride[JM_MAX_RANK])
{
    int64_t count, parent_count, dim[JM_MAX_RANK], step[JM_MAX_RANK];
    if (jm_shape_count(shape, &count) != JM_OK || jm_shape_count(&parent->shape, &parent_count) != JM_OK) return false;
    if (count != parent_count) return false;
    int old = 0;
    for (int k = 0; k < parent->shape.rank; k++) {
        if (parent->shape.dim[k] == 1) continue;
        dim[old] = parent->shape.dim[k];
        step[old++] = parent->stride[k];
    }
    for (int k = 0; k < JM_MAX_RANK; k++) stride[k] = 1;
    /* Groups of old and new dimensions with equal products; the old ones of a group must be evenly spaced. */
    for (int i = 0, n = 0; count > 0 && i < old;) {
        int end = i + 1, new_end = n + 1;
        int64_t product = dim[i], new_product = shape->dim[n];
        while (product != new_product) {
            if (new_product < product) {
                new_product *= shape->dim[new_end++];
            } else {
                product *= dim[end++];
            }
        }
        for (int k = i; k + 1 < end; k++) {
            if (step[k] != dim[k + 1] * step[k + 1]) return false;
        }
        stride[new_end - 1] = step[end - 1];
        for (int k = new_end - 1; k > n; k--) stride[k - 1] = stride[k] * shape->dim[k];
        i = end;
        n = new_end;
    }
    return true;
}

static jm_status resolve_owner(jm_value *value)
{
    if (value->tensor.layout == JM_PACKED) return JM_OK;
    jm_tensor fresh;
    JM_TRY(jm_tensor_init(&fresh, value->tensor.dtype, &value->tensor.shape, value->tensor.layout, value->tensor.map));
    memcpy(value->tensor.stride, fresh.stride, sizeof fresh.stride);
    return JM_OK;
}

static jm_status resolve_slice(jm_value *value, int64_t *start)
{
    const jm_tensor *parent = &value->parent->tensor;
    jm_tensor *tensor = &value->tensor;
    int rank = tensor->shape.rank, axis = value->axis;
    if (rank != parent->shape.rank || tensor->layout != parent->layout || tensor->layout == JM_PACKED || axis < 0 ||
        axis >= rank) {
        return view_error(value);
    }
    for (int k = 0; k < rank; k++) {
        if (k != axis && tensor->shape.dim[k] != parent->shape.dim[k]) return view_error(value);
    }
    int64_t length = tensor->shape.dim[axis], limit = parent->shape.dim[axis];
    if (tensor->layout == JM_C16) {
        if (axis == 1) {
            length = jm_channel_blocks(length, tensor->map);
            limit = jm_channel_blocks(limit, parent->map);
        } else if (!jm_channel_map_equal(tensor->map, parent->map, tensor->shape.dim[1])) {
            return view_error(value);
        }
    }
    if (length < 0 || length > limit || value->start < 0 || value->start > limit - length) return view_error(value);
    memcpy(tensor->stride, parent->stride, sizeof parent->stride);
    *start = value->start * parent->stride[axis];
    return JM_OK;
}

/* [N,C] or [N,C,1...] plain over C16 [N,C,1...]: the same elements when the channels lie in order without gaps. */
static bool flattens_blocks(const jm_tensor *tensor, const jm_tensor *parent)
{
    if (parent->layout != JM_C16 || tensor->layout != JM_PLAIN || tensor->shape.rank < 2) return false;
    for (int k = 0; k < 2; k++) {
        if (tensor->shape.dim[k] != parent->shape.dim[k]) return false;
    }
    for (int k = 2; k < tensor->shape.rank; k++) {
        if (tensor->shape.dim[k] != 1) return false;
    }
    for (int k = 2; k < parent->shape.rank; k++) {
        if (parent->shape.dim[k] != 1) return false;
    }
    return parent->stride[1] == JM_LANES && jm_channel_map_equal(parent->map, NULL, parent->shape.dim[1]);
}

static jm_status resolve_reshape(jm_value *value)
{
    const jm_tensor *parent = &value->parent->tensor;
    jm_tensor *tensor = &value->tensor;
    JM_TRY(resolve_owner(value));
    if (flattens_blocks(tensor, parent)) {
        tensor->stride[0] = parent->stride[0];
        return JM_OK;
    }
    if (tensor->layout != JM_PLAIN || parent->layout != JM_PLAIN ||
        !jm_reshape_strides(parent, &tensor->shape, tensor->stride)) {
        return view_error(value);
    }
    return JM_OK;
}

jm_status jm_value_resolve(jm_value *value, int64_t *start)
{
    *start = 0;
    if (value->view == JM_VIEW_NONE) return resolve_owner(value);
    if (value->tensor.dtype != value->parent->tensor.dtype) return view_error(value);
    return value->view == JM_VIEW_SLICE ? resolve_slice(value, start) : resolve_reshape(value);
}

/* Resolves `value` after everything it is a view of. `chain` has room for every value of the graph. */
static jm_status resolve_chain(jm_value *value, unsigned char *state, jm_value **chain, int64_t *offset)
{
    size_t depth = 0;
    while (state[value->id] != PLACED) {
        if (state[value->id] == ON_STACK) {
            return jm_error(JM_CORRUPT, "value '%s' is a view of itself", value->name);
        }
        state[value->id] = ON_STACK;
        chain[depth++] = value;
        if (value->view == JM_VIEW_NONE) break;
        if (!value->parent) return jm_error(JM_CORRUPT, "value '%s' is a view of nothing", value->name);
        value = value->parent;
    }
    while (depth > 0) {
        value = chain[--depth];
        JM_TRY(jm_value_resolve(value, &offset[value->id]));
        if (value->view != JM_VIEW_NONE) offset[value->id] += offset[value->parent->id];
        state[value->id] = PLACED;
    }
    return JM_OK;
}

jm_status jm_graph_resolve_views(jm_graph *graph, int64_t *offset)
{
    unsigned char *state = jm_alloc(graph->values, sizeof *state);
    jm_value **chain = jm_alloc(graph->values, sizeof *chain);
    jm_status status = state && chain ? JM_OK : JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < graph->values && status == JM_OK; i++) {
        status = resolve_chain(graph->value[i], state, chain, offset);
    }
    jm_free(state);
    jm_free(chain);
    return status;
}
