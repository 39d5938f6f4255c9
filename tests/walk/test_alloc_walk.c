/* SPDX-License-Identifier: Apache-2.0
 *
 * Each job of the library is done again and again, and in the n-th round its n-th allocation fails, n = 1, 2, ... until
 * none does; then again with every allocation from the n-th on. Each round must end with success and the right result,
 * or with an error and its message; nothing may be lost: blocks of memory, file descriptors, files.
 */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "test.h"

#include "acl/acl.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "compiler/onnx_builder.h"
#include "jumar/compile.h"
#include "jumar/detect.h"
#include "jumar/session.h"
#include "tensor/npy.h"
#include "walk/alloc_hook.h"

#define DEMO JUMAR_SOURCE "/demo/scenes.onnx"
#define PICTURE JUMAR_SOURCE "/demo/pictures/street.jpg"
#define CORPUS JUMAR_SOURCE "/tests/corpus/"

/* ---- The driver ---- */

/* A job returns true when all went well; else it has called failed(). It frees what it made. */
typedef bool job(const char *argument);

static char message[1024];

static bool failed(const char *text)
{
    snprintf(message, sizeof message, "%s", text);
    return false;
}

static size_t entries(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;
    assert_non_null(folder);
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

static bool round_ends(job *run, const char *argument, uint64_t n, bool rest)
{
    const size_t descriptors = entries("/proc/self/fd");
    const int64_t live = alloc_hook_live();
    message[0] = 0;
    alloc_hook_fail_at(n, rest);
    const bool good = run(argument);
    const bool hit = alloc_hook_end();
    if (!good && !hit) fail_msg("round %llu fails by itself: %s", (unsigned long long)n, message);
    if (!good && !message[0]) fail_msg("round %llu has no message", (unsigned long long)n);
    const int64_t lost = alloc_hook_live() - live;
    if (lost) fail_msg("round %llu (%s) loses %lld blocks", (unsigned long long)n, message, (long long)lost);
    if (entries("/proc/self/fd") != descriptors) fail_msg("round %llu loses a descriptor", (unsigned long long)n);
    return !hit;
}

/* All rounds, or with `sampled` fewer and fewer of them: 60 for each factor of e. */
static void walk(job *run, const char *argument, bool sampled)
{
    enum { DENSE = 60 };
    /* What is made once for a process, and what threads keep. */
    for (int i = 0; i < 3; i++) assert_true(run(argument));
    for (int rest = 0; rest <= (alloc_hook_sees_all ? 1 : 0); rest++) {
        uint64_t n = 1;
        while (!round_ends(run, argument, n, rest)) n += sampled && n > DENSE ? n / DENSE : 1;
        printf("%s, %s: %llu allocations\n", jm_path_base(argument), rest ? "all from one on" : "one",
               (unsigned long long)n - 1);
    }
}

/* ---- Our own interface ---- */

#define OM "walk.om"
#define DEMO_OM "walk_demo.om"

/* Without an allocation. */
static uint32_t crc_of(const char *path)
{
    static char bytes[16 << 20];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got, size = 0;
    while ((got = read(file, bytes + size, sizeof bytes - (size_t)size)) > 0) size += got;
    assert_true(got == 0 && size > 0);
    close(file);
    return jm_crc32c(0, bytes, (size_t)size);
}

static uint32_t good_crc; /* of the file that the first run wrote */

static bool compile(const char *onnx)
{
    static const char *const labels[] = {"a", "b"};
    const jumar_compile_options options = {.family = "yolo", .labels = labels, .label_count = 2};
    if (jumar_compile(onnx, OM, &options) != JUMAR_OK) {
        assert_int_not_equal(access(OM, F_OK), 0);
        return failed(jumar_last_error());
    }
    if (good_crc == 0) good_crc = crc_of(OM);
    assert_int_equal(crc_of(OM), good_crc);
    assert_int_equal(unlink(OM), 0);
    return true;
}

#define GEARS_ONNX "walk_gears.onnx"
#define GEARS_OM "walk_gears.om"

static const char *aipp; /* configuration of the next models, or NULL */

/* A model of two batch sizes, which holds the ONNX file too and compiles it again when it is loaded. */
static jumar_status compile_gears(const char *onnx, const char *om)
{
    const jumar_compile_options options = {
        .input_shapes = "x:-1,3,4,4", .gear_kind = JUMAR_GEAR_BATCH, .gears = "1,2", .aipp = aipp};
    return jumar_compile(onnx, om, &options);
}

static bool compile_sizes(const char *onnx)
{
    if (compile_gears(onnx, OM) != JUMAR_OK) {
        assert_int_not_equal(access(OM, F_OK), 0);
        return failed(jumar_last_error());
    }
    if (good_crc == 0) good_crc = crc_of(OM);
    assert_int_equal(crc_of(OM), good_crc);
    assert_int_equal(unlink(OM), 0);
    return true;
}

static int write_gears(void)
{
    static const float weight[2 * 3] = {1, 2, 3, -1, -2, -3};
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, 4, (int64_t[]){-1, 3, 4, 4});
    onnx_f32(&b, "w", 4, (int64_t[]){2, 3, 1, 1}, weight);
    onnx_op(&b, "Conv", "x,w", "c");
    onnx_op(&b, "Relu", "c", "y");
    onnx_output(&b, "y");
    onnx_end(&b);
    const jm_status status = jm_file_write(GEARS_ONNX, b.model.data, b.model.size);
    onnx_clear(&b);
    return status != JM_OK || compile_gears(GEARS_ONNX, GEARS_OM) != JUMAR_OK;
}

static void compiling(void **state)
{
    (void)state;
    static const char *const models[] = {CORPUS "onnx/forms.onnx", CORPUS "onnx/movement.onnx",
                                         CORPUS "onnx/network.onnx"};
    for (size_t i = 0; i < JM_COUNT(models); i++) {
        good_crc = 0;
        walk(compile, models[i], false);
    }
    good_crc = 0;
    walk(compile, DEMO, true);
    static const char *const configurations[] = {NULL, "aipp_op { aipp_mode: static input_format: RGB888_U8 }",
                                                 "aipp_op { aipp_mode: dynamic max_src_image_size: 500 }"};
    for (size_t i = 0; i < JM_COUNT(configurations); i++) {
        good_crc = 0;
        aipp = configurations[i];
        walk(compile_sizes, GEARS_ONNX, false);
    }
    aipp = NULL;
}

static _Alignas(64) char in[4][2 << 20], out[4][2][1 << 20];
static const void *const inputs[4] = {in[0], in[1], in[2], in[3]};
static void *const outputs[4] = {out[0][0], out[1][0], out[2][0], out[3][0]};
static void *const wanted[4] = {out[0][1], out[1][1], out[2][1], out[3][1]};

static bool use(jumar_session *session)
{
    jumar_tensor_info info;
    assert_true(jumar_session_input_count(session) <= 4 && jumar_session_output_count(session) <= 4);
    for (size_t i = 0; i < jumar_session_output_count(session); i++) {
        assert_int_equal(jumar_session_output(session, i, &info), JUMAR_OK);
        assert_true(info.bytes <= sizeof out[0][0]);
        memset(outputs[i], 0xFF, info.bytes);
    }
    if (jumar_session_run(session, inputs, outputs) != JUMAR_OK) return failed(jumar_last_error());
    for (size_t i = 0; i < jumar_session_output_count(session); i++) {
        assert_int_equal(jumar_session_output(session, i, &info), JUMAR_OK);
        assert_memory_equal(outputs[i], wanted[i], info.bytes);
    }
    return true;
}

static void remember_outputs(const char *path)
{
    jumar_session *session;
    assert_int_equal(jumar_session_open(path, 1, &session), JUMAR_OK);
    assert_int_equal(jumar_session_run(session, inputs, wanted), JUMAR_OK);
    jumar_session_close(session);
}

static bool open_and_run(const char *path)
{
    jumar_session *session = (void *)outputs;
    if (jumar_session_open(path, 2, &session) != JUMAR_OK) {
        assert_null(session);
        return failed(jumar_last_error());
    }
    const bool good = use(session);
    jumar_session_close(session);
    return good;
}

static unsigned char *om_bytes;
static size_t om_size;

static bool open_memory_and_run(const char *path)
{
    (void)path;
    jumar_session *session = (void *)outputs;
    if (jumar_session_open_memory(om_bytes, om_size, 1, &session) != JUMAR_OK) {
        assert_null(session);
        return failed(jumar_last_error());
    }
    const bool good = use(session);
    jumar_session_close(session);
    return good;
}

static void sessions(void **state)
{
    (void)state;
    static const char *const models[] = {CORPUS "om/sample.om", CORPUS "om/forms.om", CORPUS "om/movement.om"};
    for (size_t i = 0; i < JM_COUNT(models); i++) {
        remember_outputs(models[i]);
        walk(open_and_run, models[i], false);
        assert_ok(jm_file_read(models[i], SIZE_MAX, &om_bytes, &om_size));
        walk(open_memory_and_run, models[i], false);
        jm_free(om_bytes);
    }
    remember_outputs(DEMO_OM);
    walk(open_and_run, DEMO_OM, true);
}

static bool read_picture(const char *path)
{
    jumar_image image;
    if (jumar_image_read(path, &image) != JUMAR_OK) {
        assert_null(image.rgb);
        return failed(jumar_last_error());
    }
    jumar_image_free(&image);
    return true;
}

static bool write_picture(const char *path)
{
    static uint8_t pixels[40 * 30 * 3];
    const jumar_image image = {.width = 40, .height = 30, .rgb = pixels};
    if (jumar_image_write(path, &image) != JUMAR_OK) {
        assert_int_not_equal(access(path, F_OK), 0);
        return failed(jumar_last_error());
    }
    assert_int_equal(unlink(path), 0);
    return true;
}

static void pictures(void **state)
{
    (void)state;
    static const char *const read[] = {"baseline.jpg", "progressive.jpg", "exif.jpg", "alpha.png", "palette.png",
                                       "grey16.png",   "palette.bmp",     "rgb.ppm",  "grey.pgm"};
    char path[512];
    for (size_t i = 0; i < JM_COUNT(read); i++) {
        snprintf(path, sizeof path, CORPUS "image/%s", read[i]);
        walk(read_picture, path, false);
    }
    walk(write_picture, "walk.jpg", false);
    walk(write_picture, "walk.png", false);
    walk(write_picture, "walk.ppm", false);
}

static bool find_objects(const char *path)
{
    jumar_detector *detector = (void *)outputs;
    jumar_image image = {0};
    jumar_box box[300];
    size_t count = 0;
    if (jumar_detector_open(path, 2, NULL, &detector) != JUMAR_OK) {
        assert_null(detector);
        return failed(jumar_last_error());
    }
    jumar_results *results = NULL;
    const bool good = jumar_image_read(PICTURE, &image) == JUMAR_OK &&
                      jumar_detector_detect(detector, &image, NULL, box, 300, &count) == JUMAR_OK &&
                      jumar_detector_predict(detector, &image, NULL, &results) == JUMAR_OK &&
                      jumar_draw_boxes(&image, box, count, detector) == JUMAR_OK &&
                      jumar_draw_results(&image, results, detector) == JUMAR_OK;
    if (good) assert_true(count > 3 && jumar_results_count(results) == count);
    if (!good) (void)failed(jumar_last_error());
    jumar_results_free(results);
    jumar_image_free(&image);
    jumar_detector_close(detector);
    return good;
}

static void detectors(void **state)
{
    (void)state;
    walk(find_objects, DEMO_OM, true);
}

static bool write_array(const char *path)
{
    static float value[6];
    jm_tensor tensor;
    assert_ok(jm_tensor_init(&tensor, JM_F32, &(jm_shape){2, {2, 3}}, JM_PLAIN, NULL));
    tensor.data = value;
    if (jm_npy_write(path, &tensor) != JM_OK) {
        assert_int_not_equal(access(path, F_OK), 0);
        return failed(jm_last_error());
    }
    assert_int_equal(unlink(path), 0);
    return true;
}

static void arrays(void **state)
{
    (void)state;
    walk(write_array, "walk.npy", false);
}

/* ---- AscendCL ---- */

static void add_buffer(aclmdlDataset *dataset, void *data, size_t size, bool *good)
{
    aclDataBuffer *buffer = *good ? aclCreateDataBuffer(data, size) : NULL;
    *good = buffer && aclmdlAddDatasetBuffer(dataset, buffer) == ACL_SUCCESS;
    if (!*good && buffer) (void)aclDestroyDataBuffer(buffer);
}

static void destroy_dataset(aclmdlDataset *dataset)
{
    for (size_t i = 0; dataset && i < aclmdlGetDatasetNumBuffers(dataset); i++) {
        void *data = aclGetDataBufferAddr(aclmdlGetDatasetBuffer(dataset, i));
        assert_int_equal(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset, i)), ACL_SUCCESS);
        if (data) assert_int_equal(aclrtFree(data), ACL_SUCCESS);
    }
    if (dataset) assert_int_equal(aclmdlDestroyDataset(dataset), ACL_SUCCESS);
}

/* Device memory for each input or output. */
static aclmdlDataset *make_dataset(aclmdlDesc *desc, bool input, bool *good)
{
    aclmdlDataset *dataset = *good ? aclmdlCreateDataset() : NULL;
    *good = dataset != NULL;
    const size_t count = !*good ? 0 : input ? aclmdlGetNumInputs(desc) : aclmdlGetNumOutputs(desc);
    for (size_t i = 0; i < count && *good; i++) {
        const size_t size = input ? aclmdlGetInputSizeByIndex(desc, i) : aclmdlGetOutputSizeByIndex(desc, i);
        void *data = NULL;
        *good = aclrtMalloc(&data, size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS;
        if (*good && input) *good = aclrtMemcpy(data, size, inputs[i], size, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS;
        add_buffer(dataset, data, size, good);
        if (!*good && data) assert_int_equal(aclrtFree(data), ACL_SUCCESS);
    }
    return dataset;
}

static void check_outputs(const aclmdlDataset *output)
{
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(output); i++) {
        const aclDataBuffer *buffer = aclmdlGetDatasetBuffer(output, i);
        assert_memory_equal(aclGetDataBufferAddr(buffer), wanted[i], aclGetDataBufferSizeV2(buffer));
    }
}

static bool run_model(uint32_t id, aclmdlDesc *desc, aclrtStream stream, aclrtEvent event)
{
    bool good = true;
    aclmdlDataset *input = make_dataset(desc, true, &good), *output = good ? make_dataset(desc, false, &good) : NULL;
    size_t size_input;
    if (good && aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &size_input) == ACL_SUCCESS)
        good = aclmdlSetDynamicBatchSize(id, input, size_input, 2) == ACL_SUCCESS;
    good = good && aclmdlExecute(id, input, output) == ACL_SUCCESS;
    if (good) check_outputs(output);
    good = good && aclmdlExecuteAsync(id, input, output, stream) == ACL_SUCCESS &&
           aclrtRecordEvent(event, stream) == ACL_SUCCESS && aclrtSynchronizeEvent(event) == ACL_SUCCESS;
    /* Before memory is freed, in any case. */
    good = aclrtSynchronizeStream(stream) == ACL_SUCCESS && good;
    if (good) check_outputs(output);
    if (!good) {
        const char *text = aclGetRecentErrMsg();
        (void)failed(text ? text : "");
    }
    destroy_dataset(input);
    destroy_dataset(output);
    return good;
}

static bool remember_acl_error(void)
{
    const char *text = aclGetRecentErrMsg();
    return failed(text ? text : "");
}

static bool use_device(const char *path)
{
    aclrtContext context = NULL;
    aclrtStream stream = NULL;
    aclrtEvent event = NULL;
    aclmdlDesc *desc = NULL;
    uint32_t id = 0;
    bool loaded = false;
    bool good = aclrtCreateContext(&context, 0) == ACL_SUCCESS && aclrtCreateStream(&stream) == ACL_SUCCESS &&
                aclrtCreateEvent(&event) == ACL_SUCCESS && (desc = aclmdlCreateDesc()) != NULL;
    good = good && (loaded = aclmdlLoadFromFile(path, &id) == ACL_SUCCESS);
    good = good && aclmdlGetDesc(desc, id) == ACL_SUCCESS;
    if (!good) (void)remember_acl_error();
    good = good && run_model(id, desc, stream, event);
    if (loaded) assert_int_equal(aclmdlUnload(id), ACL_SUCCESS);
    if (desc) assert_int_equal(aclmdlDestroyDesc(desc), ACL_SUCCESS);
    if (event) assert_int_equal(aclrtDestroyEvent(event), ACL_SUCCESS);
    if (stream) assert_int_equal(aclrtDestroyStream(stream), ACL_SUCCESS);
    if (context) assert_int_equal(aclrtDestroyContext(context), ACL_SUCCESS);
    return good;
}

#define CONFIG "walk_acl.json"

/* From aclInit to aclFinalize. */
static bool whole_program(const char *path)
{
    if (aclInit(CONFIG) != ACL_SUCCESS) return remember_acl_error();
    bool good = aclrtSetDevice(0) == ACL_SUCCESS;
    if (!good) (void)remember_acl_error();
    if (good) {
        good = use_device(path);
        assert_int_equal(aclrtResetDevice(0), ACL_SUCCESS);
    }
    assert_int_equal(aclFinalize(), ACL_SUCCESS);
    return good;
}

static void acl_programs(void **state)
{
    (void)state;
    assert_ok(jm_file_write(CONFIG, "{\"dump\": {\"dump_list\": []}}", 27));
    remember_outputs(CORPUS "om/sample.om");
    walk(whole_program, CORPUS "om/sample.om", false);
    remember_outputs(DEMO_OM);
    walk(whole_program, DEMO_OM, true);
    remember_outputs(GEARS_OM);
    walk(whole_program, GEARS_OM, false);
    unlink(CONFIG);
}

static bool create_objects(const char *name)
{
    (void)name;
    static const int64_t dims[] = {1, 3, 4, 5};
    aclTensorDesc *tensor = aclCreateTensorDesc(ACL_FLOAT, 4, dims, ACL_FORMAT_NCHW);
    aclDataBuffer *buffer = aclCreateDataBuffer(out, 4);
    aclmdlConfigHandle *config = aclmdlCreateConfigHandle();
    aclmdlExecConfigHandle *execution = aclmdlCreateExecConfigHandle();
    aclmdlDataset *dataset = aclmdlCreateDataset();
    aclmdlDesc *desc = aclmdlCreateDesc();
    void *host = NULL;
    bool good = tensor && buffer && config && execution && dataset && desc;
    if (config) {
        const char *path = "a.om";
        good = aclmdlSetConfigOpt(config, ACL_MDL_PATH_PTR, &path, sizeof path) == ACL_SUCCESS && good;
    }
    good = aclrtMallocHost(&host, 100) == ACL_SUCCESS && good;
    if (!good) (void)remember_acl_error();
    if (host) assert_int_equal(aclrtFreeHost(host), ACL_SUCCESS);
    if (desc) assert_int_equal(aclmdlDestroyDesc(desc), ACL_SUCCESS);
    if (dataset) assert_int_equal(aclmdlDestroyDataset(dataset), ACL_SUCCESS);
    if (execution) assert_int_equal(aclmdlDestroyExecConfigHandle(execution), ACL_SUCCESS);
    if (config) assert_int_equal(aclmdlDestroyConfigHandle(config), ACL_SUCCESS);
    if (buffer) assert_int_equal(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
    aclDestroyTensorDesc(tensor);
    return good;
}

static void acl_creators(void **state)
{
    (void)state;
    assert_int_equal(aclInit(NULL), ACL_SUCCESS);
    assert_int_equal(aclrtSetDevice(0), ACL_SUCCESS);
    walk(create_objects, "objects of AscendCL", false);
    assert_int_equal(aclrtResetDevice(0), ACL_SUCCESS);
    assert_int_equal(aclFinalize(), ACL_SUCCESS);
}

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < sizeof in[i] / sizeof(float); k++) {
            const float value = (float)(k % 17) * 0.0625f;
            memcpy(in[i] + k * sizeof value, &value, sizeof value);
        }
    return jumar_compile(DEMO, DEMO_OM, NULL) != JUMAR_OK || write_gears();
}

static int end(void **state)
{
    (void)state;
    return unlink(DEMO_OM) || unlink(GEARS_ONNX) || unlink(GEARS_OM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays),       cmocka_unit_test(pictures),  cmocka_unit_test(compiling),
        cmocka_unit_test(sessions),     cmocka_unit_test(detectors), cmocka_unit_test(acl_creators),
        cmocka_unit_test(acl_programs),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
