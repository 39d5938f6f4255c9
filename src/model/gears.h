/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of several sizes: shapes of inputs as atc writes them, the sizes ("gears") that were listed, and how an .om
 * keeps both. docs/om-format.md has the metadata keys.
 */
#ifndef JUMAR_MODEL_GEARS_H
#define JUMAR_MODEL_GEARS_H

#include "base/alloc.h"
#include "compiler/graph.h"

#define JM_MAX_GEARS 100

typedef enum jm_gear_kind {
    JM_GEAR_NONE,  /* one size */
    JM_GEAR_BATCH, /* a gear is one number, for every -1; these are dimension 0 */
    JM_GEAR_IMAGE, /* height and width, for dimensions 2 and 3 of every input that has -1 */
    JM_GEAR_DIMS,  /* a number for each -1, in the order of the inputs */
    JM_GEAR_RANGE, /* no list: any size between the limits */
    JM_GEAR_KINDS
} jm_gear_kind;

/* low = high: that number. Else it depends on the gear (low -1) or lies between both; high -1: no limit. */
typedef struct jm_gear_input {
    const char *name;
    jm_shape low, high;
} jm_gear_input;

typedef struct jm_gears {
    jm_gear_kind kind;
    jm_gear_input *input; /* in the order of the text, those that it left out behind */
    size_t inputs;
    size_t count;    /* of gears */
    size_t numbers;  /* of each gear */
    int64_t *number; /* [count][numbers] */
} jm_gears;

/* "batch", "image", "dims", "range"; "" for NONE. */
const char *jm_gear_kind_text(jm_gear_kind kind);

/* Reads shapes ("a:1,3,-1,-1;b:", a name ends at the last ':'; "1~8" and "[1~8,3]" for ranges) and a list of gears
 * ("1,2,4" for BATCH, "416,416;832,832" for the others; NULL for NONE and RANGE). Shapes with -1 or '~' and the kind
 * NONE give the kind RANGE. Everything lies in the arena. JM_INVALID_ARGUMENT with atc's number for each rule. */
JM_MUST_USE jm_status jm_gears_parse(jm_gear_kind kind, const char *shapes, const char *list, jm_arena *arena,
                                     jm_gears *out);

/* Adds the inputs of the graph that the text left out, with the one shape that they have. Nothing for the kind NONE.
 * JM_INVALID_ARGUMENT, E10002: such a name cannot be kept in a text of shapes. */
JM_MUST_USE jm_status jm_gears_add_rest(const jm_graph *graph, jm_arena *arena, jm_gears *gears);

/* Shape of an input in one gear; RANGE: the upper limits, -1 where there is none. */
void jm_gears_shape(const jm_gears *gears, size_t gear, size_t input, jm_shape *shape);
/* The gear whose inputs have the most elements; 0 for NONE and RANGE. */
size_t jm_gears_largest(const jm_gears *gears);

/* The input with this name, or NULL. */
const jm_gear_input *jm_gears_find(const jm_gears *gears, const char *name);
/* Whether some dim of a range has no upper limit: then nothing is known of the outputs. */
bool jm_gears_open(const jm_gears *gears);

/* As metadata of the graph: "gears.kind", "gears.shapes", "gears.list". Nothing for the kind NONE. */
JM_MUST_USE jm_status jm_gears_store(const jm_gears *gears, jm_graph *graph);
/* Reads them back; the kind is NONE where there are none. JM_CORRUPT: they break the rules above. */
JM_MUST_USE jm_status jm_gears_load(const jm_graph *graph, jm_arena *arena, jm_gears *out);

#endif
