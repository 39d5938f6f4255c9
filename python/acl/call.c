/* SPDX-License-Identifier: Apache-2.0
 *
 * Calling one line of the table of functions: arguments from Python, the call, results to Python.
 */
#include <stdlib.h>
#include <string.h>

#include "binding.h"

/* ---- Memory ---- */

/* False with an exception set: not an integer, or not in [low, high]. */
static int integer(PyObject *object, long long low, unsigned long long high, pyacl_slot *out)
{
    PyObject *number = PyNumber_Index(object);
    if (!number) return 0;
    out->u = PyLong_AsUnsignedLongLong(number);
    int negative = PyErr_Occurred() != NULL;
    if (negative) {
        PyErr_Clear();
        out->i = PyLong_AsLongLong(number);
    }
    int bad = PyErr_Occurred() || (negative ? out->i >= 0 || out->i < low : out->u > high);
    if (bad) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%S is out of range", number);
    }
    Py_DECREF(number);
    return !bad;
}

int pyacl_address(PyObject *object, int writable, void **address, jmpy_view *view)
{
    view->obj = NULL;
    *address = NULL;
    if (object == Py_None) return 1;
    /* An array of one integer can be an index too; its own address is meant. */
    if (PyLong_Check(object) || (PyIndex_Check(object) && !PySequence_Check(object))) {
        pyacl_slot slot;
        if (!integer(object, 0, UINTPTR_MAX, &slot)) return 0;
        *address = (void *)(uintptr_t)slot.u;
        return 1;
    }
    if (!jmpy_view_get(object, writable, view)) return 0;
    *address = view->buf;
    return 1;
}

/* ---- Arguments ---- */

static int no_handle(char kind, const void *key)
{
    PyErr_Format(PyExc_ValueError, "%p is not a live %s", key, pyacl_handle_name(kind));
    return 0;
}

static int take_handle(pyacl_frame *f, int i, char kind, char access, PyObject *object)
{
    if (!integer(object, 0, UINTPTR_MAX, &f->arg[i])) return 0;
    void *key = f->arg[i].p = (void *)(uintptr_t)f->arg[i].u;
    if (!key) return 1; /* the library has an error for NULL */
    pyacl_handle *handle = pyacl_handle_find(kind, key);
    if (!handle) return no_handle(kind, key);
    if (access && handle->uses) {
        PyErr_Format(PyExc_ValueError, "%s %p is in use by another call", pyacl_handle_name(kind), key);
        return 0;
    }
    if (access == '!' && handle->parent) {
        PyErr_Format(PyExc_ValueError, "%s %p belongs to dataset %p", pyacl_handle_name(kind), key, handle->parent);
        return 0;
    }
    handle->uses++;
    f->handle[i] = handle;
    return 1;
}

/* The buffers in a dataset are numbers too: each must be live, and stay so during the call. */
static int pin_buffers(pyacl_frame *f, const aclmdlDataset *dataset)
{
    size_t count = aclmdlGetDatasetNumBuffers(dataset);
    pyacl_handle **grown = PyMem_Realloc(f->pinned, (f->pins + count + 1) * sizeof(*grown));
    if (!grown) {
        PyErr_NoMemory();
        return 0;
    }
    f->pinned = grown;
    for (size_t i = 0; i < count; i++) {
        void *key = aclmdlGetDatasetBuffer(dataset, i);
        pyacl_handle *handle = pyacl_handle_find('B', key);
        if (!handle) return no_handle('B', key);
        handle->uses++;
        f->pinned[f->pins++] = handle;
    }
    return 1;
}

static int take_text(pyacl_frame *f, int i, PyObject *object)
{
    if (object == Py_None) {
        f->arg[i].s = NULL;
        return 1;
    }
    if (!PyUnicode_FSConverter(object, &f->text[i])) return 0;
    f->arg[i].s = PyBytes_AsString(f->text[i]);
    return f->arg[i].s != NULL;
}

static int take_list(pyacl_frame *f, PyObject *object)
{
    Py_ssize_t count = PySequence_Size(object);
    if (count < 0) return 0;
    if (count > ACL_MAX_DIM_CNT) {
        PyErr_Format(PyExc_ValueError, "%zd numbers; at most %d are possible", count, ACL_MAX_DIM_CNT);
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        pyacl_slot slot;
        int ok = item && integer(item, INT64_MIN, INT64_MAX, &slot);
        Py_XDECREF(item);
        if (!ok) return 0;
        f->list[i] = slot.i;
    }
    f->list_count = (size_t)count;
    return 1;
}

static int take_dims(pyacl_frame *f, PyObject *object)
{
    if (!PyDict_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "dims must be a dict with 'dims'");
        return 0;
    }
    PyObject *dims = PyDict_GetItemString(object, "dims"); /* borrowed */
    if (!dims) {
        PyErr_SetString(PyExc_ValueError, "dims has no 'dims'");
        return 0;
    }
    PyObject *stated = PyDict_GetItemString(object, "dimCount");
    pyacl_slot count;
    if (!take_list(f, dims)) return 0;
    if (stated && !integer(stated, 0, f->list_count, &count)) return 0;
    f->big.dims.dimCount = stated ? (size_t)count.u : f->list_count;
    memcpy(f->big.dims.dims, f->list, f->list_count * sizeof(*f->list));
    return 1;
}

/* A size after an address of a Python object must lie inside it. */
static int check_size(const pyacl_frame *f, int i)
{
    if (i == 0 || !f->view[i - 1].obj || (uint64_t)f->view[i - 1].len >= f->arg[i].u) return 1;
    PyErr_Format(PyExc_ValueError, "the object has %zd bytes, which is less than %llu", f->view[i - 1].len,
                 (unsigned long long)f->arg[i].u);
    return 0;
}

static int take(pyacl_frame *f, int i, char access, char letter, PyObject *object)
{
    switch (letter) {
    case 'i':
        return integer(object, INT32_MIN, INT32_MAX, &f->arg[i]);
    case 'u':
        return integer(object, 0, UINT32_MAX, &f->arg[i]);
    case 'n':
        return integer(object, 0, UINT64_MAX, &f->arg[i]) && check_size(f, i);
    case 'y':
        return integer(object, INT8_MIN, INT8_MAX, &f->arg[i]);
    case 'z':
        return integer(object, 0, UINT8_MAX, &f->arg[i]);
    case 'j':
        return integer(object, INT16_MIN, INT16_MAX, &f->arg[i]);
    case 'e':
        f->arg[i].f = PyFloat_AsDouble(object);
        return !PyErr_Occurred();
    case 'h':
        if (!integer(object, 0, UINTPTR_MAX, &f->arg[i])) return 0;
        f->arg[i].p = (void *)(uintptr_t)f->arg[i].u;
        return 1;
    case 'a':
        return pyacl_address(object, 0, &f->arg[i].p, &f->view[i]);
    case 'w':
        return pyacl_address(object, 1, &f->arg[i].p, &f->view[i]);
    case 's':
        return take_text(f, i, object);
    case 'o':
        return PyIndex_Check(object) ? integer(object, INT64_MIN, UINT64_MAX, &f->arg[i]) : take_text(f, i, object);
    case 'l':
        return take_list(f, object);
    case 'm':
        return take_dims(f, object);
    case 'R':
        return take_handle(f, i, 'T', access, object) && (!f->arg[i].p || pin_buffers(f, f->arg[i].p));
    default:
        return take_handle(f, i, letter, access, object);
    }
}

static int count_arguments(const char *takes, int *least)
{
    int count = 0;
    *least = -1;
    for (const char *c = takes; *c; c++) {
        if (*c == '|') *least = count;
        if (*c != '|' && *c != '!' && *c != '+') count++;
    }
    if (*least < 0) *least = count;
    return count;
}

/* The exception gets the name of the function and the number of the argument in front. */
static void name_argument(const pyacl_function *function, int index)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(type, "acl.%s%s%s: argument %d: %S", function->module, *function->module ? "." : "", function->name,
                 index + 1, value ? value : Py_None);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

static int take_all(const pyacl_function *function, pyacl_frame *f, PyObject *arguments)
{
    int least, most = count_arguments(function->takes, &least);
    Py_ssize_t given = PyTuple_Size(arguments);
    if (given < least || given > most) {
        PyErr_Format(PyExc_TypeError, "acl.%s%s%s takes %d argument%s, and %zd %s given", function->module,
                     *function->module ? "." : "", function->name, most, most == 1 ? "" : "s", given,
                     given == 1 ? "was" : "were");
        return 0;
    }
    const char *c = function->takes;
    for (int i = 0; i < given; i++, c++) {
        char access = 0;
        for (; *c == '|' || *c == '!' || *c == '+'; c++) access = *c == '|' ? 0 : *c;
        if (take(f, i, access, *c, PyTuple_GetItem(arguments, i))) continue;
        name_argument(function, i);
        return 0;
    }
    return 1;
}

/* ---- Results ---- */

static PyObject *numbers(const int64_t *value, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(value[i]);
        if (!number || PyList_Append(list, number)) Py_CLEAR(list);
        Py_XDECREF(number);
    }
    return list;
}

static PyObject *give_dims(const aclmdlIODims *dims)
{
    return Py_BuildValue("{s:s,s:n,s:N}", "name", dims->name, "dimCount", (Py_ssize_t)dims->dimCount, "dims",
                         numbers(dims->dims, dims->dimCount));
}

/* One number of AIPP parameters, under the name that C has. */
static int give_field(PyObject *dict, const aclAippInfo *info, const pyacl_aipp_field *field)
{
    const char *at = (const char *)info + field->offset;
    int32_t whole = 0;
    float real = 0;
    if (field->kind == 'b') whole = *(const int8_t *)at;
    if (field->kind == 'i') memcpy(&whole, at, sizeof(whole));
    if (field->kind == 'f') memcpy(&real, at, sizeof(real));
    PyObject *value = field->kind == 'f' ? PyFloat_FromDouble(real) : PyLong_FromLong(whole);
    int failed = !value || PyDict_SetItemString(dict, field->name, value);
    Py_XDECREF(value);
    return !failed;
}

static PyObject *give_aipp_shapes(const aclAippInfo *info)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < info->shapeCount; i++) {
        const aclAippDims *dims = &info->outDims[i];
        PyObject *entry = Py_BuildValue("{s:N,s:n,s:N,s:n}", "srcDims", give_dims(&dims->srcDims), "srcSize",
                                        (Py_ssize_t)dims->srcSize, "aippOutdims", give_dims(&dims->aippOutdims),
                                        "aippOutSize", (Py_ssize_t)dims->aippOutSize);
        if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

static PyObject *give_aipp(const aclAippInfo *info)
{
    PyObject *dict = Py_BuildValue("{s:n,s:n,s:N}", "srcDimNum", (Py_ssize_t)info->srcDimNum, "shapeCount",
                                   (Py_ssize_t)info->shapeCount, "outDims", give_aipp_shapes(info));
    for (const pyacl_aipp_field *field = pyacl_aipp_fields; dict && field->name; field++)
        if (!give_field(dict, info, field)) Py_CLEAR(dict);
    return dict;
}

static PyObject *give_sizes(const aclmdlHW *hw)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < hw->hwCount; i++) {
        PyObject *pair = Py_BuildValue("[KK]", (unsigned long long)hw->hw[i][0], (unsigned long long)hw->hw[i][1]);
        if (!pair || PyList_Append(list, pair)) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list ? Py_BuildValue("{s:n,s:N}", "hwCount", (Py_ssize_t)hw->hwCount, "hw", list) : NULL;
}

/* Registers what was made, so that only it is accepted later. */
static PyObject *give_handle(pyacl_frame *f, char kind, void *key)
{
    if (!key) return PyLong_FromLong(0);
    void *parent = NULL;
    if (kind == 'x') {
        kind = 'X';
        parent = f->arg[0].p;
        if (pyacl_handle_find(kind, key)) return PyLong_FromVoidPtr(key);
    }
    /* The memory of a Python object is held by a view: a reference alone would let a bytearray move. */
    PyObject *owner = kind == 'B' && f->view[0].obj ? PyMemoryView_FromObject(f->view[0].obj) : NULL;
    int added = !PyErr_Occurred() && pyacl_handle_add(kind, key, owner, parent);
    Py_XDECREF(owner);
    return added ? PyLong_FromVoidPtr(key) : NULL;
}

static PyObject *give(pyacl_frame *f, char letter, pyacl_slot out, PyObject *arguments)
{
    if (f->code && strchr("dbgp", letter)) return PyDict_New();
    switch (letter) {
    case 'r':
        return PyLong_FromLong(f->code);
    case 'u':
        return PyLong_FromUnsignedLongLong(out.u);
    case 'i':
        return PyLong_FromLongLong(out.i);
    case 'f':
        return PyFloat_FromDouble(out.f);
    case 's':
        return out.s ? PyUnicode_DecodeUTF8(out.s, (Py_ssize_t)strlen(out.s), "replace") : PyUnicode_FromString("");
    case '-':
        Py_RETURN_NONE;
    case 'd':
        return give_dims(&f->big.dims);
    case 'b':
        return Py_BuildValue("{s:n,s:N}", "batchCount", (Py_ssize_t)f->big.batch.batchCount, "batch",
                             numbers((const int64_t *)f->big.batch.batch, f->big.batch.batchCount));
    case 'g':
        return give_sizes(&f->big.hw);
    case 'p':
        return give_aipp(f->big.aipp);
    case '@': {
        PyObject *first = PyTuple_GetItem(arguments, 0);
        Py_INCREF(first);
        return first;
    }
    default:
        return give_handle(f, letter, out.p);
    }
}

static PyObject *give_all(const pyacl_function *function, pyacl_frame *f, PyObject *arguments)
{
    size_t count = strlen(function->gives);
    if (count == 1) return give(f, function->gives[0], f->out[0], arguments);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *item = give(f, function->gives[i], f->out[i < PYACL_OUTS ? i : 0], arguments);
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item)) Py_CLEAR(tuple);
    }
    return tuple;
}

/* ---- The call ---- */

/* What the work on the stream still reads or writes stays until the stream has passed it. */
static void keep_for_stream(pyacl_frame *f, PyObject *arguments)
{
    size_t owners = 0;
    int views = 0;
    for (size_t i = 0; i < f->pins; i++) owners += f->pinned[i]->owner != NULL;
    for (int i = 0; i < PYACL_ARGS; i++) views += f->view[i].obj != NULL;
    if (!views && !owners) return;
    aclrtStream stream = f->arg[PyTuple_Size(arguments) - 1].p;
    pyacl_kept *kept = PyMem_Calloc(1, sizeof(*kept) + owners * sizeof(PyObject *));
    if (!kept) {
        Py_BEGIN_ALLOW_THREADS(void) aclrtSynchronizeStream(stream);
        Py_END_ALLOW_THREADS return;
    }
    for (int i = 0; i < PYACL_ARGS; i++) {
        if (!f->view[i].obj) continue;
        kept->view[kept->views++] = f->view[i];
        f->view[i].obj = NULL;
    }
    for (size_t i = 0; i < f->pins; i++) {
        if (!f->pinned[i]->owner) continue;
        Py_INCREF(f->pinned[i]->owner);
        kept->object[kept->objects++] = f->pinned[i]->owner;
    }
    pyacl_keep(kept, stream);
}

/* Descriptions that belong to a dataset become stale when it is run, changed or destroyed. */
static void drop_children(const pyacl_function *function, const pyacl_frame *f)
{
    if (function->mode == PYACL_FAST && !strpbrk(function->takes, "!+")) return;
    for (int i = 0; i < PYACL_ARGS; i++) {
        if (f->handle[i] && f->handle[i]->kind == 'T') pyacl_handle_drop_children(f->handle[i]->key);
    }
}

/* Handles that the call destroyed are forgotten. */
static void settle_handles(const pyacl_function *function, pyacl_frame *f)
{
    int i = 0;
    char access = 0;
    for (size_t k = 0; k < f->pins; k++) f->pinned[k]->uses--;
    for (const char *c = function->takes; *c && i < PYACL_ARGS; c++) {
        if (*c == '|' || *c == '!' || *c == '+') {
            access = *c;
            continue;
        }
        pyacl_handle *handle = f->handle[i++];
        if (handle) {
            handle->uses--;
            if (access == '!' && !f->code) pyacl_handle_remove(handle);
        }
        access = 0;
    }
}

PyObject *pyacl_call(const pyacl_function *function, PyObject *arguments)
{
    pyacl_frame f;
    memset(f.arg, 0, sizeof(f.arg));
    memset(f.out, 0, sizeof(f.out));
    memset(f.handle, 0, sizeof(f.handle));
    memset(f.text, 0, sizeof(f.text));
    for (int i = 0; i < PYACL_ARGS; i++) f.view[i].obj = NULL;
    f.pinned = NULL;
    f.pins = 0;
    f.big_memory = NULL;
    f.code = ACL_ERROR_FAILURE;
    pyacl_collect();
    PyObject *result = NULL;
    int taken = take_all(function, &f, arguments);
    if (taken) drop_children(function, &f);
    if (taken && function->mode == PYACL_FAST) function->call(&f);
    if (taken && function->mode != PYACL_FAST) {
        Py_BEGIN_ALLOW_THREADS function->call(&f);
        Py_END_ALLOW_THREADS
    }
    if (taken && function->mode == PYACL_STREAM && !f.code) keep_for_stream(&f, arguments);
    if (taken) {
        settle_handles(function, &f);
        result = give_all(function, &f, arguments);
    } else {
        for (int i = 0; i < PYACL_ARGS; i++) {
            if (f.handle[i]) f.handle[i]->uses--;
        }
        for (size_t i = 0; i < f.pins; i++) f.pinned[i]->uses--;
    }
    for (int i = 0; i < PYACL_ARGS; i++) {
        jmpy_view_release(&f.view[i]);
        Py_XDECREF(f.text[i]);
    }
    PyMem_Free(f.pinned);
    free(f.big_memory);
    return result;
}
