package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.R10;
import static dev.heddle.tensorcore.x86.Assembler.R11;
import static dev.heddle.tensorcore.x86.Assembler.R12;
import static dev.heddle.tensorcore.x86.Assembler.R13;
import static dev.heddle.tensorcore.x86.Assembler.RAX;
import static dev.heddle.tensorcore.x86.Assembler.RBP;
import static dev.heddle.tensorcore.x86.Assembler.RBX;
import static dev.heddle.tensorcore.x86.Assembler.RDI;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;
import static dev.heddle.tensorcore.x86.Assembler.RSI;
import static dev.heddle.tensorcore.x86.Operand.all;
import static dev.heddle.tensorcore.x86.Operand.at;
import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.tensorcore.numerics.Accumulation.BitOperation;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;

import java.util.Arrays;

/// The part of [ProductCode] that forms integer sums, 16 rows by eight columns at a time.
///
/// Of each half of a word one element is taken at a time, with its sign, and the products of both
/// halves are added in 32 bits: `vpmaddwd`. None of these sums is too large: at most 64 products of
/// 255 by 255. Of single bits, the ones of each byte are counted, at most 64 of eight words.
final class IntegerSumCode extends VectorCode {
    private static final int COLUMNS = 8;

    // Vectors: the sums of eight columns, parts of A, and what is on its way.
    private static final int SUMS = 8;
    private static final int PARTS = 24;
    private static final int PRODUCT = 28;

    // Of single bits: how many ones each half of a byte has, and what is on its way.
    private static final int ONES = 23;
    private static final int BITS = 24;
    private static final int UPPER = 25;

    private final IntegerLayout layout;

    IntegerSumCode(Assembler code, IntegerLayout layout) {
        super(code);
        this.layout = layout;
    }

    /// Takes B apart.
    void split() {
        code.address(RAX, at(RDI, layout.b().target()));
        code.address(R10, at(RDI, layout.parts()));
        repeat(
                RBX,
                layout.b().vectors(),
                () -> {
                    load(0, at(RAX, 0));
                    for (int i = 0; i < layout.perHalf(); i++) {
                        part(1, 0, i, layout.formatB());
                        store(at(R10, i * layout.partStep()), 1);
                    }
                    addTo(RAX, VECTOR);
                    addTo(R10, VECTOR);
                });
    }

    /// In each half of a word, the i-th of its elements.
    private void part(int target, int source, int i, IntegerFormat format) {
        int unused = Short.SIZE - format.bits();
        int toTop = unused - i * format.bits();
        int high = toTop == 0 ? source : target;
        if (toTop > 0) {
            shiftHalves(LEFT, target, source, toTop);
        }
        shiftHalves(format.signed() ? RIGHT_WITH_SIGN : RIGHT, target, high, unused);
    }

    private void shiftHalves(int digit, int target, int source, int amount) {
        code.vector(Evex.VPSHIFTW_I, digit, target, register(source), amount);
    }

    /// RSI walks along A, R13 along B, R10 along C.
    void sums() {
        code.address(RSI, at(RDI, layout.planeA()));
        code.address(R10, at(RDI, layout.planeC()));
        repeat(
                RBP,
                layout.blocks(),
                () -> {
                    code.address(R13, at(RDI, layout.parts()));
                    repeat(
                            R12,
                            layout.columns() / COLUMNS,
                            () -> {
                                products();
                                finish();
                                addTo(R13, layout.k() * COLUMNS * Integer.BYTES);
                                addTo(R10, COLUMNS * VECTOR);
                            });
                    addTo(RSI, layout.k() * VECTOR);
                });
    }

    private void products() {
        code.favour(PARTS);
        if (layout.bits().isPresent()) {
            int[] ones = {0x02010100, 0x03020201, 0x03020201, 0x04030302};
            int[] lanes = new int[Lanes.COUNT];
            Arrays.setAll(lanes, lane -> ones[lane % ones.length]);
            load(ONES, code.steps(lanes));
        }
        for (int column = 0; column < COLUMNS; column++) {
            vector(Evex.VPXORD, SUMS + column, SUMS + column, SUMS + column);
        }
        code.moveLong(R11, register(RSI));
        code.moveLong(RAX, register(R13));
        repeat(
                RBX,
                layout.k(),
                () -> {
                    load(PRODUCT, at(R11, 0));
                    layout.bits().ifPresentOrElse(this::count, this::multiply);
                    addTo(R11, VECTOR);
                    addTo(RAX, COLUMNS * Integer.BYTES);
                });
        code.favourNone();
        if (layout.bits().isPresent()) {
            // The sums of pairs, of bytes and then of halves: these take no broadcast operand
            constant(BITS, 0x0101_0101);
            constant(UPPER, 0x0001_0001);
            for (int column = 0; column < COLUMNS; column++) {
                int sum = SUMS + column;
                vector(Evex.VPMADDUBSW, sum, sum, BITS);
                vector(Evex.VPMADDWD, sum, sum, UPPER);
            }
        }
    }

    private void multiply() {
        for (int i = 0; i < layout.perHalf(); i++) {
            part(PARTS + i, PRODUCT, i, layout.formatA());
        }
        for (int column = 0; column < COLUMNS; column++) {
            for (int i = 0; i < layout.perHalf(); i++) {
                int element = i * layout.partStep() + column * Integer.BYTES;
                vector(Evex.VPBROADCASTD, PRODUCT, 0, all(RAX, element));
                vector(Evex.VPMADDWD, PRODUCT, PARTS + i, PRODUCT);
                vector(Evex.VPADDD, SUMS + column, SUMS + column, PRODUCT);
            }
        }
    }

    private void count(BitOperation operation) {
        Evex meet = operation == BitOperation.AND ? Evex.VPANDD : Evex.VPXORD;
        Operand halves = code.word(0x0f0f_0f0f);
        for (int column = 0; column < COLUMNS; column++) {
            vector(meet, BITS, PRODUCT, all(RAX, column * Integer.BYTES));
            shift(RIGHT, UPPER, BITS, 4);
            for (int half : new int[] {BITS, UPPER}) {
                vector(Evex.VPANDD, half, half, halves);
                vector(Evex.VPSHUFB, half, ONES, half);
                vector(Evex.VPADDD, SUMS + column, SUMS + column, half);
            }
        }
    }

    /// Adds C and stores D in its place.
    private void finish() {
        for (int column = 0; column < COLUMNS; column++) {
            int place = column * VECTOR;
            load(0, at(R10, place));
            vector(Evex.VPADDD, 1, SUMS + column, 0);
            if (layout.overflow() == Overflow.SATURATES) {
                saturate(SUMS + column);
            }
            store(at(R10, place), 1);
        }
    }

    /// Vector 1 is the sum of vector 0 and another: where it has a sign that neither has, the
    /// limit on the side of vector 0.
    private void saturate(int other) {
        vector(Evex.VPXORD, 2, 0, 1);
        vector(Evex.VPXORD, 3, other, 1);
        vector(Evex.VPANDD, 2, 2, 3);
        compare(1, 2, LESS, 0);
        shift(RIGHT_WITH_SIGN, 0, 0, Integer.SIZE - 1);
        vector(Evex.VPXORD, 0, 0, code.word(Integer.MAX_VALUE));
        code.vectorWhere(Evex.VPBLENDMD, 1, 1, 1, register(0));
    }
}
