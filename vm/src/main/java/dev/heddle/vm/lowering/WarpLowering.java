package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// What lanes do together: barriers, votes, shuffles and matrix instructions (PTX ISA 9.7.13,
/// 9.7.14). Each ends its block, and is alone in one, so that lanes can wait in front of it.
record WarpLowering(CodeBuilder builder, MemoryOperands memory) {
    /// Operands must have been read before: the joint is in a block of its own.
    void join(Collective joint) {
        DraftBlock alone = builder.open();
        builder.enter(alone);
        DraftBlock next = builder.open();
        builder.leave(
                new Exit.Synchronize(builder.site(), builder.guard(), joint, next.number), next);
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
        join(new Collective.WarpBarrier(builder.read(form.operand(0), ScalarType.B32)));
    }

    void setRegisters(BoundInstruction form) {
        int count = builder.constant(form.operand(0));
        join(new Collective.SetRegisters(form.has("inc"), count));
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

    /// An instruction that is one function of what lanes have, whatever it computes.
    void exchange(BoundInstruction form) {
        List<OperandForm> places = form.places();
        List<@Nullable Register> targets = new ArrayList<>();
        List<Source> sources = new ArrayList<>();
        Source members = null;
        for (int i = 0; i < places.size(); i++) {
            OperandForm place = places.get(i);
            ScalarType type = Objects.requireNonNull(form.match().typeOf(place));
            Operand operand = form.operand(i);
            if (place.isDestination()) {
                Targets written = targets(operand);
                targets.add(optional(written.first(), Width.ofBits(type.bits())));
                if (written.second() != null) {
                    targets.add(optional(written.second(), Width.PREDICATE));
                }
            } else if (place.isMemberMask()) {
                members = builder.read(operand, type);
            } else {
                sources.add(builder.read(operand, type));
            }
        }
        join(new Collective.Exchange(form.function(), targets, sources, members, form.isAligned()));
    }

    // Matrices.

    /// The registers of a fragment; their declared width decides whether they are words or longs.
    ///
    /// @param untyped as wide as a register of the fragment: of a constant among them its low bits
    ///                count, as an assembler takes them (by the code of ptxas 13.0)
    List<Source> fragment(Operand operand, ScalarType untyped) {
        List<Source> sources = new ArrayList<>();
        for (Operand element : MemoryOperands.elements(operand)) {
            sources.add(
                    element instanceof Operand.Register register
                            ? builder.registers().of(register)
                            : builder.read(element, untyped));
        }
        return sources;
    }

    /// `ldmatrix` and `stmatrix`.
    void accessMatrix(BoundInstruction form) {
        boolean loads = form.places().getFirst().isDestination();
        Operand address = form.operand(loads ? 1 : 0);
        Operand fragment = form.operand(loads ? 0 : 1);
        List<Register> targets = loads ? results(fragment, ScalarType.B32) : List.of();
        List<Source> values = loads ? List.of() : fragment(fragment, ScalarType.B32);
        MemoryOperands.Place place = memory.place(address);
        join(
                new Collective.AccessMatrix(
                        rows(form, targets.size() + values.size()),
                        memory.space(form, address),
                        targets,
                        values,
                        place.base(),
                        place.offset()));
    }

    /// The registers that a fragment goes to.
    List<Register> results(Operand operand, ScalarType untyped) {
        List<Register> results = new ArrayList<>();
        for (Operand element : MemoryOperands.elements(operand)) {
            results.add(builder.destination(element, CodeBuilder.widthOf(untyped)));
        }
        return results;
    }

    /// How `ldmatrix` and `stmatrix` deal the rows of eight lanes to a register.
    private static RowFragments rows(BoundInstruction form, int registers) {
        if (registers != 1 && registers != 2 && registers != 4) {
            throw new UnsupportedInstruction(registers + " tiles at once");
        }
        return RowFragments.of(form::has);
    }
}
