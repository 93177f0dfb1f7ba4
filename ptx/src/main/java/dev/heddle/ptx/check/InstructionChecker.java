package dev.heddle.ptx.check;

import dev.heddle.isa.Notation.Choice;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Requirement;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.FormMatcher;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionTable;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Checks one instruction against the table: qualifiers first, then operands, then what they ask of
/// version and target.
record InstructionChecker(Context context) {

    /// The form that an instruction fits, or null where it fits none: what is wrong is reported.
    @Nullable FormMatch check(Instruction instruction) {
        FormMatcher.Match match = context.matches().of(instruction);
        FormMatch best = match.nearest();
        if (best == null) {
            if (match.open() != null) {
                new OperandChecker(instruction, null, context.names())
                        .namesOnly(context.reporter());
            } else {
                unknown(instruction);
            }
            return match.open();
        }
        List<Problem> fewest = List.of();
        int bestDistance = Integer.MAX_VALUE;
        for (FormMatch binding : match.fitting()) {
            List<Problem> problems =
                    new OperandChecker(instruction, binding, context.names()).problems();
            int distance = 2 * problems.size() + (demandsMet(binding) ? 0 : 1);
            if (distance == 0) {
                InstructionProblems at =
                        new InstructionProblems(instruction, binding, context.reporter());
                new InstructionRules(context, at).check();
                return binding;
            }
            if (distance < bestDistance) {
                best = binding;
                fewest = problems;
                bestDistance = distance;
            }
        }
        report(instruction, match.head(), best, fewest, match.forms());
        return null;
    }

    private void report(
            Instruction instruction,
            String head,
            FormMatch binding,
            List<Problem> problems,
            List<InstructionForm> forms) {
        if (!binding.fits()) {
            new QualifierReport(instruction, head, binding, forms, context.reporter()).report();
            new OperandChecker(instruction, null, context.names()).namesOnly(context.reporter());
            return;
        }
        for (Problem problem : problems) {
            context.reporter().report(problem, binding.form().section());
        }
        demand(binding, binding.form().requirement(), instruction);
        for (Choice choice : binding.demands()) {
            Problem.Spot word = Problem.word(instruction, choice.word());
            demand(binding, choice.requirement(), word);
        }
    }

    private boolean demandsMet(FormMatch binding) {
        Requirement whole = binding.form().requirement();
        if (whole != null && !isMet(whole)) {
            return false;
        }
        for (Choice choice : binding.demands()) {
            Requirement part = choice.requirement();
            if (part != null && !isMet(part)) {
                return false;
            }
        }
        return true;
    }

    private boolean isMet(Requirement requirement) {
        return context.version().atLeast(requirement.version())
                && context.target().isAmong(requirement.targets());
    }

    private static String first(Requirement.Targets targets) {
        return targets.names().split(",", -1)[0].replace(" or higher", "");
    }

    private void demand(FormMatch binding, @Nullable Requirement requirement, Object what) {
        if (requirement == null) {
            return;
        }
        String section = binding.form().section();
        PtxVersion needed = requirement.version();
        if (!context.version().atLeast(needed)) {
            Problem problem = Problem.of("version-too-low", what, needed, context.version());
            context.reporter().report(problem, section);
        }
        Requirement.Targets targets = requirement.targets();
        if (!context.target().isAmong(targets)) {
            String given = context.target().architecture();
            Problem problem =
                    Problem.of("unsupported-target", what, targets.names(), given, first(targets));
            context.reporter().report(problem, section);
        }
    }

    private void unknown(Instruction instruction) {
        String opcode = instruction.opcode();
        Problem.Spot at = new Problem.Spot(instruction.position(), opcode);
        List<String> heads = InstructionTable.headsOf(opcode);
        if (!heads.isEmpty()) {
            String all = String.join(", ", heads);
            Problem problem = Problem.of("missing-qualifier.head", at, instruction, all);
            InstructionForm first = InstructionTable.of(heads.getFirst()).getFirst();
            context.reporter().report(problem, first.section());
            return;
        }
        String near = SymbolScope.nearest(opcode, InstructionTable.opcodes());
        context.reporter()
                .report(
                        "unknown-instruction",
                        at,
                        near.isEmpty()
                                ? "chapter 9.7 lists the instructions"
                                : "did you mean " + near + "?");
    }
}
