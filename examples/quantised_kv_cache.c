/* SPDX-License-Identifier: Apache-2.0
 *
 * A paged decode loop with a key-value cache of int8.
 *
 * Two sequences are decoded together, one token of each at a time. What a real model would compute, the projection of
 * the hidden state to q, k and v, is made up here; what follows it is one call: aclnnDequantRopeQuantKvcache rotates q
 * and k by the token's position and quantises k and v into the pages of the cache. A sequence takes the next free page
 * of BLOCK tokens whenever its last one is full: a table of pages says where its tokens lie, and nobody else's memory
 * moves.
 *
 * The program checks what it stores: v, read back from the cache, is at most half a step of quantisation away from the
 * v that went in. It prints a line for each token and ends with 0.
 *
 *     cc quantised_kv_cache.c -o quantised_kv_cache -I<toolkit>/include -L<toolkit>/lib64 -lascendcl -lnnopbase -lopapi
 * -lm
 */
#include "sample.h"

#include <aclnn/acl_meta.h>
#include <aclnnop/aclnn_dequant_rope_quant_kvcache.h>
#include <math.h>
#include <stdint.h>

enum { SEQUENCES = 2, STEPS = 10 };
enum { Q_HEADS = 4, KV_HEADS = 2, WIDTH = 32, Q = Q_HEADS * WIDTH, KV = KV_HEADS * WIDTH, ROW = Q + 2 * KV };
enum { BLOCK = 4, BLOCKS = 8 }; /* the cache: pages of 4 tokens */

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* Device memory, zeroed. */
static void *device_memory(size_t bytes)
{
    void *memory;
    CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemset(memory, bytes, 0, bytes));
    return memory;
}

static void to_device(void *device, const void *host, size_t bytes)
{
    CHECK(aclrtMemcpy(device, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
}

static void from_device(void *host, const void *device, size_t bytes)
{
    CHECK(aclrtMemcpy(host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

/* A tensor is a description of memory; it owns none. */
static aclTensor *tensor(aclDataType type, void *memory, uint64_t rank, const int64_t *shape)
{
    aclTensor *made = aclCreateTensor(shape, rank, type, NULL, 0, ACL_FORMAT_ND, shape, rank, memory);
    if (!made) fail("no tensor could be made");
    return made;
}

/* What stays on the device from step to step. */
typedef struct decoder {
    uint16_t *x, *cos, *sin, *q; /* float16; a row of each sequence */
    int32_t *slots;              /* where the cache keeps the token of each sequence */
    int8_t *k_cache, *v_cache;
    float *scale, *offset; /* of every channel of k and v */
    aclrtStream stream;
    aclOpExecutor *executor;
    void *workspace;
    uint64_t workspace_bytes;
} decoder;

static void create(decoder *d, const float *scale)
{
    d->x = device_memory(SEQUENCES * ROW * sizeof(*d->x));
    d->cos = device_memory(SEQUENCES * WIDTH * sizeof(*d->cos));
    d->sin = device_memory(SEQUENCES * WIDTH * sizeof(*d->sin));
    d->q = device_memory(SEQUENCES * Q * sizeof(*d->q));
    d->slots = device_memory(SEQUENCES * sizeof(*d->slots));
    d->k_cache = device_memory(BLOCKS * BLOCK * KV);
    d->v_cache = device_memory(BLOCKS * BLOCK * KV);
    d->scale = device_memory(KV * sizeof(*d->scale));
    d->offset = device_memory(KV * sizeof(*d->offset));
    to_device(d->scale, scale, KV * sizeof(*scale));
    CHECK(aclrtCreateStream(&d->stream));
}

/* Phase one, once: shapes and addresses are the same in every step, so one executor serves them all. */
static void plan(decoder *d)
{
    const int64_t row[] = {SEQUENCES, ROW}, angle[] = {SEQUENCES, WIDTH}, cache[] = {BLOCKS, BLOCK, KV_HEADS, WIDTH};
    const int64_t heads[] = {SEQUENCES, Q_HEADS, WIDTH}, tokens = SEQUENCES, channels = KV, none = 0;
    const int64_t splits[] = {Q, KV, KV};
    aclTensor *x = tensor(ACL_FLOAT16, d->x, 2, row);
    aclTensor *cos = tensor(ACL_FLOAT16, d->cos, 2, angle), *sin = tensor(ACL_FLOAT16, d->sin, 2, angle);
    aclTensor *k_cache = tensor(ACL_INT8, d->k_cache, 4, cache), *v_cache = tensor(ACL_INT8, d->v_cache, 4, cache);
    aclTensor *slots = tensor(ACL_INT32, d->slots, 1, &tokens);
    aclTensor *scale = tensor(ACL_FLOAT, d->scale, 1, &channels), *offset = tensor(ACL_FLOAT, d->offset, 1, &channels);
    aclTensor *q = tensor(ACL_FLOAT16, d->q, 3, heads);
    aclTensor *k = tensor(ACL_FLOAT16, NULL, 1, &none), *v = tensor(ACL_FLOAT16, NULL, 1, &none); /* not wanted */
    aclIntArray *sizes = aclCreateIntArray(splits, 3);
    CHECK(aclnnDequantRopeQuantKvcacheGetWorkspaceSize(x, cos, sin, k_cache, v_cache, slots, scale, scale, offset,
                                                       offset, NULL, NULL, NULL, sizes, "static", "BSND", false, "page",
                                                       q, k, v, &d->workspace_bytes, &d->executor));
    CHECK(aclSetAclOpExecutorRepeatable(d->executor));
    if (d->workspace_bytes) d->workspace = device_memory(d->workspace_bytes);
    aclTensor *const all[] = {x, cos, sin, k_cache, v_cache, slots, scale, offset, q, k, v};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) aclDestroyTensor(all[i]);
    aclDestroyIntArray(sizes);
}

static void destroy(decoder *d)
{
    aclDestroyAclOpExecutor(d->executor);
    CHECK(aclrtDestroyStream(d->stream));
    void *const all[] = {d->x,       d->cos,     d->sin,   d->q,      d->slots,
                         d->k_cache, d->v_cache, d->scale, d->offset, d->workspace};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i]) CHECK(aclrtFree(all[i]));
}

/* ---- Pages ---- */

typedef struct pages {
    int used;                     /* pages that are taken */
    int table[SEQUENCES][BLOCKS]; /* pages of each sequence, in the order of its tokens */
} pages;

/* Where the token at `position` of a sequence goes: pages are taken as they are needed. */
static int32_t slot_of(pages *p, int sequence, int position)
{
    if (position % BLOCK == 0) {
        if (p->used == BLOCKS) fail("no page is free");
        p->table[sequence][position / BLOCK] = p->used++;
    }
    return p->table[sequence][position / BLOCK] * BLOCK + position % BLOCK;
}

/* ---- The loop ---- */

/* Stands for the model: numbers in [-1, 1). */
static void project(int sequence, int position, uint16_t *row)
{
    uint32_t bits = (uint32_t)(sequence * 1000 + position) * 2654435761u + 1;
    for (int i = 0; i < ROW; i++) {
        bits = bits * 1664525u + 1013904223u;
        row[i] = aclFloatToFloat16((float)(bits >> 8) / (float)(1 << 23) - 1);
    }
}

/* The angle of channel i is position / 10000^(i / half); both halves have the same ones. */
static void rotation(int position, uint16_t *cosine, uint16_t *sine)
{
    for (int i = 0; i < WIDTH; i++) {
        const double angle = position / pow(10000, (double)(i % (WIDTH / 2)) / (WIDTH / 2));
        cosine[i] = aclFloatToFloat16((float)cos(angle));
        sine[i] = aclFloatToFloat16((float)sin(angle));
    }
}

/* v as it lies in the cache, beside v as it was: the largest difference. */
static float error_of(const decoder *d, const float *scale, int32_t slot, const uint16_t *row)
{
    int8_t v[KV];
    float largest = 0;
    from_device(v, d->v_cache + (size_t)slot * KV, sizeof(v));
    for (int i = 0; i < KV; i++) {
        const float difference = fabsf((float)v[i] * scale[i] - aclFloat16ToFloat(row[Q + KV + i]));
        if (difference > largest) largest = difference;
    }
    return largest;
}

int main(void)
{
    /* Two sequences of different lengths: their prompts have 0 and 6 tokens, which a real program would have cached. */
    const int first_position[SEQUENCES] = {0, 6};
    const float step = 1.0f / 127;
    float scale[KV];
    decoder d = {0};
    pages p = {0};
    for (int i = 0; i < KV; i++) scale[i] = step;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    create(&d, scale);
    plan(&d);
    for (int s = 0; s < SEQUENCES; s++)
        for (int position = 0; position < first_position[s]; position++) slot_of(&p, s, position);

    for (int i = 0; i < STEPS; i++) {
        uint16_t x[SEQUENCES][ROW], cosine[SEQUENCES][WIDTH], sine[SEQUENCES][WIDTH];
        int32_t slots[SEQUENCES];
        for (int s = 0; s < SEQUENCES; s++) {
            const int position = first_position[s] + i;
            project(s, position, x[s]);
            rotation(position, cosine[s], sine[s]);
            slots[s] = slot_of(&p, s, position);
            if (i == STEPS - 1 && s == 0) slots[s] = -1; /* this sequence has ended: a negative slot is skipped */
        }
        to_device(d.x, x, sizeof(x));
        to_device(d.cos, cosine, sizeof(cosine));
        to_device(d.sin, sine, sizeof(sine));
        to_device(d.slots, slots, sizeof(slots));
        CHECK(aclnnDequantRopeQuantKvcache(d.workspace, d.workspace_bytes, d.executor, d.stream));
        /* Attention over d.q and the pages would follow on the same stream, without waiting. */
        CHECK(aclrtSynchronizeStream(d.stream));
        for (int s = 0; s < SEQUENCES; s++) {
            if (slots[s] < 0) continue;
            const float error = error_of(&d, scale, slots[s], x[s]);
            printf("sequence %d, token %2d: page %d, row %d, largest error of v %.4f\n", s, first_position[s] + i,
                   (int)slots[s] / BLOCK, (int)slots[s] % BLOCK, (double)error);
            if (error > 0.51f * step) fail("v in the cache is not the v that went in");
        }
    }
    printf("%d of %d pages, %d bytes a token instead of %d\n", p.used, BLOCKS, 2 * KV, 2 * KV * 2);
    destroy(&d);
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
