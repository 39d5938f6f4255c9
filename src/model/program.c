/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

#include <string.h>
#include <sys/mman.h>

#include "base/system.h"
#include "base/memory_plan.h"
#include "compiler/verify.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define NO_STEP UINT32_MAX

/* One planned node. */
typedef struct call_step {
    struct jm_program *program;
    const jm_node *node;
    jm_plan plan;
    void **in, **out;               /* absolute once step 0 has run */
    size_t workspace;               /* offset in the arena */
    const struct call_step *source; /* makes the rows of input 0 inside of this step; NULL: a step of its own did */
    size_t source_scratch;          /* offset of the source's scratch in this step's */
    bool pulled;                    /* is the source of another step: there is nothing to do */
    /* Of the last run: time in chunks, summed over cores; when the first chunk began and when the last one ended. */
    _Atomic uint64_t ns, begin, end;
} call_step;

/* A pointer into a storage of the caller, filled in by step 0. */
typedef struct fixup {
    void **slot;
    size_t external; /* graph inputs, then graph outputs */
    size_t offset;   /* bytes */
} fixup;

struct jm_program {
    jm_graph *graph;
    jm_arena *memory; /* plans and the tables below */
    call_step *call;
    jm_step *step; /* step[0] binds; step[i] runs call[i - 1] */
    size_t steps;
    fixup *fix;
    size_t fixes;
    void **external;
    size_t *output_bytes;
    char *arena;
    char *scratch;
    size_t scratch_each; /* per core */
    unsigned cores;
    bool poison;
    jm_timing timing;
    jm_program_info info;
};

/* ---- Large memory ---- */

/* Zeroed; on 2 MiB boundaries and with huge pages where that pays. */
static void *storage_create(size_t size)
{
    if (size < HUGE_PAGE) return jm_alloc(size, 1);
    size_t bytes;
    void *memory = MAP_FAILED;
    if (jm_size_add(size, HUGE_PAGE, &bytes))
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        (void)!jm_error(JM_OUT_OF_MEMORY, "no memory for a tensor arena of %zu bytes", size);
        return NULL;
    }
    /* Cut the map to its aligned part, so that unmapping needs the size only. */
    char *start = memory;
    const size_t head = -(uintptr_t)start & (HUGE_PAGE - 1);
    const size_t page = jm_page_size(), used = (size + page - 1) & ~(page - 1);
    if (head) munmap(start, head);
    if (bytes - head > used) munmap(start + head + used, bytes - head - used);
    (void)madvise(start + head, size, MADV_HUGEPAGE);
    return start + head;
}

static void storage_destroy(void *memory, size_t size)
{
    if (!memory) return;
    if (size < HUGE_PAGE)
        jm_free(memory);
    else
        munmap(memory, size);
}

/* ---- Running ---- */

static void run_bind(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)chunk, (void)core, (void)fault;
    jm_program *p = context;
    for (size_t i = 0; i < p->fixes; i++) *p->fix[i].slot = (char *)p->external[p->fix[i].external] + p->fix[i].offset;
    for (size_t i = 0; i + 1 < p->steps; i++) {
        atomic_store_explicit(&p->call[i].ns, 0, memory_order_relaxed);
        atomic_store_explicit(&p->call[i].begin, UINT64_MAX, memory_order_relaxed);
        atomic_store_explicit(&p->call[i].end, 0, memory_order_relaxed);
    }
    if (!p->poison) return;
    /* All bits set is a NaN in every floating-point type. */
    memset(p->arena, 0xFF, p->info.arena_bytes);
    memset(p->scratch, 0xFF, p->info.scratch_bytes);
    for (size_t i = 0; i < p->graph->outputs; i++) memset(p->external[p->graph->inputs + i], 0xFF, p->output_bytes[i]);
}

static void add_time(call_step *c, uint64_t ns, uint64_t begin, uint64_t end)
{
    atomic_fetch_add_explicit(&c->ns, ns, memory_order_relaxed);
    uint64_t seen = atomic_load_explicit(&c->begin, memory_order_relaxed);
    while (begin < seen && !atomic_compare_exchange_weak_explicit(&c->begin, &seen, begin, memory_order_relaxed,
                                                                  memory_order_relaxed)) {
    }
    seen = atomic_load_explicit(&c->end, memory_order_relaxed);
    while (end > seen &&
           !atomic_compare_exchange_weak_explicit(&c->end, &seen, end, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void run_call(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    call_step *c = context;
    const jm_program *p = c->program;
    char *scratch = p->scratch + core * p->scratch_each;
    jm_source source;
    if (c->pulled) return;
    if (c->source)
        source = (jm_source){c->source->node->op, &c->source->plan, c->source->in, scratch + c->source_scratch, fault};
    const jm_run run = {.in = c->in,
                        .out = c->out,
                        .scratch = scratch,
                        .workspace = p->arena + c->workspace,
                        .chunk = chunk,
                        .source = c->source ? &source : NULL,
                        .fault = fault};
    if (p->timing == JM_TIMING_OFF) {
        c->node->op->run(&c->plan, &run);
        return;
    }
    const bool processor = p->timing == JM_TIMING_PROCESSOR;
    const uint64_t begin = jm_clock_ns(), used = processor ? jm_thread_clock_ns() : begin;
    c->node->op->run(&c->plan, &run);
    const uint64_t processor_end = processor ? jm_thread_clock_ns() : 0, end = jm_clock_ns();
    add_time(c, (processor ? processor_end : end) - used, begin, end);
}

/* ---- Building ---- */

/* Working tables of jm_program_create, indexed by value id. */
typedef struct build {
    int32_t *owner;         /* id of the value that owns its storage */
    int64_t *offset;        /* elements from the owner's start */
    uint32_t *first, *last; /* steps that touch an owner; first is NO_STEP when none does */
    size_t *place;          /* arena offset of an owner */
    size_t *external;       /* 1 + index of the caller's storage; 0: not external */
    jm_plan_buffer *buffer;
} build;

static void build_clear(build *b)
{
    jm_free(b->owner);
    jm_free(b->offset);
    jm_free(b->first);
    jm_free(b->last);
    jm_free(b->place);
    jm_free(b->external);
    jm_free(b->buffer);
}

static jm_status build_start(build *b, jm_graph *graph)
{
    const size_t n = graph->values;
    b->owner = jm_alloc(n, sizeof(*b->owner));
    b->offset = jm_alloc(n, sizeof *b->offset);
    b->first = jm_alloc(n, sizeof *b->first);
    b->last = jm_alloc(n, sizeof *b->last);
    b->place = jm_alloc(n, sizeof *b->place);
    b->external = jm_alloc(n, sizeof *b->external);
    b->buffer = jm_alloc(n + graph->nodes, sizeof *b->buffer);
    if (!b->owner || !b->offset || !b->first || !b->last || !b->place || !b->external || !b->buffer)
        return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) b->first[i] = NO_STEP;
    for (size_t i = 0; i < graph->inputs; i++) b->external[graph->input[i]->id] = 1 + i;
    for (size_t i = 0; i < graph->outputs; i++) b->external[graph->output[i]->id] = 1 + graph->inputs + i;
    JM_TRY(jm_graph_resolve_views(graph, b->offset));
    jm_graph_owners(graph, b->owner);
    return JM_OK;
}

/* A packed constant of an .om must have the size that this form will read. */
static jm_status check_packed(const jm_node *node, const jm_call *call, const jm_form *form)
{
    for (int i = 0; i < node->inputs; i++) {
        if (!node->in[i] || node->in[i]->tensor.layout != JM_PACKED) continue;
        size_t bytes = 0;
        if (i >= 64 || !(form->in_packed >> i & 1) || !node->op->pack_bytes)
            return jm_call_error(call, JM_CORRUPT, "form '%s' takes no packed constant as input %d", form->name, i);
        JM_TRY(node->op->pack_bytes(call, form, i, &bytes));
        if (bytes != node->in[i]->packed_bytes)
            return jm_call_error(call, JM_CORRUPT, "the packed constant of input %d has %zu bytes, form '%s' needs %zu",
                                 i, node->in[i]->packed_bytes, form->name, bytes);
    }
    return JM_OK;
}

static jm_status plan_node(jm_program *p, const jm_machine *machine, const jm_node *node, call_step *c)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_node_call(node, &call, in, out);
    JM_TRY(jm_op_form(&call, node->form, &form));
    JM_TRY(check_packed(node, &call, &form));
    c->program = p;
    c->node = node;
    JM_TRY(jm_op_plan(&call, &form, machine, p->memory, &c->plan));
    c->in = jm_arena_alloc(p->memory, (size_t)node->inputs + 1, sizeof(void *));
    c->out = jm_arena_alloc(p->memory, (size_t)node->outputs + 1, sizeof(void *));
    if (!c->in || !c->out) return JM_OUT_OF_MEMORY;
    p->info.chunks += c->plan.chunks;
    p->info.flops += jm_op_flops(&call);
    p->scratch_each = JM_MAX(p->scratch_each, c->plan.scratch);
    return JM_OK;
}

/* Input 0 of a step that can pull is not stored when one other step makes it row by row and nobody else reads it. */
static jm_status choose_source(jm_program *p, call_step *c, size_t earlier)
{
    const jm_value *value = c->node->inputs > 0 ? c->node->in[0] : NULL;
    if (!c->plan.pulls || !value || !value->producer || !value->producer->op->row || value->uses != 1 ||
        value->is_output || value->view != JM_VIEW_NONE || value->tensor.layout != JM_PLAIN ||
        value->tensor.dtype != JM_F32)
        return JM_OK;
    for (size_t i = 0; i < p->graph->values; i++)
        if (p->graph->value[i]->parent == value) return JM_OK;
    size_t i = 0;
    while (i < earlier && p->call[i].node != value->producer) i++;
    if (i == earlier) return JM_OK;
    call_step *source = &p->call[i];
    size_t scratch;
    if (!jm_size_round_up(c->plan.scratch, 64, &c->source_scratch) ||
        !jm_size_add(c->source_scratch, source->plan.scratch, &scratch))
        return jm_error(JM_OUT_OF_RANGE, "scratch memory of '%s' does not fit the address space", c->node->name);
    c->source = source;
    source->pulled = true;
    p->info.chunks -= source->plan.chunks - 1;
    p->scratch_each = JM_MAX(p->scratch_each, scratch);
    return JM_OK;
}

static void touch(build *b, const jm_value *value, uint32_t step)
{
    if (!value) return;
    const int32_t owner = b->owner[value->id];
    b->first[owner] = JM_MIN(b->first[owner], step);
    b->last[owner] = JM_MAX(b->last[owner], step);
}

static void touch_step(build *b, const call_step *c, uint32_t step)
{
    const jm_node *node = c->node;
    for (int k = c->source ? 1 : 0; k < node->inputs; k++) touch(b, node->in[k], step);
    for (int k = 0; k < node->outputs && !c->pulled; k++) touch(b, node->out[k], step);
    if (c->source) touch_step(b, c->source, step);
}

/* Arena offsets for every storage that is neither constant nor the caller's, and for workspaces. */
static jm_status place_buffers(jm_program *p, build *b)
{
    const jm_graph *graph = p->graph;
    size_t count = 0;
    for (size_t i = 0; i < graph->values; i++) {
        const jm_value *value = graph->value[i];
        if (b->first[i] == NO_STEP || value->tensor.constant || b->external[i]) continue;
        jm_plan_buffer *buffer = &b->buffer[count++];
        *buffer = (jm_plan_buffer){.first = b->first[i], .last = b->last[i]};
        JM_TRY(jm_tensor_bytes(&value->tensor, &buffer->size));
    }
    const size_t tensors = count;
    for (size_t i = 0; i + 1 < p->steps; i++) {
        if (p->call[i].plan.workspace == 0) continue;
        const uint32_t step = (uint32_t)(i + 1);
        b->buffer[count++] = (jm_plan_buffer){.size = p->call[i].plan.workspace, .first = step, .last = step};
    }
    JM_TRY(jm_memory_plan(b->buffer, count, &p->info.arena_bytes, &p->info.arena_lower_bound));

    const jm_plan_buffer *next = b->buffer;
    for (size_t i = 0; i < graph->values; i++)
        if (b->first[i] != NO_STEP && !graph->value[i]->tensor.constant && !b->external[i])
            b->place[i] = next++->offset;
    next = b->buffer + tensors;
    for (size_t i = 0; i + 1 < p->steps; i++)
        if (p->call[i].plan.workspace) p->call[i].workspace = next++->offset;
    return JM_OK;
}

static void set_pointer(jm_program *p, const build *b, const jm_value *value, void **slot)
{
    if (!value) return;
    const jm_value *owner = p->graph->value[b->owner[value->id]];
    const size_t offset = (size_t)b->offset[value->id] * jm_dtype_size(value->tensor.dtype);
    if (owner->tensor.constant)
        *slot = (char *)owner->tensor.data + offset;
    else if (b->external[owner->id])
        p->fix[p->fixes++] = (fixup){slot, b->external[owner->id] - 1, offset};
    else
        *slot = p->arena + b->place[owner->id] + offset;
}

static jm_status build_program(jm_program *p, const jm_machine *machine, build *b)
{
    jm_graph *graph = p->graph;
    JM_TRY(build_start(b, graph));

    size_t calls = 0, arguments = 0;
    for (size_t i = 0; i < graph->nodes; i++) {
        const jm_node *node = graph->node[i];
        if (node->elided) continue;
        calls++;
        arguments += (size_t)node->inputs + (size_t)node->outputs;
    }
    if (calls >= NO_STEP) return jm_error(JM_OUT_OF_RANGE, "the graph has %zu nodes; the limit is 2^32 - 2", calls);
    p->steps = calls + 1;
    const size_t externals = graph->inputs + graph->outputs;
    p->call = jm_arena_alloc(p->memory, calls + 1, sizeof *p->call);
    p->step = jm_arena_alloc(p->memory, p->steps, sizeof *p->step);
    p->fix = jm_arena_alloc(p->memory, arguments + 1, sizeof *p->fix);
    p->external = jm_arena_alloc(p->memory, externals + 1, sizeof *p->external);
    p->output_bytes = jm_arena_alloc(p->memory, graph->outputs + 1, sizeof *p->output_bytes);
    if (!p->call || !p->step || !p->fix || !p->external || !p->output_bytes) return JM_OUT_OF_MEMORY;

    uint32_t step = 0;
    for (size_t i = 0; i < graph->nodes; i++) {
        const jm_node *node = graph->node[i];
        if (node->elided) continue;
        JM_TRY(plan_node(p, machine, node, &p->call[step]));
        JM_TRY(choose_source(p, &p->call[step], step));
        step++;
    }
    for (step = 1; step <= calls; step++) touch_step(b, &p->call[step - 1], step);
    JM_TRY(place_buffers(p, b));

    if (!jm_size_round_up(p->scratch_each, 64, &p->scratch_each) ||
        !jm_size_mul(p->scratch_each, p->cores, &p->info.scratch_bytes))
        return jm_error(JM_OUT_OF_RANGE, "scratch memory of %u cores does not fit the address space", p->cores);
    p->arena = storage_create(p->info.arena_bytes);
    p->scratch = storage_create(p->info.scratch_bytes);
    if (!p->arena || !p->scratch) return JM_OUT_OF_MEMORY;

    p->step[0] = (jm_step){.run = run_bind, .context = p, .chunks = 1};
    for (size_t i = 0; i < calls; i++) {
        call_step *c = &p->call[i];
        for (int k = c->source ? 1 : 0; k < c->node->inputs; k++) set_pointer(p, b, c->node->in[k], &c->in[k]);
        for (int k = 0; k < c->node->outputs && !c->pulled; k++) set_pointer(p, b, c->node->out[k], &c->out[k]);
        p->step[i + 1] = (jm_step){.run = run_call, .context = c, .chunks = c->pulled ? 1 : c->plan.chunks};
    }
    for (size_t i = 0; i < graph->outputs; i++) JM_TRY(jm_tensor_bytes(&graph->output[i]->tensor, &p->output_bytes[i]));
    for (size_t i = 0; i < graph->values; i++) {
        const jm_value *value = graph->value[i];
        size_t bytes = value->packed_bytes;
        if (!value->tensor.constant || value->uses == 0 || value->view != JM_VIEW_NONE) continue;
        if (value->tensor.layout != JM_PACKED) JM_TRY(jm_tensor_bytes(&value->tensor, &bytes));
        p->info.weight_bytes += bytes;
    }
    p->info.steps = p->steps;
    return JM_OK;
}

jm_status jm_program_create(jm_graph *graph, const jm_machine *machine, jm_program **out)
{
    *out = NULL;
    JM_TRY(jm_graph_verify(graph));
    jm_program *p = jm_alloc(1, sizeof *p);
    if (!p) return JM_OUT_OF_MEMORY;
    p->graph = graph;
    p->cores = JM_MAX(machine->threads, 1);
    build b = {0};
    jm_status status = jm_arena_create(&p->memory);
    if (status == JM_OK) status = build_program(p, machine, &b);
    build_clear(&b);
    if (status != JM_OK) {
        jm_program_destroy(p);
        return status;
    }
    *out = p;
    return JM_OK;
}

void jm_program_destroy(jm_program *program)
{
    if (!program) return;
    storage_destroy(program->arena, program->info.arena_bytes);
    storage_destroy(program->scratch, program->info.scratch_bytes);
    jm_arena_destroy(program->memory);
    jm_free(program);
}

void jm_program_bind(jm_program *program, void *const *inputs, void *const *outputs)
{
    const jm_graph *graph = program->graph;
    for (size_t i = 0; i < graph->inputs; i++) program->external[i] = inputs[i];
    for (size_t i = 0; i < graph->outputs; i++) program->external[graph->inputs + i] = outputs[i];
}

void jm_program_steps(jm_program *program, const jm_step **step, size_t *steps)
{
    *step = program->step;
    *steps = program->steps;
}

jm_status jm_program_run(jm_program *program)
{
    atomic_int fault;
    atomic_init(&fault, JM_OK);
    for (size_t i = 0; i < program->steps; i++)
        for (size_t chunk = 0; chunk < program->step[i].chunks; chunk++)
            program->step[i].run(program->step[i].context, chunk, 0, &fault);
    const jm_status status = (jm_status)atomic_load(&fault);
    if (status != JM_OK)
        return jm_error(status, "a kernel met a bad value: an index out of range, or wrong parameters of a picture");
    return JM_OK;
}

void jm_program_set_poison(jm_program *program, bool on)
{
    program->poison = on;
}

void jm_program_get_info(const jm_program *program, jm_program_info *info)
{
    *info = program->info;
}

void jm_program_set_timing(jm_program *program, jm_timing timing)
{
    program->timing = timing;
}

const jm_node *jm_program_step_node(const jm_program *program, size_t step)
{
    return step ? program->call[step - 1].node : NULL;
}

uint64_t jm_program_step_wall_ns(const jm_program *program, size_t step)
{
    if (step == 0) return 0;
    const call_step *c = &program->call[step - 1];
    const uint64_t end = atomic_load_explicit(&c->end, memory_order_relaxed);
    return end ? end - atomic_load_explicit(&c->begin, memory_order_relaxed) : 0;
}

uint64_t jm_program_step_ns(const jm_program *program, size_t step)
{
    return step ? atomic_load_explicit(&program->call[step - 1].ns, memory_order_relaxed) : 0;
}
