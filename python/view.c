/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of Python objects.
 */
#include "view.h"

int PyObject_GetBuffer(PyObject *object, jmpy_view *view, int flags);
void PyBuffer_Release(jmpy_view *view);
enum { VIEW_SIMPLE = 0, VIEW_WRITABLE = 1 };

int jmpy_view_get(PyObject *object, int writable, jmpy_view *view)
{
    if (PyObject_GetBuffer(object, view, writable ? VIEW_WRITABLE : VIEW_SIMPLE) == 0) return 1;
    view->obj = NULL;
    /* An object with a buffer that is not as it must be has a wrong value, not a wrong type. */
    if (PyErr_ExceptionMatches(PyExc_BufferError)) {
        PyErr_SetString(PyExc_ValueError,
                        writable ? "memory must be contiguous and writable" : "memory must be contiguous");
    }
    return 0;
}

void jmpy_view_release(jmpy_view *view)
{
    if (view->obj) PyBuffer_Release(view);
}
