/* SPDX-License-Identifier: Apache-2.0
 *
 * Python functions that other threads call: callbacks of streams and threads that process them. An exception in one is
 * printed (sys.unraisablehook) and ends that function only.
 */
#include <pthread.h>

#include "binding.h"

typedef struct callback {
    PyObject *function, *argument;
    struct callback *next; /* of the threads */
    pthread_t thread;
} callback;

static callback *callback_make(PyObject *function, PyObject *argument)
{
    if (!PyCallable_Check(function)) {
        PyErr_Format(PyExc_TypeError, "%R is not callable", function);
        return NULL;
    }
    callback *c = PyMem_Calloc(1, sizeof(*c));
    if (!c) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_INCREF(function);
    Py_INCREF(argument);
    c->function = function;
    c->argument = argument;
    return c;
}

static void callback_free(callback *c)
{
    Py_DECREF(c->function);
    Py_DECREF(c->argument);
    PyMem_Free(c);
}

static void callback_call(const callback *c)
{
    PyObject *result = PyObject_CallFunctionObjArgs(c->function, c->argument, NULL);
    if (!result) PyErr_WriteUnraisable(c->function);
    Py_XDECREF(result);
}

/* On any thread, without the GIL; once. */
static void callback_run(void *argument)
{
    if (!Py_IsInitialized()) return; /* the interpreter is gone */
    PyGILState_STATE state = PyGILState_Ensure();
    callback_call(argument);
    callback_free(argument);
    PyGILState_Release(state);
}

PyObject *pyacl_launch_callback(PyObject *self, PyObject *arguments)
{
    PyObject *function, *argument;
    int block;
    unsigned long long stream;
    aclError code;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOiK:launch_callback", &function, &argument, &block, &stream)) return NULL;
    callback *c = callback_make(function, argument);
    if (!c) return NULL;
    Py_BEGIN_ALLOW_THREADS code =
        aclrtLaunchCallback(callback_run, c, (aclrtCallbackBlockType)block, (aclrtStream)(uintptr_t)stream);
    Py_END_ALLOW_THREADS if (code) callback_free(c);
    return PyLong_FromLong(code);
}

PyObject *pyacl_launch_host_func(PyObject *self, PyObject *arguments)
{
    PyObject *function, *argument;
    unsigned long long stream;
    aclError code;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "KOO:launch_host_func", &stream, &function, &argument)) return NULL;
    callback *c = callback_make(function, argument);
    if (!c) return NULL;
    Py_BEGIN_ALLOW_THREADS code = aclrtLaunchHostFunc((aclrtStream)(uintptr_t)stream, callback_run, c);
    Py_END_ALLOW_THREADS if (code) callback_free(c);
    return PyLong_FromLong(code);
}

/* ---- Threads ---- */

static callback *threads; /* under the GIL */

static void *thread_main(void *argument)
{
    PyGILState_STATE state = PyGILState_Ensure();
    callback_call(argument);
    PyGILState_Release(state);
    return NULL;
}

PyObject *pyacl_start_thread(PyObject *self, PyObject *arguments)
{
    PyObject *function, *argument;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO:start_thread", &function, &argument)) return NULL;
    callback *c = callback_make(function, argument);
    if (!c) return NULL;
    if (pthread_create(&c->thread, NULL, thread_main, c)) {
        callback_free(c);
        return Py_BuildValue("ii", 0, ACL_ERROR_FAILURE);
    }
    c->next = threads;
    threads = c;
    return Py_BuildValue("Ki", (unsigned long long)c->thread, ACL_SUCCESS);
}

/* Waits for its end. */
PyObject *pyacl_stop_thread(PyObject *self, PyObject *arguments)
{
    unsigned long long id;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "K:stop_thread", &id)) return NULL;
    callback **place = &threads;
    while (*place && (unsigned long long)(*place)->thread != id) place = &(*place)->next;
    callback *c = *place;
    if (!c) return PyLong_FromLong(ACL_ERROR_INVALID_PARAM);
    *place = c->next;
    int failed;
    Py_BEGIN_ALLOW_THREADS failed = pthread_join(c->thread, NULL);
    Py_END_ALLOW_THREADS if (!failed) callback_free(c);
    return PyLong_FromLong(failed ? ACL_ERROR_FAILURE : ACL_SUCCESS);
}
