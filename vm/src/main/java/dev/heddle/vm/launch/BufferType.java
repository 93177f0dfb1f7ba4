package dev.heddle.vm.launch;

import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;
import dev.heddle.formats.Tensor;

import java.util.List;

/// What a buffer's bytes mean.
///
/// @param format of an element
/// @param shape elements along each axis, the last one contiguous
public record BufferType(Format format, List<Integer> shape) {
    public BufferType {
        shape = List.copyOf(shape);
    }

    /// The type of a row that fills so many bytes.
    public static BufferType row(Format format, long bytes) {
        return new BufferType(format, List.of(Math.toIntExact(bytes * 8 / format.bits())));
    }

    /// How many bytes such elements take.
    ///
    /// @throws IllegalArgumentException where they are too many for an array
    public int bytes() {
        return Codes.byteSize(format, Tensor.elements(shape));
    }

    /// Bytes as elements of this type.
    ///
    /// @throws IllegalArgumentException where there are more or fewer
    public Tensor tensor(byte[] bytes) {
        return new Tensor(shape, Codes.wrap(format, Tensor.elements(shape), bytes));
    }

    /// An element's place as an index along each axis: `[3][5]`.
    public String place(long index) {
        StringBuilder text = new StringBuilder();
        long rest = index;
        for (int axis = shape.size() - 1; axis >= 0; axis--) {
            int extent = Math.max(1, shape.get(axis));
            text.insert(0, "[" + (axis == 0 ? rest : rest % extent) + "]");
            rest /= extent;
        }
        return text.toString();
    }

    /// A code as bits and value: `0x3fc00000 (1.5)`.
    public String describe(long code) {
        double value = format.toDouble(code);
        String digits = Long.toHexString(code & format.mask());
        int width = (format.bits() + 3) / 4;
        boolean whole = value == Math.rint(value) && Math.abs(value) < 0x1p53;
        return "0x"
                + "0".repeat(width - digits.length())
                + digits
                + (whole ? " (" + (long) value + ")" : " (" + value + ")");
    }
}
