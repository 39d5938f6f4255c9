/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of optimisers, and what loss scaling does before them: one pass over all tensors of a step, in float32.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/streams.h"

/* ---- What the operators share ---- */

static jm_status check_tensors(const jm_call *call, int count)
{
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    const jm_shape *shape = &call->in[0].shape;
    for (int i = 0; i < count; i++) {
        const jm_tensor *tensor = jm_call_in(call, i);
        const char *name = jm_op_input(call->op, i)->name;
        if (!tensor) continue;
        if (!(JM_STREAM_TYPES >> tensor->dtype & 1))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is %s and must be float32, float16 or bfloat16", name,
                                 jm_dtype_text(tensor->dtype));
        if (jm_shape_known(shape) && jm_shape_known(&tensor->shape) && !jm_shape_equal(shape, &tensor->shape))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s has shape %s and must have that of w, %s", name,
                                 jm_shape_text(&tensor->shape, a), jm_shape_text(shape, b));
    }
    return JM_OK;
}

static jm_status check_numbers(const jm_call *call, int first)
{
    for (int i = first; i < call->inputs; i++) {
        const jm_tensor *number = jm_call_in(call, i);
        if (!number) continue;
        const bool whole = number->dtype == JM_I64 && strcmp(jm_op_input(call->op, i)->name, "step") == 0;
        if ((!(JM_DTYPES_F32 >> number->dtype & 1) && !whole) ||
            (jm_shape_known(&number->shape) && jm_tensor_elements(number) != 1))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s must be one number of a floating-point type",
                                 jm_op_input(call->op, i)->name);
    }
    return JM_OK;
}

/* Output `o` is input `i` changed in place; where it is absent or stays as it is, it has no elements. */
static void infer_change(jm_call *call, int o, int i, bool changes)
{
    const jm_tensor *in = jm_call_in(call, i);
    call->out[o].dtype = in ? in->dtype : JM_F32;
    call->out[o].shape = in && changes ? in->shape : (jm_shape){.rank = 1, .dim = {0}};
}

static double number(const jm_call *call, const char *name)
{
    return call->attr[jm_op_attr_index(call->op, name)].f;
}

static bool flag(const jm_call *call, const char *name)
{
    return call->attr[jm_op_attr_index(call->op, name)].i != 0;
}

/* ---- Adam ---- */

enum { W, M, V, MAXIMUM, GRADIENT, STEP };                                    /* inputs of AdamW */
enum { BETA1_POWER = STEP, BETA2_POWER, RATE, BETA1, BETA2, EPSILON, DECAY }; /* and of Adam behind the gradient */

typedef struct adam_plan {
    jm_streams all;
    void (*kernel)(const jm_adam *step, float *w, float *m, float *v, float *maximum, const float *gradient, size_t n);
    /* AdamW: from attributes. Adam: from inputs of these types when it runs. */
    bool by_attributes, nesterov, decoupled;
    double rate, beta1, beta2, decay, epsilon, sign;
    jm_dtype dtype[DECAY + 1];
} adam_plan;

typedef struct adam_context {
    const adam_plan *plan;
    jm_adam step;
} adam_context;

static jm_status check_maximum(const jm_call *call)
{
    if (!flag(call, "amsgrad") || jm_call_in(call, MAXIMUM)) return JM_OK;
    return jm_error_numbered(JM_INVALID_ARGUMENT, "161001", "%s '%s': maximum must not be NULL where amsgrad is true",
                             call->op->name, call->name);
}

static jm_status adam_check(const jm_call *call)
{
    JM_TRY(check_maximum(call));
    JM_TRY(check_tensors(call, STEP));
    return check_numbers(call, STEP);
}

static jm_status adam_infer(jm_call *call)
{
    for (int i = W; i <= V; i++) infer_change(call, i, i, true);
    if (call->outputs > MAXIMUM) infer_change(call, MAXIMUM, MAXIMUM, flag(call, "amsgrad"));
    return JM_OK;
}

static jm_status adam_plan_call(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                jm_plan *plan)
{
    (void)form;
    adam_plan *p = jm_arena_alloc(arena, 1, sizeof(*p));
    if (!p) return JM_OUT_OF_MEMORY;
    plan->state = p;
    const bool amsgrad = flag(call, "amsgrad"), writes_maximum = jm_op_outputs(call->op) > MAXIMUM;
    p->kernel = machine->kernels->training.adam;
    p->sign = flag(call, "maximize") ? -1 : 1;
    p->by_attributes = writes_maximum;
    if (p->by_attributes) {
        p->rate = number(call, "lr");
        p->beta1 = number(call, "beta1");
        p->beta2 = number(call, "beta2");
        p->decay = number(call, "weight_decay");
        p->epsilon = number(call, "eps");
        p->decoupled = true;
        p->dtype[STEP] = call->in[STEP].dtype;
    } else {
        p->nesterov = flag(call, "nesterov");
        p->decoupled = flag(call, "decoupled");
        for (int i = BETA1_POWER; i <= DECAY; i++) {
            const jm_tensor *in = jm_call_in(call, i);
            p->dtype[i] = in ? in->dtype : JM_DTYPE_NONE;
        }
    }
    for (int i = W; i <= V; i++) jm_streams_write(&p->all, i, call, i);
    if (amsgrad && writes_maximum) jm_streams_write(&p->all, MAXIMUM, call, MAXIMUM);
    if (amsgrad && !writes_maximum) jm_streams_read(&p->all, MAXIMUM, call, MAXIMUM);
    jm_streams_read(&p->all, GRADIENT, call, GRADIENT);
    jm_streams_plan(&p->all, &call->in[W].shape, writes_maximum ? -1 : MAXIMUM, plan);
    return JM_OK;
}

static double read_number(const adam_plan *p, const jm_run *run, int input)
{
    return p->dtype[input] == JM_DTYPE_NONE ? 0 : jm_element_to_f64(p->dtype[input], run->in[input]);
}

/* Numbers of the step: with t steps before this one in AdamW, and with the powers of beta in Adam, which are those of
 * the step itself where the decay is not decoupled, as TensorFlow has it, and of the one before where it is. */
static jm_adam adam_numbers(const adam_plan *p, const jm_run *run)
{
    double beta1 = p->beta1, beta2 = p->beta2, rate = p->rate, decay = p->decay, epsilon = p->epsilon, power1, power2;
    if (p->by_attributes) {
        const double t = read_number(p, run, STEP) + 1;
        power1 = pow(beta1, t);
        power2 = pow(beta2, t);
    } else {
        beta1 = read_number(p, run, BETA1);
        beta2 = read_number(p, run, BETA2);
        rate = read_number(p, run, RATE);
        decay = read_number(p, run, DECAY);
        epsilon = read_number(p, run, EPSILON);
        power1 = read_number(p, run, BETA1_POWER) * (p->decoupled ? beta1 : 1);
        power2 = read_number(p, run, BETA2_POWER) * (p->decoupled ? beta2 : 1);
    }
    const double correction = sqrt(1 - power2);
    return (jm_adam){.sign = (float)p->sign,
                     .g_share = (float)(1 - beta1),
                     .keep = (float)beta2,
                     .square_share = (float)(1 - beta2),
                     .decay = (float)(1 - rate * decay),
                     .rate = (float)(p->decoupled ? rate / (1 - power1) : rate * correction / (1 - power1)),
                     .look_m = (float)(p->nesterov ? beta1 : 1),
                     .look_g = (float)(p->nesterov ? 1 - beta1 : 0),
                     .correction = (float)(p->decoupled ? correction : 1),
                     .epsilon = (float)epsilon};
}

static void adam_step(const void *context, int64_t begin, float *const at[JM_MOST_STREAMS], size_t n)
{
    (void)begin;
    const adam_context *c = context;
    c->plan->kernel(&c->step, at[W], at[M], at[V], at[MAXIMUM], at[GRADIENT], n);
}

static void adam_run(const jm_plan *plan, const jm_run *run)
{
    const adam_plan *p = plan->state;
    const adam_context context = {p, adam_numbers(p, run)};
    jm_streams_run(&p->all, run, adam_step, &context);
}

#define MOMENTS                                                                                                        \
    {"w", JM_PARAM_INPUT, 0, .doc = "weights"}, {"m", JM_PARAM_INPUT, 0, .doc = "mean of the gradients"},              \
        {"v", JM_PARAM_INPUT, 0, .doc = "mean of their squares"},                                                      \
        {"maximum", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "largest v so far; with amsgrad"},                             \
    {                                                                                                                  \
        "gradient", JM_PARAM_INPUT, 0, .doc = "of the weights"                                                         \
    }
#define CHANGED_MOMENTS                                                                                                \
    {"w", JM_PARAM_OUTPUT, JM_REFERENCE, .doc = "after the step"},                                                     \
        {"m", JM_PARAM_OUTPUT, JM_REFERENCE, .doc = "after the step"},                                                 \
    {                                                                                                                  \
        "v", JM_PARAM_OUTPUT, JM_REFERENCE, .doc = "after the step"                                                    \
    }
#define ADAM_FLAGS                                                                                                     \
    {"amsgrad", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: the maximum of v in its place"},                                 \
    {                                                                                                                  \
        "maximize", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: up the gradient"                                             \
    }

static const jm_param adam_w_param[] = {
    MOMENTS,
    {"step", JM_PARAM_INPUT, 0, .doc = "steps before this one; one float or int64"},
    CHANGED_MOMENTS,
    {"maximum", JM_PARAM_OUTPUT, JM_REFERENCE | JM_SWITCHED, .doc = "after the step; [0] without amsgrad"},
    {"lr", JM_PARAM_FLOAT, 0, .doc = "rate"},
    {"beta1", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 0.9, .doc = "share of m that stays"},
    {"beta2", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 0.999, .doc = "share of v that stays"},
    {"weight_decay", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "of the weights, times the rate"},
    {"eps", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 1e-8, .doc = "added to the root"},
    ADAM_FLAGS,
};

const jm_op jm_op_adam_w_step = {
    .name = "AdamWStep",
    .param = adam_w_param,
    .params = JM_COUNT(adam_w_param),
    .dtypes = JM_STREAM_TYPES,
    .formula = "m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2, w = w (1 - lr weight_decay) - lr m / (1 - "
               "beta1^t) / (sqrt(v / (1 - beta2^t)) + eps), t = step + 1",
    .source = "PyTorch torch.optim.AdamW",
    .check = adam_check,
    .infer = adam_infer,
    .plan = adam_plan_call,
    .run = adam_run,
};

#define NUMBER(text, what)                                                                                             \
    {                                                                                                                  \
        text, JM_PARAM_INPUT, 0, .doc = what                                                                           \
    }

static const jm_param adam_param[] = {
    MOMENTS,
    NUMBER("beta1_power", "power of beta1 with the number of steps, this one too; without it where decoupled"),
    NUMBER("beta2_power", "likewise of beta2"),
    NUMBER("lr", "rate"),
    NUMBER("beta1", "share of m that stays"),
    NUMBER("beta2", "share of v that stays"),
    NUMBER("eps", "added to the root"),
    {"weight_decay", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "of the weights, times the rate"},
    CHANGED_MOMENTS,
    {"decoupled", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: as AdamWStep; 0: eps is added before the correction of v"},
    {"nesterov", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: looks one step ahead"},
    ADAM_FLAGS,
};

const jm_op jm_op_adam_step = {
    .name = "AdamStep",
    .param = adam_param,
    .params = JM_COUNT(adam_param),
    .dtypes = JM_STREAM_TYPES,
    .formula = "AdamWStep with numbers that are tensors; not decoupled: w = w - lr sqrt(1 - beta2_power) / (1 - "
               "beta1_power) m / (sqrt(v) + eps), nesterov: beta1 m + (1 - beta1) g for m. maximum stays as it is",
    .source = "aclnnApplyAdam, aclnnApplyAdamW",
    .check = adam_check,
    .infer = adam_infer,
    .plan = adam_plan_call,
    .run = adam_run,
};

/* ---- Gradient descent ---- */

enum { SGD_W, SGD_GRADIENT, SGD_MOMENTUM, SGD_SCALE };

typedef struct descent_plan {
    jm_streams all;
    void (*kernel)(const jm_descent *step, float *w, float *gradient, float *momentum, size_t n);
    jm_descent step;
    jm_dtype scale; /* JM_DTYPE_NONE: none */
} descent_plan;

typedef struct descent_context {
    const descent_plan *plan;
    jm_descent step;
} descent_context;

/* A scale without elements is none. */
static bool has_scale(const jm_call *call)
{
    const jm_tensor *scale = jm_call_in(call, SGD_SCALE);
    return scale && jm_tensor_elements(scale) == 1;
}

static jm_status descent_check(const jm_call *call)
{
    static const char *const names[] = {"lr", "momentum", "weight_decay"};
    const jm_tensor *scale = jm_call_in(call, SGD_SCALE);
    const double momentum = number(call, "momentum");
    for (size_t i = 0; i < JM_COUNT(names); i++)
        if (!(number(call, names[i]) >= 0))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is %g and must not be negative", names[i],
                                 number(call, names[i]));
    if (flag(call, "nesterov") && !(momentum > 0 && number(call, "dampening") == 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "nesterov needs a positive momentum and no dampening; they are %g and %g", momentum,
                             number(call, "dampening"));
    if (momentum > 0 && !jm_call_in(call, SGD_MOMENTUM))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "momentum is %g and must be 0 where no momentum is kept",
                             momentum);
    if (momentum == 0 && jm_call_in(call, SGD_MOMENTUM))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "momentum is 0 and must be positive where one is kept");
    if (scale && jm_tensor_elements(scale) != 0) JM_TRY(check_numbers(call, SGD_SCALE));
    return check_tensors(call, SGD_SCALE);
}

static jm_status descent_infer(jm_call *call)
{
    infer_change(call, SGD_W, SGD_W, true);
    if (call->outputs > SGD_GRADIENT) infer_change(call, SGD_GRADIENT, SGD_GRADIENT, has_scale(call));
    if (call->outputs > SGD_MOMENTUM) infer_change(call, SGD_MOMENTUM, SGD_MOMENTUM, true);
    return JM_OK;
}

static jm_status descent_plan_call(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                   jm_plan *plan)
{
    (void)form;
    descent_plan *p = jm_arena_alloc(arena, 1, sizeof(*p));
    if (!p) return JM_OUT_OF_MEMORY;
    plan->state = p;
    const bool scaled = has_scale(call);
    p->kernel = machine->kernels->training.descent;
    p->scale = scaled ? call->in[SGD_SCALE].dtype : JM_DTYPE_NONE;
    p->step = (jm_descent){.scale = 1,
                           .sign = flag(call, "maximize") ? -1 : 1,
                           .decay = (float)number(call, "weight_decay"),
                           .keep = (float)number(call, "momentum"),
                           .share = (float)(1 - number(call, "dampening")),
                           .rate = (float)number(call, "lr"),
                           .store = scaled,
                           .first = flag(call, "first"),
                           .nesterov = flag(call, "nesterov")};
    jm_streams_write(&p->all, SGD_W, call, SGD_W);
    if (scaled)
        jm_streams_write(&p->all, SGD_GRADIENT, call, SGD_GRADIENT);
    else
        jm_streams_read(&p->all, SGD_GRADIENT, call, SGD_GRADIENT);
    if (jm_call_in(call, SGD_MOMENTUM)) jm_streams_write(&p->all, SGD_MOMENTUM, call, SGD_MOMENTUM);
    jm_streams_plan(&p->all, &call->in[SGD_W].shape, -1, plan);
    return JM_OK;
}

static void descent_step(const void *context, int64_t begin, float *const at[JM_MOST_STREAMS], size_t n)
{
    (void)begin;
    const descent_context *c = context;
    c->plan->kernel(&c->step, at[SGD_W], at[SGD_GRADIENT], at[SGD_MOMENTUM], n);
}

static void descent_run(const jm_plan *plan, const jm_run *run)
{
    const descent_plan *p = plan->state;
    descent_context context = {p, p->step};
    if (p->scale != JM_DTYPE_NONE) context.step.scale = (float)(1 / jm_element_to_f64(p->scale, run->in[SGD_SCALE]));
    jm_streams_run(&p->all, run, descent_step, &context);
}

static const jm_param descent_param[] = {
    {"w", JM_PARAM_INPUT, 0, .doc = "weights"},
    {"gradient", JM_PARAM_INPUT, 0, .doc = "of the weights"},
    {"momentum_buffer", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "what the steps so far leave"},
    {"scale", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "the gradient is divided by it; none where it has no element"},
    {"w", JM_PARAM_OUTPUT, JM_REFERENCE, .doc = "after the step"},
    {"gradient", JM_PARAM_OUTPUT, JM_REFERENCE | JM_SWITCHED, .doc = "divided; [0] without a scale"},
    {"momentum_buffer", JM_PARAM_OUTPUT, JM_REFERENCE | JM_SWITCHED, .doc = "after the step; [0] without one"},
    {"lr", JM_PARAM_FLOAT, 0, .doc = "rate"},
    {"momentum", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "share of the buffer that stays"},
    {"dampening", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "share of the gradient that does not go into the buffer"},
    {"weight_decay", JM_PARAM_FLOAT, JM_OPTIONAL, .doc = "times w, added to the gradient"},
    {"nesterov", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: looks one step ahead"},
    {"maximize", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: up the gradient"},
    {"first", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: the buffer becomes the gradient"},
};

const jm_op jm_op_descent_step = {
    .name = "GradientDescentStep",
    .param = descent_param,
    .params = JM_COUNT(descent_param),
    .dtypes = JM_STREAM_TYPES,
    .formula =
        "g = gradient / scale + weight_decay w, b = momentum b + (1 - dampening) g, w = w - lr b; nesterov: w - lr "
        "(g + momentum b)",
    .source = "PyTorch torch.optim.SGD",
    .check = descent_check,
    .infer = descent_infer,
    .plan = descent_plan_call,
    .run = descent_run,
};

/* ---- Unscale ---- */

enum { SCALED, FOUND, FACTOR };

typedef struct unscale_plan {
    jm_streams all;
    bool (*kernel)(float *y, const float *x, size_t n, float scale);
} unscale_plan;

typedef struct unscale_context {
    const unscale_plan *plan;
    float factor;
    _Atomic uint32_t *found; /* the bits of a float32 */
} unscale_context;

static jm_status unscale_check(const jm_call *call)
{
    for (int i = FOUND; i <= FACTOR; i++)
        if (call->in[i].dtype != JM_F32 ||
            (jm_shape_known(&call->in[i].shape) && jm_tensor_elements(&call->in[i]) != 1))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s must be one float32", jm_op_input(call->op, i)->name);
    return JM_OK;
}

static jm_status unscale_infer(jm_call *call)
{
    infer_change(call, SCALED, SCALED, true);
    infer_change(call, FOUND, FOUND, true);
    return JM_OK;
}

static jm_status unscale_plan_call(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                   jm_plan *plan)
{
    (void)form;
    unscale_plan *p = jm_arena_alloc(arena, 1, sizeof(*p));
    if (!p) return JM_OUT_OF_MEMORY;
    plan->state = p;
    p->kernel = machine->kernels->training.unscale;
    jm_streams_write(&p->all, SCALED, call, SCALED);
    jm_streams_plan(&p->all, &call->in[SCALED].shape, -1, plan);
    return JM_OK;
}

static void unscale_step(const void *context, int64_t begin, float *const at[JM_MOST_STREAMS], size_t n)
{
    (void)begin;
    const unscale_context *c = context;
    const float one = 1;
    uint32_t bits;
    memcpy(&bits, &one, sizeof(bits));
    if (!c->plan->kernel(at[SCALED], at[SCALED], n, c->factor))
        atomic_store_explicit(c->found, bits, memory_order_relaxed); /* chunks store the same */
}

static void unscale_run(const jm_plan *plan, const jm_run *run)
{
    const unscale_plan *p = plan->state;
    const unscale_context context = {p, *(const float *)run->in[FACTOR], run->out[FOUND]};
    jm_streams_run(&p->all, run, unscale_step, &context);
}

static const jm_param unscale_param[] = {
    {"gradient", JM_PARAM_INPUT, 0, .doc = "float32, float16 or bfloat16"},
    {"found", JM_PARAM_INPUT, 0, .doc = "one float32"},
    {"factor", JM_PARAM_INPUT, 0, .doc = "one float32"},
    {"gradient", JM_PARAM_OUTPUT, JM_REFERENCE, .doc = "times the factor"},
    {"found", JM_PARAM_OUTPUT, JM_REFERENCE,
     .doc = "1 where an element of the gradient was not finite, else as it was"},
};

const jm_op jm_op_unscale = {
    .name = "Unscale",
    .param = unscale_param,
    .params = JM_COUNT(unscale_param),
    .dtypes = JM_STREAM_TYPES,
    .formula = "gradient = factor gradient; found = 1 if an element was infinite or NaN",
    .source = "PyTorch _amp_foreach_non_finite_check_and_unscale_",
    .check = unscale_check,
    .infer = unscale_infer,
    .plan = unscale_plan_call,
    .run = unscale_run,
};
