package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.TargetDirective;
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

    private final Module module;
    private final Function function;
    private final TargetDirective target;
    private final SymbolScope names;
    private final FormMatcher matches;
    private final Reporter reporter;
    private int tried;

    Repairs(
            Module module,
            Function function,
            TargetDirective target,
            SymbolScope names,
            FormMatcher matches,
            Reporter reporter) {
        this.module = module;
        this.function = function;
        this.target = target;
        this.names = names;
        this.matches = matches;
        this.reporter = reporter;
    }

    /// Mends an instruction.
    ///
    /// @param from how many findings there were before it was checked
    void mend(Instruction instruction, int from) {
        for (int i = from; i < reporter.list().size(); i++) {
            if (OF_MNEMONICS.contains(reporter.list().get(i).rule())) {
                Edit edit =
                        ++tried > MOST ? null : OpcodeRepair.of(instruction, matches, this::takes);
                if (edit != null) {
                    reporter.mend(i, edit);
                }
                return;
            }
        }
    }

    /// Whether an instruction would be taken here.
    private boolean takes(Instruction instruction) {
        Reporter scratch = new Reporter();
        if (matches.of(instruction).isProduct()) {
            new MatrixChecker(module, target, names, scratch).check(instruction);
            return scratch.invalid() == 0;
        }
        FormMatch match =
                new InstructionChecker(module, function, target, names, matches, scratch)
                        .check(instruction);
        return match != null && matches.of(instruction).open() == null && scratch.invalid() == 0;
    }
}
