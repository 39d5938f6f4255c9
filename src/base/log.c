/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

static const char *const level_name[] = {"off", "error", "warning", "info", "debug"};

/* -1 until JUMAR_LOG has been read; an unknown text means off. */
static atomic_int threshold = -1;

bool jm_log_enabled(jm_log_level level)
{
    int now = atomic_load_explicit(&threshold, memory_order_relaxed);
    if (now < 0) {
        now = JM_LOG_OFF;
        const char *text = getenv("JUMAR_LOG");
        for (size_t i = 0; text && i < JM_COUNT(level_name); i++)
            if (strcmp(text, level_name[i]) == 0) now = (int)i;
        atomic_store_explicit(&threshold, now, memory_order_relaxed);
    }
    return level != JM_LOG_OFF && (int)level <= now;
}

void jm_log(jm_log_level level, const char *format, ...)
{
    if (!jm_log_enabled(level)) return;
    char line[1200];
    int head = snprintf(line, sizeof line, "jumar %s: ", level_name[level]);
    va_list arguments;
    va_start(arguments, format);
    int body = vsnprintf(line + head, sizeof line - (size_t)head - 1, format, arguments);
    va_end(arguments);
    if (body < 0) return;
    size_t length = JM_MIN((size_t)(head + body), sizeof line - 2);
    line[length++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written; /* a log line that cannot be written has nowhere to be reported */
}
