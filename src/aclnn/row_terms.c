/* SPDX-License-Identifier: Apache-2.0
 *
 * A statement becomes nodes: first the terms are surveyed for the type in which to compute, then they are built.
 */
#include <math.h>
#include <string.h>

#include "aclnn/build.h"
#include "aclnn/row_types.h"
#include "ops/strided.h"

#define MOST_OPERANDS (1 << 20) /* of one operator; a list is longer than any caller's */

typedef struct statement {
    jm_aclnn_build *build;
    const jm_aclnn_statement *text;
    const jm_aclnn_term *next; /* the cursor */
    /* Of the survey. */
    jm_type_mix mix;
    int nodes;
    jm_dtype compute; /* JM_DTYPE_NONE: operands stay as they are */
    bool boolean;     /* the result is bool, though it is computed as uint8 */
} statement;

static const jm_aclnn_param *param_of(const statement *s, const jm_aclnn_term *term)
{
    return &s->build->row->param[term->index];
}

static const jm_aclnn_value *value_of(const statement *s, const jm_aclnn_term *term)
{
    return &s->build->value[term->index];
}

/* ---- Numbers ---- */

/* A number with its type; the type is JM_DTYPE_NONE where the parameter is absent. */
typedef struct number {
    jm_dtype dtype;
    _Alignas(16) unsigned char value[16];
} number;

static jm_status scalar_number(const statement *s, const char *name, const aclScalar *scalar, number *out)
{
    *out = (number){.dtype = JM_DTYPE_NONE};
    if (!scalar) return JM_OK;
    size_t size = jm_dtype_size((jm_dtype)scalar->dtype);
    if (!size || size > sizeof(out->value))
        return jm_error(JM_UNSUPPORTED, "%s: %s has type %d (aclDataType), which operators do not take",
                        s->build->row->name, name, (int)scalar->dtype);
    out->dtype = (jm_dtype)scalar->dtype;
    memcpy(out->value, scalar->value, size);
    return JM_OK;
}

static number i64_number(int64_t value)
{
    number out = {.dtype = JM_I64};
    memcpy(out.value, &value, sizeof(value));
    return out;
}

static number f64_number(double value)
{
    number out = {.dtype = JM_F64};
    memcpy(out.value, &value, sizeof(value));
    return out;
}

/* The value of a parameter that is a number, or of a number in the text. */
static jm_status number_of(const statement *s, const jm_aclnn_term *term, number *out)
{
    if (term->kind == JM_TERM_NUMBER) {
        bool whole = floor(term->number) == term->number && fabs(term->number) < 0x1p53;
        *out = whole ? i64_number((int64_t)term->number) : f64_number(term->number);
        return JM_OK;
    }
    const jm_aclnn_param *param = param_of(s, term);
    const jm_aclnn_value *value = value_of(s, term);
    switch (param->kind) {
    case JM_ACLNN_SCALAR:
        return scalar_number(s, param->name, value->scalar, out);
    case JM_ACLNN_SCALARS:
        return scalar_number(s, param->name, value->scalars->item[s->build->item], out);
    case JM_ACLNN_FLOAT:
        *out = f64_number(value->f);
        return JM_OK;
    default:
        *out = i64_number(value->i);
        return JM_OK;
    }
}

/* The number has no imaginary part. */
static bool is_real(const number *n)
{
    unsigned char real[16];
    if (jm_type_category(n->dtype) < 4) return true;
    jm_element_from_f64(n->dtype, jm_element_to_f64(n->dtype, n->value), real);
    return memcmp(real, n->value, jm_dtype_size(n->dtype)) == 0;
}

static double number_f64(const number *n)
{
    return jm_element_to_f64(n->dtype, n->value);
}

static bool is_tensor(const jm_aclnn_param *param)
{
    return param->kind == JM_ACLNN_TENSOR || param->kind == JM_ACLNN_TENSORS;
}

static const jm_tensor *tensor_of(const statement *s, const jm_operand *operand)
{
    return jm_builder_tensor(jm_eager_builder(s->build->eager), operand);
}

/* ---- Survey ---- */

static void skip(const jm_aclnn_term **next)
{
    const jm_aclnn_term *term = (*next)++;
    for (int i = 0; i < term->count + term->attrs; i++) skip(next);
}

static void mix_tensors(statement *s, const jm_aclnn_term *term)
{
    const jm_aclnn_argument *argument = &s->build->argument[term->index];
    bool each = s->build->row->each && param_of(s, term)->kind == JM_ACLNN_TENSORS;
    for (uint64_t i = 0; i < argument->count; i++) {
        if ((each && i != s->build->item) || !argument->in[i]) continue;
        const jm_tensor *tensor = jm_builder_tensor(jm_eager_builder(s->build->eager), argument->in[i]);
        jm_type_mix_tensor(&s->mix, tensor->dtype, tensor->shape.rank);
    }
}

/* A factor of one, or none, changes nothing: the product is left out. */
static jm_status is_one(const statement *s, const jm_aclnn_term *term, bool *one)
{
    number n;
    *one = false;
    if (term->kind != JM_TERM_PARAM || is_tensor(param_of(s, term))) return JM_OK;
    JM_TRY(number_of(s, term, &n));
    *one = n.dtype == JM_DTYPE_NONE || (number_f64(&n) == 1 && is_real(&n));
    return JM_OK;
}

static bool is_given(const statement *s, const jm_aclnn_term *term)
{
    return param_of(s, term)->kind >= JM_ACLNN_INT || value_of(s, term)->pointer;
}

static jm_status survey(statement *s);

static jm_status survey_given(statement *s)
{
    bool given = is_given(s, s->next++);
    if (!given) skip(&s->next);
    JM_TRY(survey(s));
    if (given) skip(&s->next);
    return JM_OK;
}

static jm_status survey(statement *s)
{
    const jm_aclnn_term *term = s->next++;
    number n;
    bool one;
    switch (term->kind) {
    case JM_TERM_NODE:
        s->nodes++;
        for (int i = 0; i < term->count; i++) JM_TRY(survey(s));
        for (int i = 0; i < term->attrs; i++) skip(&s->next);
        return JM_OK;
    case JM_TERM_SCALE:
    case JM_TERM_SHARE:
        JM_TRY(survey(s));
        JM_TRY(is_one(s, s->next, &one));
        s->nodes += !one;
        skip(&s->next);
        return JM_OK;
    case JM_TERM_BROADCAST:
    case JM_TERM_UNSQUEEZE:
    case JM_TERM_LEADING:
    case JM_TERM_CROP:
    case JM_TERM_ALONG:
        JM_TRY(survey(s));
        for (int i = 1; i < term->count; i++) skip(&s->next);
        return JM_OK;
    case JM_TERM_CAST:
        return survey(s);
    case JM_TERM_ITEM:
        jm_type_mix_tensor(&s->mix, tensor_of(s, s->build->argument[s->next->index].in[0])->dtype, 0);
        skip(&s->next);
        return JM_OK;
    case JM_TERM_GIVEN:
        return survey_given(s);
    case JM_TERM_PARAM:
        if (term->convert != JM_CONVERT_RULE) return JM_OK;
        if (is_tensor(param_of(s, term))) {
            mix_tensors(s, term);
            return JM_OK;
        }
        JM_TRY(number_of(s, term, &n));
        if (n.dtype != JM_DTYPE_NONE) jm_type_mix_number(&s->mix, n.dtype);
        return JM_OK;
    default:
        for (int i = 0; i < term->count; i++) skip(&s->next);
        return JM_OK;
    }
}

static bool is_shape(uint8_t output)
{
    return output >= JM_ACLNN_SHAPE_OF(0) && output != JM_ACLNN_NO_OUTPUT;
}

static bool gives_shapes(const jm_aclnn_statement *text)
{
    bool found = false;
    for (int i = 0; i < text->outputs; i++) found = found || is_shape(text->output[i]);
    return found;
}

static jm_operand *output_operand(const statement *s, int i)
{
    const jm_aclnn_build *build = s->build;
    int index = s->text->output[i];
    if (index == JM_ACLNN_NO_OUTPUT) return NULL;
    if (is_shape(s->text->output[i])) return build->argument[index - JM_ACLNN_SHAPE_OF(0)].shape;
    bool each = build->row->each && build->row->param[index].kind == JM_ACLNN_TENSORS;
    const jm_aclnn_argument *argument = &build->argument[index];
    uint64_t item = each ? build->item : 0;
    return item < argument->count ? argument->out[item] : NULL;
}

static jm_dtype output_dtype(const statement *s)
{
    jm_operand *out = output_operand(s, 0);
    return out ? jm_builder_tensor(jm_eager_builder(s->build->eager), out)->dtype : JM_F32;
}

static void choose_type(statement *s)
{
    s->compute = JM_DTYPE_NONE;
    if (s->text->rule == JM_RULE_KEEP || s->text->rule == JM_RULE_EXACT || s->text->rule == JM_RULE_CONVERT) return;
    s->compute = s->text->rule == JM_RULE_OUTPUT ? output_dtype(s) : jm_type_mix_result(&s->mix);
    if (s->compute == JM_DTYPE_NONE) s->compute = output_dtype(s);
    if (s->text->rule == JM_RULE_FLOAT && jm_type_category(s->compute) < 3) s->compute = JM_F32;
    /* Several operations on 16-bit floats round once, at the end. */
    if (s->nodes > 1 && (s->compute == JM_F16 || s->compute == JM_BF16)) s->compute = JM_F32;
}

/* ---- Operands ---- */

typedef struct operands {
    int count, capacity;
    jm_operand **item; /* in the arena of phase one */
} operands;

static jm_status node(const statement *s, const char *op, jm_operand *const *in, int inputs, const jm_named_attr *attr,
                      int attrs, jm_operand **out, int outputs)
{
    const jm_op *found = jm_op_find(op);
    if (!found) return jm_error(JM_INTERNAL, "%s: there is no operator %s", s->build->row->name, op);
    return jm_eager_node(s->build->eager, found, in, inputs, attr, attrs, out, outputs);
}

static jm_status as_type(const statement *s, jm_dtype dtype, jm_operand **operand)
{
    if (!*operand || dtype < 0 || tensor_of(s, *operand)->dtype == dtype) return JM_OK;
    const jm_named_attr to = {"to", {.count = 1, .dtype = dtype}};
    jm_operand *out = NULL;
    JM_TRY(node(s, "Cast", operand, 1, &to, 1, &out, 1));
    *operand = out;
    return JM_OK;
}

static jm_status constant(const statement *s, const number *n, jm_dtype dtype, jm_operand **out)
{
    _Alignas(16) unsigned char value[16];
    const jm_shape scalar = {0};
    if (n->dtype == JM_DTYPE_NONE) {
        *out = NULL;
        return JM_OK;
    }
    if (dtype < 0) dtype = n->dtype;
    /* A whole number wraps, whatever its own type. */
    if (jm_type_category(dtype) == 2)
        jm_element_from_i64(dtype, jm_element_to_i64(n->dtype, n->value), value);
    else
        JM_TRY(jm_convert(n->dtype, n->value, dtype, value, 1));
    return jm_builder_constant(jm_eager_builder(s->build->eager), dtype, &scalar, value, out);
}

static jm_status push(operands *list, const statement *s, jm_operand *operand)
{
    if (list->count == MOST_OPERANDS)
        return jm_error(JM_UNSUPPORTED, "%s: more than %d tensors", s->build->row->name, MOST_OPERANDS);
    if (list->count == list->capacity) {
        const int capacity = JM_MAX(2 * list->capacity, 8);
        jm_operand **item = jm_arena_alloc(s->build->arena, (size_t)capacity, sizeof(*item));
        if (!item) return JM_OUT_OF_MEMORY;
        if (list->count) memcpy(item, list->item, (size_t)list->count * sizeof(*item));
        list->item = item;
        list->capacity = capacity;
    }
    list->item[list->count++] = operand;
    return JM_OK;
}

/* What a parameter is converted to. */
static jm_dtype target_type(const statement *s, const jm_aclnn_term *term)
{
    if (term->convert == JM_CONVERT_RULE) return s->compute;
    return term->convert == JM_CONVERT_KEEP ? JM_DTYPE_NONE : (jm_dtype)term->convert;
}

static jm_status push_param(statement *s, const jm_aclnn_term *term, operands *list)
{
    const jm_aclnn_param *param = param_of(s, term);
    const jm_aclnn_argument *argument = &s->build->argument[term->index];
    jm_dtype dtype = target_type(s, term);
    jm_operand *operand = NULL;
    if (!is_tensor(param)) {
        number n;
        JM_TRY(number_of(s, term, &n));
        JM_TRY(constant(s, &n, dtype, &operand));
        return push(list, s, operand);
    }
    bool each = s->build->row->each && param->kind == JM_ACLNN_TENSORS;
    if (each && argument->count == 0) return push(list, s, NULL);
    for (uint64_t i = each ? s->build->item : 0; i < argument->count; i++) {
        operand = argument->in[i];
        JM_TRY(as_type(s, dtype, &operand));
        JM_TRY(push(list, s, operand));
        if (each) break;
    }
    return JM_OK;
}

static jm_status push_ints(statement *s, const jm_aclnn_term *term, operands *list)
{
    const jm_aclnn_value *value = value_of(s, term);
    bool array = term->kind == JM_TERM_PARAM && param_of(s, term)->kind == JM_ACLNN_INTS;
    jm_operand *out = NULL;
    number n;
    if (array && !value->ints) return push(list, s, NULL);
    if (!array) {
        JM_TRY(number_of(s, term, &n));
        int64_t one = jm_element_to_i64(n.dtype, n.value);
        JM_TRY(jm_builder_ints(jm_eager_builder(s->build->eager), &one, 1, &out));
        return push(list, s, out);
    }
    if (value->ints->size > JM_MAX_ARGUMENTS)
        return jm_error(JM_INVALID_ARGUMENT, "%s: %s has %llu numbers; the limit is %d", s->build->row->name,
                        param_of(s, term)->name, (unsigned long long)value->ints->size, JM_MAX_ARGUMENTS);
    JM_TRY(jm_builder_ints(jm_eager_builder(s->build->eager), value->ints->value, (int)value->ints->size, &out));
    return push(list, s, out);
}

static jm_status build_term(statement *s, operands *list);

static jm_status build_one(statement *s, jm_operand **out)
{
    operands list = {0};
    JM_TRY(build_term(s, &list));
    if (list.count != 1) return jm_error(JM_INTERNAL, "%s: a list where one tensor is meant", s->build->row->name);
    *out = list.item[0];
    return JM_OK;
}

static jm_status build_scale(statement *s, operands *list)
{
    jm_operand *in[2], *out = NULL;
    bool one;
    number n = {.dtype = JM_DTYPE_NONE};
    JM_TRY(build_one(s, &in[0]));
    const jm_aclnn_term *factor = s->next;
    JM_TRY(is_one(s, factor, &one));
    if (one) {
        skip(&s->next);
        return push(list, s, in[0]);
    }
    if (factor->kind == JM_TERM_PARAM && !is_tensor(param_of(s, factor))) JM_TRY(number_of(s, factor, &n));
    bool whole = n.dtype == JM_DTYPE_NONE || jm_type_category(n.dtype) < 3 || number_f64(&n) == rint(number_f64(&n));
    if (!whole && s->compute >= 0 && jm_type_category(s->compute) < 3)
        return jm_error(JM_INVALID_ARGUMENT, "%s: %s is %g and must be an integer, because the result is %s",
                        s->build->row->name, param_of(s, factor)->name, number_f64(&n), jm_dtype_text(s->compute));
    JM_TRY(build_one(s, &in[1]));
    JM_TRY(node(s, "Mul", in, 2, NULL, 0, &out, 1));
    return push(list, s, out);
}

/* A term of which only the shape counts; it may be an output. */
static jm_status build_like(statement *s, jm_operand **out)
{
    const jm_aclnn_term *term = s->next;
    const jm_aclnn_argument *argument = &s->build->argument[term->index];
    if (term->kind != JM_TERM_PARAM || argument->count != 1 || argument->in[0]) return build_one(s, out);
    *out = argument->out[0];
    s->next++;
    return JM_OK;
}

static jm_status build_share(statement *s, operands *list)
{
    const jm_aclnn_term *factor = s->next;
    number n;
    skip(&factor);
    JM_TRY(number_of(s, factor, &n));
    if (n.dtype == JM_DTYPE_NONE || number_f64(&n) != 0) return build_scale(s, list);
    const int64_t stride[JM_MAX_RANK] = {0};
    const number nothing = i64_number(0);
    jm_operand *of = NULL, *out = NULL;
    JM_TRY(build_one(s, &of));
    skip(&s->next);
    const jm_shape shape = tensor_of(s, of)->shape;
    JM_TRY(constant(s, &nothing, tensor_of(s, of)->dtype, &out));
    JM_TRY(jm_eager_view(s->build->eager, out, &shape, stride, 0, &out));
    return push(list, s, out);
}

static jm_status build_shape(statement *s, operands *list)
{
    jm_operand *of = NULL, *out = NULL;
    JM_TRY(build_like(s, &of));
    const jm_shape *shape = &tensor_of(s, of)->shape;
    JM_TRY(jm_builder_ints(jm_eager_builder(s->build->eager), shape->dim, shape->rank, &out));
    return push(list, s, out);
}

static jm_status build_size(statement *s, operands *list)
{
    jm_operand *of = NULL, *out = NULL;
    number n;
    int axis = 0;
    JM_TRY(build_one(s, &of));
    JM_TRY(number_of(s, s->next++, &n));
    const jm_shape *shape = &tensor_of(s, of)->shape;
    int64_t size = 1;
    if (shape->rank > 0) {
        jm_status status = jm_axis_normalise(jm_element_to_i64(n.dtype, n.value), shape->rank, &axis);
        if (status != JM_OK) return jm_error_context(status, "%s", s->build->row->name);
        size = shape->dim[axis];
    }
    JM_TRY(jm_builder_ints(jm_eager_builder(s->build->eager), &size, 1, &out));
    return push(list, s, out);
}

static jm_status broadcast_view(const statement *s, jm_operand *of, const jm_shape *shape, jm_operand **out)
{
    const jm_tensor *from = tensor_of(s, of);
    int64_t stride[JM_MAX_RANK] = {0};
    int lead = shape->rank - from->shape.rank;
    char from_text[JM_SHAPE_TEXT], to_text[JM_SHAPE_TEXT];
    bool fits = lead >= 0;
    for (int k = 0; fits && k < from->shape.rank; k++) {
        fits = from->shape.dim[k] == shape->dim[lead + k] || from->shape.dim[k] == 1;
        stride[lead + k] = from->shape.dim[k] == 1 ? 0 : from->stride[k];
    }
    if (!fits)
        return jm_error(JM_INVALID_ARGUMENT, "%s: shape %s does not broadcast to %s", s->build->row->name,
                        jm_shape_text(&from->shape, from_text), jm_shape_text(shape, to_text));
    return jm_eager_view(s->build->eager, of, shape, stride, 0, out);
}

static jm_status build_broadcast(statement *s, operands *list)
{
    jm_operand *of = NULL, *like = NULL, *out = NULL;
    JM_TRY(build_one(s, &of));
    JM_TRY(build_like(s, &like));
    JM_TRY(broadcast_view(s, of, &tensor_of(s, like)->shape, &out));
    return push(list, s, out);
}

/* A dimension of 1 before `axis` of each operand that was pushed from `first` on. */
static jm_status unsqueeze(const statement *s, operands *list, int first, int64_t axis)
{
    for (int i = first; i < list->count; i++) {
        const jm_tensor *from = tensor_of(s, list->item[i]);
        jm_shape shape = from->shape;
        int64_t stride[JM_MAX_RANK];
        int at;
        if (shape.rank == JM_MAX_RANK)
            return jm_error(JM_INVALID_ARGUMENT, "%s: a tensor has %d dimensions and cannot get one more",
                            s->build->row->name, JM_MAX_RANK);
        jm_status status = jm_axis_normalise(axis, shape.rank + 1, &at);
        if (status != JM_OK) return jm_error_context(status, "%s", s->build->row->name);
        memcpy(stride, from->stride, sizeof(stride));
        for (int k = shape.rank; k > at; k--) {
            shape.dim[k] = shape.dim[k - 1];
            stride[k] = stride[k - 1];
        }
        shape.rank++;
        shape.dim[at] = 1;
        stride[at] = 1;
        JM_TRY(jm_eager_view(s->build->eager, list->item[i], &shape, stride, 0, &list->item[i]));
    }
    return JM_OK;
}

static jm_status build_unsqueeze(statement *s, operands *list)
{
    number n;
    int first = list->count;
    JM_TRY(build_term(s, list));
    JM_TRY(number_of(s, s->next++, &n));
    return unsqueeze(s, list, first, jm_element_to_i64(n.dtype, n.value));
}

static jm_status build_leading(statement *s, operands *list)
{
    int first = list->count;
    JM_TRY(build_term(s, list));
    const aclIntArray *array = value_of(s, s->next++)->ints;
    if (array->size > JM_MAX_RANK)
        return jm_error(JM_INVALID_ARGUMENT, "%s: an array has %llu numbers; tensors have at most %d dimensions",
                        s->build->row->name, (unsigned long long)array->size, JM_MAX_RANK);
    while (tensor_of(s, list->item[first])->shape.rank < (int)array->size) JM_TRY(unsqueeze(s, list, first, 0));
    return JM_OK;
}

static jm_status build_along(statement *s, operands *list)
{
    jm_operand *of = NULL, *like = NULL, *out = NULL;
    number n;
    int axis = 0;
    JM_TRY(build_one(s, &of));
    JM_TRY(number_of(s, s->next++, &n));
    JM_TRY(build_one(s, &like));
    const jm_tensor *line = tensor_of(s, of);
    jm_shape shape = tensor_of(s, like)->shape;
    int64_t stride[JM_MAX_RANK] = {0};
    char text[JM_SHAPE_TEXT];
    if (shape.rank == 0) shape = (jm_shape){.rank = 1, .dim = {1}};
    jm_status status = jm_axis_normalise(jm_element_to_i64(n.dtype, n.value), shape.rank, &axis);
    if (status != JM_OK) return jm_error_context(status, "%s", s->build->row->name);
    if (line->shape.rank > 1)
        return jm_error(JM_INVALID_ARGUMENT, "%s: an index has shape %s and must have one dimension",
                        s->build->row->name, jm_shape_text(&line->shape, text));
    shape.dim[axis] = line->shape.rank ? line->shape.dim[0] : 1;
    stride[axis] = line->shape.rank ? line->stride[0] : 1;
    JM_TRY(jm_eager_view(s->build->eager, of, &shape, stride, 0, &out));
    return push(list, s, out);
}

static jm_status build_crop(statement *s, operands *list)
{
    jm_operand *of = NULL, *like = NULL, *out = NULL;
    JM_TRY(build_one(s, &of));
    JM_TRY(build_one(s, &like));
    const jm_tensor *from = tensor_of(s, of);
    const jm_shape *shape = &tensor_of(s, like)->shape;
    char from_text[JM_SHAPE_TEXT], to_text[JM_SHAPE_TEXT];
    bool fits = from->shape.rank == shape->rank;
    for (int k = 0; fits && k < shape->rank; k++) fits = shape->dim[k] <= from->shape.dim[k];
    if (!fits)
        return jm_error(JM_INVALID_ARGUMENT, "%s: shape %s must lie inside shape %s", s->build->row->name,
                        jm_shape_text(shape, to_text), jm_shape_text(&from->shape, from_text));
    JM_TRY(jm_eager_view(s->build->eager, of, shape, from->stride, 0, &out));
    return push(list, s, out);
}

static jm_status build_item(statement *s, operands *list)
{
    const jm_shape scalar = {.rank = 0};
    const int64_t none = 0;
    jm_operand *out = s->build->argument[s->next->index].in[0];
    const jm_tensor *tensor = tensor_of(s, out);
    const char *name = param_of(s, s->next++)->name;
    if ((uint64_t)jm_tensor_elements(tensor) != s->build->items)
        return jm_error(JM_INVALID_ARGUMENT, "%s: %s has %lld elements and must have %llu, one for each tensor",
                        s->build->row->name, name, (long long)jm_tensor_elements(tensor),
                        (unsigned long long)s->build->items);
    const int64_t offset =
        jm_strided_offset(tensor->shape.rank, tensor->shape.dim, tensor->stride, (int64_t)s->build->item);
    JM_TRY(jm_eager_view(s->build->eager, out, &scalar, &none, offset, &out));
    JM_TRY(as_type(s, s->compute, &out));
    return push(list, s, out);
}

static jm_status build_cast(statement *s, jm_dtype dtype, operands *list)
{
    jm_operand *out = NULL;
    JM_TRY(build_one(s, &out));
    JM_TRY(as_type(s, dtype, &out));
    return push(list, s, out);
}

static jm_status build_given(statement *s, operands *list)
{
    bool given = is_given(s, s->next++);
    if (!given) skip(&s->next);
    JM_TRY(build_term(s, list));
    if (given) skip(&s->next);
    return JM_OK;
}

/* ---- Attributes ---- */

static jm_status set_choice(const statement *s, const jm_aclnn_term *term, jm_attr *attr)
{
    number n;
    int texts = term->count - 1;
    JM_TRY(number_of(s, term + 1, &n));
    int64_t i = jm_element_to_i64(n.dtype, n.value);
    if (i < 0 || i >= texts)
        return jm_error(JM_INVALID_ARGUMENT, "%s: %s is %lld and must be 0 to %d", s->build->row->name,
                        param_of(s, term + 1)->name, (long long)i, texts - 1);
    attr->s = term[2 + i].name;
    return JM_OK;
}

/* An array of bools as numbers 0 and 1. */
static jm_status set_bools(const statement *s, const aclBoolArray *array, jm_attr *attr, bool *absent)
{
    *absent = !array;
    if (*absent) return JM_OK;
    int64_t *copy = jm_arena_alloc(s->build->arena, array->size + 1, sizeof(*copy));
    if (!copy) return JM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < array->size; i++) copy[i] = array->value[i];
    attr->ints = copy;
    attr->count = (int32_t)JM_MIN(array->size, INT32_MAX);
    return JM_OK;
}

/* `term` is JM_TERM_EXCEPT: the number, unless it is the one that means none. */
static jm_status is_except(const statement *s, const jm_aclnn_term *term, bool *none)
{
    number given, other;
    JM_TRY(number_of(s, term + 1, &given));
    JM_TRY(number_of(s, term + 2, &other));
    *none = number_f64(&given) == number_f64(&other);
    return JM_OK;
}

static jm_status set_ints(const statement *s, const jm_aclnn_term *term, jm_attr *attr, bool *absent)
{
    bool all = term->kind == JM_TERM_ALL;
    if (all) term++;
    const jm_aclnn_value *value = value_of(s, term);
    if (term->kind == JM_TERM_PARAM && param_of(s, term)->kind == JM_ACLNN_INTS) {
        *absent = !value->ints || (all && value->ints->size == 0);
        if (*absent) return JM_OK;
        if (value->ints->size > JM_MAX_ARGUMENTS)
            return jm_error(JM_INVALID_ARGUMENT, "%s: %s has %llu numbers; the limit is %d", s->build->row->name,
                            param_of(s, term)->name, (unsigned long long)value->ints->size, JM_MAX_ARGUMENTS);
        attr->ints = value->ints->value;
        attr->count = (int32_t)value->ints->size;
        return JM_OK;
    }
    if (term->kind == JM_TERM_PARAM && param_of(s, term)->kind == JM_ACLNN_BOOLS)
        return set_bools(s, value->bools, attr, absent);
    number n;
    JM_TRY(number_of(s, term, &n));
    int64_t *one = jm_arena_alloc(s->build->arena, 1, sizeof(*one));
    if (!one) return JM_OUT_OF_MEMORY;
    *one = jm_element_to_i64(n.dtype, n.value);
    attr->ints = one;
    attr->count = 1;
    return JM_OK;
}

static jm_status set_floats(const statement *s, const jm_aclnn_term *term, jm_attr *attr, bool *absent)
{
    const aclFloatArray *array = value_of(s, term)->floats;
    *absent = !array;
    if (*absent) return JM_OK;
    double *copy = jm_arena_alloc(s->build->arena, array->size + 1, sizeof(*copy));
    if (!copy) return JM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < array->size; i++) copy[i] = (double)array->value[i];
    attr->floats = copy;
    attr->count = (int32_t)JM_MIN(array->size, INT32_MAX);
    return JM_OK;
}

static jm_status set_dtype(const statement *s, const jm_aclnn_term *term, jm_attr *attr)
{
    jm_dtype dtype = (jm_dtype)value_of(s, term)->i;
    attr->count = 1;
    attr->dtype = dtype;
    if (jm_dtype_size(dtype)) return JM_OK;
    return jm_error(JM_UNSUPPORTED, "%s: %s is %d (aclDataType), which operators do not take", s->build->row->name,
                    param_of(s, term)->name, (int)dtype);
}

/* The value of an attribute in the kind that the operator wants. */
static jm_status set_attr(const statement *s, const jm_op *op, const char *name, const jm_aclnn_term *term,
                          jm_attr *attr, bool *absent)
{
    int index = jm_op_attr_index(op, name);
    *absent = false;
    if (index < 0)
        return jm_error(JM_INTERNAL, "%s: the operator %s has no attribute %s", s->build->row->name, op->name, name);
    jm_param_kind kind = jm_op_attr(op, index)->kind;
    number n;
    if (term->kind == JM_TERM_EXCEPT) {
        JM_TRY(is_except(s, term, absent));
        if (*absent) return JM_OK;
        term++;
    }
    if (kind == JM_PARAM_INTS) return set_ints(s, term, attr, absent);
    if (kind == JM_PARAM_FLOATS) return set_floats(s, term, attr, absent);
    if (kind == JM_PARAM_DTYPE) return set_dtype(s, term, attr);
    attr->count = 1;
    if (term->kind == JM_TERM_CHOICE) return set_choice(s, term, attr);
    if (kind == JM_PARAM_STRING) {
        attr->s = term->kind == JM_TERM_TEXT ? term->name : value_of(s, term)->string;
        *absent = !attr->s;
        return JM_OK;
    }
    bool invert = term->kind == JM_TERM_NOT;
    JM_TRY(number_of(s, term + invert, &n));
    *absent = n.dtype == JM_DTYPE_NONE;
    if (*absent) return JM_OK;
    if (kind == JM_PARAM_FLOAT)
        attr->f = number_f64(&n);
    else
        attr->i = invert ? number_f64(&n) == 0 : jm_element_to_i64(n.dtype, n.value);
    return JM_OK;
}

#define MOST_ATTRS 16

static jm_status build_attrs(statement *s, const jm_op *op, int count, jm_named_attr *attr, int *attrs)
{
    *attrs = 0;
    for (int i = 0; i < count; i++) {
        const jm_aclnn_term *name = s->next++;
        bool absent;
        jm_named_attr *next = &attr[*attrs];
        *next = (jm_named_attr){.name = name->name};
        JM_TRY(set_attr(s, op, name->name, s->next, &next->value, &absent));
        *attrs += !absent;
        skip(&s->next);
    }
    return JM_OK;
}

/* ---- Nodes ---- */

/* In which type an operator computes on elements of a type that it lacks. */
static jm_dtype wider_type(jm_dtype dtype)
{
    switch (dtype) {
    case JM_BOOL:
        return JM_U8;
    case JM_F16:
    case JM_BF16:
        return JM_F32;
    case JM_I8:
    case JM_U8:
    case JM_I16:
    case JM_U16:
    case JM_U32:
        return JM_I64;
    default:
        return dtype;
    }
}

static jm_status settle_types(statement *s, const jm_op *op, operands *in)
{
    for (int i = 0; op->dtypes && i < in->count; i++) {
        jm_dtype dtype = in->item[i] ? tensor_of(s, in->item[i])->dtype : JM_DTYPE_NONE;
        jm_dtype other = wider_type(dtype);
        if (dtype == other || op->dtypes >> dtype & 1 || !(op->dtypes >> other & 1)) continue;
        if (dtype == JM_BOOL) s->boolean = true;
        JM_TRY(as_type(s, other, &in->item[i]));
    }
    return JM_OK;
}

/* Tensors of rank 0 have an axis 0: they are read as one element along it. */
static jm_status settle_rank0(const statement *s, const jm_op *op, const jm_named_attr *attr, int attrs, operands *in)
{
    const jm_shape one = {.rank = 1, .dim = {1}};
    const int64_t stride = 1;
    bool axis = false;
    for (int i = 0; i < attrs; i++)
        axis = axis || strcmp(attr[i].name, "axis") == 0 || strcmp(attr[i].name, "axes") == 0;
    for (int i = 1; i < jm_op_inputs(op); i++) axis = axis || strcmp(jm_op_input(op, i)->name, "axis") == 0;
    for (int i = 0; axis && i < in->count; i++)
        if (in->item[i] && tensor_of(s, in->item[i])->shape.rank == 0)
            JM_TRY(jm_eager_view(s->build->eager, in->item[i], &one, &stride, 0, &in->item[i]));
    return JM_OK;
}

/* A longer list than an operator takes is concatenated in parts. */
static jm_status fold(const statement *s, const jm_op *op, const jm_named_attr *attr, int attrs, operands *in)
{
    while (in->count > JM_MAX_ARGUMENTS && strcmp(op->name, "Concat") == 0) {
        int parts = 0;
        for (int i = 0; i < in->count; i += JM_MAX_ARGUMENTS, parts++) {
            jm_operand *out = NULL;
            const int count = JM_MIN(in->count - i, JM_MAX_ARGUMENTS);
            JM_TRY(jm_eager_node(s->build->eager, op, in->item + i, count, attr, attrs, &out, 1));
            in->item[parts] = out;
        }
        in->count = parts;
    }
    return JM_OK;
}

/* Builds the operator at the cursor; entries of `out` are NULL or outputs of the row. */
static jm_status build_node(statement *s, jm_operand **out, int outputs)
{
    const jm_aclnn_term *term = s->next++;
    const jm_op *op = jm_op_find(term->name);
    operands in = {0};
    jm_named_attr attr[MOST_ATTRS];
    int attrs;
    if (!op) return jm_error(JM_INTERNAL, "%s: there is no operator %s", s->build->row->name, term->name);
    for (int i = 0; i < term->count; i++) JM_TRY(build_term(s, &in));
    JM_TRY(build_attrs(s, op, term->attrs, attr, &attrs));
    JM_TRY(settle_types(s, op, &in));
    JM_TRY(settle_rank0(s, op, attr, attrs, &in));
    JM_TRY(fold(s, op, attr, attrs, &in));
    return jm_eager_node(s->build->eager, op, in.item, in.count, attr, attrs, out, outputs);
}

static jm_status build_term(statement *s, operands *list)
{
    const jm_aclnn_term *term = s->next;
    jm_operand *out = NULL;
    if (term->kind == JM_TERM_NODE) {
        JM_TRY(build_node(s, &out, 1));
        return push(list, s, out);
    }
    s->next++;
    switch (term->kind) {
    case JM_TERM_PARAM:
        return push_param(s, term, list);
    case JM_TERM_NUMBER: {
        number n;
        JM_TRY(number_of(s, term, &n));
        JM_TRY(constant(s, &n, s->compute, &out));
        return push(list, s, out);
    }
    case JM_TERM_ABSENT:
        return push(list, s, NULL);
    case JM_TERM_SCALE:
        return build_scale(s, list);
    case JM_TERM_SHARE:
        return build_share(s, list);
    case JM_TERM_SHAPE:
        return build_shape(s, list);
    case JM_TERM_SIZE:
        return build_size(s, list);
    case JM_TERM_INTS:
        return push_ints(s, s->next++, list);
    case JM_TERM_BROADCAST:
        return build_broadcast(s, list);
    case JM_TERM_UNSQUEEZE:
        return build_unsqueeze(s, list);
    case JM_TERM_LEADING:
        return build_leading(s, list);
    case JM_TERM_GIVEN:
        return build_given(s, list);
    case JM_TERM_ALONG:
        return build_along(s, list);
    case JM_TERM_CROP:
        return build_crop(s, list);
    case JM_TERM_ITEM:
        return build_item(s, list);
    case JM_TERM_CAST:
        return build_cast(s, (jm_dtype)term->convert, list);
    default:
        return jm_error(JM_INTERNAL, "%s: a term of kind %d is no operand", s->build->row->name, term->kind);
    }
}

/* ---- Statements ---- */

static jm_status check_result(const statement *s, jm_dtype result, jm_operand *out, int output)
{
    jm_dtype dtype = tensor_of(s, out)->dtype;
    if (s->boolean) result = JM_BOOL;
    if (s->text->rule == JM_RULE_EXACT && result != dtype)
        return jm_error(JM_INVALID_ARGUMENT, "%s: %s is %s and must be %s", s->build->row->name,
                        s->build->row->param[s->text->output[output]].name, jm_dtype_text(dtype),
                        jm_dtype_text(result));
    if (s->text->rule == JM_RULE_CONVERT || jm_type_fits(result, dtype)) return JM_OK;
    return jm_error(JM_INVALID_ARGUMENT, "%s: %s is %s, which cannot hold a result of type %s", s->build->row->name,
                    s->build->row->param[s->text->output[output]].name, jm_dtype_text(dtype), jm_dtype_text(result));
}

/* An output that attributes can turn off may be NULL only then. */
static jm_status check_presence(const statement *s, int output, const jm_operand *want, const jm_operand *result)
{
    const jm_aclnn_row *row = s->build->row;
    const jm_aclnn_term *term = row->term + s->text->first;
    const int index = s->text->output[output];
    if (want || index == JM_ACLNN_NO_OUTPUT || term->kind != JM_TERM_NODE) return JM_OK;
    const jm_op *op = jm_op_find(term->name);
    const unsigned flags = output < jm_op_outputs(op) ? jm_op_output(op, output)->flags : 0;
    if ((flags & (JM_SWITCHED | JM_OPTIONAL)) != JM_SWITCHED) return JM_OK;
    const jm_shape *shape = &tensor_of(s, result)->shape;
    if (shape->rank == 1 && shape->dim[0] == 0) return JM_OK;
    s->build->absent = row->param[index].name;
    return jm_error(JM_INVALID_ARGUMENT, "%s: %s is wanted and NULL", row->name, s->build->absent);
}

/* A result that was computed elsewhere goes to its output. One element has any shape of one element. */
static jm_status store(const statement *s, jm_operand *result, jm_operand *out)
{
    const jm_tensor *from = tensor_of(s, result), *to = tensor_of(s, out);
    if (jm_tensor_elements(from) == 1 && jm_tensor_elements(to) == 1 && from->shape.rank != to->shape.rank) {
        int64_t stride[JM_MAX_RANK] = {0};
        JM_TRY(jm_eager_view(s->build->eager, result, &to->shape, stride, 0, &result));
    }
    if (from->dtype == to->dtype) return node(s, "Identity", &result, 1, NULL, 0, &out, 1);
    const jm_named_attr dtype = {"to", {.count = 1, .dtype = to->dtype}};
    return node(s, "Cast", &result, 1, &dtype, 1, &out, 1);
}

/* Reductions along the axis of a tensor of rank 0 give an element that may have an axis too many. */
static bool reads_rank0(const statement *s)
{
    const jm_aclnn_row *row = s->build->row;
    for (int i = 0; i < row->params; i++) {
        const jm_aclnn_argument *argument = &s->build->argument[i];
        if (row->param[i].kind == JM_ACLNN_TENSOR && argument->count && argument->in[0])
            return tensor_of(s, argument->in[0])->shape.rank == 0;
    }
    return false;
}

jm_status jm_aclnn_add_statement(jm_aclnn_build *build, const jm_aclnn_statement *text)
{
    statement s = {.build = build,
                   .text = text,
                   .next = build->row->term + text->first,
                   .mix = {JM_DTYPE_NONE, JM_DTYPE_NONE, JM_DTYPE_NONE}};
    jm_operand *want[JM_ACLNN_MAX_OUTPUTS], *result[JM_ACLNN_MAX_OUTPUTS];
    JM_TRY(survey(&s));
    choose_type(&s);
    s.next = build->row->term + text->first;
    const bool placed = text->rule == JM_RULE_EXACT || gives_shapes(text); /* results need no other shape */
    bool direct = s.next->kind == JM_TERM_NODE && (placed || !reads_rank0(&s));
    for (int i = 0; i < text->outputs; i++) {
        want[i] = output_operand(&s, i);
        result[i] = direct ? want[i] : NULL;
    }
    if (s.next->kind == JM_TERM_NODE)
        JM_TRY(build_node(&s, result, text->outputs));
    else
        JM_TRY(build_one(&s, &result[0]));
    if (s.text->outputs && !result[0])
        return jm_error(JM_INVALID_ARGUMENT, "%s: there is nothing to compute", build->row->name);
    for (int i = 0; i < text->outputs; i++) {
        if (is_shape(text->output[i])) continue;
        JM_TRY(check_presence(&s, i, want[i], result[i]));
        if (!want[i]) continue;
        JM_TRY(check_result(&s, tensor_of(&s, result[i])->dtype, want[i], i));
        if (!direct) JM_TRY(store(&s, result[i], want[i]));
    }
    return JM_OK;
}
