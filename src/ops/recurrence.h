/* SPDX-License-Identifier: Apache-2.0
 *
 * What LSTM, GRU and RNN share with Recurrence, the loop over time that they are lowered to.
 */
#ifndef JUMAR_OPS_RECURRENCE_H
#define JUMAR_OPS_RECURRENCE_H

#include "ops/op.h"

/* Values of the attribute "cell" of Recurrence. */
typedef enum jm_cell { JM_CELL_RNN, JM_CELL_GRU, JM_CELL_LSTM } jm_cell;

/* Matrices of a cell: 1, 3 or 4. */
static inline int jm_cell_gates(jm_cell cell)
{
    return cell == JM_CELL_RNN ? 1 : (cell == JM_CELL_GRU ? 3 : 4);
}

/* Inputs of Recurrence, and those of its attributes that the public operators have too. */
enum {
    JM_RECURRENCE_GATES,
    JM_RECURRENCE_R,
    JM_RECURRENCE_LENGTHS,
    JM_RECURRENCE_H,
    JM_RECURRENCE_C,
    JM_RECURRENCE_PEEPHOLES,
    JM_RECURRENCE_BIAS
};

/* Parameters for the table of a public operator and of Recurrence: the same names. */
#define JM_RECURRENCE_ATTRIBUTES                                                                                       \
    {"activations", JM_PARAM_STRING, JM_OPTIONAL, .s = "",                                                             \
     .doc = "names with commas, for each direction; \"\": usual"},                                                     \
        {"activation_alpha", JM_PARAM_FLOATS, JM_OPTIONAL, .doc = "for each activation that has one, in order"},       \
        {"activation_beta", JM_PARAM_FLOATS, JM_OPTIONAL, .doc = "for each activation that has one, in order"},        \
        {"clip", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "limit of what goes into activations; 0: none"},                  \
        {"direction", JM_PARAM_STRING, JM_OPTIONAL, .s = "forward", .doc = "forward, reverse or bidirectional"},       \
        {"input_forget", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: an LSTM forgets 1 - i"},                                \
    {                                                                                                                  \
        "linear_before_reset", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: a GRU resets behind the product"                  \
    }
enum {
    JM_RECURRENCE_ACTIVATIONS,
    JM_RECURRENCE_ALPHA,
    JM_RECURRENCE_BETA,
    JM_RECURRENCE_CLIP,
    JM_RECURRENCE_DIRECTION,
    JM_RECURRENCE_INPUT_FORGET,
    JM_RECURRENCE_LINEAR,
    JM_RECURRENCE_ATTRS
};

/* 1 or 2. JM_INVALID_ARGUMENT: no such direction. */
JM_MUST_USE jm_status jm_recurrence_directions(const jm_call *call, int *directions);

#endif
