package dev.heddle.vm.launch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/// What a buffer should hold after a launch.
///
/// @param buffer its name
/// @param file that holds the expected elements
/// @param format of the elements: `f32`, `s8` and so on
/// @param tolerance how they are compared
/// @param bound in ulps or as a fraction of the expected value; 0 for an exact comparison
public record Expectation(
        String buffer, String file, String format, Tolerance tolerance, double bound) {

    /// How elements are compared.
    public enum Tolerance {
        /// Bit for bit.
        EXACT,
        /// Representable values apart.
        ULPS,
        /// Relative to the expected value.
        RELATIVE
    }

    /// How a comparison came out.
    ///
    /// @param elements compared
    /// @param equal with equal bits
    /// @param wrong beyond the tolerance
    /// @param first the first wrong element, or -1
    /// @param furthest the largest distance seen, in the tolerance's unit
    public record Agreement(long elements, long equal, long wrong, long first, double furthest) {
        /// Whether all elements are within the tolerance.
        public boolean holds() {
            return wrong == 0;
        }

        @Override
        public String toString() {
            return wrong == 0
                    ? "%d elements, %d with equal bits".formatted(elements, equal)
                    : String.format(
                            Locale.ROOT,
                            "%d elements, %d with equal bits, %d wrong, first at %d, furthest %g",
                            elements,
                            equal,
                            wrong,
                            first,
                            furthest);
        }
    }

    /// Compares what a launch left with what it should have.
    ///
    /// @throws IllegalArgumentException where the sizes differ
    public Agreement compare(byte[] got, byte[] expected) {
        if (got.length != expected.length) {
            throw new IllegalArgumentException(
                    "buffer %s has %d bytes, %s %d"
                            .formatted(buffer, got.length, file, expected.length));
        }
        int width = bytesOf(format);
        ByteBuffer a = ByteBuffer.wrap(got).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer b = ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN);
        long equal = 0;
        long wrong = 0;
        long first = -1;
        double furthest = 0;
        int elements = got.length / width;
        for (int i = 0; i < elements; i++) {
            long x = bits(a, i, width);
            long y = bits(b, i, width);
            if (x == y) {
                equal++;
                continue;
            }
            double distance =
                    switch (tolerance) {
                        case EXACT -> Double.POSITIVE_INFINITY;
                        case ULPS -> Math.abs((double) rank(x, width) - rank(y, width));
                        case RELATIVE -> {
                            double wanted = value(y);
                            yield Math.abs(value(x) - wanted) / Math.abs(wanted);
                        }
                    };
            furthest = Math.max(furthest, distance);
            if (!(distance <= bound)) {
                first = wrong++ == 0 ? i : first;
            }
        }
        return new Agreement(elements, equal, wrong, first, furthest);
    }

    private static int bytesOf(String format) {
        return switch (format) {
            case "f64", "s64", "u64", "b64" -> 8;
            case "f16", "bf16", "s16", "u16", "b16" -> 2;
            case "s8", "u8", "b8", "e4m3", "e5m2" -> 1;
            default -> 4;
        };
    }

    private static long bits(ByteBuffer bytes, int index, int width) {
        return switch (width) {
            case 1 -> bytes.get(index);
            case 2 -> bytes.getShort(2 * index);
            case 4 -> bytes.getInt(4 * index);
            default -> bytes.getLong(8 * index);
        };
    }

    /// Bits of a float in the order of their values.
    private static long rank(long bits, int width) {
        long magnitude = bits & (1L << 8 * width - 1) - 1;
        return bits < 0 ? -magnitude : magnitude;
    }

    private double value(long bits) {
        return switch (format) {
            case "f64" -> Double.longBitsToDouble(bits);
            case "f32" -> Float.intBitsToFloat((int) bits);
            case "f16" -> Float.float16ToFloat((short) bits);
            case "bf16" -> Float.intBitsToFloat((int) bits << 16);
            default -> bits;
        };
    }
}
