package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.R12;
import static dev.heddle.tensorcore.x86.Assembler.RAX;
import static dev.heddle.tensorcore.x86.Assembler.RDI;
import static dev.heddle.tensorcore.x86.Operand.at;
import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.tensorcore.kernel.FusedLayout.Factors;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Evex;

/// The part of [ProductCode] that reads scale factors. Mask 7 receives which of them need another
/// way.
final class FactorCode extends VectorCode {
    /// Of single products, exponents with which neither scaled operands nor sums of them leave the
    /// range of normal `float` values unseen.
    private static final int MOST = 60;

    private static final long EXPONENT_OF_DOUBLE = 0x7ff0_0000_0000_0000L;

    private final FusedLayout layout;

    FactorCode(Assembler code, FusedLayout layout) {
        super(code);
        this.layout = layout;
    }

    /// Reads those of A, then those of B.
    void read(OperandCode operands) {
        for (int i = 0; i < layout.scales().size(); i++) {
            Factors factors = layout.scales().get(i);
            int words = i == 0 ? ProductLayout.FACTORS_A : ProductLayout.FACTORS_B;
            code.moveLong(R12, at(RDI, words));
            code.address(RAX, at(RDI, factors.codes().table()));
            for (int vector = 0; vector < factors.codes().vectors(); vector++) {
                operands.fetch(factors.codes().fetch(), R12);
                vector(Evex.VPSRLVD, 0, 0, at(RAX, ProductLayout.ENTRY_BITS));
                if (layout.rule().termsOfMany()) {
                    doubles(operands, factors, 2 * vector * VECTOR);
                } else {
                    floats(factors, vector);
                }
                addTo(RAX, ProductLayout.ENTRY);
            }
        }
    }

    private void special(int mask) {
        code.mask(MaskOperation.KORW, 7, 7, mask);
    }

    /// Powers of two.
    private void floats(Factors factors, int vector) {
        vector(Evex.VPANDD, 0, 0, code.word(0xff));
        vector(Evex.VPSUBD, 1, 0, code.word(BIAS));
        vector(Evex.VPABSD, 2, 0, register(1));
        compare(1, 2, GREATER, MOST);
        special(1);
        shift(LEFT, 2, 0, FRACTION);
        store(at(RDI, factors.factors() + vector * VECTOR), 2);
        if (vector % 2 == 0) {
            vector(Evex.VPANDD, 4, 1, code.word(0xffff));
        }
        if (vector % 2 == 1 || factors.codes().vectors() == 1) {
            shift(LEFT, 1, 1, Short.SIZE);
            vector(Evex.VPORD, 1, 1, 4);
            store(at(RDI, factors.exponents() + vector / 2 * VECTOR), 1);
        }
    }

    /// Factors and the powers of two that are their exponents.
    private void doubles(OperandCode operands, Factors factors, int place) {
        FloatCode format = factors.code();
        if (format.toFloat() == FRACTION) {
            // A power of two: that of code 0 is no normal `float`
            vector(Evex.VPANDD, 0, 0, code.word(format.magnitude()));
            code.vector(Evex.VPTESTNMD, 1, 0, register(0));
            special(1);
            shift(LEFT, 1, 0, FRACTION);
        } else {
            operands.value(format);
        }
        code.vector(Evex.VEXTRACTI64X4, 1, 0, register(2), 1);
        for (int half = 0; half < 2; half++) {
            vector(Evex.VCVTPS2PD, 3, 0, half + 1);
            store(at(RDI, factors.factors() + place + half * VECTOR), 3);
            vector(Evex.VPANDQ, 3, 3, code.longword(EXPONENT_OF_DOUBLE));
            double least = Math.scalb(1.0, format.minimumExponent());
            vector(Evex.VMAXPD, 3, 3, code.longword(Double.doubleToRawLongBits(least)));
            store(at(RDI, factors.exponents() + place + half * VECTOR), 3);
        }
    }
}
