/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the model door share.
 */
#ifndef JUMAR_ACL_MDL_H
#define JUMAR_ACL_MDL_H

#include "acl/acl_mdl.h"
#include "acl/code.h"
#include "acl/error_codes/ge_error_codes.h"
#include "model/loaded.h"

/* The number for a status of reading, planning or loading a model; the message stays as it is. */
aclError jm_mdl_load_code(jm_status status);

/* The table of loaded models. A model that was acquired is not unloaded until it is released. NULL, with a message,
 * when no model has this number: the code is 145003. */
jm_loaded *jm_mdl_acquire(uint32_t id);
void jm_mdl_release(uint32_t id);

/* Bytes of work and weight memory that aclmdlQuerySize reports for a program. */
void jm_mdl_sizes(const jm_program_info *info, size_t *work, size_t *weight);

/* Reads a graph from a file, or from memory when `path` is NULL. */
JM_MUST_USE jm_status jm_mdl_read(const char *path, const void *model, size_t size, jm_graph **graph);

#endif
