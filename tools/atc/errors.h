/* SPDX-License-Identifier: Apache-2.0
 *
 * The error block: what went wrong, with atc's number, a possible cause and what to do.
 */
#ifndef JUMAR_TOOLS_ATC_ERRORS_H
#define JUMAR_TOOLS_ATC_ERRORS_H

#include <stdio.h>

#include "base/status.h"

/* The number for the last error: its own, or the one that stands for `status`. */
const char *atc_error_number(jm_status status);
/* Writes the block for the last error. */
void atc_error_block(FILE *stream, jm_status status);

#endif
