/* SPDX-License-Identifier: Apache-2.0
 *
 * Datasets and running a loaded model.
 */
#include "acl/mdl.h"
#include "acl/mdl_config.h"

/* ---- Datasets ---- */

aclmdlDataset *aclmdlCreateDataset(void)
{
    return jm_alloc(1, sizeof(aclmdlDataset));
}

aclError aclmdlDestroyDataset(const aclmdlDataset *dataset)
{
    if (!dataset) return jm_acl_null(__func__, "dataset");
    for (size_t i = 0; i < dataset->descs; i++) aclDestroyTensorDesc(dataset->desc[i]);
    jm_free(dataset->desc);
    jm_free(dataset->buffer);
    jm_free((void *)(uintptr_t)dataset);
    return ACL_SUCCESS;
}

aclError aclmdlAddDatasetBuffer(aclmdlDataset *dataset, aclDataBuffer *dataBuffer)
{
    if (!dataset || !dataBuffer) return jm_acl_null(__func__, dataset ? "dataBuffer" : "dataset");
    if (jm_array_reserve(&dataset->buffer, &dataset->capacity, dataset->count + 1, sizeof(dataBuffer)) != JM_OK) {
        return ACL_ERROR_BAD_ALLOC;
    }
    dataset->buffer[dataset->count++] = dataBuffer;
    return ACL_SUCCESS;
}

size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset *dataset)
{
    return dataset ? dataset->count : 0;
}

aclDataBuffer *aclmdlGetDatasetBuffer(const aclmdlDataset *dataset, size_t index)
{
    return dataset && index < dataset->count ? dataset->buffer[index] : NULL;
}

/* ---- Checks ---- */

/* Callers may give inputs that are this much too small, as they round sizes in their own way. */
enum { INPUT_SLACK = 64 };

static aclError wrong(const char *what, const jm_value *value, size_t have, size_t need)
{
    return jm_acl_error(ACL_ERROR_GE_PARAM_INVALID, "%s '%s' has %zu bytes and needs %zu", what, value->name, have,
                        need);
}

/* The address of one buffer, checked; *address is NULL for an output that the system shall provide. */
static aclError check_buffer(const jm_value *value, size_t need, const aclDataBuffer *buffer, void **address)
{
    const char *what = value->is_input ? "input" : "output";
    if (!buffer) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "the buffer of %s '%s' is NULL", what, value->name);
    size_t have = aclGetDataBufferSizeV2(buffer);
    *address = aclGetDataBufferAddr(buffer);
    if (!*address && have == 0 && value->is_output) return ACL_SUCCESS;
    if (!*address) {
        return jm_acl_error(ACL_ERROR_GE_PARAM_INVALID, "the address of %s '%s' is NULL", what, value->name);
    }
    if (value->is_input ? have < need && need - have > INPUT_SLACK : have < need) {
        return wrong(what, value, have, need);
    }
    *address = jm_device_pointer(*address);
    size_t align = jm_dtype_size(value->tensor.dtype);
    if ((uintptr_t)*address % align == 0) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_GE_PARAM_INVALID, "the address of %s '%s' is not a multiple of %zu", what,
                        value->name, align);
}

static aclError check_count(const char *what, size_t have, size_t need)
{
    if (have == need) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_GE_PARAM_INVALID, "the dataset has %zu %s and the model %zu", have, what, need);
}

static aclError check_device(const jm_loaded *model, uint32_t id)
{
    int device;
    jm_status status = jm_runtime_get_device(&device);
    if (status != JM_OK) return jm_acl_code(status);
    if (device == jm_loaded_device(model)) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_RT_MODEL_CONTEXT, "model %u belongs to device %d and this thread uses device %d", id,
                        jm_loaded_device(model), device);
}

/* ---- Memory that the system provides ---- */

static void take_back(const aclmdlDataset *output, const bool *provided, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!provided[i]) continue;
        void *memory = aclGetDataBufferAddr(output->buffer[i]);
        (void)aclUpdateDataBuffer(output->buffer[i], NULL, 0);
        (void)!jm_memory_free(memory);
    }
}

static aclError provide(const jm_value *value, aclDataBuffer *buffer, void **address)
{
    size_t bytes;
    jm_status status = jm_tensor_bytes(&value->tensor, &bytes);
    if (status == JM_OK) status = jm_memory_allocate(JM_MAX(bytes, (size_t)1), address);
    if (status != JM_OK) return jm_acl_code(status);
    aclError code = aclUpdateDataBuffer(buffer, *address, bytes);
    *address = jm_device_pointer(*address);
    return code;
}

/* ---- Running ---- */

/* Addresses of one call, inputs first; `provided` marks outputs with memory of the system. */
typedef struct call {
    void **address;
    bool *provided;
} call;

static aclError gather(const jm_graph *graph, const aclmdlDataset *input, size_t extra, const aclmdlDataset *output,
                       bool wait, call *c)
{
    const size_t without = graph->inputs; /* the choice of a gear may be left out */
    aclError code = check_count("inputs", input->count, input->count == without ? without : without + extra);
    if (!code) code = check_count("outputs", output->count, graph->outputs);
    size_t bytes;
    for (size_t i = 0; i < graph->inputs && !code; i++) {
        code = jm_mdl_input_bytes(graph, i, input, &bytes);
        if (!code) code = check_buffer(graph->input[i], bytes, input->buffer[i], &c->address[i]);
    }
    void **out = c->address + graph->inputs;
    for (size_t i = 0; i < graph->outputs && !code; i++) {
        if (jm_tensor_bytes(&graph->output[i]->tensor, &bytes) != JM_OK) return (aclError)ACL_ERROR_GE_INTERNAL_ERROR;
        code = check_buffer(graph->output[i], bytes, output->buffer[i], &out[i]);
        if (!code && !out[i] && !wait) {
            code = jm_acl_error(ACL_ERROR_GE_PARAM_INVALID, "output '%s' has no memory: only aclmdlExecute provides it",
                                graph->output[i]->name);
        }
    }
    for (size_t i = 0; i < graph->outputs && !code; i++) {
        if (out[i]) continue;
        code = provide(graph->output[i], output->buffer[i], &out[i]);
        c->provided[i] = !code;
    }
    return code;
}

/* Bad values in the inputs, which only the kernels see, have a number of their own. */
static aclError run_code(jm_status status)
{
    if (status != JM_INVALID_ARGUMENT && status != JM_OUT_OF_RANGE) return jm_acl_code(status);
    return jm_acl_error(ACL_ERROR_RT_MODEL_EXECUTE, "%s", jm_last_error());
}

/* On a stream, or at once when there is none to put it on. */
static aclError run(jm_loaded *model, const aclmdlDataset *input, size_t extra, const aclmdlDataset *output, bool wait,
                    jm_stream *stream)
{
    const jm_graph *graph = jm_loaded_graph(model);
    call c = {.address = jm_alloc(graph->inputs + graph->outputs, sizeof(*c.address)),
              .provided = jm_alloc(graph->outputs, sizeof(*c.provided))};
    aclError code = c.address && c.provided ? gather(graph, input, extra, output, wait, &c) : ACL_ERROR_BAD_ALLOC;
    if (!code) {
        code =
            wait ? run_code(jm_loaded_run(model, c.address)) : jm_acl_code(jm_loaded_submit(model, c.address, stream));
    }
    if (code && c.provided) take_back(output, c.provided, graph->outputs);
    jm_free(c.address);
    jm_free(c.provided);
    return code;
}

/* In the shape that the inputs have. */
static aclError run_shape(jm_variants *variants, uint32_t id, const aclmdlDataset *input, aclmdlDataset *output,
                          bool wait, jm_stream *stream)
{
    jm_loaded *model;
    aclError code = jm_mdl_acquire_shape(variants, id, input, &model);
    if (code) return code;
    code = run(model, input, jm_mdl_extra_inputs(jm_variants_gears(variants)), output, wait, stream);
    if (!code) code = jm_mdl_note_outputs(variants, jm_loaded_graph(model), output);
    jm_variants_release(variants, model);
    return code;
}

static aclError execute(const char *function, uint32_t id, const aclmdlDataset *input, aclmdlDataset *output, bool wait,
                        aclrtStream handle)
{
    if (!input) return jm_acl_null(function, "input");
    if (!output) return jm_acl_null(function, "output");
    jm_variants *variants = jm_mdl_acquire(id);
    if (!variants) return (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    jm_stream *stream = NULL;
    aclError code = check_device(jm_variants_default(variants), id);
    if (!code && !wait) {
        jm_status status = jm_stream_resolve(handle, &stream);
        if (status != JM_OK) code = jm_acl_code(status);
    }
    if (!code) code = run_shape(variants, id, input, output, wait, stream);
    jm_mdl_release(id);
    return code;
}

aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output)
{
    return execute(__func__, modelId, input, output, true, NULL);
}

aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output, aclrtStream stream)
{
    return execute(__func__, modelId, input, output, false, stream);
}

aclError aclmdlExecuteV2(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output, aclrtStream stream,
                         const aclmdlExecConfigHandle *handle)
{
    if (!handle) return jm_acl_null(__func__, "handle");
    if (!stream) return execute(__func__, modelId, input, output, true, NULL);
    aclError code = execute(__func__, modelId, input, output, false, stream);
    return code ? code : aclrtSynchronizeStreamWithTimeout(stream, handle->stream_timeout);
}

aclError aclmdlExecuteAsyncV2(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output, aclrtStream stream,
                              const aclmdlExecConfigHandle *handle)
{
    if (!handle) return jm_acl_null(__func__, "handle");
    return execute(__func__, modelId, input, output, false, stream);
}
