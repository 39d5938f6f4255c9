/* SPDX-License-Identifier: Apache-2.0
 *
 * DequantRopeQuantKvcache against its scalar model, bit by bit, and what it refuses.
 */
#include "kvcache_model.h"
#include "op_test.h"
#include "test.h"

#include "kernels/kernels.h"

static uint64_t *rng;

/* Every level of instructions, one to three threads, outputs with gaps. */
static void check(kvcache_case *c, bool strided)
{
    for (int level = 0; level < JM_CPU_LEVELS; level++) {
        op_test t;
        jm_tensor want[KVCACHE_OUTPUTS];
        const jm_kernels *kernels = jm_kernels_at((jm_cpu_level)level);
        if (!kernels) continue;
        kvcache_expect(c);
        kvcache_begin(&t, c);
        for (int i = 0; strided && i < KVCACHE_INPUTS; i++)
            if (t.in[i].dtype != JM_DTYPE_NONE) t.in[i] = op_test_restride(&t, &t.in[i], rng);
        t.kernels = kernels;
        t.l2 = op_random(rng) & 1 ? 1 : 0; /* a small cache: outputs are streamed past it */
        kvcache_want(&t, c, want);
        if (c->fault) {
            t.threads = (unsigned)op_random_int(rng, 1, 3);
            assert_ok(op_test_run(&t));
            assert_int_equal(t.fault, JM_OUT_OF_RANGE);
            for (int i = 0; i < KVCACHE_OUTPUTS; i++) op_test_assert_same(&t.out[i], &want[i]);
        } else {
            op_test_check(&t, want, rng);
        }
        op_test_end(&t);
    }
}

/* ---- Results ---- */

/* One token of one k head and two q heads of 32, everything 2 and x 1: with a bias of float the dequantised value is
 * 1 * 2 * 2 + 2, with one of int32 (1 + 2) * 2 * 2. */
static void golden(jm_dtype bias_type, uint16_t high_half, int8_t v)
{
    kvcache_case c = {.rank = 3,
                      .batch = 1,
                      .positions = 1,
                      .q_heads = 2,
                      .kv_heads = 1,
                      .width = 32,
                      .blocks = 1,
                      .block = 128,
                      .kv_output = true,
                      .x_type = JM_I32,
                      .type = JM_F16,
                      .bias_type = bias_type,
                      .has_weight_scale = true,
                      .has_activation_scale = true,
                      .has_offset_k = true,
                      .has_offset_v = true};
    kvcache_create(&c);
    for (int i = 0; i < 128; i++) {
        ((int32_t *)c.x)[i] = 1;
        c.weight_scale[i] = 2;
        jm_element_from_i64(bias_type, 2, (char *)c.bias + (size_t)i * jm_dtype_size(bias_type));
    }
    for (int i = 0; i < 32; i++) {
        c.scale_k[i] = c.scale_v[i] = c.offset_k[i] = c.offset_v[i] = 2;
        c.cos[i] = c.sin[i] = 1; /* the smallest number */
    }
    c.activation_scale[0] = 2;
    memset(c.k_cache, 6, 128 * 32);
    memset(c.v_cache, 6, 128 * 32);
    check(&c, false);
    for (int i = 0; i < 128 * 32; i++) {
        assert_int_equal(c.k_cache_after[i], i < 32 ? 2 : 6);
        assert_int_equal(c.v_cache_after[i], i < 32 ? v : 6);
    }
    for (int i = 0; i < 64; i++) assert_int_equal(c.q[i], i % 32 < 16 ? 0 : high_half);
    kvcache_destroy(&c);
}

static void caches_of_2_and_5(void **state)
{
    (void)state;
    golden(JM_F32, 0x000C, 5);
    golden(JM_F16, 0x000C, 5);
    golden(JM_I32, 0x0018, 8);
}

static void random_calls_give_the_bits_of_the_model(void **state)
{
    (void)state;
    for (int round = 0; round < 400; round++) {
        kvcache_case c;
        kvcache_random(&c, rng);
        check(&c, round % 2);
        kvcache_destroy(&c);
    }
}

/* The 16 columns of types and those without a bias, each in every mode, rank and kind of data. */
static void every_combination_gives_the_bits_of_the_model(void **state)
{
    (void)state;
    static const jm_dtype bias[] = {JM_F16, JM_BF16, JM_I32, JM_F32, JM_DTYPE_NONE};
    for (int n = 0; n < 2 * 2 * 5 * 2 * 2 * 2 * KVCACHE_DATA; n++) {
        int rest = n;
        const int f16 = rest % 2, integer = (rest /= 2) % 2, b = (rest /= 2) % 5, paged = (rest /= 5) % 2;
        const int rank = (rest /= 2) % 2, rows = (rest /= 2) % 2, data = rest / 2;
        kvcache_case c = {.rank = 2 + rank,
                          .batch = 3,
                          .positions = rank ? 4 : 1,
                          .q_heads = 3,
                          .kv_heads = 2,
                          .width = 48, /* 96 channels of k: no multiple of 64 */
                          .blocks = 4,
                          .block = 7,
                          .paged = paged,
                          .kv_output = rows,
                          .type = f16 ? JM_F16 : JM_BF16,
                          .bias_type = bias[b],
                          .has_weight_scale = true,
                          .has_activation_scale = op_random(rng) & 1,
                          .has_offset_k = op_random(rng) & 1,
                          .has_offset_v = op_random(rng) & 1};
        c.x_type = integer ? JM_I32 : c.type;
        kvcache_create(&c);
        kvcache_fill(&c, (kvcache_data)data, rng);
        check(&c, false);
        kvcache_destroy(&c);
    }
}

static kvcache_case usual(jm_dtype x_type, jm_dtype type)
{
    return (kvcache_case){.rank = 3,
                          .batch = 2,
                          .positions = 3,
                          .q_heads = 4,
                          .kv_heads = 2,
                          .width = 32,
                          .blocks = 3,
                          .block = 5,
                          .kv_output = true,
                          .x_type = x_type,
                          .type = type,
                          .bias_type = JM_F32,
                          .has_weight_scale = true,
                          .has_activation_scale = true,
                          .has_offset_k = true,
                          .has_offset_v = true};
}

/* 32 heads of q and 8 of k and v of 128 channels: 6144 channels. */
static void rows_may_be_wider_than_4096(void **state)
{
    (void)state;
    kvcache_case c = usual(JM_I32, JM_F16);
    c.q_heads = 32;
    c.kv_heads = 8;
    c.width = 128;
    kvcache_create(&c);
    kvcache_fill(&c, KVCACHE_ORDINARY, rng);
    check(&c, false);
    kvcache_destroy(&c);
}

/* Halves of the channels that are cut into pieces of 128 unevenly. */
static void heads_may_be_wide(void **state)
{
    (void)state;
    for (int f16 = 0; f16 < 2; f16++) {
        kvcache_case c = usual(JM_I32, f16 ? JM_F16 : JM_BF16);
        c.width = 16 * (2 * 17 + 1);
        kvcache_create(&c);
        kvcache_fill(&c, KVCACHE_WILD, rng);
        check(&c, true);
        kvcache_destroy(&c);
    }
}

static void one_offset_is_none(void **state)
{
    (void)state;
    kvcache_case c = usual(JM_F16, JM_F16);
    kvcache_create(&c);
    kvcache_fill(&c, KVCACHE_ORDINARY, rng);
    c.has_offset_v = false;
    check(&c, false);
    int8_t *both = c.k_cache_after;
    c.k_cache_after = jm_alloc((size_t)kvcache_cache(&c), 1);
    assert_non_null(c.k_cache_after);
    c.has_offset_k = false;
    check(&c, false);
    assert_memory_equal(both, c.k_cache_after, (size_t)kvcache_cache(&c));
    jm_free(both);
    kvcache_destroy(&c);
}

/* Nothing is cached for the tokens of a bad index; the others, and all of q, k and v, are written. */
static void bad_indices_write_nothing(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        kvcache_case c = usual(round & 1 ? JM_I32 : JM_BF16, JM_BF16);
        c.paged = round & 2;
        kvcache_create(&c);
        kvcache_fill(&c, KVCACHE_ORDINARY, rng);
        static const int32_t bad_places[] = {15, 16, 1 << 30, INT32_MAX};
        static const int32_t bad_rows[] = {-1, 3, 5, INT32_MAX, INT32_MIN};
        c.indices[op_random_int(rng, 0, kvcache_indices(&c) - 1)] =
            c.paged ? bad_places[round / 4 % 4] : bad_rows[round / 4 % 5];
        kvcache_expect(&c);
        assert_true(c.fault);
        check(&c, round & 4);
        kvcache_destroy(&c);
    }
}

/* Nothing is written, whatever the indices are. */
static void empty_calls_succeed(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        kvcache_case c = usual(JM_F16, JM_F16);
        if (which == 0) c.batch = 0;
        if (which == 1) c.positions = 0;
        if (which == 2) c.q_heads = 0;
        if (which == 2) c.kv_output = false;
        kvcache_create(&c);
        kvcache_fill(&c, KVCACHE_ORDINARY, rng);
        for (int64_t i = 0; i < kvcache_indices(&c); i++) c.indices[i] = -7;
        check(&c, false);
        assert_false(c.fault);
        assert_memory_equal(c.k_cache, c.k_cache_after, (size_t)kvcache_cache(&c));
        kvcache_destroy(&c);
    }
}

/* ---- Refusals ---- */

typedef enum edit_kind { END, ABSENT, TYPE, RANK, DIM, SPLITS, SPLIT, WORD } edit_kind;

/* A change of the usual call: of input `at`, of split `at`, or of the attribute `text`. */
typedef struct edit {
    edit_kind kind;
    int at;
    int64_t value;
    int dim;
    const char *text;
} edit;

#define WITHOUT(input)                                                                                                 \
    {                                                                                                                  \
        .kind = ABSENT, .at = input                                                                                    \
    }
#define TYPE_IS(input, type)                                                                                           \
    {                                                                                                                  \
        .kind = TYPE, .at = input, .value = type                                                                       \
    }
#define RANK_IS(input, rank)                                                                                           \
    {                                                                                                                  \
        .kind = RANK, .at = input, .value = rank                                                                       \
    }
#define DIM_IS(input, k, size)                                                                                         \
    {                                                                                                                  \
        .kind = DIM, .at = input, .dim = k, .value = size                                                              \
    }
#define SPLIT_IS(i, size)                                                                                              \
    {                                                                                                                  \
        .kind = SPLIT, .at = i, .value = size                                                                          \
    }
#define SPLITS_ARE(count)                                                                                              \
    {                                                                                                                  \
        .kind = SPLITS, .value = count                                                                                 \
    }
#define DYNAMIC(attr)                                                                                                  \
    {                                                                                                                  \
        .kind = WORD, .text = attr                                                                                     \
    }
#define PAGE(attr)                                                                                                     \
    {                                                                                                                  \
        .kind = WORD, .at = 1, .text = attr                                                                            \
    }

typedef struct refusal {
    const char *words; /* in the message */
    edit edit[4];
} refusal;

static void apply(op_test *t, const edit *e)
{
    jm_attr *splits = &t->attr[jm_op_attr_index(t->op, "size_splits")];
    switch (e->kind) {
    case ABSENT:
        t->in[e->at].dtype = JM_DTYPE_NONE;
        break;
    case TYPE:
        t->in[e->at].dtype = (jm_dtype)e->value;
        break;
    case RANK:
        t->in[e->at].shape.rank = (int)e->value;
        break;
    case DIM:
        t->in[e->at].shape.dim[e->dim] = e->value;
        break;
    case SPLITS:
        splits->count = (int32_t)e->value;
        break;
    case SPLIT:
        ((int64_t *)(uintptr_t)splits->ints)[e->at] = e->value;
        break;
    default:
        op_test_string(t, e->text, e->at ? "page" : "dynamic");
    }
}

/* The usual call has x [2,3,256] of int32, cos [2,3,1,32] of float16 and caches [3,5,2,32]. */
static const refusal refusals[] = {
    {"input 'x' is missing", {WITHOUT(X)}},
    {"input 'cos' is missing", {WITHOUT(COS)}},
    {"input 'sin' is missing", {WITHOUT(SIN)}},
    {"input 'k_cache' is missing", {WITHOUT(K_CACHE)}},
    {"input 'v_cache' is missing", {WITHOUT(V_CACHE)}},
    {"input 'indices' is missing", {WITHOUT(INDICES)}},
    {"input 'scale_k' is missing", {WITHOUT(SCALE_K)}},
    {"input 'scale_v' is missing", {WITHOUT(SCALE_V)}},
    {"x is int32, so weight_scale must be given", {WITHOUT(WEIGHT_SCALE)}},
    {"x is bfloat16 and must be float16 or int32", {TYPE_IS(X, JM_BF16)}},
    {"x is float32 and must be float16 or int32", {TYPE_IS(X, JM_F32)}},
    {"cos is float32 and must be float16 or bfloat16", {TYPE_IS(COS, JM_F32)}},
    {"sin is bfloat16 and must be float16", {TYPE_IS(SIN, JM_BF16)}},
    {"k_cache is uint8 and must be int8", {TYPE_IS(K_CACHE, JM_U8)}},
    {"v_cache is float16 and must be int8", {TYPE_IS(V_CACHE, JM_F16)}},
    {"indices is int64 and must be int32", {TYPE_IS(INDICES, JM_I64)}},
    {"scale_k is float16 and must be float32", {TYPE_IS(SCALE_K, JM_F16)}},
    {"scale_v is int32 and must be float32", {TYPE_IS(SCALE_V, JM_I32)}},
    {"offset_k is int32 and must be float32", {TYPE_IS(OFFSET_K, JM_I32)}},
    {"offset_v is int8 and must be float32", {TYPE_IS(OFFSET_V, JM_I8)}},
    {"weight_scale is bfloat16 and must be float32", {TYPE_IS(WEIGHT_SCALE, JM_BF16)}},
    {"activation_scale is float64 and must be float32", {TYPE_IS(ACTIVATION_SCALE, JM_F64)}},
    {"bias is int64 and must be float32 or float16 or int32 or bfloat16", {TYPE_IS(BIAS, JM_I64)}},
    {"x has rank 1 and must have rank 2 or 3", {RANK_IS(X, 1)}},
    {"x has rank 4 and must have rank 2 or 3", {RANK_IS(X, 4)}},
    {"k_cache has rank 3 and must have rank 4", {RANK_IS(K_CACHE, 3)}},
    {"v_cache is [3,5,2] and must be [3,5,2,32]", {RANK_IS(V_CACHE, 3)}},
    {"v_cache is [3,6,2,32] and must be [3,5,2,32]", {DIM_IS(V_CACHE, 1, 6)}},
    {"size_splits has 2 numbers and must have 3", {SPLITS_ARE(2)}},
    {"size_splits[0] is -32 and must be in [0, 2^40]", {SPLIT_IS(0, -32)}},
    {"size_splits[1] is -64 and must be in [0, 2^40]", {SPLIT_IS(1, -64), SPLIT_IS(2, -64)}},
    {"size_splits[2] is 32 and must be 64 like size_splits[1]", {SPLIT_IS(2, 32)}},
    {"the last dimension of x is 256 and must be 288, the sum of size_splits", {SPLIT_IS(0, 160)}},
    {"size_splits[1] is 32 and must be 64: the 2 heads of 32", {SPLIT_IS(1, 32), SPLIT_IS(2, 32), SPLIT_IS(0, 192)}},
    {"size_splits[0] is 100 and must be a multiple of 32", {SPLIT_IS(0, 100), DIM_IS(X, 2, 228)}},
    {"a head, is 24 and must be a multiple of 16", {DIM_IS(K_CACHE, 3, 24), DIM_IS(V_CACHE, 3, 24)}},
    {"a head, is 0 and must be a multiple of 16, and not 0", {DIM_IS(K_CACHE, 3, 0), DIM_IS(V_CACHE, 3, 0)}},
    {"cos is [2,3,1] and must be [2,3,1,32]", {RANK_IS(COS, 3)}},
    {"cos is [2,3,1,16] and must be [2,3,1,32]", {DIM_IS(COS, 3, 16)}},
    {"sin is [2,3,2,32] and must be [2,3,1,32]", {DIM_IS(SIN, 2, 2)}},
    {"indices is [3] and must be [2]", {DIM_IS(INDICES, 0, 3)}},
    {"indices is [2,1] and must be [2]", {RANK_IS(INDICES, 2), DIM_IS(INDICES, 1, 1)}},
    {"indices is [2] and must be [6]", {PAGE("cache_mode")}},
    {"scale_k has 63 elements and must have 64", {DIM_IS(SCALE_K, 0, 63)}},
    {"scale_v has 66 elements and must have 64", {DIM_IS(SCALE_V, 1, 33)}},
    {"offset_k has 32 elements and must have 64", {DIM_IS(OFFSET_K, 0, 32)}},
    {"offset_v has 65 elements and must have 64", {DIM_IS(OFFSET_V, 0, 65)}},
    {"weight_scale has 64 elements and must have 256", {DIM_IS(WEIGHT_SCALE, 0, 64)}},
    {"activation_scale has 2 elements and must have 6", {DIM_IS(ACTIVATION_SCALE, 0, 2)}},
    {"bias has 255 elements and must have 256", {DIM_IS(BIAS, 0, 255)}},
    {"dimension 0 of k_cache is 1 and must be at least 2", {DIM_IS(K_CACHE, 0, 1), DIM_IS(V_CACHE, 0, 1)}},
    {"dimension 1 of k_cache is 2 and must be at least 3", {DIM_IS(K_CACHE, 1, 2), DIM_IS(V_CACHE, 1, 2)}},
    {"quant_mode is \"dynamic\" and must be \"static\"", {DYNAMIC("quant_mode")}},
    {"layout is \"dynamic\" and must be \"BSND\"", {DYNAMIC("layout")}},
};

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < JM_COUNT(refusals); i++) {
        kvcache_case c = usual(JM_I32, JM_F16);
        kvcache_create(&c);
        kvcache_fill(&c, KVCACHE_ORDINARY, rng);
        op_test t;
        kvcache_begin(&t, &c);
        for (int k = 0; refusals[i].edit[k].kind; k++) apply(&t, &refusals[i].edit[k]);
        assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, refusals[i].words);
        op_test_end(&t);
        kvcache_destroy(&c);
    }
}

/* What the rules are silent about, or what is ignored: x that is not int32, and one offset. */
static void what_is_not_used_is_not_checked(void **state)
{
    (void)state;
    static const edit edits[] = {DIM_IS(WEIGHT_SCALE, 0, 3), DIM_IS(ACTIVATION_SCALE, 0, 0), RANK_IS(BIAS, 0)};
    kvcache_case c = usual(JM_BF16, JM_BF16);
    c.has_offset_v = false;
    kvcache_create(&c);
    kvcache_fill(&c, KVCACHE_ORDINARY, rng);
    op_test t;
    kvcache_begin(&t, &c);
    assert_ok(jm_kernels_get(&t.kernels));
    for (size_t i = 0; i < JM_COUNT(edits); i++) apply(&t, &edits[i]);
    t.in[OFFSET_K].shape.dim[0] = 1;
    op_test_string(&t, "quant_mode", "");
    op_test_string(&t, "layout", "");
    op_test_string(&t, "cache_mode", "pages"); /* no page: contiguous */
    assert_ok(op_test_run(&t));
    op_test_end(&t);
    kvcache_destroy(&c);
}

int main(void)
{
    rng = test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_of_2_and_5),
        cmocka_unit_test(random_calls_give_the_bits_of_the_model),
        cmocka_unit_test(every_combination_gives_the_bits_of_the_model),
        cmocka_unit_test(rows_may_be_wider_than_4096),
        cmocka_unit_test(heads_may_be_wide),
        cmocka_unit_test(one_offset_is_none),
        cmocka_unit_test(bad_indices_write_nothing),
        cmocka_unit_test(empty_calls_succeed),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(what_is_not_used_is_not_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
