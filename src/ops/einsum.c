/* SPDX-License-Identifier: Apache-2.0
 *
 * Einsum: operands are contracted from left to right. float32 contracts by matrix products, 16-bit floats in float32;
 * other types multiply and add up.
 */
#include <string.h>

#include "ops/compose.h"

#define LETTERS 52
#define LABELS (LETTERS + JM_MAX_RANK) /* letters, then the dims of "..." from left to right */

/* The labels of an operand's dims. */
typedef struct term {
    int rank;
    unsigned char label[JM_MAX_RANK];
} term;

typedef struct einsum {
    term in[JM_MAX_ARGUMENTS], out;
    int64_t size[LABELS]; /* -1 where unknown */
    int ellipsis;         /* dims that "..." stands for in the result */
} einsum;

/* ---- The equation ---- */

static int letter(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    return c >= 'a' && c <= 'z' ? 26 + c - 'a' : -1;
}

static jm_status bad_equation(const jm_call *call, const char *what)
{
    return jm_call_error(call, JM_INVALID_ARGUMENT, "equation '%s': %s", call->attr[0].s, what);
}

static jm_status add_label(const jm_call *call, term *t, int label)
{
    if (t->rank == JM_MAX_RANK) return bad_equation(call, "a term has too many letters");
    t->label[t->rank++] = (unsigned char)label;
    return JM_OK;
}

/* One term up to `end`. `ellipsis` dims stand for "...", the last ones of all that it stands for anywhere. */
static jm_status read_term(const jm_call *call, const char *from, const char *end, int ellipsis, int all, term *t)
{
    bool seen = false;
    t->rank = 0;
    for (const char *p = from; p < end; p++) {
        if (*p == ' ') continue;
        if (*p == '.') {
            if (end - p < 3 || p[1] != '.' || p[2] != '.' || seen) return bad_equation(call, "'...' is malformed");
            for (int k = all - ellipsis; k < all; k++) JM_TRY(add_label(call, t, LETTERS + k));
            seen = true;
            p += 2;
        } else if (letter(*p) >= 0) {
            JM_TRY(add_label(call, t, letter(*p)));
        } else {
            return bad_equation(call, "it may hold letters, commas, '...', and '->'");
        }
    }
    return JM_OK;
}

static const char *term_end(const char *from, const char *end)
{
    const char *comma = memchr(from, ',', (size_t)(end - from));
    return comma ? comma : end;
}

/* Letters of a term; *dots says whether it has an ellipsis. */
static int count_letters(const char *from, const char *end, bool *dots)
{
    int count = 0;
    *dots = false;
    for (; from < end; from++) {
        count += letter(*from) >= 0;
        *dots = *dots || *from == '.';
    }
    return count;
}

/* The result that an equation without "->" means: "...", then the letters that occur once in order. */
static jm_status implied_output(const jm_call *call, einsum *e)
{
    int count[LABELS] = {0};
    for (int i = 0; i < call->inputs; i++)
        for (int k = 0; k < e->in[i].rank; k++) count[e->in[i].label[k]]++;
    for (int k = 0; k < e->ellipsis; k++) JM_TRY(add_label(call, &e->out, LETTERS + k));
    for (int k = 0; k < LETTERS; k++)
        if (count[k] == 1) JM_TRY(add_label(call, &e->out, k));
    return JM_OK;
}

static jm_status read_sizes(const jm_call *call, einsum *e)
{
    for (int k = 0; k < LABELS; k++) e->size[k] = 1;
    for (int i = 0; i < call->inputs; i++) {
        for (int k = 0; k < e->in[i].rank; k++) {
            int64_t *size = &e->size[e->in[i].label[k]], dim = call->in[i].shape.dim[k];
            if (dim == 1 || dim == *size) continue;
            if (*size != 1) return bad_equation(call, "a letter stands for different sizes");
            *size = dim;
        }
    }
    return JM_OK;
}

static jm_status resolve(const jm_call *call, einsum *e)
{
    const char *text = call->attr[0].s, *arrow = strstr(text, "->");
    const char *end = arrow ? arrow : text + strlen(text), *from = text;
    bool dots;
    memset(e, 0, sizeof(*e));
    for (int i = 0; i < call->inputs; i++) {
        const int own = call->in[i].shape.rank - count_letters(from, term_end(from, end), &dots);
        if (own < 0 || (own > 0 && !dots)) return bad_equation(call, "an operand has another rank than its term");
        e->ellipsis = JM_MAX(e->ellipsis, own);
        from = term_end(from, end);
        if (from < end && i + 1 < call->inputs) from++;
    }
    if (from != end) return bad_equation(call, "it has another number of terms than there are operands");
    from = text;
    for (int i = 0; i < call->inputs; i++) {
        const char *stop = term_end(from, end);
        const int own = call->in[i].shape.rank - count_letters(from, stop, &dots);
        JM_TRY(read_term(call, from, stop, own, e->ellipsis, &e->in[i]));
        from = stop < end ? stop + 1 : stop;
    }
    JM_TRY(read_sizes(call, e));
    if (!arrow) return implied_output(call, e);
    JM_TRY(read_term(call, arrow + 2, text + strlen(text), e->ellipsis, e->ellipsis, &e->out));
    bool there[LABELS] = {false};
    for (int i = 0; i < call->inputs; i++)
        for (int k = 0; k < e->in[i].rank; k++) there[e->in[i].label[k]] = true;
    for (int k = 0; k < e->out.rank; k++) {
        if (!there[e->out.label[k]])
            return bad_equation(call, "a letter of the result is there twice or in no operand");
        there[e->out.label[k]] = false;
    }
    return JM_OK;
}

static jm_status einsum_infer(jm_call *call)
{
    einsum e;
    if (call->inputs == 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "it has no operands");
    for (int i = 1; i < call->inputs; i++)
        if (call->in[i].dtype != call->in[0].dtype)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "operands have different types");
    JM_TRY(resolve(call, &e));
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape.rank = e.out.rank;
    for (int k = 0; k < e.out.rank; k++) call->out[0].shape.dim[k] = e.size[e.out.label[k]];
    return JM_OK;
}

/* ---- Lowering ---- */

static bool has(const term *t, int label)
{
    return t->rank > 0 && memchr(t->label, label, (size_t)t->rank) != NULL;
}

static int place_of(const term *t, int label)
{
    int k = 0;
    while (k < t->rank && t->label[k] != label) k++;
    return k;
}

/* x, whose dims are those of t, with dims in the order of `to`, which has the same labels. */
static jm_operand *reorder(jm_compose *c, jm_operand *x, const term *t, const term *to)
{
    int64_t perm[JM_MAX_RANK];
    if (t->rank == to->rank && (t->rank == 0 || memcmp(t->label, to->label, (size_t)t->rank) == 0)) return x;
    for (int k = 0; k < to->rank; k++) perm[k] = place_of(t, to->label[k]);
    return jm_compose_transpose(c, x, perm);
}

static jm_shape shape_of(const einsum *e, const term *t)
{
    jm_shape shape = {.rank = t->rank};
    for (int k = 0; k < t->rank; k++) shape.dim[k] = e->size[t->label[k]];
    return shape;
}

/* Sums over the labels that neither `a` nor `b` (may be NULL) has. */
static jm_operand *sum_out(jm_compose *c, jm_operand *x, term *t, const term *a, const term *b)
{
    int64_t axes[JM_MAX_RANK];
    int count = 0;
    term left = {0};
    for (int k = 0; k < t->rank; k++) {
        if (has(a, t->label[k]) || (b && has(b, t->label[k]))) {
            left.label[left.rank++] = t->label[k];
        } else {
            axes[count++] = k;
        }
    }
    *t = left;
    return jm_compose_reduce(c, "ReduceSum", x, axes, count, false);
}

/* Keeps the diagonal of a label that is there twice: every (n + 1)-th element of its n x n matrix. */
static jm_operand *diagonals(jm_compose *c, jm_operand *x, const einsum *e, term *t)
{
    for (int a = 0; a < t->rank && c->status == JM_OK; a++) {
        const int label = t->label[a];
        int b = a + 1;
        while (b < t->rank && t->label[b] != label) b++;
        if (b == t->rank) continue;
        term rest = {0};
        int64_t perm[JM_MAX_RANK];
        for (int k = 0; k < t->rank; k++) {
            if (k == a || k == b) continue;
            perm[rest.rank] = k;
            rest.label[rest.rank++] = t->label[k];
        }
        perm[rest.rank] = a;
        perm[rest.rank + 1] = b;
        x = jm_compose_transpose(c, x, perm);
        jm_shape flat = shape_of(e, &rest);
        const int64_t n = e->size[label];
        flat.dim[flat.rank++] = n * n;
        x = jm_compose_slice(c, jm_compose_reshape(c, x, &flat), rest.rank, 0, n * n, n + 1);
        rest.label[rest.rank++] = (unsigned char)label;
        *t = rest;
        a = -1; /* dims have moved: from the start */
    }
    return x;
}

/* How two operands are contracted. */
typedef struct contraction {
    term batch, left, right, sum; /* in both and in the result; in one; in both only */
    term result;
} contraction;

static void append(term *to, const term *from)
{
    for (int k = 0; k < from->rank && to->rank < JM_MAX_RANK; k++) to->label[to->rank++] = from->label[k];
}

static jm_status split(const jm_call *call, const term *a, const term *b, const term *keep, contraction *s)
{
    memset(s, 0, sizeof(*s));
    for (int k = 0; k < a->rank; k++) {
        term *to = !has(b, a->label[k]) ? &s->left : has(keep, a->label[k]) ? &s->batch : &s->sum;
        to->label[to->rank++] = a->label[k];
    }
    for (int k = 0; k < b->rank; k++)
        if (!has(a, b->label[k])) s->right.label[s->right.rank++] = b->label[k];
    if (s->batch.rank + s->left.rank + s->right.rank + s->sum.rank > JM_MAX_RANK)
        return jm_call_error(call, JM_UNSUPPORTED, "a product of two operands has more than %d different letters",
                             JM_MAX_RANK);
    append(&s->result, &s->batch);
    append(&s->result, &s->left);
    append(&s->result, &s->right);
    return JM_OK;
}

static int64_t elements(const einsum *e, const term *t)
{
    int64_t count = 1;
    for (int k = 0; k < t->rank; k++) count *= e->size[t->label[k]];
    return count;
}

/* [batch, left, sum] x [batch, sum, right] */
static jm_operand *matrix_product(jm_compose *c, const einsum *e, jm_operand *a, const term *at, jm_operand *b,
                                  const term *bt, const contraction *s)
{
    term a_order = s->batch, b_order = s->batch;
    append(&a_order, &s->left);
    append(&a_order, &s->sum);
    append(&b_order, &s->sum);
    append(&b_order, &s->right);
    if (c->status != JM_OK) return NULL; /* sizes may be too large to be multiplied */
    const int64_t batch = elements(e, &s->batch), m = elements(e, &s->left), n = elements(e, &s->right);
    const int64_t k = elements(e, &s->sum);
    a = jm_compose_reshape(c, reorder(c, a, at, &a_order), &(jm_shape){.rank = 3, .dim = {batch, m, k}});
    b = jm_compose_reshape(c, reorder(c, b, bt, &b_order), &(jm_shape){.rank = 3, .dim = {batch, k, n}});
    const jm_shape shape = shape_of(e, &s->result);
    return jm_compose_reshape(c, jm_compose_2(c, "MatMul", a, b), &shape);
}

/* x with dims of 1 where it lacks a label of `all`. */
static jm_operand *spread(jm_compose *c, const einsum *e, jm_operand *x, const term *t, const term *all)
{
    term order = {0};
    jm_shape shape = {.rank = all->rank};
    for (int k = 0; k < all->rank; k++) {
        const int label = all->label[k];
        shape.dim[k] = has(t, label) ? e->size[label] : 1;
        if (has(t, label)) order.label[order.rank++] = (unsigned char)label;
    }
    return jm_compose_reshape(c, reorder(c, x, t, &order), &shape);
}

static jm_operand *product_and_sum(jm_compose *c, const einsum *e, jm_operand *a, const term *at, jm_operand *b,
                                   const term *bt, const contraction *s)
{
    term all = s->result;
    append(&all, &s->sum);
    jm_operand *product = jm_compose_2(c, "Mul", spread(c, e, a, at, &all), spread(c, e, b, bt, &all));
    return sum_out(c, product, &all, &s->result, NULL);
}

/* Labels that the result or an operand behind `from` has. */
static term needed_after(const jm_call *call, const einsum *e, int from, const term *own)
{
    term keep = {0};
    for (int k = 0; k < own->rank; k++) {
        bool needed = has(&e->out, own->label[k]);
        for (int i = from; i < call->inputs; i++) needed = needed || has(&e->in[i], own->label[k]);
        if (needed) keep.label[keep.rank++] = own->label[k];
    }
    return keep;
}

/* Operand `i` with every label once, at its full size. */
static jm_operand *operand(jm_compose *c, const jm_call *call, const einsum *e, int i, term *t)
{
    const jm_dtype dtype = call->in[i].dtype;
    jm_operand *x = jm_compose_input(c, i);
    if (dtype == JM_F16 || dtype == JM_BF16) x = jm_compose_cast(c, x, JM_F32);
    *t = e->in[i];
    const jm_shape shape = shape_of(e, t);
    return diagonals(c, jm_compose_expand(c, x, &shape), e, t);
}

static jm_status einsum_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    einsum e;
    term at, bt;
    JM_TRY(resolve(call, &e));
    jm_operand *a = operand(&c, call, &e, 0, &at);
    for (int i = 1; i < call->inputs; i++) {
        contraction s;
        jm_operand *b = operand(&c, call, &e, i, &bt);
        const term a_keep = needed_after(call, &e, i + 1, &at), b_keep = needed_after(call, &e, i + 1, &bt);
        const term a_before = at;
        a = sum_out(&c, a, &at, &a_keep, &bt);
        b = sum_out(&c, b, &bt, &b_keep, &a_before);
        JM_TRY(split(call, &at, &bt, &a_keep, &s));
        const bool f32 = jm_compose_tensor(&c, a)->dtype == JM_F32;
        a = f32 ? matrix_product(&c, &e, a, &at, b, &bt, &s) : product_and_sum(&c, &e, a, &at, b, &bt, &s);
        at = s.result;
    }
    a = reorder(&c, sum_out(&c, a, &at, &e.out, NULL), &at, &e.out);
    jm_compose_result(&c, 0, jm_compose_cast(&c, a, call->in[0].dtype));
    return jm_compose_end(&c);
}

static const jm_param param[] = {
    {"Inputs", JM_PARAM_INPUT, JM_VARIADIC, .doc = "operands of one type"},
    {"Output", JM_PARAM_OUTPUT, 0, .doc = "dims as the equation says"},
    {"equation", JM_PARAM_STRING, 0, .doc = "letters of each operand's dims, commas, '->', letters of the result"},
};

const jm_op jm_op_einsum = {
    .name = "Einsum",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT,
    .formula = "products of the operands, summed over the letters that the result lacks",
    .source = "ONNX Einsum-12",
    .infer = einsum_infer,
    .lower = einsum_lower,
};
