/* SPDX-License-Identifier: Apache-2.0 */
#include "op_test.h"
#include "test.h"

static void reshape_resolves_dimensions(void **state)
{
    (void)state;
    uint64_t *random = test_random_state();
    op_test t;
    op_test_begin(&t, "Reshape");
    jm_shape from = {.rank = 3, .dim = {2, 3, 4}}, to = {.rank = 2, .dim = {2, 12}};
    jm_tensor in = op_test_tensor(&t, JM_F32, &from, random);
    op_test_input(&t, in);
    op_test_ints_input(&t, (int64_t[]){0, -1}, 2);
    assert_ok(op_test_run(&t));
    jm_tensor want = in;
    assert_ok(jm_tensor_init(&want, JM_F32, &to, JM_PLAIN, NULL));
    want.data = in.data;
    op_test_assert_same(&t.out[0], &want);
    op_test_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reshape_resolves_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
