package dev.heddle.sparse;

import dev.heddle.formats.Tensor;

/// A matrix of a file.
///
/// @param name     its name there
/// @param stored   its memory
/// @param original what it was before it was padded
public record NamedMatrix(String name, StoredMatrix stored, MatrixType original) {
    /// The matrix with its zeros, and without the rows and columns that it was padded with.
    ///
    /// @throws SparsityException if its metadata is undefined
    public Tensor expanded() {
        StoredMatrix target = StoredMatrix.allocate(StorageFormats.named("dense"), original);
        new MatrixConversion(stored, target).run();
        return target.valueTensor();
    }

    /// What a file says of it when it is compressed.
    Label label() {
        return new Label(stored.format(), stored.type(), original);
    }
}
