/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/winograd.h"

/* Row i of G is [1, p, p^2] / product over the other finite points q of (p - q), for infinity [0, 0, 1]. */
#define ROOT_HALF 0.70710678118654752440
#define ROOT_TWO 1.41421356237309504880

const jm_winograd_shape jm_winograd_shapes[JM_WINOGRAD_COUNT] = {
    [JM_WINOGRAD_F4X3] =
        {
            .size = 6,
            .outputs = 4,
            .stride = 1,
            .filter = {{1, 0, 0},
                       {-2.0 / 3, -2.0 / 3 * ROOT_HALF, -1.0 / 3},
                       {-2.0 / 3, 2.0 / 3 * ROOT_HALF, -1.0 / 3},
                       {1.0 / 6, 1.0 / 6 * ROOT_TWO, 1.0 / 3},
                       {1.0 / 6, -1.0 / 6 * ROOT_TWO, 1.0 / 3},
                       {0, 0, 1}},
        },
    [JM_WINOGRAD_F3X3S2] =
        {
            .size = 7,
            .outputs = 3,
            .stride = 2,
            .filter = {{-1, 0, 0}, {0.5, 0, 0.5}, {0.5, 0, -0.5}, {0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}},
        },
};

void jm_winograd_filter(jm_winograd kind, const float g[9], float *transformed)
{
    const jm_winograd_shape *shape = &jm_winograd_shapes[kind];
    for (int p = 0; p < shape->size; p++) {
        double row[3];
        for (int k = 0; k < 3; k++) {
            row[k] = 0;
            for (int i = 0; i < 3; i++) row[k] += shape->filter[p][i] * (double)g[i * 3 + k];
        }
        for (int q = 0; q < shape->size; q++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += shape->filter[q][k] * row[k];
            transformed[p * shape->size + q] = (float)sum;
        }
    }
}
