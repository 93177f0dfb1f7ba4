package dev.heddle.conformance.ptxas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Properties: `heddle.ptxas.modules`, how many modules; `heddle.ptxas.seed`, which ones.
@Tag("ptxas")
@DisplayName("The model and ptxas judge modules of one matrix instruction alike")
final class PtxasAgreementTest {
    private static final int MODULES = Integer.getInteger("heddle.ptxas.modules", 600);
    private static final long SEED = Long.getLong("heddle.ptxas.seed", 1);

    @Test
    void noDisagreementIsUnexplained() throws IOException, InterruptedException {
        Optional<String> release = Assembler.release();
        assumeTrue(
                release.equals(Optional.of(Assembler.RELEASE)),
                () ->
                        "needs ptxas "
                                + Assembler.RELEASE
                                + " on the path, found "
                                + release.orElse("none"));
        Agreement agreement = Agreement.sweep(SEED, MODULES, 2);
        System.Logger logger = System.getLogger("dev.heddle.conformance");
        logger.log(System.Logger.Level.INFO, agreement::toString);
        assertThat(agreement.unexplained()).as(agreement.toString()).isEmpty();
        assertThat(agreement.cases()).hasSize(MODULES);
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
