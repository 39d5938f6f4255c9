/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of optimisers against memcpy on the same threads, in interleaved pairs:
 *     bench_optimizer [millions of weights [pairs]]
 * Weights, gradients and moments of float32. Bytes are those that the call must read and write, memcpy's those it reads
 * and writes. The ratio is the median over the pairs. JUMAR_NUM_THREADS sets the threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_apply_adam_w_v2.h"
#include "aclnnop/aclnn_foreach_non_finite_check_and_unscale.h"
#include "aclnnop/aclnn_fused_sgd.h"
#include "base/alloc.h"
#include "base/system.h"
#include "runtime/runtime.h"

enum { PIECES = 8, MOST_PAIRS = 101 };

static void need(int code, const char *what)
{
    if (code == 0) return;
    const char *text = aclGetRecentErrMsg();
    fprintf(stderr, "bench_optimizer: %s: %d %s\n", what, code, text ? text : "");
    exit(1);
}

static void *memory(size_t bytes)
{
    void *out;
    need(aclrtMalloc(&out, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    return out;
}

static float *floats(int64_t count, float value)
{
    float *out = memory((size_t)count * sizeof(*out));
    for (int64_t i = 0; i < count; i++) out[i] = value + (float)(i % 97) * 0.01f;
    return out;
}

static aclTensor *tensor(int64_t count, float value)
{
    return aclCreateTensor(&count, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, &count, 1, floats(count, value));
}

static aclTensorList *list(int64_t count, float value)
{
    const aclTensor *one = tensor(count, value);
    return aclCreateTensorList(&one, 1);
}

/* ---- The calls ---- */

typedef struct call {
    aclOpExecutor *executor;
    aclnnStatus (*run)(void *, uint64_t, aclOpExecutor *, aclrtStream);
    void *workspace;
    uint64_t size;
    double bytes;
} call;

static call prepare(const char *name, int64_t n)
{
    call c = {0};
    if (strcmp(name, "AdamW") == 0 || strcmp(name, "AdamW, amsgrad") == 0) {
        const bool amsgrad = strlen(name) > 5;
        c.run = aclnnApplyAdamWV2;
        need(aclnnApplyAdamWV2GetWorkspaceSize(tensor(n, 0), tensor(n, 0), tensor(n, 1), amsgrad ? tensor(n, 1) : NULL,
                                               tensor(n, 0), tensor(1, 10), 1e-3f, 0.9f, 0.999f, 0.01f, 1e-8f, amsgrad,
                                               false, &c.size, &c.executor),
             "phase one");
        c.bytes = (amsgrad ? 36.0 : 28.0) * (double)n;
    } else if (strcmp(name, "unscale") == 0) {
        c.run = aclnnForeachNonFiniteCheckAndUnscale;
        need(aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(list(n, 1), tensor(1, 0), tensor(1, 1), &c.size,
                                                                  &c.executor),
             "phase one");
        c.bytes = 8.0 * (double)n;
    } else {
        const bool momentum = strcmp(name, "SGD") != 0;
        c.run = aclnnFusedSgd;
        need(aclnnFusedSgdGetWorkspaceSize(list(n, 0), list(n, 0), momentum ? list(n, 0) : NULL, NULL, 1e-4f,
                                           momentum ? 0.9f : 0, 1e-3f, 0, momentum, false, false, &c.size, &c.executor),
             "phase one");
        c.bytes = (momentum ? 20.0 : 12.0) * (double)n;
    }
    need(aclSetAclOpExecutorRepeatable(c.executor), "repeatable");
    if (c.size) c.workspace = memory(c.size);
    return c;
}

static double run_call(const call *c)
{
    const uint64_t begin = jm_clock_ns();
    need(c->run(c->workspace, c->size, c->executor, NULL), "phase two");
    need(aclrtSynchronizeStream(NULL), "the call");
    return c->bytes / (double)(jm_clock_ns() - begin);
}

/* ---- memcpy ---- */

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

/* ---- Report ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"SGD", "SGD, momentum", "AdamW", "AdamW, amsgrad", "unscale"};
    const int64_t weights = (argc > 1 ? atoll(argv[1]) : 32) << 20;
    const int pairs = argc > 2 ? atoi(argv[2]) : 11;
    if (weights < 1 || pairs < 1 || pairs > MOST_PAIRS) {
        fprintf(stderr, "usage: bench_optimizer [millions of weights [pairs 1..%d]]\n", MOST_PAIRS);
        return 2;
    }
    need(aclrtSetDevice(0), "aclrtSetDevice");
    jm_device *device;
    need(jm_context_device(&device), "device");
    printf("%u threads, %lld weights\n%-16s %8s %8s %8s %7s\n", device->cores, (long long)weights, "step", "MB", "GB/s",
           "memcpy", "ratio");
    for (size_t k = 0; k < JM_COUNT(names); k++) {
        double ours[MOST_PAIRS], theirs[MOST_PAIRS], ratio[MOST_PAIRS];
        call c = prepare(names[k], weights);
        copy copied = {.bytes = (size_t)(c.bytes / 2) / PIECES * PIECES};
        copied.to = memory(copied.bytes);
        copied.from = memory(copied.bytes);
        memset(copied.from, 1, copied.bytes);
        run_call(&c);
        run_copy(&copied);
        for (int i = 0; i < pairs; i++) {
            ours[i] = run_call(&c);
            theirs[i] = run_copy(&copied);
            ratio[i] = ours[i] / theirs[i];
        }
        printf("%-16s %8.0f %8.2f %8.2f %7.3f\n", names[k], c.bytes / 1e6, median(ours, pairs), median(theirs, pairs),
               median(ratio, pairs));
        fflush(stdout);
        need(aclrtResetDeviceForce(0), "aclrtResetDeviceForce"); /* frees all memory */
        need(aclrtSetDevice(0), "aclrtSetDevice");
    }
    return 0;
}
