package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/// The words of a line of [Listing]: registers, constants, places in memory, lists of them.
final class OperandText {
    private OperandText() {}

    static String assign(Object what, List<?> operands, Register target) {
        return assign(what, operands, List.of(target));
    }

    static String assign(Object what, List<?> operands, List<? extends @Nullable Object> to) {
        String targets = to.stream().map(OperandText::word).collect(Collectors.joining(", "));
        String read =
                operands.stream()
                        .map(OperandText::word)
                        .filter(each -> !each.isEmpty())
                        .collect(Collectors.joining(", "));
        return (targets.isEmpty() ? "" : targets + " = ")
                + what
                + (read.isEmpty() ? "" : " " + read);
    }

    static String words(List<?> all) {
        return all.stream().map(OperandText::word).collect(Collectors.joining(", "));
    }

    static String vector(List<? extends Source> all) {
        return "{" + words(all) + "}";
    }

    static List<?> sources(@Nullable Object... all) {
        return Arrays.stream(all).filter(Objects::nonNull).toList();
    }

    static String reduction(@Nullable AtomicOperator operator) {
        return operator == null ? "" : "." + word(operator);
    }

    @SafeVarargs
    static <T> List<T> optional(@Nullable T... all) {
        return Arrays.stream(all).filter(Objects::nonNull).toList();
    }

    static List<String> places(Source base, long offset) {
        return List.of(place(base, offset));
    }

    static List<String> places(Source base, long offset, List<? extends Source> others) {
        List<String> all = new ArrayList<>(places(base, offset));
        others.forEach(other -> all.add(word(other)));
        return all;
    }

    static String place(Source base, long offset) {
        String from = word(base);
        return "["
                + (offset == 0 ? from : from + (offset < 0 ? "-" : "+") + Math.abs(offset))
                + "]";
    }

    static String access(Access access) {
        return (access.isStrong() ? "." + word(access.order()) + "." + word(access.scope()) : "")
                + "."
                + word(access.space())
                + (access.signed() ? ".s" : ".b")
                + 8 * access.bytes();
    }

    static String word(@Nullable Object thing) {
        return switch (thing) {
            case null -> "_";
            case SpecialRegister special ->
                    special.name()
                            .toLowerCase(Locale.ROOT)
                            .replace("_x", ".x")
                            .replace("_y", ".y")
                            .replace("_z", ".z");
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
            case Source.Constant(Width width, long bits) ->
                    switch (width) {
                        case PREDICATE -> bits != 0 ? "true" : "false";
                        case WORD -> Integer.toString((int) bits);
                        case LONG -> bits + "L";
                    };
            case Step.Place at ->
                    place(at.base(), at.offset()).replace("[", "[" + word(at.space()) + " ");
            case Source.FrameAddress(long at) -> "frame+" + at;
            default -> thing.toString();
        };
    }
}
