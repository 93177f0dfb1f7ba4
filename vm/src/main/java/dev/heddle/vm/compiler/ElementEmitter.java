package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How elements of memory become values of registers, and back; and moves of those that stand one
/// behind the other for all lanes, or in one place.
///
/// Elements of 8 and 16 bits are words here, as elements of 32 bits of registers of 64 are. They
/// become as wide as their register when it gets them, with their sign or with zeros.
record ElementEmitter(WarpValues values, Assembler code) {
    static final int POINTER = Assembler.RAX;
    static final int OTHER_POINTER = Assembler.RBP;
    private static final int ONE = Assembler.R13;

    ElementEmitter(WarpValues values) {
        this(values, values.code);
    }

    /// Whether an element is narrower than the word or long that its register is.
    static boolean isPart(Access access, Source register) {
        return access.bytes() < bytesOf(register);
    }

    private static int bytesOf(Source register) {
        return register.width() == Width.LONG ? Long.BYTES : Integer.BYTES;
    }

    /// Whether a register can be loaded or stored.
    static boolean fits(Access access, Source register, boolean store) {
        return store
                ? !(register instanceof Source.FrameAddress)
                        && register.width() != Width.PREDICATE
                        && access.bytes() <= bytesOf(register)
                : register instanceof Register target
                        && target.width() != Width.PREDICATE
                        && 8 * access.bytes() <= target.bits();
    }

    // Words of sixteen lanes.

    /// Elements that are words, each in the low bits or cut out already, go to a chunk of sixteen
    /// lanes of a register.
    ///
    /// @param elements in [WarpValues#RESULT], or wherever a result of the chunk is to be made
    void keep(Access access, Register target, int chunk, @Nullable Guard guard, int elements) {
        if (target.width() == Width.WORD) {
            if (access.signed() && 8 * access.bytes() < target.bits() && target.bits() < 32) {
                Operand bits = code.word((1 << target.bits()) - 1);
                code.vector(Evex.VPANDD, elements, elements, bits);
            }
            values.keep(target, chunk, guard, elements);
            return;
        }
        Evex widen = access.signed() ? Evex.VPMOVSXDQ : Evex.VPMOVZXDQ;
        int upper = WarpValues.FOURTH;
        code.vector(Evex.VEXTRACTI64X4, elements, 0, Operand.register(upper), 1);
        for (int half = 0; half < 2; half++) {
            int made = WarpValues.THIRD;
            code.vector(widen, made, 0, Operand.register(half == 0 ? elements : upper));
            values.keep(target, 2 * chunk + half, guard, made);
        }
    }

    /// The low words of a chunk of sixteen lanes, in the vector that is returned.
    int words(Source value, int chunk, int spare) {
        if (value.width() == Width.WORD) {
            return values.load(value, chunk, spare);
        }
        for (int half = 0; half < 2; half++) {
            int part = half == 0 ? spare : WarpValues.THIRD;
            int from = values.load(value, 2 * chunk + half, part);
            code.vector(Evex.VPMOVQD, from, 0, Operand.register(part));
        }
        Operand upper = Operand.register(WarpValues.THIRD);
        code.vector(Evex.VINSERTI64X4, spare, spare, upper, 1);
        return spare;
    }

    /// An element from a place in words, in bits.
    void cut(Access access, int target, int words, int at) {
        int bits = 8 * access.bytes();
        Operand from = Operand.register(words);
        boolean signed = access.signed();
        code.vector(Evex.VPSLLD_I, LEFT, target, from, 32 - bits - at);
        code.vector(
                signed ? Evex.VPSRAD_I : Evex.VPSLLD_I,
                signed ? RIGHT_WITH_SIGN : RIGHT,
                target,
                Operand.register(target),
                32 - bits);
    }

    // Whole warps.

    private static int pointerOf(int chunk, Width width) {
        return (width == Width.LONG ? chunk >> 1 : chunk) == 0 ? POINTER : OTHER_POINTER;
    }

    /// Elements one behind the other.
    void consecutive(MemoryEmitter.Plain plain) {
        Source value = plain.registers().getFirst();
        if (value == null) {
            return;
        }
        if (isPart(plain.access(), value)) {
            for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
                consecutiveParts(plain, value, chunk);
            }
            return;
        }
        boolean isLong = value.width() == Width.LONG;
        for (int chunk = 0; chunk < WarpValues.chunks(value.width()); chunk++) {
            int shift = isLong ? 64 * (chunk & 1) : 0;
            Operand place = Operand.at(pointerOf(chunk, value.width()), plain.offset() + shift);
            if (plain.store()) {
                int from = values.load(value, chunk, WarpValues.RESULT);
                code.vector(isLong ? Evex.VMOVDQU64_STORE : Evex.VMOVDQU32_STORE, from, 0, place);
            } else {
                Register target = (Register) value;
                int made = values.result(target, chunk, null);
                code.vector(Evex.VMOVDQU32, made, 0, place);
                values.keep(target, chunk, null, made);
            }
        }
    }

    private void consecutiveParts(MemoryEmitter.Plain plain, Source value, int chunk) {
        Operand place = Operand.at(pointerOf(chunk, Width.WORD), plain.offset());
        Access access = plain.access();
        if (plain.store()) {
            Evex store =
                    switch (access.bytes()) {
                        case 1 -> Evex.VPMOVDB;
                        case 2 -> Evex.VPMOVDW;
                        default -> Evex.VMOVDQU32_STORE;
                    };
            code.vector(store, words(value, chunk, WarpValues.RESULT), 0, place);
            return;
        }
        Evex load =
                switch (access.bytes()) {
                    case 1 -> access.signed() ? Evex.VPMOVSXBD : Evex.VPMOVZXBD;
                    case 2 -> access.signed() ? Evex.VPMOVSXWD : Evex.VPMOVZXWD;
                    default -> Evex.VMOVDQU32;
                };
        int made = resultOf((Register) value, chunk);
        code.vector(load, made, 0, place);
        keep(access, (Register) value, chunk, null, made);
    }

    private int resultOf(Register target, int chunk) {
        return target.width() == Width.WORD
                ? values.result(target, chunk, null)
                : WarpValues.RESULT;
    }

    /// One element for each half of the warp.
    void uniform(MemoryEmitter.Plain plain) {
        if (!(plain.registers().getFirst() instanceof Register target)) {
            return;
        }
        for (int half = 0; half < 2; half++) {
            int pointer = half == 0 ? POINTER : OTHER_POINTER;
            uniform(plain.access(), target, half, pointer, plain.offset());
        }
    }

    /// One element for sixteen lanes.
    private void uniform(Access access, Register target, int half, int pointer, int offset) {
        if (isPart(access, target)) {
            int made = resultOf(target, half);
            if (access.bytes() == Integer.BYTES) {
                code.vector(Evex.VPBROADCASTD, made, 0, Operand.all(pointer, offset));
            } else {
                Operand place = Operand.at(pointer, offset);
                code.moveNarrow(ONE, place, access.bytes(), access.signed());
                code.vector(Evex.VPBROADCASTD_R, made, 0, Operand.register(ONE));
            }
            keep(access, target, half, null, made);
            return;
        }
        boolean isLong = target.width() == Width.LONG;
        int chunks = isLong ? 2 : 1;
        for (int chunk = half * chunks; chunk < (half + 1) * chunks; chunk++) {
            int made = values.result(target, chunk, null);
            Evex broadcast = isLong ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD;
            code.vector(broadcast, made, 0, Operand.all(pointer, offset));
            values.keep(target, chunk, null, made);
        }
    }

    // The same for all lanes by nature.

    /// Whether a load is of kernel parameters at a fixed place. Loads from elsewhere go where what
    /// is wrong with them is found.
    static boolean isParameter(Step.Load load, int parameterBytes) {
        Access access = load.access();
        int bytes = access.bytes() * load.targets().size();
        return access.space() == Space.PARAM
                && load.guard() == null
                && load.base() instanceof Source.Constant(_, long base)
                && base + load.offset() >= 0
                && base + load.offset() + bytes <= parameterBytes
                && (base + load.offset()) % bytes == 0
                && load.targets().stream()
                        .allMatch(target -> target == null || fits(access, target, false));
    }

    /// Such a load.
    void parameter(Step.Load load) {
        long at = load.base() instanceof Source.Constant(_, long bits) ? bits : 0;
        List<@Nullable Register> targets = load.targets();
        code.moveLong(POINTER, Operand.at(WarpValues.CONTEXT, WarpContext.PARAMETERS));
        for (int i = 0; i < targets.size(); i++) {
            Register target = targets.get(i);
            int offset = (int) (at + load.offset()) + i * load.access().bytes();
            for (int half = 0; target != null && half < 2; half++) {
                uniform(load.access(), target, half, POINTER, offset);
            }
        }
    }

    /// A predefined register.
    void special(Step.ReadSpecial step, int place) {
        for (int chunk = 0; chunk < 2; chunk++) {
            int made = values.result(step.target(), chunk, null);
            if (place < WarpContext.LANES) {
                Operand one = Operand.all(WarpValues.CONTEXT, place);
                code.vector(Evex.VPBROADCASTD, made, 0, one);
            } else {
                Operand lanes = Operand.at(WarpValues.CONTEXT, place + 64 * chunk);
                code.vector(Evex.VMOVDQU32, made, 0, lanes);
            }
            values.keep(step.target(), chunk, null, made);
        }
    }
}
