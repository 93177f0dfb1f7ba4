package dev.heddle.explorer.code;

import dev.heddle.layout.Axis;
import dev.heddle.layout.BitLayout;
import dev.heddle.layout.BitLayout.Wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A layout from (thread, value) to one index in CuTe's notation, `Layout<Shape<...>,
/// Stride<...>>`: each coordinate is split into digits, low to high, and each digit has a stride.
///
/// @param threads the digits of the thread
/// @param values  the digits of the value
record CuteLayout(List<Digit> threads, List<Digit> values) {

    /// @param extent how many values it takes
    /// @param stride how far one step goes; 0 where the thread does not matter
    record Digit(int extent, int stride) {}

    /// The layout of an operand.
    ///
    /// @param layout  from lanes to where elements are
    /// @param lanes   the bits of the lane that count, in order; of a warpgroup 5 and 6 are the
    ///     warp
    /// @param value   the axis that counts what a lane holds
    /// @param strides how far one step of each coordinate goes in the index
    static CuteLayout of(
            BitLayout layout, List<Integer> lanes, Axis value, Map<Axis, Integer> strides) {
        List<Digit> threads = new ArrayList<>();
        for (int bit : lanes) {
            boolean warp = bit >= 5;
            append(
                    threads,
                    2,
                    stride(layout, warp ? Axis.WARP : Axis.LANE, warp ? bit - 5 : bit, strides));
        }
        List<Digit> values = new ArrayList<>();
        int extent = layout.extent(value);
        for (int bit = 0; 1 << bit < extent; bit++) {
            append(values, 2, stride(layout, value, bit, strides));
        }
        return new CuteLayout(threads, cut(values, extent));
    }

    /// A bit more: part of the last digit if it goes on where that ends.
    private static void append(List<Digit> digits, int extent, int stride) {
        if (!digits.isEmpty()) {
            Digit last = digits.getLast();
            if (stride == last.extent * last.stride) {
                digits.set(digits.size() - 1, new Digit(last.extent * extent, last.stride));
                return;
            }
        }
        digits.add(new Digit(extent, stride));
    }

    /// The highest digit shortened, so that there are that many values in all.
    private static List<Digit> cut(List<Digit> digits, int extent) {
        if (digits.isEmpty()) {
            return List.of(new Digit(1, 0));
        }
        int lower = 1;
        for (Digit digit : digits.subList(0, digits.size() - 1)) {
            lower *= digit.extent;
        }
        digits.set(digits.size() - 1, new Digit(extent / lower, digits.getLast().stride));
        return digits;
    }

    private static int stride(BitLayout layout, Axis from, int bit, Map<Axis, Integer> strides) {
        for (Wire wire : layout.wires()) {
            if (wire.from() == from && wire.fromBit() == bit) {
                return strides.getOrDefault(wire.to(), 0) << wire.toBit();
            }
        }
        return 0;
    }

    /// The index of a thread's value.
    int apply(int thread, int value) {
        return index(threads, thread) + index(values, value);
    }

    private static int index(List<Digit> digits, int coordinate) {
        int rest = coordinate;
        int index = 0;
        for (Digit digit : digits) {
            index += rest % digit.extent * digit.stride;
            rest /= digit.extent;
        }
        return index;
    }

    /// Two lines, strides below what they belong to.
    ///
    /// @param indent spaces before the second
    String text(int indent) {
        List<String> extents = new ArrayList<>();
        List<String> steps = new ArrayList<>();
        for (List<Digit> mode : List.of(threads, values)) {
            List<String> upper = mode.stream().map(digit -> number(digit.extent)).toList();
            List<String> lower = mode.stream().map(digit -> number(digit.stride)).toList();
            extents.add(mode("Shape ", aligned(upper, lower)));
            steps.add(mode("Stride", aligned(lower, upper)));
        }
        return "Layout<Shape <%s>,\n%sStride<%s>>"
                .formatted(
                        String.join(", ", extents),
                        " ".repeat(indent + "Layout<".length()),
                        String.join(", ", steps));
    }

    private static String mode(String word, List<String> numbers) {
        return numbers.size() == 1
                ? numbers.getFirst()
                : numbers.stream().collect(Collectors.joining(", ", word + "<", ">"));
    }

    private static List<String> aligned(List<String> these, List<String> those) {
        List<String> padded = new ArrayList<>();
        for (int i = 0; i < these.size(); i++) {
            int width = Math.max(these.get(i).length(), those.get(i).length());
            padded.add(" ".repeat(width - these.get(i).length()) + these.get(i));
        }
        return padded;
    }

    /// `_8`, or `Int<1536>` where CuTe may have no name for it.
    static String number(int value) {
        boolean power = Integer.bitCount(value) <= 1 && value <= 512;
        return power || value <= 256 && value % 8 == 0 ? "_" + value : "Int<" + value + ">";
    }
}
