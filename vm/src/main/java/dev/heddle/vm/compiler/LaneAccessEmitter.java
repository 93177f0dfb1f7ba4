package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

/// Loads and stores whose lanes go anywhere: each address checked, elements gathered or scattered.
record LaneAccessEmitter(WarpValues values, Assembler code) {
    private static final int POINTER = Assembler.RBP;
    private static final int CHECK = 5;
    private static final int LANES = 7;

    LaneAccessEmitter(WarpValues values) {
        this(values, values.code);
    }

    /// Lane by lane, for those that run and the guard holds for.
    void emit(MemoryEmitter.Plain plain, Label fault) {
        code.maskFrom(LANES, ofStep(plain.step()));
        if (plain.store()) {
            code.storeConstant(Operand.at(WarpValues.CONTEXT, WarpContext.CHANGED), 1);
        }
        int chunks = WarpValues.chunks(plain.base().width());
        for (int chunk = 0; chunk < chunks; chunk++) {
            check(plain, chunk, fault);
        }
        code.moveLong(
                POINTER,
                Operand.at(
                        WarpValues.CONTEXT,
                        plain.global() ? WarpContext.GLOBAL : WarpContext.SHARED));
        for (int i = 0; i < plain.registers().size(); i++) {
            Source register = plain.registers().get(i);
            if (register != null) {
                int shift = i * plain.access().bytes();
                if (plain.store()) {
                    scatter(plain, register, shift);
                } else {
                    gather(plain, (Register) register, shift);
                }
            }
        }
    }

    /// Leaves the lanes that take a step in a general register.
    int ofStep(Step step) {
        code.move(Assembler.RAX, Operand.register(WarpValues.ACTIVE));
        if (step.guard() != null) {
            values.restrict(Assembler.RAX, step.guard());
        }
        return Assembler.RAX;
    }

    /// The lanes of a chunk that take part, in a mask register.
    private void lanesOf(int mask, Width width, int chunk) {
        code.maskShiftRight(mask, LANES, (width == Width.LONG ? 8 : 16) * chunk);
    }

    /// The offsets of a chunk in their memory.
    private void offsets(int target, MemoryEmitter.Plain plain, int chunk, int shift) {
        int address = values.load(plain.base(), chunk, target);
        if (plain.base().width() == Width.LONG) {
            long more = (plain.global() ? -Addresses.GLOBAL : 0) + plain.offset() + shift;
            code.vector(Evex.VPADDQ, target, address, code.longword(more));
        } else {
            code.vector(Evex.VPADDD, target, address, code.word(plain.offset() + shift));
        }
    }

    private void check(MemoryEmitter.Plain plain, int chunk, Label fault) {
        Width width = plain.base().width();
        boolean isLong = width == Width.LONG;
        offsets(WarpValues.FOURTH, plain, chunk, 0);
        int unit = Integer.highestOneBit(plain.bytes());
        int size = Integer.numberOfTrailingZeros(unit) - 2;
        lanesOf(6, width, chunk);
        if (plain.bytes() != unit) {
            throw new IllegalStateException("three elements");
        }
        Operand last =
                plain.global()
                        ? Operand.all(WarpValues.CONTEXT, WarpContext.LAST_GLOBAL + 8 * size)
                        : Operand.all(WarpValues.CONTEXT, WarpContext.LAST_SHARED + 4 * size);
        if (isLong && !plain.global()) {
            // The bound is a word; addresses are longs.
            code.move(
                    Assembler.RBP,
                    Operand.at(WarpValues.CONTEXT, WarpContext.LAST_SHARED + 4 * size));
            code.vector(Evex.VPBROADCASTQ_R, WarpValues.THIRD, 0, Operand.register(Assembler.RBP));
            last = Operand.register(WarpValues.THIRD);
        }
        code.vector(
                isLong ? Evex.VPCMPUQ : Evex.VPCMPUD, CHECK, WarpValues.FOURTH, last, 6, false, 6);
        code.jumpIf(Bits.ANY, CHECK, fault);
        code.vectorWhere(
                isLong ? Evex.VPTESTMQ : Evex.VPTESTMD,
                6,
                CHECK,
                WarpValues.FOURTH,
                isLong ? code.longword(unit - 1) : code.word(unit - 1));
        code.jumpIf(Bits.ANY, CHECK, fault);
    }

    private void gather(MemoryEmitter.Plain plain, Register target, int shift) {
        Guard guard = plain.step().guard();
        boolean isLong = target.width() == Width.LONG;
        boolean far = plain.base().width() == Width.LONG;
        for (int chunk = 0; chunk < WarpValues.chunks(target.width()); chunk++) {
            int from = WarpValues.FOURTH;
            if (isLong == far) {
                offsets(from, plain, chunk, shift);
                lanesOf(6, target.width(), chunk);
                code.vectorWhere(
                        far ? Evex.VPGATHERQQ : Evex.VPGATHERDD,
                        6,
                        WarpValues.RESULT,
                        0,
                        Operand.each(POINTER, from));
            } else if (isLong) {
                offsets(from, plain, chunk >> 1, shift);
                if ((chunk & 1) == 1) {
                    code.vector(Evex.VEXTRACTI64X4, from, 0, Operand.register(WarpValues.THIRD), 1);
                    from = WarpValues.THIRD;
                }
                lanesOf(6, Width.LONG, chunk);
                code.vectorWhere(
                        Evex.VPGATHERDQ, 6, WarpValues.RESULT, 0, Operand.each(POINTER, from));
            } else {
                for (int half = 0; half < 2; half++) {
                    offsets(from, plain, 2 * chunk + half, shift);
                    lanesOf(6, Width.LONG, 2 * chunk + half);
                    code.vectorWhere(
                            Evex.VPGATHERQD,
                            6,
                            half == 0 ? WarpValues.RESULT : WarpValues.SECOND,
                            0,
                            Operand.each(POINTER, from));
                }
                code.vector(
                        Evex.VINSERTI64X4,
                        WarpValues.RESULT,
                        WarpValues.RESULT,
                        Operand.register(WarpValues.SECOND),
                        1);
            }
            values.keep(target, chunk, guard, WarpValues.RESULT);
        }
    }

    private void scatter(MemoryEmitter.Plain plain, Source value, int shift) {
        boolean isLong = value.width() == Width.LONG;
        boolean far = plain.base().width() == Width.LONG;
        for (int chunk = 0; chunk < WarpValues.chunks(value.width()); chunk++) {
            int to = WarpValues.FOURTH;
            int from = values.load(value, chunk, WarpValues.RESULT);
            if (isLong == far) {
                offsets(to, plain, chunk, shift);
                lanesOf(6, value.width(), chunk);
                code.vectorWhere(
                        far ? Evex.VPSCATTERQQ : Evex.VPSCATTERDD,
                        6,
                        from,
                        0,
                        Operand.each(POINTER, to));
            } else if (isLong) {
                offsets(to, plain, chunk >> 1, shift);
                if ((chunk & 1) == 1) {
                    code.vector(Evex.VEXTRACTI64X4, to, 0, Operand.register(WarpValues.THIRD), 1);
                    to = WarpValues.THIRD;
                }
                lanesOf(6, Width.LONG, chunk);
                code.vectorWhere(Evex.VPSCATTERDQ, 6, from, 0, Operand.each(POINTER, to));
            } else {
                for (int half = 0; half < 2; half++) {
                    int part = from;
                    if (half == 1) {
                        code.vector(
                                Evex.VEXTRACTI64X4,
                                from,
                                0,
                                Operand.register(WarpValues.SECOND),
                                1);
                        part = WarpValues.SECOND;
                    }
                    offsets(to, plain, 2 * chunk + half, shift);
                    lanesOf(6, Width.LONG, 2 * chunk + half);
                    code.vectorWhere(Evex.VPSCATTERQD, 6, part, 0, Operand.each(POINTER, to));
                }
            }
        }
    }
}
