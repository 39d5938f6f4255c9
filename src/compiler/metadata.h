/* SPDX-License-Identifier: Apache-2.0
 *
 * What a deployment wants to know besides the graph: class names and the preprocessing family, as metadata of the .om.
 *
 *   "labels"  class names, one a line
 *   "family"  preprocessing family: a name of vision/preprocess.c
 *   "task"    "detect", "segment", "pose", "obb", "classify", or what else the exporter wrote
 *   "keypoints"  of a pose model: how many, and values of each: "17,3"
 */
#ifndef JUMAR_COMPILER_METADATA_H
#define JUMAR_COMPILER_METADATA_H

#include "compiler/compiler.h"

/* Labels and family come from the options, else from the metadata that Ultralytics puts into its ONNX files: "names" is
 * a Python dictionary, its presence with "stride" means the family "yolo", or "rtdetr" or "classify" where "head" or
 * "task" say so. "task" is kept, and "kpt_shape", a list such as [17, 3], as "keypoints". Line breaks inside names
 * become blanks. What cannot be read is ignored. The rest of the ONNX metadata stays under "onnx.<key>".
 * JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_compile_metadata(jm_graph *graph, const jm_compile_options *options);

#endif
