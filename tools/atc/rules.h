/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules between flags, and chips.
 */
#ifndef JUMAR_TOOLS_ATC_RULES_H
#define JUMAR_TOOLS_ATC_RULES_H

#include "atc/flags.h"
#include "jumar/compile.h"

/* Checks what one flag says about others, and the text of sizes. JM_INVALID_ARGUMENT or JM_UNSUPPORTED with a number.
 */
JM_MUST_USE jm_status atc_rules_check(const atc_values *values);

/* Which kind of sizes the command line lists, and their text; NULL when there are none. */
jumar_gear_kind atc_gears(const atc_values *values, const char **list);

/* Whether a chip of that name is known. */
bool atc_soc_known(const char *name);

#endif
