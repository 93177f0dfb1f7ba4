/// Launch files: a kernel's grid, arguments and expected results in JSON, kept beside its PTX.
///
/// ```json
/// { "ptx": "vadd.ptx", "entry": "vadd", "grid": [4,1,1], "block": [128,1,1], "shared": 0,
///   "args": [ {"buffer": "a", "file": "a.npy", "format": "f32"},
///             {"buffer": "c", "poison": 2048, "format": "f32", "shape": [512]},
///             {"s32": 512} ],
///   "expect": [ {"buffer": "c", "file": "c.npy", "within": {"ulps": 1}} ] }
/// ```
///
/// `docs/run.md` lists every field.
@NullMarked
package dev.heddle.vm.launch;

import org.jspecify.annotations.NullMarked;
