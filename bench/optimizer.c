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
#include "beside_memcpy.h"

enum { WIDTH = 16 };

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

int main(int argc, char **argv)
{
    static const char *const names[] = {"SGD", "SGD, momentum", "AdamW", "AdamW, amsgrad", "unscale"};
    const int64_t weights = (argc > 1 ? atoll(argv[1]) : 32) << 20;
    const int pairs = argc > 2 ? atoi(argv[2]) : 11;
    if (weights < 1 || pairs < 1 || pairs > MOST_PAIRS) {
        fprintf(stderr, "usage: bench_optimizer [millions of weights [pairs 1..%d]]\n", MOST_PAIRS);
        return 2;
    }
    begin_table(weights, "weights", "step", WIDTH);
    for (size_t k = 0; k < JM_COUNT(names); k++) {
        const call c = prepare(names[k], weights);
        compare_with_memcpy(&c, names[k], WIDTH, pairs);
    }
    return 0;
}
