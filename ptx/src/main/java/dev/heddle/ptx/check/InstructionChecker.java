package dev.heddle.ptx.check;

import dev.heddle.isa.Notation.Choice;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Requirement;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.TargetDirective;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.FormMatcher;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionTable;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Checks one instruction against the table: qualifiers first, then operands, then what they ask of
/// version and target.
final class InstructionChecker {

    private final PtxVersion version;
    private final TargetDirective target;
    private final SymbolScope names;
    private final Reporter reporter;
    private final InstructionRules rules;
    private final FormMatcher matches;

    InstructionChecker(
            Module module,
            Function function,
            TargetDirective target,
            SymbolScope names,
            FormMatcher matches,
            Reporter reporter) {
        this.matches = matches;
        this.version = module.version();
        this.target = target;
        this.rules = new InstructionRules(module, function, target, reporter);
        this.names = names;
        this.reporter = reporter;
    }

    /// The form that an instruction fits, or null where it fits none: what is wrong is reported.
    @Nullable FormMatch check(Instruction instruction) {
        FormMatcher.Match match = matches.of(instruction);
        FormMatch best = match.nearest();
        if (best == null) {
            if (match.open() != null) {
                new OperandChecker(instruction, null, names).namesOnly(reporter);
            } else {
                unknown(instruction);
            }
            return match.open();
        }
        List<Problem> fewest = List.of();
        int bestDistance = Integer.MAX_VALUE;
        for (FormMatch binding : match.fitting()) {
            List<Problem> problems = new OperandChecker(instruction, binding, names).problems();
            int distance = 2 * problems.size() + (demandsMet(binding) ? 0 : 1);
            if (distance == 0) {
                rules.check(instruction, binding);
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
            new QualifierReport(instruction, head, binding, forms, reporter).report();
            new OperandChecker(instruction, null, names).namesOnly(reporter);
            return;
        }
        for (Problem problem : problems) {
            reporter.invalid(
                    problem.rule(),
                    problem.position(),
                    problem.width(),
                    problem.message(),
                    problem.remedy(),
                    problem.section().isEmpty() ? binding.form().section() : problem.section());
        }
        demand(instruction, instruction.mnemonic(), binding.form().requirement(), binding, 0);
        for (Choice choice : binding.demands()) {
            demand(instruction, "." + choice.word(), choice.requirement(), binding, 1);
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
        return version.atLeast(requirement.version()) && target.isAmong(requirement.targets());
    }

    private static String first(Requirement.Targets targets) {
        return targets.names().split(",", -1)[0].replace(" or higher", "");
    }

    private void demand(
            Instruction instruction,
            String what,
            @Nullable Requirement requirement,
            FormMatch binding,
            int column) {
        if (requirement == null) {
            return;
        }
        SourcePosition position =
                column == 0 ? instruction.position() : instruction.positionOf(what.substring(1));
        if (!version.atLeast(requirement.version())) {
            reporter.invalid(
                    Rule.VERSION_TOO_LOW,
                    position,
                    what.length(),
                    "%s needs PTX %s; the module says .version %s"
                            .formatted(what, requirement.version(), version),
                    "write .version " + requirement.version() + " or later",
                    binding.form().section());
        }
        if (!target.isAmong(requirement.targets())) {
            reporter.invalid(
                    Rule.UNSUPPORTED_TARGET,
                    position,
                    what.length(),
                    "%s needs %s; the module says .target %s"
                            .formatted(what, requirement.targets().names(), target.architecture()),
                    "write .target " + first(requirement.targets()),
                    binding.form().section());
        }
    }

    private void unknown(Instruction instruction) {
        String opcode = instruction.opcode();
        List<String> heads = InstructionTable.headsOf(opcode);
        if (!heads.isEmpty()) {
            reporter.invalid(
                    Rule.MISSING_QUALIFIER,
                    instruction.position(),
                    opcode.length(),
                    "%s is no instruction; %s begins %s"
                            .formatted(instruction.mnemonic(), opcode, String.join(", ", heads)),
                    "put that qualifier right behind the opcode",
                    InstructionTable.of(heads.getFirst()).getFirst().section());
            return;
        }
        String near = SymbolScope.nearest(opcode, InstructionTable.opcodes());
        reporter.invalid(
                Rule.UNKNOWN_INSTRUCTION,
                instruction.position(),
                opcode.length(),
                "'" + opcode + "' is no PTX instruction",
                near.isEmpty()
                        ? "chapter 9.7 lists the instructions"
                        : "did you mean " + near + "?",
                "4.3.2");
    }
}
