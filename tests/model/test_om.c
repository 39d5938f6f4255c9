/* SPDX-License-Identifier: Apache-2.0
 *
 * The .om container: what is written is read again, the same graph gives the same bytes, and no damage gets through.
 */
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/system.h"
#include "base/wire.h"
#include "model/model.h"
#include "model/om_format.h"
#include "sample.h"
#include "small_run.h"

#define PATH "test_om.om"

/* ---- Comparison ---- */

static void assert_same_tensor(const jm_tensor *a, const jm_tensor *b)
{
    assert_int_equal(a->dtype, b->dtype);
    assert_int_equal(a->layout, b->layout);
    assert_true(jm_shape_equal(&a->shape, &b->shape));
    assert_int_equal(a->constant, b->constant);
    assert_int_equal(a->map != NULL, b->map != NULL);
    if (!a->map) return;
    assert_int_equal(a->map->blocks, b->map->blocks);
    assert_memory_equal(a->map->lane, b->map->lane, (size_t)a->map->channels * sizeof(int32_t));
    assert_memory_equal(a->map->count, b->map->count, (size_t)a->map->blocks);
}

/* Values of `a` are compared through what refers to them, so that ids may differ. */
static void assert_same_value(const jm_value *a, const jm_value *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (!a) return;
    assert_string_equal(a->name, b->name);
    assert_same_tensor(&a->tensor, &b->tensor);
    assert_int_equal(a->uses, b->uses);
    assert_int_equal(a->is_input, b->is_input);
    assert_int_equal(a->is_output, b->is_output);
    assert_int_equal(a->view, b->view);
    assert_int_equal(a->axis, b->axis);
    assert_true(a->start == b->start);
    assert_int_equal(a->packed_bytes, b->packed_bytes);
    if (a->view != JM_VIEW_NONE) assert_same_value(a->parent, b->parent);
    if (!a->tensor.constant) return;
    size_t bytes = a->packed_bytes;
    if (a->tensor.layout != JM_PACKED) assert_ok(jm_tensor_bytes(&a->tensor, &bytes));
    assert_int_equal((uintptr_t)b->tensor.data % JM_OM_ALIGN, 0);
    assert_memory_equal(a->tensor.data, b->tensor.data, bytes);
}

static void assert_same_attr(jm_param_kind kind, const jm_attr *a, const jm_attr *b)
{
    assert_int_equal(a->present, b->present);
    if (!a->present) return;
    switch (kind) {
    case JM_PARAM_INT:
        assert_true(a->i == b->i);
        break;
    case JM_PARAM_FLOAT:
        assert_memory_equal(&a->f, &b->f, sizeof(a->f));
        break;
    case JM_PARAM_STRING:
        assert_string_equal(a->s, b->s);
        break;
    case JM_PARAM_INTS:
        assert_int_equal(a->count, b->count);
        if (a->count) assert_memory_equal(a->ints, b->ints, (size_t)a->count * sizeof(*a->ints));
        break;
    case JM_PARAM_FLOATS:
        assert_int_equal(a->count, b->count);
        if (a->count) assert_memory_equal(a->floats, b->floats, (size_t)a->count * sizeof(*a->floats));
        break;
    case JM_PARAM_DTYPE:
        assert_int_equal(a->dtype, b->dtype);
        break;
    default:
        assert_int_equal(a->epilogue.activation, b->epilogue.activation);
        assert_int_equal(a->epilogue.residual, b->epilogue.residual);
        assert_memory_equal(&a->epilogue.alpha, &b->epilogue.alpha, sizeof(float));
        assert_memory_equal(&a->epilogue.beta, &b->epilogue.beta, sizeof(float));
        break;
    }
}

static void assert_same_graph(const jm_graph *a, const jm_graph *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->inputs, b->inputs);
    assert_int_equal(a->outputs, b->outputs);
    for (size_t i = 0; i < a->inputs; i++) assert_same_value(a->input[i], b->input[i]);
    for (size_t i = 0; i < a->outputs; i++) assert_same_value(a->output[i], b->output[i]);
    for (size_t n = 0; n < a->nodes; n++) {
        const jm_node *x = a->node[n], *y = b->node[n];
        assert_ptr_equal(x->op, y->op);
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->form, y->form);
        assert_int_equal(x->elided, y->elided);
        assert_int_equal(x->inputs, y->inputs);
        assert_int_equal(x->outputs, y->outputs);
        for (int i = 0; i < x->inputs; i++) assert_same_value(x->in[i], y->in[i]);
        for (int i = 0; i < x->outputs; i++) assert_same_value(x->out[i], y->out[i]);
        for (int i = 0; i < jm_op_attrs(x->op); i++) {
            assert_same_attr(jm_op_attr(x->op, i)->kind, &x->attr[i], &y->attr[i]);
        }
    }
    for (size_t i = 0; i < a->metas; i++) {
        assert_string_equal(jm_graph_meta(b, a->meta[i].key), a->meta[i].text);
    }
}

/* The file of a graph as bytes; free with jm_free. */
static unsigned char *file_of(const jm_graph *graph, size_t *size)
{
    unsigned char *data;
    assert_ok(jm_om_write(graph, PATH));
    assert_ok(jm_file_read(PATH, SIZE_MAX / 2, &data, size));
    assert_int_equal(unlink(PATH), 0);
    return data;
}

/* ---- Tests ---- */

static void test_round_trip(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph(), *from_file, *from_memory;
    size_t size, again_size;
    assert_ok(jm_om_write(graph, PATH));
    assert_ok(jm_om_read(PATH, &from_file));
    assert_int_equal(unlink(PATH), 0);
    assert_same_graph(graph, from_file);
    assert_non_null(strstr(jm_graph_meta(from_file, "producer"), "jumar "));

    /* A copy does not need the bytes it came from; writing what was read gives the same bytes. */
    unsigned char *data = file_of(graph, &size);
    assert_ok(jm_om_read_memory(data, size, &from_memory));
    unsigned char *again = file_of(from_memory, &again_size);
    assert_int_equal(size, again_size);
    assert_memory_equal(data, again, size);
    memset(data, 0xA5, size);
    assert_same_graph(graph, from_memory);
    jm_free(data);
    jm_free(again);
    jm_graph_destroy(graph);
    jm_graph_destroy(from_file);
    jm_graph_destroy(from_memory);
}

static void test_weights_lie_on_a_page(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph();
    size_t size;
    jm_om_section section[3];
    unsigned char *data = file_of(graph, &size);
    memcpy(section, data + sizeof(jm_om_header), sizeof(section));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(section[i].offset % (section[i].id == JM_OM_WEIGHTS ? JM_OM_PAGE : JM_OM_ALIGN), 0);
    }
    jm_free(data);
    jm_graph_destroy(graph);
}

static void test_every_truncation_is_refused(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph(), *read;
    size_t size;
    unsigned char *data = file_of(graph, &size);
    for (size_t cut = 0; cut < size; cut++) {
        /* A block of exactly this size, so that the sanitizer sees a read behind the end. */
        unsigned char *part = malloc(cut ? cut : 1);
        assert_non_null(part);
        memcpy(part, data, cut);
        jm_status status = jm_om_read_memory(part, cut, &read);
        free(part);
        assert_null(read);
        assert_int_equal(status, cut ? JM_CORRUPT : JM_INVALID_ARGUMENT);
    }
    jm_free(data);
    jm_graph_destroy(graph);
}

static void test_every_flipped_bit_is_refused(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph(), *read;
    size_t size;
    unsigned char *data = file_of(graph, &size);
    for (size_t bit = 0; bit < size * 8; bit++) {
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        jm_status status = jm_om_read_memory(data, size, &read);
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (status == JM_OK) fail_msg("bit %zu can be flipped", bit);
        assert_null(read);
        assert_true(jm_last_error()[0]);
    }
    jm_free(data);
    jm_graph_destroy(graph);
}

/* With checksums out of the way the parser meets the damage itself: any status, no crash, then or when it runs. */
static void test_parser_survives_damage(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph(), *read;
    size_t size, accepted = 0;
    unsigned char *data = file_of(graph, &size);
    jm_om_section section[3];
    memcpy(section, data + sizeof(jm_om_header), sizeof(section));
    size_t used = (size_t)section[1].offset + (size_t)section[1].size; /* header, table, graph, metadata */
    unsigned char *damaged = malloc(size);
    assert_non_null(damaged);
    for (int round = 0; round < 20000; round++) {
        memcpy(damaged, data, size);
        int64_t hits = test_random_int(1, 4);
        for (int64_t i = 0; i < hits; i++) {
            unsigned char *byte = &damaged[test_random_int(0, (int64_t)used - 1)];
            *byte =
                test_random() & 1 ? (unsigned char)test_random() : *byte ^ (unsigned char)(1u << (test_random() & 7));
        }
        if (jm_om_parse(damaged, size, JM_OM_COPY | JM_OM_SKIP_CHECKSUMS, &read) != JM_OK) continue;
        accepted++;
        small_run(read);
        jm_graph_destroy(read);
    }
    print_message("%zu of 20000 damaged files are still models\n", accepted);
    free(damaged);
    jm_free(data);
    jm_graph_destroy(graph);
}

/* Puts a changed header back in order. */
static void seal(unsigned char *data)
{
    jm_om_header header;
    memcpy(&header, data, sizeof(header));
    header.table_crc = jm_crc32c(0, data + sizeof(header), header.sections * sizeof(jm_om_section));
    header.header_crc = jm_crc32c(0, &header, offsetof(jm_om_header, header_crc));
    memcpy(data, &header, sizeof(header));
}

static void test_versions(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph(), *read;
    size_t size;
    unsigned char *data = file_of(graph, &size);
    jm_om_header header;
    memcpy(&header, data, sizeof(header));
    header.minor = 7;
    memcpy(data, &header, sizeof(header));
    seal(data);
    assert_ok(jm_om_read_memory(data, size, &read));
    assert_same_graph(graph, read);
    jm_graph_destroy(read);
    header.major = JM_OM_MAJOR + 1;
    memcpy(data, &header, sizeof(header));
    seal(data);
    assert_error(jm_om_read_memory(data, size, &read), JM_UNSUPPORTED, "update Jumar");
    jm_free(data);
    jm_graph_destroy(graph);
}

static void test_foreign_files(void **state)
{
    (void)state;
    jm_graph *read;
    unsigned char vendor[300] = "IMOD", text[300] = "\x08\x07\x12\x07pytorch";
    assert_error(jm_om_read_memory(vendor, sizeof(vendor), &read), JM_UNSUPPORTED, "compile the ONNX again");
    assert_error(jm_om_read_memory(vendor, 4, &read), JM_UNSUPPORTED, "compile the ONNX again");
    assert_error(jm_om_read_memory(text, sizeof(text), &read), JM_CORRUPT, "not an .om file");
    assert_error(jm_om_read("no such file.om", &read), JM_NOT_FOUND, "no such file.om");
    assert_error(jm_om_read(".", &read), JM_INVALID_ARGUMENT, "");
    assert_error(jm_om_read_memory(NULL, 3, &read), JM_INVALID_ARGUMENT, "");
    assert_null(read);
}

/* Adds a section of an unknown id behind the others: ignored, unless it says that it must be understood. */
static void test_unknown_section(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph(), *read;
    size_t size;
    unsigned char *data = file_of(graph, &size);
    jm_om_header header;
    jm_om_section section[4];
    memcpy(&header, data, sizeof(header));
    memcpy(section, data + sizeof(header), 3 * sizeof(*section));
    size_t begin = (size + JM_OM_ALIGN - 1) & ~(size_t)(JM_OM_ALIGN - 1);
    unsigned char *longer = calloc(1, begin + 8);
    assert_non_null(longer);
    memcpy(longer, data, size);
    /* The table grows by 32 bytes into the zero bytes in front of the graph section. */
    assert_true(section[0].offset >= sizeof(header) + sizeof(section));
    section[3] = (jm_om_section){.id = 99, .offset = begin, .size = 8, .crc = jm_crc32c(0, longer + begin, 8)};
    header.sections = 4;
    header.file_size = begin + 8;
    memcpy(longer, &header, sizeof(header));
    memcpy(longer + sizeof(header), section, sizeof(section));
    seal(longer);
    assert_ok(jm_om_read_memory(longer, begin + 8, &read));
    assert_same_graph(graph, read);
    jm_graph_destroy(read);
    section[3].flags = JM_OM_SECTION_REQUIRED;
    memcpy(longer + sizeof(header), section, sizeof(section));
    seal(longer);
    assert_error(jm_om_read_memory(longer, begin + 8, &read), JM_UNSUPPORTED, "section 99");
    free(longer);
    jm_free(data);
    jm_graph_destroy(graph);
}

/* The graph that was read computes the same bits. */
static void test_runs_the_same(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph(), *read;
    size_t size;
    unsigned char *data = file_of(graph, &size);
    assert_ok(jm_om_read_memory(data, size, &read));
    float x[SAMPLE_INPUT_BYTES / sizeof(float)], gelu[2][SAMPLE_OUTPUT_COUNT];
    uint16_t half[2][SAMPLE_OUTPUT_COUNT];
    for (size_t i = 0; i < JM_COUNT(x); i++) x[i] = test_random_float();
    for (int i = 0; i < 2; i++) {
        jm_machine machine;
        jm_program *program;
        assert_ok(jm_machine_get(1, &machine));
        assert_ok(jm_program_create(i ? read : graph, &machine, &program));
        jm_program_set_poison(program, true);
        jm_program_bind(program, (void *[]){x}, (void *[]){gelu[i], half[i]});
        assert_ok(jm_program_run(program));
        jm_program_destroy(program);
    }
    for (size_t i = 0; i < SAMPLE_OUTPUT_COUNT; i++) assert_true(gelu[0][i] == gelu[0][i]); /* no NaN */
    assert_memory_equal(gelu[0], gelu[1], sizeof(gelu[0]));
    assert_memory_equal(half[0], half[1], sizeof(half[0]));
    jm_free(data);
    jm_graph_destroy(read);
    jm_graph_destroy(graph);
}

/* ---- Failures of the machine ---- */

static void test_out_of_memory(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph(), *read = NULL;
    size_t size;
    unsigned char *data = file_of(graph, &size);
    jm_status status = JM_OUT_OF_MEMORY;
    for (uint64_t n = 1; status != JM_OK; n++) {
        (void)jm_alloc_fail_at(n);
        status = jm_om_read_memory(data, size, &read);
        (void)jm_alloc_fail_at(0);
        if (status != JM_OK) assert_int_equal(status, JM_OUT_OF_MEMORY);
        if (status != JM_OK) assert_null(read);
    }
    jm_graph_destroy(read);
    status = JM_OUT_OF_MEMORY;
    for (uint64_t n = 1; status != JM_OK; n++) {
        (void)jm_alloc_fail_at(n);
        status = jm_om_write(graph, PATH);
        (void)jm_alloc_fail_at(0);
        if (status != JM_OK) assert_int_equal(status, JM_OUT_OF_MEMORY);
        assert_int_equal(access(PATH, F_OK) == 0, status == JM_OK);
    }
    status = JM_OUT_OF_MEMORY;
    for (uint64_t n = 1; status != JM_OK; n++) {
        (void)jm_alloc_fail_at(n);
        status = jm_om_read(PATH, &read);
        (void)jm_alloc_fail_at(0);
        if (status != JM_OK) assert_int_equal(status, JM_OUT_OF_MEMORY);
    }
    jm_graph_destroy(read);
    assert_int_equal(unlink(PATH), 0);
    jm_free(data);
    jm_graph_destroy(graph);
}

static size_t files_here(void)
{
    DIR *folder = opendir(".");
    size_t count = 0;
    assert_non_null(folder);
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

/* Wherever the disk becomes full, the old file stays and nothing new does. */
static void test_full_disk(void **state)
{
    (void)state;
    jm_graph *graph = sample_graph();
    struct rlimit old;
    size_t size;
    unsigned char *data = file_of(graph, &size), *kept;
    assert_ok(jm_file_write(PATH, "old", 3));
    size_t files = files_here();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t limit = 0; limit < size; limit += 512) {
        struct rlimit full = {.rlim_cur = limit, .rlim_max = old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
        jm_status status = jm_om_write(graph, PATH);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(status, JM_IO);
        assert_int_equal(files_here(), files);
    }
    signal(SIGXFSZ, SIG_DFL);
    jm_free(data);
    assert_ok(jm_file_read(PATH, 100, &kept, &size));
    assert_int_equal(size, 3);
    assert_memory_equal(kept, "old", 3);
    jm_free(kept);
    assert_int_equal(unlink(PATH), 0);
    assert_error(jm_om_write(graph, "no/such/folder/a.om"), JM_IO, "no/such/folder");
    jm_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_runs_the_same),
        cmocka_unit_test(test_weights_lie_on_a_page),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_every_flipped_bit_is_refused),
        cmocka_unit_test(test_parser_survives_damage),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_foreign_files),
        cmocka_unit_test(test_unknown_section),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
