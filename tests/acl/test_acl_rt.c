/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime as a program sees it: codes, argument checks, and one life of every object. What the objects do under
 * load is tested in tests/runtime.
 */
#include <pthread.h>
#include <unistd.h>

#include "acl_test.h"

#include "base/alloc.h"
#include "base/file.h"
#include "runtime/runtime.h"

static void init_and_finalize(void **state)
{
    (void)state;
    char path[] = "/tmp/jumar-acl-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(aclInit("/nonexistent/acl.json"), ACL_ERROR_INVALID_FILE);
    assert_message("/nonexistent/acl.json");
    assert_ok(jm_file_write(path, "{\"dump\": ", 9));
    assert_int_equal(aclInit(path), ACL_ERROR_PARSE_FILE);
    assert_message("JSON");
    assert_ok(jm_file_write(path, "{\"dump\": {}}", 12));
    assert_int_equal(aclInit(path), ACL_SUCCESS);
    assert_int_equal(aclInit(NULL), ACL_ERROR_REPEAT_INITIALIZE);
    assert_int_equal(aclFinalize(), ACL_SUCCESS);
    assert_int_equal(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
    assert_int_equal(aclInit(""), ACL_SUCCESS);
    assert_int_equal(aclFinalize(), ACL_SUCCESS);
    assert_int_equal(aclInit(NULL), ACL_SUCCESS);
    assert_int_equal(aclFinalize(), ACL_SUCCESS);
    unlink(path);

    int32_t major, minor, patch, number;
    aclrtErrorInfo fault;
    char version[ACL_PKG_VERSION_MAX_SIZE], runtime[] = "runtime", other[] = "abacus";
    assert_int_equal(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
    assert_int_equal(major, ACL_MAJOR_VERSION);
    assert_int_equal(aclrtGetVersion(&major, NULL, &patch), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclsysGetVersionStr(runtime, version), ACL_SUCCESS);
    assert_true(version[0] >= '0' && version[0] <= '9');
    assert_int_equal(aclsysGetVersionStr(other, version), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclsysGetVersionNum(runtime, &number), ACL_SUCCESS);
    assert_int_equal(sscanf(version, "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(number, major * 10000000 + minor * 100000 + patch * 1000);
    assert_int_equal(aclsysGetVersionNum(other, &number), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclsysGetVersionNum(runtime, NULL), ACL_ERROR_INVALID_PARAM);
    memset(&fault, 0xFF, sizeof(fault));
    assert_int_equal(aclrtGetErrorVerbose(0, &fault), ACL_SUCCESS);
    assert_true(fault.errorType == ACL_RT_NO_ERROR && !fault.tryRepair && !fault.hasDetail);
    assert_int_equal(aclrtGetErrorVerbose(0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtGetErrorVerbose(99, &fault), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_string_equal(aclrtGetSocName(), "Ascend910B3");
    aclAppLog(ACL_ERROR, __func__, __FILE__, __LINE__, "%d", 1);
}

static void errors_are_kept_for_the_thread(void **state)
{
    (void)state;
    (void)aclGetRecentErrMsg();
    (void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    assert_int_equal(aclrtMalloc(NULL, 1, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_ERROR_INVALID_PARAM);
    assert_message("aclrtMalloc: devPtr must not be NULL");
    assert_int_equal(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
    assert_int_equal(aclrtGetLastError((aclrtLastErrLevel)1), ACL_ERROR_RT_PARAM_INVALID);
}

static void nothing_works_without_a_context(void **state)
{
    (void)state;
    void *memory;
    aclrtStream stream;
    aclrtContext context;
    int32_t device;
    char a = 0, b = 1;
    assert_int_equal(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclrtMalloc(&memory, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
    assert_message("aclrtSetDevice");
    assert_int_equal(aclrtSynchronizeStream(NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclrtMemcpy(&a, 1, &b, 1, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclrtMemset(&a, 1, 0, 1), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclrtSubscribeReport(1, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_NULL);
}

static void devices_and_contexts(void **state)
{
    (void)state;
    uint32_t count;
    int32_t device, active, access;
    aclrtRunMode mode;
    aclrtContext own, seen;
    assert_int_equal(aclrtGetDeviceCount(&count), ACL_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(aclrtGetRunMode(&mode), ACL_SUCCESS);
    assert_int_equal(mode, ACL_HOST);
    assert_int_equal(aclrtSetDevice(1), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_message("JUMAR_DEVICES");
    assert_int_equal(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_int_equal(aclrtGetPrimaryCtxState(0, NULL, &active), ACL_SUCCESS);
    assert_int_equal(active, 1);
    assert_int_equal(aclrtGetPrimaryCtxState(0, &count, &active), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtCreateContext(&own, 3), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_int_equal(aclrtCreateContext(&own, 0), ACL_SUCCESS);
    assert_int_equal(aclrtGetCurrentContext(&seen), ACL_SUCCESS);
    assert_ptr_equal(seen, own);
    assert_int_equal(aclrtGetDevice(&device), ACL_SUCCESS);
    assert_int_equal(device, 0);
    assert_int_equal(aclrtDestroyContext(own), ACL_SUCCESS);
    assert_int_equal(aclrtSetCurrentContext(own), ACL_ERROR_RT_INVALID_HANDLE);
    assert_int_equal(aclrtDestroyContext(NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtSetDevice(0), ACL_SUCCESS);
    assert_int_equal(aclrtGetCurrentContext(&own), ACL_SUCCESS);
    assert_int_equal(aclrtDestroyContext(own), ACL_ERROR_RT_PARAM_INVALID);

    assert_int_equal(aclrtDeviceCanAccessPeer(&access, 0, 0), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtDeviceCanAccessPeer(&access, 0, 1), ACL_ERROR_RT_INVALID_DEVICEID);
    setenv("JUMAR_DEVICES", "2", 1);
    assert_int_equal(aclrtDeviceCanAccessPeer(&access, 0, 1), ACL_SUCCESS);
    assert_int_equal(access, 1);
    assert_int_equal(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
    assert_int_equal(aclrtDeviceEnablePeerAccess(1, 1), ACL_ERROR_FEATURE_UNSUPPORTED);
    assert_int_equal(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
    unsetenv("JUMAR_DEVICES");
}

static void memory_and_copies(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    unsigned char *host, *device, *back;
    size_t free_before, free_now, total;
    assert_int_equal(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total), ACL_SUCCESS);
    assert_int_equal(aclrtMallocHost((void **)&host, SIZE), ACL_SUCCESS);
    assert_int_equal(aclrtMallocHost((void **)&back, SIZE), ACL_SUCCESS);
    assert_int_equal(aclrtMalloc((void **)&device, SIZE, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    assert_int_equal(aclrtGetMemInfo(ACL_HBM_MEM, &free_now, &total), ACL_SUCCESS);
    assert_int_equal(free_before - free_now, 100352);
    assert_true(free_now < total);
    assert_int_equal(aclrtGetMemInfo((aclrtMemAttr)99, &free_now, &total), ACL_ERROR_RT_PARAM_INVALID);
    for (int i = 0; i < SIZE; i++) host[i] = (unsigned char)test_random();
    assert_int_equal(aclrtMemcpy(device, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
    assert_int_equal(aclrtMemcpy(back, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
    assert_memory_equal(host, back, SIZE);
    assert_int_equal(aclrtMemcpy(device, 10, host, 11, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    assert_message("11 bytes into a target of 10");
    assert_int_equal(aclrtMemcpy(NULL, 10, host, 1, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtMemcpy(device, 10, NULL, 1, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtMemcpy(device, 10, host, 1, (aclrtMemcpyKind)77), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtMemcpy(NULL, 0, NULL, 0, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
    assert_int_equal(aclrtMemset(device, SIZE, 0x1ff, SIZE), ACL_SUCCESS);
    assert_int_equal(device[SIZE - 1], 0xff);
    assert_int_equal(aclrtMemset(device, 10, 0, 11), ACL_ERROR_RT_PARAM_INVALID);
    for (int kind = ACL_MEMCPY_HOST_TO_HOST; kind <= ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE; kind++)
        assert_int_equal(aclrtMemcpyAsync(device, SIZE, host, SIZE, (aclrtMemcpyKind)kind, NULL), ACL_SUCCESS);
    assert_int_equal(aclrtMemsetAsync(device, SIZE, 7, 1, NULL), ACL_SUCCESS);
    assert_int_equal(aclrtMemcpyAsync(back, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, NULL), ACL_SUCCESS);
    assert_int_equal(aclrtSynchronizeStream(NULL), ACL_SUCCESS);
    host[0] = 7;
    assert_memory_equal(host, back, SIZE);
    assert_int_equal(aclrtMemcpyAsync(device, 1, host, 2, ACL_MEMCPY_DEFAULT, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(aclrtMemsetAsync(device, 1, 0, 2, NULL), ACL_ERROR_RT_PARAM_INVALID);

    aclrtPtrAttributes attributes;
    assert_int_equal(aclrtPointerGetAttributes(device, &attributes), ACL_SUCCESS);
    assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    assert_int_equal(aclrtPointerGetAttributes(host, &attributes), ACL_SUCCESS);
    assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
    assert_int_equal(aclrtPointerGetAttributes(&attributes, &attributes), ACL_SUCCESS);
    assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);

    assert_int_equal(aclrtFree(host), ACL_ERROR_RT_INVALID_HANDLE);
    assert_int_equal(aclrtFreeHost(device), ACL_ERROR_RT_INVALID_HANDLE);
    assert_int_equal(aclrtFree(device), ACL_SUCCESS);
    assert_int_equal(aclrtFree(device), ACL_ERROR_RT_INVALID_HANDLE);
    assert_message("freed before");
    assert_int_equal(aclrtFreeHost(host), ACL_SUCCESS);
    assert_int_equal(aclrtFreeHost(host), ACL_ERROR_RT_INVALID_HANDLE);
    assert_int_equal(aclrtFreeHost(back), ACL_SUCCESS);
    void *none = &none;
    assert_int_equal(aclrtMalloc(&none, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
    assert_null(none);
    assert_int_equal(aclrtMalloc(&none, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_message("Failed to allocate");
    assert_int_equal(aclrtMallocHost(&none, 0), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtMallocAlign32(&none, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    assert_int_equal(aclrtFree(none), ACL_SUCCESS);
    size_t granularity;
    aclrtPhysicalMemProp property = {0};
    assert_int_equal(aclrtMemGetAllocationGranularity(&property, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_int_equal(aclrtReserveMemAddress(&none, 1, 0, NULL, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

static void streams_and_events(void **state)
{
    (void)state;
    aclrtStream stream, other;
    aclrtStreamStatus stream_status;
    aclrtEvent start, finish, flag, ex;
    int32_t id;
    assert_int_equal(aclrtCreateStream(NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtCreateStream(&stream), ACL_SUCCESS);
    assert_int_equal(aclrtCreateStreamWithConfig(&other, 0, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC),
                     ACL_SUCCESS);
    assert_int_equal(aclrtStreamGetId(stream, &id), ACL_SUCCESS);
    assert_int_equal(aclrtCreateEvent(&start), ACL_SUCCESS);
    assert_int_equal(aclrtCreateEvent(&finish), ACL_SUCCESS);
    assert_int_equal(aclrtCreateEventWithFlag(&flag, ACL_EVENT_SYNC), ACL_SUCCESS);
    assert_int_equal(aclrtCreateEventExWithFlag(&ex, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(aclrtCreateEventWithFlag(&ex, 0x4000), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(aclrtCreateEventExWithFlag(&ex, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE), ACL_SUCCESS);

    aclrtEventRecordedStatus recorded;
    float ms;
    assert_int_equal(aclrtQueryEventStatus(start, &recorded), ACL_SUCCESS);
    assert_int_equal(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    assert_int_equal(aclrtQueryEventStatus(ex, &recorded), ACL_SUCCESS);
    assert_int_equal(recorded, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    assert_int_equal(aclrtEventElapsedTime(&ms, start, finish), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
    assert_int_equal(aclrtRecordEvent(start, stream), ACL_SUCCESS);
    assert_int_equal(aclrtStreamWaitEvent(other, start), ACL_SUCCESS);
    assert_int_equal(aclrtRecordEvent(finish, other), ACL_SUCCESS);
    assert_int_equal(aclrtSynchronizeEvent(finish), ACL_SUCCESS);
    assert_int_equal(aclrtQueryEventStatus(finish, &recorded), ACL_SUCCESS);
    assert_int_equal(recorded, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    aclrtEventStatus old;
    assert_int_equal(aclrtQueryEvent(finish, &old), ACL_SUCCESS);
    assert_int_equal(old, ACL_EVENT_STATUS_COMPLETE);
    assert_int_equal(aclrtEventElapsedTime(&ms, start, finish), ACL_SUCCESS);
    assert_true(ms >= 0);
    uint64_t us;
    assert_int_equal(aclrtEventGetTimestamp(finish, &us), ACL_SUCCESS);
    usleep(10);
    assert_int_equal(aclrtRecordEvent(start, stream), ACL_SUCCESS);
    assert_int_equal(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    assert_int_equal(aclrtEventElapsedTime(&ms, start, finish), ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL);
    assert_int_equal(aclrtResetEvent(start, stream), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);

    /* A flag holds the stream until it is recorded. */
    aclrtEventWaitStatus waited;
    assert_int_equal(aclrtStreamWaitEvent(stream, flag), ACL_SUCCESS);
    assert_int_equal(aclrtQueryEventWaitStatus(flag, &waited), ACL_SUCCESS);
    assert_int_equal(waited, ACL_EVENT_WAIT_STATUS_NOT_READY);
    assert_int_equal(aclrtStreamQuery(stream, &stream_status), ACL_SUCCESS);
    assert_int_equal(stream_status, ACL_STREAM_STATUS_NOT_READY);
    assert_int_equal(aclrtSynchronizeStreamWithTimeout(stream, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert_int_equal(aclrtSynchronizeDeviceWithTimeout(5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert_int_equal(aclrtSynchronizeEventWithTimeout(flag, 5), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    assert_int_equal(aclrtSynchronizeStreamWithTimeout(stream, -2), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(aclrtRecordEvent(flag, other), ACL_SUCCESS);
    assert_int_equal(aclrtResetEvent(flag, stream), ACL_SUCCESS);
    assert_int_equal(aclrtSynchronizeStreamWithTimeout(stream, -1), ACL_SUCCESS);
    assert_int_equal(aclrtStreamQuery(stream, &stream_status), ACL_SUCCESS);
    assert_int_equal(stream_status, ACL_STREAM_STATUS_COMPLETE);
    assert_int_equal(aclrtEventElapsedTime(&ms, flag, flag), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);

    uint64_t *value;
    assert_int_equal(aclrtMalloc((void **)&value, 8, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
    assert_int_equal(aclrtMemset(value, 8, 0, 8), ACL_SUCCESS);
    assert_int_equal(aclrtValueWait(value, 3, ACL_STREAM_WAIT_VALUE_GEQ, stream), ACL_SUCCESS);
    assert_int_equal(aclrtSynchronizeStreamWithTimeout(stream, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert_int_equal(aclrtValueWrite(value, 4, 0, other), ACL_SUCCESS);
    assert_int_equal(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    assert_int_equal(aclrtValueWrite(value, 4, 1, other), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtValueWait(value, 4, 9, other), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(aclrtValueWait(NULL, 4, 0, other), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtFree(value), ACL_SUCCESS);

    aclrtEvent all[] = {start, finish, flag, ex};
    for (size_t i = 0; i < JM_COUNT(all); i++) assert_int_equal(aclrtDestroyEvent(all[i]), ACL_SUCCESS);
    assert_int_equal(aclrtDestroyEvent(ex), ACL_ERROR_RT_INVALID_HANDLE);
    assert_int_equal(aclrtRecordEvent(ex, stream), ACL_ERROR_RT_INVALID_HANDLE);
    assert_int_equal(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
    assert_int_equal(aclrtSetStreamFailureMode(stream, 2), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(aclrtDestroyStream(stream), ACL_SUCCESS);
    assert_int_equal(aclrtDestroyStreamForce(other), ACL_SUCCESS);
    assert_int_equal(aclrtDestroyStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
    assert_int_equal(aclrtDestroyStream(NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
}

static void fail_chunk(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)context;
    (void)chunk;
    (void)core;
    jm_fault(fault, JM_OUT_OF_RANGE);
}

static void a_failed_kernel_shows_when_synchronising(void **state)
{
    (void)state;
    static const jm_step step = {.run = fail_chunk, .chunks = 1};
    assert_ok(jm_stream_submit(NULL, &(jm_command){.step = &step, .steps = 1, .name = "aclnnGather"}));
    assert_int_equal(aclrtSynchronizeStream(NULL), ACL_ERROR_RT_AICORE_EXCEPTION);
    assert_message("aclnnGather");
    assert_int_equal(aclrtSynchronizeStream(NULL), ACL_SUCCESS);
}

static uint32_t told[3]; /* how often, the last task, the last code */

static void tell(aclrtExceptionInfo *info)
{
    told[0]++;
    told[1] = aclrtGetTaskIdFromExceptionInfo(info);
    told[2] = aclrtGetErrorCodeFromExceptionInfo(info);
    assert_int_equal(aclrtGetDeviceIdFromExceptionInfo(info), 0);
    assert_int_not_equal(aclrtGetStreamIdFromExceptionInfo(info), UINT32_MAX);
    assert_int_equal(aclrtGetThreadIdFromExceptionInfo(info), gettid());
    (void)aclrtSetDevice(-1); /* another failure does not hide the message */
}

static void exceptions_are_told(void **state)
{
    (void)state;
    static const jm_step step = {.run = fail_chunk, .chunks = 1};
    aclrtStream stream;
    assert_int_equal(aclrtCreateStream(&stream), ACL_SUCCESS);
    assert_int_equal(aclrtSetExceptionInfoCallback(tell), ACL_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        assert_ok(jm_stream_submit(stream, &(jm_command){.step = &step, .steps = 1, .name = "aclnnGather"}));
        assert_int_equal(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
        assert_message("aclnnGather");
        assert_int_equal(told[0], i + 1);
        assert_int_equal(told[1], i);
        assert_int_equal(told[2], ACL_ERROR_RT_AICORE_EXCEPTION);
    }
    assert_int_equal(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    assert_int_equal(aclrtSetExceptionInfoCallback(NULL), ACL_SUCCESS);
    assert_ok(jm_stream_submit(stream, &(jm_command){.step = &step, .steps = 1, .name = "aclnnGather"}));
    assert_int_equal(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
    assert_int_equal(told[0], 2);
    assert_int_equal(aclrtGetTaskIdFromExceptionInfo(NULL), UINT32_MAX);
    assert_int_equal(aclrtDestroyStream(stream), ACL_SUCCESS);
}

static atomic_int calls;

static void count_call(void *data)
{
    (void)data;
    atomic_fetch_add(&calls, 1);
}

static void *process(void *stop)
{
    while (!atomic_load((atomic_bool *)stop)) (void)aclrtProcessReport(20);
    return NULL;
}

static void callbacks(void **state)
{
    (void)state;
    atomic_bool stop = false;
    pthread_t thread;
    assert_int_equal(aclrtProcessReport(5), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    assert_int_equal(aclrtProcessReport(0), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtLaunchCallback(count_call, NULL, ACL_CALLBACK_BLOCK, NULL), ACL_ERROR_RT_STREAM_NO_CB_REG);
    assert_int_equal(pthread_create(&thread, NULL, process, &stop), 0);
    assert_int_equal(aclrtSubscribeReport((uint64_t)thread, NULL), ACL_SUCCESS);
    assert_int_equal(aclrtSubscribeReport((uint64_t)thread, NULL), ACL_ERROR_RT_STREAM_SUBSCRIBE);
    assert_int_equal(aclrtLaunchCallback(NULL, NULL, ACL_CALLBACK_BLOCK, NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(aclrtLaunchCallback(count_call, NULL, (aclrtCallbackBlockType)2, NULL), ACL_ERROR_INVALID_PARAM);
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(aclrtLaunchCallback(count_call, NULL, ACL_CALLBACK_BLOCK, NULL), ACL_SUCCESS);
        assert_int_equal(aclrtSynchronizeStream(NULL), ACL_SUCCESS);
        assert_int_equal(calls, i);
    }
    assert_int_equal(aclrtUnSubscribeReport((uint64_t)thread, NULL), ACL_SUCCESS);
    assert_int_equal(aclrtUnSubscribeReport((uint64_t)thread, NULL), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    assert_int_equal(aclrtSubscribeReport((uint64_t)pthread_self(), NULL), ACL_SUCCESS);
    assert_int_equal(aclrtProcessReport(5), ACL_ERROR_RT_REPORT_TIMEOUT);
    assert_int_equal(aclrtUnSubscribeReport((uint64_t)pthread_self(), NULL), ACL_SUCCESS);
    assert_int_equal(aclrtLaunchHostFunc(NULL, count_call, NULL), ACL_SUCCESS);
    assert_int_equal(aclrtSynchronizeStream(NULL), ACL_SUCCESS);
    assert_int_equal(calls, 21);
    assert_int_equal(aclrtLaunchHostFunc(NULL, NULL, NULL), ACL_ERROR_INVALID_PARAM);
}

#define WITH_DEVICE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_and_finalize),
        cmocka_unit_test(errors_are_kept_for_the_thread),
        cmocka_unit_test(nothing_works_without_a_context),
        WITH_DEVICE(devices_and_contexts),
        WITH_DEVICE(memory_and_copies),
        WITH_DEVICE(streams_and_events),
        WITH_DEVICE(a_failed_kernel_shows_when_synchronising),
        WITH_DEVICE(exceptions_are_told),
        WITH_DEVICE(callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
