/* SPDX-License-Identifier: Apache-2.0
 *
 * One ONNX node becomes nodes of ours. Nodes arrive in execution order and every shape is known at once, so that a
 * conversion sees the shapes and constants of its inputs and never has to be undone.
 */
#ifndef JUMAR_COMPILER_ONNX_CONVERT_H
#define JUMAR_COMPILER_ONNX_CONVERT_H

#include "compiler/graph.h"
#include "compiler/onnx/proto.h"
#include "compiler/onnx/tensor.h"

struct onnx_import;
struct onnx_scope;

/* A node being converted. */
typedef struct onnx_call {
    struct onnx_import *import;
    const struct onnx_scope *scope;
    bool blocked; /* a graph inside of it needs an unsupported node: outputs stay NULL, which is no error */
    jm_graph *graph;
    onnx_files *files;
    const onnx_node *node;
    const char *name; /* of the node, or of its first output when it has none */
    int64_t opset;    /* of the node's domain */
    size_t inputs;
    jm_value **in; /* NULL: absent */
    size_t outputs;
    jm_value **out; /* the result: one value for every output that has a name */
} onnx_call;

/* How operators differ from the plain case, where names of inputs and attributes are ours. */
typedef struct onnx_rule {
    const char *op;
    const char *inputs; /* names of inputs that we or some versions have as attributes: ",min,max"; or NULL */
    jm_status (*convert)(onnx_call *call); /* NULL: onnx_convert_plain */
} onnx_rule;

/* rules.c. The rule of an operator of the domain "", or NULL. */
const onnx_rule *onnx_rule_find(const char *op);

/* control.c */
JM_MUST_USE jm_status onnx_convert_if(onnx_call *call);
JM_MUST_USE jm_status onnx_convert_loop(onnx_call *call);
JM_MUST_USE jm_status onnx_convert_scan(onnx_call *call);

/* True when the node's operator and domain are known. */
bool onnx_node_known(const onnx_node *node);
/* Converts one node. JM_UNSUPPORTED: a part of it is not implemented. */
JM_MUST_USE jm_status onnx_convert(onnx_call *call);

/* ---- For the rules ---- */

/* jm_error with "<Op> '<name>': " in front. */
JM_MUST_USE JM_PRINTF(3, 4) jm_status onnx_error(const onnx_call *call, jm_status code, const char *format, ...);
/* The i-th input, or NULL. */
jm_value *onnx_in(const onnx_call *call, size_t i);
/* True when output `i` has a name. */
bool onnx_wants(const onnx_call *call, size_t i);
/* An attribute by name and type, or NULL. */
const onnx_attr *onnx_attr_find(const onnx_call *call, const char *name, onnx_attr_type type);
int64_t onnx_attr_int(const onnx_call *call, const char *name, int64_t fallback);
double onnx_attr_float(const onnx_call *call, const char *name, double fallback);
const char *onnx_attr_text(const onnx_call *call, const char *name, const char *fallback);

/* Inputs in order (or where the rule's names put them) and attributes by name; an attribute that our operator takes as
 * an input becomes a constant, a constant input that it takes as an attribute becomes one. */
JM_MUST_USE jm_status onnx_convert_plain(onnx_call *call);
/* The same into the operator `op`. */
JM_MUST_USE jm_status onnx_convert_as(onnx_call *call, const char *op);

/* A new node of our operator `op` with `outputs` new values; the caller sets attributes, then calls onnx_settle.
 * `last`: the values are the outputs of the ONNX node and take their names. */
JM_MUST_USE jm_status onnx_emit(onnx_call *call, const char *op, jm_value *const *in, int inputs, int outputs,
                                bool last, jm_node **out);
/* Shapes and folding of an emitted node; values that became constants stay the same objects. */
JM_MUST_USE jm_status onnx_settle(onnx_call *call, jm_node *node);
/* Gives the node the attribute of that name that the ONNX node has, if it has one. */
JM_MUST_USE jm_status onnx_copy_attr(onnx_call *call, jm_node *node, const char *name);
/* One output, no attributes: *out = op(in...). `out` may be NULL. */
JM_MUST_USE jm_status onnx_apply(onnx_call *call, const char *op, jm_value *const *in, int inputs, bool last,
                                 jm_value **out);
/* An int64 list as a constant. NULL when memory runs out. */
jm_value *onnx_ints(onnx_call *call, const int64_t *values, int count);
/* A scalar constant of the type. NULL when memory runs out. */
jm_value *onnx_scalar(onnx_call *call, jm_dtype dtype, double value);
/* *out is `value` in another shape of as many elements. `out` may be NULL. */
JM_MUST_USE jm_status onnx_reshape(onnx_call *call, jm_value *value, const jm_shape *shape, bool last, jm_value **out);
/* The pieces behind each other along an axis, in groups when they are many. Overwrites `in`. */
JM_MUST_USE jm_status onnx_concat(onnx_call *call, jm_value **in, size_t inputs, int64_t axis, bool last,
                                  jm_value **out);
/* Puts the nodes of a graph inside of the node here. `in` are its inputs, `out` gets its outputs: an inner name may
 * stand for any value, also for one from outside. Sets call->blocked. JM_UNSUPPORTED: too deep, or too many nodes. */
JM_MUST_USE jm_status onnx_inline(onnx_call *call, const onnx_graph *graph, jm_value *const *in, size_t inputs,
                                  jm_value **out);
/* Integers of a constant input or, in older versions, of an attribute: `count` is -1 when there is neither. */
JM_MUST_USE jm_status onnx_ints_of(const onnx_call *call, size_t input, const char *attr, int64_t *values, int limit,
                                   int *count);

#endif
