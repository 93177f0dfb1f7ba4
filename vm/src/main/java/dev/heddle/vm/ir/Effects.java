package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The registers that an instruction reads and writes, but for its guard. What an instruction works
/// on is said where it is defined, and nowhere else: `new Effects().writing(target).reading(base)`.
public final class Effects {
    private final List<Register> reads = new ArrayList<>();
    private final List<Register> writes = new ArrayList<>();

    /// The registers it reads, in the order of its operands.
    public List<Register> reads() {
        return reads;
    }

    /// The registers it writes where its guard holds.
    public List<Register> writes() {
        return writes;
    }

    /// The registers that lanes read, the guard's first.
    List<Register> readsUnder(@Nullable Guard guard) {
        if (guard != null) {
            reads.addFirst(guard.predicate());
        }
        return reads;
    }

    /// A target, or none.
    Effects writing(@Nullable Source target) {
        add(target, writes);
        return this;
    }

    /// Targets; null for those that nobody wants.
    Effects writing(List<? extends @Nullable Register> targets) {
        targets.forEach(target -> add(target, writes));
        return this;
    }

    /// A source, or none.
    Effects reading(@Nullable Source source) {
        add(source, reads);
        return this;
    }

    /// What an address is made of, or none.
    Effects reading(Step.@Nullable Place place) {
        return place == null ? this : reading(place.base());
    }

    Effects reading(@Nullable List<? extends Source> sources) {
        if (sources != null) {
            sources.forEach(source -> add(source, reads));
        }
        return this;
    }

    Effects reading(Collective.Multiplicand operand) {
        return switch (operand) {
            case Collective.Multiplicand.InRegisters in -> reading(in.registers());
            case Collective.Multiplicand.Described described -> reading(described.descriptor());
        };
    }

    private static void add(@Nullable Source source, List<Register> found) {
        if (source instanceof Register register) {
            found.add(register);
        }
    }
}
