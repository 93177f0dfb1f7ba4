package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("What of a kernel would run, before it runs")
final class KernelSupportTest {
    private static final BoundModule MODULE =
            BoundModule.of(
                    Ptx.parse(
                            """
                            .version 8.0
                            .target sm_90
                            .address_size 64
                            .extern .func elsewhere();
                            .func deep() {
                              call elsewhere;
                              call elsewhere;
                              ret;
                            }
                            .visible .entry direct() { call elsewhere; ret; }
                            .visible .entry through() {
                              .reg .pred %p<2>; .reg .b32 %r<2>;
                              mov.u32 %r1, %tid.x;
                              setp.gt.u32 %p1, %r1, 5000;
                              @%p1 bra NEVER;
                              ret;
                            NEVER:
                              call deep;
                              ret;
                            }
                            .visible .entry fine() { .reg .b32 %r<2>; mov.u32 %r1, %tid.x; ret; }
                            .visible .entry together() .reqnctapercluster 4 { ret; }
                            """,
                            "m.ptx"));

    @Test
    void everyKernelIsLookedAtWithAllThatItMayCall() {
        List<KernelSupport> kernels = KernelSupport.of(MODULE);
        assertThat(kernels)
                .extracting(KernelSupport::kernel, KernelSupport::runs, KernelSupport::sites)
                .containsExactly(
                        tuple("direct", false, 2),
                        tuple("through", false, 9),
                        tuple("fine", true, 2),
                        tuple("together", kernels.getLast().runs(), 1));
        assertThat(kernels.get(1).unsupported())
                .containsExactly(
                        new KernelSupport.Gap(
                                "call",
                                6,
                                2,
                                "the external function elsewhere, which has no body here"));
        assertThat(kernels.get(2).instructions()).containsExactly("mov.u32", "ret");
    }

    @Test
    @DisplayName("says so of a launch that is refused, and of none that comes to its end")
    void agreesWithLaunches() {
        for (KernelSupport support : KernelSupport.of(MODULE)) {
            Kernel kernel = Kernel.of(MODULE, List.of(support.kernel())).getFirst();
            Outcome outcome = Machine.interpreter().run(kernel, Launch.grid(4));
            boolean unsupported =
                    outcome.findings().stream()
                            .anyMatch(finding -> finding.verdict() == Verdict.UNSUPPORTED);
            // "through" never comes to its call.
            if (!support.kernel().equals("through")) {
                assertThat(support.runs()).as(support.kernel()).isEqualTo(!unsupported);
            }
        }
    }
}
