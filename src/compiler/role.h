/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators that move nothing when the compiler arranges their values inside each other's storage.
 */
#ifndef JUMAR_COMPILER_ROLE_H
#define JUMAR_COMPILER_ROLE_H

#include "compiler/graph.h"

typedef enum jm_role_kind {
    JM_ROLE_NONE,    /* computes */
    JM_ROLE_CONCAT,  /* inputs are pieces of the output along `axis` */
    JM_ROLE_SPLIT,   /* outputs are pieces of the input along `axis` */
    JM_ROLE_SLICE,   /* the output is elements start, start + step, ... of the input along `axis` */
    JM_ROLE_SHUFFLE, /* output channel j * groups + g is input channel g * C / groups + j */
    JM_ROLE_RESHAPE  /* the same elements in row-major order, another shape */
} jm_role_kind;

typedef struct jm_role {
    jm_role_kind kind;
    int axis;
    int64_t start, step; /* step is positive */
    int64_t groups;
} jm_role;

/* The role of a node whose shapes are known. A Slice along several axes, or backwards, has none; one that takes
 * everything is a reshape. Pure. */
jm_role jm_node_role(const jm_node *node);

#endif
