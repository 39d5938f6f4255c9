#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the virtual environment of the Python tests: python-environment.sh FOLDER. Done again when the requirements change.
set -eu
folder=$1
here=$(cd "$(dirname "$0")/.." && pwd)
stamp=$folder/requirements.txt
if ! cmp -s "$here/tests/requirements.txt" "$stamp"; then
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$here/tests/requirements.txt"
    cp "$here/tests/requirements.txt" "$stamp"
fi
