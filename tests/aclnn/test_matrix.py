# SPDX-License-Identifier: Apache-2.0
"""Every line of src/ops/aclnn.tab against its formula in numpy: float64, exact integers.

A line is called with pairs of element types, layouts (contiguous, transposed, sliced, broadcast), ranks 0 to 8, empty
tensors, in place where it says so; then with each illegal argument. A new line needs no code here. Its hints, separated
by ';', say what a formula cannot:

    shapes a=(m,k) b=(2,n)   dimensions by letter or number; other tensors broadcast with each other
    x in (low,high)          range of the elements or of the number x       x not 0
    types float              element types of the inputs: float, integer, number, signed, bool, any, or names, -name without it; default number
    p=3, p of (0,1), p=[2,3] values of a parameter
    p=axis(x), axes(x), permutation(x), repeats(x), points(x)     index indexes x, index selects x     dtype is type(out)
    target classifies x      classes along axis 1 of x, or axis 0 of rank 1
    x is i32                 its type              x of elements (0,1)    its elements              x given    never NULL
    x like y                 the type of y         x typed i32 i64        one of these types        x made by expression
    not empty                no tensors without elements               rank 1    none of rank 0
    arguments of name        arguments that depend on each other: the function `name` of cases.py makes all of them
    one type                 all other tensors have one type        wide outputs     all but the first may be float32
"""
import math
import os
import re
import sys
import zlib

import numpy as np
import pytest

sys.path[:0] = [os.path.join(os.environ["JUMAR_SOURCE"], "scripts"), os.path.dirname(__file__)]
import aclnn  # noqa: E402
import cases  # noqa: E402
import door  # noqa: E402
import training_formulas  # noqa: E402
from door import Tensor, category  # noqa: E402

ROWS = [row for _, _, rows in aclnn.parse_table(aclnn.ROOT / "src/ops/aclnn.tab") for row in rows]
FLOAT = ["f32", "f16", "bf16", "f64"]
SIGNED = ["i8", "i16", "i32", "i64"]
INTEGER = SIGNED + ["u8", "u16", "u32", "u64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
SETS = {"float": FLOAT, "integer": INTEGER, "number": FLOAT + INTEGER, "signed": FLOAT + SIGNED, "bool": ["bool"],
        "any": FLOAT + INTEGER + ["bool"]}
EPSILON = {"f32": 2e-6, "f16": 1e-3, "bf16": 8e-3, "f64": 1e-13}

# ---- What formulas may call ----


def axes_of(dims):
    dims = np.atleast_1d(dims).tolist()
    return tuple(dims) if dims else None


def reduce(function, x, dims, keep):
    if x.ndim == 0:
        return function(x)
    return function(x, axis=axes_of(dims), keepdims=bool(keep))


def along(function):
    """Functions along a dimension; a tensor of rank 0 has one of length 1."""
    def call(x, *rest):
        return function(x.reshape(1), *rest).reshape(()) if x.ndim == 0 else function(x, *rest)
    return call


def softmax(x, dim):
    e = np.exp(x - np.max(x, axis=dim, keepdims=True, initial=-np.inf))
    return e / e.sum(axis=dim, keepdims=True)


def arg(function, x, dim, keep):
    if x.ndim == 0:
        return np.int64(0)
    return function(x, axis=dim, keepdims=bool(keep)).astype(np.int64)


def order(x, dim, descending):
    return np.argsort(-x if descending else x, axis=dim, kind="stable")


def take_slice(x, dim, start, end, step):
    cut = [slice(None)] * x.ndim
    cut[dim] = slice(start, end, step)
    return x[tuple(cut)]


NAMES = {name: getattr(np, name) for name in (
    "abs sign sqrt exp log log1p expm1 exp2 sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh floor ceil "
    "rint fmod power maximum minimum where clip sum mean amax amin prod all any argmax argmin matmul outer concatenate stack "
    "equal not_equal greater greater_equal less less_equal logical_and logical_or logical_xor logical_not bitwise_and bitwise_or "
    "invert log2 log10 sinc trunc mod floor_divide arctan2 logaddexp isclose isin signbit nansum nan_to_num "
    "linspace histogram bitwise_xor left_shift right_shift isfinite isposinf isneginf take take_along_axis tril triu tile transpose eye").split()}


def erfinv(x):
    """By bisection."""
    low, high = np.full(np.shape(x), -8.0), np.full(np.shape(x), 8.0)
    for _ in range(80):
        middle = (low + high) / 2
        below = NAMES["erf"](middle) < x
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return low


def logit(x, eps):
    x = x if eps < 0 else np.clip(x, eps, 1 - eps)
    return np.log(x / (1 - x))


def weighted(x, weight):
    return x if weight is None else x * weight


def reduced(x, reduction):
    return (lambda x: x, np.mean, np.sum)[reduction](x)


def gelu_slope(x, approximate):
    """By central differences of fourth order."""
    gelu, h = (NAMES["gelu_tanh"], 1e-3) if approximate == "tanh" else (lambda x: 0.5 * x * (1 + NAMES["erf"](x / math.sqrt(2))), 1e-3)
    return (8 * (gelu(x + h) - gelu(x - h)) - gelu(x + 2 * h) + gelu(x - 2 * h)) / (12 * h)


def cross_entropy(x, t):
    with np.errstate(all="ignore"):
        return -(t * np.maximum(np.log(x), -100) + (1 - t) * np.maximum(np.log1p(-x), -100))


def moved(mean, share, x):
    return share * mean + (1 - share) * x


def ahead(m, gradient, share, nesterov):
    return share * m + (1 - share) * gradient if nesterov else m


def upward(gradient, maximize):
    return -gradient if maximize else gradient


def largest(v, maximum, amsgrad):
    return np.maximum(v, maximum) if amsgrad else v


def descent(w, gradient, momentum, scale, decay, keep, dampening, nesterov, maximize, first):
    """By how much w moves for a rate of 1, and the momentum."""
    g = upward(gradient if scale is None else gradient / scale, maximize) + decay * w
    momentum = g if first else keep * momentum + (1 - dampening) * g
    return (g + keep * momentum if nesterov else momentum), momentum


def nll_weights(target, weight, ignore):
    return np.where(target == ignore, 0, weight[np.where(target == ignore, 0, target)])


def nll(x, target, weight, reduction, ignore):
    index = np.expand_dims(np.where(target == ignore, 0, target), min(x.ndim - 1, 1))
    loss = -np.take_along_axis(x, index, min(x.ndim - 1, 1)).reshape(target.shape) * nll_weights(target, weight, ignore)
    if reduction == 0:
        return loss
    return loss.sum() / (nll_weights(target, weight, ignore).sum() if reduction == 1 else 1)


def nll_gradient(gradient, x, target, weight, reduction, ignore, total):
    share = np.where(target == ignore, 0, -gradient * nll_weights(target, weight, ignore) / (total if reduction == 1 else 1))
    made = np.zeros(x.shape)
    index = np.expand_dims(np.where(target == ignore, 0, target), min(x.ndim - 1, 1))
    np.put_along_axis(made, index, share.reshape(index.shape), min(x.ndim - 1, 1))
    return made


NAMES.update(
    moved=moved, ahead=ahead, upward=upward, largest=largest, descent=descent,
    weighted=weighted, reduced=reduced, gelu_slope=gelu_slope, cross_entropy=cross_entropy, nll=nll, nll_gradient=nll_gradient,
    nll_total=lambda target, weight, reduction, ignore: nll_weights(target, weight, ignore).sum() if reduction else np.float64(0),
    shared=lambda x, reduction: x / x.size if reduction == 1 and x.size else x, pi=math.pi, sigmoid=lambda x: 1 / (1 + np.exp(-x)),
    erfinv=erfinv, logit=logit, erfc=lambda x: np.vectorize(math.erfc, otypes=[float])(x), bool=bool,
    round_decimals=lambda x, n: np.rint(x * 10.0**n) / 10.0**n if n >= 0 else np.rint(x / 10.0**-n) * 10.0**-n,
    div_mod=lambda a, b, mode: np.trunc(a / b) if mode == 1 else np.floor_divide(a, b),
    erf=lambda x: np.vectorize(math.erf, otypes=[float])(x), reduce=reduce, softmax=along(softmax), arg=arg, take_slice=take_slice,
    gelu_tanh=lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    selu=lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))),
    clamp=lambda x, low, high: x if low is None and high is None else np.clip(x, low, high),
    broadcast=lambda x, like: np.broadcast_to(x, np.shape(like)), arange=np.arange,
    cumsum=along(np.cumsum), cumprod=along(np.cumprod), sort=along(lambda x, d, down: np.take_along_axis(x, order(x, d, down), d)),
    argsort=along(order), topk=along(lambda x, k, d, down: take_slice(np.take_along_axis(x, order(x, d, down), d), d, 0, k, 1)))

NAMES.update(cases.FORMULAS)
NAMES.update(training_formulas.NAMES)

# ---- Types: PyTorch's promotion, written again ----


def promote(a, b):
    if a is None or b is None or a == b:
        return a or b
    if category(a) != category(b):
        return max(a, b, key=category)
    if category(a) == 3:
        return "f64" if "f64" in (a, b) else "f32"
    bits = {t: int(t[1:]) for t in (a, b)}
    if a[0] == b[0]:
        return max(a, b, key=bits.get)
    signed, unsigned = (a, b) if a[0] == "i" else (b, a)
    return signed if bits[signed] > bits[unsigned] else f"i{min(2 * bits[unsigned], 64)}"


def common(row, statement, case, number=0):
    """The type of a statement with rule promote or float; of that item of the lists where they are walked together."""
    mix = {"tensor": None, "rank0": None, "number": None}

    def visit(term):
        if term.kind == "item":
            mix["rank0"] = promote(mix["rank0"], case.values[term.operands[0].name].dtype)
            return
        if term.kind == "param" and not term.convert and case.values.get(term.name) is not None:
            param = case.params[term.name]
            items = case.items(term.name)
            for item in items[number:number + 1] if row.each and len(items) > 1 else items:
                if param.kind in ("TENSOR", "TENSORS"):
                    key = "tensor" if item.shape else "rank0"
                    mix[key] = promote(mix[key], item.dtype)
                else:
                    dtype = case.number_type(term.name)
                    mix["number"] = promote(mix["number"], {1: "bool", 2: "i64", 3: "f32"}[category(dtype)])
        for operand in term.operands[:1] if term.kind in ("scale", "share", "broadcast", "unsqueeze", "along", "crop") else term.operands:
            visit(operand)

    visit(statement.term)
    result = None
    for part in (mix["tensor"], mix["rank0"], mix["number"]):
        if result is None:
            result = part
        elif part is not None and category(part) > category(result):
            result = promote(result, part)
    if statement.rule == "float" and category(result) < 3:
        result = "f32"
    return result


# ---- Cases ----

class Skip(Exception):
    pass


class Case:
    """One call of a line: arguments, and what the outputs must hold."""

    def __init__(self, row, random, types, layouts, rank, empty):
        self.row, self.random, self.empty, self.rank = row, random, empty, rank
        self.params = {p.name: p for p in row.params}
        self.hints = [h.strip() for h in row.hints.split(";") if h.strip()]
        self.types, self.layouts = list(types), list(layouts)
        self.positive = any(t in UNSIGNED for t in types)  # what wraps in one type must not in another
        self.values, self.numbers, self.keep = {}, {}, []
        self.shapes, self.letters = {}, {}
        for hint in self.hints:
            if hint.startswith("shapes "):
                self.shapes = dict(re.findall(r"(\w+)=\(([\w,]*)\)", hint))
        self.base = self.base_shape()

    def hint(self, pattern, name):
        for hint in self.hints:
            match = re.fullmatch(pattern.replace("NAME", name), hint)
            if match:
                return match
        return None

    def base_shape(self):
        self.rank = max(self.rank, 1 if "rank 1" in self.hints else 0)
        most = 3 if self.rank < 5 else 2
        shape = [int(self.random.integers(1, most + 1)) for _ in range(self.rank)]
        if self.empty and shape:
            shape[int(self.random.integers(len(shape)))] = 0
        return tuple(shape)

    def allowed(self):
        hint = next((h for h in self.hints if h.startswith("types ")), "types number")
        words = hint.split()[1:]
        found = dict.fromkeys(t for word in words if word[0] != "-" for t in SETS.get(word, [word]))
        return [t for t in found if "-" + t not in words]

    def shape_of(self, param):
        if param.name in self.shapes:
            letters = [x for x in self.shapes[param.name].split(",") if x]
            for letter in letters:
                if letter.isdigit():
                    self.letters[letter] = int(letter)
                self.letters.setdefault(letter, 0 if self.empty and letter == "m" else int(self.random.integers(1, 6)))
            return tuple(self.letters[x] for x in letters)
        inputs = [p for p in self.row.params if p.kind in ("TENSOR", "TENSORS") and p.input]
        if param.output or len(inputs) == 1 or param.kind == "TENSORS" or self.random.integers(2):
            return self.base
        drop = int(self.random.integers(0, len(self.base) + 1))
        return tuple(1 if self.random.integers(3) == 0 else d for d in self.base[drop:])

    def elements(self, name, shape, dtype):
        listed = self.hint(r"NAME of elements \(([-\d.,]+)\)", name)
        if listed:
            return self.random.choice([float(x) for x in listed[1].split(",")], shape)
        match = self.hint(r"NAME in \(([-\d.]+),([-\d.]+)\)", name)
        low, high = (float(match[1]), float(match[2])) if match else (0 if self.positive else -4, 4)
        if category(dtype) == 1:
            return self.random.integers(0, 2, shape).astype(bool)
        if category(dtype) == 2:
            low = max(math.ceil(low), 0) if dtype[0] == "u" else math.ceil(low)
            values = self.random.integers(low, math.floor(high) + 1, shape)
        else:
            values = self.random.uniform(low, high, shape)
            values = np.where(self.random.integers(0, 4, shape) == 0, np.rint(values), values) if not match else values
        if self.hint("NAME not 0", name):
            values = np.where(np.abs(values) < 0.5, 1, values)
        return values

    def next_type(self):
        allowed = self.allowed()
        wanted = self.types.pop(0) if self.types else allowed[int(self.random.integers(len(allowed)))]
        if not self.positive and wanted in UNSIGNED:
            wanted = "i32"
        return wanted if wanted in allowed else allowed[zlib.crc32(wanted.encode()) % len(allowed)]

    def tensor(self, param):
        layout = self.layouts.pop(0) if self.layouts else "contiguous"
        if param.output and layout == "broadcast":
            layout = "sliced"
        indexes = self.hint(r"NAME (?:indexes|selects) (\w+)", param.name)
        if indexes:
            return self.index_tensor(param, layout, self.values[indexes[1]], "selects" in indexes[0])
        classified = self.hint(r"NAME classifies (\w+)", param.name)
        if classified:
            return self.classes(layout, self.values[classified[1]].shape)
        fixed, like = self.hint(r"NAME is (\w+)", param.name), self.hint(r"NAME like (\w+)", param.name)
        typed = self.hint(r"NAME typed (.*)", param.name)
        dtype = fixed[1] if fixed else self.values[like[1]].dtype if like else self.next_type()
        if typed:
            dtype = str(self.random.choice(typed[1].split()))
        if "one type" in self.hints:
            self.types = [dtype] * 8
        formula = self.hint(r"NAME made by (.*)", param.name)
        if formula:
            layout = "sliced" if layout == "broadcast" else layout  # which would change the elements
            return Tensor(eval(formula[1], {"__builtins__": {}}, self.environment(0)), dtype, layout)  # noqa: S307
        shape = self.shape_of(param)
        return Tensor(self.elements(param.name, shape, dtype), dtype, layout)

    def index_tensor(self, param, layout, data, selects):
        dim = self.values.get("dim", 0)
        if not data.shape or data.shape[dim] == 0:
            raise Skip
        shape = (4,) if selects else tuple(5 if k == dim % len(data.shape) else d for k, d in enumerate(data.shape))
        dtype = ("i64", "i32")[int(self.random.integers(2))]
        return Tensor(self.random.integers(0, data.shape[dim], shape), dtype, layout)

    def classes(self, layout, shape):
        axis = min(len(shape) - 1, 1)
        if shape[axis] == 0:
            raise Skip
        dtype = ("i64", "i32", "u8")[int(self.random.integers(3))]
        return Tensor(self.random.integers(0, shape[axis], shape[:axis] + shape[axis + 1:]), dtype, layout)

    def items(self, name):
        value = self.values[name]
        return value if isinstance(value, list) else [] if value is None else [value]

    def number_type(self, name):
        return self.numbers[name]

    def number(self, param):
        """A number that may be a parameter: from a hint, or at random."""
        for pattern in (r"NAME=(-?[\d.]+)", r"NAME of \(([-\d.,]+)\)"):
            match = self.hint(pattern, param.name)
            if match:
                choices = [float(x) if "." in x else int(x) for x in match[1].split(",")]
                return choices[int(self.random.integers(len(choices)))]
        match = self.hint(r"NAME of \(([a-z,]+)\)", param.name)
        if match:
            return match[1].split(",")[int(self.random.integers(match[1].count(",") + 1))]
        match = self.hint(r"NAME=\[([-\d,]*)\]", param.name)
        if match:
            return [int(x) for x in match[1].split(",") if x]
        match = self.hint(r"NAME=(axis|axes|permutation|repeats|points)\((\w+)\)", param.name)
        if match:
            return self.geometry(match[1], self.items(match[2])[0])
        if param.kind in ("INT", "BOOL"):
            return int(self.random.integers(0, 2))
        if param.kind == "INTS":
            return []
        if param.kind == "BOOLS":
            return [bool(x) for x in self.random.integers(0, 2, 3)]
        integral = self.random.integers(2) or category(self.allowed()[0]) < 3 or self.in_scale(param.name)
        value = self.elements(param.name, (), "i64" if integral else "f64")
        return value.item()

    def in_scale(self, name):
        def inside(term):
            if term.kind in ("scale", "share") and term.operands[1].name == name:
                return True
            return any(inside(t) for t in term.operands)
        return any(inside(s.term) for s in self.row.statements)

    def geometry(self, what, tensor):
        rank = len(tensor.shape)
        if what == "points":
            return math.prod(tensor.shape[2:])
        if what == "axis":
            return int(self.random.integers(-rank, rank)) if rank else int(self.random.integers(-1, 1))
        if what == "permutation":
            return [int(x) for x in self.random.permutation(rank)]
        if what == "repeats":
            more = int(self.random.integers(0, 2)) if rank < 8 else 0
            return [int(x) for x in self.random.integers(1, 3, rank + more)]
        count = int(self.random.integers(0, rank + 1))
        return [int(x) - (rank if self.random.integers(2) else 0) for x in self.random.permutation(rank)[:count]]

    def fill(self):
        made = next((h.removeprefix("arguments of ") for h in self.hints if h.startswith("arguments of ")), None)
        if made:
            self.values.update(getattr(cases, made)(self))
            self.numbers.update((p.name, "i64") for p in self.row.params if p.kind in ("INT", "BOOL"))
            self.values.update((p.name, 0) for p in self.row.params if p.kind == "INT" and p.name not in self.values)
            return
        for param in self.row.params:
            if param.kind in ("TENSOR", "TENSORS") and param.input and not self.needs_number(param):
                self.make_tensor(param)
        for param in self.row.params:
            if param.name not in self.values and param.kind not in ("TENSOR", "TENSORS", "DTYPE"):
                self.values[param.name] = [self.number(param) for _ in range(2)] if param.kind == "SCALARS" else self.number(param)
                if param.optional and self.random.integers(3) == 0:
                    self.values[param.name] = None
                if param.kind in ("SCALAR", "SCALARS"):
                    whole = all(float(v).is_integer() for v in self.items(param.name) if v is not None)
                    kinds = 1 if category(self.allowed()[0]) < 3 else 3
                    self.numbers[param.name] = ("i64", "f32", "f64")[int(self.random.integers(kinds))] if whole else "f64"
                elif param.kind == "FLOAT":
                    self.numbers[param.name] = "f64"
                elif param.kind in ("INT", "BOOL"):
                    self.numbers[param.name] = "i64"
        for param in self.row.params:
            if param.kind in ("TENSOR", "TENSORS") and param.input and param.name not in self.values:
                self.make_tensor(param)

    def needs_number(self, param):
        return bool(self.hint(r"NAME (?:indexes|selects|classifies) (\w+)", param.name) or self.hint("NAME made by .*", param.name))

    def make_tensor(self, param):
        if param.optional and not self.hint("NAME given", param.name) and self.random.integers(3) == 0:
            self.values[param.name] = None
            return
        self.values[param.name] = [self.tensor(param) for _ in range(2)] if param.kind == "TENSORS" else self.tensor(param)

    # ---- What must come out ----

    def environment(self, item):
        names = dict(NAMES, item=item)
        for name, value in self.values.items():
            param = self.params[name]
            if self.row.each and isinstance(value, list) and param.kind in ("TENSORS", "SCALARS"):
                value = value[item]
            if isinstance(value, Tensor):
                value = value.values()
            elif isinstance(value, list) and param.kind == "TENSORS":
                value = [v.values() for v in value]
            elif value is None and self.in_scale(name):
                value = 1
            names[name] = value
        return names

    def expect(self):
        """{output: [array, ...]} by the formula."""
        found = {}
        count = 2 if self.row.each else 1
        for item in range(count):
            names = self.environment(item)
            for piece in self.row.formula.split("; "):
                target, text = piece.split(" = ", 1)
                try:
                    with np.errstate(all="ignore"):
                        value = eval(text, {"__builtins__": {}}, names)  # noqa: S307 - our own table
                except training_formulas.Missing:
                    raise Skip from None
                found.setdefault(target, []).append(value if value is None else np.asarray(value))
        return found

    def output_type(self, statement, expected, number):
        if expected.dtype == np.bool_:
            return "bool" if statement.rule not in ("output", "convert") else "bool"
        if statement.rule in ("promote", "float"):
            return common(self.row, statement, self, number)
        first = next((p for p in self.row.params if p.kind in ("TENSOR", "TENSORS") and p.input), None)
        if statement.rule == "keep" and expected.dtype == np.int64 and first and category(self.items(first.name)[0].dtype) == 3:
            return "i64"
        if statement.rule == "keep" and first:
            return self.items(first.name)[0].dtype
        allowed = [t for t in self.allowed() if self.positive or t not in UNSIGNED]
        return allowed[int(self.random.integers(len(allowed)))]

    def make_outputs(self):
        self.expected, self.untouched = self.expect(), {}
        unwritten = [name for name, values in self.expected.items() if any(x is None for x in values)]
        for statement in self.row.statements:
            for position, name in enumerate(statement.outputs):
                if name == "-":
                    continue
                param = self.params[name]
                if name in self.values:  # in place: the result must fit
                    self.check_in_place(statement, name)
                    continue
                if name not in self.expected:
                    self.expected[name] = [None]
                    source = self.expected[statement.outputs[0]]
                    made = [Tensor(np.zeros(x.shape, np.int64), "i64") for x in source]
                else:
                    made = []
                    for number, x in enumerate(self.expected[name]):
                        if x is None:
                            made.append(Tensor(np.full(3, 7), "f32"))
                            continue
                        if x.ndim > 8:
                            raise Skip
                        layout = ("contiguous", "transposed", "sliced")[int(self.random.integers(3))]
                        dtype = "i64" if position and statement.rule == "keep" and x.dtype.kind != "f" else self.output_type(statement, x, number)
                        if position and "wide outputs" in self.hints:
                            dtype = ("f32", dtype)[int(self.random.integers(2))]
                        if name in ("indices", "indicesOut") or "arg" in self.row.formula.split(" = ")[-1][:4]:
                            dtype = "i64" if x.dtype == np.int64 and name != "valuesOut" and "arg" in self.row.formula else dtype
                        typed = self.hint(r"NAME typed (.*)", name)
                        dtype = typed[1].split()[0] if typed else dtype
                        made.append(Tensor(np.zeros(x.shape, np.int64), dtype, layout))
                self.values[name] = made if param.kind == "TENSORS" else made[0]
        for name in unwritten:  # what lies there stays
            self.untouched[name] = [None if item is None else item.values() for item in self.items(name)]

    def check_in_place(self, statement, name):
        for number, (tensor, expected) in enumerate(zip(self.items(name), self.expected[name])):
            if expected is None:
                continue
            if expected.shape != tensor.shape:
                raise Skip
            if statement.rule in ("promote", "float") and expected.dtype != np.bool_ and \
                    category(common(self.row, statement, self, number)) > category(tensor.dtype):
                raise Skip

    # ---- The call ----

    def arguments(self, without=None):
        made = []
        for param in self.row.params:
            value = self.values.get(param.name)
            if param.kind == "DTYPE":
                made.append(door.CTYPES["dtype"](door.DTYPES[self.out_type()][0]))
            elif param.kind in ("INT", "BOOL", "FLOAT"):
                made.append(door.CTYPES[param.type](value))
            elif value is None or param.name == without:
                made.append(None)
            elif param.kind == "TENSOR":
                made.append(door.POINTER(value.handle))
            elif param.kind == "TENSORS":
                made.append(door.list_of("Tensor", [v.handle for v in value]))
            elif param.kind == "SCALAR":
                made.append(door.POINTER(door.scalar(value, self.numbers[param.name])))
            elif param.kind == "SCALARS":
                made.append(door.list_of("Scalar", [door.scalar(v, self.numbers[param.name]) for v in value]))
            elif param.kind in ("INTS", "BOOLS", "STRING"):
                made.append(door.plain(param, value))
            else:
                raise Skip
        return made

    def out_type(self):
        for statement in self.row.statements:
            for name in statement.outputs:
                if name in self.values:
                    return self.items(name)[0].dtype
        return "f32"

    def text(self):
        shown = []
        for name, value in self.values.items():
            for item in value if isinstance(value, list) else [value]:
                shown.append(f"{name}={item.dtype}{list(item.shape)} strides {item.strides}" if isinstance(item, Tensor)
                             else f"{name}={item}:{self.numbers.get(name, '')}")
        return f"{self.row.name}({', '.join(shown)})"

    def compare(self, before):
        for name, values in self.untouched.items():
            for tensor, value in zip(self.items(name), values):
                assert tensor is None or np.array_equal(tensor.values(), value, equal_nan=True), f"{self.text()}\n{name} changed"
        for name, expected in self.expected.items():
            for tensor, want in zip(self.items(name), expected):
                if want is None:
                    continue
                have = tensor.values()
                if category(tensor.dtype) == 3:
                    want = door.decode(door.encode(want.astype(np.float64), tensor.dtype), tensor.dtype)
                    limit = 8 * max(EPSILON[tensor.dtype], EPSILON[self.lowest()])
                    close = np.abs(have - want) <= limit * (1 + np.abs(want))
                    good = np.all(close | (have == want) | (np.isnan(have) & np.isnan(want)))
                else:
                    if want.dtype == np.float64 and tensor.dtype != "bool":
                        want = np.trunc(want)
                    want = door.decode(want.astype(np.int64).astype(door.DTYPES[tensor.dtype][1])
                                       if tensor.dtype != "bool" else want != 0, tensor.dtype)
                    good = np.array_equal(have, want)
                assert good, f"{self.text()}\n{name}: {have}\nwant {want}"
        for name, gaps in before.items():
            for tensor, bytes_before in zip([t for t in self.items(name) if t], gaps):
                assert tensor.gaps() == bytes_before, f"{self.text()}\n{name}: bytes beside the elements changed"

    def lowest(self):
        """The type with the largest epsilon among the float inputs of a lower type than float64."""
        found = [item.dtype for p in self.row.params if p.kind in ("TENSOR", "TENSORS") and p.name in self.values
                 for item in self.items(p.name) if item is not None and category(item.dtype) == 3]
        kept = any(s.rule == "output" for s in self.row.statements)
        return max(found, key=EPSILON.get) if found and kept else "f64" if set(found) == {"f64"} else "f32"

    def gaps(self):
        return {p.name: [t.gaps() for t in self.items(p.name) if t] for p in self.row.params
                if p.kind in ("TENSOR", "TENSORS") and p.output}

    def destroy(self):
        for param in self.row.params:
            if param.kind == "TENSOR" and isinstance(self.values.get(param.name), Tensor):
                self.values[param.name].destroy()


def plan(row):
    """Factors of the cases of a line: every pair of types or every type with every layout; the rest in turn."""
    case = Case(row, np.random.default_rng(0), [], [], 1, False)
    allowed = case.allowed()
    tensors = sum(p.kind == "TENSOR" and p.input for p in row.params) + 2 * sum(p.kind == "TENSORS" for p in row.params)
    pairs = [(a, b) for a in allowed for b in allowed] if tensors > 1 else [(a, a) for a in allowed for _ in range(5)]
    for number, types in enumerate(pairs):
        layouts = [door.LAYOUTS[(number // 4**k + number) % 4] for k in range(3)]
        yield types, layouts, number % 9, number % 7 == 6 and "not empty" not in row.hints


def build(row, random, types, layouts, rank, empty):
    case = Case(row, random, types, layouts, rank, empty)
    case.fill()
    case.make_outputs()
    return case


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_results(row):
    if not row.formula:
        pytest.skip("the line has no formula")
    random = np.random.default_rng(zlib.crc32(row.name.encode()))
    done = 0
    for factors in plan(row):
        try:
            case = build(row, random, *factors)
        except Skip:
            continue
        before = case.gaps()
        code = door.run(row.name, case.arguments())
        assert code == 0, f"{case.text()}: {code} {door.message()}"
        case.compare(before)
        case.destroy()
        done += 1
    assert done >= 5, f"only {done} cases"


def some_case(row):
    random = np.random.default_rng(zlib.crc32(row.name.encode()))
    for factors in plan(row):
        try:
            case = build(row, random, factors[0], ["contiguous"] * 3, 2, False)
        except Skip:
            continue
        if all(t.view.size for p in row.params if p.kind in ("TENSOR", "TENSORS") and p.name in case.values
               for t in case.items(p.name) if t is not None):
            return case
    raise AssertionError("no case to begin with")


def refused(row, arguments, want, words):
    code, size, executor = door.phase_one(row.name, arguments)
    text = door.message()
    assert code == want and text and row.name in text and words in text, f"{row.name}: {code} {text}; want {want} {words}"
    assert size == 0 and not executor.value


@pytest.mark.parametrize("row", [r for r in ROWS if r.formula], ids=lambda row: row.name)
def test_illegal_arguments(row):
    case = some_case(row)
    for param in row.params:
        if param.kind in ("TENSOR", "TENSORS", "SCALAR", "SCALARS", "INTS", "BOOLS", "STRING") and not param.optional:
            refused(row, case.arguments(without=param.name), 161001, f"{param.name} must not be NULL")
        if param.kind != "TENSOR" or not isinstance(case.values.get(param.name), Tensor):
            continue
        good, arguments = case.values[param.name], case.arguments()
        place = row.params.index(param)
        arguments[place] = door.POINTER(good.describe(good.shape, good.strides, 0, number=33))
        refused(row, arguments, 161002, param.name)
        arguments[place] = door.POINTER(good.describe((1,) * 9, (1,) * 9, 0))
        refused(row, arguments, 161002, "9 dimensions")
        arguments[place] = door.POINTER(good.describe((2, -1), (1, 1), 0))
        refused(row, arguments, 161002, "must not be negative")
        if param.output and not param.input and case.expected[param.name][0] is not None:
            arguments[place] = door.POINTER(good.describe(good.shape + (2, 3), good.strides + [3, 1], 0))
            refused(row, arguments, 161002, "")
            arguments[place] = door.POINTER(good.describe((2,), (0,), 0))
            refused(row, arguments, 161002, "must not share memory")
