# SPDX-License-Identifier: Apache-2.0
"""Classifiers in the structure of their papers, with fewer layers: what matters here are operators and shapes."""
import torch
import torch.nn.functional as F
from torch import nn

from zoo_nets import Mixer, conv


class Residual(nn.Module):
    def __init__(self, inner, shortcut=None, act=True):
        super().__init__()
        self.inner, self.shortcut, self.act = inner, shortcut or nn.Identity(), act

    def forward(self, x):
        y = self.inner(x) + self.shortcut(x)
        return F.relu(y) if self.act else y


def head(c, classes=100):
    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(c, classes))


def resnet18():
    layers = [conv(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1)]
    for c, d, s in ((64, 64, 1), (64, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2), (256, 256, 1), (256, 512, 2), (512, 512, 1)):
        shortcut = conv(c, d, 1, s, act="none") if s > 1 else None
        layers.append(Residual(nn.Sequential(conv(c, d, 3, s), conv(d, d, act="none")), shortcut))
    return nn.Sequential(*layers, head(512))


def resnet50():
    layers, c = [conv(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1)], 64
    for d, n, s in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(n):
            step = s if i == 0 else 1
            shortcut = conv(c, 4 * d, 1, step, act="none") if i == 0 else None
            layers.append(Residual(nn.Sequential(conv(c, d, 1), conv(d, d, 3, step), conv(d, 4 * d, 1, act="none")), shortcut))
            c = 4 * d
    return nn.Sequential(*layers, head(c))


class Gate(nn.Module):
    """Squeeze and excitation."""

    def __init__(self, c, squeezed, act, gate):
        super().__init__()
        self.a, self.b, self.act, self.gate = nn.Conv2d(c, squeezed, 1), nn.Conv2d(squeezed, c, 1), act(), gate()

    def forward(self, x):
        return x * self.gate(self.b(self.act(self.a(F.adaptive_avg_pool2d(x, 1)))))


def inverted(c, d, wide, kernel, stride, act, gate=None):
    layers = [conv(c, wide, 1, act=act)] if wide != c else []
    layers.append(conv(wide, wide, kernel, stride, wide, act))
    if gate:
        layers.append(gate(wide, c))
    layers.append(conv(wide, d, 1, act="none"))
    inner = nn.Sequential(*layers)
    return Residual(inner, act=False) if stride == 1 and c == d else inner


def mobilenet_v2():
    layers, c = [conv(3, 32, 3, 2, act="relu6")], 32
    for t, d, n, s in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for i in range(n):
            layers.append(inverted(c, d, c * t, 3, s if i == 0 else 1, "relu6"))
            c = d
    return nn.Sequential(*layers, conv(c, 1280, 1, act="relu6"), head(1280))


def mobilenet_v3():
    def gate(wide, _):
        return Gate(wide, max(8, wide // 4 // 8 * 8), nn.ReLU, nn.Hardsigmoid)

    layers, c = [conv(3, 16, 3, 2, act="hard")], 16
    for k, wide, d, excite, act, s in ((3, 16, 16, 1, "relu", 2), (3, 72, 24, 0, "relu", 2), (3, 88, 24, 0, "relu", 1),
                                       (5, 96, 40, 1, "hard", 2), (5, 240, 40, 1, "hard", 1), (5, 120, 48, 1, "hard", 1),
                                       (5, 288, 96, 1, "hard", 2), (5, 576, 96, 1, "hard", 1)):
        layers.append(inverted(c, d, wide, k, s, act, gate if excite else None))
        c = d
    return nn.Sequential(*layers, conv(c, 576, 1, act="hard"), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(576, 1024),
                         nn.Hardswish(), nn.Linear(1024, 100))


def efficientnet():
    def gate(wide, c):
        return Gate(wide, max(1, c // 4), nn.SiLU, nn.Sigmoid)

    layers, c = [conv(3, 32, 3, 2, act="silu")], 32
    for t, d, n, k, s in ((1, 16, 1, 3, 1), (6, 24, 2, 3, 2), (6, 40, 2, 5, 2), (6, 80, 3, 3, 2), (6, 112, 2, 5, 1), (6, 192, 2, 5, 2)):
        for i in range(n):
            layers.append(inverted(c, d, c * t, k, s if i == 0 else 1, "silu", gate))
            c = d
    return nn.Sequential(*layers, conv(c, 640, 1, act="silu"), head(640))


class Shuffle(nn.Module):
    def __init__(self, c, d, stride):
        super().__init__()
        half = d // 2
        self.stride = stride
        self.left = nn.Sequential(conv(c, c, 3, 2, c, "none"), conv(c, half, 1)) if stride == 2 else nn.Identity()
        start = c if stride == 2 else half
        self.right = nn.Sequential(conv(start, half, 1), conv(half, half, 3, stride, half, "none"), conv(half, half, 1))

    def forward(self, x):
        a, b = (x, x) if self.stride == 2 else x.chunk(2, 1)
        y = torch.cat([self.left(a), self.right(b)], 1)
        n, c, h, w = y.shape
        return y.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)


def shufflenet_v2():
    layers, c = [conv(3, 24, 3, 2), nn.MaxPool2d(3, 2, 1)], 24
    for d, n in ((116, 4), (232, 8), (464, 4)):
        layers += [Shuffle(c if i == 0 else d, d, 2 if i == 0 else 1) for i in range(n)]
        c = d
    return nn.Sequential(*layers, conv(c, 1024, 1), head(1024))


class Vit(nn.Module):
    def __init__(self, c=96, patches=36, classes=100):
        super().__init__()
        self.embed = nn.Conv2d(3, c, 16, 16)
        self.token = nn.Parameter(torch.randn(1, 1, c) * 0.1)
        self.position = nn.Parameter(torch.randn(1, patches + 1, c) * 0.1)
        layer = nn.TransformerEncoderLayer(c, 4, 2 * c, 0.0, "gelu", batch_first=True, norm_first=True)
        self.blocks = nn.ModuleList([Mixer(c, 4), Mixer(c, 4)])
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.norm, self.out = nn.LayerNorm(c), nn.Linear(c, classes)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.position
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(self.encoder(x))[:, 0])


class ConvNextBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.deep, self.norm = nn.Conv2d(c, c, 7, padding=3, groups=c), nn.LayerNorm(c, eps=1e-6)
        self.a, self.b, self.gain = nn.Linear(c, 4 * c), nn.Linear(4 * c, c), nn.Parameter(torch.full((c,), 0.3))

    def forward(self, x):
        y = self.norm(self.deep(x).permute(0, 2, 3, 1))
        return x + (self.gain * self.b(F.gelu(self.a(y)))).permute(0, 3, 1, 2)


def convnext():
    return nn.Sequential(nn.Conv2d(3, 48, 4, 4), nn.GroupNorm(1, 48), ConvNextBlock(48), ConvNextBlock(48), nn.Conv2d(48, 96, 2, 2),
                         ConvNextBlock(96), ConvNextBlock(96), head(96))


class Window(nn.Module):
    """Swin's block: attention in windows of 4x4, shifted by 2."""

    def __init__(self, c, heads, shift, side=4):
        super().__init__()
        self.inner, self.shift, self.side, self.c = Mixer(c, heads), shift, side, c

    def forward(self, x):
        n, h, w, c = x.shape
        s = self.side
        if self.shift:
            x = torch.roll(x, (-self.shift, -self.shift), (1, 2))
        parts = x.view(n, h // s, s, w // s, s, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, s * s, c)
        parts = torch.cat([self.inner(parts[i:i + 1]) for i in range(parts.shape[0])])
        x = parts.view(n, h // s, w // s, s, s, c).permute(0, 1, 3, 2, 4, 5).reshape(n, h, w, c)
        return torch.roll(x, (self.shift, self.shift), (1, 2)) if self.shift else x


class Swin(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.a, self.b = nn.Conv2d(3, 48, 8, 8), Window(48, 3, 0), Window(48, 3, 2)
        self.norm, self.reduce, self.c = nn.LayerNorm(192), nn.Linear(192, 96, bias=False), Window(96, 3, 0)
        self.out = nn.Linear(96, 100)

    def forward(self, x):
        x = self.b(self.a(self.embed(x).permute(0, 2, 3, 1)))
        x = torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
        return self.out(self.c(self.reduce(self.norm(x))).mean((1, 2)))


class Dense(nn.Module):
    """DenseNet's block: normalisation and activation in front of each convolution."""

    def __init__(self, c, growth, n):
        super().__init__()
        self.steps = nn.ModuleList(nn.Sequential(nn.BatchNorm2d(c + i * growth), nn.ReLU(), nn.Conv2d(c + i * growth, 4 * growth, 1, bias=False),
                                                 nn.BatchNorm2d(4 * growth), nn.ReLU(), nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False))
                                   for i in range(n))

    def forward(self, x):
        for step in self.steps:
            x = torch.cat([x, step(x)], 1)
        return x


def densenet():
    return nn.Sequential(conv(3, 32, 7, 2), nn.MaxPool2d(3, 2, 1), Dense(32, 12, 4), nn.BatchNorm2d(80), nn.ReLU(),
                         nn.Conv2d(80, 40, 1, bias=False), nn.AvgPool2d(2, 2), Dense(40, 12, 4), nn.BatchNorm2d(88), nn.ReLU(), head(88))


# name: (network, shape of the input)
CLASSIFIERS = {
    "resnet18": (resnet18, (1, 3, 128, 128)),
    "resnet50": (resnet50, (1, 3, 96, 96)),
    "mobilenet_v2": (mobilenet_v2, (1, 3, 128, 128)),
    "mobilenet_v3": (mobilenet_v3, (1, 3, 128, 128)),
    "efficientnet": (efficientnet, (1, 3, 128, 128)),
    "shufflenet_v2": (shufflenet_v2, (1, 3, 128, 128)),
    "vit": (Vit, (1, 3, 96, 96)),
    "convnext": (convnext, (1, 3, 96, 96)),
    "swin": (Swin, (1, 3, 128, 128)),
    "densenet": (densenet, (1, 3, 128, 128)),
}
