/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "jumar/roof.h"
#include "jumar/session.h"
#include "jumar/tool.h"

static const char help[] =
    "Usage: jumar profile MODEL.om [OPTION ...]\n"
    "\n"
    "Times every layer of a model on random input and compares it with its roof on this machine.\n"
    "\n"
    "  --threads N      number of cores; default: 1\n"
    "  --top N          lists only the N layers that lose the most time against their roof, worst first\n"
    "  --repeat N       timed runs; default 20\n"
    "  --best           the shortest time of each layer, not the median\n"
    "  --processor-time what one core spent, not the wall clock: for a machine with other work\n"
    "  --json FILE      also writes the results as JSON; '-' prints only JSON\n"
    "  -h, --help       this text\n"
    "\n"
    "The roof is the least time that the layer's algorithm could take: its multiply-adds at the FMA peak\n"
    "(bound: fma; winograd when the algorithm needs fewer than the operator has), or its inputs, weights and\n"
    "outputs once at the bandwidth of the cache that holds them (bound: memory). Peak and bandwidths are measured\n"
    "in the same run, on as many cores. The activation is not part of the roof; its column is the time that it\n"
    "takes by itself in the first cache. Times are wall times; 'busy' is the share of them in which cores\n"
    "computed. Runs with and without timers alternate.\n"
    "\n"
    "Example:\n"
    "  jumar profile yolov8n.om --threads 2 --top 10\n";

#define NEAR_ROOF 1.10 /* times the roof: nothing left to gain */
#define LARGE_SHARE 0.01

enum { WARMUP = 3, MAX_KINDS = 64 };

typedef struct arguments {
    const char *model, *json;
    int32_t threads, repeat, top;
    bool best, processor;
} arguments;

/* Times in microseconds, here and below. */
typedef struct layer {
    jumar_step_info step;
    size_t number;
    double us, min_us, busy_us, activation_us;
    roof_bound bound;
} layer;

/* Layers of one operator and algorithm. */
typedef struct kind {
    const char *op, *form;
    size_t layers;
    double us, roof_us;
} kind;

typedef struct profile {
    jumar_session_info info;
    roof roof;
    layer *layer;
    size_t layers;
    kind kind[MAX_KINDS];
    size_t kinds;
    double run_us, untimed_us; /* whole runs with and without timers */
    double steps_us, roof_us;  /* sums of the layers' */
    double overhead_us;        /* of a run with timers, outside of its steps */
    size_t large, near_roof;   /* layers over LARGE_SHARE, and those of them within NEAR_ROOF */
} profile;

static int parse(const tool_command *command, int argc, char **argv, arguments *a)
{
    enum { THREADS = 256, TOP, REPEAT, BEST, PROCESSOR, AS_JSON };
    static const struct option options[] = {{"threads", required_argument, NULL, THREADS},
                                            {"top", required_argument, NULL, TOP},
                                            {"repeat", required_argument, NULL, REPEAT},
                                            {"best", no_argument, NULL, BEST},
                                            {"processor-time", no_argument, NULL, PROCESSOR},
                                            {"json", required_argument, NULL, AS_JSON},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    size_t count;
    a->threads = 1;
    a->repeat = 20;
    for (int option; (option = tool_option(command, argc, argv, options)) != -1;) {
        bool good = true;
        switch (option) {
        case THREADS:
            good = tool_parse_ints(command, "--threads", optarg, 1, 1024, &a->threads, 1, &count);
            break;
        case TOP:
            good = tool_parse_ints(command, "--top", optarg, 1, 1000000, &a->top, 1, &count);
            break;
        case REPEAT:
            good = tool_parse_ints(command, "--repeat", optarg, 1, 10000, &a->repeat, 1, &count);
            break;
        case BEST:
            a->best = true;
            break;
        case PROCESSOR:
            a->processor = true;
            break;
        case AS_JSON:
            a->json = optarg;
            break;
        case 'h':
            return TOOL_OK;
        default:
            return TOOL_USAGE;
        }
        if (!good) return TOOL_USAGE;
    }
    if (optind != argc - 1) return tool_usage(command, "name one model file");
    if (a->processor && a->threads > 1) return tool_usage(command, "--processor-time goes with one thread");
    a->model = argv[optind];
    return -1;
}

/* ---- Measuring ---- */

/* Microseconds of every run: each row has `repeat` of them. */
typedef struct samples {
    double *wall, *busy; /* a row for each layer; with --processor-time both are that */
    double *run, *untimed, *overhead;
} samples;

static void samples_destroy(samples *s)
{
    jm_free(s->wall);
    jm_free(s->busy);
    jm_free(s->run);
    jm_free(s->untimed);
    jm_free(s->overhead);
}

static jm_status samples_create(samples *s, size_t layers, size_t repeat)
{
    s->wall = jm_alloc(layers * repeat + 1, sizeof *s->wall);
    s->busy = jm_alloc(layers * repeat + 1, sizeof *s->busy);
    s->run = jm_alloc(repeat, sizeof *s->run);
    s->untimed = jm_alloc(repeat, sizeof *s->untimed);
    s->overhead = jm_alloc(repeat, sizeof *s->overhead);
    return s->wall && s->busy && s->run && s->untimed && s->overhead ? JM_OK : JM_OUT_OF_MEMORY;
}

/* The session's only core is lent to the calling thread, so that its processor time is that of the run. */
static jm_status timed_run(jumar_session *session, const arguments *a, const tool_buffers *buffers, bool timing,
                           double *us)
{
    uint64_t (*const clock)(void) = a->processor ? jm_thread_clock_ns : jm_clock_ns;
    const jumar_timing on = a->processor ? JUMAR_TIMING_PROCESSOR : JUMAR_TIMING_WALL;
    jumar_session_set_timing(session, timing ? on : JUMAR_TIMING_OFF);
    const uint64_t begin = clock();
    if (tool_buffers_run(session, buffers) != JUMAR_OK) return JM_INTERNAL;
    *us = (double)(clock() - begin) * 1e-3;
    return JM_OK;
}

static jm_status measure_runs(jumar_session *session, const arguments *a, const profile *p, samples *s)
{
    const size_t repeat = (size_t)a->repeat;
    tool_buffers buffers = {0};
    jm_status status = tool_buffers_create(session, &buffers);
    for (int i = 0; i < WARMUP && status == JM_OK; i++) status = timed_run(session, a, &buffers, true, &s->run[0]);
    for (size_t r = 0; r < repeat && status == JM_OK; r++) {
        status = timed_run(session, a, &buffers, false, &s->untimed[r]);
        if (status == JM_OK) status = timed_run(session, a, &buffers, true, &s->run[r]);
        double steps = 0;
        for (size_t i = 0; i < p->layers && status == JM_OK; i++) {
            jumar_step_info step;
            if (jumar_session_step(session, i + 1, &step) != JUMAR_OK) status = JM_INTERNAL;
            const double us = (double)(a->processor ? step.ns : step.wall_ns) * 1e-3;
            s->wall[i * repeat + r] = us;
            s->busy[i * repeat + r] = (double)step.ns * 1e-3;
            steps += us;
        }
        s->overhead[r] = fmax(s->run[r] - steps, 0);
    }
    tool_buffers_destroy(session, &buffers);
    return status;
}

/* The median, or the least. Sorts the values. */
static double summary(const arguments *a, double *values)
{
    tool_sort(values, (size_t)a->repeat);
    return values[a->best ? 0 : a->repeat / 2];
}

static void summarise(const arguments *a, profile *p, samples *s)
{
    const size_t repeat = (size_t)a->repeat;
    p->run_us = summary(a, s->run);
    p->untimed_us = summary(a, s->untimed);
    p->overhead_us = summary(a, s->overhead);
    for (size_t i = 0; i < p->layers; i++) {
        layer *l = &p->layer[i];
        l->us = fmax(summary(a, s->wall + i * repeat), 1e-3); /* the clock's resolution */
        l->min_us = fmax(s->wall[i * repeat], 1e-3);
        l->busy_us = summary(a, s->busy + i * repeat);
        p->steps_us += l->us;
    }
}

static void add_to_kind(profile *p, const layer *l)
{
    size_t k = 0;
    while (k < p->kinds && (strcmp(p->kind[k].op, l->step.op) != 0 || strcmp(p->kind[k].form, l->step.form) != 0)) k++;
    if (k == MAX_KINDS) k--; /* what is rarer than 63 others */
    if (k == p->kinds) p->kind[p->kinds++] = (kind){.op = l->step.op, .form = l->step.form};
    p->kind[k].layers++;
    p->kind[k].us += l->us;
    p->kind[k].roof_us += l->bound.ns * 1e-3;
}

static void compare(profile *p)
{
    const uint64_t footprint = p->info.weight_bytes + p->info.arena_bytes;
    for (size_t i = 0; i < p->layers; i++) {
        layer *l = &p->layer[i];
        l->bound = roof_of(&p->roof, &l->step, footprint);
        l->activation_us = roof_activation(&p->roof, &l->step) * 1e-3;
        p->roof_us += l->bound.ns * 1e-3;
        add_to_kind(p, l);
        if (l->us <= LARGE_SHARE * p->steps_us) continue;
        p->large++;
        p->near_roof += l->us <= NEAR_ROOF * l->bound.ns * 1e-3;
    }
}

static jm_status measure(jumar_session *session, const arguments *a, profile *p)
{
    samples s = {0};
    const jm_kernels *kernels;
    JM_TRY(jm_kernels_get(&kernels));
    if (jumar_session_get_info(session, &p->info) != JUMAR_OK) return JM_INTERNAL;
    p->layers = p->info.steps - 1; /* step 0 binds addresses */
    p->layer = jm_alloc(p->layers + 1, sizeof *p->layer);
    if (!p->layer) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < p->layers; i++) {
        p->layer[i].number = i;
        if (jumar_session_step(session, i + 1, &p->layer[i].step) != JUMAR_OK) return JM_INTERNAL;
    }
    roof_init(&p->roof, kernels, p->info.threads);
    /* Before and after: the machine may have been busy at either time. */
    jm_status status = roof_measure(&p->roof);
    if (status == JM_OK) status = samples_create(&s, p->layers, (size_t)a->repeat);
    if (status == JM_OK) status = measure_runs(session, a, p, &s);
    if (status == JM_OK) status = roof_measure(&p->roof);
    if (status == JM_OK) {
        summarise(a, p, &s);
        compare(p);
    }
    samples_destroy(&s);
    return status;
}

/* ---- Output ---- */

static double roof_us(const layer *l)
{
    return l->bound.ns * 1e-3;
}

static double gflops(const layer *l)
{
    return l->step.flops / l->us * 1e-3;
}

static int more_lost(const void *left, const void *right)
{
    const layer *a = left, *b = right;
    const double x = a->us - roof_us(a), y = b->us - roof_us(b);
    return (x < y) - (x > y);
}

static const char *shape_text(const jumar_step_info *step, char text[JM_SHAPE_TEXT])
{
    jm_shape shape = {.rank = step->rank};
    for (int i = 0; i < step->rank; i++) shape.dim[i] = step->dim[i];
    return jm_shape_text(&shape, text);
}

static void print_machine(const arguments *a, const profile *p)
{
    printf("%s: %.2f GFLOP, %s, %u thread%s, %s%s of %d runs\n", jm_path_base(a->model), p->info.flops * 1e-9,
           p->info.cpu, p->info.threads, p->info.threads == 1 ? "" : "s", a->best ? "least" : "median",
           a->processor ? " processor time" : "", a->repeat);
    printf("FMA peak %.1f GFLOP/s; GB/s to read, write, copy:", p->roof.peak * 1e-9);
    for (int i = 0; i < ROOF_LEVELS; i++) {
        const double *rate = p->roof.bandwidth[i];
        printf("%s %s %.1f, %.1f, %.1f", i ? ";" : "", roof_level_text((roof_level)i), rate[JM_STREAM_READ] * 1e-9,
               rate[JM_STREAM_WRITE] * 1e-9, rate[JM_STREAM_COPY] * 1e-9);
    }
    puts("\n");
}

static void print_layers(const arguments *a, const profile *p)
{
    const bool several = p->info.threads > 1;
    const size_t count = a->top ? JM_MIN((size_t)a->top, p->layers) : p->layers;
    printf(
        "   #  operator            algorithm     output                     us       %%  GFLOP/s  bound       roof us  "
        "%% roof  lost us   act us%s  name\n",
        several ? "  busy %" : "");
    for (size_t i = 0; i < count; i++) {
        const layer *l = &p->layer[i];
        char shape[JM_SHAPE_TEXT], busy[16] = "";
        if (several) snprintf(busy, sizeof busy, "  %6.1f", 100 * l->busy_us / l->us / p->info.threads);
        printf("%4zu  %-18s  %-12s  %-20s %8.1f  %6.2f  %7.1f  %-8s  %9.1f  %6.1f  %7.1f  %7.1f%s  %s\n", l->number,
               l->step.op, l->step.form, shape_text(&l->step, shape), l->us, 100 * l->us / p->steps_us, gflops(l),
               l->bound.word, roof_us(l), 100 * roof_us(l) / l->us, l->us - roof_us(l), l->activation_us, busy,
               l->step.name);
    }
}

static void print_totals(const profile *p)
{
    puts("\noperator            algorithm     layers          us       %     roof us  % roof     lost us");
    for (size_t k = 0; k < p->kinds; k++) {
        const kind *at = &p->kind[k];
        printf("%-18s  %-12s  %6zu  %10.1f  %6.2f  %10.1f  %6.1f  %10.1f\n", at->op, at->form, at->layers, at->us,
               100 * at->us / p->steps_us, at->roof_us, 100 * at->roof_us / at->us, at->us - at->roof_us);
    }
    printf("%-18s  %-12s  %6zu  %10.1f  %6.2f  %10.1f  %6.1f  %10.1f\n", "all layers", "", p->layers, p->steps_us,
           100.0, p->roof_us, 100 * p->roof_us / p->steps_us, p->steps_us - p->roof_us);
    printf("\nwhole run %.1f us, %.1f us without timers; outside of layers %.1f us, %.3f us for each\n", p->run_us,
           p->untimed_us, p->overhead_us, p->layers ? p->overhead_us / (double)p->layers : 0);
    printf("layers over %.0f %% of the time: %zu; within %.2f of their roof: %zu of these\n", 100 * LARGE_SHARE,
           p->large, NEAR_ROOF, p->near_roof);
}

/* Adds a number to an object; false when memory ran out. */
static bool add(cJSON *object, const char *name, double value)
{
    return cJSON_AddNumberToObject(object, name, value) != NULL;
}

static bool add_text(cJSON *object, const char *name, const char *value)
{
    return cJSON_AddStringToObject(object, name, value) != NULL;
}

/* A new object at the end of the list; NULL when memory ran out. */
static cJSON *append(cJSON *list)
{
    cJSON *item = cJSON_CreateObject();
    if (item && cJSON_AddItemToArray(list, item)) return item;
    cJSON_Delete(item);
    return NULL;
}

static bool json_machine(cJSON *root, const arguments *a, const profile *p)
{
    cJSON *levels = NULL;
    bool ok = add_text(root, "model", a->model) && add_text(root, "cpu", p->info.cpu) &&
              add(root, "threads", p->info.threads) && add(root, "repeat", a->repeat) &&
              add_text(root, "statistic", a->best ? "least" : "median") &&
              add_text(root, "clock", a->processor ? "processor" : "wall") &&
              add(root, "fma_peak_gflops", p->roof.peak * 1e-9) && (levels = cJSON_AddArrayToObject(root, "bandwidth"));
    for (int i = 0; ok && i < ROOF_LEVELS; i++) {
        const double *rate = p->roof.bandwidth[i];
        cJSON *item = append(levels);
        ok = item && add_text(item, "level", roof_level_text((roof_level)i)) &&
             add(item, "measured_bytes", (double)p->roof.measured[i]) &&
             add(item, "read_gbs", rate[JM_STREAM_READ] * 1e-9) &&
             add(item, "write_gbs", rate[JM_STREAM_WRITE] * 1e-9) && add(item, "copy_gbs", rate[JM_STREAM_COPY] * 1e-9);
    }
    return ok;
}

static bool json_layer(cJSON *item, const profile *p, const layer *l)
{
    const jumar_step_info *step = &l->step;
    cJSON *shape = NULL;
    bool ok = add(item, "index", (double)l->number) && add_text(item, "name", step->name) &&
              add_text(item, "op", step->op) && add_text(item, "algorithm", step->form) &&
              add_text(item, "activation", step->activation) && (shape = cJSON_AddArrayToObject(item, "shape"));
    for (int i = 0; ok && i < step->rank; i++) {
        cJSON *dim = cJSON_CreateNumber((double)step->dim[i]);
        ok = dim && cJSON_AddItemToArray(shape, dim);
    }
    return ok && add(item, "us", l->us) && add(item, "min_us", l->min_us) && add(item, "busy_us", l->busy_us) &&
           add(item, "share", l->us / p->steps_us) && add(item, "gflops", gflops(l)) &&
           add(item, "flops", step->flops) && add(item, "executed_flops", step->executed_flops) &&
           add(item, "input_bytes", (double)step->input_bytes) &&
           add(item, "output_bytes", (double)step->output_bytes) &&
           add(item, "weight_bytes", (double)step->weight_bytes) && add_text(item, "bound", l->bound.word) &&
           add_text(item, "level", roof_level_text(l->bound.level)) && add(item, "roof_us", roof_us(l)) &&
           add(item, "compute_us", l->bound.compute_ns * 1e-3) && add(item, "memory_us", l->bound.memory_ns * 1e-3) &&
           add(item, "roof_share", roof_us(l) / l->us) && add(item, "activation_us", l->activation_us);
}

static bool json_totals(cJSON *root, const profile *p)
{
    cJSON *list = cJSON_AddArrayToObject(root, "kinds"), *totals = NULL;
    bool ok = list != NULL;
    for (size_t k = 0; ok && k < p->kinds; k++) {
        const kind *at = &p->kind[k];
        cJSON *item = append(list);
        ok = item && add_text(item, "op", at->op) && add_text(item, "algorithm", at->form) &&
             add(item, "layers", (double)at->layers) && add(item, "us", at->us) && add(item, "roof_us", at->roof_us) &&
             add(item, "share", at->us / p->steps_us);
    }
    return ok && (totals = cJSON_AddObjectToObject(root, "totals")) && add(totals, "layers", (double)p->layers) &&
           add(totals, "flops", p->info.flops) && add(totals, "run_us", p->run_us) &&
           add(totals, "untimed_run_us", p->untimed_us) && add(totals, "steps_us", p->steps_us) &&
           add(totals, "roof_us", p->roof_us) && add(totals, "overhead_us", p->overhead_us) &&
           add(totals, "layers_over_1_percent", (double)p->large) &&
           add(totals, "layers_within_1_10_of_roof", (double)p->near_roof);
}

/* All layers, in the order in which they run; --top cuts only the table. */
static jm_status write_json(const arguments *a, const profile *p)
{
    cJSON *root = cJSON_CreateObject(), *list = NULL;
    bool ok = root && json_machine(root, a, p) && (list = cJSON_AddArrayToObject(root, "layers"));
    for (size_t i = 0; ok && i < p->layers; i++) {
        cJSON *item = append(list);
        ok = item && json_layer(item, p, &p->layer[i]);
    }
    ok = ok && json_totals(root, p);
    return tool_write_json(root, ok, a->json);
}

static int run(const tool_command *command, int argc, char **argv)
{
    arguments a = {0};
    int code = parse(command, argc, argv, &a);
    if (code >= 0) return code;
    jumar_session *session;
    if (jumar_session_open(a.model, (unsigned)a.threads, &session) != JUMAR_OK) return tool_fail_last(command);
    profile p = {0};
    jm_status status = measure(session, &a, &p);
    if (status == JM_OK && a.json) status = write_json(&a, &p);
    if (status == JM_OK && !(a.json && strcmp(a.json, "-") == 0)) {
        print_machine(&a, &p);
        if (a.top) qsort(p.layer, p.layers, sizeof *p.layer, more_lost);
        print_layers(&a, &p);
        print_totals(&p);
    }
    jm_free(p.layer);
    jumar_session_close(session);
    return status == JM_OK ? TOOL_OK : tool_fail_last(command);
}

const tool_command tool_profile = {"profile", "time of each layer against its roof", help, run};
