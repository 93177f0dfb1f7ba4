package dev.heddle.cli;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.vm.Argument;
import dev.heddle.vm.launch.BufferType;
import dev.heddle.vm.launch.Contents;
import dev.heddle.vm.launch.Scalar;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An argument or a buffer as the command line spells it: `s32:5`, `a=a.npy`, `c=zeros:f32:16x8`.
///
/// @param option  with the text, for messages
/// @param buffer  the buffer's name; empty for a value
/// @param contents of the buffer, or null for a value and for a buffer that is described elsewhere
/// @param value   or null for a buffer
record ArgumentText(
        String option, String buffer, @Nullable Contents contents, @Nullable Argument value) {
    private static final String EXPECTED =
            "expected TYPE:VALUE with TYPE one of "
                    + Scalar.TYPES
                    + "; bytes:HEX; NAME=FILE, NAME=FORMAT:FILE, NAME=zeros:FORMAT:SHAPE,"
                    + " NAME=poison:FORMAT:SHAPE or NAME=random:FORMAT:SHAPE:SEED";

    static ArgumentText of(String option, String text) {
        String place = option + " " + text;
        int equals = text.indexOf('=');
        return equals > 0
                ? new ArgumentText(
                        place,
                        text.substring(0, equals),
                        contents(place, text.substring(equals + 1)),
                        null)
                : new ArgumentText(place, "", null, value(place, text));
    }

    /// What `--variable NAME=...` gives a variable.
    static Contents variable(String text, String what) {
        String place = "--variable " + text;
        int colon = what.indexOf(':');
        String type = colon < 0 ? "" : what.substring(0, colon);
        return type.equals("bytes") || Scalar.format(type).isPresent() && !isFile(what)
                ? new Contents.Literal(value(place, what))
                : contents(place, what);
    }

    private static boolean isFile(String what) {
        return what.endsWith(".npy") || what.contains(".safetensors");
    }

    /// The argument; its buffer joins the others.
    Argument define(Map<String, Contents> buffers) {
        if (value != null) {
            return value;
        }
        Contents described = contents;
        if (described != null) {
            Contents before = buffers.putIfAbsent(buffer, described);
            if (before != null && !before.equals(described)) {
                throw new UsageError(option + ": buffer " + buffer + " is described already");
            }
        }
        return new Argument.Address(buffer, 0);
    }

    private static Argument value(String place, String text) {
        int colon = text.indexOf(':');
        String type = colon < 0 ? "" : text.substring(0, colon);
        String value = text.substring(colon + 1);
        try {
            if (type.equals("bytes")) {
                return new Argument.Value(bytes(value.replace(" ", "")));
            }
            if (Scalar.format(type).isPresent()) {
                return Scalar.parse(type, value);
            }
        } catch (InputException e) {
            throw new UsageError(place + ": " + e.getMessage());
        }
        throw new UsageError(place + ": " + EXPECTED);
    }

    private static byte[] bytes(String digits) {
        try {
            return HexFormat.of().parseHex(digits);
        } catch (IllegalArgumentException e) {
            throw new InputException("expected hexadecimal digits, two for each byte", e);
        }
    }

    private static Contents contents(String place, String what) {
        String[] parts = what.split(":", -1);
        switch (parts[0]) {
            case "zeros", "poison" -> {
                require(parts.length == 3, place);
                BufferType type = type(place, parts[1], parts[2]);
                return parts[0].equals("zeros")
                        ? new Contents.Zeros(type)
                        : new Contents.Poison(type);
            }
            case "random" -> {
                require(parts.length == 4, place);
                try {
                    return new Contents.Random(
                            type(place, parts[1], parts[2]), Long.parseLong(parts[3]), -1, 1);
                } catch (NumberFormatException e) {
                    throw new UsageError(place + ": " + EXPECTED);
                }
            }
            default -> {
                Optional<Format> format =
                        parts.length > 1 ? Format.named(parts[0]) : Optional.empty();
                String file = format.isPresent() ? what.substring(parts[0].length() + 1) : what;
                return new Contents.FromFile(place, absolute(file), format, List.of());
            }
        }
    }

    private static BufferType type(String place, String format, String shape) {
        Format named = Scalar.format(format).or(() -> Format.named(format)).orElse(null);
        if (named == null) {
            throw new UsageError(
                    "%s: %s is no format: expected one of %s"
                            .formatted(place, format, Format.names(Format.all())));
        }
        BufferType type = new BufferType(named, shape(place, shape));
        try {
            type.bytes();
            return type;
        } catch (InputException | ArithmeticException e) {
            throw new UsageError(place + ": the buffer is too large: at most 2 GiB");
        }
    }

    private static List<Integer> shape(String place, String shape) {
        List<Integer> extents = new ArrayList<>();
        for (String extent : shape.split("x", -1)) {
            if (!extent.matches("[0-9]+") || extent.matches("0+")) {
                throw new UsageError(place + ": expected a shape such as 16x8");
            }
            if (extent.length() > 10 || Long.parseLong(extent) > Integer.MAX_VALUE) {
                throw new UsageError(place + ": the buffer is too large: at most 2 GiB");
            }
            extents.add(Integer.parseInt(extent));
        }
        return extents;
    }

    private static void require(boolean holds, String place) {
        if (!holds) {
            throw new UsageError(place + ": " + EXPECTED);
        }
    }

    /// Options name files from where the user is, launch files from where they lie.
    static String absolute(String file) {
        return Path.of(file).toAbsolutePath().toString();
    }
}
