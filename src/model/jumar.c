/* SPDX-License-Identifier: Apache-2.0 */
#include "model/api.h"

jumar_status jm_public_status(jm_status status)
{
    switch (status) {
    case JM_OK:
        return JUMAR_OK;
    case JM_INVALID_ARGUMENT:
    case JM_OUT_OF_RANGE:
        return JUMAR_INVALID_ARGUMENT;
    case JM_NOT_FOUND:
        return JUMAR_NOT_FOUND;
    case JM_UNSUPPORTED:
        return JUMAR_UNSUPPORTED;
    case JM_CORRUPT:
        return JUMAR_CORRUPT;
    case JM_IO:
        return JUMAR_IO;
    case JM_OUT_OF_MEMORY:
        return JUMAR_OUT_OF_MEMORY;
    default:
        return JUMAR_FAILED;
    }
}

const char *jumar_version(void)
{
    return JUMAR_VERSION;
}

const char *jumar_status_text(jumar_status status)
{
    switch (status) {
    case JUMAR_OK:
        return "ok";
    case JUMAR_INVALID_ARGUMENT:
        return "invalid argument";
    case JUMAR_NOT_FOUND:
        return "not found";
    case JUMAR_UNSUPPORTED:
        return "unsupported";
    case JUMAR_CORRUPT:
        return "corrupt data";
    case JUMAR_IO:
        return "input/output error";
    case JUMAR_OUT_OF_MEMORY:
        return "out of memory";
    case JUMAR_FAILED:
        return "failed";
    }
    return "unknown status";
}

const char *jumar_last_error(void)
{
    return jm_last_error();
}
