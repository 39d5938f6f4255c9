/* SPDX-License-Identifier: Apache-2.0 */
#include "beside_memcpy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"
#include "runtime/runtime.h"
#include "values.h"

enum { PIECES = 8 };

void need(int code, const char *what)
{
    if (code == 0) return;
    const char *text = aclGetRecentErrMsg();
    fprintf(stderr, "%s: %s: %d %s\n", program_invocation_short_name, what, code, text ? text : "");
    exit(1);
}

void *memory(size_t bytes)
{
    void *out;
    need(aclrtMalloc(&out, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    memset(out, 0, bytes);
    return out;
}

static double run_call(const call *c)
{
    const uint64_t begin = jm_clock_ns();
    need(c->run(c->workspace, c->size, c->executor, NULL), "phase two");
    need(aclrtSynchronizeStream(NULL), "the call");
    return c->bytes / (double)(jm_clock_ns() - begin);
}

typedef struct copy {
    char *to, *from;
    size_t bytes;
} copy;

static void copy_piece(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)core, (void)fault;
    const copy *c = context;
    const size_t piece = c->bytes / PIECES;
    memcpy(c->to + chunk * piece, c->from + chunk * piece, piece);
}

static double run_copy(copy *c)
{
    const jm_step step = {.run = copy_piece, .context = c, .chunks = PIECES};
    const jm_command command = {.step = &step, .steps = 1, .name = "memcpy"};
    const uint64_t begin = jm_clock_ns();
    need(jm_stream_run(NULL, &command), "memcpy");
    return 2 * (double)c->bytes / (double)(jm_clock_ns() - begin);
}

void begin_table(int64_t work, const char *unit, const char *title, int width)
{
    need(aclrtSetDevice(0), "aclrtSetDevice");
    jm_device *device;
    need(jm_context_device(&device), "device");
    printf("%u threads, %lld %s\n%-*s %8s %8s %8s %7s\n", device->cores, (long long)work, unit, width, title, "MB",
           "GB/s", "memcpy", "ratio");
}

void compare_with_memcpy(const call *c, const char *name, int width, int pairs)
{
    double ours[MOST_PAIRS], theirs[MOST_PAIRS], ratio[MOST_PAIRS];
    copy copied = {.bytes = (size_t)(c->bytes / 2) / PIECES * PIECES};
    copied.to = memory(copied.bytes);
    copied.from = memory(copied.bytes);
    run_call(c);
    run_copy(&copied);
    for (int i = 0; i < pairs; i++) {
        ours[i] = run_call(c);
        theirs[i] = run_copy(&copied);
        ratio[i] = ours[i] / theirs[i];
    }
    printf("%-*s %8.0f %8.2f %8.2f %7.3f\n", width, name, c->bytes / 1e6, median(ours, pairs), median(theirs, pairs),
           median(ratio, pairs));
    fflush(stdout);
    need(aclrtResetDeviceForce(0), "aclrtResetDeviceForce"); /* frees all memory */
    need(aclrtSetDevice(0), "aclrtSetDevice");
}
