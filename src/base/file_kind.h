/* SPDX-License-Identifier: Apache-2.0
 *
 * What a file seems to be, for messages about a file of the wrong kind.
 */
#ifndef JUMAR_BASE_FILE_KIND_H
#define JUMAR_BASE_FILE_KIND_H

#include <stddef.h>

/* What it is and what to do when an ONNX model was wanted: "is a web page; the download failed: fetch the file itself".
 * NULL when the first bytes say nothing. Static text. */
const char *jm_file_kind(const unsigned char *data, size_t size);

#endif
