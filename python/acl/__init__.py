# SPDX-License-Identifier: Apache-2.0
"""AscendCL for Python: functions of include/acl under the names and return conventions of pyACL."""
from ._acl import *  # noqa: F403  the table of functions.c
