"""Matrices for sparse-kernels, and their products by NumPy.

    sparse-matrices.py FOLDER < cases              writes NAME.a.raw (dense), NAME.b.raw
    sparse-matrices.py --verify FOLDER < cases     compares NAME.d.bin with the dense product

Of each chunk of A two elements at random places are other than zero (of f32 one of two, of s4 for
CUTLASS two pairs of eight); in every seventh chunk fewer. Matrices for cuSPARSELt hold small
integers, so that the product is exact in any order; launch files and D for the example kernels of
the same types and for cuSPARSELt's own sm_80 kernels (NAME.own.json) are written beside them.
"""
import json
import os
import struct
import sys

import numpy as np

EXAMPLES = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../examples"))
NUMPY = {"f16": np.float16, "f32": np.float32, "s8": np.int8}
UNITS = {"f16": (4, 1), "f32": (2, 1), "s8": (4, 1), "s4": (4, 2)}


def conforming(rng, name, kind, rows, columns):
    units, unit = (4, 1) if name.startswith("marlin") else UNITS[kind]
    chunks = rows * columns // (units * unit)
    order = np.argsort(rng.random((chunks, units)), axis=1)
    kept = np.where(np.arange(chunks) % 7 == 0, rng.integers(0, units // 2 + 1, chunks), units // 2)
    mask = np.repeat(order < kept[:, None], unit, axis=1).reshape(rows, columns)
    return np.where(mask, values(rng, name, kind, (rows, columns)), 0)


def values(rng, name, kind, shape):
    if name.startswith("cusparselt"):
        return rng.integers(-8, 9, shape).astype(NUMPY[kind])
    if kind == "s8":
        return rng.integers(-128, 128, shape).astype(np.int8)
    if kind == "s4":
        return rng.integers(-8, 8, shape).astype(np.int8)
    x = rng.standard_normal(shape).astype(np.float16 if kind == "f16" else np.float32)
    if kind == "f32":  # tf32: ten bits of mantissa
        x = (x.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    return x


def packed(x, kind):
    if kind != "s4":
        return x.tobytes()
    low, high = x.reshape(-1, 2).astype(np.uint8).T
    return (low & 15 | high << 4).astype(np.uint8).tobytes()


def operands(name, kind, m, n, k):
    rng = np.random.default_rng(sum(map(ord, name)) + m * n * k)
    a = conforming(rng, name, kind, m, k)
    b = values(rng, name, "f16" if name.startswith("marlin") else kind, (n, k))
    scales = (rng.integers(1, 64, m) / 64).astype(np.float16)
    return a, b, scales


def verify(folder, name, kind, m, n, k):
    a, b, scales = operands(name, kind, m, n, k)
    if name.startswith("marlin"):
        d = np.fromfile(f"{folder}/{name}.d.bin", np.float16).reshape(n, m).T
        expected = (a.astype(float) @ b.astype(float).T) * scales.astype(float)[:, None]
        bound = 2.0**-10
    else:
        exact = kind in ("s8", "s4") or name.startswith("cusparselt")
        sums = np.int32 if kind in ("s8", "s4") else np.float32
        if name == "cusparselt-f16":
            sums = np.float16
        d = np.fromfile(f"{folder}/{name}.d.bin", sums).astype(float).reshape(m, n)
        expected = a.astype(float) @ b.astype(float).T
        bound = 0 if exact else 2.0**-18
    size = np.abs(a.astype(float)) @ np.abs(b.astype(float)).T
    worst = np.max(np.abs(d - expected) / np.maximum(size, 1e-30))
    print(f"{name}: {m} x {n} x {k}, off by at most {worst:.3g} of the sum of magnitudes")
    return worst <= bound


def launch(folder, name, kind, a, b, m, n, k):
    """For the example kernel: its metadata comes from the dense matrix."""
    shape = {"f16": "m16n8k32", "f32": "m16n8k16", "s8": "m16n8k64"}[kind]
    sums = ("s32", np.int32) if kind == "s8" else ("f32", np.float32)
    np.save(f"{folder}/{name}.a.npy", a)
    np.save(f"{folder}/{name}.b.npy", b)
    np.save(f"{folder}/{name}.expected.npy", (a.astype(float) @ b.astype(float).T).astype(sums[1]))
    format = "tf32" if kind == "f32" else kind
    example = {"f16": "f16", "f32": "tf32", "s8": "s8"}[kind]
    json.dump(
        {
            "ptx": f"{EXAMPLES}/sparse-gemm-{example}/sparse-gemm-{example}.compute_80.ptx",
            "entry": f"sparse_gemm_{example}",
            "grid": [n // 64, m // 64, 1],
            "block": [128, 1, 1],
            "buffers": [{"buffer": "w", "file": f"{name}.a.npy", "format": format}],
            "args": [
                {"buffer": "a", "valuesOf": "w", "format": "indices"},
                {"buffer": "e", "metadataOf": "w", "format": f"ptx-{shape}"},
                {"buffer": "b", "file": f"{name}.b.npy"},
                {"buffer": "d", "poison": m * n * 4, "format": sums[0], "shape": [m, n]},
                {"s32": n},
                {"s32": k},
            ],
            "expect": [{"buffer": "d", "file": f"{name}.expected.npy", "within": "exact"}],
        },
        open(f"{folder}/{name}.json", "w"),
    )


def own_parameters(size, m, n, k):
    """The fields of their parameter that cuSPARSELt's sm_80 kernels read, by offset: sizes, strides
    in elements, bytes and count of the steps along K, and what is done to D. Found by recording a
    launch (record-launches.c) and reading which fields the PTX loads."""
    tile = 128 // size
    ints = {156: m, 160: n, 164: k, 352: 1, 360: 1, 620: 1, 632: m // 128, 636: n // 64}
    ints |= {644: m // 128, 648: n // 64, 696: k // tile - 1, 704: k - tile, 752: 32}
    longs = {168: k, 176: k, 224: m * k, 248: n * k, 256: n, 264: 1, 272: m * n, 280: n, 288: 1}
    longs |= {296: m * n, 680: 64, 688: 128, 736: m * (16 if size == 1 else 8)}
    floats = {528: 1.0, 576: -np.inf, 592: np.inf}  # alpha; D is kept between the others
    parameter = bytearray(768)
    for code, fields in ("i", ints), ("q", longs), ("f", floats):
        for offset, value in fields.items():
            struct.pack_into("<" + code, parameter, offset, value)
    return parameter.hex()


def own_launch(folder, name, kind, a, b, m, n, k):
    """For cuSPARSELt's own kernel, out of the library's file."""
    size = a.itemsize
    kernel = {"f16": "f16f16_f16f32", "f32": "f32f32_tf32f32", "s8": "i8i32_i8i32"}[kind]
    tile = 128 // size
    shape = f"tilesize128x64x{tile}_stage4_warpsize2x2x1_sptensor16x8x{tile // 2}"
    sums = {"f16": ("f16", np.float16), "f32": ("f32", np.float32), "s8": ("s32", np.int32)}[kind]
    np.save(f"{folder}/{name}.own.npy", (a.astype(float) @ b.astype(float).T).astype(sums[1]))
    # Of f32 the blob holds metadata in both orders, that for sm_80 as the second half
    metadata = f"e+{m * k // 4}" if kind == "f32" else "e"
    format = "cusparselt" if kind == "f32" else "cusparselt-sm80"
    json.dump(
        {
            "ptx": os.path.abspath(os.environ["CUSPARSELT"]),
            "entry": f"sm80_xmma_sparse_gemm_{kernel}_f32_tn_t_{shape}_execute_kernel_5x_cusparselt",
            "grid": [m // 128, n // 64, 1],
            "block": [128, 1, 1],
            "shared": 73728,
            "buffers": [
                {"buffer": "w", "file": f"{name}.a.npy"},
                {"buffer": "a", "valuesOf": "w", "format": format},
                {"buffer": "e", "metadataOf": "w", "format": format},
                {"buffer": "b", "file": f"{name}.b.npy"},
                {"buffer": "d", "poison": m * n * np.dtype(sums[1]).itemsize, "format": sums[0]},
            ],
            "args": [
                {
                    "bytes": own_parameters(size, m, n, k),
                    "at": {"0": "a", "8": "b", "16": "d", "48": "d", "720": metadata},
                }
            ],
            # Its last copies, of no bytes, are not waited for before their place is stored to
            "check": ["races", "memory", "definedness", "warp", "metadata"],
            "expect": [{"buffer": "d", "file": f"{name}.own.npy"}],
        },
        open(f"{folder}/{name}.own.json", "w"),
    )


def main():
    folder, fine = sys.argv[-1], True
    for line in sys.stdin:
        name, _, kind, _, *sizes = line.split()
        m, n, k = map(int, sizes)
        if sys.argv[1] == "--verify":
            fine &= verify(folder, name, kind, m, n, k)
            continue
        a, b, scales = operands(name, kind, m, n, k)
        open(f"{folder}/{name}.a.raw", "wb").write(packed(a, kind))
        open(f"{folder}/{name}.b.raw", "wb").write(packed(b, kind if a.dtype == b.dtype else "f16"))
        if name.startswith("marlin"):
            open(f"{folder}/{name}.scales.raw", "wb").write(scales.tobytes())
        if name.startswith("cusparselt"):
            launch(folder, name, kind, a, b, m, n, k)
            if "CUSPARSELT" in os.environ:
                own_launch(folder, name, kind, a, b, m, n, k)
    sys.exit(0 if fine else 1)


main()
