package dev.heddle.cli;

import dev.heddle.isa.Family;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Target;
import dev.heddle.tensorcore.numerics.Generation;

import java.util.List;

/// The words that tab completion offers.
final class Completions {
    private Completions() {}

    /// Instruction families.
    static List<String> families() {
        return List.of(Family.values()).stream().map(Family::mnemonic).toList();
    }

    /// Targets.
    static List<String> targets() {
        return Target.all().stream().map(Target::toString).toList();
    }

    /// Generations of tensor cores.
    static List<String> generations() {
        return List.of(Generation.values()).stream().map(Generation::toString).toList();
    }

    /// Operands with a layout.
    static List<String> operands() {
        return List.of(OperandName.values()).stream().map(OperandName::name).toList();
    }
}
