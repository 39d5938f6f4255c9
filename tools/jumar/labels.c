/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "jumar/tool.h"

/* The classes of the COCO data set, in the order that detectors trained on it use. */
static const char *const coco[] = {
    "person",         "bicycle",    "car",           "motorcycle",    "airplane",     "bus",           "train",
    "truck",          "boat",       "traffic light", "fire hydrant",  "stop sign",    "parking meter", "bench",
    "bird",           "cat",        "dog",           "horse",         "sheep",        "cow",           "elephant",
    "bear",           "zebra",      "giraffe",       "backpack",      "umbrella",     "handbag",       "tie",
    "suitcase",       "frisbee",    "skis",          "snowboard",     "sports ball",  "kite",          "baseball bat",
    "baseball glove", "skateboard", "surfboard",     "tennis racket", "bottle",       "wine glass",    "cup",
    "fork",           "knife",      "spoon",         "bowl",          "banana",       "apple",         "sandwich",
    "orange",         "broccoli",   "carrot",        "hot dog",       "pizza",        "donut",         "cake",
    "chair",          "couch",      "potted plant",  "bed",           "dining table", "toilet",        "tv",
    "laptop",         "mouse",      "remote",        "keyboard",      "cell phone",   "microwave",     "oven",
    "toaster",        "sink",       "refrigerator",  "book",          "clock",        "vase",          "scissors",
    "teddy bear",     "hair drier", "toothbrush",
};

enum { FILE_LIMIT = 4 << 20 };

jm_status tool_read_labels(const char *source, const char ***labels, size_t *count, char **text)
{
    *labels = NULL;
    *text = NULL;
    *count = 0;
    if (strcmp(source, "coco") == 0) {
        *labels = jm_alloc(JM_COUNT(coco), sizeof **labels);
        if (!*labels) return JM_OUT_OF_MEMORY;
        memcpy(*labels, coco, sizeof coco);
        *count = JM_COUNT(coco);
        return JM_OK;
    }
    unsigned char *data;
    size_t size = 0, lines = 1;
    JM_TRY(jm_file_read(source, FILE_LIMIT, &data, &size));
    if (memchr(data, 0, size)) {
        jm_free(data);
        return jm_error(JM_CORRUPT, "'%s' is not a text file; it must hold one class name a line", source);
    }
    for (size_t i = 0; i < size; i++) lines += data[i] == '\n';
    *text = (char *)data;
    *labels = jm_alloc(lines, sizeof **labels);
    if (!*labels) {
        jm_free(data);
        *text = NULL;
        return JM_OUT_OF_MEMORY;
    }
    for (char *line = *text; line;) {
        char *next = strchr(line, '\n');
        if (next) *next++ = 0;
        size_t length = strlen(line);
        if (length && line[length - 1] == '\r') line[length - 1] = 0;
        (*labels)[(*count)++] = line;
        line = next;
    }
    while (*count && !(*labels)[*count - 1][0]) --*count;
    if (*count) return JM_OK;
    jm_free(*labels);
    jm_free(*text);
    *labels = NULL;
    *text = NULL;
    return jm_error(JM_CORRUPT, "'%s' holds no class names", source);
}
