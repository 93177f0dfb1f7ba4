package dev.heddle.sparse;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// A matrix in memory, as a storage format keeps it.
///
/// @param format   how it is kept
/// @param type     what it is
/// @param values   the elements: all of a dense matrix, the stored ones of a compressed one
/// @param metadata which they are; empty of a dense matrix
public record StoredMatrix(
        StorageFormat format, MatrixType type, MemorySegment values, MemorySegment metadata) {

    /// A matrix in new memory of the heap, all bytes zero.
    ///
    /// @throws IllegalArgumentException if the format does not hold such a matrix, or it takes more
    ///     than 2 GiB
    public static StoredMatrix allocate(StorageFormat format, MatrixType type) {
        return of(
                format,
                type,
                MemorySegment.ofArray(
                        new byte
                                [Math.toIntExact(
                                        valueBytes(format, type) + metadataBytes(format, type))]));
    }

    /// A matrix whose metadata stands behind its elements.
    ///
    /// @throws IllegalArgumentException if the format does not hold such a matrix, or the memory is
    ///     not of the size that it takes
    public static StoredMatrix of(StorageFormat format, MatrixType type, MemorySegment memory) {
        long values = valueBytes(format, type);
        long metadata = metadataBytes(format, type);
        if (memory.byteSize() != values + metadata) {
            throw new IllegalArgumentException(
                    "%s as %s takes %d bytes, found %d"
                            .formatted(type, format, values + metadata, memory.byteSize()));
        }
        return new StoredMatrix(
                format, type, memory.asSlice(0, values), memory.asSlice(values, metadata));
    }

    /// Bytes that the elements take.
    ///
    /// @throws IllegalArgumentException if the format does not hold such a matrix
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
    /// @throws IllegalArgumentException if the format does not hold such a matrix
    public static long metadataBytes(StorageFormat format, MatrixType type) {
        if (format.dense()) {
            return 0;
        }
        Arrangement arrangement = require(format, type);
        int chunks = type.columns() / arrangement.granularity().width();
        return Plane.bytes(arrangement.metadata(), type.rows(), chunks, 4);
    }

    /// The sizes that a format demands of a matrix: the least multiples that hold it.
    ///
    /// @throws IllegalArgumentException if the format does not hold such elements
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
            throw new IllegalArgumentException(
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
