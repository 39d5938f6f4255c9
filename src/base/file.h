/* SPDX-License-Identifier: Apache-2.0
 *
 * Files: read-only maps, whole reads with a limit, and writes that appear complete or not at all.
 * Errors name the path and the operating system's reason.
 */
#ifndef JUMAR_BASE_FILE_H
#define JUMAR_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* A regular file mapped for reading. `data` is NULL only before a successful open. */
typedef struct jm_file_map {
    const unsigned char *data;
    size_t size;
} jm_file_map;

/* JM_NOT_FOUND: no such file. JM_INVALID_ARGUMENT: a directory, an empty file, or not a regular file.
 * JM_IO: anything else. On failure *map is zero. The file must not be truncated while mapped. */
JM_MUST_USE jm_status jm_file_map_open(const char *path, jm_file_map *map);
/* Accepts a zero map. */
void jm_file_map_close(jm_file_map *map);
/* Says that these bytes will hardly be read again: pages of a mapped file leave this process's memory (and come back
 * from the file when they are read). Any other memory stays as it is; small parts are not looked at. */
void jm_file_map_done(const void *data, size_t size);

/* Reads a whole regular file of at most `limit` bytes into jm_alloc memory with a closing 0 (not counted in
 * *size). Same codes; JM_OUT_OF_RANGE when it is larger. *data is NULL on failure. */
JM_MUST_USE jm_status jm_file_read(const char *path, size_t limit, unsigned char **data, size_t *size);

/* A file being written. It appears under its name complete or not at all, even when the process is killed: until then
 * it has no name, or, on file systems that want one, ".NAME.part", which the next writer of the same file replaces.
 * Where an old file is replaced, the whole new one is called ".NAME.whole" for a moment. */
typedef struct jm_file_writer jm_file_writer;

/* JM_IO when the folder cannot be written, or when another process holds ".NAME.part". JM_INVALID_ARGUMENT: `path` is
 * something else than a regular file. *out is NULL on failure. */
JM_MUST_USE jm_status jm_file_writer_create(const char *path, jm_file_writer **out);
JM_MUST_USE jm_status jm_file_writer_write(jm_file_writer *writer, const void *data, size_t size);
/* The open stdio stream, for libraries that want one; errors are noticed at commit. */
FILE *jm_file_writer_stream(jm_file_writer *writer);
/* Flushes, gives the file its name and frees the writer, whatever the result. On failure (full disk) the old file at
 * `path` is untouched and the new one is gone. */
JM_MUST_USE jm_status jm_file_writer_commit(jm_file_writer *writer);
/* Drops what was written and frees the writer; accepts NULL. */
void jm_file_writer_destroy(jm_file_writer *writer);

/* Writes a whole file through a writer. */
JM_MUST_USE jm_status jm_file_write(const char *path, const void *data, size_t size);

/* True for a folder. */
bool jm_path_is_directory(const char *path);
/* Creates the folder and its missing parents; existing ones are fine. */
JM_MUST_USE jm_status jm_path_make_directory(const char *path);
/* The part after the last '/'. */
const char *jm_path_base(const char *path);

#endif
