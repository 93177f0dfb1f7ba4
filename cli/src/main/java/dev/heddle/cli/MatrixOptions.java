package dev.heddle.cli;

import dev.heddle.formats.Format;
import dev.heddle.sparse.MatrixSource;
import dev.heddle.sparse.StorageFormat;
import dev.heddle.sparse.StorageFormats;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// The options that say which matrices of a file are meant, and what they are.
final class MatrixOptions {
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})x(\\d{1,9})");

    private MatrixOptions() {}

    /// The help of these options.
    static final String HELP =
            """
            --from F  The storage format of IN, where it has no labels (default: dense).
            --type T  The element format, as bf16, where IN cannot say it.
            --shape RxC  Rows and columns, where IN cannot say them.
            --only GLOB  Only matrices of such names; all else is copied as it is.
            """;

    /// What Tab completes them to.
    static Map<String, List<String>> choices() {
        return Map.of("--from", StorageFormats.all().stream().map(StorageFormat::name).toList());
    }

    /// What the options say of a file.
    ///
    /// @throws UsageError if one of them means nothing
    static MatrixSource.Hints hints(ParseResult given) {
        @Nullable String from = Command.value(given, "--from");
        @Nullable String type = Command.value(given, "--type");
        return new MatrixSource.Hints(
                Optional.ofNullable(from).map(StorageFormats::named),
                Optional.ofNullable(type).map(Format::parse),
                Optional.ofNullable(Command.value(given, "--shape")).map(MatrixOptions::size));
    }

    private static MatrixSource.Size size(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            throw new UsageError("--shape %s: expected ROWSxCOLUMNS, as 64x128".formatted(text));
        }
        return new MatrixSource.Size(
                Integer.parseInt(shape.group(1)), Integer.parseInt(shape.group(2)));
    }

    /// The matrices of a file that are meant, by name.
    ///
    /// @throws UsageError if there are none
    static Predicate<String> chosen(ParseResult given, MatrixSource source) {
        @Nullable String glob = Command.value(given, "--only");
        Predicate<String> chosen = _ -> true;
        if (glob != null) {
            PathMatcher matcher = matcher(glob);
            chosen = name -> matcher.matches(Path.of(name));
        }
        if (source.matrices().keySet().stream().noneMatch(chosen)) {
            throw new UsageError(
                    glob == null
                            ? "no matrix there: expected a tensor of two dimensions"
                            : "--only %s: no such matrix; there are %s"
                                    .formatted(
                                            glob,
                                            source.matrices().keySet().stream()
                                                    .limit(10)
                                                    .toList()));
        }
        return chosen;
    }

    private static PathMatcher matcher(String glob) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException e) {
            throw new UsageError("--only %s: %s".formatted(glob, e.getDescription()));
        }
    }
}
