/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to AIPP: the reader of the text.
 */
#ifndef JUMAR_MODEL_AIPP_TEXT_H
#define JUMAR_MODEL_AIPP_TEXT_H

#include "model/aipp.h"

/* The fields as they are written, with the defaults of single fields; types and ranges are right. Statuses as
 * jm_aipp_parse. */
JM_MUST_USE jm_status jm_aipp_read_text(const char *data, size_t size, jm_arena *arena, jm_aipp_config *config);
/* "YUV420SP_U8"; "" for anything that is no format. */
const char *jm_aipp_format_text(int format);

#endif
