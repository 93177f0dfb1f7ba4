package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.LESS_ORDERED;
import static dev.heddle.tensorcore.x86.Assembler.NOT_EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.R10;
import static dev.heddle.tensorcore.x86.Assembler.R11;
import static dev.heddle.tensorcore.x86.Assembler.RAX;
import static dev.heddle.tensorcore.x86.Assembler.RBX;
import static dev.heddle.tensorcore.x86.Assembler.RCX;
import static dev.heddle.tensorcore.x86.Assembler.RDI;
import static dev.heddle.tensorcore.x86.Operand.all;
import static dev.heddle.tensorcore.x86.Operand.at;
import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.tensorcore.kernel.FusedLayout.Choices;
import dev.heddle.tensorcore.kernel.FusedLayout.Factors;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Evex;

/// The part of [ProductCode] that adds terms which are sums of several products times scale
/// factors, of sixteen rows and eight columns: all that such forms have.
///
/// Products of numbers of four bits, and sums of sixteen of them, are exact as `float`; such a sum
/// times its factors is exact as `double`, and so is the sum of the truncated terms, of at most 50
/// bits. Exponents are the powers of two themselves.
final class TermSumCode extends VectorCode {
    private static final int COLUMNS = 8;

    // Vectors: the sums of eight columns; then, of half a column, what is on its way, its largest
    // exponent, C, the sum, and the terms; and the two halves of the result.
    private static final int SUMS = 8;
    private static final int LARGEST = 4;
    private static final int ACCUMULATOR = 5;
    private static final int SUM = 6;
    private static final int TERMS = 8;
    private static final int RESULTS = 16;

    /// Exponents with which all terms and results are normal numbers.
    private static final long LEAST = Double.doubleToRawLongBits(0x1p-90);

    private static final long MOST = Double.doubleToRawLongBits(0x1p110);
    private static final long EXPONENT = 0x7ff0_0000_0000_0000L;
    private static final int FRACTION_OF_DOUBLE = 52;
    private static final int BIAS_OF_DOUBLE = 1023;
    private static final int TOWARD_ZERO = 3;

    private final FusedLayout layout;

    TermSumCode(Assembler code, FusedLayout layout) {
        super(code);
        this.layout = layout;
    }

    /// Mask 7 receives which elements need another way.
    void sums() {
        int first = 0;
        for (int term = 0; term < layout.passEnds().size(); term++) {
            int end = layout.passEnds().get(term);
            sumOfProducts(first, end);
            for (int column = 0; column < COLUMNS; column++) {
                store(at(RDI, layout.terms() + (term * COLUMNS + column) * VECTOR), SUMS + column);
            }
            first = end;
        }
        code.address(RCX, at(RDI, layout.planeC()));
        code.address(R11, at(RDI, layout.terms()));
        code.address(R10, at(RDI, layout.scales().getLast().factors()));
        repeat(
                RBX,
                COLUMNS,
                () -> {
                    for (int half = 0; half < 2; half++) {
                        terms(half);
                        finish(half);
                    }
                    code.vector(Evex.VSHUFI64X2, RESULTS, RESULTS, register(RESULTS + 1), 0x44);
                    store(at(RCX, 0), RESULTS);
                    addTo(RCX, VECTOR);
                    addTo(R11, VECTOR);
                    addTo(R10, Double.BYTES);
                });
    }

    private void sumOfProducts(int first, int end) {
        for (int column = 0; column < COLUMNS; column++) {
            vector(Evex.VPXORD, SUMS + column, SUMS + column, SUMS + column);
        }
        code.address(R11, at(RDI, layout.a().values() + first * VECTOR));
        if (layout.sparse()) {
            Choices choices = layout.choices().getFirst();
            for (int from = first; from < end; from += choices.run()) {
                chosen(choices, from);
            }
            return;
        }
        code.address(RAX, at(RDI, layout.b().values() + first * COLUMNS * Float.BYTES));
        repeat(
                RBX,
                end - first,
                () -> {
                    load(0, at(R11, 0));
                    for (int column = 0; column < COLUMNS; column++) {
                        vector(Evex.VFMADD231PS, SUMS + column, 0, all(RAX, column * Float.BYTES));
                    }
                    addTo(R11, VECTOR);
                    addTo(RAX, COLUMNS * Float.BYTES);
                });
    }

    /// The products of a run of positions, which choose from the same elements of B.
    private void chosen(Choices choices, int from) {
        int candidates = choices.candidates().get(from / choices.run());
        code.address(RAX, at(RDI, layout.b().values() + candidates * Float.BYTES));
        repeat(
                RBX,
                choices.run(),
                () -> {
                    load(0, at(R11, 0));
                    load(1, at(R11, choices.choice() - layout.a().values()));
                    for (int column = 0; column < COLUMNS; column++) {
                        int elements = column * choices.columnStep() * Float.BYTES;
                        vector(Evex.VPERMD, 2, 1, at(RAX, elements));
                        vector(Evex.VFMADD231PS, SUMS + column, 0, 2);
                    }
                    addTo(R11, VECTOR);
                });
    }

    /// The terms of eight rows, and the largest exponent.
    private void terms(int half) {
        Factors a = layout.scales().getFirst();
        Factors b = layout.scales().getLast();
        int count = layout.passEnds().size();
        vector(Evex.VCVTPS2PD, ACCUMULATOR, 0, at(RCX, half * VECTOR / 2));
        vector(Evex.VPANDQ, LARGEST, ACCUMULATOR, code.longword(EXPONENT));
        vector(Evex.VPXORD, SUM, SUM, SUM);
        for (int term = 0; term < count; term++) {
            int factorsOfA = (2 * (term * a.codes().vectors() / count) + half) * VECTOR;
            int factorsOfB = 2 * (term * b.codes().vectors() / count) * VECTOR;
            int value = TERMS + term;
            vector(Evex.VCVTPS2PD, value, 0, at(R11, term * COLUMNS * VECTOR + half * VECTOR / 2));
            load(0, at(RDI, a.factors() + factorsOfA));
            vector(Evex.VMULPD, 0, 0, all(R10, factorsOfB));
            vector(Evex.VMULPD, value, value, 0);
            load(0, at(RDI, a.exponents() + factorsOfA));
            vector(Evex.VMULPD, 0, 0, all(R10, b.exponents() - b.factors() + factorsOfB));
            code.vector(Evex.VCMPPD, 1, value, register(SUM), NOT_EQUAL);
            code.vectorWhere(Evex.VMAXPD, 1, LARGEST, LARGEST, register(0));
        }
    }

    /// Adds the truncated terms, and rounds.
    private void finish(int half) {
        vector(Evex.VMAXPD, 0, LARGEST, code.longword(LEAST));
        code.vector(Evex.VCMPPD, 1, 0, register(LARGEST), NOT_EQUAL);
        code.vector(Evex.VCMPPD, 2, LARGEST, register(SUM), NOT_EQUAL);
        code.mask(MaskOperation.KANDW, 1, 1, 2);
        code.mask(MaskOperation.KORW, 7, 7, 1);
        vector(Evex.VPBROADCASTQ, 1, 0, code.longword(MOST));
        code.vector(Evex.VCMPPD, 1, 1, register(LARGEST), LESS_ORDERED);
        code.mask(MaskOperation.KORW, 7, 7, 1);
        long bits = (long) layout.rule().fractionBits() << FRACTION_OF_DOUBLE;
        // With the largest exponent's bits subtracted, those of what makes the unit 1
        long unit = (2L * BIAS_OF_DOUBLE << FRACTION_OF_DOUBLE) + bits;
        vector(Evex.VPBROADCASTQ, 1, 0, code.longword(unit));
        vector(Evex.VPSUBQ, 1, 1, 0);
        add(ACCUMULATOR);
        for (int term = 0; term < layout.passEnds().size(); term++) {
            add(TERMS + term);
        }
        vector(Evex.VPSUBQ, 0, 0, code.longword(bits));
        vector(Evex.VMULPD, SUM, SUM, 0);
        vector(Evex.VPANDQ, SUM, SUM, code.longword(-1L << FRACTION_OF_DOUBLE - FRACTION));
        vector(Evex.VCVTPD2PS, RESULTS + half, 0, SUM);
    }

    private void add(int term) {
        vector(Evex.VMULPD, term, term, 1);
        code.vector(Evex.VRNDSCALEPD, term, 0, register(term), TOWARD_ZERO);
        vector(Evex.VADDPD, SUM, SUM, term);
    }
}
