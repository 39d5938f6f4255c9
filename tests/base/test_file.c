/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

static char folder[] = "/tmp/jumar-test-file-XXXXXX";
static char path[200];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The library's open() comes here: a file system without nameless files can be played. */
static bool nameless = true;

int __real_open(const char *name, int flags, ...);
int __wrap_open(const char *name, int flags, ...);

int __wrap_open(const char *name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (!nameless && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_open(name, flags, mode);
}

static int entries(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    assert_ok(jm_file_write(in_folder("a"), "hello", 5));
    unsigned char *data;
    size_t size;
    assert_ok(jm_file_read(path, 5, &data, &size));
    assert_int_equal(size, 5);
    assert_string_equal((char *)data, "hello");
    jm_free(data);
    assert_error(jm_file_read(path, 4, &data, &size), JM_OUT_OF_RANGE, "limit is 4");
    jm_file_map map;
    assert_ok(jm_file_map_open(path, &map));
    assert_memory_equal(map.data, "hello", 5);
    jm_file_map_close(&map);
    jm_file_map_close(&map);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(facts.st_mode & 0777, 0666 & ~mask);
}

static void what_is_not_a_file_is_refused(void **state)
{
    (void)state;
    jm_file_map map;
    assert_error(jm_file_map_open(folder, &map), JM_INVALID_ARGUMENT, "is a folder");
    assert_error(jm_file_map_open(in_folder("absent"), &map), JM_NOT_FOUND, "absent");
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_error(jm_file_map_open(path, &map), JM_INVALID_ARGUMENT, "not a regular file");
    unlink(path);
    fclose(fopen(in_folder("empty"), "w"));
    assert_error(jm_file_map_open(path, &map), JM_INVALID_ARGUMENT, "is empty");
    unlink(path);
    assert_error(jm_file_write(folder, "x", 1), JM_INVALID_ARGUMENT, "is a folder");
    assert_error(jm_file_write(in_folder("no/such/place"), "x", 1), JM_IO, "cannot create");
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    assert_ok(jm_file_write(in_folder("keep"), "old", 3));
    int before = entries();
    jm_file_writer *writer;
    assert_ok(jm_file_writer_create(path, &writer));
    /* Every write to /dev/full fails as on a full disk. */
    assert_non_null(freopen("/dev/full", "wb", jm_file_writer_stream(writer)));
    fputs("new", jm_file_writer_stream(writer));
    assert_error(jm_file_writer_commit(writer), JM_IO, "No space left");
    assert_int_equal(entries(), before);
    unsigned char *data;
    size_t size;
    assert_ok(jm_file_read(in_folder("keep"), 10, &data, &size));
    assert_string_equal((char *)data, "old");
    jm_free(data);
}

static void assert_holds(const char *name, const char *text)
{
    unsigned char *data;
    size_t size;
    assert_ok(jm_file_read(in_folder(name), 1 << 20, &data, &size));
    assert_string_equal((char *)data, text);
    jm_free(data);
}

/* While a file is written its folder is as before; without nameless files there is one more entry. */
static void nothing_shows_before_the_end(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        const bool exists = round % 2;
        nameless = round < 2;
        if (!exists) (void)unlink(in_folder("late"));
        const int before = entries();
        jm_file_writer *writer;
        assert_ok(jm_file_writer_create(in_folder("late"), &writer));
        assert_ok(jm_file_writer_write(writer, "whole", 5));
        assert_int_equal(fflush(jm_file_writer_stream(writer)), 0);
        assert_int_equal(entries(), before + !nameless);
        jm_file_writer_destroy(writer);
        assert_int_equal(entries(), before);
        assert_ok(jm_file_write(path, "whole", 5));
        assert_int_equal(entries(), before + !exists);
        assert_holds("late", "whole");
        struct stat facts;
        assert_int_equal(stat(path, &facts), 0);
        mode_t mask = umask(0);
        umask(mask);
        assert_int_equal(facts.st_mode & 0777, 0666 & ~mask);
    }
    nameless = true;
}

/* What a killed writer left under the fixed name is taken over; what a living one holds is not. */
static void leftovers_are_replaced(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        nameless = round == 0;
        assert_ok(jm_file_write(in_folder("again"), "old", 3));
        const int before = entries();
        FILE *left = fopen(in_folder(nameless ? ".again.whole" : ".again.part"), "w");
        assert_non_null(left);
        fputs("half of something longer", left);
        assert_int_equal(fflush(left), 0);
        assert_int_equal(flock(fileno(left), LOCK_EX), 0);
        if (!nameless) {
            assert_error(jm_file_write(in_folder("again"), "new", 3), JM_IO, "another process is writing");
            assert_holds("again", "old");
        }
        fclose(left);
        assert_ok(jm_file_write(in_folder("again"), "new", 3));
        assert_holds("again", "new");
        assert_int_equal(entries(), before);
    }
    nameless = true;
}

static void *write_often(void *letter)
{
    char text[3000];
    memset(text, *(char *)letter, sizeof text);
    for (int i = 0; i < 100; i++)
        if (jm_file_write(path, text, sizeof text) != JM_OK) return (void *)1;
    return NULL;
}

static void many_writers_of_one_file(void **state)
{
    (void)state;
    static char letter[] = "abcd";
    pthread_t thread[4];
    void *bad = NULL;
    in_folder("shared");
    const int before = entries();
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, write_often, letter + i), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], &bad);
        assert_null(bad);
    }
    unsigned char *data;
    size_t size;
    assert_ok(jm_file_read(path, 3000, &data, &size));
    assert_int_equal(size, 3000);
    for (size_t i = 0; i < size; i++) assert_int_equal(data[i], data[0]);
    jm_free(data);
    assert_int_equal(entries(), before + 1);
}

/* A writer that is killed at any moment leaves the old file or the new one. */
static void a_killed_writer_leaves_whole_files(void **state)
{
    (void)state;
    enum { SIZE = 1 << 16 };
    static char text[SIZE];
    for (int round = 0; round < 60; round++) {
        nameless = round % 2;
        (void)unlink(in_folder("killed"));
        const int before = entries();
        const pid_t child = fork();
        if (child == 0) {
            for (char letter = 'a';; letter = letter == 'z' ? 'a' : (char)(letter + 1)) {
                memset(text, letter, SIZE);
                if (jm_file_write(path, text, SIZE) != JM_OK) _exit(1);
            }
        }
        usleep((unsigned)test_random_int(500, 15000));
        assert_int_equal(kill(child, SIGKILL), 0);
        int result;
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_true(WIFSIGNALED(result));
        struct stat facts;
        if (stat(path, &facts) == 0) {
            unsigned char *data;
            size_t size;
            assert_ok(jm_file_read(path, SIZE, &data, &size));
            assert_int_equal(size, SIZE);
            for (size_t i = 0; i < size; i++) assert_int_equal(data[i], data[0]);
            jm_free(data);
        }
        assert_ok(jm_file_write(path, "end", 3)); /* takes over what is left */
        assert_int_equal(entries(), before + 1);
    }
    nameless = true;
    unlink(path);
}

static void special_files_are_not_replaced(void **state)
{
    (void)state;
    assert_error(jm_file_write("/dev/null", "x", 1), JM_INVALID_ARGUMENT, "no regular file");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    int before = entries();
    for (uint64_t n = 1;; n++) {
        jm_alloc_fail_at(n);
        jm_status status = jm_file_write(in_folder("walk"), "x", 1);
        bool reached = jm_alloc_fail_at(0) >= n;
        if (!reached) {
            assert_int_equal(status, JM_OK);
            break;
        }
        assert_int_equal(status, JM_OUT_OF_MEMORY);
        assert_int_equal(entries(), before);
    }
}

static void folders_are_made(void **state)
{
    (void)state;
    assert_ok(jm_path_make_directory(in_folder("x/y/z")));
    assert_true(jm_path_is_directory(path));
    assert_ok(jm_path_make_directory(path));
    assert_error(jm_path_make_directory(in_folder("keep")), JM_IO, "not a folder");
    assert_string_equal(jm_path_base("a/b.c"), "b.c");
    assert_string_equal(jm_path_base("b.c"), "b.c");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_not_a_file_is_refused),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(nothing_shows_before_the_end),
        cmocka_unit_test(leftovers_are_replaced),
        cmocka_unit_test(many_writers_of_one_file),
        cmocka_unit_test(a_killed_writer_leaves_whole_files),
        cmocka_unit_test(special_files_are_not_replaced),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(folders_are_made),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
