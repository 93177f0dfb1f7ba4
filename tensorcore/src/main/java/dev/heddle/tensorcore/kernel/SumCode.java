package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.R10;
import static dev.heddle.tensorcore.x86.Assembler.R11;
import static dev.heddle.tensorcore.x86.Assembler.R12;
import static dev.heddle.tensorcore.x86.Assembler.R13;
import static dev.heddle.tensorcore.x86.Assembler.R14;
import static dev.heddle.tensorcore.x86.Assembler.R15;
import static dev.heddle.tensorcore.x86.Assembler.RAX;
import static dev.heddle.tensorcore.x86.Assembler.RBP;
import static dev.heddle.tensorcore.x86.Assembler.RBX;
import static dev.heddle.tensorcore.x86.Assembler.RCX;
import static dev.heddle.tensorcore.x86.Assembler.RDI;
import static dev.heddle.tensorcore.x86.Assembler.RSI;
import static dev.heddle.tensorcore.x86.Operand.all;
import static dev.heddle.tensorcore.x86.Operand.at;
import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.tensorcore.kernel.FusedLayout.Choices;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;

/// The part of [ProductCode] that forms sums of decoded operands, 16 rows by eight columns at a
/// time.
///
/// Vector registers 0 to 7 hold the scales of eight columns, 8 to 23 their sums, and the others
/// what is on its way.
final class SumCode extends VectorCode {
    /// The first vector of those on their way.
    private static final int ON_THEIR_WAY = 24;

    private static final int COLUMNS = 8;
    private static final int EVEN = 8;
    private static final int ODD = 16;

    private final FusedLayout layout;

    SumCode(Assembler code, FusedLayout layout) {
        super(code);
        this.layout = layout;
    }

    /// R15 walks along the exponents of A, RSI along its values, R13 and R14 likewise along B, and
    /// RCX along C.
    void sums() {
        boolean sparse = layout.sparse();
        int k = layout.k();
        int columnStep = sparse ? layout.choices().getFirst().columnStep() : k;
        code.mask(MaskOperation.KANDNW, 7, 7, 7);
        code.address(R15, at(RDI, layout.a().exponents()));
        code.address(RSI, at(RDI, layout.a().moves().target()));
        code.address(RCX, at(RDI, layout.planeC()));
        repeat(
                RBP,
                layout.blocks(),
                () -> {
                    code.address(R13, at(RDI, layout.b().exponents()));
                    code.address(R14, at(RDI, layout.b().moves().target()));
                    repeat(
                            R12,
                            layout.columns() / COLUMNS,
                            () -> {
                                passes();
                                addTo(R13, columnStep * COLUMNS / 2 * Integer.BYTES);
                                addTo(R14, columnStep * COLUMNS * Integer.BYTES);
                                addTo(RCX, COLUMNS * VECTOR);
                            });
                    addTo(R15, sparse ? k * VECTOR : k / 2 * VECTOR);
                    addTo(RSI, k * VECTOR);
                });
    }

    /// The sums of eight columns. Each pass adds to the results of the one before.
    private void passes() {
        int first = 0;
        int results = layout.planeD() - layout.planeC();
        boolean accumulatorLast = layout.rule().accumulatorLast();
        if (accumulatorLast) {
            vector(Evex.VPXORD, 0, 0, 0);
            for (int column = 0; column < COLUMNS; column++) {
                store(at(RCX, results + column * VECTOR), 0);
            }
        }
        int accumulators = accumulatorLast ? results : 0;
        for (int end : layout.passEnds()) {
            code.favour(ON_THEIR_WAY);
            if (layout.sparse()) {
                largestOfSparse(layout.choices().getFirst(), first, end, accumulators);
            } else {
                largestOfDense(first, end, accumulators);
            }
            for (int column = 0; column < COLUMNS; column++) {
                load(column, at(RDI, layout.scales() + column * VECTOR));
                vector(Evex.VPXORD, EVEN + column, EVEN + column, EVEN + column);
                vector(Evex.VPXORD, ODD + column, ODD + column, ODD + column);
            }
            if (layout.sparse()) {
                sumSparse(layout.choices().getFirst(), first, end);
            } else {
                sumDense(first, end);
            }
            for (int i = 0; i < 2 * COLUMNS; i++) {
                store(at(RDI, layout.sums() + i * VECTOR), EVEN + i);
            }
            code.favourNone();
            finish(accumulators);
            accumulators = results;
            first = end;
        }
        if (accumulatorLast) {
            addAccumulators(results);
        }
    }

    /// One IEEE addition of C to each result; mask 7 receives where it is no number.
    private void addAccumulators(int results) {
        walkColumns(
                COLUMNS,
                () -> {
                    load(0, at(R10, results));
                    vector(Evex.VADDPS, 0, 0, at(R10, 0));
                    code.vector(Evex.VCMPPS, 1, 0, register(0), Assembler.UNORDERED);
                    code.mask(MaskOperation.KORW, 7, 7, 1);
                    storeRounded(at(R10, results), 0);
                    addTo(R10, VECTOR);
                });
    }

    private void largestOfDense(int first, int end, int accumulators) {
        for (int column = 0; column < COLUMNS; column++) {
            constant(EVEN + column, twice(2 * FloatCode.ZERO));
        }
        code.address(R11, at(R15, first / 2 * VECTOR));
        code.address(RAX, at(R13, first * 4 * Integer.BYTES));
        repeat(
                RBX,
                (end - first) / 2,
                () -> {
                    load(24, at(R11, 0));
                    for (int column = 0; column < COLUMNS; column++) {
                        code.vector(Evex.VPBROADCASTD, 26, 0, all(RAX, column * Integer.BYTES));
                        raise(EVEN + column);
                    }
                    addTo(R11, VECTOR);
                    addTo(RAX, COLUMNS * Integer.BYTES);
                });
        for (int column = 0; column < COLUMNS; column++) {
            store(at(RDI, layout.largest() + column * VECTOR), EVEN + column);
        }
        walkColumns(
                COLUMNS,
                () -> {
                    load(24, at(RAX, layout.largest()));
                    shift(LEFT, 25, 24, Short.SIZE);
                    shift(SIGNED_RIGHT, 25, 25, Short.SIZE);
                    shift(SIGNED_RIGHT, 24, 24, Short.SIZE);
                    vector(Evex.VPMAXSD, 24, 24, 25);
                    scale(accumulators, 0);
                    addTo(RAX, VECTOR);
                    addTo(R10, VECTOR);
                });
    }

    /// Raises a vector of exponents to those of A in vector 24 and B in vector 26.
    private void raise(int target) {
        vector(Evex.VPADDW, 26, 26, 24);
        vector(Evex.VPMAXSW, target, target, 26);
    }

    /// RAX walks along vectors in memory, R10 along the accumulators.
    private void walkColumns(int times, Runnable body) {
        code.moveLong(RAX, register(RDI));
        code.moveLong(R10, register(RCX));
        repeat(RBX, times, body);
    }

    /// The exponents of two columns are in the halves of each word of B, those of A in both.
    private void largestOfSparse(Choices choices, int first, int end, int accumulators) {
        int step = choices.columnStep() * Integer.BYTES;
        int choice = choices.choice() - layout.a().moves().target();
        int exponents = layout.a().exponents() - layout.a().moves().target();
        for (int pair = 0; pair < COLUMNS / 2; pair++) {
            constant(EVEN + pair, twice(2 * FloatCode.ZERO));
        }
        for (int from = first; from < end; from += choices.run()) {
            code.address(R11, at(RSI, from * VECTOR));
            code.address(RAX, at(R13, candidates(choices, from)));
            repeat(
                    RBX,
                    choices.run(),
                    () -> {
                        load(24, at(R11, exponents));
                        load(25, at(R11, choice));
                        for (int pair = 0; pair < COLUMNS / 2; pair++) {
                            vector(Evex.VPERMD, 26, 25, at(RAX, pair * step));
                            raise(EVEN + pair);
                        }
                        addTo(R11, VECTOR);
                    });
        }
        for (int pair = 0; pair < COLUMNS / 2; pair++) {
            store(at(RDI, layout.largest() + 2 * pair * VECTOR), EVEN + pair);
        }
        walkColumns(
                COLUMNS / 2,
                () -> {
                    load(25, at(RAX, layout.largest()));
                    shift(LEFT, 24, 25, Short.SIZE);
                    shift(SIGNED_RIGHT, 24, 24, Short.SIZE);
                    scale(accumulators, 0);
                    shift(SIGNED_RIGHT, 24, 25, Short.SIZE);
                    scale(accumulators, VECTOR);
                    addTo(RAX, 2 * VECTOR);
                    addTo(R10, 2 * VECTOR);
                });
    }

    private static int candidates(Choices choices, int position) {
        return choices.candidates().get(position / choices.run()) * Integer.BYTES;
    }

    /// Raises the exponents in vector 24 to those of the accumulators; stores them and the scale.
    private void scale(int accumulators, int at) {
        load(26, at(R10, accumulators + at));
        vector(Evex.VPANDD, 26, 26, code.word(Integer.MAX_VALUE));
        vector(Evex.VPTESTNMD, 1, 26, 26);
        shift(RIGHT, 26, 26, FRACTION);
        vector(Evex.VPADDD, 26, 26, code.word(-BIAS));
        vector(Evex.VPMAXSD, 26, 26, code.word(layout.rule().accumulatorMinimumExponent()));
        blend(1, 26, FloatCode.ZERO);
        vector(Evex.VPMAXSD, 24, 24, 26);
        store(at(RAX, layout.largest() + at), 24);
        vector(Evex.VPMAXSD, 26, 24, code.word(FusedRule.FAST_LEAST));
        constant(27, layout.rule().fractionBits() + BIAS);
        vector(Evex.VPSUBD, 26, 27, 26);
        shift(LEFT, 26, 26, FRACTION);
        vector(Evex.VPORD, 26, 26, all(RDI, ProductLayout.NEGATION));
        store(at(RAX, layout.scales() + at), 26);
    }

    private void sumDense(int first, int end) {
        code.address(R11, at(RSI, first * VECTOR));
        code.address(RAX, at(R14, first * COLUMNS * Integer.BYTES));
        repeat(
                RBX,
                (end - first) / 2,
                () -> {
                    load(24, at(R11, 0));
                    load(25, at(R11, VECTOR));
                    for (int column = 0; column < COLUMNS; column++) {
                        int element = column * Integer.BYTES;
                        int next = element + COLUMNS * Integer.BYTES;
                        vector(Evex.VMULPS, 26, 24, all(RAX, element));
                        vector(Evex.VMULPS, 27, 25, all(RAX, next));
                        truncate(column);
                    }
                    addTo(R11, 2 * VECTOR);
                    addTo(RAX, 2 * COLUMNS * Integer.BYTES);
                });
    }

    private void sumSparse(Choices choices, int first, int end) {
        int step = choices.columnStep() * Integer.BYTES;
        int choice = choices.choice() - layout.a().moves().target();
        for (int from = first; from < end; from += choices.run()) {
            code.address(R11, at(RSI, from * VECTOR));
            code.address(RAX, at(R14, candidates(choices, from)));
            repeat(
                    RBX,
                    choices.run() / 2,
                    () -> {
                        load(24, at(R11, 0));
                        load(25, at(R11, VECTOR));
                        load(28, at(R11, choice));
                        load(29, at(R11, choice + VECTOR));
                        for (int column = 0; column < COLUMNS; column++) {
                            vector(Evex.VPERMD, 26, 28, at(RAX, column * step));
                            vector(Evex.VPERMD, 27, 29, at(RAX, column * step));
                            vector(Evex.VMULPS, 26, 26, 24);
                            vector(Evex.VMULPS, 27, 27, 25);
                            truncate(column);
                        }
                        addTo(R11, 2 * VECTOR);
                    });
        }
    }

    /// Adds the products in vectors 26 and 27, truncated.
    private void truncate(int column) {
        vector(Evex.VMULPS, 26, 26, column);
        vector(Evex.VMULPS, 27, 27, column);
        code.vector(Evex.VCVTTPS2DQ, 26, 0, register(26));
        code.vector(Evex.VCVTTPS2DQ, 27, 0, register(27));
        vector(Evex.VPADDD, EVEN + column, EVEN + column, 26);
        vector(Evex.VPADDD, ODD + column, ODD + column, 27);
    }

    /// Adds the truncated accumulators to the sums of eight columns and rounds.
    private void finish(int accumulators) {
        int results = layout.planeD() - layout.planeC();
        walkColumns(
                COLUMNS,
                () -> {
                    total(accumulators);
                    round(results);
                    addTo(RAX, VECTOR);
                    addTo(R10, VECTOR);
                });
    }

    /// Vector 0: the largest exponent, 1: that in range, 2: the total. Mask 1: where it is of no
    /// use.
    private void total(int accumulators) {
        load(0, at(RAX, layout.largest()));
        vector(Evex.VPMAXSD, 1, 0, code.word(FusedRule.FAST_LEAST));
        constant(3, BIAS + layout.rule().fractionBits());
        vector(Evex.VPSUBD, 3, 3, 1);
        shift(LEFT, 3, 3, FRACTION);
        vector(Evex.VMULPS, 3, 3, at(R10, accumulators));
        code.vector(Evex.VCVTTPS2DQ, 3, 0, register(3));
        load(4, at(RAX, layout.sums()));
        load(5, at(RAX, layout.sums() + COLUMNS * VECTOR));
        vector(Evex.VPADDD, 6, 4, 5);
        vector(Evex.VPADDD, 2, 6, 3);
        vector(Evex.VPXORD, 4, 4, 6);
        vector(Evex.VPXORD, 5, 5, 6);
        vector(Evex.VPANDD, 4, 4, 5);
        vector(Evex.VPXORD, 6, 6, 2);
        vector(Evex.VPXORD, 3, 3, 2);
        vector(Evex.VPANDD, 6, 6, 3);
        vector(Evex.VPORD, 4, 4, 6);
        compare(1, 4, LESS, 0);
        compare(2, 0, GREATER, FusedRule.FAST_MOST);
        code.mask(MaskOperation.KORW, 1, 1, 2);
        compare(2, 0, LESS, FusedRule.FAST_LEAST);
        compare(3, 0, GREATER, FloatCode.ZERO_LIMIT);
        code.mask(MaskOperation.KANDW, 2, 2, 3);
        code.mask(MaskOperation.KORW, 1, 1, 2);
        code.mask(MaskOperation.KORW, 7, 7, 1);
    }

    private void round(int results) {
        code.vector(Evex.VPABSD, 3, 0, register(2));
        code.vector(Evex.VPLZCNTD, 4, 0, register(3));
        constant(5, layout.rule().kept());
        vector(Evex.VPSRAVD, 5, 5, 4);
        if (layout.rule().half()) {
            mark();
        } else {
            vector(Evex.VPANDD, 3, 3, 5);
        }
        code.vector(Evex.VCVTDQ2PS, 3, 0, register(3));
        vector(Evex.VPADDD, 1, 1, code.word(BIAS - layout.rule().fractionBits()));
        shift(LEFT, 1, 1, FRACTION);
        vector(Evex.VMULPS, 3, 3, 1);
        vector(Evex.VPANDD, 2, 2, code.word(Integer.MIN_VALUE));
        vector(Evex.VPORD, 3, 3, 2);
        storeRounded(at(R10, results), 3);
    }

    /// Cuts vector 3 off at the lowest bit of vector 5. Lost bits leave a mark in that place, so
    /// that the rounding to f16 is right.
    private void mark() {
        vector(Evex.VPXORD, 4, 4, 4);
        vector(Evex.VPSUBD, 4, 4, 5);
        vector(Evex.VPANDD, 4, 4, 5);
        vector(Evex.VPANDD, 5, 5, 3);
        code.vector(Evex.VPCMPD, 2, 5, register(3), NOT_EQUAL);
        load(3, register(5));
        code.vectorWhere(Evex.VPORD, 2, 3, 4, register(5));
    }

    /// Stores results, rounded to the nearest f16 where they are such. A negative sum that vanishes
    /// is +0.
    private void storeRounded(Operand target, int source) {
        if (layout.rule().half()) {
            code.vector(Evex.VCVTPS2PH, source, 0, register(4), 0);
            code.vector(Evex.VCVTPH2PS, source, 0, register(4));
            vector(Evex.VADDPS, source, source, code.word(0));
        }
        store(target, source);
    }
}
