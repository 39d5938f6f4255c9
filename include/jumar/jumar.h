/* SPDX-License-Identifier: Apache-2.0
 *
 * Jumar's own C interface: what every part of it shares. compile.h makes a model file, session.h runs one.
 * Plain C11 and C++11, opaque handles, nothing but fixed-size integers in structs: usable from other languages.
 *
 * Every function that can fail returns jumar_status; the sentence that says why is jumar_last_error().
 */
#ifndef JUMAR_JUMAR_H
#define JUMAR_JUMAR_H

#ifdef __cplusplus
extern "C" {
#endif

#define JUMAR_VERSION_MAJOR 0
#define JUMAR_VERSION_MINOR 1
#define JUMAR_VERSION_PATCH 0
#define JUMAR_VERSION "0.1.0"

#if defined(__GNUC__)
#define JUMAR_API __attribute__((visibility("default")))
#else
#define JUMAR_API
#endif

typedef enum jumar_status {
    JUMAR_OK = 0,
    JUMAR_INVALID_ARGUMENT = 1, /* the caller must change an argument */
    JUMAR_NOT_FOUND = 2,        /* no such file, input or name */
    JUMAR_UNSUPPORTED = 3,      /* legal, but not something this version can do */
    JUMAR_CORRUPT = 4,          /* a file breaks its own format */
    JUMAR_IO = 5,               /* the operating system refused a read or a write */
    JUMAR_OUT_OF_MEMORY = 6,
    JUMAR_FAILED = 7 /* anything else; the message says what */
} jumar_status;

/* "0.1.0": the version of the library, which may differ from the header's. Never NULL. */
JUMAR_API const char *jumar_version(void);

/* "out of memory" for JUMAR_OUT_OF_MEMORY; "unknown status" outside the list. Never NULL. */
JUMAR_API const char *jumar_status_text(jumar_status status);

/* Why the calling thread's last failing call failed: one sentence; "" when none failed. Valid until the thread's next
 * failing call. */
JUMAR_API const char *jumar_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
