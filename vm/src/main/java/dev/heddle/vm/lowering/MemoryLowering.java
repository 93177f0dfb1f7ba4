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
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Loads, stores, atomics, address conversion and asynchronous copies: PTX ISA 9.7.9 and 9.7.13.
final class MemoryLowering {
    /// The largest alignment that `alloca` may ask for (PTX ISA 9.7.17.3).
    private static final int MOST_ALIGNED = 1 << 23;

    private final CodeBuilder builder;

    MemoryLowering(CodeBuilder builder) {
        this.builder = builder;
    }

    /// A base and a constant offset.
    record Place(Source base, long offset) {}

    Place place(Operand operand) {
        Place place = placeOf(operand);
        if (place.base().width() == dev.heddle.vm.ir.Width.PREDICATE) {
            throw new UnsupportedInstruction("a predicate as address");
        }
        return place;
    }

    private Place placeOf(Operand operand) {
        return switch (operand) {
            case Operand.Address(Operand base, long offset, _, _) -> {
                Source source =
                        switch (base) {
                            case Operand.Register register -> builder.register(register);
                            case Operand.Symbol symbol -> builder.address(symbol);
                            default -> builder.read(base, ScalarType.B64);
                        };
                yield new Place(source, offset);
            }
            case Operand.Register register -> new Place(builder.register(register), 0);
            case Operand.Symbol symbol -> new Place(builder.address(symbol), 0);
            default -> throw new UnsupportedInstruction("an address of this kind");
        };
    }

    /// The space of an access: the qualifier, else that of the variable named, else generic.
    /// Parameters of device functions live in their frames, which are local memory.
    Space space(BoundInstruction form, Operand operand) {
        Place place = place(operand);
        if (place.base() instanceof Source.FrameAddress) {
            return Space.LOCAL;
        }
        for (String qualifier : form.instruction().qualifiers()) {
            switch (qualifier) {
                case "global" -> {
                    return Space.GLOBAL;
                }
                case "const" -> {
                    return Space.CONST;
                }
                case "shared", "shared::cta" -> {
                    return Space.SHARED;
                }
                case "shared::cluster" -> {
                    return Space.CLUSTER;
                }
                case "local" -> {
                    return Space.LOCAL;
                }
                case "param", "param::entry" -> {
                    return Space.PARAM;
                }
                case "param::func" -> {
                    return Space.LOCAL;
                }
                default -> {}
            }
        }
        StateSpace named =
                operand instanceof Operand.Address(Operand base, _, _, _)
                        ? CodeBuilder.spaceOf(base)
                        : CodeBuilder.spaceOf(operand);
        return named == null ? Space.GENERIC : spaceOf(named);
    }

    private static Space spaceOf(StateSpace space) {
        return switch (space) {
            case GLOBAL -> Space.GLOBAL;
            case CONST -> Space.CONST;
            case SHARED -> Space.SHARED;
            case LOCAL -> Space.LOCAL;
            case PARAM -> Space.PARAM;
            case REG, SREG, TEX -> throw new UnsupportedInstruction("this state space");
        };
    }

    /// `.volatile` and `.mmio` are relaxed, of system scope (PTX ISA 8.4.1, 8.4.2).
    private static MemoryOrder order(BoundInstruction form, MemoryOrder otherwise) {
        for (String qualifier : form.instruction().qualifiers()) {
            switch (qualifier) {
                case "relaxed", "volatile", "mmio" -> {
                    return MemoryOrder.RELAXED;
                }
                case "acquire" -> {
                    return MemoryOrder.ACQUIRE;
                }
                case "release" -> {
                    return MemoryOrder.RELEASE;
                }
                case "acq_rel" -> {
                    return MemoryOrder.ACQ_REL;
                }
                case "sc" -> {
                    return MemoryOrder.SC;
                }
                default -> {}
            }
        }
        return otherwise;
    }

    private static Scope scope(BoundInstruction form, Scope otherwise) {
        for (String qualifier : form.instruction().qualifiers()) {
            switch (qualifier) {
                case "cta" -> {
                    return Scope.CTA;
                }
                case "cluster" -> {
                    return Scope.CLUSTER;
                }
                case "gpu", "gl" -> {
                    return Scope.GPU;
                }
                case "sys", "volatile", "mmio" -> {
                    return Scope.SYS;
                }
                default -> {}
            }
        }
        return otherwise;
    }

    /// `membar` and `fence` of threads; `membar` is `fence.sc` (PTX ISA 9.7.13.4). Those of proxies
    /// and of restricted operations order nothing here.
    void fence(BoundInstruction form) {
        if (form.opcode().equals("fence")
                && form.instruction().qualifiers().stream()
                        .anyMatch(q -> q.equals("async") || q.startsWith("async::"))) {
            builder.add(new Step.ProxyFence(builder.site(), builder.guard()));
            return;
        }
        if (form.has("op_restrict")
                || form.has("mbarrier_init")
                || form.instruction().qualifiers().stream().anyMatch(q -> q.startsWith("proxy"))) {
            builder.add(new Step.Hint(builder.site(), builder.guard()));
            return;
        }
        MemoryOrder order =
                form.opcode().equals("membar") ? MemoryOrder.SC : order(form, MemoryOrder.ACQ_REL);
        builder.add(new Step.Fence(builder.site(), builder.guard(), order, scope(form, Scope.SYS)));
    }

    private Access access(BoundInstruction form, Operand address) {
        ScalarType type = form.type();
        // A 128-bit value moves as two halves, aligned together.
        int bytes = Math.min(type.bytes(), 8);
        return new Access(
                space(form, address),
                bytes,
                WorkingTypes.isSigned(type),
                order(form, MemoryOrder.WEAK),
                scope(form, Scope.CTA));
    }

    void load(BoundInstruction form) {
        Operand address = form.operand(1);
        Place place = place(address);
        List<@Nullable Register> targets = new ArrayList<>();
        for (Operand element : elements(form.operand(0))) {
            targets.addAll(targets(element, form.type()));
        }
        // A vector's base register may be among its targets; the address is read first.
        builder.add(
                new Step.Load(
                        builder.site(),
                        builder.guard(),
                        access(form, address),
                        targets,
                        place.base(),
                        place.offset()));
    }

    /// The registers an element goes to: two for 128 bits; null for a sink.
    /// The registers that the elements of a vector go to; null for a sink.
    List<@Nullable Register> allTargets(Operand operand, ScalarType type) {
        List<@Nullable Register> targets = new ArrayList<>();
        for (Operand element : elements(operand)) {
            targets.addAll(targets(element, type));
        }
        return targets;
    }

    private List<@Nullable Register> targets(Operand element, ScalarType type) {
        if (type == ScalarType.B128) {
            return builder.wideDestination(element);
        }
        return Collections.singletonList(
                element instanceof Operand.Sink
                        ? null
                        : builder.destination(element, CodeBuilder.widthOf(type)));
    }

    /// The values of an operand, which may be a vector: two for each 128 bits.
    List<Source> values(Operand operand, ScalarType type) {
        List<Source> values = new ArrayList<>();
        for (Operand element : elements(operand)) {
            if (type == ScalarType.B128) {
                CodeBuilder.Wide wide = builder.readWide(element);
                values.add(wide.low());
                values.add(wide.high());
            } else {
                values.add(builder.read(element, type));
            }
        }
        return values;
    }

    static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector vector ? vector.elements() : List.of(operand);
    }

    void store(BoundInstruction form) {
        Operand address = form.operand(0);
        Place place = place(address);
        List<Source> values = values(form.operand(1), form.type());
        builder.add(
                new Step.Store(
                        builder.site(),
                        builder.guard(),
                        access(form, address),
                        values,
                        place.base(),
                        place.offset()));
    }

    /// `atom` has a destination, `red` has none.
    void atomic(BoundInstruction form) {
        boolean returns = form.kind() == InstructionKind.ATOMIC;
        int first = returns ? 1 : 0;
        ScalarType type = form.type();
        Operand address = form.operand(first);
        Place place = place(address);
        int bytes = Math.min(type.bytes(), 8);
        Access access =
                new Access(
                        space(form, address),
                        bytes,
                        false,
                        order(form, MemoryOrder.RELAXED),
                        scope(form, Scope.GPU));
        AtomicOperator operator = operator(form);
        List<Source> operands = values(form.operand(first + 1), type);
        List<@Nullable Register> targets = new ArrayList<>();
        if (returns && !(form.operand(0) instanceof Operand.Sink)) {
            for (Operand element : elements(form.operand(0))) {
                targets.addAll(targets(element, type));
            }
            if (targets.size() != operands.size()) {
                throw new UnsupportedInstruction("vectors of two sizes");
            }
        }
        builder.add(
                new Step.Atomic(
                        builder.site(),
                        builder.guard(),
                        access,
                        operator,
                        type,
                        targets,
                        place.base(),
                        place.offset(),
                        operands,
                        operator == AtomicOperator.COMPARE_AND_SWAP
                                ? values(form.operand(first + 2), type)
                                : List.of()));
    }

    private static AtomicOperator operator(BoundInstruction form) {
        return switch (form.oneOf(
                "add", "inc", "dec", "min", "max", "and", "or", "xor", "exch", "cas")) {
            case "add" -> AtomicOperator.ADD;
            case "inc" -> AtomicOperator.INCREMENT;
            case "dec" -> AtomicOperator.DECREMENT;
            case "min" -> AtomicOperator.MINIMUM;
            case "max" -> AtomicOperator.MAXIMUM;
            case "and" -> AtomicOperator.AND;
            case "or" -> AtomicOperator.OR;
            case "xor" -> AtomicOperator.XOR;
            case "exch" -> AtomicOperator.EXCHANGE;
            default -> AtomicOperator.COMPARE_AND_SWAP;
        };
    }

    private static Space windowOf(BoundInstruction form) {
        return switch (form.oneOf(
                "global",
                "const",
                "shared",
                "shared::cta",
                "shared::cluster",
                "local",
                "param",
                "param::entry")) {
            case "global" -> Space.GLOBAL;
            case "const" -> Space.CONST;
            case "local" -> Space.LOCAL;
            case "param", "param::entry" -> Space.PARAM;
            case "shared::cluster" -> Space.CLUSTER;
            default -> Space.SHARED;
        };
    }

    /// `cvta`: from a space to generic, `cvta.to`: back.
    void convertAddress(BoundInstruction form) {
        long window = builder.base(windowOf(form));
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

    private Source isConstant(Source address) {
        long base = builder.base(Space.CONST);
        return builder.compute(
                AND,
                PRED,
                atLeast(address, base),
                builder.compute(LT, U64, address, Source.longword(base + builder.constantBytes())));
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
                    case SHARED ->
                            builder.compute(
                                    LT,
                                    U64,
                                    builder.compute(
                                            SUB, B64, address, Source.longword(Addresses.SHARED)),
                                    Source.longword(1L << Addresses.RANK));
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
            group(Step.AsyncGroup.Kind.WAIT, constant(form.operand(0)));
        }
    }

    void arriveAfterCopies(BoundInstruction form) {
        Place place = place(form.operand(0));
        builder.add(
                new Step.MemoryBarrierObject(
                        builder.site(),
                        builder.guard(),
                        form.has("noinc")
                                ? Step.MemoryBarrierObject.Action.ASYNC_ARRIVE_NO_INCREMENT
                                : Step.MemoryBarrierObject.Action.ASYNC_ARRIVE,
                        space(form, form.operand(0)),
                        List.of(),
                        place.base(),
                        place.offset(),
                        List.of()));
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
        int alignment = form.operands().size() > 2 ? constant(form.operand(2)) : 1;
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

    /// The value of an operand that must be a constant.
    int constant(Operand operand) {
        if (builder.read(operand, ScalarType.B32) instanceof Source.Constant(_, long bits)) {
            return (int) bits;
        }
        throw new UnsupportedInstruction("a register where a constant is needed");
    }

    void copy(BoundInstruction form) {
        Place destination = place(form.operand(0));
        Place origin = place(form.operand(1));
        Source sourceBytes = null;
        Source ignore = null;
        if (form.operands().size() > 3) {
            Operand fourth = form.operand(3);
            if (fourth instanceof Operand.Register register
                    && builder.register(register).bits() == 1) {
                ignore = builder.register(register);
            } else if (!(form.has("L2::cache_hint") && form.operands().size() == 4)) {
                sourceBytes = builder.read(fourth, ScalarType.U32);
            }
        }
        int bytes = constant(form.operand(2));
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

    void memoryBarrierObject(BoundInstruction form) {
        Step.MemoryBarrierObject.Action kind = kind(form);
        int first = 0;
        List<Register> targets = new ArrayList<>();
        if (!(form.operand(0) instanceof Operand.Address)) {
            if (!(form.operand(0) instanceof Operand.Sink)) {
                targets.add(builder.destination(form.operand(0), dev.heddle.vm.ir.Width.LONG));
            }
            first = 1;
        }
        if (kind == Step.MemoryBarrierObject.Action.PENDING_COUNT) {
            builder.add(
                    new Step.MemoryBarrierObject(
                            builder.site(),
                            builder.guard(),
                            kind,
                            Space.SHARED,
                            targets,
                            builder.read(form.operand(1), ScalarType.B64),
                            0,
                            List.of()));
            return;
        }
        Place place = place(form.operand(first));
        List<Source> operands = new ArrayList<>();
        boolean stateOperand = kind == Step.MemoryBarrierObject.Action.TEST_WAIT;
        for (int i = first + 1; i < form.operands().size(); i++) {
            operands.add(
                    builder.read(
                            form.operand(i),
                            stateOperand && i == first + 1 ? ScalarType.B64 : ScalarType.U32));
        }
        builder.add(
                new Step.MemoryBarrierObject(
                        builder.site(),
                        builder.guard(),
                        kind,
                        space(form, form.operand(first)),
                        targets,
                        place.base(),
                        place.offset(),
                        operands));
    }

    private static Step.MemoryBarrierObject.Action kind(BoundInstruction form) {
        List<String> qualifiers = form.instruction().qualifiers();
        boolean incomplete = qualifiers.contains("noComplete");
        return switch (qualifiers.getFirst()) {
            case "init" -> Step.MemoryBarrierObject.Action.INITIALIZE;
            case "inval" -> Step.MemoryBarrierObject.Action.INVALIDATE;
            case "arrive" ->
                    form.has("expect_tx")
                            ? Step.MemoryBarrierObject.Action.ARRIVE_EXPECT_TRANSACTION
                            : incomplete
                                    ? Step.MemoryBarrierObject.Action.ARRIVE_NO_COMPLETE
                                    : Step.MemoryBarrierObject.Action.ARRIVE;
            case "arrive_drop" ->
                    form.has("expect_tx")
                            ? Step.MemoryBarrierObject.Action.ARRIVE_DROP_EXPECT_TRANSACTION
                            : incomplete
                                    ? Step.MemoryBarrierObject.Action.ARRIVE_DROP_NO_COMPLETE
                                    : Step.MemoryBarrierObject.Action.ARRIVE_DROP;
            case "expect_tx" -> Step.MemoryBarrierObject.Action.EXPECT_TRANSACTION;
            case "complete_tx" -> Step.MemoryBarrierObject.Action.COMPLETE_TRANSACTION;
            case "test_wait", "try_wait" ->
                    form.has("parity")
                            ? Step.MemoryBarrierObject.Action.TEST_WAIT_PARITY
                            : Step.MemoryBarrierObject.Action.TEST_WAIT;
            case "pending_count" -> Step.MemoryBarrierObject.Action.PENDING_COUNT;
            default -> unsupported(form);
        };
    }

    private static Step.MemoryBarrierObject.Action unsupported(BoundInstruction form) {
        throw new UnsupportedInstruction(form);
    }
}
