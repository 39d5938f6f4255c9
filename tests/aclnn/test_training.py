# SPDX-License-Identifier: Apache-2.0
"""Operators of training against PyTorch on the CPU: its autograd, its losses and its optimisers."""
import ctypes
import itertools

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import door  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from test_torch import INF, LAYOUTS, NAN, TYPES, call, numbers  # noqa: E402

FAULT = 507015  # the code of the stream after an index outside its tensor
REDUCTIONS = ("none", "mean", "sum")


def gradient(function, x, dy=None):
    """The result and its gradient by autograd in float64, of the type of x."""
    wide = x.double().clone().requires_grad_()
    y = function(wide)
    dx, = torch.autograd.grad(y, wide, torch.ones_like(y) if dy is None else dy.double())
    return y.detach().to(x.dtype), dx.to(x.dtype)


# ---- Activations ----

BY_INPUT = {
    "aclnnSiluBackward": F.silu, "aclnnHardswishBackward": F.hardswish, "aclnnHardswishBackwardV2": F.hardswish,
    "aclnnHardsigmoidBackward": F.hardsigmoid, "aclnnGeluBackward": F.gelu,
}


@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16], ids=str)
def test_activations(dtype, layout):
    x, dy = numbers(7, 33, dtype=dtype), numbers(7, 33, dtype=dtype, seed=5)
    for name, function in BY_INPUT.items():
        if dtype == torch.float64 and function is F.hardsigmoid:
            continue  # PyTorch takes 1 / 6 as a float32
        call(name, dy, x, gradient(function, x, dy)[1], layout=layout)
    for mode in ("none", "tanh"):
        want = gradient(lambda x: F.gelu(x, approximate=mode), x, dy)[1]
        call("aclnnGeluBackwardV2", dy, x, mode, want, layout=layout)
    call("aclnnThresholdBackward", dy, x, 0, gradient(F.relu, x, dy)[1], layout=layout)
    call("aclnnThresholdBackward", dy, x, 1.5, gradient(lambda x: F.threshold(x, 1.5, 7), x, dy)[1], layout=layout)
    for slope in (0.01, 2, -0.5):
        want = gradient(lambda x: F.leaky_relu(x, slope), x, dy)[1]
        call("aclnnLeakyReluBackward", dy, x, slope, False, want, layout=layout)
    y, want = gradient(lambda x: F.leaky_relu(x, 0.25), x, dy)
    call("aclnnLeakyReluBackward", dy, y, 0.25, True, want, layout=layout)
    for name, function in (("aclnnSigmoidBackward", torch.sigmoid), ("aclnnTanhBackward", torch.tanh)):
        y = function(x)
        call(name, dy, y, gradient(function, x, dy)[1] if dtype == torch.float64 else
             {"aclnnSigmoidBackward": dy.double() * y.double() * (1 - y.double()),
              "aclnnTanhBackward": dy.double() * (1 - y.double()**2)}[name].to(dtype), layout=layout)
    for dim in (0, -1):
        y = torch.softmax(x.double(), dim)
        call("aclnnSoftmaxBackward", dy, y.to(dtype), dim,
             torch.ops.aten._softmax_backward_data(dy.double(), y.to(dtype).double(), dim, torch.float64).to(dtype), layout=layout)
        y = torch.log_softmax(x.double(), dim)
        call("aclnnLogSoftmaxBackward", dy, y.to(dtype), dim,
             torch.ops.aten._log_softmax_backward_data(dy.double(), y.to(dtype).double(), dim, torch.float64).to(dtype),
             layout=layout)


def test_edges_of_activations():
    x = torch.tensor([-3.0, 3, 0, -0.0, 2.999999, -2.999999, 100, -100, 30, -30])
    dy = torch.full_like(x, 2)
    aten = torch.ops.aten
    call("aclnnHardswishBackward", dy, x, aten.hardswish_backward(dy, x))
    call("aclnnHardsigmoidBackward", dy, x, aten.hardsigmoid_backward(dy, x))
    call("aclnnSiluBackward", dy, x, aten.silu_backward(dy, x))
    call("aclnnGeluBackward", dy, x, aten.gelu_backward(dy, x))
    call("aclnnThresholdBackward", dy, torch.tensor([NAN] * 10), 0.0, dy)
    infinite, two = torch.tensor([INF, -INF, NAN]), torch.full((3,), 2.0)
    call("aclnnSiluBackward", two, infinite, aten.silu_backward(two, infinite))
    call("aclnnGeluBackward", two, infinite, aten.gelu_backward(two, infinite))
    call("aclnnLeakyReluBackward", two, infinite, 0.5, False, torch.tensor([2.0, 1, 1]))
    call("aclnnLeakyReluBackward", two, two, -0.5, True, two, code=161002)
    call("aclnnGeluBackwardV2", two, two, "sometimes", two, code=161002)
    empty = torch.empty(0, 3)
    call("aclnnSiluBackward", empty, empty, empty)
    call("aclnnSoftmaxBackward", empty, empty, 1, empty)


def test_mixed_types():
    """Gradients in float16 of inputs in float32, as autocast makes them."""
    x, dy = numbers(5, 6), numbers(5, 6, dtype=torch.float16, seed=3)
    call("aclnnSiluBackward", dy, x, gradient(F.silu, x, dy.float())[1])
    call("aclnnThresholdBackward", dy, x.half(), 0, gradient(F.relu, x.half(), dy)[1])


# ---- Losses of elements ----

@LAYOUTS
@pytest.mark.parametrize("reduction", [0, 1, 2])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16], ids=str)
def test_losses(dtype, reduction, layout):
    mode = REDUCTIONS[reduction]
    x, t = numbers(6, 9, dtype=dtype) / 4, numbers(6, 9, dtype=dtype, seed=2) / 4
    dy = numbers(6, 9, dtype=dtype, seed=9) if mode == "none" else torch.tensor(1.5, dtype=dtype)
    pairs = [("aclnnMseLoss", lambda x: F.mse_loss(x, t.double(), reduction=mode), ())]
    for beta in (0.5, 1.0):
        pairs.append(("aclnnSmoothL1Loss", lambda x, beta=beta: F.smooth_l1_loss(x, t.double(), reduction=mode, beta=beta), (beta,)))
    for name, function, more in pairs:
        loss, dx = gradient(function, x, dy)
        call(name, x, t, reduction, *more, loss, layout=layout)
        call(name + "Backward", dy, x, t, reduction, *more, dx, layout=layout)
    p, t = torch.rand(6, 9, generator=torch.Generator().manual_seed(1)).to(dtype) * 0.8 + 0.1, (t > 0).to(dtype)
    for weight in (None, numbers(9, dtype=dtype).abs() + 1):
        wide = None if weight is None else weight.double().expand(6, 9)
        loss, dx = gradient(lambda p: F.binary_cross_entropy(p, t.double(), wide, reduction=mode), p, dy)
        call("aclnnBinaryCrossEntropy", p, t, weight, reduction, loss, layout=layout)
        call("aclnnBinaryCrossEntropyBackward", dy, p, t, weight, reduction, dx, layout=layout)
        for positive in (None, numbers(9, dtype=dtype, seed=4).abs() + 1):
            pos = None if positive is None else positive.double()
            loss, dx = gradient(lambda x: F.binary_cross_entropy_with_logits(x, t.double(), wide, reduction=mode, pos_weight=pos), x, dy)
            call("aclnnBinaryCrossEntropyWithLogits", x, t, weight, positive, reduction, loss, layout=layout)
            call("aclnnBinaryCrossEntropyWithLogitsBackward", dy, x, t, weight, positive, reduction, dx, layout=layout)


def test_edges_of_losses():
    p, t = torch.tensor([0.0, 1, 0, 1, 1e-20, 0.5]), torch.tensor([0.0, 1, 1, 0, 0, 0.5])
    call("aclnnBinaryCrossEntropy", p, t, None, 0, F.binary_cross_entropy(p, t, reduction="none"))
    big = torch.tensor([200.0, -200, 90, -90, 0])
    for t in (torch.zeros(5), torch.ones(5)):
        call("aclnnBinaryCrossEntropyWithLogits", big, t, None, None, 0,
             F.binary_cross_entropy_with_logits(big, t, reduction="none"))
    empty = torch.empty(0, 4)
    call("aclnnMseLoss", empty, empty, 1, torch.tensor(NAN))
    call("aclnnMseLoss", empty, empty, 2, torch.tensor(0.0))
    call("aclnnMseLoss", empty, empty, 0, empty)
    call("aclnnMseLossBackward", torch.tensor(1.0), empty, empty, 1, empty)
    x = numbers(4)
    call("aclnnMseLoss", x, x, 1, torch.zeros(1))  # a list of one is a scalar too
    call("aclnnMseLoss", x, x, 3, torch.tensor(0.0), code=161002)
    call("aclnnMseLoss", x, x, 1, torch.zeros(2), code=161002)
    call("aclnnSmoothL1Loss", x, x + 2, 0, 0.0, torch.full((4,), 2.0))
    call("aclnnSmoothL1Loss", x, x, 0, -1.0, x, code=161002)


# ---- Negative log likelihood ----

@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16], ids=str)
def test_nll(dtype, layout):
    aten = torch.ops.aten
    for shape, kinds in itertools.product([(5, 4), (4,), (2, 4, 3, 5)], [torch.int64, torch.uint8]):
        x = torch.log_softmax(numbers(*shape).double(), min(1, len(shape) - 1)).to(dtype)
        target = torch.randint(0, 4, shape[:1] * (len(shape) > 1) + shape[2:], generator=torch.Generator().manual_seed(3))
        weight = (numbers(4).abs() + 0.5).to(dtype)
        name, suffix = ("aclnnNLLLoss2d", "2d") if len(shape) == 4 else ("aclnnNLLLoss", "")
        forward, backward = getattr(aten, f"nll_loss{suffix}_forward"), getattr(aten, f"nll_loss{suffix}_backward")
        for reduction, ignore in itertools.product((0, 1, 2), (-100, 1, 255)):
            wide = x.double(), target, weight.double(), reduction, ignore
            loss, total = forward(*wide)
            call(name, x, target.to(kinds), weight, reduction, ignore, loss.to(dtype), total.to(dtype), layout=layout)
            dy = (numbers(*target.shape) if reduction == 0 else torch.tensor(1.5)).to(dtype)
            dx = backward(dy.double(), *wide, total.to(dtype).double())
            call(name + "Backward", dy, x, target.to(kinds), weight, reduction, ignore, total.to(dtype), dx.to(dtype), layout=layout)


def test_edges_of_nll():
    x, weight, target = numbers(3, 4), torch.ones(4), torch.tensor([0, 5, 1])
    call("aclnnNLLLoss", x, target, weight, 2, -100, torch.tensor(0.0), torch.tensor(0.0), code=FAULT)
    ignored = torch.tensor([2, 2, 2])
    call("aclnnNLLLoss", x, ignored, weight, 1, 2, torch.tensor(NAN), torch.tensor(0.0))
    call("aclnnNLLLoss", x, ignored, weight, 2, 2, torch.tensor(0.0), torch.tensor(0.0))
    call("aclnnNLLLossBackward", torch.tensor(1.0), x, ignored, weight, 1, 2, torch.tensor(0.0), torch.zeros(3, 4))
    none = torch.empty(0, 4), torch.empty(0, dtype=torch.int64)
    call("aclnnNLLLoss", *none, weight, 1, -100, torch.tensor(NAN), torch.tensor(0.0))
    call("aclnnNLLLoss", x, ignored, torch.ones(3), 1, -100, torch.tensor(0.0), torch.tensor(0.0), code=161002)
    call("aclnnNLLLoss", x, ignored[:2].clone(), weight, 1, -100, torch.tensor(0.0), torch.tensor(0.0), code=161002)
    call("aclnnNLLLoss", x, ignored.float(), weight, 1, -100, torch.tensor(0.0), torch.tensor(0.0), code=161002)


# ---- Differences ----

FORWARD = {"aclnnSiluBackward": "aclnnSilu", "aclnnGeluBackward": "aclnnGelu", "aclnnHardswishBackward": "aclnnHardswish",
           "aclnnHardsigmoidBackward": "aclnnHardsigmoid"}


def compute(name, x, *rest):
    """The result of an operator of one tensor in float64, of its shape."""
    source, made = door.Tensor(x.numpy(), "f64"), door.Tensor(np.zeros(x.shape), "f64")
    assert door.run(name, [door.POINTER(source.handle), *rest, door.POINTER(made.handle)]) == 0, door.message()
    return made.values()


@pytest.mark.parametrize("name", FORWARD)
def test_gradients_are_differences_of_the_operators(name):
    """Central differences of fourth order of our own forward operators in float64."""
    h, x = 1e-3, torch.linspace(-6, 6, 997, dtype=torch.float64)
    x = x[(x.abs() - 3).abs() > 2 * h]  # not across the corners of the hard ones
    f = [compute(FORWARD[name], x + k * h) for k in (-2, -1, 1, 2)]
    want = (8 * (f[2] - f[1]) - f[3] + f[0]) / (12 * h)
    dy, source = door.Tensor(np.ones(x.shape), "f64"), door.Tensor(x.numpy(), "f64")
    made = door.Tensor(np.zeros(x.shape), "f64")
    assert door.run(name, [door.POINTER(t.handle) for t in (dy, source, made)]) == 0
    assert np.abs(made.values() - want).max() < 1e-9


# ---- Optimisers ----

def lists(tensors, layout="contiguous"):
    """A list of tensors, and their Python owners."""
    items = [door.Tensor(t.double().numpy(), TYPES[t.dtype], layout) for t in tensors]
    return door.list_of("Tensor", [i.handle for i in items]), items


def run(name, *arguments):
    assert door.run(name, list(arguments)) == 0, door.message()


def near(have, want, digits):
    return np.allclose(have, want.double().numpy(), rtol=digits, atol=digits)


def parameters(dtype=torch.float32):
    return [numbers(*shape, dtype=dtype, seed=i) / 4 for i, shape in enumerate([(33, 65), (17,), (), (0, 3), (1, 2, 3, 4)])]


@LAYOUTS
@pytest.mark.parametrize("amsgrad,maximize,decay", [(False, False, 0.0), (True, False, 0.1), (True, True, 0.1), (False, True, 0.1)])
def test_adam_w(amsgrad, maximize, decay, layout):
    """Ten steps beside torch.optim.AdamW; the adapter passes the count of steps before."""
    for w in parameters():
        ours = [door.Tensor(t, "f32", layout) for t in (w.numpy(), *np.zeros((3, *w.shape), np.float32))]
        theirs = w.clone().requires_grad_()
        adam = torch.optim.AdamW([theirs], lr=0.01, betas=(0.875, 0.96875), eps=1e-6, weight_decay=decay, amsgrad=amsgrad,
                                 maximize=maximize)
        for step in range(10):
            theirs.grad = numbers(*w.shape, seed=step + 40)
            gradient = door.Tensor(theirs.grad.numpy(), "f32", layout)
            count = door.Tensor(np.float64(step), ("f32", "i64")[step % 2])
            adam.step()
            maximum = door.POINTER(ours[3].handle) if amsgrad or step % 2 else None
            run("aclnnApplyAdamWV2", *(door.POINTER(t.handle) for t in ours[:3]), maximum, door.POINTER(gradient.handle),
                door.POINTER(count.handle), *(ctypes.c_float(x) for x in (0.01, 0.875, 0.96875, decay, 1e-6)),
                ctypes.c_bool(amsgrad), ctypes.c_bool(maximize))
            assert near(ours[0].values(), theirs.detach(), 2e-6)
        if not w.numel():
            continue
        state = adam.state[theirs]
        assert near(ours[1].values(), state["exp_avg"], 2e-6) and near(ours[2].values(), state["exp_avg_sq"], 2e-6)
        assert near(ours[3].values(), state["max_exp_avg_sq"] if amsgrad else torch.zeros(w.shape), 2e-6)


def test_adam_w_with_numbers_in_tensors():
    """aclnnApplyAdamW and, without decay, its relation to TensorFlow's aclnnApplyAdam with epsilon scaled."""
    w, one = numbers(40, 5), lambda x: door.Tensor(np.float32([x]), "f32")
    for amsgrad in (False, True):
        a = [door.Tensor(t, "f32") for t in (w.numpy(), *np.zeros((2, *w.shape)))]
        b = [door.Tensor(t, "f32") for t in (w.numpy(), *np.zeros((3, *w.shape)))]
        maximum = door.Tensor(np.zeros(w.shape), "f32")
        for step in range(5):
            gradient = door.Tensor(numbers(40, 5, seed=step).numpy(), "f32")
            before = maximum.values()
            powers, count = (one(0.875**step), one(0.96875**step)), one(step)
            numbers_of = [one(x) for x in (0.01, 0.1, 0.875, 0.96875, 1e-6)]
            run("aclnnApplyAdamW", *(door.POINTER(t.handle) for t in (*a, *powers, *numbers_of, gradient)),
                door.POINTER(maximum.handle) if amsgrad else None, ctypes.c_bool(amsgrad), ctypes.c_bool(False))
            run("aclnnApplyAdamWV2", *(door.POINTER(t.handle) for t in b), door.POINTER(gradient.handle),
                door.POINTER(count.handle), *(ctypes.c_float(x) for x in (0.01, 0.875, 0.96875, 0.1, 1e-6)),
                ctypes.c_bool(amsgrad), ctypes.c_bool(False))
            for x, y in zip(a, b):
                assert np.allclose(x.values(), y.values(), rtol=1e-6, atol=1e-6)
            if amsgrad:
                assert np.array_equal(maximum.values(), before)  # only read
                maximum = door.Tensor(b[3].values(), "f32")


@LAYOUTS
@pytest.mark.parametrize("momentum,nesterov,dampening,decay,maximize", [
    (0.0, False, 0.0, 0.0, False), (0.0, False, 0.0, 0.1, True), (0.875, False, 0.0, 0.1, False), (0.875, True, 0.0, 0.1, False),
    (0.875, False, 0.5, 0.0, True)])
def test_sgd(momentum, nesterov, dampening, decay, maximize, layout):
    """Ten steps of a list beside torch.optim.SGD; half of them with scaled gradients."""
    theirs = [w.clone().requires_grad_() for w in parameters()]
    sgd = torch.optim.SGD(theirs, lr=0.05, momentum=momentum, dampening=dampening, weight_decay=decay, nesterov=nesterov,
                          maximize=maximize)
    weights, ours = lists(parameters(), layout)
    buffers, kept = lists([torch.full_like(w, NAN) for w in parameters()], layout)  # not read at the first step
    for step in range(10):
        scale = 4.0 if step % 2 else 1.0
        for i, w in enumerate(theirs):
            w.grad = numbers(*w.shape, seed=10 * step + i)
        gradients, changed = lists([w.grad * scale for w in theirs], layout)
        divisor = door.Tensor(np.float32([scale]), "f32")
        run("aclnnFusedSgd", weights, gradients, buffers if momentum else None, door.POINTER(divisor.handle) if step % 2 else None,
            *(ctypes.c_float(x) for x in (decay, momentum, 0.05, dampening)), ctypes.c_bool(nesterov), ctypes.c_bool(maximize),
            ctypes.c_bool(step == 0))
        for g, w in zip(changed, theirs):
            assert near(g.values(), w.grad, 1e-7)
        sgd.step()
        for w, want in zip(ours, theirs):
            assert near(w.values(), want.detach(), 4e-6)
    for b, w in zip(kept, theirs):
        if momentum and w.numel():
            assert near(b.values(), sgd.state[w]["momentum_buffer"], 4e-6)


def test_sixteen_bits():
    """Weights in 16 bits are computed in float32 and rounded once; so are those with gradients in 16 bits."""
    for dtype, wide in (("f16", "f16"), ("bf16", "bf16"), ("f16", "f32")):
        kind = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}
        w, g = (numbers(50, 3) / 4).to(kind[wide]), numbers(50, 3, seed=8).to(kind[dtype])
        b = torch.ones_like(w)
        (weights, ours), (gradients, own_g), (buffers, own_b) = lists([w]), lists([g]), lists([b])
        run("aclnnFusedSgd", weights, gradients, buffers, None, *(ctypes.c_float(x) for x in (0.0, 0.5, 0.125, 0.0)),
            ctypes.c_bool(False), ctypes.c_bool(False), ctypes.c_bool(False))
        want = (w.float() - 0.125 * (0.5 * b.float() + g.float())).to(kind[wide])
        assert near(ours[0].values(), want, 0) and own_g and own_b


def test_illegal_steps():
    w, g = numbers(4), numbers(4)
    (weights, _), (gradients, _), (buffers, _), (short, _) = lists([w]), lists([g]), lists([w]), lists([w[:3].clone()])  # no phase two

    def sgd(code, words, gradients=gradients, buffers=buffers, momentum=0.5, dampening=0.0, rate=0.1, decay=0.0, nesterov=False):
        got, _, _ = door.phase_one("aclnnFusedSgd", [weights, gradients, buffers, None,
                                                     *(ctypes.c_float(x) for x in (decay, momentum, rate, dampening)),
                                                     ctypes.c_bool(nesterov), ctypes.c_bool(False), ctypes.c_bool(False)])
        assert got == code and words in door.message(), f"{got} {door.message()}"

    sgd(161001, "gradsRef must not be NULL", gradients=None)
    sgd(161002, "must have that of w", gradients=short)
    sgd(161002, "must have that of w", buffers=short)
    sgd(161002, "no momentum is kept", buffers=None)
    sgd(161002, "must be positive", momentum=0.0)
    sgd(161002, "lr is -1", rate=-1.0)
    sgd(161002, "weight_decay is -1", decay=-1.0)
    sgd(161002, "no dampening", nesterov=True, dampening=0.5)
    two, _ = lists([g, g])
    sgd(161002, "2 items", gradients=two)
    t, step = door.Tensor(w.numpy(), "f32"), door.Tensor(np.int64(1), "i64")
    other, many = door.Tensor(w.numpy(), "f64"), door.Tensor(np.zeros(2, np.int64), "i64")
    long = door.Tensor(np.zeros(5), "f32")

    def adam(code, words, maximum=None, gradient=t, step=step, amsgrad=False):
        pointers = [door.POINTER(x.handle) if x else None for x in (t, t, t, maximum, gradient, step)]
        got, _, _ = door.phase_one("aclnnApplyAdamWV2", [*pointers, *(ctypes.c_float(0.5) for _ in range(5)),
                                                         ctypes.c_bool(amsgrad), ctypes.c_bool(False)])
        assert got == code and words in door.message(), f"{got} {door.message()}"

    adam(161001, "maximum must not be NULL", amsgrad=True)
    adam(161001, "step must not be NULL", step=None)
    adam(161002, "gradient is float64", gradient=other)
    adam(161002, "must have that of w", gradient=long)
    adam(161002, "must have that of w", maximum=long)
    adam(161002, "step must be one number", step=many)


# ---- Loss scaling ----

@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_unscale(dtype, layout):
    for bad in (None, INF, -INF, NAN):
        for start in (0.0, 1.0, -1.0):
            tensors = [numbers(70, 300, dtype=dtype), numbers(3, dtype=dtype), numbers(4, 5, dtype=dtype, seed=2), torch.empty(0, dtype=dtype)]
            if bad is not None:
                tensors[1][2] = bad
                tensors[0][69, 1] = bad
            pointer, ours = lists(tensors, layout)
            found, factor = door.Tensor(np.float32([start]), "f32"), door.Tensor(np.float32([0.125]), "f32")
            run("aclnnForeachNonFiniteCheckAndUnscale", pointer, door.POINTER(found.handle), door.POINTER(factor.handle))
            want = torch.tensor([start])
            torch.ops.aten._amp_foreach_non_finite_check_and_unscale_([t.float().clone() for t in tensors], want, torch.tensor([0.125]))
            assert found.values()[0] == (1 if bad is not None else start)
            if start == 0:
                assert found.values()[0] == want.item()
            for have, t in zip(ours, tensors):
                assert np.array_equal(have.values(), (t.float() * 0.125).to(dtype).double().numpy(), equal_nan=True)


def test_scale_after_steps():
    """A history of overflows beside torch's own update, in place as the adapter calls it."""
    scale, tracker = torch.tensor([65536.0]), torch.tensor([0], dtype=torch.int32)
    ours, count = door.Tensor(scale.numpy(), "f32"), door.Tensor(tracker.numpy(), "i32")
    for step, overflow in enumerate([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]):
        found = torch.tensor([float(overflow)])
        torch.ops.aten._amp_update_scale_(scale, tracker, found, 2.0, 0.5, 3)
        f = door.Tensor(found.numpy(), "f32")
        pointers = [door.POINTER(t.handle) for t in (ours, count, f)]
        run("aclnnAmpUpdateScale", *pointers, ctypes.c_double(2), ctypes.c_double(0.5), ctypes.c_int64(3), *pointers[:2])
        assert ours.values()[0] == scale.item() and count.values()[0] == tracker.item(), step
    big, last = door.Tensor(np.float32([3e38]), "f32"), door.Tensor(np.int32([2]), "i32")
    f = door.Tensor(np.float32([0]), "f32")
    pointers = [door.POINTER(t.handle) for t in (big, last, f)]
    run("aclnnAmpUpdateScale", *pointers, ctypes.c_double(2), ctypes.c_double(0.5), ctypes.c_int64(3), *pointers[:2])
    assert big.values()[0] == np.float32(3e38) and last.values()[0] == 0  # it does not grow to infinity


def test_foreach_norm():
    for p, dtype in itertools.product((0, 1, 2, INF), (torch.float32, torch.float16)):
        tensors = [numbers(7, 9, dtype=dtype) / 8, numbers(3, dtype=dtype), numbers(dtype=dtype)]
        pointer, alive = lists(tensors)
        out, ours = lists([torch.zeros((), dtype=dtype) for _ in tensors])
        run("aclnnForeachNorm", pointer, door.POINTER(door.scalar(float(p), "f64")), out)
        for have, t in zip(ours, tensors if alive else ()):
            assert near(have.values(), torch.linalg.vector_norm(t.double(), p).to(dtype), 2e-3 if dtype == torch.float16 else 1e-6)


def test_one_number_for_each_tensor():
    (x, _), (out, _) = lists([numbers(3), numbers(4)]), lists([numbers(3), numbers(4)])
    for count in (0, 1, 3):
        scalars = door.Tensor(np.ones(count), "f32")
        code, _, _ = door.phase_one("aclnnForeachAddcmulScalarList", [x, x, x, door.POINTER(scalars.handle), out])
        assert code == 161002 and "one for each tensor" in door.message()
    a, b = numbers(3).abs() + 1, numbers(4, 5).abs() + 1
    (x, ours), (out, made) = lists([a, b]), lists([a, b])
    scalars = door.Tensor(np.float32([[0.5], [-2]]), "f32", "sliced")  # any shape and strides
    run("aclnnForeachAddcdivScalarList", x, x, x, door.POINTER(scalars.handle), out)
    assert near(made[0].values(), a + 0.5 * a / a, 1e-6) and near(made[1].values(), b - 2 * b / b, 1e-6) and ours
