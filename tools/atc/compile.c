/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <cjson/cJSON.h>

#include "atc/modes.h"
#include "atc/rules.h"
#include "base/alloc.h"
#include "base/file.h"

#define GIVEN(flag) (values->given[FLAG_##flag])
#define VALUE(flag) (values->given[FLAG_##flag] ? values->value[FLAG_##flag] : NULL)

/* ---- The report of nodes ---- */

typedef struct report {
    cJSON *ops;
    int passed, failed;
    bool complete; /* false: memory ran out */
} report;

static void add_node(void *context, const char *name, const char *op, const char *reason)
{
    report *r = context;
    cJSON *entry = cJSON_CreateObject(), *cause = cJSON_CreateArray();
    r->complete = r->complete && entry && cause && cJSON_AddItemToArray(r->ops, entry) &&
                  cJSON_AddStringToObject(entry, "name", name) && cJSON_AddStringToObject(entry, "type", op) &&
                  cJSON_AddStringToObject(entry, "result", reason ? "failed" : "success") &&
                  cJSON_AddItemToObject(entry, "cause", cause);
    if (reason) {
        cJSON *why = cJSON_CreateObject();
        r->failed++;
        r->complete = r->complete && why && cJSON_AddItemToArray(cause, why) &&
                      cJSON_AddNumberToObject(why, "code", 1) && cJSON_AddStringToObject(why, "message", reason);
    } else {
        r->passed++;
    }
}

static jm_status write_report(const report *r, const char *model, const char *path)
{
    cJSON *root = cJSON_CreateObject();
    bool complete = r->complete && root && cJSON_AddStringToObject(root, "name", jm_path_base(model)) &&
                    cJSON_AddStringToObject(root, "result", r->failed ? "failed" : "success") &&
                    cJSON_AddNumberToObject(root, "total", r->passed + r->failed) &&
                    cJSON_AddNumberToObject(root, "pass", r->passed) &&
                    cJSON_AddNumberToObject(root, "fail", r->failed) &&
                    cJSON_AddItemReferenceToObject(root, "op", r->ops);
    char *text = complete ? cJSON_Print(root) : NULL;
    jm_status status =
        text ? jm_file_write(path, text, strlen(text)) : jm_error(JM_OUT_OF_MEMORY, "out of memory for the report");
    cJSON_free(text);
    cJSON_Delete(root);
    return status;
}

/* ---- Compiling ---- */

static void dot(void *context, double done, const char *what)
{
    (void)done, (void)what;
    fputc('.', context);
    fflush(context);
}

/* The folder part of the output exists afterwards. */
static jm_status make_folder(const char *output, jm_arena *arena)
{
    const char *base = jm_path_base(output);
    if (base == output) return JM_OK;
    const char *folder = jm_arena_strndup(arena, output, (size_t)(base - output));
    return folder ? jm_path_make_directory(folder) : JM_OUT_OF_MEMORY;
}

static jm_status collect_notes(const atc_values *values, const char *cmdline, jm_arena *arena,
                               jumar_compile_options *options)
{
    jumar_note *note = jm_arena_alloc(arena, ATC_FLAGS + 4, sizeof *note);
    if (!note) return JM_OUT_OF_MEMORY;
    size_t notes = 0;
    note[notes++] = (jumar_note){"atc.cmdline", cmdline};
    note[notes++] = (jumar_note){"soc_version", values->value[FLAG_soc_version]};
    note[notes++] = (jumar_note){"atc.framework", values->value[FLAG_framework]};
    for (int i = 0; i < ATC_FLAGS; i++) {
        if (!values->given[i] || atc_flags[i].use != ATC_RECORD) continue;
        const char *key = jm_arena_printf(arena, "atc.%s", atc_flags[i].name);
        if (!key) return JM_OUT_OF_MEMORY;
        note[notes++] = (jumar_note){key, values->value[i]};
    }
    const char *precision = GIVEN(precision_mode_v2) ? VALUE(precision_mode_v2) : VALUE(precision_mode);
    note[notes++] = (jumar_note){"precision", precision ? precision : "force_fp16"};
    options->note = note;
    options->notes = notes;
    return JM_OK;
}

/* The text; what follows a byte of 0 would be lost, so there must be none. */
static jm_status read_aipp(const char *path, jm_arena *arena, const char **out)
{
    enum { MOST = 1 << 20 };
    unsigned char *data;
    size_t size;
    JM_TRY(jm_file_read(path, MOST, &data, &size));
    jm_status status = JM_OK;
    if (memchr(data, 0, size))
        status = jm_error_numbered(JM_INVALID_ARGUMENT, "E13018", "AIPP configuration %s is not a text file", path);
    else if (!(*out = jm_arena_strndup(arena, (const char *)data, size)))
        status = JM_OUT_OF_MEMORY;
    jm_free(data);
    return status;
}

static jm_status compile(const atc_values *values, const char *cmdline, FILE *stream, jm_arena *arena, report *nodes)
{
    const bool check_only = strcmp(values->value[FLAG_mode], "3") == 0;
    const char *om = NULL;
    jumar_compile_options options = {
        .input_shapes = GIVEN(input_shape) ? VALUE(input_shape) : VALUE(input_shape_range),
        .out_nodes = VALUE(out_nodes),
        .output_type = VALUE(output_type),
        .fp16_inputs = VALUE(input_fp16_nodes),
        .node = add_node,
        .node_context = nodes,
        .progress = dot,
        .progress_context = stream,
    };
    options.gear_kind = atc_gears(values, &options.gears);
    if (GIVEN(insert_op_conf)) {
        JM_TRY(read_aipp(VALUE(insert_op_conf), arena, &options.aipp));
    }
    JM_TRY(collect_notes(values, cmdline, arena, &options));
    if (!check_only) {
        om = jm_arena_printf(arena, "%s.om", VALUE(output));
        if (!om) return JM_OUT_OF_MEMORY;
        JM_TRY(make_folder(VALUE(output), arena));
    }
    fputs("...", stream);
    const jumar_status compiled = jumar_compile(VALUE(model), om, &options);
    fputc('\n', stream);
    if (check_only || (nodes->failed && compiled != JUMAR_OK)) {
        /* The report must not hide why the model failed. */
        char why[1024];
        const char *number = jm_last_error_number();
        snprintf(why, sizeof why, "%s", jm_last_error());
        JM_TRY(write_report(nodes, VALUE(model), values->value[FLAG_check_report]));
        if (compiled != JUMAR_OK) return jm_error_numbered(JM_UNSUPPORTED, *number ? number : "E20001", "%s", why);
    }
    if (compiled != JUMAR_OK) {
        static const jm_status inner[] = {[JUMAR_INVALID_ARGUMENT] = JM_INVALID_ARGUMENT,
                                          [JUMAR_NOT_FOUND] = JM_NOT_FOUND,
                                          [JUMAR_UNSUPPORTED] = JM_UNSUPPORTED,
                                          [JUMAR_CORRUPT] = JM_CORRUPT,
                                          [JUMAR_IO] = JM_IO,
                                          [JUMAR_OUT_OF_MEMORY] = JM_OUT_OF_MEMORY,
                                          [JUMAR_FAILED] = JM_INTERNAL};
        return inner[compiled];
    }
    if (check_only || strcmp(values->value[FLAG_display_model_info], "1") != 0) return JM_OK;
    return atc_display(om, stream);
}

jm_status atc_compile(const atc_values *values, const char *cmdline, FILE *stream)
{
    jm_arena *arena;
    JM_TRY(jm_arena_create(&arena));
    report nodes = {.ops = cJSON_CreateArray(), .complete = true};
    jm_status status = nodes.ops ? compile(values, cmdline, stream, arena, &nodes)
                                 : jm_error(JM_OUT_OF_MEMORY, "out of memory for the report");
    cJSON_Delete(nodes.ops);
    jm_arena_destroy(arena);
    return status;
}
