/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cjson/cJSON.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "jumar/detect.h"
#include "jumar/detect_report.h"
#include "jumar/tool.h"

static const char help[] =
    "Usage: jumar detect MODEL.om --source PICTURE [OPTION ...]\n"
    "\n"
    "Finds objects in pictures (JPEG, PNG, BMP, PPM) and prints one line for each:\n"
    "  street.jpg: person 0.87 at (223,405)-(345,860)\n"
    "The model's task says what else there is: masks, keypoints, turned boxes, or the\n"
    "five best classes of the picture.\n"
    "\n"
    "  --source PATH       a picture, a folder, or a pattern such as 'shots/*.jpg'; may be repeated\n"
    "  --save FOLDER       writes each picture with its boxes, masks, ... there\n"
    "  --conf SCORE        drop boxes below this score; default 0.25\n"
    "  --iou OVERLAP       of boxes that overlap more, keep the best; default 0.45\n"
    "  --classes LIST      only these class numbers, such as 0,2,7\n"
    "  --agnostic          boxes of different classes compete as well\n"
    "  --family NAME       preprocessing, and the head where outputs do not tell it, in\n"
    "                      place of the one in the file: yolo, yolov3, yolov3-tiny,\n"
    "                      yolov4, yolov4-tiny, yolov6, yolov7, yolox, nanodet, picodet,\n"
    "                      rtdetr, damo, ssd, fastestdet, yunet, classify, imagenet\n"
    "  --threads N         cores to use; default: all\n"
    "  --json              one JSON document on standard output instead of lines; masks are\n"
    "                      COCO's run lengths\n"
    "  --csv               comma-separated values instead of lines\n"
    "  -h, --help          this text\n"
    "\n"
    "Example:\n"
    "  jumar detect yolov8n.om --source street.jpg --save out/\n";

enum { MAX_CLASSES = 1000 };

typedef struct path_list {
    char **path;
    size_t count, capacity;
} path_list;

typedef struct arguments {
    const char *model, *save, *family;
    path_list sources; /* pictures, resolved; strings are jm_alloc memory */
    int32_t classes[MAX_CLASSES];
    jumar_detect_options options;
    int32_t threads;
    detect_form form;
} arguments;

/* ---- Which pictures ---- */

static jm_status add_path(path_list *list, const char *path)
{
    JM_TRY(jm_array_reserve(&list->path, &list->capacity, list->count + 1, sizeof *list->path));
    char *copy = jm_strdup(path);
    if (!copy) return JM_OUT_OF_MEMORY;
    list->path[list->count++] = copy;
    return JM_OK;
}

static bool is_picture_name(const char *name)
{
    static const char *const endings[] = {".jpg", ".jpeg", ".png", ".bmp", ".ppm", ".pgm"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < JM_COUNT(endings); i++)
        if (strcasecmp(dot, endings[i]) == 0) return true;
    return false;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static jm_status add_folder(path_list *list, const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory) return jm_error(JM_IO, "cannot open the folder '%s': %s", folder, strerror(errno));
    size_t first = list->count;
    jm_status status = JM_OK;
    for (struct dirent *entry; status == JM_OK && (entry = readdir(directory));) {
        if (!is_picture_name(entry->d_name)) continue;
        char path[4096];
        size_t length = strlen(folder);
        int used = snprintf(path, sizeof path, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/",
                            entry->d_name);
        if (used < 0 || (size_t)used >= sizeof path)
            status = jm_error(JM_INVALID_ARGUMENT, "the path of '%s' in '%s' is too long", entry->d_name, folder);
        else
            status = add_path(list, path);
    }
    closedir(directory);
    if (status == JM_OK && list->count == first)
        status = jm_error(JM_NOT_FOUND, "the folder '%s' holds no pictures (.jpg, .png, .bmp, .ppm)", folder);
    if (status == JM_OK) qsort(list->path + first, list->count - first, sizeof *list->path, by_name);
    return status;
}

/* A picture, a folder or a pattern. */
static jm_status add_source(path_list *list, const char *source)
{
    if (jm_path_is_directory(source)) return add_folder(list, source);
    if (!strpbrk(source, "*?[")) return add_path(list, source);
    glob_t matches;
    if (glob(source, 0, NULL, &matches) != 0 || matches.gl_pathc == 0) {
        globfree(&matches);
        /* A file may really be called "a[1].jpg". */
        jm_file_map probe;
        if (jm_file_map_open(source, &probe) != JM_OK) return jm_error(JM_NOT_FOUND, "no picture matches '%s'", source);
        jm_file_map_close(&probe);
        return add_path(list, source);
    }
    jm_status status = JM_OK;
    for (size_t i = 0; status == JM_OK && i < matches.gl_pathc; i++) status = add_path(list, matches.gl_pathv[i]);
    globfree(&matches);
    return status;
}

/* ---- Options ---- */

static int parse(const tool_command *command, int argc, char **argv, arguments *a)
{
    enum { SOURCE = 256, SAVE, CONF, IOU, CLASSES, AGNOSTIC, FAMILY, THREADS, AS_JSON, AS_CSV };
    static const struct option options[] = {{"source", required_argument, NULL, SOURCE},
                                            {"save", required_argument, NULL, SAVE},
                                            {"conf", required_argument, NULL, CONF},
                                            {"iou", required_argument, NULL, IOU},
                                            {"classes", required_argument, NULL, CLASSES},
                                            {"agnostic", no_argument, NULL, AGNOSTIC},
                                            {"family", required_argument, NULL, FAMILY},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"json", no_argument, NULL, AS_JSON},
                                            {"csv", no_argument, NULL, AS_CSV},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    double number;
    size_t count;
    for (int option; (option = tool_option(command, argc, argv, options)) != -1;) {
        switch (option) {
        case SOURCE:
            if (add_source(&a->sources, optarg) != JM_OK) return tool_fail_last(command);
            break;
        case SAVE:
            a->save = optarg;
            break;
        case CONF:
            if (!tool_parse_float(command, "--conf", optarg, 0.0001, 1, &number)) return TOOL_USAGE;
            a->options.confidence = (float)number;
            break;
        case IOU:
            if (!tool_parse_float(command, "--iou", optarg, 0.0001, 1, &number)) return TOOL_USAGE;
            a->options.iou = (float)number;
            break;
        case CLASSES:
            if (!tool_parse_ints(command, "--classes", optarg, 0, 99999, a->classes, MAX_CLASSES,
                                 &a->options.label_count))
                return TOOL_USAGE;
            a->options.labels = a->classes;
            break;
        case AGNOSTIC:
            a->options.agnostic = 1;
            break;
        case FAMILY:
            a->family = optarg;
            break;
        case THREADS:
            if (!tool_parse_ints(command, "--threads", optarg, 1, 1024, &a->threads, 1, &count)) return TOOL_USAGE;
            break;
        case AS_JSON:
            a->form = DETECT_JSON;
            break;
        case AS_CSV:
            a->form = DETECT_CSV;
            break;
        case 'h':
            return TOOL_OK;
        default:
            return TOOL_USAGE;
        }
    }
    if (optind != argc - 1) return tool_usage(command, "name one model file");
    if (!a->sources.count) return tool_usage(command, "--source is missing: a picture, a folder or a pattern");
    a->model = argv[optind];
    return -1;
}

/* ---- Output ---- */

static jm_status save_picture(const char *folder, const char *path, const jumar_image *image,
                              const jumar_results *results, const jumar_detector *detector)
{
    char target[4096];
    const char *base = jm_path_base(path), *dot = strrchr(base, '.');
    /* BMP and PGM are read but not written. */
    bool keep = dot && (strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0 || strcasecmp(dot, ".png") == 0 ||
                        strcasecmp(dot, ".ppm") == 0);
    int stem = keep || !dot ? (int)strlen(base) : (int)(dot - base);
    int used = snprintf(target, sizeof target, "%s/%.*s%s", folder, stem, base, keep ? "" : ".png");
    if (used < 0 || (size_t)used >= sizeof target)
        return jm_error(JM_INVALID_ARGUMENT, "the path '%s' is too long", folder);
    if (jumar_draw_results(image, results, detector) != JUMAR_OK || jumar_image_write(target, image) != JUMAR_OK)
        return JM_IO;
    fprintf(stderr, "wrote %s\n", target);
    return JM_OK;
}

/* ---- The job ---- */

static jm_status detect_one(jumar_detector *detector, const arguments *a, const char *path, detect_report *report)
{
    jumar_image image;
    jumar_results *results;
    if (jumar_image_read(path, &image) != JUMAR_OK) return JM_IO;
    jm_status status = JM_OK;
    if (jumar_detector_predict(detector, &image, &a->options, &results) != JUMAR_OK) status = JM_INTERNAL;
    if (status == JM_OK) status = detect_report_add(report, path, &image, results);
    if (status == JM_OK && a->save) status = save_picture(a->save, path, &image, results, detector);
    jumar_results_free(results);
    jumar_image_free(&image);
    return status;
}

/* Boxes of nameless classes are no error, but seldom what was wanted. */
static void note_labels(const char *model, const jumar_detector *detector)
{
    size_t names = jumar_detector_label_count(detector), classes = jumar_detector_class_count(detector);
    if (names == 0)
        fprintf(stderr, "note: '%s' holds no class names; compile it again with --labels FILE\n", model);
    else if (classes && classes != names)
        fprintf(stderr,
                "note: '%s' holds %zu class names and tells %zu classes apart; compile it again with the --labels that "
                "it was trained with\n",
                model, names, classes);
}

static jm_status detect_all(jumar_detector *detector, const arguments *a, detect_report *report)
{
    uint64_t begin = jm_clock_ns();
    if (a->save) JM_TRY(jm_path_make_directory(a->save));
    JM_TRY(detect_report_begin(report));
    for (size_t i = 0; i < a->sources.count; i++) JM_TRY(detect_one(detector, a, a->sources.path[i], report));
    note_labels(a->model, detector);
    double seconds = (double)(jm_clock_ns() - begin) * 1e-9;
    size_t pictures = a->sources.count, objects = report->objects;
    if (jumar_detector_task(detector) == JUMAR_TASK_CLASSIFY)
        fprintf(stderr, "%zu picture%s", pictures, pictures == 1 ? "" : "s");
    else
        fprintf(stderr, "%zu object%s in %zu picture%s", objects, objects == 1 ? "" : "s", pictures,
                pictures == 1 ? "" : "s");
    fprintf(stderr, ", %.1f ms a picture\n", seconds * 1e3 / (double)pictures);
    return JM_OK;
}

static int detect(const tool_command *command, const arguments *a)
{
    jumar_detector *detector;
    if (jumar_detector_open(a->model, (unsigned)a->threads, a->family, &detector) != JUMAR_OK)
        return tool_fail_last(command);
    detect_report report = {.form = a->form, .detector = detector};
    jm_status status = detect_all(detector, a, &report);
    if (status == JM_OK) status = detect_report_end(&report);
    detect_report_destroy(&report);
    jumar_detector_close(detector);
    return status == JM_OK ? TOOL_OK : tool_fail_last(command);
}

static int run(const tool_command *command, int argc, char **argv)
{
    static arguments a; /* large */
    int code = parse(command, argc, argv, &a);
    if (code < 0) code = detect(command, &a);
    for (size_t i = 0; i < a.sources.count; i++) jm_free(a.sources.path[i]);
    jm_free(a.sources.path);
    return code;
}

const tool_command tool_detect = {"detect", "objects in pictures, with a detector's .om", help, run};
