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

/// Random Hopper kernels give the same bits on both executors, and no check finds anything.
/// `-Dheddle.hopper.kernels=500` and `-Dheddle.hopper.seed=N` run more, or others.
@DisplayName("random kernels over copies, mbarriers, wgmma and clusters")
final class HopperKernelsTest {
    private static final int KERNELS = Integer.getInteger("heddle.hopper.kernels", 12);
    private static final long SEED = Long.getLong("heddle.hopper.seed", 1);

    @Test
    void interpreterAndCompilerAgree() {
        ByteArrayOutputStream report = new ByteArrayOutputStream();
        boolean differs =
                new HopperKernels(new PrintStream(report, true, StandardCharsets.UTF_8))
                        .compare(SEED, KERNELS);
        assertThat(differs).as(report.toString(StandardCharsets.UTF_8)).isFalse();
    }

    @Test
    void theKernelsHaveEveryKindOfStep() {
        StringBuilder all = new StringBuilder();
        for (long seed = SEED; seed < SEED + 100; seed++) {
            all.append(HopperKernel.of(seed).ptx());
        }
        assertThat(all)
                .contains(
                        "cp.async.bulk.shared::cluster.global",
                        "cp.async.bulk.shared::cluster.shared::cta",
                        "cp.async.bulk.tensor.2d.shared::cluster",
                        ".multicast::cluster",
                        "cp.async.bulk.tensor.2d.global",
                        "cp.reduce.async.bulk.global",
                        "cp.reduce.async.bulk.tensor",
                        "st.async",
                        "red.async",
                        "ld.shared::cluster",
                        "mbarrier.expect_tx",
                        "wgmma.mma_async.sync",
                        "wgmma.mma_async.sp");
    }

    @Test
    void theAssemblerTakesThem() throws IOException, InterruptedException {
        assumeTrue(Ptxas.release().isPresent(), "no ptxas on the path");
        for (long seed = SEED; seed < SEED + 8; seed++) {
            Ptxas.Verdict verdict = Ptxas.optimize(HopperKernel.of(seed).ptx(), "sm_90a");
            assertThat(verdict.accepted()).as("seed %d: %s", seed, verdict.messages()).isTrue();
        }
    }
}
