# SPDX-License-Identifier: Apache-2.0
"""The programs of the wheel, behind its console scripts."""
import os
import sys


def run(name):
    """Becomes the program."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    os.execv(path, [path, *sys.argv[1:]])


def jumar():
    run("jumar")


def atc():
    run("atc")
