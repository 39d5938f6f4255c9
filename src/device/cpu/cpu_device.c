/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU as a device: executor threads that take chunks.
 *
 * A running work sits in a slot. The slot's ticket says which chunks of the current group of steps (a step and the
 * steps that follow it chunk by chunk) are still unclaimed; a core claims one by compare-and-swap and so pins the slot
 * until the chunk is done. The first half of the cores takes chunks from the front, the other half from the back:
 * neighbouring steps cut their data alike, so that a core finds in its own cache much of what the step before wrote.
 * The core that finishes the last chunk of a group opens the next one: that is the barrier. Slots are never freed, so a
 * core that looks at a stale ticket only fails its swap.
 *
 * A core index is a right to run: its executor holds it while running, a helping caller while it is lent.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"
#include "device/device.h"

#define SLOTS 64
#define SPIN_NS 100000
#define HUGE_PAGE ((size_t)2 << 20)

/* A ticket: chunks front .. back - 1 of a group are not yet claimed. From the top: sequence number of the group, back,
 * front. */
#define TICKET_BITS 20
#define TICKET_FRONT(ticket) ((unsigned)(ticket)&JM_MAX_CHUNKS)
#define TICKET_BACK(ticket) ((unsigned)((ticket) >> TICKET_BITS) & JM_MAX_CHUNKS)

_Static_assert(JM_MAX_CHUNKS == (1u << TICKET_BITS) - 1, "a ticket holds every number of chunks");

typedef struct slot {
    alignas(64) _Atomic uint64_t ticket;
    _Atomic(const void *) lane;      /* of the work */
    alignas(64) atomic_uint pending; /* chunks not yet finished */
    /* Written only while no chunk can be claimed, read only by the owner of a claimed chunk. */
    jm_work *work;
    size_t first, last; /* steps of the group */
    uint64_t sequence;
} slot;

typedef enum core_state {
    PARKED,    /* the executor sleeps, or is about to check that it may */
    SEARCHING, /* the executor is awake without a chunk */
    RUNNING,   /* the executor runs chunks */
    LENT,      /* a caller has the core */
} core_state;

typedef struct cpu_device cpu_device;

typedef struct executor {
    alignas(64) atomic_int state; /* core_state; changes to and from PARKED are made under the lock */
    cpu_device *device;
    unsigned core;
    pthread_t thread;
    pthread_cond_t wake;
} executor;

struct cpu_device {
    jm_device base;
    uint64_t spin_ns;
    executor *executor;
    unsigned started;

    alignas(64) _Atomic uint64_t active; /* slots that hold a work */
    alignas(64) atomic_uint parked;      /* executors in state PARKED */
    atomic_bool stop;

    alignas(64) pthread_mutex_t lock; /* slots' ownership, the queue, parking */
    jm_work *queue, **queue_tail;     /* works that wait for a slot */
    slot slot[SLOTS];
};

/* The device on which this thread holds a core. */
static _Thread_local const cpu_device *home;

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* The ticket when the slot has a chunk to claim for this lane (NULL: any), else 0. A swap of this very ticket gets a
 * chunk of this lane: the lane changes only while there is nothing to claim, and never back to an old ticket. */
static uint64_t peek(slot *s, const void *lane)
{
    uint64_t ticket = atomic_load(&s->ticket);
    return TICKET_FRONT(ticket) != TICKET_BACK(ticket) &&
                   (!lane || lane == atomic_load_explicit(&s->lane, memory_order_relaxed))
               ? ticket
               : 0;
}

static bool claimable(cpu_device *cpu, const void *lane)
{
    for (uint64_t mask = atomic_load(&cpu->active); mask; mask &= mask - 1)
        if (peek(&cpu->slot[__builtin_ctzll(mask)], lane)) return true;
    return false;
}

/* `count` chunks have become claimable. Wakes parked executors for those that no awake core will take: when only one
 * work is active, awake cores have nothing else to do. */
static void wake(cpu_device *cpu, unsigned count)
{
    unsigned parked = atomic_load(&cpu->parked);
    if (!parked) return;
    uint64_t active = atomic_load(&cpu->active);
    if ((active & (active - 1)) == 0) {
        unsigned awake = cpu->base.cores - JM_MIN(parked, cpu->base.cores);
        if (count <= awake) return;
        count -= awake;
    }
    pthread_mutex_lock(&cpu->lock);
    for (unsigned i = 0; i < cpu->base.cores && count; i++) {
        executor *e = &cpu->executor[i];
        if (atomic_load(&e->state) != PARKED) continue;
        atomic_store(&e->state, SEARCHING);
        atomic_fetch_sub(&cpu->parked, 1);
        pthread_cond_signal(&e->wake);
        count--;
    }
    pthread_mutex_unlock(&cpu->lock);
}

/* Publishes the slot's next group that has chunks; false when the work has none left. A thread with a core (`core` not
 * negative) runs groups for which no other core is needed on the spot, unless another work waits for its turn. */
static bool open_group(cpu_device *cpu, slot *s, int core)
{
    jm_work *work = s->work;
    const jm_step *step = work->step;
    size_t i = s->last;
    for (;;) {
        while (i < work->steps && step[i].chunks == 0) i++;
        if (i == work->steps) return false;
        size_t last = i + 1;
        while (last < work->steps && step[last].follows) last++;
        unsigned chunks = (unsigned)step[i].chunks;

        uint64_t active = atomic_load_explicit(&cpu->active, memory_order_relaxed);
        if (core < 0 || (chunks > 1 && cpu->base.cores > 1) || (active & (active - 1))) {
            atomic_store_explicit(&s->lane, work->lane, memory_order_relaxed);
            s->first = i;
            s->last = last;
            atomic_store_explicit(&s->pending, chunks, memory_order_relaxed);
            /* Ordered before the load of `parked` in wake(), as `parked` is before the tickets in park(). */
            atomic_store(&s->ticket, ++s->sequence << 2 * TICKET_BITS | (uint64_t)chunks << TICKET_BITS);
            wake(cpu, chunks);
            return true;
        }
        for (unsigned chunk = 0; chunk < chunks; chunk++)
            for (size_t k = i; k < last; k++) step[k].run(step[k].context, chunk, (unsigned)core, &work->fault);
        i = last;
    }
}

/* The slot's work has no steps left. The next work in the queue takes the slot over; works without chunks end here. */
static void finish(cpu_device *cpu, slot *s)
{
    for (;;) {
        jm_work *done = s->work;
        pthread_mutex_lock(&cpu->lock);
        jm_work *next = cpu->queue;
        if (next) {
            cpu->queue = next->next;
            if (!cpu->queue) cpu->queue_tail = &cpu->queue;
        } else {
            atomic_fetch_and(&cpu->active, ~((uint64_t)1 << (s - cpu->slot)));
        }
        pthread_mutex_unlock(&cpu->lock);
        if (next) {
            s->work = next;
            s->last = 0;
        }
        bool more = next && !open_group(cpu, s, -1);
        done->done(done);
        if (!more) return;
    }
}

static void run_chunk(cpu_device *cpu, slot *s, unsigned chunk, unsigned core)
{
    jm_work *work = s->work;
    for (size_t i = s->first; i < s->last; i++) work->step[i].run(work->step[i].context, chunk, core, &work->fault);
    if (atomic_fetch_sub(&s->pending, 1) == 1 && !open_group(cpu, s, (int)core)) finish(cpu, s);
}

/* Runs chunks of the lane (NULL: any), taking turns between works, until there are none to claim or *until is set.
 * True when any ran. */
static bool run_ready(cpu_device *cpu, unsigned core, const void *lane, const atomic_int *until)
{
    const bool front = core < (cpu->base.cores + 1) / 2;
    bool ran = false;
    unsigned turn = 0;
    for (;;) {
        uint64_t mask = atomic_load(&cpu->active);
        /* Slots after the last one first. */
        mask = mask >> turn | (turn ? mask << (SLOTS - turn) : 0);
        bool claimed = false;
        for (; mask && !claimed; mask &= mask - 1) {
            unsigned index = (turn + (unsigned)__builtin_ctzll(mask)) % SLOTS;
            slot *s = &cpu->slot[index];
            uint64_t ticket;
            while (!claimed && (ticket = peek(s, lane))) {
                const uint64_t less = front ? ticket + 1 : ticket - ((uint64_t)1 << TICKET_BITS);
                claimed = atomic_compare_exchange_weak_explicit(&s->ticket, &ticket, less, memory_order_acquire,
                                                                memory_order_relaxed);
            }
            if (claimed) {
                run_chunk(cpu, s, front ? TICKET_FRONT(ticket) : TICKET_BACK(ticket) - 1, core);
                turn = (index + 1) % SLOTS;
            }
        }
        if (!claimed) return ran;
        ran = true;
        if (until && atomic_load(until)) return true;
    }
}

/* Waits for something to run by spinning; false when the time is over. */
static bool search(cpu_device *cpu, const executor *e, const void *lane, const atomic_int *until)
{
    uint64_t start = 0;
    for (unsigned round = 0;; round++) {
        if ((until && atomic_load(until)) || claimable(cpu, lane)) return true;
        /* The core was lent to a caller, or the caller who has it keeps others from it. */
        if (e ? atomic_load(&e->state) != SEARCHING : claimable(cpu, NULL)) return false;
        if (round % 32 == 0) {
            uint64_t now = jm_clock_ns();
            if (!start) start = now;
            if (now - start >= cpu->spin_ns) return false;
        }
        pause_core();
    }
}

static void park(cpu_device *cpu, executor *e)
{
    pthread_mutex_lock(&cpu->lock);
    int expected = SEARCHING;
    if (atomic_compare_exchange_strong(&e->state, &expected, PARKED)) atomic_fetch_add(&cpu->parked, 1);
    for (;;) {
        int state = atomic_load(&e->state);
        if (state == SEARCHING || atomic_load(&cpu->stop)) break;
        if (state == PARKED && claimable(cpu, NULL)) {
            atomic_store(&e->state, SEARCHING);
            atomic_fetch_sub(&cpu->parked, 1);
            break;
        }
        pthread_cond_wait(&e->wake, &cpu->lock);
    }
    pthread_mutex_unlock(&cpu->lock);
}

static void *execute(void *argument)
{
    executor *e = argument;
    cpu_device *cpu = e->device;
    home = cpu;
    bool found = false; /* sleep first: most callers help themselves */
    while (!atomic_load(&cpu->stop)) {
        if (!found) park(cpu, e);
        found = search(cpu, e, NULL, NULL);
        int expected = SEARCHING;
        if (found && atomic_compare_exchange_strong(&e->state, &expected, RUNNING)) {
            run_ready(cpu, e->core, NULL, NULL);
            atomic_store_explicit(&e->state, SEARCHING, memory_order_release);
        }
    }
    return NULL;
}

static jm_status cpu_submit(jm_device *device, jm_work *work)
{
    cpu_device *cpu = (cpu_device *)device;
    if (jm_device_lost(device))
        return jm_error(JM_DEVICE_LOST,
                        "device %u belongs to the process before the fork; only the process that "
                        "created it can use it",
                        device->id);
    for (size_t i = 0; i < work->steps; i++)
        if (work->step[i].chunks > JM_MAX_CHUNKS)
            return jm_error(JM_OUT_OF_RANGE, "step %zu has %zu chunks, %u at most", i, work->step[i].chunks,
                            JM_MAX_CHUNKS);
    work->next = NULL;
    pthread_mutex_lock(&cpu->lock);
    uint64_t active = atomic_load(&cpu->active);
    slot *s = NULL;
    if (~active) {
        unsigned index = (unsigned)__builtin_ctzll(~active);
        s = &cpu->slot[index];
        s->work = work;
        s->last = 0;
        atomic_store(&cpu->active, active | (uint64_t)1 << index);
    } else {
        *cpu->queue_tail = work;
        cpu->queue_tail = &work->next;
    }
    pthread_mutex_unlock(&cpu->lock);
    if (s && !open_group(cpu, s, -1)) finish(cpu, s);
    return JM_OK;
}

static bool cpu_join(jm_device *device, unsigned *core)
{
    cpu_device *cpu = (cpu_device *)device;
    if (home == cpu || jm_device_lost(device)) return false;
    /* A parked core rather than a searching one, and from the top: submit() wakes from the bottom. */
    bool joined = false;
    pthread_mutex_lock(&cpu->lock);
    for (int from = PARKED; from <= SEARCHING && !joined; from++) {
        for (unsigned i = cpu->base.cores; i-- > 0 && !joined;) {
            int expected = from;
            joined = atomic_compare_exchange_strong(&cpu->executor[i].state, &expected, LENT);
            if (joined) *core = i;
        }
        if (joined && from == PARKED) atomic_fetch_sub(&cpu->parked, 1);
    }
    pthread_mutex_unlock(&cpu->lock);
    if (joined) home = cpu;
    return joined;
}

static bool cpu_assist(jm_device *device, unsigned core, const void *lane, const atomic_int *until)
{
    cpu_device *cpu = (cpu_device *)device;
    while (!atomic_load(until)) {
        if (!run_ready(cpu, core, lane, until) && !search(cpu, NULL, lane, until)) return false;
    }
    return true;
}

static void cpu_leave(jm_device *device, unsigned core)
{
    cpu_device *cpu = (cpu_device *)device;
    home = NULL;
    executor *e = &cpu->executor[core];
    pthread_mutex_lock(&cpu->lock);
    atomic_store(&e->state, PARKED);
    atomic_fetch_add(&cpu->parked, 1);
    /* Also the executor itself may be on its way to park; it checks again under the lock. */
    if (claimable(cpu, NULL)) {
        atomic_store(&e->state, SEARCHING);
        atomic_fetch_sub(&cpu->parked, 1);
        pthread_cond_signal(&e->wake);
    }
    pthread_mutex_unlock(&cpu->lock);
}

static jm_status cpu_allocate(jm_device *device, size_t size, void **out)
{
    *out = NULL;
    size_t align = size >= HUGE_PAGE ? HUGE_PAGE : 64;
    void *memory = NULL;
    if (size > PTRDIFF_MAX || posix_memalign(&memory, align, size ? size : 1) != 0)
        return jm_error(JM_OUT_OF_MEMORY, "the host has no %zu bytes left for device %u", size, device->id);
    if (size >= HUGE_PAGE) (void)madvise(memory, size, MADV_HUGEPAGE);
    *out = memory;
    return JM_OK;
}

static void cpu_release(jm_device *device, void *memory, size_t size)
{
    (void)device;
    (void)size;
    free(memory);
}

static void cpu_destroy(jm_device *device)
{
    cpu_device *cpu = (cpu_device *)device;
    /* After a fork there are no threads to join and the lock may be held for ever. */
    bool lost = jm_device_lost(device);
    if (!lost && cpu->executor) {
        pthread_mutex_lock(&cpu->lock);
        atomic_store(&cpu->stop, true);
        for (unsigned i = 0; i < cpu->started; i++) pthread_cond_signal(&cpu->executor[i].wake);
        pthread_mutex_unlock(&cpu->lock);
        for (unsigned i = 0; i < cpu->started; i++) pthread_join(cpu->executor[i].thread, NULL);
        for (unsigned i = 0; i < cpu->base.cores; i++) pthread_cond_destroy(&cpu->executor[i].wake);
        pthread_mutex_destroy(&cpu->lock);
    }
    jm_free(cpu->executor);
    jm_free(cpu);
}

static const jm_device_operations cpu_operations = {
    .name = "cpu",
    .destroy = cpu_destroy,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .submit = cpu_submit,
    .join = cpu_join,
    .assist = cpu_assist,
    .leave = cpu_leave,
};

/* Spinning pays only when every executor has a core for itself: neither more threads than cores, nor a CPU quota that
 * a spinning thread would use up. */
static uint64_t spin_time(unsigned threads)
{
    cpu_set_t set;
    unsigned usable = jm_core_count();
    bool quota = sched_getaffinity(0, sizeof(set), &set) == 0 && (unsigned)CPU_COUNT(&set) > usable;
    return quota || threads > usable ? 0 : SPIN_NS;
}

jm_status jm_cpu_device_create(unsigned id, unsigned threads, jm_device **out)
{
    *out = NULL;
    cpu_device *cpu = jm_alloc(1, sizeof(*cpu));
    if (!cpu) return JM_OUT_OF_MEMORY;
    cpu->base.operations = &cpu_operations;
    cpu->base.id = id;
    cpu->base.cores = threads;
    cpu->base.memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGE_SIZE);
    cpu->base.generation = jm_process_generation();
    cpu->spin_ns = spin_time(threads);
    cpu->queue_tail = &cpu->queue;
    cpu->executor = jm_alloc(threads, sizeof(*cpu->executor));
    if (!cpu->executor) {
        jm_free(cpu);
        return JM_OUT_OF_MEMORY;
    }
    pthread_mutex_init(&cpu->lock, NULL);
    for (unsigned i = 0; i < threads; i++) {
        cpu->executor[i].device = cpu;
        cpu->executor[i].core = i;
        atomic_store(&cpu->executor[i].state, SEARCHING);
        pthread_cond_init(&cpu->executor[i].wake, NULL);
    }

    /* The program's signals stay with the program's threads. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failure = 0;
    for (unsigned i = 0; i < threads && !failure; i++) {
        failure = pthread_create(&cpu->executor[i].thread, NULL, execute, &cpu->executor[i]);
        if (failure) break;
        cpu->started++;
        char name[16];
        snprintf(name, sizeof(name), "jumar%u/%u", id % 1000, i % 10000);
        pthread_setname_np(cpu->executor[i].thread, name);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failure) {
        cpu_destroy(&cpu->base);
        return jm_error(JM_OUT_OF_MEMORY, "cannot start %u executor threads: %s; lower JUMAR_NUM_THREADS", threads,
                        strerror(failure));
    }
    *out = &cpu->base;
    return JM_OK;
}
