package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

import java.util.List;

/// Kernels with checks in the machine code of warps, beside the interpreter.
final class CheckedWarps {
    private CheckedWarps() {}

    /// Findings, warnings and buffers are the same; where nothing is wrong, so is what was counted,
    /// and three workers find nothing either.
    ///
    /// @param text of a module with one kernel, `k`
    static Outcome agree(String text, Launch launch, List<String> buffers) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        Kernel kernel = Kernel.of(text, "k.ptx", "k");
        Launch one = launch.withChecks(RuleGroup.CHECKS).withThreads(1);
        Outcome expected = Machine.interpreter().run(kernel, one);
        Outcome found = Machine.compiler(new Compilations(0)).run(kernel, one);
        assertThat(found.findings().toString()).as(text).isEqualTo(expected.findings().toString());
        assertThat(found.warnings().toString()).as(text).isEqualTo(expected.warnings().toString());
        requireSame(found, expected, text, buffers);
        if (expected.isClean()) {
            assertThat(found.report().instructions()).isEqualTo(expected.report().instructions());
            Outcome shared = Machine.compiler(new Compilations(0)).run(kernel, one.withThreads(3));
            assertThat(shared.findings()).as(text).isEmpty();
            requireSame(shared, expected, text, buffers);
        }
        return expected;
    }

    private static void requireSame(
            Outcome found, Outcome expected, String text, List<String> buffers) {
        for (String buffer : buffers) {
            assertThat(found.buffer(buffer)).as(text).isEqualTo(expected.buffer(buffer));
        }
    }
}
