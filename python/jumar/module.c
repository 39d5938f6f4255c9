/* SPDX-License-Identifier: Apache-2.0
 *
 * The Python module `jumar._jumar`: jumar/compile.h, session.h and detect.h, thin. jumar/__init__.py is the surface.
 */
#include <string.h>

#include "jumar/compile.h"
#include "jumar/detect.h"
#include "jumar/session.h"
#include "view.h"

/* The exception for a status; returns NULL. */
static PyObject *raise(jumar_status status)
{
    PyObject *type = PyExc_RuntimeError;
    if (status == JUMAR_INVALID_ARGUMENT || status == JUMAR_CORRUPT) type = PyExc_ValueError;
    if (status == JUMAR_NOT_FOUND) type = PyExc_FileNotFoundError;
    if (status == JUMAR_UNSUPPORTED) type = PyExc_NotImplementedError;
    if (status == JUMAR_IO) type = PyExc_OSError;
    if (status == JUMAR_OUT_OF_MEMORY) return PyErr_NoMemory();
    PyErr_SetString(type, jumar_last_error());
    return NULL;
}

/* ---- Compiling ---- */

/* Text of a key: *out is NULL where it is missing or None. `keep` holds it alive. */
static int option_text(PyObject *options, const char *key, PyObject *keep, const char **out)
{
    PyObject *value = PyDict_GetItemString(options, key), *bytes = NULL;
    *out = NULL;
    if (!value || value == Py_None) return 1;
    if (!PyUnicode_FSConverter(value, &bytes)) return 0;
    int failed = PyList_Append(keep, bytes);
    *out = PyBytes_AsString(bytes);
    Py_DECREF(bytes);
    return !failed && *out;
}

static int option_int(PyObject *options, const char *key, int *out)
{
    PyObject *value = PyDict_GetItemString(options, key);
    *out = value && value != Py_None ? (int)PyLong_AsLong(value) : 0;
    return !PyErr_Occurred();
}

static int option_labels(PyObject *options, PyObject *keep, jumar_compile_options *o)
{
    PyObject *labels = PyDict_GetItemString(options, "labels");
    if (!labels || labels == Py_None) return 1;
    Py_ssize_t count = PySequence_Size(labels);
    const char **text = count < 0 ? NULL : PyMem_Calloc((size_t)count + 1, sizeof(*text));
    if (count >= 0 && !text) PyErr_NoMemory();
    if (!text) return 0;
    o->labels = text;
    o->label_count = (size_t)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *label = PySequence_GetItem(labels, i), *bytes = NULL;
        int ok = label && PyUnicode_FSConverter(label, &bytes) && PyList_Append(keep, bytes) == 0;
        text[i] = ok ? PyBytes_AsString(bytes) : NULL;
        Py_XDECREF(bytes);
        Py_XDECREF(label);
        if (!ok) return 0;
    }
    return 1;
}

static PyObject *compile_model(PyObject *self, PyObject *arguments)
{
    PyObject *options, *onnx = NULL, *om = NULL, *result = NULL;
    jumar_compile_options o = {0};
    int gear_kind;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O&O&O", PyUnicode_FSConverter, &onnx, PyUnicode_FSConverter, &om, &options))
        return NULL;
    PyObject *keep = PyList_New(0);
    if (keep && option_text(options, "input_shapes", keep, &o.input_shapes) &&
        option_text(options, "gears", keep, &o.gears) && option_text(options, "out_nodes", keep, &o.out_nodes) &&
        option_text(options, "output_type", keep, &o.output_type) &&
        option_text(options, "fp16_inputs", keep, &o.fp16_inputs) && option_text(options, "family", keep, &o.family) &&
        option_text(options, "aipp", keep, &o.aipp) && option_int(options, "no_winograd", &o.no_winograd) &&
        option_int(options, "gear_kind", &gear_kind) && option_labels(options, keep, &o)) {
        jumar_status status;
        o.gear_kind = (jumar_gear_kind)gear_kind;
        Py_BEGIN_ALLOW_THREADS status = jumar_compile(PyBytes_AsString(onnx), PyBytes_AsString(om), &o);
        Py_END_ALLOW_THREADS result = status ? raise(status) : Py_BuildValue("");
    }
    PyMem_Free((void *)(uintptr_t)o.labels);
    Py_XDECREF(keep);
    Py_XDECREF(onnx);
    Py_XDECREF(om);
    return result;
}

/* ---- Sessions ---- */

static void session_free(PyObject *capsule)
{
    jumar_session_close(PyCapsule_GetPointer(capsule, "jumar.session"));
}

static jumar_session *session_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, "jumar.session");
}

static PyObject *session_open(PyObject *self, PyObject *arguments)
{
    PyObject *path = NULL;
    unsigned threads;
    jumar_session *session;
    jumar_status status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O&I", PyUnicode_FSConverter, &path, &threads)) return NULL;
    Py_BEGIN_ALLOW_THREADS status = jumar_session_open(PyBytes_AsString(path), threads, &session);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    if (status) return raise(status);
    PyObject *capsule = PyCapsule_New(session, "jumar.session", session_free);
    if (!capsule) jumar_session_close(session);
    return capsule;
}

/* [(name, dtype, shape), ...] of inputs or outputs. */
static PyObject *session_tensors(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    int inputs;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Op", &capsule, &inputs)) return NULL;
    jumar_session *session = session_of(capsule);
    PyObject *list = session ? PyList_New(0) : NULL;
    size_t count = session ? (inputs ? jumar_session_input_count : jumar_session_output_count)(session) : 0;
    for (size_t i = 0; list && i < count; i++) {
        jumar_tensor_info info;
        jumar_status status = (inputs ? jumar_session_input : jumar_session_output)(session, i, &info);
        PyObject *shape = status ? raise(status) : PyTuple_New(info.rank), *item = NULL;
        for (int32_t d = 0; shape && d < info.rank; d++) {
            PyObject *dim = PyLong_FromLongLong(info.dim[d]);
            if (!dim || PyTuple_SetItem(shape, d, dim)) Py_CLEAR(shape);
        }
        if (shape) item = Py_BuildValue("ssN", info.name, info.dtype_name, shape);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *session_metadata(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    const char *key;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os", &capsule, &key) || !session_of(capsule)) return NULL;
    return Py_BuildValue("z", jumar_session_metadata(session_of(capsule), key));
}

/* Views of a list of arrays that must be as large as the tensors are; how many were taken, whatever happens. */
static int take_arrays(jumar_session *session, PyObject *list, int inputs, jmpy_view *view, void **address,
                       size_t *taken)
{
    size_t count = (inputs ? jumar_session_input_count : jumar_session_output_count)(session);
    if (PySequence_Size(list) != (Py_ssize_t)count) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%zu arrays are needed", count);
        return 0;
    }
    for (*taken = 0; *taken < count; ++*taken) {
        size_t i = *taken;
        jumar_tensor_info info;
        PyObject *item = PySequence_GetItem(list, (Py_ssize_t)i);
        int ok = item && jmpy_view_get(item, !inputs, &view[i]);
        Py_XDECREF(item);
        if (!ok) return 0;
        address[i] = view[i].buf;
        jumar_status status = (inputs ? jumar_session_input : jumar_session_output)(session, i, &info);
        if (!status && (uint64_t)view[i].len == info.bytes) continue;
        if (status) {
            (void)raise(status);
        } else {
            PyErr_Format(PyExc_ValueError, "'%s' has %zd bytes and needs %llu", info.name, view[i].len,
                         (unsigned long long)info.bytes);
        }
        ++*taken;
        return 0;
    }
    return 1;
}

static PyObject *session_run(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *inputs, *outputs, *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOO", &capsule, &inputs, &outputs)) return NULL;
    jumar_session *session = session_of(capsule);
    if (!session) return NULL;
    size_t ins = jumar_session_input_count(session), outs = jumar_session_output_count(session), have[2] = {0, 0};
    jmpy_view *view = PyMem_Calloc(ins + outs, sizeof(*view));
    void **address = PyMem_Calloc(ins + outs, sizeof(*address));
    if (!view || !address) PyErr_NoMemory();
    if (view && address && take_arrays(session, inputs, 1, view, address, &have[0]) &&
        take_arrays(session, outputs, 0, view + ins, address + ins, &have[1])) {
        jumar_status status;
        Py_BEGIN_ALLOW_THREADS status = jumar_session_run(session, (const void *const *)address, address + ins);
        Py_END_ALLOW_THREADS result = status ? raise(status) : Py_BuildValue("");
    }
    for (size_t i = 0; i < have[0]; i++) jmpy_view_release(&view[i]);
    for (size_t i = 0; i < have[1]; i++) jmpy_view_release(&view[ins + i]);
    PyMem_Free(address);
    PyMem_Free(view);
    return result;
}

/* ---- Pictures ---- */

static void image_free(PyObject *capsule)
{
    jumar_image image = {.rgb = PyCapsule_GetPointer(capsule, "jumar.pixels")};
    jumar_image_free(&image);
}

/* (height, width, address of the pixels, their owner) */
static PyObject *image_read(PyObject *self, PyObject *arguments)
{
    PyObject *path = NULL;
    jumar_image image;
    jumar_status status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O&", PyUnicode_FSConverter, &path)) return NULL;
    Py_BEGIN_ALLOW_THREADS status = jumar_image_read(PyBytes_AsString(path), &image);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    if (status) return raise(status);
    PyObject *owner = PyCapsule_New(image.rgb, "jumar.pixels", image_free);
    if (!owner) jumar_image_free(&image);
    return owner ? Py_BuildValue("iiNN", image.height, image.width, PyLong_FromVoidPtr(image.rgb), owner) : NULL;
}

/* A picture in the memory of a Python object, which must be released. */
static int image_of(PyObject *object, int height, int width, int writable, jmpy_view *view, jumar_image *image)
{
    if (!jmpy_view_get(object, writable, view)) return 0;
    *image = (jumar_image){width, height, view->buf};
    if (height > 0 && width > 0 && view->len == (Py_ssize_t)3 * height * width) return 1;
    PyErr_SetString(PyExc_ValueError, "a picture is an array of 8-bit numbers [height][width][3]");
    jmpy_view_release(view);
    return 0;
}

static PyObject *image_write(PyObject *self, PyObject *arguments)
{
    PyObject *path = NULL, *object;
    int height, width;
    jmpy_view view;
    jumar_image image;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O&Oii", PyUnicode_FSConverter, &path, &object, &height, &width)) return NULL;
    PyObject *result = NULL;
    if (image_of(object, height, width, 0, &view, &image)) {
        jumar_status status;
        Py_BEGIN_ALLOW_THREADS status = jumar_image_write(PyBytes_AsString(path), &image);
        Py_END_ALLOW_THREADS result = status ? raise(status) : Py_BuildValue("");
        jmpy_view_release(&view);
    }
    Py_DECREF(path);
    return result;
}

/* ---- Detectors: one call at a time, which jumar/__init__.py sees to ---- */

static void detector_free(PyObject *capsule)
{
    jumar_detector_close(PyCapsule_GetPointer(capsule, "jumar.detector"));
}

static void results_free(PyObject *capsule)
{
    jumar_results_free(PyCapsule_GetPointer(capsule, "jumar.results"));
}

static PyObject *detector_open(PyObject *self, PyObject *arguments)
{
    PyObject *path = NULL;
    unsigned threads;
    const char *family;
    jumar_detector *detector;
    jumar_status status;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O&Iz", PyUnicode_FSConverter, &path, &threads, &family)) return NULL;
    Py_BEGIN_ALLOW_THREADS status = jumar_detector_open(PyBytes_AsString(path), threads, family, &detector);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    if (status) return raise(status);
    PyObject *capsule = PyCapsule_New(detector, "jumar.detector", detector_free);
    if (!capsule) jumar_detector_close(detector);
    return capsule;
}

/* (task, head, family, [names]) */
static PyObject *detector_info(PyObject *self, PyObject *capsule)
{
    (void)self;
    jumar_detector *detector = PyCapsule_GetPointer(capsule, "jumar.detector");
    PyObject *names = detector ? PyList_New(0) : NULL;
    size_t count = detector ? jumar_detector_label_count(detector) : 0;
    for (size_t i = 0; names && i < count; i++) {
        PyObject *name = PyUnicode_FromString(jumar_detector_label(detector, (int32_t)i));
        if (!name || PyList_Append(names, name)) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    if (!names) return NULL;
    return Py_BuildValue("sssN", jumar_task_name(jumar_detector_task(detector)), jumar_detector_head(detector),
                         jumar_detector_family(detector), names);
}

/* (detector, pixels, height, width, confidence, iou, agnostic, labels or None as bytes of int32) -> results */
static PyObject *detector_predict(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *object, *labels, *result = NULL;
    int height, width;
    jumar_detect_options options = {0};
    jmpy_view view, wanted = {0};
    jumar_image image;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOiiffiO", &capsule, &object, &height, &width, &options.confidence, &options.iou,
                          &options.agnostic, &labels)) {
        return NULL;
    }
    jumar_detector *detector = PyCapsule_GetPointer(capsule, "jumar.detector");
    if (!detector || !image_of(object, height, width, 0, &view, &image)) return NULL;
    if (labels == Py_None || jmpy_view_get(labels, 0, &wanted)) {
        jumar_results *results;
        jumar_status status;
        options.labels = wanted.buf;
        options.label_count = (size_t)wanted.len / sizeof(int32_t);
        Py_BEGIN_ALLOW_THREADS status = jumar_detector_predict(detector, &image, &options, &results);
        Py_END_ALLOW_THREADS result = status ? raise(status) : PyCapsule_New(results, "jumar.results", results_free);
        if (!status && !result) jumar_results_free(results);
    }
    jmpy_view_release(&wanted);
    jmpy_view_release(&view);
    return result;
}

static PyObject *floats(const float *value, size_t count)
{
    return PyBytes_FromStringAndSize((const char *)value, (Py_ssize_t)(count * sizeof(*value)));
}

/* Results as a list of (box, score, label, mask, keypoints, oriented); floats and pixels as bytes, None where a task
 * has none. */
static PyObject *results_list(PyObject *self, PyObject *arguments)
{
    PyObject *capsule;
    int height, width;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oii", &capsule, &height, &width)) return NULL;
    jumar_results *results = PyCapsule_GetPointer(capsule, "jumar.results");
    PyObject *list = results ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < jumar_results_count(results); i++) {
        const jumar_box *box = jumar_results_box(results, i);
        const jumar_mask *mask = jumar_results_mask(results, i);
        const jumar_keypoint *points = jumar_results_keypoints(results, i);
        const jumar_oriented_box *turned = jumar_results_oriented(results, i);
        PyObject *pixels = mask ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)height * width) : Py_BuildValue("");
        jumar_status status = JUMAR_OK;
        if (mask && pixels) {
            status = jumar_mask_pixels(mask, width, height, (uint8_t *)PyBytes_AsString(pixels));
            if (status) (void)raise(status);
        }
        const float corner[4] = {box->x1, box->y1, box->x2, box->y2};
        PyObject *item = !pixels || status
                             ? NULL
                             : Py_BuildValue("NfiNNN", floats(corner, 4), box->score, (int)box->label, pixels,
                                             points ? floats(&points->x, 3 * jumar_results_keypoint_count(results))
                                                    : Py_BuildValue(""),
                                             turned ? floats(&turned->corner[0][0], 13) : Py_BuildValue(""));
        if (!item && status) Py_XDECREF(pixels);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* (detector, results, pixels, height, width): draws into the pixels. */
static PyObject *results_draw(PyObject *self, PyObject *arguments)
{
    PyObject *capsule, *found, *object;
    int height, width;
    jmpy_view view;
    jumar_image image;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOii", &capsule, &found, &object, &height, &width)) return NULL;
    jumar_detector *detector = PyCapsule_GetPointer(capsule, "jumar.detector");
    jumar_results *results = detector ? PyCapsule_GetPointer(found, "jumar.results") : NULL;
    if (!results || !image_of(object, height, width, 1, &view, &image)) return NULL;
    jumar_status status = jumar_draw_results(&image, results, detector);
    jmpy_view_release(&view);
    return status ? raise(status) : Py_BuildValue("");
}

static PyObject *version(PyObject *self, PyObject *arguments)
{
    (void)self;
    (void)arguments;
    return PyUnicode_FromString(jumar_version());
}

PyMODINIT_FUNC PyInit__jumar(void);
PyMODINIT_FUNC PyInit__jumar(void)
{
    static PyMethodDef methods[] = {
        {"compile", compile_model, METH_VARARGS, NULL},
        {"session_open", session_open, METH_VARARGS, NULL},
        {"session_tensors", session_tensors, METH_VARARGS, NULL},
        {"session_metadata", session_metadata, METH_VARARGS, NULL},
        {"session_run", session_run, METH_VARARGS, NULL},
        {"image_read", image_read, METH_VARARGS, NULL},
        {"image_write", image_write, METH_VARARGS, NULL},
        {"detector_open", detector_open, METH_VARARGS, NULL},
        {"detector_info", detector_info, METH_O, NULL},
        {"detector_predict", detector_predict, METH_VARARGS, NULL},
        {"results_list", results_list, METH_VARARGS, NULL},
        {"results_draw", results_draw, METH_VARARGS, NULL},
        {"version", version, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "jumar._jumar", NULL, -1, methods, NULL, NULL, NULL, NULL};
    return PyModule_Create(&definition);
}
