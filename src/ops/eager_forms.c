/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/eager_parts.h"
#include "ops/move.h"

static bool is_blocked(const jm_form *form, jm_layout layout, int i, const jm_tensor *tensor)
{
    return layout == JM_C16 && tensor->shape.rank >= 3 && !(form->in_plain >> i & 1) && !tensor->constant;
}

/* Nanoseconds that a form takes with what must be packed and moved for it; all tensors are plain yet. */
static jm_status form_cost(const jm_call *call, const jm_form *form, double *cost)
{
    const double pack_bandwidth = 10; /* bytes a nanosecond */
    *cost = form->cost;
    for (int i = 0; i < call->inputs; i++) {
        const jm_tensor *in = jm_call_in(call, i);
        size_t bytes;
        if (in && form->in_packed >> i & 1) {
            JM_TRY(call->op->pack_bytes(call, form, i, &bytes));
            *cost += 500 + (double)bytes / pack_bandwidth;
        } else if (in && is_blocked(form, form->in, i, in)) {
            *cost += jm_move_cost(in->dtype, jm_tensor_elements(in));
        }
    }
    for (int i = 0; i < call->outputs && form->out == JM_C16; i++)
        *cost += jm_move_cost(call->out[i].dtype, jm_tensor_elements(&call->out[i]));
    return JM_OK;
}

/* Every form whose packed inputs are as they would be: constant. */
static jm_status cheapest(const jm_call *call, jm_form *best)
{
    jm_form forms[JM_MAX_FORMS];
    const int count = jm_op_forms(call, forms);
    double least = 0;
    for (int f = 0; f < count; f++) {
        double cost;
        JM_TRY(form_cost(call, &forms[f], &cost));
        if (f > 0 && cost >= least) continue;
        least = cost;
        *best = forms[f];
    }
    return JM_OK;
}

static void insert(jm_eager *eager, jm_eager_call ***link, jm_eager_call *n)
{
    n->next = **link;
    **link = n;
    *link = &n->next;
    eager->steps++;
}

/* A plain tensor brought into blocks, by a call in front of *link. */
static jm_status block_input(jm_eager *eager, jm_eager_call ***link, jm_operand **operand)
{
    enum { PLAIN_TO_C16 = 2 }; /* form of Reorder */
    jm_tensor tensor;
    JM_TRY(jm_tensor_init(&tensor, (*operand)->tensor.dtype, &(*operand)->tensor.shape, JM_C16, NULL));
    jm_operand *blocked = jm_eager_operand_create(eager, &tensor, PLACE_WORKSPACE);
    jm_eager_call *n = blocked ? jm_eager_call_create(eager, "Reorder", *operand, blocked) : NULL;
    if (!n) return JM_OUT_OF_MEMORY;
    n->form = PLAIN_TO_C16;
    insert(eager, link, n);
    *operand = blocked;
    return JM_OK;
}

static jm_status pack_input(jm_eager *eager, jm_eager_call ***link, jm_eager_call *n, const jm_call *call,
                            const jm_form *form, int i)
{
    jm_tensor tensor = n->in[i]->tensor;
    tensor.layout = JM_PACKED;
    tensor.constant = true;
    tensor.data = NULL;
    jm_operand *packed = jm_eager_operand_create(eager, &tensor, PLACE_WORKSPACE);
    jm_eager_call *packing = packed ? jm_eager_call_create(eager, n->op->name, n->in[i], packed) : NULL;
    if (!packing) return JM_OUT_OF_MEMORY;
    JM_TRY(call->op->pack_bytes(call, form, i, &packed->packed));
    packing->packs = n;
    packing->packed_input = i;
    insert(eager, link, packing);
    n->in[i] = packed;
    return JM_OK;
}

/* The output is written in blocks, and a call behind n brings it where it belongs. */
static jm_status unblock_output(jm_eager *eager, jm_eager_call *n, jm_operand **operand)
{
    enum { C16_TO_PLAIN = 1 }; /* form of Reorder */
    jm_tensor tensor;
    JM_TRY(jm_tensor_init(&tensor, (*operand)->tensor.dtype, &(*operand)->tensor.shape, JM_C16, NULL));
    jm_operand *blocked = jm_eager_operand_create(eager, &tensor, PLACE_WORKSPACE);
    jm_eager_call *move = blocked ? jm_eager_call_create(eager, "Reorder", blocked, *operand) : NULL;
    if (!move) return JM_OUT_OF_MEMORY;
    move->form = C16_TO_PLAIN;
    move->next = n->next;
    n->next = move;
    if (eager->tail == &n->next) eager->tail = &move->next;
    eager->steps++;
    *operand = blocked;
    return JM_OK;
}

static jm_status choose(jm_eager *eager, jm_eager_call **link, jm_eager_call *n)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_eager_call_of(eager, n, &call, in, out);
    for (int i = 0; i < n->inputs; i++)
        in[i].constant = in[i].constant || (i < jm_op_inputs(n->op) && jm_op_input(n->op, i)->flags & JM_PACKABLE);
    JM_TRY(cheapest(&call, &form));
    if (form.id == 0) return JM_OK;
    for (int i = 0; i < n->inputs; i++) {
        if (!n->in[i]) continue;
        if (form.in_packed >> i & 1)
            JM_TRY(pack_input(eager, &link, n, &call, &form, i));
        else if (is_blocked(&form, form.in, i, &in[i]))
            JM_TRY(block_input(eager, &link, &n->in[i]));
    }
    for (int o = 0; o < n->outputs; o++)
        if (form.out == JM_C16 && out[o].shape.rank >= 3) JM_TRY(unblock_output(eager, n, &n->out[o]));
    n->form = form.id;
    return JM_OK;
}

jm_status jm_eager_choose_forms(jm_eager *eager)
{
    jm_eager_call *next;
    for (jm_eager_call **link = &eager->first, *n; (n = *link); link = &(*link)->next) {
        next = n->next;
        if (n->op->pack_plan && !n->packs) JM_TRY(choose(eager, link, n));
        while (*link != n) link = &(*link)->next;
        while ((*link)->next != next) link = &(*link)->next;
    }
    return JM_OK;
}
