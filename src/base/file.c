/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* ---- Reading ---- */

/* Opens a non-empty regular file. */
static jm_status open_regular(const char *path, int *out, size_t *size)
{
    /* O_NONBLOCK: opening a pipe without a writer must not hang. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return jm_error(errno == ENOENT ? JM_NOT_FOUND : JM_IO, "cannot open '%s': %s", path, strerror(errno));
    struct stat facts;
    jm_status status = JM_OK;
    if (fstat(file, &facts))
        status = jm_error(JM_IO, "cannot read the size of '%s': %s", path, strerror(errno));
    else if (S_ISDIR(facts.st_mode))
        status = jm_error(JM_INVALID_ARGUMENT, "'%s' is a folder; a file is needed", path);
    else if (!S_ISREG(facts.st_mode))
        status = jm_error(JM_INVALID_ARGUMENT, "'%s' is not a regular file", path);
    else if (facts.st_size == 0)
        status = jm_error(JM_INVALID_ARGUMENT, "'%s' is empty", path);
    if (status != JM_OK) {
        close(file);
        return status;
    }
    *out = file;
    *size = (size_t)facts.st_size;
    return JM_OK;
}

jm_status jm_file_map_open(const char *path, jm_file_map *map)
{
    *map = (jm_file_map){0};
    int file = -1;
    size_t size = 0;
    JM_TRY(open_regular(path, &file, &size));
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    int reason = errno;
    close(file);
    if (data == MAP_FAILED) return jm_error(JM_IO, "cannot map '%s': %s", path, strerror(reason));
    map->data = data;
    map->size = size;
    return JM_OK;
}

void jm_file_map_close(jm_file_map *map)
{
    if (map->data) munmap((void *)map->data, map->size);
    *map = (jm_file_map){0};
}

jm_status jm_file_read(const char *path, size_t limit, unsigned char **data, size_t *size)
{
    *data = NULL;
    *size = 0;
    int file = -1;
    size_t bytes = 0, have = 0;
    JM_TRY(open_regular(path, &file, &bytes));
    jm_status status = JM_OK;
    unsigned char *memory = NULL;
    if (bytes > limit)
        status = jm_error(JM_OUT_OF_RANGE, "'%s' has %zu bytes; the limit is %zu", path, bytes, limit);
    else if (!(memory = jm_alloc(bytes + 1, 1)))
        status = JM_OUT_OF_MEMORY;
    while (status == JM_OK && have < bytes) {
        ssize_t got = read(file, memory + have, bytes - have);
        if (got > 0)
            have += (size_t)got;
        else if (got == 0)
            status = jm_error(JM_IO, "'%s' became shorter while it was read", path);
        else if (errno != EINTR)
            status = jm_error(JM_IO, "cannot read '%s': %s", path, strerror(errno));
    }
    close(file);
    if (status != JM_OK) {
        jm_free(memory);
        return status;
    }
    *data = memory;
    *size = bytes;
    return JM_OK;
}

/* ---- Writing ---- */

struct jm_file_writer {
    char *path;      /* final name */
    char *temporary; /* name until commit; NULL when there is no file to remove */
    FILE *stream;
};

jm_status jm_file_writer_create(const char *path, jm_file_writer **out)
{
    *out = NULL;
    if (jm_path_is_directory(path)) return jm_error(JM_INVALID_ARGUMENT, "cannot write '%s': it is a folder", path);
    jm_file_writer *writer = jm_alloc(1, sizeof *writer);
    if (!writer) return JM_OUT_OF_MEMORY;
    jm_status status = JM_OUT_OF_MEMORY;
    size_t length = strlen(path) + sizeof ".XXXXXX";
    writer->path = jm_strdup(path);
    char *temporary = writer->path ? jm_alloc(length, 1) : NULL;
    if (temporary) {
        snprintf(temporary, length, "%s.XXXXXX", path);
        int file = mkostemp(temporary, O_CLOEXEC);
        if (file < 0) {
            status =
                jm_error(JM_IO, "cannot create '%s': %s; its folder must exist and be writable", path, strerror(errno));
            jm_free(temporary);
        } else {
            writer->temporary = temporary;
            /* mkostemp makes files private; give this one the permissions of an ordinary new file. */
            mode_t mask = umask(0);
            umask(mask);
            if (fchmod(file, 0666 & ~mask) == 0 && (writer->stream = fdopen(file, "wb"))) {
                *out = writer;
                return JM_OK;
            }
            status = jm_error(JM_IO, "cannot create '%s': %s", path, strerror(errno));
            close(file);
        }
    }
    jm_file_writer_destroy(writer);
    return status;
}

jm_status jm_file_writer_write(jm_file_writer *writer, const void *data, size_t size)
{
    if (size && fwrite(data, 1, size, writer->stream) != size)
        return jm_error(JM_IO, "cannot write '%s': %s", writer->path, strerror(errno));
    return JM_OK;
}

FILE *jm_file_writer_stream(jm_file_writer *writer)
{
    return writer->stream;
}

jm_status jm_file_writer_commit(jm_file_writer *writer)
{
    jm_status status = JM_OK;
    int failed = fflush(writer->stream) || ferror(writer->stream) || fsync(fileno(writer->stream));
    int reason = errno;
    if (fclose(writer->stream) && !failed) {
        failed = 1;
        reason = errno;
    }
    writer->stream = NULL;
    if (failed)
        status = jm_error(JM_IO, "cannot write '%s': %s", writer->path, strerror(reason));
    else if (rename(writer->temporary, writer->path))
        status = jm_error(JM_IO, "cannot rename the finished file to '%s': %s", writer->path, strerror(errno));
    else {
        jm_free(writer->temporary);
        writer->temporary = NULL;
    }
    jm_file_writer_destroy(writer);
    return status;
}

void jm_file_writer_destroy(jm_file_writer *writer)
{
    if (!writer) return;
    if (writer->stream) fclose(writer->stream);
    if (writer->temporary) unlink(writer->temporary);
    jm_free(writer->temporary);
    jm_free(writer->path);
    jm_free(writer);
}

jm_status jm_file_write(const char *path, const void *data, size_t size)
{
    jm_file_writer *writer;
    JM_TRY(jm_file_writer_create(path, &writer));
    jm_status status = jm_file_writer_write(writer, data, size);
    if (status != JM_OK) {
        jm_file_writer_destroy(writer);
        return status;
    }
    return jm_file_writer_commit(writer);
}

/* ---- Paths ---- */

bool jm_path_is_directory(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

jm_status jm_path_make_directory(const char *path)
{
    char *part = jm_strdup(path);
    if (!part) return JM_OUT_OF_MEMORY;
    jm_status status = JM_OK;
    for (char *slash = part; status == JM_OK && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) *slash = 0;
        if (mkdir(part, 0777) && errno != EEXIST)
            status = jm_error(JM_IO, "cannot create the folder '%s': %s", part, strerror(errno));
        if (slash) *slash = '/';
    }
    if (status == JM_OK && !jm_path_is_directory(path))
        status = jm_error(JM_IO, "'%s' exists and is not a folder", path);
    jm_free(part);
    return status;
}

const char *jm_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
