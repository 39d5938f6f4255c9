#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds for aarch64 and compares with this machine's build, bit by bit, under qemu-user: test-aarch64.sh BUILD WORK.
# The kernel checker runs over NEON, and its digest of the reference must be that of this machine; compiled models must be
# the same files and their results the same bits at every level, also with pages of 64 KiB.
# Exits with 77 (skipped) where the compiler, qemu or the libraries are missing.
set -eu
build=$1
work=$2
source=$(cd "$(dirname "$0")/.." && pwd)
data=${JUMAR_TEST_DATA:-$source/../shared}
unset CC CFLAGS LDFLAGS JUMAR_CPU
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }

command -v aarch64-linux-gnu-gcc >/dev/null || skip "aarch64-linux-gnu-gcc is not installed (package gcc-aarch64-linux-gnu)"
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || skip "qemu-aarch64 is not installed (package qemu-user)"
mkdir -p "$work"
sysroot=$work/sysroot
"$source/scripts/make-sysroot.sh" arm64 "$sysroot" >"$work/sysroot.log" 2>&1 ||
    skip "no libraries for aarch64: $(tail -n 1 "$work/sysroot.log")"

# into FILE COMMAND ...: its output; shown when it fails.
into() {
    log=$1
    shift
    "$@" >"$log" 2>&1 || { tail -n 60 "$log"; fail "$*"; }
}
here() { program=$1; shift; "$build/$program" "$@"; }
there() { program=$1; shift; "$qemu" -L "$sysroot" ${page:+-p "$page"} "$work/build/$program" "$@"; }

into "$work/build.log" cmake -S "$source" -B "$work/build" --toolchain "$source/cmake/aarch64-linux-gnu.cmake" \
    -DJUMAR_SYSROOT="$sysroot" -DJUMAR_WERROR=ON
into "$work/build.log" cmake --build "$work/build" --parallel "$(nproc)"

# The C tests that are quick under emulation. device_conformance forks beside threads, where qemu stops.
into "$work/tests.log" ctest --test-dir "$work/build" --output-on-failure --no-tests=error --parallel "$(nproc)" \
    -R '^(base_|dtype|tensor|npy|kernel_spills|runtime_|strips|registry|image|preprocess|detection|acl_data|acl_rt)'
grep 'tests passed' "$work/tests.log"

# ---- Kernels ----

JUMAR_TEST_SEED=${JUMAR_TEST_SEED:-$(date +%s)}
export JUMAR_TEST_SEED
into "$work/kernels.here" here tests/kernels/test_kernels
into "$work/kernels.there" there tests/kernels/test_kernels
cat "$work/kernels.there"
digest() { sed -n 's/^digest of the reference: //p' "$work/kernels.$1"; }
[ -n "$(digest here)" ] || fail "the kernel checker printed no digest"
[ "$(digest here)" = "$(digest there)" ] || fail "the reference computes $(digest there) on aarch64, $(digest here) here"

# ---- Models ----

# same NAME FILE.onnx: one file, and one digest for every level of both machines.
same() {
    into "$work/$1.log" here bin/jumar compile "$2" -o "$work/$1.om"
    into "$work/$1.log" there bin/jumar compile "$2" -o "$work/$1.there.om"
    cmp "$work/$1.om" "$work/$1.there.om" || fail "$1 compiles to another file on aarch64"
    into "$work/$1.here" here bin/jumar info "$work/$1.om" --verify
    into "$work/$1.there" there bin/jumar info "$work/$1.om" --verify
    grep -q '^ *neon .*digest' "$work/$1.there" || { cat "$work/$1.there"; fail "$1 did not run with NEON"; }
    digests=$(sed -n 's/.*: digest \([0-9a-f]*\).*/\1/p' "$work/$1.here" "$work/$1.there" | sort -u)
    if [ "$(echo "$digests" | wc -l)" -ne 1 ]; then
        cat "$work/$1.here" "$work/$1.there"
        fail "$1 gives different bits"
    fi
    echo "$1: digest $digests on both"
}
same scenes "$source/demo/scenes.onnx"
page=65536
same scenes-64k "$source/demo/scenes.onnx"
page=
if [ -f "$data/tools/gen_onnx.py" ]; then
    into "$work/generator.log" python3 "$data/tools/gen_onnx.py" yolov8n "$work/yolov8n.onnx" --size 320
    same yolov8n "$work/yolov8n.onnx"
else
    echo "not run: YOLOv8n, no test data at $data (set JUMAR_TEST_DATA)"
fi
