package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.shadow.PlannedReads;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/// What the lanes' addresses at one base register look like: found out once in a stretch of code in
/// which the register does not change, for all accesses at constant distances from it.
///
/// It stands in the warp's context: for each 16 lanes the host address of the first, and whether
/// the lanes access one place after the other, all the same, or anything. The first two say also
/// that all of the plan's accesses are inside the memory and aligned.
final class AddressPlan {
    static final int CONSECUTIVE = 2;
    static final int UNIFORM = 1;

    /// The vector in which lanes are compared with a kind.
    static final int DIFFERENCES = WarpValues.THIRD;

    /// Bytes of a plan in the context.
    static final int BYTES = 32;

    private static final int KINDS = 16;

    private final Source base;
    private final boolean global;
    private final int bytes;
    private final int place;
    private final int likely;
    private int least;
    private int most;
    private boolean begun;
    private final List<MemoryEmitter.Plain> accesses = new ArrayList<>();

    private AddressPlan(MemoryEmitter.Plain first, int place, int likely) {
        this.likely = likely;
        base = first.base();
        global = first.global();
        bytes = first.access().bytes();
        least = first.offset();
        most = first.offset();
        this.place = place;
    }

    /// The plans for the accesses of a stretch, by the step.
    ///
    /// @param stretch steps that follow on one another in machine code
    /// @param lanes which registers depend on the lane
    static IdentityHashMap<Step, AddressPlan> of(List<Step> stretch, LaneVaryingRegisters lanes) {
        record Key(Source base, boolean global, int bytes) {}
        Map<Key, AddressPlan> open = new HashMap<>();
        IdentityHashMap<Step, AddressPlan> found = new IdentityHashMap<>();
        int places = 0;
        for (Step step : stretch) {
            MemoryEmitter.Plain plain = MemoryEmitter.plain(step);
            if (plain != null
                    && plain.registers().size() == 1
                    && plain.offset() % plain.access().bytes() == 0) {
                Key key = new Key(plain.base(), plain.global(), plain.access().bytes());
                AddressPlan plan = open.get(key);
                if (plan == null && places < MachineCodeEmitter.MOST_PLANS) {
                    int likely = lanes.holds(plain.base()) ? CONSECUTIVE : UNIFORM;
                    plan = new AddressPlan(plain, BYTES * places++, likely);
                    open.put(key, plan);
                }
                if (plan != null) {
                    plan.least = Math.min(plan.least, plain.offset());
                    plan.most = Math.max(plan.most, plain.offset());
                    plan.accesses.add(plain);
                    found.put(step, plan);
                }
            }
            List<Register> written = step.writes();
            new ArrayList<>(open.keySet())
                    .forEach(
                            key -> {
                                if (key.base instanceof Register r && written.contains(r)) {
                                    open.remove(key);
                                }
                            });
        }
        return found;
    }

    /// Whether this is asked for the first time: then the plan is to be made.
    boolean begins() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /// What the addresses are likely like.
    int likely() {
        return likely;
    }

    Source base() {
        return base;
    }

    /// Bytes of an element.
    int bytes() {
        return bytes;
    }

    private Operand slot(int offset) {
        return Operand.at(WarpValues.CONTEXT, WarpContext.PLANS + place + offset);
    }

    void setNothing(Assembler code) {
        code.storeConstant(slot(KINDS), 0);
    }

    /// Compares what both halves of the warp do with this.
    void compareKind(Assembler code, int kind) {
        code.arithmetic(Arithmetic.CMP, slot(KINDS), both(kind));
    }

    /// What the kinds of both halves look like where they are the same.
    static int both(int kind) {
        return kind << 16 | kind;
    }

    // With checks.

    /// The instructions that read by this plan.
    PlannedReads reads() {
        return new PlannedReads(
                accesses.stream().mapToInt(access -> access.offset() / Integer.BYTES).toArray(),
                accesses.stream().mapToInt(access -> access.step().site().number()).toArray());
    }

    /// Notes that all of its accesses read; where there is no room for that, none is made by it.
    void note(Assembler code, int number) {
        Label noted = new Label();
        Label full = new Label();
        Label room = new Label();
        Label known = new Label();
        code.move(Assembler.RAX, slot(KINDS));
        code.arithmetic(Arithmetic.CMP, Operand.register(Assembler.RAX), both(CONSECUTIVE));
        code.jump(Condition.EQUAL, known);
        code.arithmetic(Arithmetic.CMP, Operand.register(Assembler.RAX), both(UNIFORM));
        code.jump(Condition.NOT_EQUAL, full);
        code.bind(known);
        code.moveLong(Assembler.RBP, Operand.at(WarpValues.CONTEXT, WarpContext.NOTE_AT));
        code.arithmeticLong(
                Arithmetic.CMP,
                Assembler.RBP,
                Operand.at(WarpValues.CONTEXT, WarpContext.NOTES_END));
        code.jump(Condition.BELOW, room);
        code.bind(full);
        setNothing(code);
        code.jump(noted);
        code.bind(room);
        code.moveLong(Assembler.R13, slot(0));
        code.storeLong(Operand.at(Assembler.RBP, 0), Assembler.R13);
        code.moveLong(Assembler.R13, slot(8));
        code.storeLong(Operand.at(Assembler.RBP, 8), Assembler.R13);
        code.store(Operand.at(Assembler.RBP, 16), Assembler.RAX);
        code.storeConstant(Operand.at(Assembler.RBP, 20), number);
        code.arithmeticLong(Arithmetic.ADD, Assembler.RBP, WarpContext.NOTE_BYTES);
        code.storeLong(Operand.at(WarpValues.CONTEXT, WarpContext.NOTE_AT), Assembler.RBP);
        code.bind(noted);
    }

    /// Where the address of the first lane of half a warp stands.
    Operand pointer(int half) {
        return slot(8 * half);
    }

    /// The addresses of the first lane and of the sixteenth.
    void pointers(Assembler code, int low, int high) {
        code.moveLong(low, slot(0));
        code.moveLong(high, slot(8));
    }

    Operand wordSteps(Assembler code) {
        int[] steps = new int[16];
        for (int lane = 0; lane < 16; lane++) {
            steps[lane] = bytes * lane;
        }
        return code.steps(steps);
    }

    Operand longSteps(Assembler code, long from) {
        long[] steps = new long[8];
        for (int lane = 0; lane < 8; lane++) {
            steps[lane] = from + (long) bytes * lane;
        }
        return code.steps(steps);
    }

    /// Decides for 16 lanes. RAX has the address of the first.
    ///
    /// @param shadow with checks: only what is in order at first sight, and as is likely, is
    ///     accessed by it
    /// @param test leaves zeros in [#DIFFERENCES] if the lanes are where a kind has them
    void find(Assembler code, int group, @Nullable ShadowEmitter shadow, IntConsumer test) {
        Label other = new Label();
        Label decided = new Label();
        suppose(code, group, likely, test);
        code.jumpIfVector(Bits.NONE, DIFFERENCES, decided);
        suppose(code, group, likely == UNIFORM ? CONSECUTIVE : UNIFORM, test);
        code.jumpIfVector(Bits.ANY, DIFFERENCES, other);
        code.bind(decided);
        requireInside(code, other);
        if (shadow != null) {
            code.arithmetic(Arithmetic.CMP, Operand.register(Assembler.R13), likely << 16 * group);
            code.jump(Condition.NOT_EQUAL, other);
            shadow.requireInOrder(accesses, likely, other);
        }
        toHost(code);
        code.storeLong(slot(8 * group), Assembler.RAX);
        // The kinds of both halves are read at once: a store of one alone would be waited for.
        code.arithmeticInto(Arithmetic.OR, slot(KINDS), Assembler.R13);
        code.bind(other);
    }

    /// RBP gets how far the last lane is behind the first, R13 the kind.
    private void suppose(Assembler code, int group, int kind, IntConsumer test) {
        code.moveConstant(Assembler.RBP, kind == UNIFORM ? 0 : 15 * bytes);
        code.moveConstant(Assembler.R13, kind << 16 * group);
        test.accept(kind);
    }

    /// Whether lanes of a whole warp are likely one behind the other.
    boolean isLikelyWhole() {
        return likely == CONSECUTIVE && base.width() == Width.LONG;
    }

    /// Decides for a whole warp whose lanes are one behind the other. RAX has the address of the
    /// first.
    ///
    /// @param other where to go if not all are inside the memory
    void findWhole(Assembler code, Label other) {
        code.moveConstant(Assembler.RBP, 31 * bytes);
        requireInside(code, other);
        toHost(code);
        code.storeLong(slot(0), Assembler.RAX);
        code.arithmeticLong(Arithmetic.ADD, Assembler.RAX, 16 * bytes);
        code.storeLong(slot(8), Assembler.RAX);
        code.storeConstant(slot(KINDS), both(CONSECUTIVE));
    }

    /// Goes elsewhere unless all accesses are aligned and inside the memory. RAX has the address of
    /// the first lane, of which the place in memory is left there; RBP how far the last one is
    /// behind it, of which the end is left there; R14 gets where the first byte lies.
    private void requireInside(Assembler code, Label other) {
        if (global) {
            code.arithmeticLong(Arithmetic.SUB, Assembler.RAX, code.longword(Addresses.GLOBAL));
        }
        code.testConstant(Assembler.RAX, bytes - 1);
        code.jump(Condition.NOT_EQUAL, other);
        code.address(Assembler.R14, Operand.at(Assembler.RAX, least));
        code.testLong(Assembler.R14, Assembler.R14);
        code.jump(Condition.SIGN, other);
        code.testLong(Assembler.RAX, Assembler.RAX);
        code.jump(Condition.SIGN, other);
        code.arithmeticLong(Arithmetic.ADD, Assembler.RBP, Operand.register(Assembler.RAX));
        code.arithmeticLong(Arithmetic.ADD, Assembler.RBP, most + bytes);
        code.arithmeticLong(
                Arithmetic.CMP,
                Assembler.RBP,
                Operand.at(
                        WarpValues.CONTEXT,
                        global ? WarpContext.GLOBAL_BYTES : WarpContext.SHARED_BYTES));
        code.jump(Condition.ABOVE, other);
    }

    private void toHost(Assembler code) {
        code.arithmeticLong(
                Arithmetic.ADD,
                Assembler.RAX,
                Operand.at(WarpValues.CONTEXT, global ? WarpContext.GLOBAL : WarpContext.SHARED));
    }
}
