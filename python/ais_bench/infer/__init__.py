# SPDX-License-Identifier: Apache-2.0
"""See ais_bench."""
