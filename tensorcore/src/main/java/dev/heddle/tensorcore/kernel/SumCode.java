package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.NOT_EQUAL;
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
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;
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
/// Vector registers 0 to 7 hold the scales of eight columns, 8 to 23 two partial sums of each, and
/// the others what is on its way. Exponents count from [FusedRule#FAST_LEAST], and those of a sum
/// stand in the lower half of a word; what the upper one holds does not matter.
final class SumCode extends VectorCode {
    /// The first vector of those on their way.
    private static final int ON_THEIR_WAY = 24;

    private static final int COLUMNS = 8;
    private static final int EVEN = 8;
    private static final int ODD = 16;

    /// Vectors that say at the end whether an element needs another way: the largest exponents of
    /// all sums, the largest as numbers without a sign, and by its sign whether a sum left 32 bits.
    private static final int LARGEST = 29;

    private static final int LARGEST_UNSIGNED = 30;
    private static final int OVERFLOWN = 31;

    /// `(a ^ c) & (b ^ c)`.
    private static final int DIFFERS_FROM_BOTH = 0x42;

    private static final int OFFSET = -FusedRule.FAST_LEAST;

    private final FusedLayout layout;
    private final FusedRule rule;

    SumCode(Assembler code, FusedLayout layout) {
        super(code);
        this.layout = layout;
        this.rule = layout.rule();
    }

    /// R15 walks along the exponents of A, RSI along its values, R13 and R14 likewise along B, and
    /// RCX along C. Mask 7 receives which elements
    /// need another way.
    void sums() {
        boolean sparse = layout.sparse();
        int k = layout.k();
        int columnStep = sparse ? layout.choices().getFirst().columnStep() : k;
        for (int vector = LARGEST; vector <= OVERFLOWN; vector++) {
            clear(vector);
        }
        code.address(R15, at(RDI, layout.a().exponents()));
        code.address(RSI, at(RDI, layout.a().values()));
        code.address(RCX, at(RDI, layout.planeC()));
        repeat(
                RBP,
                layout.blocks(),
                () -> {
                    code.address(R13, at(RDI, layout.b().exponents()));
                    code.address(R14, at(RDI, layout.b().values()));
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
        judge();
    }

    /// The sums of eight columns. Each pass adds to the results of the one before.
    private void passes() {
        int first = 0;
        for (int end : layout.passEnds()) {
            boolean accumulates = first > 0 || !rule.accumulatorLast();
            code.favour(ON_THEIR_WAY);
            if (layout.sparse()) {
                largestOfSparse(layout.choices().getFirst(), first, end);
            } else {
                largestOfDense(first, end, accumulates);
            }
            scales(accumulates);
            if (layout.sparse()) {
                sumSparse(layout.choices().getFirst(), first, end);
            } else {
                sumDense(first, end);
            }
            code.favourNone();
            round(layout.mayLeave32Bits(end - first));
            first = end;
        }
        if (rule.accumulatorLast()) {
            addAccumulators();
        }
    }

    /// Where the results of a column are, and before that what its sum adds to.
    private Operand result(int column) {
        return at(RCX, layout.planeD() - layout.planeC() + column * VECTOR);
    }

    private void clear(int vector) {
        vector(Evex.VPXORD, vector, vector, vector);
    }

    /// One IEEE addition of C to each result; mask 7 receives where it is no number.
    private void addAccumulators() {
        for (int column = 0; column < COLUMNS; column++) {
            load(26, result(column));
            vector(Evex.VADDPS, 26, 26, at(RCX, column * VECTOR));
            code.vector(Evex.VCMPPS, 1, 26, register(26), Assembler.UNORDERED);
            code.mask(MaskOperation.KORW, 7, 7, 1);
            storeRounded(result(column), 26);
        }
    }

    /// The exponents of two positions are in the halves of each word.
    private void largestOfDense(int first, int end, boolean accumulates) {
        for (int column = 0; column < COLUMNS; column++) {
            if (accumulates) {
                accumulatorExponent(ODD + column, column, Short.SIZE, 2 * FloatCode.ZERO & 0xffff);
            } else {
                constant(ODD + column, twice(2 * FloatCode.ZERO));
            }
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
                        raise(ODD + column);
                    }
                    addTo(R11, VECTOR);
                    addTo(RAX, COLUMNS * Integer.BYTES);
                });
    }

    /// Raises a vector of exponents to those of A in vector 24 and B in vector 26.
    private void raise(int target) {
        vector(Evex.VPADDW, 26, 26, 24);
        vector(Evex.VPMAXSW, target, target, 26);
    }

    /// The exponents of two columns are in the halves of each word of B, those of A in both.
    private void largestOfSparse(Choices choices, int first, int end) {
        int step = choices.columnStep() * Integer.BYTES;
        int choice = choices.choice() - layout.a().values();
        int exponents = layout.a().exponents() - layout.a().values();
        for (int pair = 0; pair < COLUMNS / 2; pair++) {
            constant(ODD + pair, twice(2 * FloatCode.ZERO));
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
                            raise(ODD + pair);
                        }
                        addTo(R11, VECTOR);
                    });
        }
    }

    private static int candidates(Choices choices, int position) {
        return choices.candidates().get(position / choices.run()) * Integer.BYTES;
    }

    /// The exponents of the accumulators of a column.
    ///
    /// @param left how far left they stand
    /// @param rest what stands in the bits right of that
    private void accumulatorExponent(int target, int column, int left, int rest) {
        constant(target, FloatCode.ZERO << left | rest);
        load(26, result(column));
        code.vector(Evex.VPTESTMD, 1, 26, code.word(Integer.MAX_VALUE));
        shift(RIGHT, 26, 26, FRACTION - left);
        vector(Evex.VPANDD, 26, 26, code.word(0xff << left));
        if (rule.accumulatorMinimumExponent() > FusedRule.FAST_LEAST) {
            int least = rule.accumulatorMinimumExponent() + BIAS;
            vector(Evex.VPMAXSD, 26, 26, code.word(least << left));
        }
        code.vectorWhere(Evex.VPADDD, 1, target, 26, code.word(OFFSET - BIAS << left | rest));
    }

    /// What makes the units of the truncation 1, from the exponents that were found; the partial
    /// sums begin with the accumulators.
    private void scales(boolean accumulates) {
        constant(24, BIAS + rule.fractionBits() + OFFSET);
        clear(25);
        for (int column = 0; column < COLUMNS; column++) {
            exponent(column, accumulates);
            vector(Evex.VPMAXSW, LARGEST, LARGEST, 26);
            vector(Evex.VPMAXUW, LARGEST_UNSIGNED, LARGEST_UNSIGNED, 26);
            vector(Evex.VPMAXSW, 26, 26, 25);
            vector(Evex.VPSUBD, column, 24, 26);
            shift(LEFT, column, column, FRACTION);
            if (accumulates) {
                vector(Evex.VMULPS, 26, column, result(column));
                code.vector(Evex.VCVTTPS2DQ, EVEN + column, 0, register(26));
            } else {
                clear(EVEN + column);
            }
        }
        for (int column = 0; column < COLUMNS; column++) {
            clear(ODD + column);
        }
    }

    /// Vector 26 receives the largest exponents of a column.
    private void exponent(int column, boolean accumulates) {
        if (!layout.sparse()) {
            shift(RIGHT, 26, ODD + column, Short.SIZE);
            vector(Evex.VPMAXSW, 26, 26, ODD + column);
            return;
        }
        int pair = ODD + column / 2;
        if (accumulates) {
            accumulatorExponent(27, column, 0, 0);
        }
        if (column % 2 == 0) {
            load(26, register(pair));
        } else {
            shift(RIGHT, 26, pair, Short.SIZE);
        }
        if (accumulates) {
            vector(Evex.VPMAXSW, 26, 26, 27);
        }
    }

    private void sumDense(int first, int end) {
        code.address(R11, at(RSI, first * VECTOR));
        code.address(RAX, at(R14, first * COLUMNS * Integer.BYTES));
        repeat(
                RBX,
                (end - first) / 2,
                () -> {
                    for (int i = 0; i < 2; i++) {
                        load(24, at(R11, i * VECTOR));
                        for (int column = 0; column < COLUMNS; column++) {
                            int element = (i * COLUMNS + column) * Integer.BYTES;
                            vector(Evex.VMULPS, 26, 24, all(RAX, element));
                            truncate(column, i);
                        }
                    }
                    addTo(R11, 2 * VECTOR);
                    addTo(RAX, 2 * COLUMNS * Integer.BYTES);
                });
    }

    private void sumSparse(Choices choices, int first, int end) {
        int step = choices.columnStep() * Integer.BYTES;
        int choice = choices.choice() - layout.a().values();
        for (int from = first; from < end; from += choices.run()) {
            code.address(R11, at(RSI, from * VECTOR));
            code.address(RAX, at(R14, candidates(choices, from)));
            repeat(
                    RBX,
                    choices.run() / 2,
                    () -> {
                        for (int i = 0; i < 2; i++) {
                            load(24, at(R11, i * VECTOR));
                            load(25, at(R11, choice + i * VECTOR));
                            for (int column = 0; column < COLUMNS; column++) {
                                vector(Evex.VPERMD, 26, 25, at(RAX, column * step));
                                vector(Evex.VMULPS, 26, 26, 24);
                                truncate(column, i);
                            }
                        }
                        addTo(R11, 2 * VECTOR);
                    });
        }
    }

    /// Adds the products in vector 26, truncated, to one of the two partial sums.
    private void truncate(int column, int i) {
        int sum = (i == 0 ? EVEN : ODD) + column;
        vector(Evex.VMULPS, 26, 26, column);
        code.vector(Evex.VCVTTPS2DQ, 26, 0, register(26));
        vector(Evex.VPADDD, sum, sum, 26);
    }

    /// Rounds the sums of eight columns.
    private void round(boolean mayLeave32Bits) {
        // With a scale's bits subtracted, those of its reciprocal
        constant(24, 2 * BIAS << FRACTION);
        for (int column = 0; column < COLUMNS; column++) {
            vector(Evex.VPADDD, 26, EVEN + column, ODD + column);
            if (mayLeave32Bits) {
                code.vector(
                        Evex.VPTERNLOGD,
                        EVEN + column,
                        ODD + column,
                        register(26),
                        DIFFERS_FROM_BOTH);
                vector(Evex.VPORD, OVERFLOWN, OVERFLOWN, EVEN + column);
            }
            code.toFloatTowardZero(27, 26);
            if (rule.half()) {
                mark();
            } else if (rule.resultFractionBits() < FRACTION) {
                int cut = FRACTION - rule.resultFractionBits();
                vector(Evex.VPANDD, 27, 27, code.word(-1 << cut));
            }
            vector(Evex.VPSUBD, 26, 24, column);
            vector(Evex.VMULPS, 27, 27, 26);
            storeRounded(result(column), 27);
        }
    }

    /// Bits of the sum in vector 26 that vector 27 has lost leave a mark in its last place, so that
    /// the rounding to f16 is right.
    private void mark() {
        code.vector(Evex.VCVTTPS2DQ, 25, 0, register(27));
        code.vector(Evex.VPCMPD, 1, 25, register(26), NOT_EQUAL);
        code.vectorWhere(Evex.VPORD, 1, 27, 27, code.word(1));
    }

    /// Stores results, rounded to the nearest f16 where they are such. A negative sum that vanishes
    /// is +0.
    private void storeRounded(Operand target, int source) {
        if (rule.half()) {
            code.vector(Evex.VCVTPS2PH, source, 0, register(25), 0);
            code.vector(Evex.VCVTPH2PS, source, 0, register(25));
            vector(Evex.VADDPS, source, source, code.word(0));
        }
        store(target, source);
    }

    /// Mask 7 receives where sums are out of range: exponents beyond the largest, exponents below
    /// zero that are not those of zeros, and sums of more than 32 bits.
    private void judge() {
        shift(LEFT, 26, LARGEST, Short.SIZE);
        shift(RIGHT_WITH_SIGN, 26, 26, Short.SIZE);
        compare(1, 26, GREATER, FusedRule.FAST_MOST + OFFSET);
        vector(Evex.VPANDD, 26, LARGEST_UNSIGNED, code.word(0xffff));
        compare(2, 26, GREATER, FloatCode.ZERO_LIMIT + OFFSET & 0xffff);
        compare(3, OVERFLOWN, LESS, 0);
        for (int mask = 1; mask <= 3; mask++) {
            code.mask(MaskOperation.KORW, 7, 7, mask);
        }
    }
}
