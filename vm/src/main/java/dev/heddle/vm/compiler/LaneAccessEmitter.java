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

    /// Where elements are that one vector moves, and their lanes in a mask register.
    ///
    /// @param width of the lanes that one vector has
    /// @param part of all lanes
    private Operand places(MemoryEmitter.Plain plain, Width width, int part, int shift) {
        boolean halves = width == Width.LONG && plain.base().width() == Width.WORD;
        int at = WarpValues.FOURTH;
        offsets(at, plain, halves ? part >> 1 : part, shift);
        if (halves && (part & 1) == 1) {
            code.vector(Evex.VEXTRACTI64X4, at, 0, Operand.register(WarpValues.THIRD), 1);
            at = WarpValues.THIRD;
        }
        lanesOf(6, width, part);
        return Operand.each(POINTER, at);
    }

    private void gather(MemoryEmitter.Plain plain, Register target, int shift) {
        Guard guard = plain.step().guard();
        boolean isLong = target.width() == Width.LONG;
        boolean far = plain.base().width() == Width.LONG;
        int made = WarpValues.RESULT;
        for (int chunk = 0; chunk < WarpValues.chunks(target.width()); chunk++) {
            if (isLong || !far) {
                Operand places = places(plain, target.width(), chunk, shift);
                Evex instruction =
                        far ? Evex.VPGATHERQQ : isLong ? Evex.VPGATHERDQ : Evex.VPGATHERDD;
                code.vectorWhere(instruction, 6, made, 0, places);
            } else {
                int upper = WarpValues.SECOND;
                for (int half = 0; half < 2; half++) {
                    Operand places = places(plain, Width.LONG, 2 * chunk + half, shift);
                    code.vectorWhere(Evex.VPGATHERQD, 6, half == 0 ? made : upper, 0, places);
                }
                code.vector(Evex.VINSERTI64X4, made, made, Operand.register(upper), 1);
            }
            values.keep(target, chunk, guard, made);
        }
    }

    private void scatter(MemoryEmitter.Plain plain, Source value, int shift) {
        boolean isLong = value.width() == Width.LONG;
        boolean far = plain.base().width() == Width.LONG;
        for (int chunk = 0; chunk < WarpValues.chunks(value.width()); chunk++) {
            int from = values.load(value, chunk, WarpValues.RESULT);
            if (isLong || !far) {
                Operand places = places(plain, value.width(), chunk, shift);
                Evex instruction =
                        far ? Evex.VPSCATTERQQ : isLong ? Evex.VPSCATTERDQ : Evex.VPSCATTERDD;
                code.vectorWhere(instruction, 6, from, 0, places);
                continue;
            }
            int upper = WarpValues.SECOND;
            for (int half = 0; half < 2; half++) {
                if (half == 1) {
                    code.vector(Evex.VEXTRACTI64X4, from, 0, Operand.register(upper), 1);
                }
                Operand places = places(plain, Width.LONG, 2 * chunk + half, shift);
                code.vectorWhere(Evex.VPSCATTERQD, 6, half == 0 ? from : upper, 0, places);
            }
        }
    }
}
