/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that run without a graph: a builder collects them, jm_eager_finish plans them once, and then they run on any
 * addresses, any number of times, on several cores and streams at the same time.
 *
 *     jm_eager_create -> jm_eager_tensor ... -> jm_builder_node ... -> jm_eager_finish -> jm_eager_run, by step and
 * chunk
 *
 * Tensors of the caller are views of any strides. An output may lie over an input in any way: where an operator cannot
 * write there directly, it writes into the workspace and the result is copied when everything has been read. Calls
 * whose inputs are all constants are computed at once, calls without a result are left out.
 *
 * Building is the work of one thread; a finished object is immutable.
 */
#ifndef JUMAR_OPS_EAGER_H
#define JUMAR_OPS_EAGER_H

#include "ops/builder.h"

typedef struct jm_eager jm_eager;

/* `name` is put into messages ("Add 'aclnnAdd': ..."); it must outlive the object. *out is NULL on failure. */
JM_MUST_USE jm_status jm_eager_create(const jm_machine *machine, const char *name, jm_eager **out);
/* Accepts NULL. */
void jm_eager_destroy(jm_eager *eager);
/* For jm_builder_node, jm_builder_constant and jm_builder_tensor; it has no inputs and outputs of its own. */
jm_builder *jm_eager_builder(jm_eager *eager);

/* A plain tensor of the caller. view->data is where it lies now: it decides which outputs lie over which inputs. At run
 * time it lies `offset` bytes behind address[slot]. `output`: it is written by exactly one node, and read by others
 * only after that; several may change it in place (JM_REFERENCE), one after the other. JM_OUT_OF_RANGE: the view does
 * not fit the address space. JM_INVALID_ARGUMENT: a negative stride; an output with a stride of 0. `label` is its name
 * in messages, read until jm_eager_finish. */
JM_MUST_USE jm_status jm_eager_tensor(jm_eager *eager, const char *label, const jm_tensor *view, unsigned slot,
                                      size_t offset, bool output, jm_operand **out);
/* The elements of an operand under another plain shape and strides, `shift` elements further on. The caller has checked
 * that they are inside it. */
JM_MUST_USE jm_status jm_eager_view(jm_eager *eager, jm_operand *of, const jm_shape *shape, const int64_t *stride,
                                    int64_t shift, jm_operand **out);
/* As jm_builder_node with this operator. A tensor of the caller as output may have another dtype than the result, and
 * another shape where both have one element: the result is converted, and out[i] becomes the result itself. */
JM_MUST_USE jm_status jm_eager_node(jm_eager *eager, const jm_op *op, jm_operand *const *in, int inputs,
                                    const jm_named_attr *attr, int attrs, jm_operand **out, int outputs);

/* Plans. *workspace is the memory that a run needs, 0 when there is nothing to do. Nothing may be added afterwards. */
JM_MUST_USE jm_status jm_eager_finish(jm_eager *eager, size_t *workspace);
size_t jm_eager_steps(const jm_eager *eager);
size_t jm_eager_chunks(const jm_eager *eager, size_t step);
/* One chunk of one step; all chunks of a step come before the next step. `core` is below machine->threads and not used
 * by two calls at the same time with one workspace (64-byte aligned). A bad value found in data is stored in *fault. */
void jm_eager_run(const jm_eager *eager, size_t step, size_t chunk, unsigned core, void *const *address,
                  void *workspace, atomic_int *fault);

#endif
