package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;

/// Loads and stores in global and shared memory as machine code.
///
/// What addresses look like is found out once for all accesses at one base ([AddressPlan]).
/// Elements one behind the other move as vectors, one for 16 lanes is broadcast, and all else is
/// gathered or scattered. An access that is out of bounds or not aligned is left to Java, which
/// says what is wrong with it.
final class MemoryEmitter {
    private final WarpValues values;
    private final Assembler code;
    private final Consumer<Runnable> later;
    private final ElementEmitter elements;
    private final LaneAccessEmitter lanes;
    private final Checking checking;
    private final ShadowEmitter shadow;
    private final LaneStampEmitter stamps;
    private final RowEmitter reads;
    private final SharedStampEmitter writes;
    private final SharedLaneEmitter sharedLanes;

    /// @param checking who looks at accesses
    /// @param shadow looks at them in machine code
    /// @param stamps looks at those to global memory whose lanes go anywhere
    /// @param later takes code that is to stand behind everything else
    MemoryEmitter(
            WarpValues values,
            Checking checking,
            ShadowEmitter shadow,
            LaneStampEmitter stamps,
            RowEmitter reads,
            SharedStampEmitter writes,
            Consumer<Runnable> later) {
        this.checking = checking;
        this.shadow = shadow;
        this.stamps = stamps;
        this.reads = reads;
        this.writes = writes;
        this.values = values;
        this.later = later;
        code = values.code;
        elements = new ElementEmitter(values);
        lanes = new LaneAccessEmitter(values, elements);
        sharedLanes = new SharedLaneEmitter(code, reads, later);
    }

    /// A load or store that is known here.
    ///
    /// @param access how memory is touched
    /// @param registers loaded or stored, one behind the other; null for nobody's
    /// @param base what holds the address
    record Plain(
            Step step,
            Access access,
            List<? extends @Nullable Source> registers,
            Source base,
            int offset,
            boolean store) {
        int bytes() {
            return access.bytes() * registers.size();
        }

        boolean global() {
            return access.space() == Space.GLOBAL;
        }
    }

    static @Nullable Plain plain(Step step) {
        return switch (step) {
            case Step.Load load ->
                    plain(step, load.access(), load.targets(), load.base(), load.offset(), false);
            case Step.Store store ->
                    plain(step, store.access(), store.values(), store.base(), store.offset(), true);
            default -> null;
        };
    }

    private static @Nullable Plain plain(
            Step step,
            Access access,
            List<? extends @Nullable Source> registers,
            Source base,
            long offset,
            boolean store) {
        boolean known =
                !access.isStrong()
                        && access.bytes() * registers.size() <= 16
                        && !(base instanceof Source.FrameAddress)
                        && Math.abs(offset) < 1 << 24
                        && (access.space() == Space.SHARED
                                || access.space() == Space.GLOBAL && base.width() == Width.LONG);
        if (!known) {
            return null;
        }
        for (Source register : registers) {
            boolean fits =
                    register == null
                            || ElementEmitter.fits(access, register, store)
                                    && (store || !register.equals(base));
            if (!fits) {
                return null;
            }
        }
        return new Plain(step, access, registers, base, (int) offset, store);
    }

    /// Where to go if an access cannot be made: nothing is done then.
    ///
    /// @param fault if a lane must not do it, or Java is to look
    /// @param noted if it can be made once Java has taken the notes of what was read: where there
    ///     is no room for another one, and before stores
    record Otherwise(Label fault, Label noted) {
        static Otherwise of() {
            return new Otherwise(new Label(), new Label());
        }
    }

    /// How elements become values of registers.
    ElementEmitter elements() {
        return elements;
    }

    // Accesses.

    /// Emits a load or store.
    ///
    /// @param plan what is known of its addresses, or null
    void emit(Plain plain, @Nullable AddressPlan plan, Otherwise otherwise) {
        Label done = new Label();
        Guard guard = plain.step().guard();
        Label each = new Label();
        if (guard != null) {
            code.move(Assembler.RAX, Operand.register(WarpValues.ACTIVE));
            values.restrict(Assembler.RAX, guard);
            code.test(Assembler.RAX, Assembler.RAX);
            code.jump(Condition.EQUAL, done);
            code.arithmetic(Arithmetic.CMP, Operand.register(Assembler.RAX), -1);
            code.jump(Condition.NOT_EQUAL, each);
        }
        if (plain.store()) {
            code.storeConstant(Operand.at(WarpValues.CONTEXT, WarpContext.CHANGED), 1);
        }
        if (plan == null) {
            code.bind(each);
            each(plain, otherwise);
            code.bind(done);
            return;
        }
        Label kept = new Label();
        Label broadcast = new Label();
        plan.compareKind(code, AddressPlan.CONSECUTIVE);
        code.jump(Condition.NOT_EQUAL, plain.store() ? each : broadcast);
        look(plan, plain, AddressPlan.CONSECUTIVE, each);
        plan.pointers(code, ElementEmitter.POINTER, ElementEmitter.OTHER_POINTER);
        elements.consecutive(plain);
        code.bind(kept);
        code.bind(done);
        later.accept(
                () -> {
                    if (!plain.store()) {
                        code.bind(broadcast);
                        plan.compareKind(code, AddressPlan.UNIFORM);
                        code.jump(Condition.NOT_EQUAL, each);
                        look(plan, plain, AddressPlan.UNIFORM, each);
                        plan.pointers(code, ElementEmitter.POINTER, ElementEmitter.OTHER_POINTER);
                        elements.uniform(plain);
                        code.jump(kept);
                    }
                    code.bind(each);
                    each(plain, otherwise);
                    code.jump(done);
                });
    }

    /// With checks, goes elsewhere unless an access is in order at first sight.
    private void look(AddressPlan plan, Plain plain, int kind, Label otherwise) {
        if (checking != Checking.CTAS) {
            return;
        }
        if (ShadowEmitter.knows(plain, kind)) {
            shadow.look(plan, plain, kind, otherwise);
        } else {
            code.jump(otherwise);
        }
    }

    /// Whether [#direct] knows an access.
    boolean isDirect(Plain plain, AddressPlan plan) {
        return plain.step().guard() == null
                && (plan.likely() == AddressPlan.CONSECUTIVE || !plain.store())
                && (checking != Checking.CTAS || ShadowEmitter.knows(plain, plan.likely()));
    }

    /// Emits a load or store whose addresses are known to be as the plan takes for likely.
    void direct(Plain plain, AddressPlan plan) {
        if (plain.store()) {
            code.storeConstant(Operand.at(WarpValues.CONTEXT, WarpContext.CHANGED), 1);
        }
        plan.pointers(code, ElementEmitter.POINTER, ElementEmitter.OTHER_POINTER);
        if (plan.likely() == AddressPlan.CONSECUTIVE) {
            elements.consecutive(plain);
        } else {
            elements.uniform(plain);
        }
    }

    private void each(Plain plain, Otherwise otherwise) {
        switch (checking) {
            case NONE -> lanes.emit(plain, null, otherwise);
            case CTAS -> code.jump(otherwise.fault);
            case WARPS -> {
                if (plain.global()) {
                    stamps.look(plain, lanes.ofStep(plain.step()), otherwise.fault);
                    lanes.emit(plain, null, otherwise);
                } else {
                    shared(plain, otherwise);
                }
            }
        }
    }

    /// Looks at words of all lanes together where they are in order at first sight, and else at
    /// each lane by itself.
    private void shared(Plain plain, Otherwise otherwise) {
        Label each = new Label();
        Label done = new Label();
        if (reads.knows(plain)) {
            reads.look(plain, each, otherwise.noted);
        } else if (SharedStampEmitter.knows(plain)) {
            writes.look(plain, each, otherwise.noted);
        } else {
            lanes.emit(plain, sharedLanes, otherwise);
            return;
        }
        lanes.emit(plain, null, otherwise);
        code.bind(done);
        later.accept(
                () -> {
                    code.bind(each);
                    lanes.emit(plain, sharedLanes, otherwise);
                    code.jump(done);
                });
    }

    /// Finds out what the addresses of a plan look like.
    void plan(AddressPlan plan) {
        Label planned = new Label();
        plan.setNothing(code);
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
        code.jump(Condition.NOT_EQUAL, planned);
        if (plan.isLikelyWhole() && checking != Checking.WARPS) {
            Label other = new Label();
            compareWhole(plan, other);
            plan.findWhole(code, other);
            later.accept(
                    () -> {
                        code.bind(other);
                        halves(plan);
                        code.jump(planned);
                    });
        } else {
            halves(plan);
        }
        code.bind(planned);
    }

    private void halves(AddressPlan plan) {
        for (int group = 0; group < 2; group++) {
            distances(plan, group);
            plan.find(
                    code,
                    group,
                    checking == Checking.WARPS ? shadow : null,
                    kind -> compare(plan, kind));
        }
    }

    /// Leaves the first lane's address in RAX. Goes elsewhere unless the lanes are one behind the
    /// other.
    private void compareWhole(AddressPlan plan, Label other) {
        int first = values.load(plan.base(), 0, WarpValues.FIRST);
        code.lowLong(Assembler.RAX, first);
        code.vector(Evex.VPBROADCASTQ, WarpValues.THIRD, 0, Operand.register(first));
        int sum = WarpValues.FIRST;
        for (int chunk = 0; chunk < 4; chunk++) {
            int place = chunk == 0 ? sum : WarpValues.SECOND;
            int from = values.load(plan.base(), chunk, place);
            code.vector(Evex.VPSUBQ, place, from, Operand.register(WarpValues.THIRD));
            code.vector(Evex.VPXORQ, place, place, plan.longSteps(code, 8L * chunk * plan.bytes()));
            if (chunk > 0) {
                code.vector(Evex.VPORQ, sum, sum, Operand.register(place));
            }
        }
        code.drop(WarpValues.SECOND);
        code.drop(WarpValues.THIRD);
        code.jumpIfVector(Bits.ANY, sum, other);
    }

    /// Leaves the address of the first of 16 lanes in RAX, and how far behind it those of all are
    /// in vectors: words in the second, longs in the first and the second.
    private void distances(AddressPlan plan, int group) {
        int first = WarpValues.FIRST;
        int second = WarpValues.SECOND;
        if (plan.base().width() == Width.WORD) {
            int address = values.load(plan.base(), group, first);
            code.lowWord(Assembler.RAX, address);
            code.vector(Evex.VPBROADCASTD, second, 0, Operand.register(address));
            code.vector(Evex.VPSUBD, second, address, Operand.register(second));
            return;
        }
        int low = values.load(plan.base(), 2 * group, first);
        int high = values.load(plan.base(), 2 * group + 1, second);
        code.lowLong(Assembler.RAX, low);
        code.vector(Evex.VPBROADCASTQ, WarpValues.THIRD, 0, Operand.register(low));
        Operand origin = Operand.register(WarpValues.THIRD);
        code.vector(Evex.VPSUBQ, first, low, origin);
        code.vector(Evex.VPSUBQ, second, high, origin);
    }

    /// Leaves in a vector how 16 lanes differ from where a kind has them.
    private void compare(AddressPlan plan, int kind) {
        int found = AddressPlan.DIFFERENCES;
        Operand second = Operand.register(WarpValues.SECOND);
        boolean isUniform = kind == AddressPlan.UNIFORM;
        if (plan.base().width() == Width.WORD) {
            if (isUniform) {
                code.vector(Evex.VMOVDQU32, found, 0, second);
            } else {
                code.vector(Evex.VPXORD, found, WarpValues.SECOND, plan.wordSteps(code));
            }
        } else if (isUniform) {
            code.vector(Evex.VPORQ, found, WarpValues.FIRST, second);
        } else {
            int other = WarpValues.FOURTH;
            Operand steps = plan.longSteps(code, 8L * plan.bytes());
            code.vector(Evex.VPXORQ, found, WarpValues.FIRST, plan.longSteps(code, 0));
            code.vector(Evex.VPXORQ, other, WarpValues.SECOND, steps);
            code.vector(Evex.VPORQ, found, found, Operand.register(other));
        }
    }
}
