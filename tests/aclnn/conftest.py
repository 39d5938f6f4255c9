# SPDX-License-Identifier: Apache-2.0
"""What every test of two-phase operators has: device 0, and random numbers that its name seeds."""
import zlib

import numpy as np
import pytest

import door


@pytest.fixture(scope="module", autouse=True)
def device():
    assert door.function("aclrtSetDevice")(0) == 0
    yield
    door.function("aclrtResetDevice")(0)


@pytest.fixture
def random(request):
    return np.random.default_rng(zlib.crc32(request.node.name.encode()))
