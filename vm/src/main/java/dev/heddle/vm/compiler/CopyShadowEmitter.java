package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.CONTEXT;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
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
    private static final int VECTOR = 64;

    /// What a stamp of a last write does not have.
    private static final long MARK = 1L << 63;

    /// The mask register with the lanes that are looked at together.
    private static final int LANES = 7;

    private static final int POINTER = Assembler.RAX;
    private static final int LOW = Assembler.RBP;

    private final Assembler code;
    private final LaneStampEmitter reads;
    private final SharedStampEmitter writes;
    private final Consumer<Runnable> later;
    private final List<Step.AsyncCopy> copies = new ArrayList<>();

    /// @param reads looks at what they read
    /// @param writes looks at what they write
    /// @param later takes code that is to stand behind everything else
    CopyShadowEmitter(
            Assembler code,
            LaneStampEmitter reads,
            SharedStampEmitter writes,
            Consumer<Runnable> later) {
        this.code = code;
        this.reads = reads;
        this.writes = writes;
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
        writes.requireUnread(java);
        reads.look(LaneStamps.Access.of(copy), WarpValues.ACTIVE, java);
        writes.group(copy.bytes());
        mark(java);
        stamp(copy.site().number(), copy.bytes());
        note(number);
    }

    private static Operand all(int place) {
        return Operand.all(CONTEXT, place);
    }

    /// Java begins all copies where it says so, and once there is no more room for notes.
    private void requireRoom(Label java) {
        code.moveLong(POINTER, context(WarpContext.COPIES));
        code.testLong(POINTER, POINTER);
        code.jump(Condition.EQUAL, java);
        code.moveLong(POINTER, context(WarpContext.COPY_NOTE_AT));
        code.arithmeticLong(Arithmetic.CMP, POINTER, context(WarpContext.COPY_NOTES_END));
        code.jump(Condition.ABOVE_OR_EQUAL, java);
    }

    /// Requires that the words of each lane are in order, none those of another. What was so is
    /// marked until that is known of all.
    private void mark(Label java) {
        int mark = WarpValues.FIRST;
        Label undo = new Label();
        code.vector(Evex.VPBROADCASTQ, mark, 0, code.longword(MARK));
        Label next = writes.firstLane();
        writes.stampsOfLane();
        int written = writes.requireOver(undo);
        code.vector(Evex.VPORQ, written, written, Operand.register(mark));
        writes.put(written, WarpContext.STAMPS);
        writes.nextLane(next);
        later.accept(
                () -> {
                    code.bind(undo);
                    writes.previousLane(java);
                    writes.stampsOfLane();
                    writes.take(WarpValues.THIRD, WarpContext.STAMPS);
                    int stamps = WarpValues.THIRD;
                    code.vector(Evex.VPXORQ, stamps, stamps, Operand.register(mark));
                    writes.put(stamps, WarpContext.STAMPS);
                    code.jump(undo);
                });
    }

    /// Notes words of each lane as being copied, written when the copy began; they ask for a
    /// closer look.
    private void stamp(int site, int bytes) {
        boolean isWide = bytes == CopiesUnderWay.WIDEST;
        int before = WarpValues.FIRST;
        int copy = WarpValues.SECOND;
        int look = WarpValues.THIRD;
        if (isWide) {
            lanesOfStep();
        }
        code.vector(Evex.VPBROADCASTQ, look, 0, code.longword(Stamp.LOOK_CLOSER));
        code.vector(Evex.VPBROADCASTQ, before, 0, all(WarpContext.NOW));
        add(before, lanes(Stamp.of(0, site, Stamp.WEAK, 0), bytes));
        code.vector(Evex.VPBROADCASTQ, copy, 0, all(WarpContext.COPY));
        add(copy, lanes(CopiesUnderWay.ofSite(site), bytes));
        Label next = writes.firstLane();
        writes.stampsOfLane();
        writes.put(look, WarpContext.STAMPS);
        if (isWide) {
            code.shiftRightLong(POINTER, 2);
            writes.put(before, WarpContext.WIDE_BEFORE, LANES);
            writes.put(copy, WarpContext.WIDE_COPIES, LANES);
        } else {
            writes.put(before, WarpContext.BEFORE);
            writes.put(copy, WarpContext.COPIES);
        }
        add(before, all(WarpContext.STEP_LANES));
        add(copy, all(WarpContext.STEP_LANES));
        writes.nextLane(next);
    }

    /// The lanes of a step, of four words each, as a mask.
    private void lanesOfStep() {
        code.maskTo(LOW, SharedStampEmitter.WORDS);
        code.shiftRight(LOW, 3);
        code.arithmetic(Arithmetic.AND, Operand.register(LOW), 3);
        code.maskFrom(LANES, LOW);
    }

    /// The lanes from the first on, of words or of four words each, added to a stamp.
    private Operand lanes(long stamp, int bytes) {
        return writes.lanesOfWords(stamp, bytes == CopiesUnderWay.WIDEST ? Integer.BYTES : bytes);
    }

    private void add(int vector, Operand value) {
        code.vector(Evex.VPADDQ, vector, vector, value);
    }

    private void note(int number) {
        code.moveLong(LOW, context(WarpContext.COPY_NOTE_AT));
        for (int i = 0; i < SharedStampEmitter.LANES_BYTES; i += VECTOR) {
            Operand at = context(SharedStampEmitter.DESTINATIONS + i);
            code.vector(Evex.VMOVDQU64, WarpValues.FOURTH, 0, at);
            code.vector(Evex.VMOVDQU64_STORE, WarpValues.FOURTH, 0, Operand.at(LOW, i));
        }
        code.storeConstant(Operand.at(LOW, CopyShadow.NOTE_NUMBER), number);
        code.arithmeticLong(Arithmetic.ADD, LOW, CopyShadow.NOTE_BYTES);
        code.storeLong(context(WarpContext.COPY_NOTE_AT), LOW);
    }
}
