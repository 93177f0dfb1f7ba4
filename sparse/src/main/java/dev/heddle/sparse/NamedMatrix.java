package dev.heddle.sparse;

/// A matrix of a file.
///
/// @param name     its name there
/// @param stored   its memory
/// @param original what it was before it was padded
public record NamedMatrix(String name, StoredMatrix stored, MatrixType original) {
    /// What a file says of it when it is compressed.
    Label label() {
        return new Label(stored.format(), stored.type(), original);
    }
}
