/* SPDX-License-Identifier: Apache-2.0 */
#include "checker.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"
#include "kernels/peak.h"

extern const checker_family check_conv, check_depthwise, check_dots, check_gemm, check_kvcache, check_picture,
    check_pointwise, check_pool, check_thin, check_training, check_winograd;

static const checker_family *const families[] = {
    &check_conv,      &check_depthwise, &check_dots, &check_gemm,     &check_kvcache,  &check_picture,
    &check_pointwise, &check_pool,      &check_thin, &check_training, &check_winograd,
};

enum { MAX_KERNELS = 512, ROUNDS = 12, MARGIN = 64 };

struct checker {
    uint64_t seed, random;
    const char *name;  /* of the kernel being called */
    const char *level; /* and its level */
    int failures;      /* of the current kernel and level */
    int failed, passed;
    uint32_t digest;   /* of the reference's results */
    uint64_t prepared; /* when inputs were last made: benchmarks time what follows */
    struct buffer {
        unsigned char *base; /* mapping: writable pages, then an unreadable one */
        size_t writable;
        size_t used; /* at its end */
    } * buffer;
    size_t buffers, capacity;
};

static checker *crashing; /* for the signal handler */

/* ---- Random numbers and values ---- */

uint64_t checker_random(checker *c)
{
    c->random ^= c->random >> 12;
    c->random ^= c->random << 25;
    c->random ^= c->random >> 27;
    return c->random * 2685821657736338717ull;
}

int64_t checker_random_int(checker *c, int64_t low, int64_t high)
{
    return low + (int64_t)(checker_random(c) % (uint64_t)(high - low + 1));
}

void checker_fill(checker *c, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) values[i] = (float)((double)(int64_t)checker_random(c) * 0x1p-62);
    c->prepared = jm_clock_ns();
}

void checker_fill_special(checker *c, float *values, size_t count)
{
    static const float special[] = {0.0f,   -0.0f,     1e-40f,   -1e-45f,   0x1p-126f, 1e38f,
                                    -1e38f, 0x1p-120f, INFINITY, -INFINITY, NAN,       1.0f};
    checker_fill(c, values, count);
    for (size_t i = 0; i < count; i++)
        if (checker_random_int(c, 0, 7) == 0) values[i] = special[checker_random(c) % JM_COUNT(special)];
}

void checker_fill_any(checker *c, float *values, size_t count)
{
    if (checker_random(c) & 1)
        checker_fill(c, values, count);
    else
        checker_fill_special(c, values, count);
}

/* ---- Guarded memory ---- */

void *checker_memory(checker *c, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t writable = (bytes + MARGIN + page - 1) / page * page;
    if (jm_array_reserve(&c->buffer, &c->capacity, c->buffers + 1, sizeof(*c->buffer)) != JM_OK) {
        fprintf(stderr, "checker: %s\n", jm_last_error());
        exit(1);
    }
    unsigned char *base = mmap(NULL, writable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + writable, page, PROT_NONE) != 0) {
        perror("checker: mmap");
        exit(1);
    }
    memset(base, 0xFF, writable - bytes);
    c->buffer[c->buffers++] = (struct buffer){.base = base, .writable = writable, .used = bytes};
    return base + writable - bytes;
}

float *checker_floats(checker *c, size_t count)
{
    float *values = checker_memory(c, count * sizeof(float));
    memset(values, 0xFF, count * sizeof(float));
    c->prepared = jm_clock_ns();
    return values;
}

static void release_buffers(checker *c)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < c->buffers; i++) {
        const struct buffer *b = &c->buffer[i];
        for (size_t k = 0; k < b->writable - b->used; k++) {
            if (b->base[k] == 0xFF) continue;
            checker_fail(c, "wrote before the start of a buffer");
            break;
        }
        munmap(b->base, b->writable + page);
    }
    c->buffers = 0;
}

/* ---- Verdicts ---- */

static void report(checker *c, const char *what, va_list arguments)
{
    if (c->failures++ >= 3) return;
    printf("FAILED %s at %s: ", c->name, c->level);
    vprintf(what, arguments);
    printf("\n");
}

void checker_fail(checker *c, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    report(c, what, arguments);
    va_end(arguments);
}

float *checker_any(checker *c, size_t count)
{
    float *values = checker_floats(c, count);
    checker_fill_any(c, values, count);
    return values;
}

float *checker_ordinary(checker *c, size_t count)
{
    float *values = checker_floats(c, count);
    checker_fill(c, values, count);
    return values;
}

void checker_same(checker *c, const float *got, const float *want, size_t count, const char *what, ...)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t g, w;
        memcpy(&g, &got[i], sizeof(g));
        memcpy(&w, &want[i], sizeof(w));
        if (c->level == jm_cpu_level_text(JM_CPU_REFERENCE)) {
            const uint32_t bits = isnan(want[i]) ? 0x7fc00000 : w;
            c->digest = jm_crc32c(c->digest, &bits, sizeof(bits));
        }
        if (g == w || (isnan(got[i]) && isnan(want[i]))) continue;
        if (c->failures < 3) printf("value %zu is %a, the reference has %a\n", i, (double)got[i], (double)want[i]);
        va_list arguments;
        va_start(arguments, what);
        report(c, what, arguments);
        va_end(arguments);
        return;
    }
}

void checker_same_bytes(checker *c, const void *got, const void *want, size_t size, size_t count, const char *what, ...)
{
    if (count > 0 && c->level == jm_cpu_level_text(JM_CPU_REFERENCE))
        c->digest = jm_crc32c(c->digest, want, size * count);
    for (size_t i = 0; i < count; i++) {
        if (memcmp((const char *)got + i * size, (const char *)want + i * size, size) == 0) continue;
        if (c->failures < 3) printf("element %zu is not that of the reference\n", i);
        va_list arguments;
        va_start(arguments, what);
        report(c, what, arguments);
        va_end(arguments);
        return;
    }
}

static void on_crash(int signal_number)
{
    char text[256];
    const int length = snprintf(text, sizeof(text), "FAILED %s at %s: crashed with signal %d\n", crashing->name,
                                crashing->level, signal_number);
    ssize_t ignored = write(STDOUT_FILENO, text, (size_t)length);
    (void)ignored;
    _exit(1);
}

/* ---- Running ---- */

typedef void (*any_function)(void);

static any_function function_at(const jm_kernels *table, size_t offset)
{
    any_function function;
    memcpy(&function, (const char *)table + offset, sizeof(function));
    return function;
}

/* Every slot of the family's table is one of the kernels. */
static void check_coverage(checker *c, const checker_family *family, const checker_kernel *kernels, int count)
{
    c->name = family->name;
    c->level = "any level";
    c->failures = 0;
    for (size_t slot = family->data; slot < family->size; slot += sizeof(any_function)) {
        bool listed = false;
        for (int k = 0; k < count; k++) listed = listed || kernels[k].offset == family->offset + slot;
        if (!listed) checker_fail(c, "the slot at byte %zu of its table is not checked", slot);
    }
    c->failed += c->failures > 0;
}

static void bench(checker *c, const checker_kernel *kernel, const jm_kernels *tested, double peak)
{
    enum { BENCH_ROUNDS = 50, BENCH_NS = 200000000 };
    double best = 0;
    const uint64_t first = jm_clock_ns();
    for (int round = 0; round < BENCH_ROUNDS && jm_clock_ns() - first < BENCH_NS; round++) {
        const uint64_t seed = c->random;
        const double work = kernel->bench(c, kernel, tested);
        const double rate = work / (double)(jm_clock_ns() - c->prepared);
        c->random = seed;
        release_buffers(c);
        best = JM_MAX(best, rate);
    }
    if (kernel->flops)
        printf("%-32s %-10s %8.2f GFLOP/s %6.1f %% of peak\n", kernel->name, c->level, best, 100 * best / peak);
    else
        printf("%-32s %-10s %8.3f ns an element\n", kernel->name, c->level, 1 / best);
}

/* A kernel at one level, unless a lower level has the same function. */
static void run_kernel(checker *c, const checker_kernel *kernel, jm_cpu_level level, bool timed, double peak)
{
    const jm_kernels *reference = jm_kernels_at(JM_CPU_REFERENCE), *tested = jm_kernels_at(level);
    const any_function function = function_at(tested, kernel->offset);
    c->name = kernel->name;
    c->level = jm_cpu_level_text(level);
    c->failures = 0;
    /* The same inputs whatever ran before: with a filter, and on machines that have other levels. */
    c->random = (c->seed + jm_crc32c((uint32_t)level, c->name, strlen(c->name))) * 0x9e3779b97f4a7c15 | 1;
    if (!function) checker_fail(c, "the table has no function");
    for (int lower = 0; function && lower < (int)level; lower++)
        if (function_at(jm_kernels_at((jm_cpu_level)lower), kernel->offset) == function) return;
    for (int round = 0; function && round < ROUNDS && c->failures == 0; round++) {
        kernel->check(c, kernel, reference, tested);
        release_buffers(c);
    }
    if (c->failures > 0)
        c->failed++;
    else
        c->passed++;
    if (timed && kernel->bench && c->failures == 0) bench(c, kernel, tested, peak);
}

int main(int argc, char **argv)
{
    static checker c;
    bool timed = false;
    const char *filter = "";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--bench") == 0)
            timed = true;
        else
            filter = argv[i];
    }
    const char *text = getenv("JUMAR_TEST_SEED");
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    c.seed = c.random = text ? strtoull(text, NULL, 0) : (uint64_t)now.tv_nsec | 1;
    printf("seed: JUMAR_TEST_SEED=%llu\n", (unsigned long long)c.seed);
    crashing = &c;
    const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    for (size_t i = 0; i < JM_COUNT(signals); i++) signal(signals[i], on_crash);

    static checker_kernel kernels[MAX_KERNELS];
    for (size_t f = 0; f < JM_COUNT(families); f++) {
        const int count = families[f]->list(kernels, MAX_KERNELS);
        if (count > MAX_KERNELS) {
            printf("FAILED %s: more than %d kernels\n", families[f]->name, MAX_KERNELS);
            return 1;
        }
        check_coverage(&c, families[f], kernels, count);
        for (int level = 0; level < JM_CPU_LEVELS; level++) {
            if (!jm_kernels_at((jm_cpu_level)level)) continue;
            const double peak = timed ? jm_fma_peak((jm_cpu_level)level) / 1e9 : 0;
            for (int k = 0; k < count; k++)
                if (strstr(kernels[k].name, filter)) run_kernel(&c, &kernels[k], (jm_cpu_level)level, timed, peak);
        }
    }
    for (int level = 0; level < JM_CPU_LEVELS; level++)
        if (!jm_kernels_at((jm_cpu_level)level))
            printf("not run: %s (CPU lacks it)\n", jm_cpu_level_text((jm_cpu_level)level));
    printf("digest of the reference: %08x\n", c.digest);
    printf("%d kernels passed, %d failed\n", c.passed, c.failed);
    jm_free(c.buffer);
    return c.failed > 0 || c.passed == 0;
}
