/* SPDX-License-Identifier: Apache-2.0
 *
 * include/jumar/detect.h: a session, its preprocessing and its head put together.
 */
#include "jumar/detect.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "jumar/session.h"
#include "model/api.h"
#include "vision/detection.h"
#include "vision/draw.h"
#include "vision/image.h"
#include "vision/preprocess.h"
#include "vision/results.h"

struct jumar_detector {
    jumar_session *session;
    const jm_family *family;
    jm_head head;
    jm_head_output *output; /* [outputs]; data is where the session writes */
    size_t outputs;
    void **output_address; /* [outputs] */
    float *input;
    char *label_text; /* all names, each ended by 0 */
    const char **label;
    size_t labels;
};

/* ---- Pictures ---- */

_Static_assert(sizeof(jumar_image) == sizeof(jm_image) && offsetof(jumar_image, rgb) == offsetof(jm_image, rgb),
               "the public picture is the internal one");
_Static_assert((int)JUMAR_TASK_ORIENTED == (int)JM_TASK_ORIENTED && (int)JUMAR_TASK_CLASSIFY == (int)JM_TASK_CLASSIFY,
               "the public task is the internal one");

static jumar_status null_argument(const char *function)
{
    return jm_public_status(jm_error(JM_INVALID_ARGUMENT, "%s was called with a NULL argument", function));
}

jumar_status jumar_image_read(const char *path, jumar_image *image)
{
    if (image) *image = (jumar_image){0};
    if (!path || !image) return null_argument(__func__);
    jm_image read;
    jm_status status = jm_image_read(path, &read);
    if (status == JM_OK) *image = (jumar_image){read.width, read.height, read.rgb};
    return jm_public_status(status);
}

/* The caller's picture as ours; refuses what no reader makes. */
static jm_status as_image(const jumar_image *image, jm_image *out)
{
    if (!image->rgb || image->width < 1 || image->height < 1)
        return jm_error(JM_INVALID_ARGUMENT, "the picture has %d x %d pixels at %p; it needs at least one",
                        image->width, image->height, (void *)image->rgb);
    *out = (jm_image){image->width, image->height, image->rgb};
    return JM_OK;
}

jumar_status jumar_image_write(const char *path, const jumar_image *image)
{
    if (!path || !image) return null_argument(__func__);
    jm_image inner;
    jm_status status = as_image(image, &inner);
    if (status == JM_OK) status = jm_image_write(path, &inner);
    return jm_public_status(status);
}

void jumar_image_free(jumar_image *image)
{
    if (!image) return;
    jm_free(image->rgb);
    *image = (jumar_image){0};
}

/* ---- Opening ---- */

/* Class names are stored as one text with a line each. */
static jm_status read_labels(jumar_detector *detector)
{
    const char *text = jumar_session_metadata(detector->session, "labels");
    if (!text || !*text) return JM_OK;
    size_t count = 1;
    for (const char *c = text; *c; c++) count += *c == '\n';
    detector->label_text = jm_strdup(text);
    detector->label = jm_alloc(count, sizeof *detector->label);
    if (!detector->label_text || !detector->label) return JM_OUT_OF_MEMORY;
    for (char *line = detector->label_text; line; detector->labels++) {
        detector->label[detector->labels] = line;
        line = strchr(line, '\n');
        if (line) *line++ = 0;
    }
    return JM_OK;
}

static jm_status describe_outputs(jumar_detector *detector)
{
    detector->outputs = jumar_session_output_count(detector->session);
    detector->output = jm_alloc(detector->outputs, sizeof *detector->output);
    detector->output_address = jm_alloc(detector->outputs, sizeof *detector->output_address);
    if (!detector->output || !detector->output_address) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < detector->outputs; i++) {
        jumar_tensor_info info;
        if (jumar_session_output(detector->session, i, &info) != JUMAR_OK) return JM_INTERNAL;
        if (info.dtype != JM_F32)
            return jm_error(JM_UNSUPPORTED, "output '%s' is %s; detection heads are float32", info.name,
                            info.dtype_name);
        jm_head_output *output = &detector->output[i];
        output->name = info.name;
        output->shape.rank = info.rank;
        memcpy(output->shape.dim, info.dim, sizeof output->shape.dim);
        detector->output_address[i] = jm_alloc(info.bytes, 1);
        output->data = detector->output_address[i];
        if (!output->data) return JM_OUT_OF_MEMORY;
    }
    return JM_OK;
}

/* What the file says about its task. */
static jm_status read_hints(const jumar_detector *detector, const char *family, jm_head_hints *hints)
{
    const char *keypoints = jumar_session_metadata(detector->session, "keypoints");
    *hints = (jm_head_hints){
        .labels = (int)detector->labels, .task = jumar_session_metadata(detector->session, "task"), .family = family};
    if (keypoints && sscanf(keypoints, "%d,%d", &hints->keypoints, &hints->keypoint_values) != 2)
        return jm_error(JM_CORRUPT, "the metadata 'keypoints' is '%.40s'; it must be the count and 2 or 3, as in 17,3",
                        keypoints);
    return JM_OK;
}

static jm_status set_up(jumar_detector *detector, const char *family)
{
    jumar_tensor_info input;
    if (jumar_session_input_count(detector->session) != 1)
        return jm_error(JM_UNSUPPORTED, "the model has %zu inputs; a detector has one picture; use `jumar run`",
                        jumar_session_input_count(detector->session));
    if (jumar_session_input(detector->session, 0, &input) != JUMAR_OK) return JM_INTERNAL;
    if (input.rank != 4 || input.dim[0] != 1 || input.dim[1] != 3 || input.dtype != JM_F32) {
        char text[JM_SHAPE_TEXT];
        jm_shape shape = {.rank = input.rank};
        memcpy(shape.dim, input.dim, sizeof shape.dim);
        return jm_error(
            JM_UNSUPPORTED,
            "input '%s' is %s %s; a detector takes float32 [1,3,height,width]: export it so, or use `jumar run`",
            input.name, input.dtype_name, jm_shape_text(&shape, text));
    }
    JM_TRY(read_labels(detector));
    JM_TRY(describe_outputs(detector));
    if (!family) family = jumar_session_metadata(detector->session, "family");
    jm_head_hints hints;
    JM_TRY(read_hints(detector, family, &hints));
    JM_TRY(jm_head_identify(detector->output, (int)detector->outputs, (int)input.dim[3], (int)input.dim[2], &hints,
                            &detector->head));
    JM_TRY(jm_family_find(family ? family : jm_head_family(&detector->head), &detector->family));
    detector->input = jm_alloc(input.bytes, 1);
    return detector->input ? JM_OK : JM_OUT_OF_MEMORY;
}

jumar_status jumar_detector_open(const char *path, unsigned threads, const char *family, jumar_detector **out)
{
    if (out) *out = NULL;
    if (!path || !out) return null_argument(__func__);
    jumar_detector *detector = jm_alloc(1, sizeof *detector);
    if (!detector) return jm_public_status(JM_OUT_OF_MEMORY);
    jumar_status status = jumar_session_open(path, threads, &detector->session);
    if (status == JUMAR_OK) {
        jm_status inner = set_up(detector, family);
        if (inner != JM_OK) status = jm_public_status(jm_error_context(inner, "cannot detect with '%s'", path));
    }
    if (status == JUMAR_OK)
        *out = detector;
    else
        jumar_detector_close(detector);
    return status;
}

void jumar_detector_close(jumar_detector *detector)
{
    if (!detector) return;
    jumar_session_close(detector->session);
    for (size_t i = 0; detector->output_address && i < detector->outputs; i++) jm_free(detector->output_address[i]);
    jm_free(detector->output_address);
    jm_free(detector->output);
    jm_free(detector->input);
    jm_free(detector->label_text);
    jm_free(detector->label);
    jm_free(detector);
}

/* ---- Detecting ---- */

enum { BEST_CLASSES = 5 };

/* The boxes that are left, in input pixels. */
static jm_status detect(jumar_detector *detector, const jm_image *image, const jm_detect_options *options,
                        jm_placement *placement, jm_boxes *boxes)
{
    JM_TRY(jm_preprocess(detector->family, image, detector->head.input_width, detector->head.input_height,
                         detector->input, placement));
    const void *input = detector->input;
    /* The session has set the message already. */
    if (jumar_session_run(detector->session, &input, detector->output_address) != JUMAR_OK) return JM_INTERNAL;
    if (detector->head.task == JM_TASK_CLASSIFY)
        return jm_head_classify(&detector->head, detector->output, BEST_CLASSES, boxes);
    JM_TRY(jm_head_decode(&detector->head, detector->output, options, boxes));
    jm_detect_options left = *options;
    /* Models that choose their rows have removed overlaps themselves: only sort and limit. */
    jm_head_kind kind = detector->head.kind;
    if (kind == JM_HEAD_END_TO_END || kind == JM_HEAD_RTDETR || kind == JM_HEAD_RTDETR_BEST) left.iou = 1;
    return jm_nms(&left, boxes);
}

static jm_detect_options options_of(const jumar_detect_options *options)
{
    jm_detect_options inner = JM_DETECT_DEFAULTS;
    if (!options) return inner;
    if (options->confidence > 0) inner.confidence = options->confidence;
    if (options->iou > 0) inner.iou = options->iou;
    inner.agnostic = options->agnostic != 0;
    inner.label = options->labels;
    inner.labels = (int)options->label_count;
    return inner;
}

jumar_status jumar_detector_predict(jumar_detector *detector, const jumar_image *image,
                                    const jumar_detect_options *options, jumar_results **out)
{
    if (out) *out = NULL;
    if (!detector || !image || !out) return null_argument(__func__);
    jm_detect_options inner = options_of(options);
    jm_image picture;
    jm_placement placement;
    jm_boxes found = {0};
    jm_status status = as_image(image, &picture);
    if (status == JM_OK) status = detect(detector, &picture, &inner, &placement, &found);
    if (status == JM_OK) status = jm_results_create(&detector->head, detector->output, &placement, &found, out);
    jm_boxes_destroy(&found);
    return jm_public_status(status);
}

jumar_status jumar_detector_detect(jumar_detector *detector, const jumar_image *image,
                                   const jumar_detect_options *options, jumar_box *boxes, size_t capacity,
                                   size_t *count)
{
    if (count) *count = 0;
    if (!detector || !image || !count || (!boxes && capacity)) return null_argument(__func__);
    if (detector->head.task == JM_TASK_CLASSIFY)
        return jm_public_status(
            jm_error(JM_UNSUPPORTED, "the model is a classifier and finds no boxes; use jumar_detector_predict"));
    jumar_results *results;
    jumar_status status = jumar_detector_predict(detector, image, options, &results);
    if (status != JUMAR_OK) return status;
    *count = JM_MIN(results->count, capacity);
    if (*count) memcpy(boxes, results->box, *count * sizeof *boxes);
    jumar_results_free(results);
    return JUMAR_OK;
}

jumar_task jumar_detector_task(const jumar_detector *detector)
{
    return detector ? (jumar_task)detector->head.task : JUMAR_TASK_DETECT;
}

size_t jumar_detector_label_count(const jumar_detector *detector)
{
    return detector ? detector->labels : 0;
}

const char *jumar_detector_label(const jumar_detector *detector, int32_t label)
{
    return detector && label >= 0 && (size_t)label < detector->labels ? detector->label[label] : NULL;
}

size_t jumar_detector_class_count(const jumar_detector *detector)
{
    return detector ? (size_t)detector->head.classes : 0;
}

const char *jumar_detector_head(const jumar_detector *detector)
{
    return detector ? jm_head_text(detector->head.kind) : "";
}

const char *jumar_detector_family(const jumar_detector *detector)
{
    return detector ? detector->family->name : "";
}

jumar_status jumar_draw_boxes(const jumar_image *image, const jumar_box *boxes, size_t count,
                              const jumar_detector *detector)
{
    if (!image || (!boxes && count)) return null_argument(__func__);
    jm_image picture;
    jm_boxes list = {.count = count, .capacity = count};
    jm_status status = as_image(image, &picture);
    if (status == JM_OK) {
        list.box = jm_alloc(count, sizeof *list.box);
        status = list.box ? JM_OK : JM_OUT_OF_MEMORY;
    }
    if (status == JM_OK) {
        for (size_t i = 0; i < count; i++) {
            const jumar_box *b = &boxes[i];
            list.box[i] = (jm_box){b->x1, b->y1, b->x2, b->y2, b->score, b->label, 0, 0};
        }
        status =
            jm_draw_boxes(&picture, &list, detector ? detector->label : NULL, detector ? (int)detector->labels : 0);
    }
    jm_boxes_destroy(&list);
    return jm_public_status(status);
}
