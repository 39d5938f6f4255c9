/* SPDX-License-Identifier: Apache-2.0
 *
 * Times every convolution of a network by itself, in every form that writes blocks of channels, against the FMA peak
 * measured in the same run. A star marks the form of least cost, which the compiler would choose; the sums are over
 * those, and over the fastest forms without Winograd. `layer` is a text such as "40x40 128->128" that its line must
 * contain.
 *
 * bench_conv [yolov5s|yolov8n|mobilenetv2|resnet50] [threads [layer]] [--no-activation]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/system.h"
#include "kernels/kernels.h"
#include "kernels/peak.h"
#include "ops/conv.h"

/* Square maps and kernels; padding on both sides. `count`: layers of this shape. */
typedef struct layer {
    int size, channels, filters, kernel, stride, pad, group, count;
} layer;

static const layer yolov5s[] = {
    {640, 3, 32, 6, 2, 2, 1, 1},    {320, 32, 64, 3, 2, 1, 1, 1},  {160, 64, 32, 1, 1, 0, 1, 2},
    {160, 32, 32, 1, 1, 0, 1, 1},   {160, 32, 32, 3, 1, 1, 1, 1},  {160, 64, 64, 1, 1, 0, 1, 1},
    {160, 64, 128, 3, 2, 1, 1, 1},  {80, 128, 64, 1, 1, 0, 1, 2},  {80, 64, 64, 1, 1, 0, 1, 3},
    {80, 64, 64, 3, 1, 1, 1, 3},    {80, 128, 128, 1, 1, 0, 1, 2}, {80, 128, 256, 3, 2, 1, 1, 1},
    {40, 256, 128, 1, 1, 0, 1, 5},  {40, 128, 128, 1, 1, 0, 1, 5}, {40, 128, 128, 3, 1, 1, 1, 5},
    {40, 256, 256, 1, 1, 0, 1, 3},  {40, 256, 512, 3, 2, 1, 1, 1}, {20, 512, 256, 1, 1, 0, 1, 6},
    {20, 256, 256, 1, 1, 0, 1, 2},  {20, 256, 256, 3, 1, 1, 1, 2}, {20, 512, 512, 1, 1, 0, 1, 2},
    {20, 1024, 512, 1, 1, 0, 1, 1}, {40, 512, 128, 1, 1, 0, 1, 2}, {80, 256, 64, 1, 1, 0, 1, 2},
    {80, 128, 128, 3, 2, 1, 1, 1},  {40, 256, 256, 3, 2, 1, 1, 1}, {80, 128, 255, 1, 1, 0, 1, 1},
    {40, 256, 255, 1, 1, 0, 1, 1},  {20, 512, 255, 1, 1, 0, 1, 1},
};

static const layer yolov8n[] = {
    {640, 3, 16, 3, 2, 1, 1, 1},   {320, 16, 32, 3, 2, 1, 1, 1},  {160, 32, 32, 1, 1, 0, 1, 1},
    {160, 16, 16, 3, 1, 1, 1, 2},  {160, 48, 32, 1, 1, 0, 1, 1},  {160, 32, 64, 3, 2, 1, 1, 1},
    {80, 64, 64, 1, 1, 0, 1, 1},   {80, 32, 32, 3, 1, 1, 1, 6},   {80, 128, 64, 1, 1, 0, 1, 1},
    {80, 64, 128, 3, 2, 1, 1, 1},  {40, 128, 128, 1, 1, 0, 1, 1}, {40, 64, 64, 3, 1, 1, 1, 10},
    {40, 256, 128, 1, 1, 0, 1, 1}, {40, 128, 256, 3, 2, 1, 1, 1}, {20, 256, 256, 1, 1, 0, 1, 1},
    {20, 128, 128, 3, 1, 1, 1, 4}, {20, 384, 256, 1, 1, 0, 1, 2}, {20, 256, 128, 1, 1, 0, 1, 1},
    {20, 512, 256, 1, 1, 0, 1, 1}, {40, 384, 128, 1, 1, 0, 1, 1}, {40, 192, 128, 1, 1, 0, 1, 2},
    {80, 192, 64, 1, 1, 0, 1, 1},  {80, 96, 64, 1, 1, 0, 1, 1},   {80, 64, 64, 3, 2, 1, 1, 1},
    {40, 128, 128, 3, 2, 1, 1, 1}, {80, 64, 64, 3, 1, 1, 1, 2},   {80, 64, 80, 3, 1, 1, 1, 1},
    {80, 80, 80, 3, 1, 1, 1, 1},   {40, 128, 64, 3, 1, 1, 1, 1},  {40, 128, 80, 3, 1, 1, 1, 1},
    {40, 80, 80, 3, 1, 1, 1, 1},   {20, 256, 64, 3, 1, 1, 1, 1},  {20, 256, 80, 3, 1, 1, 1, 1},
    {20, 64, 64, 3, 1, 1, 1, 1},   {20, 80, 80, 3, 1, 1, 1, 1},   {80, 64, 64, 1, 1, 0, 1, 1},
    {80, 80, 80, 1, 1, 0, 1, 1},
};

static const layer mobilenetv2[] = {
    {224, 3, 32, 3, 2, 1, 1, 1},     {112, 32, 32, 3, 1, 1, 32, 1},   {112, 32, 16, 1, 1, 0, 1, 1},
    {112, 16, 96, 1, 1, 0, 1, 1},    {112, 96, 96, 3, 2, 1, 96, 1},   {56, 96, 24, 1, 1, 0, 1, 1},
    {56, 24, 144, 1, 1, 0, 1, 2},    {56, 144, 144, 3, 1, 1, 144, 1}, {56, 144, 24, 1, 1, 0, 1, 1},
    {56, 144, 144, 3, 2, 1, 144, 1}, {28, 144, 32, 1, 1, 0, 1, 1},    {28, 32, 192, 1, 1, 0, 1, 3},
    {28, 192, 192, 3, 1, 1, 192, 2}, {28, 192, 32, 1, 1, 0, 1, 2},    {28, 192, 192, 3, 2, 1, 192, 1},
    {14, 192, 64, 1, 1, 0, 1, 1},    {14, 64, 384, 1, 1, 0, 1, 4},    {14, 384, 384, 3, 1, 1, 384, 4},
    {14, 384, 64, 1, 1, 0, 1, 3},    {14, 384, 96, 1, 1, 0, 1, 1},    {14, 96, 576, 1, 1, 0, 1, 3},
    {14, 576, 576, 3, 1, 1, 576, 2}, {14, 576, 96, 1, 1, 0, 1, 2},    {14, 576, 576, 3, 2, 1, 576, 1},
    {7, 576, 160, 1, 1, 0, 1, 1},    {7, 160, 960, 1, 1, 0, 1, 3},    {7, 960, 960, 3, 1, 1, 960, 3},
    {7, 960, 160, 1, 1, 0, 1, 2},    {7, 960, 320, 1, 1, 0, 1, 1},    {7, 320, 1280, 1, 1, 0, 1, 1},
};

static const layer resnet50[] = {
    {224, 3, 64, 7, 2, 3, 1, 1},    {56, 64, 64, 1, 1, 0, 1, 1},    {56, 64, 64, 3, 1, 1, 1, 3},
    {56, 64, 256, 1, 1, 0, 1, 4},   {56, 256, 64, 1, 1, 0, 1, 2},   {56, 256, 128, 1, 1, 0, 1, 1},
    {56, 128, 128, 3, 2, 1, 1, 1},  {28, 128, 512, 1, 1, 0, 1, 4},  {56, 256, 512, 1, 2, 0, 1, 1},
    {28, 512, 128, 1, 1, 0, 1, 3},  {28, 128, 128, 3, 1, 1, 1, 3},  {28, 512, 256, 1, 1, 0, 1, 1},
    {28, 256, 256, 3, 2, 1, 1, 1},  {14, 256, 1024, 1, 1, 0, 1, 6}, {28, 512, 1024, 1, 2, 0, 1, 1},
    {14, 1024, 256, 1, 1, 0, 1, 5}, {14, 256, 256, 3, 1, 1, 1, 5},  {14, 1024, 512, 1, 1, 0, 1, 1},
    {14, 512, 512, 3, 2, 1, 1, 1},  {7, 512, 2048, 1, 1, 0, 1, 3},  {14, 1024, 2048, 1, 2, 0, 1, 1},
    {7, 2048, 512, 1, 1, 0, 1, 2},  {7, 512, 512, 3, 1, 1, 1, 2},
};

static const struct network {
    const char *name;
    const layer *layer;
    size_t layers;
    jm_activation activation;
} network[] = {
    {"yolov5s", yolov5s, JM_COUNT(yolov5s), JM_ACT_SILU},
    {"yolov8n", yolov8n, JM_COUNT(yolov8n), JM_ACT_SILU},
    {"mobilenetv2", mobilenetv2, JM_COUNT(mobilenetv2), JM_ACT_CLIP},
    {"resnet50", resnet50, JM_COUNT(resnet50), JM_ACT_RELU},
};

enum { MAX_THREADS = 64 };

/* One planned layer and what its threads share. */
typedef struct job {
    const jm_op *op;
    jm_plan plan;
    void *in[4], *out[1];
    pthread_barrier_t barrier;
    atomic_size_t next;
    atomic_uint started;
    unsigned threads;
    int rounds;
    double time[MAX_THREADS]; /* of the round, by thread */
    double best;              /* nanoseconds */
} job;

static void *need(void *memory)
{
    if (memory) return memory;
    fprintf(stderr, "bench_conv: %s\n", jm_last_error());
    exit(1);
}

static void need_ok(jm_status status)
{
    if (status != JM_OK) need(NULL);
}

/* On huge pages where there are any, like the arena of a model. */
static void *large(size_t bytes)
{
    const size_t page = (size_t)2 << 20;
    void *memory = aligned_alloc(page, (bytes + page - 1) / page * page);
    if (memory) (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return need(memory);
}

static void *worker(void *argument)
{
    job *j = argument;
    const unsigned me = atomic_fetch_add(&j->started, 1);
    atomic_int fault = JM_OK;
    jm_run run = {.in = j->in, .out = j->out, .fault = &fault};
    run.scratch = large(JM_MAX(j->plan.scratch, 1));
    for (int i = 0; i < j->rounds; i++) {
        if (pthread_barrier_wait(&j->barrier) != 0) atomic_store(&j->next, 0);
        pthread_barrier_wait(&j->barrier);
        const uint64_t begin = jm_thread_clock_ns(); /* free of the machine's other work */
        while ((run.chunk = atomic_fetch_add(&j->next, 1)) < j->plan.chunks) j->op->run(&j->plan, &run);
        j->time[me] = (double)(jm_thread_clock_ns() - begin);
        if (pthread_barrier_wait(&j->barrier) == 0) continue;
        double longest = 0;
        for (unsigned t = 0; t < j->threads; t++) longest = JM_MAX(longest, j->time[t]);
        if (j->best == 0 || longest < j->best) j->best = longest;
    }
    free(run.scratch);
    return NULL;
}

static jm_tensor tensor(jm_shape shape, jm_layout layout)
{
    jm_tensor t;
    size_t bytes;
    need_ok(jm_tensor_init(&t, JM_F32, &shape, layout, NULL));
    need_ok(jm_tensor_bytes(&t, &bytes));
    float *value = t.data = large(bytes);
    for (size_t i = 0; i < bytes / sizeof(float); i++) value[i] = (float)(i * 7 % 13) * 0.02f - 0.1f;
    return t;
}

/* Best time in nanoseconds of form number `which` of a layer. *form describes it, *best is the number of the cheapest
 * form. Negative when the layer has no such form. */
static double time_layer(const layer *l, jm_activation activation, const jm_machine *machine, int which, jm_form *form,
                         int *best, double *flops)
{
    jm_arena *arena;
    need_ok(jm_arena_create(&arena));
    const int64_t pads[] = {l->pad, l->pad, l->pad, l->pad}, strides[] = {l->stride, l->stride};
    const jm_op *op = &jm_op_conv;
    jm_attr *attr = need(jm_arena_alloc(arena, (size_t)jm_op_attrs(op), sizeof(*attr)));
    attr[jm_op_attr_index(op, "pads")] = (jm_attr){.present = true, .count = 4, .ints = pads};
    attr[jm_op_attr_index(op, "strides")] = (jm_attr){.present = true, .count = 2, .ints = strides};
    attr[jm_op_attr_index(op, "group")] = (jm_attr){.present = true, .count = 1, .i = l->group};
    attr[jm_op_attr_index(op, "epilogue")] =
        (jm_attr){.present = true, .count = 1, .epilogue = {.activation = activation}};
    jm_op_attr_defaults(op, attr);
    jm_tensor plain[3] = {
        tensor((jm_shape){.rank = 4, .dim = {1, l->channels, l->size, l->size}}, JM_PLAIN),
        tensor((jm_shape){.rank = 4, .dim = {l->filters, l->channels / l->group, l->kernel, l->kernel}}, JM_PLAIN),
        tensor((jm_shape){.rank = 1, .dim = {l->filters}}, JM_PLAIN),
    };
    plain[1].constant = plain[2].constant = true;
    jm_tensor in[3], out;
    memcpy(in, plain, sizeof(in));
    jm_call call = {.op = op, .name = "", .inputs = 3, .outputs = 1, .in = in, .out = &out, .attr = attr};
    need_ok(jm_op_infer(&call));
    jm_form forms[JM_MAX_FORMS];
    const int count = jm_op_forms(&call, forms);
    int blocked = 0;
    for (int i = 0; i < count; i++)
        if (forms[i].out == JM_C16) forms[blocked++] = forms[i];
    *best = 0;
    for (int i = 1; i < blocked; i++)
        if (forms[i].cost < forms[*best].cost) *best = i;
    double time = -1;
    if (which < blocked) {
        *form = forms[which];
        *flops = jm_op_flops(&call);
        if (form->in == JM_C16 && !(form->in_plain & 1)) in[0] = tensor(plain[0].shape, JM_C16);
        out = tensor(out.shape, form->out);
        for (int i = 1; i < 3 && form->in_packed; i++) {
            size_t bytes;
            need_ok(op->pack_bytes(&call, form, i, &bytes));
            jm_tensor packed = in[i];
            packed.data = large(bytes);
            packed.layout = JM_PACKED;
            need_ok(op->pack(&call, form, i, packed.data));
            in[i] = packed;
        }
        job j = {.op = op, .in = {in[0].data, in[1].data, in[2].data}, .out = {out.data}, .threads = machine->threads};
        need_ok(jm_op_plan(&call, form, machine, arena, &j.plan));
        j.rounds = (int)JM_MAX(10, JM_MIN(300, 8e9 / *flops));
        pthread_barrier_init(&j.barrier, NULL, machine->threads);
        pthread_t thread[MAX_THREADS];
        for (unsigned i = 1; i < machine->threads; i++) pthread_create(&thread[i], NULL, worker, &j);
        worker(&j);
        for (unsigned i = 1; i < machine->threads; i++) pthread_join(thread[i], NULL);
        pthread_barrier_destroy(&j.barrier);
        for (int i = 0; i < 3; i++)
            if (in[i].data != plain[i].data) free(in[i].data);
        free(out.data);
        time = j.best;
    }
    for (int i = 0; i < 3; i++) free(plain[i].data);
    jm_arena_destroy(arena);
    return time;
}

int main(int argc, char **argv)
{
    const struct network *net = NULL;
    const bool plain = argc > 1 && strcmp(argv[argc - 1], "--no-activation") == 0;
    argc -= plain;
    const char *name = argc > 1 ? argv[1] : "yolov5s";
    for (size_t i = 0; i < JM_COUNT(network); i++)
        if (strcmp(network[i].name, name) == 0) net = &network[i];
    const int threads = argc > 2 ? atoi(argv[2]) : 1;
    if (!net || threads < 1 || threads > MAX_THREADS) {
        fprintf(stderr,
                "usage: bench_conv [yolov5s|yolov8n|mobilenetv2|resnet50] [threads 1..64 [layer]] [--no-activation]\n");
        return 2;
    }
    jm_machine machine = {.threads = (unsigned)threads};
    need_ok(jm_kernels_get(&machine.kernels));
    jm_cpu_caches(&machine.l1, &machine.l2);
    const double peak = jm_fma_peak(machine.kernels->level) / 1e9 * threads;
    printf("%s, %d threads, level %s, FMA peak %.1f GFLOP/s\n", net->name, threads,
           jm_cpu_level_text(machine.kernels->level), peak);
    printf("%-34s %-11s %6s %9s %9s %7s %9s\n", "layer", "form", "count", "us", "GFLOP/s", "% peak", "cost us");
    double total = 0, total_flops = 0, direct_total = 0;
    for (size_t i = 0; i < net->layers; i++) {
        const layer *l = &net->layer[i];
        char text[64];
        snprintf(text, sizeof(text), "%dx%d %d->%d %dx%d/%d%s", l->size, l->size, l->channels, l->filters, l->kernel,
                 l->kernel, l->stride, l->group > 1 ? " grouped" : "");
        if (argc > 3 && !strstr(text, argv[3])) continue;
        double direct = 0;
        for (int which = 0;; which++) {
            jm_form form;
            int best;
            double flops;
            const double time =
                time_layer(l, plain ? JM_ACT_NONE : net->activation, &machine, which, &form, &best, &flops);
            if (time < 0) break;
            printf("%-34s %c%-10s %6d %9.1f %9.1f %7.1f %9.1f\n", text, which == best ? '*' : ' ', form.name, l->count,
                   time / 1000, flops / time, 100 * flops / time / peak, form.cost / 1000);
            if (form.flop_share == 0 && (direct == 0 || time < direct)) direct = time;
            if (which != best) continue;
            total += time * l->count;
            total_flops += flops * l->count;
        }
        direct_total += direct * l->count;
    }
    const double sum[] = {total, direct_total};
    for (int i = 0; i < 2; i++) {
        printf("%-34s %-11s %6s %9.1f %9.1f %7.1f\n", i ? "all without Winograd" : "all", "", "", sum[i] / 1000,
               total_flops / sum[i], 100 * total_flops / sum[i] / peak);
    }
    return 0;
}
