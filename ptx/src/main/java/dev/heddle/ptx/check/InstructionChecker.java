package dev.heddle.ptx.check;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.GenericInstruction;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.Position;
import dev.heddle.ptx.Target;
import dev.heddle.ptx.Version;
import dev.heddle.ptx.check.Form.Choice;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Checks one instruction against the table: qualifiers first, then operands, then what they ask of
/// version and target.
final class InstructionChecker {

    private final Version version;
    private final Target target;
    private final Names names;
    private final Reporter reporter;
    private final InstructionRules rules;
    private final Matches matches;

    InstructionChecker(
            Module module,
            Function function,
            Target target,
            Names names,
            Matches matches,
            Reporter reporter) {
        this.matches = matches;
        this.version = module.version();
        this.target = target;
        this.rules = new InstructionRules(module, function, target, reporter);
        this.names = names;
        this.reporter = reporter;
    }

    void check(GenericInstruction instruction) {
        Matches.Match match = matches.of(instruction);
        Binding best = match.nearest();
        if (best == null) {
            if (Forms.OPEN.contains(instruction.opcode())) {
                new OperandChecker(instruction, null, names).namesOnly(reporter);
            } else {
                unknown(instruction);
            }
            return;
        }
        List<Problem> fewest = List.of();
        int bestDistance = Integer.MAX_VALUE;
        for (Binding binding : match.fitting()) {
            List<Problem> problems = new OperandChecker(instruction, binding, names).problems();
            int distance = 2 * problems.size() + (demandsMet(binding) ? 0 : 1);
            if (distance == 0) {
                rules.check(instruction, binding);
                return;
            }
            if (distance < bestDistance) {
                best = binding;
                fewest = problems;
                bestDistance = distance;
            }
        }
        report(instruction, match.head(), best, fewest, match.forms());
    }

    private void report(
            GenericInstruction instruction,
            String head,
            Binding binding,
            List<Problem> problems,
            List<Form> forms) {
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

    private boolean demandsMet(Binding binding) {
        Requirement whole = binding.form().requirement();
        if (whole != null && !(whole.versionMet(version) && whole.targetMet(target))) {
            return false;
        }
        for (Choice choice : binding.demands()) {
            Requirement part = choice.requirement();
            if (part != null && !(part.versionMet(version) && part.targetMet(target))) {
                return false;
            }
        }
        return true;
    }

    private void demand(
            GenericInstruction instruction,
            String what,
            @Nullable Requirement requirement,
            Binding binding,
            int column) {
        if (requirement == null) {
            return;
        }
        Position position =
                column == 0 ? instruction.position() : instruction.positionOf(what.substring(1));
        if (!requirement.versionMet(version)) {
            reporter.invalid(
                    "needs-version",
                    position,
                    what.length(),
                    what
                            + " needs PTX "
                            + requirement.version()
                            + "; the module says .version "
                            + version,
                    "write .version " + requirement.version() + " or later",
                    binding.form().section());
        }
        if (!requirement.targetMet(target)) {
            reporter.invalid(
                    "needs-target",
                    position,
                    what.length(),
                    what
                            + " needs "
                            + requirement.targetWords()
                            + "; the module says .target "
                            + target.architecture(),
                    "write .target "
                            + requirement.targets().getFirst().toString().replace(" or higher", ""),
                    binding.form().section());
        }
    }

    private void unknown(GenericInstruction instruction) {
        String opcode = instruction.opcode();
        List<String> heads = Forms.headsOf(opcode);
        if (!heads.isEmpty()) {
            reporter.invalid(
                    "qualifier-missing",
                    instruction.position(),
                    opcode.length(),
                    instruction.mnemonic()
                            + " is no instruction; "
                            + opcode
                            + " begins "
                            + String.join(", ", heads),
                    "put that qualifier right behind the opcode",
                    Forms.of(heads.getFirst()).getFirst().section());
            return;
        }
        String near = Names.nearest(opcode, Forms.opcodes());
        reporter.invalid(
                "unknown-instruction",
                instruction.position(),
                opcode.length(),
                "'" + opcode + "' is no PTX instruction",
                near.isEmpty()
                        ? "chapter 9.7 lists the instructions"
                        : "did you mean " + near + "?",
                "4.3.2");
    }
}
