/* SPDX-License-Identifier: Apache-2.0 */
#include "atc/rules.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "model/gears.h"

#define GIVEN(flag) (values->given[FLAG_##flag])
#define VALUE(flag) (values->value[FLAG_##flag])
#define IS(flag, text) (strcmp(VALUE(flag), text) == 0)
#define WRONG(number, ...) jm_error_numbered(JM_INVALID_ARGUMENT, number, __VA_ARGS__)
#define UNSUPPORTED(...) jm_error_numbered(JM_UNSUPPORTED, "E10055", __VA_ARGS__)

/* ---- Chips ---- */

bool atc_soc_known(const char *name)
{
    static const char *const chips[] = {
        "310",         "310P1",    "310P2",    "310P3",    "310P4",    "310P5",    "310P7",    "310B1",
        "310B2",       "310B3",    "310B4",    "910",      "910A",     "910B",     "910ProA",  "910ProB",
        "910PremiumA", "910B1",    "910B2",    "910B2C",   "910B3",    "910B4",    "910B4-1",  "910_9361",
        "910_9362",    "910_9363", "910_9371", "910_9372", "910_9373", "910_9381", "910_9382", "910_9391",
        "910_9392",    "910_9393", "610",      "610Lite",  "615",      "710",      "035",      "320",
    };
    if (strncmp(name, "Ascend", 6) != 0) return false;
    name += 6;
    /* <ChipName>_<NPUName> of the newest family: four digits and perhaps a letter. */
    if (strncmp(name, "950", 3) == 0) {
        const size_t digits = strlen(name) >= 6 && name[5] == '_' ? strspn(name + 6, "0123456789") : 0;
        return (strncmp(name + 3, "PR_", 3) == 0 || strncmp(name + 3, "DT_", 3) == 0) && digits == 4 &&
               strlen(name + 10) <= 1;
    }
    for (size_t i = 0; i < JM_COUNT(chips); i++)
        if (strcmp(name, chips[i]) == 0) return true;
    return false;
}

static jm_status check_chip(const atc_values *values)
{
    if (!GIVEN(soc_version) || atc_soc_known(VALUE(soc_version))) return JM_OK;
    return WRONG("E10001",
                 "Value [%.100s] for parameter [--soc_version] is invalid. Reason: no chip has this name; it is Ascend "
                 "and the name that npu-smi shows, such as Ascend310P3, Ascend310B4 or Ascend910B3.",
                 VALUE(soc_version));
}

/* ---- Required ---- */

static jm_status need(const atc_values *values, atc_flag_id flag, const char *number)
{
    if (values->given[flag]) return JM_OK;
    return WRONG(number, "The required parameter [--%s] is missing.", atc_flags[flag].name);
}

/* Models of other frameworks. */
static jm_status check_framework(const atc_values *values)
{
    static const char onnx[] = "then use --framework=5";
    if (IS(framework, "0"))
        return UNSUPPORTED("Caffe models (--framework=0) are not read; convert the model to ONNX, for example with "
                           "caffe2onnx, %s.",
                           onnx);
    if (IS(framework, "1"))
        return UNSUPPORTED("MindSpore models (--framework=1) are not read; export the network with "
                           "mindspore.export(net, input, file_name=..., file_format='ONNX'), %s.",
                           onnx);
    if (IS(framework, "3"))
        return UNSUPPORTED("TensorFlow models (--framework=3) are not read; convert the model to ONNX with "
                           "python -m tf2onnx.convert --graphdef model.pb --output model.onnx --inputs x:0 --outputs "
                           "y:0, %s.",
                           onnx);
    return JM_OK;
}

static jm_status check_output(const atc_values *values)
{
    const char *path = VALUE(output), *base = jm_path_base(path);
    if (strlen(path) + sizeof ".om" > PATH_MAX || strlen(base) + sizeof ".om" > NAME_MAX)
        return WRONG("E10021", "The path of [--output] has %zu characters, which is too long.", strlen(path));
    if (!*base) return WRONG("E10022", "Value [%.200s] for parameter [--output] has no file name.", path);
    return JM_OK;
}

static jm_status check_singleop(const atc_values *values)
{
    if (GIVEN(framework) || GIVEN(insert_op_conf) || IS(display_model_info, "1"))
        return WRONG("E10047", "[--singleop] excludes [--framework], [--insert_op_conf] and [--display_model_info].");
    if (!IS(mode, "0")) return WRONG("E10001", "[--singleop] needs mode 0; the mode is %s.", VALUE(mode));
    JM_TRY(need(values, FLAG_output, "E10054"));
    JM_TRY(need(values, FLAG_soc_version, "E10054"));
    return UNSUPPORTED("Single operators of [--singleop] (%.200s) are not compiled by this version; programs reach "
                       "operators through their models.",
                       VALUE(singleop));
}

static jm_status check_compile(const atc_values *values)
{
    JM_TRY(need(values, FLAG_framework, "E10007"));
    if (IS(framework, "0") && !GIVEN(weight))
        return WRONG("E10008", "A Caffe model needs its weights: [--weight] is missing.");
    JM_TRY(need(values, FLAG_model, "E10054"));
    if (IS(mode, "0")) {
        JM_TRY(need(values, FLAG_output, "E10054"));
        JM_TRY(check_output(values));
        JM_TRY(need(values, FLAG_soc_version, "E10054"));
    }
    return check_framework(values);
}

static jm_status check_mode(const atc_values *values)
{
    switch (VALUE(mode)[0]) {
    case '1':
        JM_TRY(need(values, GIVEN(framework) && GIVEN(model) ? FLAG_model : FLAG_om, "E10004"));
        JM_TRY(need(values, FLAG_json, "E10004"));
        return check_framework(values);
    case '6':
        if (GIVEN(framework)) return WRONG("E10057", "Parameter [--framework] is not allowed with mode 6.");
        return need(values, FLAG_om, "E10004");
    case '5':
        return UNSUPPORTED(
            "Mode 5 reads dumps of the vendor's graph engine, which this compiler does not write; use mode "
            "1 for the .om.");
    case '7':
        return UNSUPPORTED("Mode 7 writes the vendor's .om2, which is not made here; use mode 0.");
    default:
        break;
    }
    if (IS(mode, "30"))
        return UNSUPPORTED(
            "Mode 30 writes files for the vendor's smallest chips, which are not made here; use mode 0.");
    return GIVEN(singleop) ? check_singleop(values) : check_compile(values);
}

/* ---- Pairs ---- */

/* Flags that mean nothing without another, and pairs that exclude each other. */
static jm_status check_pairs(const atc_values *values)
{
    static const struct {
        atc_flag_id flag, needs;
    } needs[] = {
        {FLAG_optypelist_for_implmode, FLAG_op_select_implmode},
        {FLAG_is_input_adjust_hw_layout, FLAG_input_fp16_nodes},
        {FLAG_is_output_adjust_hw_layout, FLAG_out_nodes},
    };
    static const struct {
        atc_flag_id one, other;
        const char *number;
    } exclude[] = {
        {FLAG_precision_mode, FLAG_precision_mode_v2, "E10056"},
        {FLAG_enable_compress_weight, FLAG_compress_weight_conf, "E10047"},
        {FLAG_insert_op_conf, FLAG_dynamic_dims, "E10001"},
    };
    for (size_t i = 0; i < JM_COUNT(needs); i++)
        if (values->given[needs[i].flag] && !values->given[needs[i].needs])
            return WRONG("E10001", "Parameter [--%s] needs [--%s] beside it.", atc_flags[needs[i].flag].name,
                         atc_flags[needs[i].needs].name);
    for (size_t i = 0; i < JM_COUNT(exclude); i++)
        if (values->given[exclude[i].one] && values->given[exclude[i].other])
            return WRONG(exclude[i].number, "Parameters [--%s] and [--%s] exclude each other.",
                         atc_flags[exclude[i].one].name, atc_flags[exclude[i].other].name);
    if (GIVEN(modify_mixlist) && !strstr(VALUE(precision_mode), "mix") && !strstr(VALUE(precision_mode_v2), "mixed"))
        return WRONG("E10001", "Parameter [--modify_mixlist] needs a mode of mixed precision.");
    if (GIVEN(deterministic) && GIVEN(deterministic_level) && IS(deterministic, "0") != IS(deterministic_level, "0"))
        return WRONG("E10001", "[--deterministic] is %s and [--deterministic_level] is %s; both are 0, or neither is.",
                     VALUE(deterministic), VALUE(deterministic_level));
    if (GIVEN(auto_tune_mode))
        return WRONG("E10001",
                     "Value [%.40s] for parameter [--auto_tune_mode] is invalid. Reason: atc no longer tunes; "
                     "remove the flag.",
                     VALUE(auto_tune_mode));
    return JM_OK;
}

/* ---- Formats and sizes ---- */

static jm_status check_formats(const atc_values *values)
{
    const bool picture = IS(input_format, "NCHW") || IS(input_format, "NHWC");
    if (GIVEN(input_format) && IS(framework, "5") && (IS(input_format, "NHWC") || IS(input_format, "NDHWC")))
        return WRONG("E10001",
                     "Value [%s] for parameter [--input_format] is invalid. Reason: ONNX models are NCHW, NCDHW or ND.",
                     VALUE(input_format));
    if (!picture && (GIVEN(insert_op_conf) || GIVEN(dynamic_image_size)))
        return WRONG("E10001", "Value [%s] for parameter [--input_format] is invalid. Reason: [--%s] needs NCHW.",
                     VALUE(input_format), GIVEN(insert_op_conf) ? "insert_op_conf" : "dynamic_image_size");
    if (GIVEN(dynamic_dims) && !IS(input_format, "ND"))
        return WRONG("E10001",
                     "Value [%s] for parameter [--input_format] is invalid. Reason: [--dynamic_dims] needs ND.",
                     VALUE(input_format));
    return JM_OK;
}

jumar_gear_kind atc_gears(const atc_values *values, const char **list)
{
    static const struct {
        atc_flag_id flag;
        jumar_gear_kind kind;
    } kinds[] = {{FLAG_dynamic_batch_size, JUMAR_GEAR_BATCH},
                 {FLAG_dynamic_image_size, JUMAR_GEAR_IMAGE},
                 {FLAG_dynamic_dims, JUMAR_GEAR_DIMS}};
    *list = NULL;
    for (size_t i = 0; i < JM_COUNT(kinds); i++) {
        if (!values->given[kinds[i].flag]) continue;
        *list = values->value[kinds[i].flag];
        return kinds[i].kind;
    }
    return JUMAR_GEAR_NONE;
}

static jm_status check_size_flags(const atc_values *values)
{
    if (GIVEN(dynamic_batch_size) + GIVEN(dynamic_image_size) + GIVEN(dynamic_dims) + GIVEN(input_shape_range) > 1)
        return WRONG("E10009", "More than one of [--dynamic_batch_size], [--dynamic_image_size], [--dynamic_dims] and "
                               "[--input_shape_range] is given.");
    if (GIVEN(input_shape) && GIVEN(input_shape_range))
        return WRONG("E10047", "Parameters [--input_shape] and [--input_shape_range] exclude each other.");
    return JM_OK;
}

static jm_status check_sizes(const atc_values *values)
{
    const char *list, *shapes = GIVEN(input_shape) ? VALUE(input_shape) : VALUE(input_shape_range);
    const jumar_gear_kind kind = atc_gears(values, &list);
    jm_arena *arena;
    jm_gears gears;
    JM_TRY(jm_arena_create(&arena));
    jm_status status = jm_gears_parse((jm_gear_kind)kind, shapes, list, arena, &gears);
    jm_arena_destroy(arena);
    return status;
}

jm_status atc_rules_check(const atc_values *values)
{
    JM_TRY(check_mode(values));
    JM_TRY(check_chip(values));
    JM_TRY(check_pairs(values));
    JM_TRY(check_size_flags(values));
    JM_TRY(check_formats(values));
    return check_sizes(values);
}
