/* SPDX-License-Identifier: Apache-2.0
 *
 * The Winograd transforms, written once on the vector of vector.h and compiled once per level: each winograd_<level>.c
 * includes this file and calls fill().
 */
#include "kernels/vector.h"
#include "kernels/winograd.h"

#define GROUP 16
#define ROOT_HALF 0x1.6a09e6p-1f
#define ROOT_TWO 0x1.6a09e6p+0f

/* B' of F4X3, with a = sqrt(1/2), b = sqrt(2):
 *   1   0  -5/2   0   1  0
 *   0 -2a    -2   a   1  0
 *   0  2a    -2  -a   1  0
 *   0 -b/2 -1/2   b   1  0
 *   0  b/2 -1/2  -b   1  0
 *   0   1     0 -5/2  0  1 */
VEC_INLINE void f4x3_input(vec d[6])
{
    const vec half = vec_set1(0.5f), two = vec_set1(2.0f), limit = vec_set1(2.5f);
    const vec even_a = vec_fnma(two, d[2], d[4]), odd_a = vec_fnma(two, d[1], d[3]);
    const vec even_b = vec_fnma(half, d[2], d[4]), odd_b = vec_fnma(half, d[1], d[3]);
    d[0] = vec_fnma(limit, d[2], vec_add(d[0], d[4]));
    d[5] = vec_fnma(limit, d[3], vec_add(d[1], d[5]));
    d[1] = vec_fma(vec_set1(ROOT_HALF), odd_a, even_a);
    d[2] = vec_fnma(vec_set1(ROOT_HALF), odd_a, even_a);
    d[3] = vec_fma(vec_set1(ROOT_TWO), odd_b, even_b);
    d[4] = vec_fnma(vec_set1(ROOT_TWO), odd_b, even_b);
}

/* A' of F4X3:
 *   1   1   1   1   1  0
 *   0   a  -a   b  -b  0
 *   0 1/2 1/2   2   2  0
 *   0 a/2 -a/2 2b -2b  1 */
VEC_INLINE void f4x3_output(vec m[6])
{
    const vec half = vec_set1(0.5f), two = vec_set1(2.0f);
    const vec even_a = vec_add(m[1], m[2]), odd_a = vec_mul(vec_set1(ROOT_HALF), vec_sub(m[1], m[2]));
    const vec even_b = vec_add(m[3], m[4]), odd_b = vec_mul(vec_set1(ROOT_TWO), vec_sub(m[3], m[4]));
    m[0] = vec_add(vec_add(m[0], even_a), even_b);
    m[1] = vec_add(odd_a, odd_b);
    m[2] = vec_fma(half, even_a, vec_mul(two, even_b));
    m[3] = vec_fma(half, odd_a, vec_fma(two, odd_b, m[5]));
}

/* B' of F3X3S2: 0, 1, -1 and infinity of the even points, then the odd points. */
VEC_INLINE void f3x3s2_input(vec d[7])
{
    const vec even[4] = {d[0], d[2], d[4], d[6]}, odd[3] = {d[1], d[3], d[5]};
    d[0] = vec_sub(even[2], even[0]);
    d[1] = vec_add(even[1], even[2]);
    d[2] = vec_sub(even[2], even[1]);
    d[3] = vec_sub(even[3], even[1]);
    d[4] = odd[0];
    d[5] = odd[1];
    d[6] = odd[2];
}

/* A' of F3X3S2:
 *   1  1  1  0  1  0  0
 *   0  1 -1  0  0  1  0
 *   0  1  1  1  0  0  1 */
VEC_INLINE void f3x3s2_output(vec m[7])
{
    const vec even = vec_add(m[1], m[2]), odd = vec_sub(m[1], m[2]);
    m[0] = vec_add(vec_add(m[0], even), m[4]);
    m[1] = vec_add(odd, m[5]);
    m[2] = vec_add(vec_add(m[3], even), m[6]);
}

/* G of both, as jm_winograd_shapes has it. */
VEC_INLINE void f4x3_filter(const vec g[3], vec out[6])
{
    const vec third = vec_set1(1.0f / 3), sixth = vec_set1(1.0f / 6), minus_third = vec_set1(-1.0f / 3);
    const vec even_a = vec_fma(minus_third, g[2], vec_mul(vec_set1(-2.0f / 3), g[0]));
    const vec even_b = vec_fma(third, g[2], vec_mul(sixth, g[0]));
    const vec odd_a = vec_set1(2.0f / 3 * ROOT_HALF), odd_b = vec_set1(ROOT_TWO / 6);
    out[0] = g[0];
    out[1] = vec_fnma(odd_a, g[1], even_a);
    out[2] = vec_fma(odd_a, g[1], even_a);
    out[3] = vec_fma(odd_b, g[1], even_b);
    out[4] = vec_fnma(odd_b, g[1], even_b);
    out[5] = g[2];
}

VEC_INLINE void f3x3s2_filter(const vec g[3], vec out[7])
{
    const vec half = vec_set1(0.5f);
    out[0] = vec_sub(vec_set1(0.0f), g[0]);
    out[1] = vec_mul(half, vec_add(g[0], g[2]));
    out[2] = vec_mul(half, vec_sub(g[0], g[2]));
    out[3] = g[2];
    out[4] = out[5] = out[6] = g[1];
}

/* Columns first, then rows, VEC_LANES lanes at a time. */
#define TRANSFORMS(name, size, outputs, stride)                                                                        \
    static void name##_filters(const jm_winograd_weights *weights)                                                     \
    {                                                                                                                  \
        for (size_t c = 0; c < weights->channels; c++) {                                                               \
            for (size_t lane = 0; lane < GROUP; lane += VEC_LANES) {                                                   \
                const float *from = weights->from + (ptrdiff_t)c * weights->from_channel + lane;                       \
                float *to = weights->to + c * GROUP + lane;                                                            \
                vec column[3][size];                                                                                   \
                VEC_UNROLL for (int x = 0; x < 3; x++)                                                                 \
                {                                                                                                      \
                    vec g[3];                                                                                          \
                    VEC_UNROLL for (int y = 0; y < 3; y++) g[y] = vec_load(from + (y * 3 + x) * weights->from_tap);    \
                    name##_filter(g, column[x]);                                                                       \
                }                                                                                                      \
                VEC_UNROLL for (int y = 0; y < (size); y++)                                                            \
                {                                                                                                      \
                    const vec g[3] = {column[0][y], column[1][y], column[2][y]};                                       \
                    vec row[size];                                                                                     \
                    name##_filter(g, row);                                                                             \
                    VEC_UNROLL for (int x = 0; x < (size); x++)                                                        \
                        vec_store(to + (size_t)(y * (size) + x) * weights->to_position, row[x]);                       \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_input_tiles(const jm_winograd_input *row)                                                       \
    {                                                                                                                  \
        for (size_t t = 0; t < row->tiles; t++) {                                                                      \
            for (size_t lane = 0; lane < GROUP; lane += VEC_LANES) {                                                   \
                const float *from = row->from + t * (outputs) * (stride)*GROUP + lane;                                 \
                float *to = row->to + t * GROUP + lane;                                                                \
                vec tile[size][size];                                                                                  \
                VEC_UNROLL for (int x = 0; x < (size); x++)                                                            \
                {                                                                                                      \
                    vec d[size];                                                                                       \
                    VEC_UNROLL for (int y = 0; y < (size); y++) d[y] = vec_load(from + y * row->from_row + x * GROUP); \
                    name##_input(d);                                                                                   \
                    VEC_UNROLL for (int y = 0; y < (size); y++) tile[y][x] = d[y];                                     \
                }                                                                                                      \
                VEC_UNROLL for (int y = 0; y < (size); y++)                                                            \
                {                                                                                                      \
                    name##_input(tile[y]);                                                                             \
                    VEC_UNROLL for (int x = 0; x < (size); x++)                                                        \
                        vec_store(to + (size_t)(y * (size) + x) * row->to_position, tile[y][x]);                       \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_output_tiles(const jm_winograd_output *row)                                                     \
    {                                                                                                                  \
        for (size_t t = 0; t < row->tiles; t++) {                                                                      \
            for (size_t lane = 0; lane < GROUP; lane += VEC_LANES) {                                                   \
                const float *from = row->from + t * GROUP + lane;                                                      \
                float *to = row->to + t * (outputs)*GROUP + lane;                                                      \
                const vec start = vec_load(row->start + lane);                                                         \
                vec tile[outputs][size];                                                                               \
                VEC_UNROLL for (int x = 0; x < (size); x++)                                                            \
                {                                                                                                      \
                    vec m[size];                                                                                       \
                    VEC_UNROLL for (int y = 0; y < (size); y++) m[y] =                                                 \
                        vec_load(from + (size_t)(y * (size) + x) * row->from_position);                                \
                    name##_output(m);                                                                                  \
                    VEC_UNROLL for (int y = 0; y < (outputs); y++) tile[y][x] = m[y];                                  \
                }                                                                                                      \
                VEC_UNROLL for (int y = 0; y < (outputs); y++)                                                         \
                {                                                                                                      \
                    name##_output(tile[y]);                                                                            \
                    VEC_UNROLL for (int x = 0; x < (outputs); x++)                                                     \
                        vec_store(to + y * row->to_row + x * GROUP, vec_add(start, tile[y][x]));                       \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

TRANSFORMS(f4x3, 6, 4, 1)
TRANSFORMS(f3x3s2, 7, 3, 2)

static void fill(jm_winograd_kernels *kernels)
{
    *kernels = (jm_winograd_kernels){
        .filter = {[JM_WINOGRAD_F4X3] = f4x3_filters, [JM_WINOGRAD_F3X3S2] = f3x3s2_filters},
        .input = {[JM_WINOGRAD_F4X3] = f4x3_input_tiles, [JM_WINOGRAD_F3X3S2] = f3x3s2_input_tiles},
        .output = {[JM_WINOGRAD_F4X3] = f4x3_output_tiles, [JM_WINOGRAD_F3X3S2] = f3x3s2_output_tiles},
    };
}
