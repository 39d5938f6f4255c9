/* SPDX-License-Identifier: Apache-2.0
 *
 * Histogram: how many elements lie in each of some equal intervals. Bounds that are equal stand for the extremes of the
 * data; data without finite extremes set run->fault then.
 */
#include "ops/indexing.h"
#include "ops/move.h"

#include <math.h>
#include <string.h>

enum { BINS, LOW, HIGH };

typedef struct histogram {
    jm_walk elements;
    jm_dtype dtype;
    int64_t bins, step; /* bytes of the output */
    double low, high;
} histogram;

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    form[0].cost += 10.0 * (double)jm_tensor_elements(&call->in[0]);
    return 1;
}

static jm_status infer(jm_call *call)
{
    const double low = call->attr[LOW].f, high = call->attr[HIGH].f;
    const int64_t bins = call->attr[BINS].i;
    if (bins < 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "bins is %lld and must be positive", (long long)bins);
    if (!isfinite(low) || !isfinite(high) || low > high)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the range [%g, %g] must be finite and ascending", low, high);
    call->out[0].dtype = JM_I64;
    call->out[0].shape = (jm_shape){.rank = 1, .dim = {bins}};
    return JM_OK;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *plan)
{
    (void)form;
    (void)machine;
    const jm_tensor *x = &call->in[0];
    histogram *h = jm_arena_alloc(arena, 1, sizeof(*h));
    if (!h) return JM_OUT_OF_MEMORY;
    h->elements.count = 1;
    for (int k = 0; k < x->shape.rank; k++) jm_walk_add(&h->elements, x->shape.dim[k], jm_byte_stride(x, k), 0, 0);
    h->dtype = x->dtype;
    h->bins = call->attr[BINS].i;
    h->step = jm_byte_stride(&call->out[0], 0);
    h->low = call->attr[LOW].f;
    h->high = call->attr[HIGH].f;
    plan->state = h;
    return JM_OK;
}

static double element_at(const histogram *h, const void *base, int64_t i)
{
    int64_t offset[JM_WALK_STREAMS];
    jm_walk_at(&h->elements, i, offset);
    return jm_element_to_f64(h->dtype, (const char *)base + offset[0]);
}

/* False: the data have no finite extremes. */
static bool find_range(const histogram *h, const void *base, double *low, double *high)
{
    *low = h->low;
    *high = h->high;
    for (int64_t i = 0; h->low == h->high && i < h->elements.count; i++) {
        const double value = element_at(h, base, i);
        if (!isfinite(value)) return false;
        *low = i == 0 ? value : fmin(*low, value);
        *high = i == 0 ? value : fmax(*high, value);
    }
    if (*low == *high) {
        *low -= 1;
        *high += 1;
    }
    return true;
}

/* As PyTorch does, in the arithmetic of the type: float32 for float32. */
static int64_t bin_of(const histogram *h, double value, double low, double high)
{
    double position;
    if (h->dtype == JM_F32)
        position = (double)(((float)value - (float)low) * (float)h->bins / ((float)high - (float)low));
    else
        position = (value - low) * (double)h->bins / (high - low);
    if (!(position > 0)) return 0; /* NaN too, of a range that the type does not resolve */
    return position < (double)h->bins ? (int64_t)position : h->bins - 1;
}

static void run(const jm_plan *plan, const jm_run *run)
{
    const histogram *h = plan->state;
    char *out = run->out[0];
    double low, high;
    for (int64_t i = 0; i < h->bins; i++) memset(out + i * h->step, 0, sizeof(int64_t));
    if (!find_range(h, run->in[0], &low, &high)) {
        jm_index_fault(run);
        return;
    }
    for (int64_t i = 0; i < h->elements.count; i++) {
        const double value = element_at(h, run->in[0], i);
        if (value >= low && value <= high) ++*(int64_t *)(void *)(out + bin_of(h, value, low, high) * h->step);
    }
}

static const jm_param param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "int64 [bins]"},
    {"bins", JM_PARAM_INT, 0, .doc = "how many intervals, 1 or more"},
    {"min", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "where the first begins"},
    {"max", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "where the last ends, itself included; as min: both are those of X"},
};

const jm_op jm_op_histogram = {
    .name = "Histogram",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = 1u << JM_F32 | 1u << JM_F64 | JM_DTYPES_INT,
    .formula = "Y[i] = elements in [min + i * (max - min) / bins, min + (i + 1) * (max - min) / bins)",
    .source = "PyTorch histc",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run,
};
