/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything basic: types and codes, data buffers, tensor descriptions.
 */
#ifndef ACL_ACL_BASE_H
#define ACL_ACL_BASE_H

#include "acl/acl_base_mdl.h"
#include "acl/acl_base_rt.h"
#include "acl/error_codes/ge_error_codes.h"
#include "acl/error_codes/rt_error_codes.h"

#endif
