package dev.heddle.layout;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/// A layout in which every bit of every output coordinate is one bit of an input coordinate.
///
/// A fragment is such a layout from (lane, element) to (row, column): the bits of the lane and of
/// the element are *dealt*, low to high, to the bits of the row and of the column. The layout
/// prints as it is meant:
///
/// ```
/// row = element1 lane4 lane3 lane2; column = element2 lane1 lane0 element0
/// ```
///
/// and [#parse] reads the same line back. Being a bijection between equally many bits, it has an
/// [#inverse]. Extents need not be powers of two: the highest dealt field of an axis may be cut
/// short (wgmma's N is any multiple of 8), as long as it is the highest on both sides.
public final class BitLayout {
    /// The layout without axes, to deal on.
    public static final BitLayout EMPTY =
            new BitLayout(List.of(), new EnumMap<>(Axis.class), new EnumMap<>(Axis.class));

    /// Bit `fromBit` of axis `from` is bit `toBit` of axis `to`.
    public record Wire(Axis from, int fromBit, Axis to, int toBit) {
        Wire reversed() {
            return new Wire(to, toBit, from, fromBit);
        }
    }

    private final List<Wire> wires;
    private final Map<Axis, Integer> inputs;
    private final Map<Axis, Integer> outputs;

    /// Derived when first asked for; a race computes it twice, to the same effect.
    private @Nullable BitLayout inverse;

    private BitLayout(List<Wire> wires, Map<Axis, Integer> inputs, Map<Axis, Integer> outputs) {
        this.wires = List.copyOf(wires);
        this.inputs = inputs;
        this.outputs = outputs;
    }

    /// Deals the next `extent` values of input axis `from` to the next of output axis `to`.
    ///
    /// @param extent how many values; a power of two, unless this is the last deal of both axes
    public BitLayout deal(int extent, Axis from, Axis to) {
        if (extent == 1) {
            return this;
        }
        int fromBit = usedBits(inputs, from);
        int toBit = usedBits(outputs, to);
        List<Wire> more = new ArrayList<>(wires);
        for (int bit = 0; bit < bitsFor(extent); bit++) {
            more.add(new Wire(from, fromBit + bit, to, toBit + bit));
        }
        return new BitLayout(more, grown(inputs, from, extent), grown(outputs, to, extent));
    }

    /// The same layout with every axis renamed by swapping `one` and `other`; the layout of B from
    /// that of a matrix held like A.
    public BitLayout swapped(Axis one, Axis other) {
        List<Wire> renamed = new ArrayList<>();
        for (Wire wire : wires) {
            renamed.add(
                    new Wire(
                            swap(wire.from, one, other),
                            wire.fromBit,
                            swap(wire.to, one, other),
                            wire.toBit));
        }
        return new BitLayout(renamed, swapKeys(inputs, one, other), swapKeys(outputs, one, other));
    }

    /// Reads the notation that [#toString] prints. All extents are powers of two.
    ///
    /// @throws IllegalArgumentException if a term is no axis with a bit number
    public static BitLayout parse(String notation) {
        List<Wire> wires = new ArrayList<>();
        EnumMap<Axis, Integer> inputs = new EnumMap<>(Axis.class);
        EnumMap<Axis, Integer> outputs = new EnumMap<>(Axis.class);
        for (String equation : notation.split(";", -1)) {
            String[] sides = equation.split("=", -1);
            if (sides.length != 2) {
                throw new IllegalArgumentException(
                        "\""
                                + equation.strip()
                                + "\": expected an equation such as \"row = lane4 lane3\"");
            }
            Axis to = axis(sides[0].strip());
            String[] terms = sides[1].strip().split("\\s+", -1);
            for (int i = 0; i < terms.length; i++) {
                int digits = digitsAt(terms[i]);
                Axis from = axis(terms[i].substring(0, digits));
                int fromBit = Integer.parseInt(terms[i].substring(digits));
                wires.add(new Wire(from, fromBit, to, terms.length - 1 - i));
                inputs.merge(from, 1 << (fromBit + 1), Math::max);
            }
            outputs.put(to, 1 << terms.length);
        }
        return new BitLayout(wires, inputs, outputs);
    }

    /// Where the holder `in` points: the output coordinates of the input coordinates.
    public Point apply(Point in) {
        int[] out = new int[Axis.values().length];
        for (Wire wire : wires) {
            out[wire.to.ordinal()] |= (in.get(wire.from) >> wire.fromBit & 1) << wire.toBit;
        }
        return Point.of(out);
    }

    /// The layout that leads back: `inverse().apply(apply(p))` is `p`.
    public BitLayout inverse() {
        BitLayout known = inverse;
        if (known == null) {
            known = new BitLayout(wires.stream().map(Wire::reversed).toList(), outputs, inputs);
            inverse = known;
        }
        return known;
    }

    /// How many values `axis` takes, as an input or as an output; 1 if this layout does not have
    /// it.
    public int extent(Axis axis) {
        return inputs.getOrDefault(axis, outputs.getOrDefault(axis, 1));
    }

    /// Visits every input point, the axis declared last by [Axis] varying fastest.
    public void forEachInput(Consumer<Point> visitor) {
        visit(List.copyOf(inputs.keySet()), 0, Point.ORIGIN, visitor);
    }

    /// The wires, in the order they were dealt.
    public List<Wire> wires() {
        return wires;
    }

    private void visit(List<Axis> axes, int depth, Point point, Consumer<Point> visitor) {
        if (depth == axes.size()) {
            visitor.accept(point);
            return;
        }
        Axis axis = axes.get(depth);
        for (int value = 0; value < extent(axis); value++) {
            visit(axes, depth + 1, point.with(axis, value), visitor);
        }
    }

    /// Whether the other is the same map between axes of the same extents, however it was dealt.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BitLayout layout
                && inputs.equals(layout.inputs)
                && outputs.equals(layout.outputs)
                && Set.copyOf(wires).equals(Set.copyOf(layout.wires));
    }

    @Override
    public int hashCode() {
        return Objects.hash(inputs, outputs, Set.copyOf(wires));
    }

    /// `row = element1 lane4 lane3 lane2; column = element2 lane1 lane0 element0`: the bits of each
    /// output, the highest first.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Axis to : outputs.keySet()) {
            text.append(text.isEmpty() ? "" : "; ").append(to.word()).append(" =");
            wires.stream()
                    .filter(wire -> wire.to == to)
                    .sorted((a, b) -> b.toBit - a.toBit)
                    .forEach(
                            wire -> text.append(' ').append(wire.from.word()).append(wire.fromBit));
        }
        return text.toString();
    }

    private static EnumMap<Axis, Integer> grown(Map<Axis, Integer> extents, Axis axis, int factor) {
        EnumMap<Axis, Integer> copy = new EnumMap<>(Axis.class);
        copy.putAll(extents);
        copy.merge(axis, factor, (old, more) -> old * more);
        return copy;
    }

    private static int usedBits(Map<Axis, Integer> extents, Axis axis) {
        int extent = extents.getOrDefault(axis, 1);
        if (Integer.bitCount(extent) != 1) {
            throw new IllegalStateException(
                    "axis "
                            + axis.word()
                            + " has extent "
                            + extent
                            + ": nothing can be dealt above a cut field");
        }
        return Integer.numberOfTrailingZeros(extent);
    }

    private static int bitsFor(int extent) {
        return 32 - Integer.numberOfLeadingZeros(extent - 1);
    }

    private static Axis axis(String word) {
        for (Axis axis : Axis.values()) {
            if (axis.word().equals(word)) {
                return axis;
            }
        }
        throw new IllegalArgumentException("\"" + word + "\" is no axis");
    }

    private static int digitsAt(String term) {
        int at = 0;
        while (at < term.length() && !Character.isDigit(term.charAt(at))) {
            at++;
        }
        if (at == term.length()) {
            throw new IllegalArgumentException(
                    "\"" + term + "\": expected an axis with a bit number, such as lane2");
        }
        return at;
    }

    private static Axis swap(Axis axis, Axis one, Axis other) {
        return axis == one ? other : axis == other ? one : axis;
    }

    private static EnumMap<Axis, Integer> swapKeys(
            Map<Axis, Integer> extents, Axis one, Axis other) {
        EnumMap<Axis, Integer> renamed = new EnumMap<>(Axis.class);
        extents.forEach((axis, extent) -> renamed.put(swap(axis, one, other), extent));
        return renamed;
    }
}
