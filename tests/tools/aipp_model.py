# SPDX-License-Identifier: Apache-2.0
"""Preprocessing inside of the model (AIPP) in numpy: what a configuration, a dict of its fields, makes of pictures."""
import numpy as np

PLANES = {"YUV420SP_U8": 3, "XRGB8888_U8": 4, "RGB888_U8": 3, "YUV400_U8": 1}


def planes_of(config, picture):
    """[planes][h][w] of one picture, channels in their final places."""
    w, h = config["src_image_size_w"], config["src_image_size_h"]
    kind = config["input_format"]
    swap, ax = config.get("rbuv_swap_switch"), config.get("ax_swap_switch")
    if kind == "YUV420SP_U8":
        luma, chroma = picture[:w * h].reshape(h, w), picture[w * h:].reshape(h // 2, w // 2, 2)
        u, v = (np.repeat(np.repeat(chroma[:, :, k], 2, 0), 2, 1) for k in ((1, 0) if swap else (0, 1)))
        return np.stack([luma, u, v])
    out = picture.reshape(h, w, PLANES[kind]).transpose(2, 0, 1)
    if ax:
        out = out[[1, 2, 3, 0]]
    return out[[2, 1, 0, *range(3, len(out))]] if swap and len(out) > 1 else out


def resize_axis(size, to):
    at = np.clip((np.arange(to) + 0.5) * size / to - 0.5, 0, size - 1)
    low = at.astype(np.int64)
    return low, np.minimum(low + 1, size - 1), np.floor((at - low) * 2048 + 0.5).astype(np.int64)


def resize(planes, width, height):
    x0, x1, wx = resize_axis(planes.shape[2], width)
    y0, y1, wy = resize_axis(planes.shape[1], height)
    p = planes.astype(np.int64)
    rows = (2048 - wx) * p[:, :, x0] + wx * p[:, :, x1]
    wy = wy[:, None]
    return (((2048 - wy) * rows[:, y0] + wy * rows[:, y1] + (1 << 21)) >> 22).astype(np.uint8)


def convert(config, planes):
    yuv = config["input_format"] == "YUV420SP_U8"
    default = [298, 516, 0, 298, -100, -208, 298, 0, 409] if yuv else [66, 129, 25, -38, -74, 112, 112, -94, -18]
    names = [f"matrix_r{r}c{c}" for r in range(3) for c in range(3)]
    matrix = np.array([config.get(n, 0) for n in names] if any(n in config for n in names) else default).reshape(3, 3)

    def bias(prefix):
        keys = [f"{prefix}_bias_{i}" for i in range(3)]
        return np.array([config.get(k, 0) for k in keys] if any(k in config for k in keys) else [16, 128, 128])[:, None, None]

    pixels = planes[:3].astype(np.int64)
    pixels = pixels - bias("input") if yuv else pixels
    mixed = np.tensordot(matrix, pixels, 1) >> 8
    mixed = mixed if yuv else mixed + bias("output")
    return np.concatenate([np.clip(mixed, 0, 255).astype(np.uint8), planes[3:]])


def expected(config, pictures, channels, dtype):
    out = []
    for picture in pictures:
        planes = planes_of(config, picture)
        if config.get("crop"):
            x, y = config.get("load_start_pos_w", 0), config.get("load_start_pos_h", 0)
            planes = planes[:, y:y + config["crop_size_h"], x:x + config["crop_size_w"]]
        if config.get("resize"):
            planes = resize(planes, config["resize_output_w"], config["resize_output_h"])
        if config.get("csc_switch"):
            planes = convert(config, planes)
        planes = planes[:channels]
        if dtype != "uint8":
            f = np.float32
            planes = np.stack([((p.astype(np.int32) - config.get(f"mean_chn_{c}", 0)).astype(f) - f(config.get(f"min_chn_{c}", 0)))
                               * f(config.get(f"var_reci_chn_{c}", 1)) for c, p in enumerate(planes)])
        if config.get("padding"):
            pads = [(0, 0)] + [(config.get(a, 0), config.get(b, 0)) for a, b in
                               (("top_padding_size", "bottom_padding_size"), ("left_padding_size", "right_padding_size"))]
            planes = np.pad(planes, pads, constant_values=np.array(config.get("padding_value", 0)).astype(planes.dtype))
        out.append(planes)
    return np.stack(out).astype(dtype)


def text_of(config):
    words = {True: "true", False: "false"}
    return "aipp_op {\n" + "".join(f"    {k} : {words[v] if isinstance(v, bool) else v}\n" for k, v in config.items()) + "}\n"


def random_config(rng, kind):
    """A configuration with everything by chance, and the size of the model's input."""
    coin = lambda: bool(rng.integers(2))
    even = 2 if kind == "YUV420SP_U8" else 1
    w, h = (int(n) * even for n in rng.integers(24 // even, 90 // even, 2))
    config = {"aipp_mode": "static", "input_format": kind, "src_image_size_w": w, "src_image_size_h": h,
              "rbuv_swap_switch": coin(), "csc_switch": coin() and kind != "YUV400_U8"}
    if kind == "XRGB8888_U8":
        config["ax_swap_switch"] = coin()
    if coin():
        cw, ch = int(rng.integers(20, w + 1)), int(rng.integers(20, h + 1))
        x, y = (int(rng.integers(0, n + 1)) // even * even for n in (w - cw, h - ch))
        config.update(crop=True, load_start_pos_w=x, load_start_pos_h=y, crop_size_w=cw, crop_size_h=ch)
        w, h = cw, ch
    if coin():
        w, h = int(rng.integers(16, 100)), int(rng.integers(16, 100))
        config.update(resize=True, resize_output_w=w, resize_output_h=h)
    if coin():
        pads = [int(n) for n in rng.integers(0, 33, 4)]
        config.update(padding=True, left_padding_size=pads[0], right_padding_size=pads[1], top_padding_size=pads[2],
                      bottom_padding_size=pads[3], padding_value=round(float(rng.uniform(0, 200)), 3))
        w, h = w + pads[0] + pads[1], h + pads[2] + pads[3]
    if config["csc_switch"] and coin():
        for r in range(3):
            for c in range(3):
                config[f"matrix_r{r}c{c}"] = int(rng.integers(-600, 600))
        for i in range(3):
            config[f"{'input' if even == 2 else 'output'}_bias_{i}"] = int(rng.integers(0, 256))
    for c in range(PLANES[kind]):
        if coin():
            config[f"mean_chn_{c}"] = int(rng.integers(0, 256))
        if coin():
            config[f"min_chn_{c}"] = round(float(rng.uniform(0, 255)), 4)
        if coin():
            config[f"var_reci_chn_{c}"] = round(float(rng.uniform(-3, 3)), 7)
    return config, w, h


def make_pictures(rng, config, batch):
    pixels = config["src_image_size_w"] * config["src_image_size_h"]
    bytes_each = {"YUV420SP_U8": pixels * 3 // 2, "XRGB8888_U8": 4 * pixels, "RGB888_U8": 3 * pixels, "YUV400_U8": pixels}
    return rng.integers(0, 256, (batch, bytes_each[config["input_format"]]), dtype=np.uint8)
