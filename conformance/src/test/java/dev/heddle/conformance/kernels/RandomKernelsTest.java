package dev.heddle.conformance.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.conformance.ptxas.Ptxas;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Random kernels give the same bits on both executors. `-Dheddle.random.kernels=1000` and
/// `-Dheddle.random.seed=N` run more, or others.
@DisplayName("random kernels over the scalar and warp instructions")
final class RandomKernelsTest {
    private static final int KERNELS = Integer.getInteger("heddle.random.kernels", 60);
    private static final long SEED = Long.getLong("heddle.random.seed", 1);

    @Test
    void interpreterAndCompilerAgree() {
        ByteArrayOutputStream report = new ByteArrayOutputStream();
        boolean differs =
                new RandomKernels(null, new PrintStream(report, true, StandardCharsets.UTF_8))
                        .compare(SEED, KERNELS);
        assertThat(differs).as(report.toString(StandardCharsets.UTF_8)).isFalse();
    }

    @Test
    void aKernelFollowsFromItsSeed() {
        assertThat(RandomKernel.of(SEED).ptx()).isEqualTo(RandomKernel.of(SEED).ptx());
        assertThat(RandomKernel.of(SEED).ptx()).isNotEqualTo(RandomKernel.of(SEED + 2).ptx());
    }

    @Test
    void theAssemblerTakesThem() throws IOException, InterruptedException {
        assumeTrue(Ptxas.release().isPresent(), "no ptxas on the path");
        for (long seed = SEED; seed < SEED + 10; seed++) {
            Ptxas.Verdict verdict = Ptxas.optimize(RandomKernel.of(seed).ptx(), "sm_90");
            assertThat(verdict.accepted()).as("seed %d: %s", seed, verdict.messages()).isTrue();
        }
    }
}
