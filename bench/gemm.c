/* SPDX-License-Identifier: Apache-2.0
 *
 * MatMul against the sgemm of an OpenBLAS, which is opened at run time:
 *     bench_gemm SHAPES LIBRARY [threads [text]]       text: only lines of SHAPES that contain it
 * Each shape is timed twice against it in interleaved pairs: with both operands as they come ("run"), and with a
 * constant right operand ("packed": in the packed form, unless it has too few columns), as compiled models have it. The
 * ratio of a shape is the median over its pairs. One thread is timed in processor time, more threads by the clock.
 * Without OpenBLAS (LIBRARY is -) only our own times are printed.
 */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/system.h"
#include "kernels/kernels.h"
#include "kernels/peak.h"
#include "ops/op.h"
#include "values.h"

enum { MAX_THREADS = 16, MAX_SHAPES = 1000, MAX_PAIRS = 25 };

typedef struct product {
    char group[16];
    int rows, columns, depth, batch;
    bool trans_a, trans_b;
    double flops;
    double peak[2]; /* run, packed: GFLOP/s of the best time over the peak */
    double ratio[2];
} product;

static void need_ok(jm_status status)
{
    if (status == JM_OK) return;
    fprintf(stderr, "bench_gemm: %s\n", jm_last_error());
    exit(1);
}

static void *need(void *memory)
{
    if (!memory) need_ok(JM_OUT_OF_MEMORY);
    return memory;
}

static double now_ns(unsigned threads)
{
    return (double)(threads == 1 ? jm_thread_clock_ns() : jm_clock_ns());
}

/* ---- OpenBLAS ---- */

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };

static struct {
    void (*sgemm)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda,
                  const float *b, int ldb, float beta, float *c, int ldc);
    void (*set_threads)(int threads);
    const char *(*config)(void);
    const char *(*core)(void);
} blas;

static void *symbol(void *library, const char *name)
{
    char prefixed[64]; /* SciPy's builds put their name in front */
    snprintf(prefixed, sizeof(prefixed), "scipy_%s", name);
    void *found = dlsym(library, name);
    if (!found) found = dlsym(library, prefixed);
    if (found) return found;
    fprintf(stderr, "bench_gemm: %s\n", dlerror());
    exit(1);
}

static void open_blas(const char *path, unsigned threads)
{
    if (strcmp(path, "-") == 0) return;
    /* OpenBLAS's threads spin after a product, for seconds, on the core that our next one needs. */
    setenv("OPENBLAS_THREAD_TIMEOUT", "4", 0);
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "bench_gemm: %s\n", dlerror());
        exit(1);
    }
    *(void **)&blas.sgemm = symbol(library, "cblas_sgemm");
    *(void **)&blas.set_threads = symbol(library, "openblas_set_num_threads");
    *(void **)&blas.config = symbol(library, "openblas_get_config");
    *(void **)&blas.core = symbol(library, "openblas_get_corename");
    blas.set_threads((int)threads);
    printf("%s; runs %s\n", blas.config(), blas.core());
}

/* ---- The product under test ---- */

/* What the threads of a product share. Helpers yield between calls, as OpenBLAS's do. */
typedef struct team {
    unsigned threads;
    const jm_op *op;
    const jm_plan *plan;
    void *in[2], *out[1], *workspace, *scratch[MAX_THREADS];
    atomic_size_t next;
    atomic_uint round, done; /* the helpers work when `round` changes; 0 ends them */
    atomic_uint started;
} team;

static void work(team *t, unsigned me)
{
    atomic_int fault = JM_OK;
    jm_run run = {.in = t->in, .out = t->out, .fault = &fault, .scratch = t->scratch[me], .workspace = t->workspace};
    while ((run.chunk = atomic_fetch_add(&t->next, 1)) < t->plan->chunks) t->op->run(t->plan, &run);
}

static void *helper(void *argument)
{
    team *t = argument;
    const unsigned me = atomic_fetch_add(&t->started, 1) + 1;
    for (unsigned seen = 1, round;;) {
        while ((round = atomic_load(&t->round)) == seen) sched_yield();
        if (round == 0) return NULL;
        seen = round;
        work(t, me);
        atomic_fetch_add(&t->done, 1);
    }
}

static void call_ours(team *t)
{
    atomic_store(&t->next, 0);
    atomic_store(&t->done, 0);
    const unsigned helpers = t->plan->chunks > 1 ? t->threads - 1 : 0;
    if (helpers) atomic_fetch_add(&t->round, 1);
    work(t, 0);
    while (atomic_load(&t->done) < helpers) sched_yield();
}

static jm_tensor operand(int batch, int rows, int columns, bool transposed, uint32_t seed)
{
    jm_tensor t;
    size_t bytes;
    const jm_shape shape = {.rank = batch > 1 ? 3 : 2, .dim = {batch, rows, columns}};
    jm_shape own = shape;
    if (batch == 1) memmove(own.dim, shape.dim + 1, 2 * sizeof(own.dim[0]));
    need_ok(jm_tensor_init(&t, JM_F32, &own, JM_PLAIN, NULL));
    need_ok(jm_tensor_bytes(&t, &bytes));
    if (transposed) {
        t.stride[own.rank - 2] = 1;
        t.stride[own.rank - 1] = rows;
    }
    float *value = t.data = need(jm_alloc(bytes, 1));
    uint32_t x = seed;
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        x = x * 1664525 + 1013904223;
        value[i] = (float)(x >> 8) / (1 << 23) - 1;
    }
    return t;
}

static void call_blas(const product *s, const float *a, const float *b, float *y)
{
    const size_t m = (size_t)s->rows, n = (size_t)s->columns, k = (size_t)s->depth;
    for (int i = 0; i < s->batch; i++, a += m * k, b += k * n, y += m * n)
        blas.sgemm(ROW_MAJOR, s->trans_a ? TRANS : NO_TRANS, s->trans_b ? TRANS : NO_TRANS, s->rows, s->columns,
                   s->depth, 1, a, s->trans_a ? s->rows : s->depth, b, s->trans_b ? s->depth : s->columns, 0, y,
                   s->columns);
}

/* Largest difference over the size of a sum of `depth` products of numbers in [-1, 1). */
static void check(const product *s, const float *got, const float *want)
{
    const size_t count = (size_t)s->batch * (size_t)s->rows * (size_t)s->columns;
    for (size_t i = 0; i < count; i++) {
        if (fabsf(got[i] - want[i]) <= 1e-5f * sqrtf((float)s->depth) + 1e-6f) continue;
        fprintf(stderr, "bench_gemm: %d %d %d: element %zu is %g here, %g there\n", s->rows, s->columns, s->depth, i,
                (double)got[i], (double)want[i]);
        exit(1);
    }
}

static void time_form(product *s, int which, const jm_machine *machine, double peak)
{
    jm_arena *arena;
    need_ok(jm_arena_create(&arena));
    jm_tensor in[2] = {operand(s->batch, s->rows, s->depth, s->trans_a, 1),
                       operand(s->batch, s->depth, s->columns, s->trans_b, 2)};
    float *a = in[0].data, *b = in[1].data;
    jm_tensor out;
    jm_call call = {.op = jm_op_find("MatMul"), .name = "", .inputs = 2, .outputs = 1, .in = in, .out = &out};
    in[1].constant = which == 1;
    need_ok(jm_op_infer(&call));
    jm_form forms[JM_MAX_FORMS];
    const jm_form form = forms[jm_op_forms(&call, forms) - 1]; /* the most special one */
    out = operand(s->batch, s->rows, s->columns, false, 3);
    float *blas_out = need(jm_alloc((size_t)s->batch * (size_t)s->rows * (size_t)s->columns, sizeof(float)));
    if (form.in_packed) {
        size_t bytes;
        need_ok(call.op->pack_bytes(&call, &form, 1, &bytes));
        void *packed = need(jm_alloc(JM_MAX(bytes, 1), 1));
        need_ok(call.op->pack(&call, &form, 1, packed));
        in[1].data = packed;
        in[1].layout = JM_PACKED;
    }
    jm_plan plan;
    need_ok(jm_op_plan(&call, &form, machine, arena, &plan));
    team t = {.threads = machine->threads,
              .op = call.op,
              .plan = &plan,
              .in = {in[0].data, in[1].data},
              .out = {out.data},
              .workspace = need(jm_alloc(JM_MAX(plan.workspace, 1), 1)),
              .round = 1};
    pthread_t thread[MAX_THREADS];
    for (unsigned i = 0; i < t.threads; i++) t.scratch[i] = need(jm_alloc(JM_MAX(plan.scratch, 1), 1));
    for (unsigned i = 1; i < t.threads; i++) pthread_create(&thread[i], NULL, helper, &t);

    call_ours(&t);
    if (blas.sgemm) {
        call_blas(s, a, b, blas_out);
        check(s, out.data, blas_out);
    }
    /* A millisecond or more for a measurement, but 25 pairs only of what takes less than 20. */
    const double begin = now_ns(t.threads);
    call_ours(&t);
    const double once = now_ns(t.threads) - begin;
    const int repeat = (int)JM_MAX(1, JM_MIN(20000, 1e6 / JM_MAX(once, 20)));
    const int pairs = (int)JM_MAX(7, JM_MIN(MAX_PAIRS, 2e8 / JM_MAX(once * repeat, 20)));
    double ratio[MAX_PAIRS], least = INFINITY;
    for (int i = 0; i < pairs; i++) {
        const double t0 = now_ns(t.threads);
        for (int r = 0; r < repeat; r++) call_ours(&t);
        const double t1 = now_ns(t.threads);
        for (int r = 0; blas.sgemm && r < repeat; r++) call_blas(s, a, b, blas_out);
        const double t2 = now_ns(t.threads);
        least = JM_MIN(least, (t1 - t0) / repeat);
        ratio[i] = blas.sgemm ? (t1 - t0) / (t2 - t1) : NAN;
    }
    s->ratio[which] = median(ratio, pairs);
    s->peak[which] = s->flops / least / peak;

    atomic_store(&t.round, 0);
    for (unsigned i = 1; i < t.threads; i++) pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < t.threads; i++) jm_free(t.scratch[i]);
    jm_free(t.workspace);
    if (in[1].data != b) jm_free(in[1].data);
    jm_free(a);
    jm_free(b);
    jm_free(out.data);
    jm_free(blas_out);
    jm_arena_destroy(arena);
}

/* ---- Report ---- */

static int read_shapes(const char *path, const char *text, product *shapes)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    char line[256];
    int count = 0;
    while (fgets(line, sizeof(line), file)) {
        if (line[0] == '#' || (text && !strstr(line, text)) || count == MAX_SHAPES) continue;
        product *s = &shapes[count];
        char a, b;
        if (sscanf(line, "%15s %d %d %d %d %c %c", s->group, &s->rows, &s->columns, &s->depth, &s->batch, &a, &b) !=
            7) {
            fprintf(stderr, "bench_gemm: %s: a line is 'group rows columns depth batch A B': %s", path, line);
            exit(1);
        }
        s->trans_a = a == 't';
        s->trans_b = b == 't';
        s->flops = 2.0 * s->batch * s->rows * s->columns * s->depth;
        count++;
    }
    fclose(file);
    return count;
}

static int by_run(const void *a, const void *b)
{
    return by_value(&((const product *)b)->ratio[0], &((const product *)a)->ratio[0]);
}

static int by_packed(const void *a, const void *b)
{
    const double x = ((const product *)a)->ratio[1], y = ((const product *)b)->ratio[1];
    return (x < y) - (x > y);
}

static void print_shape(const product *s)
{
    printf("%-12s %5d %5d %5d %3d  %c%c %8.1f %7.3f %8.1f %7.3f\n", s->group, s->rows, s->columns, s->depth, s->batch,
           s->trans_a ? 't' : 'n', s->trans_b ? 't' : 'n', 100 * s->peak[0], s->ratio[0], 100 * s->peak[1],
           s->ratio[1]);
    fflush(stdout);
}

static const char *const title =
    "group         rows  cols depth  x  AB   % peak   ratio   packed   ratio\n"; /* as print_shape */

static void print_mean(const char *name, const product *shapes, int count)
{
    double sum[2] = {0, 0};
    int n[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            if (strcmp(name, "all") != 0 && strcmp(name, shapes[i].group) != 0) continue;
            if (!(shapes[i].ratio[k] > 0)) continue;
            sum[k] += log(shapes[i].ratio[k]);
            n[k]++;
        }
    }
    printf("geometric mean, %-12s run %.3f of %d, packed %.3f of %d\n", name, exp(sum[0] / n[0]), n[0],
           exp(sum[1] / n[1]), n[1]);
}

int main(int argc, char **argv)
{
    static product shapes[MAX_SHAPES];
    const int threads = argc > 3 ? atoi(argv[3]) : 1;
    if (argc < 3 || threads < 1 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: bench_gemm SHAPES LIBRARY|- [threads 1..%d [text]]\n", MAX_THREADS);
        return 2;
    }
    open_blas(argv[2], (unsigned)threads);
    jm_machine machine = {.threads = (unsigned)threads};
    need_ok(jm_kernels_get(&machine.kernels));
    jm_cpu_caches(&machine.l1, &machine.l2);
    const double peak = jm_fma_peak(machine.kernels->level) / 1e9 * threads;
    printf("%d threads, level %s, FMA peak %.1f GFLOP/s\n", threads, jm_cpu_level_text(machine.kernels->level), peak);
    const int count = read_shapes(argv[1], argc > 4 ? argv[4] : NULL, shapes);
    fputs(title, stdout);
    for (int i = 0; i < count; i++) {
        product *s = &shapes[i];
        s->ratio[1] = s->peak[1] = NAN;
        time_form(s, 0, &machine, peak);
        if (s->batch == 1) time_form(s, 1, &machine, peak);
        print_shape(s);
    }
    if (!blas.sgemm || count == 0) return 0;
    puts("");
    for (int i = 0; i < count; i++)
        if (i == 0 || strcmp(shapes[i].group, shapes[i - 1].group) != 0) print_mean(shapes[i].group, shapes, count);
    print_mean("all", shapes, count);
    for (int k = 0; k < 2; k++) {
        printf("\nworst ten, %s\n%s", k ? "packed" : "run", title);
        qsort(shapes, (size_t)count, sizeof(product), k ? by_packed : by_run);
        for (int i = 0, shown = 0; i < count && shown < 10; i++) {
            if (!(shapes[i].ratio[k] > 0)) continue;
            print_shape(&shapes[i]);
            shown++;
        }
    }
    return 0;
}
