/* SPDX-License-Identifier: Apache-2.0
 *
 * The public interface: compiling an ONNX file, opening and running the .om, and what is said when that cannot be.
 */
#include "test.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "compiler/onnx_builder.h"
#include "jumar/compile.h"
#include "jumar/session.h"
#include "model/model.h"
#include "sample.h"

#define PATH "test_session.om"
#define ONNX "test_session.onnx"

#define assert_jumar(call)                                                                                             \
    do {                                                                                                               \
        jumar_status assert_jumar_status_ = (call);                                                                    \
        if (assert_jumar_status_ != JUMAR_OK)                                                                          \
            fail_msg("%s: %s (%s)", #call, jumar_status_text(assert_jumar_status_), jumar_last_error());               \
    } while (0)

#define assert_refused(call, status, words)                                                                            \
    do {                                                                                                               \
        assert_int_equal(call, status);                                                                                \
        if (!strstr(jumar_last_error(), words)) fail_msg("'%s' lacks '%s'", jumar_last_error(), words);                \
    } while (0)

/* ---- Running the sample ---- */

typedef struct buffers {
    float x[SAMPLE_INPUT_BYTES / sizeof(float)], gelu[SAMPLE_OUTPUT_COUNT];
    uint16_t half[SAMPLE_OUTPUT_COUNT];
} buffers;

static int write_sample(void **state)
{
    jm_graph *graph = sample_graph();
    jm_machine machine;
    jm_program *program;
    buffers *b = calloc(1, sizeof(*b));
    assert_non_null(b);
    for (size_t i = 0; i < JM_COUNT(b->x); i++) b->x[i] = test_random_float();
    assert_ok(jm_om_write(graph, PATH));
    assert_ok(jm_machine_get(1, &machine));
    assert_ok(jm_program_create(graph, &machine, &program));
    jm_program_bind(program, (void *[]){b->x}, (void *[]){b->gelu, b->half});
    assert_ok(jm_program_run(program));
    jm_program_destroy(program);
    jm_graph_destroy(graph);
    *state = b;
    return 0;
}

static int remove_sample(void **state)
{
    free(*state);
    return unlink(PATH);
}

static void run_and_compare(jumar_session *session, const buffers *want)
{
    float gelu[SAMPLE_OUTPUT_COUNT];
    uint16_t half[SAMPLE_OUTPUT_COUNT];
    memset(gelu, 0xFF, sizeof(gelu));
    memset(half, 0xFF, sizeof(half));
    assert_jumar(jumar_session_run(session, (const void *[]){want->x}, (void *[]){gelu, half}));
    assert_memory_equal(gelu, want->gelu, sizeof(gelu));
    assert_memory_equal(half, want->half, sizeof(half));
}

static void runs_alike_with_any_threads(void **state)
{
    unsigned char *data;
    size_t size;
    jumar_session *session;
    assert_ok(jm_file_read(PATH, 1 << 24, &data, &size));
    for (unsigned threads = 0; threads < 4; threads++) {
        assert_jumar(jumar_session_open(PATH, threads, &session));
        for (int i = 0; i < 3; i++) run_and_compare(session, *state);
        jumar_session_close(session);
        assert_jumar(jumar_session_open_memory(data, size, threads, &session));
        run_and_compare(session, *state);
        jumar_session_close(session);
    }
    jm_free(data);
    jumar_session_close(NULL);
}

static void describes_itself(void **state)
{
    jumar_session *session;
    jumar_tensor_info tensor;
    jumar_session_info info;
    jumar_step_info step;
    assert_jumar(jumar_session_open(PATH, 2, &session));
    assert_int_equal(jumar_session_input_count(session), 1);
    assert_int_equal(jumar_session_output_count(session), 2);
    assert_jumar(jumar_session_input(session, 0, &tensor));
    assert_string_equal(tensor.name, "x");
    assert_string_equal(tensor.dtype_name, "float32");
    assert_int_equal(tensor.dtype, 0);
    assert_int_equal(tensor.rank, 4);
    assert_int_equal(tensor.dim[2], 9);
    assert_int_equal(tensor.bytes, SAMPLE_INPUT_BYTES);
    assert_jumar(jumar_session_output(session, 1, &tensor));
    assert_string_equal(tensor.dtype_name, "float16");
    assert_refused(jumar_session_output(session, 2, &tensor), JUMAR_INVALID_ARGUMENT, "the model has 2");
    assert_string_equal(jumar_session_metadata(session, "family"), "yolox");
    assert_null(jumar_session_metadata(session, "nothing"));

    assert_jumar(jumar_session_get_info(session, &info));
    assert_string_equal(info.name, "sample");
    assert_int_equal(info.threads, 2);
    assert_true(info.steps == 7 && info.weight_bytes > 0 && info.flops > 0 && info.cpu[0]);
    assert_true(info.arena_bytes >= info.arena_lower_bound && info.arena_lower_bound > 0);
    jumar_session_set_timing(session, JUMAR_TIMING_PROCESSOR);
    run_and_compare(session, *state);
    assert_jumar(jumar_session_step(session, 1, &step));
    assert_true(step.ns > 0 && step.wall_ns > 0);
    jumar_session_set_timing(session, JUMAR_TIMING_WALL);
    run_and_compare(session, *state);
    uint64_t ns = 0;
    double flops = 0;
    assert_jumar(jumar_session_step(session, 0, &step));
    assert_true(step.op[0] == 0 && step.form[0] == 0 && step.activation[0] == 0 && step.wall_ns == 0);
    for (size_t i = 0; i < info.steps; i++) {
        assert_jumar(jumar_session_step(session, i, &step));
        ns += step.ns;
        flops += step.flops;
        /* No core is busy for longer than the step takes. */
        assert_true(step.ns <= 2 * step.wall_ns && (i == 0 || step.ns > 0));
        assert_true(step.executed_flops <= step.flops && (i == 0 || step.output_bytes > 0));
    }
    assert_true(ns > 0);
    assert_true(flops == info.flops);
    assert_jumar(jumar_session_step(session, 1, &step));
    assert_string_equal(step.op, "Conv");
    assert_string_equal(step.form, "stem");
    assert_refused(jumar_session_step(session, info.steps, &step), JUMAR_INVALID_ARGUMENT, "no step");
    jumar_session_close(session);
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    jumar_session *session = (jumar_session *)state;
    static float memory[SAMPLE_OUTPUT_COUNT + 1];
    assert_refused(jumar_session_open("no such.om", 1, &session), JUMAR_NOT_FOUND, "no such.om");
    assert_null(session);
    assert_refused(jumar_session_open(NULL, 1, &session), JUMAR_INVALID_ARGUMENT, "NULL");
    assert_refused(jumar_session_open(PATH, 1, NULL), JUMAR_INVALID_ARGUMENT, "NULL");
    assert_refused(jumar_session_open_memory("IMOD1234", 8, 1, &session), JUMAR_UNSUPPORTED, "compile the ONNX again");
    assert_refused(jumar_session_open_memory("ONNX1234", 8, 1, &session), JUMAR_CORRUPT, "not an .om");
    assert_refused(jumar_session_open_memory(memory, 0, 1, &session), JUMAR_INVALID_ARGUMENT, "no bytes");
    assert_jumar(jumar_session_open(PATH, 1, &session));
    void *out[2] = {memory, memory}, *bad[2] = {memory, NULL};
    const void *in[1] = {memory}, *odd[1] = {(char *)memory + 1}, *null[1] = {NULL};
    assert_refused(jumar_session_run(session, null, out), JUMAR_INVALID_ARGUMENT, "input 'x'");
    assert_refused(jumar_session_run(session, odd, out), JUMAR_INVALID_ARGUMENT, "multiple of 4");
    assert_refused(jumar_session_run(session, in, bad), JUMAR_INVALID_ARGUMENT, "output 'half'");
    assert_refused(jumar_session_run(session, NULL, out), JUMAR_INVALID_ARGUMENT, "NULL");
    jumar_session_close(session);
}

static void *run_many(void *argument)
{
    void **arguments = argument;
    for (int i = 0; i < 50; i++) run_and_compare(arguments[0], arguments[1]);
    return NULL;
}

static void threads_share_a_session(void **state)
{
    jumar_session *session;
    pthread_t thread[4];
    assert_jumar(jumar_session_open(PATH, 2, &session));
    void *arguments[2] = {session, *state};
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, run_many, arguments), 0);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    jumar_session_close(session);
}

static void out_of_memory_is_an_error(void **state)
{
    jumar_session *session = NULL;
    jumar_status status = JUMAR_OUT_OF_MEMORY;
    for (uint64_t n = 1; status != JUMAR_OK; n++) {
        (void)jm_alloc_fail_at(n);
        status = jumar_session_open(PATH, 2, &session);
        (void)jm_alloc_fail_at(0);
        if (status != JUMAR_OK) assert_int_equal(status, JUMAR_OUT_OF_MEMORY);
        if (status != JUMAR_OK) assert_null(session);
    }
    run_and_compare(session, *state);
    jumar_session_close(session);
}

static void a_fork_loses_the_session(void **state)
{
    jumar_session *session;
    assert_jumar(jumar_session_open(PATH, 2, &session));
    run_and_compare(session, *state);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static float out[SAMPLE_OUTPUT_COUNT];
        const buffers *b = *state;
        _exit(jumar_session_run(session, (const void *[]){b->x}, (void *[]){out, out}) == JUMAR_FAILED ? 0 : 1);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    jumar_session_close(session);
}

/* ---- Compiling ---- */

/* y = relu(conv(x)), with the batch left open */
static void write_onnx(void)
{
    static const float weight[2 * 3] = {1, 2, 3, -1, -2, -3};
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x:0", ONNX_FLOAT, 4, (int64_t[]){-1, 3, 2, 2});
    onnx_f32(&b, "w", 4, (int64_t[]){2, 3, 1, 1}, weight);
    onnx_op(&b, "Conv", "x:0,w", "c");
    onnx_op(&b, "Relu", "c", "y");
    onnx_output(&b, "y");
    onnx_end(&b);
    assert_ok(jm_file_write(ONNX, b.model.data, b.model.size));
    onnx_clear(&b);
}

static void count_progress(void *context, double done, const char *what)
{
    assert_true(done >= 0 && done <= 1 && what[0]);
    ++*(int *)context;
}

static void compiles_and_runs(void **state)
{
    (void)state;
    static const char *const labels[] = {"cat", "dog"};
    int calls = 0;
    jumar_compile_options options = {.input_shapes = "x:0:2,3,2,2",
                                     .family = "yolox",
                                     .labels = labels,
                                     .label_count = 2,
                                     .progress = count_progress,
                                     .progress_context = &calls};
    write_onnx();
    assert_jumar(jumar_compile(ONNX, "test_session_compiled.om", &options));
    assert_true(calls > 1);
    jumar_session *session;
    jumar_tensor_info info;
    float x[2 * 3 * 2 * 2], y[2 * 2 * 2 * 2];
    assert_jumar(jumar_session_open("test_session_compiled.om", 1, &session));
    assert_jumar(jumar_session_input(session, 0, &info));
    assert_string_equal(info.name, "x:0");
    assert_int_equal(info.dim[0], 2);
    assert_string_equal(jumar_session_metadata(session, "labels"), "cat\ndog");
    assert_string_equal(jumar_session_metadata(session, "output.0"), "y:0");
    for (size_t i = 0; i < JM_COUNT(x); i++) x[i] = (float)((int)i % 7 - 3);
    assert_jumar(jumar_session_run(session, (const void *[]){x}, (void *[]){y}));
    for (int n = 0; n < 2; n++) {
        for (int p = 0; p < 4; p++) {
            const float *at = x + n * 12 + p;
            float sum = at[0] + 2 * at[4] + 3 * at[8];
            assert_true(y[n * 8 + p] == (sum > 0 ? sum : 0));
            assert_true(y[n * 8 + 4 + p] == (sum < 0 ? -sum : 0));
        }
    }
    jumar_session_close(session);
    unlink("test_session_compiled.om");
    unlink(ONNX);
}

static void compile_options_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *shapes, *words;
    } bad[] = {
        {"1,3,2,2", "not of the form"},
        {":1,3", "not of the form"},
        {"x:0:1,3,2,2;;", "not of the form"},
        {"x:0:1,3,a", "is not of the form"},
        {"x:0:1,,2", "is not of the form"},
        {"x:0:-2,3,2,2", "is not of the form"},
        {"x:0:1,2,3,4,5,6,7,8,9", "at most 8"},
        {"x:0:99999999999999999999", "is not of the form"},
        {"z:1,3,2,2", "'z'"},
        {NULL, "'x:0'"}, /* the batch stays open */
    };
    write_onnx();
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        jumar_compile_options options = {.input_shapes = bad[i].shapes};
        assert_refused(jumar_compile(ONNX, "test_session_bad.om", &options), JUMAR_INVALID_ARGUMENT, bad[i].words);
        assert_int_not_equal(access("test_session_bad.om", F_OK), 0);
    }
    jumar_compile_options options = {.input_shapes = "x:0:1,3,2,2"};
    assert_refused(jumar_compile("no such.onnx", "a.om", &options), JUMAR_NOT_FOUND, "no such.onnx");
    assert_refused(jumar_compile(ONNX, "no/such/folder/a.om", &options), JUMAR_IO, "no/such/folder");
    assert_refused(jumar_compile(NULL, "a.om", NULL), JUMAR_INVALID_ARGUMENT, "path");
    assert_refused(jumar_compile(PATH, "a.om", NULL), JUMAR_CORRUPT, "");
    unlink(ONNX);
}

static void compiling_is_deterministic(void **state)
{
    (void)state;
    unsigned char *data[2];
    size_t size[2];
    jumar_compile_options options = {.input_shapes = "x:0:1,3,2,2"};
    write_onnx();
    for (int i = 0; i < 2; i++) {
        assert_jumar(jumar_compile(ONNX, "test_session_twice.om", &options));
        assert_ok(jm_file_read("test_session_twice.om", 1 << 24, &data[i], &size[i]));
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    jm_free(data[0]);
    jm_free(data[1]);
    unlink("test_session_twice.om");
    unlink(ONNX);
}

/* ---- Real models ---- */

typedef struct tensors {
    void *in[16], *out[2][16];
    size_t inputs, outputs, bytes[16];
} tensors;

static void allocate(const jumar_session *session, tensors *t)
{
    jumar_tensor_info info;
    t->inputs = jumar_session_input_count(session);
    t->outputs = jumar_session_output_count(session);
    assert_true(t->inputs <= 16 && t->outputs <= 16);
    for (size_t i = 0; i < t->inputs; i++) {
        assert_jumar(jumar_session_input(session, i, &info));
        assert_string_equal(info.dtype_name, "float32");
        t->in[i] = malloc(info.bytes);
        for (size_t k = 0; k < info.bytes / sizeof(float); k++) ((float *)t->in[i])[k] = test_random_float();
    }
    for (size_t i = 0; i < t->outputs; i++) {
        assert_jumar(jumar_session_output(session, i, &info));
        t->bytes[i] = info.bytes;
        for (int k = 0; k < 2; k++) t->out[k][i] = malloc(info.bytes);
    }
}

static void free_tensors(tensors *t)
{
    for (int i = 0; i < 16; i++) {
        free(t->in[i]);
        free(t->out[0][i]);
        free(t->out[1][i]);
    }
}

/* The same bits with one thread, with two, and without a device; the same file when it is compiled again. */
static void check_model(const char *folder, const char *name, const char *shapes)
{
    char onnx[4200];
    unsigned char *data[2];
    size_t size[2];
    jumar_compile_options options = {.input_shapes = shapes};
    snprintf(onnx, sizeof(onnx), "%s/models/%s.onnx", folder, name);
    for (int i = 0; i < 2; i++) {
        assert_jumar(jumar_compile(onnx, "test_session_real.om", &options));
        assert_ok(jm_file_read("test_session_real.om", SIZE_MAX / 2, &data[i], &size[i]));
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    jumar_session *session;
    tensors t = {.inputs = 0};
    for (unsigned threads = 1; threads < 3; threads++) {
        assert_jumar(jumar_session_open("test_session_real.om", threads, &session));
        if (threads == 1) allocate(session, &t);
        void **out = t.out[threads - 1];
        assert_jumar(jumar_session_run(session, (const void *const *)t.in, out));
        jumar_session_close(session);
    }
    for (size_t i = 0; i < t.outputs; i++) assert_memory_equal(t.out[0][i], t.out[1][i], t.bytes[i]);

    jm_graph *graph;
    jm_machine machine;
    jm_program *program;
    assert_ok(jm_om_read_memory(data[0], size[0], &graph));
    assert_ok(jm_machine_get(3, &machine));
    assert_ok(jm_program_create(graph, &machine, &program));
    jm_program_set_poison(program, true);
    jm_program_bind(program, t.in, t.out[1]);
    assert_ok(jm_program_run(program));
    for (size_t i = 0; i < t.outputs; i++) assert_memory_equal(t.out[0][i], t.out[1][i], t.bytes[i]);
    jm_program_destroy(program);
    jm_graph_destroy(graph);
    free_tensors(&t);
    jm_free(data[0]);
    jm_free(data[1]);
    unlink("test_session_real.om");
}

static void real_models(void **state)
{
    (void)state;
    const char *folder = test_data();
    if (!folder) skip();
    check_model(folder, "yolox_nano", NULL);
    check_model(folder, "fastestdet", NULL);
    check_model(folder, "nanodet_m", NULL);
    check_model(folder, "face_detection_yunet_2026may", "input:1,3,320,320");
    check_model(folder, "ppocr_cls", "x:1,3,48,192");
}

static void version_is_the_projects(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof(text), "%d.%d.%d", JUMAR_VERSION_MAJOR, JUMAR_VERSION_MINOR, JUMAR_VERSION_PATCH);
    assert_string_equal(jumar_version(), text);
    assert_string_equal(jumar_version(), PROJECT_VERSION);
    assert_string_equal(jumar_status_text(JUMAR_CORRUPT), "corrupt data");
    assert_string_equal(jumar_status_text((jumar_status)99), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_alike_with_any_threads), cmocka_unit_test(describes_itself),
        cmocka_unit_test(refuses_what_cannot_be),      cmocka_unit_test(threads_share_a_session),
        cmocka_unit_test(out_of_memory_is_an_error),   cmocka_unit_test(a_fork_loses_the_session),
        cmocka_unit_test(compiles_and_runs),           cmocka_unit_test(compile_options_are_checked),
        cmocka_unit_test(compiling_is_deterministic),  cmocka_unit_test(real_models),
        cmocka_unit_test(version_is_the_projects),
    };
    return cmocka_run_group_tests(tests, write_sample, remove_sample);
}
