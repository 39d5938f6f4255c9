# SPDX-License-Identifier: Apache-2.0
"""import acl: the program of deployment articles, wrong arguments, stale handles, callbacks from other threads."""
import ast
import gc
import os
import subprocess
import threading
import time

import numpy as np
import pytest

from conftest import program

acl = pytest.importorskip("acl", reason="the module acl was not built")
H2D, D2H = 1, 2


@pytest.fixture(autouse=True, scope="module")
def device():
    assert acl.init() == 0
    assert acl.rt.set_device(0) == 0
    yield
    gc.collect()
    assert acl.rt.reset_device(0) == 0
    assert acl.finalize() == 0


def dataset(desc, count, size):
    """As programs write it: device memory for each tensor, a buffer, a dataset."""
    made = acl.mdl.create_dataset()
    for i in range(count(desc)):
        bytes_ = size(desc, i)
        memory, ret = acl.rt.malloc(bytes_, 0)
        assert ret == 0
        _, ret = acl.mdl.add_dataset_buffer(made, acl.create_data_buffer(memory, bytes_))
        assert ret == 0
    return made


def destroy(made):
    for i in range(acl.mdl.get_dataset_num_buffers(made)):
        buffer = acl.mdl.get_dataset_buffer(made, i)
        assert acl.rt.free(acl.get_data_buffer_addr(buffer)) == 0
        assert acl.destroy_data_buffer(buffer) == 0
    assert acl.mdl.destroy_dataset(made) == 0


@pytest.fixture
def model(models):
    number, ret = acl.mdl.load_from_file(str(models / "fixed.om"))
    assert ret == 0
    desc = acl.mdl.create_desc()
    assert acl.mdl.get_desc(desc, number) == 0
    inputs = dataset(desc, acl.mdl.get_num_inputs, acl.mdl.get_input_size_by_index)
    outputs = dataset(desc, acl.mdl.get_num_outputs, acl.mdl.get_output_size_by_index)
    yield number, desc, inputs, outputs
    destroy(inputs)
    destroy(outputs)
    assert acl.mdl.destroy_desc(desc) == 0
    assert acl.mdl.unload(number) == 0


def picture(seed=1, batch=1):
    return np.random.default_rng(seed).random((batch, 3, 32, 32), np.float32)


def address(made, index=0):
    return acl.get_data_buffer_addr(acl.mdl.get_dataset_buffer(made, index))


def test_five_stages(model, expected):
    """Init, load, buffers, execute, postprocess."""
    number, desc, inputs, outputs = model
    x = picture()
    assert acl.rt.memcpy(address(inputs), x.nbytes, acl.util.numpy_to_ptr(x), x.nbytes, H2D) == 0
    assert acl.mdl.execute(number, inputs, outputs) == 0
    size = acl.mdl.get_output_size_by_index(desc, 0)
    host, ret = acl.rt.malloc_host(size)
    assert ret == 0 and acl.rt.memcpy(host, size, address(outputs), size, D2H) == 0
    dims, ret = acl.mdl.get_output_dims(desc, 0)
    assert ret == 0 and dims["dims"] == [1, 10] and dims["dimCount"] == 2 and dims["name"]
    assert acl.mdl.get_output_data_type(desc, 0) == 0
    found = np.frombuffer(acl.util.ptr_to_bytes(host, size), np.float32).reshape(dims["dims"])
    assert np.allclose(found, expected(x), atol=2e-6)
    same = acl.util.ptr_to_numpy(host, (size,), 1).view(np.float32)
    assert np.array_equal(same, found[0])
    del same
    assert acl.rt.free_host(host) == 0
    index, ret = acl.mdl.get_input_index_by_name(desc, "x")
    assert (index, ret) == (0, 0)
    assert acl.mdl.get_input_index_by_name(desc, "nowhere")[1] == 100000


def test_half_precision_program(models, expected, tmp_path):
    """As the sample resnet50_imagenet_classification: bytes of float16, and datasets gone before the outputs are read."""
    done = subprocess.run([program("atc"), "--framework=5", f"--model={models / 'net.onnx'}", f"--output={tmp_path / 'half'}", "--input_shape=x:1,3,32,32",
                           "--input_format=NCHW", "--input_fp16_nodes=x", "--output_type=FP32", "--out_nodes=y:0", "--soc_version=Ascend310"],
                          capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    number, ret = acl.mdl.load_from_file(str(tmp_path / "half.om"))
    assert ret == 0
    desc = acl.mdl.create_desc()
    assert acl.mdl.get_desc(desc, number) == 0 and acl.mdl.get_input_data_type(desc, 0) == 1
    sizes = acl.mdl.get_input_size_by_index(desc, 0), acl.mdl.get_output_size_by_index(desc, 0)
    x = picture(9).astype(np.float16)
    assert sizes == (x.nbytes, 40)
    memory = [acl.rt.malloc(size, 0)[0] for size in sizes]
    held = x.tobytes()
    assert acl.rt.memcpy(memory[0], sizes[0], acl.util.bytes_to_ptr(held), sizes[0], H2D) == 0
    made = [acl.mdl.create_dataset() for _ in sizes]
    buffers = [acl.create_data_buffer(*pair) for pair in zip(memory, sizes)]
    assert [acl.mdl.add_dataset_buffer(*pair)[1] for pair in zip(made, buffers)] == [0, 0]
    assert acl.mdl.execute(number, *made) == 0
    assert [acl.destroy_data_buffer(buffer) for buffer in buffers] == [0, 0]
    assert [acl.mdl.destroy_dataset(one) for one in made] == [0, 0]
    dims, ret = acl.mdl.get_cur_output_dims(desc, 0)
    assert ret == 0 and dims["dims"] == [1, 10]
    found = np.frombuffer(acl.util.ptr_to_bytes(memory[1], sizes[1]), np.float32).reshape(dims["dims"])
    assert np.allclose(found, expected(x.astype(np.float32)), atol=2e-6)
    assert [acl.rt.free(address) for address in memory] == [0, 0]
    assert acl.mdl.destroy_desc(desc) == 0 and acl.mdl.unload(number) == 0


def test_arrays_as_memory(model, expected):
    """Numpy arrays as the memory of buffers; they stay alive with the buffer."""
    number = model[0]
    result = np.zeros((1, 10), np.float32)
    inputs, outputs = acl.mdl.create_dataset(), acl.mdl.create_dataset()
    buffers = [acl.create_data_buffer(picture(3), 3 * 32 * 32 * 4), acl.create_data_buffer(result, 40)]
    gc.collect()
    assert acl.mdl.add_dataset_buffer(inputs, buffers[0]) == (inputs, 0)
    assert acl.mdl.add_dataset_buffer(outputs, buffers[1]) == (outputs, 0)
    assert acl.mdl.execute(number, inputs, outputs) == 0
    assert np.allclose(result, expected(picture(3)), atol=2e-6)
    result[:] = 0
    stream, ret = acl.rt.create_stream()
    assert ret == 0
    assert acl.mdl.execute_async(number, inputs, outputs, stream) == 0
    for buffer in buffers:
        assert acl.destroy_data_buffer(buffer) == 0
    assert acl.mdl.destroy_dataset(inputs) == 0 and acl.mdl.destroy_dataset(outputs) == 0
    gc.collect()
    assert acl.rt.synchronize_stream(stream) == 0 and acl.rt.destroy_stream(stream) == 0
    assert np.allclose(result, expected(picture(3)), atol=2e-6)


def test_batches(models, expected):
    number, ret = acl.mdl.load_from_mem((models / "batch.om").read_bytes(), (models / "batch.om").stat().st_size)
    assert ret == 0
    desc = acl.mdl.create_desc()
    assert acl.mdl.get_desc(desc, number) == 0
    assert acl.mdl.get_dynamic_batch(desc) == ({"batchCount": 3, "batch": [1, 2, 4]}, 0)
    inputs = dataset(desc, acl.mdl.get_num_inputs, acl.mdl.get_input_size_by_index)
    outputs = dataset(desc, acl.mdl.get_num_outputs, acl.mdl.get_output_size_by_index)
    index, ret = acl.mdl.get_input_index_by_name(desc, "ascend_mbatch_shape_data")
    assert ret == 0 and acl.mdl.set_dynamic_batch_size(number, inputs, index, 2) == 0
    x = picture(4, 2)
    assert acl.rt.memcpy(address(inputs), x.nbytes, x, x.nbytes, H2D) == 0
    assert acl.mdl.execute(number, inputs, outputs) == 0
    dims, ret = acl.mdl.get_cur_output_dims(desc, 0)
    assert ret == 0 and dims["dims"] == [2, 10]
    found = np.zeros((2, 10), np.float32)
    assert acl.rt.memcpy(found, found.nbytes, address(outputs), found.nbytes, D2H) == 0
    assert np.allclose(found, expected(x), atol=2e-6)
    assert acl.mdl.set_dynamic_batch_size(number, inputs, index, 3) == 145013
    destroy(inputs)
    destroy(outputs)
    assert acl.mdl.destroy_desc(desc) == 0 and acl.mdl.unload(number) == 0


@pytest.mark.parametrize("call, error", [
    (lambda: acl.rt.malloc("64", 0), TypeError), (lambda: acl.rt.malloc(64.0, 0), TypeError),
    (lambda: acl.rt.malloc(64), TypeError), (lambda: acl.rt.malloc(-1, 0), ValueError),
    (lambda: acl.rt.set_device(1 << 40), ValueError), (lambda: acl.mdl.load_from_file(5), TypeError),
    (lambda: acl.mdl.load_from_file("a\0b"), ValueError),
    (lambda: acl.rt.memcpy(bytes(8), 8, bytes(8), 8, 0), ValueError),
    (lambda: acl.rt.memcpy(bytearray(8), 9, bytes(8), 8, 0), ValueError),
    (lambda: acl.rt.memcpy(bytearray(8), 8, bytes(8), 9, 0), ValueError),
    (lambda: acl.util.numpy_to_ptr(np.zeros((4, 4))[:, ::2]), ValueError), (lambda: acl.util.bytes_to_ptr(None), TypeError),
    (lambda: acl.util.ptr_to_bytes(0, 4), ValueError), (lambda: acl.util.ptr_to_numpy(64, (4,), 999), ValueError),
    (lambda: acl.util.ptr_to_numpy(64, (1 << 40, 1 << 40), 11), ValueError),
    (lambda: acl.util.start_thread(5, []), TypeError), (lambda: acl.create_tensor_desc(0, 4, 2), TypeError),
    (lambda: acl.create_tensor_desc(0, [1] * 200, 2), ValueError)])
def test_wrong_arguments(call, error):
    with pytest.raises(error):
        call()


def test_stale_and_invented_handles(model):
    number, _, inputs, outputs = model
    for invented in (1, 4096, (1 << 64) - 8, inputs + 8):
        with pytest.raises(ValueError, match="not a live dataset"):
            acl.mdl.execute(number, invented, outputs)
        with pytest.raises(ValueError, match="not a live data buffer"):
            acl.get_data_buffer_addr(invented)
    with pytest.raises(ValueError, match="not a live model description"):
        acl.mdl.get_num_inputs(inputs)  # live, of another kind
    desc = acl.create_tensor_desc(0, [2, 3], 2)
    assert acl.get_tensor_desc_size(desc) == 24 and acl.destroy_tensor_desc(desc) is None
    with pytest.raises(ValueError, match="not a live tensor description"):
        acl.destroy_tensor_desc(desc)
    other, buffer = acl.mdl.create_dataset(), acl.create_data_buffer(bytes(3 * 32 * 32 * 4), 3 * 32 * 32 * 4)
    acl.mdl.add_dataset_buffer(other, buffer)
    assert acl.destroy_data_buffer(buffer) == 0
    with pytest.raises(ValueError, match="not a live data buffer"):
        acl.mdl.execute(number, other, outputs)  # the stale one hides in the dataset
    assert acl.mdl.destroy_dataset(other) == 0
    assert acl.mdl.create_desc() and acl.mdl.execute(12345, inputs, outputs) == 145003
    assert acl.rt.synchronize_stream(4096) == 107017 and acl.rt.free(4096) == 107017
    assert acl.mdl.execute(number, 0, 0) == 100000 and acl.get_recent_err_msg()


def test_description_of_a_dataset_goes_with_it(models):
    number, _ = acl.mdl.load_from_file(models / "range.om")
    inputs, desc = acl.mdl.create_dataset(), acl.create_tensor_desc(0, [2, 3, 32, 32], 2)
    buffer = acl.create_data_buffer(picture(2, 2), 2 * 3 * 32 * 32 * 4)
    acl.mdl.add_dataset_buffer(inputs, buffer)
    assert acl.mdl.set_dataset_tensor_desc(inputs, desc, 0) == (inputs, 0)
    borrowed = acl.mdl.get_dataset_tensor_desc(inputs, 0)
    assert borrowed and acl.get_tensor_desc_dim_v2(borrowed, 0) == (2, 0)
    with pytest.raises(ValueError, match="belongs to dataset"):
        acl.destroy_tensor_desc(borrowed)
    assert acl.mdl.destroy_dataset(inputs) == 0
    with pytest.raises(ValueError, match="not a live"):
        acl.get_tensor_desc_size(borrowed)
    acl.destroy_tensor_desc(desc)
    assert acl.destroy_data_buffer(buffer) == 0 and acl.mdl.unload(number) == 0


def test_callbacks_on_another_thread():
    context, _ = acl.rt.get_context()
    stream, _ = acl.rt.create_stream()
    seen, going = [], [True]

    def process(arguments):
        acl.rt.set_context(arguments[0])
        while going[0]:
            acl.rt.process_report(arguments[1])

    thread, ret = acl.util.start_thread(process, [context, 20])
    assert ret == 0 and acl.rt.subscribe_report(thread, stream) == 0
    for i in range(50):
        assert acl.rt.launch_callback(lambda k: seen.append((k, threading.get_ident())), i, 1, stream) == 0
    assert acl.rt.launch_host_func(stream, seen.append, "host") == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert [k for k, _ in seen[:50]] == list(range(50)) and seen[50] == "host"
    assert {t for _, t in seen[:50]} == {seen[0][1]} != {threading.get_ident()}
    assert acl.rt.unsubscribe_report(thread, stream) == 0
    going[0] = False
    assert acl.util.stop_thread(thread) == 0 and acl.util.stop_thread(thread) == 100000
    assert acl.rt.destroy_stream(stream) == 0


def test_other_threads_run_while_a_call_waits():
    stream, _ = acl.rt.create_stream()
    gate, count = threading.Event(), [0]
    assert acl.rt.launch_host_func(stream, lambda _: gate.wait(20), None) == 0

    def work():
        for _ in range(100):
            count[0] += 1
            time.sleep(0.0001)
        gate.set()

    worker = threading.Thread(target=work)
    worker.start()
    assert acl.rt.synchronize_stream(stream) == 0  # holds the GIL: never ends
    worker.join()
    assert count[0] == 100 and acl.rt.destroy_stream(stream) == 0


def test_a_used_object_cannot_be_destroyed(model):
    """Threads that run a model, and one that tries to take its buffers away."""
    number, _, inputs, outputs = model
    errors = []

    def run():
        acl.rt.set_device(0)
        for _ in range(50):
            if acl.mdl.execute(number, inputs, outputs):
                errors.append("execute failed")
        acl.rt.reset_device(0)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        try:
            acl.mdl.add_dataset_buffer(inputs, 0)
        except ValueError as error:
            assert "in use" in str(error)
    for thread in threads:
        thread.join()
    assert not errors


def test_memory_is_held_until_the_stream_has_passed():
    class Array(np.ndarray):
        pass

    stream, _ = acl.rt.create_stream()
    memory, _ = acl.rt.malloc(4096, 0)
    gate, gone = threading.Event(), []
    assert acl.rt.launch_host_func(stream, lambda _: gate.wait(20), None) == 0
    source = np.arange(1024, dtype=np.float32).view(Array)
    import weakref
    watch = weakref.finalize(source, gone.append, 1)
    assert acl.rt.memcpy_async(memory, 4096, source, 4096, H2D, stream) == 0
    del source
    gc.collect()
    assert watch.alive
    gate.set()
    assert acl.rt.synchronize_stream(stream) == 0
    deadline = time.monotonic() + 10
    while not gone and time.monotonic() < deadline:
        acl.rt.get_mem_info(0)  # any call lets go
    assert gone
    back = np.empty(1024, np.float32)
    assert acl.rt.memcpy(back, 4096, memory, 4096, D2H) == 0 and np.array_equal(back, np.arange(1024))
    assert acl.rt.free(memory) == 0 and acl.rt.destroy_stream(stream) == 0


# Functions that take addresses, which nothing can check, that end what other tests use, or that wait for what never comes.
TRUSTED = """finalize rt.set_device rt.create_context mdl.unload rt.reset_device rt.reset_device_force rt.set_context rt.destroy_context rt.memcpy rt.memset rt.memcpy_async
rt.memset_async rt.synchronize_device rt.synchronize_event rt.synchronize_stream rt.destroy_stream rt.process_report
rt.stream_wait_event rt.launch_callback rt.launch_host_func mdl.query_size_from_mem mdl.load_from_mem mdl.load_from_mem_with_mem
mdl.get_desc_from_mem create_data_buffer update_data_buffer set_tensor_const util.ptr_to_bytes util.ptr_to_numpy app_log""".split()


def test_random_calls(model, models):
    """Every function with live handles, invented ones and objects of all kinds: codes and exceptions, never a crash."""
    seed = int(os.environ.get("JUMAR_TEST_SEED") or np.random.SeedSequence().entropy % 100000)
    print("seed", seed)
    random = np.random.default_rng(seed)
    number, desc, inputs, outputs = model
    calls = []
    for module, file in ((acl, "__init__"), (acl.rt, "rt"), (acl.mdl, "mdl"), (acl.util, "util")):
        with open(os.path.join(os.path.dirname(acl.__file__), file + ".pyi"), encoding="utf-8") as text:
            for node in ast.parse(text.read()).body:
                if not isinstance(node, ast.FunctionDef):
                    continue
                path = node.name if file == "__init__" else f"{file}.{node.name}"
                if path not in TRUSTED:
                    calls.append((path, getattr(module, node.name), len(node.args.posonlyargs)))
    assert len(calls) > 90
    odd = [None, "x", str(models / "fixed.om"), b"a\0b", 1.5, [], [1, 2], [1] * 300, {}, {"dims": [1, 2]}, {"dims": [1], "dimCount": 99},
           object(), np.zeros(3), np.int64(3), 0, 1, 8, -1, 1 << 31, (1 << 64) - 8, 4096, number]
    live, kept, refused = [], np.zeros(64, np.float32), 0
    for _ in range(20000):
        if random.random() < 0.05:
            live.append(acl.create_data_buffer(kept, 256))
        path, function, count = calls[random.integers(len(calls))]
        arguments = [live[random.integers(len(live))] if live and random.random() < 0.5 else odd[random.integers(len(odd))] for _ in range(count)]
        if path in ("rt.malloc", "rt.malloc_host", "rt.malloc_align32"):
            arguments[0] = 64
        try:
            result = function(*arguments)
        except (TypeError, ValueError):
            refused += 1
            continue
        if path.startswith(("create_", "mdl.create_")) and result:
            live.append(result)
        if len(live) > 60:
            live.pop(random.integers(len(live)))
    assert 5000 < refused < 20000
    assert acl.mdl.execute(number, inputs, outputs) == 0


def test_missing_functions_name_themselves():
    for module, name in ((acl.media, "dvpp_vpc_resize_async"), (acl.media, "venc_send_frame"), (acl.op, "execute_v2")):
        with pytest.raises(NotImplementedError, match=name):
            getattr(module, name)(1, 2)


# The functions that public programs use: (name, arguments).
USED = """init finalize app_log rt.reset_device rt.set_device rt.destroy_context rt.create_context rt.get_run_mode
rt.set_context rt.get_context get_soc_name rt.destroy_stream rt.create_stream rt.synchronize_stream rt.process_report
rt.subscribe_report rt.unsubscribe_report rt.launch_callback rt.memcpy rt.malloc rt.malloc_host rt.free_host rt.free
rt.memset rt.get_mem_info rt.memcpy_async rt.memset_async create_data_buffer destroy_data_buffer get_data_buffer_addr
get_data_buffer_size create_tensor_desc destroy_tensor_desc get_tensor_desc_size get_data_buffer_size_v2 set_tensor_const
data_type_size mdl.add_dataset_buffer mdl.create_dataset mdl.create_desc mdl.destroy_dataset mdl.destroy_desc mdl.get_desc
mdl.unload mdl.execute mdl.get_dataset_buffer mdl.get_dataset_num_buffers mdl.get_num_outputs mdl.get_output_size_by_index
mdl.get_input_size_by_index mdl.load_from_file mdl.get_num_inputs mdl.get_input_index_by_name mdl.get_output_data_type
mdl.set_dynamic_batch_size mdl.get_output_dims mdl.load_from_mem mdl.get_dynamic_batch mdl.get_cur_output_dims
mdl.set_dynamic_hw_size mdl.execute_async mdl.get_dynamic_hw op.create_attr op.destroy_attr op.execute_v2 op.set_model_dir
op.set_attr_bool op.cast op.create_handle op.destroy_handle op.execute_with_handle util.bytes_to_ptr util.numpy_to_ptr
util.ptr_to_bytes util.ptr_to_numpy util.start_thread util.stop_thread""".split()


def test_every_function_of_public_programs_is_there():
    assert len(USED) == 77 and len([n for n in dir(acl.media) if n[0] != "_"]) == 83
    for path in USED:
        target = acl
        for name in path.split("."):
            target = getattr(target, name)
        assert callable(target), path


def test_stubs_have_the_same_names():
    folder = os.path.dirname(acl.__file__)
    for module, file in ((acl, "__init__"), (acl.rt, "rt"), (acl.mdl, "mdl"), (acl.op, "op"), (acl.media, "media"), (acl.util, "util")):
        with open(os.path.join(folder, file + ".pyi"), encoding="utf-8") as text:
            tree = ast.parse(text.read())
        stub = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
        stub |= {n.target.id for n in tree.body if isinstance(n, ast.AnnAssign)}
        real = {n for n in dir(module) if n[0] != "_" and n not in ("rt", "mdl", "op", "media", "util")}
        assert stub == real, (file, stub ^ real)
