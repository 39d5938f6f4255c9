/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands in the formats FRACTAL_NZ whose storage shape is that of blocks, [ceil(columns / c)][ceil(rows /
 * 16)][16][c]. They are brought into rows in front of the operator that reads them. With any other storage shape, such
 * as the one dimension of weights that aclnnTransMatmulWeight has converted, the format does not matter.
 */
#include <string.h>

#include "aclnn/build.h"

enum { ROWS = 16, BYTES = 32 };

/* Columns of a block; 0: another format. */
static int64_t columns_of(const aclTensor *tensor)
{
    switch (tensor->format) {
    case ACL_FORMAT_FRACTAL_NZ:
        return BYTES / (int64_t)JM_MAX(jm_dtype_size((jm_dtype)tensor->dtype), 1);
    case ACL_FORMAT_FRACTAL_NZ_C0_2:
        return 2;
    case ACL_FORMAT_FRACTAL_NZ_C0_4:
        return 4;
    case ACL_FORMAT_FRACTAL_NZ_C0_8:
        return 8;
    case ACL_FORMAT_FRACTAL_NZ_C0_16:
        return 16;
    case ACL_FORMAT_FRACTAL_NZ_C0_32:
        return 32;
    default:
        return 0;
    }
}

bool jm_aclnn_is_fractal(const aclTensor *tensor)
{
    const int64_t block = columns_of(tensor), *end = jm_aclnn_strides(tensor) + tensor->rank + tensor->storage_rank;
    return block > 0 && tensor->storage_rank >= 4 && end[-2] == ROWS && end[-1] == block;
}

/* A matrix in blocks, as it was before a view transposed it; `batches` dimensions in front. */
typedef struct fractal {
    int batches;
    int64_t batch[JM_MAX_RANK];
    int64_t rows, columns, block; /* columns of a block */
    bool transposed;
} fractal;

static int64_t blocks(int64_t count, int64_t size)
{
    return (count + size - 1) / size;
}

static jm_status read_view(const jm_aclnn_build *build, const char *label, const aclTensor *tensor,
                           const jm_tensor *view, fractal *f)
{
    const int rank = view->shape.rank;
    const int64_t *dim = view->shape.dim + rank - 2, *stride = view->stride + rank - 2;
    f->block = columns_of(tensor);
    const bool whole = rank >= 4 && dim[0] == ROWS && dim[1] == f->block;
    f->batches = rank - (whole ? 4 : 2);
    if (rank < 2 || f->batches + 3 > JM_MAX_RANK)
        return jm_error(JM_INVALID_ARGUMENT, "%s: %s has format FRACTAL_NZ and %d dimensions; it must have 2 or more",
                        build->row->name, label, rank);
    if (tensor->offset != 0)
        return jm_error(JM_UNSUPPORTED, "%s: %s has format FRACTAL_NZ and offset %lld, which must be 0",
                        build->row->name, label, (long long)tensor->offset);
    memcpy(f->batch, view->shape.dim, (size_t)f->batches * sizeof(int64_t));
    f->transposed = !whole && stride[1] != 1 && stride[0] == 1;
    f->rows = whole ? dim[-1] * ROWS : dim[f->transposed ? 1 : 0];
    f->columns = whole ? dim[-2] * f->block : dim[f->transposed ? 0 : 1];
    return JM_OK;
}

/* The storage as a tensor of rank batches + 3: [batch...][rows][blocks of columns][columns of a block]. */
static jm_status storage_view(const jm_aclnn_build *build, const char *label, const aclTensor *tensor, const fractal *f,
                              jm_tensor *out)
{
    const int64_t row = f->block, column = blocks(f->rows, ROWS) * ROWS * f->block;
    int64_t matrix = blocks(f->columns, f->block) * column, have = 1;
    const int at = f->batches;
    *out = (jm_tensor){.dtype = (jm_dtype)tensor->dtype, .shape.rank = at + 3, .data = tensor->data};
    memcpy(out->shape.dim, f->batch, (size_t)at * sizeof(int64_t));
    memcpy(out->shape.dim + at, (int64_t[]){f->rows, blocks(f->columns, f->block), f->block}, 3 * sizeof(int64_t));
    memcpy(out->stride + at, (int64_t[]){row, column, 1}, 3 * sizeof(int64_t));
    for (int k = at - 1; k >= 0; k--) {
        out->stride[k] = matrix;
        matrix *= f->batch[k];
    }
    const int64_t *storage = jm_aclnn_strides(tensor) + tensor->rank;
    for (uint64_t k = 0; k < tensor->storage_rank; k++)
        if (__builtin_mul_overflow(have, storage[k], &have)) have = INT64_MAX;
    if (have < matrix)
        return jm_error(JM_INVALID_ARGUMENT,
                        "%s: the storage of %s has %lld elements; in format FRACTAL_NZ its shape needs %lld",
                        build->row->name, label, (long long)have, (long long)matrix);
    return JM_OK;
}

jm_status jm_aclnn_fractal(jm_aclnn_build *build, const char *label, const aclTensor *tensor, const jm_tensor *view,
                           unsigned slot, jm_operand **out)
{
    fractal f = {0};
    jm_tensor storage;
    jm_operand *in[2], *rows = NULL;
    JM_TRY(read_view(build, label, tensor, view, &f));
    JM_TRY(storage_view(build, label, tensor, &f, &storage));
    JM_TRY(jm_eager_tensor(build->eager, label, &storage, slot, 0, false, &in[0]));
    const int rank = f.batches + 2;
    jm_shape shape = {.rank = rank};
    memcpy(shape.dim, f.batch, (size_t)f.batches * sizeof(int64_t));
    shape.dim[rank - 2] = f.rows;
    shape.dim[rank - 1] = storage.shape.dim[rank - 1] * f.block;
    JM_TRY(jm_builder_ints(jm_eager_builder(build->eager), shape.dim, rank, &in[1]));
    const jm_named_attr as_it_is = {"allowzero", {.count = 1, .i = 1}};
    JM_TRY(jm_eager_node(build->eager, jm_op_find("Reshape"), in, 2, &as_it_is, 1, &rows, 1));
    const jm_tensor *dense = jm_builder_tensor(jm_eager_builder(build->eager), rows);
    int64_t stride[JM_MAX_RANK];
    memcpy(stride, dense->stride, sizeof(stride));
    shape.dim[rank - 1] = f.columns;
    if (f.transposed) {
        shape.dim[rank - 2] = f.columns;
        shape.dim[rank - 1] = f.rows;
        stride[rank - 2] = dense->stride[rank - 1];
        stride[rank - 1] = dense->stride[rank - 2];
    }
    return jm_eager_view(build->eager, rows, &shape, stride, 0, out);
}
