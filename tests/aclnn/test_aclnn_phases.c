/* SPDX-License-Identifier: Apache-2.0
 *
 * What clients depend on in the two phases, shown with a few operators.
 */
#include <pthread.h>
#include <stdlib.h>

#include "test.h"

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_nonzero_v2.h"
#include "base/alloc.h"

enum { N = 6 };

static aclTensor *vector(void *data, aclDataType type, int64_t count)
{
    return aclCreateTensor(&count, 1, type, NULL, 0, ACL_FORMAT_ND, &count, 1, data);
}

static aclScalar *one(void)
{
    float value = 1;
    return aclCreateScalar(&value, ACL_FLOAT);
}

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

typedef struct add {
    float a[N], b[N], out[N];
    aclTensor *self, *other, *result;
    aclScalar *alpha;
    uint64_t size;
    aclOpExecutor *executor;
    void *workspace;
} add;

static void add_prepare(add *c)
{
    for (int i = 0; i < N; i++) {
        c->a[i] = (float)i;
        c->b[i] = 10;
        c->out[i] = -1;
    }
    c->self = vector(c->a, ACL_FLOAT, N);
    c->other = vector(c->b, ACL_FLOAT, N);
    c->result = vector(c->out, ACL_FLOAT, N);
    c->alpha = one();
    c->workspace = NULL;
    assert_int_equal(aclnnAddGetWorkspaceSize(c->self, c->other, c->alpha, c->result, &c->size, &c->executor), 0);
    assert_non_null(c->executor);
    if (c->size) assert_int_equal(aclrtMalloc(&c->workspace, c->size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
}

static void add_forget(add *c)
{
    aclDestroyTensor(c->self);
    aclDestroyTensor(c->other);
    aclDestroyTensor(c->result);
    aclDestroyScalar(c->alpha);
}

static void add_check(const add *c)
{
    for (int i = 0; i < N; i++) assert_true(c->out[i] == (float)i + 10);
}

/* Tensors go right after phase two, while the work may still be queued. */
static void tensors_may_go_early(void **state)
{
    (void)state;
    add c;
    add_prepare(&c);
    assert_int_equal(aclnnAdd(c.workspace, c.size, c.executor, NULL), 0);
    add_forget(&c);
    if (c.workspace) aclrtFree(c.workspace);
    assert_int_equal(aclrtSynchronizeStream(NULL), 0);
    add_check(&c);
}

static void *second_phase(void *argument)
{
    add *c = argument;
    assert_int_equal(aclrtSetDevice(0), 0);
    assert_int_equal(aclnnAdd(c->workspace, c->size, c->executor, NULL), 0);
    add_forget(c);
    assert_int_equal(aclrtSynchronizeStream(NULL), 0);
    assert_int_equal(aclrtResetDevice(0), 0);
    return NULL;
}

/* Phase one here, phase two elsewhere, several executors in flight. */
static void phases_on_different_threads(void **state)
{
    (void)state;
    add c[4];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) add_prepare(&c[i]);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, second_phase, &c[i]), 0);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < 4; i++) {
        add_check(&c[i]);
        if (c[i].workspace) aclrtFree(c[i].workspace);
    }
}

static void repeatable_with_other_addresses(void **state)
{
    (void)state;
    add c;
    float a2[N], out2[N];
    add_prepare(&c);
    assert_int_equal(aclSetAclOpExecutorRepeatable(c.executor), 0);
    for (int round = 0; round < 3; round++) {
        memset(c.out, 0, sizeof(c.out));
        assert_int_equal(aclnnAdd(c.workspace, c.size, c.executor, NULL), 0);
        assert_int_equal(aclrtSynchronizeStream(NULL), 0);
        add_check(&c);
    }
    for (int i = 0; i < N; i++) a2[i] = 100;
    assert_int_equal(aclSetInputTensorAddr(c.executor, 0, c.self, a2), 0);
    assert_int_equal(aclSetOutputTensorAddr(c.executor, 0, c.result, out2), 0);
    assert_int_equal(aclnnAdd(c.workspace, c.size, c.executor, NULL), 0);
    assert_int_equal(aclrtSynchronizeStream(NULL), 0);
    for (int i = 0; i < N; i++) assert_true(out2[i] == 110);
    add_check(&c);
    /* By the position among all tensors. */
    assert_int_equal(AclSetTensorAddr(c.executor, 2, c.result, c.out), 0);
    assert_int_equal(aclnnAdd(c.workspace, c.size, c.executor, NULL), 0);
    assert_int_equal(aclrtSynchronizeStream(NULL), 0);
    for (int i = 0; i < N; i++) assert_true(c.out[i] == 110);
    assert_int_equal(aclSetInputTensorAddr(c.executor, 2, c.self, a2), 161002);
    assert_int_equal(aclSetInputTensorAddr(c.executor, 0, NULL, a2), 561103);
    assert_int_equal(aclSetAclOpExecutorRepeatable(c.executor), 561000);
    assert_int_equal(aclDestroyAclOpExecutor(c.executor), 0);
    add_forget(&c);
    if (c.workspace) aclrtFree(c.workspace);
}

static void codes_of_phase_one(void **state)
{
    (void)state;
    float data[N];
    uint64_t size;
    aclOpExecutor *executor;
    aclTensor *good = vector(data, ACL_FLOAT, N), *shorter = vector(data, ACL_FLOAT, N - 1);
    aclTensor *ints = vector(data, ACL_INT32, N), *halves = vector(data, ACL_COMPLEX32, N);
    aclScalar *alpha = one();
    struct {
        aclTensor *self, *out;
        aclnnStatus code;
        const char *words;
    } row[] = {
        {NULL, good, 161001, "aclnnAdd: self must not be NULL"},
        {good, NULL, 161001, "aclnnAdd: out must not be NULL"},
        {shorter, good, 161002, "[5] and [6] do not broadcast"},
        {good, shorter, 161002, "out is float32 [5] and must be float32 [6]"},
        {halves, good, 161002, "self has type 33"},
        {good, ints, 161002, "out is int32, which cannot hold a result of type float32"},
    };
    for (size_t i = 0; i < JM_COUNT(row); i++) {
        size = 1;
        executor = (aclOpExecutor *)(uintptr_t)1;
        aclnnStatus code = aclnnAddGetWorkspaceSize(row[i].self, good, alpha, row[i].out, &size, &executor);
        const char *message = aclGetRecentErrMsg();
        if (code != row[i].code || !message || !strstr(message, row[i].words))
            fail_msg("row %zu: %d %s; want %d %s", i, code, message ? message : "", row[i].code, row[i].words);
        assert_null(executor);
        assert_int_equal(size, 0);
    }
    assert_int_equal(aclnnAddGetWorkspaceSize(good, good, alpha, good, NULL, &executor), 161001);
    assert_int_equal(aclnnAddGetWorkspaceSize(good, good, alpha, good, &size, NULL), 161001);

    /* Elements that are written must not share memory, strides must be neither negative nor beyond 2^48. */
    const int64_t dim = N, zero = 0, back = -1, huge = INT64_MAX / 4, far = (int64_t)1 << 46, one = 1, most = INT64_MAX;
    aclTensor *bad[] = {aclCreateTensor(&dim, 1, ACL_FLOAT, &zero, 0, ACL_FORMAT_ND, &dim, 1, data),
                        aclCreateTensor(&dim, 1, ACL_FLOAT, &back, 0, ACL_FORMAT_ND, &dim, 1, data),
                        aclCreateTensor(&dim, 1, ACL_FLOAT, &huge, 0, ACL_FORMAT_ND, &dim, 1, data),
                        aclCreateTensor(&dim, 1, ACL_FLOAT, &far, 0, ACL_FORMAT_ND, &dim, 1, data),
                        aclCreateTensor(&one, 1, ACL_FLOAT, &most, 0, ACL_FORMAT_ND, &dim, 1, data),
                        aclCreateTensor(&zero, 1, ACL_FLOAT, &most, 0, ACL_FORMAT_ND, &dim, 1, data),
                        aclCreateTensor(&dim, 1, ACL_FLOAT, NULL, -1, ACL_FORMAT_ND, &dim, 1, data),
                        aclCreateTensor(&back, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, &dim, 1, data)};
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        assert_int_equal(aclnnAddGetWorkspaceSize(good, good, alpha, bad[i], &size, &executor), 161002);
        assert_non_null(strstr(aclGetRecentErrMsg(), "aclnnAdd"));
        aclDestroyTensor(bad[i]);
    }
    aclDestroyTensor(good);
    aclDestroyTensor(shorter);
    aclDestroyTensor(ints);
    aclDestroyTensor(halves);
    aclDestroyScalar(alpha);
}

static void codes_of_phase_two(void **state)
{
    (void)state;
    add c;
    assert_int_equal(aclnnAdd(NULL, 0, NULL, NULL), 161001);
    assert_non_null(strstr(aclGetRecentErrMsg(), "executor must not be NULL"));
    add_prepare(&c);
    assert_true(c.size > 0);
    assert_int_equal(aclnnAdd(NULL, c.size, c.executor, NULL), 161001); /* frees the executor */
    assert_non_null(strstr(aclGetRecentErrMsg(), "workspace must not be NULL"));
    add_forget(&c);
    aclrtFree(c.workspace);
    add_prepare(&c);
    assert_int_equal(aclnnAdd(c.workspace, c.size - 1, c.executor, NULL), 161002);
    assert_non_null(strstr(aclGetRecentErrMsg(), "workspaceSize"));
    add_forget(&c);
    aclrtFree(c.workspace);
    add_prepare(&c);
    assert_int_equal(aclnnAdds(c.workspace, c.size, c.executor, NULL), 161002); /* not its executor: it stays */
    assert_int_equal(aclDestroyAclOpExecutor(c.executor), 0);
    add_forget(&c);
    aclrtFree(c.workspace);
    add_prepare(&c);
    assert_int_equal(aclnnAdd(c.workspace, c.size, c.executor, (void *)&c), 361001); /* no stream */
    assert_non_null(aclGetRecentErrMsg());
    add_forget(&c);
    aclrtFree(c.workspace);
}

static void nothing_to_add(void **state)
{
    (void)state;
    uint64_t size = 1;
    aclOpExecutor *executor;
    aclTensor *empty = vector(NULL, ACL_FLOAT, 0);
    aclScalar *alpha = one();
    assert_int_equal(aclnnAddGetWorkspaceSize(empty, empty, alpha, empty, &size, &executor), 0);
    assert_int_equal(size, 0);
    assert_non_null(executor);
    assert_int_equal(aclnnAdd(NULL, 0, executor, NULL), 0);
    aclDestroyTensor(empty);
    aclDestroyScalar(alpha);
}

/* selfRef partly over other: as if other had been read before. */
static void overlapping_operands(void **state)
{
    (void)state;
    float data[N + 1];
    uint64_t size;
    aclOpExecutor *executor;
    void *workspace;
    for (int i = 0; i <= N; i++) data[i] = (float)i;
    aclTensor *self = vector(data, ACL_FLOAT, N), *other = vector(data + 1, ACL_FLOAT, N);
    aclScalar *alpha = one();
    assert_int_equal(aclnnInplaceAddGetWorkspaceSize(other, self, alpha, &size, &executor), 0);
    assert_int_equal(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    assert_int_equal(aclnnInplaceAdd(workspace, size, executor, NULL), 0);
    assert_int_equal(aclrtSynchronizeStream(NULL), 0);
    for (int i = 1; i <= N; i++) assert_true(data[i] == (float)(2 * i - 1));
    aclrtFree(workspace);
    aclDestroyTensor(self);
    aclDestroyTensor(other);
    aclDestroyScalar(alpha);
}

/* Phase one survives each failed allocation, with a code and a message. */
static void phase_one_without_memory(void **state)
{
    (void)state;
    float data[N];
    uint64_t size;
    aclOpExecutor *executor;
    aclTensor *self = vector(data, ACL_FLOAT, N), *other = vector(data, ACL_INT64, N / 2);
    aclTensor *half = vector(data, ACL_FLOAT, N / 2);
    double value = 2;
    aclScalar *alpha = aclCreateScalar(&value, ACL_DOUBLE);
    aclnnStatus code = -1;
    for (uint64_t n = 1; code != 0; n++) {
        assert_true(n < 100);
        jm_alloc_fail_at(n);
        code = aclnnAddGetWorkspaceSize(half, other, alpha, half, &size, &executor);
        jm_alloc_fail_at(0);
        if (code == 0) break;
        assert_int_equal(code, 561101);
        assert_null(executor);
        assert_non_null(aclGetRecentErrMsg());
    }
    assert_int_equal(aclDestroyAclOpExecutor(executor), 0);
    aclDestroyTensor(self);
    aclDestroyTensor(other);
    aclDestroyTensor(half);
    aclDestroyScalar(alpha);
}

static void assert_shape(const aclTensor *tensor, int64_t rows, int64_t columns)
{
    int64_t *dims;
    uint64_t count;
    assert_int_equal(aclGetViewShape(tensor, &dims, &count), 0);
    assert_int_equal(count, 2);
    assert_true(dims[0] == rows && dims[1] == columns);
    free(dims);
}

/* Phase one takes the largest shape; the tensor has the real one when the stream is synchronised. */
static void shapes_that_depend_on_data(void **state)
{
    (void)state;
    const int64_t input[] = {2, 3}, room[] = {2, 6};
    float data[6] = {0, 1, 0, 2, 0, 3};
    int64_t found[12] = {0};
    uint64_t size;
    aclOpExecutor *executor = NULL;
    void *workspace = NULL;
    aclTensor *self = aclCreateTensor(input, 2, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, input, 2, data);
    aclTensor *out = aclCreateTensor(room, 2, ACL_INT64, NULL, 0, ACL_FORMAT_ND, room, 2, found);
    aclnnStatus code = -1;
    for (uint64_t n = 1; code != 0; n++) {
        assert_true(n < 100);
        jm_alloc_fail_at(n);
        code = aclnnNonzeroV2GetWorkspaceSize(self, out, &size, &executor);
        jm_alloc_fail_at(0);
        if (code) assert_int_equal(code, 561101);
    }
    assert_shape(out, 2, 6);
    assert_int_equal(aclSetAclOpExecutorRepeatable(executor), 561000);
    if (size) assert_int_equal(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    assert_int_equal(aclnnNonzeroV2(workspace, size, executor, NULL), 0);
    assert_int_equal(aclrtSynchronizeStream(NULL), 0);
    assert_shape(out, 2, 3);
    const int64_t want[] = {0, 1, 1, 1, 0, 2};
    assert_memory_equal(found, want, sizeof(want));
    /* The tensor is now what the getter says; a later call takes it as such. */
    assert_int_equal(aclnnNonzeroV2GetWorkspaceSize(self, out, &size, &executor), 161002);
    aclDestroyTensor(out);
    /* An output may go while the run that describes it is in flight, or before it begins. */
    out = aclCreateTensor(room, 2, ACL_INT64, NULL, 0, ACL_FORMAT_ND, room, 2, found);
    assert_int_equal(aclnnNonzeroV2GetWorkspaceSize(self, out, &size, &executor), 0);
    aclDestroyTensor(out);
    assert_int_equal(aclnnNonzeroV2(workspace, size, executor, NULL), 0);
    assert_int_equal(aclrtSynchronizeStream(NULL), 0);
    aclDestroyTensor(self);
    if (workspace) aclrtFree(workspace);
}

static void without_a_device(void **state)
{
    (void)state;
    float data[N];
    uint64_t size;
    aclOpExecutor *executor;
    aclTensor *self = vector(data, ACL_FLOAT, N);
    aclScalar *alpha = one();
    assert_int_equal(aclnnAddGetWorkspaceSize(self, self, alpha, self, &size, &executor), 361001);
    assert_non_null(aclGetRecentErrMsg());
    aclDestroyTensor(self);
    aclDestroyScalar(alpha);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_device),
        cmocka_unit_test_setup_teardown(tensors_may_go_early, set_up, tear_down),
        cmocka_unit_test_setup_teardown(phases_on_different_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(repeatable_with_other_addresses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(codes_of_phase_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(codes_of_phase_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_to_add, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overlapping_operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(phase_one_without_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shapes_that_depend_on_data, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
