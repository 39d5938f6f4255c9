/* SPDX-License-Identifier: Apache-2.0
 *
 * atc: the model compiler's command line, as programs and scripts for the vendor's toolkit type it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atc/errors.h"
#include "atc/modes.h"
#include "atc/rules.h"
#include "base/alloc.h"

enum { FAILED = 255 };

/* The command line as one text, before names are rewritten. NULL with a last error when memory runs out. */
static char *join(int argc, char **argv)
{
    size_t bytes = 1;
    for (int i = 0; i < argc; i++) bytes += strlen(argv[i]) + 1;
    char *text = jm_alloc(bytes, 1), *at = text;
    for (int i = 0; text && i < argc; i++) {
        at = stpcpy(at, i ? argv[i] : "atc");
        if (i + 1 < argc) *at++ = ' ';
    }
    return text;
}

static bool wants_help(const atc_values *values)
{
    return (values->given[FLAG_help] && atc_is_true(values->value[FLAG_help])) ||
           (values->given[FLAG_h] && atc_is_true(values->value[FLAG_h]));
}

/* The library reads its log level once, when it first logs. */
static void set_log(const atc_values *values)
{
    if (values->given[FLAG_log])
        setenv("JUMAR_LOG", strcmp(values->value[FLAG_log], "null") == 0 ? "off" : values->value[FLAG_log], 1);
}

static jm_status run(const atc_values *values, const char *cmdline)
{
    JM_TRY(atc_flags_check(values));
    JM_TRY(atc_rules_check(values));
    set_log(values);
    switch (values->value[FLAG_mode][0]) {
    case '1':
        return atc_to_json(values);
    case '6':
        return atc_display(values->value[FLAG_om], stdout);
    default:
        return atc_compile(values, cmdline, stdout);
    }
}

static void print_warnings(const atc_values *values)
{
    if (values->given[FLAG_weight] && strcmp(values->value[FLAG_framework], "5") == 0)
        puts("W11001: Parameter [--weight] is not used: an ONNX model holds its weights.");
}

int main(int argc, char **argv)
{
    static atc_values values;
    char *cmdline = join(argc, argv);
    jm_status status = cmdline ? atc_flags_parse(argc, argv, stderr, &values) : JM_OUT_OF_MEMORY;
    if (status == JM_OK && wants_help(&values)) {
        atc_flags_help(stdout);
        jm_free(cmdline);
        return fflush(stdout) ? FAILED : 0;
    }
    puts("ATC start working now, please wait for a moment.");
    fflush(stdout);
    if (status == JM_OK) status = run(&values, cmdline);
    jm_free(cmdline);
    if (status == JM_OK) {
        puts("ATC run success, welcome to the next use.");
        print_warnings(&values);
    } else {
        puts("ATC run failed, Please check the detail log, Try 'atc --help' for more information");
        atc_error_block(stdout, status);
    }
    return fflush(stdout) || status != JM_OK ? FAILED : 0;
}
