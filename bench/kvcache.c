/* SPDX-License-Identifier: Apache-2.0
 *
 * aclnnDequantRopeQuantKvcache against memcpy on the same threads, in interleaved pairs:
 *     bench_kvcache [tokens [pairs]]
 * 32 heads of q, 8 of k and v, 128 channels each; x of float16, bfloat16 and int32 (with scales, offsets and a bias of
 * float32); places of a paged cache in random order. Bytes are those that the call must read and write, memcpy's those
 * it reads and writes. The ratio is the median over the pairs. JUMAR_NUM_THREADS sets the threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_dequant_rope_quant_kvcache.h"
#include "base/alloc.h"
#include "beside_memcpy.h"
#include "tensor/dtype.h"

enum { Q_HEADS = 32, KV_HEADS = 8, WIDTH = 128, Q = Q_HEADS * WIDTH, KV = KV_HEADS * WIDTH, H = Q + 2 * KV };
enum { BLOCK = 128, NAME_WIDTH = 28 };

static uint64_t state = 1;

static uint64_t random_bits(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 32;
}

static double uniform(double low, double high)
{
    return low + (high - low) * (double)random_bits() * 0x1p-32;
}

/* Elements of the type between low and high; large arrays repeat. */
static void *elements(jm_dtype dtype, int64_t count, double low, double high)
{
    enum { PERIOD = 1 << 16 };
    const size_t size = jm_dtype_size(dtype);
    char *out = memory((size_t)count * size);
    for (int64_t i = 0; i < JM_MIN(count, PERIOD); i++)
        jm_element_from_f64(dtype, uniform(low, high), out + (size_t)i * size);
    for (int64_t i = PERIOD; i < count; i += PERIOD)
        memcpy(out + (size_t)i * size, out, (size_t)JM_MIN(count - i, PERIOD) * size);
    return out;
}

static aclTensor *tensor(jm_dtype dtype, void *data, int rank, const int64_t *dim)
{
    return aclCreateTensor(dim, (uint64_t)rank, (aclDataType)dtype, NULL, 0, ACL_FORMAT_ND, dim, (uint64_t)rank, data);
}

static int32_t *places(int64_t tokens)
{
    int32_t *index = memory((size_t)tokens * sizeof(*index));
    for (int64_t i = 0; i < tokens; i++) {
        const int64_t j = (int64_t)(random_bits() % (uint64_t)(i + 1));
        index[i] = index[j];
        index[j] = (int32_t)i;
    }
    return index;
}

/* ---- The call ---- */

static call prepare(jm_dtype x, jm_dtype type, int64_t tokens, bool kv_output)
{
    const bool integer = x == JM_I32;
    const int64_t blocks = (tokens + BLOCK - 1) / BLOCK;
    const int64_t row[] = {tokens, H}, angle[] = {tokens, WIDTH}, cache[] = {blocks, BLOCK, KV_HEADS, WIDTH};
    const int64_t q[] = {tokens, Q_HEADS, WIDTH}, kv[] = {tokens, KV_HEADS, WIDTH}, none = 0, each = KV, all = H;
    const int64_t splits[] = {Q, KV, KV};
    aclTensor *k_cache = tensor(JM_I8, memory((size_t)(blocks * BLOCK * KV)), 4, cache);
    aclTensor *v_cache = tensor(JM_I8, memory((size_t)(blocks * BLOCK * KV)), 4, cache);
    aclTensor *none_k = tensor(type, NULL, 1, &none), *none_v = tensor(type, NULL, 1, &none);
    aclTensor *k = kv_output ? tensor(type, memory((size_t)(tokens * KV) * 2), 3, kv) : none_k;
    aclTensor *v = kv_output ? tensor(type, memory((size_t)(tokens * KV) * 2), 3, kv) : none_v;
    call c = {.run = aclnnDequantRopeQuantKvcache};
    need(aclnnDequantRopeQuantKvcacheGetWorkspaceSize(
             tensor(x, elements(x, tokens * H, integer ? -1000 : -3, integer ? 1000 : 3), 2, row),
             tensor(type, elements(type, tokens * WIDTH, -1, 1), 2, angle),
             tensor(type, elements(type, tokens * WIDTH, -1, 1), 2, angle), k_cache, v_cache,
             tensor(JM_I32, places(tokens), 1, &tokens), tensor(JM_F32, elements(JM_F32, KV, 0.02, 0.05), 1, &each),
             tensor(JM_F32, elements(JM_F32, KV, 0.02, 0.05), 1, &each),
             tensor(JM_F32, elements(JM_F32, KV, -5, 5), 1, &each),
             tensor(JM_F32, elements(JM_F32, KV, -5, 5), 1, &each),
             integer ? tensor(JM_F32, elements(JM_F32, H, 0.001, 0.003), 1, &all) : NULL,
             integer ? tensor(JM_F32, elements(JM_F32, tokens, 0.5, 2), 1, &tokens) : NULL,
             integer ? tensor(JM_F32, elements(JM_F32, H, -1, 1), 1, &all) : NULL, aclCreateIntArray(splits, 3),
             "static", "BSND", kv_output, "page", tensor(type, memory((size_t)(tokens * Q) * 2), 3, q), k, v, &c.size,
             &c.executor),
         "phase one");
    need(c.size != 0, "a workspace is wanted");
    need(aclSetAclOpExecutorRepeatable(c.executor), "repeatable");
    const double read = H * (double)jm_dtype_size(x) + 2 * WIDTH * 2 + 4 + (integer ? 4 : 0);
    const double written = Q * 2 + 2 * KV + (kv_output ? 2 * KV * 2 : 0);
    c.bytes = (read + written) * (double)tokens;
    return c;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        jm_dtype x, type;
        bool kv_output;
    } kinds[] = {
        {"float16", JM_F16, JM_F16, false},
        {"float16, k and v", JM_F16, JM_F16, true},
        {"bfloat16", JM_BF16, JM_BF16, false},
        {"int32 to float16", JM_I32, JM_F16, false},
        {"int32 to float16, k and v", JM_I32, JM_F16, true},
        {"int32 to bfloat16", JM_I32, JM_BF16, false},
    };
    const int64_t tokens = argc > 1 ? atoll(argv[1]) : 24576;
    const int pairs = argc > 2 ? atoi(argv[2]) : 11;
    if (tokens < 1 || pairs < 1 || pairs > MOST_PAIRS) {
        fprintf(stderr, "usage: bench_kvcache [tokens [pairs 1..%d]]\n", MOST_PAIRS);
        return 2;
    }
    begin_table(tokens, "tokens", "x", NAME_WIDTH);
    for (size_t k = 0; k < JM_COUNT(kinds); k++) {
        const call c = prepare(kinds[k].x, kinds[k].type, tokens, kinds[k].kv_output);
        compare_with_memcpy(&c, kinds[k].name, NAME_WIDTH, pairs);
    }
    return 0;
}
