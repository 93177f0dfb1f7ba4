package dev.heddle.conformance.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.conformance.instructions.Specimens.Specimen;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Requirement;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionTable;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.lowering.Lowering;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Every syntax line of the instructions, with legal instructions dealt from it, goes through the
/// lowering; what it does not take is what `docs/coverage.md` says.
@DisplayName("PTX ISA 9.7: which instructions are run")
final class InstructionCensusTest {
    private static final long SEED = 1;

    /// Between them they have all instructions: the oldest one those that sm_70 no longer takes.
    private enum Target {
        OLD("sm_61", "6.3"),
        HOPPER("sm_90a", "9.0"),
        DATA_CENTER("sm_100a", "9.0"),
        NEW("sm_120a", "9.0");

        final String architecture;
        final String version;
        final List<Specimen> specimens;

        Target(String architecture, String version) {
            this.architecture = architecture;
            this.version = version;
            specimens = Specimens.of(architecture, version, SEED);
        }

        String module() {
            return Specimens.module(architecture, version, specimens);
        }
    }

    /// Instructions that are not run, by pattern, with the words that `docs/coverage.md` has for
    /// them.
    private static final Map<String, String> GAPS =
            Map.of(
                    "multimem\\..*", "`multimem`",
                    "cvta\\.(to\\.)?(const|shared|local|param)\\S*\\.u32 .*", "`cvta` of 32 bits");

    /// Whether a line exists for none of these targets.
    private static boolean isElsewhere(InstructionForm form) {
        Requirement requirement = form.requirement();
        return requirement != null
                && Stream.of(Target.values())
                        .noneMatch(
                                target ->
                                        requirement.isMet(
                                                dev.heddle.isa.Target.parse(target.architecture),
                                                PtxVersion.parse(target.version)));
    }

    private static Map<String, String> unsupported(Target target) {
        String module = target.module();
        Parsed parsed = Ptx.parse(module, "census.ptx");
        assertThat(parsed.diagnostics()).isEmpty();
        List<String> lines = module.lines().toList();
        Map<String, String> found = new TreeMap<>();
        for (Code code : Lowering.lower(BoundModule.of(parsed)).codes()) {
            for (Block block : code.blocks()) {
                for (Step step : block.steps()) {
                    if (step instanceof Step.Unsupported gap) {
                        found.put(lines.get(gap.site().position().line() - 1), gap.reason());
                    }
                }
            }
        }
        return found;
    }

    @Test
    void everyInstructionIsRunOrListed() {
        Set<String> unused = new HashSet<>(GAPS.keySet());
        List<String> unlisted = new ArrayList<>();
        Map<String, String> unsupported = new TreeMap<>();
        for (Target target : Target.values()) {
            unsupported.putAll(unsupported(target));
        }
        unsupported.forEach(
                (text, reason) -> {
                    List<String> fitting = GAPS.keySet().stream().filter(text::matches).toList();
                    unused.removeAll(fitting);
                    if (fitting.isEmpty()) {
                        unlisted.add(text + "   " + reason);
                    }
                });
        assertThat(unlisted).as("seed %d", SEED).isEmpty();
        assertThat(unused).as("listed, and run").isEmpty();
    }

    @Test
    void everySyntaxLineHasSpecimens() {
        Set<String> seen = new HashSet<>();
        for (Target target : Target.values()) {
            target.specimens.forEach(specimen -> seen.add(specimen.line()));
        }
        Set<String> missing = new TreeSet<>();
        for (InstructionForm form : InstructionTable.all()) {
            if (!seen.contains(form.text()) && !isElsewhere(form)) {
                missing.add(form.text());
            }
        }
        // What ends a block is in every other test; the others have operands that are not dealt.
        assertThat(missing)
                .allMatch(
                        line ->
                                line.matches(
                                        "(bra|brx\\.idx|ret|exit|trap|brkpt|st\\.bulk|tex|tld4|suld|sust|sured)\\b.*|.*\\.tensor\\..*"
                                            + "|.*get_first_ctaid\\.v4.*"));
    }

    @Test
    void theDocumentHasTheGaps() throws IOException {
        String document = Files.readString(Path.of("../docs/coverage.md"));
        assertThat(GAPS.values()).allMatch(document::contains);
    }
}
