package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// From which parameters of a kernel registers are made, as far as 64-bit registers tell: an
/// address made of one likely stays in the buffer that the parameter points to.
final class PointerParameters {
    /// Rounds over the code; what takes more is not found.
    private static final int MOST_ROUNDS = 4;

    /// Of a kernel whose accesses nobody looks at.
    static final PointerParameters NONE = new PointerParameters();

    // By register, where the parameters stand.
    private final Map<Register, Set<Integer>> offsets = new HashMap<>();

    private PointerParameters() {}

    /// Those of a kernel.
    PointerParameters(Code kernel) {
        boolean changed = true;
        for (int round = 0; changed && round < MOST_ROUNDS; round++) {
            changed = false;
            for (Block block : kernel.blocks()) {
                for (Step step : block.steps()) {
                    changed |=
                            switch (step) {
                                case Step.Compute compute -> follow(compute);
                                case Step.Load load -> follow(load);
                                default -> false;
                            };
                }
            }
        }
    }

    /// Returns whether an operation told anything new.
    private boolean follow(Step.Compute step) {
        if (step.target().width() != Width.LONG) {
            return false;
        }
        boolean changed = false;
        for (Source argument : step.arguments()) {
            changed |= add(step.target(), of(argument));
        }
        return changed;
    }

    /// The same of a load, as that of a parameter.
    private boolean follow(Step.Load load) {
        boolean changed = false;
        if (load.access().space() == Space.PARAM && load.base() instanceof Source.Constant base) {
            int first = (int) (base.bits() + load.offset());
            for (int i = 0; i < load.targets().size(); i++) {
                changed |= add(load.targets().get(i), Set.of(first + i * Long.BYTES));
            }
        }
        return changed;
    }

    private boolean add(@Nullable Register target, Set<Integer> found) {
        return target != null
                && target.width() == Width.LONG
                && !found.isEmpty()
                && offsets.computeIfAbsent(target, _ -> new TreeSet<>()).addAll(found);
    }

    /// Where in the kernel's parameters those stand from which a register is made.
    Set<Integer> of(Source source) {
        return source instanceof Register register
                ? offsets.getOrDefault(register, Set.of())
                : Set.of();
    }
}
