package dev.heddle.sparse;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the `__metadata__` of a `.safetensors` file says of a compressed matrix in it:
/// `cutlass-sm80 f16 64x128`, or `cutlass-sm80 f16 64x128 of 60x120` where rows and columns of
/// zeros were added.
///
/// @param format   how it is kept
/// @param type     what it is, padding included
/// @param original what it was before it was padded
public record Label(StorageFormat format, MatrixType type, MatrixType original) {
    /// What precedes the name of the matrix in the key.
    private static final String PREFIX = "heddle:";

    private static final Pattern TEXT =
            Pattern.compile(
                    "([a-z0-9-]{1,40}) ([a-z0-9]{1,10}) (\\d{1,9})x(\\d{1,9})(?: of"
                            + " (\\d{1,9})x(\\d{1,9}))?");

    /// @throws InputException if the format does not hold such a matrix, or the original
    ///     is larger
    public Label {
        if (original.rows() > type.rows()
                || original.columns() > type.columns()
                || original.format() != type.format()) {
            throw new InputException("%s cannot be padded to %s".formatted(original, type));
        }
        StoredMatrix.metadataBytes(format, type);
    }

    /// Whether a file cannot tell what a matrix is without a label.
    static boolean needed(StorageFormat format, MatrixType type) {
        return !format.dense() || MatrixParts.carried(type.format());
    }

    /// The key of the matrix of that name.
    public static String key(String matrix) {
        return PREFIX + matrix;
    }

    /// Whether a key is that of a matrix.
    public static boolean isKey(String key) {
        return key.startsWith(PREFIX);
    }

    /// The matrix that a key names.
    public static String matrix(String key) {
        return key.substring(PREFIX.length());
    }

    /// Reads what [#toString] prints.
    ///
    /// @throws InputException if it is anything else, or means nothing
    public static Label parse(String text) {
        Matcher label = TEXT.matcher(text);
        if (!label.matches()) {
            throw new InputException("expected a label such as \"cutlass-sm80 f16 64x128\"");
        }
        MatrixType type =
                new MatrixType(
                        Integer.parseInt(label.group(3)),
                        Integer.parseInt(label.group(4)),
                        Format.parse(label.group(2)));
        MatrixType original =
                label.group(5) == null
                        ? type
                        : type.sized(
                                Integer.parseInt(label.group(5)), Integer.parseInt(label.group(6)));
        return new Label(StorageFormats.named(label.group(1)), type, original);
    }

    /// As in a file.
    @Override
    public String toString() {
        String size =
                "%s %s %dx%d"
                        .formatted(format, type.format().ptxName(), type.rows(), type.columns());
        return original.equals(type)
                ? size
                : size + " of %dx%d".formatted(original.rows(), original.columns());
    }
}
