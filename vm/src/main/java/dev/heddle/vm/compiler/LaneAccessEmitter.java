package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// Loads and stores whose lanes go anywhere: each address checked, elements gathered or scattered.
record LaneAccessEmitter(WarpValues values, Assembler code, ElementEmitter elements) {
    private static final int POINTER = Assembler.RBP;
    private static final int CHECK = 5;
    private static final int LANES = 7;

    LaneAccessEmitter(WarpValues values, ElementEmitter elements) {
        this(values, values.code, elements);
    }

    /// Lane by lane, for those that run and the guard holds for.
    ///
    /// @param shadow looks at the access, or null
    void emit(
            MemoryEmitter.Plain plain,
            @Nullable SharedLaneEmitter shadow,
            MemoryEmitter.Otherwise otherwise) {
        code.maskFrom(LANES, ofStep(plain.step()));
        if (plain.store()) {
            code.storeConstant(Operand.at(WarpValues.CONTEXT, WarpContext.CHANGED), 1);
        }
        int chunks = WarpValues.chunks(plain.base().width());
        for (int chunk = 0; chunk < chunks; chunk++) {
            check(plain, chunk, otherwise.fault());
            if (shadow != null) {
                shadow.keep(WarpValues.FOURTH, plain.base().width(), chunk);
            }
        }
        if (shadow != null) {
            shadow.look(plain, LANES, otherwise);
        }
        code.moveLong(
                POINTER,
                Operand.at(
                        WarpValues.CONTEXT,
                        plain.global() ? WarpContext.GLOBAL : WarpContext.SHARED));
        if (hasParts(plain)) {
            if (plain.store()) {
                storeParts(plain);
            } else {
                loadParts(plain);
            }
            return;
        }
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

    private static boolean hasParts(MemoryEmitter.Plain plain) {
        return plain.registers().stream()
                .anyMatch(
                        register ->
                                register != null
                                        && ElementEmitter.isPart(plain.access(), register));
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
        int unit = plain.bytes();
        lanesOf(6, width, chunk);
        int bound = plain.global() ? WarpContext.lastGlobal(unit) : WarpContext.lastShared(unit);
        Operand last = Operand.all(WarpValues.CONTEXT, bound);
        if (isLong && !plain.global()) {
            // The bound is a word; addresses are longs.
            code.move(Assembler.RBP, Operand.at(WarpValues.CONTEXT, bound));
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

    /// Where elements are that one vector moves, and their lanes in a mask register. Of what is
    /// narrower than a word, it is the word that has them.
    ///
    /// @param width of the lanes that one vector has
    /// @param part of all lanes
    private Operand places(MemoryEmitter.Plain plain, Width width, int part, int shift) {
        boolean halves = width == Width.LONG && plain.base().width() == Width.WORD;
        int at = WarpValues.FOURTH;
        offsets(at, plain, halves ? part >> 1 : part, shift);
        if (plain.bytes() < Integer.BYTES) {
            boolean far = plain.base().width() == Width.LONG;
            Operand words = far ? code.longword(-Integer.BYTES) : code.word(-Integer.BYTES);
            code.vector(far ? Evex.VPANDQ : Evex.VPANDD, at, at, words);
        }
        if (halves && (part & 1) == 1) {
            code.vector(Evex.VEXTRACTI64X4, at, 0, Operand.register(WarpValues.THIRD), 1);
            at = WarpValues.THIRD;
        }
        lanesOf(6, width, part);
        return Operand.each(POINTER, at);
    }

    private void gather(MemoryEmitter.Plain plain, Register target, int shift) {
        Guard guard = plain.step().guard();
        int made = WarpValues.RESULT;
        for (int chunk = 0; chunk < WarpValues.chunks(target.width()); chunk++) {
            if (target.width() == Width.WORD) {
                gatherWords(plain, chunk, shift, made, WarpValues.SECOND);
            } else {
                boolean far = plain.base().width() == Width.LONG;
                Operand places = places(plain, Width.LONG, chunk, shift);
                Evex instruction = far ? Evex.VPGATHERQQ : Evex.VPGATHERDQ;
                code.vectorWhere(instruction, 6, made, 0, places);
            }
            values.keep(target, chunk, guard, made);
        }
    }

    /// @param spare a vector that may be changed
    private void gatherWords(MemoryEmitter.Plain plain, int chunk, int shift, int made, int spare) {
        if (plain.base().width() == Width.WORD) {
            Operand places = places(plain, Width.WORD, chunk, shift);
            code.vectorWhere(Evex.VPGATHERDD, 6, made, 0, places);
            return;
        }
        for (int half = 0; half < 2; half++) {
            Operand places = places(plain, Width.LONG, 2 * chunk + half, shift);
            code.vectorWhere(Evex.VPGATHERQD, 6, half == 0 ? made : spare, 0, places);
        }
        code.vector(Evex.VINSERTI64X4, made, made, Operand.register(spare), 1);
    }

    private void scatter(MemoryEmitter.Plain plain, Source value, int shift) {
        for (int chunk = 0; chunk < WarpValues.chunks(value.width()); chunk++) {
            int from = values.load(value, chunk, WarpValues.RESULT);
            if (value.width() == Width.WORD) {
                scatterWords(plain, chunk, shift, from);
            } else {
                boolean far = plain.base().width() == Width.LONG;
                Operand places = places(plain, Width.LONG, chunk, shift);
                Evex instruction = far ? Evex.VPSCATTERQQ : Evex.VPSCATTERDQ;
                code.vectorWhere(instruction, 6, from, 0, places);
            }
        }
    }

    private void scatterWords(MemoryEmitter.Plain plain, int chunk, int shift, int from) {
        if (plain.base().width() == Width.WORD) {
            Operand places = places(plain, Width.WORD, chunk, shift);
            code.vectorWhere(Evex.VPSCATTERDD, 6, from, 0, places);
            return;
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

    // Elements narrower than their registers: by the words that have them.

    private void loadParts(MemoryEmitter.Plain plain) {
        int words = WarpValues.SECOND;
        int bytes = plain.access().bytes();
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            int loaded = -1;
            for (int i = 0; i < plain.registers().size(); i++) {
                if (!(plain.registers().get(i) instanceof Register target)) {
                    continue;
                }
                int word = i * bytes & -Integer.BYTES;
                if (word != loaded) {
                    gatherWords(plain, chunk, word, words, WarpValues.FIRST);
                    alignWords(plain, chunk, words);
                    loaded = word;
                }
                int made = WarpValues.RESULT;
                if (bytes < Integer.BYTES) {
                    elements.cut(plain.access(), made, words, 8 * (i * bytes - word));
                } else {
                    code.vector(Evex.VMOVDQU32, made, 0, Operand.register(words));
                }
                elements.keep(plain.access(), target, chunk, plain.step().guard(), made);
            }
        }
    }

    /// What lanes access comes to the low bits of their words.
    private void alignWords(MemoryEmitter.Plain plain, int chunk, int words) {
        if (plain.bytes() >= Integer.BYTES) {
            return;
        }
        int at = WarpValues.FOURTH;
        if (plain.base().width() == Width.WORD) {
            offsets(at, plain, chunk, 0);
        } else {
            int upper = WarpValues.THIRD;
            for (int half = 0; half < 2; half++) {
                int part = half == 0 ? at : upper;
                offsets(part, plain, 2 * chunk + half, 0);
                code.vector(Evex.VPMOVQD, part, 0, Operand.register(part));
            }
            code.vector(Evex.VINSERTI64X4, at, at, Operand.register(upper), 1);
        }
        code.vector(Evex.VPANDD, at, at, code.word(Integer.BYTES - 1));
        code.vector(Evex.VPSLLD_I, Assembler.LEFT, at, Operand.register(at), 3);
        code.vector(Evex.VPSRLVD, words, words, Operand.register(at));
    }

    private void storeParts(MemoryEmitter.Plain plain) {
        boolean areWords = plain.bytes() >= Integer.BYTES;
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            for (int at = 0; at < plain.bytes(); at += Integer.BYTES) {
                int word = join(plain, chunk, at);
                if (areWords) {
                    scatterWords(plain, chunk, at, word);
                } else {
                    code.vector(Evex.VMOVDQU32_STORE, word, 0, joined(64 * chunk));
                }
            }
        }
        if (!areWords) {
            for (int chunk = 0; chunk < WarpValues.chunks(Width.LONG); chunk++) {
                address(plain, chunk);
            }
            storeEach(plain.bytes());
        }
    }

    /// A word of each of sixteen lanes, of the elements in it, in the vector that is returned.
    private int join(MemoryEmitter.Plain plain, int chunk, int from) {
        int bytes = plain.access().bytes();
        int joined = WarpValues.RESULT;
        for (int at = from; at < Math.min(plain.bytes(), from + Integer.BYTES); at += bytes) {
            Source value = Objects.requireNonNull(plain.registers().get(at / bytes));
            int words = elements.words(value, chunk, WarpValues.FIRST);
            if (at == from && bytes == Math.min(plain.bytes(), Integer.BYTES)) {
                return words;
            }
            int part = at == from ? joined : WarpValues.SECOND;
            int above = Integer.SIZE - 8 * bytes;
            code.vector(Evex.VPSLLD_I, Assembler.LEFT, part, Operand.register(words), above);
            int down = above - 8 * (at - from);
            if (down > 0) {
                code.vector(Evex.VPSLLD_I, Assembler.RIGHT, part, Operand.register(part), down);
            }
            if (at > from) {
                code.vector(Evex.VPORD, joined, joined, Operand.register(part));
            }
        }
        return joined;
    }

    /// Where what lanes store stands, a word for each.
    private static Operand joined(int at) {
        return Operand.at(WarpValues.CONTEXT, SharedStampEmitter.DESTINATIONS + at);
    }

    /// Keeps where eight lanes store, as the host has it.
    private void address(MemoryEmitter.Plain plain, int chunk) {
        int at = WarpValues.FOURTH;
        if (plain.base().width() == Width.LONG) {
            offsets(at, plain, chunk, 0);
        } else {
            offsets(at, plain, chunk >> 1, 0);
            if ((chunk & 1) == 1) {
                code.vector(Evex.VEXTRACTI64X4, at, 0, Operand.register(WarpValues.THIRD), 1);
            }
            int half = (chunk & 1) == 1 ? WarpValues.THIRD : at;
            code.vector(Evex.VPMOVZXDQ, at, 0, Operand.register(half));
        }
        int memory = plain.global() ? WarpContext.GLOBAL : WarpContext.SHARED;
        code.vector(Evex.VPADDQ, at, at, Operand.all(WarpValues.CONTEXT, memory));
        Operand place = Operand.at(WarpValues.CONTEXT, AsyncCopyEmitter.ORIGINS + 64 * chunk);
        code.vector(Evex.VMOVDQU64_STORE, at, 0, place);
    }

    /// Stores bytes or pairs of them: no instruction scatters such, and words around them are of
    /// other lanes.
    private void storeEach(int bytes) {
        Label next = new Label();
        Label behind = new Label();
        int left = Assembler.R13;
        int place = Assembler.R14;
        code.maskTo(left, LANES);
        code.moveConstant(Assembler.RBP, 0);
        code.bind(next);
        code.testConstant(left, 1);
        code.jump(Condition.EQUAL, behind);
        code.loadAt(true, place, WarpValues.CONTEXT, Assembler.RBP, AsyncCopyEmitter.ORIGINS);
        code.loadAt(
                false,
                Assembler.RAX,
                WarpValues.CONTEXT,
                Assembler.RBP,
                SharedStampEmitter.DESTINATIONS);
        code.storeNarrow(Operand.at(place, 0), Assembler.RAX, bytes);
        code.bind(behind);
        code.arithmeticLong(Assembler.Arithmetic.ADD, Assembler.RBP, 1);
        code.shiftRight(left, 1);
        code.jump(Condition.NOT_EQUAL, next);
    }
}
