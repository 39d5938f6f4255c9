/* SPDX-License-Identifier: Apache-2.0
 *
 * How a convolution or matrix product is cut into chunks: (image, group of output blocks, strip of rows), so that the
 * input of a strip stays in one core's second cache while the blocks pass over it, and every thread has work.
 */
#ifndef JUMAR_OPS_STRIPS_H
#define JUMAR_OPS_STRIPS_H

#include "ops/op.h"

typedef struct jm_strips {
    int64_t images, groups, strips;
    int64_t blocks, units; /* what groups and strips divide: output blocks and rows (or pieces of one row) */
} jm_strips;

/* One chunk: block_begin <= block < block_end, unit_begin <= unit < unit_end. */
typedef struct jm_strip {
    int64_t image;
    int64_t block_begin, block_end;
    int64_t unit_begin, unit_end;
} jm_strip;

/* unit_bytes: input read for a unit; block_bytes: weights of a block. blocks and units at least 1. */
jm_strips jm_strips_choose(const jm_machine *machine, int64_t images, int64_t blocks, double block_bytes, int64_t units,
                           double unit_bytes);

static inline size_t jm_strips_chunks(const jm_strips *strips)
{
    return (size_t)(strips->images * strips->groups * strips->strips);
}

jm_strip jm_strips_at(const jm_strips *strips, size_t chunk);

#endif
