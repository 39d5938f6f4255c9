/* SPDX-License-Identifier: Apache-2.0
 *
 * The input rows of a strip of outputs, copied with zeros where they lie outside the map: all blocks of outputs share
 * the copy, and none of their tiles has edges.
 *
 * From C16 maps the points of all output rows become one long row: a plane for each kernel column (and, with stride,
 * for each remainder of the row) holds just the points that this column of the kernel meets, so that the next output,
 * be it in the next row, reads the next point. Tiles are then full however narrow the map is. Plain maps of few
 * channels are copied as they are, and outputs stay rows.
 */
#ifndef JUMAR_OPS_CONV_COPY_H
#define JUMAR_OPS_CONV_COPY_H

#include "kernels/kernels.h"
#include "ops/conv_geometry.h"

typedef struct jm_conv_copy {
    const jm_conv_geometry *geometry;
    bool one_row;                        /* outputs are one long row */
    int64_t runs, lanes;                 /* blocks of channels and 16, or channels and 1 */
    int64_t planes_y, planes_x;          /* per run */
    int64_t rows, columns, column_step;  /* of a plane; input points between its columns */
    ptrdiff_t in_run, in_row;            /* elements of the map between runs and rows */
    size_t row, plane, run, size;        /* elements of the copy */
    ptrdiff_t output_row, output_column; /* elements of the copy between the inputs of neighbouring outputs */
} jm_conv_copy;

/* Whether the convolution reads points outside its map. */
bool jm_conv_has_padding(const jm_conv_geometry *geometry);
/* Describes copies for at most `out_rows` output rows of a 2-D convolution of x; one_row: x is in C16 and output rows
 * follow each other. `geometry` must outlive it. False when the copy is too large for the address space. */
bool jm_conv_copy_describe(jm_conv_copy *copy, const jm_conv_geometry *geometry, const jm_tensor *x, bool one_row,
                           int64_t out_rows);
/* Bytes of the copy for each output row, about. */
double jm_conv_copy_row_bytes(const jm_conv_geometry *geometry, bool one_row);
/* The inputs of an output as runs in the order of packed weights, relative to its first: [taps][copy->runs]. NULL with
 * a last error when memory runs out. */
jm_conv_run *jm_conv_copy_runs(const jm_conv_copy *copy, const jm_tensor *x, jm_arena *arena);
/* Copies what output rows y_begin .. y_end - 1 read; copy->size elements at `to`. */
void jm_conv_copy_fill(const jm_conv_copy *copy, const float *image, int64_t y_begin, int64_t y_end, float *to);
/* The same for a plain map that is not stored: image n of `source`. */
void jm_conv_copy_pull(const jm_conv_copy *copy, const jm_source *source, int64_t n, int64_t y_begin, int64_t y_end,
                       float *to);

#endif
