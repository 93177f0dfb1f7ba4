package dev.heddle.vm.launch;

/// What a buffer should hold after a launch.
///
/// @param buffer its name
/// @param file that holds the expected elements
/// @param type of its elements
/// @param tolerance how they are compared
/// @param bound in ulps or as a fraction of the expected value; 0 for an exact comparison
public record Expectation(
        String buffer, String file, BufferType type, Tolerance tolerance, double bound) {

    /// How elements are compared.
    public enum Tolerance {
        /// Bit for bit.
        EXACT,
        /// Representable values apart.
        ULPS,
        /// Relative to the expected value.
        RELATIVE
    }

    /// The same within a tolerance.
    public Expectation within(Tolerance unit, double most) {
        return new Expectation(buffer, file, type, unit, most);
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
        return switch (tolerance) {
            case EXACT -> Agreement.ofBits(type, got, expected);
            case ULPS ->
                    Agreement.of(
                            type,
                            got,
                            expected,
                            bound,
                            (x, y) -> Math.abs((double) rank(x) - rank(y)));
            case RELATIVE ->
                    Agreement.of(
                            type,
                            got,
                            expected,
                            bound,
                            (x, y) -> {
                                double wanted = type.format().toDouble(y);
                                return Math.abs(type.format().toDouble(x) - wanted)
                                        / Math.abs(wanted);
                            });
        };
    }

    /// Codes of a float in the order of their values, counted from zero.
    private long rank(long code) {
        long sign = 1L << type.format().bits() - 1;
        long magnitude = code & sign - 1;
        return (code & sign) != 0 ? -magnitude : magnitude;
    }
}
