package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;

import java.util.HashSet;
import java.util.Set;

/// Which registers depend on the number of the lane, by `%tid.x` or `%laneid`, wherever they are
/// written: addresses made of them likely go from word to word, others stay at one.
public final class LaneVaryingRegisters {
    /// Rounds over the code; what depends on more than so many steps backwards is taken for
    /// independent, which costs time and nothing else.
    private static final int MOST_ROUNDS = 4;

    private final Set<Register> dependent = new HashSet<>();

    /// Those of a function.
    public LaneVaryingRegisters(Code code) {
        int before = -1;
        for (int round = 0; before < dependent.size() && round < MOST_ROUNDS; round++) {
            before = dependent.size();
            code.steps().filter(this::depends).forEach(step -> dependent.addAll(step.writes()));
        }
    }

    private boolean depends(Step step) {
        return step instanceof Step.ReadSpecial special
                ? special.special() == SpecialRegister.TID_X
                        || special.special() == SpecialRegister.LANEID
                : step.reads().stream().anyMatch(dependent::contains);
    }

    /// Whether a value depends on the lane.
    public boolean holds(Source value) {
        return value instanceof Register register && dependent.contains(register);
    }
}
