package dev.heddle.conformance.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
    void theAssemblerTakesThem(@TempDir Path folder) throws IOException, InterruptedException {
        for (long seed = SEED; seed < SEED + 10; seed++) {
            Path file = folder.resolve(seed + ".ptx");
            Files.writeString(file, RandomKernel.of(seed).ptx());
            Process assembler;
            try {
                assembler =
                        new ProcessBuilder(
                                        List.of(
                                                "ptxas",
                                                "-arch=sm_90",
                                                "-o",
                                                folder.resolve("out").toString(),
                                                file.toString()))
                                .redirectErrorStream(true)
                                .start();
            } catch (IOException _) {
                Assumptions.abort("no ptxas on the path");
                return;
            }
            String said =
                    new String(assembler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(assembler.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(assembler.exitValue()).as("seed %d: %s", seed, said).isZero();
        }
    }
}
