package dev.heddle.formats;

/// How a value between two codes is rounded: the rounding modifiers of PTX ISA 6.5.2.
///
/// The integer modifiers `.rni .rzi .rmi .rpi` are the same directions. `.rs` is missing: it takes
/// random bits as an operand, at positions that the manual gives in figures for each destination,
/// so it belongs to `cvt` and not to the format.
public enum Rounding {
    /// To the nearest; of two equally near, the even code.
    NEAREST_EVEN("rn"),
    /// To the nearest; of two equally near, the one away from zero.
    NEAREST_AWAY("rna"),
    /// Toward zero.
    TOWARD_ZERO("rz"),
    /// Toward negative infinity.
    DOWN("rm"),
    /// Toward positive infinity.
    UP("rp");

    private final String ptxName;

    Rounding(String ptxName) {
        this.ptxName = ptxName;
    }

    /// The modifier without the dot: `rn`.
    public String ptxName() {
        return ptxName;
    }

    /// Whether a magnitude that lies between `q` and `q + 1` becomes `q + 1`.
    ///
    /// @param negative the sign of the value
    /// @param odd whether `q` is odd
    /// @param position the part beyond `q`: negative below one half, zero at one half, positive
    ///     above
    boolean away(boolean negative, boolean odd, int position) {
        return switch (this) {
            case NEAREST_EVEN -> position > 0 || (position == 0 && odd);
            case NEAREST_AWAY -> position >= 0;
            case TOWARD_ZERO -> false;
            case DOWN -> negative;
            case UP -> !negative;
        };
    }

    /// Whether a significand that loses its low bits becomes one more than what is left of it.
    ///
    /// @param negative the sign of the value
    /// @param odd whether what is left is odd
    /// @param significand unsigned
    /// @param shift how many bits are lost, at least one
    boolean away(boolean negative, boolean odd, long significand, long shift) {
        if (shift > 64) {
            return significand != 0 && away(negative, odd, -1);
        }
        long lost = shift == 64 ? significand : significand & ((1L << shift) - 1);
        return lost != 0 && away(negative, odd, Long.compareUnsigned(lost, 1L << (shift - 1)));
    }

    /// Whether a magnitude beyond the largest finite one becomes infinite.
    public boolean overflowsToInfinity(boolean negative) {
        return switch (this) {
            case NEAREST_EVEN, NEAREST_AWAY -> true;
            case TOWARD_ZERO -> false;
            case DOWN -> negative;
            case UP -> !negative;
        };
    }
}
