#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs ctest quietly and ends with one summary line: run-tests.sh BUILD [ctest options].
set -eu
build=$1
shift
report=$(cd "$build" && pwd)/tests.xml
rm -f "$report"
status=0
# Tests share two cores: half of them may wait for threads of others.
(cd "$build" && ctest --output-on-failure --parallel "$(nproc)" --output-junit "$report" "$@") >"$build/tests.log" 2>&1 || status=$?
if [ "$status" -ne 0 ] || [ -n "${VERBOSE:-}" ]; then cat "$build/tests.log"; fi
# What did not run is said, not hidden.
grep -h -i -E '\*\*\*Skipped|^skipped:|not run: ' "$build/tests.log" | sed 's/^/  /' | sort -u || true
[ -d "$build/Testing" ] && grep -h -i -E '^skipped:|not run: ' "$build/Testing/Temporary/LastTest.log" | sed 's/^/  /' | sort -u || true
count() { sed -n "s/.*<testsuite[^>]*//; s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$report" | head -n 1; }
total=$(count tests)
failed=$(count failures)
skipped=$(count skipped)
if [ -z "$total" ] || [ "$total" -eq 0 ]; then
    echo "no test ran; see $build/tests.log" >&2
    exit 1
fi
echo "tests: $((total - failed - skipped)) passed, $failed failed, $skipped skipped"
exit "$status"
