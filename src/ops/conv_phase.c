/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/conv_phase.h"

void jm_conv_phase_counts(const jm_conv_geometry *g, bool transposed, int64_t count[3])
{
    for (int k = 0; k < 3; k++) count[k] = transposed ? JM_MAX(JM_MIN(g->stride[k], g->out[k]), 1) : 1;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

jm_conv_axis jm_conv_phase_axis(const jm_conv_geometry *g, bool transposed, int k, int64_t phase)
{
    const int64_t stride = g->stride[k], dilation = g->dilation[k];
    if (!transposed) {
        return (jm_conv_axis){.count = g->kernel[k], .kernel_gap = 1, .input = -g->before[k], .input_gap = dilation};
    }
    /* Kernel point j reaches output o from input (o + before - j * dilation) / stride where that is whole. */
    const int64_t divisor = greatest_divisor(stride, dilation), period = stride / divisor;
    const int64_t reach = phase + g->before[k];
    for (int64_t j = 0; j < JM_MIN(period, g->kernel[k]); j++) {
        if ((reach - j * dilation) % stride != 0) continue;
        return (jm_conv_axis){
            .count = (g->kernel[k] - 1 - j) / period + 1,
            .kernel = j,
            .kernel_gap = period,
            .input = (reach - j * dilation) / stride,
            .input_gap = -(dilation / divisor),
        };
    }
    return (jm_conv_axis){.count = 0};
}

jm_status jm_conv_phases_create(jm_conv_phases *phases, const jm_conv_geometry *g, bool transposed,
                                const jm_tap_set *base, const jm_conv_run *channel_run, jm_arena *arena)
{
    jm_conv_phase_counts(g, transposed, phases->count);
    size_t count;
    if (!jm_size_mul((size_t)phases->count[0], (size_t)phases->count[1], &count) ||
        !jm_size_mul(count, (size_t)phases->count[2], &count))
        return jm_error(JM_OUT_OF_RANGE, "the strides are too large");
    phases->phase = jm_arena_alloc(arena, count, sizeof(*phases->phase));
    if (!phases->phase) return JM_OUT_OF_MEMORY;
    for (int k = 0; k < 3; k++) phases->out_step[k] = transposed ? g->stride[k] : 1;
    phases->block_depth = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t index[3] = {(int64_t)i / phases->count[2] / phases->count[1],
                                  (int64_t)i / phases->count[2] % phases->count[1], (int64_t)i % phases->count[2]};
        struct jm_conv_phase *phase = &phases->phase[i];
        phase->taps = *base;
        int64_t first[3], taps[3], gap[3];
        for (int k = 0; k < 3; k++) {
            const jm_conv_axis axis = jm_conv_phase_axis(g, transposed, k, index[k]);
            first[k] = axis.input;
            taps[k] = axis.count;
            gap[k] = axis.input_gap;
            phase->taps.step[k] = transposed ? 1 : g->stride[k];
        }
        JM_TRY(jm_tap_set_box(&phase->taps, first, taps, gap, channel_run, arena));
        phase->weight = phases->block_depth;
        phases->block_depth += phase->taps.taps * base->depth * JM_LANES;
    }
    return JM_OK;
}

bool jm_conv_tap_count(const jm_conv_geometry *g, bool transposed, size_t *taps)
{
    int64_t phases[3];
    jm_conv_phase_counts(g, transposed, phases);
    *taps = 1;
    for (int k = 0; k < 3; k++) {
        size_t used = 0;
        for (int64_t p = 0; p < phases[k]; p++) used += (size_t)jm_conv_phase_axis(g, transposed, k, p).count;
        if (!jm_size_mul(*taps, used, taps)) return false;
    }
    return true;
}

jm_status jm_conv_tap_offsets(const jm_conv_geometry *g, bool transposed, const jm_tensor *weights, jm_arena *arena,
                              ptrdiff_t **offset, size_t *taps)
{
    int64_t count[3];
    ptrdiff_t stride[3];
    jm_conv_phase_counts(g, transposed, count);
    jm_conv_spatial_strides(weights, stride);
    *offset = NULL;
    if (!jm_conv_tap_count(g, transposed, taps)) return jm_error(JM_OUT_OF_RANGE, "the kernel is too large");
    *offset = jm_arena_alloc(arena, JM_MAX(*taps, 1), sizeof(**offset));
    if (!*offset) return JM_OUT_OF_MEMORY;
    ptrdiff_t *next = *offset;
    for (int64_t pz = 0; pz < count[0]; pz++) {
        for (int64_t py = 0; py < count[1]; py++) {
            for (int64_t px = 0; px < count[2]; px++) {
                const jm_conv_axis z = jm_conv_phase_axis(g, transposed, 0, pz);
                const jm_conv_axis y = jm_conv_phase_axis(g, transposed, 1, py);
                const jm_conv_axis x = jm_conv_phase_axis(g, transposed, 2, px);
                for (int64_t i = 0; i < z.count; i++)
                    for (int64_t j = 0; j < y.count; j++)
                        for (int64_t k = 0; k < x.count; k++)
                            *next++ = (z.kernel + i * z.kernel_gap) * stride[0] +
                                      (y.kernel + j * y.kernel_gap) * stride[1] +
                                      (x.kernel + k * x.kernel_gap) * stride[2];
            }
        }
    }
    return JM_OK;
}

void jm_conv_phase_row(const jm_conv_phases *phases, const jm_conv_kernels *kernels, const float *image,
                       const int64_t at[3], int64_t points, const jm_conv_tile *tile)
{
    const int64_t *step = phases->out_step;
    const int64_t pz = at[0] % step[0], py = at[1] % step[1];
    const struct jm_conv_phase *row = phases->phase + (pz * phases->count[1] + py) * phases->count[2];
    for (int64_t px = 0; px < phases->count[2]; px++) {
        /* The points q of this phase with x <= q * step + px < x + points. */
        const int64_t q = at[2] > px ? (at[2] - px + step[2] - 1) / step[2] : 0;
        const int64_t end = at[2] + points > px ? (at[2] + points - px + step[2] - 1) / step[2] : 0;
        if (end <= q) continue;
        jm_conv_tile part = *tile;
        part.weight += row[px].weight;
        part.output += (q * step[2] + px - at[2]) * tile->output_pixel;
        part.output_pixel *= step[2];
        jm_tap_row(&row[px].taps, kernels, image, (const int64_t[3]){at[0] / step[0], at[1] / step[1], q}, end - q,
                   &part);
    }
}
