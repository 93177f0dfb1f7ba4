/// Matrices and other tensors in files: `.npy` of NumPy and `.safetensors`, read and written.
///
/// What a file holds becomes a [dev.heddle.formats.Tensor]: element codes with a format and a
/// shape. A file format that has no name for an element format carries its codes in unsigned
/// integers: bf16 in `u2`, e4m3 in `u1`, e2m1 and the six-bit formats one code a byte. The reader
/// cannot know that, so the caller says which format it wants:
/// ```
/// Tensor a = Npy.read(Path.of("a.npy"));                       // '<f2': .f16
/// Tensor b = Npy.read(Path.of("b.npy"), FloatFormat.BF16);     // '<u2': .bf16
/// Tensor w = TensorReference.parse("model.safetensors:layer.0.weight").read();
/// Npy.write(Path.of("d.npy"), d);
/// ```
/// A format that is asked for never changes a value. Codes are read as what they are said to be,
/// and an integer of another width keeps its value or is refused; conversion, with its rounding, is
/// [dev.heddle.formats.Tensor#convert].
///
/// Files come from anywhere. Every size in one is checked against the file before memory is taken
/// for it, and whatever is wrong ends in a [dev.heddle.files.TensorFileException] that says
/// what was found and what is allowed. A file that is written appears whole or not at all.
@NullMarked
package dev.heddle.files;

import org.jspecify.annotations.NullMarked;
