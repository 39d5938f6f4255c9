/* SPDX-License-Identifier: Apache-2.0 */
#include "jumar/detect_report.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"

static const char *label_name(const jumar_detector *detector, int32_t label, char text[32])
{
    const char *name = jumar_detector_label(detector, label);
    if (name) return name;
    snprintf(text, 32, "class %d", label);
    return text;
}

/* ---- JSON ---- */

/* A number with the digits that mean something, so that 0.87f is not printed as 0.870000004768. */
static cJSON *number(double value, const char *format)
{
    char text[40];
    snprintf(text, sizeof text, format, value);
    return cJSON_CreateRaw(text);
}

static bool add_number(cJSON *object, const char *name, double value, const char *format)
{
    return cJSON_AddItemToObject(object, name, number(value, format));
}

/* An array of numbers with two decimals. */
static bool add_numbers(cJSON *object, const char *name, const float *value, size_t count)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    bool ok = array != NULL;
    for (size_t i = 0; ok && i < count; i++) ok = cJSON_AddItemToArray(array, number((double)value[i], "%.2f"));
    return ok;
}

static bool add_mask(cJSON *object, const jumar_mask *mask, const jumar_image *image)
{
    cJSON *json = cJSON_AddObjectToObject(object, "mask"), *size, *runs;
    bool ok = json && (size = cJSON_AddArrayToObject(json, "size")) &&
              cJSON_AddItemToArray(size, cJSON_CreateNumber(image->height)) &&
              cJSON_AddItemToArray(size, cJSON_CreateNumber(image->width)) &&
              (runs = cJSON_AddArrayToObject(json, "counts"));
    for (size_t i = 0; ok && i < mask->runs; i++)
        ok = cJSON_AddItemToArray(runs, cJSON_CreateNumber((double)mask->run[i]));
    return ok;
}

/* [x, y, score] for each point. */
static bool add_keypoints(cJSON *object, const jumar_keypoint *point, size_t count)
{
    cJSON *points = cJSON_AddArrayToObject(object, "keypoints");
    bool ok = points != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        cJSON *triple = cJSON_CreateArray();
        ok = triple && cJSON_AddItemToArray(points, triple) &&
             cJSON_AddItemToArray(triple, number((double)point[i].x, "%.2f")) &&
             cJSON_AddItemToArray(triple, number((double)point[i].y, "%.2f")) &&
             cJSON_AddItemToArray(triple, number((double)point[i].score, "%.4f"));
    }
    return ok;
}

static bool add_object(cJSON *objects, const detect_report *report, const jumar_image *image,
                       const jumar_results *results, size_t i)
{
    char text[32];
    const jumar_box *box = jumar_results_box(results, i);
    const jumar_mask *mask = jumar_results_mask(results, i);
    const jumar_oriented_box *turned = jumar_results_oriented(results, i);
    const jumar_keypoint *points = jumar_results_keypoints(results, i);
    cJSON *object = cJSON_CreateObject();
    bool ok = object && cJSON_AddItemToArray(objects, object) && cJSON_AddNumberToObject(object, "class", box->label) &&
              cJSON_AddStringToObject(object, "name", label_name(report->detector, box->label, text)) &&
              add_number(object, "score", (double)box->score, "%.4f");
    if (jumar_results_task(results) == JUMAR_TASK_CLASSIFY) return ok;
    ok = ok && add_numbers(object, "box", &box->x1, 4);
    if (turned)
        ok = ok && add_numbers(object, "corners", &turned->corner[0][0], 8) &&
             add_number(object, "angle", (double)turned->angle, "%.5f");
    if (mask) ok = ok && add_mask(object, mask, image);
    return ok && (!points || add_keypoints(object, points, jumar_results_keypoint_count(results)));
}

static jm_status add_picture(detect_report *report, const char *path, const jumar_image *image,
                             const jumar_results *results)
{
    jumar_task task = jumar_results_task(results);
    cJSON *picture = cJSON_CreateObject(), *objects = NULL;
    bool ok = picture && cJSON_AddItemToArray(report->json, picture) &&
              cJSON_AddStringToObject(picture, "file", path) &&
              cJSON_AddNumberToObject(picture, "width", image->width) &&
              cJSON_AddNumberToObject(picture, "height", image->height) &&
              cJSON_AddStringToObject(picture, "task", jumar_task_name(task)) &&
              (objects = cJSON_AddArrayToObject(picture, task == JUMAR_TASK_CLASSIFY ? "classes" : "objects"));
    for (size_t i = 0; ok && i < jumar_results_count(results); i++) ok = add_object(objects, report, image, results, i);
    return ok ? JM_OK : jm_error(JM_OUT_OF_MEMORY, "out of memory for the JSON document");
}

/* ---- CSV ---- */

/* A field: quoted when it holds a comma, a quote or a line end. */
static void print_csv_text(const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"') putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void print_csv_head(jumar_task task)
{
    static const char *const more[] = {",x1,y1,x2,y2", ",x1,y1,x2,y2,mask_area", ",x1,y1,x2,y2,keypoints",
                                       ",x1,y1,x2,y2,ax,ay,bx,by,cx,cy,dx,dy", ""};
    printf("file,class,name,score%s\n", more[task]);
}

static void print_csv(const detect_report *report, const char *path, const jumar_results *results, size_t i)
{
    char text[32];
    const jumar_box *box = jumar_results_box(results, i);
    const jumar_mask *mask = jumar_results_mask(results, i);
    const jumar_oriented_box *turned = jumar_results_oriented(results, i);
    const jumar_keypoint *point = jumar_results_keypoints(results, i);
    print_csv_text(path);
    printf(",%d,", box->label);
    print_csv_text(label_name(report->detector, box->label, text));
    printf(",%.4f", (double)box->score);
    if (jumar_results_task(results) != JUMAR_TASK_CLASSIFY)
        printf(",%.2f,%.2f,%.2f,%.2f", (double)box->x1, (double)box->y1, (double)box->x2, (double)box->y2);
    if (mask) printf(",%llu", (unsigned long long)mask->area);
    for (int k = 0; turned && k < 8; k++) printf(",%.2f", (double)(&turned->corner[0][0])[k]);
    /* One field, "x y score" for each point with semicolons between: the number of points is the model's. */
    for (size_t k = 0; point && k < jumar_results_keypoint_count(results); k++)
        printf("%c%.2f %.2f %.4f", k ? ';' : ',', (double)point[k].x, (double)point[k].y, (double)point[k].score);
    putchar('\n');
}

/* ---- Lines ---- */

static void print_line(const detect_report *report, const char *path, const jumar_results *results, size_t i)
{
    char text[32];
    const jumar_box *b = jumar_results_box(results, i);
    const jumar_mask *mask = jumar_results_mask(results, i);
    const jumar_oriented_box *turned = jumar_results_oriented(results, i);
    const jumar_keypoint *point = jumar_results_keypoints(results, i);
    printf("%s: %s %.2f", jm_path_base(path), label_name(report->detector, b->label, text), (double)b->score);
    if (turned)
        printf(" at (%.0f,%.0f), %.0f x %.0f, turned %.0f degrees", (double)turned->x, (double)turned->y,
               (double)turned->width, (double)turned->height, (double)turned->angle * 57.29577951308232);
    else if (jumar_results_task(results) != JUMAR_TASK_CLASSIFY)
        printf(" at (%.0f,%.0f)-(%.0f,%.0f)", (double)b->x1, (double)b->y1, (double)b->x2, (double)b->y2);
    if (mask) printf(", mask of %llu pixels", (unsigned long long)mask->area);
    if (point) {
        size_t seen = 0, count = jumar_results_keypoint_count(results);
        for (size_t k = 0; k < count; k++) seen += point[k].score >= 0.5f;
        printf(", %zu of %zu keypoints", seen, count);
    }
    putchar('\n');
}

/* ---- The report ---- */

jm_status detect_report_begin(detect_report *report)
{
    if (report->form == DETECT_CSV) print_csv_head(jumar_detector_task(report->detector));
    if (report->form == DETECT_JSON && !(report->json = cJSON_CreateArray()))
        return jm_error(JM_OUT_OF_MEMORY, "out of memory for the JSON document");
    return JM_OK;
}

jm_status detect_report_add(detect_report *report, const char *path, const jumar_image *image,
                            const jumar_results *results)
{
    size_t count = jumar_results_count(results);
    report->objects += count;
    if (report->form == DETECT_JSON) return add_picture(report, path, image, results);
    for (size_t i = 0; i < count; i++) (report->form == DETECT_CSV ? print_csv : print_line)(report, path, results, i);
    if (report->form == DETECT_LINES && !count) printf("%s: no objects\n", jm_path_base(path));
    return JM_OK;
}

jm_status detect_report_end(detect_report *report)
{
    if (!report->json) return JM_OK;
    char *text = cJSON_Print(report->json);
    if (text) puts(text);
    cJSON_free(text);
    return text ? JM_OK : jm_error(JM_OUT_OF_MEMORY, "out of memory for the JSON document");
}

void detect_report_destroy(detect_report *report)
{
    cJSON_Delete(report->json);
    report->json = NULL;
}
