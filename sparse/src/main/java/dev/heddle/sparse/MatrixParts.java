package dev.heddle.sparse;

import dev.heddle.files.TensorHeader;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The tensors that a matrix becomes in a file: their names, types and shapes as the library at
/// hand expects them.
final class MatrixParts {
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MatrixParts() {}

    /// The name of a part of a matrix.
    static String name(String matrix, String suffix) {
        return suffix.isEmpty() ? matrix : matrix + "." + suffix;
    }

    /// The tensors of a matrix.
    static List<TensorHeader> headers(String name, StorageFormat format, MatrixType type) {
        List<String> suffixes = format.parts().suffixes();
        long values = StoredMatrix.valueBytes(format, type);
        long metadata = StoredMatrix.metadataBytes(format, type);
        List<TensorHeader> headers = new ArrayList<>();
        String first = name(name, suffixes.getFirst());
        String second = suffixes.size() < 2 ? "" : name(name, suffixes.get(1));
        int rows = type.rows();
        headers.add(
                switch (format.parts()) {
                    case DENSE, TWO, BITMASK -> elements(first, type.format(), rows, values);
                    case BLOB -> bytes(first, IntegerFormat.U8, 1, values + metadata);
                    case MARLIN -> bytes(first, IntegerFormat.S32, type.columns() / 32, values);
                });
        switch (format.parts()) {
            case DENSE, BLOB -> {}
            case TWO -> {
                IntegerFormat word = format.arrangement(type.format()).word();
                headers.add(bytes(second, word, rows, metadata));
            }
            case BITMASK -> {
                String shape = name(name, suffixes.get(2));
                headers.add(bytes(second, IntegerFormat.U8, rows, metadata));
                headers.add(new TensorHeader(shape, IntegerFormat.S64, List.of(2, 1)));
            }
            case MARLIN ->
                    headers.add(bytes(second, IntegerFormat.S16, type.columns() / 32, metadata));
        }
        return headers;
    }

    /// Whether files know no such elements and take bytes instead.
    static boolean carried(Format format) {
        return format == IntegerFormat.S4 || format == IntegerFormat.U4 || format.bits() == 6;
    }

    /// Elements of a matrix with so many rows; 4-bit integers two a byte.
    private static TensorHeader elements(String name, Format format, int rows, long bytes) {
        Format carrier = carried(format) ? IntegerFormat.U8 : format;
        long columns = bytes * Byte.SIZE / carrier.bits() / rows;
        return new TensorHeader(name, carrier, List.of(rows, Math.toIntExact(columns)));
    }

    /// Bytes as integers, in so many rows where they divide evenly.
    private static TensorHeader bytes(String name, IntegerFormat word, int rows, long bytes) {
        long words = bytes * Byte.SIZE / word.bits();
        return new TensorHeader(
                name,
                word,
                rows > 1 && words % rows == 0
                        ? List.of(rows, Math.toIntExact(words / rows))
                        : List.of(Math.toIntExact(words)));
    }

    /// The matrix whose parts have those bytes.
    ///
    /// @throws InputException if they are not of the sizes that it takes
    static StoredMatrix of(StorageFormat format, MatrixType type, List<MemorySegment> parts) {
        return switch (format.parts()) {
            case DENSE -> StoredMatrix.of(format, type, parts.get(0));
            case BLOB -> StoredMatrix.of(format, type, trimmed(format, type, parts.get(0)));
            case TWO, MARLIN, BITMASK -> {
                StoredMatrix matrix = new StoredMatrix(format, type, parts.get(0), parts.get(1));
                expect(
                        format.parts().suffixes().get(0),
                        StoredMatrix.valueBytes(format, type),
                        parts.get(0));
                expect(
                        format.parts().suffixes().get(1),
                        StoredMatrix.metadataBytes(format, type),
                        parts.get(1));
                yield matrix;
            }
        };
    }

    /// PyTorch allocates whole rows: what is behind the metadata means nothing.
    private static MemorySegment trimmed(
            StorageFormat format, MatrixType type, MemorySegment blob) {
        long bytes =
                StoredMatrix.valueBytes(format, type) + StoredMatrix.metadataBytes(format, type);
        boolean rounded = blob.byteSize() > bytes && blob.byteSize() < bytes + bytes / 4;
        return rounded ? blob.asSlice(0, bytes) : blob;
    }

    private static void expect(String part, long bytes, MemorySegment found) {
        if (found.byteSize() != bytes) {
            throw new InputException(
                    "part %s takes %d bytes, found %d".formatted(part, bytes, found.byteSize()));
        }
    }

    /// The matrix in the memory of its parts by name, with the shape filled in where it is a part.
    static StoredMatrix of(
            String name, StorageFormat format, MatrixType type, Map<String, MemorySegment> memory) {
        List<MemorySegment> parts = new ArrayList<>();
        for (String suffix : format.parts().suffixes()) {
            parts.add(Objects.requireNonNull(memory.get(name(name, suffix))));
        }
        if (format.parts() == StorageFormat.Parts.BITMASK) {
            parts.get(2).set(LONG, 0, type.rows());
            parts.get(2).set(LONG, Long.BYTES, type.columns());
        }
        return of(format, type, parts);
    }
}
