"""Makes and checks the files of large-checkpoint. Knows nothing of Heddle."""
import json
import os
import sys
import time

import numpy as np

SIDE = 8192
SHARD = 4 << 30
TYPES = {"F16": np.uint16, "BF16": np.uint16, "F32": np.uint32}
PAIRS = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])


def write(file, tensors):
    """tensors: name, dtype, shape, bytes (a function, so that one is in memory at a time)."""
    header, offset = {}, 0
    for name, dtype, shape, _ in tensors:
        size = int(np.prod(shape)) * np.dtype(TYPES[dtype]).itemsize
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(file, "wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
        for *_, data in tensors:
            data().tofile(out)


def read(file):
    """Every tensor of a file, mapped."""
    raw = np.memmap(file, np.uint8, "r")
    start = 8 + int(raw[:8].view(np.uint64)[0])
    header = json.loads(bytes(raw[8:start]))
    header.pop("__metadata__", None)
    return {n: raw[start + t["data_offsets"][0] : start + t["data_offsets"][1]]
            for n, t in header.items()}


def make(gigabytes):
    rng = np.random.default_rng(17)
    base = rng.integers(1, 0x7C00, (SIDE, SIDE // 4, 4), np.uint16)
    kept = PAIRS[rng.integers(0, 6, (SIDE, SIDE // 4))]
    mask = np.zeros(base.shape, bool)
    np.put_along_axis(mask, kept, True, 2)
    base = np.where(mask, base, 0).astype(np.uint16).reshape(SIDE, SIDE)
    weights, count = {}, int(gigabytes * 1e9 / SHARD + 0.999)
    for shard in range(count):
        file = f"model-{shard + 1:05d}-of-{count:05d}.safetensors"
        tensors = [(f"norm.{shard}", "F32", [SIDE], lambda: base[0].astype(np.uint32))]
        for i in range(SHARD // (SIDE * SIDE * 2)):
            number = shard * 32 + i
            dtype = "BF16" if number % 3 == 2 else "F16"
            tensors.append((f"layer.{number}.weight", dtype, [SIDE, SIDE],
                            lambda number=number: np.roll(base, number, axis=0)))
        write(file, tensors)
        weights.update({t[0]: file for t in tensors})
    with open("model.safetensors.index.json", "w") as out:
        json.dump({"metadata": {}, "weight_map": weights}, out)
    print(f"{len(weights)} tensors in {count} files")


def compressed(dense):
    """Values, and metadata as CUTLASS's reorder_meta puts it."""
    chunks = dense.reshape(SIDE, SIDE // 4, 4)
    order = np.argsort(chunks == 0, axis=2, kind="stable")[:, :, :2]
    values = np.take_along_axis(chunks, order, 2)
    nibbles = (order[:, :, 0] | order[:, :, 1] << 2).astype(np.uint16).reshape(SIDE, -1, 4)
    words = nibbles[:, :, 0] | nibbles[:, :, 1] << 4 | nibbles[:, :, 2] << 8 | nibbles[:, :, 3] << 12
    row, column = np.indices(words.shape)
    row = row // 32 * 32 + row % 8 * 4 + row % 32 // 8
    right = (row % 2 == 0) & (column % 2 == 1)
    left = (row % 2 == 1) & (column % 2 == 0)
    row, column = row + right - left, column - right + left
    reordered = np.empty(words.size, np.uint16)
    reordered[column // 2 * SIDE * 2 + row * 2 + column % 2] = words
    return values.tobytes(), reordered.tobytes()


def files(stem):
    with open(f"{stem}.safetensors.index.json") as index:
        return json.load(index)["weight_map"]


def verify(stem):
    ours, theirs = files("model"), files(stem)
    sample = [name for name in ours if name.endswith(".weight")][::13]
    for name in sample:
        dense = read(ours[name])[name].view(np.uint16).reshape(SIDE, SIDE)
        found = read(theirs[name + ".values"])
        values, metadata = compressed(dense)
        assert found[name + ".values"].tobytes() == values, name
        assert read(theirs[name + ".metadata"])[name + ".metadata"].tobytes() == metadata, name
    print(f"{len(sample)} sampled matrices are compressed as NumPy does")


def same(stem):
    ours, theirs = files("model"), files(stem)
    assert ours.keys() == theirs.keys()
    for name in ours:
        assert np.array_equal(read(ours[name])[name], read(theirs[name])[name]), name
    print(f"all {len(ours)} tensors are as they were, every byte")


def watch(process, name):
    """The largest VmRSS and RssAnon of a process and its children, in MB."""
    largest = {"VmRSS": 0, "RssAnon": 0}
    while True:
        try:
            pids = [process]
            with open(f"/proc/{process}/task/{process}/children") as children:
                pids += [int(pid) for pid in children.read().split()]
            if open(f"/proc/{process}/stat").read().split()[2] == "Z":
                break
            for pid in pids:
                for line in open(f"/proc/{pid}/status"):
                    key = line.split(":")[0]
                    if key in largest:
                        largest[key] = max(largest[key], int(line.split()[1]))
        except OSError:
            if not os.path.exists(f"/proc/{process}"):
                break
        time.sleep(0.1)
    print(f"{name}: resident {largest['VmRSS'] // 1000} MB, of them the process's own"
          f" {largest['RssAnon'] // 1000} MB")


command, *given = sys.argv[1:]
{"make": lambda: make(float(given[0])), "verify": lambda: verify(given[0]),
 "same": lambda: same(given[0]), "watch": lambda: watch(int(given[0]), given[1])}[command]()
