#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""aclnnDequantRopeQuantKvcache beside the chain of PyTorch CPU operators that it stands for, in one run, interleaved.

  bench/kvcache_torch.py build/src/libjumar.so [--tokens 24576] [--rounds 7] [--threads 2]

32 heads of q, 8 of k and v, 128 channels; x of float16, and of int32 with scales and a bias of float32; caches in pages, places in
random order. Both work on the same tensors. Before anything is timed, the results are compared: PyTorch rounds v and k
elsewhere, so a byte of a cache may differ by 1.
"""
import argparse
import ctypes
import os
import statistics
import time

import torch

from door import Door

NQ, NKV, D, BLOCK = 32, 8, 128, 128
Q, KV = NQ * D, NKV * D
H = Q + 2 * KV
NAME = "aclnnDequantRopeQuantKvcache"


def prepare(door, c, outputs):
    """One repeatable executor."""
    inputs = [c["x"], c["cos"], c["sin"], outputs["k_cache"], outputs["v_cache"], c["slots"], c["scale_k"], c["scale_v"],
              c["offset_k"], c["offset_v"], c["weight_scale"], c["activation_scale"], c["bias"]]
    none = torch.empty(0, dtype=torch.float16)
    size, executor = door.phase_one(NAME, [
        *[door.tensor(t) for t in inputs], door.ints((Q, KV, KV)), b"static", b"BSND", ctypes.c_bool(False), b"page",
        door.tensor(outputs["q"]), door.tensor(none), door.tensor(none)])
    assert size == 0
    door.check(door.acl.aclSetAclOpExecutorRepeatable(executor))
    return executor


def rope(x, cos, sin):
    low, high = x.chunk(2, -1)
    return x * cos + torch.cat((-high, low), -1) * sin


def quantise(x, scale, offset):
    return (x.float() / scale + offset).round_().clamp_(-128, 127).to(torch.int8)


def chain(c, outputs):
    """One PyTorch operator for each operation, as a model would write it."""
    x = c["x"]
    if x.dtype == torch.int32:
        x = (x.float() * c["weight_scale"] * c["activation_scale"][:, None] + c["bias"]).half()
    q, k, v = x.split((Q, KV, KV), -1)
    cos, sin = c["cos"][:, None], c["sin"][:, None]
    outputs["q"] = rope(q.view(-1, NQ, D), cos, sin)
    k = rope(k.view(-1, NKV, D), cos, sin)
    slots = c["slots_long"]
    outputs["k_cache"].view(-1, KV)[slots] = quantise(k.reshape(-1, KV), c["scale_k"], c["offset_k"])
    outputs["v_cache"].view(-1, KV)[slots] = quantise(v, c["scale_v"], c["offset_v"])


def case(integer, tokens):
    def uniform(*shape, low=-1.0, high=1.0):
        return torch.empty(shape).uniform_(low, high)

    x = torch.randint(-1000, 1000, (tokens, H), dtype=torch.int32) if integer else uniform(tokens, H, low=-3, high=3).half()
    slots = torch.randperm(tokens)
    c = {"x": x, "cos": uniform(tokens, D).half(), "sin": uniform(tokens, D).half(), "slots": slots.int(), "slots_long": slots,
         "scale_k": uniform(KV, low=0.02, high=0.05), "scale_v": uniform(KV, low=0.02, high=0.05),
         "offset_k": uniform(KV, low=-5, high=5), "offset_v": uniform(KV, low=-5, high=5)}
    c.update({"weight_scale": uniform(H, low=0.001, high=0.003), "activation_scale": uniform(tokens, low=0.5, high=2),
              "bias": uniform(H)} if integer else dict.fromkeys(("weight_scale", "activation_scale", "bias")))
    return c


def empty_outputs(tokens):
    blocks = (tokens + BLOCK - 1) // BLOCK
    cache = (blocks, BLOCK, NKV, D)
    return {"q": torch.zeros(tokens, NQ, D, dtype=torch.float16), "k_cache": torch.zeros(cache, dtype=torch.int8),
            "v_cache": torch.zeros(cache, dtype=torch.int8)}


def compare(ours, theirs):
    q = (ours["q"].float() - theirs["q"].float()).abs().max().item()
    assert q < 0.02, f"q differs by {q}"
    for name in "k_cache", "v_cache":
        apart = (ours[name].int() - theirs[name].int()).abs()
        assert apart.max() <= 1, f"{name} differs by {apart.max()}"
        assert apart.float().mean() < 0.05, f"{name} differs in {apart.float().mean()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--tokens", type=int, default=24576)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    os.environ["JUMAR_NUM_THREADS"] = str(options.threads)
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    door = Door(options.library)
    print(f"{options.threads} threads, {options.tokens} tokens, torch {torch.__version__}")
    for integer in False, True:
        c = case(integer, options.tokens)
        ours, theirs = empty_outputs(options.tokens), empty_outputs(options.tokens)
        executor = prepare(door, c, ours)
        times = [], []
        for i in range(options.rounds + 1):
            for mine, run in enumerate((lambda: chain(c, theirs), lambda: door.finish(NAME, None, 0, executor))):
                begin = time.perf_counter()
                run()
                if i:
                    times[mine].append(time.perf_counter() - begin)
            if i == 0:
                compare(ours, theirs)
        ratio = statistics.median(a / b for a, b in zip(*times))
        print(f"{'int32' if integer else 'float16'}: torch {statistics.median(times[0]) * 1e3:.0f} ms, "
              f"ours {statistics.median(times[1]) * 1e3:.1f} ms, {ratio:.1f} times faster")


if __name__ == "__main__":
    main()
