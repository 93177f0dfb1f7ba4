package dev.heddle.vm.launch;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Tensor;
import dev.heddle.sparse.StorageFormat;
import dev.heddle.sparse.StoredMatrix;
import dev.heddle.vm.Argument;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleToLongFunction;

/// What a buffer, or a variable of the module, holds before the first launch.
public sealed interface Contents {

    /// The elements of a file.
    ///
    /// @param place that names the file, for messages
    /// @param file as it is named
    /// @param format of the elements, where the file does not say it
    /// @param shape of the buffer; empty for that of the file
    record FromFile(String place, String file, Optional<Format> format, List<Integer> shape)
            implements Contents {
        public FromFile {
            shape = List.copyOf(shape);
        }
    }

    /// Zeros.
    record Zeros(BufferType type) implements Contents {}

    /// Memory that nobody wrote.
    record Poison(BufferType type) implements Contents {}

    /// Seeded numbers.
    ///
    /// @param least the smallest
    /// @param most the numbers are below it
    record Random(BufferType type, long seed, double least, double most) implements Contents {}

    /// A part of a sparse matrix as a storage format keeps it.
    ///
    /// @param place that names it, for messages
    /// @param matrix what holds the dense matrix
    /// @param format how it is to be kept
    /// @param metadata whether its metadata is meant, or its stored elements
    record Compressed(String place, Contents matrix, StorageFormat format, boolean metadata)
            implements Contents {}

    /// A scalar, a structure or an address; only for variables.
    record Literal(Argument value) implements Contents {}

    /// Contents as bytes, and what they mean.
    ///
    /// @param bytes or null for memory that nobody wrote
    @SuppressWarnings("ArrayRecordComponent")
    record Loaded(BufferType type, byte @Nullable [] bytes) {}

    /// The bytes.
    ///
    /// @param folder in which files are looked for
    /// @throws LaunchFileException where a file cannot be read or is not as it should be
    default Loaded load(Path folder) {
        return switch (this) {
            case FromFile file -> read(folder, file);
            case Zeros(BufferType type) -> new Loaded(type, new byte[type.bytes()]);
            case Poison(BufferType type) -> new Loaded(type, null);
            case Random random -> new Loaded(random.type(), random(random));
            case Compressed compressed -> compress(folder, compressed);
            case Literal(Argument value) -> throw new IllegalStateException(value.toString());
        };
    }

    /// The contents of an array file.
    ///
    /// @throws LaunchFileException where it cannot be read or is not as it should be
    static Tensor tensor(Path folder, String place, String file, Optional<Format> format) {
        try {
            return TensorReference.parse(file).in(folder).readBits(format);
        } catch (IOException | InputException e) {
            throw new LaunchFileException(place, String.valueOf(e.getMessage()));
        }
    }

    private static Loaded read(Path folder, FromFile from) {
        Tensor tensor = tensor(folder, from.place(), from.file(), from.format());
        BufferType type =
                new BufferType(
                        tensor.format(), from.shape().isEmpty() ? tensor.shape() : from.shape());
        byte[] bytes = tensor.codes().bytes();
        if (type.bytes() != bytes.length) {
            throw new LaunchFileException(
                    from.place(),
                    "%s has %s elements, the shape %s says %d"
                            .formatted(
                                    from.file(),
                                    tensor.codes().length(),
                                    type.shape(),
                                    Tensor.elements(type.shape())));
        }
        return new Loaded(type, bytes);
    }

    private static Loaded compress(Path folder, Compressed compressed) {
        Loaded dense = compressed.matrix().load(folder);
        BufferType type = dense.type();
        if (dense.bytes() == null || type.shape().size() != 2) {
            throw new LaunchFileException(
                    compressed.place(),
                    "shape %s: expected a matrix to compress".formatted(type.shape()));
        }
        try {
            StoredMatrix matrix =
                    StoredMatrix.compressed(type.tensor(dense.bytes()), compressed.format());
            Tensor part = compressed.metadata() ? matrix.metadataTensor() : matrix.valueTensor();
            return new Loaded(new BufferType(part.format(), part.shape()), part.codes().bytes());
        } catch (InputException e) {
            throw new LaunchFileException(compressed.place(), String.valueOf(e.getMessage()));
        }
    }

    private static byte[] random(Random random) {
        BufferType type = random.type();
        double width = random.most() - random.least();
        SplittableRandom source = new SplittableRandom(random.seed());
        Codes codes = Tensor.zeros(type.format(), type.shape()).codes();
        DoubleToLongFunction encoder = encoder(type.format());
        long length = codes.length();
        for (long i = 0; i < length; i++) {
            codes.set(i, encoder.applyAsLong(random.least() + width * source.nextDouble()));
        }
        return codes.bytes();
    }

    /// Integers are cut towards zero, and so is bf16; the other floats are rounded to nearest.
    private static DoubleToLongFunction encoder(Format format) {
        return switch (format) {
            case IntegerFormat integer -> value -> (long) value & integer.mask();
            case FloatFormat.F64 -> Double::doubleToRawLongBits;
            // By Java itself, as large matrices have little else; what is too large saturates.
            case FloatFormat.F16 ->
                    value ->
                            Float.floatToFloat16(Math.clamp((float) value, -65504f, 65504f))
                                    & 0xffff;
            case FloatFormat number -> {
                Rounding rounding =
                        number == FloatFormat.BF16 ? Rounding.TOWARD_ZERO : Rounding.NEAREST_EVEN;
                yield value -> number.encode((float) value, rounding, Overflow.SATFINITE);
            }
        };
    }
}
