package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.CONTEXT;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.shadow.CopiesUnderWay;
import dev.heddle.vm.shadow.Stamp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Looks in machine code whether copies of `cp.async` are in order at first sight, and notes them
/// as under way.
///
/// What they read is looked at as what any load reads ([LaneStampEmitter]). What they write must be
/// words whose last write and read are over for the warp. All else leads to Java, with shared
/// memory as it was before.
final class CopyShadowEmitter {
    private static final int CHECK = 5;
    private static final int WORDS = 6;
    private static final int LESS = 1;
    private static final int GREATER = 6;
    private static final int LANES_BYTES = 32 * Long.BYTES;
    private static final int VECTOR = 64;

    // General registers: a place, two lists, and the lane.
    private static final int POINTER = Assembler.RAX;
    private static final int LOW = Assembler.RBP;
    private static final int HIGH = Assembler.R13;
    private static final int LANE = Assembler.R14;

    private final Assembler code;
    private final LaneStampEmitter reads;
    private final Consumer<Runnable> later;
    private final List<Step.AsyncCopy> copies = new ArrayList<>();

    /// @param reads looks at what they read
    /// @param later takes code that is to stand behind everything else
    CopyShadowEmitter(Assembler code, LaneStampEmitter reads, Consumer<Runnable> later) {
        this.code = code;
        this.reads = reads;
        this.later = later;
    }

    /// The copies, by their numbers.
    List<Step.AsyncCopy> copies() {
        return copies;
    }

    /// Looks at copies of all lanes, whose addresses are found, and notes them.
    ///
    /// @param java where to go if they are not in order at first sight
    void begin(Step.AsyncCopy copy, Label java) {
        if (!copies.contains(copy)) {
            copies.add(copy);
        }
        int number = copies.indexOf(copy);
        requireRoom(java);
        for (int i = 0; i < LANES_BYTES; i += VECTOR) {
            int at = WarpValues.FOURTH;
            code.vector(Evex.VMOVDQU64, at, 0, context(AsyncCopyEmitter.DESTINATIONS + i));
            code.vector(Evex.VPSUBQ, at, at, all(WarpContext.READ_START));
            code.vector(Evex.VPCMPUQ, CHECK, at, all(WarpContext.READ_SPAN), LESS);
            code.jumpIf(Bits.ANY, CHECK, java);
        }
        reads.look(LaneStamps.Access.of(copy), WarpValues.ACTIVE, java);
        code.moveConstant(LOW, (1 << copy.bytes() / Integer.BYTES) - 1);
        code.maskFrom(WORDS, LOW);
        mark(java);
        stamp(copy.site().number());
        note(number);
    }

    private static Operand all(int place) {
        return Operand.all(CONTEXT, place);
    }

    /// Java begins all copies where it says so, once there is no more room for notes, and behind
    /// reads that it does not know yet.
    private void requireRoom(Label java) {
        code.moveLong(POINTER, context(WarpContext.COPIES));
        code.testLong(POINTER, POINTER);
        code.jump(Condition.EQUAL, java);
        code.moveLong(POINTER, context(WarpContext.COPY_NOTE_AT));
        code.arithmeticLong(Arithmetic.CMP, POINTER, context(WarpContext.COPY_NOTES_END));
        code.jump(Condition.ABOVE_OR_EQUAL, java);
        code.address(POINTER, context(WarpContext.NOTES));
        code.arithmeticLong(Arithmetic.CMP, POINTER, context(WarpContext.NOTE_AT));
        code.jump(Condition.NOT_EQUAL, java);
        code.address(POINTER, context(WarpContext.ROW_NOTES));
        code.arithmeticLong(Arithmetic.CMP, POINTER, context(WarpContext.ROW_NOTE_AT));
        code.jump(Condition.NOT_EQUAL, java);
    }

    /// Lets the words of each lane ask for a closer look, if they are in order; keeps what they
    /// were.
    private void mark(Label java) {
        int look = WarpValues.FIRST;
        int written = WarpValues.THIRD;
        int read = WarpValues.FOURTH;
        Label undo = new Label();
        code.vector(Evex.VPBROADCASTQ, look, 0, code.longword(Stamp.LOOK_CLOSER));
        Label next = firstLane();
        stampsOfLane();
        code.moveLong(LOW, context(WarpContext.STAMPS));
        code.arithmeticLong(Arithmetic.ADD, LOW, Operand.register(POINTER));
        code.moveLong(HIGH, context(WarpContext.READS));
        code.arithmeticLong(Arithmetic.ADD, HIGH, Operand.register(POINTER));
        code.vector(Evex.VMOVDQU64, written, 0, Operand.at(LOW, 0), WORDS, true, -1);
        code.vector(Evex.VMOVDQU64, read, 0, Operand.at(HIGH, 0), WORDS, true, -1);
        code.vector(Evex.VPMAXUQ, read, read, Operand.register(written));
        code.vector(Evex.VPCMPUQ, CHECK, read, all(WarpContext.OVER), GREATER);
        code.jumpIf(Bits.ANY, CHECK, undo);
        put(written, WarpContext.BEFORE);
        code.vectorWhere(Evex.VMOVDQU64_STORE, WORDS, look, 0, Operand.at(LOW, 0));
        nextLane(next);
        later.accept(
                () -> {
                    code.bind(undo);
                    code.arithmeticLong(Arithmetic.CMP, LANE, Operand.register(CONTEXT));
                    code.jump(Condition.EQUAL, java);
                    code.arithmeticLong(Arithmetic.SUB, LANE, Long.BYTES);
                    stampsOfLane();
                    code.moveLong(LOW, context(WarpContext.BEFORE));
                    code.arithmeticLong(Arithmetic.ADD, LOW, Operand.register(POINTER));
                    Operand before = Operand.at(LOW, 0);
                    code.vector(Evex.VMOVDQU64, written, 0, before, WORDS, true, -1);
                    put(written, WarpContext.STAMPS);
                    code.jump(undo);
                });
    }

    /// Notes words of each lane as being copied: written when the copy began, not read since then.
    private void stamp(int site) {
        int before = WarpValues.FIRST;
        int copy = WarpValues.SECOND;
        int nobody = WarpValues.THIRD;
        code.vector(Evex.VPBROADCASTQ, before, 0, all(WarpContext.NOW));
        add(before, Stamp.of(0, site, Stamp.WEAK, 0));
        code.vector(Evex.VPBROADCASTQ, copy, 0, all(WarpContext.COPY));
        add(copy, CopiesUnderWay.ofSite(site));
        code.vector(Evex.VPXORD, nobody, nobody, Operand.register(nobody));
        Label next = firstLane();
        stampsOfLane();
        put(before, WarpContext.BEFORE);
        put(copy, WarpContext.COPIES);
        put(nobody, WarpContext.READS);
        add(before, 1);
        add(copy, 1);
        nextLane(next);
    }

    private void add(int vector, long value) {
        code.vector(Evex.VPADDQ, vector, vector, code.longword(value));
    }

    private void note(int number) {
        code.moveLong(LOW, context(WarpContext.COPY_NOTE_AT));
        for (int i = 0; i < LANES_BYTES; i += VECTOR) {
            Operand at = context(AsyncCopyEmitter.DESTINATIONS + i);
            code.vector(Evex.VMOVDQU64, WarpValues.FOURTH, 0, at);
            code.vector(Evex.VMOVDQU64_STORE, WarpValues.FOURTH, 0, Operand.at(LOW, i));
        }
        code.storeConstant(Operand.at(LOW, CopyShadow.NOTE_NUMBER), number);
        code.arithmeticLong(Arithmetic.ADD, LOW, CopyShadow.NOTE_BYTES);
        code.storeLong(context(WarpContext.COPY_NOTE_AT), LOW);
    }

    private Label firstLane() {
        Label next = new Label();
        code.moveLong(LANE, Operand.register(CONTEXT));
        code.bind(next);
        return next;
    }

    private void nextLane(Label next) {
        code.arithmeticLong(Arithmetic.ADD, LANE, Long.BYTES);
        code.address(POINTER, context(LANES_BYTES));
        code.arithmeticLong(Arithmetic.CMP, LANE, Operand.register(POINTER));
        code.jump(Condition.NOT_EQUAL, next);
    }

    /// Leaves in POINTER where stamps of the words of a lane begin in a list of all.
    private void stampsOfLane() {
        code.moveLong(POINTER, Operand.at(LANE, AsyncCopyEmitter.DESTINATIONS));
        code.arithmeticLong(Arithmetic.SUB, POINTER, context(WarpContext.SHARED));
        code.arithmeticLong(Arithmetic.ADD, POINTER, Operand.register(POINTER));
    }

    /// Stores into a list, for the words of the lane.
    private void put(int vector, int list) {
        code.moveLong(HIGH, context(list));
        code.arithmeticLong(Arithmetic.ADD, HIGH, Operand.register(POINTER));
        code.vectorWhere(Evex.VMOVDQU64_STORE, WORDS, vector, 0, Operand.at(HIGH, 0));
    }
}
