package dev.heddle.vm.launch;

import dev.heddle.formats.Format;

/// How near a result must come to what is expected.
public sealed interface Tolerance {
    /// Bit for bit.
    record Exact() implements Tolerance {}

    /// So many representable values apart, at most.
    record Ulps(double most) implements Tolerance {}

    /// Apart by `absolute` and the fraction `relative` of the expected value, at most.
    record Near(double relative, double absolute) implements Tolerance {}

    /// How two buffers of one size compare.
    default Agreement compare(BufferType type, byte[] got, byte[] expected) {
        Format format = type.format();
        return switch (this) {
            case Exact() -> Agreement.ofBits(type, got, expected);
            case Ulps(double most) ->
                    Agreement.of(
                            type,
                            got,
                            expected,
                            most,
                            (x, y) ->
                                    Math.abs((double) rank(format, x) - (double) rank(format, y)));
            case Near(double relative, double absolute) when absolute == 0 ->
                    Agreement.of(
                            type,
                            got,
                            expected,
                            relative,
                            (x, y) -> apart(format, x, y) / Math.abs(format.toDouble(y)));
            case Near(double relative, double absolute) ->
                    Agreement.of(
                            type,
                            got,
                            expected,
                            absolute,
                            (x, y) ->
                                    Math.max(
                                            0,
                                            apart(format, x, y)
                                                    - relative * Math.abs(format.toDouble(y))));
        };
    }

    private static double apart(Format format, long x, long y) {
        return Math.abs(format.toDouble(x) - format.toDouble(y));
    }

    /// Codes of a float in the order of their values, counted from zero.
    private static long rank(Format format, long code) {
        long sign = 1L << format.bits() - 1;
        long magnitude = code & sign - 1;
        return (code & sign) != 0 ? -magnitude : magnitude;
    }
}
