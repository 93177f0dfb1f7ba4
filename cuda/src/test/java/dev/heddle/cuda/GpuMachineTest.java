package dev.heddle.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.KernelLaunch;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

@DisplayName("GPU as a machine, over a driver without a GPU")
final class GpuMachineTest {
    private final FakeDriver fake;

    GpuMachineTest(@TempDir Path folder) {
        fake = FakeDriver.build(folder);
    }

    private GpuMachine open() {
        return GpuMachine.of(Gpu.of(fake.load().device(0).open()));
    }

    /// The fake driver knows what a kernel of this name does: `*sum = n + x`.
    private static Kernel kernel(String name) {
        return Kernel.of(
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry %s(.param .u64 sum, .param .u32 n, .param .f64 x) { ret; }
                """
                        .formatted(name),
                "k.ptx",
                name);
    }

    private static Launch launch() {
        return Launch.grid(2)
                .block(64)
                .withDynamicShared(256)
                .passing(Argument.poison("sum", 8), Argument.s32(40), Argument.f64(2.5));
    }

    @Test
    void aLaunchLeavesItsBuffers() {
        try (GpuMachine gpu = open()) {
            Outcome outcome = gpu.run(kernel("add"), launch());
            assertThat(outcome.isClean()).isTrue();
            assertThat(outcome.doubles("sum")).containsExactly(42.5);
            assertThat(outcome.report().nanoseconds()).isEqualTo(1_500_000);
            assertThat(gpu.name()).isEqualTo("Fake 7 (sm_90), CUDA 13.0");
        }
        assertThat(fake.calls())
                .contains("grid 20101", "block 640101", "shared 256", "alloc 8", "unload 0");
    }

    @Test
    void clustersAndCooperationAreAttributesOfTheLaunch() {
        try (GpuMachine gpu = open()) {
            Outcome outcome = gpu.run(kernel("add"), launch().cluster(2, 1, 1).cooperative());
            assertThat(outcome.doubles("sum")).containsExactly(42.5);
        }
        assertThat(fake.calls()).contains("cluster 20101", "cooperative 1", "grid 20101");
    }

    @Test
    void launchesShareBuffersAndAddressesGoWhereTheyAreAskedFor() {
        Kernel add = kernel("add");
        Launch first = launch();
        Launch second =
                Launch.grid(1)
                        .block(32)
                        .with(Argument.zeros("spare", 16))
                        .passing(
                                new Argument.Address("sum", 0), Argument.s32(2), Argument.f64(0.5));
        try (GpuMachine gpu = open()) {
            Outcome outcome =
                    gpu.run(
                            List.of(new KernelLaunch(add, first), new KernelLaunch(add, second)),
                            Observer.NONE);
            assertThat(outcome.doubles("sum")).containsExactly(2.5);
            assertThat(outcome.buffers()).containsOnlyKeys("sum", "spare");
            assertThat(outcome.report().nanoseconds()).isEqualTo(3_000_000);
        }
    }

    @Test
    void aKernelThatFailsIsAFindingAndLeavesTheGpuUnusable() {
        try (GpuMachine gpu = open()) {
            Outcome outcome = gpu.run(kernel("trap"), launch());
            assertThat(outcome.findings()).hasSize(1);
            Finding finding = outcome.findings().getFirst();
            assertThat(finding.verdict()).isEqualTo(Verdict.TRAP);
            assertThat(finding.message()).contains("CUDA_ERROR_LAUNCH_FAILED");
            assertThatThrownBy(() -> gpu.run(kernel("add"), launch()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("unusable in this process");
        }
    }

    @Test
    void aLaunchThatDoesNotFitIsRefusedBeforeTheDriverSeesIt() {
        try (GpuMachine gpu = open()) {
            assertThatThrownBy(
                            () ->
                                    gpu.run(
                                            kernel("add"),
                                            Launch.grid(1).passing(Argument.poison("sum", 8))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("takes 3 arguments [sum, n, x], the launch gives 1");
        }
        assertThat(fake.calls()).noneMatch(call -> call.startsWith("load"));
    }
}
