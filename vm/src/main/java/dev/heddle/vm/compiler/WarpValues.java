package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;

/// How machine code reads and writes the registers of a warp.
///
/// A word register is two vectors of 16 lanes, a long register four of 8: its chunks. Those with a
/// home are in vector registers, for the lanes that run; what other lanes hold there is anything.
/// All others, and those of lanes that do not run, are in the frame. Predicates are in the frame.
final class WarpValues {
    // General registers.
    static final int CONTEXT = Assembler.RDI;
    static final int WORDS = Assembler.RSI;
    static final int LONGS = Assembler.RDX;
    static final int PREDICATES = Assembler.RCX;
    static final int COUNTS = Assembler.R8;
    static final int PENDING = Assembler.R9;
    static final int BUDGET = Assembler.R10;
    static final int WORK = Assembler.R11;
    static final int LOWEST = Assembler.R12;

    /// The lanes that run.
    static final int ACTIVE = Assembler.R15;
    /// How many they are.
    static final int ACTIVE_COUNT = Assembler.RBX;

    /// The context of a CTA, while it is asked for; values in between are there, too.
    static final int CTA = Assembler.RAX;

    // Vector registers for values in between; results of steps are made in the first.
    static final int RESULT = 0;
    static final int FIRST = 1;
    static final int SECOND = 2;
    static final int THIRD = 3;
    static final int FOURTH = 4;

    /// Mask registers 1 to 4 hold the lanes that do not run, from lane 0, 16, 8 and 24 on: those
    /// of words need the first two, those of longs all.
    private static final int[] INACTIVE_OF_LONGS = {1, 3, 2, 4};

    private static final int GUARD = 7;

    final Assembler code;
    private final VectorHomes homes;

    /// A field of the warp's context.
    static Operand context(int offset) {
        return Operand.at(CONTEXT, offset);
    }

    /// A field of the CTA's context.
    static Operand cta(int offset) {
        return Operand.at(CTA, offset);
    }

    /// One field of the CTA's context for all lanes.
    static Operand cta64(int offset) {
        return Operand.all(CTA, offset);
    }

    WarpValues(Assembler code, VectorHomes homes) {
        this.code = code;
        this.homes = homes;
    }

    /// Mask register with the lanes of a chunk that do not run.
    static int inactive(Width width, int chunk) {
        return width == Width.LONG ? INACTIVE_OF_LONGS[chunk] : chunk + 1;
    }

    /// Sets the masks of lanes that do not run, from the lanes that do.
    void setInactive(int running) {
        code.move(Assembler.RBP, Operand.register(running));
        code.not(Assembler.RBP);
        code.maskFrom(1, Assembler.RBP);
        code.maskShiftRight(3, 1, 8);
        code.maskShiftRight(2, 1, 16);
        code.maskShiftRight(4, 1, 24);
    }

    /// Knows how many lanes run, and which do not.
    void countActive() {
        code.countBits(ACTIVE_COUNT, ACTIVE);
        setInactive(ACTIVE);
    }

    static int chunks(Width width) {
        return width == Width.LONG ? 4 : 2;
    }

    /// A chunk of a register in the frame.
    static Operand inFrame(Register register, int chunk) {
        return register.width() == Width.LONG
                ? Operand.at(LONGS, 256 * register.index() + 64 * chunk)
                : Operand.at(WORDS, 128 * register.index() + 64 * chunk);
    }

    static Operand predicate(Register register) {
        return Operand.at(PREDICATES, 4 * register.index());
    }

    /// The vector register of a chunk, or -1.
    int home(Source source, int chunk) {
        return source instanceof Register register ? homes.of(register, chunk) : -1;
    }

    // Reading.

    /// A chunk of a value as the last operand of an instruction.
    Operand operand(Source source, int chunk) {
        return switch (source) {
            case Source.Constant(Width width, long bits) ->
                    width == Width.LONG ? code.longword(bits) : code.word((int) bits);
            case Source.FrameAddress(long at) -> code.longword(at);
            case Register register -> {
                int home = homes.of(register, chunk);
                yield home >= 0 ? Operand.register(home) : inFrame(register, chunk);
            }
        };
    }

    /// A chunk of a value in a vector register: its home, or this one.
    int load(Source source, int chunk, int otherwise) {
        int home = home(source, chunk);
        if (home >= 0) {
            return home;
        }
        copy(otherwise, source, chunk);
        return otherwise;
    }

    /// A chunk of a value into a vector register.
    void copy(int target, Source source, int chunk) {
        if (source instanceof Register) {
            if (home(source, chunk) != target) {
                code.vector(Evex.VMOVDQU32, target, 0, operand(source, chunk));
            }
        } else {
            boolean isLong = source.width() == Width.LONG;
            code.vector(
                    isLong ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD,
                    target,
                    0,
                    operand(source, chunk));
        }
    }

    /// Eight lanes of a word register, to be widened to a chunk of longs.
    Operand half(Source source, int chunk, int spare) {
        if (!(source instanceof Register word)) {
            copy(spare, source, 0);
            return Operand.register(spare);
        }
        int home = homes.of(word, chunk >> 1);
        if (home < 0) {
            return Operand.at(WORDS, 128 * word.index() + 32 * chunk);
        }
        if ((chunk & 1) == 0) {
            return Operand.register(home);
        }
        code.vector(Evex.VEXTRACTI64X4, home, 0, Operand.register(spare), 1);
        return Operand.register(spare);
    }

    // Writing.

    /// The lanes for which a step with a guard is taken, in mask register 7.
    void guard(@Nullable Guard guard) {
        if (guard != null) {
            code.move(Assembler.RAX, Operand.register(ACTIVE));
            restrict(Assembler.RAX, guard);
            code.maskFrom(GUARD, Assembler.RAX);
        }
    }

    /// Keeps the lanes in a register for which a guard holds.
    void restrict(int lanes, Guard guard) {
        code.move(Assembler.RBP, predicate(guard.predicate()));
        if (guard.negated()) {
            code.not(Assembler.RBP);
        }
        code.arithmetic(Arithmetic.AND, lanes, Operand.register(Assembler.RBP));
    }

    /// Where a step makes a chunk of its result.
    int result(Register target, int chunk, @Nullable Guard guard) {
        int home = homes.of(target, chunk);
        return home < 0 || guard != null ? RESULT : home;
    }

    /// A chunk of a result is in a vector register: it goes where it belongs, for the lanes of mask
    /// register 7 if there is a guard.
    void keep(Register target, int chunk, @Nullable Guard guard, int made) {
        int home = homes.of(target, chunk);
        boolean isLong = target.width() == Width.LONG;
        Evex move = isLong ? Evex.VMOVDQU64 : Evex.VMOVDQU32;
        Evex store = isLong ? Evex.VMOVDQU64_STORE : Evex.VMOVDQU32_STORE;
        if (guard != null) {
            int where = guardOf(target.width(), chunk);
            if (home >= 0) {
                code.vectorWhere(move, where, home, 0, Operand.register(made));
            } else {
                code.vector(move, FIRST, 0, inFrame(target, chunk));
                code.vectorWhere(move, where, FIRST, 0, Operand.register(made));
                code.vector(store, FIRST, 0, inFrame(target, chunk));
            }
        } else if (home < 0) {
            blend(target, chunk, made, made);
        } else if (home != made) {
            code.vector(move, home, 0, Operand.register(made));
        }
    }

    /// The part of mask register 7 that belongs to a chunk.
    private int guardOf(Width width, int chunk) {
        if (chunk == 0) {
            return GUARD;
        }
        code.maskShiftRight(6, GUARD, (width == Width.LONG ? 8 : 16) * chunk);
        return 6;
    }

    /// Stores a chunk in the frame for the lanes that run. By a whole store: processors forward
    /// masked ones to later loads slowly.
    private void blend(Register target, int chunk, int value, int spare) {
        boolean isLong = target.width() == Width.LONG;
        Operand place = inFrame(target, chunk);
        code.vectorWhere(
                isLong ? Evex.VPBLENDMQ : Evex.VPBLENDMD,
                inactive(target.width(), chunk),
                spare,
                value,
                place);
        code.vector(isLong ? Evex.VMOVDQU64_STORE : Evex.VMOVDQU32_STORE, spare, 0, place);
    }

    /// Brings those of a set of registers that have homes to the frame, for the lanes that run.
    void spill(BitSet live) {
        homes.in(live).forEach(this::spill);
    }

    /// The same where all lanes run that have not ended: what the others hold is never read again.
    void spillWhole(BitSet live) {
        for (Register register : homes.in(live)) {
            boolean isLong = register.width() == Width.LONG;
            for (int chunk = 0; chunk < chunks(register.width()); chunk++) {
                code.vector(
                        isLong ? Evex.VMOVDQU64_STORE : Evex.VMOVDQU32_STORE,
                        homes.of(register, chunk),
                        0,
                        inFrame(register, chunk));
            }
        }
    }

    /// Brings those of a set of registers that have homes there from the frame.
    void fill(BitSet live) {
        homes.in(live).forEach(this::fill);
    }

    private void spill(Register register) {
        for (int chunk = 0; chunk < chunks(register.width()); chunk++) {
            blend(register, chunk, homes.of(register, chunk), RESULT);
        }
    }

    private void fill(Register register) {
        for (int chunk = 0; chunk < chunks(register.width()); chunk++) {
            code.vector(Evex.VMOVDQU32, homes.of(register, chunk), 0, inFrame(register, chunk));
        }
    }

    /// What no step behind this one reads needs no room any more.
    void endStep(int block, int step) {
        for (Register register : homes.endingAt(block, step)) {
            for (int chunk = 0; chunk < chunks(register.width()); chunk++) {
                code.drop(homes.of(register, chunk));
            }
        }
        for (int between = RESULT; between <= FOURTH; between++) {
            code.drop(between);
        }
    }

    // Predicates.

    /// The predicate in a mask register as a new value of a register.
    void keepPredicate(Register target, @Nullable Guard guard, int mask) {
        code.maskTo(Assembler.RAX, mask);
        mergePredicate(target, guard);
    }

    /// The lanes in RAX as a new value of a predicate.
    void mergePredicate(Register target, @Nullable Guard guard) {
        code.arithmetic(Arithmetic.XOR, Assembler.RAX, predicate(target));
        code.arithmetic(Arithmetic.AND, Assembler.RAX, Operand.register(ACTIVE));
        if (guard != null) {
            restrict(Assembler.RAX, guard);
        }
        code.arithmeticInto(Arithmetic.XOR, predicate(target), Assembler.RAX);
    }

    /// A predicate in RAX.
    void lanes(Source source) {
        if (source instanceof Register register) {
            code.move(Assembler.RAX, predicate(register));
        } else {
            boolean holds = source instanceof Source.Constant(_, long bits) && bits != 0;
            code.moveConstant(Assembler.RAX, holds ? -1 : 0);
        }
    }

    /// A question to each chunk.
    interface Question {
        /// Answers for the lanes of a chunk.
        ///
        /// @param mask where the answer goes
        void ask(int chunk, int mask);
    }

    /// Leaves the answers of all lanes in 5.
    ///
    /// @param width of what is asked about
    void ask(Width width, Question question) {
        question.ask(0, 5);
        question.ask(1, 6);
        if (width == Width.LONG) {
            joinLongs(5, 5, 6);
            question.ask(2, 6);
            question.ask(3, 7);
            joinLongs(6, 6, 7);
        }
        joinWords();
    }

    /// Puts the masks of two chunks of words, or four of longs, that were made in 5 and 6,
    /// together.
    void joinWords() {
        code.mask(MaskOperation.KUNPCKWD, 5, 6, 5);
    }

    private void joinLongs(int target, int low, int high) {
        code.mask(MaskOperation.KUNPCKBW, target, high, low);
    }
}
