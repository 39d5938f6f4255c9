/* SPDX-License-Identifier: Apache-2.0 */
#include "walk/alloc_hook.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(JUMAR_ANY_SANITIZER)

#include "base/alloc.h"

const bool alloc_hook_sees_all = false;

static uint64_t wanted;

void alloc_hook_fail_at(uint64_t n, bool rest)
{
    (void)rest;
    wanted = n;
    (void)jm_alloc_fail_at(n);
}

bool alloc_hook_end(void)
{
    return jm_alloc_fail_at(0) >= wanted;
}

int64_t alloc_hook_live(void)
{
    return 0;
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The allocator of the C library under its other names. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *memory);

const bool alloc_hook_sees_all = true;

static atomic_bool armed;
static bool all_after;
static atomic_uint_fast64_t seen, target;
static atomic_int_fast64_t live;

static bool fails_now(void)
{
    if (!atomic_load_explicit(&armed, memory_order_acquire)) return false;
    const uint64_t n = atomic_fetch_add(&seen, 1) + 1;
    const uint64_t at = atomic_load(&target);
    if (at == 0 || (all_after ? n < at : n != at)) return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *memory)
{
    if (memory) atomic_fetch_add(&live, 1);
    return memory;
}

/* Other libraries must find these before those of the C library. */
#pragma GCC visibility push(default)

void *malloc(size_t size)
{
    return fails_now() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    if (fails_now()) return NULL;
    void *moved = __libc_realloc(memory, size);
    if (!memory) return counted(moved);
    if (size == 0 && !moved) atomic_fetch_sub(&live, 1);
    return moved;
}

void *memalign(size_t align, size_t size)
{
    return fails_now() ? NULL : counted(__libc_memalign(align, size));
}

void *aligned_alloc(size_t align, size_t size)
{
    return memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    *out = memalign(align, size);
    return *out ? 0 : ENOMEM;
}

void free(void *memory)
{
    if (memory) atomic_fetch_sub(&live, 1);
    __libc_free(memory);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (fails_now()) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static create_thread *next_create_thread;

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*run)(void *),
                   void *restrict argument)
{
    return fails_now() ? EAGAIN : next_create_thread(thread, attributes, run, argument);
}

#pragma GCC visibility pop

void alloc_hook_fail_at(uint64_t n, bool rest)
{
    atomic_store(&seen, 0);
    atomic_store(&target, n);
    all_after = rest;
    atomic_store_explicit(&armed, true, memory_order_release);
}

bool alloc_hook_end(void)
{
    atomic_store(&armed, false);
    return atomic_load(&target) && atomic_load(&seen) >= atomic_load(&target);
}

int64_t alloc_hook_live(void)
{
    return atomic_load(&live);
}

/* The environment is for programs that it was preloaded into. */
__attribute__((constructor)) static void begin(void)
{
    next_create_thread = (create_thread *)dlsym(RTLD_NEXT, "pthread_create");
    const char *once = getenv("JUMAR_FAIL_ALLOCATION"), *from = getenv("JUMAR_FAIL_FROM");
    if (once || from) alloc_hook_fail_at(strtoull(once ? once : from, NULL, 10), !once);
}

#endif
