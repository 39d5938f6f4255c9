/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "jumar/compile.h"
#include "jumar/tool.h"
#include "vision/preprocess.h"

static const char help[] =
    "Usage: jumar compile MODEL.onnx [-o MODEL.om] [OPTION ...]\n"
    "\n"
    "Compiles an ONNX model (opset 7 or newer) to an .om file.\n"
    "\n"
    "  -o, --output FILE       the .om to write; default: the model's name with .om\n"
    "  --input-shape SHAPES    name:dim,dim,...; several inputs with ';' between them;\n"
    "                          needed where the model leaves a dimension open\n"
    "  --family NAME           preprocessing and anchors for `jumar detect`, whose --help has the names;\n"
    "                          default: from the model's metadata or its outputs\n"
    "  --labels FILE           class names, one a line; 'coco' for the 80 names of COCO;\n"
    "                          default: the names in the model's metadata\n"
    "  --no-winograd           sum every product of 3x3 convolutions: slower, for comparisons of rounding\n"
    "  -h, --help              this text\n"
    "\n"
    "Example:\n"
    "  jumar compile yolov8n.onnx -o yolov8n.om --input-shape images:1,3,640,640\n";

typedef struct arguments {
    const char *onnx, *output, *labels;
    jumar_compile_options options;
} arguments;

static int parse(const tool_command *command, int argc, char **argv, arguments *a)
{
    enum { INPUT_SHAPE = 256, FAMILY, LABELS, NO_WINOGRAD };
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"input-shape", required_argument, NULL, INPUT_SHAPE},
                                            {"family", required_argument, NULL, FAMILY},
                                            {"labels", required_argument, NULL, LABELS},
                                            {"no-winograd", no_argument, NULL, NO_WINOGRAD},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    for (int option; (option = tool_option(command, argc, argv, options)) != -1;) {
        switch (option) {
        case 'o':
            a->output = optarg;
            break;
        case INPUT_SHAPE:
            a->options.input_shapes = optarg;
            break;
        case FAMILY:
            a->options.family = optarg;
            break;
        case LABELS:
            a->labels = optarg;
            break;
        case NO_WINOGRAD:
            a->options.no_winograd = 1;
            break;
        case 'h':
            return TOOL_OK;
        default:
            return TOOL_USAGE;
        }
    }
    if (optind != argc - 1)
        return tool_usage(command, "%s", optind == argc ? "name the ONNX model" : "only one model can be compiled");
    a->onnx = argv[optind];
    return -1;
}

/* "dir/model.onnx" becomes "dir/model.om". */
static char *default_output(const char *onnx)
{
    size_t length = strlen(onnx);
    const char *dot = strrchr(jm_path_base(onnx), '.');
    if (dot && dot != jm_path_base(onnx)) length = (size_t)(dot - onnx);
    char *output = jm_alloc(length + sizeof ".om", 1);
    if (!output) return NULL;
    memcpy(output, onnx, length);
    memcpy(output + length, ".om", sizeof ".om");
    return output;
}

static int compile(const tool_command *command, arguments *a)
{
    const jm_family *family;
    if (a->options.family && jm_family_find(a->options.family, &family) != JM_OK) return tool_fail_last(command);
    tool_progress progress = tool_progress_begin(command);
    a->options.progress = tool_progress_show;
    a->options.progress_context = &progress;
    uint64_t begin = jm_clock_ns();
    jumar_status status = jumar_compile(a->onnx, a->output, &a->options);
    tool_progress_end(&progress);
    if (status != JUMAR_OK) return tool_fail_last(command);
    struct stat facts = {0};
    char text[32];
    if (stat(a->output, &facts)) return tool_fail(command, "'%s' was written but cannot be found", a->output);
    printf("wrote %s: %s in %.2f s\n", a->output, tool_bytes((uint64_t)facts.st_size, text),
           (double)(jm_clock_ns() - begin) * 1e-9);
    return TOOL_OK;
}

static int run(const tool_command *command, int argc, char **argv)
{
    arguments a = {0};
    int code = parse(command, argc, argv, &a);
    if (code >= 0) return code;
    const char **labels = NULL;
    char *label_text = NULL, *output = NULL;
    if (a.labels && tool_read_labels(a.labels, &labels, &a.options.label_count, &label_text) != JM_OK)
        return tool_fail_last(command);
    a.options.labels = labels;
    if (!a.output) a.output = output = default_output(a.onnx);
    code = a.output ? compile(command, &a) : tool_fail_last(command);
    jm_free(output);
    jm_free(labels);
    jm_free(label_text);
    return code;
}

const tool_command tool_compile = {"compile", "an ONNX model to an .om file", help, run};
