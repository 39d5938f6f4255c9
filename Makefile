# SPDX-License-Identifier: Apache-2.0
# The front door: every job is one word. CMake does the work; see CMakeLists.txt for options.

BUILD ?= build
VENV  ?= .venv
JOBS  ?= $(shell nproc)
CMAKE_FLAGS ?=
ifdef CI
CMAKE_FLAGS += -DJUMAR_WERROR=ON
endif

.PHONY: all demo test test-long test-slow test-asan test-tsan test-fuzz test-zoo test-ultralytics test-aarch64 bench wheel install format dependencies clean help

all: $(BUILD)/CMakeCache.txt
	cmake --build $(BUILD) --parallel $(JOBS)

$(BUILD)/CMakeCache.txt:
	cmake -S . -B $(BUILD) $(CMAKE_FLAGS)

# Installs what is missing (as root), else prints the one line to run.
dependencies:
	scripts/install-dependencies.sh build

demo:
	scripts/install-dependencies.sh build
	cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	cmake --build $(BUILD) --parallel $(JOBS) --target jumar_tool
	scripts/demo.sh $(BUILD)

test:
	scripts/install-dependencies.sh build test
	scripts/python-environment.sh $(VENV)
	cmake -S . -B $(BUILD) -DJUMAR_PYTHON=$(abspath $(VENV))/bin/python $(CMAKE_FLAGS)
	cmake --build $(BUILD) --parallel $(JOBS)
	scripts/run-tests.sh $(BUILD) -LE long

# Slow tests, sanitizers over the C tests (threads: over the layers that have them), some minutes of each fuzzer, whole model
# families against onnxruntime, Ultralytics on the installed wheel, and aarch64.
test-long: test-slow test-asan test-tsan test-fuzz test-zoo test-ultralytics test-aarch64

# What takes minutes: programs that are killed, run out of memory, run under valgrind; very large models; threads.
test-slow:
	scripts/install-dependencies.sh build test long
	scripts/python-environment.sh $(VENV)
	cmake -S . -B $(BUILD) -DJUMAR_PYTHON=$(abspath $(VENV))/bin/python $(CMAKE_FLAGS)
	cmake --build $(BUILD) --parallel $(JOBS)
	scripts/run-tests.sh $(BUILD) -L long -LE 'zoo|ultralytics|aarch64'

test-asan:
	scripts/install-dependencies.sh build test long
	cmake -S . -B $(BUILD)-asan -DCMAKE_C_COMPILER=clang -DJUMAR_SANITIZE=address,undefined $(CMAKE_FLAGS)
	cmake --build $(BUILD)-asan --parallel $(JOBS)
	scripts/run-tests.sh $(BUILD)-asan

test-tsan:
	scripts/install-dependencies.sh build test long
	cmake -S . -B $(BUILD)-tsan -DCMAKE_C_COMPILER=clang -DJUMAR_SANITIZE=thread $(CMAKE_FLAGS)
	cmake --build $(BUILD)-tsan --parallel $(JOBS)
	scripts/run-tests.sh $(BUILD)-tsan -R '^(device|runtime|acl|program|model)'

test-fuzz:
	scripts/install-dependencies.sh build test long
	cmake -S . -B $(BUILD)-fuzz -DCMAKE_C_COMPILER=clang -DJUMAR_FUZZ=ON -DJUMAR_SANITIZE=address,undefined $(CMAKE_FLAGS)
	cmake --build $(BUILD)-fuzz --parallel $(JOBS) --target fuzzers
	scripts/run-fuzzers.sh $(BUILD)-fuzz

# PyTorch and Ultralytics live in an environment of their own, of 1.3 GB; the build is that of `make test`.
test-zoo:
	scripts/install-dependencies.sh build test
	scripts/python-environment.sh $(VENV)-long tests/requirements-long.txt tests/requirements-alone.txt
	cmake -S . -B $(BUILD) -DJUMAR_PYTHON=$(abspath $(VENV))-long/bin/python $(CMAKE_FLAGS)
	cmake --build $(BUILD) --parallel $(JOBS) --target jumar_tool
	scripts/run-tests.sh $(BUILD) -L zoo

# Trains, exports and predicts with Ultralytics, in the environment of test-zoo; the wheel is that of `make test-slow`.
test-ultralytics:
	scripts/install-dependencies.sh build test
	scripts/python-environment.sh $(VENV)-long tests/requirements-long.txt tests/requirements-alone.txt
	cmake -S . -B $(BUILD) -DJUMAR_PYTHON=$(abspath $(VENV))-long/bin/python $(CMAKE_FLAGS)
	scripts/run-tests.sh $(BUILD) -L ultralytics

# Skipped, with a message, where the cross compiler or qemu cannot be installed.
test-aarch64:
	scripts/install-dependencies.sh build test
	-scripts/install-dependencies.sh cross
	cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	cmake --build $(BUILD) --parallel $(JOBS)
	scripts/run-tests.sh $(BUILD) -L aarch64

# dist/*.whl, for every Linux with a C library as new as the oldest that its name says.
wheel:
	scripts/install-dependencies.sh build test
	scripts/python-environment.sh $(VENV)
	scripts/wheel.sh $(VENV)/bin/python dist

install: all
	cmake --install $(BUILD)

format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-fuzz out dist

help:
	@echo "make              build into $(BUILD)/"
	@echo "make demo         build, compile the model in demo/ and detect objects in its pictures"
	@echo "make test         build and run the tests"
	@echo "make test-long    slow tests, sanitizers, fuzzers, families of models, Ultralytics, aarch64"
	@echo "make install      install library, headers and tools (DESTDIR, -DCMAKE_INSTALL_PREFIX)"
	@echo "make wheel        build the Python wheel into dist/"
	@echo "make format       clang-format over all sources"
	@echo "make clean        remove what was built"
