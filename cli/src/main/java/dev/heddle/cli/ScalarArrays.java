package dev.heddle.cli;

import dev.heddle.files.TensorFileException;
import dev.heddle.files.TensorReference;
import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Tensor;
import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// The operands of a scalar instruction, an array each; one element alone stands for as many as the
/// others have.
///
/// @param sources by the operand's name, in order, each in the format of its type
/// @param shape of the result
/// @param halves whether pairs of halves were given as halves, two of the last dimension each
record ScalarArrays(Map<String, Tensor> sources, List<Integer> shape, boolean halves) {
    private static final int RANDOM = 1024;

    /// What a type's elements are in files: bits as unsigned numbers.
    static Format format(ScalarType type) {
        return switch (type) {
            case F16 -> FloatFormat.F16;
            case BF16 -> FloatFormat.BF16;
            case F32 -> FloatFormat.F32;
            case F64 -> FloatFormat.F64;
            case S8 -> IntegerFormat.S8;
            case S16 -> IntegerFormat.S16;
            case S32 -> IntegerFormat.S32;
            case S64 -> IntegerFormat.S64;
            default ->
                    switch (type.bits()) {
                        case 1, 8 -> IntegerFormat.U8;
                        case 16 -> IntegerFormat.U16;
                        case 32 -> IntegerFormat.U32;
                        default -> IntegerFormat.U64;
                    };
        };
    }

    /// The format of a pair's halves, or null where a type is no pair.
    static @Nullable Format half(ScalarType type) {
        return switch (type) {
            case F16X2 -> FloatFormat.F16;
            case BF16X2 -> FloatFormat.BF16;
            case S16X2 -> IntegerFormat.S16;
            case U16X2 -> IntegerFormat.U16;
            default -> null;
        };
    }

    /// Reads what was given.
    ///
    /// @param given by the operand's name: a file, or a number
    /// @param seed for random bits where nothing is given, or null
    static ScalarArrays read(
            ScalarInstruction instruction, Map<String, String> given, @Nullable Long seed) {
        List<String> names =
                instruction.sources().stream()
                        .map(ScalarInstruction.Place::name)
                        .distinct()
                        .toList();
        for (String name : given.keySet()) {
            if (!names.contains(name)) {
                throw new UsageError(
                        "--%s: %s reads %s"
                                .formatted(name, instruction.mnemonic(), String.join(", ", names)));
            }
        }
        Map<String, Tensor> sources = new LinkedHashMap<>();
        boolean halves = false;
        for (ScalarInstruction.Place place : instruction.sources()) {
            String value = given.get(place.name());
            if (value != null) {
                Tensor tensor = tensor(place, value);
                Format half = half(place.type());
                if (half != null && tensor.format() == half && !isNumber(value)) {
                    halves = true;
                    tensor = paired(place, tensor);
                }
                sources.put(place.name(), tensor);
            } else if (seed == null) {
                throw new UsageError(
                        "--%s is missing: %s reads %s"
                                .formatted(
                                        place.name(),
                                        instruction.mnemonic(),
                                        String.join(", ", names)));
            }
        }
        if (seed != null) {
            draw(instruction, sources, seed);
        }
        return new ScalarArrays(sources, shape(instruction, sources), halves);
    }

    /// Random bits for the operands that have none.
    private static void draw(
            ScalarInstruction instruction, Map<String, Tensor> sources, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Integer> drawn = sources.isEmpty() ? List.of(RANDOM) : shape(instruction, sources);
        for (ScalarInstruction.Place place : instruction.sources()) {
            sources.computeIfAbsent(place.name(), _ -> random(place.type(), drawn, random));
        }
    }

    private static boolean isNumber(String value) {
        return value.matches("[-+]?([0-9][0-9a-fA-FxXeE.+-]*|[.][0-9]+.*|inf|nan)")
                && !value.endsWith(".npy")
                && !value.contains(".safetensors");
    }

    private static Tensor tensor(ScalarInstruction.Place place, String value) {
        Format format = format(place.type());
        if (isNumber(value)) {
            return number(place, format, value);
        }
        try {
            Tensor tensor = TensorReference.parse(value).read();
            Format half = half(place.type());
            if (tensor.format() == format || half != null && tensor.format() == half) {
                return tensor;
            }
            boolean bits =
                    tensor.format() instanceof IntegerFormat
                            && (format instanceof FloatFormat || format instanceof IntegerFormat);
            boolean ofBits = place.type().kind() == ScalarType.Kind.BITS;
            if (tensor.format().bits() == format.bits() && (bits || ofBits)) {
                return tensor.reinterpret(format);
            }
            throw new UsageError(
                    "--%s %s holds %s; operand %s is .%s: give %s, or its bits as u%d"
                            .formatted(
                                    place.name(),
                                    value,
                                    tensor.format(),
                                    place.name(),
                                    place.type().keyword(),
                                    format,
                                    format.bits()));
        } catch (TensorFileException | InputException e) {
            throw new UsageError("--%s %s".formatted(place.name(), e.getMessage()));
        }
    }

    private static Tensor number(ScalarInstruction.Place place, Format format, String value) {
        Tensor tensor = Tensor.zeros(format, List.of());
        try {
            boolean plain = !value.matches("[-+]?0[xX].*");
            long code;
            if (format instanceof FloatFormat floating && plain) {
                double number =
                        Double.parseDouble(
                                value.replace("inf", "Infinity").replaceFirst("nan$", "NaN"));
                code = floating.encode(number, Rounding.NEAREST_EVEN, Overflow.IEEE);
            } else {
                code =
                        plain
                                ? Long.parseLong(value)
                                : Long.parseUnsignedLong(value.substring(2), 16);
            }
            tensor.codes().set(0, code);
            return tensor;
        } catch (NumberFormatException e) {
            throw new UsageError(
                    "--%s %s: expected a file, a number, or bits as 0x3f800000"
                            .formatted(place.name(), value));
        }
    }

    private static Tensor paired(ScalarInstruction.Place place, Tensor halves) {
        List<Integer> shape = new ArrayList<>(halves.shape());
        if (shape.isEmpty() || shape.getLast() % 2 != 0) {
            throw new UsageError(
                    "--%s: .%s takes halves in pairs, so the last dimension must be even; found %s"
                            .formatted(place.name(), place.type().keyword(), halves));
        }
        shape.set(shape.size() - 1, shape.getLast() / 2);
        return new Tensor(
                shape,
                Codes.wrap(format(place.type()), Tensor.elements(shape), halves.codes().bytes()));
    }

    private static Tensor random(ScalarType type, List<Integer> shape, SplittableRandom random) {
        Tensor tensor = Tensor.zeros(format(type), shape);
        for (long i = 0; i < tensor.codes().length(); i++) {
            tensor.codes().set(i, type == ScalarType.PRED ? random.nextInt(2) : random.nextLong());
        }
        return tensor;
    }

    private static List<Integer> shape(ScalarInstruction instruction, Map<String, Tensor> sources) {
        List<Integer> shape = List.of();
        String first = "";
        for (ScalarInstruction.Place place : instruction.sources()) {
            Tensor tensor = sources.get(place.name());
            if (tensor == null) {
                continue;
            }
            if (Tensor.elements(tensor.shape()) == 1) {
                // Where all have one element, the result has the shape of one of them.
                shape = shape.isEmpty() ? tensor.shape() : shape;
                continue;
            }
            if (!first.isEmpty() && !shape.equals(tensor.shape())) {
                throw new UsageError(
                        "--%s is %s and --%s %s: shapes must be the same, or one element"
                                .formatted(first, shape, place.name(), tensor.shape()));
            }
            first = place.name();
            shape = tensor.shape();
        }
        return shape;
    }

    int count() {
        return Math.toIntExact(Tensor.elements(shape));
    }

    /// The sources of one element for all.
    Set<String> scalars() {
        Set<String> scalars = new LinkedHashSet<>();
        sources.forEach(
                (name, tensor) -> {
                    if (Tensor.elements(tensor.shape()) == 1) {
                        scalars.add(name);
                    }
                });
        return scalars;
    }

    /// The code of an operand of one element.
    long code(String name, int index) {
        Tensor tensor = sources.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException(name);
        }
        return tensor.bits(Tensor.elements(tensor.shape()) == 1 ? 0 : index);
    }

    /// The result as a tensor: pairs as halves where the operands came so.
    Tensor result(ScalarType type, byte[] bytes) {
        Format half = half(type);
        if (half == null || !halves) {
            return new Tensor(shape, Codes.wrap(format(type), count(), bytes));
        }
        List<Integer> doubled = new ArrayList<>(shape);
        doubled.set(doubled.size() - 1, doubled.getLast() * 2);
        return new Tensor(doubled, Codes.wrap(half, 2L * count(), bytes));
    }
}
