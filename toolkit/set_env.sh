# SPDX-License-Identifier: Apache-2.0
# Source it: programs that look for the vendor's toolkit find this one.
if [ -n "${BASH_SOURCE:-}" ]; then
    jumar_toolkit=$(cd "$(dirname "${BASH_SOURCE:-$0}")" && pwd)
else
    jumar_toolkit=${JUMAR_TOOLKIT_HOME:-$(pwd)} # other shells do not say where this file is
fi
export ASCEND_TOOLKIT_HOME="$jumar_toolkit"
export ASCEND_HOME_PATH="$jumar_toolkit"
export ASCEND_OPP_PATH="$jumar_toolkit/opp"
export LD_LIBRARY_PATH="$jumar_toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PATH="$jumar_toolkit/bin${PATH:+:$PATH}"
unset jumar_toolkit
