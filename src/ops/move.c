/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/move.h"

#include "kernels/kernels.h"

#include "ops/indexing.h"

#include <string.h>

/* Bytes of a task: small enough to spread, large enough that its set-up does not show. */
#define TASK_BYTES (32 << 10)
#define TRANSPOSE_ROWS 128
#define LANE_POINTS 128 /* of 64 bytes: both sides of a task lie in the first cache */

/* ---- Building the list ---- */

jm_moves *jm_moves_create(jm_arena *arena, jm_dtype dtype)
{
    jm_moves *moves = jm_arena_alloc(arena, 1, sizeof(*moves));
    if (!moves) return NULL;
    moves->arena = arena;
    moves->element = jm_dtype_size(dtype);
    return moves;
}

static void swap_dims(jm_move *move, int a, int b)
{
    int64_t dim = move->dim[a], in = move->in_stride[a], out = move->out_stride[a];
    move->dim[a] = move->dim[b], move->in_stride[a] = move->in_stride[b], move->out_stride[a] = move->out_stride[b];
    move->dim[b] = dim, move->in_stride[b] = in, move->out_stride[b] = out;
}

static void append_dim(jm_move *move, int64_t dim, int64_t in_stride, int64_t out_stride)
{
    move->dim[move->rank] = dim;
    move->in_stride[move->rank] = in_stride;
    move->out_stride[move->rank++] = out_stride;
}

/* Loops in the order of the output, dims of 1 dropped, neighbours joined. */
static void normalise(jm_move *move)
{
    int rank = 0;
    for (int k = 0; k < move->rank; k++)
        if (move->dim[k] != 1) swap_dims(move, rank++, k);
    for (int k = 1; k < rank; k++)
        for (int j = k; j > 0 && move->out_stride[j - 1] < move->out_stride[j]; j--) swap_dims(move, j - 1, j);
    move->rank = 0;
    for (int k = 0; k < rank; k++) {
        int64_t dim = move->dim[k], in = move->in_stride[k], out = move->out_stride[k];
        int last = move->rank - 1;
        if (last >= 0 && move->in_stride[last] == dim * in && move->out_stride[last] == dim * out) {
            move->dim[last] *= dim;
            move->in_stride[last] = in;
            move->out_stride[last] = out;
        } else {
            append_dim(move, dim, in, out);
        }
    }
    while (move->rank < 2) {
        append_dim(move, 1, 0, 0);
        swap_dims(move, 0, move->rank - 1);
    }
}

/* The second tile loop: the one that is contiguous in the input, if the first is not. */
static void choose_rows(jm_move *move, int64_t element)
{
    int col = move->rank - 1, row = move->rank - 2;
    if (move->in_stride[col] == element) return;
    for (int k = 0; k < row; k++) {
        if (move->in_stride[k] != element) continue;
        for (int j = k; j < row; j++) swap_dims(move, j, j + 1);
        return;
    }
}

static void cut_tasks(jm_move *move, int64_t element)
{
    int col = move->rank - 1, row = move->rank - 2;
    int64_t rows = move->dim[row], cols = move->dim[col];
    const int64_t limit = move->lane ? LANE_POINTS : TASK_BYTES / element;
    bool transposes = move->in_stride[row] == element && move->in_stride[col] != element;
    if (transposes) {
        move->row_step = JM_MIN(rows, TRANSPOSE_ROWS);
        move->col_step = JM_MIN(cols, limit / move->row_step);
    } else {
        move->col_step = JM_MIN(cols, limit);
        move->row_step = JM_MIN(rows, limit / move->col_step);
    }
    move->tasks = (rows + move->row_step - 1) / move->row_step * ((cols + move->col_step - 1) / move->col_step);
    for (int k = 0; k < row; k++) move->tasks *= move->dim[k];
}

jm_status jm_moves_add(jm_moves *moves, const jm_move *move)
{
    double count = move->lane ? JM_LANES : 1;
    for (int k = 0; k < move->rank; k++) count *= (double)move->dim[k];
    if (count == 0) return JM_OK;
    if (moves->count == moves->capacity) {
        size_t capacity = moves->capacity ? 2 * moves->capacity : 4;
        jm_move *grown = jm_arena_alloc(moves->arena, capacity, sizeof(*grown));
        if (!grown) return JM_OUT_OF_MEMORY;
        if (moves->count) memcpy(grown, moves->move, moves->count * sizeof(*grown));
        moves->move = grown;
        moves->capacity = capacity;
    }
    jm_move *added = &moves->move[moves->count++];
    *added = *move;
    normalise(added);
    if (!added->lane) choose_rows(added, (int64_t)moves->element);
    cut_tasks(added, (int64_t)moves->element);
    added->first_task = moves->tasks;
    moves->tasks += added->tasks;
    moves->bytes += count * (double)moves->element;
    return JM_OK;
}

void jm_moves_finish(jm_moves *moves, const jm_machine *machine, jm_plan *plan)
{
    moves->kernels = machine->kernels;
    moves->chunks = jm_chunk_count(machine, moves->bytes, moves->tasks);
    plan->chunks = moves->chunks;
    plan->state = moves;
}

/* ---- Windows of tensors ---- */

jm_side jm_side_of(const jm_tensor *tensor, int argument)
{
    jm_side side = {.argument = argument, .layout = tensor->layout, .map = tensor->map, .channel_step = 1};
    memcpy(side.stride, tensor->stride, sizeof(side.stride));
    if (tensor->shape.rank > 1) side.channels = tensor->shape.dim[1];
    return side;
}

void jm_side_slice(jm_side *side, int axis, int64_t start, int64_t step)
{
    if (side->layout == JM_C16 && axis == 1) {
        side->channel += start * side->channel_step;
        side->channel_step *= step;
        return;
    }
    side->offset += start * side->stride[axis];
    side->stride[axis] *= step;
}

/* Distance in elements of channel index i from the start of the window. */
static int64_t channel_offset(const jm_side *side, int64_t i)
{
    if (side->layout == JM_PLAIN) return i * side->stride[1];
    int64_t lane = jm_channel_lane(side->map, side->channel + i * side->channel_step);
    return lane / JM_LANES * side->stride[1] + lane % JM_LANES;
}

/* A channel index of the copy and where it lies on both sides, in elements. */
typedef struct channel {
    int64_t in, out;
} channel;

/* Channels in the order of the lanes of `side`, so that a permuted map still gives long runs. */
static void lane_order(const jm_side *side, int64_t channels, int32_t *by_lane, int64_t *order)
{
    int64_t lanes = JM_LANES * side->map->blocks, n = 0;
    for (int64_t i = 0; i < channels; i++)
        by_lane[jm_channel_lane(side->map, side->channel + i * side->channel_step)] = (int32_t)i + 1;
    for (int64_t lane = 0; lane < lanes; lane++)
        if (by_lane[lane]) order[n++] = by_lane[lane] - 1;
}

static channel *list_channels(jm_moves *moves, const jm_side *from, const jm_side *to, int64_t channels)
{
    channel *list = jm_arena_alloc(moves->arena, (size_t)channels, sizeof(*list));
    int64_t *order = jm_arena_alloc(moves->arena, (size_t)channels, sizeof(*order));
    if (!list || !order) return NULL;
    const jm_side *sorted = to->map ? to : from->map && from->channel_step != 0 ? from : NULL;
    if (sorted) {
        int32_t *by_lane = jm_arena_alloc(moves->arena, (size_t)sorted->map->blocks * JM_LANES, sizeof(*by_lane));
        if (!by_lane) return NULL;
        lane_order(sorted, channels, by_lane, order);
    } else {
        for (int64_t i = 0; i < channels; i++) order[i] = i;
    }
    for (int64_t i = 0; i < channels; i++)
        list[i] = (channel){.in = channel_offset(from, order[i]), .out = channel_offset(to, order[i])};
    return list;
}

/* Length of the longest arithmetic sequence that starts at list[0]. */
static int64_t run_length(const channel *list, int64_t count, channel *step)
{
    *step = (channel){0};
    if (count < 2) return count;
    *step = (channel){list[1].in - list[0].in, list[1].out - list[0].out};
    int64_t n = 2;
    while (n < count && list[n].in - list[n - 1].in == step->in && list[n].out - list[n - 1].out == step->out) n++;
    return n;
}

/* How many runs of `length` like the first follow each other at a constant distance. */
static int64_t repeat_count(const channel *list, int64_t count, int64_t length, channel step, channel *distance)
{
    int64_t repeats = 1;
    *distance = (channel){0};
    for (int64_t start = length; count - start >= length; start += length, repeats++) {
        channel next, gap = {list[start].in - list[start - length].in, list[start].out - list[start - length].out};
        if (repeats == 1) *distance = gap;
        if (gap.in != distance->in || gap.out != distance->out) break;
        if (run_length(list + start, length, &next) != length) break;
        if (length > 1 && (next.in != step.in || next.out != step.out)) break;
    }
    return repeats;
}

/* A loop whose step on the output is negative is walked from its other end. */
static void append_loop(jm_move *move, int64_t dim, channel step, int64_t element)
{
    if (step.out < 0) {
        move->in_offset += (dim - 1) * step.in * element;
        move->out_offset += (dim - 1) * step.out * element;
        step = (channel){-step.in, -step.out};
    }
    append_dim(move, dim, step.in * element, step.out * element);
}

/* ---- Between blocks ---- */

/* Whether the copy writes every used lane of C16 elements of 4 bytes from another C16 tensor: then whole blocks are
 * written at once, lanes gathered from wherever they lie. */
static bool fills_blocks(const jm_moves *moves, const jm_shape *shape, const jm_side *from, const jm_side *to)
{
    if (from->layout != JM_C16 || to->layout != JM_C16 || moves->element != sizeof(uint32_t)) return false;
    return from->argument >= 0 && to->channel == 0 && to->channel_step == 1 && to->channels == shape->dim[1];
}

static int64_t points_of(const jm_shape *shape)
{
    int64_t points = 1;
    for (int k = 0; k < shape->rank; k++) points *= k == 1 ? 1 : shape->dim[k];
    return points;
}

/* One move for each block of the output. The points of the nest are in `base`. */
static jm_status copy_blocks(jm_moves *moves, const jm_move *base, const jm_shape *shape, const jm_side *from,
                             const jm_side *to)
{
    const int64_t element = (int64_t)moves->element, channels = shape->dim[1];
    const int64_t blocks = jm_channel_blocks(channels, to->map);
    int64_t *lane = jm_arena_alloc(moves->arena, (size_t)blocks * JM_LANES, sizeof(*lane));
    if (!lane) return JM_OUT_OF_MEMORY;
    for (int64_t i = 0; i < blocks * JM_LANES; i++) lane[i] = JM_MOVE_CLEAR;
    for (int64_t c = 0; c < channels; c++) lane[jm_channel_lane(to->map, c)] = channel_offset(from, c) * element;
    for (int64_t b = 0; b < blocks; b++, lane += JM_LANES) {
        jm_move move = *base;
        move.out_offset += b * to->stride[1] * element;
        bool whole = true;
        for (int l = 0; l < JM_LANES; l++) whole = whole && lane[l] == lane[0] + l * element;
        if (whole) {
            move.in_offset += lane[0];
            append_dim(&move, JM_LANES, element, element);
        } else {
            move.lane = lane;
        }
        JM_TRY(jm_moves_add(moves, &move));
    }
    if (moves->filled != to->argument) moves->filled_points = 0;
    moves->filled = to->argument;
    moves->filled_points += points_of(shape);
    return JM_OK;
}

jm_status jm_moves_copy(jm_moves *moves, const jm_shape *shape, const jm_side *from, const jm_side *to)
{
    int64_t element = (int64_t)moves->element;
    jm_move base = {.in = from->argument, .out = to->argument};
    base.in_offset = from->offset * element;
    base.out_offset = to->offset * element;
    bool blocked = from->layout == JM_C16 || to->layout == JM_C16;
    for (int k = 0; k < shape->rank; k++) {
        if (shape->dim[k] == 0) return JM_OK;
        if (blocked && k == 1) continue;
        append_loop(&base, shape->dim[k], (channel){from->stride[k], to->stride[k]}, element);
    }
    if (!blocked) return jm_moves_add(moves, &base);
    if (fills_blocks(moves, shape, from, to)) return copy_blocks(moves, &base, shape, from, to);

    int64_t channels = shape->dim[1];
    channel *list = list_channels(moves, from, to, channels);
    if (!list) return JM_OUT_OF_MEMORY;
    for (int64_t i = 0; i < channels;) {
        channel step, distance;
        int64_t length = run_length(list + i, channels - i, &step);
        int64_t repeats = repeat_count(list + i, channels - i, length, step, &distance);
        jm_move move = base;
        move.in_offset += list[i].in * element;
        move.out_offset += list[i].out * element;
        append_loop(&move, repeats, distance, element);
        append_loop(&move, length, step, element);
        JM_TRY(jm_moves_add(moves, &move));
        i += repeats * length;
    }
    return JM_OK;
}

jm_status jm_moves_clear_lanes(jm_moves *moves, const jm_tensor *out, int argument)
{
    if (out->layout != JM_C16) return JM_OK;
    if (moves->filled == argument && moves->filled_points == points_of(&out->shape)) return JM_OK;
    int64_t element = (int64_t)moves->element, channels = out->shape.dim[1];
    int64_t blocks = jm_channel_blocks(channels, out->map);
    for (int64_t block = out->map ? 0 : JM_MAX(blocks - 1, 0); block < blocks; block++) {
        int used = jm_block_count(channels, out->map, block);
        if (used == JM_LANES) continue;
        jm_move move = {.in = JM_MOVE_ZEROS, .out = argument};
        move.out_offset = (block * out->stride[1] + used) * element;
        append_dim(&move, JM_LANES - used, 0, element);
        for (int k = 0; k < out->shape.rank; k++)
            if (k != 1) append_dim(&move, out->shape.dim[k], 0, out->stride[k] * element);
        JM_TRY(jm_moves_add(moves, &move));
    }
    return JM_OK;
}

/* ---- Running ---- */

/* A tile: rows x cols elements with byte strides. */
typedef struct tile {
    char *out;
    const char *in;
    int64_t rows, cols;
    int64_t out_row, out_col, in_row, in_col;
} tile;

/* The loop of every tile; inlined with a constant element size, and constant column strides where they are common. */
static inline __attribute__((always_inline)) void copy_strided(const tile *t, size_t element, int64_t out_col,
                                                               int64_t in_col)
{
    for (int64_t r = 0; r < t->rows; r++) {
        char *out = t->out + r * t->out_row;
        const char *in = t->in + r * t->in_row;
        for (int64_t c = 0; c < t->cols; c++) memcpy(out + c * out_col, in + c * in_col, element);
    }
}

static inline __attribute__((always_inline)) void copy_elements(const tile *t, size_t element)
{
    if (t->out_col == (int64_t)element && t->in_col == 0)
        copy_strided(t, element, (int64_t)element, 0);
    else if (t->out_col == (int64_t)element)
        copy_strided(t, element, (int64_t)element, t->in_col);
    else
        copy_strided(t, element, t->out_col, t->in_col);
}

static void copy_any(const tile *t, size_t element)
{
    switch (element) {
    case 1:
        copy_elements(t, 1);
        break;
    case 2:
        copy_elements(t, 2);
        break;
    case 4:
        copy_elements(t, 4);
        break;
    case 8:
        copy_elements(t, 8);
        break;
    default:
        copy_elements(t, 16);
        break;
    }
}

typedef uint32_t quad __attribute__((vector_size(16)));
typedef uint64_t duo __attribute__((vector_size(16)));

/* Transposes 4 x 4 elements of 4 bytes: columns are contiguous on the way in, rows on the way out. */
static inline void transpose4(char *out, int64_t out_row, const char *in, int64_t in_col)
{
    quad a, b, c, d;
    memcpy(&a, in, sizeof(quad));
    memcpy(&b, in + in_col, sizeof(quad));
    memcpy(&c, in + 2 * in_col, sizeof(quad));
    memcpy(&d, in + 3 * in_col, sizeof(quad));
    quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
    memcpy(out, &a, sizeof(quad));
    memcpy(out + out_row, &b, sizeof(quad));
    memcpy(out + 2 * out_row, &c, sizeof(quad));
    memcpy(out + 3 * out_row, &d, sizeof(quad));
}

/* The part of a tile that starts at row r and column c. */
static tile sub_tile(const tile *t, int64_t r, int64_t rows, int64_t c, int64_t cols)
{
    tile part = *t;
    part.out += r * t->out_row + c * t->out_col;
    part.in += r * t->in_row + c * t->in_col;
    part.rows = rows;
    part.cols = cols;
    return part;
}

/* Quads of a tile, then what is left to the right and below. */
static void transpose_quads(const tile *t)
{
    enum { QUAD = 4 };
    int64_t rows = t->rows & ~(int64_t)(QUAD - 1), cols = t->cols & ~(int64_t)(QUAD - 1);
    for (int64_t r = 0; r < rows; r += QUAD)
        for (int64_t c = 0; c < cols; c += QUAD)
            transpose4(t->out + r * t->out_row + c * t->out_col, t->out_row, t->in + r * t->in_row + c * t->in_col,
                       t->in_col);
    tile right = sub_tile(t, 0, rows, cols, t->cols - cols), below = sub_tile(t, rows, t->rows - rows, 0, t->cols);
    copy_any(&right, QUAD);
    copy_any(&below, QUAD);
}

/* Asks for the lines of a block that is far from where hardware prefetchers look: a line of each column of the input
 * and of each row of the output. */
static void prefetch_block(const tile *t)
{
    for (int64_t c = 0; c < t->cols; c++) __builtin_prefetch(t->in + c * t->in_col);
    for (int64_t r = 0; r < t->rows; r++) __builtin_prefetch(t->out + r * t->out_row, 1);
}

/* in_row and out_col are one element: rows are contiguous in the input, columns in the output. Blocks of 16 x 16 use
 * whole cache lines on both sides; they follow the input. */
static void transpose(const tile *t, size_t element, const jm_kernels *kernels)
{
    enum { BLOCK = 16, AHEAD = 2 * BLOCK };
    for (int64_t c = 0; c < t->cols; c += BLOCK) {
        for (int64_t r = 0; r < t->rows; r += BLOCK) {
            const tile block = sub_tile(t, r, JM_MIN(BLOCK, t->rows - r), c, JM_MIN(BLOCK, t->cols - c));
            const tile ahead = sub_tile(&block, AHEAD, block.rows, 0, block.cols);
            prefetch_block(&ahead);
            const int64_t size = sizeof(uint32_t);
            if (element == sizeof(uint32_t) && kernels && block.in_col % size == 0 && block.out_row % size == 0)
                kernels->gemm.transpose((const float *)(const void *)block.in, (ptrdiff_t)(block.in_col / size),
                                        (float *)(void *)block.out, (ptrdiff_t)(block.out_row / size), (int)block.rows,
                                        (size_t)block.cols);
            else if (element == sizeof(uint32_t))
                transpose_quads(&block);
            else
                copy_any(&block, element);
        }
    }
}

/* How four lanes lie in the input. */
typedef enum quad_source {
    QUAD_TOGETHER, /* as four neighbours */
    QUAD_WOVEN,    /* in turns from two pairs of neighbours: a channel shuffle */
    QUAD_SCATTERED
} quad_source;

static inline __attribute__((always_inline)) void gather_points(const tile *t, char *out, const char *const from[4],
                                                                const quad keep, const quad_source source)
{
    for (int64_t r = 0; r < t->rows; r++) {
        char *to = out + r * t->out_row;
        int64_t in = r * t->in_row;
        for (int64_t c = 0; c < t->cols; c++, in += t->in_col, to += t->out_col) {
            quad lanes;
            uint64_t even, odd;
            uint32_t one[4];
            switch (source) {
            case QUAD_TOGETHER:
                memcpy(&lanes, from[0] + in, sizeof(lanes));
                break;
            case QUAD_WOVEN:
                memcpy(&even, from[0] + in, sizeof(even));
                memcpy(&odd, from[1] + in, sizeof(odd));
                lanes = __builtin_shufflevector((quad)(duo){even}, (quad)(duo){odd}, 0, 4, 1, 5);
                break;
            default:
                for (int l = 0; l < 4; l++) memcpy(&one[l], from[l] + in, sizeof(one[l]));
                lanes = (quad){one[0], one[1], one[2], one[3]} & keep;
            }
            memcpy(to, &lanes, sizeof(lanes));
        }
    }
}

/* Four lanes of every point. */
static void gather_quad(const tile *t, char *out, const int64_t lane[4])
{
    const int64_t element = sizeof(uint32_t);
    const char *from[4];
    quad keep;
    bool clear = false;
    for (int l = 0; l < 4; l++) {
        const bool none = lane[l] == JM_MOVE_CLEAR;
        from[l] = t->in + (none ? 0 : lane[l]);
        keep[l] = none ? 0 : UINT32_MAX;
        clear = clear || none;
    }
    if (!clear && lane[1] == lane[0] + element && lane[2] == lane[1] + element && lane[3] == lane[2] + element)
        gather_points(t, out, from, keep, QUAD_TOGETHER);
    else if (!clear && lane[2] == lane[0] + element && lane[3] == lane[1] + element)
        gather_points(t, out, from, keep, QUAD_WOVEN);
    else
        gather_points(t, out, from, keep, QUAD_SCATTERED);
}

/* Points of a block of 16 lanes of 4 bytes, four lanes at a time: the task is in the first cache after the first. */
static void gather_lanes(const tile *t, const int64_t *lane)
{
    for (int l = 0; l < JM_LANES; l += 4) gather_quad(t, t->out + l * (int64_t)sizeof(uint32_t), lane + l);
}

static void run_tile(const tile *t, size_t element, const jm_kernels *kernels)
{
    int64_t size = (int64_t)element;
    if (t->in_col == size && t->out_col == size) {
        for (int64_t r = 0; r < t->rows; r++)
            memcpy(t->out + r * t->out_row, t->in + r * t->in_row, (size_t)(t->cols * size));
    } else if (t->in_row == size && t->out_col == size && t->rows > 1) {
        transpose(t, element, kernels);
    } else {
        copy_any(t, element);
    }
}

void jm_lanes_to_rows(const jm_kernels *kernels, float *out, ptrdiff_t out_row, ptrdiff_t out_point, const float *in,
                      int lanes, int64_t points)
{
    if (out_point == 1) {
        kernels->gemm.transpose(in, JM_LANES, out, out_row, lanes, (size_t)points);
        return;
    }
    for (int l = 0; l < lanes; l++)
        for (int64_t q = 0; q < points; q++) out[l * out_row + q * out_point] = in[q * JM_LANES + l];
}

/* Task number within the move -> its tile. */
static void run_task(const jm_moves *moves, const jm_move *move, int64_t task, char *out, const char *in)
{
    int row = move->rank - 2, col = move->rank - 1;
    int64_t row_tasks = (move->dim[row] + move->row_step - 1) / move->row_step;
    int64_t col_tasks = (move->dim[col] + move->col_step - 1) / move->col_step;
    int64_t c = task % col_tasks * move->col_step;
    task /= col_tasks;
    int64_t r = task % row_tasks * move->row_step;
    task /= row_tasks;
    for (int k = row - 1; k >= 0; k--) {
        int64_t i = task % move->dim[k];
        task /= move->dim[k];
        out += i * move->out_stride[k];
        in += i * move->in_stride[k];
    }
    tile t = {.rows = JM_MIN(move->row_step, move->dim[row] - r), .cols = JM_MIN(move->col_step, move->dim[col] - c)};
    t.out_row = move->out_stride[row], t.out_col = move->out_stride[col];
    t.in_row = move->in_stride[row], t.in_col = move->in_stride[col];
    t.out = out + r * t.out_row + c * t.out_col;
    t.in = in + r * t.in_row + c * t.in_col;
    if (move->lane)
        gather_lanes(&t, move->lane);
    else
        run_tile(&t, moves->element, moves->kernels);
}

void jm_moves_run(const jm_plan *plan, const jm_run *run)
{
    static const uint64_t zeros = 0;
    const jm_moves *moves = plan->state;
    int64_t begin, end;
    jm_chunk_range(moves->tasks, moves->chunks, run->chunk, &begin, &end);
    for (size_t i = 0; i < moves->count; i++) {
        const jm_move *move = &moves->move[i];
        int64_t first = JM_MAX(begin, move->first_task), last = JM_MIN(end, move->first_task + move->tasks);
        if (first >= last) continue;
        const char *in = move->in == JM_MOVE_ZEROS ? (const char *)&zeros : run->in[move->in];
        char *out = run->out[move->out];
        for (int64_t task = first; task < last; task++)
            run_task(moves, move, task - move->first_task, out + move->out_offset, in + move->in_offset);
    }
}

void jm_moves_apply(const jm_moves *moves, void *out, const void *in)
{
    for (size_t i = 0; i < moves->count; i++) {
        const jm_move *move = &moves->move[i];
        for (int64_t task = 0; task < move->tasks; task++)
            run_task(moves, move, task, (char *)out + move->out_offset, (const char *)in + move->in_offset);
    }
}

/* ---- Costs ---- */

double jm_move_cost(jm_dtype dtype, int64_t count)
{
    /* Read and written once at 20 bytes a nanosecond, and the set-up of a node. */
    return 500.0 + 2.0 * (double)count * (double)jm_dtype_size(dtype) / 20.0;
}

jm_form jm_move_form(const jm_call *call, uint8_t id, const char *name, jm_layout in, jm_layout out)
{
    double cost = 0;
    for (int i = 0; i < call->outputs; i++) {
        const jm_shape *shape = &call->out[i].shape;
        int64_t count = 0;
        if (jm_shape_count(shape, &count) != JM_OK) count = 0;
        if (out == JM_C16 && shape->rank >= 3 && shape->dim[1] > 0)
            count = count / shape->dim[1] * jm_channel_blocks(shape->dim[1], NULL) * JM_LANES;
        cost += jm_move_cost(call->out[i].dtype, count);
    }
    return (jm_form){.id = id, .name = name, .in = in, .out = out, .out_strided = true, .in_place = -1, .cost = cost};
}
