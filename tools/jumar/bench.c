/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "jumar/session.h"
#include "jumar/tool.h"
#include "kernels/peak.h"

static const char help[] = "Usage: jumar bench MODEL.om [OPTION ...]\n"
                           "\n"
                           "Times runs of a model on random input.\n"
                           "\n"
                           "  --threads LIST   numbers of cores, such as 1,2; default: all cores\n"
                           "  --repeat N       timed runs for each; default 50\n"
                           "  --warmup N       runs before; default 5\n"
                           "  --json FILE      also writes the results as JSON; '-' prints only JSON\n"
                           "  -h, --help       this text\n"
                           "\n"
                           "% peak is the share of the FMA peak of that many cores, measured in the same run.\n"
                           "\n"
                           "Example:\n"
                           "  jumar bench yolov8n.om --threads 1,2 --repeat 100\n";

enum { MAX_ROWS = 16 };

typedef struct arguments {
    const char *model, *json;
    int32_t threads[MAX_ROWS], repeat, warmup;
    size_t rows;
} arguments;

typedef struct row {
    int32_t threads;
    double median_ms, p95_ms, min_ms, load_ms;
    double flops, peak; /* operations of a run; peak of these cores a second */
} row;

static int parse(const tool_command *command, int argc, char **argv, arguments *a)
{
    enum { THREADS = 256, REPEAT, WARMUP, AS_JSON };
    static const struct option options[] = {{"threads", required_argument, NULL, THREADS},
                                            {"repeat", required_argument, NULL, REPEAT},
                                            {"warmup", required_argument, NULL, WARMUP},
                                            {"json", required_argument, NULL, AS_JSON},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    size_t count;
    a->repeat = 50;
    a->warmup = 5;
    a->threads[0] = (int32_t)jm_core_count();
    a->rows = 1;
    for (int option; (option = tool_option(command, argc, argv, options)) != -1;) {
        bool good = true;
        switch (option) {
        case THREADS:
            good = tool_parse_ints(command, "--threads", optarg, 1, 1024, a->threads, MAX_ROWS, &a->rows);
            break;
        case REPEAT:
            good = tool_parse_ints(command, "--repeat", optarg, 1, 1000000, &a->repeat, 1, &count);
            break;
        case WARMUP:
            good = tool_parse_ints(command, "--warmup", optarg, 0, 1000000, &a->warmup, 1, &count);
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
    a->model = argv[optind];
    return -1;
}

/* ---- Measuring ---- */

static jm_status time_runs(jumar_session *session, const arguments *a, row *r)
{
    tool_buffers buffers = {0};
    double *ms = jm_alloc((size_t)a->repeat, sizeof *ms);
    jm_status status = ms ? tool_buffers_create(session, &buffers) : JM_OUT_OF_MEMORY;
    for (int32_t i = -a->warmup; status == JM_OK && i < a->repeat; i++) {
        uint64_t begin = jm_clock_ns();
        if (tool_buffers_run(session, &buffers) != JUMAR_OK) status = JM_INTERNAL;
        if (i >= 0) ms[i] = (double)(jm_clock_ns() - begin) * 1e-6;
    }
    if (status == JM_OK) {
        tool_sort(ms, (size_t)a->repeat);
        r->min_ms = ms[0];
        r->median_ms = ms[a->repeat / 2];
        r->p95_ms = ms[(a->repeat * 19 + 19) / 20 - 1];
    }
    tool_buffers_destroy(session, &buffers);
    jm_free(ms);
    return status;
}

static jm_status measure(const arguments *a, row *r, jumar_session_info *info)
{
    jumar_session *session;
    uint64_t begin = jm_clock_ns();
    if (jumar_session_open(a->model, (unsigned)r->threads, &session) != JUMAR_OK) return JM_IO;
    r->load_ms = (double)(jm_clock_ns() - begin) * 1e-6;
    const jm_kernels *kernels;
    jm_status status = jm_kernels_get(&kernels);
    if (jumar_session_get_info(session, info) != JUMAR_OK) status = JM_INTERNAL;
    if (status == JM_OK) {
        r->flops = info->flops;
        r->peak = jm_fma_peak(kernels->level) * (double)JM_MIN((unsigned)r->threads, jm_core_count());
        status = time_runs(session, a, r);
    }
    jumar_session_close(session);
    return status;
}

/* ---- Output ---- */

static double rate(const row *r)
{
    return r->flops / (r->median_ms * 1e-3);
}

static jm_status write_json(const arguments *a, const row *rows, const char *cpu)
{
    cJSON *root = cJSON_CreateObject(), *list = NULL;
    bool ok = root && cJSON_AddStringToObject(root, "model", a->model) && cJSON_AddStringToObject(root, "cpu", cpu) &&
              cJSON_AddNumberToObject(root, "repeat", a->repeat) &&
              cJSON_AddNumberToObject(root, "peak_rss_bytes", (double)jm_peak_memory()) &&
              (list = cJSON_AddArrayToObject(root, "rows"));
    for (size_t i = 0; ok && i < a->rows; i++) {
        const row *r = &rows[i];
        cJSON *item = cJSON_CreateObject();
        ok = item && cJSON_AddItemToArray(list, item) && cJSON_AddNumberToObject(item, "threads", r->threads) &&
             cJSON_AddNumberToObject(item, "median_ms", r->median_ms) &&
             cJSON_AddNumberToObject(item, "p95_ms", r->p95_ms) && cJSON_AddNumberToObject(item, "min_ms", r->min_ms) &&
             cJSON_AddNumberToObject(item, "load_ms", r->load_ms) &&
             cJSON_AddNumberToObject(item, "gflop", r->flops * 1e-9) &&
             cJSON_AddNumberToObject(item, "gflops", rate(r) * 1e-9) &&
             cJSON_AddNumberToObject(item, "peak_gflops", r->peak * 1e-9);
    }
    return tool_write_json(root, ok, a->json);
}

static int run(const tool_command *command, int argc, char **argv)
{
    arguments a = {0};
    int code = parse(command, argc, argv, &a);
    if (code >= 0) return code;
    row rows[MAX_ROWS];
    char cpu[32] = "", text[32];
    bool quiet = a.json && strcmp(a.json, "-") == 0;
    for (size_t i = 0; i < a.rows; i++) {
        jumar_session_info info = {0};
        rows[i] = (row){.threads = a.threads[i]};
        if (measure(&a, &rows[i], &info) != JM_OK) return tool_fail_last(command);
        if (i == 0) {
            snprintf(cpu, sizeof cpu, "%s", jm_cpu_level_text(jm_cpu_detect()));
            const jm_kernels *kernels;
            if (jm_kernels_get(&kernels) == JM_OK) snprintf(cpu, sizeof cpu, "%s", jm_cpu_level_text(kernels->level));
            if (!quiet)
                printf("%s: %.2f GFLOP, %s\nthreads  median ms   p95 ms   min ms  GFLOP/s  %% peak  load ms\n",
                       jm_path_base(a.model), info.flops * 1e-9, cpu);
        }
        const row *r = &rows[i];
        if (!quiet)
            printf("%7d %10.3f %8.3f %8.3f %8.1f %7.1f %8.2f\n", r->threads, r->median_ms, r->p95_ms, r->min_ms,
                   rate(r) * 1e-9, 100 * rate(r) / r->peak, r->load_ms);
    }
    if (!quiet) printf("peak resident memory %s\n", tool_bytes(jm_peak_memory(), text));
    if (a.json && write_json(&a, rows, cpu) != JM_OK) return tool_fail_last(command);
    return TOOL_OK;
}

const tool_command tool_bench = {"bench", "time of a model on this machine", help, run};
