/* SPDX-License-Identifier: Apache-2.0
 *
 * DepthToSpace and SpaceToDepth: one strided copy of six loops each.
 */
#include "ops/move.h"

#include <string.h>

static bool to_space(const jm_call *call);

static jm_status resolve(const jm_call *call, bool *columns_first)
{
    const char *mode = call->attr[1].s;
    *columns_first = strcmp(mode, "CRD") == 0;
    if (*columns_first || strcmp(mode, "DCR") == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "mode is '%s' and must be DCR or CRD", mode);
}

static jm_status check(const jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    int64_t block = call->attr[0].i;
    bool columns_first;
    if (shape->rank != 4)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the input has rank %d and must have 4", shape->rank);
    if (block < 1 || block > 1 << 15)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "blocksize is %lld and must be in 1 .. 32768",
                             (long long)block);
    if (to_space(call) && shape->dim[1] >= 0 && shape->dim[1] % (block * block))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%lld channels are not a multiple of blocksize^2 = %lld",
                             (long long)shape->dim[1], (long long)(block * block));
    for (int k = 2; k < 4; k++)
        if (!to_space(call) && shape->dim[k] >= 0 && shape->dim[k] % block)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "dimension %d of %lld is not a multiple of blocksize %lld",
                                 k, (long long)shape->dim[k], (long long)block);
    return resolve(call, &columns_first);
}

/* dim * factor / divisor, -1 where unknown; what overflows is refused by the caller's limit on dims. */
static int64_t scaled(int64_t dim, int64_t factor, int64_t divisor)
{
    int64_t result;
    if (dim < 0) return -1;
    return __builtin_mul_overflow(dim, factor, &result) ? INT64_MAX : result / divisor;
}

static jm_status infer(jm_call *call)
{
    int64_t block = call->attr[0].i;
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    int64_t *dim = call->out[0].shape.dim;
    bool space = to_space(call);
    dim[1] = space ? scaled(dim[1], 1, block * block) : scaled(dim[1], block * block, 1);
    for (int k = 2; k < 4; k++) dim[k] = space ? scaled(dim[k], block, 1) : scaled(dim[k], 1, block);
    return JM_OK;
}

static int forms(const jm_call *call, jm_form out[JM_MAX_FORMS])
{
    out[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

/* Loops: n, c, the block's row i and column j, y, x of the coarse map. The fine side has point (y * block + i, x *
 * block + j) of channel c; the deep side point (y, x) of channel (i * block + j) * C + c (DCR), or c * block^2 + i *
 * block + j (CRD). */
static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *out)
{
    (void)form;
    int64_t block = call->attr[0].i;
    bool columns_first, space = to_space(call);
    JM_TRY(resolve(call, &columns_first));
    const jm_tensor *fine = space ? &call->out[0] : &call->in[0], *deep = space ? &call->in[0] : &call->out[0];
    jm_moves *moves = jm_moves_create(arena, call->in[0].dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    int64_t size = (int64_t)jm_dtype_size(call->in[0].dtype), channels = fine->shape.dim[1];
    int64_t step_c = columns_first ? block * block : 1, step_block = columns_first ? 1 : channels;
    jm_move move = {.in = 0,
                    .out = 0,
                    .rank = 6,
                    .dim = {fine->shape.dim[0], channels, block, block, deep->shape.dim[2], deep->shape.dim[3]}};
    int64_t fine_stride[] = {fine->stride[0], fine->stride[1],         fine->stride[2],
                             fine->stride[3], fine->stride[2] * block, fine->stride[3] * block};
    int64_t deep_stride[] = {
        deep->stride[0], deep->stride[1] * step_c, deep->stride[1] * step_block * block, deep->stride[1] * step_block,
        deep->stride[2], deep->stride[3]};
    for (int k = 0; k < move.rank; k++) {
        move.in_stride[k] = (space ? deep_stride : fine_stride)[k] * size;
        move.out_stride[k] = (space ? fine_stride : deep_stride)[k] * size;
    }
    JM_TRY(jm_moves_add(moves, &move));
    jm_moves_finish(moves, machine, out);
    return JM_OK;
}

static const jm_param depth_to_space_param[] = {
    {.name = "input", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W]"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "[N, C / blocksize^2, H blocksize, W blocksize]"},
    {.name = "blocksize", .kind = JM_PARAM_INT, .doc = "side of the blocks"},
    {.name = "mode", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "DCR", .doc = "DCR or CRD: order in C"},
};

const jm_op jm_op_depth_to_space = {
    .name = "DepthToSpace",
    .param = depth_to_space_param,
    .params = JM_COUNT(depth_to_space_param),
    .dtype_rule = JM_DTYPE_SAME,
    .formula = "each group of blocksize^2 channels becomes a block of points",
    .source = "ONNX DepthToSpace-13",
    .check = check,
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = jm_moves_run,
};

static const jm_param space_to_depth_param[] = {
    {.name = "input", .kind = JM_PARAM_INPUT, .doc = "[N, C, H, W]"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "[N, C blocksize^2, H / blocksize, W / blocksize]"},
    {.name = "blocksize", .kind = JM_PARAM_INT, .doc = "side of the blocks"},
    {.name = "mode", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "DCR", .doc = "DCR or CRD: order in C"},
};

const jm_op jm_op_space_to_depth = {
    .name = "SpaceToDepth",
    .param = space_to_depth_param,
    .params = JM_COUNT(space_to_depth_param),
    .dtype_rule = JM_DTYPE_SAME,
    .formula = "each block of points becomes blocksize^2 channels",
    .source = "ONNX SpaceToDepth-28",
    .check = check,
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = jm_moves_run,
};

static bool to_space(const jm_call *call)
{
    return call->op == &jm_op_depth_to_space;
}
