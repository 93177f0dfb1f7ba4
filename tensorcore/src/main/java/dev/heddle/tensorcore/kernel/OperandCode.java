package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.NOT_EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.NOT_LESS;
import static dev.heddle.tensorcore.x86.Assembler.R10;
import static dev.heddle.tensorcore.x86.Assembler.R11;
import static dev.heddle.tensorcore.x86.Assembler.R12;
import static dev.heddle.tensorcore.x86.Assembler.R8;
import static dev.heddle.tensorcore.x86.Assembler.RAX;
import static dev.heddle.tensorcore.x86.Assembler.RBX;
import static dev.heddle.tensorcore.x86.Assembler.RDI;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Operand.all;
import static dev.heddle.tensorcore.x86.Operand.at;
import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.isa.Role;
import dev.heddle.tensorcore.kernel.FusedLayout.Choices;
import dev.heddle.tensorcore.kernel.FusedLayout.Decoding;
import dev.heddle.tensorcore.kernel.FusedLayout.Factors;
import dev.heddle.tensorcore.kernel.IntegerLayout.Expansion;
import dev.heddle.tensorcore.kernel.ProductLayout.Fetch;
import dev.heddle.tensorcore.kernel.ProductLayout.Moves;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;

import java.util.Arrays;
import java.util.Optional;

/// The part of [ProductCode] that brings operands from the registers of the warp into the memory
/// of the [ProductLayout]: words, choices of the metadata, values and their exponents.
final class OperandCode extends VectorCode {
    /// Times a byte: that byte four times.
    private static final int EACH_BYTE = 0x0101_0101;

    OperandCode(Assembler code) {
        super(code);
    }

    // Words from and to registers of the warp.

    /// Vector 0 receives the words of the entry at RAX.
    void fetch(Fetch fetch, int source) {
        load(0, at(RAX, 0));
        if (fetch == Fetch.GATHER) {
            code.moveConstant(R11, -1);
            code.maskFrom(1, R11);
            load(1, register(0));
            code.vectorWhere(Evex.VPGATHERDD, 1, 0, 0, Operand.each(source, 1));
            return;
        }
        if (fetch == Fetch.FOUR) {
            load(2, register(0));
            code.vector(Evex.VPTESTMD, 1, 0, code.word(2 * Lanes.COUNT));
            permute(2, source, 2);
        }
        permute(0, source, 0);
        if (fetch == Fetch.FOUR) {
            code.vectorWhere(Evex.VMOVDQU32, 1, 0, 0, register(2));
        }
    }

    /// Takes words of two of the entry's blocks.
    private void permute(int picks, int source, int block) {
        block(source, block);
        load(1, at(R11, 0));
        block(source, block + 1);
        vector(Evex.VPERMI2D, picks, 1, at(R11, 0));
    }

    private void block(int source, int number) {
        place(ProductLayout.ENTRY_BLOCKS + number * Long.BYTES, source);
    }

    /// R11 receives a place that the entry at RAX names, behind an address.
    private void place(int displacement, int base) {
        code.moveLong(R11, at(RAX, displacement));
        code.arithmeticLong(Arithmetic.ADD, R11, register(base));
    }

    /// Moves words to the target that they have in the layout's memory.
    void move(Moves moves, int source) {
        code.address(R10, at(RDI, moves.target()));
        moveTo(moves, source);
    }

    /// Moves words to where R10 points.
    void moveTo(Moves moves, int source) {
        code.address(RAX, at(RDI, moves.table()));
        if (moves.fetch() == Fetch.ROWS || moves.fetch() == Fetch.COLUMNS) {
            moveSquares(moves, source);
            return;
        }
        repeat(
                RBX,
                moves.vectors(),
                () -> {
                    fetch(moves.fetch(), source);
                    store(at(R10, 0), 0);
                    addTo(RAX, ProductLayout.ENTRY);
                    addTo(R10, VECTOR);
                });
    }

    private void moveSquares(Moves moves, int source) {
        load(8, at(RAX, 0));
        load(9, at(RAX, VECTOR));
        addTo(RAX, 2 * VECTOR);
        repeat(
                RBX,
                moves.vectors() / WordPermutation.BLOCKS,
                () -> {
                    for (int i = 0; i < WordPermutation.BLOCKS; i++) {
                        place(i * Long.BYTES, source);
                        load(i, at(R11, 0));
                    }
                    boolean joinsFirst = moves.fetch() == Fetch.ROWS;
                    for (int i = 0; i < 2; i++) {
                        if (joinsFirst) {
                            joinHalves(4 + 2 * i, 2 * i, 2 * i + 1);
                        } else {
                            permuteTwice(4 + 2 * i, 2 * i, 2 * i + 1);
                        }
                    }
                    for (int i = 0; i < 2; i++) {
                        if (joinsFirst) {
                            permuteTwice(2 * i, 4 + i, 6 + i);
                        } else {
                            joinHalves(2 * i, 4 + i, 6 + i);
                        }
                    }
                    for (int i = 0; i < WordPermutation.BLOCKS; i++) {
                        place(ProductLayout.SQUARE_TARGETS + i * Long.BYTES, R10);
                        store(at(R11, 0), i);
                    }
                    addTo(RAX, ProductLayout.SQUARE);
                });
    }

    /// A vector receives the lower halves of two, the next one the upper halves.
    private void joinHalves(int target, int first, int second) {
        code.vector(Evex.VSHUFI64X2, target, first, register(second), 0x44);
        code.vector(Evex.VSHUFI64X2, target + 1, first, register(second), 0xee);
    }

    /// Two vectors receive what the picks in vectors 8 and 9 take of two others.
    private void permuteTwice(int target, int first, int second) {
        for (int i = 0; i < 2; i++) {
            load(target + i, register(8 + i));
            vector(Evex.VPERMI2D, target + i, first, second);
        }
    }

    // Metadata.

    /// Looks up the elements of B that the metadata choose, or jumps where they are undefined.
    void choose(Choices choices, Label undefined) {
        code.address(RAX, at(RDI, choices.moves().table()));
        code.arithmeticLong(Arithmetic.ADD, RAX, at(RDI, ProductLayout.SELECTOR));
        vector(Evex.VPXORD, 30, 30, 30);
        repeat(
                RBX,
                choices.moves().vectors(),
                () -> {
                    fetch(choices.moves().fetch(), R8);
                    vector(Evex.VPSRLVD, 0, 0, at(RAX, ProductLayout.ENTRY_BITS));
                    for (int i = 0; i < choices.stored(); i++) {
                        place(ProductLayout.ENTRY_CANDIDATES + i * Long.BYTES, RDI);
                        vector(Evex.VPERMD, 1, 0, at(R11, 0));
                        place(ProductLayout.ENTRY_TARGETS + i * Long.BYTES, RDI);
                        store(at(R11, 0), 1);
                        vector(Evex.VPORD, 30, 30, 1);
                    }
                    addTo(RAX, ProductLayout.ENTRY);
                });
        code.vector(Evex.VPTESTMD, 1, 30, code.word(Sparsity.UNDEFINED));
        code.jumpIf(Bits.ANY, 1, undefined);
    }

    /// Puts the bytes of a sparse A where they are in a dense one, with zeros between them; jumps
    /// where the metadata are undefined.
    ///
    /// @param target the dense A: two vectors for each one of the sparse A
    void expand(Expansion expansion, Moves sparse, int target, Label undefined) {
        int[] bytes = expansion.bytes().stream().mapToInt(Integer::intValue).toArray();
        int[] words = new int[Lanes.COUNT];
        Arrays.setAll(words, lane -> lane % Integer.BYTES * Integer.BYTES * EACH_BYTE);
        Moves nibbles = expansion.metadata();
        code.address(RAX, at(RDI, nibbles.table()));
        code.arithmeticLong(Arithmetic.ADD, RAX, at(RDI, ProductLayout.SELECTOR));
        code.address(R12, at(RDI, sparse.target()));
        code.address(R10, at(RDI, target));
        vector(Evex.VPXORD, 30, 30, 30);
        repeat(
                RBX,
                sparse.vectors(),
                () -> {
                    load(3, at(R12, 0));
                    for (int chunk = 0; chunk < 2; chunk++) {
                        fetch(nibbles.fetch(), R8);
                        vector(Evex.VPSRLVD, 0, 0, at(RAX, ProductLayout.ENTRY_BITS));
                        vector(Evex.VPERMD, 1, 0, code.steps(bytes));
                        vector(Evex.VPORD, 30, 30, 1);
                        vector(Evex.VPADDD, 1, 1, code.steps(words));
                        if (chunk > 0) {
                            vector(Evex.VPADDD, 1, 1, code.word(2 * EACH_BYTE));
                        }
                        vector(Evex.VPSHUFB, 1, 3, 1);
                        store(at(R10, 0), 1);
                        addTo(RAX, ProductLayout.ENTRY);
                        addTo(R10, VECTOR);
                    }
                    addTo(R12, VECTOR);
                });
        code.vector(Evex.VPTESTMD, 1, 30, code.word(Expansion.UNDEFINED * EACH_BYTE));
        code.jumpIf(Bits.ANY, 1, undefined);
    }

    // Elements.

    /// Decodes A or B: its values, and their exponents. Those of B count from the least with which
    /// sums hold. Values of A are negative if products change sign.
    void decode(Role role, FusedLayout layout, int source) {
        Decoding operand = role == Role.A ? layout.a() : layout.b();
        boolean many = layout.rule().termsOfMany();
        Optional<Factors> factors =
                layout.scales().stream().skip(role == Role.A ? 0 : 1).findFirst();
        move(operand.words(), source);
        code.address(RAX, at(RDI, operand.elements()));
        code.address(R10, at(RDI, operand.values()));
        if (factors.isEmpty() || many) {
            values(role, operand, operand.vectors(), 0);
        } else {
            int parts = factors.get().codes().vectors();
            for (int part = 0; part < parts; part++) {
                int factor = factors.get().factors() + part * VECTOR;
                values(role, operand, operand.vectors() / parts, factor);
            }
        }
        if (!many) {
            exponents(operand, role == Role.A ? 0 : -FusedRule.FAST_LEAST, factors);
        }
    }

    /// @param factor where a vector of factors is, 0 without
    private void values(Role role, Decoding operand, int vectors, int factor) {
        repeat(
                RBX,
                vectors,
                () -> {
                    place(0, RDI);
                    load(0, at(R11, operand.words().target()));
                    place(Long.BYTES, RDI);
                    vector(Evex.VPSRLVD, 0, 0, at(R11, 0));
                    value(operand.code());
                    if (factor > 0) {
                        vector(Evex.VMULPS, 1, 1, at(RDI, factor));
                    }
                    if (role == Role.A) {
                        vector(Evex.VPXORD, 1, 1, all(RDI, ProductLayout.NEGATION));
                    }
                    store(at(R10, 0), 1);
                    addTo(RAX, 2 * Long.BYTES);
                    addTo(R10, VECTOR);
                });
    }

    /// Vector 1 receives the values of the codes in vector 0.
    void value(FloatCode format) {
        if (format.isHalf()) {
            code.vector(Evex.VPMOVDW, 0, 0, register(1));
            code.vector(Evex.VCVTPH2PS, 1, 0, register(1));
            return;
        }
        vector(Evex.VPANDD, 2, 0, code.word(format.magnitude()));
        shift(LEFT, 1, 2, format.toFloat());
        compare(1, 2, LESS, format.firstNormal());
        if (format.rebias() == 0) {
            code.vector(Evex.VPCMPD, 1, 2, code.word(0), 1, false, NOT_EQUAL);
            blend(1, 1, FloatCode.INFINITE);
        } else {
            int leadingOne = (format.rebias() + 1) << FRACTION;
            vector(Evex.VPADDD, 1, 1, code.word(format.rebias() << FRACTION));
            vector(Evex.VPADDD, 3, 1, code.word(1 << FRACTION));
            code.vectorWhere(Evex.VSUBPS, 1, 1, 3, code.word(leadingOne));
            compare(1, 2, NOT_LESS, format.special());
            blend(1, 1, FloatCode.INFINITE);
        }
        shift(LEFT, 0, 0, format.toSign());
        int firstOrBothOthers = 0xf8;
        code.vector(
                Evex.VPTERNLOGD,
                1,
                0,
                code.word(format.sign() << format.toSign()),
                firstOrBothOthers);
    }

    /// Exponents of 16 bits; of two vectors side by side.
    private void exponents(Decoding operand, int offset, Optional<Factors> factors) {
        constant(10, twice(0xff));
        constant(11, twice(offset - BIAS));
        constant(9, twice(offset + operand.code().minimumExponent()));
        constant(13, twice(FloatCode.ZERO));
        constant(14, twice(FloatCode.SPECIAL));
        vector(Evex.VPXORD, 15, 15, 15);
        code.address(RAX, at(RDI, operand.pairs()));
        code.address(R10, at(RDI, operand.exponents()));
        int parts = factors.map(each -> Math.ceilDiv(each.codes().vectors(), 2)).orElse(1);
        for (int part = 0; part < parts; part++) {
            load(12, register(9));
            if (factors.isPresent()) {
                int least = factors.get().exponents() + part * VECTOR;
                vector(Evex.VPADDW, 12, 12, at(RDI, least));
            }
            repeat(RBX, operand.pairVectors() / parts, () -> exponents(operand.step()));
        }
    }

    private void exponents(int step) {
        place(0, RDI);
        shift(RIGHT, 0, at(R11, 0), FRACTION);
        shift(RIGHT, 1, at(R11, step), FRACTION - Short.SIZE);
        vector(Evex.VPANDD, 0, 0, code.word(0xff));
        vector(Evex.VPANDD, 1, 1, code.word(0xff << Short.SIZE));
        vector(Evex.VPORD, 0, 0, 1);
        vector(Evex.VPADDW, 2, 0, 11);
        vector(Evex.VPMAXSW, 2, 2, 12);
        vector(Evex.VPCMPEQW, 1, 0, 15);
        code.vectorWhere(Evex.VPBLENDMW, 1, 2, 2, register(13));
        vector(Evex.VPCMPEQW, 1, 0, 10);
        code.vectorWhere(Evex.VPBLENDMW, 1, 2, 2, register(14));
        store(at(R10, 0), 2);
        addTo(RAX, Long.BYTES);
        addTo(R10, VECTOR);
    }
}
