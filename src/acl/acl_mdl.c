/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading, unloading and the table of loaded models.
 */
#include <pthread.h>

#include "acl/mdl.h"
#include "acl/mdl_config.h"
#include "base/system.h"

/* ---- Errors ---- */

aclError jm_mdl_load_code(jm_status status)
{
    uint32_t code;
    switch (status) {
    case JM_INVALID_ARGUMENT: /* a folder, an empty file, or JUMAR_CPU is wrong */
    case JM_NOT_FOUND:
    case JM_IO:
        code = ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID;
        break;
    case JM_CORRUPT:
    case JM_UNSUPPORTED:
    case JM_OUT_OF_RANGE:
        code = ACL_ERROR_GE_LOAD_MODEL;
        break;
    case JM_OUT_OF_MEMORY:
        code = ACL_ERROR_GE_MEMORY_ALLOCATION;
        break;
    default:
        return jm_acl_code(status);
    }
    return jm_acl_error((aclError)code, "%s", jm_last_error());
}

/* ---- Table ---- */

typedef struct entry {
    uint32_t id;
    jm_variants *model;
    unsigned users; /* calls that look at the model now */
} entry;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t released;
    entry *entry;
    size_t count, capacity;
    uint32_t last_id;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER, .released = PTHREAD_COND_INITIALIZER};

/* Under the lock. */
static entry *find(uint32_t id)
{
    for (size_t i = 0; i < table.count; i++) {
        if (table.entry[i].id == id) return &table.entry[i];
    }
    return NULL;
}

static aclError no_model(uint32_t id)
{
    return jm_acl_error(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "no model with the id %u is loaded", id);
}

jm_variants *jm_mdl_acquire(uint32_t id)
{
    pthread_mutex_lock(&table.lock);
    entry *e = find(id);
    jm_variants *model = e ? e->model : NULL;
    if (e) e->users++;
    pthread_mutex_unlock(&table.lock);
    if (!model) (void)no_model(id);
    return model;
}

void jm_mdl_release(uint32_t id)
{
    pthread_mutex_lock(&table.lock);
    find(id)->users--;
    pthread_cond_broadcast(&table.released);
    pthread_mutex_unlock(&table.lock);
}

/* Numbers are not used again until 2^32 models later. */
static jm_status enter(jm_variants *model, uint32_t *id)
{
    pthread_mutex_lock(&table.lock);
    jm_status status = jm_array_reserve(&table.entry, &table.capacity, table.count + 1, sizeof(entry));
    if (status == JM_OK) {
        do table.last_id++;
        while (table.last_id == 0 || find(table.last_id));
        *id = table.last_id;
        table.entry[table.count++] = (entry){.id = *id, .model = model};
    }
    pthread_mutex_unlock(&table.lock);
    return status;
}

aclError aclmdlUnload(uint32_t modelId)
{
    pthread_mutex_lock(&table.lock);
    entry *e = find(modelId);
    jm_variants *model = e ? e->model : NULL;
    while (e && e->users) {
        pthread_cond_wait(&table.released, &table.lock);
        e = find(modelId); /* the table may have moved, or another thread may have unloaded the model */
    }
    if (e) *e = table.entry[--table.count];
    pthread_mutex_unlock(&table.lock);
    if (!e) return no_model(modelId);
    jm_variants_destroy(model);
    return ACL_SUCCESS;
}

/* ---- Sizes ---- */

void jm_mdl_sizes(const jm_program_info *info, size_t *work, size_t *weight)
{
    *work = JM_MAX(info->arena_bytes + info->scratch_bytes, (size_t)64);
    *weight = JM_MAX(info->weight_bytes, (size_t)64);
}

jm_status jm_mdl_read(const char *path, const void *model, size_t size, jm_graph **graph)
{
    return path ? jm_om_read(path, graph) : jm_om_read_memory(model, size, graph);
}

/* Plans the graph for this machine, without a device. */
static aclError query(const char *path, const void *model, size_t size, size_t *work, size_t *weight)
{
    jm_graph *graph = NULL;
    jm_program *program = NULL;
    jm_machine machine;
    jm_program_info info;
    int64_t threads;
    jm_status status = jm_env_int("JUMAR_NUM_THREADS", 1, 1024, jm_core_count(), &threads);
    if (status == JM_OK) status = jm_machine_get((unsigned)threads, &machine);
    if (status == JM_OK) status = jm_mdl_read(path, model, size, &graph);
    if (status == JM_OK) status = jm_program_create(graph, &machine, &program);
    if (status == JM_OK) {
        jm_program_get_info(program, &info);
        jm_mdl_sizes(&info, work, weight);
    }
    jm_program_destroy(program);
    jm_graph_destroy(graph);
    return status == JM_OK ? ACL_SUCCESS : jm_mdl_load_code(status);
}

aclError aclmdlQuerySize(const char *fileName, size_t *workSize, size_t *weightSize)
{
    if (!fileName) return jm_acl_null(__func__, "fileName");
    if (!workSize || !weightSize) return jm_acl_null(__func__, "workSize or weightSize");
    return query(fileName, NULL, 0, workSize, weightSize);
}

static aclError check_memory(const char *function, const void *model, size_t size)
{
    if (!model) return jm_acl_null(function, "model");
    if (size) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: modelSize is 0", function);
}

aclError aclmdlQuerySizeFromMem(const void *model, size_t modelSize, size_t *workSize, size_t *weightSize)
{
    aclError code = check_memory(__func__, model, modelSize);
    if (code) return code;
    if (!workSize || !weightSize) return jm_acl_null(__func__, "workSize or weightSize");
    return query(NULL, model, modelSize, workSize, weightSize);
}

/* ---- Loading ---- */

/* Memory of the caller must be as large as aclmdlQuerySize says. */
static aclError check_size(const jm_variants *model, const void *work, size_t work_size, const void *weight,
                           size_t weight_size)
{
    jm_program_info info;
    size_t need_work, need_weight;
    jm_loaded_info(jm_variants_default(model), &info);
    jm_mdl_sizes(&info, &need_work, &need_weight);
    if (work && work_size < need_work) {
        return jm_acl_error(ACL_ERROR_GE_PARAM_INVALID, "workSize is %zu; the model needs %zu", work_size, need_work);
    }
    if (weight && weight_size < need_weight) {
        return jm_acl_error(ACL_ERROR_GE_PARAM_INVALID, "weightSize is %zu; the model needs %zu", weight_size,
                            need_weight);
    }
    return ACL_SUCCESS;
}

static aclError load(const aclmdlConfigHandle *config, uint32_t *id)
{
    jm_graph *graph;
    jm_variants *model;
    /* Reading takes long; whether there is a context is found out first. */
    int device;
    jm_status status = jm_runtime_get_device(&device);
    if (status != JM_OK) return jm_acl_code(status);
    status = jm_mdl_read(config->path, config->memory, config->memory_size, &graph);
    if (status == JM_OK) status = jm_variants_create(graph, &model);
    if (status != JM_OK) return jm_mdl_load_code(status);
    aclError code = check_size(model, config->work, config->work_size, config->weight, config->weight_size);
    if (!code) {
        status = enter(model, id);
        if (status != JM_OK) code = jm_mdl_load_code(status);
    }
    if (code) jm_variants_destroy(model);
    return code;
}

aclError aclmdlLoadFromFileWithMem(const char *modelPath, uint32_t *modelId, void *workPtr, size_t workSize,
                                   void *weightPtr, size_t weightSize)
{
    if (!modelPath) return jm_acl_null(__func__, "modelPath");
    if (!modelId) return jm_acl_null(__func__, "modelId");
    const aclmdlConfigHandle config = {
        .path = modelPath, .work = workPtr, .work_size = workSize, .weight = weightPtr, .weight_size = weightSize};
    return load(&config, modelId);
}

aclError aclmdlLoadFromFile(const char *modelPath, uint32_t *modelId)
{
    return aclmdlLoadFromFileWithMem(modelPath, modelId, NULL, 0, NULL, 0);
}

aclError aclmdlLoadFromMemWithMem(const void *model, size_t modelSize, uint32_t *modelId, void *workPtr,
                                  size_t workSize, void *weightPtr, size_t weightSize)
{
    aclError code = check_memory(__func__, model, modelSize);
    if (code) return code;
    if (!modelId) return jm_acl_null(__func__, "modelId");
    const aclmdlConfigHandle config = {.memory = model,
                                       .memory_size = modelSize,
                                       .work = workPtr,
                                       .work_size = workSize,
                                       .weight = weightPtr,
                                       .weight_size = weightSize};
    return load(&config, modelId);
}

aclError aclmdlLoadFromMem(const void *model, size_t modelSize, uint32_t *modelId)
{
    return aclmdlLoadFromMemWithMem(model, modelSize, modelId, NULL, 0, NULL, 0);
}

static aclError no_queues(const char *function)
{
    return jm_acl_error(ACL_ERROR_API_NOT_SUPPORT,
                        "%s: models are not connected by queues here; use aclmdlLoadFromFile", function);
}

aclError aclmdlLoadFromFileWithQ(const char *modelPath, uint32_t *modelId, const uint32_t *inputQ, size_t inputQNum,
                                 const uint32_t *outputQ, size_t outputQNum)
{
    (void)modelPath, (void)modelId, (void)inputQ, (void)inputQNum, (void)outputQ, (void)outputQNum;
    return no_queues(__func__);
}

aclError aclmdlLoadFromMemWithQ(const void *model, size_t modelSize, uint32_t *modelId, const uint32_t *inputQ,
                                size_t inputQNum, const uint32_t *outputQ, size_t outputQNum)
{
    (void)model, (void)modelSize, (void)modelId, (void)inputQ, (void)inputQNum, (void)outputQ, (void)outputQNum;
    return no_queues(__func__);
}

aclError aclmdlLoadWithConfig(const aclmdlConfigHandle *handle, uint32_t *modelId)
{
    if (!handle) return jm_acl_null(__func__, "handle");
    if (!modelId) return jm_acl_null(__func__, "modelId");
    aclmdlConfigHandle config = *handle;
    switch (config.load_type) {
    case ACL_MDL_LOAD_FROM_FILE:
    case ACL_MDL_LOAD_FROM_FILE_WITH_MEM:
        if (!config.path) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "ACL_MDL_PATH_PTR was not set");
        break;
    case ACL_MDL_LOAD_FROM_MEM:
    case ACL_MDL_LOAD_FROM_MEM_WITH_MEM:
        if (!config.memory || !config.memory_size) {
            return jm_acl_error(ACL_ERROR_INVALID_PARAM, "ACL_MDL_MEM_ADDR_PTR or ACL_MDL_MEM_SIZET was not set");
        }
        config.path = NULL;
        break;
    case ACL_MDL_LOAD_FROM_FILE_WITH_Q:
    case ACL_MDL_LOAD_FROM_MEM_WITH_Q:
        return no_queues(__func__);
    default:
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "ACL_MDL_LOAD_TYPE_SIZET was not set");
    }
    if (config.load_type == ACL_MDL_LOAD_FROM_FILE || config.load_type == ACL_MDL_LOAD_FROM_MEM) {
        config.work = config.weight = NULL;
    }
    return load(&config, modelId);
}
