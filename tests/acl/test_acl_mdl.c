/* SPDX-License-Identifier: Apache-2.0
 *
 * The model interface as a program sees it: what a run computes, how runs are ordered, and every code of misuse.
 */
#include <pthread.h>
#include <unistd.h>

#include "acl_test.h"

#include "acl/error_codes/ge_error_codes.h"
#include "acl/error_codes/rt_error_codes.h"
#include "base/alloc.h"
#include "base/file.h"
#include "jumar/compile.h"
#include "model/model.h"
#include "model/sample.h"

#define PATH "test_acl_mdl.om"
#define OUTPUTS 2

static const size_t output_bytes[OUTPUTS] = {SAMPLE_OUTPUT_COUNT * sizeof(float),
                                             SAMPLE_OUTPUT_COUNT * sizeof(uint16_t)};

/* The sample, as a file and as a program of one thread. */
static jm_graph *graph;
static jm_program *reference;

static int start(void **state)
{
    (void)state;
    jm_machine machine;
    graph = sample_graph();
    assert_ok(jm_om_write(graph, PATH));
    assert_ok(jm_machine_get(1, &machine));
    assert_ok(jm_program_create(graph, &machine, &reference));
    return aclInit(NULL);
}

static int stop(void **state)
{
    (void)state;
    jm_program_destroy(reference);
    jm_graph_destroy(graph);
    unlink(PATH);
    return aclFinalize();
}

static uint32_t load(void)
{
    uint32_t id = 0;
    assert_acl(aclmdlLoadFromFile(PATH, &id));
    assert_true(id > 0);
    return id;
}

/* ---- One call: device memory, datasets and what must come out ---- */

typedef struct job {
    float *x;
    void *y[OUTPUTS], *want[OUTPUTS];
    aclmdlDataset *input, *output;
} job;

static void add(aclmdlDataset *dataset, void *data, size_t size)
{
    aclDataBuffer *buffer = aclCreateDataBuffer(data, size);
    assert_non_null(buffer);
    assert_acl(aclmdlAddDatasetBuffer(dataset, buffer));
}

static pthread_mutex_t reference_lock = PTHREAD_MUTEX_INITIALIZER;

static job job_begin(uint64_t seed)
{
    job j = {.input = aclmdlCreateDataset(), .output = aclmdlCreateDataset()};
    assert_acl(aclrtMalloc((void **)&j.x, SAMPLE_INPUT_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    for (size_t i = 0; i < SAMPLE_INPUT_BYTES / sizeof(float); i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        j.x[i] = (float)(int32_t)(seed >> 32) * 0x1p-31f;
    }
    add(j.input, j.x, SAMPLE_INPUT_BYTES);
    for (int i = 0; i < OUTPUTS; i++) {
        assert_acl(aclrtMalloc(&j.y[i], output_bytes[i], ACL_MEM_MALLOC_HUGE_FIRST));
        memset(j.y[i], 0xFF, output_bytes[i]);
        add(j.output, j.y[i], output_bytes[i]);
        j.want[i] = malloc(output_bytes[i]);
        assert_non_null(j.want[i]);
    }
    pthread_mutex_lock(&reference_lock);
    jm_program_bind(reference, (void *[]){j.x}, j.want);
    jm_status status = jm_program_run(reference);
    pthread_mutex_unlock(&reference_lock);
    assert_ok(status);
    return j;
}

static void job_check(const job *j)
{
    for (int i = 0; i < OUTPUTS; i++) assert_memory_equal(j->y[i], j->want[i], output_bytes[i]);
}

static void dataset_end(aclmdlDataset *dataset)
{
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset); i++) {
        assert_acl(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset, i)));
    }
    assert_acl(aclmdlDestroyDataset(dataset));
}

static void job_end(job *j)
{
    dataset_end(j->input);
    dataset_end(j->output);
    assert_acl(aclrtFree(j->x));
    for (int i = 0; i < OUTPUTS; i++) {
        assert_acl(aclrtFree(j->y[i]));
        free(j->want[i]);
    }
}

/* ---- Description ---- */

static void describes_the_model(void **state)
{
    (void)state;
    uint32_t id = load();
    aclmdlDesc *desc[3] = {aclmdlCreateDesc(), aclmdlCreateDesc(), aclmdlCreateDesc()};
    unsigned char *data;
    size_t size, index = 9;
    assert_ok(jm_file_read(PATH, 1 << 24, &data, &size));
    assert_acl(aclmdlGetDesc(desc[0], id));
    assert_acl(aclmdlUnload(id));
    assert_acl(aclmdlGetDescFromFile(desc[1], PATH));
    assert_acl(aclmdlGetDescFromMem(desc[2], data, size));
    assert_acl(aclmdlGetDescFromMem(desc[2], data, size)); /* again: replaces */
    jm_free(data);
    for (int i = 0; i < 3; i++) {
        aclmdlIODims dims;
        aclmdlIODimsRange range;
        assert_int_equal(aclmdlGetNumInputs(desc[i]), 1);
        assert_int_equal(aclmdlGetNumOutputs(desc[i]), 2);
        assert_int_equal(aclmdlGetInputSizeByIndex(desc[i], 0), SAMPLE_INPUT_BYTES);
        assert_int_equal(aclmdlGetInputSizeByIndex(desc[i], 1), 0);
        assert_int_equal(aclmdlGetOutputSizeByIndex(desc[i], 1), output_bytes[1]);
        assert_string_equal(aclmdlGetInputNameByIndex(desc[i], 0), "x");
        assert_string_equal(aclmdlGetOutputNameByIndex(desc[i], 0), "gelu.gelu:0:gelu");
        assert_string_equal(aclmdlGetOutputNameByIndex(desc[i], 2), "");
        assert_int_equal(aclmdlGetInputFormat(desc[i], 0), ACL_FORMAT_NCHW);
        assert_int_equal(aclmdlGetOutputFormat(desc[i], 0), ACL_FORMAT_ND);
        assert_int_equal(aclmdlGetOutputFormat(desc[i], 7), ACL_FORMAT_UNDEFINED);
        assert_int_equal(aclmdlGetInputDataType(desc[i], 0), ACL_FLOAT);
        assert_int_equal(aclmdlGetOutputDataType(desc[i], 1), ACL_FLOAT16);
        assert_int_equal(aclmdlGetOutputDataType(NULL, 1), ACL_DT_UNDEFINED);
        assert_acl(aclmdlGetInputIndexByName(desc[i], "x", &index));
        assert_int_equal(index, 0);
        assert_acl(aclmdlGetOutputIndexByName(desc[i], "half.cast:0:half", &index));
        assert_int_equal(index, 1);
        assert_int_equal(aclmdlGetInputIndexByName(desc[i], "half", &index), ACL_ERROR_INVALID_PARAM);
        assert_acl(aclmdlGetInputDims(desc[i], 0, &dims));
        assert_string_equal(dims.name, "x");
        assert_int_equal(dims.dimCount, 4);
        assert_int_equal(dims.dims[2], 9);
        assert_acl(aclmdlGetInputDimsV2(desc[i], 0, &dims));
        assert_acl(aclmdlGetCurOutputDims(desc[i], 1, &dims));
        assert_int_equal(dims.dimCount, 2);
        assert_int_equal(dims.dims[1], 35);
        assert_acl(aclmdlGetInputDimsRange(desc[i], 0, &range));
        assert_int_equal(range.rangeCount, 4);
        assert_int_equal(range.range[3][1], 7);
        assert_int_equal(aclmdlGetOutputDims(desc[i], 2, &dims), ACL_ERROR_INVALID_PARAM);
        assert_string_equal(aclmdlGetTensorRealName(desc[i], "x"), "x");
        assert_null(aclmdlGetTensorRealName(desc[i], "y"));
        assert_acl(aclmdlDestroyDesc(desc[i]));
    }
}

/* A graph of one Gather: its index is looked at only when it runs. */
static jm_graph *gather_graph(const char *name)
{
    jm_graph *g;
    assert_ok(jm_graph_create(&g));
    jm_value *v[3];
    const jm_dtype dtype[3] = {JM_F32, JM_I64, JM_F32};
    const int64_t dim[3] = {4, 2, 2};
    for (int i = 0; i < 3; i++) {
        v[i] = jm_graph_value(g, i ? i == 1 ? "index" : "out" : name);
        assert_non_null(v[i]);
        assert_ok(jm_tensor_init(&v[i]->tensor, dtype[i], &(jm_shape){1, {dim[i]}}, JM_PLAIN, NULL));
    }
    assert_non_null(jm_graph_node(g, jm_op_find("Gather"), "gather", v, 2, &v[2], 1));
    assert_ok(jm_graph_add_input(g, v[0]));
    assert_ok(jm_graph_add_input(g, v[1]));
    assert_ok(jm_graph_add_output(g, v[2]));
    return g;
}

static void long_names_are_replaced(void **state)
{
    (void)state;
    char name[200];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = 0;
    jm_graph *g = gather_graph(name);
    assert_ok(jm_om_write(g, "test_acl_mdl_long.om"));
    jm_graph_destroy(g);
    uint32_t id;
    assert_acl(aclmdlLoadFromFile("test_acl_mdl_long.om", &id));
    aclmdlDesc *desc = aclmdlCreateDesc();
    aclmdlIODims dims;
    char want[ACL_MAX_TENSOR_NAME_LEN];
    snprintf(want, sizeof(want), "acl_modelId_%u_input_0", id);
    assert_acl(aclmdlGetDesc(desc, id));
    assert_string_equal(aclmdlGetInputNameByIndex(desc, 0), name);
    assert_acl(aclmdlGetInputDims(desc, 0, &dims));
    assert_string_equal(dims.name, want);
    assert_string_equal(aclmdlGetTensorRealName(desc, want), name);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
    unlink("test_acl_mdl_long.om");
}

/* ---- Loading ---- */

static aclError load_with(aclmdlConfigHandle *config, uint32_t *id)
{
    return aclmdlLoadWithConfig(config, id);
}

static void loads_in_every_way(void **state)
{
    (void)state;
    unsigned char *data;
    size_t size, work, weight, work2, weight2, type = ACL_MDL_LOAD_FROM_FILE_WITH_MEM;
    uint32_t id[6];
    void *work_memory, *weight_memory;
    const char *path = PATH;
    assert_ok(jm_file_read(PATH, 1 << 24, &data, &size));
    assert_acl(aclmdlQuerySize(PATH, &work, &weight));
    assert_acl(aclmdlQuerySizeFromMem(data, size, &work2, &weight2));
    assert_true(work > 0 && weight > 0 && work == work2 && weight == weight2);
    assert_acl(aclrtMalloc(&work_memory, work, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl(aclrtMalloc(&weight_memory, weight, ACL_MEM_MALLOC_HUGE_FIRST));

    assert_acl(aclmdlLoadFromFile(PATH, &id[0]));
    assert_acl(aclmdlLoadFromMem(data, size, &id[1]));
    assert_acl(aclmdlLoadFromFileWithMem(PATH, &id[2], work_memory, work, weight_memory, weight));
    assert_acl(aclmdlLoadFromMemWithMem(data, size, &id[3], NULL, 0, weight_memory, weight));
    aclmdlConfigHandle *config = aclmdlCreateConfigHandle();
    assert_int_equal(load_with(config, &id[4]), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_LOAD_TYPE_SIZET, &type, sizeof(type)));
    assert_int_equal(load_with(config, &id[4]), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_PATH_PTR, &path, sizeof(path)));
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_PATH_PTR, &path, sizeof(path)));
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_WORKSPACE_ADDR_PTR, &work_memory, sizeof(work_memory)));
    work2 = work - 1;
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_WORKSPACE_SIZET, &work2, sizeof(work2)));
    assert_int_equal(load_with(config, &id[4]), ACL_ERROR_GE_PARAM_INVALID);
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_WORKSPACE_SIZET, &work, sizeof(work)));
    assert_acl(load_with(config, &id[4]));
    type = ACL_MDL_LOAD_FROM_MEM;
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_LOAD_TYPE_SIZET, &type, sizeof(type)));
    assert_int_equal(load_with(config, &id[5]), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_MEM_ADDR_PTR, &data, sizeof(data)));
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_MEM_SIZET, &size, sizeof(size)));
    assert_acl(load_with(config, &id[5]));
    assert_acl(aclmdlDestroyConfigHandle(config));

    memset(data, 0, size); /* models from memory have their own copy */
    jm_free(data);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) assert_int_not_equal(id[i], id[k]);
        job j = job_begin((uint64_t)i);
        assert_acl(aclmdlExecute(id[i], j.input, j.output));
        job_check(&j);
        job_end(&j);
    }
    for (int i = 0; i < 6; i++) assert_acl(aclmdlUnload(id[i]));
    assert_acl(aclrtFree(work_memory));
    assert_acl(aclrtFree(weight_memory));
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    uint32_t id = 77;
    size_t work, weight, size;
    unsigned char *data;
    const unsigned char vendor[256] = "IMOD";
    assert_int_equal(aclmdlLoadFromFile(NULL, &id), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlLoadFromFile(PATH, NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlLoadFromFile("no such.om", &id), ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID);
    assert_message("no such.om");
    assert_int_equal(aclmdlLoadFromFile(".", &id), ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID);
    assert_int_equal(aclmdlQuerySize("no such.om", &work, &weight), ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID);
    assert_int_equal(aclmdlQuerySize(PATH, NULL, &weight), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlLoadFromMem(vendor, sizeof(vendor), &id), ACL_ERROR_GE_LOAD_MODEL);
    assert_message("compile the ONNX again");
    assert_int_equal(aclmdlLoadFromMem(vendor, 0, &id), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlLoadFromMem(NULL, 5, &id), ACL_ERROR_INVALID_PARAM);
    assert_ok(jm_file_read(PATH, 1 << 24, &data, &size));
    assert_int_equal(aclmdlLoadFromMem(data, size - 1, &id), ACL_ERROR_GE_LOAD_MODEL);
    data[size / 2] ^= 1;
    assert_int_equal(aclmdlLoadFromMem(data, size, &id), ACL_ERROR_GE_LOAD_MODEL);
    jm_free(data);
    assert_int_equal(aclmdlLoadFromFileWithQ(PATH, &id, &id, 1, &id, 1), ACL_ERROR_API_NOT_SUPPORT);
    assert_int_equal(id, 77);
    assert_int_equal(aclmdlUnload(77777), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
    assert_message("77777");
}

static void options_are_checked(void **state)
{
    (void)state;
    aclmdlConfigHandle *config = aclmdlCreateConfigHandle();
    aclmdlExecConfigHandle *run = aclmdlCreateExecConfigHandle();
    size_t size = 7;
    int32_t number = -2;
    void *pointer = NULL;
    assert_int_equal(aclmdlSetConfigOpt(NULL, ACL_MDL_MEM_SIZET, &size, sizeof(size)), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetConfigOpt(config, ACL_MDL_MEM_SIZET, NULL, sizeof(size)), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetConfigOpt(config, ACL_MDL_MEM_SIZET, &size, 4), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetConfigOpt(config, (aclmdlConfigAttr)999, &size, 8), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetConfigOpt(config, ACL_MDL_LOAD_TYPE_SIZET, &size, 8), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetConfigOpt(config, ACL_MDL_PATH_PTR, &pointer, 8), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlSetConfigOpt(config, ACL_MDL_PRIORITY_INT32, &number, sizeof(number)));
    assert_int_equal(aclmdlSetExecConfigOpt(run, ACL_MDL_STREAM_SYNC_TIMEOUT, &number, 4), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetExecConfigOpt(run, ACL_MDL_STREAM_SYNC_TIMEOUT, &size, 8), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlSetExecConfigOpt(run, ACL_MDL_WORK_SIZET, &size, sizeof(size)));
    assert_acl(aclmdlDestroyConfigHandle(config));
    assert_acl(aclmdlDestroyExecConfigHandle(run));
}

/* ---- Running ---- */

static void runs_on_streams(void **state)
{
    (void)state;
    enum { RUNS = 12 };
    uint32_t id = load();
    aclrtStream stream[3] = {NULL, NULL, NULL};
    aclrtEvent event;
    job j[RUNS];
    int32_t timeout = 60000;
    assert_acl(aclrtCreateStream(&stream[1]));
    assert_acl(aclrtCreateStream(&stream[2]));
    assert_acl(aclrtCreateEvent(&event));
    for (int i = 0; i < RUNS; i++) j[i] = job_begin((uint64_t)(100 + i));
    /* One model on three streams, with a blocking run in between: all must come out as if they were alone. */
    for (int i = 0; i < RUNS; i++) assert_acl(aclmdlExecuteAsync(id, j[i].input, j[i].output, stream[i % 3]));
    job sync = job_begin(99);
    assert_acl(aclmdlExecute(id, sync.input, sync.output));
    job_check(&sync);
    for (int i = 0; i < 3; i++) assert_acl(aclrtSynchronizeStream(stream[i]));
    for (int i = 0; i < RUNS; i++) job_check(&j[i]);

    /* Another stream goes on when the run is done; the datasets are gone by then. */
    void *copy;
    assert_acl(aclrtMalloc(&copy, output_bytes[0], ACL_MEM_MALLOC_HUGE_FIRST));
    memset(j[0].y[0], 0xFF, output_bytes[0]);
    assert_acl(aclmdlExecuteAsync(id, j[0].input, j[0].output, stream[1]));
    assert_acl(aclrtRecordEvent(event, stream[1]));
    assert_acl(aclrtStreamWaitEvent(stream[2], event));
    assert_acl(
        aclrtMemcpyAsync(copy, output_bytes[0], j[0].y[0], output_bytes[0], ACL_MEMCPY_DEVICE_TO_DEVICE, stream[2]));
    assert_acl(aclrtSynchronizeStream(stream[2]));
    assert_memory_equal(copy, j[0].want[0], output_bytes[0]);
    assert_acl(aclrtFree(copy));

    aclmdlExecConfigHandle *config = aclmdlCreateExecConfigHandle();
    assert_acl(aclmdlSetExecConfigOpt(config, ACL_MDL_STREAM_SYNC_TIMEOUT, &timeout, sizeof(timeout)));
    for (int i = 0; i < 3; i++) {
        memset(j[i].y[1], 0xFF, output_bytes[1]);
        assert_acl(aclmdlExecuteV2(id, j[i].input, j[i].output, stream[i], config));
        job_check(&j[i]);
        memset(j[i].y[1], 0xFF, output_bytes[1]);
        assert_acl(aclmdlExecuteAsyncV2(id, j[i].input, j[i].output, stream[i], config));
        assert_acl(aclrtSynchronizeStream(stream[i]));
        job_check(&j[i]);
    }
    assert_int_equal(aclmdlExecuteV2(id, j[0].input, j[0].output, stream[1], NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlDestroyExecConfigHandle(config));

    /* Unloading waits for what is under way. */
    for (int i = 0; i < RUNS; i++) {
        memset(j[i].y[0], 0xFF, output_bytes[0]);
        assert_acl(aclmdlExecuteAsync(id, j[i].input, j[i].output, stream[i % 3]));
    }
    assert_acl(aclmdlUnload(id));
    for (int i = 0; i < RUNS; i++) job_check(&j[i]);
    assert_int_equal(aclmdlExecute(id, j[0].input, j[0].output), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
    for (int i = 0; i < RUNS; i++) job_end(&j[i]);
    job_end(&sync);
    assert_acl(aclrtDestroyEvent(event));
    assert_acl(aclrtDestroyStream(stream[1]));
    assert_acl(aclrtDestroyStream(stream[2]));
}

static void outputs_are_provided(void **state)
{
    (void)state;
    uint32_t id = load();
    job j = job_begin(5);
    aclDataBuffer *buffer = aclmdlGetDatasetBuffer(j.output, 0);
    assert_acl(aclUpdateDataBuffer(buffer, NULL, 0));
    assert_int_equal(aclmdlExecuteAsync(id, j.input, j.output, NULL), ACL_ERROR_GE_PARAM_INVALID);
    assert_message("gelu");
    assert_acl(aclmdlExecute(id, j.input, j.output));
    void *provided = aclGetDataBufferAddr(buffer);
    assert_non_null(provided);
    assert_int_equal(aclGetDataBufferSizeV2(buffer), output_bytes[0]);
    assert_memory_equal(provided, j.want[0], output_bytes[0]);
    assert_memory_equal(j.y[1], j.want[1], output_bytes[1]);
    assert_acl(aclrtFree(provided));

    /* When the run cannot start, nothing is left behind. */
    assert_acl(aclUpdateDataBuffer(buffer, NULL, 0));
    assert_acl(aclUpdateDataBuffer(aclmdlGetDatasetBuffer(j.output, 1), j.y[1], output_bytes[1] - 1));
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_GE_PARAM_INVALID);
    assert_null(aclGetDataBufferAddr(buffer));
    assert_int_equal(aclGetDataBufferSizeV2(buffer), 0);
    job_end(&j);
    assert_acl(aclmdlUnload(id));
}

static void buffers_are_checked(void **state)
{
    (void)state;
    uint32_t id = load();
    job j = job_begin(6);
    aclDataBuffer *in = aclmdlGetDatasetBuffer(j.input, 0), *out = aclmdlGetDatasetBuffer(j.output, 0);
    aclmdlDataset *empty = aclmdlCreateDataset();
    assert_int_equal(aclmdlExecute(id, NULL, j.output), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlExecute(id, j.input, NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlExecute(id, empty, j.output), ACL_ERROR_GE_PARAM_INVALID);
    assert_int_equal(aclmdlExecute(id, j.input, empty), ACL_ERROR_GE_PARAM_INVALID);
    assert_int_equal(aclmdlExecute(id, j.output, j.output), ACL_ERROR_GE_PARAM_INVALID);
    /* Inputs may be 64 bytes short, outputs may not; both may be larger. */
    assert_acl(aclUpdateDataBuffer(in, j.x, SAMPLE_INPUT_BYTES - 65));
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_GE_PARAM_INVALID);
    assert_message("input 'x'");
    assert_acl(aclUpdateDataBuffer(in, j.x, SAMPLE_INPUT_BYTES - 64));
    assert_acl(aclmdlExecute(id, j.input, j.output));
    assert_acl(aclUpdateDataBuffer(in, j.x, SAMPLE_INPUT_BYTES + 1000));
    assert_acl(aclUpdateDataBuffer(out, j.y[0], output_bytes[0] + 1000));
    assert_acl(aclmdlExecute(id, j.input, j.output));
    job_check(&j);
    assert_acl(aclUpdateDataBuffer(out, j.y[0], output_bytes[0] - 1));
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_GE_PARAM_INVALID);
    assert_acl(aclUpdateDataBuffer(out, (char *)j.y[0] + 1, output_bytes[0]));
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_GE_PARAM_INVALID);
    assert_acl(aclUpdateDataBuffer(in, NULL, SAMPLE_INPUT_BYTES));
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_GE_PARAM_INVALID);

    assert_int_equal(aclmdlAddDatasetBuffer(NULL, in), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlAddDatasetBuffer(empty, NULL), ACL_ERROR_INVALID_PARAM);
    assert_null(aclmdlGetDatasetBuffer(empty, 0));
    assert_null(aclmdlGetDatasetBuffer(NULL, 0));
    assert_int_equal(aclmdlGetDatasetNumBuffers(NULL), 0);
    assert_int_equal(aclmdlDestroyDataset(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlSetDatasetTensorDesc(j.input, NULL, 0));
    assert_int_equal(aclmdlSetDatasetTensorDesc(j.input, NULL, 9), ACL_ERROR_INVALID_PARAM);
    assert_null(aclmdlGetDatasetTensorDesc(j.input, 0));
    assert_acl(aclmdlDestroyDataset(empty));
    job_end(&j);
    assert_acl(aclmdlUnload(id));
}

/* An index that is out of range is known only when the kernel meets it. */
static void faults_reach_their_caller(void **state)
{
    (void)state;
    jm_graph *g = gather_graph("data");
    assert_ok(jm_om_write(g, "test_acl_mdl_gather.om"));
    jm_graph_destroy(g);
    uint32_t id;
    float data[4] = {1, 2, 3, 4}, out[2];
    int64_t index[2] = {1, 4};
    assert_acl(aclmdlLoadFromFile("test_acl_mdl_gather.om", &id));
    aclmdlDataset *input = aclmdlCreateDataset(), *output = aclmdlCreateDataset();
    add(input, data, sizeof(data));
    add(input, index, sizeof(index));
    add(output, out, sizeof(out));
    assert_int_equal(aclmdlExecute(id, input, output), ACL_ERROR_RT_MODEL_EXECUTE);
    assert_acl(aclmdlExecuteAsync(id, input, output, NULL));
    assert_int_not_equal(aclrtSynchronizeStream(NULL), ACL_SUCCESS);
    assert_acl(aclrtSynchronizeStream(NULL)); /* reported once */
    index[1] = 3;
    assert_acl(aclmdlExecute(id, input, output));
    assert_true(out[0] == 2 && out[1] == 4);
    dataset_end(input);
    dataset_end(output);
    assert_acl(aclmdlUnload(id));
    unlink("test_acl_mdl_gather.om");
}

/* Every allocation fails once: an error, nothing lost, and the next call works. */
static void out_of_memory_is_an_error(void **state)
{
    (void)state;
    uint32_t id = 0;
    aclError code = ACL_ERROR_BAD_ALLOC;
    for (uint64_t n = 1; code; n++) {
        (void)jm_alloc_fail_at(n);
        code = aclmdlLoadFromFile(PATH, &id);
        (void)jm_alloc_fail_at(0);
        assert_true(!code || code == (aclError)ACL_ERROR_GE_MEMORY_ALLOCATION);
    }
    aclmdlDesc *desc = aclmdlCreateDesc();
    code = ACL_ERROR_BAD_ALLOC;
    for (uint64_t n = 1; code; n++) {
        (void)jm_alloc_fail_at(n);
        code = aclmdlGetDesc(desc, id);
        (void)jm_alloc_fail_at(0);
        assert_int_equal(aclmdlGetNumOutputs(desc), code ? 0 : 2);
    }
    assert_acl(aclmdlDestroyDesc(desc));
    job j = job_begin(11);
    for (int async = 0; async < 2; async++) {
        code = ACL_ERROR_BAD_ALLOC;
        for (uint64_t n = 1; code; n++) {
            memset(j.y[0], 0xFF, output_bytes[0]);
            (void)jm_alloc_fail_at(n);
            code = async ? aclmdlExecuteAsync(id, j.input, j.output, NULL) : aclmdlExecute(id, j.input, j.output);
            (void)jm_alloc_fail_at(0);
        }
        if (async) assert_acl(aclrtSynchronizeStream(NULL));
        job_check(&j);
    }
    job_end(&j);
    assert_acl(aclmdlUnload(id));
}

/* ---- Contexts, devices and threads ---- */

static void *without_context(void *argument)
{
    uint32_t other, id = *(uint32_t *)argument;
    aclmdlDataset *input = aclmdlCreateDataset(), *output = aclmdlCreateDataset();
    assert_int_equal(aclmdlLoadFromFile(PATH, &other), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclmdlExecute(id, input, output), ACL_ERROR_RT_CONTEXT_NULL);
    /* What does not need the device works. */
    aclmdlDesc *desc = aclmdlCreateDesc();
    assert_acl(aclmdlGetDesc(desc, id));
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlDestroyDataset(input));
    assert_acl(aclmdlDestroyDataset(output));
    return NULL;
}

static void belongs_to_a_device(void **state)
{
    (void)state;
    uint32_t id = load();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, without_context, &id), 0);
    pthread_join(thread, NULL);
    job j = job_begin(7);
    assert_acl(aclrtSetDevice(1));
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_RT_MODEL_CONTEXT);
    assert_message("device 0");
    assert_acl(aclrtResetDevice(1));
    assert_acl(aclrtSetDevice(0));
    assert_acl(aclmdlExecute(id, j.input, j.output));
    job_check(&j);
    job_end(&j);
    /* A model outlives a reset of its device, but cannot run. */
    assert_acl(aclrtResetDeviceForce(0));
    assert_acl(aclrtSetDevice(0));
    j = job_begin(8);
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_RT_CONTEXT_NULL);
    assert_message("load the model again");
    assert_int_equal(aclmdlExecuteAsync(id, j.input, j.output, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclmdlUnload(id));
    id = load();
    assert_acl(aclmdlExecute(id, j.input, j.output));
    job_check(&j);
    job_end(&j);
    assert_acl(aclmdlUnload(id));
}

static void *load_run_unload(void *argument)
{
    uint64_t number = (uint64_t)(uintptr_t)argument;
    assert_acl(aclrtSetDevice(0));
    for (uint64_t round = 0; round < 8; round++) {
        uint32_t id = load();
        job j = job_begin(number * 1000 + round);
        if (round % 2) {
            assert_acl(aclmdlExecute(id, j.input, j.output));
        } else {
            aclrtStream stream;
            assert_acl(aclrtCreateStream(&stream));
            assert_acl(aclmdlExecuteAsync(id, j.input, j.output, stream));
            assert_acl(aclrtSynchronizeStream(stream));
            assert_acl(aclrtDestroyStream(stream));
        }
        job_check(&j);
        job_end(&j);
        assert_acl(aclmdlUnload(id));
    }
    return NULL;
}

static uint32_t shared_id;

static void *run_shared(void *argument)
{
    uint64_t number = (uint64_t)(uintptr_t)argument;
    aclrtStream stream;
    assert_acl(aclrtSetDevice(0));
    assert_acl(aclrtCreateStream(&stream));
    for (uint64_t round = 0; round < 16; round++) {
        job j = job_begin(number * 500 + round);
        if ((round + number) % 2) {
            assert_acl(aclmdlExecute(shared_id, j.input, j.output));
        } else {
            assert_acl(aclmdlExecuteAsync(shared_id, j.input, j.output, stream));
            assert_acl(aclrtSynchronizeStream(stream));
        }
        job_check(&j);
        job_end(&j);
    }
    assert_acl(aclrtDestroyStream(stream));
    return NULL;
}

static void on_four_threads(void *(*function)(void *))
{
    pthread_t thread[4];
    for (uintptr_t i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, function, (void *)i), 0);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
}

static void models_on_many_threads(void **state)
{
    (void)state;
    on_four_threads(load_run_unload);
}

static void one_model_on_many_threads(void **state)
{
    (void)state;
    shared_id = load();
    on_four_threads(run_shared);
    assert_acl(aclmdlUnload(shared_id));
}

/* A real model: device memory in and out, blocking and on a stream, against the program alone. */
static void runs_a_real_model(void **state)
{
    (void)state;
    const char *folder = test_data();
    char onnx[4200];
    jm_graph *g;
    jm_machine machine;
    jm_program *program;
    size_t in_bytes, out_bytes;
    if (!folder) skip();
    snprintf(onnx, sizeof(onnx), "%s/models/yolox_nano.onnx", folder);
    assert_int_equal(jumar_compile(onnx, "test_acl_mdl_real.om", NULL), JUMAR_OK);
    assert_ok(jm_om_read("test_acl_mdl_real.om", &g));
    assert_int_equal(g->inputs, 1);
    assert_int_equal(g->outputs, 1);
    assert_ok(jm_tensor_bytes(&g->input[0]->tensor, &in_bytes));
    assert_ok(jm_tensor_bytes(&g->output[0]->tensor, &out_bytes));
    uint32_t id;
    float *x;
    void *y, *want = malloc(out_bytes);
    assert_acl(aclmdlLoadFromFile("test_acl_mdl_real.om", &id));
    assert_acl(aclrtMalloc((void **)&x, in_bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl(aclrtMalloc(&y, out_bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    for (size_t i = 0; i < in_bytes / sizeof(float); i++) x[i] = test_random_float();
    assert_ok(jm_machine_get(1, &machine));
    assert_ok(jm_program_create(g, &machine, &program));
    jm_program_bind(program, (void *[]){x}, &want);
    assert_ok(jm_program_run(program));
    aclmdlDataset *input = aclmdlCreateDataset(), *output = aclmdlCreateDataset();
    add(input, x, in_bytes);
    add(output, y, out_bytes);
    assert_acl(aclmdlExecute(id, input, output));
    assert_memory_equal(y, want, out_bytes);
    memset(y, 0, out_bytes);
    assert_acl(aclmdlExecuteAsync(id, input, output, NULL));
    assert_acl(aclrtSynchronizeStream(NULL));
    assert_memory_equal(y, want, out_bytes);
    dataset_end(input);
    dataset_end(output);
    assert_acl(aclmdlUnload(id));
    assert_acl(aclrtFree(x));
    assert_acl(aclrtFree(y));
    free(want);
    jm_program_destroy(program);
    jm_graph_destroy(g);
    unlink("test_acl_mdl_real.om");
}

/* ---- What is not there yet ---- */

static void says_what_is_missing(void **state)
{
    (void)state;
    uint32_t id = load();
    job j = job_begin(9);
    aclmdlDesc *desc = aclmdlCreateDesc();
    aclmdlBatch batch = {.batchCount = 7};
    aclmdlHW hw = {.hwCount = 7};
    aclmdlIODims dims = {.dimCount = 4};
    aclmdlInputAippType type = ACL_DYNAMIC_AIPP_NODE;
    aclAippInfo *info = malloc(sizeof(*info));
    size_t count = 7;
    assert_acl(aclmdlGetDesc(desc, id));
    assert_acl(aclmdlGetDynamicBatch(desc, &batch));
    assert_acl(aclmdlGetDynamicHW(desc, 0, &hw));
    assert_acl(aclmdlGetInputDynamicGearCount(desc, (size_t)-1, &count));
    assert_true(batch.batchCount == 0 && hw.hwCount == 0 && count == 0);
    assert_int_equal(aclmdlGetInputDynamicGearCount(desc, 0, &count), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlGetInputDynamicDims(desc, (size_t)-1, &dims, 0));
    assert_int_equal(aclmdlSetDynamicBatchSize(id, j.input, 0, 0), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetDynamicBatchSize(id, j.input, 1, 2), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetDynamicBatchSize(id + 1000, j.input, 0, 2), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
    assert_int_equal(aclmdlSetDynamicBatchSize(id, j.input, 0, 2), ACL_ERROR_MODEL_NOT_DYNAMIC);
    assert_message("one size");
    assert_int_equal(aclmdlSetDynamicHWSize(id, j.input, 0, 2, 2), ACL_ERROR_MODEL_NOT_DYNAMIC);
    assert_int_equal(aclmdlSetInputDynamicDims(id, j.input, 0, &dims), ACL_ERROR_MODEL_NOT_DYNAMIC);
    assert_acl(aclmdlGetAippType(id, 0, &type, &count));
    assert_int_equal(type, ACL_DATA_WITHOUT_AIPP);
    assert_int_equal(aclmdlGetAippType(id, 1, &type, &count), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlGetFirstAippInfo(id, 0, info), ACL_ERROR_GE_AIPP_NOT_EXIST);
    assert_int_equal(aclmdlInitDump(), ACL_ERROR_FEATURE_UNSUPPORTED);
    free(info);
    job_end(&j);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(describes_the_model),       TEST(long_names_are_replaced), TEST(loads_in_every_way),
        TEST(bad_files_are_refused),     TEST(options_are_checked),     TEST(runs_on_streams),
        TEST(outputs_are_provided),      TEST(buffers_are_checked),     TEST(faults_reach_their_caller),
        TEST(belongs_to_a_device),       TEST(models_on_many_threads),  TEST(one_model_on_many_threads),
        TEST(out_of_memory_is_an_error), TEST(runs_a_real_model),       TEST(says_what_is_missing),
    };
    setenv("JUMAR_DEVICES", "2", 1);
    setenv("JUMAR_NUM_THREADS", "2", 1);
    return cmocka_run_group_tests(tests, start, stop);
}
