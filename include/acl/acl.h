/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime and model interface. C11 and C++11.
 */
#ifndef ACL_ACL_H
#define ACL_ACL_H

#include "acl/acl_rt.h"

#include "acl/acl_mdl.h"

#endif
