/* SPDX-License-Identifier: Apache-2.0
 *
 * Phase one of any operator with any shapes, strides, types, numbers and nulls: an executor, or a code with a message.
 * Where the executor fits into a little memory, phase two runs too, on tensors that lie inside it.
 */
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "aclnn/row.h"
#include "base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define JM_ACLNN_ROW(name) extern const jm_aclnn_row jm_aclnn_row_##name;
#include "aclnn/entries/rows.def"
#undef JM_ACLNN_ROW

static const jm_aclnn_row *const rows[] = {
#define JM_ACLNN_ROW(name) &jm_aclnn_row_##name,
#include "aclnn/entries/rows.def"
#undef JM_ACLNN_ROW
};

enum { STORAGE = 1 << 16, WIDEST = 16, MOST_ITEMS = 4 }; /* bytes, of a complex128 */
static char storage[STORAGE];

typedef struct input {
    const uint8_t *next, *end;
    bool inside; /* every tensor so far lies in the storage */
} input;

static uint8_t byte(input *in)
{
    return in->next < in->end ? *in->next++ : 0;
}

/* Small numbers most of the time; now and then one of the extremes. */
static int64_t number(input *in, int64_t low, int64_t high)
{
    static const int64_t extreme[] = {INT64_MAX,     INT64_MIN,        -1,        0,
                                      INT64_MAX / 8, (int64_t)1 << 40, INT32_MAX, INT32_MIN};
    uint8_t b = byte(in);
    if (b >= 248) return extreme[b - 248];
    return low + b % (high - low + 1);
}

static aclDataType dtype(input *in)
{
    static const int usual[] = {0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 16, 17, 27};
    uint8_t b = byte(in);
    return (aclDataType)(b < 240 ? usual[b % 15] : (int)b - 240);
}

static void note_extent(input *in, const int64_t *dim, const int64_t *stride, int rank, int64_t offset)
{
    int64_t last = offset;
    for (int k = 0; k < rank; k++) {
        if (dim[k] < 0 || dim[k] > 64 || stride[k] < 0 || stride[k] > 4096 || offset < 0 || offset > 1024) {
            in->inside = false;
            return;
        }
        last += (dim[k] > 0 ? dim[k] - 1 : 0) * stride[k];
    }
    if (last < 0 || last >= STORAGE / WIDEST / 2) in->inside = false;
}

static aclTensor *tensor(input *in)
{
    int64_t dim[10], stride[10], dense = 1;
    uint8_t choice = byte(in);
    int rank = choice % 16 < 10 ? choice % 5 : choice % 10;
    for (int k = rank - 1; k >= 0; k--) {
        dim[k] = number(in, 0, 5);
        stride[k] = choice & 64 && !(choice & 32) ? number(in, 0, 16) : dense;
        if (__builtin_mul_overflow(dense, dim[k] > 0 ? dim[k] : 1, &dense)) dense = 1;
    }
    int64_t offset = choice & 128 ? number(in, 0, 8) : 0;
    note_extent(in, dim, stride, rank, offset);
    /* One of two halves, so that tensors often lie over each other. */
    char *place = storage + (byte(in) & 1) * (STORAGE / 2);
    return aclCreateTensor(dim, (uint64_t)rank, dtype(in), choice & 32 ? NULL : stride, offset, ACL_FORMAT_ND, NULL, 0,
                           place);
}

static aclScalar *scalar(input *in)
{
    unsigned char value[16] = {0};
    for (int i = 0; i < 8; i++) value[i] = i < 2 ? byte(in) : 0;
    return aclCreateScalar(value, dtype(in));
}

static jm_aclnn_value argument(input *in, const jm_aclnn_param *param)
{
    static const char *const text[] = {"", "none", "tanh", "add", "LEFT"};
    int64_t numbers[MOST_ITEMS];
    float floats[MOST_ITEMS];
    bool bools[MOST_ITEMS];
    const aclTensor *tensors[MOST_ITEMS];
    const aclScalar *scalars[MOST_ITEMS];
    jm_aclnn_value value = {.pointer = NULL};
    if (param->kind < JM_ACLNN_INT && byte(in) > 250) return value;
    uint64_t count = byte(in) % (MOST_ITEMS + 1);
    switch (param->kind) {
    case JM_ACLNN_TENSOR:
        value.tensor = tensor(in);
        break;
    case JM_ACLNN_TENSORS:
        for (uint64_t i = 0; i < count; i++) tensors[i] = byte(in) == 255 ? NULL : tensor(in);
        value.tensors = aclCreateTensorList(tensors, count);
        break;
    case JM_ACLNN_SCALAR:
        value.scalar = scalar(in);
        break;
    case JM_ACLNN_SCALARS:
        for (uint64_t i = 0; i < count; i++) scalars[i] = scalar(in);
        value.scalars = aclCreateScalarList(scalars, count);
        break;
    case JM_ACLNN_INTS:
        for (uint64_t i = 0; i < count; i++) numbers[i] = number(in, -3, 5);
        value.ints = aclCreateIntArray(numbers, count);
        break;
    case JM_ACLNN_FLOATS:
        for (uint64_t i = 0; i < count; i++) floats[i] = (float)number(in, -3, 5);
        value.floats = aclCreateFloatArray(floats, count);
        break;
    case JM_ACLNN_BOOLS:
        for (uint64_t i = 0; i < count; i++) bools[i] = byte(in) & 1;
        value.bools = aclCreateBoolArray(bools, count);
        break;
    case JM_ACLNN_STRING:
        value.string = text[count % JM_COUNT(text)];
        break;
    case JM_ACLNN_FLOAT:
        value.f = (double)number(in, -3, 5);
        break;
    case JM_ACLNN_DTYPE:
        value.i = (int64_t)dtype(in);
        break;
    default:
        value.i = number(in, -3, 5);
        break;
    }
    return value;
}

static void forget(const jm_aclnn_param *param, jm_aclnn_value value)
{
    switch (param->kind) {
    case JM_ACLNN_TENSOR:
        aclDestroyTensor(value.tensor);
        break;
    case JM_ACLNN_TENSORS:
        aclDestroyTensorList(value.tensors);
        break;
    case JM_ACLNN_SCALAR:
        aclDestroyScalar(value.scalar);
        break;
    case JM_ACLNN_SCALARS:
        aclDestroyScalarList(value.scalars);
        break;
    case JM_ACLNN_INTS:
        aclDestroyIntArray(value.ints);
        break;
    case JM_ACLNN_FLOATS:
        aclDestroyFloatArray(value.floats);
        break;
    case JM_ACLNN_BOOLS:
        aclDestroyBoolArray(value.bools);
        break;
    default:
        break;
    }
}

static void second_phase(const jm_aclnn_row *row, uint64_t size, aclOpExecutor *executor)
{
    void *workspace = malloc(size + 1);
    if (!workspace) abort();
    if (jm_aclnn_launch(row, workspace, size, executor, NULL) != 0 && !aclGetRecentErrMsg()) abort();
    /* Indices that are data may be bad: the code is free, the memory must be whole. */
    (void)aclrtSynchronizeStream(NULL);
    (void)aclGetRecentErrMsg();
    free(workspace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size, true};
    jm_aclnn_value value[JM_ACLNN_MAX_PARAMS];
    if (aclrtSetDevice(0) != ACL_SUCCESS) abort(); /* counts users; the device stays */
    size_t which = byte(&in);
    const jm_aclnn_row *row = rows[(which << 8 | byte(&in)) % JM_COUNT(rows)];
    for (int i = 0; i < row->params; i++) value[i] = argument(&in, &row->param[i]);

    uint64_t need = 1;
    aclOpExecutor *executor = (aclOpExecutor *)(uintptr_t)1;
    (void)aclGetRecentErrMsg();
    aclnnStatus code = jm_aclnn_prepare(row, value, &need, &executor);
    if (code == 0 ? !executor : executor || need || !aclGetRecentErrMsg()) abort();
    if (code == 561000) abort(); /* a bug of ours, by definition */
    if (code == 0 && in.inside && need < 1 << 24)
        second_phase(row, need, executor);
    else if (code == 0 && aclDestroyAclOpExecutor(executor) != 0)
        abort();
    for (int i = 0; i < row->params; i++) forget(&row->param[i], value[i]);
    return 0;
}
