/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
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

static int entries(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; (entry = readdir(directory));) count += entry->d_name[0] != '.';
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
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(folders_are_made),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
