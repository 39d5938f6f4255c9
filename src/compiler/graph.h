/* SPDX-License-Identifier: Apache-2.0
 *
 * The intermediate representation: a graph of nodes (operator calls) and values (tensors), from import to execution.
 * The .om file stores exactly this graph after the last pass; loading rebuilds it and derives everything else.
 *
 * Ownership: the graph owns an arena; nodes, values, names, attributes, maps and constants live in it and are never
 * freed one by one. Not thread-safe while it is being changed.
 */
#ifndef JUMAR_COMPILER_GRAPH_H
#define JUMAR_COMPILER_GRAPH_H

#include "base/alloc.h"
#include "base/status.h"
#include "ops/op.h"
#include "tensor/tensor.h"

typedef struct jm_node jm_node;
typedef struct jm_value jm_value;

/* How a value lies inside its parent's storage. */
typedef enum jm_view_kind {
    JM_VIEW_NONE,    /* owns its storage */
    JM_VIEW_SLICE,   /* same strides as the parent; starts at `start` along `axis`: elements, or blocks of 16 for the
                        channel axis of a C16 value */
    JM_VIEW_RESHAPE, /* same plain elements in row-major order, or [N,C] over C16 [N,C,1,1]; another shape */
} jm_view_kind;

/* One node input that reads a value: a link in the list of all readers of that value. */
typedef struct jm_use {
    jm_node *node;
    int32_t input; /* node->in[input] is the value */
    struct jm_use *next, *previous;
} jm_use;

struct jm_value {
    int32_t id; /* index in graph->value; jm_graph_sweep renumbers */
    const char *name;
    jm_tensor tensor;  /* dtype, shape, layout, map; strides once views are resolved; data of constants */
    jm_node *producer; /* NULL: graph input or constant */
    int32_t uses;      /* node inputs that read it + graph outputs; kept by the functions below */
    jm_use *use;       /* its readers, latest first: for (jm_use *u = value->use; u; u = u->next) */
    bool is_input, is_output;
    size_t packed_bytes; /* of a constant in JM_PACKED layout; its tensor.shape stays the logical one */

    /* View relation, set by the view pass. A chain of parents ends in the owner of the storage. */
    jm_view_kind view;
    jm_value *parent;
    int32_t axis;
    int64_t start;
};

struct jm_node {
    const jm_op *op;
    const char *name;
    int32_t order; /* index in graph->node */
    int32_t inputs, outputs;
    jm_value **in;  /* NULL entries: absent; change them with jm_node_set_input only, which keeps `use` */
    jm_value **out; /* NULL entries: absent optional outputs */
    jm_use *use;    /* [inputs] */
    jm_attr *attr;  /* [jm_op_attrs(op)] */
    uint8_t form;   /* jm_form.id */
    bool elided;    /* its outputs are views: nothing runs */
    bool dead;      /* removed; jm_graph_sweep drops it */
};

/* Key and value texts: class names, preprocessing, producer, soc version. */
typedef struct jm_meta {
    const char *key, *text;
} jm_meta;

struct jm_constant_pool;

typedef struct jm_graph {
    jm_arena *arena;
    const char *name;
    jm_node **node; /* in execution order after jm_graph_sort */
    size_t nodes, node_capacity;
    jm_value **value;
    size_t values, value_capacity;
    jm_value **input, **output;
    size_t inputs, input_capacity, outputs, output_capacity;
    jm_meta *meta;
    size_t metas, meta_capacity;
    jm_map meta_index;             /* key -> its place in meta, plus one */
    bool no_winograd;              /* choose no form that executes fewer multiply-adds than the operator */
    struct jm_constant_pool *pool; /* holds packed constants that graphs share; borrowed; NULL: each holds its own */
    const void *source;            /* the ONNX model when other input shapes may be wanted of it; borrowed; else NULL */
    size_t source_size;
    size_t folded;              /* bytes of constants that folding has made so far; see fold.c */
    struct jm_graph_hook *hook; /* see jm_graph_on_destroy */
} jm_graph;

/* An empty graph. JM_OUT_OF_MEMORY; *out is NULL then. */
JM_MUST_USE jm_status jm_graph_create(jm_graph **out);
/* Runs the hooks, latest first, and frees everything. NULL is accepted. */
void jm_graph_destroy(jm_graph *graph);
/* `release(context)` runs when the graph is destroyed: for what borrowed constants point into, such as a file map.
 * On failure (JM_OUT_OF_MEMORY) nothing is registered and the caller still owns `context`. */
JM_MUST_USE jm_status jm_graph_on_destroy(jm_graph *graph, void (*release)(void *context), void *context);

/* A new value; the name is copied (NULL: ""), not checked to be unique. NULL with a last error when memory runs out. */
jm_value *jm_graph_value(jm_graph *graph, const char *name);
/* A constant of `shape` (plain). `data` is borrowed when `copy` is false (it must outlive the graph). With `copy` and
 * `data` NULL the elements are zero and may be filled in through tensor.data. */
jm_value *jm_graph_constant(jm_graph *graph, const char *name, jm_dtype dtype, const jm_shape *shape, const void *data,
                            bool copy);
/* A new node at the end, with attribute defaults filled in and uses counted; it becomes the producer of its outputs.
 * `in` and `out` arrays are copied; NULL entries are absent. JM_MAX_ARGUMENTS bounds both counts. NULL with a last
 * error when a count is too large or memory runs out. */
jm_node *jm_graph_node(jm_graph *graph, const jm_op *op, const char *name, jm_value *const *in, int inputs,
                       jm_value *const *out, int outputs);
/* JM_INVALID_ARGUMENT when the value already is one. An output must not be an input or a constant: storage of inputs
 * and outputs is the caller's, so an Identity stands between. */
JM_MUST_USE jm_status jm_graph_add_input(jm_graph *graph, jm_value *value);
JM_MUST_USE jm_status jm_graph_add_output(jm_graph *graph, jm_value *value);

/* Attributes by name; the text and arrays are copied. jm_node_set_int also sets attributes of kind dtype.
 * JM_NOT_FOUND: the operator has no such attribute. JM_INVALID_ARGUMENT: it is of another kind. */
JM_MUST_USE jm_status jm_node_set_int(jm_graph *graph, jm_node *node, const char *name, int64_t value);
JM_MUST_USE jm_status jm_node_set_float(jm_graph *graph, jm_node *node, const char *name, double value);
JM_MUST_USE jm_status jm_node_set_string(jm_graph *graph, jm_node *node, const char *name, const char *text);
JM_MUST_USE jm_status jm_node_set_ints(jm_graph *graph, jm_node *node, const char *name, const int64_t *values,
                                       int count);
JM_MUST_USE jm_status jm_node_set_floats(jm_graph *graph, jm_node *node, const char *name, const double *values,
                                         int count);
/* Value of an attribute by name; the operator must have it. */
const jm_attr *jm_node_attr(const jm_node *node, const char *name);

/* Input `i` of `node` becomes `value` (NULL: absent), with uses counted. */
void jm_node_set_input(jm_node *node, int i, jm_value *value);
/* Appends or fills input `i`, absent ones in between. */
JM_MUST_USE jm_status jm_node_grow_input(jm_graph *graph, jm_node *node, int i, jm_value *value);
/* Every reader of `from` reads `to`; takes time for the readers only. When `from` is a graph output, `to` becomes that
 * output and they swap names. False when that cannot be, because `to` is an input, a constant or an output itself:
 * then `from` stays the output and its producer must stay. */
bool jm_graph_replace(jm_graph *graph, jm_value *from, jm_value *to);
/* Marks dead, releases its inputs' uses; values it produced have no producer then. */
void jm_node_kill(jm_node *node);
/* Drops dead nodes, then nodes none of whose outputs are used, repeatedly, then values that nothing refers to, and
 * renumbers the rest. Inputs and outputs of the graph stay. Linear time. */
JM_MUST_USE jm_status jm_graph_sweep(jm_graph *graph);
/* Topological order (stable). JM_INVALID_ARGUMENT names a node on a cycle. Linear time. */
JM_MUST_USE jm_status jm_graph_sort(jm_graph *graph);
/* The nodes that read each value: *start has values+1 entries, readers of value v are
 * (*reader)[(*start)[v->id]] ... ; both from jm_alloc, freed by the caller. Linear time. */
JM_MUST_USE jm_status jm_graph_readers(const jm_graph *graph, size_t **start, jm_node ***reader);

/* The text of a key, or NULL. */
const char *jm_graph_meta(const jm_graph *graph, const char *key);
/* Sets or replaces; both are copied. */
JM_MUST_USE jm_status jm_graph_set_meta(jm_graph *graph, const char *key, const char *text);

/* Fills `call` and the caller's arrays (JM_MAX_ARGUMENTS each) from a node: tensors are copied, absent inputs have
 * dtype JM_DTYPE_NONE. */
void jm_node_call(const jm_node *node, jm_call *call, jm_tensor *in, jm_tensor *out);
/* jm_op_infer of the node; writes dtypes and shapes (not layouts) back to its output values. */
JM_MUST_USE jm_status jm_node_infer(jm_node *node);
/* Fills tensor.stride and element offset of every value from its layout and view chain; *offset (per value id,
 * caller's array of graph->values) is in elements from the start of the owner's storage. JM_CORRUPT when a view does
 * not lie inside its parent. */
JM_MUST_USE jm_status jm_graph_resolve_views(jm_graph *graph, int64_t *offset);
/* The same for one value whose parent has its strides: fills its own; *start is counted from the parent's start. */
JM_MUST_USE jm_status jm_value_resolve(jm_value *value, int64_t *start);
/* Strides with which plain elements of `shape` lie over those of plain `parent` in row-major order (JM_VIEW_RESHAPE);
 * false when no strides do that or the shapes have different counts. */
bool jm_reshape_strides(const jm_tensor *parent, const jm_shape *shape, int64_t stride[JM_MAX_RANK]);
/* For each value id the id of the owner of the storage that the value lies in, of a graph whose views resolve. Linear,
 * however long the chains of views are. */
void jm_graph_owners(const jm_graph *graph, int32_t *owner);

#endif
