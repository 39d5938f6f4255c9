/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/eager_parts.h"

#include <string.h>

#include "base/memory_plan.h"
#include "ops/complex.h"
#include "ops/evaluate.h"

/* Larger results of constants are computed when the call runs. */
#define MOST_CONSTANT_BYTES ((size_t)1 << 16)
#define NO_STEP UINT32_MAX

/* ---- Operands ---- */

jm_operand *jm_eager_operand_create(jm_eager *eager, const jm_tensor *tensor, jm_place place)
{
    jm_operand *operand = jm_arena_alloc(eager->arena, 1, sizeof(*operand));
    if (!operand) return NULL;
    operand->tensor = *tensor;
    operand->place = place;
    operand->owner = operand;
    operand->first = NO_STEP;
    operand->next = eager->operands;
    eager->operands = operand;
    return operand;
}

/* What no memory holds is refused, so that sums over strides need no check behind this. */
static const int64_t farthest = (int64_t)1 << 48;

static jm_status outside_range(jm_operand *operand)
{
    const jm_tensor *tensor = &operand->tensor;
    size_t span = 1;
    bool empty = false;
    for (int k = 0; k < tensor->shape.rank; k++) {
        const int64_t dim = tensor->shape.dim[k], stride = tensor->stride[k];
        if (stride < 0)
            return jm_error(JM_INVALID_ARGUMENT, "stride[%d] of %s is %lld and must not be negative", k, operand->label,
                            (long long)stride);
        if (stride > farthest / JM_MAX(dim, 1))
            return jm_error(JM_OUT_OF_RANGE, "stride[%d] of %s is %lld and dimension %lld: more than 2^48 elements", k,
                            operand->label, (long long)stride, (long long)dim);
        if (dim == 0)
            empty = true;
        else
            span += (size_t)(dim - 1) * (size_t)stride;
    }
    for (int k = 0; k < tensor->shape.rank && operand->output && !empty; k++)
        if (tensor->shape.dim[k] > 1 && tensor->stride[k] == 0)
            return jm_error(JM_INVALID_ARGUMENT,
                            "stride[%d] of %s is 0 and its dimension %lld; elements that are written must not "
                            "share memory",
                            k, operand->label, (long long)tensor->shape.dim[k]);
    operand->low = operand->high = (uintptr_t)tensor->data;
    if (!empty && !jm_size_add(operand->low, span * jm_dtype_size(tensor->dtype), &operand->high))
        return jm_error(JM_OUT_OF_RANGE, "%s reaches beyond the address space", operand->label);
    return JM_OK;
}

jm_status jm_eager_tensor(jm_eager *eager, const char *label, const jm_tensor *view, unsigned slot, size_t offset,
                          bool output, jm_operand **out)
{
    *out = NULL;
    jm_operand *operand = jm_eager_operand_create(eager, view, PLACE_OUTSIDE);
    if (!operand) return JM_OUT_OF_MEMORY;
    operand->label = label;
    operand->slot = slot;
    operand->offset = offset;
    operand->output = output;
    JM_TRY(outside_range(operand));
    operand->tensor.data = NULL;
    *out = operand;
    return JM_OK;
}

jm_status jm_eager_view(jm_eager *eager, jm_operand *of, const jm_shape *shape, const int64_t *stride, int64_t shift,
                        jm_operand **out)
{
    *out = jm_eager_operand_create(eager, &of->tensor, of->place);
    if (!*out) return JM_OUT_OF_MEMORY;
    size_t bytes = (size_t)shift * jm_dtype_size(of->tensor.dtype);
    jm_operand *next = (*out)->next;
    **out = *of;
    (*out)->next = next;
    (*out)->owner = of->owner;
    (*out)->offset = of->offset + bytes;
    (*out)->low = of->low + bytes;
    (*out)->tensor.shape = *shape;
    if (of->tensor.data) (*out)->tensor.data = (char *)of->tensor.data + bytes;
    memcpy((*out)->tensor.stride, stride, (size_t)shape->rank * sizeof(*stride));
    return JM_OK;
}

static jm_operand *builder_input(jm_builder *builder, int i)
{
    const jm_eager_frame *top = &((jm_eager *)builder)->top;
    return i < top->inputs ? top->in[i] : NULL;
}

static jm_operand *builder_output(jm_builder *builder, int i)
{
    const jm_eager_frame *top = &((jm_eager *)builder)->top;
    return i < top->outputs ? top->out[i] : NULL;
}

static const jm_tensor *builder_tensor(jm_builder *builder, const jm_operand *operand)
{
    (void)builder;
    return &operand->tensor;
}

static jm_status builder_constant(jm_builder *builder, jm_dtype dtype, const jm_shape *shape, const void *data,
                                  jm_operand **out)
{
    jm_eager *eager = (jm_eager *)builder;
    jm_tensor tensor;
    size_t bytes;
    JM_TRY(jm_tensor_init(&tensor, dtype, shape, JM_PLAIN, NULL));
    JM_TRY(jm_tensor_bytes(&tensor, &bytes));
    tensor.data = jm_arena_alloc(eager->arena, JM_MAX(bytes, 64), 1);
    tensor.constant = true;
    if (!tensor.data) return JM_OUT_OF_MEMORY;
    if (bytes) memcpy(tensor.data, data, bytes);
    *out = jm_eager_operand_create(eager, &tensor, PLACE_CONSTANT);
    return *out ? JM_OK : JM_OUT_OF_MEMORY;
}

/* ---- Nodes ---- */

void jm_eager_call_of(const jm_eager *eager, const jm_eager_call *n, jm_call *call, jm_tensor *in, jm_tensor *out)
{
    for (int i = 0; i < n->inputs; i++) in[i] = n->in[i] ? n->in[i]->tensor : (jm_tensor){.dtype = JM_DTYPE_NONE};
    for (int i = 0; i < n->outputs; i++) out[i] = n->out[i] ? n->out[i]->tensor : (jm_tensor){.dtype = JM_DTYPE_NONE};
    *call = (jm_call){.op = n->op,
                      .name = eager->name,
                      .inputs = n->inputs,
                      .outputs = n->outputs,
                      .in = in,
                      .out = out,
                      .attr = n->attr};
}

static jm_status copy_attr(jm_eager *eager, jm_param_kind kind, jm_attr *attr)
{
    const void *from = kind == JM_PARAM_INTS ? (const void *)attr->ints : attr->floats;
    if (kind == JM_PARAM_STRING) {
        attr->s = jm_arena_strdup(eager->arena, attr->s);
        return attr->s ? JM_OK : JM_OUT_OF_MEMORY;
    }
    if ((kind != JM_PARAM_INTS && kind != JM_PARAM_FLOATS) || attr->count == 0) return JM_OK;
    int64_t *copy = jm_arena_alloc(eager->arena, (size_t)attr->count, sizeof(*copy));
    if (!copy) return JM_OUT_OF_MEMORY;
    memcpy(copy, from, (size_t)attr->count * sizeof(*copy)); /* int64 and double have one size */
    attr->ints = copy;
    return JM_OK;
}

static jm_status set_attrs(jm_eager *eager, jm_eager_call *n, const jm_named_attr *attr, int attrs)
{
    n->attr = jm_arena_alloc(eager->arena, (size_t)jm_op_attrs(n->op) + 1, sizeof(*n->attr));
    if (!n->attr) return JM_OUT_OF_MEMORY;
    for (int i = 0; i < attrs; i++) {
        int index = jm_op_attr_index(n->op, attr[i].name);
        if (index < 0)
            return jm_error(JM_INTERNAL, "%s: the operator %s has no attribute '%s'", eager->name, n->op->name,
                            attr[i].name);
        n->attr[index] = attr[i].value;
        n->attr[index].present = true;
        JM_TRY(copy_attr(eager, jm_op_attr(n->op, index)->kind, &n->attr[index]));
    }
    jm_op_attr_defaults(n->op, n->attr);
    return JM_OK;
}

static bool is_counted(const jm_op *op, int output)
{
    return output < jm_op_outputs(op) && jm_op_output(op, output)->flags & JM_COUNTED;
}

/* An attribute turns the output off. */
static bool is_off(const jm_eager_call *n, int output, const jm_tensor *want)
{
    return output < jm_op_outputs(n->op) && jm_op_output(n->op, output)->flags & JM_SWITCHED && want->shape.rank == 1 &&
           want->shape.dim[0] == 0;
}

/* A result of one element fits any tensor of the caller with one. */
static bool same_single(const jm_tensor *a, const jm_tensor *b)
{
    return jm_tensor_elements(a) == 1 && jm_tensor_elements(b) == 1;
}

/* Operands for new results; for those of the caller, that they are what the operator gives. */
static jm_status settle_outputs(jm_eager *eager, jm_eager_call *n, const jm_call *call)
{
    for (int i = 0; i < n->outputs; i++) {
        const jm_tensor *want = &call->out[i];
        if (!jm_shape_known(&want->shape))
            return jm_call_error(call, JM_UNSUPPORTED, "the shape of output %d depends on data", i);
        if (!n->out[i] || is_off(n, i, want)) {
            n->out[i] = jm_eager_operand_create(eager, want, PLACE_WORKSPACE);
            if (!n->out[i]) return JM_OUT_OF_MEMORY;
            continue;
        }
        const jm_tensor *have = &n->out[i]->tensor;
        bool equal = jm_shape_equal(&have->shape, &want->shape);
        bool outside = n->out[i]->place == PLACE_OUTSIDE && !is_counted(n->op, i);
        bool convert = outside && (have->dtype != want->dtype || !equal);
        if ((have->dtype == want->dtype || convert) && (equal || (convert && same_single(have, want)))) {
            if (convert) n->out[i] = jm_eager_operand_create(eager, want, PLACE_WORKSPACE);
            if (!n->out[i]) return JM_OUT_OF_MEMORY;
            continue;
        }
        char have_text[JM_SHAPE_TEXT], want_text[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is %s %s and must be %s %s",
                             n->out[i]->label ? n->out[i]->label : "an output", jm_dtype_text(have->dtype),
                             jm_shape_text(&have->shape, have_text), jm_dtype_text(want->dtype),
                             jm_shape_text(&want->shape, want_text));
    }
    return JM_OK;
}

static bool all_constant(const jm_eager_call *n)
{
    int present = 0;
    for (int i = 0; i < n->inputs; i++) {
        if (!n->in[i]) continue;
        if (n->in[i]->place != PLACE_CONSTANT) return false;
        present++;
    }
    size_t bytes = 0, total = 0;
    for (int i = 0; i < n->outputs; i++) {
        if (n->out[i]->place != PLACE_WORKSPACE || n->out[i]->owner != n->out[i]) return false;
        if (jm_tensor_bytes(&n->out[i]->tensor, &bytes) != JM_OK || !jm_size_add(total, bytes, &total)) return false;
    }
    return present > 0 && total <= MOST_CONSTANT_BYTES;
}

static jm_status compute_now(jm_eager *eager, jm_eager_call *n, const jm_call *call)
{
    void *out[JM_MAX_ARGUMENTS], *in[JM_MAX_ARGUMENTS];
    for (int i = 0; i < n->inputs; i++) in[i] = call->in[i].data;
    for (int i = 0; i < n->outputs; i++) {
        size_t bytes;
        JM_TRY(jm_tensor_bytes(&call->out[i], &bytes));
        out[i] = jm_arena_alloc(eager->arena, JM_MAX(bytes, 64), 1);
        if (!out[i]) return JM_OUT_OF_MEMORY;
    }
    JM_TRY(jm_op_evaluate(call, in, out));
    for (int i = 0; i < n->outputs; i++) {
        n->out[i]->place = PLACE_CONSTANT;
        n->out[i]->tensor.data = out[i];
        n->out[i]->tensor.constant = true;
    }
    return JM_OK;
}

static bool nothing_to_do(const jm_eager_call *n)
{
    for (int i = 0; i < n->outputs; i++)
        if (jm_tensor_elements(&n->out[i]->tensor) > 0) return false;
    return true;
}

static void append(jm_eager *eager, jm_eager_call *n)
{
    *eager->tail = n;
    eager->tail = &n->next;
    eager->steps++;
}

static jm_status lower(jm_eager *eager, jm_eager_call *n, const jm_call *call)
{
    enum { DEEPEST = 16 };
    jm_eager_frame outer = eager->top;
    if (eager->depth == DEEPEST) return jm_call_error(call, JM_INTERNAL, "composite operators contain each other");
    eager->top = (jm_eager_frame){n->in, n->out, n->inputs, n->outputs};
    eager->depth++;
    jm_status status = n->op->lower(call, &eager->base);
    eager->depth--;
    eager->top = outer;
    return status;
}

static jm_status convert_into(jm_eager *eager, jm_operand *from, jm_operand *to)
{
    const int64_t stride[JM_MAX_RANK] = {0}; /* of one element, where the shapes differ */
    if (!jm_shape_equal(&from->tensor.shape, &to->tensor.shape))
        JM_TRY(jm_eager_view(eager, from, &to->tensor.shape, stride, 0, &from));
    if (from->tensor.dtype == to->tensor.dtype)
        return jm_eager_node(eager, jm_op_find("Identity"), &from, 1, NULL, 0, &to, 1);
    jm_named_attr dtype = {"to", {.count = 1, .dtype = to->tensor.dtype}};
    return jm_eager_node(eager, jm_op_find("Cast"), &from, 1, &dtype, 1, &to, 1);
}

static bool is_complex(jm_dtype dtype)
{
    return dtype >= 0 && JM_DTYPES_COMPLEX >> dtype & 1;
}

/* The operator that computes on these elements: another one where they, or the type that is asked for, are complex. */
static const jm_op *settle_op(const jm_op *op, jm_operand *const *in, int inputs, const jm_named_attr *attr, int attrs)
{
    bool complex_ = false;
    for (int i = 0; i < inputs; i++) complex_ = complex_ || (in[i] && is_complex(in[i]->tensor.dtype));
    for (int i = 0; i < attrs; i++) {
        const int index = jm_op_attr_index(op, attr[i].name);
        if (index >= 0 && jm_op_attr(op, index)->kind == JM_PARAM_DTYPE)
            complex_ = complex_ || is_complex(attr[i].value.dtype);
    }
    if (!complex_ || op->dtypes & JM_DTYPES_COMPLEX) return op;
    const jm_op *other = jm_op_complex(op);
    return other ? other : op;
}

jm_status jm_eager_node(jm_eager *eager, const jm_op *op, jm_operand *const *in, int inputs, const jm_named_attr *attr,
                        int attrs, jm_operand **out, int outputs)
{
    if (inputs > JM_MAX_ARGUMENTS || outputs > JM_MAX_ARGUMENTS)
        return jm_error(JM_UNSUPPORTED, "%s: %d inputs and %d outputs of %s; the limit is %d", eager->name, inputs,
                        outputs, op->name, JM_MAX_ARGUMENTS);
    op = settle_op(op, in, inputs, attr, attrs);
    jm_eager_call *n = jm_arena_alloc(eager->arena, 1, sizeof(*n));
    if (!n) return JM_OUT_OF_MEMORY;
    n->op = op;
    n->inputs = inputs;
    n->outputs = outputs;
    n->in = jm_arena_alloc(eager->arena, (size_t)inputs + 1, sizeof(*n->in));
    n->out = jm_arena_alloc(eager->arena, (size_t)outputs + 1, sizeof(*n->out));
    if (!n->in || !n->out) return JM_OUT_OF_MEMORY;
    if (inputs) memcpy(n->in, in, (size_t)inputs * sizeof(*in));
    if (outputs) memcpy(n->out, out, (size_t)outputs * sizeof(*out));
    JM_TRY(set_attrs(eager, n, attr, attrs));

    jm_tensor in_tensor[JM_MAX_ARGUMENTS], out_tensor[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_eager_call_of(eager, n, &call, in_tensor, out_tensor);
    JM_TRY(jm_op_infer(&call));
    JM_TRY(settle_outputs(eager, n, &call));
    if (nothing_to_do(n)) {
        memcpy(out, n->out, (size_t)outputs * sizeof(*out));
        return JM_OK;
    }
    if (op->lower && !op->plan)
        JM_TRY(lower(eager, n, &call));
    else if (all_constant(n))
        JM_TRY(compute_now(eager, n, &call));
    else
        append(eager, n);
    for (int i = 0; i < outputs; i++) {
        if (out[i] && out[i] != n->out[i] && !is_off(n, i, &n->out[i]->tensor))
            JM_TRY(convert_into(eager, n->out[i], out[i]));
        out[i] = n->out[i];
    }
    return JM_OK;
}

static jm_status builder_node(jm_builder *builder, const jm_op *op, jm_operand *const *in, int inputs,
                              const jm_named_attr *attr, int attrs, jm_operand **out, int outputs)
{
    return jm_eager_node((jm_eager *)builder, op, in, inputs, attr, attrs, out, outputs);
}

/* ---- Creation ---- */

jm_status jm_eager_create(const jm_machine *machine, const char *name, jm_eager **out)
{
    static const jm_builder_methods methods = {.input = builder_input,
                                               .output = builder_output,
                                               .tensor = builder_tensor,
                                               .constant = builder_constant,
                                               .node = builder_node};
    *out = NULL;
    jm_arena *arena;
    JM_TRY(jm_arena_create(&arena));
    jm_eager *eager = jm_arena_alloc(arena, 1, sizeof(*eager));
    if (!eager) {
        jm_arena_destroy(arena);
        return JM_OUT_OF_MEMORY;
    }
    *eager = (jm_eager){.base = {&methods}, .arena = arena, .name = name, .machine = *machine};
    eager->tail = &eager->first;
    *out = eager;
    return JM_OK;
}

void jm_eager_destroy(jm_eager *eager)
{
    if (eager) jm_arena_destroy(eager->arena);
}

jm_builder *jm_eager_builder(jm_eager *eager)
{
    return &eager->base;
}

/* ---- Outputs that lie over inputs ---- */

static bool overlap(const jm_operand *a, const jm_operand *b)
{
    return a->low < b->high && b->low < a->high;
}

static bool same_elements(const jm_operand *a, const jm_operand *b)
{
    if (a->low != b->low || !jm_shape_equal(&a->tensor.shape, &b->tensor.shape)) return false;
    if (jm_dtype_size(a->tensor.dtype) != jm_dtype_size(b->tensor.dtype)) return false;
    for (int k = 0; k < a->tensor.shape.rank; k++)
        if (a->tensor.shape.dim[k] > 1 && a->tensor.stride[k] != b->tensor.stride[k]) return false;
    return true;
}

static bool is_reference(const jm_op *op, int output)
{
    return output < jm_op_outputs(op) && jm_op_output(op, output)->flags & JM_REFERENCE;
}

/* The input that output `o`, a reference, changes. */
static int referred_input(const jm_op *op, int o)
{
    int i = 0;
    while (i < jm_op_inputs(op) && strcmp(jm_op_input(op, i)->name, jm_op_output(op, o)->name) != 0) i++;
    return i;
}

/* Input `i` is read only where it is an output, so that writing another one does not matter to it. */
static bool is_referred(const jm_op *op, int i)
{
    for (int o = 0; o < jm_op_outputs(op); o++)
        if (is_reference(op, o) && referred_input(op, o) == i) return true;
    return false;
}

/* The operator may write output `o` exactly over its input `i`: its form says so, or it looks at nothing but that
 * element. */
static bool may_write_over(const jm_eager_call *n, const jm_form *form, int o, int i)
{
    return o == 0 && (form->in_place == i || (n->op->pointwise && form->in_place >= 0));
}

/* Whether output `o` of n may be written at once: nobody will read what lies there now. */
static bool may_write(const jm_eager_call *n, const jm_form *form, int o)
{
    const jm_operand *out = n->out[o];
    if (!form->out_strided && !jm_tensor_contiguous(&out->tensor)) return false;
    for (const jm_eager_call *reader = n; reader; reader = reader->next) {
        for (int i = 0; i < reader->inputs; i++) {
            const jm_operand *in = reader->in[i];
            if (!in || in->place != PLACE_OUTSIDE || in->owner == out->owner || !overlap(in, out)) continue;
            if (is_referred(reader->op, i))
                continue; /* it reads where it writes: after this one, what this one wrote */
            if (reader != n || !same_elements(in, out) || !may_write_over(n, form, o, i)) return false;
        }
    }
    return true;
}

jm_eager_call *jm_eager_call_create(jm_eager *eager, const char *op, jm_operand *from, jm_operand *to)
{
    jm_eager_call *n = jm_arena_alloc(eager->arena, 1, sizeof(*n));
    jm_operand **arguments = jm_arena_alloc(eager->arena, 2, sizeof(*arguments));
    if (!n || !arguments) return NULL;
    arguments[0] = from;
    arguments[1] = to;
    n->op = settle_op(jm_op_find(op), &from, 1, NULL, 0);
    n->inputs = n->outputs = 1;
    n->in = &arguments[0];
    n->out = &arguments[1];
    return n;
}

/* Output `o` of n goes to the workspace first; a copy at the end brings it where it belongs. That is not known when the
 * node is planned if the shape depends on data. A reference begins with
 * what it refers to, copied by a node in front of n, at `link`. */
static jm_status redirect(jm_eager *eager, jm_eager_call **link, jm_eager_call *n, int o)
{
    jm_operand *out = n->out[o];
    jm_tensor tensor;
    if (is_counted(n->op, o))
        return jm_error(JM_INVALID_ARGUMENT, "%s: %s lies over an input; its shape depends on data, so it must not",
                        eager->name, out->label);
    JM_TRY(jm_tensor_init(&tensor, out->tensor.dtype, &out->tensor.shape, JM_PLAIN, NULL));
    jm_operand *temporary = jm_eager_operand_create(eager, &tensor, PLACE_WORKSPACE);
    if (!temporary) return JM_OUT_OF_MEMORY;
    n->out[o] = temporary;
    for (jm_eager_call *reader = n->next; reader; reader = reader->next)
        for (int i = 0; i < reader->inputs; i++)
            if (reader->in[i] == out) reader->in[i] = temporary;
    jm_eager_call *copy = jm_eager_call_create(eager, "Identity", temporary, out);
    if (!copy) return JM_OUT_OF_MEMORY;
    append(eager, copy);
    if (!is_reference(n->op, o)) return JM_OK;
    jm_eager_call *before = jm_eager_call_create(eager, "Identity", n->in[referred_input(n->op, o)], temporary);
    if (!before) return JM_OUT_OF_MEMORY;
    before->next = *link;
    *link = before;
    eager->steps++;
    return JM_OK;
}

static jm_status settle_overlaps(jm_eager *eager)
{
    const size_t nodes = eager->steps;
    jm_eager_call **link = &eager->first;
    for (size_t i = 0; i < nodes; i++, link = &(*link)->next) {
        jm_eager_call *n = *link;
        jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
        jm_form form;
        jm_call call;
        if (n->packs) continue;
        jm_eager_call_of(eager, n, &call, in, out);
        JM_TRY(jm_op_form(&call, n->form, &form));
        for (int o = 0; o < n->outputs; o++)
            if (n->out[o]->place == PLACE_OUTSIDE && !may_write(n, &form, o)) JM_TRY(redirect(eager, link, n, o));
        while (*link != n) link = &(*link)->next;
    }
    return JM_OK;
}

/* ---- Plan ---- */

static void touch(jm_operand *operand, uint32_t step)
{
    if (!operand || operand->owner->place != PLACE_WORKSPACE) return;
    operand->owner->first = JM_MIN(operand->owner->first, step);
    operand->owner->last = JM_MAX(operand->owner->last, step);
}

static jm_status plan_packing(jm_eager *eager, jm_eager_call *n)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_form form;
    jm_call call;
    jm_eager_call_of(eager, n->packs, &call, in, out);
    JM_TRY(jm_op_form(&call, n->packs->form, &form));
    in[n->packed_input] = n->in[0]->tensor;
    n->run = call.op->pack_run;
    return call.op->pack_plan(&call, &form, n->packed_input, &eager->machine, eager->arena, &n->plan);
}

static jm_status plan_call(jm_eager *eager, jm_eager_call *n)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_form form;
    jm_call call;
    jm_eager_call_of(eager, n, &call, in, out);
    JM_TRY(jm_op_form(&call, n->form, &form));
    n->run = n->op->run;
    return jm_op_plan(&call, &form, &eager->machine, eager->arena, &n->plan);
}

/* Results between steps, and what steps need besides, share the workspace. */
static jm_status place_workspace(jm_eager *eager, size_t *total)
{
    size_t count = 0, bound;
    for (const jm_operand *o = eager->operands; o; o = o->next) count += o->first != NO_STEP;
    for (size_t i = 0; i < eager->steps; i++) count += eager->step[i]->plan.workspace > 0;
    jm_plan_buffer *buffer = jm_arena_alloc(eager->arena, count + 1, sizeof(*buffer)), *next = buffer;
    if (!buffer) return JM_OUT_OF_MEMORY;
    for (const jm_operand *o = eager->operands; o; o = o->next) {
        if (o->first == NO_STEP) continue;
        next->first = o->first;
        next->last = o->last;
        if (o->packed)
            next++->size = o->packed;
        else
            JM_TRY(jm_tensor_bytes(&o->tensor, &next++->size));
    }
    for (size_t i = 0; i < eager->steps; i++) {
        if (!eager->step[i]->plan.workspace) continue;
        *next++ = (jm_plan_buffer){.size = eager->step[i]->plan.workspace, .first = (uint32_t)i, .last = (uint32_t)i};
    }
    JM_TRY(jm_memory_plan(buffer, count, total, &bound));
    next = buffer;
    for (jm_operand *o = eager->operands; o; o = o->next)
        if (o->first != NO_STEP) o->offset = next++->offset;
    for (size_t i = 0; i < eager->steps; i++)
        if (eager->step[i]->plan.workspace) eager->step[i]->workspace = next++->offset;
    return JM_OK;
}

jm_status jm_eager_finish(jm_eager *eager, size_t *workspace)
{
    size_t total = 0, scratch;
    *workspace = 0;
    JM_TRY(jm_eager_choose_forms(eager));
    JM_TRY(settle_overlaps(eager));
    if (eager->steps >= NO_STEP) return jm_error(JM_OUT_OF_RANGE, "%s: too many steps", eager->name);
    eager->step = jm_arena_alloc(eager->arena, eager->steps + 1, sizeof(*eager->step));
    if (!eager->step) return JM_OUT_OF_MEMORY;
    uint32_t step = 0;
    for (jm_eager_call *n = eager->first; n; n = n->next, step++) {
        eager->step[step] = n;
        JM_TRY(n->packs ? plan_packing(eager, n) : plan_call(eager, n));
        eager->scratch_each = JM_MAX(eager->scratch_each, n->plan.scratch);
        for (int i = 0; i < n->inputs; i++) touch(n->in[i], step);
        for (int i = 0; i < n->outputs; i++) touch(n->out[i], step);
    }
    JM_TRY(place_workspace(eager, &total));
    if (!jm_size_round_up(eager->scratch_each, 64, &eager->scratch_each) || !jm_size_round_up(total, 64, &total) ||
        !jm_size_mul(eager->scratch_each, JM_MAX(eager->machine.threads, 1), &scratch) ||
        !jm_size_add(total, scratch, workspace))
        return jm_error(JM_OUT_OF_RANGE, "%s: the workspace does not fit the address space", eager->name);
    eager->scratch = total;
    return JM_OK;
}

/* ---- Run ---- */

size_t jm_eager_steps(const jm_eager *eager)
{
    return eager->steps;
}

size_t jm_eager_chunks(const jm_eager *eager, size_t step)
{
    return eager->step[step]->plan.chunks;
}

/* A workspace of no bytes has no address. */
static void *inside_of(void *workspace, size_t offset)
{
    return workspace ? (char *)workspace + offset : NULL;
}

static void *address_of(const jm_operand *operand, void *const *address, void *workspace)
{
    if (!operand) return NULL;
    switch (operand->place) {
    case PLACE_OUTSIDE:
        return (char *)address[operand->slot] + operand->offset;
    case PLACE_WORKSPACE: {
        size_t inside = operand == operand->owner ? 0 : operand->offset;
        return inside_of(workspace, operand->owner->offset + inside);
    }
    default:
        return operand->tensor.data;
    }
}

void jm_eager_run(const jm_eager *eager, size_t step, size_t chunk, unsigned core, void *const *address,
                  void *workspace, atomic_int *fault)
{
    const jm_eager_call *n = eager->step[step];
    void *in[JM_MAX_ARGUMENTS], *out[JM_MAX_ARGUMENTS];
    for (int i = 0; i < n->inputs; i++) in[i] = address_of(n->in[i], address, workspace);
    for (int i = 0; i < n->outputs; i++) out[i] = address_of(n->out[i], address, workspace);
    const jm_run run = {.in = in,
                        .out = out,
                        .scratch = inside_of(workspace, eager->scratch + core * eager->scratch_each),
                        .workspace = inside_of(workspace, n->workspace),
                        .chunk = chunk,
                        .fault = fault};
    n->run(&n->plan, &run);
}
