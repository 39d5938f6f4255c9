/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of Python objects that a stream still works on. The stream's thread only puts it on a list, so that it never
 * needs the GIL; the next call of the module releases it.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "binding.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pyacl_kept *passed;
static atomic_bool some_passed;

static void release(pyacl_kept *kept)
{
    for (int i = 0; i < kept->views; i++) jmpy_view_release(&kept->view[i]);
    for (int i = 0; i < kept->objects; i++) Py_DECREF(kept->object[i]);
    PyMem_Free(kept);
}

/* On a thread of the runtime, without the GIL. */
static void stream_passed(void *argument)
{
    pyacl_kept *kept = argument;
    pthread_mutex_lock(&lock);
    kept->next = passed;
    passed = kept;
    pthread_mutex_unlock(&lock);
    atomic_store(&some_passed, true);
}

void pyacl_keep(pyacl_kept *kept, aclrtStream stream)
{
    aclError code;
    Py_BEGIN_ALLOW_THREADS code = aclrtLaunchHostFunc(stream, stream_passed, kept);
    if (code) (void)aclrtSynchronizeStream(stream);
    Py_END_ALLOW_THREADS if (code) release(kept);
}

void pyacl_collect(void)
{
    if (!atomic_exchange(&some_passed, false)) return;
    pthread_mutex_lock(&lock);
    pyacl_kept *kept = passed;
    passed = NULL;
    pthread_mutex_unlock(&lock);
    while (kept) {
        pyacl_kept *next = kept->next;
        release(kept);
        kept = next;
    }
}
