/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to eager.c and eager_forms.c: calls as they are collected.
 */
#ifndef JUMAR_OPS_EAGER_PARTS_H
#define JUMAR_OPS_EAGER_PARTS_H

#include "ops/eager.h"

typedef enum jm_place {
    PLACE_OUTSIDE,   /* offset bytes behind address[slot] */
    PLACE_WORKSPACE, /* offset bytes behind the workspace, once planned */
    PLACE_CONSTANT,  /* at tensor.data */
} jm_place;

struct jm_operand {
    jm_tensor tensor;
    const char *label; /* of an outside tensor */
    jm_place place;
    unsigned slot;
    size_t offset;
    jm_operand *owner; /* whose storage it lies in; itself unless it is a view */
    bool output;
    size_t packed;       /* bytes, of an operand in the order of a form */
    uintptr_t low, high; /* bytes of an outside tensor when planned; equal when it has none */
    /* Of an owner in the workspace: steps that touch it. */
    uint32_t first, last;
    jm_operand *next; /* all operands */
};

typedef struct jm_eager_call {
    const jm_op *op;
    int inputs, outputs;
    jm_operand **in, **out;
    jm_attr *attr;
    uint8_t form;
    struct jm_eager_call *packs; /* NULL; or the call whose input `packed_input` this one packs, from in[0] to out[0] */
    int packed_input;
    jm_plan plan;
    void (*run)(const jm_plan *plan, const jm_run *run);
    size_t workspace; /* offset */
    struct jm_eager_call *next;
} jm_eager_call;

/* What jm_builder_input and _output mean while a composite operator is being lowered. */
typedef struct jm_eager_frame {
    jm_operand *const *in;
    jm_operand **out;
    int inputs, outputs;
} jm_eager_frame;

struct jm_eager {
    jm_builder base;
    jm_arena *arena;
    const char *name;
    jm_machine machine;
    jm_eager_frame top;
    int depth;
    jm_operand *operands;
    jm_eager_call *first, **tail;
    jm_eager_call **step; /* [steps], after finish */
    size_t steps;
    size_t scratch, scratch_each; /* offset in the workspace; bytes of a core */
};

/* eager.c */
jm_operand *jm_eager_operand_create(jm_eager *eager, const jm_tensor *tensor, jm_place place);
/* A call of one operand, not yet among the others. NULL when memory runs out. */
jm_eager_call *jm_eager_call_create(jm_eager *eager, const char *op, jm_operand *from, jm_operand *to);
/* The call of a node: tensors into the arrays of the caller. */
void jm_eager_call_of(const jm_eager *eager, const jm_eager_call *n, jm_call *call, jm_tensor *in, jm_tensor *out);

/* eager_forms.c. Calls whose weights are not constant may still be faster in a form that wants them packed: where that,
 * packing and moving the other tensors into its layout cost less than the plain form, they are added as calls. */
JM_MUST_USE jm_status jm_eager_choose_forms(jm_eager *eager);

#endif
