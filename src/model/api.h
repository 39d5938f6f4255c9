/* SPDX-License-Identifier: Apache-2.0
 *
 * What the functions of include/jumar share.
 */
#ifndef JUMAR_MODEL_API_H
#define JUMAR_MODEL_API_H

#include "base/status.h"
#include "jumar/jumar.h"

/* The public number of an internal status. The message stays where it is. */
jumar_status jm_public_status(jm_status status);

#endif
