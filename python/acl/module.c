/* SPDX-License-Identifier: Apache-2.0
 *
 * The Python module `acl._acl`: acl.* with acl.rt, acl.mdl, acl.op, acl.media and acl.util inside.
 */
#include <string.h>

#include "binding.h"

/* A table of methods that Python keeps pointers into. */
static PyMethodDef *methods;

static PyObject *call_line(PyObject *self, PyObject *arguments)
{
    const pyacl_function *function = PyCapsule_GetPointer(self, "acl.function");
    return function ? pyacl_call(function, arguments) : NULL;
}

static PyObject *call_missing(PyObject *self, PyObject *arguments)
{
    (void)arguments;
    const char *const *name = PyCapsule_GetPointer(self, "acl.missing");
    return name ? PyErr_Format(PyExc_NotImplementedError, "acl.%s does not exist in this library", *name) : NULL;
}

static PyMethodDef own[] = {
    {"util.numpy_to_ptr", pyacl_numpy_to_ptr, METH_VARARGS, NULL},
    {"util.numpy_contiguous_to_ptr", pyacl_numpy_to_ptr, METH_VARARGS, NULL},
    {"util.bytes_to_ptr", pyacl_bytes_to_ptr, METH_VARARGS, NULL},
    {"util.ptr_to_numpy", pyacl_ptr_to_numpy, METH_VARARGS, NULL},
    {"util.ptr_to_bytes", pyacl_ptr_to_bytes, METH_VARARGS, NULL},
    {"util.start_thread", pyacl_start_thread, METH_VARARGS, NULL},
    {"util.stop_thread", pyacl_stop_thread, METH_VARARGS, NULL},
    {"rt.launch_callback", pyacl_launch_callback, METH_VARARGS, NULL},
    {"rt.launch_host_func", pyacl_launch_host_func, METH_VARARGS, NULL},
};

/* Module "acl" or "acl.<name>" of the tree; a borrowed reference, made where it is not there yet. */
static PyObject *part(PyObject *module, const char *name, size_t length)
{
    if (length == 0) return module;
    char full[32] = "acl.";
    if (length > sizeof(full) - 5) return NULL;
    memcpy(full + 4, name, length);
    PyObject *child = PyImport_AddModule(full);
    if (child && !PyObject_HasAttrString(module, full + 4) && PyObject_SetAttrString(module, full + 4, child))
        return NULL;
    return child;
}

/* `path` is "name" or "part.name". Takes over `self`. */
static int add_function(PyObject *module, const char *path, PyMethodDef *method, PyObject *self)
{
    const char *dot = strchr(path, '.');
    PyObject *target = part(module, path, dot ? (size_t)(dot - path) : 0);
    method->ml_name = dot ? dot + 1 : path;
    PyObject *owner = target ? PyModule_GetNameObject(target) : NULL;
    PyObject *function = owner ? PyCFunction_NewEx(method, self, owner) : NULL;
    int failed = !function || PyObject_SetAttrString(target, method->ml_name, function);
    Py_XDECREF(function);
    Py_XDECREF(owner);
    Py_XDECREF(self);
    return failed;
}

static int add_line(PyObject *module, const pyacl_function *function, PyMethodDef *method)
{
    PyObject *self = PyCapsule_New((void *)(uintptr_t)function, "acl.function", NULL);
    char path[96];
    if (!self) return -1;
    (void)PyOS_snprintf(path, sizeof(path), "%s%s%s", function->module, *function->module ? "." : "", function->name);
    *method = (PyMethodDef){function->name, call_line, METH_VARARGS, NULL};
    int failed = add_function(module, path, method, self);
    method->ml_name = function->name; /* `path` ends here */
    return failed;
}

static int fill(PyObject *module)
{
    size_t count = pyacl_function_count + pyacl_missing_count;
    if (!methods) methods = PyMem_Calloc(count, sizeof(*methods));
    if (!methods) return PyErr_NoMemory() != NULL;
    for (size_t i = 0; i < pyacl_function_count; i++) {
        if (add_line(module, &pyacl_functions[i], &methods[i])) return 1;
    }
    for (size_t i = 0; i < pyacl_missing_count; i++) {
        PyMethodDef *method = &methods[pyacl_function_count + i];
        *method = (PyMethodDef){NULL, call_missing, METH_VARARGS, NULL};
        PyObject *self = PyCapsule_New((void *)(uintptr_t)&pyacl_missing[i], "acl.missing", NULL);
        if (!self || add_function(module, pyacl_missing[i], method, self)) return 1;
    }
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        const char *path = own[i].ml_name;
        if (add_function(module, path, &own[i], NULL)) return 1;
    }
    for (size_t i = 0; i < pyacl_constant_count; i++) {
        PyObject *value = PyLong_FromLongLong(pyacl_constants[i].value);
        int failed = !value || PyObject_SetAttrString(module, pyacl_constants[i].name, value);
        Py_XDECREF(value);
        if (failed) return 1;
    }
    return 0;
}

PyMODINIT_FUNC PyInit__acl(void);
PyMODINIT_FUNC PyInit__acl(void)
{
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "acl._acl", NULL, -1, NULL, NULL, NULL, NULL, NULL};
    PyObject *module = PyModule_Create(&definition);
    if (module && fill(module)) Py_CLEAR(module);
    return module;
}
