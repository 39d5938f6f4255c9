# SPDX-License-Identifier: Apache-2.0
"""What formulas of the training operators in src/ops/aclnn.tab may call: models in numpy, float64."""
import numpy as np


class Missing(Exception):
    """The drawn arguments lack one that the drawn mode needs."""


def column(x, otherwise=0.0):
    """A value for each channel of [N, C, h, w]."""
    return otherwise if x is None else x[:, None, None]


def over(x):
    return tuple(k for k in range(x.ndim) if k != 1)


def channel_sum(x):
    return x.sum(axis=over(x))


def channel_mean(x):
    return x.mean(axis=over(x)) if x.size else np.zeros(x.shape[1])


def channel_var(x, correction=0):
    return x.var(axis=over(x), ddof=correction) if x.size else np.zeros(x.shape[1])


def channel_invstd(x, eps):
    return 1 / np.sqrt(channel_var(x) + eps) if x.size else np.zeros(x.shape[1])


def statistics(running_mean, running_var, mean, invstd, training, eps):
    """Mean and 1 / deviation that a mode uses."""
    if training:
        if mean is None or invstd is None:
            raise Missing
        return mean, invstd
    if running_mean is None or running_var is None:
        raise Missing
    return running_mean, 1 / np.sqrt(running_var + eps)


def batch_norm(x, weight, bias, running_mean, running_var, training, eps):
    mean, invstd = statistics(running_mean, running_var, channel_mean(x), channel_invstd(x, eps), training, eps)
    return (x - column(mean)) * column(invstd) * column(weight, 1) + column(bias)


def running(old, new, momentum, training, x):
    """None where nothing is written."""
    return old * (1 - momentum) + new * momentum if training and old is not None and x.size else None


def batch_norm_grad(dy, x, weight, running_mean, running_var, mean, invstd, training, eps):
    mean, invstd = statistics(running_mean, running_var, mean, invstd, training, eps)
    count = max(x.size // max(x.shape[1], 1), 1)
    if training:
        slope = channel_sum(dy * (x - column(mean))) * invstd**2 / count
        dy = dy - column(channel_sum(dy) / count) - (x - column(mean)) * column(slope)
    return dy * column(invstd) * column(weight, 1)


def batch_norm_grad_weight(dy, x, running_mean, running_var, mean, invstd, training, eps):
    mean, invstd = statistics(running_mean, running_var, mean, invstd, training, eps)
    return channel_sum(dy * (x - column(mean))) * invstd


def batch_norm_grad_bias(dy, running_mean, running_var, mean, invstd, training):
    statistics(running_mean, running_var, mean, invstd, training, 1)
    return channel_sum(dy)


def gathered_mean(mean, counts):
    return (mean * counts[:, None]).sum(axis=0) / counts.sum()


def gathered_var(mean, invstd, counts, eps):
    away = mean - gathered_mean(mean, counts)
    return ((1 / invstd**2 - eps + away**2) * counts[:, None]).sum(axis=0) / counts.sum()


def row_axes(x, shape):
    return tuple(range(x.ndim - len(shape), x.ndim))


def row_mean(x, shape):
    return x.mean(axis=row_axes(x, shape), keepdims=True)


def row_var(x, shape):
    return x.var(axis=row_axes(x, shape), keepdims=True)


def layer_norm(x, shape, weight, bias, eps):
    y = (x - row_mean(x, shape)) / np.sqrt(row_var(x, shape) + eps)
    return y * (1 if weight is None else weight) + (0 if bias is None else bias)


def normal_grad(g, xhat, invstd, axes):
    return invstd * (g - g.mean(axis=axes, keepdims=True) - xhat * (g * xhat).mean(axis=axes, keepdims=True))


def layer_norm_grad(dy, x, mean, invstd, weight):
    """[M, ...] normalised over all but the first axis."""
    return normal_grad(dy if weight is None else dy * weight, (x - mean) * invstd, invstd, tuple(range(1, x.ndim)))


def groups(x, count):
    return x.reshape(x.shape[0], count, -1)


def group_norm(x, weight, bias, count, eps):
    rows = groups(x, count)
    y = (rows - rows.mean(axis=2, keepdims=True)) / np.sqrt(rows.var(axis=2, keepdims=True) + eps)
    return y.reshape(x.shape) * column(weight, 1) + column(bias)


def group_norm_hat(x, mean, invstd):
    return ((groups(x, mean.shape[1]) - mean[:, :, None]) * invstd[:, :, None]).reshape(x.shape)


def group_norm_grad(dy, x, mean, invstd, weight):
    count = mean.shape[1]
    xhat = groups(group_norm_hat(x, mean, invstd), count)
    return normal_grad(groups(dy * column(weight, 1), count), xhat, invstd[:, :, None], 2).reshape(x.shape)


# ---- Windows of two dimensions ----


def pair(numbers):
    return (list(numbers) * 2)[:2]


def windows(x, kernel, stride, padding, dilation, ceil):
    """(y, x, [(tap, row, column), ...], elements with padding) of each window; taps outside the map are left out."""
    kernel, padding, dilation = pair(kernel), pair(padding), pair(dilation)
    stride = pair(stride) if len(stride) else kernel
    starts, sizes = [], x.shape[-2:]
    for k in range(2):
        span = (kernel[k] - 1) * dilation[k] + 1
        room = sizes[k] + 2 * padding[k] - span
        count = (room + (stride[k] - 1 if ceil else 0)) // stride[k] + 1
        if ceil and (count - 1) * stride[k] >= sizes[k] + padding[k]:
            count -= 1
        starts.append([o * stride[k] - padding[k] for o in range(count)])
    found = []
    for y, top in enumerate(starts[0]):
        for z, left in enumerate(starts[1]):
            taps = [(i * kernel[1] + j, top + i * dilation[0], left + j * dilation[1])
                    for i in range(kernel[0]) for j in range(kernel[1])]
            taps = [t for t in taps if 0 <= t[1] < sizes[0] and 0 <= t[2] < sizes[1]]
            padded = np.prod([min(start + size, n + p) - start
                              for start, size, n, p in zip((top, left), kernel, sizes, padding)])
            found.append((y, z, taps, padded))
    return (len(starts[0]), len(starts[1])), found


def max_pool(x, kernel, stride, padding, dilation, ceil):
    """Maxima, indices in a map, taps."""
    size, found = windows(x, kernel, stride, padding, dilation, ceil)
    shape = x.shape[:-2] + size
    value, index, tap = np.zeros(shape), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for y, z, taps, _ in found:
        under = np.stack([x[..., r, c] for _, r, c in taps])
        best = under.argmax(axis=0)
        value[..., y, z] = under.max(axis=0)
        index[..., y, z] = np.array([r * x.shape[-1] + c for _, r, c in taps])[best]
        tap[..., y, z] = np.array([t for t, _, _ in taps])[best]
    return value, index, tap


def max_pool_mask(x, kernel, stride, padding, dilation, ceil):
    tap = max_pool(x, kernel, stride, padding, dilation, ceil)[2]
    points = tap.shape[-2] * tap.shape[-1]
    flat = tap.reshape(x.shape[:-2] + (1, points))
    bits = np.zeros(x.shape[:-2] + (int(np.prod(pair(kernel))), (-(-points // 16) + 1) * 256), np.uint8)
    bits[..., :points] = flat == np.arange(bits.shape[-2])[:, None]
    return np.packbits(bits, axis=-1, bitorder="little").view(np.int8)


def scatter_maps(values, index, like):
    """Values added at indices of maps of the size of `like`."""
    found = np.zeros((int(np.prod(like.shape[:-2])), like.shape[-2] * like.shape[-1]))
    if not found.size:
        return found.reshape(like.shape)
    for row, places, numbers in zip(found, index.reshape(len(found), -1), values.reshape(len(found), -1)):
        np.add.at(row, places.astype(np.int64), numbers)
    return found.reshape(like.shape)


def divisors(found, include, override):
    return [override or (padded if include else len(taps)) for _, _, taps, padded in found]


def avg_pool(x, kernel, stride, padding, ceil, include, override):
    size, found = windows(x, kernel, stride, padding, [1], ceil)
    y = np.zeros(x.shape[:-2] + size)
    for (row, column, taps, _), divisor in zip(found, divisors(found, include, override)):
        y[..., row, column] = sum(x[..., r, c] for _, r, c in taps) / divisor
    return y


def avg_pool_grad(dy, x, kernel, stride, padding, ceil, include, override):
    size, found = windows(x, kernel, stride, padding, [1], ceil)
    dx = np.zeros(x.shape)
    for (row, column, taps, _), divisor in zip(found, divisors(found, include, override)):
        for _, r, c in taps:
            dx[..., r, c] += dy[..., row, column] / divisor
    return dx


def adaptive_matrix(size, out):
    matrix = np.zeros((out, size))
    for o in range(out):
        begin, end = o * size // out, -(-(o + 1) * size // out)
        matrix[o, begin:end] = 1 / (end - begin)
    return matrix


def by_matrices(x, rows, columns):
    return np.einsum("ij,...jk,lk->...il", rows, x, columns)


def adaptive_pool(x, size):
    return by_matrices(x, *[adaptive_matrix(n, out) for n, out in zip(x.shape[-2:], size)])


def adaptive_pool_grad(dy, x):
    return by_matrices(dy, *[adaptive_matrix(n, out).T for n, out in zip(x.shape[-2:], dy.shape[-2:])])


def upsample_matrix(size, out, scale, mode):
    """mode: nearest, linear, corners."""
    ratio = np.float32(1 / scale) if scale > 0 and mode != "corners" else np.float32(size / out)
    matrix = np.zeros((out, size))
    if out == size:
        return np.eye(size)
    for o in range(out):
        if mode == "nearest":
            place = o // 2 if out == 2 * size else int(np.float32(o) * ratio)
            matrix[o, min(place, size - 1)] = 1
            continue
        place = o * (size - 1) / max(out - 1, 1) if mode == "corners" else max((o + 0.5) * float(ratio) - 0.5, 0)
        place = min(place, size - 1)
        low = int(place)
        matrix[o, low] += 1 - (place - low)
        matrix[o, min(low + 1, size - 1)] += place - low
    return matrix


def upsample(x, size, scale_h, scale_w, mode):
    return by_matrices(x, *[upsample_matrix(n, out, s, mode) for n, out, s in zip(x.shape[-2:], size, (scale_h, scale_w))])


def upsample_grad(dy, size, scale_h, scale_w, mode):
    return by_matrices(dy, *[upsample_matrix(n, out, s, mode).T
                             for n, out, s in zip(size[-2:], dy.shape[-2:], (scale_h, scale_w))])


def constant_pad(x, pad, value):
    borders = [(0, 0)] * (x.ndim - len(pad) // 2) + [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)]
    cut = x[tuple(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(borders, x.shape))]
    return np.pad(cut.astype(np.float64), [(max(a, 0), max(b, 0)) for a, b in borders], constant_values=value)


NAMES = {name: value for name, value in list(globals().items()) if callable(value) and name not in ("Missing", "np")}
