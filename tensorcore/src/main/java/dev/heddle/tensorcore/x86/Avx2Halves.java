package dev.heddle.tensorcore.x86;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;

import dev.heddle.tensorcore.x86.Assembler.Label;

/// Instructions with AVX2 whose halves are not each other's like: elements of another size, or
/// anywhere in memory.
record Avx2Halves(Avx2Assembler code) {
    private static final int RESULT = Avx2Assembler.RESULT;
    private static final int LAST = Avx2Assembler.LAST;
    private static final int SPARE = Avx2Assembler.SPARE;

    /// 2^52 as a double: added to a word it has the word in its low bits.
    private static final long TWO_TO_52 = 0x4330_0000_0000_0000L;

    /// The even longs of two halves in turn become one behind the other.
    private static final int IN_ORDER = 0xd8;

    private static Operand register(int number) {
        return Operand.register(number);
    }

    // Elements of another size.

    /// Elements of the lower half become twice as large. The upper half is made first: the lower
    /// one of the source may be where the lower one of the result will be.
    void widen(Evex operation, int target, Operand last) {
        for (int half = 1; half >= 0; half--) {
            Operand from = part(last, half, operation.unit / 2);
            int made = code.target(target, half);
            if (operation == Evex.VCVTUDQ2PD) {
                code.emit(Evex.VPMOVZXDQ, made, 0, from);
                code.emit(Evex.VPORD, made, made, code.longword(TWO_TO_52));
                code.emit(Evex.VSUBPD, made, made, code.longword(TWO_TO_52));
            } else {
                code.emit(operation, made, 0, from, -1);
            }
            code.keep(target, half, made);
        }
    }

    /// Sixteen bytes of the lower half of a vector.
    private Operand quarter(Operand last, int quarter) {
        return part(last, quarter, 16);
    }

    /// The same, or so many bytes of memory.
    private Operand part(Operand last, int quarter, int bytes) {
        Operand low = last instanceof Operand.Register(int number) ? code.half(number, 0) : last;
        if (low instanceof Operand.Memory(int base, _, int displacement, _)) {
            return Operand.at(base, displacement + bytes * quarter);
        }
        if (quarter == 0) {
            return low;
        }
        code.emit(Vex.VEXTRACTI128, ((Operand.Register) low).number(), 0, register(LAST), 1);
        return register(LAST);
    }

    /// Elements become half as large, and the vector its lower half; or a quarter. They go to a
    /// vector or, if they are cut off, to memory.
    void narrow(Evex operation, int source, Operand target, int constant) {
        int low = code.load(source, 0);
        int high = code.load(source, 1);
        switch (operation) {
            case VPMOVQD -> evenWords(low, high);
            case VPMOVDW -> evenShorts(low, high, 0xffff);
            case VPMOVDB -> {
                evenShorts(low, high, 0xff);
                code.emit(Vex.VPACKUSWB, RESULT, RESULT, register(RESULT));
                code.emit(Vex.VPERMQ, RESULT, 0, register(RESULT), IN_ORDER);
            }
            case VCVTPS2PH -> {
                code.emit(Evex.VCVTPS2PH, low, 0, register(RESULT), constant);
                code.emit(Evex.VCVTPS2PH, high, 0, register(SPARE), constant);
                join();
            }
            case VCVTTPD2DQ, VCVTPD2PS -> {
                code.emit(operation, RESULT, 0, register(low));
                code.emit(operation, SPARE, 0, register(high));
                join();
            }
            default -> {
                int towardZero = 0xb;
                code.emit(Vex.VROUNDPD, RESULT, 0, register(low), towardZero);
                code.emit(Vex.VROUNDPD, SPARE, 0, register(high), towardZero);
                code.emit(Evex.VADDPD, RESULT, RESULT, code.longword(TWO_TO_52));
                code.emit(Evex.VADDPD, SPARE, SPARE, code.longword(TWO_TO_52));
                evenWords(RESULT, SPARE);
            }
        }
        if (target instanceof Operand.Register(int number)) {
            code.keep(number, 0, RESULT);
        } else if (operation == Evex.VPMOVDB) {
            code.emit128(Evex.VMOVDQU32_STORE, RESULT, 0, target);
        } else {
            code.emit(Evex.VMOVDQU32_STORE, RESULT, 0, target);
        }
    }

    private void evenShorts(int low, int high, int bits) {
        code.emit(Evex.VPANDD, RESULT, low, code.word(bits));
        code.emit(Evex.VPANDD, SPARE, high, code.word(bits));
        code.emit(Vex.VPACKUSDW, RESULT, RESULT, register(SPARE));
        code.emit(Vex.VPERMQ, RESULT, 0, register(RESULT), IN_ORDER);
    }

    private void evenWords(int low, int high) {
        code.emit(Vex.VSHUFPS, RESULT, low, register(high), 0x88);
        code.emit(Vex.VPERMQ, RESULT, 0, register(RESULT), IN_ORDER);
    }

    private void join() {
        code.emit(Vex.VINSERTI128, RESULT, RESULT, register(SPARE), 1);
    }

    // Elements of another place.

    /// Words of a vector by the low four bits of indices.
    void permute(int target, int indices, Operand words) {
        for (int half = 0; half < 2; half++) {
            pick(code.load(indices, half), words);
            code.keep(target, half, RESULT);
        }
    }

    /// Words of two vectors by the low five bits of what the target holds.
    void permute(int target, Operand first, Operand second) {
        Operand kept = Operand.at(Assembler.RSP, Avx2Assembler.ELEMENTS);
        for (int half = 0; half < 2; half++) {
            int index = code.load(target, half);
            pick(index, second);
            code.emit(Evex.VMOVDQU32_STORE, RESULT, 0, kept);
            pick(index, first);
            code.shift(false, LEFT, LAST, index, 31 - 4);
            code.emit(Vex.VBLENDVPS, RESULT, RESULT, kept, LAST << 4);
            code.keep(target, half, RESULT);
        }
    }

    private void pick(int index, Operand words) {
        code.emit(Evex.VPERMD, RESULT, index, code.half(words, 0, LAST, false));
        code.emit(Evex.VPERMD, SPARE, index, code.half(words, 1, LAST, false));
        code.shift(false, LEFT, LAST, index, 31 - 3);
        code.emit(Vex.VBLENDVPS, RESULT, RESULT, register(SPARE), LAST << 4);
    }

    // Elements anywhere in memory.

    /// Lanes that the mask leaves out have anything.
    void gather(Evex operation, int target, Operand last, int mask) {
        Operand.Memory memory = (Operand.Memory) last;
        boolean isLong = operation == Evex.VPGATHERDQ || operation == Evex.VPGATHERQQ;
        boolean far = operation == Evex.VPGATHERQD || operation == Evex.VPGATHERQQ;
        for (int half = 0; half < 2; half++) {
            int index;
            if (isLong && !far) {
                index = code.load(quarter(register(memory.index()), half), LAST);
            } else {
                index = code.load(memory.index(), half);
            }
            Operand elements = Operand.each(memory.base(), index);
            boolean byLongs = isLong || far;
            code.emit(Evex.VPXORD, RESULT, RESULT, register(RESULT));
            if (isLong || !far) {
                signs(mask, half, byLongs);
                code.emit(operation, RESULT, SPARE, elements, -1);
                code.keep(target, half, RESULT);
            } else {
                wordSigns(mask, half);
                code.emit(operation, RESULT, SPARE, elements, -1);
                if (half == 0) {
                    code.keep(target, 0, RESULT);
                } else {
                    int low = code.load(target, 0);
                    code.emit(Vex.VINSERTI128, RESULT, low, register(RESULT), 1);
                    code.keep(target, 0, RESULT);
                }
            }
        }
    }

    private void signs(int mask, int half, boolean isLong) {
        new Avx2Masks(code).signs(SPARE, mask, half, isLong);
    }

    /// Of four words, at the places of the longs of half a vector.
    private void wordSigns(int mask, int half) {
        int[] amounts = new int[16];
        for (int lane = 0; lane < 8; lane++) {
            amounts[8 * (lane / 4) + lane % 4] = 31 - lane;
        }
        code.emit(Evex.VPBROADCASTD, SPARE, 0, Avx2Assembler.maskWord(mask));
        Operand steps = code.half(code.steps(amounts), half, SPARE, false);
        code.emit(Evex.VPSLLVD, SPARE, SPARE, steps);
    }

    /// One lane after the other, from the first, by RAX, R13 and R14, which are kept.
    void scatter(Evex operation, int source, Operand last, int mask) {
        Operand.Memory memory = (Operand.Memory) last;
        boolean isLong = operation == Evex.VPSCATTERDQ || operation == Evex.VPSCATTERQQ;
        boolean far = operation == Evex.VPSCATTERQD || operation == Evex.VPSCATTERQQ;
        spill(memory.index(), Avx2Assembler.INDICES);
        spill(source, Avx2Assembler.ELEMENTS);
        int[] kept = {Assembler.RAX, Assembler.R13, Assembler.R14};
        for (int i = 0; i < kept.length; i++) {
            code.storeLong(Avx2Assembler.saved(1 + i), kept[i]);
        }
        code.move(Assembler.RAX, Avx2Assembler.maskWord(mask));
        int lanes = isLong || far ? 0xff : 0xffff;
        code.arithmetic(Assembler.Arithmetic.AND, Operand.register(Assembler.RAX), lanes);
        Label next = new Label();
        Label done = new Label();
        code.bind(next);
        code.countTrailingZeros(Assembler.R13, Assembler.RAX);
        code.jump(Condition.BELOW, done);
        load(far, Assembler.R14, Avx2Assembler.INDICES);
        load(isLong, Assembler.R13, Avx2Assembler.ELEMENTS);
        code.clearLowestBit(Assembler.RAX);
        code.arithmeticLong(
                Assembler.Arithmetic.ADD, Assembler.R14, Operand.register(memory.base()));
        if (isLong) {
            code.storeLong(Operand.at(Assembler.R14, memory.displacement()), Assembler.R13);
        } else {
            code.store(Operand.at(Assembler.R14, memory.displacement()), Assembler.R13);
        }
        code.jump(next);
        code.bind(done);
        for (int i = 0; i < kept.length; i++) {
            code.moveLong(kept[i], Avx2Assembler.saved(1 + i));
        }
    }

    /// The element of a list behind the stack pointer that R13 says.
    private void load(boolean isLong, int target, int list) {
        code.loadAt(isLong, target, Assembler.RSP, Assembler.R13, list);
    }

    private void spill(int vector, int place) {
        for (int half = 0; half < 2; half++) {
            int from = code.load(vector, half);
            Operand to = Operand.at(Assembler.RSP, place + Avx2Assembler.HALF * half);
            code.emit(Evex.VMOVDQU32_STORE, from, 0, to);
        }
    }
}
