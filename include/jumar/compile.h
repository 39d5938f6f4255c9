/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a model file: an ONNX model goes in, an .om comes out that jumar/session.h and AscendCL programs run.
 */
#ifndef JUMAR_COMPILE_H
#define JUMAR_COMPILE_H

#include <stddef.h>

#include "jumar/jumar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero means: take everything from the model. Strings are borrowed for the call. */
typedef struct jumar_compile_options {
    /* Shapes of inputs, needed where the model leaves a dimension open: "images:1,3,640,640;scale:1". A name ends at
     * the last ':' of its entry; "name:" alone is a scalar. NULL: none. */
    const char *input_shapes;
    /* Preprocessing family stored in the file for `jumar detect`, such as "yolox". NULL: decided from the model. */
    const char *family;
    /* Class names stored in the file. NULL: those of the model, if it has any. */
    const char *const *labels;
    size_t label_count;
    /* Not zero: no Winograd algorithm for 3x3 convolutions. Slower; each output is then the sum of its own products, in
     * one order. With it errors stay within 1e-4 of the largest output. */
    int no_winograd;
    /* Called now and then on the calling thread with the part done, 0 to 1, and what is being worked on. NULL: never.
     */
    void (*progress)(void *context, double done, const char *what);
    void *progress_context;
} jumar_compile_options;

/* Compiles `onnx_path` (external data must lie in its folder) and writes `om_path`: complete, or not at all when
 * anything fails. `options` may be NULL.
 * JUMAR_NOT_FOUND: no such file. JUMAR_CORRUPT: not a valid ONNX model. JUMAR_UNSUPPORTED: the message names every node
 * that this version cannot compile. JUMAR_INVALID_ARGUMENT: an option is wrong, or a shape is missing.
 * JUMAR_IO: `om_path` cannot be written. Thread-safe. */
JUMAR_API jumar_status jumar_compile(const char *onnx_path, const char *om_path, const jumar_compile_options *options);

#ifdef __cplusplus
}
#endif

#endif
