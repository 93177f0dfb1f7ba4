package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.PRED;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.vm.ir.OperationKind.ADD;
import static dev.heddle.vm.ir.OperationKind.AND;
import static dev.heddle.vm.ir.OperationKind.EQ;
import static dev.heddle.vm.ir.OperationKind.GE;
import static dev.heddle.vm.ir.OperationKind.HIGH;
import static dev.heddle.vm.ir.OperationKind.LT;
import static dev.heddle.vm.ir.OperationKind.NOT;
import static dev.heddle.vm.ir.OperationKind.SUB;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.FenceRestriction;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Step.AccessMemory.Receivers;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Loads, stores, atomics, fences, address conversion and asynchronous copies: PTX ISA 9.7.9 and
/// 9.7.13.
record MemoryLowering(CodeBuilder builder, MemoryOperands operands, ModuleLayout layout) {
    /// The largest alignment that `alloca` may ask for (PTX ISA 9.7.17.3).
    private static final int MOST_ALIGNED = 1 << 23;

    /// An instruction that accesses memory as its function says.
    void access(BoundInstruction form) {
        List<@Nullable Register> targets = new ArrayList<>();
        List<Step.Place> places = new ArrayList<>();
        List<Source> others = new ArrayList<>();
        for (int i = 0; i < form.places().size(); i++) {
            OperandForm place = form.places().get(i);
            Operand operand = form.operand(i);
            ScalarType stated = form.match().typeOf(place);
            ScalarType type = stated == null ? U64 : stated;
            if (place.kind() == InstructionForm.Kind.ADDRESS) {
                places.add(operands.place(form, operand, places.size()));
            } else if (place.isDestination()) {
                targets.addAll(operands.targets(operand, type));
            } else {
                others.addAll(operands.values(operand, type));
            }
        }
        builder.add(
                new Step.AccessMemory(
                        builder.site(),
                        builder.guard(),
                        form.canonical(),
                        operands.access(form, places.getFirst().space()),
                        form.has("multicast::cluster::all") ? Receivers.CLUSTER : Receivers.OWN_CTA,
                        targets,
                        places,
                        others));
    }

    /// `fence.proxy.async`; that of one direction releases or acquires, too.
    void proxyFence(BoundInstruction form) {
        Space space =
                form.has("global")
                        ? Space.GLOBAL
                        : switch (restriction(form)) {
                            case SHARED_CTA -> Space.SHARED;
                            case SHARED_CLUSTER -> Space.CLUSTER;
                            case NONE, MBARRIER_INIT -> null;
                        };
        MemoryOrder order = MemoryOperands.order(form, MemoryOrder.WEAK);
        builder.add(new Step.ProxyFence(builder.site(), builder.guard(), space, order));
    }

    /// `membar` and `fence` of threads; `membar` is `fence.sc` (PTX ISA 9.7.13.4).
    void fence(BoundInstruction form) {
        MemoryOrder order =
                form.word("level") != null
                        ? MemoryOrder.SC
                        : MemoryOperands.order(form, MemoryOrder.ACQ_REL);
        builder.add(
                new Step.Fence(
                        builder.site(),
                        builder.guard(),
                        order,
                        MemoryOperands.scope(form, Scope.SYS),
                        restriction(form)));
    }

    private static FenceRestriction restriction(BoundInstruction form) {
        String text = form.canonical();
        return text.contains("mbarrier_init")
                ? FenceRestriction.MBARRIER_INIT
                : text.contains("shared::cta")
                        ? FenceRestriction.SHARED_CTA
                        : text.contains("shared::cluster")
                                ? FenceRestriction.SHARED_CLUSTER
                                : FenceRestriction.NONE;
    }

    void load(BoundInstruction form) {
        Operand address = form.operand(1);
        MemoryOperands.Place place = operands.place(address);
        List<@Nullable Register> targets = operands.targets(form.operand(0), form.type());
        // A vector's base register may be among its targets; the address is read first.
        builder.add(
                new Step.Load(
                        builder.site(),
                        builder.guard(),
                        operands.access(form, operands.space(form, address)),
                        targets,
                        place.base(),
                        place.offset()));
    }

    void store(BoundInstruction form) {
        Operand address = form.operand(0);
        MemoryOperands.Place place = operands.place(address);
        List<Source> values = operands.values(form.operand(1), form.type());
        builder.add(
                new Step.Store(
                        builder.site(),
                        builder.guard(),
                        operands.access(form, operands.space(form, address)),
                        values,
                        place.base(),
                        place.offset()));
    }

    /// `atom` has a destination, `red` has none. What has no operator is a function of its own.
    void atomic(BoundInstruction form) {
        if (MemoryOperands.operatorOf(form).isEmpty()) {
            access(form);
            return;
        }
        boolean returns = form.kind() == InstructionKind.ATOMIC;
        int first = returns ? 1 : 0;
        ScalarType type = form.type();
        Operand address = form.operand(first);
        MemoryOperands.Place place = operands.place(address);
        AtomicOperator operator = MemoryOperands.operator(form);
        List<Source> values = operands.values(form.operand(first + 1), type);
        List<@Nullable Register> targets = List.of();
        if (returns && !(form.operand(0) instanceof Operand.Sink)) {
            targets = operands.targets(form.operand(0), type);
            if (targets.size() != values.size()) {
                throw new UnsupportedInstruction("vectors of two sizes");
            }
        }
        builder.add(
                new Step.Atomic(
                        builder.site(),
                        builder.guard(),
                        operands.access(form, operands.space(form, address)),
                        operator,
                        type,
                        targets,
                        place.base(),
                        place.offset(),
                        values,
                        operator == AtomicOperator.COMPARE_AND_SWAP
                                ? operands.values(form.operand(first + 2), type)
                                : List.of()));
    }

    private static Space windowOf(BoundInstruction form) {
        return form.instruction().qualifiers().stream()
                .flatMap(qualifier -> MemoryOperands.space(qualifier).stream())
                .findFirst()
                .orElseThrow();
    }

    /// `cvta`: from a space to generic, `cvta.to`: back.
    void convertAddress(BoundInstruction form) {
        long window = base(windowOf(form));
        ScalarType type = form.type();
        if (type.bits() != 64 && window != 0) {
            throw new UnsupportedInstruction("32-bit generic addresses");
        }
        Source address = builder.read(form.operand(1), type);
        Source result =
                window == 0
                        ? address
                        : builder.compute(
                                form.has("to") ? SUB : ADD, B64, address, Source.longword(window));
        builder.write(form.operand(0), result, type);
    }

    /// The generic address of offset 0 of a space.
    private long base(Space space) {
        return space == Space.CONST ? layout.base() : Addresses.base(space);
    }

    private Source isConstant(Source address) {
        long base = layout.base();
        return builder.compute(
                AND,
                PRED,
                atLeast(address, base),
                builder.compute(LT, U64, address, Source.longword(base + layout.constantBytes())));
    }

    private Source atLeast(Source address, long least) {
        return builder.compute(GE, U64, address, Source.longword(least));
    }

    void isInSpace(BoundInstruction form) {
        Space space = windowOf(form);
        Source address = builder.read(form.operand(1), ScalarType.B64);
        Source result =
                switch (space) {
                    case GLOBAL ->
                            builder.compute(
                                    AND,
                                    PRED,
                                    atLeast(address, Addresses.GLOBAL),
                                    builder.compute(NOT, PRED, isConstant(address)));
                    case CONST -> isConstant(address);
                    case GENERIC -> Source.predicate(false);
                    // The own CTA's addresses have no rank in them.
                    case SHARED -> {
                        Source window = Source.longword(Addresses.SHARED);
                        Source offset = builder.compute(SUB, B64, address, window);
                        yield builder.compute(
                                LT, U64, offset, Source.longword(1L << Addresses.RANK));
                    }
                    case CLUSTER, LOCAL, PARAM ->
                            builder.compute(
                                    EQ,
                                    B32,
                                    builder.compute(Operation.from(B64, HIGH, B32), address),
                                    Source.word((int) (Addresses.base(space) >>> 32)));
                };
        builder.write(form.operand(0), result, ScalarType.PRED);
    }

    void commitCopies() {
        group(Step.AsyncGroup.Kind.COMMIT, 0);
    }

    void awaitCopies(BoundInstruction form) {
        if (form.has("wait_all")) {
            group(Step.AsyncGroup.Kind.COMMIT, 0);
            group(Step.AsyncGroup.Kind.WAIT, 0);
        } else {
            group(Step.AsyncGroup.Kind.WAIT, builder.constant(form.operand(0)));
        }
    }

    /// `stacksave`, `stackrestore` and `alloca`.
    void stack(BoundInstruction form) {
        ScalarType type = form.type();
        boolean takes = form.kind() == InstructionKind.STACK_ALLOCATE;
        boolean restores = form.kind() == InstructionKind.STACK_RESTORE;
        Step.Stack.Request action =
                takes
                        ? Step.Stack.Request.ALLOCATE
                        : restores ? Step.Stack.Request.RESTORE : Step.Stack.Request.SAVE;
        Source value = null;
        if (takes || restores) {
            value = builder.read(form.operand(takes ? 1 : 0), type);
        }
        int alignment = form.operands().size() > 2 ? builder.constant(form.operand(2)) : 1;
        if (Integer.bitCount(alignment) != 1 || alignment > MOST_ALIGNED) {
            throw new UnsupportedInstruction("an alignment of " + alignment);
        }
        Register target =
                restores ? null : builder.destination(form.operand(0), CodeBuilder.widthOf(type));
        builder.add(
                new Step.Stack(builder.site(), builder.guard(), action, target, value, alignment));
    }

    private void group(Step.AsyncGroup.Kind kind, int pending) {
        builder.add(new Step.AsyncGroup(builder.site(), builder.guard(), kind, pending));
    }

    void copy(BoundInstruction form) {
        MemoryOperands.Place destination = operands.place(form.operand(0));
        MemoryOperands.Place origin = operands.place(form.operand(1));
        Source sourceBytes = null;
        Source ignore = null;
        if (form.operands().size() > 3) {
            Operand fourth = form.operand(3);
            if (fourth instanceof Operand.Register register
                    && builder.registers().of(register).bits() == 1) {
                ignore = builder.registers().of(register);
            } else if (!(form.has("L2::cache_hint") && form.operands().size() == 4)) {
                sourceBytes = builder.read(fourth, ScalarType.U32);
            }
        }
        int bytes = builder.constant(form.operand(2));
        if (bytes != 4 && bytes != 8 && bytes != 16) {
            throw new UnsupportedInstruction("a copy of " + bytes + " bytes");
        }
        builder.add(
                new Step.AsyncCopy(
                        builder.site(),
                        builder.guard(),
                        destination.base(),
                        destination.offset(),
                        origin.base(),
                        origin.offset(),
                        bytes,
                        sourceBytes,
                        ignore));
    }
}
