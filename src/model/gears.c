/* SPDX-License-Identifier: Apache-2.0 */
#include "model/gears.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/aipp.h"

#define WRONG(number, ...) jm_error_numbered(JM_INVALID_ARGUMENT, number, __VA_ARGS__)

static const char *const kind_text[JM_GEAR_KINDS] = {"", "batch", "image", "dims", "range"};

const char *jm_gear_kind_text(jm_gear_kind kind)
{
    return kind_text[kind];
}

/* A number of digits, perhaps with a minus before it, that ends at or before `end`. */
static bool take_number(const char **text, const char *end, int64_t *value)
{
    const char *digit = *text + (*text < end && **text == '-');
    char *stop;
    if (digit >= end || *digit < '0' || *digit > '9') return false;
    errno = 0;
    *value = strtoll(*text, &stop, 10);
    if (errno || stop > end) return false;
    *text = stop;
    return true;
}

/* ---- Shapes ---- */

static jm_status wrong_shape(const char *text, const char *end)
{
    return WRONG("E10002",
                 "the input shape '%.*s' is not of the form name:1,3,640,640, with ';' between inputs and at most %d "
                 "dimensions of 0 or more, -1 or low~high",
                 (int)(end - text), text, JM_MAX_RANK);
}

/* "8", "-1" or "1~8" or "1~-1"; then a comma or the end. */
static bool take_dim(const char **text, const char *end, int64_t *low, int64_t *high)
{
    if (!take_number(text, end, low) || *low < -1) return false;
    *high = *low;
    if (*text < end && **text == '~') {
        ++*text;
        if (*low < 0 || !take_number(text, end, high) || *high < -1 || (*high >= 0 && *high < *low)) return false;
    }
    if (*text == end) return true;
    return *(*text)++ == ',' && *text < end;
}

static jm_status take_shape(const char *text, const char *end, jm_arena *arena, jm_gear_input *input)
{
    const char *colon = memrchr(text, ':', (size_t)(end - text)), *last = end;
    if (!colon || colon == text) return wrong_shape(text, end);
    const char *at = colon + 1;
    input->name = jm_arena_strndup(arena, text, (size_t)(colon - text));
    if (!input->name) return JM_OUT_OF_MEMORY;
    if (at < last && *at == '[') {
        at++;
        if (*--last != ']') return wrong_shape(text, end);
    }
    int rank = 0;
    while (at < last) {
        if (rank == JM_MAX_RANK || !take_dim(&at, last, &input->low.dim[rank], &input->high.dim[rank]))
            return wrong_shape(text, end);
        rank++;
    }
    input->low.rank = input->high.rank = rank;
    return JM_OK;
}

static jm_status take_shapes(const char *text, jm_arena *arena, jm_gears *gears)
{
    size_t capacity = 1;
    for (const char *c = text; *c; c++) capacity += *c == ';';
    gears->input = jm_arena_alloc(arena, capacity, sizeof *gears->input);
    if (!gears->input) return JM_OUT_OF_MEMORY;
    while (*text) {
        const char *end = strchrnul(text, ';');
        jm_gear_input *input = &gears->input[gears->inputs];
        JM_TRY(take_shape(text, end, arena, input));
        for (size_t i = 0; i < gears->inputs; i++)
            if (strcmp(gears->input[i].name, input->name) == 0)
                return WRONG("E10002", "the input shapes name '%s' twice", input->name);
        gears->inputs++;
        text = *end ? end + 1 : end;
    }
    return JM_OK;
}

/* ---- Which dimensions differ ---- */

static bool depends(const jm_gear_input *input, int k)
{
    return input->low.dim[k] == -1;
}

/* The number of a gear that stands for dimension k of an input; `seen` counts those before. */
static size_t number_of(const jm_gears *gears, int k, size_t seen)
{
    return gears->kind == JM_GEAR_BATCH ? 0 : gears->kind == JM_GEAR_IMAGE ? (size_t)(k - 2) : seen;
}

static jm_status check_places(const jm_gears *gears)
{
    size_t places = 0;
    for (size_t i = 0; i < gears->inputs; i++) {
        const jm_gear_input *input = &gears->input[i];
        size_t own = 0;
        for (int k = 0; k < input->low.rank; k++) {
            if (input->low.dim[k] != input->high.dim[k])
                return WRONG("E10040", "input '%s' has a range; with a list of sizes its dimensions are numbers or -1",
                             input->name);
            if (!depends(input, k)) continue;
            own++;
            if (gears->kind == JM_GEAR_BATCH && k != 0)
                return WRONG("E10018", "input '%s' has -1 in dimension %d; with batch sizes only dimension 0 can be -1",
                             input->name, k);
            if (gears->kind == JM_GEAR_IMAGE && (input->low.rank != 4 || k < 2))
                return WRONG("E10019",
                             "input '%s' has -1 in dimension %d of %d; with image sizes the height and width of an "
                             "input of 4 dimensions are -1",
                             input->name, k, input->low.rank);
        }
        if (gears->kind == JM_GEAR_IMAGE && own == 1)
            return WRONG("E10019", "input '%s' has one -1; with image sizes height and width both are -1", input->name);
        places += own;
    }
    if (places == 0)
        return WRONG(gears->kind == JM_GEAR_BATCH ? "E10031" : "E10040",
                     "no input shape has -1, which stands for the sizes that are listed");
    if (gears->kind == JM_GEAR_DIMS && places != gears->numbers)
        return WRONG("E10003", "each gear has %zu numbers and the input shapes have %zu times -1", gears->numbers,
                     places);
    return JM_OK;
}

/* ---- The list ---- */

/* Numbers of one gear up to `end`. */
static jm_status take_gear(const char *text, const char *end, int64_t *number, size_t *count)
{
    const char *at = text;
    *count = 0;
    for (;;) {
        if (!take_number(&at, end, &number[*count]) || (at < end && *at != ','))
            return WRONG("E10003", "the gear '%.*s' must be whole numbers with commas between them", (int)(end - text),
                         text);
        if (number[*count] <= 0)
            return WRONG("E10038", "a gear has the size %lld; sizes are 1 or more", (long long)number[*count]);
        ++*count;
        if (at == end) return JM_OK;
        at++;
    }
}

static jm_status check_gear(const jm_gears *gears, const int64_t *number, size_t count)
{
    if (gears->kind == JM_GEAR_IMAGE && count != 2)
        return WRONG("E10020", "an image size has %zu numbers; it is height,width", count);
    if (gears->count && count != gears->numbers)
        return WRONG("E10037", "gears have %zu and %zu numbers; all have as many", gears->numbers, count);
    for (size_t i = 0; i < gears->count; i++)
        if (memcmp(gears->number + i * count, number, count * sizeof *number) == 0)
            return WRONG("E10039", "gear %zu is listed twice", i + 1);
    return gears->count < JM_MAX_GEARS ? JM_OK : WRONG("E10036", "the list has more than %d gears", JM_MAX_GEARS);
}

static jm_status take_list(const char *text, jm_arena *arena, jm_gears *gears)
{
    const char separator = gears->kind == JM_GEAR_BATCH ? ',' : ';';
    size_t numbers = 1, count;
    for (const char *c = text; *c; c++) numbers += *c == ',' || *c == ';';
    gears->number = jm_arena_alloc(arena, numbers, sizeof *gears->number);
    if (!gears->number) return JM_OUT_OF_MEMORY;
    size_t used = 0;
    while (*text) {
        const char *end = strchrnul(text, separator);
        JM_TRY(take_gear(text, end, gears->number + used, &count));
        JM_TRY(check_gear(gears, gears->number + used, count));
        gears->numbers = count;
        gears->count++;
        used += count;
        text = *end ? end + 1 : end;
    }
    return gears->count >= 2 ? JM_OK : WRONG("E10035", "the list has %zu gears; at least 2 are needed", gears->count);
}

jm_status jm_gears_parse(jm_gear_kind kind, const char *shapes, const char *list, jm_arena *arena, jm_gears *out)
{
    *out = (jm_gears){.kind = kind};
    if (kind != JM_GEAR_NONE && kind != JM_GEAR_RANGE && !(shapes && *shapes))
        return WRONG("E10012",
                     "sizes are listed and the input shapes are empty; give them, with -1 where sizes differ");
    JM_TRY(take_shapes(shapes ? shapes : "", arena, out));
    if (kind != JM_GEAR_NONE && kind != JM_GEAR_RANGE) {
        JM_TRY(take_list(list ? list : "", arena, out));
        return check_places(out);
    }
    for (size_t i = 0; i < out->inputs; i++)
        for (int k = 0; k < out->input[i].low.rank; k++)
            if (depends(&out->input[i], k) || out->input[i].high.dim[k] != out->input[i].low.dim[k])
                out->kind = JM_GEAR_RANGE;
    return JM_OK;
}

/* ---- Inputs that the text left out ---- */

jm_status jm_gears_add_rest(const jm_graph *graph, jm_arena *arena, jm_gears *gears)
{
    if (gears->kind == JM_GEAR_NONE) return JM_OK;
    jm_gear_input *all = jm_arena_alloc(arena, gears->inputs + graph->inputs, sizeof *all);
    if (!all) return JM_OUT_OF_MEMORY;
    memcpy(all, gears->input, gears->inputs * sizeof *all);
    gears->input = all;
    for (size_t i = 0; i < graph->inputs; i++) {
        const char *name = graph->input[i]->name;
        const jm_shape *shape = jm_aipp_model_shape(graph, i);
        if (!shape || jm_gears_find(gears, name)) continue;
        if (!*name || strchr(name, ';'))
            return WRONG("E10002", "the model has an input named '%s', which a model of several sizes cannot have",
                         name);
        all[gears->inputs] = (jm_gear_input){jm_arena_strdup(arena, name), *shape, *shape};
        if (!all[gears->inputs++].name) return JM_OUT_OF_MEMORY;
    }
    return JM_OK;
}

/* ---- Shapes of a gear ---- */

void jm_gears_shape(const jm_gears *gears, size_t gear, size_t input, jm_shape *shape)
{
    size_t seen = 0;
    *shape = gears->input[input].high;
    if (gears->kind == JM_GEAR_NONE || gears->kind == JM_GEAR_RANGE) return;
    for (size_t i = 0; i <= input; i++) {
        const jm_gear_input *in = &gears->input[i];
        for (int k = 0; k < in->low.rank; k++) {
            if (!depends(in, k)) continue;
            if (i == input) shape->dim[k] = gears->number[gear * gears->numbers + number_of(gears, k, seen)];
            seen++;
        }
    }
}

size_t jm_gears_largest(const jm_gears *gears)
{
    size_t largest = 0;
    double most = -1;
    for (size_t g = 0; g < gears->count; g++) {
        double elements = 0;
        for (size_t i = 0; i < gears->inputs; i++) {
            jm_shape shape;
            double product = 1;
            jm_gears_shape(gears, g, i, &shape);
            for (int k = 0; k < shape.rank; k++) product *= (double)shape.dim[k];
            elements += product;
        }
        if (elements > most) largest = g;
        most = JM_MAX(most, elements);
    }
    return largest;
}

const jm_gear_input *jm_gears_find(const jm_gears *gears, const char *name)
{
    for (size_t i = 0; i < gears->inputs; i++)
        if (strcmp(gears->input[i].name, name) == 0) return &gears->input[i];
    return NULL;
}

bool jm_gears_open(const jm_gears *gears)
{
    bool open = false;
    for (size_t i = 0; i < gears->inputs && gears->kind == JM_GEAR_RANGE; i++)
        for (int k = 0; k < gears->input[i].high.rank; k++) open = open || gears->input[i].high.dim[k] == -1;
    return open;
}

/* ---- In the .om ---- */

enum { NUMBER_TEXT = 44 }; /* "low~high," of two int64 */

static jm_status store_shapes(const jm_gears *gears, jm_graph *graph)
{
    size_t bytes = 1, used = 0;
    for (size_t i = 0; i < gears->inputs; i++)
        if (!jm_size_add(bytes, strlen(gears->input[i].name) + 2 + (size_t)JM_MAX_RANK * NUMBER_TEXT, &bytes))
            return JM_OUT_OF_MEMORY;
    char *text = jm_alloc(bytes, 1);
    if (!text) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < gears->inputs; i++) {
        const jm_gear_input *input = &gears->input[i];
        used += (size_t)snprintf(text + used, bytes - used, "%s%s:", i ? ";" : "", input->name);
        for (int k = 0; k < input->low.rank; k++) {
            const long long low = input->low.dim[k], high = input->high.dim[k];
            used += (size_t)snprintf(text + used, bytes - used, low == high ? "%s%lld" : "%s%lld~%lld", k ? "," : "",
                                     low, high);
        }
    }
    jm_status status = jm_graph_set_meta(graph, "gears.shapes", text);
    jm_free(text);
    return status;
}

static jm_status store_list(const jm_gears *gears, jm_graph *graph)
{
    size_t bytes, used = 0;
    if (!jm_size_mul(gears->count * gears->numbers + 1, NUMBER_TEXT, &bytes)) return JM_OUT_OF_MEMORY;
    char *text = jm_alloc(bytes, 1);
    if (!text) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < gears->count * gears->numbers; i++) {
        const char *before = i == 0 ? "" : gears->kind == JM_GEAR_BATCH || i % gears->numbers ? "," : ";";
        used += (size_t)snprintf(text + used, bytes - used, "%s%lld", before, (long long)gears->number[i]);
    }
    jm_status status = jm_graph_set_meta(graph, "gears.list", text);
    jm_free(text);
    return status;
}

jm_status jm_gears_store(const jm_gears *gears, jm_graph *graph)
{
    if (gears->kind == JM_GEAR_NONE) return JM_OK;
    JM_TRY(jm_graph_set_meta(graph, "gears.kind", jm_gear_kind_text(gears->kind)));
    JM_TRY(store_shapes(gears, graph));
    return gears->kind == JM_GEAR_RANGE ? JM_OK : store_list(gears, graph);
}

jm_status jm_gears_load(const jm_graph *graph, jm_arena *arena, jm_gears *out)
{
    const char *text = jm_graph_meta(graph, "gears.kind");
    const char *shapes = jm_graph_meta(graph, "gears.shapes"), *list = jm_graph_meta(graph, "gears.list");
    jm_gear_kind kind = JM_GEAR_BATCH;
    *out = (jm_gears){0};
    if (!text) return JM_OK;
    while (kind < JM_GEAR_KINDS && strcmp(text, kind_text[kind]) != 0) kind++;
    if (kind == JM_GEAR_KINDS) return jm_error(JM_CORRUPT, "the file has sizes of the unknown kind '%.40s'", text);
    jm_status status = jm_gears_parse(kind, shapes, list, arena, out);
    return status == JM_INVALID_ARGUMENT ? jm_error_context(JM_CORRUPT, "the sizes in the file are wrong") : status;
}
