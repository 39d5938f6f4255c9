/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/strips.h"

enum { CHUNKS_PER_THREAD = 4, MAX_BALANCED_THREADS = 4 };

/* Bytes read when every chunk reads its weights and its inputs once. */
static double traffic(const jm_strips *s, double block_bytes, double unit_bytes)
{
    return (double)s->strips * block_bytes * (double)s->blocks + (double)s->groups * unit_bytes * (double)s->units;
}

/* Blocks times units that the busiest of `threads` cores computes when each takes the next chunk as soon as it is free.
 */
static int64_t makespan(const jm_strips *s, unsigned threads)
{
    int64_t busy[MAX_BALANCED_THREADS] = {0}, longest = 0;
    for (size_t chunk = 0; chunk < jm_strips_chunks(s); chunk++) {
        const jm_strip strip = jm_strips_at(s, chunk);
        unsigned core = 0;
        for (unsigned i = 1; i < threads; i++)
            if (busy[i] < busy[core]) core = i;
        busy[core] += (strip.block_end - strip.block_begin) * (strip.unit_end - strip.unit_begin);
        longest = JM_MAX(longest, busy[core]);
    }
    return longest;
}

/* Cuts near `start` that leave the cores less uneven, with as much traffic and up to twice as many chunks. */
static jm_strips balance(const jm_strips *start, int64_t least_strips, int64_t want, unsigned threads,
                         double block_bytes, double unit_bytes)
{
    const double limit = 1.25 * traffic(start, block_bytes, unit_bytes);
    const int64_t chunks = start->images * start->groups * start->strips, work = start->images * start->blocks;
    jm_strips best = *start;
    int64_t best_span = makespan(start, threads);
    const int64_t most = 2 * JM_MAX(chunks, want), all = work * start->units;
    for (int64_t groups = 1; groups <= JM_MIN(start->blocks, most / start->images); groups++) {
        for (int64_t strips = least_strips; strips <= start->units; strips++) {
            jm_strips other = *start;
            other.groups = groups;
            other.strips = strips;
            const int64_t count = start->images * groups * strips;
            /* Within half a percent of even there is nothing to win. */
            if (count > most || best_span * (int64_t)threads * 200 <= all * 201) break;
            if (count < JM_MIN(want, chunks) || traffic(&other, block_bytes, unit_bytes) > limit) continue;
            const int64_t span = makespan(&other, threads);
            if (span * 100 < best_span * 99) {
                best = other;
                best_span = span;
            }
        }
    }
    return best;
}

jm_strips jm_strips_choose(const jm_machine *machine, int64_t images, int64_t blocks, double block_bytes, int64_t units,
                           double unit_bytes)
{
    jm_strips strips = {.images = images, .groups = 1, .strips = 1, .blocks = blocks, .units = units};
    double fit = (double)machine->l2 / 2 / JM_MAX(unit_bytes, 1.0);
    int64_t most = fit < 1 ? 1 : fit > (double)units ? units : (int64_t)fit;
    strips.strips = (units + most - 1) / most;
    const int64_t least = strips.strips,
                  want = machine->threads > 1 ? (int64_t)machine->threads * CHUNKS_PER_THREAD : 1;
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
    /* Many chunks are even enough, and those of many threads take long to compare. */
    if (machine->threads < 2 || machine->threads > MAX_BALANCED_THREADS ||
        images * strips.groups * strips.strips > 4 * want)
        return strips;
    return balance(&strips, least, want, machine->threads, block_bytes, unit_bytes);
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
