/* SPDX-License-Identifier: Apache-2.0
 *
 * What `jumar detect` prints on standard output: lines, JSON or CSV, for every task.
 */
#ifndef JUMAR_TOOLS_DETECT_REPORT_H
#define JUMAR_TOOLS_DETECT_REPORT_H

#include <cjson/cJSON.h>

#include "base/status.h"
#include "jumar/detect.h"

typedef enum detect_form { DETECT_LINES, DETECT_JSON, DETECT_CSV } detect_form;

/* Start from {form, detector}; destroy in the end. */
typedef struct detect_report {
    detect_form form;
    const jumar_detector *detector;
    cJSON *json; /* array of pictures */
    size_t objects;
} detect_report;

JM_MUST_USE jm_status detect_report_begin(detect_report *report);
JM_MUST_USE jm_status detect_report_add(detect_report *report, const char *path, const jumar_image *image,
                                        const jumar_results *results);
/* Prints the JSON document. */
JM_MUST_USE jm_status detect_report_end(detect_report *report);
void detect_report_destroy(detect_report *report);

#endif
