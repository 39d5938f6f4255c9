# SPDX-License-Identifier: Apache-2.0
"""Input files become arrays of a batch, outputs become files."""
import os

import numpy as np

PADDING = "padding_infer_fake_file"


class InputError(ValueError):
    """What is wrong with the files."""


def list_files(places):
    """Files of each input: "a.npy,dir" names one place for each, a folder stands for its files in order of name."""
    lists = []
    for place in places:
        if os.path.isdir(place):
            lists.append([os.path.join(place, f) for f in sorted(os.listdir(place)) if f.endswith((".npy", ".bin"))])
        elif os.path.isfile(place):
            lists.append([place])
        else:
            raise InputError(f"{place}: no such file or folder")
    return lists


def input_lists(text, count):
    """One list of files for each of `count` inputs."""
    lists = list_files([p for p in text.split(",") if p])
    if len(lists) != count and len(lists) % count == 0 and all(len(files) == 1 for files in lists):
        share = len(lists) // count  # "a1,a2,b1,b2": files of the first input, then those of the second
        lists = [[f for files in lists[i * share:(i + 1) * share] for f in files] for i in range(count)]
    if len(lists) != count:
        raise InputError(f"--input names {len(lists)} places and the model has {count} inputs")
    if len({len(files) for files in lists}) != 1 or not lists[0]:
        raise InputError(f"the inputs have {[len(files) for files in lists]} files: as many for each, and one at least, are needed")
    return lists


def load(path):
    """The array of an .npy, the bytes of another file."""
    try:
        return np.ascontiguousarray(np.load(path)) if path.endswith(".npy") else np.fromfile(path, np.uint8)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None


def group(lists, sizes):
    """Pieces of work: [(names, arrays)] with the files that fill one input each, and how many a piece has. `sizes`: bytes of each
    input, None where the file says it. Files that are smaller by a factor are put together, the last ones filled up with zeros."""
    factors = set()
    for i, (files, size) in enumerate(zip(lists, sizes)):
        have = load(files[0]).nbytes
        if size is None:
            factors.add(1)
            continue
        if have == 0 or size % have:
            raise InputError(f"arg{i} tensorsize: {size} filesize: {have} not match")
        factors.add(size // have)
    if len(factors) != 1:
        raise InputError(f"the inputs need {sorted(factors)} files for a batch")
    factor = factors.pop()
    work = []
    for begin in range(0, len(lists[0]), factor):
        names, arrays = [], []
        for i, files in enumerate(lists):
            part = files[begin:begin + factor]
            loaded = [load(f) for f in part]
            wrong = [f for f, a in zip(part, loaded) if sizes[i] is not None and a.nbytes * factor != sizes[i]]
            if wrong:
                raise InputError(f"arg{i} tensorsize: {sizes[i]} filesize: {os.path.getsize(wrong[0])} not match")
            while len(part) < factor:
                part = part + [PADDING]
                loaded.append(np.zeros_like(loaded[0]))
            names.append(part)
            arrays.append(loaded[0] if factor == 1 else np.concatenate([a.reshape(-1).view(np.uint8) for a in loaded]))
        work.append((names, arrays))
    return work, factor


def save(array, stem, ending):
    """Writes <stem>.<ending> and returns its path."""
    path = f"{stem}.{ending.lower()}"
    if ending == "NPY":
        np.save(path, array)
    elif ending == "BIN":
        array.tofile(path)
    else:
        np.savetxt(path, array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1), fmt="%d" if array.dtype.kind in "iub" else "%f")
    return path


def save_outputs(outputs, names, folder, ending, axis):
    """Files of one piece of work; outputs of several files are cut along `axis`."""
    written = []
    for i, array in enumerate(outputs):
        if len(names) == 1:
            pieces = [array]
        elif array.ndim > axis and array.shape[axis] % len(names) == 0:
            pieces = np.split(array, len(names), axis)
        else:
            raise InputError(f"save out files error array shape:{array.shape} filesinfo:{names} cannot be split along axis {axis}")
        for name, piece in zip(names, pieces):
            if name != PADDING:
                stem = os.path.splitext(os.path.basename(name))[0]
                written.append(save(np.ascontiguousarray(piece), os.path.join(folder, f"{stem}_{i}"), ending))
    return written
