package dev.heddle.formats;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/// A format of at most 16 bits as PTX ISA 5.2.1 and 5.2.3 define it, in integers: the values of all
/// its codes as multiples of `2^-SCALE`. Shares nothing with the code under test.
///
/// @param infinity the magnitude code of infinity, or -1
/// @param firstNaN the smallest magnitude code of a NaN, or -1
record Definition(
        FloatFormat format,
        boolean signed,
        int exponentBits,
        int fractionBits,
        int bias,
        int infinity,
        int firstNaN) {

    /// More than the places of the smallest bf16 (133) with enough beyond to stand close to a tie.
    static final int SCALE = 180;

    static final List<Definition> ALL =
            List.of(
                    new Definition(FloatFormat.F16, true, 5, 10, 15, 0x7C00, 0x7C01),
                    new Definition(FloatFormat.BF16, true, 8, 7, 127, 0x7F80, 0x7F81),
                    new Definition(FloatFormat.E5M2, true, 5, 2, 15, 0x7C, 0x7D),
                    new Definition(FloatFormat.E4M3, true, 4, 3, 7, -1, 0x7F),
                    new Definition(FloatFormat.E3M2, true, 3, 2, 3, -1, -1),
                    new Definition(FloatFormat.E2M3, true, 2, 3, 1, -1, -1),
                    new Definition(FloatFormat.E2M1, true, 2, 1, 1, -1, -1),
                    new Definition(FloatFormat.UE8M0, false, 8, 0, 127, -1, 0xFF),
                    new Definition(FloatFormat.UE4M3, false, 4, 3, 7, -1, 0x7F));

    static List<Definition> all() {
        return ALL;
    }

    /// Codes without the sign bit.
    int magnitudes() {
        return 1 << (exponentBits + fractionBits);
    }

    int signBit() {
        return signed ? magnitudes() : 0;
    }

    boolean isNaN(int magnitude) {
        return firstNaN >= 0 && magnitude >= firstNaN;
    }

    boolean isInfinite(int magnitude) {
        return magnitude == infinity;
    }

    /// The magnitude code of the largest finite value.
    int largest() {
        if (infinity >= 0) {
            return infinity - 1;
        }
        return firstNaN >= 0 ? firstNaN - 1 : magnitudes() - 1;
    }

    /// The value of a magnitude code in units of `2^-SCALE`, as if no code were special.
    BigInteger units(int magnitude) {
        int exponent = magnitude >> fractionBits;
        int fraction = magnitude % (1 << fractionBits);
        if (format == FloatFormat.UE8M0) {
            return BigInteger.TWO.pow(exponent - 127 + SCALE);
        }
        if (exponent == 0) {
            return BigInteger.valueOf(fraction)
                    .multiply(BigInteger.TWO.pow(1 - bias - fractionBits + SCALE));
        }
        BigInteger power = BigInteger.TWO.pow(exponent - bias - fractionBits + SCALE);
        return power.shiftLeft(fractionBits).add(power.multiply(BigInteger.valueOf(fraction)));
    }

    /// The magnitude codes of the finite values, which rise with the value.
    List<Integer> finite() {
        List<Integer> codes = new ArrayList<>();
        for (int magnitude = 0; magnitude <= largest(); magnitude++) {
            codes.add(magnitude);
        }
        return codes;
    }

    static Value.Finite value(boolean negative, BigInteger units) {
        return new Value.Finite(negative, units, -SCALE);
    }

    static double asDouble(boolean negative, BigInteger units) {
        double magnitude = Math.scalb(units.doubleValue(), -SCALE);
        return negative ? -magnitude : magnitude;
    }

    @Override
    public String toString() {
        return format.ptxName();
    }
}
