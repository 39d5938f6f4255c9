/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices, contexts, streams and memory. Arguments are checked and codes mapped here; the rest is in runtime/.
 */
#include "acl/acl_rt.h"

#include <string.h>

#include "acl/code.h"
#include "acl/rt.h"
#include "base/alloc.h"
#include "base/system.h"
#include "runtime/runtime.h"

/* ---- Devices and contexts ---- */

/* Functions that take a device number have a code of their own for a wrong one. */
static aclError device_code(jm_status status)
{
    return status == JM_OUT_OF_RANGE ? jm_acl_error(ACL_ERROR_RT_INVALID_DEVICEID, "%s", jm_last_error())
                                     : jm_acl_code(status);
}

aclError jm_acl_synchronize_code(jm_status status)
{
    switch (status) {
    case JM_OK:
    case JM_TIMEOUT:
    case JM_NOT_FOUND:
    case JM_BAD_STATE:
    case JM_DEVICE_LOST:
        return jm_acl_code(status);
    default:
        jm_acl_report_exception(ACL_ERROR_RT_AICORE_EXCEPTION);
        return jm_acl_error(ACL_ERROR_RT_AICORE_EXCEPTION, "%s", jm_last_error());
    }
}

aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
    JM_ACL_NOT_NULL(runMode);
    *runMode = ACL_HOST;
    return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
    JM_ACL_NOT_NULL(count);
    return jm_acl_code(jm_runtime_device_count(count));
}

aclError aclrtSetDevice(int32_t deviceId)
{
    return device_code(jm_runtime_set_device(deviceId));
}

aclError aclrtResetDevice(int32_t deviceId)
{
    return device_code(jm_runtime_reset_device(deviceId, false));
}

aclError aclrtResetDeviceForce(int32_t deviceId)
{
    return device_code(jm_runtime_reset_device(deviceId, true));
}

aclError aclrtGetDevice(int32_t *deviceId)
{
    JM_ACL_NOT_NULL(deviceId);
    return jm_acl_code(jm_runtime_get_device(deviceId));
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active)
{
    JM_ACL_NOT_NULL(active);
    if (flags) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: flags must be NULL", __func__);
    bool on = false;
    jm_status status = jm_runtime_primary_active(deviceId, &on);
    *active = on;
    return device_code(status);
}

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
    JM_ACL_NOT_NULL(context);
    return device_code(jm_context_create(deviceId, (jm_context **)context));
}

aclError aclrtDestroyContext(aclrtContext context)
{
    JM_ACL_NOT_NULL(context);
    return jm_acl_code(jm_context_destroy(context));
}

aclError aclrtSetCurrentContext(aclrtContext context)
{
    JM_ACL_NOT_NULL(context);
    return jm_acl_code(jm_context_set_current(context));
}

aclError aclrtGetCurrentContext(aclrtContext *context)
{
    JM_ACL_NOT_NULL(context);
    return jm_acl_code(jm_context_get_current((jm_context **)context));
}

aclError aclrtSynchronizeDevice(void)
{
    return jm_acl_synchronize_code(jm_device_synchronize(-1));
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
    JM_ACL_TIMEOUT(timeout);
    return jm_acl_synchronize_code(jm_device_synchronize(timeout));
}

/* ---- Other devices ---- */

static aclError check_peer(const char *function, int32_t device, int32_t peer)
{
    unsigned count;
    jm_status status = jm_runtime_device_count(&count);
    if (status != JM_OK) return jm_acl_code(status);
    if (device == peer)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: device %d is no peer of itself", function, device);
    int32_t wrong = device < 0 || (uint32_t)device >= count ? device : peer;
    if (wrong < 0 || (uint32_t)wrong >= count)
        return jm_acl_error(ACL_ERROR_RT_INVALID_DEVICEID, "%s: there is no device %d of %u", function, wrong, count);
    return ACL_SUCCESS;
}

aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId)
{
    JM_ACL_NOT_NULL(canAccessPeer);
    aclError code = check_peer(__func__, deviceId, peerDeviceId);
    *canAccessPeer = code == ACL_SUCCESS;
    return code;
}

static aclError check_own_peer(const char *function, int32_t peer)
{
    int device;
    jm_status status = jm_runtime_get_device(&device);
    return status == JM_OK ? check_peer(function, device, peer) : jm_acl_code(status);
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags)
{
    if (flags) return jm_acl_error(ACL_ERROR_FEATURE_UNSUPPORTED, "%s: flags must be 0", __func__);
    return check_own_peer(__func__, peerDeviceId);
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId)
{
    return check_own_peer(__func__, peerDeviceId);
}

/* ---- Streams ---- */

aclError aclrtCreateStream(aclrtStream *stream)
{
    JM_ACL_NOT_NULL(stream);
    return jm_acl_code(jm_stream_create((jm_stream **)stream));
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
    (void)priority;
    (void)flag;
    return aclrtCreateStream(stream);
}

aclError aclrtDestroyStream(aclrtStream stream)
{
    JM_ACL_NOT_NULL(stream);
    return jm_acl_code(jm_stream_destroy(stream, false));
}

aclError aclrtDestroyStreamForce(aclrtStream stream)
{
    JM_ACL_NOT_NULL(stream);
    return jm_acl_code(jm_stream_destroy(stream, true));
}

aclError aclrtSynchronizeStream(aclrtStream stream)
{
    return jm_acl_synchronize_code(jm_stream_synchronize(stream, -1));
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
    JM_ACL_TIMEOUT(timeout);
    return jm_acl_synchronize_code(jm_stream_synchronize(stream, timeout));
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
    JM_ACL_NOT_NULL(status);
    bool idle = false;
    jm_status result = jm_stream_query(stream, &idle);
    if (result == JM_OK) *status = idle ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return jm_acl_code(result);
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId)
{
    JM_ACL_NOT_NULL(streamId);
    return jm_acl_code(jm_stream_id(stream, streamId));
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode)
{
    if (mode > ACL_STOP_ON_FAILURE)
        return jm_acl_error(ACL_ERROR_RT_PARAM_INVALID, "%s: mode %llu; use 0 (continue) or 1 (stop)", __func__,
                            (unsigned long long)mode);
    return jm_acl_code(jm_stream_set_stop_on_failure(stream, mode == ACL_STOP_ON_FAILURE));
}

/* ---- Memory ---- */

static aclError check_size(const char *function, size_t size)
{
    return size ? ACL_SUCCESS : jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: the size must not be 0", function);
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    (void)policy;
    JM_ACL_NOT_NULL(devPtr);
    *devPtr = NULL;
    aclError code = check_size(__func__, size);
    return code == ACL_SUCCESS ? jm_acl_code(jm_memory_allocate(size, devPtr)) : code;
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    return aclrtMalloc(devPtr, size, policy);
}

aclError aclrtFree(void *devPtr)
{
    JM_ACL_NOT_NULL(devPtr);
    return jm_acl_code(jm_memory_free(devPtr));
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
    JM_ACL_NOT_NULL(hostPtr);
    *hostPtr = NULL;
    aclError code = check_size(__func__, size);
    return code == ACL_SUCCESS ? jm_acl_code(jm_host_allocate(size, hostPtr)) : code;
}

aclError aclrtFreeHost(void *hostPtr)
{
    JM_ACL_NOT_NULL(hostPtr);
    return jm_acl_code(jm_host_free(hostPtr));
}

aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
    static const aclrtMemLocationType type[] = {
        [JM_MEMORY_UNKNOWN] = ACL_MEM_LOCATION_TYPE_UNREGISTERED,
        [JM_MEMORY_DEVICE] = ACL_MEM_LOCATION_TYPE_DEVICE,
        [JM_MEMORY_HOST] = ACL_MEM_LOCATION_TYPE_HOST,
    };
    JM_ACL_NOT_NULL(ptr);
    JM_ACL_NOT_NULL(attributes);
    int device;
    jm_memory_kind kind = jm_memory_kind_of(ptr, &device);
    *attributes = (aclrtPtrAttributes){.location = {.id = device < 0 ? 0 : (uint32_t)device, .type = type[kind]},
                                       .pageSize = (uint32_t)jm_page_size()};
    return ACL_SUCCESS;
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
    JM_ACL_NOT_NULL(free);
    JM_ACL_NOT_NULL(total);
    if ((unsigned)attr > ACL_MEM_P2P_HUGE1G)
        return jm_acl_error(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no kind of memory %d", __func__, (int)attr);
    jm_memory_statistics statistics;
    jm_status status = jm_memory_get_statistics(&statistics);
    if (status != JM_OK) return jm_acl_code(status);
    *total = statistics.limit;
    *free = statistics.limit - statistics.allocated - statistics.deferred;
    return ACL_SUCCESS;
}

static aclError check_range(const char *function, const void *target, size_t room, size_t count)
{
    if (!target) return jm_acl_null(function, "the target");
    if (count <= room) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_RT_PARAM_INVALID, "%s: %zu bytes into a target of %zu", function, count, room);
}

static aclError check_copy(const char *function, const void *target, size_t room, const void *source, size_t count,
                           aclrtMemcpyKind kind)
{
    if (!source) return jm_acl_null(function, "src");
    if ((unsigned)kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: kind %d; use 0 to %d", function, (int)kind,
                            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE);
    return check_range(function, target, room, count);
}

/* Copies that need no stream still need a context, as on the card. */
static aclError check_context(void)
{
    jm_context *context;
    return jm_acl_code(jm_context_get_current(&context));
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
    if (!count) return ACL_SUCCESS;
    aclError code = check_copy(__func__, dst, destMax, src, count, kind);
    if (code == ACL_SUCCESS) code = check_context();
    if (code == ACL_SUCCESS) memmove(jm_device_pointer(dst), jm_device_pointer(src), count);
    return code;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    if (!count) return ACL_SUCCESS;
    aclError code = check_range(__func__, devPtr, maxCount, count);
    if (code == ACL_SUCCESS) code = check_context();
    if (code == ACL_SUCCESS) memset(jm_device_pointer(devPtr), value, count);
    return code;
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream)
{
    if (!count) return ACL_SUCCESS;
    aclError code = check_copy(__func__, dst, destMax, src, count, kind);
    return code == ACL_SUCCESS ? jm_acl_code(jm_stream_copy(stream, dst, src, count)) : code;
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream)
{
    if (!count) return ACL_SUCCESS;
    aclError code = check_range(__func__, devPtr, maxCount, count);
    return code == ACL_SUCCESS ? jm_acl_code(jm_stream_fill(stream, devPtr, value, count)) : code;
}

aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream)
{
    JM_ACL_NOT_NULL(devAddr);
    if (flag) return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: flag must be 0", __func__);
    return jm_acl_code(jm_stream_value_write(stream, devAddr, value));
}

aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream)
{
    JM_ACL_NOT_NULL(devAddr);
    return jm_acl_code(jm_stream_value_wait(stream, devAddr, value, (jm_value_test)flag));
}

/* ---- Virtual memory ---- */

static aclError no_virtual_memory(const char *function)
{
    return jm_acl_error(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                        "%s: this device has no virtual memory management; use "
                        "aclrtMalloc",
                        function);
}

aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags)
{
    (void)virPtr, (void)size, (void)alignment, (void)expectPtr, (void)flags;
    return no_virtual_memory(__func__);
}

aclError aclrtReleaseMemAddress(void *virPtr)
{
    (void)virPtr;
    return no_virtual_memory(__func__);
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size, const aclrtPhysicalMemProp *prop, uint64_t flags)
{
    (void)handle, (void)size, (void)prop, (void)flags;
    return no_virtual_memory(__func__);
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle)
{
    (void)handle;
    return no_virtual_memory(__func__);
}

aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags)
{
    (void)virPtr, (void)size, (void)offset, (void)handle, (void)flags;
    return no_virtual_memory(__func__);
}

aclError aclrtUnmapMem(void *virPtr)
{
    (void)virPtr;
    return no_virtual_memory(__func__);
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop, aclrtMemGranularityOptions option,
                                          size_t *granularity)
{
    (void)prop, (void)option, (void)granularity;
    return no_virtual_memory(__func__);
}
