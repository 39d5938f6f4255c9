/* SPDX-License-Identifier: Apache-2.0 */
#include "jumar/roof.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"
#include "device/device.h"
#include "ops/epilogue.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define STREAM_UNIT ((size_t)1024) /* of jm_stream_pass */

#define BETWEEN_LOOKS ((size_t)256 << 10) /* bytes between two looks at the clock */

enum { SAMPLES = 6, SAMPLE_NS = 1000000 };

static const char *const level_text[ROOF_LEVELS] = {"L1", "L2", "L3", "memory"};

const char *roof_level_text(roof_level level)
{
    return level_text[level];
}

/* ---- Measuring ---- */

/* The middle of two sizes, as sizes of caches go. */
static size_t between(size_t low, size_t high)
{
    return (size_t)sqrt((double)low * (double)high);
}

void roof_init(roof *r, const jm_kernels *kernels, unsigned threads)
{
    size_t l1, l2, l3 = 8 << 20;
    jm_cpu_caches(&l1, &l2);
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (size > 0) l3 = (size_t)size;
#endif
    *r = (roof){.kernels = kernels, .threads = JM_MIN(threads, jm_core_count())};
    r->capacity[ROOF_L1] = l1 * r->threads;
    r->capacity[ROOF_L2] = l2 * r->threads;
    r->capacity[ROOF_L3] = JM_MAX(l3, r->capacity[ROOF_L2]);
    r->capacity[ROOF_MEMORY] = SIZE_MAX;
    /* Well inside each: whole caches are never free for one user. */
    r->measured[ROOF_L1] = l1 / 2 * r->threads;
    r->measured[ROOF_L2] = between(l1, l2) * r->threads;
    r->measured[ROOF_L3] = between(r->capacity[ROOF_L2], r->capacity[ROOF_L3]);
    r->measured[ROOF_MEMORY] = JM_MIN(4 * r->capacity[ROOF_L3], (size_t)128 << 20);
}

/* Streams of all cores at once, each through its own part of the memory. */
typedef struct streams {
    const roof *roof;
    jm_stream stream;
    char *memory;
    size_t part;
    atomic_uint arrived;
    double *rate; /* of each chunk; their sum is what the cores reach together */
} streams;

static void run_stream(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)core, (void)fault;
    streams *s = context;
    const jm_cpu_level level = s->roof->kernels->level;
    char *memory = s->memory + chunk * s->part;
    jm_stream_pass(level, s->stream, memory, s->part); /* into the cache */
    /* Cores that begin together share what they share; each takes one chunk. */
    atomic_fetch_add(&s->arrived, 1);
    while (atomic_load(&s->arrived) < s->roof->threads) {
    }
    const uint64_t begin = jm_clock_ns();
    uint64_t end;
    double bytes = 0;
    do {
        for (size_t done = 0; done < BETWEEN_LOOKS; done += s->part) {
            jm_stream_pass(level, s->stream, memory, s->part);
            bytes += (double)s->part;
        }
        end = jm_clock_ns();
    } while (end - begin < SAMPLE_NS);
    s->rate[chunk] = bytes / ((double)(end - begin) * 1e-9);
}

static jm_status measure_stream(roof *r, jm_device *device, roof_level level, jm_stream stream, char *memory)
{
    const size_t part = JM_MAX(r->measured[level] / r->threads / STREAM_UNIT, 1) * STREAM_UNIT;
    double *rate = jm_alloc(r->threads, sizeof(*rate));
    if (!rate) return JM_OUT_OF_MEMORY;
    jm_status status = JM_OK;
    for (int sample = 0; sample < SAMPLES && status == JM_OK; sample++) {
        streams s = {.roof = r, .stream = stream, .memory = memory, .part = part, .rate = rate};
        const jm_step step = {.run = run_stream, .context = &s, .chunks = r->threads};
        jm_work work = {.step = &step, .steps = 1};
        double sum = 0;
        status = jm_device_run(device, &work);
        for (unsigned i = 0; i < r->threads; i++) sum += rate[i];
        r->bandwidth[level][stream] = fmax(r->bandwidth[level][stream], sum);
    }
    jm_free(rate);
    return status;
}

jm_status roof_measure(roof *r)
{
    r->peak = fmax(r->peak, jm_fma_peak(r->kernels->level) * r->threads);
    const size_t size = (r->measured[ROOF_MEMORY] + HUGE_PAGE) & ~(HUGE_PAGE - 1);
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return jm_error(JM_OUT_OF_MEMORY, "no %zu bytes to measure the bandwidth with", size);
    (void)madvise(memory, size, MADV_HUGEPAGE);
    memset(memory, 0, size);
    jm_device *device;
    jm_status status = jm_device_create("cpu", 0, r->threads, &device);
    for (int level = 0; level < ROOF_LEVELS; level++)
        for (int stream = 0; stream < JM_STREAM_COUNT && status == JM_OK; stream++)
            status = measure_stream(r, device, (roof_level)level, (jm_stream)stream, memory);
    jm_device_destroy(device);
    munmap(memory, size);
    return status;
}

/* Best of many: a buffer of half the first cache, filled anew each time so that values stay ordinary. */
static double measure_activation(const jm_kernels *kernels, jm_activation activation)
{
    enum { COUNT = 4096, TIMES = 200 };
    static _Alignas(64) float value[COUNT];
    const jm_epilogue epilogue = {.activation = activation, .alpha = 0.1f, .beta = 0.5f};
    uint64_t best = UINT64_MAX;
    for (int time = 0; time < TIMES; time++) {
        for (int i = 0; i < COUNT; i++) value[i] = (float)(i % 64) * 0.125f - 4;
        const uint64_t begin = jm_clock_ns();
        jm_epilogue_apply(kernels, &epilogue, value, NULL, COUNT);
        best = JM_MIN(best, jm_clock_ns() - begin);
    }
    return (double)best / COUNT;
}

double roof_activation(roof *r, const jumar_step_info *step)
{
    double elements = 1;
    int activation = JM_ACT_NONE;
    if (!step->activation[0]) return 0;
    while (activation < JM_ACT_COUNT && strcmp(jm_activation_text((jm_activation)activation), step->activation) != 0)
        activation++;
    if (activation == JM_ACT_COUNT) return 0;
    if (r->activation_ns[activation] == 0)
        r->activation_ns[activation] = measure_activation(r->kernels, (jm_activation)activation);
    for (int i = 0; i < step->rank; i++) elements *= (double)step->dim[i];
    return elements * r->activation_ns[activation] / r->threads;
}

/* ---- Bounds ---- */

static roof_level level_of(const roof *r, uint64_t bytes)
{
    int level = 0;
    while (bytes > r->capacity[level]) level++;
    return (roof_level)level;
}

/* Nanoseconds: what can be copied as a copy, the rest as reads or as writes. */
static double stream_ns(const roof *r, roof_level level, double read, double written)
{
    const double *rate = r->bandwidth[level];
    const double both = fmin(read, written);
    return 1e9 * (2 * both / rate[JM_STREAM_COPY] + (read - both) / rate[JM_STREAM_READ] +
                  (written - both) / rate[JM_STREAM_WRITE]);
}

roof_bound roof_of(const roof *r, const jumar_step_info *step, uint64_t footprint)
{
    roof_bound bound = {.level = level_of(r, step->input_bytes + step->output_bytes + step->weight_bytes)};
    bound.compute_ns = 1e9 * step->executed_flops / r->peak;
    bound.memory_ns = stream_ns(r, bound.level, (double)step->input_bytes, (double)step->output_bytes) +
                      stream_ns(r, level_of(r, footprint), (double)step->weight_bytes, 0);
    bound.ns = fmax(bound.compute_ns, bound.memory_ns);
    bound.word = "memory";
    if (bound.compute_ns > bound.memory_ns) bound.word = step->executed_flops < step->flops ? "winograd" : "fma";
    return bound;
}
