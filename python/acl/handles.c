/* SPDX-License-Identifier: Apache-2.0
 *
 * The handles that Python programs hold: plain numbers to them, so each is looked up before it is used.
 */
#include "binding.h"

enum { BUCKETS = 4096 };
static pyacl_handle *table[BUCKETS];
static size_t children;

static size_t bucket(const void *key)
{
    return (size_t)(((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 52);
}

int pyacl_handle_add(char kind, void *key, PyObject *owner, void *parent)
{
    pyacl_handle *handle = PyMem_Calloc(1, sizeof(*handle));
    if (!handle) {
        PyErr_NoMemory();
        return 0;
    }
    Py_XINCREF(owner);
    if (parent) children++;
    *handle = (pyacl_handle){.key = key, .next = table[bucket(key)], .owner = owner, .parent = parent, .kind = kind};
    table[bucket(key)] = handle;
    return 1;
}

pyacl_handle *pyacl_handle_find(char kind, const void *key)
{
    pyacl_handle *handle = table[bucket(key)];
    while (handle && (handle->key != key || handle->kind != kind)) handle = handle->next;
    return handle;
}

void pyacl_handle_remove(pyacl_handle *handle)
{
    pyacl_handle **place = &table[bucket(handle->key)];
    while (*place != handle) place = &(*place)->next;
    *place = handle->next;
    if (handle->parent) children--;
    PyObject *owner = handle->owner;
    PyMem_Free(handle);
    Py_XDECREF(owner); /* last: it may run Python code */
}

void pyacl_handle_drop_children(const void *parent)
{
    for (size_t i = 0; children && i < BUCKETS; i++) {
        for (pyacl_handle *handle = table[i], *next; handle; handle = next) {
            next = handle->next;
            if (handle->parent == parent) pyacl_handle_remove(handle);
        }
    }
}

const char *pyacl_handle_name(char kind)
{
    switch (kind) {
    case 'B':
        return "data buffer";
    case 'D':
        return "model description";
    case 'T':
        return "dataset";
    case 'X':
        return "tensor description";
    case 'C':
        return "load configuration";
    case 'A':
        return "set of AIPP parameters";
    default:
        return "run configuration";
    }
}
