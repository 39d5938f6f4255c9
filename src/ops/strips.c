/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/strips.h"

jm_strips jm_strips_choose(const jm_machine *machine, int64_t images, int64_t blocks, double block_bytes, int64_t units,
                           double unit_bytes)
{
    enum { CHUNKS_PER_THREAD = 4 };
    jm_strips strips = {.images = images, .groups = 1, .strips = 1, .blocks = blocks, .units = units};
    double fit = (double)machine->l2 / 2 / JM_MAX(unit_bytes, 1.0);
    int64_t most = fit < 1 ? 1 : fit > (double)units ? units : (int64_t)fit;
    strips.strips = (units + most - 1) / most;
    const int64_t want = machine->threads > 1 ? (int64_t)machine->threads * CHUNKS_PER_THREAD : 1;
    /* Each further strip reads all weights again, each further group all inputs: the cheaper one grows. */
    const bool prefer_strips = block_bytes * (double)blocks <= unit_bytes * (double)units;
    while (images * strips.groups * strips.strips < want) {
        const bool can_strip = strips.strips < units, can_group = strips.groups < blocks;
        if (!can_strip && !can_group) break;
        if (can_strip && (prefer_strips || !can_group))
            strips.strips++;
        else
            strips.groups++;
    }
    return strips;
}

jm_strip jm_strips_at(const jm_strips *strips, size_t chunk)
{
    const int64_t strip = (int64_t)chunk % strips->strips;
    const int64_t rest = (int64_t)chunk / strips->strips;
    const int64_t group = rest % strips->groups;
    return (jm_strip){
        .image = rest / strips->groups,
        .block_begin = strips->blocks * group / strips->groups,
        .block_end = strips->blocks * (group + 1) / strips->groups,
        .unit_begin = strips->units * strip / strips->strips,
        .unit_end = strips->units * (strip + 1) / strips->strips,
    };
}
