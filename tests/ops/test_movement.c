/* SPDX-License-Identifier: Apache-2.0
 *
 * Movement operators against models that only do index arithmetic, element by element. Every call runs in every form
 * that it offers, with strided inputs, outputs with gaps, irregular channel maps, one to three threads and chunks in
 * random order; the bits must always be those of the model.
 */
#include "op_test.h"
#include "test.h"

#define ROUNDS 60

static uint64_t *rng;

static const jm_dtype dtypes[] = {JM_F32, JM_F16, JM_I8, JM_I64, JM_BOOL, JM_F64, JM_U16, JM_I32};

static int64_t pick(int64_t low, int64_t high)
{
    return op_random_int(rng, low, high);
}

/* Mostly 4 bytes, the size with kernels of its own. */
static jm_dtype pick_dtype(void)
{
    return pick(0, 1) ? JM_F32 : dtypes[pick(0, (int64_t)JM_COUNT(dtypes) - 1)];
}

/* Small dims in all ranks, now and then a zero, or enough elements for several chunks. */
static jm_shape pick_shape(int min_rank)
{
    int rank = (int)pick(min_rank, pick(0, 3) ? 5 : JM_MAX_RANK);
    jm_shape shape = op_test_shape(rng, rank, 1, rank <= 4 ? 40 : 7, pick(0, 9) ? 3000 : 60000);
    if (rank > 0 && pick(0, 19) == 0) shape.dim[pick(0, rank - 1)] = 0;
    return shape;
}

static int64_t count_of(const jm_shape *shape)
{
    int64_t count;
    assert_ok(jm_shape_count(shape, &count));
    return count;
}

/* Appends a random input; returns it without strides, for the model. */
static jm_tensor add_input(op_test *t, jm_dtype dtype, const jm_shape *shape)
{
    jm_tensor tensor = op_test_tensor(t, dtype, shape, rng);
    tensor.constant = pick(0, 9) == 0;
    op_test_input(t, op_test_restride(t, &tensor, rng));
    return tensor;
}

static jm_tensor blank(op_test *t, jm_dtype dtype, const jm_shape *shape)
{
    return op_test_tensor(t, dtype, shape, rng);
}

static void copy_element(const jm_tensor *to, const int64_t *to_index, const jm_tensor *from, const int64_t *from_index)
{
    memcpy(jm_tensor_at(to, to_index), jm_tensor_at(from, from_index), jm_dtype_size(to->dtype));
}

/* Begins a call named `op` and runs `body` ROUNDS times. */
#define EACH_ROUND(t, name)                                                                                            \
    op_test t;                                                                                                         \
    for (int round_ = 0; round_ < ROUNDS && (op_test_begin(&t, name), true); round_++, op_test_end(&t))

/* ---- Reshape and its relatives ---- */

/* The same storage order under another shape. */
static jm_tensor as_shape(const jm_tensor *in, const jm_shape *shape)
{
    jm_tensor out;
    assert_ok(jm_tensor_init(&out, in->dtype, shape, JM_PLAIN, NULL));
    out.data = in->data;
    return out;
}

static void reshape_keeps_order(void **state)
{
    (void)state;
    EACH_ROUND(t, "Reshape")
    {
        jm_shape from = pick_shape(0), to = {0};
        jm_tensor in = add_input(&t, pick_dtype(), &from);
        int64_t count = count_of(&from), rest = count, request[JM_MAX_RANK];
        bool zero = count == 0;
        while (to.rank < JM_MAX_RANK - 1 && pick(0, 2)) {
            int64_t divisor = zero ? pick(0, 3) : pick(1, 6);
            if (!zero && rest % divisor) continue;
            if (!zero) rest /= divisor;
            to.dim[to.rank++] = divisor;
        }
        to.dim[to.rank++] = zero ? 0 : rest;
        memcpy(request, to.dim, sizeof(request));
        if (!zero && pick(0, 1)) request[pick(0, to.rank - 1)] = -1;
        for (int k = 0; !zero && k < JM_MIN(to.rank, from.rank); k++)
            if (to.dim[k] == from.dim[k] && request[k] != -1 && pick(0, 1)) request[k] = 0;
        if (zero) op_test_int(&t, "allowzero", 1);
        op_test_ints_input(&t, request, to.rank);
        jm_tensor want = as_shape(&in, &to);
        op_test_check(&t, &want, rng);
    }
}

static void flatten_makes_a_matrix(void **state)
{
    (void)state;
    EACH_ROUND(t, "Flatten")
    {
        jm_shape from = pick_shape(0), to = {.rank = 2, .dim = {1, 1}};
        jm_tensor in = add_input(&t, pick_dtype(), &from);
        int64_t axis = pick(-from.rank, from.rank);
        op_test_int(&t, "axis", axis);
        if (axis < 0) axis += from.rank;
        for (int k = 0; k < from.rank; k++) to.dim[k >= axis] *= from.dim[k];
        jm_tensor want = as_shape(&in, &to);
        op_test_check(&t, &want, rng);
    }
}

static void squeeze_undoes_unsqueeze(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        jm_shape narrow = pick_shape(0), wide = {0};
        while (narrow.rank > 5) narrow.rank--;
        int64_t axes[JM_MAX_RANK];
        int count = 0;
        for (int k = 0; k < narrow.rank || (count == 0 && wide.rank < JM_MAX_RANK);) {
            bool one = wide.rank + narrow.rank - k < JM_MAX_RANK && pick(0, 2) == 0;
            if (one) axes[count++] = wide.rank;
            if (one || k < narrow.rank) wide.dim[wide.rank++] = one ? 1 : narrow.dim[k++];
        }
        for (int i = 0; i < count; i++)
            if (pick(0, 1)) axes[i] -= wide.rank;
        for (int back = 0; back < 2; back++) {
            op_test t;
            op_test_begin(&t, back ? "Squeeze" : "Unsqueeze");
            jm_tensor in = add_input(&t, pick_dtype(), back ? &wide : &narrow);
            op_test_ints_input(&t, axes, count);
            jm_tensor want = as_shape(&in, back ? &narrow : &wide);
            op_test_check(&t, &want, rng);
            op_test_end(&t);
        }
    }
}

static void squeeze_without_axes_drops_all_ones(void **state)
{
    (void)state;
    op_test t;
    op_test_begin(&t, "Squeeze");
    jm_shape from = {.rank = 5, .dim = {1, 3, 1, 2, 1}}, to = {.rank = 2, .dim = {3, 2}};
    jm_tensor in = add_input(&t, JM_I16, &from), want = as_shape(&in, &to);
    op_test_check(&t, &want, rng);
    op_test_end(&t);
}

/* ---- Layouts ---- */

static void reorder_changes_nothing_but_the_layout(void **state)
{
    (void)state;
    EACH_ROUND(t, "Reorder")
    {
        jm_shape shape = pick_shape(0);
        jm_tensor in = add_input(&t, pick_dtype(), &shape);
        op_test_check(&t, &in, rng);
    }
}

/* Shapes of real networks, whose copies take the vectorised tiles and their edges. */
static void reorder_of_images(void **state)
{
    (void)state;
    static const int64_t channels[] = {3, 16, 24, 85, 116}, sizes[] = {1, 5, 13, 20, 40};
    for (size_t c = 0; c < JM_COUNT(channels); c++) {
        for (size_t s = 0; s < JM_COUNT(sizes); s++) {
            op_test t;
            op_test_begin(&t, "Reorder");
            jm_shape shape = {.rank = 4, .dim = {1 + (int64_t)(s % 2), channels[c], sizes[s], sizes[s] + 3}};
            jm_tensor in = add_input(&t, JM_F32, &shape);
            op_test_check(&t, &in, rng);
            op_test_end(&t);
        }
    }
}

/* Equal tensors have equal bytes: lanes without a channel become zero. */
static void reorder_clears_unused_lanes(void **state)
{
    (void)state;
    op_test t;
    op_test_begin(&t, "Reorder");
    jm_shape shape = {.rank = 4, .dim = {2, 37, 3, 5}};
    op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, rng));
    t.form = 2;
    t.threads = 2;
    assert_ok(op_test_run(&t));
    const float *data = t.out[0].data;
    for (int64_t n = 0; n < 2; n++)
        for (int64_t p = 0; p < 15; p++)
            for (int64_t lane = 37; lane < 48; lane++)
                assert_true(data[((n * 3 + lane / 16) * 15 + p) * 16 + lane % 16] == 0.0f);
    op_test_end(&t);
}

static void channel_shuffle_interleaves_groups(void **state)
{
    (void)state;
    EACH_ROUND(t, "ChannelShuffle")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(2, 5), 1, 9, 2000);
        int64_t groups = pick(1, 5), each = pick(0, 9), index[JM_MAX_RANK] = {0};
        shape.dim[1] = groups * each;
        jm_tensor in = add_input(&t, pick_dtype(), &shape), want = blank(&t, in.dtype, &shape);
        op_test_int(&t, "groups", groups);
        if (each) do {
                int64_t to[JM_MAX_RANK];
                memcpy(to, index, sizeof(to));
                to[1] = index[1] % each * groups + index[1] / each;
                copy_element(&want, to, &in, index);
            } while (op_test_next(&shape, index));
        op_test_check(&t, &want, rng);
    }
}

static void transpose_permutes(void **state)
{
    (void)state;
    EACH_ROUND(t, "Transpose")
    {
        jm_shape from = pick_shape(0), to = {.rank = from.rank};
        int64_t perm[JM_MAX_RANK] = {0}, index[JM_MAX_RANK] = {0};
        bool reverse = pick(0, 4) == 0;
        for (int k = 0; k < from.rank; k++) {
            int j = (int)pick(0, k);
            perm[k] = perm[j];
            perm[j] = k;
        }
        for (int k = 0; reverse && k < from.rank; k++) perm[k] = from.rank - 1 - k;
        jm_tensor in = add_input(&t, pick_dtype(), &from);
        if (!reverse) op_test_ints(&t, "perm", perm, from.rank);
        for (int k = 0; k < from.rank; k++) to.dim[k] = from.dim[perm[k]];
        jm_tensor want = blank(&t, in.dtype, &to);
        if (count_of(&to)) do {
                int64_t source[JM_MAX_RANK];
                for (int k = 0; k < from.rank; k++) source[perm[k]] = index[k];
                copy_element(&want, index, &in, source);
            } while (op_test_next(&to, index));
        op_test_check(&t, &want, rng);
    }
}

/* ---- Pieces ---- */

/* Copies `part` into (or out of) the window of `whole` that starts at `start` along the axis. */
static void model_piece(const jm_tensor *whole, const jm_tensor *part, int axis, int64_t start, bool join)
{
    int64_t index[JM_MAX_RANK] = {0}, moved[JM_MAX_RANK];
    if (count_of(&part->shape) == 0) return;
    do {
        memcpy(moved, index, sizeof(moved));
        moved[axis] += start;
        if (join)
            copy_element(whole, moved, part, index);
        else
            copy_element(part, index, whole, moved);
    } while (op_test_next(&part->shape, index));
}

static void concat_joins(void **state)
{
    (void)state;
    EACH_ROUND(t, "Concat")
    {
        jm_shape shape = pick_shape(1);
        jm_dtype dtype = pick_dtype();
        int axis = (int)pick(0, shape.rank - 1), pieces = (int)pick(1, 5);
        jm_tensor in[5];
        shape.dim[axis] = JM_MIN(shape.dim[axis], 40);
        jm_shape joined = shape;
        joined.dim[axis] = 0;
        for (int i = 0; i < pieces; i++) {
            shape.dim[axis] = pick(0, 20);
            joined.dim[axis] += shape.dim[axis];
            in[i] = add_input(&t, dtype, &shape);
        }
        op_test_int(&t, "axis", pick(0, 1) ? axis : axis - shape.rank);
        jm_tensor want = blank(&t, dtype, &joined);
        for (int64_t i = 0, start = 0; i < pieces; start += in[i++].shape.dim[axis])
            model_piece(&want, &in[i], axis, start, true);
        op_test_check(&t, &want, rng);
    }
}

static void split_takes_apart(void **state)
{
    (void)state;
    EACH_ROUND(t, "Split")
    {
        jm_shape shape = pick_shape(1);
        int axis = (int)pick(0, shape.rank - 1), pieces = (int)pick(1, 5);
        int64_t sizes[5], sum = 0;
        int manner = (int)pick(0, 2); /* sizes given, equal pieces, a smaller last piece */
        int64_t each = pick(1, 9), last = manner == 2 ? pick(0, each) : each;
        for (int i = 0; i < pieces; i++) {
            sizes[i] = manner == 0 ? pick(0, 12) : i + 1 < pieces ? each : last;
            sum += sizes[i];
        }
        if (manner == 2 && (sum + pieces - 1) / pieces != each && pieces > 1) manner = 0;
        shape.dim[axis] = sum;
        jm_tensor in = add_input(&t, pick_dtype(), &shape), want[5];
        if (manner == 0) op_test_ints_input(&t, sizes, pieces);
        if (manner == 2) op_test_int(&t, "num_outputs", pieces);
        op_test_int(&t, "axis", axis);
        t.outputs = pieces;
        for (int64_t i = 0, start = 0; i < pieces; start += sizes[i++]) {
            shape.dim[axis] = sizes[i];
            want[i] = blank(&t, in.dtype, &shape);
            model_piece(&in, &want[i], axis, start, false);
        }
        op_test_check(&t, want, rng);
    }
}

/* Python's rule, by walking the indices one by one. */
static jm_shape model_slice(const jm_shape *from, int axis, int64_t start, int64_t end, int64_t step,
                            int64_t source[JM_MAX_RANK][64])
{
    jm_shape to = *from;
    int64_t dim = from->dim[axis], count = 0;
    if (start < 0) start += dim;
    if (end < 0) end += dim;
    if (step > 0)
        start = JM_MAX(start, 0), end = JM_MIN(end, dim);
    else
        start = JM_MIN(start, dim - 1), end = JM_MAX(end, -1);
    for (int64_t i = start; step > 0 ? i < end : i > end; i += step)
        if (i >= 0 && i < dim) source[axis][count++] = i;
    to.dim[axis] = count;
    return to;
}

static void slice_follows_python(void **state)
{
    (void)state;
    static int64_t source[JM_MAX_RANK][64];
    EACH_ROUND(t, "Slice")
    {
        jm_shape from = pick_shape(1);
        for (int k = 0; k < from.rank; k++) from.dim[k] = JM_MIN(from.dim[k], 60);
        int64_t starts[JM_MAX_RANK], ends[JM_MAX_RANK], axes[JM_MAX_RANK], steps[JM_MAX_RANK];
        jm_shape to = from;
        int count = 0;
        bool named = pick(0, 3) > 0, stepped = pick(0, 2) > 0;
        for (int k = 0; k < from.rank; k++) {
            for (int64_t i = 0; i < from.dim[k]; i++) source[k][i] = i;
            if (named ? pick(0, 1) : k >= 3) continue;
            int64_t dim = from.dim[k];
            starts[count] = pick(-dim - 2, dim + 2);
            ends[count] = pick(0, 4) ? pick(-dim - 2, dim + 2) : pick(0, 1) ? INT64_MAX : -INT32_MAX;
            steps[count] = stepped ? (pick(0, 1) ? pick(1, 3) : pick(-3, -1)) : 1;
            axes[count] = pick(0, 1) || !named ? k : k - from.rank;
            to.dim[k] = model_slice(&from, k, starts[count], ends[count], steps[count], source).dim[k];
            count++;
        }
        jm_tensor in = add_input(&t, pick_dtype(), &from), want = blank(&t, in.dtype, &to);
        op_test_ints_input(&t, starts, count);
        op_test_ints_input(&t, ends, count);
        if (named)
            op_test_ints_input(&t, axes, count);
        else
            op_test_absent(&t);
        if (stepped) op_test_ints_input(&t, steps, count);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        if (count_of(&to)) do {
                for (int k = 0; k < to.rank; k++) at[k] = source[k][index[k]];
                copy_element(&want, index, &in, at);
            } while (op_test_next(&to, index));
        op_test_check(&t, &want, rng);
    }
}

static void slice_survives_extreme_numbers(void **state)
{
    (void)state;
    static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    jm_shape shape = {.rank = 1, .dim = {5}};
    for (size_t s = 0; s < JM_COUNT(extremes); s++)
        for (size_t e = 0; e < JM_COUNT(extremes); e++)
            for (size_t d = 0; d < JM_COUNT(extremes); d++) {
                op_test t;
                op_test_begin(&t, "Slice");
                add_input(&t, JM_I32, &shape);
                int64_t zero = 0;
                op_test_ints_input(&t, &extremes[s], 1);
                op_test_ints_input(&t, &extremes[e], 1);
                op_test_ints_input(&t, &zero, 1);
                op_test_ints_input(&t, &extremes[d], 1);
                if (extremes[d] == 0) {
                    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "steps[0] is 0");
                } else {
                    assert_ok(op_test_run(&t));
                    assert_in_range(t.out[0].shape.dim[0], 0, 5);
                }
                op_test_end(&t);
            }
}

/* ---- Repeats and borders ---- */

static void expand_broadcasts(void **state)
{
    (void)state;
    EACH_ROUND(t, "Expand")
    {
        jm_shape to = pick_shape(0), from = {0}, request = to;
        int lead = (int)pick(0, to.rank);
        for (int k = lead; k < to.rank; k++) from.dim[from.rank++] = pick(0, 1) ? 1 : to.dim[k];
        for (int k = lead; k < to.rank; k++)
            if (from.dim[k - lead] == to.dim[k] && pick(0, 1)) request.dim[k] = 1;
        jm_tensor in = add_input(&t, pick_dtype(), &from), want = blank(&t, in.dtype, &to);
        op_test_ints_input(&t, request.dim, request.rank);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK] = {0};
        if (count_of(&to)) do {
                for (int k = 0; k < from.rank; k++) at[k] = from.dim[k] == 1 ? 0 : index[k + lead];
                copy_element(&want, index, &in, at);
            } while (op_test_next(&to, index));
        op_test_check(&t, &want, rng);
    }
}

static void tile_repeats(void **state)
{
    (void)state;
    EACH_ROUND(t, "Tile")
    {
        jm_shape from = op_test_shape(rng, (int)pick(0, 6), 1, 6, 300), to = from;
        int64_t repeats[JM_MAX_RANK], index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        for (int k = 0; k < from.rank; k++) {
            repeats[k] = pick(0, 19) ? pick(1, 3) : 0;
            to.dim[k] *= repeats[k];
        }
        jm_tensor in = add_input(&t, pick_dtype(), &from), want = blank(&t, in.dtype, &to);
        op_test_ints_input(&t, repeats, from.rank);
        if (count_of(&to)) do {
                for (int k = 0; k < from.rank; k++) at[k] = index[k] % from.dim[k];
                copy_element(&want, index, &in, at);
            } while (op_test_next(&to, index));
        op_test_check(&t, &want, rng);
    }
}

/* Index of the input that a padded index comes from, or -1 for the value. */
static int64_t model_pad(const char *mode, int64_t i, int64_t dim)
{
    if (i >= 0 && i < dim) return i;
    if (strcmp(mode, "reflect") == 0) return i < 0 ? -i : 2 * (dim - 1) - i;
    if (strcmp(mode, "edge") == 0) return i < 0 ? 0 : dim - 1;
    if (strcmp(mode, "wrap") == 0) return (i + dim) % dim;
    return -1;
}

static void pad_adds_borders(void **state)
{
    (void)state;
    static const char *const modes[] = {"constant", "reflect", "edge", "wrap"};
    EACH_ROUND(t, "Pad")
    {
        jm_shape from = op_test_shape(rng, (int)pick(1, 5), 1, 20, 1500), to = from;
        const char *mode = modes[pick(0, 3)];
        bool constant = strcmp(mode, "constant") == 0, all = pick(0, 1);
        int64_t pads[2 * JM_MAX_RANK], axes[JM_MAX_RANK], begin[JM_MAX_RANK] = {0};
        int count = 0;
        for (int k = 0; k < from.rank; k++)
            if (all || pick(0, 1)) axes[count++] = k;
        for (int i = 0; i < count; i++) {
            int64_t dim = from.dim[axes[i]], limit = JM_MIN(3, strcmp(mode, "reflect") == 0 ? dim - 1 : dim);
            int64_t low = constant ? -JM_MIN(dim / 2, 2) : 0;
            begin[axes[i]] = pads[i] = pick(low, limit);
            pads[count + i] = pick(low, limit);
            to.dim[axes[i]] += pads[i] + pads[count + i];
        }
        jm_tensor in = add_input(&t, pick_dtype(), &from), want = blank(&t, in.dtype, &to), value;
        jm_shape scalar = {.rank = (int)pick(0, 1), .dim = {1}};
        op_test_ints_input(&t, pads, 2 * count);
        bool given = constant && pick(0, 1);
        if (given)
            value = add_input(&t, in.dtype, &scalar);
        else
            op_test_absent(&t);
        if (!all) op_test_ints_input(&t, axes, count);
        op_test_string(&t, "mode", mode);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        if (count_of(&to)) do {
                bool inside = true;
                for (int k = 0; k < from.rank; k++) {
                    at[k] = model_pad(mode, index[k] - begin[k], from.dim[k]);
                    inside = inside && at[k] >= 0;
                }
                if (inside)
                    copy_element(&want, index, &in, at);
                else if (given)
                    copy_element(&want, index, &value, (int64_t[JM_MAX_RANK]){0});
                else
                    memset(jm_tensor_at(&want, index), 0, jm_dtype_size(want.dtype));
            } while (op_test_next(&to, index));
        op_test_check(&t, &want, rng);
    }
}

/* ---- Refusals ---- */

static void errors_name_the_argument(void **state)
{
    (void)state;
    jm_shape shape = {.rank = 2, .dim = {2, 3}};
    op_test t;

    op_test_begin(&t, "Reshape");
    add_input(&t, JM_F32, &shape);
    op_test_ints_input(&t, (int64_t[]){4, 2}, 2);
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "Reshape 'test': [2,3] cannot be reshaped to [4,2]");
    op_test_end(&t);

    op_test_begin(&t, "Reshape");
    add_input(&t, JM_F32, &shape);
    op_test_ints_input(&t, (int64_t[]){3, 2}, 2);
    t.in[1].constant = false;
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "'shape' must be known at compile time");
    op_test_end(&t);

    op_test_begin(&t, "Concat");
    add_input(&t, JM_F32, &shape);
    add_input(&t, JM_F32, &(jm_shape){.rank = 2, .dim = {3, 3}});
    op_test_int(&t, "axis", 1);
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "[2,3] and [3,3] cannot be joined on axis 1");
    op_test_end(&t);

    op_test_begin(&t, "Concat");
    add_input(&t, JM_F32, &shape);
    add_input(&t, JM_I32, &shape);
    op_test_int(&t, "axis", 0);
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "is int32 and must be float32");
    op_test_end(&t);

    op_test_begin(&t, "Transpose");
    add_input(&t, JM_F32, &shape);
    op_test_ints(&t, "perm", (int64_t[]){1, 1}, 2);
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "perm[1] is 1");
    op_test_end(&t);

    op_test_begin(&t, "Pad");
    add_input(&t, JM_F32, &shape);
    op_test_ints_input(&t, (int64_t[]){0, 3, 0, 0}, 4);
    op_test_string(&t, "mode", "reflect");
    assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, "do not fit axis 1 of 3 elements");
    op_test_end(&t);
}

int main(void)
{
    rng = test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reshape_keeps_order),
        cmocka_unit_test(flatten_makes_a_matrix),
        cmocka_unit_test(squeeze_undoes_unsqueeze),
        cmocka_unit_test(squeeze_without_axes_drops_all_ones),
        cmocka_unit_test(reorder_changes_nothing_but_the_layout),
        cmocka_unit_test(reorder_of_images),
        cmocka_unit_test(reorder_clears_unused_lanes),
        cmocka_unit_test(channel_shuffle_interleaves_groups),
        cmocka_unit_test(transpose_permutes),
        cmocka_unit_test(concat_joins),
        cmocka_unit_test(split_takes_apart),
        cmocka_unit_test(slice_follows_python),
        cmocka_unit_test(slice_survives_extreme_numbers),
        cmocka_unit_test(expand_broadcasts),
        cmocka_unit_test(tile_repeats),
        cmocka_unit_test(pad_adds_borders),
        cmocka_unit_test(errors_name_the_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
