# SPDX-License-Identifier: Apache-2.0
"""Running an .om with numpy arrays, and `python -m ais_bench` to measure one."""
from ais_bench.infer.interface import InferSession

__all__ = ["InferSession"]
