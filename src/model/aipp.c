/* SPDX-License-Identifier: Apache-2.0
 *
 * What an AIPP configuration means: the rules between its fields, and the operator that it puts before an input.
 */
#include "model/aipp.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "compiler/compiler.h"
#include "model/aipp_text.h"
#include "ops/picture_block.h"

enum { YUV420SP = 1, XRGB, RGB, YUV400 };

/* Of the first input that carries parameters; names of others begin so. */
static const char parameters_name[] = "ascend_dynamic_aipp_data";

#define GET(field) jm_aipp_int(aipp, JM_AIPP_##field)
#define ANY_GIVEN(aipp, first, last) any_given(aipp, JM_AIPP_##first, JM_AIPP_##last)
#define RULE(...) jm_error_numbered(JM_INVALID_ARGUMENT, "E10052", "AIPP configuration: " __VA_ARGS__)

/* ---- Defaults ---- */

static bool any_given(const jm_aipp *aipp, jm_aipp_field first, jm_aipp_field last)
{
    for (int i = (int)first; i <= (int)last; i++)
        if (aipp->given[i]) return true;
    return false;
}

/* Colour conversion without numbers: BT.601, narrow range; from YUV to BGR, else to YUV. */
static void fill_colours(jm_aipp *aipp)
{
    static const int from_yuv[] = {298, 516, 0, 298, -100, -208, 298, 0, 409};
    static const int to_yuv[] = {66, 129, 25, -38, -74, 112, 112, -94, -18};
    static const int bias[] = {16, 128, 128};
    const bool yuv = GET(input_format) == YUV420SP;
    if (!ANY_GIVEN(aipp, matrix_r0c0, matrix_r2c2)) {
        for (int i = 0; i < 9; i++) aipp->value[JM_AIPP_matrix_r0c0 + i] = yuv ? from_yuv[i] : to_yuv[i];
    }
    for (int i = 0; i < 3; i++) {
        if (!ANY_GIVEN(aipp, input_bias_0, input_bias_2)) aipp->value[JM_AIPP_input_bias_0 + i] = bias[i];
        if (!ANY_GIVEN(aipp, output_bias_0, output_bias_2)) aipp->value[JM_AIPP_output_bias_0 + i] = bias[i];
    }
}

/* ---- Rules without a model ---- */

static jm_status check_even(const jm_aipp *aipp)
{
    static const jm_aipp_field even[] = {JM_AIPP_src_image_size_w, JM_AIPP_src_image_size_h, JM_AIPP_load_start_pos_w,
                                         JM_AIPP_load_start_pos_h};
    static const char *const name[] = {"src_image_size_w", "src_image_size_h", "load_start_pos_w", "load_start_pos_h"};
    for (size_t i = 0; i < JM_COUNT(even); i++)
        if ((i < 2 || GET(crop)) && jm_aipp_int(aipp, even[i]) % 2)
            return RULE("%s is %d and must be even with YUV420SP_U8", name[i], (int)aipp->value[even[i]]);
    return JM_OK;
}

static jm_status check_static(const jm_aipp *aipp)
{
    const int w = (int)GET(src_image_size_w), h = (int)GET(src_image_size_h);
    if (GET(input_format) == 0) return RULE("input_format is missing");
    if (w == 1) return RULE("src_image_size_w is 1; it must be 0 or 2 to 4096");
    if ((w == 0) != (h == 0))
        return RULE("src_image_size_w is %d and src_image_size_h is %d; give both or neither", w, h);
    if (w == 0 && (GET(crop) || GET(padding) || GET(resize)))
        return RULE("src_image_size_w and src_image_size_h are needed with crop, resize or padding");
    if (GET(input_format) == YUV400 && GET(csc_switch)) return RULE("csc_switch has no meaning with YUV400_U8");
    if (GET(ax_swap_switch) && GET(input_format) != XRGB) return RULE("ax_swap_switch is for XRGB8888_U8 only");
    if (GET(input_format) == YUV420SP) JM_TRY(check_even(aipp));
    if (GET(crop) && GET(padding) && (GET(crop_size_w) == 0 || GET(crop_size_h) == 0))
        return RULE("crop_size_w and crop_size_h are needed with padding");
    if (GET(crop) && (GET(load_start_pos_w) + GET(crop_size_w) > w || GET(load_start_pos_h) + GET(crop_size_h) > h))
        return RULE("the crop from %d,%d of %d x %d does not lie in the source of %d x %d", (int)GET(load_start_pos_w),
                    (int)GET(load_start_pos_h), (int)GET(crop_size_w), (int)GET(crop_size_h), w, h);
    if (GET(resize) && (GET(resize_output_w) < 16 || GET(resize_output_h) < 16))
        return RULE("resize_output_w is %d and resize_output_h %d; both must be 16 or more", (int)GET(resize_output_w),
                    (int)GET(resize_output_h));
    return JM_OK;
}

static jm_status check_op(const jm_aipp *aipp)
{
    switch (GET(aipp_mode)) {
    case JM_AIPP_STATIC:
        return check_static(aipp);
    case JM_AIPP_DYNAMIC:
        return GET(max_src_image_size) ? JM_OK : RULE("max_src_image_size is missing; the dynamic mode needs it");
    default:
        return RULE("aipp_mode is missing; it is static or dynamic");
    }
}

static bool same_input(const jm_aipp *a, const jm_aipp *b)
{
    if (a->related_name && b->related_name) return strcmp(a->related_name, b->related_name) == 0;
    return jm_aipp_int(a, JM_AIPP_related_input_rank) == jm_aipp_int(b, JM_AIPP_related_input_rank);
}

static jm_status check_inputs(const jm_aipp_config *config)
{
    for (size_t i = 0; i < config->ops; i++) {
        for (size_t k = 0; k < i; k++) {
            const jm_aipp *a = &config->op[i], *b = &config->op[k];
            if (!a->related_name != !b->related_name)
                return RULE("some aipp_op have related_input_name and others do not");
            if (same_input(a, b)) return RULE("aipp_op %zu and %zu are for the same input", k + 1, i + 1);
        }
    }
    return JM_OK;
}

jm_status jm_aipp_parse(const char *text, size_t size, jm_arena *arena, jm_aipp_config *config)
{
    JM_TRY(jm_aipp_read_text(text, size, arena, config));
    for (size_t i = 0; i < config->ops; i++) {
        JM_TRY(check_op(&config->op[i]));
        fill_colours(&config->op[i]);
        if (config->op[i].rgb_word)
            jm_log(JM_LOG_WARNING, "AIPP configuration: input_format RGB is taken as RGB888_U8");
    }
    return check_inputs(config);
}

/* ---- With a model ---- */

/* Among the inputs of the model, before those that carry parameters. */
static jm_status find_input(const jm_aipp *aipp, const jm_graph *graph, size_t inputs, size_t *input)
{
    if (!aipp->related_name) {
        *input = (size_t)GET(related_input_rank);
        if (*input < inputs) return JM_OK;
        return RULE("related_input_rank is %zu and the model has %zu inputs", *input, inputs);
    }
    for (*input = 0; *input < inputs; ++*input)
        if (strcmp(graph->input[*input]->name, aipp->related_name) == 0) return JM_OK;
    return RULE("the model has no input '%s' (one is '%s')", aipp->related_name, inputs ? graph->input[0]->name : "");
}

/* Sizes along one axis, from the source to the model. */
typedef struct axis {
    int64_t source, start, crop, out, before, after;
} axis;

static jm_status resolve_axis(const jm_aipp *aipp, bool width, int64_t model, axis *a)
{
    const char *letter = width ? "w" : "h";
    *a = (axis){.source = width ? GET(src_image_size_w) : GET(src_image_size_h)};
    if (a->source == 0) a->source = model;
    a->crop = a->source;
    if (GET(crop)) {
        a->start = width ? GET(load_start_pos_w) : GET(load_start_pos_h);
        a->crop = width ? GET(crop_size_w) : GET(crop_size_h);
        if (a->crop == 0) a->crop = model;
        if (a->start + a->crop > a->source)
            return RULE("load_start_pos_%s %d and the crop of %d exceed src_image_size_%s %d", letter, (int)a->start,
                        (int)a->crop, letter, (int)a->source);
    }
    a->out = a->crop;
    if (GET(resize)) a->out = width ? GET(resize_output_w) : GET(resize_output_h);
    if (GET(padding)) {
        a->before = width ? GET(left_padding_size) : GET(top_padding_size);
        a->after = width ? GET(right_padding_size) : GET(bottom_padding_size);
    }
    if (a->before + a->out + a->after == model) return JM_OK;
    return RULE("src_image_size_%s %d gives %d after crop, resize and padding, and the model's network_%s is %d",
                letter, (int)a->source, (int)(a->before + a->out + a->after), letter, (int)model);
}

static jm_status check_channels(const jm_aipp *aipp, int64_t channels)
{
    const int64_t format = GET(input_format);
    const bool right = format == XRGB ? channels == 4 || channels == 3 : channels == (format == YUV400 ? 1 : 3);
    if (right) return JM_OK;
    return RULE("input_format %s gives %s channels and the model's input has %d", jm_aipp_format_text((int)format),
                format == XRGB     ? "3 or 4"
                : format == YUV400 ? "1"
                                   : "3",
                (int)channels);
}

static jm_status set_ints(jm_graph *graph, jm_node *node, const char *name, const jm_aipp *aipp, jm_aipp_field first,
                          int count)
{
    int64_t value[9];
    for (int i = 0; i < count; i++) value[i] = jm_aipp_int(aipp, (jm_aipp_field)((int)first + i));
    return jm_node_set_ints(graph, node, name, value, count);
}

static jm_status set_sizes(jm_graph *graph, jm_node *node, const jm_aipp *aipp, const axis *w, const axis *h)
{
    if (GET(crop)) JM_TRY(jm_node_set_ints(graph, node, "crop", (int64_t[]){w->start, h->start, w->crop, h->crop}, 4));
    if (GET(resize)) JM_TRY(jm_node_set_ints(graph, node, "resize", (int64_t[]){w->out, h->out}, 2));
    if (!GET(padding)) return JM_OK;
    JM_TRY(jm_node_set_float(graph, node, "pad_value", aipp->value[JM_AIPP_padding_value]));
    return jm_node_set_ints(graph, node, "pads", (int64_t[]){w->before, h->before, w->after, h->after}, 4);
}

static jm_status set_attributes(jm_graph *graph, jm_node *node, const jm_aipp *aipp, int64_t channels, jm_dtype dtype)
{
    JM_TRY(jm_node_set_int(graph, node, "format", GET(input_format)));
    JM_TRY(jm_node_set_int(graph, node, "channels", channels));
    JM_TRY(jm_node_set_int(graph, node, "swap", GET(rbuv_swap_switch)));
    JM_TRY(jm_node_set_int(graph, node, "first_last", GET(ax_swap_switch)));
    JM_TRY(jm_node_set_int(graph, node, "to", dtype == JM_U8 ? JM_U8 : JM_F32));
    if (GET(csc_switch)) {
        const bool yuv = GET(input_format) == YUV420SP;
        JM_TRY(set_ints(graph, node, "matrix", aipp, JM_AIPP_matrix_r0c0, 9));
        JM_TRY(set_ints(graph, node, "bias", aipp, yuv ? JM_AIPP_input_bias_0 : JM_AIPP_output_bias_0, 3));
    }
    JM_TRY(set_ints(graph, node, "mean", aipp, JM_AIPP_mean_chn_0, 4));
    JM_TRY(jm_node_set_floats(graph, node, "min", &aipp->value[JM_AIPP_min_chn_0], 4));
    return jm_node_set_floats(graph, node, "scale", &aipp->value[JM_AIPP_var_reci_chn_0], 4);
}

/* A new input in uint8 takes the place of one of the model: *picture; *planes is what Aipp makes of it. */
static jm_status replace_input(jm_graph *graph, size_t index, const jm_shape *shape, jm_value **picture,
                               jm_value **planes)
{
    if (graph->input[index]->tensor.dtype == JM_F16) JM_TRY(jm_graph_cast_input(graph, index, JM_F32));
    *planes = graph->input[index];
    *picture = jm_graph_value(graph, (*planes)->name);
    if (!*picture) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_tensor_init(&(*picture)->tensor, JM_U8, shape, JM_PLAIN, NULL));
    graph->input[index] = *picture;
    (*picture)->is_input = true;
    (*planes)->is_input = false;
    return JM_OK;
}

static jm_status insert_static(const jm_aipp *aipp, size_t index, const char *name, jm_graph *graph)
{
    const jm_shape model = graph->input[index]->tensor.shape;
    const jm_dtype dtype = graph->input[index]->tensor.dtype;
    const bool yuv = GET(input_format) == YUV420SP;
    axis w, h;
    JM_TRY(check_channels(aipp, model.dim[1]));
    JM_TRY(resolve_axis(aipp, true, model.dim[3], &w));
    JM_TRY(resolve_axis(aipp, false, model.dim[2], &h));
    if (yuv && (w.source % 2 || h.source % 2))
        return RULE("a YUV420SP_U8 source of %d x %d must be even", (int)w.source, (int)h.source);
    const jm_shape source = {.rank = 4,
                             .dim = {model.dim[0], yuv ? h.source / 2 * 3 : h.source, w.source,
                                     yuv ? 1 : jm_picture_planes((int)GET(input_format))}};
    jm_value *picture, *planes;
    JM_TRY(replace_input(graph, index, &source, &picture, &planes));
    jm_node *node = jm_graph_node(graph, jm_op_find("Aipp"), name, &picture, 1, &planes, 1);
    if (!node) return JM_OUT_OF_MEMORY;
    JM_TRY(set_attributes(graph, node, aipp, model.dim[1], dtype));
    JM_TRY(set_sizes(graph, node, aipp, &w, &h));
    return jm_node_infer(node);
}

/* The input behind all others that carries the parameters: the first has a name that programs know. */
static jm_status add_parameters(jm_graph *graph, const char *node, int64_t batch, jm_value **parameters)
{
    char name[400];
    size_t bytes, i = 0;
    while (i < graph->inputs && strcmp(graph->input[i]->name, parameters_name) != 0) i++;
    snprintf(name, sizeof name, i < graph->inputs ? "%s_%s" : "%s", parameters_name, node);
    JM_TRY(jm_picture_block_bytes(batch, &bytes));
    *parameters = jm_graph_value(graph, name);
    if (!*parameters) return JM_OUT_OF_MEMORY;
    const jm_shape shape = {.rank = 1, .dim = {(int64_t)bytes}};
    JM_TRY(jm_tensor_init(&(*parameters)->tensor, JM_U8, &shape, JM_PLAIN, NULL));
    return jm_graph_add_input(graph, *parameters);
}

static jm_status insert_dynamic(const jm_aipp *aipp, size_t index, const char *name, jm_graph *graph)
{
    enum { MOST = 4096 };
    const jm_shape model = graph->input[index]->tensor.shape;
    const jm_dtype dtype = graph->input[index]->tensor.dtype;
    const int64_t channels = model.dim[1];
    if (channels != 1 && channels != 3 && channels != 4)
        return RULE("input '%s' has %d channels; pictures have 1, 3 or 4", graph->input[index]->name, (int)channels);
    if (model.dim[2] > MOST || model.dim[3] > MOST)
        return RULE("input '%s' is %d x %d (width x height); pictures have at most %d x %d", graph->input[index]->name,
                    (int)model.dim[3], (int)model.dim[2], MOST, MOST);
    if (model.dim[0] > JM_PICTURE_MAX_BATCH)
        return RULE("input '%s' has a batch of %lld; the dynamic mode takes at most %d", graph->input[index]->name,
                    (long long)model.dim[0], JM_PICTURE_MAX_BATCH);
    const jm_shape source = {.rank = 1, .dim = {GET(max_src_image_size)}};
    jm_value *picture, *planes, *parameters;
    JM_TRY(replace_input(graph, index, &source, &picture, &planes));
    JM_TRY(add_parameters(graph, name, model.dim[0], &parameters));
    jm_node *node =
        jm_graph_node(graph, jm_op_find("Aipp"), name, (jm_value *const[]){picture, parameters}, 2, &planes, 1);
    if (!node) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_node_set_int(graph, node, "format", 0));
    JM_TRY(jm_node_set_int(graph, node, "channels", channels));
    JM_TRY(jm_node_set_int(graph, node, "to", dtype == JM_U8 ? JM_U8 : JM_F32));
    JM_TRY(jm_node_set_ints(graph, node, "size", (int64_t[]){model.dim[0], model.dim[2], model.dim[3]}, 3));
    return jm_node_infer(node);
}

static jm_status insert(const jm_aipp *aipp, size_t index, jm_graph *graph)
{
    const jm_value *input = graph->input[index];
    const jm_dtype dtype = input->tensor.dtype;
    if (input->tensor.shape.rank != 4)
        return RULE("input '%s' has %d dimensions and must have 4", input->name, input->tensor.shape.rank);
    if (dtype != JM_F32 && dtype != JM_F16 && dtype != JM_U8)
        return RULE("input '%s' is %s and must be float32, float16 or uint8", input->name, jm_dtype_text(dtype));
    char name[300];
    snprintf(name, sizeof name, "%.200s_%zu_aipp", input->name, index);
    return GET(aipp_mode) == JM_AIPP_DYNAMIC ? insert_dynamic(aipp, index, name, graph)
                                             : insert_static(aipp, index, name, graph);
}

/* Whether a list with ';' has the name. */
static bool listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    while (list && *list) {
        const char *end = strchrnul(list, ';');
        while (*list == ' ') list++;
        if ((size_t)(end - list) >= length && memcmp(list, name, length) == 0 &&
            strspn(list + length, " ") == (size_t)(end - list) - length)
            return true;
        list = *end ? end + 1 : end;
    }
    return false;
}

jm_status jm_aipp_apply(const jm_aipp_config *config, const char *fp16_inputs, jm_graph *graph)
{
    const size_t inputs = graph->inputs;
    for (size_t i = 0; i < config->ops; i++) {
        size_t input, other;
        JM_TRY(find_input(&config->op[i], graph, inputs, &input));
        for (size_t k = 0; k < i; k++)
            if (find_input(&config->op[k], graph, inputs, &other) == JM_OK && other == input)
                return RULE("aipp_op %zu and %zu are for the same input", k + 1, i + 1);
        if (listed(fp16_inputs, graph->input[input]->name))
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10034",
                                     "input '%s' is both a float16 input and an input of the AIPP configuration",
                                     graph->input[input]->name);
        JM_TRY(insert(&config->op[i], input, graph));
    }
    return JM_OK;
}

/* ---- In a compiled model ---- */

const jm_node *jm_aipp_reader(const jm_graph *graph, size_t input, int *argument)
{
    const jm_op *aipp = jm_op_find("Aipp");
    for (size_t i = 0; i < graph->nodes; i++) {
        const jm_node *node = graph->node[i];
        for (*argument = 0; node->op == aipp && *argument < node->inputs; ++*argument)
            if (node->in[*argument] == graph->input[input]) return node;
    }
    return NULL;
}

const jm_shape *jm_aipp_model_shape(const jm_graph *graph, size_t input)
{
    int argument;
    const jm_node *node = jm_aipp_reader(graph, input, &argument);
    if (!node) return &graph->input[input]->tensor.shape;
    return argument == JM_AIPP_PICTURE ? &node->out[0]->tensor.shape : NULL;
}

jm_status jm_aipp_call(const jm_node *node, jm_picture *fixed)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_node_call(node, &call, in, out);
    return jm_picture_resolve(&call, fixed);
}

/* Such inputs are behind all others. */
bool jm_aipp_has_parameters(const jm_graph *graph)
{
    return graph->inputs &&
           strncmp(graph->input[graph->inputs - 1]->name, parameters_name, sizeof parameters_name - 1) == 0;
}

jm_status jm_aipp_picture_bytes(const jm_node *node, const void *parameters, size_t *bytes)
{
    jm_picture fixed, picture;
    *bytes = 0;
    JM_TRY(jm_aipp_call(node, &fixed));
    for (int64_t n = 0; n < fixed.batch; n++) {
        jm_status status = jm_picture_read(&fixed, parameters, n, &picture);
        if (status != JM_OK)
            return jm_error_context(status, "input '%s', picture %lld", node->in[JM_AIPP_PARAMETERS]->name,
                                    (long long)n);
        *bytes = JM_MAX(*bytes, (size_t)fixed.batch * picture.image);
    }
    return JM_OK;
}

jm_status jm_aipp_fill_parameters(const jm_graph *graph, size_t input, void *memory)
{
    int argument;
    jm_picture fixed;
    const jm_node *node = jm_aipp_reader(graph, input, &argument);
    if (!node || argument != JM_AIPP_PARAMETERS) return JM_OK;
    JM_TRY(jm_aipp_call(node, &fixed));
    jm_picture_neutral(&fixed, memory);
    return JM_OK;
}

jm_status jm_aipp_of_input(const jm_graph *graph, size_t input, jm_arena *arena, jm_aipp *aipp, bool *found)
{
    const char *text = jm_graph_meta(graph, "boundary.aipp");
    jm_aipp_config config;
    *found = false;
    if (!text) return JM_OK;
    jm_status status = jm_aipp_parse(text, strlen(text), arena, &config);
    if (status == JM_OUT_OF_MEMORY) return status;
    if (status != JM_OK) return jm_error_context(JM_CORRUPT, "the file holds a broken AIPP configuration");
    for (size_t i = 0; i < config.ops; i++) {
        size_t at;
        if (find_input(&config.op[i], graph, graph->inputs, &at) != JM_OK || at != input) continue;
        *aipp = config.op[i];
        *found = true;
    }
    return JM_OK;
}
