package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.GREATER;
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
import dev.heddle.vm.ir.Width;
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

    private static final int CHECK = 5;

    // Vectors: the latest stamps of reads and writes, those of writes, and what is noted.
    private static final int LATEST = WarpValues.RESULT;
    private static final int CLOSER = WarpValues.FIRST;
    private static final int STAMPS = WarpValues.THIRD;
    private static final int TURNED = WarpValues.SECOND;

    private static final int POINTER = Assembler.RAX;
    private static final int LOW = Assembler.RBP;

    /// Where the next stamps go that are replaced.
    private static final int REPLACED = Assembler.R13;

    /// A lane's part of a list.
    private static final Operand LIST = Operand.at(LOW, 0);

    private final Assembler code;
    private final LaneStampEmitter reads;
    private final SharedStampEmitter writes;
    private final QuadCopyEmitter quads;
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
        quads = new QuadCopyEmitter(code, later);
    }

    /// The copies, by their numbers.
    List<Step.AsyncCopy> copies() {
        return copies;
    }

    /// Looks at copies of all lanes, whose addresses are found, and notes them.
    ///
    /// @param otherwise where to go if they are not in order at first sight
    void begin(Step.AsyncCopy copy, MemoryEmitter.Otherwise otherwise) {
        Label java = otherwise.fault();
        if (!copies.contains(copy)) {
            copies.add(copy);
        }
        int number = copies.indexOf(copy);
        requireRoom(java);
        code.moveLong(POINTER, context(WarpContext.COPIES));
        code.arithmeticLong(Arithmetic.CMP, POINTER, CopyShadow.HAS_COMMITTED);
        code.jump(Condition.EQUAL, otherwise.noted());
        writes.requireUnread(java, otherwise.noted());
        reads.look(LaneStamps.Access.of(copy), WarpValues.ACTIVE, java);
        if (copy.bytes() == CopiesUnderWay.WIDEST) {
            quads.stamp(java);
        } else {
            stamp(copy.bytes(), java);
        }
        note(number);
    }

    /// Whether an instruction is one that commits copies, in whole warps.
    static boolean knows(Step.AsyncGroup group) {
        return group.kind() == Step.AsyncGroup.Kind.COMMIT && group.guard() == null;
    }

    /// All lanes commit the copies that they have begun. The next ones begin once Java has taken
    /// note of that: at another clock, which tells to which group they belong.
    ///
    /// @param java where to go where machine code begins none
    void commit(Label java) {
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
        code.jump(Condition.NOT_EQUAL, java);
        requireRoom(java);
        code.storeConstant(Operand.at(POINTER, CopyShadow.NOTE_NUMBER), CopyShadow.COMMIT);
        code.arithmeticLong(Arithmetic.ADD, POINTER, CopyShadow.NOTE_BYTES);
        code.storeLong(context(WarpContext.COPY_NOTE_AT), POINTER);
        code.moveConstant(POINTER, CopyShadow.HAS_COMMITTED);
        code.storeLong(context(WarpContext.COPIES), POINTER);
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

    /// Lets words of each lane ask for a closer look. What they replace is kept until it is known
    /// that all was in order, and none of them another lane's.
    private void stamp(int bytes, Label java) {
        writes.group(bytes);
        code.vector(Evex.VPBROADCASTQ, CLOSER, 0, code.longword(Stamp.LOOK_CLOSER));
        code.moveLong(REPLACED, context(WarpContext.COPY_NOTES_END));
        Label undo = new Label();
        Label next = writes.firstLane();
        writes.addressOfLane();
        writes.list(LOW, WarpContext.READS_FROM);
        code.vector(Evex.VMOVDQU64, LATEST, 0, LIST, SharedStampEmitter.WORDS, true, -1);
        writes.list(LOW, WarpContext.STAMPS_FROM);
        code.vector(Evex.VMOVDQU64, STAMPS, 0, LIST, SharedStampEmitter.WORDS, true, -1);
        Label async = new Label();
        Label over = new Label();
        latest(STAMPS, WarpContext.OVER, async);
        code.bind(over);
        code.vector(Evex.VMOVDQU64_STORE, STAMPS, 0, Operand.at(REPLACED, 0));
        put(CLOSER);
        code.arithmeticLong(Arithmetic.ADD, REPLACED, VECTOR);
        writes.nextLane(next);
        later.accept(
                () -> {
                    code.bind(async);
                    latest(LATEST, WarpContext.ASYNC_OVER, undo);
                    writes.list(LOW, WarpContext.READS_FROM);
                    code.vector(
                            Evex.VMOVDQU64, LATEST, 0, LIST, SharedStampEmitter.WORDS, true, -1);
                    writes.list(LOW, WarpContext.STAMPS_FROM);
                    code.vector(Evex.VPSUBQ, LATEST, LATEST, code.longword(Stamp.ASYNC));
                    code.vector(Evex.VPSUBQ, TURNED, STAMPS, code.longword(Stamp.ASYNC));
                    latest(TURNED, WarpContext.TURNED_OVER, undo);
                    code.jump(over);
                    undo(undo, java);
                });
    }

    /// Goes elsewhere if the later ones of two vectors are not all over, as [OverEmitter] says.
    private void latest(int stamps, int limit, Label other) {
        code.vector(Evex.VPMAXUQ, LATEST, LATEST, Operand.register(stamps));
        code.vector(Evex.VPCMPUQ, CHECK, LATEST, all(limit), GREATER);
        code.jumpIf(Bits.ANY, CHECK, other);
    }

    /// Puts back what was replaced for the lanes before the one that is not in order, that of the
    /// last first.
    private void undo(Label start, Label java) {
        code.bind(start);
        code.arithmeticLong(Arithmetic.CMP, SharedStampEmitter.LANE, Operand.register(CONTEXT));
        code.jump(Condition.EQUAL, java);
        code.arithmeticLong(Arithmetic.SUB, SharedStampEmitter.LANE, context(WarpContext.STEP));
        code.arithmeticLong(Arithmetic.SUB, REPLACED, VECTOR);
        writes.addressOfLane();
        writes.list(LOW, WarpContext.STAMPS_FROM);
        code.vector(Evex.VMOVDQU64, STAMPS, 0, Operand.at(REPLACED, 0));
        put(STAMPS);
        code.jump(start);
    }

    private void put(int vector) {
        code.vectorWhere(Evex.VMOVDQU64_STORE, SharedStampEmitter.WORDS, vector, 0, LIST);
    }

    private void note(int number) {
        code.moveLong(LOW, context(WarpContext.COPY_NOTE_AT));
        for (int chunk = 0; chunk < WarpValues.chunks(Width.LONG); chunk++) {
            int at = WarpValues.FOURTH;
            Operand place = context(SharedStampEmitter.DESTINATIONS + VECTOR * chunk);
            code.vector(Evex.VMOVDQU64, at, 0, place);
            code.vector(Evex.VPSUBQ, at, at, all(WarpContext.SHARED));
            code.vector(Evex.VPMOVQD, at, 0, Operand.at(LOW, VECTOR / 2 * chunk));
        }
        code.storeConstant(Operand.at(LOW, CopyShadow.NOTE_NUMBER), number);
        code.arithmeticLong(Arithmetic.ADD, LOW, CopyShadow.NOTE_BYTES);
        code.storeLong(context(WarpContext.COPY_NOTE_AT), LOW);
    }
}
