/* SPDX-License-Identifier: Apache-2.0
 *
 * Log lines on stderr, off unless JUMAR_LOG asks for them: error, warning, info or debug.
 * The library prints nothing else. Thread-safe; one write per line.
 */
#ifndef JUMAR_BASE_LOG_H
#define JUMAR_BASE_LOG_H

#include <stdbool.h>

#include "base/status.h"

typedef enum jm_log_level { JM_LOG_OFF, JM_LOG_ERROR, JM_LOG_WARNING, JM_LOG_INFO, JM_LOG_DEBUG } jm_log_level;

/* True when a line of this level would be printed. */
bool jm_log_enabled(jm_log_level level);
/* Prints "jumar <level>: <text>\n" when enabled. */
JM_PRINTF(2, 3) void jm_log(jm_log_level level, const char *format, ...);

#endif
