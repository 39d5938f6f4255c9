/* SPDX-License-Identifier: Apache-2.0 */
#include "jumar/tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "model/aipp.h"
#include "model/api.h"

static void print_message(const tool_command *command, const char *format, va_list arguments)
{
    fprintf(stderr, "jumar %s: ", command->name);
    vfprintf(stderr, format, arguments);
}

int tool_fail(const tool_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(command, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return TOOL_FAILED;
}

int tool_fail_last(const tool_command *command)
{
    return tool_fail(command, "%s", jm_last_error());
}

int tool_usage(const tool_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(command, format, arguments);
    va_end(arguments);
    fprintf(stderr, "; see `jumar %s --help`\n", command->name);
    return TOOL_USAGE;
}

int tool_option(const tool_command *command, int argc, char **argv, const struct option *options)
{
    opterr = 0;
    int option = getopt_long(argc, argv, ":ho:", options, NULL);
    const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
    if (option == 'h')
        fputs(command->help, stdout);
    else if (option == ':')
        tool_usage(command, "option '%s' needs a value", word);
    else if (option == '?')
        tool_usage(command, "unknown option '%s'", word);
    return option == ':' ? '?' : option;
}

bool tool_parse_float(const tool_command *command, const char *option, const char *text, double low, double high,
                      double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (!errno && end != text && !*end && *value >= low && *value <= high) return true;
    tool_usage(command, "%s is '%s'; it must be a number from %g to %g", option, text, low, high);
    return false;
}

bool tool_parse_ints(const tool_command *command, const char *option, const char *text, int64_t low, int64_t high,
                     int32_t *values, size_t limit, size_t *count)
{
    const char *at = text;
    *count = 0;
    for (;;) {
        char *end;
        errno = 0;
        long long value = strtoll(at, &end, 10);
        if (errno || end == at || (*end && *end != ',') || value < low || value > high || *count == limit) {
            if (limit == 1)
                tool_usage(command, "%s is '%s'; it must be a whole number from %lld to %lld", option, text,
                           (long long)low, (long long)high);
            else
                tool_usage(
                    command,
                    "%s is '%s'; it must be whole numbers from %lld to %lld with commas between them, at most %zu",
                    option, text, (long long)low, (long long)high, limit);
            return false;
        }
        values[(*count)++] = (int32_t)value;
        if (!*end) return true;
        at = end + 1;
    }
}

tool_progress tool_progress_begin(const tool_command *command)
{
    return (tool_progress){.command = command, .terminal = isatty(STDERR_FILENO) != 0, .begin = jm_clock_ns()};
}

void tool_progress_show(void *context, double done, const char *what)
{
    enum { WIDTH = 30 };
    static const char full[] = "##############################", empty[] = "                              ";
    tool_progress *progress = context;
    if (progress->terminal) {
        int part = (int)(done * WIDTH + 0.5);
        part = part < 0 ? 0 : part > WIDTH ? WIDTH : part;
        fprintf(stderr, "\r[%.*s%.*s] %3d%% %-32.32s", part, full, WIDTH - part, empty, (int)(done * 100 + 0.5), what);
        fflush(stderr);
    } else if (progress->stage != what && done < 1 && jm_clock_ns() - progress->begin > 1000000000) {
        fprintf(stderr, "jumar %s: %s\n", progress->command->name, what);
    }
    progress->stage = what;
}

void tool_progress_end(tool_progress *progress)
{
    if (progress->terminal && progress->stage) fputs("\r\033[K", stderr);
    progress->stage = NULL;
}

const char *tool_bytes(uint64_t bytes, char text[32])
{
    if (bytes < 10000)
        snprintf(text, 32, "%llu B", (unsigned long long)bytes);
    else if (bytes < 1000000)
        snprintf(text, 32, "%.1f KB", (double)bytes / 1e3);
    else
        snprintf(text, 32, "%.1f MB", (double)bytes / 1e6);
    return text;
}

void tool_fill(float *values, uint64_t count)
{
    uint64_t state = 88172645463325252ull;
    for (uint64_t i = 0; i < count; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        values[i] = (float)(state >> 40) * 0x1p-24f;
    }
}

jm_status tool_buffers_create(const jumar_session *session, tool_buffers *buffers)
{
    buffers->input = jm_alloc(jumar_session_input_count(session), sizeof *buffers->input);
    buffers->output = jm_alloc(jumar_session_output_count(session), sizeof *buffers->output);
    if (!buffers->input || !buffers->output) return JM_OUT_OF_MEMORY;
    jumar_tensor_info info;
    for (size_t i = 0; i < jumar_session_input_count(session); i++) {
        if (jumar_session_input(session, i, &info) != JUMAR_OK) return JM_INTERNAL;
        if (!(buffers->input[i] = jm_alloc(info.bytes, 1))) return JM_OUT_OF_MEMORY;
        /* Inputs of other types stay zero, but for parameters of pictures. */
        if (strcmp(info.dtype_name, "float32") == 0) tool_fill(buffers->input[i], info.bytes / sizeof(float));
        JM_TRY(jm_aipp_fill_parameters(jm_session_graph(session), i, buffers->input[i]));
    }
    for (size_t i = 0; i < jumar_session_output_count(session); i++) {
        if (jumar_session_output(session, i, &info) != JUMAR_OK) return JM_INTERNAL;
        if (!(buffers->output[i] = jm_alloc(info.bytes, 1))) return JM_OUT_OF_MEMORY;
    }
    return JM_OK;
}

jumar_status tool_buffers_run(jumar_session *session, const tool_buffers *buffers)
{
    return jumar_session_run(session, (const void *const *)buffers->input, buffers->output);
}

void tool_buffers_destroy(const jumar_session *session, tool_buffers *buffers)
{
    for (size_t i = 0; buffers->input && i < jumar_session_input_count(session); i++) jm_free(buffers->input[i]);
    for (size_t i = 0; buffers->output && i < jumar_session_output_count(session); i++) jm_free(buffers->output[i]);
    jm_free(buffers->input);
    jm_free(buffers->output);
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void tool_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
}

jm_status tool_write_json(cJSON *root, bool complete, const char *path)
{
    char *text = complete ? cJSON_Print(root) : NULL;
    jm_status status = text ? JM_OK : jm_error(JM_OUT_OF_MEMORY, "out of memory for the JSON document");
    if (text && strcmp(path, "-") == 0)
        puts(text);
    else if (text)
        status = jm_file_write(path, text, strlen(text));
    cJSON_free(text);
    cJSON_Delete(root);
    return status;
}
