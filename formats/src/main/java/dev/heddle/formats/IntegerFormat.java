package dev.heddle.formats;

import java.math.BigInteger;
import java.util.Locale;

/// A binary integer format: two's complement or unsigned. `b1` is the single bit of the binary
/// forms of `mma`.
///
/// PTX ISA 5.2.1 and 9.7.14.2.
public enum IntegerFormat implements Format {
    S64(64),
    U64(64),
    S32(32),
    U32(32),
    S16(16),
    U16(16),
    S8(8),
    U8(8),
    S4(4),
    U4(4),
    B1(1);

    private final String ptxName;
    private final int bits;
    private final boolean signed;

    IntegerFormat(int bits) {
        this.ptxName = name().toLowerCase(Locale.ROOT);
        this.bits = bits;
        this.signed = ptxName.startsWith("s");
    }

    @Override
    public String ptxName() {
        return ptxName;
    }

    @Override
    public int bits() {
        return bits;
    }

    public boolean signed() {
        return signed;
    }

    /// The smallest value.
    public BigInteger min() {
        return signed ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
    }

    /// The largest value.
    public BigInteger max() {
        return BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
    }

    /// The value of a code: sign-extended or zero-extended. A u64 above the range of `long` comes
    /// out as its bits.
    public long toLong(long code) {
        int unused = Long.SIZE - bits;
        return signed ? code << unused >> unused : code << unused >>> unused;
    }

    /// The low bits of a value: what an operation that wraps around leaves.
    public long wrap(long value) {
        return value & mask();
    }

    /// The code of the value in range that is nearest: what an operation that saturates leaves.
    public long clamp(long value) {
        if (!signed && value < 0) {
            return 0;
        }
        if (bits == Long.SIZE) {
            return value;
        }
        long max = (1L << (signed ? bits - 1 : bits)) - 1;
        long min = signed ? -max - 1 : 0;
        return wrap(Math.clamp(value, min, max));
    }

    /// The code of the value in range that is nearest.
    public long clamp(BigInteger value) {
        return value.max(min()).min(max()).longValue() & mask();
    }

    @Override
    public Value value(long code) {
        long value = toLong(code);
        return this == U64 && value < 0
                ? new Value.Finite(false, new BigInteger(Long.toUnsignedString(value)), 0)
                : Value.of(value);
    }

    @Override
    public double toDouble(long code) {
        long value = toLong(code);
        return this == U64 && value < 0
                // Halved with a sticky last bit, so that the one rounding sees what was shifted out
                ? (double) ((value >>> 1) | (value & 1)) * 2
                : value;
    }

    @Override
    public long encode(Value value, Rounding rounding, Overflow overflow) {
        return switch (value) {
            case Value.NaN _ ->
                    throw new InputException("NaN has no code in " + this + ": an integer format");
            case Value.Infinity(boolean negative) -> clamp(negative ? min() : max());
            case Value.Finite finite -> clamp(integral(finite, rounding));
        };
    }

    /// The code of a `double`, rounded to an integer and clamped.
    ///
    /// @throws InputException if it is NaN
    public long encode(double value, Rounding rounding) {
        if (Double.isNaN(value)) {
            throw new InputException("NaN has no code in " + this + ": an integer format");
        }
        double integer =
                switch (rounding) {
                    case NEAREST_EVEN -> Math.rint(value);
                    case NEAREST_AWAY -> awayFromZero(value);
                    case TOWARD_ZERO -> value < 0 ? Math.ceil(value) : Math.floor(value);
                    case DOWN -> Math.floor(value);
                    case UP -> Math.ceil(value);
                };
        if (this == U64 && integer >= 0x1p63) {
            return integer >= 0x1p64 ? -1 : (long) (integer - 0x1p63) | Long.MIN_VALUE;
        }
        return clamp((long) integer);
    }

    private static double awayFromZero(double value) {
        double magnitude = Math.abs(value);
        double below = Math.floor(magnitude);
        // Exact, unlike floor(magnitude + 0.5) just below a half
        return Math.copySign(magnitude - below >= 0.5 ? below + 1 : below, value);
    }

    private static BigInteger integral(Value.Finite value, Rounding rounding) {
        BigInteger magnitude = value.significand();
        int exponent = value.exponent();
        if (exponent >= 0) {
            magnitude = magnitude.shiftLeft(exponent);
        } else {
            BigInteger half = BigInteger.ONE.shiftLeft(-exponent - 1);
            BigInteger[] parts = magnitude.divideAndRemainder(half.shiftLeft(1));
            boolean odd = parts[0].testBit(0);
            magnitude =
                    rounding.away(value.negative(), odd, parts[1].compareTo(half))
                            ? parts[0].add(BigInteger.ONE)
                            : parts[0];
        }
        return value.negative() ? magnitude.negate() : magnitude;
    }

    /// The spelling in an opcode: `.s8`.
    @Override
    public String toString() {
        // Not +, which links a call site at start-up
        return ".".concat(ptxName);
    }
}
