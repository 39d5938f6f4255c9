/* SPDX-License-Identifier: Apache-2.0
 *
 * Two-phase calls against memcpy on the same threads, in interleaved pairs. Whatever fails ends the program with the
 * library's message.
 */
#ifndef JUMAR_BENCH_BESIDE_MEMCPY_H
#define JUMAR_BENCH_BESIDE_MEMCPY_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"

enum { MOST_PAIRS = 101 };

typedef struct call {
    aclOpExecutor *executor; /* repeatable */
    aclnnStatus (*run)(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream);
    void *workspace; /* `size` bytes, or NULL */
    uint64_t size;
    double bytes; /* that the call must read and write */
} call;

/* Ends the program, saying `what`, unless the code is 0. */
void need(int code, const char *what);
/* Memory of the device, zeros; compare_with_memcpy frees it. */
void *memory(size_t bytes);
/* Takes device 0 and prints its threads, the work, and the head of the table; names are `width` columns wide. */
void begin_table(int64_t work, const char *unit, const char *title, int width);
/* Measures 1 to MOST_PAIRS pairs, prints the line of the medians, then frees all memory of the device. */
void compare_with_memcpy(const call *c, const char *name, int width, int pairs);

#endif
