/* SPDX-License-Identifier: Apache-2.0
 *
 * Placeholder of the model interface.
 */
#ifndef JUMAR_ACL_ACL_MDL_H
#define JUMAR_ACL_ACL_MDL_H

#include "acl/acl_rt.h"

#endif
