/* SPDX-License-Identifier: Apache-2.0
 *
 * acl.util: numpy arrays, bytes and addresses.
 */
#include "binding.h"

/* The array or bytes must outlive the use of its address. */
static PyObject *address_of(PyObject *arguments, const char *format)
{
    PyObject *object;
    void *address;
    jmpy_view view;
    if (!PyArg_ParseTuple(arguments, format, &object)) return NULL;
    if (PyLong_Check(object) || object == Py_None) {
        PyErr_SetString(PyExc_TypeError, "an object with a buffer is needed");
        return NULL;
    }
    if (!pyacl_address(object, 0, &address, &view)) return NULL;
    jmpy_view_release(&view);
    return PyLong_FromVoidPtr(address);
}

PyObject *pyacl_numpy_to_ptr(PyObject *self, PyObject *arguments)
{
    (void)self;
    return address_of(arguments, "O:numpy_to_ptr");
}

PyObject *pyacl_bytes_to_ptr(PyObject *self, PyObject *arguments)
{
    (void)self;
    return address_of(arguments, "O:bytes_to_ptr");
}

/* False with an exception set: 0, or not a number. */
static int pointer(PyObject *object, void **address)
{
    PyObject *number = PyNumber_Index(object);
    if (!number) return 0;
    *address = PyLong_AsVoidPtr(number);
    Py_DECREF(number);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        *address = NULL;
    }
    if (*address) return 1;
    PyErr_SetString(PyExc_ValueError, "the address is 0 or no address");
    return 0;
}

PyObject *pyacl_ptr_to_bytes(PyObject *self, PyObject *arguments)
{
    PyObject *object;
    Py_ssize_t size;
    void *address;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "On:ptr_to_bytes", &object, &size) || !pointer(object, &address)) return NULL;
    if (size < 0) return PyErr_Format(PyExc_ValueError, "size %zd is negative", size);
    return PyBytes_FromStringAndSize(address, size);
}

/* Numbers of numpy's types, as the interface has them, as letters. */
static PyObject *type_of(PyObject *object)
{
    static const char letters[] = "?bBhHiIlLqQfdgFDG";
    if (!PyLong_Check(object)) {
        Py_INCREF(object);
        return object;
    }
    long number = PyLong_AsLong(object);
    if (number == 23) return PyUnicode_FromString("e");
    if (number >= 0 && number < (long)sizeof(letters) - 1) return PyUnicode_FromStringAndSize(&letters[number], 1);
    PyErr_Clear();
    return PyErr_Format(PyExc_ValueError, "%S is no number of a numpy type", object);
}

/* Bytes of an array, or -1 with an exception set. */
static Py_ssize_t bytes_of(PyObject *shape, PyObject *dtype)
{
    PyObject *item = PyObject_GetAttrString(dtype, "itemsize");
    Py_ssize_t bytes = item ? PyLong_AsSsize_t(item) : -1, rank = bytes < 0 ? -1 : PySequence_Size(shape);
    Py_XDECREF(item);
    if (rank < 0) return -1;
    for (Py_ssize_t i = 0; i < rank; i++) {
        PyObject *dim = PySequence_GetItem(shape, i);
        Py_ssize_t size = dim ? PyNumber_AsSsize_t(dim, PyExc_ValueError) : -1;
        Py_XDECREF(dim);
        if (PyErr_Occurred()) return -1;
        if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes)) {
            PyErr_SetString(PyExc_ValueError, "a dimension is negative or the array is too large");
            return -1;
        }
    }
    return bytes;
}

/* An array over the memory itself: it must not be used after the memory is freed. */
PyObject *pyacl_ptr_to_numpy(PyObject *self, PyObject *arguments)
{
    enum { WRITABLE = 0x200 };
    PyObject *object, *shape, *type;
    void *address;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOO:ptr_to_numpy", &object, &shape, &type) || !pointer(object, &address))
        return NULL;
    PyObject *numpy = PyImport_ImportModule("numpy"), *letter = numpy ? type_of(type) : NULL;
    PyObject *dtype = letter ? PyObject_CallMethod(numpy, "dtype", "O", letter) : NULL, *array = NULL;
    Py_ssize_t bytes = dtype ? bytes_of(shape, dtype) : -1;
    PyObject *memory = bytes < 0 ? NULL : PyMemoryView_FromMemory(address, bytes, WRITABLE);
    if (memory) array = PyObject_CallMethod(numpy, "ndarray", "OOO", shape, dtype, memory);
    Py_XDECREF(memory);
    Py_XDECREF(dtype);
    Py_XDECREF(letter);
    Py_XDECREF(numpy);
    return array;
}
