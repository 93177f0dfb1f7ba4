package dev.heddle.vm.launch;

import dev.heddle.formats.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;

/// How two buffers compare.
///
/// @param type of both
/// @param elements compared
/// @param equal with equal bits
/// @param wrong beyond the tolerance
/// @param furthest the largest distance seen, in the tolerance's unit; 0 where only bits count
/// @param first the first wrong elements, ten at most
public record Agreement(
        BufferType type,
        long elements,
        long equal,
        long wrong,
        double furthest,
        List<Difference> first) {
    private static final int SHOWN = 10;

    public Agreement {
        first = List.copyOf(first);
    }

    /// An element that differs.
    ///
    /// @param index in the buffer
    /// @param got its bits
    /// @param expected the bits it should have
    public record Difference(long index, long got, long expected) {}

    /// Compares element by element.
    ///
    /// @param distance how far apart two codes are that are not equal; NaN for beyond any bound
    static Agreement of(
            BufferType type,
            byte[] got,
            byte[] expected,
            double bound,
            ToDoubleBiFunction<Long, Long> distance) {
        Tensor a = type.tensor(got);
        Tensor b = type.tensor(expected);
        long elements = a.codes().length();
        long equal = 0;
        long wrong = 0;
        double furthest = 0;
        List<Difference> first = new ArrayList<>();
        for (long i = 0; i < elements; i++) {
            long x = a.bits(i);
            long y = b.bits(i);
            if (x == y) {
                equal++;
                continue;
            }
            double apart = distance.applyAsDouble(x, y);
            furthest = Math.max(furthest, apart);
            if (!(apart <= bound)) {
                wrong++;
                if (first.size() < SHOWN) {
                    first.add(new Difference(i, x, y));
                }
            }
        }
        return new Agreement(type, elements, equal, wrong, furthest, first);
    }

    /// Compares bits.
    ///
    /// @throws IllegalArgumentException where the sizes differ
    public static Agreement ofBits(BufferType type, byte[] got, byte[] expected) {
        return of(type, got, expected, 0, (x, y) -> Double.NaN);
    }

    /// Whether all elements are within the tolerance.
    public boolean holds() {
        return wrong == 0;
    }

    /// The first wrong elements, one a line.
    ///
    /// @param gotName who computed the first
    /// @param expectedName where the second comes from
    public List<String> lines(String gotName, String expectedName) {
        List<String> lines = new ArrayList<>();
        for (var one : first) {
            String got = gotName + " " + type.describe(one.got());
            String expected = expectedName + " " + type.describe(one.expected());
            lines.add("%s: %s, %s".formatted(type.place(one.index()), got, expected));
        }
        return lines;
    }

    @Override
    public String toString() {
        // Not by format strings: the first %d of a process reads all there is on locales.
        String counts = elements + " elements, " + equal + " with equal bits";
        if (wrong > 0) {
            counts += ", " + wrong + " wrong";
        }
        return furthest == 0 || !Double.isFinite(furthest)
                ? counts
                : counts + String.format(Locale.ROOT, ", furthest %.3g", furthest);
    }
}
