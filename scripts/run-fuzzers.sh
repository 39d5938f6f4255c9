#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs each fuzzer over its committed corpus and then for FUZZ_SECONDS (default 60): run-fuzzers.sh BUILD.
# Findings stay in BUILD/fuzz/<name>/.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)
seconds=${FUZZ_SECONDS:-60}
passed=0
failed=0
for fuzzer in "$build"/fuzz_*; do
    [ -x "$fuzzer" ] || continue
    name=$(basename "$fuzzer" | sed 's/^fuzz_//')
    work=$build/fuzz/$name
    corpus=$here/tests/corpus/$name
    mkdir -p "$work/corpus"
    [ -d "$corpus" ] || corpus=
    # shellcheck disable=SC2086
    if (cd "$work" && "$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=65536 -print_final_stats=1 \
        corpus $corpus) >"$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "fuzz $name: $(sed -n 's/stat::number_of_executed_units: *//p' "$work/log") runs in $seconds s"
    else
        failed=$((failed + 1))
        echo "fuzz $name: FAILED, see $work" >&2
        tail -n 40 "$work/log" >&2
    fi
done
[ $((passed + failed)) -gt 0 ] || { echo "no fuzzer was built" >&2; exit 1; }
echo "fuzzers: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
