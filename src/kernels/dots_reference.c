/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "kernels/dots.h"

static void jm_f32_dot_rows__reference(const jm_dot_rows *d)
{
    for (size_t i = 0; i < d->rows; i++) {
        for (size_t j = 0; j < d->b_rows; j++) {
            const float *a = d->a + d->row[i].a, *b = d->b + (ptrdiff_t)j * d->b_row;
            float *sum = d->sum + d->row[i].sum + (ptrdiff_t)j * d->sum_row, chain[16] = {0};
            for (size_t k = 0; k < d->n; k++) chain[k % 16] = fmaf(a[k], b[k], chain[k % 16]);
            for (size_t k = d->n; k % 16; k++) chain[k % 16] = fmaf(0, 0, chain[k % 16]);
            for (int l = 0; l < 16; l++) sum[l] += chain[l];
        }
    }
}

void jm_dots_kernels_init__reference(jm_dots_kernels *kernels)
{
    *kernels = (jm_dots_kernels){.rows = jm_f32_dot_rows__reference};
}
