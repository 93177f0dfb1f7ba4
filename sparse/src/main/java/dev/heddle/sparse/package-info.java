/// Whole sparse matrices: prune, compress, expand, convert.
///
/// A [dev.heddle.sparse.StorageFormat] says where a library keeps the stored elements of a matrix
/// and the metadata that names their columns. Every format is one definition, two
/// [dev.heddle.sparse.TiledLayout]s with what a nibble of metadata means, and
/// [dev.heddle.sparse.MatrixConversion] moves a matrix from any to any:
/// ```
/// MatrixType type = new MatrixType(64, 128, FloatFormat.F16);
/// StoredMatrix a = StoredMatrix.of(StorageFormats.named("dense"), type, segment);
/// StoredMatrix b = StoredMatrix.allocate(StorageFormats.named("cutlass-sm80"), type);
/// new Conversion(a, b).run();
/// ```
/// Nothing is lost in silence: a chunk with too much other than zero is refused, with its row, its
/// values and what would have to go, unless the caller says [dev.heddle.sparse.Pruning#MAGNITUDE].
@NullMarked
package dev.heddle.sparse;

import org.jspecify.annotations.NullMarked;
