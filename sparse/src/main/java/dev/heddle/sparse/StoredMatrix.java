package dev.heddle.sparse;

import dev.heddle.formats.Codes;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// A matrix in memory, as a storage format keeps it.
///
/// @param format   how it is kept
/// @param type     what it is
/// @param values   the elements: all of a dense matrix, the stored ones of a compressed one
/// @param metadata which they are; empty of a dense matrix
public record StoredMatrix(
        StorageFormat format, MatrixType type, MemorySegment values, MemorySegment metadata) {

    /// JVMs make no longer array.
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    /// A matrix in new memory of the heap, all bytes zero.
    ///
    /// @throws InputException if the format does not hold such a matrix, or it takes more
    ///     than 2 GiB
    public static StoredMatrix allocate(StorageFormat format, MatrixType type) {
        long bytes = valueBytes(format, type) + metadataBytes(format, type);
        if (bytes > LARGEST_ARRAY) {
            throw new InputException(
                    "%s as %s takes %d bytes: expected at most %d"
                            .formatted(type, format, bytes, LARGEST_ARRAY));
        }
        return of(format, type, MemorySegment.ofArray(new byte[(int) bytes]));
    }

    /// A matrix whose metadata is behind its elements.
    ///
    /// @throws InputException if the format does not hold such a matrix, or the memory is
    ///     not of the size that it takes
    public static StoredMatrix of(StorageFormat format, MatrixType type, MemorySegment memory) {
        long values = valueBytes(format, type);
        long metadata = metadataBytes(format, type);
        if (memory.byteSize() != values + metadata) {
            throw new InputException(
                    "%s as %s takes %d bytes, found %d"
                            .formatted(type, format, values + metadata, memory.byteSize()));
        }
        return new StoredMatrix(
                format, type, memory.asSlice(0, values), memory.asSlice(values, metadata));
    }

    /// A dense matrix, compressed.
    ///
    /// @throws InputException if it is no matrix, or the format does not hold it
    /// @throws SparsityException        if it does not conform
    public static StoredMatrix compressed(Tensor dense, StorageFormat format) {
        Matrix matrix = dense.matrix();
        MatrixType type = new MatrixType(matrix.rows(), matrix.columns(), dense.format());
        StoredMatrix source =
                of(
                        StorageFormats.named("dense"),
                        type,
                        MemorySegment.ofArray(dense.codes().bytes()));
        StoredMatrix target = allocate(format, type);
        new MatrixConversion(source, target).run();
        return target;
    }

    /// The matrix with its zeros.
    ///
    /// @throws SparsityException if its metadata is undefined
    public Tensor expanded() {
        StoredMatrix target = allocate(StorageFormats.named("dense"), type);
        new MatrixConversion(this, target).run();
        return new Tensor(
                List.of(type.rows(), type.columns()),
                Codes.wrap(
                        type.format(),
                        (long) type.rows() * type.columns(),
                        target.values().toArray(ValueLayout.JAVA_BYTE)));
    }

    /// The elements, all of a dense matrix and the stored ones of a compressed one, as a matrix.
    public Tensor valueTensor() {
        int columns = format.dense() ? type.columns() : type.columns() / 2;
        return new Tensor(
                List.of(type.rows(), columns),
                Codes.wrap(
                        type.format(),
                        (long) type.rows() * columns,
                        values.toArray(ValueLayout.JAVA_BYTE)));
    }

    /// The metadata, in the words that the format counts it in, as one row.
    public Tensor metadataTensor() {
        IntegerFormat word =
                format.dense() ? IntegerFormat.U8 : format.arrangement(type.format()).word();
        byte[] bytes = metadata.toArray(ValueLayout.JAVA_BYTE);
        int words = bytes.length * Byte.SIZE / word.bits();
        return new Tensor(List.of(words), Codes.wrap(word, words, bytes));
    }

    /// Bytes that the elements take.
    ///
    /// @throws InputException if the format does not hold such a matrix
    public static long valueBytes(StorageFormat format, MatrixType type) {
        if (format.dense()) {
            return type.bytes();
        }
        Arrangement arrangement = require(format, type);
        return Plane.bytes(
                arrangement.values(), type.rows(), type.columns() / 2, type.elementBits());
    }

    /// Bytes that the metadata takes.
    ///
    /// @throws InputException if the format does not hold such a matrix
    public static long metadataBytes(StorageFormat format, MatrixType type) {
        if (format.dense()) {
            return 0;
        }
        return require(format, type).allMetadataBytes(type);
    }

    /// The sizes that a format demands of a matrix: the least multiples that hold it.
    ///
    /// @throws InputException if the format does not hold such elements
    public static MatrixType padded(StorageFormat format, MatrixType type) {
        if (format.dense()) {
            return type;
        }
        Arrangement arrangement = format.arrangement(type.format());
        int columns = columnMultiple(arrangement, type);
        return type.sized(
                Math.multiplyExact(
                        Math.ceilDiv(type.rows(), arrangement.rowMultiple()),
                        arrangement.rowMultiple()),
                Math.multiplyExact(Math.ceilDiv(type.columns(), columns), columns));
    }

    private static int columnMultiple(Arrangement arrangement, MatrixType type) {
        int bytes = Math.max(1, 2 * Byte.SIZE / type.elementBits());
        return Math.max(
                Math.max(arrangement.columnMultiple(), arrangement.granularity().width()), bytes);
    }

    private static Arrangement require(StorageFormat format, MatrixType type) {
        Arrangement arrangement = format.arrangement(type.format());
        MatrixType padded = padded(format, type);
        if (!padded.equals(type)) {
            throw new InputException(
                    "%s as %s: expected rows in multiples of %d and columns in multiples of %d, as %d x %d"
                            .formatted(
                                    type,
                                    format,
                                    arrangement.rowMultiple(),
                                    columnMultiple(arrangement, type),
                                    padded.rows(),
                                    padded.columns()));
        }
        return arrangement;
    }

    /// The bytes of the parts, in the order of [StorageFormat.Parts], without a part for the shape.
    public List<MemorySegment> parts() {
        return format.dense() ? List.of(values) : List.of(values, metadata);
    }

    /// @param other       the arrangement of the other side, for a dense matrix
    /// @param compressed  the matrix of the side that is compressed
    Rows rows(Arrangement other, MatrixType compressed, Pruning pruning) {
        return format.dense()
                ? new DenseRows(type, compressed, values, other, pruning)
                : new CompressedRows(type, require(format, type), values, metadata);
    }
}
