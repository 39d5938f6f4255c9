/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of several sizes: the choice of one. A gear is chosen by a function, which writes its numbers into the buffer
 * of the extra input; a model of ranges takes the shapes that the dataset describes.
 */
#include <string.h>

#include "acl/mdl.h"

static bool has_gears(const jm_gears *gears)
{
    return gears->kind != JM_GEAR_NONE && gears->kind != JM_GEAR_RANGE;
}

size_t jm_mdl_extra_inputs(const jm_gears *gears)
{
    return has_gears(gears) ? 1 : 0;
}

/* ---- Numbers of a gear ---- */

/* Bytes of each number in a buffer: uint64 where they fit, else uint32. */
static size_t number_bytes(const jm_gears *gears, size_t size)
{
    return size >= gears->numbers * sizeof(uint64_t) ? sizeof(uint64_t) : sizeof(uint32_t);
}

static uint64_t number_at(const void *numbers, size_t each, size_t i)
{
    uint64_t wide;
    uint32_t narrow;
    const unsigned char *from = (const unsigned char *)numbers + i * each;
    if (each == sizeof(wide)) {
        memcpy(&wide, from, each);
        return wide;
    }
    memcpy(&narrow, from, each);
    return narrow;
}

/* The gear with these numbers of `each` bytes, or gears->count. */
static size_t find_gear(const jm_gears *gears, const void *numbers, size_t each)
{
    size_t gear = 0;
    for (; gear < gears->count; gear++) {
        const int64_t *number = gears->number + gear * gears->numbers;
        size_t i = 0;
        while (i < gears->numbers && (uint64_t)number[i] == number_at(numbers, each, i)) i++;
        if (i == gears->numbers) break;
    }
    return gear;
}

static jm_shape *shapes_of_gear(const jm_gears *gears, size_t gear)
{
    jm_shape *shape = jm_alloc(gears->inputs, sizeof(*shape));
    for (size_t i = 0; shape && i < gears->inputs; i++) jm_gears_shape(gears, gear, i, &shape[i]);
    return shape;
}

static aclError write_numbers(const char *function, const jm_gears *gears, size_t gear, const aclDataBuffer *buffer)
{
    unsigned char *to = jm_device_pointer(aclGetDataBufferAddr(buffer));
    const size_t size = aclGetDataBufferSizeV2(buffer), numbers = gears->numbers;
    const size_t each = number_bytes(gears, size);
    if (size < numbers * each) {
        return jm_acl_error(ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
                            "%s: the buffer has %zu bytes and %zu numbers take %zu", function, size, numbers,
                            numbers * each);
    }
    for (size_t i = 0; i < numbers; i++) {
        const uint64_t wide = (uint64_t)gears->number[gear * numbers + i];
        const uint32_t narrow = (uint32_t)wide;
        memcpy(to + i * each, each == sizeof(wide) ? (const void *)&wide : &narrow, each);
    }
    return ACL_SUCCESS;
}

/* The gear whose numbers the buffer holds, or gears->count. */
static size_t read_gear(const jm_gears *gears, const aclDataBuffer *buffer)
{
    void *address = aclGetDataBufferAddr(buffer);
    const size_t size = aclGetDataBufferSizeV2(buffer), each = number_bytes(gears, size);
    if (!address || size < gears->numbers * each) return gears->count;
    return find_gear(gears, jm_device_pointer(address), each);
}

/* ---- Choosing ---- */

/* The buffer that carries the choice. */
static aclError check_choice(const char *function, const aclmdlDataset *dataset, size_t index)
{
    if (!dataset) return jm_acl_null(function, "dataset");
    const aclDataBuffer *buffer = aclmdlGetDatasetBuffer(dataset, index);
    if (buffer && aclGetDataBufferAddr(buffer)) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the dataset has no buffer with memory at index %zu", function,
                        index);
}

static aclError check_kind(const char *function, uint32_t id, const jm_gears *gears, jm_gear_kind kind)
{
    if (gears->kind == kind) return ACL_SUCCESS;
    if (gears->kind == JM_GEAR_NONE)
        return jm_acl_error(ACL_ERROR_MODEL_NOT_DYNAMIC, "%s: model %u has one size only", function, id);
    return jm_acl_error(ACL_ERROR_MODEL_NOT_DYNAMIC, "%s: model %u was compiled with sizes of the kind '%s'", function,
                        id, jm_gear_kind_text(gears->kind));
}

static aclError select_gear(const char *function, uint32_t id, jm_variants *variants, aclmdlDataset *dataset,
                            size_t index, size_t gear)
{
    const jm_gears *gears = jm_variants_gears(variants);
    aclError code = write_numbers(function, gears, gear, dataset->buffer[index]);
    if (code) return code;
    jm_shape *shape = shapes_of_gear(gears, gear);
    if (!shape) return ACL_ERROR_BAD_ALLOC;
    jm_status status = jm_variants_select(variants, shape);
    jm_free(shape);
    if (status != JM_OK) return jm_mdl_load_code(status);
    dataset->chosen_for = id;
    dataset->gear = gear;
    return ACL_SUCCESS;
}

static aclError no_gear(const char *function, uint32_t id, jm_gear_kind kind, const uint64_t *number)
{
    if (kind == JM_GEAR_BATCH)
        return jm_acl_error(ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID,
                            "%s: model %u was not compiled for batch size %llu", function, id,
                            (unsigned long long)number[0]);
    return jm_acl_error(ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID,
                        "%s: model %u was not compiled for images of height %llu and width %llu", function, id,
                        (unsigned long long)number[0], (unsigned long long)number[1]);
}

/* The gear with these numbers, for a model of this kind. */
static aclError set_numbers(const char *function, uint32_t id, jm_gear_kind kind, aclmdlDataset *dataset, size_t index,
                            const uint64_t *number)
{
    jm_variants *variants = jm_mdl_acquire(id);
    if (!variants) return (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    const jm_gears *gears = jm_variants_gears(variants);
    aclError code = check_kind(function, id, gears, kind);
    if (!code) {
        const size_t gear = find_gear(gears, number, sizeof(*number));
        code = gear < gears->count ? select_gear(function, id, variants, dataset, index, gear)
                                   : no_gear(function, id, kind, number);
    }
    jm_mdl_release(id);
    return code;
}

aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset *dataset, size_t index, uint64_t batchSize)
{
    aclError code = check_choice(__func__, dataset, index);
    if (code) return code;
    if (batchSize == 0) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: batchSize is 0", __func__);
    return set_numbers(__func__, modelId, JM_GEAR_BATCH, dataset, index, &batchSize);
}

aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset *dataset, size_t index, uint64_t height, uint64_t width)
{
    aclError code = check_choice(__func__, dataset, index);
    if (code) return code;
    if (height == 0 || width == 0) {
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: height or width is 0", __func__);
    }
    return set_numbers(__func__, modelId, JM_GEAR_IMAGE, dataset, index, (const uint64_t[]){height, width});
}

/* The gear whose dims of all inputs are these, or gears->count. */
static size_t find_dims(const jm_gears *gears, const aclmdlIODims *dims)
{
    for (size_t gear = 0; gear < gears->count; gear++) {
        size_t at = 0;
        bool same = true;
        for (size_t i = 0; i < gears->inputs && same; i++) {
            jm_shape shape;
            jm_gears_shape(gears, gear, i, &shape);
            for (int k = 0; k < shape.rank && same; k++, at++)
                same = at < dims->dimCount && dims->dims[at] == shape.dim[k];
        }
        if (same && at == dims->dimCount) return gear;
    }
    return gears->count;
}

aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset *dataset, size_t index, const aclmdlIODims *dims)
{
    aclError code = check_choice(__func__, dataset, index);
    if (code) return code;
    if (!dims) return jm_acl_null(__func__, "dims");
    jm_variants *variants = jm_mdl_acquire(modelId);
    if (!variants) return (aclError)ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    const jm_gears *gears = jm_variants_gears(variants);
    code = check_kind(__func__, modelId, gears, JM_GEAR_DIMS);
    if (!code) {
        const size_t gear = find_dims(gears, dims);
        code = gear < gears->count
                   ? select_gear(__func__, modelId, variants, dataset, index, gear)
                   : jm_acl_error(ACL_ERROR_GE_PARAM_INVALID,
                                  "%s: model %u was not compiled for these %zu dims; give those of all inputs",
                                  __func__, modelId, dims->dimCount);
    }
    jm_mdl_release(modelId);
    return code;
}

/* ---- Shapes described by a dataset ---- */

/* The dataset's own description number `index` becomes `desc`, which it takes over. */
static aclError keep_desc(aclmdlDataset *dataset, size_t index, aclTensorDesc *desc)
{
    if (!desc) return ACL_ERROR_BAD_ALLOC;
    if (jm_array_reserve(&dataset->desc, &dataset->descs, index + 1, sizeof(*dataset->desc)) != JM_OK) {
        aclDestroyTensorDesc(desc);
        return ACL_ERROR_BAD_ALLOC;
    }
    aclDestroyTensorDesc(dataset->desc[index]);
    dataset->desc[index] = desc;
    return ACL_SUCCESS;
}

aclError aclmdlSetDatasetTensorDesc(aclmdlDataset *dataset, aclTensorDesc *tensorDesc, size_t index)
{
    if (!dataset) return jm_acl_null(__func__, "dataset");
    if (index >= dataset->count) {
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: index %zu of %zu buffers", __func__, index, dataset->count);
    }
    if (!tensorDesc) {
        if (index < dataset->descs) {
            aclDestroyTensorDesc(dataset->desc[index]);
            dataset->desc[index] = NULL;
        }
        return ACL_SUCCESS;
    }
    int64_t dims[JM_MAX_RANK];
    const size_t rank = aclGetTensorDescNumDims(tensorDesc);
    if (rank > JM_MAX_RANK) {
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the description has %zu dims; %d are possible", __func__,
                            rank, JM_MAX_RANK);
    }
    for (size_t k = 0; k < rank; k++) dims[k] = aclGetTensorDescDim(tensorDesc, k);
    return keep_desc(
        dataset, index,
        aclCreateTensorDesc(aclGetTensorDescType(tensorDesc), (int)rank, dims, aclGetTensorDescFormat(tensorDesc)));
}

aclTensorDesc *aclmdlGetDatasetTensorDesc(const aclmdlDataset *dataset, size_t index)
{
    return dataset && index < dataset->descs ? dataset->desc[index] : NULL;
}

aclError jm_mdl_note_outputs(const jm_variants *variants, const jm_graph *graph, aclmdlDataset *output)
{
    if (jm_variants_gears(variants)->kind != JM_GEAR_RANGE) return ACL_SUCCESS;
    for (size_t i = 0; i < graph->outputs; i++) {
        const jm_tensor *tensor = &graph->output[i]->tensor;
        aclError code = keep_desc(
            output, i,
            aclCreateTensorDesc((aclDataType)tensor->dtype, tensor->shape.rank, tensor->shape.dim, ACL_FORMAT_ND));
        if (code) return code;
    }
    return ACL_SUCCESS;
}

/* Index of an input of the gears in the graph, which is that of its buffer. */
static size_t buffer_of(const jm_graph *graph, const char *name)
{
    size_t i = 0;
    while (i < graph->inputs && strcmp(graph->input[i]->name, name) != 0) i++;
    return i;
}

/* The shapes of all inputs from the descriptions of a dataset; fixed ones need none. */
static aclError described_shapes(const jm_variants *variants, const aclmdlDataset *input, jm_shape *shape)
{
    const jm_gears *gears = jm_variants_gears(variants);
    const jm_graph *graph = jm_loaded_graph(jm_variants_default(variants));
    for (size_t i = 0; i < gears->inputs; i++) {
        const jm_gear_input *in = &gears->input[i];
        const aclTensorDesc *desc = aclmdlGetDatasetTensorDesc(input, buffer_of(graph, in->name));
        shape[i] = in->low;
        if (!desc && jm_shape_equal(&in->low, &in->high)) continue;
        if (!desc)
            return jm_acl_error(ACL_ERROR_INVALID_PARAM,
                                "the shape of input '%s' was not given; aclmdlSetDatasetTensorDesc gives it", in->name);
        const size_t rank = aclGetTensorDescNumDims(desc);
        shape[i].rank = (int)rank;
        for (size_t k = 0; k < rank; k++) shape[i].dim[k] = aclGetTensorDescDim(desc, k);
    }
    return ACL_SUCCESS;
}

/* ---- For a run ---- */

aclError jm_mdl_acquire_shape(jm_variants *variants, uint32_t id, const aclmdlDataset *input, jm_loaded **model)
{
    const jm_gears *gears = jm_variants_gears(variants);
    *model = jm_variants_default(variants);
    if (gears->kind == JM_GEAR_NONE) return ACL_SUCCESS;
    jm_shape *shape;
    aclError code = ACL_SUCCESS;
    if (gears->kind == JM_GEAR_RANGE) {
        shape = jm_alloc(gears->inputs, sizeof(*shape));
        if (shape) code = described_shapes(variants, input, shape);
    } else {
        const size_t extra = jm_loaded_graph(*model)->inputs; /* the last buffer */
        size_t gear = input->chosen_for == id ? input->gear : gears->count;
        if (gear == gears->count && extra < input->count) gear = read_gear(gears, input->buffer[extra]);
        if (gear == gears->count) gear = jm_gears_largest(gears);
        shape = shapes_of_gear(gears, gear);
    }
    if (!shape) return ACL_ERROR_BAD_ALLOC;
    if (!code) {
        jm_status status = jm_variants_acquire(variants, shape, model);
        if (status == JM_INVALID_ARGUMENT && gears->kind == JM_GEAR_RANGE)
            code = jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s", jm_last_error());
        else if (status != JM_OK)
            code = jm_mdl_load_code(status);
    }
    jm_free(shape);
    return code;
}
