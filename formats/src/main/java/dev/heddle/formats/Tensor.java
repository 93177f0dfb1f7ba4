package dev.heddle.formats;

import java.util.List;
import java.util.stream.Collectors;

/// An array of element codes with any number of dimensions, the last one contiguous (C order).
///
/// @param shape the dimensions, outermost first; none for a scalar
/// @param codes as many elements as the product of the dimensions
public record Tensor(List<Integer> shape, Codes codes) {

    /// @throws IllegalArgumentException if a dimension is negative or the codes are not as many
    public Tensor {
        shape = List.copyOf(shape);
        long elements = elements(shape);
        if (codes.length() != elements) {
            throw new IllegalArgumentException(
                    "shape %s: expected %d elements, found %d"
                            .formatted(shape, elements, codes.length()));
        }
    }

    /// A tensor whose codes are all zero.
    public static Tensor zeros(Format format, List<Integer> shape) {
        return new Tensor(shape, Codes.zeros(format, elements(shape)));
    }

    /// A matrix as a tensor of two dimensions, on the same codes.
    public static Tensor of(Matrix matrix) {
        return new Tensor(List.of(matrix.rows(), matrix.columns()), matrix.codes());
    }

    /// The product of the dimensions.
    ///
    /// @throws IllegalArgumentException if one is negative or the product is beyond `long`
    public static long elements(List<Integer> shape) {
        long elements = 1;
        for (int dimension : shape) {
            if (dimension < 0) {
                throw new InputException("shape " + shape + ": expected no negative dimension");
            }
            try {
                elements = Math.multiplyExact(elements, dimension);
            } catch (ArithmeticException _) {
                throw new InputException("shape " + shape + ": too many elements");
            }
        }
        return elements;
    }

    public Format format() {
        return codes.format();
    }

    /// The code of an element, counted in C order.
    public long bits(long index) {
        return codes.bits(index);
    }

    /// A tensor of two dimensions as a matrix, on the same codes.
    ///
    /// @throws IllegalArgumentException if it has another number of dimensions
    public Matrix matrix() {
        if (shape.size() != 2) {
            throw new InputException(
                    "shape %s: expected a matrix, two dimensions".formatted(shape));
        }
        return new Matrix(shape.get(0), shape.get(1), codes);
    }

    /// The same values in another format.
    public Tensor convert(Format to, Rounding rounding, Overflow overflow) {
        return new Tensor(shape, codes.convert(to, rounding, overflow));
    }

    /// The same bytes read as another format of the same width, like u16 as bf16 where a file
    /// format knows no bf16.
    ///
    /// @throws IllegalArgumentException if the widths differ
    public Tensor reinterpret(Format as) {
        if (Packing.dense(as).containerBits() != Packing.dense(format()).containerBits()) {
            throw new InputException(
                    "%s elements cannot be read as %s: expected a format of %d bits"
                            .formatted(format(), as, Packing.dense(format()).containerBits()));
        }
        return new Tensor(shape, Codes.wrap(as, codes.length(), codes.bytes()));
    }

    /// `4 x 16 x 8 .f16`.
    @Override
    public String toString() {
        return shape.stream().map(String::valueOf).collect(Collectors.joining(" x "))
                + (shape.isEmpty() ? "scalar " : " ")
                + format();
    }
}
