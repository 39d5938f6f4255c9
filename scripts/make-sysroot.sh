#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a folder with the Debian libraries that Jumar needs, of another architecture: make-sysroot.sh arm64 FOLDER.
# Packages come from this system's apt sources and are unpacked into FOLDER; the system itself stays as it is, and root is
# not needed. Does nothing when FOLDER is complete.
set -eu
architecture=$1
folder=$2
packages="libc6-dev libjpeg62-turbo-dev libspng-dev libcjson-dev libcmocka-dev libnanopb-dev"
stamp=$folder/complete
[ "$(cat "$stamp" 2>/dev/null)" != "$packages" ] || exit 0
for command in apt-get dpkg-deb; do
    command -v "$command" >/dev/null || { echo "make-sysroot.sh: no $command; this works on Debian" >&2; exit 1; }
done

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
folder=$(cd "$folder" && pwd)
# An empty state of apt's own: it sees nothing installed and so fetches what the packages depend on as well.
: >"$folder/apt/status"
apt() {
    apt-get -qq -o Dir::State="$folder/apt" -o Dir::State::status="$folder/apt/status" -o Dir::Cache="$folder/apt/cache" \
        -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update
# shellcheck disable=SC2086
apt install -y --no-install-recommends --download-only $packages >/dev/null
for package in "$folder"/apt/cache/archives/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -rf "$folder/apt"
# Absolute links would leave the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
    ln -snf "$(realpath --relative-to="$(dirname "$link")" "$folder$(readlink "$link")")" "$link"
done
echo "$packages" >"$folder/complete"
