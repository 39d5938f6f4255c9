/* SPDX-License-Identifier: Apache-2.0
 *
 * Status codes and the calling thread's last error message.
 *
 * Every function that can fail returns jm_status; 0 is OK. The failing function states what went wrong, the
 * offending value, the rule and what to do, once, through jm_error(); callers only pass the code on with JM_TRY.
 * Each door maps these codes to its own numbers (acl 1xxxxx, aclnn 161xxx).
 */
#ifndef JUMAR_BASE_STATUS_H
#define JUMAR_BASE_STATUS_H

/* One list for the enum and the names. */
#define JM_STATUS_LIST(X)                                                                                              \
    X(JM_OK, "ok")                                                                                                     \
    X(JM_INVALID_ARGUMENT, "invalid argument") /* the caller must change an argument */                                \
    X(JM_OUT_OF_RANGE, "out of range")         /* an index or a size beyond its limit */                               \
    X(JM_UNSUPPORTED, "unsupported")           /* legal, but not implemented here */                                   \
    X(JM_NOT_FOUND, "not found")               /* file, name or handle does not exist */                               \
    X(JM_OUT_OF_MEMORY, "out of memory")                                                                               \
    X(JM_IO, "input/output error") /* the operating system refused a read or write */                                  \
    X(JM_CORRUPT, "corrupt data")  /* a file breaks its own format */                                                  \
    X(JM_NOT_READY, "not ready")   /* asked too early; ask again */                                                    \
    X(JM_TIMEOUT, "timed out")                                                                                         \
    X(JM_BAD_STATE, "wrong state")   /* call order is wrong: not initialised, already done */                          \
    X(JM_DEVICE_LOST, "device lost") /* after fork, or after a fault in a kernel */                                    \
    X(JM_INTERNAL, "internal error") /* a bug of ours */

typedef enum jm_status {
#define JM_STATUS_ENUM(name, text) name,
    JM_STATUS_LIST(JM_STATUS_ENUM)
#undef JM_STATUS_ENUM
} jm_status;

#define JM_MUST_USE __attribute__((warn_unused_result))
#define JM_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))

/* Sets the calling thread's message (printf-style, one sentence, no newline; cut at 1023 bytes) and returns
 * `code`, so that failures read `return jm_error(JM_CORRUPT, "...")`. Never allocates. */
JM_MUST_USE JM_PRINTF(2, 3) jm_status jm_error(jm_status code, const char *format, ...);

/* As jm_error, and notes the public number of the error, such as "E10038", for doors whose callers look for it.
 * `number` is a literal. */
JM_MUST_USE JM_PRINTF(3, 4) jm_status jm_error_numbered(jm_status code, const char *number, const char *format, ...);

/* As jm_error, but keeps the current message behind the new text: "loading a.om: header is cut short". Its number
 * stays. */
JM_MUST_USE JM_PRINTF(2, 3) jm_status jm_error_context(jm_status code, const char *format, ...);

/* The calling thread's last message; "" when there is none. Valid until this thread's next jm_error. */
const char *jm_last_error(void);

/* The number that goes with it; "" when it has none. */
const char *jm_last_error_number(void);

/* Forgets both. */
void jm_clear_error(void);

/* "out of memory" for JM_OUT_OF_MEMORY; "unknown status" outside the list. */
const char *jm_status_text(jm_status code);

/* Leaves the calling function with the status of `call` unless it is JM_OK. */
#define JM_TRY(call)                                                                                                   \
    do {                                                                                                               \
        jm_status jm_try_status_ = (call);                                                                             \
        if (jm_try_status_ != JM_OK) return jm_try_status_;                                                            \
    } while (0)

#endif
