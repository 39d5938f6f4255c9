/* SPDX-License-Identifier: Apache-2.0
 *
 * aclnnDequantRopeQuantKvcache through its two phases, against the scalar model of the operator.
 */
#include "../ops/kvcache_model.h"
#include "test.h"

#include "acl/acl.h"
#include "aclnnop/aclnn_dequant_rope_quant_kvcache.h"

static uint64_t *rng;

static int set_up(void **state)
{
    (void)state;
    return aclrtSetDevice(0);
}

static int tear_down(void **state)
{
    (void)state;
    return aclrtResetDevice(0);
}

/* ---- A case as arguments ---- */

/* The tensor parameters in their order, then the others. */
enum { Q_ARGUMENT = KVCACHE_INPUTS, K_ARGUMENT, V_ARGUMENT, TENSORS };

typedef struct arguments {
    op_test storage; /* of the tensors */
    jm_tensor view[TENSORS];
    aclTensor *tensor[TENSORS];
    aclIntArray *splits;
    const char *quant_mode, *layout, *cache_mode;
    bool kv_output;
} arguments;

static aclTensor *tensor_of(const jm_tensor *view)
{
    if (view->dtype == JM_DTYPE_NONE) return NULL;
    return aclCreateTensor(view->shape.dim, (uint64_t)view->shape.rank, (aclDataType)view->dtype, view->stride, 0,
                           ACL_FORMAT_ND, view->shape.dim, (uint64_t)view->shape.rank, view->data);
}

static jm_tensor output_like(op_test *t, const jm_tensor *want, bool strided)
{
    jm_tensor out = strided ? op_test_strided(t, want->dtype, &want->shape, rng) : *want;
    if (!strided) out = op_test_copy(t, want, JM_PLAIN, NULL);
    int64_t index[JM_MAX_RANK] = {0};
    if (jm_tensor_elements(&out) > 0) do
            memset(jm_tensor_at(&out, index), 0x55, jm_dtype_size(out.dtype));
        while (op_test_next(&out.shape, index));
    return out;
}

static void prepare(arguments *a, const kvcache_case *c, jm_tensor want[KVCACHE_OUTPUTS], bool strided)
{
    memset(a, 0, sizeof(*a));
    op_test *t = &a->storage;
    kvcache_begin(t, c);
    kvcache_want(t, c, want);
    for (int i = 0; i < KVCACHE_INPUTS; i++) {
        if (strided && t->in[i].dtype != JM_DTYPE_NONE) t->in[i] = op_test_restride(t, &t->in[i], rng);
        a->view[i] = t->in[i];
    }
    for (int i = 0; i < 3; i++) a->view[Q_ARGUMENT + i] = output_like(t, &want[Q_OUT + i], strided);
    const int64_t splits[] = {c->q_heads * c->width, kvcache_kv(c), kvcache_kv(c)};
    a->splits = aclCreateIntArray(splits, 3);
    a->cache_mode = c->paged ? "page" : NULL;
    a->kv_output = c->kv_output;
}

static void forget(arguments *a)
{
    for (int i = 0; i < TENSORS; i++) aclDestroyTensor(a->tensor[i]);
    memset(a->tensor, 0, sizeof(a->tensor));
}

static void finish(arguments *a)
{
    forget(a);
    aclDestroyIntArray(a->splits);
    op_test_end(&a->storage);
}

static aclnnStatus phase_one(arguments *a, uint64_t *size, aclOpExecutor **executor)
{
    for (int i = 0; i < TENSORS; i++)
        if (!a->tensor[i]) a->tensor[i] = tensor_of(&a->view[i]);
    aclTensor **t = a->tensor;
    return aclnnDequantRopeQuantKvcacheGetWorkspaceSize(
        t[X], t[COS], t[SIN], t[K_CACHE], t[V_CACHE], t[INDICES], t[SCALE_K], t[SCALE_V], t[OFFSET_K], t[OFFSET_V],
        t[WEIGHT_SCALE], t[ACTIVATION_SCALE], t[BIAS], a->splits, a->quant_mode, a->layout, a->kv_output, a->cache_mode,
        t[Q_ARGUMENT], t[K_ARGUMENT], t[V_ARGUMENT], size, executor);
}

/* Both phases; the tensors go before the work is done. */
static aclError call(arguments *a, uint64_t *size)
{
    aclOpExecutor *executor;
    void *workspace = NULL;
    aclnnStatus code = phase_one(a, size, &executor);
    if (code) fail_msg("phase one: %d %s", code, aclGetRecentErrMsg());
    if (*size) assert_int_equal(aclrtMalloc(&workspace, *size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    assert_int_equal(aclnnDequantRopeQuantKvcache(workspace, *size, executor, NULL), 0);
    forget(a);
    aclError done = aclrtSynchronizeStream(NULL);
    if (workspace) aclrtFree(workspace);
    return done;
}

static void compare(const arguments *a, const jm_tensor want[KVCACHE_OUTPUTS])
{
    for (int i = 0; i < 3; i++) op_test_assert_same(&a->view[Q_ARGUMENT + i], &want[Q_OUT + i]);
    op_test_assert_same(&a->view[K_CACHE], &want[K_CACHE_OUT]);
    op_test_assert_same(&a->view[V_CACHE], &want[V_CACHE_OUT]);
}

/* ---- Results ---- */

static void both_phases_give_the_bits_of_the_model(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        kvcache_case c;
        arguments a;
        jm_tensor want[KVCACHE_OUTPUTS];
        uint64_t size;
        kvcache_random(&c, rng);
        kvcache_expect(&c);
        prepare(&a, &c, want, round % 2);
        assert_int_equal(call(&a, &size), 0);
        if (round % 2 == 0) assert_int_equal(size, 0);
        compare(&a, want);
        finish(&a);
        kvcache_destroy(&c);
    }
}

static kvcache_case usual(void)
{
    kvcache_case c = {.rank = 3,
                      .batch = 2,
                      .positions = 3,
                      .q_heads = 4,
                      .kv_heads = 2,
                      .width = 32,
                      .blocks = 3,
                      .block = 5,
                      .paged = true,
                      .kv_output = true,
                      .x_type = JM_I32,
                      .type = JM_F16,
                      .bias_type = JM_F32,
                      .has_weight_scale = true,
                      .has_activation_scale = true,
                      .has_offset_k = true,
                      .has_offset_v = true};
    kvcache_create(&c);
    kvcache_fill(&c, KVCACHE_ORDINARY, rng);
    return c;
}

/* Without kvOutput the tensors of k and v must be there; they have any shape, and nobody writes into them. */
static void outputs_that_are_off_are_left_alone(void **state)
{
    (void)state;
    kvcache_case c = usual();
    arguments a;
    jm_tensor want[KVCACHE_OUTPUTS];
    uint64_t size;
    kvcache_expect(&c);
    prepare(&a, &c, want, false); /* with room for k and v */
    for (int i = K_OUT; i <= V_OUT; i++) memset(want[i].data, 0x55, (size_t)jm_tensor_elements(&want[i]) * 2);
    a.kv_output = false;
    assert_int_equal(call(&a, &size), 0);
    compare(&a, want);
    finish(&a);
    kvcache_destroy(&c);
}

/* The caches are views of one allocation, a row of k and a row of v in turn. */
static void caches_may_lie_in_one_another(void **state)
{
    (void)state;
    kvcache_case c = usual();
    arguments a;
    jm_tensor want[KVCACHE_OUTPUTS], both;
    uint64_t size;
    kvcache_expect(&c);
    prepare(&a, &c, want, false);
    const jm_shape shape = {4, {c.blocks, c.block, 2 * c.kv_heads, c.width}};
    both = op_test_tensor(&a.storage, JM_I8, &shape, rng);
    for (int i = 0; i < 2; i++) {
        jm_tensor *view = &a.view[K_CACHE + i], old = *view;
        memcpy(view->stride, both.stride, sizeof(both.stride));
        view->data = (char *)both.data + i * kvcache_kv(&c);
        assert_ok(jm_tensor_copy(&old, view));
    }
    assert_int_equal(call(&a, &size), 0);
    assert_int_equal(size, 0);
    compare(&a, want);
    finish(&a);
    kvcache_destroy(&c);
}

/* x lies inside the k cache, which is changed; the call sees it as it was. */
static void a_cache_may_lie_over_an_input(void **state)
{
    (void)state;
    kvcache_case c = usual();
    arguments a;
    jm_tensor want[KVCACHE_OUTPUTS];
    uint64_t size;
    prepare(&a, &c, want, false);
    const int64_t tokens = kvcache_tokens(&c);
    a.view[X].data = op_test_tensor(&a.storage, JM_I8, &(jm_shape){1, {tokens * kvcache_channels(&c) * 4}}, rng).data;
    a.view[K_CACHE].data = a.view[X].data;
    memcpy(c.x, a.view[X].data, (size_t)(tokens * kvcache_channels(&c)) * 4);
    memcpy(c.k_cache, a.view[X].data, (size_t)kvcache_cache(&c));
    kvcache_expect(&c);
    op_test other;
    kvcache_begin(&other, &c);
    kvcache_want(&other, &c, want);
    assert_int_equal(call(&a, &size), 0);
    compare(&a, want);
    op_test_end(&other);
    finish(&a);
    kvcache_destroy(&c);
}

static void bad_indices_are_the_errors_of_the_stream(void **state)
{
    (void)state;
    for (int paged = 0; paged < 2; paged++) {
        kvcache_case c = usual();
        arguments a;
        jm_tensor want[KVCACHE_OUTPUTS];
        uint64_t size;
        c.paged = paged;
        for (int i = 0; i < 6; i++) c.indices[i] = paged ? i : 0;
        c.indices[1] = paged ? 15 : 3;
        kvcache_expect(&c);
        assert_true(c.fault);
        prepare(&a, &c, want, false);
        assert_int_not_equal(call(&a, &size), 0);
        assert_non_null(strstr(aclGetRecentErrMsg(), "aclnnDequantRopeQuantKvcache"));
        compare(&a, want);
        assert_int_equal(aclrtSynchronizeStream(NULL), 0); /* told once */
        finish(&a);
        kvcache_destroy(&c);
    }
}

static void empty_calls_succeed(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        kvcache_case c = usual();
        arguments a;
        jm_tensor want[KVCACHE_OUTPUTS];
        uint64_t size;
        kvcache_destroy(&c);
        c = (kvcache_case){.rank = 3,
                           .batch = which == 0 ? 0 : 2,
                           .positions = which == 1 ? 0 : 3,
                           .q_heads = which == 2 ? 0 : 4,
                           .kv_heads = 2,
                           .width = 32,
                           .blocks = 3,
                           .block = 5,
                           .x_type = JM_BF16,
                           .type = JM_BF16,
                           .bias_type = JM_DTYPE_NONE};
        kvcache_create(&c);
        kvcache_fill(&c, KVCACHE_ORDINARY, rng);
        kvcache_expect(&c);
        prepare(&a, &c, want, false);
        assert_int_equal(call(&a, &size), 0);
        compare(&a, want);
        finish(&a);
        kvcache_destroy(&c);
    }
}

/* ---- Codes ---- */

static void expect_code(arguments *a, aclnnStatus want, const char *words)
{
    uint64_t size = 1;
    aclOpExecutor *executor = (aclOpExecutor *)(uintptr_t)1;
    aclnnStatus code = phase_one(a, &size, &executor);
    const char *message = aclGetRecentErrMsg();
    if (code != want || !message || !strstr(message, words))
        fail_msg("%d '%s', want %d '%s'", code, message ? message : "", want, words);
    assert_null(executor);
    assert_int_equal(size, 0);
    forget(a);
}

static void missing_arguments_are_161001(void **state)
{
    (void)state;
    static const struct {
        int tensor;
        const char *words;
    } required[] = {{X, "x must not be NULL"},
                    {COS, "cos must not be NULL"},
                    {SIN, "sin must not be NULL"},
                    {K_CACHE, "kCacheRef must not be NULL"},
                    {V_CACHE, "vCacheRef must not be NULL"},
                    {INDICES, "indices must not be NULL"},
                    {SCALE_K, "scaleK must not be NULL"},
                    {SCALE_V, "scaleV must not be NULL"},
                    {Q_ARGUMENT, "qOut must not be NULL"},
                    {K_ARGUMENT, "kOut must not be NULL"},
                    {V_ARGUMENT, "vOut must not be NULL"}};
    kvcache_case c = usual();
    arguments a;
    jm_tensor want[KVCACHE_OUTPUTS];
    for (size_t i = 0; i < JM_COUNT(required); i++) {
        prepare(&a, &c, want, false);
        a.kv_output = i % 2;
        a.view[required[i].tensor].dtype = JM_DTYPE_NONE;
        expect_code(&a, 161001, required[i].words);
        finish(&a);
    }
    prepare(&a, &c, want, false);
    aclIntArray *splits = a.splits;
    a.splits = NULL;
    expect_code(&a, 161001, "sizeSplits must not be NULL");
    a.splits = splits;
    uint64_t size;
    aclOpExecutor *executor;
    assert_int_equal(phase_one(&a, NULL, &executor), 161001);
    assert_int_equal(phase_one(&a, &size, NULL), 161001);
    finish(&a);
    kvcache_destroy(&c);
}

static void wrong_arguments_are_161002(void **state)
{
    (void)state;
    kvcache_case c = usual();
    arguments a;
    jm_tensor want[KVCACHE_OUTPUTS];
    /* The operator's own rules: tests/ops/test_kvcache.c has each. */
    prepare(&a, &c, want, false);
    a.view[WEIGHT_SCALE].dtype = JM_DTYPE_NONE;
    expect_code(&a, 161002, "x is int32, so weight_scale must be given");
    finish(&a);
    prepare(&a, &c, want, false);
    a.view[INDICES].dtype = JM_I64;
    expect_code(&a, 161002, "indices is int64 and must be int32");
    finish(&a);
    prepare(&a, &c, want, false);
    a.quant_mode = "dynamic";
    expect_code(&a, 161002, "quant_mode is \"dynamic\" and must be \"static\"");
    a.quant_mode = "";
    a.layout = "BNSD";
    expect_code(&a, 161002, "layout is \"BNSD\" and must be \"BSND\"");
    finish(&a);
    /* Outputs: exact types and shapes, except where they are off. */
    for (int i = Q_ARGUMENT; i < TENSORS; i++) {
        static const char *const name[] = {"qOut", "kOut", "vOut"};
        char words[64];
        prepare(&a, &c, want, false);
        a.view[i].dtype = JM_BF16;
        snprintf(words, sizeof(words), "%s is bfloat16 and must be float16", name[i - Q_ARGUMENT]);
        expect_code(&a, 161002, words);
        a.view[i].dtype = JM_F16;
        a.view[i].shape.dim[1] = 1;
        snprintf(words, sizeof(words), "%s is float16 [2,1,", name[i - Q_ARGUMENT]);
        expect_code(&a, 161002, words);
        a.kv_output = false;
        a.view[i].dtype = JM_F32;
        snprintf(words, sizeof(words), "%s is float32 ", name[i - Q_ARGUMENT]);
        expect_code(&a, 161002, words);
        finish(&a);
    }
    kvcache_destroy(&c);
}

int main(void)
{
    rng = test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_phases_give_the_bits_of_the_model),
        cmocka_unit_test(outputs_that_are_off_are_left_alone),
        cmocka_unit_test(caches_may_lie_in_one_another),
        cmocka_unit_test(a_cache_may_lie_over_an_input),
        cmocka_unit_test(bad_indices_are_the_errors_of_the_stream),
        cmocka_unit_test(empty_calls_succeed),
        cmocka_unit_test(missing_arguments_are_161001),
        cmocka_unit_test(wrong_arguments_are_161002),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
