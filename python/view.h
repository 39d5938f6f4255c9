/* SPDX-License-Identifier: Apache-2.0
 *
 * What the modules in C share: CPython's limited interface of 3.9, and the memory of Python objects.
 */
#ifndef JUMAR_PYTHON_VIEW_H
#define JUMAR_PYTHON_VIEW_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

/* The buffer protocol is part of the limited interface from 3.11 on only. Layout and functions are the same since 3.3.
 */
typedef struct jmpy_view {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} jmpy_view;

/* False with an exception set: no buffer, not contiguous, or read-only where it shall be written. */
int jmpy_view_get(PyObject *object, int writable, jmpy_view *view);
/* Nothing where view->obj is NULL. */
void jmpy_view_release(jmpy_view *view);

#endif
