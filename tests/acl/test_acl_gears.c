/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of several sizes as a program sees them. In each size the outputs must be those of the same model compiled for
 * that size alone, bit for bit.
 */
#include <unistd.h>

#include "acl_test.h"

#include "acl/error_codes/ge_error_codes.h"
#include "compiler/onnx_builder.h"
#include "jumar/compile.h"
#include "jumar/session.h"

#define ONNX "test_acl_gears.onnx"
#define OM "test_acl_gears.om"
#define FIXED "test_acl_gears_fixed.om"
#define SUM "test_acl_gears_sum.onnx"

enum { CHANNELS = 5, FILTERS = 20, SIDE = 9 };

/* x [-1,5,-1,-1] -> a convolution, a mean over each map plus info [-1,20]: y [n,20], and the map itself as z. */
static int write_model(void **state)
{
    (void)state;
    float weight[FILTERS * CHANNELS * 9];
    for (size_t i = 0; i < JM_COUNT(weight); i++) weight[i] = (float)((int)(i * 7919 % 201) - 100) / 256.0f;
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(-1, CHANNELS, -1, -1));
    onnx_input(&b, "info", ONNX_FLOAT, DIMS(-1, FILTERS));
    onnx_f32(&b, "w", DIMS(FILTERS, CHANNELS, 3, 3), weight);
    const size_t conv = onnx_op_begin(&b, "", "Conv", "x,w", "c");
    onnx_set_ints(&b, "pads", 4, (const int64_t[]){1, 1, 1, 1});
    onnx_op_end(&b, conv);
    onnx_op(&b, "Relu", "c", "z");
    onnx_op(&b, "GlobalAveragePool", "z", "p");
    onnx_op(&b, "Flatten", "p", "f");
    onnx_op(&b, "Add", "f,info", "y");
    onnx_output(&b, "y");
    onnx_output(&b, "z");
    onnx_write(&b, ONNX);
    onnx_clear(&b);
    return aclInit(NULL);
}

static int finish(void **state)
{
    (void)state;
    unlink(ONNX);
    unlink(OM);
    unlink(FIXED);
    return aclFinalize();
}

static uint32_t compile_and_load(const jumar_compile_options *options)
{
    uint32_t id = 0;
    if (jumar_compile(ONNX, OM, options)) fail_msg("%s", jumar_last_error());
    assert_acl(aclmdlLoadFromFile(OM, &id));
    return id;
}

/* ---- A run and what must come out of it ---- */

enum { X, INFO, CHOICE, INPUTS, Y = 0, Z, OUTPUTS };

typedef struct job {
    aclmdlDataset *input, *output;
    float *in[INPUTS], *out[OUTPUTS];
} job;

static void *add(aclmdlDataset *dataset, size_t bytes)
{
    void *memory;
    assert_acl(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    memset(memory, 0, bytes);
    aclDataBuffer *buffer = aclCreateDataBuffer(memory, bytes);
    assert_non_null(buffer);
    assert_acl(aclmdlAddDatasetBuffer(dataset, buffer));
    return memory;
}

/* Buffers for batches of up to `batch` and maps of up to `side` x `side`. */
static job job_begin(int batch, int side)
{
    job j = {.input = aclmdlCreateDataset(), .output = aclmdlCreateDataset()};
    const size_t points = (size_t)batch * (size_t)side * (size_t)side;
    j.in[X] = add(j.input, points * CHANNELS * sizeof(float));
    j.in[INFO] = add(j.input, (size_t)batch * FILTERS * sizeof(float));
    j.out[Y] = add(j.output, (size_t)batch * FILTERS * sizeof(float));
    j.out[Z] = add(j.output, points * FILTERS * sizeof(float));
    for (size_t i = 0; i < points * CHANNELS; i++) j.in[X][i] = (float)((int)(i * 31 % 97) - 48) / 32.0f;
    for (size_t i = 0; i < (size_t)batch * FILTERS; i++) j.in[INFO][i] = (float)i;
    return j;
}

static void free_dataset(aclmdlDataset *dataset)
{
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset); i++) {
        aclDataBuffer *buffer = aclmdlGetDatasetBuffer(dataset, i);
        assert_acl(aclrtFree(aclGetDataBufferAddr(buffer)));
        assert_acl(aclDestroyDataBuffer(buffer));
    }
    assert_acl(aclmdlDestroyDataset(dataset));
}

static void job_end(job *j)
{
    free_dataset(j->input);
    free_dataset(j->output);
}

/* The outputs are those of the model compiled for this size alone. */
static void assert_size(const job *j, int batch, int height, int width)
{
    char shapes[80];
    snprintf(shapes, sizeof(shapes), "x:%d,%d,%d,%d;info:%d,%d", batch, CHANNELS, height, width, batch, FILTERS);
    jumar_session *session = NULL;
    if (jumar_compile(ONNX, FIXED, &(jumar_compile_options){.input_shapes = shapes}) ||
        jumar_session_open(FIXED, 1, &session))
        fail_msg("%s", jumar_last_error());
    const size_t y = (size_t)batch * FILTERS, z = y * (size_t)height * (size_t)width;
    float *want[OUTPUTS] = {malloc(y * sizeof(float)), malloc(z * sizeof(float))};
    assert_int_equal(jumar_session_run(session, (const void *const *)j->in, (void *const *)want), JUMAR_OK);
    assert_memory_equal(j->out[Y], want[Y], y * sizeof(float));
    assert_memory_equal(j->out[Z], want[Z], z * sizeof(float));
    free(want[Y]);
    free(want[Z]);
    jumar_session_close(session);
}

static void assert_dims(const aclmdlIODims *dims, size_t count, const int64_t *want)
{
    assert_int_equal(dims->dimCount, count);
    for (size_t i = 0; i < count; i++) assert_int_equal(dims->dims[i], want[i]);
}

static aclmdlDesc *describe(uint32_t id)
{
    aclmdlDesc *desc = aclmdlCreateDesc();
    assert_acl(aclmdlGetDesc(desc, id));
    return desc;
}

/* ---- Batches ---- */

static uint32_t load_batches(void)
{
    char shapes[80];
    snprintf(shapes, sizeof(shapes), "x:-1,%d,%d,%d;info:-1,%d", CHANNELS, SIDE, SIDE, FILTERS);
    return compile_and_load(
        &(jumar_compile_options){.input_shapes = shapes, .gear_kind = JUMAR_GEAR_BATCH, .gears = "1,2,8,4"});
}

static void batches_are_described(void **state)
{
    (void)state;
    aclmdlIODims dims;
    aclmdlBatch batch;
    size_t index, gears;
    const uint32_t id = load_batches();
    aclmdlDesc *desc = describe(id);
    assert_int_equal(aclmdlGetNumInputs(desc), INPUTS);
    assert_acl(aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &index));
    assert_int_equal(index, CHOICE);
    assert_int_equal(aclmdlGetInputSizeByIndex(desc, CHOICE), sizeof(int64_t));
    assert_int_equal(aclmdlGetInputSizeByIndex(desc, X), 8 * CHANNELS * SIDE * SIDE * sizeof(float));
    assert_acl(aclmdlGetInputDims(desc, X, &dims));
    assert_dims(&dims, 4, (const int64_t[]){-1, CHANNELS, SIDE, SIDE});
    assert_acl(aclmdlGetOutputDims(desc, Y, &dims));
    assert_dims(&dims, 2, (const int64_t[]){8, FILTERS});
    assert_acl(aclmdlGetCurOutputDims(desc, Y, &dims));
    assert_dims(&dims, 2, (const int64_t[]){8, FILTERS});
    assert_acl(aclmdlGetDynamicBatch(desc, &batch));
    assert_int_equal(batch.batchCount, 4);
    assert_int_equal(batch.batch[2], 8);
    assert_acl(aclmdlGetInputDynamicGearCount(desc, (size_t)-1, &gears));
    assert_int_equal(gears, 0);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
}

static void batches_run(void **state)
{
    (void)state;
    aclmdlIODims dims;
    const uint32_t id = load_batches();
    aclmdlDesc *desc = describe(id);
    job j = job_begin(8, SIDE);
    j.in[CHOICE] = add(j.input, sizeof(uint64_t));
    assert_acl(aclmdlExecute(id, j.input, j.output)); /* nothing chosen: the largest */
    assert_size(&j, 8, SIDE, SIDE);
    static const int batch[] = {1, 4, 2, 8, 1};
    for (size_t i = 0; i < JM_COUNT(batch); i++) {
        assert_acl(aclmdlSetDynamicBatchSize(id, j.input, CHOICE, (uint64_t)batch[i]));
        assert_int_equal(*(uint64_t *)(void *)j.in[CHOICE], batch[i]);
        assert_acl(aclmdlGetCurOutputDims(desc, Y, &dims));
        assert_dims(&dims, 2, (const int64_t[]){batch[i], FILTERS});
        assert_acl(aclmdlExecute(id, j.input, j.output));
        assert_size(&j, batch[i], SIDE, SIDE);
    }
    job_end(&j);
    /* Buffers of just this size are enough, and the number in the buffer is a choice too. */
    j = job_begin(2, SIDE);
    j.in[CHOICE] = add(j.input, sizeof(uint32_t));
    *(uint32_t *)(void *)j.in[CHOICE] = 2;
    assert_acl(aclmdlExecute(id, j.input, j.output));
    assert_size(&j, 2, SIDE, SIDE);
    job_end(&j);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
}

static void wrong_batches_are_refused(void **state)
{
    (void)state;
    const uint32_t id = load_batches();
    job j = job_begin(8, SIDE);
    add(j.input, sizeof(uint64_t));
    add(j.input, 3);
    assert_int_equal(aclmdlSetDynamicBatchSize(id, j.input, CHOICE, 3), ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
    assert_message("not compiled for batch size 3");
    assert_int_equal(aclmdlSetDynamicBatchSize(id, j.input, CHOICE, 0), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetDynamicBatchSize(id, NULL, CHOICE, 1), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetDynamicBatchSize(id, j.input, 9, 1), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlSetDynamicBatchSize(id, j.input, CHOICE + 1, 1), ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID);
    assert_int_equal(aclmdlSetDynamicHWSize(id, j.input, CHOICE, 9, 9), ACL_ERROR_MODEL_NOT_DYNAMIC);
    assert_int_equal(aclmdlSetDynamicBatchSize(id + 1, j.input, CHOICE, 1), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_GE_PARAM_INVALID); /* a buffer too many */
    job_end(&j);
    assert_acl(aclmdlUnload(id));
}

/* ---- Images and dims ---- */

static void images_run(void **state)
{
    (void)state;
    aclmdlHW hw;
    char shapes[80];
    snprintf(shapes, sizeof(shapes), "x:2,%d,-1,-1;info:2,%d", CHANNELS, FILTERS);
    const uint32_t id = compile_and_load(
        &(jumar_compile_options){.input_shapes = shapes, .gear_kind = JUMAR_GEAR_IMAGE, .gears = "8,8;16,12;5,16"});
    aclmdlDesc *desc = describe(id);
    assert_acl(aclmdlGetDynamicHW(desc, 0, &hw));
    assert_int_equal(hw.hwCount, 3);
    assert_int_equal(hw.hw[1][0], 16);
    assert_int_equal(hw.hw[1][1], 12);
    assert_int_equal(aclmdlGetInputSizeByIndex(desc, CHOICE), 2 * sizeof(int64_t));
    job j = job_begin(2, 16);
    add(j.input, 2 * sizeof(uint64_t));
    static const int size[][2] = {{5, 16}, {8, 8}, {16, 12}};
    for (size_t i = 0; i < JM_COUNT(size); i++) {
        assert_acl(aclmdlSetDynamicHWSize(id, j.input, CHOICE, (uint64_t)size[i][0], (uint64_t)size[i][1]));
        assert_acl(aclmdlExecute(id, j.input, j.output));
        assert_size(&j, 2, size[i][0], size[i][1]);
    }
    assert_int_equal(aclmdlSetDynamicHWSize(id, j.input, CHOICE, 12, 16), ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
    assert_message("height 12 and width 16");
    job_end(&j);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
}

static void dims_run(void **state)
{
    (void)state;
    aclmdlIODims dims[2];
    size_t gears;
    char shapes[80];
    snprintf(shapes, sizeof(shapes), "x:-1,%d,-1,7;info:-1,%d", CHANNELS, FILTERS);
    const uint32_t id = compile_and_load(
        &(jumar_compile_options){.input_shapes = shapes, .gear_kind = JUMAR_GEAR_DIMS, .gears = "1,6,1;3,9,3"});
    aclmdlDesc *desc = describe(id);
    assert_acl(aclmdlGetInputDynamicGearCount(desc, (size_t)-1, &gears));
    assert_int_equal(gears, 2);
    assert_int_equal(aclmdlGetInputDynamicDims(desc, 0, dims, 2), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclmdlGetInputDynamicDims(desc, (size_t)-1, dims, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclmdlGetInputDynamicDims(desc, (size_t)-1, dims, 2));
    assert_dims(&dims[0], 6, (const int64_t[]){1, CHANNELS, 6, 7, 1, FILTERS});
    assert_dims(&dims[1], 6, (const int64_t[]){3, CHANNELS, 9, 7, 3, FILTERS});
    job j = job_begin(3, 9);
    add(j.input, 3 * sizeof(uint64_t));
    for (size_t i = 0; i < 2; i++) {
        assert_acl(aclmdlSetInputDynamicDims(id, j.input, CHOICE, &dims[i]));
        assert_acl(aclmdlExecute(id, j.input, j.output));
        assert_size(&j, (int)dims[i].dims[0], (int)dims[i].dims[2], 7);
    }
    dims[0].dims[2] = 7;
    assert_int_equal(aclmdlSetInputDynamicDims(id, j.input, CHOICE, &dims[0]), ACL_ERROR_GE_PARAM_INVALID);
    assert_int_equal(aclmdlSetInputDynamicDims(id, j.input, CHOICE, NULL), ACL_ERROR_INVALID_PARAM);
    job_end(&j);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
}

/* ---- Ranges ---- */

static void set_shape(aclmdlDataset *dataset, size_t index, int rank, const int64_t *dims)
{
    aclTensorDesc *desc = aclCreateTensorDesc(ACL_FLOAT, rank, dims, ACL_FORMAT_ND);
    assert_acl(aclmdlSetDatasetTensorDesc(dataset, desc, index));
    aclDestroyTensorDesc(desc);
}

static void run_in_range(uint32_t id, job *j, int batch, int height, int width)
{
    set_shape(j->input, X, 4, (const int64_t[]){batch, CHANNELS, height, width});
    set_shape(j->input, INFO, 2, (const int64_t[]){batch, FILTERS});
    assert_acl(aclmdlExecute(id, j->input, j->output));
    const aclTensorDesc *z = aclmdlGetDatasetTensorDesc(j->output, Z);
    assert_non_null(z);
    assert_int_equal(aclGetTensorDescNumDims(z), 4);
    assert_int_equal(aclGetTensorDescDim(z, 0), batch);
    assert_int_equal(aclGetTensorDescDim(z, 1), FILTERS);
    assert_int_equal(aclGetTensorDescDim(z, 2), height);
    assert_int_equal(aclGetTensorDescDim(z, 3), width);
    assert_size(j, batch, height, width);
}

static void ranges_run(void **state)
{
    (void)state;
    aclmdlIODims dims;
    aclmdlIODimsRange range;
    const uint32_t id = compile_and_load(&(jumar_compile_options){.input_shapes = "x:1~4,5,3~20,-1;info:1~4,20"});
    aclmdlDesc *desc = describe(id);
    assert_int_equal(aclmdlGetNumInputs(desc), 2);
    assert_int_equal(aclmdlGetInputSizeByIndex(desc, X), 0);
    assert_int_equal(aclmdlGetInputSizeByIndex(desc, INFO), 4 * FILTERS * sizeof(float));
    assert_int_equal(aclmdlGetOutputSizeByIndex(desc, Y), 0);
    assert_acl(aclmdlGetInputDims(desc, X, &dims));
    assert_dims(&dims, 4, (const int64_t[]){-1, CHANNELS, -1, -1});
    assert_acl(aclmdlGetInputDimsRange(desc, X, &range));
    assert_int_equal(range.range[2][0], 3);
    assert_int_equal(range.range[2][1], 20);
    assert_int_equal(range.range[3][1], -1);
    assert_int_equal(aclmdlGetCurOutputDims(desc, Y, &dims), ACL_ERROR_API_NOT_SUPPORT);
    job j = job_begin(4, 32);
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_INVALID_PARAM);
    assert_message("aclmdlSetDatasetTensorDesc");
    run_in_range(id, &j, 2, 7, 11);
    run_in_range(id, &j, 4, 20, 32);
    run_in_range(id, &j, 1, 3, 1);
    run_in_range(id, &j, 2, 7, 11);
    set_shape(j.input, X, 4, (const int64_t[]){2, CHANNELS, 21, 8});
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_INVALID_PARAM);
    set_shape(j.input, X, 3, (const int64_t[]){2, CHANNELS, 8});
    assert_int_equal(aclmdlExecute(id, j.input, j.output), ACL_ERROR_INVALID_PARAM);
    job_end(&j);
    assert_acl(aclmdlDestroyDesc(desc));
    assert_acl(aclmdlUnload(id));
}

/* More shapes than are kept, in an order that drops and makes them again; the outputs stay right. */
static void many_shapes_run(void **state)
{
    (void)state;
    const uint32_t id = compile_and_load(&(jumar_compile_options){.input_shapes = "x:1~4,5,3~20,-1;info:1~4,20"});
    job j = job_begin(4, 20);
    for (int i = 0; i < 60; i++) {
        const int batch = 1 + i * 7 % 4, height = 3 + i * 5 % 18, width = 1 + i * 11 % 20;
        set_shape(j.input, X, 4, (const int64_t[]){batch, CHANNELS, height, width});
        set_shape(j.input, INFO, 2, (const int64_t[]){batch, FILTERS});
        assert_acl(aclmdlExecute(id, j.input, j.output));
        if (i % 10 == 0) assert_size(&j, batch, height, width);
    }
    job_end(&j);
    assert_acl(aclmdlUnload(id));
}

/* The outputs and types that were asked for are those of every shape. */
static void other_outputs_and_types_stay(void **state)
{
    (void)state;
    const int64_t dims[] = {2, CHANNELS, 4, 4};
    const uint32_t id = compile_and_load(
        &(jumar_compile_options){.input_shapes = "x:1~4,5,4,4;info:1~4,20", .out_nodes = "z", .output_type = "FP16"});
    aclmdlDesc *desc = describe(id);
    assert_int_equal(aclmdlGetNumOutputs(desc), 1);
    assert_int_equal(aclmdlGetOutputDataType(desc, 0), ACL_FLOAT16);
    assert_acl(aclmdlDestroyDesc(desc));
    job j = job_begin(2, 4), whole = job_begin(2, 4);
    set_shape(j.input, X, 4, dims);
    set_shape(j.input, INFO, 2, (const int64_t[]){2, FILTERS});
    free_dataset(j.output);
    j.output = aclmdlCreateDataset();
    uint16_t *half = add(j.output, (size_t)2 * FILTERS * 4 * 4 * sizeof(uint16_t));
    assert_acl(aclmdlExecute(id, j.input, j.output));
    assert_acl(aclmdlUnload(id));
    const uint32_t plain = compile_and_load(&(jumar_compile_options){.input_shapes = "x:2,5,4,4;info:2,20"});
    assert_acl(aclmdlExecute(plain, whole.input, whole.output));
    for (int i = 0; i < 2 * FILTERS * 4 * 4; i++) assert_int_equal(half[i], aclFloatToFloat16(whole.out[Z][i]));
    assert_acl(aclmdlUnload(plain));
    job_end(&j);
    job_end(&whole);
}

/* ---- Inputs that the shapes do not list ---- */

/* y = bias [1,3] + x [-1,3]; only x is in the text of shapes. */
static void other_inputs_keep_their_shape(void **state)
{
    (void)state;
    static const jumar_compile_options options[] = {
        {.input_shapes = "x:-1,3", .gear_kind = JUMAR_GEAR_BATCH, .gears = "1,2,4"},
        {.input_shapes = "x:-1,3", .gear_kind = JUMAR_GEAR_DIMS, .gears = "1;2;4"},
        {.input_shapes = "x:1~4,3"},
    };
    onnx_builder b = onnx_begin(13);
    onnx_input(&b, "bias", ONNX_FLOAT, DIMS(1, 3));
    onnx_input(&b, "x", ONNX_FLOAT, DIMS(-1, 3));
    onnx_op(&b, "Add", "x,bias", "y");
    onnx_output(&b, "y");
    onnx_write(&b, SUM);
    onnx_clear(&b);
    for (size_t k = 0; k < JM_COUNT(options); k++) {
        uint32_t id;
        if (jumar_compile(SUM, OM, &options[k])) fail_msg("%s", jumar_last_error());
        assert_acl(aclmdlLoadFromFile(OM, &id));
        aclmdlDataset *input = aclmdlCreateDataset(), *output = aclmdlCreateDataset();
        float *bias = add(input, 3 * sizeof(float)), *x = add(input, 12 * sizeof(float));
        const float *y = add(output, 12 * sizeof(float));
        if (k < 2) add(input, sizeof(uint64_t));
        for (int i = 0; i < 3; i++) bias[i] = (float)(i + 1);
        for (int i = 0; i < 12; i++) x[i] = (float)(i * i);
        for (int batch = 4; batch; batch /= 2) {
            const aclmdlIODims dims = {.dimCount = 4, .dims = {batch, 3, 1, 3}}; /* those of `bias` come behind */
            if (k == 0) assert_acl(aclmdlSetDynamicBatchSize(id, input, 2, (uint64_t)batch));
            if (k == 1) assert_acl(aclmdlSetInputDynamicDims(id, input, 2, &dims));
            if (k == 2) set_shape(input, 1, 2, (const int64_t[]){batch, 3});
            memset((void *)(uintptr_t)y, 0, 12 * sizeof(float));
            assert_acl(aclmdlExecute(id, input, output));
            for (int i = 0; i < 12; i++) assert_true(y[i] == (i < 3 * batch ? x[i] + bias[i % 3] : 0));
        }
        free_dataset(input);
        free_dataset(output);
        assert_acl(aclmdlUnload(id));
    }
    unlink(SUM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(other_inputs_keep_their_shape, begin, end),
        cmocka_unit_test_setup_teardown(batches_are_described, begin, end),
        cmocka_unit_test_setup_teardown(batches_run, begin, end),
        cmocka_unit_test_setup_teardown(wrong_batches_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(images_run, begin, end),
        cmocka_unit_test_setup_teardown(dims_run, begin, end),
        cmocka_unit_test_setup_teardown(ranges_run, begin, end),
        cmocka_unit_test_setup_teardown(many_shapes_run, begin, end),
        cmocka_unit_test_setup_teardown(other_outputs_and_types_stay, begin, end),
    };
    return cmocka_run_group_tests(tests, write_model, finish);
}
