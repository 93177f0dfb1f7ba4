package dev.heddle.sparse;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.Packing;
import dev.heddle.layout.Axis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// A way in which a library keeps a sparse matrix: where its stored elements and its metadata
/// are.
///
/// All formats there are: [StorageFormats#all].
///
/// @param name     what it is called on the command line: `cutlass-sm80`
/// @param summary  who keeps matrices so
/// @param source   where that is said, or how it was found
/// @param parts    the tensors that a matrix consists of
/// @param arrangements by element format; empty where the library has none
public record StorageFormat(
        String name,
        String summary,
        String source,
        Parts parts,
        Function<Format, Optional<Arrangement>> arrangements) {

    /// @param arrangements asked once for each element format
    public StorageFormat {
        Map<Format, Optional<Arrangement>> known = new ConcurrentHashMap<>();
        Function<Format, Optional<Arrangement>> defined = arrangements;
        arrangements = format -> known.computeIfAbsent(format, defined);
    }

    /// The tensors that a matrix consists of, by the suffixes of their names.
    public enum Parts {
        /// The matrix itself.
        DENSE(List.of("")),
        /// Stored elements and metadata, two tensors.
        TWO(List.of("values", "metadata")),
        /// Metadata behind the stored elements, in one tensor of bytes.
        BLOB(List.of("blob")),
        /// The three tensors of `compressed-tensors`.
        BITMASK(List.of("compressed", "bitmask", "shape")),
        /// The two tensors of Marlin.
        MARLIN(List.of("weight_packed", "meta"));

        private final List<String> suffixes;

        Parts(List<String> suffixes) {
            this.suffixes = suffixes;
        }

        /// What follows the name of the matrix, after a dot.
        public List<String> suffixes() {
            return suffixes;
        }
    }

    /// Whether the matrix is kept with its zeros.
    public boolean dense() {
        return parts == Parts.DENSE;
    }

    /// How elements of a format are arranged.
    ///
    /// @throws InputException if the library does not keep such elements; the message
    ///     names those that it does
    Arrangement arrangement(Format format) {
        return arrangements
                .apply(format)
                .orElseThrow(
                        () ->
                                new InputException(
                                        "%s does not hold %s: expected one of %s"
                                                .formatted(name, format, Format.names(formats()))));
    }

    /// The element formats that it can hold.
    public List<Format> formats() {
        return Format.all().stream()
                .filter(
                        format ->
                                dense()
                                        ? Packing.dense(format).containerBits() <= 32
                                        : arrangements.apply(format).isPresent())
                .toList();
    }

    /// Where the parts of a matrix are in memory, by what they are: `elements` of a dense matrix;
    /// `metadata`, `second metadata` where there is one, and `stored elements` of a compressed one.
    ///
    /// @throws IllegalArgumentException if the library does not keep such elements
    public Map<String, TiledLayout> layouts(Format format) {
        if (dense()) {
            return Map.of("elements", TiledLayout.rows(Axis.COLUMN, 1));
        }
        Arrangement arrangement = arrangement(format);
        Map<String, TiledLayout> layouts = new LinkedHashMap<>();
        layouts.put("metadata", arrangement.metadata());
        arrangement.copy().ifPresent(copy -> layouts.put("second metadata", copy));
        layouts.put("stored elements", arrangement.values());
        return layouts;
    }

    @Override
    public String toString() {
        return name;
    }
}
