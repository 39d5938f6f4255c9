/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"

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

void jm_file_map_done(const void *data, size_t size)
{
    enum { SMALL = 1 << 20 };
    const uintptr_t page = (uintptr_t)jm_page_size(), at = (uintptr_t)data;
    const uintptr_t begin = (at + page - 1) & ~(page - 1), end = (at + size) & ~(page - 1);
    if (size < SMALL || begin >= end) return;
#ifdef MADV_PAGEOUT
    (void)madvise((void *)begin, end - begin, MADV_PAGEOUT); /* loses nothing, whatever memory it is */
#endif
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

/* A file has no name while it is written, where the file system can do that: whatever ends the process, nothing is
 * left. Else it has a fixed name beside the final one, which the next writer of the same file takes over. */
struct jm_file_writer {
    char *path;      /* final name */
    char *temporary; /* the fixed name: ".model.om.part" of a named file, ".model.om.whole" of a nameless one */
    bool named;      /* a file of ours has the fixed name */
    FILE *stream;
};

/* In the same folder. NULL when memory runs out. */
static char *temporary_name(const char *path, const char *ending)
{
    const char *base = jm_path_base(path);
    const size_t length = strlen(path) + sizeof "." + strlen(ending);
    char *name = jm_alloc(length, 1);
    if (name) snprintf(name, length, "%.*s.%s%s", (int)(base - path), path, base, ending);
    return name;
}

/* A file without a name in the folder of `path`, or -1. */
static int open_nameless(const char *path)
{
    char folder[4096];
    const int length = (int)(jm_path_base(path) - path);
    if ((size_t)length >= sizeof folder || access("/proc/self/fd", X_OK) != 0) return -1;
    snprintf(folder, sizeof folder, "%.*s", length, path);
    return open(length ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

/* The file of the fixed name, empty and locked; -1 with errno. */
static int open_named(const char *name)
{
    for (;;) {
        const int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        struct stat opened, there;
        if (file < 0) return -1;
        if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &opened) == 0) {
            /* The writer before may have finished between the two calls: then its file is not under this name. */
            const bool same =
                lstat(name, &there) == 0 && there.st_ino == opened.st_ino && there.st_dev == opened.st_dev;
            if (same && ftruncate(file, 0) == 0) return file;
            if (!same) {
                close(file);
                continue;
            }
        }
        const int reason = errno;
        close(file);
        errno = reason;
        return -1;
    }
}

static jm_status create_error(const char *path)
{
    if (errno == EWOULDBLOCK)
        return jm_error(JM_IO, "cannot create '%s': another process is writing it; wait for its end", path);
    return jm_error(errno == ENOMEM ? JM_OUT_OF_MEMORY : JM_IO,
                    "cannot create '%s': %s; its folder must exist and be writable", path, strerror(errno));
}

static jm_status open_writer(jm_file_writer *writer)
{
    int file = open_nameless(writer->path);
    const bool named = file < 0;
    writer->temporary = temporary_name(writer->path, named ? ".part" : ".whole");
    if (!writer->temporary) {
        if (!named) close(file);
        return JM_OUT_OF_MEMORY;
    }
    if (named) file = open_named(writer->temporary);
    if (file < 0) return create_error(writer->path);
    writer->named = named;
    writer->stream = fdopen(file, "wb");
    if (writer->stream) return JM_OK;
    jm_status status = create_error(writer->path);
    close(file);
    return status;
}

jm_status jm_file_writer_create(const char *path, jm_file_writer **out)
{
    *out = NULL;
    struct stat facts;
    if (jm_path_is_directory(path)) return jm_error(JM_INVALID_ARGUMENT, "cannot write '%s': it is a folder", path);
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        return jm_error(JM_INVALID_ARGUMENT, "cannot write '%s': it exists and is no regular file", path);
    jm_file_writer *writer = jm_alloc(1, sizeof *writer);
    if (!writer) return JM_OUT_OF_MEMORY;
    jm_status status = JM_OUT_OF_MEMORY;
    writer->path = jm_strdup(path);
    if (writer->path) status = open_writer(writer);
    if (status != JM_OK) {
        jm_file_writer_destroy(writer);
        return status;
    }
    *out = writer;
    return JM_OK;
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

/* Gives a nameless file its final name. A link cannot replace a file, a rename can: then the fixed name is in between.
 * What has this name already is whole too, of a writer that is at this very place or was killed there: it goes on
 * first. */
static jm_status give_name(const jm_file_writer *writer)
{
    enum { ROUNDS = 1000 };
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(writer->stream));
    if (linkat(AT_FDCWD, self, AT_FDCWD, writer->path, AT_SYMLINK_FOLLOW) == 0) return JM_OK;
    for (int round = 0; errno == EEXIST && round < ROUNDS; round++) {
        const bool linked = linkat(AT_FDCWD, self, AT_FDCWD, writer->temporary, AT_SYMLINK_FOLLOW) == 0;
        if (!linked && errno != EEXIST) break;
        /* ENOENT: another writer moved it. */
        if (rename(writer->temporary, writer->path) && errno != ENOENT) {
            const int reason = errno;
            if (linked) (void)unlink(writer->temporary);
            errno = reason;
            break;
        }
        if (linked) return JM_OK;
        errno = EEXIST;
    }
    return jm_error(JM_IO, "cannot give the finished file the name '%s': %s", writer->path, strerror(errno));
}

static jm_status finish(jm_file_writer *writer)
{
    if (fflush(writer->stream) || ferror(writer->stream) || fsync(fileno(writer->stream)))
        return jm_error(JM_IO, "cannot write '%s': %s", writer->path, strerror(errno));
    if (!writer->named) return give_name(writer);
    if (rename(writer->temporary, writer->path))
        return jm_error(JM_IO, "cannot rename the finished file to '%s': %s", writer->path, strerror(errno));
    writer->named = false;
    return JM_OK;
}

jm_status jm_file_writer_commit(jm_file_writer *writer)
{
    jm_status status = finish(writer);
    jm_file_writer_destroy(writer);
    return status;
}

void jm_file_writer_destroy(jm_file_writer *writer)
{
    if (!writer) return;
    /* While the lock is held. */
    if (writer->named) (void)unlink(writer->temporary);
    if (writer->stream) fclose(writer->stream);
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
