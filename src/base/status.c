/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static _Thread_local char message[1024];
static _Thread_local const char *message_number = "";

jm_status jm_error(jm_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    message_number = "";
    return code;
}

jm_status jm_error_numbered(jm_status code, const char *number, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    message_number = number;
    return code;
}

jm_status jm_error_context(jm_status code, const char *format, ...)
{
    char inner[sizeof message];
    memcpy(inner, message, sizeof message);
    size_t inner_length = strlen(inner);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length < 0 || inner_length == 0 || (size_t)length + 3 > sizeof message) return code;
    char *end = message + length;
    memcpy(end, ": ", 2);
    size_t kept = JM_MIN(inner_length, sizeof message - (size_t)length - 3);
    memcpy(end + 2, inner, kept);
    end[2 + kept] = 0;
    return code;
}

const char *jm_last_error(void)
{
    return message;
}

const char *jm_last_error_number(void)
{
    return message_number;
}

void jm_clear_error(void)
{
    message[0] = 0;
    message_number = "";
}

const char *jm_status_text(jm_status code)
{
    static const char *const text[] = {
#define JM_STATUS_TEXT(name, words) words,
        JM_STATUS_LIST(JM_STATUS_TEXT)
#undef JM_STATUS_TEXT
    };
    if ((unsigned)code >= JM_COUNT(text)) return "unknown status";
    return text[code];
}
