#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the virtual environment of the Python tests: python-environment.sh FOLDER [REQUIREMENTS [ALONE]], done again when
# the files change. Packages of ALONE are installed without those that they ask for.
set -eu
folder=$1
here=$(cd "$(dirname "$0")/.." && pwd)
requirements=${2:-$here/tests/requirements.txt}
alone=${3:-}
wanted=$(mktemp)
trap 'rm -f "$wanted"' EXIT
# The first file may include the usual one.
# shellcheck disable=SC2086
cat "$here/tests/requirements.txt" "$requirements" $alone >"$wanted"
stamp=$folder/requirements.txt
if ! cmp -s "$wanted" "$stamp"; then
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    [ -z "$alone" ] || "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$alone"
    cp "$wanted" "$stamp"
fi
