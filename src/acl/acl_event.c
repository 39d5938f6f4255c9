/* SPDX-License-Identifier: Apache-2.0
 *
 * Events, callbacks and host functions. Arguments are checked and codes mapped here; the rest is in runtime/.
 */
#include "acl/acl_rt.h"
#include "acl/code.h"
#include "acl/rt.h"
#include "runtime/runtime.h"

/* ---- Events ---- */

enum {
    EVENT_FLAGS = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE | ACL_EVENT_DEVICE_USE_ONLY |
                  ACL_EVENT_EXTERNAL | ACL_EVENT_IPC
};

static aclError create(const char *function, jm_event_kind kind, uint32_t flag, aclrtEvent *event)
{
    if (!event) return jm_acl_null(function, "event");
    if (!flag || flag & ~(uint32_t)EVENT_FLAGS)
        return jm_acl_error(ACL_ERROR_RT_PARAM_INVALID, "%s: flag 0x%x; combine ACL_EVENT_* flags", function, flag);
    return jm_acl_code(jm_event_create(kind, flag & ACL_EVENT_TIME_LINE, (jm_event **)event));
}

aclError aclrtCreateEvent(aclrtEvent *event)
{
    return create(__func__, JM_EVENT_PLAIN, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE, event);
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
    return create(__func__, flag & ACL_EVENT_SYNC ? JM_EVENT_FLAG : JM_EVENT_PLAIN, flag, event);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag)
{
    return create(__func__, JM_EVENT_CAPTURE, flag, event);
}

aclError aclrtDestroyEvent(aclrtEvent event)
{
    JM_ACL_NOT_NULL(event);
    return jm_acl_code(jm_event_destroy(event));
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
    JM_ACL_NOT_NULL(event);
    return jm_acl_code(jm_event_record(event, stream));
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
    JM_ACL_NOT_NULL(event);
    return jm_acl_code(jm_event_reset(event, stream));
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
    JM_ACL_NOT_NULL(event);
    return jm_acl_code(jm_stream_wait_event(stream, event));
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
    JM_ACL_NOT_NULL(event);
    JM_ACL_NOT_NULL(status);
    bool done = false;
    jm_status result = jm_event_query(event, &done);
    if (result == JM_OK) *status = done ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return jm_acl_code(result);
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
    JM_ACL_NOT_NULL(event);
    JM_ACL_NOT_NULL(status);
    bool done = false;
    jm_status result = jm_event_query(event, &done);
    if (result == JM_OK) *status = done ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return jm_acl_code(result);
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status)
{
    JM_ACL_NOT_NULL(event);
    JM_ACL_NOT_NULL(status);
    bool done = false;
    jm_status result = jm_event_query_waits(event, &done);
    if (result == JM_OK) *status = done ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return jm_acl_code(result);
}

static aclError synchronize(aclrtEvent event, int32_t timeout)
{
    jm_status status = jm_event_synchronize(event, timeout);
    if (status == JM_TIMEOUT) return jm_acl_error(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "%s", jm_last_error());
    return jm_acl_code(status);
}

aclError aclrtSynchronizeEvent(aclrtEvent event)
{
    JM_ACL_NOT_NULL(event);
    return synchronize(event, -1);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
    JM_ACL_TIMEOUT(timeout);
    JM_ACL_NOT_NULL(event);
    return synchronize(event, timeout);
}

static aclError time_of(aclrtEvent event, uint64_t *ns)
{
    jm_status status = jm_event_time(event, ns);
    if (status == JM_NOT_READY || status == JM_UNSUPPORTED)
        return jm_acl_error(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "%s", jm_last_error());
    return jm_acl_code(status);
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
    JM_ACL_NOT_NULL(ms);
    JM_ACL_NOT_NULL(startEvent);
    JM_ACL_NOT_NULL(endEvent);
    uint64_t start, end;
    aclError code = time_of(startEvent, &start);
    if (code == ACL_SUCCESS) code = time_of(endEvent, &end);
    if (code != ACL_SUCCESS) return code;
    if (end < start)
        return jm_acl_error(ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL, "%s: the end event was reached before the start",
                            __func__);
    *ms = (float)((double)(end - start) / 1e6);
    return ACL_SUCCESS;
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp)
{
    JM_ACL_NOT_NULL(event);
    JM_ACL_NOT_NULL(timestamp);
    uint64_t ns;
    aclError code = time_of(event, &ns);
    if (code == ACL_SUCCESS) *timestamp = ns / 1000;
    return code;
}

/* ---- Callbacks ---- */

/* The stream behind a handle, so that what the calls below report about it is not about a missing context. */
static aclError resolve(aclrtStream handle, jm_stream **stream)
{
    return jm_acl_code(jm_stream_resolve(handle, stream));
}

/* `code` for `from`, the usual code for the rest. */
static aclError instead(jm_status status, jm_status from, aclError code)
{
    return status == from ? jm_acl_error(code, "%s", jm_last_error()) : jm_acl_code(status);
}

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    jm_stream *resolved;
    aclError code = resolve(stream, &resolved);
    if (code != ACL_SUCCESS) return code;
    return instead(jm_callback_subscribe(threadId, resolved), JM_BAD_STATE, ACL_ERROR_RT_STREAM_SUBSCRIBE);
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    jm_stream *resolved;
    aclError code = resolve(stream, &resolved);
    if (code != ACL_SUCCESS) return code;
    return instead(jm_callback_unsubscribe(threadId, resolved), JM_NOT_FOUND, ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream)
{
    JM_ACL_NOT_NULL(fn);
    if (blockType != ACL_CALLBACK_BLOCK && blockType != ACL_CALLBACK_NO_BLOCK)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: block type %d; use 0 (no) or 1 (yes)", __func__,
                            (int)blockType);
    jm_stream *resolved;
    aclError code = resolve(stream, &resolved);
    if (code != ACL_SUCCESS) return code;
    return instead(jm_callback_launch(resolved, fn, userData, blockType == ACL_CALLBACK_BLOCK), JM_BAD_STATE,
                   ACL_ERROR_RT_STREAM_NO_CB_REG);
}

aclError aclrtProcessReport(int32_t timeout)
{
    if (timeout < -1 || timeout == 0)
        return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: timeout %d; use milliseconds above 0 or -1", __func__,
                            timeout);
    jm_status status = jm_callback_process(timeout);
    if (status == JM_TIMEOUT) return jm_acl_error(ACL_ERROR_RT_REPORT_TIMEOUT, "%s", jm_last_error());
    return instead(status, JM_BAD_STATE, ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args)
{
    JM_ACL_NOT_NULL(fn);
    return jm_acl_code(jm_host_function_launch(stream, fn, args));
}
