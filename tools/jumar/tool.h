/* SPDX-License-Identifier: Apache-2.0
 *
 * What the subcommands of `jumar` share: a table of commands, options, messages, a progress bar.
 */
#ifndef JUMAR_TOOLS_TOOL_H
#define JUMAR_TOOLS_TOOL_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/status.h"
#include "jumar/session.h"

/* Exit codes. */
enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_USAGE = 2 };

/* argv[0] is the command's name. Returns the exit code. */
typedef struct tool_command {
    const char *name;
    const char *summary;
    const char *help; /* printed by --help: usage, options, an example */
    int (*run)(const struct tool_command *command, int argc, char **argv);
} tool_command;

extern const tool_command tool_compile, tool_info, tool_detect, tool_run, tool_bench, tool_profile;

/* "jumar <command>: <sentence>" on stderr. Returns TOOL_FAILED. */
JM_PRINTF(2, 3) int tool_fail(const tool_command *command, const char *format, ...);
/* The same with the library's last error. */
int tool_fail_last(const tool_command *command);
/* The same with "see `jumar <command> --help`" behind it. Returns TOOL_USAGE. */
JM_PRINTF(2, 3) int tool_usage(const tool_command *command, const char *format, ...);

/* getopt_long with our messages. Returns an option's value, -1 at the end, '?' after a reported error. --help is
 * handled: it prints and returns 'h'. */
int tool_option(const tool_command *command, int argc, char **argv, const struct option *options);

/* Numbers of an option; on failure a message has been printed and false comes back. */
bool tool_parse_float(const tool_command *command, const char *option, const char *text, double low, double high,
                      double *value);
/* "0,2,7": at most `limit` whole numbers from `low` to `high`. */
bool tool_parse_ints(const tool_command *command, const char *option, const char *text, int64_t low, int64_t high,
                     int32_t *values, size_t limit, size_t *count);

/* A progress bar on a terminal; elsewhere a line for each stage, once the job has taken a second. On stderr. The
 * context is a tool_progress. */
typedef struct tool_progress {
    const tool_command *command;
    bool terminal;
    const char *stage;
    uint64_t begin;
} tool_progress;
tool_progress tool_progress_begin(const tool_command *command);
void tool_progress_show(void *context, double done, const char *what);
/* Removes the bar. */
void tool_progress_end(tool_progress *progress);

/* "12.6 MB" into a buffer of 32 bytes, which is returned. */
const char *tool_bytes(uint64_t bytes, char text[32]);

/* `count` values in [0, 1), the same ones every time. */
void tool_fill(float *values, uint64_t count);

/* Memory of a session's inputs (float32 ones filled with tool_fill) and outputs. Start from {0}; destroy also what
 * could not be created whole, before the session is closed. */
typedef struct tool_buffers {
    void **input, **output;
} tool_buffers;
JM_MUST_USE jm_status tool_buffers_create(const jumar_session *session, tool_buffers *buffers);
jumar_status tool_buffers_run(jumar_session *session, const tool_buffers *buffers);
void tool_buffers_destroy(const jumar_session *session, tool_buffers *buffers);

/* Ascending. */
void tool_sort(double *values, size_t count);

/* Writes a document to a file, or to standard output for "-", and deletes it. `complete` is false when memory ran out
 * while it was made: nothing is written then. */
JM_MUST_USE jm_status tool_write_json(cJSON *root, bool complete, const char *path);

/* Class names of a file, one a line (blank lines at the end are dropped); "coco" means the built-in 80 names.
 * *labels is jm_alloc memory that ends the strings' life when freed together with *text (NULL for built-in ones). */
JM_MUST_USE jm_status tool_read_labels(const char *source, const char ***labels, size_t *count, char **text);

#endif
