# SPDX-License-Identifier: Apache-2.0
"""Networks of the detector and text families that have no package of their own, small, in the structure of their papers:
what matters here are the operators and shapes that their exports hold."""
import torch
import torch.nn.functional as F
from torch import nn

ACTIVATIONS = {"relu": nn.ReLU, "silu": nn.SiLU, "leaky": lambda: nn.LeakyReLU(0.1), "hard": nn.Hardswish, "none": nn.Identity,
               "gelu": nn.GELU, "relu6": nn.ReLU6, "mish": nn.Mish}


def conv(inputs, outputs, kernel=3, stride=1, groups=1, act="relu"):
    padding = kernel // 2 if isinstance(kernel, int) else tuple(k // 2 for k in kernel)
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False),
                         nn.BatchNorm2d(outputs), ACTIVATIONS[act]())


def double(x):
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


# ---- YOLOv4-tiny: halves of channels, two raw heads ----

class HalfStage(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.first, self.a, self.b = conv(c, c, act="leaky"), conv(c // 2, c // 2, act="leaky"), conv(c // 2, c // 2, act="leaky")
        self.mix = conv(c, c, 1, act="leaky")

    def forward(self, x):
        x = self.first(x)
        a = self.a(torch.split(x, x.shape[1] // 2, 1)[1])
        y = self.mix(torch.cat([self.b(a), a], 1))
        return y, torch.cat([x, y], 1)


class YoloV4Tiny(nn.Module):
    def __init__(self, classes=20):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 3, 2, act="leaky"), conv(16, 32, 3, 2, act="leaky"))
        self.stage = nn.ModuleList([HalfStage(32), HalfStage(64), HalfStage(128)])
        self.pool = nn.MaxPool2d(2, 2)
        self.last = conv(256, 256, act="leaky")
        self.neck = conv(256, 128, 1, act="leaky")
        self.up = conv(128, 64, 1, act="leaky")
        self.low = nn.Sequential(conv(128, 256, act="leaky"), nn.Conv2d(256, 3 * (5 + classes), 1))
        self.high = nn.Sequential(conv(192, 128, act="leaky"), nn.Conv2d(128, 3 * (5 + classes), 1))

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stage:
            kept, x = stage(x)
            x = self.pool(x)
        x = self.neck(self.last(x))
        return self.high(torch.cat([double(self.up(x)), kept], 1)), self.low(x)


# ---- YOLOv7-tiny: ELAN, pyramid pooling, maps split by anchor ----

class Elan(nn.Module):
    def __init__(self, inputs, c, outputs, act="leaky"):
        super().__init__()
        self.a, self.b = conv(inputs, c, 1, act=act), conv(inputs, c, 1, act=act)
        self.c, self.d, self.mix = conv(c, c, act=act), conv(c, c, act=act), conv(4 * c, outputs, 1, act=act)

    def forward(self, x):
        a, b = self.a(x), self.b(x)
        c = self.c(b)
        return self.mix(torch.cat([self.d(c), c, b, a], 1))


class YoloV7Tiny(nn.Module):
    def __init__(self, classes=20):
        super().__init__()
        self.classes = classes
        self.stem = nn.Sequential(conv(3, 16, 3, 2, act="leaky"), conv(16, 32, 3, 2, act="leaky"), Elan(32, 16, 32))
        self.p3, self.p4, self.p5 = Elan(32, 32, 64), Elan(64, 64, 128), Elan(128, 128, 256)
        self.short, self.long, self.mix = conv(256, 64, 1, act="leaky"), conv(256, 64, 1, act="leaky"), conv(128, 128, 1, act="leaky")
        self.spp = conv(256, 64, 1, act="leaky")
        self.up = conv(128, 64, 1, act="leaky")
        self.side = conv(128, 64, 1, act="leaky")
        self.n4 = Elan(128, 32, 64)
        self.up3, self.side3, self.n3 = conv(64, 32, 1, act="leaky"), conv(64, 32, 1, act="leaky"), Elan(64, 16, 32)
        self.down = conv(32, 64, 3, 2, act="leaky")
        self.m4 = Elan(128, 32, 64)
        self.heads = nn.ModuleList(nn.Conv2d(c, 3 * (5 + classes), 1) for c in (32, 64, 128))

    def forward(self, x):
        x = self.stem(x)
        p3 = self.p3(F.max_pool2d(x, 2))
        p4 = self.p4(F.max_pool2d(p3, 2))
        p5 = self.p5(F.max_pool2d(p4, 2))
        long = self.long(p5)
        pooled = [F.max_pool2d(long, k, 1, k // 2) for k in (13, 9, 5)]
        n5 = self.mix(torch.cat([self.spp(torch.cat([*pooled, long], 1)), self.short(p5)], 1))
        n4 = self.n4(torch.cat([self.side(p4), double(self.up(n5))], 1))
        n3 = self.n3(torch.cat([self.side3(p3), double(self.up3(n4))], 1))
        n4 = self.m4(torch.cat([self.down(n3), n4], 1))
        out = []
        for head, n in zip(self.heads, (n3, n4, n5)):
            y = head(n)
            out.append(y.view(1, 3, 5 + self.classes, y.shape[2], y.shape[3]).permute(0, 1, 3, 4, 2).contiguous())
        return tuple(out)


# ---- YOLOX: focus, decoupled heads, rows on a grid ----

class Csp(nn.Module):
    def __init__(self, inputs, outputs, n=1, act="silu", shortcut=True):
        super().__init__()
        c = outputs // 2
        self.a, self.b, self.mix = conv(inputs, c, 1, act=act), conv(inputs, c, 1, act=act), conv(2 * c, outputs, 1, act=act)
        self.steps = nn.ModuleList(nn.Sequential(conv(c, c, 1, act=act), conv(c, c, 3, act=act)) for _ in range(n))
        self.shortcut = shortcut

    def forward(self, x):
        a = self.a(x)
        for step in self.steps:
            a = a + step(a) if self.shortcut else step(a)
        return self.mix(torch.cat([a, self.b(x)], 1))


class YoloX(nn.Module):
    def __init__(self, classes=20):
        super().__init__()
        self.stem = conv(12, 16, act="silu")
        self.stages = nn.ModuleList(nn.Sequential(conv(c, 2 * c, 3, 2, act="silu"), Csp(2 * c, 2 * c)) for c in (16, 32, 64, 128))
        self.spp = conv(4 * 256, 256, 1, act="silu")
        self.lateral = conv(256, 128, 1, act="silu")
        self.n4 = Csp(256, 128, shortcut=False)
        self.lateral3, self.n3 = conv(128, 64, 1, act="silu"), Csp(128, 64, shortcut=False)
        self.down4, self.m4 = conv(64, 64, 3, 2, act="silu"), Csp(128, 128, shortcut=False)
        self.down5, self.m5 = conv(128, 128, 3, 2, act="silu"), Csp(256, 256, shortcut=False)
        self.stems = nn.ModuleList(conv(c, 64, 1, act="silu") for c in (64, 128, 256))
        self.cls = nn.ModuleList(nn.Sequential(conv(64, 64, act="silu"), nn.Conv2d(64, classes, 1)) for _ in range(3))
        self.reg = nn.ModuleList(conv(64, 64, act="silu") for _ in range(3))
        self.box = nn.ModuleList(nn.Conv2d(64, 4, 1) for _ in range(3))
        self.obj = nn.ModuleList(nn.Conv2d(64, 1, 1) for _ in range(3))

    def forward(self, x):
        x = self.stem(torch.cat([x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]], 1))
        maps = []
        for stage in self.stages:
            x = stage(x)
            maps.append(x)
        p3, p4, p5 = maps[1:]
        p5 = self.spp(torch.cat([p5] + [F.max_pool2d(p5, k, 1, k // 2) for k in (5, 9, 13)], 1))
        f5 = self.lateral(p5)
        f4 = self.lateral3(self.n4(torch.cat([double(f5), p4], 1)))
        n3 = self.n3(torch.cat([double(f4), p3], 1))
        n4 = self.m4(torch.cat([self.down4(n3), f4], 1))
        n5 = self.m5(torch.cat([self.down5(n4), f5], 1))
        out = []
        for i, n in enumerate((n3, n4, n5)):
            s = self.stems[i](n)
            r = self.reg[i](s)
            out.append(torch.cat([self.box[i](r), self.obj[i](r).sigmoid(), self.cls[i](s).sigmoid()], 1).flatten(2))
        return torch.cat(out, 2).permute(0, 2, 1)


# ---- PicoDet: hard swish, squeeze and excite, depthwise 5x5, distances in 8 bins ----

class Excite(nn.Module):
    def __init__(self, c, act=nn.Hardsigmoid):
        super().__init__()
        self.a, self.b, self.act = nn.Conv2d(c, c // 4, 1), nn.Conv2d(c // 4, c, 1), act()

    def forward(self, x):
        return x * self.act(self.b(F.relu(self.a(F.adaptive_avg_pool2d(x, 1)))))


def separable(inputs, outputs, kernel=5, stride=1, excite=False, act="hard"):
    return nn.Sequential(conv(inputs, inputs, kernel, stride, inputs, act), Excite(inputs) if excite else nn.Identity(),
                         conv(inputs, outputs, 1, act=act))


class PicoDet(nn.Module):
    def __init__(self, classes=20):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 3, 2, act="hard"), separable(16, 32, 3, 2), separable(32, 32, 3))
        self.p3, self.p4 = separable(32, 64, 3, 2), separable(64, 96, 5, 2)
        self.p5 = separable(96, 128, 5, 2, True)
        self.side = nn.ModuleList(conv(c, 48, 1, act="hard") for c in (64, 96, 128))
        self.top = nn.ModuleList(separable(96, 48) for _ in range(4))
        self.down = nn.ModuleList(separable(48, 48, 5, 2) for _ in range(2))
        self.extra = nn.ModuleList([separable(48, 48, 5, 2), separable(48, 48, 5, 2)])
        self.tower = nn.ModuleList(separable(48, 48) for _ in range(4))
        self.cls = nn.ModuleList(nn.Conv2d(48, classes, 1) for _ in range(4))
        self.reg = nn.ModuleList(nn.Conv2d(48, 32, 1) for _ in range(4))

    def forward(self, x):
        p3 = self.p3(self.stem(x))
        p4 = self.p4(p3)
        p5 = self.p5(p4)
        f3, f4, f5 = (side(p) for side, p in zip(self.side, (p3, p4, p5)))
        n4 = self.top[0](torch.cat([double(f5), f4], 1))
        n3 = self.top[1](torch.cat([double(n4), f3], 1))
        n4 = self.top[2](torch.cat([self.down[0](n3), n4], 1))
        n5 = self.top[3](torch.cat([self.down[1](n4), f5], 1))
        n6 = self.extra[0](f5) + self.extra[1](n5)
        cls, reg = [], []
        for i, n in enumerate((n3, n4, n5, n6)):
            t = self.tower[i](n)
            cls.append(self.cls[i](t).sigmoid().flatten(2).permute(0, 2, 1))
            reg.append(self.reg[i](t).flatten(2).permute(0, 2, 1))
        return (*cls, *reg)


# ---- DAMO-YOLO: two branches that are added, expectation over 17 bins, corners in pixels ----

class DamoYolo(nn.Module):
    def __init__(self, classes=20, size=(192, 256)):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 24, 3, 2), conv(24, 32, 3, 2))
        self.stages = nn.ModuleList(nn.Sequential(conv(c, d, 3, 2), Csp(d, d, 2, "relu")) for c, d in ((32, 64), (64, 96), (96, 128)))
        self.side = nn.ModuleList(conv(c, 64, 1) for c in (64, 96, 128))
        self.three = nn.ModuleList(nn.Conv2d(64, 64, 3, padding=1) for _ in range(3))
        self.one = nn.ModuleList(nn.Conv2d(64, 64, 1) for _ in range(3))
        self.cls = nn.ModuleList(nn.Conv2d(64, classes, 3, padding=1) for _ in range(3))
        self.reg = nn.ModuleList(nn.Conv2d(64, 4 * 17, 3, padding=1) for _ in range(3))
        self.scale = nn.Parameter(torch.tensor([1.0, 1.1, 0.9]))
        self.register_buffer("bins", torch.linspace(0, 16, 17))
        centres = []
        for s in (8, 16, 32):
            y, x = torch.meshgrid(torch.arange(size[0] // s) * s, torch.arange(size[1] // s) * s, indexing="ij")
            centres.append(torch.stack([x.flatten(), y.flatten(), torch.full_like(x.flatten(), s)], 1).float())
        self.register_buffer("centres", torch.cat(centres))

    def forward(self, x):
        x = self.stem(x)
        maps = []
        for stage, side in zip(self.stages, self.side):
            x = stage(x)
            maps.append(side(x))
        maps[1] = maps[1] + double(maps[2])
        maps[0] = maps[0] + double(maps[1])
        cls, reg = [], []
        for i, n in enumerate(maps):
            n = F.relu(self.three[i](n) + self.one[i](n))
            cls.append(self.cls[i](n).sigmoid().flatten(2).transpose(1, 2))
            bins = (self.reg[i](n) * self.scale[i]).flatten(2).transpose(1, 2).reshape(1, -1, 4, 17)
            reg.append(F.linear(bins.softmax(3), self.bins[None]).squeeze(3))
        d = torch.cat(reg, 1) * self.centres[None, :, 2:]
        at = self.centres[None, :, :2]
        return torch.cat(cls, 1), torch.cat([at - d[..., :2], at + d[..., 2:]], 2)


# ---- SSD: L2 normalisation, maps down to 1x1, default boxes ----

class Ssd(nn.Module):
    def __init__(self, classes=21, size=160):
        super().__init__()
        self.a = nn.Sequential(conv(3, 32), nn.MaxPool2d(2, 2), conv(32, 48), nn.MaxPool2d(2, 2, ceil_mode=True), conv(48, 64),
                               nn.MaxPool2d(2, 2), conv(64, 96))
        self.gain = nn.Parameter(torch.full((1, 96, 1, 1), 20.0))
        self.b = nn.Sequential(nn.MaxPool2d(3, 2, 1), nn.Conv2d(96, 128, 3, padding=6, dilation=6), nn.ReLU(), conv(128, 128, 1))
        self.c = nn.Sequential(conv(128, 64, 1), conv(64, 128, 3, 2))
        self.d = nn.Sequential(conv(128, 64, 1), nn.Conv2d(64, 128, 3), nn.ReLU())
        self.cls, self.reg = nn.ModuleList(), nn.ModuleList()
        boxes = []
        for c, n, cells, side in ((96, 4, 20, 0.2), (128, 6, 10, 0.4), (128, 6, 5, 0.6), (128, 4, 3, 0.8)):
            self.cls.append(nn.Conv2d(c, n * classes, 3, padding=1))
            self.reg.append(nn.Conv2d(c, n * 4, 3, padding=1))
            y, x = torch.meshgrid((torch.arange(cells) + 0.5) / cells, (torch.arange(cells) + 0.5) / cells, indexing="ij")
            sides = torch.tensor([[side * r, side / r] for r in (1, 1.2, 1.41, 0.71, 1.73, 0.58)[:n]])
            at = torch.stack([x, y], 2)[:, :, None].expand(-1, -1, n, -1)
            boxes.append(torch.cat([at, sides.expand(cells, cells, n, 2)], 3).reshape(-1, 4))
        self.register_buffer("boxes", torch.cat(boxes)[None])
        self.classes = classes

    def forward(self, x):
        a = self.a(x)
        maps = [F.normalize(a, dim=1) * self.gain]
        for stage in (self.b, self.c, self.d):
            a = stage(a)
            maps.append(a)
        cls = torch.cat([c(m).permute(0, 2, 3, 1).reshape(1, -1, self.classes) for c, m in zip(self.cls, maps)], 1)
        reg = torch.cat([r(m).permute(0, 2, 3, 1).reshape(1, -1, 4) for r, m in zip(self.reg, maps)], 1)
        centre = self.boxes[..., :2] + reg[..., :2] * 0.1 * self.boxes[..., 2:]
        half = self.boxes[..., 2:] * torch.exp(reg[..., 2:].clamp(-4, 4) * 0.2) / 2
        return cls.softmax(2), torch.cat([centre - half, centre + half], 2)


# ---- PP-OCR: differentiable binarisation for detection, LSTM or attention for recognition ----

class DbDetector(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = conv(3, 16, 3, 2, act="hard")
        self.stages = nn.ModuleList(nn.Sequential(separable(c, d, 5, 2, True), separable(d, d, 3)) for c, d in ((16, 24), (24, 40), (40, 80), (80, 120)))
        self.side = nn.ModuleList(nn.Conv2d(c, 96, 1, bias=False) for c in (24, 40, 80, 120))
        self.smooth = nn.ModuleList(nn.Conv2d(96, 24, 3, padding=1, bias=False) for _ in range(4))
        self.binarise = nn.Sequential(conv(96, 24), nn.ConvTranspose2d(24, 24, 2, 2), nn.BatchNorm2d(24), nn.ReLU(),
                                      nn.ConvTranspose2d(24, 1, 2, 2))

    def forward(self, x):
        x = self.stem(x)
        maps = []
        for stage, side in zip(self.stages, self.side):
            x = stage(x)
            maps.append(side(x))
        for i in (2, 1, 0):
            maps[i] = maps[i] + F.interpolate(maps[i + 1], scale_factor=2.0, mode="nearest")
        out = [F.interpolate(s(m), scale_factor=float(2 ** i), mode="nearest") if i else s(m) for i, (s, m) in enumerate(zip(self.smooth, maps))]
        return self.binarise(torch.cat(out[::-1], 1)).sigmoid()


class LstmRecogniser(nn.Module):
    def __init__(self, symbols=97):
        super().__init__()
        self.net = nn.Sequential(conv(3, 16, 3, (2, 2), act="hard"), separable(16, 32, 3, (2, 1)), separable(32, 64, 5, (2, 1), True),
                                 separable(64, 96, 5, (2, 1), True), nn.MaxPool2d((2, 2), (2, 2)))
        self.lstm = nn.LSTM(96, 48, num_layers=2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(96, symbols)

    def forward(self, x):
        x = self.net(x).squeeze(2).permute(0, 2, 1)
        return self.out(self.lstm(x)[0]).softmax(2)


class Mixer(nn.Module):
    """SVTR's block: attention over all positions, or within a window by a mask."""

    def __init__(self, c, heads, mask=None):
        super().__init__()
        self.heads, self.norm1, self.norm2 = heads, nn.LayerNorm(c, eps=1e-6), nn.LayerNorm(c, eps=1e-6)
        self.qkv, self.out = nn.Linear(c, 3 * c), nn.Linear(c, c)
        self.mlp = nn.Sequential(nn.Linear(c, 2 * c), nn.GELU(), nn.Linear(2 * c, c))
        self.register_buffer("mask", mask)

    def forward(self, x):
        n, c = x.shape[1], x.shape[2]
        qkv = self.qkv(self.norm1(x)).reshape(1, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0] * (c // self.heads) ** -0.5, qkv[1], qkv[2]
        weight = q @ k.transpose(2, 3)
        if self.mask is not None:
            weight = weight + self.mask
        x = x + self.out((weight.softmax(3) @ v).transpose(1, 2).reshape(1, n, c))
        return x + self.mlp(self.norm2(x))


class SvtrRecogniser(nn.Module):
    def __init__(self, symbols=97, high=8, wide=32):
        super().__init__()
        self.embed = nn.Sequential(conv(3, 24, 3, 2, act="gelu"), conv(24, 48, 3, 2, act="gelu"))
        self.position = nn.Parameter(torch.randn(1, high * wide, 48) * 0.1)
        at = torch.stack(torch.meshgrid(torch.arange(high), torch.arange(wide), indexing="ij")).flatten(1)
        apart = (at[:, :, None] - at[:, None]).abs()
        mask = torch.where((apart[0] <= 3) & (apart[1] <= 5), 0.0, float("-inf"))[None, None]
        self.local = nn.ModuleList(Mixer(48, 3, mask) for _ in range(2))
        self.merge, self.norm = nn.Conv2d(48, 64, 3, (2, 1), 1), nn.LayerNorm(64)
        self.all = nn.ModuleList(Mixer(64, 4) for _ in range(2))
        self.high, self.wide = high, wide
        self.last = nn.Sequential(nn.Conv2d(64, 96, 1, bias=False), nn.Hardswish())
        self.out = nn.Linear(96, symbols)

    def forward(self, x):
        x = self.embed(x).flatten(2).permute(0, 2, 1) + self.position
        for block in self.local:
            x = block(x)
        x = self.merge(x.permute(0, 2, 1).reshape(1, 48, self.high, self.wide))
        x = self.norm(x.flatten(2).permute(0, 2, 1))
        for block in self.all:
            x = block(x)
        x = x.permute(0, 2, 1).reshape(1, 64, self.high // 2, self.wide)
        x = self.last(F.adaptive_avg_pool2d(x, (1, self.wide))).squeeze(2).permute(0, 2, 1)
        return self.out(x).softmax(2)


# name: (network, shape of the input)
NETWORKS = {
    "yolov4_tiny": (YoloV4Tiny, (1, 3, 256, 256)),
    "yolov7_tiny": (YoloV7Tiny, (1, 3, 256, 256)),
    "yolox": (YoloX, (1, 3, 256, 256)),
    "picodet": (PicoDet, (1, 3, 256, 256)),
    "damo_yolo": (DamoYolo, (1, 3, 192, 256)),
    "ssd": (Ssd, (1, 3, 160, 160)),
    "ppocr_det": (DbDetector, (1, 3, 160, 256)),
    "ppocr_rec_lstm": (LstmRecogniser, (1, 3, 32, 128)),
    "ppocr_rec_svtr": (SvtrRecogniser, (1, 3, 32, 128)),
}
