/* SPDX-License-Identifier: Apache-2.0
 *
 * The flags of atc: one table, read by everything else here.
 */
#ifndef JUMAR_TOOLS_ATC_FLAGS_H
#define JUMAR_TOOLS_ATC_FLAGS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

typedef enum atc_kind {
    ATC_TEXT,
    ATC_FILE,
    ATC_INT,
    ATC_BIT,
    ATC_TRUTH,
    ATC_TRUTHS,
    ATC_CHOICE,
    ATC_LEVEL,
} atc_kind;

typedef enum atc_use { ATC_ACT, ATC_RECORD, ATC_REFUSE } atc_use;

typedef struct atc_flag {
    const char *name;
    atc_kind kind;
    const char *fallback; /* value when it is not given */
    const char *range;
    atc_use use;
    const char *words;
} atc_flag;

typedef enum atc_flag_id {
#define ATC_FLAG(name, kind, fallback, range, use, words) FLAG_##name,
#include "atc/flags.def"
#undef ATC_FLAG
    ATC_FLAGS
} atc_flag_id;

extern const atc_flag atc_flags[ATC_FLAGS];

/* The values of one command line. */
typedef struct atc_values {
    const char *value[ATC_FLAGS]; /* the text given, else the default */
    bool given[ATC_FLAGS];
} atc_values;

/* Reads a command line as getopt_long does: --name=value, --name value, -name; unique prefixes; '-' in a name means
 * '_'. Arguments stay the caller's, but '-' in their names is rewritten. A wrong command line puts a line on
 * `complaints` and gives JM_INVALID_ARGUMENT with E10001. Not thread-safe (getopt). */
JM_MUST_USE jm_status atc_flags_parse(int argc, char **argv, FILE *complaints, atc_values *values);
/* Checks each value by its kind and range: E10001, E10005, E10006, E10010, E10410. */
JM_MUST_USE jm_status atc_flags_check(const atc_values *values);
/* True for true, t, yes, y, 1 in any case. */
bool atc_is_true(const char *text);
/* Usage and every flag. */
void atc_flags_help(FILE *stream);

#endif
