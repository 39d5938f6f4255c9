/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/op.h"

/* dims[] of the host input `shape`, with 0 and -1 resolved as ONNX says. */
static jm_status infer_reshape(jm_call *call)
{
    const jm_shape *from = &call->in[0].shape;
    bool allow_zero = call->attr[0].i != 0;
    int64_t dims[JM_MAX_RANK];
    jm_shape shape = {0};
    JM_TRY(jm_call_host_ints(call, 1, dims, JM_MAX_RANK, &shape.rank));
    int wild = -1;
    for (int k = 0; k < shape.rank; k++) {
        int64_t dim = dims[k];
        if (dim == 0 && !allow_zero) {
            if (k >= from->rank)
                return jm_call_error(call, JM_INVALID_ARGUMENT, "shape[%d] is 0 and the input has no dimension %d", k,
                                     k);
            dim = from->dim[k];
        } else if (dim == -1) {
            if (wild >= 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "more than one dimension of shape is -1");
            wild = k;
        } else if (dim < 0) {
            return jm_call_error(call, JM_INVALID_ARGUMENT, "shape[%d] is %lld", k, (long long)dim);
        }
        shape.dim[k] = dim;
    }
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = shape;
    if (!jm_shape_known(from)) return JM_OK;

    int64_t count, rest = 1;
    JM_TRY(jm_shape_count(from, &count));
    jm_shape fixed = shape;
    if (wild >= 0) fixed.dim[wild] = 1;
    JM_TRY(jm_shape_count(&fixed, &rest));
    if (wild >= 0) {
        /* Zero elements over zero elements says nothing about the unknown dimension; numpy and ONNX refuse too. */
        if (rest == 0 || count % rest != 0)
            rest = count + 1;
        else
            shape.dim[wild] = count / rest, rest = count;
    }
    if (rest != count) {
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s cannot be reshaped to %s", jm_shape_text(from, a),
                             jm_shape_text(&shape, b));
    }
    call->out[0].shape = shape;
    return JM_OK;
}

static const jm_param reshape_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"shape", JM_PARAM_INPUT, JM_HOST, .doc = "new dimensions; 0 keeps the input's, one may be -1"},
    {"reshaped", JM_PARAM_OUTPUT, 0, .doc = "the same elements in row-major order"},
    {"allowzero", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: a 0 in shape means 0"},
};

const jm_op jm_op_reshape = {
    .name = "Reshape",
    .param = reshape_param,
    .params = JM_COUNT(reshape_param),
    .formula = "out = data, row-major order kept",
    .source = "ONNX Reshape-14",
    .view = true,
    .infer = infer_reshape,
};
