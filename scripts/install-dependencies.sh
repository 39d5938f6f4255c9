#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes sure that the Debian packages for a job are there: install-dependencies.sh build|test|long|cross ...
# As root it installs what is missing; otherwise it prints the one line to run and fails.
set -eu

packages=
for job in "$@"; do
    case $job in
    build) packages="$packages gcc libc6-dev make cmake pkg-config libjpeg-dev libspng-dev libcjson-dev libnanopb-dev" ;;
    test) packages="$packages libcmocka-dev binutils g++ python3 python3-venv python3-dev" ;;
    long) packages="$packages clang libclang-rt-dev llvm valgrind libc6-dbg" ;;
    cross) packages="$packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user python3" ;;
    *) echo "install-dependencies.sh: unknown job '$job'; use build, test, long or cross" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "install-dependencies.sh: this is not Debian; it needs the equivalents of:$packages" >&2
    exit 0
fi

missing=
for package in $packages; do
    # A virtual package (libjpeg-dev) counts when another one provides it.
    if ! dpkg-query -W -f='${Status} ${Provides}\n' "$package" 2>/dev/null | grep -q '^install ok installed'; then
        if ! dpkg-query -W -f='${Status} ${Provides}\n' 2>/dev/null | grep '^install ok installed' | grep -qw -- "$package"; then
            missing="$missing $package"
        fi
    fi
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    echo "installing:$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086
    apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "Some packages are missing. Run this line, then try again:" >&2
    echo "  sudo apt-get install -y$missing" >&2
    exit 1
fi
