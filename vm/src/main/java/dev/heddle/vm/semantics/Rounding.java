package dev.heddle.vm.semantics;

/// A rounding direction of PTX (PTX ISA 6.5.2): `.rn .rz .rm .rp`, and `.rna` of some
/// conversions.
public enum Rounding {
    /// `.rn`: to nearest, ties to even.
    NEAREST_EVEN,
    /// `.rz`: toward zero.
    ZERO,
    /// `.rm`: toward negative infinity.
    DOWN,
    /// `.rp`: toward positive infinity.
    UP,
    /// `.rna`: to nearest, ties away from zero.
    NEAREST_AWAY;

    /// A finite value rounded to an integral one.
    double toIntegral(double value) {
        return switch (this) {
            case NEAREST_EVEN -> Math.rint(value);
            case ZERO -> Math.copySign(Math.floor(Math.abs(value)), value);
            case DOWN -> Math.floor(value);
            case UP -> Math.ceil(value);
            case NEAREST_AWAY -> {
                double below = Math.floor(Math.abs(value));
                yield Math.copySign(Math.abs(value) - below >= 0.5 ? below + 1 : below, value);
            }
        };
    }

    /// Whether a magnitude beyond the largest finite one becomes infinite.
    boolean overflowsToInfinity(boolean negative) {
        return switch (this) {
            case NEAREST_EVEN, NEAREST_AWAY -> true;
            case ZERO -> false;
            case DOWN -> negative;
            case UP -> !negative;
        };
    }
}
