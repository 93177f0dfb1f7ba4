package dev.heddle.conformance.instructions;

import dev.heddle.isa.Notation.Choice;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Requirement;
import dev.heddle.isa.Target;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.check.Check;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionTable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// Instructions of every syntax line that are legal for one target: what else reads PTX can be
/// held against them.
///
/// Each line gives several instructions: every qualifier of every set is in one at least, as
/// far as the target and the version have it.
public final class Specimens {
    private static final int TRIES = 4;
    private static final int A_MODULE = 200;

    private final String architecture;
    private final String version;
    private final InstructionGenerator generator;

    private Specimens(String architecture, String version, long seed) {
        this.architecture = architecture;
        this.version = version;
        generator = new InstructionGenerator(new SplittableRandom(seed));
    }

    /// A legal instruction.
    ///
    /// @param section of the manual that has its syntax line
    /// @param line the syntax line in the notation of the table
    /// @param text the instruction
    public record Specimen(String section, String line, String text) {}

    /// The specimens for a target; the seed chooses registers and what is beside what.
    ///
    /// @param architecture as `.target` names it
    /// @param version as `.version` names it
    public static List<Specimen> of(String architecture, String version, long seed) {
        return new Specimens(architecture, version, seed).deal();
    }

    /// A module that holds these instructions in their order, each on a line of its own.
    public static String module(String architecture, String version, List<Specimen> specimens) {
        return InstructionGenerator.module(
                architecture, version, specimens.stream().map(Specimen::text).toList());
    }

    private List<Specimen> deal() {
        List<Specimen> drawn = new ArrayList<>();
        for (InstructionForm form : InstructionTable.all()) {
            if (InstructionGenerator.canDeal(form) && exists(form)) {
                for (String text : instructions(form)) {
                    drawn.add(new Specimen(form.section(), form.text(), text));
                }
            }
        }
        List<Specimen> legal = new ArrayList<>();
        for (int from = 0; from < drawn.size(); from += A_MODULE) {
            legal.addAll(legal(drawn.subList(from, Math.min(from + A_MODULE, drawn.size()))));
        }
        return legal;
    }

    private boolean exists(InstructionForm form) {
        Requirement requirement = form.requirement();
        return requirement == null
                || requirement.isMet(Target.parse(architecture), PtxVersion.parse(version));
    }

    private Set<String> instructions(InstructionForm form) {
        Set<String> texts = new TreeSet<>();
        // Of the constants that may be dealt, few fit.
        boolean constant =
                form.operands().stream()
                        .anyMatch(place -> place.kind() == InstructionForm.Kind.CONSTANT);
        for (int i = 0; i < (constant ? 8 * TRIES : TRIES); i++) {
            texts.add(generator.deal(form).text());
        }
        for (int slot = 0; slot < form.slots().size(); slot++) {
            for (Choice choice : form.slots().get(slot).choices()) {
                texts.add(generator.deal(form, slot, choice.word()).text());
            }
        }
        return texts;
    }

    /// Those that nothing is wrong with. A check reports so many findings and no more: it is asked
    /// again until it has none.
    private List<Specimen> legal(List<Specimen> drawn) {
        int first = (int) InstructionGenerator.head(architecture, version).lines().count() + 1;
        List<Specimen> legal = drawn;
        while (true) {
            Set<Specimen> wrong = new HashSet<>();
            String module = module(architecture, version, legal);
            for (Diagnostic finding : Check.text(module, "specimens.ptx").findings()) {
                int index = finding.position().line() - first;
                if (finding.verdict() == Verdict.INVALID && index >= 0 && index < legal.size()) {
                    wrong.add(legal.get(index));
                }
            }
            if (wrong.isEmpty()) {
                return legal;
            }
            legal = legal.stream().filter(specimen -> !wrong.contains(specimen)).toList();
        }
    }
}
