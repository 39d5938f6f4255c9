# SPDX-License-Identifier: Apache-2.0
"""Networks of zoo_nets.py and zoo_classifiers.py with seeded random weights, by both exporters of PyTorch, against onnxruntime.

Skips without torch. JUMAR_ZOO=ssd,resnet18 runs these only.
"""
import os

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install -r tests/requirements-long.txt")
pytest.importorskip("onnxscript", reason="onnxscript is not installed: pip install -r tests/requirements-long.txt")

from zoo import check, picture, randomise
from zoo_classifiers import CLASSIFIERS
from zoo_nets import NETWORKS

torch.set_num_threads(2)


MODELS = {**NETWORKS, **CLASSIFIERS}
if os.environ.get("JUMAR_ZOO"):
    MODELS = {name: MODELS[name] for name in os.environ["JUMAR_ZOO"].split(",") if name in MODELS}


@pytest.fixture(scope="module", params=MODELS)
def network(request):
    make, shape = MODELS[request.param]
    torch.manual_seed(7)
    x = picture(shape, -1.5, 1.5)
    return request.param, randomise(make(), x), x


@pytest.mark.parametrize("exporter", ["script", "dynamo"])
def test_same_as_onnxruntime(network, exporter, tmp_path):
    name, model, x = network
    path = tmp_path / f"{name}_{exporter}.onnx"
    torch.onnx.export(model, (torch.from_numpy(x),), str(path), input_names=["images"], dynamo=exporter == "dynamo",
                      **({"opset_version": 17} if exporter == "script" else {"verbose": False}))
    check(path, {"images": x}, tmp_path)
