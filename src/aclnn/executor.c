/* SPDX-License-Identifier: Apache-2.0
 *
 * Phase two: an executor becomes one command of a stream. A submission holds everything that the command needs, so that
 * addresses of a repeatable executor may change, or the executor go, while earlier runs are in flight.
 */
#include "aclnn/executor.h"

#include <string.h>

#include "aclnn/error.h"
#include "aclnn/meta.h"
#include "runtime/runtime.h"

#define MAGIC UINT64_C(0x6a6d45786563) /* also tells a pointer that is no executor */
#define ALIGNMENT 64

struct aclOpExecutor {
    uint64_t magic;
    atomic_int references; /* the caller's, and one for each submission in flight */
    const char *name;
    jm_eager *eager;
    size_t workspace;
    unsigned threads, slots, shapes;
    bool repeatable, launched;
    jm_aclnn_slot *slot;
    jm_aclnn_result_shape *shape;
};

typedef struct submission submission;

typedef struct submission_step {
    submission *submission;
    size_t step;
} submission_step;

struct submission {
    aclOpExecutor *executor;
    jm_eager *eager;
    void *workspace;
    void **address;
    jm_step *step;
    submission_step *context;
    int64_t (*shape)[JM_MAX_RANK]; /* of the executor's shapes; -1 until the run says */
};

jm_status jm_aclnn_executor_create(const char *name, jm_eager *eager, size_t workspace, unsigned threads,
                                   const jm_aclnn_slot *slot, unsigned slots, const jm_aclnn_result_shape *shape,
                                   unsigned shapes, aclOpExecutor **out)
{
    *out = NULL;
    aclOpExecutor *executor = jm_alloc(1, sizeof(*executor));
    jm_aclnn_slot *copy = jm_alloc(slots, sizeof(*copy));
    jm_aclnn_result_shape *shape_copy = jm_alloc(shapes, sizeof(*shape_copy));
    if (!executor || !copy || !shape_copy) {
        jm_free(executor);
        jm_free(copy);
        jm_free(shape_copy);
        jm_eager_destroy(eager);
        return JM_OUT_OF_MEMORY;
    }
    if (slots) memcpy(copy, slot, slots * sizeof(*slot));
    if (shapes) memcpy(shape_copy, shape, shapes * sizeof(*shape));
    /* The caller may destroy its tensors before the run is over. */
    for (unsigned i = 0; i < shapes; i++) atomic_fetch_add(&shape[i].tensor->references, 1);
    *executor = (aclOpExecutor){.magic = MAGIC,
                                .name = name,
                                .eager = eager,
                                .workspace = workspace,
                                .threads = threads,
                                .slots = slots,
                                .shapes = shapes,
                                .slot = copy,
                                .shape = shape_copy};
    atomic_init(&executor->references, 1);
    *out = executor;
    return JM_OK;
}

uint64_t jm_aclnn_executor_workspace(const aclOpExecutor *executor)
{
    /* Room to align: a caller may cut it out of a pool of its own. */
    return executor->workspace ? executor->workspace + ALIGNMENT : 0;
}

static void release(aclOpExecutor *executor)
{
    if (atomic_fetch_sub(&executor->references, 1) > 1) return;
    executor->magic = 0;
    jm_eager_destroy(executor->eager);
    for (unsigned i = 0; i < executor->shapes; i++) (void)aclDestroyTensor(executor->shape[i].tensor);
    jm_free(executor->shape);
    jm_free(executor->slot);
    jm_free(executor);
}

/* ---- Phase two ---- */

static void run_step(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    const submission_step *step = context;
    const submission *s = step->submission;
    jm_eager_run(s->eager, step->step, chunk, core, s->address, s->workspace, fault);
}

static void submission_destroy(submission *s)
{
    release(s->executor);
    jm_free(s);
}

/* An output keeps its shape where the run failed, or left the output alone. */
static void submission_done(void *owner, jm_status status)
{
    submission *s = owner;
    for (unsigned i = 0; status == JM_OK && i < s->executor->shapes; i++) {
        const jm_aclnn_result_shape *shape = &s->executor->shape[i];
        bool known = true;
        for (int k = 0; k < shape->rank; k++) known = known && s->shape[i][k] >= 0;
        if (known) jm_aclnn_reshape(shape->tensor, s->shape[i], shape->dense);
    }
    submission_destroy(s);
}

/* One block of memory. */
static submission *submission_create(aclOpExecutor *executor, void *workspace)
{
    size_t steps = jm_eager_steps(executor->eager), bytes = sizeof(submission);
    size_t step_at = bytes, context_at, shape_at, address_at;
    context_at = step_at + steps * sizeof(jm_step);
    shape_at = context_at + steps * sizeof(submission_step);
    address_at = shape_at + executor->shapes * sizeof(int64_t[JM_MAX_RANK]);
    char *memory = jm_alloc(address_at + executor->slots * sizeof(void *), 1);
    if (!memory) return NULL;
    submission *s = (submission *)(void *)memory;
    *s = (submission){.executor = executor,
                      .eager = executor->eager,
                      .step = (jm_step *)(void *)(memory + step_at),
                      .context = (submission_step *)(void *)(memory + context_at),
                      .shape = (int64_t(*)[JM_MAX_RANK])(void *)(memory + shape_at),
                      .address = (void **)(void *)(memory + address_at)};
    uintptr_t aligned = ((uintptr_t)jm_device_pointer(workspace) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    s->workspace = (char *)aligned;
    for (unsigned i = 0; i < executor->slots; i++) s->address[i] = jm_device_pointer(executor->slot[i].address);
    for (unsigned i = 0; i < executor->shapes; i++) {
        memset(s->shape[i], 0xFF, sizeof(s->shape[i]));
        s->address[executor->shape[i].slot] = s->shape[i];
    }
    for (size_t i = 0; i < steps; i++) {
        s->context[i] = (submission_step){s, i};
        s->step[i] =
            (jm_step){.run = run_step, .context = &s->context[i], .chunks = jm_eager_chunks(executor->eager, i)};
    }
    atomic_fetch_add(&executor->references, 1);
    return s;
}

static aclnnStatus launch(aclOpExecutor *executor, const char *name, void *workspace, uint64_t size, void *handle)
{
    jm_device *device;
    jm_stream *stream;
    for (unsigned i = 0; i < executor->slots; i++)
        if (executor->slot[i].used && !executor->slot[i].address)
            return jm_aclnn_error(JM_ACLNN_INVALID, "%s: the address of %s is NULL", name, executor->slot[i].name);
    uint64_t need = jm_aclnn_executor_workspace(executor);
    if (need && !workspace) return jm_aclnn_null(JM_ACLNN_NULL, name, "workspace");
    if (size < need)
        return jm_aclnn_error(JM_ACLNN_INVALID, "%s: workspaceSize is %llu; the first phase asked for %llu", name,
                              (unsigned long long)size, (unsigned long long)need);
    jm_status status = jm_context_device(&device);
    if (status == JM_OK) status = jm_stream_resolve(handle, &stream);
    if (status != JM_OK) return jm_aclnn_code(status);
    if (device->cores > executor->threads)
        return jm_aclnn_error(JM_ACLNN_RUNTIME,
                              "%s: planned for %u cores, this device has %u; use one device for both "
                              "phases",
                              name, executor->threads, device->cores);
    executor->launched = true;
    if (jm_eager_steps(executor->eager) == 0) return 0;
    submission *s = submission_create(executor, workspace);
    if (!s) return jm_aclnn_code(JM_OUT_OF_MEMORY);
    const jm_command command = {.step = s->step,
                                .steps = jm_eager_steps(executor->eager),
                                .name = executor->name,
                                .done = submission_done,
                                .owner = s};
    status = jm_stream_submit(stream, &command);
    if (status == JM_OK) return 0;
    submission_destroy(s);
    return jm_aclnn_error(JM_ACLNN_RUNTIME, "%s: %s", name, jm_last_error());
}

aclnnStatus jm_aclnn_launch(const jm_aclnn_row *row, void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream)
{
    if (!executor) return jm_aclnn_null(JM_ACLNN_NULL, row->name, "executor");
    if (executor->magic != MAGIC)
        return jm_aclnn_error(JM_ACLNN_INTERNAL, "%s: %p is no executor", row->name, (void *)executor);
    if (executor->name != row->name)
        return jm_aclnn_error(JM_ACLNN_INVALID, "%s: the executor was made by %sGetWorkspaceSize", row->name,
                              executor->name);
    bool keep = executor->repeatable;
    aclnnStatus code = launch(executor, row->name, workspace, workspaceSize, stream);
    if (!keep) release(executor);
    return code;
}

/* ---- Repeatable executors ---- */

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
    JM_ACLNN_NOT_NULL(JM_ACLNN_NULL_EXECUTOR, executor);
    if (executor->magic != MAGIC || executor->launched)
        return jm_aclnn_error(JM_ACLNN_INTERNAL, "%s: %p is no executor, or it has run already", __func__,
                              (void *)executor);
    if (executor->shapes)
        return jm_aclnn_error(JM_ACLNN_INTERNAL, "%s: the shape of %s of %s depends on data, so it runs only once",
                              __func__, executor->slot[executor->shape[0].slot].name, executor->name);
    executor->repeatable = true;
    return 0;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
    if (!executor) return 0;
    if (executor->magic != MAGIC)
        return jm_aclnn_error(JM_ACLNN_INTERNAL, "%s: %p is no executor", __func__, (void *)executor);
    release(executor);
    return 0;
}

typedef enum which { ANY, INPUT, OUTPUT } which;

/* One function for the twelve names: the item of a list is 0 for single tensors. */
static aclnnStatus set_address(const char *function, aclOpExecutor *executor, which kind, size_t index, size_t item,
                               const void *object, aclTensor *tensor, void *address)
{
    if (!executor) return jm_aclnn_null(JM_ACLNN_NULL_EXECUTOR, function, "executor");
    if (!object) return jm_aclnn_null(JM_ACLNN_NULL_EXECUTOR, function, "tensor");
    if (!address) return jm_aclnn_error(JM_ACLNN_INVALID, "%s: addr must not be NULL", function);
    for (unsigned i = 0; i < executor->slots; i++) {
        jm_aclnn_slot *slot = &executor->slot[i];
        int position = kind == ANY ? slot->position : (kind == INPUT ? slot->input : slot->output);
        if (position < 0 || (size_t)position != index || slot->item != item) continue;
        slot->address = address;
        if (tensor) tensor->data = address;
        return 0;
    }
    return jm_aclnn_error(JM_ACLNN_INVALID, "%s: %s has no tensor %zu, item %zu", function, executor->name, index,
                          item);
}

static aclTensor *item_of(const aclTensorList *list, size_t item)
{
    return list && item < list->size ? list->item[item] : NULL;
}

#define SET_ADDRESS(name, kind)                                                                                        \
    aclnnStatus acl##name(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr)                  \
    {                                                                                                                  \
        return set_address("acl" #name, executor, kind, index, 0, tensor, tensor, addr);                               \
    }                                                                                                                  \
    aclnnStatus Acl##name(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr)                  \
    {                                                                                                                  \
        return set_address("Acl" #name, executor, kind, index, 0, tensor, tensor, addr);                               \
    }
#define SET_DYNAMIC_ADDRESS(name, kind)                                                                                \
    aclnnStatus acl##name(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex, aclTensorList *tensors, \
                          void *addr)                                                                                  \
    {                                                                                                                  \
        return set_address("acl" #name, executor, kind, irIndex, relativeIndex, tensors,                               \
                           item_of(tensors, relativeIndex), addr);                                                     \
    }                                                                                                                  \
    aclnnStatus Acl##name(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex, aclTensorList *tensors, \
                          void *addr)                                                                                  \
    {                                                                                                                  \
        return set_address("Acl" #name, executor, kind, irIndex, relativeIndex, tensors,                               \
                           item_of(tensors, relativeIndex), addr);                                                     \
    }

SET_ADDRESS(SetInputTensorAddr, INPUT)
SET_ADDRESS(SetOutputTensorAddr, OUTPUT)
SET_ADDRESS(SetTensorAddr, ANY)
SET_DYNAMIC_ADDRESS(SetDynamicInputTensorAddr, INPUT)
SET_DYNAMIC_ADDRESS(SetDynamicOutputTensorAddr, OUTPUT)
SET_DYNAMIC_ADDRESS(SetDynamicTensorAddr, ANY)
