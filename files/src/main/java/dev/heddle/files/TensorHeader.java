package dev.heddle.files;

import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Packing;
import dev.heddle.formats.Tensor;

import java.util.List;

/// What a tensor in a file is, without its data.
///
/// @param name   its name in the file
/// @param format what its elements are, as far as the file can say it
/// @param shape  the dimensions, outermost first
public record TensorHeader(String name, Format format, List<Integer> shape) {
    public TensorHeader {
        shape = List.copyOf(shape);
    }

    /// Bytes that it takes in a `.safetensors` file.
    public long bytes() {
        int bits =
                format == IntegerFormat.B1 || format.bits() == 4 && format instanceof IntegerFormat
                        ? Byte.SIZE
                        : Packing.dense(format).containerBits();
        return Math.ceilDiv(Math.multiplyExact(Tensor.elements(shape), (long) bits), Byte.SIZE);
    }

    /// `w: 64 x 128 .f16`.
    @Override
    public String toString() {
        return name
                + ": "
                + String.join(" x ", shape.stream().map(String::valueOf).toList())
                + " "
                + format;
    }
}
