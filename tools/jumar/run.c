/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "jumar/session.h"
#include "jumar/tool.h"
#include "tensor/npy.h"

static const char help[] = "Usage: jumar run MODEL.om --input FILE [--input FILE ...] --output FOLDER [OPTION ...]\n"
                           "\n"
                           "Runs a model once on raw tensors: .npy files, or .bin files of exactly the input's bytes.\n"
                           "Writes one .npy for each output, named after it.\n"
                           "\n"
                           "  --input FILE      or NAME=FILE; without names in the order of the model's inputs\n"
                           "  --output FOLDER   made when it does not exist\n"
                           "  --threads N       cores to use; default: all\n"
                           "  -h, --help        this text\n"
                           "\n"
                           "Example:\n"
                           "  jumar run yolov8n.om --input x.npy --output out/\n";

enum { MAX_INPUTS = 64, FILE_LIMIT = 1 << 30 };

typedef struct arguments {
    const char *model, *output;
    const char *input[MAX_INPUTS];
    size_t inputs;
    int32_t threads;
} arguments;

static int parse(const tool_command *command, int argc, char **argv, arguments *a)
{
    enum { INPUT = 256, THREADS };
    static const struct option options[] = {{"input", required_argument, NULL, INPUT},
                                            {"output", required_argument, NULL, 'o'},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    size_t count;
    for (int option; (option = tool_option(command, argc, argv, options)) != -1;) {
        switch (option) {
        case INPUT:
            if (a->inputs == MAX_INPUTS) return tool_usage(command, "more than %d inputs", MAX_INPUTS);
            a->input[a->inputs++] = optarg;
            break;
        case 'o':
            a->output = optarg;
            break;
        case THREADS:
            if (!tool_parse_ints(command, "--threads", optarg, 1, 1024, &a->threads, 1, &count)) return TOOL_USAGE;
            break;
        case 'h':
            return TOOL_OK;
        default:
            return TOOL_USAGE;
        }
    }
    if (optind != argc - 1) return tool_usage(command, "name one model file");
    a->model = argv[optind];
    if (!a->output) return tool_usage(command, "--output is missing");
    return -1;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t a = strlen(text), b = strlen(ending);
    return a >= b && strcmp(text + a - b, ending) == 0;
}

/* "'images', 'scale'", cut where the text is full. */
static void input_names(const jumar_session *session, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < jumar_session_input_count(session) && used < size; i++) {
        jumar_tensor_info info;
        if (jumar_session_input(session, i, &info) != JUMAR_OK) return;
        used += (size_t)snprintf(text + used, size - used, "%s'%s'", i ? ", " : "", info.name);
    }
}

static jm_status find_input(const jumar_session *session, const char *name, size_t length, size_t *index)
{
    for (size_t i = 0; i < jumar_session_input_count(session); i++) {
        jumar_tensor_info info;
        if (jumar_session_input(session, i, &info) != JUMAR_OK) return JM_INTERNAL;
        if (strlen(info.name) == length && strncmp(info.name, name, length) == 0) {
            *index = i;
            return JM_OK;
        }
    }
    char names[256];
    input_names(session, names, sizeof names);
    return jm_error(JM_NOT_FOUND, "the model has no input '%.*s'; it has %s", (int)length, name, names);
}

/* Advice for an array whose shape or type is not the input's. */
static const char *advice(const jm_tensor *have, const jm_shape *want, jm_dtype dtype, char text[96])
{
    const int64_t *h = have->shape.dim, *w = want->dim;
    const bool pictures = have->shape.rank == 4 && want->rank == 4 && h[0] == w[0];
    if (pictures && w[1] != w[2] && h[1] == w[2] && h[2] == w[3] && h[3] == w[1])
        return "its channels are last (NHWC): use x.transpose(0, 3, 1, 2)";
    if (pictures && w[1] != w[2] && h[1] == w[3] && h[2] == w[1] && h[3] == w[2])
        return "its channels are first (NCHW): use x.transpose(0, 2, 3, 1)";
    if (jm_shape_equal(&have->shape, want)) {
        const char *bytes = have->dtype == JM_U8 && dtype == JM_F32 ? ", scaled as the network was trained" : "";
        snprintf(text, 96, "use x.astype(numpy.%s)%s", jm_dtype_text(dtype), bytes);
        return text;
    }
    return "bring it into this shape, or compile the model for the other one with --input-shape";
}

/* Fills one input from a file. */
static jm_status read_input(const char *path, const jumar_tensor_info *info, void *memory)
{
    unsigned char *data;
    size_t size = 0;
    JM_TRY(jm_file_read(path, FILE_LIMIT, &data, &size));
    jm_status status = JM_OK;
    const void *values = data;
    if (ends_with(path, ".npy")) {
        jm_tensor tensor;
        jm_shape want = {.rank = info->rank};
        memcpy(want.dim, info->dim, sizeof want.dim);
        status = jm_npy_parse(data, size, &tensor);
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT], text[96];
        if (status != JM_OK)
            status = jm_error_context(status, "cannot read '%s'", path);
        else if (tensor.dtype != (jm_dtype)info->dtype || !jm_shape_equal(&tensor.shape, &want))
            status =
                jm_error(JM_INVALID_ARGUMENT, "'%s' holds %s %s; input '%s' takes %s %s: %s", path,
                         jm_dtype_text(tensor.dtype), jm_shape_text(&tensor.shape, a), info->name, info->dtype_name,
                         jm_shape_text(&want, b), advice(&tensor, &want, (jm_dtype)info->dtype, text));
        values = tensor.data;
    } else if (size != info->bytes) {
        status = jm_error(
            JM_INVALID_ARGUMENT,
            "'%s' has %zu bytes; input '%s' takes %llu of %s, as numpy's tofile writes them; pictures go to `jumar "
            "detect`, arrays of other kinds into .npy files",
            path, size, info->name, (unsigned long long)info->bytes, info->dtype_name);
    }
    if (status == JM_OK) memcpy(memory, values, info->bytes);
    jm_free(data);
    return status;
}

/* Output names come from the model: anything that is not plain in a file name becomes '_'. */
static void file_name(const char *folder, const char *name, char *path, size_t size)
{
    int used = snprintf(path, size, "%s/", folder);
    size_t at = used < 0 ? 0 : JM_MIN((size_t)used, size - 6);
    for (; *name && at + 5 < size; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || strchr("-_.", *name);
        path[at++] = plain ? *name : '_';
    }
    memcpy(path + at, ".npy", 5);
}

static jm_status write_output(const char *folder, const jumar_tensor_info *info, void *memory)
{
    char path[4096], text[JM_SHAPE_TEXT];
    jm_tensor tensor;
    jm_shape shape = {.rank = info->rank};
    memcpy(shape.dim, info->dim, sizeof shape.dim);
    JM_TRY(jm_tensor_init(&tensor, (jm_dtype)info->dtype, &shape, JM_PLAIN, NULL));
    tensor.data = memory;
    file_name(folder, info->name, path, sizeof path);
    JM_TRY(jm_npy_write(path, &tensor));
    printf("%s: %s %s\n", path, info->dtype_name, jm_shape_text(&shape, text));
    return JM_OK;
}

typedef struct buffers {
    void **input, **output;
    size_t inputs, outputs;
} buffers;

static jm_status run_model(jumar_session *session, const arguments *a, buffers *b)
{
    b->inputs = jumar_session_input_count(session);
    b->outputs = jumar_session_output_count(session);
    b->input = jm_alloc(b->inputs, sizeof *b->input);
    b->output = jm_alloc(b->outputs, sizeof *b->output);
    if (!b->input || !b->output) return JM_OUT_OF_MEMORY;
    jumar_tensor_info info;
    if (a->inputs != b->inputs)
        return jm_error(JM_INVALID_ARGUMENT, "%zu inputs were given; the model has %zu; `jumar info` lists them",
                        a->inputs, b->inputs);
    for (size_t i = 0; i < a->inputs; i++) {
        size_t index = i;
        const char *equals = strchr(a->input[i], '='), *path = a->input[i];
        if (equals) {
            JM_TRY(find_input(session, path, (size_t)(equals - path), &index));
            path = equals + 1;
        }
        if (jumar_session_input(session, index, &info) != JUMAR_OK) return JM_INTERNAL;
        if (b->input[index]) return jm_error(JM_INVALID_ARGUMENT, "input '%s' was given twice", info.name);
        b->input[index] = jm_alloc(info.bytes, 1);
        if (!b->input[index]) return JM_OUT_OF_MEMORY;
        JM_TRY(read_input(path, &info, b->input[index]));
    }
    for (size_t i = 0; i < b->outputs; i++) {
        if (jumar_session_output(session, i, &info) != JUMAR_OK) return JM_INTERNAL;
        b->output[i] = jm_alloc(info.bytes, 1);
        if (!b->output[i]) return JM_OUT_OF_MEMORY;
    }
    if (jumar_session_run(session, (const void *const *)b->input, b->output) != JUMAR_OK) return JM_INTERNAL;
    JM_TRY(jm_path_make_directory(a->output));
    for (size_t i = 0; i < b->outputs; i++) {
        if (jumar_session_output(session, i, &info) != JUMAR_OK) return JM_INTERNAL;
        JM_TRY(write_output(a->output, &info, b->output[i]));
    }
    return JM_OK;
}

static int run(const tool_command *command, int argc, char **argv)
{
    arguments a = {0};
    int code = parse(command, argc, argv, &a);
    if (code >= 0) return code;
    jumar_session *session;
    if (jumar_session_open(a.model, (unsigned)a.threads, &session) != JUMAR_OK) return tool_fail_last(command);
    buffers b = {0};
    jm_status status = run_model(session, &a, &b);
    for (size_t i = 0; b.input && i < b.inputs; i++) jm_free(b.input[i]);
    for (size_t i = 0; b.output && i < b.outputs; i++) jm_free(b.output[i]);
    jm_free(b.input);
    jm_free(b.output);
    jumar_session_close(session);
    return status == JM_OK ? TOOL_OK : tool_fail_last(command);
}

const tool_command tool_run = {"run", "a model once on raw tensors (.npy, .bin)", help, run};
