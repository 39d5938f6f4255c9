#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the demo model and detects objects in the demo pictures: demo.sh BUILD.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
jumar=$1/bin/jumar
mkdir -p out
echo "+ jumar compile demo/scenes.onnx -o out/scenes.om"
"$jumar" compile "$here/demo/scenes.onnx" -o out/scenes.om
echo "+ jumar detect out/scenes.om --source demo/pictures --save out"
"$jumar" detect out/scenes.om --source "$here/demo/pictures" --save out
echo "The pictures with their boxes are in $(pwd)/out; look at out/street.jpg first."
