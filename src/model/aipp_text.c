/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of an AIPP configuration: protobuf's text format, of one message. Nothing here knows what fields mean.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/aipp_text.h"

enum { MOST_OPS = 64, WORD = 64 };

typedef enum field_kind { KIND_MODE, KIND_FORMAT, KIND_BOOL, KIND_INT, KIND_FLOAT, KIND_TEXT } field_kind;
typedef enum field_use { USE_ONCE, USE_LIST, USE_RESERVED, USE_NONE } field_use;

static const struct field {
    const char *name;
    field_kind kind;
    double fallback, low, high;
    field_use use;
} fields[JM_AIPP_FIELDS] = {
#define JM_AIPP_FIELD(name, kind, fallback, low, high, use) {#name, KIND_##kind, fallback, low, high, USE_##use},
#include "model/aipp_fields.def"
#undef JM_AIPP_FIELD
};

/* Words of the enums; a format from 5 on exists elsewhere only. */
static const struct enum_word {
    field_kind kind;
    const char *word;
    int number;
} words[] = {
    {KIND_MODE, "undefined", 0},     {KIND_MODE, "static", 1},           {KIND_MODE, "dynamic", 2},
    {KIND_FORMAT, "YUV420SP_U8", 1}, {KIND_FORMAT, "XRGB8888_U8", 2},    {KIND_FORMAT, "RGB888_U8", 3},
    {KIND_FORMAT, "YUV400_U8", 4},   {KIND_FORMAT, "NC1HWC0DI_FP16", 5}, {KIND_FORMAT, "NC1HWC0DI_S8", 6},
    {KIND_FORMAT, "ARGB8888_U8", 7}, {KIND_FORMAT, "YUYV_U8", 8},        {KIND_FORMAT, "YUV422SP_U8", 9},
    {KIND_FORMAT, "AYUV444_U8", 10}, {KIND_FORMAT, "RAW10", 11},         {KIND_FORMAT, "RAW12", 12},
    {KIND_FORMAT, "RAW16", 13},      {KIND_FORMAT, "RAW24", 14},         {KIND_FORMAT, "RGB16", 15},
    {KIND_FORMAT, "RGB20", 16},      {KIND_FORMAT, "RGB24", 17},         {KIND_FORMAT, "RGB8_IR", 18},
    {KIND_FORMAT, "RGB16_IR", 19},   {KIND_FORMAT, "RGB24_IR", 20},
};

typedef struct text {
    const char *at, *end;
    int line;
    jm_arena *arena;
} text;

#define BAD(t, format, ...)                                                                                            \
    jm_error_numbered(JM_INVALID_ARGUMENT, "E13018", "AIPP configuration, line %d: " format, (t)->line, __VA_ARGS__)
#define BROKEN(t, format, ...)                                                                                         \
    jm_error_numbered(JM_INVALID_ARGUMENT, "E10052", "AIPP configuration, line %d: " format, (t)->line, __VA_ARGS__)

/* ---- Characters and words ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Blanks and comments; comments are bytes of any encoding. */
static void skip(text *t)
{
    for (; t->at < t->end; t->at++) {
        if (*t->at == '#') {
            while (t->at < t->end && *t->at != '\n') t->at++;
            if (t->at == t->end) return;
        }
        if (*t->at == '\n') t->line++;
        if (*t->at != ' ' && *t->at != '\t' && *t->at != '\r' && *t->at != '\n') return;
    }
}

/* The next character that means something, or 0. */
static char peek(text *t)
{
    skip(t);
    return t->at < t->end ? *t->at : 0;
}

static bool take(text *t, char c)
{
    if (t->at == t->end || peek(t) != c || t->at == t->end) return false;
    t->at++;
    return true;
}

/* What stands here, for messages: at most a word. */
static const char *shown(text *t, char out[WORD])
{
    const char c = peek(t);
    size_t length = 0;
    if (t->at == t->end) return "the end";
    if (!is_word(c) && c != '-' && c != '.') {
        snprintf(out, WORD, c >= ' ' && c < 127 ? "'%c'" : "the byte 0x%02x", (unsigned char)c);
        return out;
    }
    out[length++] = '\'';
    for (const char *at = t->at; at < t->end && (is_word(*at) || *at == '-' || *at == '.') && length < WORD - 2; at++)
        out[length++] = *at;
    out[length++] = '\'';
    out[length] = 0;
    return out;
}

/* A name or number with its sign; false when something else stands here. */
static bool take_word(text *t, char out[WORD])
{
    size_t length = 0;
    (void)peek(t);
    if (t->at < t->end && *t->at == '-') out[length++] = *t->at++;
    for (; t->at < t->end && (is_word(*t->at) || *t->at == '.' ||
                              ((*t->at == '-' || *t->at == '+') && length && (out[length - 1] | 32) == 'e'));
         t->at++) {
        if (length == WORD - 1) return false;
        out[length++] = *t->at;
    }
    out[length] = 0;
    return length > 0;
}

/* ---- Did you mean ---- */

/* Edits that make one word of the other. */
static int distance(const char *a, const char *b)
{
    int row[WORD + 1];
    const int n = (int)strlen(b);
    if (n > WORD) return WORD;
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 0; a[i]; i++) {
        int before = row[0];
        row[0] = i + 1;
        for (int j = 0; j < n; j++) {
            const int same = before + ((a[i] | 32) != (b[j] | 32));
            before = row[j + 1];
            row[j + 1] = JM_MIN(same, JM_MIN(row[j], before) + 1);
        }
    }
    return row[n];
}

static const char *nearest_field(const char *word)
{
    const char *best = "aipp_op";
    int least = distance(word, best);
    for (int i = 0; i < JM_AIPP_FIELDS; i++) {
        const int d = distance(word, fields[i].name);
        if (d < least) best = fields[i].name;
        least = JM_MIN(least, d);
    }
    return best;
}

static const char *nearest_word(field_kind kind, const char *word)
{
    const char *best = "";
    int least = WORD;
    for (size_t i = 0; i < JM_COUNT(words); i++) {
        if (words[i].kind != kind || (kind == KIND_FORMAT && words[i].number > 4) || words[i].number == 0) continue;
        const int d = distance(word, words[i].word);
        if (d < least) best = words[i].word;
        least = JM_MIN(least, d);
    }
    return best;
}

/* ---- Values ---- */

static jm_status read_int(text *t, const struct field *field, const char *word, double *value)
{
    char *end;
    errno = 0;
    const long long number = strtoll(word, &end, 0);
    const char first = word[*word == '-'];
    if (first < '0' || first > '9' || *end || errno)
        return BAD(t, "%s is '%s' and must be a whole number", field->name, word);
    *value = (double)number;
    return JM_OK;
}

static jm_status read_float(text *t, const struct field *field, char *word, double *value)
{
    char *end;
    const size_t length = strlen(word);
    if (length > 1 && (word[length - 1] | 32) == 'f' && strncmp(word, "0x", 2) != 0) word[length - 1] = 0;
    *value = strtod(word, &end);
    const char first = word[*word == '-'];
    if (((first < '0' || first > '9') && first != '.') || *end || !isfinite(*value))
        return BAD(t, "%s is '%s' and must be a number", field->name, word);
    *value = (double)(float)*value;
    return JM_OK;
}

static jm_status read_bool(text *t, const struct field *field, const char *word, double *value)
{
    static const char *const yes[] = {"true", "True", "t", "1"}, *const no[] = {"false", "False", "f", "0"};
    for (size_t i = 0; i < JM_COUNT(yes); i++) {
        *value = strcmp(word, yes[i]) == 0;
        if (*value != 0 || strcmp(word, no[i]) == 0) return JM_OK;
    }
    return BAD(t, "%s is '%s' and must be true or false", field->name, word);
}

static jm_status read_enum(text *t, const struct field *field, const char *word, jm_aipp *aipp, double *value)
{
    char *end;
    const long number = strtol(word, &end, 10);
    for (size_t i = 0; i < JM_COUNT(words); i++) {
        if (words[i].kind != field->kind) continue;
        if (strcmp(words[i].word, word) != 0 && (*end || end == word || words[i].number != number)) continue;
        if (field->kind == KIND_FORMAT && words[i].number > 4)
            return jm_error_numbered(JM_UNSUPPORTED, "E10055",
                                     "AIPP configuration, line %d: input_format %s is not supported; there are "
                                     "YUV420SP_U8, XRGB8888_U8, RGB888_U8 and YUV400_U8",
                                     t->line, words[i].word);
        *value = words[i].number;
        return JM_OK;
    }
    /* What tutorials print. */
    if (field->kind == KIND_FORMAT && strcmp(word, "RGB") == 0) {
        aipp->rgb_word = true;
        *value = 3;
        return JM_OK;
    }
    return BAD(t, "%s is '%s'; did you mean %s?", field->name, word, nearest_word(field->kind, word));
}

static jm_status read_string(text *t, const struct field *field, jm_aipp *aipp)
{
    const char quote = peek(t);
    if (t->at == t->end || (quote != '"' && quote != '\'')) return BAD(t, "%s must be a text in quotes", field->name);
    const char *begin = ++t->at;
    while (t->at < t->end && *t->at != quote && *t->at != '\n' && *t->at != '\\') t->at++;
    if (t->at == t->end || *t->at != quote) return BAD(t, "the text of %s has no end, or a backslash", field->name);
    aipp->related_name = jm_arena_strndup(t->arena, begin, (size_t)(t->at++ - begin));
    return aipp->related_name ? JM_OK : JM_OUT_OF_MEMORY;
}

static jm_status read_value(text *t, const struct field *field, jm_aipp *aipp, double *value)
{
    char word[WORD], found[WORD];
    if (field->kind == KIND_TEXT) return read_string(t, field, aipp);
    if (!take_word(t, word)) return BAD(t, "%s has no value; found %s", field->name, shown(t, found));
    if (field->kind == KIND_MODE || field->kind == KIND_FORMAT) return read_enum(t, field, word, aipp, value);
    if (field->kind == KIND_BOOL) return read_bool(t, field, word, value);
    if (field->kind == KIND_INT)
        JM_TRY(read_int(t, field, word, value));
    else
        JM_TRY(read_float(t, field, word, value));
    if (*value >= field->low && *value <= field->high) return JM_OK;
    return BROKEN(t, "%s is %s; it must be from %.0f to %.0f", field->name, word, field->low, field->high);
}

/* ---- Fields and blocks ---- */

static jm_status read_field(text *t, jm_aipp *aipp)
{
    char name[WORD], found[WORD];
    int i = 0;
    if (!take_word(t, name)) return BAD(t, "a field or '}' is expected, not %s", shown(t, found));
    while (i < JM_AIPP_FIELDS && strcmp(fields[i].name, name) != 0) i++;
    if (i == JM_AIPP_FIELDS) return BAD(t, "there is no field '%s'; did you mean %s?", name, nearest_field(name));
    const struct field *field = &fields[i];
    if (!take(t, ':')) return BAD(t, "':' is expected behind %s, not %s", name, shown(t, found));
    if (field->use == USE_NONE)
        return jm_error_numbered(JM_UNSUPPORTED, "E10055", "AIPP configuration, line %d: %s is not supported", t->line,
                                 name);
    if (aipp->given[i] && field->use == USE_LIST) return BROKEN(t, "%s is configured repeatedly", name);
    if (aipp->given[i]) return BAD(t, "%s is given twice", name);
    const bool list = field->use == USE_LIST && take(t, '[');
    JM_TRY(read_value(t, field, aipp, &aipp->value[i]));
    if (list && !take(t, ']')) return BROKEN(t, "%s takes one value in [ ]", name);
    aipp->given[i] = true;
    if (!take(t, ',')) (void)take(t, ';');
    return JM_OK;
}

static jm_status read_block(text *t, jm_aipp *aipp)
{
    for (int i = 0; i < JM_AIPP_FIELDS; i++) aipp->value[i] = fields[i].fallback;
    while (!take(t, '}')) {
        if (peek(t) == 0 && t->at == t->end) return BAD(t, "%s", "an aipp_op has no '}' at its end");
        JM_TRY(read_field(t, aipp));
    }
    if (!take(t, ',')) (void)take(t, ';');
    return JM_OK;
}

static jm_status read_top(text *t, jm_aipp_config *config)
{
    char name[WORD], found[WORD];
    if (!take_word(t, name)) return BAD(t, "aipp_op is expected, not %s", shown(t, found));
    if (strcmp(name, "multi_shape_op") == 0)
        return jm_error_numbered(JM_UNSUPPORTED, "E10055",
                                 "AIPP configuration, line %d: multi_shape_op is not supported; list sizes with "
                                 "--dynamic_batch_size or --dynamic_image_size",
                                 t->line);
    if (strcmp(name, "aipp_op") != 0) {
        int i = 0;
        while (i < JM_AIPP_FIELDS && strcmp(fields[i].name, name) != 0) i++;
        if (i < JM_AIPP_FIELDS) return BAD(t, "the field '%s' stands outside of aipp_op { }", name);
        return BAD(t, "there is no field '%s'; did you mean aipp_op?", name);
    }
    (void)take(t, ':');
    if (!take(t, '{')) return BAD(t, "'{' is expected behind aipp_op, not %s", shown(t, found));
    if (config->ops == MOST_OPS) return BROKEN(t, "there are more than %d aipp_op", MOST_OPS);
    return read_block(t, &config->op[config->ops++]);
}

jm_status jm_aipp_read_text(const char *data, size_t size, jm_arena *arena, jm_aipp_config *config)
{
    text t = {.at = data, .end = data + size, .line = 1, .arena = arena};
    *config = (jm_aipp_config){.op = jm_arena_alloc(arena, MOST_OPS, sizeof(jm_aipp))};
    if (!config->op) return JM_OUT_OF_MEMORY;
    if (size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) t.at += 3;
    for (skip(&t); t.at < t.end; skip(&t)) JM_TRY(read_top(&t, config));
    return config->ops ? JM_OK : BAD(&t, "%s", "there is no aipp_op");
}

const char *jm_aipp_format_text(int format)
{
    for (size_t i = 0; i < JM_COUNT(words); i++)
        if (words[i].kind == KIND_FORMAT && words[i].number == format) return words[i].word;
    return "";
}
