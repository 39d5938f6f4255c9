/* SPDX-License-Identifier: Apache-2.0 */
#include "op_test.h"
#include "test.h"

#define POISON 0xFF
#define GUARD 64 /* bytes after scratch and workspace that must keep the poison */

/* ---- Storage ---- */

static void *storage_new(op_test *t, size_t bytes)
{
    assert_true(t->storages < OP_TEST_STORAGES);
    void *memory = jm_alloc(bytes, 1);
    assert_non_null(memory);
    memset(memory, POISON, bytes);
    t->storage_bytes[t->storages] = bytes;
    t->storage[t->storages++] = memory;
    return memory;
}

static size_t storage_bytes(const op_test *t, const void *memory)
{
    for (int i = 0; i < t->storages; i++)
        if (t->storage[i] == memory) return t->storage_bytes[i];
    fail_msg("not a storage of this test");
    return 0;
}

void op_test_begin(op_test *t, const char *op)
{
    memset(t, 0, sizeof(*t));
    t->op = jm_op_find(op);
    if (!t->op) fail_msg("no operator '%s'", op);
    t->outputs = 1;
    t->threads = 1;
    assert_int_equal(jm_arena_create(&t->arena), JM_OK);
    t->attr = jm_arena_alloc(t->arena, (size_t)jm_op_attrs(t->op) + 1, sizeof(jm_attr));
    assert_non_null(t->attr);
}

void op_test_end(op_test *t)
{
    for (int i = 0; i < t->storages; i++) jm_free(t->storage[i]);
    jm_arena_destroy(t->arena);
    memset(t, 0, sizeof(*t));
}

/* ---- Tensors ---- */

static jm_tensor tensor_new(op_test *t, jm_dtype dtype, const jm_shape *shape, jm_layout layout,
                            const jm_channel_map *map)
{
    jm_tensor tensor;
    size_t bytes;
    assert_int_equal(jm_tensor_init(&tensor, dtype, shape, layout, map), JM_OK);
    assert_int_equal(jm_tensor_bytes(&tensor, &bytes), JM_OK);
    tensor.data = storage_new(t, bytes);
    return tensor;
}

static void fill_random(const jm_tensor *tensor, uint64_t *random)
{
    int64_t index[JM_MAX_RANK] = {0}, count;
    size_t size = jm_dtype_size(tensor->dtype);
    assert_int_equal(jm_shape_count(&tensor->shape, &count), JM_OK);
    if (count == 0) return;
    do {
        void *element = jm_tensor_at(tensor, index);
        uint64_t bits = op_random(random);
        switch (tensor->dtype) {
        case JM_F32:
        case JM_F16:
        case JM_BF16:
        case JM_F64:
            jm_element_from_f64(tensor->dtype, op_random_real(random, -2, 2), element);
            break;
        case JM_BOOL:
            jm_element_from_i64(JM_BOOL, (int64_t)(bits & 1), element);
            break;
        case JM_C64:
            for (int k = 0; k < 2; k++) ((float *)element)[k] = (float)op_random_real(random, -2, 2);
            break;
        case JM_C128:
            for (int k = 0; k < 2; k++) ((double *)element)[k] = op_random_real(random, -2, 2);
            break;
        default:
            memcpy(element, &bits, size);
        }
    } while (op_test_next(&tensor->shape, index));
}

jm_tensor op_test_tensor(op_test *t, jm_dtype dtype, const jm_shape *shape, uint64_t *random)
{
    jm_tensor tensor = tensor_new(t, dtype, shape, JM_PLAIN, NULL);
    fill_random(&tensor, random);
    return tensor;
}

jm_tensor op_test_constant(op_test *t, jm_dtype dtype, const jm_shape *shape, const void *data)
{
    jm_tensor tensor = tensor_new(t, dtype, shape, JM_PLAIN, NULL);
    memcpy(tensor.data, data, storage_bytes(t, tensor.data));
    tensor.constant = true;
    return tensor;
}

jm_tensor op_test_strided(op_test *t, jm_dtype dtype, const jm_shape *shape, uint64_t *random)
{
    jm_tensor tensor = tensor_new(t, dtype, shape, JM_PLAIN, NULL);
    int order[JM_MAX_RANK] = {0};
    for (int k = 0; k < shape->rank; k++) {
        int j = (int)op_random_int(random, 0, k);
        order[k] = order[j];
        order[j] = k;
    }
    if (op_random(random) & 1)
        for (int k = 0; k < shape->rank; k++) order[k] = shape->rank - 1 - k;
    int64_t stride = op_random_int(random, 1, 4) == 1 ? 2 : 1;
    for (int k = 0; k < shape->rank; k++) {
        tensor.stride[order[k]] = stride;
        stride *= JM_MAX(shape->dim[order[k]], 1) + (op_random(random) & 1 ? op_random_int(random, 0, 3) : 0);
    }
    tensor.data = storage_new(t, (size_t)stride * jm_dtype_size(dtype));
    return tensor;
}

jm_tensor op_test_copy(op_test *t, const jm_tensor *source, jm_layout layout, const jm_channel_map *map)
{
    jm_tensor tensor = tensor_new(t, source->dtype, &source->shape, layout, map);
    tensor.constant = source->constant;
    assert_int_equal(jm_tensor_copy(source, &tensor), JM_OK);
    return tensor;
}

jm_tensor op_test_restride(op_test *t, const jm_tensor *source, uint64_t *random)
{
    if (op_random(random) & 1) return *source;
    jm_tensor copy = op_test_strided(t, source->dtype, &source->shape, random);
    copy.constant = source->constant;
    assert_int_equal(jm_tensor_copy(source, &copy), JM_OK);
    return copy;
}

const jm_channel_map *op_test_map(op_test *t, int64_t channels, uint64_t *random)
{
    if (channels == 0 || op_random_int(random, 0, 3) == 0) return NULL;
    jm_channel_map *map = jm_arena_alloc(t->arena, 1, sizeof(*map));
    int32_t *lane = jm_arena_alloc(t->arena, (size_t)channels, sizeof(*lane));
    uint8_t *count = jm_arena_alloc(t->arena, (size_t)channels, 1);
    assert_non_null(count);
    /* Blocks of 1 to 16 used lanes; then, now and then, channels in any order or, as after a channel shuffle, in turns
     * from two halves. */
    bool full = op_random(random) & 1;
    for (int64_t c = 0; c < channels; map->blocks++) {
        int64_t used = full ? JM_LANES : op_random_int(random, 1, JM_LANES);
        used = JM_MIN(used, channels - c);
        count[map->blocks] = (uint8_t)used;
        for (int64_t i = 0; i < used; i++) lane[c++] = (int32_t)(map->blocks * JM_LANES + i);
    }
    const int64_t order = op_random_int(random, 0, 3);
    int32_t *sorted = jm_arena_alloc(t->arena, (size_t)channels, sizeof(*sorted));
    assert_non_null(sorted);
    memcpy(sorted, lane, (size_t)channels * sizeof(*sorted));
    for (int64_t c = channels - 1; order == 1 && c > 0; c--) {
        int64_t j = op_random_int(random, 0, c);
        int32_t swap = lane[c];
        lane[c] = lane[j];
        lane[j] = swap;
    }
    for (int64_t c = 0; order == 2 && c < channels; c++) lane[c] = sorted[c % 2 * ((channels + 1) / 2) + c / 2];
    map->channels = (int32_t)channels;
    map->lane = lane;
    map->count = count;
    return map;
}

/* ---- The call ---- */

void op_test_input(op_test *t, jm_tensor tensor)
{
    assert_true(t->inputs < JM_MAX_ARGUMENTS);
    t->in[t->inputs++] = tensor;
}

void op_test_absent(op_test *t)
{
    op_test_input(t, (jm_tensor){.dtype = JM_DTYPE_NONE});
}

void op_test_ints_input(op_test *t, const int64_t *values, int count)
{
    jm_shape shape = {.rank = 1, .dim = {count}};
    op_test_input(t, op_test_constant(t, JM_I64, &shape, values));
}

static jm_attr *attr_named(op_test *t, const char *name)
{
    int i = jm_op_attr_index(t->op, name);
    if (i < 0) fail_msg("%s has no attribute '%s'", t->op->name, name);
    t->attr[i] = (jm_attr){.present = true, .count = 1};
    return &t->attr[i];
}

void op_test_int(op_test *t, const char *name, int64_t value)
{
    attr_named(t, name)->i = value;
}

void op_test_float(op_test *t, const char *name, double value)
{
    attr_named(t, name)->f = value;
}

void op_test_string(op_test *t, const char *name, const char *value)
{
    attr_named(t, name)->s = jm_arena_strdup(t->arena, value);
}

void op_test_ints(op_test *t, const char *name, const int64_t *values, int count)
{
    jm_attr *attr = attr_named(t, name);
    int64_t *copy = jm_arena_alloc(t->arena, (size_t)count + 1, sizeof(*copy));
    assert_non_null(copy);
    if (count) memcpy(copy, values, (size_t)count * sizeof(*copy));
    attr->count = count;
    attr->ints = copy;
}

void op_test_dtype(op_test *t, const char *name, jm_dtype value)
{
    attr_named(t, name)->dtype = value;
}

void op_test_epilogue(op_test *t, const char *name, jm_epilogue value)
{
    attr_named(t, name)->epilogue = value;
}

static jm_status call_infer(op_test *t, jm_call *call)
{
    jm_op_attr_defaults(t->op, t->attr);
    *call = (jm_call){.op = t->op,
                      .name = "test",
                      .inputs = t->inputs,
                      .outputs = t->outputs,
                      .in = t->in,
                      .out = t->out,
                      .attr = t->attr};
    return jm_op_infer(call);
}

int op_test_forms(op_test *t, jm_form forms[JM_MAX_FORMS])
{
    jm_call call;
    if (call_infer(t, &call) != JM_OK) return 0;
    int count = jm_op_forms(&call, forms);
    assert_in_range(count, 1, JM_MAX_FORMS);
    return count;
}

/* ---- Running ---- */

/* A C16 tensor with room after its rows, blocks and images, as a part of a larger storage has. */
static jm_tensor blocked_strided(op_test *t, const jm_tensor *like, const jm_channel_map *map, uint64_t *random)
{
    jm_tensor tensor = *like;
    tensor.layout = JM_C16;
    tensor.map = map;
    int64_t stride = JM_LANES;
    for (int k = like->shape.rank - 1; k >= 0; k--) {
        tensor.stride[k] = stride;
        int64_t dim = k == 1 ? jm_channel_blocks(like->shape.dim[1], map) : like->shape.dim[k];
        stride *= JM_MAX(dim, 1) + op_random_int(random, 0, 2);
    }
    tensor.data = storage_new(t, (size_t)stride * jm_dtype_size(like->dtype));
    return tensor;
}

static jm_tensor input_in_form(op_test *t, const jm_form *form, int i)
{
    const jm_tensor *in = &t->in[i];
    if (in->dtype == JM_DTYPE_NONE) return *in;
    if (form->in_packed >> i & 1) return *in;
    bool blocked = form->in == JM_C16 && in->shape.rank >= 3 && !in->constant && !(form->in_plain >> i & 1);
    if (blocked && t->gaps) {
        jm_tensor strided = blocked_strided(t, in, t->in_map[i], t->gaps);
        assert_int_equal(jm_tensor_copy(in, &strided), JM_OK);
        return strided;
    }
    if (blocked) return op_test_copy(t, in, JM_C16, t->in_map[i]);
    return in->layout == JM_PLAIN ? *in : op_test_copy(t, in, JM_PLAIN, NULL);
}

/* `call` has the final layouts and maps; its packed inputs are still plain. */
static jm_tensor packed_in_form(op_test *t, const jm_call *call, const jm_form *form, int i)
{
    jm_tensor packed = call->in[i];
    size_t bytes = 0;
    assert_int_equal(t->op->pack_bytes(call, form, i, &bytes), JM_OK);
    packed.data = storage_new(t, bytes);
    assert_int_equal(t->op->pack(call, form, i, packed.data), JM_OK);
    packed.layout = JM_PACKED;
    return packed;
}

static jm_tensor output_in_form(op_test *t, const jm_form *form, int i)
{
    jm_tensor shape = t->out[i];
    bool blocked = form->out == JM_C16 && shape.shape.rank >= 3;
    if (blocked && t->gaps && form->out_strided) return blocked_strided(t, &shape, t->out_map[i], t->gaps);
    if (blocked) return tensor_new(t, shape.dtype, &shape.shape, JM_C16, t->out_map[i]);
    if (t->gaps && form->out_strided) return op_test_strided(t, shape.dtype, &shape.shape, t->gaps);
    return tensor_new(t, shape.dtype, &shape.shape, JM_PLAIN, NULL);
}

/* Asserts that an output's storage keeps its poison wherever no element lies; lanes of a C16 block belong together. */
static void assert_gaps(op_test *t, const jm_tensor *out)
{
    size_t bytes = storage_bytes(t, out->data), size = jm_dtype_size(out->dtype);
    unsigned char *inside = jm_alloc(bytes, 1);
    assert_non_null(inside);
    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_int_equal(jm_shape_count(&out->shape, &count), JM_OK);
    if (count > 0) do {
            size_t at = (size_t)((char *)jm_tensor_at(out, index) - (char *)out->data);
            if (out->layout == JM_C16)
                memset(inside + at / (JM_LANES * size) * (JM_LANES * size), 1, JM_LANES * size);
            else
                memset(inside + at, 1, size);
        } while (op_test_next(&out->shape, index));
    for (size_t i = 0; i < bytes; i++)
        if (!inside[i] && ((unsigned char *)out->data)[i] != POISON)
            fail_msg("a byte between the elements was written");
    jm_free(inside);
}

static void assert_guard(const void *memory, size_t bytes)
{
    const unsigned char *guard = (const unsigned char *)memory + bytes;
    for (size_t i = 0; i < GUARD; i++)
        if (guard[i] != POISON) fail_msg("written beyond the end of scratch or workspace");
}

static size_t *chunk_order(size_t chunks, uint64_t *random)
{
    size_t *order = jm_alloc(chunks, sizeof(*order));
    assert_non_null(order);
    for (size_t i = 0; i < chunks; i++) {
        size_t j = random ? (size_t)op_random_int(random, 0, (int64_t)i) : i;
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

static void run_chunks(op_test *t, const jm_call *call, const jm_plan *plan)
{
    void *in[JM_MAX_ARGUMENTS] = {NULL}, *out[JM_MAX_ARGUMENTS]; /* inputs after the last are absent */
    for (int i = 0; i < call->inputs; i++) in[i] = call->in[i].dtype == JM_DTYPE_NONE ? NULL : call->in[i].data;
    for (int i = 0; i < call->outputs; i++) out[i] = call->out[i].data;
    atomic_int fault = JM_OK;
    jm_run run = {.in = in, .out = out, .fault = &fault};
    run.scratch = storage_new(t, plan->scratch + GUARD);
    run.workspace = storage_new(t, plan->workspace + GUARD);
    size_t *order = chunk_order(plan->chunks, t->order);
    for (size_t i = 0; i < plan->chunks; i++) {
        memset(run.scratch, POISON, plan->scratch);
        run.chunk = order[i];
        t->op->run(plan, &run);
    }
    jm_free(order);
    assert_guard(run.scratch, plan->scratch);
    assert_guard(run.workspace, plan->workspace);
    t->fault = (jm_status)atomic_load(&fault);
    t->chunks = plan->chunks;
}

/* A checksum of every input's storage, but of the one that is overwritten in place. */
static uint32_t *input_sums(op_test *t, const jm_tensor *in, int skip)
{
    uint32_t *sum = jm_arena_alloc(t->arena, JM_MAX_ARGUMENTS, sizeof(*sum));
    assert_non_null(sum);
    for (int i = 0; i < t->inputs; i++) {
        if (in[i].dtype == JM_DTYPE_NONE || i == skip) continue;
        const unsigned char *byte = in[i].data;
        size_t bytes = storage_bytes(t, byte);
        for (size_t k = 0; k < bytes; k++) sum[i] = sum[i] * 31 + byte[k];
    }
    return sum;
}

/* An output that changes an input in place begins with what the input holds; one that is turned off holds nothing. */
static void fill_reference(op_test *t, int i)
{
    const jm_param *param = i < jm_op_outputs(t->op) ? jm_op_output(t->op, i) : NULL;
    for (int k = 0; param && param->flags & JM_REFERENCE && k < JM_MIN(t->inputs, jm_op_inputs(t->op)); k++)
        if (strcmp(jm_op_input(t->op, k)->name, param->name) == 0 && t->in[k].dtype != JM_DTYPE_NONE &&
            !(param->flags & JM_SWITCHED && !jm_shape_equal(&t->in[k].shape, &t->out[i].shape)))
            assert_int_equal(jm_tensor_copy(&t->in[k], &t->out[i]), JM_OK);
}

jm_status op_test_run(op_test *t)
{
    jm_call call;
    JM_TRY(call_infer(t, &call));
    JM_TRY(jm_op_form(&call, t->form, &t->used));
    jm_tensor in[JM_MAX_ARGUMENTS];
    for (int i = 0; i < t->inputs; i++) in[i] = input_in_form(t, &t->used, i);
    for (int i = 0; i < t->outputs; i++) t->out[i] = output_in_form(t, &t->used, i);
    for (int i = 0; i < t->outputs; i++) fill_reference(t, i);
    int over = t->in_place ? t->used.in_place : -1;
    if (over >= 0) {
        in[over] = op_test_copy(t, &in[over], in[over].layout, in[over].map);
        jm_dtype dtype = t->out[0].dtype;
        t->out[0] = in[over];
        t->out[0].dtype = dtype;
        t->out[0].constant = false;
    }
    call.in = in;
    for (int i = 0; i < t->inputs; i++)
        if (in[i].dtype != JM_DTYPE_NONE && t->used.in_packed >> i & 1) in[i] = packed_in_form(t, &call, &t->used, i);
    const jm_machine machine = {
        .kernels = t->kernels, .threads = t->threads, .l1 = t->l1 ? t->l1 : 32 << 10, .l2 = t->l2 ? t->l2 : 512 << 10};
    jm_plan plan;
    JM_TRY(jm_op_plan(&call, &t->used, &machine, t->arena, &plan));
    assert_true(plan.chunks >= 1);
    uint32_t *before = input_sums(t, in, over);
    run_chunks(t, &call, &plan);
    uint32_t *after = input_sums(t, in, over);
    for (int i = 0; i < t->inputs; i++)
        if (before[i] != after[i]) fail_msg("input %d was written", i);
    for (int i = over >= 0; i < t->outputs; i++) assert_gaps(t, &t->out[i]);
    return JM_OK;
}

jm_tensor op_test_output(op_test *t, int i)
{
    return op_test_copy(t, &t->out[i], JM_PLAIN, NULL);
}

static const jm_channel_map *map_of(op_test *t, const jm_tensor *tensor, uint64_t *random)
{
    bool blocked = tensor->dtype != JM_DTYPE_NONE && tensor->shape.rank >= 3;
    return blocked ? op_test_map(t, tensor->shape.dim[1], random) : NULL;
}

void op_test_check(op_test *t, const jm_tensor *want, uint64_t *random)
{
    jm_form forms[JM_MAX_FORMS];
    int count = op_test_forms(t, forms);
    if (count == 0) fail_msg("%s", jm_last_error());
    for (int f = 0; f < count; f++) {
        t->form = forms[f].id;
        for (unsigned manner = 0; manner < 3; manner++) {
            t->threads = manner + 1;
            t->order = t->gaps = manner ? random : NULL;
            for (int i = 0; i < t->inputs; i++) t->in_map[i] = manner ? map_of(t, &t->in[i], random) : NULL;
            for (int i = 0; i < t->outputs; i++) t->out_map[i] = manner ? map_of(t, &want[i], random) : NULL;
            assert_ok(op_test_run(t));
            assert_int_equal(t->fault, JM_OK);
            for (int i = 0; i < t->outputs; i++) op_test_assert_same(&t->out[i], &want[i]);
        }
    }
}

/* ---- Random numbers ---- */

/* splitmix64: any state is good, so that tests may derive states by adding. */
uint64_t op_random(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

int64_t op_random_int(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(op_random(state) % (uint64_t)(high - low + 1));
}

double op_random_real(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(op_random(state) >> 11) * 0x1p-53;
}

/* ---- Comparing, random shapes ---- */

void op_test_assert_same(const jm_tensor *got, const jm_tensor *want)
{
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    assert_string_equal(jm_dtype_text(got->dtype), jm_dtype_text(want->dtype));
    assert_string_equal(jm_shape_text(&got->shape, a), jm_shape_text(&want->shape, b));
    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_int_equal(jm_shape_count(&want->shape, &count), JM_OK);
    if (count == 0) return;
    size_t size = jm_dtype_size(want->dtype);
    do {
        if (memcmp(jm_tensor_at(got, index), jm_tensor_at(want, index), size) == 0) continue;
        jm_shape at = {.rank = want->shape.rank};
        memcpy(at.dim, index, sizeof(at.dim));
        fail_msg("element %s of %s: %.9g, expected %.9g", jm_shape_text(&at, a), b,
                 jm_element_to_f64(got->dtype, jm_tensor_at(got, index)),
                 jm_element_to_f64(want->dtype, jm_tensor_at(want, index)));
    } while (op_test_next(&want->shape, index));
}

jm_shape op_test_shape(uint64_t *random, int rank, int64_t low, int64_t high, int64_t limit)
{
    jm_shape shape = {.rank = rank};
    int64_t count = 1;
    for (int k = 0; k < rank; k++) {
        int64_t top = JM_MAX(JM_MIN(high, limit / JM_MAX(count, 1)), low);
        shape.dim[k] = op_random_int(random, low, top);
        count *= shape.dim[k];
    }
    return shape;
}

bool op_test_next(const jm_shape *shape, int64_t index[JM_MAX_RANK])
{
    for (int k = shape->rank - 1; k >= 0; k--) {
        if (++index[k] < shape->dim[k]) return true;
        index[k] = 0;
    }
    return false;
}
