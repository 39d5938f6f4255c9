# SPDX-License-Identifier: Apache-2.0
"""python -m ais_bench"""
import sys

from ais_bench.infer.main import main

sys.exit(main(sys.argv[1:]))
