/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiled graph made by hand, with one of everything that an .om stores: packed weights, channel maps, views of
 * both kinds, elided nodes, forms, every kind of attribute that an operator has, two outputs of different types.
 */
#ifndef JUMAR_TESTS_MODEL_SAMPLE_H
#define JUMAR_TESTS_MODEL_SAMPLE_H

#include "compiler/graph.h"

#define SAMPLE_INPUT_BYTES (3 * 9 * 7 * sizeof(float))
#define SAMPLE_OUTPUT_COUNT (16 * 5 * 7)

/* Input "x" [1,3,9,7] float32; outputs "gelu" [16,35] float32 and "half" [16,35] float16. The weights come from the
 * test's random generator. Never NULL: the test fails. */
jm_graph *sample_graph(void);

#endif
