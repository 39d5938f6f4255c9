/* SPDX-License-Identifier: Apache-2.0
 *
 * What atc does in each mode; the flags have been checked.
 */
#ifndef JUMAR_TOOLS_ATC_MODES_H
#define JUMAR_TOOLS_ATC_MODES_H

#include "atc/flags.h"

/* compile.c. Mode 0: <output>.om. When nodes of the model cannot be compiled, the report says which. Mode 3: the report
 * only; a model with such nodes fails. Dots go to `stream`. `cmdline` is kept in the file. */
JM_MUST_USE jm_status atc_compile(const atc_values *values, const char *cmdline, FILE *stream);

/* json.c. Mode 1: an .om, or an ONNX model, as json. */
JM_MUST_USE jm_status atc_to_json(const atc_values *values);

/* display.c. Facts of an .om, for mode 6 and --display_model_info=1. */
JM_MUST_USE jm_status atc_display(const char *om, FILE *stream);

#endif
