package dev.heddle.conformance.ptxas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Properties: `heddle.ptxas.modules`, how many modules; `heddle.ptxas.seed`, which ones.
@Tag("ptxas")
@DisplayName("The model and ptxas judge modules of one matrix instruction alike")
final class PtxasAgreementTest {
    private static final int MODULES = Integer.getInteger("heddle.ptxas.modules", 600);
    private static final System.Logger LOGGER = System.getLogger("dev.heddle.conformance");
    private static final long SEED = Long.getLong("heddle.ptxas.seed", 1);

    /// The sweep that both comparisons share: asking the assembler takes nearly all of the time.
    private static @Nullable AssemblerSweep sweep;

    private static synchronized AssemblerSweep sweep() throws IOException, InterruptedException {
        Optional<String> release = Ptxas.release();
        assumeTrue(
                release.equals(Optional.of(Ptxas.RELEASE)),
                () ->
                        "needs ptxas "
                                + Ptxas.RELEASE
                                + " on the path, found "
                                + release.orElse("none"));
        if (sweep == null) {
            sweep = AssemblerSweep.sweep(SEED, MODULES, 2);
        }
        return sweep;
    }

    @Test
    void noDisagreementIsUnexplained() throws IOException, InterruptedException {
        AssemblerSweep agreement = sweep();
        LOGGER.log(System.Logger.Level.INFO, agreement::toString);
        assertThat(agreement.unexplained()).as(agreement.toString()).isEmpty();
        assertThat(agreement.cases()).hasSize(MODULES);
    }

    @Test
    @DisplayName("heddle check, asked about the modules as files of a folder, agrees as well")
    void theCommandSaysTheSameOfTheFiles(@TempDir Path folder)
            throws IOException, InterruptedException {
        List<AssemblerSweep.Case> cases = sweep().cases();
        List<String> verdicts =
                CheckedFolder.of(
                                cases.stream().map(one -> one.candidate().module()).toList(),
                                folder)
                        .verdicts();
        int agreed = 0;
        int exempt = 0;
        List<String> unexplained = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            AssemblerSweep.Case one = cases.get(i);
            boolean accepted = !verdicts.get(i).equals("reject");
            if (accepted == one.assembler().accepted()) {
                agreed++;
            } else if (accepted == one.model().legal() && one.exemption().isPresent()) {
                exempt++;
            } else {
                unexplained.add(one + "\n  heddle check: " + verdicts.get(i));
            }
        }
        String counts =
                "heddle check, seed %d: %d files, %d agree with ptxas, %d exempt, %d unexplained"
                        .formatted(SEED, cases.size(), agreed, exempt, unexplained.size());
        LOGGER.log(System.Logger.Level.INFO, counts);
        assertThat(unexplained).as(counts).isEmpty();
    }

    @Test
    void aSweepHoldsEveryKindOfNearMiss() {
        Candidates candidates = new Candidates(SEED);
        List<Candidate> dealt = Stream.generate(candidates::next).limit(600).toList();
        assertThat(dealt.stream().flatMap(one -> one.change().stream()).distinct())
                .containsExactlyInAnyOrder(NearMiss.values());
        assertThat(dealt.stream().map(one -> one.legality().opcode().family()).distinct())
                .hasSize(5);
        assertThat(dealt.stream().filter(one -> one.legality().legal()).count())
                .isBetween(200L, 400L);
    }

    @Test
    void equalSeedsDealEqualCandidates() {
        Candidates one = new Candidates(7);
        Candidates other = new Candidates(7);
        for (int i = 0; i < 100; i++) {
            assertThat(one.next()).isEqualTo(other.next());
        }
    }
}
