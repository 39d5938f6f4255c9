/* SPDX-License-Identifier: Apache-2.0
 *
 * Conv and ConvTranspose: parameters, shapes and forms. The forms' loops are in conv_plain.c, conv_direct.c,
 * conv_depthwise.c, conv_winograd.c, conv_points.c, conv_product.c and conv_exact.c, their weights in conv_weights.c.
 */
#include "ops/conv.h"

#include "ops/conv_phase.h"
#include "ops/epilogue.h"

/* ConvTranspose has the same attributes and two more. */
enum {
    ATTR_AUTO_PAD,
    ATTR_DILATIONS,
    ATTR_GROUP,
    ATTR_KERNEL_SHAPE,
    ATTR_PADS,
    ATTR_STRIDES,
    ATTR_EPILOGUE,
    ATTR_OUTPUT_PADDING,
    ATTR_OUTPUT_SHAPE
};

jm_status jm_conv_geometry_of(const jm_call *call, jm_conv_geometry *geometry)
{
    const jm_attr *attr = call->attr;
    jm_conv_attrs attrs = {
        .auto_pad = &attr[ATTR_AUTO_PAD],
        .dilations = &attr[ATTR_DILATIONS],
        .group = &attr[ATTR_GROUP],
        .kernel_shape = &attr[ATTR_KERNEL_SHAPE],
        .pads = &attr[ATTR_PADS],
        .strides = &attr[ATTR_STRIDES],
    };
    if (!jm_conv_is_transposed(call)) return jm_conv_resolve(call, &attrs, geometry);
    attrs.output_padding = &attr[ATTR_OUTPUT_PADDING];
    attrs.output_shape = &attr[ATTR_OUTPUT_SHAPE];
    return jm_conv_transpose_resolve(call, &attrs, geometry);
}

static const jm_epilogue *epilogue_of(const jm_call *call)
{
    return &call->attr[ATTR_EPILOGUE].epilogue;
}

static jm_status infer(jm_call *call)
{
    jm_conv_geometry g;
    JM_TRY(jm_conv_geometry_of(call, &g));
    const jm_epilogue *epilogue = epilogue_of(call);
    const bool plain = epilogue->activation == JM_ACT_NONE && epilogue->residual == JM_RESIDUAL_NONE;
    if (call->in[JM_CONV_X].dtype != JM_F32 && !plain)
        return jm_call_error(call, JM_UNSUPPORTED, "%s has no epilogue", jm_dtype_text(call->in[JM_CONV_X].dtype));
    return jm_conv_infer_output(call, &g, epilogue);
}

static double flops(const jm_call *call)
{
    jm_conv_geometry g;
    return jm_conv_geometry_of(call, &g) == JM_OK ? jm_conv_flops(&g, jm_conv_is_transposed(call)) : 0;
}

/* ---- Forms ---- */

/* Nanoseconds to start a step, move the maps once and apply the epilogue. */
static double overhead(const jm_conv_geometry *g, const jm_epilogue *epilogue)
{
    const double bandwidth = 20; /* bytes per nanosecond */
    double in = (double)g->batch * (double)g->channels, out = (double)g->batch * (double)g->filters;
    for (int k = 0; k < 3; k++) {
        in *= (double)g->in[k];
        out *= (double)g->out[k];
    }
    return 500 + 4 * (in + out) / bandwidth + out * jm_epilogue_cost(epilogue);
}

/* Nanoseconds to bring `positions` weights of each pair of channels from memory. */
static double weight_cost(const jm_conv_geometry *g, double positions)
{
    const double memory = 10; /* bytes per nanosecond and core, when all cores read */
    return 4 * positions * (double)g->channels / (double)g->group * (double)g->filters / memory;
}

/* Everything, with the multiply-adds at a share of the peak. */
static double cost(const jm_conv_geometry *g, bool transposed, const jm_epilogue *epilogue, double share_of_peak)
{
    const double peak = 48; /* multiply-adds per nanosecond */
    const double taps = (double)g->kernel[0] * (double)g->kernel[1] * (double)g->kernel[2];
    return overhead(g, epilogue) + weight_cost(g, taps) + jm_conv_flops(g, transposed) / 2 / peak / share_of_peak;
}

/* The share of multiply-adds that belong to filters; half a block costs half. */
static double lane_share(int64_t filters)
{
    const int64_t half = JM_LANES / 2;
    return (double)filters / (double)((filters + half - 1) / half * half);
}

/* Whether the weights of a block of filters stay in the first cache while single inputs pass. */
static bool is_shallow(const jm_conv_geometry *g)
{
    const double most = 288;
    return (double)g->channels * (double)g->kernel[0] * (double)g->kernel[1] * (double)g->kernel[2] <= most;
}

static int forms(const jm_call *call, jm_form out[JM_MAX_FORMS])
{
    int count = 0;
    jm_form *plain = &out[count++];
    *plain = (jm_form){.id = JM_CONV_PLAIN, .name = "plain", .out_strided = true, .in_place = -1};
    jm_conv_geometry g;
    if (jm_conv_geometry_of(call, &g) != JM_OK) return count;
    const bool transposed = jm_conv_is_transposed(call);
    const jm_epilogue *epilogue = epilogue_of(call);
    plain->cost = cost(&g, transposed, epilogue, 0.5 * lane_share(g.filters / g.group));

    const jm_tensor *bias = jm_call_in(call, JM_CONV_B);
    if (call->in[JM_CONV_X].dtype != JM_F32) return count;
    if ((g.group > 1 || is_shallow(&g)) && jm_conv_points_fit(&g, transposed)) {
        jm_form *points = &out[count++];
        *points = *plain;
        points->id = JM_CONV_POINTS;
        points->name = "points";
        points->cost = cost(&g, transposed, epilogue, jm_conv_points_share(&g, transposed)) +
                       jm_conv_points_copies(&g, transposed);
    }
    if (jm_conv_product_fit(&g, transposed)) {
        jm_form *product = &out[count++];
        *product = *plain;
        product->id = JM_CONV_PRODUCT;
        product->name = "product";
        product->cost = cost(&g, transposed, epilogue, 0.8);
    }
    if (!call->in[JM_CONV_W].constant || (bias && !bias->constant) || g.spatial > 2) return count;
    jm_conv_geometry ordinary = g;
    const bool turned = transposed && jm_conv_turned(&g, &ordinary);
    const jm_form blocked = {
        .in = JM_C16,
        .out = JM_C16,
        .in_packed = 1u << JM_CONV_W | (bias ? 1u << JM_CONV_B : 0),
        .out_strided = true,
        .in_place = -1,
    };
    if (g.group == 1) {
        jm_form *direct = &out[count++];
        *direct = blocked;
        direct->id = JM_CONV_DIRECT;
        direct->name = g.kernel[1] * g.kernel[2] == 1 ? "gemm1x1" : "direct";
        /* Few channels are short runs of inputs; the stem has no loop over them. */
        const double share = g.channels < JM_LANES ? 0.7 : 0.9;
        direct->cost = cost(&g, transposed, epilogue, share * lane_share(g.filters));
    }
    if (g.group == 1 && (turned || !transposed) && epilogue->residual == JM_RESIDUAL_NONE) {
        jm_form *planar = &out[count++];
        *planar = blocked;
        planar->id = JM_CONV_PLANAR;
        planar->name = "planar";
        planar->out = JM_PLAIN;
        /* Lanes become rows in the first cache. */
        planar->cost = cost(&g, transposed, epilogue, (g.channels < JM_LANES ? 0.7 : 0.9) * lane_share(g.filters)) +
                       0.1 * (double)jm_tensor_elements(&call->out[0]);
    }
    if (g.group == 1 && g.channels < JM_LANES) {
        jm_form *stem = &out[count++];
        *stem = blocked;
        stem->id = JM_CONV_STEM;
        stem->name = "stem";
        stem->in_plain = 1u << JM_CONV_X;
        stem->cost = cost(&g, transposed, epilogue, 0.8 * lane_share(g.filters));
    }
    if (g.group == 1 && (turned || !transposed) && (g.channels < JM_LANES || is_shallow(&g)) &&
        epilogue->residual == JM_RESIDUAL_NONE) {
        jm_form *stem = &out[count++];
        *stem = blocked;
        stem->id = JM_CONV_STEM_PLANAR;
        stem->name = "stem planar";
        stem->in_plain = 1u << JM_CONV_X;
        stem->out = JM_PLAIN;
        stem->cost = cost(&g, transposed, epilogue, 0.8 * lane_share(g.filters)) +
                     0.1 * (double)jm_tensor_elements(&call->out[0]);
    }
    jm_winograd kind;
    if ((turned || !transposed) && g.channels >= JM_LANES && jm_conv_winograd_kind(&ordinary, &kind)) {
        jm_form *winograd = &out[count++];
        *winograd = blocked;
        winograd->id = JM_CONV_WINOGRAD;
        winograd->name = "winograd";
        winograd->flop_share = jm_conv_winograd_flop_share(&g, kind);
        winograd->cost = overhead(&g, epilogue) + weight_cost(&g, (double)jm_winograd_positions(kind)) +
                         jm_conv_winograd_cost(&g, kind);
    }
    if ((turned || !transposed) && g.group == g.channels && g.filters == g.channels) {
        jm_form *depthwise = &out[count++];
        *depthwise = blocked;
        depthwise->id = JM_CONV_DEPTHWISE;
        depthwise->name = "depthwise";
        depthwise->map = JM_MAP_SAME;
        depthwise->cost = cost(&ordinary, false, epilogue, 0.5 * lane_share(g.filters));
    }
    return count;
}

/* ---- Plan and run ---- */

static void run_nothing(const jm_plan *plan, const jm_run *run)
{
    (void)plan;
    (void)run;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    jm_conv_job job = {
        .call = call, .transposed = jm_conv_is_transposed(call), .epilogue = *epilogue_of(call), .machine = machine};
    JM_TRY(jm_conv_geometry_of(call, &job.geometry));
    int64_t count;
    JM_TRY(jm_shape_count(&call->out[0].shape, &count));
    if (count == 0) {
        jm_conv_state *nothing = jm_arena_alloc(arena, 1, sizeof(*nothing));
        if (!nothing) return JM_OUT_OF_MEMORY;
        nothing->run = run_nothing;
        out->state = nothing;
        return JM_OK;
    }
    if (call->in[JM_CONV_X].dtype != JM_F32) return jm_conv_exact_plan(&job, arena, out);
    if (form->id == JM_CONV_PLAIN) return jm_conv_plain_plan(&job, arena, out);
    if (form->id == JM_CONV_POINTS) return jm_conv_points_plan(&job, arena, out);
    if (form->id == JM_CONV_PRODUCT) return jm_conv_product_plan(&job, arena, out);
    const jm_tensor *residual = jm_call_in(call, JM_CONV_RESIDUAL);
    if (residual && !jm_channel_map_equal(residual->map, call->out[0].map, job.geometry.filters))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the residual and the output must share one channel map");
    const jm_conv_geometry transposed = job.geometry;
    if (job.transposed && jm_conv_form_turns(form->id)) job.transposed = !jm_conv_turned(&transposed, &job.geometry);
    switch (form->id) {
    case JM_CONV_DEPTHWISE:
        return jm_conv_depthwise_plan(&job, arena, out);
    case JM_CONV_WINOGRAD:
        return jm_conv_winograd_plan(&job, arena, out);
    default:
        return jm_conv_direct_plan(&job, arena, out);
    }
}

static void run(const jm_plan *plan, const jm_run *run)
{
    ((const jm_conv_state *)plan->state)->run(plan, run);
}

/* ---- Tables ---- */

#define CONV_DTYPES (1u << JM_F32 | 1u << JM_F64 | 1u << JM_I32)

#define INPUTS_AND_ATTRIBUTES(weights)                                                                                 \
    {"X", JM_PARAM_INPUT, 0, .doc = "[N, C, spatial...], 1 to 3 spatial dimensions"},                                  \
        {"W", JM_PARAM_INPUT, JM_PACKABLE, .doc = weights},                                                            \
        {"B", JM_PARAM_INPUT, JM_OPTIONAL | JM_PACKABLE, .doc = "[M]"},                                                \
        {"residual", JM_PARAM_INPUT, JM_OPTIONAL | JM_GRAPH_ONLY, .doc = "added by the epilogue; shape of Y"},         \
        {"Y", JM_PARAM_OUTPUT, 0, .doc = "[N, M, spatial...]"},                                                        \
        {"auto_pad", JM_PARAM_STRING, JM_OPTIONAL, .s = "NOTSET", .doc = "NOTSET, SAME_UPPER, SAME_LOWER or VALID"},   \
        {"dilations", JM_PARAM_INTS, JM_OPTIONAL, .doc = "distance of kernel points; 1"},                              \
        {"group", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "groups of channels that do not mix"},                     \
        {"kernel_shape", JM_PARAM_INTS, JM_OPTIONAL, .doc = "that of W"},                                              \
        {"pads", JM_PARAM_INTS, JM_OPTIONAL, .doc = "at the begin of each dimension, then at the end; 0"},             \
        {"strides", JM_PARAM_INTS, JM_OPTIONAL, .doc = "distance of output points; 1"},                                \
    {                                                                                                                  \
        "epilogue", JM_PARAM_EPILOGUE, JM_OPTIONAL | JM_GRAPH_ONLY, .doc = "residual and activation"                   \
    }

static const jm_param conv_param[] = {
    INPUTS_AND_ATTRIBUTES("[M, C / group, kernel...]"),
};

const jm_op jm_op_conv = {
    .name = "Conv",
    .param = conv_param,
    .params = JM_COUNT(conv_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = CONV_DTYPES,
    .formula = "Y[n, m, o] = epilogue(B[m] + sum over c, k of W[m, c, k] * X[n, c, o * stride + k * dilation - pad])",
    .source = "ONNX Conv-11",
    .infer = infer,
    .forms = forms,
    .pack_bytes = jm_conv_pack_bytes,
    .pack = jm_conv_pack,
    .pack_plan = jm_conv_pack_plan,
    .pack_run = jm_conv_pack_run,
    .plan = plan,
    .run = run,
    .flops = flops,
};

static const jm_param conv_transpose_param[] = {
    INPUTS_AND_ATTRIBUTES("[C, M / group, kernel...]"),
    {"output_padding", JM_PARAM_INTS, JM_OPTIONAL, .doc = "points added at the end of each dimension; 0"},
    {"output_shape", JM_PARAM_INTS, JM_OPTIONAL, .doc = "spatial size of Y; pads follow from it"},
};

const jm_op jm_op_conv_transpose = {
    .name = "ConvTranspose",
    .param = conv_transpose_param,
    .params = JM_COUNT(conv_transpose_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = CONV_DTYPES,
    .formula = "Y[n, m, i * stride + k * dilation - pad] += W[c, m, k] * X[n, c, i], from B[m]; then the epilogue",
    .source = "ONNX ConvTranspose-11",
    .infer = infer,
    .forms = forms,
    .pack_bytes = jm_conv_pack_bytes,
    .pack = jm_conv_pack,
    .pack_plan = jm_conv_pack_plan,
    .pack_run = jm_conv_pack_run,
    .plan = plan,
    .run = run,
    .flops = flops,
};
