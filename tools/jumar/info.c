/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "jumar/detect.h"
#include "jumar/session.h"
#include "jumar/tool.h"
#include "kernels/kernels.h"
#include "model/aipp.h"
#include "model/model.h"
#include "vision/preprocess.h"

static const char help[] =
    "Usage: jumar info MODEL.om [OPTION ...]\n"
    "\n"
    "Describes a model file: inputs, outputs, layers and how each is computed, work, memory, and what\n"
    "this machine will use.\n"
    "\n"
    "  --layers         also lists every layer\n"
    "  --verify         also runs the model on random input with every instruction set of this\n"
    "                   machine and with 1, 2 and 3 threads, and compares the results bit by bit\n"
    "  -h, --help       this text\n"
    "\n"
    "Example:\n"
    "  jumar info yolov8n.om --layers\n";

typedef struct arguments {
    const char *model;
    bool layers, verify;
} arguments;

static int parse(const tool_command *command, int argc, char **argv, arguments *a)
{
    enum { LAYERS = 256, VERIFY };
    static const struct option options[] = {{"layers", no_argument, NULL, LAYERS},
                                            {"verify", no_argument, NULL, VERIFY},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    for (int option; (option = tool_option(command, argc, argv, options)) != -1;) {
        switch (option) {
        case LAYERS:
            a->layers = true;
            break;
        case VERIFY:
            a->verify = true;
            break;
        case 'h':
            return TOOL_OK;
        default:
            return TOOL_USAGE;
        }
    }
    if (optind != argc - 1) return tool_usage(command, "name one model file");
    a->model = argv[optind];
    return -1;
}

/* ---- Description ---- */

static void print_tensor(const char *what, const jm_value *value)
{
    char text[JM_SHAPE_TEXT];
    printf("%-12s %s  %s %s\n", what, value->name, jm_dtype_text(value->tensor.dtype),
           jm_shape_text(&value->tensor.shape, text));
}

static int64_t count_parameters(const jm_graph *graph)
{
    int64_t sum = 0;
    for (size_t i = 0; i < graph->values; i++) {
        const jm_value *value = graph->value[i];
        int64_t count;
        if (value->tensor.constant && value->tensor.dtype == JM_F32 &&
            jm_shape_count(&value->tensor.shape, &count) == JM_OK)
            sum += count;
    }
    return sum;
}

static const char *form_name(const jm_node *node)
{
    static jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    static jm_form form;
    jm_call call;
    jm_node_call(node, &call, in, out);
    return jm_op_form(&call, node->form, &form) == JM_OK ? form.name : "?";
}

static double node_flops(const jm_node *node)
{
    static jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_node_call(node, &call, in, out);
    return jm_op_flops(&call);
}

static void print_layers(const jm_graph *graph, double all_flops)
{
    puts("\n   #  operator            algorithm    output                       MFLOP      %  name");
    int number = 0;
    for (size_t i = 0; i < graph->nodes; i++) {
        const jm_node *node = graph->node[i];
        if (node->elided) continue;
        char shape[JM_SHAPE_TEXT];
        double flops = node_flops(node);
        printf("%4d  %-18s  %-11s  %-26s %7.1f %6.1f  %s\n", number++, node->op->name, form_name(node),
               jm_shape_text(&node->out[0]->tensor.shape, shape), flops * 1e-6,
               all_flops > 0 ? 100 * flops / all_flops : 0, node->name);
    }
}

/* How many layers use each algorithm: "direct 57, depthwise 3". */
static void print_algorithms(const jm_graph *graph)
{
    enum { KINDS = 64 };
    struct {
        const char *op, *form;
        int count;
    } kind[KINDS];
    int kinds = 0;
    for (size_t i = 0; i < graph->nodes; i++) {
        const jm_node *node = graph->node[i];
        if (node->elided) continue;
        const char *form = form_name(node);
        int k = 0;
        while (k < kinds && (strcmp(kind[k].op, node->op->name) != 0 || strcmp(kind[k].form, form) != 0)) k++;
        if (k == KINDS) continue;
        if (k == kinds) {
            kind[k].op = node->op->name;
            kind[k].form = form;
            kind[k].count = 0;
            kinds++;
        }
        kind[k].count++;
    }
    for (int k = 0; k < kinds; k++)
        printf("%-12s %-18s %-11s %5d\n", k ? "" : "algorithms", kind[k].op, kind[k].form, kind[k].count);
}

static void print_detector(const char *path)
{
    jumar_detector *detector;
    if (jumar_detector_open(path, 1, NULL, &detector) != JUMAR_OK) return; /* not every model is a detector */
    const jm_family *family;
    printf("%-12s %s; %s; preprocessing %s; %zu class names\n", "detector",
           jumar_task_name(jumar_detector_task(detector)), jumar_detector_head(detector),
           jumar_detector_family(detector), jumar_detector_label_count(detector));
    if (jm_family_find(jumar_detector_family(detector), &family) == JM_OK)
        printf("%-12s %s\n", "pictures", family->doc);
    jumar_detector_close(detector);
}

static void describe(const arguments *a, const jm_graph *graph, const jm_machine *machine, const jm_program_info *info)
{
    size_t views = 0;
    char text[3][32];
    for (size_t i = 0; i < graph->nodes; i++) views += graph->node[i]->elided;
    printf("%-12s %s\n", "model", graph->name);
    if (jm_graph_meta(graph, "soc_version"))
        printf("%-12s %s was asked for; the file runs for every chip\n", "chip", jm_graph_meta(graph, "soc_version"));
    if (jm_graph_meta(graph, "precision"))
        printf("%-12s %s was asked for; computed in float32\n", "precision", jm_graph_meta(graph, "precision"));
    if (jm_graph_meta(graph, "gears.kind"))
        printf("%-12s %s %s\n", "sizes", jm_graph_meta(graph, "gears.shapes"),
               jm_graph_meta(graph, "gears.list") ? jm_graph_meta(graph, "gears.list") : "");
    for (size_t i = 0; i < graph->inputs; i++) print_tensor(i ? "" : "inputs", graph->input[i]);
    for (size_t i = 0; i < graph->outputs; i++) print_tensor(i ? "" : "outputs", graph->output[i]);
    printf("%-12s %zu that run, %zu that are views\n", "layers", graph->nodes - views, views);
    printf("%-12s %.3f million, %s\n", "parameters", (double)count_parameters(graph) * 1e-6,
           tool_bytes(info->weight_bytes, text[0]));
    printf("%-12s %.3f GFLOP\n", "work", info->flops * 1e-9);
    printf("%-12s %s for intermediate tensors; no plan can be below %s (%+.1f %%); scratch %s\n", "memory",
           tool_bytes(info->arena_bytes, text[0]), tool_bytes(info->arena_lower_bound, text[1]),
           info->arena_lower_bound ? 100 * ((double)info->arena_bytes / (double)info->arena_lower_bound - 1) : 0,
           tool_bytes(info->scratch_bytes, text[2]));
    print_algorithms(graph);
    print_detector(a->model);
    printf("%-12s %s of at most %s, %u threads, L1 %zu KiB, L2 %zu KiB\n", "this machine",
           jm_cpu_level_text(machine->kernels->level), jm_cpu_level_text(jm_cpu_detect()), machine->threads,
           machine->l1 >> 10, machine->l2 >> 10);
    if (a->layers) print_layers(graph, info->flops);
}

/* ---- Verification ---- */

typedef struct verification {
    jm_graph *graph;
    void **input, **output;
} verification;

static jm_status make_buffers(verification *v)
{
    v->input = jm_alloc(v->graph->inputs, sizeof *v->input);
    v->output = jm_alloc(v->graph->outputs, sizeof *v->output);
    if (!v->input || !v->output) return JM_OUT_OF_MEMORY;
    size_t bytes = 0;
    for (size_t i = 0; i < v->graph->inputs; i++) {
        JM_TRY(jm_tensor_bytes(&v->graph->input[i]->tensor, &bytes));
        if (!(v->input[i] = jm_alloc(bytes, 1))) return JM_OUT_OF_MEMORY;
        if (v->graph->input[i]->tensor.dtype == JM_F32) tool_fill(v->input[i], bytes / sizeof(float));
        JM_TRY(jm_aipp_fill_parameters(v->graph, i, v->input[i]));
    }
    for (size_t i = 0; i < v->graph->outputs; i++) {
        JM_TRY(jm_tensor_bytes(&v->graph->output[i]->tensor, &bytes));
        if (!(v->output[i] = jm_alloc(bytes, 1))) return JM_OUT_OF_MEMORY;
    }
    return JM_OK;
}

/* CRC of all outputs of one run with this level and split; memory that nobody wrote is poison. */
static jm_status run_once(verification *v, const jm_kernels *kernels, unsigned threads, uint32_t *crc)
{
    jm_machine machine;
    JM_TRY(jm_machine_get(threads, &machine));
    machine.kernels = kernels;
    jm_program *program;
    JM_TRY(jm_program_create(v->graph, &machine, &program));
    jm_program_set_poison(program, true);
    jm_program_bind(program, v->input, v->output);
    jm_status status = jm_program_run(program);
    jm_program_destroy(program);
    *crc = 0;
    for (size_t i = 0; status == JM_OK && i < v->graph->outputs; i++) {
        size_t bytes = 0;
        status = jm_tensor_bytes(&v->graph->output[i]->tensor, &bytes);
        *crc = jm_crc32c(*crc, v->output[i], bytes);
    }
    return status;
}

static jm_status verify_levels(verification *v, bool *same)
{
    uint32_t first = 0;
    bool have_first = false;
    JM_TRY(make_buffers(v));
    for (int level = 0; level < JM_CPU_LEVELS; level++) {
        const jm_kernels *kernels = jm_kernels_at((jm_cpu_level)level);
        if (!kernels) {
            printf("%-12s %-9s not run: this CPU lacks it\n", "", jm_cpu_level_text((jm_cpu_level)level));
            continue;
        }
        for (unsigned threads = 1; threads <= 3; threads++) {
            uint32_t crc = 0;
            JM_TRY(run_once(v, kernels, threads, &crc));
            if (!have_first) first = crc;
            have_first = true;
            bool equal = crc == first;
            *same = *same && equal;
            printf("%-12s %-9s split for %u threads: digest %08x%s\n", "", jm_cpu_level_text((jm_cpu_level)level),
                   threads, crc, equal ? "" : " DIFFERS");
        }
    }
    return JM_OK;
}

static jm_status verify(jm_graph *graph, bool *same)
{
    verification v = {.graph = graph};
    puts("verify       checksums, shapes and memory plan are right");
    jm_status status = verify_levels(&v, same);
    for (size_t i = 0; v.input && i < graph->inputs; i++) jm_free(v.input[i]);
    for (size_t i = 0; v.output && i < graph->outputs; i++) jm_free(v.output[i]);
    jm_free(v.input);
    jm_free(v.output);
    return status;
}

static int run(const tool_command *command, int argc, char **argv)
{
    arguments a = {0};
    int code = parse(command, argc, argv, &a);
    if (code >= 0) return code;
    jm_graph *graph;
    if (jm_om_read(a.model, &graph) != JM_OK) return tool_fail_last(command);
    jm_machine machine;
    jm_program *program = NULL;
    bool same = true;
    jm_status status = jm_machine_get(jm_core_count(), &machine);
    if (status == JM_OK) status = jm_program_create(graph, &machine, &program);
    if (status == JM_OK) {
        jm_program_info info;
        jm_program_get_info(program, &info);
        describe(&a, graph, &machine, &info);
        if (a.verify) status = verify(graph, &same);
    }
    jm_program_destroy(program);
    jm_graph_destroy(graph);
    if (status != JM_OK) return tool_fail_last(command);
    if (!same)
        return tool_fail(command, "results differ between instruction sets or thread counts; please report this model");
    return TOOL_OK;
}

const tool_command tool_info = {"info", "what a model file holds and how this machine runs it", help, run};
