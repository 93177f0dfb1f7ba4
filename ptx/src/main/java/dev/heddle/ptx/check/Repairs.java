package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.FormMatcher;

import java.util.Set;

/// Says of wrong instructions of one function what mends them, where that is certain.
final class Repairs {
    /// The rules that a slip in the mnemonic breaks.
    private static final Set<Rule> OF_MNEMONICS =
            Set.of(
                    Rule.UNKNOWN_INSTRUCTION,
                    Rule.UNKNOWN_QUALIFIER,
                    Rule.REPEATED_QUALIFIER,
                    Rule.MISSING_QUALIFIER,
                    Rule.NO_SUCH_FORM);

    /// Looking for what was meant takes longer than finding that it is wrong.
    private static final int MOST = 100;

    private final Context context;
    private int tried;

    Repairs(Context context) {
        this.context = context;
    }

    /// Mends an instruction.
    ///
    /// @param from how many findings there were before it was checked
    void mend(Instruction instruction, int from) {
        for (int i = from; i < context.reporter().list().size(); i++) {
            if (OF_MNEMONICS.contains(context.reporter().list().get(i).rule())) {
                Edit edit =
                        ++tried > MOST
                                ? null
                                : OpcodeRepair.of(instruction, context.matches(), this::takes);
                if (edit != null) {
                    context.reporter().mend(i, edit);
                }
                return;
            }
        }
    }

    /// Whether an instruction would be taken here.
    private boolean takes(Instruction instruction) {
        Reporter scratch = new Reporter();
        Context trial = context.telling(scratch);
        FormMatcher.Match match = context.matches().of(instruction);
        if (match.isProduct()) {
            new MatrixChecker(trial).check(instruction);
            return scratch.invalid() == 0;
        }
        FormMatch found = new InstructionChecker(trial).check(instruction);
        return found != null && match.open() == null && scratch.invalid() == 0;
    }
}
