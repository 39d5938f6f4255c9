/* SPDX-License-Identifier: Apache-2.0
 *
 * Preprocessing inside the model (AIPP): the configuration that atc reads, and what it makes of a model's inputs.
 */
#ifndef JUMAR_MODEL_AIPP_H
#define JUMAR_MODEL_AIPP_H

#include "base/alloc.h"
#include "compiler/graph.h"
#include "ops/picture.h"

typedef enum jm_aipp_field {
#define JM_AIPP_FIELD(name, kind, fallback, low, high, use) JM_AIPP_##name,
#include "model/aipp_fields.def"
#undef JM_AIPP_FIELD
    JM_AIPP_FIELDS
} jm_aipp_field;

typedef enum jm_aipp_mode { JM_AIPP_STATIC = 1, JM_AIPP_DYNAMIC = 2 } jm_aipp_mode;

/* One aipp_op: every field as a number; defaults are filled in, also those of colour conversion. */
typedef struct jm_aipp {
    double value[JM_AIPP_FIELDS];
    bool given[JM_AIPP_FIELDS];
    const char *related_name; /* NULL when not given */
    bool rgb_word;            /* input_format was written RGB and taken as RGB888_U8 */
} jm_aipp;

typedef struct jm_aipp_config {
    jm_aipp *op;
    size_t ops;
} jm_aipp_config;

/* The field as an integer. */
static inline int64_t jm_aipp_int(const jm_aipp *aipp, jm_aipp_field field)
{
    return (int64_t)aipp->value[field];
}

/* Reads a configuration (`size` bytes, any encoding in comments) and checks what can be known without a model.
 * Everything lies in the arena. JM_INVALID_ARGUMENT: E13018 not of the form, an unknown field or word, a value of
 * another type; E10052 a rule is broken. JM_UNSUPPORTED: E10055. */
JM_MUST_USE jm_status jm_aipp_parse(const char *text, size_t size, jm_arena *arena, jm_aipp_config *config);

/* The inputs that the configuration names become pictures in uint8: an operator Aipp makes of them what the model's
 * input was. In the dynamic mode they are bytes in one dimension, at most max_src_image_size of them, and one more
 * input for each, behind all others, carries the parameters (ops/picture_block.h). JM_INVALID_ARGUMENT: E10052 sizes,
 * channels or inputs do not fit; E10034 the input is in `fp16_inputs` (a list with ';', or NULL). */
JM_MUST_USE jm_status jm_aipp_apply(const jm_aipp_config *config, const char *fp16_inputs, jm_graph *graph);

/* The operator Aipp that reads an input, and as which of its arguments; NULL where there is none. */
const jm_node *jm_aipp_reader(const jm_graph *graph, size_t input, int *argument);
/* The shape that an input of a graph had before the configuration; NULL: it had none, it carries parameters. */
const jm_shape *jm_aipp_model_shape(const jm_graph *graph, size_t input);

/* What the operator knows of its pictures before a run. */
JM_MUST_USE jm_status jm_aipp_call(const jm_node *node, jm_picture *fixed);
/* Whether some input of a graph carries parameters; takes no time. */
bool jm_aipp_has_parameters(const jm_graph *graph);
/* Bytes of all pictures that the parameters of a run describe. JM_INVALID_ARGUMENT: they are wrong, or were not set. */
JM_MUST_USE jm_status jm_aipp_picture_bytes(const jm_node *node, const void *parameters, size_t *bytes);
/* For tools: fills the memory of an input that carries parameters so that pictures of the model's size go in as they
 * are. Leaves other inputs alone. */
JM_MUST_USE jm_status jm_aipp_fill_parameters(const jm_graph *graph, size_t input, void *memory);

/* The parameters of an input of a model that was compiled with a configuration, read into the arena; *found is false
 * where the input is none of a picture. JM_CORRUPT: the file's configuration is broken. */
JM_MUST_USE jm_status jm_aipp_of_input(const jm_graph *graph, size_t input, jm_arena *arena, jm_aipp *aipp,
                                       bool *found);

#endif
