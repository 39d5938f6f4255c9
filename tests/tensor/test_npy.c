/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "tensor/npy.h"

static const char *const path = "/tmp/jumar-test.npy";

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const jm_dtype dtypes[] = {JM_F32, JM_F16, JM_F64, JM_I8,  JM_U8,  JM_I16,
                                      JM_U16, JM_I32, JM_U32, JM_I64, JM_U64, JM_BOOL};
    for (size_t d = 0; d < JM_COUNT(dtypes); d++)
        for (int rank = 0; rank <= JM_MAX_RANK; rank++) {
            jm_shape shape = {.rank = rank};
            for (int k = 0; k < rank; k++) shape.dim[k] = test_random_int(k == 3 ? 0 : 1, 3);
            jm_tensor tensor, back;
            assert_ok(jm_tensor_init(&tensor, dtypes[d], &shape, JM_PLAIN, NULL));
            size_t bytes, size;
            assert_ok(jm_tensor_bytes(&tensor, &bytes));
            tensor.data = jm_alloc(bytes, 1);
            for (size_t i = 0; i < bytes; i++) ((unsigned char *)tensor.data)[i] = (unsigned char)test_random();
            assert_ok(jm_npy_write(path, &tensor));
            unsigned char *data;
            assert_ok(jm_file_read(path, 1 << 20, &data, &size));
            assert_int_equal((size - bytes) % 64, 0);
            assert_ok(jm_npy_parse(data, size, &back));
            assert_int_equal(back.dtype, dtypes[d]);
            assert_true(jm_shape_equal(&back.shape, &shape));
            assert_memory_equal(back.data, tensor.data, bytes);
            for (size_t cut = 0; cut < size; cut += 1 + size / 90)
                if (jm_npy_parse(data, cut, &back) == JM_OK && cut < size - (bytes ? 1 : 0) && bytes)
                    fail_msg("cut at %zu was read", cut);
            jm_free(data);
            jm_free(tensor.data);
        }
    unlink(path);
}

/* A file with this header text, padded as NumPy does, and four bytes of data. */
static size_t make_file(const char *header, unsigned char file[256])
{
    memset(file, ' ', 256);
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(file + 10, header, strlen(header));
    file[127] = '\n';
    return 132;
}

static void headers_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        jm_status status;
        const char *words;
    } list[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", JM_OK, ""},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", JM_OK, ""},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", JM_OK, ""},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", JM_UNSUPPORTED, "big-endian"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", JM_UNSUPPORTED, "ascontiguousarray"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", JM_UNSUPPORTED, "element type"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", JM_UNSUPPORTED, "element type"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", JM_CORRUPT, "needs 8"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", JM_CORRUPT, "'shape'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, ", JM_CORRUPT, "'shape'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9999999, 9999999), }", JM_OUT_OF_RANGE, "2^40"},
        {"{'descr': '<f4', 'shape': (1,), }", JM_CORRUPT, "fortran_order"},
        {"{'fortran_order': False, 'shape': (1,), }", JM_CORRUPT, "'descr'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", JM_UNSUPPORTED, "8 dimensions"},
    };
    for (size_t i = 0; i < JM_COUNT(list); i++) {
        unsigned char file[256];
        jm_tensor tensor;
        size_t size = make_file(list[i].header, file);
        jm_clear_error();
        jm_status status = jm_npy_parse(file, size, &tensor);
        if (status != list[i].status || !strstr(jm_last_error(), list[i].words))
            fail_msg("%s: %s (%s)", list[i].header, jm_status_text(status), jm_last_error());
    }
    jm_tensor tensor;
    assert_error(jm_npy_parse("not a file", 10, &tensor), JM_CORRUPT, "not a .npy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(headers_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
