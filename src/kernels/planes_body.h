/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel whose lanes are neighbouring points, written once on the vector of vector.h and compiled once per level:
 * each depthwise_<level>.c defines PLANE_VECS(filters), the vectors of points that a tile of 1, 2 or 4 filters keeps in
 * registers, at most 12, and includes this file.
 *
 * A tile loads every input once for all its filters and broadcasts every weight once for all its points.
 */
#include "kernels/depthwise.h"
#include "kernels/vector.h"

#define MOST_PLANE_FILTERS 4
#define MOST_PLANE_VECS 12

VEC_INLINE void add_tap(vec sum[MOST_PLANE_FILTERS][MOST_PLANE_VECS], const float *input, const float *weight,
                        ptrdiff_t weight_filter, const int filters, const int vecs)
{
    if (filters <= 2) {
        vec w[2];
        VEC_UNROLL for (int f = 0; f < filters; f++) w[f] = vec_set1(weight[f * weight_filter]);
        VEC_UNROLL for (int p = 0; p < vecs; p++)
        {
            const vec x = vec_load(input + p * VEC_LANES);
            VEC_UNROLL for (int f = 0; f < filters; f++) sum[f][p] = vec_fma(x, w[f], sum[f][p]);
        }
        return;
    }
    vec x[MOST_PLANE_VECS];
    VEC_UNROLL for (int p = 0; p < vecs; p++) x[p] = vec_load(input + p * VEC_LANES);
    VEC_UNROLL for (int f = 0; f < filters; f++)
    {
        const vec w = vec_set1(weight[f * weight_filter]);
        VEC_UNROLL for (int p = 0; p < vecs; p++) sum[f][p] = vec_fma(x[p], w, sum[f][p]);
    }
}

/* The taps of a segment. */
typedef struct plane_segment {
    const jm_plane_tap *tap, *end;
    bool first;
} plane_segment;

/* Adds a segment to `vecs` vectors of points of `filters` filters. */
VEC_INLINE void plane_tile(const jm_planes *s, const plane_segment *part, const float *input, const float *weight,
                           const float *start, float *output, const int filters, const int vecs)
{
    const ptrdiff_t weight_filter = s->weight_filter, output_filter = s->output_filter;
    const jm_plane_tap *const end = part->end;
    vec sum[MOST_PLANE_FILTERS][MOST_PLANE_VECS];
    VEC_UNROLL for (int f = 0; f < filters; f++)
    {
        VEC_UNROLL for (int p = 0; p < vecs; p++) sum[f][p] = vec_set1(0.0f);
    }
    VEC_NO_UNROLL for (const jm_plane_tap *tap = part->tap; tap != end; tap++)
        add_tap(sum, input + tap->input, weight + tap->weight, weight_filter, filters, vecs);
    float *to = VEC_OPAQUE(output);
    VEC_UNROLL for (int f = 0; f < filters; f++, to += output_filter)
    {
        VEC_UNROLL for (int p = 0; p < vecs; p++)
        {
            const vec before = part->first ? vec_set1(start[f]) : vec_load(to + p * VEC_LANES);
            vec_store(to + p * VEC_LANES, vec_add(before, sum[f][p]));
        }
    }
}

/* Vectors at .. at + vecs - 1 of filters begin .. end - 1. */
VEC_INLINE void plane_filters(const jm_planes *s, const plane_segment *part, int64_t at, int64_t begin, int64_t end,
                              const int filters, const int vecs)
{
    const float *input = s->input + at * VEC_LANES;
    for (int64_t f = begin; f < end; f += filters) {
        plane_tile(s, part, input, s->weight + f * s->weight_filter, s->start + f,
                   s->output + f * s->output_filter + at * VEC_LANES, filters, vecs);
    }
}

/* All points of filters begin .. end - 1, a multiple of `filters`, in tiles of nearly equal widths: while the inputs of
 * a tile are in the first cache all filters pass over them. */
VEC_INLINE void plane_tiles(const jm_planes *s, const plane_segment *part, int64_t begin, int64_t end,
                            const int filters)
{
    const int64_t vecs = s->points / VEC_LANES, most = PLANE_VECS(filters), tiles = (vecs + most - 1) / most;
    if (begin == end) return;
    for (int64_t t = 0, at = 0; t < tiles; t++) {
        const int64_t wide = (vecs - at) / (tiles - t);
        switch (wide) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        if (n <= PLANE_VECS(filters)) plane_filters(s, part, at, begin, end, filters, n);                              \
        break
            CASE(1);
            CASE(2);
            CASE(3);
            CASE(4);
            CASE(5);
            CASE(6);
            CASE(7);
            CASE(8);
            CASE(9);
            CASE(10);
            CASE(11);
            CASE(12);
#undef CASE
        default:
            break;
        }
        at += wide;
    }
}

/* Segment after segment, so that the inputs of a tile and the weights of its filters stay in the first cache. */
static void f32_planes(const jm_planes *s)
{
    const int64_t fours = s->filters / 4 * 4, twos = s->filters / 2 * 2;
    const jm_plane_tap *const end = s->tap + s->taps;
    plane_segment part = {.end = s->tap};
    do {
        part.first = part.end == s->tap;
        part.tap = part.end;
        part.end = (size_t)(end - part.tap) > s->segment ? part.tap + s->segment : end;
        plane_tiles(s, &part, 0, fours, 4);
        plane_tiles(s, &part, fours, twos, 2);
        plane_tiles(s, &part, twos, s->filters, 1);
    } while (part.end != end);
}
