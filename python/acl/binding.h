/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside of the Python module `acl`: what its files share. Everything here is called with the GIL held unless it says
 * otherwise.
 */
#ifndef JUMAR_PYTHON_BINDING_H
#define JUMAR_PYTHON_BINDING_H

#include "view.h"

#include "acl/acl.h"

/* An address: an int, None (0), or an object with a buffer. True with an exception set on failure; view->obj is NULL
 * for a plain number. */
int pyacl_address(PyObject *object, int writable, void **address, jmpy_view *view);

/* ---- Handles (handles.c) ---- */

typedef struct pyacl_handle {
    void *key;
    struct pyacl_handle *next;
    PyObject *owner; /* what the handle's memory belongs to, or NULL */
    void *parent;    /* not NULL: it belongs to this dataset and goes with it */
    unsigned uses;   /* calls under way that need it */
    char kind;       /* B buffer, D model description, T dataset, X tensor description, C load and E run options, A AIPP
                        parameters */
} pyacl_handle;

/* Takes a reference to `owner`. False with an exception set: no memory. */
int pyacl_handle_add(char kind, void *key, PyObject *owner, void *parent);
/* NULL with no exception set: no live handle of this kind. */
pyacl_handle *pyacl_handle_find(char kind, const void *key);
void pyacl_handle_remove(pyacl_handle *handle);
/* Forgets the descriptions that belong to a dataset. */
void pyacl_handle_drop_children(const void *parent);
const char *pyacl_handle_name(char kind);

/* ---- Later (keep.c) ---- */

/* Views and objects that work on a stream still needs. */
typedef struct pyacl_kept {
    struct pyacl_kept *next;
    int views, objects;
    jmpy_view view[8];
    PyObject *object[];
} pyacl_kept;
/* Released when the stream has passed what is enqueued now. Always takes it over. */
void pyacl_keep(pyacl_kept *kept, aclrtStream stream);
/* Releases what streams have passed. */
void pyacl_collect(void);

/* ---- Calls (call.c) ---- */

typedef union pyacl_slot {
    uint64_t u;
    int64_t i;
    double f;
    void *p;
    const char *s;
} pyacl_slot;

enum { PYACL_ARGS = 17, PYACL_OUTS = 3 };

/* One call under way: what the adapters of functions.c read and write. */
typedef struct pyacl_frame {
    pyacl_slot arg[PYACL_ARGS], out[PYACL_OUTS];
    aclError code;
    size_t list_count;
    int64_t list[ACL_MAX_DIM_CNT];
    union {
        aclmdlIODims dims;
        aclmdlBatch batch;
        aclmdlHW hw;
        const aclAippInfo *aipp; /* in big_memory */
    } big;
    void *big_memory; /* of the call, from malloc */
    jmpy_view view[PYACL_ARGS];
    pyacl_handle *handle[PYACL_ARGS];
    PyObject *text[PYACL_ARGS];
    pyacl_handle **pinned; /* buffers inside datasets */
    size_t pins;
} pyacl_frame;

typedef enum pyacl_mode {
    PYACL_FAST,   /* short: the GIL is kept */
    PYACL_WAIT,   /* may take time: the GIL is released */
    PYACL_STREAM, /* enqueues on the stream that is the last argument: memory of Python objects is kept until then */
} pyacl_mode;

/* One function.
 * takes, a letter an argument, after '|' optional: i int32, u uint32, n size, y int8, z uint8, j int16, e float; a
 * address that is read, w address that is written, each no shorter than a size that follows; s text, o number or text;
 * h handle of the runtime, which checks it; l list of int64, m dict of dims; a handle of pyacl_handle.kind: B D T X C E
 * A, or R: a dataset whose buffers are used; before it '!' when it is destroyed and '+' when it is changed. gives, a
 * letter a result: r the code, u unsigned, i signed, f float, s text, - None, d dims, b batches, g sizes of pictures, p
 * AIPP parameters, @ the first argument, x the description of a dataset, or a new handle of a kind. */
typedef struct pyacl_function {
    const char *module, *name, *takes, *gives;
    pyacl_mode mode;
    void (*call)(pyacl_frame *frame);
} pyacl_function;

/* A number of aclAippInfo: b int8, i int32 or enum, f float. */
typedef struct pyacl_aipp_field {
    const char *name;
    char kind;
    size_t offset;
} pyacl_aipp_field;
/* Ends with a name of NULL. */
extern const pyacl_aipp_field pyacl_aipp_fields[];

extern const pyacl_function pyacl_functions[];
extern const size_t pyacl_function_count;
PyObject *pyacl_call(const pyacl_function *function, PyObject *arguments);

/* ---- Functions of their own: util.c, callback.c ---- */

PyObject *pyacl_numpy_to_ptr(PyObject *self, PyObject *arguments);
PyObject *pyacl_bytes_to_ptr(PyObject *self, PyObject *arguments);
PyObject *pyacl_ptr_to_numpy(PyObject *self, PyObject *arguments);
PyObject *pyacl_ptr_to_bytes(PyObject *self, PyObject *arguments);
PyObject *pyacl_start_thread(PyObject *self, PyObject *arguments);
PyObject *pyacl_stop_thread(PyObject *self, PyObject *arguments);
PyObject *pyacl_launch_callback(PyObject *self, PyObject *arguments);
PyObject *pyacl_launch_host_func(PyObject *self, PyObject *arguments);

/* ---- Names (names.c) ---- */

typedef struct pyacl_constant {
    const char *name;
    long long value;
} pyacl_constant;
extern const pyacl_constant pyacl_constants[];
extern const size_t pyacl_constant_count;
/* "op.cast", "media.dvpp_malloc": functions of the interface that this library does not have. */
extern const char *const pyacl_missing[];
extern const size_t pyacl_missing_count;

#endif
