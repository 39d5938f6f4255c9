/* SPDX-License-Identifier: Apache-2.0 */
#include "atc/flags.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/alloc.h"

const atc_flag atc_flags[ATC_FLAGS] = {
#define ATC_FLAG(name, kind, fallback, range, use, words) {#name, ATC_##kind, fallback, range, ATC_##use, words},
#include "atc/flags.def"
#undef ATC_FLAG
};

/* ---- The command line ---- */

/* "--input-shape=a-b" becomes "--input_shape=a-b". */
static void normalise_name(char *argument)
{
    if (argument[0] != '-') return;
    char *name = argument + 1 + (argument[1] == '-');
    for (; *name && *name != '='; name++)
        if (*name == '-') *name = '_';
}

static jm_status complain(FILE *complaints, const char *what, const char *about)
{
    fprintf(complaints, "ERROR: %s '%s'\n", what, about);
    return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001", "The command line is wrong: %s [%s].", what, about);
}

/* The flag's name in an argument, without dashes and value. */
static const char *name_of(const char *argument, char name[64])
{
    argument += strspn(argument, "-");
    snprintf(name, 64, "%.*s", (int)JM_MIN(strcspn(argument, "="), (size_t)63), argument);
    return name;
}

jm_status atc_flags_parse(int argc, char **argv, FILE *complaints, atc_values *values)
{
    enum { FIRST = 256 };
    struct option option[ATC_FLAGS + 1] = {0};
    char name[64];
    for (int i = 0; i < ATC_FLAGS; i++) {
        const int argument = atc_flags[i].kind == ATC_TRUTH ? optional_argument : required_argument;
        option[i] = (struct option){atc_flags[i].name, argument, NULL, FIRST + i};
        values->value[i] = atc_flags[i].fallback;
        values->given[i] = false;
    }
    for (int i = 1; i < argc; i++) normalise_name(argv[i]);
    opterr = 0;
    optind = 0; /* glibc: start over */
    for (;;) {
        const int found = getopt_long_only(argc, argv, ":", option, NULL);
        if (found == -1) break;
        if (found == ':') {
            fprintf(complaints, "ERROR: flag '--%s' is missing its argument; flag description: %s\n",
                    name_of(argv[optind - 1], name), optopt >= FIRST ? atc_flags[optopt - FIRST].words : "");
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001", "Parameter [--%s] has no value.", name);
        }
        if (found < FIRST) return complain(complaints, "unknown command line flag", name_of(argv[optind - 1], name));
        values->value[found - FIRST] = optarg ? optarg : "true";
        values->given[found - FIRST] = true;
    }
    return optind == argc ? JM_OK : complain(complaints, "Non-option parameter:", argv[optind]);
}

/* ---- Values ---- */

static jm_status wrong(const atc_flag *flag, const char *value, const char *number, const char *rule)
{
    return jm_error_numbered(JM_INVALID_ARGUMENT, number, "Value [%.200s] for parameter [--%s] is invalid. Reason: %s.",
                             value, flag->name, rule);
}

bool atc_is_true(const char *text)
{
    static const char *const words[] = {"1", "t", "true", "y", "yes"};
    for (size_t i = 0; i < JM_COUNT(words); i++)
        if (strcasecmp(text, words[i]) == 0) return true;
    return false;
}

static bool is_truth(const char *text)
{
    static const char *const no[] = {"0", "f", "false", "n", "no"};
    for (size_t i = 0; i < JM_COUNT(no); i++)
        if (strcasecmp(text, no[i]) == 0) return true;
    return atc_is_true(text);
}

static bool is_list_of_truths(const char *text)
{
    for (;;) {
        const size_t length = strcspn(text, ",");
        if (!(length == 4 && memcmp(text, "true", 4) == 0) && !(length == 5 && memcmp(text, "false", 5) == 0))
            return false;
        if (!text[length]) return true;
        text += length + 1;
    }
}

/* Whether `text` is one of the choices "a|b|c". */
static bool is_choice(const char *choices, const char *text)
{
    const size_t length = strlen(text);
    while (length) {
        const size_t choice = strcspn(choices, "|");
        if (choice == length && memcmp(choices, text, length) == 0) return true;
        if (!choices[choice]) return false;
        choices += choice + 1;
    }
    return false;
}

static jm_status check_int(const atc_flag *flag, const char *text)
{
    char *end, rule[80];
    errno = 0;
    const long value = strtol(text, &end, 10);
    const char *digits = text + (*text == '-');
    if (*digits < '0' || *digits > '9' || *end) return wrong(flag, text, "E10001", "it must be a whole number");
    const long low = strtol(flag->range, &end, 10), high = strtol(end + 2, NULL, 10);
    snprintf(rule, sizeof rule, "it must be from %ld to %ld", low, high);
    return errno || value < low || value > high ? wrong(flag, text, "E10001", rule) : JM_OK;
}

static jm_status check_choice(const atc_flag *flag, const char *text, const char *number)
{
    char rule[512];
    if (is_choice(flag->range, text)) return JM_OK;
    snprintf(rule, sizeof rule, "it must be one of %s", flag->range);
    return wrong(flag, text, number, rule);
}

static jm_status check_file(const atc_flag *flag, const char *text)
{
    struct stat facts;
    if (stat(text, &facts)) return wrong(flag, text, "E10410", "there is no such file");
    return S_ISREG(facts.st_mode) ? JM_OK : wrong(flag, text, "E10410", "it is not a file");
}

static jm_status check_value(const atc_flag *flag, const char *text)
{
    if (!*text) return wrong(flag, text, "E10004", "it is empty");
    switch (flag->kind) {
    case ATC_TEXT:
        return JM_OK;
    case ATC_FILE:
        return check_file(flag, text);
    case ATC_INT:
        return check_int(flag, text);
    case ATC_BIT:
        return is_choice("0|1", text) ? JM_OK : wrong(flag, text, "E10006", "it must be 1 or 0");
    case ATC_TRUTH:
        return is_truth(text) ? JM_OK : wrong(flag, text, "E10005", "it must be true or false");
    case ATC_TRUTHS:
        return is_list_of_truths(text) ? JM_OK
                                       : wrong(flag, text, "E10005", "it must be true or false, with commas between");
    case ATC_CHOICE:
        return check_choice(flag, text, "E10001");
    case ATC_LEVEL:
        return check_choice(flag, text, "E10010");
    }
    return JM_OK;
}

jm_status atc_flags_check(const atc_values *values)
{
    for (int i = 0; i < ATC_FLAGS; i++)
        if (values->given[i]) JM_TRY(check_value(&atc_flags[i], values->value[i]));
    return JM_OK;
}

/* ---- Help ---- */

void atc_flags_help(FILE *stream)
{
    fputs("usage: atc --model=MODEL.onnx --framework=5 --output=NAME --soc_version=CHIP [flags]\n\n"
          "Compiles an ONNX model to NAME.om. Flags may be shortened as long as they stay unique.\n"
          "Those marked * are checked and kept in the .om, and change nothing else.\n\n",
          stream);
    for (int i = 0; i < ATC_FLAGS; i++) {
        const atc_flag *flag = &atc_flags[i];
        if (flag->use == ATC_REFUSE) continue;
        fprintf(stream, "  --%-34s%s%s\n", flag->name, flag->use == ATC_RECORD ? "* " : "  ", flag->words);
        if (*flag->range) fprintf(stream, "  %-38s(%s)\n", "", flag->range);
    }
    fputs("\nExample:\n"
          "  atc --model=yolov8n.onnx --framework=5 --output=yolov8n --soc_version=Ascend310P3 \\\n"
          "      --input_shape=images:1,3,640,640\n",
          stream);
}
