/* SPDX-License-Identifier: Apache-2.0 */
#include "model/loaded.h"

#include <pthread.h>
#include <string.h>

/* One run, from its submission to its end; used again by later ones. */
typedef struct model_run {
    jm_loaded *model;
    void **address;
    jm_step *step; /* those of the program, with a first one that binds this run's addresses */
    bool kept;     /* the caller waits for the end and gives the record back itself */
    bool flying;   /* submitted and not done; under the model's lock */
    jm_status status;
    struct model_run *next;
} model_run;

struct jm_loaded {
    jm_graph *graph;
    jm_program *program;
    const jm_step *step;
    size_t steps;
    int device;
    jm_stream *stream; /* of runs that are not put on a stream of the caller */
    int stream_id;     /* tells it from a later stream at its address, when its context is gone */

    pthread_mutex_t order;  /* held while a run is put behind the one before it */
    jm_event *last;         /* the latest run that was put on a stream... */
    jm_stream *last_stream; /* ... this one */

    pthread_mutex_t lock;  /* of what follows */
    pthread_cond_t landed; /* a run is done */
    size_t flying;         /* runs submitted and not done */
    model_run *spare;
};

/* ---- Loading ---- */

static jm_status load(jm_loaded *model)
{
    jm_device *device;
    jm_machine machine;
    JM_TRY(jm_context_device(&device));
    JM_TRY(jm_runtime_get_device(&model->device));
    JM_TRY(jm_machine_get(device->cores, &machine));
    JM_TRY(jm_program_create(model->graph, &machine, &model->program));
    jm_program_steps(model->program, &model->step, &model->steps);
    JM_TRY(jm_stream_create(&model->stream));
    JM_TRY(jm_stream_id(model->stream, &model->stream_id));
    return jm_event_create(JM_EVENT_CAPTURE, false, &model->last);
}

jm_status jm_loaded_create(jm_graph *graph, jm_loaded **out)
{
    *out = NULL;
    jm_loaded *model = jm_alloc(1, sizeof(*model));
    if (!model) {
        jm_graph_destroy(graph);
        return JM_OUT_OF_MEMORY;
    }
    model->graph = graph;
    pthread_mutex_init(&model->order, NULL);
    pthread_mutex_init(&model->lock, NULL);
    pthread_cond_init(&model->landed, NULL);
    jm_status status = load(model);
    if (status != JM_OK) {
        jm_loaded_destroy(model);
        return status;
    }
    *out = model;
    return JM_OK;
}

static void free_run(model_run *run)
{
    if (!run) return;
    jm_free(run->address);
    jm_free(run->step);
    jm_free(run);
}

/* The stream goes with the context that the model was loaded in. */
static bool has_context(const jm_loaded *model)
{
    int id;
    return model->stream && jm_stream_id(model->stream, &id) == JM_OK && id == model->stream_id;
}

static jm_status check_context(const jm_loaded *model)
{
    if (has_context(model)) return JM_OK;
    return jm_error(JM_BAD_STATE, "the context in which model '%s' was loaded is gone; load the model again",
                    model->graph->name);
}

static void wait_for_all(jm_loaded *model)
{
    pthread_mutex_lock(&model->lock);
    while (model->flying) pthread_cond_wait(&model->landed, &model->lock);
    pthread_mutex_unlock(&model->lock);
}

void jm_loaded_destroy(jm_loaded *model)
{
    if (!model) return;
    wait_for_all(model);
    if (model->last) (void)!jm_event_destroy(model->last);
    if (has_context(model)) (void)!jm_stream_destroy(model->stream, false);
    while (model->spare) {
        model_run *run = model->spare;
        model->spare = run->next;
        free_run(run);
    }
    jm_program_destroy(model->program);
    jm_graph_destroy(model->graph);
    pthread_cond_destroy(&model->landed);
    pthread_mutex_destroy(&model->lock);
    pthread_mutex_destroy(&model->order);
    jm_free(model);
}

const jm_graph *jm_loaded_graph(const jm_loaded *model)
{
    return model->graph;
}

void jm_loaded_info(const jm_loaded *model, jm_program_info *info)
{
    jm_program_get_info(model->program, info);
}

int jm_loaded_device(const jm_loaded *model)
{
    return model->device;
}

/* ---- Records of runs ---- */

/* First step of a run: its addresses, then what the program does first. */
static void bind(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    const model_run *run = context;
    const jm_loaded *model = run->model;
    jm_program_bind(model->program, run->address, run->address + model->graph->inputs);
    model->step[0].run(model->step[0].context, chunk, core, fault);
}

static jm_status create_run(jm_loaded *model, model_run **out)
{
    model_run *run = jm_alloc(1, sizeof(*run));
    if (run) {
        run->model = model;
        run->address = jm_alloc(model->graph->inputs + model->graph->outputs, sizeof(*run->address));
        run->step = jm_alloc(model->steps, sizeof(*run->step));
    }
    if (!run || !run->address || !run->step) {
        free_run(run);
        return JM_OUT_OF_MEMORY;
    }
    memcpy(run->step, model->step, model->steps * sizeof(*run->step));
    run->step[0].run = bind;
    run->step[0].context = run;
    *out = run;
    return JM_OK;
}

static jm_status take_run(jm_loaded *model, void *const *address, bool kept, model_run **out)
{
    pthread_mutex_lock(&model->lock);
    model_run *run = model->spare;
    if (run) model->spare = run->next;
    pthread_mutex_unlock(&model->lock);
    if (!run) JM_TRY(create_run(model, &run));
    memcpy(run->address, address, (model->graph->inputs + model->graph->outputs) * sizeof(*address));
    run->kept = kept;
    run->status = JM_OK;
    *out = run;
    return JM_OK;
}

static void give_back(model_run *run)
{
    jm_loaded *model = run->model;
    pthread_mutex_lock(&model->lock);
    run->next = model->spare;
    model->spare = run;
    pthread_mutex_unlock(&model->lock);
}

static void take_off(model_run *run)
{
    pthread_mutex_lock(&run->model->lock);
    run->flying = true;
    run->model->flying++;
    pthread_mutex_unlock(&run->model->lock);
}

/* The run is over, or was never submitted. The model may be destroyed as soon as the lock is free. */
static void land(void *owner, jm_status status)
{
    model_run *run = owner;
    jm_loaded *model = run->model;
    pthread_mutex_lock(&model->lock);
    run->status = status;
    run->flying = false;
    model->flying--;
    if (!run->kept) {
        run->next = model->spare;
        model->spare = run;
    }
    pthread_cond_broadcast(&model->landed);
    pthread_mutex_unlock(&model->lock);
}

static bool none_flying(jm_loaded *model)
{
    pthread_mutex_lock(&model->lock);
    bool none = model->flying == 0;
    pthread_mutex_unlock(&model->lock);
    return none;
}

/* ---- Running ---- */

/* Under `order`. Puts the run on the stream, behind the one before it. */
static jm_status submit(model_run *run, const jm_command *command, jm_stream *stream)
{
    jm_loaded *model = run->model;
    if (model->last_stream != stream && !none_flying(model)) JM_TRY(jm_stream_wait_event(stream, model->last));
    take_off(run);
    jm_status status = jm_stream_submit(stream, command);
    if (status != JM_OK) return status;
    model->last_stream = stream;
    /* Without the event, the next run on another stream would not know what to wait for. */
    if (jm_event_record(model->last, stream) != JM_OK) wait_for_all(model);
    return JM_OK;
}

/* The run was not submitted: its record is free again. */
static void cancel(model_run *run, jm_status status)
{
    if (run->flying) {
        land(run, status);
    } else {
        give_back(run);
    }
}

jm_status jm_loaded_submit(jm_loaded *model, void *const *address, jm_stream *stream)
{
    model_run *run;
    JM_TRY(check_context(model));
    JM_TRY(take_run(model, address, false, &run));
    jm_command command = {run->step, model->steps, "aclmdlExecuteAsync", land, run};
    pthread_mutex_lock(&model->order);
    jm_status status = submit(run, &command, stream);
    pthread_mutex_unlock(&model->order);
    if (status != JM_OK) cancel(run, status);
    return status;
}

static void wait_for(model_run *run)
{
    jm_loaded *model = run->model;
    pthread_mutex_lock(&model->lock);
    while (run->flying) pthread_cond_wait(&model->landed, &model->lock);
    pthread_mutex_unlock(&model->lock);
}

jm_status jm_loaded_run(jm_loaded *model, void *const *address)
{
    model_run *run;
    jm_status status;
    JM_TRY(check_context(model));
    JM_TRY(take_run(model, address, true, &run));
    jm_command command = {run->step, model->steps, "aclmdlExecute", land, run};
    pthread_mutex_lock(&model->order);
    bool alone = none_flying(model);
    if (alone) {
        /* The common case: nothing to wait for, so the caller can run it at once. Others queue up meanwhile. */
        take_off(run);
        status = jm_stream_run(model->stream, &command);
    } else {
        status = submit(run, &command, model->stream);
    }
    pthread_mutex_unlock(&model->order);
    if (!alone && status == JM_OK) {
        /* Takes part in the work; what it returns may be another run's, to which it was told already. */
        (void)!jm_stream_synchronize(model->stream, -1);
        wait_for(run);
        status = run->status;
        if (status != JM_OK) status = jm_error(status, "aclmdlExecute failed: %s", jm_status_text(status));
    }
    if (run->flying) land(run, status); /* it was not submitted */
    give_back(run);
    return status;
}
