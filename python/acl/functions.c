/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of functions: a line each. Letters: pyacl_function in binding.h.
 */
#include <stdlib.h>

#include "binding.h"

/* What a line's expression is made of: argument i as a type, result k, the code. */
#define J(at) ((int32_t)f->arg[at].i)
#define U(at) ((uint32_t)f->arg[at].u)
#define N(at) ((size_t)f->arg[at].u)
#define P(at) (f->arg[at].p)
#define S(at) (f->arg[at].s)
#define R(call) f->code = (call)
#define V(k, call) (f->code = ACL_SUCCESS, f->out[k] = (pyacl_slot){.u = (uint64_t)(call)})
#define VI(k, call) (f->code = ACL_SUCCESS, f->out[k] = (pyacl_slot){.i = (call)})
#define VP(k, call) (f->code = ACL_SUCCESS, f->out[k] = (pyacl_slot){.p = (call)})
#define VS(k, call) (f->code = ACL_SUCCESS, f->out[k] = (pyacl_slot){.s = (call)})

/* Out parameters of another width than a slot. */
static aclError run_mode(pyacl_frame *f)
{
    aclrtRunMode mode = ACL_HOST;
    aclError code = aclrtGetRunMode(&mode);
    f->out[0].u = mode;
    return code;
}

#define OUT_I32(name, call)                                                                                            \
    static aclError name(pyacl_frame *f)                                                                               \
    {                                                                                                                  \
        int32_t value = 0;                                                                                             \
        aclError code = call;                                                                                          \
        f->out[0].i = value;                                                                                           \
        return code;                                                                                                   \
    }
#define OUT_U32(name, call)                                                                                            \
    static aclError name(pyacl_frame *f)                                                                               \
    {                                                                                                                  \
        uint32_t value = 0;                                                                                            \
        aclError code = call;                                                                                          \
        f->out[0].u = value;                                                                                           \
        return code;                                                                                                   \
    }
#define OUT_SIZE(name, call)                                                                                           \
    static aclError name(pyacl_frame *f)                                                                               \
    {                                                                                                                  \
        size_t value = 0;                                                                                              \
        aclError code = call;                                                                                          \
        f->out[0].u = value;                                                                                           \
        return code;                                                                                                   \
    }

static aclError device_count(pyacl_frame *f)
{
    uint32_t value = 0;
    aclError code = aclrtGetDeviceCount(&value);
    f->out[0].u = value;
    return code;
}

static aclError current_device(pyacl_frame *f)
{
    int32_t value = 0;
    aclError code = aclrtGetDevice(&value);
    f->out[0].i = value;
    return code;
}

OUT_I32(can_access_peer, aclrtDeviceCanAccessPeer(&value, J(0), J(1)))
OUT_I32(stream_id, aclrtStreamGetId(P(0), &value))
OUT_U32(load_file, aclmdlLoadFromFile(S(0), &value))
OUT_U32(load_memory, aclmdlLoadFromMem(P(0), N(1), &value))
OUT_U32(load_file_with_memory, aclmdlLoadFromFileWithMem(S(0), &value, P(1), N(2), P(3), N(4)))
OUT_U32(load_memory_with_memory, aclmdlLoadFromMemWithMem(P(0), N(1), &value, P(2), N(3), P(4), N(5)))
OUT_U32(load_with_config, aclmdlLoadWithConfig(P(0), &value))
OUT_SIZE(input_index, aclmdlGetInputIndexByName(P(0), S(1), &value))
OUT_SIZE(output_index, aclmdlGetOutputIndexByName(P(0), S(1), &value))
OUT_SIZE(gear_count, aclmdlGetInputDynamicGearCount(P(0), f->arg[1].i < 0 ? (size_t)-1 : N(1), &value))

static aclError version(pyacl_frame *f)
{
    int32_t major, minor, patch;
    aclError code = aclrtGetVersion(&major, &minor, &patch);
    f->out[0].i = major;
    f->out[1].i = minor;
    f->out[2].i = patch;
    return code;
}

static aclError memory_info(pyacl_frame *f)
{
    size_t available = 0, total = 0;
    aclError code = aclrtGetMemInfo((aclrtMemAttr)J(0), &available, &total);
    f->out[0].u = available;
    f->out[1].u = total;
    return code;
}

static aclError query_size(pyacl_frame *f, bool from_file)
{
    size_t work = 0, weight = 0;
    aclError code =
        from_file ? aclmdlQuerySize(S(0), &work, &weight) : aclmdlQuerySizeFromMem(P(0), N(1), &work, &weight);
    f->out[0].u = work;
    f->out[1].u = weight;
    return code;
}

static aclError stream_query(pyacl_frame *f)
{
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    aclError code = aclrtStreamQuery(P(0), &status);
    f->out[0].u = status;
    return code;
}

static aclError event_query(pyacl_frame *f)
{
    aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
    aclError code = aclrtQueryEvent(P(0), &status);
    f->out[0].u = status;
    return code;
}

static aclError event_status(pyacl_frame *f)
{
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    aclError code = aclrtQueryEventStatus(P(0), &status);
    f->out[0].u = status;
    return code;
}

static aclError event_wait_status(pyacl_frame *f)
{
    aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
    aclError code = aclrtQueryEventWaitStatus(P(0), &status);
    f->out[0].u = status;
    return code;
}

static aclError event_elapsed(pyacl_frame *f)
{
    float ms = 0;
    aclError code = aclrtEventElapsedTime(&ms, P(0), P(1));
    f->out[0].f = ms;
    return code;
}

static aclError dimension(pyacl_frame *f)
{
    int64_t value = 0;
    aclError code = aclGetTensorDescDimV2(P(0), N(1), &value);
    f->out[0].i = value;
    return code;
}

/* Values of options are numbers of the size of their kind, or the address of a text. */
static size_t load_option_size(int attribute)
{
    return attribute == ACL_MDL_PRIORITY_INT32 || attribute == ACL_MDL_WITHOUT_GRAPH_INT32 ? sizeof(int32_t)
                                                                                           : sizeof(uint64_t);
}

static size_t run_option_size(int attribute)
{
    return attribute == ACL_MDL_STREAM_SYNC_TIMEOUT || attribute == ACL_MDL_EVENT_SYNC_TIMEOUT ||
                   attribute == ACL_MDL_EXEC_PRIORITY_INT32 || attribute == ACL_MDL_NPU_PERF_MODE
               ? sizeof(int32_t)
               : sizeof(uint64_t);
}

static aclError set_option(pyacl_frame *f, size_t size, bool run)
{
    int32_t narrow = J(2);
    const void *value = size == sizeof(narrow) ? (const void *)&narrow : (const void *)&f->arg[2];
    return run ? aclmdlSetExecConfigOpt(P(0), (aclmdlExecConfigAttr)J(1), value, size)
               : aclmdlSetConfigOpt(P(0), (aclmdlConfigAttr)J(1), value, size);
}

/* Numbers of an argument as C takes them. */
#define I8(at) ((int8_t)f->arg[at].i)
#define U8(at) ((uint8_t)f->arg[at].u)
#define I16(at) ((int16_t)f->arg[at].i)
#define F(at) ((float)f->arg[at].f)

OUT_SIZE(aipp_size, aclmdlGetAippDataSize(f->arg[0].u, &value))

static aclError aipp_csc(pyacl_frame *f)
{
    return aclmdlSetAIPPCscParams(P(0), I8(1), I16(2), I16(3), I16(4), I16(5), I16(6), I16(7), I16(8), I16(9), I16(10),
                                  U8(11), U8(12), U8(13), U8(14), U8(15), U8(16));
}

static aclError aipp_type(pyacl_frame *f)
{
    aclmdlInputAippType type = ACL_DATA_WITHOUT_AIPP;
    size_t attached = ACL_INVALID_NODE_INDEX;
    aclError code = aclmdlGetAippType(U(0), N(1), &type, &attached);
    f->out[0].i = type;
    f->out[1].u = attached;
    return code;
}

static aclError aipp_info(pyacl_frame *f)
{
    f->big.aipp = f->big_memory = calloc(1, sizeof(aclAippInfo));
    return f->big_memory ? aclmdlGetFirstAippInfo(U(0), N(1), f->big_memory) : ACL_ERROR_BAD_ALLOC;
}

#define KIND(at) ((aclrtMemcpyKind)J(at))
#define DIMS (&f->big.dims)

#define FUNCTIONS(X)                                                                                                   \
    /* start, end, messages */                                                                                         \
    X(, init, "|s", "r", WAIT, R(aclInit(S(0))))                                                                       \
    X(, finalize, "", "r", WAIT, R(aclFinalize()))                                                                     \
    X(, get_soc_name, "", "s", FAST, VS(0, aclrtGetSocName()))                                                         \
    X(, get_recent_err_msg, "", "s", FAST, VS(0, aclGetRecentErrMsg()))                                                \
    X(, app_log, "is", "-", FAST, (aclAppLog((aclLogLevel)J(0), "", "", 0, "%s", S(1) ? S(1) : ""), R(ACL_SUCCESS)))   \
    X(rt, get_version, "", "iiir", FAST, R(version(f)))                                                                \
    X(rt, get_soc_name, "", "s", FAST, VS(0, aclrtGetSocName()))                                                       \
    X(rt, get_last_error, "i", "i", FAST, VI(0, aclrtGetLastError((aclrtLastErrLevel)J(0))))                           \
    X(rt, peek_at_last_error, "i", "i", FAST, VI(0, aclrtPeekAtLastError((aclrtLastErrLevel)J(0))))                    \
    /* devices and contexts */                                                                                         \
    X(rt, get_run_mode, "", "ur", FAST, R(run_mode(f)))                                                                \
    X(rt, get_device_count, "", "ur", FAST, R(device_count(f)))                                                        \
    X(rt, get_device, "", "ir", FAST, R(current_device(f)))                                                            \
    X(rt, set_device, "i", "r", WAIT, R(aclrtSetDevice(J(0))))                                                         \
    X(rt, reset_device, "i", "r", WAIT, R(aclrtResetDevice(J(0))))                                                     \
    X(rt, reset_device_force, "i", "r", WAIT, R(aclrtResetDeviceForce(J(0))))                                          \
    X(rt, synchronize_device, "", "r", WAIT, R(aclrtSynchronizeDevice()))                                              \
    X(rt, device_can_access_peer, "ii", "ir", FAST, R(can_access_peer(f)))                                             \
    X(rt, device_enable_peer_access, "iu", "r", FAST, R(aclrtDeviceEnablePeerAccess(J(0), U(1))))                      \
    X(rt, device_disable_peer_access, "i", "r", FAST, R(aclrtDeviceDisablePeerAccess(J(0))))                           \
    X(rt, create_context, "i", "ur", WAIT, R(aclrtCreateContext(&f->out[0].p, J(0))))                                  \
    X(rt, destroy_context, "h", "r", WAIT, R(aclrtDestroyContext(P(0))))                                               \
    X(rt, set_context, "h", "r", FAST, R(aclrtSetCurrentContext(P(0))))                                                \
    X(rt, get_context, "", "ur", FAST, R(aclrtGetCurrentContext(&f->out[0].p)))                                        \
    /* streams and events */                                                                                           \
    X(rt, create_stream, "", "ur", WAIT, R(aclrtCreateStream(&f->out[0].p)))                                           \
    X(rt, create_stream_with_config, "uu", "ur", WAIT, R(aclrtCreateStreamWithConfig(&f->out[0].p, U(0), U(1))))       \
    X(rt, destroy_stream, "h", "r", WAIT, R(aclrtDestroyStream(P(0))))                                                 \
    X(rt, synchronize_stream, "h", "r", WAIT, R(aclrtSynchronizeStream(P(0))))                                         \
    X(rt, synchronize_stream_with_timeout, "hi", "r", WAIT, R(aclrtSynchronizeStreamWithTimeout(P(0), J(1))))          \
    X(rt, stream_query, "h", "ur", FAST, R(stream_query(f)))                                                           \
    X(rt, stream_get_id, "h", "ir", FAST, R(stream_id(f)))                                                             \
    X(rt, stream_wait_event, "hh", "r", WAIT, R(aclrtStreamWaitEvent(P(0), P(1))))                                     \
    X(rt, create_event, "", "ur", FAST, R(aclrtCreateEvent(&f->out[0].p)))                                             \
    X(rt, create_event_with_flag, "u", "ur", FAST, R(aclrtCreateEventWithFlag(&f->out[0].p, U(0))))                    \
    X(rt, create_event_ex_with_flag, "u", "ur", FAST, R(aclrtCreateEventExWithFlag(&f->out[0].p, U(0))))               \
    X(rt, destroy_event, "h", "r", FAST, R(aclrtDestroyEvent(P(0))))                                                   \
    X(rt, record_event, "hh", "r", WAIT, R(aclrtRecordEvent(P(0), P(1))))                                              \
    X(rt, reset_event, "hh", "r", WAIT, R(aclrtResetEvent(P(0), P(1))))                                                \
    X(rt, query_event, "h", "ur", FAST, R(event_query(f)))                                                             \
    X(rt, query_event_status, "h", "ur", FAST, R(event_status(f)))                                                     \
    X(rt, query_event_wait_status, "h", "ur", FAST, R(event_wait_status(f)))                                           \
    X(rt, synchronize_event, "h", "r", WAIT, R(aclrtSynchronizeEvent(P(0))))                                           \
    X(rt, synchronize_event_with_timeout, "hi", "r", WAIT, R(aclrtSynchronizeEventWithTimeout(P(0), J(1))))            \
    X(rt, event_elapsed_time, "hh", "fr", FAST, R(event_elapsed(f)))                                                   \
    X(rt, event_get_timestamp, "h", "ur", FAST, R(aclrtEventGetTimestamp(P(0), &f->out[0].u)))                         \
    X(rt, subscribe_report, "nh", "r", WAIT, R(aclrtSubscribeReport(N(0), P(1))))                                      \
    X(rt, unsubscribe_report, "nh", "r", WAIT, R(aclrtUnSubscribeReport(N(0), P(1))))                                  \
    X(rt, process_report, "i", "r", WAIT, R(aclrtProcessReport(J(0))))                                                 \
    /* memory */                                                                                                       \
    X(rt, malloc, "nu", "ur", WAIT, R(aclrtMalloc(&f->out[0].p, N(0), (aclrtMemMallocPolicy)U(1))))                    \
    X(rt, malloc_align32, "nu", "ur", WAIT, R(aclrtMallocAlign32(&f->out[0].p, N(0), (aclrtMemMallocPolicy)U(1))))     \
    X(rt, free, "a", "r", WAIT, R(aclrtFree(P(0))))                                                                    \
    X(rt, malloc_host, "n", "ur", WAIT, R(aclrtMallocHost(&f->out[0].p, N(0))))                                        \
    X(rt, free_host, "a", "r", WAIT, R(aclrtFreeHost(P(0))))                                                           \
    X(rt, get_mem_info, "i", "uur", FAST, R(memory_info(f)))                                                           \
    X(rt, memcpy, "wnani", "r", WAIT, R(aclrtMemcpy(P(0), N(1), P(2), N(3), KIND(4))))                                 \
    X(rt, memset, "wnin", "r", WAIT, R(aclrtMemset(P(0), N(1), J(2), N(3))))                                           \
    X(rt, memcpy_async, "wnanih", "r", STREAM, R(aclrtMemcpyAsync(P(0), N(1), P(2), N(3), KIND(4), P(5))))             \
    X(rt, memset_async, "wninh", "r", STREAM, R(aclrtMemsetAsync(P(0), N(1), J(2), N(3), P(4))))                       \
    /* data buffers and tensor descriptions */                                                                         \
    X(, data_type_size, "i", "u", FAST, V(0, aclDataTypeSize((aclDataType)J(0))))                                      \
    X(, create_data_buffer, "an", "B", FAST, VP(0, aclCreateDataBuffer(P(0), N(1))))                                   \
    X(, destroy_data_buffer, "!B", "r", FAST, R(aclDestroyDataBuffer(P(0))))                                           \
    X(, get_data_buffer_addr, "B", "u", FAST, VP(0, aclGetDataBufferAddr(P(0))))                                       \
    X(, get_data_buffer_size, "B", "u", FAST, V(0, aclGetDataBufferSize(P(0))))                                        \
    X(, get_data_buffer_size_v2, "B", "u", FAST, V(0, aclGetDataBufferSizeV2(P(0))))                                   \
    X(, update_data_buffer, "+Bhn", "r", FAST, R(aclUpdateDataBuffer(P(0), P(1), N(2))))                               \
    X(, create_tensor_desc, "ili", "X", FAST,                                                                          \
      VP(0, aclCreateTensorDesc((aclDataType)J(0), (int)f->list_count, f->list, (aclFormat)J(2))))                     \
    X(, destroy_tensor_desc, "!X", "-", FAST, (aclDestroyTensorDesc(P(0)), R(ACL_SUCCESS)))                            \
    X(, get_tensor_desc_type, "X", "i", FAST, VI(0, aclGetTensorDescType(P(0))))                                       \
    X(, get_tensor_desc_format, "X", "i", FAST, VI(0, aclGetTensorDescFormat(P(0))))                                   \
    X(, get_tensor_desc_num_dims, "X", "u", FAST, V(0, aclGetTensorDescNumDims(P(0))))                                 \
    X(, get_tensor_desc_element_count, "X", "u", FAST, V(0, aclGetTensorDescElementCount(P(0))))                       \
    X(, get_tensor_desc_size, "X", "u", FAST, V(0, aclGetTensorDescSize(P(0))))                                        \
    X(, get_tensor_desc_dim, "Xn", "i", FAST, VI(0, aclGetTensorDescDim(P(0), N(1))))                                  \
    X(, get_tensor_desc_dim_v2, "Xn", "ir", FAST, R(dimension(f)))                                                     \
    X(, set_tensor_desc_name, "+Xs", "-", FAST, (aclSetTensorDescName(P(0), S(1)), R(ACL_SUCCESS)))                    \
    X(, get_tensor_desc_name, "X", "s", FAST, VS(0, aclGetTensorDescName(P(0))))                                       \
    X(, set_tensor_format, "+Xi", "r", FAST, R(aclSetTensorFormat(P(0), (aclFormat)J(1))))                             \
    X(, set_tensor_shape, "+Xl", "r", FAST, R(aclSetTensorShape(P(0), (int)f->list_count, f->list)))                   \
    X(, set_tensor_const, "+Xhn", "r", FAST, R(aclSetTensorConst(P(0), P(1), N(2))))                                   \
    X(, set_tensor_place_ment, "+Xi", "r", FAST, R(aclSetTensorPlaceMent(P(0), (aclMemType)J(1))))                     \
    /* models */                                                                                                       \
    X(mdl, query_size, "s", "uur", WAIT, R(query_size(f, true)))                                                       \
    X(mdl, query_size_from_mem, "an", "uur", WAIT, R(query_size(f, false)))                                            \
    X(mdl, load_from_file, "s", "ur", WAIT, R(load_file(f)))                                                           \
    X(mdl, load_from_mem, "an", "ur", WAIT, R(load_memory(f)))                                                         \
    X(mdl, load_from_file_with_mem, "shnhn", "ur", WAIT, R(load_file_with_memory(f)))                                  \
    X(mdl, load_from_mem_with_mem, "anhnhn", "ur", WAIT, R(load_memory_with_memory(f)))                                \
    X(mdl, create_config_handle, "", "C", FAST, VP(0, aclmdlCreateConfigHandle()))                                     \
    X(mdl, destroy_config_handle, "!C", "r", FAST, R(aclmdlDestroyConfigHandle(P(0))))                                 \
    X(mdl, set_config_opt, "+Cio", "r", FAST, R(set_option(f, load_option_size(J(1)), false)))                         \
    X(mdl, load_with_config, "C", "ur", WAIT, R(load_with_config(f)))                                                  \
    X(mdl, unload, "u", "r", WAIT, R(aclmdlUnload(U(0))))                                                              \
    X(mdl, create_desc, "", "D", FAST, VP(0, aclmdlCreateDesc()))                                                      \
    X(mdl, destroy_desc, "!D", "r", FAST, R(aclmdlDestroyDesc(P(0))))                                                  \
    X(mdl, get_desc, "+Du", "r", FAST, R(aclmdlGetDesc(P(0), U(1))))                                                   \
    X(mdl, get_desc_from_file, "+Ds", "r", WAIT, R(aclmdlGetDescFromFile(P(0), S(1))))                                 \
    X(mdl, get_desc_from_mem, "+Dan", "r", WAIT, R(aclmdlGetDescFromMem(P(0), P(1), N(2))))                            \
    X(mdl, get_num_inputs, "D", "u", FAST, V(0, aclmdlGetNumInputs(P(0))))                                             \
    X(mdl, get_num_outputs, "D", "u", FAST, V(0, aclmdlGetNumOutputs(P(0))))                                           \
    X(mdl, get_input_size_by_index, "Dn", "u", FAST, V(0, aclmdlGetInputSizeByIndex(P(0), N(1))))                      \
    X(mdl, get_output_size_by_index, "Dn", "u", FAST, V(0, aclmdlGetOutputSizeByIndex(P(0), N(1))))                    \
    X(mdl, get_input_dims, "Dn", "dr", FAST, R(aclmdlGetInputDims(P(0), N(1), DIMS)))                                  \
    X(mdl, get_input_dims_v2, "Dn", "dr", FAST, R(aclmdlGetInputDimsV2(P(0), N(1), DIMS)))                             \
    X(mdl, get_output_dims, "Dn", "dr", FAST, R(aclmdlGetOutputDims(P(0), N(1), DIMS)))                                \
    X(mdl, get_cur_output_dims, "Dn", "dr", FAST, R(aclmdlGetCurOutputDims(P(0), N(1), DIMS)))                         \
    X(mdl, get_tensor_real_name, "Ds", "s", FAST, VS(0, aclmdlGetTensorRealName(P(0), S(1))))                          \
    X(mdl, get_input_name_by_index, "Dn", "s", FAST, VS(0, aclmdlGetInputNameByIndex(P(0), N(1))))                     \
    X(mdl, get_output_name_by_index, "Dn", "s", FAST, VS(0, aclmdlGetOutputNameByIndex(P(0), N(1))))                   \
    X(mdl, get_input_format, "Dn", "i", FAST, VI(0, aclmdlGetInputFormat(P(0), N(1))))                                 \
    X(mdl, get_output_format, "Dn", "i", FAST, VI(0, aclmdlGetOutputFormat(P(0), N(1))))                               \
    X(mdl, get_input_data_type, "Dn", "i", FAST, VI(0, aclmdlGetInputDataType(P(0), N(1))))                            \
    X(mdl, get_output_data_type, "Dn", "i", FAST, VI(0, aclmdlGetOutputDataType(P(0), N(1))))                          \
    X(mdl, get_input_index_by_name, "Ds", "ur", FAST, R(input_index(f)))                                               \
    X(mdl, get_output_index_by_name, "Ds", "ur", FAST, R(output_index(f)))                                             \
    /* datasets and running */                                                                                         \
    X(mdl, create_dataset, "", "T", FAST, VP(0, aclmdlCreateDataset()))                                                \
    X(mdl, destroy_dataset, "!T", "r", FAST, R(aclmdlDestroyDataset(P(0))))                                            \
    X(mdl, add_dataset_buffer, "+TB", "@r", FAST, R(aclmdlAddDatasetBuffer(P(0), P(1))))                               \
    X(mdl, get_dataset_num_buffers, "T", "u", FAST, V(0, aclmdlGetDatasetNumBuffers(P(0))))                            \
    X(mdl, get_dataset_buffer, "Tn", "u", FAST, VP(0, aclmdlGetDatasetBuffer(P(0), N(1))))                             \
    X(mdl, set_dataset_tensor_desc, "+TXn", "@r", FAST, R(aclmdlSetDatasetTensorDesc(P(0), P(1), N(2))))               \
    X(mdl, get_dataset_tensor_desc, "Tn", "x", FAST, VP(0, aclmdlGetDatasetTensorDesc(P(0), N(1))))                    \
    X(mdl, execute, "uRR", "r", WAIT, R(aclmdlExecute(U(0), P(1), P(2))))                                              \
    X(mdl, execute_async, "uRRh", "r", STREAM, R(aclmdlExecuteAsync(U(0), P(1), P(2), P(3))))                          \
    X(mdl, create_exec_config_handle, "", "E", FAST, VP(0, aclmdlCreateExecConfigHandle()))                            \
    X(mdl, destroy_exec_config_handle, "!E", "r", FAST, R(aclmdlDestroyExecConfigHandle(P(0))))                        \
    X(mdl, set_exec_config_opt, "+Eio", "r", FAST, R(set_option(f, run_option_size(J(1)), true)))                      \
    X(mdl, execute_v2, "uRRhE", "r", WAIT, R(aclmdlExecuteV2(U(0), P(1), P(2), P(3), P(4))))                           \
    /* models of several sizes */                                                                                      \
    X(mdl, set_dynamic_batch_size, "u+Rnn", "r", FAST, R(aclmdlSetDynamicBatchSize(U(0), P(1), N(2), N(3))))           \
    X(mdl, set_dynamic_hw_size, "u+Rnnn", "r", FAST, R(aclmdlSetDynamicHWSize(U(0), P(1), N(2), N(3), N(4))))          \
    X(mdl, set_input_dynamic_dims, "u+Rnm", "r", FAST, R(aclmdlSetInputDynamicDims(U(0), P(1), N(2), DIMS)))           \
    X(mdl, get_dynamic_batch, "D", "br", FAST, R(aclmdlGetDynamicBatch(P(0), &f->big.batch)))                          \
    X(mdl, get_dynamic_hw, "Di", "gr", FAST, R(aclmdlGetDynamicHW(P(0), 0, &f->big.hw)))                               \
    X(mdl, get_input_dynamic_gear_count, "Di", "ur", FAST, R(gear_count(f)))                                           \
    /* preprocessing inside the model */                                                                               \
    X(mdl, create_aipp, "n", "A", FAST, VP(0, aclmdlCreateAIPP(f->arg[0].u)))                                          \
    X(mdl, destroy_aipp, "!A", "r", FAST, R(aclmdlDestroyAIPP(P(0))))                                                  \
    X(mdl, get_aipp_data_size, "n", "ur", FAST, R(aipp_size(f)))                                                       \
    X(mdl, set_aipp_input_format, "+Ai", "r", FAST, R(aclmdlSetAIPPInputFormat(P(0), (aclAippInputFormat)J(1))))       \
    X(mdl, set_aipp_csc_params, "+Ayjjjjjjjjjzzzzzz", "r", FAST, R(aipp_csc(f)))                                       \
    X(mdl, set_aipp_rbuv_swap_switch, "+Ay", "r", FAST, R(aclmdlSetAIPPRbuvSwapSwitch(P(0), I8(1))))                   \
    X(mdl, set_aipp_ax_swap_switch, "+Ay", "r", FAST, R(aclmdlSetAIPPAxSwapSwitch(P(0), I8(1))))                       \
    X(mdl, set_aipp_src_image_size, "+Aii", "r", FAST, R(aclmdlSetAIPPSrcImageSize(P(0), J(1), J(2))))                 \
    X(mdl, set_aipp_scf_params, "+Ayiiiin", "r", FAST,                                                                 \
      R(aclmdlSetAIPPScfParams(P(0), I8(1), J(2), J(3), J(4), J(5), f->arg[6].u)))                                     \
    X(mdl, set_aipp_crop_params, "+Ayiiiin", "r", FAST,                                                                \
      R(aclmdlSetAIPPCropParams(P(0), I8(1), J(2), J(3), J(4), J(5), f->arg[6].u)))                                    \
    X(mdl, set_aipp_padding_params, "+Ayiiiin", "r", FAST,                                                             \
      R(aclmdlSetAIPPPaddingParams(P(0), I8(1), J(2), J(3), J(4), J(5), f->arg[6].u)))                                 \
    X(mdl, set_aipp_dtc_pixel_mean, "+Ajjjjn", "r", FAST,                                                              \
      R(aclmdlSetAIPPDtcPixelMean(P(0), I16(1), I16(2), I16(3), I16(4), f->arg[5].u)))                                 \
    X(mdl, set_aipp_dtc_pixel_min, "+Aeeeen", "r", FAST,                                                               \
      R(aclmdlSetAIPPDtcPixelMin(P(0), F(1), F(2), F(3), F(4), f->arg[5].u)))                                          \
    X(mdl, set_aipp_pixel_var_reci, "+Aeeeen", "r", FAST,                                                              \
      R(aclmdlSetAIPPPixelVarReci(P(0), F(1), F(2), F(3), F(4), f->arg[5].u)))                                         \
    X(mdl, set_input_aipp, "u+RnA", "r", FAST, R(aclmdlSetInputAIPP(U(0), P(1), N(2), P(3))))                          \
    X(mdl, set_aipp_by_input_index, "u+RnA", "r", FAST, R(aclmdlSetAIPPByInputIndex(U(0), P(1), N(2), P(3))))          \
    X(mdl, get_aipp_type, "un", "iur", FAST, R(aipp_type(f)))                                                          \
    X(mdl, get_first_aipp_info, "un", "pr", FAST, R(aipp_info(f)))

#define ADAPTER(module, name, takes, gives, mode, call)                                                                \
    static void call_##module##_##name(pyacl_frame *f)                                                                 \
    {                                                                                                                  \
        (void)f;                                                                                                       \
        call;                                                                                                          \
    }
FUNCTIONS(ADAPTER)

#define LINE(module, name, takes, gives, mode, call)                                                                   \
    {#module, #name, takes, gives, PYACL_##mode, call_##module##_##name},
const pyacl_function pyacl_functions[] = {FUNCTIONS(LINE)};
const size_t pyacl_function_count = sizeof(pyacl_functions) / sizeof(pyacl_functions[0]);
