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

/* Models of several sizes; see `gears`. */
typedef enum jumar_gear_kind {
    JUMAR_GEAR_NONE = 0,
    JUMAR_GEAR_BATCH = 1, /* --dynamic_batch_size of atc: "1,2,4,8"; dimension 0 of the shapes is -1 */
    JUMAR_GEAR_IMAGE = 2, /* --dynamic_image_size: "416,416;832,832" (height,width); dimensions 2 and 3 are -1 */
    JUMAR_GEAR_DIMS = 3,  /* --dynamic_dims: "1,128;8,64", a number for each -1 of the shapes */
} jumar_gear_kind;

/* A text that is stored in the file under a key, such as "soc_version". */
typedef struct jumar_note {
    const char *key, *text;
} jumar_note;

/* All zero means: take everything from the model. Strings are borrowed for the call. */
typedef struct jumar_compile_options {
    /* Shapes of inputs, needed where the model leaves a dimension open: "images:1,3,640,640;scale:1". A name ends at
     * the last ':' of its entry; "name:" alone is a scalar. NULL: none. A dimension of -1 depends on the gear; without
     * gears -1 is any size and "1~8" one between limits. */
    const char *input_shapes;
    /* The sizes of a model that has several: 2 to 100 of them, in the text of their kind. The file then also holds
     * the ONNX model, which must have its weights inside; sessions run the largest size, AscendCL programs any. */
    jumar_gear_kind gear_kind;
    const char *gears;
    /* Outputs instead of those of the model, in this order: "Conv_3:0;Conv_9:0" (node and index of its output) or
     * "boxes;scores" (tensors, also inner ones). NULL: the model's. */
    const char *out_nodes;
    /* Their types: "FP16" for all, or "Conv_3:0:FP16;..." for entries of out_nodes. FP32, FP16, UINT8, INT8, UINT16,
     * INT16, UINT32, INT32, UINT64, INT64 or DOUBLE. NULL: the model's. */
    const char *output_type;
    /* Inputs of float32 that programs give as float16: "a;b". NULL: none. */
    const char *fp16_inputs;
    /* Text of an AIPP configuration, as --insert_op_conf of atc has it in a file: its inputs become pictures in uint8,
     * which the model itself crops, resizes, converts and normalises. NULL: none. */
    const char *aipp;
    const jumar_note *note;
    size_t notes;
    /* Preprocessing family stored in the file for `jumar detect`, such as "yolox". NULL: decided from the model. */
    const char *family;
    /* Class names stored in the file. NULL: those of the model, if it has any. */
    const char *const *labels;
    size_t label_count;
    /* Not zero: no Winograd algorithm for 3x3 convolutions. Slower; each output is then the sum of its own products, in
     * one order. With it errors stay within 1e-4 of the largest output. */
    int no_winograd;
    /* Called for every ONNX node that the outputs need; `reason` says why it cannot be compiled, or is NULL. Texts live
     * during the call. NULL: never. */
    void (*node)(void *context, const char *name, const char *op, const char *reason);
    void *node_context;
    /* Called now and then on the calling thread with the part done, 0 to 1, and what is being worked on. NULL: never.
     */
    void (*progress)(void *context, double done, const char *what);
    void *progress_context;
} jumar_compile_options;

/* Compiles `onnx_path` (external data must lie in its folder) and writes `om_path`: complete, or not at all when
 * anything fails. With a NULL `om_path` the model is only read and checked. `options` may be NULL.
 * JUMAR_NOT_FOUND: no such file. JUMAR_CORRUPT: not a valid ONNX model. JUMAR_UNSUPPORTED: the message names every node
 * that this version cannot compile. JUMAR_INVALID_ARGUMENT: an option is wrong, or a shape is missing.
 * JUMAR_IO: `om_path` cannot be written. Thread-safe. */
JUMAR_API jumar_status jumar_compile(const char *onnx_path, const char *om_path, const jumar_compile_options *options);

/* The number by which users of atc know the calling thread's last error, such as "E10038" for a gear of 0; "" when it
 * has none. Valid as jumar_last_error() is. */
JUMAR_API const char *jumar_last_error_number(void);

#ifdef __cplusplus
}
#endif

#endif
