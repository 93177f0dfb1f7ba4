package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// What lanes do together: barriers, votes, shuffles and matrix instructions (PTX ISA 9.7.13,
/// 9.7.14). Each ends its block, and stands alone in one, so that lanes can wait in front of it.
final class WarpLowering {
    private final CodeBuilder builder;
    private final MemoryOperands memory;

    WarpLowering(CodeBuilder builder, MemoryOperands memory) {
        this.builder = builder;
        this.memory = memory;
    }

    /// Operands must have been read before: the joint stands in a block of its own.
    void join(Collective joint) {
        DraftBlock alone = builder.open();
        builder.enter(alone);
        DraftBlock next = builder.open();
        builder.leave(
                new Exit.Synchronize(builder.site(), builder.guard(), joint, next.number), next);
    }

    /// The members operand after the others, or null for forms without `.sync`.
    private @Nullable Source members(BoundInstruction form, int index) {
        return form.has("sync") ? builder.read(form.operand(index), ScalarType.B32) : null;
    }

    private Source required(BoundInstruction form, int index) {
        return builder.read(form.operand(index), ScalarType.B32);
    }

    private @Nullable Register optional(@Nullable Operand operand, Width width) {
        return operand == null || operand instanceof Operand.Sink
                ? null
                : builder.destination(operand, width);
    }

    private record Targets(Operand first, @Nullable Operand second) {}

    private static Targets targets(Operand operand) {
        return operand instanceof Operand.Pair(Operand first, Operand second, _)
                ? new Targets(first, second)
                : new Targets(operand, null);
    }

    void warpBarrier(BoundInstruction form) {
        join(new Collective.WarpBarrier(required(form, 0)));
    }

    void barrier(BoundInstruction form) {
        boolean aligned = form.isAligned();
        if (form.has("red")) {
            reduce(form, aligned);
            return;
        }
        Source number = builder.read(form.operand(0), ScalarType.U32);
        Source threads =
                form.operands().size() > 1 ? builder.read(form.operand(1), ScalarType.U32) : null;
        Collective.Barrier.Arrival kind =
                form.has("arrive")
                        ? Collective.Barrier.Arrival.ARRIVE
                        : Collective.Barrier.Arrival.SYNC;
        join(new Collective.Barrier(kind, number, threads, aligned, null, null));
    }

    private void reduce(BoundInstruction form, boolean aligned) {
        Collective.Barrier.Arrival kind =
                switch (form.oneOf("popc", "and", "or")) {
                    case "popc" -> Collective.Barrier.Arrival.POPULATION;
                    case "and" -> Collective.Barrier.Arrival.AND;
                    default -> Collective.Barrier.Arrival.OR;
                };
        int last = form.operands().size() - 1;
        Operand predicate = form.operand(last);
        Source number = builder.read(form.operand(1), ScalarType.U32);
        Source threads = last == 3 ? builder.read(form.operand(2), ScalarType.U32) : null;
        Width width = kind == Collective.Barrier.Arrival.POPULATION ? Width.WORD : Width.PREDICATE;
        join(
                new Collective.Barrier(
                        kind,
                        number,
                        threads,
                        aligned,
                        builder.destination(form.operand(0), width),
                        builder.read(predicate, ScalarType.PRED)));
    }

    void shuffle(BoundInstruction form) {
        Targets targets = targets(form.operand(0));
        Collective.Shuffle.Direction kind =
                switch (form.oneOf("up", "down", "bfly", "idx")) {
                    case "up" -> Collective.Shuffle.Direction.UP;
                    case "down" -> Collective.Shuffle.Direction.DOWN;
                    case "bfly" -> Collective.Shuffle.Direction.BUTTERFLY;
                    default -> Collective.Shuffle.Direction.INDEX;
                };
        join(
                new Collective.Shuffle(
                        kind,
                        builder.destination(targets.first(), Width.WORD),
                        optional(targets.second(), Width.PREDICATE),
                        builder.read(form.operand(1), ScalarType.B32),
                        builder.read(form.operand(2), ScalarType.B32),
                        builder.read(form.operand(3), ScalarType.B32),
                        members(form, 4)));
    }

    void vote(BoundInstruction form) {
        Collective.Vote.Question kind =
                switch (form.oneOf("all", "any", "uni", "ballot")) {
                    case "all" -> Collective.Vote.Question.ALL;
                    case "any" -> Collective.Vote.Question.ANY;
                    case "uni" -> Collective.Vote.Question.UNIFORM;
                    default -> Collective.Vote.Question.BALLOT;
                };
        Width width = kind == Collective.Vote.Question.BALLOT ? Width.WORD : Width.PREDICATE;
        join(
                new Collective.Vote(
                        kind,
                        builder.destination(form.operand(0), width),
                        builder.read(form.operand(1), ScalarType.PRED),
                        members(form, 2)));
    }

    void match(BoundInstruction form) {
        Targets targets = targets(form.operand(0));
        join(
                new Collective.Match(
                        form.has("all"),
                        optional(targets.first(), Width.WORD),
                        optional(targets.second(), Width.PREDICATE),
                        builder.read(form.operand(1), form.type()),
                        required(form, 2)));
    }

    void reduceAcrossLanes(BoundInstruction form) {
        ScalarType type = form.type();
        if (type == ScalarType.F32) {
            reduceNumbers(form);
            return;
        }
        Operation operation =
                switch (form.oneOf("add", "min", "max", "and", "or", "xor")) {
                    case "add" -> Operation.of(OperationKind.ADD, ScalarType.B32);
                    case "min" -> Operation.of(OperationKind.MIN, WorkingTypes.integer(type));
                    case "max" -> Operation.of(OperationKind.MAX, WorkingTypes.integer(type));
                    case "and" -> Operation.of(OperationKind.AND, ScalarType.B32);
                    case "or" -> Operation.of(OperationKind.OR, ScalarType.B32);
                    default -> Operation.of(OperationKind.XOR, ScalarType.B32);
                };
        join(
                new Collective.Reduce(
                        operation,
                        builder.destination(form.operand(0), Width.WORD),
                        builder.read(form.operand(1), type),
                        required(form, 2)));
    }

    /// `redux.sync.min.f32`: canonical before they meet, for one lane alone compares nothing.
    private void reduceNumbers(BoundInstruction form) {
        OperationKind kind = form.has("min") ? OperationKind.MIN : OperationKind.MAX;
        Source value = builder.read(form.operand(1), ScalarType.F32);
        if (form.has("abs")) {
            value = builder.compute(OperationKind.MAGNITUDE, ScalarType.F32, value);
        }
        Modifier[] modifiers = form.has("NaN") ? new Modifier[] {Modifier.NAN} : new Modifier[0];
        join(
                new Collective.Reduce(
                        Operation.of(kind, ScalarType.F32, modifiers),
                        builder.destination(form.operand(0), Width.WORD),
                        builder.compute(OperationKind.CANONICAL, ScalarType.F32, value),
                        required(form, 2)));
    }

    void elect(BoundInstruction form) {
        Targets targets = targets(form.operand(0));
        Operand elected = targets.second();
        if (elected == null) {
            throw new UnsupportedInstruction(form);
        }
        join(
                new Collective.Elect(
                        optional(targets.first(), Width.WORD),
                        builder.destination(elected, Width.PREDICATE),
                        required(form, 1)));
    }

    void activeMask(BoundInstruction form) {
        builder.add(
                new Step.ActiveMask(
                        builder.site(),
                        builder.guard(),
                        builder.destination(form.operand(0), Width.WORD)));
    }

    // Matrices.

    /// The registers of a fragment; their declared width decides whether they are words or longs.
    List<Source> fragment(Operand operand) {
        List<Source> sources = new ArrayList<>();
        for (Operand element : MemoryOperands.elements(operand)) {
            sources.add(
                    element instanceof Operand.Register register
                            ? builder.registers().of(register)
                            : builder.read(element, ScalarType.B32));
        }
        return sources;
    }

    void loadMatrix(BoundInstruction form) {
        List<Register> targets = new ArrayList<>();
        for (Operand element : MemoryOperands.elements(form.operand(0))) {
            targets.add(builder.destination(element, Width.WORD));
        }
        requireCount(targets.size());
        MemoryOperands.Place place = memory.place(form.operand(1));
        join(
                new Collective.LoadMatrix(
                        memory.space(form, form.operand(1)),
                        dealt(form),
                        targets,
                        place.base(),
                        place.offset()));
    }

    void storeMatrix(BoundInstruction form) {
        List<Source> values = new ArrayList<>();
        for (Operand element : MemoryOperands.elements(form.operand(1))) {
            values.add(builder.read(element, ScalarType.B32));
        }
        requireCount(values.size());
        MemoryOperands.Place place = memory.place(form.operand(0));
        join(
                new Collective.StoreMatrix(
                        memory.space(form, form.operand(0)),
                        dealt(form),
                        values,
                        place.base(),
                        place.offset()));
    }

    private static RowFragments dealt(BoundInstruction form) {
        RowFragments.Element element =
                switch (form.oneOf("b16", "b8", "b6x16_p32", "b4x16_p64")) {
                    case "b16" -> RowFragments.Element.B16;
                    case "b8" -> RowFragments.Element.B8;
                    case "b6x16_p32" -> RowFragments.Element.B6;
                    default -> RowFragments.Element.B4;
                };
        RowFragments.Order order =
                !form.has("trans")
                        ? RowFragments.Order.ROWS
                        : form.has("m16n16") ? RowFragments.Order.QUADS : RowFragments.Order.PAIRS;
        return new RowFragments(element, order);
    }

    private static void requireCount(int tiles) {
        if (tiles != 1 && tiles != 2 && tiles != 4) {
            throw new UnsupportedInstruction(tiles + " tiles at once");
        }
    }

    void transposeMatrix(BoundInstruction form) {
        join(
                new Collective.TransposeMatrix(
                        builder.destination(form.operand(0), Width.WORD),
                        builder.read(form.operand(1), ScalarType.B32)));
    }
}
