package dev.heddle.cli;

import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;
import dev.heddle.sparse.files.TensorReference;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.execution.Grid.Extent;
import dev.heddle.vm.launch.Expectation;
import dev.heddle.vm.launch.LaunchFile;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// What `heddle run` launches: from a launch file, or from options.
///
/// @param entry        the kernel; empty for the only one
/// @param launch       grid, block, arguments
/// @param expectations what to compare afterwards
/// @param stdout       what the kernel should print, or null
/// @param folder       what files are named relative to
/// @param formats      element formats of the buffers, where known
/// @param shapes       shapes of the buffers, where known
record LaunchPlan(
        String entry,
        Launch launch,
        List<Expectation> expectations,
        @Nullable String stdout,
        Path folder,
        Map<String, Format> formats,
        Map<String, List<Integer>> shapes) {

    static LaunchPlan of(ParseResult given) throws IOException {
        String file = Command.value(given, "--launch");
        return file == null ? ofOptions(given) : ofFile(Path.of(file), given);
    }

    private static LaunchPlan ofFile(Path file, ParseResult given) throws IOException {
        if (!Files.isReadable(file)) {
            throw new Refusal(file + ": no such file, or not readable");
        }
        Path parent = file.toAbsolutePath().getParent();
        Path folder = parent == null ? Path.of(".") : parent;
        LaunchFile launch;
        try {
            launch = LaunchFile.parse(Files.readString(file), name -> bytes(folder, name));
        } catch (UncheckedIOException | UnsupportedOperationException | ArithmeticException e) {
            throw new Refusal(file + ": " + e.getMessage());
        }
        String entry = Command.value(given, "--entry");
        return new LaunchPlan(
                entry == null ? launch.entry() : entry,
                launch.launch(),
                launch.expectations(),
                launch.stdout(),
                folder,
                Map.of(),
                Map.of());
    }

    private static LaunchPlan ofOptions(ParseResult given) throws IOException {
        Map<String, Format> formats = new HashMap<>();
        Map<String, List<Integer>> shapes = new HashMap<>();
        Path folder = Path.of("").toAbsolutePath();
        List<Argument> arguments = new ArrayList<>();
        for (String text : given.matchedOptionValue("--arg", List.<String>of())) {
            arguments.add(argument(text, formats, shapes));
        }
        List<Expectation> expectations = new ArrayList<>();
        for (String text : given.matchedOptionValue("--expect", List.<String>of())) {
            String[] parts = text.split("=", 2);
            if (parts.length != 2) {
                throw new Refusal("--expect " + text + ": expected NAME=FILE");
            }
            Format format = formats.getOrDefault(parts[0], IntegerFormat.U8);
            expectations.add(
                    new Expectation(
                            parts[0], parts[1], format.ptxName(), Expectation.Tolerance.EXACT, 0));
        }
        String entry = Command.value(given, "--entry");
        String shared = Command.value(given, "--shared");
        Launch launch =
                Launch.of(
                                extent(given, "--grid"),
                                extent(given, "--block"),
                                arguments.toArray(Argument[]::new))
                        .withDynamicShared(
                                shared == null ? 0 : Numbers.parse("--shared", shared, 1, 1)[0]);
        return new LaunchPlan(
                entry == null ? "" : entry, launch, expectations, null, folder, formats, shapes);
    }

    private static Extent extent(ParseResult given, String option) {
        String text = Command.value(given, option);
        if (text == null) {
            throw new Refusal("run: " + option + " X,Y,Z is missing (or --launch FILE)");
        }
        int[] numbers = Numbers.parse(option, text, 1, 3);
        return new Extent(
                numbers[0],
                numbers.length > 1 ? numbers[1] : 1,
                numbers.length > 2 ? numbers[2] : 1);
    }

    private static Argument argument(
            String text, Map<String, Format> formats, Map<String, List<Integer>> shapes)
            throws IOException {
        int equals = text.indexOf('=');
        if (equals > 0) {
            return buffer(text.substring(0, equals), text.substring(equals + 1), formats, shapes);
        }
        int colon = text.indexOf(':');
        String value = text.substring(colon + 1);
        try {
            return switch (colon < 0 ? "" : text.substring(0, colon)) {
                case "s32" -> Argument.s32(Integer.parseInt(value));
                case "u32" -> Argument.s32(Integer.parseUnsignedInt(value));
                case "s64" -> Argument.s64(Long.parseLong(value));
                case "u64" -> Argument.s64(Long.parseUnsignedLong(value));
                case "f32" -> Argument.f32(Float.parseFloat(value));
                case "f64" -> Argument.f64(Double.parseDouble(value));
                case "bytes" -> new Argument.Value(HexFormat.of().parseHex(value));
                default -> throw new Refusal(refusal(text));
            };
        } catch (IllegalArgumentException e) {
            throw new Refusal(refusal(text));
        }
    }

    private static String refusal(String text) {
        return "--arg "
                + text
                + ": expected s32:N, u32:N, s64:N, u64:N, f32:X, f64:X, bytes:HEX, NAME=FILE,"
                + " NAME=zeros:FORMAT:SHAPE or NAME=poison:FORMAT:SHAPE";
    }

    private static Argument buffer(
            String name,
            String what,
            Map<String, Format> formats,
            Map<String, List<Integer>> shapes)
            throws IOException {
        if (!what.startsWith("zeros:") && !what.startsWith("poison:")) {
            Tensor tensor = TensorReference.parse(what).read();
            formats.put(name, tensor.format());
            shapes.put(name, tensor.shape());
            return Argument.buffer(name, tensor.codes().bytes());
        }
        String[] parts = what.split(":", -1);
        if (parts.length != 3) {
            throw new Refusal(refusal(name + "=" + what));
        }
        Format format = Format.parse(parts[1]);
        List<Integer> shape = new ArrayList<>();
        long elements = 1;
        for (int extent : Numbers.parse("--arg " + name, parts[2].replace('x', ','), 1, 8)) {
            shape.add(extent);
            elements = Math.multiplyExact(elements, (long) extent);
        }
        int bytes = Math.toIntExact((elements * format.bits() + 7) / 8);
        formats.put(name, format);
        shapes.put(name, shape);
        return parts[0].equals("zeros")
                ? Argument.zeros(name, bytes)
                : Argument.poison(name, bytes);
    }

    private static byte[] bytes(Path folder, String name) throws IOException {
        return TensorReference.parse(folder.resolve(name).toString()).read().codes().bytes();
    }

    /// The bytes of an array file.
    byte[] read(String name) throws IOException {
        return bytes(folder, name);
    }

    /// The element format of a buffer; bytes where nothing is known of it.
    Format format(String buffer) {
        return formats.getOrDefault(buffer, IntegerFormat.U8);
    }

    /// The shape of a buffer of so many bytes.
    List<Integer> shape(String buffer, int bytes) {
        return shapes.getOrDefault(buffer, List.of(bytes * 8 / format(buffer).bits()));
    }
}
