/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the AscendCL door share.
 */
#ifndef JUMAR_TESTS_ACL_ACL_TEST_H
#define JUMAR_TESTS_ACL_ACL_TEST_H

#include "test.h"

#include "acl/acl.h"

#define assert_acl(call) assert_int_equal(call, ACL_SUCCESS)

/* Setup and teardown of a test that uses device 0. */
static inline int begin(void **state)
{
    (void)state;
    return aclrtSetDevice(0);
}

static inline int end(void **state)
{
    (void)state;
    return aclrtResetDeviceForce(0);
}

/* The message of the failure before contains the words; reading it takes it away. */
static inline void assert_message(const char *part)
{
    const char *message = aclGetRecentErrMsg();
    assert_non_null(message);
    if (!strstr(message, part)) fail_msg("\"%s\" is not in \"%s\"", part, message);
    assert_null(aclGetRecentErrMsg());
}

#endif
